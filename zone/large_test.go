package zone

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/bnav"
)

// strip is a row of triangles whose pack neighbours end at the given places,
// though links and corners go on.
func strip(n int, cuts ...int) *bnav.Content {
	verts := make([]bnav.Vertex, n+2)
	for i := range verts {
		verts[i] = bnav.Vertex{U: float32(i) / 2, V: float32(i % 2)}
	}
	tris := make([][3]uint32, n)
	for i := range tris {
		k := uint32(i)
		tris[i] = [3]uint32{k, k + 1, k + 2}
	}
	c := mesh(verts, tris...)
	for _, at := range cuts {
		for _, t := range []int{at - 1, at} {
			for k, o := range c.Triangles[t].N {
				if int(o) == at-1 || int(o) == at {
					c.Triangles[t].N[k] = -1
				}
			}
		}
	}
	return c
}

// A component is an island where more than half of it belongs to small natural
// pieces.
func TestIslands(t *testing.T) {
	for _, test := range []struct {
		n      int
		cuts   []int
		island bool
	}{
		{512, nil, true},
		{513, nil, false},
		{1025, []int{512}, false},       // 512 of 1025
		{1026, []int{512, 1025}, false}, // 513 of 1026: half
		{1027, []int{512, 1025}, true},  // 514 of 1027
	} {
		z := clean(t, strip(test.n, test.cuts...))
		for i := range z.Tris {
			if z.Component[i] != 0 || z.Island[i] != test.island {
				t.Errorf("%d cut at %v: triangle %d has component %d, island %t", test.n, test.cuts, i, z.Component[i], z.Island[i])
				break
			}
		}
	}
}

// field is a square of n by n cells of two triangles, 3 px wide, with corners
// shaken, and some of it not walkable or without links.
func field(n int) *bnav.Content {
	rnd := rand.New(rand.NewPCG(1, 1))
	verts := make([]bnav.Vertex, 0, (n+1)*(n+1))
	for j := range n + 1 {
		for i := range n + 1 {
			verts = append(verts, bnav.Vertex{U: 3*float32(i) + rnd.Float32() - 200, V: 3*float32(j) + rnd.Float32() - 300, H: 8 * rnd.Float32()})
		}
	}
	c := &bnav.Content{
		Zones:     []bnav.Zone{{ID: 1, Name: "town", TriCount: uint32(2 * n * n)}},
		Vertices:  verts,
		Triangles: make([]bnav.Triangle, 0, 2*n*n),
		Surfaces:  make([]bnav.Surface, 2*n*n),
		Links:     make([]bnav.Link, 0, 6*n*n),
	}
	for j := range n {
		for i := range n {
			cell := j*n + i
			beyond := func(there bool, t int) int32 {
				if !there {
					return -1
				}
				return int32(t)
			}
			a := uint32(j*(n+1) + i)
			b, d, e := a+1, a+uint32(n)+1, a+uint32(n)+2
			// a-b-e below the diagonal, a-e-d above it
			c.Triangles = append(c.Triangles, bnav.Triangle{
				V: [3]uint32{a, b, e},
				N: [3]int32{beyond(j > 0, 2*(cell-n)+1), beyond(i < n-1, 2*(cell+1)+1), int32(2*cell + 1)},
			}, bnav.Triangle{
				V: [3]uint32{a, e, d},
				N: [3]int32{int32(2 * cell), beyond(j < n-1, 2*(cell+n)), beyond(i > 0, 2*(cell-1))},
			})
		}
	}
	for t := range c.Triangles {
		c.Surfaces[t].Flags = 1
		if rnd.IntN(50) == 0 {
			c.Surfaces[t].Flags = 2
		}
		near := c.Triangles[t].N
		slices.Sort(near[:])
		for _, o := range near {
			if o >= 0 && rnd.IntN(50) > 0 {
				c.Links = append(c.Links, bnav.Link{Source: uint32(t), Target: uint32(o)})
			}
		}
	}
	return c
}

func TestWorkersDoNotShow(t *testing.T) {
	c := field(140) // 39 200 triangles: several stretches for each worker
	first := clean(t, c)
	if n := slices.Max(first.Component); n < 1000 {
		t.Fatalf("components up to %d: nothing was parted", n)
	}
	for _, workers := range []int{0, 2, 3, 1 << 30} {
		z, err := Clean(context.Background(), c, 0, workers)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(z.Boundary, first.Boundary) || !slices.Equal(z.Component, first.Component) || !slices.Equal(z.Island, first.Island) {
			t.Errorf("%d workers: another zone", workers)
		}
	}
}

// In a field whole triangles are walkable or not and links go missing one way:
// the boundary is what the pack's own neighbours say.
func TestBoundaryOfAField(t *testing.T) {
	c := field(60)
	z := clean(t, c)
	linked := map[bnav.Link]bool{}
	for _, l := range c.Links {
		linked[l] = true
	}
	for i, tri := range c.Triangles {
		for k, o := range tri.N {
			want := o < 0 || !c.Walkable(i) || !c.Walkable(int(o)) ||
				!linked[bnav.Link{Source: min(uint32(i), uint32(o)), Target: max(uint32(i), uint32(o))}]
			if got := z.Boundary[i]>>k&1 == 1; got != want {
				t.Fatalf("triangle %d edge %d: boundary %t, want %t", i, k, got, want)
			}
		}
	}
}

// A corner that all triangles share must not cost the square of their number.
func TestCrowdedCorner(t *testing.T) {
	const n = 200_000
	c := &bnav.Content{
		Zones:     []bnav.Zone{{ID: 1, Name: "town", TriCount: n}},
		Vertices:  make([]bnav.Vertex, n+2),
		Triangles: make([]bnav.Triangle, n),
	}
	for i := range c.Vertices[1:] {
		c.Vertices[i+1] = bnav.Vertex{U: 1, V: float32(i)}
	}
	for i := range c.Triangles {
		k := uint32(i)
		c.Triangles[i] = bnav.Triangle{V: [3]uint32{0, k + 1, k + 2}, N: [3]int32{-1, -1, -1}}
		c.Links = append(c.Links, bnav.Link{Source: k, Target: min(k+1, n-1)})
	}
	z := clean(t, c)
	if z.Component[n-1] != 0 {
		t.Errorf("component %d, want 0", z.Component[n-1])
	}
}

// Triangles as large as the plane must not fill lists without end.
func TestHugeTriangles(t *testing.T) {
	const far = MaxPlane - 1
	verts := []bnav.Vertex{{U: -far, V: -far}, {U: far, V: -far}, {U: 0, V: far}}
	c := mesh(verts, slices.Repeat([][3]uint32{{0, 1, 2}}, 2000)...)
	z := clean(t, c)
	if got := z.Near(nil, Box{5, 5, 6, 6}); len(got) != 2000 {
		t.Errorf("%d triangles near the middle, want 2000", len(got))
	}
	if n := len(z.buckets.tri) + len(z.buckets.start); n > 3<<20 {
		t.Errorf("%d entries", n)
	}
}

func BenchmarkClean(b *testing.B) {
	c := field(708) // 1 002 528 triangles
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Clean(context.Background(), c, 0, workers); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(c.Triangles)*b.N)/b.Elapsed().Seconds(), "tris/s")
		})
	}
}
