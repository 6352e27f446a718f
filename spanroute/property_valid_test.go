package spanroute

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"wend/route"
)

// TestRoutesHold plans random legs and holds each route against the triangles of
// the scene.
func TestRoutesHold(t *testing.T) {
	n := light(15)
	list := []*propertyWorld{generated(t, 1, 10), baked(t, "town")}
	if long() {
		n = 2000
		for seed := range uint64(3) {
			list = append(list, generated(t, 2+seed, 12+2*int(seed)))
		}
		for _, name := range []string{"nav_test.obj", "dungeon.obj", "undulating.obj"} {
			list = append(list, baked(t, name))
		}
	}
	for i, w := range list {
		t.Run(w.name, func(t *testing.T) {
			z := openZone(t, w.engine)
			j := newJudge(w, z, decodeAll(t, z), i != 0 && w.name[:3] != "gen")
			rnd := rand.New(rand.NewPCG(31, uint64(i)))
			p := w.engine.NewPlanner()
			count, codes := map[route.Status]int{}, map[string]int{}
			falls, points, bad := 0, 0, 0
			for k := range n {
				r := w.randomRequest(rnd)
				if k%4 == 0 {
					r.MaxSnap = 0.3 + 1.5*float64(k/4%4)
				}
				got := w.plan(t, p, r)
				count[got.Status]++
				if got.Failure != nil {
					codes[got.Failure.Code]++
				}
				falls += len(got.Drops)
				points += len(got.Points)
				if err := j.check(r, got); err != nil {
					if bad++; bad <= 12 {
						t.Errorf("leg %d: %+v: %v\n%s", k, *r, err, describe(got))
					}
				}
			}
			t.Logf("%d legs: %v, %v; %d points, %d falls, %d nearer to walls than radius less half a cell, %d bad", n, count, codes, points, falls, j.tight, bad)
		})
	}
}

func describe(r *route.Route) string {
	s := fmt.Sprintf("%v %v %s\n", r.Drops, r.Waypoints, r.Stats.Window)
	for i, p := range r.Points {
		s += fmt.Sprintf("  %d (%.3f, %.3f, %.3f) %v clear %.2f, region %d\n", i, p.Pos.X, p.Pos.Y, p.Pos.Z, p.Kind, p.Clearance, p.Storey)
	}
	return s
}
