package navmesh

import (
	"math"
	"slices"

	"wend/geom"
)

// portalMargin keeps estimated crossings this fraction of a portal away from
// its ends, where walls usually begin.
const portalMargin = 0.02

// portalPoint estimates where somebody at from who wants to go to goal crosses
// the portal from right to left: where the straight line between the two does
// so seen from above, kept portalMargin from the ends; in the middle if the
// line runs along the portal.
func portalPoint(right, left, from, goal geom.Vec3) geom.Vec3 {
	t, ok := crossing(right, left, from, goal)
	if !ok {
		t = 0.5
	}
	return geom.Lerp(right, left, min(max(t, portalMargin), 1-portalMargin))
}

// crossing returns where the line through a and b meets the line from right
// to left seen from above, as a parameter that is 0 at right and 1 at left. It
// is false when the lines are parallel.
func crossing(right, left, a, b geom.Vec3) (t float64, ok bool) {
	r, l := geom.Area2(a, b, right), geom.Area2(a, b, left)
	t = r / (r - l)
	return t, t-t == 0
}

// beyond returns goal if it lies beyond the portal for one who walks through,
// and its mirror image in the portal's line if it lies on the near side. The
// shortest way through the portal that turns back is as long as the one to the
// mirror image, so one formula serves both.
func beyond(right, left, goal geom.Vec3) geom.Vec3 {
	a := geom.Area2(right, left, goal)
	if a <= 0 {
		return goal
	}
	dx, dz := left.X-right.X, left.Z-right.Z
	s := 2 * a / (float64(dx*dx) + float64(dz*dz))
	if !(s <= math.MaxFloat64) {
		return goal // a portal without width has no sides
	}
	// The area is dz*(goal.X-right.X) - dx*(goal.Z-right.Z): go down its
	// gradient (dz, -dx).
	return geom.Vec3{X: goal.X - float64(dz*s), Y: goal.Y, Z: goal.Z + float64(dx*s)}
}

// sameXZ reports whether a and b lie on one vertical line.
func sameXZ(a, b geom.Vec3) bool { return a.X == b.X && a.Z == b.Z }

// storeSlack is the difference, as a fraction of the coordinate, that copies of
// one vertex may have: polygons of different tiles store their own, computed from
// their own origins in float32. Taken for different places, a portal might lie
// behind the one before it, and a path might turn twice at one corner.
const storeSlack = 0x1p-21

// oneVertex reports whether a and b may be copies of one vertex seen from
// above.
func oneVertex(a, b geom.Vec3) bool {
	return math.Abs(a.X-b.X) <= storeSlack*math.Abs(a.X) && math.Abs(a.Z-b.Z) <= storeSlack*math.Abs(a.Z)
}

// align returns before if p is a copy of it, else p.
func align(p, before geom.Vec3) geom.Vec3 {
	if oneVertex(p, before) {
		return before
	}
	return p
}

// alignPortals gives vertices of successive portals one place and moves ends
// that lie behind the portal before onto it.
func alignPortals(ps []Portal) {
	for i := 1; i < len(ps); i++ {
		a, b := &ps[i-1], &ps[i]
		b.Right = align(b.Right, a.Right)
		b.Left = align(b.Left, a.Left)
		b.Right = inFront(a, b.Right)
		b.Left = inFront(a, b.Left)
	}
}

// inFront moves a point that lies just behind a portal onto its line. Farther
// behind there are no ends of following portals, polygons being convex.
func inFront(a *Portal, p geom.Vec3) geom.Vec3 {
	area := geom.Area2(a.Right, a.Left, p)
	if area <= 0 || p == a.Right || p == a.Left {
		return p
	}
	dx, dz := a.Left.X-a.Right.X, a.Left.Z-a.Right.Z
	s := area / (float64(dx*dx) + float64(dz*dz))
	if s-s != 0 {
		return p
	}
	return geom.Vec3{X: p.X - float64(dz*s), Y: p.Y, Z: p.Z + float64(dx*s)}
}

// survey is what searches know about a mesh beforehand.
type survey struct {
	// ends[k] names the corners at the ends of link k. The polygons around a
	// corner that can be walked round without leaving the surface share one; a
	// vertex where walls keep two such fans apart is two corners.
	ends    []linkEnds
	corners int
	areas   uint64   // bit a: there is a polygon of area a
	flags   []uint16 // different flags of polygons, ascending
	// The smallest ratio of an off-mesh connection's cost to the distance
	// between its ends, at most 1. Straight distances times it never exceed
	// the cost of a way at area cost 1.
	stretch float64
	seams   bool // there are several tiles, and so copies of vertices
	islands islandIndex
	pockets pockets
}

// linkEnds are the corners at the right and the left end of a link. Inner is
// set for one that is surrounded by surface: no shortest way turns there as
// long as all polygons around it are open and cost the same.
type linkEnds struct{ right, left uint32 }

const (
	noCorner    = ^uint32(0)
	innerCorner = 1 << 31
)

// maxFan bounds the walk around a vertex; one with more polygons around it
// counts as a corner.
const maxFan = 256

// take fills in the survey of m, whose links are final. O(links).
func (s *survey) take(m *Mesh) {
	s.stretch, s.seams = 1, len(m.tiles) > 1
	for i := range m.offs {
		o := &m.offs[i]
		vs := m.cornersOf(o.poly)
		if d := geom.Dist(vs[0].Wide(), vs[1].Wide()); o.from != NoPoly && o.cost < d {
			s.stretch = min(s.stretch, o.cost/d)
		}
	}
	s.ends = make([]linkEnds, len(m.links))
	for k := range s.ends {
		s.ends[k] = linkEnds{noCorner, noCorner}
	}
	for p := range PolyID(m.Len()) {
		q := &m.polys[p]
		s.areas |= 1 << (q.area & 63)
		if i, found := slices.BinarySearch(s.flags, q.flags); !found {
			s.flags = slices.Insert(s.flags, i, q.flags)
		}
		for k := q.link; k < m.polys[p+1].link; k++ {
			if m.links[k].edge == offMeshEdge {
				continue
			}
			if s.ends[k].right == noCorner {
				s.name(m, p, m.links[k].right)
			}
			if s.ends[k].left == noCorner {
				s.name(m, p, m.links[k].left)
			}
		}
	}
}

// name gives the fan of polygons around vertex v that p belongs to a corner.
func (s *survey) name(m *Mesh, p PolyID, v geom.Vec3f) {
	first, inner := m.fanStart(p, v)
	id := uint32(s.corners)
	s.corners++
	if inner {
		id |= innerCorner
	}
	mark := func(q PolyID) (left uint32) {
		right := m.linkAt(q, v, false)
		left = m.linkAt(q, v, true)
		if right != noLink && s.ends[right].right == noCorner {
			s.ends[right].right = id
		}
		if left != noLink && s.ends[left].left == noCorner {
			s.ends[left].left = id
		}
		return left
	}
	mark(p) // in case one-way links keep the walk from coming back to it
	for q, n := first, 0; n < maxFan; n++ {
		left := mark(q)
		if left == noLink {
			break
		}
		if q = m.links[left].to; q == first {
			break
		}
	}
}

// fanStart walks clockwise around vertex v from p to the first polygon of the
// fan. Inner reports that there is none, because the fan is closed in both
// directions.
func (m *Mesh) fanStart(p PolyID, v geom.Vec3f) (first PolyID, inner bool) {
	first = p
	for range maxFan {
		k := m.linkAt(first, v, false)
		if k == noLink {
			return first, false
		}
		if first = m.links[k].to; first == p {
			return p, m.closed(p, v)
		}
	}
	return p, false
}

// closed reports whether a walk anticlockwise around v leads back to p.
func (m *Mesh) closed(p PolyID, v geom.Vec3f) bool {
	q := p
	for range maxFan {
		k := m.linkAt(q, v, true)
		if k == noLink {
			return false
		}
		if q = m.links[k].to; q == p {
			return true
		}
	}
	return false
}

// linkAt returns the link out of p whose left (or else right) end is the
// vertex v seen from above: the way round it anticlockwise (or clockwise).
func (m *Mesh) linkAt(p PolyID, v geom.Vec3f, left bool) uint32 {
	w := v.Wide()
	for k := m.polys[p].link; k < m.polys[p+1].link; k++ {
		l := &m.links[k]
		e := &l.right
		if left {
			e = &l.left
		}
		if oneVertex(e.Wide(), w) && l.edge != offMeshEdge {
			return k
		}
	}
	return noLink
}
