package cli

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// The searches on grids, compared on maps of our own making: what is printed
// depends on the seed alone, but for the times.

type gridBench struct {
	Go         string            `json:"go"`
	Arch       string            `json:"arch"`
	Processors int               `json:"processors"`
	Passes     int               `json:"passes"`
	Pairs      int               `json:"pairs"`
	Seed       uint64            `json:"seed"`
	Searches   []gridBenchSearch `json:"searches"`
	Decisions  []gridBenchChoice `json:"decisions"`
	Traces     []gridBenchTrace  `json:"traces"`
	Storage    []gridBenchStore  `json:"storage"`
	Units      []gridBenchUnits  `json:"units"`
}

// gridBenchSearch is one search on one map; the ratios are to A*.
type gridBenchSearch struct {
	Map       string  `json:"map"`
	Search    string  `json:"search"`
	Mean      float64 `json:"mean_us"`
	Nodes     float64 `json:"mean_nodes"`
	TimeRatio float64 `json:"time_of_astar"`
	NodeRatio float64 `json:"nodes_of_astar"`
	Length    float64 `json:"length_of_shortest"`
}

type gridBenchChoice struct {
	Map      string `json:"map"`
	Decision string `json:"decision"`
	Count    int    `json:"count"`
	Example  string `json:"example"`
}

type gridBenchMap struct {
	name  string
	m     *grid.Map
	pairs []sample.Pair
}

type gridBenchMake struct {
	name string
	make func() (*grid.Map, error)
}

// gridMaps makes the maps, each with its pairs.
func (c *benchCmd) gridMaps(of ...gridBenchMake) ([]gridBenchMap, error) {
	maps := make([]gridBenchMap, 0, len(of))
	for _, o := range of {
		m, err := o.make()
		if err != nil {
			return nil, err
		}
		maps = append(maps, gridBenchMap{o.name, m, sample.Pairs(m, c.Pairs, c.Seed)})
	}
	return maps, nil
}

func (c *benchCmd) grids(e *env) error {
	if c.Passes < 1 || c.Passes > 1000 || c.Pairs < 1 || c.Pairs > 10000 {
		return badInputf("--passes %d --pairs %d: want 1 to 1000 and 1 to 10000", c.Passes, c.Pairs)
	}
	b := gridBench{Go: runtime.Version(), Arch: runtime.GOARCH, Processors: runtime.NumCPU(), Passes: c.Passes, Pairs: c.Pairs, Seed: c.Seed}
	open, err := c.gridMaps(
		gridBenchMake{"plain 500 x 500", func() (*grid.Map, error) { return sample.Plain(500, 500, c.Seed) }},
		gridBenchMake{"maze 200 x 200", func() (*grid.Map, error) { return sample.Maze(200, 200, c.Seed) }},
		gridBenchMake{"mixed 500 x 500", func() (*grid.Map, error) { return sample.Mixed(500, 500, c.Seed) }},
	)
	if err != nil {
		return err
	}
	narrow, err := c.gridMaps(
		gridBenchMake{"corridor 120 x 30, 1 wide", func() (*grid.Map, error) { return sample.Corridor(120, 30, 1) }},
		gridBenchMake{"corridor 120 x 60, 3 wide", func() (*grid.Map, error) { return sample.Corridor(120, 60, 3) }},
		gridBenchMake{"maze 40 x 40", func() (*grid.Map, error) { return sample.Maze(40, 40, c.Seed) }},
	)
	if err != nil {
		return err
	}
	narrow = append(narrow, open[1])
	for i := range open {
		if err := b.searches(e.ctx, &open[i]); err != nil {
			return err
		}
	}
	for i := range narrow {
		if err := b.traces(e.ctx, &narrow[i]); err != nil {
			return err
		}
	}
	for i := range open {
		if err := b.storage(e.ctx, &open[i]); err != nil {
			return err
		}
	}
	if err := b.units(e.ctx); err != nil {
		return err
	}
	if c.JSON {
		return writeJSON(e.stdout, &b)
	}
	return b.print(e)
}

// contestant answers one pair. It returns how many nodes it expanded, and the
// length of its way.
type contestant struct {
	name string
	find func(p sample.Pair) (nodes int, cost float64, err error)
	best []time.Duration // of each pair, the best pass
	sum  int             // nodes
	cost float64         // lengths
}

// mean returns the mean over the pairs in microseconds.
func (c *contestant) mean() float64 {
	sum := time.Duration(0)
	for _, d := range c.best {
		sum += d
	}
	return float64(sum.Nanoseconds()) / 1000 / float64(len(c.best))
}

// run lets contestants take turns, pass by pass, so that what else the machine
// does meets all of them alike; of each pair the best pass counts. The first
// round is not timed: it takes the memory.
func (b *gridBench) run(ctx context.Context, pairs []sample.Pair, list []*contestant) error {
	for pass := range b.Passes + 1 {
		for _, c := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			sum, cost := 0, 0.0
			if pass == 0 {
				c.best = make([]time.Duration, len(pairs))
			}
			for i, p := range pairs {
				begin := time.Now()
				nodes, length, err := c.find(p)
				took := time.Since(begin)
				if err != nil {
					return err
				}
				sum, cost = sum+nodes, cost+length
				if pass == 1 || pass > 1 && took < c.best[i] {
					c.best[i] = took
				}
			}
			c.sum, c.cost = sum, cost
		}
	}
	return nil
}

func (b *gridBench) searches(ctx context.Context, g *gridBenchMap) error {
	jumps, err := grid.NewJumpTable(ctx, g.m, grid.Moves{})
	if err != nil {
		return err
	}
	list := []*contestant{
		searchContestant(ctx, "A*", g.m, grid.Options{}),
		searchContestant(ctx, "JPS", g.m, grid.Options{Algorithm: grid.JPS}),
		searchContestant(ctx, "JPS+", g.m, grid.Options{Algorithm: grid.JPSPlus, Jumps: jumps}),
	}
	for _, o := range []struct {
		name  string
		jumps *grid.JumpTable
	}{{"auto", nil}, {"auto, table", jumps}} {
		c, count, err := autoContestant(ctx, o.name, g.m, o.jumps)
		if err != nil {
			return err
		}
		list = append(list, c)
		if o.jumps == nil {
			for _, p := range g.pairs {
				if _, _, err := c.find(p); err != nil {
					return err
				}
			}
			b.Decisions = append(b.Decisions, count(g.name)...)
		}
	}
	if err := b.run(ctx, g.pairs, list); err != nil {
		return err
	}
	n := float64(len(g.pairs))
	for _, c := range list {
		b.Searches = append(b.Searches, gridBenchSearch{
			Map: g.name, Search: c.name, Mean: c.mean(), Nodes: float64(c.sum) / n,
			TimeRatio: c.mean() / list[0].mean(), NodeRatio: float64(c.sum) / float64(list[0].sum),
			Length: c.cost / list[0].cost,
		})
	}
	return nil
}

func searchContestant(ctx context.Context, name string, m *grid.Map, o grid.Options) *contestant {
	q := grid.NewQuery()
	var r grid.Result
	return &contestant{name: name, find: func(p sample.Pair) (int, float64, error) {
		if err := q.FindInto(ctx, &r, m, p.From, p.To, &o); err != nil {
			return 0, 0, err
		}
		if r.Status != grid.Complete {
			return 0, 0, fmt.Errorf("%s from %v to %v: %v", name, p.From, p.To, r.Status)
		}
		return r.Expanded, r.Cost, nil
	}}
}

// autoContestant is a selector with the presets. Each pair comes in frames of
// its own, so late that the answers before are forgotten. count tells the
// decisions so far.
func autoContestant(ctx context.Context, name string, m *grid.Map, jumps *grid.JumpTable) (*contestant, func(string) []gridBenchChoice, error) {
	s, err := grid.NewSelector(&grid.SelectorOptions{Jumps: jumps})
	if err != nil {
		return nil, nil, err
	}
	var r grid.SelectorResult
	var seen [grid.Waiting + 1]int
	var reason [grid.Waiting + 1]string
	now := time.Duration(0)
	counting := true
	find := func(p sample.Pair) (nodes int, cost float64, err error) {
		now += 2 * time.Second
		for frame := 0; ; frame++ {
			s.Frame(now)
			if err := s.FindInto(ctx, &r, m, p.From, p.To); err != nil {
				return 0, 0, err
			}
			nodes += r.Nodes
			if counting && frame == 0 {
				if seen[r.Decision]++; seen[r.Decision] == 1 {
					reason[r.Decision] = r.Reason()
				}
			}
			switch r.Status {
			case grid.Complete:
				return nodes, r.Cost, nil
			case grid.Unfinished:
			default:
				return 0, 0, fmt.Errorf("%s from %v to %v: %v", name, p.From, p.To, r.Status)
			}
		}
	}
	count := func(of string) (list []gridBenchChoice) {
		counting = false
		for d, n := range seen {
			if n > 0 {
				list = append(list, gridBenchChoice{of, grid.Decision(d).String(), n, reason[d]})
			}
		}
		return list
	}
	return &contestant{name: name, find: find}, count, nil
}

func (b *gridBench) print(e *env) error {
	fmt.Fprintf(e.stdout, "%s, %s, %d processors; %d pairs a map, best of %d, seed %d\n\n",
		b.Go, b.Arch, b.Processors, b.Pairs, b.Passes, b.Seed)
	rows := [][]string{{"map", "search", "mean µs", "of A*", "mean nodes", "of A*", "length"}}
	for _, s := range b.Searches {
		rows = append(rows, []string{s.Map, s.Search, figure(s.Mean), percent(s.TimeRatio), figure(s.Nodes), percent(s.NodeRatio), fmt.Sprintf("%.4f", s.Length)})
	}
	if err := table(e.stdout, "llrrrrr", rows); err != nil {
		return err
	}
	fmt.Fprintln(e.stdout)
	rows = [][]string{{"map", "auto", "count", "for example"}}
	for _, d := range b.Decisions {
		rows = append(rows, []string{d.Map, d.Decision, fmt.Sprint(d.Count), d.Example})
	}
	if err := table(e.stdout, "llrl", rows); err != nil {
		return err
	}
	fmt.Fprintln(e.stdout)
	if err := b.printTraces(e); err != nil {
		return err
	}
	fmt.Fprintln(e.stdout)
	if err := b.printStorage(e); err != nil {
		return err
	}
	fmt.Fprintln(e.stdout)
	return b.printUnits(e)
}

// figure writes a number with three digits that count.
func figure(v float64) string {
	switch a := math.Abs(v); {
	case a < 10:
		return fmt.Sprintf("%.2f", v)
	case a < 100:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f", v)
}

func percent(v float64) string { return figure(100*v) + " %" }
