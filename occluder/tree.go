package occluder

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"wend/geom"
)

// maxLeaf is the most items a leaf of an instance or terrain tree holds, and
// of a template with a tree of its own. Smaller templates are a single leaf.
const (
	maxLeaf    = 4
	maxBigLeaf = 8 // triangles of a template without a tree
)

// maxDepth bounds the stack of a descent: halving 2^32 items down to one takes
// 32 levels, and a level leaves one node waiting.
const maxDepth = 40

// node is a tree node. The left child of an inner node stands right behind it.
type node struct {
	min, max [3]float32 // outward
	next     uint32     // right child; of a leaf the first item
	count    uint32     // items of a leaf, 0 for an inner node
}

// tree is a bounding-box tree over items with boxes. Children are split at the
// median of the longest axis, after J. Goldsmith and J. Salmon, "Automatic
// creation of object hierarchies for ray tracing" (1987), in the simplest form.
type tree struct {
	nodes []node
	items []uint32 // item numbers, leaf after leaf, ascending inside a leaf
}

// down and up round to float32 towards minus and plus infinity.
func down(v float64) float32 {
	f := float32(v)
	if float64(f) > v {
		f = below(f)
	}
	return f
}

func up(v float64) float32 { return -down(-v) }

// below returns the next float32 under f, which is above minus infinity.
func below(f float32) float32 {
	b := math.Float32bits(f)
	switch {
	case f > 0:
		return math.Float32frombits(b - 1)
	case f == 0:
		return math.Float32frombits(1 | 1<<31)
	default:
		return math.Float32frombits(b + 1)
	}
}

// everywhere replaces a box that is not made of numbers, so that what it
// stands for is never lost and never spoils the boxes around it.
func everywhere(b geom.Box) geom.Box {
	s := b.Min.X + b.Min.Y + b.Min.Z + b.Max.X + b.Max.Y + b.Max.Z
	if !math.IsNaN(s) {
		return b
	}
	inf := math.Inf(1)
	return geom.Box{Min: geom.V3(-inf, -inf, -inf), Max: geom.V3(inf, inf, inf)}
}

// builder holds what building one tree after another shares.
type builder struct {
	boxes []geom.Box // of the items, margins included, none empty
	items []uint32
	nodes []node
	leaf  int
}

// build appends a tree over items 0 to len(boxes)-1 to dst and returns its
// root. Item numbers are stored as they are, positions counted in dst.items.
func (b *builder) build(dst *tree, boxes []geom.Box, leaf int) (root uint32) {
	first := len(dst.items)
	for i := range boxes {
		dst.items = append(dst.items, uint32(i))
	}
	*b = builder{boxes: boxes, items: dst.items, nodes: dst.nodes, leaf: leaf}
	root = uint32(len(b.nodes))
	b.split(first, len(b.items))
	dst.nodes = b.nodes
	return root
}

func (b *builder) split(from, to int) {
	at := len(b.nodes)
	b.nodes = append(b.nodes, node{})
	items := b.items[from:to]

	all, centres := geom.EmptyBox(), geom.EmptyBox()
	for _, it := range items {
		box := &b.boxes[it]
		all = all.Union(*box)
		if c := geom.V3(centre(box, 0), centre(box, 1), centre(box, 2)); !math.IsNaN(c.X + c.Y + c.Z) {
			centres = centres.Extend(c)
		}
	}
	n := node{
		min: [3]float32{down(all.Min.X), down(all.Min.Y), down(all.Min.Z)},
		max: [3]float32{up(all.Max.X), up(all.Max.Y), up(all.Max.Z)},
	}
	if len(items) <= b.leaf {
		slices.Sort(items)
		n.next, n.count = uint32(from), uint32(len(items))
		b.nodes[at] = n
		return
	}
	axis, d := 0, centres.Size()
	if d.Y > d.X {
		axis = 1
	}
	if d.Z > max(d.X, d.Y) {
		axis = 2
	}
	mid := len(items) / 2
	b.selectMedian(items, mid, axis)
	b.split(from, from+mid)
	n.next = uint32(len(b.nodes))
	b.nodes[at] = n
	b.split(from+mid, to)
}

// centre returns the middle of a box on an axis; NaN where the box is endless.
func centre(b *geom.Box, axis int) float64 {
	switch axis {
	case 0:
		return float64(b.Min.X*0.5) + float64(b.Max.X*0.5)
	case 1:
		return float64(b.Min.Y*0.5) + float64(b.Max.Y*0.5)
	default:
		return float64(b.Min.Z*0.5) + float64(b.Max.Z*0.5)
	}
}

func (b *builder) compare(i, j uint32, axis int) int {
	if c := cmp.Compare(centre(&b.boxes[i], axis), centre(&b.boxes[j], axis)); c != 0 {
		return c
	}
	return cmp.Compare(i, j)
}

// selectMedian orders items so that those before position mid are the mid
// smallest by centre, then number. The order is total, so the two halves do
// not depend on how they were found. Hoare's selection; after too many unlucky
// pivots it sorts, so that no arrangement makes it quadratic.
func (b *builder) selectMedian(items []uint32, mid, axis int) {
	lo, hi := 0, len(items)
	for tries := 2 * bits.Len(uint(len(items))); hi-lo > 8; tries-- {
		if tries == 0 {
			break
		}
		p := b.pivot(items[lo:hi], axis)
		i, j := lo, hi-1
		for i <= j {
			for b.compare(items[i], p, axis) < 0 {
				i++
			}
			for b.compare(items[j], p, axis) > 0 {
				j--
			}
			if i <= j {
				items[i], items[j] = items[j], items[i]
				i++
				j--
			}
		}
		switch {
		case mid <= j:
			hi = j + 1
		case mid >= i:
			lo = i
		default:
			return
		}
	}
	slices.SortFunc(items[lo:hi], func(i, j uint32) int { return b.compare(i, j, axis) })
}

// pivot returns the median of the first, middle and last item.
func (b *builder) pivot(items []uint32, axis int) uint32 {
	p, q, r := items[0], items[len(items)/2], items[len(items)-1]
	if b.compare(p, q, axis) > 0 {
		p, q = q, p
	}
	if b.compare(q, r, axis) > 0 {
		q = r
	}
	if b.compare(p, q, axis) > 0 {
		q = p
	}
	return q
}
