package grid

import (
	"context"
	"math"
)

// partial finds the route to the cell nearest to the goal of those that the
// start reaches, and writes it to r: cluster by cluster, the nearest first, until
// none can hold a nearer cell.
func (k *hierQuery) partial(ctx context.Context, r *HierarchyResult, from, to Cell, opts *HierarchyFind) error {
	h := k.h
	a := h.clusterAt(from)
	k.head = k.spread(k.head, a, from, false)
	island := h.islandOf(a, k.head)
	k.reach.items = k.reach.items[:0]
	for i := range h.clusters {
		if int32(i) == a || island >= 0 && h.touches(int32(i), island) {
			k.reach.push(heapItem{f: h.awayFrom(int32(i), to), pos: uint32(i)})
		}
	}
	best := int64(math.MaxInt64)
	k.ends = k.ends[:0]
	for n := 0; ; n++ {
		it, ok := k.reach.pop()
		if !ok || it.f > best {
			break
		}
		if n&15 == 0 {
			if err := stopped(ctx, k.gates); err != nil {
				return err
			}
		}
		best = k.nearestIn(int32(it.pos), a, from, to, island, best)
	}
	var least HierarchyResult
	ends := k.ends
	for i, end := range ends {
		if _, err := k.route(ctx, &k.trial, from, end, opts); err != nil {
			return err
		}
		if i > 0 && !(k.trial.Cost < least.Cost || k.trial.Cost == least.Cost && pack(end) < pack(least.Path[len(least.Path)-1])) {
			k.trial.Path = k.trial.Path[:0]
			continue
		}
		least, k.trial = k.trial, HierarchyResult{Result: Result{Path: least.Path[:0]}}
	}
	r.Path = append(r.Path[:0], least.Path...)
	r.Cost, r.Lower, r.Gap = least.Cost, least.Lower, math.Sqrt(float64(best))
	return nil
}

// touches reports whether a cluster has a gate of an island.
func (h *Hierarchy) touches(cluster, island int32) bool {
	for _, i := range h.island[h.first[cluster]:h.first[cluster+1]] {
		if i == island {
			return true
		}
	}
	return false
}

// awayFrom returns no more than the squared distance from a cell to the nearest
// of a cluster.
func (h *Hierarchy) awayFrom(cluster int32, to Cell) int64 {
	o, c := h.origin(cluster), h.clusters[cluster]
	dx := int64(max(o.X-to.X, to.X-o.X-c.w+1, 0))
	dy := int64(max(o.Y-to.Y, to.Y-o.Y-c.h+1, 0))
	if h.opts.Moves.Neighbours == Six { // rows lie closer and are shifted
		dx = max(dx-1, 0)
		return dx*dx + dy*dy*3/4
	}
	return dx*dx + dy*dy
}

// nearestIn looks in a cluster for cells that the start reaches and that are at
// most as far from the goal as the best so far.
func (k *hierQuery) nearestIn(cluster, start int32, from, to Cell, island int32, best int64) int64 {
	h := k.h
	c, o := h.clusters[cluster], h.origin(cluster)
	k.flood.load(h, o.X, o.Y, c.w, c.h)
	look := func(at Cell) {
		k.flood.search(at, nowhere, false)
		for y := range c.h {
			for x := range c.w {
				if _, ok := k.flood.cost(Cell{x, y}); !ok {
					continue
				}
				cell := Cell{o.X + x, o.Y + y}
				away := squared(h.opts.Moves.Neighbours, cell, to)
				if away < best {
					best, k.ends = away, k.ends[:0]
				}
				if away == best {
					k.ends = append(k.ends, cell)
				}
			}
		}
	}
	if cluster == start {
		look(k.local(from))
	}
	for i := range c.gates {
		if island < 0 || int(c.part[i]) != i || h.island[h.first[cluster]+int32(i)] != island {
			continue
		}
		at := Cell{int32(c.gates[i].x), int32(c.gates[i].y)}
		if cluster == start && !math.IsInf(k.head[i], 1) {
			continue // looked at already
		}
		look(at)
	}
	return best
}
