package grid_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"wend/grid"
)

// worker is one goroutine of a game: what it keeps from one tick to the next.
type worker struct {
	rnd     *rand.Rand
	mv      grid.Moves
	query   *grid.Query
	flow    grid.Flow
	islands map[grid.Ground]*grid.Islands
	caches  map[grid.Ground]*grid.RouteCache
	begun   grid.Ground // of a search that was begun at an earlier tick
	version uint64
}

// live is a map that is edited while workers search it.
type live struct {
	mu     sync.RWMutex
	m      *grid.Map
	over   *grid.Overlay
	tables map[grid.Ground]*grid.JumpTable
}

// edit changes a few cells of the map and of the overlay.
func (l *live) edit(rnd *rand.Rand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for range 1 + rnd.IntN(6) {
		c := randomCell(rnd, l.m)
		switch rnd.IntN(6) {
		case 0, 1, 2:
			must(l.m.SetPassable(c, rnd.IntN(2) == 0))
		case 3, 4:
			must(l.over.Set(c, rnd.IntN(2) == 0))
		case 5:
			must(l.over.Clear(c))
		}
	}
	for _, t := range l.tables {
		must(t.Update(context.Background()))
	}
}

// look compares everything a worker keeps with fresh objects on a copy of the
// ground.
func (w *worker) look(l *live) error {
	l.mu.RLock()
	defer l.mu.RUnlock()
	ctx := context.Background()
	var g grid.Ground = l.m
	if w.rnd.IntN(2) == 0 {
		g = l.over
	}
	fresh := rebuilt(g)
	from, to := randomCell(w.rnd, l.m), randomCell(w.rnd, l.m)

	if w.begun != nil && w.begun.Version() != w.version { // the edit since then ends it
		done, err := w.query.Step(ctx, 1)
		var r grid.Result
		if err == nil {
			err = w.query.Result(&r)
		}
		if err != nil || !done || r.Status != grid.Stale {
			return fmt.Errorf("a search from before the edit: done %v, %v, %v", done, r.Status, err)
		}
	}

	for _, a := range everyAlgorithm {
		if !a.Serves(w.mv, false) {
			continue
		}
		o := &grid.Options{Algorithm: a, Moves: w.mv, Partial: w.rnd.IntN(2) == 0}
		f := *o
		if a == grid.JPSPlus {
			table, err := grid.NewJumpTable(ctx, fresh, w.mv)
			if err != nil {
				return err
			}
			o.Jumps, f.Jumps = l.tables[g], table
		}
		want, err := grid.NewQuery().Find(ctx, fresh, from, to, &f)
		if err != nil {
			return err
		}
		got := new(grid.Result)
		if w.rnd.IntN(2) == 0 {
			err = w.query.FindInto(ctx, got, g, from, to, o)
		} else if err = w.query.Begin(g, from, to, o); err == nil {
			for done := false; !done && err == nil; {
				done, err = w.query.Step(ctx, 1+w.rnd.IntN(20))
			}
			if err == nil {
				err = w.query.Result(got)
			}
		}
		if err != nil {
			return err
		}
		if d := cmp.Diff(want, got, sameResult); d != "" {
			return fmt.Errorf("%v %v %v-%v on %T (-fresh +kept):\n%s", a, w.mv, from, to, g, d)
		}
	}

	var labels grid.Islands
	must(labels.Label(fresh, w.mv))
	kept := w.islands[g]
	if err := kept.Update(g, w.mv); err != nil {
		return err
	}
	if kept.Count() != labels.Count() || kept.Of(from) != labels.Of(from) || kept.Of(to) != labels.Of(to) {
		return fmt.Errorf("islands %d, %d, %d; fresh %d, %d, %d", kept.Count(), kept.Of(from), kept.Of(to), labels.Count(), labels.Of(from), labels.Of(to))
	}

	want, err := grid.NewQuery().Find(ctx, fresh, from, to, &grid.Options{Moves: w.mv})
	if err != nil {
		return err
	}
	// Twice, so that the second is shared where the first was kept.
	for range 2 {
		got, err := w.caches[g].Find(ctx, from, to, 0)
		if err != nil {
			return err
		}
		if got.Status != want.Status || got.Version != g.Version() {
			return fmt.Errorf("cached %v of version %d, fresh %v, version now %d", got.Status, got.Version, want.Status, g.Version())
		}
		if want.Status == grid.Complete {
			if n := grid.Walkable(fresh, got.Path, w.mv); n != len(got.Path) || got.Path[0] != from || got.Path[n-1] != to {
				return fmt.Errorf("cached way %v of %v-%v breaks at %d", got.Path, from, to, n)
			}
		}
	}

	if err := w.flow.Begin(g, []grid.Cell{to}, w.mv); err != nil {
		return err
	}
	if err := w.flow.Fill(ctx); err != nil {
		return err
	}
	var field grid.Flow
	if err := field.Begin(fresh, []grid.Cell{to}, w.mv); err != nil {
		return err
	}
	if err := field.Fill(ctx); err != nil {
		return err
	}
	for range 20 {
		c := randomCell(w.rnd, l.m)
		a, okA := w.flow.Cost(c)
		b, okB := field.Cost(c)
		nextA, _ := w.flow.Next(c)
		nextB, _ := field.Next(c)
		if a != b || okA != okB || nextA != nextB {
			return fmt.Errorf("flow at %v: %v %v %v, fresh %v %v %v", c, a, okA, nextA, b, okB, nextB)
		}
	}
	if w.rnd.IntN(2) == 0 && g.Passable(from) && g.Passable(to) && from != to {
		if err := w.query.Begin(g, from, to, &grid.Options{Moves: w.mv}); err != nil {
			return err
		}
		w.begun, w.version = g, g.Version()
	} else {
		w.begun = nil
	}
	return nil
}

// TestLive: while a map and an overlay on it are edited between the ticks,
// goroutines that share them, each with a query, labels, caches of routes and a
// flow field that it keeps, find what fresh objects find; searches made at once
// and in slices alike.
func TestLive(t *testing.T) {
	t.Parallel()
	ticks := 4
	if os.Getenv("WEND_LONG") != "" {
		ticks = 200
	}
	for i, mv := range everyMove() {
		rnd := rand.New(rand.NewPCG(20, uint64(i)))
		m := openMap(t, 26, 22)
		for range 26 * 22 / 5 {
			must(m.SetPassable(randomCell(rnd, m), false))
		}
		l := &live{m: m, over: grid.NewOverlay(m), tables: map[grid.Ground]*grid.JumpTable{}}
		grounds := []grid.Ground{l.m, l.over}
		if grid.JPSPlus.Serves(mv, false) {
			for _, g := range grounds {
				l.tables[g] = newTable(t, g, mv)
			}
		}
		workers := make([]*worker, 3)
		for k := range workers {
			w := &worker{rnd: rand.New(rand.NewPCG(uint64(i), uint64(k))), mv: mv, query: grid.NewQuery(),
				islands: map[grid.Ground]*grid.Islands{}, caches: map[grid.Ground]*grid.RouteCache{}}
			for _, g := range grounds {
				c, err := grid.NewRouteCache(g, &grid.CacheOptions{Search: grid.Options{Moves: mv}, Block: 3})
				must(err)
				w.islands[g], w.caches[g] = &grid.Islands{}, c
			}
			workers[k] = w
		}
		for range ticks {
			l.edit(rnd)
			faults := make([]error, len(workers))
			var wg sync.WaitGroup
			for k, w := range workers {
				wg.Add(1)
				go func() {
					defer wg.Done()
					faults[k] = w.look(l)
				}()
			}
			wg.Wait()
			for _, err := range faults {
				if err != nil {
					t.Fatalf("%v: %v", mv, err)
				}
			}
		}
		hits := 0
		for _, w := range workers {
			for _, c := range w.caches {
				hits += c.Stats().Hits + c.Stats().Negatives
			}
		}
		if hits == 0 {
			t.Errorf("%v: no cache answered", mv)
		}
	}
}
