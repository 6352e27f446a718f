package spanroute

import (
	"math"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
)

// stays checks that a route stays on the level floor at y.
func (s *scenario) stays(r *route.Route, y float64) {
	s.Helper()
	for i, p := range r.Points {
		if math.Abs(p.Pos.Y-y) > 0.05 {
			s.Errorf("point %d of %d is at %v, want height %v", i, len(r.Points), p.Pos, y)
		}
	}
}

// TestFloorsOverEachOther plans on a floor, a deck half over it and a cave under
// it, none joined to another: less than the reference constants' climb apart.
func TestFloorsOverEachOther(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 20, 20, 0).Floor(8, 0, 12, 20, 2.5).Floor(0, 0, 20, 20, -3)
	s := build(t, b, nil)
	const floor, deck, cave = 0, 2.5, -3
	starts := []struct {
		end End
		y   float64
	}{
		{on(2, 0, 2), floor}, {on(2, 1.2, 2), floor}, {on(2, -3, 2), cave}, {on(2, -2, 2), cave}, {on(10, 2.5, 2), deck},
		{near(2, 0, 2), floor}, {column(2, 2), floor}, {column(10, 2), deck},
	}
	goals := []struct {
		y, want float64
	}{{0.1, floor}, {1.2, floor}, {1.3, deck}, {2.6, deck}, {4, deck}, {-1, floor}, {-1.6, cave}, {-4, cave}}
	for _, from := range starts {
		for _, g := range goals {
			r := ends(from.end, on(10, g.y, 10))
			switch {
			case from.end.Storey != OnSurface && from.end.At.X == 10 && from.y != g.want,
				from.end.Storey != OnSurface && g.want == cave:
				// The goal chooses the storey of a start that says little.
				s.stays(s.complete(r), g.want)
			case from.y == g.want:
				s.stays(s.complete(r), g.want)
			case from.y == deck && g.want == floor: // a fall off the deck
				out := s.plan(r)
				if out.Status == route.Complete && (len(out.Drops) != 1 || out.Points[0].Pos.Y != deck) {
					t.Errorf("%v to the floor: falls %v", from.end, out.Drops)
				}
			default:
				s.want(r, route.Unreachable, CodeGoalUnreachable)
			}
		}
		// Whatever says little about the goal takes the storey of the start.
		for _, to := range []End{column(10, 10), near(10, 2.5, 10), near(10, -3, 10)} {
			s.stays(s.complete(ends(from.end, to)), from.y)
		}
		s.want(ends(from.end, on(10, 5, 10)), route.OffMesh, CodeNoGoalDeck)
	}
	s.want(ends(on(2, 5, 2), on(10, 0, 10)), route.OffMesh, CodeNoStartSpan)
}

// bridge is a road in z under a bridge in x, moved by d: 4 m high, 4 m wide, with
// ramps of 10 m. There is no floor under the ramps.
func bridge(d float64) *wendtest.Builder {
	const h = 4.0
	b := wendtest.NewBuilder()
	b.Floor(-30, -20, -15+d, 20, 0).Floor(15+d, -20, 30, 20, 0)
	b.Floor(-15+d, -20, 15+d, -2+d, 0).Floor(-15+d, 2+d, 15+d, 20, 0).Floor(-5+d, -2+d, 5+d, 2+d, 0)
	b.Ramp(-15+d, -2+d, -5+d, 2+d, 0, h).Floor(-5+d, -2+d, 5+d, 2+d, h)
	return b.Poly(geom.V3(5+d, h, -2+d), geom.V3(5+d, h, 2+d), geom.V3(15+d, 0, 2+d), geom.V3(15+d, 0, -2+d))
}

// TestRoadUnderBridge walks over a bridge and along the road under it, however
// both lie among the cells.
func TestRoadUnderBridge(t *testing.T) {
	for _, d := range some([]float64{0.1, 0, 0.05, 0.15, 0.2, 0.25}, 1) {
		s := build(t, bridge(d), nil)
		r := s.complete(ends(on(d, 4, d), on(20+d, 0, d)))
		for _, p := range r.Points {
			if want := min(4, max(0, 4-(p.Pos.X-d-5)*0.4)); math.Abs(p.Pos.Y-want) > 0.15 {
				t.Errorf("moved by %v: off the bridge: %v, want height %v", d, p.Pos, want)
			}
		}
		if len(r.Drops) == 0 && r.Length < 20.39 || r.Length > 21.2 {
			t.Errorf("moved by %v: off the bridge: %v m", d, r.Length)
		}
		for _, storey := range []Storey{OnSurface, NearFloor, AnyHeight} {
			for _, z := range [][2]float64{{-12, 12}, {12, -12}, {0, 12}, {-12, 0}} {
				if storey == AnyHeight && z[0]*z[1] == 0 {
					continue
				}
				r := s.complete(ends(End{geom.V3(0, 0, z[0]), storey}, End{geom.V3(0, 0, z[1]), storey}))
				if storey == NearFloor && z[0]*z[1] == 0 {
					continue // the deck is as near
				}
				s.stays(r, 0)
				if math.Abs(r.Length-math.Abs(z[0]-z[1])) > 0.1 {
					t.Errorf("moved by %v: storey %d: under the bridge from %v to %v: %v m", d, storey, z[0], z[1], r.Length)
				}
			}
		}
		// From under the bridge onto it: round by a ramp, not through the deck.
		for _, to := range []End{on(d, 4, d), on(1+d, 3.8, 1+d)} {
			r := s.complete(ends(on(d, 0, d), to))
			if len(r.Points) > 0 && (r.Length < 24 || r.Length > 39 || math.Abs(r.Points[len(r.Points)-1].Pos.Y-4) > 0.05) {
				t.Errorf("moved by %v: onto the bridge: %v m to %v", d, r.Length, r.Points[len(r.Points)-1].Pos)
			}
		}
		// And off either side.
		for _, z := range []float64{-8, 8} {
			r := s.complete(ends(on(d, 4, d), on(d, 0, z)))
			if len(r.Drops) != 1 || r.Length > 13 {
				t.Errorf("moved by %v: off the side to %v: %v m, falls %v", d, z, r.Length, r.Drops)
			}
		}
	}
}

// TestSpiral climbs a ramp that winds four times round a square, floors 3.2 m
// apart over one another.
func TestSpiral(t *testing.T) {
	b := wendtest.NewBuilder()
	const rise, turns = 0.8, 4 // m a side of 10 m
	b.Floor(-3, -3, 9, 0, 0)
	y := 0.0
	// Landings of 3 by 3 m at the corners of a square of 9 m, ramps between.
	corners := [4]geom.Vec3{geom.V3(9, 0, -3), geom.V3(9, 0, 6), geom.V3(-3, 0, 6), geom.V3(-3, 0, -3)}
	for k := range 4 * turns {
		c := corners[k%4]
		b.Floor(c.X, c.Z, c.X+3, c.Z+3, y)
		n := y + rise
		switch k % 4 {
		case 0: // towards +z
			b.Poly(geom.V3(9, y, 0), geom.V3(9, n, 6), geom.V3(12, n, 6), geom.V3(12, y, 0))
		case 1: // towards -x
			b.Poly(geom.V3(0, n, 6), geom.V3(0, n, 9), geom.V3(9, y, 9), geom.V3(9, y, 6))
		case 2: // towards -z
			b.Poly(geom.V3(-3, n, 0), geom.V3(-3, y, 6), geom.V3(0, y, 6), geom.V3(0, n, 0))
		case 3: // towards +x
			b.Poly(geom.V3(0, y, -3), geom.V3(0, y, 0), geom.V3(9, n, 0), geom.V3(9, n, -3))
		}
		y = n
	}
	b.Floor(9, -3, 12, 0, y)
	s := build(t, b, nil)
	corner := func(k int) End {
		c := corners[k%4]
		return on(c.X+1.5, float64(k)*rise, c.Z+1.5)
	}
	for _, c := range [][2]int{{0, 16}, {16, 0}, {2, 10}, {10, 2}, {5, 9}, {9, 5}, {8, 8}, {3, 14}} {
		r := ends(corner(c[0]), corner(c[1]))
		r.Body.MaxDrop = 1 // else one may jump off
		out := s.complete(r)
		if len(out.Points) == 0 {
			continue
		}
		n := float64(max(c[0]-c[1], c[1]-c[0]))
		if out.Length < n*6 || out.Length > n*11 || len(out.Drops) > 0 {
			t.Errorf("from corner %d to %d: %v m, falls %v", c[0], c[1], out.Length, out.Drops)
		}
		last := out.Points[0].Pos.Y
		for _, p := range out.Points {
			if d := (p.Pos.Y - last) * float64(c[1]-c[0]); d < -0.1 || math.Abs(p.Pos.Y-last) > rise+0.1 {
				t.Errorf("from corner %d to %d: from height %v to %v", c[0], c[1], last, p.Pos.Y)
			}
			last = p.Pos.Y
		}
	}
}

// TestLift rides a lift of five storeys whose links start and end in one column.
func TestLift(t *testing.T) {
	b := wendtest.NewBuilder()
	for k := range 5 {
		b.Floor(0, 0, 12, 12, 3*float64(k))
		if k > 0 {
			b.Scene.Links = append(b.Scene.Links, scene.Link{From: geom.V3(6.1, 3*float64(k-1), 6.1), To: geom.V3(6.1, 3*float64(k), 6.1), Radius: 0.5})
		}
	}
	s := build(t, b, nil)
	for from := range 5 {
		for to := range 5 {
			for _, storey := range []Storey{OnSurface, NearFloor} {
				r := ends(on(1.5, 3*float64(from), 1.5), End{geom.V3(10.5, 3*float64(to), 10.5), storey})
				out := s.complete(r)
				if storey != OnSurface || len(out.Points) == 0 {
					continue
				}
				rides := 0
				for i, p := range out.Points {
					if p.Kind == route.Link {
						rides++
						if d := math.Abs(out.Points[i+1].Pos.Y - p.Pos.Y); d != 3 || flat(p.Pos, geom.V3(6.1, 0, 6.1)) > 0.3 {
							t.Errorf("from %d to %d: a ride from %v to %v", from, to, p.Pos, out.Points[i+1].Pos)
						}
					}
				}
				if want := max(from-to, to-from); rides != want {
					t.Errorf("from storey %d to %d: %d rides, %v", from, to, rides, out.Points)
				}
				if got := out.Points[len(out.Points)-1].Pos.Y; got != 3*float64(to) {
					t.Errorf("from storey %d to %d: ends at height %v", from, to, got)
				}
			}
		}
	}
}
