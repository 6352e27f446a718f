package cli

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"wend/grid"
	"wend/grid/movingai"
	"wend/grid/pngmap"
)

func (c *gridCmd) scenarios(e *env, m *grid.Map, s *gridSearch) (*gridRun, error) {
	f, err := os.Open(c.Scen)
	if err != nil {
		return nil, badInput(err)
	}
	defer f.Close()
	list, err := movingai.ReadScenarios(f)
	if err == nil {
		err = movingai.Check(m, list)
	}
	if err != nil {
		return nil, badInput(fmt.Errorf("%s: %w", c.Scen, err))
	}
	for _, sc := range list {
		if name := filepath.Base(c.Map); filepath.Base(sc.Map) != name {
			e.note("%s line %d is for a map named %s, not %s", c.Scen, sc.Line, filepath.Base(sc.Map), name)
			break
		}
	}
	run := &gridRun{Queries: len(list)}
	times := make([]time.Duration, 0, len(list))
	total := time.Duration(0)
	for _, sc := range list {
		begin := time.Now()
		r, err := s.find(e.ctx, sc.Start, sc.End)
		took := time.Since(begin)
		if err != nil {
			return nil, fmt.Errorf("%s line %d: %w", c.Scen, sc.Line, err)
		}
		times, total = append(times, took), total+took
		run.Expanded += r.Expanded
		wrong, err := s.disagrees(e.ctx, r, sc)
		if err != nil {
			return nil, fmt.Errorf("%s line %d: %w", c.Scen, sc.Line, err)
		}
		if wrong != "" {
			run.Mismatches++
			e.note("%s line %d: %s", c.Scen, sc.Line, wrong)
		}
	}
	if n := len(times); n > 0 {
		slices.Sort(times)
		us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }
		run.Mean, run.P50, run.P99 = us(total)/float64(n), us(times[n/2]), us(times[n*99/100])
	}
	if !c.JSON {
		fmt.Fprintf(e.stdout, "queries %d mismatches %d mean/p50/p99 %.1f/%.1f/%.1f us, expanded %d\n",
			run.Queries, run.Mismatches, run.Mean, run.P50, run.P99, run.Expanded)
	}
	return run, nil
}

func readGrid(file string) (*grid.Map, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := func() (*grid.Map, error) { return movingai.ReadMap(f, nil) }
	if strings.EqualFold(filepath.Ext(file), ".png") {
		read = func() (*grid.Map, error) { return pngmap.Read(f, nil) }
	}
	m, err := read()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return m, nil
}

// gridSearch is one of the searches the command can run.
type gridSearch struct {
	m        *grid.Map
	algo     string
	opts     grid.Options
	query    *grid.Query
	selector *grid.Selector

	hierarchy *grid.Hierarchy
	near      grid.HierarchyResult
	result    grid.Result
	least     grid.Result          // of the shortest way at any angle
	chosen    *grid.SelectorResult // by the selector
	body      *grid.Body           // of a unit larger than a cell
	narrow    [][2]int
	replaced  [][2]int
}

func newGridSearch(ctx context.Context, m *grid.Map, algo string, moves grid.Moves, unit int) (*gridSearch, error) {
	s := &gridSearch{m: m, algo: algo, query: grid.NewQuery(), opts: grid.Options{Moves: moves}}
	var err error
	switch algo {
	case "trace":
	case "hierarchy":
		s.hierarchy, err = grid.NewHierarchy(ctx, m, &grid.HierarchyOptions{Moves: moves})
	case "auto":
		s.selector, err = grid.NewSelector(&grid.SelectorOptions{Moves: moves, Frame: 1 << 40})
	default:
		for s.opts.Algorithm.String() != algo {
			if s.opts.Algorithm++; s.opts.Algorithm > grid.Anya {
				return nil, errors.New("no search " + algo)
			}
		}
		if unit > 1 {
			if s.body, err = grid.NewSquare(m, unit); err != nil {
				return nil, err
			}
		}
		if s.opts.Algorithm == grid.JPSPlus {
			s.opts.Jumps, err = grid.NewJumpTable(ctx, m, moves)
		}
	}
	return s, err
}

func (s *gridSearch) find(ctx context.Context, from, to grid.Cell) (*grid.Result, error) {
	switch s.algo {
	case "trace":
		r, err := grid.Trace(ctx, s.query, s.m, from, to, &grid.TraceOptions{Moves: s.opts.Moves, Fallback: &grid.Options{}})
		if err != nil {
			return nil, err
		}
		return &r.Result, nil
	case "hierarchy":
		return &s.near.Result, s.hierarchy.FindInto(ctx, s.query, &s.near, from, to, nil)
	case "auto":
		r, err := s.selector.Find(ctx, s.m, from, to)
		if err != nil {
			return nil, err
		}
		s.chosen = r
		r.Expanded = r.Nodes
		return &r.Result, nil
	}
	if s.body != nil {
		r, err := s.body.Squeeze(ctx, s.query, from, to, &s.opts)
		if err != nil {
			return nil, err
		}
		s.narrow, s.replaced = r.Narrow, r.Replaced
		return &r.Result, nil
	}
	return &s.result, s.query.FindInto(ctx, &s.result, s.m, from, to, &s.opts)
}

// record has fn called for every node of later searches.
func (s *gridSearch) record(fn func(grid.Expansion)) {
	s.query.Record(fn)
	if s.selector != nil {
		s.selector.Record(fn)
	}
}

// badSearch makes a search that does not serve the moves a fault of the flags.
func badSearch(err error) error {
	if errors.Is(err, grid.ErrUnsupported) || errors.Is(err, grid.ErrOptions) {
		return badInput(err)
	}
	return err
}

// anyAngle reports whether the search's ways need no steps.
func (s *gridSearch) anyAngle() bool {
	return s.algo == "anya" || s.algo == "theta" || s.algo == "lazytheta"
}

// disagrees compares a result with what was published, and the searches that
// only come near the shortest way at any angle with that; it returns what is
// wrong, or nothing.
func (s *gridSearch) disagrees(ctx context.Context, r *grid.Result, sc movingai.Scenario) (string, error) {
	want := grid.Complete
	if !sc.Solvable() {
		want = grid.Unreachable
	}
	if want == grid.Unreachable && s.anyAngle() { // where a corner may be brushed there may be a way
		if err := s.query.FindInto(ctx, &s.least, s.m, sc.Start, sc.End, &grid.Options{Moves: s.opts.Moves}); err != nil {
			return "", err
		}
		want = s.least.Status
	}
	switch {
	case r.Status == want && !sc.Solvable():
		return "", nil
	case r.Status != want:
		return fmt.Sprintf("%v, length %v, published %v", r.Status, r.Cost, sc.Optimal), nil
	}
	longest := sc.Optimal + sc.Tolerance
	switch s.algo {
	case "trace", "auto", "lazytheta": // which promise nothing
		longest = math.Inf(1)
	case "hierarchy":
		ratio, plus := s.hierarchy.Bound()
		longest = ratio*longest + plus
	}
	if r.Cost > longest || r.Cost < sc.Optimal-sc.Tolerance && !s.anyAngle() {
		return fmt.Sprintf("%v, length %v, published %v", r.Status, r.Cost, sc.Optimal), nil
	}
	if s.algo == "theta" || s.algo == "lazytheta" {
		o := grid.Options{Algorithm: grid.Anya, Moves: grid.Moves{Corners: grid.OneFree}}
		if err := s.query.FindInto(ctx, &s.least, s.m, sc.Start, sc.End, &o); err != nil {
			return "", err
		}
		if s.least.Status != grid.Complete || r.Cost < s.least.Cost-anyAngleRounding {
			return fmt.Sprintf("%v, length %v, but at any angle %v", r.Status, r.Cost, s.least.Cost), nil
		}
	}
	return "", nil
}

// anyAngleRounding is by how much sums of lengths may differ.
const anyAngleRounding = 1e-6
