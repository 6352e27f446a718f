package grid_test

import (
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// TestSqueezePartial: a way that does not arrive has its narrow stretches
// listed like any other.
func TestSqueezePartial(t *testing.T) {
	m := parse(t,
		"....#....#...",
		"....#....#...",
		".........#...", // a gate of one cell, and behind it a wall
		"....#....#...",
		"....#....#...")
	b, err := grid.NewSquare(m, 3)
	must(err)
	from, to := grid.Cell{X: 1, Y: 2}, grid.Cell{X: 11, Y: 2}
	r, err := b.Squeeze(t.Context(), grid.NewQuery(), from, to, &grid.Options{Partial: true})
	must(err)
	if r.Status != grid.Unreachable || len(r.Path) != 8 || r.Path[7] != (grid.Cell{X: 8, Y: 2}) {
		t.Fatalf("%v, path %v", r.Status, r.Path)
	}
	checkNarrow(t, m, b, r)
	if len(r.Narrow) == 0 {
		t.Error("nothing is narrow on a way through a gate of one cell")
	}
}

// checkNarrow: the listed stretches are the cells without room, and the cells
// that are reached from these.
func checkNarrow(t *testing.T, m *grid.Map, b *grid.Body, r *grid.BodyResult) {
	t.Helper()
	narrow := make([]bool, len(r.Path))
	for _, s := range r.Narrow {
		for i := s[0]; i < s[1]; i++ {
			narrow[i] = true
		}
	}
	for i, c := range r.Path {
		if !b.Room().Passable(c) && !narrow[i] {
			t.Errorf("%v has no room and is not listed in %v of %v\n%s", c, r.Narrow, r.Path, draw(m))
		}
	}
}

// TestSqueezeWithinMaxCost: ways with detours keep to the limit, and one that
// the raw map has within it is never refused.
func TestSqueezeWithinMaxCost(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(8, 8))
	q := grid.NewQuery()
	detours, kept := 0, 0
	for round := range many(16, 400) {
		m := openMap(t, 40, 40)
		for range 160 {
			must(m.SetPassable(randomCell(rnd, m), false))
		}
		if round%4 == 0 {
			for range 40 {
				must(m.SetCost(randomCell(rnd, m), 0.5+2*rnd.Float64()))
			}
		}
		b, err := grid.NewSquare(m, 3)
		must(err)
		for range 15 {
			from, to := randomCell(rnd, m), randomCell(rnd, m)
			raw, err := q.Find(t.Context(), m, from, to, nil)
			must(err)
			free, err := b.Squeeze(t.Context(), q, from, to, nil)
			must(err)
			if raw.Status != grid.Complete || raw.Cost == 0 {
				continue
			}
			for _, share := range []float64{0.9, 1, 1.01, 1.3, 3} {
				o := &grid.Options{MaxCost: raw.Cost * share, Partial: rnd.IntN(2) == 0}
				r, err := b.Squeeze(t.Context(), q, from, to, o)
				must(err)
				checkNarrow(t, m, b, r)
				want := grid.Complete
				if share < 1 {
					want = grid.TooFar
				}
				if r.Status != want || r.Cost > o.MaxCost {
					t.Fatalf("%v -> %v, limit %v (%v of the raw way): %v, cost %v, want %v", from, to, o.MaxCost, share, r.Status, r.Cost, want)
				}
				if len(r.Path) > 0 && grid.Walkable(m, r.Path, grid.Moves{}) < len(r.Path) {
					t.Fatalf("%v -> %v: not walkable", from, to)
				}
				if len(r.Replaced) > 0 {
					detours++
				}
			}
			if len(free.Replaced) > 0 {
				kept++
			}
		}
	}
	if detours == 0 || kept == 0 {
		t.Errorf("%d detours within limits, %d without a limit", detours, kept)
	}
}
