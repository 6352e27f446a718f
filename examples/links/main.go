// Command links joins places that no floor joins: a ladder both ways, a drop
// one way.
//
// It builds a scene by hand, adds the links, writes the mesh as a file and
// plans on what comes back from it.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"testing/fstest"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/route"
	"wend/scene"
)

// box appends a closed box of the given corners.
func box(sc *scene.Scene, lo, hi geom.Vec3) {
	base := uint32(len(sc.Verts))
	for _, y := range []float64{lo.Y, hi.Y} {
		sc.Verts = append(sc.Verts, geom.V3(lo.X, y, lo.Z), geom.V3(lo.X, y, hi.Z), geom.V3(hi.X, y, hi.Z), geom.V3(hi.X, y, lo.Z))
	}
	// Counter-clockwise seen from outside: top, bottom and the sides.
	for _, f := range [][4]uint32{{4, 5, 6, 7}, {3, 2, 1, 0}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}} {
		sc.Tris = append(sc.Tris,
			scene.Tri{V: [3]uint32{base + f[0], base + f[1], base + f[2]}},
			scene.Tri{V: [3]uint32{base + f[0], base + f[2], base + f[3]}})
	}
}

func main() {
	ctx := context.Background()
	sc := &scene.Scene{Parts: []scene.Part{{Name: "level"}}}
	box(sc, geom.V3(0, -1, 0), geom.V3(30, 0, 20))
	box(sc, geom.V3(0, 0, 0), geom.V3(10, 4, 20)) // a terrace
	sc.Links = []scene.Link{
		// Climbing is slow: worth 20 m of walking.
		{Name: "ladder", From: geom.V3(11, 0, 3), To: geom.V3(9, 4, 3), Radius: 0.5, Cost: 20},
		{Name: "drop", From: geom.V3(9, 4, 17), To: geom.V3(11.5, 0, 17), Radius: 0.5, OneWay: true},
		{Name: "rope into nothing", From: geom.V3(9, 4, 10), To: geom.V3(9, 30, 10), Radius: 0.5},
	}
	world, report, err := wend.Bake(ctx, sc, bake.Human(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, u := range report.Bodies[0].Unattached {
		fmt.Printf("link %q: its end %q hangs: %s\n", u.Link, u.End, u.Cause)
	}

	// A navmesh file keeps the links.
	var file bytes.Buffer
	if err := world.WriteNavmesh(&file, 0); err != nil {
		log.Fatal(err)
	}
	files := fstest.MapFS{"terrace.bin": {Data: file.Bytes()}} // os.DirFS in a real program
	if world, err = wend.OpenNavmeshes(files, "terrace.bin"); err != nil {
		log.Fatal(err)
	}

	q := world.NewQuery()
	up, down := wend.V3(5, 4, 17), wend.V3(15, 0, 17)
	for _, trip := range [][2]geom.Vec3{{up, down}, {down, up}} {
		r, err := q.Plan(ctx, trip[0], trip[1], wend.Agent{}, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v to %v: %v, %.1f m, cost %.1f\n", trip[0], trip[1], r.Status, r.Length, r.Cost)
		for i, p := range r.Points {
			if p.Kind == route.Link {
				fmt.Printf("  link from %.1f to %.1f\n", p.Pos, r.Points[i+1].Pos)
			}
		}
	}
}
