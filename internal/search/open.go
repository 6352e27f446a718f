package search

// Key is the type of estimates and costs: floats for geometry, integers for
// lattices.
type Key interface {
	~int32 | ~int64 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Item is an entry of an open list. F is the estimate of the whole way
// through the node, G the cost of reaching it. ID names the node: at most one
// item with an ID is in a list. IDs index an array, so they should be dense.
type Item[K Key] struct {
	F, G K
	ID   uint32
}

// before is the order of the list. It is total over distinct IDs, so that
// equal searches take equal courses: the lower estimate first; of equal
// estimates the one that has come further, as less of it is guessed; then the
// lower ID. Keys must not be NaN.
func before[K Key](a, b *Item[K]) bool {
	if a.F != b.F {
		return a.F < b.F
	}
	if a.G != b.G {
		return a.G > b.G
	}
	return a.ID < b.ID
}

// fan is the number of children of a heap entry. Four halve the levels of a
// binary heap and keep siblings within two cache lines.
const fan = 4

// Open is a priority queue of nodes, the first of which is taken next: a heap
// (Williams 1964; the d-ary form Johnson 1975) that knows the place of each
// node, so that a key is lowered in O(log n). The zero value is ready to use.
type Open[K Key] struct {
	heap []Item[K]
	at   []uint32 // by ID: place in heap plus one; 0 for a node that is not there
}

// Reset empties the list in time linear in what is left in it.
func (o *Open[K]) Reset() {
	for i := range o.heap {
		o.at[o.heap[i].ID] = 0
	}
	o.heap = o.heap[:0]
}

// Len returns the number of items.
func (o *Open[K]) Len() int { return len(o.heap) }

// Has reports whether id is in the list.
func (o *Open[K]) Has(id uint32) bool { return int(id) < len(o.at) && o.at[id] != 0 }

// Min returns the first item; the list must not be empty.
func (o *Open[K]) Min() Item[K] { return o.heap[0] }

// Push puts an item into the list, or gives the item with this ID a new key
// that comes before its present one. It reports whether the item was new. A
// key that does not come before the present one changes nothing. O(log n).
func (o *Open[K]) Push(it Item[K]) (isNew bool) {
	if int(it.ID) >= len(o.at) {
		o.grow(it.ID)
	}
	i := int(o.at[it.ID])
	if i == 0 {
		o.heap = append(o.heap, it)
		o.up(len(o.heap)-1, it)
		return true
	}
	if i--; before(&it, &o.heap[i]) {
		o.up(i, it)
	}
	return false
}

// grow makes room for id, doubling so that growth costs O(1) a node.
func (o *Open[K]) grow(id uint32) {
	at := make([]uint32, max(2*len(o.at), int(id)+1, 64))
	copy(at, o.at)
	o.at = at
}

// Pop takes the first item out; the list must not be empty. O(log n).
func (o *Open[K]) Pop() Item[K] {
	top := o.heap[0]
	o.at[top.ID] = 0
	n := len(o.heap) - 1
	last := o.heap[n]
	o.heap = o.heap[:n]
	if n > 0 {
		o.down(last)
	}
	return top
}

// up places it at i or, as long as it comes before the parent, above.
func (o *Open[K]) up(i int, it Item[K]) {
	h := o.heap
	for i > 0 {
		p := (i - 1) / fan
		if !before(&it, &h[p]) {
			break
		}
		h[i] = h[p]
		o.at[h[i].ID] = uint32(i + 1)
		i = p
	}
	h[i] = it
	o.at[it.ID] = uint32(i + 1)
}

// down places it at the top or, as long as a child comes before it, below.
func (o *Open[K]) down(it Item[K]) {
	h := o.heap
	i := 0
	for {
		c := fan*i + 1
		if c >= len(h) {
			break
		}
		best := c
		for j := c + 1; j < min(c+fan, len(h)); j++ {
			if before(&h[j], &h[best]) {
				best = j
			}
		}
		if !before(&h[best], &it) {
			break
		}
		h[i] = h[best]
		o.at[h[i].ID] = uint32(i + 1)
		i = best
	}
	h[i] = it
	o.at[it.ID] = uint32(i + 1)
}
