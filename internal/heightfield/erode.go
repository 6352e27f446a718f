package heightfield

import "math"

// Erode makes every entry unwalkable that a body of the given radius, in
// cells, cannot stand on without reaching into a wall or over an edge.
//
// A face entry lacks a walkable neighbour in one of the four directions; a
// corner entry is a face entry, or one whose diagonal neighbour is missing. An
// entry goes
//   - when a face entry is closer than radius, or
//   - when radius is greater than 2 and a corner entry is closer than
//     sqrt(radius*(radius-1)).
//
// Distances are Euclidean, between cell centres, and exact. A relative 1e-9 is
// forgiven, so a radius of 2.0000000001 acts as 2. Unwalkable entries count as
// face entries. A radius of 0, negative or NaN erodes nothing.
//
// The first rule keeps the area of every remaining cell radius cells away from
// an obstacle straight ahead, but only radius - 0.71 from the corner of one
// that lies diagonally. The second makes that sqrt(radius*(radius-1)), which
// is radius - 0.5 to within a tenth of a cell, and to within a hundredth from
// radius 13 on. Up to a radius of 2 it would add nothing on a plain floor, and
// for 1 and 2 the result is that of Recast's erosion. A passage of exactly twice
// the radius is closed, one cell more opens it.
//
// Distances run through linked entries, along one axis and then along the
// other, in either order. On a plain floor that finds the nearest face entry in
// every case, since a walk that is cut short ends in a nearer one; on
// stacked floors it does not leak from one to another. Time is linear in the
// entries, whatever the radius.
func (c *Compact) Erode(radius float64) {
	if !(radius > 0) {
		return
	}
	// No distance in the field exceeds its two sides taken together.
	radius = min(radius, float64(c.W)+float64(c.D)+1)
	face := make([]bool, c.Len())
	for i := range face {
		face[i] = c.isFace(i)
	}
	dead := make([]bool, c.Len())
	c.sweep(face, float64(radius*radius)*(1-1e-9), dead)
	if radius > 2 {
		corner := make([]bool, c.Len())
		for i := range corner {
			corner[i] = face[i] || c.isCorner(i)
		}
		c.sweep(corner, float64(radius*(radius-1))*(1-1e-9), dead)
	}
	for i, d := range dead {
		if d {
			c.Area[i] = Unwalkable
		}
	}
}

// isFace reports whether entry i has a side without walkable ground.
func (c *Compact) isFace(i int) bool {
	if c.Area[i] == Unwalkable {
		return true
	}
	for _, n := range c.Nei[i] {
		if n < 0 || c.Area[n] == Unwalkable {
			return true
		}
	}
	return false
}

// isCorner reports whether an entry that is no face entry has a diagonal
// neighbour without walkable ground.
func (c *Compact) isCorner(i int) bool {
	for d, n := range c.Nei[i] {
		for _, side := range [2]int{(d + 1) & 3, (d + 3) & 3} {
			if m := c.Nei[n][side]; m < 0 || c.Area[m] == Unwalkable {
				return true
			}
		}
	}
	return false
}

// sweep marks the entries whose squared distance to the nearest source is less
// than sq.
//
// The squared distance to a source k cells along one axis and then g along the
// other is k*k + g*g. So with g the distance of each entry to the nearest source
// along z, an entry kills its neighbours along x as far as the largest k with
// k*k + g*g < sq. How far such a kill reaches is handed on from entry to entry,
// one less at each step, as the distances are: two passes in ascending and two
// in descending order do all, since neighbours in -x and -z come earlier in
// the order of entries and those in +x and +z later.
func (c *Compact) sweep(source []bool, sq float64, dead []bool) {
	reach := reachTable(sq)
	far := int32(len(reach)) - 1 // distances that kill nothing, not even their entry

	type pair struct{ x, z int32 } // along x, along z
	dist := make([]pair, len(source))
	for i := range dist {
		if source[i] {
			continue
		}
		d := pair{far, far}
		if n := c.Nei[i][0]; n >= 0 {
			d.x = min(dist[n].x+1, far)
		}
		if n := c.Nei[i][3]; n >= 0 {
			d.z = min(dist[n].z+1, far)
		}
		dist[i] = d
	}
	for i := len(dist) - 1; i >= 0; i-- {
		if n := c.Nei[i][2]; n >= 0 {
			dist[i].x = min(dist[i].x, dist[n].x+1)
		}
		if n := c.Nei[i][1]; n >= 0 {
			dist[i].z = min(dist[i].z, dist[n].z+1)
		}
	}
	// From here dist holds reaches: x that along x, of what was found along z.
	for i := range dist {
		r := pair{reach[dist[i].z], reach[dist[i].x]}
		if n := c.Nei[i][0]; n >= 0 {
			r.x = max(r.x, dist[n].x-1)
		}
		if n := c.Nei[i][3]; n >= 0 {
			r.z = max(r.z, dist[n].z-1)
		}
		dist[i] = r
	}
	for i := len(dist) - 1; i >= 0; i-- {
		r := dist[i]
		if n := c.Nei[i][2]; n >= 0 {
			r.x = max(r.x, dist[n].x-1)
		}
		if n := c.Nei[i][1]; n >= 0 {
			r.z = max(r.z, dist[n].z-1)
		}
		dist[i] = r
		if r.x >= 0 || r.z >= 0 {
			dead[i] = true
		}
	}
}

// reachTable returns, for each g from 0 to the first that kills nothing, the
// largest k >= 0 with k*k + g*g < sq, and -1 where there is none.
func reachTable(sq float64) []int32 {
	var t []int32
	for g := 0.0; ; g++ {
		left := sq - float64(g*g)
		if !(left > 0) {
			return append(t, -1)
		}
		k := math.Floor(math.Sqrt(left))
		for float64(k*k) >= left {
			k--
		}
		for float64((k+1)*(k+1)) < left {
			k++
		}
		t = append(t, int32(k))
	}
}
