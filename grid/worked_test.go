package grid_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"wend/grid"
)

func parse(t *testing.T, rows ...string) *grid.Map {
	t.Helper()
	m, err := grid.Parse(rows...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestWorkedNumbers holds small maps whose costs were worked out by hand, under
// every rule.
func TestWorkedNumbers(t *testing.T) {
	stone := parse(t, ".....", ".....", "..@..", ".....", ".....")
	fence, err := grid.New(8, 8)
	must(err)
	must(fence.Fill(grid.Cell{}, grid.Cell{X: 7, Y: 7}, true))
	must(fence.Fill(grid.Cell{X: 3}, grid.Cell{X: 3, Y: 5}, false))
	must(fence.SetPassable(grid.Cell{X: 4, Y: 6}, false))
	for _, c := range []struct {
		name     string
		m        *grid.Map
		from, to grid.Cell
		mv       grid.Moves
		cost     float64
	}{
		{"stone", stone, grid.Cell{}, grid.Cell{X: 4, Y: 4}, grid.Moves{}, 4 + 2*math.Sqrt2},
		{"stone", stone, grid.Cell{}, grid.Cell{X: 4, Y: 4}, grid.Moves{Corners: grid.OneFree}, 2 + 3*math.Sqrt2},
		{"stone", stone, grid.Cell{}, grid.Cell{X: 4, Y: 4}, grid.Moves{Neighbours: grid.Four}, 8},
		{"stone", stone, grid.Cell{}, grid.Cell{X: 4, Y: 4}, grid.Moves{Diagonal: grid.Unit}, 6},
		{"fence", fence, grid.Cell{X: 1, Y: 1}, grid.Cell{X: 6, Y: 1}, grid.Moves{}, 11 + 3*math.Sqrt2},
		{"fence", fence, grid.Cell{X: 1, Y: 1}, grid.Cell{X: 6, Y: 1}, grid.Moves{Corners: grid.OneFree}, 7 + 5*math.Sqrt2},
		{"fence", fence, grid.Cell{X: 1, Y: 1}, grid.Cell{X: 6, Y: 1}, grid.Moves{Corners: grid.Always}, 5 + 5*math.Sqrt2},
		{"fence", fence, grid.Cell{X: 1, Y: 1}, grid.Cell{X: 6, Y: 1}, grid.Moves{Neighbours: grid.Four}, 17},
	} {
		for _, a := range stepAlgorithms {
			r, err := grid.NewQuery().Find(context.Background(), c.m, c.from, c.to,
				&grid.Options{Algorithm: a, Moves: c.mv, Jumps: newTable(t, c.m, c.mv)})
			must(err)
			if math.Abs(r.Cost-c.cost) > 1e-12 {
				t.Errorf("%s, %v, %v: cost %v, want %v", c.name, c.mv, a, r.Cost, c.cost)
			}
			if err := checkPath(c.m, r, c.from, c.to, c.mv); err != nil {
				t.Errorf("%s, %v, %v: %v", c.name, c.mv, a, err)
			}
		}
	}
}

// TestNearestEnd: of four cells that are two away from a blocked goal the one
// that costs least to reach is the end, for every algorithm.
func TestNearestEnd(t *testing.T) {
	m := parse(t,
		".........",
		"....@@@..",
		"....@@@..",
		"....@@@..",
		".........",
		".........")
	from, goal, end := grid.Cell{X: 0, Y: 2}, grid.Cell{X: 5, Y: 2}, grid.Cell{X: 3, Y: 2}
	for _, a := range everyAlgorithm {
		mv := grid.Moves{}
		if a == grid.Anya {
			mv.Corners = grid.OneFree
		}
		r, err := grid.NewQuery().Find(context.Background(), m, from, goal,
			&grid.Options{Algorithm: a, Moves: mv, Partial: true, Jumps: newTable(t, m, mv)})
		must(err)
		if r.Status != grid.GoalBlocked || r.Cost != 3 || r.Gap != 2 {
			t.Errorf("%v: %v, cost %v, gap %v; want goal-blocked, 3, 2", a, r.Status, r.Cost, r.Gap)
		}
		if a < grid.Theta && (len(r.Path) == 0 || r.Path[len(r.Path)-1] != end) {
			t.Errorf("%v: path %v does not end at %v", a, r.Path, end)
		}
		if a >= grid.Theta && !slices.Equal(r.Points, []grid.Point{{X: 0.5, Y: 2.5}, {X: 3.5, Y: 2.5}}) {
			t.Errorf("%v: points %v", a, r.Points)
		}
	}
}

// TestStatuses: every way a search can end has its own status.
func TestStatuses(t *testing.T) {
	m := parse(t, "..@..", "..@..", "..@.@")
	a, b, wall, far := grid.Cell{}, grid.Cell{X: 4, Y: 1}, grid.Cell{X: 2, Y: 1}, grid.Cell{X: 1, Y: 2}
	for _, alg := range everyAlgorithm {
		mv := grid.Moves{Corners: grid.OneFree}
		base := grid.Options{Algorithm: alg, Moves: mv, Jumps: newTable(t, m, mv)}
		budget, tight := base, base
		budget.MaxNodes = 1
		tight.MaxCost = 1
		big := parse(t, "....", ".@@.", ".@@.", "....")
		budgetBig := budget
		budgetBig.Jumps = newTable(t, big, mv)
		for _, c := range []struct {
			name     string
			m        *grid.Map
			from, to grid.Cell
			o        grid.Options
			want     grid.Status
		}{
			{"found", m, a, far, base, grid.Complete},
			{"start is goal", m, a, a, base, grid.Complete},
			{"walled off", m, a, b, base, grid.Unreachable},
			{"goal blocked", m, a, wall, base, grid.GoalBlocked},
			{"start blocked", m, wall, a, base, grid.StartBlocked},
			{"start outside", m, grid.Cell{X: -1}, a, base, grid.Outside},
			{"goal outside", m, a, grid.Cell{X: 0, Y: 3}, base, grid.Outside},
			{"goal far outside", m, a, grid.Cell{X: math.MaxInt32, Y: math.MinInt32}, base, grid.Outside},
			{"one node", big, a, grid.Cell{X: 3, Y: 3}, budgetBig, grid.Budget},
			{"too far", m, a, far, tight, grid.TooFar},
		} {
			r, err := grid.NewQuery().Find(context.Background(), c.m, c.from, c.to, &c.o)
			if err != nil {
				t.Fatalf("%v: %s: %v", alg, c.name, err)
			}
			if r.Status != c.want {
				t.Errorf("%v: %s: %v, want %v", alg, c.name, r.Status, c.want)
			}
			if has := len(r.Path)+len(r.Points) > 0; has != (c.want == grid.Complete) || has == math.IsNaN(r.Gap) {
				t.Errorf("%v: %s: path %v %v, gap %v", alg, c.name, r.Path, r.Points, r.Gap)
			}
		}
	}
}

// TestRefusals: options out of range and combinations that are not served are
// errors of their own type.
func TestRefusals(t *testing.T) {
	m := parse(t, "...", "...")
	weighted := m.Clone()
	must(weighted.SetCost(grid.Cell{X: 1}, 2))
	end := grid.Cell{X: 2, Y: 1}
	for _, c := range []struct {
		name string
		g    grid.Ground
		o    grid.Options
		want error
	}{
		{"negative nodes", m, grid.Options{MaxNodes: -1}, grid.ErrOptions},
		{"negative cost", m, grid.Options{MaxCost: -1}, grid.ErrOptions},
		{"cost not a number", m, grid.Options{MaxCost: math.NaN()}, grid.ErrOptions},
		{"unknown algorithm", m, grid.Options{Algorithm: 99}, grid.ErrOptions},
		{"unknown corners", m, grid.Options{Moves: grid.Moves{Corners: 9}}, grid.ErrOptions},
		{"no ground", nil, grid.Options{}, grid.ErrOptions},
		{"jps on hexagons", m, grid.Options{Algorithm: grid.JPS, Moves: grid.Moves{Neighbours: grid.Six}}, grid.ErrUnsupported},
		{"jps with costs", weighted, grid.Options{Algorithm: grid.JPS}, grid.ErrUnsupported},
		{"jps+ with costs", weighted, grid.Options{Algorithm: grid.JPSPlus}, grid.ErrUnsupported},
		{"theta with four neighbours", m, grid.Options{Algorithm: grid.Theta, Moves: grid.Moves{Neighbours: grid.Four}}, grid.ErrUnsupported},
		{"theta with unit diagonals", m, grid.Options{Algorithm: grid.Theta, Moves: grid.Moves{Diagonal: grid.Unit}}, grid.ErrUnsupported},
		{"anya without touching corners", m, grid.Options{Algorithm: grid.Anya}, grid.ErrUnsupported},
	} {
		_, err := grid.NewQuery().Find(context.Background(), c.g, grid.Cell{}, end, &c.o)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		var refused *grid.UnsupportedError
		if errors.As(err, &refused) != (c.want == grid.ErrUnsupported) {
			t.Errorf("%s: %v has the wrong type", c.name, err)
		}
	}
	if _, err := grid.NewJumpTable(context.Background(), weighted, grid.Moves{}); !errors.Is(err, grid.ErrUnsupported) {
		t.Errorf("jump table with costs: %v", err)
	}
}

// TestMapEdits: what may be set, what is refused, what changes the version.
func TestMapEdits(t *testing.T) {
	for _, side := range [][2]int{{0, 1}, {1, 0}, {-1, 5}, {grid.MaxSide + 1, 1}, {grid.MaxSide, grid.MaxSide}} {
		if _, err := grid.New(side[0], side[1]); !errors.Is(err, grid.ErrSize) {
			t.Errorf("%v: %v", side, err)
		}
	}
	m := parse(t, "..", ".@")
	v := m.Version()
	out := grid.Cell{X: 2}
	for name, err := range map[string]error{
		"passable": m.SetPassable(out, true), "cost": m.SetCost(out, 1), "fill": m.Fill(grid.Cell{}, out, true),
		"overlay": grid.NewOverlay(m).Set(out, true), "clear": grid.NewOverlay(m).Clear(grid.Cell{X: -1}),
	} {
		if !errors.Is(err, grid.ErrOutside) {
			t.Errorf("%s outside: %v", name, err)
		}
	}
	for _, cost := range []float64{0, -1, math.NaN(), math.Inf(1), 256, 0.001} {
		if err := m.SetCost(grid.Cell{}, cost); !errors.Is(err, grid.ErrCost) {
			t.Errorf("cost %v: %v", cost, err)
		}
	}
	must(m.SetPassable(grid.Cell{}, true))
	must(m.SetCost(grid.Cell{}, 1))
	if m.Version() != v || m.Weighted() {
		t.Error("edits that change nothing changed the version")
	}
	must(m.SetPassable(grid.Cell{X: 1, Y: 1}, true))
	must(m.SetCost(grid.Cell{}, 2.5))
	if m.Version() != v+2 || !m.Weighted() || m.Cost(grid.Cell{}) != 2.5 || m.Cost(grid.Cell{X: 1}) != 1 {
		t.Errorf("version %d, cost %v", m.Version()-v, m.Cost(grid.Cell{}))
	}
	must(m.SetCost(grid.Cell{}, 1))
	if m.Weighted() {
		t.Error("weighted though all costs are 1 again")
	}
}

// TestOverlayMemory: an overlay takes memory by its differences, and gives it
// back.
func TestOverlayMemory(t *testing.T) {
	m, err := grid.New(1000, 1000)
	must(err)
	o := grid.NewOverlay(m)
	if o.Bytes() != 0 {
		t.Errorf("%d bytes without a difference", o.Bytes())
	}
	for x := range int32(10) {
		must(o.Set(grid.Cell{X: 100 * x, Y: 5}, true))
	}
	if o.Bytes() > 1000 {
		t.Errorf("%d bytes for ten cells", o.Bytes())
	}
	v := o.Version()
	o.Reset()
	if o.Passable(grid.Cell{X: 100, Y: 5}) || o.Version() == v || o.Bytes() != 0 {
		t.Errorf("reset: %d bytes, version %d after %d", o.Bytes(), o.Version(), v)
	}
	must(m.SetPassable(grid.Cell{}, true))
	if !o.Passable(grid.Cell{}) {
		t.Error("an edit of the map does not show through")
	}
}
