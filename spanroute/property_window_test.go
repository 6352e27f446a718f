package spanroute

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"wend/route"
	"wend/spanpath"
)

// differs says what of two answers is not the same to the bit, "" if nothing.
func differs(a, b *route.Route) string {
	bits := math.Float64bits
	switch {
	case a.Status != b.Status:
		return fmt.Sprintf("status %v and %v", a.Status, b.Status)
	case (a.Failure == nil) != (b.Failure == nil) || a.Failure != nil && a.Failure.Code != b.Failure.Code:
		return fmt.Sprintf("failure %v and %v", a.Failure, b.Failure)
	case len(a.Points) != len(b.Points):
		return fmt.Sprintf("%d and %d points", len(a.Points), len(b.Points))
	case len(a.Waypoints) != len(b.Waypoints):
		return fmt.Sprintf("waypoints %v and %v", a.Waypoints, b.Waypoints)
	case len(a.Drops) != len(b.Drops):
		return fmt.Sprintf("drops %v and %v", a.Drops, b.Drops)
	case bits(a.Length) != bits(b.Length) || bits(a.Cost) != bits(b.Cost):
		return fmt.Sprintf("length %v and %v", a.Length, b.Length)
	case bits(a.SnapStart) != bits(b.SnapStart) || bits(a.SnapEnd) != bits(b.SnapEnd):
		return fmt.Sprintf("snapped by %v, %v and %v, %v", a.SnapStart, a.SnapEnd, b.SnapStart, b.SnapEnd)
	}
	for i := range a.Points {
		p, q := a.Points[i], b.Points[i]
		if bits(p.Pos.X) != bits(q.Pos.X) || bits(p.Pos.Y) != bits(q.Pos.Y) || bits(p.Pos.Z) != bits(q.Pos.Z) ||
			bits(p.Clearance) != bits(q.Clearance) || p.Storey != q.Storey || p.Kind != q.Kind {
			return fmt.Sprintf("point %d: %+v and %+v", i, p, q)
		}
	}
	for i := range a.Waypoints {
		if a.Waypoints[i] != b.Waypoints[i] {
			return fmt.Sprintf("waypoints %v and %v", a.Waypoints, b.Waypoints)
		}
	}
	for i := range a.Drops {
		if a.Drops[i].Index != b.Drops[i].Index || bits(a.Drops[i].Y) != bits(b.Drops[i].Y) {
			return fmt.Sprintf("drops %v and %v", a.Drops, b.Drops)
		}
	}
	return ""
}

func (w *propertyWorld) plan(t testing.TB, p *Planner, r *Request) *route.Route {
	t.Helper()
	dst := new(route.Route)
	if err := p.Plan(context.Background(), r, dst); err != nil {
		t.Fatalf("%s: %+v: %v", w.name, *r, err)
	}
	return dst
}

// TestSmallIsWhole plans legs in windows as small as can be and in that of the
// whole region: what small windows prove must be the same to the bit, failures
// as well. Most windows are made so tight that searches end near their sides.
func TestSmallIsWhole(t *testing.T) {
	type level struct {
		world *propertyWorld
		legs  int
	}
	list := []level{{generated(t, 1, 10), light(10)}}
	if long() {
		list[0].legs = 400
		for seed := range uint64(4) {
			list = append(list, level{generated(t, 2+seed, 12+2*int(seed)), 400})
		}
		for _, name := range []string{"town", "nav_test.obj", "dungeon.obj", "undulating.obj"} {
			list = append(list, level{baked(t, name), 100})
		}
	}
	for _, l := range list {
		t.Run(l.world.name, func(t *testing.T) { compareWindows(t, l.world, l.legs) })
	}
}

func compareWindows(t *testing.T, w *propertyWorld, legs int) {
	rnd := rand.New(rand.NewPCG(11, 12))
	p := w.engine.NewPlanner()
	kinds, codes := map[string]int{}, map[string]int{}
	small, grown, found, drops, links, discs, bad := 0, 0, 0, 0, 0, 0, 0
	for n := 0; small < legs && n < 8*legs; n++ {
		r := w.randomRequest(rnd)
		ratio, slack := 1+0.4*rnd.Float64(), 4+60*rnd.Float64()
		if p.rounds = rounds(); rnd.IntN(2) > 0 { // searches that look around the goal first are rare here
			p.rounds = []spanpath.Round{{After: 20 + rnd.IntN(400), Spans: 10 + rnd.IntN(400)}, {After: 500 + rnd.IntN(1000), Spans: 500 + rnd.IntN(2000)}}
			p.patience = 1 + rnd.IntN(900)
		}
		if p.shape = nil; rnd.IntN(4) > 0 {
			p.shape = func(t *tiers) { t.ratio, t.slack = ratio, slack }
		}
		r.Windows = Ladder
		got := w.plan(t, p, r)
		p.shape = nil
		kinds[got.Stats.Window]++
		if got.Stats.Window != "small" {
			continue
		}
		r.Windows = WholeRegion
		whole := w.plan(t, p, r)
		if d := differs(whole, got); d != "" {
			if bad++; bad < 8 {
				t.Errorf("leg %d, window of %d cells after %d: %+v: the whole region has another: %s", n, got.Stats.WindowCells, got.Stats.Tier, *r, d)
			}
		}
		small++
		if got.Stats.Tier > 0 {
			grown++
		}
		if whole.Status == route.Complete {
			found++
		} else {
			codes[whole.Failure.Code]++
		}
		if len(whole.Drops) > 0 {
			drops++
		}
		for _, q := range whole.Points {
			if q.Kind == route.Link {
				links++
				break
			}
		}
		if len(r.Discs) > 0 {
			discs++
		}
	}
	t.Logf("%d legs in small windows, %d of them not the first (all windows: %v): %d with a route, %d over falls, %d over links, %d with discs; no route: %v; %d differ",
		small, grown, kinds, found, drops, links, discs, codes, bad)
	if small < legs/2 {
		t.Errorf("only %d legs in small windows", small)
	}
}
