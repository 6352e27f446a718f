package polygonize

// clipper cuts a ring into triangles by clipping ears (Meisters 1975), the
// one with the shortest cut first. It owns its scratch memory and can be used
// again.
//
// The ring may touch itself: a hole is joined to its outline by a bridge that
// is walked both ways, so corners and edges may coincide. An ear is strict
// when its cut lies in the cone of both its ends and meets no other edge,
// except at corners that coincide with its ends. A ring that does not cross
// itself always has a strict ear; the weaker kinds are for outlines that
// simplification has pushed over each other.
//
// Corners sit in slots. The slot of an ear is the corner before its tip: ear s
// has the corners s, next[s] and next[next[s]]. Slots are grouped in chunks,
// each with a box around its edges and its best ear, so that a look for what
// a cut meets, and for the best ear, skips most of a long ring. Clipping a
// ring of n corners takes O(n) edge tests a corner at worst and O(n/chunk)
// box tests in practice: 10,000 corners take some 0.1 s. Rings that need
// another look at all their corners again and again (only tangled ones do)
// share a budget.
type clipper struct {
	pos        []point
	id         []int32 // corner of the ring
	next, prev []int32 // next is dead for a slot whose corner was clipped
	kind       []earKind
	cut        []int64 // squared length of the cut
	chunks     []chunk
	live       int
	loose      bool // also accept loose ears
	stale      bool // corners were clipped since the last look at all ears
	budget     int  // edge tests left for looks at all ears
}

type chunk struct {
	min, max point
	best     int32 // best ear that starts in the chunk, or dead
}

// earKind orders ears: a higher one is clipped first.
type earKind uint8

const (
	noEar earKind = iota
	looseEar
	strictEar
)

const (
	dead      = int32(-1)
	chunkSize = 32

	// recheckBudget bounds the edge tests a ring may spend on looks at all its
	// ears: some 0.3 s.
	recheckBudget = 1 << 26
)

// triangulate appends the triangles of the ring to tris, as corner numbers,
// and reports whether they cover its area exactly. When they do not, the ring
// is tangled and the triangles are the part that could be cut.
func (c *clipper) triangulate(tris [][3]int32, ring []point) ([][3]int32, bool) {
	c.load(ring)
	for c.live > 3 {
		s := c.pick()
		if s < 0 {
			if c.relook() {
				continue
			}
			if s = c.flat(); s < 0 {
				return tris, false
			}
			c.clip(s)
			continue
		}
		tip := c.next[s]
		tris = append(tris, [3]int32{c.id[s], c.id[tip], c.id[c.next[tip]]})
		c.clip(s)
	}
	if c.live < 3 {
		return tris, true
	}
	s := c.first()
	tip := c.next[s]
	last := c.next[tip]
	switch a := area2(c.pos[s], c.pos[tip], c.pos[last]); {
	case a > 0:
		return append(tris, [3]int32{c.id[s], c.id[tip], c.id[last]}), true
	default:
		return tris, a == 0
	}
}

// load starts a ring. Corners that repeat the one before them are left out.
func (c *clipper) load(ring []point) {
	c.pos, c.id = c.pos[:0], c.id[:0]
	for i, p := range ring {
		if p != ring[(i+len(ring)-1)%len(ring)] {
			c.pos = append(c.pos, p)
			c.id = append(c.id, int32(i))
		}
	}
	c.loose, c.stale, c.budget = false, false, recheckBudget
	c.link()
	for s := range c.pos {
		c.judge(int32(s))
	}
	for k := range c.chunks {
		c.rank(k)
	}
}

// link joins the slots, all live, to a ring.
func (c *clipper) link() {
	n := len(c.pos)
	c.live = n
	c.next, c.prev = resize(c.next, n), resize(c.prev, n)
	c.kind, c.cut = resize(c.kind, n), resize(c.cut, n)
	for s := range n {
		c.next[s], c.prev[s] = int32(s+1), int32(s-1)
	}
	if n > 0 {
		c.next[n-1], c.prev[0] = 0, int32(n-1)
	}
	c.chunks = resize(c.chunks, (n+chunkSize-1)/chunkSize)
	for k := range c.chunks {
		lo, hi := c.span(k)
		c.chunks[k] = chunk{min: c.pos[lo], max: c.pos[lo], best: dead}
		for s := lo; s < hi; s++ {
			c.grow(k, c.pos[s])
			c.grow(k, c.pos[c.next[s]])
		}
	}
}

// pack moves the live slots together, in order, once most are dead.
func (c *clipper) pack() {
	n := 0
	for s := range c.pos {
		if c.next[s] == dead {
			continue
		}
		c.pos[n], c.id[n], c.kind[n], c.cut[n] = c.pos[s], c.id[s], c.kind[s], c.cut[s]
		n++
	}
	c.pos, c.id = c.pos[:n], c.id[:n]
	c.link()
	for k := range c.chunks {
		c.rank(k)
	}
}

func (c *clipper) span(k int) (lo, hi int) {
	return k * chunkSize, min((k+1)*chunkSize, len(c.pos))
}

func (c *clipper) grow(k int, p point) {
	b := &c.chunks[k]
	b.min = point{min(b.min.x, p.x), min(b.min.z, p.z)}
	b.max = point{max(b.max.x, p.x), max(b.max.z, p.z)}
}

// first returns the lowest live slot.
func (c *clipper) first() int32 {
	for s := range c.next {
		if c.next[s] != dead {
			return int32(s)
		}
	}
	return dead
}

// clip takes the tip of ear s out of the ring and judges the ears that change.
func (c *clipper) clip(s int32) {
	tip := c.next[s]
	end := c.next[tip]
	c.next[s], c.prev[end] = end, s
	c.next[tip], c.kind[tip] = dead, noEar
	c.live--
	c.stale = true
	c.grow(int(s)/chunkSize, c.pos[end])

	before := c.prev[s]
	c.judge(before)
	c.judge(s)
	if c.live*2 < len(c.pos) && len(c.pos) > chunkSize {
		c.pack()
		return
	}
	k := [3]int{int(s) / chunkSize, int(before) / chunkSize, int(tip) / chunkSize}
	c.rank(k[0])
	if k[1] != k[0] {
		c.rank(k[1])
	}
	if k[2] != k[0] && k[2] != k[1] {
		c.rank(k[2])
	}
}

// rank finds the best ear of a chunk.
func (c *clipper) rank(k int) {
	best := dead
	lo, hi := c.span(k)
	for s := lo; s < hi; s++ {
		if c.kind[s] != noEar && (best == dead || c.better(int32(s), best)) {
			best = int32(s)
		}
	}
	c.chunks[k].best = best
}

// better reports whether ear s goes before ear t; on a tie the lower slot
// does.
func (c *clipper) better(s, t int32) bool {
	if c.kind[s] != c.kind[t] {
		return c.kind[s] > c.kind[t]
	}
	if c.cut[s] != c.cut[t] {
		return c.cut[s] < c.cut[t]
	}
	return s < t
}

// pick returns the best ear, or dead.
func (c *clipper) pick() int32 {
	best := dead
	for k := range c.chunks {
		if s := c.chunks[k].best; s != dead && (best == dead || c.better(s, best)) {
			best = s
		}
	}
	return best
}

// relook judges all ears again, first for strict ones that other clips have
// set free, then for loose ones too. It reports whether there is an ear.
func (c *clipper) relook() bool {
	for c.budget > 0 && (c.stale || !c.loose) {
		if !c.stale {
			c.loose = true
		}
		found := false
		for s := range c.pos {
			if c.next[s] == dead {
				continue
			}
			c.budget -= c.live
			c.judge(int32(s))
			found = found || c.kind[s] != noEar
		}
		for k := range c.chunks {
			c.rank(k)
		}
		c.stale = false
		if found {
			return true
		}
	}
	return false
}

// flat returns the ear of least use: a tip without extent, which can be left
// out without a triangle. A spike, where the ring turns back, goes before a
// corner on a straight line, which a neighbour may share.
func (c *clipper) flat() int32 {
	line := dead
	for s := range c.pos {
		tip := c.next[s]
		if tip == dead {
			continue
		}
		p, q, r := c.pos[s], c.pos[tip], c.pos[c.next[tip]]
		if area2(p, q, r) != 0 {
			continue
		}
		if !forward(p, q, r) {
			return int32(s)
		}
		if line == dead {
			line = int32(s)
		}
	}
	return line
}

// judge says of what kind the ear at s is.
func (c *clipper) judge(s int32) {
	tip := c.next[s]
	end := c.next[tip]
	p, q, r := c.pos[s], c.pos[tip], c.pos[end]
	c.kind[s], c.cut[s] = noEar, distSq(p, r)
	if area2(p, q, r) <= 0 {
		return
	}
	if c.inCone(s, r) && c.inCone(end, p) {
		if !c.blocked(s, end, false) {
			c.kind[s] = strictEar
			return
		}
	}
	if c.loose && c.inConeLoose(s, r) && !c.blocked(s, end, true) {
		c.kind[s] = looseEar
	}
}

// inCone reports whether the way from the corner at s to q starts inside the
// ring.
func (c *clipper) inCone(s int32, q point) bool {
	p, before, after := c.pos[s], c.pos[c.prev[s]], c.pos[c.next[s]]
	if leftOn(before, p, after) {
		return left(p, q, before) && left(q, p, after)
	}
	return !(leftOn(p, q, after) && leftOn(q, p, before))
}

// inConeLoose is inCone with the ring's own edges allowed.
func (c *clipper) inConeLoose(s int32, q point) bool {
	p, before, after := c.pos[s], c.pos[c.prev[s]], c.pos[c.next[s]]
	if leftOn(before, p, after) {
		return leftOn(p, q, before) && leftOn(q, p, after)
	}
	return !(leftOn(p, q, after) && leftOn(q, p, before))
}

// blocked reports whether an edge of the ring stands in the way of the cut
// from s to t: meets it, or crosses it when loose. Edges at the cut's ends,
// and at corners that coincide with them, do not count: what matters there is
// the cone.
func (c *clipper) blocked(s, t int32, loose bool) bool {
	p, q := c.pos[s], c.pos[t]
	lo := point{min(p.x, q.x), min(p.z, q.z)}
	hi := point{max(p.x, q.x), max(p.z, q.z)}
	for k := range c.chunks {
		b := &c.chunks[k]
		if b.min.x > hi.x || b.max.x < lo.x || b.min.z > hi.z || b.max.z < lo.z {
			continue
		}
		from, to := c.span(k)
		next := c.next[from:to]
		for i, v := range c.pos[from:to] {
			u := next[i]
			if u == dead {
				continue
			}
			w := c.pos[u]
			if max(v.x, w.x) < lo.x || min(v.x, w.x) > hi.x || max(v.z, w.z) < lo.z || min(v.z, w.z) > hi.z {
				continue
			}
			// This also leaves out the edges at s and t themselves.
			if v == p || v == q || w == p || w == q {
				continue
			}
			if cross(p, q, v, w) || !loose && meet(p, q, v, w) {
				return true
			}
		}
	}
	return false
}

// resize returns a slice of length n, with the old contents where it can be
// kept.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		t := make([]T, n, n+n/2)
		copy(t, s)
		return t
	}
	return s[:n]
}
