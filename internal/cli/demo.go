package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"wend"
	"wend/bake"
	"wend/draw"
	"wend/internal/config"
	"wend/navmesh"
	"wend/route"
	"wend/scene"
	"wend/scene/sample"
)

type demoCmd struct {
	Out   string `default:"wend-demo" placeholder:"DIR" help:"Folder for the files; default ${default}."`
	Force bool   `help:"Write into a folder that is not empty."`
	Jobs  int    `short:"j" default:"0" help:"Goroutines to work with; 0: one for each processor."`
}

func (demoCmd) Help() string {
	return `The town is made by code. Its level file, navmesh and pictures are there to try the other commands on.

Examples:

    wend demo
    wend demo --out /tmp/town --force`
}

func (c *demoCmd) Run(e *env) error {
	if err := (&levelFlags{Scale: 1, Jobs: c.Jobs}).check(); err != nil {
		return err
	}
	if err := c.prepare(); err != nil {
		return err
	}
	town := sample.Town()
	o := &opened{scene: town, profile: bake.Human()}
	if err := (&levelFlags{Jobs: c.Jobs}).bake(e, o); err != nil {
		return err
	}
	body := &o.report.Bodies[0]
	fmt.Fprintf(e.stdout, "the town: %s, baked in %s to %s\n\n", plural(len(town.Tris), "triangle"),
		shortDuration(body.Total), plural(body.Polygons, "polygon"))

	routes, err := c.plan(e, o.world)
	if err != nil {
		return err
	}
	if err := c.writeLevel(town, o.world); err != nil {
		return err
	}
	packs, err := c.bakePacks(e, o)
	if err != nil {
		return err
	}
	over, err := c.planOver(e, packs)
	if err != nil {
		return err
	}
	if err := c.printTrips(e, routes, over); err != nil {
		return err
	}
	if err := c.drawAll(e, o, routes); err != nil {
		return err
	}
	if err := c.drawOver(e, packs, over); err != nil {
		return err
	}
	dir := c.Out
	_, err = fmt.Fprintf(e.stdout, `
%s holds the level (town.obj, town.wend.toml), its navmesh (town.bin), its packs
(town.nav.gz), town.png seen from above, town-storeys.png, town-source.png, a
picture of each route, and of some over packs (span-...). Try:

    wend inspect %[2]s
    wend route %[2]s --from -58,0,0 --to 58,0,0
    wend route %[2]s --from 14,0 --to -4,3.2,24
    wend route %[3]s --from -58,0,0 --to 58,0,0 --png route.png
    wend probe %[3]s --at 14,0
`, dir, filepath.Join(dir, "town.bin"), filepath.Join(dir, "town.nav.gz"))
	return err
}

// prepare makes the folder, or finds it empty.
func (c *demoCmd) prepare() error {
	list, err := os.ReadDir(c.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return badInputf("cannot make folder %s: %w", c.Out, withoutPath(err))
		}
	case err != nil:
		return badInputf("--out %s: %w", c.Out, withoutPath(err))
	case len(list) > 0 && !c.Force:
		return badInputf("folder %s is not empty; --force writes into it, --out chooses another", c.Out)
	}
	return nil
}

// plan answers the trips of the town. Its kinds of ground have their prices.
func (c *demoCmd) plan(e *env, w *wend.World) ([]*route.Route, error) {
	filter := &navmesh.Filter{ExcludeFlags: navmesh.FlagNoGo}
	for _, a := range sample.Areas() {
		filter.AreaCost[a.ID] = a.Cost
	}
	q := w.NewQuery()
	var routes []*route.Route
	for _, t := range sample.Trips() {
		r, err := q.Plan(e.ctx, t.From, t.To, wend.Agent{}, &wend.PlanOptions{Filter: filter, MaxClearance: shownClearance})
		if err != nil {
			return nil, err
		}
		routes = append(routes, r)
	}
	return routes, nil
}

// printTrips prints the answers over polygons and over packs side by side.
func (c *demoCmd) printTrips(e *env, routes, over []*route.Route) error {
	rows := [][]string{{"trip", "mesh", "length", "points", "ms", "packs", "length", "points", "ms"}}
	for i, t := range sample.Trips() {
		row := []string{t.Name}
		for _, r := range []*route.Route{routes[i], over[i]} {
			length := "-"
			if len(r.Points) > 0 {
				length = fmt.Sprintf("%.2f m", r.Length)
			}
			row = append(row, e.statusText(r.Status), length, fmt.Sprint(len(r.Points)), fmt.Sprintf("%.3f", float64(r.Stats.Total)/1e6))
		}
		rows = append(rows, row)
	}
	return table(e.stdout, "llrrrlrrr", rows)
}

// writeLevel saves the town so that "wend bake town.obj" makes the same mesh.
func (c *demoCmd) writeLevel(town *scene.Scene, w *wend.World) error {
	beside := &config.Level{Links: town.Links, Volumes: town.Volumes, NoGo: town.NoGo}
	for _, a := range sample.Areas() {
		if a.Material != "" {
			beside.Parts = append(beside.Parts, config.PartRule{Material: a.Material, HasArea: true, Area: a.ID})
		}
	}
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{"town.obj", func(w io.Writer) error { return sample.WriteOBJ(w, town) }},
		{"town" + config.Suffix, func(w io.Writer) error { return config.WriteLevel(w, beside) }},
		{"town.bin", func(out io.Writer) error { return w.WriteNavmesh(out, 0) }},
	} {
		if err := writeFile(filepath.Join(c.Out, f.name), f.write); err != nil {
			return err
		}
	}
	return nil
}

func (c *demoCmd) drawAll(e *env, o *opened, routes []*route.Route) error {
	trips := sample.Trips()
	names := map[uint8]string{}
	for _, a := range sample.Areas() {
		names[uint8(a.ID)] = a.Name
	}
	in := draw.Input{Mesh: o.world.Mesh(0), Scene: o.scene, AreaNames: names}
	oblique := draw.View{Kind: draw.Oblique}
	type picture struct {
		file, layer, title string
		view               draw.View
		routes             []*route.Route
		name               string
	}
	pictures := []picture{
		{file: "town.png", layer: "mesh", title: "The town: navmesh"},
		{file: "town-storeys.png", layer: "storeys", title: "The town: storeys", view: oblique},
		{file: "town-source.png", layer: "source", title: "The town: level geometry", view: oblique},
	}
	for i, t := range trips {
		word := strings.ReplaceAll(t.Name, " ", "-")
		pictures = append(pictures, picture{
			file: fmt.Sprintf("route-%02d-%s.png", i+1, word), layer: "mesh", title: "The town: " + t.Name,
			routes: routes[i : i+1], name: t.Name,
		})
	}
	p := e.progress()
	defer p.finish()
	for i, pic := range pictures {
		p.step("pictures", i, len(pictures))
		in := in
		in.Routes, in.RouteNames = pic.routes, []string{pic.name}
		opt := &draw.Options{Format: draw.PNG, View: pic.view, Title: pic.title}
		if err := renderFile(e, filepath.Join(c.Out, pic.file), in, pic.layer, opt); err != nil {
			return err
		}
	}
	p.step("pictures", len(pictures), len(pictures))
	return nil
}
