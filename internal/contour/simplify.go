package contour

// simplifier picks the corners of a loop that stay. It owns its scratch and can
// be used again.
type simplifier struct {
	keep   []bool
	seeded []bool // the ends of chains
	stack  []span
}

// span is a piece of a loop, n sides from corner from.
type span struct {
	from, n int
	even    bool // within the error; may only be too long
}

// reset starts a loop: the seeds are kept, or without any the lowest and the
// highest corner in the order of before, which the loop on the other side finds
// too.
func (s *simplifier) reset(raw []Vertex, seed []bool) []bool {
	s.seeded = append(s.seeded[:0], seed...)
	lo, hi, seeds := 0, 0, false
	for i, v := range raw {
		seeds = seeds || seed[i]
		if before(v, raw[lo]) {
			lo = i
		}
		if before(raw[hi], v) {
			hi = i
		}
	}
	if !seeds {
		s.seeded[lo], s.seeded[hi] = true, true
	}
	s.keep = append(s.keep[:0], s.seeded...)
	return s.keep
}

// chainLen returns the number of sides from the seed at corner from of a loop
// of n corners to the next one.
func (s *simplifier) chainLen(from, n int) int {
	k := 1
	for k < n && !s.seeded[(from+k)%n] {
		k++
	}
	return k
}

// before orders corners by X, then Z.
func before(a, b Vertex) bool { return a.X < b.X || a.X == b.X && a.Z < b.Z }

// chain keeps the corners that the n sides from corner from need to stay within
// the error, and then those that edges longer than maxLen (0: no limit) need.
func (s *simplifier) chain(raw []Vertex, from, n int, errSq float64, maxLen int) {
	s.stack = append(s.stack[:0], span{from: from, n: n})
	for len(s.stack) > 0 {
		sp := s.stack[len(s.stack)-1]
		s.stack = s.stack[:len(s.stack)-1]
		k := 0
		if !sp.even {
			k = farthest(raw, sp.from, sp.n, errSq)
		}
		if k == 0 && maxLen > 0 {
			sp.even = true
			k = middle(raw, sp.from, sp.n, int64(maxLen))
		}
		if k == 0 {
			continue
		}
		at := (sp.from + k) % len(raw)
		s.keep[at] = true
		s.stack = append(s.stack, span{at, sp.n - k, sp.even}, span{sp.from, k, sp.even})
	}
}

// openSlits keeps more corners where two kept ones in a row are at the same
// place at different heights. A wall without thickness begins there, and the
// regions on its two sides need both heights: it must not collapse.
func (s *simplifier) openSlits(raw []Vertex) {
	last := -1
	for i := range 2 * len(raw) { // twice round, for the pair across the end
		k := i % len(raw)
		if !s.keep[k] {
			continue
		}
		if last >= 0 && samePlace(raw[last%len(raw)], raw[k]) && raw[last%len(raw)].Y != raw[k].Y {
			s.chain(raw, last%len(raw), i-last, 0, 0)
		}
		last = i
	}
}

// farthest returns which corner, counted from corner from, is farthest from
// the line to the corner n sides on, or 0 when all are within the error. The
// answer is the same when the corners are walked backwards: of corners equally
// far away the first in the order of before is taken. Distances are compared
// times the squared length of the line, which makes them whole numbers, so ties
// are true ties.
func farthest(raw []Vertex, from, n int, errSq float64) int {
	end := from + n
	if end >= len(raw) {
		end -= len(raw)
	}
	a, b := raw[from], raw[end]
	dx, dz := int64(b.X-a.X), int64(b.Z-a.Z)
	den := dx*dx + dz*dz
	scale := float64(max(den, 1))
	best, at := 0.0, 0
	var top Vertex
	i := from
	for k := 1; k < n; k++ {
		if i++; i == len(raw) {
			i = 0
		}
		v := &raw[i]
		ux, uz := int64(v.X-a.X), int64(v.Z-a.Z)
		var d float64
		switch dot := ux*dx + uz*dz; {
		case dot <= 0:
			d = float64(ux*ux+uz*uz) * scale
		case dot >= den:
			wx, wz := int64(v.X-b.X), int64(v.Z-b.Z)
			d = float64(wx*wx+wz*wz) * scale
		default:
			c := float64(ux*dz - uz*dx)
			d = c * c
		}
		if d > best || d == best && at > 0 && before(*v, top) {
			best, at, top = d, k, *v
		}
	}
	if best > errSq*scale {
		return at
	}
	return 0
}

// middle returns which corner, counted from corner from, halves an edge of n
// sides that is longer than maxLen, or 0.
func middle(raw []Vertex, from, n int, maxLen int64) int {
	a, b := raw[from], raw[(from+n)%len(raw)]
	dx, dz := int64(b.X-a.X), int64(b.Z-a.Z)
	if n < 2 || dx*dx+dz*dz <= maxLen*maxLen {
		return 0
	}
	return n / 2
}
