package heightfield

// Compact returns the open space above the walkable spans, linked.
//
// Two entries of neighbouring columns are linked when the space open to both,
// above the higher floor and below the lower ceiling, is at least height
// voxels high and the floors differ by at most climb voxels. Where several
// entries of a column qualify, which takes a climb greater than the height,
// the one with the smallest difference is chosen, and of two the lower.
//
// Links are mutual: with n = Nei[i][d] and n >= 0, Nei[n][(d+2)%4] is i. Of a
// choice that is not returned neither side is linked.
//
// Every walkable span becomes an entry. One with less than height above it,
// which is left only when FilterLowHeight did not run, has no links. Time and
// memory are linear in the spans.
func (s *Solid) Compact(height, climb int) *Compact {
	height = min(max(height, 1), MaxHeight)
	climb = min(max(climb, 0), MaxHeight)
	n := 0
	for i := range s.Spans {
		if s.Spans[i].Area != Unwalkable {
			n++
		}
	}
	c := &Compact{
		Grid:     s.Grid,
		Headroom: height,
		Climb:    climb,
		Start:    make([]uint32, s.W*s.D+1),
		Y:        make([]uint16, n),
		Open:     make([]uint16, n),
		Area:     make([]uint8, n),
		Nei:      make([][4]int32, n),
	}
	n = 0
	for k := range s.W * s.D {
		col := s.column(k)
		for i, sp := range col {
			if sp.Area == Unwalkable {
				continue
			}
			open := uint16(MaxHeight)
			if i+1 < len(col) {
				open = col[i+1].Min - sp.Max
			}
			c.Y[n], c.Open[n], c.Area[n] = sp.Max, open, sp.Area
			n++
		}
		c.Start[k+1] = uint32(n)
	}
	for i := range c.Nei {
		c.Nei[i] = [4]int32{-1, -1, -1, -1}
	}
	k := 0
	for z := range c.D {
		for x := range c.W {
			if c.Start[k] < c.Start[k+1] {
				if x > 0 {
					c.link(k, k-1, 0)
				}
				if z > 0 {
					c.link(k, k-c.W, 3)
				}
			}
			k++
		}
	}
	return c
}

// link joins the entries of column a with those of column b, which lies in
// direction d.
func (c *Compact) link(a, b, d int) {
	a0, a1 := int32(c.Start[a]), int32(c.Start[a+1])
	b0, b1 := int32(c.Start[b]), int32(c.Start[b+1])
	for i := a0; i < a1; i++ {
		n := c.best(i, b0, b1)
		if n < 0 {
			continue
		}
		// With climb <= Headroom at most one entry qualifies on either side:
		// of two that do, the upper one's floor is above the lower one's open
		// space, hence more than Headroom above this floor.
		if c.Climb > c.Headroom && c.best(n, a0, a1) != i {
			continue
		}
		c.Nei[i][d] = n
		c.Nei[n][(d+2)&3] = i
	}
}

// best returns the entry among n0 to n1 that a body goes to from entry i, -1
// where there is none.
func (c *Compact) best(i, n0, n1 int32) int32 {
	y := int(c.Y[i])
	top := c.top(i)
	found, least := int32(-1), c.Climb+1
	for n := n0; n < n1; n++ {
		ny := int(c.Y[n])
		diff := ny - y
		if diff > c.Climb {
			break
		}
		if diff < 0 {
			diff = -diff
		}
		if diff < least && min(top, c.top(n))-max(y, ny) >= c.Headroom {
			found, least = n, diff
		}
	}
	return found
}

// top returns where the open space of entry i ends.
func (c *Compact) top(i int32) int {
	if c.Open[i] == MaxHeight {
		return noCeiling
	}
	return int(c.Y[i]) + int(c.Open[i])
}
