package polygonize

import (
	"cmp"
	"slices"
)

// edge is a directed edge of a polygon and its counterpart.
type edge struct {
	lo, hi uint32 // its vertices, the lower first
	slot   int32  // p*slots + corner
	p, q   int32  // polygon, and the one across
	a, b   uint32 // from, to
	other  int32  // slot of the counterpart; alone, or crowded
}

const (
	alone   = int32(-1)
	crowded = int32(-2) // has counterparts, but earlier polygons took them
)

// pairer finds edges that two polygons walk in opposite directions. It owns
// its scratch memory and can be used again.
type pairer struct{ all, out []edge }

// match returns for each pair the edge whose polygon walks it from the lower
// to the higher vertex, and each edge without counterpart, ordered by
// vertices, then by slot. When more than two polygons have an edge the lowest
// of either direction are paired.
func (x *pairer) match(ps *polys) []edge {
	all := x.all[:0]
	for p := range ps.len() {
		poly := ps.poly(p)
		for i, a := range poly {
			b := at(poly, i+1)
			all = append(all, edge{
				lo: min(a, b), hi: max(a, b), slot: int32(p*ps.slots + i),
				p: int32(p), q: alone, a: a, b: b, other: alone,
			})
		}
	}
	slices.SortFunc(all, func(s, t edge) int {
		if c := cmp.Compare(s.lo, t.lo); c != 0 {
			return c
		}
		if c := cmp.Compare(s.hi, t.hi); c != 0 {
			return c
		}
		return cmp.Compare(s.slot, t.slot)
	})
	out := x.out[:0]
	for i := 0; i < len(all); {
		j := i + 1
		for j < len(all) && all[j].lo == all[i].lo && all[j].hi == all[i].hi {
			j++
		}
		out = pairUp(out, all[i:j])
		i = j
	}
	x.all, x.out = all, out
	return out
}

// pairUp appends the edges between the same two vertices.
func pairUp(out, same []edge) []edge {
	up, down := 0, 0
	for {
		for up < len(same) && same[up].a != same[up].lo {
			up++
		}
		for down < len(same) && same[down].a == same[down].lo {
			down++
		}
		if up == len(same) || down == len(same) {
			break
		}
		e := same[up]
		e.q, e.other = same[down].p, same[down].slot
		out = append(out, e)
		up++
		down++
	}
	// What is left all walks the same way.
	for i := min(up, down); i < len(same); i++ {
		e := same[i]
		isUp := e.a == e.lo
		if isUp && i < up || !isUp && i < down {
			continue
		}
		if len(same) > 1 {
			e.other = crowded
		}
		out = append(out, e)
	}
	return out
}
