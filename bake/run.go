package bake

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"wend/internal/heightfield"
	"wend/navmesh"
	"wend/scene"
)

// Options say how to bake, not what: they never change the result.
type Options struct {
	Workers int // goroutines; 0: as many as the machine has processors

	// Progress is called after each finished tile and stage, from one
	// goroutine at a time.
	Progress func(Progress)

	// Intermediate is called with what the stages made of each tile, in tile
	// order, before Run returns. It keeps all of it in memory until then.
	Intermediate func(body string, im *Intermediate)
}

// Progress says how far a bake has come.
type Progress struct {
	Body        string
	Stage       string
	Done, Total int
}

// Result is what a bake made: a mesh for each body of the profile.
type Result struct {
	Meshes []BodyMesh // the profile's agent first
	Report Report
}

// BodyMesh is the navmesh of one body.
type BodyMesh struct {
	Body Body
	Mesh *navmesh.Mesh
}

// run is the bake of one body.
type run struct {
	sc   *scene.Scene
	p    *Profile
	opt  *Options
	body *Body
	lat  *lattice
	surf *surface

	workers int
}

// Run bakes the navmeshes of a level. The result depends on sc and p alone.
//
// Errors: *FieldError for a setting out of range, the scene's own validation
// errors, *SizeError for a level that does not fit the lattice, *EmptyError
// when nothing is walkable, *StageError for a stage that failed, and the
// context's error when it ends first. A region that gives no usable polygon is
// no error: the report names it.
//
// Time and memory grow with the number of cells; tiles bound the memory.
func Run(ctx context.Context, sc *scene.Scene, p Profile, o *Options) (*Result, error) {
	if o == nil {
		o = &Options{}
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := sc.Validate(); err != nil {
		return nil, fmt.Errorf("bake: %w", err)
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	res := &Result{Report: Report{Profile: p.Name}}
	for _, b := range append([]Body{p.Agent}, p.Bodies...) {
		r := &run{sc: sc, p: &p, opt: o, body: &b, workers: workers}
		mesh, rep, err := r.bake(ctx)
		if err != nil {
			if len(p.Bodies) > 0 {
				err = fmt.Errorf("body %q: %w", b.Name, err)
			}
			return nil, err
		}
		res.Meshes = append(res.Meshes, BodyMesh{b, mesh})
		res.Report.Bodies = append(res.Report.Bodies, *rep)
	}
	return res, nil
}

func (r *run) bake(ctx context.Context) (*navmesh.Mesh, *BodyReport, error) {
	start := time.Now()
	r.surf = newSurface(r.sc, r.p, r.body)
	if len(r.surf.tris) == 0 {
		return nil, nil, &EmptyError{Body: *r.body}
	}
	tiling := r.p.Navmesh.Tiling
	for {
		var err error
		if r.lat, err = newLattice(r.sc, r.surf, r.p, r.body, tiling); err != nil {
			return nil, nil, err
		}
		results, err := r.bakeTiles(ctx)
		var full *CapacityError
		if tiling == TilingAuto && !r.lat.tiled && errors.As(err, &full) {
			tiling = TilingOn
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		return r.assemble(results, start)
	}
}

// bakeTiles runs the stages of every tile. Tiles run side by side; a single
// tile gets all workers for itself.
func (r *run) bakeTiles(ctx context.Context) ([]tileResult, error) {
	l := r.lat
	n := l.tilesX * l.tilesZ
	results := make([]tileResult, n)
	r.progress("tiles", 0, n)
	if n == 1 {
		res, err := r.bakeTile(ctx, 0, 0, r.surf.tris, r.workers)
		if err != nil {
			return nil, err
		}
		results[0] = res
		r.progress("tiles", 1, 1)
		return results, nil
	}

	b, err := l.bin(ctx, r.sc, r.surf.tris)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		wg   sync.WaitGroup
		next atomic.Int64
		mu   sync.Mutex // guards done, failed and the progress callback
		done int
	)
	errs := make([]error, n)
	for range min(r.workers, n) {
		wg.Go(func() {
			var tris []heightfield.Tri
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				items := b.items[b.start[i]:b.start[i+1]]
				if len(items) > 0 {
					tris = tris[:0]
					for _, k := range items {
						tris = append(tris, r.surf.tris[k])
					}
					results[i], errs[i] = r.bakeTile(ctx, i%l.tilesX, i/l.tilesX, tris, 1)
					if errs[i] != nil {
						cancel()
						return
					}
				}
				mu.Lock()
				done++
				r.progress("tiles", done, n)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	// The first error by tile, not by time: but a tile that was merely
	// cancelled by another's failure does not count.
	var cancelled error
	for _, err := range errs {
		if err == nil {
			continue
		}
		if !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
			return nil, err
		}
		cancelled = err
	}
	if cancelled != nil {
		return nil, cancelled
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return results, nil
}

// assemble joins the tiles in order, adds links, prunes islands and reports.
func (r *run) assemble(results []tileResult, start time.Time) (*navmesh.Mesh, *BodyReport, error) {
	l := r.lat
	rep := &BodyReport{
		Body: r.body.Name, Radius: r.body.Radius, Height: r.body.Height,
		Cells: [2]int{l.w, l.d}, TilesX: l.tilesX, TilesZ: l.tilesZ, Tiled: l.tiled,
		Triangles: len(r.surf.tris), SourceArea: r.surf.total,
	}
	if r.surf.total > 0 {
		rep.SteepShare = r.surf.steep / r.surf.total
		rep.DownShare = r.surf.down / r.surf.total
	}
	empty := &EmptyError{Body: *r.body, Triangles: rep.Triangles, SteepShare: rep.SteepShare, DownShare: rep.DownShare}
	tiles := make([]*navmesh.Tile, len(results))
	rep.Stages = make([]StageReport, numStages, numStages+1)
	for s := range rep.Stages {
		rep.Stages[s].Stage = stageNames[s]
	}
	for i := range results {
		res := &results[i]
		tiles[i] = res.tile
		rep.Skipped = append(rep.Skipped, res.skipped...)
		if t := res.tally; t != nil {
			empty.Rasterised += t.left[0]
			empty.Filtered += t.left[1]
			empty.Eroded += t.left[2]
			empty.Uncut += t.left[3]
			empty.InRegions += t.left[4]
			for s := range numStages {
				rep.Stages[s].Time += t.time[s]
				rep.Stages[s].Bytes = max(rep.Stages[s].Bytes, t.size[s])
			}
		}
		if res.inter != nil {
			r.opt.Intermediate(r.body.Name, res.inter)
		}
	}

	began := time.Now()
	r.progress("assemble", 0, 1)
	links, err := r.addLinks(tiles)
	if err != nil {
		return nil, nil, fmt.Errorf("bake: %w", err)
	}
	mesh, asm, err := r.newMesh(tiles)
	if err != nil {
		return nil, nil, err
	}
	if mesh != nil {
		if n := pruneIslands(mesh, tiles, &r.p.Navmesh); n > 0 {
			rep.PrunedPolys = n
			if mesh, asm, err = r.newMesh(tiles); err != nil {
				return nil, nil, err
			}
		}
	}
	if mesh == nil {
		return nil, nil, empty
	}
	for i := range asm.Unattached {
		u := &asm.Unattached[i]
		rep.Unattached = append(rep.Unattached, newLinkReport(r.sc.Links, links[u.Tile][u.Index], u))
	}
	rep.describe(mesh, l.cell)
	rep.Stages = append(rep.Stages, StageReport{Stage: "assemble", Time: time.Since(began)})
	rep.Total = time.Since(start)
	r.progress("assemble", 1, 1)
	return mesh, rep, nil
}

// newMesh assembles the tiles that are there; nil when none has a polygon to
// walk on.
func (r *run) newMesh(tiles []*navmesh.Tile) (*navmesh.Mesh, *navmesh.Assembly, error) {
	var list []navmesh.Tile
	ground := 0
	for _, t := range tiles {
		if t != nil {
			list = append(list, *t)
			ground += len(t.Polys) - len(t.OffMesh)
		}
	}
	if ground == 0 {
		return nil, nil, nil
	}
	l := r.lat
	params := navmesh.Params{Origin: l.origin.Narrow(), MaxTiles: 1}
	if l.tiled {
		side := float32(float64(l.tile) * l.cell)
		params.TileWidth, params.TileDepth = side, side
		params.MaxTiles = int32(l.tilesX * l.tilesZ)
	} else {
		hi := l.corner(l.w, l.d)
		params.TileWidth, params.TileDepth = float32(hi.X-l.origin.X), float32(hi.Z-l.origin.Z)
	}
	for i := range list {
		params.MaxPolys = max(params.MaxPolys, int32(len(list[i].Polys)))
	}
	mesh, asm, err := navmesh.New(params, list)
	if err != nil {
		return nil, nil, fmt.Errorf("bake: assembling the mesh: %w", err)
	}
	return mesh, asm, nil
}

func (r *run) progress(stage string, done, total int) {
	if r.opt.Progress != nil {
		r.opt.Progress(Progress{r.body.Name, stage, done, total})
	}
}
