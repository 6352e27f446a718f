package spanpath

import (
	"math"
	"math/bits"
)

// perimeter is what a search from the goal knows: the cost from every span within
// some cost of it, and for all others that they have to come through the rim of
// those (Dillenburg and Nelson, "Perimeter search", 1994). Where the goal lies on
// an upper storey, or at the end of narrow ground, that is much more than the
// distance over the grid.
//
// It grows while the search goes on. Steps cost at least 1, so spans go into
// buckets of that width and those of a bucket are done in any order (Dial,
// "Algorithm 360: Shortest-path forest with topological ordering", 1969).
type perimeter struct {
	on    bool
	met   bool    // by the search: there is a way
	rim   rect    // cells of the spans at the rim
	all   rect    // and of those within
	cost  float64 // the least that is left from the rim on, +Inf where there is none
	bound uint32  // within is what costs less, units

	known   int        // spans within
	now     int        // bucket that is next
	waiting int        // entries of all buckets
	buckets [][]uint32 // spans by whole cells of cost, modulo
	ring    int        // of their numbers
}

// A Round lets a perimeter grow: see [Problem.Around].
type Round struct {
	After int // spans that the search has looked at
	Spans int // of the perimeter from then on
}

const (
	// units is how many steps of costs in a perimeter make a cell. They are rounded
	// down, step by step, so that no estimate is too high.
	units = 1 << 10
	// leftLimit is a cost that no perimeter comes near.
	leftLimit = 1 << 30
)

// rect is a rectangle of cells, ends included.
type rect struct{ x0, y0, x1, y1 int }

func (r *rect) add(x, y int) {
	r.x0, r.y0, r.x1, r.y1 = min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)
}

var nothing = rect{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}

// surround begins a perimeter at the goals.
func (s *solver) surround() {
	k := &s.perimeter
	dearest := float64(stepCost[stepSouthEast])
	if s.q.Prices != nil {
		dearest *= float64(s.q.Prices.of[0]) // narrow ground is the dearest
	}
	n := 1 << bits.Len(uint(dearest)+2)
	for i := range k.buckets {
		k.buckets[i] = k.buckets[i][:0]
	}
	for len(k.buckets) < n {
		k.buckets = append(k.buckets, nil)
	}
	k.ring = n - 1
	k.now, k.waiting, k.known, k.bound = 0, 0, 0, 0
	k.all = nothing
	for _, goal := range s.q.Goals {
		p, i := s.g.of(uint32(goal))
		s.joinLeft(p)
		if p.use[i] && p.marks[p.cellOf[i]]&s.q.Need == s.q.Need {
			k.offer(p, i, 0)
		}
	}
	k.on = true
}

// joinLeft makes a page take part in the perimeter.
func (s *solver) joinLeft(p *page) {
	if p.leftEpoch == s.epoch {
		return
	}
	s.join(p)
	p.leftEpoch = s.epoch
	p.left = resize(p.left, len(p.use))
	for n, use := range p.use {
		var v uint32
		if !use {
			v = math.MaxUint32 // nothing is cheaper
		}
		p.left[n] = v
	}
}

// grow has the perimeter know n spans, and then all those in the same bucket as
// the last one, so that what it knows depends on no order. It returns how many it
// came to know, and false where most did not suffice: then it knows nothing for
// sure.
func (s *solver) grow(n, most int) (expanded int, ok bool) {
	g, k := s.g, &s.perimeter
	before := k.known
	for k.waiting > 0 && k.known < n && k.bound < leftLimit {
		at := k.now & k.ring
		list, lo := k.buckets[at], k.bound
		k.buckets[at] = list[:0]
		k.waiting -= len(list)
		k.now++
		k.bound += units
		for _, id := range list {
			p, i := g.of(id)
			v := p.left[i]
			if v&1 == 0 || ^v>>1 < lo {
				continue // taken up already
			}
			if k.known-before == most {
				return most, false
			}
			p.left[i] = v &^ 1
			if k.known++; k.known%checkEvery == 0 && g.Err() != nil {
				return k.known - before, false
			}
			k.all.add(p.Table.At(int(p.cellOf[i])))
			s.retreat(p, i, ^v>>1)
		}
	}
	least := uint32(math.MaxUint32)
	k.rim = nothing
	for _, list := range k.buckets {
		for _, id := range list {
			if p, i := g.of(id); p.left[i]&1 != 0 {
				least = min(least, ^p.left[i]>>1)
				x, y := p.Table.At(int(p.cellOf[i]))
				k.rim.add(x, y)
				k.all.add(x, y)
			}
		}
	}
	if k.cost = float64(least) / units; least == math.MaxUint32 {
		k.cost = math.Inf(1)
	}
	return k.known - before, true
}

// offer notes what is left from a span.
func (k *perimeter) offer(p *page, n int, left uint32) {
	p.left[n] = ^(left << 1)
	at := int(left/units) & k.ring
	k.buckets[at] = append(k.buckets[at], p.base+uint32(n))
	k.waiting++
}

// retreat offers what is left from a span to those that lead to it.
func (s *solver) retreat(p *page, i int, left uint32) {
	g, k := s.g, &s.perimeter
	c := int(p.cellOf[i])
	x, y := c%pageSpan, c/pageSpan
	open := p.open.around(x, y)
	price := s.q.Prices.Of(p.Clr[c])
	if onRim(c) {
		s.retreatRim(p, i, c, open, left, price)
		return
	}
	word := g.stepsOf(p, i, c, true)
	rank := i - int(p.first[c])
	for easy := word & open; easy != 0; easy &= easy - 1 {
		d := bits.TrailingZeros8(uint8(easy))
		cn := c + stepCell[d]
		n := int(p.first[cn]) + rank
		to := left + uint32(float64(stepHalf[d]*(price+s.q.Prices.Of(p.Clr[cn])))*units)
		if to < ^p.left[n]>>1 {
			k.offer(p, n, to)
		}
	}
	for hard := word >> stepsHard & open; hard != 0; hard &= hard - 1 {
		d := bits.TrailingZeros8(uint8(hard))
		cn := c + stepCell[d]
		to := left + uint32(float64(stepHalf[d]*(price+s.q.Prices.Of(p.Clr[cn])))*units)
		for n := int(p.first[cn]); n < int(p.first[cn+1]); n++ {
			if to < ^p.left[n]>>1 && g.leads(p, n, cn, stepBack[d], i) {
				k.offer(p, n, to)
			}
		}
	}
}

// retreatRim is retreat for a span on the rim of its page.
func (s *solver) retreatRim(p *page, i, c int, open uint32, left uint32, price float32) {
	g, k := s.g, &s.perimeter
	h := p.Table.H[i]
	for ; open != 0; open &= open - 1 {
		d := bits.TrailingZeros8(uint8(open))
		q, cq := g.owner(p, c+stepCell[d])
		if cq < 0 {
			continue
		}
		s.joinLeft(q)
		to := left + uint32(float64(stepHalf[d]*(price+s.q.Prices.Of(q.Clr[cq])))*units)
		for n := int(q.first[cq]); n < int(q.first[cq+1]); n++ {
			if to >= ^q.left[n]>>1 {
				continue
			}
			if q == p && g.leads(p, n, cq, stepBack[d], i) || q != p && g.mayStep(q, cq, stepBack[d], q.Table.H[n], h) {
				k.offer(q, n, to)
			}
		}
	}
}

// beyond returns the least that is left from a span in a cell, where the way over
// open ground is direct.
func (s *solver) beyond(p *page, span, gx, gy int, direct float64) float64 {
	k := &s.perimeter
	if p.leftEpoch == s.epoch {
		if v := p.left[span]; v != 0 && v&1 == 0 {
			k.met = true
			return float64(^v>>1) / units
		}
	}
	if math.IsInf(k.cost, 1) {
		return lostCost
	}
	dx, dy := max(k.rim.x0-gx, gx-k.rim.x1, 0), max(k.rim.y0-gy, gy-k.rim.y1, 0)
	return max(direct, k.cost+octileDistance(dx, dy))
}

// lostCost stands for the cost of ways that do not exist, cells.
const lostCost = 1 << 40

// octileDistance is what an open way costs at a price of 1.
func octileDistance(dx, dy int) float64 {
	return float64(max(dx, dy)-min(dx, dy)) + float64(diagonal*float64(min(dx, dy)))
}
