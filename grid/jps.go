package grid

// patience is by how much the estimate may grow before a walk is put off; of
// the walks from the start, most of which lead away from the goal, by less.
const (
	patience      = 64 * oneUniform
	startPatience = 8 * oneUniform
)

// expandJPS is jump point search (Harabor and Grastien 2011) on squares without
// costs. From a node it walks straight by blocks of cells, and diagonally cell
// by cell with a straight walk to both sides at each. Places where a diagonal
// only turns straight are not nodes: the jump goes on to where the straight
// walk ends. With four neighbours up and down take the part of the diagonals.
func (q *Query) expandJPS(n int) bool {
	r := &q.run
	prune := &squareTables[tableIndex(r.opts.Moves)].prune
	for n > 0 {
		j, w, ok := q.nextJump(prune)
		if !ok {
			return true
		}
		if w.none {
			continue
		}
		n--
		x, y := j.cell()
		for w.worth != 0 {
			d := w.next()
			switch {
			case maskDiagonal>>d&1 == 1:
				if r.opts.Moves.Corners == Never {
					j.diagonal(x, y, d)
				} else {
					j.diagonalCut(x, y, d, prune)
				}
			case r.opts.Moves.Neighbours == Four && (d == dirN || d == dirS):
				j.upright(x, y, d)
			default:
				j.straight(x, y, d, j.g)
			}
		}
	}
	return false
}

// jump is a node that is being expanded.
type jump struct {
	q        *Query
	pos      uint32
	g        int64
	patience int64
}

// cell returns where the node lies.
func (j *jump) cell() (x, y int32) { return int32(j.pos & 0xffff), int32(j.pos >> 16) }

// ways are the directions in which a node is left.
type ways struct {
	worth uint8 // those still to be walked
	first uint8 // of them the one that goes before the others, if any
	none  bool  // the node has been expanded before, or leads to nothing better
}

// next takes the next direction.
func (w *ways) next() int {
	set := w.worth & w.first
	if set == 0 {
		set = w.worth
	}
	d := firstBit(set)
	w.worth &^= 1 << d
	return d
}

// nextJump takes a node from the open list and closes it. It is not ok when the
// search is at its end.
func (q *Query) nextJump(prune *pruneTable) (j jump, w ways, ok bool) {
	r := &q.run
	pos, ok := q.open.pop()
	if !ok || r.best <= r.limit && q.open.floor() >= r.best {
		return jump{}, ways{}, false
	}
	x, y := int32(pos&0xffff), int32(pos>>16)
	id := r.rows.id(x, y)
	nd := &q.nodes[id]
	if nd.mark&markClosed != 0 || r.best <= r.limit && nd.g+r.estimate(Cell{x, y}) >= r.best {
		return jump{}, ways{none: true}, true
	}
	nd.mark |= markClosed
	r.expanded++
	if q.watches() {
		q.watch(pos, nd.g)
	}
	j = jump{q: q, pos: pos, g: nd.g, patience: patience}
	w = ways{worth: prune[nd.mark&markDir][r.rows.around(id)]}
	if nd.mark&markDir == dirNone {
		j.patience = startPatience
		w.first = r.toGoal()
	}
	return j, w, true
}

// toGoal returns the direction that is walked first from the start, the one to
// the goal. Where the way is open, what it costs is known at once and the walks
// in all other directions end where they would cost more.
func (r *run) toGoal() uint8 {
	if r.from == r.to {
		return 0
	}
	return 1 << direction(r.from, Cell{r.from.X + sign(r.to.X-r.from.X), r.from.Y + sign(r.to.Y-r.from.Y)})
}

// scan walks straight from (x, y).
func (r *run) scan(x, y int32, d int) scanned {
	switch {
	case r.opts.Moves.Corners == Never || r.opts.Moves.Neighbours == Four:
		switch d {
		case dirE:
			return scanForward(r.rows, r.rows.id(x, y))
		case dirW:
			return scanBackward(r.rows, r.rows.id(x, y))
		case dirS:
			return scanForward(r.cols, r.cols.id(y, x))
		}
		return scanBackward(r.cols, r.cols.id(y, x))
	}
	open := uint64(0)
	if r.opts.Moves.Corners == Always {
		open = ^open
	}
	switch d {
	case dirE:
		return scanForwardCut(r.rows, r.rows.id(x, y), open)
	case dirW:
		return scanBackwardCut(r.rows, r.rows.id(x, y), open)
	case dirS:
		return scanForwardCut(r.cols, r.cols.id(y, x), open)
	}
	return scanBackwardCut(r.cols, r.cols.id(y, x), open)
}

// straight walks straight from (x, y), which costs g, and opens where it ends.
// It returns how many cells ahead are free.
func (j *jump) straight(x, y int32, d int, g int64) (free int32) {
	r := &j.q.run
	hit := r.scan(x, y, d)
	if away := goalAhead(x, y, d, r.to); away > 0 && away <= hit.cells {
		j.q.reach(r.to.X, r.to.Y, g+int64(away)*r.units.one, j.pos, d)
	} else if hit.turn {
		j.q.reach(x+dirX[d]*hit.cells, y+dirY[d]*hit.cells, g+int64(hit.cells)*r.units.one, j.pos, d)
	}
	if hit.turn {
		return hit.cells
	}
	return hit.cells - 1
}

// goalAhead returns how far ahead the goal lies, 0 if it does not.
func goalAhead(x, y int32, d int, goal Cell) int32 {
	dx, dy := goal.X-x, goal.Y-y
	switch d {
	case dirE:
		if dy == 0 {
			return max(dx, 0)
		}
	case dirW:
		if dy == 0 {
			return max(-dx, 0)
		}
	case dirS:
		if dx == 0 {
			return max(dy, 0)
		}
	case dirN:
		if dx == 0 {
			return max(-dy, 0)
		}
	}
	return 0
}

// diagonal walks diagonally where corners may not be touched. The straight
// walks tell whether the cells beside the next step are free. When the estimate
// of the whole way has grown by far the rest of the walk is put off: the place
// becomes a node that goes on from there.
func (j *jump) diagonal(x, y int32, d int) {
	q := j.q
	r := &q.run
	rows, cols := r.rows, r.cols
	dx, dy := dirX[d], dirY[d]
	one, diag := r.units.one, r.units.diag
	rise := diag - one
	gx, gy := r.to.X, r.to.Y
	h, v := int(beside[d][1]), int(beside[d][0])
	shift, turned := dy*rows.stride+dx, dx*cols.stride+dy
	id, tid := rows.id(x, y), cols.id(y, x)
	g := j.g
	far := g + octile(x-gx, y-gy, one, diag) + j.patience
	for {
		// The step is allowed, seen from the cell before.
		x, y, id, tid = x+dx, y+dy, id+shift, tid+turned
		g += diag
		ax, ay := x-gx, y-gy
		ax, ay = max(ax, -ax), max(ay, -ay)
		f := g + int64(max(ax, ay))*one + int64(min(ax, ay))*rise
		if f >= r.best {
			r.cut = r.cut || f > r.limit
			return
		}
		if ax|ay == 0 {
			q.reach(x, y, g, j.pos, d)
			return
		}
		var across, along scanned
		if dx > 0 {
			across = scanForward(rows, id)
		} else {
			across = scanBackward(rows, id)
		}
		if dy > 0 {
			along = scanForward(cols, tid)
		} else {
			along = scanBackward(cols, tid)
		}
		if ay == 0 && (gx-x)*dx > 0 && ax <= across.cells {
			q.reach(gx, gy, g+int64(ax)*one, j.pos, h)
		} else if across.turn {
			q.reach(x+dx*across.cells, y, g+int64(across.cells)*one, j.pos, h)
		}
		if ax == 0 && (gy-y)*dy > 0 && ay <= along.cells {
			q.reach(gx, gy, g+int64(ay)*one, j.pos, v)
		} else if along.turn {
			q.reach(x, y+dy*along.cells, g+int64(along.cells)*one, j.pos, v)
		}
		if across.cells == 1 && !across.turn || along.cells == 1 && !along.turn || !rows.get(id+shift) {
			return
		}
		if f > far {
			q.reach(x, y, g, j.pos, d+markGoOn)
			return
		}
	}
}

// diagonalCut walks diagonally where corners may be cut; it ends where a step
// to the side is worth making that was not before.
func (j *jump) diagonalCut(x, y int32, d int, prune *pruneTable) {
	r := &j.q.run
	s := r.rows
	dx, dy := dirX[d], dirY[d]
	h, v := int(beside[d][1]), int(beside[d][0])
	shift := dy*s.stride + dx
	onward := uint8(1)<<d | 1<<h | 1<<v
	id := s.id(x, y)
	g := j.g
	for {
		x, y, id = x+dx, y+dy, id+shift
		g += r.units.diag
		if g+r.estimate(Cell{x, y}) >= r.best {
			if r.best > r.limit {
				r.cut = true
			}
			return
		}
		worth := prune[d][s.around(id)]
		if worth&^onward != 0 || x == r.to.X && y == r.to.Y {
			j.q.reach(x, y, g, j.pos, d)
			return
		}
		if worth>>h&1 == 1 {
			j.straight(x, y, h, g)
		}
		if worth>>v&1 == 1 {
			j.straight(x, y, v, g)
		}
		if worth>>d&1 == 0 {
			return
		}
	}
}

// upright walks up or down where there are four neighbours.
func (j *jump) upright(x, y int32, d int) {
	r := &j.q.run
	g := j.g
	for {
		y += dirY[d]
		g += r.units.one
		if !r.rows.get(r.rows.id(x, y)) {
			return
		}
		if g+r.estimate(Cell{x, y}) >= r.best {
			if r.best > r.limit {
				r.cut = true
			}
			return
		}
		if x == r.to.X && y == r.to.Y {
			j.q.reach(x, y, g, j.pos, d)
			return
		}
		j.straight(x, y, dirE, g)
		j.straight(x, y, dirW, g)
	}
}

// reach opens a node, or lowers its cost.
func (q *Query) reach(x, y int32, cost int64, parent uint32, d int) {
	r := &q.run
	nd := &q.nodes[r.rows.id(x, y)]
	if nd.mark>>markBits == q.epoch && nd.g <= cost {
		return
	}
	f := cost + r.estimate(Cell{x, y})
	if f >= r.best {
		r.cut = r.cut || f > r.limit
		return
	}
	*nd = node{g: cost, parent: parent, mark: q.epoch<<markBits | uint32(d)}
	r.pushed++
	at := uint32(y)<<16 | uint32(x)
	if at == r.goal {
		r.best = cost
		return
	}
	q.open.push(f, at)
}
