package navmesh

import (
	"context"

	"wend/geom"
	"wend/internal/search"
)

// stepNode is a polygon in the plain corridor search.
type stepNode struct {
	at       geom.Vec3 // where the way enters the polygon
	cost     float64   // of reaching at
	estimate float64   // of the whole way
	parent   uint32    // slot
	link     uint32    // way into poly, noLink for the start
	poly     PolyID
	closed   bool
}

// beginPlain starts a plain corridor search.
func (s *searchState) beginPlain(m *Mesh, from Location) {
	s.open.Reset()
	s.steps.Reset(m.Len())
	slot := s.steps.Add(uint32(from.Poly))
	*s.steps.At(slot) = stepNode{at: from.Pos, parent: noSlot, link: noLink, poly: from.Poly}
	s.open.Push(search.Item[float64]{ID: slot})
}

// advancePlain is advance for the plain search: A* (Hart, Nilsson, Raphael
// 1968) over polygons. A polygon stands for the point where the way enters it,
// which is estimated by portalPoint and moves when a cheaper way comes along.
func (q *Query) advancePlain(ctx context.Context, limit int) (uint32, verdict) {
	s := &q.search
	for s.open.Len() > 0 {
		slot := s.open.Min().ID
		n := s.steps.At(slot)
		if n.poly == s.goalPoly {
			return slot, found
		}
		if s.expanded >= limit {
			return noSlot, overBudget
		}
		if ctx != nil && s.expanded%checkEvery == 0 && ctx.Err() != nil {
			return noSlot, cancelled
		}
		s.open.Pop()
		n.closed = true
		s.expanded++
		q.expandPlain(slot)
	}
	return noSlot, exhausted
}

func (q *Query) expandPlain(slot uint32) {
	s, m := &q.search, q.mesh
	n := *s.steps.At(slot)
	p := &m.polys[n.poly]
	perMetre := s.cost[p.area&63]
	previous := NoPoly
	if n.parent != noSlot {
		previous = s.steps.At(n.parent).poly
	}
	for k := p.link; k < m.polys[n.poly+1].link; k++ {
		l := &m.links[k]
		if l.to == previous && p.kind != KindOffMesh || !s.flags.open(m.polys[l.to].flags) {
			continue
		}
		old, known := s.steps.Find(uint32(l.to))
		if known && s.steps.At(old).closed {
			continue
		}
		c := stepNode{parent: slot, link: k, poly: l.to}
		switch {
		case l.edge != offMeshEdge:
			c.at = portalPoint(l.right.Wide(), l.left.Wide(), n.at, s.goal)
			c.cost = n.cost + float64(perMetre*geom.Dist(n.at, c.at))
		case p.kind == KindOffMesh:
			if c.at = l.left.Wide(); c.at == n.at {
				continue // back where it came from
			}
			c.cost = n.cost + float64(perMetre*m.offOf(n.poly).cost)
		default:
			c.at = l.left.Wide()
			c.cost = n.cost + float64(perMetre*geom.Dist(n.at, c.at))
		}
		ahead := s.least
		if l.to == s.goalPoly {
			ahead = s.cost[m.polys[l.to].area&63]
		}
		c.estimate = c.cost + float64(ahead*geom.Dist(c.at, s.goal))
		switch {
		case !known:
			old = s.steps.Add(uint32(l.to))
			s.pushed++
		case c.estimate >= s.steps.At(old).estimate:
			continue
		}
		*s.steps.At(old) = c
		s.open.Push(search.Item[float64]{F: c.estimate, G: c.cost, ID: old})
	}
}
