package grid_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/grid"
)

func TestFormationKeepsShape(t *testing.T) {
	m := openMap(t, 100, 100)
	group := []grid.Cell{{X: 10, Y: 10}, {X: 12, Y: 10}, {X: 11, Y: 11}, {X: 11, Y: 13}}
	got, err := grid.Formation(m, grid.Cell{X: 50, Y: 60}, group, grid.Moves{})
	must(err)
	want := []grid.Cell{{X: 49, Y: 59}, {X: 51, Y: 59}, {X: 50, Y: 60}, {X: 50, Y: 62}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	must(m.SetPassable(want[1], false))
	got, err = grid.Formation(m, grid.Cell{X: 50, Y: 60}, group, grid.Moves{})
	must(err)
	// The four neighbours of the lost place are equally near; the first by row.
	want[1] = grid.Cell{X: 51, Y: 58}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestFormationStaysOnSide: on random ground all places differ, are free and
// can be reached from the goal.
func TestFormationStaysOnSide(t *testing.T) {
	rnd := rand.New(rand.NewPCG(21, 2))
	placed := 0
	for round := range 200 {
		m := randomMap(rnd, 24, false)
		mv := everyMove()[round%len(everyMove())]
		goal := randomCell(rnd, m)
		group := make([]grid.Cell, 1+rnd.IntN(30))
		for i := range group {
			group[i] = grid.Cell{X: int32(rnd.IntN(9)), Y: int32(rnd.IntN(9))}
		}
		reached := oracle(m, goal, mv)
		got, err := grid.Formation(m, goal, group, mv)
		if len(reached) < len(group) {
			if !errors.Is(err, grid.ErrOptions) {
				t.Fatalf("%d cells for %d units: %v", len(reached), len(group), err)
			}
			continue
		}
		must(err)
		placed++
		seen := map[grid.Cell]bool{}
		for _, c := range got {
			if _, ok := reached[c]; !ok || seen[c] {
				t.Fatalf("place %v: taken %v, reached %v", c, seen[c], ok)
			}
			seen[c] = true
		}
	}
	if placed < 50 {
		t.Errorf("only %d groups placed", placed)
	}
}

func TestTrail(t *testing.T) {
	m := openMap(t, 20, 20)
	r, err := grid.NewQuery().Find(t.Context(), m, grid.Cell{X: 2, Y: 2}, grid.Cell{X: 12, Y: 2}, nil)
	must(err)
	trail := grid.Trail{Path: r.Path, Version: r.Version}
	if d := trail.Update(m, grid.Point{X: 4.5, Y: 4}); math.Abs(d.Off-1.5) > 1e-12 || d.At != 2 || d.Left != 8 || d.Changed || d.Blocked != -1 {
		t.Errorf("pushed aside: %+v", d)
	}
	if d := trail.Update(m, grid.Point{X: 7, Y: 2.5}); d.Off != 0 || d.At != 4 {
		t.Errorf("on the way: %+v", d)
	}
	must(m.SetPassable(grid.Cell{X: 3, Y: 2}, false)) // behind
	if d := trail.Update(m, grid.Point{X: 7, Y: 2.5}); !d.Changed || d.Blocked != -1 {
		t.Errorf("blocked behind: %+v", d)
	}
	must(m.SetPassable(grid.Cell{X: 10, Y: 2}, false))
	if d := trail.Update(m, grid.Point{X: 7, Y: 2.5}); d.Blocked != 8 {
		t.Errorf("blocked ahead: %+v", d)
	}
	if d := trail.Update(m, grid.Point{X: 12.5, Y: 2.5}); d.Left != 0 || d.Blocked != -1 {
		t.Errorf("at the end: %+v", d)
	}
	if d := new(grid.Trail).Update(m, grid.Point{}); !math.IsNaN(d.Off) {
		t.Errorf("no path: %+v", d)
	}
}
