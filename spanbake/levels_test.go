package spanbake_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"wend/bake"
	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
	"wend/scene"
	"wend/scene/level"
	"wend/scene/sample"
	"wend/spanbake"
	"wend/verify"
)

// realLevel is a level file and how it becomes ground.
type realLevel struct {
	file      string
	scale     float64
	walkable  bool // its triangles are the ground already
	colliders int  // parts that are marked as such
	short     bool // fit for every run of the tests
}

// realLevels are small and large, of voxels, heights and rooms, in all formats.
var realLevels = []realLevel{
	{file: "nav_test.obj", short: true, colliders: 1},
	{file: "dungeon.obj"},
	{file: "undulating.obj"},
	{file: "sauerbraten-pandora.obj", scale: 0.125},
	{file: "tesseract-complex.obj", scale: 0.125},
	{file: "navcat-bridges.glb", scale: 5},
	{file: "navcat-crowd-stress.glb", colliders: 1},
	{file: "navcat-proto-level.glb"},
	{file: "recast-navigation-js-dungeon.gltf"},
	{file: "three-pathfinding-level.glb", scale: 5},
	{file: "three-pathfinding-level.nav.glb", scale: 5, walkable: true, short: true},
}

func (l *realLevel) open(t *testing.T) *scene.Scene {
	t.Helper()
	dir := wendtest.Data(t, "levels")
	sc, _, err := level.Open(os.DirFS(dir), l.file, &level.Options{Options: scene.Options{Scale: l.scale}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range min(l.colliders, len(sc.Parts)) {
		sc.Parts[i].Collider = true
	}
	return sc
}

// input makes the zone of a level as the command line does.
func input(t *testing.T, sc *scene.Scene, walkable bool) *spanbake.Input {
	t.Helper()
	p := bake.Human()
	rules, err := spanbake.RulesFor(&p)
	if err != nil {
		t.Fatal(err)
	}
	l := &spanbake.Level{Zone: "level", Cell: p.Navmesh.Cell, Rules: rules, Body: p.Agent, Files: []string{"level.obj"}}
	l.Frame.Up, l.Frame.Unit, l.Frame.Scale = "y", "m", 1
	var in *spanbake.Input
	if walkable {
		in, _, err = spanbake.FromTriangles(t.Context(), sc, l)
	} else {
		var res *bake.Result
		if res, err = bake.Run(t.Context(), sc, p, nil); err != nil {
			t.Fatal(err)
		}
		l.WeldHeight = p.Agent.MaxClimb
		in, _, err = spanbake.FromNavmesh(t.Context(), res.Meshes[0].Mesh, sc, l)
	}
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func bakePack(t *testing.T, in *spanbake.Input, o spanbake.Options) *spanbake.Result {
	t.Helper()
	res, err := spanbake.Run(t.Context(), in, &o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// verifyDeep checks a set of packs by all rules, and by a second bake.
func verifyDeep(t *testing.T, res *spanbake.Result) *verify.Counts {
	t.Helper()
	fields, occluder := pack.SideNames("level.nav")
	set := fstest.MapFS{"level.nav": &fstest.MapFile{Data: res.Main}, fields: &fstest.MapFile{Data: res.Fields}}
	if res.Occluder != nil {
		data, err := pack.Gzip(res.Occluder, 1)
		if err != nil {
			t.Fatal(err)
		}
		set[occluder] = &fstest.MapFile{Data: data}
	}
	counts := new(verify.Counts)
	faults, err := verify.Pack(t.Context(), set, "level.nav", &verify.Options{Deep: true, Own: true, Counts: counts})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range faults {
		t.Errorf("%v", f)
	}
	if counts.Records != res.Report.Zones[0].Records || counts.Records == 0 || counts.Regions == 0 || counts.Components == 0 {
		t.Errorf("verified %+v, baked %+v", counts, res.Report.Zones[0])
	}
	return counts
}

// Every level bakes, and its packs hold what its geometry gives.
func TestLevels(t *testing.T) {
	long := os.Getenv("WEND_LONG") != ""
	for _, l := range realLevels {
		t.Run(l.file, func(t *testing.T) {
			if !l.short && !long {
				t.Skip("WEND_LONG=1 bakes all levels")
			}
			sc := l.open(t)
			in := input(t, sc, l.walkable)
			if (len(in.Colliders) > 0) != (l.colliders > 0) {
				t.Errorf("%d collider scenes of %d parts", len(in.Colliders), len(sc.Parts))
			}
			res := bakePack(t, in, spanbake.Options{Tile: 256, Level: 1})
			z := &res.Report.Zones[0]
			t.Logf("%d triangles, %d records, %d regions, %d components, %d drops, %d openings", z.Triangles, z.Records, z.Regions, z.Components, z.Drops, z.Openings)
			c := verifyDeep(t, res)
			if (c.Scenes > 0) != (l.colliders > 0) {
				t.Errorf("%d collider scenes in the pack", c.Scenes)
			}
		})
	}
}

// The demo town has links, no-go ground, storeys; its lamps and walls are made
// colliders.
func TestTown(t *testing.T) {
	sc := sample.Town()
	for i := range sc.Parts {
		sc.Parts[i].Collider = i%2 == 1
	}
	res := bakePack(t, input(t, sc, false), spanbake.Options{Level: 1})
	if c := verifyDeep(t, res); c.Landings == 0 || c.Scenes != 1 {
		t.Errorf("%d landings, %d collider scenes", c.Landings, c.Scenes)
	}
	// The whole chain, from the triangles of a level on, gives the same bytes
	// on all machines.
	golden := fmt.Sprintf("main %016x, fields %016x, colliders %016x\n",
		pack.Fingerprint(res.Main), pack.Fingerprint(res.Fields), pack.Fingerprint(res.Occluder))
	wendtest.Golden(t, "town.txt", []byte(golden))
}

// Several zones in a pack, one with a tier, are compared each with its own.
func TestZonesVerified(t *testing.T) {
	a, b := input(t, sample.Maze(3), true), input(t, sample.Maze(4), true)
	a.Content.Zones[0].Name, b.Content.Zones[0].Name = "garden", "maze"
	a.Levels.Zones, b.Levels.Zones = nil, nil
	b.Content.Zones = append(b.Content.Zones, bnav.Zone{ID: 2, Name: "maze, upstairs", Flags: bnav.TierFlag, Components: 1, SX: 1, SY: 1, FloorY: 5})
	in, err := spanbake.Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	res := bakePack(t, in, spanbake.Options{Tile: 128, Level: 1})
	fields, _ := pack.SideNames("level.nav")
	set := fstest.MapFS{"level.nav": &fstest.MapFile{Data: res.Main}, fields: &fstest.MapFile{Data: res.Fields}}
	counts := new(verify.Counts)
	faults, err := verify.Pack(t.Context(), set, "level.nav", &verify.Options{Deep: true, Own: true, Counts: counts})
	if err != nil || len(faults) > 0 || counts.Zones != 2 || counts.Tiers != 1 || counts.GridZones != 2 {
		t.Errorf("%v, %v, %+v", err, faults, counts)
	}
}

// The order in which a level lists its triangles does not show.
func TestShuffledLevel(t *testing.T) {
	type level struct {
		name string
		sc   *scene.Scene
	}
	var levels []level
	for _, l := range realLevels {
		if !l.walkable && (l.file == "navcat-crowd-stress.glb" || os.Getenv("WEND_LONG") != "") {
			levels = append(levels, level{l.file, l.open(t)})
		}
	}
	for _, l := range levels {
		t.Run(l.name, func(t *testing.T) {
			want := bakePack(t, input(t, l.sc, false), spanbake.Options{Level: 1})
			sc := *l.sc
			sc.Tris = slices.Clone(sc.Tris)
			r := rand.New(rand.NewPCG(3, 9))
			r.Shuffle(len(sc.Tris), func(i, j int) { sc.Tris[i], sc.Tris[j] = sc.Tris[j], sc.Tris[i] })
			got := bakePack(t, input(t, &sc, false), spanbake.Options{Level: 1})
			if !bytes.Equal(got.Main, want.Main) || !bytes.Equal(got.Fields, want.Fields) {
				t.Error("other bytes")
			}
			if !bytes.Equal(got.Occluder, want.Occluder) {
				t.Error("other bytes of the collider pack")
			}
		})
	}
}
