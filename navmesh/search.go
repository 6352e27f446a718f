package navmesh

import (
	"context"
	"math"
	"slices"

	"wend/geom"
	"wend/internal/search"
)

// The search is Polyanya (Cui, Harabor, Grastien 2017) fitted to a mesh with
// heights, area costs and off-mesh connections.
//
// A node is a stretch of a portal and the root it is seen from: the start or
// a corner where the way here last turned. All ways through the stretch that come
// straight from the root are one node, so nothing is guessed about where a way
// crosses a portal, and the cost of a node is a true length. Its estimate is the
// length of the shortest way over the stretch to the goal if nothing lay
// beyond. Where all polygons cost the same and the ground is level the corridor
// found contains a shortest way; on slopes distances are chords in three
// dimensions, and what decides between corridors is as good as those.
//
// Where the cost of a metre changes there is no straight line to follow. There a
// way has to cross at a definite point, portalPoint, which becomes a root.
const (
	noLink = ^uint32(0)
	noSlot = ^uint32(0)
)

// costSlack is the relative error that sums of lengths may have.
const costSlack = 1e-12

// checkEvery is the number of expansions between looks at the context.
const checkEvery = 1024

type searchNode struct {
	root        geom.Vec3
	right, left geom.Vec3 // ends of the stretch; the root itself when all of poly is seen from it
	cost        float64   // of reaching root
	estimate    float64   // of the whole way
	tr, tl      float64   // where on the portal the stretch ends: 0 the right end, 1 the left
	corner      uint32    // the root's name in survey.ends, noCorner for other points
	parent      uint32    // slot
	link        uint32    // way into poly, noLink for the start
	older       uint32    // slot of the previous node on this link
	poly        PolyID
	fixed       bool // the root is an estimated crossing or the end of a connection
	bend        bend // where the way turns on the parent's portal
}

// bend says at which end of its stretch the way over a node turns.
type bend uint8

const (
	straight bend = iota
	bendRight
	bendLeft
)

// searchState is the scratch memory of route searches, and what a suspended
// one needs to go on.
type searchState struct {
	nodes   []searchNode
	open    search.Open[float64]
	reached search.Pool[float64]  // by corner: least known cost
	onLink  search.Pool[uint32]   // by link: its newest node
	fresh   []uint32              // nodes made by the expansion under way
	pending uint32                // node to expand before any in open
	steps   search.Pool[stepNode] // the plain search's nodes, by polygon

	goal     geom.Vec3
	goalPoly PolyID
	flags    flagTest
	cost     [64]float64
	least    float64 // cost of a metre as the crow flies, at least
	mixed    bool    // some polygons are closed or the cost of a metre varies

	expanded, pushed int

	request  request
	corridor corridor
	ray      ray
	seen     search.Pool[struct{}] // by polygon, for scans of what was reached
}

// setFilter prepares the state for a filter.
func (s *searchState) setFilter(m *Mesh, f *Filter) {
	s.flags = f.flags()
	f.costs(&s.cost)
	s.mixed = false
	for _, flags := range m.survey.flags {
		s.mixed = s.mixed || !s.flags.open(flags)
	}
	low, high := math.Inf(1), 0.0
	for a, c := range s.cost {
		if m.survey.areas>>a&1 != 0 {
			low, high = min(low, c), max(high, c)
		}
	}
	s.mixed = s.mixed || low < high
	s.least = low * m.survey.stretch
}

// begin starts a search for the way to a place.
func (q *Query) begin(to Location) {
	s := &q.search
	s.goal, s.goalPoly = to.Pos, to.Poly
	if s.request.plain {
		s.beginPlain(q.mesh, s.request.from)
	} else {
		s.beginExact(q.mesh, s.request.from)
	}
}

// reachedNode is what both searches know about a node.
type reachedNode struct {
	at             geom.Vec3 // where the way to it was last known to be
	cost, estimate float64   // of reaching at, of the whole way
	parent, link   uint32
	poly           PolyID
}

func (s *searchState) len() int {
	if s.request.plain {
		return s.steps.Len()
	}
	return len(s.nodes)
}

func (s *searchState) node(slot uint32) reachedNode {
	if s.request.plain {
		n := s.steps.At(slot)
		return reachedNode{n.at, n.cost, n.estimate, n.parent, n.link, n.poly}
	}
	n := &s.nodes[slot]
	return reachedNode{n.root, n.cost, n.estimate, n.parent, n.link, n.poly}
}

func (s *searchState) beginExact(m *Mesh, from Location) {
	s.nodes = s.nodes[:0]
	s.open.Reset()
	s.reached.Reset(m.survey.corners)
	s.onLink.Reset(len(m.links))
	s.nodes = append(s.nodes, searchNode{
		root: from.Pos, right: from.Pos, left: from.Pos,
		corner: noCorner, parent: noSlot, link: noLink, older: noSlot, poly: from.Poly, fixed: true,
	})
	s.pending = 0
}

// verdict is why a search stopped.
type verdict uint8

const (
	found verdict = iota
	exhausted
	overBudget
	cancelled
)

// advance goes on with the search until it reaches the goal, whose node it
// returns, or has seen everything, or has expanded limit nodes in all.
func (q *Query) advance(ctx context.Context, limit int) (uint32, verdict) {
	s := &q.search
	if s.request.plain {
		return q.advancePlain(ctx, limit)
	}
	for {
		slot := s.pending
		if slot == noSlot {
			if s.open.Len() == 0 {
				return noSlot, exhausted
			}
			slot = s.open.Pop().ID
		}
		s.pending = slot
		n := &s.nodes[slot]
		if n.poly == s.goalPoly {
			return slot, found
		}
		if n.corner != noCorner && s.beaten(n.corner, n.cost) {
			s.pending = noSlot
			continue
		}
		if s.expanded >= limit {
			return noSlot, overBudget
		}
		if ctx != nil && s.expanded%checkEvery == 0 && ctx.Err() != nil {
			return noSlot, cancelled
		}
		s.expanded++
		s.fresh = s.fresh[:0]
		q.expand(slot)
		// A lone child needs no queue. It is not the goal's before its turn:
		// a node may wait that reaches it cheaper.
		if len(s.fresh) == 1 && s.nodes[s.fresh[0]].poly != s.goalPoly {
			s.pending = s.fresh[0]
			continue
		}
		s.pending = noSlot
		for _, c := range s.fresh {
			n := &s.nodes[c]
			s.open.Push(search.Item[float64]{F: n.estimate, G: n.cost, ID: c})
		}
		s.pushed += len(s.fresh)
	}
}

// beaten reports whether a cheaper way to the corner is known.
func (s *searchState) beaten(corner uint32, cost float64) bool {
	slot, ok := s.reached.Find(corner)
	return ok && cost > *s.reached.At(slot)*(1+costSlack)
}

// turn returns the name and cost of the corner at an end of a node's stretch
// if a shortest way can turn there.
func (q *Query) turn(n *searchNode, perMetre float64, left bool) (corner uint32, cost float64) {
	s := &q.search
	ends, l := q.mesh.survey.ends[n.link], &q.mesh.links[n.link]
	corner, at, v := ends.right, n.right, l.right
	if left {
		corner, at, v = ends.left, n.left, l.left
	}
	if corner&innerCorner != 0 && (!s.mixed || q.smooth(n.poly, v)) {
		return noCorner, 0
	}
	if corner == noCorner {
		return noCorner, 0 // an end of a portal without width
	}
	corner &^= innerCorner
	cost = n.cost + float64(perMetre*geom.Dist(n.root, at))
	slot, ok := s.reached.Find(corner)
	if !ok {
		*s.reached.At(s.reached.Add(corner)) = cost
		return corner, cost
	}
	best := s.reached.At(slot)
	if cost > *best*(1+costSlack) {
		return noCorner, 0
	}
	*best = min(*best, cost)
	return corner, cost
}

// smooth reports whether all polygons around an inner vertex of p are open and
// cost the same.
func (q *Query) smooth(p PolyID, v geom.Vec3f) bool {
	s, m := &q.search, q.mesh
	cost := s.cost[m.polys[p].area&63]
	r := p
	for range maxFan {
		k := m.linkAt(r, v, true)
		if k == noLink {
			return false
		}
		r = m.links[k].to
		t := &m.polys[r]
		if !s.flags.open(t.flags) || s.cost[t.area&63] != cost {
			return false
		}
		if r == p {
			return true
		}
	}
	return false
}

// expand makes the nodes that follow on a node.
func (q *Query) expand(slot uint32) {
	s, m := &q.search, q.mesh
	p := &m.polys[s.nodes[slot].poly]
	// Three nodes a link at most: room for them keeps n in its place.
	s.nodes = slices.Grow(s.nodes, 3*int(m.polys[s.nodes[slot].poly+1].link-p.link))
	n := &s.nodes[slot]
	perMetre := s.cost[p.area&63]
	if p.kind == KindOffMesh {
		q.leaveConnection(slot, n, float64(perMetre*m.offOf(n.poly).cost))
		return
	}
	goal, previous := m.survey.pockets.number[s.goalPoly], NoPoly
	if n.parent != noSlot {
		previous = s.nodes[n.parent].poly
	}
	// A side is open when the root lies at its end: the way may pivot there.
	leftOpen, rightOpen := sameXZ(n.root, n.left), sameXZ(n.root, n.right)
	leftCorner, rightCorner := noCorner, noCorner
	var leftCost, rightCost float64
	if n.tl == 1 && !leftOpen {
		leftCorner, leftCost = q.turn(n, perMetre, true)
	}
	if n.tr == 0 && !rightOpen {
		rightCorner, rightCost = q.turn(n, perMetre, false)
	}
	for k := p.link; k < m.polys[n.poly+1].link; k++ {
		l := &m.links[k]
		if l.to == previous {
			continue
		}
		if !s.mixed && !m.survey.pockets.leads(k, goal) || s.mixed && q.deadEnd(l.to, n.poly) {
			continue
		}
		t := &m.polys[l.to]
		if !s.flags.open(t.flags) {
			continue
		}
		c := child{parent: slot, link: k, to: l.to, right: l.right.Wide(), left: l.left.Wide(), perMetre: perMetre, costNext: s.cost[t.area&63]}
		if m.survey.seams {
			c.left = align(align(c.left, n.left), n.root)
			c.right = align(align(c.right, n.right), n.root)
		}
		// The part of the portal that lies between the two sides. One that only
		// touches a side, or lies along it, lies beyond; one that begins at the
		// root, or lies straight behind it, does not: the root is a corner then,
		// and the way may pivot there.
		tl, tr := 1.0, 0.0
		if !leftOpen {
			a, b := geom.Area2(n.root, n.left, c.right), geom.Area2(n.root, n.left, c.left)
			switch {
			case a < 0 && b > 0:
				tl = snap(a / (a - b))
			case a > 0 || a == 0 && (b > 0 || b == 0 && ahead(n.root, n.left, c.right) >= 0):
				tl = 0
			}
		}
		if !rightOpen {
			a, b := geom.Area2(n.root, n.right, c.right), geom.Area2(n.root, n.right, c.left)
			switch {
			case a < 0 && b > 0:
				tr = snap(a / (a - b))
			case b < 0 || b == 0 && (a < 0 || a == 0 && ahead(n.root, n.right, c.left) >= 0):
				tr = 1
			}
		}
		if t.kind == KindOffMesh {
			switch { // the portal is a point
			case tr < tl:
				q.enterConnection(&c, n.root, n.cost)
			case tl == 0 && leftCorner != noCorner:
				c.bend = bendLeft
				q.enterConnection(&c, n.left, leftCost)
			case tr == 1 && rightCorner != noCorner:
				c.bend = bendRight
				q.enterConnection(&c, n.right, rightCost)
			}
			continue
		}
		if tr < tl {
			q.add(&c, n.root, n.corner, n.cost, tr, tl)
		}
		if tl < 1 && leftCorner != noCorner {
			c.bend = bendLeft
			q.add(&c, n.left, leftCorner, leftCost, tl, 1)
		}
		if tr > 0 && rightCorner != noCorner {
			c.bend = bendRight
			q.add(&c, n.right, rightCorner, rightCost, 0, tr)
		}
	}
}

// endSlack is the part of a portal within which a sight line that ends near an
// end of it counts as ending there. Without it rounding would lose corners that
// lie on a line with the root.
const endSlack = 1e-9

func snap(t float64) float64 {
	if t < endSlack {
		return 0
	}
	if t > 1-endSlack {
		return 1
	}
	return t
}

// deadEnd reports whether p leads back to from and nowhere else, and is not
// the goal. Where costs vary no more than that is left out: the way found depends
// on which of the estimated crossings come first.
func (q *Query) deadEnd(p, from PolyID) bool {
	m := q.mesh
	k := m.polys[p].link
	return m.polys[p+1].link == k+1 && m.links[k].to == from && p != q.search.goalPoly
}

// child is what the nodes on one link out of the node under expansion share.
type child struct {
	parent, link       uint32
	to                 PolyID
	right, left        geom.Vec3
	perMetre, costNext float64
	bend               bend
}

// add makes the node for the stretch tr to tl seen from root, unless a node
// on the portal makes it pointless.
func (q *Query) add(c *child, root geom.Vec3, corner uint32, cost, tr, tl float64) {
	s := &q.search
	n := s.draft()
	*n = searchNode{
		root: root, right: c.right, left: c.left, cost: cost, tr: tr, tl: tl,
		corner: corner, parent: c.parent, link: c.link, older: noSlot, poly: c.to, bend: c.bend,
	}
	if tr > 0 {
		n.right = geom.Lerp(c.right, c.left, tr)
	}
	if tl < 1 {
		n.left = geom.Lerp(c.right, c.left, tl)
	}
	if c.perMetre != c.costNext {
		t, ok := crossing(c.right, c.left, root, s.goal)
		if !ok {
			t = 0.5
		}
		t = min(max(t, portalMargin), 1-portalMargin)
		at := geom.Lerp(c.right, c.left, min(max(t, tr), tl))
		n.cost += float64(c.perMetre * geom.Dist(root, at))
		n.root, n.corner, n.fixed = at, noCorner, true
		n.right, n.left, n.tr, n.tl = c.right, c.left, 0, 1
		q.keep(n, at, 0)
		return
	}
	q.keep(n, q.nearestOn(n, c), c.perMetre)
}

// nearestOn returns the point of a node's stretch on the shortest way from its
// root to the goal.
func (q *Query) nearestOn(n *searchNode, c *child) geom.Vec3 {
	goal := beyond(c.right, c.left, q.search.goal)
	switch {
	case geom.Area2(n.root, n.left, goal) > 0:
		return n.left
	case geom.Area2(n.root, n.right, goal) < 0:
		return n.right
	}
	t, ok := crossing(c.right, c.left, n.root, goal)
	if !ok {
		// Root and goal lie on the portal's line.
		t, _ = geom.ClosestOnSegXZ(n.root, c.right, c.left)
	}
	return geom.Lerp(c.right, c.left, min(max(t, n.tr), n.tl))
}

// enterConnection makes the node for an off-mesh connection that is reached
// in a straight line from root.
func (q *Query) enterConnection(c *child, root geom.Vec3, cost float64) {
	n := q.search.draft()
	*n = searchNode{
		root: c.left, right: c.left, left: c.left,
		cost:   cost + float64(c.perMetre*geom.Dist(root, c.left)),
		corner: noCorner, parent: c.parent, link: c.link, older: noSlot, poly: c.to, fixed: true, bend: c.bend,
	}
	q.keep(n, n.root, 0)
}

// leaveConnection makes the nodes where an off-mesh connection lands.
func (q *Query) leaveConnection(slot uint32, from *searchNode, cost float64) {
	s, m := &q.search, q.mesh
	for k := m.polys[from.poly].link; k < m.polys[from.poly+1].link; k++ {
		l := &m.links[k]
		at := l.left.Wide()
		if at == from.root || !s.flags.open(m.polys[l.to].flags) {
			continue
		}
		n := s.draft()
		*n = searchNode{
			root: at, right: at, left: at, cost: from.cost + cost,
			corner: noCorner, parent: slot, link: k, older: noSlot, poly: l.to, fixed: true,
		}
		q.keep(n, at, 0)
	}
}

// draft returns a node behind the last one; keep makes it stay. There must be
// room for it.
func (s *searchState) draft() *searchNode {
	return &s.nodes[:len(s.nodes)+1][len(s.nodes)]
}

// keep gives a drafted node its estimate, for a way over a point of its stretch that
// costs perMetreHere from the root to there, and stores it unless an older node
// on the same link is at least as good for every way.
func (q *Query) keep(n *searchNode, over geom.Vec3, perMetreHere float64) {
	s := &q.search
	perMetre := s.least
	if n.poly == s.goalPoly {
		perMetre = s.cost[q.mesh.polys[n.poly].area&63]
	}
	n.estimate = n.cost + float64(perMetreHere*geom.Dist(n.root, over)) + float64(perMetre*geom.Dist(over, s.goal))

	head, ok := s.onLink.Find(n.link)
	if !ok {
		head = s.onLink.Add(n.link)
		*s.onLink.At(head) = noSlot
	}
	newest := s.onLink.At(head)
	for x := *newest; x != noSlot; x = s.nodes[x].older {
		o := &s.nodes[x]
		if n.fixed {
			if o.fixed && o.estimate <= n.estimate {
				return
			}
		} else if o.root == n.root && o.tr <= n.tr && o.tl >= n.tl && o.cost <= n.cost*(1+costSlack) && !o.fixed {
			return
		}
	}
	n.older = *newest
	*newest = uint32(len(s.nodes))
	s.fresh = append(s.fresh, *newest)
	s.nodes = s.nodes[:len(s.nodes)+1]
}
