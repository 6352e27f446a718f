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
// to all four sides.

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
	// higher reports whether a cell has another surface of a region over one.
	higher := func(k int32, c int, region uint32) bool {
		for k++; k < first[c+1]; k++ {
			if v := real(k); v != nil && v.Region == region {
				return true
			}
		}
		return false
	}
	// goesOn reports whether a floor is there on all four sides of a cell too.
	goesOn := func(c int, v *bnav.Record) bool {
		for _, d := range stepCell[:4] {
			ok := false
			for k := first[c+d]; k < first[c+d+1] && !ok; k++ {
				w := real(k)
				ok = w != nil && w.Region == v.Region && math.Abs(float64(w.H)-float64(v.H)) <= in.Rules.StepUp
			}
			if !ok {
				return false
			}
		}
		return true
	}
	for y := 1; y < pageSpan-1; y++ {
		for x := 1; x < pageSpan-1; x++ {
			c := y*pageSpan + x
			open, below := false, false
			for k := first[c]; k < first[c+1] && first[c+1]-first[c] > 1; k++ {
				v := real(k)
				if v == nil {
					continue
				}
				if v.Flags&(bnav.Dead|bnav.Core) == bnav.Dead {
					on := goesOn(c, v)
					open = open || on && v.Region == in.Region && higher(k, c, v.Region)
					if !on && below {
						if r == nil {
							r = &rims{out: make([]bool, len(order))}
						}
						r.out[k] = true
					}
				}
				below = true
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
