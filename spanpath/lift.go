package spanpath

// A Move says that a corner of a line was moved.
type Move struct {
	Index    int
	From     Point   // where it was
	Distance float64 // how far it went, px
}

const (
	liftRadius = 2     // cells
	liftApart  = 0.125 // least distance from the corners before and after, px
)

// liftOffsets are the cells that a corner may move to, in the order of rows and
// columns.
var liftOffsets = func() (list [][2]int) {
	for dy := -liftRadius; dy <= liftRadius; dy++ {
		for dx := -liftRadius; dx <= liftRadius; dx++ {
			if d := dx*dx + dy*dy; d > 0 && d <= liftRadius*liftRadius {
				list = append(list, [2]int{dx, dy})
			}
		}
	}
	return list
}()

// Lift moves the inner corners of a line off obstacles, in place, and appends to
// dst what it moved. A corner goes to the middle of a cell within two cells that
// has more clearance than its own: that with the most for which the least
// clearance along the two chords does not sink, neither crosses the one beyond
// its neighbour, the surfaces go on, and the chords are free in view v. first is
// the height at the first point. A line that the surfaces do not go on along is
// left as it is from there on.
//
// A line of points that were pulled taut must be lifted after that, not before:
// pulling takes corners back.
func (g *Ground) Lift(dst []Move, pts []Point, first float32, v View) []Move {
	if !allSane(pts) {
		return dst
	}
	ha := first
	for i := 1; i+1 < len(pts); i++ {
		hv, ok := g.walkTo(pts[i-1], pts[i], ha)
		if !ok {
			break
		}
		gx, gy := pts[i].cell()
		if !g.Clip.Has(gx, gy) {
			ha = hv
			continue
		}
		w, hw, ok := g.liftCorner(pts, i, gx, gy, ha, nil, v)
		if !ok {
			ha = hv
			continue
		}
		dst = append(dst, Move{Index: i, From: pts[i], Distance: distance(pts[i], w)})
		pts[i], ha = w, hw
	}
	return dst
}

// LiftOn is [Ground.Lift] for a line whose heights are known, those of corners
// that it moves it sets anew. Where several storeys are in reach of a walk it
// stays on that of the line: a corner goes to the surface of its new cell that is
// nearest to the height it had, and chords are judged between the heights of
// their ends. The first and last point may lie beside the surfaces that their
// heights are of.
func (g *Ground) LiftOn(dst []Move, pts []Point, heights []float32, v View) []Move {
	if !allSane(pts) {
		return dst
	}
	for i := 1; i+1 < len(pts); i++ {
		gx, gy := pts[i].cell()
		if !g.Clip.Has(gx, gy) {
			continue
		}
		w, h, ok := g.liftCorner(pts, i, gx, gy, heights[i-1], heights, v)
		if !ok {
			continue
		}
		dst = append(dst, Move{Index: i, From: pts[i], Distance: distance(pts[i], w)})
		pts[i], heights[i] = w, h
	}
	return dst
}

// walksOver reports whether one walks from p over w in cell c to q, and returns
// the heights at w and q. heights are those of the line at p, w and q, nil where
// only that at p is known.
func (g *Ground) walksOver(p, w, q Point, c *liftCell, ha float32, heights []float32, last bool) (hw, hq float32, ok bool) {
	if heights == nil {
		if hw, ok = g.walkTo(p, w, ha); ok {
			hq, ok = g.walkTo(w, q, hw)
		}
		return hw, hq, ok
	}
	if hw, ok = g.spanNear(c.gx, c.gy, heights[1]); !ok {
		return hw, hq, false
	}
	slack := float32(sameHeight)
	if last {
		slack = surfaceSlack
	}
	hq = heights[2]
	// Of several surfaces that the walk may come to, one need not be the one that
	// the line was on.
	return hw, hq, g.arrives(p, w, ha, hw, sameHeight) && len(g.scr.ends) == 1 && g.arrives(w, q, hw, hq, slack)
}

// arrives reports whether a walk from one point to another gets as near to a
// height as slack.
func (g *Ground) arrives(p, q Point, hp, hq, slack float32) bool {
	ends, from := [2]Point{p, q}, [1]float32{hp}
	set, ok := g.walk(g.scr.ends[:0], ends[:], from[:], false)
	g.scr.ends = set
	if !ok {
		return false
	}
	d := nearestTo(set, hq) - hq
	return d <= slack && d >= -slack
}

// walkTo walks from one point to another and returns the height it ends at, of
// several that nearest to where it began.
func (g *Ground) walkTo(p, q Point, h float32) (float32, bool) {
	ends, from := [2]Point{p, q}, [1]float32{h}
	set, ok := g.walk(g.scr.ends[:0], ends[:], from[:], false)
	g.scr.ends = set
	if !ok {
		return 0, false
	}
	return nearestTo(set, h), true
}

// liftCorner returns where corner i in cell (gx, gy) goes, and the height there.
// heights are those of the line, nil where only ha is known, that of the corner
// before.
func (g *Ground) liftCorner(pts []Point, i, gx, gy int, ha float32, heights []float32, v View) (Point, float32, bool) {
	prev, next := pts[i-1], pts[i+1]
	here := g.squared(gx, gy)
	var list [4*liftRadius*liftRadius + 4*liftRadius]liftCell
	n := 0
	for _, d := range liftOffsets {
		c := liftCell{gx + d[0], gy + d[1], 0}
		if !g.Clip.Has(c.gx, c.gy) {
			continue
		}
		if c.clr = g.squared(c.gx, c.gy); c.clr <= here {
			continue
		}
		// The most clearance first, then by rows and columns.
		k := n
		for ; k > 0 && list[k-1].clr < c.clr; k-- {
			list[k] = list[k-1]
		}
		list[k] = c
		n++
	}
	if n == 0 {
		return Point{}, 0, false
	}
	keep := min(g.minClearance(prev, pts[i]), g.minClearance(pts[i], next))
	v.Heights = false // walks below see to them
	about := heights
	if heights != nil {
		about = heights[i-1 : i+2]
	}
	for _, c := range list[:n] {
		w := middle(c.gx, c.gy)
		if distance(w, prev) < liftApart || distance(w, next) < liftApart ||
			min(g.minClearance(prev, w), g.minClearance(w, next)) < keep ||
			i >= 2 && segmentsCross(w, next, pts[i-2], prev) ||
			i+2 < len(pts) && segmentsCross(prev, w, next, pts[i+2]) {
			continue
		}
		hw, hz, ok := g.walksOver(prev, w, next, &c, ha, about, i+2 == len(pts))
		if ok && g.Sees(v, prev, w, ha, hw) && g.Sees(v, w, next, hw, hz) {
			return w, hw, true
		}
	}
	return Point{}, 0, false
}

type liftCell struct {
	gx, gy int
	clr    uint16
}

// segmentsCross reports whether the segments from p to q and from r to s cross.
// Each parts the plane into what is to its left and the rest.
func segmentsCross(p, q, r, s Point) bool {
	return leftOf(r, s, p) != leftOf(r, s, q) && leftOf(p, q, r) != leftOf(p, q, s)
}

func leftOf(a, b, c Point) bool {
	return float64((b.U-a.U)*(c.V-a.V))-float64((b.V-a.V)*(c.U-a.U)) > 0
}
