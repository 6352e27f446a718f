package spanpath

import (
	"testing"

	"wend/spangrid"
)

// TestCalmIsUsed makes sure that a chord over flat ground passes blocks at once,
// and is stopped by a step, a forbidden step and a second surface in the middle of
// one.
func TestCalmIsUsed(t *testing.T) {
	world := func() *testWorld {
		w := newWorld()
		w.floor(0, 0, 200, 40, 0)
		return w
	}
	clip := spangrid.Window{GX: 0, GY: 0, NX: 201, NY: 41}
	v := View{Bans: true, Heights: true}
	g := world().ground(t, clip)
	s := sighting{g: g, v: v}
	for _, to := range [][2]int{{190, 21}, {190, 3}, {4, 20}, {100, 39}, {60, 0}} {
		l := newLine(100, 20, to[0], to[1])
		lo, hi := float32(0), float32(0)
		if end, ok := s.leap(&l, 1.5, &lo, &hi); !ok || l.k != end || end < 2 || end > 8 {
			t.Errorf("to %v: %v, column %d, at %d", to, ok, end, l.k)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*cellSpan)
		want   bool
	}{
		{"nothing", func(*cellSpan) {}, true},
		{"a step", func(s *cellSpan) { s.h = 1.55 }, false},
		{"a low step", func(s *cellSpan) { s.h = 1.45 }, true},
		{"a forbidden step", func(s *cellSpan) { s.steps, s.steps2 = 1, 1 }, false},
		{"one back", func(s *cellSpan) { s.steps, s.steps2 = 2, 2 }, true},
	} {
		for x := 96; x < 105; x++ { // wherever in a block
			w := world()
			c.change(&w.cells[Cell{int32(x), 20}][0])
			g := w.ground(t, clip)
			if got := g.Sees(v, middle(20, 20), middle(190, 20), 0, 0); got != c.want {
				t.Errorf("%s in column %d: sees %v", c.name, x, got)
			}
			if !g.Sees(v, middle(20, 23), middle(190, 23), 0, 0) {
				t.Errorf("%s in column %d stops a chord beside", c.name, x)
			}
		}
	}
	// A walk leaves calm ground at the height it has there.
	w := newWorld()
	for x := range 60 {
		w.floor(x, 0, x, 40, float32(x)/16)
	}
	w.floor(60, 0, 60, 40, 59.0/16+1.5)
	w.floor(61, 0, 100, 40, 59.0/16+1.5)
	g = w.ground(t, clip)
	if !g.Sees(v, middle(5, 10), middle(80, 14), 5.0/16, 59.0/16+1.5) {
		t.Error("a slope and a step at its end are not gone over")
	}
	if !g.Sees(v, middle(5, 10), middle(80, 14), 5.0/16+2, 59.0/16+1.5) {
		t.Error("a walk that begins above its surface does not come down to it")
	}
	clear(w.pages)
	w.floor(61, 12, 61, 14, 59.0/16+3.05)
	g = w.ground(t, clip)
	if g.Sees(v, middle(5, 10), middle(61, 13), 5.0/16, 59.0/16+3.05) {
		t.Error("a step that is too high is gone over")
	}
}
