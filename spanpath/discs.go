package spanpath

import (
	"math"

	"wend/spangrid"
)

// A Disc is a round obstacle put up for one query. It has no height.
type Disc struct{ U, V, Radius float64 } // px

// withDiscs returns the page with the query's discs stamped into a copy.
func (g *Ground) withDiscs(p *Page) *Page {
	var out *Page
	w := p.Table.Window
	for _, d := range g.Discs {
		x0, x1 := cellRange(d.U-d.Radius, d.U+d.Radius, w.GX, w.NX)
		y0, y1 := cellRange(d.V-d.Radius, d.V+d.Radius, w.GY, w.NY)
		for y := y0; y < y1; y++ {
			for x := x0; x < x1; x++ {
				du, dv := spangrid.Center(w.GX+x)-d.U, spangrid.Center(w.GY+y)-d.V
				if float64(du*du)+float64(dv*dv) > d.Radius*d.Radius {
					continue
				}
				if out == nil {
					c := *p
					out = &c
					out.Cells = append([]uint8(nil), p.Cells...)
					out.Clr = append([]uint16(nil), p.Clr...)
					out.Bans = append([]uint8(nil), p.Bans...)
				}
				c := y*pageSpan + x
				out.Cells[c] = out.Cells[c]&^(CellCore|CellLayer|CellFacadeX|CellFacadeY) | CellNoGo
				out.Clr[c], out.Bans[c] = 0, 0
			}
		}
	}
	if out == nil {
		return p
	}
	out.brief()
	return out
}

// cellRange returns the columns of a window of n cells from first on that an
// interval can meet.
func cellRange(lo, hi float64, first, n int) (from, to int) {
	if !(lo <= hi) {
		return 0, 0
	}
	a := math.Max(math.Floor(lo/spangrid.Side)-float64(first), 0)
	b := math.Min(math.Floor(hi/spangrid.Side)-float64(first)+1, float64(n))
	if a >= b {
		return 0, 0
	}
	return int(a), int(b)
}
