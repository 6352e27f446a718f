package spanroute

import (
	"context"
	"math"
	"testing"

	"wend/internal/wendtest"
	"wend/route"
)

// TestJoinedParts falls down stairs of terraces of five regions: what is joined of
// parts is as long in every column, numbers of points go on, and no part but the
// last falls again.
func TestJoinedParts(t *testing.T) {
	b := wendtest.NewBuilder()
	for k := range hopDepth + 2 {
		b.Floor(0, 8*float64(k), 8, 8*float64(k+1), 5*float64(k))
	}
	s := build(t, b, nil)
	z := openZone(t, s.e)
	for falls := range hopDepth + 2 {
		r := ends(on(2, 5*float64(falls), 8*float64(falls)+4), on(6, 0, 6))
		if falls > hopDepth {
			s.want(r, route.Budget, route.CodeBudget) // so many a route has at most
			continue
		}
		l, err := z.leg(r)
		if err != nil {
			t.Fatal(err)
		}
		l.debug = true
		windows := 0
		s.p.shape = func(*tiers) { windows++ }
		var out legResult
		f, err := s.p.planLeg(context.Background(), l, &out)
		if f != nil || err != nil {
			t.Errorf("%d falls: %v, %v", falls, f, err)
			continue
		}
		s.p.ground.Release()
		s.p.shape = nil
		// A part to each ledge and one from the last landing; of each fall three are
		// tried at most, two parts each.
		if windows != falls+1 {
			t.Errorf("%d falls: %d parts were planned", falls, windows)
		}
		n := len(out.points)
		if len(out.clearance) != n || len(out.heights) != n || len(out.kinds) != n || len(out.storeys) != n {
			t.Errorf("%d falls: %d points, %d clearances, %d heights, %d kinds, %d storeys", falls, n, len(out.clearance), len(out.heights), len(out.kinds), len(out.storeys))
		}
		if len(out.drops) != falls || len(out.waypoints) == 0 || out.waypoints[len(out.waypoints)-1] != n-1 {
			t.Errorf("%d falls: landings %v, waypoints %v of %d points", falls, out.drops, out.waypoints, n)
		}
		length, landing := 0.0, 0
		for i := 1; i < n; i++ {
			length += distance(out.points[i].U-out.points[i-1].U, out.points[i].V-out.points[i-1].V)
			if out.kinds[i-1] != route.Drop {
				continue
			}
			if landing >= len(out.drops) || out.drops[landing].Index != i || out.drops[landing].Height != out.heights[i] || out.storeys[i] == out.storeys[i-1] {
				t.Errorf("%d falls: landing %d at point %d: %+v", falls, landing, i, out.drops)
			}
			landing++
		}
		if landing != falls || math.Abs(length-out.length) > 1e-9 {
			t.Errorf("%d falls: %d landings, length %v, along the points %v", falls, landing, out.length, length)
		}
		for i := 1; i < len(out.waypoints); i++ {
			if out.waypoints[i] <= out.waypoints[i-1] {
				t.Errorf("%d falls: waypoints %v", falls, out.waypoints)
			}
		}
		beyond := map[string]bool{}
		for _, st := range out.stages {
			beyond[st.name] = true
		}
		name := "assembled"
		for range falls {
			name += " beyond"
		}
		if !beyond[name] || beyond[name+" beyond"] {
			t.Errorf("%d falls: no stage %q, or one beyond it", falls, name)
		}
	}
}

// TestOriginalRulesFallOnce: by them a route falls into another region once at
// most.
func TestOriginalRulesFallOnce(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 8, 26, 0).Floor(0, 26, 8, 52, 5).Floor(0, 52, 8, 78, 10)
	s := build(t, b, nil)
	for falls, to := range []End{near(4, 10, 70), near(4, 5, 36), near(4, 0, 10)} {
		r := ends(on(4, 10, 65), to)
		if out := s.complete(r); len(out.Drops) != falls {
			t.Errorf("to %v: landings %v, want %d", to, out.Drops, falls)
		}
		r.Reference = true
		out := s.plan(r)
		if got := out.Status == route.Complete; got != (falls < 2) || got && len(out.Drops) != falls {
			t.Errorf("by the original rules to %v: %v, landings %v, %s", to, out.Status, out.Drops, describe(out))
		}
	}
}
