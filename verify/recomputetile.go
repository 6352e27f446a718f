package verify

import (
	"math"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// tileDifference is how a tile differs from the one that its geometry gives.
type tileDifference struct {
	grid, fields differences
}

// tileComparer compares tiles and keeps its scratch.
type tileComparer struct {
	half [2]struct { // stored, and baked again
		tiles bnav.TileDecoder
		dec   bnvf.ColumnDecoder
		recs  []bnav.Record
		cols  bnvf.Columns
	}
}

// compare compares tile i. zones are the zone's numbers in both grids, sides
// those in both sidecars, -1 where columns are not compared.
func (w *tileComparer) compare(b *rebake, out *tileDifference, zones, sides [2]int, i int) error {
	packs := [2]*bnav.Pack{b.d.p, b.p}
	fields := [2]*bnvf.Fields{b.d.f, b.f}
	columns := sides[0] >= 0 && sides[1] >= 0
	for k := range w.half {
		h := &w.half[k]
		var err error
		if h.recs, err = h.tiles.Decode(packs[k].Grid, zones[k], i, h.recs[:0]); err != nil {
			return err
		}
		if columns {
			if err := h.dec.Decode(fields[k], sides[k], i, &h.cols); err != nil {
				return err
			}
		}
	}
	got, want := &w.half[0], &w.half[1]
	t, u := &packs[0].Grid.Zones[zones[0]].Tiles[i], &packs[1].Grid.Zones[zones[1]].Tiles[i]
	if tileCells(t) != tileCells(u) {
		out.grid.add(-1, "%d x %d cells from (%d, %d), own columns %d to %d and rows %d to %d; want %d x %d from (%d, %d), %d to %d and %d to %d",
			t.NX, t.NY, t.GX0, t.GY0, t.PX0, t.PX1, t.PY0, t.PY1, u.NX, u.NY, u.GX0, u.GY0, u.PX0, u.PX1, u.PY0, u.PY1)
		return nil
	}
	// Cell by cell, so that a record too many does not make all that follow
	// differ. Both lists are sorted by cell.
	a, c := 0, 0
	for a < len(got.recs) || c < len(want.recs) {
		cell := int32(math.MaxInt32)
		if a < len(got.recs) {
			cell = got.recs[a].Cell
		}
		if c < len(want.recs) {
			cell = min(cell, want.recs[c].Cell)
		}
		a1, c1 := a, c
		for a1 < len(got.recs) && got.recs[a1].Cell == cell {
			a1++
		}
		for c1 < len(want.recs) && want.recs[c1].Cell == cell {
			c1++
		}
		gx, gy := t.GX0+cell%t.NX, t.GY0+cell/t.NX
		if a1-a != c1-c {
			out.grid.add(-1, "%d records in cell (%d, %d), want %d", a1-a, gx, gy, c1-c)
			a, c = a1, c1
			continue
		}
		for ; a < a1; a, c = a+1, c+1 {
			compareRecord(&out.grid, a, gx, gy, &got.recs[a], &want.recs[c])
			if columns {
				compareColumns(&out.fields, a, gx, gy, got.recs[a].Steps, want.recs[c].Steps, &got.cols, &want.cols, c)
			}
		}
	}
	return nil
}

// tileCells returns the cells that a tile spans and those that it owns.
func tileCells(t *bnav.Tile) [8]int32 {
	return [8]int32{t.GX0, t.GY0, t.NX, t.NY, t.PX0, t.PX1, t.PY0, t.PY1}
}

func compareRecord(s *differences, k int, gx, gy int32, got, want *bnav.Record) {
	if math.Float32bits(got.H) != math.Float32bits(want.H) {
		s.add(k, "height %v in cell (%d, %d), want %v", got.H, gx, gy, want.H)
	}
	if got.Region != want.Region {
		s.add(k, "region %d in cell (%d, %d), want %d", got.Region, gx, gy, want.Region)
	}
	if got.Clr != want.Clr {
		s.add(k, "clearance %d in cell (%d, %d), want %d", got.Clr, gx, gy, want.Clr)
	}
	if got.Flags != want.Flags {
		s.add(k, "flags %#02x in cell (%d, %d), want %#02x", got.Flags, gx, gy, want.Flags)
	}
	if got.Steps != want.Steps {
		s.add(k, "steps %#02x in cell (%d, %d), want %#02x", got.Steps, gx, gy, want.Steps)
	}
}

// compareColumns compares the fields of record k with those of record c of the
// tile that was baked again.
func compareColumns(s *differences, k int, gx, gy int32, steps, wantSteps uint8, got, want *bnvf.Columns, c int) {
	if got.Component[k] != want.Component[c] {
		s.add(k, "component %d in cell (%d, %d), want %d", got.Component[k], gx, gy, want.Component[c])
	}
	if g, w := got.StepsXor[k]^steps, want.StepsXor[c]^wantSteps; g != w {
		s.add(k, "re-judged steps %#02x in cell (%d, %d), want %#02x", g, gx, gy, w)
	}
	if got.Seg[k] != want.Seg[c] {
		s.add(k, "facades %#02x in cell (%d, %d), want %#02x", got.Seg[k], gx, gy, want.Seg[c])
	}
	if got.Tax[k] != want.Tax[c] {
		s.add(k, "step edges %#02x in cell (%d, %d), want %#02x", got.Tax[k], gx, gy, want.Tax[c])
	}
	if got.ClrDrop[k] != want.ClrDrop[c] {
		s.add(k, "walls take %d from the clearance in cell (%d, %d), want %d", got.ClrDrop[k], gx, gy, want.ClrDrop[c])
	}
	if got.Medial[k] != want.Medial[c] {
		s.add(k, "medial bit %d in cell (%d, %d), want %d", got.Medial[k], gx, gy, want.Medial[c])
	}
}
