package grid_test

import (
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// TestThetaNotLongerThanSteps: Theta* never finds a longer way than the shortest
// by steps, under any corner rule; of Lazy Theta* hardly one is longer.
func TestThetaNotLongerThanSteps(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(9, 9))
	q := grid.NewQuery()
	ways, longer := 0, 0
	for range many(120, 3000) {
		m := openMap(t, 40, 40)
		for range 100 + rnd.IntN(500) {
			must(m.SetPassable(randomCell(rnd, m), false))
		}
		for range 12 {
			mv := grid.Moves{Corners: grid.Corners(rnd.IntN(3))}
			from, to := randomCell(rnd, m), randomCell(rnd, m)
			steps, err := q.Find(t.Context(), m, from, to, &grid.Options{Moves: mv})
			must(err)
			for _, a := range []grid.Algorithm{grid.Theta, grid.LazyTheta} {
				r, err := q.Find(t.Context(), m, from, to, &grid.Options{Algorithm: a, Moves: mv})
				must(err)
				if r.Status != steps.Status {
					t.Fatalf("%v, %v: %v -> %v: %v, by steps %v", a, mv, from, to, r.Status, steps.Status)
				}
				ways++
				if r.Cost <= steps.Cost+1e-9 {
					continue
				}
				if longer++; a == grid.Theta {
					t.Fatalf("%v: %v -> %v: %v, by steps %v\n%s", mv, from, to, r.Cost, steps.Cost, draw(m))
				}
			}
		}
	}
	if longer*100 > ways {
		t.Errorf("%d of %d ways are longer than by steps", longer, ways)
	}
}
