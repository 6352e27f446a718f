package draw

import "math"

// point is a place on paper, y down.
type point struct{ x, y float64 }

// clipper cuts polygons and segments to the picture. The zero value with a
// size is ready; results are valid until the next call.
type clipper struct {
	w, h float64
	a, b []point
}

// polygon cuts pts by the four sides of the picture (Sutherland and Hodgman
// 1974). A polygon that lies inside is returned as it is.
func (c *clipper) polygon(pts []point) []point {
	inside := true
	for _, p := range pts {
		if !(p.x >= 0 && p.x <= c.w && p.y >= 0 && p.y <= c.h) {
			inside = false
			break
		}
	}
	if inside {
		return pts
	}
	c.a = cutHalf(c.a[:0], pts, func(p point) float64 { return p.x })
	c.b = cutHalf(c.b[:0], c.a, func(p point) float64 { return c.w - p.x })
	c.a = cutHalf(c.a[:0], c.b, func(p point) float64 { return p.y })
	c.b = cutHalf(c.b[:0], c.a, func(p point) float64 { return c.h - p.y })
	// Computed crossings may miss the border by a rounding.
	for i, p := range c.b {
		c.b[i] = point{min(max(p.x, 0), c.w), min(max(p.y, 0), c.h)}
	}
	return c.b
}

// cutHalf appends to dst the part of polygon pts where dist is not negative.
func cutHalf(dst, pts []point, dist func(point) float64) []point {
	if len(pts) == 0 {
		return dst
	}
	p := pts[len(pts)-1]
	dp := dist(p)
	for _, q := range pts {
		dq := dist(q)
		if (dp < 0) != (dq < 0) {
			t := dp / (dp - dq)
			dst = append(dst, point{p.x + float64((q.x-p.x)*t), p.y + float64((q.y-p.y)*t)})
		}
		if dq >= 0 {
			dst = append(dst, q)
		}
		p, dp = q, dq
	}
	return dst
}

// segment returns the part of a-b inside the picture grown by margin (Liang
// and Barsky 1984); ok is false when there is none. Ends that need no cutting
// are returned as they are.
func (c *clipper) segment(a, b point, margin float64) (p, q point, ok bool) {
	t0, t1 := 0.0, 1.0
	dx, dy := b.x-a.x, b.y-a.y
	for _, side := range [4][2]float64{
		{-dx, a.x + margin},
		{dx, c.w + margin - a.x},
		{-dy, a.y + margin},
		{dy, c.h + margin - a.y},
	} {
		out, room := side[0], side[1]
		switch {
		case out == 0 && room < 0:
			return p, q, false
		case out > 0:
			t1 = min(t1, room/out)
		case out < 0:
			t0 = max(t0, room/out)
		}
	}
	if t0 > t1 {
		return p, q, false
	}
	p, q = a, b
	if t0 > 0 {
		p = point{a.x + float64(dx*t0), a.y + float64(dy*t0)}
	}
	if t1 < 1 {
		q = point{a.x + float64(dx*t1), a.y + float64(dy*t1)}
	}
	return p, q, true
}

// outside reports whether the box of pts, grown by margin, misses the picture.
func (c *clipper) outside(pts []point, margin float64) bool {
	minX, minY := math.Inf(1), math.Inf(1)
	maxX, maxY := math.Inf(-1), math.Inf(-1)
	for _, p := range pts {
		minX, maxX = min(minX, p.x), max(maxX, p.x)
		minY, maxY = min(minY, p.y), max(maxY, p.y)
	}
	return maxX+margin < 0 || minX-margin > c.w || maxY+margin < 0 || minY-margin > c.h
}

// area2 is twice the signed area of a polygon on paper.
func area2(pts []point) float64 {
	sum := 0.0
	p := pts[len(pts)-1]
	for _, q := range pts {
		sum += float64(p.x*q.y) - float64(q.x*p.y)
		p = q
	}
	return sum
}
