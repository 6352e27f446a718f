package gltf_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/gltf"
)

// The same floor, stored in every way.
func TestPrimitives(t *testing.T) {
	for name, build := range map[string]func(m *model) object{
		"8-bit indices": func(m *model) object {
			idx := m.accessor(m.view([]byte{0, 1, 2, 0, 2, 3}, 0), 0, 5121, 6, "SCALAR", nil)
			return with(positions(m.floats("VEC3", 3, square...)), object{"indices": idx})
		},
		"16-bit indices": func(m *model) object {
			idx := m.accessor(m.view(u16(9, 0, 1, 2, 0, 2, 3), 0), 2, 5123, 6, "SCALAR", nil)
			return with(positions(m.floats("VEC3", 3, square...)), object{"indices": idx, "mode": 4})
		},
		"32-bit indices": func(m *model) object {
			idx := m.accessor(m.view(u32(0, 1, 2, 0, 2, 3), 0), 0, 5125, 6, "SCALAR", nil)
			return with(positions(m.floats("VEC3", 3, square...)), object{"indices": idx})
		},
		"no indices": func(m *model) object {
			return positions(m.floats("VEC3", 3, 0, 0, 0, 0, 0, 2, 2, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0))
		},
		"strip": func(m *model) object {
			return with(positions(m.floats("VEC3", 3, 0, 0, 0, 0, 0, 2, 2, 0, 0, 2, 0, 2)), object{"mode": 5})
		},
		"strip, indexed, with a bend": func(m *model) object {
			idx := m.accessor(m.view([]byte{0, 0, 3, 1, 2, 2}, 0), 0, 5121, 6, "SCALAR", nil)
			return with(positions(m.floats("VEC3", 3, square...)), object{"mode": 5, "indices": idx})
		},
		"fan": func(m *model) object {
			return with(positions(m.floats("VEC3", 3, square...)), object{"mode": 6})
		},
		"interleaved": func(m *model) object {
			var b []byte
			for i := range 4 {
				b = append(append(b, f32(9, 9)...), f32(square[3*i:3*i+3]...)...)
			}
			return with(positions(m.accessor(m.view(b, 20), 8, 5126, 4, "VEC3", nil)), object{"mode": 6})
		},
		"sparse": func(m *model) object {
			base := m.view(f32(0, 0, 0, 7, 7, 7, 2, 0, 2, 7, 7, 7), 0)
			sparse := object{
				"count":   2,
				"indices": object{"bufferView": m.view(u16(1, 3), 0), "componentType": 5123},
				"values":  object{"bufferView": m.view(f32(0, 0, 2, 2, 0, 0), 0)},
			}
			return with(positions(m.accessor(base, 0, 5126, 4, "VEC3", object{"sparse": sparse})), object{"mode": 6})
		},
		"sparse over nothing": func(m *model) object {
			sparse := object{
				"count":   3,
				"indices": object{"bufferView": m.view([]byte{1, 2, 3}, 0), "componentType": 5121},
				"values":  object{"bufferView": m.view(f32(square[3:]...), 0)},
			}
			return with(positions(m.accessor(-1, 0, 5126, 4, "VEC3", object{"sparse": sparse})), object{"mode": 6})
		},
		"signed bytes": func(m *model) object {
			b := m.view([]byte{0, 0, 0, 9, 0, 0, 2, 9, 2, 0, 2, 9, 2, 0, 0, 9}, 4)
			return with(positions(m.accessor(b, 0, 5120, 4, "VEC3", nil)), object{"mode": 6})
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel()
			m.add("nodes", object{"mesh": m.mesh(build(m))})
			s, r := m.read(t)
			if r.Kept != 2 || r.UpArea != 4 || upArea(s) != 4 || r.Bounds != (geom.Box{Max: geom.V3(2, 0, 2)}) {
				t.Errorf("%s", r)
			}
			if want := map[bool]int{true: 2}[strings.Contains(name, "bend")]; r.DroppedTotal() != want {
				t.Errorf("dropped %d, want %d", r.DroppedTotal(), want)
			}
		})
	}
}

func TestNormalizedPositions(t *testing.T) {
	for component, elems := range map[int][]byte{
		5120: {0, 0, 0, 0, 0, 0, 127, 0, 127, 0, 127, 0, 127, 0, 0x80, 0}, // -128 counts as -127
		5121: {0, 0, 0, 0, 0, 0, 255, 0, 255, 0, 255, 0, 255, 0, 0, 0},
		5122: u16(0, 0, 0, 0, 0, 0, 32767, 0, 32767, 0, 32767, 0, 32767, 0, 0x8000, 0),
		5123: u16(0, 0, 0, 0, 0, 0, 65535, 0, 65535, 0, 65535, 0, 65535, 0, 0, 0),
	} {
		m := newModel()
		m.doc["extensionsRequired"] = list{"KHR_mesh_quantization"}
		pos := m.accessor(m.view(elems, len(elems)/4), 0, component, 4, "VEC3", object{"normalized": true})
		m.add("nodes", object{"mesh": m.mesh(with(positions(pos), object{"mode": 6})), "scale": list{10, 1, 10}})
		_, r := m.read(t)
		want := geom.Box{Max: geom.V3(10, 0, 10)}
		if component == 5120 || component == 5122 {
			want.Min = geom.V3(0, 0, -10)
		}
		if r.Bounds != want {
			t.Errorf("component type %d: bounds %v, want %v", component, r.Bounds, want)
		}
	}
}

func TestTransforms(t *testing.T) {
	half := math.Sqrt(0.5)
	for _, tc := range []struct {
		name  string
		nodes list // the last shows the floor
		want  geom.Box
		area  float64 // facing up
	}{
		{"none", list{object{}}, geom.Box{Max: geom.V3(2, 0, 2)}, 4},
		{"moved", list{object{"translation": list{10, 20, 30}}}, geom.Box{Min: geom.V3(10, 20, 30), Max: geom.V3(12, 20, 32)}, 4},
		{
			"scaled, then moved",
			list{object{"translation": list{10, 0, 0}, "scale": list{3, 1, 2}}},
			geom.Box{Min: geom.V3(10, 0, 0), Max: geom.V3(16, 0, 4)},
			24,
		},
		{"a quarter turn about y", list{object{"rotation": list{0, half, 0, half}}}, geom.Box{Min: geom.V3(0, 0, -2), Max: geom.V3(2, 0, 0)}, 4},
		{"a long quaternion", list{object{"rotation": list{0, 5, 0, 5}}}, geom.Box{Min: geom.V3(0, 0, -2), Max: geom.V3(2, 0, 0)}, 4},
		{"upside down", list{object{"rotation": list{1, 0, 0, 0}}}, geom.Box{Min: geom.V3(0, 0, -2), Max: geom.V3(2, 0, 0)}, 0},
		{"mirrored", list{object{"scale": list{-1, 1, 1}}}, geom.Box{Min: geom.V3(-2, 0, 0), Max: geom.V3(0, 0, 2)}, 4},
		{
			"mirrored twice",
			list{object{"children": list{1}, "scale": list{-1, 1, 1}}, object{"scale": list{1, 1, -1}}},
			geom.Box{Min: geom.V3(-2, 0, -2), Max: geom.V3(0, 0, 0)},
			4,
		},
		{"mirrored by height", list{object{"scale": list{1, -1, 1}}}, geom.Box{Max: geom.V3(2, 0, 2)}, 0},
		{"flattened", list{object{"scale": list{1, 0, 1}}}, geom.Box{Max: geom.V3(2, 0, 2)}, 4},
		{
			"matrix",
			list{object{"matrix": list{0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 5, 6, 7, 1}}},
			geom.Box{Min: geom.V3(5, 6, 5), Max: geom.V3(7, 6, 7)},
			4,
		},
		{"mirroring matrix", list{object{"matrix": list{0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1}}}, geom.Box{Max: geom.V3(2, 0, 2)}, 4},
		{"chain", list{
			object{"children": list{1}, "translation": list{100, 0, 0}},
			object{"children": list{2}, "scale": list{2, 2, 2}},
			object{"translation": list{1, 1, 1}},
		}, geom.Box{Min: geom.V3(102, 2, 2), Max: geom.V3(106, 2, 6)}, 16},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := floorModel()
			mesh := m.node(0)["mesh"]
			m.doc["nodes"] = tc.nodes
			tc.nodes[len(tc.nodes)-1].(object)["mesh"] = mesh
			s, r := m.read(t)
			got := []float64{r.Bounds.Min.X, r.Bounds.Min.Y, r.Bounds.Min.Z, r.Bounds.Max.X, r.Bounds.Max.Y, r.Bounds.Max.Z}
			want := []float64{tc.want.Min.X, tc.want.Min.Y, tc.want.Min.Z, tc.want.Max.X, tc.want.Max.Y, tc.want.Max.Z}
			for i := range got {
				if !near(got[i], want[i], 1e-12) {
					t.Fatalf("bounds %v, want %v", r.Bounds, tc.want)
				}
			}
			if !near(r.UpArea, tc.area, 1e-9) || !near(upArea(s), tc.area, 1e-9) {
				t.Errorf("area facing up %v, want %v", r.UpArea, tc.area)
			}
		})
	}
}

func TestScenes(t *testing.T) {
	build := func() *model { // nodes at x = 0, 10, 20, 30; the last a child of the third
		m := floorModel()
		for i := 1; i < 4; i++ {
			m.add("nodes", object{"mesh": 0, "translation": list{10 * min(i, 2), 0, 0}})
		}
		m.node(2)["children"] = list{3}
		m.node(3)["translation"] = list{10, 0, 0}
		return m
	}
	for _, tc := range []struct {
		name   string
		scene  any
		scenes list
		want   float64
	}{
		{"none", nil, nil, 16},
		{"none is default", nil, list{object{"nodes": list{0}}}, 16},
		{"the second", 1, list{object{"nodes": list{0, 1, 2}}, object{"nodes": list{2}}}, 8},
		{"the first", 0, list{object{"nodes": list{0, 1}}, object{"nodes": list{2}}}, 8},
		{"in another order", 0, list{object{"nodes": list{2, 0}}}, 12},
	} {
		m := build()
		if tc.scene != nil {
			m.doc["scene"] = tc.scene
		}
		if tc.scenes != nil {
			m.doc["scenes"] = tc.scenes
		}
		if _, r := m.read(t); r.UpArea != tc.want {
			t.Errorf("%s: area %v, want %v", tc.name, r.UpArea, tc.want)
		}
	}
}

func TestGPUInstancing(t *testing.T) {
	m := floorModel()
	m.doc["extensionsRequired"] = list{"EXT_mesh_gpu_instancing"}
	half := uint16(23170) // sqrt(1/2), normalized
	m.node(0)["translation"] = list{0, 5, 0}
	m.node(0)["extensions"] = object{"EXT_mesh_gpu_instancing": object{"attributes": object{
		"TRANSLATION": m.floats("VEC3", 3, 0, 0, 0, 10, 0, 0, 20, 1, 0),
		"ROTATION": m.accessor(m.view(u16(0, 0, 0, 32767, 0, half, 0, half, 0, 0, 0, 32767), 0), 0, 5122, 3, "VEC4",
			object{"normalized": true}),
		"SCALE": m.floats("VEC3", 3, 1, 1, 1, 1, 1, 1, -3, 1, 1),
		"_ID":   99,
	}}}
	s, r := m.read(t)
	if r.Kept != 6 || !near(r.UpArea, 4+4+12, 1e-9) || !near(upArea(s), 20, 1e-9) {
		t.Errorf("%s", r)
	}
	if b := r.Bounds; !near(b.Min.X, 0, 1e-9) || !near(b.Max.X, 20, 1e-9) || !near(b.Min.Z, -2, 1e-9) || b.Min.Y != 5 || b.Max.Y != 6 {
		t.Errorf("bounds %v", b)
	}
}

func TestPartsAndExtras(t *testing.T) {
	m := floorModel()
	m.add("materials", object{"name": "grass", "extras": object{"area": 3, "cost": "x"}})
	m.add("materials", object{"name": "lava", "extras": object{"walkable": false}})
	m.add("materials", object{"extras": list{1}})
	prim := m.prim(0)
	m.doc["meshes"] = list{
		object{"name": "Slab", "primitives": list{with(prim, object{"material": 0}), with(prim, object{"material": 1}), with(prim, object{"material": 2})}},
		object{"primitives": list{prim}, "extras": object{"area": 5.0, "walkable": false}},
		object{"primitives": list{with(prim, object{"material": 0})}, "extras": object{"area": "kitchen", "walkable": 1}},
	}
	m.doc["nodes"] = list{
		object{"mesh": 0},
		object{"mesh": 0, "name": "Pool", "extras": object{"area": 7}},
		object{"mesh": 1, "extras": object{"walkable": true}},
		object{"mesh": 2},
	}
	s, r := m.read(t)
	type got struct {
		Name, Material string
		Area           scene.AreaID
		Unwalkable     bool
	}
	var all []got
	for i, tri := range s.Tris {
		if i%2 == 0 {
			all = append(all, got{s.Parts[tri.Part].Name, s.Parts[tri.Part].Material, tri.Area, tri.Unwalkable})
		}
	}
	want := []got{
		{"Slab", "grass", 3, false},
		{"Slab", "lava", 0, true},
		{"Slab", "", 0, false},
		{"Pool", "grass", 7, false},
		{"Pool", "lava", 7, true},
		{"Pool", "", 7, false},
		{"", "", 5, false},
		{"", "grass", 3, false},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Error(diff)
	}
	if len(r.Warnings) != 1 || r.Warnings[0].Text != "meshes[2].extras.area is not a number and was ignored" {
		t.Errorf("warnings %v", r.Warnings)
	}
	m.node(1)["extras"] = object{"area": 63}
	if e := m.fail(t); e.JSONPath != "nodes[1].extras.area" || !errors.Is(e, gltf.ErrInvalid) {
		t.Errorf("error %v", e)
	}
}

func TestPointsLinesAndSkins(t *testing.T) {
	m := floorModel()
	line := positions(m.floats("VEC3", 3, square...))
	m.doc["meshes"] = append(m.doc["meshes"].(list), object{"primitives": list{
		with(line, object{"mode": 0}), with(line, object{"mode": 1}), with(line, object{"mode": 2}), with(line, object{"mode": 3}),
		object{"attributes": object{"NORMAL": 0}},
	}})
	m.add("nodes", object{"mesh": 1})
	m.add("nodes", object{"mesh": 1})
	m.add("nodes", object{"mesh": 0, "skin": 0})
	_, r := m.read(t)
	if r.Points != 8 || r.Lines != 2*(2+3+3) || r.Kept != 2 {
		t.Errorf("%s", r)
	}
	if len(r.Warnings) != 2 || !r.Warned(scene.WarnIgnored) {
		t.Errorf("warnings %v, want one about the skin and one about missing positions", r.Warnings)
	}
	m.doc["nodes"] = list{object{"mesh": 1}}
	_, _, err := gltf.Read(fstest.MapFS{"x": {Data: m.glb()}}, "x", nil)
	var ee *scene.EmptyError
	if !errors.As(err, &ee) || ee.Points != 4 || ee.Lines != 8 {
		t.Errorf("error %v, want an EmptyError", err)
	}
}

func TestInvalid(t *testing.T) {
	for _, tc := range []struct {
		name  string
		spoil func(m *model)
		path  string
		msg   string
	}{
		{"no asset", func(m *model) { delete(m.doc, "asset") }, "", "not glTF"},
		{"index of scene", func(m *model) { m.doc["scene"] = 1 }, "scene", "scene 1, but there are 0"},
		{"node of scene", func(m *model) { m.doc["scene"] = 0; m.doc["scenes"] = list{object{"nodes": list{0, 1}}} }, "scenes[0].nodes[1]", "node 1, but there are 1"},
		{"node twice in scene", func(m *model) { m.doc["scene"] = 0; m.doc["scenes"] = list{object{"nodes": list{0, 0}}} }, "scenes[0].nodes[1]", "already"},
		{"child as root", func(m *model) {
			m.add("nodes", object{"children": list{0}})
			m.doc["scene"] = 0
			m.doc["scenes"] = list{object{"nodes": list{1, 0}}}
		}, "scenes[0].nodes[1]", "child of node 1"},
		{"child out of range", func(m *model) { m.node(0)["children"] = list{-1} }, "nodes[0].children[0]", "node -1"},
		{"own child", func(m *model) { m.node(0)["children"] = list{0} }, "nodes[0]", "its own ancestor"},
		{"cycle", func(m *model) {
			m.add("nodes", object{"children": list{2}})
			m.add("nodes", object{"children": list{3}})
			m.add("nodes", object{"children": list{1}})
		}, "nodes[1]", "its own ancestor"},
		{"two parents", func(m *model) {
			m.add("nodes", object{"children": list{0}})
			m.add("nodes", object{"children": list{0}})
		}, "nodes[2].children[0]", "child of node 1 already"},
		{"mesh", func(m *model) { m.node(0)["mesh"] = 7 }, "nodes[0].mesh", "mesh 7"},
		{"matrix and scale", func(m *model) { m.node(0)["matrix"] = make(list, 16); m.node(0)["scale"] = list{1, 1, 1} }, "nodes[0].matrix", "both"},
		{"short matrix", func(m *model) { m.node(0)["matrix"] = list{1, 2} }, "nodes[0].matrix", "2 numbers, want 16"},
		{"projective matrix", func(m *model) { m.node(0)["matrix"] = list{1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1} }, "nodes[0].matrix", "last row"},
		{"short rotation", func(m *model) { m.node(0)["rotation"] = list{1, 0, 0} }, "nodes[0].rotation", "3 numbers, want 4"},
		{"zero rotation", func(m *model) { m.node(0)["rotation"] = list{0, 0, 0, 0} }, "nodes[0].rotation", "no length"},
		{"transform overflow", func(m *model) { m.node(0)["scale"] = list{1e308, 1, 1}; m.node(0)["translation"] = list{1e308, 0, 0} }, "nodes[0]", "out of all bounds"},
		{"mode", func(m *model) { m.prim(0)["mode"] = 7 }, "meshes[0].primitives[0].mode", "mode is 7"},
		{"material", func(m *model) { m.prim(0)["material"] = 0 }, "meshes[0].primitives[0].material", "material 0, but there are 0"},
		{"accessor", func(m *model) { m.prim(0)["indices"] = 2 }, "meshes[0].primitives[0].indices", "accessor 2, but there are 2"},
		{"position type", func(m *model) { m.item("accessors", 0)["type"] = "VEC2" }, "accessors[0].type", `"VEC2", want VEC3`},
		{"32-bit positions", func(m *model) { m.item("accessors", 0)["componentType"] = 5125 }, "accessors[0].componentType", "positions of 32-bit"},
		{"float indices", func(m *model) { m.item("accessors", 1)["componentType"] = 5126; m.item("accessors", 1)["count"] = 3 }, "accessors[1].componentType", "indices have componentType 5126"},
		{"component type", func(m *model) { m.item("accessors", 0)["componentType"] = 5124 }, "accessors[0].componentType", "5124"},
		{"normalized floats", func(m *model) { m.item("accessors", 0)["normalized"] = true }, "accessors[0].normalized", "32-bit"},
		{"count 0", func(m *model) { m.item("accessors", 0)["count"] = 0 }, "accessors[0].count", "count is 0"},
		{"count", func(m *model) { m.item("accessors", 0)["count"] = 5 }, "accessors[0].count", "5 elements of 12 bytes, 12 apart, do not fit the 48 bytes"},
		{"huge count", func(m *model) { m.item("accessors", 0)["count"] = int64(math.MaxInt64) }, "accessors[0].count", "do not fit"},
		{"offset", func(m *model) { m.item("accessors", 0)["byteOffset"] = 49 }, "accessors[0].byteOffset", "byteOffset is 49"},
		{"offset and count", func(m *model) { m.item("accessors", 0)["byteOffset"] = 4 }, "accessors[0].count", "from byte 4 on"},
		{"stride", func(m *model) { m.item("bufferViews", 0)["byteStride"] = 8 }, "bufferViews[0].byteStride", "byteStride is 8, but the elements of accessors[0] have 12"},
		{"large stride", func(m *model) { m.item("bufferViews", 0)["byteStride"] = 256 }, "bufferViews[0].byteStride", "byteStride is 256"},
		{"view", func(m *model) { m.item("accessors", 0)["bufferView"] = 9 }, "accessors[0].bufferView", "bufferView 9, but there are 2"},
		{"view length", func(m *model) { m.item("bufferViews", 1)["byteLength"] = 13 }, "bufferViews[1].byteLength", "13 bytes at offset 48, but the buffer has 60"},
		{"view offset", func(m *model) { m.item("bufferViews", 1)["byteOffset"] = -1 }, "bufferViews[1].byteOffset", "byteOffset is -1"},
		{"buffer", func(m *model) { m.item("bufferViews", 1)["buffer"] = 1 }, "bufferViews[1].buffer", "buffer 1, but there are 1"},
		{"multiple of 3", func(m *model) { m.item("accessors", 1)["count"] = 5 }, "meshes[0].primitives[0]", "5 corners of triangles"},
		{"index range", func(m *model) { binary.LittleEndian.PutUint16(m.bin[48+6:], 4) }, "meshes[0].primitives[0].indices", "index 3 is 4, but there are 4 vertices"},
		{"NaN", func(m *model) { copy(m.bin[16:], f32(math.NaN())) }, "meshes[0].primitives[0].attributes.POSITION", "vertex 1 is (0, NaN, 2)"},
		{"infinity", func(m *model) { copy(m.bin[24:], f32(math.Inf(-1))) }, "meshes[0].primitives[0].attributes.POSITION", "vertex 2 is (-Inf, 0, 2)"},
		{"sparse count", func(m *model) {
			m.item("accessors", 0)["sparse"] = object{"count": 5, "indices": object{}, "values": object{}}
		}, "accessors[0].sparse.count", "count is 5, want 1 to 4"},
		{"sparse kind", func(m *model) {
			m.item("accessors", 0)["sparse"] = object{"count": 1, "indices": object{"componentType": 5122}, "values": object{}}
		}, "accessors[0].sparse.indices.componentType", "5122"},
		{"sparse indices", func(m *model) {
			m.item("accessors", 0)["sparse"] = object{"count": 1, "indices": object{"componentType": 5121, "bufferView": 4}, "values": object{}}
		}, "accessors[0].sparse.indices.bufferView", "bufferView 4"},
		{"sparse order", func(m *model) {
			m.item("accessors", 0)["sparse"] = object{"count": 2, "indices": object{"componentType": 5123, "bufferView": 1, "byteOffset": 4}, "values": object{}}
		}, "accessors[0].sparse.indices", "index 1 is 0, want ascending"},
		{"instances without attributes", func(m *model) {
			m.node(0)["extensions"] = object{"EXT_mesh_gpu_instancing": object{"attributes": object{}}}
		}, "nodes[0].extensions.EXT_mesh_gpu_instancing", "no TRANSLATION"},
		{"uneven instances", func(m *model) {
			m.node(0)["extensions"] = object{"EXT_mesh_gpu_instancing": object{"attributes": object{
				"TRANSLATION": m.floats("VEC3", 3, 0, 0, 0), "SCALE": m.floats("VEC3", 3, 1, 1, 1, 2, 2, 2),
			}}}
		}, "nodes[0].extensions.EXT_mesh_gpu_instancing", "for 1 and for 2"},
		{"instance without rotation", func(m *model) {
			m.node(0)["extensions"] = object{"EXT_mesh_gpu_instancing": object{"attributes": object{"ROTATION": m.floats("VEC4", 4, 0, 0, 0, 0)}}}
		}, "nodes[0].extensions.EXT_mesh_gpu_instancing", "instance 0 has no finite transform"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := floorModel()
			tc.spoil(m)
			e := m.fail(t)
			if e.JSONPath != tc.path || !strings.Contains(e.Msg, tc.msg) || !errors.Is(e, gltf.ErrInvalid) || errors.Is(e, gltf.ErrUnsupported) {
				t.Errorf("error %v, want %s: %s", e, tc.path, tc.msg)
			}
			glb := m.glb()
			if e.Offset < 0 || e.Offset >= int64(len(glb)) {
				t.Fatalf("%v: offset of no byte", e)
			}
			// The offset leads to the value or to the object it should be in.
			if c := glb[e.Offset]; tc.path != "" && e.Offset < int64(len(glb)-len(m.bin)) && !strings.ContainsRune(`{["-0123456789t`, rune(c)) {
				t.Errorf("%v: byte %d is %q", e, e.Offset, c)
			}
		})
	}
}

// Numbers in the binary part are found at their very byte.
func TestOffsetsInBinary(t *testing.T) {
	m := floorModel()
	binary.LittleEndian.PutUint16(m.bin[48+6:], 4)
	e := m.fail(t)
	if glb := m.glb(); binary.LittleEndian.Uint16(glb[e.Offset:]) != 4 || e.Offset != int64(len(glb)-len(m.bin)+54) {
		t.Errorf("%v: not the place of the index", e)
	}
	fsys := fstest.MapFS{"l/x.gltf": {Data: m.json(object{"uri": "x.bin"})}, "l/x.bin": {Data: m.bin}}
	_, _, err := gltf.Read(fsys, "l/x.gltf", nil)
	if !errors.As(err, &e) || e.File != "l/x.bin" || e.Offset != 54 {
		t.Errorf("%v, want byte 54 of l/x.bin", err)
	}
}

func TestUnsupported(t *testing.T) {
	for _, tc := range []struct {
		name      string
		spoil     func(m *model)
		path, msg string
		extension string
	}{
		{"glTF 1", func(m *model) { m.doc["asset"] = object{"version": "1.0"} }, "asset.version", `"1.0"`, ""},
		{"later reader", func(m *model) { m.doc["asset"] = object{"version": "2.1", "minVersion": "2.1"} }, "asset.minVersion", `"2.1"`, ""},
		{
			"Draco", func(m *model) {
				m.doc["extensionsRequired"] = list{"KHR_materials_unlit", "KHR_draco_mesh_compression"}
			},
			"extensionsRequired[1]", "without Draco compression, or convert it with gltf-transform", "KHR_draco_mesh_compression",
		},
		{"Draco, not said to be required", func(m *model) {
			m.prim(0)["extensions"] = object{"KHR_draco_mesh_compression": object{"bufferView": 0}}
			delete(m.item("accessors", 0), "bufferView")
		}, "meshes[0].primitives[0].extensions", "Draco", "KHR_draco_mesh_compression"},
		{
			"something new", func(m *model) { m.doc["extensionsRequired"] = list{"ACME_voxels"} },
			"extensionsRequired[0]", "extension ACME_voxels is not supported; export the level without it", "ACME_voxels",
		},
		{
			"newer meshopt", func(m *model) { m.doc["extensionsRequired"] = list{"KHR_meshopt_compression"} },
			"extensionsRequired[0]", "EXT_meshopt_compression or uncompressed", "KHR_meshopt_compression",
		},
		{"no bytes", func(m *model) { delete(m.item("accessors", 0), "bufferView") }, "accessors[0]", "no bufferView", ""},
		{"many blanks", func(m *model) {
			delete(m.item("accessors", 0), "bufferView")
			m.item("accessors", 0)["count"] = 1 << 30
			m.item("accessors", 0)["sparse"] = object{"count": 1}
		}, "accessors[0].count", "1073741824 elements without", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := floorModel()
			tc.spoil(m)
			e := m.fail(t)
			if e.JSONPath != tc.path || !strings.Contains(e.Msg, tc.msg) || !errors.Is(e, gltf.ErrUnsupported) || errors.Is(e, gltf.ErrInvalid) {
				t.Errorf("error %v, want %s: %s", e, tc.path, tc.msg)
			}
			var xe *gltf.ExtensionError
			if errors.As(e, &xe) != (tc.extension != "") || (xe != nil && xe.Name != tc.extension) {
				t.Errorf("extension error %v, want one about %q", xe, tc.extension)
			}
		})
	}
}

func TestJSONErrors(t *testing.T) {
	for _, tc := range []struct{ text, path, at, msg string }{
		{``, "", "", "unexpected end"},
		{`{"asset":{"version":"2.0"},"nodes":[{"mesh":}]}`, "nodes[0].mesh", "}]}", "invalid character '}'"},
		{`{"asset":{"version":"2.0"},"nodes":[{},{"mesh":"x"}]}`, "nodes[1].mesh", `"x"`, "found string, want an integer"},
		{`{"asset":{"version":"2.0"},"accessors":[{"count":1.5}]}`, "accessors[0].count", "1.5", "found number 1.5, want an integer"},
		{`{"asset":{"version":"2.0"},"nodes":[{"scale":[1,"2",3]}]}`, "nodes[0].scale[1]", `"2"`, "found string, want a number"},
		{`{"asset":{"version":"2.0"},"nodes":{}}`, "nodes", "{}", "found object, want an array"},
		{`{"asset":{"version":"2.0"},"scene":0`, "scene", "", "unexpected end"},
		{`{"asset":{"version":"2.0"},"nodes":[{"translation":[1e999,0,0]}]}`, "nodes[0].translation[0]", "1e999", "number 1e999"},
	} {
		for _, wrap := range []bool{false, true} {
			data := []byte(tc.text)
			if wrap {
				data = append(append([]byte("glTF"), u32(2, uint32(20+len(tc.text)), uint32(len(tc.text)))...), "JSON"+tc.text...)
			}
			_, _, err := gltf.Read(fstest.MapFS{"x": {Data: data}}, "x", nil)
			var e *gltf.Error
			if !errors.As(err, &e) || e.JSONPath != tc.path || !strings.Contains(e.Msg, tc.msg) || !errors.Is(err, gltf.ErrInvalid) {
				t.Errorf("%s: error %v, want %s: %s", tc.text, err, tc.path, tc.msg)
				continue
			}
			if tc.at != "" && !strings.HasPrefix(string(data[e.Offset:]), tc.at) {
				t.Errorf("%s: %v: byte %d is at %q, want at %q", tc.text, err, e.Offset, data[e.Offset:], tc.at)
			}
		}
	}
}

func TestBufferFiles(t *testing.T) {
	m := floorModel()
	for uri, want := range map[string]string{
		"../x.bin":                  "leaves the folder",
		"a/../../x.bin":             "leaves the folder",
		"..":                        "leaves the folder",
		"%2e%2e/x.bin":              "leaves the folder",
		"/x.bin":                    "is absolute",
		"%2Fx.bin":                  "is absolute",
		"//host/x.bin":              "is absolute",
		"http://host/x.bin":         "has a scheme",
		"file:///x.bin":             "has a scheme",
		"C:/x.bin":                  "has a scheme",
		"a\\b.bin":                  "no portable file name",
		"..%5Cx.bin":                "no portable file name",
		"a%00.bin":                  "no portable file name",
		"%zz.bin":                   "bad percent sign",
		"":                          "is empty",
		"data:x":                    "without a comma",
		"data:;base64,???":          "illegal base64",
		"data:;base64,AAAA":         "the buffer has 3 bytes, but byteLength is 60",
		"data:text/plain,abc":       "want base64",
		"short.bin":                 "the buffer has 3 bytes, but byteLength is 60",
		"gone.bin":                  "cannot be read",
		strings.Repeat("a/", 10000): "cannot be read",
	} {
		fsys := fstest.MapFS{
			"l/x.gltf": {Data: m.json(object{"uri": uri})}, "x.bin": {Data: m.bin}, "l/short.bin": {Data: []byte("abc")},
		}
		_, _, err := gltf.Read(fsys, "l/x.gltf", nil)
		var e *gltf.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.JSONPath, "buffers[0].") || !strings.Contains(e.Msg, want) {
			t.Errorf("uri %.30q: error %v, want %q", uri, err, want)
		}
		if (uri == "gone.bin") != errors.Is(err, fs.ErrNotExist) && len(uri) < 100 {
			t.Errorf("uri %.30q: error %v", uri, err)
		}
	}
	for _, uri := range []string{"x.bin", "./x.bin", "a/../x.bin", "a/.././/x.bin", "%78.bin"} {
		fsys := fstest.MapFS{"l/x.gltf": {Data: m.json(object{"uri": uri})}, "l/x.bin": {Data: m.bin}}
		if _, _, err := gltf.Read(fsys, "l/x.gltf", nil); err != nil {
			t.Errorf("uri %q: %v", uri, err)
		}
	}
	if _, _, err := gltf.Read(fstest.MapFS{}, "x.gltf", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing level: %v", err)
	}
	if _, _, err := gltf.Read(fstest.MapFS{"x": {Data: m.json(object{})}}, "x", nil); err == nil || !strings.Contains(err.Error(), "no uri") {
		t.Errorf("buffer without bytes: %v", err)
	}
}

// Buffers that only pictures need may be missing.
func TestUnusedBuffersAreNotRead(t *testing.T) {
	m := floorModel()
	doc := string(m.json(object{"uri": "x.bin"}))
	doc = strings.Replace(doc, `"buffers":[`, `"images":[{"bufferView":99}],"buffers":[`, 1)
	doc = strings.Replace(doc, `"uri":"x.bin"}]`, `"uri":"x.bin"},{"byteLength":9,"uri":"http://host/textures"}]`, 1)
	if _, _, err := gltf.Read(fstest.MapFS{"x": {Data: []byte(doc)}, "x.bin": {Data: m.bin}}, "x", nil); err != nil {
		t.Error(err)
	}
}

func TestMeshopt(t *testing.T) {
	m := newModel()
	// A terrain of 18 x 17 corners, as the encoder of the extension's makers
	// wrote it.
	pos, idx := vector(t, "floats"), vector(t, "triangles 16")
	add := func(v compressed, stride int) int {
		for len(m.bin)%4 != 0 {
			m.bin = append(m.bin, 0)
		}
		view := object{"buffer": 1, "byteLength": v.Count * v.Stride, "extensions": object{"EXT_meshopt_compression": object{
			"buffer": 0, "byteOffset": len(m.bin), "byteLength": len(v.Compressed),
			"byteStride": v.Stride, "count": v.Count, "mode": v.Mode,
		}}}
		m.bin = append(m.bin, v.Compressed...)
		return m.add("bufferViews", view)
	}
	p := m.accessor(add(pos, 12), 0, 5126, pos.Count, "VEC3", nil)
	i := m.accessor(add(idx, 0), 0, 5123, idx.Count, "SCALAR", nil)
	m.add("nodes", object{"mesh": m.mesh(with(positions(p), object{"indices": i}))})
	m.doc["extensionsRequired"] = list{"EXT_meshopt_compression"}
	_, r := m.read(t)
	if r.Kept != 17*16*2 || r.UpArea != 8.5*8 {
		t.Errorf("%s", r)
	}
	x := m.item("bufferViews", 0)["extensions"].(object)["EXT_meshopt_compression"].(object)
	for _, tc := range []struct {
		key         string
		value       any
		path        string
		unsupported bool
	}{
		{"count", pos.Count + 300, "", false},
		{"count", 1 << 40, "", false},
		{"count", 0, "", false},
		{"byteStride", 10, ".byteStride", false},
		{"byteLength", 9999999, ".byteLength", false},
		{"byteLength", 40, "", false},
		{"mode", "POINTS", ".mode", false},
		{"filter", "OCTAHEDRAL", ".filter", true},
		{"filter", "QUATERNION", ".filter", true},
	} {
		was, had := x[tc.key]
		x[tc.key] = tc.value
		e := m.fail(t)
		if e.JSONPath != "bufferViews[0].extensions.EXT_meshopt_compression"+tc.path || errors.Is(e, gltf.ErrUnsupported) != tc.unsupported {
			t.Errorf("%s %v: error %v", tc.key, tc.value, e)
		}
		x[tc.key] = was
		if !had {
			delete(x, tc.key)
		}
	}
}

// Files that repeat a mesh more often than memory allows are refused early.
func TestTriangleLimit(t *testing.T) {
	m := floorModel()
	var nodes list
	for range 1000 {
		nodes = append(nodes, object{"mesh": 0})
	}
	m.doc["nodes"] = nodes
	fsys := fstest.MapFS{"x": {Data: m.glb()}}
	_, _, err := gltf.Read(fsys, "x", &scene.Options{MaxTriangles: 1999})
	var le *scene.LimitError
	if !errors.As(err, &le) || le.Limit != 1999 || le.Triangles != 2000 {
		t.Errorf("error %v, want a LimitError", err)
	}
	if _, r, err := gltf.Read(fsys, "x", &scene.Options{MaxTriangles: 2000}); err != nil || r.Kept != 2000 {
		t.Error(err)
	}
}

// Claims of counts cost no memory before they are checked.
func TestClaimsCostNothing(t *testing.T) {
	const huge = 1 << 40
	for name, spoil := range map[string]func(m *model){
		"positions": func(m *model) { m.item("accessors", 0)["count"] = huge },
		"indices":   func(m *model) { m.item("accessors", 1)["count"] = huge },
		"view":      func(m *model) { m.item("bufferViews", 0)["byteLength"] = huge },
		"sparse": func(m *model) {
			m.item("accessors", 0)["sparse"] = object{"count": 4, "indices": object{"componentType": 5121, "byteOffset": huge}, "values": object{}}
		},
	} {
		m := floorModel()
		spoil(m)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		m.fail(t)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("%s: %d bytes allocated", name, used)
		}
	}
}

func TestContainerErrors(t *testing.T) {
	good := floorModel().glb()
	edit := func(at int, b ...byte) []byte {
		d := append([]byte{}, good...)
		copy(d[at:], b)
		return d
	}
	for _, tc := range []struct {
		name   string
		data   []byte
		offset int64
		msg    string
		is     error
	}{
		{"version", edit(4, 1), 4, "GLB version 1", gltf.ErrUnsupported},
		{"header only", good[:12], 12, "header says", gltf.ErrInvalid},
		{"half a header", good[:10], 10, "inside the GLB header", gltf.ErrInvalid},
		{"no chunks", append([]byte("glTF"), u32(2, 12)...), 12, "no JSON chunk", gltf.ErrInvalid},
		{"chunk size", edit(12, 255, 255, 255, 255), 12, "chunk of 4294967295 bytes", gltf.ErrInvalid},
		{"chunk kind", edit(16, 'X'), 16, "want JSON", gltf.ErrInvalid},
		{"odd end", append([]byte("glTF"), u32(2, 16, 0)...), 12, "4 bytes left, want a chunk header", gltf.ErrInvalid},
	} {
		_, _, err := gltf.Read(fstest.MapFS{"x": {Data: tc.data}}, "x", nil)
		var e *gltf.Error
		if !errors.As(err, &e) || e.Offset != tc.offset || !strings.Contains(e.Msg, tc.msg) || !errors.Is(err, tc.is) {
			t.Errorf("%s: error %v, want byte %d: %s", tc.name, err, tc.offset, tc.msg)
		}
	}
	// Bytes behind the end are worth a warning only.
	_, r, err := gltf.Read(fstest.MapFS{"x": {Data: append(good, 1, 2, 3)}}, "x", nil)
	if err != nil || len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0].Text, "3 bytes behind the end") {
		t.Errorf("trailing bytes: %v, %v", err, r)
	}
}

// damagedModel has a bit of everything that is decoded.
func damagedModel(t testing.TB) *model {
	m := floorModel()
	m.add("materials", object{"name": "a", "extras": object{"area": 3}})
	m.prim(0)["material"] = 0
	m.item("accessors", 0)["sparse"] = object{
		"count":   1,
		"indices": object{"bufferView": m.view([]byte{1}, 0), "componentType": 5121},
		"values":  object{"bufferView": m.view(f32(0, 0, 2), 0)},
	}
	m.add("nodes", object{"children": list{0}, "rotation": list{0, 1, 0, 0}, "scale": list{-1, 1, 1}})
	m.node(0)["extensions"] = object{"EXT_mesh_gpu_instancing": object{"attributes": object{"TRANSLATION": m.floats("VEC3", 3, 0, 0, 0, 5, 0, 5)}}}
	return m
}

// check reads bytes and holds the reader to its promises.
func check(t *testing.T, data []byte) error {
	t.Helper()
	s, r, err := gltf.Read(fstest.MapFS{"x": {Data: data}}, "x", &scene.Options{MaxTriangles: 10000})
	if err != nil {
		if s != nil || r != nil || err.Error() == "" {
			t.Errorf("a result beside error %v", err)
		}
		return err
	}
	if err := s.Validate(); err != nil {
		t.Error(err)
	}
	if r.Read != r.Kept+r.DroppedTotal() || r.Kept != len(s.Tris) || r.Kept == 0 {
		t.Errorf("%s", r)
	}
	return nil
}

func TestTruncatedGLB(t *testing.T) {
	data := damagedModel(t).glb()
	if err := check(t, data); err != nil {
		t.Fatal(err)
	}
	for n := range data {
		err := check(t, data[:n])
		var e *gltf.Error
		if !errors.As(err, &e) {
			t.Errorf("cut to %d of %d bytes: error %v", n, len(data), err)
		}
		if e != nil && (e.Offset < 0 || e.Offset > int64(n)) {
			t.Errorf("cut to %d bytes: %v", n, err)
		}
	}
}

func TestFlippedBits(t *testing.T) {
	m := damagedModel(t)
	for _, data := range [][]byte{m.glb(), m.json(object{"uri": "data:;base64," + strings.Repeat("AAAA", 60)})} {
		for i := range data {
			for bit := range 8 {
				data[i] ^= 1 << bit
				_ = check(t, data)
				data[i] ^= 1 << bit
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, m := range []*model{floorModel(), damagedModel(f)} {
		f.Add(m.glb())
		f.Add(m.json(object{"uri": "data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}))
		f.Add(m.json(object{"uri": "../x"}))
	}
	strip := newModel()
	pos := strip.accessor(strip.view([]byte{0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 0, 0, 2, 0, 2, 0}, 4), 0, 5121, 4, "VEC3", object{"normalized": true})
	strip.add("nodes", object{"mesh": strip.mesh(with(positions(pos), object{"mode": 5})), "matrix": list{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 0, 5, 0, 0, 1}})
	f.Add(strip.glb())
	f.Fuzz(func(t *testing.T, data []byte) { _ = check(t, data) })
}

// FuzzDocument keeps the container in order, so that more documents get
// through to what reads them.
func FuzzDocument(f *testing.F) {
	for _, m := range []*model{floorModel(), damagedModel(f)} {
		f.Add(m.json(object{}), m.bin)
	}
	f.Fuzz(func(t *testing.T, doc, bin []byte) { _ = check(t, wrap(doc, bin)) })
}

func BenchmarkRead(b *testing.B) {
	for _, name := range []string{"navcat-proto-level.glb", "recast-navigation-js-dungeon.gltf"} {
		b.Run(name, func(b *testing.B) {
			data, err := os.ReadFile(wendtest.Data(b, "levels", name))
			if err != nil {
				b.Fatal(err)
			}
			fsys := fstest.MapFS{name: {Data: data}}
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := gltf.Read(fsys, name, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func ExampleRead() {
	m := floorModel() // a square floor of 4 m²
	m.node(0)["name"] = "Floor"
	m.node(0)["scale"] = list{3, 1, 3}
	fsys := fstest.MapFS{"floor.glb": {Data: m.glb()}}

	s, report, err := gltf.Read(fsys, "floor.glb", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Parts[0].Name, report.UpArea, "m²")
	// Output:
	// Floor 36 m²
}
