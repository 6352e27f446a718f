package grid

import (
	"context"
	"fmt"
	"math/bits"
)

// runTo expands all buckets below the given one. A bucket is no wider than the
// shortest step: nothing that is found from a cell in it falls into it again,
// so each cell in it that has not been expanded has its final cost.
func (f *Flow) runTo(ctx context.Context, bucket int64) error {
	if f.ground == nil {
		return ErrNotBegun
	}
	ctx = alive(ctx)
	w := &f.wave
	if !f.done && w.at < bucket && f.Stale() {
		return fmt.Errorf("%w: flow field of version %d", ErrStale, f.version)
	}
	for !f.done && w.at < bucket {
		if w.at&63 == 0 && ctx.Err() != nil {
			return fmt.Errorf("grid: flow field stopped after %d cells: %w", f.known, ctx.Err())
		}
		i := w.at & int64(len(w.buckets)-1)
		if list := w.buckets[i]; len(list) > 0 {
			if f.pruned() {
				f.expandPruned(list)
			} else {
				f.expand(list)
			}
			w.buckets[i] = list[:0]
			w.size -= len(list)
		}
		w.at++
		f.done = w.size == 0
	}
	return nil
}

// pruned reports whether steps may be left out as A* does.
func (f *Flow) pruned() bool { return f.costs == nil && f.moves.Neighbours != Six }

// strides are the distances in ids to the cells around.
func strides(stride int32) [8]int32 {
	return [8]int32{-stride - 1, -stride, -stride + 1, -1, 1, stride - 1, stride, stride + 1}
}

// expandPruned expands a bucket on squares without costs. Steps that only find
// again what another way finds as well are left out, as A* does; a cell the
// wave reached by two ways of one cost makes all of its steps.
func (f *Flow) expandPruned(list []uint32) {
	table := &squareTables[tableIndex(f.moves)].prune
	one, diag := f.units.one, f.units.diag
	length := [8]int64{diag, one, diag, one, one, diag, one, diag}
	ahead := strides(f.rows.stride)
	mark := f.mark
	cost := f.cost[:len(mark)]
	rows, ring := f.rows, int64(len(f.wave.buckets)-1)
	first := f.wave.at
	// Steps are one or the root of two long: they end in the next two buckets.
	i1, i2 := (first+1)&ring, (first+2)&ring
	out1, out2 := f.wave.buckets[i1], f.wave.buckets[i2]
	before := len(out1) + len(out2)
	// The end of the next bucket; what costs more belongs into the one after.
	edge := (first + 2) << f.wave.shift
	for _, id := range list {
		m := mark[id]
		if m&flowFinal != 0 {
			continue
		}
		mark[id] = m | flowFinal
		f.known++
		g := cost[id]
		in := m & flowDir
		if m&flowAll != 0 {
			in = dirNone
		}
		for steps := uint(table[in][rows.around(int32(id))]); steps != 0; steps &= steps - 1 {
			d := bits.TrailingZeros(steps) & 7
			to := uint32(int32(id) + ahead[d])
			old := mark[to]
			if old&flowFinal != 0 {
				continue
			}
			sum := g + length[d]
			if old != 0 {
				if least := cost[to]; sum >= least {
					if sum == least {
						mark[to] = old | flowAll
					}
					continue
				}
			}
			cost[to] = sum
			mark[to] = flowSeen | uint8(d)
			if sum < edge {
				out1 = append(out1, to)
			} else {
				out2 = append(out2, to)
			}
		}
	}
	f.wave.buckets[i1], f.wave.buckets[i2] = out1, out2
	f.wave.size += len(out1) + len(out2) - before
}

// onward holds for the direction by which the wave came into a square the steps
// that lead where it cannot have come cheaper from the square before: not back,
// and not to the two squares that a straight step reaches from there.
var onward = [16]uint8{
	dirN: 0xff &^ (1<<dirS | 1<<dirSW | 1<<dirSE), dirS: 0xff &^ (1<<dirN | 1<<dirNW | 1<<dirNE),
	dirW: 0xff &^ (1<<dirE | 1<<dirNE | 1<<dirSE), dirE: 0xff &^ (1<<dirW | 1<<dirNW | 1<<dirSW),
	dirNW: 0xff &^ (1<<dirSE | 1<<dirS | 1<<dirE), dirSE: 0xff &^ (1<<dirNW | 1<<dirN | 1<<dirW),
	dirNE: 0xff &^ (1<<dirSW | 1<<dirS | 1<<dirW), dirSW: 0xff &^ (1<<dirNE | 1<<dirN | 1<<dirE),
	dirNone: 0xff,
}

// expand expands a bucket on hexagons and on ground with costs. A unit pays for
// the cell it enters, and the wave runs against its way: the step costs what
// the cell costs that the wave leaves.
func (f *Flow) expand(list []uint32) {
	table := &squareTables[tableIndex(f.moves)].step
	hex := f.moves.Neighbours == Six
	ahead := strides(f.rows.stride)
	mark := f.mark
	cost, costs := f.cost[:len(mark)], f.costs
	rows, left, w := f.rows, &f.left, &f.wave
	buckets, shift, ring := w.buckets, w.shift, int64(len(w.buckets)-1)
	size := w.size
	for _, id := range list {
		m := mark[id]
		if m&flowFinal != 0 {
			continue
		}
		mark[id] = m | flowFinal
		left.set(int32(id), false)
		f.known++
		g, one, diag := cost[id], f.units.one, f.units.diag
		if costs != nil {
			c := int64(costs[id])
			one, diag = one*c, diag*c
		}
		steps := uint(rows.around(int32(id)))
		switch {
		case !hex:
			steps = uint(table[steps&0xff] & onward[m&flowDir])
		case (int32(id)/rows.stride-1)&1 == 0:
			steps &= maskHexEven
		default:
			steps &= maskHexOdd
		}
		sums := [8]int64{g + diag, g + one, g + diag, g + one, g + one, g + diag, g + one, g + diag}
		for steps &= uint(left.around(int32(id))); steps != 0; steps &= steps - 1 {
			d := bits.TrailingZeros(steps) & 7
			to := uint32(int32(id) + ahead[d])
			sum := sums[d]
			if mark[to] != 0 && cost[to] <= sum {
				continue
			}
			cost[to] = sum
			mark[to] = flowSeen | uint8(d)
			b := &buckets[sum>>shift&ring]
			*b = append(*b, to)
			size++
		}
	}
	w.size = size
}
