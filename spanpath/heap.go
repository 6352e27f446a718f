package spanpath

// entry is a span in the queue of a search. Entries are ordered by key, then by
// the distance that is left, then by row, column and height of the span: an
// order that knows nothing of windows. Of equal keys the one nearer to the goal
// comes first, or open ground with its many equally short ways would be searched
// in full width.
type entry struct {
	key  float64
	left uint32 // bits of the float32 of the distance left
	span uint32
}

// spanHeap is the queue of a search within a bucket, see spanQueue. It is a heap
// with four children a node: half as high as one with two, and the children share
// a cache line.
type spanHeap struct {
	list []entry
	g    *Ground
}

// before is the order of entries. It is inlined.
func (h *spanHeap) before(a, b *entry) bool {
	return a.key < b.key || a.key == b.key && h.tied(a, b)
}

// tied is the order of entries with equal keys.
func (h *spanHeap) tied(a, b *entry) bool {
	if a.left != b.left {
		return a.left < b.left
	}
	return a.span != b.span && h.g.placeBefore(a.span, b.span)
}

// placeBefore reports whether a span comes before another by row, column and
// height.
func (g *Ground) placeBefore(a, b uint32) bool {
	p, i := g.of(a)
	q, j := g.of(b)
	ax, ay := p.Table.At(int(p.cellOf[i]))
	bx, by := q.Table.At(int(q.cellOf[j]))
	if ay != by {
		return ay < by
	}
	if ax != bx {
		return ax < bx
	}
	return i < j
}

func (h *spanHeap) push(e entry) {
	i := len(h.list)
	h.list = append(h.list, e)
	list := h.list
	for i > 0 {
		up := (i - 1) >> 2
		if !h.before(&e, &list[up]) {
			break
		}
		list[i] = list[up]
		i = up
	}
	list[i] = e
}

// pop takes the first entry of a heap that is not empty. The gap that it leaves
// sinks to the bottom, where the last entry goes into it and rises, mostly not
// far: that saves a comparison a level.
func (h *spanHeap) pop() entry {
	list := h.list
	top := list[0]
	n := len(list) - 1
	last := list[n]
	list = list[:n]
	h.list = list
	if n == 0 {
		return top
	}
	i := 0
	for c := 1; c+3 < n; c = i<<2 + 1 {
		four := list[c : c+4 : c+4]
		a, b := 0, 2
		if h.before(&four[1], &four[0]) {
			a = 1
		}
		if h.before(&four[3], &four[2]) {
			b = 3
		}
		if h.before(&four[b], &four[a]) {
			a = b
		}
		list[i] = four[a]
		i = c + a
	}
	if c := i<<2 + 1; c < n {
		least := c
		for c++; c < n; c++ {
			if h.before(&list[c], &list[least]) {
				least = c
			}
		}
		list[i] = list[least]
		i = least
	}
	for i > 0 {
		up := (i - 1) >> 2
		if !h.before(&last, &list[up]) {
			break
		}
		list[i] = list[up]
		i = up
	}
	list[i] = last
	return top
}

// cellEntry is a cell in the queue of a search over cells: the number of a cell
// breaks ties, and makes every order total.
type cellEntry struct {
	key  uint64
	tie  uint32
	cell uint32
}

func (a *cellEntry) before(b *cellEntry) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	if a.tie != b.tie {
		return a.tie < b.tie
	}
	return a.cell < b.cell
}

// cellHeap is a binary heap.
type cellHeap []cellEntry

func (h *cellHeap) push(e cellEntry) {
	i := len(*h)
	*h = append(*h, e)
	list := *h
	for i > 0 {
		up := (i - 1) >> 1
		if !e.before(&list[up]) {
			break
		}
		list[i] = list[up]
		i = up
	}
	list[i] = e
}

func (h *cellHeap) pop() cellEntry {
	list := *h
	top := list[0]
	n := len(list) - 1
	last := list[n]
	list = list[:n]
	*h = list
	if n == 0 {
		return top
	}
	i := 0
	for {
		c := i<<1 + 1
		if c >= n {
			break
		}
		if c+1 < n && list[c+1].before(&list[c]) {
			c++
		}
		if !list[c].before(&last) {
			break
		}
		list[i] = list[c]
		i = c
	}
	list[i] = last
	return top
}
