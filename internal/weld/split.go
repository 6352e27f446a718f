package weld

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"wend/geom"
)

// splitter writes triangles, split where vertices lie on their edges.
type splitter struct {
	o     Options
	r     *Result
	tree  *tree
	found []on        // scratch of chain, used as a stack
	edge  [3][]uint32 // vertices on the three edges of a triangle
	trial [][3]uint32 // its pieces
	ring  []uint32    // scratch of ears
	limit int
}

// chain appends the vertices that split the edge from a to b, in order. It depends
// on the two ends alone, so all triangles at an edge are split alike; and since
// pieces of the edge are split like edges of their own, triangles that have only
// a piece of it agree as well.
func (w *splitter) chain(dst []uint32, a, b uint32) []uint32 {
	from := len(dst)
	if a > b {
		dst = w.chain(dst, b, a)
		slices.Reverse(dst[from:])
		return dst
	}
	start := len(w.found)
	w.found = w.tree.on(w.found, w.r.Verts[a], w.r.Verts[b], &w.o)
	if len(w.found) == start {
		return dst
	}
	n := start + w.thin(w.found[start:], a, b)
	w.found = w.found[:n]
	prev := a
	for i := start; i < n; i++ {
		v := w.found[i].vert
		dst = append(w.chain(dst, prev, v), v)
		prev = v
	}
	w.found = w.found[:start]
	return w.chain(dst, prev, b)
}

// thin sorts vertices along an edge and keeps of those whose feet are within Tol
// of each other the one nearest to the edge. It returns how many are left.
func (w *splitter) thin(found []on, a, b uint32) int {
	slices.SortFunc(found, func(a, b on) int {
		return cmp.Or(cmp.Compare(a.t, b.t), cmp.Compare(a.off, b.off), cmp.Compare(a.vert, b.vert))
	})
	least := w.o.Tol / math.Sqrt(distance2(w.r.Verts[a], w.r.Verts[b]))
	n := 0
	for _, f := range found {
		switch {
		case n == 0 || f.t-found[n-1].t >= least:
			found[n] = f
			n++
		case f.off < found[n-1].off:
			found[n-1] = f
		}
	}
	return n
}

// triangles writes all triangles with their new corners.
func (w *splitter) triangles(ctx context.Context, verts []geom.Vec3, tris [][3]uint32, moved []uint32) error {
	for s, t := range tris {
		if s&0xfff == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		v := [3]uint32{moved[t[0]], moved[t[1]], moved[t[2]]}
		if v[0] == v[1] || v[1] == v[2] || v[0] == v[2] {
			continue
		}
		area, before := area2(w.r.Verts, v), area2(verts, t)
		steep := w.steep(v, area)
		if !steep && area*before < 0 {
			continue // moving the corners has turned it over
		}
		if before != 0 {
			area = before
		}
		split := false
		for k := range 3 {
			w.edge[k] = w.chain(w.edge[k][:0], v[k], v[(k+1)%3])
			if len(w.edge[k]) > 0 {
				w.r.Split++
				split = true
			}
		}
		if split {
			w.pieces(v, area, steep)
			w.r.Tris = append(w.r.Tris, w.trial...)
		} else {
			w.r.Tris = append(w.r.Tris, v)
		}
		if len(w.r.Tris) > w.limit {
			return &ValueError{fmt.Sprintf("vertices on edges split %d triangles into more than %d", s+1, w.limit)}
		}
		for len(w.r.Source) < len(w.r.Tris) {
			w.r.Source = append(w.r.Source, uint32(s))
		}
	}
	return nil
}

// pieces cuts a triangle at the vertices on its edges. Which edge is cut first
// can matter where a vertex is a little beside a narrow triangle's edge: of the
// three ways the first without a piece that is turned over is taken. Where
// there is none and clipping ears does not help, it is the one with the fewest,
// and those pieces are left out.
func (w *splitter) pieces(v [3]uint32, area float64, steep bool) {
	// From the least corner, so that it does not matter with which one the
	// triangle was given.
	for v[0] > min(v[1], v[2]) {
		v = [3]uint32{v[1], v[2], v[0]}
		w.edge[0], w.edge[1], w.edge[2] = w.edge[1], w.edge[2], w.edge[0]
	}
	best, least := 0, math.MaxInt
	for first := range 3 {
		if over := w.cut(v, first, area, steep); over < least {
			best, least = first, over
		}
		if least == 0 {
			break
		}
	}
	if least > 0 && !w.ears(v, area) {
		w.r.Folded += w.cut(v, best, area, steep)
	}
}

// cut fills trial with the pieces of a triangle cut at one edge first, and returns
// how many it left out since they are turned over, area being that of the
// triangle in the input; what is steep has no sides to
// speak of. Pieces whose corners are not three are nothing.
func (w *splitter) cut(v [3]uint32, first int, area float64, steep bool) int {
	w.trial = w.trial[:0]
	a, b, c := first, (first+1)%3, (first+2)%3
	w.fan([3]uint32{v[a], v[b], v[c]}, [3][]uint32{w.edge[a], w.edge[b], w.edge[c]})
	all, n := len(w.trial), 0
	for _, t := range w.trial {
		if a := area2(w.r.Verts, t); a*area > 0 || steep && w.steep(t, a) {
			w.trial[n] = t
			n++
		}
	}
	w.trial = w.trial[:n]
	return all - n
}

// fan cuts a triangle at its first edge that has vertices, from the corner
// opposite to it. What is on the other two edges belongs to the first and the
// last piece, which are cut in turn.
func (w *splitter) fan(v [3]uint32, edges [3][]uint32) {
	k := 0
	for ; k < 3 && len(edges[k]) == 0; k++ {
	}
	if k == 3 {
		if v[0] != v[1] && v[1] != v[2] && v[0] != v[2] {
			w.trial = append(w.trial, v)
		}
		return
	}
	from, apex := v[k], v[(k+2)%3]
	last := edges[(k+2)%3] // apex to from
	for _, to := range edges[k] {
		w.fan([3]uint32{from, to, apex}, [3][]uint32{2: last})
		from, last = to, nil
	}
	w.fan([3]uint32{from, v[(k+1)%3], apex}, [3][]uint32{1: edges[(k+1)%3], 2: last})
}

// steep reports whether a triangle, seen from above, is no wider than Tol: it
// stands upright, or is a sliver that the tolerance does not see.
func (w *splitter) steep(v [3]uint32, area float64) bool {
	p, q, r := w.r.Verts[v[0]], w.r.Verts[v[1]], w.r.Verts[v[2]]
	longest := max(distance2(p, q), distance2(q, r), distance2(r, p))
	return math.Abs(area) <= w.o.Tol*math.Sqrt(longest)
}

// area2 is twice the area of a triangle seen from above, with the sign of its
// turn from X to Z.
func area2(verts []geom.Vec3, t [3]uint32) float64 {
	p, q, r := verts[t[0]], verts[t[1]], verts[t[2]]
	return float64((q.X-p.X)*(r.Z-p.Z)) - float64((q.Z-p.Z)*(r.X-p.X))
}
