package spanroute

import (
	"context"
	"math"
	"slices"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
	"wend/spanbake"
)

// A scenario is a small level made for a purpose, in packs of small tiles, and a
// planner on it.
type scenario struct {
	testing.TB
	e *Engine
	p *Planner
}

// build bakes a level whose triangles are the floor as they are, for the profile
// human but for what change does.
func build(t testing.TB, b *wendtest.Builder, change func(*bake.Profile)) *scenario {
	t.Helper()
	return openScenario(t, bakeScene(t, b.Scene, change), nil)
}

func bakeScene(t testing.TB, sc *scene.Scene, change func(*bake.Profile)) *spanbake.Result {
	t.Helper()
	profile := bake.Human()
	profile.Agent.Radius = 0
	if change != nil {
		change(&profile)
	}
	rules, err := spanbake.RulesFor(&profile)
	if err != nil {
		t.Fatal(err)
	}
	in, _, err := spanbake.FromTriangles(t.Context(), sc, &spanbake.Level{
		Zone: "level", Cell: profile.Navmesh.Cell, Rules: rules, Body: profile.Agent,
	})
	if err != nil {
		t.Fatal(err)
	}
	res, err := spanbake.Run(t.Context(), in, &spanbake.Options{Tile: 64, Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func openScenario(t testing.TB, res *spanbake.Result, o *Options) *scenario {
	t.Helper()
	e, err := Open(t.Context(), files(t, res), "level.nav", o)
	if err != nil {
		t.Fatal(err)
	}
	return &scenario{t, e, e.NewPlanner()}
}

// plan plans and checks what holds for every route.
func (s *scenario) plan(r *Request) *route.Route {
	s.Helper()
	var out route.Route
	err := s.p.Plan(context.Background(), r, &out)
	if err != nil && out.Status != route.BadInput {
		s.Fatalf("%+v: %v", r, err)
	}
	s.sound(r, &out)
	return &out
}

// sound checks the form of an answer.
func (s *scenario) sound(r *Request, out *route.Route) {
	s.Helper()
	if out.Status != route.Complete && out.Status != route.Partial {
		if out.Failure == nil || out.Failure.Code == "" || len(out.Points) > 0 {
			s.Errorf("%+v: an answer without a route: %+v", r, out)
		}
		return
	}
	if len(out.Points) == 0 || out.Status == route.Complete && out.Failure != nil || out.Status == route.Partial && out.Failure == nil {
		s.Fatalf("%+v: a route: %+v", r, out)
	}
	first, last := out.Points[0].Pos, out.Points[len(out.Points)-1].Pos
	if flat(first, r.From.At) > 1e-6 && !slices.Contains(out.Warnings, besideGround(0, out.SnapStart, true)) ||
		out.Status == route.Complete && flat(last, r.To.At) > 1e-6 && !slices.Contains(out.Warnings, besideGround(1, out.SnapEnd, true)) {
		s.Errorf("%+v: the route goes from %v to %v", r, first, last)
	}
	length := 0.0
	for i := 1; i < len(out.Points); i++ {
		length += geom.Dist(out.Points[i-1].Pos, out.Points[i].Pos)
	}
	if math.Abs(length-out.Length) > 1e-9*(1+length) {
		s.Errorf("%+v: length %v, along the points %v", r, out.Length, length)
	}
	if n := out.Stats.WallCrossings; n != 0 && !r.Reference {
		s.Errorf("%+v: %d wall crossings", r, n)
	}
	at := 0
	for _, w := range out.Waypoints {
		if w <= at {
			s.Errorf("%+v: waypoints %v", r, out.Waypoints)
		}
		at = w
	}
	if len(out.Waypoints) > 0 && at != len(out.Points)-1 {
		s.Errorf("%+v: waypoints %v of %d points", r, out.Waypoints, len(out.Points))
	}
	for _, d := range out.Drops {
		found := false
		for _, w := range out.Waypoints {
			found = found || w == d.Index
		}
		if !found && len(out.Waypoints) > 0 {
			s.Errorf("%+v: waypoints %v pass over the landing %d", r, out.Waypoints, d.Index)
		}
	}
}

// want plans and checks status and code.
func (s *scenario) want(r *Request, status route.Status, code string) *route.Route {
	s.Helper()
	out := s.plan(r)
	got := ""
	if out.Failure != nil {
		got = out.Failure.Code
	}
	if out.Status != status || got != code {
		s.Errorf("%v to %v: %v %q (%+v), want %v %q", r.From, r.To, out.Status, got, out.Failure, status, code)
	}
	return out
}

// complete plans and wants a route to the goal.
func (s *scenario) complete(r *Request) *route.Route {
	s.Helper()
	return s.want(r, route.Complete, "")
}

func flat(a, b geom.Vec3) float64 { return math.Hypot(a.X-b.X, a.Z-b.Z) }

func on(x, y, z float64) End   { return End{At: geom.V3(x, y, z)} }
func near(x, y, z float64) End { return End{At: geom.V3(x, y, z), Storey: NearFloor} }

// some returns the first n of a list, a third of those under the race detector, and
// all of it when long tests are asked for.
func some[T any](list []T, n int) []T {
	if long() {
		return list
	}
	return list[:light(n)]
}

func column(x, z float64) End { return End{At: geom.V3(x, math.NaN(), z), Storey: AnyHeight} }

func ends(from, to End) *Request { return &Request{From: from, To: to} }

// along calls do for points of a route, a few centimetres apart, with the number
// of the point before. Falls and links are left out.
func along(r *route.Route, do func(i int, at geom.Vec3)) {
	for i := 1; i < len(r.Points); i++ {
		if k := r.Points[i-1].Kind; k == route.Drop || k == route.Link {
			continue
		}
		a, b := r.Points[i-1].Pos, r.Points[i].Pos
		n := 1 + int(geom.Dist(a, b)/0.05)
		for k := 0; k <= n; k++ {
			do(i-1, a.Add(b.Sub(a).Scale(float64(k)/float64(n))))
		}
	}
}

// kinds counts the points of a kind.
func kinds(r *route.Route, k route.Kind) int {
	n := 0
	for _, p := range r.Points {
		if p.Kind == k {
			n++
		}
	}
	return n
}
