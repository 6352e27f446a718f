package grid_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"wend/grid"
	"wend/grid/movingai"
	"wend/internal/wendtest"
)

// benchmarkSet is a map of the benchmark sets with its queries.
type benchmarkSet struct {
	name    string
	m       *grid.Map
	queries []movingai.Scenario
}

func loadSet(tb testing.TB, name string) benchmarkSet {
	tb.Helper()
	file := wendtest.Data(tb, "grids", name+".map")
	in, err := os.Open(file)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	m, err := movingai.ReadMap(in, nil)
	if err != nil {
		tb.Fatal(err)
	}
	scen, err := os.Open(file + ".scen")
	if err != nil {
		tb.Fatal(err)
	}
	defer scen.Close()
	list, err := movingai.ReadScenarios(scen)
	if err != nil {
		tb.Fatal(err)
	}
	if err := movingai.Check(m, list); err != nil {
		tb.Fatal(err)
	}
	return benchmarkSet{name, m, list}
}

func setNames(tb testing.TB) []string {
	files, err := filepath.Glob(filepath.Join(wendtest.Data(tb, "grids"), "*.map"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no maps: %v", err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".map"))
	}
	return names
}

// every keeps at most n queries, evenly spread.
func (s benchmarkSet) every(n int) []movingai.Scenario {
	k := max(1, (len(s.queries)+n-1)/n)
	var out []movingai.Scenario
	for i := 0; i < len(s.queries); i += k {
		out = append(out, s.queries[i])
	}
	return out
}

func find(tb testing.TB, q *grid.Query, r *grid.Result, g grid.Ground, from, to grid.Cell, o *grid.Options) {
	tb.Helper()
	if err := q.FindInto(context.Background(), r, g, from, to, o); err != nil {
		tb.Fatal(err)
	}
}

// TestPublishedOptima: the lengths of the benchmark sets are found, by every
// algorithm to the same bit.
func TestPublishedOptima(t *testing.T) {
	per := 12
	if os.Getenv("WEND_LONG") != "" {
		per = 1 << 30
	}
	q := grid.NewQuery()
	var r grid.Result
	for _, name := range setNames(t) {
		s := loadSet(t, name)
		for _, sc := range s.every(per) {
			find(t, q, &r, s.m, sc.Start, sc.End, &grid.Options{})
			want := grid.Complete
			if !sc.Solvable() {
				want = grid.Unreachable
			}
			if d := r.Cost - sc.Optimal; r.Status != want || d > sc.Tolerance || d < -sc.Tolerance {
				t.Errorf("%s line %d: %v, cost %v; published %v", name, sc.Line, r.Status, r.Cost, sc.Optimal)
			}
		}
	}
}
