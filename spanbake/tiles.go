package spanbake

import (
	"wend/pack/bnav"
	"wend/spangrid"
)

// halo is how far the window of a tile's fields reaches over its cells.
const halo = 96

// maxTiles bounds the tiles of a zone: what is held for each takes memory
// whether there is ground in it or not.
const maxTiles = 1 << 20

// apron is the margin that a tile declares in the grid's directory, cells.
const apron = 64

// tiling cuts the cells of a zone into tiles. Tile (i, j) has the cells from
// (i*size, j*size) on: it keeps its place when the zone grows.
type tiling struct {
	size   int
	i0, j0 int // of the first tile
	ni, nj int
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// newTiling covers the cells of extent, which is not empty.
func newTiling(extent spangrid.Window, size int) tiling {
	t := tiling{size: size, i0: floorDiv(extent.GX, size), j0: floorDiv(extent.GY, size)}
	t.ni = floorDiv(extent.GX+extent.NX-1, size) - t.i0 + 1
	t.nj = floorDiv(extent.GY+extent.NY-1, size) - t.j0 + 1
	return t
}

func (t *tiling) len() int { return t.ni * t.nj }

// owned returns the cells of tile k; tiles are numbered row by row.
func (t *tiling) owned(k int) spangrid.Window {
	return spangrid.Window{
		GX: (t.i0 + k%t.ni) * t.size, GY: (t.j0 + k/t.ni) * t.size,
		NX: t.size, NY: t.size,
	}
}

// window returns the cells that the tile's entry in the grid's directory
// spans.
func (t *tiling) window(k int) spangrid.Window {
	w := t.owned(k).Grow(apron)
	w.NX++
	w.NY++
	return w
}

// entry returns tile k of the grid's directory, without records.
func (t *tiling) entry(k int) bnav.Tile {
	w := t.window(k)
	last := int32(apron + t.size - 1)
	return bnav.Tile{
		GX0: int32(w.GX), GY0: int32(w.GY), NX: int32(w.NX), NY: int32(w.NY),
		PX0: apron, PX1: last, PY0: apron, PY1: last,
	}
}

// meeting calls do for the tiles that share cells with w, in order.
func (t *tiling) meeting(w spangrid.Window, do func(k int) error) error {
	x0 := max(floorDiv(w.GX, t.size)-t.i0, 0)
	x1 := min(floorDiv(w.GX+w.NX-1, t.size)-t.i0, t.ni-1)
	y0 := max(floorDiv(w.GY, t.size)-t.j0, 0)
	y1 := min(floorDiv(w.GY+w.NY-1, t.size)-t.j0, t.nj-1)
	for y := y0; y <= y1; y++ {
		for x := x0; x <= x1; x++ {
			if err := do(y*t.ni + x); err != nil {
				return err
			}
		}
	}
	return nil
}

// at returns the tile that owns a cell, or -1.
func (t *tiling) at(gx, gy int) int {
	i, j := floorDiv(gx, t.size)-t.i0, floorDiv(gy, t.size)-t.j0
	if i < 0 || j < 0 || i >= t.ni || j >= t.nj {
		return -1
	}
	return j*t.ni + i
}
