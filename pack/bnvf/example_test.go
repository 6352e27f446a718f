package bnvf_test

import (
	"context"
	"fmt"
	"log"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// A sidecar for a main pack of two records is written, checked and merged:
// near a wall the second record has less room than the main pack says.
func Example() {
	ctx := context.Background()
	tiles, err := bnav.NewTileEncoder(0)
	if err != nil {
		log.Fatal(err)
	}
	payload, err := tiles.Encode([]bnav.Record{
		{Cell: 0, Region: 1, H: 1.5, Clr: 16, Flags: bnav.Walk | bnav.Core},
		{Cell: 1, Region: 1, H: 1.5, Clr: 25, Flags: bnav.Walk | bnav.Core},
	}, 4, 4)
	if err != nil {
		log.Fatal(err)
	}
	tile := bnav.NewTile{Tile: bnav.Tile{NX: 4, NY: 4, PX1: 3, PY1: 3, Records: 2}, Payload: payload}
	grid, err := bnav.NewGrid(128, 16, []bnav.NewZone{{Name: "yard", GlobalRegions: 1, Tiles: []bnav.NewTile{tile}}})
	if err != nil {
		log.Fatal(err)
	}
	data, _, err := bnav.Encode(ctx, &bnav.Content{
		Zones: []bnav.Zone{{ID: 1, Name: "yard", FloorY: bnav.NoFloor}}, Links: []bnav.Link{{Source: 0, Target: 0}}, Grid: grid,
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	main, err := bnav.Load(ctx, data, nil)
	if err != nil {
		log.Fatal(err)
	}

	cols, err := bnvf.NewColumnEncoder(0)
	if err != nil {
		log.Fatal(err)
	}
	payload, err = cols.Encode(&bnvf.Columns{
		Component: []uint32{1, 1}, StepsXor: []uint8{0, 0}, Seg: []uint8{0, 0}, Tax: []uint8{0, 0}, ClrDrop: []uint16{0, 21}, Medial: []uint8{1, 0},
	})
	if err != nil {
		log.Fatal(err)
	}
	side, err := bnvf.Encode(ctx, &bnvf.Content{Zones: []bnvf.NewZone{{
		Name: "yard", GlobalRegions: 1, Tiles: []bnvf.NewTile{{Records: 2, Payload: payload}},
		Graphs: []bnvf.RegionGraph{{Region: 1, Components: 1}},
	}}}, main, nil)
	if err != nil {
		log.Fatal(err)
	}

	f, err := bnvf.Load(ctx, side, main, nil)
	if err != nil {
		log.Fatal(err)
	}
	w, err := f.Window(ctx, 0, bnav.Window{NX: 4, NY: 4}, 0)
	if err != nil {
		log.Fatal(err)
	}
	for i, r := range w.Records {
		fmt.Println(bnav.Clearance(r.Clr), w.Seg[i]&bnvf.MedialBit != 0)
	}
	// Output:
	// 1 true
	// 0.5 false
}
