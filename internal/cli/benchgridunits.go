package cli

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// gridBenchUnits is one thing that many units share.
type gridBenchUnits struct {
	What  string  `json:"what"`
	Mean  float64 `json:"ms"`
	Notes string  `json:"notes"`
}

// units times flow fields, walking on them, and the cache of routes.
func (b *gridBench) units(ctx context.Context) error {
	side := min(1024, 64*b.Pairs) // smaller for a quick look
	plain, err := sample.Plain(side, side, b.Seed)
	if err != nil {
		return err
	}
	mixed, err := sample.Mixed(side, side, b.Seed)
	if err != nil {
		return err
	}
	terrain := plain.Clone()
	rng := rand.New(rand.NewPCG(b.Seed, 6))
	for range side * side / 700 {
		x, y, cost := int32(rng.IntN(side-16)), int32(rng.IntN(side-16)), 1+3*rng.Float64()
		for i := range int32(256) {
			if err := terrain.SetCost(grid.Cell{X: x + i%16, Y: y + i/16}, cost); err != nil {
				return err
			}
		}
	}
	goal := grid.Cell{X: int32(side / 2), Y: int32(side / 2)}
	for _, f := range []struct {
		name string
		m    *grid.Map
	}{{"plain", plain}, {"mixed", mixed}, {"plain with costs in patches", terrain}} {
		if err := f.m.Fill(goal, goal, true); err != nil {
			return err
		}
		var flow grid.Flow
		whole := func() error {
			if err := flow.Begin(f.m, []grid.Cell{goal}, grid.Moves{}); err != nil {
				return err
			}
			return flow.Fill(ctx)
		}
		best, err := b.best(ctx, whole)
		if err != nil {
			return err
		}
		b.Units = append(b.Units, gridBenchUnits{fmt.Sprintf("flow field, %s %d x %d", f.name, side, side), best, fmt.Sprintf("%d cells", flow.Known())})
		near := grid.Cell{X: goal.X + 60, Y: goal.Y}
		for _, ok := flow.Cost(near); !ok && int(near.X) < side-1; _, ok = flow.Cost(near) {
			near.X++
		}
		best, err = b.best(ctx, func() error {
			if err := flow.Begin(f.m, []grid.Cell{goal}, grid.Moves{}); err != nil {
				return err
			}
			return flow.Reach(ctx, near)
		})
		if err != nil {
			return err
		}
		b.Units = append(b.Units, gridBenchUnits{fmt.Sprintf("as far as a unit %d cells away", near.X-goal.X), best, fmt.Sprintf("%d cells", flow.Known())})
		if f.m != mixed {
			continue
		}
		if err := whole(); err != nil {
			return err
		}
		units := make([]grid.Point, 10000)
		for i := range units {
			units[i] = grid.Point{X: rng.Float64() * float64(side), Y: rng.Float64() * float64(side)}
		}
		var walked grid.Walked
		best, err = b.best(ctx, func() (err error) {
			walked, err = flow.Walk(units, 0.33)
			return err
		})
		if err != nil {
			return err
		}
		b.Units = append(b.Units, gridBenchUnits{"10,000 units go on by a third of a cell", best, fmt.Sprintf("%d on their way", walked.Moving)})
	}
	return b.cache(ctx)
}

// cache sends 100 units that stand together to goals that lie together, once by
// a search for each, once over a cache of routes.
func (b *gridBench) cache(ctx context.Context) error {
	m, err := sample.Mixed(500, 500, b.Seed)
	if err != nil {
		return err
	}
	pairs := sample.Pairs(m, 1000, b.Seed)
	for len(pairs) > 1 && (pairs[0].From.X > 200 || pairs[0].To.X < 300) {
		pairs = pairs[1:] // the first that goes into the town
	}
	var islands grid.Islands
	if err := islands.Label(m, grid.Moves{}); err != nil {
		return err
	}
	around := func(c grid.Cell) (near []grid.Cell) {
		for i := range int32(20 * 20) {
			if at := (grid.Cell{X: c.X - 10 + i%20, Y: c.Y - 10 + i/20}); islands.Connected(c, at) && len(near) < 100 {
				near = append(near, at)
			}
		}
		return near
	}
	from, to := around(pairs[0].From), around(pairs[0].To)
	n := min(len(from), len(to))
	q := grid.NewQuery()
	var r grid.Result
	nodes := 0
	alone, err := b.best(ctx, func() error {
		nodes = 0
		for i := range n {
			if err := q.FindInto(ctx, &r, m, from[i], to[i], &grid.Options{Algorithm: grid.JPS}); err != nil {
				return err
			}
			nodes += r.Expanded
		}
		return nil
	})
	if err != nil {
		return err
	}
	var stats grid.CacheStats
	opts := &grid.CacheOptions{Search: grid.Options{Algorithm: grid.JPS}}
	shared, err := b.best(ctx, func() error {
		c, err := grid.NewRouteCache(m, opts)
		if err != nil {
			return err
		}
		for i := range n {
			if _, err := c.Find(ctx, from[i], to[i], 0); err != nil {
				return err
			}
		}
		stats = c.Stats()
		return nil
	})
	if err != nil {
		return err
	}
	// A game keeps its cache: then the memory of searches and the islands are
	// there, only the routes are found anew, since those of the pass before are
	// too old.
	c, err := grid.NewRouteCache(m, opts)
	if err != nil {
		return err
	}
	tick := int64(0)
	kept, err := b.best(ctx, func() error {
		tick += 1000
		for i := range n {
			if _, err := c.Find(ctx, from[i], to[i], tick); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.Units = append(b.Units,
		gridBenchUnits{fmt.Sprintf("%d units, a search each", n), alone, fmt.Sprintf("%d searches, %d nodes", n, nodes)},
		gridBenchUnits{fmt.Sprintf("%d units, routes shared over a new cache", n), shared, "the cache's own islands and memory included"},
		gridBenchUnits{fmt.Sprintf("%d units, routes shared", n), kept,
			fmt.Sprintf("%d searches, %d routes shared, %d searches nearby", stats.Searches, stats.Hits, stats.Links)},
	)
	return nil
}

// best returns the time of the fastest pass in milliseconds; the first, which
// takes the memory, does not count.
func (b *gridBench) best(ctx context.Context, run func() error) (float64, error) {
	best := time.Duration(0)
	for pass := range b.Passes + 1 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		begin := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		if took := time.Since(begin); pass == 1 || pass > 1 && took < best {
			best = took
		}
	}
	return float64(best.Nanoseconds()) / 1e6, nil
}

func (b *gridBench) printUnits(e *env) error {
	rows := [][]string{{"many units", "ms", ""}}
	for _, u := range b.Units {
		rows = append(rows, []string{u.What, figure(u.Mean), u.Notes})
	}
	return table(e.stdout, "lrl", rows)
}
