package weld

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
	"wend/geom"
)

// rect is a rectangle of whole numbers.
type rect struct{ x0, z0, x1, z1 int }

// divide cuts a rectangle at random down to pieces that meet in T-shapes.
func divide(t *rapid.T, r rect, depth int) []rect {
	dx, dz := r.x1-r.x0, r.z1-r.z0
	if depth == 0 || dx < 2 && dz < 2 || rapid.IntRange(0, 5).Draw(t, "stop") == 0 {
		return []rect{r}
	}
	if dx >= 2 && (dz < 2 || rapid.Bool().Draw(t, "across")) {
		m := rapid.IntRange(r.x0+1, r.x1-1).Draw(t, "x")
		return append(divide(t, rect{r.x0, r.z0, m, r.z1}, depth-1), divide(t, rect{m, r.z0, r.x1, r.z1}, depth-1)...)
	}
	m := rapid.IntRange(r.z0+1, r.z1-1).Draw(t, "z")
	return append(divide(t, rect{r.x0, r.z0, r.x1, m}, depth-1), divide(t, rect{r.x0, m, r.x1, r.z1}, depth-1)...)
}

// soup makes two triangles of each rectangle, with corners of their own, on a
// slope, and each corner off by up to a part of the tolerances.
func soup(rects []rect, o Options, part float64, seed uint64) (verts []geom.Vec3, tris [][3]uint32) {
	rnd := rand.New(rand.NewPCG(seed, 1))
	off := func(tol float64) float64 { return (2*rnd.Float64() - 1) * part * tol }
	for _, r := range rects {
		p := [4][2]int{{r.x0, r.z0}, {r.x0, r.z1}, {r.x1, r.z1}, {r.x1, r.z0}}
		order := [2][3]int{{0, 1, 2}, {0, 2, 3}}
		if rnd.IntN(2) == 0 {
			order = [2][3]int{{1, 2, 3}, {1, 3, 0}}
		}
		for _, k := range order {
			n := uint32(len(verts))
			for _, i := range k {
				x, z := float64(p[i][0]), float64(p[i][1])
				verts = append(verts, geom.V3(x+off(o.Tol), x/4-z/8+off(o.HeightTol), z+off(o.Tol)))
			}
			tris = append(tris, [3]uint32{n, n + 1, n + 2})
		}
	}
	return verts, tris
}

// sides counts how often each edge occurs in each direction.
func sides(r *Result) map[[2]uint32]int {
	m := map[[2]uint32]int{}
	for _, t := range r.Tris {
		for k := range 3 {
			m[[2]uint32{t[k], t[(k+1)%3]}]++
		}
	}
	return m
}

// watertight checks that a result is one sheet over a rectangle: inner edges have
// a triangle on either side, all triangles face the same way, and the counts
// are those of a disc. Such a sheet has no overlaps.
func watertight(t *rapid.T, r *Result, in rect, slack float64) {
	m := sides(r)
	edges, border := 0, 0
	for e, n := range m {
		if n > 1 {
			t.Fatalf("edge %v occurs %d times", e, n)
		}
		if m[[2]uint32{e[1], e[0]}] == 0 {
			border++
			edges++
			p, q := r.Verts[e[0]], r.Verts[e[1]]
			at := func(a, b float64, side int) bool {
				return math.Abs(a-float64(side)) <= slack && math.Abs(b-float64(side)) <= slack
			}
			if !at(p.X, q.X, in.x0) && !at(p.X, q.X, in.x1) && !at(p.Z, q.Z, in.z0) && !at(p.Z, q.Z, in.z1) {
				t.Fatalf("the sheet is open between %v and %v", p, q)
			}
		} else if e[0] < e[1] {
			edges++
		}
	}
	if euler := len(r.Verts) - edges + len(r.Tris); euler != 1 {
		t.Fatalf("%d vertices - %d edges + %d triangles = %d, want 1", len(r.Verts), edges, len(r.Tris), euler)
	}
	for _, tri := range r.Tris {
		if !(area2(r.Verts, tri) < 0) {
			t.Fatalf("triangle %v is turned over or has no area", tri)
		}
	}
}

func TestDividedRectangleBecomesASheet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rect{0, 0, rapid.IntRange(1, 32).Draw(t, "x"), rapid.IntRange(1, 32).Draw(t, "z")}
		o := Options{Tol: 1.0 / 64, HeightTol: 1.0 / 8}
		verts, tris := soup(divide(t, in, 6), o, 0, rapid.Uint64().Draw(t, "seed"))
		r, err := Weld(context.Background(), verts, tris, o)
		if err != nil {
			t.Fatal(err)
		}
		watertight(t, r, in, 0)
		// All numbers are short binary fractions: the area is exactly the same.
		if got, want := area(r.Verts, r.Tris), -float64(in.x1*in.z1); got != want {
			t.Fatalf("area %v, want %v", got, want)
		}
		if len(r.Dropped) != 0 || len(r.NonManifold) != 0 || r.Folded != 0 || pieces(r) != 1 {
			t.Fatalf("dropped %v, non-manifold %v, folded %d, %d pieces", r.Dropped, r.NonManifold, r.Folded, pieces(r))
		}
		for i, s := range r.Source {
			if i > 0 && s < r.Source[i-1] {
				t.Fatal("sources are out of order")
			}
			// A piece lies within the triangle it is from.
			for _, v := range r.Tris[i] {
				if !inside(r.Verts[v], verts, tris[s]) {
					t.Fatalf("corner %v is not in source %d", r.Verts[v], s)
				}
			}
		}
	})
}

func inside(p geom.Vec3, verts []geom.Vec3, t [3]uint32) bool {
	all := append(slices.Clone(verts), p)
	n := uint32(len(verts))
	for k := range 3 {
		if area2(all, [3]uint32{t[k], t[(k+1)%3], n}) > 0 {
			return false
		}
	}
	return true
}

// turn turns points about the origin, seen from above.
func turn(verts []geom.Vec3, angle float64) {
	sin, cos := math.Sincos(angle)
	for i, v := range verts {
		verts[i].X, verts[i].Z = v.X*cos-v.Z*sin, v.X*sin+v.Z*cos
	}
}

// Corners that should be one are up to a third of a tolerance off along each
// axis, which is at most 0.94 tolerances from each other.
func TestShakenRectangleBecomesASheet(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rect{0, 0, rapid.IntRange(1, 24).Draw(t, "x"), rapid.IntRange(1, 24).Draw(t, "z")}
		o := Options{Tol: 0.01, HeightTol: 0.1}
		verts, tris := soup(divide(t, in, 6), o, 0.33, rapid.Uint64().Draw(t, "seed"))
		angle := rapid.Float64Range(0, 6).Draw(t, "angle")
		turn(verts, angle)
		r, err := Weld(context.Background(), verts, tris, o)
		if err != nil {
			t.Fatal(err)
		}
		turn(r.Verts, -angle)
		watertight(t, r, in, o.Tol)
		edge := 2 * float64(in.x1+in.z1) * o.Tol
		if got, want := area(r.Verts, r.Tris), -float64(in.x1*in.z1); math.Abs(got-want) > edge {
			t.Fatalf("area %v, want %v", got, want)
		}
	})
}

// TestNoise throws anything in: what comes out obeys the rules of a result.
func TestNoise(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		verts := points(t, exact, rapid.IntRange(3, 40).Draw(t, "n"))
		tris := make([][3]uint32, rapid.IntRange(1, 60).Draw(t, "triangles"))
		for i := range tris {
			for k := range 3 {
				tris[i][k] = uint32(rapid.IntRange(0, len(verts)-1).Draw(t, "corner"))
			}
		}
		r, err := Weld(context.Background(), verts, tris, exact)
		if err != nil {
			t.Fatal(err)
		}
		left := map[uint32]bool{}
		for _, s := range r.Source {
			left[s] = true
		}
		for _, s := range r.Dropped {
			if left[s] {
				t.Fatalf("source %d is dropped and there", s)
			}
			left[s] = true
		}
		if len(left) != len(tris) || len(r.Source) != len(r.Tris) {
			t.Fatalf("%d of %d sources accounted for, %d sources of %d triangles", len(left), len(tris), len(r.Source), len(r.Tris))
		}
		seen := map[[3]uint32]bool{}
		count := map[[2]uint32][2]int{}
		for _, v := range r.Tris {
			key := v
			slices.Sort(key[:])
			if key[0] == key[1] || key[1] == key[2] || seen[key] {
				t.Fatalf("triangle %v", v)
			}
			seen[key] = true
			for k := range 3 {
				a, b := v[k], v[(k+1)%3]
				c := count[[2]uint32{min(a, b), max(a, b)}]
				if a < b {
					c[0]++
				} else {
					c[1]++
				}
				count[[2]uint32{min(a, b), max(a, b)}] = c
			}
		}
		var bad [][2]uint32
		for e, c := range count {
			if c[0] > 1 || c[1] > 1 {
				bad = append(bad, e)
			}
		}
		slices.SortFunc(bad, func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) })
		if !slices.Equal(bad, r.NonManifold) {
			t.Fatalf("non-manifold %v, want %v", r.NonManifold, bad)
		}
	})
}
