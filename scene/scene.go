// Package scene holds level geometry on its way into a bake: triangles with
// areas, named parts, and what an author adds to them (off-mesh links, area
// volumes, no-go polygons, colliders).
//
// It is not a renderer's scene graph: readers (scene/obj, scene/gltf,
// scene/unity) resolve transforms, units and axes, so that everything here is
// in world metres, Y up, right-handed, and triangles that face up are
// counter-clockwise seen from above.
//
// Start with Scene and Report. A Scene that is no longer being built is safe
// for concurrent reading.
package scene

import "wend/geom"

// AreaID names a kind of ground (grass, water, road). 0 is ordinary ground.
// Ids are 0 to MaxArea.
type AreaID uint8

// MaxArea is the largest area id a navmesh can store.
const MaxArea AreaID = 62

// Scene is the geometry of one level.
type Scene struct {
	Verts []geom.Vec3 // metres
	Tris  []Tri
	Parts []Part // at least one when there are triangles

	Links   []Link
	Volumes []Volume
	NoGo    []NoGo
}

// Tri is one triangle.
type Tri struct {
	V    [3]uint32 // indices into Scene.Verts
	Part uint32    // index into Scene.Parts
	Area AreaID    // 0 unless the source or a rule marks it otherwise
	// Unwalkable marks ground that no slope makes walkable (an area the
	// source calls "not walkable"). It still blocks and gives headroom.
	Unwalkable bool
}

// Part is a named piece of the level: one object or group in one material.
type Part struct {
	Name     string // object, group or node name; "" when the source has none
	Material string // material name; "" when the source has none
	Collider bool   // blocks sight and drops; see NoSurface
	// NoSurface keeps the part out of the walkable surface and out of the
	// voxel field altogether (a collider that is not part of the ground).
	NoSurface bool
}

// Link is an off-mesh link: a declared passage between two places.
type Link struct {
	Name     string
	From, To geom.Vec3
	Radius   float64 // how far each end may be from the mesh, metres, > 0
	OneWay   bool    // passable only from From to To
	Area     AreaID
	Cost     float64 // metres of walking that the passage is worth; 0: its length
	UserID   uint32
}

// Volume marks the area of the ground inside a vertical prism.
type Volume struct {
	Name       string
	Ring       []geom.Vec2 // simple polygon in XZ, at least 3 points, either order
	MinY, MaxY float64
	Area       AreaID
	Unwalkable bool // cut the ground away instead of marking it
}

// NoGo is an author's no-go polygon: a prism that routes never enter.
type NoGo struct {
	Name       string
	Ring       []geom.Vec2 // simple polygon in XZ, at least 3 points, either order
	MinY, MaxY float64
}

// Bounds returns the box of all vertices that a triangle uses.
func (s *Scene) Bounds() geom.Box {
	b := geom.EmptyBox()
	for _, t := range s.Tris {
		for _, v := range t.V {
			b = b.Extend(s.Verts[v])
		}
	}
	return b
}
