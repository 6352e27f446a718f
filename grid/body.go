package grid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Body searches for units that are larger than a point: discs of any radius
// (NewBody) and squares of whole cells (NewSquare). A unit's place on the grid
// is a cell: of a disc the one its middle is in the middle of, of a square the
// cell in its middle, which of a square with an even side is the upper left of
// the four around its middle. Cells and Middle tell what it covers then.
//
// The search runs on the inflated map, the cells where the unit fits, with the
// corner rule Never. That is just enough for the way between the cells, too: on
// a straight step the distance to every cell is least at an end, and what a
// diagonal step touches beyond its ends is touched on one of the two cells
// beside as well, which must have room. On ground with costs a step costs what
// that of a point does.
//
// A Body shows the ground as it was when it was made, of which it keeps a copy,
// see Stale; it may be used by several goroutines, also while the ground is
// edited (Stale excepted).
type Body struct {
	ground    Ground
	version   uint64
	raw       *Map       // the ground as it was
	clearance *Clearance // nil of squares
	inflated  *Map
	radius    float64 // of squares half the side
	side      int32   // of squares, else 0

	once     sync.Once
	squeezed *Map // see tight
	fault    error
}

// BodyResult is the outcome of a search for a body. Stretches are ranges
// [from, to) of Path.
type BodyResult struct {
	Result
	// Narrow lists the stretches where the body does not fit, from Squeeze;
	// empty means that it touches nothing, whatever the status.
	Narrow [][2]int
	// Replaced lists the detours that took the place of narrow stretches of the
	// raw way.
	Replaced [][2]int
}

// NewBody makes the inflated map for discs of a radius, in cell sides, from 0
// to MaxClearance. It takes O(cells times radius).
func NewBody(g Ground, radius float64) (*Body, error) {
	if absent(g) || !(radius >= 0 && radius <= MaxClearance) {
		return nil, fmt.Errorf("%w: radius %v (0 to %d)", ErrOptions, radius, MaxClearance)
	}
	c, err := NewClearance(g, min(int(radius)+1, MaxClearance))
	if err != nil {
		return nil, err
	}
	b := &Body{ground: g, version: c.version, clearance: c, radius: radius}
	return b, b.inflate(func(at Cell) bool { return c.Fits(at, radius) })
}

// NewSquare makes the inflated map for squares of so many cells a side, from 1
// to MaxClearance. Squares do not turn. It takes O(cells).
func NewSquare(g Ground, side int) (*Body, error) {
	if absent(g) || side < 1 || side > MaxClearance {
		return nil, fmt.Errorf("%w: square of side %d (1 to %d)", ErrOptions, side, MaxClearance)
	}
	b := &Body{ground: g, version: g.Version(), radius: float64(side) / 2, side: int32(side)}
	w, h := g.Size()
	// The side of the largest free square, up to side, whose lower right cell
	// is this one: one more than the least of those above, left and between.
	above, row := make([]uint8, w+1), make([]uint8, w+1)
	fits := make([]bool, w*h) // by that cell
	for y := range h {
		for x := range w {
			row[x+1] = 0
			if g.Passable(Cell{int32(x), int32(y)}) {
				row[x+1] = min(above[x], above[x+1], row[x], uint8(side-1)) + 1
			}
			fits[y*w+x] = int(row[x+1]) == side
		}
		above, row = row, above
	}
	return b, b.inflate(func(at Cell) bool {
		_, hi := b.Cells(at)
		return int(hi.X) < w && int(hi.Y) < h && fits[int(hi.Y)*w+int(hi.X)]
	})
}

// inflate copies the ground and makes the inflated map of the cells that have
// room.
func (b *Body) inflate(fits func(Cell) bool) error {
	w, h := b.ground.Size()
	raw, err := New(w, h)
	if err != nil {
		return err
	}
	room, err := New(w, h)
	if err != nil {
		return err
	}
	base, _ := b.ground.ground()
	for y := range int32(h) {
		for x := range int32(w) {
			at := Cell{x, y}
			if !b.ground.Passable(at) {
				continue
			}
			raw.put(at, true)
			if fits(at) {
				room.put(at, true)
			}
		}
	}
	for y := int32(0); base.costs != nil && y < int32(h); y++ {
		for x := range int32(w) {
			at := Cell{x, y}
			if err := errors.Join(raw.SetCost(at, base.Cost(at)), room.SetCost(at, base.Cost(at))); err != nil {
				return err
			}
		}
	}
	b.raw, b.inflated = raw, room
	return nil
}

// Cells returns the first and the last of the cells that the body covers or
// reaches into when it stands on a cell; some may lie outside.
func (b *Body) Cells(at Cell) (lo, hi Cell) {
	if b.side > 0 {
		lo = Cell{at.X - (b.side-1)/2, at.Y - (b.side-1)/2}
		return lo, Cell{lo.X + b.side - 1, lo.Y + b.side - 1}
	}
	reach := int32(math.Ceil(b.radius - 0.5)) // beyond the cell, 0 or more
	reach = max(reach, 0)
	return Cell{at.X - reach, at.Y - reach}, Cell{at.X + reach, at.Y + reach}
}

// Middle returns the middle of the body when it stands on a cell.
func (b *Body) Middle(at Cell) Point {
	p := middle(at)
	if b.side > 0 && b.side%2 == 0 {
		p.X, p.Y = p.X+0.5, p.Y+0.5
	}
	return p
}

// Stale reports whether the ground was edited since the body was made.
func (b *Body) Stale() bool { return b.ground == nil || b.version != b.ground.Version() }

// Room returns the inflated map: the cells that the body may stand on.
// It must not be edited.
func (b *Body) Room() *Map { return b.inflated }

// Clearance returns the distances that the body was made from, up to a little
// more than its radius; nil of squares.
func (b *Body) Clearance() *Clearance { return b.clearance }

// Find searches on the inflated map. opts must not ask for another corner rule
// than Never, nor for hexagons. A body that does not fit at its start or goal
// ends as StartBlocked or GoalBlocked, so one larger than the map does.
func (b *Body) Find(ctx context.Context, q *Query, from, to Cell, opts *Options) (*BodyResult, error) {
	r := new(BodyResult)
	if b == nil || b.inflated == nil || q == nil {
		return nil, fmt.Errorf("%w: a search needs a body that was made, and a query", ErrOptions)
	}
	if err := b.check(opts); err != nil {
		return nil, err
	}
	if err := q.FindInto(ctx, &r.Result, b.inflated, from, to, opts); err != nil {
		return nil, err
	}
	r.Version = b.version
	return r, nil
}

// Squeeze is Find, and where that leads nowhere a way on the raw map, of which
// every stretch too narrow for the body is replaced: by a way on the inflated
// map if there is one between its ends, else by one that keeps to cells with
// room as far as it is not too far round, see squeezeCost. With MaxCost a stretch
// stays where the way with the detour would cost more. What remains is listed in
// Narrow, of a way with Partial that did not arrive, too: the caller decides
// whether the unit may pass there, shrunk or pushing.
func (b *Body) Squeeze(ctx context.Context, q *Query, from, to Cell, opts *Options) (*BodyResult, error) {
	r, err := b.Find(ctx, q, from, to, opts)
	if err != nil || r.Status == Complete || r.Status == Outside {
		return r, err
	}
	spent := r.Expanded
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Algorithm == JPSPlus { // whose table is of the inflated map
		o.Algorithm, o.Jumps = JPS, nil
	}
	if err := q.FindInto(ctx, &r.Result, b.raw, from, to, &o); err != nil {
		return nil, err
	}
	r.Expanded, r.Version = r.Expanded+spent, b.version
	if len(r.Path) == 0 {
		return r, nil
	}
	raw := append([]Cell(nil), r.Path...)
	path := r.Path[:0]
	spare := math.Inf(1) // what detours may add
	if o.MaxCost > 0 {
		spare = max(o.MaxCost-r.Cost, 0)
	}
	link := new(Result)
	for i := 0; i < len(raw); {
		j := b.narrowFrom(raw, i)
		if j == i {
			path = append(path, raw[i])
			i++
			continue
		}
		begin, end := max(i-1, 0), min(j, len(raw)-1)
		piece := raw[begin : end+1]
		cost := b.raw.PathCost(piece, o.Moves)
		found, err := b.detour(ctx, q, link, raw[begin], raw[end], &o, cost+spare)
		if err != nil {
			return nil, err
		}
		r.Expanded += found
		if link.Status == Complete && !slices.Equal(link.Path, piece) {
			piece = link.Path
			spare -= max(b.raw.PathCost(piece, o.Moves)-cost, 0)
			r.Replaced = append(r.Replaced, [2]int{len(path) - (i - begin) + 1, len(path) - (i - begin) + len(piece) - 1})
		}
		path = append(path, piece[i-begin:]...)
		i = end + 1
	}
	if cost := b.raw.PathCost(path, o.Moves); o.MaxCost == 0 || cost <= max(o.MaxCost, r.Cost) {
		r.Cost = cost
	} else { // by the rounding of sums
		path, r.Replaced = append(path[:0], raw...), nil
	}
	for i := 0; i < len(path); {
		j := b.narrowFrom(path, i)
		if j > i {
			r.Narrow = append(r.Narrow, [2]int{i, j})
		}
		i = max(j, i+1)
	}
	r.Path = path
	return r, nil
}

// squeezeCost is how many times dearer a cell without room is where Squeeze
// looks for the way with the least squeezing: one is worth a detour of 32 cells.
const squeezeCost = 32

// detour searches the way between the ends of a narrow stretch, within a cost,
// and returns how many nodes that took.
func (b *Body) detour(ctx context.Context, q *Query, link *Result, from, to Cell, o *Options, most float64) (expanded int, err error) {
	limited := !math.IsInf(most, 1)
	if b.inflated.Passable(from) && b.inflated.Passable(to) {
		direct := Options{Moves: o.Moves, MaxNodes: o.MaxNodes}
		if limited {
			direct.MaxCost = most
		}
		if err := q.FindInto(ctx, link, b.inflated, from, to, &direct); err != nil || link.Status == Complete {
			return link.Expanded, err
		}
		expanded = link.Expanded
	}
	tight, err := b.tight()
	if err != nil {
		return expanded, err
	}
	err = q.FindInto(ctx, link, tight, from, to, &Options{Moves: o.Moves, MaxNodes: o.MaxNodes})
	if link.Status == Complete && limited && b.raw.PathCost(link.Path, o.Moves) > most {
		link.Status = TooFar
	}
	return expanded + link.Expanded, err
}

// tight returns the raw map with cells that have no room made dear; it is made
// when it is first needed.
func (b *Body) tight() (*Map, error) {
	b.once.Do(func() {
		w, h := b.ground.Size()
		m, err := New(w, h)
		for y := range int32(h) {
			for x := range int32(w) {
				at := Cell{x, y}
				if err != nil || !b.raw.Passable(at) {
					continue
				}
				m.put(at, true)
				cost := b.inflated.Cost(at)
				if !b.inflated.Passable(at) {
					cost = min(cost*squeezeCost, MaxCost)
				}
				err = m.SetCost(at, cost)
			}
		}
		b.squeezed, b.fault = m, err
	})
	return b.squeezed, b.fault
}

// narrowFrom returns the end of the narrow stretch of a path that begins at i, i
// if none does.
func (b *Body) narrowFrom(path []Cell, i int) int {
	for i < len(path) && !b.open(path, i) {
		i++
	}
	return i
}

// open reports whether the body fits at a cell of a path and on the step that
// leads there.
func (b *Body) open(path []Cell, i int) bool {
	c := path[i]
	if !b.inflated.Passable(c) || i == 0 {
		return b.inflated.Passable(c)
	}
	// A step off a cell without room belongs to that stretch already.
	p := path[i-1]
	return !b.inflated.Passable(p) || mayStep(b.inflated, p, c, Moves{})
}

func (b *Body) check(opts *Options) error {
	if opts != nil && (opts.Moves.Neighbours == Six || opts.Moves.Neighbours == Eight && opts.Moves.Corners != Never || opts.Algorithm >= Theta) {
		return &UnsupportedError{Algorithm: opts.Algorithm, Moves: opts.Moves, Weighted: b.inflated.Weighted(), By: "body"}
	}
	return nil
}
