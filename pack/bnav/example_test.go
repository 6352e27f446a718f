package bnav_test

import (
	"context"
	"fmt"
	"log"

	"wend/pack/bnav"
)

// A pack of one triangle with a grid of two records is written, read, and asked
// for a window of cells.
func Example() {
	ctx := context.Background()
	recs := []bnav.Record{
		{Cell: 0, Region: 1, H: 1.5, Clr: 4, Flags: bnav.Walk | bnav.Core},
		{Cell: 5, Region: 1, H: 1.75, Clr: 9, Flags: bnav.Walk | bnav.Core},
	}
	enc, err := bnav.NewTileEncoder(0)
	if err != nil {
		log.Fatal(err)
	}
	payload, err := enc.Encode(recs, 4, 4)
	if err != nil {
		log.Fatal(err)
	}
	tile := bnav.NewTile{Tile: bnav.Tile{GX0: 100, GY0: 200, NX: 4, NY: 4, PX1: 3, PY1: 3, Records: 2}, Payload: payload}
	grid, err := bnav.NewGrid(128, 16, []bnav.NewZone{{Name: "yard", GlobalRegions: 1, Tiles: []bnav.NewTile{tile}}})
	if err != nil {
		log.Fatal(err)
	}
	data, _, err := bnav.Encode(ctx, &bnav.Content{
		Zones:     []bnav.Zone{{ID: 1, Name: "yard", TriCount: 1, SX: 1, SY: 1, FloorY: bnav.NoFloor}},
		Vertices:  []bnav.Vertex{{U: 25, V: 50, H: 1.5}, {U: 26, V: 50, H: 1.5}, {U: 25, V: 51, H: 1.75}},
		Triangles: []bnav.Triangle{{V: [3]uint32{0, 1, 2}, N: [3]int32{-1, -1, -1}}},
		Links:     []bnav.Link{{Source: 0, Target: 0}},
		Grid:      grid,
	}, nil)
	if err != nil {
		log.Fatal(err)
	}

	p, err := bnav.Load(ctx, data, nil)
	if err != nil {
		log.Fatal(err)
	}
	found, err := p.Grid.Window(ctx, p.Grid.ZoneIndex("yard"), bnav.Window{GX0: 101, GY0: 201, NX: 2, NY: 2}, 0)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range found {
		fmt.Printf("cell %d of the window: %v m, %v px of room\n", r.Cell, r.H, bnav.Clearance(r.Clr))
	}
	// Output: cell 0 of the window: 1.75 m, 0.75 px of room
}
