package level_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/gltf"
	"wend/scene/level"
	"wend/scene/obj"
	"wend/scene/unity"
)

const (
	objText   = "v 0 0 0\nv 0 0 2\nv 2 0 0\nf 1 2 3\n"
	unityText = `{"note":{"a":[1]},"vertices":[0,0,0,0,0,2,2,0,0],"indices":[0,1,2],"areas":[1]}`
	gltfText  = `{"asset":{"version":"2.0"},"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],` +
		`"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],` +
		`"bufferViews":[{"buffer":0,"byteLength":36}],` +
		`"buffers":[{"byteLength":36,"uri":"data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAA"}]}`
)

// glb wraps a document that needs no binary chunk.
func glb(doc string) string {
	doc += strings.Repeat(" ", -len(doc)&3)
	b := binary.LittleEndian.AppendUint32([]byte("glTF"), 2)
	b = binary.LittleEndian.AppendUint32(b, uint32(20+len(doc)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(doc)))
	return string(append(append(b, "JSON"...), doc...))
}

func TestContentDecides(t *testing.T) {
	contents := map[level.Format]string{
		level.OBJ: objText, level.GLTF: gltfText, level.GLB: glb(gltfText), level.Unity: unityText,
	}
	extensions := map[string]level.Format{
		".obj": level.OBJ, ".gltf": level.GLTF, ".GLB": level.GLB, ".json": level.Unity, ".txt": level.Unknown, "": level.Unknown,
	}
	for format, text := range contents {
		for ext, promised := range extensions {
			name := "levels/town" + ext
			s, r, err := level.Open(fstest.MapFS{name: {Data: []byte(text)}}, name, nil)
			if err != nil {
				t.Errorf("%s as %s: %v", format, name, err)
				continue
			}
			wrong := promised != format && promised != level.Unknown
			if r.UpArea != 2 || len(s.Tris) != 1 || r.Format != format.String() || r.Warned(scene.WarnContent) != wrong {
				t.Errorf("%s as %s, warning wanted: %v: %s", format, name, wrong, r)
			}
		}
	}
}

func TestOptionsReachTheReaders(t *testing.T) {
	fsys := fstest.MapFS{
		"a": {Data: []byte(objText)}, "b": {Data: []byte(gltfText)}, "c": {Data: []byte(unityText)},
	}
	for name := range fsys {
		o := &level.Options{Options: scene.Options{Scale: 10}, Handedness: unity.MirrorZ}
		_, r, err := level.Open(fsys, name, o)
		if err != nil {
			t.Fatal(err)
		}
		mirrored := r.Bounds.Min.Z < 0
		if r.UpArea != 200 || mirrored != (name == "c") {
			t.Errorf("%s: %s", name, r)
		}
		o.Unit = 99
		var oe *scene.OptionError
		if _, _, err := level.Open(fsys, name, o); !errors.As(err, &oe) {
			t.Errorf("%s with a bad unit: error %v", name, err)
		}
	}
}

func TestRefusedFormats(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "is empty",
		"Kaydara FBX Binary  \x00\x1a":    "FBX; export the level as GLB or OBJ",
		"; FBX 7.3.0 project file":        "FBX",
		"BLENDER-v300":                    "Blender",
		"ply\nformat ascii 1.0\n":         "PLY",
		"solid cube\n":                    "STL",
		"PK\x03\x04rest":                  "zip",
		"\x1f\x8b\x08":                    "gzip",
		"\xff\xfev\x00 \x00":              "UTF-16",
		"TESM\x01\x00\x00\x00":            "navmesh",
		"\x89PNG\r\n\x1a\n\x00\x00":       "binary",
		"<?xml version=\"1.0\"?><COLLADA": "starts with '<'",
		"[1,2]":                           "starts with '['",
		`{"a":1}`:                         "neither glTF",
		`{"a":1`:                          "looks like JSON, but: offset 6",
	} {
		_, _, err := level.Open(fstest.MapFS{"x": {Data: []byte(text)}}, "x", nil)
		var fe *level.FormatError
		if !errors.As(err, &fe) || !errors.Is(err, level.ErrFormat) || !strings.Contains(fe.Msg, want) || fe.File != "x" {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// What the readers find wrong comes through as they say it.
func TestReaderErrors(t *testing.T) {
	fsys := fstest.MapFS{
		"bad.obj":  {Data: []byte("v 0 0 x\n")},
		"bad.gltf": {Data: []byte(`{"asset":`)},
		"bad.json": {Data: []byte(`{"vertices":[`)},
		"cut.json": {Data: []byte(`{"not`)},
	}
	var se *obj.SyntaxError
	if _, _, err := level.Open(fsys, "bad.obj", nil); !errors.As(err, &se) || se.Line != 1 {
		t.Errorf("OBJ: %v", err)
	}
	var ge *gltf.Error
	if _, _, err := level.Open(fsys, "bad.gltf", nil); !errors.As(err, &ge) {
		t.Errorf("glTF: %v", err)
	}
	var ue *unity.Error
	if _, _, err := level.Open(fsys, "bad.json", nil); !errors.As(err, &ue) {
		t.Errorf("Unity: %v", err)
	}
	if _, _, err := level.Open(fsys, "cut.json", nil); !errors.As(err, &ue) || ue.Offset != 1 {
		t.Errorf("Unity, cut: %v", err)
	}
	if _, _, err := level.Open(fsys, "gone.obj", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
}

func TestSharedLevels(t *testing.T) {
	dir := wendtest.Data(t, "levels")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		s, r, err := level.Open(os.DirFS(dir), e.Name(), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if want := path.Ext(e.Name())[1:]; r.Format != want || len(s.Tris) == 0 || r.Warned(scene.WarnContent) {
			t.Errorf("%s: %s", e.Name(), r)
		}
	}
}

func ExampleOpen() {
	fsys := fstest.MapFS{"yard.obj": {Data: []byte(
		"v 0 0 0\nv 0 0 400\nv 400 0 400\nv 400 0 0\n" +
			"g yard\nusemtl gravel\nf 1 2 3 4\nf 1 1 2\n")}}
	s, report, err := level.Open(fsys, "yard.obj", &level.Options{Options: scene.Options{Unit: scene.Centimetre}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(s.Tris), "triangles of", s.Parts[0].Name, "in", s.Parts[0].Material)
	fmt.Print(report)
	// Output:
	// 2 triangles of yard in gravel
	// yard.obj (obj): 2 triangles in 1 part, 4.00 x 0.00 x 4.00 m, 16.00 m²
	//   at most 45 degrees steep: 16.00 m² facing up, 0.00 m² facing down; steeper: 0.00 m²
	//   dropped 1 of 3: two equal corners (line 8)
}
