package navmesh

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wend/geom"
)

// yard is a rectangle with rectangular blocks in it, all on a lattice.
type yard struct {
	w, h   int
	blocks [][4]int // x0, z0, x1, z1
}

// plan cuts what is free into slabs between the blocks' sides, cells that go
// on from slab to slab being joined; splits turns some cells into triangles. The
// lattice is laid out along the direction (c, s), so that with (4, 3) lines are
// not parallel to an axis and every vertex is exact.
func (y *yard) plan(c, s float64, splits func(i int) bool) *plan {
	xs := []int{0, y.w}
	for _, b := range y.blocks {
		xs = append(xs, max(b[0], 0), min(b[2], y.w))
	}
	slices.Sort(xs)
	xs = slices.Compact(xs)
	type cell struct{ x0, z0, x1, z1 int }
	var done, open []cell
	for i := 1; i < len(xs); i++ {
		x0, x1 := xs[i-1], xs[i]
		var cuts [][2]int
		for _, b := range y.blocks {
			if b[0] <= x0 && b[2] >= x1 {
				cuts = append(cuts, [2]int{max(b[1], 0), min(b[3], y.h)})
			}
		}
		slices.SortFunc(cuts, func(a, b [2]int) int { return a[0] - b[0] })
		var slab []cell
		z := 0
		for _, cut := range append(cuts, [2]int{y.h, y.h}) {
			if cut[0] > z {
				n := cell{x0, z, x1, cut[0]}
				if k := slices.IndexFunc(open, func(o cell) bool { return o.x1 == x0 && o.z0 == n.z0 && o.z1 == n.z1 }); k >= 0 {
					n.x0 = open[k].x0
					open = slices.Delete(open, k, k+1)
				}
				slab = append(slab, n)
			}
			z = max(z, cut[1])
		}
		done = append(done, open...)
		open = slab
	}
	p := &plan{}
	for i, n := range append(done, open...) {
		vs := box(float64(n.x0), float64(n.z0), float64(n.x1), float64(n.z1))
		for k, v := range vs {
			vs[k] = turned(v, c, s)
		}
		if splits(i) {
			p.polys = append(p.polys, vs[:3], []geom.Vec3{vs[2], vs[3], vs[0]})
		} else {
			p.polys = append(p.polys, vs)
		}
	}
	return p
}

func turned(v geom.Vec3, c, s float64) geom.Vec3 {
	return geom.Vec3{X: c*v.X - s*v.Z, Z: s*v.X + c*v.Z}
}

// free reports whether (x, z) is outside all blocks, their sides included.
func (y *yard) free(x, z float64) bool {
	for _, b := range y.blocks {
		if x > float64(b[0]) && x < float64(b[2]) && z > float64(b[1]) && z < float64(b[3]) {
			return false
		}
	}
	return true
}

// sees reports whether the segment keeps out of the blocks' insides.
func (y *yard) sees(a, b geom.Vec3) bool {
	for _, k := range y.blocks {
		// Clip the segment to the block; it must not have a length inside.
		lo, hi := 0.0, 1.0
		clip := func(p, q float64) { // p + t*q > 0
			switch {
			case q == 0:
				if p <= 0 {
					lo, hi = 1, 0
				}
			case q > 0:
				lo = max(lo, -p/q)
			default:
				hi = min(hi, -p/q)
			}
		}
		clip(a.X-float64(k[0]), b.X-a.X)
		clip(float64(k[2])-a.X, a.X-b.X)
		clip(a.Z-float64(k[1]), b.Z-a.Z)
		clip(float64(k[3])-a.Z, a.Z-b.Z)
		if lo < hi-1e-12 {
			return false
		}
	}
	return true
}

// shortest is Dijkstra's algorithm on the visibility graph of the corners;
// +Inf when there is no way.
func (y *yard) shortest(a, b geom.Vec3) float64 {
	at := []geom.Vec3{a, b}
	for _, k := range y.blocks {
		for _, v := range box(float64(k[0]), float64(k[1]), float64(k[2]), float64(k[3])) {
			if v.X >= 0 && v.Z >= 0 && v.X <= float64(y.w) && v.Z <= float64(y.h) && y.free(v.X, v.Z) {
				at = append(at, v)
			}
		}
	}
	dist := make([]float64, len(at))
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[0] = 0
	done := make([]bool, len(at))
	for range at {
		u := -1
		for i := range at {
			if !done[i] && (u < 0 || dist[i] < dist[u]) {
				u = i
			}
		}
		done[u] = true
		for v := range at {
			if d := dist[u] + geom.DistXZ(at[u], at[v]); !done[v] && d < dist[v] && y.sees(at[u], at[v]) {
				dist[v] = d
			}
		}
	}
	return dist[1]
}

// apart reports whether block b keeps a distance from the others and from the
// rim, or reaches over it: a way between two that touch exists for a point only.
func (y *yard) apart(b [4]int) bool {
	if b[0] == 0 || b[1] == 0 || b[2] == y.w || b[3] == y.h {
		return false
	}
	for _, o := range y.blocks {
		if b[0] <= o[2] && o[0] <= b[2] && b[1] <= o[3] && o[1] <= b[3] {
			return false
		}
	}
	return true
}

func TestPathsInYards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		y := &yard{w: rapid.IntRange(4, 24).Draw(t, "w"), h: rapid.IntRange(4, 24).Draw(t, "h")}
		for range rapid.IntRange(0, 12).Draw(t, "blocks") {
			x, z := rapid.IntRange(-1, y.w-1).Draw(t, "x"), rapid.IntRange(-1, y.h-1).Draw(t, "z")
			b := [4]int{x, z, x + rapid.IntRange(1, 8).Draw(t, "bw"), z + rapid.IntRange(1, 8).Draw(t, "bh")}
			if y.apart(b) {
				y.blocks = append(y.blocks, b)
			}
		}
		c, s := 1.0, 0.0
		if rapid.Bool().Draw(t, "turned") {
			c, s = 4, 3
		}
		scale := math.Hypot(c, s)
		splits := rapid.SliceOfN(rapid.Bool(), 64, 64).Draw(t, "splits")
		p := y.plan(c, s, func(i int) bool { return splits[i%64] })
		if len(p.polys) == 0 {
			return
		}
		m := p.mesh(tbOf{t: t})
		q := m.NewQuery()
		place := func(name string) (geom.Vec3, []Location) {
			// Half steps: on vertices, on edges and inside.
			v := geom.Vec3{
				X: float64(rapid.IntRange(0, 2*y.w).Draw(t, name+"x")) / 2,
				Z: float64(rapid.IntRange(0, 2*y.h).Draw(t, name+"z")) / 2,
			}
			var out []Location
			w := turned(v, c, s)
			for p := range PolyID(m.Len()) {
				if m.contains(p, w) {
					out = append(out, Location{p, w})
				}
			}
			return v, out
		}
		a, as := place("a")
		b, bs := place("b")
		if len(as) == 0 || len(bs) == 0 {
			return
		}
		want := y.shortest(a, b) * scale
		var exact, plain, back Path
		for _, from := range as {
			for _, to := range bs {
				if err := q.Path(context.Background(), from, to, nil, nil, &exact); err != nil {
					t.Fatal(err)
				}
				if !m.CanReach(from.Poly, to.Poly) {
					if exact.Outcome != Unreachable || !math.IsInf(want, 1) {
						t.Fatalf("%v to %v: %v, shortest %v", from, to, exact.Outcome, want)
					}
					continue
				}
				if exact.Outcome != Complete || math.Abs(exact.Length-want) > 1e-9*max(1, want) {
					t.Fatalf("%v to %v: %v, length %v, want %v\npath %v", from, to, exact.Outcome, exact.Length, want, exact.Points)
				}
				if err := checkTaut(q.search.corridor.turns, q.search.corridor.portals, 1e-9); err != nil {
					t.Fatal(err)
				}
				checkPath(tbOf{t: t}, m, from, to, &exact)
				if err := q.Path(context.Background(), to, from, nil, nil, &back); err != nil {
					t.Fatal(err)
				}
				if math.Abs(back.Length-exact.Length) > 1e-9*max(1, want) {
					t.Fatalf("%+v: %v to %v: %v there, %v back over %v, %v", y, from, to, exact.Length, back.Length, back.Points, p.polys)
				}
				if err := q.Path(context.Background(), from, to, nil, &PathOptions{Search: SearchCorridor}, &plain); err != nil {
					t.Fatal(err)
				}
				if plain.Outcome != Complete || plain.Length < want*(1-1e-12) {
					t.Fatalf("%+v: plain: %v, length %v, want at least %v, %v", y, plain.Outcome, plain.Length, want, plain.Points)
				}
				checkPath(tbOf{t: t}, m, from, to, &plain)
				if err := checkTaut(q.search.corridor.turns, q.search.corridor.portals, 1e-9); err != nil {
					t.Fatal(err)
				}
			}
		}
		// A ray is free as far as the straight line keeps out of the blocks,
		// whichever way it is cast.
		for _, from := range as {
			hit, err := q.Raycast(from, bs[0].Pos, nil)
			if err != nil {
				t.Fatal(err)
			}
			free := y.sees(a, b)
			if hit.Hit == free {
				t.Fatalf("ray %v to %v: %+v, free %v", from, bs[0].Pos, hit, free)
			}
			for _, to := range bs {
				rev, err := q.Raycast(to, from.Pos, nil)
				if err != nil {
					t.Fatal(err)
				}
				if rev.Hit != hit.Hit {
					t.Fatalf("ray %v to %v: hit %v there, %v back", from, to, hit.Hit, rev.Hit)
				}
			}
		}
	})
}

// tbOf lets helpers that take a testing.TB report to rapid.
type tbOf struct {
	testing.TB
	t *rapid.T
}

func (b tbOf) Helper()                           {}
func (b tbOf) Fatal(args ...any)                 { b.t.Fatal(args...) }
func (b tbOf) Fatalf(format string, args ...any) { b.t.Fatalf(format, args...) }

// scatter is a field with convex obstacles, cut into vertical slabs, as in
// the study of portal crossings: 800 by 450.
func scatter(rng *rand.Rand) *yard {
	y := &yard{w: 800, h: 450}
	for range 4 + rng.IntN(10) {
		x, z := rng.IntN(y.w-60), rng.IntN(y.h-60)
		b := [4]int{max(x, 1), max(z, 1), x + 20 + rng.IntN(180), z + 20 + rng.IntN(140)}
		b[2], b[3] = min(b[2], y.w-1), min(b[3], y.h-1)
		if y.apart(b) {
			y.blocks = append(y.blocks, b)
		}
	}
	return y
}

// The plain search finds the shortest path about as often as its rule for
// crossings has been found to: 94 of 100 times, at 0.23 % too much on average.
// Shortcuts make that better.
func TestPlainSearchQuality(t *testing.T) {
	maps := 40
	if os.Getenv("WEND_LONG") == "1" {
		maps = 400
	}
	rng := rand.New(rand.NewPCG(7, 11))
	paths, shortest, over10, sum := 0, 0, 0, 0.0
	for range maps {
		y := scatter(rng)
		m := y.plan(1, 0, func(int) bool { return false }).mesh(t)
		q := m.NewQuery()
		var exact, plain Path
		for n := 0; n < 20; {
			a := geom.Vec3{X: float64(rng.IntN(y.w)) + 0.25, Z: float64(rng.IntN(y.h)) + 0.25}
			b := geom.Vec3{X: float64(rng.IntN(y.w)) + 0.25, Z: float64(rng.IntN(y.h)) + 0.25}
			if !y.free(a.X, a.Z) || !y.free(b.X, b.Z) {
				continue
			}
			n++
			from, to := m.at(t, a.X, a.Z), m.at(t, b.X, b.Z)
			if err := q.Path(context.Background(), from, to, nil, nil, &exact); err != nil {
				t.Fatal(err)
			}
			if err := q.Path(context.Background(), from, to, nil, &PathOptions{Search: SearchCorridor}, &plain); err != nil {
				t.Fatal(err)
			}
			r := plain.Length / exact.Length
			if r < 1-1e-9 {
				t.Fatalf("%v to %v: plain %v, exact %v", a, b, plain.Length, exact.Length)
			}
			paths++
			sum += r - 1
			if r < 1+1e-9 {
				shortest++
			}
			if r > 1.1 {
				over10++
			}
		}
	}
	share, excess := float64(shortest)/float64(paths), sum/float64(paths)
	t.Logf("%d paths: %.1f %% shortest, %.3f %% too long on average, %d by over 10 %%", paths, 100*share, 100*excess, over10)
	if share < 0.94 || excess > 0.0023 {
		t.Errorf("%.1f %% shortest, %.3f %% too long: want 94 %% and 0.23 %%", 100*share, 100*excess)
	}
}
