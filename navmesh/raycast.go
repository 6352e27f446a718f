package navmesh

import (
	"slices"

	"wend/geom"
	"wend/internal/search"
)

// RayHit is the answer of Query.Raycast.
type RayHit struct {
	// Hit is set when the surface ends before the ray does: Pos is where, Edge
	// the polygon's edge there and Normal its horizontal unit normal towards the
	// inside. Else Pos is the end of the ray, Edge is -1 and Normal is zero.
	Hit    bool
	T      float64 // the part of the ray that is free, 0 to 1
	Pos    geom.Vec3
	Normal geom.Vec3
	Poly   PolyID // that Pos lies on
	Edge   int
}

// ray is the scratch memory of a ray: the polygons it has come to, in order.
type ray struct {
	steps search.Pool[rayStep] // by polygon
}

type rayStep struct {
	poly   PolyID
	parent uint32 // slot of the polygon it was entered from
	link   uint32 // by which; noLink for the first
}

// sight is a ray seen from above. Which side of it a point lies on is computed
// from the same end in both directions, so that a ray and its reverse agree.
type sight struct {
	a, b, low, high geom.Vec3
	sign, dx, dz    float64
	lenSq           float64
}

func newSight(a, b geom.Vec3) sight {
	s := sight{a: a, b: b, low: a, high: b, sign: 1, dx: b.X - a.X, dz: b.Z - a.Z}
	if b.X < a.X || b.X == a.X && b.Z < a.Z {
		s.low, s.high, s.sign = b, a, -1
	}
	s.lenSq = float64(s.dx*s.dx) + float64(s.dz*s.dz)
	return s
}

// side is positive for points left of the ray's line.
func (s *sight) side(p geom.Vec3) float64 { return float64(s.sign * side(s.low, s.high, p)) }

// along returns how far along the ray p lies, 0 at its start and 1 at its end.
func (s *sight) along(p geom.Vec3) float64 {
	return (float64((p.X-s.a.X)*s.dx) + float64((p.Z-s.a.Z)*s.dz)) / s.lenSq
}

// touches reports whether the ray meets the segment from v to w, whose ends
// lie on sides sv and sw.
func (s *sight) touches(v, w geom.Vec3, sv, sw float64) bool {
	if sv < 0 && sw < 0 || sv > 0 && sw > 0 {
		return false
	}
	if sv == 0 || sw == 0 {
		tv, tw := s.along(v), s.along(w)
		if sv != 0 {
			tv = tw
		} else if sw != 0 {
			tw = tv
		}
		return max(tv, tw) >= -lineSlack && min(tv, tw) <= 1+lineSlack
	}
	return side(v, w, s.a)*side(v, w, s.b) <= 0
}

// Raycast walks in a straight line over the surface, as seen from above, from
// a place to the point to or the first wall. Closed polygons are walls, off-mesh
// connections are not used. A ray along a wall, through a vertex or ending on one
// is free as long as the polygons it touches connect around there, and a ray is
// free exactly if its reverse is.
//
// Each polygon is visited once; the time is linear in the number of polygons
// that touch the ray, and after warm-up nothing is allocated. An error means an
// argument is out of range.
func (q *Query) Raycast(from Location, to geom.Vec3, f *Filter) (RayHit, error) {
	_, hit, err := q.raycast(from, to, f)
	return hit, err
}

// AppendRaycast is Raycast that also appends the polygons passed, from the
// first to the last.
func (q *Query) AppendRaycast(dst []PolyID, from Location, to geom.Vec3, f *Filter) ([]PolyID, RayHit, error) {
	slot, hit, err := q.raycast(from, to, f)
	if err != nil {
		return dst, hit, err
	}
	base := len(dst)
	for x := slot; x != noSlot; {
		s := q.search.ray.steps.At(x)
		dst = append(dst, s.poly)
		x = s.parent
	}
	slices.Reverse(dst[base:])
	return dst, hit, nil
}

func (q *Query) raycast(from Location, to geom.Vec3, f *Filter) (uint32, RayHit, error) {
	m := q.mesh
	if err := m.checkLocation("from", from); err != nil {
		return noSlot, RayHit{Poly: NoPoly, Edge: -1}, err
	}
	if err := checkPoint("to", to); err != nil {
		return noSlot, RayHit{Poly: NoPoly, Edge: -1}, err
	}
	s := newSight(from.Pos, to)
	slot, free := q.cast(&s, from.Poly, NoPoly, f.flags())
	steps := &q.search.ray.steps
	if free {
		p := steps.At(slot).poly
		at, _ := m.closest(p, to)
		return slot, RayHit{T: 1, Pos: geom.Vec3{X: to.X, Y: at.Y, Z: to.Z}, Poly: p, Edge: -1}, nil
	}
	hit := RayHit{Hit: true, T: -1, Edge: -1}
	wall := false
	for i := range uint32(steps.Len()) {
		p := steps.At(i).poly
		vs := m.cornersOf(p)
		for e := range vs {
			v, w := vs[e].Wide(), vs[(e+1)%len(vs)].Wide()
			t, at, ok := s.leaves(v, w)
			if !ok || t < hit.T-lineSlack {
				continue
			}
			// At a vertex several edges meet: take a wall.
			isWall := !m.opens(p, e, at, f.flags())
			if t > hit.T+lineSlack || isWall && !wall {
				slot, hit.T, hit.Pos, hit.Poly, hit.Edge, wall = i, t, at, p, e, isWall
			}
		}
	}
	if hit.Edge < 0 { // the start lies just off its polygon, and the ray leads away
		hit.T, hit.Pos, hit.Poly = 0, from.Pos, from.Poly
		return 0, hit, nil
	}
	vs := m.cornersOf(hit.Poly)
	hit.T = min(max(hit.T, 0), 1)
	v, w := vs[hit.Edge].Wide(), vs[(hit.Edge+1)%len(vs)].Wide()
	dx, dz := w.X-v.X, w.Z-v.Z
	if l := geom.DistXZ(v, w); l > 0 {
		hit.Normal = geom.Vec3{X: dz / l, Z: -dx / l} // to the left of the edge
	}
	c, _ := m.closest(hit.Poly, hit.Pos)
	hit.Pos.Y = c.Y
	return slot, hit, nil
}

// cast spreads from polygon p over the portals that the ray touches and
// reports whether it comes to a polygon that contains the ray's end, and to
// target if that is one. It returns the step on the last polygon.
func (q *Query) cast(s *sight, p, target PolyID, flags flagTest) (uint32, bool) {
	m, steps := q.mesh, &q.search.ray.steps
	steps.Reset(m.Len())
	*steps.At(steps.Add(uint32(p))) = rayStep{p, noSlot, noLink}
	for i := uint32(0); i < uint32(steps.Len()); i++ {
		p := steps.At(i).poly
		if (target == NoPoly || p == target) && m.holds(p, s.b) {
			return i, true
		}
		for k := m.polys[p].link; k < m.polys[p+1].link; k++ {
			l := &m.links[k]
			if l.edge == offMeshEdge || !flags.open(m.polys[l.to].flags) {
				continue
			}
			r, e := l.right.Wide(), l.left.Wide()
			if !s.touches(r, e, s.side(r), s.side(e)) {
				continue
			}
			if _, ok := steps.Find(uint32(l.to)); !ok {
				*steps.At(steps.Add(uint32(l.to))) = rayStep{l.to, i, k}
			}
		}
	}
	return noSlot, false
}

// holds is contains with the tolerance of side.
func (m *Mesh) holds(p PolyID, pos geom.Vec3) bool {
	vs := m.cornersOf(p)
	v := vs[len(vs)-1].Wide()
	for i := range vs {
		w := vs[i].Wide()
		if side(v, w, pos) < 0 {
			return false
		}
		v = w
	}
	return true
}

// leaves returns where the ray's line leaves a polygon with the edge v-w: how
// far along, and the point on the edge. It is false if it does not leave there.
func (s *sight) leaves(v, w geom.Vec3) (t float64, at geom.Vec3, ok bool) {
	sv, sw := s.side(v), s.side(w)
	if sv > 0 || sw < 0 || sv == sw {
		return 0, at, false
	}
	at = geom.Lerp(v, w, sv/(sv-sw))
	return s.along(at), at, true
}

// opens reports whether an open portal of an edge of p reaches at, a point of
// the edge.
func (m *Mesh) opens(p PolyID, edge int, at geom.Vec3, flags flagTest) bool {
	for _, l := range m.linksOf(p) {
		if int(l.edge) != edge || !flags.open(m.polys[l.to].flags) {
			continue
		}
		v, w := l.right.Wide(), l.left.Wide()
		t, ok := crossing(v, w, at, geom.Vec3{X: at.X + (w.Z - v.Z), Z: at.Z - (w.X - v.X)})
		if ok && t >= -endSlack && t <= 1+endSlack {
			return true
		}
	}
	return false
}
