package zone

import (
	"math"
	"slices"

	"wend/pack/bnav"
)

// from returns the slots that start from a corner, ascending.
func (b *builder) from(v uint32) []int32 {
	if v < b.low || int(v-b.low)+1 >= len(b.bucket) {
		return nil
	}
	return b.order[b.bucket[v-b.low]:b.bucket[v-b.low+1]]
}

// end returns the corner that a slot leads to.
func (b *builder) end(slot int32) uint32 { return b.z.Tris[slot/3][(slot%3+1)%3] }

// adjacency finds the triangle beyond each slot a-b: that of the first slot from
// b that leads to a.
func (b *builder) adjacency() {
	b.next = make([]int32, len(b.order))
	b.double = make([]bool, len(b.order))
	for slot := range b.next {
		s := int32(slot)
		start, end := b.z.Tris[s/3][s%3], b.end(s)
		b.next[slot] = -1
		for _, back := range b.from(end) {
			if b.end(back) == start {
				b.next[slot] = back / 3
				break
			}
		}
		for _, other := range b.from(start) {
			if other != s && b.end(other) == end {
				b.double[slot] = true
				break
			}
		}
	}
}

// union-find over triangles, the least one being the root.
func root(parent []int32, i int32) int32 {
	for parent[i] != i {
		parent[i] = parent[parent[i]]
		i = parent[i]
	}
	return i
}

func join(parent []int32, i, j int32) {
	i, j = root(parent, i), root(parent, j)
	if i < j {
		parent[j] = i
	} else {
		parent[i] = j
	}
}

func identity(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i)
	}
	return p
}

// naturalPieces counts the triangles that the pack's own neighbours join.
func (b *builder) naturalPieces() {
	n := len(b.tris)
	parent := identity(n)
	for t := range b.tris {
		for _, o := range b.tris[t].N {
			if k := int(o) - b.first; o >= 0 && k >= 0 && k < n {
				join(parent, int32(t), int32(k))
			}
		}
	}
	size := make([]int32, n)
	for t := range n {
		size[root(parent, int32(t))]++
	}
	b.natural = make([]int32, n)
	for t := range n {
		b.natural[t] = size[root(parent, int32(t))]
	}
}

// unlink clears the way over a slot, and all ways back from the triangle beyond
// it.
func (b *builder) unlink(slot int32) {
	t, o := slot/3, b.next[slot]
	b.next[slot] = -1
	for k := 3 * o; k < 3*o+3; k++ {
		if b.next[k] == t {
			b.next[k] = -1
		}
	}
}

// back reports whether the triangle beyond a slot leads back.
func (b *builder) back(slot int32) bool {
	t, o := slot/3, b.next[slot]
	return b.next[3*o] == t || b.next[3*o+1] == t || b.next[3*o+2] == t
}

// cut parts triangles that share an edge and are not joined, by three rules one
// after the other: edges that several triangles have in the same direction,
// neighbours that do not lead back, and edges where one side is not walkable or
// the pack has no link across. What a rule looks at is the state before it, but
// for the first.
func (b *builder) cut() {
	for s := range b.next {
		if slot := int32(s); b.double[s] && b.next[s] >= 0 {
			b.unlink(slot)
		}
	}
	var list []int32
	for s, o := range b.next {
		if o >= 0 && !b.back(int32(s)) {
			list = append(list, int32(s))
		}
	}
	for _, s := range list {
		b.next[s] = -1
	}
	list = list[:0]
	for s, o := range b.next {
		t := int32(s) / 3
		if o >= 0 && (!b.z.Walkable[t] || !b.z.Walkable[o] || !b.hasLink(min(t, o), max(t, o))) {
			list = append(list, int32(s))
		}
	}
	for _, s := range list {
		if b.next[s] >= 0 {
			b.unlink(s)
		}
	}
}

// smallGap is how far two small pieces of mesh may lie apart and still be
// joined by a link, px.
const smallGap = 4.0

// hasLink reports whether the pack lets one pass from triangle s to t of this
// zone, s before t.
func (b *builder) hasLink(s, t int32) bool {
	link := bnav.Link{Source: uint32(b.first) + uint32(s), Target: uint32(b.first) + uint32(t)}
	at, _ := slices.BinarySearchFunc(b.c.Links, link.Source, func(l bnav.Link, src uint32) int {
		switch {
		case l.Source < src:
			return -1
		case l.Source > src:
			return 1
		}
		return 0
	})
	for ; ; at++ {
		if at >= len(b.c.Links) || b.c.Links[at].Source != link.Source {
			return false
		}
		if b.c.Links[at] == link {
			break
		}
	}
	return slices.Contains(b.tris[s].N[:], int32(link.Target)) ||
		min(b.natural[s], b.natural[t]) > SmallPiece ||
		b.gap(s, t) <= smallGap
}

// gap returns the least distance of edges of two triangles, px.
func (b *builder) gap(s, t int32) float64 {
	best := math.Inf(1)
	for k := range 3 {
		for l := range 3 {
			p, q := b.corner(s, k), b.corner(s, (k+1)%3)
			r, u := b.corner(t, l), b.corner(t, (l+1)%3)
			best = min(best, edgeDistance(p, q, r, u))
		}
	}
	return best
}

func (b *builder) corner(t int32, k int) bnav.Vertex { return b.z.Verts[b.z.Tris[t][k]] }

// components joins what is left, and tells islands.
func (b *builder) components() {
	z := b.z
	n := len(z.Tris)
	parent := identity(n)
	for s, o := range b.next {
		if o >= 0 {
			join(parent, int32(s/3), o)
		}
	}
	z.Component, z.Island = make([]int32, n), make([]bool, n)
	small, all := make([]int32, n), make([]int32, n)
	for t := range n {
		r := root(parent, int32(t))
		z.Component[t] = r
		all[r]++
		if b.natural[t] <= SmallPiece {
			small[r]++
		}
	}
	for t := range n {
		r := z.Component[t]
		z.Island[t] = 2*small[r] > all[r]
	}
}

// finish keeps of the adjacency only where it ends.
func (b *builder) finish() {
	z := b.z
	z.Boundary = make([]uint8, len(z.Tris))
	for s, o := range b.next {
		if o < 0 {
			z.Boundary[s/3] |= 1 << (s % 3)
		}
	}
	z.buckets.fill(z)
}
