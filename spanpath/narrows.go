package spanpath

import (
	"cmp"
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/spangrid"
)

// A pack says that a cell is core where floor lies over its middle. In a passage
// that is about a cell wide, as a door is that a body just fits through once the
// floor was inset by its radius, such cells touch by corners only, or there are
// none for a while: whether the grid goes through depended on how the passage
// lies among the cells.
//
// So a page looks for narrows: surfaces with walls on both sides, less than two
// cells apart, and floor somewhere in the cell. All cells that a passage touches
// are joined by sides; they are opened. Whoever stands in one stands where it is
// widest, not in its middle, and so steps to the next without crossing a wall.

const (
	// narrowWidth is from how far apart on walls do not make a narrow, cells: in a
	// passage wider than the diagonal of a cell middles of cells suffice.
	narrowWidth = 1.9
	// narrowReach is up to where the distance of a wall is known, cells: those a
	// cell around a cell are listed in it.
	narrowReach = 0.98
	// narrowGrid is how many places to a side of a cell are looked at. Passages
	// of more than two places are found, however they lie.
	narrowGrid = 8
	// straitWidth and straitReach are the same for straits, where middles suffice
	// but there may be no medial axis: from middles farther walls are known.
	straitWidth = 2.8
	straitReach = 1.49
	// narrowChannel is how far around narrows and straits the channel is open,
	// cells: the medial axis of wider ground beside them does not come nearer, if
	// it is not open anyway.
	narrowChannel = 7
	// narrowTries bounds how many places of a cell are looked for floor.
	narrowTries = 16
	// manyWalls is the number of walls from which on two of them are taken to face
	// each other.
	manyWalls = 24
)

// A narrow is a surface in a cell that a narrow passage runs through, and where
// one stands on it.
type narrow struct {
	cell int32
	h    float32
	at   Point
}

// narrowFinder finds the narrows of a page.
type narrowFinder struct {
	p     *Page
	in    *PageInput
	dir   []Point // of each wall, of length 1
	walls []int32 // those at about the height of the surface that is looked at
	sides []side  // the same
	over  []float64
	spots []spot
	list  []narrow

	straits []int32 // cells
}

// side is a wall at about the height of a surface.
type side struct {
	a, d, dir Point // its beginning, where it leads, and that of length 1
	l         float64
	h, dh     float64 // at the beginning, and what it rises

	// As seen from the place that is looked at:
	v     Point   // the way to the nearest place of the wall
	dist  float64 // how long that is
	inner bool    // that is no end of it
	ok    bool    // it is at about the height
}

// spot is a place in a cell.
type spot struct {
	at   Point
	room float64 // distance of the nearest wall, px
	off  float64 // squared distance from the middle of the cell
}

// findNarrows finds the narrows of a page whose walls are indexed. order are the
// records by cell and height. Whether a cell has one depends on the records in
// it, and on the walls and floors within a cell of it. It returns the straits.
func (p *Page) findNarrows(in *PageInput, order []int32) []int32 {
	f := narrowFinder{p: p, in: in, dir: make([]Point, len(p.Walls))}
	for i := range p.Walls {
		w := &p.Walls[i]
		du, dv := w.BU-w.AU, w.BV-w.AV
		if l := distance(Point{}, Point{du, dv}); l > 0 {
			f.dir[i] = Point{du / l, dv / l}
		}
	}
	recs := in.Fields.Records
	k := 0
	for i, c := range p.wallCell {
		near := p.wallList[p.wallStart[i]:p.wallStart[i+1]]
		if len(near) < 2 || f.gap(near) > straitWidth*spangrid.Side {
			continue
		}
		for k < len(order) && recs[order[k]].Cell < c {
			k++
		}
		for ; k < len(order) && recs[order[k]].Cell == c; k++ {
			r := &recs[order[k]]
			if r.Region == in.Region && r.Flags&(bnav.Fill|bnav.Ghost) == 0 {
				f.look(int(c), r.H, near)
			}
		}
	}
	p.narrows = f.list
	return f.straits
}

// gap returns how near to each other two of some walls are that may be the sides
// of a passage, px; +Inf where there are none. Floor lies on the left of walls, so
// they run against each other, and each is on the left of the other: those of a
// kerb or of two floors that were never joined turn their backs to each other.
func (f *narrowFinder) gap(near []int32) float64 {
	if len(near) > manyWalls {
		return 0
	}
	least := math.Inf(1)
	for k, i := range near {
		for _, j := range near[k+1:] {
			if a, b := f.dir[i], f.dir[j]; float64(a.U*b.U)+float64(a.V*b.V) <= -0.5 && f.front(i, j) && f.front(j, i) {
				v, w := &f.p.Walls[i], &f.p.Walls[j]
				least = math.Min(least, math.Min(
					math.Min(v.distance(Point{w.AU, w.AV}), v.distance(Point{w.BU, w.BV})),
					math.Min(w.distance(Point{v.AU, v.AV}), w.distance(Point{v.BU, v.BV})),
				))
			}
		}
	}
	return least
}

// distance returns the distance of a point from a wall, seen from above, px.
func (s *Segment) distance(p Point) float64 {
	t := s.nearest(p)
	return distance(p, Point{s.AU + float64((s.BU-s.AU)*t), s.AV + float64((s.BV-s.AV)*t)})
}

// nearest returns which place of a wall is the nearest to a point, from 0 to 1.
func (s *Segment) nearest(p Point) float64 {
	du, dv := s.BU-s.AU, s.BV-s.AV
	l := float64(du*du) + float64(dv*dv)
	if l == 0 {
		return 0
	}
	return math.Min(math.Max((float64((p.U-s.AU)*du)+float64((p.V-s.AV)*dv))/l, 0), 1)
}

// front reports whether some of wall j lies on the left of wall i, at about its
// height.
func (f *narrowFinder) front(i, j int32) bool {
	const least = 0.01 * spangrid.Side
	w, o, d := &f.p.Walls[i], &f.p.Walls[j], f.dir[i]
	return math.Max(float64(d.U*(o.AV-w.AV))-float64(d.V*(o.AU-w.AU)), float64(d.U*(o.BV-w.AV))-float64(d.V*(o.BU-w.AU))) > least &&
		math.Max(o.HA, o.HB) >= math.Min(w.HA, w.HB)-2*wallBand
}

// look notes a surface that is a narrow or in a strait.
func (f *narrowFinder) look(c int, h float32, near []int32) {
	const step = spangrid.Side / narrowGrid
	gap := f.gap(f.level(h, near))
	if gap > straitWidth*spangrid.Side {
		return
	}
	gx, gy := f.p.Table.At(c)
	m := middle(gx, gy)
	f.spots = f.spots[:0]
	for y := 0; y < narrowGrid && gap <= narrowWidth*spangrid.Side; y++ {
		for x := range narrowGrid {
			at := Point{
				float64(gx)*spangrid.Side + (float64(x)+0.5)*step,
				float64(gy)*spangrid.Side + (float64(y)+0.5)*step,
			}
			if room, ok := f.between(at, h, narrowReach, narrowWidth); ok {
				du, dv := at.U-m.U, at.V-m.V
				f.spots = append(f.spots, spot{at, room, float64(du*du) + float64(dv*dv)})
			}
		}
	}
	slices.SortFunc(f.spots, func(a, b spot) int {
		return cmp.Or(cmp.Compare(b.room, a.room), cmp.Compare(a.off, b.off), cmp.Compare(a.at.V, b.at.V), cmp.Compare(a.at.U, b.at.U))
	})
	for i := range min(len(f.spots), narrowTries) {
		s := &f.spots[i]
		if !f.floor(s.at, h) {
			continue
		}
		at := s.at
		if room, ok := f.between(m, h, narrowReach, narrowWidth); ok && room >= s.room/2 && f.floor(m, h) {
			at = m
		}
		f.list = append(f.list, narrow{int32(c), h, at})
		return
	}
	if _, ok := f.between(m, h, straitReach, straitWidth); ok && f.floor(m, h) {
		f.straits = append(f.straits, int32(c))
	}
}

// floor reports whether there is floor of about a height at a place.
func (f *narrowFinder) floor(at Point, h float32) bool {
	f.over = f.in.Over(f.over[:0], at)
	return nearAny(f.over, float64(h))
}

// level finds the walls that may be at about a height somewhere, and returns their
// numbers.
func (f *narrowFinder) level(h float32, near []int32) []int32 {
	const band = wallBand + 1e-6 // not less for rounding
	f.sides, f.walls = f.sides[:0], f.walls[:0]
	for _, i := range near {
		w := &f.p.Walls[i]
		if min(w.HA, w.HB)-float64(h) > band || float64(h)-max(w.HA, w.HB) > band {
			continue
		}
		s := side{a: Point{w.AU, w.AV}, d: Point{w.BU - w.AU, w.BV - w.AV}, dir: f.dir[i], h: w.HA, dh: w.HB - w.HA}
		s.l = float64(s.d.U*s.d.U) + float64(s.d.V*s.d.V)
		f.sides, f.walls = append(f.sides, s), append(f.walls, i)
	}
	return f.walls
}

// between reports whether there are walls on opposite sides of a place, within
// reach of it and no farther than width from each other, cells, and how far the
// nearest one is. No place behind that one, seen from the floor, is between walls;
// at the end of a wall one cannot tell.
func (f *narrowFinder) between(at Point, h float32, reach, width float64) (room float64, ok bool) {
	reach *= spangrid.Side
	room = reach
	var first Point
	behind := true
	for i := range f.sides {
		if s := &f.sides[i]; s.look(at, h) && s.dist < room {
			room, first, behind = s.dist, s.v, s.inner && float64(s.dir.U*s.v.V)-float64(s.dir.V*s.v.U) > 0
		}
	}
	if behind || room == 0 {
		return 0, false
	}
	for i := range f.sides {
		s := &f.sides[i]
		if s.ok && s.dist < reach && s.dist+room <= width*spangrid.Side && float64(s.v.U*first.U)+float64(s.v.V*first.V) <= -0.5*room*s.dist {
			return room, true
		}
	}
	return 0, false
}

// look sees a wall from a place, and reports whether it is at about the height
// there.
func (s *side) look(at Point, h float32) bool {
	t := 0.0
	s.inner = false
	if s.l > 0 {
		t = (float64((at.U-s.a.U)*s.d.U) + float64((at.V-s.a.V)*s.d.V)) / s.l
		s.inner = t > 0 && t < 1
		t = min(max(t, 0), 1)
	}
	if s.ok = !(math.Abs(s.h+float64(s.dh*t)-float64(h)) > wallBand); s.ok {
		s.v = Point{s.a.U + float64(s.d.U*t) - at.U, s.a.V + float64(s.d.V*t) - at.V}
		s.dist = distance(Point{}, s.v)
	}
	return s.ok
}

// openNarrows opens the cells with narrows, and the channel around them. Of the
// list only those stay where one does not stand in the middle.
func (p *Page) openNarrows(straits []int32) {
	for i := range p.narrows {
		p.Cells[p.narrows[i].cell] |= CellCore | CellLayer
	}
	for _, c := range straits {
		p.openChannel(int(c), narrowChannel)
	}
	rest := p.narrows[:0]
	for _, n := range p.narrows {
		p.openChannel(int(n.cell), narrowChannel)
		if n.at != middle(p.Table.At(int(n.cell))) {
			rest = append(rest, n)
		}
	}
	p.narrows = slices.Clip(rest)
}

// isNarrow reports whether a surface is one of the narrows.
func (p *Page) isNarrow(c int32, h float32) bool {
	i, ok := slices.BinarySearchFunc(p.narrows, c, func(n narrow, c int32) int { return cmp.Compare(n.cell, c) })
	for ; ok && i < len(p.narrows) && p.narrows[i].cell == c; i++ {
		if p.narrows[i].h == h {
			return true
		}
	}
	return false
}

// pointOf returns where one stands on a surface: in the middle of its cell, but
// for narrows.
func (p *Page) pointOf(c int, h float32) Point {
	if len(p.narrows) > 0 {
		i, ok := slices.BinarySearchFunc(p.narrows, int32(c), func(n narrow, c int32) int { return cmp.Compare(n.cell, c) })
		for ; ok && i < len(p.narrows) && p.narrows[i].cell == int32(c); i++ {
			if p.narrows[i].h == h {
				return p.narrows[i].at
			}
		}
	}
	return middle(p.Table.At(c))
}

// Point returns where one stands on a span, by its number in the page: in the
// middle of its cell, or where a narrow passage is widest in the cell.
func (p *Page) Point(s int) Point { return p.pointOf(int(p.cellOf[s]), p.Table.H[s]) }

// Point returns where one stands on a span: see [Page.Point].
func (g *Ground) Point(s Span) Point {
	p, i := g.of(uint32(s))
	return p.Point(i)
}
