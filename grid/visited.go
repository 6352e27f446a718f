package grid

import "iter"

// Visited ranges over the cells that the last search of the query expanded, row
// by row, with the cost at which each was expanded; a picture of them shows how
// the search spread. The any-angle algorithms have
// none. It must end before the next search begins.
func (q *Query) Visited() iter.Seq2[Cell, float64] {
	return func(yield func(Cell, float64) bool) {
		r := &q.run
		if !r.begun || r.opts.Algorithm == Anya || r.opts.Algorithm == Theta || r.opts.Algorithm == LazyTheta || r.rows == nil {
			return
		}
		for y := range r.rows.h {
			for x := range r.rows.w {
				id := int(r.rows.id(x, y))
				if id >= len(q.nodes) {
					return
				}
				n := q.nodes[id]
				if n.mark>>markBits != q.epoch || n.mark&markClosed == 0 {
					continue
				}
				if !yield(Cell{x, y}, r.units.value(n.g)) {
					return
				}
			}
		}
	}
}
