package navmesh

import (
	"fmt"
	"math"

	"wend/geom"
)

// Cause says why an end of an off-mesh connection found no surface.
type Cause uint8

const (
	CauseNoGround Cause = 1 + iota // the mesh has no ground polygon
	CauseAside                     // no surface within the radius, seen from above
	CauseHeight                    // a surface within the radius, but more than a climb higher or lower
)

// String returns a clause for a report.
func (c Cause) String() string {
	switch c {
	case CauseNoGround:
		return "the mesh has no ground"
	case CauseAside:
		return "no surface within the radius"
	case CauseHeight:
		return "the surface there is more than a climb higher or lower"
	}
	return fmt.Sprintf("Cause(%d)", uint8(c))
}

// Unattached is an end of an off-mesh connection that found no surface. A
// connection may be listed for both its ends.
type Unattached struct {
	Poly     PolyID // the connection's polygon
	Tile     int    // index in the tiles given to New
	Index    int    // index in Tile.OffMesh
	End      bool   // its end, not its start
	Pos      geom.Vec3
	Distance float64 // metres to the nearest surface; +Inf for CauseNoGround
	Cause    Cause
}

// String describes u in one line.
func (u Unattached) String() string {
	end := "start"
	if u.End {
		end = "end"
	}
	return fmt.Sprintf("off-mesh connection %d of tile %d: its %s (%.2f, %.2f, %.2f) is off the mesh: %s (nearest %.2f m)",
		u.Index, u.Tile, end, u.Pos.X, u.Pos.Y, u.Pos.Z, u.Cause, u.Distance)
}

// attachSlack, in metres, lets an end that lies on an edge attach although
// its coordinates were rounded.
const attachSlack = 1e-4

// attach links off-mesh polygons to the ground at both their ends. An end may
// lie in any tile; it takes the polygon whose surface is nearest in three
// dimensions among those within the connection's radius seen from above and one
// climb up or down, ties by the lower polygon. The polygon's corners move onto
// the surface.
func (b *builder) attach() {
	m := b.m
	for i := range m.offs {
		o := &m.offs[i]
		t := &m.tiles[o.tile]
		con := &t.OffMesh[o.con]
		ends := [2]geom.Vec3{con.From.Wide(), con.To.Wide()}
		var poly [2]PolyID
		var at [2]geom.Vec3
		for k, pos := range ends {
			poly[k], at[k] = m.attachEnd(pos, float64(con.Radius), float64(t.AgentClimb))
			if poly[k] != NoPoly {
				continue
			}
			dist, cause := m.whyUnattached(pos, float64(con.Radius))
			b.a.Unattached = append(b.a.Unattached, Unattached{
				Poly: o.poly, Tile: b.order[o.tile], Index: int(o.con), End: k == 1,
				Pos: pos, Distance: dist, Cause: cause,
			})
		}
		if poly[0] == NoPoly || poly[1] == NoPoly {
			continue
		}
		b.a.OffMesh++
		o.from, o.to = poly[0], poly[1]
		vs := m.cornersOf(o.poly)
		vs[0], vs[1] = at[0].Narrow(), at[1].Narrow()
		b.step(o.from, o.poly, vs[0], 0)
		b.step(o.poly, o.to, vs[1], 1)
		if o.bothWays {
			b.step(o.to, o.poly, vs[1], 1)
			b.step(o.poly, o.from, vs[0], 0)
		}
	}
}

func (b *builder) step(from, to PolyID, at geom.Vec3f, end float64) {
	b.out = append(b.out, outLink{from: from, at: end, link: link{to: to, edge: offMeshEdge, right: at, left: at}})
}

func (m *Mesh) attachEnd(pos geom.Vec3, radius, climb float64) (PolyID, geom.Vec3) {
	r, c := radius+attachSlack, climb+attachSlack
	best, at, dist := NoPoly, geom.Vec3{}, math.Inf(1)
	w := m.index.walk(box32(pos, geom.Vec3{X: r, Y: c, Z: r}))
	for w.next() {
		q, _ := m.closest(w.poly, pos)
		if geom.DistXZSq(q, pos) > float64(r*r) || math.Abs(q.Y-pos.Y) > c {
			continue
		}
		d := geom.DistSq(q, pos)
		if d < dist || d == dist && w.poly < best {
			best, at, dist = w.poly, q, d
		}
	}
	return best, at
}

func (m *Mesh) whyUnattached(pos geom.Vec3, radius float64) (float64, Cause) {
	p, dist := m.nearestAnywhere(pos, &selector{any: true})
	if p == NoPoly {
		return dist, CauseNoGround
	}
	r := radius + attachSlack
	w := m.index.walk(box32(pos, geom.Vec3{X: r, Y: 4 * CoordLimit, Z: r}))
	for w.next() {
		q, _ := m.closest(w.poly, pos)
		if geom.DistXZSq(q, pos) <= float64(r*r) {
			return dist, CauseHeight
		}
	}
	return dist, CauseAside
}
