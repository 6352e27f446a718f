package grid

import (
	"context"
	"math/bits"
)

// runTo expands all buckets below the given one. A bucket is as wide as the
// shortest step: nothing that is found from a cell in it falls into it again,
// so each cell in it that has not been expanded has its final cost.
func (f *Flow) runTo(ctx context.Context, bucket int64) error {
	if f.ground == nil {
		return ErrNotBegun
	}
	w := &f.wave
	for !f.done && w.at < bucket {
		if w.at&63 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i := w.at % int64(len(w.buckets))
		list := w.buckets[i]
		if len(list) > 0 {
			switch {
			case f.costs == nil && f.moves.Neighbours != Six:
				f.expandPruned(list)
			default:
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

// expandPruned expands a bucket on squares without costs. Steps that only find
// again what another way finds as well are left out, as A* does; a cell the
// wave reached by two ways of one cost makes all of its steps.
func (f *Flow) expandPruned(list []uint32) {
	table := &squareTables[tableIndex(f.moves)]
	var length [8]int64
	var ahead [8]int32
	stride := f.rows.stride
	for d := range length {
		ahead[d] = dirY[d]*stride + dirX[d]
		length[d] = f.units.one
		if maskDiagonal>>d&1 == 1 {
			length[d] = f.units.diag
		}
	}
	cost, mark := f.cost, f.mark[:len(f.cost)]
	rows, n := f.rows, int64(len(f.wave.buckets))
	first := f.wave.at
	// Steps are one or the root of two long: they end in the next two buckets.
	i1, i2 := (first+1)%n, (first+2)%n
	out1, out2 := f.wave.buckets[i1], f.wave.buckets[i2]
	before := len(out1) + len(out2)
	// The end of the next bucket; what costs more belongs into the one after.
	edge := (first + 2) * f.wave.width
	for _, id := range list {
		m := mark[id]
		if m&flowFinal != 0 {
			continue
		}
		mark[id] = m | flowFinal
		g := cost[id]
		in := m & flowDir
		if m&flowAll != 0 {
			in = dirNone
		}
		for steps := uint(table.prune[in][rows.around(int32(id))]); steps != 0; steps &= steps - 1 {
			d := bits.TrailingZeros(steps) & 7
			to := uint32(int32(id) + ahead[d])
			sum := g + length[d]
			switch old := cost[to]; {
			case sum < old:
				cost[to] = sum
				mark[to] = uint8(d)
				if sum < edge {
					out1 = append(out1, to)
				} else {
					out2 = append(out2, to)
				}
			case sum == old && mark[to]&flowFinal == 0:
				mark[to] |= flowAll
			}
		}
	}
	f.wave.buckets[i1], f.wave.buckets[i2] = out1, out2
	f.wave.size += len(out1) + len(out2) - before
}

// expand expands a bucket on hexagons and on ground with costs. A unit pays for
// the cell it enters, and the wave runs against its way: the step costs what
// the cell costs that the wave leaves.
func (f *Flow) expand(list []uint32) {
	table := &squareTables[tableIndex(f.moves)].step
	hex := f.moves.Neighbours == Six
	stride := f.rows.stride
	for _, id := range list {
		if f.mark[id]&flowFinal != 0 {
			continue
		}
		f.mark[id] |= flowFinal
		one, diag := f.units.one, f.units.diag
		if f.costs != nil {
			c := int64(f.costs[id])
			one, diag = one*c, diag*c
		}
		free := f.rows.around(int32(id))
		var steps uint8
		switch {
		case !hex:
			steps = table[free]
		case (int32(id)/stride-1)&1 == 0:
			steps = free & maskHexEven
		default:
			steps = free & maskHexOdd
		}
		for ; steps != 0; steps &= steps - 1 {
			d := bits.TrailingZeros8(steps) & 7
			to := int32(id) + dirY[d]*stride + dirX[d]
			sum := f.cost[id] + one
			if maskDiagonal>>d&1 == 1 {
				sum = f.cost[id] + diag
			}
			if sum < f.cost[to] {
				f.cost[to] = sum
				f.mark[to] = uint8(d)
				f.wave.push(sum, uint32(to))
			}
		}
	}
}
