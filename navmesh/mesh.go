package navmesh

import (
	"iter"

	"wend/geom"
)

// PolyID is the index of a polygon in a Mesh. It stays valid for the life of
// the Mesh and means nothing in another one.
type PolyID uint32

// NoPoly is no polygon.
const NoPoly = ^PolyID(0)

// Mesh is an assembled navmesh. It is immutable and safe for concurrent use.
type Mesh struct {
	params Params
	tiles  []Tile     // as given to New, sorted by (Z, X, Layer)
	info   []tileInfo // parallel to tiles

	// One entry a polygon, tile after tile.
	polys []poly
	// Links of polygon p: links[polys[p].link:polys[p+1].link]; polys has one
	// closing entry.
	links []link
	// Corners of polygon p: corners[polys[p].corner:][:polys[p].count]. An
	// off-mesh polygon has two: where it starts and ends, on the surface when
	// it is attached.
	corners []geom.Vec3f

	offs    []offLink // in the order of their polygons
	islands islands
	survey  survey
	storeys int
	index   index
	bounds  geom.Box
	print   string
}

// tileInfo says where a tile's parts lie in the flat arrays.
type tileInfo struct {
	poly    uint32 // first polygon
	offPoly uint32 // first off-mesh polygon
	off     uint32 // its entry in offs
	box     geom.Box
}

// poly is the part of a polygon that every query reads.
type poly struct {
	corner, link uint32
	tile         uint32
	island       uint32 // polygons that reach each other
	storey       uint32
	flags        uint16
	count        uint8
	area         uint8
	kind         uint8
}

// link is a way from one polygon into the next: the portal as one sees it
// when walking through. For an off-mesh end both points are the same.
type link struct {
	to          PolyID
	edge        uint8 // edge of the polygon it leaves by; offMeshEdge for an off-mesh end
	right, left geom.Vec3f
}

const offMeshEdge = 0xff

// offLink is what an off-mesh polygon has beyond a poly. An unattached one has
// NoPoly at both ends and no link leads in or out.
type offLink struct {
	poly     PolyID
	from, to PolyID  // ground polygons at its ends
	cost     float64 // metres of walking it is worth, at area cost 1
	tile     uint32
	con      uint32 // index in the tile's OffMesh
	bothWays bool
}

// offOf returns the off-mesh connection of p, a polygon of KindOffMesh.
func (m *Mesh) offOf(p PolyID) *offLink {
	t := &m.info[m.polys[p].tile]
	return &m.offs[t.off+uint32(p)-t.offPoly]
}

// linksOf returns the links that leave p, by edge and along the edge from
// right to left, off-mesh links last.
func (m *Mesh) linksOf(p PolyID) []link {
	return m.links[m.polys[p].link:m.polys[p+1].link]
}

// cornersOf returns the corners of p, counter-clockwise.
func (m *Mesh) cornersOf(p PolyID) []geom.Vec3f {
	q := &m.polys[p]
	return m.corners[q.corner:][:q.count]
}

// Len returns the number of polygons, off-mesh ones included. Their ids are 0
// to Len()-1.
func (m *Mesh) Len() int { return len(m.polys) - 1 }

// TileLen returns the number of tiles.
func (m *Mesh) TileLen() int { return len(m.tiles) }

// Tiles returns the tiles in the order of the polygons: by Z, X and Layer. A
// polygon that was given clockwise has been turned. The caller must not change
// what they hold.
func (m *Mesh) Tiles() []Tile { return m.tiles[:len(m.tiles):len(m.tiles)] }

// Params returns the placement of the tiles.
func (m *Mesh) Params() Params { return m.params }

// Bounds returns the box of all ground polygons and their height detail,
// geom.EmptyBox for a mesh without ground.
func (m *Mesh) Bounds() geom.Box { return m.bounds }

// Fingerprint returns 32 hexadecimal digits that tell meshes apart: a hash of
// everything the tiles hold but their bounding volume trees. The order in which
// New was given the tiles does not show.
func (m *Mesh) Fingerprint() string { return m.print }

// Valid reports whether p is a polygon of m.
func (m *Mesh) Valid(p PolyID) bool { return int64(p) < int64(m.Len()) }

// Poly returns a view of polygon p. It panics when p is not Valid.
func (m *Mesh) Poly(p PolyID) Poly {
	if !m.Valid(p) {
		panic("navmesh: no such polygon")
	}
	return Poly{m, p}
}

// Poly is a view of one polygon.
type Poly struct {
	m  *Mesh
	id PolyID
}

// ID returns the polygon's id.
func (p Poly) ID() PolyID { return p.id }

// Tile returns the polygon's tile, an index in Mesh.Tiles, and its index in
// Tile.Polys.
func (p Poly) Tile() (tile, index int) {
	t := p.m.polys[p.id].tile
	return int(t), int(uint32(p.id) - p.m.info[t].poly)
}

// Len returns the number of corners: 3 to MaxPolyVerts, 2 for KindOffMesh.
func (p Poly) Len() int { return int(p.m.polys[p.id].count) }

// Corner returns corner i, counter-clockwise seen from above. The corners of
// an off-mesh polygon are its start and its end.
func (p Poly) Corner(i int) geom.Vec3 { return p.m.cornersOf(p.id)[i].Wide() }

// Center returns the mean of the corners.
func (p Poly) Center() geom.Vec3 {
	var c geom.Vec3
	vs := p.m.cornersOf(p.id)
	for _, v := range vs {
		c = c.Add(v.Wide())
	}
	return c.Scale(1 / float64(len(vs)))
}

// Area returns the area id, 0 to 63.
func (p Poly) Area() uint8 { return p.m.polys[p.id].area }

// Flags returns the flags that filters test.
func (p Poly) Flags() uint16 { return p.m.polys[p.id].flags }

// Kind returns KindGround or KindOffMesh.
func (p Poly) Kind() uint8 { return p.m.polys[p.id].kind }

// Island returns the polygon's island; see Mesh.IslandCount.
func (p Poly) Island() uint32 { return p.m.polys[p.id].island }

// Storey returns the polygon's storey; see Mesh.Storey.
func (p Poly) Storey() uint32 { return p.m.polys[p.id].storey }

// PlanArea returns the polygon's area seen from above in square metres, 0 for
// KindOffMesh.
func (p Poly) PlanArea() float64 { return p.m.planArea(p.id) }

func (m *Mesh) planArea(p PolyID) float64 {
	vs := m.cornersOf(p)
	sum := 0.0
	for i := 2; i < len(vs); i++ {
		sum += geom.Area2(vs[0].Wide(), vs[i-1].Wide(), vs[i].Wide())
	}
	return max(sum/2, 0)
}

// Neighbour is a way out of a polygon.
type Neighbour struct {
	Poly PolyID
	// Edge the way leads through, from corner Edge to the next; -1 for the
	// end of an off-mesh connection.
	Edge int
	// The portal as seen by one who walks through; the same point twice for
	// the end of an off-mesh connection.
	Right, Left geom.Vec3
}

// Neighbours yields the ways out of the polygon: by edge, along an edge from
// right to left, off-mesh ends last.
func (p Poly) Neighbours() iter.Seq[Neighbour] {
	return func(yield func(Neighbour) bool) {
		ls := p.m.linksOf(p.id)
		for i := range ls {
			l := &ls[i]
			n := Neighbour{Poly: l.to, Edge: int(l.edge), Right: l.right.Wide(), Left: l.left.Wide()}
			if l.edge == offMeshEdge {
				n.Edge = -1
			}
			if !yield(n) {
				return
			}
		}
	}
}

// OffMeshEnds describes the connection of an off-mesh polygon: the stored
// connection, the ground polygons at its start and end (NoPoly for an
// unattached one) and its cost in metres. ok is false for ground.
func (p Poly) OffMeshEnds() (con OffMesh, from, to PolyID, cost float64, ok bool) {
	if p.Kind() != KindOffMesh {
		return OffMesh{}, NoPoly, NoPoly, 0, false
	}
	o := p.m.offOf(p.id)
	return p.m.tiles[o.tile].OffMesh[o.con], o.from, o.to, o.cost, true
}
