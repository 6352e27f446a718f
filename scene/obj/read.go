package obj

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"wend/geom"
	"wend/scene"
	"wend/scene/internal/numtext"
)

// maxCorners bounds a polygon: cutting it takes time by the square of its
// corners in the worst case.
const maxCorners = 1 << 14

// Read reads a level from OBJ text. name stands for the file in errors and in
// the report; a nil o means the defaults. Triangles come in the order of the
// file.
//
// Errors: *SyntaxError for malformed text (with line and column),
// *scene.EmptyError, *scene.RangeError, *scene.LimitError,
// *scene.OptionError, and what r returns, wrapped. The time is linear in the
// size of the text but for polygons of hundreds of corners; the memory is a
// small multiple of it, and of one line while reading. Polygons of more than
// 16384 corners and statements of more than 1 MiB are errors.
func Read(r io.Reader, name string, o *scene.Options) (*scene.Scene, *scene.Report, error) {
	b, err := scene.NewBuilder(name, "obj", o)
	if err != nil {
		return nil, nil, err
	}
	p := &parser{reader: newReader(r, name), b: b}
	if err := p.run(); err != nil {
		return nil, nil, err
	}
	if err := p.checkAhead(); err != nil {
		return nil, nil, err
	}
	if p.ignored > 0 && b.NumVerts() == 0 {
		return nil, nil, &SyntaxError{
			File: name, Line: p.firstLine,
			Msg: fmt.Sprintf("statement %s is unknown and the file has no vertices; this is not OBJ text", p.firstIgnored),
		}
	}
	p.build()
	return b.Finish()
}

// polygon is a face as it was read; its corners lie in parser.corners from
// the end of the polygon before.
type polygon struct {
	end  uint32
	line uint32
	part uint32
}

// ahead is a corner that names a vertex not yet read.
type ahead struct {
	vertex uint32
	line   int
	column int
}

type parser struct {
	*reader
	b *scene.Builder

	corners  []uint32
	polygons []polygon
	ahead    []ahead

	object, name, material string
	part                   uint32
	partKnown              bool // part belongs to name and material

	ignored      int // statements of kinds that hold other geometry or none we know
	firstIgnored string
	firstLine    int
}

func (p *parser) run() error {
	for {
		err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = p.statement()
		}
		if err != nil {
			return err
		}
	}
}

// statement handles the statement that was read last.
func (p *parser) statement() error {
	text := p.st.text
	start, end := token(text, 0)
	switch word := text[start:end]; string(word) {
	case "v":
		return p.vertex(end)
	case "f", "fo":
		return p.face(end)
	case "g":
		p.name = rest(text, end)
		if p.name == "" {
			p.name = p.object
		}
		p.partKnown = false
	case "o":
		p.object = rest(text, end)
		p.name = p.object
		p.partKnown = false
	case "usemtl":
		p.material = rest(text, end)
		p.partKnown = false
	case "p":
		n := 0
		for {
			start, stop := token(text, end)
			if start == stop {
				break
			}
			n++
			end = stop
		}
		p.b.Ignore(n, 0)
	case "l":
		p.b.Ignore(0, 1)
	case "", "vt", "vn", "vp", "s", "mtllib", "usemap", "maplib", "mg", "lod", "bevel",
		"c_interp", "d_interp", "shadow_obj", "trace_obj":
		// Says nothing about the shape of the level.
	default:
		for i, c := range word {
			if c < 0x20 || c == 0x7f {
				return p.fail(start+i, "byte 0x%02x where a statement should stand; this is not OBJ text", c)
			}
		}
		if p.ignored == 0 {
			p.firstIgnored, p.firstLine = clip(word), p.st.line
		}
		p.ignored++
	}
	return nil
}

// vertex reads the three numbers of a position behind i.
func (p *parser) vertex(i int) error {
	var xyz [3]float64
	text := p.st.text
	for k := range xyz {
		start, end := token(text, i)
		if start == end {
			return p.fail(start, "vertex with %d coordinates, want 3", k)
		}
		f, st := numtext.Float(text[start:end])
		if st != numtext.OK {
			return p.badNumber(start, text[start:end], st)
		}
		xyz[k] = f
		i = end
	}
	if p.b.NumVerts() >= math.MaxUint32 {
		return p.failLine("more than %d vertices", uint32(math.MaxUint32))
	}
	p.b.Vertex(geom.Vec3{X: xyz[0], Y: xyz[1], Z: xyz[2]})
	return nil
}

func (p *parser) badNumber(at int, word []byte, st numtext.Status) error {
	if st == numtext.Overflow {
		return p.fail(at, "coordinate %s is too large", clip(word))
	}
	for _, c := range word {
		if c == ',' {
			return p.fail(at, "coordinate %s is not a number; the decimal sign must be a point", clip(word))
		}
	}
	return p.fail(at, "coordinate %s is not a finite number", clip(word))
}

// face reads the corners behind i.
func (p *parser) face(i int) error {
	text := p.st.text
	first := len(p.corners)
	for {
		start, end := token(text, i)
		if start == end {
			break
		}
		v, stop, err := p.corner(start, end)
		if err != nil {
			return err
		}
		p.corners = push(p.corners, v)
		i = stop
	}
	n := len(p.corners) - first
	if n < 3 {
		return p.fail(0, "face with %d corners, want at least 3", n)
	}
	if n > maxCorners {
		return p.fail(0, "face with %d corners, want at most %d; triangulate it on export", n, maxCorners)
	}
	if err := p.b.Reserve(len(p.corners) - 2*(len(p.polygons)+1)); err != nil {
		return err
	}
	if !p.partKnown {
		p.part = p.b.Part(p.name, p.material)
		p.partKnown = true
	}
	p.polygons = push(p.polygons, polygon{uint32(len(p.corners)), uint32(p.st.line), p.part})
	return nil
}

// corner reads the word text[start:end]: the vertex index, then optional
// indices of texture and normal, which are checked for form and dropped. It
// returns where the word really ended, which is earlier at a comment.
func (p *parser) corner(start, end int) (vertex uint32, stop int, err error) {
	text := p.st.text
	num, i := integer(text, start, end)
	if i == start {
		return 0, 0, p.fail(start, "corner %s does not start with a vertex index", clip(text[start:end]))
	}
	for slashes := 0; i < end && text[i] == '/' && slashes < 2; slashes++ {
		_, i = integer(text, i+1, end)
	}
	if i < end && text[i] != '#' {
		return 0, 0, p.fail(start, "corner %s is not of the form v, v/vt, v//vn or v/vt/vn", clip(text[start:end]))
	}
	have := int64(p.b.NumVerts())
	switch {
	case num > 0 && num <= have:
		return uint32(num - 1), i, nil
	case num > 0 && num <= math.MaxUint32:
		line, column := p.place(start)
		p.ahead = append(p.ahead, ahead{uint32(num - 1), line, column})
		return uint32(num - 1), i, nil
	case num < 0 && -num <= have:
		return uint32(have + num), i, nil
	case num == 0:
		return 0, 0, p.fail(start, "vertex index 0; indices start at 1")
	case num < 0:
		return 0, 0, p.fail(start, "vertex index %s, but only %d vertices stand before it", clip(text[start:i]), have)
	}
	return 0, 0, p.fail(start, "vertex index %s is out of range", clip(text[start:i]))
}

// integer reads a signed decimal integer from text[i:end] and returns where it
// ends; that is i when there is none. Values too large for any index come out
// as some value that is too large as well.
func integer(text []byte, i, end int) (n int64, stop int) {
	const huge = math.MaxInt64 / 100
	at := i
	neg := false
	if at < end && (text[at] == '-' || text[at] == '+') {
		neg = text[at] == '-'
		at++
	}
	digits := at
	for ; at < end; at++ {
		d := text[at] - '0'
		if d > 9 {
			break
		}
		if n < huge {
			n = n*10 + int64(d)
		}
	}
	if at == digits {
		return 0, i
	}
	if neg {
		n = -n
	}
	return n, at
}

// checkAhead makes sure that vertices which stood behind their faces came.
func (p *parser) checkAhead() error {
	for _, a := range p.ahead {
		if int64(a.vertex) >= int64(p.b.NumVerts()) {
			return &SyntaxError{
				File: p.file, Line: a.line, Column: a.column,
				Msg: fmt.Sprintf("vertex index %d, but the file has only %d vertices", int64(a.vertex)+1, p.b.NumVerts()),
			}
		}
	}
	return nil
}

// build cuts the polygons and hands the triangles on.
func (p *parser) build() {
	b := p.b
	b.Where = func(line uint32) string { return fmt.Sprintf("line %d", line) }
	if p.ignored > 0 {
		b.Warn(scene.WarnIgnored, fmt.Sprintf("%d statements of other kinds were ignored, the first (%s) in line %d",
			p.ignored, p.firstIgnored, p.firstLine))
	}
	b.Grow(len(p.corners) - 2*len(p.polygons))
	var cut cutter
	tangled, firstTangled := 0, uint32(0)
	var ring []uint32
	var pts []geom.Vec3
	from := uint32(0)
	for _, poly := range p.polygons {
		corners := p.corners[from:poly.end]
		from = poly.end
		if len(corners) == 3 {
			b.Triangle(scene.Tri{V: [3]uint32(corners), Part: poly.part}, poly.line)
			continue
		}
		ring = simplify(ring[:0], corners)
		for range len(corners) - max(len(ring), 2) {
			b.Drop(scene.RepeatedCorner, poly.line)
		}
		if len(ring) < 3 {
			continue
		}
		pts = pts[:0]
		for _, v := range ring {
			pts = append(pts, b.At(v))
		}
		tris, ok := cut.polygon(pts)
		if !ok {
			if tangled == 0 {
				firstTangled = poly.line
			}
			tangled++
		}
		for _, t := range tris {
			b.Triangle(scene.Tri{V: [3]uint32{ring[t[0]], ring[t[1]], ring[t[2]]}, Part: poly.part}, poly.line)
		}
	}
	if tangled > 0 {
		b.Warn(scene.WarnTangled, fmt.Sprintf("%d polygons cross or cover themselves, the first in line %d; triangulate on export",
			tangled, firstTangled))
	}
}

// push appends v. It doubles the capacity, where append would copy long lists
// more often.
func push[T any](s []T, v T) []T {
	if len(s) == cap(s) {
		s = slices.Grow(s, len(s)+256)
	}
	return append(s, v)
}

// simplify appends to ring the corners without those that repeat the one
// before.
func simplify(ring, corners []uint32) []uint32 {
	prev := corners[len(corners)-1]
	for _, v := range corners {
		if v != prev {
			ring = append(ring, v)
		}
		prev = v
	}
	return ring
}

// clip shortens what an error message repeats.
func clip(b []byte) string {
	const most = 40
	if len(b) > most {
		b = b[:most]
		return fmt.Sprintf("%q...", b)
	}
	return fmt.Sprintf("%q", b)
}
