package grid

import "math"

// Costs of the any-angle searches are float64 lengths. They are kept in the
// same nodes and queues as their bit patterns, which order like the numbers as
// long as these are not negative.

func bitsOf(f float64) int64     { return int64(math.Float64bits(f)) }
func floatOf(bits int64) float64 { return math.Float64frombits(uint64(bits)) }

// limitBits is limit for lengths: a hair more, for what rounding adds to the sums
// inside a search.
func limitBits(cost float64) int64 {
	if cost <= 0 {
		return bitsOf(math.MaxFloat64)
	}
	return bitsOf(min(cost*(1+0x1p-40), math.MaxFloat64))
}

// thetaLimit is how far Theta* must look for a route within a limit. What is left
// out must not change the route that is found, and a search may need nodes that
// look dearer than the route they lead to is in the end. Theta* never finds a
// longer way to a cell than the shortest one by steps, and it expands nothing
// that looks dearer than that before the goal: by induction along that way, as
// a node that is opened over its neighbour costs no more than the step from it
// adds. The way by steps along a straight line is at most the root of two times
// as long. Lazy Theta* may have assumed for each step of it that a line is free
// which is not, and then takes a neighbour's way, which adds at most twice the
// root of two. So the factors are root 2 and root 2 times (1 + 2 root 2), rounded up.
func thetaLimit(cost float64, lazy bool) int64 {
	if lazy {
		return limitBits(cost * 5.415)
	}
	return limitBits(cost * 1.41422)
}

// expandTheta is Theta* (Nash, Daniel, Koenig and Felner 2007), or with lazy its
// variant that looks along a line only when a node is expanded (Nash, Koenig
// and Tovey 2010). A node's parent need not be its neighbour, it only has to be
// seen from it. Neither finds the shortest way always, and nodes are expanded
// once.
func (q *Query) expandTheta(n int, lazy bool) bool {
	r := &q.run
	s := r.rows
	rule := r.opts.Moves.Corners
	allowed := &squareTables[tableIndex(r.opts.Moves)].step
	mark := q.epoch << markBits
	for n > 0 {
		it, ok := q.heap.pop()
		if !ok {
			return true
		}
		at := unpack(it.pos)
		id := s.id(at.X, at.Y)
		nd := &q.nodes[id]
		if nd.mark&markClosed != 0 {
			continue
		}
		nd.mark |= markClosed
		n--
		r.expanded++
		steps := allowed[s.around(id)]
		if lazy && it.pos != r.start && !sight(s, unpack(nd.parent), at, rule) {
			q.nearestParent(nd, at, steps)
		}
		if q.record != nil {
			q.record(Expansion{Cell: at, Width: 1, Cost: floatOf(nd.g)})
		}
		if it.pos == r.goal {
			r.best = nd.g
			if r.best > r.limit { // the line assumed too much
				r.cut = true
			}
			return true
		}
		if r.opts.Partial && bitsOf(floatOf(nd.g)+apart(at, r.to)) <= r.straight {
			q.near(it.pos, nd.g)
		}
		up := unpack(nd.parent)
		base, own := floatOf(q.node(nd.parent).g), floatOf(nd.g)
		for ; steps != 0; steps &= steps - 1 {
			d := firstBit(steps)
			c := Cell{at.X + dirX[d], at.Y + dirY[d]}
			to := &q.nodes[s.id(c.X, c.Y)]
			known := to.mark>>markBits == q.epoch
			if known && to.mark&markClosed != 0 {
				continue
			}
			parent, g := nd.parent, base+apart(up, c)
			if known && to.g <= bitsOf(g) {
				continue // the straight line is the least it can be
			}
			if !lazy && !sight(s, up, c, rule) {
				parent, g = it.pos, own+apart(at, c)
				if known && to.g <= bitsOf(g) {
					continue
				}
			}
			h := apart(c, r.to)
			if bitsOf(g+h) > r.limit {
				r.cut = true
				continue
			}
			*to = node{g: bitsOf(g), parent: parent, mark: mark | uint32(d)}
			r.pushed++
			q.heap.push(heapItem{f: bitsOf(g + h), rest: uint32(min(h*(1<<16), math.MaxUint32)), pos: pack(c)})
		}
	}
	return false
}

// nearestParent gives a node that does not see its parent the best one among
// the expanded cells around it; the one that opened it is there.
func (q *Query) nearestParent(nd *node, at Cell, steps uint8) {
	s := q.run.rows
	best := int64(math.MaxInt64)
	for ; steps != 0; steps &= steps - 1 {
		d := firstBit(steps)
		c := Cell{at.X + dirX[d], at.Y + dirY[d]}
		from := &q.nodes[s.id(c.X, c.Y)]
		if from.mark>>markBits != q.epoch || from.mark&markClosed == 0 {
			continue
		}
		if g := bitsOf(floatOf(from.g) + apart(c, at)); g < best {
			best = g
			nd.g, nd.parent = g, pack(c)
		}
	}
}

// tracePoints appends the corners of the way from the start to a node.
func (q *Query) tracePoints(dst []Point, end uint32) []Point {
	from := len(dst)
	for at := end; ; at = q.node(at).parent {
		c := unpack(at)
		dst = append(dst, Point{float64(c.X) + 0.5, float64(c.Y) + 0.5})
		if at == q.run.start {
			break
		}
	}
	for i, k := from, len(dst)-1; i < k; i, k = i+1, k-1 {
		dst[i], dst[k] = dst[k], dst[i]
	}
	return dst
}

// lengthOf sums up a line of points.
func lengthOf(p []Point) (sum float64) {
	for i := 1; i < len(p); i++ {
		dx, dy := p[i].X-p[i-1].X, p[i].Y-p[i-1].Y
		sum += math.Sqrt(float64(dx*dx) + float64(dy*dy))
	}
	return sum
}
