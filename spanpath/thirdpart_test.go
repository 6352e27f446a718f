package spanpath

import (
	"testing"

	"wend/spangrid"
)

// TestGapToAThirdPart has a strip between start and goal that neither can reach:
// seen from a pocket it is the nearest other ground, whichever end's pocket it is;
// between all that both reach it does not count.
func TestGapToAThirdPart(t *testing.T) {
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
		near        [2]int32 // columns of the gap's ends, of the pocket
		both        [2]int32 // of both floods
	}{
		{"goal in the pocket", large, pocket, true, [2]int32{24, 28}, [2]int32{19, 28}},
		{"start in the pocket", pocket, large, false, [2]int32{28, 24}, [2]int32{28, 19}},
	} {
		ok, p, err := g.Joined(c.start, []Span{c.goal}, MarkOnCore, 0)
		if ok || err != nil || p.Goal != c.toGoal || p.Spans != 16 {
			t.Fatalf("%s: %v, %v, %+v", c.name, ok, err, p)
		}
		var gap Gap
		if found, err := g.PocketGap(&p, &gap); !found || err != nil || [2]int32{gap.From.X, gap.To.X} != c.near ||
			gap.From.Y != gap.To.Y || gap.Weight != 400 || gap.Distance != 1 {
			t.Errorf("%s: %v, %v, beside the pocket %+v", c.name, found, err, gap)
		}
		if found, err := g.PocketGap(&p, &gap); !found || err != nil {
			t.Errorf("%s: asked again: %v, %v", c.name, found, err)
		}
		if found, err := g.FindGap(c.start, []Span{c.goal}, MarkOnCore, &gap); !found || err != nil || [2]int32{gap.From.X, gap.To.X} != c.both || gap.Weight != 900 {
			t.Errorf("%s: %v, %v, between both %+v", c.name, found, err, gap)
		}
		// The ground was searched since.
		if found, _ := g.PocketGap(&p, &gap); found {
			t.Errorf("%s: a pocket that is forgotten has a gap", c.name)
		}
	}
	// A pocket with nothing around has none.
	lone := newWorld()
	lone.floor(0, 0, 3, 3, 0)
	lone.put(2, 2, cellSpan{h: 9, component: 70})
	g = lone.ground(t, spangrid.Window{NX: 40, NY: 10})
	ok, p, err := g.Joined(spanAt(t, g, 0, 0, 0), nil, MarkOnCore, 0)
	var gap Gap
	if found, gerr := g.PocketGap(&p, &gap); ok || err != nil || found || gerr != nil {
		t.Errorf("alone: %v, %v; %v, %v, %+v", ok, err, found, gerr, gap)
	}
}
