package spanpath

import (
	"context"
	"math"

	"wend/spangrid"
)

// A WallSource is a [Source] that tells the kept walls of its region in a
// window. Bodies wider than the ground was made for are fitted in by them; other
// sources are asked for no more than the walls of a page.
type WallSource interface {
	Source
	// Walls appends the walls that come into a window.
	Walls(ctx context.Context, dst []Segment, w spangrid.Window) ([]Segment, error)
}

// cornerReach is how much farther from the middle of a cell than to the middle
// of an obstacle's cell a wall in that cell can be, or nearer, cells.
const cornerReach = math.Sqrt2 / 2

// fit finds where a body fits that needs more room than the ground leaves it,
// and takes the surfaces where it does not out of use. It may touch a wall with
// its rim give or take half a cell: so a passage that is a cell wider than the
// body is open wherever it lies among the cells and whichever way it runs, since
// the middles of cells no more than half a cell off its middle line are then
// joined by sides.
//
// Clearances run from middle to middle of cells, and tell of the highest surface
// alone and of the edges of floors above it too. So they decide only where it is
// clear; else the walls at the height do.
func (g *Ground) fit(p *page) {
	need := g.Body.MinClr / spangrid.Side // cells
	if !(need > 0) {
		return
	}
	g.unfit = zeroed(g.unfit, len(p.Cells))
	sure := need + cornerReach - 0.5
	sure2, plain2 := sure*sure, need*need
	asked, row := false, -1
	for c := range p.Cells {
		if p.Cells[c]&CellCore == 0 {
			continue
		}
		clr := float64(p.Clr[c])
		top := p.topOwn(c)
		if top < 0 || clr >= sure2 && p.first[c+1]-p.first[c] == 1 {
			continue
		}
		if !asked {
			asked = true
			if !g.askWalls(p, int(math.Ceil(need))+2) {
				return
			}
		}
		if y := c / pageSpan; y != row {
			row = y
			g.wallsOfRow(p.Table.GY+y, need+3)
		}
		known := math.Min(math.Sqrt(clr)+cornerReach+0.01, need+2) * spangrid.Side
		g.unfit[c] = true
		for s := p.first[c]; s <= top; s++ {
			if p.Spans[s]&SpanOwn == 0 {
				continue
			}
			ok := s == top && clr >= sure2
			if !ok {
				at := p.Point(int(s))
				off := distance(at, middle(p.Table.At(c)))
				room, other := g.roomAt(at, float64(p.Table.H[s]), math.Max(known, need*spangrid.Side)+off, known+off)
				ok = room >= (need-0.5)*spangrid.Side
				if s == top && room > known+off && !other { // no wall is what the clearance tells of
					ok = ok && clr >= plain2
				}
			}
			if ok {
				g.unfit[c] = false
			} else {
				p.use[s] = false
			}
		}
	}
}

// wallsOfRow keeps those of the walls asked for that come within some cells of a
// row of cells.
func (g *Ground) wallsOfRow(gy int, cells float64) {
	v, reach := spangrid.Center(gy), float64(cells*spangrid.Side)
	g.rowWalls = g.rowWalls[:0]
	for i := range g.fitWalls {
		if s := &g.fitWalls[i]; math.Min(s.AV, s.BV) <= v+reach && math.Max(s.AV, s.BV) >= v-reach {
			g.rowWalls = append(g.rowWalls, *s)
		}
	}
}

// topOwn returns the highest surface of the region in a cell, whose clearance the
// cell has, -1 where there is none.
func (p *Page) topOwn(c int) int32 {
	for s := p.first[c+1] - 1; s >= p.first[c]; s-- {
		if p.Spans[s]&SpanOwn != 0 {
			return s
		}
	}
	return -1
}

// askWalls collects the walls within some cells of a page.
func (g *Ground) askWalls(p *page, cells int) bool {
	src, ok := g.Source.(WallSource)
	if !ok {
		g.fitWalls = append(g.fitWalls[:0], p.Walls...)
		return true
	}
	walls, err := src.Walls(g.ctx, g.fitWalls[:0], p.Table.Grow(cells))
	if g.fitWalls = walls; err != nil {
		g.err = err
		return false
	}
	return true
}

// roomAt returns how far the nearest wall at about a height is from a point, px,
// +Inf where none is within reach, and whether one at another height is within
// known, which is no more than reach.
func (g *Ground) roomAt(p Point, h, reach, known float64) (room float64, other bool) {
	room = math.Inf(1)
	for i := range g.rowWalls {
		s := &g.rowWalls[i]
		if math.Min(s.AU, s.BU) > p.U+reach || math.Max(s.AU, s.BU) < p.U-reach ||
			math.Min(s.AV, s.BV) > p.V+reach || math.Max(s.AV, s.BV) < p.V-reach {
			continue
		}
		t := s.nearest(p)
		d := distance(p, Point{s.AU + float64((s.BU-s.AU)*t), s.AV + float64((s.BV-s.AV)*t)})
		switch {
		case d > reach:
		case math.Abs(s.HA+float64((s.HB-s.HA)*t)-h) > wallBand:
			other = other || d <= known
		case d < room:
			room = d
		}
	}
	return room, other
}
