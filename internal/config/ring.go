package config

import (
	"cmp"
	"math"
	"math/big"
	"slices"

	"wend/geom"
)

// maxRing bounds the work of checking one ring.
const maxRing = 10_000

// ring reads [[x, z], ...], a simple polygon. The last point is joined to the
// first; one that repeats the first is accepted and left out.
func (t table) ring(key string) []geom.Vec2 {
	v, path, ok := t.get(key)
	if !ok {
		t.d.fault(t.path, "no %s", key)
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		t.d.fault(path, "%s is %s, want [[x, z], [x, z], ...]", key, kindOf(v))
		return nil
	}
	if len(list) > maxRing {
		t.d.fault(path, "%s has %d points, at most %d are allowed", key, len(list), maxRing)
		return nil
	}
	pts := make([]geom.Vec2, 0, len(list))
	for i, e := range list {
		c, ok := t.d.asCoords(path+index(i), key+index(i), e, 2, "[x, z]")
		if !ok {
			return nil
		}
		pts = append(pts, geom.Vec2{X: c[0], Y: c[1]})
	}
	if n := len(pts); n > 3 && pts[0] == pts[n-1] {
		pts = pts[:n-1]
	}
	if len(pts) < 3 {
		t.d.fault(path, "%s has %d points, want at least 3", key, len(pts))
		return nil
	}
	if i, j, bad := crossing(pts); bad {
		t.d.fault(path+index(j), "%s is not a simple polygon: its side from %v to %v meets the one from %v to %v", key,
			show2(pts[j]), show2(pts[(j+1)%len(pts)]), show2(pts[i]), show2(pts[(i+1)%len(pts)]))
		return nil
	}
	return pts
}

func show2(p geom.Vec2) [2]float64 { return [2]float64{p.X, p.Y} }

// crossing finds two sides i < j of a closed ring that meet anywhere but at
// the corner they share; neighbours meet elsewhere when one folds back over
// the other. Sides are taken in order of their left ends, so only those that
// overlap in x are compared.
func crossing(ring []geom.Vec2) (i, j int, found bool) {
	n := len(ring)
	left := func(k int) float64 { return min(ring[k].X, ring[(k+1)%n].X) }
	right := func(k int) float64 { return max(ring[k].X, ring[(k+1)%n].X) }
	order := make([]int, n)
	for k := range order {
		order[k] = k
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(left(a), left(b)), a-b)
	})
	for a, s := range order {
		for _, u := range order[a+1:] {
			if left(u) > right(s) {
				break
			}
			i, j := min(s, u), max(s, u)
			if sidesMeet(ring, i, j) {
				return i, j, true
			}
		}
	}
	return 0, 0, false
}

// sidesMeet compares sides i < j of the ring.
func sidesMeet(ring []geom.Vec2, i, j int) bool {
	n := len(ring)
	a, b := ring[i], ring[(i+1)%n]
	c, d := ring[j], ring[(j+1)%n]
	switch {
	case a == b || c == d:
		return true // a point twice in a row
	case j == i+1: // b == c
		return foldsBack(a, b, d)
	case i == 0 && j == n-1: // d == a
		return foldsBack(c, a, b)
	}
	return segmentsMeet(a, b, c, d)
}

// foldsBack reports whether b-d runs back over a-b.
func foldsBack(a, b, d geom.Vec2) bool {
	return orient(a, b, d) == 0 && (inSpan(a, b, d) || inSpan(b, d, a))
}

func segmentsMeet(a, b, c, d geom.Vec2) bool {
	o1, o2 := orient(a, b, c), orient(a, b, d)
	o3, o4 := orient(c, d, a), orient(c, d, b)
	if o1*o2 < 0 && o3*o4 < 0 {
		return true
	}
	return o1 == 0 && inSpan(a, b, c) || o2 == 0 && inSpan(a, b, d) ||
		o3 == 0 && inSpan(c, d, a) || o4 == 0 && inSpan(c, d, b)
}

// inSpan reports whether p, known to be on the line a-b, is on the segment.
func inSpan(a, b, p geom.Vec2) bool {
	return p.X >= min(a.X, b.X) && p.X <= max(a.X, b.X) && p.Y >= min(a.Y, b.Y) && p.Y <= max(a.Y, b.Y)
}

// orient is the exact sign of the cross product of b-a and c-a. The plain
// value decides unless it is within its own rounding error (each factor has a
// relative error of 2^-53, each product another, so 4 units cover the sum;
// the constant covers products too small to have a relative error).
func orient(a, b, c geom.Vec2) int {
	l := float64((b.X - a.X) * (c.Y - a.Y))
	r := float64((b.Y - a.Y) * (c.X - a.X))
	det := l - r
	if slack := float64((math.Abs(l)+math.Abs(r))*0x1p-50) + 0x1p-1000; math.Abs(det) > slack {
		return sign(det)
	}
	rat := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
	sub := func(p, q float64) *big.Rat { return new(big.Rat).Sub(rat(p), rat(q)) }
	x := new(big.Rat).Mul(sub(b.X, a.X), sub(c.Y, a.Y))
	y := new(big.Rat).Mul(sub(b.Y, a.Y), sub(c.X, a.X))
	return x.Cmp(y)
}

func sign(f float64) int {
	switch {
	case f > 0:
		return 1
	case f < 0:
		return -1
	}
	return 0
}
