package spanpath

import (
	"math/bits"
	"slices"

	"wend/spangrid"
)

// best is the cheapest way to a span that a search without sight knows, inverted
// so that 0 says that it knows none: the cost in ticks of 2^-23 cells, above the
// way it came. Costs of steps are whole ticks as they are, so nothing is rounded.
// One word a span makes the searches wait half as long for memory as two do.
type best uint64

const (
	// wayBits holds the step that led to the span, or one of these, and above it
	// how many more surfaces of its cell are below the one where the step began
	// than below the span, plus wayLevel.
	wayBits  = 10
	wayStart = 8
	wayFar   = 9 // the span before is in solver.far: over a link, or not in wayBits
	wayRank  = 4
	wayLevel = 1 << (wayBits - wayRank - 1)

	ticks = 1 << 23
	// tickLimit is what a link costs at most. Ways of 2^31 cells and more are not
	// found.
	tickLimit = 1 << 53
)

func (b best) ticks() uint64 { return uint64(^b) >> wayBits }

// cost returns the cost in cells.
func (b best) cost() float64 { return float64(int64(b.ticks())) / ticks }

func bestOf(cost uint64, way uint64) best { return best(^(cost<<wayBits | way)) }

// stepTicks is what steps cost at a price of 1.
var stepTicks = func() (list [8]uint64) {
	for d, cost := range stepCost {
		list[d] = uint64(int64(cost * ticks))
	}
	return list
}()

// join makes a page take part in a search without sight.
func (s *solver) join(p *page) {
	g := s.g
	if p.joined == s.epoch {
		return
	}
	if p.stage != g.stage {
		g.refresh(p)
	}
	p.joined = s.epoch
	p.best = resize(p.best, len(p.use))
	for n, use := range p.use {
		var b best
		if !use {
			b = ^b // nothing is cheaper
		}
		p.best[n] = b
	}
	p.open.set(p.marks, s.q.Need)
	g.takeSteps(p)
}

// run expands spans until a goal comes up, and returns it or none.
func (s *solver) run(dst *Path) uint32 {
	g := s.g
	for n := 1; s.next(); n++ {
		e := s.queue.heap.pop()
		if n%checkEvery == 0 && g.Err() != nil {
			return none
		}
		if s.round < len(s.q.Around) && s.searched >= s.q.Around[s.round].After && s.octile {
			s.queue.push(e)
			if !s.lookAround(dst) {
				dst.OverBudget = true
				return none
			}
			continue
		}
		p, i := g.of(e.span)
		if e.key > s.current(e.span, p.best[i], int(p.cellOf[i])) {
			continue
		}
		if e.key >= s.q.GiveUp {
			dst.GaveUp = true
			return none
		}
		if e.left == 0 && s.isGoal(e.span) {
			return e.span
		}
		if s.q.MaxExpanded > 0 && dst.Expanded >= s.q.MaxExpanded {
			dst.OverBudget = true
			return none
		}
		if s.q.Pause > 0 && s.searched >= s.q.Pause {
			s.queue.push(e)
			dst.Paused = true
			return none
		}
		dst.Expanded++
		s.searched++
		s.expand(e.span, p, i)
		if len(g.Links) == 0 {
			continue
		}
		if c := int(p.cellOf[i]); p.marks[c]&MarkLink != 0 {
			s.followLinks(e.span, p, i, c)
		}
	}
	return none
}

// pushCurrent puts the entries of a chunk that are not out of date into the heap.
// It asks for all memory before it looks at any, so as to wait for it once.
func (s *solver) pushCurrent(list []entry) {
	var costs [chunkSize]best
	var cells [chunkSize]uint16
	list = list[:min(len(list), chunkSize)]
	for k := range list {
		p, i := s.g.of(list[k].span)
		costs[k], cells[k] = p.best[i], p.cellOf[i]
	}
	for k := range list {
		if e := &list[k]; e.key <= s.current(e.span, costs[k], int(cells[k])) {
			s.queue.heap.push(*e)
		}
	}
}

// current returns the key up to which an entry of a span in a cell is not out of
// date: for others a cheaper way to the span was found since.
func (s *solver) current(id uint32, b best, c int) float64 {
	p, i := s.g.of(id)
	return b.cost() + s.estimate(p, i, p.Table.GX+c%pageSpan, p.Table.GY+c/pageSpan) + staleSlack
}

// expand offers a span's cost to its neighbours.
func (s *solver) expand(id uint32, p *page, i int) {
	c := int(p.cellOf[i])
	x, y := c%pageSpan, c/pageSpan
	open := p.open.around(x, y)
	word := s.g.stepsOf(p, i, c, false)
	easy, hard := word&open, word>>stepsHard&open
	if onRim(c) && easy != 0 {
		hard |= s.expandRim(p, i, c, easy)
		easy = 0
	}
	if hard != 0 {
		s.expandHard(id, p, i, c, hard)
	}
	if easy == 0 {
		return
	}
	gx, gy := p.Table.GX+x, p.Table.GY+y
	briefs, list := p.briefs, p.best
	at := list[i].ticks()
	mid := int32(i) - int32(briefs[c].off)
	base := [3]int32{mid - p.rows[y] + p.rows[y-1], mid, mid - p.rows[y] + p.rows[y+1]}
	// All neighbours are asked for before one of them is looked at, so memory is
	// waited for once. Most of them are known, and no worse.
	var next [8]int32
	var known [8]uint64
	for d := range next {
		n := base[stepY[d]+1] + int32(briefs[c+stepCell[d]].off)
		if easy>>d&1 == 0 {
			n = int32(i) // nothing is to be gained there
		}
		next[d], known[d] = n, list[n].ticks()
	}
	easy = 0
	for d := range next {
		better := uint32(0)
		if at+stepTicks[d] < known[d] {
			better = 1 << d
		}
		easy |= better
	}
	prices := s.q.Prices
	var price float32
	if prices != nil {
		price = prices.of[min(briefs[c].clr, spangrid.CapSquared)]
	}
	for ; easy != 0; easy &= easy - 1 {
		d := bits.TrailingZeros8(uint8(easy))
		to := at + stepTicks[d]
		if prices != nil {
			step := stepHalf[d] * (price + prices.of[min(briefs[c+stepCell[d]].clr, spangrid.CapSquared)])
			if to = at + uint64(int64(float64(step)*ticks)); to >= known[d] {
				continue
			}
		}
		n := next[d]
		list[n] = bestOf(to, uint64(wayLevel<<wayRank|d))
		s.offer(p, int(n), gx+stepX[d], gy+stepY[d], to)
	}
}

// offer puts a span into the queue.
func (s *solver) offer(p *page, n, gx, gy int, cost uint64) {
	e := s.estimate(p, n, gx, gy)
	s.queue.push(entry{float64(int64(cost))/ticks + e, left(e), p.base + uint32(n)})
	s.pushed++
}

// expandRim is expand for easy steps from the rim of a page. It returns those
// which are not easy, since the other page has other surfaces there.
func (s *solver) expandRim(p *page, i, c int, easy uint32) (hard uint32) {
	gx, gy := p.Table.At(c)
	price := s.q.Prices.Of(p.Clr[c])
	at := p.best[i].ticks()
	rank := int32(i) - p.first[c]
	for ; easy != 0; easy &= easy - 1 {
		d := bits.TrailingZeros8(uint8(easy))
		cn := c + stepCell[d]
		q, cq := s.g.owner(p, cn)
		if cq < 0 {
			continue
		}
		first := q.first[cq]
		n := first + rank
		if q != p {
			s.join(q)
			if q.first[cq+1]-first != p.first[cn+1]-p.first[cn] {
				hard |= 1 << d
				continue
			}
		}
		known := q.best[n].ticks()
		if at+stepTicks[d] >= known {
			continue
		}
		to := at + uint64(int64(float64(stepHalf[d]*(price+s.q.Prices.Of(p.Clr[cn])))*ticks))
		switch {
		case to >= known:
		case q != p && !slices.Equal(q.Table.H[first:q.first[cq+1]], p.Table.H[p.first[cn]:p.first[cn+1]]):
			hard |= 1 << d
		default:
			q.best[n] = bestOf(to, uint64(wayLevel<<wayRank|d))
			s.offer(q, int(n), gx+stepX[d], gy+stepY[d], to)
		}
	}
	return hard
}

// expandHard is expand for steps that take a look at all surfaces of the cells
// they lead to.
func (s *solver) expandHard(id uint32, p *page, i, c int, open uint32) {
	g := s.g
	rim := onRim(c)
	gx, gy := p.Table.At(c)
	price := s.q.Prices.Of(p.Clr[c])
	walls := !g.PassWalls && p.Cells[c]&CellWall != 0
	flat, deep, deepest := g.Rules.SlopeStep, -g.Rules.Climb, g.deepest
	ban := p.Bans[c]
	h := p.Table.H[i]
	at := p.best[i].ticks()
	rank := int32(i) - p.first[c]
	q := p
	for ; open != 0; open &= open - 1 {
		d := bits.TrailingZeros8(uint8(open))
		cn := c + stepCell[d] // in p
		cq := cn              // in q
		if rim {
			if q, cq = g.owner(p, cn); cq < 0 {
				continue
			}
			s.join(q)
		}
		to := at + uint64(int64(float64(stepHalf[d]*(price+s.q.Prices.Of(p.Clr[cn])))*ticks))
		for n, end := q.first[cq], q.first[cq+1]; n < end; n++ {
			if to >= q.best[n].ticks() {
				continue
			}
			hn := q.Table.H[n]
			dh := float64(hn) - float64(h)
			if dh < deep {
				if -dh > g.Body.MaxDrop || !g.lands(p, cn, stepX[d], stepY[d], h, hn) || !p.rise.OK(c, stepX[d], stepY[d], h, hn) {
					continue
				}
			} else {
				if -dh > deepest || ban&banLeave[d]|p.Bans[cn]&banEnter[d] != 0 || dh > flat && !p.rise.OK(c, stepX[d], stepY[d], h, hn) ||
					walls && p.stepMeetsWall(c, stepX[d], stepY[d], h, hn, wallBand) {
					continue
				}
			}
			way := rank - (n - q.first[cq]) + wayLevel
			if uint32(way) < 2*wayLevel {
				q.best[n] = bestOf(to, uint64(way)<<wayRank|uint64(d))
			} else {
				q.best[n] = bestOf(to, wayFar)
				s.far[q.base+uint32(n)] = id
			}
			s.offer(q, int(n), gx+stepX[d], gy+stepY[d], to)
		}
	}
}

// before returns the span before one on the way to it, none at the start, and
// whether a link leads from there.
func (s *solver) before(id uint32) (from uint32, link bool) {
	p, i := s.g.of(id)
	way := uint64(^p.best[i]) & (1<<wayBits - 1)
	switch d := int(way & (1<<wayRank - 1)); d {
	case wayStart:
		return none, false
	case wayFar:
		from = s.far[id]
		return from &^ viaBits, from&viaLink != 0
	default:
		c := int(p.cellOf[i])
		rank := int32(i) - p.first[c] + int32(way>>wayRank) - wayLevel
		q, cq := s.g.owner(p, c-stepCell[d])
		return q.base + uint32(q.first[cq]+rank), false
	}
}

// linkTicks returns what a link costs.
func linkTicks(cost float32) uint64 {
	t := float64(cost) * ticks
	switch {
	case !(t < tickLimit):
		return tickLimit
	case t < 0:
		return 0
	}
	return uint64(int64(t))
}
