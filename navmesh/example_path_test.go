package navmesh_test

import (
	"context"
	"fmt"
	"log"

	"wend/geom"
	"wend/navmesh"
)

// lShape is a mesh of two polygons around a corner at (4, 0, 4).
func lShape() *navmesh.Mesh {
	tile := navmesh.Tile{
		Bounds: [2]geom.Vec3f{{}, {X: 10, Y: 1, Z: 10}},
		Verts: []geom.Vec3f{
			{X: 0, Z: 0},
			{X: 0, Z: 4},
			{X: 4, Z: 4},
			{X: 10, Z: 4},
			{X: 10, Z: 0},
			{X: 0, Z: 10},
			{X: 4, Z: 10},
		},
		Polys: []navmesh.TilePoly{
			{Verts: [6]uint16{0, 1, 2, 3, 4}, Neis: [6]uint16{0, 2, 0, 0, 0}, Count: 5, Flags: navmesh.FlagWalk},
			{Verts: [6]uint16{1, 5, 6, 2}, Neis: [6]uint16{0, 0, 0, 1}, Count: 4, Flags: navmesh.FlagWalk},
		},
	}
	params := navmesh.Params{TileWidth: 10, TileDepth: 10, MaxTiles: 1, MaxPolys: 2}
	m, _, err := navmesh.New(params, []navmesh.Tile{tile})
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func ExampleQuery_Path() {
	q := lShape().NewQuery()
	from, err := q.Nearest(geom.V3(8, 0, 2), nil)
	if err != nil {
		log.Fatal(err)
	}
	to, err := q.Nearest(geom.V3(2, 0, 8), nil)
	if err != nil {
		log.Fatal(err)
	}
	var path navmesh.Path
	if err := q.Path(context.Background(), from.Location, to.Location, nil, nil, &path); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, %.3f m\n", path.Outcome, path.Length)
	for _, p := range path.Points {
		fmt.Println(p.Pos)
	}
	// Output:
	// complete, 8.944 m
	// {8 0 2}
	// {4 0 4}
	// {2 0 8}
}

func ExampleQuery_Raycast() {
	q := lShape().NewQuery()
	from, err := q.Nearest(geom.V3(8, 0, 2), nil)
	if err != nil {
		log.Fatal(err)
	}
	hit, err := q.Raycast(from.Location, geom.V3(8, 0, 8), nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hit.Hit, hit.Pos, hit.Normal)
	// Output: true {8 0 4} {0 0 -1}
}

func ExampleFunnel() {
	// Through a door from (1, 0, 1) to (1, 0, -1) and then one on the left.
	var f navmesh.Funnel
	f.Reset(geom.V3(0, 0, 0), geom.V3(3, 0, -4), []navmesh.Portal{
		{Right: geom.V3(1, 0, 1), Left: geom.V3(1, 0, -1)},
		{Right: geom.V3(2, 0, -3), Left: geom.V3(2, 0, -4)},
	})
	for f.Step() {
		fmt.Println("apex", f.Apex().Pos, "left", f.Left().Pos, "right", f.Right().Pos)
	}
	fmt.Println(f.Turns()[1].Pos)
	// Output:
	// apex {0 0 0} left {1 0 -1} right {1 0 1}
	// apex {1 0 -1} left {1 0 -1} right {1 0 -1}
	// apex {1 0 -1} left {2 0 -4} right {2 0 -3}
	// apex {2 0 -3} left {2 0 -3} right {2 0 -3}
	// {1 0 -1}
}
