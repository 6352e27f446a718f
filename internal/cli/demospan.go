package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"wend"
	"wend/draw"
	"wend/geom"
	"wend/pack"
	"wend/route"
	"wend/scene/sample"
)

// bakePacks saves the span grid of the town, as "wend bake town.obj -o
// town.nav.gz" does, and opens it.
func (c *demoCmd) bakePacks(e *env, o *opened) (*wend.Packs, error) {
	b := &bakeCmd{Levels: []string{"town.obj"}}
	b.Up, b.Unit, b.Scale, b.Jobs = "y", "m", 1, c.Jobs
	b.Out, b.SpanTile = filepath.Join(c.Out, "town.nav.gz"), 512
	fields, occluder := pack.SideNames(b.Out)
	saved, err := b.savePack(e, o, []string{b.Out, fields, occluder})
	if err != nil {
		return nil, err
	}
	z := saved.Bake.Zones[0]
	fmt.Fprintf(e.stdout, "its packs: %s of ground in %s, baked in %s\n\n", plural(int(z.Records), "cell"),
		plural(z.Regions, "region"), shortDuration(saved.Bake.Total))
	packs, err := wend.OpenPacksContext(e.ctx, packFS(e), b.Out, &wend.PackOptions{Workers: c.Jobs})
	return packs, spanError(err)
}

// shownDrop is the deepest fall of who walks the demo's trips over packs, m: nobody
// jumps off a balcony or the mouth of a tunnel where there are stairs and streets.
const shownDrop = 2.5

// planOver answers the trips of the town over packs.
func (c *demoCmd) planOver(e *env, packs *wend.Packs) ([]*route.Route, error) {
	if err := packs.Engine().Warm(e.ctx, packs.Zones()[0]); err != nil {
		return nil, spanError(err)
	}
	q := packs.NewQuery()
	var routes []*route.Route
	for _, t := range sample.Trips() {
		r, err := q.Plan(e.ctx, t.From, t.To, wend.Agent{MaxDrop: shownDrop}, &wend.SpanOptions{Debug: true})
		if err != nil {
			return nil, spanError(err)
		}
		routes = append(routes, r)
	}
	return routes, nil
}

// drawOver draws some of the routes over packs: one in the open, one up the
// stairs, one over a link, and one that nothing leads to.
func (c *demoCmd) drawOver(e *env, packs *wend.Packs, routes []*route.Route) error {
	in := draw.SpanInput{Main: packs.Engine().Pack()}
	for i, t := range sample.Trips() {
		switch t.Name {
		case "across town", "up to the bedroom", "down the ledge", "to the unreachable roof":
		default:
			continue
		}
		file := filepath.Join(c.Out, fmt.Sprintf("span-%02d-%s.png", i+1, strings.ReplaceAll(t.Name, " ", "-")))
		leg, title := routes[i], "The town over packs: "+t.Name
		if leg.Failure != nil {
			// Where the way breaks off is asked for here alone: the table is about the plan.
			var err error
			leg, err = packs.NewQuery().Plan(e.ctx, t.From, t.To, wend.Agent{MaxDrop: shownDrop}, &wend.SpanOptions{Debug: true, Gap: true})
			if err != nil {
				return spanError(err)
			}
			title += ": " + leg.Failure.Message
		}
		r := &draw.SpanRoute{Legs: []*route.Route{leg}, Stops: []geom.Vec3{t.From, t.To}}
		opt := &draw.Options{Format: draw.PNG, Title: title}
		err := pictureFile(e, file, func(w io.Writer) error { return draw.RenderSpanRoute(e.ctx, w, in, "", r, nil, opt) })
		if err != nil {
			return err
		}
	}
	return nil
}
