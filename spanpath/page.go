package spanpath

import (
	"math"

	"wend/pack/bnvf"
	"wend/spangrid"
)

const (
	pageBits = 7
	// PageSide is the side of a page, cells.
	PageSide = 1 << pageBits
	// Apron is how many cells a page knows of its neighbours on every side: a
	// step from one of its own cells is judged without them.
	Apron = 2 * spangrid.LookAhead
	// pageSpan is the side of a page with its apron, cells.
	pageSpan = PageSide + 2*Apron
)

// Bits of Page.Cells.
const (
	CellLayer   uint8 = 1 << iota // a surface of the region that is walkable, or not core, lies here
	CellCore                      // away from edges and walls
	CellMedial                    // on the medial axis
	CellFacadeX                   // no sight over the side towards x+1
	CellFacadeY                   // no sight over the side towards y+1
	CellNoGo                      // in a no-go zone of the author
	CellWall                      // a wall that was kept runs through this cell or one beside it
	CellOwn                       // the region has a record here
)

// Bits of Page.Spans.
const (
	SpanOwn   uint8 = 1 << iota // of the page's region; all others only bear witness
	SpanGhost                   // a filled gap
	SpanDead                    // a wall passes near
	SpanCore                    // its own record is core
	SpanNoGo                    // in a no-go zone of the author
	SpanWalk                    // its own record may be walked
)

// A Segment is a wall seen from above, and the heights of its ends.
type Segment struct {
	AU, AV, BU, BV float64 // px
	HA, HB         float64 // m
}

// PageOf returns the page of a column (or row).
func PageOf(g int) int { return g >> pageBits }

// PageWindow returns the cells of a page, apron included.
func PageWindow(px, py int) spangrid.Window {
	return spangrid.Window{GX: px<<pageBits - Apron, GY: py<<pageBits - Apron, NX: pageSpan, NY: pageSpan}
}

// A Page is the ground of one region in a square of cells and in an apron
// around it. All slices over cells have pageSpan*pageSpan values. It is
// immutable and shared, apart from what searches note of its steps, which is the
// same for all.
type Page struct {
	PX, PY int

	// Table has the spans of all regions, so that a height that continues over
	// another region's floor is seen to; without filled cells that have no
	// height and without other regions' ghosts. Its window is that of
	// [PageWindow].
	Table    spangrid.Columns
	Spans    []uint8 // bits of each span
	Headroom []uint8 // of each span as annex stores it, nil where it is unknown or limits nothing

	// The components of spans inside their region, 0 for other regions' spans:
	// commonly few, so each span has its place in a list; wide where they are too
	// many.
	components []uint32
	component  []uint8
	wide       []uint32

	cellOf []uint16 // of each span

	Cells []uint8  // bits of each cell
	Clr   []uint16 // squared distance to the nearest obstacle, cells; that of the highest surface
	Bans  []uint8  // forbidden steps of each cell: bit 2i in direction i, 2i+1 back

	// Walls are the kept walls that touch the page's window.
	Walls []Segment

	first []int32 // first span of each cell, and the total

	// For searches, see steps.go. The steps of a span are found by the first
	// search that comes there and are the same for all, so they are not locked.
	briefs  []cellBrief
	rows    [pageSpan]int32 // first span of each row
	steps   []uint32        // of each span, atomic
	rules   spangrid.Rules  // what steps are judged by
	crowded bool            // too many spans in a row for briefs

	step      float64 // m: the highest step up, see bars
	wallStart []int32 // by cell with CellWall, in their order: first of its walls in wallList
	wallCell  []int32
	wallList  []int32

	narrows []narrow // by cell and height

	calm []calm // blocks of its own cells
}

// Memory returns about how many bytes the page takes.
func (p *Page) Memory() int64 {
	n := int64(cap(p.Table.H))
	return 1000 + n*8 + int64(cap(p.Spans)) + int64(cap(p.component)) + 2*int64(cap(p.cellOf)) + 4*int64(cap(p.components)+cap(p.wide)) + int64(cap(p.Headroom)) +
		12*pageSpan*pageSpan + int64(cap(p.Walls))*48 + 4*int64(cap(p.wallStart)+cap(p.wallCell)+cap(p.wallList)) + 12*int64(cap(p.calm)) + 24*int64(cap(p.narrows))
}

// A Ring is a no-go polygon of the author in the zone's plane.
type Ring struct {
	Points     [][2]float64 // px
	Min, Max   float64      // m, closed; infinite where there is no band
	ID         string
	box        [4]float64
	boxIsKnown bool
}

// NewRing returns a no-go polygon with a closed band of heights.
func NewRing(id string, points [][2]float64, lo, hi float64) Ring {
	r := Ring{Points: points, Min: lo, Max: hi, ID: id, boxIsKnown: true}
	r.box = [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		r.box[0], r.box[1] = math.Min(r.box[0], p[0]), math.Min(r.box[1], p[1])
		r.box[2], r.box[3] = math.Max(r.box[2], p[0]), math.Max(r.box[3], p[1])
	}
	return r
}

// Has reports whether a point of the plane lies inside by the even-odd rule,
// which is defined for rings that cross themselves too.
func (r *Ring) Has(u, v float64) bool {
	if r.boxIsKnown && (u < r.box[0] || u > r.box[2] || v < r.box[1] || v > r.box[3]) {
		return false
	}
	in := false
	for i, a := range r.Points {
		b := r.Points[(i+1)%len(r.Points)]
		if (a[1] > v) != (b[1] > v) && u < a[0]+float64((v-a[1])*(b[0]-a[0]))/(b[1]-a[1]) {
			in = !in
		}
	}
	return in
}

// Touches reports whether the ring's box meets a window.
func (r *Ring) Touches(w spangrid.Window) bool {
	return r.box[2] >= float64(w.GX)*spangrid.Side && r.box[0] <= float64(w.GX+w.NX)*spangrid.Side &&
		r.box[3] >= float64(w.GY)*spangrid.Side && r.box[1] <= float64(w.GY+w.NY)*spangrid.Side
}

// PageInput is what a page is made of.
type PageInput struct {
	PX, PY int
	Region uint32

	// Fields has the records of the page's window, in any order; Headroom is
	// aligned with them or nil.
	Fields   *bnvf.Window
	Headroom []uint8

	Walls []Segment // kept walls of the region that come near the window
	NoGo  []Ring    // the author's
	Rules *spangrid.Rules

	// Over appends the heights of the floors over a point of the plane. Without
	// it nothing is made of the edges of floors over floors.
	Over func(dst []float64, at Point) []float64

	// PlanarNoGo stamps whole cells by their highest surface, as the original
	// rules have it, instead of the surfaces inside a polygon's band.
	PlanarNoGo bool

	// Scratch is memory that pages are made in, one after the other; nil has some
	// allocated.
	Scratch *PageScratch
}

// NewPage makes a page, nil where the region has no record in it.
func NewPage(in *PageInput) *Page {
	s := in.Scratch
	if s == nil {
		s = new(PageScratch)
	}
	if !s.sortRecords(in.Fields.Records, in.Region) {
		return nil
	}
	const n = pageSpan * pageSpan
	p := &Page{PX: in.PX, PY: in.PY, Cells: make([]uint8, n), Clr: make([]uint16, n), Bans: make([]uint8, n), Walls: in.Walls, step: in.Rules.StepUp}
	p.Table.Window = PageWindow(in.PX, in.PY)
	p.indexWalls(s)
	var edges *rims
	var straits []int32
	if !in.PlanarNoGo && in.Over != nil {
		straits = p.findNarrows(in, s.order)
		edges = p.findRims(in, s.order)
	}
	p.addRecords(in, s, edges)
	if edges != nil {
		p.openRims(edges)
	}
	p.openNarrows(straits)
	p.stamp(in, s.top)
	for c := range p.Bans {
		if p.Cells[c]&CellLayer != 0 {
			p.Bans[c] = bnvf.Rejudge(s.main[c], s.steps[c])
		}
	}
	p.findCalm()
	p.rules = *in.Rules
	p.brief()
	return p
}

// Column returns the spans of a cell of the zone that the page owns, from first
// to before end, ascending by height.
func (p *Page) Column(gx, gy int) (first, end int) {
	c := (gy-p.Table.GY)*pageSpan + gx - p.Table.GX
	return int(p.first[c]), int(p.first[c+1])
}

// Component returns the component of a span inside its region, 0 for spans of
// other regions.
func (p *Page) Component(s int) uint32 {
	if p.wide != nil {
		return p.wide[s]
	}
	return p.components[p.component[s]]
}

// stamp closes what lies in the author's no-go zones: the surfaces inside the
// band of a polygon, and the cells that have no other surface of the region. The
// clearance around stays, so a route may run along the rim of a zone.
func (p *Page) stamp(in *PageInput, top []float32) {
	w := p.Table.Window
	for i := range in.NoGo {
		ring := &in.NoGo[i]
		if !ring.Touches(w) {
			continue
		}
		banded := !math.IsInf(ring.Min, -1) || !math.IsInf(ring.Max, 1)
		for c := range p.Cells {
			gx, gy := w.At(c)
			if p.Cells[c]&CellOwn == 0 || !ring.Has(spangrid.Center(gx), spangrid.Center(gy)) {
				continue
			}
			switch {
			case !banded:
				p.closeCell(c)
			case in.PlanarNoGo:
				if h := float64(top[c]); h >= ring.Min && h <= ring.Max {
					p.closeCell(c)
				}
			default:
				p.closeBand(c, ring.Min, ring.Max)
			}
		}
	}
}

func (p *Page) closeCell(c int) {
	p.Cells[c] = p.Cells[c]&^(CellCore|CellLayer) | CellNoGo
	p.Clr[c] = 0
	for s, end := p.Table.Range(c); s < end; s++ {
		if p.Spans[s]&SpanOwn != 0 {
			p.Spans[s] |= SpanNoGo
		}
	}
}

func (p *Page) closeBand(c int, lo, hi float64) {
	open := false
	for s, end := p.Table.Range(c); s < end; s++ {
		if p.Spans[s]&SpanOwn == 0 {
			continue
		}
		if h := float64(p.Table.H[s]); h >= lo && h <= hi {
			p.Spans[s] |= SpanNoGo
		}
		open = open || p.Spans[s]&SpanNoGo == 0
	}
	if !open {
		p.closeCell(c)
	}
}
