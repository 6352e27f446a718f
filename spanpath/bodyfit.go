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
// Clearances run from middle to middle of cells, so they decide only where it is
// clear; else the walls do.
func (g *Ground) fit(p *page) {
	need := g.Body.MinClr / spangrid.Side // cells
	if !(need > 0) {
		return
	}
	g.unfit = zeroed(g.unfit, len(p.Cells))
	sure := need + cornerReach - 0.5
	never := math.Max(need-cornerReach-0.5, 0)
	if len(p.narrows) > 0 {
		never = math.Max(never-cornerReach, 0) // one stands off the middle
	}
	sure2, never2, plain2 := sure*sure, never*never, need*need
	asked := false
	for c := range p.Cells {
		if p.Cells[c]&CellCore == 0 {
			continue
		}
		switch d := float64(p.Clr[c]); {
		case d >= sure2:
			continue
		case d < never2:
			p.shutCell(c)
			g.unfit[c] = true
			continue
		}
		if !asked {
			asked = true
			if !g.askWalls(p, int(math.Ceil(need))+2) {
				return
			}
		}
		gx, gy := p.Table.At(c)
		reach := (math.Sqrt(float64(p.Clr[c])) + cornerReach + 0.01) * spangrid.Side
		g.unfit[c] = true
		for s := p.first[c]; s < p.first[c+1]; s++ {
			if p.Spans[s]&SpanOwn == 0 {
				continue
			}
			at := p.Point(int(s))
			room := g.roomAt(at.U, at.V, float64(p.Table.H[s]), reach+distance(at, middle(gx, gy)))
			ok := room >= (need-0.5)*spangrid.Side
			if math.IsInf(room, 1) { // no wall is what the clearance tells of
				ok = float64(p.Clr[c]) >= plain2
			}
			if ok {
				g.unfit[c] = false
			} else {
				p.use[s] = false
			}
		}
	}
}

// shutCell takes the surfaces of a cell out of use.
func (p *page) shutCell(c int) {
	for s := p.first[c]; s < p.first[c+1]; s++ {
		p.use[s] = false
	}
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
// +Inf where none is within reach.
func (g *Ground) roomAt(u, v, h, reach float64) float64 {
	best := math.Inf(1)
	for i := range g.fitWalls {
		s := &g.fitWalls[i]
		if math.Min(s.AU, s.BU) > u+reach || math.Max(s.AU, s.BU) < u-reach ||
			math.Min(s.AV, s.BV) > v+reach || math.Max(s.AV, s.BV) < v-reach {
			continue
		}
		du, dv := s.BU-s.AU, s.BV-s.AV
		t := s.nearest(Point{u, v})
		if math.Abs(s.HA+float64((s.HB-s.HA)*t)-h) > wallBand {
			continue
		}
		x, y := s.AU+float64(du*t)-u, s.AV+float64(dv*t)-v
		if d := math.Sqrt(float64(x*x) + float64(y*y)); d <= reach && d < best {
			best = d
		}
	}
	return best
}
