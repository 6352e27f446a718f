package route_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
)

// court is a floor of 40 x 40 m with a wall that has a gap at its south end, a
// platform 5 m up that nothing leads to, a no-go zone in the north-east, and a
// way down by a one-way link from the platform.
func court() *scene.Scene {
	b := wendtest.NewBuilder()
	b.Floor(0, 0, 40, 40, 0)
	b.Box(geom.V3(19.5, 0, 0), geom.V3(20.5, 3, 34))
	b.Box(geom.V3(4, 0, 30), geom.V3(12, 5, 38))
	b.Scene.NoGo = []scene.NoGo{{
		Name: "pool", Ring: []geom.Vec2{{X: 30, Y: 2}, {X: 38, Y: 2}, {X: 38, Y: 10}, {X: 30, Y: 10}}, MinY: -1, MaxY: 2,
	}}
	b.Scene.Links = []scene.Link{{
		Name: "jump", From: geom.V3(11, 5, 34), To: geom.V3(14, 0, 34), Radius: 1, OneWay: true,
	}}
	return b.Scene
}

func planner(t *testing.T, sc *scene.Scene) *route.MeshPlanner {
	t.Helper()
	res, err := bake.Run(t.Context(), sc, bake.Human(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(res.Report.Bodies[0].Unattached); n > 0 {
		t.Fatalf("%d links found no surface: %+v", n, res.Report.Bodies[0].Unattached)
	}
	return route.NewMeshPlanner(res.Meshes[0].Mesh, 0.6, "w")
}

func TestStatuses(t *testing.T) {
	p := planner(t, court())
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	var (
		west, east = geom.V3(5, 0, 5), geom.V3(35, 0, 15)
		platform   = geom.V3(7, 5, 33)
		nan        = geom.V3(math.NaN(), 0, 0)
	)
	for _, tt := range []struct {
		name     string
		ctx      context.Context
		from, to geom.Vec3
		o        *route.Options
		want     route.Status
		code     string
	}{
		{"round the wall", nil, west, east, nil, route.Complete, ""},
		{"start is goal", nil, west, west, nil, route.Complete, ""},
		{"down the link", nil, platform, west, nil, route.Complete, ""},
		{"up the one-way link", nil, west, platform, nil, route.Partial, route.CodeUnreachable},
		{"up, nothing partial", nil, west, platform, &route.Options{NoPartial: true}, route.Unreachable, route.CodeUnreachable},
		{"goal inside the wall", nil, west, geom.V3(20, 0, 17), &route.Options{To: &navmesh.NearestOptions{HalfExtents: geom.V3(0.5, 1, 0.5)}}, route.OffMesh, route.CodeGoalOffMesh},
		{"goal 50 m outside", nil, west, geom.V3(90, 0, 5), nil, route.OffMesh, route.CodeGoalOffMesh},
		{"start outside", nil, geom.V3(-50, 0, 5), east, nil, route.OffMesh, route.CodeStartOffMesh},
		{"goal far above", nil, west, geom.V3(35, 80, 15), nil, route.OffMesh, route.CodeGoalOffMesh},
		{"start in the pool", nil, geom.V3(34, 0, 6), west, nil, route.NoGo, route.CodeStartNoGo},
		{"goal in the pool", nil, west, geom.V3(34, 0, 6), nil, route.NoGo, route.CodeGoalNoGo},
		{"pool opened by a filter", nil, west, geom.V3(34, 0, 6), &route.Options{Filter: &navmesh.Filter{IncludeFlags: math.MaxUint16}}, route.Complete, ""},
		{"budget", nil, west, east, &route.Options{MaxNodes: 1}, route.Budget, route.CodeBudget},
		{"cancelled", cancelled, west, east, nil, route.Cancelled, route.CodeCancelled},
		{"start is no point", nil, nan, east, nil, route.BadInput, route.CodeBadInput},
		{"goal is no point", nil, west, nan, nil, route.BadInput, route.CodeBadInput},
		{"goal too far to count", nil, west, geom.V3(1e300, 0, 0), nil, route.BadInput, route.CodeBadInput},
		{"clearance is no length", nil, west, east, &route.Options{MaxClearance: math.NaN()}, route.BadInput, route.CodeBadInput},
		{"budget under 0", nil, west, east, &route.Options{MaxNodes: -1}, route.BadInput, route.CodeBadInput},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := tt.ctx
			if ctx == nil {
				ctx = t.Context()
			}
			var r route.Route
			err := p.Plan(ctx, tt.from, tt.to, tt.o, &r)
			if r.Status != tt.want {
				t.Fatalf("status %v, want %v (%+v, %v)", r.Status, tt.want, r.Failure, err)
			}
			if (err != nil) != (tt.want == route.BadInput || tt.want == route.Cancelled) {
				t.Errorf("error %v with status %v", err, tt.want)
			}
			if tt.want == route.BadInput && !errors.Is(err, navmesh.ErrBadInput) {
				t.Errorf("error %v does not wrap ErrBadInput", err)
			}
			if tt.want == route.Cancelled && !errors.Is(err, context.Canceled) {
				t.Errorf("error %v is not the context's", err)
			}
			if (r.Failure == nil) != (tt.want == route.Complete) {
				t.Fatalf("failure %+v", r.Failure)
			}
			if r.Failure != nil && (r.Failure.Code != tt.code || r.Failure.Message == "") {
				t.Errorf("failure %+v, want the code %s and a sentence", r.Failure, tt.code)
			}
			if (r.Err() == nil) != (tt.want == route.Complete) {
				t.Errorf("Err() = %v", r.Err())
			}
			if r.World != "w" || r.Stats.Planner != "mesh" {
				t.Errorf("world %q, planner %q", r.World, r.Stats.Planner)
			}
			length := 0.0
			for i := 1; i < len(r.Points); i++ {
				length += geom.Dist(r.Points[i-1].Pos, r.Points[i].Pos)
			}
			if math.Abs(length-r.Length) > 1e-9*(1+length) {
				t.Errorf("length %v, along the points %v", r.Length, length)
			}
			for _, pt := range r.Points {
				near, err := p.Query().Nearest(pt.Pos, &navmesh.NearestOptions{Filter: &navmesh.Filter{IncludeFlags: math.MaxUint16}})
				if err != nil || !near.Found || near.Distance > 0.3 {
					t.Errorf("point %v is off the mesh: %+v", pt.Pos, near)
				}
			}
		})
	}
}

func TestPartialNamesTheGap(t *testing.T) {
	p := planner(t, court())
	var r route.Route
	goal := geom.V3(7, 5, 33)
	if err := p.Plan(t.Context(), geom.V3(5, 0, 5), goal, nil, &r); err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Gap == nil {
		t.Fatalf("failure %+v", r.Failure)
	}
	g, end := r.Failure.Gap, r.Points[len(r.Points)-1]
	if g.From != end.Pos || geom.Dist(g.To, goal) > 0.3 || math.Abs(g.Width-geom.Dist(g.From, g.To)) > 1e-9 {
		t.Errorf("gap %+v, the route ends at %v", g, end.Pos)
	}
	if end.Kind == route.Goal {
		t.Error("a partial route ends at the goal")
	}
}

func TestLinkPoints(t *testing.T) {
	p := planner(t, court())
	var r route.Route
	if err := p.Plan(t.Context(), geom.V3(7, 5, 33), geom.V3(16, 0, 34), nil, &r); err != nil {
		t.Fatal(err)
	}
	links := 0
	for i, pt := range r.Points {
		if pt.Kind == route.Link {
			links++
			if next := r.Points[i+1].Pos; pt.Pos.Y < 4.5 || next.Y > 0.5 {
				t.Errorf("the link leads from %v to %v", pt.Pos, next)
			}
		}
	}
	if links != 1 || r.Points[len(r.Points)-1].Kind != route.Goal {
		t.Errorf("%d links, points %+v", links, r.Points)
	}
}

func TestClearance(t *testing.T) {
	p := planner(t, court())
	var r route.Route
	if err := p.Plan(t.Context(), geom.V3(10, 0, 15), geom.V3(30, 0, 20), &route.Options{MaxClearance: 5}, &r); err != nil {
		t.Fatal(err)
	}
	for i, pt := range r.Points {
		switch {
		case i == 0:
			if pt.Clearance != 5 {
				t.Errorf("clearance in the open is %v, want the limit 5", pt.Clearance)
			}
		case pt.Kind == route.Corner:
			// Corners lie on the edge of the mesh, a radius from the wall.
			if math.Abs(pt.Clearance-0.6) > 1e-6 {
				t.Errorf("clearance at corner %v is %v, want 0.6", pt.Pos, pt.Clearance)
			}
		}
	}
}

func TestRouteJSON(t *testing.T) {
	r := route.Route{
		Status: route.Partial, World: "abc", Length: 12.5,
		Points: []route.Point{
			{Pos: geom.V3(0, 0, 0), Clearance: 1.2, Storey: 3, Kind: route.Corner},
			{Pos: geom.V3(1, 2, 3), Kind: route.Drop},
			{Pos: geom.V3(1, 1, 4), Kind: route.Corner},
		},
		SnapStart: 0.1,
		Failure:   &route.Failure{Code: "unreachable", Message: "no", Gap: &route.Gap{From: geom.V3(1, 1, 4), To: geom.V3(1, 1, 6.5), Width: 2.5}},
		Stats:     route.Stats{Planner: "mesh", Expanded: 7},
	}
	data, err := json.Marshal(&r)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"status":"partial","world":"abc","length":12.5,"cost":0,` +
		`"points":[{"x":0,"y":0,"z":0,"clearance":1.2,"storey":3,"kind":"corner"},` +
		`{"x":1,"y":2,"z":3,"clearance":0,"storey":0,"kind":"drop"},` +
		`{"x":1,"y":1,"z":4,"clearance":0,"storey":0,"kind":"corner"}],` +
		`"waypoints":[1,2],"drops":[{"index":2,"y":1}],"snap":{"start":0.1,"end":0},"warnings":[],` +
		`"failure":{"code":"unreachable","message":"no","gap":{"from":[1,1,4],"to":[1,1,6.5],"width":2.5,"plan":2.5,"rise":0}},` +
		`"stats":{"planner":"mesh","tier":0,"window_cells":0,"expanded":7,"pushed":0,"ms":{"snap":0,"window":0,"topology":0,"geometry":0,"total":0}}}`
	if string(data) != want {
		t.Errorf("got\n%s\nwant\n%s", data, want)
	}
}

func TestSteadyPlansAllocateNothing(t *testing.T) {
	p := planner(t, court())
	var r route.Route
	plan := func() {
		if err := p.Plan(t.Context(), geom.V3(5, 0, 5), geom.V3(35, 0, 15), nil, &r); err != nil {
			t.Fatal(err)
		}
	}
	plan()
	if n := testing.AllocsPerRun(100, plan); n > 0 {
		t.Errorf("%v allocations a plan", n)
	}
}
