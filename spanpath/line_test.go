package spanpath

import (
	"slices"
	"testing"
)

func lineCells(ax, ay, bx, by int) (cells []Cell) {
	for l, more := newLine(ax, ay, bx, by), true; more; more = l.next() {
		cells = append(cells, Cell{int32(l.gx), int32(l.gy)})
	}
	return cells
}

func TestDigitalLine(t *testing.T) {
	for _, c := range []struct {
		bx, by int
		want   []Cell
	}{
		{7, 4, []Cell{{0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {6, 3}, {7, 4}}},
		{2, 1, []Cell{{0, 0}, {1, 0}, {2, 1}}},
		{-2, -1, []Cell{{0, 0}, {-1, 0}, {-2, -1}}}, // from (2,1): by (1,1)
		{6, 3, []Cell{{0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 2}, {6, 3}}},
		{4, -3, []Cell{{0, 0}, {1, -1}, {2, -2}, {3, -2}, {4, -3}}},
		{0, 0, []Cell{{0, 0}}},
	} {
		if got := lineCells(0, 0, c.bx, c.by); !slices.Equal(got, c.want) {
			t.Errorf("to (%d, %d): %v, want %v", c.bx, c.by, got, c.want)
		}
	}
}

// TestDigitalLineFormula compares lines with rounded quotients, and what they
// touch with the exact chord of middles.
func TestDigitalLineFormula(t *testing.T) {
	for bx := -23; bx <= 23; bx++ {
		for by := -23; by <= 23; by++ {
			got, want := lineCells(5, -3, 5+bx, -3+by), lineTwin(5, -3, 5+bx, -3+by)
			if bx == 0 && by == 0 {
				want = want[:1]
			}
			if !slices.Equal(got, want) {
				t.Fatalf("(%d, %d): %v, want %v", bx, by, got, want)
			}
			touched := map[Cell]bool{}
			lo := 0
			for l, more := newLine(0, 0, bx, by), true; more; more = l.next() {
				hi, corner := l.crossedTo()
				for m := lo; m <= hi; m++ {
					touched[Cell{int32(l.k*l.mx + m*l.sx), int32(l.k*l.my + m*l.sy)}] = true
				}
				if lo = hi; corner {
					lo--
				}
			}
			for y := -24; y <= 24; y++ {
				for x := -24; x <= 24; x++ {
					if want := touchesSquare(bx, by, x, y); touched[Cell{int32(x), int32(y)}] != want {
						t.Fatalf("chord to (%d, %d) and cell (%d, %d): %v, want %v", bx, by, x, y, !want, want)
					}
				}
			}
		}
	}
}

// touchesSquare reports whether the segment from the middle of cell (0, 0) to
// that of (bx, by) touches cell (x, y), closed: by axes that part them, in whole
// numbers of half cells.
func touchesSquare(bx, by, x, y int) bool {
	if 2*x-1 > max(2*bx, 0) || 2*x+1 < min(2*bx, 0) || 2*y-1 > max(2*by, 0) || 2*y+1 < min(2*by, 0) {
		return false
	}
	lo, hi := 1<<30, -1<<30
	for _, c := range [][2]int{{2*x - 1, 2*y - 1}, {2*x + 1, 2*y - 1}, {2*x - 1, 2*y + 1}, {2*x + 1, 2*y + 1}} {
		s := bx*c[1] - by*c[0]
		lo, hi = min(lo, s), max(hi, s)
	}
	return lo <= 0 && hi >= 0
}
