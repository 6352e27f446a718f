package grid

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// ctxNodes is how many nodes are expanded between two looks at the context.
const ctxNodes = 4096

// Step goes on with the search that Begin started, for at most the given number
// of expanded nodes, and reports whether it has ended. The outcome does not
// depend on how a search was sliced. If the ground was edited since Begin, the
// search ends with status Stale. When the context ends, the search stays where
// it is and can be stepped on with another.
func (q *Query) Step(ctx context.Context, nodes int) (done bool, err error) {
	ctx = alive(ctx)
	r := &q.run
	switch {
	case !r.begun:
		return false, ErrNotBegun
	case nodes < 1:
		return false, fmt.Errorf("%w: %d", ErrSlice, nodes)
	}
	for r.status == Unfinished && nodes > 0 {
		if r.ground.Version() != r.version {
			r.status = Stale
			break
		}
		if err := ctx.Err(); err != nil {
			return false, fmt.Errorf("grid: search stopped after %d nodes: %w", r.expanded, err)
		}
		n := min(nodes, ctxNodes)
		if r.opts.MaxNodes > 0 {
			n = min(n, r.opts.MaxNodes-r.expanded)
		}
		before := r.expanded
		if q.expand(n) {
			if !q.startOver() {
				q.finish()
			}
		} else if r.opts.MaxNodes > 0 && r.expanded >= r.opts.MaxNodes {
			r.status = Budget
		}
		nodes -= r.expanded - before
	}
	return r.status != Unfinished, nil
}

// expand runs the algorithm for at most n nodes and reports whether there is
// nothing left to expand.
func (q *Query) expand(n int) bool {
	switch q.run.algorithm {
	case JPS:
		return q.expandJPS(n)
	case JPSPlus:
		return q.expandJPSPlus(n)
	case Anya:
		return q.expandAnya(n)
	case Theta, LazyTheta:
		return q.expandTheta(n, q.run.algorithm == LazyTheta)
	}
	if q.run.general() {
		return q.expandGeneral(n)
	}
	return q.expandAStar(n)
}

// partialAlgorithm is the one that finds the nearest cell.
func (r *run) partialAlgorithm() Algorithm {
	if a := r.opts.Algorithm; a == Theta || a == LazyTheta {
		return a
	}
	return AStar
}

// startOver begins a second search when a first one ended and the path to the
// nearest cell is wanted: by A*, if that was one over jump points or corners,
// which are not all cells; and then, for Anya, to the cell that A* found.
func (q *Query) startOver() bool {
	r := &q.run
	switch {
	case !r.opts.Partial || r.settled != Unfinished:
		return false
	case q.within():
		return false
	case r.algorithm != r.partialAlgorithm():
		q.seed(r.partialAlgorithm())
		return true
	case r.opts.Algorithm == Anya && r.nearestAway >= 0:
		q.finish()
		r.settled, r.status = r.status, Unfinished
		r.goal, r.to = r.nearest, unpack(r.nearest)
		away := r.nearestAway
		r.opts.MaxCost = 0 // the way to a cell within reach is within reach
		q.seed(Anya)
		r.nearestAway = away
		return true
	}
	return false
}

// finish turns "nothing left to expand" into a status.
func (q *Query) finish() {
	r := &q.run
	switch {
	case r.settled != Unfinished:
		r.status = r.settled
	case q.within():
		r.status = Complete
	case r.cut || r.best <= r.limit:
		r.status = TooFar
	case r.rows.get(r.rows.id(r.to.X, r.to.Y)):
		r.status = Unreachable
	default:
		r.status = GoalBlocked
	}
}

// within reports whether a route was found and does not cost more than MaxCost.
func (q *Query) within() bool {
	r := &q.run
	if r.best > r.limit || r.opts.MaxCost == 0 {
		return r.best <= r.limit
	}
	switch {
	case r.algorithm == Anya:
		q.line = q.traceCorners(q.line[:0])
	case r.anyAngle():
		q.line = q.tracePoints(q.line[:0], r.goal)
	default:
		q.hand = q.trace(q.hand[:0], r.goal)
		return r.affords(r.m.PathCost(q.hand, r.opts.Moves))
	}
	return r.affords(lengthOf(q.line))
}

// near considers an expanded node as the end of a partial path.
func (q *Query) near(pos uint32, g int64) {
	r := &q.run
	away := squared(r.opts.Moves.Neighbours, unpack(pos), r.to)
	if r.nearestAway >= 0 {
		if away > r.nearestAway {
			return
		}
		if away == r.nearestAway {
			best := q.node(r.nearest).g
			if g > best || g == best && pos >= r.nearest {
				return
			}
		}
	}
	r.nearest, r.nearestAway = pos, away
}

func (q *Query) node(pos uint32) *node {
	return &q.nodes[q.run.rows.id(int32(pos&0xffff), int32(pos>>16))]
}

// Result writes the outcome of the search so far to dst, whose slices are used
// again. Before the search has ended the status is Unfinished, with the path
// to the nearest place if Partial is set.
func (q *Query) Result(dst *Result) error {
	r := &q.run
	if !r.begun {
		return ErrNotBegun
	}
	*dst = Result{
		Status: r.status, Path: dst.Path[:0], Points: dst.Points[:0], Gap: math.NaN(),
		Expanded: r.expanded, Pushed: r.pushed, Algorithm: r.algorithm, Version: r.version,
	}
	end := r.goal
	switch {
	case r.status == Complete:
		dst.Gap = 0
	case r.opts.Algorithm == Anya && r.settled == Unfinished:
		return nil
	case r.nearestAway >= 0:
		end = r.nearest
		dst.Gap = math.Sqrt(float64(r.nearestAway))
	default:
		return nil
	}
	switch {
	case r.algorithm == Anya:
		dst.Points = q.traceCorners(dst.Points)
	case r.anyAngle():
		dst.Points = q.tracePoints(dst.Points, end)
	default:
		dst.Path = q.trace(dst.Path, end)
		dst.Cost = r.m.PathCost(dst.Path, r.opts.Moves)
		return nil
	}
	dst.Cost = lengthOf(dst.Points)
	return nil
}

// trace appends the way from the start to a node, by single steps.
func (q *Query) trace(dst []Cell, end uint32) []Cell {
	four := q.run.opts.Moves.Neighbours == Four
	steps := 1
	for at := end; at != q.run.start; {
		up := q.node(at).parent
		steps += stepsBetween(unpack(up), unpack(at), four)
		at = up
	}
	dst = slices.Grow(dst, steps)[:len(dst)+steps]
	i := len(dst) - 1
	c := unpack(end)
	dst[i] = c
	for at := end; at != q.run.start; {
		at = q.node(at).parent
		// Backwards: a jump goes diagonally first and straight then; with four
		// neighbours up or down first.
		up := unpack(at)
		dx, dy := sign(up.X-c.X), sign(up.Y-c.Y)
		ax, ay := (up.X-c.X)*dx, (up.Y-c.Y)*dy
		diagonal := min(ax, ay)
		if four {
			diagonal = 0
		}
		for range ax - diagonal {
			c.X += dx
			i--
			dst[i] = c
		}
		for range ay - diagonal {
			c.Y += dy
			i--
			dst[i] = c
		}
		for range diagonal {
			c.X, c.Y = c.X+dx, c.Y+dy
			i--
			dst[i] = c
		}
	}
	return dst
}

// stepsBetween counts the steps of a jump.
func stepsBetween(a, b Cell, four bool) int {
	dx, dy := b.X-a.X, b.Y-a.Y
	dx, dy = max(dx, -dx), max(dy, -dy)
	if four {
		return int(dx + dy)
	}
	return int(max(dx, dy))
}

func sign(v int32) int32 {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}

// PathCost returns the cost of walking a path by single steps: the sum over its
// steps of length times the cost of the cell entered. A step counts as
// diagonal when both coordinates change and the moves give such steps a length
// of their own. Whether the steps can be made is not looked at, see Walkable;
// cells outside count as costing 1.
func (m *Map) PathCost(path []Cell, mv Moves) float64 {
	var straight, diagonal int64
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		cost := int64(1)
		if m.costs != nil {
			cost = costScale
			if m.Contains(b) {
				cost = int64(m.costs[m.rows.id(b.X, b.Y)])
			}
		}
		if a.X != b.X && a.Y != b.Y && mv.Neighbours == Eight && mv.Diagonal == Octile {
			diagonal += cost
		} else {
			straight += cost
		}
	}
	sum := float64(straight) + float64(float64(diagonal)*math.Sqrt2)
	if m.costs != nil {
		sum /= costScale
	}
	return sum
}
