package grid

import (
	"context"
	"fmt"
	"math"
)

// Hand is the hand that stays on the wall.
type Hand uint8

const (
	// BothHands traces with each and takes the cheaper way; of equal ones the
	// left hand's.
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
	Limit  bool // a hand used up its steps
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
func Trace(ctx context.Context, q *Query, g Ground, from, to Cell, opts *TraceOptions) (*TraceResult, error) {
	if opts == nil {
		opts = &TraceOptions{}
	}
	limit := opts.MaxSteps
	if limit == 0 {
		limit = 1000
	}
	switch {
	case g == nil || !opts.Moves.valid() || opts.Hand > RightHand || limit < 0 || opts.Fallback != nil && q == nil:
		return nil, fmt.Errorf("%w: trace with %v hand, %d steps, %v", ErrOptions, opts.Hand, limit, opts.Moves)
	case opts.Moves.Neighbours == Six:
		return nil, &UnsupportedError{Moves: opts.Moves}
	}
	m, _ := g.ground()
	r := &TraceResult{}
	r.Version = g.Version()
	r.Gap = math.NaN()
	switch {
	case !m.Contains(from) || !m.Contains(to):
		r.Status = Outside
		return r, nil
	case !g.Passable(from):
		r.Status = StartBlocked
		return r, nil
	case !g.Passable(to):
		r.Status = GoalBlocked
		return r, nil
	}
	for _, hand := range [2]Hand{LeftHand, RightHand} {
		if opts.Hand != BothHands && opts.Hand != hand {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t := tracer{g: g, moves: opts.Moves, to: to, turn: 1, left: limit, path: []Cell{from}}
		if hand == RightHand {
			t.turn = -1
		}
		arrived := t.run()
		r.Steps += limit - t.left
		r.Looped = r.Looped || t.looped
		r.Limit = r.Limit || !arrived && !t.looped
		if cost := m.PathCost(t.path, opts.Moves); arrived && (r.Status != Complete || cost < r.Cost) {
			r.Status, r.Path, r.Cost, r.Gap, r.Hand = Complete, t.path, cost, 0, hand
		}
	}
	switch {
	case r.Status == Complete:
	case opts.Fallback != nil:
		o := *opts.Fallback
		o.Moves = opts.Moves
		r.Fallback = true
		if err := q.FindInto(ctx, &r.Result, g, from, to, &o); err != nil {
			return nil, err
		}
	case r.Limit:
		r.Status = Budget
	}
	return r, nil
}

// tracer walks with one hand on the wall.
type tracer struct {
	g      Ground
	moves  Moves
	to     Cell
	turn   int // 1: away from a wall on the left is clockwise; -1
	left   int // steps
	looped bool
	path   []Cell
}

// compass lists the directions clockwise.
var compass = [8]int{dirN, dirNE, dirE, dirSE, dirS, dirSW, dirW, dirNW}

func (t *tracer) run() bool {
	for {
		at := t.path[len(t.path)-1]
		if at == t.to {
			return true
		}
		if t.left == 0 {
			return false
		}
		next := towards(at, t.to, t.moves)
		if mayStep(t.g, at, next, t.moves) {
			t.step(next)
			continue
		}
		if !t.follow(at, next) {
			return false
		}
	}
}

func (t *tracer) step(next Cell) {
	t.path = append(t.path, next)
	t.left--
}

// follow goes along the wall that bars the step from at to ahead, until the
// goal is nearer than at and the way to it open.
func (t *tracer) follow(at, ahead Cell) bool {
	met := t.away(at)
	heading := 0
	for compass[heading] != direction(at, ahead) {
		heading++
	}
	// The wall is ahead: the first turn begins there, the later ones as far
	// back towards the wall as it can be.
	begin := heading
	type state struct {
		at      Cell
		heading int
	}
	var mark state // Brent: a state of the past, replaced after 1, 2, 4, 8... steps
	marked, power := 0, 1
	for n := 1; t.left > 0; n++ {
		found := false
		for k := range 8 {
			h := (begin + t.turn*k + 64) & 7
			d := compass[h]
			next := Cell{at.X + dirX[d], at.Y + dirY[d]}
			if mayStep(t.g, at, next, t.moves) {
				at, heading, found = next, h, true
				break
			}
		}
		if !found {
			t.looped = true // walled in
			return false
		}
		t.step(at)
		if at == t.to {
			return true
		}
		if t.away(at) < met && mayStep(t.g, at, towards(at, t.to, t.moves), t.moves) {
			return true
		}
		if n > 1 && mark == (state{at, heading}) {
			t.looped = true
			return false
		}
		if marked++; marked == power {
			mark, marked, power = state{at, heading}, 0, 2*power
		}
		begin = heading - 3*t.turn
		if t.moves.Neighbours == Four {
			begin = heading - 2*t.turn
		}
	}
	return false
}

// away is the distance to the goal over open ground.
func (t *tracer) away(c Cell) int64 {
	diag := int64(rootUniform)
	if t.moves.Neighbours == Four {
		diag = 2 * oneUniform
	}
	return octile(c.X-t.to.X, c.Y-t.to.Y, oneUniform, diag)
}
