package spanroute

import (
	"math"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
)

// shelf is a terrace 5 m over the ground, to the north of z = 20, that nothing but falls
// leads down from. Colliders count.
func shelf() *wendtest.Builder {
	b := wendtest.NewBuilder()
	b.Scene.Parts[0].Collider = true
	return b.Floor(0, 20, 20, 40, 5)
}

// TestLandingsAreOfOneKind falls off the same ledge where a ramp makes one region of
// both floors, and where there is none: both land equally far out.
func TestLandingsAreOfOneKind(t *testing.T) {
	for _, radius := range []float64{0, 0.2, 0.7} {
		var at [2]geom.Vec3
		for i := range at {
			b := shelf().Floor(0, 0, 20, 20, 0)
			if i == 1 {
				b.Floor(20, 36, 40, 40, 5).Poly(geom.V3(40, 5, 36), geom.V3(40, 5, 40), geom.V3(70, 0, 40), geom.V3(70, 0, 36))
				b.Floor(66, 0, 70, 36, 0).Floor(20, 0, 66, 4, 0)
			}
			r := ends(on(10, 5, 30), on(10, 0, 10))
			r.Body.Radius = radius
			out := build(t, b, func(p *bake.Profile) { p.Agent.Radius = radius }).complete(r)
			if len(out.Drops) != 1 || len(out.Points) != 4 {
				t.Fatalf("%s", describe(out))
			}
			if same := out.Points[1].Storey == out.Points[2].Storey; same != (i == 1) {
				t.Errorf("one region: %v\n%s", same, describe(out))
			}
			at[i] = out.Points[2].Pos
		}
		if at[0] != at[1] {
			t.Errorf("radius %v: lands at %v in another region, at %v in the same", radius, at[0], at[1])
		}
		margin := 4 * fallRadius
		if radius > 0 {
			margin = 4 * radius
		}
		if out := 20 - at[0].Z; out < margin-0.3 || out > margin+0.3 { // cells of 0.3 m
			t.Errorf("radius %v: lands %v m from the ledge", radius, out)
		}
	}
}

// TestLandingInTheNextRegion falls off a ledge into another region, in front of
// things that a landing does not move to or beyond.
func TestLandingInTheNextRegion(t *testing.T) {
	rail := func(b *wendtest.Builder, lo, hi geom.Vec3) { slab(b, lo, hi) }
	for _, c := range []struct {
		name   string
		add    func(b *wendtest.Builder)
		change func(r *Request)
		least  float64 // m from the ledge
		most   float64
	}{
		{"open", nil, nil, 1.5, 2},
		{"no-go zone", func(b *wendtest.Builder) {
			b.Scene.NoGo = []scene.NoGo{{Name: "bed", Ring: []geom.Vec2{{X: 1, Y: 1}, {X: 19, Y: 1}, {X: 19, Y: 18.9}, {X: 1, Y: 18.9}}, MinY: -1, MaxY: 1}}
		}, nil, 0.7, 1.1},
		{"disc", nil, func(r *Request) { r.Discs = []Disc{{At: geom.V3(10, 0, 18), Radius: 1.2}} }, 0.3, 3},
		{"slit that a wall closes", func(b *wendtest.Builder) {
			b.Scene.Tris, b.Scene.Verts = b.Scene.Tris[:2], b.Scene.Verts[:4]
			b.Floor(0, 19.1, 20, 20, 0).Floor(18, 18.9, 20, 19.1, 0).Floor(0, 0, 20, 18.9, 0)
		}, nil, 0.3, 0.95},
		{"rail", func(b *wendtest.Builder) { rail(b, geom.V3(-1, 0, 18.95), geom.V3(21, 8, 19)) }, nil, 0.3, 1.05},
		{"roof", func(b *wendtest.Builder) { rail(b, geom.V3(-1, 3, 0), geom.V3(21, 3.3, 19)) }, nil, 0.3, 1.05},
		{"step that nobody climbs", func(b *wendtest.Builder) {
			b.Scene.Tris, b.Scene.Verts = b.Scene.Tris[:2], b.Scene.Verts[:4]
			b.Floor(0, 19, 20, 20, 0).Floor(0, 0, 18, 19, 0.99).Floor(18, 0, 20, 19, 0)
		}, func(r *Request) { r.To = on(19, 0, 5) }, 0.3, 1.05},
		{"edge of a balcony", func(b *wendtest.Builder) {
			b.Scene.Tris, b.Scene.Verts = b.Scene.Tris[:2], b.Scene.Verts[:4]
			b.Floor(0, 19, 20, 20, 0).Floor(0, 0, 20, 19, -4)
		}, func(r *Request) { r.To = on(17, 0, 19.6) }, 0.5, 1},
	} {
		b := shelf().Floor(0, 0, 20, 20, 0)
		if c.add != nil {
			c.add(b)
		}
		r := ends(on(10, 5, 30), on(10, 0, 17))
		if c.name == "no-go zone" {
			r.To = on(0.5, 0, 10)
		}
		if c.name == "disc" {
			r.To = on(10, 0, 10)
		}
		if c.change != nil {
			c.change(r)
		}
		s := build(t, b, nil)
		out := s.complete(r)
		if len(out.Drops) == 0 {
			t.Errorf("%s: no fall\n%s", c.name, describe(out))
			continue
		}
		k := out.Drops[0].Index
		if d := 20 - out.Points[k].Pos.Z; d < c.least || d > c.most || out.Points[k].Pos.Y != out.Drops[0].Y {
			t.Errorf("%s: lands %v m from the ledge\n%s", c.name, d, describe(out))
		}
		for _, d := range r.Discs {
			along(out, func(i int, at geom.Vec3) {
				if flat(at, d.At) < d.Radius-0.3 {
					t.Errorf("%s: stretch %d runs through a disc at %v", c.name, i, at)
				}
			})
		}
	}
}

// TestLandingsOfAChain falls from region to region over shelves of a width: on
// wide ones each landing keeps its distance, on narrow ones it goes to the rim, and
// where that is the next take-off no stretch is between both falls.
func TestLandingsOfAChain(t *testing.T) {
	const falls = 3
	margin := 4*fallRadius - 0.3 // cells of 0.3 m
	for _, wide := range some([]float64{0.6, 1.2, 3, 0.9, 1.8, 8}, 3) {
		b := wendtest.NewBuilder().Floor(0, 40, 20, 60, 5*falls)
		b.Scene.Parts[0].Collider = true
		z := 40.0
		for k := falls - 1; k > 0; k-- {
			b.Floor(0, z-wide, 20, z, 5*float64(k))
			z -= wide
		}
		b.Floor(0, z-20, 20, z, 0)
		out := build(t, b, nil).complete(ends(on(10, 5*falls, 50), on(10, 0, z-10)))
		if len(out.Drops) != falls {
			t.Fatalf("shelves of %v m: %s", wide, describe(out))
		}
		for k, d := range out.Drops {
			p, q, next := out.Points[d.Index-1].Pos, out.Points[d.Index].Pos, out.Points[d.Index+1].Pos
			ledge := 40 - wide*float64(k)
			if off, want := ledge-q.Z, math.Min(margin, wide-0.3); off < want-0.01 && k < falls-1 || off < margin-0.01 && k == falls-1 {
				t.Errorf("shelves of %v m: fall %d lands %v m from the ledge\n%s", wide, k, off, describe(out))
			}
			if (next.Z-q.Z)*(q.Z-p.Z)+(next.X-q.X)*(q.X-p.X) < 0 {
				t.Errorf("shelves of %v m: turns back at the landing %v\n%s", wide, q, describe(out))
			}
			if at := out.Points[d.Index].Kind; wide < 1 && k < falls-1 && at != route.Drop {
				t.Errorf("shelves of %v m: landing %d leads to a %v\n%s", wide, k, at, describe(out))
			}
		}
		if most := 36 + 2*wide; out.Length > most {
			t.Errorf("shelves of %v m: %v m, want at most %v", wide, out.Length, most)
		}
	}
}
