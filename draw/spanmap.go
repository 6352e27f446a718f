package draw

import (
	"cmp"
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"

	"wend/geom"
	"wend/pack/bnav"
)

// Names of the groups of span pictures, beside those of scene.go.
const (
	groupSpans   = "spans"
	groupEdges   = "steps"
	groupDrops   = "drops"
	groupHeights = "heights"
)

// defaultBlocks is how many squares a side a picture has unless asked
// otherwise: about as many as a picture of the default width has pixels for.
const defaultBlocks = 1200

// cellView is one cell as a layer sees it.
type cellView struct {
	w     *spanWindow
	i     int // the record that is shown
	count int // spans in the band, or of all where there is none
}

// spanMap is a raster of the part of a zone that is drawn. A square holds 0
// where nothing is, else a value of the layer plus 1, with the two top bits.
type spanMap struct {
	src    *spanSource
	x0, y0 int64 // first column and row
	x1, y1 int64 // behind the last
	block  int64
	nx, ny int
	value  []uint32
	rank   []uint8

	edges []gridEdge
	drops []dropMark
	taken map[dropMark]int // place in drops by neighbourhood, so that arrows stay apart
}

const (
	fadedBit = 1 << 31 // outside the band
	darkBit  = 1 << 30 // dead: the colour is darkened
	maxValue = 1<<30 - 2
)

// gridEdge is a side of a cell that something is to be drawn on: the upper one
// of column x and row y, or, where upright, the right one. Rows count upwards.
type gridEdge struct {
	upright bool
	kind    uint8
	y, x    int32
}

// dropMark is a step from a cell to one of its four neighbours.
type dropMark struct {
	x, y   int32
	dx, dy int8
	kind   uint8
}

func newSpanMap(s *spanSource, o *SpanOptions) (*spanMap, error) {
	m := &spanMap{src: s, taken: map[dropMark]int{}}
	var ok bool
	if m.x0, m.y0, m.x1, m.y1, ok = s.bounds(); !ok {
		return nil, ErrEmpty
	}
	if r := o.Rect; r != nil {
		ax, ay := s.cells(r.Min)
		bx, by := s.cells(r.Max)
		clip := func(lo, hi *int64, a, b float64) {
			a, b = math.Floor(min(a, b)), math.Ceil(max(a, b))
			*lo = max(*lo, int64(min(max(a, math.MinInt32), math.MaxInt32)))
			*hi = min(*hi, int64(min(max(b, math.MinInt32), math.MaxInt32)))
		}
		clip(&m.x0, &m.x1, ax, bx)
		clip(&m.y0, &m.y1, ay, by)
		if m.x0 >= m.x1 || m.y0 >= m.y1 {
			return nil, ErrEmpty
		}
	}
	side := max(m.x1-m.x0, m.y1-m.y0)
	m.block = int64(o.Block)
	if least := (side + 4*defaultBlocks - 1) / (4 * defaultBlocks); m.block == 0 {
		m.block = (side + defaultBlocks - 1) / defaultBlocks
	} else if m.block < least {
		return nil, &OptionError{"Block", o.Block, fmt.Sprintf("at least %d for %d x %d cells", least, m.x1-m.x0, m.y1-m.y0)}
	}
	m.nx, m.ny = int((m.x1-m.x0+m.block-1)/m.block), int((m.y1-m.y0+m.block-1)/m.block)
	m.value = make([]uint32, m.nx*m.ny)
	m.rank = make([]uint8, m.nx*m.ny)
	return m, nil
}

// fill goes through the tiles and asks the layer for each cell. Each tile
// answers for the cells it owns, so none is seen twice.
func (m *spanMap) fill(ctx context.Context, d *spanLayerDef) error {
	tiles := m.src.Main.Grid.Zones[m.src.zone].Tiles
	var top, count []int32
	for ti := range tiles {
		t := &tiles[ti]
		x0, y0 := max(m.x0, int64(t.GX0)+int64(t.PX0)), max(m.y0, int64(t.GY0)+int64(t.PY0))
		x1, y1 := min(m.x1, int64(t.GX0)+int64(t.PX1)+1), min(m.y1, int64(t.GY0)+int64(t.PY1)+1)
		if t.Records == 0 || x0 >= x1 || y0 >= y1 {
			continue
		}
		win := bnav.Window{GX0: int32(x0), GY0: int32(y0), NX: int32(x1 - x0), NY: int32(y1 - y0)}
		if d.pairs != nil && x1 < math.MaxInt32 && y1 < math.MaxInt32 {
			win.NX, win.NY = win.NX+1, win.NY+1 // the neighbours beyond the border
		}
		w, err := m.src.window(ctx, win, d.needsHeadroom)
		if err != nil {
			return err
		}
		cells := int(win.NX) * int(win.NY)
		top, count = slices.Grow(top[:0], cells)[:cells], slices.Grow(count[:0], cells)[:cells]
		m.choose(w, top, count)
		own := int(x1 - x0)
		for c, i := range top {
			cx, cy := c%int(win.NX), c/int(win.NX)
			if i < 0 || cx >= own || cy >= int(y1-y0) {
				continue
			}
			gx, gy := x0+int64(cx), y0+int64(cy)
			v, rank := d.value(m.src, cellView{w, int(i), int(count[c])})
			if rank == 0 {
				continue
			}
			bits := min(v, maxValue) + 1
			r := &w.Records[i]
			if d.darkDead && r.Flags&bnav.Dead != 0 {
				bits |= darkBit
			}
			if m.src.banded && (r.Flags&bnav.Fill != 0 || !m.src.inBand(r.H)) {
				bits |= fadedBit
				rank = 1
			}
			b := int((gy-m.y0)/m.block)*m.nx + int((gx-m.x0)/m.block)
			if rank > m.rank[b] {
				m.rank[b], m.value[b] = rank, bits
			}
			if bits&fadedBit != 0 {
				continue
			}
			if d.edges != nil && m.block == 1 {
				m.edges = d.edges(m.edges, w, int(i), int32(gx), int32(gy))
			}
			if d.pairs != nil {
				if cx+1 < int(win.NX) && top[c+1] >= 0 {
					m.pair(d, w, int(i), int(top[c+1]), gx, gy, 1, 0)
				}
				if cy+1 < int(win.NY) && top[c+int(win.NX)] >= 0 {
					m.pair(d, w, int(i), int(top[c+int(win.NX)]), gx, gy, 0, 1)
				}
			}
		}
	}
	return nil
}

// choose sets top to the record of each cell that is shown, or -1, and count to
// the number of spans that count.
func (m *spanMap) choose(w *spanWindow, top, count []int32) {
	for c := range top {
		top[c], count[c] = -1, 0
	}
	for i := range w.Records {
		r := &w.Records[i]
		if r.Flags&(bnav.Fill|bnav.Ghost) == 0 && m.src.inBand(r.H) {
			count[r.Cell]++
		}
		if j := top[r.Cell]; j < 0 || m.before(r, &w.Records[j]) {
			top[r.Cell] = int32(i)
		}
	}
}

// before reports whether of two records of a cell a is to be shown rather than
// b: the higher one, those in the band first and those without a height last;
// of equals that of a bare surface, then the one that comes first.
func (m *spanMap) before(a, b *bnav.Record) bool {
	class := func(r *bnav.Record) int {
		switch {
		case r.Flags&bnav.Fill != 0:
			return 2
		case m.src.inBand(r.H):
			return 0
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(class(a), class(b)),
		cmp.Compare(b.H, a.H),
		cmp.Compare(a.Flags&bnav.Ghost, b.Flags&bnav.Ghost),
		cmp.Compare(a.Region, b.Region),
	) < 0
}

// pair asks for a mark between two cells, of which a block of squares has one a
// kind: about forty blocks a side, so that arrows stay apart.
func (m *spanMap) pair(d *spanLayerDef, w *spanWindow, i, j int, gx, gy int64, dx, dy int8) {
	kind, back := d.pairs(m.src, w, i, j, dx != 0)
	if kind == 0 {
		return
	}
	mark := dropMark{int32(gx), int32(gy), dx, dy, kind}
	if back {
		mark = dropMark{int32(gx) + int32(dx), int32(gy) + int32(dy), -dx, -dy, kind}
	}
	every := max(int64(max(m.nx, m.ny))/40, 3) * m.block
	key := dropMark{x: int32((gx - m.x0) / every), y: int32((gy - m.y0) / every), kind: kind}
	i, ok := m.taken[key]
	switch {
	case !ok:
		m.taken[key] = len(m.drops)
		m.drops = append(m.drops, mark)
	case compareDropMarks(mark, m.drops[i]) < 0:
		m.drops[i] = mark // so that the order of tiles does not show
	}
}

func compareDropMarks(a, b dropMark) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x), cmp.Compare(a.dy, b.dy), cmp.Compare(a.dx, b.dx))
}

// shadeSpan gives a value its colour with the two bits.
func shadeSpan(c color.NRGBA, bits uint32) color.NRGBA {
	if bits&darkBit != 0 {
		c = mix(c, color.NRGBA{0x40, 0x40, 0x48, 255}, 120)
	}
	if bits&fadedBit != 0 {
		c = mix(c, paperColor, 200)
	}
	return c
}

// paint adds the squares, united to rectangles of one colour.
func (m *spanMap) paint(c *Canvas, colorOf func(v uint32) color.NRGBA) {
	uniteSquares(m.value, m.nx, true, func(q squares) {
		col := shadeSpan(colorOf(q.value&^(fadedBit|darkBit)-1), q.value)
		ax, ay := float64(m.x0+int64(q.x0)*m.block), float64(m.y0+int64(q.y0)*m.block)
		bx, by := float64(min(m.x0+int64(q.x1)*m.block, m.x1)), float64(min(m.y0+int64(q.y1)*m.block, m.y1))
		w := m.src.world
		c.Add(Fill, groupSpans, Style{Color: col}, w(ax, ay), w(bx, ay), w(bx, by), w(ax, by))
	})
}

// linePixels is the width of a line that is a fifth of a cell wide.
func (m *spanMap) linePixels() float64 {
	return min(max(0.2*defaultBlocks/float64(max(m.nx, m.ny)), 1.4), 4)
}

// paintEdges adds lines on the sides of cells, united where they go on.
func (m *spanMap) paintEdges(c *Canvas, styles []Style) {
	slices.SortFunc(m.edges, func(a, b gridEdge) int {
		first := cmp.Or(cmp.Compare(a.kind, b.kind), compareBool(a.upright, b.upright))
		if a.upright && b.upright {
			return cmp.Or(first, cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y))
		}
		return cmp.Or(first, cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x))
	})
	for i := 0; i < len(m.edges); {
		a := m.edges[i]
		n := int32(1)
		for i++; i < len(m.edges); i++ {
			want := a
			if a.upright {
				want.y += n
			} else {
				want.x += n
			}
			if m.edges[i] != want {
				break
			}
			n++
		}
		x, y := float64(a.x), float64(a.y)
		var p, q geom.Vec3
		if a.upright {
			p, q = m.src.world(x+1, y), m.src.world(x+1, y+float64(n))
		} else {
			p, q = m.src.world(x, y+1), m.src.world(x+float64(n), y+1)
		}
		st := styles[a.kind]
		st.Width *= m.linePixels()
		c.AddOver(Line, groupEdges, st, p, q)
	}
}

// paintDrops adds arrows over the borders between cells.
func (m *spanMap) paintDrops(c *Canvas, styles []Style) {
	slices.SortFunc(m.drops, compareDropMarks)
	reach := max(1.5, 0.008*float64(max(m.nx, m.ny))) * float64(m.block)
	for _, d := range m.drops {
		x, y := float64(d.x)+0.5+float64(0.5*float64(d.dx)), float64(d.y)+0.5+float64(0.5*float64(d.dy))
		fx, fy := float64(float64(d.dx)*reach), float64(float64(d.dy)*reach)
		c.AddOver(Line, groupDrops, styles[d.kind], m.src.world(x-fx, y-fy), m.src.world(x+fx, y+fy))
	}
}

// counts returns how many squares show each value outside of what is faded, the
// most frequent first.
func (m *spanMap) counts() []valueCount {
	var all []uint32
	for _, v := range m.value {
		if v != 0 && v&fadedBit == 0 {
			all = append(all, v&^darkBit-1)
		}
	}
	slices.Sort(all)
	var out []valueCount
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j] == all[i] {
			j++
		}
		out = append(out, valueCount{all[i], j - i})
		i = j
	}
	slices.SortFunc(out, func(a, b valueCount) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.v, b.v))
	})
	return out
}

type valueCount struct {
	v uint32
	n int
}

// composeSpanMap draws a layer that is seen from above.
func composeSpanMap(ctx context.Context, s *spanSource, d *spanLayerDef, o *SpanOptions) (*Canvas, error) {
	m, err := newSpanMap(s, o)
	if err != nil {
		return nil, err
	}
	s.fine = m.block == 1
	if d.pairs != nil {
		if err := s.readGraphs(); err != nil {
			return nil, err
		}
	}
	if err := m.fill(ctx, d); err != nil {
		return nil, err
	}
	c := &Canvas{}
	d.draw(c, m)
	if m.block > 1 {
		c.AddKey(Key{Dot, Style{}, fmt.Sprintf("a square: %d x %d cells", m.block, m.block)})
	}
	if s.banded {
		c.AddKey(Key{Fill, Style{Color: mix(greyColor, paperColor, 200)}, fmt.Sprintf("pale: outside %g to %g m", s.band[0], s.band[1])})
	}
	if len(c.Shapes) == 0 {
		return nil, ErrEmpty
	}
	return c, nil
}
