package spangrid

import "math"

// A Layer computes the masks of one region on a window and keeps its scratch.
// It is for one goroutine.
type Layer struct {
	stack []int32
	seen  Mask
	add   []int32
	next  []float32
}

// FillHoles sets the holes of a mask: the sets of cells outside of it, joined by
// their sides, that touch no cell on the rim of the window, have at most maxCells
// cells, and none that is protected.
//
// A window that holds the whole of a region and a ring of cells around it gives
// the same as a larger one. Time is linear in the cells.
func (l *Layer) FillHoles(m Mask, w Window, maxCells int, protect Mask) {
	nx, ny := w.NX, w.NY
	l.seen = zeroed(l.seen, w.Cells())
	for start := range m {
		if m[start] || l.seen[start] {
			continue
		}
		// One hole, to its end even where it is too large: every cell is looked
		// at once.
		hole := append(l.stack[:0], int32(start))
		l.seen[start] = true
		open := false
		for i := 0; i < len(hole); i++ {
			c := int(hole[i])
			x, y := c%nx, c/nx
			if x == 0 || y == 0 || x == nx-1 || y == ny-1 || protect[c] {
				open = true
			}
			for _, d := range [4]int{1, -1, nx, -nx} {
				n := c + d
				switch {
				case d == 1 && x == nx-1, d == -1 && x == 0, n < 0, n >= len(m):
					continue
				}
				if !m[n] && !l.seen[n] {
					l.seen[n] = true
					hole = append(hole, int32(n))
				}
			}
		}
		l.stack = hole
		if !open && len(hole) <= maxCells {
			for _, c := range hole {
				m[c] = true
			}
		}
	}
}

// CloseCracks adds to core the cells of the layer, not protected, that have
// core within CrackReach cells on both sides, along x or along y. What a round
// adds counts from the next on; there are at most CrackRounds. Cracks up to
// three cells wide close, wider ones stay.
func (l *Layer) CloseCracks(core Mask, w Window, layer, protect Mask) {
	nx, ny := w.NX, w.NY
	for range CrackRounds {
		l.add = l.add[:0]
		for y := range ny {
			row := y * nx
			for x := range nx {
				c := row + x
				if core[c] || !layer[c] || protect[c] {
					continue
				}
				alongX := (x >= 1 && core[c-1] || x >= 2 && core[c-2]) &&
					(x+1 < nx && core[c+1] || x+2 < nx && core[c+2])
				if alongX || (y >= 1 && core[c-nx] || y >= 2 && core[c-2*nx]) &&
					(y+1 < ny && core[c+nx] || y+2 < ny && core[c+2*nx]) {
					l.add = append(l.add, int32(c))
				}
			}
		}
		if len(l.add) == 0 {
			return
		}
		for _, c := range l.add {
			core[c] = true
		}
	}
}

// NoHeight is the height of cells for which [Layer.Ghosts] found none.
var NoHeight = float32(math.Inf(1))

// Ghosts returns the heights of ghosts: cells of the layer in which the region
// has no span, low being NoHeight there and its lowest height in the others. A
// ghost takes the least of its own and its four neighbours' heights, all at once,
// for at most GhostRounds rounds. low is changed and returned; cells that are
// not ghosts keep what they have.
func (l *Layer) Ghosts(low []float32, w Window, layer Mask) []float32 {
	nx, ny := w.NX, w.NY
	l.add = l.add[:0]
	for c, in := range layer {
		if in && low[c] == NoHeight {
			l.add = append(l.add, int32(c))
		}
	}
	next := l.next
	for range GhostRounds {
		next = next[:0]
		changed := false
		for _, g := range l.add {
			c := int(g)
			x, y := c%nx, c/nx
			h := low[c]
			if x > 0 {
				h = min(h, low[c-1])
			}
			if x+1 < nx {
				h = min(h, low[c+1])
			}
			if y > 0 {
				h = min(h, low[c-nx])
			}
			if y+1 < ny {
				h = min(h, low[c+nx])
			}
			changed = changed || h != low[c]
			next = append(next, h)
		}
		if !changed {
			break
		}
		for i, g := range l.add {
			low[g] = next[i]
		}
	}
	l.next = next
	return low
}
