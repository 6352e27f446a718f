package spanbake

import (
	"fmt"
	"math"

	"wend/geom"
)

// simpleRing returns "" for a ring of at least three finite points that does not
// cross or touch itself, and else what is wrong with it. Time is the square of
// the points.
func simpleRing(ring []geom.Vec2) string {
	n := len(ring)
	if n < 3 {
		return fmt.Sprintf("has a ring of %d points, want at least 3", n)
	}
	for i, p := range ring {
		if !(math.Abs(p.X) < 1e9 && math.Abs(p.Y) < 1e9) {
			return fmt.Sprintf("has point %d at %v, %v", i, p.X, p.Y)
		}
		if p == ring[(i+1)%n] {
			return fmt.Sprintf("has point %d twice", i)
		}
	}
	for i := range n {
		for j := i + 1; j < n; j++ {
			a, b, c, d := ring[i], ring[(i+1)%n], ring[j], ring[(j+1)%n]
			if j != i+1 && (j+1)%n != i && touch(a, b, c, d) {
				return fmt.Sprintf("crosses itself: edges %d and %d", i, j)
			}
		}
	}
	return ""
}

// touch reports whether two segments share a point.
func touch(a, b, c, d geom.Vec2) bool {
	side := func(p, q, r geom.Vec2) float64 {
		return float64((q.X-p.X)*(r.Y-p.Y)) - float64((q.Y-p.Y)*(r.X-p.X))
	}
	within := func(p, q, r geom.Vec2) bool {
		return min(p.X, q.X) <= r.X && r.X <= max(p.X, q.X) && min(p.Y, q.Y) <= r.Y && r.Y <= max(p.Y, q.Y)
	}
	s1, s2, s3, s4 := side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)
	if (s1 > 0) != (s2 > 0) && (s3 > 0) != (s4 > 0) && s1 != 0 && s2 != 0 && s3 != 0 && s4 != 0 {
		return true
	}
	return s1 == 0 && within(a, b, c) || s2 == 0 && within(a, b, d) || s3 == 0 && within(c, d, a) || s4 == 0 && within(c, d, b)
}
