package spanpath

import "math"

// perimeter is what a search from the goal knows: the exact cost from every span
// within some cost of it, and for all others that they have to come through the
// rim of those (Dillenburg and Nelson, "Perimeter search", 1994). Where the goal
// lies on an upper storey, or at the end of narrow ground, that is much more than
// the distance over the grid.
type perimeter struct {
	on   bool
	rim  rect    // cells of the spans at the rim
	all  rect    // and of those within
	cost float64 // the least that is left from the rim on, +Inf where there is none

	heap []rimEntry
}

// rect is a rectangle of cells, ends included.
type rect struct{ x0, y0, x1, y1 int }

func (r *rect) add(x, y int) {
	r.x0, r.y0, r.x1, r.y1 = min(r.x0, x), min(r.y0, y), max(r.x1, x), max(r.y1, y)
}

var nothing = rect{math.MaxInt, math.MaxInt, math.MinInt, math.MinInt}

type rimEntry struct {
	cost float64
	span uint32
}

// surround looks at spans around the goals, in order of what is left from them
// (Dijkstra 1959), until it knows n: and then at all those as near as the last
// one, so what it finds depends on no order. It returns how many it looked at.
func (s *solver) surround(n int) (expanded int) {
	g, k := s.g, &s.perimeter
	k.heap, k.all = k.heap[:0], nothing
	for _, goal := range s.q.Goals {
		p, i := g.of(uint32(goal))
		if p.stage != g.stage {
			g.refresh(p)
		}
		if p.use[i] && p.marks[p.cellOf[i]]&s.q.Need == s.q.Need {
			g.enter(p)
			p.state[i] = spanState{stamp: g.epoch}
			k.push(rimEntry{0, uint32(goal)})
		}
	}
	last := 0.0
	for len(k.heap) > 0 && (expanded < n || k.heap[0].cost <= last) {
		e := k.pop()
		p, i := g.of(e.span)
		if st := &p.state[i]; e.cost > st.cost || st.stamp&spanClosed != 0 {
			continue
		} else {
			st.stamp |= spanClosed
		}
		last = e.cost
		if expanded++; expanded%checkEvery == 0 && g.Err() != nil {
			return expanded
		}
		k.all.add(p.Table.At(int(p.cellOf[i])))
		s.approach(p, i, e.cost)
	}
	k.cost, k.rim = math.Inf(1), nothing
	for _, e := range k.heap {
		p, i := g.of(e.span)
		if p.state[i].stamp&spanClosed == 0 {
			k.cost = min(k.cost, e.cost)
			x, y := p.Table.At(int(p.cellOf[i]))
			k.rim.add(x, y)
			k.all.add(x, y)
		}
	}
	k.on = true
	return expanded
}

// approach offers what is left from a span to those that lead to it.
func (s *solver) approach(p *page, i int, left float64) {
	g, k := s.g, &s.perimeter
	c := int(p.cellOf[i])
	h := p.Table.H[i]
	price := s.q.Prices.Of(p.Clr[c])
	ok := openSteps(p.marks, c, s.q.Need)
	rim := onRim(c)
	q := p
	for d := range 8 {
		if ok>>d&1 == 0 {
			continue
		}
		cq := c + stepCell[d]
		cost := left + float64(stepHalf[d]*(price+s.q.Prices.Of(p.Clr[cq])))
		if rim {
			if q, cq = g.owner(p, cq); cq < 0 {
				continue
			}
			g.enter(q)
		}
		for n := int(q.first[cq]); n < int(q.first[cq+1]); n++ {
			st := &q.state[n]
			if !q.use[n] || st.known(g.epoch) && cost >= st.cost {
				continue
			}
			if q == p && g.leads(p, n, cq, stepBack[d], i) || q != p && g.mayStep(q, cq, stepBack[d], q.Table.H[n], h) {
				*st = spanState{cost: cost, stamp: g.epoch}
				k.push(rimEntry{cost, q.base + uint32(n)})
			}
		}
	}
}

// beyond returns the least that is left from a span in a cell, where the way over
// open ground is direct.
func (s *solver) beyond(p *page, span, gx, gy int, direct float64) float64 {
	k := &s.perimeter
	if p.epoch == s.g.epoch {
		if st := &p.state[span]; st.stamp == s.g.epoch|spanClosed {
			return st.cost
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

func (k *perimeter) push(e rimEntry) {
	h := append(k.heap, e)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if h[up].cost <= e.cost {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = e
	k.heap = h
}

func (k *perimeter) pop() rimEntry {
	h := k.heap
	top, e := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; len(h) > 0; {
		d := 2*i + 1
		if d+1 < len(h) && h[d+1].cost < h[d].cost {
			d++
		}
		if d >= len(h) || e.cost <= h[d].cost {
			h[i] = e
			break
		}
		h[i] = h[d]
		i = d
	}
	k.heap = h
	return top
}
