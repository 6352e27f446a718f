package grid

// Scan walks from a cell straight to the east, west, south or north, whichever
// (dx, dy) is, as jump point search does under the rule Never: to the first
// blocked cell, or before that to the first cell from which a turn is worth
// making that was not before, since the row beside opens there. It returns how
// many cells away that is and whether it is such a turn. The edge of the map
// is blocked. From a cell outside, or in another direction, it returns 0.
//
// It reads 56 cells at a time from bits that are kept both by rows and by
// columns, so all four directions are alike fast: some 3 ns and 1 ns more for
// each 56 cells.
func (m *Map) Scan(from Cell, dx, dy int32) (cells int, turn bool) {
	if !m.Contains(from) {
		return 0, false
	}
	var s scanned
	switch (Cell{dx, dy}) {
	case Cell{1, 0}:
		s = scanForward(&m.rows, m.rows.id(from.X, from.Y))
	case Cell{-1, 0}:
		s = scanBackward(&m.rows, m.rows.id(from.X, from.Y))
	case Cell{0, 1}:
		s = scanForward(&m.cols, m.cols.id(from.Y, from.X))
	case Cell{0, -1}:
		s = scanBackward(&m.cols, m.cols.id(from.Y, from.X))
	}
	return int(s.cells), s.turn
}
