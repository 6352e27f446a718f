package spanroute_test

import (
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"wend/geom"
	"wend/scene"
	"wend/spanbake"
	"wend/spanroute"
)

// bridge bakes a floor of 60 m by 12 m with a bridge 5 m above it.
func bridge(ctx context.Context) fstest.MapFS {
	sc := &scene.Scene{Parts: []scene.Part{{Name: "ground"}}}
	floor := func(x0, z0, x1, z1, y float64) {
		n := uint32(len(sc.Verts))
		sc.Verts = append(sc.Verts, geom.V3(x0, y, z0), geom.V3(x0, y, z1), geom.V3(x1, y, z1), geom.V3(x1, y, z0))
		sc.Tris = append(sc.Tris, scene.Tri{V: [3]uint32{n, n + 1, n + 2}}, scene.Tri{V: [3]uint32{n, n + 2, n + 3}})
	}
	floor(0, 0, 60, 12, 0)
	floor(44, 0, 48, 12, 5)
	in, _, err := spanbake.FromTriangles(ctx, sc, &spanbake.Level{Zone: "river"})
	if err != nil {
		log.Fatal(err)
	}
	res, err := spanbake.Run(ctx, in, nil)
	if err != nil {
		log.Fatal(err)
	}
	return fstest.MapFS{"river.nav": {Data: res.Main}, "river.fields.nav": {Data: res.Fields}}
}

func ExampleEngine_Probe() {
	ctx := context.Background()
	e, err := spanroute.Open(ctx, bridge(ctx), "river.nav", nil)
	if err != nil {
		log.Fatal(err)
	}
	p, err := e.Probe(ctx, "river", geom.V3(46, 0, 6))
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range p.Surfaces {
		fmt.Printf("%.0f m: region %d, walkable %v\n", s.Y, s.Region, s.Walk)
	}
	near, err := e.RegionsNear(ctx, "river", []geom.Vec3{geom.V3(1, 0, 6), geom.V3(46, 0, 6)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(near)
	// Output:
	// 5 m: region 2, walkable true
	// 0 m: region 1, walkable true
	// [[1] [1 2]]
}
