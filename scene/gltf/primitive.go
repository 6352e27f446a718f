package gltf

import (
	"fmt"

	"wend/geom"
)

// Modes of primitives.
const (
	points = iota
	lines
	lineLoop
	lineStrip
	triangles
	triangleStrip
	triangleFan
)

// shape is a primitive made of triangles, ready to be placed.
type shape struct {
	path     string
	verts    []geom.Vec3 // those that a triangle uses
	tris     [][3]uint32 // indices into verts
	material string
	ground   ground // of the material
}

// model is a mesh ready to be placed.
type model struct {
	shapes        []shape
	tris          int
	points, lines int
	name          string
	ground        ground // of the mesh
}

// loader makes models of meshes.
type loader struct {
	*buffers
	models map[int]*model

	// Scratch: which vertices of a primitive are in use, and as which.
	stamp []uint32
	to    []uint32
	epoch uint32
}

// model returns mesh i. from is the member that names it.
func (l *loader) model(i int, from string) (*model, error) {
	if i < 0 || i >= len(l.doc.Meshes) {
		return nil, l.invalid(from, "mesh %d, but there are %d", i, len(l.doc.Meshes))
	}
	if m := l.models[i]; m != nil {
		return m, nil
	}
	src := &l.doc.Meshes[i]
	m := &model{name: src.Name}
	p := fmt.Sprintf("meshes[%d]", i)
	var err error
	if m.ground, err = l.extras(src.Extras, p); err != nil {
		return nil, err
	}
	for k := range src.Primitives {
		if err := l.primitive(m, &src.Primitives[k], fmt.Sprintf("%s.primitives[%d]", p, k)); err != nil {
			return nil, err
		}
	}
	l.models[i] = m
	return m, nil
}

// primitive adds a primitive to m.
func (l *loader) primitive(m *model, src *primitive, p string) error {
	mode := triangles
	if src.Mode != nil {
		mode = *src.Mode
	}
	if mode < points || mode > triangleFan {
		return l.invalid(p+".mode", "mode is %d, want 0 to 6", mode)
	}
	if src.Attributes.Position == nil {
		l.warn(p + " has no positions and was ignored")
		return nil
	}
	pos, idx, err := l.arrays(src, p)
	if err != nil {
		return err
	}
	n := pos.count
	if idx != nil {
		n = idx.count
	}
	var tris int
	switch mode {
	case points:
		m.points += n
		return nil
	case lines:
		m.lines += n / 2
		return nil
	case lineLoop, lineStrip:
		m.lines += n - 1
		return nil
	case triangles:
		if n%3 != 0 {
			return l.invalid(p, "%d corners of triangles, want a multiple of 3", n)
		}
		tris = n / 3
	default:
		tris = max(0, n-2)
	}
	if tris == 0 {
		return nil
	}
	m.tris += tris
	if err := l.builder.Reserve(m.tris); err != nil {
		return err
	}
	s := shape{path: p, tris: make([][3]uint32, tris)}
	if src.Material != nil {
		k := *src.Material
		if k < 0 || k >= len(l.doc.Materials) {
			return l.invalid(p+".material", "material %d, but there are %d", k, len(l.doc.Materials))
		}
		s.material = l.doc.Materials[k].Name
		if s.ground, err = l.extras(l.doc.Materials[k].Extras, fmt.Sprintf("materials[%d]", k)); err != nil {
			return err
		}
	}
	if err := l.fill(&s, mode, pos, idx); err != nil {
		return err
	}
	m.shapes = append(m.shapes, s)
	return nil
}

// arrays opens the positions and indices of a primitive; idx is nil when it
// has no indices.
func (l *loader) arrays(src *primitive, p string) (pos, idx *array, err error) {
	if src.Extensions != nil && src.Extensions.Draco != nil {
		k := *src.Attributes.Position
		if k >= 0 && k < len(l.doc.Accessors) && l.doc.Accessors[k].BufferView == nil {
			err := newExtensionError("KHR_draco_mesh_compression")
			return nil, nil, l.fail(p+".extensions", err, "%s", err.Error())
		}
	}
	if pos, err = l.array(*src.Attributes.Position, "VEC3", p+".attributes.POSITION"); err != nil {
		return nil, nil, err
	}
	if pos.kind == u32 {
		return nil, nil, l.invalid(pos.path+".componentType", "positions of 32-bit integers, want floats or shorter integers")
	}
	if src.Indices == nil {
		return pos, nil, nil
	}
	if idx, err = l.array(*src.Indices, "SCALAR", p+".indices"); err != nil {
		return nil, nil, err
	}
	switch idx.kind {
	case u8, u16, u32:
	default:
		return nil, nil, l.invalid(idx.path+".componentType", "indices have componentType %d, want 5121, 5123 or 5125", idx.kind)
	}
	return pos, idx, nil
}

// fill reads the triangles of a primitive and the vertices they use.
func (l *loader) fill(s *shape, mode int, pos, idx *array) error {
	if len(l.stamp) < pos.count {
		l.stamp, l.to, l.epoch = make([]uint32, pos.count), make([]uint32, pos.count), 0
	}
	if l.epoch++; l.epoch == 0 { // wrapped
		clear(l.stamp)
		l.epoch = 1
	}
	for t := range s.tris {
		var corner [3]int
		switch mode {
		case triangles:
			corner = [3]int{3 * t, 3*t + 1, 3*t + 2}
		case triangleStrip:
			// Every other triangle of a strip is wound the other way.
			corner = [3]int{t, t + 1 + t%2, t + 2 - t%2}
		case triangleFan:
			corner = [3]int{0, t + 1, t + 2}
		}
		for k, c := range corner {
			v := uint32(c)
			if idx != nil {
				v = idx.index(c)
				if int64(v) >= int64(pos.count) {
					file, offset := idx.place(c)
					return &Error{
						File: file, JSONPath: s.path + ".indices", Offset: offset, Err: ErrInvalid,
						Msg: fmt.Sprintf("index %d is %d, but there are %d vertices", c, v, pos.count),
					}
				}
			}
			if l.stamp[v] != l.epoch {
				p := pos.vec3(int(v))
				if !p.IsFinite() {
					file, offset := pos.place(int(v))
					return &Error{
						File: file, JSONPath: s.path + ".attributes.POSITION", Offset: offset, Err: ErrInvalid,
						Msg: fmt.Sprintf("vertex %d is (%g, %g, %g), want finite coordinates", v, p.X, p.Y, p.Z),
					}
				}
				l.stamp[v], l.to[v] = l.epoch, uint32(len(s.verts))
				s.verts = append(s.verts, p)
			}
			s.tris[t][k] = l.to[v]
		}
	}
	return nil
}
