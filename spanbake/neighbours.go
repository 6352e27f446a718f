package spanbake

import (
	"slices"

	"wend/pack/bnav"
)

// joinNeighbours fills in which triangle lies beyond each edge, where exactly
// one other has the same edge the other way round, and writes the permission
// to pass it both ways. Where an edge belongs to more triangles none is joined
// over it: nobody can tell which two belong together.
func joinNeighbours(c *bnav.Content) {
	type half struct {
		key  uint64 // lower corner, higher corner
		slot uint32
		down bool // runs from the higher to the lower corner
	}
	edges := make([]half, 0, 3*len(c.Triangles))
	for t := range c.Triangles {
		tri := &c.Triangles[t]
		tri.N = [3]int32{-1, -1, -1}
		for k := range 3 {
			a, b := tri.V[k], tri.V[(k+1)%3]
			h := half{slot: uint32(3*t + k)}
			if a > b {
				a, b, h.down = b, a, true
			}
			h.key = uint64(a)<<32 | uint64(b)
			edges = append(edges, h)
		}
	}
	slices.SortFunc(edges, func(a, b half) int {
		switch {
		case a.key != b.key && a.key < b.key, a.key == b.key && a.slot < b.slot:
			return -1
		case a == b:
			return 0
		}
		return 1
	})
	for i := 0; i < len(edges); {
		j := i
		for j < len(edges) && edges[j].key == edges[i].key {
			j++
		}
		if j == i+2 && edges[i].down != edges[i+1].down {
			p, q := edges[i].slot, edges[i+1].slot
			c.Triangles[p/3].N[p%3] = int32(q / 3)
			c.Triangles[q/3].N[q%3] = int32(p / 3)
		}
		i = j
	}
	c.Links = c.Links[:0]
	for t := range c.Triangles {
		n := c.Triangles[t].N
		slices.Sort(n[:])
		for k, to := range n {
			if to >= 0 && (k == 0 || n[k-1] != to) {
				c.Links = append(c.Links, bnav.Link{Source: uint32(t), Target: uint32(to)})
			}
		}
	}
	if len(c.Links) == 0 {
		// A pack needs a link; one from a triangle to itself permits nothing.
		c.Links = append(c.Links, bnav.Link{})
	}
}
