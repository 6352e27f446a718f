package spanpath

import (
	"testing"

	"wend/spangrid"
)

// TestBreachPastAThirdPart has a strip between start and goal that neither can
// reach: it is no end of a breach, whichever end's pocket is flooded.
func TestBreachPastAThirdPart(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 19, 9, 0)  // the large part
	w.floor(24, 2, 24, 7, 0) // the strip
	w.floor(28, 3, 31, 6, 0) // the pocket
	g := w.ground(t, spangrid.Window{NX: 40, NY: 10})
	large, pocket := spanAt(t, g, 3, 3, 0), spanAt(t, g, 30, 4, 0)
	for _, c := range []struct {
		name        string
		start, goal Span
		toGoal      bool
		want        [2]int32 // columns of the ends
	}{
		{"goal in the pocket", large, pocket, true, [2]int32{19, 28}},
		{"start in the pocket", pocket, large, false, [2]int32{28, 19}},
	} {
		ok, p, err := g.Joined(c.start, []Span{c.goal}, MarkOnCore, 0)
		if ok || err != nil || p.Goal != c.toGoal || p.Spans != 16 {
			t.Fatalf("%s: %v, %v, %+v", c.name, ok, err, p)
		}
		var b Breach
		found, err := g.FindBreach(&p, 0.3, 1000, &b)
		from, to := g.Place(b.From), g.Place(b.To)
		if !found || err != nil || b.Crossing || b.OverLimit || [2]int32{from.GX, to.GX} != c.want || from.GY != g.Place(c.start).GY || to.GY != from.GY {
			t.Errorf("%s: %v, %v, %v to %v, %+v", c.name, found, err, from, to, b)
		}
		var gap Gap
		if found, err := g.FindGap(c.start, []Span{c.goal}, MarkOnCore, &gap); !found || err != nil || [2]int32{gap.From.X, gap.To.X} != c.want || gap.Weight != 900 {
			t.Errorf("%s: %v, %v, between both %+v", c.name, found, err, gap)
		}
		// The pocket has served, and the ground was searched since.
		if found, _ := g.FindBreach(&p, 0.3, 1000, new(Breach)); found {
			t.Errorf("%s: a pocket that is forgotten has a breach", c.name)
		}
	}
	// A pocket with nothing around has none.
	lone := newWorld()
	lone.floor(0, 0, 3, 3, 0)
	lone.put(2, 2, cellSpan{h: 9, component: 70})
	g = lone.ground(t, spangrid.Window{NX: 40, NY: 10})
	ok, p, err := g.Joined(spanAt(t, g, 0, 0, 0), nil, MarkOnCore, 0)
	var b Breach
	if found, gerr := g.FindBreach(&p, 0.3, 1000, &b); ok || err != nil || found || gerr != nil || b.OverLimit {
		t.Errorf("alone: %v, %v; %v, %v, %+v", ok, err, found, gerr, b)
	}
}
