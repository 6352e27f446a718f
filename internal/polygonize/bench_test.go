package polygonize

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"wend/internal/contour"
	"wend/internal/region"
)

// comb is a ring of n corners with deep teeth of random length on one side.
func comb(n int) []point {
	rng := rand.New(rand.NewPCG(3, uint64(n)))
	ring := []point{{0, -1}}
	for i := range int32(n/2 - 1) {
		ring = append(ring, point{2 * i, 100 + rng.Int32N(5)}, point{2*i + 1, rng.Int32N(50)})
	}
	return append(ring, point{int32(n), -1})
}

// spiral is a ring of n corners that winds inwards and back out.
func spiral(n int) []point {
	const step = 4
	dirs := [4]point{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	out, in := make([]point, 0, n), []point{}
	p, size := point{0, 0}, int32(n/8+2)*2*step
	for i := range n / 2 {
		d := dirs[i%4]
		inner := point{d.z, -d.x} // right of the way, where the spiral has its middle
		prev := dirs[(i+3)%4]
		q := point{p.x + inner.x + point{prev.z, -prev.x}.x, p.z + inner.z + point{prev.z, -prev.x}.z}
		out, in = append(out, p), append(in, q)
		p = point{p.x + d.x*size, p.z + d.z*size}
		if i%2 == 1 {
			size -= step
		}
	}
	ring := in
	for i := len(out) - 1; i >= 0; i-- {
		ring = append(ring, out[i])
	}
	if ringArea2(ring) < 0 {
		for i, j := 0, len(ring)-1; i < j; i, j = i+1, j-1 {
			ring[i], ring[j] = ring[j], ring[i]
		}
	}
	return ring
}

func TestBuildLongOutlines(t *testing.T) {
	for name, ring := range map[string][]point{"comb": comb(10000), "spiral": spiral(4000)} {
		m := build(t, setOf(10, 10, contourOf(ring, 1)), 6)
		if len(m.Skipped) != 0 || totalArea2(m) != ringArea2(ring) {
			t.Errorf("%s: area %d of %d, skipped %v", name, totalArea2(m), ringArea2(ring), m.Skipped)
		}
	}
}

func BenchmarkBuild(b *testing.B) {
	cases := []struct {
		name string
		set  *contour.Set
	}{
		{"200 squares", squares(200)},
		{"comb 100", setOf(10, 10, contourOf(comb(100), 1))},
		{"comb 1000", setOf(10, 10, contourOf(comb(1000), 1))},
		{"comb 10000", setOf(10, 10, contourOf(comb(10000), 1))},
		{"spiral 4000", setOf(10, 10, contourOf(spiral(4000), 1))},
		{"tangle 1000", setOf(10, 10, contourOf(tangle(1000), 1))},
		{"tangle 10000", setOf(10, 10, contourOf(tangle(10000), 1))},
	}
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			corners := 0
			for i := range c.set.Contours {
				corners += len(c.set.Contours[i].Verts)
			}
			for b.Loop() {
				if _, err := Build(context.Background(), c.set, 6); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*corners), "ns/corner")
		})
	}
}

func squares(n int) *contour.Set {
	var cs []contour.Contour
	for i := range int32(n) {
		x, z := i%20*6, i/20*6
		cs = append(cs, contourOf([]point{{x, z}, {x, z + 3}, {x, z + 6}, {x + 2, z + 6}, {x + 6, z + 6}, {x + 6, z}, {x + 4, z + 2}}, region.ID(i+1)))
	}
	return setOf(120, n/20*6, cs...)
}

// tangle is a ring that crosses itself everywhere.
func tangle(n int) []point {
	for seed := uint64(0); ; seed++ {
		rng := rand.New(rand.NewPCG(4, seed))
		var ring []point
		for range n {
			ring = append(ring, point{rng.Int32N(1000), rng.Int32N(1000)})
		}
		if ringArea2(ring) > 0 {
			return ring
		}
	}
}

func ExampleBuild() {
	// An outline of an L, one region, no frame.
	var c contour.Contour
	for _, p := range [][2]int32{{0, 0}, {0, 6}, {2, 6}, {2, 2}, {6, 2}, {6, 0}} {
		c.Verts = append(c.Verts, contour.Vertex{X: p[0], Z: p[1]})
	}
	m, err := Build(context.Background(), &contour.Set{Contours: []contour.Contour{c}}, 6)
	if err != nil {
		fmt.Println(err)
		return
	}
	for p := range m.Len() {
		var corners []Vert
		for _, v := range m.Poly(p) {
			corners = append(corners, m.Verts[v])
		}
		fmt.Println(corners)
	}
	// Output:
	// [{0 0 6} {2 0 6} {2 0 2} {0 0 0}]
	// [{6 0 0} {0 0 0} {2 0 2} {6 0 2}]
}
