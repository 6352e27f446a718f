package heightfield

import (
	"context"
	"math"
)

// A raw span is one triangle's matter in one column, packed so that the order
// of the numbers is the canonical order within a column:
//
//	bits 40-63 column within the band, 24-39 min, 8-23 max, 0-7 area
const (
	rawCol  = 40
	rawMin  = 24
	rawMax  = 8
	rawMask = 0xffff
)

// rawLimit is the number of raw spans at which a band is reduced in place
// before more are added (32 MB of them).
const rawLimit = 1 << 22

// scratch is a worker's memory, reused from band to band.
type scratch struct {
	job    *rasterJob
	raw    []uint64  // spans in the order they come
	sorted []uint64  // the same by column
	count  []uint32  // raw spans per column of the band, then places
	lo, hi []float64 // height range per cell of one row of one triangle
	limit  int       // raw spans at which the next reduction is due
	seen   int       // raw spans since the context was last looked at

	row0, row1 int // the band's rows, row1 excluded
	area       uint8
}

func newScratch(j *rasterJob) *scratch {
	w := j.grid.W
	return &scratch{
		job:   j,
		count: make([]uint32, w*j.bandRows+1),
		lo:    make([]float64, w),
		hi:    make([]float64, w),
	}
}

// band rasterizes the triangles of band b and leaves its merged spans in the
// job's out and their numbers per column in the job's start.
func (s *scratch) band(ctx context.Context, b int) error {
	j := s.job
	s.row0 = b * j.bandRows
	s.row1 = min(s.row0+j.bandRows, j.grid.D)
	s.raw = s.raw[:0]
	s.limit = rawLimit
	clear(s.count)
	for i, t := range j.bandTris[j.bandStart[b]:j.bandStart[b+1]] {
		if i&1023 == 0 || s.seen > 1<<18 {
			if err := ctx.Err(); err != nil {
				return err
			}
			s.seen = 0
		}
		tri := &j.tris[t]
		s.area = tri.Area
		before := len(s.raw)
		s.triangle(j.point(j.verts[tri.A]), j.point(j.verts[tri.B]), j.point(j.verts[tri.C]))
		s.seen += len(s.raw) - before
		if len(s.raw) > s.limit {
			s.reduce()
		}
	}
	s.merge(b)
	return nil
}

// triangle adds the spans of a triangle in the rows of the band.
//
// In each row the triangle is a convex polygon of up to five corners. The
// extreme heights in a cell lie on that polygon's outline: at its corners or
// where an edge crosses the cell's border. So walking the edges of the row's
// polygon, and noting the height at each crossing, gives the range of every
// cell without clipping the polygon to each of them.
func (s *scratch) triangle(v0, v1, v2 point) {
	if v1.z < v0.z {
		v0, v1 = v1, v0
	}
	if v2.z < v1.z {
		v1, v2 = v2, v1
		if v1.z < v0.z {
			v0, v1 = v1, v0
		}
	}
	first, last := footprint(v0.z, v2.z)
	if first == last {
		// One row: the polygon is the triangle.
		row := int(first)
		if row < s.row0 || row >= s.row1 {
			return
		}
		s.row(row, [5]point{v0, v1, v2}, 3)
		return
	}

	// Slopes along z: of the long edge v0-v2, and of v0-v1 and v1-v2, which
	// are not needed where the edge runs along x.
	longX, longH := slope(v0, v2)
	loX, loH := slope(v0, v1)
	hiX, hiH := slope(v1, v2)

	from := max(int(max(first, 0)), s.row0)
	to := min(int(min(last, float64(s.row1))), s.row1-1)
	var left, right point // on the long edge and on the short ones, where the row begins
	for row := from; row <= to; row++ {
		if row == from {
			za := float64(row)
			if za <= first {
				za = v0.z
			}
			left = along(v0, longX, longH, za)
			if za < v1.z {
				right = along(v0, loX, loH, za)
			} else {
				right = along(v1, hiX, hiH, za)
			}
		}
		za, zb := left.z, float64(row)+1
		if float64(row) == last {
			zb = v2.z
		}
		left2 := along(v0, longX, longH, zb)
		var right2 point
		if zb < v1.z {
			right2 = along(v0, loX, loH, zb)
		} else {
			right2 = along(v1, hiX, hiH, zb)
		}
		if za < v1.z && v1.z < zb {
			s.row(row, [5]point{left, left2, right2, v1, right}, 5)
		} else {
			s.row(row, [5]point{left, left2, right2, right}, 4)
		}
		left, right = left2, right2
	}
}

// slope returns the change of x and h per unit of z; 0 for an edge along x.
func slope(a, b point) (dx, dh float64) {
	dz := b.z - a.z
	if dz < 1e-9 {
		return 0, 0
	}
	return (b.x - a.x) / dz, (b.h - a.h) / dz
}

// along returns the point at z on the line through a.
func along(a point, dx, dh, z float64) point {
	t := z - a.z
	return point{a.x + float64(t*dx), z, a.h + float64(t*dh)}
}

// row adds the spans of a convex polygon of n corners that lies within a row.
func (s *scratch) row(row int, p [5]point, n int) {
	xlo, xhi := p[0].x, p[0].x
	hlo, hhi := p[0].h, p[0].h
	for i := 1; i < n; i++ {
		q := &p[i]
		if q.x < xlo {
			xlo = q.x
		}
		if q.x > xhi {
			xhi = q.x
		}
		if q.h < hlo {
			hlo = q.h
		}
		if q.h > hhi {
			hhi = q.h
		}
	}
	first, last := footprint(xlo, xhi)
	w := s.job.grid.W
	if last < 0 || first >= float64(w) || hhi < -slack {
		return
	}
	from, to := int(max(first, 0)), int(min(last, float64(w-1)))
	base := (row - s.row0) * w
	if first == last || hlo == hhi {
		// One cell, or a level polygon: the same range everywhere.
		v := pack(hlo, hhi, s.area)
		raw := s.raw
		for x := from; x <= to; x++ {
			raw = append(raw, v|uint64(base+x)<<rawCol)
			s.count[base+x]++
		}
		s.raw = raw
		return
	}
	lo, hi := s.lo[from:to+1], s.hi[from:to+1]
	for i := range lo {
		lo[i] = math.Inf(1)
	}
	for i := range hi {
		hi[i] = math.Inf(-1)
	}
	for i := range n {
		k := i + 1
		if k == n {
			k = 0
		}
		walk(&p[i], &p[k], lo, hi, float64(from), first, last)
	}
	count := s.count[base+from : base+to+1]
	raw := s.raw
	for i := range lo {
		if hi[i] < -slack {
			continue
		}
		raw = append(raw, pack(lo[i], hi[i], s.area)|uint64(base+from+i)<<rawCol)
		count[i]++
	}
	s.raw = raw
}

// walk notes the heights of the edge a-b in the cells it passes. lo and hi
// begin at cell from. The edge's ends count for a cell between first and last,
// also where they stick out of it by less than slack.
func walk(a, b *point, lo, hi []float64, from, first, last float64) {
	if a.x > b.x {
		a, b = b, a
	}
	ca := min(max(math.Floor(a.x), first), last) - from
	cb := min(max(math.Floor(b.x), first), last) - from
	n := float64(len(lo))
	if cb < 0 || ca >= n {
		return
	}
	ha, hb := a.h, b.h
	dx := b.x - a.x
	if ca == cb || dx < 1e-9 {
		// Within one cell, or across a border by a hair.
		if hb < ha {
			ha, hb = hb, ha
		}
		for c := int(max(ca, 0)); c <= int(min(cb, n-1)); c++ {
			note(lo, hi, c, ha, hb)
		}
		return
	}
	m := (hb - ha) / dx
	c0, c1 := int(max(ca, 0)), int(min(cb, n-1))
	// h is the height where the edge enters cell c, next where it leaves.
	h := ha
	if ca < 0 {
		h = ha + float64((from-a.x)*m)
	}
	x := float64(c0) + 1 + from - a.x
	if m >= 0 {
		for c := c0; c < c1; c++ {
			next := ha + float64(x*m)
			x++
			note(lo, hi, c, h, next)
			h = next
		}
	} else {
		for c := c0; c < c1; c++ {
			next := ha + float64(x*m)
			x++
			note(lo, hi, c, next, h)
			h = next
		}
	}
	next := hb
	if cb >= n {
		next = ha + float64(x*m)
	}
	if next < h {
		h, next = next, h
	}
	note(lo, hi, c1, h, next)
}

// note widens the range of cell c to hold low and high.
func note(lo, hi []float64, c int, low, high float64) {
	if low < lo[c] {
		lo[c] = low
	}
	if high > hi[c] {
		hi[c] = high
	}
}

// pack returns the raw span of column 0 that holds the heights low to high,
// where high is above the base of the grid.
func pack(low, high float64, area uint8) uint64 {
	// The conversions truncate, and only in range do they mean anything.
	bottom, top := 0, 0
	if low += slack; low >= MaxHeight {
		bottom = MaxHeight - 1
	} else if low > 0 {
		bottom = int(low)
	}
	if high -= slack; high >= MaxHeight {
		top = MaxHeight
	} else if high > 0 {
		top = int(high)
		if float64(top) < high {
			top++
		}
	}
	if top <= bottom {
		top = bottom + 1
	}
	return uint64(bottom)<<rawMin | uint64(top)<<rawMax | uint64(area)
}
