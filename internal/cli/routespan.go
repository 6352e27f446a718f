package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"wend"
	"wend/draw"
	"wend/geom"
	"wend/pack/bnav"
	"wend/route"
	"wend/scene"
	"wend/spanroute"
)

// spanRouteFlags are for the span planner alone.
type spanRouteFlags struct {
	Zone      string   `placeholder:"NAME" group:"span" help:"Zone of the pack; needed where it has several."`
	FromFloor *height  `placeholder:"Y" group:"span" help:"Of several storeys at a start given as x,z, take the one nearest to this height."`
	ToFloor   *height  `placeholder:"Y" group:"span" help:"Likewise the goal."`
	Height    float64  `placeholder:"H" group:"span" help:"Height of the body, metres; default: what the pack was baked for."`
	MaxStep   *float64 `placeholder:"H" group:"span" help:"Highest step up, metres; 0: none. Default, and the most: that of the pack."`
	MaxDrop   *float64 `placeholder:"H" group:"span" help:"Deepest fall, metres; 0: none. Default: any depth."`
	Clearance *float64 `placeholder:"R" group:"span" help:"Clearance from which on ground is as good as open, metres; the route keeps it where that costs little. At least a cell; default: 7 cells. --shortest keeps none."`
	MaxSnap   *float64 `placeholder:"M" group:"span" help:"How far an end may be beside the ground, metres, 0: not at all; the route begins and ends at the ground then. Default: 2, as on navmeshes, or where the body touches a wall if that is farther."`
	NoGo      string   `name:"no-go" placeholder:"FILE" group:"span" help:"JSON table of no-go zones, on top of those in the pack."`
	Disc      []disc   `placeholder:"x,z,r" sep:"none" group:"span" help:"Round obstacle, of any height, metres; may be given several times. The middle of the body keeps outside of it: its radius is that of the thing and of the body together."`
	Windows   string   `enum:",whole,ladder,exact" default:"" placeholder:"whole|ladder|exact" group:"span" help:"Where the way is looked for: whole, the region as a whole, the default; ladder, small windows first and larger ones where these prove nothing; exact, a ladder that accepts only what is proved to be the answer of the whole region."`
	Exact     bool     `group:"span" help:"Short for --windows exact."`
	Partial   bool     `group:"span" help:"Where the goal is out of reach, plan to the reachable place nearest to it (the mesh planner always does)."`
	Debug     bool     `group:"span" help:"Tell what each stage of the planner made."`
	Stages    []string `placeholder:"NAME,..." group:"span" help:"Draw only these stages: baseline, topology, geometry, turns, pulled, assembled; or none. Default: all."`
	Shortest  bool     `group:"span" help:"The shortest way that the body fits, whatever its clearance."`
	Reference bool     `group:"span" help:"Follow the original rules where the planner departs from them."`
}

// used names the first of the flags that is set and that only the span planner
// has.
func (f *spanRouteFlags) used() string {
	for _, x := range []struct {
		name string
		set  bool
	}{
		{"--zone", f.Zone != ""}, {"--from-floor", f.FromFloor != nil}, {"--to-floor", f.ToFloor != nil},
		{"--height", f.Height != 0}, {"--max-step", f.MaxStep != nil}, {"--max-drop", f.MaxDrop != nil},
		{"--clearance", f.Clearance != nil}, {"--max-snap", f.MaxSnap != nil}, {"--no-go", f.NoGo != ""}, {"--disc", f.Disc != nil},
		{"--windows", f.Windows != ""}, {"--exact", f.Exact}, {"--stages", f.Stages != nil}, {"--debug", f.Debug}, {"--reference", f.Reference}, {"--shortest", f.Shortest},
	} {
		if x.set {
			return x.name
		}
	}
	return ""
}

// height is a height on the command line. Like place it takes the next word as
// it is, so that -3 is a number and no flag.
type height float64

// Decode reads the value of a flag.
func (h *height) Decode(k *kong.DecodeContext) error {
	token := k.Scan.Pop()
	if token.IsEOL() {
		return errors.New("want a height in metres")
	}
	v, err := parseCoord(fmt.Sprint(token.Value))
	*h = height(v)
	return err
}

// disc is x,z,r on the command line.
type disc wend.Disc

// Decode reads the value of a flag.
func (d *disc) Decode(k *kong.DecodeContext) error {
	token := k.Scan.Pop()
	if token.IsEOL() {
		return errors.New("want a disc, x,z,r")
	}
	word := fmt.Sprint(token.Value)
	fields := strings.Split(word, ",")
	if len(fields) != 3 {
		return fmt.Errorf("%q is not a disc: want x,z,r", word)
	}
	var v [3]float64
	for i, f := range fields {
		var err error
		if v[i], err = parseCoord(f); err != nil {
			return fmt.Errorf("%q is not a disc: %w", word, err)
		}
	}
	if v[2] < 0 {
		return fmt.Errorf("%q is not a disc: its radius is %g", word, v[2])
	}
	*d = disc{At: geom.V3(v[0], 0, v[1]), Radius: v[2]}
	return nil
}

// no is a limit of 0: the library takes 0 for no limit at all, and no fall and
// no step is that low.
const no = 1e-9

// agent returns what walks.
func (c *routeCmd) agent() wend.Agent {
	a := wend.Agent{Height: c.Height}
	if c.Clearance != nil {
		a.Clearance = *c.Clearance
	}
	if c.Radius != nil {
		a.Radius = *c.Radius
	}
	for _, f := range []struct {
		flag *float64
		to   *float64
	}{{c.MaxStep, &a.MaxStep}, {c.MaxDrop, &a.MaxDrop}} {
		if f.flag == nil {
			continue
		}
		*f.to = *f.flag
		if *f.to == 0 {
			*f.to = no
		}
	}
	return a
}

// spanOptions are the options of every plan of this command.
func (c *routeCmd) spanOptions() *wend.SpanOptions {
	o := &wend.SpanOptions{Zone: c.Zone, Shortest: c.Shortest, Partial: c.Partial, Gap: c.Queries == "", Reference: c.Reference, Debug: c.Debug}
	switch {
	case c.Exact || c.Windows == "exact":
		o.Windows = wend.Exact
	case c.Windows == "ladder" || c.Reference:
		o.Windows = wend.Ladder
	}
	if c.MaxSnap != nil {
		if o.MaxSnap = *c.MaxSnap; o.MaxSnap == 0 {
			o.MaxSnap = no
		}
	}
	for _, d := range c.Disc {
		o.Discs = append(o.Discs, wend.Disc(d))
	}
	return o
}

// stageNames are the stages of the planner in their order.
var stageNames = []string{"baseline", "topology", "geometry", "turns", "pulled", "assembled"}

// checkStages refuses stages that do not exist, or that nothing is drawn of.
func (c *routeCmd) checkStages() error {
	if c.Stages == nil {
		return nil
	}
	if c.SVG == "" && c.PNG == "" {
		return badInputf("--stages is about a picture: --svg or --png draws one")
	}
	for _, name := range c.Stages {
		if !slices.Contains(stageNames, name) && !(name == "none" && len(c.Stages) == 1) {
			return badInputf("--stages %s: want some of %s, or none", strings.Join(c.Stages, ","), strings.Join(stageNames, ","))
		}
	}
	return nil
}

// shown returns the legs with the stages that are to be drawn.
func (c *routeCmd) shown(legs []*route.Route) []*route.Route {
	if c.Stages == nil {
		return legs
	}
	var out []*route.Route
	for _, leg := range legs {
		r := *leg
		if leg.Debug != nil {
			d := *leg.Debug
			d.Stages = nil
			for _, s := range leg.Debug.Stages {
				name, _, _ := strings.Cut(s.Name, " ") // what lies beyond a fall is a stage as well
				if slices.Contains(c.Stages, name) {
					d.Stages = append(d.Stages, s)
				}
			}
			r.Debug = &d
		}
		out = append(out, &r)
	}
	return out
}

// runSpan plans over packs.
func (c *routeCmd) runSpan(e *env, queries []query) error {
	if flag := c.meshRouteFlags.used(); flag != "" {
		return badInputf("%s is for the mesh planner, and this is the span planner", flag)
	}
	if err := c.checkStages(); err != nil {
		return err
	}
	workers := c.Jobs
	if queries != nil {
		workers = 1 // the queries are spread over the processors
	}
	packs, err := c.openSpans(e, c.World, c.Radius, c.NoGo, workers)
	if err != nil {
		return err
	}
	zone, err := checkZone(packs, c.Zone)
	if err != nil {
		return err
	}
	if queries != nil {
		return c.runSpanQueries(e, packs, queries)
	}
	q, o := packs.NewQuery(), c.spanOptions()
	o.Debug = o.Debug || c.SVG != "" || c.PNG != ""
	t, err := c.plan(tripPlanner{
		world:   packs.Fingerprint(),
		planner: planSpan,
		locate:  func(s place, floor *height) (stop, error) { return locateSpan(e.ctx, packs, c.Zone, s, floor) },
		plan: func(from, to stop) (*route.Route, error) {
			o.From, o.To = from.storey, to.storey
			leg, err := q.Plan(e.ctx, from.pos, to.pos, c.agent(), o)
			return leg, spanError(err)
		},
	})
	if err != nil {
		return err
	}
	if err := c.drawSpanRoute(e, packs, zone, t); err != nil {
		return err
	}
	if !c.Debug {
		for _, leg := range t.legs {
			leg.Debug = nil
		}
	}
	return c.print(e, t, math.Inf(1))
}

// locateSpan gives a place its height. Where several surfaces lie over one
// another, the one nearest to floor is meant; without it the answer is the list
// and not a guess.
func locateSpan(ctx context.Context, packs *wend.Packs, zone string, s place, floor *height) (stop, error) {
	if s.hasHeight {
		return stop{pos: s.pos, storey: wend.OnSurface}, nil
	}
	p, err := packs.Probe(ctx, zone, s.pos)
	if err != nil {
		return stop{}, spanError(err)
	}
	surfaces := standable(p)
	if len(surfaces) == 0 && p.Nearest != nil {
		// Beside all ground the surfaces of the nearest column count.
		u, v := (float64(p.Nearest.Cell[0])+0.5)*cellSide, (float64(p.Nearest.Cell[1])+0.5)*cellSide
		if p, err = packs.Engine().ProbePlane(ctx, zone, u, v); err != nil {
			return stop{}, spanError(err)
		}
		surfaces = standable(p)
	}
	if floor != nil {
		return onFloor(s, surfaces, float64(*floor)), nil
	}
	switch len(surfaces) {
	case 0:
		return stop{pos: s.pos, miss: fmt.Sprintf("no surface lies near %v at any height", s)}, nil
	case 1:
		return stop{pos: geom.V3(s.pos.X, surfaces[0], s.pos.Z), storey: wend.OnSurface}, nil
	}
	var list strings.Builder
	for _, y := range surfaces {
		fmt.Fprintf(&list, "\n  %.6g,%s,%.6g", s.pos.X, coord(y), s.pos.Z)
	}
	return stop{}, badInputf("%s lie over one another at %v: name one%s", plural(len(surfaces), "storey"), s, list.String())
}

// onFloor takes the surface nearest to a height, the lower of two, if it is
// within floorReach. Otherwise the planner looks around for such a surface.
func onFloor(s place, surfaces []float64, floor float64) stop {
	at := stop{pos: geom.V3(s.pos.X, floor, s.pos.Z), storey: wend.NearFloor}
	best := math.Inf(1)
	for _, y := range surfaces {
		if off := math.Abs(y - floor); off <= floorReach && off < best {
			best = off
			at.pos.Y, at.storey = y, wend.OnSurface
		}
	}
	return at
}

// floorReach is how far from its floor an end may stand, metres.
const floorReach = 12

// cellSide is the side of a cell, px.
const cellSide = 0.25

// standable returns the heights of the surfaces of a column that one can walk
// on, from the lowest up. Those of one height count once.
func standable(p *wend.Probe) []float64 {
	var out []float64
	for i := len(p.Surfaces) - 1; i >= 0; i-- {
		s := &p.Surfaces[i]
		if s.Walk && !s.Ghost && (len(out) == 0 || s.Y-out[len(out)-1] > sameHeight) {
			out = append(out, s.Y)
		}
	}
	return out
}

// sameHeight is how far the heights of one surface lie apart at most where two
// regions meet in a cell, metres. A storey has room for a body.
const sameHeight = 0.5

// runSpanQueries answers a file of queries, in the order of the file.
func (c *routeCmd) runSpanQueries(e *env, packs *wend.Packs, queries []query) error {
	var docs [][]byte
	if c.JSON {
		docs = make([][]byte, len(queries))
	}
	answers := make([]answer, len(queries))
	proved := make([]bool, len(queries))
	agent, opt := c.agent(), c.spanOptions()
	err := c.eachQuery(e, len(queries), func(ctx context.Context) func(int) error {
		q := packs.NewQuery()
		var r wend.Route
		return func(i int) error {
			err := q.PlanInto(ctx, &r, queries[i].from, queries[i].to, agent, opt)
			// An end that makes no sense spoils its own query, all else every one.
			var bad *spanroute.RequestError
			if err != nil && !(errors.As(err, &bad) && (bad.Field == "start" || bad.Field == "goal")) {
				return spanError(err)
			}
			answers[i] = answer{
				status: r.Status, length: r.Length, points: len(r.Points),
				snapStart: r.SnapStart, snapEnd: r.SnapEnd,
				micros: float64(r.Stats.Total) / float64(time.Microsecond),
			}
			proved[i] = r.Stats.Proved
			if docs == nil {
				return nil
			}
			docs[i], err = json.Marshal(&r)
			return err
		}
	})
	if err != nil {
		return err
	}
	if err := c.writeResults(e, answers, docs); err != nil {
		return err
	}
	e.note("%s", queriesText(answers, proved))
	return nil
}

// queriesText sums up the answers to queries: how many of each status, and how
// many ways are proved to be those of the whole region.
func queriesText(answers []answer, proved []bool) string {
	var count [route.BadInput + 1]int
	sure := 0
	for i := range answers {
		count[answers[i].status]++
		if answers[i].status == route.Complete && proved[i] {
			sure++
		}
	}
	words := []string{}
	for s := route.Complete; s <= route.BadInput; s++ {
		if count[s] > 0 {
			words = append(words, fmt.Sprintf("%d %v", count[s], s))
		}
	}
	text := plural(len(answers), "query") + ": " + strings.Join(words, ", ")
	if n := count[route.Complete]; n > 0 {
		text += fmt.Sprintf("; %.1f %% of the complete ones are proved for the whole region", 100*float64(sure)/float64(n))
	}
	return text
}

// drawSpanRoute makes the pictures that --svg and --png ask for.
func (c *routeCmd) drawSpanRoute(e *env, packs *wend.Packs, zone bnav.Zone, t *trip) error {
	if c.SVG == "" && c.PNG == "" {
		return nil
	}
	r := &draw.SpanRoute{Legs: c.shown(t.legs)}
	for _, s := range t.stops {
		r.Stops = append(r.Stops, s.pos)
	}
	for _, d := range c.Disc {
		r.Discs = append(r.Discs, draw.Disc{At: geom.Vec2{X: d.At.X, Y: d.At.Z}, Radius: d.Radius})
	}
	for _, n := range packs.Engine().NoGo(zone.Name) {
		r.NoGo = append(r.NoGo, scene.NoGo{Name: n.ID, Ring: n.Ring})
	}
	in, so := draw.SpanInput{Main: packs.Engine().Pack()}, &draw.SpanOptions{Zone: zone.Name, Workers: c.Jobs}
	title := filepath.Base(c.World[0]) + ": " + c.From.String() + " to " + c.To.String()
	for _, f := range []struct {
		file   string
		format draw.Format
	}{{c.SVG, draw.SVG}, {c.PNG, draw.PNG}} {
		if f.file == "" {
			continue
		}
		opt := &draw.Options{Format: f.format, Width: c.Width, Title: title}
		err := pictureFile(e, f.file, func(w io.Writer) error { return draw.RenderSpanRoute(e.ctx, w, in, "", r, so, opt) })
		if err != nil {
			return err
		}
	}
	return nil
}
