package ocls

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/geom"
	"wend/pack"
)

var unturned = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}

func triangleMesh(points ...geom.Vec3) Mesh {
	m := Mesh{Verts: points}
	for i := 0; i+2 < len(points); i += 3 {
		m.Tris = append(m.Tris, [3]uint32{uint32(i), uint32(i) + 1, uint32(i) + 2})
	}
	return m
}

func TestQuantizeSmallWorld(t *testing.T) {
	quarter := Affine{A: [3][3]float64{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}, T: geom.V3(103, 1, 198)}
	shear := Affine{A: [3][3]float64{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 1}}, T: geom.V3(90, 0, 200.001)}
	w := &World{
		Meshes: []Mesh{
			triangleMesh(geom.V3(9, 9, 9), geom.V3(1, 2, 3), geom.V3(5, 6, 7)), // nobody places it
			triangleMesh(geom.V3(0, 0, 0), geom.V3(0, 0, 1), geom.V3(1.0001, 0, 0), geom.V3(0, 0, 0), geom.V3(0.0001, 0, 0), geom.V3(1, 0, 0)),
			triangleMesh(geom.V3(0, 0, 0), geom.V3(0, 0, 1), geom.V3(1, 0, 0)), // on the lattice the same
		},
		Placements: []Placement{{1, quarter}, {2, shear}, {2, Affine{A: [3][3]float64{{-2, 0, 0}, {0, 2, 0}, {0, 0, 2}}, T: geom.V3(91, 0, 200)}}},
		Terrain: Terrain{Samples: 2, Cell: 4, Blocks: []TerrainBlock{
			{X: 104, Z: 200, Heights: []float64{1, 2, 3, 4.01}, Holes: []bool{true}},
			{X: 100, Z: 200, Heights: []float64{-1, 0, 0, 1}, Holes: []bool{false}},
		}},
	}
	got, rep, err := Quantize(w, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := &Scene{
		Step: 1. / 256, OriginX: 90 * 256, OriginZ: 198 * 256, RotUnits: 32767, ScaleBits: 12,
		Samples: 2, Cell: 4, Rise: 1. / 64,
		Templates: []Template{{Exp: 0, Verts: [][3]int64{{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, Tris: [][3]uint32{{0, 1, 2}}}},
		Palette:   []Scale{{-8192, 8192, 8192}, {4096, 4096, 4096}},
		Instances: []Instance{
			{Pos: [3]int64{0, 0, 512}, Code: CodeMatrix},
			{Pos: [3]int64{256, 0, 512}, Code: 3, Use: 0},
			{Pos: [3]int64{13 * 256, 256, 0}, Code: 1, Rot: [3]int64{0, 0, 32767}, Use: 1},
		},
		Matrices: [][9]float32{{1, 0.5, 0, 0, 1, 0, 0, 0, 1}},
		Blocks: []Block{
			{X: 10 * 256, Z: 512, Heights: []int32{-64, 0, 0, 64}},
			{X: 14 * 256, Z: 512, Heights: []int32{64, 128, 192, 257}, Holes: []byte{1}},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !slices.Equal(rep.Order, []int{1, 2, 0}) || rep.Matrices != 1 || rep.Dropped != 1 {
		t.Errorf("report %+v", rep)
	}
	if math.Abs(rep.VertexError-0.0001) > 1e-9 || math.Abs(rep.PositionError-0.001) > 1e-9 || rep.HeightError > 1./128 || rep.PlaceError > 1./256 {
		t.Errorf("report %+v", rep)
	}
}

// A world of random placements comes back within what the report says, and
// the order of placements does not show.
func TestQuantizeKeepsPlaces(t *testing.T) {
	coord := rapid.Float64Range(-500, 500)
	part := rapid.Float64Range(-1, 1)
	rapid.Check(t, func(t *rapid.T) {
		var w World
		for range rapid.IntRange(1, 3).Draw(t, "meshes") {
			var points []geom.Vec3
			for range 3 * rapid.IntRange(1, 6).Draw(t, "triangles") {
				points = append(points, geom.V3(part.Draw(t, "x")*4, part.Draw(t, "y")*4, part.Draw(t, "z")*4))
			}
			w.Meshes = append(w.Meshes, triangleMesh(points...))
		}
		for range rapid.IntRange(1, 8).Draw(t, "placements") {
			p := Placement{Mesh: rapid.IntRange(0, len(w.Meshes)-1).Draw(t, "mesh")}
			p.T = geom.V3(coord.Draw(t, "px"), coord.Draw(t, "py"), coord.Draw(t, "pz"))
			if rapid.Bool().Draw(t, "free") {
				for i := range p.A {
					for j := range p.A[i] {
						p.A[i][j] = part.Draw(t, "a")
					}
				}
			} else {
				q := [4]float64{part.Draw(t, "qx"), part.Draw(t, "qy"), part.Draw(t, "qz"), part.Draw(t, "qw")}
				n := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
				if n < 1e-3 {
					q, n = [4]float64{0, 0, 0, 1}, 1
				}
				for i := range q {
					q[i] /= n
				}
				p.A = rotation(q)
				for j := range 3 {
					f := rapid.SampledFrom([]float64{1, 1, -1, 2, 0.37}).Draw(t, "scale")
					for i := range 3 {
						p.A[i][j] *= f
					}
				}
			}
			w.Placements = append(w.Placements, p)
		}
		s, rep, err := Quantize(&w, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rep.PositionError > s.Step/2 || rep.VertexError > s.Step/2 {
			t.Fatalf("report %+v", rep)
		}
		if rep.PlaceError > s.Step {
			t.Fatalf("points move by %v", rep.PlaceError)
		}
		for i, from := range rep.Order {
			want := &w.Placements[from]
			tmpl := &s.Templates[s.Instances[i].Template]
			got := s.Place(i)
			reach := 0.0
			for r := range 3 {
				row := 0.0
				for c := range 3 {
					row += math.Abs(want.A[r][c])
				}
				reach = max(reach, row)
			}
			tol := rep.PlaceError + rep.PositionError + rep.VertexError*(reach+1) + 1e-9
			mesh := &w.Meshes[want.Mesh]
			for k := range tmpl.Tris {
				for c, v := range [3]int{0, 2, 1} { // turned round in the file
					if rep.Dropped > 0 {
						continue // numbers of triangles have moved
					}
					p := got.Apply(tmpl.Vertex(tmpl.Tris[k][c]))
					q := want.Apply(mesh.Verts[mesh.Tris[k][v]])
					if d := p.Sub(q); max(math.Abs(d.X), math.Abs(d.Y), math.Abs(d.Z)) > tol {
						t.Fatalf("instance %d, triangle %d: %v, want %v within %v", i, k, p, q, tol)
					}
				}
			}
		}
		data, err := AppendScene(nil, s)
		if err != nil {
			t.Fatal(err)
		}
		shuffled := World{Meshes: w.Meshes, Placements: slices.Clone(w.Placements)}
		slices.Reverse(shuffled.Placements)
		s2, _, err := Quantize(&shuffled, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := AppendScene(nil, s2); !slices.Equal(again, data) {
			t.Fatal("the order of placements changes the bytes")
		}
	})
}

// Rotations by right angles, and turns and mirrors made of them, are exact.
func TestQuantizeRightAngles(t *testing.T) {
	mesh := triangleMesh(geom.V3(0, 0, 0), geom.V3(3, 1, 0), geom.V3(0, 7, 5))
	perms := [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for _, p := range perms {
		for signs := range 8 {
			var a [3][3]float64
			for i := range 3 {
				a[i][p[i]] = 1 - 2*float64(signs>>i&1)
			}
			w := &World{Meshes: []Mesh{mesh}, Placements: []Placement{{0, Affine{A: a}}}}
			s, rep, err := Quantize(w, nil)
			if err != nil {
				t.Fatal(err)
			}
			if rep.Matrices != 0 || rep.PlaceError > 1e-3 {
				t.Errorf("%v: report %+v, scene %+v", a, rep, s.Instances)
			}
		}
	}
}

func TestQuantizeRefuses(t *testing.T) {
	mesh := triangleMesh(geom.V3(0, 0, 0), geom.V3(1, 0, 0), geom.V3(0, 0, 1))
	world := func(f func(w *World)) *World {
		w := &World{
			Meshes: []Mesh{{Verts: slices.Clone(mesh.Verts), Tris: slices.Clone(mesh.Tris)}}, Placements: []Placement{{0, Affine{A: unturned}}},
			Terrain: Terrain{Samples: 2, Cell: 1, Blocks: []TerrainBlock{{Heights: make([]float64, 4)}}},
		}
		f(w)
		return w
	}
	for _, c := range []struct {
		name string
		w    *World
		o    *Options
		kind error
	}{
		{"mesh number", world(func(w *World) { w.Placements[0].Mesh = 1 }), nil, pack.ErrRange},
		{"mesh number below 0", world(func(w *World) { w.Placements[0].Mesh = -1 }), nil, pack.ErrRange},
		{"vertex number", world(func(w *World) { w.Meshes[0].Tris[0][2] = 3 }), nil, pack.ErrRange},
		{"vertex NaN", world(func(w *World) { w.Meshes[0].Verts[1].Y = math.NaN() }), nil, pack.ErrNonFinite},
		{"vertex far away", world(func(w *World) { w.Meshes[0].Verts[1].Y = 1e30 }), nil, pack.ErrRange},
		{"position infinite", world(func(w *World) { w.Placements[0].T.Z = math.Inf(1) }), nil, pack.ErrNonFinite},
		{"position far away", world(func(w *World) { w.Placements[0].T.Z = -1e30 }), nil, pack.ErrRange},
		{"matrix NaN", world(func(w *World) { w.Placements[0].A[1][1] = math.NaN() }), nil, pack.ErrNonFinite},
		{"matrix beyond float32", world(func(w *World) { w.Placements[0].A[1][1] = 1e300 }), nil, pack.ErrRange},
		{"one sample", world(func(w *World) { w.Terrain.Samples = 1 }), nil, pack.ErrRange},
		{"samples missing", world(func(w *World) { w.Terrain.Samples = 3 }), nil, pack.ErrCount},
		{"cells missing", world(func(w *World) { w.Terrain.Blocks[0].Holes = []bool{} }), nil, pack.ErrCount},
		{"cell 0", world(func(w *World) { w.Terrain.Cell = 0 }), nil, pack.ErrRange},
		{"height NaN", world(func(w *World) { w.Terrain.Blocks[0].Heights[3] = math.NaN() }), nil, pack.ErrNonFinite},
		{"height out of range", world(func(w *World) { w.Terrain.Blocks[0].Heights[3] = 1e9 }), nil, pack.ErrRange},
		{"block infinite", world(func(w *World) { w.Terrain.Blocks[0].X = math.Inf(1) }), nil, pack.ErrNonFinite},
		{"step below 0", world(func(*World) {}), &Options{Step: -1}, pack.ErrRange},
		{"vertex step of 0.1", world(func(*World) {}), &Options{VertexStep: 0.1}, pack.ErrRange},
		{"vertex step of 2^61", world(func(*World) {}), &Options{VertexStep: 0x1p61}, pack.ErrRange},
		{"height step NaN", world(func(*World) {}), &Options{HeightStep: math.NaN()}, pack.ErrRange},
		{"60 scale bits", world(func(*World) {}), &Options{ScaleBits: 60}, pack.ErrRange},
	} {
		if _, _, err := Quantize(c.w, c.o); !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.name, err, c.kind)
		}
	}
	if _, _, err := Quantize(world(func(*World) {}), nil); err != nil {
		t.Error(err)
	}
}

// What Validate refuses, a writer refuses.
func TestValidate(t *testing.T) {
	for name, f := range map[string]func(s *Scene){
		"step":             func(s *Scene) { s.Step = 0 },
		"cell":             func(s *Scene) { s.Cell = math.Inf(1) },
		"base":             func(s *Scene) { s.Base = math.NaN() },
		"rise":             func(s *Scene) { s.Rise = math.NaN() },
		"units":            func(s *Scene) { s.RotUnits = 0 },
		"bits":             func(s *Scene) { s.ScaleBits = 53 },
		"samples":          func(s *Scene) { s.Samples = 1 },
		"exponent":         func(s *Scene) { s.Templates[0].Exp = -61 },
		"vertex":           func(s *Scene) { s.Templates[0].Verts[0][1] = 1<<53 + 1 },
		"vertex order":     func(s *Scene) { s.Templates[0].Tris[0] = [3]uint32{1, 0, 2} },
		"corner":           func(s *Scene) { s.Templates[0].Tris[0][2] = 3 },
		"unused vertex":    func(s *Scene) { s.Templates[0].Verts = append(s.Templates[0].Verts, [3]int64{}) },
		"template":         func(s *Scene) { s.Instances[0].Template = 1 },
		"position":         func(s *Scene) { s.Instances[0].Pos[1] = -1<<53 - 1 },
		"position, origin": func(s *Scene) { s.OriginX = 1 << 53 },
		"code":             func(s *Scene) { s.Instances[0].Code = 5 },
		"scale":            func(s *Scene) { s.Instances[0].Use = 1 },
		"rotation":         func(s *Scene) { s.Instances[0].Rot[1] = -32768 },
		"no matrix":        func(s *Scene) { s.Instances[0] = Instance{Code: CodeMatrix} },
		"matrix too many":  func(s *Scene) { s.Matrices = make([][9]float32, 1) },
		"matrix and turn":  func(s *Scene) { s.Instances[0].Code, s.Matrices = CodeMatrix, make([][9]float32, 1) },
		"matrix NaN": func(s *Scene) {
			s.Instances[0], s.Matrices = Instance{Code: CodeMatrix}, [][9]float32{{float32(math.NaN())}}
		},
		"heights":  func(s *Scene) { s.Blocks[0].Heights = s.Blocks[0].Heights[:8] },
		"holes":    func(s *Scene) { s.Blocks[0].Holes = []byte{0, 0} },
		"hole bit": func(s *Scene) { s.Blocks[0].Holes = []byte{0x10} },
		"block":    func(s *Scene) { s.Blocks[0].X = 1 << 60 },
	} {
		s := workedScene()
		f(s)
		if pack.Kind(s.Validate()) == "" {
			t.Errorf("%s: %v", name, s.Validate())
		}
		dst := []byte("keep")
		if out, err := Append(dst, []Named{{"A", s}}); err == nil || string(out) != "keep" {
			t.Errorf("%s: Append gives %d bytes, %v", name, len(out), err)
		}
	}
	for _, name := range []string{"", "a\x00b", "\xff", string(make([]byte, 5000))} {
		if _, err := Append(nil, []Named{{name, workedScene()}}); pack.Kind(err) == "" {
			t.Errorf("name %.10q: %v", name, err)
		}
	}
}
