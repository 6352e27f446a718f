package grid

import "math"

// Walkable returns how many cells of a path can be walked from its start, one
// after another by the rules of moves: len(path) if all can, 0 if the first
// cell is blocked already.
func Walkable(g Ground, path []Cell, moves Moves) int {
	if absent(g) || !moves.valid() {
		return 0
	}
	for i, c := range path {
		if i == 0 && !g.Passable(c) || i > 0 && !mayStep(g, path[i-1], c, moves) {
			return i
		}
	}
	return len(path)
}

// direction returns the direction of a step between neighbouring squares,
// dirNone for anything else.
func direction(a, b Cell) int {
	dx, dy := b.X-a.X, b.Y-a.Y
	if dx < -1 || dx > 1 || dy < -1 || dy > 1 || dx == 0 && dy == 0 {
		return dirNone
	}
	i := int((dy+1)*3 + dx + 1)
	if i > 4 {
		i--
	}
	return i
}

// mayStep reports whether the rules allow the step from the free cell a to b.
func mayStep(g Ground, a, b Cell, moves Moves) bool {
	d := direction(a, b)
	if d == dirNone || !g.Passable(b) {
		return false
	}
	switch {
	case moves.Neighbours == Six && a.Y&1 == 0:
		return maskHexEven>>d&1 == 1
	case moves.Neighbours == Six:
		return maskHexOdd>>d&1 == 1
	case maskDiagonal>>d&1 == 0:
		return true
	case moves.Neighbours == Four:
		return false
	}
	p, q := g.Passable(Cell{b.X, a.Y}), g.Passable(Cell{a.X, b.Y})
	return moves.Corners == Always || p && q || moves.Corners == OneFree && (p || q)
}

// stepRun appends the cells from a (left out if the path ends with it) to b on
// a shortest way over open ground: diagonal steps first, then straight ones. It
// fails, with the path as it was, where the run is not free.
func stepRun(path []Cell, g Ground, moves Moves, a, b Cell) ([]Cell, bool) {
	whole := path
	if len(path) == 0 || path[len(path)-1] != a {
		path = append(path, a)
	}
	for a != b {
		next := towards(a, b, moves)
		if !mayStep(g, a, next, moves) {
			return whole, false
		}
		path = append(path, next)
		a = next
	}
	return path, true
}

// towards is the next cell from a to b on open ground.
func towards(a, b Cell, moves Moves) Cell {
	dx, dy := sign(b.X-a.X), sign(b.Y-a.Y)
	switch moves.Neighbours {
	case Four:
		if dx != 0 {
			return Cell{a.X + dx, a.Y}
		}
	case Six:
		if dy == 0 {
			break
		}
		best, steps := a, int64(math.MaxInt64)
		for _, x := range [2]int32{a.X + a.Y&1 - 1, a.X + a.Y&1} {
			if n := hexSteps(Cell{x, a.Y + dy}, b); n < steps {
				best, steps = Cell{x, a.Y + dy}, n
			}
		}
		return best
	}
	return Cell{a.X + dx, a.Y + dy}
}

// away is the larger of the differences in columns and rows.
func away(a, b Cell) int32 { return max(a.X-b.X, b.X-a.X, a.Y-b.Y, b.Y-a.Y) }
