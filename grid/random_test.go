package grid_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/grid"
)

// TestAgainstDijkstra: on random maps every algorithm finds the cost that plain
// Dijkstra finds, for every kind of move it serves, on a path of allowed steps.
func TestAgainstDijkstra(t *testing.T) {
	t.Parallel()
	maps := many(8, 2000)
	for _, mv := range everyMove() {
		for _, weighted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/weighted=%v", mv, weighted), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(1, uint64(mv.Corners)<<8|uint64(mv.Neighbours)))
				q := grid.NewQuery()
				var r grid.Result
				for i := range maps {
					m := randomMap(rnd, 64, weighted)
					from := randomCell(rnd, m)
					dist := oracle(m, from, mv)
					var jumps *grid.JumpTable
					if grid.JPSPlus.Serves(mv, m.Weighted()) {
						jumps = newTable(t, m, mv)
					}
					for range 4 {
						to := randomCell(rnd, m)
						for _, a := range []grid.Algorithm{grid.AStar, grid.JPS, grid.JPSPlus} {
							if !a.Serves(mv, m.Weighted()) {
								continue
							}
							find(t, q, &r, m, from, to, &grid.Options{Algorithm: a, Moves: mv, Jumps: jumps})
							checkAgainst(t, fmt.Sprintf("map %d %v %v-%v", i, a, from, to), m, &r, from, to, mv, dist)
							if t.Failed() {
								return
							}
						}
					}
				}
			})
		}
	}
}

func checkAgainst(t *testing.T, name string, m *grid.Map, r *grid.Result, from, to grid.Cell, mv grid.Moves, dist map[grid.Cell]oracleCost) {
	t.Helper()
	want, ok := dist[to]
	if !ok {
		if r.Status != grid.Unreachable && r.Status != grid.GoalBlocked && r.Status != grid.StartBlocked || len(r.Path) > 0 {
			t.Errorf("%s: %v, cost %v; there is no route", name, r.Status, r.Cost)
		}
		return
	}
	if r.Status != grid.Complete || r.Cost != want.value() {
		t.Errorf("%s: %v, cost %v; want %v", name, r.Status, r.Cost, want.value())
		return
	}
	if err := checkPath(m, r, from, to, mv); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// checkPath proves a path: its ends, its steps, its cost.
func checkPath(g grid.Ground, r *grid.Result, from, to grid.Cell, mv grid.Moves) error {
	p := r.Path
	if len(p) == 0 || p[0] != from || p[len(p)-1] != to {
		return fmt.Errorf("path %v does not lead from %v to %v", p, from, to)
	}
	var sum oracleCost
	for i := 1; i < len(p); i++ {
		if !slices.Contains(oracleSteps(g, p[i-1], mv), p[i]) {
			return fmt.Errorf("no step from %v to %v", p[i-1], p[i])
		}
		w := int64(g.Cost(p[i]) * 256)
		if p[i].X != p[i-1].X && p[i].Y != p[i-1].Y && mv.Neighbours == grid.Eight && mv.Diagonal == grid.Octile {
			sum.diagonal += w
		} else {
			sum.straight += w
		}
	}
	if sum.value() != r.Cost {
		return fmt.Errorf("path costs %v, reported %v", sum.value(), r.Cost)
	}
	return nil
}

func newTable(tb testing.TB, g grid.Ground, mv grid.Moves) *grid.JumpTable {
	tb.Helper()
	table, err := grid.NewJumpTable(context.Background(), g, mv)
	if err != nil {
		tb.Fatal(err)
	}
	return table
}
