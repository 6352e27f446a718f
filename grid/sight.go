package grid

import "math"

// sight reports whether the middle of b is seen from the middle of a: no
// blocked cell is crossed, and where the line passes exactly through a corner
// point of cells, it may do so under the same rule as a diagonal step. Exact,
// O(length).
func sight(s *surface, a, b Cell, rule Corners) bool {
	dx, dy := b.X-a.X, b.Y-a.Y
	sx, sy := sign(dx), sign(dy)
	nx, ny := int64(dx*sx), int64(dy*sy)
	right, down := sx, sy*s.stride
	at := s.id(a.X, a.Y)
	if !s.get(at) {
		return false
	}
	// next is the difference between the places on the line, times 2*nx*ny,
	// where it leaves the cell's column and where it leaves its row.
	next := ny - nx
	for ix, iy := int64(0), int64(0); ix < nx || iy < ny; {
		switch {
		case next < 0:
			at += right
			ix++
			next += 2 * ny
		case next > 0:
			at += down
			iy++
			next -= 2 * nx
		default:
			if rule != Always {
				p, q := s.get(at+right), s.get(at+down)
				if !p && !q || rule == Never && !(p && q) {
					return false
				}
			}
			at += right + down
			ix++
			iy++
			next += 2*ny - 2*nx
		}
		if !s.get(at) {
			return false
		}
	}
	return true
}

// LineOfSight reports whether a unit that is a point can walk straight from the
// middle of a to the middle of b: no blocked cell is crossed, and corner points
// of cells are passed under the rule for diagonal steps. A blocked or outside
// end is not seen, without a ground or a known rule nothing is. It reads the map
// below an overlay through the overlay.
func LineOfSight(g Ground, a, b Cell, rule Corners) bool {
	if absent(g) || rule > Always {
		return false
	}
	m, over := g.ground()
	if !g.Passable(a) || !g.Passable(b) {
		return false
	}
	if over == nil {
		return sight(&m.rows, a, b, rule)
	}
	dx, dy := b.X-a.X, b.Y-a.Y
	sx, sy := sign(dx), sign(dy)
	nx, ny := int64(dx*sx), int64(dy*sy)
	c := a
	for next := ny - nx; c != b; {
		switch {
		case next < 0:
			c.X += sx
			next += 2 * ny
		case next > 0:
			c.Y += sy
			next -= 2 * nx
		default:
			p, q := g.Passable(Cell{c.X + sx, c.Y}), g.Passable(Cell{c.X, c.Y + sy})
			if rule != Always && (!p && !q || rule == Never && !(p && q)) {
				return false
			}
			c.X += sx
			c.Y += sy
			next += 2*ny - 2*nx
		}
		if !g.Passable(c) {
			return false
		}
	}
	return true
}

// apart is the straight-line distance between two cells' middles.
func apart(a, b Cell) float64 {
	dx, dy := int64(a.X-b.X), int64(a.Y-b.Y)
	return math.Sqrt(float64(dx*dx + dy*dy))
}
