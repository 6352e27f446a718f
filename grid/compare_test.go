package grid_test

import (
	"context"
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
