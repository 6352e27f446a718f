package grid

import "context"

// refine turns the legs into cells.
func (k *hierQuery) refine(ctx context.Context, r *HierarchyResult, smooth bool) error {
	first := k.legs[0]
	anchor := first.from
	if len(k.legs) == 1 || !smooth {
		for i, leg := range k.legs {
			if i&63 == 0 {
				if err := stopped(ctx, k.gates); err != nil {
					return err
				}
			}
			r.Path = append(r.Path, leg.from)
			r.Path = k.stretch(r.Path, leg.cluster, leg.cluster, leg.from, leg.to)
		}
		return nil
	}
	// Each crossing moves to where the way is shortest from the middle of the
	// stretch before it to the end of the one after it. The way so far stays
	// inside those two clusters, so it never gets longer.
	r.Path = append(r.Path, anchor)
	for i, leg := range k.legs[1:] {
		if i&63 == 0 {
			if err := stopped(ctx, k.gates); err != nil {
				return err
			}
		}
		begin := len(r.Path) - 1
		r.Path = k.stretch(r.Path, k.legs[i].cluster, leg.cluster, anchor, leg.to)
		if i == len(k.legs)-2 {
			return nil
		}
		enter := len(r.Path) - 1 // of the leg's cluster, for the last time
		for enter > begin+1 && k.h.clusterAt(r.Path[enter-1]) == leg.cluster {
			enter--
		}
		r.Path = r.Path[:(enter+len(r.Path)-1)/2+1]
		anchor = r.Path[len(r.Path)-1]
	}
	return nil
}

// stretch appends the cells after the start of the shortest way between two
// cells inside the rectangle that holds two clusters.
func (k *hierQuery) stretch(path []Cell, a, b int32, from, to Cell) []Cell {
	if from == to {
		return path
	}
	h := k.h
	p, q := h.origin(a), h.origin(b)
	x0, y0 := min(p.X, q.X), min(p.Y, q.Y)
	x1, y1 := min(max(p.X, q.X)+h.side, h.rows.w), min(max(p.Y, q.Y)+h.side, h.rows.h)
	k.flood.load(h, x0, y0, x1-x0, y1-y0)
	k.flood.search(k.local(from), k.local(to), false)
	return k.flood.way(path, k.local(to))
}
