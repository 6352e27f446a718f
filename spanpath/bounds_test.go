package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

// TestPriceNumbers has the prices of the body that the ground is made for, and
// of others: they lie between 1 and hi/lo and fall with the clearance.
func TestPriceNumbers(t *testing.T) {
	wide, tight := NewPrices(1, 4), NewPrices(0.25, 1.75)
	for _, c := range []struct {
		cells       int // clearance
		wide, tight float64
	}{{0, 4, 7}, {1, 4, 7}, {4, 4, 1.75}, {7, 4 / 1.75, 1}, {12, 4.0 / 3, 1}, {16, 1, 1}, {48, 1, 1}} {
		clr := uint16(c.cells * c.cells)
		if a, b := wide.Of(clr), tight.Of(clr); a != float32(c.wide) || b != float32(c.tight) {
			t.Errorf("clearance of %d cells: %v and %v, want %v and %v", c.cells, a, b, c.wide, c.tight)
		}
	}
	for _, c := range []struct{ body, lo, hi float64 }{{0, 1, 4}, {0, 0.25, 1.75}, {0.6, 0.25, 0.25}, {1.2, 3, 12}, {2, 0.1, 5.25}} {
		p := NewPricesBeyond(c.body, c.lo, c.hi)
		last := float32(c.hi / c.lo)
		for clr := range uint16(spangrid.CapSquared + 1) {
			v := p.Of(clr)
			if v < 1 || v > last {
				t.Fatalf("%+v: squared clearance %d costs %v, less of it %v", c, clr, v, last)
			}
			last = v
		}
		if p.Of(0) != float32(c.hi/c.lo) || p.Of(math.MaxUint16) != p.Of(spangrid.CapSquared) {
			t.Errorf("%+v: from %v to %v", c, p.Of(0), p.Of(math.MaxUint16))
		}
	}
	var none *Prices
	if none.Of(0) != 1 {
		t.Error("without prices ground costs something")
	}
}

// TestGiveUp searches again with limits around what a way costs: below it there
// is none, which is told, from it on nothing is another.
func TestGiveUp(t *testing.T) {
	kept, gone := 0, 0
	for n := range worlds(12) {
		rnd := rand.New(rand.NewPCG(uint64(n), 23))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		q := Problem{Need: MarkOn, Euclid: n%2 == 0}
		if n%3 == 0 {
			q.Prices = NewPrices(0.25, 1.75)
		}
		for range 5 {
			q.Start, q.Goals = all[rnd.IntN(len(all))], []Span{all[rnd.IntN(len(all))]}
			q.GiveUp = math.Inf(1)
			var free, p Path
			solve := func(dst *Path) bool {
				ok, err := g.Solve(&q, dst)
				if err != nil {
					t.Fatal(err)
				}
				return ok
			}
			if !solve(&free) {
				for _, q.GiveUp = range []float64{0, 3, 50} { // a way that is not there is not there
					if solve(&p) || p.Expanded > free.Expanded {
						t.Fatalf("world %d: limit %v: %d looked at, %d without", n, q.GiveUp, p.Expanded, free.Expanded)
					}
				}
				continue
			}
			for _, more := range []float64{-20, -1, 0, 1e-6, 1, 100} {
				q.GiveUp = free.Cost + more
				if ok := solve(&p); ok != (more > 0) || p.GaveUp == ok {
					t.Fatalf("world %d: a way costs %v, limit %v: found %v, gave up %v", n, free.Cost, q.GiveUp, ok, p.GaveUp)
				}
				if more <= 0 {
					gone++
					if p.Expanded > free.Expanded {
						t.Fatalf("world %d: gave up after %d, found after %d", n, p.Expanded, free.Expanded)
					}
					continue
				}
				kept++
				if p.Cost != free.Cost || p.Expanded != free.Expanded || !slices.Equal(p.Spans, free.Spans) || !slices.Equal(p.Links, free.Links) {
					t.Fatalf("world %d: limit %v: cost %v, want %v", n, q.GiveUp, p.Cost, free.Cost)
				}
			}
		}
	}
	if kept < 60 || gone < 60 {
		t.Errorf("%d kept, %d given up: no fair trial", kept, gone)
	}
}

// TestAccessOfBothEnds: the way that one end has to open ground says nothing of
// the other's, whichever is asked for first.
func TestAccessOfBothEnds(t *testing.T) {
	both := 0
	for n := range worlds(10) {
		rnd := rand.New(rand.NewPCG(uint64(n), 37))
		w, clip := randomCells(rnd)
		ground := func() *Ground { return w.ground(t, clip, func(s *Setup) { s.Body.Preferred = 1 }) }
		at := func() Cell { return Cell{int32(clip.GX + rnd.IntN(clip.NX)), int32(clip.GY + rnd.IntN(clip.NY))} }
		ends := [2]Cell{at(), at()}
		var want [2]Access
		var found [2]bool
		for i, c := range ends {
			var err error
			if found[i], err = ground().Access(c, MarkOn, MarkOpen, 0, &want[i]); err != nil {
				t.Fatal(err)
			}
		}
		for _, first := range []int{0, 1} {
			g := ground()
			for _, i := range []int{first, 1 - first} {
				var got Access
				ok, err := g.Access(ends[i], MarkOn, MarkOpen, 0, &got)
				if err != nil || ok != found[i] || got.Cost != want[i].Cost || got.Narrow != want[i].Narrow || !slices.Equal(got.Cells, want[i].Cells) {
					t.Fatalf("world %d: from %v: %v %+v, alone %v %+v", n, ends[i], ok, got, found[i], want[i])
				}
				for _, c := range got.Cells { // the channel gets it, as for a plan
					g.Mark(int(c.X), int(c.Y), MarkExtra|MarkChannel)
				}
			}
		}
		if len(want[0].Cells) > 1 && len(want[1].Cells) > 1 {
			both++
		}
	}
	if both < 2 {
		t.Errorf("%d worlds in which both ends have a way: no fair trial", both)
	}
}
