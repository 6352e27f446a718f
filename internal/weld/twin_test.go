package weld

import (
	"cmp"
	"context"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"wend/geom"
)

// points draws points that are often equal, close, or over each other. Numbers
// are multiples of a quarter of the tolerances, which are powers of two, so that
// what is exactly as far as a tolerance occurs and is exact.
func points(t *rapid.T, o Options, n int) []geom.Vec3 {
	span := rapid.IntRange(4, 60).Draw(t, "span")
	c := rapid.IntRange(-span, span)
	out := make([]geom.Vec3, n)
	for i := range out {
		out[i] = geom.V3(
			float64(c.Draw(t, "x"))*o.Tol/4,
			float64(c.Draw(t, "y"))*o.HeightTol/4,
			float64(c.Draw(t, "z"))*o.Tol/4,
		)
	}
	return out
}

var exact = Options{Tol: 1.0 / 64, HeightTol: 1.0 / 8}

// within is the rule for corners.
func within(p, q geom.Vec3, o Options) bool {
	return math.Hypot(p.X-q.X, p.Z-q.Z) <= o.Tol && math.Abs(p.Y-q.Y) <= o.HeightTol
}

func TestCornersAgainstTheRule(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 3 * rapid.IntRange(1, 40).Draw(t, "triangles")
		verts := points(t, exact, n)
		tris := make([][3]uint32, n/3)
		for i := range tris {
			tris[i] = [3]uint32{uint32(3 * i), uint32(3*i + 1), uint32(3*i + 2)}
		}
		var r Result
		moved, err := r.corners(context.Background(), verts, tris, exact)
		if err != nil {
			t.Fatal(err)
		}

		sorted := slices.Clone(verts)
		slices.SortFunc(sorted, func(a, b geom.Vec3) int {
			return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z), cmp.Compare(a.Y, b.Y))
		})
		var want []geom.Vec3
		for _, p := range sorted {
			if !slices.ContainsFunc(want, func(q geom.Vec3) bool { return within(p, q, exact) }) {
				want = append(want, p)
			}
		}
		if !slices.Equal(r.Verts, want) {
			t.Fatalf("vertices %v, want %v", r.Verts, want)
		}
		if r.Welded != n-len(want) {
			t.Fatalf("%d welded, want %d", r.Welded, n-len(want))
		}
		for i, p := range verts {
			to := r.Verts[moved[i]]
			if !within(p, to, exact) {
				t.Fatalf("%v moved to %v", p, to)
			}
			d, _ := exact.apart(p, to)
			for _, q := range want {
				if e, ok := exact.apart(p, q); ok && e < d {
					t.Fatalf("%v moved to %v, and %v is nearer", p, to, q)
				}
			}
		}
	})
}

func TestVerticesOnEdgesAgainstAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		verts := points(t, exact, rapid.IntRange(2, 120).Draw(t, "n"))
		tree := newTree(verts)
		p, q := verts[0], verts[1]
		var want []on
		for i, v := range verts {
			if along, off, ok := exact.lies(v, p, q); ok {
				want = append(want, on{uint32(i), along, off})
			}
		}
		got := tree.on(nil, p, q, &exact)
		slices.SortFunc(got, func(a, b on) int { return cmp.Compare(a.vert, b.vert) })
		if !slices.Equal(got, want) {
			t.Fatalf("on %v-%v: %v, want %v", p, q, got, want)
		}
	})
}

// TestLies is the rule in numbers.
func TestLies(t *testing.T) {
	o := Options{Tol: 0.25, HeightTol: 0.5}
	p, q := geom.V3(0, 0, 0), geom.V3(8, 4, 0)
	for _, c := range []struct {
		v    geom.Vec3
		want bool
	}{
		{geom.V3(4, 2, 0), true},
		{geom.V3(4, 2.5, 0.25), true},
		{geom.V3(4, 2.625, 0), false},    // too high
		{geom.V3(4, 0, 0), false},        // a storey below
		{geom.V3(4, 2, 0.375), false},    // beside
		{geom.V3(0.25, 0, 0), true},      // the foot exactly Tol from the end
		{geom.V3(0.125, 0, 0.25), false}, // nearer
		{p, false},
		{q, false},
		{geom.V3(-1, 0, 0), false},
		{geom.V3(9, 4, 0), false},
	} {
		if _, _, ok := o.lies(c.v, p, q); ok != c.want {
			t.Errorf("%v: %v, want %v", c.v, ok, c.want)
		}
	}
	if _, _, ok := o.lies(geom.V3(0.25, 1, 0), geom.V3(0, 0, 0), geom.V3(0.5, 2, 0)); ok {
		t.Error("an edge of twice the tolerance was split")
	}
	if _, _, ok := o.lies(geom.V3(0, 2, 0), geom.V3(0, 0, 0), geom.V3(0, 4, 0)); ok {
		t.Error("an upright edge was split")
	}
}

func TestHalve(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		verts := make([]geom.Vec3, n)
		for i := range verts {
			verts[i].Y = float64(rapid.IntRange(0, n).Draw(t, "y"))
		}
		s := make([]uint32, n)
		for i := range s {
			s[i] = uint32(i)
		}
		k := rapid.IntRange(0, n).Draw(t, "k")
		halve(s, k, verts, 1)
		for _, a := range s[:k] {
			for _, b := range s[k:] {
				if verts[a].Y > verts[b].Y {
					t.Fatalf("%v before %v", verts[a].Y, verts[b].Y)
				}
			}
		}
		slices.Sort(s)
		for i, v := range s {
			if v != uint32(i) {
				t.Fatal("a vertex is lost")
			}
		}
	})
}
