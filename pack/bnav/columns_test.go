package bnav

import (
	"slices"
	"testing"
)

// Columns are those of the records, whatever was decoded into them before, also
// where a tile has one region and where it has several.
func TestColumnsAreThoseOfTheRecords(t *testing.T) {
	var dec TileDecoder
	var c TileColumns
	one, many := 0, 0
	for _, name := range vectorNames {
		p, err := Load(t.Context(), vectorBytes(t, name), nil)
		if err != nil {
			t.Fatal(err)
		}
		if p.Grid == nil {
			continue
		}
		for zi := range p.Grid.Zones {
			for ti := range p.Grid.Zones[zi].Tiles {
				var fresh TileDecoder
				want, err := fresh.Decode(p.Grid, zi, ti, nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := dec.Columns(p.Grid, zi, ti, &c); err != nil {
					t.Fatal(err)
				}
				var got []Record
				for i, cell := range c.Cell {
					for k := c.First[i]; k < c.First[i+1]; k++ {
						r := Record{Cell: cell, Region: c.RegionOf(int(k)), Clr: c.Clr[k], Flags: c.Flags[k], Steps: c.Steps[k]}
						if r.Flags&Fill == 0 {
							r.H = c.Height(int(k))
						}
						got = append(got, r)
					}
				}
				if !slices.Equal(got, want) || c.Len() != len(want) {
					t.Fatalf("%s, zone %d, tile %d: %d records, want %d; or others", name, zi, ti, len(got), len(want))
				}
				if len(want) > 0 && len(c.Regions) == 1 {
					one++
				} else if len(want) > 0 {
					many++
				}
			}
		}
	}
	if one == 0 || many == 0 {
		t.Errorf("%d tiles of one region and %d of several: the test looks at too little", one, many)
	}
}

// Zeros are told from all else, wherever it stands.
func TestAllZero(t *testing.T) {
	if !allZero(nil) || !allZero(make([]byte, 19)) {
		t.Error("zeros are not all zero")
	}
	for i := range 19 {
		b := make([]byte, 19)
		b[i] = 0x80
		if allZero(b) {
			t.Errorf("byte %d of 19 is not seen", i)
		}
	}
}
