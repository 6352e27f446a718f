package spanpath

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"wend/spangrid"
)

// field is the window of small worlds made by hand.
var field = spangrid.Window{GX: -10, GY: -10, NX: 60, NY: 60}

// spanAt returns the n-th usable span of a cell.
func spanAt(t testing.TB, g *Ground, x, y, n int) Span {
	t.Helper()
	list := g.Standing(nil, x, y, 0)
	if n >= len(list) {
		t.Fatalf("cell (%d, %d) has %d spans", x, y, len(list))
	}
	return list[n]
}

// cells returns where spans are.
func cellsOf(g *Ground, spans []Span) []Cell {
	var out []Cell
	for _, s := range spans {
		p := g.Place(s)
		out = append(out, Cell{p.GX, p.GY})
	}
	return out
}

func onCells(xy ...int32) []Cell {
	var out []Cell
	for i := 0; i < len(xy); i += 2 {
		out = append(out, Cell{xy[i], xy[i+1]})
	}
	return out
}

// solveRow searches along a row of cells.
func solveRow(t *testing.T, g *Ground, from, to int, q Problem) (Path, bool) {
	t.Helper()
	q.Need, q.GiveUp = q.Need|MarkOn, math.Inf(1)
	q.Start, q.Goals = spanAt(t, g, from, 0, 0), []Span{spanAt(t, g, to, 0, 0)}
	var p Path
	found, err := g.Solve(&q, &p)
	if err != nil {
		t.Fatal(err)
	}
	return p, found
}

func TestSolveWorked(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 4, 2, 0)
	g := w.ground(t, field)
	q := Problem{Need: MarkOn, Start: spanAt(t, g, 0, 0, 0), Goals: []Span{spanAt(t, g, 4, 2, 0)}, GiveUp: math.Inf(1), Euclid: true}
	var p Path
	if found, err := g.Solve(&q, &p); !found || err != nil || p.Cost != 4.828427076339722 ||
		!slices.Equal(cellsOf(g, p.Spans), onCells(0, 0, 1, 1, 2, 1, 3, 2, 4, 2)) {
		t.Errorf("open field: %v %v %v", p.Cost, cellsOf(g, p.Spans), err)
	}
	q.Euclid = false
	if found, _ := g.Solve(&q, &p); !found || p.Cost != 4.828427076339722 {
		t.Errorf("open field with the distance over the grid: %v", p.Cost)
	}
	q.Sight = true
	g.solver.look = func(a, b Span) bool { return true }
	if found, _ := g.Solve(&q, &p); !found || p.Cost != 4.47213595499958 || p.Expanded != 4 ||
		!slices.Equal(cellsOf(g, p.Chain), onCells(0, 0, 4, 2)) {
		t.Errorf("always seen: %v %v, %d expanded", p.Cost, cellsOf(g, p.Chain), p.Expanded)
	}
	if got := cellsOf(g, p.Spans); len(got) != 5 || got[2] != (Cell{2, 1}) {
		t.Errorf("cells of a chord: %v", got)
	}
	g.solver.look = func(a, b Span) bool { return false }
	if found, _ := g.Solve(&q, &p); !found || p.Cost != 4.828427076339722 ||
		!slices.Equal(cellsOf(g, p.Chain), onCells(0, 0, 1, 1, 2, 1, 3, 2, 4, 2)) || !slices.Equal(p.Chain, p.Spans) {
		t.Errorf("never seen: %v %v", p.Cost, cellsOf(g, p.Chain))
	}

	w = newWorld()
	w.floor(0, 0, 2, 2, 0)
	delete(w.cells, Cell{1, 0})
	g = w.ground(t, field)
	q = Problem{Need: MarkOn, Start: spanAt(t, g, 0, 0, 0), Goals: []Span{spanAt(t, g, 2, 1, 0)}, GiveUp: math.Inf(1)}
	if found, _ := g.Solve(&q, &p); !found || p.Cost != 3 || !slices.Equal(cellsOf(g, p.Spans), onCells(0, 0, 0, 1, 1, 1, 2, 1)) {
		t.Errorf("around a corner: %v %v", p.Cost, cellsOf(g, p.Spans))
	}
}

func TestSolvePriced(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		clr    uint16
		want   float32
	}{
		{1, 4, 1, 4}, {1, 4, 16, 4}, {1, 4, 49, 2.2857144}, {1, 4, 144, 1.3333334}, {1, 4, 256, 1}, {1, 4, 2304, 1}, {1, 4, 9999, 1},
		{0.25, 1.75, 0, 7}, {0.25, 1.75, 1, 7}, {0.25, 1.75, 16, 1.75}, {0.25, 1.75, 49, 1},
	} {
		if got := NewPrices(c.lo, c.hi).Of(c.clr); got != c.want {
			t.Errorf("price %g..%g at %d: %v, want %v", c.lo, c.hi, c.clr, got, c.want)
		}
	}
	w := newWorld()
	w.put(0, 0, cellSpan{clr: 2304})
	w.put(1, 0, cellSpan{clr: 1})
	w.put(2, 0, cellSpan{clr: 2304})
	if p, ok := solveRow(t, w.ground(t, field), 0, 2, Problem{Prices: NewPrices(1, 4)}); !ok || p.Cost != 5 {
		t.Errorf("prices 1, 4, 1: %v", p.Cost)
	}
}

func TestSolveDropsBansLinks(t *testing.T) {
	w := newWorld()
	w.row(0, 0, 5, 5, 5, 0, 0, 0, 0, 0, 0, 0)
	w.cells[Cell{2, 0}][0].steps = 1
	w.cells[Cell{2, 0}][0].steps2 = 1
	g := w.ground(t, field)
	if p, ok := solveRow(t, g, 0, 9, Problem{}); !ok || p.Cost != 9 {
		t.Errorf("down a banned drop: %v", p.Cost)
	}
	if _, ok := solveRow(t, g, 9, 0, Problem{}); ok {
		t.Error("found a way up")
	}
	g = w.ground(t, field, func(s *Setup) { s.Body.MaxDrop = 4.5 })
	if _, ok := solveRow(t, g, 0, 9, Problem{}); ok {
		t.Error("dropped farther than the body may")
	}

	nan := float32(math.NaN())
	w = newWorld()
	w.row(0, 0, 0, 0, 0, 0, nan, nan, 0, 0, 0, 0)
	link := Link{From: spangrid.Place{GX: 3, GY: 0, H: 7}, To: spangrid.Place{GX: 6, GY: 0, H: -8}, Cost: 3}
	g = w.ground(t, field, func(s *Setup) { s.Links = []Link{link} })
	for _, sight := range []bool{false, true} {
		p, ok := solveRow(t, g, 0, 9, Problem{Sight: sight})
		if !ok || p.Cost != 9 || !slices.Equal(p.Links, []int{0}) ||
			!slices.Equal(cellsOf(g, p.Spans), onCells(0, 0, 1, 0, 2, 0, 3, 0, 6, 0, 7, 0, 8, 0, 9, 0)) {
			t.Errorf("over a link: %v %v %v", p.Cost, cellsOf(g, p.Spans), p.Links)
		}
	}
	if _, ok := solveRow(t, g, 9, 0, Problem{}); ok {
		t.Error("a link leads back")
	}
	link.To.H = 8.5
	g = w.ground(t, field, func(s *Setup) { s.Links = []Link{link} })
	if _, ok := solveRow(t, g, 0, 9, Problem{}); ok {
		t.Error("a link lands too far below")
	}
}

func TestSolveEnds(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 30, 30, 0)
	g := w.ground(t, field)
	q := Problem{Need: MarkOn, Start: spanAt(t, g, 0, 0, 0), Goals: []Span{spanAt(t, g, 30, 30, 0)}, GiveUp: 42}
	var p Path
	if ok, err := g.Solve(&q, &p); ok || err != nil || !p.GaveUp {
		t.Errorf("%v %v: did not give up below %v", ok, err, 30*diagonal)
	}
	q.GiveUp = 43
	if ok, _ := g.Solve(&q, &p); !ok || p.GaveUp {
		t.Error("gave up")
	}
	q.MaxExpanded = 10
	if ok, _ := g.Solve(&q, &p); ok || !p.OverBudget || p.Expanded != 10 {
		t.Errorf("expanded %d", p.Expanded)
	}
	q.MaxExpanded, q.Goals = 0, nil
	if ok, err := g.Solve(&q, &p); ok || err != nil {
		t.Error("found no goal")
	}
	q.Goals, q.Need = []Span{q.Start}, MarkExtra
	if ok, err := g.Solve(&q, &p); ok || err != nil {
		t.Error("started off the mask")
	}
	q.Need = MarkOn
	if ok, err := g.Solve(&q, &p); !ok || err != nil || len(p.Spans) != 1 || p.Cost != 0 {
		t.Error("did not find the start")
	}
	ctx, cancel := context.WithCancel(context.Background())
	g.ctx = ctx
	cancel()
	if ok, err := g.Solve(&q, &p); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("after the context's end: %v %v", ok, err)
	}
}

// TestBans compares the tables of forbidden steps with their definition.
func TestBans(t *testing.T) {
	for d := range 8 {
		bit, enter := spangrid.StepBit(stepX[d], stepY[d])
		want := [2]uint8{bit, 0}
		if enter {
			want = [2]uint8{0, bit}
		}
		if got := [2]uint8{banLeave[d], banEnter[d]}; got != want {
			t.Errorf("step %d: bits %v, want %v", d, got, want)
		}
		if b := stepBack[d]; stepX[b] != -stepX[d] || stepY[b] != -stepY[d] {
			t.Errorf("step %d: back %d", d, b)
		}
		if stepCell[d] != stepY[d]*pageSpan+stepX[d] {
			t.Errorf("step %d: cell %d", d, stepCell[d])
		}
	}
}
