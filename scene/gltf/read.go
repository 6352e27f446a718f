package gltf

import (
	"fmt"
	"io/fs"
	"sort"

	"wend/geom"
	"wend/scene"
)

// Read reads the level called name from fsys, with the buffer files it names
// beside or below it. A nil o means the defaults; glTF is Y-up and in metres
// by its rules. Triangles come in the order of the nodes.
//
// Errors: *Error with the place in the file, which wraps ErrInvalid,
// ErrUnsupported (as an *ExtensionError for extensions) or what fsys
// returned; *scene.EmptyError, *scene.RangeError, *scene.LimitError and
// *scene.OptionError. The time is linear in the files and in the triangles;
// the memory is a small multiple of their size, whatever numbers they claim,
// and of Options.MaxTriangles where a mesh is repeated.
func Read(fsys fs.FS, name string, o *scene.Options) (*scene.Scene, *scene.Report, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, nil, &Error{File: name, Offset: -1, Msg: fmt.Sprintf("the file cannot be read: %v", err), Err: err}
	}
	f, err := open(data, name)
	if err != nil {
		return nil, nil, err
	}
	if f.builder, err = scene.NewBuilder(name, f.format, o); err != nil {
		return nil, nil, err
	}
	if f.excess > 0 {
		f.warn(fmt.Sprintf("%d bytes behind the end of the GLB were ignored", f.excess))
	}
	l := &loader{
		buffers: &buffers{file: f, fsys: fsys, sources: make(map[int]*source), views: make(map[int]*view)},
		models:  make(map[int]*model),
	}
	a := &assembler{loader: l}
	f.builder.Where = a.where
	roots, err := f.roots()
	if err != nil {
		return nil, nil, err
	}
	if err := f.walk(roots, a.place); err != nil {
		return nil, nil, err
	}
	if a.skinned > 0 {
		f.warn(fmt.Sprintf("%d skinned meshes were ignored; they are not part of the ground", a.skinned))
	}
	return f.builder.Finish()
}

// assembler places models in the scene.
type assembler struct {
	*loader
	skinned int
	next    uint32 // number of the next triangle
	runs    []run
}

// run says where the triangles from number first on come from.
type run struct {
	first    uint32
	node     int
	instance int // -1: the node itself
	path     string
}

// where names a triangle for errors and the report.
func (a *assembler) where(src uint32) string {
	k := sort.Search(len(a.runs), func(k int) bool { return a.runs[k].first > src }) - 1
	r := &a.runs[k]
	text := fmt.Sprintf("%s triangle %d in nodes[%d]", r.path, src-r.first, r.node)
	if name := a.doc.Nodes[r.node].Name; name != "" {
		text += " (" + clip(name) + ")"
	}
	if r.instance >= 0 {
		text += fmt.Sprintf(" instance %d", r.instance)
	}
	return text
}

// place adds what a node shows.
func (a *assembler) place(at placed) error {
	n := &a.doc.Nodes[at.node]
	if n.Mesh == nil {
		return nil
	}
	if n.Skin != nil {
		a.skinned++
		return nil
	}
	p := fmt.Sprintf("nodes[%d]", at.node)
	m, err := a.model(*n.Mesh, p+".mesh")
	if err != nil {
		return err
	}
	a.builder.Ignore(m.points, m.lines)
	if len(m.shapes) == 0 {
		return nil
	}
	own, err := a.extras(n.Extras, p)
	if err != nil {
		return err
	}
	g := own.over(m.ground)
	name := n.Name
	if name == "" {
		name = m.name
	}
	if n.Extensions == nil || n.Extensions.Instancing == nil {
		return a.add(m, at, -1, name, g)
	}
	return a.instances(n.Extensions.Instancing, p+".extensions.EXT_mesh_gpu_instancing", func(i int, local *affine) error {
		return a.add(m, placed{at.node, at.world.after(local), at.mirrored != local.mirrors()}, i, name, g)
	})
}

// instances calls add for each transform of an instanced node.
func (a *assembler) instances(src *instancing, p string, add func(i int, local *affine) error) error {
	open := func(i *int, typ, attr string) (*array, error) {
		if i == nil {
			return nil, nil
		}
		return a.array(*i, typ, p+".attributes."+attr)
	}
	t, err := open(src.Attributes.Translation, "VEC3", "TRANSLATION")
	if err != nil {
		return err
	}
	r, err := open(src.Attributes.Rotation, "VEC4", "ROTATION")
	if err != nil {
		return err
	}
	s, err := open(src.Attributes.Scale, "VEC3", "SCALE")
	if err != nil {
		return err
	}
	count := -1
	for _, arr := range []*array{t, r, s} {
		if arr == nil {
			continue
		}
		if count >= 0 && arr.count != count {
			return a.invalid(p, "attributes for %d and for %d instances", count, arr.count)
		}
		count = arr.count
	}
	if count < 0 {
		return a.invalid(p, "no TRANSLATION, ROTATION or SCALE")
	}
	for i := range count {
		move, turn, scale := geom.Vec3{}, [4]float64{3: 1}, geom.Vec3{X: 1, Y: 1, Z: 1}
		if t != nil {
			move = t.vec3(i)
		}
		if r != nil {
			turn = r.vec4(i)
		}
		if s != nil {
			scale = s.vec3(i)
		}
		m, ok := compose(move, turn, scale)
		if !ok || !move.IsFinite() || !scale.IsFinite() {
			return a.invalid(p, "instance %d has no finite transform", i)
		}
		if err := add(i, &m); err != nil {
			return err
		}
	}
	return nil
}

// add places a model once.
func (a *assembler) add(m *model, at placed, instance int, name string, g ground) error {
	b := a.builder
	if err := b.Reserve(m.tris); err != nil {
		return err
	}
	b.Grow(m.tris)
	for i := range m.shapes {
		s := &m.shapes[i]
		a.runs = append(a.runs, run{a.next, at.node, instance, s.path})
		base := uint32(b.NumVerts())
		for _, v := range s.verts {
			p := at.world.point(v)
			if !p.IsFinite() {
				return a.invalid(fmt.Sprintf("nodes[%d]", at.node), "the transforms of the node and its ancestors move %s out of all bounds", s.path)
			}
			b.Vertex(p)
		}
		tri := scene.Tri{Part: b.Part(name, s.material)}
		g.over(s.ground).apply(&tri)
		for _, t := range s.tris {
			tri.V = [3]uint32{base + t[0], base + t[1], base + t[2]}
			if at.mirrored {
				tri.V[1], tri.V[2] = tri.V[2], tri.V[1]
			}
			b.Triangle(tri, a.next)
			a.next++
		}
	}
	return nil
}
