package zone_test

import (
	"context"
	"fmt"

	"wend/pack/bnav"
	"wend/zone"
)

// A floor of two triangles below a gallery of one: where does a point stand?
func Example() {
	c := &bnav.Content{
		Zones: []bnav.Zone{{ID: 1, Name: "hall", TriCount: 3}},
		Vertices: []bnav.Vertex{
			{U: 0, V: 0}, {U: 20, V: 0}, {U: 20, V: 20}, {U: 0, V: 20},
			{U: 10, V: 0, H: 15}, {U: 20, V: 0, H: 15}, {U: 20, V: 20, H: 15},
		},
		Triangles: []bnav.Triangle{
			{V: [3]uint32{0, 1, 2}, N: [3]int32{-1, -1, 1}},
			{V: [3]uint32{0, 2, 3}, N: [3]int32{0, -1, -1}},
			{V: [3]uint32{4, 5, 6}, N: [3]int32{-1, -1, -1}},
		},
		Links: []bnav.Link{{Source: 0, Target: 1}, {Source: 1, Target: 0}},
	}
	hall, err := zone.Clean(context.Background(), c, c.ZoneIndex("hall"), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("components", hall.Component, "boundary edges", len(hall.AllEdges()))

	s := hall.NewSnapper()
	for _, aim := range []zone.Aim{
		{U: 18, V: 3, Radius: 8},
		{U: 18, V: 3, Radius: 8, Order: zone.OnFloor, Height: 1},
		{U: 23, V: 3, Radius: 8, Order: zone.OnDeck, Height: 0},
	} {
		spot, ok := s.Snap(&aim)
		fmt.Printf("%t: triangle %d at height %g, %g px away\n", ok, spot.Triangle, spot.Height, spot.Distance)
	}
	// Output:
	// components [0 0 2] boundary edges 7
	// true: triangle 2 at height 15, 0 px away
	// true: triangle 0 at height 0, 0 px away
	// true: triangle 0 at height 0, 3 px away
}
