package spanroute

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// gapOf plans a leg that has no way and returns its gap.
func (s *scenario) gapOf(r *Request) *route.Gap {
	s.Helper()
	out := s.plan(r)
	if out.Status != route.Unreachable || out.Failure.Gap == nil {
		s.Errorf("%v to %v: %v %q, no gap: %+v %q", r.From, r.To, out.Status, code(out), out.Failure, out.Warnings)
		return nil
	}
	g := out.Failure.Gap
	if math.Abs(g.Width-geom.Dist(g.From, g.To)) > 1e-9 {
		s.Errorf("%v to %v: gap %+v", r.From, r.To, g)
	}
	return g
}

// TestGapAtAFence closes the whole town by fences of discs: the gap is at the fence,
// where the way would be, whichever side is the smaller one, and not inside of a
// house or between ground and roof.
func TestGapAtAFence(t *testing.T) {
	w := baked(t, "town")
	s := &scenario{t, w.engine, w.engine.NewPlanner()}
	west, east := on(-58, 0, 0), on(58, 0, 0)
	for _, x := range some([]float64{20, 0, -40, -20, 40, 5, 52}, 3) {
		for _, wide := range []float64{0.4, 2} {
			for back := range 2 {
				r := ends(west, east)
				if back == 1 {
					r = ends(east, west)
				}
				for z := -60.0; z <= 60; z += 0.5 {
					r.Discs = append(r.Discs, Disc{geom.V3(x, 0, z), wide})
				}
				g := s.gapOf(r)
				if g == nil {
					continue
				}
				a, b := g.From, g.To
				if back == 1 {
					a, b = b, a
				}
				if a.X > x-wide+0.15 || a.X < x-wide-0.4 || b.X < x+wide-0.15 || b.X > x+wide+0.4 || math.Abs(g.Rise()) > 0.3 || g.Plan() > 2*wide+0.7 || math.Abs(a.Z) > 6 {
					t.Errorf("a fence of %v at %v, back %d: gap %+v", wide, x, back, *g)
				}
			}
		}
	}
}

// TestGapAtARing has a ring of discs around one end.
func TestGapAtARing(t *testing.T) {
	w := baked(t, "town")
	s := &scenario{t, w.engine, w.engine.NewPlanner()}
	plaza, hall := geom.V3(0, 0, 0), geom.V3(50, 0, -2)
	for back := range 2 {
		r := ends(End{At: plaza}, End{At: hall})
		if back == 1 {
			r.From, r.To = r.To, r.From
		}
		for k := range 60 {
			a := float64(k) / 60 * 2 * math.Pi
			r.Discs = append(r.Discs, Disc{geom.V3(5*math.Cos(a), 0, 5*math.Sin(a)), 0.5})
		}
		for _, win := range some([]Windows{WholeRegion, Ladder, Exact}, 2) {
			r.Windows = win
			g := s.gapOf(r)
			if g == nil {
				continue
			}
			in, out := g.From, g.To
			if back == 1 {
				in, out = out, in
			}
			// On the side of the other end as well as can be: the shortest crossing.
			if flat(in, plaza) > 4.9 || flat(out, plaza) < 5.1 || flat(in, plaza) < 4 || flat(out, plaza) > 6 || g.Plan() > 1.7 {
				t.Errorf("back %d, windows %d: gap %+v", back, win, *g)
			}
		}
	}
}

// TestGapAtADoor closes the door between two rooms by a disc that is wider than the
// wall: the gap is in the door, not through the wall.
func TestGapAtADoor(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 10, 20, 0).Floor(11.2, 0, 20, 20, 0).Floor(10, 9, 11.2, 11, 0)
	s := build(t, b, nil)
	for back := range 2 {
		r := ends(on(2, 0, 1), on(18, 0, 19))
		if back == 1 {
			r.From, r.To = r.To, r.From
		}
		s.complete(r)
		door := func(g *route.Gap, most float64) {
			a, b := g.From, g.To
			if back == 1 {
				a, b = b, a
			}
			if a.X > 10.6 || b.X < 10.6 || min(a.Z, b.Z) < 8 || max(a.Z, b.Z) > 12 || g.Plan() > most {
				t.Errorf("back %d, %+v: gap %+v", back, r.Body, *g)
			}
		}
		r.Discs = []Disc{{geom.V3(10.6, 0, 10), 2}}
		if g := s.gapOf(r); g != nil {
			door(g, 4.6)
		}
		r.Discs = nil
		r.Body.Radius = 1.5 // too wide for the door
		if g := s.gapOf(r); g != nil {
			door(g, 5)
		}
	}
}

// TestGapBetweenTwoFences has a strip between two fences that belongs to no side.
func TestGapBetweenTwoFences(t *testing.T) {
	s := yard(t)
	r := ends(on(10, 0, 9), on(55, 0, 6))
	r.Discs = append(wallOfDiscs(40, 0.6), wallOfDiscs(44, 0.6)...)
	if g := s.gapOf(r); g != nil && (g.From.X > 39.6 || g.From.X < 38.8 || g.To.X < 44.4 || g.To.X > 45.2) {
		t.Errorf("gap %+v", *g)
	}
}

// TestGapByNumbers has goals that regions alone put out of reach: no gap unless it
// is asked for; then between what can be reached and what leads to the goal.
func TestGapByNumbers(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 40, 20, 0). // the ground
								Floor(40, 0, 60, 20, 2).                       // a ledge beside it
								Floor(5, 5, 15, 15, 3.2).                      // a storey without stairs
								Floor(70, 0, 80, 20, 2).                       // an island 10 m from the ledge
								Floor(5, 5, 15, 15, 6.4).                      // and a roof over the storey
								Floor(24, 0, 30, 6, 9).Floor(24, 8, 30, 14, 7) // a tower, and a lower one 2 m beside it
	s := build(t, b, nil)
	for _, c := range []struct {
		name       string
		from, to   End
		drop       float64
		plan, rise float64
		x          [2]float64 // of From and To
	}{
		{"up a ledge", on(20, 0, 10), on(50, 2, 10), 0, 0.3, 2, [2]float64{39.85, 40.15}},
		{"up a ledge, by floor", on(20, 0, 10), near(50, 2, 10), 0, 0.3, 2, [2]float64{39.85, 40.15}},
		{"up a ledge, any height", on(20, 0, 10), column(50, 10), 0, 0.3, 2, [2]float64{39.85, 40.15}},
		{"down a ledge, for who does not fall", on(50, 2, 10), on(20, 0, 10), 0.001, 0.3, -2, [2]float64{40.15, 39.85}},
		{"a storey up", on(10, 0, 10), on(10, 3.2, 10), 0, 0, 3.2, [2]float64{10, 10}},
		{"two storeys up, nothing leads on from the first", on(10, 0, 10), on(12, 6.4, 12), 0, 0, 6.4, [2]float64{10, 10}},
		{"to the island", on(20, 0, 10), on(75, 2, 10), 0, 30.3, 2, [2]float64{39.85, 70.15}},
		{"from the ledge to the island", on(50, 2, 10), on(75, 2, 10), 0, 10.3, 0, [2]float64{59.85, 70.15}},
		{"to the tower", on(20, 0, 3), on(27, 9, 3), 0, 0, 9, [2]float64{24.15, 24.15}},
		{"from the lower tower to the higher one", on(27, 7, 10), on(27, 9, 3), 0, 2.3, 2, [2]float64{27, 27}},
		{"and back, for who does not fall", on(27, 9, 3), on(27, 7, 10), 0.001, 2.3, -2, [2]float64{27, 27}},
	} {
		for _, win := range some([]Windows{WholeRegion, Ladder}, 1) {
			r := ends(c.from, c.to)
			r.Windows, r.Body.MaxDrop = win, c.drop
			out := s.want(r, route.Unreachable, CodeGoalUnreachable)
			if out.Failure != nil && out.Failure.Gap != nil {
				t.Errorf("%s: a gap that nobody asked for", c.name)
			}
			r.Gap = true
			g := s.gapOf(r)
			if g == nil {
				continue
			}
			if math.Abs(g.Plan()-c.plan) > 0.2 || math.Abs(g.Rise()-c.rise) > 0.02 || math.Abs(g.From.X-c.x[0]) > 0.31 || math.Abs(g.To.X-c.x[1]) > 2.1 {
				t.Errorf("%s, windows %d: %.2f m in plan, %.2f m up, %+v", c.name, win, g.Plan(), g.Rise(), *g)
			}
		}
	}
}

// TestGapAtAFallThatIsTooDeep has a hole in the roof of a house without a door: for
// a body that does not fall so deep the gap is at the hole, and not in a wall that is
// thinner, and the message says how deep it is.
func TestGapAtAFallThatIsTooDeep(t *testing.T) {
	b := wendtest.NewBuilder()
	b.Floor(-20, -20, 40, 0, 0).Floor(-20, 12, 40, 32, 0).Floor(-20, 0, -1.2, 12, 0).Floor(13.2, 0, 40, 12, 0)
	b.Floor(0, 1, 12, 11, 0)                                                                          // the room
	b.Floor(0, 0, 12, 4, 3.2).Floor(0, 8, 12, 12, 3.2).Floor(0, 4, 4, 8, 3.2).Floor(8, 4, 12, 8, 3.2) // the roof
	b.Poly(geom.V3(12, 3.2, 4), geom.V3(12, 3.2, 8), geom.V3(20, 0, 8), geom.V3(20, 0, 4))            // a ramp to it
	s := build(t, b, nil)
	r := ends(on(30, 0, 6), on(6, 0, 6))
	r.Body.MaxDrop = 3.3
	s.complete(r)
	r.Body.MaxDrop = 3.1
	out := s.want(r, route.Unreachable, CodeGoalUnreachable)
	if out.Failure != nil && !strings.Contains(out.Failure.Message, "no deeper than 3.10 m") {
		t.Errorf("without a gap: %q", out.Failure.Message)
	}
	r.Gap = true
	out = s.want(r, route.Unreachable, CodeGoalUnreachable)
	g := out.Failure.Gap
	if g == nil || math.Abs(g.Rise()+3.2) > 0.02 || g.Plan() > 0.5 || g.To.X < 4 || g.To.X > 8 || g.To.Z < 4 || g.To.Z > 8 {
		t.Errorf("gap %+v", g)
	}
	if want := "a fall of 3.20 m would lead there, and the body falls 3.10 m at most"; !strings.Contains(out.Failure.Message, want) {
		t.Errorf("message %q", out.Failure.Message)
	}
}

// TestGapAtATerrace has a terrace that leads down into its own region, by a ramp
// that discs close.
func TestGapAtATerrace(t *testing.T) {
	s := build(t, ledge(2.5, 0), nil)
	r := ends(on(10, 2.5, 3), on(10, 0, -3))
	for z := 0.0; z <= 12; z += 0.4 {
		r.Discs = append(r.Discs, Disc{geom.V3(50, 0, z), 3})
	}
	r.Body.MaxDrop = 1
	out := s.plan(r)
	if out.Status != route.Unreachable || out.Failure.Gap == nil || !strings.Contains(out.Failure.Message, "a fall of 2.50 m would lead on, and the body falls 1.00 m at most") {
		t.Errorf("%v, %+v", out.Status, out.Failure)
	}
	if g := out.Failure.Gap; g != nil && (math.Abs(g.Rise()+2.5) > 0.02 || g.Plan() > 0.5 || math.Abs(g.From.Z) > 0.5) {
		t.Errorf("gap %+v", *g)
	}
}

// TestGapAtAGoalThatIsClosed has the goal's surface under a disc: the gap leads to
// it from the rim.
func TestGapAtAGoalThatIsClosed(t *testing.T) {
	s := yard(t)
	to := geom.V3(50, 0, 6)
	for _, c := range []struct {
		to   End
		code string
	}{{End{At: to}, CodeGoalDeckBlocked}, {near(50, 0, 6), CodeGoalUnreachable}, {column(50, 6), CodeGoalUnreachable}} {
		r := ends(on(12, 0, 6), c.to)
		r.Discs = []Disc{{to, 14}}
		if out := s.want(r, route.Unreachable, c.code); out.Failure != nil && out.Failure.Gap != nil {
			t.Errorf("%s: a gap that nobody asked for", c.code)
		}
		r.Gap = true
		if g := s.gapOf(r); g != nil && (flat(g.To, to) > 0.3 || flat(g.From, to) < 13.9 || flat(g.From, to) > 14.7 || math.Abs(g.From.Z-6) > 0.5) {
			t.Errorf("%s: gap %+v", c.code, *g)
		}
	}
}

// TestGapIsLimited: with few search nodes there is the same gap or none, and that
// is said.
func TestGapIsLimited(t *testing.T) {
	s := yard(t)
	r := ends(on(12, 0, 6), on(50, 0, 6))
	r.Discs, r.Gap = []Disc{{r.To.At, 14}}, true
	want := s.gapOf(r)
	none := 0
	for _, n := range []int{1, 100, 1000, 10_000, 100_000} {
		r.MaxExpanded = n
		out := s.want(r, route.Unreachable, CodeGoalDeckBlocked)
		said := len(out.Warnings) == 1 && strings.HasPrefix(out.Warnings[0], "where the way breaks off was not found")
		switch g := out.Failure.Gap; {
		case g == nil && said:
			none++
		case g == nil || said || *g != *want:
			t.Errorf("%d nodes: gap %+v, warnings %q; want %+v", n, g, out.Warnings, want)
		}
		if out.Stats.Expanded > 0 {
			t.Errorf("%d nodes: %d taken up", n, out.Stats.Expanded)
		}
	}
	if none < 2 || none > 4 {
		t.Errorf("%d without a gap", none)
	}
}

// TestGapJoinsBothSides takes legs of many levels that fail and have a gap: its
// first end can be reached from the start, and from the second one the goal.
func TestGapJoinsBothSides(t *testing.T) {
	e := openTerraces(t, nil)
	z := openZone(t, e)
	a := decodeAll(t, z)
	s := &scenario{t, e, e.NewPlanner()}
	rnd := rand.New(rand.NewPCG(8, 8))
	gaps, far, legs := 0, 0, light(60)
	for range legs {
		pick := func() geom.Vec3 {
			i := rnd.IntN(len(a.f.Records))
			gx, gy := a.at(i)
			return z.worldAt(middleOf(gx, gy), float64(a.f.Records[i].H))
		}
		r := ends(End{At: pick()}, End{At: pick()})
		r.Gap = true
		for range max(0, rnd.IntN(12)-6) {
			r.Discs = append(r.Discs, Disc{pick(), rnd.Float64() * 3})
		}
		out := s.plan(r)
		if out.Status != route.Unreachable || out.Failure.Gap == nil {
			continue
		}
		gaps++
		g := out.Failure.Gap
		if g.Width > 3 {
			far++
		}
		there, back := *r, *r
		there.To, back.From = End{At: g.From}, End{At: g.To}
		f, b := s.plan(&there), s.plan(&back)
		if f.Status != route.Complete || b.Status != route.Complete {
			t.Errorf("%v to %v, %s: gap %+v; %v %q to it, %v %q from it", r.From.At, r.To.At, code(out), *g, f.Status, code(f), b.Status, code(b))
		}
	}
	if gaps < legs/3 || far < legs/10 {
		t.Errorf("%d gaps, %d of them wide: no fair trial", gaps, far)
	}
}
