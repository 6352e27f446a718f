package occluder

import (
	"wend/geom"
	"wend/pack/ocls"
)

// Margins of the boxes in which a hit must lie: a fixed part, and a part of the
// box's own size, because the border tolerance of the height test is a part of
// the triangle. Both are far above rounding and far below anything a body
// notices.
const (
	worldPad  = 1e-6 // metres
	meshPad   = 1e-3 // template units
	sizeShare = 1e-8
)

// A Scene answers queries about colliders. It is immutable.
type Scene struct {
	src   *ocls.Scene
	tmpl  []template
	verts []geom.Vec3  // of all templates, in their units
	tris  [][3]uint32  // of all templates, leaf after leaf; indices of verts
	mesh  tree         // trees of all templates; items are triangle numbers inside the template
	inst  []instance   // one for each of the file, empty templates included
	world tree         // over the instances that have triangles
	block []blockBox   // one for each of the file
	land  tree         // over the terrain blocks
	n     terrainShape // the same for all blocks
}

type template struct {
	root     uint32 // of its tree in Scene.mesh
	tris     uint32 // 0: no tree
	firstTri uint32 // position of its triangles in tris and mesh.items
	box      geom.Box
}

type instance struct {
	place    ocls.Affine
	inv      [3][3]float64 // of place.A, where solid
	box      geom.Box      // world, with margin
	template uint32
	solid    bool // place has an inverse: lines are moved into the template
	flipped  bool // the placement mirrors
}

type blockBox struct {
	x0, z0 float64
	box    geom.Box // with margin
}

type terrainShape struct {
	samples int
	cell    float64
}

// New builds the trees of s, in O(n log n) for n triangles, instances and
// blocks. The result is the same on every platform. It keeps a reference to s,
// which must not change any more. Errors are those of [ocls.Scene.Validate].
func New(s *ocls.Scene) (*Scene, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return build(s, maxLeaf, maxBigLeaf), nil
}

// build makes trees with other leaf sizes, which change no answer.
func build(src *ocls.Scene, leaf, bigLeaf int) *Scene {
	s := &Scene{src: src}
	s.buildTemplates(leaf, bigLeaf)
	s.buildInstances(leaf)
	s.buildTerrain(leaf)
	return s
}

// Source returns the scene that s was built from.
func (s *Scene) Source() *ocls.Scene { return s.src }

// Triangle returns a triangle of an instance where it stands, in the order of
// the file: clockwise seen from outside unless the placement mirrors. up tells
// whether its outside is above. The numbers are those of a [Hit]; others
// panic.
func (s *Scene) Triangle(instance, triangle uint32) (corners [3]geom.Vec3, up bool) {
	in := &s.inst[instance]
	t := &s.src.Templates[in.template]
	for i, v := range t.Tris[triangle] {
		corners[i] = in.place.Apply(t.Vertex(v))
	}
	return corners, facesUp(&corners[0], &corners[1], &corners[2], in.flipped)
}

// Bounds returns the box of all placed meshes and terrain, without margins; it
// is empty where the scene is.
func (s *Scene) Bounds() geom.Box {
	all := geom.EmptyBox()
	for i := range s.inst {
		in := &s.inst[i]
		if s.tmpl[in.template].tris > 0 {
			all = all.Union(in.place.Box(s.tmpl[in.template].box))
		}
	}
	for i := range s.block {
		all = all.Union(s.rawBlockBox(i))
	}
	return all
}

// widen returns b with margins on every side. Widening keeps order: of two
// boxes one inside the other, the widened inner one is inside the other.
func widen(b geom.Box, pad float64) geom.Box {
	d := b.Size()
	m := geom.V3(pad+float64(sizeShare*d.X), pad+float64(sizeShare*d.Y), pad+float64(sizeShare*d.Z))
	return geom.Box{Min: b.Min.Sub(m), Max: b.Max.Add(m)}
}

func triBox(a, b, c geom.Vec3) geom.Box {
	return geom.Box{
		Min: geom.V3(min(a.X, b.X, c.X), min(a.Y, b.Y, c.Y), min(a.Z, b.Z, c.Z)),
		Max: geom.V3(max(a.X, b.X, c.X), max(a.Y, b.Y, c.Y), max(a.Z, b.Z, c.Z)),
	}
}

func (s *Scene) buildTemplates(leaf, bigLeaf int) {
	verts, tris := 0, 0
	for i := range s.src.Templates {
		verts += len(s.src.Templates[i].Verts)
		tris += len(s.src.Templates[i].Tris)
	}
	s.tmpl = make([]template, len(s.src.Templates))
	s.verts = make([]geom.Vec3, 0, verts)
	s.tris = make([][3]uint32, 0, tris)
	s.mesh.items = make([]uint32, 0, tris)
	var b builder
	var boxes []geom.Box
	for i := range s.src.Templates {
		t := &s.src.Templates[i]
		base := uint32(len(s.verts))
		for k := range t.Verts {
			s.verts = append(s.verts, t.Vertex(uint32(k)))
		}
		if len(t.Tris) == 0 {
			continue
		}
		boxes = boxes[:0]
		for _, tri := range t.Tris {
			boxes = append(boxes, everywhere(widen(triBox(s.verts[base+tri[0]], s.verts[base+tri[1]], s.verts[base+tri[2]]), meshPad)))
		}
		most := leaf
		if len(t.Tris) <= bigLeaf {
			most = bigLeaf
		}
		first := uint32(len(s.tris))
		s.tmpl[i] = template{root: b.build(&s.mesh, boxes, most), tris: uint32(len(t.Tris)), firstTri: first, box: t.Box()}
		for _, k := range s.mesh.items[first:] {
			tri := t.Tris[k]
			s.tris = append(s.tris, [3]uint32{base + tri[0], base + tri[1], base + tri[2]})
		}
	}
	s.mesh.nodes = append([]node(nil), s.mesh.nodes...)
}

func (s *Scene) buildInstances(leaf int) {
	s.inst = make([]instance, len(s.src.Instances))
	var boxes []geom.Box
	var used []uint32
	for i := range s.src.Instances {
		in := &s.inst[i]
		in.template = s.src.Instances[i].Template
		in.place = s.src.Place(i)
		in.inv, in.solid = in.place.Inverse()
		in.flipped = in.place.Det() < 0
		if s.tmpl[in.template].tris == 0 {
			continue
		}
		in.box = everywhere(widen(in.place.Box(s.tmpl[in.template].box), worldPad))
		boxes = append(boxes, in.box)
		used = append(used, uint32(i))
	}
	if len(used) == 0 {
		return
	}
	var b builder
	b.build(&s.world, boxes, leaf)
	for i, k := range s.world.items {
		s.world.items[i] = used[k]
	}
}

func (s *Scene) buildTerrain(leaf int) {
	if len(s.src.Blocks) == 0 {
		return
	}
	s.n = terrainShape{int(s.src.Samples), s.src.Cell}
	s.block = make([]blockBox, len(s.src.Blocks))
	boxes := make([]geom.Box, len(s.block))
	for i := range s.block {
		p := s.src.BlockPoint(i, 0, 0)
		s.block[i] = blockBox{x0: p.X, z0: p.Z}
		s.block[i].box = everywhere(widen(s.rawBlockBox(i), worldPad))
		boxes[i] = s.block[i].box
	}
	var b builder
	b.build(&s.land, boxes, leaf)
}

func (s *Scene) rawBlockBox(i int) geom.Box {
	h := s.src.Blocks[i].Heights
	lo, hi := h[0], h[0]
	for _, k := range h {
		lo, hi = min(lo, k), max(hi, k)
	}
	y0, y1 := s.src.Height(lo), s.src.Height(hi)
	a, b := s.src.BlockPoint(i, 0, 0), s.src.BlockPoint(i, s.n.samples-1, s.n.samples-1)
	return geom.Box{
		Min: geom.V3(a.X, min(y0, y1), a.Z),
		Max: geom.V3(b.X, max(y0, y1), b.Z),
	}
}
