package spanpath

import (
	"math"
	"slices"

	"wend/spangrid"
)

// mostCrossing is longer than any crossing that is looked for, hundredths of a
// cell: so that sums do not overflow.
const mostCrossing = 1 << 30

// edgeCost is how many times the length of a step counts that leads onto the edge of
// a floor, beside the middle of its cell. A crossing may go through a passage that
// narrow, but edges of floors meet on both sides of thin walls too.
const edgeCost = 10

// cross looks for the shortest crossing by Dijkstra's algorithm, from all of the
// pocket.
func (b *breacher) cross() bool {
	if !b.each(func(p *page, i int) { b.spread(p, i, 0, p.base+uint32(i)) }) {
		return false
	}
	length := int32(0)
	for n := 0; len(b.heap) > 0 && b.left > 0; n++ {
		if n%checkEvery == 0 && b.g.Err() != nil {
			return false
		}
		e := b.heap.pop()
		if e.dist > length {
			if b.nearestMet() {
				return true
			}
			length = e.dist
		}
		p, i := b.g.of(e.span)
		node := b.node(e.span)
		if e.dist > node.dist {
			continue
		}
		b.left--
		if b.stands(p, i) && !b.third.has(&p.state[i]) && (b.other.has(&p.state[i]) || !b.isWhole()) {
			b.met = append(b.met, e.span)
		}
		b.spread(p, i, e.dist, node.source)
	}
	return b.left > 0 && b.nearestMet()
}

// nearestMet finds the crossing that comes first of those of the length in hand
// which lead to the other side.
func (b *breacher) nearestMet() bool {
	slices.SortFunc(b.met, func(x, y uint32) int {
		return b.compareCrossings(b.node(x).source, x, b.node(y).source, y)
	})
	for _, x := range b.met {
		if ok := b.belongs(x); ok || b.left <= 0 || b.g.err != nil {
			if b.from, b.to = b.node(x).source, x; b.back {
				b.from, b.to = b.to, b.from
			}
			return ok
		}
	}
	b.met = b.met[:0]
	return false
}

// spread goes on from a span to those around it, whether they may be stood on or
// not, and over links.
func (b *breacher) spread(p *page, i int, dist int32, source uint32) {
	g := b.g
	c := int(p.cellOf[i])
	h := p.Table.H[i]
	rim := onRim(c)
	q := p
	for d := range 8 {
		cq := c + stepCell[d]
		if rim {
			if q, cq = g.owner(p, cq); cq < 0 {
				continue
			}
			if q.epoch != g.epoch {
				g.enter(q)
			}
		}
		for n := int(q.first[cq]); n < int(q.first[cq+1]); n++ {
			if q.Spans[n]&SpanOwn == 0 || b.isInner(q, n) || !g.Clip.Has(q.Table.At(cq)) {
				continue
			}
			hn := q.Table.H[n]
			to := dist + planeCost[d]
			if q.Spans[n]&SpanCore == 0 {
				to += (edgeCost - 1) * planeCost[d]
			}
			if to > b.node(q.base+uint32(n)).dist {
				continue
			}
			ok, fall := false, 0.0
			if b.back {
				ok, fall = q.couldStep(cq, stepBack[d], hn, h)
			} else {
				ok, fall = p.couldStep(c, d, h, hn)
			}
			if ok {
				b.offer(q.base+uint32(n), to, fall, source)
			}
		}
	}
	if len(b.links) == 0 {
		return
	}
	gx, gy := p.Table.At(c)
	for _, k := range b.links[Cell{int32(gx), int32(gy)}] {
		near, far := g.Links[k].From, g.Links[k].To
		if b.back {
			near, far = far, near
		}
		if fp, fi, ok := g.landing(near); !ok || fp != p || fi != i {
			continue
		}
		q, n, ok := g.landing(far)
		if !ok {
			continue
		}
		g.enter(q)
		if !b.isInner(q, n) {
			dx, dy := abs(int(far.GX)-gx), abs(int(far.GY)-gy)
			plane := 100*max(dx, dy) + (planeDiagonal-100)*min(dx, dy)
			rise := math.Abs(float64(q.Table.H[n]) - float64(h))
			b.offer(q.base+uint32(n), dist+int32(min(max(plane, 100), mostCrossing)), rise, source)
		}
	}
}

// offer notes a way to a span, which goes up or down by so many metres besides.
func (b *breacher) offer(id uint32, dist int32, height float64, source uint32) {
	dist += int32(math.Min(100*height/b.cell, mostCrossing/2))
	node := b.node(id)
	switch {
	case dist > node.dist || dist < 0 || dist >= mostCrossing:
	case dist < node.dist:
		*node = breachNode{dist, source}
		b.heap.push(breachEntry{dist, id})
	case b.compareCrossings(source, id, node.source, id) < 0:
		node.source = source
	}
}

// couldStep reports whether the step d from a height in an own cell of a page to
// one in the neighbour would be allowed if nothing that a query brings were in the
// way, and how deep it falls.
func (p *page) couldStep(c, d int, from, to float32) (ok bool, fall float64) {
	drop := float64(from) - float64(to)
	rise := p.rules.Rise(&p.Table, true, nil)
	if drop > p.rules.Climb {
		return p.opensOnto(c+stepCell[d], stepX[d], stepY[d], from, to, 0) && rise.OK(c, stepX[d], stepY[d], from, to), drop
	}
	return p.Bans[c]&banLeave[d]|p.Bans[c+stepCell[d]]&banEnter[d] == 0 && rise.OK(c, stepX[d], stepY[d], from, to) &&
		!p.stepMeetsWall(c, stepX[d], stepY[d], from, to, wallBand), 0
}

// inSpace finds the surface of the pocket and that of the other side that are
// nearest to each other, in a window around the pocket that grows as long as
// something nearer may lie outside.
func (b *breacher) inSpace() bool {
	g := b.g
	b.places[0], b.spans[0] = b.places[0][:0], b.spans[0][:0]
	x0, y0, x1, y1 := math.MaxInt, math.MaxInt, math.MinInt, math.MinInt
	ok := b.each(func(p *page, i int) {
		id := p.base + uint32(i)
		at := g.Place(Span(id))
		b.places[0], b.spans[0] = append(b.places[0], at), append(b.spans[0], id)
		x0, y0, x1, y1 = min(x0, int(at.GX)), min(y0, int(at.GY)), max(x1, int(at.GX)), max(y1, int(at.GY))
	})
	if !ok {
		return false
	}
	box := spangrid.Window{GX: x0, GY: y0, NX: x1 - x0 + 1, NY: y1 - y0 + 1}
	skip := func(i int) bool {
		p, n := g.of(b.spans[1][i])
		return b.third.has(&p.state[n]) || !b.other.has(&p.state[n]) && b.isWhole()
	}
	for grow := PageSide / 2; ; grow *= 2 {
		w := box.Grow(grow).Intersect(g.Clip)
		b.around(w)
		for again := false; b.left > 0 && g.Err() == nil; again = true {
			if again {
				// Who was nearest belongs to neither side, and all are sorted anew:
				// that takes about as long as to look at an eighth of them.
				b.left -= (len(b.places[0]) + len(b.places[1])) / 8
			}
			q := PairQuery{A: b.places[0], B: b.places[1], SkipB: skip, Cell: b.cell, Start: b.ends[0], Goal: b.ends[1]}
			if b.back {
				q = PairQuery{A: q.B, B: q.A, SkipA: skip, Cell: b.cell, Start: q.Goal, Goal: q.Start}
			}
			i, j, d2, ok := b.pairs.Find(&q)
			if b.back {
				i, j = j, i
			}
			if m := float64(grow) * b.cell; !ok || w != g.Clip && d2 > m*m {
				break
			}
			if b.belongs(b.spans[1][j]) {
				if b.from, b.to = b.spans[0][i], b.spans[1][j]; b.back {
					b.from, b.to = b.to, b.from
				}
				return true
			}
		}
		if w == g.Clip || b.left <= 0 || g.err != nil {
			return false
		}
	}
}

// around lists the surfaces of a window that may be of the other side.
func (b *breacher) around(w spangrid.Window) {
	g := b.g
	b.places[1], b.spans[1] = b.places[1][:0], b.spans[1][:0]
	for py := PageOf(w.GY); py <= PageOf(w.GY+w.NY-1); py++ {
		for px := PageOf(w.GX); px <= PageOf(w.GX+w.NX-1); px++ {
			p := g.pageAt(px, py)
			if p == nowhere {
				continue
			}
			g.enter(p)
			for y := Apron; y < Apron+PageSide; y++ {
				for x := Apron; x < Apron+PageSide; x++ {
					c := y*pageSpan + x
					if p.marks[c]&b.need != b.need || !w.Has(p.Table.At(c)) {
						continue
					}
					for i := int(p.first[c]); i < int(p.first[c+1]); i++ {
						if p.use[i] && !b.isInner(p, i) && !b.third.has(&p.state[i]) {
							id := p.base + uint32(i)
							b.places[1], b.spans[1] = append(b.places[1], g.Place(Span(id))), append(b.spans[1], id)
							b.left--
						}
					}
				}
			}
			if b.left <= 0 {
				return
			}
		}
	}
}

type breachEntry struct {
	dist int32
	span uint32
}

// breachHeap is the queue of a search for a crossing.
type breachHeap []breachEntry

func (e breachEntry) before(o breachEntry) bool {
	return e.dist < o.dist || e.dist == o.dist && e.span < o.span
}

func (h *breachHeap) push(e breachEntry) {
	list := append(*h, e)
	i := len(list) - 1
	for i > 0 && e.before(list[(i-1)/2]) {
		list[i] = list[(i-1)/2]
		i = (i - 1) / 2
	}
	list[i] = e
	*h = list
}

func (h *breachHeap) pop() breachEntry {
	list := *h
	top, n := list[0], len(list)-1
	last := list[n]
	list = list[:n]
	*h = list
	if n == 0 {
		return top
	}
	i := 0
	for c := 1; c < n; c = 2*i + 1 {
		if c+1 < n && list[c+1].before(list[c]) {
			c++
		}
		if !list[c].before(last) {
			break
		}
		list[i] = list[c]
		i = c
	}
	list[i] = last
	return top
}
