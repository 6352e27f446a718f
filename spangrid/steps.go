package spangrid

// The operators of this file look at the columns of one region: its spans, and
// its ghosts where it has none. Bytes have one value per cell of the window. Of a
// step between two cells bit 2i of the first one's byte stands for direction i
// of (1,0) (0,1) (1,1) (1,-1), and bit 2i+1 of the same byte for the way back.

// Steps appends to dst[:0] the steps that are forbidden for their slope alone:
// of the nearest pair of heights of two neighbouring cells the way up, where it
// is steeper than [Rules.Limit]. Cells outside the layer have none; a nil layer
// is every cell.
func (r *Rules) Steps(dst []uint8, t *Columns, layer Mask) []uint8 {
	dst = zeroed(dst, t.Cells())
	for j := 0; j+1 < len(t.start); j++ {
		a := t.H[t.start[j]:t.start[j+1]]
		c := int(t.Cell[t.start[j]])
		if layer != nil && !layer[c] {
			continue
		}
		x, y := c%t.NX, c/t.NX
		var bits uint8
		for i, d := range directions {
			b := t.at(x+d[0], y+d[1])
			if len(b) == 0 {
				continue
			}
			if gap, up := nearestPair(a, b); float64(gap) > r.Limit(i) {
				if up {
					bits |= 1 << (2 * i)
				} else {
					bits |= 2 << (2 * i)
				}
			}
		}
		dst[c] = bits
	}
	return dst
}

// Rejudge appends to dst[:0] what is left of forbidden steps when the rise rule
// is asked: a step is released where it leads from some height of the cell to
// some height of the other, drops not counting. s is the table of [Rise].
func (r *Rules) Rejudge(dst, steps []uint8, t, s *Columns) []uint8 {
	dst = append(dst[:0], steps...)
	rise := r.Rise(s, false, nil)
	for j := 0; j+1 < len(t.start); j++ {
		c := int(t.Cell[t.start[j]])
		bits := dst[c]
		if bits == 0 {
			continue
		}
		a := t.H[t.start[j]:t.start[j+1]]
		x, y := c%t.NX, c/t.NX
		for i, d := range directions {
			there, back := uint8(1)<<(2*i), uint8(2)<<(2*i)
			if bits&(there|back) == 0 {
				continue
			}
			b := t.at(x+d[0], y+d[1])
			if bits&there != 0 && rise.any(c, d[0], d[1], a, b) {
				bits &^= there
			}
			if bits&back != 0 && rise.any(c+d[1]*t.NX+d[0], -d[0], -d[1], b, a) {
				bits &^= back
			}
		}
		dst[c] = bits
	}
	return dst
}

// any reports whether the step leads on from one of heights a to one of b.
func (t *Rise) any(cell, dx, dy int, a, b []float32) bool {
	for _, from := range a {
		for _, to := range b {
			if t.OK(cell, dx, dy, from, to) {
				return true
			}
		}
	}
	return false
}

// Facades appends to dst[:0] which sides of cells block sight: bit i, for the
// directions i = 0 and 1, where a step is forbidden by slope and one of both
// columns is a stack higher than the climb, or the step is still forbidden and
// at least as high as a wall.
func (r *Rules) Facades(dst, steps, steps2 []uint8, t *Columns) []uint8 {
	dst = zeroed(dst, t.Cells())
	for j := 0; j+1 < len(t.start); j++ {
		c := int(t.Cell[t.start[j]])
		if steps[c]&0x0f == 0 {
			continue
		}
		a := t.H[t.start[j]:t.start[j+1]]
		x, y := c%t.NX, c/t.NX
		for i, d := range directions[:2] {
			pair := uint8(3) << (2 * i)
			if steps[c]&pair == 0 {
				continue
			}
			b := t.at(x+d[0], y+d[1])
			if stack(a) > r.Climb || stack(b) > r.Climb || steps2[c]&pair != 0 && high(a, b, r.WallHeight) {
				dst[c] |= 1 << i
			}
		}
	}
	return dst
}

// stack returns how far the heights of a column reach.
func stack(h []float32) float64 {
	if len(h) == 0 {
		return 0
	}
	return float64(h[len(h)-1]) - float64(h[0])
}

// high reports whether no pair of heights is nearer than a wall is high.
func high(a, b []float32, wall float64) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	gap, _ := nearestPair(a, b)
	return float64(gap) >= wall
}

// Tax appends to dst[:0] the steps that lead on, but not by slope alone: over
// a step, a bump or out of a dip. Here bit 2i of a cell's byte is the step from it
// in direction i, and bit 2i+1 the step from it against that direction: both
// leave the cell. Only between cells where steps, those of [Rules.Steps], forbid
// one way for its slope can there be such a step: elsewhere the nearest pair of
// heights is walkable both ways, no climb being less than the slope of a
// diagonal.
func (r *Rules) Tax(dst, steps []uint8, t, s *Columns) []uint8 {
	dst = zeroed(dst, t.Cells())
	rise := r.Rise(s, false, nil)
	for j := 0; j+1 < len(t.start); j++ {
		c := int(t.Cell[t.start[j]])
		bits := steps[c]
		if bits == 0 {
			continue
		}
		a := t.H[t.start[j]:t.start[j+1]]
		x, y := c%t.NX, c/t.NX
		for i, d := range directions {
			if bits&(3<<(2*i)) == 0 {
				continue
			}
			b := t.at(x+d[0], y+d[1])
			if len(b) == 0 {
				continue
			}
			limit, other := r.Limit(i), c+d[1]*t.NX+d[0]
			if rise.taxed(c, d[0], d[1], a, b, limit) {
				dst[c] |= 1 << (2 * i)
			}
			if rise.taxed(other, -d[0], -d[1], b, a, limit) {
				dst[other] |= 2 << (2 * i)
			}
		}
	}
	return dst
}

// taxed reports whether the step leads on from one of heights a to one of b, but
// for none of these pairs by slope.
func (t *Rise) taxed(cell, dx, dy int, a, b []float32, limit float64) bool {
	some := false
	for _, from := range a {
		for _, to := range b {
			dh := float64(to) - float64(from)
			if dh <= limit {
				if dh >= t.deep {
					return false
				}
				continue // a drop
			}
			some = some || t.OK(cell, dx, dy, from, to)
		}
	}
	return some
}

// at returns the heights of a cell, none outside the window.
func (t *Columns) at(x, y int) []float32 {
	if uint(x) >= uint(t.NX) || uint(y) >= uint(t.NY) {
		return nil
	}
	return t.Heights(y*t.NX + x)
}

// nearestPair returns the least difference of heights of two columns, both not
// empty, and whether it goes up from a to b. Of equal ones the first counts, by a
// and then by b.
func nearestPair(a, b []float32) (gap float32, up bool) {
	if len(a) == 1 && len(b) == 1 {
		d := b[0] - a[0]
		return max(d, -d), d > 0
	}
	first := true
	for _, from := range a {
		for _, to := range b {
			d := to - from
			if g := max(d, -d); first || g < gap {
				gap, up, first = g, d > 0, false
			}
		}
	}
	return gap, up
}
