package navmesh

import (
	"context"
	"fmt"
	"math"
	"slices"

	"wend/geom"
	"wend/internal/search"
)

// Outcome is the kind of an answer about a way. The zero value is none.
type Outcome uint8

const (
	Complete    Outcome = 1 + iota // the path ends at the goal
	Partial                        // the path ends at the reachable place nearest to the goal
	Unreachable                    // no way leads to the goal
	Budget                         // the search stopped at PathOptions.MaxNodes; Query.Resume goes on
	Cancelled                      // the context ended; Query.Resume goes on
)

var outcomeNames = [...]string{
	Complete: "complete", Partial: "partial", Unreachable: "unreachable", Budget: "budget", Cancelled: "cancelled",
}

// String returns the name of the outcome in lower case.
func (o Outcome) String() string {
	if int(o) < len(outcomeNames) && outcomeNames[o] != "" {
		return outcomeNames[o]
	}
	return fmt.Sprintf("Outcome(%d)", uint8(o))
}

// Gap is the place where a path breaks off: its last point, or the place that
// it would have gone to, and the goal that was asked for.
type Gap struct {
	From, To geom.Vec3
	Width    float64 // metres between them
}

// maxTied bounds the number of equally near ends that are compared by cost.
const maxTied = 8

// request is a question about a way and how far its answer has got.
type request struct {
	from, to  Location
	partial   bool // a way to somewhere near the goal is wanted
	plain     bool // by the plain corridor search
	exact     bool // the exact search was asked for
	crossings Crossings
	limit     int
	suspended bool

	// The places the search may go to instead of the goal: all equally near to
	// it. They are tried in turn, and the cheapest to reach is kept.
	targets  [maxTied]Location
	count    int // 0: the goal itself
	try      int
	best     int
	bestCost float64
	settled  bool // the search under way is the last one
	scanned  bool // targets come from a scan of all that can be reached
}

// nearestPlaces are the places nearest to a point so far, all equally near,
// no two at the same place.
type nearestPlaces struct {
	goal   geom.Vec3
	distSq float64
	at     [maxTied]Location
	count  int
}

// offer takes a place into account. Of several polygons at one place the lowest
// stays.
func (n *nearestPlaces) offer(p PolyID, at geom.Vec3) {
	d := geom.DistSq(at, n.goal)
	if n.count > 0 && d > n.distSq {
		return
	}
	if n.count == 0 || d < n.distSq {
		n.distSq, n.count = d, 0
	}
	for i := range n.at[:n.count] {
		if l := &n.at[i]; l.Pos == at {
			l.Poly = min(l.Poly, p)
			return
		}
	}
	if n.count < maxTied {
		n.at[n.count] = Location{p, at}
		n.count++
	}
}

// sorted returns the places by polygon.
func (n *nearestPlaces) sorted() []Location {
	at := n.at[:n.count]
	slices.SortFunc(at, func(a, b Location) int { return int(int64(a.Poly) - int64(b.Poly)) })
	return at
}

// nearestReachable returns the places nearest to goal on open polygons that a
// mesh without a filter lets one reach from an open polygon.
func (q *Query) nearestReachable(from PolyID, goal geom.Vec3) nearestPlaces {
	m := q.mesh
	best := nearestPlaces{goal: goal}
	at, _ := m.closest(from, goal)
	best.offer(from, at) // there is one at least
	home := m.polys[from].island
	q.nearestOnIsland(home, &best)
	if m.islands.joint[home] >= 0 {
		for i := range m.islands.ground {
			root := &m.survey.islands.nodes[m.survey.islands.root[i]]
			if i != home && root.distSq(goal) <= best.distSq && m.reaches(home, i) {
				q.nearestOnIsland(i, &best)
			}
		}
	}
	return best
}

// nearestOnIsland offers places on the open polygons of an island: all that are
// as near as the best, by descent of the island's index into the nearer child
// first. There must be a best place already.
func (q *Query) nearestOnIsland(island uint32, best *nearestPlaces) {
	type entry struct {
		node   int32
		distSq float64
	}
	m, flags, goal := q.mesh, q.search.flags, best.goal
	nodes := m.survey.islands.nodes
	var stack [maxDepth]entry
	top := 0
	for e := (entry{m.survey.islands.root[island], 0}); ; {
		if n := &nodes[e.node]; n.skip == 1 {
			if flags.open(m.polys[n.poly].flags) {
				at, _ := m.closest(n.poly, goal)
				best.offer(n.poly, at)
			}
		} else {
			near, far := e.node+1, e.node+1+nodes[e.node+1].skip
			d, f := nodes[near].distSq(goal), nodes[far].distSq(goal)
			if f <= d {
				near, far, d, f = far, near, f, d
			}
			if f <= best.distSq {
				stack[top] = entry{far, f}
				top++
			}
			if d <= best.distSq {
				e = entry{near, d}
				continue
			}
		}
		for {
			if top == 0 {
				return
			}
			top--
			if e = stack[top]; e.distSq <= best.distSq {
				break
			}
		}
	}
}

// reaches reports whether one island of ground is reached from another.
func (m *Mesh) reaches(from, to uint32) bool {
	x := &m.islands
	a, b := x.joint[from], x.joint[to]
	if a < 0 || b < 0 {
		return false
	}
	if x.closure != nil {
		return x.closure[a][b/64]>>(b%64)&1 != 0
	}
	return x.search(a, b)
}

// nearestSeen returns the places nearest to goal on the polygons that the
// search has reached.
func (q *Query) nearestSeen(goal geom.Vec3) nearestPlaces {
	m, s := q.mesh, &q.search
	best := nearestPlaces{goal: goal}
	s.seen.Reset(m.Len())
	offer := func(p PolyID) {
		if _, ok := s.seen.Find(uint32(p)); ok || m.polys[p].kind != KindGround || !s.flags.open(m.polys[p].flags) {
			return
		}
		s.seen.Add(uint32(p))
		at, _ := m.closest(p, goal)
		best.offer(p, at)
	}
	for i := range s.len() {
		p := s.node(uint32(i)).poly
		offer(p)
		// Dead ends have no node of their own.
		for _, l := range m.linksOf(p) {
			if l.edge != offMeshEdge {
				offer(l.to)
			}
		}
	}
	return best
}

// start begins to answer a request. It returns Unreachable when it is known
// beforehand that there is no way, else 0.
func (q *Query) start() Outcome {
	m, s := q.mesh, &q.search
	r := &s.request
	s.expanded, s.pushed = 0, 0
	r.suspended = false
	r.count, r.settled, r.scanned = 0, true, false
	if !s.flags.open(m.polys[r.from.Poly].flags) {
		return Unreachable
	}
	if s.flags.open(m.polys[r.to.Poly].flags) && m.CanReach(r.from.Poly, r.to.Poly) {
		q.begin(r.to)
		return 0
	}
	if !r.partial {
		return Unreachable
	}
	q.retarget(q.nearestReachable(r.from.Poly, r.to.Pos))
	return 0
}

// retarget makes the search go for the nearest of some places instead of the
// goal. There is one at least: the start can be reached.
func (q *Query) retarget(places nearestPlaces) {
	s := &q.search
	r := &s.request
	r.count = copy(r.targets[:], places.sorted())
	r.try, r.best, r.bestCost = 0, 0, math.Inf(1)
	r.settled = r.count == 1
	r.plain = !r.exact
	q.begin(r.targets[0])
}

// proceed goes on with the request until it is answered or stopped, and
// returns the node at the end of the way if there is one.
func (q *Query) proceed(ctx context.Context) (uint32, Outcome) {
	s := &q.search
	r := &s.request
	for {
		slot, v := q.advance(ctx, r.limit)
		r.suspended = v == overBudget || v == cancelled
		switch {
		case v == overBudget:
			return noSlot, Budget
		case v == cancelled:
			return noSlot, Cancelled
		case v == exhausted && !r.plain:
			// Where costs differ, a way has to cross from one into another at
			// an estimated point, and the exact search may have dropped the
			// only node that leads on. The plain search visits all that can be
			// reached: it has the last word, and the last line of defence where
			// costs are equal, for there CanReach has promised a way.
			r.plain = true
			to := r.to
			if r.count > 0 {
				to = r.targets[r.try]
			}
			q.begin(to)
			continue
		case v == exhausted:
			// What is left is that the filter cuts the way.
			if !r.partial || r.scanned {
				return noSlot, Unreachable
			}
			r.scanned = true
			q.retarget(q.nearestSeen(r.to.Pos))
			continue
		case r.settled:
			if r.count > 0 {
				return slot, Partial
			}
			return slot, Complete
		}
		if c := s.node(slot).estimate; c < r.bestCost {
			r.best, r.bestCost = r.try, c
		}
		if r.try++; r.try == r.count {
			r.settled = true
			if r.best == r.count-1 {
				return slot, Partial
			}
			r.try = r.best
		}
		r.plain = !r.exact
		q.begin(r.targets[r.try])
	}
}

// corridor is the way a search found: links in order and, for a mesh with
// area costs, where the search would turn.
type corridor struct {
	links   []uint32
	polys   []PolyID
	roots   []Turn           // Portal is an index in links
	place   search.Pool[int] // by polygon: links before it
	portals []Portal
	turns   []Turn
	chains  chains
	rayed   []uint32 // links along a ray
	trial   []uint32 // links of a piece being tried
}

// trace fills the corridor with the way to the node in slot. A way of no link
// stays in the start's polygon.
func (q *Query) trace(slot uint32) {
	s, m := &q.search, q.mesh
	c := &s.corridor
	c.links, c.roots = c.links[:0], c.roots[:0]
	depth := 0
	for n := s.node(slot); n.link != noLink; n = s.node(n.parent) {
		c.links = append(c.links, n.link)
		depth++
	}
	slices.Reverse(c.links)
	if s.mixed {
		q.traceRoots(slot, depth)
	}
	c.walk(m, s.request.from.Poly)
}

// walk fills polys with the polygons that links lead over.
func (c *corridor) walk(m *Mesh, from PolyID) {
	c.polys = append(c.polys[:0], from)
	for _, k := range c.links {
		c.polys = append(c.polys, m.links[k].to)
	}
}

// traceRoots notes the points at which the way to a node turns by the search's
// reckoning.
func (q *Query) traceRoots(slot uint32, depth int) {
	s := &q.search
	c := &s.corridor
	for i := depth - 1; i >= 0; i-- {
		if s.request.plain {
			n := s.steps.At(slot)
			c.roots = append(c.roots, Turn{n.at, i})
			slot = n.parent
			continue
		}
		n := &s.nodes[slot]
		if n.fixed {
			c.roots = append(c.roots, Turn{n.root, i})
		}
		switch p := &s.nodes[n.parent]; n.bend {
		case bendLeft:
			c.roots = append(c.roots, Turn{p.left, i - 1})
		case bendRight:
			c.roots = append(c.roots, Turn{p.right, i - 1})
		}
		slot = n.parent
	}
	slices.Reverse(c.roots)
}

// appendWithoutLoops appends links that lead away from a polygon to dst, but
// for those between two visits to one polygon. Polygons being convex, the way
// without them is no longer; ways along an edge or round a vertex have such loops
// at times, and pulling a way tight takes portals that follow on one another.
func (c *corridor) appendWithoutLoops(dst []uint32, m *Mesh, from PolyID, links []uint32) []uint32 {
	base := len(dst)
	c.place.Reset(m.Len())
	*c.place.At(c.place.Add(uint32(from))) = 0
	at := func(n int) PolyID { // after n links of dst
		if n == 0 {
			return from
		}
		return m.links[dst[base+n-1]].to
	}
	for _, k := range links {
		p := m.links[k].to
		slot, ok := c.place.Find(uint32(p))
		if !ok {
			slot = c.place.Add(uint32(p))
		} else if n := *c.place.At(slot); n <= len(dst)-base && at(n) == p { // else it has been cut out
			dst = dst[:base+n]
			continue
		}
		dst = append(dst, k)
		*c.place.At(slot) = len(dst) - base
	}
	return dst
}

// traceNearest fills the corridor with the best known way to the place nearest
// to the goal that a suspended search has reached, and returns that place.
func (q *Query) traceNearest() Location {
	s, m := &q.search, q.mesh
	places := q.nearestSeen(s.request.to.Pos)
	end := places.sorted()[0]
	slot, extra, best := uint32(0), noLink, math.Inf(1)
	for i := range s.len() {
		n := s.node(uint32(i))
		via := noLink
		if n.poly != end.Poly {
			for k := m.polys[n.poly].link; k < m.polys[n.poly+1].link && via == noLink; k++ {
				if m.links[k].to == end.Poly && m.links[k].edge != offMeshEdge {
					via = k
				}
			}
			if via == noLink {
				continue
			}
		}
		c := n.cost + float64(s.cost[m.polys[n.poly].area&63]*geom.Dist(n.at, end.Pos))
		if c < best {
			slot, extra, best = uint32(i), via, c
		}
	}
	q.trace(slot)
	if extra != noLink {
		s.corridor.links = append(s.corridor.links, extra)
		s.corridor.polys = append(s.corridor.polys, end.Poly)
	}
	return end
}
