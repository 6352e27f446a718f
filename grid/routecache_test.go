package grid_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// TestRouteCacheGroup sends a hundred units that stand together to a hundred
// cells that lie together: at least 70 of them must do without a search.
func TestRouteCacheGroup(t *testing.T) {
	m := openMap(t, 300, 200)
	rnd := rand.New(rand.NewPCG(2, 9))
	for range 250 {
		x, y := int32(rnd.IntN(290)), int32(rnd.IntN(190))
		must(m.Fill(grid.Cell{X: x, Y: y}, grid.Cell{X: x + int32(rnd.IntN(8)), Y: y + int32(rnd.IntN(8))}, false))
	}
	ctx := context.Background()
	c, err := grid.NewRouteCache(m, nil)
	must(err)
	q := grid.NewQuery()
	calls, full, cost, least := 0, 0, 0.0, 0.0
	for i := range 100 {
		from := grid.Cell{X: 20 + int32(i%10), Y: 60 + int32(i/10)}
		to := grid.Cell{X: 260 + int32(rnd.IntN(10)), Y: 120 + int32(rnd.IntN(10))}
		got, err := c.Find(ctx, from, to, int64(i/10))
		must(err)
		want, err := q.Find(ctx, m, from, to, nil)
		must(err)
		if got.Status != want.Status {
			t.Fatalf("unit %d: %v, a search says %v", i, got.Status, want.Status)
		}
		if got.Status != grid.Complete {
			continue
		}
		calls++
		if n := grid.Walkable(m, got.Path, grid.Moves{}); n != len(got.Path) || got.Path[0] != from || got.Path[n-1] != to {
			t.Fatalf("unit %d: path from %v to %v breaks at %d: %v", i, from, to, n, got.Path)
		}
		if got.Cost < want.Cost || m.PathCost(got.Path, grid.Moves{}) != got.Cost {
			t.Fatalf("unit %d: cost %v, least %v", i, got.Cost, want.Cost)
		}
		full += want.Expanded
		cost, least = cost+got.Cost, least+want.Cost
	}
	s := c.Stats()
	t.Logf("%d calls: %+v, %.2f %% longer", calls, s, 100*(cost/least-1))
	if calls < 60 || s.Hits < calls*7/10 || s.Searches > calls*3/10 || s.Searches+s.Hits < calls {
		t.Errorf("%d calls: %+v", calls, s)
	}
	if cost > 1.05*least {
		t.Errorf("shared routes cost %v, the least is %v", cost, least)
	}
}

// TestRouteCacheRules: life, versions, islands and the ring.
func TestRouteCacheRules(t *testing.T) {
	m := openMap(t, 200, 30)
	must(m.Fill(grid.Cell{X: 190}, grid.Cell{X: 190, Y: 29}, false))
	ctx := context.Background()
	c, err := grid.NewRouteCache(m, &grid.CacheOptions{Life: 10, Routes: 2})
	must(err)
	find := func(from, to grid.Cell, tick int64, want grid.CacheStats) {
		t.Helper()
		before := c.Stats()
		_, err := c.Find(ctx, from, to, tick)
		must(err)
		s := c.Stats()
		if s.Hits-before.Hits != want.Hits || s.Searches-before.Searches != want.Searches || s.Negatives-before.Negatives != want.Negatives {
			t.Errorf("%v to %v at %d: %+v after %+v", from, to, tick, s, before)
		}
	}
	search, hit := grid.CacheStats{Searches: 1}, grid.CacheStats{Hits: 1}
	a, b := grid.Cell{X: 3, Y: 3}, grid.Cell{X: 150, Y: 20}
	find(a, b, 100, search)
	find(grid.Cell{X: 5, Y: 9}, grid.Cell{X: 152, Y: 22}, 110, hit)
	find(a, b, 99, search) // before it was found
	find(a, b, 111, search)
	find(grid.Cell{X: 40, Y: 3}, b, 111, search) // starts elsewhere
	find(a, grid.Cell{X: 195, Y: 3}, 111, grid.CacheStats{Negatives: 1})
	find(a, b, 111, hit) // two routes back: still in the ring
	find(grid.Cell{X: 80, Y: 3}, grid.Cell{X: 1, Y: 1}, 111, search)
	find(a, b, 111, search) // pushed out
	must(m.SetPassable(grid.Cell{X: 190, Y: 5}, true))
	find(a, b, 111, search) // an edit
	find(a, grid.Cell{X: 195, Y: 3}, 111, search)

	for _, o := range []grid.CacheOptions{{Block: 1}, {Block: 257}, {Life: -1}, {Routes: -1}, {Search: grid.Options{Algorithm: grid.Theta}}, {Search: grid.Options{MaxNodes: -1}}} {
		if _, err := grid.NewRouteCache(m, &o); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestRouteCacheAnywhere: on random ground, under every kind of move, what comes
// out can be walked and says what a search says.
func TestRouteCacheAnywhere(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	hits := 0
	rounds := many(16, 60)
	for round := range rounds {
		m := randomMap(rnd, 60, round%2 == 0)
		mv := everyMove()[round%len(everyMove())]
		c, err := grid.NewRouteCache(m, &grid.CacheOptions{Search: grid.Options{Moves: mv}, Block: 4})
		must(err)
		for range 80 {
			from, to := randomCell(rnd, m), randomCell(rnd, m)
			got, err := c.Find(ctx, from, to, 0)
			must(err)
			want, err := grid.NewQuery().Find(ctx, m, from, to, &grid.Options{Moves: mv})
			must(err)
			if got.Status != want.Status {
				t.Fatalf("%v: %v to %v: %v, want %v", mv, from, to, got.Status, want.Status)
			}
			if got.Status != grid.Complete {
				continue
			}
			if n := grid.Walkable(m, got.Path, mv); n != len(got.Path) || got.Path[0] != from || got.Path[n-1] != to {
				t.Fatalf("%v: %v to %v breaks at %d: %v", mv, from, to, n, got.Path)
			}
			if got.Cost < want.Cost-1e-9 || math.IsNaN(got.Cost) {
				t.Fatalf("%v: cost %v, least %v", mv, got.Cost, want.Cost)
			}
		}
		hits += c.Stats().Hits
	}
	if hits < rounds/2 {
		t.Errorf("only %d hits: the test looks at nothing", hits)
	}
}

// TestRouteCacheLimit: a shared route that is dearer than the limit for one of
// its users is not given to them.
func TestRouteCacheLimit(t *testing.T) {
	m := openMap(t, 120, 40)
	cache, err := grid.NewRouteCache(m, &grid.CacheOptions{Search: grid.Options{MaxCost: 90}})
	must(err)
	for _, c := range []struct {
		x      int32
		status grid.Status
	}{{10, grid.Complete}, {6, grid.Complete}, {4, grid.TooFar}, {9, grid.Complete}} {
		r, err := cache.Find(t.Context(), grid.Cell{X: c.x, Y: 20}, grid.Cell{X: 95, Y: 20}, 0)
		must(err)
		if r.Status != c.status || r.Cost > 90 {
			t.Errorf("from column %d: %v, cost %v", c.x, r.Status, r.Cost)
		}
	}
	if s := cache.Stats(); s.Hits != 2 {
		t.Errorf("%+v", s)
	}
}
