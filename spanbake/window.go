package spanbake

import (
	"slices"

	"wend/spangrid"
)

// window is what the fields of a tile are computed from: the spans of the
// tile's cells and of all cells within the halo, by cell, then height.
type window struct {
	spangrid.Window
	cell   []int32
	h      []float32
	bits   []uint8
	region []uint32
	start  []int32 // first span of each cell, and the total

	protect spangrid.Mask // cells with a dead span

	// Spans by region, then cell, then height.
	order   []int32
	regions []regionSpans
}

// regionSpans is the part of window.order that belongs to a region.
type regionSpans struct {
	id         uint32
	first, end int32
	box        spangrid.Window // of its cells
}

// gather fills the window from the tiles that meet it.
func (w *window) gather(win spangrid.Window, t *tiling, load func(k int) (*spanTile, error)) error {
	w.Window = win
	w.cell, w.h, w.bits, w.region = w.cell[:0], w.h[:0], w.bits[:0], w.region[:0]
	tiles := map[int]*spanTile{}
	err := t.meeting(win, func(k int) error {
		st, err := load(k)
		tiles[k] = st
		return err
	})
	if err != nil {
		return err
	}
	for gy := win.GY; gy < win.GY+win.NY; gy++ {
		line := spangrid.Window{GX: win.GX, GY: gy, NX: win.NX, NY: 1}
		_ = t.meeting(line, func(k int) error {
			w.appendRow(tiles[k], t.owned(k), gy)
			return nil
		})
	}
	w.index()
	return nil
}

// appendRow appends what a row of the window takes from a tile.
func (w *window) appendRow(t *spanTile, owned spangrid.Window, gy int) {
	y := gy - owned.GY
	x0 := max(w.GX-owned.GX, 0)
	x1 := min(w.GX+w.NX-owned.GX, owned.NX)
	a, b := int(t.row[y]), int(t.row[y+1])
	base := int32(y * owned.NX)
	i, _ := slices.BinarySearch(t.cell[a:b], base+int32(x0))
	j, _ := slices.BinarySearch(t.cell[a:b], base+int32(x1))
	a, b = a+i, a+j
	shift := int32(w.Cell(owned.GX, gy)) - base
	for _, c := range t.cell[a:b] {
		w.cell = append(w.cell, c+shift)
	}
	w.h = append(w.h, t.h[a:b]...)
	w.bits = append(w.bits, t.bits[a:b]...)
	w.region = append(w.region, t.region[a:b]...)
}

// index finds the spans of cells and of regions.
func (w *window) index() {
	n := w.Cells()
	w.start = resize(w.start, n+1)
	clear(w.start)
	w.protect = resize(w.protect, n)
	clear(w.protect)
	for i, c := range w.cell {
		w.start[c+1]++
		if w.bits[i]&spangrid.Dead != 0 {
			w.protect[c] = true
		}
	}
	for c := range n {
		w.start[c+1] += w.start[c]
	}
	w.order = resize(w.order, len(w.cell))
	for i := range w.order {
		w.order[i] = int32(i)
	}
	slices.SortFunc(w.order, func(a, b int32) int {
		if ra, rb := w.region[a], w.region[b]; ra != rb {
			if ra < rb {
				return -1
			}
			return 1
		}
		return int(a - b)
	})
	w.regions = w.regions[:0]
	for i := 0; i < len(w.order); {
		id := w.region[w.order[i]]
		j := i
		x0, x1, y0, y1 := w.NX, -1, w.NY, -1
		for ; j < len(w.order) && w.region[w.order[j]] == id; j++ {
			c := int(w.cell[w.order[j]])
			x, y := c%w.NX, c/w.NX
			x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
		}
		w.regions = append(w.regions, regionSpans{id, int32(i), int32(j), spangrid.Window{
			GX: w.GX + x0, GY: w.GY + y0, NX: x1 - x0 + 1, NY: y1 - y0 + 1,
		}})
		i = j
	}
}

// resize returns s with length n and any values.
func resize[S ~[]T, T any](s S, n int) S {
	if cap(s) < n {
		return make(S, n)
	}
	return s[:n]
}
