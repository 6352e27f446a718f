package occluder

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/geom"
	"wend/pack/ocls"
)

// extremeScene uses the ends of every range of the format at once: meshes the
// size of a galaxy or an atom, matrices near singular, positions that overflow.
func extremeScene(rng *rand.Rand) *ocls.Scene {
	pick := func(v ...float64) float64 { return v[rng.IntN(len(v))] }
	steps := func() int64 {
		return []int64{0, 1, -1, 3, 1000, -77777, 1 << 40, -1 << 52}[rng.IntN(8)] + rng.Int64N(3)
	}
	s := &ocls.Scene{
		Step: pick(1./256, 1, 1e-300, 1e300, 5e-324), RotUnits: uint32(pick(1, 32767, math.MaxUint32)), ScaleBits: uint32(rng.IntN(53)),
		OriginX: steps(), OriginZ: steps(), Samples: uint32(2 + rng.IntN(3)), Cell: pick(2, 1e-300, 1e308, 5e-324),
		Base: pick(0, -16, 1e308), Rise: pick(1./64, -1, 0, 1e308),
		Palette: []ocls.Scale{{1 << 12, 1 << 12, 1 << 12}, {1 << 62, -1, 0}, {math.MinInt64, math.MaxInt64, 1}},
	}
	for i := range 1 + rng.IntN(3) {
		t := ocls.Template{Exp: int8(pick(-60, -8, 0, 60))}
		for range rng.IntN(30) {
			n := uint32(len(t.Verts))
			for range 3 {
				t.Verts = append(t.Verts, [3]int64{steps(), steps(), steps()})
			}
			t.Tris = append(t.Tris, [3]uint32{n, n + 1, n + 2})
		}
		s.Templates = append(s.Templates, t)
		for range rng.IntN(6) {
			in := ocls.Instance{Template: uint32(i), Code: uint8(rng.IntN(5)), Use: uint32(rng.IntN(len(s.Palette)))}
			for k := range in.Pos {
				in.Pos[k] = steps()
			}
			if in.Code == ocls.CodeMatrix {
				in.Use = uint32(len(s.Matrices))
				var m [9]float32
				for k := range m {
					m[k] = float32(pick(0, 1, -1, 1e-38, 3e38, 1+0x1p-23, rng.Float64()))
				}
				s.Matrices = append(s.Matrices, m)
			} else {
				for k := range in.Rot {
					in.Rot[k] = rng.Int64N(2*int64(s.RotUnits)+1) - int64(s.RotUnits)
				}
			}
			s.Instances = append(s.Instances, in)
		}
	}
	for range rng.IntN(3) {
		b := ocls.Block{X: steps(), Z: steps(), Heights: make([]int32, s.Samples*s.Samples)}
		for k := range b.Heights {
			b.Heights[k] = int32(pick(0, 1, math.MaxInt32, math.MinInt32))
		}
		s.Blocks = append(s.Blocks, b)
	}
	return s
}

// Where numbers overflow there is nothing sensible to answer, but trees still
// change nothing and no query panics or returns what is not a number.
func TestExtremeScenes(t *testing.T) {
	asked, met := 0, 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 31))
		src := extremeScene(rng)
		if err := src.Validate(); err != nil {
			continue // two far positions add up to too much
		}
		s, flat := build(src, 1, 1), build(src, 1<<30, 1<<30)
		box := s.Bounds()
		if box.IsEmpty() {
			continue
		}
		corner := func() geom.Vec3 {
			at := func(lo, hi float64) float64 {
				f := rng.Float64()
				return lo*(1-f) + hi*f
			}
			switch rng.IntN(3) {
			case 0:
				if n := len(s.inst); n > 0 {
					b := s.inst[rng.IntN(n)].box
					return geom.V3(at(b.Min.X, b.Max.X), at(b.Min.Y, b.Max.Y), at(b.Min.Z, b.Max.Z))
				}
			case 1:
				return geom.V3(float64(rng.IntN(9)-4), float64(rng.IntN(9)-4), float64(rng.IntN(9)-4))
			}
			return geom.V3(at(box.Min.X, box.Max.X), at(box.Min.Y, box.Max.Y), at(box.Min.Z, box.Max.Z))
		}
		for range 20 {
			a, b := corner(), corner()
			compareScenes(t, s, flat, a, b, min(a.Y, b.Y), max(a.Y, b.Y))
			asked++
			for _, h := range s.AppendHits(nil, a, b) {
				met++
				if !(h.T >= 0 && h.T <= 1) {
					t.Fatalf("seed %d: hit %v", seed, h)
				}
			}
		}
	}
	if asked < 1000 || met < 50 {
		t.Errorf("%d lines met %d faces: too few to tell", asked, met)
	}
}
