package navmesh

import (
	"context"
	"fmt"
	"math"
	"slices"

	"wend/geom"
)

// Crossings says which points a Path has beside its turns.
type Crossings uint8

const (
	NoCrossings   Crossings = iota // start, turns, ends of off-mesh connections, end
	AreaCrossings                  // also where the path comes from one area into another
	AllCrossings                   // also where the path comes from one polygon into another
)

// Search is the way a Path is looked for.
type Search uint8

const (
	// SearchExact looks at all that is seen from each corner (Polyanya: Cui,
	// Harabor, Grastien 2017). On level ground of one cost its path is a shortest
	// one.
	SearchExact Search = iota
	// SearchCorridor is A* over polygons, each of which stands for the point
	// where the straight line to the goal enters it. It keeps one way to each
	// polygon, so its work and memory are bounded by their number, at the price
	// of corridors that are not always the best. Rays then look for shortcuts
	// from turn to turn.
	SearchCorridor
)

// PathOptions refine Query.Path. Nil and the zero value mean the defaults.
type PathOptions struct {
	// AllowPartial asks for a path to the reachable place nearest to the goal,
	// in three dimensions, when the goal cannot be reached. Of equally near
	// places the one that is cheapest to reach is taken, then the one in the
	// lower polygon; beyond eight such places, the eight lowest are compared.
	AllowPartial bool
	// MaxNodes is the number of search nodes after which the search stops with
	// Budget: 0 for no limit, else positive. A node is a stretch of a portal
	// for SearchExact, a polygon for SearchCorridor, taken up once.
	MaxNodes int
	Search   Search
	// Crossings adds points on the way, for followers that want the height or
	// the area there.
	Crossings Crossings
}

func (o *PathOptions) validate() error {
	if o.MaxNodes < 0 {
		return &OptionError{"PathOptions.MaxNodes", fmt.Sprintf("want 0 for no limit or more, got %d", o.MaxNodes)}
	}
	if o.Search > SearchCorridor {
		return &OptionError{"PathOptions.Search", fmt.Sprintf("want 0 to %d, got %d", SearchCorridor, o.Search)}
	}
	if o.Crossings > AllCrossings {
		return &OptionError{"PathOptions.Crossings", fmt.Sprintf("want 0 to %d, got %d", AllCrossings, o.Crossings)}
	}
	return nil
}

// PathPoint is a point of a Path.
type PathPoint struct {
	Pos  geom.Vec3
	Poly PolyID // that the path goes on in, or ends in
	Link bool   // an off-mesh connection starts here and ends at the next point
}

// Path is the answer of Query.Path. Points and Polys are empty when Outcome is
// Unreachable or Cancelled, and otherwise never: start and goal in one place
// give one point.
type Path struct {
	Outcome Outcome
	// Polys are the polygons from start to end in order, off-mesh ones
	// included.
	Polys []PolyID
	// Points are the turns of the path. No two in a row are the same, and the
	// last one lies in the last of Polys.
	Points []PathPoint
	Length float64 // metres along Points in three dimensions
	// Cost is Length weighted by the area costs, and the cost of the off-mesh
	// connections instead of their length.
	Cost float64
	// Gap is set unless Outcome is Complete: where the path ends, or could
	// have ended, and what it failed to reach.
	Gap Gap

	Expanded int // search nodes taken up
	Pushed   int // search nodes queued
}

// reset empties p and keeps its memory.
func (p *Path) reset() {
	*p = Path{Polys: p.Polys[:0], Points: p.Points[:0]}
}

// ErrNotSuspended is wrapped by the error of Query.Resume when there is no
// search to go on with.
var ErrNotSuspended = fmt.Errorf("%w: no suspended search", ErrBadInput)

// Path finds the way from one place to another and stores it in dst, whose
// slices are used again. The outcome says what the path is; a path that does not
// reach the goal is never Complete, and its last point is on the mesh.
//
// Where all polygons cost the same, the path is a shortest one as seen from
// above as far as the ground is level; on slopes corridors are compared by straight
// distances in three dimensions. Where area costs differ, the path crosses from
// one cost into another where the straight line to the goal does; that is near
// the cheapest way, but no bound is kept.
//
// Whether the goal can be reached is known from Mesh.CanReach without a search,
// unless the filter closes polygons in between. A start in a closed polygon
// reaches nothing. A corridor may have any length.
//
// The places come from Nearest or an earlier path; one that lies off its
// polygon is an error, as are points out of range and bad options. When ctx, which
// may be nil, ends, the error wraps its cause and the outcome is Cancelled. Path
// allocates nothing once the Query and dst are warm. The search is due to Cui,
// Harabor and Grastien (Polyanya, 2017), the taut path to Lee and Preparata
// (1984).
func (q *Query) Path(ctx context.Context, from, to Location, f *Filter, o *PathOptions, dst *Path) error {
	dst.reset()
	s := &q.search
	r := &s.request
	r.suspended = false
	if o == nil {
		o = &PathOptions{}
	}
	if err := o.validate(); err != nil {
		return err
	}
	if err := f.Validate(); err != nil {
		return err
	}
	if err := q.mesh.checkLocation("from", from); err != nil {
		return err
	}
	if err := q.mesh.checkLocation("to", to); err != nil {
		return err
	}
	r.from, r.to, r.partial, r.crossings = from, to, o.AllowPartial, o.Crossings
	r.exact = o.Search == SearchExact
	r.plain = !r.exact
	r.limit = o.MaxNodes
	if r.limit == 0 {
		r.limit = math.MaxInt
	}
	s.setFilter(q.mesh, f)
	if outcome := q.start(); outcome == Unreachable {
		q.fail(dst)
		return nil
	}
	return q.answer(ctx, dst)
}

// Resume goes on with a search that stopped with Budget or Cancelled, for at
// most maxNodes more search nodes (0: no limit), as if it had never stopped: the
// final path is the same. Only the last search of a Query can be resumed; other
// questions in between do not matter. The error is as that of Path, or wraps
// ErrNotSuspended.
func (q *Query) Resume(ctx context.Context, maxNodes int, dst *Path) error {
	dst.reset()
	r := &q.search.request
	if !r.suspended {
		return fmt.Errorf("%w to resume", ErrNotSuspended)
	}
	if maxNodes < 0 {
		return &OptionError{"maxNodes", fmt.Sprintf("want 0 for no limit or more, got %d", maxNodes)}
	}
	r.limit = math.MaxInt
	if maxNodes > 0 && maxNodes < math.MaxInt-q.search.expanded {
		r.limit = q.search.expanded + maxNodes
	}
	return q.answer(ctx, dst)
}

// answer goes on with the request and fills dst.
func (q *Query) answer(ctx context.Context, dst *Path) error {
	s := &q.search
	slot, outcome := q.proceed(ctx)
	dst.Outcome = outcome
	dst.Expanded, dst.Pushed = s.expanded, s.pushed
	var end Location
	switch outcome {
	case Unreachable:
		q.fail(dst)
		return nil
	case Cancelled:
		dst.Gap = newGap(s.request.from.Pos, s.request.to.Pos)
		return fmt.Errorf("navmesh: path: %w", context.Cause(ctx))
	case Budget:
		end = q.traceNearest()
	default:
		end = Location{s.goalPoly, s.goal} // not the one asked for, if Partial
		q.trace(slot)
	}
	q.assemble(dst, end)
	if outcome != Complete {
		dst.Gap = newGap(end.Pos, s.request.to.Pos)
	}
	return nil
}

// fail makes dst say that there is no way, and where one would have ended.
func (q *Query) fail(dst *Path) {
	s := &q.search
	r := &s.request
	dst.Outcome = Unreachable
	from := r.from.Pos
	if s.flags.open(q.mesh.polys[r.from.Poly].flags) {
		var places nearestPlaces
		if s.expanded > 0 {
			places = q.nearestSeen(r.to.Pos)
		} else {
			places = q.nearestReachable(r.from.Poly, r.to.Pos)
		}
		if places.count > 0 {
			from = places.sorted()[0].Pos
		}
	}
	dst.Gap = newGap(from, r.to.Pos)
}

func newGap(from, to geom.Vec3) Gap { return Gap{from, to, geom.Dist(from, to)} }

// offSlack is how far, in metres and as a fraction of its coordinates, a place
// may lie off its polygon: it may have been stored in float32.
const offSlack, offSlackRel = 1e-3, 1e-6

// checkLocation returns an error for a place that is not on ground polygon.
func (m *Mesh) checkLocation(arg string, l Location) error {
	if !m.Valid(l.Poly) {
		return &OptionError{arg, fmt.Sprintf("the mesh has no polygon %d", l.Poly)}
	}
	if m.polys[l.Poly].kind != KindGround {
		return &OptionError{arg, fmt.Sprintf("polygon %d is an off-mesh connection", l.Poly)}
	}
	if err := checkPoint(arg, l.Pos); err != nil {
		return err
	}
	if m.contains(l.Poly, l.Pos) {
		return nil
	}
	slack := offSlack + float64(offSlackRel*max(math.Abs(l.Pos.X), math.Abs(l.Pos.Z)))
	d := geom.DistXZ(onOutline(m.cornersOf(l.Poly), l.Pos), l.Pos)
	if d > slack {
		return &OptionError{arg, fmt.Sprintf("(%v, %v, %v) lies %.3g m off polygon %d", l.Pos.X, l.Pos.Y, l.Pos.Z, d, l.Poly)}
	}
	return nil
}

// assemble turns the corridor into points: pieces on the ground, and off-mesh
// connections between them.
func (q *Query) assemble(dst *Path, end Location) {
	m, s := q.mesh, &q.search
	c := &s.corridor
	pos, first := s.request.from.Pos, 0
	for i := 0; i < len(c.links); i++ {
		via := c.polys[i+1]
		if m.polys[via].kind != KindOffMesh {
			continue
		}
		i = q.piece(dst, pos, m.links[c.links[i]].left.Wide(), first, i)
		take := &dst.Points[len(dst.Points)-1]
		take.Link = true
		i++ // the link out of it
		pos, first = m.links[c.links[i]].left.Wide(), i+1
		dst.Length += geom.Dist(take.Pos, pos)
		dst.Cost += float64(s.cost[m.polys[via].area&63] * m.offOf(via).cost)
	}
	q.piece(dst, pos, end.Pos, first, len(c.links))
	dst.Polys = append(dst.Polys, c.polys...)
}

// piece appends the points of a way on the ground through the links first to
// last, and returns the index that last has afterwards: a shortcut may lead over
// other links.
func (q *Query) piece(dst *Path, start, goal geom.Vec3, first, last int) int {
	m, s := q.mesh, &q.search
	c := &s.corridor
	c.trial = c.appendWithoutLoops(c.trial[:0], m, c.polys[first], c.links[first:last])
	looped := len(c.trial) < last-first
	if looped {
		last = c.replace(m, first, last, c.trial)
	}
	c.pull(m, start, goal, first, last)
	if s.mixed && !looped {
		q.takeRoots(start, goal, first, last)
	}
	if s.mixed || s.request.plain {
		last = q.shorten(start, goal, first, last)
	}
	polys := c.polys[first : last+1]
	for i, t := range c.turns {
		poly := polys[min(t.Portal+1, len(polys)-1)]
		if i > 0 {
			q.leg(dst, c.turns[i-1], t, polys)
		}
		dst.Points = append(dst.Points, PathPoint{Pos: t.Pos, Poly: poly})
	}
	return last
}

// replace puts other links in the place of the links first to last and returns
// the index that last has afterwards.
func (c *corridor) replace(m *Mesh, first, last int, links []uint32) int {
	c.links = slices.Replace(c.links, first, last, links...)
	c.walk(m, c.polys[0])
	return first + len(links)
}

// pull fills portals and turns for the links first to last.
func (c *corridor) pull(m *Mesh, start, goal geom.Vec3, first, last int) {
	c.portals = c.portals[:0]
	for _, k := range c.links[first:last] {
		l := &m.links[k]
		c.portals = append(c.portals, Portal{l.right.Wide(), l.left.Wide()})
	}
	alignPortals(c.portals)
	c.turns = c.chains.appendTaut(c.turns[:0], start, goal, c.portals)
	if missedPortal(c.turns, c.portals, missSlack) >= 0 {
		// Nothing known leads here; but a line that leaves its corridor must
		// never be an answer, and this one cannot.
		c.throughMiddles(start, goal)
	}
}

// missSlack is by how many metres a leg may pass outside the end of a portal:
// what float64 leaves of coordinates up to CoordLimit.
const missSlack = 1e-6

// throughMiddles makes turns at the middle of every portal.
func (c *corridor) throughMiddles(start, goal geom.Vec3) {
	c.turns = append(c.turns[:0], Turn{Pos: start, Portal: -1})
	for j := range c.portals {
		p := &c.portals[j]
		c.turns = append(c.turns, Turn{Pos: geom.Lerp(p.Right, p.Left, 0.5), Portal: j})
	}
	c.turns = append(c.turns, Turn{Pos: goal, Portal: len(c.portals)})
}

// leg appends the crossings between two turns, and counts the length of the
// leg.
func (q *Query) leg(dst *Path, a, b Turn, polys []PolyID) {
	m, s := q.mesh, &q.search
	c := &s.corridor
	if s.mixed {
		dst.Cost += q.legCost(a, b, polys)
	}
	before := dst.Length
	last := a.Pos
	walk := legWalk{a: a.Pos, b: b.Pos}
	for j := a.Portal + 1; j < b.Portal && s.request.crossings != NoCrossings; j++ {
		_, at := walk.cross(&c.portals[j])
		if s.request.crossings == AreaCrossings && m.polys[polys[j]].area == m.polys[polys[j+1]].area {
			continue
		}
		if coincide(at, last, c.chains.slack) || coincide(at, b.Pos, c.chains.slack) {
			continue
		}
		dst.Points = append(dst.Points, PathPoint{Pos: at, Poly: polys[j+1]})
		dst.Length += geom.Dist(last, at)
		last = at
	}
	dst.Length += geom.Dist(last, b.Pos)
	if !s.mixed {
		dst.Cost += float64((dst.Length - before) * s.cost[m.polys[polys[0]].area&63])
	}
}

// legCost returns the cost of the straight leg between two turns: that of each
// polygon for its share of the leg.
func (q *Query) legCost(a, b Turn, polys []PolyID) float64 {
	m, s := q.mesh, &q.search
	c := &s.corridor
	walk := legWalk{a: a.Pos, b: b.Pos}
	sum, from := 0.0, 0.0
	for j := a.Portal + 1; j < b.Portal; j++ {
		u, _ := walk.cross(&c.portals[j])
		sum += float64((u - from) * s.cost[m.polys[polys[j]].area&63])
		from = u
	}
	end := polys[min(b.Portal, len(polys)-1)]
	sum += float64((1 - from) * s.cost[m.polys[end].area&63])
	return float64(sum * geom.Dist(a.Pos, b.Pos))
}

// legWalk walks along a straight leg over its portals.
type legWalk struct {
	a, b geom.Vec3
	u    float64 // how far it has come
}

// cross returns where the leg crosses a portal, as a parameter of the leg that
// never falls back behind the portal before, and as a point of the portal.
func (w *legWalk) cross(p *Portal) (u float64, at geom.Vec3) {
	t, ok := crossing(p.Right, p.Left, w.a, w.b)
	if !ok {
		// The leg runs along the portal: what it comes to first.
		t, _ = geom.ClosestOnSegXZ(w.a, p.Right, p.Left)
	}
	at = geom.Lerp(p.Right, p.Left, min(max(t, 0), 1))
	dx, dz := w.b.X-w.a.X, w.b.Z-w.a.Z
	den := float64(dx*dx) + float64(dz*dz)
	if den > 0 {
		w.u = min(max((float64((at.X-w.a.X)*dx)+float64((at.Z-w.a.Z)*dz))/den, w.u), 1)
	}
	return w.u, at
}
