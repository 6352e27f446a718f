package spanroute

import (
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// TestPastARegionThatLeadsNowhere: falls lead into two regions from which, by the
// table, others lead to the goal; those from one of both are closed, be it the
// first or the second.
func TestPastARegionThatLeadsNowhere(t *testing.T) {
	for k, shut := range []float64{0, 10, 0, 10} {
		// With a slit between both that makes them one region, or a gap.
		gap := []float64{0.1, 1}[k/2]
		b := wendtest.NewBuilder().Floor(0, 0, 20, 10, 0).Floor(0, 10, 10-gap, 20, 6).Floor(10+gap, 10, 20, 20, 6).Floor(0, 20, 20, 30, 12)
		slab(b, geom.V3(shut-0.5, 3, 3), geom.V3(shut+10.5, 3.3, 10))
		s := uncollided(t, b)
		for _, x := range []float64{3, 17} {
			if out := s.complete(ends(on(x, 12, 25), on(x, 0, 2))); len(out.Drops) != 2 {
				t.Errorf("gap of %v, closed at %v, at %v: falls %v: %v", gap, shut, x, out.Drops, out.Points)
			}
		}
	}
}

// TestFallBeyondADisc: a disc closes the ground between where the straight line
// falls and the goal.
func TestFallBeyondADisc(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 10, 60, 20, 6).Floor(0, 0, 60, 10, 0)
	s := uncollided(t, b)
	r := ends(on(10, 6, 12), on(50, 0, 2))
	r.Discs = []Disc{{At: geom.V3(34, 0, 5), Radius: 6}}
	out := s.complete(r)
	if len(out.Drops) != 1 || out.Points[out.Drops[0].Index].Pos.X < 34 {
		t.Errorf("falls %v\n%s", out.Drops, describe(out))
	}
	// Discs around the goal leave no fall that leads there.
	r.Discs = append(r.Discs, Disc{At: geom.V3(50, 6, 8.5), Radius: 5})
	r.Discs[0] = Disc{At: geom.V3(43, 0, 3), Radius: 5}
	r.Discs = append(r.Discs, Disc{At: geom.V3(57, 0, 3), Radius: 5})
	if out := s.plan(r); out.Status != route.Unreachable {
		t.Errorf("%+v\n%s", out.Failure, describe(out))
	}
}

// TestMoreFallsThanAreTried: what was not tried is not said to lead nowhere.
func TestMoreFallsThanAreTried(t *testing.T) {
	b := wendtest.NewBuilder()
	for k := range hopDepth + 2 {
		b.Floor(0, 8*float64(k), 8, 8*float64(k+1), 5*float64(k))
	}
	b.Floor(20, 0, 28, 8, 0)
	s := build(t, b, nil)
	top := on(4, 5*(hopDepth+1), 8*(hopDepth+1)+4)
	out := s.want(ends(top, on(4, 0, 4)), route.Budget, route.CodeBudget)
	if out.Failure == nil || !strings.Contains(out.Failure.Message, "fall") {
		t.Errorf("%+v", out.Failure)
	}
	s.complete(ends(on(4, 5*hopDepth, 8*hopDepth+4), on(4, 0, 4)))
	s.want(ends(top, on(24, 0, 4)), route.Unreachable, CodeGoalUnreachable)
}

// TestFallsThatTakeSearches: discs fence the goal in, which falls along a ledge tell
// by searches alone. Along a short one all are tried, along a long one not.
func TestFallsThatTakeSearches(t *testing.T) {
	for wide, want := range map[float64]string{60: CodeGoalUnreachable, 400: route.CodeBudget} {
		if wide > 60 && underRace && !long() {
			continue
		}
		b := wendtest.NewBuilder().Floor(0, 10, wide, 20, 6).Floor(0, 0, wide, 10, 0)
		x := wide / 2
		r := ends(on(3, 6, 19), on(x, 0, 3))
		r.Discs = []Disc{{geom.V3(x-10, 0, 5), 7}, {geom.V3(x+10, 0, 5), 7}, {geom.V3(x, 6, 13), 7}}
		out := uncollided(t, b).plan(r)
		if out.Failure == nil || out.Failure.Code != want {
			t.Errorf("%v m: %v, %+v", wide, out.Status, out.Failure)
		}
	}
}
