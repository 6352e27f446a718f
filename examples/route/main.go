// Command route opens a level and plans a way through it.
//
// It shows the shortest program that gets from a level file to points to walk
// along, and what to do with an answer that is no way.
package main

import (
	"context"
	"embed"
	"fmt"
	"log"

	"wend"
	"wend/geom"
)

//go:embed yard.obj
var levels embed.FS

func main() {
	// Open bakes the level for a body of 0.6 m radius; see OpenOptions.Profile
	// for others.
	world, err := wend.Open(levels, "yard.obj", nil)
	if err != nil {
		log.Fatal(err)
	}
	q := world.NewQuery() // one for each goroutine
	start := wend.V3(3, 0, 3)
	for _, goal := range []geom.Vec3{
		wend.V3(17, 0, 3),  // behind the wall
		wend.V3(10, 3, 8),  // on the wall, which nothing leads up to
		wend.V3(200, 0, 3), // outside the level
	} {
		r, err := q.Plan(context.Background(), start, goal, wend.Agent{}, nil)
		if err != nil {
			log.Fatal(err) // the request made no sense
		}
		fmt.Printf("to %v: %v, %.2f m\n", goal, r.Status, r.Length)
		for _, p := range r.Points {
			fmt.Printf("  %.2f %.2f %.2f  %v\n", p.Pos.X, p.Pos.Y, p.Pos.Z, p.Kind)
		}
		// Only Complete comes to the goal; every other answer says why not.
		if r.Status != wend.Complete {
			fmt.Println(" ", r.Failure.Message)
		}
	}
}
