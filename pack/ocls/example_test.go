package ocls_test

import (
	"fmt"
	"log"

	"wend/geom"
	"wend/pack/ocls"
)

// A floor of one triangle, placed twice, is written and read again.
func Example() {
	floor := ocls.Mesh{
		Verts: []geom.Vec3{geom.V3(0, 0, 0), geom.V3(0, 0, 8), geom.V3(8, 0, 0)},
		Tris:  [][3]uint32{{0, 1, 2}},
	}
	world := &ocls.World{Meshes: []ocls.Mesh{floor}}
	for _, height := range []float64{0, 3} {
		p := ocls.Placement{Mesh: 0}
		p.A = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
		p.T = geom.V3(100, height, 50)
		world.Placements = append(world.Placements, p)
	}
	scene, report, err := ocls.Quantize(world, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("largest move of a point:", report.PlaceError)

	data, err := ocls.Append(nil, []ocls.Named{{Name: "yard", Scene: scene}})
	if err != nil {
		log.Fatal(err)
	}
	again, found, err := ocls.ReadZone("", data, "yard")
	if err != nil || !found {
		log.Fatal(err)
	}
	for i := range again.Instances {
		place := again.Place(i)
		fmt.Println(place.Apply(again.Templates[0].Vertex(1)))
	}
	// Output:
	// largest move of a point: 0
	// {108 0 50}
	// {108 3 50}
}
