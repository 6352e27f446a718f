package navmesh

import "slices"

// islands answers which polygon can be reached from which without a search.
//
// An island is a strongly connected component of the links (Tarjan 1972): from
// each of its polygons every other can be reached. Ground islands come first,
// numbered by their lowest polygon; the polygon of a one-way connection between
// two islands is one of its own behind them. One-way connections make the ground
// islands a graph without cycles, whose transitive closure is kept as bit sets
// while it is small.
type islands struct {
	ground uint32    // islands with ground
	area   []float64 // of each ground island, square metres seen from above

	// Ground islands with a one-way connection are joints, all others reach
	// themselves only. succ of joint j: succ[succAt[j]:succAt[j+1]].
	joint  []int32 // by ground island; -1: none
	succAt []uint32
	succ   []uint32
	// Row j of closure is the set of joints that j reaches; nil when there are
	// more than maxJoints.
	closure [][]uint64
}

// maxJoints bounds the closure to 2 MiB.
const maxJoints = 4096

// IslandCount returns the number of islands of ground: largest sets of
// polygons that can be reached from one another. Poly.Island of a ground polygon
// is below it, also that of an off-mesh polygon within an island; one that leads
// one way between islands has a number of its own.
func (m *Mesh) IslandCount() int { return int(m.islands.ground) }

// IslandArea returns the area of an island seen from above in square metres, 0
// for numbers from IslandCount on.
func (m *Mesh) IslandArea(island uint32) float64 {
	if island >= m.islands.ground {
		return 0
	}
	return m.islands.area[island]
}

// CanReach reports whether a way leads from a to b when every polygon is open.
// It is exact and takes constant time; only in a mesh with more than 4096
// islands that have one-way connections it may walk the graph of those, and
// allocate. A polygon that is not Valid reaches nothing.
func (m *Mesh) CanReach(a, b PolyID) bool {
	if !m.Valid(a) || !m.Valid(b) {
		return false
	}
	x := &m.islands
	ia, ib := m.polys[a].island, m.polys[b].island
	if ia == ib {
		return true
	}
	// The polygon of a one-way connection reaches what its end reaches and is
	// reached by what reaches its start.
	if ia >= x.ground {
		if a = m.offOf(a).to; a == NoPoly {
			return false
		}
		ia = m.polys[a].island
	}
	if ib >= x.ground {
		if b = m.offOf(b).from; b == NoPoly {
			return false
		}
		ib = m.polys[b].island
	}
	if ia == ib {
		return true
	}
	return m.reaches(ia, ib)
}

// search walks the graph of joints from a to b.
func (x *islands) search(a, b int32) bool {
	seen := make([]bool, len(x.succAt)-1)
	stack := []int32{a}
	seen[a] = true
	for len(stack) > 0 {
		j := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if j == b {
			return true
		}
		for _, s := range x.succ[x.succAt[j]:x.succAt[j+1]] {
			if !seen[s] {
				seen[s] = true
				stack = append(stack, int32(s))
			}
		}
	}
	return false
}

// labelIslands numbers the islands and builds the reachability between them.
func (m *Mesh) labelIslands() {
	comp := m.components()
	n := m.Len()
	number := make([]uint32, n) // component -> island + 1
	next := uint32(0)
	for _, kind := range [2]uint8{KindGround, KindOffMesh} {
		for p := range n {
			if c := comp[p]; m.polys[p].kind == kind && number[c] == 0 {
				next++
				number[c] = next
			}
		}
		if kind == KindGround {
			m.islands.ground = next
		}
	}
	m.islands.area = make([]float64, m.islands.ground)
	for p := range n {
		q := &m.polys[p]
		q.island = number[comp[p]] - 1
		if q.kind == KindGround {
			m.islands.area[q.island] += m.planArea(PolyID(p))
		}
	}
	m.joinIslands()
}

// components returns the strongly connected component of each polygon.
func (m *Mesh) components() []uint32 {
	const none = ^uint32(0)
	n := m.Len()
	var (
		comp  = make([]uint32, n)
		order = make([]uint32, n) // when first seen
		low   = make([]uint32, n) // earliest seen polygon it leads back to
		open  []PolyID            // seen, not yet in a component
		path  []PolyID            // from the root of the walk to here
		at    = make([]uint32, n) // next link to follow
		count uint32
		comps uint32
	)
	for p := range n {
		comp[p], order[p] = none, none
	}
	for root := range PolyID(n) {
		if order[root] != none {
			continue
		}
		path = append(path[:0], root)
		for len(path) > 0 {
			p := path[len(path)-1]
			if order[p] == none {
				order[p], low[p], at[p] = count, count, m.polys[p].link
				count++
				open = append(open, p)
			}
			if at[p] < m.polys[p+1].link {
				to := m.links[at[p]].to
				at[p]++
				if order[to] == none {
					path = append(path, to)
				} else if comp[to] == none {
					low[p] = min(low[p], order[to])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[p])
			}
			if low[p] != order[p] {
				continue
			}
			for {
				q := open[len(open)-1]
				open = open[:len(open)-1]
				comp[q] = comps
				if q == p {
					break
				}
			}
			comps++
		}
	}
	return comp
}

// joinIslands builds the graph of ground islands with one-way connections and
// its closure.
func (m *Mesh) joinIslands() {
	x := &m.islands
	var edges [][2]uint32 // ground islands
	for p := range PolyID(m.Len()) {
		q := &m.polys[p]
		if q.island >= x.ground {
			if o := m.offOf(p); o.from != NoPoly {
				edges = append(edges, [2]uint32{m.polys[o.from].island, m.polys[o.to].island})
			}
			continue
		}
		for _, l := range m.linksOf(p) {
			if to := m.polys[l.to].island; to != q.island && to < x.ground {
				edges = append(edges, [2]uint32{q.island, to})
			}
		}
	}
	slices.SortFunc(edges, func(a, b [2]uint32) int { return slices.Compare(a[:], b[:]) })
	edges = slices.Compact(edges)

	x.joint = make([]int32, x.ground)
	for i := range x.joint {
		x.joint[i] = -1
	}
	for _, e := range edges {
		x.joint[e[0]], x.joint[e[1]] = 0, 0
	}
	joints := int32(0)
	for i := range x.joint {
		if x.joint[i] == 0 {
			x.joint[i] = joints
			joints++
		}
	}
	x.succAt = make([]uint32, joints+1)
	x.succ = make([]uint32, len(edges))
	for i, e := range edges { // sorted by joint, because joints are numbered by island
		x.succAt[x.joint[e[0]]+1]++
		x.succ[i] = uint32(x.joint[e[1]])
	}
	for j := range joints {
		x.succAt[j+1] += x.succAt[j]
	}
	if joints > 0 && joints <= maxJoints {
		x.close(int(joints))
	}
}

// close fills in the closure: a joint's row once the rows of all its
// successors are there. The graph has no cycle, so a walk in depth gets to all.
func (x *islands) close(joints int) {
	words := (joints + 63) / 64
	flat := make([]uint64, joints*words)
	x.closure = make([][]uint64, joints)
	for j := range x.closure {
		x.closure[j] = flat[j*words:][:words]
	}
	done := make([]bool, joints)
	var stack []uint32
	for root := range uint32(joints) {
		stack = append(stack, root)
		for len(stack) > 0 {
			j := stack[len(stack)-1]
			if done[j] {
				stack = stack[:len(stack)-1]
				continue
			}
			ready := true
			for _, s := range x.succ[x.succAt[j]:x.succAt[j+1]] {
				if !done[s] {
					stack = append(stack, s)
					ready = false
				}
			}
			if !ready {
				continue
			}
			stack = stack[:len(stack)-1]
			done[j] = true
			row := x.closure[j]
			row[j/64] |= 1 << (j % 64)
			for _, s := range x.succ[x.succAt[j]:x.succAt[j+1]] {
				for w, bits := range x.closure[s] {
					row[w] |= bits
				}
			}
		}
	}
}
