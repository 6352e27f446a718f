package navmesh

import (
	"fmt"
	"math"

	"wend/geom"
)

// Policy says which surface wins where several lie over one another.
type Policy uint8

const (
	// PolicyNearest takes the nearest surface. One straight over or under the
	// point counts as touched within the body's climb, and as that much nearer
	// beyond it (Detour's rule).
	PolicyNearest Policy = iota
	// PolicyBelow takes the nearest of the surfaces at or under the point,
	// and only when there is none the nearest above. A surface up to one climb
	// above the point counts as at it.
	PolicyBelow
	// PolicyAbove is PolicyBelow upside down.
	PolicyAbove
	// PolicyHighest takes the highest surface straight over or under the
	// point within the box, else of those nearest in plan the highest.
	PolicyHighest
)

// NearestOptions refine Query.Nearest. Nil and the zero value mean the
// defaults.
type NearestOptions struct {
	// HalfExtents of the box that is searched around the point, metres. The
	// zero value stands for DefaultHalfExtents.
	HalfExtents geom.Vec3
	// HeightWeight is what a metre up or down counts for against a metre
	// aside: 0 stands for 1; above 0, at most 1000.
	HeightWeight float64
	Policy       Policy
	// Storey restricts the search to one storey of Mesh.StoreyCount when
	// StoreySet is true; Policy then decides within it.
	Storey    uint32
	StoreySet bool
	// Filter closes polygons. Costs do not matter here. Nil: the default.
	Filter *Filter
}

// DefaultHalfExtents is the box that Nearest searches by default: 2 m aside
// and 4 m up and down, as RecastDemo does.
func DefaultHalfExtents() geom.Vec3 { return geom.Vec3{X: 2, Y: 4, Z: 2} }

const maxHeightWeight = 1000

// Nearest is the answer of Query.Nearest. A miss is an answer as well: Found is
// false, Poly is NoPoly and MissDistance says how far the nearest surface is.
type Nearest struct {
	Location
	Found    bool
	Over     bool    // the polygon is straight over or under the point
	Distance float64 // metres from the point to Pos in three dimensions

	// MissDistance is the distance in metres in three dimensions from the
	// point to the nearest surface anywhere that the filter and storey allow:
	// to its place straight over or under the point or, aside of it, nearest in
	// plan. +Inf when there is no such surface; 0 when Found.
	MissDistance float64
}

// Nearest returns the surface point for p: on the polygon that the policy
// chooses among those whose nearest point (see Mesh.ClosestPoint) lies in the
// box. Equally good ones are told apart by the smaller difference in height, then
// the lower surface, then the lower PolyID.
//
// An error means p or an option is out of range. The time is O(log n + k) for k
// polygons that meet the box; a miss costs another search. It allocates nothing.
func (q *Query) Nearest(p geom.Vec3, o *NearestOptions) (Nearest, error) {
	s, h, err := o.resolve(p)
	if err != nil {
		return Nearest{Location: Location{Poly: NoPoly}}, err
	}
	return q.mesh.nearest(p, h, &s), nil
}

// resolve checks the arguments of Nearest.
func (o *NearestOptions) resolve(p geom.Vec3) (s selector, h geom.Vec3, err error) {
	s = selector{weight: 1, flags: (*Filter)(nil).flags()}
	h = DefaultHalfExtents()
	if err := checkPoint("point", p); err != nil {
		return s, h, err
	}
	if o == nil {
		return s, h, nil
	}
	if o.HalfExtents != (geom.Vec3{}) {
		h = o.HalfExtents
		if !goodPoint(h) || h.X < 0 || h.Y < 0 || h.Z < 0 {
			return s, h, &OptionError{
				"NearestOptions.HalfExtents",
				fmt.Sprintf("want 0 to %d m, got (%v, %v, %v)", PointLimit, h.X, h.Y, h.Z),
			}
		}
	}
	if o.HeightWeight != 0 {
		s.weight = o.HeightWeight
		if !(s.weight > 0 && s.weight <= maxHeightWeight) {
			return s, h, &OptionError{
				"NearestOptions.HeightWeight",
				fmt.Sprintf("want above 0 to %d (0 for 1), got %v", maxHeightWeight, s.weight),
			}
		}
	}
	if o.Policy > PolicyHighest {
		return s, h, &OptionError{"NearestOptions.Policy", fmt.Sprintf("want 0 to %d, got %d", PolicyHighest, o.Policy)}
	}
	s.policy = o.Policy
	s.storey, s.storeySet = o.Storey, o.StoreySet
	s.flags = o.Filter.flags()
	return s, h, nil
}

// selector says which polygons count and which is best.
type selector struct {
	flags     flagTest
	any       bool // flags do not matter
	storeySet bool
	policy    Policy
	storey    uint32
	weight    float64
}

func (s *selector) admits(p *poly) bool {
	return (s.any || s.flags.open(p.flags)) && (!s.storeySet || p.storey == s.storey)
}

// candidate is a polygon's nearest point with its rank: a better one is less,
// field by field.
type candidate struct {
	class int     // what the policy wants first
	rank  float64 // then
	dy    float64 // absolute difference in height
	y     float64
	id    PolyID
	at    geom.Vec3
	over  bool
}

func (a *candidate) less(b *candidate) bool {
	switch {
	case a.class != b.class:
		return a.class < b.class
	case a.rank != b.rank:
		return a.rank < b.rank
	case a.dy != b.dy:
		return a.dy < b.dy
	case a.y != b.y:
		return a.y < b.y
	}
	return a.id < b.id
}

// rate fills in the rank of c for a point.
func (s *selector) rate(c *candidate, p geom.Vec3, climb float64) {
	aside := geom.DistXZSq(c.at, p)
	up := c.at.Y - p.Y
	c.dy, c.y = math.Abs(up), c.at.Y
	if s.policy == PolicyHighest {
		c.rank, c.dy = aside, -c.at.Y
		return
	}
	if c.over {
		d := max(c.dy-climb, 0) * s.weight
		c.rank = float64(d * d)
	} else {
		d := c.dy * s.weight
		c.rank = aside + float64(d*d)
	}
	if s.policy == PolicyBelow && up > climb || s.policy == PolicyAbove && up < -climb {
		c.class = 1
	}
}

// asideSlack is how far, in metres, rounding may move the closest point of a
// polygon out of its box.
const asideSlack = 1e-6

func (m *Mesh) nearest(p, h geom.Vec3, s *selector) Nearest {
	best := candidate{class: math.MaxInt, id: NoPoly}
	// Most points lie over ground. Under PolicyNearest what lies straight over or
	// under them bounds how far aside anything as good can be.
	within := h
	if s.policy == PolicyNearest {
		column := geom.Vec3{X: min(h.X, asideSlack), Y: h.Y, Z: min(h.Z, asideSlack)}
		m.nearestWithin(p, h, column, s, &best)
		if best.id != NoPoly {
			r := math.Sqrt(best.rank) + asideSlack
			within.X, within.Z = min(h.X, r), min(h.Z, r)
		}
	}
	if best.id == NoPoly || best.rank > 0 || s.policy != PolicyNearest {
		m.nearestWithin(p, h, within, s, &best)
	}
	if best.id == NoPoly {
		_, d := m.nearestAnywhere(p, s)
		return Nearest{Location: Location{Poly: NoPoly}, MissDistance: d}
	}
	return Nearest{
		Location: Location{Poly: best.id, Pos: best.at},
		Found:    true, Over: best.over,
		Distance: geom.Dist(best.at, p),
	}
}

// nearestWithin improves best by the polygons whose boxes meet the box of half
// extents within around p and whose closest points lie in the one of h.
func (m *Mesh) nearestWithin(p, h, within geom.Vec3, s *selector, best *candidate) {
	w := m.index.walk(box32(p, within))
	for w.next() {
		q := &m.polys[w.poly]
		if !s.admits(q) {
			continue
		}
		c := candidate{id: w.poly}
		c.at, c.over = m.closest(w.poly, p)
		if math.Abs(c.at.X-p.X) > h.X || math.Abs(c.at.Y-p.Y) > h.Y || math.Abs(c.at.Z-p.Z) > h.Z {
			continue
		}
		s.rate(&c, p, float64(m.tiles[q.tile].AgentClimb))
		if c.less(best) {
			*best = c
		}
	}
}

// maxDepth bounds the depth of an index: halving leaves 2^32 polygons 33
// levels.
const maxDepth = 40

// nearestAnywhere returns the polygon whose closest point is nearest to p in
// three dimensions, the lowest of equals, and the distance; NoPoly and +Inf if
// s admits none. It descends into the nearer child first and leaves out what lies
// farther than the best so far.
func (m *Mesh) nearestAnywhere(p geom.Vec3, s *selector) (PolyID, float64) {
	type entry struct {
		node int32
		dist float64
	}
	best, bestSq := NoPoly, math.Inf(1)
	nodes := m.index.nodes
	if len(nodes) == 0 {
		return best, bestSq
	}
	var stack [maxDepth]entry
	stack[0] = entry{0, nodes[0].distSq(p)}
	for top := 1; top > 0; {
		top--
		e := stack[top]
		if e.dist > bestSq {
			continue
		}
		n := &nodes[e.node]
		if n.skip == 1 {
			if !s.admits(&m.polys[n.poly]) {
				continue
			}
			c, _ := m.closest(n.poly, p)
			d := geom.DistSq(c, p)
			if d < bestSq || d == bestSq && n.poly < best {
				best, bestSq = n.poly, d
			}
			continue
		}
		left := e.node + 1
		right := left + nodes[left].skip
		l, r := entry{left, nodes[left].distSq(p)}, entry{right, nodes[right].distSq(p)}
		if l.dist < r.dist {
			l, r = r, l
		}
		stack[top], stack[top+1] = l, r
		top += 2
	}
	return best, math.Sqrt(bestSq)
}

// AppendSurfaces appends one Location for each storey with a surface at the
// place (x, z): straight over it, or nearest in plan within radius metres. They
// are ordered from below to above, ties by polygon. It is the answer when the
// height is unknown: a list, not a guess.
//
// Surfaces that f closes are left out. An error means x, z or radius is out of
// range. The time is O(log n + k log k) for k polygons within the radius.
func (q *Query) AppendSurfaces(dst []Location, x, z, radius float64, f *Filter) ([]Location, error) {
	pos := geom.Vec3{X: x, Z: z}
	if err := checkPoint("place", pos); err != nil {
		return dst, err
	}
	if !(radius >= 0 && radius <= PointLimit) {
		return dst, &OptionError{"radius", fmt.Sprintf("want 0 to %d m, got %v", PointLimit, radius)}
	}
	m, flags := q.mesh, f.flags()
	base := len(dst)
	w := m.index.walk(box32(pos, geom.Vec3{X: radius, Y: PointLimit, Z: radius}))
	for w.next() {
		if !flags.open(m.polys[w.poly].flags) {
			continue
		}
		c, over := m.closest(w.poly, pos)
		if !over && geom.DistXZSq(c, pos) > float64(radius*radius) {
			continue
		}
		dst = m.keepSurface(dst, base, Location{w.poly, c}, pos)
	}
	// Storeys at a place are few: insertion keeps the scratch away.
	for i := base + 1; i < len(dst); i++ {
		for k := i; k > base && lower(dst[k], dst[k-1]); k-- {
			dst[k], dst[k-1] = dst[k-1], dst[k]
		}
	}
	return dst, nil
}

func lower(a, b Location) bool {
	return a.Pos.Y < b.Pos.Y || a.Pos.Y == b.Pos.Y && a.Poly < b.Poly
}

// keepSurface appends l to the surfaces from base on unless its storey is
// there already; the one nearer in plan stays, ties by the lower polygon.
func (m *Mesh) keepSurface(dst []Location, base int, l Location, pos geom.Vec3) []Location {
	storey := m.polys[l.Poly].storey
	for i := base; i < len(dst); i++ {
		if m.polys[dst[i].Poly].storey != storey {
			continue
		}
		d, e := geom.DistXZSq(l.Pos, pos), geom.DistXZSq(dst[i].Pos, pos)
		if d < e || d == e && l.Poly < dst[i].Poly {
			dst[i] = l
		}
		return dst
	}
	return append(dst, l)
}
