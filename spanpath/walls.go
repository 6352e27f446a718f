package spanpath

import (
	"math"
	"slices"

	"wend/spangrid"
)

// indexWalls finds which cells each wall comes near. A wall is listed in the
// cells it runs through and in those around them, so that a step between two
// cells meets only walls that are listed in both.
func (p *Page) indexWalls(scr *PageScratch) {
	if len(p.Walls) == 0 {
		return
	}
	scr.seen, scr.at = zeroed(scr.seen, pageSpan*pageSpan), zeroed(scr.at, pageSpan*pageSpan)
	seen, list := scr.seen, scr.listed[:0] // the last wall listed in a cell, from 1
	first, cells := scr.at, 0              // number of walls, then where the next one goes
	w := p.Table.Window
	for i := range p.Walls {
		s := &p.Walls[i]
		t0, t1, ok := clipSegment(s, w)
		if !ok {
			continue
		}
		du, dv := s.BU-s.AU, s.BV-s.AV
		n := int(distance(Point{}, Point{du, dv})*(t1-t0)*8) + 1 // samples half a cell apart
		last := -1
		for k := 0; k <= n; k++ {
			t := t0 + float64((t1-t0)*float64(k)/float64(n))
			x := spangrid.CellOf(s.AU+float64(t*du)) - w.GX
			y := spangrid.CellOf(s.AV+float64(t*dv)) - w.GY
			if y*pageSpan+x == last {
				continue
			}
			last = y*pageSpan + x
			for yy := max(y-1, 0); yy <= min(y+1, pageSpan-1); yy++ {
				for xx := max(x-1, 0); xx <= min(x+1, pageSpan-1); xx++ {
					c := int32(yy*pageSpan + xx)
					if seen[c] != int32(i)+1 {
						if seen[c] == 0 {
							cells++
						}
						seen[c] = int32(i) + 1
						first[c]++
						list = append(list, wallInCell{c, int32(i)})
					}
				}
			}
		}
	}
	scr.listed = list
	// Sorted by cell; inside a cell walls stay in their order.
	p.wallCell, p.wallStart = make([]int32, 0, cells), make([]int32, 0, cells+1)
	at := int32(0)
	for c, n := range first {
		if n == 0 {
			continue
		}
		p.wallCell = append(p.wallCell, int32(c))
		p.wallStart = append(p.wallStart, at)
		p.Cells[c] |= CellWall
		first[c] = at
		at += n
	}
	p.wallStart = append(p.wallStart, at)
	p.wallList = make([]int32, len(list))
	for _, e := range list {
		p.wallList[first[e.cell]] = e.wall
		first[e.cell]++
	}
}

// wallInCell is a wall that is listed in a cell.
type wallInCell struct{ cell, wall int32 }

// clipSegment returns which part of a wall comes within a cell of a window.
func clipSegment(s *Segment, w spangrid.Window) (t0, t1 float64, ok bool) {
	const side = spangrid.Side
	t0, t1 = 0, 1
	cut := func(a, d, lo, hi float64) bool {
		if d == 0 {
			return a >= lo && a <= hi
		}
		x, y := (lo-a)/d, (hi-a)/d
		if x > y {
			x, y = y, x
		}
		t0, t1 = math.Max(t0, x), math.Min(t1, y)
		return t0 <= t1
	}
	ok = cut(s.AU, s.BU-s.AU, float64(w.GX-1)*side, float64(w.GX+w.NX+1)*side) &&
		cut(s.AV, s.BV-s.AV, float64(w.GY-1)*side, float64(w.GY+w.NY+1)*side)
	return t0, t1, ok
}

// wallsAt returns the numbers of the walls listed in a cell.
func (p *Page) wallsAt(c int) []int32 {
	i, ok := slices.BinarySearch(p.wallCell, int32(c))
	if !ok {
		return nil
	}
	return p.wallList[p.wallStart[i]:p.wallStart[i+1]]
}

// stepMeetsWall reports whether the straight line from where one stands on a
// surface of a cell to where one does in a neighbour, the middles of both but for
// narrows, crosses a kept wall at about its height; band is wallBand.
func (p *Page) stepMeetsWall(c, dx, dy int, from, to float32, band float64) bool {
	if p.Cells[c]&CellWall == 0 {
		return false
	}
	m, n := p.pointOf(c, from), p.pointOf(c+dx+dy*pageSpan, to)
	a, b := [2]float64{m.U, m.V}, [2]float64{n.U, n.V}
	for _, i := range p.wallsAt(c) {
		if p.bars(i, a, b, float64(from), float64(to), band) {
			return true
		}
	}
	return false
}

// chordMeetsWall is stepMeetsWall for any chord, and what it meets in one cell of
// those it touches: each wall is met in the cell where it is crossed, and may be
// seen from others.
func (p *Page) chordMeetsWall(c int, a, b [2]float64, ha, hb float64) bool {
	gx, gy := p.Table.At(c)
	x, y := float64(gx)*spangrid.Side, float64(gy)*spangrid.Side
	for _, i := range p.wallsAt(c) {
		w := &p.Walls[i]
		t, _, ok := crossing(a, b, [2]float64{w.AU, w.AV}, [2]float64{w.BU, w.BV})
		if !ok {
			continue
		}
		u, v := a[0]+float64((b[0]-a[0])*t)-x, a[1]+float64((b[1]-a[1])*t)-y
		if u >= -touchPad && u <= spangrid.Side+touchPad && v >= -touchPad && v <= spangrid.Side+touchPad &&
			p.bars(i, a, b, ha, hb, wallBand) {
			return true
		}
	}
	return false
}

// wallBand is how far above or below a way a wall may be that stands in it, m:
// the highest step of the reference rules. A storey is higher.
const wallBand = 1.25

// Tolerances of a crossing. A wall is closed, so that no chord slips through a
// corner that two walls share; a chord is open, so that touching a wall with
// its end is no crossing.
const (
	crossSlack    = 1e-7
	crossParallel = 1e-12
)

// crossing returns where the chord from p to q meets the wall from a to b, as
// parameters along both.
func crossing(p, q, a, b [2]float64) (t, u float64, ok bool) {
	if max(a[0], b[0]) < min(p[0], q[0])-crossSlack || min(a[0], b[0]) > max(p[0], q[0])+crossSlack ||
		max(a[1], b[1]) < min(p[1], q[1])-crossSlack || min(a[1], b[1]) > max(p[1], q[1])+crossSlack {
		return 0, 0, false
	}
	rx, ry, sx, sy := q[0]-p[0], q[1]-p[1], b[0]-a[0], b[1]-a[1]
	d := float64(rx*sy) - float64(ry*sx)
	if math.Abs(d) <= crossParallel {
		return 0, 0, false
	}
	t = (float64((a[0]-p[0])*sy) - float64((a[1]-p[1])*sx)) / d
	u = (float64((a[0]-p[0])*ry) - float64((a[1]-p[1])*rx)) / d
	return t, u, t > crossSlack && t < 1-crossSlack && u > -crossSlack && u < 1+crossSlack
}

// bars reports whether wall i stands in the way of a chord between two heights:
// the chord meets it in the page, and no other wall is its other half. An edge of
// the floor beside which another floor begins at the same line, the other way
// round and no more than a step higher or lower, is a kerb, not a wall; such
// floors were only never joined.
func (p *Page) bars(i int32, a, b [2]float64, ha, hb, band float64) bool {
	w := &p.Walls[i]
	if !w.meets(a, b, ha, hb, band) {
		return false
	}
	t, u, _ := crossing(a, b, [2]float64{w.AU, w.AV}, [2]float64{w.BU, w.BV})
	h := w.HA + float64((w.HB-w.HA)*u)
	length := distance(Point{a[0], a[1]}, Point{b[0], b[1]})
	// What is crossed at the same place is listed in its cell, if not in that of
	// the wall that asks.
	x := spangrid.CellOf(a[0]+float64((b[0]-a[0])*t)) - p.Table.GX
	y := spangrid.CellOf(a[1]+float64((b[1]-a[1])*t)) - p.Table.GY
	for _, j := range p.wallsAt(min(max(y, 0), pageSpan-1)*pageSpan + min(max(x, 0), pageSpan-1)) {
		o := &p.Walls[j]
		if j == i || !w.against(o) {
			continue
		}
		t2, u2, ok := crossing(a, b, [2]float64{o.AU, o.AV}, [2]float64{o.BU, o.BV})
		if ok && math.Abs(t2-t)*length <= kerbGap && math.Abs(o.HA+float64((o.HB-o.HA)*u2)-h) <= p.step {
			return false
		}
	}
	return true
}

// against reports whether another wall runs along this one the other way round. The
// two walls of a corner do not, however near to its tip both are crossed, nor do the
// two sides of a slit, however near they come to one another at its end.
func (s *Segment) against(o *Segment) bool {
	du, dv, eu, ev := s.BU-s.AU, s.BV-s.AV, o.BU-o.AU, o.BV-o.AV
	dot := float64(du*eu) + float64(dv*ev)
	return dot < 0 && float64(dot*dot) >= kerbTurn*float64((float64(du*du)+float64(dv*dv))*(float64(eu*eu)+float64(ev*ev))) &&
		s.near(o.AU, o.AV) && s.near(o.BU, o.BV) && o.near(s.AU, s.AV) && o.near(s.BU, s.BV)
}

// near reports whether a place is no farther from the line of the wall than the two
// edges of a kerb may be apart, if it lies beside it at all.
func (s *Segment) near(u, v float64) bool {
	du, dv := s.BU-s.AU, s.BV-s.AV
	pu, pv := u-s.AU, v-s.AV
	length := float64(du*du) + float64(dv*dv)
	along := float64(du*pu) + float64(dv*pv)
	aside := float64(du*pv) - float64(dv*pu)
	return along <= 0 || along >= length || float64(aside*aside) <= kerbApart*kerbApart*length
}

// kerbTurn is the least squared cosine of the angle between the two edges of a
// kerb: 0.9 squared, where welded corners have moved apart.
const kerbTurn = 0.81

// kerbGap is how far apart the two edges of a kerb may be where both are crossed, px,
// and kerbApart anywhere along them.
const (
	kerbGap   = 0.02
	kerbApart = 2 * kerbGap
)

// meets reports whether a chord between two heights crosses the wall no further
// above or below it than band.
func (s *Segment) meets(p, q [2]float64, hp, hq, band float64) bool {
	t, u, ok := crossing(p, q, [2]float64{s.AU, s.AV}, [2]float64{s.BU, s.BV})
	if !ok {
		return false
	}
	at := hp + float64((hq-hp)*t)
	wall := s.HA + float64((s.HB-s.HA)*u)
	return math.Abs(at-wall) <= band
}
