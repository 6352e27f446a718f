package spanpath

import "wend/spangrid"

// A Span is the number of a surface in a query. Numbers mean nothing beyond it.
type Span uint32

// Place returns cell and height of a span.
func (g *Ground) Place(s Span) spangrid.Place {
	p, i := g.of(uint32(s))
	gx, gy := p.Table.At(int(p.cellOf[i]))
	return spangrid.Place{GX: int32(gx), GY: int32(gy), H: p.Table.H[i]}
}
