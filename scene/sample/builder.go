package sample

import (
	"wend/geom"
	"wend/internal/detmath"
	"wend/scene"
)

// builder adds solids to a scene. Faces look outwards; solids stand in each
// other where that is simpler, which no voxel bake minds.
type builder struct {
	s     *scene.Scene
	index map[geom.Vec3]uint32
	part  uint32
	area  scene.AreaID
}

func newBuilder() *builder {
	return &builder{s: &scene.Scene{}, index: map[geom.Vec3]uint32{}}
}

// in sets the part that the next faces belong to, and makes it when it is new.
func (b *builder) in(name, material string, area scene.AreaID) {
	b.area = area
	for i, p := range b.s.Parts {
		if p.Name == name && p.Material == material {
			b.part = uint32(i)
			return
		}
	}
	b.part = uint32(len(b.s.Parts))
	b.s.Parts = append(b.s.Parts, scene.Part{Name: name, Material: material})
}

func (b *builder) vert(p geom.Vec3) uint32 {
	i, ok := b.index[p]
	if !ok {
		i = uint32(len(b.s.Verts))
		b.index[p] = i
		b.s.Verts = append(b.s.Verts, p)
	}
	return i
}

func (b *builder) tri(p, q, r geom.Vec3) {
	t := scene.Tri{V: [3]uint32{b.vert(p), b.vert(q), b.vert(r)}, Part: b.part, Area: b.area}
	if t.V[0] == t.V[1] || t.V[1] == t.V[2] || t.V[2] == t.V[0] {
		return // a wall of height zero where a slope begins
	}
	b.s.Tris = append(b.s.Tris, t)
}

// quad adds a face with corners counter-clockwise as seen from outside.
func (b *builder) quad(p, q, r, s geom.Vec3) {
	b.tri(p, q, r)
	b.tri(p, r, s)
}

// floor adds a level rectangle that faces up.
func (b *builder) floor(x0, z0, x1, z1, y float64) {
	b.quad(geom.V3(x0, y, z0), geom.V3(x0, y, z1), geom.V3(x1, y, z1), geom.V3(x1, y, z0))
}

// ceiling adds a level rectangle that faces down.
func (b *builder) ceiling(x0, z0, x1, z1, y float64) {
	b.quad(geom.V3(x0, y, z0), geom.V3(x1, y, z0), geom.V3(x1, y, z1), geom.V3(x0, y, z1))
}

// box adds a closed box.
func (b *builder) box(x0, y0, z0, x1, y1, z1 float64) {
	b.hexahedron([8]geom.Vec3{
		{X: x0, Y: y0, Z: z0},
		{X: x0, Y: y0, Z: z1},
		{X: x1, Y: y0, Z: z1},
		{X: x1, Y: y0, Z: z0},
		{X: x0, Y: y1, Z: z0},
		{X: x0, Y: y1, Z: z1},
		{X: x1, Y: y1, Z: z1},
		{X: x1, Y: y1, Z: z0},
	})
}

// hexahedron adds a closed solid with the corners of its bottom, then those of
// its top, each counter-clockwise seen from above.
func (b *builder) hexahedron(c [8]geom.Vec3) {
	b.quad(c[3], c[2], c[1], c[0])
	b.quad(c[4], c[5], c[6], c[7])
	for i := range 4 {
		j := (i + 1) % 4
		b.quad(c[i], c[j], c[j+4], c[i+4])
	}
}

// slope adds a closed solid on the ground y = 0 over a rectangle whose top
// runs from height ya at z = za to yb at z = zb, za != zb. A height of 0 makes
// a wedge.
func (b *builder) slope(x0, x1, za, ya, zb, yb float64) {
	if za > zb {
		za, ya, zb, yb = zb, yb, za, ya
	}
	b.hexahedron([8]geom.Vec3{
		{X: x0, Z: za},
		{X: x0, Z: zb},
		{X: x1, Z: zb},
		{X: x1, Z: za},
		{X: x0, Y: ya, Z: za},
		{X: x0, Y: yb, Z: zb},
		{X: x1, Y: yb, Z: zb},
		{X: x1, Y: ya, Z: za},
	})
}

// rail adds a wall of the given height along such a slope.
func (b *builder) rail(x0, x1, za, ya, zb, yb, height float64) {
	if za > zb {
		za, ya, zb, yb = zb, yb, za, ya
	}
	b.hexahedron([8]geom.Vec3{
		{X: x0, Y: ya, Z: za},
		{X: x0, Y: yb, Z: zb},
		{X: x1, Y: yb, Z: zb},
		{X: x1, Y: ya, Z: za},
		{X: x0, Y: ya + height, Z: za},
		{X: x0, Y: yb + height, Z: zb},
		{X: x1, Y: yb + height, Z: zb},
		{X: x1, Y: ya + height, Z: za},
	})
}

// stairs adds n solid steps on the ground y = 0 that rise by rise each from
// z = za to z = zb; the first step lies at za.
func (b *builder) stairs(x0, x1, za, zb float64, n int, rise float64) {
	run := (zb - za) / float64(n)
	for i := range n {
		z0 := za + float64(run*float64(i))
		z1 := za + float64(run*float64(i+1))
		b.box(x0, 0, min(z0, z1), x1, float64(rise*float64(i+1)), max(z0, z1))
	}
}

// prism adds a closed vertical prism over a ring that is counter-clockwise
// seen from above and convex.
func (b *builder) prism(ring []geom.Vec2, y0, y1 float64) {
	n := len(ring)
	at := func(i int, y float64) geom.Vec3 {
		p := ring[i%n]
		return geom.V3(p.X, y, p.Y)
	}
	for i := range n {
		b.quad(at(i, y0), at(i+1, y0), at(i+1, y1), at(i, y1))
		if i >= 2 {
			b.tri(at(0, y1), at(i-1, y1), at(i, y1))
			b.tri(at(0, y0), at(i, y0), at(i-1, y0))
		}
	}
}

// opening is a hole in a wall: where along it and how high.
type opening struct{ from, to, bottom, top float64 }

// wall adds a wall between two corners as boxes around its openings, which
// are in order along its longer side.
func (b *builder) wall(x0, z0, x1, z1, y0, y1 float64, holes ...opening) {
	alongX := x1-x0 > z1-z0
	part := func(from, to, ya, yb float64) {
		switch {
		case to <= from || yb <= ya:
		case alongX:
			b.box(from, ya, z0, to, yb, z1)
		default:
			b.box(x0, ya, from, x1, yb, to)
		}
	}
	at, end := z0, z1
	if alongX {
		at, end = x0, x1
	}
	for _, h := range holes {
		part(at, h.from, y0, y1)
		part(h.from, h.to, y0, h.bottom)
		part(h.from, h.to, h.top, y1)
		at = h.to
	}
	part(at, end, y0, y1)
}

// house adds a closed block with a roof too steep to walk on, its ridge along the longer
// side: walls up to height y, then slopes that rise by 6 in 5 (50 degrees).
func (b *builder) house(name string, x0, z0, x1, z1, y float64) {
	const pitch = 1.2
	p := func(x, y, z float64) geom.Vec3 { return geom.V3(x, y, z) }
	b.in(name, "plaster", Ground)
	b.ceiling(x0, z0, x1, z1, 0)
	b.quad(p(x0, 0, z0), p(x0, 0, z1), p(x0, y, z1), p(x0, y, z0))
	b.quad(p(x0, 0, z1), p(x1, 0, z1), p(x1, y, z1), p(x0, y, z1))
	b.quad(p(x1, 0, z1), p(x1, 0, z0), p(x1, y, z0), p(x1, y, z1))
	b.quad(p(x1, 0, z0), p(x0, 0, z0), p(x0, y, z0), p(x1, y, z0))
	b.in(name, "roof", Ground)
	if x1-x0 >= z1-z0 {
		zm := float64((z0 + z1) / 2)
		top := y + float64(pitch*(z1-zm))
		b.quad(p(x0, y, z0), p(x0, top, zm), p(x1, top, zm), p(x1, y, z0))
		b.quad(p(x0, top, zm), p(x0, y, z1), p(x1, y, z1), p(x1, top, zm))
		b.tri(p(x0, y, z0), p(x0, y, z1), p(x0, top, zm))
		b.tri(p(x1, y, z1), p(x1, y, z0), p(x1, top, zm))
		return
	}
	xm := float64((x0 + x1) / 2)
	top := y + float64(pitch*(x1-xm))
	b.quad(p(x0, y, z0), p(x0, y, z1), p(xm, top, z1), p(xm, top, z0))
	b.quad(p(xm, top, z0), p(xm, top, z1), p(x1, y, z1), p(x1, y, z0))
	b.tri(p(x0, y, z1), p(x1, y, z1), p(xm, top, z1))
	b.tri(p(x1, y, z0), p(x0, y, z0), p(xm, top, z0))
}

// ellipse returns the n points of an ellipse around (x, z), counter-clockwise
// seen from above; n is a multiple of 4.
func ellipse(x, z, rx, rz float64, n int) []geom.Vec2 {
	ring := make([]geom.Vec2, 0, n)
	quarter := n / 4
	for q := range 4 {
		for i := range quarter {
			deg := 90 * float64(i) / float64(quarter)
			c, s := detmath.CosDeg(deg), detmath.SinDeg(deg)
			for range q {
				c, s = -s, c
			}
			// Seen from above with Z down the page, turning from +X to
			// -Z is counter-clockwise.
			ring = append(ring, geom.Vec2{X: x + float64(rx*c), Y: z - float64(rz*s)})
		}
	}
	return ring
}
