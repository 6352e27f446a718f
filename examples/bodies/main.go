// Command bodies bakes one level for several sizes of body.
//
// Each body gets a mesh of its own. A request names what its agent needs, and
// the smallest mesh that is safe for it answers.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"

	"wend"
	"wend/bake"
	"wend/scene/sample"
)

func main() {
	ctx := context.Background()
	profile := bake.Human()
	profile.Bodies = []bake.Body{
		{Name: "cat", Radius: 0.2, Height: 0.5, MaxClimb: 0.6, MaxSlopeDeg: 50},
		{Name: "cart", Radius: 1.2, Height: 1.6, MaxClimb: 0.2, MaxSlopeDeg: 20},
	}
	world, report, err := wend.Bake(ctx, sample.Town(), profile, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, b := range report.Bodies {
		fmt.Printf("%s: %.0f square metres in %d islands\n", b.Body, b.Area, len(b.Islands))
	}

	// The straight way from the plaza to the main street leads through an
	// alley 1.1 m wide.
	plaza, street := wend.V3(-2, 0, -32), wend.V3(-1.05, 0, -5)
	q := world.NewQuery()
	for _, agent := range []wend.Agent{
		{}, // whatever the smallest body is
		{Radius: 0.6, Height: 1.8},
		{Radius: 1, MaxStep: 0.25},
		{Radius: 3},
	} {
		i, err := world.BodyFor(agent)
		var none *wend.NoBodyError
		if errors.As(err, &none) {
			fmt.Printf("%s: no mesh fits\n", describe(agent))
			continue
		}
		if err != nil {
			log.Fatal(err)
		}
		r, err := q.Plan(ctx, plaza, street, agent, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s walks as %s: %v, %.1f m\n", describe(agent), world.Bodies()[i].Name, r.Status, r.Length)
	}
}

// describe says what an agent asks for.
func describe(a wend.Agent) string {
	return fmt.Sprintf("radius %g, height %g", a.Radius, a.Height)
}
