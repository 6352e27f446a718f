package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"wend/grid"
	"wend/grid/movingai"
)

type gridCmd struct {
	Map     string    `arg:"" help:"Map file of the MovingAI format."`
	Scen    string    `placeholder:"FILE" help:"Run all queries of a scenario file and compare with its lengths."`
	Algo    string    `default:"astar" enum:"astar,jps,jpsplus,theta,lazytheta,anya,trace,auto" help:"Search: ${enum}."`
	Corners string    `default:"never" enum:"never,one-free,always" help:"What a diagonal step needs free beside it: ${enum}; scenarios are for never."`
	From    *gridCell `placeholder:"x,y" help:"Start of one query, column and row from 0."`
	To      *gridCell `placeholder:"x,y" help:"Its goal."`
	Stats   bool      `help:"Print passable share, mean corridor width and islands."`
	JSON    bool      `name:"json" help:"Print one JSON document."`
	PNG     string    `name:"png" placeholder:"FILE" help:"Draw the query as PNG: the cells expanded, early ones dark, and the way."`
	Flow    bool      `help:"Draw the flow field of the goal instead of the cells expanded."`
}

func (gridCmd) Help() string {
	return `The last line of a scenario run counts queries and mismatches and gives the times. A mismatch is a length other than the published one; of anya, a longer one; of trace and auto, a shorter one or none; of theta and lazytheta, none where there is a way. With a mismatch the exit status is 1.

Examples:

    wend grid arena2.map --stats
    wend grid arena2.map --scen arena2.map.scen --algo jps
    wend grid arena2.map --from 10,20 --to 150,80 --png way.png`
}

// gridCell is a cell on the command line.
type gridCell grid.Cell

// UnmarshalText reads "x,y".
func (c *gridCell) UnmarshalText(text []byte) error {
	xs, ys, ok := strings.Cut(string(text), ",")
	x, errX := strconv.ParseInt(strings.TrimSpace(xs), 10, 32)
	y, errY := strconv.ParseInt(strings.TrimSpace(ys), 10, 32)
	if !ok || errX != nil || errY != nil {
		return fmt.Errorf("%q is no cell, want x,y", text)
	}
	*c = gridCell{X: int32(x), Y: int32(y)}
	return nil
}

type gridAnswer struct {
	Stats *gridStats `json:"stats,omitempty"`
	Query *gridQuery `json:"query,omitempty"`
	Run   *gridRun   `json:"run,omitempty"`
}

type gridStats struct {
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Passable float64 `json:"passable_share"`
	Corridor float64 `json:"mean_corridor_width"`
	Islands  int     `json:"islands"`
	Largest  int     `json:"largest_island"`
}

type gridQuery struct {
	Status   string       `json:"status"`
	Cost     float64      `json:"cost"`
	Expanded int          `json:"expanded"`
	Decision string       `json:"decision,omitempty"` // of auto
	Path     [][2]int32   `json:"path,omitempty"`
	Points   [][2]float64 `json:"points,omitempty"`
}

type gridRun struct {
	Queries    int     `json:"queries"`
	Mismatches int     `json:"mismatches"`
	Mean       float64 `json:"mean_us"`
	P50        float64 `json:"p50_us"`
	P99        float64 `json:"p99_us"`
	Expanded   int     `json:"expanded"`
}

func (c *gridCmd) Run(e *env) error {
	if (c.From == nil) != (c.To == nil) {
		return badInputf("--from and --to go together")
	}
	if c.Scen != "" && c.Corners != "never" {
		return badInputf("--corners %s: the lengths of scenarios are for never", c.Corners)
	}
	if c.PNG != "" && c.From == nil {
		return badInputf("--png draws one query, give --from and --to")
	}
	if !c.Stats && c.Scen == "" && c.From == nil {
		return badInputf("nothing to do: give --scen, --stats, or --from and --to")
	}
	m, err := readGrid(c.Map)
	if err != nil {
		return badInput(err)
	}
	s, err := newGridSearch(e.ctx, m, c.Algo, c.moves())
	if err != nil {
		return badInput(err)
	}
	var a gridAnswer
	if c.Stats {
		st, err := grid.Measure(m, c.moves())
		if err != nil {
			return err
		}
		a.Stats = &gridStats{st.W, st.H, st.Share, st.Width, st.Islands, st.Largest}
		if !c.JSON {
			fmt.Fprintf(e.stdout, "size %d x %d  passable %.1f %%  mean corridor width %.2f  islands %d, the largest of %d cells\n",
				st.W, st.H, 100*st.Share, st.Width, st.Islands, st.Largest)
		}
	}
	if c.From != nil {
		if a.Query, err = c.one(e, m, s); err != nil {
			return err
		}
	}
	if c.Scen != "" {
		if a.Run, err = c.scenarios(e, m, s); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := writeJSON(e.stdout, &a); err != nil {
			return err
		}
	}
	if a.Run != nil && a.Run.Mismatches > 0 {
		return fmt.Errorf("%d of %d lengths differ from the published ones", a.Run.Mismatches, a.Run.Queries)
	}
	return nil
}

func (c *gridCmd) moves() grid.Moves {
	return grid.Moves{Corners: map[string]grid.Corners{"one-free": grid.OneFree, "always": grid.Always}[c.Corners]}
}

func (c *gridCmd) one(e *env, m *grid.Map, s *gridSearch) (*gridQuery, error) {
	r, err := s.find(e.ctx, grid.Cell(*c.From), grid.Cell(*c.To))
	if err != nil {
		return nil, err
	}
	q := &gridQuery{Status: r.Status.String(), Cost: r.Cost, Expanded: r.Expanded, Decision: s.decision}
	for _, p := range r.Path {
		q.Path = append(q.Path, [2]int32{p.X, p.Y})
	}
	for _, p := range r.Points {
		q.Points = append(q.Points, [2]float64{p.X, p.Y})
	}
	if c.PNG != "" {
		if err := c.draw(e, m, s, r); err != nil {
			return nil, err
		}
	}
	if !c.JSON {
		text := fmt.Sprintf("%s  cost %.6f  steps %d  expanded %d", q.Status, q.Cost, max(len(r.Path)-1, 0), q.Expanded)
		if s.decision != "" {
			text += "  decision " + s.decision
		}
		fmt.Fprintln(e.stdout, text)
	}
	return q, nil
}

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
		if !s.agrees(r, sc) {
			run.Mismatches++
			e.note("%s line %d: %v, length %v, published %v", c.Scen, sc.Line, r.Status, r.Cost, sc.Optimal)
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
	m, err := movingai.ReadMap(f, nil)
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
	result   grid.Result
	decision string
}

func newGridSearch(ctx context.Context, m *grid.Map, algo string, moves grid.Moves) (*gridSearch, error) {
	s := &gridSearch{m: m, algo: algo, query: grid.NewQuery(), opts: grid.Options{Moves: moves}}
	var err error
	switch algo {
	case "trace":
	case "auto":
		s.selector, err = grid.NewSelector(&grid.SelectorOptions{Moves: moves, Frame: 1 << 40})
	default:
		for s.opts.Algorithm.String() != algo {
			if s.opts.Algorithm++; s.opts.Algorithm > grid.Anya {
				return nil, errors.New("no search " + algo)
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
	case "auto":
		r, err := s.selector.Find(ctx, s.m, from, to)
		if err != nil {
			return nil, err
		}
		s.decision = r.Decision.String()
		r.Expanded = r.Nodes
		return &r.Result, nil
	}
	return &s.result, s.query.FindInto(ctx, &s.result, s.m, from, to, &s.opts)
}

// agrees compares a result with what was published.
func (s *gridSearch) agrees(r *grid.Result, sc movingai.Scenario) bool {
	if !sc.Solvable() {
		return r.Status == grid.Unreachable
	}
	if r.Status != grid.Complete {
		return false
	}
	longer := r.Cost - sc.Optimal
	switch s.algo {
	case "trace", "auto":
		return longer >= -sc.Tolerance
	case "theta", "lazytheta":
		return true // they promise a way, not a length
	case "anya":
		return longer <= sc.Tolerance
	}
	return longer >= -sc.Tolerance && longer <= sc.Tolerance
}
