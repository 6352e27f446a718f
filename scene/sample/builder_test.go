package sample

import (
	"math"
	"testing"

	"wend/geom"
	"wend/scene"
)

// openEdges counts directed edges without exactly one partner that runs the
// other way.
func openEdges(s *scene.Scene) int {
	count := map[[2]uint32]int{}
	for _, t := range s.Tris {
		for k := range 3 {
			count[[2]uint32{t.V[k], t.V[(k+1)%3]}]++
		}
	}
	bad := 0
	for e, n := range count {
		if n != 1 || count[[2]uint32{e[1], e[0]}] != 1 {
			bad++
		}
	}
	return bad
}

// volume is positive for a closed surface that faces outwards.
func volume(s *scene.Scene) float64 {
	v := 0.0
	for _, t := range s.Tris {
		a, b, c := s.Verts[t.V[0]], s.Verts[t.V[1]], s.Verts[t.V[2]]
		v += a.Dot(b.Cross(c)) / 6
	}
	return v
}

func TestSolidsAreClosedAndFaceOutwards(t *testing.T) {
	tests := []struct {
		name string
		add  func(b *builder)
		want float64 // cubic metres
	}{
		{"box", func(b *builder) { b.box(1, 2, 3, 4, 6, 8) }, 3 * 4 * 5},
		{"slope up", func(b *builder) { b.slope(0, 2, 1, 1, 5, 3) }, 2 * 4 * 2},
		{"slope down", func(b *builder) { b.slope(0, 2, 5, 3, 1, 1) }, 2 * 4 * 2},
		{"wedge", func(b *builder) { b.slope(0, 2, 0, 3, 6, 0) }, 2 * 6 * 3 / 2},
		{"rail", func(b *builder) { b.rail(0, 0.5, 2, 0, 6, 2, 1) }, 0.5 * 4 * 1},
		{"house along x", func(b *builder) { b.house("h", 0, 0, 10, 6, 4) }, 10*6*4 + 10*6*3.6/2},
		{"house along z", func(b *builder) { b.house("h", 0, 0, 6, 10, 4) }, 10*6*4 + 10*6*3.6/2},
		{"prism", func(b *builder) { b.prism([]geom.Vec2{{X: 0, Y: 0}, {X: 0, Y: 4}, {X: 3, Y: 4}, {X: 3, Y: 0}}, 1, 3) }, 3 * 4 * 2},
		{"cone", func(b *builder) { b.cone([]geom.Vec2{{X: 0, Y: 0}, {X: 0, Y: 4}, {X: 3, Y: 4}, {X: 3, Y: 0}}, 1, 7) }, 3 * 4 * 6 / 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := newBuilder()
			b.in("p", "m", 0)
			test.add(b)
			if n := openEdges(b.s); n != 0 {
				t.Errorf("%d open edges", n)
			}
			if got := volume(b.s); math.Abs(got-test.want) > 1e-9 {
				t.Errorf("volume %v, want %v", got, test.want)
			}
		})
	}
}

func TestEllipse(t *testing.T) {
	ring := ellipse(3, -2, 5, 2, 48)
	if len(ring) != 48 {
		t.Fatalf("%d points", len(ring))
	}
	area := 0.0
	for i, p := range ring {
		dx, dz := (p.X-3)/5, (p.Y+2)/2
		if d := math.Sqrt(dx*dx + dz*dz); math.Abs(d-1) > 1e-12 {
			t.Errorf("point %d is at %v radii", i, d)
		}
		q := ring[(i+1)%48]
		area += geom.Area2(geom.V3(3, 0, -2), geom.V3(p.X, 0, p.Y), geom.V3(q.X, 0, q.Y)) / 2
		step := math.Hypot((q.X-p.X)/5, (q.Y-p.Y)/2)
		if want := 2 * math.Pi / 48; step < 0.9*want || step > 1.1*want {
			t.Errorf("step %d is %v, want about %v", i, step, want)
		}
	}
	// Counter-clockwise from above, and nearly the ellipse's area.
	if want := math.Pi * 5 * 2; math.Abs(area/want-1) > 0.01 {
		t.Errorf("area %v, want about %v", area, want)
	}
}

func TestWallLeavesItsOpenings(t *testing.T) {
	b := newBuilder()
	b.in("w", "m", 0)
	b.wall(0, 0, 10, 0.3, 0, 3, opening{1, 3, 0, 2.5}, opening{5, 6, 1, 2})
	// Volume: the wall without a door of 2 x 2.5 and a window of 1 x 1.
	if got, want := volume(b.s), 0.3*(30-5-1); math.Abs(got-want) > 1e-9 {
		t.Errorf("volume %v, want %v", got, want)
	}
}
