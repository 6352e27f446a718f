package cli

import (
	"fmt"
	"strconv"
	"strings"

	"wend/draw"
	"wend/grid"
)

type gridCmd struct {
	Map        string    `arg:"" help:"Map: a file of the MovingAI format, or a PNG picture in which light pixels are passable."`
	Scen       string    `placeholder:"FILE" help:"Run all queries of a scenario file and compare with its lengths."`
	Algo       string    `default:"astar" enum:"astar,jps,jps+,jpsplus,theta,lazytheta,anya,hierarchy,trace,auto" help:"Search: ${enum}."`
	Corners    string    `default:"" enum:",never,one-free,always" help:"What a diagonal step needs free beside it: never (both cells), one-free or always; default never, of anya one-free."`
	Neighbours int       `default:"8" enum:"8,4,6" help:"Cells that touch: ${enum}; 6 are hexagons, every odd row half a cell further right."`
	From       *gridCell `placeholder:"x,y" help:"Start of one query, column and row from 0."`
	To         *gridCell `placeholder:"x,y" help:"Its goal."`
	Unit       int       `default:"1" placeholder:"K" help:"Cells a side of the unit that goes, a square; its place is the cell in its middle, of an even one the upper left of the four there."`
	Stats      bool      `help:"Print passable share, mean corridor width and islands."`
	JSON       bool      `name:"json" help:"Print one JSON document."`
	SVG        string    `name:"svg" placeholder:"FILE" group:"gridpicture" help:"Draw the query as SVG."`
	PNG        string    `name:"png" placeholder:"FILE" group:"gridpicture" help:"Draw the query as PNG."`
	Flow       bool      `group:"gridpicture" help:"Show the flow field of the goal instead: costs as colours, steps as arrows, and its way from the start."`
	Area       *gridArea `placeholder:"x0,y0,x1,y1" group:"gridpicture" help:"Only these columns and rows, both corners included."`
	Plain      bool      `group:"gridpicture" help:"No title, legend or scale."`
	Width      int       `default:"1600" group:"gridpicture" help:"Width in pixels."`
}

func (gridCmd) Help() string {
	return `The last line of a scenario run counts queries and mismatches and gives the times. The published lengths are those of steps to eight neighbours that cut no corner. A mismatch is always a way where the file has none or the other way round, and of

    astar, jps, jpsplus     a length other than the published one
    trace, auto             a shorter one
    hierarchy               a shorter one, or one beyond its bound
    theta, anya             a longer one: ways at any angle need no steps
    theta, lazytheta        one shorter than anya's, the shortest of all

Lazy Theta* promises no more: few of its ways are longer than those by steps, since it looks along a line late.

A unit of several cells that finds no way with room for it gets one on the map as it is, with detours round what is too narrow for it where there are any, and the rest marked.

The exit status is 0 when the question was answered ("unreachable" is an answer), 1 with a mismatch and when something else failed, 2 for flags that do not fit together and files that cannot be read.

A picture shows which cells the search expanded and when, early ones light and late ones dark; of jps and jpsplus these are jump points, of anya the cells behind the lines it looks through, of hierarchy nothing, of trace the steps of both hands. A map of more than 1200 cells a side (400 as SVG) is drawn in squares of several cells; --area looks closer.

Examples:

    wend grid arena2.map --stats
    wend grid arena2.map --scen arena2.map.scen --algo jps
    wend grid arena2.map --from 10,20 --to 150,80 --png way.png
    wend grid arena2.map --from 10,20 --to 150,80 --flow --area 100,40,160,90 --svg flow.svg`
}

// gridCell is a cell on the command line.
type gridCell grid.Cell

// UnmarshalText reads "x,y".
func (c *gridCell) UnmarshalText(text []byte) error {
	v, err := gridNumbers(string(text), 2, "no cell, want x,y")
	if err == nil {
		*c = gridCell{X: v[0], Y: v[1]}
	}
	return err
}

// gridArea is a rectangle of cells on the command line.
type gridArea struct{ min, max grid.Cell }

// UnmarshalText reads "x0,y0,x1,y1".
func (a *gridArea) UnmarshalText(text []byte) error {
	v, err := gridNumbers(string(text), 4, "no rectangle, want x0,y0,x1,y1")
	if err == nil {
		a.min = grid.Cell{X: min(v[0], v[2]), Y: min(v[1], v[3])}
		a.max = grid.Cell{X: max(v[0], v[2]), Y: max(v[1], v[3])}
	}
	return err
}

func gridNumbers(text string, n int, want string) ([]int32, error) {
	parts := strings.Split(text, ",")
	out := make([]int32, 0, n)
	for _, p := range parts {
		v, err := strconv.ParseInt(strings.TrimSpace(p), 10, 32)
		if err != nil || len(parts) != n {
			return nil, fmt.Errorf("%q is %s", text, want)
		}
		out = append(out, int32(v))
	}
	return out, nil
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
	Decision string       `json:"decision,omitempty"` // of auto, and why
	Reason   string       `json:"reason,omitempty"`
	Path     [][2]int32   `json:"path,omitempty"`
	Narrow   [][2]int     `json:"narrow,omitempty"`   // stretches [from, to) of path without room for the unit
	Replaced [][2]int     `json:"replaced,omitempty"` // detours round such stretches
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
	if err := c.check(); err != nil {
		return err
	}
	m, err := readGrid(c.Map)
	if err != nil {
		return badInput(err)
	}
	s, err := newGridSearch(e.ctx, m, c.Algo, c.moves(), c.Unit)
	if err != nil {
		return badSearch(err)
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
		return fmt.Errorf("%d of %d answers do not agree with the published lengths", a.Run.Mismatches, a.Run.Queries)
	}
	return nil
}

// check refuses flags that do not fit together.
func (c *gridCmd) check() error {
	if c.Algo == "jps+" {
		c.Algo = "jpsplus"
	}
	if c.Corners == "" {
		if c.Corners = "never"; c.Algo == "anya" {
			c.Corners = "one-free"
		}
	}
	anyAngle := c.Algo == "anya" || c.Algo == "theta" || c.Algo == "lazytheta"
	switch {
	case (c.From == nil) != (c.To == nil):
		return badInputf("--from and --to go together")
	case c.Scen != "" && c.Neighbours != 8:
		return badInputf("--neighbours %d: the lengths of scenarios are for 8", c.Neighbours)
	case c.Scen != "" && c.Corners != "never" && !anyAngle:
		return badInputf("--corners %s: the lengths of scenarios are for never", c.Corners)
	case c.Unit < 1 || c.Unit > grid.MaxClearance:
		return badInputf("--unit %d: want 1 to %d cells", c.Unit, grid.MaxClearance)
	case c.Unit > 1 && (c.Scen != "" || c.From == nil || c.Neighbours == 6 || c.Corners != "never" || c.Algo != "astar" && c.Algo != "jps"):
		return badInputf("--unit goes with one query, --algo astar or jps, --neighbours 8 or 4 and --corners never")
	case c.picture() && c.From == nil:
		return badInputf("--svg and --png draw one query, give --from and --to")
	case !c.picture() && (c.Flow || c.Area != nil || c.Plain):
		return badInputf("--flow, --area and --plain are for a picture, give --svg or --png")
	case c.Width < draw.MinSide || c.Width > draw.MaxSide:
		return badInputf("--width %d: want %d to %d pixels", c.Width, draw.MinSide, draw.MaxSide)
	case !c.Stats && c.Scen == "" && c.From == nil:
		return badInputf("nothing to do: give --scen, --stats, or --from and --to")
	}
	for _, out := range []string{c.SVG, c.PNG} {
		if out == "" {
			continue
		}
		if err := checkOutput(out, c.Map); err != nil {
			return err
		}
	}
	return checkDistinct(c.SVG, c.PNG)
}

func (c *gridCmd) picture() bool { return c.SVG != "" || c.PNG != "" }

func (c *gridCmd) moves() grid.Moves {
	return grid.Moves{
		Neighbours: map[int]grid.Neighbours{4: grid.Four, 6: grid.Six}[c.Neighbours],
		Corners:    map[string]grid.Corners{"one-free": grid.OneFree, "always": grid.Always}[c.Corners],
	}
}

func (c *gridCmd) one(e *env, m *grid.Map, s *gridSearch) (*gridQuery, error) {
	var expanded []grid.Expansion
	if c.picture() && !c.Flow {
		s.record(func(x grid.Expansion) { expanded = append(expanded, x) })
	}
	r, err := s.find(e.ctx, grid.Cell(*c.From), grid.Cell(*c.To))
	if err != nil {
		return nil, badSearch(err)
	}
	q := &gridQuery{Status: r.Status.String(), Cost: r.Cost, Expanded: r.Expanded, Narrow: s.narrow, Replaced: s.replaced}
	if s.chosen != nil {
		q.Decision, q.Reason = s.chosen.Decision.String(), s.chosen.Reason()
	}
	for _, p := range r.Path {
		q.Path = append(q.Path, [2]int32{p.X, p.Y})
	}
	for _, p := range r.Points {
		q.Points = append(q.Points, [2]float64{p.X, p.Y})
	}
	if c.picture() {
		if err := c.draw(e, m, s, r, expanded); err != nil {
			return nil, err
		}
	}
	if !c.JSON {
		text := fmt.Sprintf("%s  cost %.6f  steps %d  expanded %d", q.Status, q.Cost, max(len(r.Path)-1, 0), q.Expanded)
		if len(r.Points) > 0 {
			text = fmt.Sprintf("%s  length %.6f  corners %d  expanded %d", q.Status, q.Cost, max(len(r.Points)-2, 0), q.Expanded)
		}
		if q.Decision != "" {
			text += "  decision " + q.Decision + ": " + q.Reason
		}
		if len(s.narrow) > 0 {
			text += fmt.Sprintf("  too narrow at %v", r.Path[s.narrow[0][0]])
			if n := len(s.narrow) - 1; n > 0 {
				text += fmt.Sprintf(" and %d more", n)
			}
		}
		fmt.Fprintln(e.stdout, text)
	}
	return q, nil
}
