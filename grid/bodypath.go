package grid

import (
	"fmt"
	"math"
)

// Pull turns a path of cells into few points: straight lines for the middle of
// the body, along which it, widened by a guard band (cell sides, 0 to
// MaxClearance), touches no blocked square. Where the band does not fit, but
// the body does, the path's own steps are kept, so the corners a body needs
// stay. A path that leaves the inflated map is ErrOptions.
//
// From each point it goes on to the farthest cell seen before the first that
// is not: time grows with the squares beside the lines looked at.
func (b *Body) Pull(path []Cell, guard float64) ([]Point, error) {
	if !(guard >= 0 && guard <= MaxClearance) {
		return nil, fmt.Errorf("%w: guard band %v (0 to %d)", ErrOptions, guard, MaxClearance)
	}
	if b == nil || b.inflated == nil {
		return nil, fmt.Errorf("%w: body was not made", ErrOptions)
	}
	if n := Walkable(b.inflated, path, Moves{}); n < len(path) {
		return nil, fmt.Errorf("%w: no room at %v", ErrOptions, path[n])
	}
	var points []Point
	for i := 0; i < len(path); {
		points = append(points, b.Middle(path[i]))
		if i == len(path)-1 {
			break
		}
		j := i + 1
		for j+1 < len(path) && b.Sees(b.Middle(path[i]), b.Middle(path[j+1]), guard) {
			j++
		}
		i = j
	}
	return points, nil
}

// Sees reports whether the body's middle can go in a straight line from p to q
// and the body stay at least the guard away from every blocked square and the
// edge of the map. A body of radius 0 without a guard may not even touch a
// corner, as its steps do not. For squares whose middle starts and ends at
// multiples of half a cell, and such guards, the answer is exact; else what
// comes nearer by less than 1e-9 may count as tangent.
func (b *Body) Sees(p, q Point, guard float64) bool {
	r := b.radius + guard
	w, h := b.raw.Size()
	if !(min(p.X, q.X)-r >= 0 && min(p.Y, q.Y)-r >= 0 && max(p.X, q.X)+r <= float64(w) && max(p.Y, q.Y)+r <= float64(h)) {
		return false
	}
	for y := int32(math.Floor(min(p.Y, q.Y) - r)); float64(y) <= max(p.Y, q.Y)+r; y++ {
		// The part of the line that comes within r of this row.
		lo, hi := clipRow(p, q, float64(y)-r, float64(y)+1+r)
		for x := int32(math.Floor(lo-r)) - 1; float64(x) <= hi+r+1; x++ {
			c := Cell{x, y}
			if b.raw.Contains(c) && !b.raw.Passable(c) && b.meets(p, q, c, r) {
				return false
			}
		}
	}
	return true
}

// meets reports whether the body, grown to r, meets a cell's square on its way.
func (b *Body) meets(p, q Point, c Cell, r float64) bool {
	x0, y0 := float64(c.X), float64(c.Y)
	switch {
	case b.side > 0:
		return enters(p, q, x0-r, y0-r, x0+1+r, y0+1+r, false)
	case enters(p, q, x0, y0, x0+1, y0+1, r == 0):
		return true
	}
	return r > 0 && squareGap(p, q, c) < float64(r*r)-1e-9
}

func middle(c Cell) Point { return Point{float64(c.X) + 0.5, float64(c.Y) + 0.5} }

// clipRow returns the range of x of the line's part with y between top and
// bottom; lo > hi if there is none.
func clipRow(p, q Point, top, bottom float64) (lo, hi float64) {
	if p.Y > q.Y {
		p, q = q, p
	}
	if q.Y < top || p.Y > bottom {
		return 1, 0
	}
	at := func(y float64) float64 {
		if q.Y == p.Y {
			return p.X
		}
		share := max(min((y-p.Y)/(q.Y-p.Y), 1), 0)
		return p.X + float64(share*(q.X-p.X))
	}
	a, b := at(max(top, p.Y)), at(min(bottom, q.Y))
	if q.Y == p.Y {
		a, b = p.X, q.X
	}
	return min(a, b), max(a, b)
}

// squareGap is the squared distance between a line and a cell's square that do
// not meet.
func squareGap(p, q Point, c Cell) float64 {
	x0, y0 := float64(c.X), float64(c.Y)
	x1, y1 := x0+1, y0+1
	// The nearest points are an end of the line or a corner.
	best := min(pointGap(p, x0, y0, x1, y1), pointGap(q, x0, y0, x1, y1))
	for _, k := range [4]Point{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		best = min(best, lineGap(k, p, q))
	}
	return best
}

// enters reports whether the line has a point inside the box, or with rim also
// on its rim: neither an axis nor the line itself keeps them apart. It divides
// nothing, so it is exact where the products are.
func enters(p, q Point, x0, y0, x1, y1 float64, rim bool) bool {
	if max(p.X, q.X) < x0 || min(p.X, q.X) > x1 || max(p.Y, q.Y) < y0 || min(p.Y, q.Y) > y1 {
		return false
	}
	if !rim && (max(p.X, q.X) == x0 || min(p.X, q.X) == x1 || max(p.Y, q.Y) == y0 || min(p.Y, q.Y) == y1) {
		return false
	}
	// On which side of the line the corners lie.
	dx, dy := q.X-p.X, q.Y-p.Y
	if dx == 0 && dy == 0 {
		return true
	}
	least, most := math.Inf(1), math.Inf(-1)
	for _, k := range [4]Point{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		side := float64(dx*(k.Y-p.Y)) - float64(dy*(k.X-p.X))
		least, most = min(least, side), max(most, side)
	}
	if rim {
		return least <= 0 && most >= 0
	}
	return least < 0 && most > 0
}

func pointGap(p Point, x0, y0, x1, y1 float64) float64 {
	dx, dy := max(x0-p.X, p.X-x1, 0), max(y0-p.Y, p.Y-y1, 0)
	return float64(dx*dx) + float64(dy*dy)
}

func lineGap(k, p, q Point) float64 {
	bx, by := q.X-p.X, q.Y-p.Y
	px, py := k.X-p.X, k.Y-p.Y
	if span := float64(bx*bx) + float64(by*by); span > 0 {
		share := max(min((float64(px*bx)+float64(py*by))/span, 1), 0)
		px -= float64(share * bx)
		py -= float64(share * by)
	}
	return float64(px*px) + float64(py*py)
}
