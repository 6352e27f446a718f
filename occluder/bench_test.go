package occluder

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/geom"
	"wend/pack/ocls"
)

// town is a scene of the size of a district: 3,000 placements of 40 meshes of
// up to 2,000 triangles on 1 km², terrain below.
func town(tb testing.TB) *ocls.Scene {
	tb.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	w := &ocls.World{Terrain: ocls.Terrain{Samples: 33, Cell: 2}}
	for i := range 40 {
		m := box(geom.V3(-2, 0, -2), geom.V3(2, 3, 2))
		for range i * 50 { // clutter on and in the box
			c := geom.V3((rng.Float64()-0.5)*6, rng.Float64()*3, (rng.Float64()-0.5)*6)
			n := uint32(len(m.Verts))
			for range 3 {
				m.Verts = append(m.Verts, c.Add(geom.V3(rng.Float64()*0.3, rng.Float64()*0.3, rng.Float64()*0.3)))
			}
			m.Tris = append(m.Tris, [3]uint32{n, n + 1, n + 2})
		}
		w.Meshes = append(w.Meshes, m)
	}
	for range 3000 {
		p := at(rng.IntN(len(w.Meshes)), (rng.Float64()-0.5)*1000, rng.Float64()*4, (rng.Float64()-0.5)*1000)
		c := 2*rng.Float64() - 1
		s := math.Sqrt(1 - c*c)
		p.A = [3][3]float64{{c, 0, s}, {0, 1, 0}, {-s, 0, c}}
		w.Placements = append(w.Placements, p)
	}
	for x := -500.; x < 500; x += 64 {
		for z := -500.; z < 500; z += 64 {
			b := ocls.TerrainBlock{X: x, Z: z, Heights: make([]float64, 33*33)}
			for i := range b.Heights {
				b.Heights[i] = rng.Float64()
			}
			w.Terrain.Blocks = append(w.Terrain.Blocks, b)
		}
	}
	s, _, err := ocls.Quantize(w, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func benchScene(b *testing.B) *Scene {
	b.Helper()
	s, err := New(town(b))
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// lines of a length, over the whole town.
func benchLines(b *testing.B, length float64, ask func(s *Scene, a, c geom.Vec3)) {
	s := benchScene(b)
	rng := rand.New(rand.NewPCG(8, 8))
	var from, to [1024]geom.Vec3
	for i := range from {
		from[i] = geom.V3((rng.Float64()-0.5)*900, 1+3*rng.Float64(), (rng.Float64()-0.5)*900)
		c := 2*rng.Float64() - 1
		d := geom.V3(c, 0, math.Sqrt(1-c*c)).Scale(length)
		to[i] = from[i].Add(d)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		ask(s, from[i&1023], to[i&1023])
		i++
	}
}

func BenchmarkClear20m(b *testing.B) {
	benchLines(b, 20, func(s *Scene, a, c geom.Vec3) { s.Clear(a, c) })
}

func BenchmarkClear300m(b *testing.B) {
	benchLines(b, 300, func(s *Scene, a, c geom.Vec3) { s.Clear(a, c) })
}

func BenchmarkFirst300m(b *testing.B) {
	benchLines(b, 300, func(s *Scene, a, c geom.Vec3) { s.First(a, c) })
}

func BenchmarkHits300m(b *testing.B) {
	var hits []Hit
	benchLines(b, 300, func(s *Scene, a, c geom.Vec3) { hits = s.AppendHits(hits[:0], a, c) })
}

func BenchmarkColumn(b *testing.B) {
	var levels []Level
	benchLines(b, 1, func(s *Scene, a, _ geom.Vec3) { levels = s.AppendColumn(levels[:0], a.X, a.Z, -10, 20) })
}

func BenchmarkDrop(b *testing.B) {
	benchLines(b, 1, func(s *Scene, a, c geom.Vec3) {
		a.Y, c.Y = 4.1, 0.5
		s.DropBlocked(a, c, DropClimb, DropHeight)
	})
}

func BenchmarkBuild(b *testing.B) {
	src := town(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(src); err != nil {
			b.Fatal(err)
		}
	}
}
