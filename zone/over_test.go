package zone

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wend/pack/bnav"
)

func TestHeightAt(t *testing.T) {
	// h = 1 + u/2 + v/4
	z := clean(t, mesh([]bnav.Vertex{{U: 0, V: 0, H: 1}, {U: 8, V: 0, H: 5}, {U: 0, V: 8, H: 3}, {U: 8, V: 0, H: 9}, {U: 4, V: 0, H: 9}},
		[3]uint32{0, 1, 2}, [3]uint32{0, 3, 4}))
	for _, c := range []struct {
		tri     int32
		u, v, h float64
		covered bool
	}{
		{0, 0, 0, 1, true},
		{0, 8, 0, 5, true},
		{0, 2, 4, 3, true},
		{0, 4, 4, 4, true}, // on an edge
		{0, 4, 4.001, 0, false},
		{0, -0.001, 1, 0, false},
		{0, math.NaN(), 1, 0, false},
		{1, 4, 0, 0, false}, // no area in the plane
	} {
		if h, ok := z.HeightAt(c.tri, c.u, c.v); ok != c.covered || math.Abs(h-c.h) > 1e-12 {
			t.Errorf("triangle %d at %v, %v: %v, %v, want %v, %v", c.tri, c.u, c.v, h, ok, c.h, c.covered)
		}
	}
}

// TestOverIsAllThatCovers compares with a walk over all triangles, whose corners
// tell by their sides whether the point is in.
func TestOverIsAllThatCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		n := rapid.IntRange(1, 60).Draw(t, "n")
		var verts []bnav.Vertex
		var tris [][3]uint32
		for i := range n {
			u, v := 200*rnd.Float32()-100, 200*rnd.Float32()-100
			for range 3 {
				verts = append(verts, bnav.Vertex{U: u + 60*rnd.Float32(), V: v + 60*rnd.Float32(), H: 10 * rnd.Float32()})
			}
			k := uint32(3 * i)
			tris = append(tris, [3]uint32{k, k + 1, k + 2})
		}
		c := mesh(verts, tris...)
		c.Surfaces = make([]bnav.Surface, n)
		for i := range c.Surfaces {
			c.Surfaces[i].Flags = uint32(rnd.IntN(2)) * c.Rules().WalkMask
		}
		c.Surfaces[0].Flags = c.Rules().WalkMask
		z, err := Clean(t.Context(), c, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		var near []int32
		for range 20 {
			u, v := 260*rnd.Float64()-110, 260*rnd.Float64()-110
			var want, got []int32
			for i, tri := range z.Tris {
				side := func(k int) float64 {
					a, b := z.Verts[tri[k]], z.Verts[tri[(k+1)%3]]
					return (float64(b.U)-float64(a.U))*(v-float64(a.V)) - (float64(b.V)-float64(a.V))*(u-float64(a.U))
				}
				if min(side(0), side(1), side(2)) >= 0 {
					want = append(want, int32(i))
				}
			}
			near = z.Over(near, u, v, func(k int32, h float64, walkable bool) {
				got = append(got, k)
				tri := z.Tris[k]
				low := min(z.Verts[tri[0]].H, z.Verts[tri[1]].H, z.Verts[tri[2]].H)
				high := max(z.Verts[tri[0]].H, z.Verts[tri[1]].H, z.Verts[tri[2]].H)
				if h < float64(low)-1e-6 || h > float64(high)+1e-6 {
					t.Fatalf("height %v of triangle %d, which goes from %v to %v", h, k, low, high)
				}
				if walkable != z.Walkable[k] {
					t.Fatalf("triangle %d walkable %v, want %v", k, walkable, z.Walkable[k])
				}
			})
			if !slices.Equal(got, want) {
				t.Fatalf("over %v, %v: %v, want %v", u, v, got, want)
			}
		}
	})
}

func TestBoxesThatHoldNothing(t *testing.T) {
	z := clean(t, mesh(square4, [3]uint32{0, 1, 2}, [3]uint32{0, 2, 3}))
	nan, inf := math.NaN(), math.Inf(1)
	for _, box := range []Box{{nan, 0, 1, 1}, {0, nan, 1, 1}, {0, 0, nan, 1}, {0, 0, 1, nan}, {99, 0, 0, 1}, {0, 99, 1, 0}} {
		if got := z.Near(nil, box); len(got) != 0 {
			t.Errorf("near %v: %v", box, got)
		}
		if got := z.BoundaryEdges(nil, box); len(got) != 0 {
			t.Errorf("edges near %v: %v", box, got)
		}
	}
	if got := z.Near(nil, Box{-inf, -inf, inf, inf}); !slices.Equal(got, []int32{0, 1}) {
		t.Errorf("near everything: %v", got)
	}
}
