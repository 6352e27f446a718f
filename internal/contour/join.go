package contour

import (
	"cmp"
	"slices"

	"wend/internal/region"
)

// candidate is an end of a bridge on the outline.
type candidate struct {
	at     int
	distSq int64
}

// join returns the outline with its holes joined to it: from a corner over a
// bridge, once round the hole and back. Bridges are the shortest that cross
// nothing and leave through the inside at both ends. Holes are taken by their
// lowest corner in the order of before; that corner sees the outline or a hole
// taken earlier, so there is a bridge when the loops are sound. ok is false
// otherwise.
func join(id region.ID, outline []Vertex, holes [][]Vertex) (ring []Vertex, ok bool) {
	size := len(outline)
	for _, h := range holes {
		size += len(h) + 2
	}
	ring = append(make([]Vertex, 0, size), outline...)
	if len(holes) == 0 {
		return ring, true
	}
	slices.SortStableFunc(holes, func(a, b []Vertex) int {
		return compare(a[lowest(a)], b[lowest(b)])
	})
	var cands []candidate
	for k, hole := range holes {
		first := lowest(hole)
		joined := false
		for i := 0; i < len(hole) && !joined; i++ {
			h := (first + i) % len(hole)
			cands = bridges(cands[:0], ring, hole, h)
			for _, cd := range cands {
				if blocked(&ring[cd.at], &hole[h], ring) || slices.ContainsFunc(holes[k:], func(o []Vertex) bool {
					return blocked(&ring[cd.at], &hole[h], o)
				}) {
					continue
				}
				ring = splice(id, ring, cd.at, hole, h)
				joined = true
				break
			}
		}
		if !joined {
			return nil, false
		}
	}
	return ring, true
}

func compare(a, b Vertex) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Z, b.Z)) }

// lowest returns the first corner in the order of before.
func lowest(ring []Vertex) int {
	at := 0
	for i := range ring {
		if before(ring[i], ring[at]) {
			at = i
		}
	}
	return at
}

// bridges appends the corners of ring that corner h of the hole may reach as
// far as the insides at both ends go, nearest first.
func bridges(dst []candidate, ring, hole []Vertex, h int) []candidate {
	v := &hole[h]
	before, after := around(hole, h)
	for i := range ring {
		p := &ring[i]
		a, b := around(ring, i)
		if samePlace(*p, *v) || !within(a, p, b, v) || !within(before, v, after, p) {
			continue
		}
		dst = append(dst, candidate{i, dot(v, p, p)})
	}
	slices.SortFunc(dst, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distSq, b.distSq), compare(ring[a.at], ring[b.at]), cmp.Compare(a.at, b.at))
	})
	return dst
}

func around(ring []Vertex, i int) (before, after *Vertex) {
	n := len(ring)
	return &ring[(i+n-1)%n], &ring[(i+1)%n]
}

// blocked reports whether an edge of ring is in the way from a to b.
func blocked(a, b *Vertex, ring []Vertex) bool {
	c := &ring[len(ring)-1]
	for i := range ring {
		d := &ring[i]
		if crosses(a, b, c, d) {
			return true
		}
		c = d
	}
	return false
}

// splice leads the ring from corner at to corner h of the hole and back.
func splice(id region.ID, ring []Vertex, at int, hole []Vertex, h int) []Vertex {
	loop := make([]Vertex, 0, len(hole)+2)
	loop = append(loop, hole[h:]...)
	loop = append(loop, hole[:h+1]...)
	loop = append(loop, ring[at])
	// Across a bridge lies the region itself.
	back := &loop[len(hole)]
	back.Region, back.AreaBorder = id, false
	ring[at].Region, ring[at].AreaBorder = id, false
	return slices.Insert(ring, at+1, loop...)
}
