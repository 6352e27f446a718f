// Package detail adds height to a polygon mesh: for each polygon a
// triangulation whose surface follows the compact field within an error.
package detail

import "wend/geom"

// Options control the sampling, in metres.
type Options struct {
	SampleDist     float64 // distance between samples; 0: polygon corners only
	SampleMaxError float64 // the surface may be this far from the field
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
