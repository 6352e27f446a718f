package grid

import (
	"context"
	"fmt"
)

// Body searches for units that are larger than a point: discs of one radius,
// in cell sides, whose middle walks from cell middle to cell middle. A unit k
// cells across has radius k/2.
//
// The search runs on the inflated map, the cells where the disc fits, with the
// corner rule Never. That is enough for the way between the cells, too: on a
// straight step the distance to every square is least at an end, and on a
// diagonal one, a square nearer to its middle than to its ends is nearer still
// to one of the two cells beside, which must have room as well.
//
// A Body shows the ground as it was when it was made, see Stale; it may be
// used by several goroutines.
type Body struct {
	ground    Ground
	clearance *Clearance
	inflated  *Map
	radius    float64
}

// BodyResult is the outcome of a search for a body.
type BodyResult struct {
	Result
	// Narrow lists the stretches [from, to) of Path where the body does not
	// fit, from Squeeze; empty means that it touches nothing.
	Narrow [][2]int
	// Replaced counts the stretches of the raw way that a detour replaced.
	Replaced int
}

// NewBody makes the inflated map for a radius, in cell sides, from 0 to
// MaxClearance.
func NewBody(g Ground, radius float64) (*Body, error) {
	if g == nil || !(radius >= 0 && radius <= MaxClearance) {
		return nil, fmt.Errorf("%w: radius %v (0 to %d)", ErrOptions, radius, MaxClearance)
	}
	c, err := NewClearance(g, min(int(radius)+1, MaxClearance))
	if err != nil {
		return nil, err
	}
	w, h := g.Size()
	m, err := New(w, h)
	if err != nil {
		return nil, err
	}
	base, _ := g.ground()
	for y := range int32(h) {
		for x := range int32(w) {
			at := Cell{x, y}
			if g.Passable(at) && c.Fits(at, radius) {
				m.put(at, true)
			}
			if base.costs != nil {
				if err := m.SetCost(at, base.Cost(at)); err != nil {
					return nil, err
				}
			}
		}
	}
	return &Body{g, c, m, radius}, nil
}

// Stale reports whether the ground was edited since the body was made.
func (b *Body) Stale() bool { return b.clearance.version != b.ground.Version() }

// Room returns the inflated map: the cells whose middle the body may stand on.
// It must not be edited.
func (b *Body) Room() *Map { return b.inflated }

// Clearance returns the distances the body was made from, up to a little more
// than its radius.
func (b *Body) Clearance() *Clearance { return b.clearance }

// Find searches on the inflated map. opts must not ask for another corner rule
// than Never, nor for hexagons. A body that does not fit at its start or goal
// ends as StartBlocked or GoalBlocked.
func (b *Body) Find(ctx context.Context, q *Query, from, to Cell, opts *Options) (*BodyResult, error) {
	r := new(BodyResult)
	if err := b.check(opts); err != nil {
		return nil, err
	}
	if err := q.FindInto(ctx, &r.Result, b.inflated, from, to, opts); err != nil {
		return nil, err
	}
	r.Version = b.clearance.version
	return r, nil
}

// Squeeze is Find, and where that leads nowhere a way on the raw map of which
// every stretch too narrow for the body is replaced by a way on the inflated
// one, if there is one between its ends. What remains is listed in Narrow: the
// caller decides whether the unit may pass there, shrunk or pushing.
func (b *Body) Squeeze(ctx context.Context, q *Query, from, to Cell, opts *Options) (*BodyResult, error) {
	r, err := b.Find(ctx, q, from, to, opts)
	if err != nil || r.Status == Complete || r.Status == Outside {
		return r, err
	}
	spent := r.Expanded
	if err := q.FindInto(ctx, &r.Result, b.ground, from, to, opts); err != nil {
		return nil, err
	}
	r.Expanded += spent
	if r.Status != Complete || len(r.Path) == 0 {
		return r, nil
	}
	raw := append([]Cell(nil), r.Path...)
	path := r.Path[:0]
	link := new(Result)
	for i := 0; i < len(raw); {
		j := i
		for j < len(raw) && !b.open(raw, j) {
			j++
		}
		if j == i {
			path = append(path, raw[i])
			i++
			continue
		}
		if i > 0 && j < len(raw) {
			if err := q.FindInto(ctx, link, b.inflated, raw[i-1], raw[j], opts); err != nil {
				return nil, err
			}
			r.Expanded += link.Expanded
			if link.Status == Complete {
				path = append(path, link.Path[1:]...)
				r.Replaced++
				i = j + 1
				continue
			}
		}
		r.Narrow = append(r.Narrow, [2]int{len(path), len(path) + j - i})
		path = append(path, raw[i:j]...)
		i = j
	}
	var moves Moves
	if opts != nil {
		moves = opts.Moves
	}
	m, _ := b.ground.ground()
	r.Path, r.Cost = path, m.PathCost(path, moves)
	return r, nil
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
		return &UnsupportedError{opts.Algorithm, opts.Moves, b.inflated.Weighted()}
	}
	return nil
}
