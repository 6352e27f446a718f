package sample_test

import (
	"math"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/route"
	"wend/scene/sample"
)

// Every trip has the outcome its name promises, for the default body.
func TestTripsOfTheDefaultBody(t *testing.T) {
	p := bake.Human()
	res, err := bake.Run(t.Context(), sample.Town(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if u := res.Report.Bodies[0].Unattached; len(u) != 0 {
		t.Errorf("links without surface: %v", u)
	}
	m := res.Meshes[0].Mesh
	// The town, the store room and the roof.
	if n := m.IslandCount(); n != 3 {
		t.Errorf("%d islands, want 3", n)
	}
	planner := route.NewMeshPlanner(m, p.Agent.Radius, "")
	length := map[string]float64{}
	for _, trip := range sample.Trips() {
		var r route.Route
		if err := planner.Plan(t.Context(), trip.From, trip.To, nil, &r); err != nil {
			t.Errorf("%s: %v", trip.Name, err)
		}
		want := route.Complete
		switch trip.Name {
		case "to the unreachable roof":
			if r.Status != route.Partial && r.Status != route.Unreachable {
				t.Errorf("%s: %v", trip.Name, r.Status)
			}
			continue
		case "into the building site":
			want = route.NoGo
		}
		if r.Status != want {
			t.Errorf("%s: %v, want %v", trip.Name, r.Status, want)
		}
		length[trip.Name] = r.Length
		for i := 1; i < len(r.Points); i++ {
			a, b := r.Points[i-1].Pos, r.Points[i].Pos
			if x := -42.0; trip.Name == "through the tunnel" && (a.X > x) != (b.X > x) {
				if p := geom.Lerp(a, b, (x-a.X)/(b.X-a.X)); math.Abs(p.Z) > 4 || p.Y > 1 {
					t.Errorf("%s: past the hill at %v", trip.Name, p)
				}
			}
		}
	}
	if down, up := length["down the ledge"], length["back up to the terrace"]; !(up > 4*down && down > 0) {
		t.Errorf("%.1f m down the ledge, %.1f m back up: want a long way round", down, up)
	}
	if l := length["across town"]; l < 116 || l > 118 {
		t.Errorf("%.1f m across town, want the straight street of 116 m", l)
	}
	if l := length["past the alley"]; l < 35 {
		t.Errorf("%.1f m past the alley: this body fits through it", l)
	}
}

// A thin body takes the alley and enters the store room.
func TestTripsOfAThinBody(t *testing.T) {
	p := bake.Human()
	p.Agent.Radius = 0.2
	p.Navmesh.Cell = 0.15
	res, err := bake.Run(t.Context(), sample.Town(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	planner := route.NewMeshPlanner(res.Meshes[0].Mesh, p.Agent.Radius, "")
	pos := map[string]sample.Place{}
	for _, q := range sample.Places() {
		pos[q.Name] = q
	}
	var r route.Route
	if err := planner.Plan(t.Context(), pos["plaza"].Pos, pos["alley"].Pos, nil, &r); err != nil || r.Status != route.Complete || r.Length > 30 {
		t.Errorf("through the alley: %v, %.1f m, %v", r.Status, r.Length, err)
	}
	if err := planner.Plan(t.Context(), pos["hall"].Pos, pos["store room"].Pos, nil, &r); err != nil || r.Status != route.Complete {
		t.Errorf("into the store room: %v, %v", r.Status, err)
	}
}
