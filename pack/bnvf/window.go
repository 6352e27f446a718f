package bnvf

import (
	"context"
	"math"
	"sort"

	"wend/pack"
	"wend/pack/bnav"
)

// MedialBit marks the medial axis in [Window.Seg].
const MedialBit = 0x80

// Window is the records of a window of cells with their fields merged in.
// Clearances mind walls, and openings are applied.
type Window struct {
	Records   []bnav.Record // Steps are those of the main pack
	Component []uint32      // strongly connected part inside the region
	Steps2    []uint8       // re-judged forbidden steps; see Rejudge
	Seg       []uint8       // facade bits, and MedialBit
	Tax       []uint8       // step edges that leave the cell
}

// Len returns the number of records.
func (w *Window) Len() int { return len(w.Records) }

func (w *Window) grow(n int) {
	w.Records = make([]bnav.Record, 0, n)
	w.Component = make([]uint32, 0, n)
	w.Steps2, w.Seg, w.Tax = make([]uint8, 0, n), make([]uint8, 0, n), make([]uint8, 0, n)
}

func (w *Window) add(v *Window) {
	w.Records = append(w.Records, v.Records...)
	w.Component = append(w.Component, v.Component...)
	w.Steps2 = append(w.Steps2, v.Steps2...)
	w.Seg = append(w.Seg, v.Seg...)
	w.Tax = append(w.Tax, v.Tax...)
}

// Window decodes the tiles of the main pack's grid zone that cover win, with
// their columns, and merges them: walls only shrink clearances (a drop below
// zero is pack.ErrPairing), then openings of cells that are not core set flags
// and may raise the clearance again. Order, workers and errors are those of
// [bnav.Grid.Window]; memory is twice the window's records (23 bytes each)
// and, per worker, the scratch of its largest tile.
func (f *Fields) Window(ctx context.Context, gridZone int, win bnav.Window, workers int) (*Window, error) {
	if err := win.Check(); err != nil {
		return nil, err
	}
	tiles := f.main.Grid.TilesIn(gridZone, win)
	workers = pack.Workers(workers, len(tiles))
	work := make([]merger, workers)
	parts := make([]Window, len(tiles))
	err := pack.Parallel(ctx, workers, len(tiles), func(k, i int) error {
		return work[k].merge(f, gridZone, tiles[i], win, &parts[i])
	})
	if err != nil {
		return nil, err
	}
	if len(parts) == 1 {
		return &parts[0], nil
	}
	n := 0
	for i := range parts {
		n += parts[i].Len()
	}
	out := &Window{}
	out.grow(n)
	for i := range parts {
		out.add(&parts[i])
		parts[i] = Window{}
	}
	return out, nil
}

// merger is the scratch of one worker.
type merger struct {
	tiles bnav.TileDecoder
	dec   ColumnDecoder
	recs  []bnav.Record
	cols  Columns
	kept  []int32 // window cell of each record, or -1
}

func (m *merger) merge(f *Fields, gridZone, tile int, win bnav.Window, out *Window) error {
	g := f.main.Grid
	zone := f.byGrid[gridZone]
	recs, err := m.tiles.Decode(g, gridZone, tile, m.recs[:0])
	if err != nil {
		return err
	}
	m.recs = recs
	if err := m.dec.Decode(f, zone, tile, &m.cols); err != nil {
		return err
	}
	t := &g.Zones[gridZone].Tiles[tile]
	n := 0
	m.kept = resize(m.kept, len(recs))
	for k := range recs {
		if m.kept[k] = -1; recs[k].Cell >= 0 {
			if cell, ok := t.Locate(recs[k].Cell, win); ok {
				m.kept[k] = cell
				n++
			}
		}
	}
	out.grow(n)
	open := newOpener(f.openingByGrid[gridZone], t)
	cols := &m.cols
	for k, cell := range m.kept {
		if cell < 0 {
			continue
		}
		r := recs[k]
		if cols.ClrDrop[k] > r.Clr {
			return f.where("FSPN", zone).In("tile", tile).In("record", k).At(f.Zones[zone].spans.offset, pack.ErrPairing,
				"walls take %d from a clearance of %d", cols.ClrDrop[k], r.Clr)
		}
		r.Clr -= cols.ClrDrop[k]
		if r.Flags&bnav.Core == 0 && len(open.list) > 0 {
			x, y := r.Cell%t.NX, r.Cell/t.NX
			if o := open.find(t.GX0+x, t.GY0+y, r.H); o != nil {
				r.Flags |= o.Flags
				r.Clr = max(r.Clr, o.Clr)
			}
		}
		out.Steps2 = append(out.Steps2, cols.StepsXor[k]^r.Steps)
		r.Cell = cell
		out.Records = append(out.Records, r)
		out.Component = append(out.Component, cols.Component[k])
		out.Seg = append(out.Seg, cols.Seg[k]|cols.Medial[k]<<7)
		out.Tax = append(out.Tax, cols.Tax[k])
	}
	return nil
}

// opener walks over a zone's openings beside records whose cells ascend.
type opener struct{ list []Opening }

// newOpener leaves out the rows above the tile.
func newOpener(list []Opening, t *bnav.Tile) opener {
	return opener{list[sort.Search(len(list), func(i int) bool { return list[i].GY >= t.GY0+t.PY0 }):]}
}

// find returns the opening of a cell at a height, to the bit, or nil.
func (o *opener) find(gx, gy int32, h float32) *Opening {
	for len(o.list) > 0 && (o.list[0].GY < gy || o.list[0].GY == gy && o.list[0].GX < gx) {
		o.list = o.list[1:]
	}
	for i := range o.list {
		e := &o.list[i]
		if e.GX != gx || e.GY != gy {
			break
		}
		if math.Float32bits(e.H) == math.Float32bits(h) {
			return e
		}
	}
	return nil
}
