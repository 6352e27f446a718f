package spanpath

import "math"

// atlasField is the estimate that an [Atlas] gives for one goal: the cheapest
// chain of portals, where the ground between two of them costs no less than its
// grid distance at the price of the widest place of the piece. It is a lower bound
// of every way's cost, and never falls by more than a step costs.
//
// Portals are settled outwards from the goal (Dijkstra 1959), only as far as
// searches ask: what is answered does not depend on how far that was.
type atlasField struct {
	t      *Atlas
	prices *Prices
	epoch  uint32

	cost  []float64 // of each portal, where stamp is the epoch
	stamp []uint32
	ways  [][]fieldWay // of each piece, ascending by cost, where seen is the epoch
	seen  []uint32

	heap     []fieldEntry
	frontier float64 // all portals of less are settled
}

// fieldWay is a place where a piece is left for the goal, and the least that the
// way costs from there.
type fieldWay struct {
	cost float64
	box  box
}

type fieldEntry struct {
	cost float64
	at   int32
}

// begin takes up a goal: a cell, and the pieces that it lies in.
func (f *atlasField) begin(t *Atlas, prices *Prices, gx, gy int32, pieces []int32) {
	if f.t != t {
		f.t = t
		f.cost, f.stamp = make([]float64, len(t.portals)), make([]uint32, len(t.portals))
		f.ways, f.seen = make([][]fieldWay, len(t.clr)), make([]uint32, len(t.clr))
		f.epoch = 0
	}
	if f.epoch++; f.epoch == 0 {
		clear(f.stamp)
		clear(f.seen)
		f.epoch = 1
	}
	f.prices, f.heap, f.frontier = prices, f.heap[:0], 0
	for _, p := range pieces {
		f.reach(p, fieldWay{0, box{gx, gy, gx, gy}}, -1)
	}
}

// reach makes a way known to a piece and offers it to the portals that lead
// there, unless others are as good from everywhere.
func (f *atlasField) reach(piece int32, w fieldWay, by int32) {
	if f.seen[piece] != f.epoch {
		f.seen[piece] = f.epoch
		f.ways[piece] = f.ways[piece][:0]
	}
	t := f.t
	price := float64(f.prices.Of(t.clr[piece]))
	for i := range f.ways[piece] {
		// Whoever goes to w may go to this one instead: no farther than from the
		// far end of w.
		if v := &f.ways[piece][i]; v.cost+float64(price*farthest(&w.box, &v.box)) <= w.cost {
			return
		}
	}
	f.ways[piece] = append(f.ways[piece], w)
	for _, i := range t.list[t.start[piece]:t.start[piece+1]] {
		q := &t.portals[i]
		if i == by || q.oneWay && q.b != piece {
			continue
		}
		cost := w.cost + float64(price*apart(&q.box, &w.box))
		if f.stamp[i] == f.epoch && f.cost[i] <= cost {
			continue
		}
		f.stamp[i], f.cost[i] = f.epoch, cost
		f.push(fieldEntry{cost, i})
	}
}

// settle takes up the next portal and reports whether there is one.
func (f *atlasField) settle() bool {
	for len(f.heap) > 0 {
		e := f.pop()
		if e.cost > f.cost[e.at] {
			continue
		}
		f.frontier = e.cost
		q := &f.t.portals[e.at]
		w := fieldWay{e.cost, q.box}
		f.reach(q.a, w, e.at)
		if !q.oneWay {
			f.reach(q.b, w, e.at)
		}
		return true
	}
	f.frontier = math.Inf(1)
	return false
}

// at returns the least that a way from a cell of a piece costs, +Inf where there
// is none.
func (f *atlasField) at(piece int32, gx, gy int32) float64 {
	best := f.look(piece, gx, gy)
	for best > f.frontier && f.settle() {
		if f.seen[piece] == f.epoch {
			best = f.look(piece, gx, gy)
		}
	}
	return best
}

func (f *atlasField) look(piece int32, gx, gy int32) float64 {
	if f.seen[piece] != f.epoch {
		return math.Inf(1)
	}
	price := float64(f.prices.Of(f.t.clr[piece]))
	best := math.Inf(1)
	for i := range f.ways[piece] {
		w := &f.ways[piece][i]
		if w.cost >= best {
			break
		}
		dx := max(w.box.x0-gx, gx-w.box.x1, 0)
		dy := max(w.box.y0-gy, gy-w.box.y1, 0)
		best = min(best, w.cost+float64(price*gridDistance(dx, dy)))
	}
	return best
}

// gridDistance is what an open way costs.
func gridDistance(dx, dy int32) float64 {
	return float64(max(dx, dy)-min(dx, dy)) + float64(diagonal*float64(min(dx, dy)))
}

// apart returns the least grid distance between cells of two boxes.
func apart(a, b *box) float64 {
	return gridDistance(max(a.x0-b.x1, b.x0-a.x1, 0), max(a.y0-b.y1, b.y0-a.y1, 0))
}

// farthest returns the greatest grid distance of a cell of a from b.
func farthest(a, b *box) float64 {
	return gridDistance(max(b.x0-a.x0, a.x1-b.x1, 0), max(b.y0-a.y0, a.y1-b.y1, 0))
}

func (f *atlasField) push(e fieldEntry) {
	h := append(f.heap, e)
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
	f.heap = h
}

func (f *atlasField) pop() fieldEntry {
	h := f.heap
	top := h[0]
	e := h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		k := 2*i + 1
		if k >= len(h) {
			if len(h) > 0 {
				h[i] = e
			}
			break
		}
		if k+1 < len(h) && h[k+1].cost < h[k].cost {
			k++
		}
		if e.cost <= h[k].cost {
			h[i] = e
			break
		}
		h[i] = h[k]
		i = k
	}
	f.heap = h
	return top
}
