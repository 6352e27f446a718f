package grid_test

import (
	"context"
	"fmt"

	"wend/grid"
)

// A route on a small map, and the same after a door was shut.
func ExampleQuery_Find() {
	m, _ := grid.Parse(
		".......",
		"..@@@..",
		"..@.@..",
		"....@..",
	)
	q := grid.NewQuery()
	from, to := grid.Cell{X: 3, Y: 2}, grid.Cell{X: 6, Y: 3}
	opts := &grid.Options{Algorithm: grid.JPS}
	r, err := q.Find(context.Background(), m, from, to, opts)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v, cost %.3f, %d cells\n", r.Status, r.Cost, len(r.Path))

	m.SetPassable(grid.Cell{X: 3, Y: 3}, false)
	opts.Partial = true
	r, _ = q.Find(context.Background(), m, from, to, opts)
	fmt.Printf("%v, %.3f short of the goal\n", r.Status, r.Gap)
	// Output:
	// complete, cost 13.414, 14 cells
	// unreachable, 3.162 short of the goal
}

// Two sides see one map differently.
func ExampleOverlay() {
	m, _ := grid.Parse("...", ".@.", "...")
	scouts := grid.NewOverlay(m)
	scouts.Set(grid.Cell{X: 1, Y: 0}, false) // a building nobody else has seen
	q := grid.NewQuery()
	for _, g := range []grid.Ground{m, scouts} {
		r, _ := q.Find(context.Background(), g, grid.Cell{}, grid.Cell{X: 2}, nil)
		fmt.Println(r.Cost, r.Path)
	}
	// Output:
	// 2 [(0,0) (1,0) (2,0)]
	// 6 [(0,0) (0,1) (0,2) (1,2) (2,2) (2,1) (2,0)]
}

// A search spread over frames, 20 nodes each, while the unit walks what is
// certain already.
func ExampleQuery_Step() {
	m, _ := grid.Parse(
		"......................",
		"@@@@@@@@@@@@@@@@@@@@@.",
		"......................",
	)
	q := grid.NewQuery()
	if err := q.Begin(m, grid.Cell{}, grid.Cell{Y: 2}, nil); err != nil {
		fmt.Println(err)
		return
	}
	var safe []grid.Cell
	for done := false; !done; {
		done, _ = q.Step(context.Background(), 20)
		safe, _ = q.SafePrefix(safe[:0])
		fmt.Println(done, len(safe))
	}
	// Output:
	// false 21
	// false 41
	// true 45
}
