// Package weld makes triangles that only look joined into triangles that are:
// corners that coincide become one, and edges are split where corners of others
// lie on them. Exports of engines need it, whose triangles share no corners, and
// so do meshes that were made tile by tile.
package weld

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"wend/geom"
)

// Options are tolerances, metres. Both must be positive; what lies over each
// other at more than HeightTol is never joined.
type Options struct {
	Tol       float64 // seen from above
	HeightTol float64
}

// Result is welded geometry.
type Result struct {
	Verts  []geom.Vec3 // by X, then Z, then Y
	Tris   [][3]uint32 // in the order of their sources, facing as they did
	Source []uint32    // triangle of the input that each was or is a piece of

	Welded      int         // corners that became one with another
	Split       int         // edges that were split
	Dropped     []uint32    // triangles of the input that nothing is left of: corners became one, or it is there twice
	NonManifold [][2]uint32 // edges, by their vertices, of more than two triangles or twice in one direction; ascending
}

// A ValueError says which input makes no sense.
type ValueError struct{ What string }

func (e *ValueError) Error() string { return "weld: " + e.What }

// Weld welds triangles. A corner joins the nearest earlier one, in the order of
// X, Z and Y, that stands for itself and is within the tolerances; so no corner
// moves farther than they say, and the geometry does not depend on the order
// of corners or triangles. Corners on an edge within the tolerances, and not
// within Tol of its ends, split it; a triangle with split edges becomes a fan.
//
// Errors are *[ValueError] and the context's cause. Time is n log n for corners
// that are spread out.
func Weld(ctx context.Context, verts []geom.Vec3, tris [][3]uint32, o Options) (*Result, error) {
	if !(o.Tol > 0 && o.HeightTol > 0) || math.IsInf(o.Tol+o.HeightTol, 0) {
		return nil, &ValueError{fmt.Sprintf("tolerances %v and %v, want positive numbers", o.Tol, o.HeightTol)}
	}
	for t, tri := range tris {
		for _, v := range tri {
			if int(v) >= len(verts) {
				return nil, &ValueError{fmt.Sprintf("triangle %d has corner %d, and there are %d", t, v, len(verts))}
			}
			if p := verts[v]; !(math.Abs(p.X) < 1e9 && math.Abs(p.Y) < 1e9 && math.Abs(p.Z) < 1e9) {
				return nil, &ValueError{fmt.Sprintf("triangle %d has a corner at %v, %v, %v", t, p.X, p.Y, p.Z)}
			}
		}
	}
	w := welder{o: o, r: &Result{}}
	moved := w.corners(verts, tris)
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	w.index()
	if err := w.triangles(ctx, tris, moved); err != nil {
		return nil, err
	}
	w.manifold()
	return w.r, nil
}

type welder struct {
	o Options
	r *Result
	g grid
}

// corners chooses the vertices of the result. It returns the new number of
// each used vertex.
func (w *welder) corners(verts []geom.Vec3, tris [][3]uint32) []uint32 {
	used := make([]bool, len(verts))
	for _, t := range tris {
		used[t[0]], used[t[1]], used[t[2]] = true, true, true
	}
	order := make([]uint32, 0, len(verts))
	for v, u := range used {
		if u {
			order = append(order, uint32(v))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int {
		p, q := verts[a], verts[b]
		return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Z, q.Z), cmp.Compare(p.Y, q.Y), cmp.Compare(a, b))
	})
	moved := make([]uint32, len(verts))
	// Squares of twice the tolerance: what is near a point lies in the four
	// squares around the corner of its square that is nearest to it.
	side := 2 * w.o.Tol
	type square struct{ x, z int64 }
	last := map[square]int32{} // vertex found last in a square, plus one
	var before []int32         // the one found before each
	for _, v := range order {
		p := verts[v]
		sx, sz := math.Floor(p.X/side), math.Floor(p.Z/side)
		home := square{int64(sx), int64(sz)}
		nx, nz := home.x-1, home.z-1
		if p.X-sx*side > w.o.Tol {
			nx = home.x + 1
		}
		if p.Z-sz*side > w.o.Tol {
			nz = home.z + 1
		}
		best, at := math.Inf(1), int32(-1)
		for _, s := range [4]square{home, {nx, home.z}, {home.x, nz}, {nx, nz}} {
			for i := last[s] - 1; i >= 0; i = before[i] - 1 {
				q := w.r.Verts[i]
				d, dy := distance2(p, q), math.Abs(p.Y-q.Y)
				if d > w.o.Tol*w.o.Tol || dy > w.o.HeightTol {
					continue
				}
				// The nearest in height, then in the plane, then the first.
				d = dy + d
				if d < best || d == best && i < at {
					best, at = d, i
				}
			}
		}
		if at < 0 {
			at = int32(len(w.r.Verts))
			w.r.Verts = append(w.r.Verts, p)
			before = append(before, last[home])
			last[home] = at + 1
		} else {
			w.r.Welded++
		}
		moved[v] = uint32(at)
	}
	return moved
}

// distance2 is the squared distance seen from above.
func distance2(p, q geom.Vec3) float64 {
	dx, dz := p.X-q.X, p.Z-q.Z
	return float64(dx*dx) + float64(dz*dz)
}
