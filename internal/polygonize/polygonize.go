// Package polygonize turns the outlines of regions into a mesh of convex
// polygons that share corners and know their neighbours.
//
// Build cuts each outline into triangles (ear clipping, the ear with the
// shortest cut first), joins triangles into convex polygons (the pair with
// the longest common edge first), takes out the corners that exist only
// because two tiles meet, and finds what lies across every edge. The order of
// these choices is that of Recast (Mikko Mononen), so meshes compare.
//
// Every predicate is an integer expression on the lattice and exact. Whatever
// an outline looks like, the polygons that come out are convex, have an area,
// and cover exactly the area of the outline, or the region is named in
// Mesh.Skipped.
package polygonize

import (
	"wend/internal/contour"
	"wend/internal/heightfield"
	"wend/internal/region"
)

// None marks an unused vertex slot of a polygon.
const None = ^uint32(0)

// Neighbour codes of a polygon edge. Values below Portal are polygon indices.
const (
	Wall   = ^uint32(0)      // nothing across
	Portal = uint32(1 << 31) // Portal+dir: the tile's border in direction dir (see heightfield.DirX)
)

// Mixed is the region of a polygon that was joined from several regions where
// a corner between them was taken out.
const Mixed region.ID = 0

// Vert is a vertex on the lattice: cell corners and voxels.
type Vert struct{ X, Y, Z int32 }

// Mesh is a set of convex polygons, each counter-clockwise seen from above:
// every corner turns strictly left.
type Mesh struct {
	heightfield.Grid
	MaxVerts int // slots a polygon
	Verts    []Vert
	// Polygon p has the vertices PolyVerts[p*MaxVerts:(p+1)*MaxVerts], the
	// rest None; PolyNeis holds what lies across the edge from slot i to the
	// next.
	PolyVerts []uint32
	PolyNeis  []uint32
	Region    []region.ID
	Area      []uint8 // area code
	MaxError  float64 // how far an outline may leave its cells, cells
	// Skipped names what could not be used, in the order it was met.
	Skipped []contour.Skip
}

// Len returns the number of polygons.
func (m *Mesh) Len() int { return len(m.Area) }

// Poly returns the vertex indices of polygon p, without unused slots. The
// slice is part of the mesh.
func (m *Mesh) Poly(p int) []uint32 {
	return used(m.PolyVerts[p*m.MaxVerts : (p+1)*m.MaxVerts])
}

// used cuts the unused slots off a polygon.
func used(slots []uint32) []uint32 {
	for i, v := range slots {
		if v == None {
			return slots[:i:i]
		}
	}
	return slots
}
