package spanpath

import "math"

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

	// Pause has a search without Sight stop once it has looked at so many spans,
	// those around the goals not counted, until [Ground.Resume]; 0 never does.
	Pause int

	// Around has the search look around the goals too, in rounds by Round.After, for
	// an estimate that knows how far they are from everything else. Costs are the
	// same, of equally cheap ways another one may be found. It is not for searches
	// with Sight, Euclid or links.
	Around []Round
}

// Path is a way over spans. It is reused by [Ground.Solve].
type Path struct {
	Spans    []Span  // cell by cell from start to goal, apart from links
	Chain    []Span  // where a search with Sight turned, with both ends
	Cost     float64 // cells
	Links    []int   // places in Setup.Links of the links it takes, in its order
	Expanded int     // spans whose neighbours were looked at
	Pushed   int     // entries of the queue, the start not counted

	// The cells from MinX, MinY to MaxX, MaxY were looked at by Problem.Around, if
	// MaxX is not less than MinX.
	MinX, MinY, MaxX, MaxY int

	GaveUp     bool // Problem.GiveUp ended the search
	OverBudget bool // Problem.MaxExpanded did
	Paused     bool // Problem.Pause stopped it
	Met        bool // it came to what Problem.Around has found: there is a way
}

func (p *Path) reset() {
	*p = Path{Spans: p.Spans[:0], Chain: p.Chain[:0], Links: p.Links[:0]}
}

// spanState is what a search with sight knows of a span, or a flood; see best for
// others. Stamps tell whether it is of the running search, so nothing has to be
// wiped before one.
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
	spanSpoilt = 4
	stampMarks = spanClosed | spanMarked | spanSpoilt
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
	far    map[uint32]uint32 // see wayFar

	epoch     uint32 // of the pages that take part in a search without sight
	perimeter perimeter
	searched  int // spans whose neighbours were looked at
	round     int // next one of Problem.Around

	look func(a, b Span) bool // sight, where tests replace it
}

// Solve finds the cheapest way from a span to one of a cell's. A step costs its
// length times the mean of the prices of both cells, in float32 with the square
// root of two as one. It leads to one of the eight neighbours; a diagonal one
// needs both cells beside it in the mask. Steps that go down by more than the
// climb are drops: the rise rule and the body's limit have the last word on them.
// All others must obey the rise rule, be not banned, and cross no kept wall.
// Links cost what they say. Ways of 2^31 cells and more are not found.
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
	s.begin(g, q, dst)
	return s.solve(dst)
}

// Resume goes on with the last search, which was [Path.Paused], with the limits of
// q, which is the same problem otherwise. In between the ground may have been asked
// about anything but ways. Counts go on too.
func (g *Ground) Resume(q *Problem, dst *Path) (found bool, err error) {
	dst.Paused = false
	g.solver.q = q
	return g.solver.solve(dst)
}

// solve runs a search to its end.
func (s *solver) solve(dst *Path) (found bool, err error) {
	g := s.g
	var end uint32
	if s.q.Sight {
		end = s.runSight(dst)
	} else {
		end = s.run(dst)
	}
	dst.Pushed = s.pushed
	dst.Met = s.perimeter.met
	a := &s.perimeter.all
	dst.MinX, dst.MinY, dst.MaxX, dst.MaxY = a.x0, a.y0, a.x1, a.y1
	if err := g.Err(); err != nil {
		return false, err
	}
	if end == none {
		return false, nil
	}
	g.trace(end, s.q, dst)
	return true, nil
}

// begin puts the start into the queue.
func (s *solver) begin(g *Ground, q *Problem, dst *Path) {
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
	p, i := g.of(uint32(q.Start))
	if q.Sight {
		g.nextEpoch()
		g.enter(p)
		p.state[i] = spanState{parent: none, stamp: g.epoch}
	} else {
		if s.far == nil {
			s.far = map[uint32]uint32{}
		}
		clear(s.far)
		if s.epoch++; s.epoch == 0 {
			g.forget()
			s.epoch = 1
		}
		s.join(p)
		p.best[i] = bestOf(0, wayStart)
	}
	s.perimeter.on, s.perimeter.met, s.perimeter.all = false, false, nothing
	s.round, s.searched = 0, 0
	gx, gy := p.Table.At(int(p.cellOf[i]))
	h := s.estimate(p, i, gx, gy)
	s.queue.reset(g, h)
	s.queue.push(entry{h, left(h), uint32(q.Start)})
}

// lookAround has the perimeter grow if its turn has come. It returns false where
// the spans of the search do not suffice for it.
func (s *solver) lookAround(dst *Path) bool {
	spans := 0
	for s.round < len(s.q.Around) && s.searched >= s.q.Around[s.round].After {
		spans = max(spans, s.q.Around[s.round].Spans)
		s.round++
	}
	k := &s.perimeter
	if spans == 0 || k.on && (spans <= k.known || k.waiting == 0) {
		return true
	}
	s.queue.collect(s)
	if !k.on {
		s.surround()
	}
	most := math.MaxInt
	if s.q.MaxExpanded > 0 {
		most = s.q.MaxExpanded - dst.Expanded
	}
	n, ok := s.grow(spans, most)
	dst.Expanded += n
	s.queue.rekey(s)
	return ok
}

// stands reports whether a span may be stood on and lies in the mask.
func (g *Ground) stands(s Span, need uint16) bool {
	p, i := g.of(uint32(s))
	if p.stage != g.stage {
		g.refresh(p)
	}
	return p.use[i] && p.marks[p.cellOf[i]]&need == need
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
		h := octileDistance(dx, dy)
		if s.perimeter.on {
			h = s.beyond(p, span, gx, gy, h)
		}
		return h
	}
	return float64(s.scale * math.Sqrt(float64(dx*dx+dy*dy)))
}

// left returns the second key of an entry.
func left(h float64) uint32 { return math.Float32bits(float32(h)) }

// forget has all pages take no part in a search without sight.
func (g *Ground) forget() {
	for _, list := range [2][]*page{g.used, g.free} {
		for _, p := range list {
			p.joined, p.leftEpoch = 0, 0
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
	g.takeSteps(p)
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
	p, i := g.of(end)
	if q.Sight {
		dst.Cost = p.state[i].cost
		dst.Chain = g.traceBack(dst.Chain, end, q, dst)
		g.fillChain(dst)
	} else {
		dst.Cost = p.best[i].cost()
		dst.Spans = g.traceBack(dst.Spans, end, q, dst)
	}
}

func (g *Ground) traceBack(chain []Span, id uint32, q *Problem, dst *Path) []Span {
	for {
		chain = append(chain, Span(id))
		var from uint32
		var link bool
		if q.Sight {
			p, i := g.of(id)
			from = p.state[i].parent
			from, link = from&^viaBits, from != none && from&viaLink != 0
		} else {
			from, link = g.solver.before(id)
		}
		if from|viaBits == none {
			break
		}
		if link {
			dst.Links = append(dst.Links, g.linkBetween(from, id))
		}
		id = from
	}
	reverse(chain)
	reverse(dst.Links)
	return chain
}

func reverse[T any](s []T) {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
}
