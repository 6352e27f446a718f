package spanpath

import (
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

// TestCrossing has the verdicts about chords and blockers at the limits.
func TestCrossing(t *testing.T) {
	for _, c := range []struct {
		q, a, b [2]float64 // the chord begins at the origin
		want    bool
	}{
		{[2]float64{1, 1}, [2]float64{0.25, 0.25}, [2]float64{0.5, 0.25}, true}, // corners are closed
		{[2]float64{1, 1}, [2]float64{0.5, 0.25}, [2]float64{0.5, 0.5}, true},
		{[2]float64{1, 0}, [2]float64{1, -1}, [2]float64{1, 1}, false}, // ends of the chord are open
		{[2]float64{1, 0}, [2]float64{0.5, 0}, [2]float64{0.75, 0}, false},
		{[2]float64{1, 0}, [2]float64{0.5, 0}, [2]float64{0.5, 1}, true},
		{[2]float64{1, 0}, [2]float64{0.5, 5e-8}, [2]float64{0.5, 1}, true},
		{[2]float64{1, 0}, [2]float64{0.5, 2e-7}, [2]float64{0.5, 1}, false},
	} {
		if _, _, ok := crossing([2]float64{}, c.q, c.a, c.b); ok != c.want {
			t.Errorf("chord to %v, wall from %v to %v: %v", c.q, c.a, c.b, ok)
		}
	}
}

// TestSampledCells takes away cells of a mask one by one: those that the chord
// has samples in are missed, and those that it only touches are not.
func TestSampledCells(t *testing.T) {
	on := []Cell{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {6, 3}, {6, 4}, {7, 4}}
	p, q := Point{0.125, 0.125}, Point{1.875, 1.125}
	for y := range int32(5) {
		for x := range int32(8) {
			w := newWorld()
			w.floor(0, 0, 7, 4, 0)
			delete(w.cells, Cell{x, y})
			g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 8, NY: 5})
			if got, want := g.Sees(View{Need: MarkWalk}, p, q, 0, 0), !slices.Contains(on, Cell{x, y}); got != want {
				t.Errorf("without (%d, %d): sees %v", x, y, got)
			}
		}
	}
}

// TestPullTakesTheFarthest pulls a line whose points see each other only where
// they should: from 0 to 4 and from 5 to 9.
func TestPullTakesTheFarthest(t *testing.T) {
	// Two corridors side by side: one there, one back.
	w := newWorld()
	w.floor(0, 10, 4, 10, 0)
	w.floor(0, 12, 4, 12, 0)
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 20, NY: 20})
	var pts []Point
	var h []float32
	for i := range 10 {
		pts = append(pts, middle(min(i, 9-i), 10+i/5*2))
		h = append(h, 0)
	}
	v := View{Need: MarkWalk, Walls: true, Bans: true, Heights: true}
	if got, want := g.Pull(nil, pts, h, v), []int{0, 4, 5, 9}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := g.Pull(nil, pts, nil, v); !slices.Equal(got, []int{0, 4, 5, 9}) {
		t.Errorf("without heights: %v", got)
	}
	if got := g.Pull(nil, pts[:1], h, v); !slices.Equal(got, []int{0}) {
		t.Errorf("of one point: %v", got)
	}
	if got := g.Pull(nil, nil, nil, v); got != nil {
		t.Errorf("of none: %v", got)
	}
}

// randomWalk is a way from cell to neighbouring cell over the lower storey.
func randomWalk(rnd *rand.Rand, g *Ground, n int) (pts []Point, heights []float32) {
	gx, gy := 112+rnd.IntN(30), 114+rnd.IntN(26)
	dx, dy := 1, 0
	for len(pts) < n {
		if rnd.IntN(3) == 0 {
			dx, dy = rnd.IntN(3)-1, rnd.IntN(3)-1
		}
		if x, y := gx+dx, gy+dy; (dx != 0 || dy != 0) && g.Clip.Has(x, y) {
			gx, gy = x, y
			pts = append(pts, middle(gx, gy))
			p, c := g.at(gx, gy)
			h := float32(0)
			if c >= 0 {
				if list := p.Table.Heights(c); len(list) > 0 {
					h = list[0]
				}
			}
			heights = append(heights, h)
			continue
		}
		dx, dy = rnd.IntN(3)-1, rnd.IntN(3)-1
	}
	return pts, heights
}

// TestPullIsDone pulls what was pulled: nothing goes. Every chord is in sight or
// a step, and another window sees the same.
func TestPullIsDone(t *testing.T) {
	shorter := 0
	n := worlds(30)
	for n := range n {
		rnd := rand.New(rand.NewPCG(uint64(n), 21))
		w, win := randomWorld(rnd)
		g := w.ground(t, win)
		pts, heights := randomWalk(rnd, g, 40)
		v := testViews[7]
		keep := g.Pull(nil, pts, heights, v)
		var p2 []Point
		var h2 []float32
		for k, i := range keep {
			p2, h2 = append(p2, pts[i]), append(h2, heights[i])
			if k > 0 && keep[k-1]+1 < i && !g.Sees(v, pts[keep[k-1]], pts[i], heights[keep[k-1]], heights[i]) {
				t.Fatalf("world %d: %d and %d do not see each other", n, keep[k-1], i)
			}
		}
		if again := g.Pull(nil, p2, h2, v); len(again) != len(p2) {
			t.Fatalf("world %d: of %d points %d stay", n, len(p2), len(again))
		}
		if len(keep) < len(pts) {
			shorter++
		}
		large := w.ground(t, spangrid.Window{GX: 90, GY: 80, NX: 90, NY: 120})
		if got := large.Pull(nil, pts, heights, v); !slices.Equal(got, keep) {
			t.Fatalf("world %d: %v in a larger window, %v in a small one", n, got, keep)
		}
	}
	if shorter < n/2 {
		t.Errorf("only %d of %d lines became shorter", shorter, n)
	}
}

func TestSplice(t *testing.T) {
	s, e := Point{0, 0}, Point{10, 0}
	for _, c := range []struct {
		name     string
		in, want []Point
		straight bool
	}{
		{"nothing between", nil, []Point{s, e}, true},
		{"near the ends", []Point{{0.3, 0.2}, {0.4, 0}, {0.41, 1}, {9.7, 0.2}}, []Point{s, {0.41, 1}, e}, true},
		{"twice the same", []Point{{3, 1}, {3, 1}, {3, 1 + 1e-10}, {4, 2}, {5, 1}}, []Point{s, {3, 1}, {4, 2}, {5, 1}, e}, true},
		{"straight", []Point{{3, 0}, {5, 0}, {7, 1}}, []Point{s, {5, 0}, {7, 1}, e}, true},
		{"straight points of a path stay", []Point{{3, 0}, {5, 0}}, []Point{s, {3, 0}, {5, 0}, e}, false},
		{"there and back", []Point{{8, 0}, {3, 0}}, []Point{s, e}, true},
		{"nearly straight", []Point{{5, 1e-10}}, []Point{s, e}, true},
		{"not quite straight", []Point{{5, 1e-7}}, []Point{s, {5, 1e-7}, e}, true},
	} {
		if got := Splice(nil, s, c.in, e, c.straight); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := Splice(nil, s, []Point{{0, 1}}, s, true); !slices.Equal(got, []Point{s, {0, 1}, s}) {
		t.Errorf("a loop: %v", got)
	}
	if got := Splice([]Point{{9, 9}}, s, nil, s, true); !slices.Equal(got, []Point{{9, 9}, s}) {
		t.Errorf("no way at all: %v", got)
	}
}

func TestSearchHeights(t *testing.T) {
	a, b, c := Point{1, 1}, Point{2, 1}, Point{3, 1}
	pts := []Point{a, b, c, b, a}
	h := []float32{0, 1, 2, 3, 4}
	got, ok := SearchHeights(nil, []Point{{0, 0}, b, b, {9, 9}}, pts, h)
	if want := []float32{0, 1, 1, 4}; !ok || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, ok, want)
	}
	got, ok = SearchHeights(nil, []Point{{0, 0}, c, b, {9, 9}}, pts, h)
	if want := []float32{0, 2, 3, 4}; !ok || !slices.Equal(got, want) {
		t.Errorf("a second pass: %v, %v, want %v", got, ok, want)
	}
	if got, ok := SearchHeights([]float32{7}, []Point{{0, 0}, c, c, a, c, {9, 9}}, pts, h); ok || len(got) != 1 {
		t.Errorf("a point that is not there: %v, %v", got, ok)
	}
}

// benchPath is a winding path of about a thousand cells.
func benchPath(b testing.TB) (g *Ground, pts []Point, h []float32) {
	w := newWorld()
	w.floor(0, 0, 700, 180, 0)
	for i := range 7 { // walls of holes that the path winds around
		for y := range 120 {
			for x := range 3 {
				delete(w.cells, Cell{int32(80 + 80*i + x), int32(y + 60*(i%2))})
			}
		}
	}
	g = w.ground(b, spangrid.Window{GX: 0, GY: 0, NX: 701, NY: 181})
	for x, y := 20, 90; x < 640; {
		pts, h = append(pts, middle(x, y)), append(h, 0)
		to := 130
		if (x+40)/80%2 == 0 {
			to = 50
		}
		switch at := (x + 3) % 80; {
		case at <= 8 && y != to && x > 60: // before and in a gap
			y += sign(to - y)
			x += b2i(at == 0)
		default:
			x++
			y += sign(to - y)
		}
	}
	return g, pts, h
}

func BenchmarkPull(b *testing.B) {
	g, pts, h := benchPath(b)
	v := View{Need: MarkWalk, Walls: true, Bans: true, Heights: true}
	b.ReportAllocs()
	var keep []int
	for b.Loop() {
		keep = g.Pull(keep[:0], pts, h, v)
	}
	b.ReportMetric(float64(len(pts)), "points")
	b.ReportMetric(float64(len(keep)), "kept")
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
