package contour

// checker tells whether the loops of a region can be the outline of a polygon.
// It owns its scratch and can be used again.
type checker struct {
	buckets
	succ, prev []int32
}

// sound reports whether no edge of the loops crosses another or passes a corner,
// and no loop goes through itself or another where corners meet. Loop i is
// v[start[i]:start[i+1]].
//
// Opposite edges that coincide are allowed, the walls without thickness. Loops
// that meet at a corner are not: raw ones never do, as cells round a corner that
// belong to one region and both loops would link up.
func (k *checker) sound(v []Vertex, start []int32) bool {
	k.reset(v)
	k.succ, k.prev = k.succ[:0], k.prev[:0]
	for i := range int32(len(v)) {
		k.succ, k.prev = append(k.succ, i+1), append(k.prev, i-1)
	}
	for i := 0; i+1 < len(start); i++ {
		lo, hi := start[i], start[i+1]
		k.succ[hi-1], k.prev[lo] = lo, hi-1
	}
	for i := range v {
		k.file(int32(i), &v[i], &v[k.succ[i]])
	}
	for _, list := range k.first {
		for e := list; e >= 0; e = k.entries[e].next {
			for f := k.entries[e].next; f >= 0; f = k.entries[f].next {
				if k.clash(v, k.entries[e].edge, k.entries[f].edge) {
					return false
				}
			}
		}
	}
	return true
}

// clash reports whether edges e and f cannot be in one outline.
func (k *checker) clash(v []Vertex, e, f int32) bool {
	a, b := &v[e], &v[k.succ[e]]
	c, d := &v[f], &v[k.succ[f]]
	if samePlace(*b, *d) && k.through(v, k.succ[e], k.succ[f]) {
		return true
	}
	if samePlace(*a, *d) && samePlace(*b, *c) {
		return false
	}
	return crosses(a, b, c, d)
}

// through reports whether the insides at two corners of the same place overlap.
func (k *checker) through(v []Vertex, i, j int32) bool {
	a, b := &v[k.prev[i]], &v[k.succ[i]]
	c, d := &v[k.prev[j]], &v[k.succ[j]]
	return within(a, &v[i], b, c) || within(a, &v[i], b, d) ||
		within(c, &v[j], d, a) || within(c, &v[j], d, b)
}
