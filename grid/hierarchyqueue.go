package grid

import "math"

// rowQueue is an open list for costs: a row of lists, each for a range of costs
// as wide as a step, of which only the first one that has anything is put in
// order. A search through a hierarchy puts in far more than it takes out
// before it ends, and much of that is out of date when its turn comes; such
// entries cost a few nanoseconds here.
type rowQueue struct {
	heads   []int32 // first of each list, 0 where empty
	entries []rowEntry
	base    float64 // the costs at which the first list begins
	scale   float64 // lists in a cost of 1
	at      int     // the list in order; none before it has anything
	top     int     // no list after it ever had anything
	now     heapQueue
}

type rowEntry struct {
	f    float64
	rest uint32
	pos  uint32
	next int32
}

// rowLists is how many lists there are; the last has all that is dearer.
const rowLists = 1 << 14

func (r *rowQueue) reset(base, width float64) {
	if r.heads == nil {
		r.heads = make([]int32, rowLists)
		r.entries = make([]rowEntry, 1, 1024)
	}
	clear(r.heads[r.at : r.top+1])
	r.entries = r.entries[:1]
	r.base, r.scale = base, 1/width
	r.at, r.top = 0, 0
	r.now.items = r.now.items[:0]
}

func (r *rowQueue) push(f float64, rest, pos uint32) {
	i := int(min(max((f-r.base)*r.scale, 0), rowLists-1))
	if i <= r.at {
		r.now.push(heapItem{f: int64(math.Float64bits(f)), rest: rest, pos: pos})
		return
	}
	r.top = max(r.top, i)
	r.entries = append(r.entries, rowEntry{f, rest, pos, r.heads[i]})
	r.heads[i] = int32(len(r.entries) - 1)
}

// pop takes out the entry of least cost, of these the one with the least rest,
// of these the one with the least pos. Gates that were expanded and not reached
// at less cost since are left out.
func (r *rowQueue) pop(k *hierQuery) (heapItem, bool) {
	for len(r.now.items) == 0 {
		if r.at == r.top {
			return heapItem{}, false
		}
		r.at++
		for i := r.heads[r.at]; i != 0; i = r.entries[i].next {
			e := &r.entries[i]
			if st := &k.states[e.pos]; st.expanded != k.epoch || st.g < st.done {
				r.now.push(heapItem{f: int64(math.Float64bits(e.f)), rest: e.rest, pos: e.pos})
			}
		}
		r.heads[r.at] = 0
	}
	return r.now.pop()
}
