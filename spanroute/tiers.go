package spanroute

import (
	"math"

	"wend/spangrid"
	"wend/spanpath"
)

// A window is shaped by an ellipse around both ends: the cells that a way of a
// given cost can touch. A search in it is accepted when its cost proves that a
// larger window has the same result.
const (
	// trustMargin is how far inside its window a search must stay, cells: no
	// value of a cell depends on cells farther away.
	trustMargin = 64
	// rectHalo is added around the ellipse, so that both ends lie inside the
	// trusted part, cells.
	rectHalo = trustMargin + 8
	// localMax is the most cells a window has that is not the whole region's,
	// unless the bare line between the ends needs more.
	localMax = 3_000_000
	// regionMax is the most cells that the window of a whole region may have.
	regionMax = 400_000_000
	// fieldHalo is added around a region's bounding box, cells.
	fieldHalo = 32
	ratio0    = 2.0
	ratioStep = 2.0
	costSlack = 200.0 // cells
	maxLevel  = 64
)

// Kind is the kind of a window.
type Kind uint8

const (
	// Small windows are accepted only with a proof that the whole region has
	// the same result.
	Small Kind = iota
	// Capped windows have hit the limit of cells: their result is taken as it
	// is.
	Capped
	// Full windows are the whole region.
	Full
)

// String returns the name used in stats.
func (k Kind) String() string {
	return [...]string{Small: "small", Capped: "capped", Full: "full"}[k]
}

// tiers finds the windows of a leg.
type tiers struct {
	start, goal  spanpath.Point // cells, real
	length       float64        // between them, cells
	cos, sin     float64
	ratio, slack float64 // ratio0 and costSlack; tests make windows tighter
	// Cells of start, snapped start and goal.
	bx0, by0, bx1, by1 int
	full               spangrid.Window
}

// newTiers prepares the windows of a leg. All points are px; bounds are the
// cells of the region.
func newTiers(start, snapped, goal spanpath.Point, bounds spangrid.Window) *tiers {
	t := &tiers{
		start: spanpath.Point{U: start.U / spangrid.Side, V: start.V / spangrid.Side},
		goal:  spanpath.Point{U: goal.U / spangrid.Side, V: goal.V / spangrid.Side},
		full:  bounds.Grow(fieldHalo),
		cos:   1,
		ratio: ratio0,
		slack: costSlack,
	}
	du, dv := t.goal.U-t.start.U, t.goal.V-t.start.V
	t.length = math.Sqrt(float64(du*du) + float64(dv*dv))
	if t.length > 0 {
		t.cos, t.sin = du/t.length, dv/t.length
	}
	for i, p := range []spanpath.Point{start, snapped, goal} {
		x, y := spangrid.CellOf(p.U), spangrid.CellOf(p.V)
		if i == 0 {
			t.bx0, t.by0, t.bx1, t.by1 = x, y, x, y
			continue
		}
		t.bx0, t.by0, t.bx1, t.by1 = min(t.bx0, x), min(t.by0, y), max(t.bx1, x), max(t.by1, y)
	}
	return t
}

// cost returns the cost that a window of a level allows, cells.
func (t *tiers) cost(level int) float64 {
	f := t.ratio
	for range level {
		f *= ratioStep
	}
	return float64(t.length*f) + t.slack
}

// rect returns the window for ways of up to a cost: the bounding box of the
// ellipse whose points have that sum of distances from both ends.
func (t *tiers) rect(cost float64) spangrid.Window {
	a := cost / 2
	b := math.Sqrt(math.Max(float64(cost*cost)-float64(t.length*t.length), 0)) / 2
	c2, s2 := float64(t.cos*t.cos), float64(t.sin*t.sin)
	ex := math.Sqrt(float64(a*a*c2) + float64(b*b*s2))
	ey := math.Sqrt(float64(a*a*s2) + float64(b*b*c2))
	mx, my := (t.start.U+t.goal.U)/2, (t.start.V+t.goal.V)/2
	x0 := min(t.bx0, toCell(math.Floor(mx-ex))) - rectHalo
	x1 := max(t.bx1, toCell(math.Ceil(mx+ex))) + rectHalo
	y0 := min(t.by0, toCell(math.Floor(my-ey))) - rectHalo
	y1 := max(t.by1, toCell(math.Ceil(my+ey))) + rectHalo
	return spangrid.Window{GX: x0, GY: y0, NX: x1 - x0 + 1, NY: y1 - y0 + 1}
}

// toCell keeps numbers that no zone can have from overflowing.
func toCell(v float64) int { return int(math.Min(math.Max(v, -1<<40), 1<<40)) }

// choose returns the window of a level. The area never shrinks from a level to
// the next.
func (t *tiers) choose(level int) (spangrid.Window, Kind) {
	cost := t.cost(level)
	r := t.rect(cost)
	if n := t.full.Cells(); n <= localMax && (covers(r, t.full) || r.Cells()*5 >= n*4) {
		return t.full, Full // small, and exact
	}
	if r.Cells() <= localMax {
		return r, Small
	}
	// The largest cost whose window fits, looked for in the same way from every
	// level on that does not: so all of them have the same window.
	for level > 0 && t.rect(t.cost(level-1)).Cells() > localMax {
		level--
	}
	lo, hi := t.length, t.cost(level)
	if level > 0 {
		lo = t.cost(level - 1)
	}
	r = t.rect(lo)
	if r.Cells() > localMax {
		return r, Capped
	}
	for range 40 {
		mid := (lo + hi) / 2
		if t.rect(mid).Cells() <= localMax {
			lo = mid
		} else {
			hi = mid
		}
	}
	return t.rect(lo), Capped
}

func covers(a, b spangrid.Window) bool {
	return a.GX <= b.GX && a.GY <= b.GY && a.GX+a.NX >= b.GX+b.NX && a.GY+a.NY >= b.GY+b.NY
}

// limits are what a search in a small window must stay below.
type limits struct {
	ends float64 // snap distances and the lengths of access paths, cells
	cost float64 // costs: no way of less leaves the trusted part, cells
}

// limitsOf returns the limits of a window.
func (t *tiers) limitsOf(w spangrid.Window) limits {
	sx, sy := int(math.Floor(t.start.U))-w.GX, int(math.Floor(t.start.V))-w.GY
	gx, gy := int(math.Floor(t.goal.U))-w.GX, int(math.Floor(t.goal.V))-w.GY
	ends := min(sx, sy, w.NX-1-sx, w.NY-1-sy, gx, gy, w.NX-1-gx, w.NY-1-gy) - trustMargin

	// Cells that are not trusted lie on or beyond the sides of this rectangle.
	// The sum of the distances to both ends is convex and least between them,
	// so that of all those cells one on a side has the least.
	x0, y0 := float64(trustMargin-1), float64(trustMargin-1)
	x1, y1 := float64(w.NX-trustMargin), float64(w.NY-trustMargin)
	sum := func(x, y float64) float64 {
		return distance(x-float64(sx), y-float64(sy)) + distance(x-float64(gx), y-float64(gy))
	}
	cost := math.Min(
		math.Min(least(x0, x1, func(x float64) float64 { return sum(x, y0) }), least(x0, x1, func(x float64) float64 { return sum(x, y1) })),
		math.Min(least(y0, y1, func(y float64) float64 { return sum(x0, y) }), least(y0, y1, func(y float64) float64 { return sum(x1, y) })))
	return limits{ends: float64(ends), cost: cost - 1} // a cell for rounding
}

func distance(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// least returns the minimum of a convex function between two bounds.
func least(lo, hi float64, f func(float64) float64) float64 {
	for range 100 {
		third := (hi - lo) / 3
		a, b := lo+third, hi-third
		if f(a) <= f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return f((lo + hi) / 2)
}
