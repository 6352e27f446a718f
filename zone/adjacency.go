package zone

import (
	"cmp"
	"math"
	"slices"

	"wend/pack/bnav"
)

// slots lists the directed edges by the corner they start from, then by the one
// they end at, then by number. Slot 3*t+k is the edge of triangle t from corner k
// to k+1. The order of ends keeps a corner of a million triangles from costing
// the square of that.
func (b *builder) slots() {
	z := b.z
	low, high := uint32(math.MaxUint32), uint32(0)
	for i := range z.Tris {
		t := &z.Tris[i]
		low, high = min(low, t[0], t[1], t[2]), max(high, t[0], t[1], t[2])
	}
	b.low = low
	corners := int(high-low) + 1
	b.bucket = make([]int32, corners+1)
	for i := range z.Tris {
		for _, v := range &z.Tris[i] {
			b.bucket[v-low]++
		}
	}
	at := int32(0)
	for i, n := range b.bucket {
		at += n
		b.bucket[i] = at // end of the bucket; filling moves it to the first
	}
	b.order = make([]int32, 3*len(z.Tris))
	for t := len(z.Tris) - 1; t >= 0; t-- {
		for k := 2; k >= 0; k-- {
			v := z.Tris[t][k] - low
			b.bucket[v]--
			b.order[b.bucket[v]] = int32(3*t + k)
		}
	}
	b.each(corners, func(from, to int) {
		for v := from; v < to; v++ {
			b.sortByEnd(b.order[b.bucket[v]:b.bucket[v+1]])
		}
	})
}

// sortByEnd sorts ascending slots by their ends and keeps their order otherwise.
func (b *builder) sortByEnd(s []int32) {
	if len(s) > 32 {
		slices.SortFunc(s, func(x, y int32) int { return cmp.Or(cmp.Compare(b.end(x), b.end(y)), cmp.Compare(x, y)) })
		return
	}
	for i := 1; i < len(s); i++ {
		x := s[i]
		end := b.end(x)
		j := i
		for ; j > 0 && b.end(s[j-1]) > end; j-- {
			s[j] = s[j-1]
		}
		s[j] = x
	}
}

// end returns the corner that a slot leads to.
func (b *builder) end(slot int32) uint32 { return b.z.Tris[slot/3][(slot%3+1)%3] }

// find returns the first slot that leads from a corner to another, or -1.
func (b *builder) find(start, end uint32) int32 {
	lo, hi := b.bucket[start-b.low], b.bucket[start-b.low+1]
	last := hi
	for lo < hi {
		if mid := lo + (hi-lo)/2; b.end(b.order[mid]) < end {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < last && b.end(b.order[lo]) == end {
		return b.order[lo]
	}
	return -1
}

// adjacency finds the triangle beyond each slot a-b: that of the first slot from
// b to a. It marks slots that share both ends with another.
func (b *builder) adjacency() {
	b.next = make([]int32, len(b.order))
	b.mark = make([]bool, len(b.order))
	b.each(len(b.z.Tris), func(from, to int) {
		for t := from; t < to; t++ {
			v := b.z.Tris[t]
			for k := range 3 {
				o := b.find(v[(k+1)%3], v[k])
				if o >= 0 {
					o /= 3
				}
				b.next[3*t+k] = o
			}
		}
	})
	b.each(len(b.bucket)-1, func(from, to int) {
		for v := from; v < to; v++ {
			s := b.order[b.bucket[v]:b.bucket[v+1]]
			for i := 1; i < len(s); i++ {
				if b.end(s[i-1]) == b.end(s[i]) {
					b.mark[s[i-1]], b.mark[s[i]] = true, true
				}
			}
		}
	})
	b.bucket, b.order = nil, nil
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
// the pack has no link across. Each rule looks at all slots before it parts any.
func (b *builder) cut() {
	b.part(b.unlink) // marked by adjacency
	b.look(func(s, _ int32) bool { return !b.back(s) })
	b.part(func(s int32) { b.next[s] = -1 })
	b.look(func(s, o int32) bool {
		t := s / 3
		return !b.z.Walkable[t] || !b.z.Walkable[o] || !b.hasLink(min(t, o), max(t, o))
	})
	b.part(b.unlink)
}

// look marks the slots that a rule is about. It is asked about those that lead
// somewhere, and where to.
func (b *builder) look(rule func(s, o int32) bool) {
	b.each(len(b.next), func(from, to int) {
		for s := from; s < to; s++ {
			o := b.next[s]
			b.mark[s] = o >= 0 && rule(int32(s), o)
		}
	})
}

// part does what a rule demands to the marked slots that still lead somewhere,
// in order.
func (b *builder) part(do func(s int32)) {
	for s, m := range b.mark {
		if m && b.next[s] >= 0 {
			do(int32(s))
		}
	}
}

// linkTable finds where the links of each triangle start.
func (b *builder) linkTable() {
	bySource := func(l bnav.Link, s int) int { return cmp.Compare(int(l.Source), s) }
	lo, _ := slices.BinarySearchFunc(b.c.Links, b.first, bySource)
	hi, _ := slices.BinarySearchFunc(b.c.Links, b.first+len(b.tris), bySource)
	b.links = b.c.Links[lo:max(lo, hi)]
	b.link = make([]int, len(b.tris)+1)
	at := 0
	for t := range b.tris {
		b.link[t] = at
		for at < len(b.links) && int(b.links[at].Source) <= b.first+t {
			at++
		}
	}
	b.link[len(b.tris)] = at
}

// hasLink reports whether the pack lets one pass from triangle s to t of this
// zone, s before t. Elsewhere a link counts under conditions, of which one is that
// the triangles lie close; these share an edge.
func (b *builder) hasLink(s, t int32) bool {
	target := uint32(b.first) + uint32(t)
	for _, l := range b.links[b.link[s]:b.link[s+1]] {
		if l.Target == target {
			return true
		}
	}
	return false
}
