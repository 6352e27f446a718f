package detour

import "wend/navmesh"

// Numbers of the format.
const (
	setMagic    = 0x4d534554 // "MSET"
	setVersion  = 1
	tileMagic   = 0x444e4156 // "DNAV"
	tileVersion = 7

	cacheMagic = 0x54534554 // "TSET": RecastDemo's tile cache
)

// Sizes in bytes.
const (
	setHeaderSize  = 40
	tileEntrySize  = 8
	tileHeaderSize = 100

	vertSize      = 12
	polySize      = 32
	linkSize      = 12
	detailSubSize = 12
	detailTriSize = 4
	bvNodeSize    = 16
	offMeshSize   = 36
)

// bothWays is the flag of an off-mesh connection used in both directions.
const bothWays = 1

// counts are the lengths of a tile's arrays.
type counts struct {
	polys, verts, links, subs, detailVerts, detailTris, bv, offMesh int64
}

// size returns the size of a tile's data in bytes. All parts are multiples of
// four, so nothing is padded.
func (c *counts) size() int64 {
	return tileHeaderSize + c.verts*vertSize + c.polys*polySize + c.links*linkSize +
		c.subs*detailSubSize + c.detailVerts*vertSize + c.detailTris*detailTriSize +
		c.bv*bvNodeSize + c.offMesh*offMeshSize
}

// Where the cost of an off-mesh connection is kept: low and high half of a
// float32.
const (
	costLow  = 2
	costHigh = 3
)

// maxLinks is the number of links that Detour reserves room for: one an edge,
// two more a border edge, two for each end of an off-mesh connection inside the
// tile.
func maxLinks(t *navmesh.Tile) int64 {
	var n int64
	for i := range t.Polys {
		p := &t.Polys[i]
		if p.Kind != navmesh.KindGround {
			continue
		}
		for _, nei := range p.Neis[:p.Count] {
			n++
			if nei&navmesh.External != 0 && nei&0xf != 0xf {
				n += 2
			}
		}
	}
	for i := range t.OffMesh {
		o := &t.OffMesh[i]
		if t.SideOf(o.From) == navmesh.InsideTile {
			n += 2
		}
		if t.SideOf(o.To) == navmesh.InsideTile {
			n += 2
		}
	}
	return n
}
