package grid_test

import (
	"errors"
	"testing"

	"wend/grid"
)

// serpent is a map of one corridor that winds through all odd rows, each cell
// of which costs the same.
func serpent(t *testing.T, side int32, cost float64) (*grid.Map, int) {
	t.Helper()
	m, err := grid.New(int(side), int(side))
	must(err)
	cells := 0
	for y := range side {
		lo, hi := grid.Cell{X: 0, Y: y}, grid.Cell{X: side - 1, Y: y}
		switch y % 4 {
		case 1:
			lo = hi
		case 3:
			hi = lo
		}
		must(m.Fill(lo, hi, true))
		for c := lo; c.X <= hi.X; c.X++ {
			must(m.SetCost(c, cost))
			cells++
		}
	}
	return m, cells
}

// TestLargestSums: the dearest way there is on a map of a million cells is
// found, and costs what it must.
func TestLargestSums(t *testing.T) {
	if many(0, 1) == 0 {
		t.Skip("a million cells; with WEND_LONG=1")
	}
	const side = 1033
	m, cells := serpent(t, side, grid.MaxCost)
	from, to := grid.Cell{}, grid.Cell{X: side - 1, Y: side - 1}
	want := grid.MaxCost * float64(cells-1)
	r, err := grid.NewQuery().Find(t.Context(), m, from, to, nil)
	must(err)
	if r.Status != grid.Complete || r.Cost != want {
		t.Errorf("%v, cost %v, want %v", r.Status, r.Cost, want)
	}
	r, err = grid.NewQuery().Find(t.Context(), m, from, to, &grid.Options{MaxCost: want - 1})
	must(err)
	if r.Status != grid.TooFar {
		t.Errorf("%v with a limit just below", r.Status)
	}
	var f grid.Flow
	must(f.Begin(m, []grid.Cell{to}, grid.Moves{}))
	must(f.Fill(t.Context()))
	if got, ok := f.Cost(from); !ok || got != want {
		t.Errorf("flow field: cost %v, want %v", got, want)
	}
}

// TestLeastAndLargestCost: the costs that searches are bounded by follow edits
// in any order.
func TestLeastAndLargestCost(t *testing.T) {
	m := openMap(t, 40, 3)
	from, to := grid.Cell{Y: 1}, grid.Cell{X: 39, Y: 1}
	for step, cost := range []float64{4, grid.MaxCost, 2, grid.MinCost, 1, 0.5, 7, 1} {
		for c := range m.Cells() {
			must(m.SetCost(c, cost))
		}
		r, err := grid.NewQuery().Find(t.Context(), m, from, to, nil)
		must(err)
		var f grid.Flow
		must(f.Begin(m, []grid.Cell{to}, grid.Moves{}))
		must(f.Fill(t.Context()))
		got, _ := f.Cost(from)
		if want := 39 * cost; r.Cost != want || got != want || len(r.Path) != 40 {
			t.Errorf("step %d, cost %v: the way costs %v, the field says %v, want %v", step, cost, r.Cost, got, want)
		}
	}
}

// TestFlowStopsAtEdits: a wave does not go on over a ground that was edited,
// which would mix two grounds and, where a cell became cheaper than all were,
// never end; what it knew it goes on showing.
func TestFlowStopsAtEdits(t *testing.T) {
	t.Parallel()
	edits := map[string]func(m *grid.Map){
		"cheaper": func(m *grid.Map) { must(m.SetCost(grid.Cell{X: 60, Y: 60}, grid.MinCost)) },
		"dearer":  func(m *grid.Map) { must(m.SetCost(grid.Cell{X: 60, Y: 60}, grid.MaxCost)) },
		"blocked": func(m *grid.Map) { must(m.SetPassable(grid.Cell{X: 60, Y: 60}, false)) },
	}
	for name, edit := range edits {
		for _, cost := range []float64{1, 2} {
			m := openMap(t, 90, 90)
			must(m.SetCost(grid.Cell{X: 20, Y: 20}, cost))
			g := grid.Ground(m)
			if cost == 1 {
				g = grid.NewOverlay(m)
			}
			var f grid.Flow
			must(f.Begin(g, []grid.Cell{{}}, grid.Moves{}))
			near, far := grid.Cell{X: 2, Y: 2}, grid.Cell{X: 89, Y: 89}
			must(f.Reach(t.Context(), near))
			known := f.Known()
			edit(m)
			if err := f.Fill(t.Context()); !errors.Is(err, grid.ErrStale) {
				t.Fatalf("%s: filled: %v", name, err)
			}
			if err := f.Reach(t.Context(), far); !errors.Is(err, grid.ErrStale) {
				t.Fatalf("%s: reached: %v", name, err)
			}
			if _, ok := f.Cost(near); !ok || f.Known() != known || !f.Stale() {
				t.Errorf("%s: forgot %d of %d cells", name, known-f.Known(), known)
			}
			must(f.Reach(t.Context(), near)) // known already
			must(f.Begin(g, []grid.Cell{{}}, grid.Moves{}))
			must(f.Fill(t.Context()))
		}
	}
}

// TestRefusalsNameWhoRefused: what is no search of a Query does not pass for A*.
func TestRefusalsNameWhoRefused(t *testing.T) {
	m := openMap(t, 9, 9)
	six := grid.Moves{Neighbours: grid.Six}
	errs := map[string]error{}
	_, errs["trace"] = grid.Trace(t.Context(), nil, m, grid.Cell{}, grid.Cell{X: 1}, &grid.TraceOptions{Moves: six})
	_, errs["selector"] = grid.NewSelector(&grid.SelectorOptions{Moves: six})
	var f grid.Flow
	must(f.Begin(m, []grid.Cell{{}}, six))
	_, errs["flow walk"] = f.Walk(nil, 1)
	body, err := grid.NewBody(m, 1)
	must(err)
	_, errs["body"] = body.Find(t.Context(), grid.NewQuery(), grid.Cell{}, grid.Cell{X: 1}, &grid.Options{Moves: six})
	for by, err := range errs {
		var u *grid.UnsupportedError
		if !errors.As(err, &u) || u.By != by || !errors.Is(err, grid.ErrUnsupported) {
			t.Errorf("%s: %v", by, err)
		}
	}
}
