package spanroute

import (
	"context"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
	"wend/spangrid"
)

// More tests of where this package departs from the original rules, from a level
// to a route: what holds one of the departures, and what goes wrong without it.

// TestKeptWallsBarSteps has two halves of a hall with a slit between them that is
// narrower than a cell, and a door at the far end. Cells on both sides of the slit
// are neighbours, so that the searches of the original rules step over it; ours go
// round through the door.
func TestKeptWallsBarSteps(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 30, 6, 0).Floor(0, 6.04, 30, 12, 0).Floor(26, 6, 29, 6.04, 0)
	s := build(t, b, nil)
	for _, w := range some([]Windows{WholeRegion, Ladder, Exact}, 3) {
		r := ends(on(3, 0, 3), on(3, 0, 9))
		r.Windows = w
		ours := s.complete(r)
		if ours.Stats.WallCrossings != 0 || ours.Length < 46 {
			t.Errorf("windows %d: %v m, %d walls crossed", w, ours.Length, ours.Stats.WallCrossings)
		}
		r.Reference = true
		old := s.complete(r)
		if old.Stats.WallCrossings == 0 || old.Length > 10 {
			t.Errorf("windows %d, original rules: %v m, %d walls crossed: no fair trial", w, old.Length, old.Stats.WallCrossings)
		}
	}
}

// impatient is a context that ends when it has been asked so many times whether it
// has.
type impatient struct {
	context.Context
	asked atomic.Int64
	most  int64
}

func (c *impatient) Err() error {
	if c.asked.Add(1) > c.most {
		return context.Canceled
	}
	return nil
}

// TestCancelledInsideSearches: the searches and floods of one window look at the
// context as they go, not just between windows. Each is the larger part of a leg
// on a field whose ground is ready.
func TestCancelledInsideSearches(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 60, 60, 0)
	s := build(t, b, nil)
	for _, c := range []struct {
		name   string
		r      *Request
		change func(*Request)
		code   string
	}{
		{"search", ends(on(3, 0, 3), on(57, 0, 57)), func(r *Request) {
			for x := 2.0; x < 58; x += 1.5 { // a bar with its openings at both ends
				r.Discs = append(r.Discs, Disc{geom.V3(x, 0, 60-x), 1.6})
			}
		}, ""},
		{"flood", ends(on(3, 0, 3), on(40, 0, 40)), func(r *Request) {
			for x := -1.0; x < 61; x += 1.5 {
				r.Discs = append(r.Discs, Disc{geom.V3(x, 0, 60-x-8), 1.6})
			}
		}, CodeGoalDeckUnreachable},
	} {
		c.change(c.r)
		free := s.plan(c.r) // and makes the ground ready
		if got := code(free); got != c.code || free.Stats.Expanded < 25_000 {
			t.Fatalf("%s: %q, %d looked at: no fair trial", c.name, got, free.Stats.Expanded)
		}
		count := &impatient{Context: t.Context(), most: 1 << 40}
		var out route.Route
		if err := s.p.Plan(count, c.r, &out); err != nil {
			t.Fatal(err)
		}
		asked := count.asked.Load()
		// Nearly all of these looks are of searches and floods: one in 4096 nodes.
		if asked < int64(free.Stats.Expanded/4096) {
			t.Errorf("%s: the context was looked at %d times while %d nodes were", c.name, asked, free.Stats.Expanded)
		}
		for _, part := range []int64{2} {
			some := &impatient{Context: t.Context(), most: asked / part}
			err := s.p.Plan(some, c.r, &out)
			if err != context.Canceled || out.Status != route.Cancelled || out.Stats.Expanded >= free.Stats.Expanded {
				t.Errorf("%s: %v, %v after %d of %d nodes", c.name, err, out.Status, out.Stats.Expanded, free.Stats.Expanded)
			}
		}
	}
}

// TestAnchorsLookNearby: the cell of an end is looked for in rings around it. The
// original rules look at every cell of the window, and so at every page of it.
func TestAnchorsLookNearby(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 400, 6, 0), nil)
	for _, r := range []*Request{ends(on(100, 0, 3), on(106, 0, 3)), ends(column(100, 3), column(106, 3)), ends(on(100, 0, 6.5), near(106, 0, -0.5))} {
		out := s.complete(r)
		if out.Stats.Window != "full" || out.Stats.WindowCells < 150_000 || out.Stats.Pages > 4 {
			t.Errorf("%v to %v: %d pages in a window of %d cells", r.From, r.To, out.Stats.Pages, out.Stats.WindowCells)
		}
	}
}

// rect is a ring around a rectangle.
func rect(x0, z0, x1, z1 float64) []geom.Vec2 {
	return []geom.Vec2{{X: x0, Y: z0}, {X: x1, Y: z0}, {X: x1, Y: z1}, {X: x0, Y: z1}}
}

// pier is a floor 5 m up and 8 m wide that ends before z = 9.3, but for a tongue of
// 1.2 m in its middle that goes on to the shore at z = 10, to which there is a long
// way down besides.
func pier() *wendtest.Builder {
	return wendtest.NewBuilder().Floor(6, -20, 14, 9.3, 5).Floor(9.4, 9.3, 10.6, 10, 5).
		Ramp(-11, -20, 6, -18, 0, 5).Floor(-13, -20, -11, 30, 0).Floor(-11, 28, 0, 30, 0)
}

// TestLandingsKeepOutOfNoGoZones falls off the end of a pier into a lane between the
// shore and a no-go zone, round whose ends the way goes on. There is no place straight
// ahead that is far enough from the pier: the original rules would land in the zone,
// or across it. Ours lands in the lane, and no stretch to or from it enters the zone.
func TestLandingsKeepOutOfNoGoZones(t *testing.T) {
	for _, deep := range []float64{0.6, 6} { // two rows of cells, and more than a landing moves
		zone := rect(4, 10.5, 16, 10.5+deep)
		b := pier().Floor(0, 10, 20, 30, 0)
		b.Scene.NoGo = []scene.NoGo{{Name: "bed", Ring: zone, MinY: -1, MaxY: 1}}
		s := build(t, b, nil)
		z := openZone(t, s.e)
		inside := func(r *route.Route) (n int) {
			for i := 1; i < len(r.Points); i++ {
				for k := range 201 {
					at := z.plane(geom.Lerp(r.Points[i-1].Pos, r.Points[i].Pos, float64(k)/200))
					m := middleOf(spangrid.CellOf(at.U), spangrid.CellOf(at.V))
					if max(math.Abs(at.U-m.U), math.Abs(at.V-m.V)) < halfCell-0.01 && insideRing(zone, z.worldAt(m, 0)) {
						n++
					}
				}
			}
			return n
		}
		r := ends(on(10, 5, 3), on(10, 0, 25))
		r.Shortest = true // or it takes the long way, which is wide
		ours := s.complete(r)
		if len(ours.Drops) != 1 || inside(ours) > 0 {
			t.Fatalf("zone of %v m: falls %v, %d places in the zone\n%s", deep, ours.Drops, inside(ours), describe(ours))
		}
		if p := ours.Points[ours.Drops[0].Index].Pos; flat(p, geom.V3(10, 0, 10)) < 0.9 {
			t.Errorf("zone of %v m: lands at %v, which is no margin", deep, p)
		}
	}
}

// TestLandingsKeepToTheirSideOfWalls has a slit along the lane instead: a wall over
// which the height goes on.
func TestLandingsKeepToTheirSideOfWalls(t *testing.T) {
	b := pier().Floor(0, 10, 20, 11.3, 0).Floor(0, 11.34, 20, 30, 0).Floor(0, 11.3, 5, 11.34, 0).Floor(15, 11.3, 20, 11.34, 0)
	s := build(t, b, nil)
	r := ends(on(10, 5, 3), on(10, 0, 25))
	r.Shortest = true
	ours := s.complete(r)
	if len(ours.Drops) != 1 || ours.Stats.WallCrossings > 0 || ours.Points[ours.Drops[0].Index].Pos.Z > 11.3 {
		t.Errorf("falls %v, %d walls crossed\n%s", ours.Drops, ours.Stats.WallCrossings, describe(ours))
	}
}

// TestCutOffOnTheLadder: after one window that has no way, for what is in it and not
// for how far it reaches, the smaller side of the whole region is flooded, and the
// answer is there. The original rules go up window after window.
func TestCutOffOnTheLadder(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 62, 62, 0)
	for _, r := range [][4]float64{{26, 26, 32, 28}, {26, 30, 32, 32}, {26, 26, 28, 32}, {30, 26, 32, 32}} {
		b.Scene.NoGo = append(b.Scene.NoGo, scene.NoGo{Name: "fence", MinY: -1, MaxY: 2, Ring: rect(r[0], r[1], r[2], r[3])})
	}
	s := build(t, b, nil)
	for _, w := range some([]Windows{Ladder, Exact}, 2) {
		r := ends(column(29, 29), column(33.5, 29))
		r.Windows, r.Debug = w, true
		s.p.shape = tight
		ours := s.want(r, route.Unreachable, CodeDisconnected)
		r.Reference = true
		old := s.want(r, route.Unreachable, CodeDisconnected)
		if n := ours.Debug.Notes; len(n) > 1 || len(old.Debug.Notes) < 3 {
			t.Errorf("windows %d: given up for %q, by the original rules for %q", w, n, old.Debug.Notes)
		}
		if slices.Contains(ours.Debug.Notes, "search cost reached the trusted border") {
			t.Errorf("windows %d: %q: no fair trial", w, ours.Debug.Notes)
		}
	}
}

// TestLandingsAreNoDeeperThanTheBodyFalls falls off a pier onto ground that slopes
// away from it: farther out, where there is room to land, it is deeper than the body
// falls.
func TestLandingsAreNoDeeperThanTheBodyFalls(t *testing.T) {
	const most = 5.2
	b := wendtest.NewBuilder().Floor(-20, 9, 10, 11, 5).Ramp(10, 0, 30, 20, 0, -6)
	b.Floor(-20, 11, -18, 40, 5).Ramp(-18, 38, 8, 40, 5, 0).Floor(8, 11.5, 10, 40, 0) // the long way
	s := build(t, b, nil)
	for _, deep := range []float64{most, 0} {
		r := ends(on(0, 5, 10), on(26, -4.8, 10))
		r.Body.MaxDrop = deep
		out := s.complete(r)
		if len(out.Drops) != 1 {
			t.Fatalf("falls of %v: %v\n%s", deep, out.Drops, describe(out))
		}
		fall := 5 - out.Drops[0].Y
		if deep > 0 && fall > most || deep == 0 && fall < most+0.1 {
			t.Errorf("falls of %v allowed: %v m\n%s", deep, fall, describe(out))
		}
	}
}

// TestPricesAreOfTheBody has the prices of topology and geometry for bodies that
// prefer more or less clearance, or need more room than the ground was made for.
// Those of the original rules are of one body.
func TestPricesAreOfTheBody(t *testing.T) {
	s := build(t, wendtest.NewBuilder().Floor(0, 0, 9, 9, 0), func(p *bake.Profile) { p.Agent.Radius = 0.6 })
	z := openZone(t, s.e)
	px := z.scale()
	for _, b := range []Body{{}, {Preferred: 0.6}, {Preferred: 4}, {Radius: 0.6}, {Radius: 1.2}, {Radius: 2, Preferred: 3}} {
		l, err := z.leg(&Request{From: on(1, 0, 1), To: on(8, 0, 8), Body: b})
		if err != nil {
			t.Fatal(err)
		}
		p, d := 1.75, max(b.Radius-0.6, 0)*px
		if b.Preferred > 0 {
			p = b.Preferred * px
		}
		for cells := range 49 {
			clr := float64(cells)*spangrid.Side - d
			for _, c := range []struct {
				name   string
				got    float32
				lo, hi float64
			}{{"topology", l.wide.Of(uint16(cells * cells)), p * 4 / 7, p * 16 / 7}, {"geometry", l.tight.Of(uint16(cells * cells)), 0.25, p}} {
				if want := c.hi / min(max(clr, c.lo), c.hi); math.Abs(float64(c.got)-want) > 1e-6 {
					t.Errorf("%+v: %s: clearance of %d cells costs %v, want %v", b, c.name, cells, c.got, want)
				}
			}
		}
	}
}

// TestLandingsAreOfTheBody: a wide body lands farther from the ledge than a small
// one, four radii.
func TestLandingsAreOfTheBody(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, -20, 20, 10, 5).Floor(0, 10, 20, 30, 0)
	b.Ramp(-20, -20, 0, -18, 0, 5).Floor(-22, -20, -20, 30, 0).Floor(-20, 28, 0, 30, 0)
	for _, radius := range []float64{0, 0.6, 0.9} {
		s := build(t, b, func(p *bake.Profile) { p.Agent.Radius = radius })
		r := ends(on(10, 5, 3), on(10, 0, 25))
		r.Body.Radius = radius
		if radius == 0 {
			radius = fallRadius // that of the original rules, for all
		}
		out := s.complete(r)
		if len(out.Drops) != 1 {
			t.Fatalf("radius %v: falls %v\n%s", radius, out.Drops, describe(out))
		}
		if far := out.Points[out.Drops[0].Index].Pos.Z - 10; math.Abs(far-4*radius) > 0.3 {
			t.Errorf("radius %v: lands %v m from the ledge", radius, far)
		}
	}
}

// TestNoStepDownIsDeeperThanTheBody goes down stairs. A body that does not climb their
// steps may still fall down them, unless it does not fall so deep either.
func TestNoStepDownIsDeeperThanTheBody(t *testing.T) {
	const rise, n = 0.45, 6
	b := wendtest.NewBuilder().Floor(0, 0, 10, 8, 0)
	for k := range n {
		b.Floor(10+float64(k), 0, 11+float64(k), 8, rise*float64(k+1))
	}
	b.Floor(10+n, 0, 26, 8, rise*n)
	s := byReference(t, b)
	for _, c := range []struct {
		step, drop float64
		down       bool
	}{{0, 0, true}, {0.3, 0, true}, {0.3, 0.5, true}, {0.5, 0.2, true}, {0.3, 0.2, false}, {0.3, 0.001, false}} {
		r := ends(on(22, rise*n, 4), on(4, 0, 4))
		r.Body.MaxStep, r.Body.MaxDrop = c.step, c.drop
		if out := s.plan(r); (out.Status == route.Complete) != c.down {
			t.Errorf("steps of %v, falls of %v: %v %q", c.step, c.drop, out.Status, code(out))
		}
	}
}

// TestExactTakesNothingWithoutAProof has a leg whose window the ladder caps: it takes
// that window's route without a proof, and says so. Exact goes on to the whole region,
// and what it returns is always proved.
func TestExactTakesNothingWithoutAProof(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 560, 3, 0).Floor(0, 3, 3, 560, 0)
	s := build(t, b, nil)
	legs := []*Request{ends(on(5, 0, 1.5), on(400, 0, 1.5)), ends(on(400, 0, 1.5), on(1.5, 0, 200))}
	capped := 0
	for _, r := range legs[2-light(2):] {
		r.Windows = WholeRegion
		whole := s.complete(r)
		r.Windows = Ladder
		out := s.complete(r)
		if out.Stats.Proved != (out.Stats.Window != "capped") {
			t.Errorf("window %s, proved %v", out.Stats.Window, out.Stats.Proved)
		}
		if out.Stats.Window == "capped" {
			capped++
		}
		r.Windows = Exact
		out = s.complete(r)
		if out.Stats.Window == "capped" || !out.Stats.Proved {
			t.Errorf("exact: window %s, proved %v", out.Stats.Window, out.Stats.Proved)
		}
		if d := differs(whole, out); d != "" {
			t.Errorf("exact: %s", d)
		}
	}
	if capped == 0 {
		t.Error("no leg in a capped window: no fair trial")
	}
}

// TestWaysTooLongForTheirWindow: in the first window a long winding passage leads to
// the goal, and beyond it is a shorter way round. What the passage costs says that
// there may be one.
func TestWaysTooLongForTheirWindow(t *testing.T) {
	b := wendtest.NewBuilder().Floor(-90, 0, 36, 10, 0).Floor(-90, 20, 36, 30, 0).Floor(32, 10, 36, 20, 0)
	for k := range 5 { // lanes, and what joins each to the one before
		z, x := 10.5+1.9*float64(k), 18.0*float64((k+1)%2)
		b.Floor(0, z, 20, z+1.4, 0).Floor(x, z-0.5, x+2, z, 0)
	}
	b.Floor(0, 19.5, 2, 20, 0)
	s := build(t, b, nil)
	r := ends(on(5, 0, 5), on(5, 0, 25))
	r.Debug = true
	whole := s.complete(r)
	if whole.Length > 80 {
		t.Fatalf("through the passage: %v m", whole.Length)
	}
	for _, w := range []Windows{Ladder, Exact} {
		r.Windows, s.p.shape = w, tight
		out := s.complete(r)
		if d := differs(whole, out); d != "" {
			t.Errorf("windows %d: %s", w, d)
		}
		if !slices.Contains(out.Debug.Notes, "search cost reached the trusted border") {
			t.Errorf("windows %d: given up for %q: no fair trial", w, out.Debug.Notes)
		}
	}
}
