package wend_test

import (
	"context"
	"errors"
	"fmt"
	"testing/fstest"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/navmesh"
	"wend/scene"
	"wend/scene/sample"
)

// yard is a floor of 20 x 20 m; files would come from os.DirFS.
var yard = fstest.MapFS{"yard.obj": {Data: []byte(`
v 0 0 0
v 0 0 20
v 20 0 20
v 20 0 0
f 1 2 3 4
`)}}

// Three lines lead from a level file to a route.
func ExampleOpen() {
	world, err := wend.Open(yard, "yard.obj", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := world.NewQuery().Plan(context.Background(), wend.V3(3, 0, 4), wend.V3(15, 0, 9), wend.Agent{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v, %.0f m\n", r.Status, r.Length)
	// Output:
	// complete, 13 m
}

// Prepare changes a level before it is baked; the profile says for whom.
func ExampleOpen_prepare() {
	profile := bake.Human()
	profile.Agent.Radius = 0.4
	world, err := wend.Open(yard, "yard.obj", &wend.OpenOptions{
		Profile: &profile,
		Prepare: func(sc *scene.Scene) error {
			sc.NoGo = append(sc.NoGo, scene.NoGo{
				Name: "flower bed", MinY: -1, MaxY: 1,
				Ring: []geom.Vec2{{X: 6, Y: 6}, {X: 12, Y: 6}, {X: 12, Y: 12}, {X: 6, Y: 12}},
			})
			return nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := world.NewQuery().Plan(context.Background(), wend.V3(3, 0, 3), wend.V3(9, 0, 9), wend.Agent{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Err())
	// Output:
	// route: nogo: the goal lies in a no-go zone
}

func ExampleBake() {
	world, report, err := wend.Bake(context.Background(), sample.Maze(4), bake.Human(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := report.Bodies[0]
	fmt.Printf("%d triangles, %d islands, radius %g\n", b.Triangles, len(b.Islands), b.Radius)
	r, err := world.NewQuery().Plan(context.Background(), sample.MazeRoom(0, 0), sample.MazeRoom(3, 3), wend.Agent{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status)
	// Output:
	// 168 triangles, 1 islands, radius 0.6
	// complete
}

// Each body of a profile gets a mesh; a request takes the smallest that is
// safe for its agent.
func ExampleBake_severalBodies() {
	profile := bake.Human()
	profile.Bodies = []bake.Body{{Name: "cat", Radius: 0.2, Height: 0.5, MaxClimb: 0.6, MaxSlopeDeg: 50}}
	world, _, err := wend.Bake(context.Background(), sample.Town(), profile, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, agent := range []wend.Agent{{Radius: 0.15, Height: 0.4}, {Radius: 0.5, Height: 1.8}, {Radius: 2}} {
		i, err := world.BodyFor(agent)
		var none *wend.NoBodyError
		if errors.As(err, &none) {
			fmt.Printf("radius %g: no mesh\n", agent.Radius)
			continue
		}
		fmt.Printf("radius %g: %s\n", agent.Radius, world.Bodies()[i].Name)
	}
	// Output:
	// radius 0.15: cat
	// radius 0.5: human
	// radius 2: no mesh
}

// A route that does not come to its goal says where it breaks off.
func ExampleQuery_Plan() {
	world, _, err := wend.Bake(context.Background(), sample.Town(), bake.Human(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := world.NewQuery()
	bridge, roof := wend.V3(14, 4, 0), wend.V3(0, 6.4, 20)
	for _, goal := range []geom.Vec3{bridge, roof} {
		r, err := q.Plan(context.Background(), wend.V3(14, 0, 0), goal, wend.Agent{}, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		switch r.Status {
		case wend.Complete:
			fmt.Printf("%.1f m\n", r.Length)
		case wend.Partial:
			fmt.Printf("%.1f m, then a gap of %.1f m\n", r.Length, r.Failure.Gap.Width)
		default:
			fmt.Println(r.Failure.Message)
		}
	}
	// Output:
	// 39.1 m
	// 43.4 m, then a gap of 3.2 m
}

// A point may stand for several storeys, and a miss is an answer.
func ExampleQuery_Locate() {
	world, _, err := wend.Bake(context.Background(), sample.Town(), bake.Human(), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := world.NewQuery()
	for _, o := range []*wend.LocateOptions{nil, {Policy: navmesh.PolicyBelow}} {
		place, err := q.Locate(wend.V3(14, 2.9, 0), o)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("height %.1f, %.1f m away\n", place.Pos.Y, place.Distance)
	}
	place, err := q.Locate(wend.V3(14, 0, 80), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("found %v, the nearest surface is %.1f m away\n", place.Found, place.MissDistance)
	// Output:
	// height 4.1, 1.2 m away
	// height 0.1, 2.8 m away
	// found false, the nearest surface is 35.9 m away
}
