package draw

import (
	"bufio"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
)

const (
	// seamWidth is how much wider opaque fills are than drawn: where two meet
	// within a pixel, one of them then covers all of it.
	seamWidth = 1.0
	haloWidth = 2.5 // rim on either side
)

// WritePNG draws c as an anti-aliased PNG picture. Errors are those of
// WriteSVG. It needs eight bytes a pixel and a few milliseconds a megapixel
// besides the shapes.
func (c *Canvas) WritePNG(w io.Writer, o *Options) error {
	img, err := c.Image(o)
	if err != nil {
		return err
	}
	// The encoder writes small pieces.
	bw := bufio.NewWriterSize(w, 1<<16)
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err = enc.Encode(bw, img); err == nil {
		err = bw.Flush()
	}
	if err != nil {
		return fmt.Errorf("draw: write png: %w", err)
	}
	return nil
}

// Image draws c into a new picture. Every pixel is opaque.
func (c *Canvas) Image(o *Options) (*image.RGBA, error) {
	full, err := o.complete()
	if err != nil {
		return nil, err
	}
	s, err := lay(c, &full)
	if err != nil {
		return nil, err
	}
	p := newPainter(s)
	for i := 0; i < len(s.marks); {
		n := run(s.marks, i)
		p.marks(s.marks[i : i+n])
		i += n
	}
	for i := range s.decor {
		p.marks(s.decor[i : i+1])
	}
	return p.img, nil
}

// painter paints marks into a picture.
type painter struct {
	img  *image.RGBA
	r    *raster
	clip clipper
	unit float64
	quad [4]point
	disc []point
	// circle is the unit disc as a polygon.
	circle [circleCorners]point
}

// circleCorners is the number of corners of the polygon that stands for a disc.
const circleCorners = 32

func newPainter(s *sheet) *painter {
	p := &painter{
		img:  image.NewRGBA(image.Rect(0, 0, s.w, s.h)),
		r:    newRaster(s.w, s.h),
		clip: clipper{w: float64(s.w), h: float64(s.h)},
		unit: s.unit,
	}
	for i := range p.circle {
		sin, cos := sinCosDeg(float64(i) * 360 / circleCorners)
		p.circle[i] = point{cos, sin}
	}
	pix := p.img.Pix
	copy(pix, []byte{paperColor.R, paperColor.G, paperColor.B, 255})
	for n := 4; n < len(pix); n *= 2 {
		copy(pix[n:], pix[:n])
	}
	return p
}

// marks paints marks that share kind and style.
func (p *painter) marks(ms []mark) {
	st := ms[0].style
	switch ms[0].kind {
	case Fill:
		for i := range ms {
			p.add(ms[i].pts)
			if st.Color.A == 255 {
				p.stroke(ms[i].pts, seamWidth, true)
			}
			p.relieve(st.Color)
		}
		p.flush(st.Color)
	case Line:
		if st.Halo {
			for i := range ms {
				p.stroke(ms[i].pts, st.Width+float64(2*haloWidth*p.unit), false)
				p.relieve(haloColor)
			}
			p.flush(haloColor)
		}
		for i := range ms {
			pts := ms[i].pts
			if st.Arrow {
				if head, end, ok := arrowHead(pts, st.Width); ok {
					if area2(head[:]) < 0 {
						head[1], head[2] = head[2], head[1]
					}
					p.add(head[:])
					pts = append(append([]point(nil), pts[:len(pts)-1]...), end)
				}
			}
			if st.Dash {
				on, off := dashes(st.Width)
				p.clip.dash(pts, on, off, func(part []point) { p.stroke(part, st.Width, false) })
			} else {
				p.stroke(pts, st.Width, false)
			}
			p.relieve(st.Color)
		}
		p.flush(st.Color)
	case Dot:
		if st.Halo {
			for i := range ms {
				p.dot(ms[i].pts[0], st.Width/2+float64(haloWidth*p.unit))
				p.relieve(haloColor)
			}
			p.flush(haloColor)
		}
		for i := range ms {
			p.dot(ms[i].pts[0], st.Width/2)
			p.relieve(st.Color)
		}
		p.flush(st.Color)
	case Text:
		for i := range ms {
			p.text(&ms[i])
		}
	}
}

func (p *painter) text(m *mark) {
	size := m.style.Width
	at := m.pts[0]
	switch m.anchor {
	case anchorMiddle:
		at.x -= float64(textWidth(m.text, size) / 2)
	case anchorEnd:
		at.x -= textWidth(m.text, size)
	}
	pen := max(size*fontStroke, 1)
	if m.style.Halo {
		textStrokes(m.text, size, at.x, at.y, func(s []point) { p.stroke(s, pen+float64(0.3*size), false) })
		p.flush(haloColor)
	}
	textStrokes(m.text, size, at.x, at.y, func(s []point) {
		width := pen
		if len(s) == 2 && s[0] == s[1] {
			width *= 1.5 // a full stop
		}
		p.stroke(s, width, false)
	})
	p.flush(m.style.Color)
}

// add adds a polygon that turns clockwise on paper.
func (p *painter) add(pts []point) {
	if !p.clip.outside(pts, 0) {
		p.r.add(p.clip.polygon(pts))
	}
}

func (p *painter) dot(at point, radius float64) {
	p.disc = p.disc[:0]
	for _, c := range p.circle {
		p.disc = append(p.disc, point{at.x + float64(c.x*radius), at.y + float64(c.y*radius)})
	}
	p.add(p.disc)
}

// stroke adds a polyline drawn with a round pen.
func (p *painter) stroke(pts []point, width float64, closed bool) {
	half := float64(width / 2)
	if len(pts) == 0 || p.clip.outside(pts, half+1) {
		return
	}
	n := len(pts)
	round := half >= 0.7 || n == 1 || n == 2 && pts[0] == pts[1]
	if round {
		p.dot(pts[0], half)
	}
	for i := 1; i < n || closed && i == n; i++ {
		a, b := pts[i-1], pts[i%n]
		dx, dy := b.x-a.x, b.y-a.y
		d := math.Sqrt(sq(dx) + sq(dy))
		if d > 0 {
			nx, ny := float64(-dy/d*half), float64(dx/d*half)
			p.quad = [4]point{{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}, {b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}}
			p.add(p.quad[:])
			if round {
				p.dot(b, half)
			}
		}
	}
}

// relieve paints what has been added before sums could overflow. A union of
// more pieces shows only where translucent pieces overlap.
func (p *painter) relieve(c color.NRGBA) {
	const many = 4096
	if p.r.pieces > many {
		p.flush(c)
	}
}

// flush paints the union of what was added in one colour.
func (p *painter) flush(c color.NRGBA) {
	pix, stride := p.img.Pix, p.img.Stride
	alpha := uint32(c.A)
	cr, cg, cb := uint32(c.R), uint32(c.G), uint32(c.B)
	p.r.sweep(func(y, x0, x1 int, cover uint32) {
		row := pix[y*stride+4*x0 : y*stride+4*x1]
		a := (cover*alpha + 127) / 255
		if a == 255 {
			for i := 0; i+3 < len(row); i += 4 {
				row[i], row[i+1], row[i+2] = c.R, c.G, c.B
			}
			return
		}
		rest := 255 - a
		r0, g0, b0 := cr*a+127, cg*a+127, cb*a+127
		for i := 0; i+3 < len(row); i += 4 {
			row[i] = uint8((uint32(row[i])*rest + r0) / 255)
			row[i+1] = uint8((uint32(row[i+1])*rest + g0) / 255)
			row[i+2] = uint8((uint32(row[i+2])*rest + b0) / 255)
		}
	})
}

// dashes returns the lengths of a dash and of the gap after it.
func dashes(width float64) (on, off float64) { return float64(3*width) + 2, float64(2.5*width) + 2 }

// dash calls part for each dash of a polyline, as far as it can be seen.
func (c *clipper) dash(pts []point, on, off float64, part func([]point)) {
	left, drawn := on, true
	cur := []point{pts[0]}
	for i := 1; i < len(pts); i++ {
		a, b, ok := c.segment(pts[i-1], pts[i], on+off)
		if !ok || a != cur[len(cur)-1] {
			// The line leaves the picture: begin anew where it comes back.
			if drawn && len(cur) > 1 {
				part(cur)
			}
			left, drawn = on, true
			cur = append(cur[:0], pts[i])
			if !ok {
				continue
			}
			cur[0] = a
		}
		d := math.Sqrt(sq(b.x-a.x) + sq(b.y-a.y))
		at := 0.0
		for d-at > left {
			at += left
			t := at / d
			q := point{a.x + float64((b.x-a.x)*t), a.y + float64((b.y-a.y)*t)}
			if drawn {
				part(append(cur, q))
				left = off
			} else {
				left = on
			}
			cur = append(cur[:0], q)
			drawn = !drawn
		}
		left -= d - at
		cur = append(cur, b)
	}
	if drawn && len(cur) > 1 {
		part(cur)
	}
}
