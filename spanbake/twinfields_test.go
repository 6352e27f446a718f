package spanbake

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// twinRecord is a record of the grid with its fields.
type twinRecord struct {
	y, x, region, h          int
	flags, clr, clr2, steps  int
	steps2, seg, tax, medial int
	component                int
}

// twinGraph is the graph of the components of a region.
type twinGraph struct {
	components int
	edges      [][2]int
}

// mask is a set of cells.
type mask map[cell]bool

// twinRegion is one region of the twin.
type twinRegion struct {
	t       *twin
	id      int
	layer   mask
	core    mask
	ghosts  map[cell]int
	heights map[cell][]int // spans and ghosts of the region
	stack   map[cell][]int // spans of all regions and ghosts of this one
	steps   map[cell]int
	steps2  map[cell]int
}

func (t *twin) region(id int) *twinRegion {
	g := &twinRegion{t: t, id: id, layer: mask{}, core: mask{}, ghosts: map[cell]int{}, heights: map[cell][]int{}, stack: map[cell][]int{}}
	protect := mask{}
	for c, col := range t.columns {
		for _, s := range col {
			protect[c] = protect[c] || s.dead
			g.stack[c] = append(g.stack[c], s.h)
			if s.region == id {
				g.heights[c] = append(g.heights[c], s.h)
				g.layer[c], g.core[c] = true, s.inside
			}
		}
	}
	real := maps.Clone(g.layer)
	t.fill(g.layer, protect)
	t.fill(g.core, protect)
	t.close(g.core, g.layer, protect)
	for c := range g.layer {
		if !real[c] {
			g.ghosts[c] = math.MaxInt
		}
	}
	for range 7 {
		next := maps.Clone(g.ghosts)
		for c := range g.ghosts {
			for _, d := range twinNear {
				o := c.add(d, 1)
				if h, ghost := g.ghosts[o]; ghost {
					next[c] = min(next[c], h)
				} else if real[o] {
					next[c] = min(next[c], g.heights[o][0])
				}
			}
		}
		g.ghosts = next
	}
	for c, h := range g.ghosts {
		g.heights[c] = []int{h}
		g.stack[c] = append(g.stack[c], h)
		slices.Sort(g.stack[c])
	}
	return g
}

// fill fills the holes of up to 32 cells without a protected one.
func (t *twin) fill(m, protect mask) {
	seen := mask{}
	for _, c := range t.all() {
		if m[c] || seen[c] {
			continue
		}
		hole, open := []cell{c}, false
		seen[c] = true
		for i := 0; i < len(hole); i++ {
			h := hole[i]
			open = open || protect[h] || h.x == t.x0 || h.y == t.y0 || h.x == t.x0+t.nx-1 || h.y == t.y0+t.ny-1
			for _, d := range twinNear {
				o := h.add(d, 1)
				if t.has(o) && !m[o] && !seen[o] {
					seen[o] = true
					hole = append(hole, o)
				}
			}
		}
		if !open && len(hole) <= 32 {
			for _, h := range hole {
				m[h] = true
			}
		}
	}
}

func (t *twin) has(c cell) bool {
	return c.x >= t.x0 && c.y >= t.y0 && c.x < t.x0+t.nx && c.y < t.y0+t.ny
}

// close closes cracks up to three cells wide.
func (t *twin) close(core, layer, protect mask) {
	for range 4 {
		var add []cell
		for c := range layer {
			if core[c] || protect[c] {
				continue
			}
			for _, d := range [2]cell{{1, 0}, {0, 1}} {
				if (core[c.add(d, 1)] || core[c.add(d, 2)]) && (core[c.add(d, -1)] || core[c.add(d, -2)]) {
					add = append(add, c)
				}
			}
		}
		for _, c := range add {
			core[c] = true
		}
	}
}

// disc holds the steps up to 47 and some cells long, the shortest first.
var disc = func() (list []cell) {
	for y := -48; y <= 48; y++ {
		for x := -48; x <= 48; x++ {
			if x*x+y*y < 2304 {
				list = append(list, cell{x, y})
			}
		}
	}
	slices.SortFunc(list, func(a, b cell) int { return cmp.Compare(a.x*a.x+a.y*a.y, b.x*b.x+b.y*b.y) })
	return list
}()

// distance is the square of the distance to the nearest cell that stops, at most
// 48 cells.
func distance(c cell, stops func(cell) bool) int {
	for _, d := range disc {
		if stops(c.add(d, 1)) {
			return d.x*d.x + d.y*d.y
		}
	}
	return 2304
}

// rise is the rule for one move of the grid, without drops or with them.
func (g *twinRegion) rise(c, d cell, h0, h1 int, drop bool) bool {
	level := func(s, h, tol int) bool {
		return slices.ContainsFunc(g.stack[c.add(d, s)], func(v int) bool { return abs(v-h) <= tol })
	}
	face := func(c cell) bool {
		s := g.stack[c]
		return len(s) > 0 && len(s) != 2 && s[len(s)-1]-s[0] > 192
	}
	dh := h1 - h0
	switch {
	case dh < -192 && !drop:
		return false
	case dh < -192 && (level(1, h0, 192) || level(2, h0, 192) || level(3, h0, 192) || level(4, h0, 192)):
		return false
	case dh <= 16:
		return true
	case d.x != 0 && d.y != 0 && dh <= 22:
		return true
	case face(c) || face(c.add(d, 1)):
		return false
	case dh <= 32:
		return true
	case dh > 80:
		return false
	}
	for s := 2; s <= 3; s++ {
		if level(s, h0, 32) && !level(s, h1, 32) {
			return true
		}
	}
	for s := 1; s <= 2; s++ {
		if level(-s, h1, 32) && !level(-s, h0, 32) {
			return true
		}
	}
	return false
}

// passable reports whether some pair of heights lets one move.
func (g *twinRegion) passable(c, d cell) bool {
	for _, a := range g.heights[c] {
		for _, b := range g.heights[c.add(d, 1)] {
			if g.rise(c, d, a, b, false) {
				return true
			}
		}
	}
	return false
}

// upLimit is how far a slope may rise over a move.
func upLimit(d cell) int {
	if d.x != 0 && d.y != 0 {
		return 22
	}
	return 16
}

// judge finds the steps that are forbidden, at first and when looked at again.
func (g *twinRegion) judge() {
	g.steps, g.steps2 = map[cell]int{}, map[cell]int{}
	for c, heights := range g.heights {
		for i, d := range twinDirs[:4] {
			best, up := math.MaxInt, false
			for _, a := range heights {
				for _, b := range g.heights[c.add(d, 1)] {
					if abs(a-b) < best {
						best, up = abs(a-b), b > a
					}
				}
			}
			switch {
			case best == math.MaxInt || best <= upLimit(d):
			case up:
				g.steps[c] |= 1 << (2 * i)
				if !g.passable(c, d) {
					g.steps2[c] |= 1 << (2 * i)
				}
			default:
				g.steps[c] |= 2 << (2 * i)
				if !g.passable(c.add(d, 1), cell{-d.x, -d.y}) {
					g.steps2[c] |= 2 << (2 * i)
				}
			}
		}
	}
}

func (g *twinRegion) seg(c cell) (bits int) {
	extent := func(h []int) int {
		if len(h) == 0 {
			return 0
		}
		return h[len(h)-1] - h[0]
	}
	for i, d := range twinDirs[:2] {
		if g.steps[c]>>(2*i)&3 == 0 {
			continue
		}
		a, b := g.heights[c], g.heights[c.add(d, 1)]
		gap := math.MaxInt
		for _, x := range a {
			for _, y := range b {
				gap = min(gap, abs(x-y))
			}
		}
		if extent(a) > 192 || extent(b) > 192 || g.steps2[c]>>(2*i)&3 != 0 && gap >= 80 {
			bits |= 1 << i
		}
	}
	return bits
}

func (g *twinRegion) tax(c cell) (bits int) {
	for k, d := range twinDirs {
		passes, gentle := false, false
		for _, a := range g.heights[c] {
			for _, b := range g.heights[c.add(d, 1)] {
				if g.rise(c, d, a, b, false) {
					passes = true
					gentle = gentle || b-a <= upLimit(d)
				}
			}
		}
		if passes && !gentle {
			bits |= 1 << (2*(k%4) + k/4)
		}
	}
	return bits
}

// free tells the cells that no wall of the region passes but those where the
// floor goes on as if there were none.
func (g *twinRegion) free() func(cell) bool {
	hit := mask{}
	for i, list := range g.t.keeps {
		if slices.Contains(list, g.id) {
			for _, c := range g.t.edges[i].cells(0.05) {
				hit[c] = true
			}
		}
	}
	return func(c cell) bool {
		if !hit[c] {
			return true
		}
		left, down := c.add(cell{1, 0}, -1), c.add(cell{0, 1}, -1)
		seam := g.core[c] && g.steps2[c]&0x0f == 0 && g.steps2[left]&0x03 == 0 && g.steps2[down]&0x0c == 0
		for _, d := range twinNear {
			seam = seam && g.core[c.add(d, 1)]
		}
		return seam
	}
}

// medial returns the cells whose neighbours are nearer to other obstacles.
func (g *twinRegion) medial(clr2 map[cell]int) mask {
	t := g.t
	source := map[cell]cell{}
	for _, c := range t.all() {
		if clr2[c] == 0 {
			source[c] = c
		}
	}
	far := func(a, b cell) int { return (a.x-b.x)*(a.x-b.x) + (a.y-b.y)*(a.y-b.y) }
	take := func(c cell, dx, dy int) {
		s, ok := source[c.add(cell{dx, dy}, 1)]
		if !ok {
			return
		}
		if mine, have := source[c]; !have || far(c, s) < far(c, mine) {
			source[c] = s
		}
	}
	for y := range t.ny {
		for x := range t.nx {
			c := cell{t.x0 + x, t.y0 + y}
			take(c, 0, -1)
			take(c, -1, -1)
			take(c, 1, -1)
			take(c, -1, 0)
		}
		for x := t.nx - 1; x >= 0; x-- {
			take(cell{t.x0 + x, t.y0 + y}, 1, 0)
		}
	}
	for y := t.ny - 1; y >= 0; y-- {
		for x := t.nx - 1; x >= 0; x-- {
			c := cell{t.x0 + x, t.y0 + y}
			take(c, 0, 1)
			take(c, -1, 1)
			take(c, 1, 1)
			take(c, 1, 0)
		}
		for x := range t.nx {
			take(cell{t.x0 + x, t.y0 + y}, -1, 0)
		}
	}
	out := mask{}
	for c, d := range clr2 {
		for _, n := range twinDirs {
			o, ok := source[c.add(n, 1)]
			out[c] = out[c] || ok && 0 < d && d < 2304 && far(o, source[c]) >= 4
		}
	}
	return out
}

// bake returns the records of the zone and the graph of each region.
func (t *twin) bake() (records []twinRecord, graphs []twinGraph) {
	for id := 1; id <= t.regions; id++ {
		g := t.region(id)
		g.judge()
		free := g.free()
		clr, clr2 := map[cell]int{}, map[cell]int{}
		for c, in := range g.core {
			if in {
				clr[c] = distance(c, func(o cell) bool { return !g.core[o] })
				clr2[c] = min(clr[c], distance(c, func(o cell) bool { return !free(o) }))
			}
		}
		medial := g.medial(clr2)
		var list []twinRecord
		for _, c := range t.all() {
			if !g.layer[c] {
				continue
			}
			r := twinRecord{
				y: c.y, x: c.x, region: id, clr: clr[c], clr2: clr2[c],
				steps: g.steps[c], steps2: g.steps2[c], seg: g.seg(c), tax: g.tax(c),
			}
			if g.core[c] {
				r.flags |= 0x02 | 0x04
			}
			if medial[c] {
				r.medial = 1
			}
			if h, ghost := g.ghosts[c]; ghost {
				r.h, r.flags = h, r.flags|0x08
				list = append(list, r)
				continue
			}
			for _, s := range t.columns[c] {
				if s.region == id {
					s2 := r
					s2.h = s.h
					if s.dead {
						s2.flags |= 0x01
					}
					list = append(list, s2)
				}
			}
		}
		graphs = append(graphs, g.components(list))
		records = append(records, list...)
	}
	sortTwin(records)
	return records, graphs
}

func sortTwin(list []twinRecord) {
	slices.SortFunc(list, func(a, b twinRecord) int {
		return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x), cmp.Compare(a.region, b.region), cmp.Compare(a.h, b.h))
	})
}

// components numbers the records of a region, which are in order: those belong
// together that can be reached from one another.
func (g *twinRegion) components(list []twinRecord) twinGraph {
	at := map[cell][]int{}
	for i := range list {
		c := cell{list[i].x, list[i].y}
		at[c] = append(at[c], i)
	}
	to, from := make([][]int, len(list)), make([][]int, len(list))
	for i := range list {
		c := cell{list[i].x, list[i].y}
		for _, d := range twinDirs {
			for _, k := range at[c.add(d, 1)] {
				if g.rise(c, d, list[i].h, list[k].h, true) {
					to[i], from[k] = append(to[i], k), append(from[k], i)
				}
			}
		}
	}
	reach := func(start int, next [][]int) []bool {
		seen := make([]bool, len(list))
		seen[start] = true
		for todo := []int{start}; len(todo) > 0; {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, k := range next[i] {
				if !seen[k] {
					seen[k] = true
					todo = append(todo, k)
				}
			}
		}
		return seen
	}
	var out twinGraph
	for i := range list {
		if list[i].component > 0 {
			continue
		}
		out.components++
		there, back := reach(i, to), reach(i, from)
		for k := range list {
			if there[k] && back[k] {
				list[k].component = out.components
			}
		}
	}
	edges := map[[2]int]bool{}
	for i := range list {
		for _, k := range to[i] {
			if e := [2]int{list[i].component, list[k].component}; e[0] != e[1] {
				edges[e] = true
			}
		}
	}
	out.edges = slices.SortedFunc(maps.Keys(edges), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return out
}
