package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"wend/geom"
	"wend/pack/bnav"
	"wend/route"
	"wend/spangrid"
	"wend/spanroute"
)

// Random legs over a pack, planned one after the other and then by several
// planners at once, and what they cost.

// againLegs is how many legs at most are planned again, and by several planners.
const againLegs = 98

// thin returns at most n legs, spread evenly and of all lengths.
func thin(legs []spanLeg, n int) []spanLeg {
	if len(legs) <= n {
		return legs
	}
	list := make([]spanLeg, n)
	for i := range list {
		// A turn of all lengths, then a jump.
		k := len(legLengths)
		list[i] = legs[i/k*(len(legs)/n)*k+i%k]
	}
	return list
}

// legLengths are the distances between the ends of legs, metres.
var legLengths = []float64{10, 20, 50, 100, 200, 400, 800}

type spanLeg struct {
	from, to geom.Vec3
	length   float64 // as drawn
}

// spanRun is what one leg came to.
type spanRun struct {
	leg   spanLeg
	route route.Route
	took  time.Duration
	alloc uint64 // bytes allocated meanwhile
}

func (c *benchCmd) spans(e *env, name string) error {
	if c.Count < 1 || c.Count > 1e6 {
		return badInputf("--count %d: want 1 to 1000000", c.Count)
	}
	begin := time.Now()
	engine, err := spanroute.Open(e.ctx, os.DirFS(filepath.Dir(name)), filepath.Base(name), &spanroute.Options{CacheBytes: int64(c.Cache) << 20})
	if err != nil {
		return err
	}
	p := engine.Pack()
	fmt.Fprintf(e.stdout, "%s, %s, %d processors\n", runtime.Version(), runtime.GOARCH, runtime.NumCPU())
	fmt.Fprintf(e.stdout, "%s: opened in %s, %.1f million records\n", name, millisText(time.Since(begin)), float64(p.Grid.Zones[0].Records())/1e6)
	begin = time.Now()
	if err := engine.Warm(e.ctx, p.Grid.Zones[0].Name); err != nil {
		return err
	}
	fmt.Fprintf(e.stdout, "zone ready in %s\n", millisText(time.Since(begin)))
	legs, err := randomLegs(e.ctx, p, c.Count, c.Seed)
	if err != nil {
		return err
	}
	for _, pass := range []struct {
		name string
		legs []spanLeg
	}{{"as they come", legs}, {"once more", thin(legs, againLegs)}} {
		runs, heap, err := c.planLegs(e, engine, pass.legs)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.stdout, "\n%s: %d legs, one planner\n", pass.name, len(runs))
		printSpanRuns(e.stdout, runs)
		fmt.Fprintf(e.stdout, "heap at most %.0f MiB, of it pages %.0f and tiles %.0f\n", float64(heap)/(1<<20),
			float64(engine.Stats().Pages.Bytes)/(1<<20), float64(engine.Stats().Tiles.Bytes)/(1<<20))
	}
	for _, n := range []int{1, 2, 4} {
		if err := throughput(e, engine, thin(legs, againLegs), n); err != nil {
			return err
		}
	}
	return nil
}

// dryDraws is how many draws in a row without a goal show that a zone has no room
// for legs of a length.
const dryDraws = 200

// randomLegs draws legs of all lengths in turn: a start anywhere on core ground,
// a goal on core ground near a point at that distance in a random direction.
// Lengths that the zone has no room for are left out.
func randomLegs(ctx context.Context, p *bnav.Pack, n int, seed uint64) ([]spanLeg, error) {
	rnd := rand.New(rand.NewPCG(seed, 5))
	z := &p.Zones[p.ZoneIndex(p.Grid.Zones[0].Name)]
	ground, side, err := sampleGround(ctx, p)
	if err != nil {
		return nil, err
	}
	px := math.Abs(float64(z.SX))
	var lengths []float64
	for _, l := range legLengths {
		if len(ground) > 0 && l*px/spangrid.Side < side {
			lengths = append(lengths, l)
		}
	}
	dry := make([]int, len(lengths)) // draws without a goal since the last one with
	var legs []spanLeg
	for turn := 0; len(legs) < n; {
		if len(lengths) == 0 {
			return nil, errors.New("the pack has too little ground for random legs")
		}
		tile := ground[rnd.IntN(len(ground))]
		from := tile.list[rnd.IntN(len(tile.list))]
		at := turn % len(lengths)
		length := lengths[at]
		dx, dy := direction(rnd)
		cells := length * px / spangrid.Side
		to, ok := groundNear(ground, rnd, from.gx+int32(cells*dx), from.gy+int32(cells*dy))
		switch {
		case ok:
			legs = append(legs, spanLeg{from.place(z), to.place(z), length})
			dry[at] = 0
			turn++
		case dry[at]+1 < dryDraws:
			dry[at]++
		default:
			lengths, dry = slices.Delete(lengths, at, at+1), slices.Delete(dry, at, at+1)
		}
	}
	return legs, nil
}

// groundTile is part of the core ground of a tile.
type groundTile struct {
	window bnav.Window
	list   []groundAt
}

type groundAt struct {
	gx, gy int32
	h      float32
}

func (g groundAt) place(z *bnav.Zone) geom.Vec3 {
	u, v := spangrid.Center(int(g.gx)), spangrid.Center(int(g.gy))
	return geom.V3((u-float64(z.TX))/float64(z.SX), float64(g.h), (float64(z.TY)-v)/float64(z.SY))
}

// groundShare is of how many surfaces one is kept.
const groundShare = 7

// sampleGround returns some of the core ground of each tile, and the longer side
// of the zone, cells.
func sampleGround(ctx context.Context, p *bnav.Pack) (list []groundTile, side float64, err error) {
	var x0, y0, x1, y1 int32
	for i, t := range p.Grid.Zones[0].Tiles {
		win := bnav.Window{GX0: t.GX0, GY0: t.GY0, NX: t.NX, NY: t.NY}
		recs, err := p.Grid.Window(ctx, 0, win, 1)
		if err != nil {
			return nil, 0, err
		}
		if i == 0 {
			x0, y0, x1, y1 = t.GX0, t.GY0, t.GX0, t.GY0
		}
		x0, y0, x1, y1 = min(x0, t.GX0), min(y0, t.GY0), max(x1, t.GX0+t.NX), max(y1, t.GY0+t.NY)
		tile := groundTile{window: win}
		n := 0
		for _, r := range recs {
			if r.Flags&(bnav.Core|bnav.Walk) != bnav.Core|bnav.Walk {
				continue
			}
			if n++; n%groundShare == 0 {
				tile.list = append(tile.list, groundAt{win.GX0 + r.Cell%win.NX, win.GY0 + r.Cell/win.NX, r.H})
			}
		}
		if len(tile.list) > 0 {
			list = append(list, tile)
		}
	}
	return list, float64(max(x1-x0, y1-y0)), nil
}

// direction returns a random direction, without functions whose last bits
// differ between machines.
func direction(rnd *rand.Rand) (dx, dy float64) {
	for {
		dx, dy = 2*rnd.Float64()-1, 2*rnd.Float64()-1
		if l := math.Sqrt(float64(dx*dx) + float64(dy*dy)); l > 0.01 && l <= 1 {
			return dx / l, dy / l
		}
	}
}

// groundNear returns a random surface on core ground within 16 cells of a cell.
func groundNear(ground []groundTile, rnd *rand.Rand, gx, gy int32) (at groundAt, ok bool) {
	n := 0
	for i := range ground {
		w := &ground[i].window
		if gx < w.GX0-16 || gy < w.GY0-16 || gx >= w.GX0+w.NX+16 || gy >= w.GY0+w.NY+16 {
			continue
		}
		for _, g := range ground[i].list {
			if g.gx < gx-16 || g.gx > gx+16 || g.gy < gy-16 || g.gy > gy+16 {
				continue
			}
			if n++; rnd.IntN(n) == 0 { // each with the same chance
				at = g
			}
		}
	}
	return at, n > 0
}

// request is what is asked for a leg.
func (l *spanLeg) request() *spanroute.Request {
	return &spanroute.Request{From: spanroute.End{At: l.from}, To: spanroute.End{At: l.to}}
}

var benchWindows = map[string]spanroute.Windows{"whole": spanroute.WholeRegion, "ladder": spanroute.Ladder, "exact": spanroute.Exact}

func (c *benchCmd) planLegs(e *env, engine *spanroute.Engine, legs []spanLeg) (runs []spanRun, heap uint64, err error) {
	p := engine.NewPlanner()
	shown := e.progress()
	defer shown.finish()
	var m runtime.MemStats
	for i, l := range legs {
		shown.step("legs", i, len(legs))
		r := spanRun{leg: l}
		req := l.request()
		req.Windows = benchWindows[c.Windows]
		runtime.ReadMemStats(&m)
		before := m.TotalAlloc
		begin := time.Now()
		if err := p.Plan(e.ctx, req, &r.route); err != nil {
			return nil, 0, err
		}
		r.took = time.Since(begin)
		runtime.ReadMemStats(&m)
		r.alloc, heap = m.TotalAlloc-before, max(heap, m.HeapInuse)
		runs = append(runs, r)
	}
	return runs, heap, nil
}

func millisText(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }

// spread describes a list of numbers.
func spread(list []float64) string {
	if len(list) == 0 {
		return "-\t-\t-\t-"
	}
	slices.Sort(list)
	at := func(f float64) float64 { return list[int(f*float64(len(list)-1))] }
	return fmt.Sprintf("%.2f\t%.2f\t%.2f\t%.2f", at(0.5), at(0.9), at(0.99), at(1))
}

func inMillis(d time.Duration) float64 { return float64(d) / 1e6 }

func printSpanRuns(out io.Writer, runs []spanRun) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	defer w.Flush()
	rows := func(pick func(r *spanRun) (key string, v float64)) {
		groups := map[string][]float64{}
		for i := range runs {
			if k, v := pick(&runs[i]); k != "" {
				groups[k] = append(groups[k], v)
			}
		}
		for _, k := range sortedKeys(groups) {
			fmt.Fprintf(w, "%s\t%d\t%s\n", k, len(groups[k]), spread(groups[k]))
		}
	}
	head := func(name string) { fmt.Fprintf(w, "%s\tlegs\tmedian\tp90\tp99\tmost\n", name) }
	table := func(name string, pick func(r *spanRun) (key string, v float64)) {
		head(name)
		rows(pick)
	}
	complete := func(r *spanRun) bool { return r.route.Status == route.Complete }
	table("ms in all", func(r *spanRun) (string, float64) { return "all", inMillis(r.took) })
	table("ms by length asked, m", func(r *spanRun) (string, float64) {
		return fmt.Sprintf("%4.0f", r.leg.length), inMillis(r.took)
	})
	table("ms by last window", func(r *spanRun) (string, float64) {
		if r.route.Stats.Window == "" {
			return "none", inMillis(r.took)
		}
		return fmt.Sprintf("tier %d, %s", r.route.Stats.Tier, r.route.Stats.Window), inMillis(r.took)
	})
	head("ms and counts of complete legs")
	for _, s := range []struct {
		name string
		of   func(s *route.Stats) float64
	}{
		{"1 snap", func(s *route.Stats) float64 { return inMillis(s.Snap) }},
		{"2 window", func(s *route.Stats) float64 { return inMillis(s.Prepare) }},
		{"3 topology", func(s *route.Stats) float64 { return inMillis(s.Search) }},
		{"4 geometry", func(s *route.Stats) float64 { return inMillis(s.Geometry) }},
		{"5 pull", func(s *route.Stats) float64 { return inMillis(s.Pull) }},
		{"6 assembly", func(s *route.Stats) float64 { return inMillis(s.Assemble) }},
		{"7 lift", func(s *route.Stats) float64 { return inMillis(s.Lift) }},
		{"8 the rest", func(s *route.Stats) float64 {
			return inMillis(s.Total - s.Snap - s.Prepare - s.Search - s.Geometry - s.Pull - s.Assemble - s.Lift)
		}},
		{"cells of topology", func(s *route.Stats) float64 { return float64(s.TopologyCells) }},
		{"points of the chain", func(s *route.Stats) float64 { return float64(s.ChainPoints) }},
		{"points after the pull", func(s *route.Stats) float64 { return float64(s.PulledPoints) }},
		{"points of the route", func(s *route.Stats) float64 { return float64(s.AssembledPoints) }},
		{"spans expanded", func(s *route.Stats) float64 { return float64(s.Expanded) }},
		{"pages looked at", func(s *route.Stats) float64 { return float64(s.Pages) }},
		{"million cells of the window", func(s *route.Stats) float64 { return float64(s.WindowCells) / 1e6 }},
	} {
		rows(func(r *spanRun) (string, float64) {
			if !complete(r) {
				return "", 0
			}
			return s.name, s.of(&r.route.Stats)
		})
	}
	table("MiB allocated", func(r *spanRun) (string, float64) { return "a leg", float64(r.alloc) / (1 << 20) })

	var proved, done, crossings, steps, pulled int
	var lifted [3]int
	failures, escalations := map[string]int{}, map[string]int{}
	for i := range runs {
		r := &runs[i].route
		if r.Failure != nil {
			failures[r.Failure.Code]++
		}
		escalations[strings.Repeat("+", r.Stats.Tier)]++
		if r.Status != route.Complete {
			continue
		}
		done++
		if r.Stats.Proved {
			proved++
		}
		crossings += r.Stats.WallCrossings
		steps += r.Stats.WallSteps
		pulled += max(r.Stats.PulledPoints-1, 0)
		for k, n := range r.Stats.Lifted {
			lifted[k] += n
		}
	}
	w.Flush()
	fmt.Fprintf(out, "complete %d of %d, with proof that the whole region gives the same: %d (%.1f %%)\n", done, len(runs), proved, 100*float64(proved)/math.Max(float64(done), 1))
	fmt.Fprintf(out, "steps that stayed single after the pull: %d of %d stretches; crossings of kept walls: %d\n", steps, pulled, crossings)
	fmt.Fprintf(out, "corners lifted by a side %d, by a diagonal %d, by two cells %d\n", lifted[0], lifted[1], lifted[2])
	for _, k := range sortedKeys(failures) {
		fmt.Fprintf(out, "failed: %s %d\n", k, failures[k])
	}
	for _, k := range sortedKeys(escalations) {
		fmt.Fprintf(out, "windows given up before the last: %d, legs %d\n", len(k), escalations[k])
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// throughput plans all legs with n planners at once.
func throughput(e *env, engine *spanroute.Engine, legs []spanLeg, n int) error {
	var next atomic.Int64
	var wg sync.WaitGroup
	errs := make([]error, n)
	begin := time.Now()
	for k := range n {
		wg.Go(func() {
			p := engine.NewPlanner()
			var r route.Route
			for {
				i := int(next.Add(1)) - 1
				if i >= len(legs) || errs[k] != nil {
					return
				}
				errs[k] = p.Plan(e.ctx, legs[i].request(), &r)
			}
		})
	}
	wg.Wait()
	took := time.Since(begin)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Fprintf(e.stdout, "%d planners at once: %.1f legs a second, heap %.0f MiB\n", n, float64(len(legs))/took.Seconds(), float64(m.HeapInuse)/(1<<20))
	return errors.Join(errs...)
}
