package spanpath

import "math"

// SearchHeights appends to dst the heights of a line that was made of the
// points of a search, which have heights: the first and the last are those of
// the search, those between are found by their place, in order, so that stacked
// passes over one place stay apart. It returns dst and false where a point was
// not found.
func SearchHeights(dst []float32, line, pts []Point, heights []float32) ([]float32, bool) {
	from := len(dst)
	if len(line) == 0 || len(pts) == 0 || len(heights) != len(pts) {
		return dst, false
	}
	dst = append(dst, heights[0])
	k := 0
	for i := 1; i+1 < len(line); i++ {
		for k < len(pts) && pts[k] != line[i] {
			k++
		}
		if k == len(pts) {
			return dst[:from], false
		}
		dst = append(dst, heights[k])
	}
	if len(line) > 1 {
		dst = append(dst, heights[len(heights)-1])
	}
	return dst, true
}

// Resettle gives points of a line that were moved the height of the surface in
// their new cell that is nearest to the one they had. It reports false where one
// has none within a metre.
func (g *Ground) Resettle(heights []float32, line []Point, moves []Move) bool {
	for i := range moves {
		k := moves[i].Index
		gx, gy := line[k].cell()
		h, ok := g.spanNear(gx, gy, heights[k])
		if !ok {
			return false
		}
		heights[k] = h
	}
	return true
}

// spanNear returns the height of the surface of a cell, of any region, that is
// nearest to h and within surfaceSlack of it, of two the lower one.
func (g *Ground) spanNear(gx, gy int, h float32) (float32, bool) {
	p, c := g.at(gx, gy)
	if c < 0 {
		return 0, false
	}
	best, at, ok := float64(surfaceSlack), float32(0), false
	for _, t := range p.Table.Heights(c) {
		if d := math.Abs(float64(t - h)); d < best || d == best && !ok {
			best, at, ok = d, t, true
		}
	}
	return at, ok
}

// Clearances appends to dst the clearance of the cell of each point, px, that
// of the nearest cell of the window where it lies outside.
func (g *Ground) Clearances(dst []float32, pts []Point) []float32 {
	for _, p := range pts {
		dst = append(dst, g.clearanceAt(p))
	}
	return dst
}

func (g *Ground) clearanceAt(p Point) float32 {
	if !p.sane() {
		return 0
	}
	gx, gy := p.cell()
	w := g.Clip
	return g.Clearance(min(max(gx, w.GX), w.GX+w.NX-1), min(max(gy, w.GY), w.GY+w.NY-1))
}

// WalkedHeights appends to dst a height for each point of a line by walking it
// from a height at its first: of all heights the walk may be at, that nearest to
// the one of the point before. It returns dst and false where no surface goes on;
// with fall set it always goes on.
func (g *Ground) WalkedHeights(dst []float32, line []Point, first float32, fall bool) ([]float32, bool) {
	from := len(dst)
	if len(line) == 0 {
		return dst, false
	}
	dst = append(dst, first)
	g.scr.walked = append(g.scr.walked[:0], first)
	for i := 1; i < len(line); i++ {
		set, ok := g.walk(g.scr.walkedNext[:0], line[i-1:i+1], g.scr.walked, fall)
		g.scr.walked, g.scr.walkedNext = set, g.scr.walked
		if !ok {
			return dst[:from], false
		}
		dst = append(dst, nearestTo(set, dst[len(dst)-1]))
	}
	return dst, true
}

// nearestTo returns the height of a set that is nearest to h, of two the lower
// one.
func nearestTo(set []float32, h float32) float32 {
	best := set[0]
	for _, t := range set[1:] {
		if math.Abs(float64(t-h)) < math.Abs(float64(best-h)) {
			best = t
		}
	}
	return best
}

// minClearance returns the least clearance along the digital line between two
// points, as it is stored; cells outside the window do not count, and without
// any it is more than any.
func (g *Ground) minClearance(a, b Point) uint16 {
	ax, ay := a.cell()
	bx, by := b.cell()
	least := uint16(math.MaxUint16)
	for l, more := newLine(ax, ay, bx, by), true; more; more = l.next() {
		if g.Clip.Has(l.gx, l.gy) {
			least = min(least, g.squared(l.gx, l.gy))
		}
	}
	return least
}

// squared returns the clearance of a cell of the window as it is stored.
func (g *Ground) squared(gx, gy int) uint16 {
	p, c := g.at(gx, gy)
	if c < 0 {
		return 0
	}
	return p.Clr[c]
}
