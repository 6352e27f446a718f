package grid_test

import (
	"errors"
	"math"
	"testing"

	"wend/grid"
)

// TestNoGround: without a ground nothing is found, and nothing panics.
func TestNoGround(t *testing.T) {
	ctx := t.Context()
	q := grid.NewQuery()
	var batch grid.Batch
	var flow grid.Flow
	var islands grid.Islands
	selector, err := grid.NewSelector(nil)
	must(err)
	errs := map[string]error{"flow": flow.Begin(nil, []grid.Cell{{}}, grid.Moves{}), "labels": islands.Label(nil, grid.Moves{}),
		"updated labels": islands.Update(nil, grid.Moves{}), "begin": q.Begin(nil, grid.Cell{}, grid.Cell{}, nil)}
	_, errs["find"] = q.Find(ctx, nil, grid.Cell{}, grid.Cell{}, nil)
	_, errs["batch"] = batch.Find(ctx, nil, []grid.Request{{}}, nil, 2, nil)
	_, errs["trace"] = grid.Trace(ctx, q, nil, grid.Cell{}, grid.Cell{}, nil)
	_, errs["selector"] = selector.Find(ctx, nil, grid.Cell{}, grid.Cell{})
	_, errs["cache"] = grid.NewRouteCache(nil, nil)
	_, errs["clearance"] = grid.NewClearance(nil, 3)
	_, errs["body"] = grid.NewBody(nil, 1)
	_, errs["square"] = grid.NewSquare(nil, 1)
	_, errs["formation"] = grid.Formation(nil, grid.Cell{}, []grid.Cell{{}}, grid.Moves{})
	_, errs["table"] = grid.NewJumpTable(ctx, nil, grid.Moves{})
	_, errs["stats"] = grid.Measure(nil, grid.Moves{})
	for name, err := range errs {
		if !errors.Is(err, grid.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	trail := grid.Trail{Path: []grid.Cell{{}, {X: 1}}}
	if d := trail.Update(nil, grid.Point{X: 0.5, Y: 0.5}); !d.Changed || d.Blocked != 0 {
		t.Errorf("trail: %+v", d)
	}
	if grid.LineOfSight(nil, grid.Cell{}, grid.Cell{}, grid.Never) || grid.Walkable(nil, trail.Path, grid.Moves{}) != 0 {
		t.Error("something is seen or walked on no ground")
	}
}

// TestFarCells: cells anywhere a number reaches are outside, for everything
// that takes a cell.
func TestFarCells(t *testing.T) {
	ctx := t.Context()
	m := openMap(t, 9, 7)
	must(m.SetCost(grid.Cell{X: 3, Y: 3}, 4))
	plain := openMap(t, 9, 7)
	far := []grid.Cell{{X: -1}, {Y: -1}, {X: 9}, {Y: 7}, {X: math.MaxInt32, Y: math.MinInt32}, {X: math.MinInt32, Y: math.MaxInt32}, {X: 1 << 16, Y: 1 << 16}}
	in := grid.Cell{X: 2, Y: 2}
	var islands grid.Islands
	must(islands.Label(m, grid.Moves{}))
	var flow grid.Flow
	must(flow.Begin(m, []grid.Cell{in}, grid.Moves{}))
	must(flow.Reach(ctx, far...))
	cache, err := grid.NewRouteCache(m, nil)
	must(err)
	selector, err := grid.NewSelector(nil)
	must(err)
	disc, err := grid.NewBody(m, 1)
	must(err)
	square, err := grid.NewSquare(m, 2)
	must(err)
	clearance, err := grid.NewClearance(m, 4)
	must(err)
	over := grid.NewOverlay(m)
	q := grid.NewQuery()
	for _, c := range far {
		for _, mv := range everyMove() {
			for a := grid.AStar; a <= grid.Anya; a++ {
				o := &grid.Options{Algorithm: a, Moves: mv, Partial: true}
				if !a.Serves(mv, false) {
					continue
				}
				if a == grid.JPSPlus {
					o.Jumps = newTable(t, plain, mv)
				}
				for _, ends := range [][2]grid.Cell{{c, in}, {in, c}, {c, c}} {
					r, err := q.Find(ctx, plain, ends[0], ends[1], o)
					must(err)
					if r.Status != grid.Outside || len(r.Path) > 0 {
						t.Errorf("%v %v: %v, %v", a, ends, r.Status, r.Path)
					}
				}
			}
		}
		statuses := map[string]grid.Status{}
		note := func(name string, r grid.Result, err error) {
			must(err)
			statuses[name] = r.Status
		}
		rc, err := cache.Find(ctx, in, c, 0)
		note("cache", *rc, err)
		rs, err := selector.Find(ctx, m, c, in)
		note("selector", rs.Result, err)
		rt, err := grid.Trace(ctx, q, m, in, c, nil)
		note("trace", rt.Result, err)
		for name, b := range map[string]*grid.Body{"disc": disc, "square": square} {
			rb, err := b.Squeeze(ctx, q, in, c, nil)
			note(name, rb.Result, err)
			if _, err := b.Pull([]grid.Cell{in, c}, 0); !errors.Is(err, grid.ErrOptions) {
				t.Errorf("%s pulled to %v: %v", name, c, err)
			}
			if b.Sees(b.Middle(in), b.Middle(c), 0) {
				t.Errorf("%s sees %v", name, c)
			}
		}
		for name, s := range statuses {
			if s != grid.Outside {
				t.Errorf("%s to %v: %v", name, c, s)
			}
		}
		for name, err := range map[string]error{
			"block": m.SetPassable(c, false), "cost": m.SetCost(c, 2), "fill": m.Fill(in, c, false), "fill from": m.Fill(c, in, false),
			"set": over.Set(c, false), "clear": over.Clear(c), "flow": new(grid.Flow).Begin(m, []grid.Cell{in, c}, grid.Moves{}),
		} {
			if !errors.Is(err, grid.ErrOutside) {
				t.Errorf("%s at %v: %v", name, c, err)
			}
		}
		if _, err := grid.Formation(m, c, []grid.Cell{in}, grid.Moves{}); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("formation at %v: %v", c, err)
		}
		if places, err := grid.Formation(m, in, []grid.Cell{c, in}, grid.Moves{}); err != nil || len(places) != 2 || !m.Passable(places[0]) {
			t.Errorf("formation of %v: %v, %v", c, places, err)
		}
		_, known := flow.Cost(c)
		_, next := flow.Next(c)
		if known || next || islands.Of(c) != 0 || islands.Connected(in, c) || clearance.At(c) != 0 || m.Passable(c) || over.Passable(c) || m.Cost(c) != 0 {
			t.Errorf("%v is something to somebody", c)
		}
		if grid.LineOfSight(m, in, c, grid.Always) || grid.LineOfSight(over, c, in, grid.Never) || grid.Walkable(m, []grid.Cell{in, c}, grid.Moves{}) != 1 {
			t.Errorf("%v is seen or walked to", c)
		}
		if cost := m.PathCost([]grid.Cell{in, c, in}, grid.Moves{Neighbours: grid.Four}); cost != 2 {
			t.Errorf("steps over %v cost %v", c, cost)
		}
		trail := grid.Trail{Path: []grid.Cell{in, c}, Version: 1}
		trail.Update(m, grid.Point{X: float64(c.X), Y: float64(c.Y)})
	}
	if err := m.Fill(grid.Cell{X: 4, Y: 4}, grid.Cell{X: 3, Y: 5}, false); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("a rectangle from right to left: %v", err)
	}
}

// TestNoNumbers: NaN and infinities are refused, or lead nowhere.
func TestNoNumbers(t *testing.T) {
	ctx := t.Context()
	m := openMap(t, 9, 7)
	body, err := grid.NewBody(m, 1)
	must(err)
	var flow grid.Flow
	must(flow.Begin(m, []grid.Cell{{X: 2, Y: 2}}, grid.Moves{}))
	must(flow.Fill(ctx))
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), -1, 0, 1e300} {
		if err := m.SetCost(grid.Cell{}, v); !errors.Is(err, grid.ErrCost) {
			t.Errorf("cost %v: %v", v, err)
		}
		units := []grid.Point{{X: v, Y: 1}, {X: 1, Y: v}}
		if n, err := flow.Walk(units, 1); err != nil || v != 0 && n.Lost != 2 {
			t.Errorf("unit at %v: %+v, %v", v, n, err)
		}
		if v == 0 {
			continue
		}
		if body.Sees(grid.Point{X: 3, Y: 3}, grid.Point{X: v, Y: 3}, 0) {
			t.Errorf("%v is seen", v)
		}
		for name, err := range map[string]error{
			"radius":   second(grid.NewBody(m, v)),
			"guard":    second(body.Pull([]grid.Cell{{X: 3, Y: 3}}, v)),
			"distance": second(flow.Walk(nil, v)),
		} {
			if !errors.Is(err, grid.ErrOptions) {
				t.Errorf("%s %v: %v", name, v, err)
			}
		}
		if v < 0 || math.IsNaN(v) {
			_, err := grid.NewQuery().Find(ctx, m, grid.Cell{}, grid.Cell{X: 1}, &grid.Options{MaxCost: v})
			if !errors.Is(err, grid.ErrOptions) {
				t.Errorf("limit %v: %v", v, err)
			}
			if _, err := grid.NewSelector(&grid.SelectorOptions{Near: v}); !errors.Is(err, grid.ErrOptions) {
				t.Errorf("near %v: %v", v, err)
			}
		}
		trail := grid.Trail{Path: []grid.Cell{{}, {X: 1}}, Version: m.Version()}
		trail.Update(m, grid.Point{X: v, Y: v})
	}
}

func second[T any](_ T, err error) error { return err }
