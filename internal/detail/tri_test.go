package detail

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"wend/internal/polygonize"
)

// hullOf fills a mesher with a random convex ring and samples at thirds,
// quarters and so on of some edges.
func hullOf(t *rapid.T, m *mesher) {
	ring := randomConvex(t, 9)
	if rapid.Bool().Draw(t, "triangle") {
		c := rapid.Int32Range(1, 60)
		ring = []polygonize.Vert{{}, {X: c.Draw(t, "x") - 1, Z: c.Draw(t, "z")}, {X: c.Draw(t, "x"), Z: 0}}
	}
	m.reset()
	n := len(ring)
	for i, v := range ring {
		m.verts = append(m.verts, vertex{x: float64(v.X) * 0.3, z: float64(v.Z) * 0.3, on: 1<<i | 1<<((i+n-1)%n)})
	}
	for i := range n {
		m.hull = append(m.hull, int32(i))
		a, b := m.verts[i], m.verts[(i+1)%n]
		parts := rapid.IntRange(1, 6).Draw(t, "parts")
		for k := 1; k < parts; k++ {
			u := float64(k) / float64(parts)
			m.hull = append(m.hull, int32(len(m.verts)))
			m.verts = append(m.verts, vertex{x: a.x + (b.x-a.x)*u, z: a.z + (b.z-a.z)*u, on: 1 << i})
		}
	}
}

func TestTriangulateHull(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m mesher
		hullOf(t, &m)
		m.triangulateHull()
		if got, want := len(m.tris), len(m.hull)-2; got != want {
			t.Fatalf("%d triangles of %d vertices, want %d", got, len(m.hull), want)
		}
		for _, tr := range m.tris {
			if a := m.area(tr.v[0], tr.v[1], tr.v[2]); a <= 1e-9 {
				t.Fatalf("triangle %v has area %v", tr.v, a)
			}
		}
	})
}

// A triangle with samples on one side only: the opposite corner is the one
// whose ear would leave nothing but a line.
func TestTriangulateHullOneSide(t *testing.T) {
	for side := range 3 {
		var m mesher
		c := [3]vertex{{x: 0, z: 0}, {x: 0, z: 1}, {x: 9, z: 0}}
		for i := range c {
			c[i].on = 1<<i | 1<<((i+2)%3)
			m.verts = append(m.verts, c[i])
		}
		for i := range 3 {
			m.hull = append(m.hull, int32(i))
			if i == side {
				a, b := c[i], c[(i+1)%3]
				for k := 1.0; k < 4; k++ {
					m.hull = append(m.hull, int32(len(m.verts)))
					m.verts = append(m.verts, vertex{x: a.x + (b.x-a.x)*k/4, z: a.z + (b.z-a.z)*k/4, on: 1 << i})
				}
			}
		}
		m.triangulateHull()
		if len(m.tris) != 4 {
			t.Errorf("side %d: %d triangles, want 4", side, len(m.tris))
		}
		for _, tr := range m.tris {
			if a := m.area(tr.v[0], tr.v[1], tr.v[2]); a <= 0 {
				t.Errorf("side %d: triangle %v has area %v", side, tr.v, a)
			}
		}
	}
}

// checkMesh holds a triangulation against its links, its area, and Delaunay's
// rule, decided here by the determinant.
func checkMesh(t fataler, m *mesher) {
	t.Helper()
	sum, want := 0.0, 0.0
	for i := 2; i < len(m.hull); i++ {
		want += area2(&m.verts[m.hull[0]], &m.verts[m.hull[i-1]], &m.verts[m.hull[i]])
	}
	for i := range m.tris {
		p := &m.tris[i]
		a := m.area(p.v[0], p.v[1], p.v[2])
		if a <= 0 {
			t.Fatalf("triangle %v has area %v", p.v, a)
		}
		sum += a
		bits := m.boundary(p)
		for e := range 3 {
			u := p.nei[e]
			if (u < 0) != (bits>>e&1 == 1) {
				t.Fatalf("triangle %v edge %d: neighbour %d, outline %b", p.v, e, u, bits)
			}
			if u < 0 {
				continue
			}
			q := &m.tris[u]
			f := q.edge(p.v[next3(e)], p.v[e])
			if f < 0 || q.nei[f] != int32(i) {
				t.Fatalf("triangle %v edge %d: neighbour %v does not answer", p.v, e, q.v)
			}
			// Flipping may be forbidden where it would leave a line.
			d := q.v[next3(next3(f))]
			if m.area(p.v[e], d, p.v[next3(next3(e))]) <= 1e-6 || m.area(d, p.v[next3(e)], p.v[next3(next3(e))]) <= 1e-6 {
				continue
			}
			if inCircle(&m.verts[p.v[0]], &m.verts[p.v[1]], &m.verts[p.v[2]], &m.verts[d]) > 1e-6*a*a {
				t.Fatalf("triangle %v holds vertex %d in its circle", p.v, d)
			}
		}
	}
	if math.Abs(sum-want) > 1e-9*want {
		t.Fatalf("twice the area is %v, want %v", sum, want)
	}
}

// inCircle is positive when d lies in the circle round a, b, c; these are
// counter-clockwise seen from above.
func inCircle(a, b, c, d *vertex) float64 {
	ax, az, bx, bz, cx, cz := a.x-d.x, a.z-d.z, b.x-d.x, b.z-d.z, c.x-d.x, c.z-d.z
	al, bl, cl := ax*ax+az*az, bx*bx+bz*bz, cx*cx+cz*cz
	// The ground plane has X and Z the other way round than a page has x
	// and y, hence the sign.
	return -(ax*(bz*cl-bl*cz) - az*(bx*cl-bl*cx) + al*(bx*cz-bz*cx))
}

func TestInsertKeepsDelaunay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m mesher
		hullOf(t, &m)
		m.triangulateHull()
		m.makeDelaunay()
		checkMesh(t, &m)
		n := rapid.IntRange(0, 40).Draw(t, "points")
		all := []int32{}
		for range n {
			// Lattice points: many are equal, on edges, on lines with others.
			x := float64(rapid.IntRange(0, 60).Draw(t, "x")) * 0.3
			z := float64(rapid.IntRange(0, 60).Draw(t, "z")) * 0.3
			at, inside := vertex{x: x, z: z}, true
			for i, v := range m.hull {
				a, b := &m.verts[v], &m.verts[m.hull[m.after(i)]]
				inside = inside && area2(a, b, &at) > 0.05
			}
			if !inside {
				continue
			}
			all = all[:0]
			taken := false
			for i := range m.tris {
				all = append(all, int32(i))
			}
			for i := range m.verts {
				dx, dz := m.verts[i].x-x, m.verts[i].z-z
				taken = taken || dx*dx+dz*dz < 1e-9
			}
			before := len(m.tris)
			ok := m.insert(at, m.locate(all, x, z))
			if ok == taken {
				t.Fatalf("inserted (%v, %v): %v, but there is a vertex: %v", x, z, ok, taken)
			}
			if grown := len(m.tris) - before; ok && grown != 2 || !ok && grown != 0 {
				t.Fatalf("%d more triangles", grown)
			}
			checkMesh(t, &m)
		}
	})
}

func TestHeightAt(t *testing.T) {
	var m mesher
	m.verts = []vertex{{x: 0, z: 0, y: 1}, {x: 0, z: 4, y: 5}, {x: 4, z: 0, y: 9}}
	m.push(0, 1, 2)
	for _, tt := range []struct{ x, z, want float64 }{{0, 0, 1}, {0, 4, 5}, {4, 0, 9}, {1, 1, 4}, {2, 2, 7}, {2, 0, 5}} {
		if got := m.heightAt(0, tt.x, tt.z); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("height %v at (%v, %v), want %v", got, tt.x, tt.z, tt.want)
		}
	}
}
