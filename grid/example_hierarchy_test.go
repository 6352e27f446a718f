package grid_test

import (
	"context"
	"fmt"

	"wend/grid"
)

// A route across a large map, with what it can cost beyond the shortest; then
// a wall is built and the hierarchy follows.
func ExampleHierarchy() {
	m, _ := grid.New(400, 400)
	m.Fill(grid.Cell{}, grid.Cell{X: 399, Y: 399}, true)
	m.Fill(grid.Cell{X: 200}, grid.Cell{X: 200, Y: 349}, false)

	ctx := context.Background()
	h, err := grid.NewHierarchy(ctx, m, &grid.HierarchyOptions{Ratio: 1.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := grid.NewQuery()
	from, to := grid.Cell{X: 10, Y: 10}, grid.Cell{X: 390, Y: 10}
	r, _ := h.Find(ctx, q, from, to, &grid.HierarchyFind{Lower: true})
	best, _ := q.Find(ctx, m, from, to, &grid.Options{Algorithm: grid.JPS})
	ratio, plus := h.Bound()
	fmt.Println(r.Status, r.Cost <= ratio*best.Cost+plus, r.Cost < 1.02*best.Cost, r.Lower <= best.Cost)

	m.Fill(grid.Cell{X: 200, Y: 350}, grid.Cell{X: 200, Y: 399}, false)
	h, _ = h.Update(ctx) // those who search the old one may go on
	r, _ = h.Find(ctx, q, from, to, &grid.HierarchyFind{Partial: true})
	fmt.Println(r.Status, r.Gap, "short of the goal")
	// Output:
	// complete true true true
	// unreachable 191 short of the goal
}
