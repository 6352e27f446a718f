package detour

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"wend/geom"
	"wend/navmesh"
)

// Bits of a 32-bit polygon reference: what is left for tile and polygon once
// Detour has its 10 bits of salt, and the most RecastDemo gives to tiles.
const (
	refBits      = 22
	mostTileBits = 14
)

// Write writes a tile-set file. The tiles are numbered in the order given; the
// same input gives the same bytes.
//
// Where p leaves MaxTiles and MaxPolys 0 they are chosen as RecastDemo does: one
// tile takes what it needs; several share 22 bits between the tiles of their grid
// (at most 2^14) and the polygons of a tile. A tile without height detail gets the
// triangles of its polygons.
//
// The error is a *navmesh.TileError for a tile that is not valid, wraps ErrLimit
// for a mesh too large for the format's references, or is that of w.
func Write(w io.Writer, p navmesh.Params, tiles []navmesh.Tile) error {
	for i := range tiles {
		if err := tiles[i].Validate(); err != nil {
			var te *navmesh.TileError
			if errors.As(err, &te) {
				te.Tile = i
			}
			return err
		}
	}
	polyBits, tileBits, err := refLayout(&p, tiles)
	if err != nil {
		return err
	}
	e := encoder{}
	e.u32(setMagic, setVersion, uint32(len(tiles)))
	e.vec(p.Origin)
	e.f32(p.TileWidth, p.TileDepth)
	e.u32(uint32(p.MaxTiles), uint32(p.MaxPolys))
	for i := range tiles {
		// Salt 1, the first life of a tile.
		e.u32(1<<(tileBits+polyBits) | uint32(i)<<polyBits)
		if err := e.tile(i, &tiles[i]); err != nil {
			return err
		}
		if err := e.flush(w); err != nil {
			return err
		}
	}
	return e.flush(w)
}

// refLayout fills in the limits of p and returns the bits that number the
// polygons of a tile and the tiles.
func refLayout(p *navmesh.Params, tiles []navmesh.Tile) (polyBits, tileBits int, err error) {
	most := 0
	for i := range tiles {
		most = max(most, len(tiles[i].Polys))
	}
	if p.MaxTiles == 0 && p.MaxPolys == 0 {
		switch len(tiles) {
		case 0, 1:
			p.MaxTiles, p.MaxPolys = 1, int32(max(most, 1))
		default:
			tb := min(bitsFor(max(gridSize(tiles), int64(len(tiles)))), mostTileBits)
			p.MaxTiles, p.MaxPolys = 1<<tb, 1<<(refBits-tb)
		}
	}
	if int64(len(tiles)) > int64(p.MaxTiles) || int64(most) > int64(p.MaxPolys) {
		return 0, 0, fmt.Errorf("detour: %w: %d tiles of up to %d polygons, references hold %d tiles of %d",
			ErrLimit, len(tiles), most, p.MaxTiles, p.MaxPolys)
	}
	polyBits, tileBits = bitsFor(int64(p.MaxPolys)), bitsFor(int64(p.MaxTiles))
	if polyBits+tileBits > refBits {
		return 0, 0, fmt.Errorf("detour: %w: room for %d tiles of %d polygons takes %d bits, a reference has %d",
			ErrLimit, p.MaxTiles, p.MaxPolys, polyBits+tileBits, refBits)
	}
	return polyBits, tileBits, nil
}

// bitsFor returns the least b with 2^b >= n.
func bitsFor(n int64) (b int) {
	for b < 62 && int64(1)<<b < n {
		b++
	}
	return b
}

// gridSize returns the number of cells of the grid that holds all tiles.
func gridSize(tiles []navmesh.Tile) int64 {
	x0, x1 := int64(math.MaxInt32), int64(math.MinInt32)
	z0, z1 := x0, x1
	for i := range tiles {
		x0, x1 = min(x0, int64(tiles[i].X)), max(x1, int64(tiles[i].X))
		z0, z1 = min(z0, int64(tiles[i].Z)), max(z1, int64(tiles[i].Z))
	}
	w, h := x1-x0+1, z1-z0+1
	if w > math.MaxInt32/h {
		return math.MaxInt32
	}
	return w * h
}

// encoder collects the bytes of a tile.
type encoder struct{ buf []byte }

func (e *encoder) flush(w io.Writer) error {
	if len(e.buf) == 0 {
		return nil
	}
	_, err := w.Write(e.buf)
	e.buf = e.buf[:0]
	if err != nil {
		return fmt.Errorf("detour: write: %w", err)
	}
	return nil
}

func (e *encoder) u8(vs ...uint8) { e.buf = append(e.buf, vs...) }

func (e *encoder) u16(vs ...uint16) {
	for _, v := range vs {
		e.buf = binary.LittleEndian.AppendUint16(e.buf, v)
	}
}

func (e *encoder) u32(vs ...uint32) {
	for _, v := range vs {
		e.buf = binary.LittleEndian.AppendUint32(e.buf, v)
	}
}

func (e *encoder) f32(vs ...float32) {
	for _, v := range vs {
		e.u32(math.Float32bits(v))
	}
}

func (e *encoder) vec(vs ...geom.Vec3f) {
	for _, v := range vs {
		e.f32(v.X, v.Y, v.Z)
	}
}

func (e *encoder) zero(n int64) { e.buf = append(e.buf, make([]byte, n)...) }

// tile appends size and data of a valid tile.
func (e *encoder) tile(i int, t *navmesh.Tile) error {
	subs, tris := t.DetailSubs, t.DetailTris
	if len(subs) == 0 {
		subs, tris = fans(t)
	}
	n := counts{
		polys: int64(len(t.Polys)), verts: int64(len(t.Verts)), links: maxLinks(t),
		subs: int64(len(subs)), detailVerts: int64(len(t.DetailVerts)), detailTris: int64(len(tris)),
		bv: int64(len(t.BV)), offMesh: int64(len(t.OffMesh)),
	}
	if n.size() > math.MaxInt32 {
		return fmt.Errorf("detour: tile %d: %w: %d bytes, at most %d", i, ErrLimit, n.size(), math.MaxInt32)
	}
	e.u32(uint32(n.size()), tileMagic, tileVersion)
	e.u32(uint32(t.X), uint32(t.Z), uint32(t.Layer), t.UserID)
	e.u32(uint32(n.polys), uint32(n.verts), uint32(n.links), uint32(n.subs), uint32(n.detailVerts),
		uint32(n.detailTris), uint32(n.bv), uint32(n.offMesh), uint32(n.polys-n.offMesh))
	e.f32(t.AgentHeight, t.AgentRadius, t.AgentClimb)
	e.vec(t.Bounds[:]...)
	e.f32(t.BVQuant)

	e.vec(t.Verts...)
	polys := len(e.buf)
	for i := range t.Polys {
		p := &t.Polys[i]
		e.u32(0) // first link
		e.u16(p.Verts[:]...)
		e.u16(p.Neis[:]...)
		e.u16(p.Flags)
		e.u8(p.Count, p.Area|p.Kind<<6)
	}
	e.zero(n.links * linkSize)
	for i := range subs {
		s := &subs[i]
		e.u32(s.VertBase, s.TriBase)
		e.u8(s.VertCount, s.TriCount, 0, 0)
	}
	e.vec(t.DetailVerts...)
	for i := range tris {
		e.u8(tris[i].V[:]...)
		e.u8(tris[i].Flags)
	}
	for i := range t.BV {
		b := &t.BV[i]
		e.u16(b.Min[:]...)
		e.u16(b.Max[:]...)
		e.u32(uint32(b.Index))
	}
	for i := range t.OffMesh {
		e.offMesh(t, &t.OffMesh[i], polys)
	}
	return nil
}

// offMesh appends a connection and puts its cost into its polygon, which was
// appended from polys on.
func (e *encoder) offMesh(t *navmesh.Tile, o *navmesh.OffMesh, polys int) {
	flags := uint8(0)
	if o.BothWays {
		flags = bothWays
	}
	e.vec(o.From, o.To)
	e.f32(o.Radius)
	e.u16(o.Poly)
	// The side follows from the ends; a wrong one would lose the connection.
	e.u8(flags, t.SideOf(o.To))
	e.u32(o.UserID)
	if o.Cost > 0 {
		neis := e.buf[polys+int(o.Poly)*polySize+4+2*navmesh.MaxPolyVerts:]
		bits := math.Float32bits(o.Cost)
		binary.LittleEndian.PutUint16(neis[2*costLow:], uint16(bits))
		binary.LittleEndian.PutUint16(neis[2*costHigh:], uint16(bits>>16))
	}
}

// fans returns the detail that Detour gives a mesh without: each polygon cut
// into triangles from its first corner, edges on the outline marked.
func fans(t *navmesh.Tile) (subs []navmesh.DetailSub, tris []navmesh.DetailTri) {
	for i := range t.Polys {
		p := &t.Polys[i]
		if p.Kind != navmesh.KindGround {
			break
		}
		subs = append(subs, navmesh.DetailSub{TriBase: uint32(len(tris)), TriCount: p.Count - 2})
		for k := uint8(2); k < p.Count; k++ {
			flags := uint8(1 << 2)
			if k == 2 {
				flags |= 1
			}
			if k == p.Count-1 {
				flags |= 1 << 4
			}
			tris = append(tris, navmesh.DetailTri{V: [3]uint8{0, k - 1, k}, Flags: flags})
		}
	}
	return subs, tris
}
