package config

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/bake"
	"wend/geom"
)

func TestProfileSaysOnlyWhatDiffers(t *testing.T) {
	p, err := ReadProfile("p.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(bake.Human(), p); diff != "" {
		t.Errorf("an empty file is not the preset (-want +got):\n%s", diff)
	}
}

func TestProfileEverySetting(t *testing.T) {
	p, err := ReadProfile("p.toml", []byte("\xef\xbb\xbf"+`
preset = "human"
name = "zoo"
[agent]
name = "lion"
radius = 1
height = 1.5
max_climb = 0.5
max_slope_deg = 50.5
[[body]]
name = "mouse"
radius = 0.05
[navmesh]
cell = 0.2
cell_height = 0.1
region_min_size = 4
region_merge_size = 10
partition = "monotone"
edge_max_len = 0
edge_max_error = 1
verts_per_poly = 3
detail_sample_dist = 0
detail_sample_max_error = 2
tiling = "on"
tile_size = 64
filter_low_hanging = false
filter_ledges = false
filter_low_height = false
min_island_area = 2.5
seeds = [[1, 2, 3], [4.5, 5, 6]]
[[area]]
material = "water*"
area = 62
[[area]]
part = "roof"
unwalkable = true
`))
	if err != nil {
		t.Fatal(err)
	}
	want := bake.Profile{
		Name:   "zoo",
		Agent:  bake.Body{Name: "lion", Radius: 1, Height: 1.5, MaxClimb: 0.5, MaxSlopeDeg: 50.5},
		Bodies: []bake.Body{{Name: "mouse", Radius: 0.05, Height: 1.5, MaxClimb: 0.5, MaxSlopeDeg: 50.5}},
		Navmesh: bake.Navmesh{
			Cell: 0.2, CellHeight: 0.1, RegionMinSize: 4, RegionMergeSize: 10, Partition: bake.Monotone,
			EdgeMaxError: 1, VertsPerPoly: 3, DetailSampleMaxError: 2, Tiling: bake.TilingOn, TileSize: 64,
			MinIslandArea: 2.5, Seeds: []geom.Vec3{{X: 1, Y: 2, Z: 3}, {X: 4.5, Y: 5, Z: 6}},
		},
		Areas: []bake.AreaRule{{Material: "water*", Area: 62}, {Part: "roof", Unwalkable: true}},
	}
	if diff := cmp.Diff(want, p); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProfileFaultsNameThePlace(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"syntax":          {"[agent\n", "p.toml:1:7: expected ']' to close table name"},
		"key twice":       {"name='a'\nname='b'", "p.toml:2:1: key name is already defined"},
		"unknown key":     {"[agent]\nradus = 1", "p.toml:2:1: unknown key radus; did you mean radius?"},
		"unknown table":   {"[spam]\ncell = 1", "p.toml:1:2: unknown key spam"},
		"text as number":  {"[agent]\nradius = '1'", "p.toml:2:10: radius is a text, want a number"},
		"not a number":    {"[agent]\nheight = nan", "p.toml:2:10: height is NaN, want a finite number"},
		"infinite":        {"[navmesh]\n  cell = -inf", "p.toml:2:10: cell is -Inf, want a finite number"},
		"overflow":        {"[navmesh]\ncell = 1e999", "p.toml:2:8:"},
		"out of range":    {"[agent]\nradius = -1", "p.toml:2:10: agent.radius: -1 is out of range"},
		"zero cell":       {"[navmesh]\ncell = 0", "p.toml:2:8: navmesh.cell: 0 is out of range"},
		"seven corners":   {"navmesh = { verts_per_poly = 7 }", "p.toml:1:30: navmesh.verts_per_poly: 7 is out of range"},
		"half a corner":   {"[navmesh]\nverts_per_poly = 4.5", "p.toml:2:18: verts_per_poly is a number, want a whole number"},
		"unknown word":    {"[navmesh]\ntiling = 'maybe'", `p.toml:2:10: tiling is "maybe", want one of auto, off, on`},
		"number for word": {"[navmesh]\npartition = 1", "p.toml:2:13: partition is a number, want one of watershed, monotone"},
		"date for text":   {"name = 2020-01-01", "p.toml:1:8: name is a date or time, want a text in quotes"},
		"preset":          {"preset = 'dwarf'", `p.toml:1:10: preset is "dwarf", want one of human`},
		"second body":     {"[[body]]\nname='a'\n[[body]]\nname='a'", "p.toml:4:6: body[1].name:"},
		"body's radius":   {"[[body]]\nname='a'\n[[body]]\nname='b'\nradius=1e9", "p.toml:5:8: body[1].radius:"},
		"nameless body":   {"[[body]]\nradius=1", "p.toml:1:3: body[0].name:"},
		"area id":         {"[[area]]\narea = 63", "p.toml:2:8: area is 63, want 0 to 62"},
		"negative area":   {"[[area]]\narea = -1", "p.toml:2:8: area is -1, want 0 to 62"},
		"pattern":         {"[[area]]\npart = '['", "p.toml:1:3: area[0]:"},
		"table as value":  {"agent = 3", "p.toml:1:9: agent is a number, want a table"},
		"list as value":   {"[[agent]]\nradius = 1", "p.toml:1:3: agent is a list of 1, want a table"},
		"value as list":   {"[area]\narea = 1", "p.toml:1:2: area is a table, want entries that each start with [[area]]"},
		"short seed":      {"[navmesh]\nseeds = [[1, 2, 3],\n  [1, 2]]", "seeds[1] is a list of 2, want [x, y, z]"},
		"far seed":        {"[navmesh]\nseeds = [[1, 2,\n 3e6]]", "p.toml:3:2: seeds[0][2] is 3e+06, want -1048576 to 1048576 metres"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ReadProfile("p.toml", []byte(c.in))
			if err == nil {
				t.Fatal("accepted")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
			var f *Fault
			if !errors.As(err, &f) || f.File != "p.toml" || f.Line == 0 || f.Col == 0 {
				t.Errorf("fault without a place: %#v", f)
			}
		})
	}
}

func TestProfileReportsAllFaultsInOrder(t *testing.T) {
	_, err := ReadProfile("p.toml", []byte("nmae = 'x'\n[agent]\nheight = true\nradius = nan\n[navmesh]\nsell = 2"))
	var fs Faults
	if !errors.As(err, &fs) || len(fs) != 4 {
		t.Fatalf("got %v, want 4 faults", err)
	}
	for i, line := range []int{1, 3, 4, 6} {
		if fs[i].Line != line {
			t.Errorf("fault %d is on line %d, want %d", i, fs[i].Line, line)
		}
	}
	many := strings.Repeat("x", 3)
	var b strings.Builder
	for range 40 {
		many += "y"
		b.WriteString(many + " = 1\n")
	}
	_, err = ReadProfile("p.toml", []byte(b.String()))
	if got := err.Error(); strings.Count(got, "\n") != 10 || !strings.HasSuffix(got, "p.toml: and 30 more") {
		t.Errorf("40 faults are shown as\n%s", got)
	}
}

func FuzzReadProfile(f *testing.F) {
	f.Add([]byte("[agent]\nradius = 1\n[[body]]\nname='a'\n[[area]]\npart='x*'\narea=3\n"))
	f.Add([]byte("navmesh = {seeds = [[1,2,3]], tiling='on'}\na.b.c = [[{x=1}]]\n[[q]]\n[[q.r]]\n[q.r.s]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadProfile("p.toml", data)
		if err != nil {
			checkFaults(t, err)
			return
		}
		if err := p.Validate(); err != nil {
			t.Errorf("accepted a profile that is not valid: %v", err)
		}
	})
}

func checkFaults(t *testing.T, err error) {
	t.Helper()
	var fs Faults
	if !errors.As(err, &fs) || len(fs) == 0 {
		t.Fatalf("%T is not Faults: %v", err, err)
	}
	for _, f := range fs {
		if f.File == "" || f.Msg == "" || f.Line < 0 || (f.Line == 0) != (f.Col == 0) {
			t.Errorf("odd fault %#v", f)
		}
	}
}

func TestSpanConstants(t *testing.T) {
	p, err := ReadProfile("p.toml", []byte("preset = \"reference\"\n[span]\nstep_up = 0.75\nbump_cells = 4\nlambda = 3\n"))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Span.Reference || p.Span.StepUp != 0.75 || p.Span.BumpCells != 4 || p.Span.Lambda != 3 || p.Name != "reference" {
		t.Errorf("%+v", p.Span)
	}
	if _, err := ReadProfile("p.toml", []byte("[span]\nstep_down = 1\n")); err == nil {
		t.Error("unknown key is taken")
	}
}
