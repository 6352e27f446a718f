package unity_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/scene"
	"wend/scene/unity"
)

const (
	objects = `[{"x":0,"y":1,"z":0},{"x":0,"y":1,"z":2},{"x":2,"y":1,"z":2},{"z":0,"y":1,"x":2,"w":[0]}]`
	arrays  = `[[0,1,0],[0,1,2],[2.0,1,2e0],[2,1,0]]`
	flat    = `[0,1,0, 0,1,2, 2,1,2, 2,1,0]`
)

func read(t *testing.T, text string, o *unity.Options) (*scene.Scene, *scene.Report) {
	t.Helper()
	s, r, err := unity.Read(strings.NewReader(text), "nav.json", o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	return s, r
}

func TestForms(t *testing.T) {
	want := &scene.Scene{
		Verts: []geom.Vec3{{Y: 1}, {Y: 1, Z: 2}, {X: 2, Y: 1, Z: 2}, {X: 2, Y: 1}},
		Tris: []scene.Tri{
			{V: [3]uint32{0, 1, 2}, Area: 0},
			{V: [3]uint32{0, 2, 3}, Area: 1, Unwalkable: true},
		},
		Parts: []scene.Part{{}},
	}
	for _, text := range []string{
		`{"vertices":` + objects + `,"indices":[0,1,2,0,2,3],"areas":[0,1]}`,
		`{"areas":[0,1],"indices":[0,1,2,0,2,3.0],"vertices":` + arrays + `}`,
		"\ufeff {\n\t\"layers\": null, \"vertices\" :" + flat + `, "indices":[0,1,2,0,2,3],"areas":[0,1]} ` + "\r\n",
		// Wound the other way: turned to face up, from the first corner on.
		`{"vertices":` + strings.Replace(objects, `"w"`, `"\u0077"`, 1) + `,"indices":[0,2,1,0,3,2],"\u0061reas":[0,1]}`,
	} {
		s, r := read(t, text, nil)
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		if r.UpArea != 4 || r.DownArea != 0 || r.Format != "unity" {
			t.Errorf("%s: %s", text, r)
		}
	}
}

func TestNoAreas(t *testing.T) {
	for _, areas := range []string{"", `,"areas":null`} {
		s, _ := read(t, `{"vertices":`+flat+`,"indices":[0,1,2]`+areas+`}`, nil)
		if s.Tris[0].Area != 0 || s.Tris[0].Unwalkable {
			t.Errorf("triangle %+v", s.Tris[0])
		}
	}
}

func TestMirrorZ(t *testing.T) {
	s, r := read(t, `{"vertices":`+flat+`,"indices":[0,1,2,0,2,3]}`, &unity.Options{Handedness: unity.MirrorZ})
	if r.UpArea != 4 || r.Bounds != (geom.Box{Min: geom.V3(0, 1, -2), Max: geom.V3(2, 1, 0)}) {
		t.Errorf("%s", r)
	}
	if got := s.Tris[0].V; got != [3]uint32{0, 2, 1} {
		t.Errorf("first triangle %v, want its corners in turned order", got)
	}
	_, _, err := unity.Read(strings.NewReader("{}"), "x", &unity.Options{Handedness: 2})
	var oe *scene.OptionError
	if !errors.As(err, &oe) || oe.Field != "Handedness" {
		t.Errorf("error %v, want an OptionError", err)
	}
}

func TestUpZ(t *testing.T) {
	_, r := read(t, `{"vertices":[0,0,1, 0,2,1, 2,2,1, 2,0,1],"indices":[0,1,2,0,2,3]}`,
		&unity.Options{Options: scene.Options{Up: scene.UpZ, Scale: 2}})
	if r.UpArea != 16 || r.Bounds.Min.Y != 2 {
		t.Errorf("%s", r)
	}
}

func TestErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		path       string
		at         string // the text that the offset points at
		msg        string
	}{
		{"empty", ``, "", "", "the end of the file, want an object"},
		{"array", `[]`, "", "[", "an array, want an object"},
		{"nothing", `{}`, "", "{", "must both be there"},
		{"no indices", `{"vertices":[]}`, "", "{", "must both be there"},
		{"cut", `{"vertices":[0,1`, "vertices", "", `the end of the file, want ',' or ']'`},
		{"behind", `{"vertices":[],"indices":[]} x`, "", "x", "after the end"},
		{"twice", `{"indices":[],"indices":[7]}`, "indices", "[7]", "was there already, at byte 11"},
		{"null number", `{"vertices":[0,null,0],"indices":[]}`, "vertices[1]", "null", "null in a flat list"},
		{"NaN", `{"vertices":[0,NaN,0],"indices":[]}`, "vertices[1]", "NaN", "'N' in a flat list"},
		{"NaN in a point", `{"vertices":[[0,NaN,0]],"indices":[]}`, "vertices[0][1]", "NaN", "'N', want a number"},
		{"overflow", `{"vertices":[[0,1e999,0]],"indices":[]}`, "vertices[0][1]", "1e999", "1e999 is out of range"},
		{"overflow in an object", `{"vertices":[{"x":1,"y":-1e999}],"indices":[]}`, "vertices[0].y", "-1e999", "out of range"},
		{"string", `{"vertices":[{"x":"1"}],"indices":[]}`, "vertices[0].x", `"1"`, "a string, want a number"},
		{"no y", `{"vertices":[{"x":1,"z":1}],"indices":[]}`, "vertices[0]", `{"x"`, "no member y"},
		{"two coordinates", `{"vertices":[[1,2,3],[1,2]],"indices":[]}`, "vertices[1]", "[1,2]]", "2 coordinates, want 3"},
		{"four coordinates", `{"vertices":[[1,2,3,4]],"indices":[]}`, "vertices[0]", "[1,", "more than 3"},
		{"mixed", `{"vertices":[[1,2,3],4],"indices":[]}`, "vertices[1]", "4]", "a number in a list of points"},
		{"flat count", `{"vertices":[1,2,3,4],"indices":[]}`, "vertices", "[1,2", "4 numbers, want a multiple of 3"},
		{"index count", `{"vertices":` + flat + `,"indices":[0,1]}`, "indices", "[0,1]}", "2 indices, want a multiple of 3"},
		{"index range", `{"vertices":` + flat + `,"indices":[0,1,4]}`, "indices[2]", "4]}", "index 4, but there are 4"},
		{"negative index", `{"vertices":` + flat + `,"indices":[0,1,-2]}`, "indices[2]", "-2", "-2 is not an integer from 0"},
		{"broken index", `{"vertices":` + flat + `,"indices":[0,1,1.5]}`, "indices[2]", "1.5", "1.5 is not an integer"},
		{"area count", `{"vertices":` + flat + `,"indices":[0,1,2],"areas":[1,2]}`, "areas", "[1,2]}", "2 areas for 1 triangles"},
		{"area range", `{"vertices":` + flat + `,"indices":[0,1,2],"areas":[63]}`, "areas[0]", "63", "not an integer from 0 to 62"},
		{"trailing comma", `{"vertices":` + flat + `,"indices":[0,1,2,]}`, "indices[3]", "]}", "']', want a number"},
		{"other member", `{"extra":{"a":tru}}`, "extra", "tru}}", `"tru}}", want a value`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, err := unity.Read(strings.NewReader(tc.text), "nav.json", nil)
			var ue *unity.Error
			if !errors.As(err, &ue) {
				t.Fatalf("error %v, want a *unity.Error", err)
			}
			if ue.JSONPath != tc.path || !strings.Contains(strings.ReplaceAll(ue.Msg, `\"`, `"`), tc.msg) {
				t.Errorf("error %v, want %s: %s", err, tc.path, tc.msg)
			}
			if rest := tc.text[ue.Offset:]; !strings.HasPrefix(rest, tc.at) || (tc.at == "" && rest != "") {
				t.Errorf("%v: byte %d is at %q, want at %q", err, ue.Offset, rest, tc.at)
			}
		})
	}
}

func TestNothingToStandOn(t *testing.T) {
	for _, text := range []string{
		`{"vertices":[],"indices":[]}`,
		`{"vertices":` + flat + `,"indices":[0,0,1]}`,
	} {
		if _, _, err := unity.Read(strings.NewReader(text), "x", nil); !errors.Is(err, scene.ErrNoTriangles) {
			t.Errorf("%s: error %v", text, err)
		}
	}
	_, _, err := unity.Read(strings.NewReader(`{"vertices":[0,0,0,0,0,1,1e300,0,0],"indices":[0,1,2]}`), "x", nil)
	var re *scene.RangeError
	if !errors.As(err, &re) || re.Where != "indices[0]" {
		t.Errorf("error %v, want a RangeError", err)
	}
	broken := errors.New("gone")
	if _, _, err := unity.Read(iotest.ErrReader(broken), "x", nil); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, v := range []string{objects, arrays, flat} {
		text := `{"vertices":` + v + `,"indices":[0,1,2,0,2,3],"areas":[0,1]}`
		f.Add([]byte(text))
		f.Add([]byte(text[:len(text)/2]))
	}
	f.Add([]byte(`{"a":[[[{}]]],"vertices":[1e308,-1e308,5e-324],"indices":[0,0,0]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for h := unity.KeepCoordinates; h <= unity.MirrorZ; h++ {
			s, r, err := unity.Read(strings.NewReader(string(data)), "x", &unity.Options{Handedness: h})
			if err != nil {
				if err.Error() == "" || s != nil || r != nil {
					t.Errorf("a result beside error %v", err)
				}
				continue
			}
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			if r.Read != r.Kept+r.DroppedTotal() || len(s.Tris) != r.Kept || r.Read > len(data) {
				t.Errorf("%s", r)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var sb strings.Builder
	sb.WriteString(`{"vertices":[{"x":0.5,"y":1.25,"z":-3.125}`)
	const n = 50000
	for range n {
		sb.WriteString(`,{"x":12.345678,"y":-1.25,"z":103.1255}`)
	}
	sb.WriteString(`],"indices":[0,1,2`)
	for range n {
		sb.WriteString(`,12345,23456,34567`)
	}
	sb.WriteString(`]}`)
	text := strings.ReplaceAll(sb.String(), "34567]", "0]")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := unity.Read(strings.NewReader(text), "x", nil); err != nil && !errors.Is(err, scene.ErrNoTriangles) {
			b.Fatal(err)
		}
	}
}
