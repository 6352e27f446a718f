package navmesh

// A pocket is ground behind a single polygon: whoever goes in comes out where
// he went in, so the way to a goal elsewhere never does. Most dead-end rooms and
// corridors are pockets.
//
// In the graph of polygons, its links taken both ways, that polygon is an
// articulation point, and pockets are what hangs off it in the tree of blocks
// (biconnected components; Hopcroft, Tarjan 1973). Polygons are numbered along
// this tree so that whatever lies beyond a link, seen from the polygon it leaves,
// is one range of numbers: a link is worth following only if the goal's number is
// in it. Filters and one-way links take ways away and open none, so that holds
// with them as well.
type pockets struct {
	number []uint32 // by polygon
	beyond []span   // by link
}

// span is a range of numbers that may wrap around.
type span struct{ first, count uint32 }

func (s span) has(n uint32) bool { return n-s.first < s.count }

// leads reports whether the way over link k can lead to the polygon with a
// number.
func (x *pockets) leads(k, number uint32) bool { return x.beyond[k].has(number) }

// block is a biconnected component hung below top, where a walk in depth
// entered it.
type block struct {
	top         PolyID
	size        uint32 // polygons in it and below it, without top
	first, next uint32 // the numbers of these, and the next of them to give away
}

// labelPockets fills in the pockets of m, whose links are final. O(links).
func (m *Mesh) labelPockets() {
	w := m.walkInDepth()
	n := m.Len()

	// in[p] is the block over which the walk came to p; a root has none.
	const none = ^uint32(0)
	var blocks []block
	in := make([]uint32, n)
	for _, p := range w.order {
		switch up := w.parent[p]; {
		case up == NoPoly:
			in[p] = none
		case w.low[p] >= w.seen[up]: // nothing below p leads past up
			in[p] = uint32(len(blocks))
			blocks = append(blocks, block{top: up})
		default:
			in[p] = in[up]
		}
	}

	// Sizes from below: the first polygon of a block is the last to come.
	size := make([]uint32, n) // of p and all that hangs below it
	for i := n - 1; i >= 0; i-- {
		p := w.order[i]
		size[p]++
		if in[p] == none {
			continue
		}
		b := &blocks[in[p]]
		b.size += size[p]
		if up := w.parent[p]; in[up] != in[p] {
			size[b.top] += b.size
		}
	}

	// Numbers from above.
	x := pockets{number: make([]uint32, n), beyond: make([]span, len(m.links))}
	next := make([]uint32, n) // number of the next block below p
	root := uint32(0)
	for _, p := range w.order {
		if in[p] == none {
			x.number[p] = root
			root += size[p]
		} else {
			b := &blocks[in[p]]
			if up := w.parent[p]; in[up] != in[p] {
				b.first, b.next = next[up], next[up]
				next[up] += b.size
			}
			x.number[p] = b.next
			b.next += size[p]
		}
		next[p] = x.number[p] + 1
	}

	for p := range PolyID(n) {
		for k := m.polys[p].link; k < m.polys[p+1].link; k++ {
			deeper := p
			if to := m.links[k].to; w.seen[to] > w.seen[p] {
				deeper = to
			}
			if b := &blocks[in[deeper]]; b.top == p {
				x.beyond[k] = span{b.first, b.size}
			} else { // all but p and what hangs below it
				x.beyond[k] = span{x.number[p] + size[p], -size[p]}
			}
		}
	}
	m.survey.pockets = x
}

// depthWalk is a walk in depth over the links taken both ways, through all
// polygons.
type depthWalk struct {
	order  []PolyID // as first seen
	seen   []uint32 // by polygon: its place in order
	parent []PolyID // from which it was first seen; NoPoly where the walk began anew
	low    []uint32 // earliest place that it or what was seen from it has a link with
}

func (m *Mesh) walkInDepth() *depthWalk {
	n := m.Len()
	// Both ends of every link, by polygon: next to p is near[at[p]:at[p+1]].
	at := make([]uint32, n+2)
	for p := range PolyID(n) {
		for _, l := range m.linksOf(p) {
			at[p+2]++
			at[l.to+2]++
		}
	}
	for i := 2; i < len(at); i++ {
		at[i] += at[i-1]
	}
	near := make([]PolyID, 2*len(m.links))
	for p := range PolyID(n) {
		for _, l := range m.linksOf(p) {
			near[at[p+1]], near[at[l.to+1]] = l.to, p
			at[p+1]++
			at[l.to+1]++
		}
	}

	const unseen = ^uint32(0)
	w := &depthWalk{
		order: make([]PolyID, 0, n), seen: make([]uint32, n), parent: make([]PolyID, n), low: make([]uint32, n),
	}
	for p := range w.seen {
		w.seen[p] = unseen
	}
	step := make([]uint32, n) // next of near to look at
	enter := func(p, parent PolyID) {
		w.seen[p] = uint32(len(w.order))
		w.low[p], w.parent[p], step[p] = w.seen[p], parent, at[p]
		w.order = append(w.order, p)
	}
	for root := range PolyID(n) {
		if w.seen[root] != unseen {
			continue
		}
		enter(root, NoPoly)
		for p := root; p != NoPoly; {
			if step[p] == at[p+1] {
				up := w.parent[p]
				if up != NoPoly {
					w.low[up] = min(w.low[up], w.low[p])
				}
				p = up
				continue
			}
			to := near[step[p]]
			step[p]++
			if w.seen[to] == unseen {
				enter(to, p)
				p = to
				continue
			}
			w.low[p] = min(w.low[p], w.seen[to])
		}
	}
	return w
}
