package contour

import (
	"context"
	"fmt"
	"math"
	"slices"

	"wend/internal/heightfield"
	"wend/internal/region"
)

// checkEvery is the number of regions or rows between two looks at the context.
const checkEvery = 64

// Build returns the contours of the regions of r, in the order of their
// numbers. c and r are only read; it is safe for concurrent use.
//
// Regions that give no sound outline are in Set.Skipped with the reason, which
// is no error. Errors: ctx is done; c, r and o do not fit each other.
//
// Time: linear in the cells and about n log n in the corners of an outline.
func Build(ctx context.Context, c *heightfield.Compact, r *region.Result, o Options) (*Set, error) {
	if err := validate(c, r, o); err != nil {
		return nil, err
	}
	marks, err := markWalls(ctx, c, r, o)
	if err != nil {
		return nil, err
	}
	t := tracer{c: c, reg: r.Region, border: int32(o.Border), marks: marks}
	if err := t.run(ctx); err != nil {
		return nil, err
	}
	b := newBuilder(&t, r.Max, o)
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	return b.set(c, o), nil
}

func validate(c *heightfield.Compact, r *region.Result, o Options) error {
	switch n := c.Len(); {
	case o.Border < 0:
		return fmt.Errorf("contour: border of %d cells, want 0 or more", o.Border)
	case o.MaxEdgeLen < 0:
		return fmt.Errorf("contour: longest edge of %d cells, want 0 or more", o.MaxEdgeLen)
	case !(o.MaxError >= 0) || math.IsInf(o.MaxError, 0):
		return fmt.Errorf("contour: error of %v cells, want a finite number, 0 or more", o.MaxError)
	case c.W < 0 || c.D < 0 || len(c.Start) != c.W*c.D+1 || int(c.Start[c.W*c.D]) != n || len(c.Area) != n || len(c.Nei) != n:
		return fmt.Errorf("contour: malformed field: %d x %d columns, %d cells", c.W, c.D, n)
	case len(r.Region) != n:
		return fmt.Errorf("contour: regions of %d cells for a field of %d", len(r.Region), n)
	}
	for i, id := range r.Region {
		if id&region.Border == 0 && id > r.Max {
			return fmt.Errorf("contour: cell %d is in region %d of %d", i, id, r.Max)
		}
	}
	return nil
}

// tolerance holds squared errors for the kinds of chains.
type tolerance struct {
	wall, area, open float64 // along walls, between areas, between regions of one area
	raw              bool    // keep every corner
}

// The ladder of tolerances: rungs are tried in turn for a region whose outline
// is not sound. A chain between two regions takes the higher rung of the two,
// so it stays the same from both sides and no T-junction comes of a repair. On
// the last rung an outline is the raw one, which follows cell sides and cannot
// cross itself.
const rungs = 5

func ladder(maxError float64) [rungs]tolerance {
	sq := func(f float64) float64 { return float64(float64(maxError*f) * float64(maxError*f)) }
	return [rungs]tolerance{
		{wall: sq(1), area: sq(1), open: math.Inf(1)},
		{wall: sq(0.5), area: sq(0.5), open: sq(1)},
		{wall: sq(0.25), area: sq(0.25), open: sq(0.5)},
		{},
		{raw: true},
	}
}

// builder simplifies the loops of a tracer, region by region.
type builder struct {
	*tracer
	o         Options
	ladder    [rungs]tolerance
	loopStart []int32 // per region: its loops are byRegion[loopStart[r]:loopStart[r+1]]
	byRegion  []int32
	rung      []uint8 // per region
	out       []result

	simp   simplifier
	check  checker
	joiner joiner
	ring   []Vertex // simplified loops of the present region, outline first
	start  []int32  // of each loop in ring, and the end
}

// result is what became of a region.
type result struct {
	verts  []Vertex
	reason string // why there are none
}

func newBuilder(t *tracer, last region.ID, o Options) *builder {
	b := &builder{tracer: t, o: o, ladder: ladder(o.MaxError)}
	n := int(last) + 1
	b.rung = make([]uint8, n)
	b.out = make([]result, n)
	b.loopStart = make([]int32, n+1)
	for _, l := range t.loops {
		b.loopStart[l.region+1]++
	}
	for i := range n {
		b.loopStart[i+1] += b.loopStart[i]
	}
	b.byRegion = make([]int32, len(t.loops))
	fill := slices.Clone(b.loopStart)
	for i, l := range t.loops {
		b.byRegion[fill[l.region]] = int32(i)
		fill[l.region]++
	}
	return b
}

func (b *builder) loopsOf(id region.ID) []int32 {
	return b.byRegion[b.loopStart[id]:b.loopStart[id+1]]
}

// run does all regions, then those that are not sound again on the next rung,
// with the neighbours whose chains change by that, until nothing changes. Every
// round lifts a region, so there is an end.
func (b *builder) run(ctx context.Context) error {
	var todo []region.ID
	for id := range b.rung {
		if len(b.loopsOf(region.ID(id))) > 0 {
			todo = append(todo, region.ID(id))
		}
	}
	dirty := make([]bool, len(b.rung))
	for len(todo) > 0 {
		for i, id := range todo {
			if i%checkEvery == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			b.out[id].verts, b.out[id].reason = b.simplify(id)
		}
		clear(dirty)
		for _, id := range todo {
			if b.out[id].reason == "" || b.rung[id] == rungs-1 {
				continue
			}
			b.rung[id]++
			dirty[id] = true
			for _, l := range b.loopsOf(id) {
				for _, v := range b.rawOf(l) {
					if v.Region != 0 && v.Region&region.Border == 0 && b.rung[v.Region] < b.rung[id] {
						dirty[v.Region] = true
					}
				}
			}
		}
		todo = todo[:0]
		for id, d := range dirty {
			if d {
				todo = append(todo, region.ID(id))
			}
		}
	}
	return nil
}

// simplify returns the contour of region id, holes joined, on its present
// rung, or says why it is not sound.
func (b *builder) simplify(id region.ID) ([]Vertex, string) {
	outer := int32(-1)
	for _, l := range b.loopsOf(id) {
		if b.loops[l].area2 > 0 {
			if outer >= 0 {
				return nil, "region has several outlines"
			}
			outer = l
		}
	}
	if outer < 0 {
		return nil, "region has no outline"
	}
	b.ring = b.appendLoop(b.ring[:0], outer, b.rung[id])
	b.start = append(b.start[:0], 0, int32(len(b.ring)))
	if len(b.ring) < 3 || ringArea2(b.ring) <= 0 {
		return nil, "outline has no area after simplification"
	}
	for _, l := range b.loopsOf(id) {
		if l == outer {
			continue
		}
		if !b.appendHole(l) {
			return nil, "hole has no area after simplification"
		}
	}
	if !b.check.sound(b.ring, b.start) {
		return nil, "outline crosses itself or one of its holes"
	}
	verts, ok := b.joiner.join(id, b.ring, b.start)
	if !ok {
		return nil, "no bridge from a hole to the outline"
	}
	return verts, ""
}

// appendHole adds the hole of loop l to the ring, unless it is too small to
// matter. It reports false when the hole collapsed and the rung of the region
// must decide.
func (b *builder) appendHole(l int32) bool {
	lo, begin := &b.loops[l], len(b.ring)
	for rung := b.rung[lo.region]; ; rung++ {
		b.ring = b.appendLoop(b.ring[:begin], l, rung)
		hole := b.ring[begin:]
		switch {
		case lo.area2 == 0:
			// A wall without thickness, in from one end and out again.
			if lo.walled && lo.extentSq() <= b.ladder[0].wall {
				b.ring = b.ring[:begin]
				return true
			}
			if len(hole) < 2 {
				return false
			}
		case len(hole) < 3 || ringArea2(hole) >= 0:
			if !lo.walled {
				return false
			}
			if lo.extentSq() <= 4*b.ladder[0].wall {
				b.ring = b.ring[:begin]
				return true
			}
			if rung+1 < rungs {
				continue // nobody else sees this loop, it can be refined alone
			}
			return false
		}
		b.start = append(b.start, int32(len(b.ring)))
		return true
	}
}

// appendLoop appends the simplified loop l.
func (b *builder) appendLoop(dst []Vertex, l int32, rung uint8) []Vertex {
	lo := &b.loops[l]
	raw, seed := b.raw[lo.lo:lo.hi], b.seed[lo.lo:lo.hi]
	keep := b.simp.reset(raw, seed)
	for from := 0; from < len(raw); {
		if !b.simp.seeded[from] {
			from++
			continue
		}
		// A chain ends at the next seed, which may be its own start.
		n := b.simp.chainLen(from, len(raw))
		v := raw[from]
		across := rung
		framed := v.Region&region.Border != 0
		if v.Region != 0 && !framed {
			across = max(across, b.rung[v.Region])
		}
		tol := &b.ladder[across]
		switch {
		case tol.raw && !framed:
			for k := 1; k < n; k++ {
				keep[(from+k)%len(raw)] = true
			}
		case v.AreaBorder:
			b.simp.chain(raw, from, n, tol.area, 0)
		case v.Region != 0:
			b.simp.chain(raw, from, n, tol.open, 0)
		default:
			b.simp.chain(raw, from, n, tol.wall, b.o.MaxEdgeLen)
		}
		from += n
	}
	begin := len(dst)
	dst, slit := appendKept(dst, raw, keep)
	if slit {
		b.simp.openSlits(raw)
		dst, _ = appendKept(dst[:begin], raw, keep)
	}
	return dst
}

// appendKept appends the corners to keep. Edges without length go; the later
// corner stays, it knows what is across the edge that follows. It reports
// whether corners of different heights fell together by that.
func appendKept(dst, raw []Vertex, keep []bool) ([]Vertex, bool) {
	begin, slit := len(dst), false
	for i, k := range keep {
		if !k {
			continue
		}
		if n := len(dst); n > begin && samePlace(dst[n-1], raw[i]) {
			slit = slit || dst[n-1].Y != raw[i].Y
			dst = dst[:n-1]
		}
		dst = append(dst, raw[i])
	}
	for len(dst)-begin > 1 && samePlace(dst[len(dst)-1], dst[begin]) {
		slit = slit || dst[len(dst)-1].Y != dst[begin].Y
		dst = dst[:len(dst)-1]
	}
	return dst, slit
}

func samePlace(a, b Vertex) bool { return a.X == b.X && a.Z == b.Z }

// set moves the results into a Set.
func (b *builder) set(c *heightfield.Compact, o Options) *Set {
	s := &Set{Grid: c.Grid, MaxError: o.MaxError, BorderSize: o.Border, Headroom: c.Headroom}
	s.W, s.D = max(0, c.W-2*o.Border), max(0, c.D-2*o.Border)
	s.Origin.X += float64(float64(o.Border) * c.Cell)
	s.Origin.Z += float64(float64(o.Border) * c.Cell)
	n := 0
	for i := range b.out {
		if b.out[i].verts != nil {
			n++
		}
	}
	s.Contours = make([]Contour, 0, n)
	for i := range b.out {
		id := region.ID(i)
		loops := b.loopsOf(id)
		switch out := &b.out[i]; {
		case out.reason != "":
			v := b.raw[b.loops[loops[0]].lo]
			s.Skipped = append(s.Skipped, Skip{Region: id, X: v.X, Y: v.Y, Z: v.Z, Reason: out.reason})
		case len(loops) > 0:
			ct := Contour{Verts: out.verts, Region: id, Area: b.loops[loops[0]].area}
			for _, l := range loops {
				if raw := b.rawOf(l); b.loops[l].area2 > 0 {
					ct.Raw = raw
				} else {
					ct.RawHoles = append(ct.RawHoles, raw)
				}
			}
			s.Contours = append(s.Contours, ct)
		}
	}
	return s
}
