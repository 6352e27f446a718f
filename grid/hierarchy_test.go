package grid_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"wend/grid"
)

func newHierarchy(tb testing.TB, g grid.Ground, opts *grid.HierarchyOptions) *grid.Hierarchy {
	tb.Helper()
	h, err := grid.NewHierarchy(context.Background(), g, opts)
	if err != nil {
		tb.Fatal(err)
	}
	return h
}

// roomyMap returns a map that is free but for bars and some strewn cells, so
// that entrances are wide.
func roomyMap(rnd *rand.Rand, side int, weighted bool) *grid.Map {
	w, h := 1+rnd.IntN(side), 1+rnd.IntN(side)
	m, err := grid.New(w, h)
	must(err)
	must(m.Fill(grid.Cell{}, grid.Cell{X: int32(w) - 1, Y: int32(h) - 1}, true))
	for range rnd.IntN(w*h/60 + 1) {
		a := randomCell(rnd, m)
		b := a
		if n := int32(rnd.IntN(12)); rnd.IntN(2) == 0 {
			b.X = min(a.X+n, int32(w)-1)
		} else {
			b.Y = min(a.Y+n, int32(h)-1)
		}
		must(m.Fill(a, b, false))
	}
	if weighted {
		for range rnd.IntN(6) { // patches of dear ground
			a, n, cost := randomCell(rnd, m), int32(rnd.IntN(20)), float64(1+rnd.IntN(2048))/256
			for y := a.Y; y < min(a.Y+n, int32(h)); y++ {
				for x := a.X; x < min(a.X+n, int32(w)); x++ {
					must(m.SetCost(grid.Cell{X: x, Y: y}, cost))
				}
			}
		}
	}
	return m
}

// TestHierarchyAgainstDijkstra: on random maps routes are walkable, are found
// exactly where there are any, cost no more than the bound allows, and no less than
// the lower bound that came with them says; with a ratio of 1 they are shortest.
func TestHierarchyAgainstDijkstra(t *testing.T) {
	maps := many(16, 2000)
	for _, mv := range everyMove() {
		for _, weighted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/weighted=%v", mv, weighted), func(t *testing.T) {
				t.Parallel()
				rnd := rand.New(rand.NewPCG(77, uint64(mv.Corners)<<8|uint64(mv.Neighbours)))
				q := grid.NewQuery()
				var r grid.HierarchyResult
				for i := range maps {
					m := roomyMap(rnd, 32, weighted)
					if i%2 == 0 {
						m = randomMap(rnd, 32, weighted)
					}
					o := grid.HierarchyOptions{Moves: mv, Cluster: 8 + rnd.IntN(16), Ratio: 1 + float64(rnd.IntN(5))/2, Workers: 1}
					h := newHierarchy(t, m, &o)
					ratio, plus := h.Bound()
					from := randomCell(rnd, m)
					dist := oracle(m, from, mv)
					for range 4 {
						to := randomCell(rnd, m)
						find := grid.HierarchyFind{Rough: rnd.IntN(2) == 0, Lower: rnd.IntN(4) > 0}
						name := fmt.Sprintf("map %d, %+v, %+v, %v-%v", i, o, find, from, to)
						must(h.FindInto(context.Background(), q, &r, from, to, &find))
						want, ok := dist[to]
						if ok != (r.Status == grid.Complete) || ok != (len(r.Path) > 0) {
							t.Fatalf("%s: %v, reachable %v", name, r.Status, ok)
						}
						if !ok {
							continue
						}
						if err := checkPath(m, &r.Result, from, to, mv); err != nil {
							t.Fatalf("%s: %v", name, err)
						}
						best := want.value()
						if r.Cost < best || r.Cost > ratio*best+plus {
							t.Fatalf("%s: cost %v, best %v, bound %v + %v", name, r.Cost, best, ratio, plus)
						}
						if r.Lower > best || r.Lower < (r.Cost-plus)/ratio*(1-1e-6) {
							t.Fatalf("%s: lower bound %v of %v, best %v", name, r.Lower, r.Cost, best)
						}
						if o.Ratio == 1 && (r.Cost > best*(1+1e-6)) {
							t.Fatalf("%s: cost %v, best %v", name, r.Cost, best)
						}
					}
				}
			})
		}
	}
}
