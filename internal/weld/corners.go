package weld

import (
	"cmp"
	"context"
	"math"
	"slices"

	"wend/geom"
)

// corners chooses the vertices of the result and returns the new number of each
// vertex that a triangle uses.
//
// Two passes over the distinct points, in the order of X, Z and Y. In the first
// a point becomes a vertex where no vertex before it is within the tolerances. In
// the second every point goes to the nearest vertex. No vertex ever moves, so
// what joins it is within the tolerances of the vertex itself, however long the
// chain of close points.
func (r *Result) corners(ctx context.Context, verts []geom.Vec3, tris [][3]uint32, o Options) ([]uint32, error) {
	used := make([]bool, len(verts))
	for _, t := range tris {
		used[t[0]], used[t[1]], used[t[2]] = true, true, true
	}
	type point struct {
		x, z, y float64
		vert    uint32
	}
	order := make([]point, 0, len(verts))
	for v, u := range used {
		if p := verts[v]; u {
			order = append(order, point{p.X + 0, p.Z + 0, p.Y + 0, uint32(v)}) // + 0 makes -0 plain
		}
	}
	slices.SortFunc(order, func(a, b point) int {
		switch {
		case a.x != b.x:
			return cmp.Compare(a.x, b.x)
		case a.z != b.z:
			return cmp.Compare(a.z, b.z)
		}
		return cmp.Compare(a.y, b.y)
	})

	// Points that are equal come one after the other.
	moved := make([]uint32, len(verts))
	points := make([]geom.Vec3, 0, len(order))
	for _, p := range order {
		at := geom.V3(p.x, p.y, p.z)
		if n := len(points); n == 0 || points[n-1] != at {
			points = append(points, at)
		}
		moved[p.vert] = uint32(len(points) - 1)
	}

	near := newHash(o, len(points))
	to := make([]uint32, len(points))
	for pass := range 2 {
		for i, p := range points {
			if i&0xffff == 0 && ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			at := near.nearest(p)
			if pass == 0 && at < 0 {
				near.add(p)
			}
			to[i] = uint32(at)
		}
	}
	r.Verts = near.verts
	r.Welded = len(order) - len(near.verts)
	for _, p := range order {
		moved[p.vert] = to[moved[p.vert]]
	}
	return moved, nil
}

// hash finds vertices near a point, by cubes of four times the tolerances: what is
// near lies in the eight cubes around the corner of its own that is closest to
// the point. Since vertices are not within the tolerances of one another, a cube
// holds a bounded number.
type hash struct {
	o     Options
	verts []geom.Vec3
	head  []int32 // last vertex of each slot, plus one
	prev  []int32 // the one before each, plus one
}

func newHash(o Options, n int) *hash {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return &hash{o: o, head: make([]int32, size)}
}

// slot returns the slot of a cube. Cubes may share one: what is found is
// compared with the point anyway.
func (h *hash) slot(x, z, y int64) uint64 {
	k := uint64(x)*0x9e3779b97f4a7c15 ^ uint64(z)*0xc2b2ae3d27d4eb4f ^ uint64(y)*0x165667b19e3779f9
	k ^= k >> 32
	k *= 0xd6e8feb86659fd93
	k ^= k >> 32
	return k & uint64(len(h.head)-1)
}

// cube returns the number of the cube of a coordinate and of the nearest next
// one; those beyond are more than the tolerance away.
func cube(v, tol float64) (home, next int64) {
	c := v / (4 * tol)
	f := math.Floor(c)
	if home = int64(f); c-f > 0.5 {
		return home, home + 1
	}
	return home, home - 1
}

func (h *hash) add(p geom.Vec3) {
	x, _ := cube(p.X, h.o.Tol)
	z, _ := cube(p.Z, h.o.Tol)
	y, _ := cube(p.Y, h.o.HeightTol)
	s := h.slot(x, z, y)
	h.verts = append(h.verts, p)
	h.prev = append(h.prev, h.head[s])
	h.head[s] = int32(len(h.verts))
}

// nearest returns the vertex that is nearest in terms of the tolerances, the
// first of equally near ones, or -1 where none is within them.
func (h *hash) nearest(p geom.Vec3) int32 {
	x0, x1 := cube(p.X, h.o.Tol)
	z0, z1 := cube(p.Z, h.o.Tol)
	y0, y1 := cube(p.Y, h.o.HeightTol)
	best, at := math.Inf(1), int32(-1)
	for k := range 8 {
		x, z, y := x0, z0, y0
		if k&1 != 0 {
			x = x1
		}
		if k&2 != 0 {
			z = z1
		}
		if k&4 != 0 {
			y = y1
		}
		for i := h.head[h.slot(x, z, y)] - 1; i >= 0; i = h.prev[i] - 1 {
			if d, ok := h.o.apart(p, h.verts[i]); ok && (d < best || d == best && i < at) {
				best, at = d, i
			}
		}
	}
	return at
}

// apart returns how far two points lie apart, in squares of the tolerances, and
// whether they are within both.
func (o *Options) apart(p, q geom.Vec3) (float64, bool) {
	d, dy := distance2(p, q), math.Abs(p.Y-q.Y)
	if d > o.Tol*o.Tol || dy > o.HeightTol {
		return 0, false
	}
	dy /= o.HeightTol
	return d/(o.Tol*o.Tol) + float64(dy*dy), true
}

// distance2 is the squared distance seen from above.
func distance2(p, q geom.Vec3) float64 {
	dx, dz := p.X-q.X, p.Z-q.Z
	return float64(dx*dx) + float64(dz*dz)
}
