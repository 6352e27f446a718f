package bake_test

import (
	"bytes"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/navmesh/detour"
	"wend/scene"
)

// drawLevel draws a floor with boxes, ramps, decks, areas, volumes and links
// on it. Coordinates are multiples of 1/8 m, so many faces lie on borders of
// cells and on one another.
func drawLevel(t *rapid.T) *scene.Scene {
	eighth := func(lo, hi int, what string) float64 { return float64(rapid.IntRange(8*lo, 8*hi).Draw(t, what)) / 8 }
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0)
	b.Part("road", "asphalt").Floor(2, 8, 18, 12, 0) // in the plane of the floor
	for range rapid.IntRange(0, 6).Draw(t, "boxes") {
		lo := geom.V3(eighth(0, 18, "x"), eighth(-1, 3, "y"), eighth(0, 18, "z"))
		b.Box(lo, lo.Add(geom.V3(eighth(1, 6, "w")/2, eighth(1, 4, "h")/2, eighth(1, 6, "d")/2)))
	}
	for range rapid.IntRange(0, 3).Draw(t, "ramps") {
		x, z := eighth(0, 12, "x"), eighth(0, 16, "z")
		b.Ramp(x, z, x+eighth(3, 8, "run"), z+eighth(1, 4, "width"), eighth(-1, 2, "foot"), eighth(0, 4, "top"))
	}
	for range rapid.IntRange(0, 20).Draw(t, "slivers") {
		p := func() geom.Vec3 { return geom.V3(eighth(0, 20, "x"), eighth(-1, 3, "y"), eighth(0, 20, "z")) }
		b.Poly(p(), p(), p())
	}
	for i := range b.Scene.Tris {
		if rapid.IntRange(0, 9).Draw(t, "mark") == 0 {
			b.Scene.Tris[i].Area = scene.AreaID(rapid.IntRange(1, 3).Draw(t, "area"))
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "volumes") {
		x, z, s := eighth(0, 18, "x"), eighth(0, 18, "z"), eighth(1, 5, "side")
		b.Scene.Volumes = append(b.Scene.Volumes, scene.Volume{
			Ring: []geom.Vec2{{X: x, Y: z}, {X: x + s, Y: z + s/2}, {X: x + s/2, Y: z + s}},
			MinY: -1, MaxY: 2, Area: scene.AreaID(rapid.IntRange(0, 5).Draw(t, "area")), Unwalkable: rapid.Bool().Draw(t, "cut"),
		})
	}
	for range rapid.IntRange(0, 3).Draw(t, "links") {
		b.Scene.Links = append(b.Scene.Links, scene.Link{
			From: geom.V3(eighth(0, 20, "x"), 0, eighth(0, 20, "z")), To: geom.V3(eighth(0, 20, "x"), 0, eighth(0, 20, "z")),
			Radius: 1, OneWay: rapid.Bool().Draw(t, "one way"),
		})
	}
	return b.Scene
}

// fileOf bakes and returns the bytes of the navmesh file; nil for a level
// without ground.
func fileOf(t *rapid.T, sc *scene.Scene, p bake.Profile, workers int) []byte {
	res, err := bake.Run(t.Context(), sc, p, &bake.Options{Workers: workers})
	if err != nil {
		return []byte(err.Error())
	}
	var buf bytes.Buffer
	m := res.Meshes[0].Mesh
	if err := detour.Write(&buf, m.Params(), m.Tiles()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// reorder returns the scene with its vertices and triangles in another order,
// each triangle started at another corner.
func reorder(sc *scene.Scene, seed uint64) *scene.Scene {
	rng := rand.New(rand.NewPCG(seed, 7))
	out := *sc
	out.Verts = make([]geom.Vec3, len(sc.Verts))
	to := rng.Perm(len(sc.Verts))
	for i, v := range sc.Verts {
		out.Verts[to[i]] = v
	}
	out.Tris = slices.Clone(sc.Tris)
	rng.Shuffle(len(out.Tris), func(i, k int) { out.Tris[i], out.Tris[k] = out.Tris[k], out.Tris[i] })
	for i := range out.Tris {
		v := out.Tris[i].V
		for k := range v {
			v[k] = uint32(to[v[k]])
		}
		n := rng.IntN(3)
		out.Tris[i].V = [3]uint32{v[n], v[(n+1)%3], v[(n+2)%3]}
	}
	return &out
}

// drawProfile draws settings that change the way through the stages.
func drawProfile(t *rapid.T) bake.Profile {
	p := fine()
	p.Agent.Radius = rapid.SampledFrom([]float64{0, 0.25, 0.6}).Draw(t, "radius")
	p.Agent.MaxSlopeDeg = rapid.SampledFrom([]float64{30, 45, 60}).Draw(t, "slope")
	p.Navmesh.Partition = rapid.SampledFrom([]bake.Partition{bake.Watershed, bake.Monotone}).Draw(t, "partition")
	p.Navmesh.Tiling = rapid.SampledFrom([]bake.Tiling{bake.TilingOff, bake.TilingOn}).Draw(t, "tiling")
	p.Navmesh.TileSize = rapid.SampledFrom([]int{8, 16, 37}).Draw(t, "tile size")
	p.Navmesh.EdgeMaxError = rapid.SampledFrom([]float64{0, 1.3}).Draw(t, "edge error")
	p.Navmesh.VertsPerPoly = rapid.IntRange(3, 6).Draw(t, "corners")
	p.Areas = []bake.AreaRule{{Material: "asphalt", Area: 4}}
	return p
}

// checkSome checks a property on 1000 drawn levels in the long suites, else on
// a few.
func checkSome(t *testing.T, few string, property func(*rapid.T)) {
	t.Helper()
	const name = "rapid.checks"
	checks := flag.Lookup(name)
	if before := checks.Value.String(); before == checks.DefValue {
		if long() {
			few = "1000"
		}
		if err := flag.Set(name, few); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = flag.Set(name, before) })
	}
	rapid.Check(t, property)
}

// The bytes of a mesh depend on the level and the settings alone.
func TestSameBytesOnGeneratedLevels(t *testing.T) {
	checkSome(t, "12", func(t *rapid.T) {
		sc, p := drawLevel(t), drawProfile(t)
		want := fileOf(t, sc, p, 1)
		for _, workers := range []int{2, 4} {
			if !bytes.Equal(fileOf(t, sc, p, workers), want) {
				t.Fatalf("%d workers give other bytes than one", workers)
			}
		}
		seed := rapid.Uint64().Draw(t, "order")
		if !bytes.Equal(fileOf(t, reorder(sc, seed), p, 2), want) {
			t.Fatal("another order of triangles gives other bytes")
		}
	})
}

// A level moved by whole cells and voxels gives the same mesh, moved.
func TestMovedLevelGivesMovedMesh(t *testing.T) {
	checkSome(t, "15", func(t *rapid.T) {
		sc, p := drawLevel(t), drawProfile(t)
		res, err := bake.Run(t.Context(), sc, p, nil)
		if err != nil {
			t.Skip(err)
		}
		by := geom.V3(
			0.25*float64(rapid.IntRange(-400, 400).Draw(t, "east")),
			0.125*float64(rapid.IntRange(-80, 80).Draw(t, "up")),
			0.25*float64(rapid.IntRange(-400, 400).Draw(t, "south")),
		)
		moved, err := bake.Run(t.Context(), move(sc, by), p, nil)
		if err != nil {
			t.Fatalf("moved by %v: %v", by, err)
		}
		a, b := res.Meshes[0].Mesh, moved.Meshes[0].Mesh
		if a.Len() != b.Len() {
			t.Fatalf("%d polygons, moved by %v: %d", a.Len(), by, b.Len())
		}
		for id := range navmesh.PolyID(a.Len()) {
			pa, pb := a.Poly(id), b.Poly(id)
			if pa.Len() != pb.Len() || pa.Area() != pb.Area() || pa.Kind() != pb.Kind() || pa.Island() != pb.Island() {
				t.Fatalf("polygon %d differs when moved by %v", id, by)
			}
			if pa.Kind() == navmesh.KindOffMesh {
				continue // its end may be as near to one polygon as to another
			}
			for i := range pa.Len() {
				// Heights of the detail are computed in float64 and stored in float32.
				if d := geom.Dist(pa.Corner(i).Add(by), pb.Corner(i)); d > 1e-4 {
					t.Fatalf("corner %d of polygon %d is %v off when moved by %v", i, id, d, by)
				}
			}
		}
	})
}

// move returns the scene moved.
func move(sc *scene.Scene, by geom.Vec3) *scene.Scene {
	out := *sc
	out.Verts = slices.Clone(sc.Verts)
	for i := range out.Verts {
		out.Verts[i] = out.Verts[i].Add(by)
	}
	out.Links = slices.Clone(sc.Links)
	for i := range out.Links {
		out.Links[i].From, out.Links[i].To = out.Links[i].From.Add(by), out.Links[i].To.Add(by)
	}
	out.Volumes = slices.Clone(sc.Volumes)
	for i := range out.Volumes {
		v := &out.Volumes[i]
		v.MinY, v.MaxY = v.MinY+by.Y, v.MaxY+by.Y
		v.Ring = slices.Clone(v.Ring)
		for k := range v.Ring {
			v.Ring[k].X += by.X
			v.Ring[k].Y += by.Z
		}
	}
	return &out
}

// Running one after another or side by side on one scene gives the same
// meshes: a scene is only read.
func TestBakesSideBySide(t *testing.T) {
	sc := gates()
	m, _ := mustBake(t, sc, fine())
	prints := make(chan string)
	const n = 4
	for range n {
		go func() {
			res, err := bake.Run(t.Context(), sc, fine(), nil)
			if err != nil {
				prints <- err.Error()
				return
			}
			prints <- res.Meshes[0].Mesh.Fingerprint()
		}()
	}
	for range n {
		if got := <-prints; got != m.Fingerprint() {
			t.Errorf("side by side: %s, alone: %s", got, m.Fingerprint())
		}
	}
}
