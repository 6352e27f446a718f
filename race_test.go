package wend_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/scene/sample"
)

// Any number of goroutines plan on one world, each with its own Query, and get
// what one of them would have got alone. Run it with -race.
func TestPlanSideBySide(t *testing.T) {
	w := mustWorld(t, sample.Town(), func(p *bake.Profile) {
		p.Bodies = []bake.Body{{Name: "thin", Radius: 0.25, Height: 1.6, MaxClimb: 0.5, MaxSlopeDeg: 40}}
	})
	trips := sample.Trips()
	one := func(q *wend.Query, i int) (string, error) {
		trip := trips[i%len(trips)]
		r, err := q.Plan(t.Context(), trip.From, trip.To, wend.Agent{Radius: []float64{0, 0.6}[i%2]}, &wend.PlanOptions{MaxClearance: 2})
		if err != nil {
			return "", err
		}
		near, err := q.Locate(trip.To, nil)
		if err != nil {
			return "", err
		}
		over, err := q.Surfaces(trip.From.X, trip.From.Z, 1)
		return fmt.Sprint(answer(r), near, over), err
	}
	n := 2 * len(trips)
	want := make([]string, n)
	alone := w.NewQuery()
	for i := range want {
		var err error
		if want[i], err = one(alone, i); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			q := w.NewQuery()
			rng := rand.New(rand.NewPCG(uint64(g), 8))
			for range 3 {
				for _, i := range rng.Perm(n) {
					got, err := one(q, i)
					if err != nil || got != want[i] {
						t.Errorf("goroutine %d, trip %d: %v, got\n%s\nwant\n%s", g, i, err, got, want[i])
						return
					}
				}
				if w.Fingerprint() == "" || len(w.Bodies()) != 2 {
					t.Error("the world has changed")
				}
			}
		})
	}
	wg.Wait()
}

// What a world hands out is the caller's: changing it changes nothing else.
func TestWorldKeepsItsBodies(t *testing.T) {
	meshes := []bake.BodyMesh{}
	for _, radius := range []float64{0.9, 0.3} {
		p := bake.Human()
		p.Agent.Radius = radius
		p.Agent.Name = fmt.Sprint(radius)
		res, err := bake.Run(t.Context(), hall(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		meshes = append(meshes, res.Meshes...)
	}
	w := wend.NewWorld(meshes...)
	before := w.Bodies()
	if before[0].Radius != 0.3 || before[1].Radius != 0.9 {
		t.Fatalf("bodies %+v", before)
	}
	w.Bodies()[0].Radius = 77
	meshes[0].Body.Radius = 77
	if !slices.Equal(w.Bodies(), before) {
		t.Errorf("bodies %+v, were %+v", w.Bodies(), before)
	}
	r := plan(t, w.NewQuery(), geom.V3(5, 0, 5), geom.V3(35, 0, 5), nil)
	if r.World != w.Fingerprint() || r.World != wend.NewWorld(meshes[1], meshes[0]).Fingerprint() {
		t.Error("the fingerprint depends on the order in which the meshes are given")
	}
}
