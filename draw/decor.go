package draw

import (
	"fmt"
	"math"
	"strconv"

	"wend/geom"
)

// rect is a part of the paper, pixels.
type rect struct{ x0, y0, x1, y1 float64 }

const (
	titleSize  = 27.0
	legendSize = 17.0
	legendRow  = 26.0
	maxLegend  = 24 // rows; the rest is counted in the last one
)

// legendKeys returns the keys that are shown, and how many are not.
func legendKeys(c *Canvas) ([]Key, int) {
	if len(c.Legend) <= maxLegend {
		return c.Legend, 0
	}
	return c.Legend[:maxLegend-1], len(c.Legend) - maxLegend + 1
}

// frameMap returns the part of the paper that the world is drawn in.
func (s *sheet) frameMap(c *Canvas, o *Options) rect {
	u := s.unit
	w, h := float64(s.w), float64(s.h)
	pad := float64(36 * u)
	if o.Plain {
		pad = float64(12 * u)
		return rect{pad, pad, w - pad, h - pad}
	}
	m := rect{pad, pad, w - pad, h - pad - float64(50*u)}
	if s.title != "" {
		m.y0 += float64(44 * u)
	}
	if keys, more := legendKeys(c); len(keys) > 0 {
		m.x1 -= float64(legendWidth(keys, more) * u)
	}
	return m
}

// fitHeight returns the height of the picture that leaves no empty strips
// around a world of the given size on paper, within limits.
func (s *sheet) fitHeight(c *Canvas, o *Options, size point) int {
	w := float64(s.w)
	s.unit = w / defaultWidth
	s.h = s.w
	m := s.frameMap(c, o)
	fixed := w - (m.y1 - m.y0)
	need := fixed + float64((m.x1-m.x0)*(size.y/size.x))
	if keys, _ := legendKeys(c); len(keys) > 0 && !o.Plain {
		need = max(need, fixed+float64(float64(len(keys)+1)*legendRow*s.unit))
	}
	most := min(1.5*w, MaxSide, float64(MaxPixels/s.w))
	return int(min(max(need, w/3, MinSide), most))
}

// legendWidth is the width of the legend column at unit size.
func legendWidth(keys []Key, more int) float64 {
	w := 0.0
	for _, k := range keys {
		w = max(w, textWidth(k.Label, legendSize))
	}
	if more > 0 {
		w = max(w, textWidth(moreLabel(more), legendSize))
	}
	return min(w, 420) + 70
}

func moreLabel(n int) string { return fmt.Sprintf("and %d more", n) }

// addDecor adds title, legend, scale bar and axes around the map m.
func (s *sheet) addDecor(c *Canvas, o *Options, f *frame, scale float64, m rect) {
	u := s.unit
	w, h := float64(s.w), float64(s.h)
	ink := func(width float64) Style { return Style{Color: inkColor, Width: width * u} }
	text := func(x, y, size float64, a anchor, str string) {
		s.decor = append(s.decor, mark{kind: Text, style: ink(size), anchor: a, pts: []point{{x, y}}, text: str})
	}
	if o.Focus != nil {
		s.addMat(m)
	}
	if s.title != "" {
		text(float64(36*u), float64(48*u), titleSize, anchorStart, s.title)
	}

	// Legend.
	keys, more := legendKeys(c)
	x, y := m.x1+float64(26*u), m.y0+float64(12*u)
	for _, k := range keys {
		mk := mark{kind: k.Kind, style: k.Style}
		mk.style.Width = min(k.Style.Width, 16) * u
		switch k.Kind {
		case Fill:
			box := rect{x, y - float64(8*u), x + float64(24*u), y + float64(8*u)}
			mk.pts = []point{{box.x0, box.y0}, {box.x1, box.y0}, {box.x1, box.y1}, {box.x0, box.y1}}
			s.decor = append(s.decor, mk, mark{
				kind: Line, style: Style{Color: greyColor, Width: 0.8 * u},
				pts: append(append([]point(nil), mk.pts...), mk.pts[0]),
			})
		case Dot:
			mk.pts = []point{{x + float64(12*u), y}}
			s.decor = append(s.decor, mk)
		default:
			mk.kind = Line
			mk.pts = []point{{x, y}, {x + float64(24*u), y}}
			s.decor = append(s.decor, mk)
		}
		text(x+float64(34*u), y+float64(6*u), legendSize, anchorStart, k.Label)
		y += float64(legendRow * u)
	}
	if more > 0 {
		text(x+float64(34*u), y+float64(6*u), legendSize, anchorStart, moreLabel(more))
	}

	// Scale bar: the longest round length that fits a fifth of the width.
	by := h - float64(52*u)
	length, label := roundLength(0.2 * w / scale)
	if c.cells {
		length, label = roundCells(0.2 * w / scale)
	}
	px := float64(length * scale)
	bx := float64(36 * u)
	s.decor = append(s.decor, mark{kind: Line, style: ink(2), pts: []point{
		{bx, by - float64(7*u)}, {bx, by}, {bx + px, by}, {bx + px, by - float64(7*u)},
	}})
	if px > float64(60*u) {
		s.decor = append(s.decor, mark{kind: Line, style: ink(2), pts: []point{{bx + px/2, by - float64(4*u)}, {bx + px/2, by}}})
	}
	text(bx+px/2, by+float64(22*u), legendSize, anchorMiddle, label)

	// Axes, as the view shows them.
	ax := point{bx + px + float64(90*u), by + float64(2*u)}
	for _, a := range []struct {
		dir  geom.Vec3
		name string
	}{{geom.Vec3{X: 1}, "X"}, {geom.Vec3{Y: 1}, "Y"}, {geom.Vec3{Z: 1}, "Z"}} {
		if c.across != "" && a.name == "X" {
			a.name = c.across
		}
		if c.cells && a.name == "Z" {
			a.name = "Y"
		}
		d, _ := f.project(a.dir)
		n := math.Sqrt(sq(d.x) + sq(d.y))
		if n < 0.15 {
			continue
		}
		reach := 22 * u
		tip := point{ax.x + float64(d.x*reach), ax.y + float64(d.y*reach)}
		st := ink(1.5)
		st.Arrow = true
		s.decor = append(s.decor, mark{kind: Line, style: st, pts: []point{ax, tip}})
		off := 11 * u / n
		side := anchorMiddle
		if len(a.name) > 1 {
			side, off = anchorStart, float64(off/2)
		}
		text(tip.x+float64(d.x*off), tip.y+float64(d.y*off)+float64(5*u), 15, side, a.name)
	}
}

// addMat covers what a focused picture shows outside the map m, so that title
// and legend can be read.
func (s *sheet) addMat(m rect) {
	w, h := float64(s.w), float64(s.h)
	gap := float64(10 * s.unit)
	m = rect{max(m.x0-gap, 0), max(m.y0-gap, 0), min(m.x1+gap, w), min(m.y1+gap, h)}
	for _, r := range []rect{{0, 0, w, m.y0}, {0, m.y1, w, h}, {0, m.y0, m.x0, m.y1}, {m.x1, m.y0, w, m.y1}} {
		s.decor = append(s.decor, mark{
			kind: Fill, style: Style{Color: paperColor},
			pts: []point{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}},
		})
	}
	s.decor = append(s.decor, mark{
		kind: Line, style: Style{Color: greyColor, Width: s.unit},
		pts: []point{{m.x0, m.y0}, {m.x1, m.y0}, {m.x1, m.y1}, {m.x0, m.y1}, {m.x0, m.y0}},
	})
}

// roundLength returns the largest 1, 2 or 5 times a power of ten that is at
// most limit metres, and how it is written.
func roundLength(limit float64) (length float64, label string) {
	length = 1e-3
	for p := 1e-3; p <= 1e13; p *= 10 {
		for _, f := range []float64{1, 2, 5} {
			if p*f <= limit {
				length = p * f
			}
		}
	}
	switch {
	case length >= 1000:
		label = strconv.FormatFloat(length/1000, 'g', 6, 64) + " km"
	case length >= 0.999:
		label = strconv.FormatFloat(length, 'g', 6, 64) + " m"
	case length >= 0.00999:
		label = strconv.FormatFloat(length*100, 'g', 3, 64) + " cm"
	default:
		label = strconv.FormatFloat(length*1000, 'g', 3, 64) + " mm"
	}
	return length, label
}

// roundCells is roundLength where lengths are counted in cells.
func roundCells(limit float64) (length float64, label string) {
	length, _ = roundLength(limit)
	length = max(math.Floor(length), 1)
	if label = strconv.FormatFloat(length, 'f', 0, 64) + " cells"; length == 1 {
		label = "1 cell"
	}
	return length, label
}
