package navmesh

import (
	"slices"

	"wend/geom"
)

// A taut path is the shortest way through its corridor, but the corridor may
// not be the best one: the plain search estimates where a way crosses a portal,
// and both searches estimate where it comes from one area cost into another.
// The passes here mend what can be seen from the path itself.

// A shortcut is tried from each turn to the maxReach turns behind the next, the
// farthest first. The rays cast are bounded by shortcutRays for each turn.
const (
	maxReach     = 5
	shortcutRays = 8
)

// takeRoots replaces the taut path of a piece by the turns of the search where
// those cost less: with area costs the shortest way through a corridor need not
// be its cheapest.
func (q *Query) takeRoots(start, goal geom.Vec3, first, last int) {
	c := &q.search.corridor
	if len(c.roots) == 0 {
		return
	}
	polys := c.polys[first : last+1]
	taut := q.turnsCost(c.turns, polys)
	n := len(c.turns)
	c.turns = append(c.turns, Turn{start, -1})
	for _, t := range c.roots {
		if t.Portal < first || t.Portal >= last {
			continue
		}
		t.Portal -= first
		if !coincide(t.Pos, c.turns[len(c.turns)-1].Pos, c.chains.slack) {
			c.turns = append(c.turns, t)
		}
	}
	c.turns = finish(c.turns, n, goal, last-first, c.chains.slack)
	if q.turnsCost(c.turns[n:], polys) < taut {
		c.turns = slices.Delete(c.turns, 0, n)
	} else {
		c.turns = c.turns[:n]
	}
}

func (q *Query) turnsCost(turns []Turn, polys []PolyID) float64 {
	sum := 0.0
	for i := 1; i < len(turns); i++ {
		sum += q.legCost(turns[i-1], turns[i], polys)
	}
	return sum
}

// shorten tries to go straight from turn to turn of a piece past those
// between, over whatever polygons lie there, wherever that costs less. It returns
// the index that the link last has afterwards.
func (q *Query) shorten(start, goal geom.Vec3, first, last int) int {
	c := &q.search.corridor
	rays := shortcutRays * len(c.turns)
	for i := 0; i+2 < len(c.turns); i++ {
		for j := min(i+1+maxReach, len(c.turns)-1); j > i+1 && rays > 0; j-- {
			rays--
			if !q.seesCheaper(first, last, i, j) {
				continue
			}
			if grown, ok := q.cutCorner(start, goal, first, last, i, j); ok {
				last = grown
				i = max(i-2, -1) // what led here may see farther now
				break
			}
		}
	}
	return last
}

// seesCheaper reports whether the straight line from turn i to turn j is free
// and costs less than the way between them. It leaves the links along it in
// rayed.
func (q *Query) seesCheaper(first, last, i, j int) bool {
	s := &q.search
	c := &s.corridor
	a, b := c.turns[i], c.turns[j]
	polys := c.polys[first : last+1]
	from, target := polys[a.Portal+1], polys[min(b.Portal+1, len(polys)-1)]
	sight := newSight(a.Pos, b.Pos)
	if sight.lenSq == 0 {
		return false
	}
	slot, ok := q.cast(&sight, from, target, s.flags)
	if !ok {
		return false
	}
	c.rayed = c.rayed[:0]
	for x := s.ray.steps.At(slot); x.link != noLink; x = s.ray.steps.At(x.parent) {
		c.rayed = append(c.rayed, x.link)
	}
	slices.Reverse(c.rayed)
	return q.rayCost(&sight, from) < q.turnsCost(c.turns[i:j+1], polys)*(1-1e-9)
}

// cutCorner replaces the way between the turns i and j by the links in rayed
// and returns the index that the link last has afterwards.
func (q *Query) cutCorner(start, goal geom.Vec3, first, last, i, j int) (int, bool) {
	m, s := q.mesh, &q.search
	c := &s.corridor
	from, to := first+c.turns[i].Portal+1, min(first+c.turns[j].Portal+1, last)
	whole := len(c.rayed) + (from - first) + (last - to)
	// rayed is followed by what comes after, then led up to by what comes before.
	c.rayed = append(c.rayed, c.links[to:last]...)
	c.rayed = slices.Insert(c.rayed, 0, c.links[first:from]...)
	c.trial = c.appendWithoutLoops(c.trial[:0], m, c.polys[first], c.rayed)
	if !s.mixed {
		last = c.replace(m, first, last, c.trial)
		c.pull(m, start, goal, first, last)
		return last, true
	}
	// The turns stay, so their portals have to.
	if len(c.trial) != whole {
		return last, false
	}
	grown := c.replace(m, first, last, c.trial)
	c.turns = slices.Delete(c.turns, i+1, j)
	for k := i + 1; k < len(c.turns); k++ {
		c.turns[k].Portal += grown - last
	}
	c.portals = c.portals[:0]
	for _, k := range c.links[first:grown] {
		c.portals = append(c.portals, Portal{m.links[k].right.Wide(), m.links[k].left.Wide()})
	}
	alignPortals(c.portals)
	return grown, true
}

// rayCost returns the cost of a straight line over the links in rayed.
func (q *Query) rayCost(sight *sight, p PolyID) float64 {
	m, s := q.mesh, &q.search
	walk := legWalk{a: sight.a, b: sight.b}
	sum, from := 0.0, 0.0
	for _, k := range s.corridor.rayed {
		l := &m.links[k]
		u, _ := walk.cross(&Portal{l.right.Wide(), l.left.Wide()})
		sum += float64((u - from) * s.cost[m.polys[p].area&63])
		from, p = u, l.to
	}
	sum += float64((1 - from) * s.cost[m.polys[p].area&63])
	return float64(sum * geom.Dist(sight.a, sight.b))
}
