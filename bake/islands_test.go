package bake_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/route"
)

// village is a side x side m piece of gentle hills with n x n houses on it, 6 x
// 6 x 4 m, open below: their walls are single faces that reach into the ground,
// and the ground goes on inside.
func village(side float64, n int) (b *wendtest.Builder, ground func(x, z float64) float64, houses []geom.Vec3) {
	const cell = 2.0
	ground = func(x, z float64) float64 { return 1.5*math.Sin(x/15) + math.Cos(z/11) }
	b = wendtest.NewBuilder()
	for x := 0.0; x < side; x += cell {
		for z := 0.0; z < side; z += cell {
			at := func(x, z float64) geom.Vec3 { return geom.V3(x, ground(x, z), z) }
			b.Poly(at(x, z), at(x, z+cell), at(x+cell, z+cell))
			b.Poly(at(x, z), at(x+cell, z+cell), at(x+cell, z))
		}
	}
	pitch := side / float64(n)
	for i := range n {
		for k := range n {
			x, z := (float64(i)+0.5)*pitch, (float64(k)+0.5)*pitch
			y := ground(x, z)
			lo, hi := y-2, y+4
			corner := [4]geom.Vec2{{X: x - 3, Y: z - 3}, {X: x - 3, Y: z + 3}, {X: x + 3, Y: z + 3}, {X: x + 3, Y: z - 3}}
			for e, p := range corner {
				q := corner[(e+1)%4]
				b.Poly(geom.V3(p.X, lo, p.Y), geom.V3(q.X, lo, q.Y), geom.V3(q.X, hi, q.Y), geom.V3(p.X, hi, p.Y))
			}
			b.Floor(x-3, z-3, x+3, z+3, hi)
			houses = append(houses, geom.V3(x, y, z))
		}
	}
	return b, ground, houses
}

// Floors inside closed houses are islands: a goal on one is refused by
// comparing labels, without a search, and options take the islands out.
func TestHollowHouses(t *testing.T) {
	side, n := 100.0, 7
	if long() {
		side, n = 400, 30
	}
	b, ground, houses := village(side, n)
	p := fine()
	m, rep := mustBake(t, b.Scene, p)

	// Each house has a hidden floor and a roof.
	if want := 1 + 2*len(houses); len(rep.Islands) != want || m.IslandCount() != want {
		t.Fatalf("%d islands in the mesh, %d in the report, want %d", m.IslandCount(), len(rep.Islands), want)
	}
	if !slices.IsSortedFunc(rep.Islands, func(a, b bake.IslandReport) int {
		switch {
		case a.Size > b.Size:
			return -1
		case a.Size < b.Size:
			return 1
		}
		return 0
	}) {
		t.Error("the report does not list the islands from the largest down")
	}
	if land := rep.Islands[0].Size; land < 0.7*side*side || rep.Islands[1].Size > 37 {
		t.Errorf("islands of %.1f and %.1f square metres", land, rep.Islands[1].Size)
	}
	sum := 0.0
	for _, is := range rep.Islands {
		sum += is.Size
	}
	if math.Abs(sum-rep.Area) > 1e-6*rep.Area {
		t.Errorf("the islands cover %.2f square metres, the mesh %.2f", sum, rep.Area)
	}

	// Between the houses, on the corner of their plots.
	rng := rand.New(rand.NewPCG(13, 1))
	pitch := side / float64(n)
	outside := func() geom.Vec3 {
		x, z := pitch*float64(1+rng.IntN(n-1)), pitch*float64(1+rng.IntN(n-1))
		return geom.V3(x, ground(x, z), z)
	}
	inside := func() geom.Vec3 {
		h := houses[rng.IntN(len(houses))]
		x, z := h.X-1.5+3*rng.Float64(), h.Z-1.5+3*rng.Float64()
		return geom.V3(x, ground(x, z), z)
	}
	planner := route.NewMeshPlanner(m, p.Agent.Radius, "")
	var r route.Route
	var times []time.Duration
	for range 500 {
		from, to := outside(), inside()
		if err := planner.Plan(t.Context(), from, to, &route.Options{NoPartial: true}, &r); err != nil {
			t.Fatal(err)
		}
		if r.Status != route.Unreachable || r.Stats.Expanded != 0 || r.Stats.Pushed != 0 || len(r.Points) != 0 {
			t.Fatalf("%v to %v: %v after %d expansions, %d pushes, %d points", from, to, r.Status, r.Stats.Expanded, r.Stats.Pushed, len(r.Points))
		}
		times = append(times, r.Stats.Total)
	}
	slices.Sort(times)
	t.Logf("refused in %v, p99 %v", times[250], times[495])
	// The usual time is some microseconds; the bound leaves room for a busy
	// machine and none for a search of the whole mesh.
	if times[250] > time.Millisecond {
		t.Errorf("half of the refusals take over %v", times[250])
	}
	// Inside one house a way leads from wall to wall.
	h := houses[len(houses)/2]
	a, c := geom.V3(h.X-1.5, ground(h.X-1.5, h.Z), h.Z), geom.V3(h.X+1.5, ground(h.X+1.5, h.Z), h.Z)
	if err := planner.Plan(t.Context(), a, c, nil, &r); err != nil || r.Status != route.Complete {
		t.Errorf("from wall to wall of a house: %v, %v", r.Status, err)
	}

	t.Run("partial", func(t *testing.T) {
		from := outside()
		if err := planner.Plan(t.Context(), from, h, nil, &r); err != nil {
			t.Fatal(err)
		}
		if r.Status != route.Partial || r.Failure == nil || r.Failure.Gap == nil {
			t.Fatalf("%v, %+v", r.Status, r.Failure)
		}
		// From the middle to the outside of a wall plus the radius, or up to
		// the ground's height there.
		if w := r.Failure.Gap.Width; w < 3.3 || w > 4.5 {
			t.Errorf("the gap is %.2f m wide, want about 3.6", w)
		}
	})

	if side > 100 {
		return
	}
	for name, change := range map[string]func(*bake.Navmesh){
		"least area":           func(n *bake.Navmesh) { n.MinIslandArea = 40 },
		"least area, in tiles": func(n *bake.Navmesh) { n.MinIslandArea, n.Tiling = 40, bake.TilingOn },
		"seeds": func(n *bake.Navmesh) {
			n.Seeds = []geom.Vec3{geom.V3(-500, 0, 0), outside(), outside()}
		},
		"seed, in tiles": func(n *bake.Navmesh) { n.Seeds, n.Tiling = []geom.Vec3{outside()}, bake.TilingOn },
	} {
		t.Run(name, func(t *testing.T) {
			p := fine()
			change(&p.Navmesh)
			m, rep := mustBake(t, b.Scene, p)
			if m.IslandCount() != 1 || len(rep.Islands) != 1 || rep.PrunedPolys < 2*len(houses) {
				t.Errorf("%d islands, %d polygons dropped", m.IslandCount(), rep.PrunedPolys)
			}
			near, err := m.NewQuery().Nearest(h, nil)
			if err != nil || near.Found || !(near.MissDistance > 3) {
				t.Errorf("inside a house: %+v, %v", near, err)
			}
		})
	}
	t.Run("seed in a house", func(t *testing.T) {
		p := fine()
		p.Navmesh.Seeds = []geom.Vec3{h}
		m, rep := mustBake(t, b.Scene, p)
		if m.IslandCount() != 1 || rep.Area > 37 {
			t.Errorf("%d islands, %.1f square metres", m.IslandCount(), rep.Area)
		}
	})
}

// When no island is left the bake says so.
func TestPruningAll(t *testing.T) {
	sc := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0).Scene
	p := fine()
	p.Navmesh.Seeds = []geom.Vec3{{X: -50}}
	_, err := bake.Run(t.Context(), sc, p, nil)
	wantEmpty(t, err, "every island was pruned")
	p = fine()
	p.Navmesh.MinIslandArea = 1e6
	_, err = bake.Run(t.Context(), sc, p, nil)
	wantEmpty(t, err, "every island was pruned")
}

// Links stay with the ground they join: an island that a seed keeps keeps the
// link to another, which goes, and the report names the end left hanging.
func TestPruningNamesHangingLinks(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0).Floor(20, 0, 30, 10, 0)
	b.Scene.Links = append(b.Scene.Links, link("bridge", geom.V3(9, 0, 5), geom.V3(21, 0, 5)))
	b.Scene.Links[0].OneWay = true
	p := fine()
	p.Navmesh.Seeds = []geom.Vec3{{X: 5, Z: 5}}
	m, rep := mustBake(t, b.Scene, p)
	if m.IslandCount() != 1 {
		t.Errorf("%d islands", m.IslandCount())
	}
	if len(rep.Unattached) != 1 || rep.Unattached[0].Link != "bridge" || rep.Unattached[0].End != "to" {
		t.Errorf("unattached: %+v", rep.Unattached)
	}
	for id := range navmesh.PolyID(m.Len()) {
		if _, from, to, _, ok := m.Poly(id).OffMeshEnds(); ok && (from != navmesh.NoPoly || to != navmesh.NoPoly) {
			t.Errorf("the link still leads from %d to %d", from, to)
		}
	}
}
