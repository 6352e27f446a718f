package zone

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wend/pack/bnav"
)

// floors are squares of 10 px over one another, two triangles each: lower right
// halves have even numbers.
func floors(heights ...float32) *bnav.Content {
	var verts []bnav.Vertex
	var tris [][3]uint32
	for _, h := range heights {
		a := uint32(len(verts))
		verts = append(verts, bnav.Vertex{H: h}, bnav.Vertex{U: 10, H: h}, bnav.Vertex{U: 10, V: 10, H: h}, bnav.Vertex{V: 10, H: h})
		tris = append(tris, [3]uint32{a, a + 1, a + 2}, [3]uint32{a, a + 2, a + 3})
	}
	return mesh(verts, tris...)
}

func TestSnap(t *testing.T) {
	c := floors(0, 13, 26)
	s := clean(t, c).NewSnapper()
	lower := func(floor int32) int32 { return 2 * floor }
	for _, test := range []struct {
		name string
		aim  Aim
		want int32 // -1 = nothing
		dist float64
	}{
		{"the highest of those that lie over one another", Aim{U: 6, V: 2, Radius: 8}, lower(2), 0},
		{"the floor's own", Aim{U: 6, V: 2, Radius: 8, Order: OnFloor, Height: 1}, lower(0), 0},
		{"within the band all are alike: then nearer in height", Aim{U: 6, V: 2, Radius: 8, Order: OnFloor, Height: 14}, lower(1), 0},
		{"the band is closed", Aim{U: 6, V: 2, Radius: 8, Order: OnFloor, Height: 38}, lower(2), 0},
		{"beyond all bands the nearest is still taken", Aim{U: 6, V: 2, Radius: 8, Order: OnFloor, Height: 500}, lower(2), 0},
		{"a deck", Aim{U: 6, V: 2, Radius: 8, Order: OnDeck, Height: 11}, lower(1), 0},
		{"no deck", Aim{U: 6, V: 2, Radius: 8, Order: OnDeck, Height: 7}, lower(1), 0},
		{"beside, within the radius", Aim{U: 13, V: 3, Radius: 8}, lower(2), 3},
		{"beyond the radius: second round", Aim{U: 22, V: 5, Radius: 8}, lower(2), 12},
		{"at the fallback", Aim{U: 26, V: 5, Radius: 8}, lower(2), 16},
		{"beyond it", Aim{U: 26.001, V: 5, Radius: 8}, -1, 0},
		{"a larger radius has one round", Aim{U: 30, V: 5, Radius: 20}, lower(2), 20},
		{"the radius is closed", Aim{U: 10.5, V: 5, Radius: 0.5, Order: OnFloor}, lower(0), 0.5},
		{"on the diagonal: the first", Aim{U: 5, V: 5, Radius: 8}, lower(2), 0},
		{"what is accepted", Aim{U: 6, V: 2, Radius: 8, Accept: func(t int32) bool { return t == lower(1) }}, lower(1), 0},
		{"nothing is accepted", Aim{U: 6, V: 2, Radius: 8, Accept: func(int32) bool { return false }}, -1, 0},
		{"not a number", Aim{U: math.NaN(), V: 2, Radius: 8}, -1, 0},
		{"infinite", Aim{U: math.Inf(1), V: 2, Radius: math.Inf(1)}, -1, 0},
		{"no radius: second round", Aim{U: 12, V: 2, Radius: -1}, lower(2), 2},
	} {
		got, ok := s.Snap(&test.aim)
		if ok != (test.want >= 0) || ok && (got.Triangle != test.want || got.Distance != test.dist) {
			t.Errorf("%s: %+v, %t; want triangle %d at %v", test.name, got, ok, test.want, test.dist)
		}
	}
}

// A triangle in the band wins over a nearer one beyond it.
func TestBandBeforeDistance(t *testing.T) {
	c := floors(0, 20)
	for i := range c.Vertices[4:] {
		c.Vertices[4+i].U += 12 // the upper floor stands beside the lower one
	}
	s := clean(t, c).NewSnapper()
	for _, test := range []struct {
		order  Order
		height float64
		want   int32
	}{{Highest, 0, 0}, {OnFloor, 20, 2}, {OnDeck, 18, 3}, {OnDeck, 10, 0}, {OnFloor, 9, 0}, {OnFloor, 13, 2}} {
		got, ok := s.Snap(&Aim{U: 9, V: 1, Radius: 8, Order: test.order, Height: test.height})
		if want := test.want; !ok || got.Triangle/2 != want/2 {
			t.Errorf("order %d at %v m: %+v, want floor %d", test.order, test.height, got, want/2)
		}
	}
}

// A wall seen from above is a line: beyond its ends it is far away.
func TestUprightTriangle(t *testing.T) {
	z := clean(t, mesh([]bnav.Vertex{{U: 0}, {U: 1, H: 3}, {U: 2}}, [3]uint32{0, 1, 2}))
	s := z.NewSnapper()
	if got, ok := s.Snap(&Aim{U: 7, Radius: 8}); !ok || got.Distance != 5 || got.U != 2 || got.Height != 1 {
		t.Errorf("%+v, %t", got, ok)
	}
}

// segment returns the distance of a point and a segment by ternary search.
func segment(u, v float64, p, q bnav.Vertex) float64 {
	at := func(t float64) float64 {
		return math.Hypot(u-float64(p.U)-t*float64(q.U-p.U), v-float64(p.V)-t*float64(q.V-p.V))
	}
	lo, hi := 0.0, 1.0
	for range 100 {
		a, b := lo+(hi-lo)/3, hi-(hi-lo)/3
		if at(a) < at(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return min(at(lo), at(0), at(1))
}

func TestSnapIsTheBestOfAll(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyMesh(t)
		z, err := Clean(context.Background(), c, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "mainland") {
			for i := range z.Island {
				z.Island[i] = rapid.Bool().Draw(t, "island")
			}
		}
		a := &Aim{
			U: float64(rapid.IntRange(-120, 120).Draw(t, "u2")) / 2, V: float64(rapid.IntRange(-120, 120).Draw(t, "v2")) / 2,
			Radius: float64(rapid.IntRange(0, 40).Draw(t, "r2")) / 2,
			Order:  Order(rapid.IntRange(0, 2).Draw(t, "order")),
			Height: float64(rapid.IntRange(-5, 35).Draw(t, "h")),
		}
		if rapid.Bool().Draw(t, "accept") {
			a.Accept = func(t int32) bool { return t%3 != 1 }
		}
		type cand struct {
			t    int32
			d, h float64
		}
		pick := func(radius float64) (all []cand) {
			for i, v := range z.Tris {
				if !z.Walkable[i] || a.Accept != nil && !a.Accept(int32(i)) {
					continue
				}
				p, q, r := z.Verts[v[0]], z.Verts[v[1]], z.Verts[v[2]]
				d := min(segment(a.U, a.V, p, q), segment(a.U, a.V, q, r), segment(a.U, a.V, r, p))
				if _, ok := z.HeightAt(int32(i), a.U, a.V); ok {
					d = 0
				}
				// Ties are by the last digit, so they are those of the zone.
				u, v := z.nearest(int32(i), a.U, a.V)
				own := math.Sqrt(square(a.U-u, a.V-v))
				if math.Abs(own-d) > 1e-6 {
					t.Fatalf("triangle %d is %v away, want %v", i, own, d)
				}
				if d = own; d <= radius {
					all = append(all, cand{int32(i), d, float64(p.H+q.H+r.H) / 3})
				}
			}
			return all
		}
		got, ok := z.NewSnapper().Snap(a)
		all := pick(a.Radius)
		if len(all) == 0 && a.Radius < 16 {
			all = pick(16)
		}
		if ok != (len(all) > 0) {
			t.Fatalf("found %t, %d candidates", ok, len(all))
		}
		if !ok {
			return
		}
		// The best by the definition of each order.
		better := func(x, y cand) bool { // x is better than y
			band, ix, iy := FloorBand, z.Island[x.t], z.Island[y.t]
			ox, oy := math.Abs(x.h-a.Height), math.Abs(y.h-a.Height)
			if a.Order == OnDeck {
				band = DeckBand
			}
			if out, in := ox > band, oy > band; a.Order != Highest && out != in {
				return in
			}
			if x.d != y.d {
				return x.d < y.d
			}
			if a.Order == Highest {
				ox, oy = -x.h, -y.h
			}
			if ox != oy {
				return ox < oy
			}
			if a.Order != OnDeck && ix != iy {
				return iy
			}
			return x.t < y.t
		}
		for _, x := range all {
			if better(x, cand{got.Triangle, got.Distance, got.Height}) {
				t.Fatalf("got %+v, better is %+v", got, x)
			}
		}
		if d := math.Hypot(got.U-a.U, got.V-a.V); math.Abs(d-got.Distance) > 1e-9 {
			t.Fatalf("distance %v, and the point is at %v", got.Distance, d)
		}
	})
}

func TestNearAndEdges(t *testing.T) {
	z := clean(t, field(60))
	rnd := rand.New(rand.NewPCG(3, 4))
	all := z.AllEdges()
	for range 60 {
		u, v := 240*rnd.Float64()-220, 240*rnd.Float64()-320
		box := Box{u, v, u + 60*rnd.Float64()*rnd.Float64(), v + 60*rnd.Float64()}
		near := z.Near([]int32{-7}, box)
		if near[0] != -7 {
			t.Fatal("what was in the slice is gone")
		}
		near = near[1:]
		if !slices.IsSorted(near) || len(slices.Compact(slices.Clone(near))) != len(near) {
			t.Fatalf("%v is not ascending", near)
		}
		// Exactly those that share a square of 24 px with the box.
		sq := func(x float64) int { return int(math.Floor(x / 24)) }
		var want []int32
		for i := range z.Tris {
			o := z.BoxOf(int32(i))
			if sq(o.U0) <= sq(box.U1) && sq(o.U1) >= sq(box.U0) && sq(o.V0) <= sq(box.V1) && sq(o.V1) >= sq(box.V0) {
				want = append(want, int32(i))
			}
		}
		if diff := cmp.Diff(want, near, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("near %v (-want +got):\n%s", box, diff)
		}
		var edges []Edge
		for _, e := range all {
			if min(e.AU, e.BU) <= box.U1+4 && max(e.AU, e.BU) >= box.U0-4 && min(e.AV, e.BV) <= box.V1+4 && max(e.AV, e.BV) >= box.V0-4 {
				edges = append(edges, e)
			}
		}
		if diff := cmp.Diff(edges, z.BoundaryEdges(nil, box), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("edges of %v (-want +got):\n%s", box, diff)
		}
	}
	for _, box := range []Box{{math.NaN(), 0, 1, 1}, {0, 0, math.NaN(), 1}, {1, 0, 0, 1}, {1e300, 0, math.Inf(1), 1}} {
		if got := z.Near(nil, box); len(got) > 0 {
			t.Errorf("%v: %v", box, got)
		}
	}
	if got := z.Near(nil, Box{math.Inf(-1), math.Inf(-1), math.Inf(1), math.Inf(1)}); len(got) != len(z.Tris) {
		t.Errorf("%d triangles anywhere, want %d", len(got), len(z.Tris))
	}
}

func TestEdgesOfASquare(t *testing.T) {
	verts := slices.Clone(square4)
	verts[1].H, verts[2].H = 3, 4.5
	c := mesh(verts, [3]uint32{0, 2, 1}, [3]uint32{0, 2, 3}, [3]uint32{1, 3, 2})
	c.Surfaces = []bnav.Surface{{Flags: 1}, {Flags: 1}, {}} // what nobody walks on has no edges
	c.Links = []bnav.Link{{Source: 0, Target: 1}}
	want := []Edge{
		{Key: 0, BU: 1, HB: 3, Mean: 1.5},
		{Key: 1, AU: 1, BU: 1, BV: 1, HA: 3, HB: 4.5, Mean: 3.75},
		{Key: 4, AU: 1, AV: 1, BV: 1, HA: 4.5, Mean: 2.25},
		{Key: 5, AV: 1},
	}
	if diff := cmp.Diff(want, clean(t, c).AllEdges()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func BenchmarkSnap(b *testing.B) {
	c := field(300)
	z := clean(b, c)
	s := z.NewSnapper()
	rnd := rand.New(rand.NewPCG(1, 9))
	aims := make([]Aim, 1024)
	for i := range aims {
		aims[i] = Aim{U: 900*rnd.Float64() - 200, V: 900*rnd.Float64() - 300, Radius: 8, Order: OnFloor}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Snap(&aims[i%len(aims)])
	}
}
