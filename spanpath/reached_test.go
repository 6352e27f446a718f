package spanpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestNearestReached compares with the nearest of all that a twin reaches.
func TestNearestReached(t *testing.T) {
	far, here := 0, 0
	for n := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(n), 47))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		tw := newSearchTwin(w, g, MarkOn, nil)
		for range 4 {
			start := all[rnd.IntN(len(all))]
			to := Cell{int32(clip.GX + rnd.IntN(clip.NX+8) - 4), int32(clip.GY + rnd.IntN(clip.NY+8) - 4)}
			h := rnd.Float64() * 8
			reached := tw.reach([]twinSpan{tw.of(g, start)}, false)
			best, off := math.MaxInt, 0.0
			var want Span
			for _, s := range all { // by row, column and height
				if !reached[tw.of(g, s)] {
					continue
				}
				p := g.Place(s)
				dx, dy := int(p.GX-to.X), int(p.GY-to.Y)
				d, dh := dx*dx+dy*dy, math.Abs(float64(p.H)-h)
				if d < best || d == best && dh < off {
					best, off, want = d, dh, s
				}
			}
			at, d2, p, ok, err := g.NearestReached(start, to, h, MarkOn, 0)
			if err != nil || !ok || at != want || d2 != best || p.Spans != len(reached) || p.OverBudget {
				t.Fatalf("world %d: to %v at %v: %v, %d, %v, %v, %+v; want %v, %d of %d", n, to, h, g.Place(at), d2, ok, err, p, g.Place(want), best, len(reached))
			}
			if d2 == 0 {
				here++
			} else {
				far++
			}
			if p.Expanded > 1 {
				if _, _, p, ok, err := g.NearestReached(start, to, h, MarkOn, p.Expanded-1); ok || err != nil || !p.OverBudget {
					t.Fatalf("world %d: beyond its limit: %v, %v, %+v", n, ok, err, p)
				}
			}
		}
	}
	if far < 15 || here < 5 {
		t.Errorf("%d far, %d there: no fair trial", far, here)
	}
	w := newWorld()
	w.floor(0, 0, 3, 3, 0)
	g := w.ground(t, field)
	start := spanAt(t, g, 1, 1, 0)
	if _, _, _, ok, err := g.NearestReached(start, Cell{9, 9}, 0, MarkOn|MarkLink, 0); ok || err != nil {
		t.Errorf("a start that lacks a mark: %v, %v", ok, err)
	}
}

// TestAppendReached compares what ways lead to, and from where, with a twin.
func TestAppendReached(t *testing.T) {
	listed, left := 0, 0
	for world := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(world), 53))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		for range 9 { // others are in no list, but may be passed
			g.Mark(clip.GX+rnd.IntN(clip.NX), clip.GY+rnd.IntN(clip.NY), MarkExtra)
		}
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		tw := newSearchTwin(w, g, MarkOn, nil)
		for k := range 4 {
			from, back := all[rnd.IntN(len(all))], k%2 == 1
			reached := tw.reach([]twinSpan{tw.of(g, from)}, back)
			for _, list := range []uint16{0, MarkExtra} {
				want, n := map[spangrid.Place]int{}, 0 // two may be at one height
				for _, s := range all {
					at := g.Place(s)
					if reached[tw.of(g, s)] && g.Marks(int(at.GX), int(at.GY))&list == list {
						want[at]++
						n++
					}
				}
				got, ok, err := g.AppendReached(nil, from, back, MarkOn, list, math.MaxInt)
				if err != nil || !ok || len(got) != n {
					t.Fatalf("world %d, back %v: %v %v, %d places, want %d", world, back, ok, err, len(got), n)
				}
				for _, at := range got {
					if want[at]--; want[at] < 0 {
						t.Fatalf("world %d, back %v: %v is not reached, or there twice", world, back, at)
					}
				}
				listed += len(got)
				left += len(reached) - len(got)
			}
			if got, ok, err := g.AppendReached(nil, from, back, MarkOn, 0, len(reached)); ok || err != nil || len(got) > 0 {
				t.Fatalf("world %d: beyond its limit: %d, %v, %v", world, len(got), ok, err)
			}
		}
	}
	if listed < 500 || left < 500 {
		t.Errorf("%d listed, %d left out: no fair trial", listed, left)
	}
}
