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
	worker int
	raw    []uint64 // spans in the order they come
	sorted []uint64 // the same by column
	count  []uint32 // raw spans per column of the band, then places
	merged []Span   // the results of the worker's bands, one after the other
	limit  int      // raw spans at which the next reduction is due
	seen   int      // raw spans since the context was last looked at

	row0, row1 int   // the band's rows, row1 excluded
	area       uint8 // of the triangle at work

	// The part of the triangle within one row: a convex polygon's corners,
	// and the height range of each cell that it overlaps. Element i+1 is the
	// i-th cell; the first and the last catch what belongs to their
	// neighbours outside.
	poly  [5]corner
	cells []extent
}

// corner is a corner of a row's polygon.
type corner struct {
	x, h float64
	cell int // the cell whose range it counts for
}

// extent is a range of heights.
type extent struct{ lo, hi float64 }

func newScratch(j *rasterJob, worker, workers int) *scratch {
	w := j.grid.W
	cells := w * j.bandRows
	guess := min(3*cells, 1<<16) // grows where it is too small
	return &scratch{
		job:    j,
		worker: worker,
		merged: make([]Span, 0, min(w*j.grid.D/workers, 1<<20)),
		raw:    make([]uint64, 0, guess),
		sorted: make([]uint64, guess),
		count:  make([]uint32, cells),
		cells:  make([]extent, w+2),
	}
}

// band rasterizes the triangles of band b and appends its merged spans to
// s.merged, with their numbers per column in the job's start.
func (s *scratch) band(ctx context.Context, b int) error {
	j := s.job
	s.row0 = b * j.bandRows
	s.row1 = min(s.row0+j.bandRows, j.grid.D)
	s.raw = s.raw[:0]
	s.limit = j.rawLimit
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
		s.triangle(j.corners(tri))
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
		if first >= s.row0 && first < s.row1 {
			s.poly[0] = corner{x: v0.x, h: v0.h}
			s.poly[1] = corner{x: v1.x, h: v1.h}
			s.poly[2] = corner{x: v2.x, h: v2.h}
			s.row(first, 3)
		}
		return
	}

	// Slopes along z: of the long edge v0-v2, and of v0-v1 and v1-v2, which
	// are not needed where the edge runs along x.
	longX, longH := slope(&v0, &v2)
	loX, loH := slope(&v0, &v1)
	hiX, hiH := slope(&v1, &v2)

	from, to := max(first, s.row0), min(last, s.row1-1)
	za := float64(from)
	if from == first {
		za = v0.z // up to slack before or after the row begins
	}
	p := &s.poly
	for row := from; row <= to; row++ {
		zb := float64(row + 1)
		if row == last {
			zb = v2.z
		}
		// Along the long edge and back along the short ones.
		p[0].along(&v0, longX, longH, za)
		p[1].along(&v0, longX, longH, zb)
		n := 4
		if zb < v1.z {
			p[2].along(&v0, loX, loH, zb)
			p[3].along(&v0, loX, loH, za)
		} else {
			p[2].along(&v1, hiX, hiH, zb)
			if za < v1.z {
				p[3] = corner{x: v1.x, h: v1.h}
				p[4].along(&v0, loX, loH, za)
				n = 5
			} else {
				p[3].along(&v1, hiX, hiH, za)
			}
		}
		s.row(row, n)
		za = zb
	}
}

// slope returns the change of x and h per unit of z; 0 for an edge along x.
func slope(a, b *point) (dx, dh float64) {
	dz := b.z - a.z
	if dz < 1e-9 {
		return 0, 0
	}
	return (b.x - a.x) / dz, (b.h - a.h) / dz
}

// along puts the corner on the line through a, at z.
func (c *corner) along(a *point, dx, dh, z float64) {
	t := z - a.z
	c.x = a.x + float64(t*dx)
	c.h = a.h + float64(t*dh)
}

// row adds the spans of the polygon of n corners in s.poly, all in that row.
func (s *scratch) row(row, n int) {
	poly := s.poly[:n]
	xlo, xhi := poly[0].x, poly[0].x
	hlo, hhi := poly[0].h, poly[0].h
	for i := 1; i < len(poly); i++ {
		x, h := poly[i].x, poly[i].h
		if x < xlo {
			xlo = x
		}
		if x > xhi {
			xhi = x
		}
		if h < hlo {
			hlo = h
		}
		if h > hhi {
			hhi = h
		}
	}
	w := s.job.grid.W
	first, last := footprint(xlo, xhi)
	if last < 0 || first >= w || hhi < -slack {
		return
	}
	from, to := max(first, 0), min(last, w-1)
	count := s.count[(row-s.row0)*w+from:][:to-from+1]
	key := uint64((row-s.row0)*w+from) << rawCol
	raw := s.raw
	if first == last || hlo == hhi {
		// One cell, or a level polygon: the same range everywhere.
		key |= pack(hlo, hhi, s.area)
		for i := range count {
			raw = append(raw, key)
			key += 1 << rawCol
			count[i]++
		}
		s.raw = raw
		return
	}

	cells := s.cells[:len(count)+2]
	for i := range cells {
		cells[i] = extent{math.Inf(1), math.Inf(-1)}
	}
	for i := range poly {
		c := &poly[i]
		// Also where it sticks out of the footprint, by less than slack.
		c.cell = min(max(floor(c.x), first), last)
		if k := c.cell - from + 1; k > 0 && k < len(cells)-1 {
			e := &cells[k]
			if c.h < e.lo {
				e.lo = c.h
			}
			if c.h > e.hi {
				e.hi = c.h
			}
		}
	}
	a := &poly[len(poly)-1]
	for i := range poly {
		b := &poly[i]
		if a.cell < b.cell {
			cross(a, b, cells, from)
		} else if a.cell > b.cell {
			cross(b, a, cells, from)
		}
		a = b
	}
	for i := range count {
		e := &cells[i+1]
		if e.hi >= -slack {
			raw = append(raw, key|pack(e.lo, e.hi, s.area))
			count[i]++
		}
		key += 1 << rawCol
	}
	s.raw = raw
}

// cross notes the heights at which the edge from a to b, which lies in a
// farther cell, crosses the borders of cells. Element 1 of cells is cell from.
func cross(a, b *corner, cells []extent, from int) {
	dx := b.x - a.x
	if dx < 1e-9 {
		// Across a border by a hair, too short to divide by.
		for c := max(a.cell, from); c <= min(b.cell, from+len(cells)-3); c++ {
			e := &cells[c-from+1]
			e.lo = min(e.lo, a.h, b.h)
			e.hi = max(e.hi, a.h, b.h)
		}
		return
	}
	m := (b.h - a.h) / dx
	// The border at x lies between cells k-1 and k.
	border := max(a.cell+1, from)
	end := min(b.cell, from+len(cells)-2)
	x := float64(border) - a.x
	k := border - from + 1
	n := end - from + 2
	if n > len(cells) || k < 1 {
		return // never so; tells the compiler that the indices are good
	}
	if m >= 0 {
		for ; k < n; k++ {
			h := a.h + float64(x*m)
			x++
			if h > cells[k-1].hi {
				cells[k-1].hi = h
			}
			if h < cells[k].lo {
				cells[k].lo = h
			}
		}
	} else {
		for ; k < n; k++ {
			h := a.h + float64(x*m)
			x++
			if h < cells[k-1].lo {
				cells[k-1].lo = h
			}
			if h > cells[k].hi {
				cells[k].hi = h
			}
		}
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
