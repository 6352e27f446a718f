// Package weld makes triangles that only look joined into triangles that are:
// corners that coincide become one, and edges are split where corners of others
// lie on them. Exports of engines need it, whose triangles share no corners, and
// so do meshes that were made tile by tile.
//
// What lies over each other stays apart: nothing is joined over more than a
// tolerance in height, which must be below the lowest headroom of the level and
// above the difference of two tiles' surfaces at their common border.
package weld

import (
	"context"
	"fmt"
	"math"

	"wend/geom"
)

// Options are tolerances, metres, from [Least] to [Most].
type Options struct {
	Tol       float64 // seen from above
	HeightTol float64
}

// Limits of tolerances and of coordinates, m.
const (
	Least = 1e-6
	Most  = 1e3
	Far   = 1e9
)

// Result is welded geometry.
type Result struct {
	Verts  []geom.Vec3 // by X, then Z, then Y
	Tris   [][3]uint32 // in the order of their sources, facing as they did
	Source []uint32    // triangle of the input that each was or is a piece of; ascending

	Welded  int      // corners that became one with another
	Split   int      // edges of triangles that were split
	Folded  int      // pieces left out since another corner's tolerance turned them over
	Dropped []uint32 // triangles of the input that nothing is left of; ascending

	// NonManifold are the edges, by their vertices, the lower one first, that more
	// than two triangles share, or two in the same direction; ascending.
	NonManifold [][2]uint32
}

// A ValueError says which input makes no sense.
type ValueError struct{ What string }

func (e *ValueError) Error() string { return "weld: " + e.What }

// Weld welds triangles in the plane of X and Z with heights Y.
//
// Corners: going through all points in the order of X, Z and Y, one becomes a
// vertex where no vertex so far is within both tolerances. Then every corner
// joins the vertex nearest to it. Vertices do not move, so a corner moves by no
// more than the tolerances, and close points in a row do not pull each other
// along.
//
// Edges: a vertex splits an edge where it is within both tolerances of it, and
// its foot on the edge at least Tol from both ends. Triangles become fans.
// Edges that stand upright are not split.
//
// Triangles are dropped where corners become one, where moving the corners turns
// them over, where they are so thin that a corner lies on the opposite edge, and
// where they have the corners of one before, whichever way they face.
//
// The vertices and, but for facing and numbering of double ones, the triangles
// do not depend on the order of the input.
//
// Errors are *[ValueError] and the context's cause. Where so many vertices lie on
// so many edges that triangles multiply by more than eight, that is an error.
// Time is n log n, memory up to 600 bytes a triangle whose corners are its own.
func Weld(ctx context.Context, verts []geom.Vec3, tris [][3]uint32, o Options) (*Result, error) {
	if !(o.Tol >= Least && o.Tol <= Most && o.HeightTol >= Least && o.HeightTol <= Most) {
		return nil, &ValueError{fmt.Sprintf("tolerances %v and %v, want %v to %v", o.Tol, o.HeightTol, Least, Most)}
	}
	const most = math.MaxInt32 / 64
	if len(tris) > most {
		return nil, &ValueError{fmt.Sprintf("%d triangles, want at most %d", len(tris), most)}
	}
	for t, tri := range tris {
		for _, v := range tri {
			if int(v) >= len(verts) {
				return nil, &ValueError{fmt.Sprintf("triangle %d has corner %d, and there are %d", t, v, len(verts))}
			}
			if p := verts[v]; !(math.Abs(p.X) <= Far && math.Abs(p.Y) <= Far && math.Abs(p.Z) <= Far) {
				return nil, &ValueError{fmt.Sprintf("triangle %d has a corner at %v, %v, %v", t, p.X, p.Y, p.Z)}
			}
		}
	}
	r := &Result{}
	moved, err := r.corners(ctx, verts, tris, o)
	if err != nil {
		return nil, err
	}
	r.Tris, r.Source = make([][3]uint32, 0, len(tris)+len(tris)/8), make([]uint32, 0, len(tris)+len(tris)/8)
	w := splitter{o: o, r: r, tree: newTree(r.Verts), limit: 8*len(tris) + 4096}
	if err := w.triangles(ctx, verts, tris, moved); err != nil {
		return nil, err
	}
	w.unique(len(tris))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	w.manifold()
	return r, nil
}
