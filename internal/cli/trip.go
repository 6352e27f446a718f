package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"wend"
	"wend/geom"
	"wend/route"
	"wend/spanroute"
)

// stop is a place of a trip with its height, or why it has none.
type stop struct {
	pos    geom.Vec3
	storey wend.Storey // what the height means to the span planner
	miss   string
}

// tripPlanner is what a trip needs of a planner.
type tripPlanner struct {
	world   string // fingerprint
	planner string
	locate  func(s place, floor *height) (stop, error)
	plan    func(from, to stop) (*route.Route, error)
}

// trip is a route from --from over every --via to --to.
type trip struct {
	whole *route.Route
	legs  []*route.Route
	stops []stop
}

// plan plans the legs of a trip.
func (c *routeCmd) plan(p tripPlanner) (*trip, error) {
	t := &trip{}
	places := slices.Concat([]place{*c.From}, c.Via, []place{*c.To})
	for i, s := range places {
		var floor *height
		switch i {
		case 0:
			floor = c.FromFloor
		case len(places) - 1:
			floor = c.ToFloor
		}
		at, err := p.locate(s, floor)
		if err != nil {
			return nil, err
		}
		t.stops = append(t.stops, at)
	}
	for i := 1; i < len(t.stops); i++ {
		from, to := t.stops[i-1], t.stops[i]
		if i > 1 {
			from = goesOn(from, t.legs[i-2])
		}
		if from.miss != "" || to.miss != "" {
			t.legs = append(t.legs, p.offMesh(from, to))
			continue
		}
		leg, err := p.plan(from, to)
		if bad := new(spanroute.RequestError); len(t.stops) > 2 && errors.As(err, &bad) && (bad.Field == "start" || bad.Field == "goal") {
			return nil, fmt.Errorf("leg %d: %w", i, err)
		}
		if err != nil {
			return nil, err
		}
		if len(t.stops) > 2 {
			nameEnds(leg, stopName(i-1, len(t.stops)), stopName(i, len(t.stops)))
		}
		t.legs = append(t.legs, leg)
	}
	t.whole = joinLegs(t.legs)
	return t, nil
}

// goesOn returns where a leg begins that follows another one: where that ended, if
// the stop between them lies beside the ground. What is nearest to such a stop may
// lie on two sides of a wall.
func goesOn(s stop, before *route.Route) stop {
	if s.miss != "" || before.Status != route.Complete || before.Stats.Planner != planSpan {
		return s
	}
	last := before.Points[len(before.Points)-1].Pos
	if last.X == s.pos.X && last.Z == s.pos.Z {
		return s
	}
	return stop{pos: last, storey: wend.OnSurface}
}

// stopName is what stop i of n is called.
func stopName(i, n int) string {
	switch i {
	case 0:
		return "the start"
	case n - 1:
		return "the goal"
	}
	return fmt.Sprintf("via %d", i)
}

// nameEnds calls the ends of a leg by their names in the tour: a planner knows
// but start and goal.
func nameEnds(leg *route.Route, from, to string) {
	names := strings.NewReplacer("start and goal", from+" and "+to, "the start", from, "the goal", to)
	if leg.Failure != nil {
		leg.Failure.Message = names.Replace(leg.Failure.Message)
	}
	for i, w := range leg.Warnings {
		leg.Warnings[i] = names.Replace(w)
	}
}

// offMesh is the answer to a leg with an end that has no surface.
func (p *tripPlanner) offMesh(from, to stop) *route.Route {
	f := &route.Failure{Code: route.CodeStartOffMesh, Message: from.miss}
	if from.miss == "" {
		f = &route.Failure{Code: route.CodeGoalOffMesh, Message: to.miss}
	}
	return &route.Route{Status: route.OffMesh, World: p.world, Failure: f, Stats: route.Stats{Planner: p.planner}}
}

// print shows the answer of a trip. Clearances were looked for up to far.
func (c *routeCmd) print(e *env, t *trip, far float64) error {
	show := func() error { return printText(e, t, far) }
	if c.JSON {
		show = func() error { return printJSON(e, t.whole, t.legs) }
	}
	if err := show(); err != nil {
		return err
	}
	if c.FailOnPartial && t.whole.Status != route.Complete {
		return fmt.Errorf("no complete route: %s", strings.TrimPrefix(t.whole.Err().Error(), "route: "))
	}
	return nil
}

// joinLegs makes one route of the legs of a tour. It ends where the first leg
// that is not complete ends, and has that leg's status and failure. How the
// planner came to its answers stays with the legs.
func joinLegs(legs []*route.Route) *route.Route {
	if len(legs) == 1 {
		return legs[0]
	}
	whole := &route.Route{Status: route.Complete, World: legs[0].World, SnapStart: legs[0].SnapStart, Stats: route.Stats{Planner: legs[0].Stats.Planner, Proved: true}}
	for _, leg := range legs {
		addStats(&whole.Stats, &leg.Stats)
	}
	for _, leg := range legs {
		pts := leg.Points
		if n := len(whole.Points); n > 0 && len(pts) > 0 && whole.Points[n-1].Pos == pts[0].Pos {
			whole.Points = whole.Points[:n-1] // the same place ends one leg and begins the next
		}
		first := len(whole.Points)
		for _, i := range leg.Waypoints {
			whole.Waypoints = append(whole.Waypoints, first+i)
		}
		for _, d := range leg.Drops {
			whole.Drops = append(whole.Drops, route.Landing{Index: first + d.Index, Y: d.Y})
		}
		for _, w := range leg.Warnings {
			if !slices.Contains(whole.Warnings, w) {
				whole.Warnings = append(whole.Warnings, w)
			}
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

// addStats adds what a leg cost. A trip is proved where each leg is, and has
// the most of what belongs to one window.
func addStats(s, leg *route.Stats) {
	s.Expanded += leg.Expanded
	s.Pushed += leg.Pushed
	s.Snap += leg.Snap
	s.Search += leg.Search
	s.Geometry += leg.Geometry
	s.Total += leg.Total
	s.Prepare += leg.Prepare
	s.Pull += leg.Pull
	s.Assemble += leg.Assemble
	s.Lift += leg.Lift
	s.Pages += leg.Pages
	s.WallCrossings += leg.WallCrossings
	s.WallSteps += leg.WallSteps
	s.Proved = s.Proved && leg.Proved
	s.Tier = max(s.Tier, leg.Tier)
	if leg.WindowCells > s.WindowCells {
		s.WindowCells, s.Window = leg.WindowCells, leg.Window
	}
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
func printText(e *env, t *trip, far float64) error {
	whole := t.whole
	if err := e.printSummary("", whole); err != nil {
		return err
	}
	if len(t.legs) > 1 {
		for i, leg := range t.legs {
			if err := e.printSummary(fmt.Sprintf("  leg %d: ", i+1), leg); err != nil {
				return err
			}
		}
	}
	if _, err := io.WriteString(e.stdout, remarks(whole)+debugText(t.legs)); err != nil {
		return err
	}
	if len(whole.Points) == 0 {
		return nil
	}
	rows := [][]string{{"point", "x", "y", "z", "storey", "clearance", "kind"}}
	for i, p := range whole.Points {
		room := fmt.Sprintf("%.2f", p.Clearance)
		if p.Clearance >= far {
			room = fmt.Sprintf("%g+", far)
		}
		rows = append(rows, []string{
			fmt.Sprint(i), coord(p.Pos.X), coord(p.Pos.Y), coord(p.Pos.Z),
			fmt.Sprint(p.Storey), room, p.Kind.String(),
		})
	}
	return table(e.stdout, "rrrrrrl", rows)
}

// remarks are lines about the falls of a route, where it breaks off, and what to
// be careful of.
func remarks(r *route.Route) string {
	var b strings.Builder
	for _, d := range r.Drops {
		if d.Index > 0 && d.Index < len(r.Points) {
			at := r.Points[d.Index].Pos
			at.Y = d.Y
			fmt.Fprintf(&b, "  falls %.2f m before point %d, to the floor at %s\n", r.Points[d.Index-1].Pos.Y-d.Y, d.Index, vec(at))
		}
	}
	if r.Failure != nil && r.Failure.Gap != nil {
		b.WriteString("  gap: " + gapText(r.Failure.Gap) + "\n")
	}
	for _, w := range r.Warnings {
		b.WriteString("  warning: " + w + "\n")
	}
	return b.String()
}

// gapText says where a way breaks off: both ends, and how far they are apart.
func gapText(g *route.Gap) string {
	text := fmt.Sprintf("from %s to %s: %.2f m in plan", vec(g.From), vec(g.To), g.Plan())
	switch rise := g.Rise(); {
	case rise >= 0.005:
		return fmt.Sprintf("%s, %.2f m up", text, rise)
	case rise <= -0.005:
		return fmt.Sprintf("%s, %.2f m down", text, -rise)
	}
	return text + ", level"
}

// debugText says how the planner came to its answers, where it was asked.
func debugText(legs []*route.Route) string {
	var b strings.Builder
	for i, r := range legs {
		if r.Debug == nil {
			continue
		}
		s, indent := &r.Stats, "  "
		if len(legs) > 1 {
			indent = fmt.Sprintf("  leg %d: ", i+1)
		}
		if s.Window != "" {
			proof := "not proved"
			if s.Proved {
				proof = "proved for the whole region"
			}
			fmt.Fprintf(&b, "%swindow %s, %d cells, after %s that did not do: %s; %d search nodes, %.2f ms\n", indent,
				s.Window, s.WindowCells, plural(s.Tier, "window"), proof, s.Expanded, float64(s.Total)/1e6)
		}
		for _, n := range r.Debug.Notes {
			fmt.Fprintf(&b, "%s%s\n", indent, n)
		}
		for _, st := range r.Debug.Stages {
			fmt.Fprintf(&b, "%sstage %s: %s\n", indent, st.Name, plural(len(st.Points), "point"))
		}
	}
	return b.String()
}

// printSummary prints one line about a route.
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
