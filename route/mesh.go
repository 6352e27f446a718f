package route

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"wend/geom"
	"wend/navmesh"
)

// Options refine a request. nil and the zero value mean: snap both ends to the
// nearest surface in the default box, walk everywhere but in no-go zones, take
// every area at its length, search without a limit, and answer with the
// nearest reachable place when the goal is out of reach.
type Options struct {
	// From and To say how each end is put on the surface: the box, the
	// storey, the policy. Their Filter is not used: Filter below is.
	From, To *navmesh.NearestOptions

	// Filter closes polygons and prices areas. nil closes no-go zones and
	// prices every area at 1.
	Filter *navmesh.Filter

	// NoPartial answers Unreachable instead of Partial when no way leads to
	// the goal; where the islands tell, that takes no search.
	NoPartial bool

	// Search is the way the route is looked for: exactly, or by a corridor
	// whose work is bounded by the number of polygons.
	Search navmesh.Search

	// MaxNodes bounds the search: the status is Budget when it takes up more
	// nodes, see navmesh.PathOptions. 0: no limit.
	MaxNodes int

	// MaxClearance is how far from each point walls are looked for, metres: a
	// point with nothing nearer has this clearance. 0 leaves clearances out,
	// which saves the time.
	MaxClearance float64
}

// Codes of Failure, for programs.
const (
	CodeStartOffMesh = "start_off_mesh"
	CodeGoalOffMesh  = "goal_off_mesh"
	CodeStartNoGo    = "start_in_no_go"
	CodeGoalNoGo     = "goal_in_no_go"
	CodeUnreachable  = "unreachable"
	CodeBudget       = "budget"
	CodeCancelled    = "cancelled"
	CodeBadInput     = "bad_input"
)

// MeshPlanner plans on a polygon navmesh. It owns scratch memory and belongs
// to one goroutine at a time.
type MeshPlanner struct {
	mesh   *navmesh.Mesh
	query  *navmesh.Query
	path   navmesh.Path
	world  string
	radius float64

	hasNoGo bool // some ground lies in a no-go zone
}

// NewMeshPlanner returns a planner on m for a body of the given radius, which
// the mesh keeps from walls by itself. world is the fingerprint that routes
// carry.
func NewMeshPlanner(m *navmesh.Mesh, radius float64, world string) *MeshPlanner {
	p := &MeshPlanner{
		mesh: m, query: m.NewQuery(), world: world, radius: radius,
	}
	for id := range navmesh.PolyID(m.Len()) {
		if m.Poly(id).Flags()&navmesh.FlagNoGo != 0 {
			p.hasNoGo = true
			break
		}
	}
	return p
}

// Query returns the query the planner works with.
func (p *MeshPlanner) Query() *navmesh.Query { return p.query }

// Plan finds a way from one point to another and puts it into dst, whose
// memory is used again.
//
// Every outcome is a status of dst, which is never left zero. An error goes
// with the statuses BadInput (it wraps navmesh.ErrBadInput) and Cancelled (it
// wraps the cause of the context's end). The length is measured along the points in three
// dimensions. The last point always lies on the mesh: a partial route ends at
// the reachable place nearest to the goal, and Failure.Gap says how far that
// is.
func (p *MeshPlanner) Plan(ctx context.Context, from, to geom.Vec3, o *Options, dst *Route) error {
	start := time.Now()
	*dst = Route{World: p.world, Points: dst.Points[:0], Stats: Stats{Planner: "mesh"}}
	if o == nil {
		o = &Options{}
	}
	snapped, err := p.plan(ctx, from, to, o, o.Filter, dst)
	end := time.Now()
	dst.Stats.Total = end.Sub(start)
	if !snapped.IsZero() {
		dst.Stats.Snap, dst.Stats.Search = snapped.Sub(start), end.Sub(snapped)-dst.Stats.Geometry
	}
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, navmesh.ErrBadInput): // all else that fails is the context
		dst.Status, dst.Failure = Cancelled, &Failure{Code: CodeCancelled, Message: "the search was cancelled"}
	default:
		dst.Status, dst.Failure = BadInput, &Failure{Code: CodeBadInput, Message: err.Error()}
	}
	dst.Points, dst.Length, dst.Cost = dst.Points[:0], 0, 0
	return err
}

// plan answers a request but for the statuses that go with an error. It returns
// when both ends had been looked for; the zero time if they never were.
func (p *MeshPlanner) plan(ctx context.Context, from, to geom.Vec3, o *Options, filter *navmesh.Filter, dst *Route) (snapped time.Time, err error) {
	if !(o.MaxClearance >= 0 && o.MaxClearance <= navmesh.PointLimit) {
		return snapped, fmt.Errorf("%w: max clearance %v is not a length of 0 to %d m", navmesh.ErrBadInput, o.MaxClearance, navmesh.PointLimit)
	}
	if o.MaxNodes < 0 {
		return snapped, fmt.Errorf("%w: max nodes %d is under 0", navmesh.ErrBadInput, o.MaxNodes)
	}
	if o.Search > navmesh.SearchCorridor {
		return snapped, fmt.Errorf("%w: search %d is none of 0 to %d", navmesh.ErrBadInput, o.Search, navmesh.SearchCorridor)
	}
	if err := filter.Validate(); err != nil {
		return snapped, err
	}
	a, missA, err := p.snap("start", from, o.From, filter)
	if err != nil {
		return snapped, err
	}
	b, missB, err := p.snap("goal", to, o.To, filter)
	if err != nil {
		return snapped, err
	}
	snapped = time.Now()
	dst.SnapStart, dst.SnapEnd = a.Distance, b.Distance
	if miss := missA; miss != nil || missB != nil {
		if miss == nil {
			miss = missB
		}
		dst.Status, dst.Failure = miss.status, &miss.Failure
		return snapped, nil
	}

	err = p.query.Path(ctx, a.Location, b.Location, filter, &navmesh.PathOptions{
		AllowPartial: !o.NoPartial, MaxNodes: o.MaxNodes, Search: o.Search,
	}, &p.path)
	if err != nil {
		return snapped, err
	}
	p.fill(dst, b.Pos)
	if o.MaxClearance > 0 {
		begin := time.Now()
		p.clearances(dst, o.MaxClearance, filter)
		dst.Stats.Geometry = time.Since(begin)
	}
	return snapped, nil
}

// miss is an end that is not on walkable ground.
type miss struct {
	Failure
	status Status
}

// snap puts an end on the surface. A miss is not an error.
func (p *MeshPlanner) snap(end string, at geom.Vec3, o *navmesh.NearestOptions, filter *navmesh.Filter) (navmesh.Nearest, *miss, error) {
	var opt navmesh.NearestOptions
	if o != nil {
		opt = *o
	}
	opt.Filter = filter
	near, err := p.query.Nearest(at, &opt)
	if err != nil {
		return near, nil, fmt.Errorf("%s: %w", end, err)
	}
	if p.hasNoGo && closesNoGo(filter) {
		// An end inside a no-go zone must not quietly move out of it.
		open := navmesh.Filter{IncludeFlags: math.MaxUint16}
		if filter != nil {
			open.ExcludeFlags = filter.ExcludeFlags &^ navmesh.FlagNoGo
			if filter.IncludeFlags != 0 {
				open.IncludeFlags = filter.IncludeFlags | navmesh.FlagNoGo
			}
		}
		opt.Filter = &open
		any, err := p.query.Nearest(at, &opt)
		if err != nil {
			return near, nil, fmt.Errorf("%s: %w", end, err)
		}
		if any.Found && any.Over && p.mesh.Poly(any.Poly).Flags()&navmesh.FlagNoGo != 0 {
			code := CodeStartNoGo
			if end == "goal" {
				code = CodeGoalNoGo
			}
			return near, &miss{Failure{Code: code, Message: "the " + end + " lies in a no-go zone"}, NoGo}, nil
		}
	}
	if near.Found {
		return near, nil, nil
	}
	m := &miss{Failure{Code: CodeStartOffMesh}, OffMesh}
	if end == "goal" {
		m.Code = CodeGoalOffMesh
	}
	m.Message = fmt.Sprintf("the %s is not on the mesh: the nearest surface is %.2f m away", end, near.MissDistance)
	if math.IsInf(near.MissDistance, 0) {
		m.Message = "the " + end + " is not on the mesh: no surface is open to it"
	}
	return near, m, nil
}

// closesNoGo reports whether a filter keeps out of no-go zones; one that
// includes no flag by name does.
func closesNoGo(f *navmesh.Filter) bool {
	return f == nil || f.ExcludeFlags&navmesh.FlagNoGo != 0 || f.IncludeFlags == 0
}

// fill turns the path into the route.
func (p *MeshPlanner) fill(dst *Route, goal geom.Vec3) {
	path := &p.path
	for i := range path.Points {
		pt := &path.Points[i]
		out := Point{Pos: pt.Pos, Kind: Corner, Storey: p.mesh.Poly(pt.Poly).Storey()}
		if pt.Link {
			out.Kind = Link
		}
		dst.Points = append(dst.Points, out)
	}
	dst.Length, dst.Cost = path.Length, path.Cost
	dst.Stats.Expanded, dst.Stats.Pushed = path.Expanded, path.Pushed
	switch path.Outcome {
	case navmesh.Complete:
		dst.Status = Complete
		dst.Points[len(dst.Points)-1].Kind = Goal
		return
	case navmesh.Partial:
		dst.Status = Partial
		dst.Failure = &Failure{Code: CodeUnreachable}
	case navmesh.Unreachable:
		dst.Status = Unreachable
		dst.Failure = &Failure{Code: CodeUnreachable, Message: "no way leads to the goal"}
	case navmesh.Budget:
		dst.Status = Budget
		dst.Failure = &Failure{Code: CodeBudget}
	}
	if len(dst.Points) == 0 {
		return
	}
	end := dst.Points[len(dst.Points)-1].Pos
	gap := &Gap{From: end, To: goal, Width: geom.Dist(end, goal)}
	dst.Failure.Gap = gap
	switch dst.Status {
	case Partial:
		dst.Failure.Message = fmt.Sprintf("no way leads to the goal: the route ends %.2f m from it", gap.Width)
	case Budget:
		dst.Failure.Message = fmt.Sprintf("the search ended at its limit of polygons, %.2f m from the goal", gap.Width)
	}
}
