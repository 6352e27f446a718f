package heightfield

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"wend/geom"
)

// Tri is a triangle on its way into a field.
type Tri struct {
	A, B, C uint32 // indices of its vertices
	Area    uint8  // area code of its top, Unwalkable when too steep
}

// slack is the overlap that does not count, in cells and in voxels: a
// triangle that reaches less than this into a cell or a voxel only touches it.
// It absorbs the rounding of coordinates that are meant to lie on the lattice,
// as 0.6 m does with cells of 0.2 m, and is too small to matter to a body.
const slack = 1.0 / 1024

// maxCoord bounds vertices in cells, so that products of them stay finite.
const maxCoord = 1 << 30

// A band of rows is the unit of work. It has about bandCells cells, so that its
// columns fit a core's cache, but no grid has more than maxBands of them, since
// a triangle is listed in every band that it reaches.
const (
	bandCells = 8192
	maxBands  = 256
)

// Rasterize fills the columns of g with the triangles' matter. A triangle
// fills, in each cell that it overlaps in plan, the voxels from floor of its
// lowest to ceil of its highest point within that cell, at least one.
//
// What touches a cell's border without reaching in does not fill the cell. A
// wall, which has no extent across its plan, fills the cells it runs through;
// one that runs exactly along a border fills the cells behind its face, where
// the matter is. So walls never vanish, never fill two cells for one, and a
// doorway between walls on the lattice keeps its width. Triangles without area
// are ignored.
//
// Parts outside the grid or below its base are clipped away; triangles over
// the grid that reach higher than MaxHeight voxels give a *HeightRangeError.
//
// Spans that touch or overlap become one. Its area is the greatest code among
// those spans whose top is at most mergeClimb voxels below the common top.
//
// At most workers goroutines work, at least one and never more than
// GOMAXPROCS; the result depends neither on their number nor on the order of
// tris. Time is linear in the triangles and in the cells they cover. Errors
// are *GridError, *GridSizeError, *TriError, *HeightRangeError,
// *SpanCountError or the context's.
func Rasterize(ctx context.Context, g Grid, verts []geom.Vec3, tris []Tri, mergeClimb int, workers int) (*Solid, error) {
	return rasterize(ctx, g, verts, tris, mergeClimb, workers, rawLimit)
}

// rasterize is Rasterize with a limit of raw spans of its own.
func rasterize(ctx context.Context, g Grid, verts []geom.Vec3, tris []Tri, mergeClimb, workers, rawLimit int) (*Solid, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	rows := min(max(bandCells/g.W, (g.D+maxBands-1)/maxBands), g.D)
	job := &rasterJob{
		grid:       g,
		invCell:    1 / g.Cell,
		invHeight:  1 / g.CellHeight,
		verts:      verts,
		tris:       tris,
		mergeClimb: min(max(mergeClimb, 0), MaxHeight),
		rawLimit:   rawLimit,
		bandRows:   rows,
		start:      make([]uint32, g.W*g.D+1),
	}
	bands := (g.D + rows - 1) / rows
	if err := job.bucket(ctx, bands); err != nil {
		return nil, err
	}
	job.out = make([]bandOut, bands)
	done, err := job.run(ctx, min(max(workers, 1), runtime.GOMAXPROCS(0), bands))
	if err != nil {
		return nil, err
	}
	return job.join(done)
}

// rasterJob is what the workers of one Rasterize share. Each band writes its
// own part of start and its own element of out.
type rasterJob struct {
	grid               Grid
	invCell, invHeight float64
	verts              []geom.Vec3
	tris               []Tri
	mergeClimb         int
	rawLimit           int

	bandRows  int
	bandStart []uint32 // the triangles of band b are bandTris[bandStart[b]:bandStart[b+1]]
	bandTris  []uint32

	start []uint32 // spans in column c at index c+1, until join sums them up
	out   []bandOut
}

// bandOut says where the spans of a band are: in the worker's merged, from
// begin to end.
type bandOut struct{ worker, begin, end int }

// point is a vertex in units of the grid: cells in x and z, voxels in h.
type point struct{ x, z, h float64 }

func (j *rasterJob) point(v geom.Vec3) point {
	return point{
		(v.X - j.grid.Origin.X) * j.invCell,
		(v.Z - j.grid.Origin.Z) * j.invCell,
		(v.Y - j.grid.Origin.Y) * j.invHeight,
	}
}

// bucket checks the triangles and lists those over the grid by band.
func (j *rasterJob) bucket(ctx context.Context, bands int) error {
	type bandRange struct{ first, last int32 } // first > last: not over the grid
	ranges := make([]bandRange, len(j.tris))
	counts := make([]uint32, bands+1)
	w, d := float64(j.grid.W), float64(j.grid.D)
	heights := heightRange{low: math.Inf(1), high: math.Inf(-1)}
	total := 0
	for i := range j.tris {
		if i&8191 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		ranges[i] = bandRange{0, -1}
		t := &j.tris[i]
		n := uint32(min(len(j.verts), math.MaxUint32))
		if t.A >= n || t.B >= n || t.C >= n {
			return j.triError(i)
		}
		va, vb, vc := j.verts[t.A], j.verts[t.B], j.verts[t.C]
		// The sum is finite for all but absurd coordinates, which triError
		// looks at one by one.
		if s := va.X + va.Y + va.Z + vb.X + vb.Y + vb.Z + vc.X + vc.Y + vc.Z; s-s != 0 {
			return j.triError(i)
		}
		a, b, c := j.corners(t)
		if max(a.x, b.x, c.x) < 0 || min(a.x, b.x, c.x) >= w ||
			max(a.z, b.z, c.z) < 0 || min(a.z, b.z, c.z) >= d {
			continue
		}
		lo, hi := min(a.h, b.h, c.h), max(a.h, b.h, c.h)
		if hi < -slack {
			continue
		}
		if min(a.x, b.x, c.x) < -maxCoord || max(a.x, b.x, c.x) > maxCoord ||
			min(a.z, b.z, c.z) < -maxCoord || max(a.z, b.z, c.z) > maxCoord ||
			lo < -maxCoord {
			return j.triError(i)
		}
		// What reaches too high is reported even when it is thin as a hair.
		if hi <= MaxHeight && flat(va, vb, vc) {
			continue
		}
		heights.add(i, lo, hi)
		first, last := footprint(min(a.z, b.z, c.z), max(a.z, b.z, c.z))
		if last < 0 || first >= j.grid.D {
			continue
		}
		r := bandRange{
			int32(max(first, 0) / j.bandRows),
			int32(min(last, j.grid.D-1) / j.bandRows),
		}
		ranges[i] = r
		for k := r.first; k <= r.last; k++ {
			counts[k+1]++
		}
		total += int(r.last-r.first) + 1
	}
	if err := heights.check(j); err != nil {
		return err
	}
	if total > math.MaxUint32 {
		return &SpanCountError{Spans: total}
	}
	for b := range bands {
		counts[b+1] += counts[b]
	}
	j.bandStart = counts
	j.bandTris = make([]uint32, total)
	next := append([]uint32(nil), counts[:bands]...)
	for i, r := range ranges {
		for b := r.first; b <= r.last; b++ {
			j.bandTris[next[b]] = uint32(i)
			next[b]++
		}
	}
	return nil
}

// corners returns the corners of a triangle on the lattice. A wall that runs
// along a border of cells is moved behind it, by what does not count elsewhere.
func (j *rasterJob) corners(t *Tri) (a, b, c point) {
	a, b, c = j.point(j.verts[t.A]), j.point(j.verts[t.B]), j.point(j.verts[t.C])
	if border, ok := onBorder(a.x, b.x, c.x); ok {
		// A face towards +x; one towards -x fills the cell that begins here
		// as it is.
		if float64((b.h-a.h)*(c.z-a.z))-float64((b.z-a.z)*(c.h-a.h)) > 0 {
			a.x, b.x, c.x = border-2*slack, border-2*slack, border-2*slack
		}
	}
	if border, ok := onBorder(a.z, b.z, c.z); ok {
		if float64((b.x-a.x)*(c.h-a.h))-float64((b.h-a.h)*(c.x-a.x)) > 0 {
			a.z, b.z, c.z = border-2*slack, border-2*slack, border-2*slack
		}
	}
	return a, b, c
}

// onBorder reports whether three coordinates are the same border of cells.
func onBorder(a, b, c float64) (border float64, ok bool) {
	if max(a, b, c)-min(a, b, c) > slack {
		return 0, false
	}
	border = math.RoundToEven(a)
	return border, max(a, b, c)-border <= slack && border-min(a, b, c) <= slack
}

// triError names the vertex of triangle i that is at fault.
func (j *rasterJob) triError(i int) error {
	t := j.tris[i]
	for _, v := range [3]uint32{t.A, t.B, t.C} {
		if int64(v) >= int64(len(j.verts)) {
			return &TriError{Tri: i, Vert: v, Reason: reasonMissing}
		}
	}
	for _, v := range [3]uint32{t.A, t.B, t.C} {
		if p := j.verts[v]; !p.IsFinite() {
			return &TriError{Tri: i, Vert: v, Pos: p, Reason: reasonNotFinite}
		}
	}
	// Name the farthest one.
	worst, far := t.A, -1.0
	for _, v := range [3]uint32{t.A, t.B, t.C} {
		p := j.point(j.verts[v])
		if m := max(math.Abs(p.x), math.Abs(p.z), math.Abs(p.h)); m > far {
			worst, far = v, m
		}
	}
	return &TriError{Tri: i, Vert: worst, Pos: j.verts[worst], Reason: reasonFar}
}

// flat reports whether the triangle has no area: its corners are on one line,
// or within a ten-billionth of its size, which is what rounding leaves of that.
func flat(a, b, c geom.Vec3) bool {
	u, v := b.Sub(a), c.Sub(a)
	size := max(math.Abs(u.X), math.Abs(u.Y), math.Abs(u.Z), math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z))
	if size == 0 {
		return true
	}
	n := u.Scale(1 / size).Cross(v.Scale(1 / size))
	return n.Dot(n) <= 1e-20
}

// footprint returns the first and the last row or column that an extent from
// lo to hi fills. An extent too thin to reach into a cell fills the one it
// begins in.
func footprint(lo, hi float64) (first, last int) {
	first = floor(lo + slack)
	// The ceiling less one is the floor, but for whole numbers.
	hi -= slack
	last = floor(hi)
	if float64(last) == hi {
		last--
	}
	return first, max(first, last)
}

// floor rounds f, which is within maxCoord and its surroundings, down.
func floor(f float64) int {
	i := int(f)
	if float64(i) > f {
		i--
	}
	return i
}

// heightRange follows the heights of the triangles over a grid, in voxels.
type heightRange struct {
	low, high       float64
	lowTri, highTri int
	sum             float64
	n               int
}

func (r *heightRange) add(tri int, lo, hi float64) {
	if lo < r.low {
		r.low, r.lowTri = lo, tri
	}
	if hi > r.high {
		r.high, r.highTri = hi, tri
	}
	r.sum += float64(lo/2) + float64(hi/2)
	r.n++
}

func (r *heightRange) check(j *rasterJob) error {
	if r.n == 0 {
		return nil
	}
	need := max(math.Floor(r.high+slack)+1, math.Ceil(r.high-slack))
	if need <= MaxHeight {
		return nil
	}
	metres := func(h float64) float64 { return j.grid.Origin.Y + float64(h*j.grid.CellHeight) }
	e := &HeightRangeError{
		Low: metres(r.low), High: metres(r.high),
		Voxels: need, CellHeight: j.grid.CellHeight,
		Tri: r.highTri, TriY: metres(r.high),
	}
	if mean := r.sum / float64(r.n); mean-r.low > r.high-mean {
		e.Tri, e.TriY = r.lowTri, metres(r.low)
	}
	return e
}

// run rasterizes all bands and returns the workers. A worker takes the next
// band that nobody has; each writes only its bands' parts of the job.
func (j *rasterJob) run(ctx context.Context, workers int) ([]*scratch, error) {
	all := make([]*scratch, workers)
	errs := make([]error, workers)
	var next atomic.Int64
	work := func(w int) {
		s := newScratch(j, w, workers)
		all[w] = s
		for errs[w] == nil {
			b := int(next.Add(1)) - 1
			if b >= len(j.out) {
				return
			}
			errs[w] = s.band(ctx, b)
		}
	}
	var wg sync.WaitGroup
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// join puts the bands' spans together in the order of the bands.
func (j *rasterJob) join(workers []*scratch) (*Solid, error) {
	total := 0
	for _, s := range workers {
		total += len(s.merged)
	}
	if total > maxSpans {
		return nil, &SpanCountError{Spans: total}
	}
	for c := 1; c < len(j.start); c++ {
		j.start[c] += j.start[c-1]
	}
	spans := workers[0].merged // one worker has them in order
	if len(workers) > 1 {
		spans = make([]Span, 0, total)
		for _, o := range j.out {
			spans = append(spans, workers[o.worker].merged[o.begin:o.end]...)
		}
	}
	return &Solid{Grid: j.grid, Start: j.start, Spans: spans}, nil
}
