package polygonize

import (
	"slices"
	"strings"

	"wend/internal/contour"
	"wend/internal/heightfield"
	"wend/internal/region"
)

// cellMap is a set of cells, the plain twin of an outline.
type cellMap struct {
	w, d int
	full []bool
}

func (m *cellMap) at(x, z int) bool {
	return x >= 0 && z >= 0 && x < m.w && z < m.d && m.full[x+z*m.w]
}

func parseCells(s string) *cellMap {
	rows := strings.Fields(s)
	m := &cellMap{w: len(rows[0]), d: len(rows)}
	for _, r := range rows {
		for _, c := range r {
			m.full = append(m.full, c != '.')
		}
	}
	return m
}

// components splits a map into its 4-connected parts.
func (m *cellMap) components() []*cellMap {
	var out []*cellMap
	seen := make([]bool, len(m.full))
	for i, f := range m.full {
		if !f || seen[i] {
			continue
		}
		part := &cellMap{m.w, m.d, make([]bool, len(m.full))}
		stack := []int{i}
		seen[i] = true
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			part.full[j] = true
			for d := range 4 {
				x, z := j%m.w+heightfield.DirX[d], j/m.w+heightfield.DirZ[d]
				if m.at(x, z) && !seen[x+z*m.w] {
					seen[x+z*m.w] = true
					stack = append(stack, x+z*m.w)
				}
			}
		}
		out = append(out, part)
	}
	return out
}

// rings walks round a 4-connected map with its cells to the left: the outline
// first, then the holes. Every cell corner is in them; where two cells touch
// at a corner only, the walk stays with its cell.
func (m *cellMap) rings() [][]point {
	type step struct{ at, dir point }
	var open []step
	// Cell (x, z): counter-clockwise seen from above is towards +Z at the left
	// side, then +X.
	sides := []struct{ from, dir, across point }{
		{point{0, 0}, point{0, 1}, point{-1, 0}},
		{point{0, 1}, point{1, 0}, point{0, 1}},
		{point{1, 1}, point{0, -1}, point{1, 0}},
		{point{1, 0}, point{-1, 0}, point{0, -1}},
	}
	for z := range m.d {
		for x := range m.w {
			if !m.at(x, z) {
				continue
			}
			for _, s := range sides {
				if !m.at(x+int(s.across.x), z+int(s.across.z)) {
					open = append(open, step{point{int32(x) + s.from.x, int32(z) + s.from.z}, s.dir})
				}
			}
		}
	}
	var out [][]point
	for len(open) > 0 {
		start := open[0]
		var ring []point
		for s := start; ; {
			i := slices.Index(open, s)
			open = slices.Delete(open, i, i+1)
			ring = append(ring, s.at)
			s.at = point{s.at.x + s.dir.x, s.at.z + s.dir.z}
			l := point{s.dir.z, -s.dir.x}
			for _, d := range []point{l, s.dir, {-l.x, -l.z}} {
				if t := (step{s.at, d}); t == start || slices.Contains(open, t) {
					s.dir = d
					break
				}
			}
			if s == start {
				break
			}
		}
		out = append(out, ring)
	}
	slices.SortStableFunc(out, func(a, b []point) int {
		switch o, p := ringArea2(a) > 0, ringArea2(b) > 0; {
		case o && !p:
			return -1
		case p && !o:
			return 1
		}
		return 0
	})
	return out
}

// outline joins the holes of a 4-connected map to its outline by bridges
// towards -X, and leaves out every corner for which keep is false.
func (m *cellMap) outline(keep func(point) bool) []point {
	rings := m.rings()
	ring := rings[0]
	holes := rings[1:]
	leftmost := func(h []point) int {
		best := 0
		for i, p := range h {
			if p.x < h[best].x || p.x == h[best].x && p.z < h[best].z {
				best = i
			}
		}
		return best
	}
	slices.SortStableFunc(holes, func(a, b []point) int {
		p, q := a[leftmost(a)], b[leftmost(b)]
		if p.x != q.x {
			return int(p.x - q.x)
		}
		return int(p.z - q.z)
	})
	for _, h := range holes {
		k := leftmost(h)
		h = append(slices.Clone(h[k:]), h[:k]...)
		p := h[0]
		at := -1
		for q := p; at < 0; q.x-- {
			for i, r := range ring {
				// Of copies of a corner the bridge leaves from the one that
				// faces it; a bridge of no length, where the hole touches
				// the ring, from any that has the hole's side open.
				to := p
				if q == p {
					to = point{p.x + 1, p.z}
				}
				if r == q && facing(ring, i, to) {
					at = i
					break
				}
			}
		}
		joined := slices.Clone(ring[:at+1])
		joined = append(joined, h...)
		joined = append(joined, p)
		ring = append(joined, ring[at:]...)
	}
	var out []point
	n := len(ring)
	for i, p := range ring {
		a, b := ring[(i+n-1)%n], ring[(i+1)%n]
		if area2(a, p, b) == 0 && forward(a, p, b) && !keep(p) {
			continue
		}
		out = append(out, p)
	}
	return out
}

func facing(ring []point, i int, q point) bool {
	n := len(ring)
	p, a, b := ring[i], ring[(i+n-1)%n], ring[(i+1)%n]
	if leftOn(a, p, b) && !(area2(a, p, b) == 0 && !forward(a, p, b)) {
		return left(p, q, a) && left(q, p, b)
	}
	return !(leftOn(p, q, b) && leftOn(q, p, a))
}

// contourOf makes an outline on flat ground.
func contourOf(ring []point, reg region.ID) contour.Contour {
	c := contour.Contour{Region: reg, Area: heightfield.Ground}
	for _, p := range ring {
		c.Verts = append(c.Verts, contour.Vertex{X: p.x, Z: p.z})
	}
	return c
}

func setOf(w, d int, cs ...contour.Contour) *contour.Set {
	return &contour.Set{
		Grid:     heightfield.Grid{W: w, D: d, Cell: 0.3, CellHeight: 0.2},
		Contours: cs, MaxError: 1.3,
	}
}
