package zone

import (
	"math"
	"slices"
)

// Box is a rectangle of a zone's plane, closed, px.
type Box struct{ U0, V0, U1, V1 float64 }

// Touches reports whether two boxes share a point.
func (b Box) Touches(o Box) bool {
	return b.U0 <= o.U1 && o.U0 <= b.U1 && b.V0 <= o.V1 && o.V0 <= b.V1
}

// bucketSide is the side of the squares that triangles are listed by, px.
const bucketSide = 24

// maxBuckets bounds the squares; a zone that is larger gets larger squares.
const maxBuckets = 1 << 22

// buckets lists triangles by squares of the plane, columns first.
type buckets struct {
	side   float64
	x0, y0 int
	nx, ny int
	start  []int32
	tri    []int32
}

// BoxOf returns the box of a triangle.
func (z *Zone) BoxOf(t int32) Box {
	b := Box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, v := range z.Tris[t] {
		u, w := float64(z.Verts[v].U), float64(z.Verts[v].V)
		b.U0, b.U1, b.V0, b.V1 = min(b.U0, u), max(b.U1, u), min(b.V0, w), max(b.V1, w)
	}
	return b
}

func (b *buckets) fill(z *Zone) {
	all := z.BoxOf(0)
	for t := range z.Tris {
		o := z.BoxOf(int32(t))
		all = Box{min(all.U0, o.U0), min(all.V0, o.V0), max(all.U1, o.U1), max(all.V1, o.V1)}
	}
	for b.side = bucketSide; ; b.side *= 2 {
		b.x0, b.y0 = b.of(all.U0), b.of(all.V0)
		b.nx, b.ny = b.of(all.U1)-b.x0+1, b.of(all.V1)-b.y0+1
		if b.nx*b.ny <= maxBuckets {
			break
		}
	}
	b.start = make([]int32, b.nx*b.ny+1)
	each := func(do func(k int, t int32)) {
		for t := range z.Tris {
			o := z.BoxOf(int32(t))
			for x := b.of(o.U0) - b.x0; x <= b.of(o.U1)-b.x0; x++ {
				for y := b.of(o.V0) - b.y0; y <= b.of(o.V1)-b.y0; y++ {
					do(x*b.ny+y, int32(t))
				}
			}
		}
	}
	each(func(k int, _ int32) { b.start[k+1]++ })
	for k := range b.nx * b.ny {
		b.start[k+1] += b.start[k]
	}
	b.tri = make([]int32, b.start[b.nx*b.ny])
	at := slices.Clone(b.start)
	each(func(k int, t int32) {
		b.tri[at[k]] = t
		at[k]++
	})
}

// of returns the column or row of a coordinate. What is beyond any zone stays
// beyond it.
func (b *buckets) of(v float64) int {
	const beyond = 1 << 40
	return int(math.Floor(max(min(v/b.side, beyond), -beyond)))
}

// Near appends the numbers of all triangles whose squares touch a box, ascending:
// at least those that touch it themselves.
func (z *Zone) Near(dst []int32, box Box) []int32 {
	b := &z.buckets
	from := len(dst)
	x0, x1 := max(b.of(box.U0)-b.x0, 0), min(b.of(box.U1)-b.x0, b.nx-1)
	y0, y1 := max(b.of(box.V0)-b.y0, 0), min(b.of(box.V1)-b.y0, b.ny-1)
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			k := x*b.ny + y
			dst = append(dst, b.tri[b.start[k]:b.start[k+1]]...)
		}
	}
	tail := dst[from:]
	slices.Sort(tail)
	return dst[:from+len(slices.Compact(tail))]
}

// An Edge is a boundary edge of a walkable triangle.
type Edge struct {
	Key            uint32 // 3*t + k: from corner k to k+1 of triangle t
	AU, AV, BU, BV float64
	HA, HB         float64
	Mean           float64 // of both heights
}

func (z *Zone) edge(t int32, k int) Edge {
	a, b := z.Verts[z.Tris[t][k]], z.Verts[z.Tris[t][(k+1)%3]]
	ha, hb := float64(a.H), float64(b.H)
	return Edge{uint32(3*int(t) + k), float64(a.U), float64(a.V), float64(b.U), float64(b.V), ha, hb, (ha + hb) / 2}
}

// margin is how far around a box boundary edges are collected, px.
const margin = 4.0

// BoundaryEdges appends the boundary edges whose boxes touch a box grown by 4 px,
// in order of their keys.
func (z *Zone) BoundaryEdges(dst []Edge, box Box) []Edge {
	box = Box{box.U0 - margin, box.V0 - margin, box.U1 + margin, box.V1 + margin}
	for _, t := range z.Near(nil, box) {
		if !z.Walkable[t] || z.Boundary[t] == 0 {
			continue
		}
		for k := range 3 {
			if z.Boundary[t]>>k&1 == 0 {
				continue
			}
			e := z.edge(t, k)
			if box.Touches(Box{min(e.AU, e.BU), min(e.AV, e.BV), max(e.AU, e.BU), max(e.AV, e.BV)}) {
				dst = append(dst, e)
			}
		}
	}
	return dst
}

// AllEdges returns all boundary edges in order of their keys.
func (z *Zone) AllEdges() []Edge {
	var out []Edge
	for t, walkable := range z.Walkable {
		for k := range 3 {
			if walkable && z.Boundary[t]>>k&1 != 0 {
				out = append(out, z.edge(int32(t), k))
			}
		}
	}
	return out
}
