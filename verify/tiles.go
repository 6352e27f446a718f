package verify

import (
	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// grid decodes every tile of the main pack and every column tile of the
// sidecar, which is nil where there is none that can be read.
func (c *checker) grid(p *bnav.Pack, f *bnvf.Fields) error {
	n := c.opts.Counts
	var deep *deepPack
	if c.opts.Deep {
		deep = newDeepPack(c, p, f)
	}
	paired := map[int]bool{}
	for zi := range p.Grid.Zones {
		z := zonePair{p: p, f: f, zone: zi, side: -1, bounds: c.bounds != nil}
		if f != nil {
			if z.side = f.ForGrid(zi); z.side >= 0 {
				paired[z.side] = true
			}
		}
		if deep != nil {
			z.deep = deep.zone(zi, z.side)
		}
		n.GridZones++
		n.Tiles += len(p.Grid.Zones[zi].Tiles)
		n.Regions += uint64(p.Grid.Zones[zi].GlobalRegions)
		if err := c.zone(&z, len(p.Grid.Zones[zi].Tiles)); err != nil {
			return err
		}
	}
	if f != nil {
		n.Landings, n.Openings = len(f.Landings), len(f.Openings)
		for side := range f.Zones {
			if g, err := f.Graphs(side); err == nil {
				for _, r := range g.Regions() {
					k, _ := g.Components(r)
					n.Components += uint64(k)
				}
			}
			// Zones without a grid, or with another one, have columns all the same.
			if !paired[side] {
				z := zonePair{p: p, f: f, zone: -1, side: side}
				if err := c.zone(&z, f.Zones[side].Tiles()); err != nil {
					return err
				}
			}
		}
	}
	if deep != nil {
		deep.finish()
		return deep.recompute()
	}
	return nil
}

// zonePair is a zone of the grid, -1 for none, and its part of the sidecar,
// -1 for none.
type zonePair struct {
	p          *bnav.Pack
	f          *bnvf.Fields
	zone, side int
	bounds     bool      // bounds are wanted
	deep       *deepZone // nil on a plain check
}

// tileResult is what is wrong with a tile.
type tileResult struct {
	records         uint64
	tile, columns   error // of the decoders
	clearance       error
	onGrid, onField []Fault // by deep rules
	bounds          annex.ZoneBounds
}

// zone decodes the tiles of a zone.
func (c *checker) zone(z *zonePair, tiles int) error {
	work := make([]tileWorker, pack.Workers(c.opts.Workers, tiles))
	found := make([]tileResult, tiles)
	err := pack.Parallel(c.ctx, len(work), tiles, func(w, i int) error {
		found[i] = work[w].check(z, i)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range found {
		r := &found[i]
		c.opts.Counts.Records += r.records
		if r.tile != nil {
			c.add(ofMain, z.p.Name, r.tile)
		}
		for _, err := range []error{r.columns, r.clearance} {
			if err != nil {
				c.add(ofFields, z.f.Name, err)
			}
		}
		for _, f := range r.onGrid {
			c.addFault(ofMain, f)
		}
		for _, f := range r.onField {
			c.addFault(ofFields, f)
		}
	}
	if z.zone >= 0 {
		c.compareBounds(z.p, z.zone, found)
	}
	if z.deep != nil {
		for i := range found {
			z.deep.lost = z.deep.lost || found[i].tile != nil
			z.deep.lostFields = z.deep.lostFields || found[i].columns != nil || found[i].clearance != nil
		}
		z.deep.finish()
	}
	return nil
}

// tileWorker is the scratch of one goroutine.
type tileWorker struct {
	tiles bnav.TileDecoder
	dec   bnvf.ColumnDecoder
	recs  []bnav.Record
	cols  bnvf.Columns
	deep  deepScratch

	number []int32 // of each owned record in its tile
}

func (w *tileWorker) check(z *zonePair, i int) (r tileResult) {
	if z.zone >= 0 {
		w.recs, r.tile = w.tiles.Decode(z.p.Grid, z.zone, i, w.recs[:0])
		r.records = uint64(len(w.recs))
	}
	if z.side >= 0 {
		r.columns = w.dec.Decode(z.f, z.side, i, &w.cols)
	}
	if z.zone < 0 || r.tile != nil {
		return r
	}
	cols := &w.cols
	if z.side < 0 || r.columns != nil {
		cols = nil
	}
	t := &z.p.Grid.Zones[z.zone].Tiles[i]
	if z.bounds {
		r.bounds = annex.TileBounds(t, w.recs)
	}
	w.recs, cols = w.owned(t, cols)
	if cols != nil {
		r.clearance = z.clearance(i, w.recs, w.number, cols)
		if r.clearance != nil {
			cols = nil // clearances of the pair would be wrong throughout
		}
	}
	if z.deep != nil {
		r.onGrid, r.onField = z.deep.tile(&w.deep, i, w.recs, w.number, cols)
	}
	return r
}

// owned drops the records outside the rectangle that the tile answers for:
// they repeat what a neighbour owns, and readers leave them out. The columns
// are moved along; their first values are those of the records that stay.
func (w *tileWorker) owned(t *bnav.Tile, cols *bnvf.Columns) ([]bnav.Record, *bnvf.Columns) {
	w.number = w.number[:0]
	n := 0
	for k := range w.recs {
		x, y := w.recs[k].Cell%t.NX, w.recs[k].Cell/t.NX
		if x < t.PX0 || x > t.PX1 || y < t.PY0 || y > t.PY1 {
			continue
		}
		w.recs[n] = w.recs[k]
		if cols != nil {
			cols.Component[n], cols.StepsXor[n], cols.Seg[n] = cols.Component[k], cols.StepsXor[k], cols.Seg[k]
			cols.Tax[n], cols.ClrDrop[n], cols.Medial[n] = cols.Tax[k], cols.ClrDrop[k], cols.Medial[k]
		}
		w.number = append(w.number, int32(k))
		n++
	}
	return w.recs[:n], cols
}

// clearance finds a record from whose clearance the walls take more than there
// is.
func (z *zonePair) clearance(tile int, recs []bnav.Record, number []int32, cols *bnvf.Columns) error {
	for k := range recs {
		if cols.ClrDrop[k] > recs[k].Clr {
			where := pack.Where{File: z.f.Name, Section: "FSPN", Zone: z.f.Zones[z.side].Name}
			return where.In("tile", tile).In("record", int(number[k])).At(z.f.Zones[z.side].TileOffset(tile), pack.ErrPairing,
				"walls take %d from a clearance of %d", cols.ClrDrop[k], recs[k].Clr)
		}
	}
	return nil
}
