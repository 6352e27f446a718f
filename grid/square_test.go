package grid_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"wend/grid"
)

// fitsSquare looks at every cell of a square.
func fitsSquare(g grid.Ground, at grid.Cell, side int32) bool {
	back := (side - 1) / 2
	for y := range side {
		for x := range side {
			if !g.Passable(grid.Cell{X: at.X - back + x, Y: at.Y - back + y}) {
				return false
			}
		}
	}
	return true
}

// squareSteps is oracleSteps for a square: a step is allowed where the square
// fits at every twentieth of it, which is looked up cell by cell.
func squareSteps(g grid.Ground, at grid.Cell, side int32) (out []grid.Cell) {
	back := float64((side - 1) / 2)
	for dy := int32(-1); dy <= 1; dy++ {
		for dx := int32(-1); dx <= 1; dx++ {
			free := dx != 0 || dy != 0
			for k := 0; k <= 20 && free; k++ {
				x := float64(at.X) - back + float64(dx)*float64(k)/20
				y := float64(at.Y) - back + float64(dy)*float64(k)/20
				for cy := math.Floor(y + 1e-9); cy < y+float64(side)-1e-9; cy++ {
					for cx := math.Floor(x + 1e-9); cx < x+float64(side)-1e-9; cx++ {
						free = free && g.Passable(grid.Cell{X: int32(cx), Y: int32(cy)})
					}
				}
			}
			if free {
				out = append(out, grid.Cell{X: at.X + dx, Y: at.Y + dy})
			}
		}
	}
	return out
}

// squareOracle is Dijkstra's search with squareSteps.
func squareOracle(g grid.Ground, from grid.Cell, side int32) map[grid.Cell]float64 {
	dist := map[grid.Cell]float64{}
	if !fitsSquare(g, from, side) {
		return dist
	}
	dist[from] = 0
	for open := []grid.Cell{from}; len(open) > 0; {
		c := open[0]
		open = open[1:]
		for _, n := range squareSteps(g, c, side) {
			cost := dist[c] + math.Hypot(float64(n.X-c.X), float64(n.Y-c.Y))
			if old, ok := dist[n]; !ok || cost < old-1e-9 {
				dist[n] = cost
				open = append(open, n)
			}
		}
	}
	return dist
}

// segmentMeetsBox reports whether the segment has a point inside the open box,
// all in units of which coordinates are whole numbers: exact.
func segmentMeetsBox(px, py, qx, qy, x0, y0, x1, y1 int64) bool {
	// Clip the parameter t of p + t*(q-p) to (lo, hi), fractions as pairs.
	type frac struct{ n, d int64 } // d > 0
	less := func(a, b frac) bool { return a.n*b.d < b.n*a.d }
	lo, hi := frac{0, 1}, frac{1, 1}
	for _, s := range [2][4]int64{{px, qx - px, x0, x1}, {py, qy - py, y0, y1}} {
		at, d, a, b := s[0], s[1], s[2], s[3]
		if d == 0 {
			if at <= a || at >= b {
				return false
			}
			continue
		}
		in, out := frac{a - at, d}, frac{b - at, d}
		if d < 0 {
			in, out = frac{at - b, -d}, frac{at - a, -d}
		}
		if less(lo, in) {
			lo = in
		}
		if less(out, hi) {
			hi = out
		}
	}
	// A point of [0, 1] strictly between; at one place alone only if p = q.
	return less(lo, hi) || px == qx && py == qy
}

// TestSquare: squares find what Dijkstra finds that looks at every cell under
// them on every twentieth of a step, by every algorithm for steps; and their
// pulled lines, in whole quarters of cells, meet no blocked cell.
func TestSquare(t *testing.T) {
	rnd := rand.New(rand.NewPCG(33, 2))
	q := grid.NewQuery()
	found, pulled := 0, 0
	rounds := 40
	if os.Getenv("WEND_LONG") != "" {
		rounds = 600
	}
	for round := range rounds {
		side := int32(1 + round%5)
		w, h := 4+rnd.IntN(18), 4+rnd.IntN(18)
		m := openMap(t, w, h)
		for range w * h / (10 + 8*int(side)) {
			must(m.SetPassable(randomCell(rnd, m), false))
		}
		b, err := grid.NewSquare(m, int(side))
		must(err)
		for y := range int32(h) {
			for x := range int32(w) {
				at := grid.Cell{X: x, Y: y}
				if got, want := b.Room().Passable(at), fitsSquare(m, at, side); got != want {
					t.Fatalf("side %d at %v: room %v, want %v\n%s", side, at, got, want, draw(m))
				}
			}
		}
		from := randomCell(rnd, m)
		dist := squareOracle(m, from, side)
		table := newTable(t, b.Room(), grid.Moves{})
		for range 6 {
			to := randomCell(rnd, m)
			want, ok := dist[to]
			for _, a := range stepAlgorithms {
				r, err := b.Find(t.Context(), q, from, to, &grid.Options{Algorithm: a, Jumps: table})
				must(err)
				if ok != (r.Status == grid.Complete) || ok && math.Abs(r.Cost-want) > 1e-6 {
					t.Fatalf("side %d %v-%v by %v: %v, cost %v, want %v %v\n%s", side, from, to, a, r.Status, r.Cost, ok, want, draw(m))
				}
				if !ok {
					continue
				}
				found++
				for _, guard := range []float64{0, 0.25} {
					points, err := b.Pull(r.Path, guard)
					must(err)
					pulled += len(r.Path) - len(points)
					if points[0] != b.Middle(from) || points[len(points)-1] != b.Middle(to) {
						t.Fatalf("pulled %v for %v-%v", points, from, to)
					}
					for i := 1; i < len(points); i++ {
						s, e := points[i-1], points[i]
						for y := int32(-1); y <= int32(h); y++ {
							for x := int32(-1); x <= int32(w); x++ {
								if m.Passable(grid.Cell{X: x, Y: y}) {
									continue
								}
								grow := 2 * int64(side) // half a side, in quarters
								if segmentMeetsBox(int64(4*s.X), int64(4*s.Y), int64(4*e.X), int64(4*e.Y),
									4*int64(x)-grow, 4*int64(y)-grow, 4*int64(x)+4+grow, 4*int64(y)+4+grow) {
									t.Fatalf("side %d, guard %v: %v to %v meets cell (%d,%d)\n%s", side, guard, s, e, x, y, draw(m))
								}
							}
						}
					}
				}
			}
		}
	}
	if found < 80 || pulled < 200 {
		t.Errorf("%d ways, %d points saved: too few to tell", found, pulled)
	}
}

// TestSquareSees: what Sees says of lines between any two cells is exact.
func TestSquareSees(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 33))
	yes, no := 0, 0
	for round := range 60 {
		m := randomMap(rnd, 14, false)
		side := int64(1 + round%4)
		b, err := grid.NewSquare(m, int(side))
		must(err)
		w, h := m.Size()
		for range 40 {
			p, q := b.Middle(randomCell(rnd, m)), b.Middle(randomCell(rnd, m))
			guard := int64(rnd.IntN(3)) // quarters
			want := true
			grow := 2*side + guard
			for y := range int64(h + 2) {
				for x := range int64(w + 2) {
					x, y := x-1, y-1
					if m.Passable(grid.Cell{X: int32(x), Y: int32(y)}) {
						continue
					}
					x0, y0, x1, y1 := 4*x-grow, 4*y-grow, 4*x+4+grow, 4*y+4+grow
					if x < 0 { // beyond the edge is blocked as far as one looks
						x0 = -1 << 20
					} else if x == int64(w) {
						x1 = 1 << 20
					}
					if y < 0 {
						y0 = -1 << 20
					} else if y == int64(h) {
						y1 = 1 << 20
					}
					want = want && !segmentMeetsBox(int64(4*p.X), int64(4*p.Y), int64(4*q.X), int64(4*q.Y), x0, y0, x1, y1)
				}
			}
			if got := b.Sees(p, q, float64(guard)/4); got != want {
				t.Fatalf("side %d, guard %d/4: %v sees %v: %v, want %v\n%s", side, guard, p, q, got, want, draw(m))
			}
			if want {
				yes++
			} else {
				no++
			}
		}
	}
	if yes < 100 || no < 100 {
		t.Errorf("%d seen, %d not: too few to tell", yes, no)
	}
}

// TestPointBody: a body of radius 0 sees what steps of a point could walk: no
// blocked cell is crossed and no corner touched.
func TestPointBody(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 33))
	yes := 0
	for range 60 {
		m := randomMap(rnd, 14, false)
		b, err := grid.NewBody(m, 0)
		must(err)
		for range 40 {
			p, q := randomCell(rnd, m), randomCell(rnd, m)
			if !m.Passable(p) || !m.Passable(q) {
				continue
			}
			want := grid.LineOfSight(m, p, q, grid.Never)
			if got := b.Sees(b.Middle(p), b.Middle(q), 0); got != want {
				t.Fatalf("%v sees %v: %v, line of sight %v\n%s", p, q, got, want, draw(m))
			}
			if want {
				yes++
			}
		}
	}
	if yes < 100 {
		t.Errorf("%d seen: too few to tell", yes)
	}
}

// TestSquareGaps: a unit of two does not pass a gap of one, and takes the
// farther gap of two.
func TestSquareGaps(t *testing.T) {
	wall := func(gaps ...int32) *grid.Map {
		m := openMap(t, 12, 7)
		for y := range int32(7) {
			must(m.SetPassable(grid.Cell{X: 5, Y: y}, false))
		}
		for _, y := range gaps {
			must(m.SetPassable(grid.Cell{X: 5, Y: y}, true))
		}
		return m
	}
	q := grid.NewQuery()
	for _, c := range []struct {
		gaps     []int32
		y        int32
		side     int
		want     grid.Status
		cost     float64
		squeezed int // narrow stretches
	}{
		{[]int32{3}, 3, 1, grid.Complete, 8, 0},
		{[]int32{3}, 3, 2, grid.Unreachable, 0, 1},
		{[]int32{0, 3, 4}, 0, 1, grid.Complete, 8, 0},
		{[]int32{0, 3, 4}, 0, 2, grid.Complete, 4 + 5*math.Sqrt2, 0},
		{[]int32{0, 3, 4}, 0, 3, grid.StartBlocked, 0, 3}, // start, gap and goal
		{[]int32{3}, 3, 8, grid.StartBlocked, 0, 1},       // larger than the map
	} {
		m := wall(c.gaps...)
		b, err := grid.NewSquare(m, c.side)
		must(err)
		from, to := grid.Cell{X: 1, Y: c.y}, grid.Cell{X: 9, Y: c.y}
		r, err := b.Find(t.Context(), q, from, to, nil)
		must(err)
		if r.Status != c.want || math.Abs(r.Cost-c.cost) > 1e-9 {
			t.Errorf("side %d, gaps %v: %v, cost %v; want %v, %v", c.side, c.gaps, r.Status, r.Cost, c.want, c.cost)
		}
		s, err := b.Squeeze(t.Context(), q, from, to, nil)
		must(err)
		if s.Status != grid.Complete || len(s.Narrow) != c.squeezed {
			t.Errorf("side %d, gaps %v: squeezed %v, narrow %v", c.side, c.gaps, s.Status, s.Narrow)
		}
	}
	for _, side := range []int{0, -1, 65} {
		if _, err := grid.NewSquare(wall(), side); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("side %d: %v", side, err)
		}
	}
	if _, err := grid.NewSquare(nil, 1); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("no ground: %v", err)
	}
}

// TestSqueezeReplaces: of two walls the first has a wide gap beside the narrow
// one, the second has not: the way goes round through the wide gap, says where,
// and is narrow in the second wall alone.
func TestSqueezeReplaces(t *testing.T) {
	m, err := grid.Parse(
		"....#....#....",
		"....#....#....",
		"..............",
		"....#....#....",
		"....#....#....",
		".........#....",
		".........#....",
		".........#....",
		"....#....#....",
	)
	must(err)
	q := grid.NewQuery()
	for _, body := range []func() (*grid.Body, error){
		func() (*grid.Body, error) { return grid.NewSquare(m, 2) },
		func() (*grid.Body, error) { return grid.NewBody(m, 0.6) },
	} {
		b, err := body()
		must(err)
		from, to := grid.Cell{X: 1, Y: 2}, grid.Cell{X: 12, Y: 2}
		r, err := b.Squeeze(t.Context(), q, from, to, &grid.Options{Algorithm: grid.JPSPlus, Jumps: newTable(t, b.Room(), grid.Moves{})})
		must(err)
		n := grid.Walkable(m, r.Path, grid.Moves{})
		if r.Status != grid.Complete || len(r.Narrow) != 1 || len(r.Replaced) != 1 || n != len(r.Path) || m.PathCost(r.Path, grid.Moves{}) != r.Cost {
			t.Fatalf("%v, narrow %v, replaced %v, %d of %d steps walkable", r.Status, r.Narrow, r.Replaced, n, len(r.Path))
		}
		if !b.Stale() {
			must(m.SetPassable(grid.Cell{}, false))
			if !b.Stale() {
				t.Error("not stale after an edit")
			}
			must(m.SetPassable(grid.Cell{}, true))
		}
		through := false
		for _, c := range r.Path[r.Replaced[0][0]:r.Replaced[0][1]] {
			if !b.Room().Passable(c) {
				t.Errorf("no room at %v of the detour", c)
			}
			through = through || c.X == 4 && c.Y >= 5
		}
		if !through {
			t.Errorf("the detour %v of %v misses the wide gap", r.Replaced, r.Path)
		}
		for i, c := range r.Path {
			if inside := i >= r.Narrow[0][0] && i < r.Narrow[0][1]; !inside && !b.Room().Passable(c) {
				t.Errorf("no room at %v, but not in %v", c, r.Narrow)
			}
		}
	}
}

// TestSqueezeKeepsRoom: between two gates that are too narrow, the way goes
// through the middle of the street, though along the walls is shorter.
func TestSqueezeKeepsRoom(t *testing.T) {
	m, err := grid.Parse(
		".....@........@.....",
		".....@........@.....",
		".....@........@.....",
		"..............@.....",
		".....@@@@@@@@.@.....",
		".....@......@.@.....",
		".....@........@.....",
		"@@@@@@@@@@@@@.@@@@@@",
		"....................",
		"....................",
		"....................",
	)
	must(err)
	b, err := grid.NewSquare(m, 3)
	must(err)
	r, err := b.Squeeze(t.Context(), grid.NewQuery(), grid.Cell{X: 2, Y: 2}, grid.Cell{X: 6, Y: 9}, nil)
	must(err)
	if r.Status != grid.Complete || grid.Walkable(m, r.Path, grid.Moves{}) != len(r.Path) || len(r.Narrow) != 2 || len(r.Replaced) != 1 {
		t.Fatalf("%v, narrow %v, replaced %v", r.Status, r.Narrow, r.Replaced)
	}
	room := 0
	for i := r.Narrow[0][1]; i < r.Narrow[1][0]; i++ {
		if !b.Room().Passable(r.Path[i]) {
			t.Errorf("no room at %v between the gates", r.Path[i])
		}
		room++
	}
	if room < 4 {
		t.Errorf("%d cells with room between the gates: %v", room, r.Path)
	}
	raw, err := grid.NewQuery().Find(t.Context(), m, grid.Cell{X: 2, Y: 2}, grid.Cell{X: 6, Y: 9}, nil)
	must(err)
	if r.Cost < raw.Cost {
		t.Errorf("cost %v, the least is %v", r.Cost, raw.Cost)
	}

	// An edit does not show until there is a new body.
	must(m.Fill(grid.Cell{X: 13, Y: 7}, grid.Cell{X: 13, Y: 7}, false))
	again, err := b.Squeeze(t.Context(), grid.NewQuery(), grid.Cell{X: 2, Y: 2}, grid.Cell{X: 6, Y: 9}, nil)
	must(err)
	if again.Cost != r.Cost || again.Version != r.Version || !b.Stale() {
		t.Errorf("after an edit: cost %v, before %v; stale %v", again.Cost, r.Cost, b.Stale())
	}
}
