package bnvf

import (
	"context"

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
// zero is pack.ErrPairing, see [TileDecoder]), then openings of cells that are not core set flags
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
	dec  TileDecoder
	tile Tile
}

// merge decodes the records of a tile that it owns inside a window.
func (m *merger) merge(f *Fields, gridZone, tile int, win bnav.Window, out *Window) error {
	t, c := &f.main.Grid.Zones[gridZone].Tiles[tile], &m.tile
	if err := m.dec.Decode(f, gridZone, tile, c); err != nil {
		return err
	}
	n := uint32(0)
	for i, cell := range c.Cell {
		if _, ok := t.Locate(cell, win); ok {
			n += c.First[i+1] - c.First[i]
		}
	}
	out.grow(int(n))
	for i, cell := range c.Cell {
		if cell, ok := t.Locate(cell, win); ok {
			first, end := c.First[i], c.First[i+1]
			for k := first; k < end; k++ {
				r := bnav.Record{Cell: cell, Region: c.RegionOf(int(k)), Clr: c.Clr[k], Flags: c.Flags[k], Steps: c.Steps[k]}
				if r.Flags&bnav.Fill == 0 {
					r.H = c.Height(int(k))
				}
				out.Records = append(out.Records, r)
			}
			out.Component = append(out.Component, c.Component[first:end]...)
			out.Steps2 = append(out.Steps2, c.Steps2[first:end]...)
			out.Seg = append(out.Seg, c.Seg[first:end]...)
			out.Tax = append(out.Tax, c.Tax[first:end]...)
		}
	}
	return nil
}
