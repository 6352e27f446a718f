package navmesh

import "wend/geom"

// Params place the tiles of a mesh: tile (x, z) covers
// Origin + [x*TileWidth, (x+1)*TileWidth) in X and likewise with TileDepth in
// Z. Metres.
type Params struct {
	Origin               geom.Vec3f
	TileWidth, TileDepth float32
	MaxTiles, MaxPolys   int32 // limits a Detour reader reserves room for
}

// MaxPolyVerts is the largest number of corners of a stored polygon.
const MaxPolyVerts = 6

// Neighbour codes of TilePoly.Neis, as Detour stores them: 0 a wall, n > 0
// polygon n-1 of the same tile, External|side the tile across a side.
const External uint16 = 0x8000

// Kinds of TilePoly.
const (
	KindGround  uint8 = 0
	KindOffMesh uint8 = 1
)

// Tile is one tile as it is stored: everything a Detour tile holds, in
// geometry that is already in world metres. A Mesh is assembled from tiles
// and never changes them.
type Tile struct {
	X, Z, Layer int32
	UserID      uint32
	// The body the tile was made for, metres.
	AgentHeight, AgentRadius, AgentClimb float32
	Bounds                               [2]geom.Vec3f
	BVQuant                              float32 // voxels a metre of BV; 1/cell

	Verts []geom.Vec3f // polygon corners; two for each off-mesh connection at the end
	Polys []TilePoly   // ground polygons, then one for each off-mesh connection

	// Detail: one sub-mesh for each ground polygon. Corner indices below the
	// polygon's corner count are the polygon's own, the rest are
	// DetailVerts[VertBase+i-corners].
	DetailSubs  []DetailSub
	DetailVerts []geom.Vec3f
	DetailTris  []DetailTri

	BV      []BVNode
	OffMesh []OffMesh
}

// TilePoly is one stored polygon.
type TilePoly struct {
	Verts [MaxPolyVerts]uint16
	Neis  [MaxPolyVerts]uint16
	Flags uint16 // tested by filters; a polygon without any is closed to all
	Count uint8  // corners in use
	Area  uint8  // 0 to 63
	Kind  uint8
}

// DetailSub is the detail mesh of one polygon.
type DetailSub struct {
	VertBase, TriBase   uint32
	VertCount, TriCount uint8
}

// DetailTri is a detail triangle; two bits of Flags for each edge, 1 for an
// edge on the polygon's outline.
type DetailTri struct {
	V     [3]uint8
	Flags uint8
}

// BVNode is a node of the tile's bounding volume tree in depth-first order.
// Bounds are voxels of BVQuant above Bounds[0]. Index >= 0 is a polygon; < 0
// says how many nodes to skip when the box is missed.
type BVNode struct {
	Min, Max [3]uint16
	Index    int32
}

// OffMesh is a stored off-mesh connection.
type OffMesh struct {
	From, To geom.Vec3f
	Radius   float32
	Poly     uint16 // its polygon in the tile
	BothWays bool
	Side     uint8 // side of the tile the far end lies on, as SideOf says
	UserID   uint32
	Cost     float32 // metres; 0: the distance between its ends
}

// InsideTile is the side of a point inside a tile.
const InsideTile uint8 = 0xff

// SideOf returns on which side of the tile's bounds p lies seen from above, in
// Detour's numbers: 0 towards +X, then by eighths of a turn towards +Z (2), -X (4)
// and -Z (6); InsideTile inside.
func (t *Tile) SideOf(p geom.Vec3f) uint8 {
	lo, hi := t.Bounds[0], t.Bounds[1]
	col, row := 1, 1
	switch {
	case p.X >= hi.X:
		col = 2
	case p.X < lo.X:
		col = 0
	}
	switch {
	case p.Z >= hi.Z:
		row = 2
	case p.Z < lo.Z:
		row = 0
	}
	return [3][3]uint8{{5, 6, 7}, {4, InsideTile, 0}, {3, 2, 1}}[row][col]
}
