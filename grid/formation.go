package grid

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Formation returns a place for each unit of a group that goes to a goal: the
// cell as far from the goal as the unit is from the group's middle (in columns
// and rows, on hexagons too). A unit
// whose cell is blocked, taken by an earlier unit, or not to be reached from
// the goal within the group's spread gets the free cell nearest to it, of these
// the first by row and column. So the group keeps its shape where there is room
// and closes up where there is none; nobody is sent to the other side of a
// wall. It fails with ErrOptions where fewer cells than units can be reached,
// or the goal is blocked.
//
// It takes time for the cells around the goal, some nine times the square that
// holds the group, and for each unit without a cell of its own once more.
func Formation(g Ground, goal Cell, group []Cell, moves Moves) ([]Cell, error) {
	if g == nil || !moves.valid() || !g.Passable(goal) {
		return nil, fmt.Errorf("%w: formation at %v, %v", ErrOptions, goal, moves)
	}
	if len(group) == 0 {
		return nil, nil
	}
	middle := middleOf(group)
	spread := int32(math.Sqrt(float64(len(group)))) + 1
	for _, c := range group {
		if d := away(c, middle); d >= 0 && d < MaxSide {
			spread = max(spread, d)
		}
	}
	free := vicinity(g, goal, moves, 3*spread, len(group))
	if len(free) < len(group) {
		return nil, fmt.Errorf("%w: %d cells for %d units at %v", ErrOptions, len(free), len(group), goal)
	}
	// Sorted by row and column, so that a cell is found by bisection and the
	// first of the nearest is the one that is wanted.
	slices.SortFunc(free, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
	taken := make([]bool, len(free))
	places := make([]Cell, len(group))
	lacking := []int{}
	for i, c := range group {
		want := Cell{goal.X + c.X - middle.X, goal.Y + c.Y - middle.Y}
		at, ok := slices.BinarySearchFunc(free, want, func(a, b Cell) int { return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X)) })
		places[i] = want
		if !ok || taken[at] {
			lacking = append(lacking, i)
			continue
		}
		taken[at] = true
	}
	for _, i := range lacking {
		best := -1
		for k, c := range free {
			if !taken[k] && (best < 0 || squared(moves.Neighbours, c, places[i]) < squared(moves.Neighbours, free[best], places[i])) {
				best = k
			}
		}
		taken[best] = true
		places[i] = free[best]
	}
	return places, nil
}

// middleOf is the mean of the cells, rounded towards zero.
func middleOf(group []Cell) Cell {
	var x, y int64
	for _, c := range group {
		x, y = x+int64(c.X), y+int64(c.Y)
	}
	n := int64(len(group))
	return Cell{int32(x / n), int32(y / n)}
}

// vicinity lists the cells reached from a cell by at most the given number of
// steps, and by more while they are fewer than least.
func vicinity(g Ground, from Cell, moves Moves, steps int32, least int) []Cell {
	seen := map[Cell]struct{}{from: {}}
	cells := []Cell{from}
	for begin := 0; begin < len(cells) && (steps > 0 || len(cells) < least); steps-- {
		end := len(cells)
		for _, c := range cells[begin:end] {
			for d := range 8 {
				n := Cell{c.X + dirX[d], c.Y + dirY[d]}
				if _, old := seen[n]; !old && mayStep(g, c, n, moves) {
					seen[n] = struct{}{}
					cells = append(cells, n)
				}
			}
		}
		begin = end
	}
	return cells
}
