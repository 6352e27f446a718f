package ocls

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/pack"
)

// genScene draws a scene that uses every part of the format.
func genScene() *rapid.Generator[*Scene] {
	return rapid.Custom(func(t *rapid.T) *Scene {
		steps := rapid.OneOf(rapid.Int64Range(-300, 300), rapid.Int64Range(-maxSteps/4, maxSteps/4))
		s := &Scene{
			Step:      rapid.SampledFrom([]float64{1. / 256, 0.5, 1e-9, 1e300}).Draw(t, "step"),
			OriginX:   steps.Draw(t, "origin x"),
			OriginZ:   steps.Draw(t, "origin z"),
			RotUnits:  rapid.SampledFrom([]uint32{1, 127, 32767, math.MaxUint32}).Draw(t, "units"),
			ScaleBits: uint32(rapid.IntRange(0, maxBits).Draw(t, "bits")),
			Base:      rapid.Float64Range(-100, 100).Draw(t, "base"),
			Rise:      rapid.Float64Range(-1, 1).Draw(t, "rise"),
		}
		for range rapid.IntRange(0, 4).Draw(t, "templates") {
			e := int8(rapid.IntRange(-maxExp, maxExp).Draw(t, "exponent"))
			tmpl := Template{Exp: e}
			for range rapid.IntRange(0, 12).Draw(t, "triangles") {
				var tri [3]uint32
				for c := range tri {
					n := len(tmpl.Verts)
					tri[c] = uint32(rapid.IntRange(0, n).Draw(t, "corner"))
					if int(tri[c]) == n {
						tmpl.Verts = append(tmpl.Verts, [3]int64{steps.Draw(t, "x"), steps.Draw(t, "y"), steps.Draw(t, "z")})
					}
				}
				tmpl.Tris = append(tmpl.Tris, tri)
			}
			s.Templates = append(s.Templates, tmpl)
		}
		scale := rapid.Int64()
		for range rapid.IntRange(0, 3).Draw(t, "scales") {
			s.Palette = append(s.Palette, Scale{scale.Draw(t, "sx"), scale.Draw(t, "sy"), scale.Draw(t, "sz")})
		}
		for i := range s.Templates {
			for range rapid.IntRange(0, 4).Draw(t, "instances") {
				in := Instance{Template: uint32(i), Pos: [3]int64{steps.Draw(t, "px"), steps.Draw(t, "py"), steps.Draw(t, "pz")}, Code: CodeMatrix}
				if len(s.Palette) > 0 {
					in.Code = uint8(rapid.IntRange(0, CodeMatrix).Draw(t, "code"))
				}
				if in.Code == CodeMatrix {
					in.Use = uint32(len(s.Matrices))
					var m [9]float32
					for k := range m {
						m[k] = rapid.Float32Range(-1e30, 1e30).Draw(t, "matrix")
					}
					s.Matrices = append(s.Matrices, m)
				} else {
					in.Use = uint32(rapid.IntRange(0, len(s.Palette)-1).Draw(t, "scale"))
					for k := range in.Rot {
						in.Rot[k] = rapid.Int64Range(-int64(s.RotUnits), int64(s.RotUnits)).Draw(t, "rotation")
					}
				}
				s.Instances = append(s.Instances, in)
			}
		}
		blocks := rapid.IntRange(0, 3).Draw(t, "blocks")
		if blocks > 0 {
			s.Samples, s.Cell = uint32(rapid.IntRange(2, 5).Draw(t, "samples")), 2
		}
		n := int(s.Samples)
		for range blocks {
			b := Block{X: steps.Draw(t, "bx"), Z: steps.Draw(t, "bz"), Heights: make([]int32, n*n)}
			for k := range b.Heights {
				b.Heights[k] = rapid.Int32().Draw(t, "sample")
			}
			if rapid.Bool().Draw(t, "holes") {
				b.Holes = make([]byte, holeBytes(n))
				for c := range (n - 1) * (n - 1) {
					b.Holes[c>>3] |= byte(rapid.IntRange(0, 1).Draw(t, "hole")) << (c & 7)
				}
			}
			s.Blocks = append(s.Blocks, b)
		}
		return s
	})
}

// What is written is read and written again with the same content and bytes.
func TestRoundTrip(t *testing.T) {
	name := rapid.StringMatching(`[a-zé-ü]{1,5}`)
	rapid.Check(t, func(t *rapid.T) {
		var scenes []Named
		for range rapid.IntRange(0, 3).Draw(t, "scenes") {
			scenes = append(scenes, Named{name.Draw(t, "name"), genScene().Draw(t, "scene")})
		}
		data, err := Append([]byte("front"), scenes)
		if err != nil {
			t.Fatal(err)
		}
		if string(data[:5]) != "front" {
			t.Fatal("Append changed what was there")
		}
		got, err := Read("", data[5:])
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(scenes) || len(got) > 0 && !cmp.Equal(got, scenes) {
			t.Fatalf("(-want +got):\n%s", cmp.Diff(scenes, got))
		}
		again, err := Append([]byte("front"), got)
		if err != nil || !slices.Equal(again, data) {
			t.Fatalf("written again: %v, %d bytes, want %d", err, len(again), len(data))
		}
	})
}

// memory and overhead are the bound on memory that the package states: a
// multiple of the file, and what an error or a nearly empty file takes.
const (
	memory   = 16
	overhead = 8 << 10
)

// hostile reads bytes that may be anything: an error with a place, or a scene
// that is valid and is written and read again.
func hostile(t testing.TB, data []byte) error {
	t.Helper()
	scenes, err := Read("", data)
	if err != nil {
		var fe *pack.FormatError
		if !errors.As(err, &fe) || fe.Section == "" || fe.Offset < 0 || fe.Offset > int64(len(data)) || pack.Kind(err) == "" {
			t.Fatalf("an error without a place: %#v", err)
		}
		return err
	}
	for _, n := range scenes {
		if err := n.Scene.Validate(); err != nil {
			t.Fatalf("what was read is not valid: %v", err)
		}
		for i := range n.Scene.Instances {
			m := n.Scene.Place(i)
			m.Inverse()
		}
	}
	out, err := Append(nil, scenes)
	if err != nil {
		t.Fatalf("what was read cannot be written: %v", err)
	}
	if len(out) > len(data) {
		t.Fatalf("%d bytes became %d", len(data), len(out))
	}
	again, err := Read("", out)
	if err != nil {
		t.Fatalf("what was written cannot be read: %v", err)
	}
	if second, err := Append(nil, again); err != nil || !slices.Equal(second, out) {
		t.Fatalf("what was written reads differently: %v", err)
	}
	return nil
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func smallFile(t testing.TB) []byte {
	t.Helper()
	other := workedScene()
	other.Templates = append(other.Templates, Template{Exp: 3, Verts: [][3]int64{{1, 2, 3}, {-400, 0, 9}, {7, 7, 70000}}, Tris: [][3]uint32{{0, 1, 2}, {2, 1, 0}}})
	other.Instances = append(other.Instances,
		Instance{Template: 1, Pos: [3]int64{-1000, 3, 90000}, Code: CodeMatrix},
		Instance{Template: 1, Pos: [3]int64{1000, 3, 0}, Rot: [3]int64{-3, 500, 32767}})
	other.Matrices = [][9]float32{{1, 0.5, 0, 0, 1, 0, 0, 0, -1}}
	other.Blocks = append(other.Blocks, Block{X: 512, Heights: []int32{9, 9, 9, 8, 8, 8, 70000, -7, 8}})
	data, err := Append(nil, []Named{{"A", workedScene()}, {"bé", other}})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestTruncatedAnywhere(t *testing.T) {
	data := smallFile(t)
	for n := range data {
		if err := hostile(t, data[:n]); err == nil {
			t.Errorf("the first %d bytes of %d are taken for a file", n, len(data))
		}
	}
	if err := hostile(t, data); err != nil {
		t.Error(err)
	}
}

func TestEveryBitFlipped(t *testing.T) {
	data := smallFile(t)
	refused := 0
	for i := range data {
		for bit := range 8 {
			data[i] ^= 1 << bit
			if n := allocated(func() { Read("", data) }); n > uint64(memory*len(data)+overhead) {
				t.Errorf("byte %d, bit %d: %d bytes of memory for a file of %d", i, bit, n, len(data))
			}
			if hostile(t, data) != nil {
				refused++
			}
			data[i] ^= 1 << bit
		}
	}
	if refused == 0 || refused == 8*len(data) {
		t.Errorf("%d of %d changes were refused", refused, 8*len(data))
	}
}

// The same for the packed file: gzip notices what changes the content.
func TestPackedFileDamaged(t *testing.T) {
	plain := smallFile(t)
	packed, err := pack.Gzip(plain, pack.DefaultLevel)
	if err != nil {
		t.Fatal(err)
	}
	read := func(b []byte) error {
		data, err := pack.Gunzip(pack.Where{File: "x.gz"}, b, 1<<16)
		if err != nil {
			var fe *pack.FormatError
			if !errors.As(err, &fe) || fe.Section != "gzip" {
				t.Fatalf("an error without a place: %#v", err)
			}
			return err
		}
		if !slices.Equal(data, plain) {
			t.Fatal("damage went unnoticed")
		}
		return nil
	}
	for n := range packed {
		if read(packed[:n]) == nil {
			t.Errorf("the first %d bytes of %d are taken for a file", n, len(packed))
		}
	}
	for i := range packed {
		for bit := range 8 {
			packed[i] ^= 1 << bit
			read(packed)
			packed[i] ^= 1 << bit
		}
	}
}

// Files whose every byte asks for as much memory as the format allows.
func TestMemoryIsBounded(t *testing.T) {
	many := func(n int, code uint8) *Scene {
		s := workedScene()
		s.Blocks, s.Samples = nil, 0
		s.Instances = nil
		for range n {
			s.Instances = append(s.Instances, Instance{Code: code, Use: uint32(len(s.Matrices))})
			if code == CodeMatrix {
				s.Matrices = append(s.Matrices, [9]float32{})
			} else {
				s.Instances[len(s.Instances)-1].Use = 0
			}
		}
		return s
	}
	empty := workedScene()
	empty.Templates = make([]Template, 5000)
	empty.Instances = nil
	points := workedScene()
	points.Templates[0] = Template{}
	for range 5000 {
		n := uint32(len(points.Templates[0].Verts))
		points.Templates[0].Verts = append(points.Templates[0].Verts, make([][3]int64, 3)...)
		points.Templates[0].Tris = append(points.Templates[0].Tris, [3]uint32{n, n + 1, n + 2})
	}
	scales := workedScene()
	scales.Palette = make([]Scale, 5000)
	land := workedScene()
	land.Samples = 2
	land.Blocks = nil
	for range 5000 {
		land.Blocks = append(land.Blocks, Block{Heights: make([]int32, 4), Holes: []byte{0}})
	}
	for name, s := range map[string]*Scene{
		"rotations": many(5000, 1), "matrices": many(5000, CodeMatrix),
		"empty templates": empty, "vertices": points, "palette": scales, "terrain": land,
	} {
		data, err := Append(nil, []Named{{"A", s}})
		if err != nil {
			t.Fatal(err)
		}
		n := allocated(func() {
			if _, err := Read("", data); err != nil {
				t.Error(err)
			}
		})
		if n > uint64(memory*len(data)+overhead) {
			t.Errorf("%s: %d bytes of memory, %.1f times the file", name, n, float64(n)/float64(len(data)))
		}
		t.Logf("%s: %.1f times the file", name, float64(n)/float64(len(data)))
	}

	// Scenes of nothing but a name, until one of them is refused.
	tiny := append([]byte("OCLS\x01\x00\x00\x00"), 0xff, 0xff, 0, 0)
	for range 0xffff {
		tiny = append(tiny, 1, 0, 'A', 0, 0, 0, 0)
	}
	n := allocated(func() {
		if _, err := Read("", tiny); !errors.Is(err, pack.ErrTruncated) {
			t.Error(err)
		}
	})
	if n > uint64(memory*len(tiny)+overhead) {
		t.Errorf("names only: %d bytes of memory, %.1f times the file", n, float64(n)/float64(len(tiny)))
	}
}

// Random damage of several bytes to a larger file.
func TestRandomDamage(t *testing.T) {
	data := unzip(t, "court", "court.occluder.gz")
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		b := slices.Clone(data)
		for range 1 + rng.IntN(4) {
			b[rng.IntN(len(b))] = byte(rng.Uint32())
		}
		hostile(t, b)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(smallFile(f))
	f.Add(workedFile(f))
	f.Add([]byte("OCLS\x01\x00\x00\x00\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) { hostile(t, data) })
}

// FuzzScene fuzzes the body alone, whose length the container need not carry.
func FuzzScene(f *testing.F) {
	one, err := AppendScene(nil, workedScene())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(one)
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := (&Record{Name: "A", Body: data}).Decode()
		if err != nil {
			return
		}
		if out, err := AppendScene(nil, s); err != nil || len(out) > len(data) {
			t.Fatalf("%d bytes became %d: %v", len(data), len(out), err)
		}
	})
}
