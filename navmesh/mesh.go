package navmesh

import "wend/geom"

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
	// Corners of polygon p: corners[polys[p].corner:][:polys[p].count].
	corners []geom.Vec3f
}

// tileInfo says where a tile's parts lie in the flat arrays.
type tileInfo struct {
	poly uint32 // first polygon
	box  geom.Box
}

// poly is the part of a polygon that every query reads.
type poly struct {
	corner, link uint32
	tile         uint32
	island       uint32 // polygons that reach each other over links used both ways
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
