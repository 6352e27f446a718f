// Command packs bakes a level into a span grid, saves it as packs, opens them
// and plans routes with them.
//
// It shows what packs add to a navmesh: routes that keep their distance from
// walls, falls, obstacles of a single request, and an answer that says where a
// way breaks off.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/pack"
	"wend/scene"
	"wend/spanbake"
)

func main() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "wend-packs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := save(ctx, filepath.Join(dir, "deck.nav.gz")); err != nil {
		log.Fatal(err)
	}

	// From here on it is what a game does: open, and plan.
	packs, err := wend.OpenPacks(os.DirFS(dir), "deck.nav.gz", nil)
	if err != nil {
		log.Fatal(err)
	}
	q := packs.NewQuery() // one for each goroutine
	yard, far, deck := wend.V3(15, 0, 3), wend.V3(15, 0, 17), wend.V3(3, 4, 10)
	agent := wend.Agent{Radius: 0.6, Height: 2, MaxDrop: 5}
	for _, leg := range []struct {
		what     string
		from, to geom.Vec3
		agent    wend.Agent
		discs    []wend.Disc
	}{
		{"across the yard", yard, far, agent, nil},
		{"around a cart", yard, far, agent, []wend.Disc{{At: wend.V3(15, 0, 10), Radius: 2}}},
		{"past a fence", yard, far, agent, fence(10)},
		{"down from the deck", deck, yard, agent, nil},
		{"down, but not that far", deck, yard, wend.Agent{MaxDrop: 2}, nil},
		{"up to the deck", yard, deck, agent, nil},
	} {
		r, err := q.Plan(ctx, leg.from, leg.to, leg.agent, &wend.SpanOptions{Discs: leg.discs})
		if err != nil {
			log.Fatal(err) // the request made no sense, or the packs are broken
		}
		fmt.Printf("%s: %v\n", leg.what, r.Status)
		if r.Status != wend.Complete {
			fmt.Println("  ", r.Failure.Message)
			if g := r.Failure.Gap; g != nil {
				fmt.Printf("   it breaks off for %.1f m in plan\n", g.Width)
			}
			continue
		}
		fmt.Printf("   %.1f m, %d waypoints\n", r.Length, len(r.Waypoints))
		for _, d := range r.Drops {
			fmt.Printf("   falls %.1f m\n", r.Points[d.Index-1].Pos.Y-d.Y)
		}
	}
}

// fence is a row of discs across the yard.
func fence(z float64) []wend.Disc {
	var row []wend.Disc
	for x := 1.0; x < 20; x += 2 {
		row = append(row, wend.Disc{At: wend.V3(x, 0, z), Radius: 1.5})
	}
	return row
}

// save bakes a yard with a deck over a part of it, 4 m up. For a level file it
// is the same as "wend bake deck.obj -o deck.nav.gz".
func save(ctx context.Context, file string) error {
	sc := &scene.Scene{Parts: []scene.Part{{Name: "deck"}}}
	rect(sc, 0, 0, 20, 20, 0)
	rect(sc, 0, 0, 8, 20, 4)
	p := bake.Human()
	baked, err := bake.Run(ctx, sc, p, nil)
	if err != nil {
		return err
	}
	rules, err := spanbake.RulesFor(&p)
	if err != nil {
		return err
	}
	in, _, err := spanbake.FromNavmesh(ctx, baked.Meshes[0].Mesh, sc, &spanbake.Level{
		Zone: "deck", Cell: p.Navmesh.Cell, Rules: rules, Body: p.Agent, WeldHeight: p.Agent.MaxClimb,
	})
	if err != nil {
		return err
	}
	res, err := spanbake.Run(ctx, in, nil)
	if err != nil {
		return err
	}
	fields, _ := pack.SideNames(file)
	if err := pack.WriteFile(fields, res.Fields); err != nil {
		return err
	}
	return pack.WriteFile(file, res.Main)
}

// rect adds level ground.
func rect(sc *scene.Scene, x0, z0, x1, z1, y float64) {
	n := uint32(len(sc.Verts))
	sc.Verts = append(sc.Verts, wend.V3(x0, y, z0), wend.V3(x0, y, z1), wend.V3(x1, y, z1), wend.V3(x1, y, z0))
	sc.Tris = append(sc.Tris, scene.Tri{V: [3]uint32{n, n + 1, n + 2}}, scene.Tri{V: [3]uint32{n, n + 2, n + 3}})
}
