package navmesh

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"

	"wend/geom"
)

// fingerprint hashes what decides the answers of a mesh: everything in the
// tiles, in their order, but the stored bounding volume trees.
func fingerprint(p *Params, tiles []Tile) string {
	h := hasher{h: sha256.New()}
	h.vecs(p.Origin)
	h.f32(p.TileWidth, p.TileDepth)
	h.u32(uint32(p.MaxTiles), uint32(p.MaxPolys), uint32(len(tiles)))
	for i := range tiles {
		h.tile(&tiles[i])
	}
	h.flush()
	return hex.EncodeToString(h.h.Sum(nil)[:16])
}

type hasher struct {
	h   hash.Hash
	buf []byte
}

func (h *hasher) flush() {
	h.h.Write(h.buf)
	h.buf = h.buf[:0]
}

func (h *hasher) u32(vs ...uint32) {
	if len(h.buf) > 1<<12 {
		h.flush()
	}
	for _, v := range vs {
		h.buf = binary.LittleEndian.AppendUint32(h.buf, v)
	}
}

func (h *hasher) f32(vs ...float32) {
	for _, v := range vs {
		h.u32(math.Float32bits(v + 0)) // -0 is 0
	}
}

func (h *hasher) vecs(vs ...geom.Vec3f) {
	for _, v := range vs {
		h.f32(v.X, v.Y, v.Z)
	}
}

func (h *hasher) tile(t *Tile) {
	h.u32(uint32(t.X), uint32(t.Z), uint32(t.Layer), t.UserID)
	h.f32(t.AgentHeight, t.AgentRadius, t.AgentClimb)
	h.vecs(t.Bounds[:]...)
	h.u32(uint32(len(t.Verts)), uint32(len(t.Polys)), uint32(len(t.DetailSubs)),
		uint32(len(t.DetailVerts)), uint32(len(t.DetailTris)), uint32(len(t.OffMesh)))
	h.vecs(t.Verts...)
	for i := range t.Polys {
		p := &t.Polys[i]
		h.u32(uint32(p.Flags), uint32(p.Count)|uint32(p.Area)<<8|uint32(p.Kind)<<16)
		for k := range int(p.Count) {
			nei := p.Neis[k]
			if p.Kind != KindGround {
				nei = 0
			}
			h.u32(uint32(p.Verts[k]) | uint32(nei)<<16)
		}
	}
	for i := range t.DetailSubs {
		s := &t.DetailSubs[i]
		h.u32(s.VertBase, s.TriBase, uint32(s.VertCount)|uint32(s.TriCount)<<8)
	}
	h.vecs(t.DetailVerts...)
	for i := range t.DetailTris {
		d := &t.DetailTris[i]
		h.u32(uint32(d.V[0]) | uint32(d.V[1])<<8 | uint32(d.V[2])<<16 | uint32(d.Flags)<<24)
	}
	for i := range t.OffMesh {
		o := &t.OffMesh[i]
		h.vecs(o.From, o.To)
		h.f32(o.Radius, o.Cost)
		both := uint32(0)
		if o.BothWays {
			both = 1
		}
		h.u32(uint32(o.Poly)|both<<16, o.UserID)
	}
}
