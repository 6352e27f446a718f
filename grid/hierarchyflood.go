package grid

import "math"

// hierFlood searches a rectangle cut out of a hierarchy, from one cell to
// another or to all. Nothing outside the rectangle is entered.
type hierFlood struct {
	rows   surface
	x0, y0 int32
	moves  Moves
	costs  []uint16 // by id; empty where all are 1
	least  int64
	units  units

	nodes   []node
	epoch   uint32
	buckets bucketQueue
	heap    heapQueue
	from    int32 // id
	seen    int   // nodes expanded, by all searches
}

// nowhere as the goal of a search means everywhere.
var nowhere = Cell{-1, -1}

// load cuts out the w by h cells from (x0, y0) on.
func (f *hierFlood) load(h *Hierarchy, x0, y0, w, ht int32) {
	f.x0, f.y0, f.moves = x0, y0, h.opts.Moves
	s := &f.rows
	s.w, s.h, s.stride = w, ht, (w/8+1)*8
	n := s.ids()/8 + 2*guardBytes
	if cap(s.bits) < n {
		s.bits = make([]byte, n)
	}
	s.bits = s.bits[:n]
	clear(s.bits)
	for y := range ht {
		src := uint(h.rows.id(x0, y0+y)) + guardBits
		dst := (uint(s.id(0, y)) + guardBits) / 8
		for x := int32(0); x < w; x += 8 {
			b := byte(le(h.rows.bits, src>>3) >> (src & 7))
			if w-x < 8 {
				b &= 1<<(w-x) - 1
			}
			s.bits[dst] = b
			src += 8
			dst++
		}
	}
	if len(f.nodes) < s.ids() {
		f.nodes = make([]node, s.ids())
		f.epoch = 0
	}
	f.loadCosts(h)
}

// loadCosts copies the costs of the rectangle, if some cluster there has any.
func (f *hierFlood) loadCosts(h *Hierarchy) {
	s := &f.rows
	f.costs = f.costs[:0]
	f.least = 1
	f.units = units{one: oneUniform, diag: rootUniform, scale: oneUniform}
	cx0, cx1 := f.x0/h.side, (f.x0+s.w-1)/h.side
	cy0, cy1 := f.y0/h.side, (f.y0+s.h-1)/h.side
	some := false
	least := uint16(math.MaxUint16)
	for cy := cy0; cy <= cy1; cy++ {
		for cx := cx0; cx <= cx1; cx++ {
			c := h.clusters[cy*h.nx+cx]
			some = some || c.costs != nil
			least = min(least, c.least)
		}
	}
	if some {
		f.units = units{one: oneWeighted, diag: rootWeighted, scale: oneWeighted * costScale}
		f.least = int64(least)
		n := s.ids()
		if cap(f.costs) < n {
			f.costs = make([]uint16, n)
		}
		f.costs = f.costs[:n]
		for cy := cy0; cy <= cy1; cy++ {
			for cx := cx0; cx <= cx1; cx++ {
				f.copyCosts(h.clusters[cy*h.nx+cx], cx*h.side-f.x0, cy*h.side-f.y0)
			}
		}
	}
	if f.moves.Diagonal == Unit || f.moves.Neighbours != Eight {
		f.units.diag = f.units.one
	}
}

// copyCosts copies those of one cluster, whose first cell lies at (dx, dy) of
// the rectangle.
func (f *hierFlood) copyCosts(c *hierCluster, dx, dy int32) {
	s := &f.rows
	for y := max(0, -dy); y < c.h && y+dy < s.h; y++ {
		for x := max(0, -dx); x < c.w && x+dx < s.w; x++ {
			f.costs[s.id(x+dx, y+dy)] = c.cost(x, y)
		}
	}
}

// search runs from a cell of the rectangle to another, or with nowhere to all.
// If back is set, costs are those of the ways from everywhere to the cell.
// Of a search to one cell, only that one's cost and way may be asked for.
func (f *hierFlood) search(from, to Cell, back bool) {
	if f.epoch == lastEpoch {
		clear(f.nodes)
		f.epoch = 0
	}
	f.epoch++
	f.from = f.rows.id(from.X, from.Y)
	f.nodes[f.from] = node{mark: f.epoch<<markBits | dirNone}
	switch {
	case len(f.costs) > 0 || f.moves.Neighbours == Six:
		f.general(from, to, back)
	case to == nowhere:
		f.everywhere(from)
	default:
		f.pruned(from, to)
	}
}

// everywhere finds the costs of all cells, as expandAStar does, but it follows
// straight runs without the open list as long as nothing turns off: most
// cells never enter it. What such a run does too early is done again.
func (f *hierFlood) everywhere(from Cell) {
	s := &f.rows
	nodes := f.nodes
	prune := &squareTables[tableIndex(f.moves)].prune
	one, diag := f.units.one, f.units.diag
	step := [8]int64{diag, one, diag, one, one, diag, one, diag}
	shift := [8]int32{-s.stride - 1, -s.stride, -s.stride + 1, -1, 1, s.stride - 1, s.stride, s.stride + 1}
	mark := f.epoch << markBits
	f.buckets.reset(0)
	f.buckets.push(0, uint32(f.from)) // ids serve as places here
	for {
		at, ok := f.buckets.pop()
		if !ok {
			return
		}
		id := int32(at)
		nd := &nodes[id]
		if nd.mark&markClosed != 0 {
			continue
		}
		g := nd.g
		dir := nd.mark & markDir
		nd.mark |= markClosed
		f.seen++
		for worth := prune[dir][s.around(id)]; worth != 0; worth &= worth - 1 {
			d := firstBit(worth)
			only := uint8(1) << d & maskStraight // a straight run goes on while this is all
			next, cost := id, g
			for {
				next += shift[d]
				cost += step[d]
				to := &nodes[next]
				if to.mark>>markBits == f.epoch && to.g <= cost {
					break
				}
				on := prune[d][s.around(next)]
				if on != 0 && on != only {
					*to = node{g: cost, mark: mark | uint32(d)}
					f.buckets.push(cost, uint32(next))
					break
				}
				*to = node{g: cost, mark: mark | markClosed | uint32(d)}
				if on == 0 {
					break
				}
			}
		}
	}
}

// pruned is expandAStar in the rectangle.
func (f *hierFlood) pruned(from, to Cell) {
	s := &f.rows
	nodes := f.nodes
	prune := &squareTables[tableIndex(f.moves)].prune
	one, diag := f.units.one, f.units.diag
	rise := diag // of two steps that make a diagonal one
	if f.moves.Neighbours == Four {
		rise = 2 * one
	}
	step := [8]int64{diag, one, diag, one, one, diag, one, diag}
	shift := [8]int32{-s.stride - 1, -s.stride, -s.stride + 1, -1, 1, s.stride - 1, s.stride, s.stride + 1}
	mark := f.epoch << markBits
	goal, best := s.id(to.X, to.Y), noLimit
	if f.from == goal {
		return
	}
	h := octile(from.X-to.X, from.Y-to.Y, one, rise)
	f.buckets.reset(h)
	f.buckets.push(h, pack(from))
	for {
		pos, ok := f.buckets.pop()
		if !ok || f.buckets.floor() >= best {
			return
		}
		x, y := int32(pos&0xffff), int32(pos>>16)
		id := s.id(x, y)
		nd := &nodes[id]
		if nd.mark&markClosed != 0 {
			continue
		}
		g := nd.g
		dir := nd.mark & markDir
		nd.mark |= markClosed
		f.seen++
		for worth := prune[dir][s.around(id)]; worth != 0; worth &= worth - 1 {
			d := firstBit(worth)
			next := &nodes[id+shift[d]]
			cost := g + step[d]
			if next.mark>>markBits == f.epoch && next.g <= cost {
				continue
			}
			cx, cy := x+dirX[d], y+dirY[d]
			key := cost + octile(cx-to.X, cy-to.Y, one, rise)
			if key >= best {
				continue
			}
			*next = node{g: cost, mark: mark | uint32(d)}
			if id+shift[d] == goal {
				best = cost
				continue
			}
			f.buckets.push(key, uint32(cy)<<16|uint32(cx))
		}
	}
}

// general is the same for hexagons and costs.
func (f *hierFlood) general(from, to Cell, back bool) {
	s := &f.rows
	nodes := f.nodes
	one, diag := f.units.one, f.units.diag
	step := [8]int64{diag, one, diag, one, one, diag, one, diag}
	shift := [8]int32{-s.stride - 1, -s.stride, -s.stride + 1, -1, 1, s.stride - 1, s.stride, s.stride + 1}
	mark := f.epoch << markBits
	aim := to != nowhere
	goal, best := int32(-1), noLimit
	if aim {
		goal = s.id(to.X, to.Y)
	}
	if f.from == goal {
		return
	}
	f.heap.items = f.heap.items[:0]
	f.heap.push(heapItem{pos: pack(from)})
	for {
		it, ok := f.heap.pop()
		if !ok || it.f >= best {
			return
		}
		x, y := int32(it.pos&0xffff), int32(it.pos>>16)
		id := s.id(x, y)
		nd := &nodes[id]
		if nd.mark&markClosed != 0 {
			continue
		}
		nd.mark |= markClosed
		f.seen++
		leave := int64(1)
		if len(f.costs) > 0 && back {
			leave = int64(f.costs[id])
		}
		for steps := f.steps(x, y); steps != 0; steps &= steps - 1 {
			d := firstBit(steps)
			cost := step[d] * leave
			if len(f.costs) > 0 && !back {
				cost *= int64(f.costs[id+shift[d]])
			}
			cost += nd.g
			next := &nodes[id+shift[d]]
			if next.mark>>markBits == f.epoch && next.g <= cost {
				continue
			}
			c := Cell{x + dirX[d], y + dirY[d]}
			key := cost
			if aim {
				key += f.estimate(c, to)
				if key >= best {
					continue
				}
			}
			*next = node{g: cost, mark: mark | uint32(d)}
			if id+shift[d] == goal {
				best = cost
				continue
			}
			f.heap.push(heapItem{f: key, rest: uint32((key - cost) >> 24), pos: pack(c)})
		}
	}
}

// steps returns the steps from a cell of the rectangle. Which row is odd is
// told by the whole map.
func (f *hierFlood) steps(x, y int32) uint8 {
	around := f.rows.around(f.rows.id(x, y))
	switch {
	case f.moves.Neighbours != Six:
		return squareTables[tableIndex(f.moves)].step[around]
	case (y+f.y0)&1 == 0:
		return around & maskHexEven
	}
	return around & maskHexOdd
}

// estimate is a lower bound of the cost from a to b.
func (f *hierFlood) estimate(a, b Cell) int64 {
	one, diag := f.units.one*f.least, f.units.diag*f.least
	switch f.moves.Neighbours {
	case Six:
		return hexSteps(Cell{a.X, a.Y + f.y0}, Cell{b.X, b.Y + f.y0}) * one
	case Four:
		diag = 2 * one
	}
	return octile(a.X-b.X, a.Y-b.Y, one, diag)
}

// cost returns what the last search found for a cell of the rectangle.
func (f *hierFlood) cost(c Cell) (float64, bool) {
	nd := &f.nodes[f.rows.id(c.X, c.Y)]
	if nd.mark>>markBits != f.epoch {
		return 0, false
	}
	return float64(nd.g) / f.units.scale, true
}

// way appends the cells after the start of the last search up to a cell that it
// reached, as cells of the whole map.
func (f *hierFlood) way(dst []Cell, to Cell) []Cell {
	begin := len(dst)
	s := &f.rows
	shift := [8]int32{-s.stride - 1, -s.stride, -s.stride + 1, -1, 1, s.stride - 1, s.stride, s.stride + 1}
	for id := s.id(to.X, to.Y); id != f.from; {
		dst = append(dst, Cell{to.X + f.x0, to.Y + f.y0})
		d := f.nodes[id].mark & 7
		id -= shift[d]
		to = Cell{to.X - dirX[d], to.Y - dirY[d]}
	}
	for a, b := begin, len(dst)-1; a < b; a, b = a+1, b-1 {
		dst[a], dst[b] = dst[b], dst[a]
	}
	return dst
}
