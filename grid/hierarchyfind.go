package grid

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// HierarchyFind are the settings of one search. The zero value asks for a good
// route and nothing else.
type HierarchyFind struct {
	// Rough leaves the route as it comes from gate to gate. Otherwise the
	// crossings are moved to where the way across two clusters is shortest,
	// which brings it close to the optimum and takes about as long again.
	Rough bool
	// Lower asks for a proof how good the route is, HierarchyResult.Lower, by
	// a second search that takes about as long as the one from gate to gate.
	Lower bool
	// Partial asks for a route to the nearest place where the goal cannot be
	// reached: of the cells that can, one nearest to the goal in a straight
	// line, of these the one whose route costs least, of these the first by
	// row and column.
	Partial bool
}

// HierarchyResult is the outcome of a search.
type HierarchyResult struct {
	Result
	// Lower is a proven lower bound of the cost of the shortest route to where
	// the path ends: Cost if the path is known to be a shortest one, 0 without
	// a path. Without HierarchyFind.Lower it is what the straight line and
	// Hierarchy.Bound give.
	Lower float64
	// Gates counts the gates that were expanded; Expanded counts cells, too.
	Gates int
}

// hierQuery is the memory of searches through hierarchies.
type hierQuery struct {
	h       *Hierarchy
	flood   hierFlood
	states  []hierState
	out     []float64 // by gate: the cost at which its cluster was left by it,
	touched []uint32  // which counts if this is the epoch, by cluster
	epoch   uint32
	open    rowQueue
	head    []float64 // from the start to the gates of its cluster
	tail    []float64 // from the gates of the goal's cluster to it
	legs    []hierLeg
	gates   int

	reach heapQueue // of a partial route: clusters, the nearest to the goal first
	ends  []Cell    // and the cells nearest to it
	trial HierarchyResult

	lower bool    // the search looks for a lower bound
	greed float64 // what its estimates are multiplied by
	best  float64 // cost of the best route so far
	to    Cell
}

// hierState is what a search knows of a gate: the cost at which it was entered
// from another cluster, and that at which it was expanded. Each counts if its
// epoch is the search's.
type hierState struct {
	g, done           float64
	up, via           int32 // the gates by which the cluster before was entered, -1 for the start, and left
	entered, expanded uint32
}

// hierLeg is a stretch of a route within one cluster.
type hierLeg struct {
	cluster  int32
	from, to Cell
}

// Find returns a route; see FindInto.
func (h *Hierarchy) Find(ctx context.Context, q *Query, from, to Cell, opts *HierarchyFind) (*HierarchyResult, error) {
	r := new(HierarchyResult)
	if err := h.FindInto(ctx, q, r, from, to, opts); err != nil {
		return nil, err
	}
	return r, nil
}

// FindInto searches the ground as it was when the hierarchy was made, whose
// version is in the result, and writes the outcome to r, whose slices are used
// again. opts may be nil. Whether there is a way is known at once. Ends of
// which the route costs little more than two sides of a cluster get a shortest
// one. The error is that of a context that ended, or ErrOptions without a query.
//
// The query lends its memory, so there is one for each goroutine, while the
// hierarchy is shared: 40 bytes a gate, and some for the cells of a few
// clusters. After the first searches nothing is allocated.
func (h *Hierarchy) FindInto(ctx context.Context, q *Query, r *HierarchyResult, from, to Cell, opts *HierarchyFind) error {
	if h == nil || h.of == nil || q == nil || r == nil {
		return fmt.Errorf("%w: a search needs a hierarchy that was made, a query and a result", ErrOptions)
	}
	ctx = alive(ctx)
	if opts == nil {
		opts = &HierarchyFind{}
	}
	k := &q.hier
	k.begin(h)
	*r = HierarchyResult{Result: Result{
		Path: r.Path[:0], Points: r.Points[:0], Gap: math.NaN(), Algorithm: Hierarchical, Version: h.version,
	}}
	status, err := k.route(ctx, r, from, to, opts)
	if err == nil && opts.Partial && (status == Unreachable || status == GoalBlocked) {
		err = k.partial(ctx, r, from, to, opts)
	}
	r.Status, r.Gates = status, k.gates
	r.Expanded = k.gates + k.flood.seen
	return err
}

// begin makes the memory fit a hierarchy.
func (k *hierQuery) begin(h *Hierarchy) {
	if n := len(h.island); len(k.states) < n {
		k.states, k.out = make([]hierState, n), make([]float64, n)
		clear(k.touched)
		k.epoch = 0
	}
	if n := len(h.clusters); len(k.touched) < n {
		k.touched = make([]uint32, n)
	}
	k.h, k.gates, k.flood.seen = h, 0, 0
}

func (h *Hierarchy) clusterAt(c Cell) int32 { return c.Y/h.side*h.nx + c.X/h.side }

func (h *Hierarchy) origin(cluster int32) Cell {
	return Cell{cluster % h.nx * h.side, cluster / h.nx * h.side}
}

func (h *Hierarchy) contains(c Cell) bool {
	return c.X >= 0 && c.Y >= 0 && c.X < h.rows.w && c.Y < h.rows.h
}

func (h *Hierarchy) free(c Cell) bool { return h.rows.get(h.rows.id(c.X, c.Y)) }

// route writes a route to r, without its status.
func (k *hierQuery) route(ctx context.Context, r *HierarchyResult, from, to Cell, opts *HierarchyFind) (Status, error) {
	h := k.h
	switch {
	case !h.contains(from) || !h.contains(to):
		return Outside, nil
	case !h.free(from):
		return StartBlocked, nil
	case !h.free(to):
		return GoalBlocked, nil
	}
	a, b := h.clusterAt(from), h.clusterAt(to)
	k.tail = k.spread(k.tail, b, to, true)
	k.head = k.spread(k.head, a, from, false)
	direct := math.Inf(1)
	if a == b {
		if d, ok := k.flood.cost(k.local(to)); ok {
			direct = d
		}
	}
	if math.IsInf(direct, 1) {
		if i := h.islandOf(a, k.head); i < 0 || i != h.islandOf(b, k.tail) {
			return Unreachable, nil
		}
	}
	last, cost, err := k.search(ctx, from, to, direct, false)
	if err != nil {
		return Unfinished, err
	}
	if k.near(r, from, to, cost) {
		r.Gap, r.Cost = 0, h.pathCost(r.Path)
		r.Lower = r.Cost
		return Complete, nil
	}
	lower := h.estimate(from, to)
	k.legsTo(last, a, from, to)
	if opts.Lower {
		_, bound, err := k.search(ctx, from, to, direct, true)
		if err != nil {
			return Unfinished, err
		}
		lower = max(lower, bound)
	}
	if err := k.refine(ctx, r, !opts.Rough); err != nil {
		return Unfinished, err
	}
	r.Gap, r.Cost = 0, h.pathCost(r.Path)
	ratio, plus := h.Bound()
	r.Lower = min(max(lower, (cost-plus)/ratio), r.Cost)
	return Complete, nil
}

// local is a cell of the rectangle that was loaded last.
func (k *hierQuery) local(c Cell) Cell { return Cell{c.X - k.flood.x0, c.Y - k.flood.y0} }

// spread writes the costs between a cell and the gates of its cluster.
func (k *hierQuery) spread(dst []float64, cluster int32, at Cell, back bool) []float64 {
	c, o := k.h.clusters[cluster], k.h.origin(cluster)
	k.flood.load(k.h, o.X, o.Y, c.w, c.h)
	k.flood.search(k.local(at), nowhere, back)
	dst = slices.Grow(dst[:0], len(c.gates))
	for _, g := range c.gates {
		d, ok := k.flood.cost(Cell{int32(g.x), int32(g.y)})
		if !ok {
			d = math.Inf(1)
		}
		dst = append(dst, d)
	}
	return dst
}

// islandOf names the island of a cell by what its costs to the gates are, -1 if
// it reaches none.
func (h *Hierarchy) islandOf(cluster int32, costs []float64) int32 {
	for i, d := range costs {
		if !math.IsInf(d, 1) {
			return h.island[h.first[cluster]+int32(i)]
		}
	}
	return -1
}

// estimate is a lower bound of the cost from a to b.
func (h *Hierarchy) estimate(a, b Cell) float64 {
	dx, dy := max(a.X-b.X, b.X-a.X), max(a.Y-b.Y, b.Y-a.Y)
	var d float64
	switch m := h.opts.Moves; {
	case m.Neighbours == Six:
		d = float64(hexSteps(a, b))
	case m.Neighbours == Four:
		d = float64(dx + dy)
	case m.Diagonal == Unit:
		d = float64(max(dx, dy))
	default:
		d = float64(max(dx, dy)) + float64(float64(min(dx, dy))*(math.Sqrt2-1))
	}
	return d * (1 - 0x1p-40) * float64(h.least) / costScale
}

// near finds the shortest route where that of which the cost is known is a
// short one: it stays in a rectangle that is not large.
func (k *hierQuery) near(r *HierarchyResult, from, to Cell, cost float64) bool {
	h := k.h
	most := cost * costScale / float64(h.least)
	if !(most <= 2.5*float64(h.side)) {
		return false
	}
	steps := int32(most) + 1
	dx, dy := max(from.X-to.X, to.X-from.X), max(from.Y-to.Y, to.Y-from.Y)
	ax, ay := (steps-dx)/2+1, (steps-dy)/2+1
	x0, y0 := max(min(from.X, to.X)-ax, 0), max(min(from.Y, to.Y)-ay, 0)
	x1, y1 := min(max(from.X, to.X)+ax+1, h.rows.w), min(max(from.Y, to.Y)+ay+1, h.rows.h)
	k.flood.load(h, x0, y0, x1-x0, y1-y0)
	k.flood.search(k.local(from), k.local(to), false)
	r.Path = append(r.Path, from)
	r.Path = k.flood.way(r.Path, k.local(to))
	return true
}

// legsTo lists the stretches of the route whose last gate is a state, or that
// has none.
func (k *hierQuery) legsTo(last, cluster int32, from, to Cell) {
	h := k.h
	k.legs = k.legs[:0]
	end := to
	for g := last; g >= 0; { // from the goal back
		k.legs = append(k.legs, hierLeg{h.owner[g], h.gateCell(g), end})
		end = h.gateCell(k.states[g].via)
		g = k.states[g].up
	}
	k.legs = append(k.legs, hierLeg{cluster, from, end})
	slices.Reverse(k.legs)
}

// gateCell returns the cell of a gate on the map.
func (h *Hierarchy) gateCell(number int32) Cell {
	cluster := h.owner[number]
	g, o := h.clusters[cluster].gates[number-h.first[cluster]], h.origin(cluster)
	return Cell{o.X + int32(g.x), o.Y + int32(g.y)}
}

// pathCost is Map.PathCost with the costs of the hierarchy.
func (h *Hierarchy) pathCost(path []Cell) float64 {
	var straight, diagonal int64
	mv := h.opts.Moves
	long := mv.Neighbours == Eight && mv.Diagonal == Octile
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		if cost := int64(h.cost(b)); long && a.X != b.X && a.Y != b.Y {
			diagonal += cost
		} else {
			straight += cost
		}
	}
	return (float64(straight) + float64(float64(diagonal)*math.Sqrt2)) / costScale
}

func stopped(ctx context.Context, gates int) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("grid: search stopped after %d gates: %w", gates, err)
	}
	return nil
}
