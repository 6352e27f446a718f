package spangrid

import (
	"math"

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

// Rasterize appends a sample for each cell that a triangle touches, seen from
// above, and one at the triangle's centroid. list holds the numbers of the
// triangles to take; those that miss the window give nothing.
//
// A triangle touches a cell when no line through one of its edges, and no line
// along an axis, parts them; a shared point is enough. Only cells from
// floor(lowest) to floor(highest) coordinate are looked at, so a triangle that
// ends on a cell line from above or the right does not reach the cell beyond,
// and one that ends there from below or the left does. A triangle that is a
// line seen from above gives samples along the line.
//
// The height is that of the triangle's plane at the middle of the cell, the
// barycentric coordinates clamped into the triangle one after the other. Time
// is linear in the cells of the triangles' boxes inside the window.
func Rasterize(s *Samples, w Window, verts []bnav.Vertex, tris [][3]uint32, list []int32) {
	for _, t := range list {
		var r rasterizer
		r.set(verts, tris[t])
		r.rows(s, w)
	}
	lowX, lowY := float64(w.GX)*Side, float64(w.GY)*Side
	highX, highY := float64(w.GX+w.NX)*Side, float64(w.GY+w.NY)*Side
	for _, t := range list {
		a, b, c := verts[tris[t][0]], verts[tris[t][1]], verts[tris[t][2]]
		x := (float64(a.U) + float64(b.U) + float64(c.U)) / 3
		y := (float64(a.V) + float64(b.V) + float64(c.V)) / 3
		if x < lowX || y < lowY || x >= highX || y >= highY {
			continue
		}
		h := (float64(a.H) + float64(b.H) + float64(c.H)) / 3
		s.add(w.Cell(CellOf(x), CellOf(y)), float32(h), false)
	}
}

// rasterizer holds a triangle and what does not change from cell to cell.
type rasterizer struct {
	x, y, h    [3]float64
	nx, ny, r  [3]float64 // edge normals, and how far half a cell reaches along them
	den        float64
	minX, maxX float64
	minY, maxY float64
}

func (r *rasterizer) set(verts []bnav.Vertex, t [3]uint32) {
	for k, v := range t {
		r.x[k], r.y[k], r.h[k] = float64(verts[v].U), float64(verts[v].V), float64(verts[v].H)
	}
	const half = Side / 2
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

// rows scans the cells of the triangle's box.
func (r *rasterizer) rows(s *Samples, w Window) {
	gx0, gx1 := max(CellOf(r.minX), w.GX), min(CellOf(r.maxX), w.GX+w.NX-1)
	gy0, gy1 := max(CellOf(r.minY), w.GY), min(CellOf(r.maxY), w.GY+w.NY-1)
	for gy := gy0; gy <= gy1; gy++ {
		py := Center(gy)
		lo, hi := gx0, gx1
		if gx1-gx0 > 2 {
			lo, hi = r.span(py, gx0, gx1)
		}
		hit := false
		for gx := lo; gx <= hi; gx++ {
			px := Center(gx)
			if !r.touches(px, py) {
				if hit {
					break // what a convex shape touches in a row is one run
				}
				continue
			}
			hit = true
			h, in := r.height(px, py)
			s.add(w.Cell(gx, gy), h, in)
		}
	}
}

// span narrows the columns of a row to those that can touch the triangle, with
// a column to spare on either side against rounding.
func (r *rasterizer) span(py float64, gx0, gx1 int) (lo, hi int) {
	const half = Side / 2
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
		if d := by - ay; d > 0 {
			if ay < y0 {
				pa = ax + float64((bx-ax)*((y0-ay)/d))
			}
			if by > y1 {
				pb = ax + float64((bx-ax)*((y1-ay)/d))
			}
		}
		x0, x1 = min(x0, pa, pb), max(x1, pa, pb)
	}
	if x0 > x1 {
		return gx0, gx1 // every edge misses the row by a rounding: look at all
	}
	return max(gx0, CellOf(x0)-2), min(gx1, CellOf(x1)+2)
}

// touches is the test on five axes, every comparison closed.
func (r *rasterizer) touches(px, py float64) bool {
	const half = Side / 2
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
		if min(p0, p1, p2) > d || max(p0, p1, p2) < -d {
			return false
		}
	}
	return true
}

// height returns the height at the middle of a cell, and whether it is inside.
func (r *rasterizer) height(px, py float64) (float32, bool) {
	qx, qy := px-r.x[0], py-r.y[0]
	e1x, e1y := r.x[1]-r.x[0], r.y[1]-r.y[0]
	e2x, e2y := r.x[2]-r.x[0], r.y[2]-r.y[0]
	t := (float64(qx*e2y) - float64(qy*e2x)) / r.den
	u := (float64(e1x*qy) - float64(e1y*qx)) / r.den
	in := t >= -insideSlack && u >= -insideSlack && t+u <= 1+insideSlack
	t = min(max(t, 0), 1)
	u = min(max(u, 0), 1-t)
	return float32(r.h[0] + float64(t*(r.h[1]-r.h[0])) + float64(u*(r.h[2]-r.h[0]))), in
}
