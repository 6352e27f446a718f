package region

import "wend/internal/heightfield"

// distances fills s.blur with the distance of every walkable cell to the
// boundary of its area, blurred, and returns the largest distance before the
// blur. A step sideways counts 2, a diagonal one 3 (the chamfer distance of
// Borgefors, 1986); it takes one sweep forth and one back.
func (s *scratch) distances(c *heightfield.Compact) int {
	n := c.Len()
	nei, area := c.Nei[:n], c.Area[:n]
	dist := sized(s.dist, n)
	s.dist = dist

	for i := range dist {
		l := &nei[i]
		a := area[i]
		if a == heightfield.Unwalkable || !same(area, l[0], a) || !same(area, l[1], a) || !same(area, l[2], a) || !same(area, l[3], a) {
			dist[i] = 0
			continue
		}
		// Inside an area all four neighbours exist. Cells at lower x or z come
		// first in the field and have their value already.
		l0, l3 := l[0], l[3]
		v := min(int(dist[l0])+2, int(dist[l3])+2)
		if k := nei[l0][3]; k >= 0 {
			v = min(v, int(dist[k])+3)
		}
		if k := nei[l3][2]; k >= 0 {
			v = min(v, int(dist[k])+3)
		}
		dist[i] = uint16(min(v, 0xffff))
	}
	maxDist := 0
	for i := n - 1; i >= 0; i-- {
		v := int(dist[i])
		if v == 0 {
			continue
		}
		l2, l1 := nei[i][2], nei[i][1]
		v = min(v, int(dist[l2])+2, int(dist[l1])+2)
		if k := nei[l2][1]; k >= 0 {
			v = min(v, int(dist[k])+3)
		}
		if k := nei[l1][0]; k >= 0 {
			v = min(v, int(dist[k])+3)
		}
		dist[i] = uint16(v)
		maxDist = max(maxDist, v)
	}
	s.smooth(c)
	return maxDist
}

func same(area []uint8, k int32, a uint8) bool { return k >= 0 && area[k] == a }

// smooth averages each distance with its eight neighbours into s.blur, which
// melts the small peaks that would become regions of their own. Cells within
// one step of the boundary stay as they are.
func (s *scratch) smooth(c *heightfield.Compact) {
	dist := s.dist
	n := len(dist)
	nei := c.Nei[:n]
	blur := sized(s.blur, n)
	s.blur = blur
	for i, d := range dist {
		if d <= 2 {
			blur[i] = d
			continue
		}
		self := int(d)
		sum := self
		// A cell off the boundary has all four neighbours.
		for dir := range 4 {
			k := nei[i][dir]
			sum += int(dist[k])
			if diag := nei[k][(dir+1)&3]; diag >= 0 {
				sum += int(dist[diag])
			} else {
				sum += self
			}
		}
		blur[i] = uint16((sum + 5) / 9)
	}
}
