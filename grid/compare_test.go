package grid_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// comparison is one of three maps that differ in kind, with a hundred pairs.
type comparison struct {
	name  string
	m     *grid.Map
	pairs []sample.Pair
	jumps *grid.JumpTable
}

func comparisons(tb testing.TB) []comparison {
	plain, err := sample.Plain(500, 500, 1)
	must(err)
	maze, err := sample.Maze(200, 200, 1)
	must(err)
	mixed, err := sample.Mixed(500, 500, 1)
	must(err)
	list := []comparison{{name: "plain", m: plain}, {name: "maze", m: maze}, {name: "mixed", m: mixed}}
	for i := range list {
		c := &list[i]
		c.pairs = sample.Pairs(c.m, 100, 1)
		c.jumps = newTable(tb, c.m, grid.Moves{})
	}
	return list
}

// TestCompareExpansions holds what is said of the searches on the three maps:
// jump point search expands at most a twentieth of A*'s nodes on the plain, a
// table changes nothing about that, and the selector expands no more than jump
// point search alone, at ways of at most twice the steps.
func TestCompareExpansions(t *testing.T) {
	t.Parallel()
	for _, c := range comparisons(t) {
		c.pairs = c.pairs[:many(6, len(c.pairs))]
		q := grid.NewQuery()
		sum := func(o *grid.Options) (nodes int, costs []float64) {
			var r grid.Result
			for _, p := range c.pairs {
				must(q.FindInto(t.Context(), &r, c.m, p.From, p.To, o))
				if r.Status != grid.Complete {
					t.Fatalf("%s: %v from %v to %v: %v", c.name, o.Algorithm, p.From, p.To, r.Status)
				}
				nodes, costs = nodes+r.Expanded, append(costs, r.Cost)
			}
			return nodes, costs
		}
		astar, least := sum(&grid.Options{})
		jps, same := sum(&grid.Options{Algorithm: grid.JPS})
		plus, also := sum(&grid.Options{Algorithm: grid.JPSPlus, Jumps: c.jumps})
		if !slices.Equal(least, same) || !slices.Equal(least, also) {
			t.Errorf("%s: the costs differ", c.name)
		}
		share := map[string]float64{"plain": 0.05, "maze": 0.35, "mixed": 0.05}[c.name]
		if float64(jps) > share*float64(astar) || plus > jps {
			t.Errorf("%s: A* expands %d nodes, JPS %d, JPS+ %d", c.name, astar, jps, plus)
		}
		for _, jumps := range []*grid.JumpTable{nil, c.jumps} {
			s, err := grid.NewSelector(&grid.SelectorOptions{Jumps: jumps, Frame: 1 << 30})
			must(err)
			nodes := 0
			for i, p := range c.pairs {
				r, err := s.Find(t.Context(), c.m, p.From, p.To)
				must(err)
				nodes += r.Nodes
				if r.Status != grid.Complete || r.Cost < least[i] || r.Decision != grid.Traced && r.Cost != least[i] {
					t.Fatalf("%s: %v to %v: %v cost %v, the least is %v: %s", c.name, p.From, p.To, r.Status, r.Cost, least[i], r.Reason())
				}
				if open := max(p.From.X-p.To.X, p.To.X-p.From.X, p.From.Y-p.To.Y, p.To.Y-p.From.Y); r.Decision == grid.Traced && len(r.Path)-1 > 2*int(open) {
					t.Errorf("%s: %d steps where open ground needs %d", c.name, len(r.Path)-1, open)
				}
			}
			if nodes > jps {
				t.Errorf("%s: the selector expands %d nodes, JPS alone %d", c.name, nodes, jps)
			}
		}
	}
}

// BenchmarkCompare times a hundred pairs by each search. The selector is put
// forward in time before each pass, so that it remembers nothing.
func BenchmarkCompare(b *testing.B) {
	for _, c := range comparisons(b) {
		q := grid.NewQuery()
		var r grid.Result
		for _, o := range []*grid.Options{{}, {Algorithm: grid.JPS}, {Algorithm: grid.JPSPlus, Jumps: c.jumps}} {
			b.Run(c.name+"/"+o.Algorithm.String(), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					for _, p := range c.pairs {
						must(q.FindInto(context.Background(), &r, c.m, p.From, p.To, o))
					}
				}
			})
		}
		for _, jumps := range []*grid.JumpTable{nil, c.jumps} {
			name := "/auto"
			if jumps != nil {
				name = "/auto+table"
			}
			b.Run(c.name+name, func(b *testing.B) {
				s, err := grid.NewSelector(&grid.SelectorOptions{Jumps: jumps})
				must(err)
				now := time.Duration(0)
				var r grid.SelectorResult
				b.ReportAllocs()
				for b.Loop() {
					for _, p := range c.pairs {
						now += 2 * time.Second
						for more := true; more; more = r.Status == grid.Unfinished {
							s.Frame(now)
							must(s.FindInto(context.Background(), &r, c.m, p.From, p.To))
						}
					}
				}
			})
		}
	}
}
