package grid

import (
	"fmt"
	"math"
)

// Pull turns a path of cells into few points: straight lines along which the
// body, widened by a guard band (cell sides, 0 to MaxClearance), touches no
// blocked square. Where the band does not fit, but the body does, the path's
// own steps are kept, so the corners a body needs stay. A path that leaves the
// inflated map is ErrOptions.
//
// From each point it goes on to the farthest cell seen before the first that
// is not: time grows with the squares beside the lines looked at.
func (b *Body) Pull(path []Cell, guard float64) ([]Point, error) {
	if !(guard >= 0 && guard <= MaxClearance) {
		return nil, fmt.Errorf("%w: guard band %v (0 to %d)", ErrOptions, guard, MaxClearance)
	}
	if n := Walkable(b.inflated, path, Moves{}); n < len(path) {
		return nil, fmt.Errorf("%w: no room at %v", ErrOptions, path[n])
	}
	var points []Point
	for i := 0; i < len(path); {
		points = append(points, middle(path[i]))
		if i == len(path)-1 {
			break
		}
		j := i + 1
		for j+1 < len(path) && b.Sees(middle(path[i]), middle(path[j+1]), guard) {
			j++
		}
		i = j
	}
	return points, nil
}

// Sees reports whether the body can go in a straight line from p to q and stay
// at least the guard away from every blocked square and the edge of the map.
func (b *Body) Sees(p, q Point, guard float64) bool {
	r := b.radius + guard
	w, h := b.ground.Size()
	if !(min(p.X, q.X)-r >= 0 && min(p.Y, q.Y)-r >= 0 && max(p.X, q.X)+r <= float64(w) && max(p.Y, q.Y)+r <= float64(h)) {
		return false
	}
	for y := int32(math.Floor(min(p.Y, q.Y) - r)); float64(y) <= max(p.Y, q.Y)+r; y++ {
		// The part of the line that comes within r of this row.
		lo, hi := clipRow(p, q, float64(y)-r, float64(y)+1+r)
		for x := int32(math.Floor(lo - r)); float64(x) <= hi+r; x++ {
			c := Cell{x, y}
			if x < int32(w) && y < int32(h) && !b.ground.Passable(c) && squareGap(p, q, c) < float64(r*r)-1e-9 {
				return false
			}
		}
	}
	return true
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

// squareGap is the squared distance between a line and a cell's square.
func squareGap(p, q Point, c Cell) float64 {
	x0, y0 := float64(c.X), float64(c.Y)
	x1, y1 := x0+1, y0+1
	if crosses(p, q, x0, y0, x1, y1) {
		return 0
	}
	// Apart, the nearest points are an end of the line or a corner.
	best := min(pointGap(p, x0, y0, x1, y1), pointGap(q, x0, y0, x1, y1))
	for _, k := range [4]Point{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}} {
		best = min(best, lineGap(k, p, q))
	}
	return best
}

// crosses reports whether the line enters the box (Liang and Barsky 1984).
func crosses(p, q Point, x0, y0, x1, y1 float64) bool {
	lo, hi := 0.0, 1.0
	for _, s := range [2][4]float64{{p.X, q.X - p.X, x0, x1}, {p.Y, q.Y - p.Y, y0, y1}} {
		if s[1] == 0 {
			if s[0] < s[2] || s[0] > s[3] {
				return false
			}
			continue
		}
		a, b := (s[2]-s[0])/s[1], (s[3]-s[0])/s[1]
		lo, hi = max(lo, min(a, b)), min(hi, max(a, b))
	}
	return lo <= hi
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
