package grid

// expandJPSPlus is jump point search over a table of jump distances (JPS+,
// Harabor and Grastien 2014). Like expandJPS it passes the places where a
// diagonal only turns straight; the goal, which the table does not know, is
// looked for where a jump comes by its row or column.
func (q *Query) expandJPSPlus(n int) bool {
	r := &q.run
	s := r.rows
	prune := &squareTables[tableIndex(r.opts.Moves)].prune
	jumps := r.opts.Jumps.jump
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
		id := s.id(x, y)
		for w.worth != 0 {
			d := w.next()
			switch {
			case maskDiagonal>>d&1 == 1:
				j.tableDiagonal(x, y, d, jumps, prune)
			case r.opts.Moves.Neighbours == Four && (d == dirN || d == dirS):
				j.tableUpright(x, y, d, jumps)
			default:
				j.tableStraight(x, y, d, j.g, jumps[id*8+int32(d)])
			}
		}
	}
	return false
}

// tableStraight makes the straight jump of length far from (x, y), which costs
// g.
func (j *jump) tableStraight(x, y int32, d int, g int64, far int16) {
	r := &j.q.run
	free := int32(far)
	if free < 0 {
		free = -free
	}
	if away := goalAhead(x, y, d, r.to); away > 0 && away <= free {
		j.q.reach(r.to.X, r.to.Y, g+int64(away)*r.units.one, j.pos, d)
	} else if far > 0 {
		j.q.reach(x+dirX[d]*free, y+dirY[d]*free, g+int64(free)*r.units.one, j.pos, d)
	}
}

// tableDiagonal makes diagonal jumps until the way ends, or a step to the side
// is worth making (only where corners may be cut).
func (j *jump) tableDiagonal(x, y int32, d int, jumps []int16, prune *pruneTable) {
	q := j.q
	r := &q.run
	s := r.rows
	dx, dy := dirX[d], dirY[d]
	h, v := int(beside[d][1]), int(beside[d][0])
	onward := uint8(1)<<d | 1<<h | 1<<v
	gx, gy := (r.to.X-x)*dx, (r.to.Y-y)*dy // how far the goal lies ahead
	meet := min(gx, gy)                    // steps until its row or column
	g := j.g
	f := g + r.estimate(Cell{x, y})
	far := f + j.patience
	for {
		id := s.id(x, y)
		k := int32(jumps[id*8+int32(d)])
		steps := max(k, -k)
		if meet > 0 && meet <= steps {
			at := id + meet*(dy*s.stride+dx)
			cost := g + int64(meet)*r.units.diag
			j.meetGoal(at, h, gx-meet, cost, jumps)
			j.meetGoal(at, v, gy-meet, cost, jumps)
		}
		if k <= 0 {
			return
		}
		x, y = x+dx*k, y+dy*k
		id = s.id(x, y)
		meet, gx, gy = meet-k, gx-k, gy-k
		g += int64(k) * r.units.diag
		f = g + r.estimate(Cell{x, y})
		if f >= r.best {
			r.cut = r.cut || f > r.limit
			return
		}
		if r.opts.Moves.Corners != Never && prune[d][s.around(id)]&^onward != 0 {
			q.reach(x, y, g, j.pos, d)
			return
		}
		row := jumps[id*8 : id*8+8]
		if t := int32(row[h]); t > 0 {
			q.reach(x+dx*t, y, g+int64(t)*r.units.one, j.pos, h)
		}
		if t := int32(row[v]); t > 0 {
			q.reach(x, y+dy*t, g+int64(t)*r.units.one, j.pos, v)
		}
		if f > far && row[d] != 0 {
			q.reach(x, y, g, j.pos, d+markGoOn)
			return
		}
	}
}

// meetGoal reaches the goal if it lies away cells from the cell id in the
// straight direction d, on its line, and nothing is between.
func (j *jump) meetGoal(id int32, d int, away int32, g int64, jumps []int16) {
	r := &j.q.run
	free := int32(jumps[id*8+int32(d)])
	if away < 0 || away > max(free, -free) {
		return
	}
	if id+away*(dirY[d]*r.rows.stride+dirX[d]) == r.rows.id(r.to.X, r.to.Y) {
		j.q.reach(r.to.X, r.to.Y, g+int64(away)*r.units.one, j.pos, d)
	}
}

// tableUpright makes jumps up or down where there are four neighbours.
func (j *jump) tableUpright(x, y int32, d int, jumps []int16) {
	q := j.q
	r := &q.run
	s := r.rows
	dy := dirY[d]
	meet := (r.to.Y - y) * dy // steps until the goal's row
	g := j.g
	for {
		id := s.id(x, y)
		k := int32(jumps[id*8+int32(d)])
		if meet > 0 && meet <= max(k, -k) {
			at := id + meet*dy*s.stride
			cost := g + int64(meet)*r.units.one
			j.meetGoal(at, dirE, r.to.X-x, cost, jumps)
			j.meetGoal(at, dirW, x-r.to.X, cost, jumps)
		}
		if k <= 0 {
			return
		}
		y += dy * k
		id = s.id(x, y)
		meet -= k
		g += int64(k) * r.units.one
		if f := g + r.estimate(Cell{x, y}); f >= r.best {
			r.cut = r.cut || f > r.limit
			return
		}
		row := jumps[id*8 : id*8+8]
		if t := int32(row[dirE]); t > 0 {
			q.reach(x+t, y, g+int64(t)*r.units.one, j.pos, dirE)
		}
		if t := int32(row[dirW]); t > 0 {
			q.reach(x-t, y, g+int64(t)*r.units.one, j.pos, dirW)
		}
	}
}
