package spanpath

import "math"

// cellState is what a search over cells knows of a cell.
type cellState struct {
	cost   float64
	parent uint32 // number of the cell before it in the window; none at the start
	narrow uint16 // least squared clearance on the way
	seen   bool
	via    int32 // 0, or 1 + the place of the link that leads from parent here
}

// number returns the number of a cell of the window, by row and column.
func (g *Ground) number(gx, gy int) uint32 {
	return uint32((gy-g.Clip.GY)*g.Clip.NX + gx - g.Clip.GX)
}

// numbered returns the cell of a number.
func (g *Ground) numbered(n uint32) (gx, gy int) { return g.Clip.At(int(n)) }

// enterCells makes a page take part in a search over cells.
func (g *Ground) enterCells(p *page) {
	if p.epoch == g.epoch {
		return
	}
	if p.stage != g.stage {
		g.refresh(p)
	}
	p.epoch = g.epoch
	p.cells = resize(p.cells, pageSpan*pageSpan)
	for i := range p.cells {
		p.cells[i] = cellState{cost: math.Inf(1), parent: none}
	}
}
