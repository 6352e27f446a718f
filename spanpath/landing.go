package spanpath

import (
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/spangrid"
)

// A Drop is a corner of a line where it lands after it left a ledge.
type Drop struct {
	Index  int
	Height float32 // m, of the surface it lands on
}

const (
	ledgeStep   = spangrid.Side / 4 // px between samples along an upper surface
	landReach   = 8                 // body radii that a landing may move
	landMargin  = 4                 // body radii between it and the upper surface that are enough
	maxLandBody = 4                 // px; a larger body lands like one of this radius
)

// LandingMargin finds where a line drops off a ledge, appends the landings to dst,
// and moves each that is too near to the ledge away from it, in place: its point,
// its height in hz, its clearance in clr. hz is complete; also, where not nil,
// takes over every height that changes. radius is that of the body, px.
//
// Where heights fall by more than the climb, the upper surface is followed along
// the line. A ramp leads down on it; else it ends somewhere, and the next corner
// is the landing: corners before it get the upper height. Then a best-first search
// over cells from the landing looks for the nearest place that is far enough from
// the upper surface, or the farthest there is: one that is reached without
// crossing a kept wall, is in no no-go zone or disc, and from which the next
// corner is reached on foot without crossing one of these or a kept wall.
func (g *Ground) LandingMargin(dst []Drop, pts []Point, hz, clr, also []float32, radius float64) []Drop {
	if !(radius > 0) || !allSane(pts) {
		return dst
	}
	radius = math.Min(radius, maxLandBody)
	set := func(i int, h float32) {
		if hz[i] != h {
			hz[i] = h
			if also != nil {
				also[i] = h
			}
		}
	}
	last := len(pts) - 1
	for i := 1; i < last; i++ {
		if !g.falls(hz[i-1], hz[i]) || pts[i] == pts[i-1] {
			continue
		}
		land, up, ok := g.ledge(pts, hz, i)
		if !ok {
			continue
		}
		for k, h := range g.scr.landing.upper {
			set(i+k, h)
		}
		i = land
		to, h := g.landAt(pts, hz, i, up, radius, false)
		dst = append(dst, Drop{Index: i, Height: h})
		if to != pts[i] {
			pts[i] = to
			clr[i] = g.clearanceAt(to)
			set(i, h)
		} else if !g.PassWalls {
			set(i, h)
		}
	}
	return dst
}

// Land is [Ground.LandingMargin] for a fall that is known: from corner i-1, where
// the upper surface ends, onto corner i, which has a corner after it. Where onNext
// is set, the place of that one will do as well, if it is the best: then both are
// in one place, and the caller leaves out the stretch between them.
func (g *Ground) Land(i int, pts []Point, hz, clr, also []float32, radius float64, onNext bool) Drop {
	to, h := g.landAt(pts, hz, i, hz[i-1], math.Min(radius, maxLandBody), onNext)
	if to != pts[i] {
		pts[i], clr[i] = to, g.clearanceAt(to)
	}
	if hz[i] = h; also != nil {
		also[i] = h
	}
	return Drop{Index: i, Height: h}
}

// Straighter reports whether the second of three corners with heights can be left
// out: the third is in sight of the first, and nowhere on the straight way is it
// narrower than on that over the second, by more than half a cell: as exactly as
// clearances of cells can be compared.
func (g *Ground) Straighter(pts []Point, hz []float32) bool {
	view := View{Walls: true, Bans: true, NoGo: true, Kept: true, Heights: true}
	straight := bnav.Clearance(g.minClearance(pts[0], pts[2]))
	over := bnav.Clearance(min(g.minClearance(pts[0], pts[1]), g.minClearance(pts[1], pts[2])))
	return straight+spangrid.Side/2 >= over && g.Sees(view, pts[0], pts[2], hz[0], hz[2])
}

func (g *Ground) falls(from, to float32) bool {
	return float64(from)-float64(to) > g.Rules.Climb
}

// ledge follows the upper surface from the corner before i. It returns the
// corner after the ledge and the height of the surface where it ends; the
// heights of the corners passed are in scr.landing.upper.
func (g *Ground) ledge(pts []Point, hz []float32, i int) (land int, up float32, ok bool) {
	l := &g.scr.landing
	l.upper = l.upper[:0]
	up = hz[i-1]
	for land = i; land+1 < len(pts); land++ {
		a, b := pts[land-1], pts[land]
		length := distance(a, b)
		ended := false
		for k := 0; float64(k)*ledgeStep < length; k++ {
			t := float64(k) * ledgeStep / length
			p := Point{a.U + float64((b.U-a.U)*t), a.V + float64((b.V-a.V)*t)}
			gx, gy := p.cell()
			h, on := g.spanNear(gx, gy, up)
			if !on {
				ended = true
				break
			}
			up = h
		}
		if ended || !g.falls(up, hz[land]) {
			return land, up, ended && g.falls(up, hz[land])
		}
		l.upper = append(l.upper, up)
	}
	return 0, 0, false
}

// landing is the scratch of landings.
type landing struct {
	upper []float32
	queue []landCell // a heap
	seen  []bool     // of a square around the landing
}

type landCell struct {
	d      float64 // px from the landing
	gx, gy int
	h      float32
}

func (a *landCell) before(b *landCell) bool {
	switch {
	case a.d != b.d:
		return a.d < b.d
	case a.gx != b.gx:
		return a.gx < b.gx
	case a.gy != b.gy:
		return a.gy < b.gy
	}
	return a.h < b.h
}

// landAt returns where to land instead of at corner i, and the height there. up
// is the height of the upper surface; onNext allows the place of the next corner.
func (g *Ground) landAt(pts []Point, hz []float32, i int, up float32, radius float64, onNext bool) (Point, float32) {
	l := &g.scr.landing
	at := pts[i]
	sx, sy := at.cell()
	h, ok := g.spanNear(sx, sy, hz[i])
	if !ok {
		return at, hz[i]
	}
	reach := int(landReach*radius/spangrid.Side) + 2
	side := 2*reach + 1
	l.seen = resize(l.seen, side*side)
	clear(l.seen)
	l.seen[reach*side+reach] = true
	l.queue = append(l.queue[:0], landCell{0, sx, sy, h})
	best, bestH, bestScore := at, h, -1.0
	for first := true; len(l.queue) > 0 && g.Err() == nil; first = false {
		c := l.pop()
		p := at
		if !first {
			p = middle(c.gx, c.gy)
			if x, y := pts[i+1].cell(); onNext && x == c.gx && y == c.gy && c.h == hz[i+1] {
				p = pts[i+1]
			}
		}
		score := g.fromUpper(p, c.h, up, landMargin*radius)
		if score > bestScore && (first || g.fallsOnto(pts, hz, i, up, c) && g.landable(pts, hz, i, p, c, onNext)) {
			if best, bestH, bestScore = p, c.h, score; score >= landMargin*radius {
				break
			}
		}
		for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			n := landCell{gx: c.gx + d[0], gy: c.gy + d[1]}
			n.d = distance(at, middle(n.gx, n.gy))
			if n.d > landReach*radius {
				continue
			}
			seen := &l.seen[(n.gy-sy+reach)*side+n.gx-sx+reach]
			if *seen {
				continue
			}
			*seen = true
			if n.h, ok = g.spanNear(n.gx, n.gy, c.h); ok && !g.wallBetween(c, n) {
				l.push(n)
			}
		}
	}
	return best, bestH
}

// wallBetween reports whether a kept wall stands between two cells side by side.
func (g *Ground) wallBetween(a, b landCell) bool {
	p, c := g.at(a.gx, a.gy)
	return !g.PassWalls && c >= 0 && p.stepMeetsWall(c, b.gx-a.gx, b.gy-a.gy, a.h, b.h, wallBand)
}

// fallsOnto reports whether the way from the corner before i to a surface is
// still a fall, no deeper than the body may fall, through no floor or ceiling and
// past no collider: what held where the search found the fall need not hold here.
func (g *Ground) fallsOnto(pts []Point, hz []float32, i int, up float32, c landCell) bool {
	if g.PassWalls {
		return true
	}
	if !g.falls(up, c.h) || float64(up)-float64(c.h) > g.Body.MaxDrop {
		return false
	}
	if p, n := g.at(c.gx, c.gy); n < 0 || !g.lands(p, n, 0, 0, up, c.h) {
		return false
	}
	x, y := pts[i-1].cell()
	return g.Gate == nil || g.Gate.Allow(x, y, c.gx, c.gy, hz[i-1], c.h)
}

// landable reports whether corner i may be moved to a place in a cell.
func (g *Ground) landable(pts []Point, hz []float32, i int, p Point, c landCell, onNext bool) bool {
	if !g.standable(c.gx, c.gy, c.h) || distance(p, pts[i+1]) <= samePlace && !(onNext && c.h == hz[i+1]) {
		return false
	}
	view := View{NoGo: true, Kept: true, Heights: true}
	return g.Sees(view, p, pts[i+1], c.h, hz[i+1]) && g.Sees(View{NoGo: true}, pts[i-1], p, unknown, unknown)
}

// standable reports whether a surface is neither in a no-go zone nor too low, and
// one of the region that can be reached. The original rules ask for less.
func (g *Ground) standable(gx, gy int, h float32) bool {
	p, c := g.at(gx, gy)
	if c < 0 || g.stamped(p, c) {
		return false
	}
	if g.PassWalls {
		return slices.Contains(g.surfaces(p, c), h)
	}
	for s, end := p.Table.Range(c); s < end; s++ {
		if p.Table.H[s] == h && p.use[s] {
			return true
		}
	}
	return false
}

// stamped reports whether a no-go zone or a disc closes a cell.
func (g *Ground) stamped(p *page, c int) bool {
	if p.Cells[c]&CellNoGo != 0 {
		return true
	}
	return g.inDisc(p.Table.At(c))
}

// inDisc reports whether the middle of a cell lies in a disc.
func (g *Ground) inDisc(gx, gy int) bool {
	if len(g.Discs) == 0 {
		return false
	}
	m := middle(gx, gy)
	for i := range g.Discs {
		d := &g.Discs[i]
		du, dv := m.U-d.U, m.V-d.V
		if float64(du*du)+float64(dv*dv) <= d.Radius*d.Radius {
			return true
		}
	}
	return false
}

// fromUpper returns how far a point at height h is from the cells with a surface
// more than a climb above it and no more than a climb above up, at most most.
func (g *Ground) fromUpper(p Point, h, up float32, most float64) float64 {
	gx, gy := p.cell()
	n := int(math.Ceil(most / spangrid.Side))
	lo, hi := float64(h)+g.Rules.Climb, float64(up)+g.Rules.Climb
	best := float64(most * most)
	for y := gy - n; y <= gy+n; y++ {
		dv := math.Max(math.Max(float64(y)*spangrid.Side-p.V, p.V-float64(y+1)*spangrid.Side), 0)
		if float64(dv*dv) >= best {
			continue
		}
		for x := gx - n; x <= gx+n; x++ {
			du := math.Max(math.Max(float64(x)*spangrid.Side-p.U, p.U-float64(x+1)*spangrid.Side), 0)
			d := float64(du*du) + float64(dv*dv)
			if d >= best {
				continue
			}
			q, c := g.at(x, y)
			if c < 0 {
				continue
			}
			for _, v := range q.Table.Heights(c) {
				if float64(v) > lo && float64(v) <= hi {
					best = d
					break
				}
			}
		}
	}
	if best >= float64(most*most) {
		return most
	}
	return math.Sqrt(best)
}

func (l *landing) push(c landCell) {
	l.queue = append(l.queue, c)
	q := l.queue
	k := len(q) - 1
	for ; k > 0; k = (k - 1) / 2 {
		up := (k - 1) / 2
		if !c.before(&q[up]) {
			break
		}
		q[k] = q[up]
	}
	q[k] = c
}

func (l *landing) pop() landCell {
	q := l.queue
	top := q[0]
	n := len(q) - 1
	c := q[n]
	l.queue = q[:n]
	k := 0
	for {
		down := 2*k + 1
		if down >= n {
			break
		}
		if down+1 < n && q[down+1].before(&q[down]) {
			down++
		}
		if !q[down].before(&c) {
			break
		}
		q[k] = q[down]
		k = down
	}
	q[k] = c
	return top
}
