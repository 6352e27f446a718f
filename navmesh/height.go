package navmesh

import (
	"math"

	"wend/geom"
)

// heightEps is twice the area, in square metres, under which a detail
// triangle has no inside.
const heightEps = 1e-6

// contains reports whether pos is inside p or on its outline, seen from above.
func (m *Mesh) contains(p PolyID, pos geom.Vec3) bool {
	q := &m.polys[p]
	vs := m.corners[q.corner:][:q.count]
	a := vs[len(vs)-1]
	ax, az := float64(a.X), float64(a.Z)
	for i := range vs {
		bx, bz := float64(vs[i].X), float64(vs[i].Z)
		if float64((bz-az)*(pos.X-ax))-float64((bx-ax)*(pos.Z-az)) < 0 {
			return false
		}
		ax, az = bx, bz
	}
	return true
}

// detailOf is the height detail of one polygon.
type detailOf struct {
	corners []geom.Vec3f
	verts   []geom.Vec3f
	tris    []DetailTri
}

func (m *Mesh) detailOf(p PolyID) detailOf {
	q := &m.polys[p]
	t := &m.tiles[q.tile]
	d := detailOf{corners: m.corners[q.corner:][:q.count]}
	if i := int(uint32(p) - m.info[q.tile].poly); i < len(t.DetailSubs) {
		s := &t.DetailSubs[i]
		d.verts = t.DetailVerts[s.VertBase:][:s.VertCount]
		d.tris = t.DetailTris[s.TriBase:][:s.TriCount]
	}
	return d
}

func (d *detailOf) at(v uint8) geom.Vec3 {
	if int(v) < len(d.corners) {
		return d.corners[v].Wide()
	}
	return d.verts[int(v)-len(d.corners)].Wide()
}

// height returns the height of p at a place it contains: on the detail
// triangle there, or at the nearest detail edge where rounding leaves a gap.
func (m *Mesh) height(p PolyID, pos geom.Vec3) float64 {
	d := m.detailOf(p)
	if len(d.tris) == 0 {
		return fanHeight(d.corners, pos)
	}
	for i := range d.tris {
		v := &d.tris[i].V
		if y, ok := triangleHeight(d.at(v[0]), d.at(v[1]), d.at(v[2]), pos); ok {
			return y
		}
	}
	c, _ := d.onEdges(pos, false)
	return c.Y
}

// fanHeight is the height of a polygon without detail: that of its fan.
func fanHeight(vs []geom.Vec3f, pos geom.Vec3) float64 {
	a := vs[0].Wide()
	for i := 2; i < len(vs); i++ {
		if y, ok := triangleHeight(a, vs[i-1].Wide(), vs[i].Wide(), pos); ok {
			return y
		}
	}
	return onOutline(vs, pos).Y
}

// triangleHeight returns the height of triangle abc at pos, and false outside.
func triangleHeight(a, b, c, pos geom.Vec3) (float64, bool) {
	px, pz := pos.X-a.X, pos.Z-a.Z
	ux, uz := c.X-a.X, c.Z-a.Z
	vx, vz := b.X-a.X, b.Z-a.Z
	den := float64(ux*vz) - float64(uz*vx)
	if math.Abs(den) < heightEps {
		return 0, false
	}
	u := float64(vz*px) - float64(vx*pz)
	v := float64(ux*pz) - float64(uz*px)
	if den < 0 {
		den, u, v = -den, -u, -v
	}
	if u < 0 || v < 0 || u+v > den {
		return 0, false
	}
	return a.Y + (float64((c.Y-a.Y)*u)+float64((b.Y-a.Y)*v))/den, true
}

// detailEdges maps edge i of a detail triangle to its ends.
var detailEdges = [3][2]uint8{{0, 1}, {1, 2}, {2, 0}}

// onEdges returns the point on the detail edges that is nearest to pos seen
// from above; outer takes only edges on the polygon's outline. ok is false when
// there is none.
func (d *detailOf) onEdges(pos geom.Vec3, outer bool) (c geom.Vec3, ok bool) {
	best := math.Inf(1)
	for i := range d.tris {
		tri := &d.tris[i]
		if outer && tri.Flags&0b010101 == 0 {
			continue
		}
		for e, ends := range detailEdges {
			if outer && tri.Flags>>(2*e)&1 == 0 {
				continue
			}
			a, b := d.at(tri.V[ends[0]]), d.at(tri.V[ends[1]])
			t, dist := geom.ClosestOnSegXZ(pos, a, b)
			if dist < best {
				best, c = dist, geom.Lerp(a, b, t)
			}
		}
	}
	return c, best < math.Inf(1)
}

// onOutline returns the point on the polygon's outline that is nearest to pos
// seen from above.
func onOutline(vs []geom.Vec3f, pos geom.Vec3) (c geom.Vec3) {
	best := math.Inf(1)
	a := vs[len(vs)-1].Wide()
	for i := range vs {
		b := vs[i].Wide()
		t, dist := geom.ClosestOnSegXZ(pos, a, b)
		if dist < best {
			best, c = dist, geom.Lerp(a, b, t)
		}
		a = b
	}
	return c
}

// closest returns the point of ground polygon p nearest to pos seen from above
// and whether p lies straight over or under pos. The point of a polygon that
// does not is on its outline, at the height the detail has there.
func (m *Mesh) closest(p PolyID, pos geom.Vec3) (c geom.Vec3, over bool) {
	if m.contains(p, pos) {
		return geom.Vec3{X: pos.X, Y: m.height(p, pos), Z: pos.Z}, true
	}
	d := m.detailOf(p)
	if c, ok := d.onEdges(pos, true); ok {
		return c, false
	}
	return onOutline(d.corners, pos), false
}

// ClosestPoint returns the point of polygon p that is nearest to pos seen from
// above, on the surface, and whether it lies straight over or under pos. On an
// off-mesh polygon it is the nearest point of the segment between its ends. ok is
// false when p is not Valid or pos is out of range (see ErrBadPoint). The
// method is due to Detour (Mononen).
func (m *Mesh) ClosestPoint(p PolyID, pos geom.Vec3) (at geom.Vec3, over, ok bool) {
	if !m.Valid(p) || !goodPoint(pos) {
		return geom.Vec3{}, false, false
	}
	if m.polys[p].kind == KindOffMesh {
		vs := m.cornersOf(p)
		a, b := vs[0].Wide(), vs[1].Wide()
		t, d := geom.ClosestOnSegXZ(pos, a, b)
		return geom.Lerp(a, b, t), d == 0, true
	}
	at, over = m.closest(p, pos)
	return at, over, true
}

// ClosestOnBoundary returns the point of p's outline that is nearest to pos
// seen from above, at the height of the straight line between the corners. ok
// is false when p is no ground polygon of m or pos is out of range.
func (m *Mesh) ClosestOnBoundary(p PolyID, pos geom.Vec3) (at geom.Vec3, ok bool) {
	if !m.Valid(p) || m.polys[p].kind != KindGround || !goodPoint(pos) {
		return geom.Vec3{}, false
	}
	return onOutline(m.cornersOf(p), pos), true
}

// Height returns the height of the surface of p at a place, and false when p
// is no ground polygon of m or does not contain the place seen from above; its
// outline belongs to it.
func (m *Mesh) Height(p PolyID, x, z float64) (float64, bool) {
	pos := geom.Vec3{X: x, Z: z}
	if !m.Valid(p) || m.polys[p].kind != KindGround || !goodPoint(pos) || !m.contains(p, pos) {
		return 0, false
	}
	return m.height(p, pos), true
}
