package spanroute

import (
	"context"
	"slices"
	"unsafe"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
)

type tileKey struct{ grid, tile int32 }

// A tile is what a tile of the grid owns, decoded: records with their fields,
// by cell, with openings applied. It is immutable and shared.
type tile struct {
	win      spangrid.Window
	f        bnvf.Window // cells are numbered in win
	headroom []uint8     // aligned with the records, nil where it is unknown
	rows     []int32     // first record of each row, and one past the last
}

// bytes returns about how much memory the tile takes.
func (t *tile) bytes() int64 {
	n := int64(cap(t.f.Records))*int64(unsafe.Sizeof(bnav.Record{})) + 4*int64(cap(t.f.Component))
	return n + int64(cap(t.f.Steps2)+cap(t.f.Seg)+cap(t.headroom)) + 4*int64(cap(t.rows)) + 300
}

// span returns the records of a row of the zone in columns from gx0 to before
// gx1.
func (t *tile) span(gy, gx0, gx1 int) (first, end int) {
	y := gy - t.win.GY
	x0, x1 := max(gx0-t.win.GX, 0), min(gx1-t.win.GX, t.win.NX)
	if uint(y) >= uint(t.win.NY) || x0 >= x1 {
		return 0, 0
	}
	first, end = int(t.rows[y]), int(t.rows[y+1])
	recs := t.f.Records
	base := y * t.win.NX
	if x0 > 0 {
		first += lowerCell(recs[first:end], int32(base+x0))
	}
	if x1 < t.win.NX {
		end = first + lowerCell(recs[first:end], int32(base+x1))
	}
	return first, end
}

// lowerCell returns how many of the records, which ascend by cell, are before
// a cell.
func lowerCell(recs []bnav.Record, cell int32) int {
	lo, hi := 0, len(recs)
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if recs[m].Cell < cell {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// tileRect is what a tile with records owns, the last column and row included.
type tileRect struct {
	tile           int32
	x0, y0, x1, y1 int32
}

func (r *tileRect) window() spangrid.Window {
	return spangrid.Window{GX: int(r.x0), GY: int(r.y0), NX: int(r.x1-r.x0) + 1, NY: int(r.y1-r.y0) + 1}
}

// tileRects lists the tiles of a zone that own cells and have records.
func tileRects(z *bnav.GridZone) []tileRect {
	var list []tileRect
	for i := range z.Tiles {
		t := &z.Tiles[i]
		if t.Records > 0 && t.PX0 <= t.PX1 && t.PY0 <= t.PY1 {
			list = append(list, tileRect{int32(i), t.GX0 + t.PX0, t.GY0 + t.PY0, t.GX0 + t.PX1, t.GY0 + t.PY1})
		}
	}
	return list
}

// tilesIn appends the tiles that own cells of a window, in the grid's order.
func (z *zoneEntry) tilesIn(dst []*tileRect, w spangrid.Window) []*tileRect {
	if w.Empty() {
		return dst
	}
	for i := range z.rects {
		r := &z.rects[i]
		if int(r.x0) < w.GX+w.NX && int(r.x1) >= w.GX && int(r.y0) < w.GY+w.NY && int(r.y1) >= w.GY {
			dst = append(dst, r)
		}
	}
	return dst
}

// tile returns a tile. Errors are those of the decoders, without a code.
func (z *zoneEntry) tile(ctx context.Context, r *tileRect) (*tile, error) {
	key := z.tileKey(r)
	if t, ok := z.e.tiles.peek(key); ok {
		return t, nil
	}
	return z.e.tiles.get(ctx, key, func() (*tile, int64, error) {
		t, err := z.decode(ctx, r)
		if err != nil {
			return nil, 0, err
		}
		return t, t.bytes(), nil
	})
}

func (z *zoneEntry) tileKey(r *tileRect) tileKey { return tileKey{int32(z.grid), r.tile} }

// rimmed returns a tile for a window that comes no farther into it than the
// apron of a page, as its neighbours' pages do: its rim, which is kept for good
// once the tile was decoded; else the tile.
func (z *zoneEntry) rimmed(ctx context.Context, r *tileRect, w spangrid.Window) (*tile, error) {
	inner := r.window().Grow(-spanpath.Apron)
	if inner.NX > 0 && inner.NY > 0 && !inner.Intersect(w).Empty() {
		return z.tile(ctx, r)
	}
	if rim := z.rims[r.tile].Load(); rim != nil {
		return rim, nil
	}
	t, err := z.tile(ctx, r)
	if err != nil {
		return nil, err
	}
	if rim := z.rims[r.tile].Load(); rim != nil {
		return rim, nil
	}
	return t, nil
}

// rim returns the records of a tile within the apron of a page from its edges.
func (t *tile) rim() *tile {
	inner := t.win.Grow(-spanpath.Apron)
	out := &tile{win: t.win, rows: make([]int32, t.win.NY+1)}
	for y := range t.win.NY {
		gy := t.win.GY + y
		parts := [2][2]int{{t.win.GX, t.win.GX + t.win.NX}}
		if inner.NX > 0 && gy >= inner.GY && gy < inner.GY+inner.NY {
			parts = [2][2]int{{t.win.GX, inner.GX}, {inner.GX + inner.NX, t.win.GX + t.win.NX}}
		}
		for _, x := range parts {
			first, end := t.span(gy, x[0], x[1])
			if first == end {
				continue
			}
			out.f.Records = append(out.f.Records, t.f.Records[first:end]...)
			out.f.Component = append(out.f.Component, t.f.Component[first:end]...)
			out.f.Steps2 = append(out.f.Steps2, t.f.Steps2[first:end]...)
			out.f.Seg = append(out.f.Seg, t.f.Seg[first:end]...)
			if t.headroom != nil {
				out.headroom = append(out.headroom, t.headroom[first:end]...)
			}
		}
		out.rows[y+1] = int32(len(out.f.Records))
	}
	return out
}

func (z *zoneEntry) decode(ctx context.Context, r *tileRect) (*tile, error) {
	t := &tile{win: r.window()}
	win := bnav.Window{GX0: r.x0, GY0: r.y0, NX: r.x1 - r.x0 + 1, NY: r.y1 - r.y0 + 1}
	f, err := z.e.fields.Window(ctx, z.grid, win, 1)
	if err != nil {
		return nil, err
	}
	t.f = *f
	t.f.Tax = nil // of no use in a search
	if z.e.headroom != nil {
		if t.headroom, err = z.e.headroom.Window(ctx, z.grid, win, 1); err != nil {
			return nil, err
		}
	}
	t.rows = make([]int32, t.win.NY+1)
	row := 0
	for i := range t.f.Records {
		for y := int(t.f.Records[i].Cell) / t.win.NX; row < y; {
			row++
			t.rows[row] = int32(i)
		}
	}
	for row < t.win.NY {
		row++
		t.rows[row] = int32(len(t.f.Records))
	}
	if z.rims[r.tile].Load() == nil {
		z.rims[r.tile].CompareAndSwap(nil, t.rim())
	}
	return t, nil
}

// tileRegions returns the regions that occur in a tile or its margin,
// ascending. No record is decoded for it where the format allows.
func (z *zoneEntry) tileRegions(r *tileRect) ([]uint32, error) {
	slot := &z.heads[r.tile]
	if list := slot.Load(); list != nil {
		return *list, nil
	}
	var d bnav.TileDecoder
	head, err := d.Head(z.e.main.Grid, z.grid, int(r.tile))
	if err != nil {
		return nil, err
	}
	list := slices.Clone(head.Regions)
	slices.Sort(list)
	slot.Store(&list)
	return list, nil
}

// hasRegion reports whether a region may occur in a tile.
func (z *zoneEntry) hasRegion(r *tileRect, region uint32) (bool, error) {
	list, err := z.tileRegions(r)
	if err != nil {
		return false, err
	}
	_, ok := slices.BinarySearch(list, region)
	return ok, nil
}
