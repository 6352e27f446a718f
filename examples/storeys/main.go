// Command storeys finds places where floors lie over one another.
//
// A point seen from above can stand for several places: the street under a
// bridge, and the bridge. The program lists them and plans to each.
package main

import (
	"context"
	"fmt"
	"log"

	"wend"
	"wend/bake"
	"wend/navmesh"
	"wend/scene/sample"
)

func main() {
	ctx := context.Background()
	world, _, err := wend.Bake(ctx, sample.Town(), bake.Human(), nil)
	if err != nil {
		log.Fatal(err)
	}
	q := world.NewQuery()

	// The height is not known: ask which surfaces there are.
	const x, z = 14, 0
	surfaces, err := q.Surfaces(x, z, 0)
	if err != nil {
		log.Fatal(err)
	}
	start := wend.V3(-2, 0, -32)
	for i, s := range surfaces {
		r, err := q.Plan(ctx, start, s.Pos, wend.Agent{}, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("surface %d at height %.1f: %v, %.1f m from the plaza\n", i, s.Pos.Y, r.Status, r.Length)
	}

	// The height is known roughly, as of a figure that jumps: say which side
	// counts.
	for _, policy := range []struct {
		name   string
		policy navmesh.Policy
	}{{"nearest", navmesh.PolicyNearest}, {"below", navmesh.PolicyBelow}, {"above", navmesh.PolicyAbove}} {
		place, err := q.Locate(wend.V3(x, 2.9, z), &wend.LocateOptions{Policy: policy.policy})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("from 2.9 m up, %s: height %.1f\n", policy.name, place.Pos.Y)
	}
}
