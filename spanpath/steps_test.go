package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"wend/spangrid"
)

// TestLeadsIsMayStep holds the steps that all queries share against the rules they
// are made from, step by step: for bodies that fall deep, fall nowhere, and pass
// walls, high ones and low ones.
func TestLeadsIsMayStep(t *testing.T) {
	easy, hard, no, backs := 0, 0, 0, 0
	for n := range worlds(30) {
		rnd := rand.New(rand.NewPCG(uint64(n), 12))
		w, change, clip := randomSearchWorld(rnd)
		for k, drop := range []float64{math.Inf(1), 4.5, 0.2} {
			// High bodies come first: what they ask for is not kept for others.
			g := w.ground(t, clip, change, func(s *Setup) { s.Body.MaxDrop, s.Body.Headroom = drop, uint8(40>>k) })
			g.nextEpoch()
			for _, id := range usableSpans(g, MarkOn) {
				p, i := g.of(uint32(id))
				g.enter(p)
				c := int(p.cellOf[i])
				for d := range 8 {
					cn := c + stepCell[d]
					for k := p.first[cn]; k < p.first[cn+1]; k++ {
						if p.Spans[k]&(SpanOwn|SpanNoGo) != SpanOwn {
							continue
						}
						got, want := g.leads(p, i, c, d, int(k)), g.mayStep(p, c, d, p.Table.H[i], p.Table.H[k])
						if got != want {
							t.Fatalf("world %d: from %v in direction %d to %v: %v, want %v", n, g.Place(id), d, p.Table.H[k], got, want)
						}
						if !onRim(c) {
							back := g.mayStep(p, cn, stepBack[d], p.Table.H[k], p.Table.H[i])
							word := g.stepsOf(p, i, c, true) >> d
							easy, hard := word&1 != 0, word>>stepsHard&1 != 0
							same := k-p.first[cn] == int32(i)-p.first[c]
							if easy && hard || easy && same != back && p.use[k] || back && !easy && !hard {
								t.Fatalf("world %d: from direction %d, %v to %v: %v, easy %v, hard %v", n, d, p.Table.H[k], g.Place(id), back, easy, hard)
							}
							if back {
								backs++
							}
						}
						switch word := g.stepsOf(p, i, c, false); {
						case !got:
							no++
						case word>>d&1 != 0:
							easy++
						default:
							hard++
						}
					}
				}
			}
		}
	}
	if backs < 1500 || easy < 1500 || hard < 300 || no < 1500 {
		t.Errorf("%d easy steps, %d others, %d forbidden: no fair trial", easy, hard, no)
	}
}

// TestStepsAreShared looks where steps are kept: pages keep those by their rules,
// queries those by other ones.
func TestStepsAreShared(t *testing.T) {
	w := newWorld()
	w.row(10, 10, 0, 0.55, 0.55, 0)
	clip := spangrid.Window{NX: 40, NY: 40}
	for _, c := range []struct {
		name   string
		change func(*Setup)
		shared bool
		up     bool
	}{
		{"the rules of the page", func(*Setup) {}, true, true},
		{"a lower step", func(s *Setup) { s.Rules.StepUp, s.Rules.BumpUp = 0.3, 0.3 }, false, false},
		{"past walls", func(s *Setup) { s.PassWalls = true }, false, true},
		{"the rules of the page again", func(*Setup) {}, true, true},
	} {
		g := w.ground(t, clip, c.change)
		q := Problem{Need: MarkOn, Start: spanAt(t, g, 10, 10, 0), Goals: []Span{spanAt(t, g, 13, 10, 0)}, GiveUp: math.Inf(1)}
		var p Path
		if ok, err := g.Solve(&q, &p); err != nil || ok != c.up {
			t.Errorf("%s: found %v, want %v, %v", c.name, ok, c.up, err)
		}
		pg, _ := g.of(uint32(q.Start))
		if shared := &pg.steps[0] == &pg.Page.steps[0]; shared != c.shared {
			t.Errorf("%s: shared %v", c.name, shared)
		}
	}
}

// TestOpenSet compares the bits of a page with its marks, at all own cells.
func TestOpenSet(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 12))
	marks := make([]uint16, pageSpan*pageSpan)
	for range 8 {
		some := rnd.IntN(4) + 1
		for c := range marks {
			marks[c] = uint16(rnd.IntN(4))
			if rnd.IntN(some) == 0 {
				marks[c] = math.MaxUint16
			}
		}
		for _, need := range []uint16{0, 1, 2, 3, 1 << 15} {
			var open openSet
			open.set(marks, need)
			for y := Apron; y < Apron+PageSide; y++ {
				for x := Apron; x < Apron+PageSide; x++ {
					if got, want := open.around(x, y), openSteps(marks, y*pageSpan+x, need); uint(got) != want {
						t.Fatalf("cell %d, %d, need %b: %08b, want %08b", x, y, need, got, want)
					}
				}
			}
		}
	}
}

// TestWayAcrossManyFloors falls past more floors than a word of state can count,
// and climbs where the floors are many on one side alone.
func TestWayAcrossManyFloors(t *testing.T) {
	for _, x := range []int{20, PageSide - 1, PageSide} { // inside a page and over the rim of one
		w := newWorld()
		w.floor(x-3, 10, x-2, 10, 200)
		for k := range 100 {
			w.put(x-1, 10, cellSpan{h: float32(2 * k)})
		}
		w.put(x-1, 10, cellSpan{h: 200})
		w.put(x, 10, cellSpan{h: 200})
		w.floor(x+1, 10, x+6, 10, 0)
		g := w.ground(t, spangrid.Window{NX: 2 * PageSide, NY: PageSide})
		q := Problem{Need: MarkOn, Start: spanAt(t, g, x-3, 10, 0), Goals: []Span{spanAt(t, g, x+6, 10, 0)}, GiveUp: math.Inf(1)}
		var p Path
		if ok, err := g.Solve(&q, &p); !ok || err != nil {
			t.Fatal(ok, err)
		}
		var heights []float32
		for k, s := range p.Spans {
			at := g.Place(s)
			if int(at.GX) != x-3+k {
				t.Fatalf("cell %d is %v", k, at)
			}
			heights = append(heights, at.H)
		}
		if want := []float32{200, 200, 200, 200, 0, 0, 0, 0, 0, 0}; !slices.Equal(heights, want) {
			t.Errorf("heights %v, want %v", heights, want)
		}
		if p.Cost != 9 {
			t.Errorf("cost %v", p.Cost)
		}
	}
}

// TestCostsAreWholeTicks sees that a word of state holds costs as they are, and
// that what it cannot hold is dearer than all that it can.
func TestCostsAreWholeTicks(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 12))
	prices := NewPrices(0.25, 1.75)
	sum, exact := uint64(0), 0.0
	for range 1 << 20 {
		d := rnd.IntN(8)
		step := stepHalf[d] * (prices.Of(uint16(rnd.IntN(2500))) + prices.Of(uint16(rnd.IntN(2500))))
		exact += float64(step)
		sum += uint64(int64(float64(step) * ticks))
	}
	for way := range uint64(1 << wayBits) {
		if b := bestOf(sum, way); b.cost() != exact || uint64(^b)&(1<<wayBits-1) != way {
			t.Fatalf("%v by %d, want %v by %d", b.cost(), uint64(^b)&(1<<wayBits-1), exact, way)
		}
	}
	for d, want := range stepCost {
		if got := float64(stepTicks[d]) / ticks; got != want {
			t.Errorf("a step in direction %d costs %v, want %v", d, got, want)
		}
	}
	for _, c := range []float32{0, 1, 1.5, 7.0710678, 1 << 29} {
		if got := bestOf(linkTicks(c), 0).cost(); got != float64(c) {
			t.Errorf("a link of %v costs %v", c, got)
		}
	}
	for _, c := range []float32{1 << 31, math.MaxFloat32, float32(math.Inf(1)), float32(math.NaN())} {
		if got := linkTicks(c); got != tickLimit || got >= best(0).ticks() {
			t.Errorf("a link of %v takes %d", c, got)
		}
	}
	if got := linkTicks(-1); got != 0 {
		t.Errorf("a link of -1 takes %d", got)
	}
}

// TestStepsFromManyGoroutines searches the same new pages in several queries at a
// time: all find the same, and the race detector nothing.
func TestStepsFromManyGoroutines(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 12))
	w := newWorld()
	for y := range 60 {
		for x := range 60 {
			if x == 0 || y == 59 { // there is a way
				w.put(100+x, 100+y, cellSpan{clr: 1})
			} else if rnd.IntN(6) != 0 {
				w.put(100+x, 100+y, cellSpan{h: float32(rnd.IntN(3)) * 0.3, clr: uint16(1 + rnd.IntN(40))})
			}
		}
	}
	for k := range 4 { // the source is not for several goroutines
		if _, err := w.Page(t.Context(), k%2, k/2); err != nil {
			t.Fatal(err)
		}
	}
	var wait sync.WaitGroup
	ways := make([][]spangrid.Place, 4)
	for k := range ways {
		g := w.ground(t, spangrid.Window{GX: 90, GY: 90, NX: 80, NY: 80})
		all := usableSpans(g, MarkOn)
		wait.Go(func() {
			q := Problem{Need: MarkOn, Start: all[0], Goals: all[len(all)-1:], GiveUp: math.Inf(1), Prices: NewPrices(0.25, 1.75)}
			var p Path
			if ok, err := g.Solve(&q, &p); !ok || err != nil {
				t.Error(ok, err)
			}
			for _, s := range p.Spans {
				ways[k] = append(ways[k], g.Place(s))
			}
		})
	}
	wait.Wait()
	for k := range ways {
		if !slices.Equal(ways[k], ways[0]) {
			t.Errorf("way %d is %v, want %v", k, ways[k], ways[0])
		}
	}
}
