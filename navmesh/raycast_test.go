package navmesh

import (
	"math"
	"slices"
	"testing"

	"wend/geom"
)

// room is the square [0,10]x[0,10] cut by both diagonals and both mid lines.
func room() *plan {
	c := geom.Vec3{X: 5, Z: 5}
	rim := []geom.Vec3{{X: 0, Z: 0}, {X: 0, Z: 5}, {X: 0, Z: 10}, {X: 5, Z: 10}, {X: 10, Z: 10}, {X: 10, Z: 5}, {X: 10, Z: 0}, {X: 5, Z: 0}}
	p := &plan{}
	for i, v := range rim {
		p.polys = append(p.polys, []geom.Vec3{c, v, rim[(i+1)%len(rim)]})
	}
	return p
}

// ray casts and checks what holds for every ray.
func castRay(t *testing.T, q *Query, from Location, to geom.Vec3) RayHit {
	t.Helper()
	polys, hit, err := q.AppendRaycast(nil, from, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	if polys[0] != from.Poly || polys[len(polys)-1] != hit.Poly {
		t.Fatalf("ray %v to %v: polygons %v, hit on %d", from, to, polys, hit.Poly)
	}
	seen := slices.Clone(polys)
	slices.Sort(seen)
	if len(slices.Compact(seen)) != len(polys) {
		t.Fatalf("ray %v to %v: a polygon twice in %v", from, to, polys)
	}
	if !hit.Hit && (hit.T != 1 || hit.Edge != -1 || hit.Pos.X != to.X || hit.Pos.Z != to.Z) {
		t.Fatalf("ray %v to %v: free, but %+v", from, to, hit)
	}
	if hit.Hit && math.Abs(hit.Normal.Len()-1) > 1e-12 {
		t.Fatalf("ray %v to %v: normal %v", from, to, hit.Normal)
	}
	return hit
}

func TestRaysOnLatticeOfRoom(t *testing.T) {
	m := room().mesh(t)
	q := m.NewQuery()
	for i := range 121 * 121 {
		a := geom.Vec3{X: float64(i % 11), Z: float64(i / 11 % 11)}
		b := geom.Vec3{X: float64(i / 121 % 11), Z: float64(i / 1331 % 11)}
		// From each polygon that the start lies on.
		for p := range PolyID(m.Len()) {
			if !m.contains(p, a) {
				continue
			}
			if hit := castRay(t, q, Location{p, a}, b); hit.Hit {
				t.Fatalf("from %v on %d to %v: hit %+v", a, p, b, hit)
			}
		}
	}
}

func TestRaysOutOfRoom(t *testing.T) {
	m := room().mesh(t)
	q := m.NewQuery()
	for i := range 121 * 40 {
		a := geom.Vec3{X: float64(i % 11), Z: float64(i / 11 % 11)}
		sin, cos := math.Sincos(float64(i/121) * math.Pi / 20)
		b := geom.Vec3{X: 5 + 20*cos, Z: 5 + 20*sin}
		hit := castRay(t, q, m.at(t, a.X, a.Z), b)
		if !hit.Hit {
			t.Fatalf("from %v to %v: free", a, b)
		}
		d := max(math.Abs(hit.Pos.X-5), math.Abs(hit.Pos.Z-5)) - 5
		off := side(a, b, hit.Pos) / geom.DistXZ(a, b)
		if math.Abs(d) > 1e-9 || math.Abs(off) > 1e-9 {
			t.Fatalf("from %v to %v: hit at %v, %g off the wall and %g off the ray", a, b, hit.Pos, d, off)
		}
		// The normal points inwards.
		if hit.Normal.Dot(geom.Vec3{X: 5, Z: 5}.Sub(hit.Pos)) <= 0 {
			t.Fatalf("from %v to %v: normal %v at %v", a, b, hit.Normal, hit.Pos)
		}
	}
}

func TestRayStopsAtWallsInside(t *testing.T) {
	// Two rooms joined by a door from z=4 to z=6.
	m := (&plan{
		polys: [][]geom.Vec3{box(0, 0, 5, 10), box(5, 0, 10, 4), box(5, 4, 10, 6), box(5, 6, 10, 10)},
		walls: [][2]geom.Vec3{{{X: 5, Z: 0}, {X: 5, Z: 4}}, {{X: 5, Z: 6}, {X: 5, Z: 10}}},
	}).mesh(t)
	q := m.NewQuery()
	for _, c := range []struct {
		name           string
		ax, az, bx, bz float64
		hit            bool
		x, z           float64
	}{
		{"through the door", 1, 5, 9, 5, false, 9, 5},
		{"into the wall", 1, 2, 9, 2, true, 5, 2},
		{"grazing the door post", 1, 4, 9, 4, false, 9, 4},
		{"past the door post", 3, 2, 7, 6, false, 7, 6},
		{"along the wall", 5, 0, 5, 10, false, 5, 10},
		{"onto the wall", 1, 2, 5, 2, false, 5, 2},
		{"no length", 1, 2, 1, 2, false, 1, 2},
	} {
		for _, back := range []bool{false, true} {
			a, b := m.at(t, c.ax, c.az), m.at(t, c.bx, c.bz)
			if back {
				a, b = b, a
			}
			hit := castRay(t, q, a, b.Pos)
			if hit.Hit != c.hit {
				t.Errorf("%s, back %v: %+v", c.name, back, hit)
			}
			if !back && (!near(hit.Pos.X, c.x, 1e-9) || !near(hit.Pos.Z, c.z, 1e-9)) {
				t.Errorf("%s: ends at %v, want (%v, %v)", c.name, hit.Pos, c.x, c.z)
			}
		}
	}
}
