package contour

import (
	"cmp"
	"slices"

	"wend/internal/region"
)

// joiner joins the holes of a region to its outline by bridges. It owns its
// scratch and can be used again.
//
// All loops are linked rings over one array of nodes; node i stands for the
// corner v[i] and the edge that starts there. Corners and edges are found
// through buckets of a coarse lattice, so a hole is joined in about constant
// time however many there are.
type joiner struct {
	v          []Vertex
	next, prev []int32
	onRing     []bool // part of the outline by now

	buckets            // of edges
	corners    []int32 // first node in the bucket, -1: none
	nextCorner []int32 // per node

	order []int32 // holes by their lowest corner
	cands []candidate
}

// candidate is an end of a bridge on the outline.
type candidate struct {
	node   int32
	distSq int64
}

// join returns the outline, loop 0, with the holes joined to it: from a corner
// over a bridge, once round the hole and back. Loop i is v[start[i]:start[i+1]].
// Bridges are the shortest that cross nothing and leave through the inside at
// both ends. Holes are taken by their lowest corner in the order of before; that
// corner sees the outline or a hole taken earlier, so there is a bridge when the
// loops are sound and the holes lie in the outline and not in each other; ok is
// false otherwise.
func (j *joiner) join(id region.ID, v []Vertex, start []int32) (ring []Vertex, ok bool) {
	if len(start) <= 2 {
		return slices.Clone(v), true
	}
	j.load(v, start)
	for _, hole := range j.order {
		if !j.attach(id, hole) {
			return nil, false
		}
	}
	ring = make([]Vertex, 0, len(j.v))
	for i, first := int32(0), true; first || i != 0; i, first = j.next[i], false {
		ring = append(ring, j.v[i])
	}
	return ring, true
}

// load links the loops and fills the buckets.
func (j *joiner) load(v []Vertex, start []int32) {
	j.v = append(j.v[:0], v...)
	j.next, j.prev = j.next[:0], j.prev[:0]
	j.onRing = j.onRing[:0]
	j.nextCorner = j.nextCorner[:0]
	for i := range v {
		j.next, j.prev = append(j.next, int32(i+1)), append(j.prev, int32(i-1))
		j.onRing = append(j.onRing, int32(i) < start[1])
		j.nextCorner = append(j.nextCorner, -1)
	}
	j.order = j.order[:0]
	for l := 0; l+1 < len(start); l++ {
		lo, hi := start[l], start[l+1]
		j.next[hi-1], j.prev[lo] = lo, hi-1
		if l > 0 {
			j.order = append(j.order, lo+lowest(v[lo:hi]))
		}
	}
	slices.SortFunc(j.order, func(a, b int32) int { return cmp.Or(compare(&j.v[a], &j.v[b]), cmp.Compare(a, b)) })

	j.reset(v)
	j.corners = j.corners[:0]
	for range j.first {
		j.corners = append(j.corners, -1)
	}
	for i := range v {
		j.enter(int32(i))
	}
}

func compare(a, b *Vertex) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z)) }

// lowest returns the first corner in the order of before.
func lowest(ring []Vertex) int32 {
	at := 0
	for i := range ring {
		if before(ring[i], ring[at]) {
			at = i
		}
	}
	return int32(at)
}

// enter puts node i and its edge into the buckets.
func (j *joiner) enter(i int32) {
	x, z := j.at(&j.v[i])
	b := x + z*j.nx
	j.nextCorner[i], j.corners[b] = j.corners[b], i
	j.file(i, &j.v[i], &j.v[j.next[i]])
}

// attach joins the hole that node h belongs to, trying its corners in turn.
func (j *joiner) attach(id region.ID, h int32) bool {
	first := h
	for {
		if at := j.nearest(h); at >= 0 {
			j.splice(id, at, h)
			return true
		}
		if h = j.next[h]; h == first {
			return false
		}
	}
}

// nearest returns the nearest node of the outline that node h of a hole can be
// joined to, or -1. It looks at squares of buckets of growing size.
func (j *joiner) nearest(h int32) int32 {
	v := &j.v[h]
	hx, hz := j.at(v)
	j.cands = j.cands[:0]
	done := 0
	for r := int32(0); r <= max(j.nx, j.nz); r++ {
		for z := max(hz-r, 0); z <= min(hz+r, j.nz-1); z++ {
			step := int32(1)
			if z > hz-r && z < hz+r {
				step = max(2*r, 1) // only the ends of the row are new
			}
			for x := hx - r; x <= hx+r; x += step {
				if x >= 0 && x < j.nx {
					j.collect(h, j.corners[x+z*j.nx])
				}
			}
		}
		// What lies outside of the square is farther away than this.
		reach := int64(r) * int64(j.side)
		fresh := j.cands[done:]
		slices.SortFunc(fresh, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.distSq, b.distSq), compare(&j.v[a.node], &j.v[b.node]), cmp.Compare(a.node, b.node))
		})
		for _, c := range fresh {
			if c.distSq > reach*reach && r < max(j.nx, j.nz) {
				break
			}
			done++
			if !j.blocked(&j.v[c.node], v) {
				return c.node
			}
		}
	}
	return -1
}

// collect adds the corners of a bucket's list that h may reach as far as the
// insides at both ends go.
func (j *joiner) collect(h, list int32) {
	v, before, after := &j.v[h], &j.v[j.prev[h]], &j.v[j.next[h]]
	for i := list; i >= 0; i = j.nextCorner[i] {
		p := &j.v[i]
		if j.onRing[i] && !samePlace(*p, *v) &&
			within(&j.v[j.prev[i]], p, &j.v[j.next[i]], v) && within(before, v, after, p) {
			j.cands = append(j.cands, candidate{i, dot(v, p, p)})
		}
	}
}

// blocked reports whether an edge of any loop is in the way from a to b.
func (j *joiner) blocked(a, b *Vertex) bool {
	for col := j.columns(a, b); col.next(); {
		for z := col.z0; z <= col.z1; z++ {
			for e := j.first[col.x+z*j.nx]; e >= 0; e = j.entries[e].next {
				c := j.entries[e].edge
				if crosses(a, b, &j.v[c], &j.v[j.next[c]]) {
					return true
				}
			}
		}
	}
	return false
}

// splice leads the outline from node at over a bridge to node h, round the hole
// and back. The two new nodes are the starts of the bridge, so all other edges
// keep theirs.
func (j *joiner) splice(id region.ID, at, h int32) {
	for i := h; ; {
		j.onRing[i] = true
		if i = j.next[i]; i == h {
			break
		}
	}
	out, back := int32(len(j.v)), int32(len(j.v)+1)
	j.v = append(j.v, j.v[at], j.v[h])
	for _, k := range [2]int32{out, back} {
		j.v[k].Region, j.v[k].AreaBorder = id, false // across a bridge lies the region itself
	}
	j.next = append(j.next, h, at)
	j.prev = append(j.prev, j.prev[at], j.prev[h])
	j.next[j.prev[at]], j.next[j.prev[h]] = out, back
	j.prev[at], j.prev[h] = back, out
	j.onRing = append(j.onRing, true, true)
	j.nextCorner = append(j.nextCorner, -1, -1)
	j.enter(out)
	j.enter(back)
}
