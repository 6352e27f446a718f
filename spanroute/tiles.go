package spanroute

import (
	"context"
	"slices"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
)

type tileKey struct{ grid, tile int32 }

// A tile is what a tile of the grid owns, decoded: records with their fields,
// by cell, with openings applied. Columns are aligned with one another. It is
// immutable and shared.
type tile struct {
	win  spangrid.Window
	rows []int32 // first record of each row, and the total

	x                 []uint16 // column of each record, counted from the tile's first
	h                 []float32
	region, component numbers
	clr               []uint16
	flags             []uint8
	steps             []uint8 // forbidden steps of the main pack, and what is left of them
	steps2            []uint8
	seg               []uint8 // facades and the medial axis, as in [bnvf.Window]
	headroom          []uint8 // nil where it is unknown
}

// len returns the number of records.
func (t *tile) len() int { return len(t.x) }

// bytes returns about how much memory the tile takes.
func (t *tile) bytes() int64 {
	n := 2*cap(t.x) + 4*cap(t.h) + 2*cap(t.clr) + cap(t.flags) + cap(t.steps) + cap(t.steps2) + cap(t.seg) + cap(t.headroom)
	return int64(n) + t.region.bytes() + t.component.bytes() + 4*int64(cap(t.rows)) + 500
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
	row := t.x[first:end]
	if x1 < t.win.NX {
		end = first + lower(row, uint16(x1))
	}
	if x0 > 0 {
		first += lower(row, uint16(x0))
	}
	return first, end
}

// lower returns how many of the columns, which ascend, are before one.
func lower(xs []uint16, x uint16) int {
	lo, hi := 0, len(xs)
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if xs[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// record returns a record of a row of the zone; its cell is numbered in the
// tile's window.
func (t *tile) record(gy, i int) bnav.Record {
	return bnav.Record{
		Cell: int32((gy-t.win.GY)*t.win.NX) + int32(t.x[i]), Region: t.region.at(i), H: t.h[i],
		Clr: t.clr[i], Flags: t.flags[i], Steps: t.steps[i],
	}
}

// appendTo appends records of a row of the zone to a window of fields, which has
// room for them, and to a list of headrooms; cell is what the row's first cell is
// in the window.
func (t *tile) appendTo(f *bnvf.Window, headroom []uint8, cell int32, first, end int) []uint8 {
	n := len(f.Records)
	f.Records = f.Records[:n+end-first]
	out := f.Records[n:]
	x, h, clr, flags, steps := t.x[first:end], t.h[first:end], t.clr[first:end], t.flags[first:end], t.steps[first:end]
	for i := range out {
		out[i] = bnav.Record{Cell: cell + int32(x[i]), Region: t.region.at(first + i), H: h[i], Clr: clr[i], Flags: flags[i], Steps: steps[i]}
	}
	f.Component = t.component.appendTo(f.Component, first, end)
	f.Steps2 = append(f.Steps2, t.steps2[first:end]...)
	f.Seg = append(f.Seg, t.seg[first:end]...)
	if t.headroom != nil {
		headroom = append(headroom, t.headroom[first:end]...)
	}
	return headroom
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
	rows := make([]int32, t.win.NY+1)
	var runs []run
	n := 0
	for y := range t.win.NY {
		gy := t.win.GY + y
		parts := [2][2]int{{t.win.GX, t.win.GX + t.win.NX}}
		if inner.NX > 0 && gy >= inner.GY && gy < inner.GY+inner.NY {
			parts = [2][2]int{{t.win.GX, inner.GX}, {inner.GX + inner.NX, t.win.GX + t.win.NX}}
		}
		for _, x := range parts {
			if first, end := t.span(gy, x[0], x[1]); first < end {
				runs = append(runs, run{first, end})
				n += end - first
			}
		}
		rows[y+1] = int32(n)
	}
	return &tile{
		win: t.win, rows: rows, x: take(t.x, runs), h: take(t.h, runs), region: t.region.take(runs), component: t.component.take(runs),
		clr: take(t.clr, runs), flags: take(t.flags, runs), steps: take(t.steps, runs), steps2: take(t.steps2, runs),
		seg: take(t.seg, runs), headroom: take(t.headroom, runs),
	}
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
