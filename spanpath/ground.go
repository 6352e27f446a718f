package spanpath

import (
	"context"
	"fmt"
	"math"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// A Source hands out the pages of one region. It is safe for concurrent use.
type Source interface {
	// Page returns a page by its column and row of pages, and nil where the
	// region has no ground in it.
	Page(ctx context.Context, px, py int) (*Page, error)
}

// A Link is a passage that is not a walk, from one surface to another.
type Link struct {
	From, To spangrid.Place // cells, and the heights that the ends were declared at
	Cost     float32        // cells
	ID       uint32         // number of the off-mesh record
}

// linkReach is how far a link's end may be above or below the surface it
// stands on, m.
const linkReach = 8

// A Body is what a query moves.
type Body struct {
	MinClr    float64 // px of its radius beyond what the ground was inset by
	Headroom  uint8   // least stored headroom, in annex steps; 0 = any
	MaxDrop   float64 // m; +Inf = any
	Preferred float64 // px of clearance beyond MinClr from which on ground is open; 0 = all of it
	Wide      float64 // px beyond MinClr from which on more is not worth a turn; 0 = no limit
}

// Setup is what a Ground is for.
type Setup struct {
	Clip   spangrid.Window
	Rules  spangrid.Rules // with the body's own step in place of the profile's where it is lower
	Source Source
	Gate   spangrid.DropGate // may be nil
	Reach  bnvf.Set          // components that can be reached
	Body   Body
	Discs  []Disc
	Links  []Link // of the region, by row and column of From, then height and ID

	// PassWalls lets steps cross kept walls, as the original rules do.
	PassWalls bool
}

// Marks of cells, for one query.
const (
	MarkWalk    uint16 = 1 << iota // core and layer, and the body fits
	MarkCore                       // core, and the body fits
	MarkOn                         // MarkWalk, and a surface can be reached
	MarkOnCore                     // MarkCore, and a surface can be reached
	MarkOpen                       // clearance of at least Body.Preferred
	MarkChannel                    // MarkOpen, medial axis, or opened by Ground.Mark
	MarkExtra                      // opened by Ground.Mark
	MarkLink                       // a link starts here
	MarkBand                       // in the band of the corridor
	MarkSolid                      // open enough for a chord inside the corridor
	MarkTube                       // where a pulled chord may run
)

// blockBits is the size of the blocks of numbers that pages take for their
// spans, as a power of two.
const blockBits = 10

// page is a page in a query.
type page struct {
	*Page
	base  uint32 // number of the page's first span
	marks []uint16
	use   []bool // spans that may be stood on
	rise  spangrid.Rise
	stage int // what marks are up to date with

	anyShut bool // some surface may be shut; see Ground.surfaces

	epoch uint32 // of the search that spans and cells have the state of
	state []spanState

	joined   uint32 // epoch of the search that best is of
	best     []best
	open     openSet  // of that search
	steps    []uint32 // of each span, see Page.steps; nil until a search comes here
	ownSteps []uint32 // those of the query alone

	leftEpoch uint32   // of the perimeter that left is of
	left      []uint32 // what is left from a span, see perimeter: twice the cost in units, inverted, less 1 where that is final

	cells []cellState // nil until a search over cells comes here
	flood *flood
}

// none is the number of no span.
const none = math.MaxUint32

// A Ground is one query's view of the ground. It keeps its memory from one
// query to the next and is for one goroutine.
type Ground struct {
	Setup

	ctx    context.Context
	err    error
	px, py int // first page
	nx, ny int
	dir    []*page
	used   []*page
	free   []*page
	blocks []*page // by number >> blockBits
	next   uint32
	epoch  uint32

	deepest   float64 // m down that a step may lead which is no fall
	openClr   uint16  // least squared clearance that is open
	fitWalls  []Segment
	rowWalls  []Segment // those near the row that is looked at
	unfit     []bool    // cells of the page at hand that the body does not fit in
	extra     []cellMark
	corr      *Corridor // nil = none yet
	corridor  Corridor
	stage     int
	solver    solver
	cellHeap  cellHeap
	floodList []floodAt
	floods    [2]spanFlood
	gap       gapFinder
	breach    breacher
	inReach   []bool // by place in the components of the page at hand

	scr scratch
}

type cellMark struct {
	gx, gy int32
	mark   uint16
}

// nowhere stands for a page without ground.
var nowhere = &page{}

// Reset makes the ground ready for a query. The setup must not change while it
// is in use.
func (g *Ground) Reset(ctx context.Context, s *Setup) error {
	if s.Clip.Empty() || s.Clip.NX > math.MaxInt32/s.Clip.NY {
		return fmt.Errorf("spanpath: a window of %d by %d cells", s.Clip.NX, s.Clip.NY)
	}
	g.Release()
	g.Setup = *s
	g.ctx = ctx
	g.px, g.py = PageOf(s.Clip.GX), PageOf(s.Clip.GY)
	g.nx = PageOf(s.Clip.GX+s.Clip.NX-1) - g.px + 1
	g.ny = PageOf(s.Clip.GY+s.Clip.NY-1) - g.py + 1
	if n := g.nx * g.ny; cap(g.dir) < n {
		g.dir = make([]*page, n)
	} else {
		g.dir = g.dir[:n]
	}
	// Who may go up a step may go down it, whatever the depth of falls.
	g.deepest = math.Max(s.Body.MaxDrop, math.Max(s.Rules.StepUp, s.Rules.SlopeDiag))
	g.openClr = 0
	if s.Body.Preferred > 0 {
		g.openClr = squaredClearance(s.Body.MinClr + s.Body.Preferred)
	}
	return nil
}

// Context returns the context of the query, nil between queries.
func (g *Ground) Context() context.Context { return g.ctx }

// Release drops the pages of the last query.
func (g *Ground) Release() {
	clear(g.dir)
	for _, p := range g.used {
		p.Page = nil
		g.free = append(g.free, p)
	}
	clear(g.used)
	clear(g.blocks)
	g.used, g.blocks, g.extra = g.used[:0], g.blocks[:0], g.extra[:0]
	g.next, g.err, g.corr, g.stage = 0, nil, nil, 0
	g.Setup = Setup{}
	g.ctx = nil
}

// Err returns what went wrong when a page was asked for, or the cause of the
// context's end. Results that were found meanwhile mean nothing.
func (g *Ground) Err() error {
	if g.err == nil {
		if err := context.Cause(g.ctx); err != nil {
			g.err = err
		}
	}
	return g.err
}

// Pages returns how many pages the query has looked at.
func (g *Ground) Pages() int { return len(g.used) }

// squaredClearance returns the least stored clearance of at least c px.
func squaredClearance(c float64) uint16 {
	if !(c > 0) {
		return 0
	}
	q := c / spangrid.Side
	n := int(math.Ceil(math.Min(q*q, spangrid.CapSquared)))
	for n > 0 && float64(bnav.Clearance(uint16(n-1))) >= c {
		n--
	}
	for n < math.MaxUint16 && float64(bnav.Clearance(uint16(n))) < c {
		if n++; n > spangrid.CapSquared {
			return math.MaxUint16
		}
	}
	return uint16(n)
}

// at returns the page that owns a cell and the cell's number in it. The page is
// nowhere, and the number -1, outside the window and where the region has no
// ground.
func (g *Ground) at(gx, gy int) (*page, int) {
	if !g.Clip.Has(gx, gy) {
		return nowhere, -1
	}
	p := g.pageAt(gx>>pageBits, gy>>pageBits)
	if p == nowhere {
		return p, -1
	}
	return p, (gy-p.Table.GY)*pageSpan + gx - p.Table.GX
}

// pageAt returns a page of the window.
func (g *Ground) pageAt(px, py int) *page {
	slot := &g.dir[(py-g.py)*g.nx+px-g.px]
	p := *slot
	switch {
	case p == nil:
		p = g.attach(px, py)
		*slot = p
	case p.stage != g.stage && p != nowhere:
		g.refresh(p)
	}
	return p
}

// owner returns the page that owns a cell seen from a page whose window has it,
// and its number there.
func (g *Ground) owner(p *page, c int) (*page, int) {
	x, y := c%pageSpan, c/pageSpan
	if uint(x-Apron) < PageSide && uint(y-Apron) < PageSide {
		return p, c
	}
	return g.at(p.Table.GX+x, p.Table.GY+y)
}

// of returns the page of a span by its number, and the span's number there.
func (g *Ground) of(id uint32) (*page, int) {
	p := g.blocks[id>>blockBits]
	return p, int(id - p.base)
}

// attach brings a page into the query.
func (g *Ground) attach(px, py int) *page {
	if g.err != nil {
		return nowhere
	}
	src, err := g.Source.Page(g.ctx, px, py)
	if err != nil {
		g.err = err
		return nowhere
	}
	if src == nil {
		return nowhere
	}
	src = g.withDiscs(src)
	var p *page
	if n := len(g.free); n > 0 {
		p, g.free = g.free[n-1], g.free[:n-1]
	} else {
		p = &page{marks: make([]uint16, pageSpan*pageSpan)}
	}
	p.Page = src
	p.base = g.next
	n := len(src.Table.H)
	blocks := (n + 1<<blockBits - 1) >> blockBits
	g.next += uint32(blocks) << blockBits
	for range blocks {
		g.blocks = append(g.blocks, p)
	}
	g.used = append(g.used, p)
	p.joined, p.steps = 0, nil
	p.rise = g.Rules.Rise(&src.Table, true, g.Gate)
	p.use = resize(p.use, n)
	p.epoch, p.leftEpoch = 0, 0
	g.markPage(p)
	return p
}

// markPage computes the marks that do not depend on the corridor.
func (g *Ground) markPage(p *page) {
	t := &p.Table
	g.usePage(p)
	g.fit(p)
	clear(p.marks)
	for s, use := range p.use {
		if use {
			p.marks[p.cellOf[s]] = MarkOn | MarkOnCore
		}
	}
	x0, x1 := max(g.Clip.GX-t.GX, 0), min(g.Clip.GX+g.Clip.NX-t.GX, pageSpan)
	for y := range pageSpan {
		row := p.marks[y*pageSpan : (y+1)*pageSpan]
		if gy := t.GY + y; gy < g.Clip.GY || gy >= g.Clip.GY+g.Clip.NY || x0 >= x1 {
			clear(row)
			continue
		}
		clear(row[:x0])
		clear(row[x1:])
		g.markRow(p, y*pageSpan+x0, row[x0:x1])
	}
	if g.Body.MinClr > 0 {
		for c, not := range g.unfit {
			if not {
				p.marks[c] = 0
			}
		}
	}
	for _, e := range g.extra {
		if x, y := int(e.gx)-t.GX, int(e.gy)-t.GY; uint(x) < pageSpan && uint(y) < pageSpan {
			p.marks[y*pageSpan+x] |= e.mark
		}
	}
	for i := range g.Links {
		f := &g.Links[i].From
		if x, y := int(f.GX)-t.GX, int(f.GY)-t.GY; uint(x) < pageSpan && uint(y) < pageSpan {
			p.marks[y*pageSpan+x] |= MarkLink
		}
	}
	p.stage = 0
	if g.stage != 0 {
		g.refresh(p)
	}
}

// usePage finds which spans of a page may be stood on, fit aside.
func (g *Ground) usePage(p *page) {
	p.anyShut = false
	g.inReach = g.inReach[:0]
	for _, c := range p.components {
		g.inReach = append(g.inReach, g.Reach.Has(c))
	}
	room := g.Body.Headroom > 0 && p.Headroom != nil
	for s, bits := range p.Spans {
		use := bits&(SpanOwn|SpanNoGo) == SpanOwn
		if p.wide == nil {
			use = use && g.inReach[p.component[s]]
		} else {
			use = use && g.Reach.Has(p.wide[s])
		}
		if use && room {
			h := p.Headroom[s]
			use = h == 0 || h >= g.Body.Headroom
		}
		p.use[s] = use
		if !use && !p.anyShut {
			p.anyShut = p.shut(g, s, int(p.cellOf[s]))
		}
	}
}

// markRow gives the cells of a row from c on their marks. They have those of
// cells with a surface that can be reached.
func (g *Ground) markRow(p *page, c int, marks []uint16) {
	cells, clr := p.Cells[c:c+len(marks)], p.Clr[c:c+len(marks)]
	open := g.openClr
	for i, on := range marks {
		m := cellMarks[cells[i]]
		if clr[i] >= open && m != 0 {
			m |= MarkOpen | MarkChannel
		}
		marks[i] = m & (on | ^(MarkOn | MarkOnCore))
	}
}

// cellMarks are the marks of cells by their bits, clearance aside: none where they
// are not core.
var cellMarks = func() (list [256]uint16) {
	for cell := range list {
		if uint8(cell)&CellCore == 0 {
			continue
		}
		m := MarkCore | MarkOnCore
		if uint8(cell)&CellLayer != 0 {
			m |= MarkWalk | MarkOn
		}
		if uint8(cell)&CellMedial != 0 {
			m |= MarkChannel
		}
		list[cell] = m
	}
	return list
}()

// Mark sets marks of a cell of the window.
func (g *Ground) Mark(gx, gy int, mark uint16) {
	if !g.Clip.Has(gx, gy) {
		return
	}
	e := cellMark{int32(gx), int32(gy), mark}
	g.extra = append(g.extra, e)
	px, py := gx>>pageBits, gy>>pageBits
	for y := max(py-1, g.py); y <= min(py+1, g.py+g.ny-1); y++ {
		for x := max(px-1, g.px); x <= min(px+1, g.px+g.nx-1); x++ {
			p := g.dir[(y-g.py)*g.nx+x-g.px]
			if p == nil || p == nowhere {
				continue
			}
			if cx, cy := gx-p.Table.GX, gy-p.Table.GY; uint(cx) < pageSpan && uint(cy) < pageSpan {
				p.marks[cy*pageSpan+cx] |= mark
			}
		}
	}
}

// Marks returns the marks of a cell, none outside the window.
func (g *Ground) Marks(gx, gy int) uint16 {
	p, c := g.at(gx, gy)
	if c < 0 {
		return 0
	}
	return p.marks[c]
}

// Clearance returns the clearance of a cell, px: 0 outside the region.
func (g *Ground) Clearance(gx, gy int) float32 {
	p, c := g.at(gx, gy)
	if c < 0 {
		return 0
	}
	return bnav.Clearance(p.Clr[c])
}

// resize returns s with length n, its values unspecified.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// zeroed returns s with length n and all values zero.
func zeroed[T any](s []T, n int) []T {
	s = resize(s, n)
	clear(s)
	return s
}
