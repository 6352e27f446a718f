package spanroute

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"wend/occluder"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spanpath"
	"wend/zone"
)

// A zoneEntry is a zone made ready. What it says never changes; what is only
// sometimes wanted is made when it is first asked for. It is safe for
// concurrent use. Whoever has it from [Engine.acquire] must release it.
type zoneEntry struct {
	e       *Engine
	name    string
	place   *bnav.Zone
	grid    int // number in the grid
	mesh    *zone.Zone
	graphs  *bnvf.Graphs
	walls   *bnvf.Walls
	noGo    []spanpath.Ring
	body    annex.Body
	hasBody bool

	rects    []tileRect
	heads    []atomic.Pointer[[]uint32]    // regions of each tile
	extents  []atomic.Pointer[[]regionBox] // bounding boxes of regions in each tile
	rims     []atomic.Pointer[tile]        // the rim of each tile that was decoded
	snappers sync.Pool

	links   cache[uint32, []spanLink] // by region
	reached cache[startKey, bnvf.Set]

	sceneOnce sync.Once
	sceneErr  error
	scene     *occluder.Scene
}

// release gives an entry back.
func (z *zoneEntry) release() { z.e.zones.release(z.name) }

// colliders returns the colliders of the zone, nil where there are none. They
// are read when they are first asked for. An error is remembered.
func (z *zoneEntry) colliders(ctx context.Context) (*occluder.Scene, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	z.sceneOnce.Do(func() {
		if z.scene, z.sceneErr = z.e.colliders(z.name); z.sceneErr != nil {
			z.sceneErr = &DataError{EngineUnusable, z.name, z.sceneErr}
		}
	})
	return z.scene, z.sceneErr
}

// buildZone makes a zone ready.
func (e *Engine) buildZone(ctx context.Context, name string) (*zoneEntry, error) {
	index, grid, err := e.findZone(name)
	if err != nil {
		return nil, err
	}
	fields := e.fields.ForGrid(grid)
	if fields < 0 {
		return nil, &DataError{ZoneNoFields, name, fmt.Errorf("%s does not have it", e.fields.Name)}
	}
	content := &e.main.Content
	if zone.Old(e.main) {
		content = zone.WeldOld(content, index)
	}
	z := &zoneEntry{e: e, name: name, place: &e.main.Zones[index], grid: grid}
	if z.mesh, err = zone.Clean(ctx, content, index, e.workers); err != nil {
		return nil, dataError(ctx, ZoneMesh, name, err)
	}
	if z.graphs, err = e.fields.Graphs(fields); err != nil {
		return nil, dataError(ctx, ZoneNoFields, name, err)
	}
	if z.walls, err = e.fields.Walls(fields); err != nil {
		return nil, dataError(ctx, ZoneNoFields, name, err)
	}
	z.noGo = e.noGo[name]
	for i := range e.bodies {
		if e.bodies[i].ID == z.place.ID {
			z.body, z.hasBody = e.bodies[i], true
		}
	}
	g := &e.main.Grid.Zones[grid]
	z.rects = tileRects(g)
	z.heads = make([]atomic.Pointer[[]uint32], len(g.Tiles))
	z.extents = make([]atomic.Pointer[[]regionBox], len(g.Tiles))
	z.rims = make([]atomic.Pointer[tile], len(g.Tiles))
	z.snappers.New = func() any { return z.mesh.NewSnapper() }
	z.links.init(keptLinks)
	z.reached.init(keptReach)
	return z, nil
}

// findZone returns the numbers of a zone in the loaded content and in the grid.
func (e *Engine) findZone(name string) (index, grid int, err error) {
	at := tableIndex(e.main, name)
	if at < 0 {
		return 0, 0, &DataError{UnknownZone, name, fmt.Errorf("%s does not have it", e.main.Name)}
	}
	if t := &e.main.Table[at]; t.IsTier() {
		return 0, 0, &DataError{UnknownZone, name, fmt.Errorf("it is a drawing of zone %q", parentOf(e.main, t))}
	}
	if index = e.main.ZoneIndex(name); index < 0 {
		return 0, 0, &DataError{UnknownZone, name, fmt.Errorf("of %s only zone %q was loaded", e.main.Name, e.main.ZoneName)}
	}
	if grid = e.main.Grid.ZoneIndex(name); grid < 0 {
		return 0, 0, &DataError{ZoneNoGrid, name, fmt.Errorf("the grid of %s does not have it", e.main.Name)}
	}
	return index, grid, nil
}

// Warm makes a zone ready, so that the first query in it need not wait for that;
// "" is the only zone of a pack.
func (e *Engine) Warm(ctx context.Context, name string) error {
	z, err := e.zone(ctx, name)
	if err != nil {
		return err
	}
	z.release()
	return nil
}

// zone returns a zone that is ready and stays so until it is released; "" is the
// only zone of a pack.
func (e *Engine) zone(ctx context.Context, name string) (*zoneEntry, error) {
	if name != "" {
		return e.acquire(ctx, name)
	}
	for i := range e.main.Table {
		z := &e.main.Table[i]
		switch {
		case z.IsTier():
		case name == "":
			name = z.Name
		default:
			return nil, &DataError{UnknownZone, "", fmt.Errorf("%s has more than one zone, and none was named", e.main.Name)}
		}
	}
	if name == "" {
		return nil, &DataError{UnknownZone, "", fmt.Errorf("%s has no zone", e.main.Name)}
	}
	return e.acquire(ctx, name)
}

// acquire returns a zone that is ready and stays so until it is released.
func (e *Engine) acquire(ctx context.Context, name string) (*zoneEntry, error) {
	// A name that no zone has must not drive out one that exists.
	if _, _, err := e.findZone(name); err != nil {
		return nil, err
	}
	return e.zones.acquire(ctx, name, func() (*zoneEntry, error) { return e.buildZone(ctx, name) })
}

// A zoneCache keeps zones. Those in use are never dropped, so there are more
// than the limit while more are in use.
type zoneCache struct {
	mu    sync.Mutex
	limit int
	clock uint64
	slots map[string]*zoneSlot
}

type zoneSlot struct {
	entry *zoneEntry
	err   error // the zone cannot be used, and that is remembered
	retry bool  // whoever made it gave up
	done  chan struct{}
	refs  int
	used  uint64
}

func (c *zoneCache) init(limit int) { c.limit, c.slots = limit, map[string]*zoneSlot{} }

func (c *zoneCache) acquire(ctx context.Context, name string, build func() (*zoneEntry, error)) (*zoneEntry, error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		c.mu.Lock()
		s := c.slots[name]
		if s == nil {
			s = &zoneSlot{done: make(chan struct{}), refs: 1}
			c.trim(c.limit - 1) // before the new one is there: two large zones may be too much
			c.slots[name] = s
			c.touch(s)
			c.mu.Unlock()
			return c.fill(ctx, name, s, build)
		}
		s.refs++
		c.touch(s)
		c.mu.Unlock()
		select {
		case <-s.done:
		case <-ctx.Done():
			c.drop(s)
			return nil, context.Cause(ctx)
		}
		if s.entry != nil {
			return s.entry, nil
		}
		c.drop(s)
		if !s.retry {
			return nil, s.err
		}
	}
}

func (c *zoneCache) fill(ctx context.Context, name string, s *zoneSlot, build func() (*zoneEntry, error)) (z *zoneEntry, err error) {
	gaveUp := true // unless build returns: a panic must not leave others waiting
	defer func() {
		c.mu.Lock()
		s.entry, s.err, s.retry = z, err, gaveUp
		if z == nil {
			s.refs--
			if gaveUp {
				delete(c.slots, name)
			}
		}
		c.mu.Unlock()
		close(s.done)
	}()
	z, err = build()
	gaveUp = err != nil && ctx.Err() != nil
	return z, err
}

func (c *zoneCache) touch(s *zoneSlot) {
	c.clock++
	s.used = c.clock
}

func (c *zoneCache) drop(s *zoneSlot) {
	c.mu.Lock()
	s.refs--
	c.trim(c.limit)
	c.mu.Unlock()
}

func (c *zoneCache) release(name string) {
	c.mu.Lock()
	c.slots[name].refs--
	c.trim(c.limit)
	c.mu.Unlock()
}

// trim drops unused zones, the longest unused first, until at most n are left.
// Zones that failed take no memory and stay.
func (c *zoneCache) trim(n int) {
	for {
		count := 0
		victim := ""
		for name, s := range c.slots {
			if s.err != nil {
				continue
			}
			count++
			if s.refs == 0 && (victim == "" || s.used < c.slots[victim].used) {
				victim = name
			}
		}
		if count <= n || victim == "" {
			return
		}
		delete(c.slots, victim)
	}
}

// count returns how many zones are ready.
func (c *zoneCache) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, s := range c.slots {
		if s.err == nil {
			n++
		}
	}
	return n
}
