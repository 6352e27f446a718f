package draw

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"math"
	"strconv"
	"strings"
)

// WriteSVG draws c as an SVG document. Coordinates are written in tenths of a
// pixel. A canvas without a drawable shape is ErrEmpty; options out of range
// are an *OptionError; nothing is written then. Memory and time are
// proportional to the number of points.
func (c *Canvas) WriteSVG(w io.Writer, o *Options) error {
	full, err := o.complete()
	if err != nil {
		return err
	}
	s, err := lay(c, &full)
	if err != nil {
		return err
	}
	bw := bufio.NewWriterSize(w, 1<<16)
	sv := svgWriter{w: bw, ids: map[string]int{}}
	sv.document(s)
	if err := bw.Flush(); err != nil {
		return fmt.Errorf("draw: write svg: %w", err)
	}
	return nil
}

// svgWriter leaves errors to its bufio.Writer, which keeps the first one.
type svgWriter struct {
	w   *bufio.Writer
	ids map[string]int // times that an id was taken
	// class is written on each element when it is not that of its group.
	class string
	buf   []byte
}

func (v *svgWriter) document(s *sheet) {
	fmt.Fprintf(v.w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" stroke-linecap="round" stroke-linejoin="round">`+"\n", s.w, s.h, s.w, s.h)
	if s.title != "" {
		fmt.Fprintf(v.w, "<title>%s</title>\n", xmlText(s.title))
	}
	fmt.Fprintf(v.w, "<rect width=\"%d\" height=\"%d\" fill=\"%s\"/>\n", s.w, s.h, hexColor(paperColor))
	open, world := int32(-1), false
	for i := 0; i < len(s.marks); {
		m := &s.marks[i]
		v.class = ""
		if s.mixed && !m.over {
			v.class = xmlID(s.groups[m.group])
			if !world {
				v.openGroup("world")
				world = true
			}
		} else if m.group != open || world {
			if open >= 0 || world {
				v.w.WriteString("</g>\n")
			}
			open, world = m.group, false
			v.openGroup(s.groups[m.group])
		}
		n := run(s.marks, i)
		v.marks(s.marks[i:i+n], s.unit)
		i += n
	}
	if open >= 0 || world {
		v.w.WriteString("</g>\n")
	}
	v.class = ""
	if len(s.decor) > 0 {
		v.openGroup("decor")
		for i := range s.decor {
			v.marks(s.decor[i:i+1], s.unit)
		}
		v.w.WriteString("</g>\n")
	}
	v.w.WriteString("</svg>\n")
}

func (v *svgWriter) openGroup(name string) {
	class := xmlID(name)
	v.ids[class]++
	id := class
	for n := v.ids[class]; n > 1; n++ {
		// A group may itself be called like another one's later piece.
		id = class + "-" + strconv.Itoa(n)
		if v.ids[id] == 0 {
			v.ids[class], v.ids[id] = n, 1
			break
		}
	}
	fmt.Fprintf(v.w, "<g id=%q class=%q>\n", id, class)
}

// marks writes marks that share kind and style.
func (v *svgWriter) marks(ms []mark, unit float64) {
	st := ms[0].style
	if ms[0].kind == Text {
		for i := range ms {
			v.text(&ms[i])
		}
		return
	}
	b := v.buf[:0]
	for i := range ms {
		m := &ms[i]
		pts := m.pts
		switch m.kind {
		case Line:
			if st.Arrow {
				if _, end, ok := arrowHead(pts, st.Width); ok {
					pts = append(append([]point(nil), pts[:len(pts)-1]...), end)
				}
			}
			b = appendPath(b, pts, false)
		case Dot:
			b = appendPath(b, pts, false)
			b = append(b, "h0"...)
		default:
			b = appendPath(b, pts, true)
		}
	}
	v.buf = b
	if ms[0].kind == Fill {
		v.w.WriteString(`<path fill="`)
		v.w.WriteString(hexColor(st.Color))
		v.opacity("fill-opacity", st.Color)
		if st.Color.A == 255 {
			// Neighbours would show a hairline of background between them.
			fmt.Fprintf(v.w, `" stroke="%s" stroke-width="%s`, hexColor(st.Color), tenth(seamWidth))
		}
		v.path(b)
		return
	}
	stroke := func(c color.NRGBA, width float64) {
		fmt.Fprintf(v.w, `<path fill="none" stroke="%s`, hexColor(c))
		v.opacity("stroke-opacity", c)
		fmt.Fprintf(v.w, `" stroke-width="%s`, hundredth(width))
		if st.Dash && ms[0].kind == Line {
			on, off := dashes(st.Width)
			fmt.Fprintf(v.w, `" stroke-dasharray="%s %s`, tenth(on), tenth(off))
		}
		v.path(b)
	}
	if st.Halo {
		stroke(haloColor, st.Width+float64(2*haloWidth*unit))
	}
	stroke(st.Color, st.Width)
	if st.Arrow && ms[0].kind == Line {
		heads := []byte(nil)
		for i := range ms {
			if head, _, ok := arrowHead(ms[i].pts, st.Width); ok {
				heads = appendPath(heads, head[:], true)
			}
		}
		if len(heads) > 0 {
			fmt.Fprintf(v.w, `<path fill="%s`, hexColor(st.Color))
			v.opacity("fill-opacity", st.Color)
			v.path(heads)
		}
	}
}

// opacity closes the attribute before it and leaves its own open.
func (v *svgWriter) opacity(name string, c color.NRGBA) {
	if c.A != 255 {
		fmt.Fprintf(v.w, `" %s="%s`, name, strconv.FormatFloat(float64(c.A)/255, 'f', 2, 64))
	}
}

func (v *svgWriter) path(b []byte) {
	if v.class != "" {
		v.w.WriteString(`" class="`)
		v.w.WriteString(v.class)
	}
	v.w.WriteString(`" d="`)
	v.w.Write(b)
	v.w.WriteString("\"/>\n")
}

func (v *svgWriter) text(m *mark) {
	st := m.style
	fmt.Fprintf(v.w, `<text x="%s" y="%s" font-size="%s" fill="%s`, tenth(m.pts[0].x), tenth(m.pts[0].y), tenth(st.Width), hexColor(st.Color))
	switch m.anchor {
	case anchorMiddle:
		v.w.WriteString(`" text-anchor="middle`)
	case anchorEnd:
		v.w.WriteString(`" text-anchor="end`)
	}
	if st.Halo {
		fmt.Fprintf(v.w, `" paint-order="stroke" stroke="%s" stroke-width="%s`, hexColor(haloColor), tenth(0.25*st.Width))
	}
	if v.class != "" {
		v.w.WriteString(`" class="`)
		v.w.WriteString(v.class)
	}
	fmt.Fprintf(v.w, "\">%s</text>\n", xmlText(m.text))
}

// appendPath appends a subpath in relative coordinates of tenths of a pixel.
// Steps are differences of rounded places, so that errors do not add up.
func appendPath(b []byte, pts []point, closed bool) []byte {
	var px, py int64
	first := true
	for _, p := range pts {
		x, y := tenths(p.x), tenths(p.y)
		switch {
		case first:
			b = append(b, 'M')
			b = appendTenths(b, x)
			if y >= 0 {
				b = append(b, ' ')
			}
			b = appendTenths(b, y)
			first = false
		case x == px && y == py:
			continue
		case y == py:
			b = append(b, 'h')
			b = appendTenths(b, x-px)
		case x == px:
			b = append(b, 'v')
			b = appendTenths(b, y-py)
		default:
			b = append(b, 'l')
			b = appendTenths(b, x-px)
			if y-py >= 0 {
				b = append(b, ' ')
			}
			b = appendTenths(b, y-py)
		}
		px, py = x, y
	}
	if closed {
		b = append(b, 'z')
	}
	return b
}

// paperLimit bounds coordinates of things far outside a focused picture.
const paperLimit = 1e7

func tenths(v float64) int64 {
	return int64(math.RoundToEven(min(max(v, -paperLimit), paperLimit) * 10))
}

func appendTenths(b []byte, n int64) []byte {
	if n < 0 {
		b = append(b, '-')
		n = -n
	}
	b = strconv.AppendInt(b, n/10, 10)
	if d := n % 10; d != 0 {
		b = append(b, '.', byte('0'+d))
	}
	return b
}

func tenth(v float64) string { return string(appendTenths(nil, tenths(v))) }

func hundredth(v float64) string {
	return strconv.FormatFloat(math.RoundToEven(v*100)/100, 'f', -1, 64)
}

func hexColor(c color.NRGBA) string {
	const digits = "0123456789abcdef"
	return string([]byte{'#', digits[c.R>>4], digits[c.R&15], digits[c.G>>4], digits[c.G&15], digits[c.B>>4], digits[c.B&15]})
}

// xmlText escapes text; what XML cannot hold becomes the replacement character.
func xmlText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\t' || r == '\n' || r == '\r':
			b.WriteByte(' ')
		case r < ' ' || r == 0xfffe || r == 0xffff:
			b.WriteRune('\uFFFD')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// xmlID turns a name into an id that CSS and scripts can name.
func xmlID(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r == '_':
			b.WriteRune(r)
		case (r >= '0' && r <= '9' || r == '-') && i > 0:
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "shapes"
	}
	return b.String()
}
