package heightfield

import (
	"slices"

	"wend/geom"
)

// This file is the plain twin of Rasterize. It decides in integers which cells
// a triangle fills, takes the heights of all points at which the outline of the
// part in the cell can have a corner, and merges the spans by their definition.

// unit is the number of lattice steps in a cell and in a voxel.
const unit = 5

// latticePoint has its coordinates in steps of the lattice.
type latticePoint struct{ x, z, h int64 }

type latticeTri struct {
	p    [3]latticePoint
	area uint8
}

// cross2 is twice the signed area of a, b, c in plan.
func cross2(a, b, c latticePoint) int64 {
	return (b.x-a.x)*(c.z-a.z) - (b.z-a.z)*(c.x-a.x)
}

// fraction is a height n/d in voxels, d > 0.
type fraction struct{ n, d int64 }

func (f fraction) floor() int64 {
	q := f.n / f.d
	if f.n%f.d < 0 {
		q--
	}
	return q
}

func (f fraction) ceil() int64 { return -fraction{-f.n, f.d}.floor() }

// plus adds a number of 1024ths.
func (f fraction) plus(k int64) fraction { return fraction{f.n*1024 + k*f.d, f.d * 1024} }

func (f fraction) less(g fraction) bool { return f.n*g.d < g.n*f.d }

// heights returns the heights of the corners of the part of the triangle in the
// closed cell at (x, z) to (x+unit, z+unit), and of some more points of it.
func (t latticeTri) heights(x, z int64) []fraction {
	var out []fraction
	within := func(v, lo, d int64) bool { return v >= lo*d && v <= (lo+unit)*d }
	for i, a := range t.p {
		if within(a.x, x, 1) && within(a.z, z, 1) {
			out = append(out, fraction{a.h, unit})
		}
		// Where the edge crosses the four lines of the cell.
		b := t.p[(i+1)%3]
		for _, at := range [2]int64{0, unit} {
			if d := b.x - a.x; d != 0 {
				s, n := d/abs(d), x+at-a.x // the point at n/d
				if n*s >= 0 && n*s <= d*s && within((a.z*d+(b.z-a.z)*n)*s, z, d*s) {
					out = append(out, fraction{(a.h*d + (b.h-a.h)*n) * s, d * s * unit})
				}
			}
			if d := b.z - a.z; d != 0 {
				s, n := d/abs(d), z+at-a.z
				if n*s >= 0 && n*s <= d*s && within((a.x*d+(b.x-a.x)*n)*s, x, d*s) {
					out = append(out, fraction{(a.h*d + (b.h-a.h)*n) * s, d * s * unit})
				}
			}
		}
	}
	// The cell's corners, where the triangle lies over them.
	area := cross2(t.p[0], t.p[1], t.p[2])
	if area == 0 {
		return out
	}
	s := area / abs(area)
	for _, q := range []latticePoint{{x: x, z: z}, {x: x + unit, z: z}, {x: x, z: z + unit}, {x: x + unit, z: z + unit}} {
		u, v, w := cross2(t.p[1], t.p[2], q)*s, cross2(t.p[2], t.p[0], q)*s, cross2(t.p[0], t.p[1], q)*s
		if u >= 0 && v >= 0 && w >= 0 {
			out = append(out, fraction{u*t.p[0].h + v*t.p[1].h + w*t.p[2].h, area * s * unit})
		}
	}
	return out
}

func abs(n int64) int64 { return max(n, -n) }

// overlaps reports whether the interiors of the triangle and of the cell meet
// in plan: no line along a side of either has them on different sides.
func (t latticeTri) overlaps(x, z int64) bool {
	lo, hi := t.p[0], t.p[0]
	for _, p := range t.p {
		lo.x, lo.z = min(lo.x, p.x), min(lo.z, p.z)
		hi.x, hi.z = max(hi.x, p.x), max(hi.z, p.z)
	}
	if hi.x <= x || lo.x >= x+unit || hi.z <= z || lo.z >= z+unit {
		return false
	}
	s := cross2(t.p[0], t.p[1], t.p[2])
	for i := range t.p {
		a, b := t.p[i], t.p[(i+1)%3]
		outside := true
		for _, q := range []latticePoint{{x: x, z: z}, {x: x + unit, z: z}, {x: x, z: z + unit}, {x: x + unit, z: z + unit}} {
			if cross2(a, b, q)*s > 0 {
				outside = false
			}
		}
		if outside {
			return false
		}
	}
	return true
}

// wallFills reports whether a triangle without area in plan fills the cell: it
// runs through it for some length and, where it runs along a border, the cell
// is behind its face.
func (t latticeTri) wallFills(x, z int64) bool {
	// Its plan is the segment from the least to the greatest corner.
	a, b := t.p[0], t.p[0]
	for _, p := range t.p {
		if p.x < a.x || p.x == a.x && p.z < a.z {
			a = p
		}
		if p.x > b.x || p.x == b.x && p.z > b.z {
			b = p
		}
	}
	u := latticePoint{t.p[1].x - t.p[0].x, t.p[1].z - t.p[0].z, t.p[1].h - t.p[0].h}
	v := latticePoint{t.p[2].x - t.p[0].x, t.p[2].z - t.p[0].z, t.p[2].h - t.p[0].h}
	in := func(at, cell, normal int64) bool {
		if normal > 0 {
			return cell < at && at <= cell+unit
		}
		return cell <= at && at < cell+unit
	}
	if a.x == b.x {
		return in(a.x, x, u.h*v.z-u.z*v.h) && a.z < z+unit && b.z > z
	}
	if a.z == b.z {
		return in(a.z, z, u.x*v.h-u.h*v.x) && a.x < x+unit && b.x > x
	}
	// It slants: some length is inside when a stretch of x is for which z is.
	// In units of 1/dx, with z rising along the segment after a reflection.
	if b.z < a.z {
		a.z, b.z, z = -a.z, -b.z, -z-unit
	}
	dx, dz := b.x-a.x, b.z-a.z
	lo := max(a.x, x) // of x
	hi := min(b.x, x+unit)
	// z at lo and at hi, times dx, against the cell.
	zlo, zhi := a.z*dx+(lo-a.x)*dz, a.z*dx+(hi-a.x)*dz
	return lo < hi && zlo < (z+unit)*dx && zhi > z*dx
}

// hasArea reports whether the corners are not on one line.
func (t latticeTri) hasArea() bool {
	u := latticePoint{t.p[1].x - t.p[0].x, t.p[1].z - t.p[0].z, t.p[1].h - t.p[0].h}
	v := latticePoint{t.p[2].x - t.p[0].x, t.p[2].z - t.p[0].z, t.p[2].h - t.p[0].h}
	return u.x*v.z != u.z*v.x || u.x*v.h != u.h*v.x || u.z*v.h != u.h*v.z
}

// exactColumns returns the merged spans of each column.
func exactColumns(w, d int, tris []latticeTri, mergeClimb int) [][]Span {
	cols := make([][]Span, w*d)
	for c := range cols {
		x, z := int64(c%w)*unit, int64(c/w)*unit
		var raw []Span
		for _, t := range tris {
			if !t.hasArea() {
				continue
			}
			if cross2(t.p[0], t.p[1], t.p[2]) != 0 && !t.overlaps(x, z) ||
				cross2(t.p[0], t.p[1], t.p[2]) == 0 && !t.wallFills(x, z) {
				continue
			}
			hs := t.heights(x, z)
			lo, hi := hs[0], hs[0]
			for _, h := range hs {
				if h.less(lo) {
					lo = h
				}
				if hi.less(h) {
					hi = h
				}
			}
			if hi.plus(1).n < 0 {
				continue
			}
			bottom := max(lo.plus(1).floor(), 0)
			top := max(hi.plus(-1).ceil(), bottom+1)
			raw = append(raw, Span{uint16(bottom), uint16(top), t.area})
		}
		cols[c] = mergePlain(raw, mergeClimb)
	}
	return cols
}

// mergePlain merges spans by uniting any two that touch until none do.
func mergePlain(raw []Span, mergeClimb int) []Span {
	type heap struct {
		Span
		parts []Span
	}
	var heaps []heap
	for _, r := range raw {
		h := heap{r, []Span{r}}
		for again := true; again; {
			again = false
			for i, o := range heaps {
				if o.Min <= h.Max && h.Min <= o.Max {
					h.Min, h.Max = min(h.Min, o.Min), max(h.Max, o.Max)
					h.parts = append(h.parts, o.parts...)
					heaps = slices.Delete(heaps, i, i+1)
					again = true
					break
				}
			}
		}
		heaps = append(heaps, h)
	}
	var out []Span
	for _, h := range heaps {
		s := Span{Min: h.Min, Max: h.Max}
		for _, p := range h.parts {
			if int(h.Max)-int(p.Max) <= mergeClimb {
				s.Area = max(s.Area, p.Area)
			}
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b Span) int { return int(a.Min) - int(b.Min) })
	return out
}

// world turns lattice triangles into input for Rasterize on g.
func world(g Grid, tris []latticeTri) ([]geom.Vec3, []Tri) {
	var verts []geom.Vec3
	var out []Tri
	for _, t := range tris {
		n := uint32(len(verts))
		for _, p := range t.p {
			verts = append(verts, g.Origin.Add(geom.V3(
				float64(p.x)/unit*g.Cell, float64(p.h)/unit*g.CellHeight, float64(p.z)/unit*g.Cell)))
		}
		out = append(out, Tri{n, n + 1, n + 2, t.area})
	}
	return verts, out
}
