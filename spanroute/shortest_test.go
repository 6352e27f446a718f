package spanroute_test

import (
	"math/rand/v2"
	"testing"

	"wend/geom"
	"wend/internal/wendtest/packtest"
	"wend/navmesh"
	"wend/route"
	"wend/spanroute"
)

// TestShortestKeepsToTheMesh plans shortest ways over packs of a navmesh: seen from
// above they are nowhere beside it by more than half a cell, and so hardly shorter
// than the shortest way over the mesh itself. (Along the points either is shorter
// than the ground under it, where that is bent.)
func TestShortestKeepsToTheMesh(t *testing.T) {
	const halfCell = 0.15 // m
	set, m := packtest.Town(t)
	mesh, q := route.NewMeshPlanner(m, 0.6, ""), m.NewQuery()
	p := mustOpen(t, set, nil).NewPlanner()
	over := &navmesh.NearestOptions{HalfExtents: geom.V3(1, 30, 1), HeightWeight: 1e-3}
	rnd := rand.New(rand.NewPCG(1, 2))
	legs := 0
	for range 120 {
		from, to := randomPoint(m, rnd), randomPoint(m, rnd)
		var a, b route.Route
		if err := mesh.Plan(t.Context(), from, to, &route.Options{NoPartial: true}, &a); err != nil {
			t.Fatal(err)
		}
		err := p.Plan(t.Context(), &spanroute.Request{
			From: spanroute.End{At: from}, To: spanroute.End{At: to}, Shortest: true, Body: spanroute.Body{MaxDrop: 0.001},
		}, &b)
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != route.Complete || b.Status != route.Complete || a.Length < 3 {
			continue
		}
		links := 0
		for _, list := range [][]route.Point{a.Points, b.Points} {
			for _, at := range list {
				if at.Kind == route.Link {
					links++
				}
			}
		}
		if links > 0 {
			continue // the two may go different ways over them
		}
		legs++
		if b.Length < a.Length*0.98 || b.Length > a.Length*1.15+0.5 {
			t.Errorf("%v to %v: %.3f m over spans, %.3f m on the mesh", from, to, b.Length, a.Length)
		}
		for i := 1; i < len(b.Points); i++ {
			u, v := b.Points[i-1].Pos, b.Points[i].Pos
			n := int(geom.DistXZ(u, v)/0.1) + 1
			for k := range n + 1 {
				at := geom.Lerp(u, v, float64(k)/float64(n))
				near, err := q.Nearest(at, over)
				if err != nil {
					t.Fatal(err)
				}
				if off := geom.DistXZ(near.Pos, at); !near.Found || off > halfCell {
					t.Fatalf("%v to %v: at %v %.3f m beside the mesh", from, to, at, off)
				}
			}
		}
	}
	if legs < 80 {
		t.Errorf("%d legs: no fair trial", legs)
	}
}
