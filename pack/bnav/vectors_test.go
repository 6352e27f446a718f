package bnav

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/internal/wendtest"
	"wend/pack"
)

// The packs of the shared test data were written by an independent
// implementation; expect.json and the tables beside them say what is inside.
var vectorNames = []string{"first", "court", "tower", "columns", "limits", "harbour", "guest", "plain"}

type expected struct {
	Files              struct{ Main string }
	BuildHash, MainFNV string
	MainBytes          int64
	Header             struct{ Version, Zones, Vertices, Triangles, Links int }
	ChunkLengths       struct{ Vertex, Triangle, Link uint32 }
	Sections           []struct {
		Tag          string
		Offset, Size uint64
		FNV          string
	}
	LinksDropped int
	Zones        []struct {
		ID             uint16
		Name           string
		Tier           bool
		Parent         *uint32
		FirstTri       uint32
		TriCount       uint32
		ComponentCount *uint32
		Width, Height  float64
		SX, TX, SY, TY float64
		FloorY         *float64
	}
	BOMLVersion int
	BOML        []struct {
		Index                      uint32
		ZoneID                     uint16
		Kind, Direction, DirOK     uint8
		IsExt, Bidirectional, Area int32
		LinkType                   uint16
		Radius, CostModifier       float64
		Points                     [4][3]float64
		StartTriangle, EndTriangle uint32
		Anchored                   bool
	}
	ZoneLoads []struct {
		Zone                                  string
		ZonesKept                             []string
		VertexFirst                           uint32
		VertexCount, TriangleCount, LinkCount int
		BOML                                  []struct {
			Index                      uint32
			DirOK                      uint8
			StartTriangle, EndTriangle uint32
		}
		VerticesFNV, TrianglesFNV, LinksFNV string
	}
	Grid *struct {
		Version           uint32
		Cell, Tile, Apron float64
		MaxSide           int32
	}
	GridZones []struct {
		Name          string
		X0, Y0        float64
		GlobalRegions uint32
		Tiles         int
		Records       uint64
	}
	GridTiles []struct {
		Zone                                 string
		Tile                                 int
		GX0, GY0, NX, NY, PX0, PX1, PY0, PY1 int32
		Records, Regions, NCell, KMax        uint32
		HMinBits                             *string
		Select                               string
		Dictionary                           []uint32
	}
	Windows []struct {
		Window           int
		Zone             string
		GX0, GY0, NX, NY int32
		Records          int
	}
}

// loadExpected reads expect.json; its keys are ours with underscores.
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

func hex16(v uint64) string { return fmt.Sprintf("%016x", v) }

// vectorPack loads a pack of the shared data.
func vectorPack(t testing.TB, name string, opts *Options) (*Pack, expected, string) {
	t.Helper()
	dir := wendtest.Data(t, "packs", name)
	e := loadExpected(t, dir)
	p, err := Open(t.Context(), os.DirFS(dir), e.Files.Main, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p, e, dir
}

func TestVectorsWhole(t *testing.T) {
	for _, name := range vectorNames {
		t.Run(name, func(t *testing.T) {
			p, e, dir := vectorPack(t, name, &Options{Components: true})
			if hex16(p.BuildHash) != e.BuildHash || hex16(p.Fingerprint) != e.MainFNV || p.Size != e.MainBytes {
				t.Errorf("build hash %x, fingerprint %x, size %d; want %s, %s, %d", p.BuildHash, p.Fingerprint, p.Size, e.BuildHash, e.MainFNV, e.MainBytes)
			}
			if p.LinksDropped != e.LinksDropped || int(p.Version) != e.Header.Version || int(p.LinkTotal) != e.Header.Links ||
				len(p.Vertices) != e.Header.Vertices || len(p.Triangles) != e.Header.Triangles || len(p.Zones) != e.Header.Zones {
				t.Errorf("counts differ: %d dropped, header %+v", p.LinksDropped, e.Header)
			}
			if want := (ChunkLen{e.ChunkLengths.Vertex, e.ChunkLengths.Triangle, e.ChunkLengths.Link}); p.ChunkLen != want {
				t.Errorf("chunk lengths %v, want %v", p.ChunkLen, want)
			}
			checkSections(t, p, e, filepath.Join(dir, e.Files.Main))
			checkTables(t, p, e, dir)
			checkAttributes(t, p, e)
		})
	}
}

func checkSections(t *testing.T, p *Pack, e expected, path string) {
	data, err := pack.ReadFile(os.DirFS(filepath.Dir(path)), filepath.Base(path), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Sections) != len(e.Sections) {
		t.Fatalf("%d sections, want %d", len(p.Sections), len(e.Sections))
	}
	for _, want := range e.Sections {
		found := false
		for _, s := range p.Sections {
			tag := ""
			for _, b := range []byte(s.Tag) {
				tag += string(rune(b))
			}
			found = found || tag == want.Tag && s.Offset == want.Offset && s.Size == want.Size &&
				hex16(pack.Fingerprint(data[s.Offset:][:s.Size])) == want.FNV
		}
		if !found {
			t.Errorf("section %+v not found", want)
		}
	}
}

func checkTables(t *testing.T, p *Pack, e expected, dir string) {
	for i, z := range e.Zones {
		want := Zone{
			ID: z.ID, Name: z.Name, FirstTri: z.FirstTri, TriCount: z.TriCount, Width: float32(z.Width), Height: float32(z.Height),
			SX: float32(z.SX), TX: float32(z.TX), SY: float32(z.SY), TY: float32(z.TY),
		}
		if z.Tier {
			want.Flags, want.Components = TierFlag, *z.Parent
		} else {
			want.Components = *z.ComponentCount
		}
		got := p.Zones[i]
		floor, has := got.Floor()
		if has != (z.FloorY != nil) || has && floor != float32(*z.FloorY) {
			t.Errorf("zone %d: floor %v, %v", i, floor, has)
		}
		got.FloorY = 0
		got.Flags &= TierFlag
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("zone %d (-want +got):\n%s", i, diff)
		}
	}
	for i, row := range readTable(t, filepath.Join(dir, "vertices.csv")) {
		want := Vertex{f32(t, row.at("u_bits")), f32(t, row.at("v_bits")), f32(t, row.at("h_bits"))}
		g, w := p.Vertices[i], want
		if math.Float32bits(g.U) != math.Float32bits(w.U) || math.Float32bits(g.V) != math.Float32bits(w.V) || math.Float32bits(g.H) != math.Float32bits(w.H) {
			t.Fatalf("vertex %d: %v, want %v", i, p.Vertices[i], want)
		}
	}
	for i, row := range readTable(t, filepath.Join(dir, "triangles.csv")) {
		want := Triangle{}
		for k := range 3 {
			want.V[k], want.N[k] = num[uint32](t, row.at(fmt.Sprint("v", k))), num[int32](t, row.at(fmt.Sprint("n", k)))
		}
		tri := p.Triangles[i]
		a, b, c := p.Vertices[tri.V[0]], p.Vertices[tri.V[1]], p.Vertices[tri.V[2]]
		walk := map[string]bool{"0": false, "1": true}[row.at("walkable")]
		if tri != want || p.Components[i] != num[uint32](t, row.at("component")) || p.Walkable(i) != walk ||
			math.Float32bits(centroid(a.U, b.U, c.U)) != math.Float32bits(f32(t, row.at("cu_bits"))) ||
			math.Float32bits(centroid(a.V, b.V, c.V)) != math.Float32bits(f32(t, row.at("cv_bits"))) {
			t.Fatalf("triangle %d: %v, component %d, walkable %v; want %v", i, tri, p.Components[i], p.Walkable(i), row)
		}
	}
	var links []Link
	for _, row := range readTable(t, filepath.Join(dir, "links.csv")) {
		if row.at("dropped") == "0" {
			links = append(links, Link{num[uint32](t, row.at("source")), num[uint32](t, row.at("target"))})
		}
	}
	if diff := cmp.Diff(links, p.Links); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if !p.HasSection("BSRF") {
		if p.Surfaces != nil {
			t.Error("surfaces without a section")
		}
		return
	}
	for i, row := range readTable(t, filepath.Join(dir, "surface.csv")) {
		want := Surface{num[uint8](t, row.at("area")), num[uint8](t, row.at("poly_type")), num[uint32](t, row.at("flags"))}
		if p.Surfaces[i] != want {
			t.Fatalf("surface %d: %v, want %v", i, p.Surfaces[i], want)
		}
	}
}

func checkAttributes(t *testing.T, p *Pack, e expected) {
	if p.OffMeshVersion != e.BOMLVersion || len(p.OffMesh) != len(e.BOML) {
		t.Fatalf("%d off-mesh links of version %d, want %d of %d", len(p.OffMesh), p.OffMeshVersion, len(e.BOML), e.BOMLVersion)
	}
	for i, b := range e.BOML {
		want := OffMeshLink{
			Index: b.Index, ZoneID: b.ZoneID, Kind: b.Kind, IsExt: b.IsExt, Bidirectional: b.Bidirectional, Area: b.Area,
			LinkType: b.LinkType, Direction: b.Direction, Radius: float32(b.Radius), CostModifier: float32(b.CostModifier),
			DirOK: b.DirOK, StartTri: b.StartTriangle, EndTri: b.EndTriangle,
		}
		for k, pt := range b.Points {
			want.Points[k] = Vertex{float32(pt[0]), float32(pt[1]), float32(pt[2])}
		}
		if diff := cmp.Diff(want, p.OffMesh[i]); diff != "" || p.OffMesh[i].Anchored() != b.Anchored {
			t.Errorf("off-mesh link %d, anchored %v (-want +got):\n%s", i, p.OffMesh[i].Anchored(), diff)
		}
	}
}

func TestVectorsByZone(t *testing.T) {
	for _, name := range vectorNames {
		t.Run(name, func(t *testing.T) {
			whole, e, dir := vectorPack(t, name, nil)
			for _, z := range e.ZoneLoads {
				for _, workers := range []int{1, 3} {
					p, err := OpenZone(t.Context(), os.DirFS(dir), e.Files.Main, z.Zone, &Options{Workers: workers})
					if err != nil {
						t.Fatal(err)
					}
					var kept []string
					for i := range p.Zones {
						kept = append(kept, p.Zones[i].Name)
					}
					if diff := cmp.Diff(z.ZonesKept, kept); diff != "" {
						t.Errorf("zones of %s (-want +got):\n%s", z.Zone, diff)
					}
					var tris, links, verts []byte
					for _, v := range p.Vertices {
						verts = pack.AppendF32(pack.AppendF32(pack.AppendF32(verts, v.U), v.V), v.H)
					}
					le := func(b []byte, v uint32) []byte { return append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24)) }
					for _, tri := range p.Triangles {
						for _, v := range tri.V {
							tris = le(tris, v)
						}
						for _, n := range tri.N {
							tris = le(tris, uint32(n))
						}
					}
					for _, k := range p.Links {
						links = le(le(links, k.Source), k.Target)
					}
					if p.FirstVertex != z.VertexFirst || len(p.Vertices) != z.VertexCount || len(p.Triangles) != z.TriangleCount || len(p.Links) != z.LinkCount ||
						hex16(pack.Fingerprint(verts)) != z.VerticesFNV || hex16(pack.Fingerprint(tris)) != z.TrianglesFNV || hex16(pack.Fingerprint(links)) != z.LinksFNV {
						t.Errorf("%s: vertices from %d: %d, triangles %d, links %d; want %+v", z.Zone, p.FirstVertex, len(p.Vertices), len(p.Triangles), len(p.Links), z)
					}
					if len(p.OffMesh) != len(z.BOML) {
						t.Fatalf("%s: %d off-mesh links, want %d", z.Zone, len(p.OffMesh), len(z.BOML))
					}
					for i, b := range z.BOML {
						if k := p.OffMesh[i]; k.Index != b.Index || k.DirOK != b.DirOK || k.StartTri != b.StartTriangle || k.EndTri != b.EndTriangle {
							t.Errorf("%s: off-mesh link %+v, want %+v", z.Zone, k, b)
						}
					}
					if whole.Surfaces != nil {
						if diff := cmp.Diff(whole.Surfaces[p.FirstTri:][:len(p.Triangles)], p.Surfaces); diff != "" {
							t.Errorf("surfaces of %s (-want +got):\n%s", z.Zone, diff)
						}
					}
					if p.Fingerprint != whole.Fingerprint || p.Decoded.Triangles > whole.Decoded.Triangles {
						t.Errorf("fingerprint %x, decoded %+v of %+v", p.Fingerprint, p.Decoded, whole.Decoded)
					}
				}
			}
		})
	}
}

func TestVectorsGrid(t *testing.T) {
	for _, name := range vectorNames {
		t.Run(name, func(t *testing.T) {
			p, e, dir := vectorPack(t, name, nil)
			g := p.Grid
			if g.Version != e.Grid.Version || g.Tile != e.Grid.Tile || g.Apron != e.Grid.Apron || g.MaxSide() != e.Grid.MaxSide {
				t.Errorf("grid %d %v %v, side %d; want %+v", g.Version, g.Tile, g.Apron, g.MaxSide(), e.Grid)
			}
			for i, z := range e.GridZones {
				got := &g.Zones[i]
				if got.Name != z.Name || got.X0 != z.X0 || got.Y0 != z.Y0 || got.GlobalRegions != z.GlobalRegions || len(got.Tiles) != z.Tiles || got.Records() != z.Records {
					t.Errorf("zone %d: %+v, want %+v", i, got, z)
				}
			}
			var dec TileDecoder
			for _, want := range e.GridTiles {
				zone := g.ZoneIndex(want.Zone)
				got := g.Zones[zone].Tiles[want.Tile]
				got.off, got.size = 0, 0
				if diff := cmp.Diff(Tile{
					GX0: want.GX0, GY0: want.GY0, NX: want.NX, NY: want.NY, PX0: want.PX0, PX1: want.PX1, PY0: want.PY0, PY1: want.PY1,
					Records: want.Records,
				}, got, cmp.AllowUnexported(Tile{})); diff != "" {
					t.Errorf("tile %s %d (-want +got):\n%s", want.Zone, want.Tile, diff)
				}
				h, err := dec.Head(g, zone, want.Tile)
				if err != nil {
					t.Fatal(err)
				}
				sel := ""
				for _, s := range h.Select {
					sel += fmt.Sprint(s)
				}
				if g.Version == GridColumns {
					sel = want.Select
				}
				if uint32(len(h.Regions)) != want.Regions || h.Cells != want.NCell || sel != want.Select || g.Version == GridStreams && h.MaxDepth != want.KMax {
					t.Errorf("head of %s %d: %+v, want %+v", want.Zone, want.Tile, h, want)
				}
				if want.HMinBits != nil && math.Float32bits(h.HMin) != math.Float32bits(f32(t, *want.HMinBits)) {
					t.Errorf("lowest height of %s %d: %v, want %s", want.Zone, want.Tile, h.HMin, *want.HMinBits)
				}
			}
			var got []Record
			rows := readTable(t, filepath.Join(dir, "records.csv"))
			for zone := range g.Zones {
				for tile := range g.Zones[zone].Tiles {
					before := len(got)
					var err error
					if got, err = dec.Decode(g, zone, tile, got); err != nil {
						t.Fatal(err)
					}
					for i, r := range got[before:] {
						row := rows[before+i]
						want := Record{num[int32](t, row.at("cell")), num[uint32](t, row.at("rid")), f32(t, row.at("h_bits")), num[uint16](t, row.at("clr")), num[uint8](t, row.at("flags")), num[uint8](t, row.at("steps"))}
						if r != want || num[int](t, row.at("zone")) != zone || num[int](t, row.at("tile")) != tile || num[int](t, row.at("index")) != i {
							t.Fatalf("zone %d, tile %d, record %d: %+v, want %v", zone, tile, i, r, row)
						}
					}
				}
			}
			if len(got) != len(rows) {
				t.Errorf("%d records, want %d", len(got), len(rows))
			}
		})
	}
}
