package polygonize

// point is a lattice point seen from above.
type point struct{ x, z int32 }

// maxCoord bounds the lattice: with coordinates of at most 2^22 twice the area
// of a triangle has 48 bits, and the sum over maxCorners of them 63.
const (
	maxCoord   = 1 << 22
	maxCorners = 1 << 15
)

// area2 is twice the signed area of the triangle a, b, c: positive when it is
// counter-clockwise seen from above, which is when c lies left of a-b.
func area2(a, b, c point) int64 {
	return int64(b.z-a.z)*int64(c.x-a.x) - int64(b.x-a.x)*int64(c.z-a.z)
}

func left(a, b, c point) bool   { return area2(a, b, c) > 0 }
func leftOn(a, b, c point) bool { return area2(a, b, c) >= 0 }

// distSq is the squared distance between a and b.
func distSq(a, b point) int64 {
	dx, dz := int64(b.x-a.x), int64(b.z-a.z)
	return dx*dx + dz*dz
}

// forward reports whether the way a-b-c goes on rather than back at b.
func forward(a, b, c point) bool {
	return int64(b.x-a.x)*int64(c.x-b.x)+int64(b.z-a.z)*int64(c.z-b.z) > 0
}

// between reports whether c lies on the segment a-b, ends included.
func between(a, b, c point) bool {
	return area2(a, b, c) == 0 &&
		min(a.x, b.x) <= c.x && c.x <= max(a.x, b.x) &&
		min(a.z, b.z) <= c.z && c.z <= max(a.z, b.z)
}

// cross reports whether the segments a-b and c-d cross at a point inside both.
func cross(a, b, c, d point) bool {
	abc, abd := area2(a, b, c), area2(a, b, d)
	if abc == 0 || abd == 0 || (abc > 0) == (abd > 0) {
		return false
	}
	cda, cdb := area2(c, d, a), area2(c, d, b)
	return cda != 0 && cdb != 0 && (cda > 0) != (cdb > 0)
}

// meet reports whether the segments a-b and c-d share a point.
func meet(a, b, c, d point) bool {
	return cross(a, b, c, d) ||
		between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)
}

// ringArea2 is twice the signed area of a closed ring.
func ringArea2(ring []point) int64 {
	var sum int64
	for i := 2; i < len(ring); i++ {
		sum += area2(ring[0], ring[i-1], ring[i])
	}
	return sum
}
