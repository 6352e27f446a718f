package bake_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
	"wend/scene"
)

// gates is a floor with three rooms in a row. Between the first two is a wall
// with a door 2 m wide under a lintel 1.2 m up; a step 0.7 m high leads into the
// third.
func gates() *scene.Scene {
	b := wendtest.NewBuilder()
	b.Floor(0, 0, 20, 10, 0).Box(geom.V3(20, -1, 0), geom.V3(30, 0.75, 10))
	b.Box(geom.V3(9.5, 0, 0), geom.V3(10.5, 3, 4)).Box(geom.V3(9.5, 0, 6), geom.V3(10.5, 3, 10))
	b.Box(geom.V3(9.5, 1.25, 4), geom.V3(10.5, 3, 6))
	return b.Scene
}

// Each body gets a mesh of its own, in the order of the profile, and passes
// what it fits through.
func TestSeveralBodies(t *testing.T) {
	p := fine()
	p.Agent = bake.Body{Name: "grown", Radius: 0.5, Height: 2, MaxClimb: 0.5, MaxSlopeDeg: 45}
	p.Bodies = []bake.Body{
		{Name: "child", Radius: 0.25, Height: 1.25, MaxClimb: 0.25, MaxSlopeDeg: 45},
		{Name: "stilts", Radius: 0.25, Height: 2.5, MaxClimb: 0.75, MaxSlopeDeg: 45},
		{Name: "barrel", Radius: 1.5, Height: 1, MaxClimb: 0.75, MaxSlopeDeg: 45},
	}
	res, err := bake.Run(t.Context(), gates(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	rooms := [3]geom.Vec3{{X: 4, Y: 0, Z: 5}, {X: 15, Y: 0, Z: 5}, {X: 25, Y: 0.75, Z: 5}}
	for i, want := range []struct {
		name       string
		door, step bool
	}{
		{"grown", false, false},
		{"child", true, false},
		{"stilts", false, true},
		{"barrel", false, true},
	} {
		bm, rep := res.Meshes[i], res.Report.Bodies[i]
		if bm.Body.Name != want.name || rep.Body != want.name || rep.Radius != bm.Body.Radius || rep.Height != bm.Body.Height {
			t.Fatalf("body %d is %q, reported as %q, want %q", i, bm.Body.Name, rep.Body, want.name)
		}
		checkPolygons(t, bm.Mesh)
		q := bm.Mesh.NewQuery()
		var in [3]navmesh.PolyID
		for k, r := range rooms {
			near, err := q.Nearest(r, nil)
			if err != nil || !near.Found || !near.Over {
				t.Fatalf("%s: nothing at %v: %v", want.name, r, err)
			}
			in[k] = near.Poly
		}
		if got := bm.Mesh.CanReach(in[0], in[1]); got != want.door {
			t.Errorf("%s passes the door: %v, want %v", want.name, got, want.door)
		}
		if got := bm.Mesh.CanReach(in[1], in[2]); got != want.step {
			t.Errorf("%s climbs the step: %v, want %v", want.name, got, want.step)
		}
		for _, tile := range bm.Mesh.Tiles() {
			if tile.AgentRadius != float32(bm.Body.Radius) || tile.AgentHeight != float32(bm.Body.Height) || tile.AgentClimb != float32(bm.Body.MaxClimb) {
				t.Errorf("%s: the tile is made for radius %v, height %v, climb %v", want.name, tile.AgentRadius, tile.AgentHeight, tile.AgentClimb)
			}
		}
	}
	// Together or alone: a body's mesh is the same.
	alone := p
	alone.Agent, alone.Bodies = p.Bodies[1], nil
	m, _ := mustBake(t, gates(), alone)
	if m.Fingerprint() != res.Meshes[2].Mesh.Fingerprint() {
		t.Error("a body baked alone has another mesh than among others")
	}
}

// A body that fits nowhere ends the bake and is named.
func TestBodyThatFitsNowhere(t *testing.T) {
	p := fine()
	p.Bodies = []bake.Body{{Name: "whale", Radius: 12, Height: 9, MaxClimb: 1, MaxSlopeDeg: 45}}
	_, err := bake.Run(t.Context(), gates(), p, nil)
	empty := wantEmpty(t, err, "nothing wide enough for radius 12")
	if empty.Body.Name != "whale" || !strings.Contains(err.Error(), `body "whale"`) {
		t.Errorf("the error is %q", err)
	}
}

// areaAt returns the area id and the flags of the ground at a place.
func areaAt(t *testing.T, m *navmesh.Mesh, x, z float64) (uint8, uint16) {
	t.Helper()
	near, err := m.NewQuery().Nearest(geom.V3(x, 0, z), &navmesh.NearestOptions{Filter: &navmesh.Filter{IncludeFlags: 0xffff}})
	if err != nil || !near.Found || !near.Over {
		t.Fatalf("nothing at %v, %v: %+v, %v", x, z, near, err)
	}
	p := m.Poly(near.Poly)
	return p.Area(), p.Flags()
}

// What ground is follows from its triangle, the first rule that matches, the
// last volume over it, and no-go zones over all, in that order.
func TestAreasOfGround(t *testing.T) {
	b := wendtest.NewBuilder()
	square := func(x float64) []geom.Vec2 {
		return []geom.Vec2{{X: x, Y: 2}, {X: x + 6, Y: 2}, {X: x + 6, Y: 8}, {X: x, Y: 8}}
	}
	b.Part("plain", "stone").Floor(0, 0, 10, 10, 0)
	b.Part("road_north", "asphalt").Floor(10, 0, 20, 10, 0)
	b.Part("road_south", "mud").Floor(20, 0, 30, 10, 0)
	b.Part("pond", "water").Floor(30, 0, 40, 10, 0)
	b.Part("lava", "stone").Floor(40, 0, 50, 10, 0)
	for i := range b.Scene.Tris {
		if tri := &b.Scene.Tris[i]; b.Scene.Parts[tri.Part].Name == "plain" {
			tri.Area = 9 // as the file says
		}
	}
	b.Scene.Volumes = []scene.Volume{
		{Name: "puddle", Ring: square(2), MinY: -1, MaxY: 1, Area: 20},
		{Name: "ice on it", Ring: []geom.Vec2{{X: 4, Y: 4}, {X: 4, Y: 6}, {X: 6, Y: 6}, {X: 6, Y: 4}}, MinY: -1, MaxY: 1, Area: 21},
		{Name: "above all heads", Ring: square(12), MinY: 3, MaxY: 5, Area: 22},
		{Name: "pit", Ring: square(22), MinY: -1, MaxY: 1, Unwalkable: true},
		{Name: "raft", Ring: square(32), MinY: -1, MaxY: 1, Area: 23},
	}
	b.Scene.NoGo = []scene.NoGo{{Name: "quarantine", Ring: []geom.Vec2{{X: 36, Y: 2}, {X: 38, Y: 2}, {X: 38, Y: 8}, {X: 36, Y: 8}}, MinY: -1, MaxY: 1}}
	p := fine()
	p.Agent.Radius = 0.25
	p.Areas = []bake.AreaRule{
		{Part: "road_*", Material: "asphalt", Area: 1},
		{Part: "road_*", Area: 2},
		{Material: "mud", Area: 3}, // never: the rule before it matches
		{Material: "wat?r", Area: 4},
		{Part: "lava", Unwalkable: true},
	}
	m, rep := mustBake(t, b.Scene, p)
	for _, tt := range []struct {
		what string
		x, z float64
		area uint8
		noGo bool
	}{
		{"as the file says", 1, 1, 9, false},
		{"a volume", 3, 3, 20, false},
		{"a volume on a volume", 5, 5, 21, false},
		{"under a volume too high", 15, 5, 1, false},
		{"part and material", 11, 1, 1, false},
		{"the first rule that matches", 21, 1, 2, false},
		{"material", 31, 1, 4, false},
		{"a volume on a rule", 34, 5, 23, false},
		{"no-go on a volume", 37, 5, uint8(scene.MaxArea + 1), true},
	} {
		area, flags := areaAt(t, m, tt.x, tt.z)
		if area != tt.area || (flags&navmesh.FlagNoGo != 0) != tt.noGo {
			t.Errorf("%s: area %d, flags %#x, want area %d, no-go %v", tt.what, area, flags, tt.area, tt.noGo)
		}
	}
	q := m.NewQuery()
	for what, at := range map[string]geom.Vec3{"the pit": {X: 25, Z: 5}, "lava": {X: 45, Z: 5}} {
		if near, err := q.Nearest(at, nil); err != nil || near.Found {
			t.Errorf("%s is ground: %+v, %v", what, near, err)
		}
	}
	// The report adds the areas up.
	var ids []uint8
	sum, polys := 0.0, 0
	for _, a := range rep.Areas {
		ids = append(ids, a.Area)
		sum += a.Size
		polys += a.Polygons
	}
	if want := []uint8{1, 2, 4, 9, 20, 21, 23, uint8(scene.MaxArea + 1)}; !slices.Equal(ids, want) {
		t.Errorf("the report lists areas %v, want %v", ids, want)
	}
	if polys != rep.Polygons || sum < 0.999*rep.Area || sum > 1.001*rep.Area {
		t.Errorf("areas of %d polygons and %.2f square metres; the mesh has %d and %.2f", polys, sum, rep.Polygons, rep.Area)
	}
}

// Links whose ends hang in the air are named with the end and the reason.
func TestUnattachedLinksAreNamed(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0)
	at := geom.V3(5, 0, 5)
	b.Scene.Links = []scene.Link{
		link("fine", at, geom.V3(15, 0, 15)),
		link("into the blue", at, geom.V3(50, 0, 5)),
		link("from the sky", geom.V3(5, 30, 5), at),
		link("", geom.V3(-30, 0, -30), geom.V3(-30, 7, -30)),
	}
	type end struct{ link, end, cause string }
	const aside, height = "no surface within the radius", "the surface there is more than a climb higher or lower"
	want := []end{{"into the blue", "to", aside}, {"from the sky", "from", height}, {"3", "from", aside}, {"3", "to", aside}}
	for tiling, label := range map[bake.Tiling]string{bake.TilingOff: "one piece", bake.TilingOn: "tiles"} {
		t.Run(label, func(t *testing.T) {
			p := fine()
			p.Navmesh.Tiling, p.Navmesh.TileSize = tiling, 16
			_, rep := mustBake(t, b.Scene, p)
			var got []end
			for _, u := range rep.Unattached {
				got = append(got, end{u.Link, u.End, u.Cause})
				if !(u.Distance > 0.5) {
					t.Errorf("%s: %v m from the nearest surface", u.Link, u.Distance)
				}
			}
			cmpEnds := func(a, b end) int { return strings.Compare(a.link+a.end, b.link+b.end) }
			slices.SortFunc(got, cmpEnds)
			wanted := slices.SortedFunc(slices.Values(want), cmpEnds)
			if !slices.Equal(got, wanted) {
				t.Errorf("got  %q\nwant %q", got, wanted)
			}
		})
	}
}

// Two links with the same ends are told apart.
func TestUnattachedTwins(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0)
	from, to := geom.V3(5, 0, 5), geom.V3(50, 0, 5)
	b.Scene.Links = []scene.Link{link("first", from, to), link("second", from, to)}
	_, rep := mustBake(t, b.Scene, fine())
	var names []string
	for _, u := range rep.Unattached {
		names = append(names, u.Link+" "+u.End)
	}
	if want := []string{"first to", "second to"}; !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

// A level with more links than a tile can number is refused by name, before
// anything wraps round.
func TestTooManyLinks(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0)
	for i := range 40000 {
		b.Scene.Links = append(b.Scene.Links, link(fmt.Sprint(i), geom.V3(5, 0, 5), geom.V3(15, 0, 15)))
	}
	_, err := bake.Run(t.Context(), b.Scene, fine(), nil)
	var full *bake.CapacityError
	if !errors.As(err, &full) || full.What != "off-mesh links" {
		t.Errorf("got %v, want a CapacityError of the links", err)
	}
}
