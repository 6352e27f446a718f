package grid

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
)

// Update returns the hierarchy of the ground as it is now, the same as a new
// one. It shares the clusters with no edited cell in or beside them; the others are
// made again. The old one remains what it was and may be searched meanwhile,
// but nobody may edit the ground. Where nothing was edited it returns h.
//
// Apart from the clusters, which cost the most, all bits of the ground are compared
// and all gates are told anew which island they are on: some tens of milliseconds on
// a map of 4096 x 4096 cells full of walls.
func (h *Hierarchy) Update(ctx context.Context) (*Hierarchy, error) {
	if h == nil || h.of == nil {
		return nil, fmt.Errorf("%w: hierarchy was not made", ErrOptions)
	}
	ctx = alive(ctx)
	if !h.Stale() {
		return h, nil
	}
	n := new(Hierarchy)
	*n = *h
	n.snapshot()
	n.clusters = append([]*hierCluster(nil), h.clusters...)
	dirty := make([]bool, len(n.clusters))   // to be made again
	changed := make([]bool, len(n.clusters)) // have an edited cell
	edit := func(c Cell) {
		changed[h.clusterAt(c)] = true
		for y := max(c.Y-1, 0); y <= min(c.Y+1, h.rows.h-1); y++ {
			for x := max(c.X-1, 0); x <= min(c.X+1, h.rows.w-1); x++ {
				dirty[h.clusterAt(Cell{x, y})] = true
			}
		}
	}
	n.compare(h, edit)
	for i := range n.clusters {
		if changed[i] {
			n.clusters[i] = n.newCluster(int32(i))
		} else if dirty[i] {
			n.clusters[i] = n.clusters[i].bare()
		}
	}
	// Where the least cost of a cluster is another, entrances on its sides may be.
	for i := range n.clusters {
		if n.clusters[i].least == h.clusters[i].least {
			continue
		}
		x, y := int32(i)%h.nx, int32(i)/h.nx
		for _, d := range [4]Cell{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			if a, b := x+d.X, y+d.Y; a >= 0 && b >= 0 && a < h.nx && b < h.ny && !dirty[b*h.nx+a] {
				dirty[b*h.nx+a] = true
				n.clusters[b*h.nx+a] = n.clusters[b*h.nx+a].bare()
			}
		}
	}
	var list []int32
	fresh := make([]bool, len(dirty)) // whose steps are to be listed: those beside, too
	for i, d := range dirty {
		if !d {
			continue
		}
		list = append(list, int32(i))
		x, y := int32(i)%h.nx, int32(i)/h.nx
		for b := max(y-1, 0); b <= min(y+1, h.ny-1); b++ {
			for a := max(x-1, 0); a <= min(x+1, h.nx-1); a++ {
				fresh[b*h.nx+a] = true
			}
		}
	}
	if err := n.build(ctx, list); err != nil {
		return nil, err
	}
	n.connect(h, fresh)
	return n, nil
}

// bare is a cluster of the same cells, without gates.
func (c *hierCluster) bare() *hierCluster {
	return &hierCluster{w: c.w, h: c.h, costs: c.costs, least: c.least, open: c.open}
}

// compare calls edit for all cells that are not what they were in an earlier
// hierarchy.
func (h *Hierarchy) compare(old *Hierarchy, edit func(Cell)) {
	s := &h.rows
	for at := 0; at+8 <= len(s.bits); at += 8 {
		differ := binary.LittleEndian.Uint64(s.bits[at:]) ^ binary.LittleEndian.Uint64(old.rows.bits[at:])
		for ; differ != 0; differ &= differ - 1 {
			id := int32(at*8+bits.TrailingZeros64(differ)) - guardBits
			edit(Cell{id % s.stride, id/s.stride - 1})
		}
	}
	m, _ := h.of.ground()
	if m.costs == nil {
		return
	}
	cost := func(c Cell) {
		if old.cost(c) != m.costs[s.id(c.X, c.Y)] {
			edit(c)
		}
	}
	if list, ok := m.log.since(old.base); ok {
		for _, c := range list {
			cost(c)
		}
		return
	}
	for y := range s.h {
		for x := range s.w {
			cost(Cell{x, y})
		}
	}
}
