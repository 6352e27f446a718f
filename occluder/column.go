package occluder

import (
	"cmp"
	"math"
	"slices"

	"wend/geom"
)

// A Level is a surface on a vertical line.
type Level struct {
	Y  float64
	Up bool // the outside of the face is above
}

// AppendColumn appends to dst the faces that the vertical line at (x, z) meets
// strictly between heights lo and hi, sorted by height, undersides first. A
// face that stands upright, within 1e-12 square metres seen from above, has no
// height. An edge that two faces share gives a level for each.
func (s *Scene) AppendColumn(dst []Level, x, z, lo, hi float64) []Level {
	c := column{x: x, z: z, lo: lo, hi: hi, list: dst, listing: true}
	c.run(s)
	slices.SortFunc(c.list[len(dst):], func(a, b Level) int {
		return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(b2i(a.Up), b2i(b.Up)))
	})
	return c.list
}

// column is a descent for one vertical line. It collects levels, or only what
// the ledge test asks for.
type column struct {
	x, z, lo, hi float64

	listing bool
	list    []Level

	near, within float64 // find the highest floor at most within from near
	floor        float64
	hasFloor     bool
	ceilingFrom  float64 // find whether an underside is strictly between
	ceilingTo    float64
	hasCeiling   bool
}

func (c *column) add(y float64, up bool) {
	switch {
	case c.listing:
		c.list = append(c.list, Level{y, up})
	case !up:
		if y > c.ceilingFrom && y < c.ceilingTo {
			c.hasCeiling = true
		}
	case math.Abs(y-c.near) <= c.within && (!c.hasFloor || y > c.floor):
		c.floor, c.hasFloor = y, true
	}
}

// Tolerances of the height of a triangle.
const (
	flatDet = 1e-12 // least plan determinant
	baryEps = 1e-9  // a point this far outside, as a share of the triangle, is inside
)

// heightAt returns the height of a triangle over (x, z), from barycentric
// coordinates seen from above.
func heightAt(v0, v1, v2 *geom.Vec3, x, z float64) (y float64, ok bool) {
	ax, az := v0.X-v2.X, v0.Z-v2.Z
	bx, bz := v1.X-v2.X, v1.Z-v2.Z
	det := float64(ax*bz) - float64(bx*az)
	if !(math.Abs(det) >= flatDet) {
		return 0, false
	}
	px, pz := x-v2.X, z-v2.Z
	w0 := (float64(px*bz) - float64(bx*pz)) / det
	w1 := (float64(ax*pz) - float64(px*az)) / det
	w2 := 1 - w0 - w1
	if !(w0 >= -baryEps && w1 >= -baryEps && w2 >= -baryEps) {
		return 0, false
	}
	return float64(w0*v0.Y) + float64(w1*v1.Y) + float64(w2*v2.Y), true
}

// facesUp reports whether the outside of a placed mesh face, whose corners are
// clockwise seen from outside, is above. flipped says that the placement
// mirrors, which turned the corners round.
func facesUp(v0, v1, v2 *geom.Vec3, flipped bool) bool {
	e1x, e1z := v1.X-v0.X, v1.Z-v0.Z
	e2x, e2z := v2.X-v0.X, v2.Z-v0.Z
	ny := float64(e1z*e2x) - float64(e1x*e2z)
	if flipped {
		ny = -ny
	}
	return ny < 0
}

// triangle tests one placed triangle.
func (c *column) triangle(v0, v1, v2 *geom.Vec3, flipped, terrain bool) {
	y, ok := heightAt(v0, v1, v2, c.x, c.z)
	if !ok || !(y > c.lo && y < c.hi) {
		return
	}
	box := everywhere(widen(triBox(*v0, *v1, *v2), worldPad))
	if c.x < box.Min.X || c.x > box.Max.X || c.z < box.Min.Z || c.z > box.Max.Z || y < box.Min.Y || y > box.Max.Y {
		return
	}
	c.add(y, terrain || facesUp(v0, v1, v2, flipped))
}

// run visits the faces on the line.
func (c *column) run(s *Scene) {
	p := probe{box: geom.Box{Min: geom.V3(c.x, c.lo, c.z), Max: geom.V3(c.x, c.hi, c.z)}, column: c}
	p.run(s)
}
