package wend_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
)

// hall is a floor of 40 x 40 m with a wall that has a gap at one end and a
// platform that nothing leads to.
func hall() *scene.Scene {
	b := wendtest.NewBuilder().Floor(0, 0, 40, 40, 0)
	b.Box(geom.V3(19.5, 0, 0), geom.V3(20.5, 3, 34))
	b.Box(geom.V3(4, 0, 30), geom.V3(12, 5, 38))
	return b.Scene
}

func mustWorld(tb testing.TB, sc *scene.Scene, change func(*bake.Profile)) *wend.World {
	tb.Helper()
	p := bake.Human()
	if change != nil {
		change(&p)
	}
	w, _, err := wend.Bake(tb.Context(), sc, p, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

// tiny is the least number above 0.
const tiny = math.SmallestNonzeroFloat64

var (
	negZero = math.Copysign(0, -1)
	notReal = []float64{math.NaN(), math.Inf(1), math.Inf(-1)}
)

// slot is a number that a public call takes. call makes it with v in its place
// and returns the answer in a form that can be compared.
type slot struct {
	name string
	call func(v float64) (any, error)
	// Numbers that are an argument error, and such that mean the same as 0.
	bad, zero []float64
	// want says whether an error is the right one.
	want func(error) bool
}

func badInput(err error) bool { return errors.Is(err, navmesh.ErrBadInput) }

func badPoint(err error) bool {
	var pe *navmesh.PointError
	return errors.As(err, &pe) && errors.Is(err, navmesh.ErrBadPoint)
}

func badOption(err error) bool {
	var oe *navmesh.OptionError
	return errors.As(err, &oe) && badInput(err)
}

func badFilter(err error) bool {
	var fe *navmesh.FilterError
	return errors.As(err, &fe) && badInput(err)
}

func badAgent(err error) bool {
	var ae *wend.AgentError
	return errors.As(err, &ae)
}

// points makes a slot of each coordinate of a point.
func points(name string, at geom.Vec3, call func(geom.Vec3) (any, error)) []slot {
	var out []slot
	for axis, label := range []string{"x", "y", "z"} {
		out = append(out, slot{
			name: name + "." + label,
			call: func(v float64) (any, error) {
				p := at
				switch axis {
				case 0:
					p.X = v
				case 1:
					p.Y = v
				case 2:
					p.Z = v
				}
				return call(p)
			},
			bad:  append(slices.Clone(notReal), 1e300, -1e300, math.MaxFloat64, math.Nextafter(navmesh.PointLimit, 2e9)),
			zero: []float64{negZero, tiny, -tiny},
			want: badPoint,
		})
	}
	return out
}

// lengthSlot is a number that is a length of at least 0.
func lengthSlot(name string, want func(error) bool, call func(v float64) (any, error)) slot {
	return slot{
		name: name, call: call, want: want,
		bad:  append(slices.Clone(notReal), 1e300, -1e300, -1, -tiny),
		zero: []float64{negZero, tiny},
	}
}

// answer is what of a route may not depend on the run.
func answer(r *wend.Route) any {
	return fmt.Sprint(r.Status, r.World, r.Points, r.Length, r.Cost, r.SnapStart, r.SnapEnd)
}

func slots(t *testing.T, w *wend.World) []slot {
	ctx := t.Context()
	q := w.NewQuery()
	m := w.Mesh(0)
	nq := m.NewQuery()
	mp := route.NewMeshPlanner(m, 0.6, w.Fingerprint())
	from, to := geom.V3(5, 0, 5), geom.V3(35, 0, 5)
	locate := func(p geom.Vec3) navmesh.Location {
		near, err := nq.Nearest(p, nil)
		if err != nil || !near.Found {
			t.Fatalf("nothing at %v: %v", p, err)
		}
		return near.Location
	}
	start, goal := locate(from), locate(to)

	plan := func(from, to geom.Vec3, a wend.Agent, o *wend.PlanOptions) (any, error) {
		r, err := q.Plan(ctx, from, to, a, o)
		if r == nil {
			t.Fatal("Plan returned no route")
		}
		if err != nil && (r.Status != wend.BadInput || len(r.Points) != 0 || r.Length != 0 || r.Failure == nil || r.Failure.Message == "") {
			t.Errorf("with error %v the route is %+v", err, r)
		}
		return answer(r), err
	}
	var all []slot
	// The facade.
	all = append(all, points("Query.Plan from", from, func(p geom.Vec3) (any, error) { return plan(p, to, wend.Agent{}, nil) })...)
	all = append(all, points("Query.Plan to", to, func(p geom.Vec3) (any, error) { return plan(from, p, wend.Agent{}, nil) })...)
	all = append(all, points("Query.Locate", from, func(p geom.Vec3) (any, error) { return q.Locate(p, nil) })...)
	for i, axis := range []string{"x", "y", "z"} {
		half := func(v float64) geom.Vec3 {
			h := geom.V3(2, 2, 2)
			*[]*float64{&h.X, &h.Y, &h.Z}[i] = v
			return h
		}
		all = append(all,
			lengthSlot("Query.Locate HalfExtents."+axis, badOption, func(v float64) (any, error) {
				return q.Locate(from, &wend.LocateOptions{HalfExtents: half(v)})
			}),
			lengthSlot("Query.Plan From.HalfExtents."+axis, badOption, func(v float64) (any, error) {
				return plan(from, to, wend.Agent{}, &wend.PlanOptions{From: &wend.LocateOptions{HalfExtents: half(v)}})
			}),
			lengthSlot("Query.Plan To.HalfExtents."+axis, badOption, func(v float64) (any, error) {
				return plan(from, to, wend.Agent{}, &wend.PlanOptions{To: &wend.LocateOptions{HalfExtents: half(v)}})
			}))
	}
	all = append(all, slot{
		name: "Query.Locate HeightWeight", want: badOption,
		call: func(v float64) (any, error) { return q.Locate(from, &wend.LocateOptions{HeightWeight: v}) },
		bad:  append(slices.Clone(notReal), 1e300, -1e300, -1, -tiny),
		zero: []float64{negZero},
	})
	all = append(all, slot{
		name: "Query.Plan AreaCost", want: badFilter,
		call: func(v float64) (any, error) {
			f := &navmesh.Filter{}
			f.AreaCost[0] = v
			return plan(from, to, wend.Agent{}, &wend.PlanOptions{Filter: f})
		},
		bad:  append(slices.Clone(notReal), 1e300, -1e300, -1, tiny, -tiny),
		zero: []float64{negZero},
	})
	all = append(all, lengthSlot("Query.Plan MaxClearance", badInput, func(v float64) (any, error) {
		return plan(from, to, wend.Agent{}, &wend.PlanOptions{MaxClearance: v})
	}))
	for name, a := range map[string]func(v float64) wend.Agent{
		"radius":   func(v float64) wend.Agent { return wend.Agent{Radius: v} },
		"height":   func(v float64) wend.Agent { return wend.Agent{Height: v} },
		"max step": func(v float64) wend.Agent { return wend.Agent{MaxStep: v} },
	} {
		bad := append(slices.Clone(notReal), -1e300, -1, -tiny)
		all = append(all,
			slot{"Query.Plan agent " + name, func(v float64) (any, error) { return plan(from, to, a(v), nil) }, bad, []float64{negZero}, badAgent},
			slot{"World.BodyFor " + name, func(v float64) (any, error) { return w.BodyFor(a(v)) }, bad, []float64{negZero}, badAgent})
	}
	surfaces := func(x, z, radius float64) (any, error) { return q.Surfaces(x, z, radius) }
	coordinate := func(name string, call func(float64) (any, error)) slot {
		return slot{name, call, append(slices.Clone(notReal), 1e300, -1e300), []float64{negZero, tiny, -tiny}, badPoint}
	}
	all = append(all,
		coordinate("Query.Surfaces x", func(v float64) (any, error) { return surfaces(v, 5, 1) }),
		coordinate("Query.Surfaces z", func(v float64) (any, error) { return surfaces(5, v, 1) }),
		lengthSlot("Query.Surfaces radius", badOption, func(v float64) (any, error) { return surfaces(5, 5, v) }))

	// The planner.
	planner := func(from, to geom.Vec3, o *route.Options) (any, error) {
		var r route.Route
		err := mp.Plan(ctx, from, to, o, &r)
		return answer(&r), err
	}
	all = append(all, points("MeshPlanner.Plan from", from, func(p geom.Vec3) (any, error) { return planner(p, to, nil) })...)
	all = append(all, points("MeshPlanner.Plan to", to, func(p geom.Vec3) (any, error) { return planner(from, p, nil) })...)

	// The mesh.
	at := func(l navmesh.Location, p geom.Vec3) navmesh.Location { return navmesh.Location{Poly: l.Poly, Pos: p} }
	path := func(a, b navmesh.Location, f *navmesh.Filter) (any, error) {
		var p navmesh.Path
		err := nq.Path(ctx, a, b, f, nil, &p)
		if err != nil && (len(p.Points) > 0 || len(p.Polys) > 0) {
			t.Errorf("with error %v the path has points", err)
		}
		return fmt.Sprint(p.Outcome, p.Points, p.Length, p.Cost), err
	}
	all = append(all, points("navmesh Nearest", from, func(p geom.Vec3) (any, error) { return nq.Nearest(p, nil) })...)
	// A place off its polygon is an error whatever the number is, so here 0 and
	// its like are errors, too.
	for _, s := range slices.Concat(
		points("navmesh Path from", start.Pos, func(p geom.Vec3) (any, error) { return path(at(start, p), goal, nil) }),
		points("navmesh Path to", goal.Pos, func(p geom.Vec3) (any, error) { return path(start, at(goal, p), nil) }),
		points("navmesh Raycast from", start.Pos, func(p geom.Vec3) (any, error) { return nq.Raycast(at(start, p), goal.Pos, nil) }),
	) {
		s.zero = nil
		all = append(all, s)
	}
	all = append(all, points("navmesh Raycast to", goal.Pos, func(p geom.Vec3) (any, error) { return nq.Raycast(start, p, nil) })...)
	all = append(all, points("navmesh AppendRaycast to", goal.Pos, func(p geom.Vec3) (any, error) {
		polys, hit, err := nq.AppendRaycast(nil, start, p, nil)
		if err != nil && polys != nil {
			t.Error("polygons with an error")
		}
		return hit, err
	})...)
	wall := points("navmesh DistanceToWall", start.Pos, func(p geom.Vec3) (any, error) { return nq.DistanceToWall(at(start, p), 5, nil) })
	all = append(all, wall...)
	all = append(all, lengthSlot("navmesh DistanceToWall limit", badOption, func(v float64) (any, error) {
		d, err := nq.DistanceToWall(start, v, nil)
		return d < 1e-100, err
	}))
	all = append(all, slot{
		name: "navmesh Path AreaCost", want: badFilter,
		call: func(v float64) (any, error) {
			f := &navmesh.Filter{}
			f.AreaCost[63] = v
			return path(start, goal, f)
		},
		bad:  append(slices.Clone(notReal), 1e300, -1e300, -1, tiny, -tiny),
		zero: []float64{negZero},
	})
	// These have no error but say no.
	errNo := errors.New("no")
	isNo := func(err error) bool { return errors.Is(err, errNo) }
	yes := func(v any, ok bool) (any, error) {
		if !ok {
			return nil, errNo
		}
		return v, nil
	}
	for _, s := range slices.Concat(
		points("navmesh ClosestPoint", start.Pos, func(p geom.Vec3) (any, error) {
			c, over, ok := m.ClosestPoint(start.Poly, p)
			return yes(fmt.Sprint(c, over), ok)
		}),
		points("navmesh ClosestOnBoundary", start.Pos, func(p geom.Vec3) (any, error) {
			c, ok := m.ClosestOnBoundary(start.Poly, p)
			return yes(c, ok)
		}),
	) {
		s.want = isNo
		all = append(all, s)
	}
	all = append(all,
		slot{"navmesh Height x", func(v float64) (any, error) { return yes(m.Height(start.Poly, v, start.Pos.Z)) }, append(slices.Clone(notReal), 1e300, -1e300), nil, isNo},
		slot{"navmesh Height z", func(v float64) (any, error) { return yes(m.Height(start.Poly, start.Pos.X, v)) }, append(slices.Clone(notReal), 1e300, -1e300), nil, isNo})
	return all
}

// Numbers that make no sense are argument errors in every call that takes
// numbers, and leave no trace; numbers that are as good as 0 are taken as 0.
func TestBadNumbers(t *testing.T) {
	w := mustWorld(t, hall(), nil)
	print := w.Fingerprint()
	all := slots(t, w)
	before := make([]any, len(all))
	for i, s := range all {
		before[i], _ = s.call(0)
	}
	for i, s := range all {
		for _, v := range s.bad {
			got, err := s.call(v)
			if err == nil {
				t.Errorf("%s: %v gives %v, want an error", s.name, v, got)
			} else if !s.want(err) {
				t.Errorf("%s: %v gives the error %v (%T)", s.name, v, err, err)
			}
			// After it, the same call gives what it gave before.
			if got, _ := s.call(0); fmt.Sprint(got) != fmt.Sprint(before[i]) {
				t.Fatalf("%s: after %v, 0 gives\n%v, before it gave\n%v", s.name, v, got, before[i])
			}
		}
		for _, v := range s.zero {
			got, err := s.call(v)
			if err != nil {
				t.Errorf("%s: %v gives %v", s.name, v, err)
			} else if !alike(got, before[i]) {
				t.Errorf("%s: %v gives\n%v, 0 gives\n%v", s.name, v, got, before[i])
			}
		}
	}
	if w.Fingerprint() != print {
		t.Error("the world has changed")
	}
}

// alike compares answers by their text, where -0 and the least numbers read as
// 0.
func alike(a, b any) bool {
	clean := func(v any) string {
		s := fmt.Sprintf("%v", v)
		for _, odd := range []string{"-5e-324", "5e-324", "-0"} {
			s = replaceNumber(s, odd)
		}
		return s
	}
	return clean(a) == clean(b)
}

// replaceNumber puts 0 in the place of a number that stands alone.
func replaceNumber(s, number string) string {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		end := i + len(number)
		if end <= len(s) && s[i:end] == number && (end == len(s) || s[end] == ' ' || s[end] == '}' || s[end] == ']') {
			out = append(out, '0')
			i = end
			continue
		}
		out = append(out, s[i])
		i++
	}
	return string(out)
}

// Counts and ids out of range are argument errors as well.
func TestBadCountsAndIDs(t *testing.T) {
	w := mustWorld(t, hall(), nil)
	q := w.NewQuery()
	m := w.Mesh(0)
	nq := m.NewQuery()
	near, err := q.Locate(geom.V3(5, 0, 5), nil)
	if err != nil {
		t.Fatal(err)
	}
	bad := near.Location
	var p navmesh.Path
	for _, id := range []navmesh.PolyID{navmesh.NoPoly, navmesh.PolyID(m.Len()), 1 << 31} {
		bad.Poly = id
		_, rayErr := nq.Raycast(bad, geom.V3(9, 0, 9), nil)
		_, wallErr := nq.DistanceToWall(bad, 1, nil)
		for name, err := range map[string]error{
			"Path from":      nq.Path(t.Context(), bad, near.Location, nil, nil, &p),
			"Path to":        nq.Path(t.Context(), near.Location, bad, nil, nil, &p),
			"Raycast":        rayErr,
			"DistanceToWall": wallErr,
		} {
			if !badOption(err) {
				t.Errorf("%s with polygon %d: %v", name, id, err)
			}
		}
		if m.Valid(id) || m.CanReach(id, 0) || m.CanReach(0, id) || m.Storey(id) != navmesh.NoStorey {
			t.Errorf("polygon %d counts for something", id)
		}
	}
	if m.IslandArea(1<<31) != 0 {
		t.Error("an island out of range has an area")
	}
	for name, o := range map[string]*navmesh.PathOptions{
		"MaxNodes": {MaxNodes: -1}, "least MaxNodes": {MaxNodes: math.MinInt}, "Search": {Search: 200}, "Crossings": {Crossings: 200},
	} {
		if err := nq.Path(t.Context(), near.Location, near.Location, nil, o, &p); !badOption(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := nq.Resume(t.Context(), 0, &p); !errors.Is(err, navmesh.ErrNotSuspended) {
		t.Errorf("Resume without a search: %v", err)
	}
	if _, err := q.Locate(geom.V3(5, 0, 5), &wend.LocateOptions{Policy: 200}); !badOption(err) {
		t.Errorf("Policy: %v", err)
	}
	if got, err := q.Locate(geom.V3(5, 0, 5), &wend.LocateOptions{Storey: 1 << 31, StoreySet: true}); err != nil || got.Found || !math.IsInf(got.MissDistance, 1) {
		t.Errorf("a storey that is not there: %+v, %v", got, err)
	}
	for _, n := range []int{-1, math.MinInt} {
		if r, err := q.Plan(t.Context(), geom.V3(5, 0, 5), geom.V3(9, 0, 9), wend.Agent{}, &wend.PlanOptions{MaxNodes: n}); !badInput(err) || r.Status != wend.BadInput {
			t.Errorf("MaxNodes %d: %v, %v", n, r.Status, err)
		}
	}
	if r, err := q.Plan(t.Context(), geom.V3(5, 0, 5), geom.V3(9, 0, 9), wend.Agent{}, &wend.PlanOptions{Search: 200}); !badInput(err) || r.Status != wend.BadInput {
		t.Errorf("Search: %v, %v", r.Status, err)
	}
}

// Taut strings through portals of nonsense end.
func TestBadPortals(t *testing.T) {
	odd := append(slices.Clone(notReal), 1e300, -1e300, negZero, tiny, 1)
	for i, v := range odd {
		for k, u := range odd {
			portals := make([]navmesh.Portal, 20)
			for n := range portals {
				portals[n] = navmesh.Portal{Right: geom.V3(v, u, float64(n)), Left: geom.V3(odd[(i+n)%len(odd)], v, odd[(k+2*n)%len(odd)])}
			}
			turns := navmesh.AppendTaut(nil, geom.V3(u, v, u), geom.V3(v, v, u), portals)
			if len(turns) > 2*len(portals)+2 {
				t.Errorf("%d turns through %d portals", len(turns), len(portals))
			}
		}
	}
}

// Scenes with a number that makes no sense are refused by name, by Validate
// and by the bake, before anything is built.
func TestBadScenes(t *testing.T) {
	ring := func() []geom.Vec2 { return []geom.Vec2{{X: 1, Y: 1}, {X: 5, Y: 1}, {X: 5, Y: 5}} }
	full := func() *scene.Scene {
		sc := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0).Scene
		sc.Links = []scene.Link{{Name: "l", From: geom.V3(2, 0, 2), To: geom.V3(8, 0, 8), Radius: 1}}
		sc.Volumes = []scene.Volume{{Name: "v", Ring: ring(), MinY: -1, MaxY: 1, Area: 3}}
		sc.NoGo = []scene.NoGo{{Name: "n", Ring: ring(), MinY: -1, MaxY: 1}}
		return sc
	}
	far := append(slices.Clone(notReal), 1e300, -1e300)
	noLength := append(slices.Clone(notReal), 0, negZero, -1, -tiny, 1e300)
	noCost := append(slices.Clone(notReal), -1, -tiny, -1e300)
	for _, f := range []struct {
		field string
		of    func(*scene.Scene) *float64
		bad   []float64
	}{
		{"Verts[2]", func(s *scene.Scene) *float64 { return &s.Verts[2].X }, far},
		{"Verts[2]", func(s *scene.Scene) *float64 { return &s.Verts[2].Y }, far},
		{"Verts[3]", func(s *scene.Scene) *float64 { return &s.Verts[3].Z }, far},
		{"Links[0].From", func(s *scene.Scene) *float64 { return &s.Links[0].From.X }, far},
		{"Links[0].From", func(s *scene.Scene) *float64 { return &s.Links[0].From.Y }, far},
		{"Links[0].To", func(s *scene.Scene) *float64 { return &s.Links[0].To.Z }, far},
		{"Links[0].Radius", func(s *scene.Scene) *float64 { return &s.Links[0].Radius }, noLength},
		{"Links[0].Cost", func(s *scene.Scene) *float64 { return &s.Links[0].Cost }, noCost},
		{"Volumes[0].Ring[1]", func(s *scene.Scene) *float64 { return &s.Volumes[0].Ring[1].X }, far},
		{"Volumes[0].Ring[1]", func(s *scene.Scene) *float64 { return &s.Volumes[0].Ring[1].Y }, far},
		{"Volumes[0].MinY", func(s *scene.Scene) *float64 { return &s.Volumes[0].MinY }, []float64{math.NaN(), math.Inf(1), 1e300, 2}},
		{"Volumes[0].MinY", func(s *scene.Scene) *float64 { return &s.Volumes[0].MaxY }, []float64{math.NaN(), math.Inf(-1), -1e300, -2}},
		{"NoGo[0].Ring[2]", func(s *scene.Scene) *float64 { return &s.NoGo[0].Ring[2].X }, far},
		{"NoGo[0].MinY", func(s *scene.Scene) *float64 { return &s.NoGo[0].MinY }, []float64{math.NaN(), math.Inf(1), 1e300, 2}},
		{"NoGo[0].MinY", func(s *scene.Scene) *float64 { return &s.NoGo[0].MaxY }, []float64{math.NaN(), math.Inf(-1), -1e300, -2}},
	} {
		for _, v := range f.bad {
			sc := full()
			*f.of(sc) = v
			_, _, bakeErr := wend.Bake(t.Context(), sc, bake.Human(), nil)
			for who, err := range map[string]error{"Validate": sc.Validate(), "Bake": bakeErr} {
				var ve *scene.ValueError
				if !errors.As(err, &ve) || ve.Field != f.field {
					t.Errorf("%s, %s is %v: %v", who, f.field, v, err)
				}
			}
		}
	}
	want := mustWorld(t, full(), nil).Fingerprint()
	for name, change := range map[string]func(*scene.Scene){
		"-0 and the least numbers": func(s *scene.Scene) {
			s.Verts[0], s.Verts[1].X, s.Verts[3].Z = geom.V3(negZero, tiny, negZero), negZero, -tiny
			s.Links[0].From.Y, s.Links[0].Cost = negZero, negZero
		},
		"endless prisms": func(s *scene.Scene) {
			s.Volumes[0].MinY, s.Volumes[0].MaxY = math.Inf(-1), math.Inf(1)
			s.NoGo[0].MinY, s.NoGo[0].MaxY = -1e300, 1e300
		},
	} {
		sc := full()
		change(sc)
		if got := mustWorld(t, sc, nil).Fingerprint(); got != want {
			t.Errorf("%s change the mesh", name)
		}
	}
	for field, change := range map[string]func(*scene.Scene){
		"Tris[1].V[2]":    func(s *scene.Scene) { s.Tris[1].V[2] = 4 },
		"Tris[0].V[0]":    func(s *scene.Scene) { s.Tris[0].V[0] = math.MaxUint32 },
		"Tris[1].Part":    func(s *scene.Scene) { s.Tris[1].Part = 1 },
		"Tris[0].Area":    func(s *scene.Scene) { s.Tris[0].Area = scene.MaxArea + 1 },
		"Links[0].Area":   func(s *scene.Scene) { s.Links[0].Area = 255 },
		"Volumes[0].Area": func(s *scene.Scene) { s.Volumes[0].Area = 255 },
		"Volumes[0].Ring": func(s *scene.Scene) { s.Volumes[0].Ring = s.Volumes[0].Ring[:2] },
		"NoGo[0].Ring":    func(s *scene.Scene) { s.NoGo[0].Ring = nil },
	} {
		sc := full()
		change(sc)
		_, _, err := wend.Bake(t.Context(), sc, bake.Human(), nil)
		var ve *scene.ValueError
		if !errors.As(err, &ve) || ve.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// A world without a mesh has no body for anybody, and says so.
func TestWorldWithoutMesh(t *testing.T) {
	q := wend.NewWorld().NewQuery()
	var none *wend.NoBodyError
	if _, err := q.Locate(geom.V3(0, 0, 0), nil); !errors.As(err, &none) {
		t.Errorf("Locate: %v", err)
	}
	if _, err := q.Surfaces(0, 0, 1); !errors.As(err, &none) {
		t.Errorf("Surfaces: %v", err)
	}
	r, err := q.Plan(t.Context(), geom.V3(0, 0, 0), geom.V3(1, 0, 0), wend.Agent{}, nil)
	if !errors.As(err, &none) || r.Status != wend.BadInput {
		t.Errorf("Plan: %v, %v", r.Status, err)
	}
	if err == nil || err.Error() != "wend: the world has no mesh" {
		t.Errorf("the error is %q", err)
	}
}
