package bnvf

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
)

// The packs of the shared test data were written by an independent
// implementation; expect.json and the tables beside them say what is inside.
var vectorNames = []string{"first", "court", "tower", "columns", "limits", "harbour", "guest", "plain"}

type side struct {
	GX, GY     int32
	H, DeclH   float64
	HBits      string
	RID        uint32
	Clr        uint16
	Flags, Why uint8
}

type zoneCount struct {
	ZoneID  uint16
	Records int
}

type expected struct {
	Files          struct{ Main, Fields string }
	FieldsFNV      string
	FieldsBytes    int64
	FConFNV        string
	FieldsSections []struct {
		Tag          string
		Offset, Size uint64
		FNV          string
	}
	FLNK []struct {
		BOMLIndex                  uint32
		ZoneID                     uint16
		Kind, Valid, Direction     uint8
		IsExt, Bidirectional, Area int32
		LinkType                   uint16
		Radius, CostModifier       float64
		Lo, Hi                     side
	}
	FLNKZones []zoneCount
	FOPN      []struct {
		ZoneID     uint16
		GX, GY     int32
		HBits      string
		Clr        uint16
		Flags, Src uint8
	}
	FOPNZones []zoneCount
	Windows   []struct {
		Window           int
		Zone             string
		GX0, GY0, NX, NY int32
		Records          int
	}
}

func loadExpected(t testing.TB, dir string) expected {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "expect.json"))
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(b, &tree); err != nil {
		t.Fatal(err)
	}
	b, err = json.Marshal(withoutUnderscores(tree))
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := json.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func withoutUnderscores(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, x := range v {
			out[strings.ReplaceAll(k, "_", "")] = withoutUnderscores(x)
		}
		return out
	case []any:
		for i := range v {
			v[i] = withoutUnderscores(v[i])
		}
	}
	return v
}

// row is a row of a table with the names of its columns.
type row struct {
	names  map[string]int
	fields []string
}

func (r row) at(name string) string { return r.fields[r.names[name]] }

// readTable reads a CSV table.
func readTable(t testing.TB, path string) []row {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]int{}
	for i, name := range rows[0] {
		names[name] = i
	}
	var out []row
	for _, r := range rows[1:] {
		out = append(out, row{names, r})
	}
	return out
}

func num[T int32 | uint32 | uint16 | uint8 | int](t testing.TB, s string) T {
	t.Helper()
	v, err := strconv.ParseInt(s, 10, 64)
	if err != nil || int64(T(v)) != v {
		t.Fatalf("number %q: %v", s, err)
	}
	return T(v)
}

func f32(t testing.TB, bits string) float32 {
	t.Helper()
	v, err := strconv.ParseUint(bits, 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	return math.Float32frombits(uint32(v))
}

// vector loads a pair of packs of the shared data.
func vector(t testing.TB, name string) (*bnav.Pack, *Fields, expected, string) {
	t.Helper()
	dir := wendtest.Data(t, "packs", name)
	e := loadExpected(t, dir)
	main, err := bnav.Open(t.Context(), os.DirFS(dir), e.Files.Main, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), os.DirFS(dir), e.Files.Fields, main, nil)
	if err != nil {
		t.Fatal(err)
	}
	return main, f, e, dir
}

func vectorBytes(t testing.TB, name string) []byte {
	t.Helper()
	dir := wendtest.Data(t, "packs", name)
	data, err := pack.ReadFile(os.DirFS(dir), loadExpected(t, dir).Files.Fields, 0)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestVectorsFile(t *testing.T) {
	for _, name := range vectorNames {
		main, f, e, _ := vector(t, name)
		data := vectorBytes(t, name)
		if got := fmt.Sprintf("%016x", pack.Fingerprint(data)); got != e.FieldsFNV || f.Size != e.FieldsBytes || int64(len(data)) != f.Size {
			t.Errorf("%s: fingerprint %s of %d bytes; want %s, %d", name, got, f.Size, e.FieldsFNV, e.FieldsBytes)
		}
		if side, _ := pack.SideNames(e.Files.Main); side != e.Files.Fields {
			t.Errorf("%s: the sidecar of %s is %s, want %s", name, e.Files.Main, side, e.Files.Fields)
		}
		if f.Profile != main.Rules() || f.Profile != pack.ReferenceProfile() {
			t.Errorf("%s: profile %+v", name, f.Profile)
		}
		for _, want := range e.FieldsSections {
			found := slices.ContainsFunc(f.Sections, func(s pack.Section) bool {
				tag := ""
				for _, b := range []byte(s.Tag) {
					tag += string(rune(b))
				}
				return tag == want.Tag && s.Offset == want.Offset && s.Size == want.Size &&
					fmt.Sprintf("%016x", pack.Fingerprint(data[s.Offset:][:s.Size])) == want.FNV
			})
			if !found || len(f.Sections) != len(e.FieldsSections) {
				t.Errorf("%s: section %+v not found among %v", name, want, f.Sections)
			}
		}
	}
}

func TestVectorsColumns(t *testing.T) {
	for _, name := range vectorNames {
		main, f, _, dir := vector(t, name)
		var dec ColumnDecoder
		var c Columns
		rows := readTable(t, filepath.Join(dir, "records.csv"))
		n := 0
		for gz := range main.Grid.Zones {
			for tile := range main.Grid.Zones[gz].Tiles {
				if err := dec.Decode(f, f.ForGrid(gz), tile, &c); err != nil {
					t.Fatal(err)
				}
				for i := range c.Len() {
					row := rows[n]
					n++
					if c.Component[i] != num[uint32](t, row.at("scc")) || c.StepsXor[i] != num[uint8](t, row.at("steps2x")) || c.Seg[i] != num[uint8](t, row.at("seg")) ||
						c.Tax[i] != num[uint8](t, row.at("tax")) || c.ClrDrop[i] != num[uint16](t, row.at("clr2d")) || c.Medial[i] != num[uint8](t, row.at("medial")) ||
						num[int](t, row.at("zone")) != gz || num[int](t, row.at("tile")) != tile || num[int](t, row.at("index")) != i {
						t.Fatalf("%s, zone %d, tile %d, record %d: want %v", name, gz, tile, i, row)
					}
				}
			}
		}
		if n != len(rows) {
			t.Errorf("%s: %d records, want %d", name, n, len(rows))
		}
	}
}

func TestVectorsWindows(t *testing.T) {
	for _, name := range vectorNames {
		main, f, e, dir := vector(t, name)
		rows := readTable(t, filepath.Join(dir, "windows.csv"))
		at := 0
		for _, w := range e.Windows {
			var first *Window
			for workers := range 5 {
				got, err := f.Window(t.Context(), main.Grid.ZoneIndex(w.Zone), bnav.Window{GX0: w.GX0, GY0: w.GY0, NX: w.NX, NY: w.NY}, workers)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = got
				} else if !reflect.DeepEqual(first, got) {
					t.Fatalf("%s, window %d: %d workers find something else", name, w.Window, workers)
				}
			}
			if first.Len() != w.Records {
				t.Fatalf("%s, window %d: %d records, want %d", name, w.Window, first.Len(), w.Records)
			}
			for i, r := range first.Records {
				row := rows[at]
				at++
				want := bnav.Record{
					Cell: num[int32](t, row.at("cell")), Region: num[uint32](t, row.at("rid")), H: f32(t, row.at("h_bits")),
					Clr: num[uint16](t, row.at("clr")), Flags: num[uint8](t, row.at("flags")), Steps: num[uint8](t, row.at("steps")),
				}
				if r != want || first.Component[i] != num[uint32](t, row.at("scc")) || first.Steps2[i] != num[uint8](t, row.at("steps2")) ||
					first.Seg[i] != num[uint8](t, row.at("seg")) || first.Tax[i] != num[uint8](t, row.at("tax")) ||
					num[int](t, row.at("window")) != w.Window || num[int](t, row.at("index")) != i {
					t.Fatalf("%s, window %d, record %d: %+v, %d %d %d %d; want %v", name, w.Window, i, r,
						first.Component[i], first.Steps2[i], first.Seg[i], first.Tax[i], row)
				}
			}
		}
		if at != len(rows) {
			t.Errorf("%s: %d rows, want %d", name, at, len(rows))
		}
	}
}

func parseList(t testing.TB, s string) []uint32 {
	var out []uint32
	for _, f := range strings.Fields(s) {
		out = append(out, num[uint32](t, f))
	}
	return out
}

func TestVectorsGraphsAndWalls(t *testing.T) {
	for _, name := range vectorNames {
		main, f, _, dir := vector(t, name)
		graphs := make([][]RegionGraph, len(main.Grid.Zones))
		for _, row := range readTable(t, filepath.Join(dir, "fscc.csv")) {
			g := RegionGraph{Region: num[uint32](t, row.at("rid")), Components: num[uint32](t, row.at("n_scc"))}
			for _, e := range strings.Fields(row.at("edges")) {
				from, to, _ := strings.Cut(e, ">")
				g.Edges = append(g.Edges, Edge{num[uint32](t, from), num[uint32](t, to)})
			}
			if len(g.Edges) != num[int](t, row.at("n_edges")) {
				t.Fatal("the table contradicts itself")
			}
			zone := num[int](t, row.at("zone"))
			graphs[zone] = append(graphs[zone], g)
		}
		walls := make([][]Wall, len(main.Grid.Zones))
		for _, row := range readTable(t, filepath.Join(dir, "fwal.csv")) {
			zone := num[int](t, row.at("zone"))
			walls[zone] = append(walls[zone], Wall{num[uint32](t, row.at("key")), parseList(t, row.at("regions"))})
		}
		for gz := range main.Grid.Zones {
			g, err := f.Graphs(f.ForGrid(gz))
			if err != nil {
				t.Fatal(err)
			}
			var got []RegionGraph
			for _, id := range g.Regions() {
				r, _ := g.Region(id)
				got = append(got, r)
			}
			if diff := cmp.Diff(graphs[gz], got); diff != "" {
				t.Errorf("%s, zone %d: graphs (-want +got):\n%s", name, gz, diff)
			}
			checkReach(t, g, graphs[gz])
			w, err := f.Walls(f.ForGrid(gz))
			if err != nil {
				t.Fatal(err)
			}
			if w.Len() != len(walls[gz]) {
				t.Fatalf("%s, zone %d: %d walls, want %d", name, gz, w.Len(), len(walls[gz]))
			}
			keys := map[uint32]bool{}
			for i, want := range walls[gz] {
				keys[want.Key] = true
				if got := w.At(i); got.Key != want.Key || !slices.Equal(got.Regions, want.Regions) {
					t.Errorf("%s, zone %d, wall %d: %v, want %v", name, gz, i, got, want)
				}
				for region := range main.Grid.Zones[gz].GlobalRegions + 1 {
					is, err := w.IsWall(want.Key/3, int(want.Key%3), region)
					if err != nil || is != slices.Contains(want.Regions, region) {
						t.Fatalf("%s: wall %d for region %d: %v, %v", name, want.Key, region, is, err)
					}
				}
			}
			for key := range 3 * main.TriangleTotal {
				if _, err := w.IsWall(key/3, int(key%3), 1); (err == nil) != keys[key] {
					t.Fatalf("%s: edge %d: %v", name, key, err)
				}
			}
		}
	}
}

// checkReach compares the search with a closure by repeated passes.
func checkReach(t *testing.T, g *Graphs, graphs []RegionGraph) {
	t.Helper()
	for _, r := range graphs {
		for from := uint32(1); from <= r.Components; from++ {
			want := map[uint32]bool{from: true}
			for grew := true; grew; {
				grew = false
				for _, e := range r.Edges {
					if want[e.From] && !want[e.To] {
						want[e.To], grew = true, true
					}
				}
			}
			set, err := g.Reach(r.Region, from)
			if err != nil {
				t.Fatal(err)
			}
			for c := range r.Components + 70 {
				if set.Has(c) != want[c] {
					t.Fatalf("region %d: from %d to %d: %v, want %v", r.Region, from, c, set.Has(c), want[c])
				}
			}
		}
		for _, from := range []uint32{0, r.Components + 1} {
			if _, err := g.Reach(r.Region, from); err == nil {
				t.Errorf("reach from component %d of %d: no error", from, r.Components)
			}
		}
	}
	if _, err := g.Reach(4000000000, 1); err == nil {
		t.Error("reach in an unknown region: no error")
	}
}

func TestVectorsLandingsAndOpenings(t *testing.T) {
	for _, name := range vectorNames {
		_, f, e, _ := vector(t, name)
		if f.HasLandings != (e.FLNKZones != nil) || f.HasOpenings != (e.FOPNZones != nil) {
			t.Errorf("%s: landings %v, openings %v", name, f.HasLandings, f.HasOpenings)
		}
		var landings []Landing
		toSide := func(s side) Side {
			return Side{s.GX, s.GY, f32(t, s.HBits), float32(s.DeclH), s.RID, s.Clr, s.Flags, s.Why}
		}
		for _, l := range e.FLNK {
			landings = append(landings, Landing{
				OffMesh: l.BOMLIndex, ZoneID: l.ZoneID, Kind: l.Kind, Valid: l.Valid, IsExt: l.IsExt,
				Bidirectional: l.Bidirectional, Area: l.Area, LinkType: l.LinkType, Direction: l.Direction, Radius: float32(l.Radius),
				CostModifier: float32(l.CostModifier), Lo: toSide(l.Lo), Hi: toSide(l.Hi),
			})
		}
		var got []Landing
		for i, z := range e.FLNKZones {
			if list := f.ZoneLandings(z.ZoneID); len(list) != z.Records || f.LandingZones[i].ZoneID != z.ZoneID {
				t.Errorf("%s: %d landings of zone %d, want %d", name, len(list), z.ZoneID, z.Records)
			} else {
				got = append(got, list...)
			}
		}
		if diff := cmp.Diff(landings, got); diff != "" {
			t.Errorf("%s: landings (-want +got):\n%s", name, diff)
		}
		var openings []Opening
		for _, o := range e.FOPN {
			openings = append(openings, Opening{o.GX, o.GY, f32(t, o.HBits), o.Clr, o.Flags, o.Src})
		}
		var open []Opening
		for _, z := range e.FOPNZones {
			list := f.ZoneOpenings(z.ZoneID)
			if len(list) != z.Records {
				t.Errorf("%s: %d openings of zone %d, want %d", name, len(list), z.ZoneID, z.Records)
			}
			open = append(open, list...)
		}
		if diff := cmp.Diff(openings, open); diff != "" {
			t.Errorf("%s: openings (-want +got):\n%s", name, diff)
		}
	}
}

// byZone sorts ranges as the writer does.
func byZone(list []ZoneRange) []ZoneRange {
	return slices.SortedFunc(slices.Values(list), func(a, b ZoneRange) int { return int(a.ZoneID) - int(b.ZoneID) })
}

// reencode makes the content of a sidecar from what was read of it.
func reencode(t testing.TB, main *bnav.Pack, f *Fields, level bnav.Level) *Content {
	t.Helper()
	c := &Content{}
	enc, err := NewColumnEncoder(level)
	if err != nil {
		t.Fatal(err)
	}
	var dec ColumnDecoder
	var cols Columns
	for i := range f.Zones {
		z := &f.Zones[i]
		nz := NewZone{Name: z.Name, GlobalRegions: z.GlobalRegions}
		for k := range z.Tiles() {
			if err := dec.Decode(f, i, k, &cols); err != nil {
				t.Fatal(err)
			}
			payload, err := enc.Encode(&cols)
			if err != nil {
				t.Fatal(err)
			}
			nz.Tiles = append(nz.Tiles, NewTile{uint32(cols.Len()), payload})
		}
		g, err := f.Graphs(i)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range g.Regions() {
			r, _ := g.Region(id)
			nz.Graphs = append(nz.Graphs, r)
		}
		w, err := f.Walls(i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range w.Len() {
			nz.Walls = append(nz.Walls, w.At(k))
		}
		c.Zones = append(c.Zones, nz)
	}
	if f.HasLandings {
		c.Landings = []Landing{}
		for _, z := range byZone(f.LandingZones) {
			c.Landings = append(c.Landings, f.ZoneLandings(z.ZoneID)...)
		}
	}
	if f.HasOpenings {
		c.Openings = []NewOpening{}
		for _, z := range byZone(f.OpeningZones) {
			for _, o := range f.ZoneOpenings(z.ZoneID) {
				c.Openings = append(c.Openings, NewOpening{z.ZoneID, o})
			}
		}
	}
	return c
}

// The first pack stores all streams, so an independent writer gives the very
// same bytes.
func TestWriterGivesTheBytesOfAnotherWriter(t *testing.T) {
	main, f, _, _ := vector(t, "first")
	want := vectorBytes(t, "first")
	got, err := Encode(t.Context(), reencode(t, main, f, 1), main, &EncodeOptions{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s", cmp.Diff(want, got))
	}
}

func TestVectorsReadWriteRead(t *testing.T) {
	for _, name := range vectorNames {
		main, f, _, _ := vector(t, name)
		one, err := Encode(t.Context(), reencode(t, main, f, 0), main, &EncodeOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		g, err := Load(t.Context(), one, main, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := reencode(t, main, f, 0), reencode(t, main, g, 0); !reflect.DeepEqual(a, b) {
			t.Errorf("%s (-want +got):\n%s", name, cmp.Diff(a, b))
		}
		two, err := Encode(t.Context(), reencode(t, main, g, 0), main, &EncodeOptions{Workers: 4})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, two) {
			t.Errorf("%s: written, read and written again: other bytes", name)
		}
	}
}

// A sidecar fits a main pack that was loaded by zone as well.
func TestSidecarOfAZone(t *testing.T) {
	for _, name := range []string{"tower", "harbour", "guest"} {
		whole, _, e, dir := vector(t, name)
		for _, z := range whole.Table {
			if z.IsTier() {
				continue
			}
			main, err := bnav.OpenZone(t.Context(), os.DirFS(dir), e.Files.Main, z.Name, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Open(t.Context(), os.DirFS(dir), e.Files.Fields, main, nil); err != nil {
				t.Error(err)
			}
		}
	}
}
