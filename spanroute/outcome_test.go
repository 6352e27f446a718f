package spanroute

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
)

// TestDecidedByNumbers: what regions, components, falls and links decide takes no
// search, and no ground but that around the ends.
func TestDecidedByNumbers(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 60, 10, 0).Floor(0, 10, 60, 20, 2) // a terrace of one region that nothing leads up to
	b.Floor(80, 0, 100, 10, 0)                                                // an island
	b.Floor(0, 30, 60, 40, 9).Floor(0, 40, 60, 50, 4)                         // a tower and a yard below it, with a link up to the tower
	b.Floor(80, 30, 90, 40, 0)                                                // where a link leads to, and nothing back
	b.Scene.Links = []scene.Link{
		{From: geom.V3(30, 4, 45), To: geom.V3(30, 9, 35), Radius: 0.5, OneWay: true},
		{From: geom.V3(55, 0, 5), To: geom.V3(85, 0, 35), Radius: 0.5, OneWay: true},
	}
	s := byReference(t, b)
	for _, c := range []struct {
		name     string
		from, to End
		way      bool
	}{
		{"another region", on(5, 0, 5), on(90, 0, 5), false},
		{"another region, any height", on(5, 0, 5), column(90, 5), false},
		{"a component above", on(5, 0, 5), on(5, 2, 15), false},
		{"a link against its way", on(85, 0, 35), on(5, 0, 5), false},
		{"a link its way", on(5, 0, 5), on(85, 0, 35), true},
		{"a link up", on(5, 4, 45), on(5, 9, 35), true},
		{"a region that no fall or link leads to", on(5, 0, 5), on(5, 9, 35), false},
		{"and down from it into none of ours", on(5, 9, 35), on(5, 0, 5), false},
	} {
		for _, w := range some([]Windows{WholeRegion, Ladder, Exact}, 2) {
			r := ends(c.from, c.to)
			r.Windows = w
			if c.way {
				s.complete(r)
				continue
			}
			out := s.want(r, route.Unreachable, CodeGoalUnreachable)
			// A goal of any height may be one of a ledge, which the cells around it tell.
			if out.Stats.Expanded+out.Stats.Pushed != 0 || out.Stats.Pages > 1 || out.Stats.Pages > 0 && c.to.Storey == OnSurface {
				t.Errorf("%s, windows %d: %d nodes taken up, %d queued, %d pages", c.name, w, out.Stats.Expanded, out.Stats.Pushed, out.Stats.Pages)
			}
			// It needs no budget either.
			r.MaxExpanded = 1
			s.want(r, route.Unreachable, CodeGoalUnreachable)
		}
	}
}

// TestLowSteps closes stairs to a body that does not climb them, and opens them to
// one that does: a lower step than the profile's counts, a higher one does not.
func TestLowSteps(t *testing.T) {
	const rise, n = 0.45, 6 // more than is gone up as a slope
	stairs := func(b *wendtest.Builder) {
		for k := range n {
			b.Floor(10+float64(k), 0, 11+float64(k), 4, rise*float64(k+1))
		}
		b.Floor(10+n, 0, 22, 20, rise*n)
	}
	alone := wendtest.NewBuilder().Floor(0, 0, 10, 20, 0)
	stairs(alone)
	s := byReference(t, alone)
	from, to := on(5, 0, 2), on(19, rise*n, 2)
	for _, c := range []struct {
		step float64
		up   bool
	}{{0, true}, {0.5, true}, {9, true}, {0.4, false}, {0.1, false}} {
		r := ends(from, to)
		r.Body.MaxStep = c.step
		if out := s.plan(r); (out.Status == route.Complete) != c.up {
			t.Errorf("step %v: up %v %q", c.step, out.Status, code(out))
		} else if g := out.Failure; !c.up && (g.Gap == nil || math.Abs(g.Gap.From.X-10) > 0.2 || math.Abs(g.Gap.To.X-15) > 0.2 || math.Abs(g.Gap.Rise()-rise*n) > 0.02) {
			// No stair leads up or can be reached: the gap is all of them.
			t.Errorf("step %v: gap %+v", c.step, g.Gap)
		}
		r = ends(to, from)
		r.Body.MaxStep = c.step
		if out := s.plan(r); out.Status != route.Complete {
			t.Errorf("step %v: down %v %q", c.step, out.Status, code(out))
		}
	}
	// With a ramp at the far end the body goes round.
	round := wendtest.NewBuilder().Floor(0, 0, 10, 20, 0)
	stairs(round)
	round.Ramp(10, 14, 10+n, 20, 0, rise*n)
	s = byReference(t, round)
	for _, step := range []float64{0, 0.4} {
		r := ends(from, to)
		r.Body.MaxStep = step
		if out := s.complete(r); (out.Length > 25) != (step > 0) {
			t.Errorf("step %v: %v m", step, out.Length)
		}
	}
}

// TestEvictedInTheMiddle drops the zone of a plan from the cache while it is at
// work: it ends as if nothing had been.
func TestEvictedInTheMiddle(t *testing.T) {
	e := openThree(t, &Options{Zones: 1, CacheBytes: 1})
	r := ends(on(1.5, 0, 1.5), on(18, 0.25, 7.5))
	r.Zone = "a"
	p := e.NewPlanner()
	var want, got route.Route
	if err := p.Plan(t.Context(), r, &want); err != nil || want.Status != route.Complete {
		t.Fatal(err, want.Status)
	}
	others := 0
	p.shape = func(*tiers) { // after the checks, before the first window
		for _, name := range []string{"b", "c", "b"} {
			if err := e.Warm(t.Context(), name); err != nil {
				t.Error(err)
			}
			others++
		}
		if n := e.Stats().Zones; n != 1 {
			t.Errorf("%d zones are there, one is in use and one to be kept", n)
		}
	}
	if err := p.Plan(t.Context(), r, &got); err != nil {
		t.Fatal(err)
	}
	if d := differs(&want, &got); d != "" || others != 3 {
		t.Errorf("%s; %d times warm", d, others)
	}
	if n := e.Stats().Zones; n != 1 {
		t.Errorf("%d zones are kept, want 1", n)
	}
}

// TestWarmBesidePlans makes zones ready on some goroutines while others plan in
// them, with room for all and for one.
func TestWarmBesidePlans(t *testing.T) {
	for _, zones := range []int{1, 3} {
		e := openThree(t, &Options{Zones: zones})
		ends := ends(on(1.5, 0, 1.5), on(18, 0.25, 7.5))
		ends.Zone = "a"
		var want route.Route
		if err := e.NewPlanner().Plan(t.Context(), ends, &want); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for k := range 4 {
			wait.Go(func() {
				p := e.NewPlanner()
				var got route.Route
				for i := range 6 {
					name := string(rune('a' + (i+k)%3))
					ctx, cancel := context.WithCancel(context.Background())
					if k%2 == 0 {
						if i == 3 {
							cancel() // who wants no zone any more must not take it from others
						}
						if err := e.Warm(ctx, name); err != nil && !errors.Is(err, context.Canceled) {
							t.Error(err)
						}
						cancel()
						continue
					}
					r := *ends
					r.Zone = name
					if err := p.Plan(ctx, &r, &got); err != nil || !slices.Equal(got.Points, want.Points) {
						t.Errorf("zone %s: %v, %v", name, err, got.Points)
					}
					cancel()
				}
			})
		}
		wait.Wait()
		if n := e.Stats().Zones; n > zones {
			t.Errorf("%d zones are kept, want %d", n, zones)
		}
	}
}

// TestPartialEnds: of a goal that cannot be reached the way to the reachable place
// nearest to it, and from there to the goal a gap; for every reason why.
func TestPartialEnds(t *testing.T) {
	s := yard(t)
	for _, c := range []struct {
		name   string
		to     End
		discs  []Disc
		x0, x1 float64 // where the route ends
	}{
		{"goal on the island", on(100, 0, 6), nil, 59, 60},
		{"goal on the island, any height", column(100, 6), nil, 59, 60},
		{"goal behind discs", on(57, 0, 6), wallOfDiscs(52, 1.5), 49, 50.6},
		{"goal in a disc", on(50, 0, 6), []Disc{{geom.V3(50, 0, 6), 12}}, 37, 39.5},
		{"goal on the roof", on(22, 5, 6), nil, 21, 23},
	} {
		for _, w := range some([]Windows{WholeRegion, Ladder}, 1) {
			r := ends(on(12, 0, 6), c.to)
			r.Discs, r.Partial, r.Windows = c.discs, true, w
			out := s.want(r, route.Partial, CodeGoalUnreachable)
			if out.Status != route.Partial {
				continue
			}
			last, gap := out.Points[len(out.Points)-1], out.Failure.Gap
			if last.Pos.X < c.x0 || last.Pos.X > c.x1 || last.Kind == route.Goal {
				t.Errorf("%s, windows %d: ends at %+v, want x from %v to %v", c.name, w, last, c.x0, c.x1)
			}
			goal := c.to.At
			if math.IsNaN(goal.Y) {
				goal.Y = last.Pos.Y
			}
			if gap == nil || gap.From != last.Pos || gap.To != goal || math.Abs(gap.Width-geom.Dist(last.Pos, goal)) > 1e-9 {
				t.Errorf("%s, windows %d: gap %+v from %v to %v", c.name, w, gap, last.Pos, goal)
			}
			for _, p := range out.Points {
				if !finite(p.Pos.Y) || p.Pos.Y != 0 {
					t.Errorf("%s, windows %d: %v", c.name, w, p.Pos)
				}
			}
		}
		// A goal that can be reached is no partial one.
		r := ends(on(12, 0, 6), on(40, 0, 6))
		r.Partial = true
		s.complete(r)
	}
}
