package ocls

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/geom"
)

// district is a scene of 3,000 placements, 40 meshes with 40,000 triangles and
// 250,000 terrain samples.
func district(tb testing.TB) *World {
	tb.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	w := &World{Terrain: Terrain{Samples: 33, Cell: 2}}
	for range 40 {
		var points []geom.Vec3
		for range 1000 {
			c := geom.V3((rng.Float64()-0.5)*6, rng.Float64()*3, (rng.Float64()-0.5)*6)
			for range 3 {
				points = append(points, c.Add(geom.V3(rng.Float64(), rng.Float64(), rng.Float64())))
			}
		}
		w.Meshes = append(w.Meshes, triangleMesh(points...))
	}
	for range 3000 {
		p := Placement{Mesh: rng.IntN(len(w.Meshes))}
		c := 2*rng.Float64() - 1
		s := math.Sqrt(1 - c*c)
		p.A = [3][3]float64{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}
		p.T = geom.V3(rng.Float64()*1000, rng.Float64()*4, rng.Float64()*1000)
		w.Placements = append(w.Placements, p)
	}
	for x := 0.; x < 1000; x += 64 {
		for z := 0.; z < 1000; z += 64 {
			b := TerrainBlock{X: x, Z: z, Heights: make([]float64, 33*33)}
			for i := range b.Heights {
				b.Heights[i] = rng.Float64()
			}
			w.Terrain.Blocks = append(w.Terrain.Blocks, b)
		}
	}
	return w
}

func benchScene(b *testing.B) (*Scene, []byte) {
	b.Helper()
	s, _, err := Quantize(district(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	data, err := AppendScene(nil, s)
	if err != nil {
		b.Fatal(err)
	}
	return s, data
}

func BenchmarkDecode(b *testing.B) {
	_, data := benchScene(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := (&Record{Body: data}).Decode(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	s, data := benchScene(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := AppendScene(data[:0], s); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkQuantize(b *testing.B) {
	w := district(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Quantize(w, nil); err != nil {
			b.Fatal(err)
		}
	}
}
