package grid

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// Flow is a flow field: for every cell the cost of the way to the nearest of
// several goals, and the step that leads there. One field serves any number of
// units that go to the same goals.
//
// The field is a wave that runs from the goals outwards (Dijkstra 1959, with
// buckets as wide as the shortest step, in which no order is needed: Denardo
// and Fox 1979) and it need not run further than somebody asks: Reach runs it
// to the cells where units stand and a margin beyond, a later Reach goes on
// where it stopped, Fill runs it to the end. What is known never changes, and
// it is the same however the wave was divided.
//
// So no part of a field is computed before it is needed, and none twice: not
// even its memory is looked at, but for one byte a cell.
//
// A Flow owns its memory, some 9 bytes a cell, and keeps it from one field to the
// next. Begin, Reach and Fill belong to one goroutine; between them any number
// may read. Reading does not look at the ground: after an edit the field goes
// on showing what was, and Stale says so; the wave does, so it goes no further
// then (ErrStale). The zero value is ready for Begin.
type Flow struct {
	ground  Ground
	moves   Moves
	version uint64
	rows    *surface
	costs   []uint16
	flat    flat

	cost  []int64 // units to the goal, where mark is not 0
	mark  []uint8 // way out by which the wave came, and the bits below; 0 where it never was
	left  surface // of a field that is not pruned: the free cells that are not final
	wave  wave
	units units
	used  int
	known int
	done  bool
}

// Bits of Flow.mark above a direction.
const (
	flowFinal = 1 << 4 // the cost is the least, the cell was expanded
	flowAll   = 1 << 5 // the wave came by several ways of one cost: no step may be left out
	flowSeen  = 1 << 6 // the wave was here
	flowDir   = 15
)

// flowMargin is how far, in straight steps of the least cost, Reach goes on
// behind the cells it is asked for.
const flowMargin = 32

// wave is the open list: a ring of buckets that spans the longest step. Their
// width, the number of costs that fall into each, and their number are powers
// of two.
type wave struct {
	buckets [][]uint32
	shift   uint  // width = 1<<shift
	margin  int64 // buckets that flowMargin spans
	at      int64 // number of the current bucket
	size    int   // entries in all buckets
}

// Begin starts a field for the goals; nothing of it is known until Reach or
// Fill. Goals outside the ground fail with ErrOutside, no goals at all with
// ErrOptions. Blocked goals are left out; Goals tells how many remain.
func (f *Flow) Begin(g Ground, goals []Cell, moves Moves) error {
	f.used, f.known, f.done, f.ground = 0, 0, true, nil
	if absent(g) || len(goals) == 0 || !moves.valid() {
		return fmt.Errorf("%w: flow field with %d goals, %v", ErrOptions, len(goals), moves)
	}
	m, over := g.ground()
	for _, c := range goals {
		if !m.Contains(c) {
			return m.outside(c)
		}
	}
	f.ground, f.moves, f.version = g, moves, g.Version()
	f.rows, f.costs, f.units = &m.rows, nil, unitsOf(m, moves)
	if over != nil {
		f.flat.follow(over)
		f.rows = &f.flat.rows
	}
	least, most := int64(1), int64(1)
	if m.Weighted() {
		f.costs = m.costs
		least, most = int64(m.least), int64(m.most)
	}
	if n := f.rows.ids(); cap(f.cost) < n {
		f.cost, f.mark = make([]int64, n), make([]uint8, n)
	} else {
		f.cost, f.mark = f.cost[:n], f.mark[:n]
	}
	clear(f.mark)
	f.left = surface{w: f.rows.w, h: f.rows.h, stride: f.rows.stride, bits: f.left.bits[:0]}
	if !f.pruned() {
		f.left.bits = append(f.left.bits, f.rows.bits...)
	}
	f.wave.reset(f.units.one*least, f.units.diag*most)
	for _, c := range goals {
		id := f.rows.id(c.X, c.Y)
		if f.rows.get(id) && f.mark[id] == 0 {
			f.cost[id], f.mark[id] = 0, flowSeen|dirNone
			f.wave.push(0, uint32(id))
			f.used++
		}
	}
	f.done = f.used == 0
	return nil
}

// Goals returns how many different goals can be entered.
func (f *Flow) Goals() int { return f.used }

// Known returns how many cells the field knows the way from.
func (f *Flow) Known() int { return f.known }

// Done reports whether the wave has run to its end: no way leads to a goal from
// the cells that the field does not know.
func (f *Flow) Done() bool { return f.ground != nil && f.done }

// Stale reports whether the ground was edited since Begin, or Begin was never
// called.
func (f *Flow) Stale() bool { return f.ground == nil || f.ground.Version() != f.version }

// Fill runs the wave over everything the goals can be reached from. It fails
// with ErrStale where something is left to do and the ground was edited since
// Begin.
func (f *Flow) Fill(ctx context.Context) error { return f.runTo(ctx, math.MaxInt64) }

// Reach runs the wave until the cells are known, if they can be reached, and
// 32 steps beyond the farthest, so that units which are pushed aside need no
// second call. Cells outside the ground are left out. A cell that cannot be
// reached makes the wave run to its end; Islands tells such cells in advance.
// Like Fill it does not go on over a ground that was edited.
func (f *Flow) Reach(ctx context.Context, cells ...Cell) error {
	if f.ground == nil {
		return ErrNotBegun
	}
	for _, c := range cells {
		id, ok := f.at(c)
		if !ok || !f.rows.get(id) {
			continue
		}
		for f.mark[id]&flowFinal == 0 && !f.done {
			// Steps of half a margin: a wave grows evenly, so this overshoots
			// little and asks seldom.
			if err := f.runTo(ctx, f.wave.at+(f.wave.margin+1)/2); err != nil {
				return err
			}
		}
		if f.mark[id]&flowFinal != 0 {
			if err := f.runTo(ctx, f.cost[id]>>f.wave.shift+f.wave.margin); err != nil {
				return err
			}
		}
	}
	return nil
}

// Cost returns the least cost of a way from c to a goal; ok is false where it
// is not known or there is no way.
func (f *Flow) Cost(c Cell) (cost float64, ok bool) {
	id, ok := f.at(c)
	if !ok || f.mark[id]&flowFinal == 0 {
		return 0, false
	}
	return f.units.value(f.cost[id]), true
}

// Next returns the cell after c on the way to the nearest goal; at a goal it is
// c. ok is false where the field is not known or there is no way. Of several
// steps of one cost it is the one by which the wave came first. Over open ground
// the wave goes diagonally first, so units walk straight first and diagonally
// last, the other way round than along a path of AStar.
func (f *Flow) Next(c Cell) (next Cell, ok bool) {
	id, ok := f.at(c)
	if !ok {
		return c, false
	}
	mark := f.mark[id]
	if mark&flowFinal == 0 {
		return c, false
	}
	if d := mark & flowDir; d != dirNone {
		return Cell{c.X - dirX[d], c.Y - dirY[d]}, true
	}
	return c, true
}

// Path appends the cells from c to the nearest goal, both included, and nothing
// where the field is not known.
func (f *Flow) Path(path []Cell, c Cell) []Cell {
	for {
		next, ok := f.Next(c)
		if !ok {
			return path
		}
		path = append(path, c)
		if next == c {
			return path
		}
		c = next
	}
}

func (f *Flow) at(c Cell) (int32, bool) {
	if f.ground == nil || c.X < 0 || c.Y < 0 || c.X >= f.rows.w || c.Y >= f.rows.h {
		return 0, false
	}
	return f.rows.id(c.X, c.Y), true
}

// value turns a sum of steps into a cost. It rounds to float64 once, so it may
// differ from Result.Cost, which knows the steps of each kind, by a part in
// 2^40.
func (u units) value(sum int64) float64 { return float64(sum) / u.scale }

func (w *wave) reset(shortest, longest int64) {
	w.shift = uint(bits.Len64(uint64(shortest))) - 1
	w.margin = flowMargin * shortest >> w.shift
	n := 1 << bits.Len64(uint64(longest>>w.shift)+1)
	for i := range w.buckets {
		w.buckets[i] = w.buckets[i][:0]
	}
	if n > len(w.buckets) {
		w.buckets = slices.Grow(w.buckets, n-len(w.buckets))[:n]
	}
	w.buckets = w.buckets[:n]
	w.at, w.size = 0, 0
}

func (w *wave) push(cost int64, id uint32) {
	i := cost >> w.shift & int64(len(w.buckets)-1)
	w.buckets[i] = append(w.buckets[i], id)
	w.size++
}
