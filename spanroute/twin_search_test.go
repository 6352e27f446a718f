package spanroute

import (
	"container/heap"
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/spanpath"
)

type twinEntry struct {
	cost float64
	span int
}
type twinHeap []twinEntry

func (h twinHeap) Len() int           { return len(h) }
func (h twinHeap) Less(i, j int) bool { return h[i].cost < h[j].cost }
func (h twinHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *twinHeap) Push(v any)        { *h = append(*h, v.(twinEntry)) }
func (h *twinHeap) Pop() any {
	v := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return v
}

// least returns the least cost from a span to one of several, +Inf where there
// is no way. Prices are those of the topology where channel is set.
func (w *twin) least(start int, goals []int, channel, priced bool) float64 {
	price := func(c int) float64 {
		if !priced {
			return 1
		}
		lo, hi := w.leg.body.Preferred*4/7, w.leg.body.Preferred*16/7
		return float64(float32(hi / min(max(float64(bnav.Clearance(w.cells[c].clr)), lo), hi)))
	}
	cost := make([]float64, len(w.spans))
	for i := range cost {
		cost[i] = math.Inf(1)
	}
	if !w.in(w.spans[start].cell, channel) {
		return math.Inf(1)
	}
	h := &twinHeap{{0, start}}
	cost[start] = 0
	offer := func(to int, c float64) {
		if c < cost[to] {
			cost[to] = c
			heap.Push(h, twinEntry{c, to})
		}
	}
	for h.Len() > 0 {
		e := heap.Pop(h).(twinEntry)
		if e.cost > cost[e.span] {
			continue
		}
		if slices.Contains(goals, e.span) {
			return e.cost
		}
		c := w.spans[e.span].cell
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				n := c + dy*w.nx + dx
				if n == c || !w.in(n, channel) || dx*dy != 0 && !(w.in(c+dx, channel) && w.in(c+dy*w.nx, channel)) {
					continue
				}
				length := float32(1)
				if dx*dy != 0 {
					length = math.Sqrt2
				}
				step := float64(length / 2 * float32(price(c)+price(n)))
				for s := w.first[n]; s < w.first[n+1]; s++ {
					if w.spans[s].use && w.may(e.span, s) {
						offer(s, e.cost+step)
					}
				}
			}
		}
		for _, l := range w.links[e.span] {
			if w.spans[l.to].use && w.in(w.spans[l.to].cell, channel) {
				offer(l.to, e.cost+l.cost)
			}
		}
	}
	return math.Inf(1)
}

// standing returns the spans of a cell that may be stood on.
func (w *twin) standing(c spanpath.Cell) (list []int) {
	n := w.number(int(c.X), int(c.Y))
	if !w.in(n, false) {
		return nil
	}
	for s := w.first[n]; s < w.first[n+1]; s++ {
		if w.spans[s].use {
			list = append(list, s)
		}
	}
	return list
}

// nearest returns of some spans the one nearest to a height, the lower of two.
func (w *twin) nearest(list []int, h float64) []int {
	best := list[:0:0]
	for _, s := range list {
		if len(best) == 0 || math.Abs(float64(w.spans[s].h)-h) < math.Abs(float64(w.spans[best[0]].h)-h) {
			best = []int{s}
		}
	}
	return best
}

// ends returns the span that a leg starts on and those that will do for its goal, in
// the cells that stand for both: the surface that is declared; of a goal on a floor
// that cannot be reached right there those of its storey; else all of the cell's.
func (w *twin) ends(s *search) (start, goals []int) {
	h := s.leg.h0
	if s.leg.from.deck.ok {
		h = s.leg.from.deck.v
	}
	start, goals = w.nearest(w.standing(s.start.cell), h), w.standing(s.goal.cell)
	switch deck := s.goal.deck; {
	case s.leg.to.deck.ok:
		goals = w.nearest(goals, s.leg.to.deck.v)
	case deck.ok:
		goals = slices.DeleteFunc(goals, func(v int) bool { return math.Abs(float64(w.spans[v].h)-deck.v) > 2 })
	}
	return start, goals
}
