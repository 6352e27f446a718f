package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"wend"
	"wend/geom"
	"wend/navmesh"
	"wend/route"
)

type routeCmd struct {
	World []string `arg:"" help:"Navmesh (.bin) or level file; several navmeshes are bodies of one world."`

	From *place  `placeholder:"X,Y,Z" group:"request" help:"Start. x,z without a height works where there is one storey."`
	To   *place  `placeholder:"X,Y,Z" group:"request" help:"Goal, likewise."`
	Via  []place `placeholder:"X,Y,Z" sep:"none" group:"request" help:"Place to pass on the way; may be given several times."`

	Queries string `placeholder:"Q.csv" group:"request" help:"Answer a file of queries instead: a header that names sx,sy,sz,gx,gy,gz, then a row a query."`
	Out     string `placeholder:"R.csv" group:"request" help:"Put the answers to the queries there instead of on standard output."`

	Radius        *float64 `placeholder:"R" group:"request" help:"Radius of the body that walks, metres. A level is baked for it."`
	Policy        string   `enum:"nearest,below,above,highest" default:"nearest" group:"request" help:"Which surface an end is put on: nearest, below, above or highest."`
	Search        string   `enum:"exact,corridor" default:"exact" group:"request" help:"How the route is looked for: exact, or corridor, a search whose work is bounded by the number of polygons, at the price of small detours."`
	FailOnPartial bool     `group:"request" help:"A way that ends short of the goal is no answer: unreachable, exit status 1."`

	JSON bool   `name:"json" group:"output" help:"Print a JSON document for each result."`
	SVG  string `name:"svg" placeholder:"F.svg" group:"output" help:"Draw the route from above."`
	PNG  string `name:"png" placeholder:"F.png" group:"output" help:"Draw the route from above."`

	levelFlags
}

func (routeCmd) Help() string {
	return `The exit status is 0 when there is an answer; "unreachable" and "offmesh" are answers. The result says complete only when the route ends at the goal.

A result row holds status,length,points,snap_start,snap_end,micros: metres, and microseconds for the whole query.

Examples:

    wend route town.bin --from 2,0,3 --to 40,0,-20
    wend route town.obj --from 2,3 --to 40,4.5,-20 --json
    wend route town.bin --from 2,0,3 --via 10,0,3 --via 12,4,9 --to 40,0,-20 --svg tour.svg
    wend route town.obj --scale 0.125 --queries q.csv --out r.csv --jobs 2
    wend route town.bin town.giant.bin --radius 1.5 --from 2,0,3 --to 40,0,-20`
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
		return c.runQueries(e, o, agent, queries)
	}
	return c.runTour(e, o, agent)
}

// check refuses what the grammar cannot, before anything is read.
func (c *routeCmd) check() error {
	if err := checkRadius(c.Radius); err != nil {
		return err
	}
	if c.Queries != "" {
		switch {
		case c.From != nil || c.To != nil || len(c.Via) > 0:
			return badInputf("--queries goes without --from, --to and --via")
		case c.SVG != "" || c.PNG != "":
			return badInputf("--svg and --png draw one route, not a file of queries")
		case c.JSON && c.Out != "":
			return badInputf("--out takes the table of results; --json prints to standard output")
		case c.Out != "":
			return checkOutput(c.Out, append(c.inputs(c.World), c.Queries)...)
		}
		return nil
	}
	switch {
	case c.From == nil || c.To == nil:
		return badInputf("a route needs --from and --to, or --queries")
	case c.Out != "":
		return badInputf("--out goes with --queries")
	}
	for _, f := range []struct{ file, other, format string }{{c.SVG, ".png", "SVG"}, {c.PNG, ".svg", "PNG"}} {
		if f.file == "" {
			continue
		}
		if strings.EqualFold(filepath.Ext(f.file), f.other) {
			return badInputf("%s: the name ends in %s and the picture is %s", f.file, f.other, f.format)
		}
		if err := checkOutput(f.file, c.inputs(c.World)...); err != nil {
			return err
		}
	}
	return checkDistinct(c.SVG, c.PNG)
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

// runTour plans from --from over every --via to --to.
func (c *routeCmd) runTour(e *env, o *opened, agent wend.Agent) error {
	q := o.world.NewQuery()
	var stops []stop
	for _, s := range slices.Concat([]place{*c.From}, c.Via, []place{*c.To}) {
		at, err := c.onStorey(q, s)
		if err != nil {
			return err
		}
		stops = append(stops, at)
	}
	var legs []*route.Route
	for i := 1; i < len(stops); i++ {
		from, to := stops[i-1], stops[i]
		if from.miss != "" || to.miss != "" {
			legs = append(legs, offMesh(o.world, from, to))
			continue
		}
		leg, err := q.Plan(e.ctx, from.pos, to.pos, agent, c.planOptions(shownClearance))
		if err != nil {
			if e.ctx.Err() != nil {
				return err
			}
			return badInput(err)
		}
		legs = append(legs, leg)
	}
	whole := joinLegs(legs)
	if err := c.drawRoute(e, o, agent, whole); err != nil {
		return err
	}
	show := c.printText
	if c.JSON {
		show = printJSON
	}
	if err := show(e, whole, legs); err != nil {
		return err
	}
	if c.FailOnPartial && whole.Status == route.Unreachable {
		return fmt.Errorf("no complete route: %s", whole.Failure.Message)
	}
	return nil
}

// stop is a place of a tour with its height, or why it has none.
type stop struct {
	pos  geom.Vec3
	miss string
}

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
		fmt.Fprintf(&list, "\n  %.6g,%.6g,%.6g", f.Pos.X, f.Pos.Y, f.Pos.Z)
	}
	return stop{}, badInputf("%s lie over one another at %v: name one%s", plural(len(found), "storey"), s, list.String())
}

// offMesh is the answer to a leg with an end that has no surface.
func offMesh(w *wend.World, from, to stop) *route.Route {
	f := &route.Failure{Code: route.CodeStartOffMesh, Message: from.miss}
	if from.miss == "" {
		f = &route.Failure{Code: route.CodeGoalOffMesh, Message: to.miss}
	}
	return &route.Route{Status: route.OffMesh, World: w.Fingerprint(), Failure: f, Stats: route.Stats{Planner: "mesh"}}
}

// joinLegs makes one route of the legs of a tour. It ends where the first leg
// that is not complete ends, and has that leg's status and failure.
func joinLegs(legs []*route.Route) *route.Route {
	if len(legs) == 1 {
		return legs[0]
	}
	whole := &route.Route{Status: route.Complete, World: legs[0].World, SnapStart: legs[0].SnapStart, Stats: route.Stats{Planner: legs[0].Stats.Planner}}
	for _, leg := range legs {
		s := &whole.Stats
		s.Expanded += leg.Stats.Expanded
		s.Pushed += leg.Stats.Pushed
		s.Snap += leg.Stats.Snap
		s.Search += leg.Stats.Search
		s.Geometry += leg.Stats.Geometry
		s.Total += leg.Stats.Total
	}
	for _, leg := range legs {
		pts := leg.Points
		if n := len(whole.Points); n > 0 && len(pts) > 0 && whole.Points[n-1].Pos == pts[0].Pos {
			whole.Points = whole.Points[:n-1] // the same place ends one leg and begins the next
		}
		for _, p := range pts {
			if p.Kind == route.Goal {
				p.Kind = route.Corner
			}
			whole.Points = append(whole.Points, p)
		}
		whole.Length += leg.Length
		whole.Cost += leg.Cost
		whole.SnapEnd = leg.SnapEnd
		if leg.Status != route.Complete {
			whole.Status, whole.Failure = leg.Status, leg.Failure
			return whole
		}
	}
	whole.Points[len(whole.Points)-1].Kind = route.Goal
	return whole
}

// printJSON prints the route as one document; a tour's has its legs as well.
func printJSON(e *env, whole *route.Route, legs []*route.Route) error {
	doc, err := json.Marshal(whole)
	if err != nil {
		return err
	}
	if len(legs) > 1 {
		each, err := json.Marshal(legs)
		if err != nil {
			return err
		}
		doc = append(bytes.TrimSuffix(doc, []byte("}")), `,"legs":`...)
		doc = append(append(doc, each...), '}')
	}
	_, err = e.stdout.Write(append(doc, '\n'))
	return err
}

// printText prints what a person wants to know of a route.
func (c *routeCmd) printText(e *env, whole *route.Route, legs []*route.Route) error {
	if err := e.printSummary("", whole); err != nil {
		return err
	}
	if len(legs) > 1 {
		for i, leg := range legs {
			if err := e.printSummary(fmt.Sprintf("  leg %d: ", i+1), leg); err != nil {
				return err
			}
		}
	}
	if len(whole.Points) == 0 {
		return nil
	}
	rows := [][]string{{"point", "x", "y", "z", "storey", "clearance", "kind"}}
	for i, p := range whole.Points {
		room := fmt.Sprintf("%.2f", p.Clearance)
		if p.Clearance >= shownClearance {
			room = fmt.Sprintf("%d+", shownClearance)
		}
		rows = append(rows, []string{
			fmt.Sprint(i), fmt.Sprintf("%.2f", p.Pos.X), fmt.Sprintf("%.2f", p.Pos.Y), fmt.Sprintf("%.2f", p.Pos.Z),
			fmt.Sprint(p.Storey), room, p.Kind.String(),
		})
	}
	return table(e.stdout, "rrrrrrl", rows)
}

// printSummary prints one line about a route, and where it breaks off.
func (e *env) printSummary(indent string, r *route.Route) error {
	var b strings.Builder
	b.WriteString(indent + e.statusText(r.Status))
	if len(r.Points) > 0 {
		fmt.Fprintf(&b, ": %.2f m, %s", r.Length, plural(len(r.Points), "point"))
	}
	if r.Failure != nil {
		b.WriteString(": " + r.Failure.Message)
	}
	b.WriteByte('\n')
	_, err := io.WriteString(e.stdout, b.String())
	return err
}
