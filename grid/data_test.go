package grid_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
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

// every keeps at most n queries, evenly spread, and the first without a way.
func (s benchmarkSet) every(n int) []movingai.Scenario {
	k := max(1, (len(s.queries)+n-1)/n)
	var out []movingai.Scenario
	closed := slices.IndexFunc(s.queries, func(sc movingai.Scenario) bool { return !sc.Solvable() })
	for i, sc := range s.queries {
		if i%k == 0 || i == closed {
			out = append(out, sc)
		}
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
// algorithm to the same bit; and as long as the length is the limit, nothing
// is too far, while with a hair less it is.
func TestPublishedOptima(t *testing.T) {
	t.Parallel()
	names, per := []string{"Berlin_0_256", "den520d", "hrt000d"}, 4
	if os.Getenv("WEND_LONG") != "" {
		names, per = setNames(t), 1<<30
	} else {
		t.Log("a few queries of some maps; all of all with WEND_LONG=1")
	}
	q := grid.NewQuery()
	var r grid.Result
	total := 0
	for _, name := range names {
		s := loadSet(t, name)
		table := newTable(t, s.m, grid.Moves{})
		for _, sc := range s.every(per) {
			total++
			want := grid.Complete
			if !sc.Solvable() {
				want = grid.Unreachable
			}
			first := 0.0
			for _, a := range stepAlgorithms {
				o := &grid.Options{Algorithm: a, Jumps: table}
				find(t, q, &r, s.m, sc.Start, sc.End, o)
				if d := r.Cost - sc.Optimal; r.Status != want || d > sc.Tolerance || d < -sc.Tolerance {
					t.Errorf("%s line %d: %v: %v, cost %v; published %v", name, sc.Line, a, r.Status, r.Cost, sc.Optimal)
				}
				if a == grid.AStar {
					first = r.Cost
				} else if r.Cost != first {
					t.Errorf("%s line %d: %v costs %v, A* %v", name, sc.Line, a, r.Cost, first)
				}
				if want != grid.Complete || r.Cost == 0 || sc.Line%5 > 0 {
					continue
				}
				for limit, want := range map[float64]grid.Status{r.Cost: grid.Complete, r.Cost - 1e-6: grid.TooFar} {
					o.MaxCost = limit
					var again grid.Result
					find(t, q, &again, s.m, sc.Start, sc.End, o)
					if again.Status != want {
						t.Errorf("%s line %d: %v within %v: %v, want %v", name, sc.Line, a, limit, again.Status, want)
					}
				}
			}
		}
	}
	t.Logf("%d queries, each by %d algorithms", total, len(stepAlgorithms))
}
