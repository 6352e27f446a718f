package bake_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
)

// link is a link that can be taken both ways.
func link(name string, from, to geom.Vec3) scene.Link {
	return scene.Link{Name: name, From: from, To: to, Radius: 0.5}
}

// wantEmpty fails unless err is an EmptyError that says why.
func wantEmpty(t *testing.T, err error, why string) *bake.EmptyError {
	t.Helper()
	var empty *bake.EmptyError
	if !errors.As(err, &empty) || !strings.Contains(err.Error(), why) {
		t.Fatalf("got %v, want an EmptyError with %q", err, why)
	}
	return empty
}

// wantField fails unless err is a FieldError that names the field.
func wantField(t *testing.T, err error, field string) {
	t.Helper()
	var fe *bake.FieldError
	if !errors.As(err, &fe) {
		t.Fatalf("got %v, want a FieldError of %s", err, field)
	}
	if fe.Field != field || fe.Msg == "" {
		t.Errorf("the error names %q (%q), want %q", fe.Field, fe.Msg, field)
	}
	if want := "bake: " + field + ": "; !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the error reads %q, want it to start with %q", err, want)
	}
}

// Every numeric setting refuses what is no number, too small and too large,
// and the error names it as the profile file does.
func TestEverySettingIsChecked(t *testing.T) {
	type number struct {
		field     string
		set       func(*bake.Profile, float64)
		low, high float64 // the range, inclusive
	}
	body := func(name string, of func(*bake.Profile) *bake.Body) []number {
		return []number{
			{name + ".radius", func(p *bake.Profile, v float64) { of(p).Radius = v }, 0, 1e3},
			{name + ".height", func(p *bake.Profile, v float64) { of(p).Height = v }, 1e-3, 1e3},
			{name + ".max_climb", func(p *bake.Profile, v float64) { of(p).MaxClimb = v }, 0, 1e3},
			{name + ".max_slope_deg", func(p *bake.Profile, v float64) { of(p).MaxSlopeDeg = v }, 0, 90},
		}
	}
	numbers := append(
		body("agent", func(p *bake.Profile) *bake.Body { return &p.Agent }),
		body("body[1]", func(p *bake.Profile) *bake.Body { return &p.Bodies[1] })...,
	)
	numbers = append(numbers,
		number{"navmesh.cell", func(p *bake.Profile, v float64) { p.Navmesh.Cell = v }, 1e-3, 1e3},
		number{"navmesh.cell_height", func(p *bake.Profile, v float64) { p.Navmesh.CellHeight = v }, 1e-3, 1e3},
		number{"navmesh.region_min_size", func(p *bake.Profile, v float64) { p.Navmesh.RegionMinSize = v }, 0, 1e4},
		number{"navmesh.region_merge_size", func(p *bake.Profile, v float64) { p.Navmesh.RegionMergeSize = v }, 0, 1e4},
		number{"navmesh.edge_max_len", func(p *bake.Profile, v float64) { p.Navmesh.EdgeMaxLen = v }, 0, 1e6},
		number{"navmesh.edge_max_error", func(p *bake.Profile, v float64) { p.Navmesh.EdgeMaxError = v }, 0, 1e3},
		number{"navmesh.detail_sample_dist", func(p *bake.Profile, v float64) { p.Navmesh.DetailSampleDist = v }, 0, 1e4},
		number{"navmesh.detail_sample_max_error", func(p *bake.Profile, v float64) { p.Navmesh.DetailSampleMaxError = v }, 0, 1e4},
		number{"navmesh.min_island_area", func(p *bake.Profile, v float64) { p.Navmesh.MinIslandArea = v }, 0, 1e12},
	)
	profile := func() bake.Profile {
		p := bake.Human()
		p.Bodies = []bake.Body{
			{Name: "cat", Radius: 0.2, Height: 0.4, MaxClimb: 0.5, MaxSlopeDeg: 60},
			{Name: "ogre", Radius: 1.2, Height: 3, MaxClimb: 1, MaxSlopeDeg: 40},
		}
		return p
	}
	sc := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0).Scene
	for _, n := range numbers {
		t.Run(n.field, func(t *testing.T) {
			for _, v := range []float64{
				math.NaN(), math.Inf(1), math.Inf(-1), -1, -1e300, 1e300,
				math.Nextafter(n.low, math.Inf(-1)), math.Nextafter(n.high, math.Inf(1)),
			} {
				p := profile()
				n.set(&p, v)
				wantField(t, p.Validate(), n.field)
				_, err := bake.Run(t.Context(), sc, p, nil)
				wantField(t, err, n.field)
			}
			for _, v := range []float64{n.low, n.high, math.Copysign(n.low, 1)} {
				p := profile()
				n.set(&p, v)
				if err := p.Validate(); err != nil {
					t.Errorf("%v, an end of the range, is refused: %v", v, err)
				}
			}
		})
	}
	for _, tt := range []struct {
		field string
		set   func(*bake.Profile)
	}{
		{"navmesh.verts_per_poly", func(p *bake.Profile) { p.Navmesh.VertsPerPoly = 2 }},
		{"navmesh.verts_per_poly", func(p *bake.Profile) { p.Navmesh.VertsPerPoly = 7 }},
		{"navmesh.verts_per_poly", func(p *bake.Profile) { p.Navmesh.VertsPerPoly = math.MinInt }},
		{"navmesh.tile_size", func(p *bake.Profile) { p.Navmesh.TileSize = 7 }},
		{"navmesh.tile_size", func(p *bake.Profile) { p.Navmesh.TileSize = 4097 }},
		{"navmesh.tile_size", func(p *bake.Profile) { p.Navmesh.TileSize = math.MaxInt }},
		{"navmesh.partition", func(p *bake.Profile) { p.Navmesh.Partition = bake.Monotone + 1 }},
		{"navmesh.tiling", func(p *bake.Profile) { p.Navmesh.Tiling = bake.TilingOn + 1 }},
		{"navmesh.seeds[1]", func(p *bake.Profile) {
			p.Navmesh.Seeds = []geom.Vec3{{}, {Y: math.NaN()}}
		}},
		{"navmesh.seeds[0]", func(p *bake.Profile) {
			p.Navmesh.Seeds = []geom.Vec3{{Z: math.Inf(-1)}}
		}},
		{"area[1].area", func(p *bake.Profile) { p.Areas = []bake.AreaRule{{}, {Area: scene.MaxArea + 1}} }},
		{"area[0]", func(p *bake.Profile) { p.Areas = []bake.AreaRule{{Part: "[a"}} }},
		{"area[0]", func(p *bake.Profile) { p.Areas = []bake.AreaRule{{Material: "a["}} }},
		{"body[0].name", func(p *bake.Profile) { p.Bodies[0].Name = "" }},
		{"body[0].name", func(p *bake.Profile) { p.Bodies[0].Name = p.Agent.Name }},
		{"body[1].name", func(p *bake.Profile) { p.Bodies[1].Name = p.Bodies[0].Name }},
	} {
		p := profile()
		tt.set(&p)
		wantField(t, p.Validate(), tt.field)
	}

	// No number has been forgotten.
	have := len(numbers) - 4 // the bodies' fields stand twice
	want := 0
	for _, typ := range []reflect.Type{reflect.TypeFor[bake.Body](), reflect.TypeFor[bake.Navmesh]()} {
		for i := range typ.NumField() {
			if typ.Field(i).Type.Kind() == reflect.Float64 {
				want++
			}
		}
	}
	if have != want {
		t.Errorf("%d settings are tried, there are %d", have, want)
	}
}

// The default profile is valid, and the zero one is refused, not baked.
func TestProfilesAtTheEnds(t *testing.T) {
	p := bake.Human()
	if err := p.Validate(); err != nil {
		t.Error(err)
	}
	wantField(t, new(bake.Profile).Validate(), "agent.height")
}

// Settings at the ends of their ranges bake or say what they ask too much of.
func TestExtremeSettings(t *testing.T) {
	sc := wendtest.NewBuilder().Floor(0, 0, 12, 12, 0).Box(geom.V3(4, 0, 4), geom.V3(6, 1, 6)).Scene
	for name, tt := range map[string]struct {
		change func(*bake.Profile)
		ok     bool
	}{
		"no radius":              {func(p *bake.Profile) { p.Agent.Radius = 0 }, true},
		"no climb":               {func(p *bake.Profile) { p.Agent.MaxClimb = 0 }, true},
		"no slope":               {func(p *bake.Profile) { p.Agent.MaxSlopeDeg = 0 }, true},
		"any slope":              {func(p *bake.Profile) { p.Agent.MaxSlopeDeg = 90 }, true},
		"giant":                  {func(p *bake.Profile) { p.Agent.Height, p.Agent.MaxClimb = 1e3, 1e3 }, true},
		"as wide as the range":   {func(p *bake.Profile) { p.Agent.Radius = 1e3 }, false},
		"as wide, in tiles":      {func(p *bake.Profile) { p.Agent.Radius = 20; p.Navmesh.Tiling = bake.TilingOn; p.Navmesh.TileSize = 8 }, false},
		"cells wider than all":   {func(p *bake.Profile) { p.Navmesh.Cell = 1e3; p.Navmesh.RegionMinSize = 0 }, false},
		"voxels higher than all": {func(p *bake.Profile) { p.Navmesh.CellHeight = 1e3 }, true},
		"flat voxels":            {func(p *bake.Profile) { p.Navmesh.CellHeight = 1e-3 }, true},
		"triangles only":         {func(p *bake.Profile) { p.Navmesh.VertsPerPoly = 3 }, true},
		"no detail":              {func(p *bake.Profile) { p.Navmesh.DetailSampleDist = 0 }, true},
		"every sample":           {func(p *bake.Profile) { p.Navmesh.DetailSampleDist = 0.9; p.Navmesh.DetailSampleMaxError = 0 }, true},
		"exact edges":            {func(p *bake.Profile) { p.Navmesh.EdgeMaxError = 0; p.Navmesh.EdgeMaxLen = 1e-3 }, true},
		"edges as they come":     {func(p *bake.Profile) { p.Navmesh.EdgeMaxError = 1e3; p.Navmesh.EdgeMaxLen = 0 }, true},
		"regions over all":       {func(p *bake.Profile) { p.Navmesh.RegionMinSize = 1e4 }, false},
		"merge all":              {func(p *bake.Profile) { p.Navmesh.RegionMergeSize = 1e4 }, true},
		"least tiles":            {func(p *bake.Profile) { p.Navmesh.Tiling = bake.TilingOn; p.Navmesh.TileSize = 8 }, true},
		"one great tile":         {func(p *bake.Profile) { p.Navmesh.Tiling = bake.TilingOn; p.Navmesh.TileSize = 512 }, true},
		"filters off": {func(p *bake.Profile) {
			p.Navmesh.FilterLedges, p.Navmesh.FilterLowHanging, p.Navmesh.FilterLowHeight = false, false, false
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p := fine()
			tt.change(&p)
			res, err := bake.Run(t.Context(), sc, p, nil)
			if tt.ok {
				if err != nil {
					t.Fatal(err)
				}
				checkPolygons(t, res.Meshes[0].Mesh)
				return
			}
			wantEmpty(t, err, "")
		})
	}
}

// A bake that leaves nothing says where the ground was lost.
func TestEmptyLevelsSayWhy(t *testing.T) {
	floor := func() *wendtest.Builder { return wendtest.NewBuilder().Floor(0, 0, 10, 10, 0) }
	for _, tt := range []struct {
		name   string
		make   func() *scene.Scene
		change func(*bake.Profile)
		why    string
	}{
		{"a wall only", func() *scene.Scene {
			return wendtest.NewBuilder().Poly(geom.V3(0, 0, 0), geom.V3(9, 0, 0), geom.V3(9, 9, 0)).Scene
		}, nil, "100 % of the area is steeper than 45 degrees; is the file Z-up? try --up z"},
		{"faces down only", func() *scene.Scene {
			return wendtest.NewBuilder().Poly(geom.V3(0, 0, 0), geom.V3(9, 0, 0), geom.V3(9, 0, 9), geom.V3(0, 0, 9)).Scene
		}, nil, "100 % of the area faces down; are the triangles wound the wrong way round?"},
		{"marked unwalkable", func() *scene.Scene { return floor().Scene }, func(p *bake.Profile) {
			p.Areas = []bake.AreaRule{{Unwalkable: true}}
		}, "every triangle that could be walked on is marked unwalkable"},
		{"no headroom", func() *scene.Scene {
			return floor().Part("ceiling", "").Box(geom.V3(-1, 1, -1), geom.V3(11, 50, 11)).Scene
		}, func(p *bake.Profile) { p.Areas = []bake.AreaRule{{Part: "ceil*", Unwalkable: true}} }, "no floor has 2 m of headroom"},
		{"too narrow", func() *scene.Scene { return floor().Scene }, func(p *bake.Profile) { p.Agent.Radius = 6 }, "nothing wide enough for radius 6"},
		{"cut away", func() *scene.Scene {
			b := floor()
			b.Scene.Volumes = []scene.Volume{{Ring: []geom.Vec2{{X: -1, Y: -1}, {X: 11, Y: -1}, {X: 11, Y: 11}, {X: -1, Y: 11}}, MinY: -1, MaxY: 1, Unwalkable: true}}
			return b.Scene
		}, nil, "volumes cut all of the floor away"},
		{"smaller than a region", func() *scene.Scene {
			return wendtest.NewBuilder().Floor(0, 0, 3, 3, 0).Poly(geom.V3(20, 0, 20), geom.V3(20, 9, 20), geom.V3(20, 9, 21)).Scene
		}, func(p *bake.Profile) { p.Navmesh.RegionMinSize = 20 }, "smaller than the least region size"},
		{"no triangle", func() *scene.Scene { return &scene.Scene{} }, nil, "no solid triangle with an area"},
		{"colliders only", func() *scene.Scene {
			b := floor()
			b.Scene.Parts[0] = scene.Part{Collider: true, NoSurface: true}
			return b.Scene
		}, nil, "no solid triangle with an area"},
		{"triangles without area", func() *scene.Scene {
			return wendtest.NewBuilder().Poly(geom.V3(0, 0, 0), geom.V3(1, 1, 1), geom.V3(2, 2, 2)).Scene
		}, nil, "no solid triangle with an area"},
	} {
		for tiling, label := range map[bake.Tiling]string{bake.TilingOff: "one piece", bake.TilingOn: "tiles"} {
			t.Run(fmt.Sprintf("%s/%s", tt.name, label), func(t *testing.T) {
				p := fine()
				p.Navmesh.Tiling, p.Navmesh.TileSize = tiling, 16
				if tt.change != nil {
					tt.change(&p)
				}
				_, err := bake.Run(t.Context(), tt.make(), p, nil)
				empty := wantEmpty(t, err, tt.why)
				if empty.Body.Name != "test" {
					t.Errorf("the error is about body %q", empty.Body.Name)
				}
			})
		}
	}
}
