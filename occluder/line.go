package occluder

import (
	"cmp"
	"math"
	"slices"

	"wend/geom"
	"wend/pack/ocls"
)

// A Hit is a place where a line meets a mesh face.
type Hit struct {
	T        float64 // from 0 at the start of the line to 1 at its end
	Instance uint32  // number in the file
	Triangle uint32  // number in the instance's template
}

// compareHits is the order of hits along a line: parameter (-0 before +0),
// instance, triangle.
func compareHits(a, b Hit) int {
	if c := cmp.Compare(a.T, b.T); c != 0 {
		return c
	}
	if a.T == 0 {
		if c := cmp.Compare(b2i(math.Signbit(b.T)), b2i(math.Signbit(a.T))); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(a.Instance, b.Instance); c != 0 {
		return c
	}
	return cmp.Compare(a.Triangle, b.Triangle)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Clear reports whether no mesh face meets the closed segment from a to b.
// Faces count from both sides, and their borders too. Points that are not
// finite meet nothing.
func (s *Scene) Clear(a, b geom.Vec3) bool {
	q := lineQuery{mode: anyHit}
	q.run(s, a, b)
	return !q.found
}

// First returns the first hit of the segment from a to b: of equally near ones
// that of the lowest instance and triangle.
func (s *Scene) First(a, b geom.Vec3) (Hit, bool) {
	q := lineQuery{mode: firstHit}
	q.run(s, a, b)
	return q.best, q.found
}

// AppendHits appends every hit of the segment from a to b to dst, sorted by
// parameter, instance and triangle.
func (s *Scene) AppendHits(dst []Hit, a, b geom.Vec3) []Hit {
	q := lineQuery{mode: allHits, hits: dst}
	q.run(s, a, b)
	slices.SortFunc(q.hits[len(dst):], compareHits)
	return q.hits
}

type lineMode uint8

const (
	allHits lineMode = iota
	firstHit
	anyHit
)

// lineQuery is a descent for one line.
type lineQuery struct {
	mode  lineMode
	found bool
	limit float64 // no hit behind it matters
	best  Hit
	hits  []Hit
}

// ray is a segment o + s*d, s from 0 to 1, prepared for boxes.
type ray struct {
	o, d, inv geom.Vec3
	still     [3]bool // no movement on the axis: the start must lie inside
}

func newRay(o, d geom.Vec3) ray {
	r := ray{o: o, d: d, inv: geom.V3(1/d.X, 1/d.Y, 1/d.Z)}
	// Below about 1e-308 the reciprocal is infinite; such a movement is none
	// beside any margin.
	for i, v := range [3]float64{r.inv.X, r.inv.Y, r.inv.Z} {
		r.still[i] = math.IsInf(v, 0)
	}
	return r
}

// slack widens the interval in which a line is inside a box, far beyond the
// rounding of parameters.
const slack = 1e-12

// clip returns the interval of parameters in which r is inside the box; it is
// empty where in > out. Both ends are monotone in the sides of the box, so the
// interval of a box holds those of the boxes inside.
func (r *ray) clip(x0, y0, z0, x1, y1, z1 float64) (in, out float64) {
	in, out = 0, 1
	if r.still[0] {
		if r.o.X < x0 || r.o.X > x1 {
			return 1, 0
		}
	} else {
		a, b := float64((x0-r.o.X)*r.inv.X), float64((x1-r.o.X)*r.inv.X)
		if a > b {
			a, b = b, a
		}
		if a > in {
			in = a
		}
		if b < out {
			out = b
		}
	}
	if r.still[1] {
		if r.o.Y < y0 || r.o.Y > y1 {
			return 1, 0
		}
	} else {
		a, b := float64((y0-r.o.Y)*r.inv.Y), float64((y1-r.o.Y)*r.inv.Y)
		if a > b {
			a, b = b, a
		}
		if a > in {
			in = a
		}
		if b < out {
			out = b
		}
	}
	if r.still[2] {
		if r.o.Z < z0 || r.o.Z > z1 {
			return 1, 0
		}
	} else {
		a, b := float64((z0-r.o.Z)*r.inv.Z), float64((z1-r.o.Z)*r.inv.Z)
		if a > b {
			a, b = b, a
		}
		if a > in {
			in = a
		}
		if b < out {
			out = b
		}
	}
	return in - slack, out + slack
}

func (r *ray) clipNode(n *node) (in, out float64) {
	return r.clip(float64(n.min[0]), float64(n.min[1]), float64(n.min[2]),
		float64(n.max[0]), float64(n.max[1]), float64(n.max[2]))
}

func (r *ray) clipBox(b *geom.Box) (in, out float64) {
	return r.clip(b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
}

// cross returns the parameter at which r meets the triangle, borders included,
// from either side; T. Möller and B. Trumbore, "Fast, minimum storage
// ray/triangle intersection" (1997), with the parallel test on the squared
// sine of the angle between line and plane.
func (r *ray) cross(v0, v1, v2 *geom.Vec3) (t float64, hit bool) {
	e1, e2 := v1.Sub(*v0), v2.Sub(*v0)
	p := r.d.Cross(e2)
	det := e1.Dot(p)
	inv := 1 / det // of a det of 0 nothing below is in range, NaN included
	s := r.o.Sub(*v0)
	u := float64(s.Dot(p) * inv)
	if !(u >= 0 && u <= 1) {
		return 0, false
	}
	q := s.Cross(e1)
	v := float64(r.d.Dot(q) * inv)
	if !(v >= 0 && u+v <= 1) {
		return 0, false
	}
	t = float64(e2.Dot(q) * inv)
	if !(t >= 0 && t <= 1) {
		return 0, false
	}
	n := e1.Cross(e2)
	nn := n.Dot(n)
	if nn == 0 || float64(det*det) <= float64(float64(1e-24*nn)*r.d.Dot(r.d)) {
		return 0, false
	}
	return t, true
}

type visit struct {
	node uint32
	in   float64
}

func (q *lineQuery) run(s *Scene, a, b geom.Vec3) {
	d := b.Sub(a)
	if !a.IsFinite() || !d.IsFinite() || len(s.world.nodes) == 0 {
		return
	}
	q.limit = math.Inf(1)
	r := newRay(a, d)
	var stack [maxDepth]visit
	sp := 0
	if in, out := r.clipNode(&s.world.nodes[0]); in <= out {
		stack[0] = visit{0, in}
		sp = 1
	}
	nodes := s.world.nodes
	for sp > 0 {
		sp--
		v := stack[sp]
		if v.in > q.limit {
			continue
		}
		n := &nodes[v.node]
		if n.count == 0 {
			sp = push(&stack, sp, &r, nodes, v.node+1, n.next)
			continue
		}
		for _, i := range s.world.items[n.next : n.next+n.count] {
			in := &s.inst[i]
			from, to := r.clipBox(&in.box)
			if from > to || from > q.limit {
				continue
			}
			if in.solid {
				q.template(s, in, i, &r, from, to)
			} else {
				q.flat(s, in, i, &r, from, to)
			}
			if q.found && q.mode == anyHit {
				return
			}
		}
	}
}

// push puts two children on the stack, the nearer on top.
func push(stack *[maxDepth]visit, sp int, r *ray, nodes []node, left, right uint32) int {
	li, lo := r.clipNode(&nodes[left])
	ri, ro := r.clipNode(&nodes[right])
	switch {
	case li > lo && ri > ro:
	case li > lo:
		stack[sp] = visit{right, ri}
		sp++
	case ri > ro:
		stack[sp] = visit{left, li}
		sp++
	case li <= ri:
		stack[sp], stack[sp+1] = visit{right, ri}, visit{left, li}
		sp += 2
	default:
		stack[sp], stack[sp+1] = visit{left, li}, visit{right, ri}
		sp += 2
	}
	return sp
}

// template looks for hits of an instance in the space of its template. A hit
// must lie between from and to, where the line is inside the instance's box.
func (q *lineQuery) template(s *Scene, in *instance, id uint32, world *ray, from, to float64) {
	r := newRay(mul(&in.inv, world.o.Sub(in.place.T)), mul(&in.inv, world.d))
	if !r.o.IsFinite() || !r.d.IsFinite() {
		return
	}
	t := &s.tmpl[in.template]
	nodes := s.mesh.nodes
	var stack [maxDepth]visit
	sp := 0
	if a, b := r.clipNode(&nodes[t.root]); a <= b {
		stack[0] = visit{t.root, a}
		sp = 1
	}
	for sp > 0 {
		sp--
		v := stack[sp]
		if v.in > q.limit {
			continue
		}
		n := &nodes[v.node]
		if n.count == 0 {
			sp = push(&stack, sp, &r, nodes, v.node+1, n.next)
			continue
		}
		for k := n.next; k < n.next+n.count; k++ {
			c := &s.tris[k]
			v0, v1, v2 := &s.verts[c[0]], &s.verts[c[1]], &s.verts[c[2]]
			at, hit := r.cross(v0, v1, v2)
			if !hit || at < from || at > to {
				continue
			}
			box := everywhere(widen(triBox(*v0, *v1, *v2), meshPad))
			if a, b := r.clipBox(&box); at < a || at > b {
				continue
			}
			if q.add(Hit{at, id, s.mesh.items[k]}) {
				return
			}
		}
	}
}

// flat looks for hits of an instance whose placement has no inverse: its
// triangles are placed one by one.
func (q *lineQuery) flat(s *Scene, in *instance, id uint32, r *ray, from, to float64) {
	t := &s.tmpl[in.template]
	nodes := s.mesh.nodes
	var stack [maxDepth]uint32
	stack[0] = t.root
	for sp := 1; sp > 0; {
		sp--
		at := stack[sp]
		n := &nodes[at]
		box := placedNode(&in.place, n)
		if a, b := r.clipBox(&box); a > b || a > q.limit {
			continue
		}
		if n.count == 0 {
			stack[sp], stack[sp+1] = n.next, at+1
			sp += 2
			continue
		}
		for k := n.next; k < n.next+n.count; k++ {
			c := &s.tris[k]
			v0, v1, v2 := in.place.Apply(s.verts[c[0]]), in.place.Apply(s.verts[c[1]]), in.place.Apply(s.verts[c[2]])
			at, hit := r.cross(&v0, &v1, &v2)
			if !hit || at < from || at > to {
				continue
			}
			box := everywhere(widen(triBox(v0, v1, v2), worldPad))
			if a, b := r.clipBox(&box); at < a || at > b {
				continue
			}
			if q.add(Hit{at, id, s.mesh.items[k]}) {
				return
			}
		}
	}
}

// placedNode returns the world box of a template node, with the margin of
// world boxes.
func placedNode(m *ocls.Affine, n *node) geom.Box {
	return everywhere(widen(m.Box(geom.Box{
		Min: geom.V3(float64(n.min[0]), float64(n.min[1]), float64(n.min[2])),
		Max: geom.V3(float64(n.max[0]), float64(n.max[1]), float64(n.max[2])),
	}), worldPad))
}

// add takes a hit and reports whether the descent is over.
func (q *lineQuery) add(h Hit) bool {
	switch q.mode {
	case allHits:
		q.hits = append(q.hits, h)
	case firstHit:
		if !q.found || compareHits(h, q.best) < 0 {
			q.best, q.limit = h, h.T
		}
	}
	q.found = true
	return q.mode == anyHit
}

func mul(m *[3][3]float64, v geom.Vec3) geom.Vec3 {
	return geom.V3(
		float64(m[0][0]*v.X)+float64(m[0][1]*v.Y)+float64(m[0][2]*v.Z),
		float64(m[1][0]*v.X)+float64(m[1][1]*v.Y)+float64(m[1][2]*v.Z),
		float64(m[2][0]*v.X)+float64(m[2][1]*v.Y)+float64(m[2][2]*v.Z),
	)
}
