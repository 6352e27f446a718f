package spanroute

import (
	"slices"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// slab puts something into a level that is no floor.
func slab(b *wendtest.Builder, lo, hi geom.Vec3) {
	b.Part("slab", "")
	p := &b.Scene.Parts[len(b.Scene.Parts)-1]
	p.Collider, p.NoSurface = true, true
	b.Box(lo, hi)
}

// uncollided opens a level without its collider pack.
func uncollided(t testing.TB, b *wendtest.Builder) *scenario {
	t.Helper()
	res := bakeScene(t, b.Scene, nil)
	res.Occluder = nil
	return openScenario(t, res, nil)
}

// TestCeilingOverTheLanding falls off a terrace, over ground with and without a
// ceiling, in packs without colliders.
func TestCeilingOverTheLanding(t *testing.T) {
	const h = 4.0
	for _, c := range []struct {
		name   string
		lo, hi float64          // of the ceiling, none where both are the same
		free   map[float64]bool // by the height of the body
	}{
		{"open", 0, 0, map[float64]bool{0: true, 4: true}},
		{"closed floor between", 2.6, 2.8, map[float64]bool{0: false}},
		{"closed floor just below the take-off", 3.3, 3.5, map[float64]bool{0: false}},
		{"roof above", 7.5, 7.7, map[float64]bool{0: true, 3.2: true, 4: false}},
	} {
		b := ledge(h, 0)
		if c.lo < c.hi {
			slab(b, geom.V3(-1, c.lo, -3), geom.V3(61, c.hi, -0.2))
		}
		s := uncollided(t, b)
		r := ends(on(10, h, 3), on(10, 0, -9))
		for height, free := range c.free {
			r.Body.Height = height
			out := s.complete(r)
			if fell := len(out.Drops) > 0 && out.Length < 80; fell != free { // it may fall off the ramp
				t.Errorf("%s, a body of %v m: %v m, falls %v", c.name, height, out.Length, out.Drops)
			}
			unchecked := func(s string) bool { return strings.Contains(s, "the pack has no colliders") }
			if warned := slices.ContainsFunc(out.Warnings, unchecked); warned != (len(out.Drops) > 0) {
				t.Errorf("%s, a body of %v m: falls %v, warnings %q", c.name, height, out.Drops, out.Warnings)
			}
		}
		// The original rules know of no ceilings.
		r.Body.Height, r.Reference = 0, true
		if out := s.complete(r); len(out.Drops) == 0 {
			t.Errorf("%s: no fall by the original rules", c.name)
		}
	}
}

// TestThickFloorOfTheTakeOff falls off terraces whose floor is thick and juts out
// over the landing: a little, as it always does since ground ends before an edge,
// and far.
func TestThickFloorOfTheTakeOff(t *testing.T) {
	const h = 4.0
	for jut, free := range map[float64]bool{0.3: true, 0.5: true, 3: false} {
		b := ledge(h, 0)
		slab(b, geom.V3(-1, 3.1, -jut), geom.V3(61, h-0.1, 3))
		out := uncollided(t, b).complete(ends(on(10, h, 3), on(10, 0, -9)))
		if fell := len(out.Drops) > 0 && out.Length < 80; fell != free {
			t.Errorf("%v m over the landing: %v m, falls %v", jut, out.Length, out.Drops)
		}
	}
}

// TestCeilingOverTheNextRegion falls onto ground that nothing else leads to,
// with a ceiling over all of it, over a half, and over none.
func TestCeilingOverTheNextRegion(t *testing.T) {
	for _, wide := range []float64{0, 5, 10} {
		b := wendtest.NewBuilder().Floor(0, 0, 10, 10, 0).Floor(0, 10, 10, 20, 6)
		if wide > 0 {
			slab(b, geom.V3(-1, 3, -1), geom.V3(wide+0.1, 3.3, 10))
		}
		s := uncollided(t, b)
		r := ends(on(2, 6, 17), on(2, 0, 3))
		if wide == 10 {
			s.want(r, route.Unreachable, CodeGoalUnreachable)
			continue
		}
		out := s.complete(r)
		if len(out.Drops) != 1 || out.Points[out.Drops[0].Index].Pos.X < wide {
			t.Errorf("ceiling up to %v: falls %v: %v", wide, out.Drops, out.Points)
		}
	}
}

// TestCollidersLeaveNoWarning: where there are colliders falls are checked.
func TestCollidersLeaveNoWarning(t *testing.T) {
	b := ledge(4, 0)
	b.Scene.Parts[0].Collider = true
	out := build(t, b, nil).complete(ends(on(10, 4, 3), on(10, 0, -9)))
	if len(out.Drops) != 1 || len(out.Warnings) > 0 {
		t.Errorf("falls %v, warnings %q", out.Drops, out.Warnings)
	}
}

// TestWayRoundAClosedFall: the falls straight to the goal's region are closed, and
// two falls over a third one lead there.
func TestWayRoundAClosedFall(t *testing.T) {
	for _, shut := range []bool{false, true} {
		b := wendtest.NewBuilder().Floor(0, 0, 20, 10, 0).Floor(0, 10, 10, 20, 12).Floor(10, 10, 20, 20, 6)
		want := 1
		if shut {
			slab(b, geom.V3(-1, 3, 3), geom.V3(10.5, 3.3, 10))
			want = 2
		}
		s := uncollided(t, b)
		if out := s.complete(ends(on(3, 12, 14), on(3, 0, 2))); len(out.Drops) != want {
			t.Errorf("closed %v: falls %v: %v", shut, out.Drops, out.Points)
		}
		s.want(ends(on(3, 0, 2), on(3, 12, 14)), route.Unreachable, CodeGoalUnreachable)
	}
}
