package occluder_test

import (
	"fmt"
	"log"

	"wend/geom"
	"wend/occluder"
	"wend/pack/ocls"
)

// A wall three metres high between two people; one of them climbs a tower.
func Example() {
	wall := ocls.Mesh{
		Verts: []geom.Vec3{geom.V3(0, 0, -5), geom.V3(0, 3, -5), geom.V3(0, 3, 5), geom.V3(0, 0, 5)},
		Tris:  [][3]uint32{{0, 1, 2}, {0, 2, 3}},
	}
	p := ocls.Placement{Mesh: 0}
	p.A = [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	src, _, err := ocls.Quantize(&ocls.World{Meshes: []ocls.Mesh{wall}, Placements: []ocls.Placement{p}}, nil)
	if err != nil {
		log.Fatal(err)
	}
	scene, err := occluder.New(src)
	if err != nil {
		log.Fatal(err)
	}
	eye := geom.V3(4, 1.5, 1)
	for _, height := range []float64{1.5, 6} {
		from := geom.V3(-4, height, 0)
		if hit, ok := scene.First(from, eye); ok {
			fmt.Println("hidden, the line ends at", geom.Lerp(from, eye, hit.T))
		} else {
			fmt.Println("in sight")
		}
	}
	// Output:
	// hidden, the line ends at {0 1.5 0.5}
	// in sight
}
