package obj_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/obj"
)

func read(t *testing.T, text string) (*scene.Scene, *scene.Report) {
	t.Helper()
	s, r, err := obj.Read(strings.NewReader(text), "x.obj", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s, r
}

// upArea returns the area of the triangles that face up.
func upArea(s *scene.Scene) float64 {
	sum := 0.0
	for _, tri := range s.Tris {
		sum += max(0, geom.Area2(s.Verts[tri.V[0]], s.Verts[tri.V[1]], s.Verts[tri.V[2]])/2)
	}
	return sum
}

// covers reports whether a triangle contains (x, z), seen from above.
func covers(s *scene.Scene, x, z float64) bool {
	p := geom.Vec3{X: x, Z: z}
	for _, tri := range s.Tris {
		a, b, c := s.Verts[tri.V[0]], s.Verts[tri.V[1]], s.Verts[tri.V[2]]
		ab, bc, ca := geom.Area2(a, b, p), geom.Area2(b, c, p), geom.Area2(c, a, p)
		if (ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0) {
			return true
		}
	}
	return false
}

func TestNegativeIndicesInBlocks(t *testing.T) {
	const block = "v %d 0 0\nv %d 0 0\nv %d 0 2\nv %d 0 2\nf -1 -2 -3 -4\n"
	text := fmt.Sprintf(block, 0, 2, 2, 0) + fmt.Sprintf(block, 10, 12, 12, 10) +
		"v 20 0 0\nv 20 0 2\nv 22 0 0\nf 9 -2 11\n"
	s, r := read(t, text)
	if r.Read != 5 || r.Kept != 5 {
		t.Errorf("read %d, kept %d triangles, want 5", r.Read, r.Kept)
	}
	if got := upArea(s); got != 4+4+2 {
		t.Errorf("area %v, want 4 + 4 + 2", got)
	}
	for _, x := range []float64{1, 11, 20.5} {
		if !covers(s, x, 0.5) {
			t.Errorf("no floor at x = %v", x)
		}
	}
	if covers(s, 6, 1) {
		t.Error("the floors run into each other")
	}
}

const l6 = "v 0 0 0\nv 4 0 0\nv 4 0 2\nv 2 0 2\nv 2 0 4\nv 0 0 4\n"

// One L of six corners, started at each of them and written in every way.
func TestConcaveFace(t *testing.T) {
	forms := map[string]func(i int) string{
		"v":       func(i int) string { return fmt.Sprint(i) },
		"v/vt":    func(i int) string { return fmt.Sprintf("%d/%d", i, i) },
		"v//vn":   func(i int) string { return fmt.Sprintf("%d//1", i) },
		"v/vt/vn": func(i int) string { return fmt.Sprintf("%d/2/-1", i) },
		"-v":      func(i int) string { return fmt.Sprint(i - 7) },
	}
	for name, form := range forms {
		for start := range 6 {
			for _, reverse := range []bool{false, true} {
				var c []string
				for k := range 6 {
					i := (start+k)%6 + 1
					if reverse {
						i = 7 - i
					}
					c = append(c, form(i))
				}
				face := "f " + strings.Join(c, " ")
				texts := map[string]string{
					"LF":           l6 + face + "\n",
					"no final LF":  l6 + face,
					"CR LF":        strings.ReplaceAll(l6+face+"\n", "\n", "\r\n"),
					"CR":           strings.ReplaceAll(l6+face+"\n", "\n", "\r"),
					"blanks":       strings.ReplaceAll(l6+face+"\n", "\n", " \t\n"),
					"comment":      l6 + face + " # an L\n",
					"BOM":          "\ufeff" + l6 + face,
					"continuation": l6 + "f " + strings.Join(c[:2], " ") + " \\\n" + strings.Join(c[2:], " \\  \r\n  ") + "\n",
				}
				want, _ := read(t, texts["LF"])
				for how, text := range texts {
					s, r := read(t, text)
					if diff := cmp.Diff(want, s); diff != "" {
						t.Errorf("%s: %s: differs from LF: %s", name, how, diff)
					}
					if r.Area != 12 || r.Kept != 4 || len(r.Warnings) != boolInt(!reverse) {
						t.Errorf("%s: %s from corner %d: %s", name, how, start, r)
					}
					if covers(s, 2.5, 2.7) {
						t.Errorf("%s: %s from corner %d covers (2.5, 2.7)", name, how, start)
					}
				}
			}
		}
	}
}

// boolInt counts the warning of a floor that faces down: the L is clockwise
// seen from above in the order of its corners.
func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestDegenerateTrianglesAreCounted(t *testing.T) {
	const floor = "v 0 0 0\nv 5 0 0\nv 5 0 5\nv 0 0 5\n" +
		"v 0 0 0\nv 0 0 0\nv 0 0 0\n" + // the first corner three times more
		"v 1 0 1\nv 2 0 2\nv 0.1 0 0.1\nv 0.2 0 0.2\nv 0.3 0 0.3\n" +
		"f 4 3 1\nf 3 2 5\n"
	clean, want := read(t, floor)
	s, r := read(t, floor+"f 1 1 2\nf 1 2 1\nf 3 2 2\n"+ // equal corners
		"f 1 6 2\n"+ // the same place twice
		"f 5 8 9\nf 10 11 12\n"+ // on a line
		"f 1 2 2 3 3\n") // a triangle with two repeated corners
	if got := upArea(s); got != 25 || upArea(clean) != 25 {
		t.Errorf("area %v and %v, want 25", got, upArea(clean))
	}
	if len(s.Verts) != len(clean.Verts) || r.Bounds != want.Bounds {
		t.Errorf("%d vertices, want %d", len(s.Verts), len(clean.Verts))
	}
	got := map[scene.DropReason]int{}
	for _, d := range r.Dropped {
		got[d.Reason] = d.Count
	}
	if diff := cmp.Diff(map[scene.DropReason]int{
		scene.RepeatedCorner: 3 + 2, scene.RepeatedPosition: 1, scene.Collinear: 2,
	}, got); diff != "" {
		t.Error(diff)
	}
	if r.Read != r.Kept+r.DroppedTotal() || r.Read != 2+3+1+2+3 {
		t.Errorf("read %d, kept %d, dropped %d", r.Read, r.Kept, r.DroppedTotal())
	}
	if e := r.Dropped[0].Examples; len(e) != 3 || e[0] != "line 15" {
		t.Errorf("examples %q, want lines 15 to 17", e)
	}
}

func TestParts(t *testing.T) {
	const verts = "v 0 0 0\nv 0 0 1\nv 1 0 0\n"
	const f = "f 1 2 3\n"
	s, _ := read(t, verts+f+
		"o House\n"+f+
		"usemtl brick red # warm\n"+f+
		"g wall upper\n"+f+f+
		"g\n"+f+
		"usemtl\n"+f+
		"g wall upper\nusemtl brick red\n"+f)
	var got []scene.Part
	for _, tri := range s.Tris {
		got = append(got, s.Parts[tri.Part])
	}
	want := []scene.Part{
		{},
		{Name: "House"},
		{Name: "House", Material: "brick red"},
		{Name: "wall upper", Material: "brick red"},
		{Name: "wall upper", Material: "brick red"},
		{Name: "House", Material: "brick red"},
		{Name: "House"},
		{Name: "wall upper", Material: "brick red"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(s.Parts) != 4 {
		t.Errorf("%d parts, want 4", len(s.Parts))
	}
}

func TestOtherStatements(t *testing.T) {
	s, r := read(t, "mtllib a.mtl\nv 0 0 0 1\nv 0 0 1 0.5 0.5 0.5\nv 1 0 0 1 1 1 1\nvt 0 0\nvn 0 1 0\ns off\n"+
		"p 1 2\np 3\nl 1 2 3\nf 1 2 4\nv 2 0 0\ncurv 0 1 1 2\nsurf 0 1\n")
	if r.Points != 3 || r.Lines != 1 || r.Kept != 1 {
		t.Errorf("%d points, %d lines, %d triangles, want 3, 1, 1", r.Points, r.Lines, r.Kept)
	}
	if s.Verts[2] != (geom.Vec3{X: 2}) {
		t.Errorf("third corner is %v, want the vertex behind the face", s.Verts[2])
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Code != scene.WarnIgnored || !strings.Contains(r.Warnings[0].Text, "line 13") {
		t.Errorf("warnings %v, want one about line 13", r.Warnings)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const v3 = "v 0 0 0\nv 0 0 1\nv 1 0 0\n"
	long := strings.Repeat("1 2 3 ", 200_000)
	for _, tc := range []struct {
		name, text   string
		line, column int
		msg          string
	}{
		{"index 0", v3 + "f 1 2 0\n", 4, 7, "index 0"},
		{"too far back", v3 + "f -1 -2 -99\n", 4, 9, `"-99", but only 3 vertices stand before`},
		{"never comes", v3 + "f 1 2 4\nv 1 1", 5, 6, "2 coordinates"},
		{"beyond the end", v3 + "f 1 2 7\nv 1 1 1\n", 4, 7, "index 7, but the file has only 4"},
		{"huge index", v3 + "f 1 2 99999999999999999999999\n", 4, 7, "out of range"},
		{"no index", v3 + "f 1 2 /3\n", 4, 7, "does not start with a vertex index"},
		{"bad form", v3 + "f 1 2 3/4/5/6\n", 4, 7, "not of the form"},
		{"letters", v3 + "f 1 2 3a\n", 4, 7, "not of the form"},
		{"two corners", v3 + "f 1 2\n", 4, 1, "2 corners"},
		{"no corners", v3 + "f # 1 2 3\n", 4, 1, "0 corners"},
		{"continued", v3 + "f 1 \\\n2 \\\r\n  x\n", 6, 3, "does not start"},
		{"NaN", "v 0 nan 0\n", 1, 5, "not a finite number"},
		{"Inf", "v 0 0 -inf\n", 1, 7, "not a finite number"},
		{"MSVC NaN", "v 0 0 -1.#IND\n", 1, 7, "not a finite number"},
		{"overflow", "v 0 1e999 0\n", 1, 5, "too large"},
		{"comma", "\n\tv 1,5 2,0 3,0\n", 2, 4, "decimal sign must be a point"},
		{"short vertex", "v 1 2\r\n", 1, 6, "2 coordinates"},
		{"hex", "v 0x10 0 0", 1, 3, "not a finite number"},
		{"binary", "v 0 0 0\nPK\x03\x04\n", 2, 3, "byte 0x03"},
		{"prose", "\nDear reader,\nthis is a letter.\n", 2, 0, `"Dear" is unknown and the file has no vertices`},
		{"after BOM", "\ufeffv 1 2 z", 1, 7, "not a finite number"},
		{"long line", v3 + "f " + long, 4, 0, "longer than"},
		{"long statement", v3 + "f " + strings.ReplaceAll(long, "3 ", "3 \\\n"), 0, 0, "longer than"},
		{"many corners", v3 + "f " + long[:100_000] + "\n", 4, 1, "at most 16384; triangulate"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := obj.Read(strings.NewReader(tc.text), "x.obj", nil)
			var se *obj.SyntaxError
			if !errors.As(err, &se) {
				t.Fatalf("error %v, want a SyntaxError", err)
			}
			if (tc.line > 0 && se.Line != tc.line) || se.Column != tc.column || !strings.Contains(se.Msg, tc.msg) || se.File != "x.obj" {
				t.Errorf("got %v, want line %d, column %d, %q", err, tc.line, tc.column, tc.msg)
			}
		})
	}
}

func TestNoFaces(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "holds no faces",
		"v 0 0 0\n":                 "holds no faces",
		"v 0 0 0\np 1\n":            "only points (1)",
		"v 0 0 0\nl 1 1\n":          "only lines (1)",
		"v 0 0 0\np 1 1\nl 1 1\n":   "only points (2) and lines (1)",
		"v 0 0 0\nf 1 1 1 1 1\n":    "none of the 3 triangles",
		"v 0 0 0\nv 1 1 1\nf 1 2 1": "none of the 1 triangles",
	} {
		_, _, err := obj.Read(strings.NewReader(text), "x.obj", nil)
		if !errors.Is(err, scene.ErrNoTriangles) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

func TestFarCoordinates(t *testing.T) {
	_, _, err := obj.Read(strings.NewReader("v 0 0 0\nv 0 0 1\nv 1e300 0 0\n\nf 1 2 3\n"), "x.obj", nil)
	var re *scene.RangeError
	if !errors.As(err, &re) || re.Value != 1e300 || re.Where != "line 5" || re.Axis != "x" {
		t.Errorf("error %v, want a RangeError for line 5", err)
	}
	// A vertex that no face uses does no harm, and denormals are numbers.
	read(t, "v 0 0 0\nv 0 0 1\nv 1 5e-324 0\nv 1e300 0 0\nf 1 2 3\n")
}

func TestReaderErrors(t *testing.T) {
	broken := errors.New("disk on fire")
	in := io.MultiReader(strings.NewReader("v 0 0 0\n"), iotest.ErrReader(broken))
	if _, _, err := obj.Read(in, "x.obj", nil); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
	want, _ := read(t, l6+"f 6 5 4 3 2 1\r\n")
	got, _, err := obj.Read(iotest.OneByteReader(strings.NewReader(l6+"f 6 5 4 3 2 1\r\n")), "x.obj", nil)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("byte by byte: %v %s", err, diff)
	}
}

func TestTriangleLimit(t *testing.T) {
	in := l6 + strings.Repeat("f 1 2 3 4 5 6\n", 10)
	_, _, err := obj.Read(strings.NewReader(in), "x.obj", &scene.Options{MaxTriangles: 39})
	var le *scene.LimitError
	if !errors.As(err, &le) || le.Limit != 39 {
		t.Errorf("error %v, want a LimitError", err)
	}
	if _, _, err := obj.Read(strings.NewReader(in), "x.obj", &scene.Options{MaxTriangles: 40}); err != nil {
		t.Error(err)
	}
}

func TestLevels(t *testing.T) {
	for _, tc := range []struct {
		file  string
		tris  int
		scale float64
	}{
		{"nav_test.obj", 1612, 1},
		{"dungeon.obj", 10133, 1},
		{"undulating.obj", 5202, 1},
		{"sauerbraten-pandora.obj", 60810, 0.125},
		{"tesseract-complex.obj", 12389, 0.125},
	} {
		t.Run(tc.file, func(t *testing.T) {
			f, err := os.Open(wendtest.Data(t, "levels", tc.file))
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			s, r, err := obj.Read(f, tc.file, &scene.Options{Scale: tc.scale})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			if r.Read != tc.tris || r.Kept+r.DroppedTotal() != tc.tris {
				t.Errorf("%d triangles read, %d kept, want %d", r.Read, r.Kept, tc.tris)
			}
			if r.DroppedTotal() > tc.tris/100 || r.Warned(scene.WarnAxis) || r.Warned(scene.WarnTangled) {
				t.Error("suspicious report")
			}
			if b := s.Bounds(); b != r.Bounds {
				t.Errorf("bounds %v, want %v", r.Bounds, b)
			}
			if math.Abs(r.UpArea+r.DownArea+r.SteepArea-r.Area) > 1e-9*r.Area {
				t.Error("the shares do not add up")
			}
			t.Logf("\n%s", r)
		})
	}
}
