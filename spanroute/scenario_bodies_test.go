package spanroute

import (
	"math"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// turned makes floors of rectangles of a plan that is turned by an angle around
// the origin and then moved.
type turned struct {
	b        *wendtest.Builder
	sin, cos float64
	by       geom.Vec3
}

func turn(degrees, x, z float64) *turned {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return &turned{wendtest.NewBuilder(), sin, cos, geom.V3(x, 0, z)}
}

func (t *turned) at(x, y, z float64) geom.Vec3 {
	return geom.V3(float64(x*t.cos)-float64(z*t.sin), y, float64(x*t.sin)+float64(z*t.cos)).Add(t.by)
}

func (t *turned) floor(x0, z0, x1, z1 float64) {
	t.b.Poly(t.at(x0, 0, z0), t.at(x0, 0, z1), t.at(x1, 0, z1), t.at(x1, 0, z0))
}

var (
	turns  = []float64{0, 7, 20, 45, 63, 90, 180, 211}
	shifts = [][2]float64{{0, 0}, {0.07, 0.13}, {0.15, 0.15}, {0.22, 0.05}}
)

// TestRoundACorner goes round the corner of a solid quadrant with bodies of
// several radii. The shortest way is two tangents and an arc.
func TestRoundACorner(t *testing.T) {
	const cell = 0.3
	for _, deg := range some(turns, 3) {
		for _, by := range some(shifts, 1) {
			w := turn(deg, by[0], by[1])
			w.floor(-12, -12, 0, 0) // the quadrant x < 0, z > 0 is solid
			w.floor(0, -12, 12, 0)
			w.floor(0, 0, 12, 12)
			s := build(t, w.b, nil)
			corner := w.at(0, 0, 0)
			for _, c := range []struct{ radius, exact float64 }{{0.1, 9.010858}, {0.5, 9.321983}} {
				r := ends(End{At: w.at(-4, 0, -2)}, End{At: w.at(2, 0, 4)})
				r.Body.Radius = c.radius
				r.Shortest = true
				out := s.complete(r)
				if len(out.Points) == 0 {
					continue
				}
				nearest := math.Inf(1)
				along(out, func(_ int, at geom.Vec3) { nearest = min(nearest, flat(at, corner)) })
				if nearest < c.radius-cell/2 {
					t.Errorf("turned by %v: radius %v: %v from the corner", deg, c.radius, nearest)
				}
				// Corners keep four fifths of the clearance of the corridor they are
				// pulled in, so the way is up to a metre or so longer.
				if exact := tangents(c.radius); out.Length < exact-cell || out.Length > exact+cell {
					t.Errorf("turned by %v, moved by %v: radius %v: %v m, exact %v", deg, by, c.radius, out.Length, exact)
				}
				if math.Abs(tangents(c.radius)-c.exact) > 1e-5 {
					t.Fatalf("the exact length is %v", tangents(c.radius))
				}
			}
		}
	}
}

// tangents returns the length of the way from (-4, -2) to (2, 4) round a circle
// at the origin.
func tangents(r float64) float64 {
	d := math.Sqrt(20)
	between := 2*math.Pi - math.Acos(float64(-4*2-2*4)/20)
	return 2*math.Sqrt(20-r*r) + r*(between-2*math.Acos(r/d))
}

// TestDoors passes doors a cell wider than a body, wherever they lie, and not
// those more than a cell narrower.
func TestDoors(t *testing.T) {
	const cell = 0.3
	for _, deg := range some(turns, 3) {
		for _, by := range some(shifts, 1) {
			for _, radius := range []float64{0.3, 0.5, 0.9} {
				for _, wide := range []bool{true, false} {
					width := 2*radius + cell
					if !wide {
						width = 2*radius - 1.1*cell
					}
					w := turn(deg, by[0], by[1])
					w.floor(-10, -6, -1, 6)
					w.floor(-1, -width/2, 1, width/2)
					w.floor(1, -6, 10, 6)
					s := build(t, w.b, nil)
					r := ends(End{At: w.at(-6, 0, 2)}, End{At: w.at(6, 0, -3)})
					r.Body.Radius = radius
					out := s.plan(r)
					if open := out.Status == route.Complete; open != wide {
						t.Errorf("turned by %v, moved by %v: radius %v, door of %.2f: %v", deg, by, radius, width, out.Status)
					}
				}
			}
		}
	}
}

// TestLowCeilings closes passages to bodies taller than they are high, and steps
// to those that do not climb them.
func TestLowCeilings(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 30, 6, 0)
	b.Floor(0, 6, 6, 20, 0).Floor(24, 6, 30, 20, 0).Floor(6, 14, 24, 20, 0) // a way round
	b.Part("beam", "")
	b.Scene.Parts[1].NoSurface, b.Scene.Parts[1].Collider = true, true
	b.Box(geom.V3(14, 1.6, -1), geom.V3(16, 3, 7))
	s := build(t, b, func(p *bake.Profile) { p.Agent.Height = 1.2 })
	for _, c := range []struct {
		height float64
		under  bool
	}{{0, true}, {1, true}, {1.5, true}, {1.8, false}, {2.5, false}} {
		r := ends(on(3, 0, 3), on(27, 0, 3))
		r.Body.Height = c.height
		out := s.complete(r)
		if under := out.Length < 30; under != c.under {
			t.Errorf("height %v: %v m", c.height, out.Length)
		}
	}
}
