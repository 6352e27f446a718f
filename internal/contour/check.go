package contour

import (
	"cmp"
	"slices"
)

// checker tells whether the loops of a region can be the outline of a polygon.
// It owns its scratch and can be used again.
type checker struct {
	order []int32 // edges by lowest X
	next  []int32
	prev  []int32
}

// sound reports whether no edge of the loops crosses another or passes a corner,
// no loop goes through itself or another where corners meet, the first loop
// holds the others, and none of these holds another. Loop i is
// v[start[i]:start[i+1]].
//
// Opposite edges that coincide are allowed, the walls without thickness. Loops
// that meet at a corner are not: raw ones never do, as cells round a corner that
// belong to one region and both loops would link up.
func (k *checker) sound(v []Vertex, start []int32) bool {
	n := len(v)
	k.next, k.prev, k.order = k.next[:0], k.prev[:0], k.order[:0]
	for i := range int32(n) {
		k.next, k.prev = append(k.next, i+1), append(k.prev, i-1)
		k.order = append(k.order, i)
	}
	for i := 0; i+1 < len(start); i++ {
		lo, hi := start[i], start[i+1]
		k.next[hi-1], k.prev[lo] = lo, hi-1
	}
	low := func(e int32) int32 { return min(v[e].X, v[k.next[e]].X) }
	slices.SortFunc(k.order, func(e, f int32) int { return cmp.Or(cmp.Compare(low(e), low(f)), cmp.Compare(e, f)) })
	for i, e := range k.order {
		a, b := &v[e], &v[k.next[e]]
		high := max(a.X, b.X)
		for _, f := range k.order[i+1:] {
			c, d := &v[f], &v[k.next[f]]
			if min(c.X, d.X) > high {
				break
			}
			if samePlace(*b, *d) && k.through(v, k.next[e], k.next[f]) {
				return false
			}
			if samePlace(*a, *d) && samePlace(*b, *c) {
				continue
			}
			if crosses(a, b, c, d) {
				return false
			}
		}
	}
	return nested(v, start)
}

// through reports whether the insides at two corners of the same place overlap.
func (k *checker) through(v []Vertex, i, j int32) bool {
	a, b := &v[k.prev[i]], &v[k.next[i]]
	c, d := &v[k.prev[j]], &v[k.next[j]]
	return within(a, &v[i], b, c) || within(a, &v[i], b, d) ||
		within(c, &v[j], d, a) || within(c, &v[j], d, b)
}

// nested reports whether the holes lie in the outline and outside each other;
// the loops do not cross.
func nested(v []Vertex, start []int32) bool {
	outline := v[start[0]:start[1]]
	for i := 1; i+1 < len(start); i++ {
		hole := v[start[i]:start[i+1]]
		if !holds(outline, hole, true) {
			return false
		}
		for j := 1; j+1 < len(start); j++ {
			if i != j && holds(v[start[j]:start[j+1]], hole, false) {
				return false
			}
		}
	}
	return true
}

// holds reports whether outer holds inner: the first corner of inner that is
// not one of outer decides, and touching if there is none.
func holds(outer, inner []Vertex, touching bool) bool {
	for i := range inner {
		p := &inner[i]
		if !slices.ContainsFunc(outer, func(q Vertex) bool { return samePlace(q, *p) }) {
			return contains(outer, p)
		}
	}
	return touching
}
