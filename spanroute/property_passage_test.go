package spanroute

import (
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/internal/wendtest/packtest"
	"wend/route"
	"wend/scene"
)

// TestLinkDownIsNoFall: a link that leads down is no fall, and where it ends
// nothing is moved.
func TestLinkDownIsNoFall(t *testing.T) {
	b := wendtest.NewBuilder()
	b.Floor(0, 0, 12, 12, 5).Floor(20, 0, 32, 12, 0)
	b.Scene.Links = []scene.Link{{From: geom.V3(11, 5, 6), To: geom.V3(21, 0, 6), Radius: 1}}
	p := openPacks(t, packtest.Bake(t, b.Scene, true, func(p *bake.Profile) { p.Agent.Radius = 0 }), nil).NewPlanner()
	var r route.Route
	err := p.Plan(t.Context(), &Request{From: End{At: geom.V3(2, 5, 2)}, To: End{At: geom.V3(30, 0, 2)}}, &r)
	if err != nil || r.Status != route.Complete {
		t.Fatalf("%v, %v", r.Status, err)
	}
	if len(r.Drops) != 0 {
		t.Errorf("falls %v\n%s", r.Drops, describe(&r))
	}
	links := 0
	for i, p := range r.Points {
		if p.Kind != route.Link {
			continue
		}
		links++
		if to := r.Points[i+1].Pos; geom.DistXZ(to, geom.V3(21, 0, 6)) > 0.3 || to.Y != 0 {
			t.Errorf("the link ends at %v\n%s", to, describe(&r))
		}
	}
	if links != 1 {
		t.Errorf("%d links\n%s", links, describe(&r))
	}
}
