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

// fill makes the lists. Where squares of bucketSide would be too many, or too
// often listed, because triangles are very large, squares are larger.
func (b *buckets) fill(z *Zone) {
	all := z.BoxOf(0)
	for t := range z.Tris {
		o := z.BoxOf(int32(t))
		all = Box{min(all.U0, o.U0), min(all.V0, o.V0), max(all.U1, o.U1), max(all.V1, o.V1)}
	}
	most := min(1<<20+16*len(z.Tris), math.MaxInt32) // side grows until each triangle is in four at most
	for b.side = bucketSide; ; b.side *= 2 {
		b.x0, b.y0 = b.of(all.U0), b.of(all.V0)
		b.nx, b.ny = b.of(all.U1)-b.x0+1, b.of(all.V1)-b.y0+1
		if b.nx*b.ny <= most && b.entries(z) <= most {
			break
		}
	}
	b.start = make([]int32, b.nx*b.ny+1)
	for t := range z.Tris {
		x0, x1, y0, y1 := b.span(z.BoxOf(int32(t)))
		for x := x0; x <= x1; x++ {
			for y := y0; y <= y1; y++ {
				b.start[x*b.ny+y]++
			}
		}
	}
	at := int32(0)
	for k, n := range b.start {
		at += n
		b.start[k] = at // end of the list; filling moves it to the first
	}
	b.tri = make([]int32, at)
	for t := len(z.Tris) - 1; t >= 0; t-- {
		x0, x1, y0, y1 := b.span(z.BoxOf(int32(t)))
		for x := x0; x <= x1; x++ {
			for y := y0; y <= y1; y++ {
				k := x*b.ny + y
				b.start[k]--
				b.tri[b.start[k]] = int32(t)
			}
		}
	}
}

// entries counts what the lists would hold.
func (b *buckets) entries(z *Zone) int {
	sum := 0
	for t := range z.Tris {
		x0, x1, y0, y1 := b.span(z.BoxOf(int32(t)))
		sum += (x1 - x0 + 1) * (y1 - y0 + 1)
	}
	return sum
}

// span returns the squares that a box touches, none where x0 > x1 or y0 > y1.
func (b *buckets) span(o Box) (x0, x1, y0, y1 int) {
	return max(b.of(o.U0)-b.x0, 0), min(b.of(o.U1)-b.x0, b.nx-1),
		max(b.of(o.V0)-b.y0, 0), min(b.of(o.V1)-b.y0, b.ny-1)
}

// of returns the column or row of a coordinate. What is beyond any zone stays
// beyond it.
func (b *buckets) of(v float64) int {
	const beyond = 1 << 40
	return int(math.Floor(max(min(v/b.side, beyond), -beyond)))
}

// Near appends the numbers of all triangles whose squares touch a box, ascending:
// at least those that touch it themselves, walkable or not. Squares are 24 px
// wide unless triangles are huge. A box with a side that is not a number, or
// turned over, touches nothing.
func (z *Zone) Near(dst []int32, box Box) []int32 {
	if !(box.U0 <= box.U1 && box.V0 <= box.V1) {
		return dst
	}
	b := &z.buckets
	from := len(dst)
	x0, x1, y0, y1 := b.span(box)
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
