package wend_test

import (
	"math"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/scene"
)

// serpentine is a floor of n corridors side by side, 2.5 m from one to the
// next and 100 m long, joined at alternating ends: n-1 walls 0.5 m thick with
// gaps of 2 m.
func serpentine(n int) *scene.Scene {
	b := wendtest.NewBuilder()
	depth := 2.5*float64(n) - 0.5
	b.Floor(0, 0, 100, depth, 0)
	for i := range n - 1 {
		z := 2.5*float64(i) + 2
		x0, x1 := 0.0, 98.0
		if i%2 == 1 {
			x0, x1 = 2, 100
		}
		b.Box(geom.V3(x0, 0, z), geom.V3(x1, 3, z+0.5))
	}
	return b.Scene
}

// A route of 60 km with 1200 corners over thousands of tiles is found whole by
// default; a budget cuts it off and says so.
func TestSerpentine(t *testing.T) {
	corridors := 600
	if testing.Short() {
		corridors = 100
	}
	w := mustWorld(t, serpentine(corridors), func(p *bake.Profile) {
		p.Agent.Radius = 0.5
		p.Navmesh.Cell, p.Navmesh.TileSize, p.Navmesh.Tiling = 0.5, 16, bake.TilingOn
		p.Navmesh.RegionMinSize = 0
	})
	if tiles := w.Mesh(0).TileLen(); tiles < 4*corridors {
		t.Errorf("%d tiles", tiles)
	}
	q := w.NewQuery()
	from, to := geom.V3(1, 0, 1), geom.V3(99, 0, 2.5*float64(corridors)-1.5)
	if corridors%2 == 0 {
		to.X = 1
	}
	var whole wend.Route
	if err := q.PlanInto(t.Context(), &whole, from, to, wend.Agent{}, nil); err != nil {
		t.Fatal(err)
	}
	checkRoute(t, q, &whole)
	if whole.Status != wend.Complete {
		t.Fatalf("%v: %+v", whole.Status, whole.Failure)
	}
	// From one wall's end, passed at the radius, to the next: 97 m along and
	// as much across as the corridors are apart.
	want := float64(corridors) * 97.5
	if math.Abs(whole.Length-want) > 0.01*want {
		t.Errorf("%.1f m, want about %.1f", whole.Length, want)
	}
	if n := len(whole.Points); n < 2*(corridors-1)+2 || n > 3*corridors {
		t.Errorf("%d points for %d corners", n, 2*(corridors-1))
	}
	t.Logf("%.1f km, %d points, %d nodes taken up, %v", whole.Length/1000, len(whole.Points), whole.Stats.Expanded, whole.Stats.Total)

	var cut wend.Route
	last := 0.0
	for _, share := range []int{10, 3, 2} {
		limit := whole.Stats.Expanded / share
		if err := q.PlanInto(t.Context(), &cut, from, to, wend.Agent{}, &wend.PlanOptions{MaxNodes: limit}); err != nil {
			t.Fatal(err)
		}
		checkRoute(t, q, &cut)
		if cut.Status != wend.Budget || cut.Stats.Expanded > limit {
			t.Fatalf("with %d nodes: %v after %d", limit, cut.Status, cut.Stats.Expanded)
		}
		// More nodes, more of the way; the part is a beginning of the whole.
		if cut.Length <= last || cut.Length >= whole.Length {
			t.Errorf("with %d nodes the route is %.1f m, with fewer it was %.1f, the whole is %.1f", limit, cut.Length, last, whole.Length)
		}
		last = cut.Length
		for i, p := range cut.Points[:len(cut.Points)-1] {
			if p.Pos != whole.Points[i].Pos {
				t.Errorf("with %d nodes point %d is %v, on the whole way %v", limit, i, p.Pos, whole.Points[i].Pos)
				break
			}
		}
	}

	// The search can be taken up again, step by step, and ends with the same
	// way.
	nq := w.Mesh(0).NewQuery()
	var ends [2]navmesh.Location
	for i, p := range []geom.Vec3{from, to} {
		near, err := nq.Nearest(p, nil)
		if err != nil || !near.Found {
			t.Fatal(near, err)
		}
		ends[i] = near.Location
	}
	var path navmesh.Path
	limit := whole.Stats.Expanded/7 + 1
	err := nq.Path(t.Context(), ends[0], ends[1], nil, &navmesh.PathOptions{AllowPartial: true, MaxNodes: limit}, &path)
	resumed := 0
	for ; err == nil && path.Outcome == navmesh.Budget; resumed++ {
		err = nq.Resume(t.Context(), limit, &path)
	}
	if err != nil || path.Outcome != navmesh.Complete || resumed < 6 {
		t.Fatalf("resumed %d times: %v, %v", resumed, path.Outcome, err)
	}
	if path.Length != whole.Length || len(path.Points) != len(whole.Points) {
		t.Fatalf("resumed, the way is %v m in %d points, at once %v m in %d", path.Length, len(path.Points), whole.Length, len(whole.Points))
	}
	for i, p := range path.Points {
		if p.Pos != whole.Points[i].Pos {
			t.Fatalf("resumed, point %d is %v, at once %v", i, p.Pos, whole.Points[i].Pos)
		}
	}
}
