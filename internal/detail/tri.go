package detail

import "math"

// vertex is a vertex of a sub-mesh, in metres from the grid's origin. on has a
// bit for each edge of the polygon it lies on: two for a corner, one for a
// sample on an edge, none inside.
type vertex struct {
	x, y, z float64
	on      uint64
}

// mesher triangulates one convex polygon: its hull first, then points inside.
// It owns its scratch memory and can be used again.
//
// Corners are lattice points and the polygon turns strictly left at each, so
// the floating-point signs of triangles with corners of different edges are
// right; whether points lie on one edge is known and never computed.
type mesher struct {
	verts []vertex
	hull  []int32 // vertices along the outline, counter-clockwise
	tris  []triangle
	stack []int32 // triangles whose edges may need a flip
	dirty []int32 // triangles that changed since the last reset; may repeat
	// delaunay says that neighbours are known and edges flipped as needed.
	delaunay bool
}

// triangle is counter-clockwise; nei[i] is the triangle across the edge from
// corner i to the next, or -1 on the outline.
type triangle struct {
	v, nei [3]int32
}

func (m *mesher) reset() {
	m.verts, m.hull, m.tris = m.verts[:0], m.hull[:0], m.tris[:0]
	m.stack, m.dirty = m.stack[:0], m.dirty[:0]
	m.delaunay = false
}

// area2 is twice the signed area of a triangle seen from above, as geom.Area2.
func area2(a, b, c *vertex) float64 {
	return float64((b.z-a.z)*(c.x-a.x)) - float64((b.x-a.x)*(c.z-a.z))
}

// area returns area2 of three vertices, and 0 when they lie on one edge.
func (m *mesher) area(i, j, k int32) float64 {
	a, b, c := &m.verts[i], &m.verts[j], &m.verts[k]
	if a.on&b.on&c.on != 0 {
		return 0
	}
	return area2(a, b, c)
}

func (m *mesher) distXZ(i, j int32) float64 {
	a, b := &m.verts[i], &m.verts[j]
	dx, dz := b.x-a.x, b.z-a.z
	return math.Sqrt(float64(dx*dx) + float64(dz*dz))
}

func (m *mesher) after(i int) int {
	if i++; i == len(m.hull) {
		return 0
	}
	return i
}

func (m *mesher) before(i int) int {
	if i == 0 {
		return len(m.hull) - 1
	}
	return i - 1
}

// triangulateHull cuts the outline into triangles. It starts with the corner
// whose ear has the shortest way round and zips the two sides together from
// there, each time with the shorter new edges. This suits long thin polygons
// without inner points better than Delaunay.
//
// Every triangle has an area, although vertices lie on lines: a step that
// would leave nothing but a stretch n-...-k-r of one edge beside the zip's end
// l adds the edges l-n-r, and |l-n| + |n-r| = |l-n| + |n-k| + |k-r|, which is
// more than the |l-k| + |k-r| of the step from the other side. The same holds
// for the first ear.
func (m *mesher) triangulateHull() {
	h := m.hull
	start, best := -1, 0.0
	for i := range h {
		if v := m.verts[h[i]].on; v&(v-1) == 0 {
			continue // not a corner: its ear would lie on a line
		}
		a, b := m.before(i), m.after(i)
		d := m.distXZ(h[a], h[i]) + m.distXZ(h[i], h[b]) + m.distXZ(h[b], h[a])
		if start < 0 || d < best {
			start, best = i, d
		}
	}
	if start < 0 {
		return
	}
	l, r := m.after(start), m.before(start)
	m.push(h[start], h[l], h[r])
	for m.after(l) != r {
		nl, nr := m.after(l), m.before(r)
		dl := m.distXZ(h[l], h[nl]) + m.distXZ(h[nl], h[r])
		dr := m.distXZ(h[r], h[nr]) + m.distXZ(h[l], h[nr])
		if dl < dr {
			m.push(h[l], h[nl], h[r])
			l = nl
		} else {
			m.push(h[l], h[nr], h[r])
			r = nr
		}
	}
}

func (m *mesher) push(a, b, c int32) {
	m.tris = append(m.tris, triangle{[3]int32{a, b, c}, [3]int32{-1, -1, -1}})
}

// makeDelaunay finds the neighbours of all triangles and flips edges.
func (m *mesher) makeDelaunay() {
	m.delaunay = true
	for i := range m.tris {
		t := &m.tris[i]
		for e := range 3 {
			for j := range m.tris[:i] {
				if f := m.tris[j].edge(t.v[next3(e)], t.v[e]); f >= 0 {
					t.nei[e], m.tris[j].nei[f] = int32(j), int32(i)
				}
			}
		}
	}
	for i := len(m.tris) - 1; i >= 0; i-- {
		m.touch(int32(i))
	}
	m.flip()
}

// touch marks a triangle as changed.
func (m *mesher) touch(t int32) {
	m.stack = append(m.stack, t)
	m.dirty = append(m.dirty, t)
}

// edge returns where the edge from a to b starts, or -1.
func (t *triangle) edge(a, b int32) int {
	for e := range 3 {
		if t.v[e] == a && t.v[next3(e)] == b {
			return e
		}
	}
	return -1
}

func next3(e int) int {
	if e == 2 {
		return 0
	}
	return e + 1
}

// flip turns edges of the triangles on the stack until each is Delaunay. Each
// flip makes the smallest angle around larger, so it ends; the count stops it
// should rounding ever say otherwise.
func (m *mesher) flip() {
	for limit := 64 + 8*len(m.tris)*len(m.tris); len(m.stack) > 0 && limit > 0; limit-- {
		t := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		for e := range 3 {
			if m.flipEdge(t, e) {
				break
			}
		}
	}
	m.stack = m.stack[:0]
}

// flipEdge replaces the edge e of triangle t by the other diagonal when that
// is better.
//
//	    c              c
//	  / t \          / | \
//	a ----- b  ->  a  t|u  b
//	  \ u /          \ | /
//	    d              d
func (m *mesher) flipEdge(t int32, e int) bool {
	u := m.tris[t].nei[e]
	if u < 0 {
		return false
	}
	p := m.tris[t]
	e1, e2 := next3(e), next3(next3(e))
	a, b, c := p.v[e], p.v[e1], p.v[e2]
	q := m.tris[u]
	f := q.edge(b, a)
	f1, f2 := next3(f), next3(next3(f))
	d := q.v[f2]
	if !m.better(a, b, c, d) || m.area(a, d, c) <= 0 || m.area(d, b, c) <= 0 {
		return false
	}
	m.tris[t] = triangle{[3]int32{a, d, c}, [3]int32{q.nei[f1], u, p.nei[e2]}}
	m.tris[u] = triangle{[3]int32{d, b, c}, [3]int32{q.nei[f2], p.nei[e1], t}}
	m.relink(q.nei[f1], u, t)
	m.relink(p.nei[e1], t, u)
	m.touch(t)
	m.touch(u)
	return true
}

// relink tells triangle t, if there is one, that its neighbour was is now is.
func (m *mesher) relink(t, was, is int32) {
	if t < 0 {
		return
	}
	for e := range 3 {
		if m.tris[t].nei[e] == was {
			m.tris[t].nei[e] = is
		}
	}
}

// better reports whether the diagonal c-d is better than a-b: the angles at c
// and d add to more than half a turn. Nearly equal diagonals stay.
func (m *mesher) better(a, b, c, d int32) bool {
	va, vb, vc, vd := &m.verts[a], &m.verts[b], &m.verts[c], &m.verts[d]
	sinC, cosC := angle(vc, va, vb)
	sinD, cosD := angle(vd, vb, va)
	const tolerance = 1e-9
	scale := math.Sqrt((float64(sinC*sinC) + float64(cosC*cosC)) * (float64(sinD*sinD) + float64(cosD*cosD)))
	return float64(sinC*cosD)+float64(cosC*sinD) < -tolerance*scale
}

// angle returns sine and cosine of the angle at p from a to b, both times the
// lengths of p-a and p-b.
func angle(p, a, b *vertex) (sin, cos float64) {
	ax, az, bx, bz := a.x-p.x, a.z-p.z, b.x-p.x, b.z-p.z
	return float64(az*bx) - float64(ax*bz), float64(ax*bx) + float64(az*bz)
}

// locate returns the one of the given triangles that holds a place, or is
// nearest to holding it.
func (m *mesher) locate(among []int32, x, z float64) int32 {
	best, bestMin := int32(-1), 0.0
	at := vertex{x: x, z: z}
	for _, t := range among {
		v := &m.tris[t].v
		a, b, c := &m.verts[v[0]], &m.verts[v[1]], &m.verts[v[2]]
		low := min(area2(a, b, &at), area2(b, c, &at), area2(c, a, &at))
		if low >= 0 {
			return t
		}
		if best < 0 || low > bestMin {
			best, bestMin = t, low
		}
	}
	return best
}

// heightAt returns the height of a triangle's plane.
func (m *mesher) heightAt(t int32, x, z float64) float64 {
	v := &m.tris[t].v
	a, b, c := &m.verts[v[0]], &m.verts[v[1]], &m.verts[v[2]]
	at := vertex{x: x, z: z}
	whole := area2(a, b, c)
	wb, wc := area2(c, a, &at)/whole, area2(a, b, &at)/whole
	return a.y + float64(wb*(b.y-a.y)) + float64(wc*(c.y-a.y))
}

// insert adds a vertex inside triangle t, or on an edge of it, and reports
// whether it could: not so near to another vertex or the outline that a
// triangle would lose its area.
func (m *mesher) insert(v vertex, t int32) bool {
	n := int32(len(m.verts))
	p := m.tris[t]
	m.verts = append(m.verts, v)
	edge := -1
	for e := range 3 {
		a, b := p.v[e], p.v[next3(e)]
		if m.area(a, b, n) <= m.thin(a, b) {
			if edge >= 0 {
				m.verts = m.verts[:n]
				return false
			}
			edge = e
		}
	}
	if edge < 0 {
		m.splitTri(n, t)
	} else if !m.splitEdge(n, t, edge) {
		m.verts = m.verts[:n]
		return false
	}
	m.flip()
	return true
}

// thin returns twice the area below which a point counts as on the edge a-b:
// within a thousandth of a millimetre and a millionth of its length.
func (m *mesher) thin(a, b int32) float64 {
	d := m.distXZ(a, b)
	return d * max(1e-6, 1e-6*d)
}

func (m *mesher) splitTri(n, t int32) {
	p := m.tris[t]
	u, w := int32(len(m.tris)), int32(len(m.tris)+1)
	m.tris[t] = triangle{[3]int32{p.v[0], p.v[1], n}, [3]int32{p.nei[0], u, w}}
	m.tris = append(m.tris,
		triangle{[3]int32{p.v[1], p.v[2], n}, [3]int32{p.nei[1], w, t}},
		triangle{[3]int32{p.v[2], p.v[0], n}, [3]int32{p.nei[2], t, u}})
	m.relink(p.nei[1], t, u)
	m.relink(p.nei[2], t, w)
	m.touch(w)
	m.touch(u)
	m.touch(t)
}

// splitEdge puts vertex n on edge e of triangle t and splits the triangles on
// both sides.
func (m *mesher) splitEdge(n, t int32, e int) bool {
	p := m.tris[t]
	u := p.nei[e]
	if u < 0 {
		return false
	}
	e1, e2 := next3(e), next3(next3(e))
	a, b, c := p.v[e], p.v[e1], p.v[e2]
	q := m.tris[u]
	f := q.edge(b, a)
	f1, f2 := next3(f), next3(next3(f))
	d := q.v[f2]
	for _, s := range [4][2]int32{{c, a}, {b, c}, {a, d}, {d, b}} {
		if m.area(s[0], s[1], n) <= m.thin(s[0], s[1]) {
			return false
		}
	}
	s, w := int32(len(m.tris)), int32(len(m.tris)+1)
	m.tris[t] = triangle{[3]int32{c, a, n}, [3]int32{p.nei[e2], u, s}}
	m.tris[u] = triangle{[3]int32{a, d, n}, [3]int32{q.nei[f1], w, t}}
	m.tris = append(m.tris,
		triangle{[3]int32{b, c, n}, [3]int32{p.nei[e1], t, w}},
		triangle{[3]int32{d, b, n}, [3]int32{q.nei[f2], s, u}})
	m.relink(p.nei[e1], t, s)
	m.relink(q.nei[f2], u, w)
	m.touch(w)
	m.touch(s)
	m.touch(u)
	m.touch(t)
	return true
}

// boundary returns the edges of triangle t that lie on the outline, as bits.
func (m *mesher) boundary(t *triangle) uint8 {
	var bits uint8
	for e := range 3 {
		a, b := t.v[e], t.v[next3(e)]
		for i, v := range m.hull {
			if v == a && m.hull[m.after(i)] == b {
				bits |= 1 << e
				break
			}
		}
	}
	return bits
}
