package cli

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sort"
	"time"

	"wend"
	"wend/bake"
	"wend/geom"
	"wend/navmesh"
	"wend/scene/sample"
)

type benchCmd struct {
	World   []string `arg:"" optional:"" help:"Navmesh, level file or pack; none: the sample town; grid: compare the searches on grids."`
	Count   int      `short:"n" default:"2000" help:"Random queries to time."`
	Seed    uint64   `default:"1" help:"Seed of the random points, and of grids."`
	Passes  int      `default:"20" help:"Of grid: passes over the queries; of each query the best counts."`
	Pairs   int      `default:"100" help:"Of grid: queries a map; below 16 the flow fields are smaller, too."`
	JSON    bool     `name:"json" help:"Of grid: print one JSON document."`
	Windows string   `enum:"whole,ladder,exact" default:"whole" help:"Of a pack: windows as of route."`
	Cache   int      `default:"512" placeholder:"MIB" help:"Of a pack: memory for decoded ground, MiB."`
	levelFlags
}

func (benchCmd) Help() string {
	return `A level is baked and its stages are timed, then random points on the mesh are found and joined. The points depend on the seed alone.

With the word grid instead of a file, A*, JPS, JPS+ and the automatic choice answer the same queries on an open plain, in a maze of one cell wide corridors and on a map that is half town; wall tracing is timed in corridors, maps of bits are compared with maps of bytes, and flow fields and shared routes are timed. All but the times depends on the seed alone.

A pack is planned over by random legs of 10 to 800 m: with cold and warm caches, by stage and window, then by several planners at once.

Examples:

    wend bench
    wend bench town.bin --count 10000
    wend bench town.obj --scale 0.125 --jobs 1
    wend bench town.nav.gz --count 500
    wend bench grid`
}

func (c *benchCmd) Run(e *env) error {
	if len(c.World) == 1 && c.World[0] == "grid" {
		return c.grids(e)
	}
	if len(c.World) == 1 {
		// What is wrong with a file is said where it is opened.
		if kind, err := packKind(c.World[0]); err == nil && kind == magicMain && !c.JSON {
			return c.spans(e, c.World[0])
		}
	}
	if c.JSON {
		return badInputf("--json goes with grid")
	}
	if c.Count < 1 || c.Count > 1e6 {
		return badInputf("--count %d: want 1 to 1000000", c.Count)
	}
	o, err := c.load(e)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "%s, %s, %d processors\n", runtime.Version(), runtime.GOARCH, runtime.NumCPU())
	if o.report != nil {
		for i := range o.report.Bodies {
			if err := printStages(e, &o.report.Bodies[i]); err != nil {
				return err
			}
		}
	}
	return c.queries(e, o.world)
}

func (c *benchCmd) load(e *env) (*opened, error) {
	if len(c.World) > 0 {
		return c.open(e, c.World, nil)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	p, err := c.profile(nil)
	if err != nil {
		return nil, err
	}
	o := &opened{scene: sample.Town(), profile: p}
	return o, c.bake(e, o)
}

func printStages(e *env, r *bake.BodyReport) error {
	fmt.Fprintf(e.stdout, "bake %s: %s, %s\n", r.Body, plural(r.Triangles, "triangle"), plural(r.Polygons, "polygon"))
	rows := [][]string{{"stage", "ms", "MB"}}
	for _, s := range r.Stages {
		rows = append(rows, []string{s.Stage, millis(s.Time), fmt.Sprintf("%.2f", float64(s.Bytes)/1e6)})
	}
	rows = append(rows, []string{"all, by the clock", millis(r.Total), ""})
	return table(e.stdout, "lrr", rows)
}

func millis(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d)/1e6) }

// queries times the two things that a game asks for all the time.
func (c *benchCmd) queries(e *env, w *wend.World) error {
	pts, err := randomPoints(w.Mesh(0), 2*c.Count, c.Seed)
	if err != nil {
		return err
	}
	q := w.NewQuery()
	nearest := make([]time.Duration, 0, c.Count)
	for i, p := range pts[:c.Count] {
		if i%1024 == 0 {
			if err := e.ctx.Err(); err != nil {
				return err
			}
		}
		start := time.Now()
		if _, err := q.Locate(p, nil); err != nil {
			return err
		}
		nearest = append(nearest, time.Since(start))
	}
	p := e.progress()
	defer p.finish()
	var complete, rest []time.Duration
	var r wend.Route
	for i := range c.Count {
		if i%64 == 0 {
			p.step("routes", i, c.Count)
		}
		start := time.Now()
		if err := q.PlanInto(e.ctx, &r, pts[2*i], pts[2*i+1], wend.Agent{}, nil); err != nil {
			return err
		}
		took := time.Since(start)
		if r.Status == wend.Complete {
			complete = append(complete, took)
		} else {
			rest = append(rest, took)
		}
	}
	p.step("routes", c.Count, c.Count)
	rows := [][]string{{"query", "count", "p50 µs", "p99 µs", "max µs"}}
	for _, t := range []struct {
		name string
		took []time.Duration
	}{{"nearest", nearest}, {"route, complete", complete}, {"route, other", rest}} {
		if len(t.took) == 0 {
			continue
		}
		slices.Sort(t.took)
		at := func(share float64) string {
			return fmt.Sprintf("%.2f", float64(t.took[int(share*float64(len(t.took)-1))])/1e3)
		}
		rows = append(rows, []string{t.name, fmt.Sprint(len(t.took)), at(0.5), at(0.99), at(1)})
	}
	return table(e.stdout, "lrrrr", rows)
}

// randomPoints draws points of a mesh, uniform by area seen from above.
func randomPoints(m *navmesh.Mesh, n int, seed uint64) ([]geom.Vec3, error) {
	rng := rand.New(rand.NewPCG(seed, 0))
	var tris [][3]geom.Vec3
	var sums []float64
	total := 0.0
	for id := range navmesh.PolyID(m.Len()) {
		p := m.Poly(id)
		if p.Kind() == navmesh.KindOffMesh {
			continue
		}
		for i := 2; i < p.Len(); i++ {
			t := [3]geom.Vec3{p.Corner(0), p.Corner(i - 1), p.Corner(i)}
			total += max(geom.Area2(t[0], t[1], t[2]), 0)
			tris, sums = append(tris, t), append(sums, total)
		}
	}
	if !(total > 0) {
		return nil, badInputf("the mesh has no ground to draw points from")
	}
	pts := make([]geom.Vec3, n)
	for i := range pts {
		t := tris[min(sort.SearchFloat64s(sums, rng.Float64()*total), len(tris)-1)]
		u, v := rng.Float64(), rng.Float64()
		if u+v > 1 {
			u, v = 1-u, 1-v
		}
		pts[i] = t[0].Add(t[1].Sub(t[0]).Scale(u)).Add(t[2].Sub(t[0]).Scale(v))
	}
	return pts, nil
}
