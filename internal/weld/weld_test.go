package weld

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/geom"
)

// board is n by n unit squares at a height, without a shared corner; every odd
// row is shifted by half a square, so that corners meet edges.
func board(n int, y float64) (verts []geom.Vec3, tris [][3]uint32) {
	for j := range n {
		for i := range n {
			x := float64(i) + float64(j%2)/2
			z := float64(j)
			p := [4]geom.Vec3{geom.V3(x, y, z), geom.V3(x, y, z+1), geom.V3(x+1, y, z+1), geom.V3(x+1, y, z)}
			for _, k := range [2][3]int{{0, 1, 2}, {0, 2, 3}} {
				base := uint32(len(verts))
				verts = append(verts, p[k[0]], p[k[1]], p[k[2]])
				tris = append(tris, [3]uint32{base, base + 1, base + 2})
			}
		}
	}
	return verts, tris
}

// pieces counts the sets of triangles that shared edges join.
func pieces(r *Result) int {
	parent := make([]int, len(r.Tris))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	edges := map[[2]uint32]int{}
	for t, tri := range r.Tris {
		for k := range 3 {
			a, b := tri[k], tri[(k+1)%3]
			key := [2]uint32{min(a, b), max(a, b)}
			if o, ok := edges[key]; ok {
				parent[find(t)] = find(o)
			}
			edges[key] = t
		}
	}
	n := 0
	for i := range parent {
		if find(i) == i {
			n++
		}
	}
	return n
}

// area sums the signed areas seen from above.
func area(verts []geom.Vec3, tris [][3]uint32) float64 {
	sum := 0.0
	for _, t := range tris {
		p, q, r := verts[t[0]], verts[t[1]], verts[t[2]]
		sum += ((q.X-p.X)*(r.Z-p.Z) - (q.Z-p.Z)*(r.X-p.X)) / 2
	}
	return sum
}

var loose = Options{Tol: 1e-3, HeightTol: 0.1}

func TestShiftedBoardBecomesOnePiece(t *testing.T) {
	verts, tris := board(3, 1)
	r, err := Weld(context.Background(), verts, tris, loose)
	if err != nil {
		t.Fatal(err)
	}
	if n := pieces(r); n != 1 {
		t.Errorf("%d pieces, want 1", n)
	}
	if got, want := area(r.Verts, r.Tris), area(verts, tris); math.Abs(got-want) > 1e-9 {
		t.Errorf("area %v, was %v", got, want)
	}
	if len(r.NonManifold) != 0 || len(r.Dropped) != 0 {
		t.Errorf("non-manifold %v, dropped %v", r.NonManifold, r.Dropped)
	}
	// Two lines where rows meet, with three edges on either side, each split
	// in the middle.
	if r.Split != 12 {
		t.Errorf("%d split edges, want 12", r.Split)
	}
}

func TestStoreysStayApart(t *testing.T) {
	v1, t1 := board(3, 0)
	v2, t2 := board(3, 0.5)
	for i := range t2 {
		for k := range 3 {
			t2[i][k] += uint32(len(v1))
		}
	}
	r, err := Weld(context.Background(), append(v1, v2...), append(t1, t2...), loose)
	if err != nil {
		t.Fatal(err)
	}
	if n := pieces(r); n != 2 {
		t.Errorf("%d pieces, want 2", n)
	}
}

func TestOrderDoesNotShow(t *testing.T) {
	verts, tris := board(6, 0)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range verts {
		verts[i].X += (rnd.Float64() - 0.5) * 4e-4
		verts[i].Z += (rnd.Float64() - 0.5) * 4e-4
		verts[i].Y += (rnd.Float64() - 0.5) * 0.04
	}
	shape := func(r *Result) [][3]geom.Vec3 {
		var out [][3]geom.Vec3
		for _, t := range r.Tris {
			k := 0
			for i := range 3 {
				if t[i] < t[k] {
					k = i
				}
			}
			out = append(out, [3]geom.Vec3{r.Verts[t[k]], r.Verts[t[(k+1)%3]], r.Verts[t[(k+2)%3]]})
		}
		slices.SortFunc(out, func(a, b [3]geom.Vec3) int {
			for i := range 3 {
				for _, d := range [3]float64{a[i].X - b[i].X, a[i].Z - b[i].Z, a[i].Y - b[i].Y} {
					if d < 0 {
						return -1
					} else if d > 0 {
						return 1
					}
				}
			}
			return 0
		})
		return out
	}
	first, err := Weld(context.Background(), verts, tris, loose)
	if err != nil {
		t.Fatal(err)
	}
	if n := pieces(first); n != 1 {
		t.Errorf("%d pieces, want 1", n)
	}
	for range 5 {
		rnd.Shuffle(len(tris), func(i, j int) { tris[i], tris[j] = tris[j], tris[i] })
		for i := range tris {
			if k := rnd.IntN(3); k > 0 {
				v := tris[i]
				tris[i] = [3]uint32{v[k], v[(k+1)%3], v[(k+2)%3]}
			}
		}
		r, err := Weld(context.Background(), verts, tris, loose)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(shape(r), shape(first)) {
			t.Fatal("another order of triangles gives another shape")
		}
	}
}

func TestFaultsHaveNames(t *testing.T) {
	ctx := context.Background()
	tri := [][3]uint32{{0, 1, 2}}
	v := []geom.Vec3{{}, {X: 1}, {Z: 1}}
	for name, run := range map[string]func() error{
		"nan":       func() error { _, err := Weld(ctx, []geom.Vec3{{}, {X: math.NaN()}, {Z: 1}}, tri, loose); return err },
		"corner":    func() error { _, err := Weld(ctx, v[:2], tri, loose); return err },
		"tolerance": func() error { _, err := Weld(ctx, v, tri, Options{Tol: 0, HeightTol: 1}); return err },
	} {
		if _, ok := run().(*ValueError); !ok {
			t.Errorf("%s: %v, want a *ValueError", name, run())
		}
	}
	r, err := Weld(ctx, v, [][3]uint32{{0, 1, 2}, {1, 2, 0}, {0, 0, 1}}, loose)
	if err != nil || len(r.Tris) != 1 || !slices.Equal(r.Dropped, []uint32{1, 2}) {
		t.Errorf("double triangles: %v, %+v", err, r)
	}
}

func BenchmarkWeld(b *testing.B) {
	for _, n := range []int{100, 700} { // 20 thousand triangles, and a million
		verts, tris := board(n, 0)
		b.Run(fmt.Sprint(len(tris)), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Weld(context.Background(), verts, tris, loose); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(tris)*b.N)/b.Elapsed().Seconds(), "tris/s")
		})
	}
}
