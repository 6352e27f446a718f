package grid

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// Algorithm names a search.
type Algorithm uint8

const (
	// AStar serves every kind of move and costs.
	AStar Algorithm = iota
	// JPS is jump point search: the same routes' cost as AStar on squares
	// without costs, scanning 56 cells at a time.
	JPS
	// JPSPlus is JPS over distances computed in advance, see JumpTable.
	JPSPlus
	// Theta is Theta*: any-angle routes between cell middles, short but not
	// always the shortest; never longer than AStar's.
	Theta
	// LazyTheta is Lazy Theta*: fewer lines of sight, slightly longer routes, of
	// which few (one in 400 on ground strewn with stones) are longer than AStar's.
	LazyTheta
	// Anya finds the shortest any-angle route for a point.
	Anya
	// Hierarchical is a search by Hierarchy.Find; a Query does not make it.
	Hierarchical
)

// String returns the algorithm's name.
func (a Algorithm) String() string {
	return nameOf("Algorithm", uint8(a), "astar", "jps", "jpsplus", "theta", "lazytheta", "anya", "hierarchy")
}

// Status says how a search ended. Only with Complete does the path lead to the
// goal.
type Status uint8

const (
	// Unfinished: the search was not stepped to its end.
	Unfinished Status = iota
	// Complete: the path leads from the start to the goal.
	Complete
	// Unreachable: everything the start can reach was searched in vain.
	Unreachable
	// GoalBlocked: the goal lies on the map, but is blocked.
	GoalBlocked
	// StartBlocked: the start is blocked.
	StartBlocked
	// Outside: the start or the goal is not on the map.
	Outside
	// Budget: MaxNodes were expanded and the goal was not reached.
	Budget
	// TooFar: the goal is not within MaxCost.
	TooFar
	// Stale: the ground was edited between two steps of the search.
	Stale
)

// String returns the status in a word.
func (s Status) String() string {
	return nameOf("Status", uint8(s), "unfinished", "complete", "unreachable", "goal-blocked",
		"start-blocked", "outside", "budget", "too-far", "stale")
}

// Options are the settings of one search. The zero value is A* with the moves
// of the benchmark sets and no limits.
type Options struct {
	Algorithm Algorithm
	Moves     Moves

	// MaxNodes is how many nodes may be expanded; 0 is no limit.
	MaxNodes int
	// MaxCost is the largest cost of a route; 0 is no limit. A route that costs
	// just as much is within it: the search that found a route finds it again
	// with its Result.Cost as the limit. Nothing dearer is looked at, but by
	// Theta and LazyTheta, to which a node may look dearer than the route over
	// it turns out to be: what they look at is limited to 1.42 and 5.42 times
	// MaxCost.
	MaxCost float64
	// Partial asks for a path to the nearest place instead of none: of the
	// cells the search reached, the one nearest to the goal in a straight
	// line, of these the one that costs least to reach, of these the first by
	// row and column. With MaxNodes that is the nearest of the nodes expanded
	// so far, without a limit the nearest of all there are. Anya knows no such
	// path when it runs out of nodes.
	Partial bool
	// Jumps is the table JPSPlus runs on.
	Jumps *JumpTable
}

// Point is a place in the plane; cell (x, y) is the square from (x, y) to
// (x+1, y+1).
type Point struct{ X, Y float64 }

// Result is the outcome of a search.
type Result struct {
	Status Status
	// Path goes from the start to the end by single steps, both included. It
	// is empty where nothing was found, and for the any-angle algorithms.
	Path []Cell
	// Points are the ends and corners of an any-angle path.
	Points []Point
	// Cost is the cost of the path: straight + diagonal*sqrt(2) for step
	// counts, or sums of costs, that are exact integers or 256ths; or the
	// length of Points.
	Cost float64
	// Gap is the distance from the end of the path to the goal, middle to
	// middle: 0 if Complete, NaN without a path.
	Gap float64
	// Expanded and Pushed count nodes taken from and put into the open list.
	Expanded, Pushed int
	// Algorithm is the one that found the path: for a partial path of JPS or
	// JPSPlus that did not run out of MaxNodes it is AStar. Anya's goes to the
	// cell that AStar finds.
	Algorithm Algorithm
	// Version is the version of the ground that was searched.
	Version uint64
}

// Errors of queries, for errors.Is.
var (
	ErrUnsupported = errors.New("grid: algorithm does not serve these moves")
	ErrOptions     = errors.New("grid: bad options")
	ErrTable       = errors.New("grid: jump table does not fit")
	ErrSlice       = errors.New("grid: a slice needs at least one node")
	ErrNotBegun    = errors.New("grid: no search was begun")
	ErrStale       = errors.New("grid: ground was edited since the beginning")
)

// UnsupportedError says which algorithm refused which moves. It is an
// ErrUnsupported.
type UnsupportedError struct {
	Algorithm Algorithm
	Moves     Moves
	Weighted  bool // whether the ground has costs
	// By is what refused, if it was no Query: "trace", "selector", "flow walk"
	// or "body"; of these only the body has an Algorithm.
	By string
}

// Error returns the refusal in words.
func (e *UnsupportedError) Error() string {
	costs := "uniform"
	if e.Weighted {
		costs = "weighted"
	}
	who := e.Algorithm.String()
	switch {
	case e.By == "body":
		who = "body by " + who
	case e.By != "":
		who = e.By
	}
	return fmt.Sprintf("%v: %s on %v, %s costs", ErrUnsupported, who, e.Moves, costs)
}

// Unwrap returns ErrUnsupported.
func (e *UnsupportedError) Unwrap() error { return ErrUnsupported }

// Serves reports whether an algorithm serves a kind of move on a ground with or
// without costs.
func (a Algorithm) Serves(m Moves, weighted bool) bool {
	if !m.valid() {
		return false
	}
	switch a {
	case AStar:
		return true
	case JPS, JPSPlus:
		return m.Neighbours != Six && !weighted
	case Anya:
		return m == Moves{Corners: OneFree} && !weighted
	case Theta, LazyTheta:
		return m.Neighbours == Eight && m.Diagonal == Octile && !weighted
	}
	return false
}

// Query searches. It owns the memory of its searches and keeps it from one to
// the next, so that after the first ones of a size nothing is allocated. A
// Query belongs to one goroutine; any number of them share a ground. The zero
// value is ready to use.
type Query struct {
	nodes []node
	epoch uint32
	open  bucketQueue
	heap  heapQueue
	anya  anya
	flat  flat
	run   run
	hier  hierQuery
	line  []Point // scratch
	hand  []Cell  // of a trace: the path of the hand that is on its way, and then the one not taken

	record func(Expansion)
}

// NewQuery returns a query. It takes its memory at the first search.
func NewQuery() *Query { return new(Query) }

// node is what a search knows about a cell: 16 bytes, four to a cache line.
type node struct {
	g      int64
	parent uint32 // place of the node before, y<<16 | x
	mark   uint32 // epoch<<5 | closed<<4 | direction it was entered by
}

const (
	markDir    = 15
	markClosed = 16
	markBits   = 5
	lastEpoch  = 1<<(32-markBits) - 1
)

// run is one search.
type run struct {
	opts      Options
	algorithm Algorithm
	ground    Ground
	m         *Map
	rows      *surface
	cols      *surface
	from, to  Cell
	start     uint32
	goal      uint32
	units     units
	weighted  bool
	limit     int64 // routes dearer than this are not followed
	straight  int64 // the same, for the straight line to the goal
	cut       bool  // something was left out because of the limit
	best      int64 // cost of the best route to the goal so far, limit+1 for none
	begun     bool
	status    Status
	version   uint64

	expanded, pushed int

	settled Status // of a search whose partial path is still being made

	nearest     uint32 // of the expanded nodes, where Partial is set
	nearestAway int64  // squared distance, -1 for none
}

func pack(c Cell) uint32     { return uint32(c.Y)<<16 | uint32(c.X) }
func unpack(pos uint32) Cell { return Cell{int32(pos & 0xffff), int32(pos >> 16)} }

// Find searches for a route and returns a result of its own; see FindInto.
func (q *Query) Find(ctx context.Context, g Ground, from, to Cell, opts *Options) (*Result, error) {
	r := new(Result)
	if err := q.FindInto(ctx, r, g, from, to, opts); err != nil {
		return nil, err
	}
	return r, nil
}

// FindInto searches for a route and writes the outcome to r, whose slices are
// used again. opts may be nil. The error is about the call: options out of
// range, an algorithm that does not serve the moves (ErrUnsupported), a jump
// table that is missing or out of date (ErrTable), a context that ended.
// Whether and how far there is a route is said by the result's Status. A nil
// context stands for Background, here and everywhere in this package.
func (q *Query) FindInto(ctx context.Context, r *Result, g Ground, from, to Cell, opts *Options) error {
	if r == nil {
		return fmt.Errorf("%w: no result", ErrOptions)
	}
	if err := q.Begin(g, from, to, opts); err != nil {
		return err
	}
	for {
		done, err := q.Step(ctx, math.MaxInt)
		if err != nil {
			return err
		}
		if done {
			return q.Result(r)
		}
	}
}

// Begin starts a search that Step carries out, and ends the one before.
func (q *Query) Begin(g Ground, from, to Cell, opts *Options) error {
	if q == nil {
		return fmt.Errorf("%w: no query", ErrOptions)
	}
	q.run.begun = false
	if opts == nil {
		opts = &Options{}
	}
	if err := q.check(g, opts); err != nil {
		return err
	}
	m, over := g.ground()
	r := &q.run
	*r = run{
		opts: *opts, algorithm: opts.Algorithm, ground: g, m: m, rows: &m.rows, cols: &m.cols, from: from, to: to,
		units: unitsOf(m, opts.Moves), weighted: m.Weighted(), version: g.Version(), nearestAway: -1, begun: true,
	}
	if !m.Contains(from) || !m.Contains(to) {
		r.status = Outside
		return nil
	}
	if over != nil {
		q.flat.follow(over)
		r.rows, r.cols = &q.flat.rows, &q.flat.cols
	}
	r.start, r.goal = pack(from), pack(to)
	if !r.rows.get(r.rows.id(from.X, from.Y)) {
		r.status = StartBlocked
		return nil
	}
	if !r.rows.get(r.rows.id(to.X, to.Y)) && !opts.Partial {
		r.status = GoalBlocked
		return nil
	}
	if r.rows.get(r.rows.id(to.X, to.Y)) {
		q.seed(opts.Algorithm)
	} else { // to the nearest cell, which need not be a jump point or a corner
		q.seed(r.partialAlgorithm())
	}
	return nil
}

func (q *Query) check(g Ground, o *Options) error {
	if absent(g) {
		return fmt.Errorf("%w: no ground", ErrOptions)
	}
	m, _ := g.ground()
	switch {
	case o.MaxNodes < 0:
		return fmt.Errorf("%w: MaxNodes %d is negative", ErrOptions, o.MaxNodes)
	case !(o.MaxCost >= 0):
		return fmt.Errorf("%w: MaxCost %v is negative or not a number", ErrOptions, o.MaxCost)
	case !o.Moves.valid() || o.Algorithm > Anya:
		return fmt.Errorf("%w: %v, %v", ErrOptions, o.Algorithm, o.Moves)
	case !o.Algorithm.Serves(o.Moves, m.Weighted()):
		return &UnsupportedError{Algorithm: o.Algorithm, Moves: o.Moves, Weighted: m.Weighted()}
	}
	if o.Algorithm == JPSPlus {
		return o.Jumps.fits(g, o.Moves)
	}
	return nil
}

// seed makes the start the only open node of a search by an algorithm.
func (q *Query) seed(a Algorithm) {
	r := &q.run
	r.algorithm = a
	switch {
	case a == Theta || a == LazyTheta:
		r.straight, r.limit = limitBits(r.opts.MaxCost), thetaLimit(r.opts.MaxCost, a == LazyTheta)
	case r.anyAngle():
		r.limit = limitBits(r.opts.MaxCost)
		r.straight = r.limit
	default:
		r.limit = r.units.limit(r.opts.MaxCost)
		r.straight = r.limit
	}
	r.best = r.limit + 1
	r.nearestAway = -1
	if n := r.rows.ids(); len(q.nodes) < n {
		q.nodes = make([]node, n)
		q.epoch = 0
	}
	if q.epoch == lastEpoch {
		clear(q.nodes)
		q.epoch = 0
	}
	q.epoch++
	q.heap.items = q.heap.items[:0]
	if a == Anya {
		q.seedAnya()
		return
	}
	q.nodes[r.rows.id(r.from.X, r.from.Y)] = node{parent: r.start, mark: q.epoch<<markBits | dirNone}
	if r.start == r.goal {
		r.best = 0
	}
	h := r.estimate(r.from)
	q.open.reset(h)
	if h > r.straight {
		r.cut = true
	} else if q.usesHeap() {
		q.heap.push(heapItem{f: h, pos: r.start})
	} else {
		q.open.push(h, r.start)
	}
	r.pushed++
}

// usesHeap says which open list the search is on.
func (q *Query) usesHeap() bool {
	return q.run.anyAngle() || q.run.algorithm == AStar && q.run.general()
}

// general reports whether A* must look at every step: hexagons and costs are
// not pruned.
func (r *run) general() bool { return r.opts.Moves.Neighbours == Six || r.weighted }

// estimate is a lower bound of the cost from c to the goal.
func (r *run) estimate(c Cell) int64 {
	if r.anyAngle() {
		return bitsOf(apart(c, r.to))
	}
	one, diag := r.units.one, r.units.diag
	if r.weighted {
		one, diag = one*int64(r.m.least), diag*int64(r.m.least)
	}
	switch r.opts.Moves.Neighbours {
	case Six:
		return hexSteps(c, r.to) * one
	case Four:
		diag = 2 * one
	}
	return octile(c.X-r.to.X, c.Y-r.to.Y, one, diag)
}
