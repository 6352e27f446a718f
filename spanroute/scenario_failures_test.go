package spanroute

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/route"
	"wend/scene"
)

// yard is a floor with a no-go zone in a corner, an island of the same height,
// a roof over the floor and a plank too narrow for the middle of any cell.
func yard(t testing.TB) *scenario {
	b := wendtest.NewBuilder().Floor(0, 0, 60, 12, 0).Floor(90, 0, 110, 12, 0).Floor(20, 0, 40, 12, 5)
	b.Floor(0, 60.01, 60, 60.12, 0)
	b.Scene.NoGo = []scene.NoGo{{Name: "bed", Ring: []geom.Vec2{{X: 0, Y: 0}, {X: 6, Y: 0}, {X: 6, Y: 6}, {X: 0, Y: 6}}, MinY: -1, MaxY: 2}}
	return build(t, b, nil)
}

func TestFailuresBeforeTheSearch(t *testing.T) {
	s := yard(t)
	good := on(50, 0, 6)
	for _, c := range []struct {
		name     string
		from, to End
		status   route.Status
		code     string
	}{
		{"start off the mesh", on(50, 0, 40), good, route.OffMesh, route.CodeStartOffMesh},
		{"goal off the mesh", good, on(50, 0, 40), route.OffMesh, route.CodeGoalOffMesh},
		{"both off the mesh", on(50, 0, 40), on(50, 0, -40), route.OffMesh, route.CodeStartOffMesh},
		{"start in no-go", on(3, 0, 3), good, route.NoGo, route.CodeStartNoGo},
		{"goal in no-go", good, on(3, 0, 3), route.NoGo, route.CodeGoalNoGo},
		{"goal in no-go, any height", good, column(3, 3), route.NoGo, route.CodeGoalNoGo},
		{"start on the plank", column(30, 60.05), good, route.OffMesh, CodeCoreTooFar},
		{"goal on the plank", good, column(30, 60.05), route.OffMesh, CodeCoreTooFar},
		{"start in the air", on(50, 3, 6), good, route.OffMesh, CodeNoStartSpan},
		{"start under the floor", on(50, -3, 6), good, route.OffMesh, CodeNoStartSpan},
		{"goal in the air", good, on(50, 3, 6), route.OffMesh, CodeNoGoalDeck},
		{"goal under the floor", good, on(30, -3, 6), route.OffMesh, CodeNoGoalDeck},
		{"goal on the island", good, on(100, 0, 6), route.Unreachable, CodeGoalUnreachable},
		{"goal on the island, any height", good, column(100, 6), route.Unreachable, CodeGoalUnreachable},
		{"goal on the roof", good, on(30, 5, 6), route.Unreachable, CodeGoalUnreachable},
		{"goal in the air over the map", good, on(30, 30, 6), route.OffMesh, CodeNoGoalDeck},
		{"start above the map, by its floor", near(50, 30, 6), on(45, 0, 6), route.Complete, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &scenario{t, s.e, s.p}
			s.want(ends(c.from, c.to), c.status, c.code)
			if c.status == route.Unreachable { // where the search is not asked first
				r := ends(c.from, c.to)
				r.Windows = WholeRegion
				s.want(r, c.status, c.code)
			}
		})
	}
	r := ends(good, on(30, 5, 6))
	r.Reference = true
	s.want(r, route.Unreachable, CodeSeedRegion)
}

// wallOfDiscs bars the yard at x with a given half width.
func wallOfDiscs(x, radius float64) (list []Disc) {
	for z := -1.0; z <= 13; z += radius / 2 {
		list = append(list, Disc{geom.V3(x, 0, z), radius})
	}
	return list
}

// TestWhereItBreaksOff bars the way with discs and looks at the gap.
func TestWhereItBreaksOff(t *testing.T) {
	s := yard(t)
	for _, c := range []struct {
		from, to End
		code     string
	}{
		{on(10, 0, 9), on(55, 0, 6), CodeGoalDeckUnreachable},
		{on(55, 0, 6), on(10, 0, 9), CodeGoalDeckUnreachable},
		{column(10, 9), column(55, 6), CodeDisconnected},
		{near(10, 0, 9), near(55, 0, 6), CodeDisconnected},
	} {
		for _, radius := range []float64{0.5, 1.5, 3} {
			r := ends(c.from, c.to)
			r.Discs = wallOfDiscs(48, radius)
			out := s.want(r, route.Unreachable, c.code)
			if out.Failure == nil || out.Failure.Gap == nil {
				t.Errorf("%v, discs of %v: no gap", c, radius)
				continue
			}
			g := out.Failure.Gap
			left, right := g.From, g.To
			if c.from.At.X > 48 {
				left, right = right, left
			}
			// A cell is closed where its middle lies in a disc; the way ends in
			// the middles of the cells before and after. The discs of the wall
			// touch the outline of their row at some place only.
			if left.X > 48-0.86*radius || left.X < 48-radius-0.6 || right.X < 48+0.86*radius || right.X > 48+radius+0.6 ||
				math.Abs(g.Width-flat(g.From, g.To)) > 0.01 || g.From.Y != 0 || g.To.Y != 0 || g.Width > 2*radius+1.2 {
				t.Errorf("%v, discs of %v: gap %+v", c, radius, g)
			}
		}
	}
	// One disc can be passed.
	r := ends(on(40, 0, 6), on(56, 0, 6))
	r.Discs = []Disc{{geom.V3(48, 0, 6), 3}}
	out := s.complete(r)
	along(out, func(_ int, at geom.Vec3) {
		if d := flat(at, r.Discs[0].At); d < 3-0.3*math.Sqrt2 {
			t.Errorf("%v is %v from the middle of a disc of 3", at, d)
		}
	})
	if out.Length < 17 || out.Length > 20 {
		t.Errorf("round a disc: %v m", out.Length)
	}
}

func TestEndsInDiscs(t *testing.T) {
	s := yard(t)
	from, to := geom.V3(12, 0, 6), geom.V3(55, 0, 6)
	small := func(at geom.Vec3) *Request {
		r := ends(End{At: from}, End{At: to})
		r.Discs = []Disc{{at, 1.5}}
		return r
	}
	// An end in a disc is no failure: the way goes on where the disc ends.
	for _, at := range []geom.Vec3{from, to} {
		s.complete(small(at))
	}
	for _, c := range []struct {
		at     geom.Vec3
		storey Storey
		status route.Status
		code   string
	}{
		{from, OnSurface, route.Unreachable, CodeStartDeckBlocked},
		{from, NearFloor, route.OffMesh, CodeNothingToSnap},
		{from, AnyHeight, route.OffMesh, CodeNothingToSnap},
		{to, OnSurface, route.Unreachable, CodeGoalDeckBlocked},
		{to, NearFloor, route.Unreachable, CodeGoalUnreachable},
		{to, AnyHeight, route.Unreachable, CodeGoalUnreachable},
	} {
		for _, w := range []Windows{Ladder, Exact, WholeRegion} {
			r := ends(End{from, c.storey}, End{to, c.storey})
			r.Windows = w
			r.Discs = []Disc{{c.at, 14}}
			s.want(r, c.status, c.code)
		}
	}
	// With Partial, a goal in a large disc has a way to its rim.
	r := ends(End{At: from}, End{At: to})
	r.Discs, r.Partial = []Disc{{to, 14}}, true
	out := s.want(r, route.Partial, CodeGoalUnreachable)
	if n := len(out.Points); n > 0 {
		last := out.Points[n-1].Pos
		if d := flat(last, to); d < 14 || d > 14.7 || math.Abs(out.Failure.Gap.Width-d) > 0.01 || out.Failure.Gap.To != to || out.Failure.Gap.From != last {
			t.Errorf("ends at %v, %v from the goal, gap %+v", last, d, out.Failure.Gap)
		}
	}
}

func TestBudgetAndCancel(t *testing.T) {
	s := yard(t)
	r := ends(on(12, 0, 6), on(55, 0, 6))
	free := s.complete(r)
	for _, n := range []int{1, free.Stats.Expanded / 2} {
		r.MaxExpanded = n
		out := s.want(r, route.Budget, route.CodeBudget)
		if out.Stats.Expanded > n {
			t.Errorf("budget %d, %d nodes", n, out.Stats.Expanded)
		}
	}
	r.MaxExpanded = free.Stats.Expanded
	s.complete(r)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	var out route.Route
	if err := s.p.Plan(ctx, r, &out); !errors.Is(err, why) || out.Status != route.Cancelled || out.Failure.Code != route.CodeCancelled {
		t.Errorf("%v, %+v", err, out)
	}
	s.complete(r) // the planner goes on
}

// TestRegionTooBig plans on an engine that allows windows of few cells.
func TestRegionTooBig(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 400, 6, 0).Floor(0, 6, 6, 200, 0), nil)
	s.e.regionMax = 900_000
	r := ends(on(100, 0, 3), on(90, 0, 3))
	for _, w := range []Windows{Ladder, Exact} {
		r.Windows = w
		if out := s.complete(r); out.Stats.Window != "small" {
			t.Errorf("window %s", out.Stats.Window)
		}
	}
	r.Windows = WholeRegion
	s.want(r, route.Budget, CodeRegionTooBig)
	s.e.regionMax = regionMax
	s.complete(r)
}

func TestBadInput(t *testing.T) {
	s := yard(t)
	nan, inf := math.NaN(), math.Inf(1)
	discs := make([]Disc, MaxDiscs+1)
	for name, change := range map[string]func(*Request){
		"start not a number":       func(r *Request) { r.From.At.X = nan },
		"start without a height":   func(r *Request) { r.From.At.Y = nan },
		"goal infinite":            func(r *Request) { r.To.At.Z = -inf },
		"start far out":            func(r *Request) { r.From.At.X = 1e12 },
		"goal far up":              func(r *Request) { r.To.At.Y = 1e9 },
		"storey":                   func(r *Request) { r.To.Storey = 3 },
		"zone":                     func(r *Request) { r.Zone = "elsewhere" },
		"radius not a number":      func(r *Request) { r.Body.Radius = nan },
		"radius below 0":           func(r *Request) { r.Body.Radius = -1 },
		"radius beyond the cap":    func(r *Request) { r.Body.Radius = 14.5 },
		"height not a number":      func(r *Request) { r.Body.Height = nan },
		"height beyond the cap":    func(r *Request) { r.Body.Height = 1e6 },
		"step below 0":             func(r *Request) { r.Body.MaxStep = -0.1 },
		"step infinite":            func(r *Request) { r.Body.MaxStep = inf },
		"drop not a number":        func(r *Request) { r.Body.MaxDrop = nan },
		"drop below 0":             func(r *Request) { r.Body.MaxDrop = -1 },
		"preferred beyond the cap": func(r *Request) { r.Body.Preferred = 6.4 },
		"preferred below a cell":   func(r *Request) { r.Body.Preferred = 0.1 },
		"preferred infinite":       func(r *Request) { r.Body.Preferred = inf },
		"too many discs":           func(r *Request) { r.Discs = discs },
		"disc radius below 0":      func(r *Request) { r.Discs = []Disc{{Radius: -1}} },
		"disc radius not a number": func(r *Request) { r.Discs = []Disc{{Radius: nan}} },
		"disc infinite":            func(r *Request) { r.Discs = []Disc{{At: geom.V3(inf, 0, 0), Radius: 1}} },
		"windows":                  func(r *Request) { r.Windows = 3 },
		"budget below 0":           func(r *Request) { r.MaxExpanded = -1 },
	} {
		r := ends(on(12, 0, 6), on(55, 0, 6))
		change(r)
		var out route.Route
		err := s.p.Plan(t.Context(), r, &out)
		var bad *RequestError
		if !errors.As(err, &bad) || bad.Field == "" || out.Status != route.BadInput || out.Failure == nil || out.Failure.Code != route.CodeBadInput {
			t.Errorf("%s: %v, %v", name, err, out.Status)
		}
	}
	// What is large but makes sense.
	r := ends(on(12, 0, 6), on(55, 0, 6))
	for i := range 1000 {
		r.Discs = append(r.Discs, Disc{geom.V3(15+float64(i%40), math.NaN(), 1+float64(i/40)*0.4), 0.05})
	}
	r.Discs = append(r.Discs, Disc{geom.V3(1e9, 0, 0), 10}, Disc{geom.V3(30, 0, 6), 0})
	r.Body.MaxDrop = inf
	s.complete(r)
	r.Discs = []Disc{{geom.V3(0, 0, 0), math.MaxFloat64}}
	s.want(r, route.Unreachable, CodeStartDeckBlocked)
	// A narrower body than the ground was made for, and heights nobody knows.
	s = build(t, wendtest.NewBuilder().Floor(0, 0, 20, 20, 0), func(p *bake.Profile) { p.Agent.Radius = 0.6 })
	r = ends(on(2, 0, 2), on(18, 0, 18))
	r.Body.Radius = 0.5
	s.want(r, route.BadInput, route.CodeBadInput)
	r.Body.Radius = 0.6
	s.complete(r)
}

// TestZonesThatCannotBePlannedIn breaks the tables of packs.
func TestZonesThatCannotBePlannedIn(t *testing.T) {
	res, err := threeZones()
	if err != nil {
		t.Fatal(err)
	}
	load := func() (*bnav.Pack, *bnvf.Fields) {
		p, err := bnav.Load(t.Context(), res.Main, nil)
		if err != nil {
			t.Fatal(err)
		}
		f, err := bnvf.Load(t.Context(), res.Fields, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p, f
	}
	try := func(e *Engine, want DataCode) {
		t.Helper()
		r := ends(on(2, 0, 2), on(8, 0, 8))
		r.Zone = "b"
		var out route.Route
		err := e.NewPlanner().Plan(t.Context(), r, &out)
		var d *DataError
		if !errors.As(err, &d) || d.Code != want || out.Status != route.Unreachable || out.Failure.Code != CodeRouteFailed {
			t.Errorf("%v, %+v, want %v", err, out, want)
		}
		r.Zone = "a"
		if err := e.NewPlanner().Plan(t.Context(), r, &out); err != nil || out.Status != route.Complete {
			t.Errorf("another zone: %v, %v", err, out.Status)
		}
	}
	p, f := load()
	p.Grid.Zones[1].Name = "x"
	e, err := New(p, f, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	try(e, ZoneNoGrid)
	// A request that names no zone of several.
	var out route.Route
	err = e.NewPlanner().Plan(t.Context(), ends(on(2, 0, 2), on(8, 0, 8)), &out)
	var bad *RequestError
	if !errors.As(err, &bad) || out.Status != route.BadInput {
		t.Errorf("no zone: %v, %v", err, out.Status)
	}
}

// TestZonesEvictedWhilePlanning plans in three zones on an engine that keeps one.
func TestZonesEvictedWhilePlanning(t *testing.T) {
	e := openThree(t, &Options{Zones: 1, CacheBytes: 1 << 16})
	r := ends(on(1.5, 0, 1.5), on(10.5, 0, 7.5))
	r.Zone = "a"
	var want route.Route
	if err := e.NewPlanner().Plan(t.Context(), r, &want); err != nil || want.Status != route.Complete {
		t.Fatal(err, want.Status)
	}
	done := make(chan error)
	for k := range 3 {
		go func() {
			p := e.NewPlanner()
			var out route.Route
			for i := range 15 {
				r := *r
				r.Zone = string(rune('a' + (i+k)%3))
				if err := p.Plan(context.Background(), &r, &out); err != nil {
					done <- err
					return
				}
				if !slices.Equal(out.Points, want.Points) {
					done <- errors.New("another route in zone " + r.Zone)
					return
				}
			}
			done <- nil
		}()
	}
	for range 3 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
