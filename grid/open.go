package grid

import "math/bits"

// bucketQueue is an open list for integer keys that hardly ever fall below the
// last one taken out: a row of stacks, each for a range of keys a fraction of a
// step wide. Within a stack the last one in comes out first. A search that
// uses it must therefore cope with a node that was taken out too early and
// comes back with a lower cost, and must finish the stack of the goal's cost.
//
// In exchange both operations are O(1), and a stack's top is in the cache.
type bucketQueue struct {
	heads   []int32 // top of each stack, 0 where empty
	entries []bucketEntry
	free    int32
	base    int64 // lowest key of the first stack
	at      int   // no stack before it has anything
	top     int   // no stack after it ever had anything
	size    int
}

type bucketEntry struct {
	pos  uint32
	next int32
}

// bucketShift makes stacks an eighth of a straight step wide.
const bucketShift = 36 - 3

func (b *bucketQueue) reset(base int64) {
	if b.size > 0 {
		clear(b.heads[b.at : b.top+1])
	}
	if len(b.entries) == 0 {
		b.entries = append(b.entries, bucketEntry{})
	}
	b.entries = b.entries[:1]
	b.base, b.at, b.top, b.size, b.free = base, 0, 0, 0, 0
}

func (b *bucketQueue) push(f int64, pos uint32) {
	i := int((f - b.base) >> bucketShift)
	if i < b.at {
		i = b.at
	}
	if i >= len(b.heads) {
		b.grow(i)
	}
	b.top = max(b.top, i)
	e := b.free
	if e != 0 {
		b.free = b.entries[e].next
		b.entries[e] = bucketEntry{pos, b.heads[i]}
	} else {
		e = int32(len(b.entries))
		b.entries = append(b.entries, bucketEntry{pos, b.heads[i]})
	}
	b.heads[i] = e
	b.size++
}

func (b *bucketQueue) grow(i int) {
	b.heads = append(b.heads, make([]int32, max(256, i+1-len(b.heads), len(b.heads)))...)
}

// pop takes an entry out of the first stack that has one.
func (b *bucketQueue) pop() (pos uint32, ok bool) {
	if b.size == 0 {
		return 0, false
	}
	for b.heads[b.at] == 0 {
		b.at++
	}
	i := b.heads[b.at]
	e := &b.entries[i]
	pos = e.pos
	b.heads[b.at] = e.next
	e.next = b.free
	b.free = i
	b.size--
	return pos, true
}

// floor is a lower bound of all keys in the queue.
func (b *bucketQueue) floor() int64 { return b.base + int64(b.at)<<bucketShift }

// each calls visit with every entry.
func (b *bucketQueue) each(visit func(pos uint32)) {
	if b.size == 0 {
		return
	}
	for _, i := range b.heads[b.at : b.top+1] {
		for ; i != 0; i = b.entries[i].next {
			visit(b.entries[i].pos)
		}
	}
}

// heapItem is an entry of a heap; the first is the one of least f, of
// these the one with least rest, of these the one with least pos.
type heapItem struct {
	f    int64
	rest uint32 // the estimate of what is left, coarsely
	pos  uint32
}

func (a heapItem) before(b heapItem) bool {
	if a.f != b.f {
		return a.f < b.f
	}
	if a.rest != b.rest {
		return a.rest < b.rest
	}
	return a.pos < b.pos
}

// heapQueue is an open list for any keys: a heap of degree four in which old
// entries of a node stay when a better one is put in.
type heapQueue struct{ items []heapItem }

func (h *heapQueue) push(it heapItem) {
	h.items = append(h.items, it)
	s := h.items
	i := len(s) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !it.before(s[up]) {
			break
		}
		s[i] = s[up]
		i = up
	}
	s[i] = it
}

func (h *heapQueue) pop() (heapItem, bool) {
	s := h.items
	if len(s) == 0 {
		return heapItem{}, false
	}
	first := s[0]
	last := s[len(s)-1]
	s = s[:len(s)-1]
	h.items = s
	if len(s) == 0 {
		return first, true
	}
	i := 0
	for {
		c := 4*i + 1
		if c >= len(s) {
			break
		}
		best := c
		for k := c + 1; k < min(c+4, len(s)); k++ {
			if s[k].before(s[best]) {
				best = k
			}
		}
		if !s[best].before(last) {
			break
		}
		s[i] = s[best]
		i = best
	}
	s[i] = last
	return first, true
}

// firstBit returns the lowest direction in a set.
func firstBit(set uint8) int { return bits.TrailingZeros8(set) & 7 }
