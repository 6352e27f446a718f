package navmesh_test

import (
	"context"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/navmesh/detour"
	"wend/scene"
)

// linkedMesh opens a file and gives it random areas and off-mesh connections
// between corners of its polygons.
func linkedMesh(t *testing.T, file string, rng *rand.Rand, links int) *navmesh.Mesh {
	t.Helper()
	data, err := os.ReadFile(wendtest.Data(t, "navmesh", file))
	if err != nil {
		t.Fatal(err)
	}
	params, tiles, err := detour.Read(data, file)
	if err != nil {
		t.Fatal(err)
	}
	type corner struct {
		tile int
		at   geom.Vec3f
	}
	var corners []corner
	for i := range tiles {
		for _, v := range tiles[i].Verts {
			corners = append(corners, corner{i, v})
		}
		tiles[i].Polys = slices.Clone(tiles[i].Polys)
		for k := range tiles[i].Polys {
			tiles[i].Polys[k].Area = uint8(rng.IntN(4))
		}
	}
	for range links {
		a, b := corners[rng.IntN(len(corners))], corners[rng.IntN(len(corners))]
		if a.at == b.at {
			continue
		}
		tl := &tiles[a.tile]
		v := uint16(len(tl.Verts))
		tl.Verts = append(slices.Clone(tl.Verts), a.at, b.at)
		tl.OffMesh = append(tl.OffMesh, navmesh.OffMesh{
			From: a.at, To: b.at, Radius: 0.6, Poly: uint16(len(tl.Polys)),
			BothWays: rng.IntN(2) == 0, Side: tl.SideOf(b.at), Cost: float32(1 + rng.IntN(20)),
		})
		tl.Polys = append(tl.Polys, navmesh.TilePoly{
			Verts: [navmesh.MaxPolyVerts]uint16{v, v + 1}, Count: 2, Flags: navmesh.FlagWalk,
			Area: uint8(rng.IntN(4)), Kind: navmesh.KindOffMesh,
		})
	}
	m, _, err := navmesh.New(params, tiles)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Whatever the areas cost and the connections join: a goal that a flood over
// open polygons reaches is reached, and no other.
func TestMixedCostsLoseNoWay(t *testing.T) {
	for _, file := range []string{"nav_test_solo.bin", "nav_test_tiled.bin", "dungeon_tiled.bin"} {
		for seed := range uint64(6) {
			rng := rand.New(rand.NewPCG(seed, 7))
			m := linkedMesh(t, file, rng, 5+int(seed)*10)
			f := &navmesh.Filter{AreaCost: [64]float64{1, 3, 0.5, 10}}
			var ground []navmesh.PolyID
			for p := range navmesh.PolyID(m.Len()) {
				if m.Poly(p).Kind() == navmesh.KindGround {
					ground = append(ground, p)
				}
			}
			q := m.NewQuery()
			var path navmesh.Path
			for range 60 {
				from := ground[rng.IntN(len(ground))]
				seen := map[navmesh.PolyID]bool{from: true}
				for todo := []navmesh.PolyID{from}; len(todo) > 0; {
					p := todo[0]
					todo = todo[1:]
					for n := range m.Poly(p).Neighbours() {
						if !seen[n.Poly] {
							seen[n.Poly] = true
							todo = append(todo, n.Poly)
						}
					}
				}
				for range 20 {
					to := ground[rng.IntN(len(ground))]
					at, _, _ := m.ClosestPoint(from, m.Poly(from).Center())
					a := navmesh.Location{Poly: from, Pos: at}
					at, _, _ = m.ClosestPoint(to, m.Poly(to).Center())
					b := navmesh.Location{Poly: to, Pos: at}
					for _, search := range []navmesh.Search{navmesh.SearchExact, navmesh.SearchCorridor} {
						if err := q.Path(t.Context(), a, b, f, &navmesh.PathOptions{Search: search}, &path); err != nil {
							t.Fatal(err)
						}
						if got := path.Outcome == navmesh.Complete; got != seen[to] {
							t.Fatalf("%s, seed %d, search %d, polygon %d to %d: %v after %d expansions, a flood reaches it: %v",
								file, seed, search, from, to, path.Outcome, path.Expanded, seen[to])
						}
					}
				}
			}
		}
	}
}

// Floors with boxes and volumes of random areas, cut and simplified in every
// way: some have portals without width, whose ends are no corner of the survey.
func TestMixedCostsOnRandomFloors(t *testing.T) {
	f := &navmesh.Filter{AreaCost: [64]float64{1, 3, 0.5, 10}}
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 9))
		b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0)
		for range rng.IntN(12) {
			x, z := 18*rng.Float64(), 18*rng.Float64()
			b.Box(geom.V3(x, 0, z), geom.V3(x+4*rng.Float64(), 2*rng.Float64(), z+4*rng.Float64()))
		}
		for range 4 {
			x, z := 18*rng.Float64(), 18*rng.Float64()
			w, d := 0.1+8*rng.Float64(), 0.1+8*rng.Float64()
			b.Scene.Volumes = append(b.Scene.Volumes, scene.Volume{
				Ring: []geom.Vec2{{X: x, Y: z}, {X: x + w, Y: z}, {X: x + w, Y: z + d}, {X: x, Y: z + d}},
				MinY: -1, MaxY: 5, Area: scene.AreaID(rng.IntN(4)),
			})
		}
		p := bake.Human()
		p.Agent.Radius = 0.2 * float64(rng.IntN(4))
		p.Navmesh.RegionMinSize = 0
		p.Navmesh.TileSize = 8 + rng.IntN(24)
		p.Navmesh.Tiling = bake.Tiling(1 + rng.IntN(2))
		p.Navmesh.RegionMergeSize = float64(rng.IntN(20))
		p.Navmesh.EdgeMaxError = 3 * rng.Float64()
		p.Navmesh.VertsPerPoly = 3 + rng.IntN(4)
		res, err := bake.Run(t.Context(), b.Scene, p, nil)
		if err != nil {
			continue // nothing left to walk on
		}
		m := res.Meshes[0].Mesh
		q := m.NewQuery()
		var path navmesh.Path
		for range 60 {
			from, to := navmesh.PolyID(rng.IntN(m.Len())), navmesh.PolyID(rng.IntN(m.Len()))
			a, _, _ := m.ClosestPoint(from, m.Poly(from).Center())
			z, _, _ := m.ClosestPoint(to, m.Poly(to).Center())
			err := q.Path(t.Context(), navmesh.Location{Poly: from, Pos: a}, navmesh.Location{Poly: to, Pos: z}, f, nil, &path)
			if err != nil {
				t.Fatal(err)
			}
			if (path.Outcome == navmesh.Complete) != m.CanReach(from, to) {
				t.Fatalf("seed %d, polygon %d to %d: %v, reachable %v", seed, from, to, path.Outcome, m.CanReach(from, to))
			}
		}
	}
}

// A caller without a context may pass none.
func TestPathWithoutContext(t *testing.T) {
	res, err := bake.Run(t.Context(), wendtest.NewBuilder().Floor(0, 0, 20, 20, 0).Scene, bake.Human(), nil)
	if err != nil {
		t.Fatal(err)
	}
	q := res.Meshes[0].Mesh.NewQuery()
	near, err := q.Nearest(geom.V3(10, 0, 10), nil)
	if err != nil {
		t.Fatal(err)
	}
	var none context.Context
	var path navmesh.Path
	if err := q.Path(none, near.Location, near.Location, nil, nil, &path); err != nil || path.Outcome != navmesh.Complete {
		t.Errorf("got %v, %v", path.Outcome, err)
	}
}
