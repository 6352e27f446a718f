package spanroute

import (
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// floors tells which walkable floors lie over the places of a page: it lists the
// triangles of each small square, since making a page asks for thousands of
// places. It keeps its memory from one page to the next.
type floors struct {
	mesh  *zone.Zone
	win   spangrid.Window
	known bool

	near  []int32 // triangles around the window
	start []int32 // first triangle of each square, and the total
	list  []int32 // ascending inside a square
	n     int     // squares to a side
}

const (
	floorSquare = 8 // cells
	// floorSlack is more than a place may be outside of a triangle that covers it,
	// px: rounding alone.
	floorSlack = 0.01
)

// reset begins a page.
func (f *floors) reset(mesh *zone.Zone, win spangrid.Window) {
	f.mesh, f.win, f.known = mesh, win, false
}

// over appends the heights of the walkable floors over a place, in the order of
// their triangles.
func (f *floors) over(dst []float64, at spanpath.Point) []float64 {
	if !f.known {
		f.index()
	}
	x, y := spangrid.CellOf(at.U)-f.win.GX, spangrid.CellOf(at.V)-f.win.GY
	if uint(x) >= uint(f.win.NX) || uint(y) >= uint(f.win.NY) {
		f.near = f.mesh.Over(f.near, at.U, at.V, func(_ int32, h float64, walkable bool) {
			if walkable {
				dst = append(dst, h)
			}
		})
		return dst
	}
	k := y/floorSquare*f.n + x/floorSquare
	for _, t := range f.list[f.start[k]:f.start[k+1]] {
		if h, ok := f.mesh.HeightAt(t, at.U, at.V); ok {
			dst = append(dst, h)
		}
	}
	return dst
}

// index lists the walkable triangles of each square.
func (f *floors) index() {
	f.known = true
	f.n = (max(f.win.NX, f.win.NY) + floorSquare - 1) / floorSquare
	w := f.win
	f.near = f.mesh.Near(f.near[:0], zone.Box{
		U0: float64(w.GX) * spangrid.Side, V0: float64(w.GY) * spangrid.Side,
		U1: float64(w.GX+w.NX) * spangrid.Side, V1: float64(w.GY+w.NY) * spangrid.Side,
	})
	f.start = append(f.start[:0], make([]int32, f.n*f.n+1)...)
	f.each(func(k int, _ int32) { f.start[k+1]++ })
	for k := range f.n * f.n {
		f.start[k+1] += f.start[k]
	}
	total := int(f.start[f.n*f.n])
	if cap(f.list) < total {
		f.list = make([]int32, total)
	}
	f.list = f.list[:total]
	// Each square's start goes up to the next one's, and back afterwards.
	f.each(func(k int, t int32) {
		f.list[f.start[k]] = t
		f.start[k]++
	})
	copy(f.start[1:], f.start)
	f.start[0] = 0
}

// each calls do with every square that a triangle may cover a place of.
func (f *floors) each(do func(square int, t int32)) {
	square := func(v float64, first int) int {
		return max(min((spangrid.CellOf(v)-first)/floorSquare, f.n), -1)
	}
	for _, t := range f.near {
		if !f.mesh.Walkable[t] {
			continue
		}
		b := f.mesh.BoxOf(t)
		if spangrid.CellOf(b.U1+floorSlack) < f.win.GX || spangrid.CellOf(b.V1+floorSlack) < f.win.GY {
			continue
		}
		x0, x1 := max(square(b.U0-floorSlack, f.win.GX), 0), min(square(b.U1+floorSlack, f.win.GX), f.n-1)
		y0, y1 := max(square(b.V0-floorSlack, f.win.GY), 0), min(square(b.V1+floorSlack, f.win.GY), f.n-1)
		for y := y0; y <= y1; y++ {
			for x := x0; x <= x1; x++ {
				do(y*f.n+x, t)
			}
		}
	}
}
