package spanroute

import (
	"context"
	"sync/atomic"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
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
	for _, w := range []Windows{WholeRegion, Ladder, Exact} {
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
	b := wendtest.NewBuilder().Floor(0, 0, 90, 90, 0)
	s := build(t, b, nil)
	for _, c := range []struct {
		name   string
		r      *Request
		change func(*Request)
		code   string
	}{
		{"search", ends(on(3, 0, 3), on(87, 0, 87)), func(r *Request) {
			for x := 2.0; x < 88; x += 1.5 { // a bar with its openings at both ends
				r.Discs = append(r.Discs, Disc{geom.V3(x, 0, 90-x), 1.6})
			}
		}, ""},
		{"flood", ends(on(3, 0, 3), on(45, 0, 45)), func(r *Request) {
			for x := -1.0; x < 91; x += 1.5 {
				r.Discs = append(r.Discs, Disc{geom.V3(x, 0, 90-x-20), 1.6})
			}
		}, CodeGoalDeckUnreachable},
	} {
		c.change(c.r)
		free := s.plan(c.r) // and makes the ground ready
		if got := code(free); got != c.code || free.Stats.Expanded < 30_000 {
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
		for _, part := range []int64{2, 4} {
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
