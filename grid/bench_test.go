package grid_test

import (
	"context"
	"testing"
	"time"

	"wend/grid"
)

// benchSets are the maps whose figures are compared with other programs':
// every k-th query, at most 300 a map.
var benchSets = []string{
	"arena2", "brc202d", "AR0011SR", "maze512-1-0", "maze512-8-0", "random512-40-0",
	"8room_000", "Berlin_0_512", "Boston_0_1024", "Aurora",
}

func benchmarkSets(b *testing.B, setup func(m *grid.Map) *grid.Options) {
	for _, name := range benchSets {
		b.Run(name, func(b *testing.B) {
			s := loadSet(b, name)
			queries := s.every(300)
			opts := setup(s.m)
			q := grid.NewQuery()
			var r grid.Result
			run := func() (expanded int) {
				for _, sc := range queries {
					if err := q.FindInto(context.Background(), &r, s.m, sc.Start, sc.End, opts); err != nil {
						b.Fatal(err)
					}
					expanded += r.Expanded
				}
				return expanded
			}
			run() // takes the memory
			b.ReportAllocs()
			expanded := 0
			begin := time.Now()
			b.ResetTimer()
			for range b.N {
				expanded = run()
			}
			took := time.Since(begin)
			runs := float64(b.N)
			b.ReportMetric(float64(took.Microseconds())/runs/float64(len(queries)), "us/query")
			b.ReportMetric(float64(took.Nanoseconds())/runs/float64(expanded), "ns/expansion")
			b.ReportMetric(float64(expanded)/float64(len(queries)), "expansions/query")
		})
	}
}

func BenchmarkAStar(b *testing.B) {
	benchmarkSets(b, func(*grid.Map) *grid.Options { return &grid.Options{} })
}

func BenchmarkJPS(b *testing.B) {
	benchmarkSets(b, func(*grid.Map) *grid.Options { return &grid.Options{Algorithm: grid.JPS} })
}

func BenchmarkJPSPlus(b *testing.B) {
	benchmarkSets(b, func(m *grid.Map) *grid.Options {
		return &grid.Options{Algorithm: grid.JPSPlus, Jumps: newTable(b, m, grid.Moves{})}
	})
}

func BenchmarkAnyAngle(b *testing.B) {
	for _, a := range []grid.Algorithm{grid.Theta, grid.LazyTheta, grid.Anya} {
		b.Run(a.String(), func(b *testing.B) {
			benchmarkSets(b, func(*grid.Map) *grid.Options {
				return &grid.Options{Algorithm: a, Moves: grid.Moves{Corners: grid.OneFree}}
			})
		})
	}
}

// BenchmarkEdit is one cell changed, the table brought up to date, and one
// query.
func BenchmarkEdit(b *testing.B) {
	s := loadSet(b, "AR0011SR")
	table := newTable(b, s.m, grid.Moves{})
	q := grid.NewQuery()
	var r grid.Result
	sc := s.queries[len(s.queries)/2]
	c := grid.Cell{X: 200, Y: 200}
	b.ReportAllocs()
	for i := range b.N {
		must(s.m.SetPassable(c, i&1 == 0))
		must(table.Update(context.Background()))
		find(b, q, &r, s.m, sc.Start, sc.End, &grid.Options{Algorithm: grid.JPSPlus, Jumps: table})
	}
}

// BenchmarkJumpTable is a table made from scratch.
func BenchmarkJumpTable(b *testing.B) {
	s := loadSet(b, "AR0011SR")
	for range b.N {
		newTable(b, s.m, grid.Moves{})
	}
}
