package spanroute

import (
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"wend/geom"
	"wend/pack/bnav"
	"wend/spanpath"
)

// noGoPack has two zones and tiers with and without a floor.
func noGoPack() *bnav.Pack {
	return &bnav.Pack{Name: "p.nav", Table: []bnav.Zone{
		{ID: 1, Name: "yard", SX: 2, SY: 2, FloorY: -1e30},
		{ID: 2, Name: "cellar", SX: 2, SY: 2, FloorY: -1e30},
		{ID: 3, Name: "upstairs", Flags: bnav.TierFlag, Components: 1, FloorY: 4.5},
		{ID: 4, Name: "roof", Flags: bnav.TierFlag, Components: 1, FloorY: float32(math.Inf(-1))},
	}}
}

func TestNoGoTable(t *testing.T) {
	rings, err := readNoGo(noGoPack(), []byte(`{"version": 1, "zones": {
		"yard": [
			{"poly": [[0, 0], [4, 0], [4, 4, 99], [0, 4]], "id": "pond"},
			{"poly": [[10, 0], [14, 4], [10, 4], [14, 0]], "tier": "upstairs"},
			{"poly": [[20, 0], [24, 0], [24, 4]], "tier": "roof"}],
		"cellar": []}}`))
	if err != nil {
		t.Fatal(err)
	}
	yard := rings["yard"]
	if len(yard) != 3 || len(rings["cellar"]) != 0 {
		t.Fatalf("%v", rings)
	}
	if yard[0].ID != "pond" || !math.IsInf(yard[0].Min, -1) || !math.IsInf(yard[0].Max, 1) || !math.IsInf(yard[2].Max, 1) {
		t.Errorf("polygons without a band: %+v, %+v", yard[0], yard[2])
	}
	if yard[1].Min != -7.5 || yard[1].Max != 16.5 {
		t.Errorf("band of a tier with floor 4.5: %v to %v", yard[1].Min, yard[1].Max)
	}
	z := &zoneEntry{noGo: yard}
	for _, c := range []struct {
		u, v, h float64
		want    int
	}{
		{2, 2, 0, 0}, {2, 2, 1e9, 0}, {5, 2, 0, -1}, {12, 1, 0, 1}, {13.5, 2, 16.5, -1}, {12, 3.5, 16.5, 1}, {12, 3.5, -7.5, 1},
		{12, 3.5, 16.5001, -1}, {12, 3.5, -7.5001, -1}, {23, 1, -100, 2}, // the second is a bow tie with its knot at (12, 2)
	} {
		got := -1
		if r := z.closedAt(spanpath.Point{U: c.u, V: c.v}, c.h); r != nil {
			for i := range yard {
				if r == &yard[i] {
					got = i
				}
			}
		}
		if got != c.want {
			t.Errorf("(%v, %v) at %v lies in polygon %d, want %d", c.u, c.v, c.h, got, c.want)
		}
	}
}

func TestNoGoFaults(t *testing.T) {
	poly := func(s string) string {
		return `{"version": 1, "zones": {"yard": [{"poly": [[0,0],[1,0],[1,1]]}, ` + s + `]}}`
	}
	for _, c := range []struct {
		table, zone string
		polygon     int
		what        string
	}{
		{``, "", -1, "unexpected end"},
		{`{"version": 1, "zones": {}} x`, "", -1, "invalid character"},
		{`[]`, "", -1, "it is a JSON array, want an object with version and zones"},
		{`7`, "", -1, "it is a JSON number, want an object"},
		{`{"zones": {}}`, "", -1, "no version"},
		{`{"version": 2, "zones": {}}`, "", -1, "version 2, want 1"},
		{`{"version": "1", "zones": {}}`, "", -1, `"version" is a JSON string, want a whole number`},
		{`{"version": 1, "zones": {"yard": [{"poly": 7}]}}`, "yard", -1, `"poly" is a JSON number, want a list of corners`},
		{`{"version": 1, "zones": {"yard": [7]}}`, "yard", -1, "a polygon is a JSON number, want an object"},
		{`{"version": 1, "zones": {"yrad": [{"poly": [[0,0],[1,0],[1,1]]}]}}`, "yrad", -1, `no such zone, it has "yard", "cellar"`},
		{poly(`{"poly": [[0,0],[5,0],[9,0]], "id": "flat"}`), "yard", 1, "no area"},
		{poly(`{"poly": [[0.1,0.1],[0.3,0.3],[0.2,0.2],[0.7,0.7]]}`), "yard", 1, "no area"},
		{poly(`{"poly": [[3,3],[3,3],[3,3]]}`), "yard", 1, "no area"},
		{`{"version": 1}`, "", -1, "no zones"},
		{`{"version": 1, "zones": null}`, "", -1, "not an object"},
		{`{"version": 1, "zones": []}`, "", -1, "not an object"},
		{`{"version": 1, "zones": {"yard": {}}}`, "yard", -1, "object"},
		{`{"version": 1, "zones": {"yard": [], "cellar": [], "yard": []}}`, "", -1, `"yard" is there twice`},
		{poly(`{}`), "yard", 1, "0 corners"},
		{poly(`{"poly": [[0,0],[1,1]], "id": "a"}`), "yard", 1, "2 corners"},
		{poly(`{"poly": [[0,0],[1],[1,1]], "id": "a"}`), "yard", 1, "corner 1 has 1 numbers"},
		{poly(`{"poly": [[0,0],[1,1],null]}`), "yard", 1, "corner 2 has 0 numbers"},
		{poly(`{"poly": [[0,0],["1",1],[1,1]]}`), "yard", -1, "string"},
		{poly(`{"poly": [[0,0],[1e300,1],[1,1]]}`), "yard", 1, "corner 1 is (1e+300, 1)"},
		{poly(`{"poly": [[0,0],[1e400,1],[1,1]]}`), "yard", -1, "1e400"},
		{poly(`{"poly": [[0,0],[1,0],[1,1]], "tier": "attic"}`), "yard", 1, `no tier "attic"`},
		{`{"version": 1, "zones": {"upstairs": [{"poly": [[0,0],[1,0],[1,1]]}]}}`, "upstairs", -1, `drawing of zone "yard"`},
	} {
		_, err := readNoGo(noGoPack(), []byte(c.table))
		var n *NoGoError
		if !errors.As(err, &n) || n.Zone != c.zone || n.Polygon != c.polygon || !strings.Contains(n.Error(), c.what) {
			t.Errorf("%s\n\t%v, want zone %q, polygon %d, %q", c.table, err, c.zone, c.polygon, c.what)
		}
	}
}

// TestNoGoFile opens engines with a table that is there, is not, and cannot be
// read.
func TestNoGoFile(t *testing.T) {
	set := terraceFiles(t)
	set["nogo.json"] = &fstest.MapFile{Data: []byte(`{"version": 1, "zones": {"terraces": [{"poly": [[0,0],[9,0],[9,9]]}]}}`)}
	set["bad.json"] = &fstest.MapFile{Data: []byte(`{"version": 1, "zones": {"terraces": [{"poly": [[0,0],[9,0]]}]}}`)}
	set["dir.json"] = &fstest.MapFile{Mode: fs.ModeDir}
	count := func(o *Options) int {
		e, err := Open(t.Context(), set, "level.nav", o)
		if err != nil {
			t.Fatal(err)
		}
		return len(e.noGo["terraces"])
	}
	own := count(nil)
	if n := count(&Options{NoGo: "none.json"}); n != own {
		t.Errorf("a table that is absent has %d polygons", n-own)
	}
	if n := count(&Options{NoGo: "nogo.json"}); n != own+1 {
		t.Errorf("a table of one polygon has %d", n-own)
	}
	for _, name := range []string{"bad.json", "dir.json"} {
		_, err := Open(t.Context(), set, "level.nav", &Options{NoGo: name})
		var d *DataError
		if !errors.As(err, &d) || d.Code != EngineUnusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestNoGoOfThePack looks up points of the world in the polygon that was baked
// in.
func TestNoGoOfThePack(t *testing.T) {
	z := openZone(t, openTerraces(t, nil))
	for _, c := range []struct {
		at   geom.Vec3
		want bool
	}{
		{geom.V3(9, 0, 9), true}, {geom.V3(9, 3, 9), true}, {geom.V3(9, -1, 9), true},
		{geom.V3(9, 3.01, 9), false}, {geom.V3(9, -1.01, 9), false}, {geom.V3(20, 0, 9), false}, {geom.V3(9, 0, 30), false},
	} {
		r := z.closedAt(z.plane(c.at), c.at.Y)
		if (r != nil) != c.want || r != nil && r.ID != "pit" {
			t.Errorf("%v: %v, want %v", c.at, r, c.want)
		}
	}
}
