package grid

// Expansion is one node that a search took from its open list.
type Expansion struct {
	// Cell was expanded: of AStar and the Theta searches any cell, of JPS and
	// JPSPlus a jump point. Anya expands parts of the lines between rows; Cell
	// is the first cell behind such a part.
	Cell Cell
	// Width counts the cells from Cell to the right that belong to it: those
	// Anya enters, else 1.
	Width int32
	// Cost is that of the way to it, of Anya to the corner it is seen from.
	Cost float64
}

// Record has fn called with every node that the next searches of q expand, in
// the order in which they do; Trace counts each step of its hands as one. fn
// must not use q. With nil, as at first, nothing is recorded and nothing spent
// on it.
func (q *Query) Record(fn func(Expansion)) { q.record = fn }

// Record has fn called with every node that the next searches of s expand, as
// Query.Record does; those of an answer that is remembered are not repeated.
func (s *Selector) Record(fn func(Expansion)) {
	s.trial.Record(fn)
	s.query.Record(fn)
}

// watches reports whether the search has to hear of the cells it expands. It is
// asked once in a slice, so that a loop looks at one bit for both.
func (q *Query) watches() bool { return q.run.opts.Partial || q.record != nil }

// watch is told of an expanded cell, where watches says so.
func (q *Query) watch(pos uint32, g int64) {
	if q.run.opts.Partial {
		q.near(pos, g)
	}
	if q.record != nil {
		q.record(Expansion{Cell: unpack(pos), Width: 1, Cost: q.run.units.value(g)})
	}
}

// recordInterval records an interval of Anya that leads into cells of a row.
func (q *Query) recordInterval(n interval) {
	row := n.line / 2
	if n.dir < 0 {
		row--
	}
	first := n.left.leftOf(n.root, n.line) / 2
	last := n.right.leftOf(n.root, n.line) / 2
	if n.right.compare(n.root, n.line, 2*last) == 0 {
		last-- // ends where that cell begins
	}
	q.record(Expansion{Cell: Cell{first, row}, Width: last - first + 1, Cost: n.g})
}

// recordSteps records the steps of a hand along a wall.
func (q *Query) recordSteps(m *Map, path []Cell, mv Moves) {
	cost := 0.0
	for i, c := range path {
		if i > 0 {
			cost += m.PathCost(path[i-1:i+1], mv)
		}
		q.record(Expansion{Cell: c, Width: 1, Cost: cost})
	}
}
