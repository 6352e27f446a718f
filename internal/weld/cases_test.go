package weld

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"pgregory.net/rapid"
	"wend/geom"
)

func weldAll(t testing.TB, verts []geom.Vec3, tris [][3]uint32, o Options) *Result {
	t.Helper()
	r, err := Weld(context.Background(), verts, tris, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// one appends a triangle with corners of its own.
func one(verts *[]geom.Vec3, tris *[][3]uint32, a, b, c geom.Vec3) {
	n := uint32(len(*verts))
	*verts = append(*verts, a, b, c)
	*tris = append(*tris, [3]uint32{n, n + 1, n + 2})
}

// strip is a band between two lines along X, cut at the given places on
// either side; in between a zigzag of triangles with corners of their own.
func strip(verts *[]geom.Vec3, tris *[][3]uint32, low, high []geom.Vec3) {
	i, j := 0, 0
	for i+1 < len(low) || j+1 < len(high) {
		if j+1 == len(high) || i+1 < len(low) && low[i+1].X < high[j+1].X {
			one(verts, tris, low[i], high[j], low[i+1])
			i++
		} else {
			one(verts, tris, low[i], high[j], high[j+1])
			j++
		}
	}
}

// Two tiles meet at a line, each with its own corners on it and heights that
// differ by some centimetres.
func TestTilesMeetAtALine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Tol: 0.001, HeightTol: 0.1}
		line := func(z float64, n int, wave float64) []geom.Vec3 {
			out := []geom.Vec3{geom.V3(0, 1, z)}
			for i := 1; i < n; i++ {
				x := 10 * (float64(i) + rapid.Float64Range(-0.3, 0.3).Draw(t, "x")) / float64(n)
				out = append(out, geom.V3(x, 1+wave*rapid.Float64Range(-1, 1).Draw(t, "y"), z))
			}
			return append(out, geom.V3(10, 1, z))
		}
		var verts []geom.Vec3
		var tris [][3]uint32
		n := rapid.IntRange(1, 12)
		strip(&verts, &tris, line(0, n.Draw(t, "n"), 0), line(4, n.Draw(t, "n"), 0.02))
		strip(&verts, &tris, line(4, n.Draw(t, "n"), 0.02), line(8, n.Draw(t, "n"), 0))
		r, err := Weld(context.Background(), verts, tris, o)
		if err != nil {
			t.Fatal(err)
		}
		if n := pieces(r); n != 1 {
			t.Fatalf("%d pieces", n)
		}
		if len(r.NonManifold) != 0 || r.Folded != 0 {
			t.Fatalf("non-manifold %v, folded %d", r.NonManifold, r.Folded)
		}
		if got := area(r.Verts, r.Tris); math.Abs(got+80) > 0.1 {
			t.Fatalf("area %v, want -80", got)
		}
		edges := sides(r)
		for e := range edges {
			p, q := r.Verts[e[0]], r.Verts[e[1]]
			if _, ok := edges[[2]uint32{e[1], e[0]}]; !ok && p.Z == 4 && q.Z == 4 {
				t.Fatalf("open along the line between %v and %v", p, q)
			}
		}
	})
}

// Bands as narrow as a few tolerances, with shaken corners on both sides: no
// triangle that can be seen is turned over or lies on another.
func TestNarrowBands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Tol: 0.01, HeightTol: 0.1}
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		part := rapid.Float64Range(0, 0.45).Draw(t, "part")
		line := func(z float64) []geom.Vec3 {
			n := 1 + rnd.IntN(10)
			var out []geom.Vec3
			for i := range n + 1 {
				x := float64(i) / float64(n)
				out = append(out, geom.V3(x+part*o.Tol*(2*rnd.Float64()-1), 0, z+part*o.Tol*(2*rnd.Float64()-1)))
			}
			return out
		}
		var verts []geom.Vec3
		var tris [][3]uint32
		z := 0.0
		for range rapid.IntRange(1, 8).Draw(t, "bands") {
			width := o.Tol * rapid.Float64Range(1.5, 6).Draw(t, "width")
			strip(&verts, &tris, line(z), line(z+width))
			z += width
		}
		r, err := Weld(context.Background(), verts, tris, o)
		if err != nil {
			t.Fatal(err)
		}
		w := splitter{o: o, r: r}
		for i, v := range r.Tris {
			a := area2(r.Verts, v)
			if !w.steep(v, a) && a > 0 && area2(verts, tris[r.Source[i]]) < 0 {
				t.Fatalf("triangle %d is turned over", i)
			}
		}
	})
}

// A wall stands on the floor, and a ramp of 10 degrees ends at it: upright
// triangles are kept and joined like others.
func TestUprightTriangles(t *testing.T) {
	var verts []geom.Vec3
	var tris [][3]uint32
	one(&verts, &tris, geom.V3(0, 0, 0), geom.V3(0, 0, 4), geom.V3(4, 0, 0))
	one(&verts, &tris, geom.V3(0, 0, 0), geom.V3(2, 0, 0), geom.V3(0, 3, 0))
	one(&verts, &tris, geom.V3(2, 0, 0), geom.V3(4, 0, 0), geom.V3(0, 3, 0))
	r := weldAll(t, verts, tris, Options{Tol: 0.001, HeightTol: 0.1})
	if len(r.Tris) != 4 || len(r.Dropped) != 0 || r.Split != 1 || pieces(r) != 1 {
		t.Errorf("%d triangles, dropped %v, %d splits, %d pieces", len(r.Tris), r.Dropped, r.Split, pieces(r))
	}
}

// A sliver whose middle corner lies on its long edge is nothing; what is on
// either side of it meets.
func TestSliverIsNothing(t *testing.T) {
	var verts []geom.Vec3
	var tris [][3]uint32
	a, b, c := geom.V3(0, 0, 0), geom.V3(4, 0, 0), geom.V3(2, 0, 0.0005)
	one(&verts, &tris, a, c, b)
	one(&verts, &tris, a, b, geom.V3(2, 0, -2))
	one(&verts, &tris, a, geom.V3(2, 0, 2), c)
	one(&verts, &tris, c, geom.V3(2, 0, 2), b)
	r := weldAll(t, verts, tris, loose)
	if len(r.Dropped) != 1 || r.Dropped[0] != 0 || len(r.Tris) != 4 || pieces(r) != 1 || len(r.NonManifold) != 0 {
		t.Errorf("dropped %v, triangles %v from %v, %d pieces", r.Dropped, r.Tris, r.Source, pieces(r))
	}
}

// Three triangles at an edge, and two in the same direction at another.
func TestNonManifoldIsReported(t *testing.T) {
	var verts []geom.Vec3
	var tris [][3]uint32
	a, b := geom.V3(0, 0, 0), geom.V3(1, 0, 0)
	one(&verts, &tris, a, b, geom.V3(0, 0, 1))
	one(&verts, &tris, b, a, geom.V3(0, 0, -1))
	one(&verts, &tris, b, a, geom.V3(0, 5, -1))
	c, d := geom.V3(9, 0, 0), geom.V3(10, 0, 0)
	one(&verts, &tris, c, d, geom.V3(9, 0, 1))
	one(&verts, &tris, c, d, geom.V3(9, 0, -1))
	r := weldAll(t, verts, tris, loose)
	if len(r.NonManifold) != 2 {
		t.Fatalf("non-manifold %v, want two", r.NonManifold)
	}
	for i, want := range [][2]geom.Vec3{{a, b}, {c, d}} {
		e := r.NonManifold[i]
		if r.Verts[e[0]] != want[0] || r.Verts[e[1]] != want[1] {
			t.Errorf("edge %d is %v-%v, want %v", i, r.Verts[e[0]], r.Verts[e[1]], want)
		}
	}
}

// Half metres above each other, shaken: never one.
func TestManyStoreys(t *testing.T) {
	var verts []geom.Vec3
	var tris [][3]uint32
	for s := range 20 {
		v, f := board(4, float64(s)/2)
		for _, t := range f {
			tris = append(tris, [3]uint32{t[0] + uint32(len(verts)), t[1] + uint32(len(verts)), t[2] + uint32(len(verts))})
		}
		verts = append(verts, v...)
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range verts {
		verts[i].Y += 0.03 * (2*rnd.Float64() - 1)
	}
	r := weldAll(t, verts, tris, Options{Tol: 1e-3, HeightTol: 0.4})
	if n := pieces(r); n != 20 {
		t.Errorf("%d pieces, want 20", n)
	}
	for i, v := range r.Tris {
		for _, c := range v {
			if y := verts[tris[r.Source[i]][0]].Y; math.Abs(r.Verts[c].Y-y) > 0.1 {
				t.Fatalf("triangle of height %v got a corner at %v", y, r.Verts[c].Y)
			}
		}
	}
}

func TestMinusZero(t *testing.T) {
	m := math.Copysign(0, -1)
	r := weldAll(t, []geom.Vec3{geom.V3(m, m, m), geom.V3(0, 0, 1), geom.V3(1, 0, 0)}, [][3]uint32{{0, 1, 2}}, loose)
	if v := r.Verts[0]; math.Signbit(v.X) || math.Signbit(v.Y) || math.Signbit(v.Z) {
		t.Errorf("a vertex at %v", v)
	}
}

// Inputs made to be slow: all in one place of a wide level, a tower of corners,
// corners in steps of less than the tolerance, a great many vertices on a great
// many edges.
func TestNastyInputEnds(t *testing.T) {
	const n = 6000
	far := geom.V3(9e8, 0, 9e8)
	build := func(at func(i int) geom.Vec3) ([]geom.Vec3, [][3]uint32) {
		var verts []geom.Vec3
		var tris [][3]uint32
		for i := range n {
			p := at(i)
			one(&verts, &tris, p, p.Add(geom.V3(0, 0, 0.3)), p.Add(geom.V3(0.3, 0, 0)))
		}
		one(&verts, &tris, far, far.Add(geom.V3(0, 0, 5)), far.Add(geom.V3(5, 0, 0)))
		return verts, tris
	}
	rnd := rand.New(rand.NewPCG(5, 6))
	for name, at := range map[string]func(i int) geom.Vec3{
		"crowd": func(int) geom.Vec3 { return geom.V3(100*rnd.Float64(), 0, 100*rnd.Float64()) },
		"tower": func(i int) geom.Vec3 { return geom.V3(0, float64(i), 0) },
		"chain": func(i int) geom.Vec3 { return geom.V3(float64(i)*0.6e-3, 0, 0) },
		"same":  func(int) geom.Vec3 { return geom.V3(1, 2, 3) },
	} {
		verts, tris := build(at)
		start := time.Now()
		_, err := Weld(context.Background(), verts, tris, loose)
		var bad *ValueError // a chain of triangles lies on itself
		if err != nil && !(name == "chain" && errors.As(err, &bad)) {
			t.Errorf("%s: %v", name, err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s: %v for %d triangles", name, d, n)
		}
	}

	var verts []geom.Vec3
	var tris [][3]uint32
	for i := range n {
		x := float64(i) + 0.5
		one(&verts, &tris, geom.V3(x, 0, 0), geom.V3(x, 0, 1), geom.V3(x+0.1, 0, 1))
		one(&verts, &tris, geom.V3(-1, 0, 0), geom.V3(0, 0, -float64(i+1)), geom.V3(n+1, 0, 0))
	}
	_, err := Weld(context.Background(), verts, tris, loose)
	var bad *ValueError
	if !errors.As(err, &bad) {
		t.Errorf("%d vertices on %d edges: %v, want a *ValueError", n, n, err)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("enough")
	cancel(cause)
	verts, tris := board(3, 0)
	if _, err := Weld(ctx, verts, tris, loose); !errors.Is(err, cause) {
		t.Errorf("error %v, want the cause", err)
	}
}
