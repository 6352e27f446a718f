package ocls

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack"
)

// unzip reads a pack of the test data.
func unzip(t testing.TB, parts ...string) []byte {
	t.Helper()
	path := wendtest.Data(t, append([]string{"packs"}, parts...)...)
	data, err := pack.ReadFile(os.DirFS(filepath.Dir(path)), filepath.Base(path), 0)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func load[T any](t testing.TB, parts ...string) T {
	t.Helper()
	text, err := os.ReadFile(wendtest.Data(t, append([]string{"packs"}, parts...)...))
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

var packNames = []string{"first", "court", "guest", "harbour", "limits"}

type expectedScene struct {
	Name        string
	Wins        bool
	Step        float64 `json:"q"`
	RotUnits    uint32  `json:"Q"`
	ScaleBits   uint32  `json:"p"`
	Origin      [2]int64
	N           uint32
	Cell, A, B  float64
	StreamBytes []int `json:"stream_bytes"`
	Palette     []Scale
	Templates   []struct {
		Exponent  int8
		Vertices  [][3]float64
		Triangles [][3]uint32
		Box       [][3]float64
	}
	Instances []struct {
		Template   uint32
		Code       uint8
		R          []int64
		Scale      []int64
		A          [3][3]float64
		T          [3]float64
		Det        float64
		Invertible bool
		Inverse    [][]float64
		WorldBox   [][3]float64 `json:"world_box"`
	}
	Blocks []struct {
		X0, Z0    float64
		K         [][]int32
		HasHoles  bool `json:"has_holes"`
		Holes     []int
		Triangles int
	}
}

func vec(v geom.Vec3) [3]float64 { return [3]float64{v.X, v.Y, v.Z} }

func near(got, want, scale float64) bool { return math.Abs(got-want) <= 1e-9*scale }

// Every pack of the independent writer decodes to what its text says.
func TestPacksOfAnotherWriter(t *testing.T) {
	for _, name := range packNames {
		t.Run(name, func(t *testing.T) {
			data := unzip(t, name, name+".occluder.gz")
			expect := load[struct {
				Bytes int    `json:"occluder_bytes"`
				FNV   string `json:"occluder_fnv"`
			}](t, name, "expect.json")
			if len(data) != expect.Bytes || hex64(pack.Fingerprint(data)) != expect.FNV {
				t.Fatalf("%d bytes with hash %016x, want %d with %s", len(data), pack.Fingerprint(data), expect.Bytes, expect.FNV)
			}
			want := load[struct{ Scenes []expectedScene }](t, name, "occluder.json").Scenes
			records, err := Scan(name, data)
			if err != nil {
				t.Fatal(err)
			}
			if len(records) != len(want) {
				t.Fatalf("%d scenes, want %d", len(records), len(want))
			}
			for i, w := range want {
				if records[i].Name != w.Name || records[i].Wins != w.Wins {
					t.Errorf("scene %d: %q, wins %v; want %q, %v", i, records[i].Name, records[i].Wins, w.Name, w.Wins)
				}
				s, err := records[i].Decode()
				if err != nil {
					t.Fatal(err)
				}
				compareScene(t, s, w)
				if !w.Wins {
					continue
				}
				z, found, err := ReadZone(name, data, w.Name)
				if err != nil || !found || !cmp.Equal(z, s) {
					t.Errorf("reading zone %q alone: found %v, %v", w.Name, found, err)
				}
			}
		})
	}
}

func hex64(v uint64) string {
	const digits = "0123456789abcdef"
	b := make([]byte, 16)
	for i := range b {
		b[i] = digits[v>>(60-4*i)&15]
	}
	return string(b)
}

func compareScene(t *testing.T, s *Scene, w expectedScene) {
	t.Helper()
	head := func(q float64, rot, bits uint32, ox, oz int64, n uint32, cell, a, b float64) []any {
		return []any{q, rot, bits, ox, oz, n, cell, a, b}
	}
	got := head(s.Step, s.RotUnits, s.ScaleBits, s.OriginX, s.OriginZ, s.Samples, s.Cell, s.Base, s.Rise)
	if diff := cmp.Diff(head(w.Step, w.RotUnits, w.ScaleBits, w.Origin[0], w.Origin[1], w.N, w.Cell, w.A, w.B), got); diff != "" {
		t.Errorf("%s: header (-want +got):\n%s", w.Name, diff)
	}
	if !slices.Equal(s.Palette, w.Palette) {
		t.Errorf("%s: palette %v, want %v", w.Name, s.Palette, w.Palette)
	}
	if len(s.Templates) != len(w.Templates) || len(s.Instances) != len(w.Instances) || len(s.Blocks) != len(w.Blocks) {
		t.Fatalf("%s: %d templates, %d instances, %d blocks; want %d, %d, %d", w.Name, len(s.Templates), len(s.Instances),
			len(s.Blocks), len(w.Templates), len(w.Instances), len(w.Blocks))
	}
	for i, wt := range w.Templates {
		g := &s.Templates[i]
		var verts [][3]float64
		for k := range g.Verts {
			verts = append(verts, vec(g.Vertex(uint32(k))))
		}
		if g.Exp != wt.Exponent || !slices.Equal(verts, wt.Vertices) || !slices.Equal(g.Tris, wt.Triangles) {
			t.Errorf("%s: template %d differs", w.Name, i)
		}
		if b := g.Box(); len(wt.Box) == 2 && (vec(b.Min) != wt.Box[0] || vec(b.Max) != wt.Box[1]) || len(wt.Box) == 0 && !b.IsEmpty() {
			t.Errorf("%s: template %d has box %v, want %v", w.Name, i, b, wt.Box)
		}
	}
	for i, wi := range w.Instances {
		compareInstance(t, s, i, wi.Template, wi.Code, wi.R, wi.Scale)
		m := s.Place(i)
		if m.A != wi.A || vec(m.T) != wi.T {
			t.Errorf("%s: instance %d stands at %v %v, want %v %v", w.Name, i, m.A, m.T, wi.A, wi.T)
		}
		if !near(m.Det(), wi.Det, math.Abs(wi.Det)) {
			t.Errorf("%s: instance %d: determinant %v, want %v", w.Name, i, m.Det(), wi.Det)
		}
		inv, ok := m.Inverse()
		if ok != wi.Invertible {
			t.Errorf("%s: instance %d: invertible %v, want %v", w.Name, i, ok, wi.Invertible)
		}
		most := 0.0
		for _, row := range wi.Inverse {
			for _, v := range row {
				most = max(most, math.Abs(v))
			}
		}
		for r, row := range wi.Inverse {
			for c, v := range row {
				if !near(inv[r][c], v, most) {
					t.Errorf("%s: instance %d: inverse %v, want %v", w.Name, i, inv, wi.Inverse)
				}
			}
		}
		if len(wi.WorldBox) == 2 {
			b := m.Box(s.Templates[wi.Template].Box())
			for k := range 3 {
				scale := max(math.Abs(wi.WorldBox[0][k]), math.Abs(wi.WorldBox[1][k]))
				if !near(vec(b.Min)[k], wi.WorldBox[0][k], scale) || !near(vec(b.Max)[k], wi.WorldBox[1][k], scale) {
					t.Errorf("%s: instance %d: box %v, want %v", w.Name, i, b, wi.WorldBox)
				}
			}
		}
	}
	for i, wb := range w.Blocks {
		b := &s.Blocks[i]
		n := int(s.Samples)
		if p := s.BlockPoint(i, 0, 0); p.X != wb.X0 || p.Z != wb.Z0 {
			t.Errorf("%s: block %d at %v, want %v %v", w.Name, i, p, wb.X0, wb.Z0)
		}
		if !slices.Equal(b.Heights, slices.Concat(wb.K...)) {
			t.Errorf("%s: block %d: heights differ", w.Name, i)
		}
		var holes []int
		for c := range (n - 1) * (n - 1) {
			if b.Hole(n, c%(n-1), c/(n-1)) {
				holes = append(holes, c)
			}
		}
		if (b.Holes != nil) != wb.HasHoles || !slices.Equal(holes, wb.Holes) || 2*((n-1)*(n-1)-len(holes)) != wb.Triangles {
			t.Errorf("%s: block %d: holes %v, want %v", w.Name, i, holes, wb.Holes)
		}
	}
}

func compareInstance(t *testing.T, s *Scene, i int, template uint32, code uint8, r, scale []int64) {
	t.Helper()
	in := &s.Instances[i]
	if in.Template != template || in.Code != code {
		t.Errorf("instance %d: template %d, code %d; want %d, %d", i, in.Template, in.Code, template, code)
	}
	if code == CodeMatrix {
		return
	}
	if !slices.Equal(in.Rot[:], r) || !slices.Equal(s.Palette[in.Use][:], scale) {
		t.Errorf("instance %d: rotation %v, scale %v; want %v, %v", i, in.Rot, s.Palette[in.Use], r, scale)
	}
}

// Read and written again, a pack has the same bytes; that of a writer that
// uses long forms has the same content, and its second writing the same bytes.
func TestWriteAgain(t *testing.T) {
	for _, name := range packNames {
		t.Run(name, func(t *testing.T) {
			data := unzip(t, name, name+".occluder.gz")
			scenes, err := Read(name, data)
			if err != nil {
				t.Fatal(err)
			}
			out, err := Append(nil, scenes)
			if err != nil {
				t.Fatal(err)
			}
			if name != "guest" && !slices.Equal(out, data) {
				t.Errorf("%d bytes written, %d read, not the same", len(out), len(data))
			}
			again, err := Read(name, out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(scenes, again); diff != "" {
				t.Errorf("(-first +second):\n%s", diff)
			}
			if second, err := Append(nil, again); err != nil || !slices.Equal(second, out) {
				t.Errorf("the second writing differs (%v)", err)
			}
		})
	}
}

// Faulty packs are refused for what is wrong with them, their sound twins are
// taken.
func TestFaultyPacks(t *testing.T) {
	type files struct{ Occluder string }
	list := load[struct {
		Faults []struct {
			ID, File, Section, Kind, Fault string
			Files                          files
		}
		GoodTwins []struct{ Files files } `json:"good_twins"`
	}](t, "bad", "faults.json")
	seen := 0
	for _, f := range list.Faults {
		if f.File != "occluder" {
			continue
		}
		seen++
		_, err := Read(f.Files.Occluder, unzip(t, "bad", f.Files.Occluder))
		var fe *pack.FormatError
		if pack.Kind(err) != f.Kind || !errors.As(err, &fe) || fe.Section != f.Section || fe.Offset == 0 {
			t.Errorf("%s (%s): %v; want %s in section %s", f.ID, f.Fault, err, f.Kind, f.Section)
		}
		t.Log(err)
	}
	if seen == 0 {
		t.Error("no faulty pack was found")
	}
	for _, g := range list.GoodTwins {
		if _, err := Read(g.Files.Occluder, unzip(t, "bad", g.Files.Occluder)); err != nil {
			t.Errorf("%s: %v", g.Files.Occluder, err)
		}
	}
}
