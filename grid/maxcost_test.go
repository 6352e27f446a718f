package grid_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// TestMaxCostIsInclusive: on open ground with a cost somewhere, the route that
// was found is within its own cost.
func TestMaxCostIsInclusive(t *testing.T) {
	m := openMap(t, 9, 9)
	must(m.SetCost(grid.Cell{X: 8}, 2))
	q, from, to := grid.NewQuery(), grid.Cell{}, grid.Cell{X: 4, Y: 4}
	r, err := q.Find(t.Context(), m, from, to, nil)
	must(err)
	for limit, want := range map[float64]grid.Status{r.Cost: grid.Complete, r.Cost - 1e-9: grid.TooFar} {
		got, err := q.Find(t.Context(), m, from, to, &grid.Options{MaxCost: limit})
		must(err)
		if got.Status != want {
			t.Errorf("limit %v: %v, want %v", limit, got.Status, want)
		}
	}
}

// TestMaxCostOfOwn: every search finds its route again within the cost of it,
// and anything it finds within a limit costs no more; steps are refused just
// below.
func TestMaxCostOfOwn(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(7, 7))
	q := grid.NewQuery()
	found := 0
	for round := range many(60, 1500) {
		weighted := round%3 == 0
		m := randomMap(rnd, 45, weighted)
		if weighted && round%2 == 0 { // fractions, and a few costs alone
			for range 20 {
				must(m.SetCost(randomCell(rnd, m), 0.3+3*rnd.Float64()))
			}
		}
		for _, mv := range everyMove() {
			for _, a := range everyAlgorithm {
				if !a.Serves(mv, m.Weighted()) {
					continue
				}
				o := grid.Options{Algorithm: a, Moves: mv}
				if a == grid.JPSPlus {
					o.Jumps = newTable(t, m, mv)
				}
				for range 6 {
					from, to := randomCell(rnd, m), randomCell(rnd, m)
					o.MaxCost, o.Partial = 0, rnd.IntN(2) == 0
					free, err := q.Find(t.Context(), m, from, to, &o)
					must(err)
					if free.Status != grid.Complete || free.Cost == 0 {
						continue
					}
					found++
					for _, share := range []float64{1, 1 + 1e-9, 1.1, 1 - 1e-12, 0.97, 0.6} {
						o.MaxCost = free.Cost * share
						r, err := q.Find(t.Context(), m, from, to, &o)
						must(err)
						lazy := a == grid.Theta || a == grid.LazyTheta
						switch {
						case share >= 1 && (r.Status != grid.Complete || math.Abs(r.Cost-free.Cost) > 1e-12*free.Cost),
							share < 1 && !lazy && r.Status != grid.TooFar,
							r.Status == grid.Complete && r.Cost > o.MaxCost,
							r.Status != grid.Complete && r.Status != grid.TooFar:
							t.Fatalf("%v, %v: %v -> %v: cost %v, with limit %v: %v %v\n%s", a, mv, from, to, free.Cost, o.MaxCost, r.Status, r.Cost, draw(m))
						}
					}
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d routes", found)
	}
}
