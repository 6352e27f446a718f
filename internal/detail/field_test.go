package detail

import (
	"math"
	"slices"

	"wend/geom"
	"wend/internal/heightfield"
	"wend/internal/polygonize"
	"wend/internal/region"
)

// floor is one walkable cell of a column.
type floor struct {
	y   int
	reg region.ID
}

// world is a small field written down by hand.
type world struct {
	grid   heightfield.Grid
	border int
	climb  int
	floors func(x, z int) []floor // lowest first; cells of the mesh, border < 0
}

func (w *world) build() (*heightfield.Compact, *region.Result) {
	g := w.grid
	g.W += 2 * w.border
	g.D += 2 * w.border
	g.Origin.X -= float64(w.border) * g.Cell
	g.Origin.Z -= float64(w.border) * g.Cell
	c := &heightfield.Compact{Grid: g, Climb: w.climb}
	r := &region.Result{}
	for z := range g.D {
		for x := range g.W {
			c.Start = append(c.Start, uint32(len(c.Y)))
			for _, f := range w.floors(x-w.border, z-w.border) {
				c.Y = append(c.Y, uint16(f.y))
				c.Area = append(c.Area, heightfield.Ground)
				r.Region = append(r.Region, f.reg)
				r.Max = max(r.Max, f.reg)
			}
		}
	}
	c.Start = append(c.Start, uint32(len(c.Y)))
	c.Nei = make([][4]int32, len(c.Y))
	for z := range g.D {
		for x := range g.W {
			for i := c.Start[x+z*g.W]; i < c.Start[x+z*g.W+1]; i++ {
				for dir := range 4 {
					c.Nei[i][dir] = -1
					nx, nz := x+heightfield.DirX[dir], z+heightfield.DirZ[dir]
					if nx < 0 || nz < 0 || nx >= g.W || nz >= g.D {
						continue
					}
					for j := c.Start[nx+nz*g.W]; j < c.Start[nx+nz*g.W+1]; j++ {
						if d := int(c.Y[i]) - int(c.Y[j]); max(d, -d) <= w.climb {
							c.Nei[i][dir] = int32(j)
							break
						}
					}
				}
			}
		}
	}
	return c, r
}

// meshOf makes a mesh of separate polygons.
func (w *world) meshOf(polys ...polyOf) *polygonize.Mesh {
	m := &polygonize.Mesh{Grid: w.grid, MaxError: 1.3}
	for _, p := range polys {
		m.MaxVerts = max(m.MaxVerts, len(p.verts))
	}
	for _, p := range polys {
		slots := make([]uint32, m.MaxVerts)
		for i := range slots {
			slots[i] = polygonize.None
			if i < len(p.verts) {
				slots[i] = uint32(len(m.Verts))
				m.Verts = append(m.Verts, p.verts[i])
			}
		}
		m.PolyVerts = append(m.PolyVerts, slots...)
		m.Region = append(m.Region, p.reg)
		m.Area = append(m.Area, heightfield.Ground)
	}
	return m
}

type polyOf struct {
	reg   region.ID
	verts []polygonize.Vert
}

// rect is a rectangle of cells, its corners as high as y says.
func rect(reg region.ID, x0, z0, x1, z1 int, y func(x, z int) int) polyOf {
	p := polyOf{reg: reg}
	for _, c := range [4][2]int{{x0, z0}, {x0, z1}, {x1, z1}, {x1, z0}} {
		p.verts = append(p.verts, polygonize.Vert{X: int32(c[0]), Y: int32(y(c[0], c[1])), Z: int32(c[1])})
	}
	return p
}

// surface returns the height of a sub-mesh at a place, by a plain look at all
// triangles.
func surface(m *Mesh, p int, x, z float64) (float64, bool) {
	s := m.Subs[p]
	at := geom.V3(x, 0, z)
	for _, t := range m.Tris[s.TriBase : s.TriBase+s.TriCount] {
		a, b, c := corner(m, s, t, 0), corner(m, s, t, 1), corner(m, s, t, 2)
		whole := geom.Area2(a, b, c)
		wa, wb, wc := geom.Area2(b, c, at)/whole, geom.Area2(c, a, at)/whole, geom.Area2(a, b, at)/whole
		if min(wa, wb, wc) >= -1e-4 {
			return wa*a.Y + wb*b.Y + wc*c.Y, true
		}
	}
	return 0, false
}

func corner(m *Mesh, s Sub, t Tri, i int) geom.Vec3 {
	return m.Verts[s.VertBase+uint32(t.V[i])].Wide()
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// check holds a detail mesh against its contract.
func check(t fataler, pm *polygonize.Mesh, m *Mesh) {
	t.Helper()
	if len(m.Subs) != pm.Len() {
		t.Fatalf("%d sub-meshes for %d polygons", len(m.Subs), pm.Len())
	}
	vert, tri := uint32(0), uint32(0)
	for p, s := range m.Subs {
		if s.VertBase != vert || s.TriBase != tri {
			t.Fatalf("polygon %d: sub-mesh %+v does not follow the one before", p, s)
		}
		vert += s.VertCount
		tri += s.TriCount
		poly := pm.Poly(p)
		if int(s.VertCount) < len(poly) || s.VertCount > MaxVerts {
			t.Fatalf("polygon %d: %d vertices", p, s.VertCount)
		}
		want := 0.0
		var ring []geom.Vec3
		for i, v := range poly {
			c := pm.Verts[v]
			w := geom.V3(
				pm.Origin.X+float64(c.X)*pm.Cell,
				pm.Origin.Y+pm.FloorAbove(float64(c.Y)),
				pm.Origin.Z+float64(c.Z)*pm.Cell)
			ring = append(ring, w)
			got := m.Verts[s.VertBase+uint32(i)].Wide()
			if geom.Dist(got, w) > 1e-3 {
				t.Fatalf("polygon %d: corner %d is at %v, want %v", p, i, got, w)
			}
		}
		for i := 2; i < len(ring); i++ {
			want += geom.Area2(ring[0], ring[i-1], ring[i])
		}
		sum := 0.0
		usedVerts := make([]bool, s.VertCount)
		open := map[[2]uint8]int{}
		for _, tr := range m.Tris[s.TriBase : s.TriBase+s.TriCount] {
			a := geom.Area2(corner(m, s, tr, 0), corner(m, s, tr, 1), corner(m, s, tr, 2))
			if a <= 0 {
				t.Fatalf("polygon %d: triangle %v has area %v", p, tr, a)
			}
			sum += a
			for i := range 3 {
				usedVerts[tr.V[i]] = true
				e := [2]uint8{tr.V[i], tr.V[(i+1)%3]}
				if tr.Boundary>>i&1 == 1 {
					open[e]++
					continue
				}
				// An inner edge has its counterpart.
				back := false
				for _, u := range m.Tris[s.TriBase : s.TriBase+s.TriCount] {
					for j := range 3 {
						back = back || u.V[j] == e[1] && u.V[(j+1)%3] == e[0] && u.Boundary>>j&1 == 0
					}
				}
				if !back {
					t.Fatalf("polygon %d: edge %v is neither on the outline nor shared", p, e)
				}
			}
		}
		if math.Abs(sum-want) > 1e-4*max(want, 1) {
			t.Fatalf("polygon %d: twice the area is %v, want %v", p, sum, want)
		}
		if i := slices.Index(usedVerts, false); i >= 0 {
			t.Fatalf("polygon %d: vertex %d is in no triangle", p, i)
		}
		// The outline is one ring through all corners, in order.
		at, steps, nextCorner := uint8(0), 0, 1
		for {
			next, n := uint8(0), 0
			for e := range open {
				if e[0] == at {
					next, n = e[1], n+1
				}
			}
			if n != 1 || open[[2]uint8{at, next}] != 1 {
				t.Fatalf("polygon %d: outline has %d edges at vertex %d", p, n, at)
			}
			at = next
			steps++
			if nextCorner < len(poly) && int(at) == nextCorner {
				nextCorner++
			}
			if at == 0 || steps > 300 {
				break
			}
		}
		if steps != len(open) || nextCorner != len(poly) {
			t.Fatalf("polygon %d: outline of %d edges, %d walked, %d corners met", p, len(open), steps, nextCorner)
		}
	}
	if int(vert) != len(m.Verts) || int(tri) != len(m.Tris) {
		t.Fatalf("%d vertices and %d triangles in sub-meshes, %d and %d in all", vert, tri, len(m.Verts), len(m.Tris))
	}
}
