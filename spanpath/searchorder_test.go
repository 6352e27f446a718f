package spanpath

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

// TestSolveOrder looks at the entries that a search takes from its queue: none
// comes before an earlier one, and no span is expanded twice.
func TestSolveOrder(t *testing.T) {
	for n := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(n), 61))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		q := Problem{Need: MarkOn, GiveUp: math.Inf(1), Start: all[rnd.IntN(len(all))], Goals: []Span{all[rnd.IntN(len(all))]}}
		if n%2 == 0 {
			q.Prices = NewPrices(0.25, 1.75)
		}
		s := &g.solver
		s.begin(g, &q, new(Path))
		exact := s.octile
		last := entry{}
		seen := map[uint32]bool{}
		for s.next() {
			e := s.queue.heap.pop()
			// Without links the estimate is exact to the bit; with them it is the
			// straight distance, and sums are rounded.
			if e.key < last.key-1e-9 || exact && e.key < last.key || e.key == last.key && e.left == last.left && e.span == last.span {
				t.Fatalf("world %d: %v after %v", n, e, last)
			}
			last = e
			p, i := g.of(e.span)
			c := int(p.cellOf[i])
			gx, gy := p.Table.At(c)
			if e.key > p.best[i].cost()+s.estimate(p, i, gx, gy)+staleSlack {
				continue
			}
			if exact && seen[e.span] {
				t.Fatalf("world %d: %v twice", n, g.Place(Span(e.span)))
			}
			seen[e.span] = true
			s.expand(e.span, p, i)
			s.followLinks(e.span, p, i, c)
		}
	}
}

// TestHeapOrder compares a heap with sorting, ties and all.
func TestHeapOrder(t *testing.T) {
	w := newWorld()
	w.floor(120, 120, 135, 135, 0)
	w.floor(120, 120, 135, 135, 8)
	g := w.ground(t, spangrid.Window{GX: 110, GY: 110, NX: 40, NY: 40})
	spans := usableSpans(g, MarkOn)
	rnd := rand.New(rand.NewPCG(1, 71))
	for range 200 {
		h := spanHeap{g: g}
		var want []entry
		for range rnd.IntN(300) {
			e := entry{float64(rnd.IntN(4)), uint32(rnd.IntN(3)), uint32(spans[rnd.IntN(len(spans))])}
			h.push(e)
			want = append(want, e)
		}
		slices.SortFunc(want, func(a, b entry) int {
			switch {
			case a.key != b.key:
				return int(a.key - b.key)
			case a.left != b.left:
				return int(a.left) - int(b.left)
			}
			return g.Place(Span(a.span)).Compare(g.Place(Span(b.span)))
		})
		for i, e := range want {
			if got := h.pop(); got != e {
				t.Fatalf("%d of %d: %v, want %v", i, len(want), got, e)
			}
		}
	}
}

// TestSolveInWindows finds the same way in windows of all sizes that hold what
// it costs, whatever was asked before.
func TestSolveInWindows(t *testing.T) {
	same := 0
	for n := range worlds(6) {
		rnd := rand.New(rand.NewPCG(uint64(n), 81))
		w := newDrawn(260, func(solid []bool) {
			for range 6000 {
				solid[rnd.IntN(len(solid))] = true
			}
		})
		var prices *Prices
		if n%2 == 0 {
			prices = NewPrices(0.25, 1.75)
		}
		from, to := Cell{115, 125}, Cell{int32(120 + rnd.IntN(20)), int32(115 + rnd.IntN(30))}
		var first Path
		var cells []Cell
		for k, clip := range []spangrid.Window{
			{GX: 0, GY: 0, NX: 260, NY: 260}, {GX: 1, GY: -3, NX: 250, NY: 280}, {GX: 80, GY: 80, NX: 90, NY: 90}, {GX: -500, GY: 77, NX: 900, NY: 101},
		} {
			for _, sight := range []bool{false, true} {
				g := w.ground(t)
				setup := g.Setup
				setup.Clip = clip
				if err := g.Reset(context.Background(), &setup); err != nil {
					t.Fatal(err)
				}
				g.SetCorridor(nil, false)
				if k == 1 {
					g.NearestOn(200, 200, 10, MarkOn) // other numbers of spans
				}
				a, b := g.Standing(nil, int(from.X), int(from.Y), MarkOn), g.Standing(nil, int(to.X), int(to.Y), MarkOn)
				if len(a) == 0 || len(b) == 0 {
					continue
				}
				q := Problem{Need: MarkOn, Prices: prices, Sight: sight, GiveUp: math.Inf(1), Start: a[0], Goals: b}
				var p Path
				if ok, err := g.Solve(&q, &p); !ok || err != nil {
					continue
				}
				got := cellsOf(g, p.Spans)
				for _, s := range p.Chain {
					at := g.Place(s)
					got = append(got, Cell{at.GX, at.GY})
				}
				if sight {
					if k == 0 {
						cells = got
					} else if !slices.Equal(got, cells) {
						t.Fatalf("world %d, window %d: with sight another way", n, k)
					}
					continue
				}
				if k == 0 {
					first = p
					first.Spans = nil
					first.Chain = nil
					continue
				}
				if p.Cost != first.Cost || p.Expanded != first.Expanded || p.Pushed != first.Pushed {
					t.Fatalf("world %d, window %d: %v, %d, %d; want %v, %d, %d", n, k, p.Cost, p.Expanded, p.Pushed, first.Cost, first.Expanded, first.Pushed)
				}
				same++
			}
		}
	}
	if same < 8 {
		t.Errorf("%d ways: no fair trial", same)
	}
}

// TestSolveAllocates searches twice: the second time needs no memory.
func TestSolveAllocates(t *testing.T) {
	w := newWorld()
	w.floor(60, 60, 140, 140, 0)
	for y := int32(60); y < 130; y++ {
		delete(w.cells, Cell{100, y})
	}
	w.clearances()
	links := []Link{{From: spangrid.Place{GX: 70, GY: 70}, To: spangrid.Place{GX: 130, GY: 70}, Cost: 500}}
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 260, NY: 260}, func(s *Setup) { s.Links = links })
	g.SetCorridor([]Cell{{70, 70}}, false)
	for _, sight := range []bool{false, true} {
		q := Problem{
			Need: MarkOn, Prices: NewPrices(1, 4), Sight: sight, GiveUp: math.Inf(1),
			Start: spanAt(t, g, 70, 70, 0), Goals: []Span{spanAt(t, g, 130, 70, 0)},
		}
		var p Path
		if n := testing.AllocsPerRun(2, func() {
			if ok, err := g.Solve(&q, &p); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}); n != 0 {
			t.Errorf("sight %v: %v allocations", sight, n)
		}
	}
	if n := testing.AllocsPerRun(2, func() {
		if ok, err := g.Linked(Cell{70, 70}, Cell{130, 70}, MarkCore); !ok || err != nil {
			t.Fatal(ok, err)
		}
	}); n != 0 {
		t.Errorf("Linked: %v allocations", n)
	}
}

// TestEpochs wraps the counter of searches around.
func TestEpochs(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 9, 9, 0)
	g := w.ground(t, field)
	g.epoch = math.MaxUint32 &^ stampMarks
	q := Problem{Need: MarkOn, GiveUp: math.Inf(1), Start: spanAt(t, g, 0, 0, 0), Goals: []Span{spanAt(t, g, 9, 9, 0)}}
	g.epoch -= epochStep
	var p Path
	for range 4 {
		if ok, _ := g.Solve(&q, &p); !ok || len(p.Spans) != 10 {
			t.Fatalf("epoch %x: %v %v", g.epoch, ok, p.Cost)
		}
	}
}
