package spangrid

import "math"

// LayerScratch is what the operators on masks need besides. The zero value is
// ready; it is for one goroutine.
type LayerScratch struct {
	runs  []run
	cells []int32
	grow  []int32

	link      [][4]int32
	base, now []float32
}

// run is a stretch of a row of cells outside a mask.
type run struct {
	first, end int32 // cells
	parent     int32
	size       int32 // cells of the hole, at its root; beyond MaxHole it is not filled
}

// FillHoles adds small holes to a mask: the sets of cells outside it, connected
// by sides, that have at most [MaxHole] cells, do not reach the rim of the window
// and have no cell in protect.
//
// A window may be cut down to the cells of the mask and one more on every side,
// as far as the larger window has them, and the result is the same: all beyond is
// outside the mask and connected to the larger window's rim. Time is linear in the
// cells and nearly so in the runs of cells outside the mask.
func FillHoles(mask Mask, w Window, protect Mask, s *LayerScratch) {
	if w.Empty() {
		return
	}
	s.runs = s.runs[:0]
	above := 0 // first run of the row before
	for y := range w.NY {
		from := len(s.runs)
		s.row(mask, w, protect, y)
		s.joinRows(above, from, int32(w.NX))
		above = from
	}
	for i := range s.runs {
		r := &s.runs[i]
		if s.runs[s.root(int32(i))].size <= MaxHole {
			for c := r.first; c < r.end; c++ {
				mask[c] = true
			}
		}
	}
}

// row appends the runs of a row.
func (s *LayerScratch) row(mask Mask, w Window, protect Mask, y int) {
	row := mask[y*w.NX : (y+1)*w.NX]
	for x := 0; x < len(row); x++ {
		if row[x] {
			continue
		}
		end := x + 1
		for end < len(row) && !row[end] {
			end++
		}
		first := y * w.NX
		r := run{int32(first + x), int32(first + end), int32(len(s.runs)), int32(end - x)}
		if y == 0 || y == w.NY-1 || x == 0 || end == w.NX || r.size <= MaxHole && has(protect[r.first:r.end]) {
			r.size = MaxHole + 1
		}
		s.runs = append(s.runs, r)
		x = end
	}
}

func has(m Mask) bool {
	for _, b := range m {
		if b {
			return true
		}
	}
	return false
}

// joinRows joins runs of a row, which begin at from, to those of the row before
// that they touch.
func (s *LayerScratch) joinRows(above, from int, nx int32) {
	i := above
	for k := from; k < len(s.runs); k++ {
		first, end := s.runs[k].first-nx, s.runs[k].end-nx
		for i < from && s.runs[i].end <= first {
			i++
		}
		for j := i; j < from && s.runs[j].first < end; j++ {
			s.join(int32(j), int32(k))
		}
	}
}

func (s *LayerScratch) join(i, k int32) {
	i, k = s.root(i), s.root(k)
	if i == k {
		return
	}
	if i > k {
		i, k = k, i
	}
	s.runs[k].parent = i
	s.runs[i].size = min(s.runs[i].size+s.runs[k].size, MaxHole+1) // stays beyond
}

func (s *LayerScratch) root(i int32) int32 {
	for s.runs[i].parent != i {
		s.runs[i].parent = s.runs[s.runs[i].parent].parent
		i = s.runs[i].parent
	}
	return i
}

// CloseCracks adds narrow gaps to core: cells of lay that are not in protect
// and have a cell of core within [CrackReach] on both sides, along x or along y.
// It does so in at most [CrackRounds] rounds, each on what the one before it left.
// Gaps of up to three cells close.
func CloseCracks(core Mask, w Window, lay, protect Mask, s *LayerScratch) {
	s.cells = s.cells[:0]
	for c, l := range lay[:w.Cells()] {
		if l && !core[c] && !protect[c] {
			s.cells = append(s.cells, int32(c))
		}
	}
	for range CrackRounds {
		s.grow = s.grow[:0]
		rest := s.cells[:0]
		for _, c := range s.cells {
			if crack(core, w, int(c)) {
				s.grow = append(s.grow, c)
			} else {
				rest = append(rest, c)
			}
		}
		if len(s.grow) == 0 {
			return
		}
		for _, c := range s.grow {
			core[c] = true
		}
		s.cells = rest
	}
}

// crack reports whether core is near on both sides of a cell.
func crack(core Mask, w Window, c int) bool {
	x, y := c%w.NX, c/w.NX
	return reaches(core, c, -1, x) && reaches(core, c, 1, w.NX-1-x) ||
		reaches(core, c, -w.NX, y) && reaches(core, c, w.NX, w.NY-1-y)
}

// reaches looks for a cell of core in steps of d from c, of which there are n in
// the window.
func reaches(core Mask, c, d, n int) bool {
	for range min(n, CrackReach) {
		if c += d; core[c] {
			return true
		}
	}
	return false
}

// Ghosts are the cells that a region fills without a span of its own, and the
// heights they get: that of the lowest span found by spreading from cell to
// cell, or +Inf where nothing was found ([Ghosts.Fill]).
type Ghosts struct {
	Cell []int32 // ascending
	H    []float32
}

// Fill reports whether ghost i has no height.
func (g *Ghosts) Fill(i int) bool { return math.IsInf(float64(g.H[i]), 1) }

// FindGhosts finds the ghosts of a region, the cells of lay without a span in t,
// which are the region's spans. Their heights are spread in at most
// [GhostRounds] rounds; in each, all ghosts at once take the lowest of their own
// and of their four neighbours' heights, of a neighbour with spans its lowest
// one.
func FindGhosts(dst *Ghosts, lay Mask, t *Columns, s *LayerScratch) {
	dst.Cell, dst.H = dst.Cell[:0], dst.H[:0]
	for w, b := range t.bits {
		c0 := w << 6
		for k, l := range lay[c0:min(c0+64, t.Cells())] {
			if l && b>>k&1 == 0 {
				dst.Cell = append(dst.Cell, int32(c0+k))
			}
		}
	}
	if len(dst.Cell) > 0 {
		s.spread(dst, t)
	}
}

// spread gives the ghosts their heights.
func (s *LayerScratch) spread(g *Ghosts, t *Columns) {
	n := len(g.Cell)
	inf := float32(math.Inf(1))
	s.link = sized(s.link, n)
	s.base = sized(s.base, n) // lowest of the neighbours with spans
	g.H = sized(g.H, n)
	for i, c := range g.Cell {
		s.base[i], g.H[i] = inf, inf
		me := int32(i)
		s.link[i] = [4]int32{me, me, me, me} // itself: changes nothing
		x, y := int(c)%t.NX, int(c)/t.NX
		for _, d := range neighbours8[:4] {
			nx, ny := x+d[0], y+d[1]
			if nx < 0 || ny < 0 || nx >= t.NX || ny >= t.NY {
				continue
			}
			if h := t.Heights(ny*t.NX + nx); len(h) > 0 {
				s.base[i] = min(s.base[i], h[0])
			}
		}
	}
	below := 0 // first ghost at or behind the cell one row on
	for i, c := range g.Cell {
		if i+1 < n && g.Cell[i+1] == c+1 && int(c+1)%t.NX != 0 {
			s.link[i][0], s.link[i+1][1] = int32(i+1), int32(i)
		}
		for below < n && int(g.Cell[below]) < int(c)+t.NX {
			below++
		}
		if below < n && int(g.Cell[below]) == int(c)+t.NX {
			s.link[i][2], s.link[below][3] = int32(below), int32(i)
		}
	}
	s.now = sized(s.now, n)
	for range GhostRounds {
		changed := false
		for i := range g.H {
			v := min(g.H[i], s.base[i])
			for _, j := range s.link[i] {
				v = min(v, g.H[j])
			}
			s.now[i] = v
			changed = changed || v != g.H[i]
		}
		if !changed {
			return
		}
		copy(g.H, s.now)
	}
}
