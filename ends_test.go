package wend_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
)

// plan asks for a route and fails on errors and on answers that contradict
// themselves.
func plan(t *testing.T, q *wend.Query, from, to geom.Vec3, o *wend.PlanOptions) *wend.Route {
	t.Helper()
	r, err := q.Plan(t.Context(), from, to, wend.Agent{}, o)
	if err != nil {
		t.Fatal(err)
	}
	checkRoute(t, q, r)
	return r
}

// checkRoute fails when the parts of a route contradict each other.
func checkRoute(t *testing.T, q *wend.Query, r *wend.Route) {
	t.Helper()
	length := 0.0
	for i, p := range r.Points {
		if i > 0 {
			d := geom.Dist(r.Points[i-1].Pos, p.Pos)
			if d == 0 {
				t.Errorf("points %d and %d are the same", i-1, i)
			}
			length += d
		}
		if (p.Kind == route.Goal) != (i == len(r.Points)-1 && r.Status == wend.Complete) {
			t.Errorf("point %d of %d is a %v, status %v", i, len(r.Points), p.Kind, r.Status)
		}
		near, err := q.Locate(p.Pos, &wend.LocateOptions{Filter: &navmesh.Filter{IncludeFlags: math.MaxUint16}})
		if err != nil || !near.Found || near.Distance > 0.25 {
			t.Errorf("point %d, %v, lies %v m off the mesh (%v)", i, p.Pos, near.Distance, err)
		}
	}
	if math.Abs(length-r.Length) > 1e-9*(1+length) {
		t.Errorf("length %v, along the points %v", r.Length, length)
	}
	switch r.Status {
	case wend.Complete:
		if r.Failure != nil || len(r.Points) == 0 || r.Err() != nil {
			t.Errorf("complete, with failure %+v and %d points", r.Failure, len(r.Points))
		}
	case wend.Partial, wend.Budget:
		if len(r.Points) == 0 || r.Failure == nil || r.Failure.Gap == nil {
			t.Fatalf("%v with failure %+v and %d points", r.Status, r.Failure, len(r.Points))
		}
		g := r.Failure.Gap
		if g.From != r.Points[len(r.Points)-1].Pos || math.Abs(g.Width-geom.Dist(g.From, g.To)) > 1e-9 || !(g.Width > 0) {
			t.Errorf("gap %+v, the route ends at %v", *g, r.Points[len(r.Points)-1].Pos)
		}
	default:
		if len(r.Points) != 0 || r.Length != 0 || r.Failure == nil {
			t.Errorf("%v with failure %+v and %d points", r.Status, r.Failure, len(r.Points))
		}
	}
	if r.Failure != nil {
		var se *route.StatusError
		if r.Failure.Code == "" || r.Failure.Message == "" || !errors.As(r.Err(), &se) || se.Status != r.Status || !strings.Contains(se.Error(), r.Failure.Message) {
			t.Errorf("failure %+v, error %v", *r.Failure, r.Err())
		}
	}
}

// A start at the goal is a success of length 0, wherever it lies.
func TestStartIsGoal(t *testing.T) {
	w := mustWorld(t, hall(), nil)
	q := w.NewQuery()
	m := w.Mesh(0)
	var vertex geom.Vec3
	found := false
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		for i := range p.Len() {
			if v := p.Corner(i); v.Y < 1 && v.X > 2 && v.X < 18 && v.Z > 2 && v.Z < 38 {
				vertex, found = v, true
			}
		}
	}
	if !found {
		t.Fatal("no vertex inside the floor")
	}
	west := m.Bounds().Min.X
	floor := plan(t, q, geom.V3(5, 0, 5), geom.V3(5, 0, 5), nil).Points[0].Pos.Y
	for _, tt := range []struct {
		name     string
		from, to geom.Vec3
		points   int
		length   float64
		snap     float64
	}{
		{"mid polygon", geom.V3(5, floor, 5), geom.V3(5, floor, 5), 1, 0, 0},
		{"on a vertex", vertex, vertex, 1, 0, 0},
		{"0.2 above", geom.V3(5, floor+0.2, 5), geom.V3(5, floor+0.2, 5), 1, 0, 0.2},
		{"0.2 aside", geom.V3(west-0.2, floor, 5), geom.V3(west-0.2, floor, 5), 1, 0, 0.2},
		{"1e-9 apart", geom.V3(5, floor, 5), geom.V3(5+1e-9, floor, 5), 2, 1e-9, 0},
		{"1e-9 above", geom.V3(5, floor, 5), geom.V3(5, floor+1e-9, 5), 1, 0, 0},
		{"one polygon", geom.V3(5, floor, 5), geom.V3(8, floor, 9), 2, 5, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // a query that is used again answers the same
				r := plan(t, q, tt.from, tt.to, nil)
				if r.Status != wend.Complete {
					t.Fatalf("%v: %+v", r.Status, r.Failure)
				}
				// So near one another, points may count as one.
				if n := len(r.Points); n != tt.points && (n > tt.points || tt.length > 1e-6) {
					t.Errorf("%d points, want %d: %v", n, tt.points, r.Points)
				}
				if math.Abs(r.Length-tt.length) > 1e-6*max(tt.length, 1e-2) || math.Abs(r.Cost-tt.length) > 1e-6*max(tt.length, 1e-2) {
					t.Errorf("length %v, cost %v, want %v", r.Length, r.Cost, tt.length)
				}
				if math.Abs(r.SnapStart-tt.snap) > 0.02 || math.Abs(r.SnapEnd-tt.snap) > 0.02 {
					t.Errorf("snapped by %v and %v, want %v", r.SnapStart, r.SnapEnd, tt.snap)
				}
			}
		})
	}
	// A tour whose first two stops coincide is as long as one without the
	// repeated stop.
	stops := []geom.Vec3{{X: 5, Z: 5}, {X: 5, Z: 5}, {X: 35, Z: 5}, {X: 8, Z: 20}}
	sum := 0.0
	for i := 1; i < len(stops); i++ {
		sum += plan(t, q, stops[i-1], stops[i], nil).Length
	}
	if want := plan(t, q, stops[0], stops[2], nil).Length + plan(t, q, stops[2], stops[3], nil).Length; sum != want {
		t.Errorf("the tour is %v m long, want %v", sum, want)
	}
}

// A route that does not come to the goal never looks as if it did.
func TestGoalsOutOfReach(t *testing.T) {
	// A wall 8 m thick across the floor, which does not go on in it, and a block
	// whose top is an island.
	b := wendtest.NewBuilder().Floor(0, 0, 20, 40, 0).Floor(28, 0, 40, 40, 0).Floor(20, 0, 28, 5, 0)
	b.Box(geom.V3(20, -1, 5), geom.V3(28, 8, 40))
	b.Box(geom.V3(4, 0, 30), geom.V3(12, 5, 38))
	q := mustWorld(t, b.Scene, nil).NewQuery()
	start := geom.V3(5, 0, 5)
	for _, tt := range []struct {
		name     string
		from, to geom.Vec3
		status   wend.Status
		strict   wend.Status // with NoPartial
		code     string
		ends     geom.Vec3 // where a partial route ends
	}{
		{"island goal", start, geom.V3(8, 5, 34), wend.Partial, wend.Unreachable, route.CodeUnreachable, geom.V3(8, 0, 29.4)},
		{"3 m inside a wall", start, geom.V3(24, 0, 20), wend.OffMesh, wend.OffMesh, route.CodeGoalOffMesh, geom.Vec3{}},
		{"a little inside a wall", start, geom.V3(20.5, 0, 20), wend.Complete, wend.Complete, "", geom.Vec3{}},
		{"50 m outside", start, geom.V3(90, 0, 20), wend.OffMesh, wend.OffMesh, route.CodeGoalOffMesh, geom.Vec3{}},
		{"start outside", geom.V3(-50, 0, 20), start, wend.OffMesh, wend.OffMesh, route.CodeStartOffMesh, geom.Vec3{}},
		{"both outside", geom.V3(-50, 0, 20), geom.V3(90, 0, 20), wend.OffMesh, wend.OffMesh, route.CodeStartOffMesh, geom.Vec3{}},
		{"goal above the map", start, geom.V3(35, 60, 20), wend.OffMesh, wend.OffMesh, route.CodeGoalOffMesh, geom.Vec3{}},
		{"goal below the map", start, geom.V3(35, -60, 20), wend.OffMesh, wend.OffMesh, route.CodeGoalOffMesh, geom.Vec3{}},
		{"start on an island", geom.V3(8, 5, 34), start, wend.Partial, wend.Unreachable, route.CodeUnreachable, geom.V3(5, 5, 30.9)},
	} {
		for _, noPartial := range []bool{false, true} {
			name, want := tt.name, tt.status
			if noPartial {
				name, want = name+", nothing partial", tt.strict
			}
			t.Run(name, func(t *testing.T) {
				r := plan(t, q, tt.from, tt.to, &wend.PlanOptions{NoPartial: noPartial})
				if r.Status != want {
					t.Fatalf("%v (%+v), want %v", r.Status, r.Failure, want)
				}
				if tt.code != "" && r.Failure.Code != tt.code {
					t.Errorf("code %q, want %q", r.Failure.Code, tt.code)
				}
				if want == wend.Unreachable && r.Stats.Expanded != 0 {
					t.Errorf("%d nodes expanded to compare two labels", r.Stats.Expanded)
				}
				if want == wend.Partial {
					end := r.Points[len(r.Points)-1].Pos
					if geom.Dist(end, tt.ends) > 2 && geom.DistXZ(end, tt.ends) > 1 {
						t.Errorf("the route ends at %v, want near %v", end, tt.ends)
					}
				}
			})
		}
	}
	t.Run("the nearest surface is named", func(t *testing.T) {
		r := plan(t, q, start, geom.V3(90, 0, 20), nil)
		if !strings.Contains(r.Failure.Message, "the goal is not on the mesh: the nearest surface is 50.") {
			t.Errorf("the message is %q", r.Failure.Message)
		}
	})
}

// Snapping obeys the options of each end.
func TestEndsAreSnappedAsAsked(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 30, 30, 0)
	b.Box(geom.V3(10, 2.5, 10), geom.V3(20, 2.75, 20)) // a deck over the floor
	w := mustWorld(t, b.Scene, nil)
	q := w.NewQuery()
	onDeck, under := geom.V3(15, 2.75, 15), geom.V3(15, 1.6, 15)
	start := geom.V3(5, 0, 5)
	if r := plan(t, q, start, onDeck, nil); r.Status != wend.Partial {
		t.Errorf("onto the deck: %v", r.Status)
	}
	below := &wend.LocateOptions{Policy: navmesh.PolicyBelow}
	if r := plan(t, q, start, under, &wend.PlanOptions{To: below}); r.Status != wend.Complete {
		t.Errorf("under the deck: %v %+v", r.Status, r.Failure)
	}
	if r := plan(t, q, under, start, &wend.PlanOptions{From: &wend.LocateOptions{Policy: navmesh.PolicyHighest}}); r.Status != wend.Partial {
		t.Errorf("from the deck: %v", r.Status)
	}
	near, err := q.Locate(onDeck, nil)
	if err != nil {
		t.Fatal(err)
	}
	deck := w.Mesh(0).Storey(near.Poly)
	r := plan(t, q, start, under, &wend.PlanOptions{To: &wend.LocateOptions{Storey: deck, StoreySet: true}})
	if r.Status != wend.Partial || r.Failure.Gap.To.Y < 2 {
		t.Errorf("to the deck's storey: %v %+v", r.Status, r.Failure)
	}
	if near, err := q.Locate(geom.V3(15, 90, 15), nil); err != nil || near.Found || math.Abs(near.MissDistance-87.25) > 0.2 {
		t.Errorf("90 m up: %+v, %v", near, err)
	}
	if list, err := q.Surfaces(15, 15, 0); err != nil || len(list) != 2 || list[0].Pos.Y > 0.2 || list[1].Pos.Y < 2.6 {
		t.Errorf("surfaces %+v, %v", list, err)
	}
}

// No-go zones refuse ends in them and turn routes round them.
func TestNoGoZones(t *testing.T) {
	sc := wendtest.NewBuilder().Floor(0, 0, 40, 20, 0).Scene
	open := plan(t, mustWorld(t, sc, nil).NewQuery(), geom.V3(5, 0, 5), geom.V3(35, 0, 5), nil)
	sc.NoGo = []scene.NoGo{{Name: "works", Ring: []geom.Vec2{{X: 18, Y: -1}, {X: 22, Y: -1}, {X: 22, Y: 12}, {X: 18, Y: 12}}, MinY: -1, MaxY: 1}}
	q := mustWorld(t, sc, nil).NewQuery()
	round := plan(t, q, geom.V3(5, 0, 5), geom.V3(35, 0, 5), nil)
	if open.Status != wend.Complete || round.Status != wend.Complete || math.Abs(open.Length-30) > 0.01 {
		t.Fatalf("%v, %v, %v m", open.Status, round.Status, open.Length)
	}
	// Over the zone's far corners: a zone is not widened by the body's radius,
	// cells make it up to half a cell larger or smaller.
	if want := 2*math.Hypot(13, 7) + 4; math.Abs(round.Length-want) > 0.5 {
		t.Errorf("round the zone it is %.2f m, want about %.2f", round.Length, want)
	}
	in := geom.V3(20, 0, 5)
	if r := plan(t, q, in, geom.V3(35, 0, 5), nil); r.Status != wend.NoGo || r.Failure.Code != route.CodeStartNoGo {
		t.Errorf("from inside: %v", r.Status)
	}
	if r := plan(t, q, geom.V3(5, 0, 5), in, nil); r.Status != wend.NoGo || r.Failure.Code != route.CodeGoalNoGo {
		t.Errorf("to the inside: %v", r.Status)
	}
	every := &wend.PlanOptions{Filter: &navmesh.Filter{IncludeFlags: math.MaxUint16}}
	if r := plan(t, q, geom.V3(5, 0, 5), geom.V3(35, 0, 5), every); r.Status != wend.Complete || math.Abs(r.Length-30) > 0.01 {
		t.Errorf("with the zone opened: %v, %.2f m", r.Status, r.Length)
	}
}

// Costs of areas turn a route aside where that is cheaper, and only there.
func TestAreaCostsTurnRoutes(t *testing.T) {
	const mud = 7
	b := wendtest.NewBuilder()
	b.Part("meadow", "grass").Floor(0, 0, 40, 40, 0)
	b.Scene.Volumes = []scene.Volume{{Name: "mud", Ring: []geom.Vec2{{X: 15, Y: 0}, {X: 25, Y: 0}, {X: 25, Y: 30}, {X: 15, Y: 30}}, MinY: -1, MaxY: 1, Area: mud}}
	q := mustWorld(t, b.Scene, nil).NewQuery()
	from, to := geom.V3(5, 0, 15), geom.V3(35, 0, 15)
	// Round the corners of the mud, or straight through 10 m of it.
	round := 2*math.Hypot(10, 15) + 10
	last := 0.0
	for _, tt := range []struct {
		cost   float64
		length float64
	}{
		{1, 30}, {1.5, 30}, {2, 30}, {4, round}, {50, round}, {navmesh.MaxAreaCost, round},
	} {
		f := &navmesh.Filter{}
		f.AreaCost[mud] = tt.cost
		r := plan(t, q, from, to, &wend.PlanOptions{Filter: f})
		if r.Status != wend.Complete || math.Abs(r.Length-tt.length) > 0.02*tt.length {
			t.Errorf("mud at %v: %v, %.2f m, want %.2f", tt.cost, r.Status, r.Length, tt.length)
		}
		want := 20 + 10*tt.cost
		if tt.length != 30 {
			want = round
		}
		if math.Abs(r.Cost-want) > 0.03*want {
			t.Errorf("mud at %v: cost %.2f, want %.2f", tt.cost, r.Cost, want)
		}
		if r.Cost < last-1e-9 {
			t.Errorf("mud at %v makes the route cheaper than a lower price: %v after %v", tt.cost, r.Cost, last)
		}
		last = r.Cost
	}
}

// An agent is planned for on the smallest mesh that is safe for it.
func TestAgentsAndBodies(t *testing.T) {
	// Gates of 1.2 and 3 m in two walls in a row.
	b := wendtest.NewBuilder().Floor(0, 0, 50, 20, 0)
	for _, g := range []struct{ x, half float64 }{{15, 0.6}, {35, 1.5}} {
		b.Box(geom.V3(g.x-0.5, 0, 0), geom.V3(g.x+0.5, 4, 10-g.half))
		b.Box(geom.V3(g.x-0.5, 0, 10+g.half), geom.V3(g.x+0.5, 4, 20))
	}
	w := mustWorld(t, b.Scene, func(p *bake.Profile) {
		p.Navmesh.Cell, p.Navmesh.CellHeight = 0.2, 0.1
		p.Agent = bake.Body{Name: "man", Radius: 0.6, Height: 2, MaxClimb: 0.6, MaxSlopeDeg: 45}
		p.Bodies = []bake.Body{
			{Name: "cart", Radius: 1.2, Height: 1.5, MaxClimb: 0.2, MaxSlopeDeg: 30},
			{Name: "dog", Radius: 0.3, Height: 0.8, MaxClimb: 0.4, MaxSlopeDeg: 45},
			{Name: "lame dog", Radius: 0.3, Height: 0.8, MaxClimb: 0.1, MaxSlopeDeg: 45},
		}
	})
	var names []string
	for _, body := range w.Bodies() {
		names = append(names, body.Name)
	}
	if got, want := strings.Join(names, ", "), "dog, lame dog, man, cart"; got != want {
		t.Fatalf("bodies %s, want %s", got, want)
	}
	west, middle, east := geom.V3(5, 0, 10), geom.V3(25, 0, 10), geom.V3(45, 0, 10)
	q := w.NewQuery()
	for _, tt := range []struct {
		agent wend.Agent
		body  string // "": none
		gates int    // it comes through
	}{
		{wend.Agent{}, "dog", 2},
		{wend.Agent{Radius: 0.3}, "dog", 2},
		{wend.Agent{Radius: 0.3, Height: 0.8, MaxStep: 0.4}, "dog", 2},
		{wend.Agent{Radius: 0.3, Height: 0.8, MaxStep: 0.3}, "lame dog", 2},
		{wend.Agent{Radius: 0.31}, "man", 1},
		{wend.Agent{Height: 0.9}, "man", 1},
		{wend.Agent{Height: 0.9, MaxStep: 0.5}, "cart", 1},
		{wend.Agent{Radius: 1.2}, "cart", 1},
		{wend.Agent{Radius: 1.3}, "", 0},
		{wend.Agent{Radius: 1, Height: 1.8}, "", 0},
		{wend.Agent{MaxStep: 0.05}, "", 0},
	} {
		i, err := w.BodyFor(tt.agent)
		r, planErr := q.Plan(t.Context(), west, middle, tt.agent, nil)
		if tt.body == "" {
			var none *wend.NoBodyError
			if !errors.As(err, &none) || none.Agent != tt.agent || len(none.Bodies) != 4 || !strings.Contains(err.Error(), "cart (radius 1.2, height 1.5, step 0.2)") {
				t.Errorf("%+v: %v", tt.agent, err)
			}
			if !errors.As(planErr, &none) || r.Status != wend.BadInput || r.Failure.Code != "agent" || len(r.Points) > 0 {
				t.Errorf("%+v: route %+v, %v", tt.agent, r, planErr)
			}
			continue
		}
		if err != nil || w.Bodies()[i].Name != tt.body {
			t.Errorf("%+v walks as body %d, %v, want %s", tt.agent, i, err, tt.body)
			continue
		}
		through, err := q.Plan(t.Context(), middle, east, tt.agent, nil)
		if err != nil || planErr != nil {
			t.Errorf("%+v: %v, %v", tt.agent, err, planErr)
			continue
		}
		if (r.Status == wend.Complete) != (tt.gates == 2) || (through.Status == wend.Complete) != (tt.gates >= 1) {
			t.Errorf("%+v: %v through the narrow gate, %v through the wide one", tt.agent, r.Status, through.Status)
		}
	}
}

// A context that has ended is a status and the context's error.
func TestCancelledPlan(t *testing.T) {
	q := mustWorld(t, hall(), nil).NewQuery()
	cause := errors.New("shutting down")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	r, err := q.Plan(ctx, geom.V3(5, 0, 5), geom.V3(35, 0, 5), wend.Agent{}, nil)
	if r.Status != wend.Cancelled || r.Failure == nil || r.Failure.Code != route.CodeCancelled || len(r.Points) > 0 {
		t.Errorf("%+v", r)
	}
	if !errors.Is(err, cause) && !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if r := plan(t, q, geom.V3(5, 0, 5), geom.V3(35, 0, 5), nil); r.Status != wend.Complete {
		t.Errorf("afterwards: %v", r.Status)
	}
}
