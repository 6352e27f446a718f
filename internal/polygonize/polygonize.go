// Package polygonize triangulates contours and merges the triangles into
// convex polygons that share vertices and know their neighbours.
package polygonize

import (
	"wend/internal/contour"
	"wend/internal/heightfield"
	"wend/internal/region"
)

// None marks an unused vertex slot of a polygon.
const None = ^uint32(0)

// Neighbour codes of a polygon edge. Values below Wall are polygon indices.
const (
	Wall   = ^uint32(0)      // nothing across
	Portal = uint32(1 << 31) // Portal+dir: the tile's border in direction dir (see heightfield.DirX)
)

// Vert is a vertex on the lattice: cell corners and voxels.
type Vert struct{ X, Y, Z int32 }

// Mesh is a set of convex polygons, each counter-clockwise seen from above.
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
	Skipped   []contour.Skip
}

// Len returns the number of polygons.
func (m *Mesh) Len() int { return len(m.Area) }
