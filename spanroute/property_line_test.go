package spanroute

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"wend/geom"
	"wend/route"
	"wend/spangrid"
	"wend/spanpath"
)

// lines plans legs and has a look at what the planner made of each: the ground, and
// the line before and after each step. By default they are few, and light.
func (w *propertyWorld) lines(t *testing.T, n int, seed uint64, do func(p *Planner, r *Request, out *legResult)) {
	t.Helper()
	if long() {
		n *= 30
	}
	z := openZone(t, w.engine)
	p := w.engine.NewPlanner()
	rnd := rand.New(rand.NewPCG(seed, 6))
	for range 4 * n {
		r := w.randomRequest(rnd)
		if r.MaxExpanded = 6_000; long() {
			r.MaxExpanded = 0
		}
		l, err := z.leg(r)
		if err != nil {
			t.Fatal(err)
		}
		l.debug = true
		p.expanded, p.warnings, p.notes = 0, nil, nil
		out := new(legResult)
		switch f, err := p.planLeg(context.Background(), l, out); {
		case err == errBudget || f != nil || len(out.points) < 2:
			continue
		case err != nil:
			t.Fatalf("%+v: %v", *r, err)
		}
		if p.search.leg.depth == 0 { // not what was joined of several
			do(p, r, out)
			n--
		}
		p.ground.Release()
		if n == 0 {
			return
		}
	}
	t.Errorf("%d lines are missing", n)
}

// lineCheck counts what was there to be checked.
type lineCheck struct{ shorter, chords, moved int }

// TestLines looks at lines before and after each step from cells to a route.
func TestLines(t *testing.T) {
	var c lineCheck
	generated(t, 1, 10).lines(t, 12, 8, func(p *Planner, r *Request, out *legResult) {
		c.pulled(t, p, r)
		c.lifted(t, p, r, out)
	})
	t.Logf("%+v", c)
	if c.shorter < 6 || c.chords < 6 || c.moved < 4 {
		t.Errorf("%+v: no fair trial", c)
	}
}

// pulled checks that each stretch of a line that was pulled taut is in
// sight, or two neighbours of the search's; and that nothing is left to pull.
func (c *lineCheck) pulled(t *testing.T, p *Planner, r *Request) {
	s, k := &p.search, &p.post
	in, to := &k.input, &k.pulled
	view := spanpath.View{Need: spanpath.MarkTube, Walls: true, Bans: s.hasChain, Heights: true}
	at := 0 // in the input
	for i := 1; i < len(to.points); i++ {
		from := at
		for at++; in.points[at] != to.points[i] || in.heights[at] != to.heights[i]; at++ {
		}
		if at == from+1 || to.pass[i-1] != route.Corner {
			continue
		}
		c.chords++
		if !p.ground.Sees(view, to.points[i-1], to.points[i], to.heights[i-1], to.heights[i]) {
			t.Errorf("%+v: %v and %v are not in sight of each other", *r, to.points[i-1], to.points[i])
		}
	}
	if at != len(in.points)-1 {
		t.Errorf("%+v: the line ends at %d of %d", *r, at, len(in.points))
	}
	if len(to.points) < len(in.points) {
		c.shorter++
	}
	for from := 0; from < len(to.points); { // between falls and links
		end := from
		for end+1 < len(to.points) && to.pass[end] == route.Corner {
			end++
		}
		if again := p.ground.Pull(nil, to.points[from:end+1], to.heights[from:end+1], view); len(again) != end+1-from {
			t.Errorf("%+v: of %d points %d stay", *r, end+1-from, len(again))
		}
		from = end + 1
	}
}

// lifted compares a line before and after corners were lifted: as many points, each no farther than two cells and the way to the middle of its cell from
// where it was, no chord with less clearance than the worse of the two before,
// and no new crossing with the chord beyond a neighbour.
func (c *lineCheck) lifted(t *testing.T, p *Planner, r *Request, out *legResult) {
	var was []spanpath.Point
	for _, st := range out.stages {
		if st.name == "assembled" {
			was = append([]spanpath.Point(nil), st.points...)
		}
	}
	now := p.post.line.points
	if len(was) != len(now) {
		t.Fatalf("%+v: %d points, %d before", *r, len(now), len(was))
	}
	for i := range now {
		if now[i] == was[i] {
			continue
		}
		c.moved++
		d := distance(now[i].U-was[i].U, now[i].V-was[i].V)
		if i == 0 || i == len(now)-1 || d > 0.5+halfCell*math.Sqrt2 {
			t.Errorf("%+v: corner %d went %v px", *r, i, d)
		}
		keep := min(narrowest(p.ground, was[i-1], was[i]), narrowest(p.ground, was[i], was[i+1]))
		after := min(narrowest(p.ground, was[i-1], now[i]), narrowest(p.ground, now[i], was[i+1]))
		if after < keep-1e-9 {
			t.Errorf("%+v: corner %d: clearance sinks from %v to %v", *r, i, keep, after)
		}
		for _, k := range [2][4]int{{i, i + 1, i - 2, i - 1}, {i - 1, i, i + 1, i + 2}} {
			if k[2] < 0 || k[3] >= len(now) {
				continue
			}
			a, b := was[k[0]], was[k[1]]
			if k[0] == i {
				a = now[i]
			} else {
				b = now[i]
			}
			if crosses(a, b, was[k[2]], was[k[3]]) {
				t.Errorf("%+v: corner %d: a chord to it crosses that from %v to %v", *r, i, was[k[2]], was[k[3]])
			}
		}
		was[i] = now[i] // corners are lifted one after the other
	}
}

// narrowest returns the least clearance of the cells of a digital line, px.
func narrowest(g *spanpath.Ground, a, b spanpath.Point) float32 {
	ax, ay := spangrid.CellOf(a.U), spangrid.CellOf(a.V)
	bx, by := spangrid.CellOf(b.U), spangrid.CellOf(b.V)
	n := max(bx-ax, ax-bx, by-ay, ay-by, 1)
	least := float32(math.Inf(1))
	for k := range n + 1 {
		x := ax + int(math.RoundToEven(float64((bx-ax)*k)/float64(n)))
		y := ay + int(math.RoundToEven(float64((by-ay)*k)/float64(n)))
		if !g.Clip.Has(x, y) {
			continue
		}
		least = min(least, g.Clearances(nil, []spanpath.Point{middleOf(x, y)})[0])
	}
	return least
}

// crosses reports whether the inner parts of two segments have a common point.
func crosses(a, b, c, d spanpath.Point) bool {
	side := func(a, b, p spanpath.Point) float64 { return (b.U-a.U)*(p.V-a.V) - (b.V-a.V)*(p.U-a.U) }
	const eps = 1e-9
	return side(a, b, c)*side(a, b, d) < -eps && side(c, d, a)*side(c, d, b) < -eps
}

// TestFallsAreNotClimbed plans the way back of each that falls: nothing in any
// stage of a search rises by more than a step, links aside, and what falls in a
// route is recorded.
func TestFallsAreNotClimbed(t *testing.T) {
	falls, back := 0, 0
	b := ledge(2.5, 0.2)
	e := build(t, b, nil).e
	w := &propertyWorld{name: "ledge", scene: b.Scene, engine: e, where: func(rnd *rand.Rand) geom.Vec3 {
		if x := 4 + rnd.Float64()*30; rnd.IntN(2) == 0 {
			return geom.V3(x, 2.5, 1.5+rnd.Float64()*9)
		} else {
			return geom.V3(x, 0, -12+rnd.Float64()*9)
		}
	}}
	z := openZone(t, e)
	again := e.NewPlanner()
	check := func(p *Planner, r *Request, out *legResult) {
		links := map[[2]spangrid.Place]bool{}
		for _, l := range p.ground.Links {
			from, to := l.From, l.To
			from.H, to.H = 0, 0
			links[[2]spangrid.Place{from, to}] = true
		}
		for _, st := range out.stages {
			if st.name != "baseline" && st.name != "topology" && st.name != "geometry" {
				continue // of the last part; those of parts before fall into another region
			}
			for i := 1; i < len(st.points); i++ {
				cell := func(q spanpath.Point) spangrid.Place {
					return spangrid.Place{GX: int32(spangrid.CellOf(q.U)), GY: int32(spangrid.CellOf(q.V))}
				}
				rise := float64(st.heights[i]) - float64(st.heights[i-1])
				if rise > z.e.rules.StepUp+1e-6 && rise > z.e.rules.SlopeDiag+1e-6 && !links[[2]spangrid.Place{cell(st.points[i-1]), cell(st.points[i])}] {
					t.Errorf("%+v: %s rises by %v at %v", *r, st.name, rise, st.points[i])
				}
			}
		}
		for i := 1; i < len(out.heights); i++ {
			deep := float64(out.heights[i-1])-float64(out.heights[i]) > z.e.rules.Climb
			if deep && out.kinds[i-1] == route.Corner && distance(out.points[i].U-out.points[i-1].U, out.points[i].V-out.points[i-1].V) < spangrid.Side {
				t.Errorf("%+v: a fall at point %d that is none by its kind", *r, i)
			}
			if out.kinds[i-1] == route.Drop && !deep {
				t.Errorf("%+v: point %d is no fall, by its kind it is", *r, i)
			}
		}
	}
	w.lines(t, 16, 10, func(p *Planner, r *Request, out *legResult) {
		check(p, r, out)
		if len(out.drops) == 0 {
			return
		}
		falls += len(out.drops)
		rev := *r
		rev.From, rev.To, rev.MaxExpanded = r.To, r.From, 0
		l, err := z.leg(&rev)
		if err != nil {
			t.Fatal(err)
		}
		l.debug = true
		again.expanded = 0
		var ret legResult
		if f, err := again.planLeg(context.Background(), l, &ret); err == nil && f == nil {
			back++
			if again.search.leg.depth == 0 {
				check(again, &rev, &ret)
			}
			for _, d := range out.drops {
				for i := 1; i < len(ret.points); i++ {
					if ret.kinds[i-1] != route.Link && ret.points[i-1] == out.points[d.Index] && ret.points[i] == out.points[d.Index-1] {
						t.Errorf("%+v: up the fall at %v", rev, ret.points[i])
					}
				}
			}
		} else if err != nil && err != errBudget {
			t.Fatal(err)
		}
		again.ground.Release()
	})
	t.Logf("%d falls, %d ways back", falls, back)
	if falls < 2 || back < 2 {
		t.Errorf("%d falls, %d ways back: no fair trial", falls, back)
	}
}
