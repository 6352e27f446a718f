package spanbake

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"wend/geom"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/ocls"
	"wend/zone"
)

func TestFaultyInputIsRefused(t *testing.T) {
	tests := []struct {
		name  string
		spoil func(in *Input)
		want  string
	}{
		{"id 0", func(in *Input) { in.Content.Zones[0].ID = 0 }, "zone test: id 0"},
		{"id twice", func(in *Input) {
			in.Content.Zones = append(in.Content.Zones, bnav.Zone{ID: 1, Name: "b", Flags: bnav.TierFlag, Components: 1})
		}, "id 1 is used twice"},
		{"name twice", func(in *Input) {
			in.Content.Zones = append(in.Content.Zones, bnav.Zone{ID: 2, Name: "test", Flags: bnav.TierFlag, Components: 1})
		}, "name is used twice"},
		{"no name", func(in *Input) { in.Content.Zones[0].Name = "" }, "has no name"},
		{"long name", func(in *Input) { in.Content.Zones[0].Name = strings.Repeat("x", 4097) }, "zone 0 has a name of 4097 bytes"},
		{"name that is no text", func(in *Input) { in.Content.Zones[0].Name = "a\xff" }, `zone 0 has the name "a\xff", which is not UTF-8 without NUL`},
		{"name with NUL", func(in *Input) { in.Content.Zones[0].Name = "a\x00" }, `zone 0 has the name "a\x00"`},
		{"tier without parent", func(in *Input) {
			in.Content.Zones = append(in.Content.Zones, bnav.Zone{ID: 2, Name: "b", Flags: bnav.TierFlag, Components: 9})
		}, "tier of zone 9"},
		{"no zone", func(in *Input) { in.Content.Zones = nil }, "no zone"},
		{"link to nowhere", func(in *Input) { in.Content.OffMesh[0].ZoneID = 7 }, "off-mesh link 0 belongs to zone 7"},
		{"link without length", func(in *Input) {
			p := in.Content.OffMesh[0].Points[0]
			in.Content.OffMesh[0].Points = [4]bnav.Vertex{p, p, p, p}
		}, "both ends in one place"},
		{"link that is not finite", func(in *Input) { in.Content.OffMesh[0].Points[1].V = float32(math.NaN()) }, "not finite"},
		{"colliders of no zone", func(in *Input) { in.Colliders = []ocls.Named{{Name: "x"}} }, `colliders of zone "x"`},
		{"no-go of no zone", func(in *Input) { in.NoGo = []annex.NoGo{{ID: 3, Name: "g"}} }, `no-go polygon "g" belongs to zone 3`},
		{"no-go of two points", func(in *Input) { in.NoGo = []annex.NoGo{{ID: 1, Name: "g", Ring: make([]geom.Vec2, 2)}} }, "ring of 2 points"},
		{"no-go that crosses itself", func(in *Input) {
			in.NoGo = []annex.NoGo{{ID: 1, Name: "g", Ring: []geom.Vec2{{X: 0, Y: 0}, {X: 4, Y: 4}, {X: 4, Y: 0}, {X: 0, Y: 4}}}}
		}, "crosses itself"},
		{"profile", func(in *Input) {
			p := bnav.Profile{Profile: in.Content.Rules()}
			p.StepUp = 9
			in.Content.Profile = &p
		}, "step up <= bump up"},
		{"nothing walkable", func(in *Input) {
			for i := range in.Content.Surfaces {
				in.Content.Surfaces[i].Flags = 2
			}
		}, "no walkable triangle"},
		{"corner twice", func(in *Input) { in.Content.Triangles[5].V[1] = in.Content.Triangles[5].V[0] }, "triangle 5 has a corner twice"},
		{"not finite", func(in *Input) { in.Content.Vertices[3].H = float32(math.Inf(1)) }, "has a corner at"},
		{"too far", func(in *Input) { in.Content.Vertices[3].U = 1 << 18 }, "262144 px"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := randomWorld(9)
			tt.spoil(in)
			_, err := Run(context.Background(), in, &Options{Tile: 64})
			var input *InputError
			var mesh *zone.Error
			if !errors.As(err, &input) && !errors.As(err, &mesh) || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("%v, want %q", err, tt.want)
			}
		})
	}
}

func TestMemoryThatHoldsNoTile(t *testing.T) {
	_, err := Run(context.Background(), randomWorld(9), &Options{Tile: 1024, Memory: tileMemory(512)})
	var m *MemoryError
	if !errors.As(err, &m) || m.Fits != 512 || !strings.Contains(err.Error(), "a tile of 512 would fit") {
		t.Fatalf("%v", err)
	}
	// Many storeys over one another are only known once they are there.
	m2 := newMesh()
	for h := range 40 {
		m2.sheet(0, 0, 8, 2, 2, flat(float32(4*h)), nil)
	}
	m2.zone(1, "tower")
	_, err = Run(context.Background(), m2.input(), &Options{Tile: 128, Memory: 2 * tileMemory(128)})
	if !errors.As(err, &m) || m.Tile != 128 || m.Needed < 10*tileMemory(128) {
		t.Fatalf("%v", err)
	}
	for _, tile := range []int{-64, 63, 100, 2048} {
		var input *InputError
		if _, err := Run(context.Background(), randomWorld(9), &Options{Tile: tile}); !errors.As(err, &input) {
			t.Errorf("tile of %d: %v", tile, err)
		}
	}
}

func TestLinksThatLandNowhereAreNamed(t *testing.T) {
	in := randomWorld(9)
	v := in.Content.OffMesh[0].Points[0]
	far, high := v, v
	far.U += 5000
	high.H += 100
	in.Content.OffMesh = in.Content.OffMesh[:2]
	in.Content.OffMesh[0].Points = [4]bnav.Vertex{v, v, far, far}
	in.Content.OffMesh[1].Points = [4]bnav.Vertex{v, v, high, high}
	rep := bakeInput(t, in, Options{}).Report
	got := map[uint32]string{}
	for _, u := range rep.Unused {
		got[u.Link] = u.End
	}
	if got[0] != "outside the grid" || got[1] != "no surface near its height" {
		t.Fatalf("%+v", rep.Unused)
	}
}
