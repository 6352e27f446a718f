package grid

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// ErrHierarchy is the error of a hierarchy whose ground is not searched with
// these moves or was edited, and of one that would take too much memory.
var ErrHierarchy = errors.New("grid: hierarchy does not fit")

// HierarchyOptions are the settings of a Hierarchy. The zero value of a field
// stands for its default.
type HierarchyOptions struct {
	// Moves is how units move; every kind is served, with and without costs.
	Moves Moves
	// Cluster is the side of a cluster, 8 to 256 cells; default 64. Larger
	// clusters make searches across the map faster, and edits slower.
	Cluster int
	// Ratio is what a route may cost at most as a multiple of the shortest
	// one's cost, see Bound: 1 to 4; default 1.5. With 1 every route is a
	// shortest one; memory and times grow as it goes there.
	Ratio float64
	// Workers is how many goroutines build; 0 or less means one for each
	// processor. The hierarchy is the same for any number.
	Workers int
	// MaxBytes is how much memory the hierarchy may take; default 2 GiB less one. One
	// that would take more is ErrHierarchy.
	MaxBytes int
	// Progress is called as clusters are finished, in updates too, by one
	// goroutine at a time.
	Progress func(done, total int)
}

// Hierarchy is a ground cut into square clusters, for routes across very large
// maps. Where two clusters touch, some of the places to cross become gates, and
// the exact cost of the best way inside a cluster from each of its gates to each
// other is kept (after Botea, Müller and Schaeffer 2004, "Near optimal
// hierarchical path-finding"). A search goes from gate to gate.
//
// # The bound
//
// Every place to cross a border belongs to a gate; those of one entrance (a
// stretch of a border that is free on both sides) to gates that stand close
// together at its ends and the farther apart, the farther from these. The walk
// along the border from a crossing to its gate is at most e*t, where t is the way
// to the nearer end of the entrance; half a cell is added for crossings by a
// diagonal step.
//
// Of all shortest routes take one with as few crossings as there can be. It
// never enters and leaves a cluster by the same entrance, for along the border
// outside that costs no more. So between two crossings, t and u away from the ends of
// their entrances, it costs at least the greater of the two, and where the
// entrances are on two sides of a corner, as much as the way across. Going by
// the gates of both adds at most e*(t+u), which is sqrt(2)*e of what the stretch
// costs with octile steps, e with four neighbours, and 2*e with hexagons or
// unit diagonals. Only the first and the last stretch, which begin inside a
// cluster, can grow by more, by the longest walk to a gate that there is: from
// that comes the second value of Bound.
//
// A part of the Ratio, a quarter of what is over 1, is left to the search,
// which multiplies its estimates by it to look at far fewer gates (Pohl 1970);
// e takes up the rest.
//
// Where cells have costs, a stretch of border counts as an entrance only if
// its cells have the least cost of both clusters, which the argument needs; all
// other places to cross are gates. On maps whose costs vary from cell to cell
// that is nearly all of them, and with clusters of 64 a hierarchy takes some 60
// bytes a cell.
//
// The bound is a worst case that takes walls built to spite it. On a map of
// towns, mazes, rooms and caves routes cost two hundredths more than the
// shortest in the mean and less than a tenth at worst, and a search can tell
// how far it is from it at most, see HierarchyFind.Lower.
//
// # Edits
//
// A Hierarchy is a copy of the ground as it was. It never changes, so any number
// of goroutines may search it, also while the ground is edited. Update makes
// the next one, which shares with this one all clusters that were not touched.
type Hierarchy struct {
	of      Ground
	opts    HierarchyOptions
	version uint64
	base    uint64 // of the map alone
	rows    surface
	side    int32
	nx, ny  int32 // clusters in a row, and in a column
	slope   float64
	least   uint16 // the least cost of a passable cell

	clusters []*hierCluster
	first    []int32 // number of the first gate of each cluster, and of all gates
	owner    []int32 // by gate: its cluster
	island   []int32 // by gate: gates between which there is a way have the same
	stepsAt  []int32 // by gate: its first step
	crossing []hierStep
	greed    float64 // what estimates may be multiplied by
	detour   float64 // the largest there is
	bytes    int
}

// NewHierarchy builds the hierarchy of a ground. opts may be nil. It takes
// time for each gate of a cluster times the cells of the cluster, and memory
// for the square of the gates of each cluster.
func NewHierarchy(ctx context.Context, g Ground, opts *HierarchyOptions) (*Hierarchy, error) {
	if absent(g) {
		return nil, fmt.Errorf("%w: no ground", ErrOptions)
	}
	ctx = alive(ctx)
	h := &Hierarchy{of: g}
	if opts != nil {
		h.opts = *opts
	}
	o := &h.opts
	if o.Cluster == 0 {
		o.Cluster = 64
	}
	if o.Ratio == 0 {
		o.Ratio = 1.5
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = math.MaxInt32
	}
	switch {
	case !o.Moves.valid():
		return nil, fmt.Errorf("%w: %v", ErrOptions, o.Moves)
	case o.Cluster < 8 || o.Cluster > 256:
		return nil, fmt.Errorf("%w: clusters of %d cells (8 to 256)", ErrOptions, o.Cluster)
	case !(o.Ratio >= 1 && o.Ratio <= 4):
		return nil, fmt.Errorf("%w: ratio %v (1 to 4)", ErrOptions, o.Ratio)
	case o.MaxBytes < 0:
		return nil, fmt.Errorf("%w: %d bytes", ErrOptions, o.MaxBytes)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	h.greed = 1 + (o.Ratio-1)/4
	h.slope = (o.Ratio/h.greed - 1) / cornerShare(o.Moves)
	w, ht := g.Size()
	h.side = int32(o.Cluster)
	h.nx, h.ny = (int32(w)+h.side-1)/h.side, (int32(ht)+h.side-1)/h.side
	h.clusters = make([]*hierCluster, h.nx*h.ny)
	h.snapshot()
	all := make([]int32, len(h.clusters))
	for i := range all {
		all[i] = int32(i)
		h.clusters[i] = h.newCluster(int32(i))
	}
	if err := h.build(ctx, all); err != nil {
		return nil, err
	}
	h.connect(nil, nil)
	return h, nil
}

// cornerShare is the most that t+u can be as a multiple of the least cost from
// a cell t away from a corner along one side to one u away along the other.
func cornerShare(m Moves) float64 {
	switch {
	case m.Neighbours == Four:
		return 1
	case m.Neighbours == Eight && m.Diagonal == Octile:
		return math.Sqrt2
	}
	return 2
}

// snapshot copies the ground's bits.
func (h *Hierarchy) snapshot() {
	m, over := h.of.ground()
	h.rows = m.rows
	h.rows.bits = append([]byte(nil), m.rows.bits...)
	if over != nil {
		for word, d := range over.diffs { // each bit on its own, in any order
			for i := range int32(64) {
				if d.known>>i&1 == 1 {
					h.rows.set(word<<6|i, d.free>>i&1 == 1)
				}
			}
		}
	}
	h.version, h.base = h.of.Version(), m.version
}

// Version returns the version of the ground that the hierarchy shows.
func (h *Hierarchy) Version() uint64 { return h.version }

// Stale reports whether the ground was edited since.
func (h *Hierarchy) Stale() bool { return h.of == nil || h.version != h.of.Version() }

// Moves returns the moves the hierarchy was made for.
func (h *Hierarchy) Moves() Moves { return h.opts.Moves }

// Bound returns how far routes are from the shortest at most: none costs more
// than ratio times the cost of the shortest one, plus the second value. Costs
// inside clusters are kept as float32, for which the ratio has a hair added.
func (h *Hierarchy) Bound() (ratio, plus float64) {
	const hair = 1 + 0x1p-22
	if h.detour == 0 {
		return h.greed * hair, 0
	}
	return h.opts.Ratio * hair, float64(2 * h.detour * h.greed)
}

// Gates returns how many gates there are, counted in each cluster.
func (h *Hierarchy) Gates() int { return len(h.island) }

// Bytes returns the memory of the hierarchy, which it partly shares with those
// it was updated from.
func (h *Hierarchy) Bytes() int {
	return h.bytes + len(h.rows.bits) + 4*len(h.first) + 12*len(h.island) + 8*len(h.crossing) + 8*len(h.clusters)
}

// build makes the gates and costs of the listed clusters.
func (h *Hierarchy) build(ctx context.Context, list []int32) error {
	var next, took atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := 0
	work := func() {
		var f hierFlood
		for {
			i := int(next.Add(1)) - 1
			if i >= len(list) || ctx.Err() != nil || took.Load() > int64(h.opts.MaxBytes) {
				return
			}
			c := h.clusters[list[i]]
			h.setGates(list[i])
			if took.Add(int64(c.size())) > int64(h.opts.MaxBytes) {
				return
			}
			h.measure(&f, list[i])
			if h.opts.Progress != nil {
				mu.Lock()
				done++
				h.opts.Progress(done, len(list))
				mu.Unlock()
			}
		}
	}
	for range min(h.opts.Workers, len(list)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("grid: hierarchy stopped: %w", err)
	}
	h.bytes = 0
	for _, c := range h.clusters {
		h.bytes += c.size()
	}
	if h.bytes > h.opts.MaxBytes {
		return fmt.Errorf("%w: takes more than %d bytes", ErrHierarchy, h.opts.MaxBytes)
	}
	return nil
}
