package gltf_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"wend/scene"
	"wend/scene/gltf"
)

type (
	object = map[string]any
	list   = []any
)

// model builds a glTF file for tests.
type model struct {
	doc object
	bin []byte
}

func newModel() *model {
	return &model{doc: object{
		"asset": object{"version": "2.0"}, "accessors": list{}, "bufferViews": list{},
		"meshes": list{}, "nodes": list{},
	}}
}

// add appends to a list of the document and returns the index.
func (m *model) add(key string, v any) int {
	l, _ := m.doc[key].(list)
	m.doc[key] = append(l, v)
	return len(l)
}

// view appends bytes as a bufferView.
func (m *model) view(b []byte, stride int) int {
	for len(m.bin)%4 != 0 {
		m.bin = append(m.bin, 0)
	}
	v := object{"buffer": 0, "byteOffset": len(m.bin), "byteLength": len(b)}
	if stride > 0 {
		v["byteStride"] = stride
	}
	m.bin = append(m.bin, b...)
	return m.add("bufferViews", v)
}

// accessor adds an accessor over a view.
func (m *model) accessor(view, offset, component, count int, typ string, more object) int {
	a := object{"componentType": component, "count": count, "type": typ}
	if view >= 0 {
		a["bufferView"] = view
	}
	if offset > 0 {
		a["byteOffset"] = offset
	}
	maps.Copy(a, more)
	return m.add("accessors", a)
}

// floats adds an accessor of float32 elements.
func (m *model) floats(typ string, n int, v ...float64) int {
	return m.accessor(m.view(f32(v...), 0), 0, 5126, len(v)/n, typ, nil)
}

// mesh adds a mesh of one primitive.
func (m *model) mesh(prim object) int { return m.add("meshes", object{"primitives": list{prim}}) }

// positions makes the primitive that has them and no indices.
func positions(accessor int) object { return object{"attributes": object{"POSITION": accessor}} }

// with returns prim with further members.
func with(prim, more object) object {
	p := maps.Clone(prim)
	maps.Copy(p, more)
	return p
}

func f32(v ...float64) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return b
}

func u16(v ...uint16) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, x)
	}
	return b
}

func u32(v ...uint32) []byte {
	var b []byte
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func (m *model) json(buffer object) []byte {
	doc := maps.Clone(m.doc)
	if len(m.bin) > 0 {
		buffer["byteLength"] = len(m.bin)
		doc["buffers"] = list{buffer}
	}
	b, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return b
}

// glb writes the model as one binary file.
func (m *model) glb() []byte { return wrap(m.json(object{}), m.bin) }

// wrap puts a document and its bytes into a GLB.
func wrap(doc, bin []byte) []byte {
	doc = append(append([]byte{}, doc...), strings.Repeat(" ", -len(doc)&3)...)
	bin = append(append([]byte{}, bin...), make([]byte, -len(bin)&3)...)
	b := append([]byte("glTF"), u32(2, uint32(12+8+len(doc)+8+len(bin)), uint32(len(doc)))...)
	b = append(append(b, "JSON"...), doc...)
	b = append(append(b, u32(uint32(len(bin)))...), "BIN\x00"...)
	return append(b, bin...)
}

// files returns the model in each kind of container, by the file to open.
func (m *model) files() map[string]fs.FS {
	data := "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(m.bin)
	return map[string]fs.FS{
		"x.glb":     fstest.MapFS{"x.glb": {Data: m.glb()}},
		"data.gltf": fstest.MapFS{"data.gltf": {Data: m.json(object{"uri": data})}},
		"d/beside.gltf": fstest.MapFS{
			"d/beside.gltf":  {Data: append([]byte("\ufeff"), m.json(object{"uri": "bin/a%20b%C3%A4.bin"})...)},
			"d/bin/a bä.bin": {Data: append(append([]byte{}, m.bin...), "more"...)},
		},
	}
}

// read reads a model that must be right, in all containers.
func (m *model) read(t *testing.T) (*scene.Scene, *scene.Report) {
	t.Helper()
	var s0 *scene.Scene
	var r0 *scene.Report
	for name, fsys := range m.files() {
		s, r, err := gltf.Read(fsys, name, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := s.Validate(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if s0 != nil && (len(s.Tris) != len(s0.Tris) || r.Area != r0.Area || r.Bounds != r0.Bounds) {
			t.Fatalf("%s differs from another container: %s%s", name, r, r0)
		}
		s0, r0 = s, r
	}
	return s0, r0
}

// fail reads a model that must be wrong, as GLB.
func (m *model) fail(t *testing.T) *gltf.Error {
	t.Helper()
	_, _, err := gltf.Read(fstest.MapFS{"x.glb": {Data: m.glb()}}, "x.glb", nil)
	var ge *gltf.Error
	if !errors.As(err, &ge) {
		t.Fatalf("error %v, want a *gltf.Error", err)
	}
	return ge
}

// square is the outline of a floor of side 2, counter-clockwise from above.
var square = []float64{0, 0, 0, 0, 0, 2, 2, 0, 2, 2, 0, 0}

// floorModel is a model with one node that shows a floor of 4 m².
func floorModel() *model {
	m := newModel()
	pos := m.floats("VEC3", 3, square...)
	idx := m.accessor(m.view(u16(0, 1, 2, 0, 2, 3), 0), 0, 5123, 6, "SCALAR", nil)
	m.add("nodes", object{"mesh": m.mesh(with(positions(pos), object{"indices": idx}))})
	return m
}

// node returns node i of a model, to be changed.
func (m *model) node(i int) object { return m.doc["nodes"].(list)[i].(object) }

// prim returns the first primitive of mesh i.
func (m *model) prim(i int) object {
	return m.doc["meshes"].(list)[i].(object)["primitives"].(list)[0].(object)
}

// item returns element i of a list of the document.
func (m *model) item(key string, i int) object { return m.doc[key].(list)[i].(object) }
