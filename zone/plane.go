package zone

import (
	"math"

	"wend/pack/bnav"
)

// edgeDistance returns the distance of segments p-q and r-s in the plane, px.
func edgeDistance(p, q, r, s bnav.Vertex) float64 {
	if cross(p, q, r, s) {
		return 0
	}
	return min(
		pointSegment(float64(p.U), float64(p.V), r, s), pointSegment(float64(q.U), float64(q.V), r, s),
		pointSegment(float64(r.U), float64(r.V), p, q), pointSegment(float64(s.U), float64(s.V), p, q),
	)
}

// cross reports whether two segments cross in their insides.
func cross(p, q, r, s bnav.Vertex) bool {
	a, b := area2(p, q, r), area2(p, q, s)
	c, d := area2(r, s, p), area2(r, s, q)
	return (a > 0) != (b > 0) && a != 0 && b != 0 && (c > 0) != (d > 0) && c != 0 && d != 0
}

// pointSegment returns the distance of a point from a segment, px.
func pointSegment(u, v float64, p, q bnav.Vertex) float64 {
	x, y := nearestOn(u, v, p, q)
	dx, dy := u-x, v-y
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}

// nearestOn returns the point of a segment nearest to (u, v).
func nearestOn(u, v float64, p, q bnav.Vertex) (x, y float64) {
	px, py := float64(p.U), float64(p.V)
	dx, dy := float64(q.U)-px, float64(q.V)-py
	d := float64(dx*dx) + float64(dy*dy)
	if d == 0 {
		return px, py
	}
	t := (float64((u-px)*dx) + float64((v-py)*dy)) / d
	t = min(max(t, 0), 1)
	return px + float64(t*dx), py + float64(t*dy)
}
