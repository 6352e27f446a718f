package navmesh

import (
	"cmp"
	"math"
	"slices"

	"wend/geom"
)

// checkBV checks the stored bounding volume tree. Queries use an index of
// their own, so only what another reader would trip over matters: leaves name
// polygons, escapes stay in the tree.
func checkBV(c *checker, ground int) error {
	nodes := c.t.BV
	for i := range nodes {
		n := &nodes[i]
		for a := range 3 {
			if n.Min[a] > n.Max[a] {
				return c.errf("BV", i, "the lower corner %v lies beyond the upper %v", n.Min, n.Max)
			}
		}
		switch {
		case n.Index >= 0 && int(n.Index) >= ground:
			return c.errf("BV", i, "leaf of polygon %d of %d", n.Index, ground)
		case n.Index < 0 && -int64(n.Index) > int64(len(nodes)-i):
			return c.errf("BV", i, "escape over %d nodes where %d are left", -int64(n.Index), len(nodes)-i)
		}
	}
	return nil
}

// BuildBV gives t the bounding volume tree that Detour reads: boxes in voxels
// of BVQuant (1/cell; 1/0.3 when it is 0) above Bounds[0], nodes depth-first,
// an inner node's Index the negative number of nodes in its subtree. Boxes hold
// the polygon and its height detail. A tile without ground polygons gets none.
// The tile's indices must be valid. The time is O(n log² n); the result depends
// on the tile alone.
func BuildBV(t *Tile) {
	if t.BVQuant == 0 {
		t.BVQuant = 1 / float32(0.3)
	}
	var items []BVNode
	for i := range t.Polys {
		p := &t.Polys[i]
		if p.Kind != KindGround {
			break
		}
		box := geom.EmptyBox()
		for _, v := range p.Verts[:p.Count] {
			box = box.Extend(t.Verts[v].Wide())
		}
		if i < len(t.DetailSubs) {
			s := t.DetailSubs[i]
			for _, v := range t.DetailVerts[s.VertBase:][:s.VertCount] {
				box = box.Extend(v.Wide())
			}
		}
		items = append(items, BVNode{
			Min:   t.quantise(box.Min, math.Floor),
			Max:   t.quantise(box.Max, math.Ceil),
			Index: int32(i),
		})
	}
	t.BV = nil
	if len(items) > 0 {
		t.BV = appendBV(make([]BVNode, 0, 2*len(items)-1), items)
	}
}

// bvSnap is the part of a voxel within which a coordinate lies on a voxel's
// face.
const bvSnap = 1.0 / 64

func (t *Tile) quantise(v geom.Vec3, round func(float64) float64) [3]uint16 {
	q, o := float64(t.BVQuant), t.Bounds[0].Wide()
	f := func(x float64) uint16 {
		x = float64(x * q)
		if near := math.RoundToEven(x); math.Abs(x-near) < bvSnap {
			x = near // on the lattice but for the rounding of its float32
		}
		return uint16(min(max(round(x), 0), 0xffff))
	}
	return [3]uint16{f(v.X - o.X), f(v.Y - o.Y), f(v.Z - o.Z)}
}

// appendBV splits items at the median of their lower bounds along the longest
// axis of the union, ties by polygon.
func appendBV(dst, items []BVNode) []BVNode {
	if len(items) == 1 {
		return append(dst, items[0])
	}
	at := len(dst)
	node := items[0]
	for _, it := range items[1:] {
		for a := range 3 {
			node.Min[a] = min(node.Min[a], it.Min[a])
			node.Max[a] = max(node.Max[a], it.Max[a])
		}
	}
	axis := 0
	for a := 1; a < 3; a++ {
		if node.Max[a]-node.Min[a] > node.Max[axis]-node.Min[axis] {
			axis = a
		}
	}
	slices.SortFunc(items, func(x, y BVNode) int {
		if c := cmp.Compare(x.Min[axis], y.Min[axis]); c != 0 {
			return c
		}
		return cmp.Compare(x.Index, y.Index)
	})
	dst = append(dst, node)
	half := len(items) / 2
	dst = appendBV(dst, items[:half])
	dst = appendBV(dst, items[half:])
	dst[at].Index = -int32(len(dst) - at)
	return dst
}
