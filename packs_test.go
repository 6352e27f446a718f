package wend_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest/packtest"
	"wend/scene/sample"
	"wend/spanroute"
)

// townPacks are the packs of the sample town as files.
var townPacks = sync.OnceValues(func() (fstest.MapFS, error) {
	return packtest.Make(context.Background(), sample.Town(), false, nil)
})

func openTown(t *testing.T) *wend.Packs {
	t.Helper()
	fsys, err := townPacks()
	if err != nil {
		t.Fatal(err)
	}
	p, err := wend.OpenPacks(fsys, packtest.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Packs baked in memory plan what the same packs say that were read from files.
func TestBakedPacksPlanLikeOpenedOnes(t *testing.T) {
	opened := openTown(t).NewQuery()
	packs, report, err := wend.BakePacks(t.Context(), sample.Town(), packtest.Zone, bake.Human(), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Zones) != 1 || report.Zones[0].Zone != packtest.Zone {
		t.Errorf("the report is about %+v", report.Zones)
	}
	if diff := cmp.Diff([]string{packtest.Zone}, packs.Zones()); diff != "" {
		t.Error(diff)
	}
	baked := packs.NewQuery()
	for _, trip := range sample.Trips() {
		a, errA := opened.Plan(t.Context(), trip.From, trip.To, wend.Agent{}, nil)
		b, errB := baked.Plan(t.Context(), trip.From, trip.To, wend.Agent{}, nil)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if b.World != packs.Fingerprint() {
			t.Errorf("%s: planned on world %s, the packs are %s", trip.Name, b.World, packs.Fingerprint())
		}
		if diff := cmp.Diff(a.Points, b.Points); diff != "" || a.Status != b.Status {
			t.Errorf("%s: %v and %v\n%s", trip.Name, a.Status, b.Status, diff)
		}
	}
}

// The agent's numbers reach the planner: each asks for more than the town's
// packs hold, and each is named.
func TestSpanAgents(t *testing.T) {
	q := openTown(t).NewQuery()
	trip := sample.Trips()[0]
	for field, a := range map[string]wend.Agent{
		"radius":              {Radius: 0.1},
		"height":              {Height: 1000},
		"step":                {MaxStep: math.NaN()},
		"drop":                {MaxDrop: -1},
		"preferred clearance": {Clearance: 1000},
	} {
		r, err := q.Plan(t.Context(), trip.From, trip.To, a, nil)
		var bad *spanroute.RequestError
		if !errors.As(err, &bad) || bad.Field != field || r.Status != wend.BadInput {
			t.Errorf("%+v: status %v, error %v, want one about the %s", a, r.Status, err, field)
		}
	}
}

// What can go wrong with a request is a status, and what can be wrong with one
// an error beside it.
func TestSpanStatuses(t *testing.T) {
	packs := openTown(t)
	q := packs.NewQuery()
	from, to := wend.V3(-58, 0, 0), wend.V3(58, 0, 0)
	ended, end := context.WithCancelCause(t.Context())
	stop := errors.New("the level is left")
	end(stop)
	nan := math.NaN()
	for name, tt := range map[string]struct {
		ctx      context.Context
		from, to geom.Vec3
		o        *wend.SpanOptions
		want     wend.Status
		err      error // nil: none; errBad: a *spanroute.RequestError
	}{
		"fine":               {from: from, to: to, want: wend.Complete},
		"start not a place":  {from: wend.V3(nan, 0, 0), to: to, want: wend.BadInput, err: errBad},
		"goal not a place":   {from: from, to: wend.V3(0, 0, math.Inf(1)), want: wend.BadInput, err: errBad},
		"height of no use":   {from: wend.V3(-58, nan, 0), to: to, o: &wend.SpanOptions{From: wend.AnyHeight}, want: wend.Complete},
		"beyond all":         {from: from, to: wend.V3(1e9, 0, 0), want: wend.BadInput, err: errBad},
		"off the map":        {from: from, to: wend.V3(580, 0, 0), want: wend.OffMesh},
		"in the air":         {from: wend.V3(-58, 50, 0), to: to, want: wend.OffMesh},
		"unknown zone":       {from: from, to: to, o: &wend.SpanOptions{Zone: "moon"}, want: wend.BadInput, err: errBad},
		"disc inside out":    {from: from, to: to, o: &wend.SpanOptions{Discs: []wend.Disc{{Radius: -1}}}, want: wend.BadInput, err: errBad},
		"disc of nothing":    {from: from, to: to, o: &wend.SpanOptions{Discs: []wend.Disc{{Radius: nan}}}, want: wend.BadInput, err: errBad},
		"discs in plenty":    {from: from, to: to, o: &wend.SpanOptions{Discs: make([]wend.Disc, spanroute.MaxDiscs+1)}, want: wend.BadInput, err: errBad},
		"windows of no kind": {from: from, to: to, o: &wend.SpanOptions{Windows: 9}, want: wend.BadInput, err: errBad},
		"storey of no kind":  {from: from, to: to, o: &wend.SpanOptions{To: 9}, want: wend.BadInput, err: errBad},
		"budget":             {from: from, to: to, o: &wend.SpanOptions{MaxExpanded: 5}, want: wend.Budget},
		"no-go":              {from: from, to: sample.Trips()[13].To, want: wend.NoGo},
		"roof":               {from: from, to: sample.Trips()[12].To, want: wend.Unreachable},
		"ended":              {ctx: ended, from: from, to: to, want: wend.Cancelled, err: stop},
	} {
		ctx := tt.ctx
		if ctx == nil {
			ctx = t.Context()
		}
		r, err := q.Plan(ctx, tt.from, tt.to, wend.Agent{}, tt.o)
		var bad *spanroute.RequestError
		switch {
		case tt.err == nil && err != nil, tt.err == errBad && !errors.As(err, &bad), tt.err != nil && tt.err != errBad && !errors.Is(err, tt.err):
			t.Errorf("%s: error %v, want %v", name, err, tt.err)
		case r.Status != tt.want:
			t.Errorf("%s: status %v, want %v (%+v)", name, r.Status, tt.want, r.Failure)
		case r.World != packs.Fingerprint():
			t.Errorf("%s: world %q", name, r.World)
		case (r.Status == wend.Complete) != (len(r.Points) > 1 && r.Failure == nil):
			t.Errorf("%s: %v with %d points and failure %v", name, r.Status, len(r.Points), r.Failure)
		}
	}
}

var errBad = errors.New("a request that makes no sense")

// A nil context is one that never ends, as on navmeshes and grids, and a request
// that is nil one that makes no sense.
func TestNilContext(t *testing.T) {
	packs := openTown(t)
	from, to := wend.V3(-58, 0, 0), wend.V3(58, 0, 0)
	var none context.Context
	if r, err := packs.NewQuery().Plan(none, from, to, wend.Agent{}, nil); err != nil || r.Status != wend.Complete {
		t.Errorf("a plan: %v, %+v", err, r.Failure)
	}
	if p, err := packs.Probe(none, "", from); err != nil || len(p.Surfaces) == 0 {
		t.Errorf("a probe: %v, %+v", err, p)
	}
	var r wend.Route
	var bad *spanroute.RequestError
	if err := packs.Engine().NewPlanner().Plan(none, nil, &r); !errors.As(err, &bad) || bad.Field != "request" || r.Status != wend.BadInput {
		t.Errorf("no request: %v, %+v", err, r)
	}
}

// A place that no zone has is named as it was asked for.
func TestProbeFarOut(t *testing.T) {
	_, err := openTown(t).Probe(t.Context(), "", wend.V3(1e6, 0, 2))
	var bad *spanroute.RequestError
	if !errors.As(err, &bad) || bad.Value != (geom.Vec2{X: 1e6, Y: 2}) {
		t.Errorf("%v", err)
	}
}

// Queries on several goroutines give what one gives alone.
func TestSpanQueriesInParallel(t *testing.T) {
	packs := openTown(t)
	trips := sample.Trips()
	want := make([]*wend.Route, len(trips))
	q := packs.NewQuery()
	for i, trip := range trips {
		var err error
		if want[i], err = q.Plan(t.Context(), trip.From, trip.To, wend.Agent{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			q := packs.NewQuery()
			var r wend.Route
			for k := range trips {
				i := (k + g) % len(trips)
				if err := q.PlanInto(t.Context(), &r, trips[i].From, trips[i].To, wend.Agent{}, nil); err != nil {
					t.Error(err)
				} else if diff := cmp.Diff(want[i].Points, r.Points); diff != "" && len(r.Points)+len(want[i].Points) > 0 {
					t.Errorf("%s: %s", trips[i].Name, diff)
				}
			}
		})
	}
	wg.Wait()
}

// Open says who opens packs, and OpenPacks what is wrong with a file.
func TestOpenOfPacks(t *testing.T) {
	fsys, err := townPacks()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{packtest.Name, "missing.nav.gz"} {
		_, err := wend.Open(fsys, name, nil)
		var pack *wend.PackError
		if !errors.As(err, &pack) || pack.Name != name || !strings.Contains(err.Error(), "OpenPacks") {
			t.Errorf("Open(%s): %v", name, err)
		}
	}
	alone := fstest.MapFS{packtest.Name: fsys[packtest.Name]}
	for name, in := range map[string]fstest.MapFS{"no main pack": {}, "no fields": alone} {
		_, err := wend.OpenPacks(in, packtest.Name, nil)
		var data *spanroute.DataError
		if !errors.As(err, &data) || data.Code != spanroute.EngineUnusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A navmesh has no falls and one clearance: a World does not ignore what it
// cannot honour.
func TestWorldRefusesWhatIsForPacks(t *testing.T) {
	w, err := wend.Open(yard, "yard.obj", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []wend.Agent{{MaxDrop: 1}, {Clearance: 1}} {
		_, err := w.BodyFor(a)
		var bad *wend.AgentError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), "for packs") {
			t.Errorf("%+v: %v", a, err)
		}
	}
}

// Three lines lead from packs to a route. A route over packs keeps away from
// walls where that costs little, and each point knows its clearance.
func ExampleOpenPacks() {
	fsys, err := townPacks() // os.DirFS("packs") for files that "wend bake -o" made
	if err != nil {
		fmt.Println(err)
		return
	}
	packs, err := wend.OpenPacks(fsys, "level.nav", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := packs.NewQuery().Plan(context.Background(), wend.V3(14, 0, 0), wend.V3(14, 4, 0), wend.Agent{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v from %v to %v\n", r.Status, r.Points[0].Pos.Y < 1, r.Points[len(r.Points)-1].Pos.Y > 3)
	// Output:
	// complete from true to true
}

// A disc is an obstacle of one request, such as a crowd: the way leads around it
// where there is room, and another way is taken where there is none.
func ExampleSpanQuery_Plan() {
	packs, _, err := wend.BakePacks(context.Background(), sample.Town(), "town", bake.Human(), nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := packs.NewQuery()
	from, to := wend.V3(14, 2, -12), wend.V3(14, 2, 12)
	agent := wend.Agent{Radius: 0.6, Height: 2, MaxDrop: 1}
	for _, discs := range [][]wend.Disc{nil, {{At: wend.V3(14, 0, 0), Radius: 1}}} {
		r, err := q.Plan(context.Background(), from, to, agent, &wend.SpanOptions{Discs: discs})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v, %.1f m\n", r.Status, r.Length)
	}
	// Output:
	// complete, 24.6 m
	// complete, 78.6 m
}

// Probe says what can be stood on at a place, storey by storey.
func ExamplePacks_Probe() {
	fsys, err := townPacks()
	if err != nil {
		fmt.Println(err)
		return
	}
	packs, err := wend.OpenPacks(fsys, "level.nav", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := packs.Probe(context.Background(), "", wend.V3(14, 0, 0))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range p.Surfaces {
		fmt.Printf("at %.1f m: walkable %v, %.1f m from the next obstacle\n", s.Y, s.Walk, s.Clearance)
	}
	// Output:
	// at 4.1 m: walkable true, 1.2 m from the next obstacle
	// at 0.1 m: walkable true, 1.2 m from the next obstacle
}

// A table of no-go zones that is named has to exist: ways would lead through all
// of its zones otherwise.
func TestOpenPacksWithoutNamedNoGo(t *testing.T) {
	fsys, err := townPacks()
	if err != nil {
		t.Fatal(err)
	}
	_, err = wend.OpenPacks(fsys, packtest.Name, &wend.PackOptions{NoGo: "nogoo.json"})
	var data *spanroute.DataError
	if !errors.As(err, &data) || data.Code != spanroute.EngineUnusable || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "nogoo.json") {
		t.Errorf("%v", err)
	}
	with := fstest.MapFS{"nogo.json": {Data: []byte(`{"version":1,"zones":{}}`)}}
	for name, f := range fsys {
		with[name] = f
	}
	if _, err := wend.OpenPacks(with, packtest.Name, &wend.PackOptions{NoGo: "nogo.json"}); err != nil {
		t.Error(err)
	}
}
