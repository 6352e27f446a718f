package spanpath

import (
	"math"

	"wend/pack/bnav"
)

// A pack says by cell and region what is core, after the highest surface of the
// region in the cell. Where the edge of an upper floor passes over the middle of
// a lower one that has two faults. The cells whose middles the upper floor does
// not cover are closed on the floor below too, so that a bridge along the cells
// bars the road under it. And the upper floor seems to go on into cells that
// nobody may stand on, so that nobody falls off it on that side.
//
// So where a cell is not core, a page leaves out the surfaces of an upper floor
// that only reach into it, and opens the cell for surfaces under them that go on
// to all four sides, or to all but one where the floor above goes on.

// rimChannel is how far around such a cell the channel is open, cells: as far as
// the edge above makes the ground narrow for the clearance that is preferred by
// default.
const rimChannel = 7

// rims are what a page makes of the edges of floors over other floors.
type rims struct {
	out  []bool // records, in their order, that are left out
	open []int32
}

// findRims looks for edges of floors over other floors. order are the records by
// cell and height.
func findRims(in *PageInput, order []int32) *rims {
	recs := in.Fields.Records
	first := make([]int32, pageSpan*pageSpan+1)
	k := 0
	for c := range first {
		for k < len(order) && int(recs[order[k]].Cell) < c {
			k++
		}
		first[c] = int32(k)
	}
	var r *rims
	real := func(k int32) *bnav.Record {
		if v := &recs[order[k]]; v.Flags&(bnav.Fill|bnav.Ghost) == 0 {
			return v
		}
		return nil
	}
	// sides returns a bit for each side of a cell on which a floor is there too.
	sides := func(c int, v *bnav.Record) (on uint8) {
		for i, d := range stepCell[:4] {
			for k := first[c+d]; k < first[c+d+1]; k++ {
				w := real(k)
				if w != nil && w.Region == v.Region && math.Abs(float64(w.H)-float64(v.H)) <= in.Rules.StepUp {
					on |= 1 << i
					break
				}
			}
		}
		return on
	}
	const all = 1<<4 - 1
	for y := 1; y < pageSpan-1; y++ {
		for x := 1; x < pageSpan-1; x++ {
			c := y*pageSpan + x
			if first[c+1]-first[c] < 2 {
				continue
			}
			open, own := false, false
			lowest, above := first[c], uint8(0)
			for lowest < first[c+1] && real(lowest) == nil {
				lowest++
			}
			for k := first[c+1] - 1; k >= lowest; k-- {
				v := real(k)
				if v == nil {
					continue
				}
				if v.Flags&(bnav.Dead|bnav.Core) == bnav.Dead {
					on := sides(c, v)
					// A floor that ends where the one above goes on has the middle
					// of the cell, if that has not.
					missing := all &^ on
					goesOn := missing == 0 || missing&(missing-1) == 0 && missing&above != 0
					open = open || goesOn && own && v.Region == in.Region
					if !goesOn && k > lowest {
						if r == nil {
							r = &rims{out: make([]bool, len(order))}
						}
						r.out[k] = true
						above |= on
					}
				}
				own = own || v.Region == in.Region
			}
			if open {
				if r == nil {
					r = &rims{out: make([]bool, len(order))}
				}
				r.open = append(r.open, int32(c))
			}
		}
	}
	return r
}

// openRims opens the cells under edges, and the channel around them.
func (p *Page) openRims(r *rims) {
	for _, c := range r.open {
		p.Cells[c] |= CellCore | CellLayer
	}
	for _, c := range r.open {
		x, y := int(c)%pageSpan, int(c)/pageSpan
		for yy := max(y-rimChannel, 0); yy <= min(y+rimChannel, pageSpan-1); yy++ {
			for xx := max(x-rimChannel, 0); xx <= min(x+rimChannel, pageSpan-1); xx++ {
				if i := yy*pageSpan + xx; p.Cells[i]&CellCore != 0 {
					p.Cells[i] |= CellMedial
				}
			}
		}
	}
}
