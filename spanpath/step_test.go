package spanpath

import (
	"math"
	"testing"

	"wend/pack/annex"
	"wend/spangrid"
)

// TestFallsClear asks what a known headroom over a landing lets fall onto it.
func TestFallsClear(t *testing.T) {
	step := func(m float64) uint8 { return uint8(math.Ceil(m * annex.HeadroomSteps)) }
	for _, c := range []struct {
		room, from, body float64 // m; a room of 0 is not limited
		want             bool
	}{
		{0, 20, 0, true},
		{0, 3, 4, true},
		{3, 3, 0, true},
		{2, 3, 0, false},
		{2.7, 3, 0, false},
		{2.8, 3, 0, true}, // the underside of the take-off's own floor
		{8, 3, 0, true},
		{8, 3, 5, true},
		{8, 3.05, 5, true}, // heights are rounded
		{8, 3.1, 5, false},
		{5, 3, 3, false},
		{5, 3, 1.9, true},
		{3.2, 3, 2, true}, // own floor
		{2.8, 3, 2, true},
		{2.7, 3, 2, false},
		{3.4, 3, 2, false},
	} {
		w := newWorld()
		w.put(10, 10, cellSpan{h: 0, room: annexStep(c.room)})
		w.put(11, 10, cellSpan{h: 0})
		w.put(12, 10, cellSpan{h: 1, room: 1})
		g := w.ground(t, spangrid.Window{NX: 40, NY: 40}, func(s *Setup) { s.Body.Headroom = step(c.body) })
		p, n := g.at(10, 10)
		if got := g.lands(p, n, -1, 0, float32(c.from), 0); got != c.want {
			t.Errorf("headroom %v, fall of %v, body of %v: %v", c.room, c.from, c.body, got)
		}
		// What hangs over the landing is the take-off's floor where the next cell is
		// free: but not what is above the take-off.
		out := c.want || c.room <= c.from
		if got := g.lands(p, n, 1, 0, float32(c.from), 0); got != out {
			t.Errorf("headroom %v, fall of %v, body of %v, open further out: %v", c.room, c.from, c.body, got)
		}
		if !g.lands(p, n+1, 1, 0, float32(c.from), 0) {
			t.Errorf("no headroom is kept for the place: a fall of %v is refused", c.from)
		}
		g = w.ground(t, spangrid.Window{NX: 40, NY: 40}, func(s *Setup) { s.PassWalls = true })
		if p, n = g.at(10, 10); !g.lands(p, n, 1, 0, float32(c.from), 0) {
			t.Errorf("the original rules refuse a fall of %v", c.from)
		}
	}
}

func annexStep(m float64) uint8 {
	if m == 0 {
		return 0
	}
	return annex.HeadroomStep(m)
}

// TestNobodyFallsThroughAFloor: a shelf between a ledge and the ground ends a fall, in
// a pack that knows no headroom too.
func TestNobodyFallsThroughAFloor(t *testing.T) {
	for _, shelf := range []float32{0, 3, 6, 20} { // that at 0 is none, that at 20 a roof
		w := newWorld()
		w.floor(10, 10, 19, 19, 10)
		w.floor(20, 10, 40, 19, 0)
		if shelf > 0 {
			w.floor(20, 10, 30, 19, shelf)
		}
		g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 60, NY: 40})
		p, c := g.at(19, 15)
		onto := func(to float32) bool { return g.mayStep(p, c, stepEast, 10, to) }
		through := shelf == 3 || shelf == 6
		if onto(0) == through || through && !onto(shelf) {
			t.Errorf("shelf at %v: falls onto the ground %v, onto the shelf %v", shelf, onto(0), onto(shelf))
		}
	}
}
