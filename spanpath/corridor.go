package spanpath

import (
	"cmp"
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/spangrid"
)

// A Corridor is the free space along a path of cells. Every cell belongs to
// the nearest cell of the path, of equally near ones to that with the least
// column, then the least row, and takes over its clearance R:
//
//   - the band are the cells no farther from it than R, or than one cell: the
//     cells beside a diagonal step of the path are in it, without which the path
//     itself would not lie in its corridor where ground is narrow;
//   - solid are the cells with a clearance of at least what is preferred and at
//     least 4/5 of R: so a chord does not leave a wide way for a narrow one. An R
//     of more than Body.Wide counts as that.
//
// Nearest cells are found exactly (Meijster, Roerdink and Hesselink, "A general
// algorithm for computing distance transforms in linear time", 2000), page by
// page when a search comes there, so that they do not depend on its window.
type Corridor struct {
	seeds  []seed // by column, then row; distinct
	onCore bool   // the tube runs on MarkOnCore instead of MarkOn

	near []seed // those that matter to a page
	cols []colRange
	hull []hullPart
}

type seed struct {
	gx, gy int32
	clr    uint16
	solid  uint16 // least squared clearance of a cell that belongs to it and is solid
}

// colRange is a column of seeds, and the one nearest to a row.
type colRange struct{ first, end, at int32 }

// hullPart is a column and the first x from which on it is the nearest.
type hullPart struct {
	col  int32
	from int
	d2   int // squared distance in rows
}

// Cell is a cell of the zone by column and row.
type Cell struct{ X, Y int32 }

// SetCorridor lays a corridor along cells of the window. From now on cells have
// the marks MarkBand, MarkSolid and MarkTube, the last where a solid cell can be
// reached: on core ground where onCore is set, else on walkable ground.
func (g *Ground) SetCorridor(path []Cell, onCore bool) {
	k := g.corr
	if k == nil {
		k = &g.corridor
		g.corr = k
	}
	k.onCore = onCore
	k.seeds = k.seeds[:0]
	for _, c := range path {
		if p, i := g.at(int(c.X), int(c.Y)); i >= 0 {
			k.seeds = append(k.seeds, seed{c.X, c.Y, p.Clr[i], g.solidFor(p.Clr[i])})
		}
	}
	slices.SortFunc(k.seeds, func(a, b seed) int {
		return cmp.Or(cmp.Compare(a.gx, b.gx), cmp.Compare(a.gy, b.gy))
	})
	k.seeds = slices.Compact(k.seeds)
	g.stage++
}

// chordShare is the part of a corridor's clearance that a chord keeps.
const chordShare = 0.8

// solidFor returns the least squared clearance of solid cells along a cell of
// the path with a squared clearance.
func (g *Ground) solidFor(clr uint16) uint16 {
	if !(g.Body.Preferred > 0) {
		return 0
	}
	if !(g.Body.Wide > 0) {
		return uint16((16*int(clr) + 24) / 25) // 4/5, squared and rounded up
	}
	r := float64(bnav.Clearance(clr)) - g.Body.MinClr
	return squaredClearance(g.Body.MinClr + float64(chordShare*math.Min(math.Max(r, 0), g.Body.Wide)))
}

// NearRing reports whether the band may come within margin cells of the edge of
// the window.
func (g *Ground) NearRing(margin int) bool {
	w := g.Clip
	for _, s := range g.corr.seeds {
		d := min(int(s.gx)-w.GX, int(s.gy)-w.GY, w.GX+w.NX-1-int(s.gx), w.GY+w.NY-1-int(s.gy)) - (margin - 1)
		if d <= 0 || d*d <= max(int(s.clr), 1) {
			return true
		}
	}
	return false
}

// refresh brings the marks of a page up to date with the corridor.
func (g *Ground) refresh(p *page) {
	p.stage = g.stage
	const all = MarkBand | MarkSolid | MarkTube
	k := g.corr
	k.pick(p.Table.Window)
	on := MarkOn
	if k.onCore {
		on = MarkOnCore
	}
	for y := range pageSpan {
		k.row(p.Table.GX, p.Table.GY+y)
		h := 0
		for x := range pageSpan {
			c := y*pageSpan + x
			m := p.marks[c] &^ all
			if m&MarkCore == 0 || len(k.hull) == 0 {
				// Nothing looks at the corridor of a cell that is not core. A
				// corridor without seeds leaves every clearance that is preferred.
				if m&MarkCore != 0 && m&MarkOpen != 0 {
					m |= MarkSolid
				}
				p.marks[c] = m
				continue
			}
			for h+1 < len(k.hull) && k.hull[h+1].from <= x {
				h++
			}
			part := &k.hull[h]
			col := k.cols[part.col]
			s := k.near[col.at]
			dx := int(s.gx) - (p.Table.GX + x)
			if dx*dx+part.d2 <= max(int(s.clr), 1) {
				m |= MarkBand
			}
			if m&MarkOpen != 0 && p.Clr[c] >= s.solid {
				m |= MarkSolid
				if m&on != 0 {
					m |= MarkTube
				}
			}
			if dx == 0 && part.d2 == 0 {
				m |= MarkBand
			}
			p.marks[c] = m
		}
	}
	for _, e := range g.extra {
		if e.mark&all == 0 {
			continue
		}
		if x, y := int(e.gx)-p.Table.GX, int(e.gy)-p.Table.GY; uint(x) < pageSpan && uint(y) < pageSpan {
			p.marks[y*pageSpan+x] |= e.mark
		}
	}
}

// pick finds the seeds that can be nearest to a cell of a window: those that
// are no farther from its nearest corner or side than the best one from its
// farthest corner.
func (k *Corridor) pick(w spangrid.Window) {
	best := math.MaxInt
	for i := range k.seeds {
		s := &k.seeds[i]
		dx := max(int(s.gx)-w.GX, w.GX+w.NX-1-int(s.gx))
		dy := max(int(s.gy)-w.GY, w.GY+w.NY-1-int(s.gy))
		best = min(best, dx*dx+dy*dy)
	}
	k.near, k.cols = k.near[:0], k.cols[:0]
	for i := range k.seeds {
		s := &k.seeds[i]
		dx := max(w.GX-int(s.gx), int(s.gx)-(w.GX+w.NX-1), 0)
		dy := max(w.GY-int(s.gy), int(s.gy)-(w.GY+w.NY-1), 0)
		if dx*dx+dy*dy > best {
			continue
		}
		n := int32(len(k.near))
		if n == 0 || k.near[n-1].gx != s.gx {
			k.cols = append(k.cols, colRange{n, n, n})
		}
		k.near = append(k.near, *s)
		k.cols[len(k.cols)-1].end++
	}
}

// row finds for a row, from column gx on, which columns of seeds are nearest
// where. Rows of a page come ascending.
func (k *Corridor) row(gx, gy int) {
	k.hull = k.hull[:0]
	for i := range k.cols {
		c := &k.cols[i]
		for c.at+1 < c.end && abs(int(k.near[c.at+1].gy)-gy) < abs(int(k.near[c.at].gy)-gy) {
			c.at++
		}
		s := &k.near[c.at]
		x, dy := int(s.gx)-gx, int(s.gy)-gy
		d2 := dy * dy
		from := 0
		for len(k.hull) > 0 {
			t := &k.hull[len(k.hull)-1]
			tx := int(k.near[k.cols[t.col].at].gx) - gx
			// The first x at which the new column is strictly nearer.
			from = floorDiv(x*x-tx*tx+d2-t.d2, 2*(x-tx)) + 1
			if from > t.from {
				break
			}
			k.hull = k.hull[:len(k.hull)-1]
			from = 0
		}
		if len(k.hull) == 0 {
			from = math.MinInt
		}
		k.hull = append(k.hull, hullPart{int32(i), from, d2})
	}
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func abs(a int) int {
	if a < 0 {
		return -a
	}
	return a
}
