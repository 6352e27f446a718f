// Package zone holds the walkable triangles of one zone, cleaned: what is
// walkable, which triangles are joined, which edges end the ground, and what is
// near a place.
//
// [Clean] takes what a reader of a pack sees. A [Zone] is immutable and shared by
// any number of goroutines.
package zone

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"wend/pack/bnav"
)

// Zone is the cleaned mesh of a zone. Triangles keep their numbers, counted
// from the zone's first: those that are not walkable stay in place.
type Zone struct {
	Name  string
	Verts []bnav.Vertex
	Tris  [][3]uint32 // counter-clockwise in the zone's plane

	Walkable  []bool
	Boundary  []uint8 // bit k: nothing is joined over the edge from corner k to k+1
	Component []int32 // least triangle of the set of joined triangles it belongs to
	Island    []bool  // more than half of that set belongs to natural pieces of up to SmallPiece triangles

	buckets buckets
}

// SmallPiece is the size up to which a piece of mesh, joined by shared edges
// alone, is small, triangles.
const SmallPiece = 512

// Limits, so that all arithmetic on cells and edges is safe. Coordinates must be
// within them, triangles up to them.
const (
	MaxPlane     = 1 << 18 // px
	MaxHeight    = 1 << 17 // m
	MaxTriangles = 1 << 28
)

// An Error says what is wrong with the geometry of a zone.
type Error struct {
	Zone     string
	Triangle int // counted from the zone's first; -1 = none in particular
	What     string
}

func (e *Error) Error() string {
	if e.Triangle < 0 {
		return fmt.Sprintf("zone: %s: %s", e.Zone, e.What)
	}
	return fmt.Sprintf("zone: %s: triangle %d %s", e.Zone, e.Triangle, e.What)
}

// Clean cleans zone number index of the content's zone table: of a whole pack,
// or of a load by zone. workers bounds the goroutines, 0 meaning one per
// processor, and never shows in the result.
//
// Vertices are shared with the content, which must not change any more. A pack
// whose corners are not joined goes through [WeldOld] first.
//
// Triangles are joined where they share an edge, its corners in opposite order,
// unless one of three rules parts them: another edge has the same corners in the
// same order; the triangle beyond is joined to others over all of its edges;
// either side is not walkable, or the pack has no link from the first triangle to
// the second.
//
// Errors are *[Error] and the context's cause. Time is linear in triangles and
// links, memory up to 100 bytes a triangle.
func Clean(ctx context.Context, c *bnav.Content, index, workers int) (*Zone, error) {
	if index < 0 || index >= len(c.Zones) {
		return nil, &Error{"?", -1, fmt.Sprintf("zone %d of a table of %d", index, len(c.Zones))}
	}
	meta := &c.Zones[index]
	z := &Zone{Name: meta.Name, Verts: c.Vertices}
	first, n := int(meta.FirstTri), int(meta.TriCount)
	switch {
	case meta.IsTier():
		return nil, &Error{z.Name, -1, "is a tier, which has no triangles"}
	case meta.ID == 0:
		return nil, &Error{z.Name, -1, "has no id: links inside of zone 0 mean nothing"}
	case first < 0 || n < 0 || first > len(c.Triangles) || n > len(c.Triangles)-first:
		return nil, &Error{z.Name, -1, fmt.Sprintf("has %d triangles from %d on, and there are %d", n, first, len(c.Triangles))}
	case n > MaxTriangles:
		return nil, &Error{z.Name, -1, fmt.Sprintf("has %d triangles, more than %d", n, MaxTriangles)}
	case c.Surfaces != nil && len(c.Surfaces) < first+n:
		return nil, &Error{z.Name, -1, fmt.Sprintf("has triangles up to %d, and there are %d surfaces", first+n, len(c.Surfaces))}
	}
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	b := builder{ctx: ctx, workers: workers, z: z, c: c, first: first, tris: c.Triangles[first : first+n]}
	if err := b.load(); err != nil {
		return nil, err
	}
	for _, step := range []func(){b.slots, b.adjacency, b.naturalPieces, b.linkTable, b.cut, b.components, b.finish} {
		step()
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
	}
	return z, nil
}

// builder is a zone being cleaned.
type builder struct {
	ctx     context.Context
	workers int

	z     *Zone
	c     *bnav.Content
	first int
	tris  []bnav.Triangle

	low     uint32  // least corner; buckets count from it
	bucket  []int32 // first of order for each corner
	order   []int32 // slots by the corner they start from, then by their end
	next    []int32 // triangle beyond each slot, or -1
	mark    []bool  // slots that a rule parts
	natural []int32 // size of the piece of mesh a triangle belongs to
	links   []bnav.Link
	link    []int // first of links for each triangle
}

// load checks the triangles, turns them counter-clockwise and marks which are
// walkable.
func (b *builder) load() error {
	z := b.z
	n := len(b.tris)
	z.Tris, z.Walkable = make([][3]uint32, n), make([]bool, n)
	walkable := 0
	for t := range b.tris {
		v := b.tris[t].V
		for _, i := range v {
			if int(i) >= len(z.Verts) {
				return &Error{z.Name, t, fmt.Sprintf("has vertex %d, and there are %d", i, len(z.Verts))}
			}
		}
		if v[0] == v[1] || v[1] == v[2] || v[0] == v[2] {
			return &Error{z.Name, t, fmt.Sprintf("has a corner twice: vertices %d, %d, %d", v[0], v[1], v[2])}
		}
		for _, i := range v {
			if p := z.Verts[i]; !within(p.U, MaxPlane) || !within(p.V, MaxPlane) || !within(p.H, MaxHeight) {
				return &Error{z.Name, t, fmt.Sprintf("has a corner at %v, %v px, height %v m: not within %d px and %d m", p.U, p.V, p.H, MaxPlane, MaxHeight)}
			}
		}
		p, q, r := z.Verts[v[0]], z.Verts[v[1]], z.Verts[v[2]]
		if area2(p, q, r) < 0 {
			v[1], v[2] = v[2], v[1]
		}
		z.Tris[t] = v
		if z.Walkable[t] = b.c.Walkable(b.first + t); z.Walkable[t] {
			walkable++
		}
	}
	if walkable == 0 {
		return &Error{z.Name, -1, "has no walkable triangle"}
	}
	return nil
}

func within(v float32, limit float64) bool { return math.Abs(float64(v)) < limit } // false for NaN
