package spanpath

import "math"

// NearestSeen returns the span nearest to the middle of a cell of all that the last
// search without sight had come to, the squared distance of its cell, and the way
// there in dst: of equally near ones that nearest to a height, and then the first
// by row, column and height. It says something right after [Ground.Solve] only,
// where that found no way: how far it came. It takes the time to look at all pages
// of the search once.
func (g *Ground) NearestSeen(to Cell, h float64, dst *Path) (at Span, d2 int, ok bool) {
	off := 0.0
	for _, p := range g.used {
		if p.joined != g.solver.epoch {
			continue
		}
		for i, b := range p.best {
			if b == 0 || !p.use[i] {
				continue
			}
			gx, gy := p.Table.At(int(p.cellOf[i]))
			dx, dy := gx-int(to.X), gy-int(to.Y)
			d, dh := dx*dx+dy*dy, math.Abs(float64(p.Table.H[i])-h)
			id := p.base + uint32(i)
			if !ok || d < d2 || d == d2 && (dh < off || dh == off && g.placeBefore(id, uint32(at))) {
				at, d2, off, ok = Span(id), d, dh, true
			}
		}
	}
	if ok {
		dst.reset()
		g.trace(uint32(at), &Problem{}, dst)
	}
	return at, d2, ok
}
