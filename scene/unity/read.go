package unity

import (
	"errors"
	"fmt"
	"io"
	"math"

	"wend/geom"
	"wend/scene"
	"wend/scene/internal/jsonscan"
)

// Handedness says what to do about Unity's left-handed world.
type Handedness uint8

const (
	KeepCoordinates Handedness = iota // as in the file
	MirrorZ                           // (x, y, z) becomes (x, y, -z)
)

// Options of Read. nil and the zero value are the defaults.
type Options struct {
	scene.Options
	Handedness Handedness
}

// notWalkable is the area id that Unity gives to ground no agent may use.
const notWalkable = 1

// Read reads a triangulation. name stands for the file in errors and in the
// report; a nil o means the defaults. Triangles come in the order of the file,
// in one part without a name.
//
// Errors: *Error with the JSON path and the byte, *scene.EmptyError,
// *scene.RangeError, *scene.LimitError, *scene.OptionError, and what r
// returns, wrapped. Time and memory are linear in the size of the text.
func Read(r io.Reader, name string, o *Options) (*scene.Scene, *scene.Report, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	if opt.Handedness > MirrorZ {
		return nil, nil, &scene.OptionError{
			Field: "Handedness", Value: fmt.Sprint(uint8(opt.Handedness)), Want: "KeepCoordinates or MirrorZ",
		}
	}
	b, err := scene.NewBuilder(name, "unity", &opt.Options)
	if err != nil {
		return nil, nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("unity: %s: %w", name, err)
	}
	d := &decoder{file: name, s: jsonscan.New(data), b: b, mirror: opt.Handedness == MirrorZ}
	if err := d.document(); err != nil {
		return nil, nil, err
	}
	if err := d.build(); err != nil {
		return nil, nil, err
	}
	return b.Finish()
}

type decoder struct {
	file   string
	s      *jsonscan.Scanner
	b      *scene.Builder
	mirror bool

	indices []uint32
	areas   []uint8

	// Where the members begin, -1 while they have not been seen.
	verticesAt, indicesAt, areasAt int
}

// fail gives an error of the scanner its path.
func (d *decoder) fail(path string, err error) error {
	var se *jsonscan.SyntaxError
	if errors.As(err, &se) {
		return &Error{File: d.file, JSONPath: path, Offset: int64(se.Offset), Msg: se.Msg}
	}
	return err
}

func (d *decoder) invalid(path string, at int, format string, args ...any) error {
	return &Error{File: d.file, JSONPath: path, Offset: int64(at), Msg: fmt.Sprintf(format, args...)}
}

// document reads the object that is the file.
func (d *decoder) document() error {
	d.verticesAt, d.indicesAt, d.areasAt = -1, -1, -1
	s := d.s
	start := s.Offset()
	if err := s.Open('{'); err != nil {
		return d.fail("", err)
	}
	for first := true; ; first = false {
		more, err := s.More('}', first)
		if err != nil {
			return d.fail("", err)
		}
		if !more {
			break
		}
		key, err := s.Key()
		if err != nil {
			return d.fail("", err)
		}
		if err := d.member(key); err != nil {
			return err
		}
	}
	if err := s.End(); err != nil {
		return d.fail("", err)
	}
	if d.verticesAt < 0 || d.indicesAt < 0 {
		return d.invalid("", start, "the members vertices and indices must both be there; this is not a triangulation")
	}
	return nil
}

// member reads the value of one member of the document.
func (d *decoder) member(key string) error {
	var at *int
	var read func() error
	switch key {
	case "vertices":
		at, read = &d.verticesAt, d.vertices
	case "indices":
		at, read = &d.indicesAt, d.readIndices
	case "areas":
		at, read = &d.areasAt, d.readAreas
	default:
		return d.fail(key, d.s.Skip())
	}
	here := d.s.Offset()
	if *at >= 0 {
		return d.invalid(key, here, "the member was there already, at byte %d", *at)
	}
	*at = here
	return read()
}

// vertices reads positions in any of the three forms.
func (d *decoder) vertices() error {
	s := d.s
	if err := s.Open('['); err != nil {
		return d.fail("vertices", err)
	}
	var flat [3]float64
	flats := 0 // numbers read in the flat form
	for i := 0; ; i++ {
		more, err := s.More(']', i == 0)
		if err != nil {
			return d.fail("vertices", err)
		}
		if !more {
			break
		}
		if d.b.NumVerts() == math.MaxUint32 {
			return d.invalid("vertices", s.Offset(), "more than %d vertices", uint32(math.MaxUint32))
		}
		kind := s.Kind()
		if flats > 0 && kind != jsonscan.Number {
			return d.invalid(fmt.Sprintf("vertices[%d]", i), s.Offset(), "found %s in a flat list of numbers", s.Found())
		}
		var p [3]float64
		switch kind {
		case jsonscan.Number:
			if flats < i {
				return d.invalid(fmt.Sprintf("vertices[%d]", i), s.Offset(), "found a number in a list of points")
			}
			f, err := s.Float()
			if err != nil {
				return d.fail(fmt.Sprintf("vertices[%d]", i), err)
			}
			flat[i%3] = f
			flats++
			if flats%3 != 0 {
				continue
			}
			p = flat
		case jsonscan.Array:
			err = d.triple(i, &p)
		default:
			err = d.xyz(i, &p)
		}
		if err != nil {
			return err
		}
		if d.mirror {
			p[2] = 0 - p[2]
		}
		d.b.Vertex(geom.Vec3{X: p[0], Y: p[1], Z: p[2]})
	}
	if flats%3 != 0 {
		return d.invalid("vertices", d.verticesAt, "%d numbers, want a multiple of 3", flats)
	}
	return nil
}

// triple reads [x, y, z].
func (d *decoder) triple(i int, p *[3]float64) error {
	s := d.s
	start := s.Offset()
	path := func() string { return fmt.Sprintf("vertices[%d]", i) }
	if err := s.Open('['); err != nil {
		return d.fail(path(), err)
	}
	n := 0
	for ; ; n++ {
		more, err := s.More(']', n == 0)
		if err != nil {
			return d.fail(path(), err)
		}
		if !more {
			break
		}
		if n == len(p) {
			return d.invalid(path(), start, "more than 3 coordinates")
		}
		if p[n], err = s.Float(); err != nil {
			return d.fail(fmt.Sprintf("%s[%d]", path(), n), err)
		}
	}
	if n < len(p) {
		return d.invalid(path(), start, "%d coordinates, want 3", n)
	}
	return nil
}

// xyz reads {"x": x, "y": y, "z": z}; other members are passed over.
func (d *decoder) xyz(i int, p *[3]float64) error {
	s := d.s
	start := s.Offset()
	path := func() string { return fmt.Sprintf("vertices[%d]", i) }
	if err := s.Open('{'); err != nil {
		return d.fail(path(), err)
	}
	var seen [3]bool
	for first := true; ; first = false {
		more, err := s.More('}', first)
		if err != nil {
			return d.fail(path(), err)
		}
		if !more {
			break
		}
		key, err := s.Key()
		if err != nil {
			return d.fail(path(), err)
		}
		k := -1
		switch key {
		case "x":
			k = 0
		case "y":
			k = 1
		case "z":
			k = 2
		}
		if k < 0 {
			err = s.Skip()
		} else {
			seen[k] = true
			p[k], err = s.Float()
		}
		if err != nil {
			return d.fail(path()+"."+key, err)
		}
	}
	for k, name := range [3]string{"x", "y", "z"} {
		if !seen[k] {
			return d.invalid(path(), start, "no member %s", name)
		}
	}
	return nil
}

func (d *decoder) readIndices() error {
	s := d.s
	if err := s.Open('['); err != nil {
		return d.fail("indices", err)
	}
	for i := 0; ; i++ {
		more, err := s.More(']', i == 0)
		if err != nil {
			return d.fail("indices", err)
		}
		if !more {
			break
		}
		v, err := s.Uint(math.MaxUint32)
		if err != nil {
			return d.fail(fmt.Sprintf("indices[%d]", i), err)
		}
		d.indices = append(d.indices, v)
	}
	if len(d.indices)%3 != 0 {
		return d.invalid("indices", d.indicesAt, "%d indices, want a multiple of 3", len(d.indices))
	}
	return nil
}

func (d *decoder) readAreas() error {
	s := d.s
	if s.Kind() == jsonscan.Null { // serializers write this for no areas
		return d.fail("areas", s.Skip())
	}
	if err := s.Open('['); err != nil {
		return d.fail("areas", err)
	}
	d.areas = []uint8{}
	for i := 0; ; i++ {
		more, err := s.More(']', i == 0)
		if err != nil {
			return d.fail("areas", err)
		}
		if !more {
			return nil
		}
		v, err := s.Uint(uint32(scene.MaxArea))
		if err != nil {
			return d.fail(fmt.Sprintf("areas[%d]", i), err)
		}
		d.areas = append(d.areas, uint8(v))
	}
}

// build checks the members against each other and makes the triangles.
func (d *decoder) build() error {
	b := d.b
	b.Where = func(i uint32) string { return fmt.Sprintf("indices[%d]", 3*i) }
	n := len(d.indices) / 3
	if d.areas != nil && len(d.areas) != n {
		return d.invalid("areas", d.areasAt, "%d areas for %d triangles", len(d.areas), n)
	}
	if err := b.Reserve(n); err != nil {
		return err
	}
	b.Grow(n)
	part := uint32(0)
	if n > 0 {
		part = b.Part("", "")
	}
	have := b.NumVerts()
	for i := range n {
		tri := scene.Tri{V: [3]uint32(d.indices[3*i:]), Part: part}
		for k, v := range tri.V {
			if int64(v) >= int64(have) {
				return d.badIndex(3*i+k, v)
			}
		}
		if d.areas != nil {
			tri.Area = scene.AreaID(d.areas[i])
			tri.Unwalkable = d.areas[i] == notWalkable
		}
		if b.FacesDown(b.At(tri.V[0]), b.At(tri.V[1]), b.At(tri.V[2])) {
			tri.V[1], tri.V[2] = tri.V[2], tri.V[1]
		}
		b.Triangle(tri, uint32(i))
	}
	return nil
}

// badIndex finds the place of an index again, which is not kept.
func (d *decoder) badIndex(i int, v uint32) error {
	path := fmt.Sprintf("indices[%d]", i)
	return d.invalid(path, d.s.Find(path), "index %d, but there are %d vertices", v, d.b.NumVerts())
}
