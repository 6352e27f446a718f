package spanpath

import (
	"math"
	"slices"

	"wend/spangrid"
)

// An Atlas knows the ground of a region by pieces, so that a search has an
// estimate that knows of walls, storeys and narrow ground: see docs/planner.md.
// A piece is a part of one page that lies between narrows, on one storey. A
// portal is where one may get from one piece into another; its ground is a box of
// a few cells. What is known of a piece holds for every body: steps are not judged
// more strictly than for the most agile one.
//
// It is immutable and shared.
type Atlas struct {
	pages   map[[2]int]int32 // by column and row of pages: place in base
	base    []int32          // first piece of each page, and the total
	clr     []uint16         // largest squared clearance of each piece
	start   []int32          // first of each piece's portals in list, and the total
	list    []int32          // portals through which a piece is left or entered
	portals []portal
}

// portal is a way between two pieces; one-way ones lead from a to b.
type portal struct {
	box    box
	a, b   int32
	oneWay bool
}

// box is a rectangle of cells, ends included.
type box struct{ x0, y0, x1, y1 int32 }

func (b *box) add(x, y int32) {
	b.x0, b.y0 = min(b.x0, x), min(b.y0, y)
	b.x1, b.y1 = max(b.x1, x), max(b.y1, y)
}

// noPiece is the piece of spans that no search comes to.
const noPiece = math.MaxUint16

// Pieces of a page.
const (
	// narrowing is the share of the smaller of two basins' clearance from which
	// on the ground between them does not part them, squared.
	narrowing = 0.75 * 0.75
	// crumb is the size up to which a basin joins another one in any case, spans.
	crumb = 24
	// storey is the most that the heights of a piece differ by, m.
	storey = 2.5
	// portalBits is the side of the squares of cells that a portal does not leave,
	// as a power of two: the shorter a portal, the better the estimate.
	portalBits = 4
)

// basin is a piece in the making, at its root.
type basin struct {
	peak   uint16
	size   int32
	lo, hi float32
}

// pieceFinder divides pages into pieces.
type pieceFinder struct {
	order  []int32
	parent []int32 // of each span, itself at a root; -1 = not yet seen
	basins []basin // by span, of roots
	start  []int32 // by clearance
	most   float64
}

// ground reports whether a search may come to a span.
func (p *Page) ground(s, c int) bool {
	return p.Cells[c]&CellCore != 0 && p.Spans[s]&(SpanOwn|SpanNoGo) == SpanOwn
}

// findPieces numbers the pieces of a page and returns that of each span. Ground
// is flooded from the widest places down (a watershed of the clearance); two
// basins that meet become one unless the ground where they meet is narrow
// compared with both. Time is linear in the page's spans.
func (f *pieceFinder) findPieces(p *Page, r *spangrid.Rules) (piece []uint16, n int) {
	spans := len(p.Spans)
	f.most = max(r.SlopeStep, r.SlopeDiag, r.StepUp, r.BumpUp, r.Climb)
	f.start = zeroed(f.start, spangrid.CapSquared+2)
	f.parent = resize(f.parent, spans)
	f.basins = resize(f.basins, spans)
	total := int32(0)
	for y := Apron; y < Apron+PageSide; y++ {
		for c := y*pageSpan + Apron; c < y*pageSpan+Apron+PageSide; c++ {
			if p.Cells[c]&CellCore == 0 {
				continue
			}
			n := p.first[c+1] - p.first[c]
			f.start[spangrid.CapSquared-min(p.Clr[c], spangrid.CapSquared)+1] += n
			total += n
		}
	}
	for i := 1; i < len(f.start); i++ {
		f.start[i] += f.start[i-1]
	}
	f.order = resize(f.order, int(total))
	for i := range f.parent {
		f.parent[i] = -1
	}
	for y := Apron; y < Apron+PageSide; y++ {
		for c := y*pageSpan + Apron; c < y*pageSpan+Apron+PageSide; c++ {
			if p.Cells[c]&CellCore == 0 {
				continue
			}
			at := &f.start[spangrid.CapSquared-min(p.Clr[c], spangrid.CapSquared)]
			for s := p.first[c]; s < p.first[c+1]; s++ {
				f.order[*at] = s
				*at++
			}
		}
	}
	for _, s := range f.order {
		c := int(p.cellOf[s])
		if p.ground(int(s), c) {
			f.add(p, s, c)
		}
	}
	piece = make([]uint16, spans)
	for s := range piece {
		piece[s] = noPiece
	}
	names := 0
	for _, s := range f.order {
		if f.parent[s] < 0 {
			continue
		}
		root := f.root(s)
		if piece[root] == noPiece {
			if names == noPiece {
				return nil, 0 // no real page has so many
			}
			piece[root] = uint16(names)
			names++
		}
		piece[s] = piece[root]
	}
	return piece, names
}

// add gives a span to a basin beside it, or makes it one, and joins the basins
// that meet there.
func (f *pieceFinder) add(p *Page, s int32, c int) {
	f.parent[s] = s
	h := p.Table.H[s]
	clr := p.Clr[c]
	f.basins[s] = basin{clr, 1, h, h}
	x, y := c%pageSpan, c/pageSpan
	for d := range 8 {
		if uint(x+stepX[d]-Apron) >= PageSide || uint(y+stepY[d]-Apron) >= PageSide {
			continue
		}
		cn := c + stepCell[d]
		for n := p.first[cn]; n < p.first[cn+1]; n++ {
			if f.parent[n] < 0 || math.Abs(float64(p.Table.H[n])-float64(h)) > f.most {
				continue
			}
			if a, b := f.root(s), f.root(n); a != b {
				f.join(a, b, clr)
			}
		}
	}
}

func (f *pieceFinder) join(a, b int32, clr uint16) {
	u, v := &f.basins[a], &f.basins[b]
	if lo, hi := min(u.lo, v.lo), max(u.hi, v.hi); float64(hi)-float64(lo) > storey {
		return
	}
	if u.size > crumb && v.size > crumb && float64(clr) < float64(narrowing*float64(min(u.peak, v.peak))) {
		return
	}
	if u.size < v.size || u.size == v.size && b < a {
		a, b, u, v = b, a, v, u
	}
	f.parent[b] = a
	u.size += v.size
	u.peak = max(u.peak, v.peak)
	u.lo, u.hi = min(u.lo, v.lo), max(u.hi, v.hi)
}

func (f *pieceFinder) root(s int32) int32 {
	for f.parent[s] != s {
		f.parent[s] = f.parent[f.parent[s]]
		s = f.parent[s]
	}
	return s
}

// A Chart is what a page contributes to an atlas.
type Chart struct {
	px, py int
	clr    []uint16 // of each piece
	inner  []portal
	rim    []rimSpan // spans of the cells along the rim, by cell and height
	across []rimStep
}

// rimSpan is a span in a cell at the rim of a page.
type rimSpan struct {
	cell  uint16
	nth   uint16 // among the spans of its cell
	piece uint16
}

// rimStep is a step from a page to a neighbour.
type rimStep struct {
	piece  uint16
	from   [2]int32 // cell of the zone
	to     [2]int32
	nth    uint16 // of the span in its cell
	oneWay bool
}

// NewChart surveys a page.
func NewChart(p *Page, r *spangrid.Rules) *Chart {
	var f pieceFinder
	piece, n := f.findPieces(p, r)
	k := &Chart{px: p.PX, py: p.PY, clr: make([]uint16, n)}
	rise := r.Rise(&p.Table, true, nil)
	found := map[portalKey]int{}
	for y := Apron; y < Apron+PageSide; y++ {
		for x := Apron; x < Apron+PageSide; x++ {
			c := y*pageSpan + x
			onRim := x == Apron || y == Apron || x == Apron+PageSide-1 || y == Apron+PageSide-1
			for s := p.first[c]; s < p.first[c+1]; s++ {
				if piece[s] == noPiece {
					continue
				}
				k.clr[piece[s]] = max(k.clr[piece[s]], p.Clr[c])
				if onRim {
					k.rim = append(k.rim, rimSpan{uint16(c), uint16(s - p.first[c]), piece[s]})
				}
				k.leave(p, &rise, f.most, piece, s, c, found)
			}
		}
	}
	return k
}

// portalKey tells portals apart while they grow.
type portalKey struct {
	a, b   int32
	x, y   int32
	oneWay bool
}

// leave notes the steps from a span into other pieces.
func (k *Chart) leave(p *Page, rise *spangrid.Rise, most float64, piece []uint16, s int32, c int, found map[portalKey]int) {
	x, y := c%pageSpan, c/pageSpan
	h := p.Table.H[s]
	for d := range 8 {
		cn := c + stepCell[d]
		if p.Cells[cn]&CellCore == 0 {
			continue
		}
		inside := uint(x+stepX[d]-Apron) < PageSide && uint(y+stepY[d]-Apron) < PageSide
		for n := p.first[cn]; n < p.first[cn+1]; n++ {
			dh := float64(p.Table.H[n]) - float64(h)
			oneWay := false
			switch {
			case !p.ground(int(n), cn) || dh > most || inside && piece[n] == piece[s]:
				continue
			case dh < -most:
				if !rise.OK(c, stepX[d], stepY[d], h, p.Table.H[n]) {
					continue
				}
				oneWay = true
			}
			gx, gy := p.Table.At(c)
			tx, ty := gx+stepX[d], gy+stepY[d]
			if !inside {
				k.across = append(k.across, rimStep{piece[s], [2]int32{int32(gx), int32(gy)}, [2]int32{int32(tx), int32(ty)}, uint16(n - p.first[cn]), oneWay})
				continue
			}
			if !oneWay && piece[n] < piece[s] {
				continue // seen from the other side too
			}
			k.inner = grow(k.inner, found, int32(piece[s]), int32(piece[n]), oneWay, int32(gx), int32(gy), int32(tx), int32(ty))
		}
	}
}

// grow makes a portal have a step, which may be a new one.
func grow(list []portal, found map[portalKey]int, a, b int32, oneWay bool, x, y, tx, ty int32) []portal {
	if !oneWay && b < a {
		a, b, x, y, tx, ty = b, a, tx, ty, x, y
	}
	key := portalKey{a, b, x >> portalBits, y >> portalBits, oneWay}
	i, ok := found[key]
	if !ok {
		i = len(list)
		found[key] = i
		list = append(list, portal{box{x, y, x, y}, a, b, oneWay})
	}
	list[i].box.add(x, y)
	list[i].box.add(tx, ty)
	return list
}

// NewAtlas joins the charts of all pages of a region, in any order.
func NewAtlas(charts []*Chart) *Atlas {
	charts = slices.Clone(charts)
	slices.SortFunc(charts, func(a, b *Chart) int {
		if a.py != b.py {
			return a.py - b.py
		}
		return a.px - b.px
	})
	t := &Atlas{pages: make(map[[2]int]int32, len(charts)), base: make([]int32, 1, len(charts)+1)}
	rims := make([]map[[2]uint16]uint16, len(charts))
	for i, k := range charts {
		t.pages[[2]int{k.px, k.py}] = int32(i)
		t.base = append(t.base, t.base[i]+int32(len(k.clr)))
		t.clr = append(t.clr, k.clr...)
		rims[i] = make(map[[2]uint16]uint16, len(k.rim))
		for _, r := range k.rim {
			rims[i][[2]uint16{r.cell, r.nth}] = r.piece
		}
	}
	for i, k := range charts {
		for _, q := range k.inner {
			q.a += t.base[i]
			q.b += t.base[i]
			t.portals = append(t.portals, q)
		}
		found := map[portalKey]int{}
		for _, s := range k.across {
			px, py := int(s.to[0])>>pageBits, int(s.to[1])>>pageBits
			j, ok := t.pages[[2]int{px, py}]
			if !ok || !s.oneWay && int(j) < i {
				continue // seen from there too
			}
			w := PageWindow(px, py)
			cell := uint16((int(s.to[1])-w.GY)*pageSpan + int(s.to[0]) - w.GX)
			to, ok := rims[j][[2]uint16{cell, s.nth}]
			if !ok {
				continue
			}
			t.portals = grow(t.portals, found, t.base[i]+int32(s.piece), t.base[j]+int32(to), s.oneWay, s.from[0], s.from[1], s.to[0], s.to[1])
		}
	}
	t.index()
	return t
}

// index lists the portals of each piece.
func (t *Atlas) index() {
	n := t.base[len(t.base)-1]
	t.start = make([]int32, n+1)
	for i := range t.portals {
		t.start[t.portals[i].a+1]++
		t.start[t.portals[i].b+1]++
	}
	for i := range n {
		t.start[i+1] += t.start[i]
	}
	t.list = make([]int32, t.start[n])
	at := slices.Clone(t.start[:n])
	for i := range t.portals {
		for _, q := range [2]int32{t.portals[i].a, t.portals[i].b} {
			t.list[at[q]] = int32(i)
			at[q]++
		}
	}
}

// Pieces returns how many pieces there are, and Portals how many portals.
func (t *Atlas) Pieces() int { return len(t.clr) }

// Portals returns how many portals there are.
func (t *Atlas) Portals() int { return len(t.portals) }
