package occluder

import (
	"math"

	"wend/geom"
)

// minCurtain is the least length of a curtain, metres seen from above.
const minCurtain = 1e-9

// Curtain reports whether a face crosses the upright rectangle over the plan
// segment from a to b between heights lo and hi. What only touches the lower
// or the upper edge does not cross. A segment shorter than 1e-9 m seen from
// above has no curtain. The heights of a and b do not matter.
func (s *Scene) Curtain(a, b geom.Vec3, lo, hi float64) bool {
	c, ok := newCurtain(a, b, lo, hi)
	if !ok {
		return false
	}
	p := probe{box: c.box, curtain: &c}
	return p.run(s)
}

// curtain is a descent for one upright rectangle.
type curtain struct {
	x, z   float64 // start
	dx, dz float64 // unit direction
	length float64
	lo, hi float64
	box    geom.Box
}

func newCurtain(a, b geom.Vec3, lo, hi float64) (curtain, bool) {
	dx, dz := b.X-a.X, b.Z-a.Z
	length := math.Sqrt(float64(dx*dx) + float64(dz*dz))
	if !(length >= minCurtain) || math.IsInf(length, 0) || !(lo <= hi) {
		return curtain{}, false
	}
	return curtain{
		x: a.X, z: a.Z, dx: dx / length, dz: dz / length, length: length, lo: lo, hi: hi,
		box: geom.Box{
			Min: geom.V3(min(a.X, b.X), lo, min(a.Z, b.Z)),
			Max: geom.V3(max(a.X, b.X), hi, max(a.Z, b.Z)),
		},
	}, true
}

// section is a point of the curtain's plane.
type section [2]float64 // along the plan segment, height

// maxSection bounds the corners of a clipped section: three at first, and a
// cut makes at most half as many more.
const maxSection = 16

// triangle reports whether a placed triangle crosses the curtain and its box
// is there.
func (c *curtain) triangle(v0, v1, v2 *geom.Vec3) bool {
	if !c.crosses(v0, v1, v2) {
		return false
	}
	box := everywhere(widen(triBox(*v0, *v1, *v2), worldPad))
	return box.Overlaps(c.box)
}

// crosses cuts a triangle by the curtain's plane and clips the section to the
// rectangle.
func (c *curtain) crosses(v0, v1, v2 *geom.Vec3) bool {
	v := [3]*geom.Vec3{v0, v1, v2}
	var side [3]float64
	var flat [3]section
	for i, p := range v {
		x, z := p.X-c.x, p.Z-c.z
		side[i] = float64(x*c.dz) - float64(z*c.dx)
		flat[i] = section{float64(x*c.dx) + float64(z*c.dz), p.Y}
	}
	if side[0] > 0 && side[1] > 0 && side[2] > 0 || side[0] < 0 && side[1] < 0 && side[2] < 0 {
		return false
	}
	var poly, next [maxSection]section
	n := 0
	for i := range v {
		if side[i] == 0 {
			poly[n] = flat[i]
			n++
		}
		j := (i + 1) % 3
		if side[i] < 0 && side[j] > 0 || side[i] > 0 && side[j] < 0 {
			poly[n] = between(flat[i], flat[j], side[i]/(side[i]-side[j]))
			n++
		}
	}
	n = clip(&next, poly[:n], 0, 1, 0)
	n = clip(&poly, next[:n], 0, -1, c.length)
	n = clip(&next, poly[:n], 1, 1, c.lo)
	n = clip(&poly, next[:n], 1, -1, c.hi)
	if n == 0 {
		return false
	}
	low, high := poly[0][1], poly[0][1]
	for _, p := range poly[1:n] {
		low, high = min(low, p[1]), max(high, p[1])
	}
	return high > c.lo && low < c.hi
}

// between returns the point at parameter t of p-q.
func between(p, q section, t float64) section {
	return section{p[0] + float64((q[0]-p[0])*t), p[1] + float64((q[1]-p[1])*t)}
}

// clip keeps what of a polygon is at or above a bound on an axis, or with a
// sign of -1 at or below it, after I. Sutherland and G. Hodgman, "Reentrant
// polygon clipping" (1974). Points and segments are polygons too. It returns
// the number of corners.
func clip(dst *[maxSection]section, poly []section, axis int, sign, bound float64) int {
	n := 0
	for i, p := range poly {
		q := poly[0]
		if i+1 < len(poly) {
			q = poly[i+1]
		}
		a, b := float64(sign*(p[axis]-bound)), float64(sign*(q[axis]-bound))
		if a >= 0 {
			dst[n] = p
			n++
		}
		if a < 0 && b > 0 || a > 0 && b < 0 {
			dst[n] = between(p, q, a/(a-b))
			n++
		}
	}
	return n
}
