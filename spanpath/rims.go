package spanpath

import (
	"math"

	"wend/pack/bnav"
	"wend/spangrid"
)

// A pack says by cell and region what is core, after the highest surface of the
// region in the cell, and a surface is in every cell that it reaches into. Where
// a floor ends over another one that has two faults. The cells whose middles the
// upper floor does not cover are closed on the floor below too, so that a bridge
// along the cells bars the road under it. And the upper floor seems to go on into
// cells that nobody stands on, so that nobody falls off it on that side.
//
// So a page leaves out surfaces that only reach into a cell over another one,
// and opens cells for floors under them that have their middle. It leaves out
// spikes too, see [Page.spike].

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
		if k = end; end-first < 2 {
			continue
		}
		crowded := crowded(recs, order[first:end], in.Region)
		if !dead && !crowded {
			continue
		}
		gx, gy := w.At(int(c))
		over = in.Over(over[:0], middle(gx, gy))
		for i := first; crowded && i < end; i++ {
			if p.spike(in, gx, gy, &recs[order[i]], over) {
				if r == nil {
					r = &rims{out: make([]bool, len(order))}
				}
				r.out[i] = true
			}
		}
		if !dead {
			continue
		}
		below, core, open, left := false, false, false, false
		for i := first; i < end; i++ {
			v := &recs[order[i]]
			if v.Flags&(bnav.Fill|bnav.Ghost) != 0 {
				continue
			}
			if r != nil && r.out[i] {
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

// crowded reports whether a cell has surfaces of a region over one another: one of
// them may be a spike.
func crowded(recs []bnav.Record, list []int32, region uint32) bool {
	last, has := 0.0, false
	for _, i := range list {
		v := &recs[i]
		if v.Region != region || v.Flags&(bnav.Fill|bnav.Ghost) != 0 {
			continue
		}
		h := float64(v.H)
		if has && h-last > rimBand {
			return true
		}
		last, has = h, true
	}
	return false
}

// spike reports whether a surface is one of no floor. The grid takes the height of a
// triangle that only reaches into a cell from a corner of it, which is far off where
// the triangle is long, thin and steep. over are the floors over the middle of the
// cell; a surface of another floor that only reaches in is near one at its rim.
func (p *Page) spike(in *PageInput, gx, gy int, v *bnav.Record, over []float64) bool {
	const half = spangrid.Side / 2
	h := float64(v.H)
	if v.Region != in.Region || v.Flags&(bnav.Fill|bnav.Ghost) != 0 || len(over) == 0 || nearAny(over, h) {
		return false
	}
	m := middle(gx, gy)
	var buf [8]float64
	for dv := -half; dv <= half; dv += half {
		for du := -half; du <= half; du += half {
			if nearAny(in.Over(buf[:0], Point{m.U + du, m.V + dv}), h) {
				return false
			}
		}
	}
	return true
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
