package grid

// expandAStar is A* (Hart, Nilsson and Raphael 1968) on squares without costs.
// Steps that are not worth making are not made, so that on open ground every
// cell is generated about once instead of eight times (canonical A*, Sturtevant
// and Rabin 2016).
func (q *Query) expandAStar(n int) bool {
	r := &q.run
	s := r.rows
	nodes := q.nodes
	prune := &squareTables[tableIndex(r.opts.Moves)].prune
	one, diag := r.units.one, r.units.diag
	rise := diag - one // of the octile estimate with the smaller difference
	if r.opts.Moves.Neighbours == Four {
		rise = one
	}
	step := [8]int64{diag, one, diag, one, one, diag, one, diag}
	shift := [8]int32{-s.stride - 1, -s.stride, -s.stride + 1, -1, 1, s.stride - 1, s.stride, s.stride + 1}
	mark := q.epoch << markBits
	gx, gy := r.to.X, r.to.Y
	watched := q.watches()
	for n > 0 {
		pos, ok := q.open.pop()
		if !ok || r.best <= r.limit && q.open.floor() >= r.best {
			return true
		}
		x, y := int32(pos&0xffff), int32(pos>>16)
		id := s.id(x, y)
		nd := &nodes[id]
		if nd.mark&markClosed != 0 {
			continue
		}
		g := nd.g
		if r.best <= r.limit && g+octile(x-gx, y-gy, one, one+rise) >= r.best {
			continue
		}
		dir := nd.mark & markDir
		nd.mark |= markClosed
		n--
		r.expanded++
		if watched {
			q.watch(pos, g)
		}
		for worth := prune[dir][s.around(id)]; worth != 0; worth &= worth - 1 {
			d := firstBit(worth)
			to := &nodes[id+shift[d]]
			cost := g + step[d]
			if to.mark>>markBits == q.epoch && to.g <= cost {
				continue
			}
			cx, cy := x+dirX[d], y+dirY[d]
			f := cost + octile(cx-gx, cy-gy, one, one+rise)
			if f >= r.best {
				r.cut = r.cut || f > r.limit
				continue
			}
			*to = node{g: cost, parent: pos, mark: mark | uint32(d)}
			r.pushed++
			at := uint32(cy)<<16 | uint32(cx)
			if at == r.goal {
				r.best = cost
				continue
			}
			q.open.push(f, at)
		}
	}
	return false
}

// expandGeneral is A* on hexagons and on grounds with costs.
func (q *Query) expandGeneral(n int) bool {
	r := &q.run
	s := r.rows
	nodes := q.nodes
	hex := r.opts.Moves.Neighbours == Six
	allowed := &squareTables[tableIndex(r.opts.Moves)].step
	var costs []uint16
	if r.weighted {
		costs = r.m.costs
	}
	one, diag := r.units.one, r.units.diag
	step := [8]int64{diag, one, diag, one, one, diag, one, diag}
	shift := [8]int32{-s.stride - 1, -s.stride, -s.stride + 1, -1, 1, s.stride - 1, s.stride, s.stride + 1}
	mark := q.epoch << markBits
	watched := q.watches()
	for n > 0 {
		it, ok := q.heap.pop()
		if !ok || it.f >= r.best {
			return true
		}
		pos := it.pos
		x, y := int32(pos&0xffff), int32(pos>>16)
		id := s.id(x, y)
		nd := &nodes[id]
		if nd.mark&markClosed != 0 {
			continue
		}
		g := nd.g
		nd.mark |= markClosed
		n--
		r.expanded++
		if watched {
			q.watch(pos, g)
		}
		steps := s.around(id)
		switch {
		case !hex:
			steps = allowed[steps]
		case y&1 == 0:
			steps &= maskHexEven
		default:
			steps &= maskHexOdd
		}
		for ; steps != 0; steps &= steps - 1 {
			d := firstBit(steps)
			to := &nodes[id+shift[d]]
			cost := step[d]
			if costs != nil {
				cost *= int64(costs[id+shift[d]])
			}
			cost += g
			if to.mark>>markBits == q.epoch && to.g <= cost {
				continue
			}
			c := Cell{x + dirX[d], y + dirY[d]}
			h := r.estimate(c)
			if cost+h >= r.best {
				r.cut = r.cut || cost+h > r.limit
				continue
			}
			*to = node{g: cost, parent: pos, mark: mark | uint32(d)}
			r.pushed++
			at := pack(c)
			if at == r.goal {
				r.best = cost
				continue
			}
			q.heap.push(heapItem{f: cost + h, rest: uint32(h >> 24), pos: at})
		}
	}
	return false
}
