package weld

import "math"

// mostEars bounds the corners of what ears takes, which needs their cube in time.
// Fans that fold are short.
const mostEars = 64

// ears cuts a triangle with vertices on its edges into pieces of which none is
// turned over, clipping the ear that is widest again and again (after Meisters'
// two ears theorem). It fills trial and reports whether that came to an end.
func (w *splitter) ears(v [3]uint32, area float64) bool {
	w.trial = w.trial[:0]
	p := w.ring[:0]
	for k := range 3 {
		p = append(p, v[k])
		p = append(p, w.edge[k]...)
	}
	w.ring = p
	if len(p) > mostEars {
		return false
	}
	p = unspike(p)
	for len(p) > 2 {
		best, tip := 0.0, -1
		for i := range p {
			if wide := w.ear(p, i, area); wide > best {
				best, tip = wide, i
			}
		}
		if tip < 0 {
			return false
		}
		n := len(p)
		w.trial = append(w.trial, [3]uint32{p[(tip+n-1)%n], p[tip], p[(tip+1)%n]})
		p = append(p[:tip], p[tip+1:]...)
	}
	return true
}

// unspike takes out of a ring the corners where it turns back on itself: there a
// vertex lies on two edges of a triangle, which has no width up to it.
func unspike(p []uint32) []uint32 {
	for i := 0; i < len(p) && len(p) > 2; {
		n := len(p)
		switch prev, next := (i+n-1)%n, (i+1)%n; {
		case p[prev] != p[next]:
			i++
		default:
			// Without the tip and one of its equal neighbours.
			a, b := max(i, next), min(i, next)
			p = append(p[:a], p[a+1:]...)
			p = append(p[:b], p[b+1:]...)
			i = 0
		}
	}
	return p
}

// ear returns the least height of the ear at corner i of a ring seen from above,
// or 0 where there is none: the corner does not point outwards, or another one
// lies in the ear or on its border.
func (w *splitter) ear(p []uint32, i int, area float64) float64 {
	n := len(p)
	a, b, c := p[(i+n-1)%n], p[i], p[(i+1)%n]
	sign := math.Copysign(1, area)
	turn := func(a, b, c uint32) float64 { return sign * area2(w.r.Verts, [3]uint32{a, b, c}) }
	size := turn(a, b, c)
	if !(size > 0) {
		return 0
	}
	for _, v := range p {
		if v != a && v != b && v != c && turn(a, b, v) >= 0 && turn(b, c, v) >= 0 && turn(c, a, v) >= 0 {
			return 0
		}
	}
	pa, pb, pc := w.r.Verts[a], w.r.Verts[b], w.r.Verts[c]
	return size / math.Sqrt(max(distance2(pa, pb), distance2(pb, pc), distance2(pc, pa)))
}
