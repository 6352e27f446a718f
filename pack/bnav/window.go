package bnav

import (
	"context"
	"fmt"
	"math"
	"slices"

	"wend/pack"
)

// Check returns an error for a window that has no cells or more than an int32
// can number.
func (w Window) Check() error {
	if w.NX < 1 || w.NY < 1 || int64(w.NX)*int64(w.NY) > math.MaxInt32 ||
		int64(w.GX0)+int64(w.NX) > math.MaxInt32 || int64(w.GY0)+int64(w.NY) > math.MaxInt32 {
		return fmt.Errorf("bnav: window of %d x %d cells at (%d, %d): want sides of at least 1, at most 2^31-1 cells, within int32",
			w.NX, w.NY, w.GX0, w.GY0)
	}
	return nil
}

// TilesIn returns the indices of the zone's tiles whose owned rectangle meets
// the window and that have records, in directory order.
func (g *Grid) TilesIn(zone int, w Window) []int {
	var list []int
	for i := range g.Zones[zone].Tiles {
		if t := &g.Zones[zone].Tiles[i]; t.Records > 0 && t.Meets(w) {
			list = append(list, i)
		}
	}
	return list
}

// Owns reports whether a cell of the tile lies in its owned rectangle.
func (t *Tile) Owns(cell int32) bool {
	x, y := cell%t.NX, cell/t.NX
	return x >= t.PX0 && x <= t.PX1 && y >= t.PY0 && y <= t.PY1
}

// Locate returns the window cell of a tile's cell, and false where the tile
// does not own it or the window does not have it.
func (t *Tile) Locate(cell int32, w Window) (int32, bool) {
	x, y := cell%t.NX, cell/t.NX
	if x < t.PX0 || x > t.PX1 || y < t.PY0 || y > t.PY1 {
		return 0, false
	}
	wx, wy := int64(t.GX0)+int64(x)-int64(w.GX0), int64(t.GY0)+int64(y)-int64(w.GY0)
	if wx < 0 || wy < 0 || wx >= int64(w.NX) || wy >= int64(w.NY) {
		return 0, false
	}
	return int32(wy*int64(w.NX) + wx), true
}

// Window decodes the tiles that cover a window of cells and returns its
// records: tiles in directory order, in each the records it owns, with cells
// numbered in the window. The result is the same for any number of workers (0 =
// one per processor, at most four). Memory is twice the window's records and,
// per worker, the scratch of its largest tile. Errors are *pack.FormatError,
// the context's cause, or that of [Window.Check].
func (g *Grid) Window(ctx context.Context, zone int, w Window, workers int) ([]Record, error) {
	if err := w.Check(); err != nil {
		return nil, err
	}
	tiles := g.TilesIn(zone, w)
	workers = pack.Workers(workers, len(tiles))
	type scratch struct {
		dec  TileDecoder
		recs []Record
	}
	work := make([]scratch, workers)
	parts := make([][]Record, len(tiles))
	err := pack.Parallel(ctx, workers, len(tiles), func(k, i int) error {
		s := &work[k]
		recs, err := s.dec.Decode(g, zone, tiles[i], s.recs[:0])
		if err != nil {
			return err
		}
		s.recs = recs
		t := &g.Zones[zone].Tiles[tiles[i]]
		kept := recs[:0]
		for _, r := range recs {
			if cell, ok := t.Locate(r.Cell, w); ok {
				r.Cell = cell
				kept = append(kept, r)
			}
		}
		parts[i] = slices.Clone(kept)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		return parts[0], nil
	}
	return slices.Concat(parts...), nil
}
