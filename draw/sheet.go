package draw

import (
	"cmp"
	"image/color"
	"math"
	"slices"

	"wend/geom"
)

// sheet is a canvas laid out on paper: what both writers paint, in order.
type sheet struct {
	w, h   int
	unit   float64 // pixels of the picture for one pixel of the default size
	title  string
	mixed  bool // marks are in order of depth, groups mixed
	groups []string
	marks  []mark // the world
	decor  []mark // title, legend, scale bar, axes
}

// mark is a shape, or a piece of one, in pixels.
type mark struct {
	kind   Kind
	group  int32
	slab   int32
	over   bool
	anchor anchor
	style  Style
	depth  float64
	index  int // of the shape
	pts    []point
	text   string
}

type anchor uint8

const (
	anchorStart anchor = iota
	anchorMiddle
	anchorEnd
)

// Colours of the paper and what is printed on it.
var (
	paperColor = color.NRGBA{0xfb, 0xfa, 0xf7, 0xff}
	inkColor   = color.NRGBA{0x26, 0x2b, 0x33, 0xff}
	greyColor  = color.NRGBA{0x6b, 0x72, 0x7d, 0xff}
	haloColor  = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

const (
	slabThick   = 1.5  // slabs of height seen from above, metres
	lineLift    = 0.75 // seen from above, lines are so much higher than what they lie on, metres
	minFillArea = 0.02 // fills seen edge-on are left out, square pixels
)

// lay lays c out for the options, which are complete.
func lay(c *Canvas, o *Options) (*sheet, error) {
	f := o.View.frame()
	lo, hi := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	nearLo, nearHi := math.Inf(1), math.Inf(-1)
	grow := func(q point) {
		lo = point{min(lo.x, q.x), min(lo.y, q.y)}
		hi = point{max(hi.x, q.x), max(hi.y, q.y)}
	}
	some := false
	for i := range c.Shapes {
		s := &c.Shapes[i]
		if !s.drawable() {
			continue
		}
		some = true
		for _, p := range s.Points {
			q, near := f.project(p)
			grow(q)
			nearLo, nearHi = min(nearLo, near), max(nearHi, near)
		}
	}
	if !some {
		return nil, ErrEmpty
	}
	if b := o.Focus; b != nil {
		lo, hi = point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
		for i := range 8 {
			p := b.Min
			if i&1 != 0 {
				p.X = b.Max.X
			}
			if i&2 != 0 {
				p.Y = b.Max.Y
			}
			if i&4 != 0 {
				p.Z = b.Max.Z
			}
			p = geom.Vec3{X: clampCoord(p.X), Y: clampCoord(p.Y), Z: clampCoord(p.Z)}
			q, _ := f.project(p)
			grow(q)
		}
	}

	// Something without extent is shown as if it were a metre wide.
	size := point{max(hi.x-lo.x, 1e-3), max(hi.y-lo.y, 1e-3)}
	if size.x <= 1e-3 && size.y <= 1e-3 {
		size = point{1, 1}
	}
	s := &sheet{w: o.Width, h: o.Height, title: o.Title}
	if s.title == "" {
		s.title = c.Title
	}
	if s.h == 0 {
		s.h = s.fitHeight(c, o, size)
	}
	// A flat picture of full width has no room for big letters.
	s.unit = min(float64(s.w)/defaultWidth, float64(s.h)/(defaultWidth/3))
	m := s.frameMap(c, o)
	scale := min((m.x1-m.x0)/size.x, (m.y1-m.y0)/size.y)
	mid := point{lo.x + (hi.x-lo.x)/2, lo.y + (hi.y-lo.y)/2}
	center := point{(m.x0 + m.x1) / 2, (m.y0 + m.y1) / 2}

	l := layer{
		sheet: s, frame: f, scale: scale, mid: mid, center: center, base: nearLo,
		names: map[string]int32{},
	}
	if o.View.Kind != Above {
		l.tree = &depthTree{}
		s.mixed = true
	}
	for i := range c.Shapes {
		if sh := &c.Shapes[i]; sh.drawable() {
			l.place(sh, i)
		}
	}
	if l.tree != nil {
		slab := int32(0)
		l.tree.paint(func(p *piece) {
			m := *p.mark
			m.style.Arrow = p.arrow
			m.pts = flat(p.pts)
			m.slab, m.depth = slab, 0
			slab++
			s.add(m)
		})
	}
	slices.SortFunc(s.marks, func(a, b mark) int {
		return cmp.Or(
			compareBool(a.over, b.over),
			cmp.Compare(a.slab, b.slab),
			cmp.Compare(a.group, b.group),
			cmp.Compare(a.depth, b.depth),
			cmp.Compare(a.index, b.index),
		)
	})
	if !o.Plain {
		s.addDecor(c, o, &f, scale, m)
	}
	return s, nil
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func clampCoord(v float64) float64 { return min(max(v, -maxCoord), maxCoord) }

// layer places shapes on a sheet.
type layer struct {
	sheet       *sheet
	frame       frame
	scale       float64
	mid, center point   // of the world on paper (metres), of the map (pixels)
	base        float64 // nearness of the farthest point, metres
	names       map[string]int32
	tree        *depthTree // orders what is not Over; nil seen from above

	buf []deep
}

// deep is a point in pixels with its nearness to the eye, in pixels too.
type deep struct {
	point
	near float64
}

func (l *layer) group(name string) int32 {
	g, ok := l.names[name]
	if !ok {
		g = int32(len(l.sheet.groups))
		l.names[name] = g
		l.sheet.groups = append(l.sheet.groups, name)
	}
	return g
}

// place adds the marks of one shape.
func (l *layer) place(sh *Shape, index int) {
	l.buf = l.buf[:0]
	for _, p := range sh.Points {
		q, near := l.frame.project(p)
		l.buf = append(l.buf, deep{point{
			l.center.x + float64((q.x-l.mid.x)*l.scale),
			l.center.y + float64((q.y-l.mid.y)*l.scale),
		}, (near - l.base) * l.scale})
	}
	m := mark{kind: sh.Kind, group: l.group(sh.Group), over: sh.Over, style: sh.Style, index: index, text: sh.Text}
	m.style.Width *= l.sheet.unit

	switch sh.Kind {
	case Text:
		size := m.style.Width
		at := &l.buf[0]
		at.point = point{at.x + float64(0.5*size), at.y - float64(0.3*size)}
		l.buf = l.buf[:1]
	case Fill:
		m.style.OneSided = false
		a := area2(flat(l.buf))
		if sh.Style.OneSided && a > 0 || math.Abs(a) < 2*minFillArea {
			return
		}
		if a < 0 {
			slices.Reverse(l.buf) // one sense of turning, so that fills unite
		}
	case Loop:
		l.buf = append(l.buf, l.buf[0])
		m.kind = Line
	case Dot:
		for _, p := range l.buf {
			l.emit(m, []deep{p})
		}
		return
	}
	l.emit(m, l.buf)
}

// emit adds a mark, or hands it to the tree that orders it.
func (l *layer) emit(m mark, ps []deep) {
	if l.tree != nil && !m.over {
		l.tree.add(m, ps)
		return
	}
	sum := 0.0
	for _, p := range ps {
		sum += p.near
	}
	m.depth = sum / float64(len(ps)) / l.scale
	if m.kind != Fill {
		m.depth += lineLift
	}
	switch {
	case m.kind == Text:
		m.slab = math.MaxInt32 // above whatever else is Over
	case !m.over:
		m.slab = int32(min(max(m.depth/slabThick, 0), math.MaxInt32))
	}
	m.pts = flat(ps)
	l.sheet.add(m)
}

func (s *sheet) add(m mark) { s.marks = append(s.marks, m) }

func flat(ps []deep) []point {
	out := make([]point, len(ps))
	for i, p := range ps {
		out[i] = p.point
	}
	return out
}

// run returns how many marks from i on can be painted together: same kind,
// group and style. Their union is painted, so that translucent pieces of one
// shape do not show where they meet.
func run(ms []mark, i int) int {
	n := 1
	for i+n < len(ms) {
		a, b := &ms[i], &ms[i+n]
		if a.kind != b.kind || a.group != b.group || a.over != b.over || a.style != b.style || a.kind == Text {
			break
		}
		n++
	}
	return n
}

// arrowHead returns the triangle at the end of a polyline, and where the line
// itself should end.
func arrowHead(pts []point, width float64) (head [3]point, end point, ok bool) {
	tip := pts[len(pts)-1]
	length := float64(3.2*width) + 3
	// Aim along the last stretch that is as long as the head.
	from := pts[0]
	for i := len(pts) - 2; i >= 0; i-- {
		from = pts[i]
		if math.Sqrt(sq(tip.x-from.x)+sq(tip.y-from.y)) >= length {
			break
		}
	}
	dx, dy := tip.x-from.x, tip.y-from.y
	d := math.Sqrt(sq(dx) + sq(dy))
	if d == 0 {
		return head, tip, false
	}
	dx, dy = dx/d, dy/d
	half := 0.42 * length
	base := point{tip.x - float64(dx*length), tip.y - float64(dy*length)}
	head = [3]point{
		tip,
		{base.x - float64(dy*half), base.y + float64(dx*half)},
		{base.x + float64(dy*half), base.y - float64(dx*half)},
	}
	return head, point{tip.x - float64(0.7*dx*length), tip.y - float64(0.7*dy*length)}, true
}

func sq(v float64) float64 { return float64(v * v) }
