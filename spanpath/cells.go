package spanpath

import "math"

// cellState is what a search over cells knows of a cell.
type cellState struct {
	cost   float64
	parent uint32 // number of the cell before it in the window; none at the start
	stamp  uint32 // epoch of the search
	narrow uint16 // least squared clearance on the way
	via    int32  // 0, or 1 + the place of the link that leads from parent here
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
	if p.cells == nil {
		p.cells = make([]cellState, pageSpan*pageSpan)
	}
}

// CellPath is a way over cells. It is reused by [Ground.SolveCells].
type CellPath struct {
	Cells    []Cell
	Cost     float64 // cells
	Links    []int   // places in Setup.Links of the links it takes, in its order
	Expanded int     // cells whose neighbours were looked at
}

// SolveCells finds the cheapest way from one cell to another over cells that
// have all marks of need, as [Ground.Solve] does, but knows no heights: a step
// must not be banned, no drop excepted, and neither the rise rule nor walls are
// asked. It is for worlds whose surfaces do not hang together although their
// cells do.
func (g *Ground) SolveCells(from, to Cell, need uint16, prices *Prices, dst *CellPath) (found bool, err error) {
	*dst = CellPath{Cells: dst.Cells[:0], Links: dst.Links[:0]}
	p, c := g.at(int(from.X), int(from.Y))
	q, cq := g.at(int(to.X), int(to.Y))
	if c < 0 || cq < 0 || p.marks[c]&need != need || q.marks[cq]&need != need {
		return false, g.Err()
	}
	g.nextEpoch()
	g.enterCells(p)
	p.cells[c] = cellState{parent: none, stamp: g.epoch}
	s := cellSolver{g: g, need: need, prices: prices, x: int(to.X), y: int(to.Y)}
	g.cellHeap = g.cellHeap[:0]
	s.push(0, int(from.X), int(from.Y))
	goal := g.number(int(to.X), int(to.Y))
	for n := 1; len(g.cellHeap) > 0; n++ {
		if n%checkEvery == 0 && g.Err() != nil {
			break
		}
		e := g.cellHeap.pop()
		gx, gy := g.numbered(e.cell)
		p, c := g.at(gx, gy)
		cost := p.cells[c].cost
		if math.Float64frombits(e.key) > cost+s.estimate(gx, gy)+staleSlack {
			continue
		}
		if e.cell == goal {
			dst.Cost = cost
			dst.Cells = g.traceCells(dst.Cells, e.cell, &dst.Links)
			reverse(dst.Links)
			return true, g.Err()
		}
		dst.Expanded++
		s.expand(p, c, gx, gy, e.cell)
	}
	return false, g.Err()
}

type cellSolver struct {
	g      *Ground
	need   uint16
	prices *Prices
	x, y   int // goal
}

func (s *cellSolver) estimate(gx, gy int) float64 {
	dx, dy := gx-s.x, gy-s.y
	return float64(linkScale * math.Sqrt(float64(dx*dx+dy*dy)))
}

// push puts a cell into the queue. Costs are not negative, so their bits are in
// their order.
func (s *cellSolver) push(cost float64, gx, gy int) {
	h := s.estimate(gx, gy)
	s.g.cellHeap.push(cellEntry{math.Float64bits(cost + h), left(h), s.g.number(gx, gy)})
}

func (s *cellSolver) expand(p *page, c, gx, gy int, id uint32) {
	g := s.g
	cost, price := p.cells[c].cost, s.prices.Of(p.Clr[c])
	ok := openSteps(p.marks, c, s.need)
	for d := range 8 {
		cn := c + stepCell[d]
		if ok>>d&1 == 0 || p.Bans[c]&banLeave[d]|p.Bans[cn]&banEnter[d] != 0 {
			continue
		}
		if q, cq := g.owner(p, cn); cq >= 0 {
			to := cost + float64(stepHalf[d]*(price+s.prices.Of(q.Clr[cq])))
			s.offer(q, cq, gx+stepX[d], gy+stepY[d], to, id, 0)
		}
	}
	if p.marks[c]&MarkLink == 0 {
		return
	}
	first, end := g.linksAt(gx, gy)
	for k := first; k < end; k++ {
		l := &g.Links[k]
		x, y := int(l.To.GX), int(l.To.GY)
		if q, cq := g.at(x, y); cq >= 0 && q.marks[cq]&s.need == s.need {
			s.offer(q, cq, x, y, cost+float64(l.Cost), id, int32(k+1))
		}
	}
}

func (s *cellSolver) offer(q *page, c, gx, gy int, cost float64, parent uint32, via int32) {
	s.g.enterCells(q)
	st := &q.cells[c]
	if st.stamp != s.g.epoch || cost < st.cost-lessSlack {
		*st = cellState{cost: cost, parent: parent, stamp: s.g.epoch, via: via}
		s.push(cost, gx, gy)
	}
}
