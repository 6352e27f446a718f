package weld

import (
	"cmp"
	"math"
	"slices"

	"wend/geom"
)

// leaf is how many vertices a leaf of a tree holds at most.
const leaf = 8

// tree is a k-d tree of vertices, split in halves by their longest side, so that
// a crowd of vertices in a wide level costs no more than an even spread. Node i
// has the children 2i+1 and 2i+2, each with half of its vertices.
type tree struct {
	verts []geom.Vec3 // in the order of the leaves
	index []uint32    // their numbers
	boxes []geom.Box
}

func newTree(verts []geom.Vec3) *tree {
	n := len(verts)
	t := &tree{verts: make([]geom.Vec3, n), index: make([]uint32, n)}
	nodes := 1
	for m := n; m > leaf; m = (m + 1) / 2 {
		nodes = 2*nodes + 1
	}
	t.boxes = make([]geom.Box, nodes)
	for i := range t.index {
		t.index[i] = uint32(i)
	}
	if n > 0 {
		t.build(verts, 0, 0, n)
	}
	for i, v := range t.index {
		t.verts[i] = verts[v]
	}
	return t
}

// build makes the subtree of the vertices from..to-1.
func (t *tree) build(verts []geom.Vec3, node, from, to int) {
	box := geom.EmptyBox()
	for _, v := range t.index[from:to] {
		box = box.Extend(verts[v])
	}
	t.boxes[node] = box
	if 2*node+2 >= len(t.boxes) {
		return
	}
	d := box.Size()
	axis := 0
	if d.Z > d.X {
		axis = 2
	}
	if d.Y > max(d.X, d.Z) {
		axis = 1
	}
	mid := from + (to-from+1)/2
	halve(t.index[from:to], mid-from, verts, axis)
	t.build(verts, 2*node+1, from, mid)
	t.build(verts, 2*node+2, mid, to)
}

func coordinate(v geom.Vec3, axis int) float64 {
	switch axis {
	case 0:
		return v.X
	case 1:
		return v.Y
	}
	return v.Z
}

// halve puts the k least of the vertices along an axis first (Hoare's
// selection). Where that does not come to an end soon, it sorts.
func halve(s []uint32, k int, verts []geom.Vec3, axis int) {
	less := func(a, b uint32) bool {
		p, q := coordinate(verts[a], axis), coordinate(verts[b], axis)
		return p < q || p == q && a < b
	}
	for tries := 64; len(s) > 1 && k > 0 && k < len(s); tries-- {
		if tries == 0 {
			slices.SortFunc(s, func(a, b uint32) int {
				return cmp.Or(cmp.Compare(coordinate(verts[a], axis), coordinate(verts[b], axis)), cmp.Compare(a, b))
			})
			return
		}
		// the middle one of three
		a, b, c := s[0], s[len(s)/2], s[len(s)-1]
		if less(b, a) {
			a, b = b, a
		}
		if less(c, b) {
			b = c
			if less(b, a) {
				b = a
			}
		}
		i, j := 0, len(s)-1
		for i <= j {
			for less(s[i], b) {
				i++
			}
			for less(b, s[j]) {
				j--
			}
			if i <= j {
				s[i], s[j] = s[j], s[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			s = s[:j+1]
		case k > i:
			s, k = s[i:], k-i
		default:
			return
		}
	}
}

// on is a vertex on an edge.
type on struct {
	vert uint32
	t    float64 // how far along, 0 to 1
	off  float64 // how far from the edge, squares of the tolerances
}

// on appends the vertices that lie on the edge from p to q, by [Options.lies], in
// no particular order.
func (t *tree) on(dst []on, p, q geom.Vec3, o *Options) []on {
	if len(t.verts) == 0 {
		return dst
	}
	lo := geom.V3(min(p.X, q.X)-o.Tol, min(p.Y, q.Y)-o.HeightTol, min(p.Z, q.Z)-o.Tol)
	hi := geom.V3(max(p.X, q.X)+o.Tol, max(p.Y, q.Y)+o.HeightTol, max(p.Z, q.Z)+o.Tol)
	// A box is off the line where its middle is farther away than the tolerance
	// and the box's own reach across the line; all times the edge's length.
	nx, nz := p.Z-q.Z, q.X-p.X
	reach := o.Tol * math.Sqrt(float64(nx*nx)+float64(nz*nz))
	type part struct{ node, from, to int32 }
	var stack [32]part // one entry a level and one more; there are at most 30
	stack[0] = part{0, 0, int32(len(t.verts))}
	for n := 1; n > 0; {
		n--
		s := stack[n]
		b := &t.boxes[s.node]
		if b.Min.X > hi.X || b.Max.X < lo.X || b.Min.Z > hi.Z || b.Max.Z < lo.Z || b.Min.Y > hi.Y || b.Max.Y < lo.Y {
			continue
		}
		mx, mz := float64(nx*((b.Min.X+b.Max.X)/2-p.X)), float64(nz*((b.Min.Z+b.Max.Z)/2-p.Z))
		across := float64(math.Abs(nx)*(b.Max.X-b.Min.X)) + float64(math.Abs(nz)*(b.Max.Z-b.Min.Z))
		rounding := 1e-12 * (math.Abs(mx) + math.Abs(mz) + across)
		if math.Abs(mx+mz) > reach+across/2+rounding {
			continue
		}
		if int(2*s.node+2) >= len(t.boxes) {
			for i := s.from; i < s.to; i++ {
				if along, off, ok := o.lies(t.verts[i], p, q); ok {
					dst = append(dst, on{t.index[i], along, off})
				}
			}
			continue
		}
		mid := s.from + (s.to-s.from+1)/2
		stack[n] = part{2*s.node + 2, mid, s.to}
		stack[n+1] = part{2*s.node + 1, s.from, mid}
		n += 2
	}
	return dst
}

// lies reports whether v lies on the edge from p to q, how far along, and how far
// off in squares of the tolerances. The foot of v must be Tol or more from both
// ends, so ends are not on their edges, and pieces get shorter and shorter.
func (o *Options) lies(v, p, q geom.Vec3) (t, off float64, ok bool) {
	ex, ez := q.X-p.X, q.Z-p.Z
	length2 := float64(ex*ex) + float64(ez*ez)
	dot := float64((v.X-p.X)*ex) + float64((v.Z-p.Z)*ez)
	end := o.Tol * math.Sqrt(length2)
	if !(length2 > 4*o.Tol*o.Tol) || dot < end || length2-dot < end {
		return 0, 0, false
	}
	t = dot / length2
	at := geom.V3(p.X+float64(t*ex), p.Y+float64(t*(q.Y-p.Y)), p.Z+float64(t*ez))
	off, ok = o.apart(v, at)
	return t, off, ok
}
