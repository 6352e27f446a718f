package spanpath

import (
	"math"
	"math/bits"
)

// Lazy Theta* here differs from the published one:
//
//   - chords run over ground of price 1 alone, or they would get round the
//     prices and into narrow passages;
//   - a drop or a link is never part of a chord and is not looked along;
//   - sight means that the chord is walkable: open ground, no step of it is
//     banned, and the height goes on from cell to cell;
//   - a span whose chord fails gets the best of its closed neighbours for a
//     parent, by the very rules of a step. One of them offered the chord, so
//     there always is one, and a chord cannot make a goal unreachable.

// runSight expands spans until a goal comes up, and returns it or none.
func (s *solver) runSight(dst *Path) uint32 {
	g := s.g
	for n := 1; s.next(); n++ {
		e := s.queue.heap.pop()
		if n%checkEvery == 0 && g.Err() != nil {
			return none
		}
		p, i := g.of(e.span)
		st := &p.state[i]
		c := int(p.cellOf[i])
		x, y := c%pageSpan, c/pageSpan
		if e.key > st.cost+s.estimate(p, i, p.Table.GX+x, p.Table.GY+y)+staleSlack {
			continue
		}
		if st.stamp&spanClosed != 0 {
			continue
		}
		s.settle(e.span, p, i)
		if e.left == 0 && s.isGoal(e.span) {
			return e.span
		}
		if s.q.MaxExpanded > 0 && dst.Expanded == s.q.MaxExpanded {
			dst.OverBudget = true
			return none
		}
		dst.Expanded++
		s.expandSight(e.span, p, i, c)
		if p.marks[c]&MarkLink != 0 {
			s.followLinks(e.span, p, i, c)
		}
	}
	return none
}

// plain reports whether the edge that leads to a span is one that a chord can
// replace: there is one, and it is neither a link nor a drop. A chord that comes
// down by more than the climb over many cells is no drop.
func (s *spanState) plain() bool { return s.parent&viaBits == 0 }

// settle looks along the chord that leads to a span, finds it another parent
// where it sees nothing, and closes it.
func (s *solver) settle(id uint32, p *page, i int) {
	st := &p.state[i]
	if st.plain() && !s.sees(Span(st.parent), Span(id)) {
		s.reparent(p, i)
	}
	st.stamp |= spanClosed
}

func (s *solver) sees(a, b Span) bool {
	if s.look != nil {
		return s.look(a, b)
	}
	return s.g.seesSpans(View{Need: MarkSolid, Kept: !s.g.PassWalls, Bans: true, Heights: true}, a, b)
}

// reparent gives a span the best parent among its closed neighbours.
func (s *solver) reparent(p *page, i int) {
	g := s.g
	c := int(p.cellOf[i])
	h := p.Table.H[i]
	price := s.q.Prices.Of(p.Clr[c])
	st := &p.state[i]
	best, parent := math.Inf(1), uint32(none)
	open := openSteps(p.marks, c, s.q.Need)
	rim := onRim(c)
	word := g.stepsToLook(p, i, c, true)
	rank := i - int(p.first[c])
	for open &= uint(word | word>>stepsHard); open != 0; open &= open - 1 {
		d := bits.TrailingZeros8(uint8(open))
		q, cq := p, c+stepCell[d]
		if rim {
			if q, cq = g.owner(p, cq); cq < 0 || q.epoch != g.epoch {
				continue
			}
		}
		step := float64(stepHalf[d] * (s.q.Prices.Of(q.Clr[cq]) + price))
		n, end, easy := q.across(cq, rank, word>>d)
		for ; n < end; n++ {
			from := &q.state[n]
			if from.stamp != g.epoch|spanClosed || !(from.cost+step < best-lessSlack) {
				continue
			}
			hn := q.Table.H[n]
			if easy || q == p && g.leads(q, n, cq, stepBack[d], i) || q != p && g.mayStep(q, cq, stepBack[d], hn, h) {
				best, parent = from.cost+step, q.base+uint32(n)
				if float64(hn)-float64(h) > g.Rules.Climb {
					parent |= viaDrop
				}
			}
		}
	}
	if parent != none {
		st.cost, st.parent = best, parent
	}
}

// expandSight offers a span's cost to its neighbours, and the cost of its
// parent along a chord.
func (s *solver) expandSight(id uint32, p *page, i, c int) {
	g := s.g
	gx, gy := p.Table.At(c)
	price := s.q.Prices.Of(p.Clr[c])
	h := p.Table.H[i]
	self := &p.state[i]
	chords := false
	var from float64
	var px, py int
	if self.plain() {
		q, n := g.of(self.parent)
		cell := int(q.cellOf[n])
		px, py = q.Table.At(cell)
		from = q.state[n].cost
		chords = s.q.Prices.Of(q.Clr[cell]) <= 1
	}
	open := openSteps(p.marks, c, s.q.Need)
	rim := onRim(c)
	word := g.stepsToLook(p, i, c, false)
	rank := i - int(p.first[c])
	for open &= uint(word | word>>stepsHard); open != 0; open &= open - 1 {
		d := bits.TrailingZeros8(uint8(open))
		q, cq := p, c+stepCell[d]
		if rim {
			if q, cq = g.owner(p, cq); cq < 0 {
				continue
			}
			g.enter(q)
		}
		x, y := gx+stepX[d], gy+stepY[d]
		there := s.q.Prices.Of(q.Clr[cq])
		step := self.cost + float64(stepHalf[d]*(price+there))
		cost, parent := step, id
		if chords && there <= 1 {
			dx, dy := x-px, y-py
			if chord := from + math.Sqrt(float64(dx*dx+dy*dy)); chord < step-lessSlack {
				cost, parent = chord, self.parent
			}
		}
		n, end, easy := q.across(cq, rank, word>>d)
		for ; n < end; n++ {
			st := &q.state[n]
			if st.stamp == g.epoch|spanClosed || !q.use[n] {
				continue
			}
			hn := q.Table.H[n]
			to, by := cost, parent
			if float64(h)-float64(hn) > g.Rules.Climb {
				to, by = step, id|viaDrop
			}
			if st.known(g.epoch) && to >= st.cost-lessSlack ||
				!easy && (q == p && !g.leads(p, i, c, d, n) || q != p && !g.mayStep(p, c, d, h, hn)) {
				continue
			}
			*st = spanState{to, by, g.epoch}
			e := s.estimate(q, n, x, y)
			s.queue.push(entry{to + e, left(e), q.base + uint32(n)})
			s.pushed++
		}
	}
}

// fillChain writes down the cells between the turns of a chain: along the
// digital line the span nearest to the height in between. A link has no cells
// between its ends.
func (g *Ground) fillChain(dst *Path) {
	for k, b := range dst.Chain {
		p, i := g.of(uint32(b))
		if k > 0 && p.state[i].parent&viaLink == 0 {
			g.fillChord(dst, dst.Chain[k-1], b)
		}
		if n := len(dst.Spans); n == 0 || dst.Spans[n-1] != b {
			dst.Spans = append(dst.Spans, b)
		}
	}
}

func (g *Ground) fillChord(dst *Path, a, b Span) {
	from, to := g.Place(a), g.Place(b)
	l := newLine(int(from.GX), int(from.GY), int(to.GX), int(to.GY))
	last := a
	for l.next() && l.k < l.n {
		h := from.H + float32((to.H-from.H)*float32(l.k))/float32(l.n)
		p, c := g.at(l.gx, l.gy)
		if c < 0 {
			continue
		}
		best, found := float32(math.Inf(1)), false
		for n := p.first[c]; n < p.first[c+1]; n++ {
			if !p.use[n] {
				continue
			}
			if d := float32(math.Abs(float64(p.Table.H[n] - h))); d < best {
				best, last, found = d, Span(p.base+uint32(n)), true
			}
		}
		if found {
			dst.Spans = append(dst.Spans, last)
		}
	}
}
