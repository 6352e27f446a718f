package spanroute

import (
	"math"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
)

// ledge is a terrace h over a yard, moved by d, with a ramp down at its far end,
// 60 m away.
func ledge(h, d float64) *wendtest.Builder {
	b := wendtest.NewBuilder()
	b.Floor(0, -12, 80, d, 0)
	b.Floor(0, d, 60, 12+d, h)
	return b.Poly(geom.V3(60, h, d), geom.V3(60, h, 12+d), geom.V3(60+3*h, 0, 12+d), geom.V3(60+3*h, 0, d)).
		Floor(60+3*h, d, 80, 12+d, 0)
}

// TestDownTheLedgeUpTheRamp jumps off a terrace and takes the ramp up to it.
func TestDownTheLedgeUpTheRamp(t *testing.T) {
	for _, h := range some([]float64{2.5, 1.4, 4, 6}, 1) {
		for _, d := range some([]float64{0.2, 0, 0.1}, 1) {
			s := build(t, ledge(h, d), nil)
			top, below := on(10, h, 3+d), on(10, 0, -3+d)
			down := s.complete(ends(top, below))
			if len(down.Drops) != 1 || kinds(down, route.Drop) != 1 || down.Drops[0].Y != 0 || down.Length > 6+h+1 {
				t.Errorf("height %v, moved by %v: down %v m, falls %v, %v", h, d, down.Length, down.Drops, down.Points)
			}
			up := s.complete(ends(below, top))
			if len(up.Drops) != 0 || kinds(up, route.Drop) != 0 || up.Length < 99 || up.Length > 125+6*h {
				t.Errorf("height %v, moved by %v: up %v m, falls %v", h, d, up.Length, up.Drops)
			}
			// A body that does not fall so deep takes the ramp down too, one
			// that does not.
			for _, most := range []float64{h - 0.1, h + 0.1} {
				r := ends(top, below)
				r.Body.MaxDrop = most
				out := s.complete(r)
				if short := out.Length < 20; short != (most > h) {
					t.Errorf("height %v, moved by %v: with falls of up to %v: %v m, falls %v", h, d, most, out.Length, out.Drops)
				}
				for i, p := range out.Points {
					if p.Kind == route.Drop && p.Pos.Y-out.Points[i+1].Pos.Y > most {
						t.Errorf("height %v, moved by %v: with falls of up to %v: falls from %v to %v", h, d, most, p.Pos, out.Points[i+1].Pos)
					}
				}
			}
			// From the middle of the way down, with the height declared.
			for i, p := range down.Points {
				again := s.complete(ends(End{At: p.Pos}, below))
				if rest := remaining(down, i); math.Abs(again.Length-rest) > 1 {
					t.Errorf("height %v, moved by %v: from point %d, %v: %v m, %v remained", h, d, i, p.Pos, again.Length, rest)
				}
			}
		}
	}
}

func remaining(r *route.Route, i int) (sum float64) {
	for ; i+1 < len(r.Points); i++ {
		sum += geom.Dist(r.Points[i].Pos, r.Points[i+1].Pos)
	}
	return sum
}

// TestBarredLedge puts colliders on the edge, and a roof over the landing.
func TestBarredLedge(t *testing.T) {
	const h = 4.0
	type fence struct {
		name string
		add  func(b *wendtest.Builder)
		free bool
	}
	for _, c := range some([]fence{
		{"railing with a gap at 30 to 34", func(b *wendtest.Builder) {
			b.Box(geom.V3(-1, h, -0.1), geom.V3(30, h+1.1, 0.05))
			b.Box(geom.V3(34, h, -0.1), geom.V3(61, h+1.1, 0.05))
		}, true},
		{"roof over the landing", func(b *wendtest.Builder) { b.Box(geom.V3(-1, 2, -6), geom.V3(61, 2.2, -0.05)) }, false},
		{"railing", func(b *wendtest.Builder) { b.Box(geom.V3(-1, h, -0.1), geom.V3(61, h+1.1, 0.05)) }, false},
		{"nothing", func(b *wendtest.Builder) {}, true},
		{"kerb", func(b *wendtest.Builder) { b.Box(geom.V3(-1, h, -0.1), geom.V3(61, h+0.3, 0.05)) }, true},
	}, 3) {
		b := ledge(h, 0)
		b.Scene.Parts[0].Collider = true // without a floor colliders say nothing
		b.Part("rail", "")
		b.Scene.Parts[1].Collider, b.Scene.Parts[1].NoSurface = true, true
		c.add(b)
		s := build(t, b, nil)
		out := s.complete(ends(on(10, h, 3), on(10, 0, -9)))
		if fell := len(out.Drops) > 0 && out.Length < 80; fell != c.free {
			t.Errorf("%s: %v m, falls %v", c.name, out.Length, out.Drops)
		}
		if c.name[len(c.name)-1] == '4' {
			for i, p := range out.Points {
				if p.Kind == route.Drop && (p.Pos.X < 30 || p.Pos.X > 34 || out.Points[i+1].Pos.X < 29 || out.Points[i+1].Pos.X > 35) {
					t.Errorf("%s: falls from %v to %v", c.name, p.Pos, out.Points[i+1].Pos)
				}
			}
		}
	}
}

// TestBalcony jumps from a terrace over a balcony: it lands there.
func TestBalcony(t *testing.T) {
	for _, d := range []float64{0, 0.1, 0.2} {
		b := wendtest.NewBuilder().Floor(0, d, 20, 12+d, 9).Floor(5, -2+d, 15, d, 5).Floor(0, -20, 20, d, 0)
		s := build(t, b, nil)
		out := s.complete(ends(on(10, 9, 3+d), on(10, 0, -9+d)))
		if len(out.Points) == 0 {
			continue
		}
		over := 0
		for i, p := range out.Points {
			if p.Kind != route.Drop {
				continue
			}
			to := out.Points[i+1].Pos
			over++
			if p.Pos.X > 5.3 && p.Pos.X < 14.7 && p.Pos.Y == 9 && to.Y != 5 {
				t.Errorf("moved by %v: falls from %v to %v, the balcony is between", d, p.Pos, to)
			}
		}
		if over == 0 {
			t.Errorf("moved by %v: no fall: %v", d, out.Points)
		}
	}
}

// TestChainOfFalls falls from one region into another, and again, with goals that
// say their height and goals that do not.
func TestChainOfFalls(t *testing.T) {
	b := wendtest.NewBuilder()
	for k := range 4 {
		b.Floor(0, 10*float64(k), 10, 10*float64(k+1), 5*float64(k))
	}
	s := build(t, b, nil)
	for from := 3; from >= 0; from-- {
		for to := range 4 {
			start := on(5, 5*float64(from), 10*float64(from)+5)
			for _, goal := range []End{on(5, 5*float64(to), 10*float64(to)+5), near(5, 5*float64(to), 10*float64(to)+5), column(5, 10*float64(to)+5)} {
				if to > from {
					s.want(ends(start, goal), route.Unreachable, CodeGoalUnreachable)
					continue
				}
				out := s.complete(ends(start, goal))
				if len(out.Points) == 0 {
					continue
				}
				if len(out.Drops) != from-to || out.Points[len(out.Points)-1].Pos.Y != 5*float64(to) {
					t.Errorf("from %d to %d: %v", from, to, out.Points)
				}
				if most := float64(from-to)*15 + 1; out.Length > most {
					t.Errorf("from %d to %d: %v m, want at most %v", from, to, out.Length, most)
				}
			}
		}
	}
}

// TestLinksFarApart takes a link of 900 m, links between regions, and one of
// eight from a place.
func TestLinksFarApart(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0).Floor(900, 0, 920, 20, 0)
	link := func(from, to geom.Vec3, oneWay bool) {
		b.Scene.Links = append(b.Scene.Links, scene.Link{From: from, To: to, Radius: 0.5, OneWay: oneWay})
	}
	link(geom.V3(10, 0, 10), geom.V3(910, 0, 10), false)
	hub := geom.V3(905, 0, 15)
	for k := range 8 {
		x := 900 + 30*float64(k)
		b.Floor(x, 100, x+20, 120, 3*float64(k))
		link(hub, geom.V3(x+10, 3*float64(k), 110), true)
	}
	s := build(t, b, nil)
	there := s.complete(ends(on(2, 0, 2), on(918, 0, 18)))
	back := s.complete(ends(on(918, 0, 18), on(2, 0, 2)))
	for _, r := range []*route.Route{there, back} {
		if kinds(r, route.Link) != 1 || math.Abs(r.Length-922.6) > 1.5 {
			t.Errorf("%v m, %v", r.Length, r.Points)
		}
	}
	for _, k := range some([]int{0, 5, 7, 1, 2, 3, 4, 6}, 3) {
		goal := on(902+30*float64(k), 3*float64(k), 102)
		out := s.complete(ends(on(2, 0, 2), goal))
		if n := kinds(out, route.Link); n != 2 {
			t.Errorf("to platform %d: %d links, %v", k, n, out.Points)
		}
		s.want(ends(goal, on(2, 0, 2)), route.Unreachable, CodeGoalUnreachable)
	}
}

// TestFallAfterFall falls onto a ledge that is too narrow to stand on for long and
// at once off it again: both falls are there, and the first one lands on the
// ledge.
func TestFallAfterFall(t *testing.T) {
	for _, wide := range []float64{0.3, 0.35, 0.45, 0.6, 1.2, 5} {
		b := wendtest.NewBuilder().Floor(0, 0, 12, 6, 6).Floor(12, 0, 12+wide, 6, 3).Floor(12+wide, 0, 30, 6, 0)
		b.Scene.Parts[0].Collider = true
		// Long ramps lead down from both.
		b.Poly(geom.V3(0, 6, 6), geom.V3(0, 0, 40), geom.V3(4, 0, 40), geom.V3(4, 6, 6))
		b.Floor(0, 40, 30, 46, 0).Floor(26, 6, 30, 40, 0)
		b.Poly(geom.V3(12, 0, -30), geom.V3(12, 3, 0), geom.V3(12+wide, 3, 0), geom.V3(12+wide, 0, -30))
		b.Floor(12, -36, 30, -30, 0).Floor(26, -30, 30, 0, 0)
		s := build(t, b, nil)
		r := s.complete(ends(on(4, 6, 3), on(24, 0, 3)))
		if len(r.Drops) != 2 || kinds(r, route.Drop) != 2 {
			t.Fatalf("%v m: falls %v\n%s", wide, r.Drops, describe(r))
		}
		for i, h := range []float64{3, 0} {
			if p := r.Points[r.Drops[i].Index].Pos; math.Abs(r.Drops[i].Y-h) > 0.1 || math.Abs(p.Y-h) > 0.1 {
				t.Errorf("%v m: fall %d lands at %v, at height %v", wide, i, p, r.Drops[i].Y)
			}
		}
	}
}

// TestFallAfterFallBesideARamp is a ledge as wide as a cell, so that both falls meet
// in one corner, with a short ramp down at its end: the first fall lands on the
// ledge and not on the ground beyond it, which the ramp leads to and from where the
// end of the second fall is in sight.
func TestFallAfterFallBesideARamp(t *testing.T) {
	for _, h := range []float64{2, 2.4} {
		b := wendtest.NewBuilder().Floor(0, 0, 8, 6, 6).Floor(8, 4.8, 12, 6, 6).Floor(12, 4.8, 12.3, 6, h).Floor(12.3, -10, 30, 16, 0)
		b.Scene.Parts[0].Collider = true
		b.Poly(geom.V3(12, h, 6), geom.V3(12, 0, 6+h), geom.V3(12.3, 0, 6+h), geom.V3(12.3, h, 6))
		b.Floor(0, 6+h, 12.3, 16, 0)
		b.Poly(geom.V3(0, 6, 0), geom.V3(4, 6, 0), geom.V3(4, 0, -30), geom.V3(0, 0, -30))
		b.Floor(0, -36, 30, -30, 0).Floor(26, -30, 30, -10, 0)
		s := build(t, b, nil)
		r := s.complete(ends(on(6, 6, 5.4), on(24, 0, 5.4)))
		if len(r.Drops) != 2 || kinds(r, route.Drop) != 2 {
			t.Fatalf("%v m: falls %v\n%s", h, r.Drops, describe(r))
		}
		for i, want := range []float64{h, 0} {
			if p := r.Points[r.Drops[i].Index].Pos; math.Abs(r.Drops[i].Y-want) > 0.1 || math.Abs(p.Y-want) > 0.1 {
				t.Errorf("%v m: fall %d lands at %v, at height %v\n%s", h, i, p, r.Drops[i].Y, describe(r))
			}
		}
	}
}
