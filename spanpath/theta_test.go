package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

// TestSightNever compares a search that never sees anything with one over the
// grid, and TestSightAlways what it costs to see everything.
func TestSightNever(t *testing.T) {
	found := 0
	for n := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(n), 21))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		g.solver.look = func(a, b Span) bool { return false }
		var prices *Prices
		if rnd.IntN(2) == 0 {
			prices = NewPrices(0.25, 1.75)
		}
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		tw := newSearchTwin(w, g, MarkOn, prices)
		for range 8 {
			q := Problem{
				Need: MarkOn, Prices: prices, GiveUp: math.Inf(1), Euclid: true,
				Start: all[rnd.IntN(len(all))], Goals: []Span{all[rnd.IntN(len(all))]},
			}
			var grid, free Path
			ok, _ := g.Solve(&q, &grid)
			q.Sight = true
			ok2, _ := g.Solve(&q, &free)
			if ok != ok2 {
				t.Fatalf("world %d: grid %v, sight %v", n, ok, ok2)
			}
			if !ok {
				continue
			}
			found++
			// A chord that is tried in vain can close its span before a cheaper
			// step to it is known.
			if free.Cost < grid.Cost-1e-9 || !slices.Equal(free.Chain, free.Spans) {
				t.Fatalf("world %d: cost %v, over the grid %v", n, free.Cost, grid.Cost)
			}
			tw.check(t, g, &q, &free)
		}
	}
	if found < 33 {
		t.Errorf("%d found: no fair trial", found)
	}
}

// TestPathLiesInItsCorridor runs a search with sight in the corridor of a
// diagonal path whose cells have no clearance: the cells beside its steps are in
// the corridor, or the path could not be walked there.
func TestPathLiesInItsCorridor(t *testing.T) {
	w := newWorld()
	w.floor(100, 100, 120, 120, 0)
	g := w.ground(t, spangrid.Window{GX: 80, GY: 80, NX: 80, NY: 80})
	var path []Cell
	for i := range int32(11) {
		c := Cell{105 + i, 105 + i}
		p, at := g.at(int(c.X), int(c.Y))
		p.Clr[at] = 0
		path = append(path, c)
	}
	g.SetCorridor(path, false)
	q := Problem{
		Need: MarkOn | MarkBand, Sight: true, GiveUp: math.Inf(1),
		Start: g.Standing(nil, 105, 105, MarkOn)[0], Goals: g.Standing(nil, 115, 115, MarkOn),
	}
	var way Path
	if found, err := g.Solve(&q, &way); !found || err != nil {
		t.Errorf("found %v, %v", found, err)
	}
}

// edgeCost returns what an edge of a chain costs, and whether it is allowed.
func (t *searchTwin) edgeCost(g *Ground, a, b Span) (cost float64, ok bool) {
	u, v := t.of(g, a), t.of(g, b)
	cost = math.Inf(1)
	for _, e := range t.next(u) {
		if e.to == v {
			cost, ok = min(cost, e.cost), true
		}
	}
	ca, _ := t.own(u.c)
	cb, _ := t.own(v.c)
	dx, dy := float64(u.c.X-v.c.X), float64(u.c.Y-v.c.Y)
	if t.prices.Of(ca) == 1 && t.prices.Of(cb) == 1 && math.Sqrt(dx*dx+dy*dy) < cost &&
		g.seesSpans(View{Need: MarkSolid, Kept: !g.PassWalls, Bans: true, Heights: true}, a, b) {
		return math.Sqrt(dx*dx + dy*dy), true
	}
	return cost, ok
}

// TestSightChains checks every edge of chains: a chord that is seen between
// cells of price 1, or what a step or a link allows; and that together they cost
// no more than the way over the grid, as far as that is so for a lazy search:
// the mean over many worlds is clearly lower.
func TestSightChains(t *testing.T) {
	found, chords := 0, 0
	var grids, frees float64
	for n := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(n), 22))
		w, change, clip := randomSearchWorld(rnd)
		for _, list := range w.cells {
			for i := range list {
				list[i].clr = uint16(30 + rnd.IntN(60))
			}
		}
		g := w.ground(t, clip, change)
		prices := NewPrices(0.25, 1.75)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 {
			continue
		}
		tw := newSearchTwin(w, g, MarkOn, prices)
		g.SetCorridor(nil, false)
		for range 8 {
			q := Problem{
				Need: MarkOn, Prices: prices, GiveUp: math.Inf(1),
				Start: all[rnd.IntN(len(all))], Goals: []Span{all[rnd.IntN(len(all))]},
			}
			var grid, free Path
			ok, _ := g.Solve(&q, &grid)
			q.Sight = true
			ok2, _ := g.Solve(&q, &free)
			if ok != ok2 {
				t.Fatalf("world %d: grid %v, sight %v", n, ok, ok2)
			}
			if !ok {
				continue
			}
			found++
			grids, frees = grids+grid.Cost, frees+free.Cost
			if free.Chain[0] != q.Start || free.Chain[len(free.Chain)-1] != q.Goals[0] ||
				free.Spans[0] != q.Start || free.Spans[len(free.Spans)-1] != q.Goals[0] {
				t.Fatalf("world %d: wrong ends", n)
			}
			sum := 0.0
			for i := 1; i < len(free.Chain); i++ {
				cost, ok := tw.edgeCost(g, free.Chain[i-1], free.Chain[i])
				if !ok {
					t.Fatalf("world %d: edge %v %v", n, g.Place(free.Chain[i-1]), g.Place(free.Chain[i]))
				}
				sum += cost
			}
			if math.Abs(sum-free.Cost) > 1e-6 {
				t.Fatalf("world %d: edges cost %v, the way %v", n, sum, free.Cost)
			}
			if len(free.Chain) < len(free.Spans) {
				chords++
			}
		}
	}
	if found < 33 || chords < 13 || frees >= grids {
		t.Errorf("%d found, %d with chords, costs %v and %v", found, chords, frees, grids)
	}
}

// TestSightDrop lets a chord neither begin nor end in the middle of a drop.
func TestSightDrop(t *testing.T) {
	w := newWorld()
	for x := range 12 {
		h := float32(0)
		if x < 5 {
			h = 6
		}
		w.floor(x, 0, x, 6, h)
	}
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 12, NY: 7})
	q := Problem{Need: MarkOn, Sight: true, GiveUp: math.Inf(1), Start: spanAt(t, g, 0, 0, 0), Goals: []Span{spanAt(t, g, 11, 6, 0)}}
	g.solver.look = func(a, b Span) bool {
		if g.Place(a).H != g.Place(b).H {
			t.Errorf("looked over the edge from %v to %v", g.Place(a), g.Place(b))
		}
		return true
	}
	var p Path
	if ok, err := g.Solve(&q, &p); !ok || err != nil {
		t.Fatal(ok, err)
	}
	drops := 0
	for i := 1; i < len(p.Chain); i++ {
		a, b := g.Place(p.Chain[i-1]), g.Place(p.Chain[i])
		if a.H != b.H {
			drops++
			if max(abs(int(a.GX-b.GX)), abs(int(a.GY-b.GY))) != 1 {
				t.Errorf("drop from %v to %v", a, b)
			}
		}
	}
	if drops != 1 {
		t.Errorf("%d drops in %v", drops, cellsOf(g, p.Chain))
	}
}
