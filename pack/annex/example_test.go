package annex_test

import (
	"context"
	"fmt"
	"log"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
)

// A main pack gets the bounds of its grid and a note on the body it was made
// for, and a reader asks for them.
func Example() {
	ctx := context.Background()
	enc, err := bnav.NewTileEncoder(0)
	if err != nil {
		log.Fatal(err)
	}
	payload, err := enc.Encode([]bnav.Record{
		{Cell: 0, Region: 1, H: 1.5, Flags: bnav.Walk | bnav.Core},
		{Cell: 6, Region: 1, H: 2.25, Flags: bnav.Walk | bnav.Core},
	}, 4, 4)
	if err != nil {
		log.Fatal(err)
	}
	tile := bnav.NewTile{Tile: bnav.Tile{GX0: 100, GY0: 200, NX: 4, NY: 4, PX1: 3, PY1: 3, Records: 2}, Payload: payload}
	grid, err := bnav.NewGrid(128, 16, []bnav.NewZone{{Name: "yard", GlobalRegions: 1, Tiles: []bnav.NewTile{tile}}})
	if err != nil {
		log.Fatal(err)
	}
	bounds, err := annex.ComputeBounds(ctx, grid, 0)
	if err != nil {
		log.Fatal(err)
	}
	b, err := annex.EncodeBounds(bounds)
	if err != nil {
		log.Fatal(err)
	}
	s, err := annex.EncodeBodies([]annex.Body{{ID: 1, Radius: 0.25, Headroom: 1.75, MaxClimb: 0.5, MaxSlopeDeg: 45}})
	if err != nil {
		log.Fatal(err)
	}
	data, _, err := bnav.Encode(ctx, &bnav.Content{
		Zones: []bnav.Zone{{ID: 1, Name: "yard", FloorY: bnav.NoFloor}}, Links: []bnav.Link{{}}, Grid: grid, Extra: []pack.Extra{b, s},
	}, nil)
	if err != nil {
		log.Fatal(err)
	}

	p, err := bnav.Load(ctx, data, nil)
	if err != nil {
		log.Fatal(err)
	}
	if bounds, err = annex.ReadBounds(p); err != nil {
		log.Fatal(err)
	}
	bodies, err := annex.ReadBodies(p)
	if err != nil {
		log.Fatal(err)
	}
	z := bounds.Zones[0]
	fmt.Printf("cells (%d, %d) to (%d, %d), %v to %v m\n", z.GX0, z.GY0, z.GX1, z.GY1, z.Heights.Min, z.Heights.Max)
	fmt.Println("for a body of radius", bodies[0].Radius)
	// Output:
	// cells (100, 200) to (102, 201), 1.5 to 2.25 m
	// for a body of radius 0.25
}
