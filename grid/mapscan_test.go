package grid_test

import (
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// slowScan is Scan cell by cell.
func slowScan(m *grid.Map, c grid.Cell, dx, dy int32) (cells int, turn bool) {
	opens := func(at grid.Cell, side int32) bool {
		x, y := at.X+side*dy, at.Y+side*dx
		return m.Passable(grid.Cell{X: x, Y: y}) && !m.Passable(grid.Cell{X: x - dx, Y: y - dy})
	}
	for {
		c.X, c.Y = c.X+dx, c.Y+dy
		cells++
		switch {
		case !m.Passable(c):
			return cells, false
		case opens(c, 1) || opens(c, -1):
			return cells, true
		}
	}
}

func TestScan(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(8, 8))
	turns := 0
	for range many(100, 300) {
		m := randomMap(rnd, 120, false)
		for range 50 {
			c := randomCell(rnd, m)
			for _, d := range [4]grid.Cell{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				cells, turn := m.Scan(c, d.X, d.Y)
				want, wantTurn := slowScan(m, c, d.X, d.Y)
				if cells != want || turn != wantTurn {
					t.Fatalf("from %v by %v: %d %v, want %d %v", c, d, cells, turn, want, wantTurn)
				}
				if turn {
					turns++
				}
			}
		}
	}
	if turns < 1000 {
		t.Errorf("only %d turns", turns)
	}
	m := openMap(t, 5, 5)
	for _, c := range []grid.Cell{{X: -1}, {X: 5}, {Y: 7}} {
		if n, turn := m.Scan(c, 1, 0); n != 0 || turn {
			t.Errorf("from %v outside: %d %v", c, n, turn)
		}
	}
	if n, turn := m.Scan(grid.Cell{X: 2, Y: 2}, 1, 1); n != 0 || turn {
		t.Errorf("diagonally: %d %v", n, turn)
	}
}
