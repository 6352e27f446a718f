package contour

// Predicates on the lattice seen from above, exact in int64 for coordinates
// below 2^30. Signs are those of geom.Area2: positive is to the left.

func cross(ax, az, bx, bz int32) int64 {
	return int64(ax)*int64(bz) - int64(az)*int64(bx)
}

// turn is twice the signed area of a, b, c: positive when c lies left of the
// line from a to b.
func turn(a, b, c *Vertex) int64 {
	return int64(b.Z-a.Z)*int64(c.X-a.X) - int64(b.X-a.X)*int64(c.Z-a.Z)
}

// dot is the scalar product of b-a and c-a.
func dot(a, b, c *Vertex) int64 {
	return int64(b.X-a.X)*int64(c.X-a.X) + int64(b.Z-a.Z)*int64(c.Z-a.Z)
}

// ringArea2 is twice the signed area of a closed ring.
func ringArea2(ring []Vertex) int64 {
	var sum int64
	for i := range ring {
		a, b := &ring[i], &ring[0]
		if i+1 < len(ring) {
			b = &ring[i+1]
		}
		sum += cross(a.Z, a.X, b.Z, b.X)
	}
	return sum
}

// crosses reports whether the segments a-b and c-d share a point other than a
// common end, or are the same segment.
func crosses(a, b, c, d *Vertex) bool {
	if max(a.X, b.X) < min(c.X, d.X) || max(c.X, d.X) < min(a.X, b.X) ||
		max(a.Z, b.Z) < min(c.Z, d.Z) || max(c.Z, d.Z) < min(a.Z, b.Z) {
		return false
	}
	t1, t2 := turn(a, b, c), turn(a, b, d)
	t3, t4 := turn(c, d, a), turn(c, d, b)
	if opposite(t1, t2) && opposite(t3, t4) {
		return true
	}
	if t1 == 0 && dot(c, a, b) < 0 || t2 == 0 && dot(d, a, b) < 0 ||
		t3 == 0 && dot(a, c, d) < 0 || t4 == 0 && dot(b, c, d) < 0 {
		return true
	}
	return samePlace(*a, *c) && samePlace(*b, *d) || samePlace(*a, *d) && samePlace(*b, *c)
}

func opposite(s, t int64) bool { return s < 0 && t > 0 || s > 0 && t < 0 }

// within reports whether the direction from v to p points strictly into the
// inside of a ring at its corner v, with a before and b after it; the inside is
// on the left. Where the ring turns back on itself that is all but the way it
// came.
func within(a, v, b, p *Vertex) bool {
	in, out := turn(a, v, p), turn(v, b, p)
	switch t := turn(a, v, b); {
	case t > 0:
		return in > 0 && out > 0
	case t < 0:
		return in > 0 || out > 0
	case dot(v, a, b) < 0:
		return out > 0
	}
	return out != 0 || dot(v, b, p) < 0
}
