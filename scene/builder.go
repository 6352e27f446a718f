package scene

import (
	"math"
	"slices"

	"wend/geom"
	"wend/internal/detmath"
)

// Builder turns what a reader finds into a Scene: it applies the options,
// drops triangles without area and writes the Report. Readers of further
// formats use it as the ones below this package do.
//
// Positions go in as the file has them; Finish moves them into the world. A
// Builder belongs to one goroutine and is used up by Finish.
type Builder struct {
	// Where names the place of a triangle from the number given to Triangle
	// or Drop, for errors and the report. It must be set before Finish.
	Where func(src uint32) string

	opt     Options
	report  Report
	verts   []geom.Vec3
	tris    []Tri
	src     []uint32 // per triangle: the reader's number for its place
	parts   []Part
	partIDs map[Part]uint32
	drops   [numDropReasons]dropped
}

// minGrow is how many vertices the first growth makes room for.
const minGrow = 256

type dropped struct {
	count int
	first [maxExamples]uint32
}

// NewBuilder starts a scene read from file. A nil o means the defaults.
func NewBuilder(file, format string, o *Options) (*Builder, error) {
	opt, err := o.validate()
	if err != nil {
		return nil, err
	}
	return &Builder{
		opt:     opt,
		report:  Report{File: file, Format: format, MaxSlopeDeg: opt.MaxSlopeDeg},
		partIDs: make(map[Part]uint32),
	}, nil
}

// Vertex adds a finite position and returns its index.
func (b *Builder) Vertex(p geom.Vec3) uint32 {
	if len(b.verts) == cap(b.verts) {
		b.verts = slices.Grow(b.verts, len(b.verts)+minGrow) // doubling copies less than append does
	}
	b.verts = append(b.verts, p)
	return uint32(len(b.verts) - 1)
}

// NumVerts returns the number of vertices added.
func (b *Builder) NumVerts() int { return len(b.verts) }

// At returns a vertex as it was added.
func (b *Builder) At(i uint32) geom.Vec3 { return b.verts[i] }

// Part returns the index of the part with that name and material; the first
// call with them makes it.
func (b *Builder) Part(name, material string) uint32 {
	p := Part{Name: name, Material: material}
	id, ok := b.partIDs[p]
	if !ok {
		id = uint32(len(b.parts))
		b.parts = append(b.parts, p)
		b.partIDs[p] = id
	}
	return id
}

// Reserve says that n triangles will follow. It fails with a LimitError when
// the scene would have more than Options.MaxTriangles, before memory is spent
// on them.
func (b *Builder) Reserve(n int) error {
	if n > b.opt.MaxTriangles-b.report.Read {
		return &LimitError{File: b.report.File, Triangles: b.report.Read + n, Limit: b.opt.MaxTriangles}
	}
	return nil
}

// Grow makes room for n more triangles at once.
func (b *Builder) Grow(n int) {
	b.tris = slices.Grow(b.tris, n)
	b.src = slices.Grow(b.src, n)
}

// Triangle adds a triangle whose vertices and part exist. src is a number
// that Where understands.
func (b *Builder) Triangle(t Tri, src uint32) {
	b.report.Read++
	b.tris = append(b.tris, t)
	b.src = append(b.src, src)
}

// Drop counts a triangle of the file that the reader itself leaves out.
func (b *Builder) Drop(r DropReason, src uint32) {
	b.report.Read++
	b.drop(r, src)
}

func (b *Builder) drop(r DropReason, src uint32) {
	d := &b.drops[r]
	// Keep the smallest numbers: a reader's own drops come before those that
	// Finish finds.
	n := min(d.count, len(d.first))
	for i := range d.first[:n] {
		if src < d.first[i] {
			src, d.first[i] = d.first[i], src
		}
	}
	if n < len(d.first) {
		d.first[n] = src
	}
	d.count++
}

// Ignore counts points and lines that the file holds besides triangles.
func (b *Builder) Ignore(points, lines int) {
	b.report.Points += points
	b.report.Lines += lines
}

// Warn adds a warning to the report.
func (b *Builder) Warn(c WarningCode, text string) {
	b.report.Warnings = append(b.report.Warnings, Warning{c, text})
}

// FacesDown reports whether the triangle a, b, c, in the coordinates of the
// file, faces down once the options are applied.
func (b *Builder) FacesDown(p, q, r geom.Vec3) bool {
	n := q.Sub(p).Cross(r.Sub(p))
	if b.opt.Up == UpZ {
		return n.Z < 0
	}
	return n.Y < 0
}

// Finish moves the positions into the world and returns the scene and the
// report. It fails with a RangeError for a triangle too far out and with an
// EmptyError when no triangle is left. The time is linear in the size of the
// scene.
func (b *Builder) Finish() (*Scene, *Report, error) {
	used := make([]bool, len(b.verts))
	for i := range b.tris {
		for _, v := range b.tris[i].V {
			used[v] = true
		}
	}
	factor := b.opt.factor()
	for i, u := range used {
		if u {
			b.verts[i] = b.opt.apply(b.verts[i], factor)
		}
	}
	if err := b.checkRange(); err != nil {
		return nil, nil, err
	}
	b.clean()
	if len(b.tris) == 0 {
		return nil, nil, &EmptyError{
			File: b.report.File, Points: b.report.Points, Lines: b.report.Lines, Degenerate: b.report.Read,
		}
	}
	b.compact(used)
	return &Scene{Verts: b.verts, Tris: b.tris, Parts: b.parts}, &b.report, nil
}

// checkRange looks for the largest coordinate a triangle uses.
func (b *Builder) checkRange() error {
	worst, at, axis := 0.0, 0, ""
	for i := range b.tris {
		for _, v := range b.tris[i].V {
			p := &b.verts[v]
			if x := math.Abs(p.X); x > math.Abs(worst) {
				worst, at, axis = p.X, i, "x"
			}
			if y := math.Abs(p.Y); y > math.Abs(worst) {
				worst, at, axis = p.Y, i, "y"
			}
			if z := math.Abs(p.Z); z > math.Abs(worst) {
				worst, at, axis = p.Z, i, "z"
			}
		}
	}
	if math.Abs(worst) <= MaxCoordinate {
		return nil
	}
	return &RangeError{File: b.report.File, Where: b.Where(b.src[at]), Axis: axis, Value: worst}
}

// clean drops triangles without area and measures the rest.
func (b *Builder) clean() {
	r := &b.report
	limit := detmath.CosDeg(b.opt.MaxSlopeDeg)
	r.Bounds = geom.EmptyBox()
	var seen evidence
	kept := 0
	for i, t := range b.tris {
		p, q, s := b.verts[t.V[0]], b.verts[t.V[1]], b.verts[t.V[2]]
		switch {
		case t.V[0] == t.V[1] || t.V[1] == t.V[2] || t.V[2] == t.V[0]:
			b.drop(RepeatedCorner, b.src[i])
			continue
		case p == q || q == s || s == p:
			b.drop(RepeatedPosition, b.src[i])
			continue
		}
		n := q.Sub(p).Cross(s.Sub(p))
		twice := n.Len()
		if collinear(p, q, s, twice) {
			b.drop(Collinear, b.src[i])
			continue
		}
		b.tris[kept] = t
		kept++
		r.Bounds = r.Bounds.Extend(p).Extend(q).Extend(s)
		area := float64(twice * 0.5)
		r.Area += area
		flat := float64(limit * twice)
		switch {
		case n.Y >= flat:
			r.UpArea += area
		case -n.Y >= flat:
			r.DownArea += area
		default:
			r.SteepArea += area
		}
		// What the other axis would make of it: its up is +Z of a world that was
		// read as Y-up, and -Z of one that was read as Z-up.
		otherUp := n.Z
		if b.opt.Up == UpZ {
			otherUp = -n.Z
		}
		switch {
		case otherUp >= flat:
			seen.upIfOther += area
		case -otherUp < flat:
			seen.steepIfOther += area
		}
		for _, side := range [3]float64{geom.DistSq(p, q), geom.DistSq(q, s), geom.DistSq(s, p)} {
			if side > longSide*longSide {
				seen.longSides++
			}
		}
	}
	b.tris = b.tris[:kept]
	r.Kept = kept
	r.Parts = len(b.parts)
	for reason, d := range b.drops {
		if d.count == 0 {
			continue
		}
		drop := Drop{Reason: DropReason(reason), Count: d.count}
		for _, src := range d.first[:min(d.count, len(d.first))] {
			drop.Examples = append(drop.Examples, b.Where(src))
		}
		r.Dropped = append(r.Dropped, drop)
	}
	r.judge(&b.opt, &seen)
}

// collinear reports whether a triangle is so thin that float32 storage cannot
// tell it from a line: its height over the longest side is at most one step
// (2^-23) of the largest coordinate. twice is twice the triangle's area.
func collinear(p, q, s geom.Vec3, twice float64) bool {
	longest := max(geom.DistSq(p, q), geom.DistSq(q, s), geom.DistSq(s, p))
	size := max(
		math.Abs(p.X), math.Abs(p.Y), math.Abs(p.Z),
		math.Abs(q.X), math.Abs(q.Y), math.Abs(q.Z),
		math.Abs(s.X), math.Abs(s.Y), math.Abs(s.Z))
	const step = 1.0 / (1 << 23)
	// height = twice / longest side. Also true when everything underflows.
	return twice <= float64(step*size)*math.Sqrt(longest)
}

// compact leaves out vertices that no kept triangle uses.
func (b *Builder) compact(used []bool) {
	clear(used)
	n := 0
	for i := range b.tris {
		for _, v := range b.tris[i].V {
			if !used[v] {
				used[v] = true
				n++
			}
		}
	}
	if n == len(b.verts) {
		return
	}
	to := make([]uint32, len(b.verts))
	verts := make([]geom.Vec3, 0, n)
	for i, u := range used {
		if u {
			to[i] = uint32(len(verts))
			verts = append(verts, b.verts[i])
		}
	}
	for i := range b.tris {
		for k, v := range b.tris[i].V {
			b.tris[i].V[k] = to[v]
		}
	}
	b.verts = verts
}
