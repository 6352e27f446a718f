package spangrid

import "wend/pack/bnav"

// Medial appends to dst[:0] the medial axis of the free space of a window: the
// cells that lie between obstacles, where the nearest obstacle of a neighbour
// is another one, at a squared distance of lambda2 cells or more from the
// cell's own (the lambda-medial axis of Chazal and Lieutier, 2005). Ragged walls
// give no branches as long as the teeth are smaller than that.
//
// clr is a clearance that minds walls; cells of 0 are the obstacles. Cells at
// the cap are not on the axis, so that what lies farther away does not matter.
// lambda2 is [Rules.Lambda2].
func (n *Nearest) Medial(dst Mask, w Window, clr []uint16, lambda2 int) Mask {
	dst = zeroed(dst, w.Cells())
	at := n.fromZero(w, clr)
	limit := int64(lambda2)
	nx, ny := w.NX, w.NY
	for y, c := 0, 0; y < ny; y++ {
		inner := y > 0 && y < ny-1
		for x := 0; x < nx; x, c = x+1, c+1 {
			if clr[c] == 0 || clr[c] >= CapSquared || at[c].X < 0 {
				continue
			}
			s := at[c]
			if inner && x > 0 && x < nx-1 {
				dst[c] = apart(s, at[c-1], limit) || apart(s, at[c+1], limit) ||
					apart(s, at[c-nx], limit) || apart(s, at[c+nx], limit) ||
					apart(s, at[c-nx-1], limit) || apart(s, at[c-nx+1], limit) ||
					apart(s, at[c+nx-1], limit) || apart(s, at[c+nx+1], limit)
				continue
			}
			for _, d := range neighbours8 {
				u, v := x+d[0], y+d[1]
				if u >= 0 && v >= 0 && u < nx && v < ny && apart(s, at[v*nx+u], limit) {
					dst[c] = true
					break
				}
			}
		}
	}
	return dst
}

// apart reports whether t is a source, and at least so far from s.
func apart(s, t Source, limit int64) bool {
	dx, dy := int64(s.X-t.X), int64(s.Y-t.Y)
	return t.X >= 0 && dx*dx+dy*dy >= limit
}

// A Corridor is the free space along a path of cells.
type Corridor struct {
	Width []float32 // clearance of the nearest cell of the path, px; 0 where there is none
	Band  Mask      // not farther from that cell than its clearance
	Solid Mask      // clearance high enough for a chord
}

// Corridor computes the corridor of a path into dst, whose slices are reused.
// clr is the clearance in the window. A cell is solid where its clearance is at
// least preferred px, and at least the given share of the corridor's width.
func (n *Nearest) Corridor(dst *Corridor, w Window, path Mask, clr []uint16, preferred, share float64) {
	at := n.From(w, path)
	cells := w.Cells()
	dst.Width = zeroed(dst.Width, cells)
	dst.Band = zeroed(dst.Band, cells)
	dst.Solid = zeroed(dst.Solid, cells)
	for y, c := 0, 0; y < w.NY; y++ {
		for x := range w.NX {
			width := 0.0
			if s := at[c]; s.X >= 0 {
				v := bnav.Clearance(clr[int(s.Y)*w.NX+int(s.X)])
				dst.Width[c] = v
				width = float64(v)
				dx, dy := float64(int(s.X)-x)*Side, float64(int(s.Y)-y)*Side
				dst.Band[c] = path[c] || float64(dx*dx)+float64(dy*dy) <= float64(width*width)
			}
			dst.Solid[c] = float64(bnav.Clearance(clr[c])) >= max(preferred, share*width)
			c++
		}
	}
}
