package navmesh

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"wend/geom"
)

// index is a bounding volume hierarchy over the ground polygons of all tiles
// in one array, depth first: the left child of inner node i is i+1, and skip
// nodes after i comes what follows its subtree. Boxes are exact, because corners
// and detail are float32 as they are.
type index struct {
	nodes []indexNode
	depth int
}

type indexNode struct {
	min, max [3]float32
	skip     int32  // nodes of the subtree; 1 for a leaf
	poly     PolyID // of a leaf
}

// indexItem is a polygon while the hierarchy is built.
type indexItem struct {
	indexNode
	mid [3]float32
}

func buildIndex(m *Mesh) index {
	items := m.indexItems()
	var x index
	if len(items) > 0 {
		x.nodes = make([]indexNode, 0, 2*len(items)-1)
		x.add(items, 1)
	}
	return x
}

// indexItems returns an item for each ground polygon.
func (m *Mesh) indexItems() (items []indexItem) {
	for p := range PolyID(m.Len()) {
		q := &m.polys[p]
		if q.kind != KindGround {
			continue
		}
		b := m.polyBox(&m.tiles[q.tile], int(uint32(p)-m.info[q.tile].poly), p)
		lo, hi := b.Min.Narrow(), b.Max.Narrow()
		it := indexItem{indexNode: indexNode{
			min: [3]float32{lo.X, lo.Y, lo.Z}, max: [3]float32{hi.X, hi.Y, hi.Z}, skip: 1, poly: p,
		}}
		for a := range 3 {
			it.mid[a] = float32(it.min[a]/2) + float32(it.max[a]/2)
		}
		items = append(items, it)
	}
	return items
}

// islandIndex holds a hierarchy for each ground island, one after the other:
// the root of island i is nodes[root[i]].
type islandIndex struct {
	nodes []indexNode
	root  []int32
}

// indexIslands builds the hierarchies of the islands.
func (m *Mesh) indexIslands() {
	t := &m.survey.islands
	if m.islands.ground == 1 {
		t.nodes, t.root = m.index.nodes, []int32{0}
		return
	}
	items := m.indexItems()
	slices.SortStableFunc(items, func(a, b indexItem) int {
		return cmp.Compare(m.polys[a.poly].island, m.polys[b.poly].island)
	})
	x := index{nodes: make([]indexNode, 0, 2*len(items))}
	for len(items) > 0 {
		n := 1
		for n < len(items) && m.polys[items[n].poly].island == m.polys[items[0].poly].island {
			n++
		}
		t.root = append(t.root, int32(len(x.nodes)))
		x.add(items[:n], 1)
		items = items[n:]
	}
	t.nodes = x.nodes
}

// add appends the subtree of items: split at the median of the box middles
// along the axis on which they spread most, so the depth is logarithmic.
func (x *index) add(items []indexItem, depth int) {
	x.depth = max(x.depth, depth)
	if len(items) == 1 {
		x.nodes = append(x.nodes, items[0].indexNode)
		return
	}
	node := items[0].indexNode
	lo, hi := items[0].mid, items[0].mid
	for i := range items {
		it := &items[i]
		for a := range 3 {
			node.min[a] = min(node.min[a], it.min[a])
			node.max[a] = max(node.max[a], it.max[a])
			lo[a] = min(lo[a], it.mid[a])
			hi[a] = max(hi[a], it.mid[a])
		}
	}
	axis := 0
	for _, a := range [2]int{2, 1} {
		if hi[a]-lo[a] > hi[axis]-lo[axis] {
			axis = a
		}
	}
	half := len(items) / 2
	splitItems(items, half, axis)
	at := len(x.nodes)
	x.nodes = append(x.nodes, node)
	x.add(items[:half], depth+1)
	x.add(items[half:], depth+1)
	x.nodes[at].skip = int32(len(x.nodes) - at)
}

// before orders items along an axis, ties by polygon.
func (a *indexItem) before(b *indexItem, axis int) bool {
	return a.mid[axis] < b.mid[axis] || a.mid[axis] == b.mid[axis] && a.poly < b.poly
}

// splitItems moves the k first items along an axis to the front (quickselect,
// Hoare 1961). The order is total, so which items these are does not depend on
// the order in which they come. Pivots are medians of three; what is still long
// after twice as many rounds as halving takes is sorted.
func splitItems(items []indexItem, k, axis int) {
	rounds := 2 * bits.Len(uint(len(items)))
	for ; len(items) > 12 && rounds > 0; rounds-- {
		a, b, c := &items[0], &items[len(items)/2], &items[len(items)-1]
		if b.before(a, axis) {
			a, b = b, a
		}
		if c.before(b, axis) {
			b = c
			if b.before(a, axis) {
				b = a
			}
		}
		pivot := *b
		i, j := 0, len(items)-1
		for i <= j {
			for items[i].before(&pivot, axis) {
				i++
			}
			for pivot.before(&items[j], axis) {
				j--
			}
			if i <= j {
				items[i], items[j] = items[j], items[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			items = items[:j+1]
		case k >= i:
			items, k = items[i:], k-i
		default:
			return // between j and i there is only the pivot
		}
	}
	slices.SortFunc(items, func(a, b indexItem) int {
		return cmp.Or(cmp.Compare(a.mid[axis], b.mid[axis]), cmp.Compare(a.poly, b.poly))
	})
}

// box32 returns a float32 box that holds the box of half extents h around p.
func box32(p, h geom.Vec3) (lo, hi [3]float32) {
	lo = [3]float32{below32(p.X - h.X), below32(p.Y - h.Y), below32(p.Z - h.Z)}
	hi = [3]float32{above32(p.X + h.X), above32(p.Y + h.Y), above32(p.Z + h.Z)}
	return lo, hi
}

// below32 and above32 round outwards; the slack covers the rounding of the
// sum as well.
func below32(v float64) float32 { return float32(v - float64(math.Abs(v)*0x1p-22)) }
func above32(v float64) float32 { return float32(v + float64(math.Abs(v)*0x1p-22)) }

// overlaps reports whether n and the box lo-hi share a point.
func (n *indexNode) overlaps(lo, hi *[3]float32) bool {
	return n.min[0] <= hi[0] && n.max[0] >= lo[0] &&
		n.min[2] <= hi[2] && n.max[2] >= lo[2] &&
		n.min[1] <= hi[1] && n.max[1] >= lo[1]
}

// distSq returns the squared distance from p to the box of n.
func (n *indexNode) distSq(p geom.Vec3) float64 {
	dx := outside(n.min[0], n.max[0], p.X)
	dy := outside(n.min[1], n.max[1], p.Y)
	dz := outside(n.min[2], n.max[2], p.Z)
	return float64(dx*dx) + float64(dy*dy) + float64(dz*dz)
}

// outside returns how far v lies outside lo to hi. The builtin max would have
// to order zeros and NaN, which takes three times as long.
func outside(lo, hi float32, v float64) float64 {
	if d := float64(lo) - v; d > 0 {
		return d
	}
	if d := v - float64(hi); d > 0 {
		return d
	}
	return 0
}

// walk is a depth-first walk over the leaves whose boxes meet a box:
//
//	w := x.walk(lo, hi)
//	for w.next() { use(w.poly) }
type walk struct {
	nodes  []indexNode
	i      int
	lo, hi [3]float32
	poly   PolyID
}

func (x *index) walk(lo, hi [3]float32) walk { return walk{nodes: x.nodes, lo: lo, hi: hi} }

func (w *walk) next() bool {
	i := w.i
	for i < len(w.nodes) {
		n := &w.nodes[i]
		if !n.overlaps(&w.lo, &w.hi) {
			i += int(n.skip)
			continue
		}
		i++
		if n.skip == 1 {
			w.i, w.poly = i, n.poly
			return true
		}
	}
	w.i = i
	return false
}
