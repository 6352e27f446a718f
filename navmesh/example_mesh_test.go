package navmesh_test

import (
	"fmt"

	"wend/geom"
	"wend/navmesh"
)

// twoFloors is a floor of 20 by 20 m in two polygons and a deck over its
// middle, reached by a ladder.
func twoFloors() (navmesh.Params, []navmesh.Tile) {
	v := func(x, y, z float32) geom.Vec3f { return geom.Vec3f{X: x, Y: y, Z: z} }
	t := navmesh.Tile{
		AgentHeight: 2, AgentRadius: 0.6, AgentClimb: 0.9, BVQuant: 1 / 0.3,
		Bounds: [2]geom.Vec3f{v(0, 0, 0), v(20, 3, 20)},
		Verts: []geom.Vec3f{
			v(0, 0, 0), v(0, 0, 20), v(10, 0, 20), v(10, 0, 0), // west half
			v(20, 0, 20), v(20, 0, 0), // east half
			v(8, 2.5, 8), v(8, 2.5, 12), v(12, 2.5, 12), v(12, 2.5, 8), // deck
			v(7.5, 0, 10), v(8.5, 2.5, 10), // ladder
		},
		Polys: []navmesh.TilePoly{
			{Verts: [6]uint16{0, 1, 2, 3}, Neis: [6]uint16{0, 0, 2, 0}, Count: 4, Flags: navmesh.FlagWalk},
			{Verts: [6]uint16{3, 2, 4, 5}, Neis: [6]uint16{1, 0, 0, 0}, Count: 4, Flags: navmesh.FlagWalk},
			{Verts: [6]uint16{6, 7, 8, 9}, Count: 4, Flags: navmesh.FlagWalk},
			{Verts: [6]uint16{10, 11}, Count: 2, Flags: navmesh.FlagWalk, Kind: navmesh.KindOffMesh},
		},
		OffMesh: []navmesh.OffMesh{{From: v(7.5, 0, 10), To: v(8.5, 2.5, 10), Radius: 0.3, Poly: 3}},
	}
	return navmesh.Params{TileWidth: 20, TileDepth: 20}, []navmesh.Tile{t}
}

func ExampleNew() {
	m, report, err := navmesh.New(twoFloors())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d polygons, %d islands, %d storeys, %d connections\n",
		m.Len(), m.IslandCount(), m.StoreyCount(), report.OffMesh)
	fmt.Println("up the ladder:", m.CanReach(0, 2))
	fmt.Println("and down:", m.CanReach(2, 0))
	// Output:
	// 4 polygons, 2 islands, 2 storeys, 1 connections
	// up the ladder: true
	// and down: false
}

func ExampleQuery_Nearest() {
	m, _, err := navmesh.New(twoFloors())
	if err != nil {
		fmt.Println(err)
		return
	}
	q := m.NewQuery()
	show := func(p geom.Vec3, o *navmesh.NearestOptions) {
		switch r, err := q.Nearest(p, o); {
		case err != nil:
			fmt.Println(err)
		case !r.Found:
			fmt.Printf("nothing near, the surface is %.1f m away\n", r.MissDistance)
		default:
			fmt.Printf("%v on storey %d\n", r.Pos, m.Storey(r.Poly))
		}
	}
	show(geom.V3(11, 1.5, 10), nil) // nearer the deck
	show(geom.V3(11, 1.5, 10), &navmesh.NearestOptions{Policy: navmesh.PolicyBelow})
	show(geom.V3(30, 0, 10), nil)
	// Output:
	// {11 2.5 10} on storey 1
	// {11 0 10} on storey 0
	// nothing near, the surface is 10.0 m away
}

func ExampleQuery_AppendSurfaces() {
	m, _, err := navmesh.New(twoFloors())
	if err != nil {
		fmt.Println(err)
		return
	}
	surfaces, err := m.NewQuery().AppendSurfaces(nil, 9, 10, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range surfaces {
		fmt.Println("height", s.Pos.Y)
	}
	// Output:
	// height 0
	// height 2.5
}
