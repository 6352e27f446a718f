package spanpath

import (
	"math"

	"wend/spangrid"
)

// Blockers are the outline of core ground, a unit edge between two cells each,
// facades, which are unit edges too, and the kept walls. None are collected:
// a chord looks for them in the cells it touches, where all that it can cross
// must be.

// hits reports whether the chord crosses a facade or a kept wall of a cell.
func (s *sighting) hits(p *page, c, gx, gy int) bool {
	cell := p.Cells[c]
	a, b := [2]float64{s.a.U, s.a.V}, [2]float64{s.b.U, s.b.V}
	if s.v.Walls && cell&CellLayer != 0 {
		x, y := float64(gx)*spangrid.Side, float64(gy)*spangrid.Side
		if cell&CellFacadeX != 0 && crosses(a, b, x+spangrid.Side, y, x+spangrid.Side, y+spangrid.Side) ||
			cell&CellFacadeY != 0 && crosses(a, b, x, y+spangrid.Side, x+spangrid.Side, y+spangrid.Side) {
			return true
		}
	}
	if cell&CellWall == 0 || !s.v.Walls && !s.v.Kept {
		return false
	}
	if !s.g.PassWalls && s.ha == s.ha && s.hb == s.hb {
		return p.chordMeetsWall(c, a, b, float64(s.ha), float64(s.hb))
	}
	for _, i := range p.wallsAt(c) {
		if w := &p.Walls[i]; crosses(a, b, w.AU, w.AV, w.BU, w.BV) {
			return true
		}
	}
	return false
}

func crosses(p, q [2]float64, au, av, bu, bv float64) bool {
	_, _, ok := crossing(p, q, [2]float64{au, av}, [2]float64{bu, bv})
	return ok
}

// touchPad is how far around a chord cells are looked at, px: more than the
// tolerance of a crossing and all rounding.
const touchPad = 1e-6

// seesPoints is the part of Sees that looks for blockers and marks, between any
// two points.
func (g *Ground) seesPoints(v View, p, q Point, hp, hq float32) bool {
	s := sighting{g: g, v: v, a: p, b: q, ha: hp, hb: hq}
	ax, ay := p.cell()
	core := g.isCore(ax, ay)
	need := v.Need
	flip := math.Abs(q.V-p.V) > math.Abs(q.U-p.U)
	if flip {
		p, q = Point{p.V, p.U}, Point{q.V, q.U}
	}
	if p.U > q.U {
		p, q = q, p
	}
	du := q.U - p.U
	for x := spangrid.CellOf(p.U - touchPad); x <= spangrid.CellOf(q.U+touchPad); x++ {
		// The chord's V where it enters and leaves the column.
		v0, v1 := p.V, q.V
		if du > 0 {
			t0 := math.Max((float64(x)*spangrid.Side-touchPad-p.U)/du, 0)
			t1 := math.Min((float64(x+1)*spangrid.Side+touchPad-p.U)/du, 1)
			v0, v1 = p.V+float64((q.V-p.V)*t0), p.V+float64((q.V-p.V)*t1)
		}
		y1 := spangrid.CellOf(math.Max(v0, v1) + touchPad)
		for y := spangrid.CellOf(math.Min(v0, v1) - touchPad); y <= y1; y++ {
			gx, gy := x, y
			if flip {
				gx, gy = y, x
			}
			pg, c := g.at(gx, gy)
			var cell uint8
			var marks uint16
			if c >= 0 {
				cell, marks = pg.Cells[c], pg.marks[c]
			}
			if marks&need != need {
				if !s.sampled(need, 0) {
					return false
				}
				need = 0
			}
			if v.NoGo && c >= 0 && g.stamped(pg, c) && s.enters(gx, gy) {
				return false
			}
			if v.Walls && cell&CellCore != core && s.crossesOutline(gx, gy, cell&CellCore) {
				return false
			}
			if cell&(CellFacadeX|CellFacadeY|CellWall) != 0 && s.hits(pg, c, gx, gy) {
				return false
			}
		}
	}
	return true
}

// crossesOutline reports whether the chord crosses a side of a cell beyond which
// ground is core where the cell's is not, or the other way round. It is asked
// about cells that are not like the one the chord begins in: the chord comes
// there over a side of one of them.
func (s *sighting) crossesOutline(gx, gy int, core uint8) bool {
	a, b := [2]float64{s.a.U, s.a.V}, [2]float64{s.b.U, s.b.V}
	x0, y0 := float64(gx)*spangrid.Side, float64(gy)*spangrid.Side
	x1, y1 := x0+spangrid.Side, y0+spangrid.Side
	return s.g.isCore(gx+1, gy) != core && crosses(a, b, x1, y0, x1, y1) ||
		s.g.isCore(gx, gy+1) != core && crosses(a, b, x0, y1, x1, y1) ||
		s.g.isCore(gx-1, gy) != core && crosses(a, b, x0, y0, x0, y1) ||
		s.g.isCore(gx, gy-1) != core && crosses(a, b, x0, y0, x1, y0)
}

// enters reports whether the chord runs through the inside of a cell.
func (s *sighting) enters(gx, gy int) bool {
	t0, t1 := 0.0, 1.0
	for _, ax := range [2][3]float64{{s.a.U, s.b.U, float64(gx)}, {s.a.V, s.b.V, float64(gy)}} {
		lo, hi := float64(ax[2]*spangrid.Side)+touchPad/2, float64((ax[2]+1)*spangrid.Side)-touchPad/2
		d := ax[1] - ax[0]
		if d == 0 {
			if ax[0] <= lo || ax[0] >= hi {
				return false
			}
			continue
		}
		x, y := (lo-ax[0])/d, (hi-ax[0])/d
		t0, t1 = math.Max(t0, math.Min(x, y)), math.Min(t1, math.Max(x, y))
	}
	return t0 <= t1
}

// isCore returns CellCore for a core cell and 0 for others, as those beyond the
// window.
func (g *Ground) isCore(gx, gy int) uint8 {
	p, c := g.at(gx, gy)
	if c < 0 {
		return 0
	}
	return p.Cells[c] & CellCore
}

// Crossings returns how many chords of a polyline cross a kept wall: where
// heights are given at about its height.
func (g *Ground) Crossings(pts []Point, heights []float32) int {
	n := 0
	for i := 1; i < len(pts); i++ {
		hp, hq := unknown, unknown
		if heights != nil {
			hp, hq = heights[i-1], heights[i]
		}
		if !g.Sees(View{Kept: true}, pts[i-1], pts[i], hp, hq) {
			n++
		}
	}
	return n
}
