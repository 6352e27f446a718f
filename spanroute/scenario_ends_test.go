package spanroute

import (
	"math"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// TestEndsTogether plans between ends in one place, and nearly in one.
func TestEndsTogether(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 12, 12, 0).Floor(0, 0, 12, 12, 4), nil)
	for _, y := range []float64{0, 4} {
		for _, at := range [][2]float64{{5, 5}, {5.1, 5.1}, {0, 0}, {12, 12}, {-0.2, 6}, {6, 12.2}, {0, 6}} {
			for _, d := range []float64{0, 1e-9, 1e-3, 0.2} {
				r := s.complete(ends(on(at[0], y, at[1]), on(at[0]+d, y, at[1])))
				if r.Length > d+1e-9 || len(r.Points) > 2 {
					t.Errorf("%v at %v, %v apart: %v m, %v", at, y, d, r.Length, r.Points)
				}
				off := math.Max(math.Max(-at[0], at[0]-12), math.Max(-at[1], at[1]-12))
				if r.SnapStart > math.Max(off, 0)+0.65 {
					t.Errorf("%v: snapped %v m", at, r.SnapStart)
				}
				s.stays(r, y)
			}
		}
		if r := s.plan(ends(on(5, 0, 5), on(5, 4, 5))); r.Status == route.Complete {
			t.Errorf("from floor to floor: %v", r.Points)
		}
	}
}

// TestGoalsOutOfReach plans to places that nobody gets to, with and without the
// way to the nearest place.
func TestGoalsOutOfReach(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 30, 10, 0).Floor(0, 16, 30, 26, 0) // a wall of 6 m between, and no way round
	b.Floor(60, 0, 70, 10, 0)
	s := build(t, b, nil)
	from := on(5, 0, 5)
	for _, c := range []struct {
		name    string
		to      End
		status  route.Status
		code    string
		partial route.Status
		nearest float64 // from the end of the partial route to the goal
	}{
		{"island", on(65, 0, 5), route.Unreachable, CodeGoalUnreachable, route.Partial, 35},
		{"island, by its column", column(65, 5), route.Unreachable, CodeGoalUnreachable, route.Partial, 35},
		{"behind the wall", on(15, 0, 20), route.Unreachable, CodeGoalUnreachable, route.Partial, 10},
		{"behind the wall, by its column", column(15, 20), route.Unreachable, CodeGoalUnreachable, route.Partial, 10},
		{"just behind the wall, by its column", column(15, 16.5), route.Unreachable, CodeGoalUnreachable, route.Partial, 6.5},
		{"just behind the wall, by its floor", near(15, 0, 16.5), route.Unreachable, CodeGoalUnreachable, route.Partial, 6.5},
		{"outside", on(15, 0, -50), route.OffMesh, route.CodeGoalOffMesh, route.Partial, 50},
		{"outside, by its column", column(15, -50), route.OffMesh, route.CodeGoalOffMesh, route.Partial, 50},
		{"outside, by its floor", near(15, 0, -50), route.OffMesh, route.CodeGoalOffMesh, route.Partial, 50},
		{"off open ground", on(15, 0, -10.5), route.OffMesh, route.CodeGoalOffMesh, route.Partial, 10.5},
		{"far outside", on(15, 0, -5000), route.OffMesh, route.CodeGoalOffMesh, route.Partial, 5000},
		{"as far as there are zones", on(15, 0, -100_000), route.OffMesh, route.CodeGoalOffMesh, route.Partial, 100_000},
		{"above the map", on(15, 60, 5), route.OffMesh, CodeNoGoalDeck, route.Partial, 0},
		{"below the map", on(15, -60, 5), route.OffMesh, CodeNoGoalDeck, route.Partial, 0},
	} {
		for _, w := range []Windows{Ladder, WholeRegion} {
			r := ends(from, c.to)
			r.Windows = w
			out := (&scenario{t, s.e, s.p}).plan(r)
			if out.Status != c.status || out.Failure.Code != c.code {
				t.Errorf("%s: %v %+v, want %v %s", c.name, out.Status, out.Failure, c.status, c.code)
			}
			r.Partial = true
			out = s.plan(r)
			if out.Status != c.partial {
				t.Errorf("%s: partial: %v %+v", c.name, out.Status, out.Failure)
				continue
			}
			if out.Status != route.Partial {
				continue
			}
			last := out.Points[len(out.Points)-1].Pos
			d := flat(last, c.to.At)
			if last.X < 0 || last.X > 30 || last.Z < 0 || last.Z > 10 || math.Abs(d-c.nearest) > 0.6 || out.Failure.Gap.To.X != c.to.At.X || math.Abs(out.Failure.Gap.Width-math.Hypot(d, out.Failure.Gap.Rise())) > 1e-6 {
				t.Errorf("%s: partial: ends at %v, %v m from the goal, gap %+v", c.name, last, d, out.Failure.Gap)
			}
		}
	}
	// A little inside the wall the nearest floor will do.
	r := s.complete(ends(from, column(15, 11.5)))
	if d := math.Abs(r.SnapEnd - 1.5); d > 0.5 {
		t.Errorf("inside the wall: snapped by %v", r.SnapEnd)
	}
}

// TestFallsEndAtTheFirstFloor jumps off a terrace over another one: nobody falls
// past it.
func TestFallsEndAtTheFirstFloor(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 6, 9).Floor(0, 0, 14, 6, 4.5).Floor(-20, -20, 20, 20, 0)
	b.Poly(geom.V3(20, 9, 0), geom.V3(20, 9, 6), geom.V3(40, 0, 6), geom.V3(40, 0, 0))
	b.Poly(geom.V3(-10, 0, 0), geom.V3(-10, 0, 6), geom.V3(0, 4.5, 6), geom.V3(0, 4.5, 0))
	b.Floor(40, -20, 50, 20, 0).Floor(20, -20, 40, 0, 0)
	s := build(t, b, nil)
	through := func(r *route.Route) bool {
		for i, p := range r.Points {
			if p.Kind == route.Drop && p.Pos.Y > 8.9 && p.Pos.X < 13.5 && p.Pos.Z > 0.5 && p.Pos.Z < 5.5 && r.Points[i+1].Pos.Y < 1 {
				return true
			}
		}
		return false
	}
	if r := s.plan(ends(on(10, 9, 3), on(10, 0, 15))); r.Status != route.Complete || through(r) {
		t.Errorf("%v, %v", r.Status, r.Points)
	}
}

// TestEndsUnderLowCeiling plans a body for which the ceiling over an end is too
// low: no route begins or ends there, but for the very cell beside open ones.
func TestEndsUnderLowCeiling(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 40, 12, 0).Box(geom.V3(10, 2.2, -1), geom.V3(20, 3, 13))
	s := build(t, b, nil)
	for _, c := range []struct {
		x    float64
		code [2]string // of a start there, by its surface and by the floor near it
		goal [2]string
	}{
		{9.4, [2]string{}, [2]string{}},
		{10.1, [2]string{}, [2]string{}}, // in a cell beside open ones, which is closed as a whole
		{10.4, [2]string{CodeStartDeckBlocked, CodeNothingToSnap}, [2]string{CodeGoalDeckBlocked, CodeGoalUnreachable}},
		{11, [2]string{CodeStartDeckBlocked, CodeNothingToSnap}, [2]string{CodeGoalDeckBlocked, CodeGoalUnreachable}},
		{15, [2]string{CodeStartDeckBlocked, CodeNothingToSnap}, [2]string{CodeGoalDeckBlocked, CodeGoalUnreachable}},
	} {
		for i, storey := range []Storey{OnSurface, NearFloor} {
			for k, r := range []*Request{ends(on(c.x, 0, 6), on(4, 0, 6)), ends(on(4, 0, 6), on(c.x, 0, 6))} {
				r.From.Storey, r.To.Storey = storey, storey
				if s.complete(r); s.Failed() {
					t.Fatalf("as high as the body that the floor was made for, at %v", c.x)
				}
				r.Body.Height = 2.6
				want := [][2]string{c.code, c.goal}[k][i]
				got := s.plan(r)
				code := ""
				if got.Failure != nil {
					code = got.Failure.Code
				}
				if code != want {
					t.Errorf("a body of 2.6 m, %s at %v, storey %v: %v %q, want %q", endNames[k], c.x, storey, got.Status, code, want)
				}
			}
		}
	}
}

// TestGoalInDiscKeepsItsStorey plans from the floor under a ramp to places on the
// ramp that a disc closes: the way ends on the ramp below the disc, although the
// floor under that place is much nearer. The twin of the searches knows it too.
func TestGoalInDiscKeepsItsStorey(t *testing.T) {
	b := wendtest.NewBuilder().Floor(-20, -10, 0, 10, 0).Floor(0, -10, 30, -1.2, 0).Floor(0, 1.2, 30, 10, 0)
	b.Floor(3, -1.2, 30, 1.2, 0).Ramp(0, -1.2, 9, 1.2, 0, 5).Floor(9, -5, 20, 5, 5)
	s := build(t, b, nil)
	z := openZone(t, s.e)
	all := decodeAll(t, z).padded(8)
	world := &propertyWorld{scene: b.Scene, engine: s.e}
	for _, x := range []float64{6.1, 7.3} {
		y := x * 5 / 9
		for _, to := range []End{near(x, y, 0), {At: geom.V3(x, 0, 0), Storey: AnyHeight}} {
			r := ends(on(x, 0, 5), to)
			r.Windows = WholeRegion
			r.Body.MaxDrop = 0.5
			r.Discs = []Disc{{At: geom.V3(x+0.6, y, 0), Radius: 1.5}}
			out := s.complete(r)
			if len(out.Points) < 2 {
				continue
			}
			last := out.Points[len(out.Points)-2].Pos
			if last.X > x-0.5 || math.Abs(last.Y-last.X*5/9) > 0.2 || out.Length < 2*(x-1.5) {
				t.Errorf("to x = %v on the ramp: %v m, from %v", x, out.Length, last)
			}
			q := &s.p.search
			tw := newTwin(t, z, all, q.leg, world)
			start, goals := tw.ends(q)
			if n := len(tw.standing(q.goal.cell)); len(start) != 1 || len(goals) != 1 || n != 2 {
				t.Fatalf("to x = %v on the ramp: the twin has %d starts and of %d surfaces %d goals", x, len(start), n, len(goals))
			}
			if least := tw.least(start[0], goals, true, true); math.Abs(least-q.topology.Cost) > 1e-6*least {
				t.Errorf("to x = %v on the ramp: topology %v, the least is %v", x, q.topology.Cost, least)
			}
		}
	}
}
