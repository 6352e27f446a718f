package spanpath

import (
	"math"
	"math/bits"
)

// Standing appends the spans of a cell that may be stood on, ascending by
// height: none where the cell lacks one of the marks of need.
func (g *Ground) Standing(dst []Span, gx, gy int, need uint16) []Span {
	p, c := g.at(gx, gy)
	if c < 0 || p.marks[c]&need != need {
		return dst
	}
	for i := p.first[c]; i < p.first[c+1]; i++ {
		if p.use[i] {
			dst = append(dst, Span(p.base+uint32(i)))
		}
	}
	return dst
}

// Problem is what to search.
type Problem struct {
	Need   uint16  // marks that every cell of the way has
	Prices *Prices // nil = 1 everywhere
	Start  Span
	Goals  []Span // all in one cell; any of them will do

	// Sight looks for a way with free turns: where a cell sees the one before
	// its predecessor over ground of price 1, the chord replaces the two steps.
	Sight bool

	// GiveUp ends the search when nothing cheaper than it can be found any more,
	// cells; +Inf never does. It is not for searches with Sight.
	GiveUp float64

	// Euclid takes the straight distance for an estimate where the distance over
	// the grid would do. Costs are the same, of equally cheap ways another one may
	// be found.
	Euclid bool

	// MaxExpanded ends the search after so many spans; 0 never does.
	MaxExpanded int
}

// Path is a way over spans. It is reused by [Ground.Solve].
type Path struct {
	Spans    []Span  // cell by cell from start to goal, apart from links
	Chain    []Span  // where a search with Sight turned, with both ends
	Cost     float64 // cells
	Links    []int   // places in Setup.Links of the links it takes, in its order
	Expanded int     // spans whose neighbours were looked at
	Pushed   int     // entries of the queue, the start not counted

	GaveUp     bool // Problem.GiveUp ended the search
	OverBudget bool // Problem.MaxExpanded did
}

func (p *Path) reset() {
	*p = Path{Spans: p.Spans[:0], Chain: p.Chain[:0], Links: p.Links[:0]}
}

// spanState is what a search knows of a span. Stamps tell whether it is of the
// running search, so nothing has to be wiped before one.
type spanState struct {
	cost   float64
	parent uint32 // with viaLink or viaDrop where one leads here, the latter in searches with sight
	stamp  uint32 // epoch of the search and marks
}

const (
	// Bits of spanState.parent. Spans have smaller numbers.
	viaLink = 1 << 31
	viaDrop = 1 << 30
	viaBits = viaLink | viaDrop

	// Marks below the epoch in a stamp.
	spanClosed = 1
	spanMarked = 2
	stampMarks = spanClosed | spanMarked
	epochStep  = stampMarks + 1
)

const (
	staleSlack = 1e-9  // an entry of the queue is out of date from that on
	lessSlack  = 1e-12 // a cost is lower only from that on
	checkEvery = 4096  // entries between two looks at the context

	// A diagonal step as a float32 is a little shorter than it is, and so may be
	// the cost of a link: an estimate that is not scaled down as much would miss
	// the cheapest way by it.
	gridScale = diagonal / math.Sqrt2
	linkScale = 1 - 1e-7
)

// solver is a running search.
type solver struct {
	g      *Ground
	queue  spanQueue
	q      *Problem
	gx, gy int // the goal
	octile bool
	scale  float64 // of straight distances
	pushed int

	look func(a, b Span) bool // sight, where tests replace it
}

// Solve finds the cheapest way from a span to one of a cell's. A step costs its
// length times the mean of the prices of both cells, in float32 with the square
// root of two as one. It leads to one of the eight neighbours; a diagonal one
// needs both cells beside it in the mask. Steps that go down by more than the
// climb are drops: the rise rule and the body's limit have the last word on them.
// All others must obey the rise rule, be not banned, and cross no kept wall.
// Links cost what they say.
//
// The search is A* (Hart, Nilsson and Raphael, 1968), with Problem.Sight Lazy
// Theta* (Nash, Koenig and Tovey, "Lazy Theta*: Any-Angle Path Planning and Path
// Length Analysis in 3D", 2010), see theta.go for what differs. Of equal sums of
// cost and estimate the span nearest to the goal goes first, then row, column and
// height decide: so neither the window nor earlier searches matter.
//
// found is false where there is no way, and where the search gave up. The error
// is that of [Ground.Err]. A search of n spans takes time n log n and, when its
// pages have been seen before, no memory.
func (g *Ground) Solve(q *Problem, dst *Path) (found bool, err error) {
	dst.reset()
	if len(q.Goals) == 0 || !g.stands(q.Start, q.Need) {
		return false, g.Err()
	}
	s := &g.solver
	s.begin(g, q)
	end := s.run(dst)
	dst.Pushed = s.pushed
	if err := g.Err(); err != nil {
		return false, err
	}
	if end == none {
		return false, nil
	}
	g.trace(end, q, dst)
	return true, nil
}

// begin puts the start into the queue.
func (s *solver) begin(g *Ground, q *Problem) {
	s.g, s.q = g, q
	goal := g.Place(q.Goals[0])
	s.gx, s.gy = int(goal.GX), int(goal.GY)
	s.octile = !q.Sight && !q.Euclid && len(g.Links) == 0
	switch {
	case q.Sight:
		s.scale = 1 // the length of chords
	case len(g.Links) > 0:
		s.scale = linkScale
	default:
		s.scale = gridScale
	}
	s.pushed = 0
	g.nextEpoch()
	p, i := g.of(uint32(q.Start))
	g.enter(p)
	p.state[i] = spanState{parent: none, stamp: g.epoch}
	c := int(p.cellOf[i])
	gx, gy := p.Table.At(c)
	h := s.estimate(p, i, gx, gy)
	s.queue.reset(g, h)
	s.queue.push(entry{h, left(h), uint32(q.Start)})
}

// stands reports whether a span may be stood on and lies in the mask.
func (g *Ground) stands(s Span, need uint16) bool {
	p, i := g.of(uint32(s))
	if p.stage != g.stage {
		g.refresh(p)
	}
	return p.use[i] && p.marks[p.cellOf[i]]&need == need
}

// run expands spans until a goal comes up, and returns it or none.
func (s *solver) run(dst *Path) uint32 {
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
		if s.q.Sight {
			if st.stamp&spanClosed != 0 {
				continue
			}
			s.settle(e.span, p, i)
		} else if e.key >= s.q.GiveUp {
			dst.GaveUp = true
			return none
		}
		if e.left == 0 && s.isGoal(e.span) {
			return e.span
		}
		if s.q.MaxExpanded > 0 && dst.Expanded == s.q.MaxExpanded {
			dst.OverBudget = true
			return none
		}
		dst.Expanded++
		if s.q.Sight {
			s.expandSight(e.span, p, i, c)
		} else {
			s.expand(e.span, p, i, c)
		}
		if p.marks[c]&MarkLink != 0 {
			s.followLinks(e.span, p, i, c)
		}
	}
	return none
}

// next reports whether the heap of the queue has an entry, after buckets that have
// none were passed.
func (s *solver) next() bool {
	for len(s.queue.heap.list) == 0 {
		if !s.advance() {
			return false
		}
	}
	return true
}

// stale reports whether a cheaper way to the span of an entry was found since.
func (s *solver) stale(e *entry) bool {
	p, i := s.g.of(e.span)
	c := int(p.cellOf[i])
	return e.key > p.state[i].cost+s.estimate(p, i, p.Table.GX+c%pageSpan, p.Table.GY+c/pageSpan)+staleSlack
}

func (s *solver) isGoal(id uint32) bool {
	for _, goal := range s.q.Goals {
		if uint32(goal) == id {
			return true
		}
	}
	return false
}

// estimate returns the least that a way from a cell to the goal can cost: the
// cell's number in the page that owns it, and its place.
func (s *solver) estimate(p *page, span, gx, gy int) float64 {
	dx, dy := abs(gx-s.gx), abs(gy-s.gy)
	if s.octile {
		return float64(max(dx, dy)-min(dx, dy)) + float64(diagonal*float64(min(dx, dy)))
	}
	return float64(s.scale * math.Sqrt(float64(dx*dx+dy*dy)))
}

// left returns the second key of an entry.
func left(h float64) uint32 { return math.Float32bits(float32(h)) }

// expand offers a span's cost to its neighbours.
func (s *solver) expand(id uint32, p *page, i, c int) {
	g := s.g
	ok := openSteps(p.marks, c, s.q.Need)
	if ok == 0 {
		return
	}
	x, y := c%pageSpan, c/pageSpan
	rim := onRim(c)
	gx, gy := p.Table.GX+x, p.Table.GY+y
	prices := s.q.Prices
	var price float32
	if prices != nil {
		price = prices.Of(p.Clr[c])
	}
	walls := !g.PassWalls && p.Cells[c]&CellWall != 0
	flat, deep, deepest := g.Rules.SlopeStep, -g.Rules.Climb, g.deepest
	ban := p.Bans[c]
	epoch := g.epoch
	h := float64(p.Table.H[i])
	cost := p.state[i].cost
	q := p
	starts, state := p.first, p.state
	for ; ok != 0; ok &= ok - 1 {
		d := bits.TrailingZeros8(uint8(ok))
		cn := c + stepCell[d] // in p
		cq := cn              // in q
		if rim {
			if q, cq = g.owner(p, cn); cq < 0 {
				continue
			}
			if q.epoch != epoch {
				g.enter(q)
			}
			starts, state = q.first, q.state
		}
		to := cost + stepCost[d]
		if prices != nil {
			to = cost + float64(stepHalf[d]*(price+prices.Of(p.Clr[cn])))
		}
		for n, end := starts[cq], starts[cq+1]; n < end; n++ {
			// Most neighbours are known, and no worse.
			st := &state[n]
			if st.known(epoch) && to >= st.cost-lessSlack || !q.use[n] {
				continue
			}
			hn := q.Table.H[n]
			dh := float64(hn) - h
			if dh < deep {
				if -dh > g.Body.MaxDrop || !g.lands(p, cn, p.Table.H[i], hn) || !p.rise.OK(c, stepX[d], stepY[d], p.Table.H[i], hn) {
					continue
				}
			} else {
				if -dh > deepest || ban&banLeave[d]|p.Bans[cn]&banEnter[d] != 0 || dh > flat && !p.rise.OK(c, stepX[d], stepY[d], p.Table.H[i], hn) ||
					walls && p.stepMeetsWall(c, stepX[d], stepY[d], p.Table.H[i], hn, wallBand) {
					continue
				}
			}
			*st = spanState{to, id, epoch}
			e := s.estimate(q, int(n), gx+stepX[d], gy+stepY[d])
			s.queue.push(entry{to + e, left(e), q.base + uint32(n)})
			s.pushed++
		}
	}
}

// nextEpoch makes everything that searches know of spans and cells out of date.
func (g *Ground) nextEpoch() {
	if g.epoch += epochStep; g.epoch == 0 {
		for _, list := range [2][]*page{g.used, g.free} {
			for _, p := range list {
				clear(p.state[:cap(p.state)])
				clear(p.cells)
				p.epoch = 0
			}
		}
		g.epoch = epochStep
	}
}

// enter makes a page take part in a search over spans.
func (g *Ground) enter(p *page) {
	if p.epoch == g.epoch {
		return
	}
	if p.stage != g.stage {
		g.refresh(p)
	}
	p.epoch = g.epoch
	if n := len(p.Table.H); cap(p.state) < n {
		p.state = make([]spanState, n, n+n/4)
	} else {
		p.state = p.state[:n]
	}
}

// known reports whether the running search of an epoch has come to a span.
func (s *spanState) known(epoch uint32) bool { return s.stamp&^stampMarks == epoch }

// trace writes down the way to a goal.
func (g *Ground) trace(end uint32, q *Problem, dst *Path) {
	chain := dst.Spans
	if q.Sight {
		chain = dst.Chain
	}
	for id := end; ; {
		chain = append(chain, Span(id))
		p, i := g.of(id)
		parent := p.state[i].parent
		if parent == none {
			break
		}
		if parent&viaLink != 0 {
			dst.Links = append(dst.Links, g.linkBetween(parent&^viaBits, id))
		}
		id = parent &^ viaBits
	}
	reverse(chain)
	reverse(dst.Links)
	p, i := g.of(end)
	dst.Cost = p.state[i].cost
	if q.Sight {
		dst.Chain = chain
		g.fillChain(dst)
	} else {
		dst.Spans = chain
	}
}

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
