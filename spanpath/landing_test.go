package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/bnvf"
	"wend/spangrid"
)

// bodyRadius is that of a body of 0.41 m where a metre is 0.75 px.
const bodyRadius = 0.41 * 0.75

// ledgeWorld is a terrace at a height of 5 up to column 19, and ground at 0 from
// column 20 on.
func ledgeWorld() (*testWorld, []Point, []float32) {
	w := newWorld()
	w.floor(0, 0, 19, 20, 5)
	w.floor(20, 0, 60, 20, 0)
	return w, []Point{middle(5, 10), middle(21, 10), middle(50, 10)}, []float32{5, 0, 0}
}

func land(t *testing.T, w *testWorld, pts []Point, hz []float32, change ...func(*Setup)) ([]Drop, *Ground) {
	t.Helper()
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30}, change...)
	clr := g.Clearances(nil, pts)
	drops := g.LandingMargin(nil, pts, hz, clr, nil, bodyRadius)
	if want := g.Clearances(nil, pts); !slices.Equal(clr, want) {
		t.Errorf("clearances %v, want %v", clr, want)
	}
	return drops, g
}

func TestLanding(t *testing.T) {
	// Four radii are 1.23 px; the edge is at 5 px, so the first cell whose middle
	// is far enough in the landing's row is number 25, at 6.375 px.
	w, pts, hz := ledgeWorld()
	drops, _ := land(t, w, pts, hz)
	if want := []Drop{{1, 0}}; !slices.Equal(drops, want) || pts[1] != middle(25, 10) {
		t.Errorf("landing at %v, drops %v", pts[1], drops)
	}

	// One that is far enough stays where it is.
	w, pts, hz = ledgeWorld()
	pts[1] = Point{6.3, 2.6}
	if drops, _ := land(t, w, pts, hz); len(drops) != 1 || pts[1] != (Point{6.3, 2.6}) {
		t.Errorf("landing at %v, drops %v", pts[1], drops)
	}

	// Corners on the terrace get its height, be it that the search had them below.
	w, pts, _ = ledgeWorld()
	pts = slices.Insert(pts, 1, middle(10, 10), middle(15, 10))
	hz = []float32{5, 0, 0, 0, 0}
	if drops, _ := land(t, w, pts, hz); len(drops) != 1 || drops[0].Index != 3 || !slices.Equal(hz, []float32{5, 5, 5, 0, 0}) {
		t.Errorf("drops %v, heights %v", drops, hz)
	}

	// Next to a no-go zone, in it or across it nobody lands.
	for _, ring := range [][4]float64{{5.5, 0, 9, 5}, {6.2, 2.3, 6.4, 2.9}} {
		w, pts, hz = ledgeWorld()
		w.rings = append(w.rings, NewRing("", [][2]float64{{ring[0], ring[1]}, {ring[2], ring[1]}, {ring[2], ring[3]}, {ring[0], ring[3]}}, math.Inf(-1), math.Inf(1)))
		_, g := land(t, w, pts, hz)
		gx, gy := pts[1].cell()
		p, c := g.at(gx, gy)
		if p.Cells[c]&CellNoGo != 0 || pts[1] != middle(21, 10) && !g.Sees(View{NoGo: true}, pts[1], pts[2], 0, 0) {
			t.Errorf("landing at %v, in or behind the zone", pts[1])
		}
	}
	// The same with a disc.
	w, pts, hz = ledgeWorld()
	disc := Disc{6.375, 2.6, 0.3}
	land(t, w, pts, hz, func(s *Setup) { s.Discs = []Disc{disc} })
	if math.Hypot(pts[1].U-disc.U, pts[1].V-disc.V) <= disc.Radius || pts[1] == middle(21, 10) {
		t.Errorf("landing at %v, disc %v", pts[1], disc)
	}
	// And behind a kept wall, but for one of an upper storey.
	for _, h := range []float64{1, 20} {
		w, pts, hz = ledgeWorld()
		w.walls = append(w.walls, Segment{5.7, 0, 5.7, 5.2, h, h})
		land(t, w, pts, hz)
		if behind := pts[1].U < 5.7; behind != (h == 1) {
			t.Errorf("wall at a height of %v: landing at %v", h, pts[1])
		}
	}

	// No landing moves onto another region, though the line may pass over it, nor
	// onto ground that cannot be reached.
	for _, other := range []cellSpan{{region: 2}, {component: 5}} {
		w, pts, hz = ledgeWorld()
		for c, list := range w.cells {
			if c.X >= 22 {
				list[0].region, list[0].component = other.region, other.component
			}
		}
		pts[2] = middle(21, 18)
		if land(t, w, pts, hz, func(s *Setup) { s.Reach = bnvf.Set{1 << 1} }); pts[1].U > 5.5 {
			t.Errorf("landing at %v, on %+v", pts[1], other)
		}
	}

	// Where the next corner is the best place, it may be the landing; the nearest
	// other one is beside it.
	for _, onNext := range []bool{false, true} {
		w, pts, hz = ledgeWorld()
		pts[2] = middle(25, 10)
		g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30})
		d := g.Land(1, pts, hz, make([]float32, 3), nil, bodyRadius, onNext)
		if d != (Drop{1, 0}) || (pts[1] == pts[2]) != onNext || distance(pts[1], pts[2]) > spangrid.Side {
			t.Errorf("on the next corner %v: landing at %v", onNext, pts[1])
		}
	}

	// A ramp is no ledge.
	w = newWorld()
	for x := range 60 {
		w.floor(x, 0, x, 20, float32(min(max(40-x, 0), 20))/4)
	}
	if drops, _ := land(t, w, []Point{middle(5, 10), middle(45, 10), middle(50, 10)}, []float32{5, 0, 0}); len(drops) != 0 {
		t.Errorf("a ramp: %v", drops)
	}
	// Without a scale there are no landings.
	w, pts, hz = ledgeWorld()
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30})
	for _, r := range []float64{0, -1, math.NaN()} {
		if drops := g.LandingMargin(nil, pts, hz, make([]float32, 3), nil, r); drops != nil {
			t.Errorf("radius %v: %v", r, drops)
		}
	}
}

// TestLandingAgainstTwin compares where landings go with all cells tried in
// order, in random worlds of two levels; and heights that change are written
// to both columns.
func TestLandingAgainstTwin(t *testing.T) {
	moved := 0
	for n := range worlds(40) {
		rnd := rand.New(rand.NewPCG(uint64(n), 41))
		w := newWorld()
		edge := func(y int) int { return 20 + (y*7+n)%5 - 2 }
		for y := range 21 {
			w.floor(0, y, edge(y)-1, y, 5)
			for x := edge(y); x < 60; x++ {
				if rnd.IntN(12) > 0 {
					w.put(x, y, cellSpan{h: float32(rnd.IntN(5)) / 4})
				}
			}
		}
		g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30})
		y := 3 + rnd.IntN(14)
		at, to := Cell{int32(edge(y) + rnd.IntN(3)), int32(y)}, Cell{50, int32(rnd.IntN(20))}
		if len(w.cells[at]) == 0 || len(w.cells[to]) == 0 {
			continue
		}
		h0, h1 := w.cells[at][0].h, w.cells[to][0].h
		pts := []Point{middle(2, y), middle(int(at.X), y), middle(int(to.X), int(to.Y))}
		hz := []float32{5, h0, h1}
		also := slices.Clone(hz)
		want := landTwin(g, w, pts, hz)
		large := w.ground(t, spangrid.Window{GX: -60, GY: -9, NX: 200, NY: 70})
		pts2, hz2 := slices.Clone(pts), slices.Clone(hz)
		large.LandingMargin(nil, pts2, hz2, make([]float32, 3), nil, bodyRadius)
		drops := g.LandingMargin(nil, pts, hz, make([]float32, 3), also, bodyRadius)
		if len(drops) != 1 || drops[0] != (Drop{1, hz[1]}) || !slices.Equal(hz, also) {
			t.Fatalf("world %d: drops %v, heights %v, %v", n, drops, hz, also)
		}
		if !slices.Equal(pts, pts2) || !slices.Equal(hz, hz2) {
			t.Fatalf("world %d: %v in a larger window, %v in a small one", n, pts2, pts)
		}
		if pts[1] != want {
			t.Fatalf("world %d: landing at %v, want %v", n, pts[1], want)
		}
		if pts[1] != middle(int(at.X), y) {
			moved++
		}
	}
	if moved < 12 {
		t.Errorf("%d landings moved", moved)
	}
}

// landTwin grows the set of reached cells one by one, always the nearest.
func landTwin(g *Ground, w *testWorld, pts []Point, hz []float32) Point {
	type node struct {
		c Cell
		h float32
	}
	near := func(c Cell, h float32) (float32, bool) {
		best, ok := float32(0), false
		for _, s := range w.cells[c] {
			if d := math.Abs(float64(s.h - h)); d <= 1 && (!ok || d < math.Abs(float64(best-h))) {
				best, ok = s.h, true
			}
		}
		return best, ok
	}
	far := func(c Cell) float64 {
		m := middle(int(c.X), int(c.Y))
		return math.Sqrt((m.U-pts[1].U)*(m.U-pts[1].U) + (m.V-pts[1].V)*(m.V-pts[1].V))
	}
	gx, gy := pts[1].cell()
	start := Cell{int32(gx), int32(gy)}
	open := []node{{start, hz[1]}}
	seen := map[Cell]bool{start: true}
	best, score := pts[1], -1.0
	for len(open) > 0 {
		k := 0
		for i := range open {
			a, b := open[i].c, open[k].c
			da, db := far(a), far(b)
			if da < db || da == db && (a.X < b.X || a.X == b.X && a.Y < b.Y) {
				k = i
			}
		}
		at := open[k]
		open = slices.Delete(open, k, k+1)
		m := middle(int(at.c.X), int(at.c.Y))
		if at.c == start || g.Sees(View{Heights: true}, m, pts[2], at.h, hz[2]) {
			s := 4 * bodyRadius
			for c, list := range w.cells {
				for _, v := range list {
					if float64(v.h) > float64(at.h)+3 && v.h <= 8 {
						du := math.Max(0, math.Max(float64(c.X)/4-m.U, m.U-float64(c.X+1)/4))
						dv := math.Max(0, math.Max(float64(c.Y)/4-m.V, m.V-float64(c.Y+1)/4))
						s = math.Min(s, math.Sqrt(du*du+dv*dv))
					}
				}
			}
			if s > score {
				best, score = m, s
			}
			if s >= 4*bodyRadius {
				break
			}
		}
		for _, d := range []Cell{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			c := Cell{at.c.X + d.X, at.c.Y + d.Y}
			if seen[c] || far(c) > 8*bodyRadius {
				continue
			}
			seen[c] = true
			if h, ok := near(c, at.h); ok {
				open = append(open, node{c, h})
			}
		}
	}
	return best
}

// TestStraighter leaves out corners that lead nowhere else, and keeps those that
// lead round something or to wider ground.
func TestStraighter(t *testing.T) {
	flat := func() *testWorld {
		w := newWorld()
		w.floor(0, 0, 40, 20, 0)
		return w
	}
	line := []Point{middle(10, 10), middle(8, 10), middle(20, 10)}
	for name, c := range map[string]struct {
		change func(w *testWorld)
		line   []Point
		want   bool
	}{
		"back and forth": {func(w *testWorld) {}, line, true},
		"aside":          {func(w *testWorld) {}, []Point{middle(10, 10), middle(15, 14), middle(20, 10)}, true},
		"round a wall":   {func(w *testWorld) { w.walls = append(w.walls, Segment{3.8, 2, 3.8, 3, 0, 0}) }, []Point{middle(10, 10), middle(15, 14), middle(20, 10)}, false},
		"round a hole": {func(w *testWorld) {
			for y := 9; y <= 11; y++ {
				delete(w.cells, Cell{15, int32(y)})
				delete(w.cells, Cell{16, int32(y)})
			}
		}, []Point{middle(10, 10), middle(15, 14), middle(20, 10)}, false},
		"to wider ground": {func(w *testWorld) { w.cells[Cell{15, 10}][0].clr = 4 }, []Point{middle(10, 10), middle(15, 14), middle(20, 10)}, false},
		"to hardly wider": {func(w *testWorld) {
			for _, c := range w.cells {
				c[0].clr = 25 // 5 cells
			}
			w.cells[Cell{15, 10}][0].clr = 21 // 4.58 cells
		}, []Point{middle(10, 10), middle(15, 14), middle(20, 10)}, true},
		"to a little wider": {func(w *testWorld) {
			for _, c := range w.cells {
				c[0].clr = 25
			}
			w.cells[Cell{15, 10}][0].clr = 20 // 4.47 cells
		}, []Point{middle(10, 10), middle(15, 14), middle(20, 10)}, false},
	} {
		w := flat()
		c.change(w)
		g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30})
		if got := g.Straighter(c.line, []float32{0, 0, 0}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
