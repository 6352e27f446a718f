package spangrid

// A Border says what lies around a window.
type Border uint8

const (
	OpenBorder  Border = iota // free cells: what is outside is not known, or far enough
	SolidBorder               // obstacles
)

// Distances computes clearances, the squared distance in cells from the middle
// of a cell to the middle of the nearest obstacle, at most [CapSquared]. It
// keeps its scratch, two bytes a column and one a cell. The zero value is
// ready; it is for one goroutine.
//
// The transform is exact, in two passes: distances along columns, then for
// each row the lower envelope of the parabolas that stand on them (Meijster,
// Roerdink and Hesselink, "A general algorithm for computing distance
// transforms in linear time", 2000). Of a row only free cells between two
// obstacles see each other, so every run of free cells is an envelope of its
// own, and a column whose obstacles are all beyond the cap has no parabola.
// Time is linear in the cells of the window.
type Distances struct {
	col  []uint8 // distance to the nearest obstacle of the column, capped
	site []int32 // columns whose parabolas are on the envelope
	from []int32 // where each begins to be the lowest
	free Mask
}

// far is a column distance that changes nothing any more.
const far = CapCells

// Clearance appends the clearance of each cell of a window to dst[:0]; it is 0
// outside the mask. Callers that restore it in px use bnav.Clearance.
func (d *Distances) Clearance(dst []uint16, w Window, mask Mask, border Border) []uint16 {
	dst = sized(dst, w.Cells())
	for i := range dst {
		dst[i] = CapSquared
	}
	d.lower(dst, w, mask, border)
	return dst
}

// Boundary appends to dst[:0] the clearance that minds walls beside the cells
// outside a mask: the least of clr and the distance to the nearest cell of hit
// that is no seam. A seam is where pieces of floor overlap and each has an edge
// of its own: a cell of the mask, with its four neighbours, between which no step
// is forbidden. Cells on the rim of the window are not looked at and stay hit.
//
// clr is the clearance of mask, hit the cells walls run through, and steps the
// forbidden steps that are left after judging twice ([Rules.Rejudge]).
func (d *Distances) Boundary(dst, clr []uint16, w Window, mask, hit Mask, steps []uint8) []uint16 {
	dst = append(dst[:0], clr...)
	n := w.Cells()
	d.free = sized(d.free, n)
	walls := false
	for c, h := range hit[:n] {
		d.free[c] = !h || seam(w, c, mask, steps)
		walls = walls || !d.free[c]
	}
	if walls {
		d.lower(dst, w, d.free, OpenBorder)
	}
	return dst
}

// seam reports whether floor goes on all around a cell.
func seam(w Window, c int, mask Mask, steps []uint8) bool {
	x, y := c%w.NX, c/w.NX
	if x == 0 || y == 0 || x == w.NX-1 || y == w.NY-1 {
		return false
	}
	if !mask[c] || !mask[c-1] || !mask[c+1] || !mask[c-w.NX] || !mask[c+w.NX] {
		return false
	}
	const alongX, alongY = 0x03, 0x0c
	return steps[c]&(alongX|alongY) == 0 && steps[c-1]&alongX == 0 && steps[c-w.NX]&alongY == 0
}

// lower lowers each value of dst to the squared distance to the nearest cell
// that is not free. No value may be above the cap.
func (d *Distances) lower(dst []uint16, w Window, free Mask, border Border) {
	nx, ny := w.NX, w.NY
	if w.Empty() {
		return
	}
	d.col = sized(d.col, nx*ny)
	d.site, d.from = sized(d.site, nx+2), sized(d.from, nx+2)
	outside := uint8(far)
	if border == SolidBorder {
		outside = 0
	}
	for y := 0; y < ny; y++ {
		row, mask := d.col[y*nx:(y+1)*nx], free[y*nx:(y+1)*nx]
		if y == 0 {
			first := min(outside+1, far)
			for x, f := range mask {
				row[x] = first
				if !f {
					row[x] = 0
				}
			}
			continue
		}
		prev := d.col[(y-1)*nx : y*nx]
		for x, f := range mask {
			v := min(prev[x]+1, far)
			if !f {
				v = 0
			}
			row[x] = v
		}
	}
	for y := ny - 1; y >= 0; y-- {
		row := d.col[y*nx : (y+1)*nx]
		near := false
		if y == ny-1 {
			last := min(outside+1, far)
			for x, v := range row {
				v = min(v, last)
				row[x] = v
				near = near || v < far
			}
		} else {
			next := d.col[(y+1)*nx : (y+2)*nx]
			for x, v := range row {
				v = min(v, next[x]+1)
				row[x] = v
				near = near || v < far
			}
		}
		if near || border == SolidBorder {
			d.row(dst[y*nx:(y+1)*nx], row, border)
		}
	}
}

// row lowers the values of a row, given the distances along its columns.
func (d *Distances) row(dst []uint16, col []uint8, border Border) {
	nx := len(col)
	for x := 0; x < nx; {
		if col[x] == 0 {
			dst[x] = 0
			x++
			continue
		}
		end := x + 1
		for end < nx && col[end] != 0 {
			end++
		}
		left, right := x > 0 || border == SolidBorder, end < nx || border == SolidBorder
		if end-x <= shortRun {
			shortRow(dst, col, x, end, left, right)
		} else {
			d.envelope(dst, col, x, end, left, right)
		}
		x = end
	}
}

// shortRun is the length of runs for which comparing all with all is faster
// than an envelope.
const shortRun = 6

// shortRow lowers the values of a run of free cells, from first to before end.
// left and right say whether an obstacle stands before and behind it.
func shortRow(dst []uint16, col []uint8, first, end int, left, right bool) {
	for x := first; x < end; x++ {
		best := int(dst[x])
		if left {
			best = min(best, (x-first+1)*(x-first+1))
		}
		if right {
			best = min(best, (end-x)*(end-x))
		}
		for u := first; u < end; u++ {
			if g := int(col[u]); g < far {
				best = min(best, (x-u)*(x-u)+g*g)
			}
		}
		dst[x] = uint16(best)
	}
}

// envelope does what shortRow does in linear time.
func (d *Distances) envelope(dst []uint16, col []uint8, first, end int, left, right bool) {
	site, from := d.site, d.from
	lo, hi := int64(first), int64(end)
	if left {
		lo--
	}
	if right {
		hi++
	}
	// foot returns where the parabola of a column stands; the obstacles before
	// and behind the run stand at 0.
	foot := func(u int64) int64 {
		if u < int64(first) || u >= int64(end) {
			return 0
		}
		return int64(col[u]) * int64(col[u])
	}
	n := 0
	for u := lo; u < hi; u++ {
		g := foot(u)
		if g >= far*far {
			continue
		}
		at := lo
		for n > 0 {
			s, b := int64(site[n-1]), int64(from[n-1])
			gs := foot(s)
			// Where s begins to be the lowest, is u lower still? Then s is
			// nowhere the lowest.
			if (b-s)*(b-s)+gs > (b-u)*(b-u)+g {
				n--
				continue
			}
			// One behind the last column where s is not above u. Counted from
			// lo that is not negative, so the quotient rounds down.
			p, q := s-lo, u-lo
			at = lo + (q*q-p*p+g-gs)/(2*(q-p)) + 1
			break
		}
		if at < hi {
			site[n], from[n] = int32(u), int32(at)
			n++
		}
	}
	x := int64(end) - 1
	for n--; n >= 0; n-- {
		s := int64(site[n])
		gs := foot(s)
		for stop := max(int64(from[n]), int64(first)); x >= stop; x-- {
			if v := (x-s)*(x-s) + gs; v < int64(dst[x]) {
				dst[x] = uint16(v)
			}
		}
	}
}

// sized returns s with length n and any values.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
