package spangrid

import (
	"fmt"
	"math"
	"slices"

	"wend/pack/bnav"
)

// Samples are heights found in cells of a window, in no order.
type Samples struct {
	Cell []int32
	H    []float32
	In   []bool // the middle of the cell is inside the triangle, seen from above
}

// Reset empties the list.
func (s *Samples) Reset() { s.Cell, s.H, s.In = s.Cell[:0], s.H[:0], s.In[:0] }

// Len returns the number of samples.
func (s *Samples) Len() int { return len(s.Cell) }

func (s *Samples) add(cell int, h float32, in bool) {
	s.Cell = append(s.Cell, int32(cell))
	s.H = append(s.H, h)
	s.In = append(s.In, in)
}

// insideSlack is how far outside of a triangle the middle of a cell may be and
// still count as inside, in barycentric coordinates.
const insideSlack = 1e-12

// maxSamples bounds what a window takes in memory. It is over 500 samples for each
// cell of a window of 512 x 512.
const maxSamples = 1 << 27

// A TooManySamplesError says that more triangles lie over each other in a window
// than can be held.
type TooManySamplesError struct {
	Window  Window
	Samples int // how many there are at least
}

func (e *TooManySamplesError) Error() string {
	return fmt.Sprintf("spangrid: over %d samples in the %d x %d cells at column %d, row %d: too many triangles lie over each other",
		e.Samples-1, e.Window.NX, e.Window.NY, e.Window.GX, e.Window.GY)
}

// Rasterize appends a sample for each cell that a triangle touches, seen from
// above, and one at the triangle's centroid. list holds the numbers of the
// triangles to take; those that miss the window give nothing. Coordinates should
// be finite and within 2^18 px of the origin; with others the samples mean nothing,
// but lie in the window.
//
// A triangle touches a cell when no line through one of its edges, and no line
// along an axis, parts them; a shared point is enough. Only cells from
// floor(lowest) to floor(highest) coordinate are looked at, so a triangle that
// ends on a cell line from above or the right does not reach the cell beyond,
// and one that ends there from below or the left does. A triangle that is a
// line seen from above gives samples along the line.
//
// The height is that of the triangle's plane at the middle of the cell, the
// barycentric coordinates clamped into the triangle one after the other.
//
// Time is linear in the samples and in the rows of the triangles' boxes inside
// the window. The only error is *[TooManySamplesError]; what was found until
// then is in s.
func Rasterize(s *Samples, w Window, verts []bnav.Vertex, tris [][3]uint32, list []int32) error {
	return rasterize(s, w, verts, tris, list, maxSamples)
}

func rasterize(s *Samples, w Window, verts []bnav.Vertex, tris [][3]uint32, list []int32, limit int) error {
	var r rasterizer
	for _, t := range list {
		r.set(verts, tris[t])
		if !r.rows(s, w, limit) {
			return &TooManySamplesError{w, limit + 1}
		}
	}
	lowX, lowY := float64(w.GX)*Side, float64(w.GY)*Side
	highX, highY := float64(w.GX+w.NX)*Side, float64(w.GY+w.NY)*Side
	for _, t := range list {
		a, b, c := verts[tris[t][0]], verts[tris[t][1]], verts[tris[t][2]]
		x := (float64(a.U) + float64(b.U) + float64(c.U)) / 3
		y := (float64(a.V) + float64(b.V) + float64(c.V)) / 3
		if !(x >= lowX && y >= lowY && x < highX && y < highY) {
			continue // also where it is no number
		}
		if s.Len() >= limit {
			return &TooManySamplesError{w, limit + 1}
		}
		h := (float64(a.H) + float64(b.H) + float64(c.H)) / 3
		s.add(w.Cell(CellOf(x), CellOf(y)), float32(h), false)
	}
	return nil
}

// rasterizer holds a triangle and what does not change from cell to cell.
type rasterizer struct {
	x, y, h    [3]float64
	nx, ny, r  [3]float64 // edge normals, and how far half a cell reaches along them
	den        float64    // twice the area
	minX, maxX float64
	minY, maxY float64
}

const half = Side / 2

func (r *rasterizer) set(verts []bnav.Vertex, t [3]uint32) {
	for k, v := range t {
		r.x[k], r.y[k], r.h[k] = float64(verts[v].U), float64(verts[v].V), float64(verts[v].H)
	}
	for k := range 3 {
		l := (k + 1) % 3
		r.nx[k], r.ny[k] = -(r.y[l] - r.y[k]), r.x[l]-r.x[k]
		r.r[k] = half * (math.Abs(r.nx[k]) + math.Abs(r.ny[k]))
	}
	r.minX, r.maxX = min(r.x[0], r.x[1], r.x[2]), max(r.x[0], r.x[1], r.x[2])
	r.minY, r.maxY = min(r.y[0], r.y[1], r.y[2]), max(r.y[0], r.y[1], r.y[2])
	r.den = float64((r.x[1]-r.x[0])*(r.y[2]-r.y[0])) - float64((r.y[1]-r.y[0])*(r.x[2]-r.x[0]))
	if math.Abs(r.den) < 1e-12 {
		r.den = 1e-12
	}
}

// rows scans the rows of the triangle's box. It reports false where there would
// be more samples than the limit.
func (r *rasterizer) rows(s *Samples, w Window, limit int) bool {
	gx0, gx1 := max(CellOf(r.minX), w.GX), min(CellOf(r.maxX), w.GX+w.NX-1)
	gy0, gy1 := max(CellOf(r.minY), w.GY), min(CellOf(r.maxY), w.GY+w.NY-1)
	if gx0 > gx1 {
		return true
	}
	for gy := gy0; gy <= gy1; gy++ {
		py := Center(gy)
		lo, hi := gx0, gx1
		if hi-lo > 2 {
			lo, hi = r.outline(py, gx0, gx1)
		}
		first, last := r.run(py, gx0, gx1, lo, hi)
		if first > last {
			continue
		}
		if s.Len() > limit-(last-first+1) {
			return false
		}
		r.fill(s, w.Cell(first, gy), first, last, py)
	}
	return true
}

// run returns the first and the last of the columns gx0..gx1 in which the
// triangle touches the row at py; first > last where it touches none. lo and hi
// are a guess at them, which the result does not depend on.
//
// What [rasterizer.touches] accepts in a row is one run, to the bit: each of its
// projections is monotone along the row, since rounding is monotone, and so each
// of its comparisons holds from some column on, or up to some column. So it is
// enough to ask around the two ends.
func (r *rasterizer) run(py float64, gx0, gx1, lo, hi int) (first, last int) {
	first = r.seek(lo, hi, py)
	if first > hi { // the guess is all wrong
		lo, hi = gx0, gx1
		if first = r.seek(lo, hi, py); first > hi {
			return 1, 0
		}
	}
	if first == lo {
		for first > gx0 && r.touches(Center(first-1), py) {
			first--
		}
	}
	last = hi
	for last > first && !r.touches(Center(last), py) {
		last--
	}
	if last == hi {
		for last < gx1 && r.touches(Center(last+1), py) {
			last++
		}
	}
	return first, last
}

// seek returns the first column from lo to hi that is touched, or hi+1.
func (r *rasterizer) seek(lo, hi int, py float64) int {
	for lo <= hi && !r.touches(Center(lo), py) {
		lo++
	}
	return lo
}

// outline returns about which columns the triangle covers in a row.
func (r *rasterizer) outline(py float64, gx0, gx1 int) (lo, hi int) {
	y0, y1 := py-half, py+half
	x0, x1 := math.Inf(1), math.Inf(-1)
	for k := range 3 {
		l := (k + 1) % 3
		ax, ay, bx, by := r.x[k], r.y[k], r.x[l], r.y[l]
		if ay > by {
			ax, ay, bx, by = bx, by, ax, ay
		}
		if by < y0 || ay > y1 {
			continue
		}
		// the part of the edge between the two lines of the row
		pa, pb := ax, bx
		if ay < y0 {
			pa = ax + float64((bx-ax)*((y0-ay)/(by-ay)))
		}
		if by > y1 {
			pb = ax + float64((bx-ax)*((y1-ay)/(by-ay)))
		}
		x0, x1 = min(x0, pa, pb), max(x1, pa, pb)
	}
	if x0 > x1 {
		return gx0, gx1 // every edge misses the row by a rounding
	}
	lo, hi = max(gx0, CellOf(x0)), min(gx1, CellOf(x1))
	return min(lo, gx1), max(hi, gx0)
}

// touches is the test on five axes, every comparison closed.
func (r *rasterizer) touches(px, py float64) bool {
	if r.minX-px > half || r.maxX-px < -half || r.minY-py > half || r.maxY-py < -half {
		return false
	}
	x0, x1, x2 := r.x[0]-px, r.x[1]-px, r.x[2]-px
	y0, y1, y2 := r.y[0]-py, r.y[1]-py, r.y[2]-py
	for k := range 3 {
		nx, ny, d := r.nx[k], r.ny[k], r.r[k]
		p0 := float64(x0*nx) + float64(y0*ny)
		p1 := float64(x1*nx) + float64(y1*ny)
		p2 := float64(x2*nx) + float64(y2*ny)
		if p0 > d && p1 > d && p2 > d || p0 < -d && p1 < -d && p2 < -d {
			return false
		}
	}
	return true
}

// fill appends the samples of a run of a row: for each the height at the middle
// of the cell, and whether it is inside.
func (r *rasterizer) fill(s *Samples, cell, first, last int, py float64) {
	n := last - first + 1
	at := s.Len()
	s.Cell = slices.Grow(s.Cell, n)[:at+n]
	s.H = slices.Grow(s.H, n)[:at+n]
	s.In = slices.Grow(s.In, n)[:at+n]
	cells, hs, ins := s.Cell[at:], s.H[at:][:n], s.In[at:][:n]

	e1x, e1y := r.x[1]-r.x[0], r.y[1]-r.y[0]
	e2x, e2y := r.x[2]-r.x[0], r.y[2]-r.y[0]
	h1, h2 := r.h[1]-r.h[0], r.h[2]-r.h[0]
	qy := py - r.y[0]
	ty, uy := float64(qy*e2x), float64(e1x*qy) // the same along the row
	for i := range hs {
		qx := Center(first+i) - r.x[0]
		t := (float64(qx*e2y) - ty) / r.den
		u := (uy - float64(e1y*qx)) / r.den
		cells[i] = int32(cell + i)
		ins[i] = t >= -insideSlack && u >= -insideSlack && t+u <= 1+insideSlack
		t = min(max(t, 0), 1)
		u = min(max(u, 0), 1-t)
		hs[i] = float32(r.h[0] + float64(t*h1) + float64(u*h2))
	}
}
