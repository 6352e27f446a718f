package gltf_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/scene"
	"wend/scene/gltf"
	"wend/scene/obj"
)

func TestLevels(t *testing.T) {
	for _, tc := range []struct {
		file   string
		meshes int // triangles when each mesh is counted once
		shown  int // and when it is counted for each node that shows it
	}{
		{"recast-navigation-js-dungeon.gltf", 10133, 10133},
		{"three-pathfinding-level.glb", 1612, 1612},
		{"three-pathfinding-level.nav.glb", 552, 552},
		{"navcat-bridges.glb", 6300, 7158},
		{"navcat-proto-level.glb", 22803, 26773},
		{"navcat-crowd-stress.glb", 38, 38},
	} {
		t.Run(tc.file, func(t *testing.T) {
			meshes, shown := count(t, wendtest.Data(t, "levels", tc.file))
			if meshes != tc.meshes || shown != tc.shown {
				t.Errorf("the file has %d triangles in meshes and shows %d, want %d and %d", meshes, shown, tc.meshes, tc.shown)
			}
			s, r, err := gltf.Read(os.DirFS(wendtest.Data(t, "levels")), tc.file, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Validate(); err != nil {
				t.Error(err)
			}
			if r.Read != shown || r.Kept+r.DroppedTotal() != shown || r.Kept < shown*99/100 {
				t.Errorf("%d triangles read, %d kept, want %d", r.Read, r.Kept, shown)
			}
			t.Logf("\n%s", r)
		})
	}
}

// count adds up the index counts that a file states, the plain way.
func count(t *testing.T, name string) (meshes, shown int) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(data[:4]) == "glTF" {
		data = data[20 : 20+binary.LittleEndian.Uint32(data[12:])]
	}
	var doc struct {
		Nodes  []struct{ Mesh *int }
		Meshes []struct {
			Primitives []struct{ Indices int }
		}
		Accessors []struct{ Count int }
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	var tris []int
	for _, m := range doc.Meshes {
		n := 0
		for _, p := range m.Primitives {
			n += doc.Accessors[p.Indices].Count / 3
		}
		tris = append(tris, n)
		meshes += n
	}
	for _, n := range doc.Nodes {
		if n.Mesh != nil {
			shown += tris[*n.Mesh]
		}
	}
	return meshes, shown
}

// near compares up to the rounding of float32 and of the exporters.
func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }

// The same level in two formats is the same level.
func TestDungeonAgreesWithOBJ(t *testing.T) {
	f, err := os.Open(wendtest.Data(t, "levels", "dungeon.obj"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, want, err := obj.Read(f, "dungeon.obj", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, got, err := gltf.Read(os.DirFS(wendtest.Data(t, "levels")), "recast-navigation-js-dungeon.gltf", nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2]float64{
		"area":        {want.Area, got.Area},
		"area up":     {want.UpArea, got.UpArea},
		"area down":   {want.DownArea, got.DownArea},
		"lowest":      {want.Bounds.Min.Y, got.Bounds.Min.Y},
		"highest":     {want.Bounds.Max.Y, got.Bounds.Max.Y},
		"west":        {want.Bounds.Min.X, got.Bounds.Min.X},
		"east":        {want.Bounds.Max.X, got.Bounds.Max.X},
		"north":       {want.Bounds.Min.Z, got.Bounds.Min.Z},
		"south":       {want.Bounds.Max.Z, got.Bounds.Max.Z},
		"triangles":   {float64(want.Kept), float64(got.Kept)},
		"steep share": {want.SteepShare(), got.SteepShare()},
	} {
		if !near(pair[0], pair[1], 1e-5*max(1, math.Abs(pair[0]))) {
			t.Errorf("%s: %v in OBJ, %v in glTF", name, pair[0], pair[1])
		}
	}
}

// upArea returns the area of the triangles that face up.
func upArea(s *scene.Scene) float64 {
	sum := 0.0
	for _, tri := range s.Tris {
		sum += max(0, geom.Area2(s.Verts[tri.V[0]], s.Verts[tri.V[1]], s.Verts[tri.V[2]])/2)
	}
	return sum
}
