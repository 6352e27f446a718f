package grid_test

import (
	"context"
	"errors"
	"testing"

	"wend/grid"
)

// grounds that are none, though some are no nil interfaces.
func noGrounds() map[string]grid.Ground {
	return map[string]grid.Ground{"nil": nil, "nil map": (*grid.Map)(nil), "nil overlay": (*grid.Overlay)(nil),
		"overlay over nothing": grid.NewOverlay(nil), "zero overlay": new(grid.Overlay)}
}

// TestGroundThatIsNone: nothing panics on a nil map in an interface, or an
// overlay over none.
func TestGroundThatIsNone(t *testing.T) {
	ctx := t.Context()
	q := grid.NewQuery()
	for ground, g := range noGrounds() {
		selector, err := grid.NewSelector(nil)
		must(err)
		errs := map[string]error{
			"flow":           new(grid.Flow).Begin(g, []grid.Cell{{}}, grid.Moves{}),
			"labels":         new(grid.Islands).Label(g, grid.Moves{}),
			"updated labels": new(grid.Islands).Update(g, grid.Moves{}),
			"begin":          q.Begin(g, grid.Cell{}, grid.Cell{}, nil),
			"find":           second(q.Find(ctx, g, grid.Cell{}, grid.Cell{}, nil)),
			"batch":          second(new(grid.Batch).Find(ctx, g, []grid.Request{{}}, nil, 2, nil)),
			"trace":          second(grid.Trace(ctx, q, g, grid.Cell{}, grid.Cell{}, nil)),
			"selector":       second(selector.Find(ctx, g, grid.Cell{}, grid.Cell{})),
			"cache":          second(grid.NewRouteCache(g, nil)),
			"clearance":      second(grid.NewClearance(g, 3)),
			"body":           second(grid.NewBody(g, 1)),
			"square":         second(grid.NewSquare(g, 1)),
			"formation":      second(grid.Formation(g, grid.Cell{}, []grid.Cell{{}}, grid.Moves{})),
			"table":          second(grid.NewJumpTable(ctx, g, grid.Moves{})),
			"hierarchy":      second(grid.NewHierarchy(ctx, g, nil)),
			"stats":          second(grid.Measure(g, grid.Moves{})),
		}
		for name, err := range errs {
			if !errors.Is(err, grid.ErrOptions) {
				t.Errorf("%s: %s: %v", ground, name, err)
			}
		}
		trail := grid.Trail{Path: []grid.Cell{{}, {X: 1}}}
		if d := trail.Update(g, grid.Point{X: 0.5, Y: 0.5}); !d.Changed || d.Blocked != 0 {
			t.Errorf("%s: trail: %+v", ground, d)
		}
		if grid.LineOfSight(g, grid.Cell{}, grid.Cell{}, grid.Never) || grid.Walkable(g, trail.Path, grid.Moves{}) != 0 {
			t.Errorf("%s: something is seen or walked on", ground)
		}
	}
}

// TestOverlayOverNothing: edits are refused, and nothing is on it.
func TestOverlayOverNothing(t *testing.T) {
	for _, o := range []*grid.Overlay{grid.NewOverlay(nil), new(grid.Overlay)} {
		if err := o.Set(grid.Cell{}, true); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("set: %v", err)
		}
		if err := o.Clear(grid.Cell{}); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("clear: %v", err)
		}
		o.Reset()
		if w, h := o.Size(); w != 0 || h != 0 || o.Passable(grid.Cell{}) || o.Cost(grid.Cell{}) != 0 || o.Base() != nil {
			t.Error("there is something on an overlay over nothing")
		}
		o.Version()
	}
}

// TestNeverMade: zero objects that need a constructor, and missing queries and
// results, are errors.
func TestNeverMade(t *testing.T) {
	ctx := t.Context()
	m := openMap(t, 9, 9)
	a, b := grid.Cell{}, grid.Cell{X: 8, Y: 8}
	q := grid.NewQuery()
	body, err := grid.NewSquare(m, 2)
	must(err)
	h := newHierarchy(t, m, nil)
	selector, err := grid.NewSelector(nil)
	must(err)
	for name, err := range map[string]error{
		"zero body":               second(new(grid.Body).Find(ctx, q, a, b, nil)),
		"zero body squeezed":      second(new(grid.Body).Squeeze(ctx, q, a, b, nil)),
		"zero body pulled":        second(new(grid.Body).Pull([]grid.Cell{a}, 0)),
		"body without query":      second(body.Find(ctx, nil, a, b, nil)),
		"squeeze without query":   second(body.Squeeze(ctx, nil, a, b, nil)),
		"zero hierarchy":          second(new(grid.Hierarchy).Find(ctx, q, a, b, nil)),
		"zero hierarchy updated":  second(new(grid.Hierarchy).Update(ctx)),
		"hierarchy without query": second(h.Find(ctx, nil, a, b, nil)),
		"zero cache":              second(new(grid.RouteCache).Find(ctx, a, b, 0)),
		"zero selector":           second(new(grid.Selector).Find(ctx, m, a, b)),
		"no query":                second((*grid.Query)(nil).Find(ctx, m, a, b, nil)),
		"no result":               q.FindInto(ctx, nil, m, a, b, nil),
		"selector without result": selector.FindInto(ctx, nil, m, a, b),
	} {
		if !errors.Is(err, grid.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, table := range map[string]*grid.JumpTable{"nil table": nil, "zero table": new(grid.JumpTable)} {
		if err := table.Update(ctx); !errors.Is(err, grid.ErrTable) {
			t.Errorf("%s updated: %v", name, err)
		}
		if _, err := q.Find(ctx, m, a, b, &grid.Options{Algorithm: grid.JPSPlus, Jumps: table}); !errors.Is(err, grid.ErrTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !new(grid.Hierarchy).Stale() || !new(grid.Body).Stale() || !new(grid.Flow).Stale() {
		t.Error("something that was never made shows the present ground")
	}
}

// TestNilContext: it counts as one that never ends.
func TestNilContext(t *testing.T) {
	var none context.Context
	m := openMap(t, 40, 40)
	must(m.Fill(grid.Cell{X: 20}, grid.Cell{X: 20, Y: 38}, false))
	a, b := grid.Cell{}, grid.Cell{X: 39}
	q := grid.NewQuery()
	for _, alg := range everyAlgorithm {
		o := grid.Options{Algorithm: alg}
		switch alg {
		case grid.Anya:
			o.Moves.Corners = grid.OneFree
		case grid.JPSPlus:
			table, err := grid.NewJumpTable(none, m, grid.Moves{})
			must(err)
			must(m.SetPassable(grid.Cell{Y: 39}, !m.Passable(grid.Cell{Y: 39})))
			must(table.Update(none))
			o.Jumps = table
		}
		r, err := q.Find(none, m, a, b, &o)
		must(err)
		if r.Status != grid.Complete {
			t.Errorf("%v: %v", alg, r.Status)
		}
	}
	h, err := grid.NewHierarchy(none, m, &grid.HierarchyOptions{Cluster: 8})
	must(err)
	must(m.SetPassable(grid.Cell{Y: 20}, false))
	h, err = h.Update(none)
	must(err)
	must(second(h.Find(none, q, a, b, &grid.HierarchyFind{Lower: true, Partial: true})))
	body, err := grid.NewSquare(m, 2)
	must(err)
	must(second(body.Squeeze(none, q, a, b, nil)))
	cache, err := grid.NewRouteCache(m, nil)
	must(err)
	must(second(cache.Find(none, a, b, 0)))
	must(second(cache.Find(none, a, b, 0)))
	selector, err := grid.NewSelector(nil)
	must(err)
	must(second(selector.Find(none, m, a, b)))
	must(second(grid.Trace(none, q, m, a, b, nil)))
	must(second(grid.Formation(m, b, []grid.Cell{a, b}, grid.Moves{})))
	must(second(grid.FormationContext(none, m, b, []grid.Cell{a, b}, grid.Moves{})))
	must(second(new(grid.Batch).Find(none, m, []grid.Request{{From: a, To: b}}, nil, 1, nil)))
	var f grid.Flow
	must(f.Begin(m, []grid.Cell{b}, grid.Moves{}))
	must(f.Reach(none, a))
	must(f.Fill(none))
}
