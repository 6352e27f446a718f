package wend

import (
	"context"

	"wend/geom"
	"wend/navmesh"
	"wend/route"
)

// The answer to a request, see package route.
type (
	Route       = route.Route
	Point       = route.Point
	Failure     = route.Failure
	Status      = route.Status
	PlanOptions = route.Options
	// LocateOptions say how a point is put on the surface.
	LocateOptions = navmesh.NearestOptions
	// Place is where a point lies on the surface.
	Place = navmesh.Nearest
)

// The statuses of a route.
const (
	Complete    = route.Complete
	Partial     = route.Partial
	Unreachable = route.Unreachable
	Budget      = route.Budget
	NoGo        = route.NoGo
	OffMesh     = route.OffMesh
	Cancelled   = route.Cancelled
	BadInput    = route.BadInput
)

// Query plans on a World. It owns scratch memory: use one per goroutine and
// keep it; after warm-up PlanInto allocates nothing but what the route needs
// beyond its last size.
type Query struct {
	world    *World
	planners []*route.MeshPlanner // one for each body, made when first used
}

// NewQuery returns a Query on w.
func (w *World) NewQuery() *Query {
	return &Query{world: w, planners: make([]*route.MeshPlanner, len(w.meshes))}
}

func (q *Query) planner(body int) *route.MeshPlanner {
	if q.planners[body] == nil {
		m := q.world.meshes[body]
		q.planners[body] = route.NewMeshPlanner(m.Mesh, m.Body.Radius, q.world.print)
	}
	return q.planners[body]
}

// Locate finds the place on the smallest body's surface that a point stands
// for. A miss is Place.Found false, with the distance to the nearest surface. The
// errors are those of navmesh.Query.Nearest, and a *NoBodyError in a world
// without a mesh.
func (q *Query) Locate(p geom.Vec3, o *LocateOptions) (Place, error) {
	if len(q.planners) == 0 {
		return Place{Location: navmesh.Location{Poly: navmesh.NoPoly}}, &NoBodyError{}
	}
	return q.planner(0).Query().Nearest(p, o)
}

// Surfaces lists the surfaces within radius metres of x, z seen from above, one
// a storey, from the lowest up. The errors are those of
// navmesh.Query.AppendSurfaces, and a *NoBodyError in a world without a mesh.
func (q *Query) Surfaces(x, z, radius float64) ([]navmesh.Location, error) {
	if len(q.planners) == 0 {
		return nil, &NoBodyError{}
	}
	return q.planner(0).Query().AppendSurfaces(nil, x, z, radius, nil)
}

// Plan finds a way for an agent. The mesh of the smallest body that fits the
// agent is used; none is a *NoBodyError. See route.MeshPlanner.Plan for the
// statuses and the other errors.
func (q *Query) Plan(ctx context.Context, from, to geom.Vec3, a Agent, o *PlanOptions) (*Route, error) {
	r := new(Route)
	err := q.PlanInto(ctx, r, from, to, a, o)
	return r, err
}

// PlanInto is Plan into a Route whose memory is used again.
func (q *Query) PlanInto(ctx context.Context, dst *Route, from, to geom.Vec3, a Agent, o *PlanOptions) error {
	body, err := q.world.BodyFor(a)
	if err != nil {
		*dst = Route{Status: BadInput, World: q.world.print, Points: dst.Points[:0], Failure: &Failure{Code: "agent", Message: err.Error()}}
		return err
	}
	return q.planner(body).Plan(ctx, from, to, o, dst)
}
