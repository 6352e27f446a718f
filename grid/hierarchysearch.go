package grid

import (
	"context"
	"math"
)

// hierStep is a step from a gate to one of another cluster.
type hierStep struct {
	to   int32 // number of the gate
	cost float32
}

// connect numbers the gates, lists the steps between clusters, names the
// islands, and finds the largest detour and the least cost. Steps of clusters
// that are not fresh, nor beside a fresh one, are those of an old hierarchy.
func (h *Hierarchy) connect(old *Hierarchy, fresh []bool) {
	h.first = make([]int32, len(h.clusters)+1)
	h.least = math.MaxUint16
	for i, c := range h.clusters {
		h.first[i+1] = h.first[i] + int32(len(c.gates))
		h.least = min(h.least, c.least)
	}
	n := h.first[len(h.clusters)]
	h.detour = 0
	h.owner = make([]int32, n)
	h.island = make([]int32, n)
	h.stepsAt = make([]int32, n+1)
	steps := int(n) * 2
	if old != nil {
		steps = len(old.crossing) + 1024
	}
	h.crossing = make([]hierStep, 0, steps)
	for i, c := range h.clusters {
		for k := range c.gates {
			g := h.first[i] + int32(k)
			h.owner[g] = int32(i)
			h.island[g] = h.first[i] + int32(c.part[k])
			if old != nil && !fresh[i] {
				was := old.first[i] + int32(k)
				for _, x := range old.crossing[old.stepsAt[was]:old.stepsAt[was+1]] {
					other := old.owner[x.to]
					h.crossing = append(h.crossing, hierStep{x.to - old.first[other] + h.first[other], x.cost})
				}
			} else {
				h.listCrossings(int32(i), c, &c.gates[k])
			}
			h.stepsAt[g+1] = int32(len(h.crossing))
			if reach := c.gates[k].reach; reach > 0 {
				h.detour = max(h.detour, (float64(reach)+0.5)*c.gateCost(k))
			}
		}
	}
	root := h.island
	find := func(i int32) int32 {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for g := range n {
		for _, x := range h.crossing[h.stepsAt[g]:h.stepsAt[g+1]] {
			if x.to > g { // the other one has it as well
				a, b := find(g), find(x.to)
				root[max(a, b)] = min(a, b)
			}
		}
	}
	for i := range root {
		root[i] = find(int32(i))
	}
}

// gateCost is the cost of the cell of a gate.
func (c *hierCluster) gateCost(k int) float64 {
	return float64(c.cost(int32(c.gates[k].x), int32(c.gates[k].y))) / costScale
}

// listCrossings appends the steps from a gate into other clusters.
func (h *Hierarchy) listCrossings(i int32, c *hierCluster, g *gate) {
	x, y := int32(g.x), int32(g.y)
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
		cost := other.gateCost(int(n))
		if mv := h.opts.Moves; maskDiagonal>>d&1 == 1 && mv.Neighbours == Eight && mv.Diagonal == Octile {
			cost = float64(cost * math.Sqrt2)
		}
		h.crossing = append(h.crossing, hierStep{h.first[k] + int32(n), roundDown(cost)})
	}
}

// search runs A* over the gates, from the start's cluster, whose costs are in
// head, to the goal's, in tail. direct is the cost of the way inside a cluster.
// It returns the gate of the goal's cluster over which the goal is reached, -1 for
// the direct way, and the cost, or with lower a lower bound of all routes.
//
// For that gates stand for the crossings that use them, so a stretch between two
// costs as much less as these may lie away from the gates, and ways from an
// entrance to itself are left out, since some shortest route has none.
func (k *hierQuery) search(ctx context.Context, from, to Cell, direct float64, lower bool) (last int32, cost float64, err error) {
	h := k.h
	if k.epoch == math.MaxUint32 {
		clear(k.states)
		clear(k.touched)
		k.epoch = 0
	}
	k.epoch++
	k.open.reset(h.estimate(from, to), float64(h.least)/costScale)
	k.lower, k.best, k.to = lower, direct, to
	k.greed = h.greed * (1 - 0x1p-22)
	if lower {
		k.greed = 1
	}
	begin, end := h.clusterAt(from), h.clusterAt(to)
	last = -1
	k.touch(begin)
	for i, d := range k.head {
		if !math.IsInf(d, 1) {
			k.leave(h.first[begin]+int32(i), -1, max(d-k.slack(begin, i), 0))
		}
	}
	bound := 0.0
	for {
		it, ok := k.open.pop(k)
		f := math.Float64frombits(uint64(it.f))
		if !ok || f >= k.best {
			bound = k.best
			break
		}
		bound = max(bound, f)
		g := int32(it.pos)
		st := &k.states[g]
		if st.expanded == k.epoch && st.done <= st.g || !lower && k.left(h.owner[g], g) <= st.g {
			continue
		}
		st.expanded, st.done = k.epoch, st.g
		if k.gates++; k.gates&1023 == 0 {
			if err := stopped(ctx, k.gates); err != nil {
				return 0, 0, err
			}
		}
		here := h.owner[g]
		if here == end {
			i := g - h.first[here]
			if d := st.g + max(k.tail[i]-k.slack(here, int(i)), 0); d < k.best {
				last, k.best = g, d
			}
		}
		k.inside(g, here)
	}
	if lower {
		return last, bound * (1 - 0x1p-26), nil // for what whole numbers lose of a root
	}
	return last, k.best, nil
}

// slack is how far the crossings are from a gate that use it, where a lower
// bound is looked for.
func (k *hierQuery) slack(cluster int32, gate int) float64 {
	c := k.h.clusters[cluster]
	if !k.lower || c.gates[gate].reach == 0 {
		return 0
	}
	return float64(float64(c.gates[gate].reach) * c.gateCost(gate)) // rounded, before it is taken off
}

// inside goes on from a gate that was entered to all of its cluster.
func (k *hierQuery) inside(g, here int32) {
	h := k.h
	c := h.clusters[here]
	first := h.first[here]
	i := g - first
	n := int32(len(c.gates))
	far := k.states[g].g
	k.touch(here)
	out := k.out[first : first+n]
	row := c.dist[i*n : i*n+n]
	if !k.lower {
		for j, d := range row {
			if cost := far + float64(d); cost < out[j] && cost < k.best {
				k.leave(first+int32(j), g, cost)
			}
		}
		return
	}
	for j, d := range row {
		a, b := &c.gates[i], &c.gates[j]
		if d > math.MaxFloat32 || a.reach > 0 && b.reach > 0 && a.run == b.run {
			continue
		}
		if cost := far + h.atLeast(c, a, b, float64(d)); cost < out[j] && cost < k.best {
			k.leave(first+int32(j), g, cost)
		}
	}
}

// touch makes the costs of leaving a cluster those of this search.
func (k *hierQuery) touch(cluster int32) {
	if k.touched[cluster] == k.epoch {
		return
	}
	k.touched[cluster] = k.epoch
	out := k.out[k.h.first[cluster]:k.h.first[cluster+1]]
	for i := range out {
		out[i] = math.Inf(1)
	}
}

// left returns the least cost so far of leaving a cluster by a gate.
func (k *hierQuery) left(cluster, gate int32) float64 {
	if k.touched[cluster] != k.epoch {
		return math.Inf(1)
	}
	return k.out[gate]
}

// leave goes on from a gate into the clusters behind it. up is the gate by which
// its own was entered.
func (k *hierQuery) leave(via, up int32, cost float64) {
	h := k.h
	k.out[via] = cost
	for _, x := range h.crossing[h.stepsAt[via]:h.stepsAt[via+1]] {
		g := float64(x.cost)
		c := h.owner[x.to]
		reach := h.clusters[c].gates[x.to-h.first[c]].reach
		if k.lower && reach > 0 { // the crossing may be diagonal, and end a cell further on
			g = float64(g * diagonalRise(h.opts.Moves))
		}
		g += cost
		st := &k.states[x.to]
		// Where another gate of the cluster was expanded from which this one is
		// reached at no more, all that it reaches is, too.
		if st.entered == k.epoch && st.g <= g ||
			!k.lower && (st.expanded == k.epoch || k.left(c, x.to) <= g) {
			continue
		}
		o := h.origin(c)
		at := &h.clusters[c].gates[x.to-h.first[c]]
		rest := h.estimate(Cell{o.X + int32(at.x), o.Y + int32(at.y)}, k.to)
		if k.lower && reach > 0 {
			rest = max(rest-float64(float64(int32(reach)+1)*float64(h.least))/costScale, 0)
		}
		if g+rest >= k.best {
			continue
		}
		st.g, st.up, st.via, st.entered = g, up, via, k.epoch
		f := g + float64(rest*k.greed)
		k.open.push(f, uint32(rest), uint32(x.to))
	}
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
