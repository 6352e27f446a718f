// Package detail adds height to a polygon mesh: for each polygon a
// triangulation whose surface follows the compact field within an error.
//
// A polygon's heights come from its own region alone and, where the region
// leaves cells of the polygon open, from cells connected to it. So a floor
// never takes its height from the bridge above it.
//
// The scheme is that of Recast (Mikko Mononen): sample the edges, keep what
// straight lines miss; triangulate the outline; then put in the inner sample
// that is farthest from the surface until none is too far. The triangulation
// is kept Delaunay by flips (Lawson 1977) as points come in. Unlike there,
// errors are measured straight up, long edges have as many samples as they
// need, and narrow polygons have inner samples too: strips of 30 m and more
// across rough ground would be metres off without.
//
// Heights. A corner keeps the height of the polygon mesh, Y voxels; a sample
// has the floor height of its cell. Both are stored where Grid.FloorAbove says
// that the floor is.
package detail

import "wend/geom"

// Options control the sampling, in metres.
type Options struct {
	SampleDist     float64 // distance between samples; 0: polygon corners only
	SampleMaxError float64 // the surface may be this far from the field at a sample
}

// Mesh holds a sub-mesh for every polygon, in polygon order.
type Mesh struct {
	Subs  []Sub
	Verts []geom.Vec3f // metres, world; the polygon's own corners come first
	Tris  []Tri
}

// Sub is the detail of one polygon: indices of Tris are relative to VertBase.
type Sub struct{ VertBase, VertCount, TriBase, TriCount uint32 }

// Tri is one triangle, counter-clockwise seen from above. Bit i of Boundary is
// set when the edge from corner i to the next lies on the polygon's outline.
type Tri struct {
	V        [3]uint8
	Boundary uint8
}

// MaxVerts is the largest number of vertices of a sub-mesh, which bounds its
// triangles to 2*MaxVerts-5.
const MaxVerts = 127

// maxEdgeVerts is the largest number of vertices along an edge of a polygon,
// its ends included.
const maxEdgeVerts = 32
