package spanpath

import "math"

// Searches push several entries for each that they take, and end before most of
// the others' turn comes. So an entry is put into a bucket of about equal keys
// first, which takes no comparison; only when all before it are done do the
// entries of a bucket go into a heap, where their order counts, without those
// that are out of date by then.

const (
	// bucketsPerCell is into how many buckets keys within a cell go.
	bucketsPerCell = 16
	// bucketRing is how many buckets there are at a time: for keys of up to 256
	// cells more than the least one. Only links and high prices lead farther.
	bucketRing = 256 * bucketsPerCell
	chunkSize  = 15
	// lastBucket has all keys that are too large.
	lastBucket = 1 << 50
)

// chunk is a part of a bucket.
type chunk struct {
	next    int32 // chunk of the same bucket, or of the free ones; 0 = none
	n       int32
	entries [chunkSize]entry
}

// spanQueue is the queue of a search. Its zero value has to be reset.
type spanQueue struct {
	heap    spanHeap // all entries of buckets up to now
	first   float64  // key that bucket 0 begins at
	now     int
	buckets [bucketRing]int32 // by number, modulo: first chunk
	chunks  []chunk           // the first one stands for none
	free    int32
	waiting int     // chunks in buckets
	far     []entry // of buckets beyond the ring
	nearest int     // least bucket of far
	all     []entry // see collect
}

// reset empties the queue for a search on a ground whose first key is given.
func (q *spanQueue) reset(g *Ground, first float64) {
	q.heap.g, q.heap.list = g, q.heap.list[:0]
	q.first, q.now = first, 0
	clear(q.buckets[:])
	if q.chunks == nil {
		q.chunks = make([]chunk, 1, 64)
	}
	q.chunks = q.chunks[:1]
	q.free, q.waiting = 0, 0
	q.far, q.nearest = q.far[:0], lastBucket+1
}

// bucket returns the number of a key's bucket: larger keys have none before it.
func (q *spanQueue) bucket(key float64) int {
	b := (key - q.first) * bucketsPerCell
	if b < lastBucket {
		return int(b)
	}
	return lastBucket
}

func (q *spanQueue) push(e entry) {
	b := q.bucket(e.key)
	if b <= q.now {
		q.heap.push(e)
		return
	}
	q.put(e, b)
}

// put notes an entry of a later bucket.
func (q *spanQueue) put(e entry, b int) {
	if b-q.now >= bucketRing {
		q.far = append(q.far, e)
		q.nearest = min(q.nearest, b)
		return
	}
	at := &q.buckets[uint(b)%bucketRing]
	if *at == 0 || int(q.chunks[*at].n) == len(q.chunks[*at].entries) {
		n := q.free
		if n != 0 {
			q.free = q.chunks[n].next
		} else {
			n = int32(len(q.chunks))
			if int(n) < cap(q.chunks) {
				q.chunks = q.chunks[:n+1]
			} else {
				q.chunks = append(q.chunks, chunk{})
			}
		}
		q.chunks[n].next, q.chunks[n].n = *at, 0
		*at = n
		q.waiting++
	}
	c := &q.chunks[*at]
	c.entries[c.n] = e
	c.n++
}

// advance moves the entries of the next bucket that has some into the heap, which
// is empty, and reports whether there is one. Entries that are out of date are
// dropped, apart from those of searches with sight, which may raise costs.
func (s *solver) advance() bool {
	q := &s.queue
	if q.waiting == 0 {
		if len(q.far) == 0 {
			return false
		}
		q.now = q.nearest
	} else {
		for q.now++; q.now < q.nearest && q.buckets[uint(q.now)%bucketRing] == 0; q.now++ {
		}
	}
	if q.now == q.nearest {
		q.approach()
	}
	at := &q.buckets[uint(q.now)%bucketRing]
	for n := *at; n != 0; {
		c := &q.chunks[n]
		list := c.entries[:c.n]
		if s.q.Sight {
			for i := range list {
				q.heap.push(list[i])
			}
		} else {
			s.pushCurrent(list)
		}
		q.waiting--
		next := c.next
		c.next, q.free = q.free, n
		n = next
	}
	*at = 0
	return true
}

// approach puts the far entries that are within the ring by now into it.
func (q *spanQueue) approach() {
	rest := q.far[:0]
	q.nearest = lastBucket + 1
	for _, e := range q.far {
		switch b := q.bucket(e.key); {
		case b <= q.now:
			q.heap.push(e)
		case b-q.now < bucketRing:
			q.put(e, b)
		default:
			rest = append(rest, e)
			q.nearest = min(q.nearest, b)
		}
	}
	q.far = rest
}

// collect takes out all entries that are not out of date.
func (q *spanQueue) collect(s *solver) {
	q.all = q.all[:0]
	add := func(list []entry) {
		for _, e := range list {
			p, i := s.g.of(e.span)
			if e.key <= s.current(e.span, p.best[i], int(p.cellOf[i])) {
				q.all = append(q.all, e)
			}
		}
	}
	add(q.heap.list)
	for _, n := range q.buckets {
		for ; n != 0; n = q.chunks[n].next {
			add(q.chunks[n].entries[:q.chunks[n].n])
		}
	}
	add(q.far)
}

// rekey puts what was collected in again, by the estimates of now.
func (q *spanQueue) rekey(s *solver) {
	first := math.Inf(1)
	for k := range q.all {
		e := &q.all[k]
		p, i := s.g.of(e.span)
		gx, gy := p.Table.At(int(p.cellOf[i]))
		h := s.estimate(p, i, gx, gy)
		e.key, e.left = p.best[i].cost()+h, left(h)
		first = min(first, e.key)
	}
	q.reset(s.g, first)
	for _, e := range q.all {
		q.push(e)
	}
}
