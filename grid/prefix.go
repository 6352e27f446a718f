package grid

import "slices"

// SafePrefix appends to dst the part of the path that is certain already: the
// search's path, whatever it will be, begins with these cells, so a unit may
// walk them meanwhile. It is what the ways to all open nodes have in common (and
// with Partial, the way to the nearest node): long in corridors, short on open
// ground, where the end decides about the beginning; at least the start, from
// the first step on. Each call costs O(what was searched). Once the search has
// ended it is the path, or nothing where there is none. The any-angle algorithms, whose corners move until the
// end, give the start alone, and so do JPS and JPSPlus with Partial, which
// start over when the goal proves out of reach.
func (q *Query) SafePrefix(dst []Cell) ([]Cell, error) {
	r := &q.run
	if !r.begun {
		return dst, ErrNotBegun
	}
	points := r.opts.Algorithm >= Theta
	switch {
	case r.status == Complete && !points:
		return q.trace(dst, r.goal), nil
	case r.status != Unfinished:
		if r.nearestAway >= 0 && !points {
			return q.trace(dst, r.nearest), nil
		}
		if r.nearestAway >= 0 || r.status == Complete {
			dst = append(dst, r.from)
		}
		return dst, nil
	case points, r.opts.Partial && r.opts.Algorithm != AStar:
		return append(dst, r.from), nil
	}
	p := prefix{q: q, common: r.start, first: true}
	floor := noLimit // the least estimate of an open node
	add := func(pos uint32) {
		if n := q.node(pos); n.mark&markClosed == 0 {
			floor = min(floor, n.g+r.estimate(unpack(pos)))
			p.add(pos)
		}
	}
	if q.usesHeap() {
		for _, it := range q.heap.items {
			add(it.pos)
		}
	} else {
		q.open.each(add)
	}
	if r.best <= r.limit {
		p.add(r.goal)
	}
	if r.nearestAway >= 0 {
		p.add(r.nearest)
	}
	if p.first {
		return dst, nil // all is searched, in vain
	}
	// A node that was taken out of a stack too early may still get another way
	// to it, but not at less than all open nodes ask for.
	at := p.common
	for at != r.start && q.node(at).g+r.estimate(unpack(at)) > floor {
		at = q.node(at).parent
	}
	return q.trace(dst, at), nil
}

// anyAngle reports whether the search is for a line of points.
func (r *run) anyAngle() bool { return r.algorithm >= Theta }

// prefix finds the last node that the ways to several nodes have in common.
type prefix struct {
	q      *Query
	common uint32
	chain  []uint32       // from the start to common
	place  map[uint32]int // of the nodes on the chain; -1 for those beside it that were seen
	first  bool
}

// add makes common the last common node of itself and the way to pos.
func (p *prefix) add(pos uint32) {
	start := p.q.run.start
	if p.first {
		p.first = false
		for at := pos; at != start; at = p.q.node(at).parent {
			p.chain = append(p.chain, at)
		}
		p.chain = append(p.chain, start)
		slices.Reverse(p.chain)
		p.place = make(map[uint32]int, len(p.chain))
		for i, at := range p.chain {
			p.place[at] = i
		}
		p.common = pos
		return
	}
	for at := pos; ; at = p.q.node(at).parent {
		i, seen := p.place[at]
		switch {
		case !seen:
			p.place[at] = -1
			continue
		case i >= 0: // what comes after it is not common
			for _, beside := range p.chain[i+1:] {
				p.place[beside] = -1
			}
			p.chain = p.chain[:i+1]
			p.common = at
		}
		return
	}
}
