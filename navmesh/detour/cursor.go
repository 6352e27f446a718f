package detour

import (
	"encoding/binary"
	"fmt"
	"math"

	"wend/geom"
	"wend/navmesh"
)

// cursor takes numbers off the front of a buffer that is known to be long
// enough.
type cursor struct{ buf []byte }

func (c *cursor) u8() uint8 {
	v := c.buf[0]
	c.buf = c.buf[1:]
	return v
}

func (c *cursor) u16() uint16 {
	v := binary.LittleEndian.Uint16(c.buf)
	c.buf = c.buf[2:]
	return v
}

func (c *cursor) u32() uint32 {
	v := binary.LittleEndian.Uint32(c.buf)
	c.buf = c.buf[4:]
	return v
}

func (c *cursor) i32() int32   { return int32(c.u32()) }
func (c *cursor) f32() float32 { return math.Float32frombits(c.u32()) }
func (c *cursor) skip(n int64) { c.buf = c.buf[n:] }

func (c *cursor) vec() geom.Vec3f { return geom.Vec3f{X: c.f32(), Y: c.f32(), Z: c.f32()} }

func (c *cursor) vecs(n int64) []geom.Vec3f {
	if n == 0 {
		return nil
	}
	vs := make([]geom.Vec3f, n)
	for i := range vs {
		vs[i] = c.vec()
	}
	return vs
}

// header takes the part of a tile's header behind the version.
func (c *cursor) header(t *navmesh.Tile) (n counts, err error) {
	t.X, t.Z, t.Layer = c.i32(), c.i32(), c.i32()
	t.UserID = c.u32()
	for _, f := range []*int64{&n.polys, &n.verts, &n.links, &n.subs, &n.detailVerts, &n.detailTris, &n.bv, &n.offMesh} {
		*f = int64(c.i32())
		if *f < 0 {
			err = fmt.Errorf("%w: a negative count (%d)", ErrCorrupt, *f)
		}
	}
	base := int64(c.i32())
	if err == nil && base != n.polys-n.offMesh {
		err = fmt.Errorf("%w: %d polygons with %d off-mesh ones from number %d on", ErrCorrupt, n.polys, n.offMesh, base)
	}
	t.AgentHeight, t.AgentRadius, t.AgentClimb = c.f32(), c.f32(), c.f32()
	t.Bounds[0], t.Bounds[1] = c.vec(), c.vec()
	t.BVQuant = c.f32()
	return n, err
}

// arrays takes what follows the header; buf has exactly the size that n makes.
func (c *cursor) arrays(t *navmesh.Tile, n *counts) error {
	t.Verts = c.vecs(n.verts)
	if n.polys > 0 {
		t.Polys = make([]navmesh.TilePoly, n.polys)
	}
	for i := range t.Polys {
		c.poly(&t.Polys[i])
	}
	c.skip(n.links * linkSize)
	if n.subs > 0 {
		t.DetailSubs = make([]navmesh.DetailSub, n.subs)
	}
	for i := range t.DetailSubs {
		t.DetailSubs[i] = navmesh.DetailSub{VertBase: c.u32(), TriBase: c.u32(), VertCount: c.u8(), TriCount: c.u8()}
		c.skip(2)
	}
	t.DetailVerts = c.vecs(n.detailVerts)
	if n.detailTris > 0 {
		t.DetailTris = make([]navmesh.DetailTri, n.detailTris)
	}
	for i := range t.DetailTris {
		t.DetailTris[i] = navmesh.DetailTri{V: [3]uint8{c.u8(), c.u8(), c.u8()}, Flags: c.u8()}
	}
	if n.bv > 0 {
		t.BV = make([]navmesh.BVNode, n.bv)
	}
	for i := range t.BV {
		b := &t.BV[i]
		b.Min = [3]uint16{c.u16(), c.u16(), c.u16()}
		b.Max = [3]uint16{c.u16(), c.u16(), c.u16()}
		b.Index = c.i32()
	}
	return c.offMesh(t, n)
}

func (c *cursor) poly(p *navmesh.TilePoly) {
	c.skip(4) // first link
	for k := range p.Verts {
		p.Verts[k] = c.u16()
	}
	for k := range p.Neis {
		p.Neis[k] = c.u16()
	}
	p.Flags = c.u16()
	p.Count = c.u8()
	b := c.u8()
	p.Area, p.Kind = b&0x3f, b>>6
}

func (c *cursor) offMesh(t *navmesh.Tile, n *counts) error {
	if n.offMesh > 0 {
		t.OffMesh = make([]navmesh.OffMesh, n.offMesh)
	}
	for i := range t.OffMesh {
		o := &t.OffMesh[i]
		o.From, o.To = c.vec(), c.vec()
		o.Radius = c.f32()
		o.Poly = c.u16()
		o.BothWays = c.u8()&bothWays != 0
		o.Side = c.u8()
		o.UserID = c.u32()
		if int64(o.Poly) >= n.polys {
			return fmt.Errorf("%w: connection %d belongs to polygon %d of %d", ErrCorrupt, i, o.Poly, n.polys)
		}
		p := &t.Polys[o.Poly]
		cost := math.Float32frombits(uint32(p.Neis[costLow]) | uint32(p.Neis[costHigh])<<16)
		// Another writer may have left anything there.
		if cost > 0 && !math.IsInf(float64(cost), 0) && p.Kind == navmesh.KindOffMesh {
			o.Cost = cost
			p.Neis[costLow], p.Neis[costHigh] = 0, 0
		}
	}
	return nil
}
