package navmesh

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/geom"
)

var bothSearches = []Search{SearchExact, SearchCorridor}

// findPath answers twice on one query, checks that both answers are the same
// and what holds for every path, and returns the answer.
func findPath(t testing.TB, q *Query, from, to Location, f *Filter, o *PathOptions) Path {
	t.Helper()
	var first, second Path
	for _, dst := range []*Path{&first, &second} {
		if err := q.Path(context.Background(), from, to, f, o, dst); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(first, second); d != "" {
		t.Fatalf("the second answer of a query differs (-first +second):\n%s", d)
	}
	checkPath(t, q.mesh, from, to, &first)
	return first
}

func checkPath(t testing.TB, m *Mesh, from, to Location, p *Path) {
	t.Helper()
	if p.Outcome == Unreachable {
		if len(p.Points) != 0 || len(p.Polys) != 0 {
			t.Fatalf("unreachable with %d points", len(p.Points))
		}
		return
	}
	if p.Polys[0] != from.Poly {
		t.Fatalf("path begins on %d, want %d", p.Polys[0], from.Poly)
	}
	for i := 1; i < len(p.Polys); i++ {
		if !slices.ContainsFunc(m.linksOf(p.Polys[i-1]), func(l link) bool { return l.to == p.Polys[i] }) {
			t.Fatalf("no way from %d to %d", p.Polys[i-1], p.Polys[i])
		}
	}
	last := p.Points[len(p.Points)-1]
	if last.Poly != p.Polys[len(p.Polys)-1] || !m.holds(last.Poly, last.Pos) {
		t.Fatalf("path ends at %v on %d, last polygon %d", last.Pos, last.Poly, p.Polys[len(p.Polys)-1])
	}
	if (p.Outcome == Complete) != (last.Pos == to.Pos && last.Poly == to.Poly) && p.Outcome != Budget {
		t.Fatalf("%v path to %v ends at %v", p.Outcome, to, last)
	}
	sum := 0.0
	for i := 1; i < len(p.Points); i++ {
		if p.Points[i].Pos == p.Points[i-1].Pos {
			t.Fatalf("point %d twice: %v", i, p.Points)
		}
		sum += geom.Dist(p.Points[i-1].Pos, p.Points[i].Pos)
	}
	if math.Abs(sum-p.Length) > 1e-9*max(1, sum) {
		t.Fatalf("length %v, points measure %v", p.Length, sum)
	}
	if p.Outcome != Complete && (p.Gap.From != last.Pos || p.Gap.To != to.Pos || p.Gap.Width != geom.Dist(last.Pos, to.Pos)) {
		t.Fatalf("gap %+v after %v", p.Gap, last)
	}
}

func positions(p *Path) []geom.Vec3 {
	var out []geom.Vec3
	for _, x := range p.Points {
		out = append(out, x.Pos)
	}
	return out
}

// Two large rooms over a block; below it a row of small cells. Measured
// through the middles of edges, the way over the cells looks shorter.
func TestPathThroughLargePolygons(t *testing.T) {
	p := &plan{polys: [][]geom.Vec3{
		box(0, 0, 10, 30), box(10, 0, 30, 30), box(30, 0, 40, 30), box(0, -4, 10, 0), box(30, -4, 40, 0),
	}}
	for i := range 20 {
		p.polys = append(p.polys, box(float64(2*i), -6, float64(2*i+2), -4))
	}
	m := p.mesh(t)
	for _, s := range bothSearches {
		path := findPath(t, m.NewQuery(), m.at(t, 8, 1), m.at(t, 32, 1), nil, &PathOptions{Search: s})
		if path.Outcome != Complete || path.Length != 24 || len(path.Points) != 2 {
			t.Errorf("search %d: %v, length %v, want 24", s, path.Outcome, path.Length)
		}
	}
}

// A room with a diagonal wall of no thickness; start and goal in line with it.
func TestPathAlongOneLine(t *testing.T) {
	d := func(x float64) geom.Vec3 { return geom.Vec3{X: x, Z: x} }
	m := (&plan{
		polys: [][]geom.Vec3{
			{d(-2), d(0), d(2), d(4), {X: -2, Z: 4}},
			{d(-2), d(0), d(2), d(4), {X: 4, Z: -2}},
		},
		walls: [][2]geom.Vec3{{d(0), d(2)}},
	}).mesh(t)
	if n := len(m.links); n != 4 {
		t.Fatalf("%d links, want 4", n)
	}
	for _, s := range bothSearches {
		for _, off := range []float64{0, 1e-7, -1e-7} {
			goal := geom.Vec3{X: 3, Z: 3 + off}
			for from := range PolyID(2) {
				for to := range PolyID(2) {
					if !m.holds(to, goal) {
						continue
					}
					path := findPath(t, m.NewQuery(), Location{from, d(-1)}, Location{to, goal}, nil, &PathOptions{Search: s})
					if path.Outcome != Complete || !near(path.Length, 5.656854, 1e-6) {
						t.Errorf("search %d, goal %+g aside, %d to %d: %v, length %.9f", s, off, from, to, path.Outcome, path.Length)
					}
					for _, p := range path.Points {
						if math.Abs(p.Pos.X-p.Pos.Z) > 1e-7+1e-12 {
							t.Errorf("search %d: corner %v off the line", s, p.Pos)
						}
					}
					if off == 0 && len(path.Points) != 2 {
						t.Errorf("search %d, %d to %d: %v, want no corner", s, from, to, path.Points)
					}
				}
			}
		}
	}
}

func TestPathAtOnePlace(t *testing.T) {
	m := room().mesh(t)
	q := m.NewQuery()
	for _, s := range bothSearches {
		o := &PathOptions{Search: s}
		for _, c := range []struct {
			name   string
			a, b   geom.Vec3
			points int
		}{
			{"mid polygon", geom.V3(3, 0, 6), geom.V3(3, 0, 6), 1},
			{"vertex", geom.V3(5, 0, 5), geom.V3(5, 0, 5), 1},
			{"rim", geom.V3(0, 0, 5), geom.V3(0, 0, 5), 1},
			{"a billionth apart", geom.V3(3, 0, 6), geom.V3(3+1e-9, 0, 6), 2},
			{"one polygon", geom.V3(1, 0, 2), geom.V3(1, 0, 3), 2},
			{"goal on a vertex", geom.V3(1, 0, 2), geom.V3(5, 0, 5), 2},
			{"over the vertex", geom.V3(1, 0, 1), geom.V3(9, 0, 9), 2},
		} {
			// Every pair of polygons that the places lie on.
			for pa := range PolyID(m.Len()) {
				for pb := range PolyID(m.Len()) {
					if !m.contains(pa, c.a) || !m.contains(pb, c.b) {
						continue
					}
					path := findPath(t, q, Location{pa, c.a}, Location{pb, c.b}, nil, o)
					if path.Outcome != Complete || len(path.Points) != c.points || path.Length != geom.Dist(c.a, c.b) {
						t.Errorf("search %d, %s, %d to %d: %v, %v, length %v", s, c.name, pa, pb, path.Outcome, path.Points, path.Length)
					}
				}
			}
		}
	}
}

// serpentine is a way to and fro through n corridors of 100 m, cut into cells.
func serpentine(n int) *plan {
	cuts := []float64{0, 2, 18, 34, 50, 66, 82, 98, 100}
	p := &plan{}
	for i := range n {
		z := float64(3 * i)
		for k := 1; k < len(cuts); k++ {
			p.polys = append(p.polys, box(cuts[k-1], z, cuts[k], z+2))
		}
		if i+1 < n {
			x := 98 * float64((i+1)%2)
			p.polys = append(p.polys, box(x, z+2, x+2, z+3))
		}
	}
	return p
}

func TestPathOfSixtyKilometres(t *testing.T) {
	const corridors = 600
	m := serpentine(corridors).mesh(t)
	from, to := m.at(t, 1, 1), m.at(t, 1, 3*(corridors-1)+1)
	// Between two bends the way leads from one inner corner to the next.
	want := 2*math.Hypot(97, 1) + (corridors-2)*math.Hypot(96, 2) + (corridors - 1)
	for _, s := range bothSearches {
		q := m.NewQuery()
		whole := findPath(t, q, from, to, nil, &PathOptions{Search: s})
		if whole.Outcome != Complete || !near(whole.Length, want, 1e-6) || len(whole.Points) != 2*corridors {
			t.Fatalf("search %d: %v, length %v in %d points, want %v in %d", s, whole.Outcome, whole.Length, len(whole.Points), want, 2*corridors)
		}
		for _, budget := range []int{5000, 500, 1} {
			path := findPath(t, q, from, to, nil, &PathOptions{Search: s, MaxNodes: budget})
			if path.Outcome != Budget || path.Expanded != budget {
				t.Fatalf("search %d, budget %d: %v after %d", s, budget, path.Outcome, path.Expanded)
			}
			if budget > 1 {
				// Near the goal lie the ends of corridors on its side; the end
				// has come about as far as the budget reaches.
				if got := path.Points[len(path.Points)-1].Pos.Z / to.Pos.Z; got < 0.8*float64(budget)/float64(len(m.polys)) {
					t.Errorf("search %d, budget %d: got %.3f of the way up", s, budget, got)
				}
			}
			if budget == 1 {
				continue // too many resumptions
			}
			for n := 0; path.Outcome == Budget; n++ {
				before := path.Expanded
				// Other questions in between must not matter.
				if _, err := q.Raycast(from, to.Pos, nil); err != nil {
					t.Fatal(err)
				}
				if _, err := q.Nearest(to.Pos, nil); err != nil {
					t.Fatal(err)
				}
				if err := q.Resume(context.Background(), budget, &path); err != nil {
					t.Fatal(err)
				}
				checkPath(t, m, from, to, &path)
				if path.Expanded <= before || path.Expanded > before+budget {
					t.Fatalf("resumed from %d to %d", before, path.Expanded)
				}
			}
			if d := cmp.Diff(whole, path); d != "" {
				t.Errorf("search %d, budget %d: the resumed path differs (-whole +resumed):\n%.2000s", s, budget, d)
			}
		}
	}
}

func TestResumeNeedsSuspended(t *testing.T) {
	m := room().mesh(t)
	q := m.NewQuery()
	var path Path
	if err := q.Resume(context.Background(), 0, &path); !errors.Is(err, ErrNotSuspended) || !errors.Is(err, ErrBadInput) {
		t.Errorf("fresh query: %v", err)
	}
	a, b := m.at(t, 1, 2), m.at(t, 9, 8)
	if err := q.Path(context.Background(), a, b, nil, &PathOptions{MaxNodes: 1}, &path); err != nil || path.Outcome != Budget {
		t.Fatalf("%v, %v", path.Outcome, err)
	}
	if err := q.Resume(context.Background(), -1, &path); !errors.Is(err, ErrBadInput) {
		t.Errorf("negative budget: %v", err)
	}
	if err := q.Resume(context.Background(), 0, &path); err != nil || path.Outcome != Complete {
		t.Errorf("%v, %v", path.Outcome, err)
	}
	if err := q.Resume(context.Background(), 0, &path); !errors.Is(err, ErrNotSuspended) {
		t.Errorf("after the end: %v", err)
	}
}

func TestPathCancelled(t *testing.T) {
	m := serpentine(600).mesh(t)
	q := m.NewQuery()
	from, to := m.at(t, 1, 1), m.at(t, 1, 3*599+1)
	for _, s := range bothSearches {
		whole := findPath(t, q, from, to, nil, &PathOptions{Search: s})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var path Path
		err := q.Path(ctx, from, to, nil, &PathOptions{Search: s}, &path)
		if !errors.Is(err, context.Canceled) || path.Outcome != Cancelled || len(path.Points) != 0 {
			t.Fatalf("%v, %v", path.Outcome, err)
		}
		if err := q.Resume(t.Context(), 0, &path); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(whole, path); d != "" {
			t.Errorf("search %d: resumed after cancellation (-whole +resumed):\n%.2000s", s, d)
		}
	}
}

// isles is a square with four isles at equal distances, one on each side.
func isles() *plan {
	return &plan{polys: [][]geom.Vec3{
		box(0, 0, 10, 10), box(10, 0, 20, 10), box(0, 10, 10, 20), box(10, 10, 20, 20), // the square
		box(23, 9, 24, 11), box(-4, 9, -3, 11),
	}}
}

func TestPartialPaths(t *testing.T) {
	m := isles().mesh(t)
	for _, s := range bothSearches {
		for _, c := range []struct {
			name     string
			from, to Location
			end      geom.Vec3
			gap      float64
		}{
			{"isle to the right", m.at(t, 1, 1), m.at(t, 23.5, 9.5), geom.V3(20, 0, 9.5), 3.5},
			{"level with a seam", m.at(t, 1, 1), m.at(t, 23.5, 10), geom.V3(20, 0, 10), 3.5},
			{"already nearest", m.at(t, 20, 9.5), m.at(t, 23, 9.5), geom.V3(20, 0, 9.5), 3},
			{"isle to the left", m.at(t, 19, 19), m.at(t, -3, 10), geom.V3(0, 0, 10), 3},
		} {
			q := m.NewQuery()
			if path := findPath(t, q, c.from, c.to, nil, &PathOptions{Search: s}); path.Outcome != Unreachable || path.Expanded != 0 ||
				path.Gap.From != c.end || path.Gap.Width != c.gap {
				t.Errorf("%s: %v after %d, gap %+v", c.name, path.Outcome, path.Expanded, path.Gap)
			}
			path := findPath(t, q, c.from, c.to, nil, &PathOptions{Search: s, AllowPartial: true})
			if last := path.Points[len(path.Points)-1]; path.Outcome != Partial || last.Pos != c.end || path.Gap.Width != c.gap {
				t.Errorf("%s: %v, ends at %v, gap %v; want %v, %v", c.name, path.Outcome, last.Pos, path.Gap.Width, c.end, c.gap)
			}
			if want := geom.Dist(c.from.Pos, c.end); !near(path.Length, want, 1e-12) {
				t.Errorf("%s: length %v, want %v", c.name, path.Length, want)
			}
		}
	}
}

// A goal in the middle of a ring is equally near to all four sides of it.
func TestPartialTakesTheCheapestOfEquals(t *testing.T) {
	m := (&plan{polys: [][]geom.Vec3{
		box(0, 0, 30, 10), box(20, 10, 30, 20), box(0, 20, 30, 30), box(0, 10, 10, 20), box(14, 14, 16, 16),
	}}).mesh(t)
	for _, s := range bothSearches {
		for _, c := range []struct{ x, z, endX, endZ float64 }{
			{15, 1, 15, 10},
			{29, 15, 20, 15},
			{15, 29, 15, 20},
			{1, 15, 10, 15},
			{2, 14, 10, 15},
			{28, 14, 20, 15},
			{28, 16, 20, 15},
		} {
			path := findPath(t, m.NewQuery(), m.at(t, c.x, c.z), m.at(t, 15, 15), nil, &PathOptions{Search: s, AllowPartial: true})
			if end := path.Points[len(path.Points)-1].Pos; path.Outcome != Partial || end != geom.V3(c.endX, 0, c.endZ) {
				t.Errorf("search %d from (%v, %v): %v, ends at %v, want (%v, %v)", s, c.x, c.z, path.Outcome, end, c.endX, c.endZ)
			}
		}
	}
}

func TestPartialBehindAFilter(t *testing.T) {
	// The middle cell is closed, so the islands say nothing.
	m := (&plan{
		polys: [][]geom.Vec3{box(0, 0, 4, 4), box(4, 0, 8, 4), box(8, 0, 12, 4), box(0, 4, 1, 9)},
		flags: []uint16{1, 2, 1, 1},
	}).mesh(t)
	f := &Filter{IncludeFlags: 1}
	for _, s := range bothSearches {
		q := m.NewQuery()
		from, to := m.at(t, 1, 3), m.at(t, 10, 2)
		if path := findPath(t, q, from, to, f, &PathOptions{Search: s}); path.Outcome != Unreachable || path.Gap.From != geom.V3(4, 0, 2) {
			t.Errorf("search %d: %v, gap %+v", s, path.Outcome, path.Gap)
		}
		path := findPath(t, q, from, to, f, &PathOptions{Search: s, AllowPartial: true})
		if path.Outcome != Partial || path.Points[len(path.Points)-1].Pos != geom.V3(4, 0, 2) {
			t.Errorf("search %d: %v, %v", s, path.Outcome, path.Points)
		}
		// A dead end counts as reached, too.
		path = findPath(t, q, m.at(t, 2, 2), Location{1, geom.V3(5, 0, 4)}, f, &PathOptions{Search: s, AllowPartial: true})
		if path.Outcome != Partial || path.Points[len(path.Points)-1].Pos != geom.V3(4, 0, 4) {
			t.Errorf("search %d, closed goal: %v, %v", s, path.Outcome, path.Points)
		}
		// A closed start reaches nothing.
		path = findPath(t, q, m.at(t, 6, 2), to, f, &PathOptions{Search: s, AllowPartial: true})
		if path.Outcome != Unreachable {
			t.Errorf("search %d, closed start: %v", s, path.Outcome)
		}
	}
}

func TestPathOverConnections(t *testing.T) {
	// Two platforms with a gap; a jump one way, stairs both ways farther off.
	p := &plan{
		polys: [][]geom.Vec3{box(0, 0, 10, 10), box(14, 0, 24, 10)},
		links: []OffMesh{
			{From: geom.V3(10, 0, 5).Narrow(), To: geom.V3(14, 0, 5).Narrow(), Radius: 0.1},
			{From: geom.V3(10, 0, 9).Narrow(), To: geom.V3(14, 0, 9).Narrow(), Radius: 0.1, BothWays: true, Cost: 20},
		},
	}
	m := p.mesh(t)
	for _, s := range bothSearches {
		q := m.NewQuery()
		o := &PathOptions{Search: s}
		there := findPath(t, q, m.at(t, 5, 5), m.at(t, 20, 5), nil, o)
		if d := cmp.Diff([]PathPoint{
			{geom.V3(5, 0, 5), 0, false}, {geom.V3(10, 0, 5), 0, true}, {geom.V3(14, 0, 5), 1, false}, {geom.V3(20, 0, 5), 1, false},
		}, there.Points); d != "" || there.Length != 15 || there.Cost != 15 {
			t.Errorf("search %d: length %v, cost %v, points (-want +got):\n%s", s, there.Length, there.Cost, d)
		}
		if d := cmp.Diff([]PolyID{0, 2, 1}, there.Polys); d != "" {
			t.Error(d)
		}
		back := findPath(t, q, m.at(t, 20, 5), m.at(t, 5, 5), nil, o)
		leg := math.Hypot(6, 4) + math.Hypot(5, 4)
		if back.Outcome != Complete || !near(back.Length, leg+4, 1e-9) || !near(back.Cost, leg+20, 1e-9) || !back.Points[1].Link {
			t.Errorf("search %d: back %v, length %v, cost %v, %v", s, back.Outcome, back.Length, back.Cost, back.Points)
		}
		// From the landing itself, and to the take-off itself.
		short := findPath(t, q, Location{1, geom.V3(14, 0, 9)}, Location{0, geom.V3(10, 0, 9)}, nil, o)
		if len(short.Points) != 2 || short.Length != 4 || short.Cost != 20 || !short.Points[0].Link {
			t.Errorf("search %d: %v, length %v, cost %v", s, short.Points, short.Length, short.Cost)
		}
	}
}

// A connection that costs less than its length must not be overlooked because
// the goal looks far from its start.
func TestPathOverCheapConnection(t *testing.T) {
	var p plan
	for i := range 50 {
		p.polys = append(p.polys, box(float64(2*i), 0, float64(2*i+2), 4))
	}
	p.links = []OffMesh{{From: geom.V3(1, 0, 1).Narrow(), To: geom.V3(99, 0, 1).Narrow(), Radius: 0.1, BothWays: true, Cost: 2}}
	m := p.mesh(t)
	for _, s := range bothSearches {
		path := findPath(t, m.NewQuery(), m.at(t, 20, 1), m.at(t, 98, 1), nil, &PathOptions{Search: s})
		if want := 19.0 + 2 + 1; !near(path.Cost, want, 1e-9) {
			t.Errorf("search %d: cost %v, want %v by %v", s, path.Cost, want, path.Points)
		}
		// Within one polygon it is of no use.
		path = findPath(t, m.NewQuery(), m.at(t, 1, 0.5), m.at(t, 1, 2), nil, &PathOptions{Search: s})
		if len(path.Points) != 2 || path.Cost != 1.5 {
			t.Errorf("search %d: %v", s, path.Points)
		}
	}
}

func TestPathWeighsAreas(t *testing.T) {
	// A swamp of 10 by 10 in a field of 30 by 12: through it at its cost, or
	// past it along the 2 m that are left.
	m := (&plan{
		polys: [][]geom.Vec3{box(0, 0, 10, 10), box(10, 0, 20, 10), box(20, 0, 30, 10), box(0, 10, 10, 12), box(10, 10, 20, 12), box(20, 10, 30, 12)},
		areas: []uint8{0, 5, 0, 0, 0, 0},
	}).mesh(t)
	from, to := m.at(t, 5, 5), m.at(t, 25, 5)
	past := 2*math.Hypot(5, 5) + 10
	for _, s := range bothSearches {
		for _, c := range []struct{ swamp, field, cost float64 }{
			{1, 1, 20}, {1.4, 1, 24}, {3, 1, past}, {100, 1, past}, {20, 10, 10 * past}, {0.5, 1, 15}, {0.25, 0.5, 7.5},
		} {
			f := &Filter{}
			f.AreaCost[0], f.AreaCost[5] = c.field, c.swamp
			path := findPath(t, m.NewQuery(), from, to, f, &PathOptions{Search: s})
			if !near(path.Cost, c.cost, 1e-9*c.cost) {
				t.Errorf("search %d, swamp %v, field %v: cost %v over %v, want %v", s, c.swamp, c.field, path.Cost, positions(&path), c.cost)
			}
		}
	}
}

func TestPathCrossings(t *testing.T) {
	m := (&plan{
		polys: [][]geom.Vec3{box(0, 0, 10, 10), box(10, 0, 20, 10), box(20, 0, 30, 10)},
		areas: []uint8{0, 0, 3},
	}).mesh(t)
	from, to := m.at(t, 5, 2), m.at(t, 25, 6)
	for _, c := range []struct {
		crossings Crossings
		want      []PathPoint
	}{
		{NoCrossings, []PathPoint{{from.Pos, 0, false}, {to.Pos, 2, false}}},
		{AreaCrossings, []PathPoint{{from.Pos, 0, false}, {geom.V3(20, 0, 5), 2, false}, {to.Pos, 2, false}}},
		{AllCrossings, []PathPoint{{from.Pos, 0, false}, {geom.V3(10, 0, 3), 1, false}, {geom.V3(20, 0, 5), 2, false}, {to.Pos, 2, false}}},
	} {
		path := findPath(t, m.NewQuery(), from, to, nil, &PathOptions{Crossings: c.crossings})
		if d := cmp.Diff(c.want, path.Points); d != "" {
			t.Errorf("crossings %d (-want +got):\n%s", c.crossings, d)
		}
	}
}

func TestPathRefusesBadInput(t *testing.T) {
	m := room().mesh(t)
	q := m.NewQuery()
	good := m.at(t, 3, 6)
	at := func(x, y, z float64) Location { return Location{good.Poly, geom.V3(x, y, z)} }
	f := &Filter{}
	f.AreaCost[3] = -1
	for _, c := range []struct {
		name     string
		from, to Location
		f        *Filter
		o        *PathOptions
	}{
		{"NaN", at(math.NaN(), 0, 6), good, nil, nil},
		{"infinity", good, at(3, math.Inf(1), 6), nil, nil},
		{"1e300", good, at(3, 0, 1e300), nil, nil},
		{"no polygon", good, Location{NoPoly, good.Pos}, nil, nil},
		{"polygon out of range", Location{8, good.Pos}, good, nil, nil},
		{"off its polygon", good, at(4, 0, -1), nil, nil},
		{"negative budget", good, good, nil, &PathOptions{MaxNodes: -1}},
		{"crossings", good, good, nil, &PathOptions{Crossings: 9}},
		{"search", good, good, nil, &PathOptions{Search: 9}},
		{"negative cost", good, good, f, nil},
	} {
		path := Path{Points: make([]PathPoint, 3), Outcome: Complete}
		err := q.Path(context.Background(), c.from, c.to, c.f, c.o, &path)
		if !errors.Is(err, ErrBadInput) || path.Outcome != 0 || len(path.Points) != 0 {
			t.Errorf("%s: %v, outcome %v, %d points", c.name, err, path.Outcome, len(path.Points))
		}
		if _, err := q.Raycast(c.from, c.to.Pos, nil); err == nil && (c.name == "NaN" || c.name == "infinity" || c.name == "1e300") {
			t.Errorf("%s: the ray is accepted", c.name)
		}
	}
	// The least numbers are numbers.
	tiny := Location{0, geom.V3(5e-324, 5e-324, 3)}
	if path := findPath(t, q, tiny, good, nil, nil); path.Outcome != Complete {
		t.Errorf("from a denormal place: %v", path.Outcome)
	}
}

func TestWarmQueriesAllocateNothing(t *testing.T) {
	m := serpentine(20).mesh(t)
	q := m.NewQuery()
	from, to := m.at(t, 1, 1), m.at(t, 1, 58)
	f := &Filter{}
	f.AreaCost[0] = 2
	var path Path
	var polys []PolyID
	for _, s := range bothSearches {
		for _, o := range []*PathOptions{
			{Search: s}, {Search: s, MaxNodes: 40}, {Search: s, Crossings: AllCrossings, AllowPartial: true},
		} {
			run := func() {
				if err := q.Path(context.Background(), from, to, f, o, &path); err != nil {
					t.Fatal(err)
				}
			}
			run()
			if n := testing.AllocsPerRun(20, run); n != 0 {
				t.Errorf("search %d, %+v: %v allocations", s, *o, n)
			}
		}
	}
	run := func() { polys, _, _ = q.AppendRaycast(polys[:0], from, to.Pos, nil) }
	run()
	if n := testing.AllocsPerRun(20, run); n != 0 {
		t.Errorf("ray: %v allocations", n)
	}
}

func TestQueriesShareAMesh(t *testing.T) {
	m := serpentine(20).mesh(t)
	from, to := m.at(t, 1, 1), m.at(t, 1, 58)
	want := findPath(t, m.NewQuery(), from, to, nil, nil)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			q := m.NewQuery()
			var path Path
			for k := range 20 {
				s := bothSearches[(i+k)%2]
				if err := q.Path(context.Background(), from, to, nil, &PathOptions{Search: s}, &path); err != nil {
					t.Error(err)
				}
				if fmt.Sprint(path.Points) != fmt.Sprint(want.Points) {
					t.Errorf("goroutine %d: %v", i, path.Points)
				}
			}
		})
	}
	wg.Wait()
}
