package spanpath

import (
	"math"
	"slices"
)

// surfaceSlack is how far apart two heights may be that are taken for the same
// surface seen from neighbouring places, m.
const surfaceSlack = 1.0

// sameHeight is how near to a wanted height a walk must end, m.
const sameHeight = 1e-3

// scratch is what walks, and what is built on them, keep from one call to the
// next.
type scratch struct {
	heights            [2][]float32 // of a walker
	unshut             []float32    // of surfaces
	walked, walkedNext []float32    // of WalkedHeights
	ends               []float32    // of walkTo
	landing            landing
	mesh               meshIndex
}

// walker follows surfaces over cells. It holds all heights that a walk may be
// at: from one cell to the next it goes up no more than a step, or the slope
// where cells without surfaces lie between, and surfaceSlack; and down no more
// than the climb, and than the body may. It knows nothing of forbidden steps.
type walker struct {
	climb float64
	step  float64
	slope float64    // m a cell
	up    [2]float64 // limits upwards to a neighbour over a side and over a corner, m
	x, y  int        // last cell with surfaces

	cur, next []float32
}

// walker returns a walker at a cell. Its sets live in the ground's scratch, so
// there is one at a time; give it back with keep.
func (g *Ground) walker(gx, gy int) walker {
	climb := g.Rules.Climb
	if !g.PassWalls {
		climb = math.Min(climb, g.deepest)
	}
	w := walker{climb: climb, step: g.Rules.StepUp, slope: g.Rules.SlopeStep, x: gx, y: gy}
	w.up = [2]float64{w.limit(1, 0), w.limit(1, 1)}
	w.cur, w.next = g.scr.heights[0][:0], g.scr.heights[1][:0]
	return w
}

func (w *walker) keep(g *Ground) { g.scr.heights[0], g.scr.heights[1] = w.cur, w.next }

// limit returns how far up a walk may go over so many cells: no farther than
// down where the step alone allows that, or it would go through the floor above.
func (w *walker) limit(dx, dy int) float64 {
	up := math.Max(w.step, w.slope*math.Sqrt(float64(dx*dx+dy*dy)))
	return math.Max(up, math.Min(up+surfaceSlack, w.climb))
}

// to goes to a cell with surfaces and reports whether one of them goes on.
func (w *walker) to(gx, gy int, h []float32) bool {
	var up float64
	if dx, dy := abs(gx-w.x), abs(gy-w.y); dx|dy == 1 {
		up = w.up[dx&dy]
	} else {
		up = w.limit(dx, dy)
	}
	w.x, w.y = gx, gy
	w.next = w.next[:0]
	for _, t := range h {
		for _, c := range w.cur {
			if d := float64(t - c); d <= up && d >= -w.climb {
				w.next = append(w.next, t)
				break
			}
		}
	}
	w.cur, w.next = w.next, w.cur
	return len(w.cur) > 0
}

// ends reports whether the walk may have ended at a height.
func (w *walker) ends(h float32) bool {
	for _, c := range w.cur {
		if d := float64(c - h); d <= sameHeight && d >= -sameHeight {
			return true
		}
	}
	return false
}

// surfaces returns the heights of a cell that a walk may be at: all but those
// that are closed to the query while others of the same cell are open. Where
// all are closed it is for marks and contours to say so.
func (g *Ground) surfaces(p *page, c int) []float32 {
	first, end := p.Table.Range(c)
	if !p.anyShut {
		return p.Table.H[first:end]
	}
	for s := first; s < end; s++ {
		if p.shut(g, s, c) {
			return g.open(p, c, first, end)
		}
	}
	return p.Table.H[first:end]
}

// shut reports whether a surface is closed for what it is: inside the author's
// no-go zone, or too low for the body. What cannot be reached is not.
func (p *page) shut(g *Ground, s, c int) bool {
	if p.use[s] || p.Spans[s]&SpanOwn == 0 || p.Cells[c]&CellNoGo != 0 {
		return false
	}
	if p.Spans[s]&SpanNoGo != 0 {
		return true
	}
	return g.Body.Headroom > 0 && p.Headroom != nil && p.Headroom[s] != 0 && p.Headroom[s] < g.Body.Headroom
}

// open returns the heights of a cell that are not shut, or a height that nothing
// goes on to where all are: a cell without surfaces would be skipped.
func (g *Ground) open(p *page, c, first, end int) []float32 {
	g.scr.unshut = g.scr.unshut[:0]
	for s := first; s < end; s++ {
		if !p.shut(g, s, c) {
			g.scr.unshut = append(g.scr.unshut, p.Table.H[s])
		}
	}
	if len(g.scr.unshut) == 0 {
		g.scr.unshut = append(g.scr.unshut, float32(math.Inf(1)))
	}
	return g.scr.unshut
}

// Walk follows the surfaces under a polyline from a set of heights at its first
// point, and appends to dst those it may be at in the end, ascending. It
// reports false where no surface goes on. Cells without surfaces are stepped
// over, as are those outside the window; the surfaces of all regions count,
// whether they can be reached or not. Time is linear in the cells.
func (g *Ground) Walk(dst []float32, pts []Point, from []float32) ([]float32, bool) {
	return g.walk(dst, pts, from, false)
}

// WalkFall is [Ground.Walk] with falls: it goes on to surfaces below, however
// far, unless the one it is on comes back within four cells, which makes it a
// gap; and where no surface goes on all of the cell count. It never fails for
// points of the plane.
func (g *Ground) WalkFall(dst []float32, pts []Point, from []float32) ([]float32, bool) {
	return g.walk(dst, pts, from, true)
}

func (g *Ground) walk(dst []float32, pts []Point, from []float32, fall bool) ([]float32, bool) {
	if !allSane(pts) {
		return dst, false
	}
	w := g.walker(0, 0)
	w.cur = append(w.cur, from...)
	ok := g.along(&w, pts, fall)
	if ok {
		dst = append(dst, w.cur...)
	}
	w.keep(g)
	return dst, ok
}

func (g *Ground) along(w *walker, pts []Point, fall bool) bool {
	started := false
	lastX, lastY := math.MinInt, 0
	for i := range max(len(pts)-1, min(len(pts), 1)) {
		ax, ay := pts[i].cell()
		bx, by := pts[min(i+1, len(pts)-1)].cell()
		for l, more := newLine(ax, ay, bx, by), true; more; more = l.next() {
			if l.gx == lastX && l.gy == lastY {
				continue
			}
			lastX, lastY = l.gx, l.gy
			if !g.Clip.Has(l.gx, l.gy) {
				continue
			}
			if !started {
				started = true
				w.x, w.y = l.gx, l.gy
				continue
			}
			p, c := g.at(l.gx, l.gy)
			if c < 0 {
				continue
			}
			if fall {
				if h := p.Table.Heights(c); len(h) > 0 {
					g.fall(w, l.gx, l.gy, h)
				}
			} else if h := g.surfaces(p, c); len(h) > 0 && !w.to(l.gx, l.gy, h) {
				return false
			}
		}
	}
	return true
}

// fall goes to a cell in fall mode.
func (g *Ground) fall(w *walker, gx, gy int, h []float32) {
	dx, dy := gx-w.x, gy-w.y
	up := w.limit(dx, dy)
	same, below := 0, 0
	seam := false
	for _, t := range h {
		switch w.joins(t, up) {
		case joinsLevel:
			same++
		case joinsBelow:
			below++
			seam = seam || g.comesBack(w, sign(dx), sign(dy), t)
		}
	}
	w.next = w.next[:0]
	switch {
	case seam && same == 0:
		w.next = append(w.next, w.cur...)
	case same+below == 0:
		w.next = append(append(w.next, w.cur...), h...)
		slices.Sort(w.next)
		w.next = slices.Compact(w.next)
	default:
		for _, t := range h {
			if j := w.joins(t, up); j == joinsLevel || j == joinsBelow && !seam {
				w.next = append(w.next, t)
			}
		}
	}
	w.cur, w.next = w.next, w.cur
	w.x, w.y = gx, gy
}

const (
	joinsNot = iota
	joinsBelow
	joinsLevel
)

// joins says how a height goes on from those the walk is at.
func (w *walker) joins(t float32, up float64) int {
	how := joinsNot
	for _, c := range w.cur {
		switch d := float64(t - c); {
		case d > up:
		case d >= -w.climb:
			return joinsLevel
		default:
			how = joinsBelow
		}
	}
	return how
}

// seamCells is how far ahead a surface may come back, cells.
const seamCells = 4

// comesBack reports whether a surface from which t is a fall comes back ahead.
func (g *Ground) comesBack(w *walker, dx, dy int, t float32) bool {
	for s := 1; s <= seamCells; s++ {
		p, i := g.at(w.x+s*dx, w.y+s*dy)
		if i < 0 {
			continue
		}
		for _, h := range p.Table.Heights(i) {
			for _, c := range w.cur {
				if float64(t-c) < -w.climb && math.Abs(float64(h-c)) <= w.climb {
					return true
				}
			}
		}
	}
	return false
}
