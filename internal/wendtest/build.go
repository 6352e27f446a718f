package wendtest

import (
	"wend/geom"
	"wend/scene"
)

// Builder makes small levels for tests. Its faces are counter-clockwise seen
// from outside.
type Builder struct {
	Scene *scene.Scene
	part  uint32
}

// NewBuilder returns a Builder on an empty scene with one nameless part.
func NewBuilder() *Builder {
	return &Builder{Scene: &scene.Scene{Parts: []scene.Part{{}}}}
}

// Part starts a part: what follows belongs to it.
func (b *Builder) Part(name, material string) *Builder {
	b.Scene.Parts = append(b.Scene.Parts, scene.Part{Name: name, Material: material})
	b.part = uint32(len(b.Scene.Parts) - 1)
	return b
}

// Poly adds a convex polygon, fanned from its first corner.
func (b *Builder) Poly(corners ...geom.Vec3) *Builder {
	s := b.Scene
	base := uint32(len(s.Verts))
	s.Verts = append(s.Verts, corners...)
	for i := 2; i < len(corners); i++ {
		s.Tris = append(s.Tris, scene.Tri{V: [3]uint32{base, base + uint32(i) - 1, base + uint32(i)}, Part: b.part})
	}
	return b
}

// Floor adds a level rectangle that faces up.
func (b *Builder) Floor(x0, z0, x1, z1, y float64) *Builder {
	return b.Poly(geom.V3(x0, y, z0), geom.V3(x0, y, z1), geom.V3(x1, y, z1), geom.V3(x1, y, z0))
}

// Ramp adds a rectangle that rises in X from y0 to y1 and faces up.
func (b *Builder) Ramp(x0, z0, x1, z1, y0, y1 float64) *Builder {
	return b.Poly(geom.V3(x0, y0, z0), geom.V3(x0, y0, z1), geom.V3(x1, y1, z1), geom.V3(x1, y1, z0))
}

// Box adds a closed box.
func (b *Builder) Box(lo, hi geom.Vec3) *Builder {
	corner := func(i int) geom.Vec3 {
		p := lo
		if i&1 != 0 {
			p.X = hi.X
		}
		if i&2 != 0 {
			p.Y = hi.Y
		}
		if i&4 != 0 {
			p.Z = hi.Z
		}
		return p
	}
	for _, q := range [6][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		b.Poly(corner(q[0]), corner(q[1]), corner(q[2]), corner(q[3]))
	}
	return b
}

// Walls adds boxes of the given thickness and height along the inside of a
// rectangle.
func (b *Builder) Walls(x0, z0, x1, z1, y, thick, height float64) *Builder {
	top := y + height
	b.Box(geom.V3(x0, y, z0), geom.V3(x1, top, z0+thick))
	b.Box(geom.V3(x0, y, z1-thick), geom.V3(x1, top, z1))
	b.Box(geom.V3(x0, y, z0+thick), geom.V3(x0+thick, top, z1-thick))
	return b.Box(geom.V3(x1-thick, y, z0+thick), geom.V3(x1, top, z1-thick))
}
