package grid

import (
	"context"
	"fmt"
	"math"
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
// The cells looked at are those within three times the spread from the goal, the
// spread being how far the farthest unit stands from the group's middle: some
// 50 ns for each, so a group that is spread over a map of 1500 x 1500 cells takes
// 0.1 s or so. FormationContext can be stopped.
func Formation(g Ground, goal Cell, group []Cell, moves Moves) ([]Cell, error) {
	return FormationContext(context.Background(), g, goal, group, moves)
}

// FormationContext is Formation with a context; where that ends, the error wraps
// its error.
func FormationContext(ctx context.Context, g Ground, goal Cell, group []Cell, moves Moves) ([]Cell, error) {
	ctx = alive(ctx)
	if absent(g) || !moves.valid() || !g.Passable(goal) {
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
	v, err := newVicinity(ctx, g, goal, moves, 3*spread, len(group))
	if err != nil {
		return nil, err
	}
	if v.count < len(group) {
		return nil, fmt.Errorf("%w: %d cells for %d units at %v", ErrOptions, v.count, len(group), goal)
	}
	places := make([]Cell, len(group))
	lacking := []int{}
	want := func(i int) (x, y int64) {
		const far = 1 << 30 // squares of more might not fit
		x = int64(goal.X) + int64(group[i].X) - int64(middle.X)
		y = int64(goal.Y) + int64(group[i].Y) - int64(middle.Y)
		return min(max(x, -far), far), min(max(y, -far), far)
	}
	for i := range group {
		at, ok := v.take(want(i))
		if places[i] = at; !ok {
			lacking = append(lacking, i)
		}
	}
	for _, i := range lacking {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("grid: formation stopped at unit %d: %w", i, err)
		}
		x, y := want(i)
		places[i] = v.nearest(x, y)
		v.take(int64(places[i].X), int64(places[i].Y))
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

// vicinity is the set of free cells that a goal reaches by few steps, in a window
// of the ground.
type vicinity struct {
	x0, y0 int32
	six    bool
	free   surface // the cells of the set; set bits are not taken
	count  int
}

// newVicinity finds the cells reached from a cell by at most the given number of
// steps, and by more while they are fewer than least.
func newVicinity(ctx context.Context, g Ground, from Cell, moves Moves, steps int32, least int) (*vicinity, error) {
	for reach := steps; ; reach = 2 * min(reach, MaxSide) {
		w, h := g.Size()
		v := &vicinity{six: moves.Neighbours == Six}
		// Rows keep their parity, which hexagons need.
		v.x0, v.y0 = max(from.X-reach, 0), max(from.Y-reach, 0)&^1
		x1, y1 := min(from.X+reach, int32(w)-1), min(from.Y+reach, int32(h)-1)
		v.free = newSurface(x1-v.x0+1, y1-v.y0+1)
		whole := v.x0 == 0 && v.y0 == 0 && x1 == int32(w)-1 && y1 == int32(h)-1
		for y := v.y0; y <= y1; y++ {
			if y&63 == 0 && ctx.Err() != nil {
				return nil, fmt.Errorf("grid: formation stopped at row %d: %w", y, ctx.Err())
			}
			id := v.free.id(0, y-v.y0)
			for x := v.x0; x <= x1; x++ {
				if g.Passable(Cell{x, y}) {
					v.free.set(id+x-v.x0, true)
				}
			}
		}
		layers, err := v.spread(ctx, Cell{from.X - v.x0, from.Y - v.y0}, moves, steps, least)
		if err != nil {
			return nil, err
		}
		if whole || layers <= reach {
			return v, nil
		}
	}
}

// spread keeps what a cell reaches, layer by layer, and returns how many layers
// that took.
func (v *vicinity) spread(ctx context.Context, from Cell, moves Moves, steps int32, least int) (layers int32, err error) {
	s := v.free
	left := s
	left.bits = append([]byte(nil), s.bits...)
	reached := newSurface(s.w, s.h)
	allowed := &squareTables[tableIndex(moves)].step
	shift := strides(s.stride)
	start := s.id(from.X, from.Y)
	left.set(start, false)
	reached.set(start, true)
	v.count = 1
	var next []int32
	for list := []int32{start}; len(list) > 0 && (layers < steps || v.count < least); layers++ {
		if layers&63 == 0 && ctx.Err() != nil {
			return 0, fmt.Errorf("grid: formation stopped after %d cells: %w", v.count, ctx.Err())
		}
		next = next[:0]
		for _, id := range list {
			out := s.around(id)
			switch {
			case !v.six:
				out = allowed[out]
			case (id/s.stride-1)&1 == 0:
				out &= maskHexEven
			default:
				out &= maskHexOdd
			}
			for out &= left.around(id); out != 0; out &= out - 1 {
				to := id + shift[firstBit(out)]
				left.set(to, false)
				reached.set(to, true)
				next = append(next, to)
			}
		}
		v.count += len(next)
		list, next = next, list
	}
	v.free = reached
	return layers, nil
}

// take takes a cell out of the set; it fails where that does not have it.
func (v *vicinity) take(x, y int64) (c Cell, ok bool) {
	x, y = x-int64(v.x0), y-int64(v.y0)
	if x < 0 || y < 0 || x >= int64(v.free.w) || y >= int64(v.free.h) {
		return Cell{}, false
	}
	id := v.free.id(int32(x), int32(y))
	if !v.free.get(id) {
		return Cell{}, false
	}
	v.free.set(id, false)
	return Cell{v.x0 + int32(x), v.y0 + int32(y)}, true
}

// nearest returns the cell of the set that is nearest to a place, of these the
// first by row and column. It looks at rings of squares around the place, the
// inner first, as far as they lie in the window.
func (v *vicinity) nearest(px, py int64) Cell {
	x0, y0 := int64(v.x0)-px, int64(v.y0)-py // the window, seen from the place
	x1, y1 := x0+int64(v.free.w)-1, y0+int64(v.free.h)-1
	best := int64(math.MaxInt64)
	var at Cell
	look := func(dx, dy int64) {
		c := Cell{int32(dx - x0), int32(dy - y0)}
		if !v.free.get(v.free.id(c.X, c.Y)) {
			return
		}
		c.X, c.Y = c.X+v.x0, c.Y+v.y0
		if d := v.squared(px, py, dx, dy); d < best || d == best && (c.Y < at.Y || c.Y == at.Y && c.X < at.X) {
			best, at = d, c
		}
	}
	far := max(-x0, x1, -y0, y1)
	for r := max(x0, -x1, y0, -y1, 0); r <= far; r++ {
		if inner := max(r-1, 0); v.six && inner*inner/4*3 > best || !v.six && r*r > best {
			break
		}
		for _, dy := range [2]int64{-r, r} {
			for dx := max(-r, x0); dy >= y0 && dy <= y1 && dx <= min(r, x1); dx++ {
				look(dx, dy)
			}
		}
		for _, dx := range [2]int64{-r, r} {
			for dy := max(1-r, y0); dx >= x0 && dx <= x1 && dy <= min(r-1, y1); dy++ {
				look(dx, dy)
			}
		}
	}
	return at
}

// squared is the squared distance over a difference from a place, which may lie
// far outside.
func (v *vicinity) squared(px, py, dx, dy int64) int64 {
	if !v.six {
		return dx*dx + dy*dy
	}
	axial := func(x, y int64) int64 { return x - (y-y&1)/2 }
	dq := axial(px+dx, py+dy) - axial(px, py)
	return dq*dq + dq*dy + dy*dy
}
