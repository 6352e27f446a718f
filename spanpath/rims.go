package spanpath

import (
	"math"

	"wend/pack/bnav"
)

// A pack says by cell and region what is core, after the highest surface of the
// region in the cell, and a surface is in every cell that it reaches into. Where
// a floor ends over another one that has two faults. The cells whose middles the
// upper floor does not cover are closed on the floor below too, so that a bridge
// along the cells bars the road under it. And the upper floor seems to go on into
// cells that nobody stands on, so that nobody falls off it on that side.
//
// So a page leaves out surfaces that only reach into a cell over another one,
// and opens cells for floors under them that have their middle.

const (
	// rimBand is how far a floor over the middle of a cell may be from a surface
	// that it is, m.
	rimBand = 1.0
	// rimChannel is how far around an opened cell the channel is open, cells: as
	// far as the edge above makes the ground narrow for the clearance that is
	// preferred by default.
	rimChannel = 7
)

// rims are what a page makes of the edges of floors over other floors.
type rims struct {
	out  []bool  // records, in their order, that are left out
	open []int32 // cells of floors under edges
}

// findRims looks for edges of floors over other floors. order are the records by
// cell and height. It returns nil where there are none.
func (p *Page) findRims(in *PageInput, order []int32) *rims {
	recs := in.Fields.Records
	w := PageWindow(in.PX, in.PY)
	var r *rims
	var over []float64
	for k := 0; k < len(order); {
		c := recs[order[k]].Cell
		end := k + 1
		dead := recs[order[k]].Flags&bnav.Dead != 0
		for ; end < len(order) && recs[order[end]].Cell == c; end++ {
			dead = dead || recs[order[end]].Flags&bnav.Dead != 0
		}
		first := k
		if k = end; !dead || end-first < 2 {
			continue
		}
		gx, gy := w.At(int(c))
		over = in.Over(over[:0], middle(gx, gy))
		below, core, open, left := false, false, false, false
		for i := first; i < end; i++ {
			v := &recs[order[i]]
			if v.Flags&(bnav.Fill|bnav.Ghost) != 0 {
				continue
			}
			inside := nearAny(over, float64(v.H))
			if v.Region == in.Region {
				core = core || v.Flags&bnav.Core != 0
				open = open || inside
			}
			if !inside && below && v.Flags&bnav.Dead != 0 && !(v.Region == in.Region && p.isNarrow(c, v.H)) {
				if r == nil {
					r = &rims{out: make([]bool, len(order))}
				}
				r.out[i] = true
				left = left || v.Region == in.Region
			}
			below = true
		}
		if open && (!core || left) {
			if r == nil {
				r = &rims{out: make([]bool, len(order))}
			}
			r.open = append(r.open, c)
		}
	}
	return r
}

func nearAny(heights []float64, h float64) bool {
	for _, v := range heights {
		if math.Abs(v-h) <= rimBand {
			return true
		}
	}
	return false
}

// openRims opens the cells under edges, and the channel around them.
func (p *Page) openRims(r *rims) {
	for _, c := range r.open {
		p.Cells[c] |= CellCore | CellLayer
	}
	for _, c := range r.open {
		p.openChannel(int(c), rimChannel)
	}
}

// openChannel opens the channel around a cell.
func (p *Page) openChannel(c, reach int) {
	x, y := c%pageSpan, c/pageSpan
	for yy := max(y-reach, 0); yy <= min(y+reach, pageSpan-1); yy++ {
		for xx := max(x-reach, 0); xx <= min(x+reach, pageSpan-1); xx++ {
			if i := yy*pageSpan + xx; p.Cells[i]&CellCore != 0 {
				p.Cells[i] |= CellMedial
			}
		}
	}
}
