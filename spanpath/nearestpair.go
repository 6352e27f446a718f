package spanpath

import (
	"cmp"
	"math"
	"slices"

	"wend/spangrid"
)

// pairBlock is the side of the squares that surfaces are sorted into to look for
// the nearest pair, cells.
const (
	pairShift = 3
	pairBlock = 1 << pairShift
)

// A PairFinder looks for the nearest pair of surfaces of two lists. It keeps its
// memory and is for one goroutine. The zero value is ready.
type PairFinder struct {
	side [2]pairSide
}

// pairSide is one list, sorted into squares.
type pairSide struct {
	keys   []uint64     // square and place in the list
	blocks []placeBlock // by row and column
	list   []int32      // places in the list, by block
}

type placeBlock struct {
	x, y     int32
	lo, hi   float32 // heights
	from, to int32   // in list
}

// PairQuery is what to find the nearest pair of.
type PairQuery struct {
	A, B  []spangrid.Place
	Cell  float64          // side of a cell, m
	Start spangrid.Place   // of equally near pairs the one counts whose A is nearest to it, seen from above
	Goal  spangrid.Place   // then the one whose B is nearest to it
	SkipA func(i int) bool // surfaces to leave out; may be nil
	SkipB func(i int) bool
}

// compare orders pairs of the same distance: by the distances from start and goal,
// then by row, column and height.
func (q *PairQuery) compare(a, b, c, d *spangrid.Place) int {
	return cmp.Or(cmp.Compare(off(*a, q.Start), off(*c, q.Start)), cmp.Compare(off(*b, q.Goal), off(*d, q.Goal)), a.Compare(*c), b.Compare(*d))
}

// off returns the squared distance of two places seen from above, cells.
func off(p, q spangrid.Place) int {
	dx, dy := int(p.GX)-int(q.GX), int(p.GY)-int(q.GY)
	return dx*dx + dy*dy
}

// Find returns the places in A and B of the surfaces that are nearest to each
// other in space, and their squared distance in metres. ok is false where one of
// the lists has none.
//
// Both lists are sorted into squares, and only the pairs of squares that may be
// near enough are looked into: time is about that of sorting, where both lie near
// each other somewhere.
func (f *PairFinder) Find(q *PairQuery) (i, j int, d2 float64, ok bool) {
	f.side[0].sort(q.A, q.SkipA)
	f.side[1].sort(q.B, q.SkipB)
	cell := q.Cell
	s, t := f.side[0].blocks, f.side[1].blocks
	if len(s) == 0 || len(t) == 0 {
		return 0, 0, 0, false
	}
	i, j, d2 = f.guess(q)
	first, last := t[0].y, t[len(t)-1].y
	for k := range s {
		u := &s[k]
		// Rows of squares around that of u, and in each the squares to both sides.
		for dy := max(first-u.y, u.y-last, 0); away(dy, cell) <= d2 && (u.y-dy >= first || u.y+dy <= last); dy++ {
			rows := [2]int32{u.y - dy, u.y + dy}
			for _, y := range rows[:min(dy+1, 2)] {
				mid, _ := slices.BinarySearchFunc(t, placeBlock{x: u.x, y: y}, placeBlock.compare)
				for n := mid; n < len(t) && t[n].y == y && away(t[n].x-u.x, cell)+away(dy, cell) <= d2; n++ {
					f.look(q, u, &t[n], &i, &j, &d2)
				}
				for n := mid - 1; n >= 0 && t[n].y == y && away(u.x-t[n].x, cell)+away(dy, cell) <= d2; n-- {
					f.look(q, u, &t[n], &i, &j, &d2)
				}
			}
		}
	}
	return i, j, d2, true
}

func (b placeBlock) compare(o placeBlock) int {
	return cmp.Or(cmp.Compare(b.y, o.y), cmp.Compare(b.x, o.x))
}

// guess returns a pair that is near: from one list to the nearest of the other and
// back, until that leads no nearer.
func (f *PairFinder) guess(q *PairQuery) (i, j int, d2 float64) {
	a, b, cell := q.A, q.B, q.Cell
	i, d2 = int(f.side[0].list[0]), math.Inf(1)
	for {
		before := d2
		for _, n := range f.side[1].list {
			if d := pairDistance(&a[i], &b[n], cell); d < d2 {
				j, d2 = int(n), d
			}
		}
		for _, m := range f.side[0].list {
			if d := pairDistance(&a[m], &b[j], cell); d < d2 {
				i, d2 = int(m), d
			}
		}
		if !(d2 < before) {
			return i, j, d2
		}
	}
}

// away returns the square of the least distance of cells of two squares along an
// axis, m, and a little less: as a bound it must not be more than pairDistance for
// the way it rounds.
func away(blocks int32, cell float64) float64 {
	d := float64(max(abs(int(blocks))*pairBlock-pairBlock+1, 0)) * cell
	return float64(float64(d*d) * (1 - 1e-9))
}

// look compares the surfaces of two squares.
func (f *PairFinder) look(q *PairQuery, u, v *placeBlock, i, j *int, best *float64) {
	cell := q.Cell
	dh := math.Max(math.Max(float64(u.lo)-float64(v.hi), float64(v.lo)-float64(u.hi)), 0)
	if away(u.x-v.x, cell)+away(u.y-v.y, cell)+float64(dh*dh) > *best {
		return
	}
	for _, m := range f.side[0].list[u.from:u.to] {
		a := &q.A[m]
		for _, n := range f.side[1].list[v.from:v.to] {
			b := &q.B[n]
			d := pairDistance(a, b, cell)
			if d > *best || d == *best && q.compare(a, b, &q.A[*i], &q.B[*j]) >= 0 {
				continue
			}
			*best, *i, *j = d, int(m), int(n)
		}
	}
}

// pairDistance returns the squared distance of two surfaces, m.
func pairDistance(p, q *spangrid.Place, cell float64) float64 {
	dx, dy := int(p.GX)-int(q.GX), int(p.GY)-int(q.GY)
	dh := float64(p.H) - float64(q.H)
	return float64(float64(dx*dx+dy*dy)*(cell*cell)) + float64(dh*dh)
}

// sort sorts surfaces into squares.
func (s *pairSide) sort(list []spangrid.Place, skip func(i int) bool) {
	// Squares lie within 2^17 of the origin, as cells do within 2^20, and no list
	// is longer than the numbers of spans.
	const mid, bits, places = 1 << 17, 18, 28
	s.keys = s.keys[:0]
	for i := range list {
		if skip == nil || !skip(i) {
			x, y := list[i].GX>>pairShift+mid, list[i].GY>>pairShift+mid
			s.keys = append(s.keys, uint64(y)<<(bits+places)|uint64(x)<<places|uint64(i))
		}
	}
	slices.Sort(s.keys)
	s.blocks, s.list = s.blocks[:0], s.list[:0]
	for n, key := range s.keys {
		i := int32(key & (1<<places - 1))
		s.list = append(s.list, i)
		x, y, h := list[i].GX>>pairShift, list[i].GY>>pairShift, list[i].H
		if k := len(s.blocks) - 1; k >= 0 && s.blocks[k].x == x && s.blocks[k].y == y {
			b := &s.blocks[k]
			b.lo, b.hi, b.to = min(b.lo, h), max(b.hi, h), int32(n)+1
			continue
		}
		s.blocks = append(s.blocks, placeBlock{x, y, h, h, int32(n), int32(n) + 1})
	}
}
