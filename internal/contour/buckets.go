package contour

import "math"

// buckets files edges by the cells of a coarse lattice they pass, so that the
// edges near one can be found. It owns its memory and can be used again.
type buckets struct {
	minX, minZ int32
	side       int32 // of a bucket, in cells
	nx, nz     int32
	first      []int32 // per bucket: its last filed entry, -1: none
	entries    []entry
}

// entry puts an edge, by its first corner, on the list of a bucket.
type entry struct{ edge, next int32 }

// reset lays an empty lattice over v with about one bucket for each corner.
func (b *buckets) reset(v []Vertex) {
	maxX, maxZ := int32(math.MinInt32), int32(math.MinInt32)
	b.minX, b.minZ = math.MaxInt32, math.MaxInt32
	for i := range v {
		b.minX, maxX = min(b.minX, v[i].X), max(maxX, v[i].X)
		b.minZ, maxZ = min(b.minZ, v[i].Z), max(maxZ, v[i].Z)
	}
	w, d := int64(maxX-b.minX), int64(maxZ-b.minZ)
	b.side = 1
	for (w/int64(b.side)+1)*(d/int64(b.side)+1) > int64(len(v))+8 {
		b.side *= 2
	}
	b.nx, b.nz = int32(w)/b.side+1, int32(d)/b.side+1
	b.first = b.first[:0]
	for range b.nx * b.nz {
		b.first = append(b.first, -1)
	}
	b.entries = b.entries[:0]
}

// at returns the column and row of a corner.
func (b *buckets) at(v *Vertex) (x, z int32) { return (v.X - b.minX) / b.side, (v.Z - b.minZ) / b.side }

// file puts the edge from p to q on the lists of the buckets it passes.
func (b *buckets) file(edge int32, p, q *Vertex) {
	for col := b.columns(p, q); col.next(); {
		for z := col.z0; z <= col.z1; z++ {
			at := col.x + z*b.nx
			b.entries = append(b.entries, entry{edge, b.first[at]})
			b.first[at] = int32(len(b.entries) - 1)
		}
	}
}

// columns walks the bucket columns that a segment passes.
type columns struct {
	x, last        int32
	z0, z1         int32 // rows the segment passes in column x
	ax, az, bx, bz int64 // ends by X, relative to the lattice
	side           int64
}

func (b *buckets) columns(p, q *Vertex) columns {
	if q.X < p.X {
		p, q = q, p
	}
	c := columns{
		ax: int64(p.X - b.minX), az: int64(p.Z - b.minZ),
		bx: int64(q.X - b.minX), bz: int64(q.Z - b.minZ), side: int64(b.side),
	}
	c.x, c.last = int32(c.ax/c.side)-1, int32(c.bx/c.side)
	return c
}

func (c *columns) next() bool {
	if c.x++; c.x > c.last {
		return false
	}
	lo, hi := min(c.az, c.bz), max(c.az, c.bz)
	if dx, dz := c.bx-c.ax, c.bz-c.az; dx > 0 && dz != 0 {
		// Where the segment enters and leaves the column, rounded outwards.
		in := max(int64(c.x)*c.side-c.ax, 0) * dz
		out := min(int64(c.x+1)*c.side-c.ax, dx) * dz
		if dz < 0 {
			in, out = out, in
		}
		lo, hi = max(lo, c.az+floorDiv(in, dx)), min(hi, c.az+floorDiv(out, dx)+1)
	}
	c.z0, c.z1 = int32(lo/c.side), int32(hi/c.side)
	return true
}

// floorDiv is a/b rounded down, b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
