package spanbake

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"sync"
	"time"

	"wend/pack"
	"wend/pack/bnav"
	"wend/spangrid"
	"wend/zone"
)

// Result is a set of packs, before gzip: pack.WriteFile saves them.
type Result struct {
	Main     []byte
	Fields   []byte
	Occluder []byte // nil without colliders
	Report   *Report
}

// run is a bake at work.
type run struct {
	in      *Input
	rules   spangrid.Rules
	level   bnav.Level
	workers int
	tile    int
	memory  int64 // 0 = no limit
	store   store
	report  *Report

	progress func(Progress)
	mu       sync.Mutex
	zones    []*zoneBake
	work     int // items of all stages that report progress
	finished int
}

// algorithm is part of the fingerprint of unfinished work: it changes whenever
// a stage gives other results for the same input.
const algorithm = 1

// stagesPerTile is how often a tile is counted in the progress.
const stagesPerTile = 5

// Run bakes packs. The bytes of the result depend on the input, Options.Tile and
// Options.Level alone.
//
// Errors: *InputError, *MemoryError and zone errors for what cannot be baked,
// *BusyError while another bake has the work folder, *TileError for a stage that
// failed, and the context's error when it ends first. A link that lands nowhere
// is no error: the report names it.
//
// Time grows with triangles, cells and records; memory is that of the zones'
// triangles and, per worker, of a tile with 96 cells around it.
func Run(ctx context.Context, in *Input, o *Options) (*Result, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := in.check(); err != nil {
		return nil, err
	}
	begin := time.Now()
	r := &run{
		in: in, rules: spangrid.RulesOf(in.Content.Rules()), level: opt.Level, workers: opt.Workers,
		tile: opt.Tile, memory: opt.Memory, report: &Report{Zones: []ZoneReport{}, Unused: []UnusedLink{}}, progress: opt.Progress, store: newMemStore(),
	}
	if opt.Dir != "" {
		if r.store, err = openDirStore(opt.Dir, r.fingerprint()); err != nil {
			return nil, err
		}
	}
	res, err := r.bake(ctx)
	if cerr := r.store.close(err == nil); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, err
	}
	r.report.Total = time.Since(begin)
	return res, nil
}

// fingerprint tells apart what unfinished work was made from.
func (r *run) fingerprint() uint64 {
	c := &r.in.Content
	h := pack.Fingerprint([]byte("wend span bake"))
	num := func(v uint64) {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], v)
		h = pack.FNV(h, b[:])
	}
	text := func(s string) {
		num(uint64(len(s)))
		h = pack.FNV(h, []byte(s))
	}
	num(algorithm)
	num(uint64(r.tile))
	text(fmt.Sprint(r.level.Int()))
	h = pack.FNV(h, pack.AppendProfile(nil, c.Rules()))
	num(uint64(len(c.Zones)))
	for i := range c.Zones {
		z := &c.Zones[i]
		text(z.Name)
		num(uint64(z.ID)<<16 | uint64(z.Flags))
		num(uint64(z.FirstTri)<<32 | uint64(z.TriCount))
	}
	num(uint64(len(c.Vertices)))
	for _, v := range c.Vertices {
		num(uint64(math.Float32bits(v.U))<<32 | uint64(math.Float32bits(v.V)))
		num(uint64(math.Float32bits(v.H)))
	}
	num(uint64(len(c.Triangles)))
	for i := range c.Triangles {
		t := &c.Triangles[i]
		for k := range 3 {
			num(uint64(t.V[k])<<32 | uint64(uint32(t.N[k])))
		}
	}
	num(uint64(len(c.Links)))
	for _, l := range c.Links {
		num(uint64(l.Source)<<32 | uint64(l.Target))
	}
	num(uint64(len(c.Surfaces)))
	for _, s := range c.Surfaces {
		num(uint64(s.Flags)<<16 | uint64(s.Area)<<8 | uint64(s.PolyType))
	}
	for i := range c.Zones {
		if o := r.in.Overhead[c.Zones[i].ID]; o != nil {
			o.fingerprint(num)
		}
	}
	return h
}

// stage runs an item of work for each tile of a zone, and reports on it.
func (r *run) stage(ctx context.Context, b *zoneBake, name string, n int, do func(worker, k int) error) error {
	return r.stageWith(ctx, r.workers, b, name, n, do)
}

// stageWith is stage with a number of workers of its own.
func (r *run) stageWith(ctx context.Context, workers int, b *zoneBake, name string, n int, do func(worker, k int) error) error {
	begin := time.Now()
	done := 0
	err := each(ctx, workers, n, func(w, k int) error {
		if err := do(w, k); err != nil {
			return b.tileError(name, k, err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		done++
		r.finished++
		if r.progress != nil {
			r.progress(Progress{b.meta.Name, name, done, n, float64(r.finished) / float64(max(r.work, 1))})
		}
		return nil
	})
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	r.report.stage(name, n, time.Since(begin), mem.HeapAlloc)
	return err
}

func (r *run) bake(ctx context.Context) (*Result, error) {
	c := &r.in.Content
	limit := 1 << 28 // of cached spans
	if r.memory > 0 {
		limit = int(min(int64(limit), r.memory/4))
	}
	for i := range c.Zones {
		z := &c.Zones[i]
		if z.IsTier() {
			continue
		}
		mesh, err := zone.Clean(ctx, c, i, r.workers)
		if err != nil {
			return nil, err
		}
		b := &zoneBake{run: r, index: i, meta: z, mesh: mesh, over: r.in.Overhead[z.ID], cache: newTileCache(limit)}
		cells := extent(mesh)
		b.tiles = newTiling(cells, r.tile)
		if n := b.tiles.len(); n > maxTiles {
			return nil, &InputError{z.Name, fmt.Sprintf(
				"%d x %d cells, %d tiles of %d cells a side, want at most %d: look for stray triangles far away, or use larger cells or tiles",
				cells.NX, cells.NY, n, r.tile, maxTiles)}
		}
		r.zones = append(r.zones, b)
		r.work += b.tiles.len() * stagesPerTile
	}
	if len(r.zones) == 0 {
		return nil, &InputError{What: "no zone with triangles"}
	}
	for _, b := range r.zones {
		for _, stage := range []func(context.Context) error{b.columns, b.keepTable, b.fields, b.components} {
			if err := stage(ctx); err != nil {
				return nil, err
			}
		}
		b.cache = nil
		b.regions = nil
	}
	return r.encode(ctx)
}
