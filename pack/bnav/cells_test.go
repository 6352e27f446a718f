package bnav

import (
	"slices"
	"testing"

	"wend/pack"
)

// Cells alone are those of the decoded records, in both versions of the grid.
func TestCellsAreThoseOfTheRecords(t *testing.T) {
	for _, name := range vectorNames {
		p, err := Load(t.Context(), vectorBytes(t, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Grid == nil {
			continue
		}
		var dec TileDecoder
		for zi := range p.Grid.Zones {
			for ti := range p.Grid.Zones[zi].Tiles {
				recs, err := dec.Decode(p.Grid, zi, ti, nil)
				if err != nil {
					t.Fatal(err)
				}
				want := []int32{-7}
				for _, r := range recs {
					want = append(want, r.Cell)
				}
				if got, err := dec.Cells(p.Grid, zi, ti, []int32{-7}); err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s, zone %d, tile %d: %d cells of %d records, %v", name, zi, ti, len(got)-1, len(recs), err)
				}
			}
		}
	}
}

// A tile that is cut off or changed is refused, or its cells lie inside it.
func TestCellsOfDamagedTiles(t *testing.T) {
	enc, err := NewTileEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	good, err := enc.Encode([]Record{{Cell: 0, Region: 1}, {Cell: 3, Region: 1}, {Cell: 3, Region: 2, H: 4}, {Cell: 8, Region: 1}}, 3, 3)
	if err != nil {
		t.Fatal(err)
	}
	var dec TileDecoder
	for bit := range 8 * len(good) {
		data := slices.Clone(good)
		data[bit/8] ^= 1 << (bit % 8)
		g, err := NewGrid(1, 0, []NewZone{{Name: "z", GlobalRegions: 2, Tiles: []NewTile{{Tile{NX: 3, NY: 3, PX1: 2, PY1: 2, Records: 4}, data}}}})
		if err != nil {
			t.Fatal(err)
		}
		cells, err := dec.Cells(g, 0, 0, nil)
		if err == nil && (len(cells) != 4 || !slices.IsSorted(cells) || cells[0] < 0 || cells[3] > 8) {
			t.Errorf("bit %d: cells %v", bit, cells)
		}
		if err != nil && pack.Kind(err) == "" {
			t.Errorf("bit %d: %v has no kind", bit, err)
		}
		if _, whole := dec.Decode(g, 0, 0, nil); whole == nil && err != nil {
			t.Errorf("bit %d: the tile decodes, its cells do not: %v", bit, err)
		}
	}
}
