package spanpath

import (
	"math"

	"wend/spangrid"
)

// A View is what stands in the way of a chord.
type View struct {
	// Need are the marks that a chord must run on, 0 where it may run anywhere:
	// the cells of points at most half a cell apart must have them all.
	Need uint16

	// Walls: it must not cross the outline of core ground, the facades, nor the
	// kept walls.
	Walls bool

	// Kept: it must not cross the kept walls. Walls includes it.
	Kept bool

	// NoGo: it must not enter a cell that is closed by a no-go zone or a disc. It
	// may run along the rim of one.
	NoGo bool

	// Bans: no step from cell to cell along it is forbidden.
	Bans bool

	// Heights: surfaces go on from the height at its beginning to that at its
	// end.
	Heights bool
}

// unknown is the height of a chord's end that has none.
var unknown = float32(math.NaN())

// Sees reports whether a chord from p to q, at heights hp and hq, is free.
//
// Kept walls count where the chord crosses them at about their height, and
// wherever it crosses them where the heights are not numbers or
// [Setup.PassWalls] is set; the outline and facades have no height. Time is
// linear in the cells.
func (g *Ground) Sees(v View, p, q Point, hp, hq float32) bool {
	if !p.sane() || !q.sane() {
		return false
	}
	ax, ay := p.cell()
	bx, by := q.cell()
	if !v.NoGo && p == middle(ax, ay) && q == middle(bx, by) && g.Clip.Has(ax, ay) && g.Clip.Has(bx, by) {
		return g.seesMiddles(v, ax, ay, bx, by, hp, hq)
	}
	if (v.Walls || v.Kept || v.NoGo || v.Need != 0) && !g.seesPoints(v, p, q, hp, hq) {
		return false
	}
	return (!v.Bans || !g.banned(ax, ay, bx, by)) && (!v.Heights || g.continues(ax, ay, bx, by, hp, hq))
}

// middle returns the middle of a cell.
func middle(gx, gy int) Point { return Point{spangrid.Center(gx), spangrid.Center(gy)} }

// seesSpans is [Ground.Sees] between the middles of the cells of two spans, at
// their heights.
func (g *Ground) seesSpans(v View, a, b Span) bool {
	p, i := g.of(uint32(a))
	q, j := g.of(uint32(b))
	ax, ay := p.Table.At(int(p.Table.Cell[i]))
	bx, by := q.Table.At(int(q.Table.Cell[j]))
	return g.seesMiddles(v, ax, ay, bx, by, p.Table.H[i], q.Table.H[j])
}

// seesMiddles is Sees between the middles of cells of the window.
//
// One pass along the digital line does everything. Beside it, it looks at each
// cell that the chord touches, be it in a corner only: all of them together are
// core or none is, else the chord crosses the outline; and samples of the chord
// lie in no others.
func (g *Ground) seesMiddles(v View, ax, ay, bx, by int, ha, hb float32) bool {
	l := newLine(ax, ay, bx, by)
	s := sighting{g: g, v: v, a: middle(ax, ay), b: middle(bx, by), ha: ha, hb: hb, page: nowhere, px: math.MinInt}
	w := g.walker(ax, ay)
	w.cur = append(w.cur, ha)
	ok := s.run(&l, &w)
	ok = ok && (!v.Heights || w.ends(hb))
	w.keep(g)
	return ok
}

// sighting is the state of a chord that is looked along.
type sighting struct {
	g      *Ground
	v      View
	a, b   Point
	ha, hb float32

	page   *page // owner of the cell looked at last, and its place
	px, py int
}

// at is Ground.at for a cell of the window.
func (s *sighting) at(gx, gy int) (*page, int) {
	if px, py := gx>>pageBits, gy>>pageBits; px != s.px || py != s.py {
		s.page, s.px, s.py = s.g.pageAt(px, py), px, py
	}
	if s.page == nowhere {
		return nowhere, -1
	}
	t := &s.page.Table
	return s.page, (gy-t.GY)*pageSpan + gx - t.GX
}

func (s *sighting) run(l *line, w *walker) bool {
	p, c := s.at(l.gx, l.gy)
	outline := s.v.Walls
	var core uint8
	if c >= 0 {
		core = p.Cells[c] & CellCore
	}
	look := s.v.Walls || s.v.Kept || s.v.Need != 0
	need := s.v.Need
	lo := 0
	fromX, fromY, from, fromCell := l.gx, l.gy, p, c
	for first := true; first || l.next(); first = false {
		if look {
			hi, corner := l.crossedTo()
			for m := lo; m <= hi; m++ {
				gx, gy := l.ax+l.k*l.mx+m*l.sx, l.ay+l.k*l.my+m*l.sy
				p, c := s.at(gx, gy)
				var cell uint8
				var marks uint16
				if c >= 0 {
					cell, marks = p.Cells[c], p.marks[c]
				}
				if marks&need != need {
					if !s.sampled(need, float64(l.k-1)/float64(max(l.n, 1))) {
						return false
					}
					need = 0
				}
				if outline && cell&CellCore != core {
					return false
				}
				if cell&(CellFacadeX|CellFacadeY|CellWall) != 0 && s.hits(p, c, gx, gy) {
					return false
				}
			}
			if lo = hi; corner {
				lo--
			}
		}
		if first {
			continue
		}
		p, c = s.at(l.gx, l.gy)
		if s.v.Bans && s.ban(from, fromCell, p, c, l.gx-fromX, l.gy-fromY) {
			return false
		}
		fromX, fromY, from, fromCell = l.gx, l.gy, p, c
		if s.v.Heights && c >= 0 {
			if h := s.g.surfaces(p, c); len(h) > 0 && !w.to(l.gx, l.gy, h) {
				return false
			}
		}
	}
	return true
}

// ban reports whether the step between two cells, numbers c and d of their
// pages, is forbidden.
func (s *sighting) ban(p *page, c int, q *page, d int, dx, dy int) bool {
	step := stepBits[(dy+1)*3+dx+1]
	if step.owner {
		p, c = q, d
	}
	return c >= 0 && p.Bans[c]&step.bit != 0
}

// stepBits has spangrid.StepBit by (dy+1)*3 + dx+1.
var stepBits = func() (t [9]struct {
	bit   uint8
	owner bool
}) {
	for i := range t {
		t[i].bit, t[i].owner = spangrid.StepBit(i%3-1, i/3-1)
	}
	return t
}()

// sampled reports whether the cells of samples along the chord have the marks
// needed, from parameter t on. Samples are equidistant, both ends among them, and
// less than half a cell apart.
func (s *sighting) sampled(need uint16, t float64) bool {
	const spacing = spangrid.Side / 2
	last := int(distance(s.a, s.b)/spacing) + 1
	step := 1 / float64(last)
	du, dv := s.b.U-s.a.U, s.b.V-s.a.V
	for i := max(int(t*float64(last))-1, 0); i <= last; i++ {
		t := float64(i) * step
		if i == last {
			t = 1
		}
		at := Point{s.a.U + float64(du*t), s.a.V + float64(dv*t)}
		if s.g.Marks(at.cell())&need != need {
			return false
		}
	}
	return true
}

// banned reports whether a step along a digital line is forbidden.
func (g *Ground) banned(ax, ay, bx, by int) bool {
	l := newLine(ax, ay, bx, by)
	s := sighting{g: g}
	p, c := g.at(ax, ay)
	for x, y := ax, ay; l.next(); x, y = l.gx, l.gy {
		q, d := g.at(l.gx, l.gy)
		if c >= 0 && d >= 0 && s.ban(p, c, q, d, l.gx-x, l.gy-y) {
			return true
		}
		p, c = q, d
	}
	return false
}

// continues reports whether surfaces go on along a digital line from one height
// to another.
func (g *Ground) continues(ax, ay, bx, by int, ha, hb float32) bool {
	w := g.walker(ax, ay)
	w.cur = append(w.cur, ha)
	ends := [2]Point{middle(ax, ay), middle(bx, by)}
	ok := g.along(&w, ends[:], false) && w.ends(hb)
	w.keep(g)
	return ok
}
