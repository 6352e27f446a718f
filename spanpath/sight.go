package spanpath

import (
	"math"

	"wend/spangrid"
)

// A View is what stands in the way of a chord.
type View struct {
	// Need are the marks that a chord must run on, 0 where it may run anywhere:
	// the cells of points at most half a cell apart must have them all. Then it
	// must not cut the corner of a cell that NoGo speaks of either, unless
	// [Setup.PassWalls] is set.
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
	_, ok := g.seesGuess(v, p, q, hp, hq, -1)
	return ok
}

// seesGuess is Sees with a guess of where the chord is blocked; see
// [Ground.sight].
func (g *Ground) seesGuess(v View, p, q Point, hp, hq float32, guess int) (at int, ok bool) {
	if !p.sane() || !q.sane() {
		return -1, false
	}
	ax, ay := p.cell()
	bx, by := q.cell()
	if !v.NoGo && p == middle(ax, ay) && q == middle(bx, by) && g.Clip.Has(ax, ay) && g.Clip.Has(bx, by) {
		return g.sight(v, ax, ay, bx, by, hp, hq, guess)
	}
	if (v.Walls || v.Kept || v.NoGo || v.Need != 0) && !g.seesPoints(v, p, q, hp, hq) {
		return -1, false
	}
	return -1, (!v.Bans || !g.banned(ax, ay, bx, by)) && (!v.Heights || g.continues(ax, ay, bx, by, hp, hq))
}

// middle returns the middle of a cell.
func middle(gx, gy int) Point { return Point{spangrid.Center(gx), spangrid.Center(gy)} }

// seesSpans is [Ground.Sees] between the middles of the cells of two spans, at
// their heights.
func (g *Ground) seesSpans(v View, a, b Span) bool {
	p, i := g.of(uint32(a))
	q, j := g.of(uint32(b))
	if len(p.narrows)|len(q.narrows) != 0 {
		return g.Sees(v, g.Point(a), g.Point(b), p.Table.H[i], q.Table.H[j])
	}
	ax, ay := p.Table.At(int(p.cellOf[i]))
	bx, by := q.Table.At(int(q.cellOf[j]))
	_, ok := g.sight(v, ax, ay, bx, by, p.Table.H[i], q.Table.H[j], -1)
	return ok
}

// probeWidth is how many columns to either side of a guess are looked at first.
const probeWidth = 3

// sight is Sees between the middles of cells of the window, with a guess of the column, along the longer axis, where
// the chord is blocked, -1 for none: it changes only how soon that is noticed.
// Where what lies beside the line blocks it, it returns the column.
func (g *Ground) sight(v View, ax, ay, bx, by int, ha, hb float32, guess int) (at int, ok bool) {
	l := newLine(ax, ay, bx, by)
	s := sighting{g: g, v: v, a: middle(ax, ay), b: middle(bx, by), ha: ha, hb: hb}
	if v.Walls || v.Kept || v.Need != 0 {
		need := v.Need
		if guess > probeWidth && guess-probeWidth < l.n {
			if at, ok = s.look(&l, guess-probeWidth, min(guess+probeWidth, l.n), &need); !ok {
				return at, false
			}
		}
		if at, ok = s.look(&l, 0, l.n, &need); !ok {
			return at, false
		}
	}
	return -1, (!v.Bans && !v.Heights) || s.follow(l)
}

// sighting is the state of a chord that is looked along.
type sighting struct {
	g      *Ground
	v      View
	a, b   Point
	ha, hb float32
}

// run returns how many columns from the one it is in, counted along the longer
// axis, a line can go on before it may leave a square of cells with corners
// (x0, y0) and (x1, y1), closed: along the other axis it goes no faster.
func (l *line) run(gx, gy, x0, y0, x1, y1 int) int {
	n := math.MaxInt
	if d := l.mx + l.sx; d > 0 {
		n = x1 - gx
	} else if d < 0 {
		n = gx - x0
	}
	if d := l.my + l.sy; d > 0 {
		n = min(n, y1-gy)
	} else if d < 0 {
		n = min(n, gy-y0)
	}
	return n
}

// look looks at each cell that a chord of middles touches, be it in a corner
// only, in columns from first to last: all of them together are core or none
// is, else the chord crosses the outline; and samples of the chord lie in no
// others. It sets need to 0 once all samples have been found to have the marks.
func (s *sighting) look(l *line, first, last int, need *uint16) (at int, ok bool) {
	// The bits of a cell that matter, and what they are where nothing does.
	var mind, want uint8
	if s.v.Walls {
		mind = CellCore | CellFacadeX | CellFacadeY | CellWall
		want = s.g.isCore(l.ax, l.ay)
	} else if s.v.Kept {
		mind = CellWall
	}
	if s.v.Need != 0 && !s.g.PassWalls {
		mind |= CellNoGo
	}
	marks := *need
	col, lo := *l, 0
	if first > 0 {
		col.goTo(first - 1)
		lo = col.crossedFrom()
	}
	col.goTo(first)
	along, aside := l.mx+l.my*pageSpan, l.sx+l.sy*pageSpan
	for {
		gx, gy := l.ax+col.k*l.mx+lo*l.sx, l.ay+col.k*l.my+lo*l.sy
		p := s.g.pageAt(gx>>pageBits, gy>>pageBits)
		if p == nowhere && want != 0 {
			return col.k, false
		}
		if p == nowhere && marks != 0 {
			if !s.sampledFrom(&col, first, marks) {
				return col.k, false
			}
			marks, *need = 0, 0
		}
		// The page's own cells and its apron have all there is as far as this.
		x, y := gx&^(PageSide-1), gy&^(PageSide-1)
		to := min(last-col.k, l.run(gx, gy, x-Apron, y-Apron, x+PageSide+Apron-1, y+PageSide+Apron-1)-2) + col.k
		c := (gy-y+Apron)*pageSpan + gx - x + Apron
		for ; ; col.step() {
			hi, corner := col.crossedTo()
			for m := lo; ; m++ {
				if p != nowhere && (p.Cells[c]&mind != want || p.marks[c]&marks != marks) {
					if p.Cells[c]&mind&CellCore != want {
						return col.k, false
					}
					if p.Cells[c]&mind&CellNoGo != 0 && s.enters(l.ax+col.k*l.mx+m*l.sx, l.ay+col.k*l.my+m*l.sy) {
						return col.k, false // samples may miss the corner of a cell
					}
					if p.marks[c]&marks != marks {
						if !s.sampledFrom(&col, first, marks) {
							return col.k, false
						}
						marks, *need = 0, 0
					}
					if s.hits(p, c, l.ax+col.k*l.mx+m*l.sx, l.ay+col.k*l.my+m*l.sy) {
						return col.k, false
					}
				}
				if m == hi {
					break
				}
				c += aside
			}
			lo = hi
			if corner {
				lo--
				c -= aside
			}
			if col.k >= to {
				break
			}
			c += along
		}
		if col.k >= last {
			return -1, true
		}
		col.step()
	}
}

// follow follows the digital line: no step along it is forbidden, and surfaces
// go on.
func (s *sighting) follow(l line) bool {
	w := s.g.walker(l.gx, l.gy)
	w.cur = append(w.cur, s.ha)
	ok := s.advance(&l, &w) && (!s.v.Heights || w.ends(s.hb))
	w.keep(s.g)
	return ok
}

func (s *sighting) advance(l *line, w *walker) bool {
	steps := [2]step{stepOf(l.mx, l.my), stepOf(l.mx+l.sx, l.my+l.sy)}
	px, py := math.MinInt, 0 // place of the page
	var p *page
	var c, at int // cell, and the column of the last one with surfaces
	gx, gy, m := l.gx, l.gy, 0
	// Calm blocks are passed at once: since column began while leaping.
	var lo, hi float32
	leaping, began, again := false, 0, 0
	limit := math.Min(w.climb, w.up[0])
	for l.k < l.n {
		if l.k >= again && (leaping || len(w.cur) == 1) {
			if !leaping {
				lo, hi, began = w.cur[0], w.cur[0], l.k
			}
			end, ok := s.leap(l, limit, &lo, &hi)
			if ok {
				leaping = true
				continue
			}
			again = end
			if leaping {
				leaping = false
				if s.v.Heights {
					at = s.catchUp(l, w, began, at)
				}
				gx, gy, m, px = l.gx, l.gy, l.minor(), math.MinInt
			}
		}
		l.step()
		gx, gy, c = gx+l.mx, gy+l.my, c+l.mx+l.my*pageSpan
		aside := 0
		if to := l.minor(); to != m {
			gx, gy, c = gx+l.sx, gy+l.sy, c+l.sx+l.sy*pageSpan
			m, aside = to, 1
		}
		if gx>>pageBits != px || gy>>pageBits != py {
			px, py = gx>>pageBits, gy>>pageBits
			if p = s.g.pageAt(px, py); p != nowhere {
				c = (gy-p.Table.GY)*pageSpan + gx - p.Table.GX
			}
		}
		if p == nowhere {
			continue
		}
		if s.v.Bans && steps[aside].banned(p.Bans, c) {
			return false
		}
		if !s.v.Heights {
			continue
		}
		first, end := p.Table.Range(c)
		if first == end {
			continue
		}
		if end-first == 1 && len(w.cur) == 1 && at == l.k-1 && !p.anyShut {
			// One height goes on to one, without a gap between.
			h := p.Table.H[first]
			d := float64(h - w.cur[0])
			if d > w.up[aside] || d < -w.climb {
				return false
			}
			w.cur[0] = h
			w.x, w.y = gx, gy
		} else if !w.to(gx, gy, s.g.surfaces(p, c)) {
			return false
		}
		at = l.k
	}
	if leaping && s.v.Heights {
		s.catchUp(l, w, began, at)
	}
	return true
}

// step is a step to a neighbour as forbidden steps are stored.
type step struct {
	bit  uint8
	from int // where it is stored, from the cell it leads to, in a page
}

func stepOf(dx, dy int) (s step) {
	var there bool
	if s.bit, there = spangrid.StepBit(dx, dy); !there {
		s.from = -dx - dy*pageSpan
	}
	return s
}

// banned reports whether the step to cell c of a page is forbidden. The cell it
// comes from is in the page too, be it in the apron.
func (s *step) banned(bans []uint8, c int) bool { return bans[c+s.from]&s.bit != 0 }

// sampledFrom is sampled for a look that comes upon a cell without the marks in
// the column that a line is in: from the column before on, where all before were
// looked at.
func (s *sighting) sampledFrom(l *line, first int, need uint16) bool {
	if first > 0 || l.k == 0 {
		return s.sampled(need, 0)
	}
	return s.sampled(need, float64(l.k-1)/float64(l.n))
}

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
	for x, y := ax, ay; l.next(); x, y = l.gx, l.gy {
		p, c := g.at(l.gx, l.gy)
		if step := stepOf(l.gx-x, l.gy-y); c >= 0 && g.Clip.Has(x, y) && step.banned(p.Bans, c) {
			return true
		}
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
