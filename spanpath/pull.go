package spanpath

import "math"

// Pull pulls a line through points taut and appends to dst the numbers of those
// that stay: from each, the farthest that is in sight comes next. The one after
// it need not be in sight, since a search led there. heights has the height of
// each point, or is nil.
//
// Pulling what is left again keeps all of it. Chords that are looked along are at
// most quadratic in number; most end after a few cells.
func (g *Ground) Pull(dst []int, pts []Point, heights []float32, v View) []int {
	if len(pts) == 0 {
		return dst
	}
	h := func(int) float32 { return unknown }
	if heights != nil {
		h = func(i int) float32 { return heights[i] }
	} else {
		v.Heights = false
	}
	last := len(pts) - 1
	dst = append(dst, 0)
	for i := 0; i < last; {
		if i&15 == 0 && g.Err() != nil {
			return dst
		}
		j := last
		for guess := -1; j > i+1; j-- {
			at, ok := g.seesGuess(v, pts[i], pts[j], h(i), h(j), guess)
			if ok {
				break
			}
			guess = at // the next chord is blocked near there, as a rule
		}
		dst = append(dst, j)
		i = j
	}
	return dst
}

// nearEnds is how far the inner points of a line are from its ends at least,
// and samePlace how far from each other, px.
const (
	nearEnds  = 0.4
	samePlace = 1e-9
)

// Splice appends to dst the line from start through inner points to goal. Inner
// points near either end are left out, and so is a point in the place of the one
// before it, be it the goal. Where straight is set, inner points on the straight
// line from the one kept before to the one that follows are left out too.
func Splice(dst []Point, start Point, inner []Point, goal Point, straight bool) []Point {
	from := len(dst)
	dst = append(dst, start)
	for _, p := range inner {
		if distance(p, start) > nearEnds && distance(p, goal) > nearEnds && distance(p, dst[len(dst)-1]) > samePlace {
			dst = append(dst, p)
		}
	}
	if distance(goal, dst[len(dst)-1]) > samePlace {
		dst = append(dst, goal)
	}
	if !straight {
		return dst
	}
	line := dst[from:]
	n := min(1, len(line))
	for i := 1; i < len(line); i++ {
		if i+1 < len(line) && collinear(line[n-1], line[i], line[i+1]) {
			continue
		}
		line[n] = line[i]
		n++
	}
	return dst[:from+n]
}

// collinear reports whether b lies on the line through a and c, as far as can be
// seen, which are not the same place.
func collinear(a, b, c Point) bool {
	cross := float64((b.U-a.U)*(c.V-a.V)) - float64((b.V-a.V)*(c.U-a.U))
	d := distance(a, c)
	return d > samePlace && math.Abs(cross) <= 1e-9*math.Max(1, d)
}
