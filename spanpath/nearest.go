package spanpath

import "math"

// NearestOn returns the cell nearest to a cell that has all marks of need, and
// its squared distance: of equally near ones the first by row and column. None
// farther than maxCells counts. Time grows with the square of the distance.
func (g *Ground) NearestOn(gx, gy, maxCells int, need uint16) (at Cell, d2 int, ok bool) {
	r := g.newRings(gx, gy, maxCells)
	for r.next() {
		if d := r.d2(); ok && (d > d2 || d == d2 && !r.before(at)) {
			continue
		}
		if p, c := g.at(r.x, r.y); c >= 0 && p.marks[c]&need == need {
			at, d2, ok = Cell{int32(r.x), int32(r.y)}, r.d2(), true
			r.most = min(r.most, d2)
		}
	}
	return at, d2, ok
}

// NearestDeck returns the usable span within band of a height that is nearest
// to a cell, and the squared distance of its cell: of equally near ones that
// nearest in height, and then the first by row, column and height. Its cell has
// all marks of need and is no farther than maxCells.
func (g *Ground) NearestDeck(gx, gy, maxCells int, need uint16, deck float32, band float64) (at Span, d2 int, ok bool) {
	r := g.newRings(gx, gy, maxCells)
	off := 0.0
	for r.next() {
		d := r.d2()
		if ok && d > d2 {
			continue
		}
		p, c := g.at(r.x, r.y)
		if c < 0 || p.marks[c]&need != need {
			continue
		}
		for i := p.first[c]; i < p.first[c+1]; i++ {
			h := math.Abs(float64(p.Table.H[i]) - float64(deck))
			if !p.use[i] || !(h <= band) {
				continue
			}
			id := p.base + uint32(i)
			if !ok || d < d2 || h < off || h == off && g.placeBefore(id, uint32(at)) {
				at, d2, off, ok = Span(id), d, h, true
				r.most = min(r.most, d)
			}
		}
	}
	return at, d2, ok
}

// rings walks over the cells of a window around a cell, one square ring after
// another, as far as a cell of a ring can be within a squared distance.
type rings struct {
	x, y   int // where it is
	gx, gy int // the middle
	r      int // ring
	most   int // squared distance

	x0, y0, x1, y1 int // the window, ends included
	started        bool
}

func (g *Ground) newRings(gx, gy, maxCells int) rings {
	w := g.Clip
	r := rings{gx: gx, gy: gy, x0: w.GX, y0: w.GY, x1: w.GX + w.NX - 1, y1: w.GY + w.NY - 1}
	// Rings that do not reach the window, or go beyond it, are empty.
	near := max(r.x0-gx, gx-r.x1, r.y0-gy, gy-r.y1, 0)
	far := max(gx-r.x0, r.x1-gx, gy-r.y0, r.y1-gy)
	m := min(maxCells, 2*far)
	r.most = m * m
	if m < 0 || near > m {
		r.most = -1
	}
	r.r = near
	return r
}

// d2 returns the squared distance of the cell it is at.
func (r *rings) d2() int { return (r.x-r.gx)*(r.x-r.gx) + (r.y-r.gy)*(r.y-r.gy) }

// before reports whether the cell it is at comes before another one.
func (r *rings) before(c Cell) bool {
	return r.y < int(c.Y) || r.y == int(c.Y) && r.x < int(c.X)
}

// next goes to the next cell in reach.
func (r *rings) next() bool {
	for r.advance() {
		if r.d2() <= r.most {
			return true
		}
	}
	return false
}

func (r *rings) advance() bool {
	if r.r*r.r > r.most {
		return false
	}
	if !r.started {
		r.started = true
		r.y = max(r.gy-r.r, r.y0)
		r.x = max(r.gx-r.r, r.x0)
		if r.onRing() {
			return true
		}
	}
	for {
		// Inside a ring only both sides count.
		switch {
		case abs(r.y-r.gy) == r.r || r.r == 0:
			r.x++
		case r.x < r.gx+r.r:
			r.x = r.gx + r.r
		default:
			r.x++
		}
		if r.x > min(r.gx+r.r, r.x1) {
			r.y++
			r.x = max(r.gx-r.r, r.x0)
		}
		if r.y > min(r.gy+r.r, r.y1) {
			r.r++
			if r.r*r.r > r.most || r.gx-r.r < r.x0 && r.gx+r.r > r.x1 && r.gy-r.r < r.y0 && r.gy+r.r > r.y1 {
				return false
			}
			r.y = max(r.gy-r.r, r.y0)
			r.x = max(r.gx-r.r, r.x0)
		}
		if r.onRing() {
			return true
		}
	}
}

// onRing reports whether the cell is on the ring and in the window.
func (r *rings) onRing() bool {
	return max(abs(r.x-r.gx), abs(r.y-r.gy)) == r.r && r.x >= r.x0 && r.x <= r.x1 && r.y >= r.y0 && r.y <= r.y1
}
