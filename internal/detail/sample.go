package detail

import (
	"math"

	"wend/internal/heightfield"
	"wend/internal/polygonize"
	"wend/internal/region"
)

// Bounds on the samples of one polygon: along an edge, and of the grid inside,
// which is made coarser by a whole factor where it would have more.
const (
	maxEdgeSamples = 1 << 10
	maxSamples     = 1 << 16
)

// surveyor makes the sub-mesh of one polygon after the other. It owns its
// scratch memory and belongs to one goroutine.
type surveyor struct {
	mesh   *polygonize.Mesh
	field  *heightfield.Compact
	reg    *region.Result
	border int
	opt    Options
	radius int // cells to look for a height around a cell without one

	patch   patch
	tri     mesher
	poly    []polygonize.Vert
	edge    []edgeSample // along one edge, both ends included
	grid    []sample
	changed []int32
	mark    []bool
}

// sample is a place inside the polygon whose height the surface must meet.
type sample struct {
	x, y, z float64
	err     float64
	tri     int32
	done    bool // is a vertex, or cannot be one
}

// edgeSample is a place on an edge.
type edgeSample struct {
	vertex
	err  float64 // height above or below the line between its kept neighbours
	keep bool
}

// survey fills s.tri with the sub-mesh of polygon p.
func (s *surveyor) survey(p int) {
	m := &s.tri
	m.reset()
	s.poly = s.poly[:0]
	for _, v := range s.mesh.Poly(p) {
		s.poly = append(s.poly, s.mesh.Verts[v])
	}
	n := len(s.poly)
	for i, v := range s.poly {
		m.verts = append(m.verts, vertex{
			x:  float64(float64(v.X) * s.mesh.Cell),
			y:  float64(float64(v.Y) * s.mesh.CellHeight),
			z:  float64(float64(v.Z) * s.mesh.Cell),
			on: 1<<i | 1<<((i+n-1)%n),
		})
	}
	if s.opt.SampleDist == 0 {
		for i := range n {
			m.hull = append(m.hull, int32(i))
		}
		m.triangulateHull()
		return
	}
	s.patch.fill(s.poly, s.field, s.reg, s.border, s.mesh.Region[p], s.radius)
	for i := range n {
		s.sampleEdge(int32(i), int32((i+1)%n))
	}
	m.triangulateHull()
	s.sampleInside(n)
}

// height returns the height of the field at a place, in metres from the grid's
// origin, or near when the field has none.
func (s *surveyor) height(x, z, near float64) (float64, bool) {
	y, ok := s.patch.height(x/s.mesh.Cell+float64(s.border), z/s.mesh.Cell+float64(s.border), near/s.mesh.CellHeight, s.radius)
	if !ok {
		return near, false
	}
	return float64(float64(y) * s.mesh.CellHeight), true
}

// sampleEdge adds corner a to the hull and then the samples of the edge a-b
// that a straight line misses by more than the error, the worst first (Douglas
// and Peucker 1973), up to a limit. Polygons on both sides sample an edge in
// the same direction, so that they find the same places.
func (s *surveyor) sampleEdge(a, b int32) {
	m := &s.tri
	m.hull = append(m.hull, a)
	from, to := &m.verts[a], &m.verts[b]
	backwards := from.x > to.x || from.x == to.x && from.z > to.z
	if backwards {
		from, to = to, from
	}
	dx, dy, dz := to.x-from.x, to.y-from.y, to.z-from.z
	length := math.Sqrt(float64(dx*dx) + float64(dz*dz))
	parts := 1 + clampInt(length/s.opt.SampleDist, 0, maxEdgeSamples)
	s.edge = append(s.edge[:0], edgeSample{vertex: *from, keep: true})
	for k := 1; k < parts; k++ {
		u := float64(k) / float64(parts)
		v := vertex{
			x: from.x + float64(dx*u), z: from.z + float64(dz*u),
			on: from.on & to.on,
		}
		v.y, _ = s.height(v.x, v.z, from.y+float64(dy*u))
		s.edge = append(s.edge, edgeSample{vertex: v})
	}
	s.edge = append(s.edge, edgeSample{vertex: *to, keep: true})

	s.deviate(0, parts)
	for room := min(maxEdgeVerts-2, MaxVerts-len(m.verts)); room > 0; room-- {
		worst, worstErr := 0, s.opt.SampleMaxError
		for k := 1; k < parts; k++ {
			if e := &s.edge[k]; !e.keep && e.err > worstErr {
				worst, worstErr = k, e.err
			}
		}
		if worst == 0 {
			break
		}
		s.edge[worst].keep = true
		i, j := worst-1, worst+1
		for !s.edge[i].keep {
			i--
		}
		for !s.edge[j].keep {
			j++
		}
		s.deviate(i, worst)
		s.deviate(worst, j)
	}

	for k := 1; k < parts; k++ {
		i := k
		if backwards {
			i = parts - k
		}
		if s.edge[i].keep {
			m.hull = append(m.hull, int32(len(m.verts)))
			m.verts = append(m.verts, s.edge[i].vertex)
		}
	}
}

// deviate measures how far the samples between i and j are from the straight
// line between those two.
func (s *surveyor) deviate(i, j int) {
	a, b := &s.edge[i], &s.edge[j]
	for k := i + 1; k < j; k++ {
		u := float64(k-i) / float64(j-i)
		s.edge[k].err = math.Abs(s.edge[k].y - (a.y + float64((b.y-a.y)*u)))
	}
}

// width returns the smallest extent of the polygon of n corners: over all
// edges, the least distance of its farthest corner.
func (s *surveyor) width(n int) float64 {
	v := s.tri.verts[:n]
	least := math.Inf(1)
	for i := range v {
		a, b := &v[i], &v[(i+1)%n]
		far := 0.0
		for k := range v {
			far = max(far, area2(a, b, &v[k]))
		}
		least = min(least, far/s.tri.distXZ(int32(i), int32((i+1)%n)))
	}
	return least
}

// sampleInside adds the inner sample that is farthest from the surface until
// none is too far.
func (s *surveyor) sampleInside(n int) {
	m := &s.tri
	s.layGrid(n)
	s.mark = s.mark[:0]
	for len(m.verts) < MaxVerts {
		worst, worstErr := -1, s.opt.SampleMaxError
		for i := range s.grid {
			if g := &s.grid[i]; g.err > worstErr && !g.done {
				worst, worstErr = i, g.err
			}
		}
		if worst < 0 {
			return
		}
		m.dirty = m.dirty[:0]
		if !m.delaunay {
			m.makeDelaunay()
			s.measure()
			// The surface has changed a little; the worst sample may be another.
			continue
		}
		g := &s.grid[worst]
		g.done = true
		if m.insert(vertex{x: g.x, y: g.y, z: g.z}, g.tri) {
			s.measure()
		}
	}
}

// layGrid places the samples: multiples of a step that are at least half of it
// inside the polygon of n corners. The step is the sample distance, and half
// the width of a polygon that is too narrow for that: a long strip has samples
// along its edges, but the triangles between them cross the strip slantwise
// and would take the height of one place from another.
func (s *surveyor) layGrid(n int) {
	m := &s.tri
	s.grid = s.grid[:0]
	corners := m.verts[:n]
	lo, hi := corners[0], corners[0]
	for i := range corners {
		c := &corners[i]
		lo.x, lo.y, lo.z = min(lo.x, c.x), min(lo.y, c.y), min(lo.z, c.z)
		hi.x, hi.y, hi.z = max(hi.x, c.x), max(hi.y, c.y), max(hi.z, c.z)
	}
	step := min(s.opt.SampleDist, max(s.width(n)/2, s.mesh.Cell))
	if count := float64((hi.x - lo.x) / step * ((hi.z - lo.z) / step)); count > maxSamples {
		step *= math.Ceil(math.Sqrt(count / maxSamples))
	}
	x0, x1 := math.Floor(lo.x/step), math.Ceil(hi.x/step)
	z0, z1 := math.Floor(lo.z/step), math.Ceil(hi.z/step)
	near := (lo.y + hi.y) / 2
	s.changed = s.changed[:0]
	for t := range m.tris {
		s.changed = append(s.changed, int32(t))
	}
	for k := z0; k < z1; k++ {
		z := float64(k * step)
		for i := x0; i < x1; i++ {
			x := float64(i * step)
			if !s.inside(n, x, z, step/2) {
				continue
			}
			y, ok := s.height(x, z, near)
			if !ok {
				continue
			}
			g := sample{x: x, y: y, z: z}
			g.tri = m.locate(s.changed, x, z)
			g.err = math.Abs(m.heightAt(g.tri, x, z) - y)
			s.grid = append(s.grid, g)
		}
	}
}

// inside reports whether a place is at least dist inside all edges.
func (s *surveyor) inside(n int, x, z, dist float64) bool {
	at := vertex{x: x, z: z}
	for i := range n {
		j := (i + 1) % n
		if area2(&s.tri.verts[i], &s.tri.verts[j], &at) < float64(dist*s.tri.distXZ(int32(i), int32(j))) {
			return false
		}
	}
	return true
}

// measure finds the triangle and the error of the samples whose triangle
// changed.
func (s *surveyor) measure() {
	m := &s.tri
	for len(s.mark) < len(m.tris) {
		s.mark = append(s.mark, false)
	}
	s.changed = s.changed[:0]
	for _, t := range m.dirty {
		if !s.mark[t] {
			s.mark[t] = true
			s.changed = append(s.changed, t)
		}
	}
	for i := range s.grid {
		g := &s.grid[i]
		if g.done || !s.mark[g.tri] {
			continue
		}
		g.tri = m.locate(s.changed, g.x, g.z)
		g.err = math.Abs(m.heightAt(g.tri, g.x, g.z) - g.y)
	}
	for _, t := range s.changed {
		s.mark[t] = false
	}
}
