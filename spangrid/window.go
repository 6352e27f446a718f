package spangrid

import "math"

// Window is a rectangle of a zone's cells, which are numbered over the whole
// zone and may be negative. A cell (x, y) of the window, counted from its
// first, has the number y*NX + x.
type Window struct {
	GX, GY int // first column and row
	NX, NY int // columns and rows
}

// CellOf returns the column (or row) of a coordinate, px. It is exact.
func CellOf(v float64) int { return int(math.Floor(v * (1 / Side))) }

// Center returns the middle of a column (or row), px.
func Center(g int) float64 { return float64((float64(g) + 0.5) * Side) }

// Cells returns the number of cells.
func (w Window) Cells() int { return w.NX * w.NY }

// Has reports whether the window contains the cell of column gx and row gy.
func (w Window) Has(gx, gy int) bool {
	return gx >= w.GX && gy >= w.GY && gx < w.GX+w.NX && gy < w.GY+w.NY
}

// Cell returns the number of a cell that the window contains.
func (w Window) Cell(gx, gy int) int { return (gy-w.GY)*w.NX + gx - w.GX }

// At returns column and row of a cell number.
func (w Window) At(cell int) (gx, gy int) { return w.GX + cell%w.NX, w.GY + cell/w.NX }

// Grow returns the window with n cells more on every side.
func (w Window) Grow(n int) Window {
	return Window{w.GX - n, w.GY - n, w.NX + 2*n, w.NY + 2*n}
}

// Intersect returns what two windows share, of size 0 where that is nothing.
func (w Window) Intersect(o Window) Window {
	x0, y0 := max(w.GX, o.GX), max(w.GY, o.GY)
	x1, y1 := min(w.GX+w.NX, o.GX+o.NX), min(w.GY+w.NY, o.GY+o.NY)
	return Window{x0, y0, max(x1-x0, 0), max(y1-y0, 0)}
}

// Empty reports whether the window has no cell.
func (w Window) Empty() bool { return w.NX <= 0 || w.NY <= 0 }

// Mask is a set of cells, one value per cell of a window.
type Mask []bool

// Count returns the number of cells in the set.
func (m Mask) Count() int {
	n := 0
	for _, b := range m {
		if b {
			n++
		}
	}
	return n
}
