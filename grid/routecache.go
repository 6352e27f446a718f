package grid

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// CacheOptions are the settings of a RouteCache. The zero value of a field
// stands for its default.
type CacheOptions struct {
	// Search is how routes are searched; the any-angle algorithms, whose
	// routes cannot be joined by steps, are refused.
	Search Options
	// Block is the side of a goal block and how far from the start of a
	// shared route a unit may stand to use it, 2 to 256 cells; default 16.
	Block int
	// Life is how many ticks a route may be used; default 60.
	Life int64
	// Routes is how many routes are kept; default 1024.
	Routes int
}

// CacheStats counts what became of the calls of a RouteCache.
type CacheStats struct {
	Hits      int // answered with a shared route
	Negatives int // answered by islands: no way, no search
	Searches  int // full searches
	Links     int // searches within two blocks, to get onto or off a shared route
}

// RouteCache answers units that walk from one neighbourhood to another with
// one shared route: searched once, then joined to each unit's own start and
// goal. Ends on different islands are answered without a search.
//
// Time is a number the caller counts, in ticks; a route older than Life is not
// used, nor is one found before the last edit of the ground. A RouteCache
// belongs to one ground and one goroutine.
type RouteCache struct {
	ground  Ground
	opts    CacheOptions
	query   *Query
	islands Islands
	version uint64
	routes  []sharedRoute      // a ring; next is the oldest once it is full
	next    int                // where the next route goes
	blocks  map[[2]int32][]int // routes by goal block, oldest first
	link    Result
	stats   CacheStats
}

type sharedRoute struct {
	path  []Cell
	block [2]int32
	born  int64
}

// NewRouteCache returns a cache of routes on g. opts may be nil.
func NewRouteCache(g Ground, opts *CacheOptions) (*RouteCache, error) {
	c := &RouteCache{ground: g, query: NewQuery(), blocks: map[[2]int32][]int{}}
	if opts != nil {
		c.opts = *opts
	}
	o := &c.opts
	if o.Block == 0 {
		o.Block = 16
	}
	if o.Life == 0 {
		o.Life = 60
	}
	if o.Routes == 0 {
		o.Routes = 1024
	}
	switch {
	case o.Block < 2 || o.Block > 256:
		return nil, fmt.Errorf("%w: block of %d cells (2 to 256)", ErrOptions, o.Block)
	case o.Life < 0 || o.Routes < 0:
		return nil, fmt.Errorf("%w: life of %d ticks, %d routes", ErrOptions, o.Life, o.Routes)
	case o.Search.Algorithm >= Theta:
		return nil, fmt.Errorf("%w: %v finds no steps to share", ErrOptions, o.Search.Algorithm)
	}
	if err := c.query.check(g, &o.Search); err != nil {
		return nil, err
	}
	c.version = g.Version()
	return c, nil
}

// Stats returns the counts since the cache was made.
func (c *RouteCache) Stats() CacheStats { return c.stats }

// Find returns a way from one cell to another at a tick, like Query.Find with
// the cache's options. A shared route is not always the shortest one: it costs
// at most as much as the way by the first and the last cell of a route found
// for other ends, which lie within a block of these. Result.Expanded counts
// the nodes of this call, links included.
func (c *RouteCache) Find(ctx context.Context, from, to Cell, tick int64) (*Result, error) {
	if c == nil || c.ground == nil {
		return nil, fmt.Errorf("%w: route cache was not made by NewRouteCache", ErrOptions)
	}
	r := new(Result)
	if v := c.ground.Version(); v != c.version {
		c.routes, c.next, c.version = c.routes[:0], 0, v
		clear(c.blocks)
	}
	moves := c.opts.Search.Moves
	if c.ground.Passable(from) && c.ground.Passable(to) {
		if err := c.islands.Update(c.ground, moves); err != nil {
			return nil, err
		}
		if !c.islands.Connected(from, to) && !c.opts.Search.Partial {
			c.stats.Negatives++
			r.Status, r.Gap, r.Version = Unreachable, math.NaN(), c.version
			r.Algorithm = c.opts.Search.Algorithm
			return r, nil
		}
		if hit, err := c.share(ctx, r, from, to, tick); hit || err != nil {
			return r, err
		}
	}
	spent := r.Expanded
	c.stats.Searches++
	if err := c.query.FindInto(ctx, r, c.ground, from, to, &c.opts.Search); err != nil {
		return nil, err
	}
	r.Expanded += spent
	if r.Status == Complete && len(r.Path) > 2*c.opts.Block {
		c.keep(sharedRoute{path: append([]Cell(nil), r.Path...), block: c.block(to), born: tick})
	}
	return r, nil
}

func (c *RouteCache) block(at Cell) [2]int32 {
	return [2]int32{at.X / int32(c.opts.Block), at.Y / int32(c.opts.Block)}
}

// keep stores a route in the place of the oldest.
func (c *RouteCache) keep(s sharedRoute) {
	if len(c.routes) < c.opts.Routes {
		c.routes = append(c.routes, sharedRoute{})
	} else {
		old := c.routes[c.next].block
		c.blocks[old] = c.blocks[old][1:] // routes of a block stand in the order of their age
		if len(c.blocks[old]) == 0 {
			delete(c.blocks, old)
		}
	}
	c.routes[c.next] = s
	c.blocks[s.block] = append(c.blocks[s.block], c.next)
	c.next = (c.next + 1) % c.opts.Routes
}

// share answers with a route of the goal's block that begins near the start,
// the newest of those that can be joined.
func (c *RouteCache) share(ctx context.Context, r *Result, from, to Cell, tick int64) (bool, error) {
	list := c.blocks[c.block(to)]
	reach := int32(c.opts.Block)
	for k := len(list) - 1; k >= 0; k-- {
		s := &c.routes[list[k]]
		if age := tick - s.born; age < 0 || age > c.opts.Life || away(from, s.path[0]) > reach {
			continue
		}
		ok, err := c.join(ctx, r, s.path, from, to)
		if limit := c.opts.Search.MaxCost; ok && limit > 0 && r.Cost > limit {
			continue // where there is a way within it, a search finds it
		}
		if ok {
			c.stats.Hits++
		}
		if ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// join builds the way onto the route, along it, and off it. Where a straight
// run of steps leads to a cell of the route, of its first or last blocks, it is
// taken, to the farthest such cell; else a small search leads to its end.
func (c *RouteCache) join(ctx context.Context, r *Result, route []Cell, from, to Cell) (bool, error) {
	moves := c.opts.Search.Moves
	window := min(2*c.opts.Block, (len(route)-1)/2)
	m, _ := c.ground.ground()
	straight := !m.Weighted()
	path := slices.Grow(r.Path[:0], len(route)+4*c.opts.Block)
	first := -1
	for i := window; straight && i >= 0 && first < 0; i-- {
		if next, ok := stepRun(path, c.ground, moves, from, route[i]); ok {
			path, first = next, i
		}
	}
	if first < 0 {
		ok, err := c.local(ctx, r, from, route[0])
		if !ok || err != nil {
			return false, err
		}
		path, first = append(path, c.link.Path...), 0
	}
	last := -1
	mark := len(path)
	path = append(path, route[first+1:max(len(route)-1-window, first+1)]...)
	for i := len(route) - 1 - window; straight && i < len(route) && last < 0; i++ {
		if i > first {
			path = append(path, route[i])
		}
		if next, ok := stepRun(path, c.ground, moves, route[i], to); ok {
			path, last = next, i
		}
	}
	if last < 0 {
		ok, err := c.local(ctx, r, route[len(route)-1], to)
		if !ok || err != nil {
			return false, err
		}
		path = append(append(path[:mark], route[first+1:]...), c.link.Path[1:]...)
	}
	r.Status, r.Path, r.Points, r.Gap = Complete, path, r.Points[:0], 0
	r.Cost = m.PathCost(path, moves)
	r.Algorithm, r.Version = c.opts.Search.Algorithm, c.version
	return true, nil
}

// local searches a link; it fails where the link is not short.
func (c *RouteCache) local(ctx context.Context, r *Result, from, to Cell) (bool, error) {
	c.stats.Links++
	err := c.query.FindInto(ctx, &c.link, c.ground, from, to, &Options{
		Moves: c.opts.Search.Moves, MaxNodes: 4 * c.opts.Block * c.opts.Block,
	})
	r.Expanded += c.link.Expanded
	return err == nil && c.link.Status == Complete, err
}
