package polygonize

import "wend/internal/region"

// polys is a growing list of polygons in the layout of Mesh.
type polys struct {
	slots  int // a polygon
	verts  []uint32
	region []region.ID
	area   []uint8
}

func (p *polys) len() int { return len(p.area) }

func (p *polys) poly(i int) []uint32 { return used(p.verts[i*p.slots : (i+1)*p.slots]) }

func (p *polys) reset() {
	p.verts, p.region, p.area = p.verts[:0], p.region[:0], p.area[:0]
}

func (p *polys) add(reg region.ID, area uint8, verts ...uint32) {
	p.verts = append(p.verts, verts...)
	for range p.slots - len(verts) {
		p.verts = append(p.verts, None)
	}
	p.region, p.area = append(p.region, reg), append(p.area, area)
}

func (p *polys) addAll(q *polys) {
	p.verts = append(p.verts, q.verts...)
	p.region, p.area = append(p.region, q.region...), append(p.area, q.area...)
}

// remove takes polygon i out and puts the last one in its place.
func (p *polys) remove(i int) {
	last := p.len() - 1
	copy(p.verts[i*p.slots:(i+1)*p.slots], p.verts[last*p.slots:])
	p.region[i], p.area[i] = p.region[last], p.area[last]
	p.verts = p.verts[:last*p.slots]
	p.region, p.area = p.region[:last], p.area[:last]
}

// merger joins polygons. It owns its scratch memory and can be used again.
type merger struct {
	pair  pairer
	seams []seam
	join  []uint32
}

// seam is an edge between two polygons.
type seam struct {
	p, q   int32  // p has the edge from a to b, q from b to a
	a, b   uint32 // vertices
	length int64  // squared
	state  seamState
}

type seamState uint8

const (
	seamUnknown seamState = iota
	seamOpen              // its polygons can be joined
	seamShut              // they cannot, as they are
)

// merge joins pairs of polygons whose union is strictly convex and has at most
// as many corners as there are slots, the longest seam first; of equal ones
// that with the lowest polygon, then the lowest other polygon. It takes O(n)
// for each join.
func (m *merger) merge(ps *polys, verts []Vert) {
	m.seams = m.seams[:0]
	for _, e := range m.pair.match(ps) {
		if e.other < 0 || e.p == e.q {
			continue
		}
		m.seams = append(m.seams, seam{
			p: e.p, q: e.q, a: e.a, b: e.b,
			length: distSq(flatten(verts[e.a]), flatten(verts[e.b])),
		})
	}
	for {
		best := -1
		for i := range m.seams {
			s := &m.seams[i]
			if best >= 0 && !s.before(&m.seams[best]) {
				continue
			}
			if s.state == seamUnknown {
				s.state = seamShut
				if m.joinable(ps, verts, s) {
					s.state = seamOpen
				}
			}
			if s.state == seamOpen {
				best = i
			}
		}
		if best < 0 {
			return
		}
		m.apply(ps, best)
	}
}

// before reports whether seam s is joined before t when both can be.
func (s *seam) before(t *seam) bool {
	if s.length != t.length {
		return s.length > t.length
	}
	if a, b := min(s.p, s.q), min(t.p, t.q); a != b {
		return a < b
	}
	return max(s.p, s.q) < max(t.p, t.q)
}

// joinable reports whether the union of the polygons at a seam fits and is
// strictly convex: where the seam ends, the corner must turn left.
func (m *merger) joinable(ps *polys, verts []Vert, s *seam) bool {
	p, q := ps.poly(int(s.p)), ps.poly(int(s.q))
	if len(p)+len(q)-2 > ps.slots {
		return false
	}
	i, j := edgeAt(p, s.a, s.b), edgeAt(q, s.b, s.a)
	if i < 0 || j < 0 {
		return false
	}
	turn := func(a, b, c uint32) bool {
		return left(flatten(verts[a]), flatten(verts[b]), flatten(verts[c]))
	}
	return turn(at(p, i-1), s.a, at(q, j+2)) && turn(at(q, j-1), s.b, at(p, i+2))
}

// apply joins the polygons at a seam. The union takes the lower index and the
// last polygon the higher one.
func (m *merger) apply(ps *polys, k int) {
	s := m.seams[k]
	if s.p > s.q {
		s.p, s.q, s.a, s.b = s.q, s.p, s.b, s.a
	}
	p, q := ps.poly(int(s.p)), ps.poly(int(s.q))
	i, j := edgeAt(p, s.a, s.b), edgeAt(q, s.b, s.a)
	m.join = m.join[:0]
	for n := range len(p) - 1 {
		m.join = append(m.join, at(p, i+1+n))
	}
	for n := range len(q) - 1 {
		m.join = append(m.join, at(q, j+1+n))
	}
	copy(ps.verts[int(s.p)*ps.slots:], m.join)
	if ps.region[s.p] != ps.region[s.q] {
		ps.region[s.p] = Mixed
	}
	last := int32(ps.len() - 1)
	ps.remove(int(s.q))

	n := 0
	for i := range m.seams {
		t := m.seams[i]
		changed := t.p == s.p || t.q == s.p || t.p == s.q || t.q == s.q
		t.p, t.q = renumber(t.p, s.p, s.q, last), renumber(t.q, s.p, s.q, last)
		if t.p == t.q {
			continue
		}
		if changed {
			t.state = seamUnknown
		}
		m.seams[n] = t
		n++
	}
	m.seams = m.seams[:n]
}

// renumber follows polygon i through a join of to and from.
func renumber(i, to, from, last int32) int32 {
	switch i {
	case from:
		return to
	case last:
		return from
	}
	return i
}

// at returns corner i of a polygon, counted round; -1 <= i < 2 len(p).
func at(p []uint32, i int) uint32 {
	n := len(p)
	switch {
	case i < 0:
		return p[i+n]
	case i >= n:
		return p[i-n]
	}
	return p[i]
}

// edgeAt returns the corner where the edge from a to b starts, or -1.
func edgeAt(p []uint32, a, b uint32) int {
	for i, v := range p {
		if v == a && at(p, i+1) == b {
			return i
		}
	}
	return -1
}
