package grid

import (
	"context"
	"math"
)

// connect numbers the gates and names their islands, and finds the largest
// detour and least cost.
func (h *Hierarchy) connect() {
	h.first = make([]int32, len(h.clusters)+1)
	h.least = math.MaxUint16
	for i, c := range h.clusters {
		h.first[i+1] = h.first[i] + int32(len(c.gates))
		h.least = min(h.least, c.least)
	}
	h.detour = 0
	h.island = make([]int32, h.first[len(h.clusters)])
	root := h.island
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for i, c := range h.clusters {
		for g := range c.gates {
			root[h.first[i]+int32(g)] = h.first[i] + int32(c.part[g])
			if reach := c.gates[g].reach; reach > 0 {
				cost := float64(c.cost(int32(c.gates[g].x), int32(c.gates[g].y))) / costScale
				h.detour = max(h.detour, (float64(reach)+0.5)*cost)
			}
		}
	}
	var out [8]crossing
	for i, c := range h.clusters {
		for g := range c.gates {
			for _, x := range h.crossings(out[:0], int32(i), c, g) {
				if x.to > h.first[i] { // the other one finds it as well
					a, b := find(h.first[i]+int32(g)), find(x.to)
					root[max(a, b)] = min(a, b)
				}
			}
		}
	}
	for i := range root {
		root[i] = find(int32(i))
	}
}

// crossing is a step from a gate to one of another cluster.
type crossing struct {
	to      int32 // number of the gate
	cluster int32
	cost    float64
	oblique bool
}

// crossings appends the steps from a gate into other clusters.
func (h *Hierarchy) crossings(dst []crossing, i int32, c *hierCluster, g int) []crossing {
	x, y := int32(c.gates[g].x), int32(c.gates[g].y)
	at := Cell{i%h.nx*h.side + x, i/h.nx*h.side + y}
	var leave uint8 // directions that lead out of the cluster
	if x == 0 {
		leave |= 1<<dirNW | 1<<dirW | 1<<dirSW
	}
	if y == 0 {
		leave |= 1<<dirNW | 1<<dirN | 1<<dirNE
	}
	if x == c.w-1 {
		leave |= 1<<dirNE | 1<<dirE | 1<<dirSE
	}
	if y == c.h-1 {
		leave |= 1<<dirSW | 1<<dirS | 1<<dirSE
	}
	for steps := h.steps(at) & leave; steps != 0; steps &= steps - 1 {
		d := firstBit(steps)
		to := Cell{at.X + dirX[d], at.Y + dirY[d]}
		k := h.clusterAt(to)
		other := h.clusters[k]
		tx, ty := to.X-k%h.nx*h.side, to.Y-k/h.nx*h.side
		n := other.at[other.rim(tx, ty)]
		if n < 0 {
			continue
		}
		cost := float64(other.cost(tx, ty)) / costScale
		oblique := maskDiagonal>>d&1 == 1
		if mv := h.opts.Moves; oblique && mv.Neighbours == Eight && mv.Diagonal == Octile {
			cost = float64(cost * math.Sqrt2)
		}
		dst = append(dst, crossing{h.first[k] + int32(n), k, cost, oblique})
	}
	return dst
}

// search runs A* over the gates, from the start's cluster, whose costs are in
// head, to the goal's, in tail. direct is the cost of the way inside a cluster.
// It returns the state from which the goal is reached, -1 for the direct way, and
// the cost.
//
// With lower it looks for a lower bound of all routes instead: gates stand for
// the crossings that use them, so a stretch between two costs as much less as
// these may lie away from the gates, and ways from an entrance to itself are
// left out, since some shortest route has none.
func (k *hierQuery) search(ctx context.Context, from, to Cell, direct float64, lower bool) (last int32, cost, bound float64, err error) {
	h := k.h
	if k.epoch == math.MaxUint32 {
		clear(k.states)
		k.epoch = 0
	}
	k.epoch++
	k.heap.items = k.heap.items[:0]
	begin, end := h.clusterAt(from), h.clusterAt(to)
	last, cost = -1, direct
	slack := func(g *gate, cost uint16) float64 { // how far crossings are from a gate
		if !lower {
			return 0
		}
		return float64(float64(g.reach)*float64(cost)) / costScale
	}
	c := h.clusters[begin]
	for i := range k.head {
		if g := &c.gates[i]; !math.IsInf(k.head[i], 1) {
			least := k.head[i] - slack(g, c.cost(int32(g.x), int32(g.y)))
			k.relax((h.first[begin]+int32(i))*2+1, -1, max(least, 0), h.aim(begin, g, to, lower), cost)
		}
	}
	var out [8]crossing
	for {
		it, ok := k.heap.pop()
		if !ok {
			break
		}
		f := math.Float64frombits(uint64(it.f))
		if f >= cost {
			break
		}
		bound = max(bound, f)
		s := int32(it.pos)
		number := s / 2
		here := h.clusterOf(number)
		c := h.clusters[here]
		i := number - h.first[here]
		at := &c.gates[i]
		st := &k.states[s]
		if f > st.g+h.aim(here, at, to, lower) {
			continue // reached at less cost since
		}
		if k.gates++; k.gates&1023 == 0 {
			if err := stopped(ctx, k.gates); err != nil {
				return 0, 0, 0, err
			}
		}
		own := slack(at, c.cost(int32(at.x), int32(at.y)))
		if s&1 == 1 {
			for _, x := range h.crossings(out[:0], here, c, int(i)) {
				step := x.cost
				if lower && at.reach > 0 { // the crossing may be diagonal, and end a cell further on
					step *= diagonalRise(h.opts.Moves)
				}
				g := &h.clusters[x.cluster].gates[x.to-h.first[x.cluster]]
				k.relax(x.to*2, s, st.g+step, h.aim(x.cluster, g, to, lower), cost)
			}
			continue
		}
		if here == end && st.g+max(k.tail[i]-own, 0) < cost {
			last, cost = s, st.g+max(k.tail[i]-own, 0)
		}
		k.spreadInside(s, here, to, lower, cost)
	}
	if lower {
		bound = min(max(bound, 0), cost)
		if len(k.heap.items) == 0 { // nothing else was left
			bound = cost
		}
		bound *= 1 - 0x1p-40
	}
	return last, cost, bound, nil
}

// spreadInside relaxes the ways inside a cluster from a gate that was entered.
func (k *hierQuery) spreadInside(s, here int32, to Cell, lower bool, best float64) {
	h := k.h
	c := h.clusters[here]
	first := h.first[here]
	i := s/2 - first
	at := &c.gates[i]
	n := int32(len(c.gates))
	g := k.states[s].g
	row := c.dist[i*n : i*n+n]
	for j, d := range row {
		if math.IsInf(float64(d), 1) {
			continue
		}
		cost := float64(d)
		if lower {
			other := &c.gates[j]
			if at.reach > 0 && other.reach > 0 && at.run == other.run {
				continue
			}
			cost = h.atLeast(c, at, other, cost)
		}
		cost += g
		next := first + int32(j)
		if st := &k.states[next*2+1]; st.epoch == k.epoch && st.g <= cost || cost >= best {
			continue
		}
		k.relax(next*2+1, s, cost, h.aim(here, &c.gates[j], to, lower), best)
	}
}

// relax notes a way to a state.
func (k *hierQuery) relax(s, up int32, g, rest, best float64) {
	st := &k.states[s]
	if st.epoch == k.epoch && st.g <= g || g+rest >= best {
		return
	}
	*st = hierState{g, up, k.epoch}
	k.heap.push(heapItem{f: int64(math.Float64bits(g + rest)), rest: uint32(rest), pos: uint32(s)})
}

// aim is a lower bound of what is left from a gate, or with lower from the
// crossings that use it.
func (h *Hierarchy) aim(cluster int32, g *gate, to Cell, lower bool) float64 {
	o := h.origin(cluster)
	d := h.estimate(Cell{o.X + int32(g.x), o.Y + int32(g.y)}, to)
	if lower && g.reach > 0 {
		d -= float64(float64(int32(g.reach)+1)*float64(h.least)) / costScale
	}
	return max(d, 0)
}

// atLeast is what the ways from the crossings that use one gate to those of
// another cost at least, where that between the gates costs d.
func (h *Hierarchy) atLeast(c *hierCluster, a, b *gate, d float64) float64 {
	if a.reach == 0 && b.reach == 0 {
		return d
	}
	ca, cb := c.cost(int32(a.x), int32(a.y)), c.cost(int32(b.x), int32(b.y))
	d -= float64(int32(a.reach)*int32(ca)+int32(b.reach)*int32(cb)) / costScale
	if h.opts.Moves.Neighbours != Eight {
		return max(d, 0)
	}
	var slide Cell // how much nearer along the borders they may be
	for _, g := range [2]*gate{a, b} {
		if g.x == 0 || int32(g.x) == c.w-1 {
			slide.Y += int32(g.reach)
		} else {
			slide.X += int32(g.reach)
		}
	}
	dx, dy := int32(a.x)-int32(b.x), int32(a.y)-int32(b.y)
	dx, dy = max(max(dx, -dx)-slide.X, 0), max(max(dy, -dy)-slide.Y, 0)
	return max(d, h.estimate(Cell{dx, dy}, Cell{})*float64(c.least)/float64(h.least))
}

// diagonalRise is how much more a diagonal crossing costs than a straight one,
// which is what it costs at least beyond the straight step that it makes along
// the border; straight ones cost more.
func diagonalRise(m Moves) float64 {
	switch {
	case m.Neighbours == Four:
		return 1
	case m.Neighbours == Eight && m.Diagonal == Octile:
		return math.Sqrt2 - 1
	}
	return 0
}
