package grid_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"

	"wend/grid"
)

// answers returns what a hierarchy finds for pairs of cells.
func answers(h *grid.Hierarchy, q *grid.Query, pairs [][2]grid.Cell) []string {
	var out []string
	var r grid.HierarchyResult
	for _, p := range pairs {
		must(h.FindInto(context.Background(), q, &r, p[0], p[1], &grid.HierarchyFind{Lower: true, Partial: true}))
		out = append(out, fmt.Sprintln(r.Status, r.Cost, r.Lower, r.Gap, r.Path, r.Gates))
	}
	return out
}

func randomPairs(rnd *rand.Rand, m *grid.Map, n int) [][2]grid.Cell {
	pairs := make([][2]grid.Cell, n)
	for i := range pairs {
		pairs[i] = [2]grid.Cell{randomCell(rnd, m), randomCell(rnd, m)}
	}
	return pairs
}

// TestHierarchyUpdate: after any edits the updated hierarchy is that of a fresh
// build, gate for gate, for any number of workers, and the old one still
// answers as it did.
func TestHierarchyUpdate(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	q := grid.NewQuery()
	for round := range many(24, 120) {
		m := roomyMap(rnd, many(36, 70), round%2 == 0)
		var g grid.Ground = m
		over := grid.NewOverlay(m)
		if round%3 == 0 {
			g = over
		}
		mv := everyMove()[round%len(everyMove())]
		o := grid.HierarchyOptions{Moves: mv, Cluster: 8 + rnd.IntN(20), Ratio: 1 + float64(rnd.IntN(3))/2, Workers: 1 + rnd.IntN(3)}
		h := newHierarchy(t, g, &o)
		if same, err := h.Update(ctx); same != h || err != nil {
			t.Fatal("an update without an edit is another hierarchy", err)
		}
		pairs := randomPairs(rnd, m, 6)
		for range 3 {
			before := answers(h, q, pairs)
			for range rnd.IntN(12) {
				c := randomCell(rnd, m)
				switch rnd.IntN(4) {
				case 0:
					must(m.SetCost(c, float64(1+rnd.IntN(512))/256))
				case 1:
					must(over.Set(c, rnd.IntN(2) == 0))
				default:
					must(m.SetPassable(c, rnd.IntN(2) == 0))
				}
			}
			if rnd.IntN(6) == 0 { // more than is remembered
				for range 3000 {
					c := randomCell(rnd, m)
					must(m.SetPassable(c, !m.Passable(c)))
				}
			}
			next, err := h.Update(ctx)
			must(err)
			fresh := o
			fresh.Workers = 1 + rnd.IntN(3)
			want := newHierarchy(t, g, &fresh)
			if next.Version() != want.Version() || next.Stale() || next.Gates() != want.Gates() || next.Bytes() != want.Bytes() {
				t.Fatalf("round %d: version %d, %d gates, %d bytes; fresh %d, %d, %d", round, next.Version(), next.Gates(),
					next.Bytes(), want.Version(), want.Gates(), want.Bytes())
			}
			if a, b := answers(next, q, pairs), answers(want, q, pairs); !reflect.DeepEqual(a, b) {
				t.Fatalf("round %d: updated\n%v, fresh\n%v", round, a, b)
			}
			if after := answers(h, q, pairs); !reflect.DeepEqual(before, after) {
				t.Fatalf("round %d: the old hierarchy has changed its answers", round)
			}
			h = next
		}
	}
}

// TestHierarchyShared: goroutines search one hierarchy while its ground is edited
// and the next one made.
func TestHierarchyShared(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(9, 9))
	m := roomyMap(rnd, 60, false)
	h := newHierarchy(t, m, &grid.HierarchyOptions{Cluster: 16})
	for range 4 {
		pairs := randomPairs(rnd, m, 12)
		want := answers(h, grid.NewQuery(), pairs)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got := answers(h, grid.NewQuery(), pairs); !reflect.DeepEqual(got, want) {
					t.Errorf("shared: %v, alone: %v", got, want)
				}
			})
		}
		for range 20 {
			c := randomCell(rnd, m)
			must(m.SetPassable(c, !m.Passable(c)))
		}
		next, err := h.Update(context.Background())
		must(err)
		wg.Wait()
		h = next
	}
}

// TestHierarchyNearest: a partial route ends at a cell no farther from the
// goal than any that can be reached.
func TestHierarchyNearest(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 1))
	q := grid.NewQuery()
	seen := 0
	for round := range many(80, 150) {
		m := randomMap(rnd, 50, round%3 == 0)
		mv := everyMove()[round%len(everyMove())]
		h := newHierarchy(t, m, &grid.HierarchyOptions{Moves: mv, Cluster: 8, Ratio: 1})
		from := randomCell(rnd, m)
		w, ht := m.Size()
		to := grid.Cell{X: int32(rnd.IntN(w)), Y: int32(rnd.IntN(ht))}
		r, err := h.Find(context.Background(), q, from, to, &grid.HierarchyFind{Partial: true})
		must(err)
		want, err := grid.NewQuery().Find(context.Background(), m, from, to, &grid.Options{Moves: mv, Partial: true})
		must(err)
		if r.Status != want.Status || !(r.Gap == want.Gap || math.IsNaN(r.Gap) && math.IsNaN(want.Gap)) {
			t.Fatalf("round %d %v: %v, gap %v; A*: %v, %v", round, mv, r.Status, r.Gap, want.Status, want.Gap)
		}
		if math.IsNaN(r.Gap) {
			continue
		}
		if r.Gap > 0 {
			seen++
		}
		if r.Cost < want.Cost || r.Cost > want.Cost*(1+1e-6) {
			t.Fatalf("round %d %v: cost %v, A* %v", round, mv, r.Cost, want.Cost)
		}
		if err := checkPath(m, &r.Result, from, r.Path[len(r.Path)-1], mv); err != nil {
			t.Fatal(err)
		}
	}
	if seen < 10 {
		t.Fatalf("only %d partial routes", seen)
	}
}

func TestHierarchyRefused(t *testing.T) {
	m, err := grid.New(40, 40)
	must(err)
	must(m.Fill(grid.Cell{}, grid.Cell{X: 39, Y: 39}, true))
	ctx := context.Background()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for name, o := range map[string]grid.HierarchyOptions{
		"moves":        {Moves: grid.Moves{Corners: 9}},
		"cluster":      {Cluster: 7},
		"big cluster":  {Cluster: 257},
		"ratio":        {Ratio: 0.9},
		"ratio NaN":    {Ratio: math.NaN()},
		"ratio large":  {Ratio: 4.5},
		"memory below": {MaxBytes: -1},
	} {
		if _, err := grid.NewHierarchy(ctx, m, &o); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := grid.NewHierarchy(ctx, nil, nil); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("no ground: %v", err)
	}
	if _, err := grid.NewHierarchy(ended, m, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	if _, err := grid.NewHierarchy(ctx, m, &grid.HierarchyOptions{MaxBytes: 100}); !errors.Is(err, grid.ErrHierarchy) {
		t.Errorf("100 bytes: %v", err)
	}
	done := 0
	h := newHierarchy(t, m, &grid.HierarchyOptions{Cluster: 8, Progress: func(n, total int) {
		if done++; done <= 25 && (n != done || total != 25) {
			t.Errorf("progress %d of %d after %d", n, total, done-1)
		}
	}})
	if done != 25 {
		t.Errorf("progress ended at %d", done)
	}
	q := grid.NewQuery()
	if _, err := q.Find(ctx, m, grid.Cell{}, grid.Cell{}, &grid.Options{Algorithm: grid.Hierarchical}); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("a query as a hierarchy: %v", err)
	}
	must(m.SetPassable(grid.Cell{X: 3, Y: 3}, false))
	h, err = h.Update(ctx)
	must(err)
	if done != 26 {
		t.Errorf("%d clusters made for one edited cell", done-25)
	}
	for _, c := range []struct {
		from, to grid.Cell
		want     grid.Status
	}{
		{grid.Cell{X: -1}, grid.Cell{}, grid.Outside},
		{grid.Cell{}, grid.Cell{Y: 40}, grid.Outside},
		{grid.Cell{X: 3, Y: 3}, grid.Cell{}, grid.StartBlocked},
		{grid.Cell{}, grid.Cell{X: 3, Y: 3}, grid.GoalBlocked},
		{grid.Cell{}, grid.Cell{}, grid.Complete},
	} {
		r, err := h.Find(ctx, q, c.from, c.to, &grid.HierarchyFind{Lower: true})
		if err != nil || r.Status != c.want || (r.Status == grid.Complete) != (len(r.Path) == 1) {
			t.Errorf("%v-%v: %v, %v, path %v", c.from, c.to, r.Status, err, r.Path)
		}
	}
}

func TestHierarchyAllocatesNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 2))
	for _, weighted := range []bool{false, true} {
		m := roomyMap(rnd, 120, weighted)
		h := newHierarchy(t, m, &grid.HierarchyOptions{Cluster: 16})
		pairs := randomPairs(rnd, m, 10)
		q := grid.NewQuery()
		var r grid.HierarchyResult
		run := func() {
			for _, p := range pairs {
				must(h.FindInto(context.Background(), q, &r, p[0], p[1], &grid.HierarchyFind{Lower: true}))
			}
		}
		run()
		if n := testing.AllocsPerRun(5, run); n > 0 {
			t.Errorf("weighted %v: %v allocations", weighted, n)
		}
	}
}
