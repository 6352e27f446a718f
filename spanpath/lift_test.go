package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

func TestSegmentsCross(t *testing.T) {
	for _, c := range []struct {
		p, q, r, s Point
		want       bool
	}{
		{Point{0, 0}, Point{2, 2}, Point{0, 2}, Point{2, 0}, true},
		{Point{0, 0}, Point{2, 0}, Point{1, 0}, Point{1, 2}, true},
		{Point{0, 0}, Point{2, 0}, Point{1, 0}, Point{1, -2}, false},
		{Point{0, 0}, Point{2, 0}, Point{1, 0}, Point{3, 0}, false},
	} {
		if got := segmentsCross(c.p, c.q, c.r, c.s); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
}

// TestLiftToTheMiddle lifts a corner of a line near a wall in a field of nine by
// five cells whose clearance grows by a cell a row.
func TestLiftToTheMiddle(t *testing.T) {
	world := func() *testWorld {
		w := newWorld()
		for y := range 5 {
			for x := range 9 {
				w.put(x, y, cellSpan{clr: uint16(y * y)})
			}
		}
		for x := range 9 { // a clearance of 0 means the cap in test worlds
			w.cells[Cell{int32(x), 0}][0].clr = 1
			w.cells[Cell{int32(x), 1}][0].clr = 1
		}
		return w
	}
	clip := spangrid.Window{GX: 0, GY: 0, NX: 9, NY: 5}
	lift := func(w *testWorld) ([]Point, []Move) {
		pts := []Point{middle(0, 1), middle(4, 1), middle(8, 1)}
		clear(w.pages)
		return pts, w.ground(t, clip).Lift(nil, pts, 0, View{Walls: true, Bans: true, Heights: true})
	}
	pts, moves := lift(world())
	if want := (Point{1.125, 0.875}); pts[1] != want || len(moves) != 1 || moves[0] != (Move{1, middle(4, 1), 0.5}) {
		t.Errorf("lifted to %v, %v, want %v", pts[1], moves, want)
	}
	// A facade in the way of the first candidate, (4,3), leaves those in row 2,
	// from the first to the last.
	w := world()
	w.cells[Cell{3, 3}][0].seg = 1
	if pts, _ := lift(w); pts[1] != middle(3, 2) {
		t.Errorf("lifted to %v, over a facade", pts[1])
	}
	w.cells[Cell{3, 2}][0].clr = 1
	if pts, _ := lift(w); pts[1] != middle(4, 2) {
		t.Errorf("lifted to %v, past a narrow cell", pts[1])
	}
	w.cells[Cell{4, 2}][0].clr = 1
	if pts, _ := lift(w); pts[1] != middle(5, 2) {
		t.Errorf("lifted to %v, past two narrow cells", pts[1])
	}
	// Where the surfaces end, nothing moves.
	w = world()
	w.cells[Cell{2, 1}][0].h = 5
	if pts, moves := lift(w); len(moves) != 0 || pts[1] != middle(4, 1) {
		t.Errorf("lifted to %v over a surface that does not go on", pts[1])
	}
}

// TestLiftKeepsWhatItShould lifts lines in random worlds: of the two chords at a
// corner the one with less clearance never loses any, corners move by two cells at
// most, and other windows give the same.
func TestLiftKeepsWhatItShould(t *testing.T) {
	lifted := 0
	for n := range worlds(50) {
		rnd := rand.New(rand.NewPCG(uint64(n), 31))
		w, win := randomWorld(rnd)
		g := w.ground(t, win)
		path, heights := randomWalk(rnd, g, 30)
		v := View{Walls: true, Bans: true, Heights: true}
		var line []Point
		for _, i := range g.Pull(nil, path, heights, v) {
			line = append(line, path[i])
		}
		pts := slices.Clone(line)
		moves := g.Lift(nil, pts, heights[0], v)
		lifted += len(moves)
		before := slices.Clone(line)
		for _, m := range moves {
			i := m.Index
			was := min(g.minClearance(before[i-1], before[i]), g.minClearance(before[i], before[i+1]))
			before[i] = pts[i]
			now := min(g.minClearance(before[i-1], before[i]), g.minClearance(before[i], before[i+1]))
			if now < was {
				t.Fatalf("world %d: corner %d: clearance %d sinks to %d", n, i, was, now)
			}
			if d := distance(m.From, pts[i]); m.From != line[i] || d != m.Distance || d > 0.5 || d == 0 {
				t.Fatalf("world %d: corner %d moved by %v: %+v", n, i, d, m)
			}
			if !g.Sees(View{Walls: true, Bans: true}, before[i-1], before[i], 0, 0) && !g.PassWalls && len(w.walls) == 0 {
				t.Fatalf("world %d: corner %d moved out of sight", n, i)
			}
		}
		for i := range pts {
			if pts[i] != before[i] {
				t.Fatalf("world %d: corner %d moved and nobody says so", n, i)
			}
		}
		other := slices.Clone(line)
		large := w.ground(t, spangrid.Window{GX: 100, GY: 90, NX: 70, NY: 80})
		if got := large.Lift(nil, other, heights[0], v); !slices.Equal(got, moves) && !nearRim(line, win) {
			t.Fatalf("world %d: %v in a larger window, %v in a small one", n, got, moves)
		}
		if h := slices.Clone(heights[:1]); len(line) > 1 {
			for range len(line) - 1 {
				h = append(h, 0)
			}
			for i := range line {
				h[i] = g.nearestSurface(line[i])
			}
			if g.Resettle(h, pts, moves) {
				for _, m := range moves {
					if math.Abs(float64(h[m.Index]-g.nearestSurface(line[m.Index]))) > 1 {
						t.Fatalf("world %d: corner %d has a height of elsewhere", n, m.Index)
					}
				}
			}
		}
	}
	if lifted < 15 {
		t.Errorf("only %d corners were lifted", lifted)
	}
}

func (g *Ground) nearestSurface(p Point) float32 {
	if pg, c := g.at(p.cell()); c >= 0 && len(pg.Table.Heights(c)) > 0 {
		return pg.Table.Heights(c)[0]
	}
	return 0
}

// nearRim reports whether a line comes near the edge of a window.
func nearRim(line []Point, w spangrid.Window) bool {
	for _, p := range line {
		gx, gy := p.cell()
		if min(gx-w.GX, gy-w.GY, w.GX+w.NX-1-gx, w.GY+w.NY-1-gy) < 3 {
			return true
		}
	}
	return false
}

func TestWalkedHeights(t *testing.T) {
	g := stripGround(t, columns([]float32{0}, []float32{0.5, 4}, []float32{1, 4}, []float32{1.5}, []float32{9}))
	pts := []Point{middle(10, 10), middle(12, 10), middle(13, 10)}
	if got, ok := g.WalkedHeights(nil, pts, 0, false); !ok || !slices.Equal(got, []float32{0, 1, 1.5}) {
		t.Errorf("%v, %v", got, ok)
	}
	pts = append(pts, middle(14, 10))
	if got, ok := g.WalkedHeights([]float32{3}, pts, 0, false); ok || len(got) != 1 {
		t.Errorf("up a wall: %v, %v", got, ok)
	}
	if got, ok := g.WalkedHeights(nil, pts, 0, true); !ok || !slices.Equal(got, []float32{0, 1, 1.5, 1.5}) {
		t.Errorf("up a wall in fall mode: %v, %v", got, ok)
	}
}

func TestClearances(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 9, 9, 0)
	w.cells[Cell{9, 4}][0].clr = 16
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 10, NY: 10})
	got := g.Clearances(nil, []Point{{2.3, 1.1}, {50, 1.1}, {2.3, -3}, {math.NaN(), 0}})
	if want := []float32{1, 1, 12, 0}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLiftOnSpike lifts a corner on a slope beside a cell that has most clearance,
// and another surface over the slope which is nearer to the corner's height.
func TestLiftOnSpike(t *testing.T) {
	for _, spike := range []bool{false, true} {
		w := newWorld()
		for y := range 40 {
			for x := range 40 {
				s := cellSpan{h: -0.35 * float32(y-20), clr: 16}
				if x == 20 && y == 22 {
					s.clr = 100
					if spike {
						w.put(x, y, cellSpan{h: 0.3, clr: 100})
					}
				}
				w.put(x, y, s)
			}
		}
		g := w.ground(t, spangrid.Window{NX: 40, NY: 40})
		pts := []Point{middle(5, 20), middle(20, 20), middle(35, 20)}
		heights := []float32{0, 0, 0}
		moves := g.LiftOn(nil, pts, heights, View{Walls: true, Bans: true, Heights: true})
		if !spike && (len(moves) != 1 || pts[1] != middle(20, 22) || heights[1] != -0.35*2) {
			t.Errorf("the corner went to %v at %v", pts[1], heights[1])
		}
		if spike && heights[1] > 0 {
			t.Errorf("the corner went up to %v at %v", pts[1], heights[1])
		}
	}
}
