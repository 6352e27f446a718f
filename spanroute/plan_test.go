package spanroute_test

import (
	"context"
	"testing"

	"wend/internal/wendtest/packtest"
	"wend/route"
	"wend/scene/sample"
	"wend/spanroute"
)

// TestTownTrips plans all trips of the sample town, which say what can be
// reached.
func TestTownTrips(t *testing.T) {
	set, _ := packtest.Town(t)
	e, err := spanroute.Open(context.Background(), set, packtest.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := e.NewPlanner()
	var r route.Route
	for _, trip := range sample.Trips() {
		err := p.Plan(context.Background(), &spanroute.Request{From: spanroute.End{At: trip.From}, To: spanroute.End{At: trip.To}, Debug: true}, &r)
		if err != nil {
			t.Fatal(err)
		}
		want := route.Complete
		switch trip.Name {
		case "to the unreachable roof":
			want = route.Unreachable
		case "into the building site":
			want = route.NoGo
		}
		if r.Status != want {
			t.Errorf("%s: %v, want %v", trip.Name, r.Status, want)
		}
		t.Logf("%v: %v %.2f m, %d points, %+v, warnings %v", trip.Name, r.Status, r.Length, len(r.Points), r.Stats, r.Warnings)
		if r.Failure != nil {
			t.Logf("   %+v", *r.Failure)
		}
	}
}
