package spanbake

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/zone"
)

// Stages of blobs.
const (
	stageSpans  = 's'
	stageFields = 'f'
)

// zoneBake is the bake of one zone.
type zoneBake struct {
	run   *run
	index int // in the zone table
	meta  *bnav.Zone
	mesh  *zone.Zone
	tiles tiling

	spans   []int      // of each tile
	regions [][]uint32 // region of each local region of each tile
	count   int        // regions
	edges   []zone.Edge
	walls   []spangrid.Wall
	keeps   [][]uint32 // regions that keep each wall
	hard    []bool     // walls that are no seams
	cache   *tileCache

	over    *Overhead
	records []uint32 // of each tile
	bounds  []annex.ZoneBounds
	heads   []annex.HeadroomTile
	graphs  [][]regionNumber // by tile: how parts are numbered
	joined  []bnvf.RegionGraph
	drops   []spangrid.RegionDrop
	opened  []bnvf.Opening
	payload [][]byte // of the grid
}

// regionNumber numbers the components of a part of a region.
type regionNumber struct {
	base   uint32
	number []uint32
}

// A TileError says which tile of which zone failed.
type TileError struct {
	Zone  string
	Stage string
	Tile  [2]int // column and row of tiles, counted from the one that begins at cell 0
	Err   error
}

func (e *TileError) Error() string {
	return fmt.Sprintf("spanbake: zone %s, tile %d,%d, %s: %v", e.Zone, e.Tile[0], e.Tile[1], e.Stage, e.Err)
}

func (e *TileError) Unwrap() error { return e.Err }

func (b *zoneBake) tileError(stage string, k int, err error) error {
	if err == nil {
		return nil
	}
	return &TileError{b.meta.Name, stage, [2]int{b.tiles.i0 + k%b.tiles.ni, b.tiles.j0 + k/b.tiles.ni}, err}
}

// extent returns the cells that the walkable triangles of a zone reach over.
func extent(z *zone.Zone) spangrid.Window {
	x0, y0 := math.Inf(1), math.Inf(1)
	x1, y1 := math.Inf(-1), math.Inf(-1)
	for t, walkable := range z.Walkable {
		if !walkable {
			continue
		}
		for _, v := range z.Tris[t] {
			u, w := float64(z.Verts[v].U), float64(z.Verts[v].V)
			x0, x1, y0, y1 = min(x0, u), max(x1, u), min(y0, w), max(y1, w)
		}
	}
	gx, gy := spangrid.CellOf(x0), spangrid.CellOf(y0)
	return spangrid.Window{GX: gx, GY: gy, NX: spangrid.CellOf(x1) - gx + 1, NY: spangrid.CellOf(y1) - gy + 1}
}

// boxOf returns the part of the plane that a window covers.
func boxOf(w spangrid.Window) zone.Box {
	return zone.Box{
		U0: float64(w.GX) * spangrid.Side, V0: float64(w.GY) * spangrid.Side,
		U1: float64(w.GX+w.NX) * spangrid.Side, V1: float64(w.GY+w.NY) * spangrid.Side,
	}
}

func wallOf(e *zone.Edge) spangrid.Wall {
	return spangrid.Wall{X0: e.AU, Y0: e.AV, X1: e.BU, Y1: e.BV, H: e.Mean}
}

// columns makes the spans of all tiles, and numbers the regions.
func (b *zoneBake) columns(ctx context.Context) error {
	r := b.run
	n := b.tiles.len()
	sides := make([]*spangrid.TileRegions, n)
	b.spans = make([]int, n)
	workers := make([]columnWorker, r.workers)
	err := r.stage(ctx, b, "columns", n, func(w, k int) error {
		c := &workers[w]
		c.rules = &r.rules
		key := blobKey{stageSpans, b.index, k}
		owned := b.tiles.owned(k)
		data, err := r.store.get(key)
		if err != nil {
			return err
		}
		var t *spanTile
		if data != nil {
			r.report.resumed()
			if t, err = decodeSpanTile(data, key, b.tiles.size, nil); err != nil {
				return err
			}
		} else {
			if t, err = c.tile(b.mesh, owned); err != nil {
				return err
			}
			if err := r.store.put(key, t.encode()); err != nil {
				return err
			}
		}
		sides[k] = c.outside(t, owned)
		b.spans[k] = len(t.cell)
		return nil
	})
	if err != nil {
		return err
	}
	b.regions, b.count, err = spangrid.JoinRegions(sides, r.rules.Climb)
	return err
}

// load returns the spans of a tile with the regions of the zone.
func (b *zoneBake) load(k int) (*spanTile, error) {
	return b.cache.get(k, func() (*spanTile, error) {
		key := blobKey{stageSpans, b.index, k}
		data, err := b.run.store.get(key)
		if err != nil {
			return nil, err
		}
		if data == nil {
			return nil, fmt.Errorf("%w: %s", errBlob, key.file())
		}
		return decodeSpanTile(data, key, b.tiles.size, b.regions[k])
	})
}

// keepTable finds which regions keep each wall.
func (b *zoneBake) keepTable(ctx context.Context) error {
	r := b.run
	n := b.tiles.len()
	b.edges = b.mesh.AllEdges()
	b.walls = make([]spangrid.Wall, len(b.edges))
	at := map[uint32]int32{}
	for i := range b.edges {
		b.walls[i] = wallOf(&b.edges[i])
		at[b.edges[i].Key] = int32(i)
		if err := b.walls[i].Check(&r.rules); err != nil {
			return err
		}
	}
	type kept struct {
		edge   int32
		region []uint32
	}
	found := make([][]kept, n)
	type scratch struct {
		keeper spangrid.Keeper
		cols   spangrid.Columns
		edges  []zone.Edge
	}
	workers := make([]scratch, r.workers)
	err := r.stage(ctx, b, "walls", n, func(w, k int) error {
		s := &workers[w]
		t, err := b.load(k)
		if err != nil || len(t.cell) == 0 {
			return err
		}
		owned := b.tiles.owned(k)
		s.cols.Reset(owned)
		s.cols.Cell, s.cols.H = append(s.cols.Cell, t.cell...), append(s.cols.H, t.h...)
		s.cols.Finish(r.rules.Climb)
		s.keeper.Reset(&s.cols, t.region)
		s.edges = b.mesh.BoundaryEdges(s.edges[:0], boxOf(owned))
		for i := range s.edges {
			e := at[s.edges[i].Key]
			if list := s.keeper.KeptBy(nil, &b.walls[e], &r.rules); len(list) > 0 {
				found[k] = append(found[k], kept{e, list})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.classify(ctx)
	b.keeps = make([][]uint32, len(b.edges))
	for _, list := range found {
		for _, f := range list {
			b.keeps[f.edge] = append(b.keeps[f.edge], f.region...)
		}
	}
	for i, list := range b.keeps {
		slices.Sort(list)
		b.keeps[i] = slices.Compact(list)
	}
	return nil
}

// classify tells the walls that are seams, with more floor of about the same
// height beyond them, from the others.
func (b *zoneBake) classify(ctx context.Context) {
	b.hard = make([]bool, len(b.walls))
	const chunk = 4096
	_ = each(ctx, b.run.workers, (len(b.walls)+chunk-1)/chunk, func(_, k int) error {
		var near []int32
		var floor, others []float64
		for i := k * chunk; i < min((k+1)*chunk, len(b.walls)); i++ {
			w := &b.walls[i]
			b.hard[i] = true
			u, v, ok := spangrid.ProbePoint(w.X0, w.Y0, w.X1, w.Y1)
			if !ok {
				continue
			}
			floor, others = floor[:0], others[:0]
			near = b.mesh.Over(near, u, v, func(_ int32, h float64, walkable bool) {
				if walkable {
					floor = append(floor, h)
				} else {
					others = append(others, h)
				}
			})
			b.hard[i] = spangrid.ClassifyWall(w.H, floor, others) != spangrid.Seam
		}
		return nil
	})
}

// fields makes the records of all tiles.
func (b *zoneBake) fields(ctx context.Context) error {
	r := b.run
	n := b.tiles.len()
	at := map[uint32]int32{}
	for i := range b.edges {
		at[b.edges[i].Key] = int32(i)
	}
	type scratch struct {
		f     *fieldWorker
		edges []zone.Edge
		walls []spangrid.Wall
		hard  []bool
		index []int32
	}
	count, err := b.fieldWorkers()
	if err != nil {
		return err
	}
	workers := make([]scratch, count)
	return r.stageWith(ctx, count, b, "fields", n, func(w, k int) error {
		key := blobKey{stageFields, b.index, k}
		data, err := r.store.get(key)
		if err != nil {
			return err
		}
		if data != nil {
			r.report.resumed()
			return nil
		}
		s := &workers[w]
		if s.f == nil {
			if s.f, err = newFieldWorker(&r.rules, r.level); err != nil {
				return err
			}
		}
		s.edges = b.mesh.BoundaryEdges(s.edges[:0], boxOf(b.tiles.owned(k).Grow(halo)))
		s.walls, s.hard, s.index = s.walls[:0], s.hard[:0], s.index[:0]
		for i := range s.edges {
			e := at[s.edges[i].Key]
			s.walls, s.hard, s.index = append(s.walls, b.walls[e]), append(s.hard, b.hard[e]), append(s.index, e)
		}
		t, err := s.f.tile(ctx, b.over, &b.tiles, k, b.load, s.walls, s.hard, func(i int) []uint32 { return b.keeps[s.index[i]] })
		if err != nil {
			return err
		}
		return r.store.put(key, t.encode())
	})
}

// perSpan is about what a worker holds for each span of its window, bytes,
// what is not yet collected included.
const perSpan = 300

// fieldWorkers returns how many workers the memory suffices for, now that the
// densest tile is known.
func (b *zoneBake) fieldWorkers() (int, error) {
	r := b.run
	if r.memory == 0 {
		return r.workers, nil
	}
	// The window of a tile is as dense as the tile.
	need := func(tile int) int64 {
		side := float64(tile + 2*halo)
		density := float64(slices.Max(b.spans)) / float64(r.tile*r.tile)
		return int64(side * side * (emptyCell + float64(density*perSpan)))
	}
	room := r.memory - r.memory/4 // the rest is for cached spans
	if n := int(room / need(r.tile)); n > 0 {
		return min(n, r.workers), nil
	}
	e := &MemoryError{Tile: r.tile, Limit: r.memory, Needed: need(r.tile) * 4 / 3}
	for t := 64; t < r.tile; t += 64 {
		if need(t) <= room {
			e.Fits = t
		}
	}
	return 0, e
}

// fieldTile reads back what the fields stage made of a tile.
func (b *zoneBake) fieldTile(k int) (*fieldTile, error) {
	key := blobKey{stageFields, b.index, k}
	data, err := b.run.store.get(key)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, fmt.Errorf("%w: %s", errBlob, key.file())
	}
	return decodeFieldTile(data, key)
}

// tileCache holds the spans of the tiles that were asked for last. A compute
// window meets at least nine tiles, and the next one most of them again.
type tileCache struct {
	mu    sync.Mutex
	limit int // bytes
	have  int
	tick  int
	tiles map[int]*cachedTile
}

type cachedTile struct {
	once sync.Once
	tile *spanTile
	err  error
	used int
	size int
}

func newTileCache(limit int) *tileCache {
	return &tileCache{limit: limit, tiles: map[int]*cachedTile{}}
}

func (c *tileCache) get(k int, load func() (*spanTile, error)) (*spanTile, error) {
	c.mu.Lock()
	e := c.tiles[k]
	if e == nil {
		e = new(cachedTile)
		c.tiles[k] = e
	}
	c.tick++
	e.used = c.tick
	c.mu.Unlock()
	e.once.Do(func() {
		e.tile, e.err = load()
		if e.err != nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		e.size = e.tile.size()
		c.have += e.size
		c.evict(k)
	})
	return e.tile, e.err
}

// evict drops the tiles that were not asked for longest, but not k.
func (c *tileCache) evict(k int) {
	for c.have > c.limit {
		oldest, at := -1, 0
		for i, e := range c.tiles {
			if i != k && e.size > 0 && (oldest < 0 || e.used < at) {
				oldest, at = i, e.used
			}
		}
		if oldest < 0 {
			return
		}
		c.have -= c.tiles[oldest].size
		delete(c.tiles, oldest)
	}
}
