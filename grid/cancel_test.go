package grid_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"wend/grid"
)

// fewLooks is a context that has ended once it was looked at so many times.
type fewLooks struct {
	context.Context
	left atomic.Int64
}

func looks(ctx context.Context, n int) *fewLooks {
	f := &fewLooks{Context: ctx}
	f.left.Store(int64(n))
	return f
}

func (f *fewLooks) Err() error {
	if f.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// TestJumpTableAfterCancel: an update that was broken off is made up for by the
// next, though by then the straight jumps around the edit are right already.
func TestJumpTableAfterCancel(t *testing.T) {
	m := parse(t,
		"...#..",
		"..#.##",
		"...##.",
		".....#",
		"......",
		"....#.")
	table := newTable(t, m, grid.Moves{})
	must(m.SetPassable(grid.Cell{X: 5, Y: 3}, true))
	if err := table.Update(looks(t.Context(), 0)); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	o := &grid.Options{Algorithm: grid.JPSPlus, Jumps: table}
	q, from, to := grid.NewQuery(), grid.Cell{}, grid.Cell{X: 5, Y: 2}
	if _, err := q.Find(t.Context(), m, from, to, o); !errors.Is(err, grid.ErrTable) {
		t.Errorf("searched with a half updated table: %v", err)
	}
	must(table.Update(t.Context()))
	got, err := q.Find(t.Context(), m, from, to, o)
	must(err)
	want, err := q.Find(t.Context(), m, from, to, nil)
	must(err)
	if got.Status != grid.Complete || got.Cost != want.Cost {
		t.Errorf("%v %v, A* %v %v", got.Status, got.Cost, want.Status, want.Cost)
	}
}

// TestCancelledUpdates: what was broken off at any look at the context, and
// then carried on or begun again after more edits, is what fresh objects are.
func TestCancelledUpdates(t *testing.T) {
	t.Parallel()
	for _, mv := range []grid.Moves{{}, {Corners: grid.OneFree}, {Corners: grid.Always}, {Neighbours: grid.Four}} {
		rnd := rand.New(rand.NewPCG(5, uint64(mv.Corners)))
		broken := 0
		for range many(6, 60) {
			m := randomMap(rnd, 40, false)
			ground := grid.Ground(m)
			over := grid.NewOverlay(m)
			if rnd.IntN(2) == 0 {
				ground = over
			}
			table := newTable(t, ground, mv)
			h := newHierarchy(t, ground, &grid.HierarchyOptions{Moves: mv, Cluster: 8, Workers: 1})
			cache, err := grid.NewRouteCache(ground, &grid.CacheOptions{Search: grid.Options{Moves: mv}, Block: 4})
			must(err)
			q := grid.NewQuery()
			for range 12 {
				for range 1 + rnd.IntN(3) {
					c := randomCell(rnd, m)
					must(m.SetPassable(c, !m.Passable(c)))
					must(over.Set(randomCell(rnd, m), rnd.IntN(2) == 0))
				}
				if table.Update(looks(t.Context(), rnd.IntN(12))) != nil {
					broken++
				}
				if next, err := h.Update(looks(t.Context(), rnd.IntN(4))); err == nil {
					h = next
				}
				_, _ = cache.Find(looks(t.Context(), rnd.IntN(3)), randomCell(rnd, m), randomCell(rnd, m), 0)
				if rnd.IntN(2) == 0 {
					continue
				}
				must(table.Update(t.Context()))
				h, err = h.Update(t.Context())
				must(err)
				fresh := newHierarchy(t, ground, &grid.HierarchyOptions{Moves: mv, Cluster: 8, Workers: 1})
				for range 30 {
					from, to := randomCell(rnd, m), randomCell(rnd, m)
					want, err := q.Find(t.Context(), ground, from, to, &grid.Options{Moves: mv})
					must(err)
					got, err := q.Find(t.Context(), ground, from, to, &grid.Options{Algorithm: grid.JPSPlus, Moves: mv, Jumps: table})
					must(err)
					if got.Status != want.Status || got.Cost != want.Cost {
						t.Fatalf("%v: table after broken updates: %v -> %v %v %v, want %v %v\n%s", mv, from, to, got.Status, got.Cost, want.Status, want.Cost, draw(m))
					}
					near, err := h.Find(t.Context(), q, from, to, nil)
					must(err)
					again, err := fresh.Find(t.Context(), q, from, to, nil)
					must(err)
					if near.Status != want.Status || near.Cost != again.Cost {
						t.Fatalf("%v: hierarchy after broken updates: %v %v, fresh %v %v", mv, near.Status, near.Cost, again.Status, again.Cost)
					}
					shared, err := cache.Find(t.Context(), from, to, 0)
					must(err)
					if shared.Status != want.Status || shared.Cost < want.Cost-1e-9 {
						t.Fatalf("%v: cache after broken calls: %v %v, want %v %v", mv, shared.Status, shared.Cost, want.Status, want.Cost)
					}
				}
			}
		}
		if broken == 0 {
			t.Error("no update was broken off")
		}
	}
}

// TestCancelledFlow: a field whose wave was stopped at every look goes on to
// what it is without a stop.
func TestCancelledFlow(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	m := randomMap(rnd, 90, false)
	goals := []grid.Cell{randomCell(rnd, m), randomCell(rnd, m), randomCell(rnd, m), randomCell(rnd, m)}
	var whole, parts grid.Flow
	must(whole.Begin(m, goals, grid.Moves{}))
	must(whole.Fill(t.Context()))
	must(parts.Begin(m, goals, grid.Moves{}))
	stops := 0
	for n := 0; ; n++ {
		err := parts.Fill(looks(t.Context(), n%2))
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	if stops == 0 {
		t.Error("the wave was never stopped")
	}
	for c := range m.Cells() {
		a, okA := whole.Next(c)
		b, okB := parts.Next(c)
		if a != b || okA != okB {
			t.Fatalf("%v: next %v %v, in one go %v %v", c, b, okB, a, okA)
		}
	}
}

// TestNewJumpTableLooks: the context is looked at all along, also where the
// neighbours are four.
func TestNewJumpTableLooks(t *testing.T) {
	m := openMap(t, 128, 128)
	for mv, least := range map[grid.Moves]int{{}: 8, {Neighbours: grid.Four}: 4} {
		n := 0
		for ; n < 100; n++ {
			_, err := grid.NewJumpTable(looks(t.Context(), n), m, mv)
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if n < least || n == 100 {
			t.Errorf("%v: %d looks at the context", mv, n)
		}
	}
}
