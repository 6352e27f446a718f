package grid_test

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"wend/grid"
)

// The oracle of the any-angle searches: the visibility graph of all corner
// points and both ends, made and searched without any shortcut. Coordinates are
// doubled: corners even, middles odd.

type spot struct {
	x, y int32
	// side is, for a corner between two diagonally opposite blocked cells, the
	// free cell it is looked at from: nobody gets from one to the other there.
	side grid.Cell
}

func clear1(g grid.Ground, x, y int32) bool { return g.Passable(grid.Cell{X: x, Y: y}) }

// pinched reports whether a corner lies between two blocked cells that touch
// there only, and two free ones likewise.
func pinched(g grid.Ground, x, y int32) bool {
	if x&1 == 1 || y&1 == 1 {
		return false
	}
	nw, ne, sw, se := clear1(g, x/2-1, y/2-1), clear1(g, x/2, y/2-1), clear1(g, x/2-1, y/2), clear1(g, x/2, y/2)
	return nw && se && !ne && !sw || ne && sw && !nw && !se
}

// walkable reports whether the segment keeps to free cells and their edges.
func walkable(g grid.Ground, a, b spot) bool {
	dx, dy := int64(b.x-a.x), int64(b.y-a.y)
	// Places where it meets the lines between cells, as fractions of dx*dy.
	var cuts []float64
	for x := min(a.x, b.x); x <= max(a.x, b.x); x++ {
		if x&1 == 0 && dx != 0 {
			cuts = append(cuts, float64(int64(x-a.x))/float64(dx))
		}
	}
	for y := min(a.y, b.y); y <= max(a.y, b.y); y++ {
		if y&1 == 0 && dy != 0 {
			cuts = append(cuts, float64(int64(y-a.y))/float64(dy))
		}
		if dx != 0 { // corner points on the way
			if num := int64(y-a.y) * dx; y&1 == 0 && dy != 0 && num%dy == 0 {
				x := a.x + int32(num/dy)
				if (x != a.x || y != a.y) && (x != b.x || y != b.y) && pinched(g, x, y) {
					return false
				}
			}
		}
	}
	if dy == 0 && a.y&1 == 0 || dx == 0 && a.x&1 == 0 { // along a line
		for t := int64(1); t < max(abs(dx), abs(dy)); t++ {
			x, y := a.x+int32(t*sgn(dx)), a.y+int32(t*sgn(dy))
			if pinched(g, x, y) {
				return false
			}
			if x&1 == 1 && !clear1(g, x/2, y/2) && !clear1(g, x/2, y/2-1) {
				return false
			}
			if y&1 == 1 && !clear1(g, x/2, y/2) && !clear1(g, x/2-1, y/2) {
				return false
			}
		}
		return true
	}
	cuts = append(cuts, 0, 1)
	for _, s := range cuts { // the middle of every piece lies inside one cell
		next := 2.0
		for _, t := range cuts {
			if t > s+1e-9 && t < next {
				next = t
			}
		}
		if next > 1 {
			continue
		}
		m := (s + next) / 2
		x, y := (float64(a.x)+m*float64(dx))/2, (float64(a.y)+m*float64(dy))/2
		if !clear1(g, int32(math.Floor(x)), int32(math.Floor(y))) {
			return false
		}
	}
	return true
}

func abs(v int64) int64 { return max(v, -v) }

func sgn(v int64) int64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

// onSide reports whether the segment from s to t leaves s into its side.
func onSide(s, t spot, g grid.Ground) bool {
	if !pinched(g, s.x, s.y) {
		return true
	}
	cx, cy := 2*s.side.X+1-s.x, 2*s.side.Y+1-s.y // +-1 each
	return (t.x-s.x)*cx >= 0 && (t.y-s.y)*cy >= 0
}

func shortest(g grid.Ground, from, to grid.Cell) float64 {
	if from == to {
		return 0
	}
	w, h := g.Size()
	spots := []spot{{x: 2*from.X + 1, y: 2*from.Y + 1}, {x: 2*to.X + 1, y: 2*to.Y + 1}}
	for y := range int32(h + 1) {
		for x := range int32(w + 1) {
			if !pinched(g, 2*x, 2*y) {
				spots = append(spots, spot{x: 2 * x, y: 2 * y})
				continue
			}
			for _, c := range []grid.Cell{{X: x - 1, Y: y - 1}, {X: x, Y: y - 1}, {X: x - 1, Y: y}, {X: x, Y: y}} {
				if g.Passable(c) {
					spots = append(spots, spot{2 * x, 2 * y, c})
				}
			}
		}
	}
	dist := make([]float64, len(spots))
	done := make([]bool, len(spots))
	for i := range dist {
		dist[i] = math.Inf(1)
	}
	dist[0] = 0
	for {
		at := -1
		for i := range spots {
			if !done[i] && !math.IsInf(dist[i], 1) && (at < 0 || dist[i] < dist[at]) {
				at = i
			}
		}
		if at < 0 || at == 1 {
			return dist[1]
		}
		done[at] = true
		for i, s := range spots {
			d := dist[at] + math.Hypot(float64(s.x-spots[at].x), float64(s.y-spots[at].y))/2
			same := s.x == spots[at].x && s.y == spots[at].y // two sides of one corner
			if d < dist[i] && !same && onSide(spots[at], s, g) && onSide(s, spots[at], g) && walkable(g, spots[at], s) {
				dist[i] = d
			}
		}
	}
}

// TestAnyaIsExact: Anya equals the visibility graph, and neither Theta* nor a
// search by steps beats it.
func TestAnyaIsExact(t *testing.T) {
	maps := 100
	if os.Getenv("WEND_LONG") != "" {
		maps = 2000
	}
	rnd := rand.New(rand.NewPCG(12, 13))
	q := grid.NewQuery()
	var r, other grid.Result
	for i := range maps {
		m := randomMap(rnd, 12, false)
		for range 3 {
			from, to := randomCell(rnd, m), randomCell(rnd, m)
			if !m.Passable(from) || !m.Passable(to) {
				continue
			}
			want := shortest(m, from, to)
			find(t, q, &r, m, from, to, &grid.Options{Algorithm: grid.Anya, Moves: grid.Moves{Corners: grid.OneFree}})
			if math.IsInf(want, 1) {
				if r.Status != grid.Unreachable {
					t.Fatalf("map %d %v-%v: %v, cost %v; there is no route", i, from, to, r.Status, r.Cost)
				}
				continue
			}
			if r.Status != grid.Complete || math.Abs(r.Cost-want) > 1e-9 {
				t.Fatalf("map %d %v-%v: %v, cost %v, want %v, points %v\n%s", i, from, to, r.Status, r.Cost, want, r.Points, draw(m))
			}
			checkPoints(t, m, &r, from, to)
			for _, o := range []grid.Options{
				{Algorithm: grid.Theta, Moves: grid.Moves{Corners: grid.OneFree}},
				{Algorithm: grid.LazyTheta, Moves: grid.Moves{Corners: grid.OneFree}},
				{Algorithm: grid.Theta},
				{Algorithm: grid.LazyTheta},
				{Moves: grid.Moves{Corners: grid.OneFree}},
			} {
				find(t, q, &other, m, from, to, &o)
				if other.Status == grid.Complete && other.Cost < want-1e-9 {
					t.Fatalf("map %d %v-%v: %v %v costs %v, the least is %v", i, from, to, o.Algorithm, o.Moves, other.Cost, want)
				}
				if other.Status != grid.Complete && o.Moves.Corners == grid.OneFree {
					t.Fatalf("map %d %v-%v: %v: %v", i, from, to, o.Algorithm, other.Status)
				}
				if o.Algorithm != grid.AStar && other.Status == grid.Complete {
					checkPoints(t, m, &other, from, to)
				}
			}
		}
	}
}

// checkPoints proves that every leg of an any-angle path is walkable.
func checkPoints(t *testing.T, g grid.Ground, r *grid.Result, from, to grid.Cell) {
	t.Helper()
	p := r.Points
	middle := func(c grid.Cell) grid.Point { return grid.Point{X: float64(c.X) + 0.5, Y: float64(c.Y) + 0.5} }
	if len(p) == 0 || p[0] != middle(from) || p[len(p)-1] != middle(to) {
		t.Fatalf("points %v do not lead from %v to %v", p, from, to)
	}
	for i := 1; i < len(p); i++ {
		a := spot{x: int32(2 * p[i-1].X), y: int32(2 * p[i-1].Y)}
		b := spot{x: int32(2 * p[i].X), y: int32(2 * p[i].Y)}
		if !walkable(g, a, b) {
			t.Fatalf("%v: no straight way from %v to %v", r.Algorithm, p[i-1], p[i])
		}
	}
}

func draw(m *grid.Map) string {
	w, h := m.Size()
	var out []byte
	for y := range int32(h) {
		for x := range int32(w) {
			if m.Passable(grid.Cell{X: x, Y: y}) {
				out = append(out, '.')
			} else {
				out = append(out, '@')
			}
		}
		out = append(out, '\n')
	}
	return string(out)
}
