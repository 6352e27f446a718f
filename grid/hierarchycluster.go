package grid

import "math"

// hierCluster is one cluster. It depends on its own cells, on those that touch
// it, and on the least cost in the clusters at its four sides; and it knows of no
// other cluster, so that hierarchies can share it.
type hierCluster struct {
	w, h  int32
	costs []uint16 // by y*w+x; nil if all are 1
	least uint16   // of the passable cells, MaxUint16 if there is none
	gates []gate
	part  []uint16  // by gate: the first gate of all that can be reached inside
	dist  []float32 // [from*gates+to], rounded down; +Inf where there is no way inside
	at    []int16   // gate by place on the rim, -1 for none
	open  bool      // all cells are passable, at cost 1
}

// gate is a cell on the rim of a cluster from which a step leads to a gate of
// another cluster.
type gate struct {
	x, y  uint8  // in the cluster
	reach uint8  // crossings up to so far along the border use this gate
	run   uint16 // number of its entrance in the cluster, where reach is not 0
}

func (c *hierCluster) size() int {
	n := len(c.gates)
	return 4*n*n + 6*n + 2*len(c.costs) + 2*len(c.at) + 160
}

// rim numbers the places on the edge of a cluster.
func (c *hierCluster) rim(x, y int32) int32 {
	switch {
	case y == 0:
		return x
	case y == c.h-1:
		return c.w + x
	case x == 0:
		return 2*c.w + y
	}
	return 2*c.w + c.h + y
}

// newCluster reads the costs of a cluster.
func (h *Hierarchy) newCluster(i int32) *hierCluster {
	x0, y0 := i%h.nx*h.side, i/h.nx*h.side
	c := &hierCluster{w: min(h.side, h.rows.w-x0), h: min(h.side, h.rows.h-y0), least: math.MaxUint16}
	m, _ := h.of.ground()
	same, free := true, true
	for y := range c.h {
		for id := h.rows.id(x0, y0+y); id < h.rows.id(x0+c.w, y0+y); id++ {
			cost := uint16(costScale)
			if m.costs != nil {
				cost = m.costs[id]
			}
			same = same && cost == costScale
			if h.rows.get(id) {
				c.least = min(c.least, cost)
			} else {
				free = false
			}
		}
	}
	c.open = same && free
	if !same {
		c.costs = make([]uint16, 0, c.w*c.h)
		for y := range c.h {
			id := h.rows.id(x0, y0+y)
			c.costs = append(c.costs, m.costs[id:id+c.w]...)
		}
	}
	return c
}

func (c *hierCluster) cost(x, y int32) uint16 {
	if c.costs == nil {
		return costScale
	}
	return c.costs[y*c.w+x]
}

// cost returns the cost of a cell.
func (h *Hierarchy) cost(c Cell) uint16 {
	cx, cy := c.X/h.side, c.Y/h.side
	return h.clusters[cy*h.nx+cx].cost(c.X-cx*h.side, c.Y-cy*h.side)
}

// steps returns the steps that may be made from a free cell.
func (h *Hierarchy) steps(c Cell) uint8 {
	return stepsFrom(&h.rows, h.opts.Moves, c.X, c.Y)
}

func stepsFrom(s *surface, mv Moves, x, y int32) uint8 {
	around := s.around(s.id(x, y))
	switch {
	case mv.Neighbours != Six:
		return squareTables[tableIndex(mv)].step[around]
	case y&1 == 0:
		return around & maskHexEven
	}
	return around & maskHexOdd
}

// setGates chooses the gates of a cluster.
func (h *Hierarchy) setGates(i int32) {
	c := h.clusters[i]
	cx, cy := i%h.nx, i/h.nx
	x0, y0 := cx*h.side, cy*h.side
	c.at = make([]int16, 2*(c.w+c.h))
	for k := range c.at {
		c.at[k] = -1
	}
	b := &gateSetter{h: h, c: c, x0: x0, y0: y0}
	right, down := x0+c.w-1, y0+c.h-1
	if cy > 0 {
		b.border(h.clusters[i-h.nx], Cell{x0, y0}, dirN, dirE, c.w)
	}
	if cx > 0 {
		b.border(h.clusters[i-1], Cell{x0, y0}, dirW, dirS, c.h)
	}
	if cx < h.nx-1 {
		b.border(h.clusters[i+1], Cell{right, y0}, dirE, dirS, c.h)
	}
	if cy < h.ny-1 {
		b.border(h.clusters[i+h.nx], Cell{x0, down}, dirS, dirE, c.w)
	}
	for _, k := range [4]struct {
		at Cell
		d  uint8
	}{{Cell{x0, y0}, dirNW}, {Cell{right, y0}, dirNE}, {Cell{x0, down}, dirSW}, {Cell{right, down}, dirSE}} {
		if b.leads(k.at, k.d) {
			b.add(k.at, 0)
		}
	}
}

// gateSetter adds the gates of one cluster.
type gateSetter struct {
	h      *Hierarchy
	c      *hierCluster
	x0, y0 int32
	run    uint16
}

func (b *gateSetter) add(at Cell, reach int32) {
	x, y := at.X-b.x0, at.Y-b.y0
	k := &b.c.at[b.c.rim(x, y)]
	if *k >= 0 {
		b.c.gates[*k].reach = min(b.c.gates[*k].reach, uint8(reach))
		return
	}
	*k = int16(len(b.c.gates))
	b.c.gates = append(b.c.gates, gate{uint8(x), uint8(y), uint8(reach), b.run})
}

// leads reports whether the cell is free and a step that way may be made.
func (b *gateSetter) leads(at Cell, d uint8) bool {
	return b.h.rows.get(b.h.rows.id(at.X, at.Y)) && b.h.steps(at)>>d&1 == 1
}

// border sets the gates along one side of the cluster: n cells from at on in
// direction along, which face the other cluster in direction out. Both
// clusters choose the same places. Cells at the ends of a side are looked
// at once more for the corner, where three clusters meet.
func (b *gateSetter) border(other *hierCluster, at Cell, out, along uint8, n int32) {
	h := b.h
	least := min(b.c.least, other.least)
	place := func(i int32) Cell { return Cell{at.X + i*dirX[along], at.Y + i*dirY[along]} }
	// A row of the border is 0 if it cannot be crossed straight on, 1 if it can,
	// 2 if it may be part of an entrance.
	var kind [256]uint8
	for i := range n {
		p := place(i)
		if !b.leads(p, out) {
			continue
		}
		kind[i] = 1
		q := Cell{p.X + dirX[out], p.Y + dirY[out]}
		if h.cost(p) == least && h.cost(q) == least {
			kind[i] = 2
		}
	}
	for i := int32(0); i < n; {
		from := i
		if kind[i] != 2 {
			if i++; kind[from] == 1 {
				b.add(place(from), 0)
			}
			continue
		}
		for i < n && kind[i] == 2 {
			i++
		}
		b.entrance(place, from, i)
	}
	// Diagonal crossings that no entrance covers are gates of their own: both
	// this cluster's cell and the other's, which the other sees in its turn.
	for i := range n {
		p := place(i)
		q := Cell{p.X + dirX[out], p.Y + dirY[out]}
		for _, k := range [2]int32{i - 1, i + 1} {
			if k < 0 || k >= n || kind[i] == 2 && kind[k] == 2 {
				continue
			}
			d := direction(p, Cell{q.X + (k-i)*dirX[along], q.Y + (k-i)*dirY[along]})
			if b.leads(p, uint8(d)) {
				b.add(p, 0)
			}
		}
	}
}

// entrance sets the gates of the rows [from, to) of a border.
func (b *gateSetter) entrance(place func(int32) Cell, from, to int32) {
	b.run++
	depth := func(i int32) int32 { return min(i-from, to-1-i) }
	for i := from; i < to; {
		reach := int32(0)
		for k := int32(1); i+2*k < to && k < 128; k++ {
			if float64(k)+0.5 > b.h.slope*float64(min(depth(i), depth(i+2*k))) {
				break
			}
			reach = k
		}
		b.add(place(i+reach), reach)
		i += 2*reach + 1
	}
}

// measure computes the costs between the gates of a cluster.
func (h *Hierarchy) measure(f *hierFlood, i int32) {
	c := h.clusters[i]
	x0, y0 := i%h.nx*h.side, i/h.nx*h.side
	n := len(c.gates)
	c.dist, c.part = make([]float32, n*n), make([]uint16, n)
	if n == 0 {
		return
	}
	f.load(h, x0, y0, c.w, c.h)
	if c.open {
		for i := range c.dist {
			a, b := c.gates[i/n], c.gates[i%n]
			d := f.estimate(Cell{int32(a.x), int32(a.y)}, Cell{int32(b.x), int32(b.y)})
			c.dist[i] = roundDown(float64(d) / f.units.scale)
		}
		return // parts are all 0
	}
	inf := float32(math.Inf(1))
	for from := range c.gates {
		f.search(Cell{int32(c.gates[from].x), int32(c.gates[from].y)}, nowhere, false)
		row := c.dist[from*n : (from+1)*n]
		c.part[from] = uint16(n)
		for to := range row {
			d, ok := f.cost(Cell{int32(c.gates[to].x), int32(c.gates[to].y)})
			if !ok {
				row[to] = inf
				continue
			}
			c.part[from] = min(c.part[from], uint16(to))
			row[to] = roundDown(d)
		}
	}
}

// roundDown returns the largest float32 that is not more than v, which is not
// negative.
func roundDown(v float64) float32 {
	f := float32(v)
	if float64(f) > v {
		f = math.Float32frombits(math.Float32bits(f) - 1)
	}
	return f
}
