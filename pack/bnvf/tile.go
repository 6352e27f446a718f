package bnvf

import (
	"math"
	"sort"

	"wend/pack"
	"wend/pack/bnav"
)

// Tile has the records of a tile with their fields merged in, as columns that
// are aligned with one another. Clearances mind walls, and openings are
// applied.
type Tile struct {
	bnav.TileColumns          // Steps are those of the main pack
	Component        []uint32 // strongly connected part inside the region
	Steps2           []uint8  // re-judged forbidden steps; see Rejudge
	Seg              []uint8  // facade bits, and MedialBit
	Tax              []uint8  // step edges that leave the cell
}

// TileDecoder decodes tiles and keeps its scratch from one to the next. The zero
// value is ready. It is for one goroutine.
type TileDecoder struct {
	grid   bnav.TileDecoder
	fields ColumnDecoder
	drop   []uint16
}

// Decode decodes a tile of a zone of the main pack's grid into t, whose slices
// are overwritten and grown: 21 bytes a record. Walls only shrink clearances: a
// drop below zero is pack.ErrPairing, where the tile owns the record. Then
// openings of cells that are not core set flags and may raise the clearance
// again. Other errors are those of the two halves, all of them
// *pack.FormatError. Time and memory are linear in the records.
func (d *TileDecoder) Decode(f *Fields, gridZone, tile int, t *Tile) error {
	if err := d.grid.Columns(f.main.Grid, gridZone, tile, &t.TileColumns); err != nil {
		return err
	}
	n := t.Len()
	t.Component, t.Steps2, t.Seg, t.Tax = resize(t.Component, n), resize(t.Steps2, n), resize(t.Seg, n), resize(t.Tax, n)
	d.drop = resize(d.drop, n)
	zone := f.byGrid[gridZone]
	err := d.fields.each(f, zone, tile, func(k int, num *pack.Numbers) error {
		raw := num.Raw()
		switch k {
		case colComponent:
			return decodeComponents(num, t.Component)
		case colSteps:
			for i, v := range t.Steps {
				t.Steps2[i] = v ^ raw[i]
			}
		case colSeg:
			copy(t.Seg, raw)
		case colTax:
			copy(t.Tax, raw)
		case colClr:
			return decodeDrops(num, d.drop)
		case colMedial:
			for i, v := range raw {
				t.Seg[i] |= v << 7
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	info := &f.main.Grid.Zones[gridZone].Tiles[tile]
	for k, by := range d.drop {
		if by == 0 {
			continue
		}
		if by > t.Clr[k] && info.Owns(t.cellOf(k)) {
			return f.where("FSPN", zone).In("tile", tile).In("record", k).At(f.Zones[zone].spans.offset, pack.ErrPairing,
				"walls take %d from a clearance of %d", by, t.Clr[k])
		}
		t.Clr[k] -= by
	}
	t.open(f.openingByGrid[gridZone], info)
	return nil
}

// cellOf returns the cell of a record.
func (t *Tile) cellOf(k int) int32 {
	return t.Cell[sort.Search(len(t.Cell), func(i int) bool { return int(t.First[i+1]) > k })]
}

// open applies openings, which are sorted by row and column.
func (t *Tile) open(list []Opening, info *bnav.Tile) {
	row := func(gy int32) int { return sort.Search(len(list), func(i int) bool { return list[i].GY >= gy }) }
	o := opener{list[row(info.GY0):row(info.GY0+info.NY)]}
	for i := 0; i < len(t.Cell) && len(o.list) > 0; i++ {
		gx, gy := info.GX0+t.Cell[i]%info.NX, info.GY0+t.Cell[i]/info.NX
		if !o.reach(gx, gy) {
			continue
		}
		for k := t.First[i]; k < t.First[i+1]; k++ {
			if t.Flags[k]&bnav.Core != 0 {
				continue
			}
			h := float32(0)
			if t.Flags[k]&bnav.Fill == 0 {
				h = t.Height(int(k))
			}
			if e := o.find(gx, gy, h); e != nil {
				t.Flags[k] |= e.Flags
				t.Clr[k] = max(t.Clr[k], e.Clr)
			}
		}
	}
}

// opener walks over a zone's openings beside cells that ascend.
type opener struct{ list []Opening }

// reach leaves out the openings before a cell, and reports whether it has one.
func (o *opener) reach(gx, gy int32) bool {
	for len(o.list) > 0 && (o.list[0].GY < gy || o.list[0].GY == gy && o.list[0].GX < gx) {
		o.list = o.list[1:]
	}
	return len(o.list) > 0 && o.list[0].GX == gx && o.list[0].GY == gy
}

// find returns the opening of the reached cell at a height, to the bit, or nil.
func (o *opener) find(gx, gy int32, h float32) *Opening {
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
