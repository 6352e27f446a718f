package grid_test

import (
	"testing"

	"wend/grid"
)

// TestVisited: the cells A* expands are counted, start at cost 0, and are never
// reached below their distance.
func TestVisited(t *testing.T) {
	m := openMap(t, 30, 30)
	must(m.Fill(grid.Cell{X: 15, Y: 3}, grid.Cell{X: 15, Y: 26}, false))
	q := grid.NewQuery()
	for range q.Visited() {
		t.Fatal("a query that never searched visited cells")
	}
	from := grid.Cell{X: 5, Y: 14}
	r, err := q.Find(t.Context(), m, from, grid.Cell{X: 25, Y: 14}, nil)
	must(err)
	dist := oracle(m, from, grid.Moves{})
	n := 0
	for c, cost := range q.Visited() {
		n++
		if d, ok := dist[c]; !ok || cost < d.value()-1e-9 || c == from && cost != 0 {
			t.Errorf("%v expanded at %v, distance %v", c, cost, d.value())
		}
	}
	if n == 0 || n != r.Expanded {
		t.Errorf("%d visited, %d expanded", n, r.Expanded)
	}
}
