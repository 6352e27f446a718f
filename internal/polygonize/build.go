package polygonize

import (
	"context"
	"fmt"

	"wend/internal/contour"
	"wend/internal/region"
)

// Limits of the maxVerts argument of Build.
const (
	MinPolyVerts = 3
	MaxPolyVerts = 64
)

// Build makes a polygon mesh of the outlines of s, with polygons of at most
// maxVerts corners. Polygons come in the order of the outlines, but for those
// around a border vertex that was taken out, which come last.
//
// An outline that cannot be used, or the part of one that cannot, is named in
// Skipped and is no error. Errors: maxVerts out of range; ctx is done.
//
// The time is linear in the number of outlines and about quadratic in the
// corners of one, with a small constant: see clipper.
func Build(ctx context.Context, s *contour.Set, maxVerts int) (*Mesh, error) {
	if maxVerts < MinPolyVerts || maxVerts > MaxPolyVerts {
		return nil, fmt.Errorf("polygonize: %d corners a polygon, want %d to %d", maxVerts, MinPolyVerts, MaxPolyVerts)
	}
	corners := 0
	for i := range s.Contours {
		corners += len(s.Contours[i].Verts)
	}
	b := builder{
		mesh: &Mesh{Grid: s.Grid, MaxVerts: maxVerts, MaxError: s.MaxError},
		weld: newWelder(corners, s.Headroom),
		all:  polys{slots: maxVerts},
		part: polys{slots: maxVerts},
	}
	for i := range s.Contours {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("polygonize: outline %d of %d: %w", i, len(s.Contours), err)
		}
		b.outline(&s.Contours[i])
	}
	if err := b.eraseBorder(ctx); err != nil {
		return nil, fmt.Errorf("polygonize: border corners: %w", err)
	}
	b.validate()
	b.store()
	b.neighbours(s.BorderSize > 0)
	return b.mesh, nil
}

// builder is the state of one Build.
type builder struct {
	mesh   *Mesh
	weld   *welder
	border []bool // by vertex: to be taken out

	all, part polys
	clip      clipper
	merge     merger
	ring      []point
	index     []uint32 // vertex of each corner of the outline
	tris      [][3]int32
}

func (b *builder) skip(reg region.ID, at Vert, format string, args ...any) {
	b.mesh.Skipped = append(b.mesh.Skipped, contour.Skip{
		Region: reg, X: at.X, Y: at.Y, Z: at.Z, Reason: fmt.Sprintf(format, args...),
	})
}

// outline adds the polygons of one outline.
func (b *builder) outline(c *contour.Contour) {
	var at Vert
	if len(c.Verts) > 0 {
		at = Vert{c.Verts[0].X, c.Verts[0].Y, c.Verts[0].Z}
	}
	if n := len(c.Verts); n < 3 || n > maxCorners {
		b.skip(c.Region, at, "outline of %d corners, want 3 to %d", n, maxCorners)
		return
	}
	b.ring = b.ring[:0]
	for _, v := range c.Verts {
		if min(v.X, v.Z) < -maxCoord || max(v.X, v.Z) > maxCoord {
			b.skip(c.Region, Vert{v.X, v.Y, v.Z}, "corner more than %d cells from the origin", maxCoord)
			return
		}
		b.ring = append(b.ring, point{v.X, v.Z})
	}
	whole := ringArea2(b.ring)
	if whole <= 0 {
		b.skip(c.Region, at, "outline has no area or runs clockwise")
		return
	}

	var complete bool
	b.tris, complete = b.clip.triangulate(b.tris[:0], b.ring)
	if !complete {
		var done int64
		for _, t := range b.tris {
			done += area2(b.ring[t[0]], b.ring[t[1]], b.ring[t[2]])
		}
		b.skip(c.Region, at, "outline crosses itself: %d half cells used of %d", done, whole)
	}
	if len(b.tris) == 0 {
		return
	}

	b.index = b.index[:0]
	for _, v := range c.Verts {
		i := b.weld.add(Vert{v.X, v.Y, v.Z})
		b.index = append(b.index, i)
		if int(i) == len(b.border) {
			b.border = append(b.border, false)
		}
		b.border[i] = b.border[i] || v.BorderVertex
	}
	b.part.reset()
	for _, t := range b.tris {
		b.part.add(c.Region, c.Area, b.index[t[0]], b.index[t[1]], b.index[t[2]])
	}
	b.merge.merge(&b.part, b.weld.verts)
	b.all.addAll(&b.part)
}

// eraseBorder takes the border vertices out, the lowest first.
func (b *builder) eraseBorder(ctx context.Context) error {
	var e eraser
	for v := range b.border {
		if !b.border[v] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		e.erase(&b.all, b.weld.verts, uint32(v))
	}
	return nil
}

// validate drops what is not a convex polygon with an area. Nothing above
// makes such a polygon; what reads the mesh must not depend on that.
func (b *builder) validate() {
	for p := 0; p < b.all.len(); {
		if poly := b.all.poly(p); !convex(poly, b.weld.verts) {
			b.skip(b.all.region[p], b.weld.verts[poly[0]], "polygon of %d corners is not convex", len(poly))
			b.all.remove(p)
		} else {
			p++
		}
	}
}

// convex reports whether every corner turns left and the polygon goes round
// once.
func convex(poly []uint32, verts []Vert) bool {
	n := len(poly)
	if n < 3 {
		return false
	}
	for i := range poly {
		a, b := flatten(verts[poly[i]]), flatten(verts[at(poly, i+1)])
		for k := 2; k < n; k++ {
			if !left(a, b, flatten(verts[at(poly, i+k)])) {
				return false
			}
		}
	}
	return true
}

// store moves polygons and the vertices they use into the mesh.
func (b *builder) store() {
	m := b.mesh
	number := make([]uint32, len(b.weld.verts))
	for _, v := range b.all.verts {
		if v != None {
			number[v] = 1
		}
	}
	n := 0
	for _, u := range number {
		n += int(u)
	}
	m.Verts = make([]Vert, 0, n)
	for i, v := range b.weld.verts {
		if number[i] != 0 {
			number[i] = uint32(len(m.Verts))
			m.Verts = append(m.Verts, v)
		}
	}
	for i, v := range b.all.verts {
		if v != None {
			b.all.verts[i] = number[v]
		}
	}
	m.PolyVerts, m.Region, m.Area = b.all.verts, b.all.region, b.all.area
}

// neighbours fills PolyNeis.
func (b *builder) neighbours(tiled bool) {
	m := b.mesh
	m.PolyNeis = make([]uint32, len(m.PolyVerts))
	for i := range m.PolyNeis {
		m.PolyNeis[i] = Wall
	}
	for _, e := range b.merge.pair.match(&b.all) {
		if e.other >= 0 {
			m.PolyNeis[e.slot], m.PolyNeis[e.other] = uint32(e.q), uint32(e.p)
			continue
		}
		if e.other == crowded {
			b.skip(m.Region[e.p], m.Verts[e.a], "edge of more than two polygons: polygon %d gets a wall there", e.p)
		}
		if tiled {
			m.PolyNeis[e.slot] = portal(m.Verts[e.a], m.Verts[e.b], int32(m.W), int32(m.D))
		}
	}
}

// portal returns the code of an open edge in a tile of w x d cells: that of
// the side it lies on, or Wall.
func portal(a, b Vert, w, d int32) uint32 {
	switch {
	case a.X == 0 && b.X == 0:
		return Portal + 0
	case a.Z == d && b.Z == d:
		return Portal + 1
	case a.X == w && b.X == w:
		return Portal + 2
	case a.Z == 0 && b.Z == 0:
		return Portal + 3
	}
	return Wall
}
