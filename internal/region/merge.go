package region

import (
	"context"
	"errors"
	"slices"

	"wend/internal/heightfield"
)

// errOneWay says that a field breaks its promise; heightfield never builds one
// that does.
var errOneWay = errors.New("region: a cell links to a neighbour that does not link back")

// node is a region while regions are merged.
type node struct {
	cells int
	area  uint8
	seen  bool
	into  ID // the region this one was merged into; itself while it stands, 0 when removed
	// loops are its outlines, outer and holes: the regions across in the order
	// of the walk, no two equal ones in a row (cyclic), 0 for a wall.
	loops  [][]ID
	told   ID   // the last merged region whose new name it knows
	floors []ID // regions that share a column with it, by what they once were
}

// mergeAndFilter removes islands below o.MinArea, merges regions below
// o.MergeArea and makes the numbers dense. reg becomes part of the result.
func (s *scratch) mergeAndFilter(ctx context.Context, c *heightfield.Compact, reg []ID, last ID, o Options) (*Result, error) {
	nodes := make([]node, last+1)
	for id := range nodes {
		nodes[id].into = ID(id)
	}
	for i, r := range reg {
		if r != 0 && r&Border == 0 {
			nodes[r].cells++
			nodes[r].area = c.Area[i]
		}
	}
	if err := s.findLoops(ctx, c, reg, nodes); err != nil {
		return nil, err
	}
	if err := findFloors(ctx, c, reg, nodes); err != nil {
		return nil, err
	}
	removeIslands(nodes, o.MinArea)
	for mergeRound(ctx, nodes, o.MergeArea) {
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return &Result{Region: reg, Max: renumber(reg, nodes)}, nil
}

// findLoops walks the outlines of all regions and notes what lies across.
func (s *scratch) findLoops(ctx context.Context, c *heightfield.Compact, reg []ID, nodes []node) error {
	n := len(reg)
	nei := c.Nei[:n]
	edge := sized(s.edge, n)
	s.edge = edge
	for i, r := range reg {
		e := uint8(0)
		if r != 0 && r&Border == 0 {
			for dir, k := range nei[i] {
				if k < 0 || reg[k] != r {
					e |= 1 << dir
				}
			}
		}
		edge[i] = e
	}
	cyc := s.cyc[:0]
	for i := range n {
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for edge[i] != 0 {
			dir := uint8(0)
			for edge[i]&(1<<dir) == 0 {
				dir++
			}
			begin := len(cyc)
			var err error
			if cyc, err = s.walk(nei, reg, int32(i), dir, cyc); err != nil {
				return err
			}
			loop := cyc[begin:len(cyc):len(cyc)]
			if len(loop) > 1 && loop[0] == loop[len(loop)-1] {
				loop = loop[:len(loop)-1]
			}
			r := reg[i]
			nodes[r].loops = append(nodes[r].loops, slices.Clone(loop))
			cyc = cyc[:begin]
		}
	}
	s.cyc = cyc
	return nil
}

// walk follows the outline that starts at side dir of cell i with the region
// on its left, clears the sides it passes and appends the regions across.
func (s *scratch) walk(nei [][4]int32, reg []ID, i int32, dir uint8, out []ID) ([]ID, error) {
	edge := s.edge
	own, first, firstDir := reg[i], i, dir
	begin := len(out)
	for {
		across := ID(0)
		if k := nei[i][dir]; k >= 0 {
			across = reg[k]
		}
		if len(out) == begin || out[len(out)-1] != across {
			out = append(out, across)
		}
		if i != first || dir != firstDir {
			edge[i] &^= 1 << dir
		}
		// Turn round the corner at the end of this side until the next one.
		turn := 0
		for dir = (dir + 1) & 3; edge[i]&(1<<dir) == 0; dir = (dir + 3) & 3 {
			k := nei[i][dir]
			if turn++; turn > 3 || k < 0 || reg[k] != own {
				return out, errOneWay
			}
			i = k
		}
		if i == first && dir == firstDir {
			edge[i] &^= 1 << dir
			return out, nil
		}
	}
}

// findFloors notes which regions lie above each other.
func findFloors(ctx context.Context, c *heightfield.Compact, reg []ID, nodes []node) error {
	// Most pairs come again in the next column; of many storeys that alone
	// would fill the memory.
	var recent [1 << 12]uint64
	var pairs []uint64
	limit := 1 << 20
	for col := range c.W * c.D {
		if col%(1<<14) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		lo, hi := c.Start[col], c.Start[col+1]
		for i := lo; i+1 < hi; i++ {
			a := reg[i]
			if a == 0 || a&Border != 0 {
				continue
			}
			for k := i + 1; k < hi; k++ {
				b := reg[k]
				if b == 0 || b&Border != 0 {
					continue
				}
				pair := uint64(min(a, b))<<32 | uint64(max(a, b))
				slot := &recent[pair*0x9e3779b97f4a7c15>>(64-12)]
				if *slot != pair {
					*slot = pair
					pairs = append(pairs, pair)
				}
			}
		}
		if len(pairs) > limit {
			slices.Sort(pairs)
			pairs = slices.Compact(pairs)
			limit = max(limit, 2*len(pairs))
		}
	}
	slices.Sort(pairs)
	for _, pair := range slices.Compact(pairs) {
		a, b := ID(pair>>32), ID(pair&(1<<32-1))
		nodes[a].floors = append(nodes[a].floors, b)
		nodes[b].floors = append(nodes[b].floors, a)
	}
	return nil
}

// root returns what has become of region id: the one it is part of by now, 0
// when it was removed.
func root(nodes []node, id ID) ID {
	for nodes[id].into != id {
		nodes[id].into = nodes[nodes[id].into].into
		id = nodes[id].into
	}
	return id
}

// overlap reports whether two regions share a column.
func overlap(nodes []node, a, b ID) bool {
	if len(nodes[a].floors) > len(nodes[b].floors) {
		a, b = b, a
	}
	for _, f := range nodes[a].floors {
		if root(nodes, f) == b {
			return true
		}
	}
	return false
}

// removeIslands removes connected groups of regions with less than minArea
// cells together. A group that reaches the frame may be larger than can be
// seen here and stays.
func removeIslands(nodes []node, minArea int) {
	var group []ID
	for id := 1; id < len(nodes); id++ {
		if nodes[id].seen || nodes[id].cells == 0 {
			continue
		}
		nodes[id].seen = true
		group = append(group[:0], ID(id))
		cells, framed := 0, false
		for head := 0; head < len(group); head++ {
			nd := &nodes[group[head]]
			cells += nd.cells
			for _, loop := range nd.loops {
				for _, x := range loop {
					if x&Border != 0 {
						framed = true
					} else if x != 0 && !nodes[x].seen {
						nodes[x].seen = true
						group = append(group, x)
					}
				}
			}
		}
		if cells < minArea && !framed {
			for _, x := range group {
				nodes[x] = node{}
			}
		}
	}
}

// mergeRound gives every region that is small, or that no wall bounds, to its
// smallest suitable neighbour, and reports whether it merged any. It stops when
// ctx ends.
func mergeRound(ctx context.Context, nodes []node, mergeArea int) bool {
	merged := false
	for id := 1; id < len(nodes); id++ {
		if id%checkEvery == 0 && ctx.Err() != nil {
			return false
		}
		nd := &nodes[id]
		if nd.cells == 0 || nd.cells > mergeArea && nd.touchesWall() {
			continue
		}
		best := ID(0)
		for _, loop := range nd.loops {
			for _, x := range loop {
				if x == 0 || x&Border != 0 || x == best || best != 0 && nodes[x].cells >= nodes[best].cells {
					continue
				}
				if canMerge(nodes, ID(id), x) {
					best = x
				}
			}
		}
		if best != 0 {
			merge(nodes, best, ID(id))
			merged = true
		}
	}
	return merged
}

func (nd *node) touchesWall() bool {
	for _, loop := range nd.loops {
		if slices.Contains(loop, 0) {
			return true
		}
	}
	return false
}

// runs counts the borders with region id; at is the loop and index of the last.
func (nd *node) runs(id ID) (n, loop, at int) {
	for l, ids := range nd.loops {
		for i, x := range ids {
			if x == id {
				n, loop, at = n+1, l, i
			}
		}
	}
	return n, loop, at
}

// canMerge reports whether a and b are of one area, do not overlap and share
// exactly one border: then their union is one piece and has no new hole.
func canMerge(nodes []node, a, b ID) bool {
	if nodes[a].area != nodes[b].area || overlap(nodes, a, b) {
		return false
	}
	if n, _, _ := nodes[a].runs(b); n != 1 {
		return false
	}
	n, _, _ := nodes[b].runs(a)
	return n == 1
}

// merge joins region b to region a; canMerge(a, b) must hold.
func merge(nodes []node, a, b ID) {
	na, nb := &nodes[a], &nodes[b]
	_, la, ia := na.runs(b)
	_, lb, ib := nb.runs(a)
	for _, loop := range nb.loops {
		for _, x := range loop {
			if x != a && x != 0 && x&Border == 0 && nodes[x].told != b {
				nodes[x].told = b
				nodes[x].replace(b, a)
			}
		}
	}
	// The two loops open at the shared border and close up with each other.
	joined := make([]ID, 0, len(na.loops[la])+len(nb.loops[lb]))
	joined = append(joined, na.loops[la][ia+1:]...)
	joined = append(joined, na.loops[la][:ia]...)
	joined = append(joined, nb.loops[lb][ib+1:]...)
	joined = append(joined, nb.loops[lb][:ib]...)
	joined = dedupe(joined)

	na.cells += nb.cells
	nb.cells, nb.into = 0, a
	moved := slices.Delete(nb.loops, lb, lb+1)
	if len(joined) > 0 {
		na.loops[la] = joined
	} else {
		na.loops = slices.Delete(na.loops, la, la+1) // b filled a hole of a
	}
	na.loops = append(na.loops, moved...)
	nb.loops = nil

	// The shorter list is added to the longer, so that none is copied often.
	if len(na.floors) < len(nb.floors) {
		na.floors, nb.floors = nb.floors, na.floors
	}
	na.floors = append(na.floors, nb.floors...)
	nb.floors = nil
}

// replace renames a neighbour and closes up runs that become one.
func (nd *node) replace(from, to ID) {
	for l, loop := range nd.loops {
		found := false
		for i, x := range loop {
			if x == from {
				loop[i], found = to, true
			}
		}
		if found {
			nd.loops[l] = dedupe(loop)
		}
	}
}

// dedupe removes equal neighbours from a cyclic sequence, in place.
func dedupe(loop []ID) []ID {
	loop = slices.Compact(loop)
	for len(loop) > 1 && loop[0] == loop[len(loop)-1] {
		loop = loop[:len(loop)-1]
	}
	return loop
}

// renumber maps reg to the regions that stand, numbered by their first cell,
// and returns how many there are.
func renumber(reg []ID, nodes []node) ID {
	final := make([]ID, len(nodes))
	last := ID(0)
	for i, r := range reg {
		if r == 0 || r&Border != 0 {
			continue
		}
		if final[r] == 0 {
			top := root(nodes, r)
			if top == 0 {
				reg[i] = 0
				continue
			}
			if final[top] == 0 {
				last++
				final[top] = last
			}
			final[r] = final[top]
		}
		reg[i] = final[r]
	}
	return last
}
