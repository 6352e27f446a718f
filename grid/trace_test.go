package grid_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/grid"
)

// TestTraceEnds: on 2,000 random maps every trace ends, within the steps it has,
// at the goal or in a fallback, whose answer is a search's; ways are walkable and
// not cheaper than the best.
func TestTraceEnds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 1))
	q := grid.NewQuery()
	traced, looped, fell := 0, 0, 0
	for round := range 2000 {
		m := randomMap(rnd, 32, round%4 == 0)
		mv := everyMove()[round%len(everyMove())]
		if mv.Neighbours == grid.Six {
			mv = grid.Moves{}
		}
		from, to := randomCell(rnd, m), randomCell(rnd, m)
		hand := grid.Hand(round % 3)
		want, err := q.Find(t.Context(), m, from, to, &grid.Options{Moves: mv})
		must(err)
		alone, err := grid.Trace(t.Context(), nil, m, from, to, &grid.TraceOptions{Moves: mv, Hand: hand})
		must(err)
		full, err := grid.Trace(t.Context(), q, m, from, to, &grid.TraceOptions{Moves: mv, Hand: hand, Fallback: &grid.Options{}})
		must(err)
		if full.Status != want.Status || full.Fallback == (alone.Status == grid.Complete) && full.Expanded > 0 {
			t.Fatalf("%v: traced %v, want %v; alone %v", mv, full.Status, want.Status, alone.Status)
		}
		for _, r := range []*grid.TraceResult{alone, full} {
			if r.Status != grid.Complete {
				continue
			}
			if n := grid.Walkable(m, r.Path, mv); n != len(r.Path) || r.Path[0] != from || r.Path[n-1] != to {
				t.Fatalf("%v: way breaks at %d of %d", mv, n, len(r.Path))
			}
			if r.Cost < want.Cost-1e-9 || r.Cost != m.PathCost(r.Path, mv) {
				t.Fatalf("%v: traced %v, least %v", mv, r.Cost, want.Cost)
			}
			if hand == grid.BothHands && !r.Fallback {
				for _, one := range []grid.Hand{grid.LeftHand, grid.RightHand} {
					o, err := grid.Trace(t.Context(), nil, m, from, to, &grid.TraceOptions{Moves: mv, Hand: one})
					must(err)
					if o.Status == grid.Complete && o.Cost < r.Cost-1e-9 {
						t.Fatalf("%v: both hands cost %v, the %v %v", mv, r.Cost, one, o.Cost)
					}
				}
			}
		}
		if alone.Steps > 2000 {
			t.Fatalf("%d steps", alone.Steps)
		}
		if alone.Status == grid.Complete {
			traced++
		}
		if alone.Looped {
			looped++
		}
		if full.Fallback {
			fell++
		}
	}
	if traced < 600 || looped < 150 || fell < 150 {
		t.Errorf("%d traced, %d looped, %d fell back: too few to tell", traced, looped, fell)
	}
}

// TestTraceOverlay: an overlay is traced as a map of the same cells is, whether
// or not a query knows it.
func TestTraceOverlay(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 2))
	q := grid.NewQuery()
	traced := 0
	for range 300 {
		m := randomMap(rnd, 40, false)
		same, over := m.Clone(), grid.NewOverlay(m)
		for range 20 {
			c, free := randomCell(rnd, m), rnd.IntN(2) == 0
			must(over.Set(c, free))
			must(same.SetPassable(c, free))
		}
		from, to := randomCell(rnd, m), randomCell(rnd, m)
		want, err := grid.Trace(t.Context(), nil, same, from, to, nil)
		must(err)
		unknown, err := grid.Trace(t.Context(), q, over, from, to, nil)
		must(err)
		_, err = q.Find(t.Context(), over, from, to, nil)
		must(err)
		known, err := grid.Trace(t.Context(), q, over, from, to, nil)
		must(err)
		for _, r := range []*grid.TraceResult{unknown, known} {
			if r.Status != want.Status || r.Cost != want.Cost || r.Steps != want.Steps || !slices.Equal(r.Path, want.Path) {
				t.Fatalf("%v to %v: %+v, on a map %+v", from, to, r, want)
			}
		}
		if len(want.Path) > 1 {
			traced++
		}
	}
	if traced < 100 {
		t.Errorf("only %d ways", traced)
	}
}

// TestTraceHands: round an obstacle that is shorter on one side.
func TestTraceHands(t *testing.T) {
	m, err := grid.Parse(
		"...........",
		".....#.....",
		".....#.....",
		".....#.....",
		".....#.....",
		"...........",
		"...........",
		"...........",
	)
	must(err)
	from, to := grid.Cell{X: 1, Y: 4}, grid.Cell{X: 9, Y: 4}
	cost := map[grid.Hand]float64{}
	for _, h := range []grid.Hand{grid.LeftHand, grid.RightHand, grid.BothHands} {
		r, err := grid.Trace(t.Context(), nil, m, from, to, &grid.TraceOptions{Hand: h})
		must(err)
		if r.Status != grid.Complete {
			t.Fatalf("%v: %v", h, r.Status)
		}
		cost[h] = r.Cost
	}
	// The wall on the left: the unit, going east, turns right, that is south,
	// where the wall ends next.
	if !(cost[grid.LeftHand] < cost[grid.RightHand]) || cost[grid.BothHands] != cost[grid.LeftHand] {
		t.Errorf("costs %v", cost)
	}
	r, err := grid.Trace(t.Context(), nil, m, from, to, &grid.TraceOptions{MaxSteps: 3})
	must(err)
	if r.Status != grid.Budget || !r.Limit {
		t.Errorf("3 steps: %v", r.Status)
	}
	if _, err := grid.Trace(t.Context(), nil, m, from, to, &grid.TraceOptions{MaxSteps: -1}); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("negative steps: %v", err)
	}
	if _, err := grid.Trace(t.Context(), nil, m, from, to, &grid.TraceOptions{Moves: grid.Moves{Neighbours: grid.Six}}); !errors.Is(err, grid.ErrUnsupported) {
		t.Errorf("hexagons: %v", err)
	}
}
