package grid

import (
	"context"
	"fmt"
	"math"
	"math/bits"
)

// Hand is the hand that stays on the wall.
type Hand uint8

const (
	// BothHands traces with each and takes the cheaper way; of equal ones the
	// left hand's. The right hand gives up where its way is no cheaper.
	BothHands Hand = iota
	// LeftHand keeps the wall to the left.
	LeftHand
	// RightHand keeps the wall to the right.
	RightHand
)

// String returns the hand in a word.
func (h Hand) String() string { return nameOf("Hand", uint8(h), "both", "left", "right") }

// TraceOptions are the settings of a Trace.
type TraceOptions struct {
	Moves Moves // squares only
	Hand  Hand
	// MaxSteps is how many steps each hand may make; 0 stands for 1,000.
	MaxSteps int
	// Fallback is how to search where tracing does not arrive; nil for not at
	// all. Its moves are replaced by those above.
	Fallback *Options
}

// TraceResult is the outcome of a Trace.
type TraceResult struct {
	Result
	Hand   Hand // the hand whose way it is
	Steps  int  // made in all, by both hands
	Looped bool // a hand came round in a circle
	Limit  bool // a hand used up its steps and did not arrive
	// Fallback: the way was not traced but searched.
	Fallback bool
}

// Trace goes straight for the goal and, where a wall stands in the way, along
// the wall with a hand on it, until it is nearer to the goal than where it met
// the wall and can go on straight (after Lumelsky and Stepanov 1987). It
// remembers nothing of the map, needs no open list and is fast in corridors;
// its ways are walkable, but seldom shortest and may cross themselves.
//
// It always ends: each wall is met nearer to the goal than the one before, going
// round in a circle at one wall is noticed (Brent 1980), and the steps are
// limited. Where it does not arrive, the status is that of the fallback, Budget
// where the steps ran out, or Unfinished: tracing cannot prove that there is no
// way.
//
// A step costs some 15 ns. Without a query, or where the query last searched
// another ground, an overlay is read cell by cell, some ten times as slow; what
// comes out is the same.
func Trace(ctx context.Context, q *Query, g Ground, from, to Cell, opts *TraceOptions) (*TraceResult, error) {
	if opts == nil {
		opts = &TraceOptions{}
	}
	limit := opts.MaxSteps
	if limit == 0 {
		limit = 1000
	}
	switch {
	case absent(g) || !opts.Moves.valid() || opts.Hand > RightHand || limit < 0 || opts.Fallback != nil && q == nil:
		return nil, fmt.Errorf("%w: trace with %v hand, %d steps, %v", ErrOptions, opts.Hand, limit, opts.Moves)
	case opts.Moves.Neighbours == Six:
		return nil, &UnsupportedError{Moves: opts.Moves, By: "trace"}
	}
	ctx = alive(ctx)
	if q == nil {
		q = new(Query)
	}
	r := new(TraceResult)
	if err := q.traceWalls(ctx, r, g, from, to, opts, limit); err != nil {
		return nil, err
	}
	return r, nil
}

// traceWalls is Trace into a result whose path is used again.
func (q *Query) traceWalls(ctx context.Context, r *TraceResult, g Ground, from, to Cell, opts *TraceOptions, limit int) error {
	m, over := g.ground()
	*r = TraceResult{Result: Result{Path: r.Path[:0], Gap: math.NaN(), Version: g.Version()}}
	switch {
	case !m.Contains(from) || !m.Contains(to):
		r.Status = Outside
		return nil
	case !g.Passable(from):
		r.Status = StartBlocked
		return nil
	case !g.Passable(to):
		r.Status = GoalBlocked
		return nil
	}
	t := tracer{g: g, to: to, steps: &squareTables[tableIndex(opts.Moves)].step, moves: opts.Moves, units: unitsOf(m, opts.Moves), enough: math.MaxInt64}
	t.away = [2]int64{t.units.one, t.units.diag}
	if m.Weighted() {
		t.costs = m.costs
	}
	if opts.Moves.Neighbours == Four {
		t.away[1] = 2 * t.units.one
	}
	switch {
	case over == nil:
		t.rows = &m.rows
	case q.flat.shows(over):
		t.rows = &q.flat.rows
	}
	t.stride = m.rows.stride
	for _, hand := range [2]Hand{LeftHand, RightHand} {
		if opts.Hand != BothHands && opts.Hand != hand {
			continue
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("grid: trace stopped after %d steps: %w", r.Steps, err)
		}
		t.turn, t.left, t.looped, t.cost = 1, limit, false, 0
		t.path = append(q.hand[:0], from)
		if hand == RightHand {
			t.turn = -1
		}
		arrived := t.run()
		q.hand = t.path
		if q.record != nil {
			q.recordSteps(m, t.path, opts.Moves)
		}
		r.Steps += limit - t.left
		r.Looped = r.Looped || t.looped
		r.Limit = r.Limit || !arrived && !t.looped && t.left == 0
		if arrived && t.cost < t.enough {
			r.Path, q.hand = q.hand, r.Path
			r.Status, r.Gap, r.Hand, t.enough = Complete, 0, hand, t.cost
		}
	}
	switch {
	case r.Status == Complete:
		r.Cost = m.PathCost(r.Path, opts.Moves)
	case opts.Fallback != nil:
		o := *opts.Fallback
		o.Moves = opts.Moves
		r.Fallback = true
		return q.FindInto(ctx, &r.Result, g, from, to, &o)
	case r.Limit:
		r.Status = Budget
	}
	return nil
}

// tracer walks with one hand on the wall.
type tracer struct {
	g      Ground
	rows   *surface // the ground, nil where there is none that shows it
	stride int32
	costs  []uint16 // nil without
	to     Cell
	steps  *stepTable
	moves  Moves
	units  units
	away   [2]int64 // lengths of a straight and a diagonal step over open ground
	turn   int      // 1: away from a wall on the left is clockwise; -1
	left   int      // steps
	looped bool
	path   []Cell
	cost   int64 // of the path
	enough int64 // what costs as much is not wanted
}

// compass lists the directions clockwise.
var compass = [8]int{dirN, dirNE, dirE, dirSE, dirS, dirSW, dirW, dirNW}

// heading is the place in compass of the direction from a to a neighbour.
func heading(a, b Cell) int {
	return [8]int{dirN: 0, dirNE: 1, dirE: 2, dirSE: 3, dirS: 4, dirSW: 5, dirW: 6, dirNW: 7}[direction(a, b)]
}

// byCompass turns a set of directions into one of places in compass.
var byCompass = func() (t [256]uint8) {
	for set := range t {
		for h, d := range compass {
			t[set] |= uint8(set) >> d & 1 << h
		}
	}
	return t
}()

// open returns the steps that may be made from a free cell, by compass.
func (t *tracer) open(c Cell) uint8 {
	free := uint8(0)
	if t.rows != nil {
		free = t.rows.around(t.rows.id(c.X, c.Y))
	} else {
		for d := range 8 {
			if t.g.Passable(Cell{c.X + dirX[d], c.Y + dirY[d]}) {
				free |= 1 << d
			}
		}
	}
	return byCompass[t.steps[free]]
}

func (t *tracer) run() bool {
	at := t.path[0]
	for {
		if at == t.to {
			return true
		}
		if t.left == 0 || t.cost >= t.enough {
			return false
		}
		h := heading(at, towards(at, t.to, t.moves))
		if t.open(at)>>h&1 == 1 {
			at = t.step(at, h)
			continue
		}
		var ok bool
		if at, ok = t.follow(at, h); !ok {
			return false
		}
	}
}

func (t *tracer) step(at Cell, h int) Cell {
	d := compass[h]
	next := Cell{at.X + dirX[d], at.Y + dirY[d]}
	length := t.units.one
	if h&1 == 1 {
		length = t.units.diag
	}
	if t.costs != nil {
		length *= int64(t.costs[(next.Y+1)*t.stride+next.X])
	}
	t.cost += length
	t.path = append(t.path, next)
	t.left--
	return next
}

// follow goes along the wall that bars the step at heading from at, until the
// goal is nearer than there and the way to it open.
func (t *tracer) follow(at Cell, ahead int) (Cell, bool) {
	met := t.distance(at)
	// The wall is ahead: the first turn begins there, the later ones as far
	// back towards the wall as it can be.
	begin, back := ahead, 3*t.turn
	if t.moves.Neighbours == Four {
		back = 2 * t.turn
	}
	type state struct {
		at Cell
		h  int
	}
	var mark state // Brent: a state of the past, replaced after 1, 2, 4, 8... steps
	marked, power := 0, 1
	open := t.open(at)
	for n := 1; t.left > 0 && t.cost < t.enough; n++ {
		if open == 0 {
			t.looped = true // walled in
			return at, false
		}
		h := 0
		if t.turn > 0 {
			h = (begin + bits.TrailingZeros8(bits.RotateLeft8(open, -begin))) & 7
		} else {
			h = (begin - bits.LeadingZeros8(bits.RotateLeft8(open, 7-begin))) & 7
		}
		at = t.step(at, h)
		if at == t.to {
			return at, true
		}
		open = t.open(at)
		if t.distance(at) < met && open>>heading(at, towards(at, t.to, t.moves))&1 == 1 {
			return at, true
		}
		if n > 1 && mark == (state{at, h}) {
			t.looped = true
			return at, false
		}
		if marked++; marked == power {
			mark, marked, power = state{at, h}, 0, 2*power
		}
		begin = (h - back) & 7
	}
	return at, false
}

// distance is that to the goal over open ground.
func (t *tracer) distance(c Cell) int64 {
	return octile(c.X-t.to.X, c.Y-t.to.Y, t.away[0], t.away[1])
}
