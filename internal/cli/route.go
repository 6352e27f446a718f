package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"wend"
	"wend/draw"
	"wend/navmesh"
	"wend/route"
)

type routeCmd struct {
	World []string `arg:"" help:"Pack (X.nav.gz), navmesh (.bin) or level file; several navmeshes are bodies of one world."`

	From *place  `placeholder:"X,Y,Z" group:"request" help:"Start. x,z without a height works where there is one storey."`
	To   *place  `placeholder:"X,Y,Z" group:"request" help:"Goal, likewise."`
	Via  []place `placeholder:"X,Y,Z" sep:"none" group:"request" help:"Place to pass on the way; may be given several times."`

	Queries string `placeholder:"Q.csv" group:"request" help:"Answer a file of queries instead: a header that names sx,sy,sz,gx,gy,gz, then a row a query."`
	Out     string `placeholder:"R.csv" group:"request" help:"Put the answers to the queries there instead of on standard output."`

	Planner       string   `enum:",span,mesh" default:"" placeholder:"span|mesh" group:"request" help:"span works on packs and is their default, mesh on navmeshes and is the default of all else. A level is baked for either."`
	Radius        *float64 `placeholder:"R" group:"request" help:"Radius of the body that walks, metres. A level is baked for it."`
	FailOnPartial bool     `group:"request" help:"A way that ends short of the goal is no answer: its status is unreachable. One route or a tour without a complete answer, whatever it is, is exit status 1; a file of queries is not."`

	meshRouteFlags
	spanRouteFlags

	JSON bool   `name:"json" group:"output" help:"Print a JSON document for each result."`
	SVG  string `name:"svg" placeholder:"F.svg" group:"output" help:"Draw the route from above."`
	PNG  string `name:"png" placeholder:"F.png" group:"output" help:"Draw the route from above."`

	Width int `default:"1600" group:"output" help:"Width of the picture, pixels."`

	levelFlags
}

// meshRouteFlags are for the mesh planner alone.
type meshRouteFlags struct {
	Policy string `enum:"nearest,below,above,highest" default:"nearest" group:"mesh" help:"Which surface an end is put on: nearest, below, above or highest."`
	Search string `enum:"exact,corridor" default:"exact" group:"mesh" help:"How the route is looked for: exact, or corridor, a search whose work is bounded by the number of polygons, at the price of small detours."`
}

// used names the first of the flags that is set.
func (f *meshRouteFlags) used() string {
	switch {
	case f.Policy != "nearest":
		return "--policy"
	case f.Search != "exact":
		return "--search"
	}
	return ""
}

func (routeCmd) Help() string {
	return `The exit status is 0 when there is an answer; "unreachable", "offmesh" and "nogo" are answers, unless --fail-on-partial asks for a complete one. The result says complete only when the route ends at the goal.

A result row holds status,length,points,snap_start,snap_end,micros: metres, and microseconds for the whole query.

Examples:

    wend route town.bin --from 2,0,3 --to 40,0,-20
    wend route town.obj --from 2,3 --to 40,4.5,-20 --json
    wend route town.bin --from 2,0,3 --via 10,0,3 --via 12,4,9 --to 40,0,-20 --svg tour.svg
    wend route town.obj --scale 0.125 --queries q.csv --out r.csv --jobs 2
    wend route town.bin town.giant.bin --radius 1.5 --from 2,0,3 --to 40,0,-20
    wend route town.nav.gz --from 2,0,3 --to 40,0,-20 --radius 0.8 --max-drop 2 --clearance 1.5
    wend route town.nav.gz --from 2,3 --from-floor 0 --to 40,-20 --to-floor 4 --disc 20,0,3 --png r.png
    wend route town.nav.gz --from 2,0,3 --to 40,0,-20 --debug --json`
}

func (c *routeCmd) Run(e *env) error {
	if err := c.check(); err != nil {
		return err
	}
	var queries []query
	if c.Queries != "" {
		var err error
		if queries, err = loadQueries(c.Queries); err != nil {
			return err
		}
	}
	planner, err := plannerFor(c.Planner, c.World)
	if err != nil {
		return badInput(err)
	}
	if planner == planSpan {
		return c.runSpan(e, queries)
	}
	if flag := c.spanRouteFlags.used(); flag != "" {
		return badInputf("%s is for the span planner, which works on packs; --planner span bakes a level for it", flag)
	}
	return c.runMesh(e, queries)
}

// runMesh plans on polygons.
func (c *routeCmd) runMesh(e *env, queries []query) error {
	o, err := c.open(e, c.World, c.Radius)
	if err != nil {
		return err
	}
	agent := wend.Agent{}
	if c.Radius != nil {
		agent.Radius = *c.Radius
	}
	if _, err := o.world.BodyFor(agent); err != nil {
		return badInput(err)
	}
	if c.Queries != "" {
		return c.runMeshQueries(e, o, agent, queries)
	}
	q := o.world.NewQuery()
	t, err := c.plan(tripPlanner{
		world:   o.world.Fingerprint(),
		planner: planMesh,
		locate:  func(s place, _ *height) (stop, error) { return c.onStorey(q, s) },
		plan: func(from, to stop) (*route.Route, error) {
			leg, err := q.Plan(e.ctx, from.pos, to.pos, agent, c.planOptions(shownClearance))
			if err != nil && e.ctx.Err() == nil {
				return nil, badInput(err)
			}
			return leg, err
		},
	})
	if err != nil {
		return err
	}
	if err := c.drawRoute(e, o, agent, t.whole); err != nil {
		return err
	}
	return c.print(e, t, shownClearance)
}

// check refuses what the grammar cannot, before anything is read.
func (c *routeCmd) check() error {
	if err := checkRadius(c.Radius); err != nil {
		return err
	}
	switch {
	case c.Clearance != nil && *c.Clearance == 0:
		return badInputf("--clearance 0: want a cell at least; --shortest asks for the way that keeps none")
	case c.Partial && c.FailOnPartial:
		return badInputf("--partial and --fail-on-partial contradict each other")
	case c.Exact && c.Windows != "" && c.Windows != "exact":
		return badInputf("--exact and --windows %s contradict each other", c.Windows)
	}
	if c.Queries != "" {
		switch {
		case c.From != nil || c.To != nil || len(c.Via) > 0:
			return badInputf("--queries goes without --from, --to and --via")
		case c.FromFloor != nil || c.ToFloor != nil:
			return badInputf("--from-floor and --to-floor are for one route: the heights of queries are in their file")
		case c.SVG != "" || c.PNG != "":
			return badInputf("--svg and --png draw one route, not a file of queries")
		case c.JSON && c.Out != "":
			return badInputf("--out takes the table of results; --json prints to standard output")
		case c.Out != "":
			return checkOutput(c.Out, append(c.routeInputs(), c.Queries)...)
		}
		return nil
	}
	switch {
	case c.From == nil || c.To == nil:
		return badInputf("a route needs --from and --to, or --queries")
	case c.Out != "":
		return badInputf("--out goes with --queries")
	case c.FromFloor != nil && c.From.hasHeight:
		return badInputf("--from has a height already, %g: --from-floor is for a place without", c.From.pos.Y)
	case c.ToFloor != nil && c.To.hasHeight:
		return badInputf("--to has a height already, %g: --to-floor is for a place without", c.To.pos.Y)
	}
	if c.Width < draw.MinSide || c.Width > draw.MaxSide {
		return badInputf("--width %d: want %d to %d pixels", c.Width, draw.MinSide, draw.MaxSide)
	}
	for _, f := range []struct{ file, own, format string }{{c.SVG, ".svg", "SVG"}, {c.PNG, ".png", "PNG"}} {
		if f.file == "" {
			continue
		}
		if ext := filepath.Ext(f.file); !strings.EqualFold(ext, f.own) && slices.Contains(pictureExts, strings.ToLower(ext)) {
			return badInputf("%s: the name ends in %s and the picture is %s", f.file, ext, f.format)
		}
		if err := checkOutput(f.file, c.routeInputs()...); err != nil {
			return err
		}
	}
	return checkDistinct(c.SVG, c.PNG)
}

// pictureExts end the names of pictures of one kind: another kind is not saved
// under them.
var pictureExts = []string{".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".pdf"}

// routeInputs lists the files that are read: no output may take the place of
// one.
func (c *routeCmd) routeInputs() []string {
	all := append(c.inputs(c.World), packFiles(c.World)...)
	if c.NoGo != "" {
		all = append(all, c.NoGo)
	}
	return all
}

var policies = map[string]navmesh.Policy{
	"nearest": navmesh.PolicyNearest,
	"below":   navmesh.PolicyBelow,
	"above":   navmesh.PolicyAbove,
	"highest": navmesh.PolicyHighest,
}

var searches = map[string]navmesh.Search{"exact": navmesh.SearchExact, "corridor": navmesh.SearchCorridor}

// planOptions are the options of every plan of this command. clearance is how
// far walls are looked for; results that do not show it go without.
func (c *routeCmd) planOptions(clearance float64) *wend.PlanOptions {
	snap := &navmesh.NearestOptions{Policy: policies[c.Policy]}
	return &wend.PlanOptions{
		From: snap, To: snap, Search: searches[c.Search], NoPartial: c.FailOnPartial, MaxClearance: clearance,
	}
}

// shownClearance is how far around a route walls are looked for, metres.
const shownClearance = 5

// onStorey gives a place its height. Where several storeys lie over one
// another and none is named, the answer is the list and not a guess.
func (c *routeCmd) onStorey(q *wend.Query, s place) (stop, error) {
	if s.hasHeight {
		return stop{pos: s.pos}, nil
	}
	// Ends are put on the surface within this far anyway.
	reach := navmesh.DefaultHalfExtents().X
	found, err := q.Surfaces(s.pos.X, s.pos.Z, reach)
	if err != nil {
		return stop{}, badInput(err)
	}
	switch {
	case len(found) == 1, len(found) > 0 && c.Policy == "highest":
		return stop{pos: found[len(found)-1].Pos}, nil
	case len(found) == 0:
		return stop{miss: fmt.Sprintf("no surface lies within %g m of %v at any height", reach, s)}, nil
	}
	var list strings.Builder
	for _, f := range found {
		fmt.Fprintf(&list, "\n  %.6g,%s,%.6g", f.Pos.X, coord(f.Pos.Y), f.Pos.Z)
	}
	return stop{}, badInputf("%s lie over one another at %v: name one%s", plural(len(found), "storey"), s, list.String())
}
