package navmesh

import (
	"math"
	"strings"
	"testing"

	"wend/geom"
)

func TestAttach(t *testing.T) {
	// A floor with a deck 2.5 m over its middle, and a roof 900 m away.
	base := func() Tile {
		return sheetTile(sheet{0, 0, 20, 20, 0}, sheet{8, 8, 12, 12, 2.5}, sheet{900, 0, 910, 10, 40})
	}
	v := func(x, y, z float32) geom.Vec3f { return geom.Vec3f{X: x, Y: y, Z: z} }
	for _, c := range []struct {
		name     string
		con      OffMesh
		from, to PolyID
		at, end  geom.Vec3 // where it attaches
	}{
		{"onto the deck", OffMesh{From: v(2, 0, 2), To: v(10, 2.5, 10), Radius: 0.5}, 0, 1, geom.V3(2, 0, 2), geom.V3(10, 2.5, 10)},
		{"under the deck", OffMesh{From: v(2, 0.5, 2), To: v(10, 0.8, 10), Radius: 0.5}, 0, 0, geom.V3(2, 0, 2), geom.V3(10, 0, 10)},
		{"a climb off the surface", OffMesh{From: v(2, 0.9, 2), To: v(10, 3.4, 10), Radius: 0.5}, 0, 1, geom.V3(2, 0, 2), geom.V3(10, 2.5, 10)},
		{"a radius aside", OffMesh{From: v(-0.5, 0, 5), To: v(10, 2.5, 7.5), Radius: 0.5}, 0, 1, geom.V3(0, 0, 5), geom.V3(10, 2.5, 8)},
		{"far away", OffMesh{From: v(2, 0, 2), To: v(905, 40, 5), Radius: 0.5}, 0, 2, geom.V3(2, 0, 2), geom.V3(905, 40, 5)},
		{"on a corner, no radius", OffMesh{From: v(0, 0, 0), To: v(12, 2.5, 12)}, 0, 1, geom.V3(0, 0, 0), geom.V3(12, 2.5, 12)},
	} {
		t.Run(c.name, func(t *testing.T) {
			tile := base()
			addOffMesh(&tile, c.con)
			m, a := mustNew(t, plainParams(), tile)
			if a.OffMesh != 1 || len(a.Unattached) != 0 {
				t.Fatalf("%+v", a)
			}
			_, from, to, _, _ := m.Poly(3).OffMeshEnds()
			if from != c.from || to != c.to {
				t.Errorf("from %d to %d, want %d to %d", from, to, c.from, c.to)
			}
			if m.Poly(3).Corner(0) != c.at || m.Poly(3).Corner(1) != c.end {
				t.Errorf("attached at %v and %v", m.Poly(3).Corner(0), m.Poly(3).Corner(1))
			}
			if m.Storey(3) != m.Storey(c.from) {
				t.Errorf("storey %d, want that of its start", m.Storey(3))
			}
		})
	}
	for _, c := range []struct {
		name  string
		con   OffMesh
		end   bool
		dist  float64
		cause Cause
	}{
		{"too far aside", OffMesh{From: v(2, 0, 2), To: v(21.5, 0, 10), Radius: 1}, true, 1.5, CauseAside},
		{"too high", OffMesh{From: v(2, 1, 2), To: v(10, 2.5, 10), Radius: 1}, false, 1, CauseHeight},
		{"between floor and deck", OffMesh{From: v(10, 1.25, 10), To: v(2, 0, 2), Radius: 1}, false, 1.25, CauseHeight},
	} {
		t.Run(c.name, func(t *testing.T) {
			tile := base()
			addOffMesh(&tile, c.con)
			m, a := mustNew(t, plainParams(), tile)
			if len(a.Unattached) != 1 || a.OffMesh != 0 {
				t.Fatalf("%+v", a)
			}
			u := a.Unattached[0]
			if u.Poly != 3 || u.End != c.end || math.Abs(u.Distance-c.dist) > 1e-6 || u.Cause != c.cause {
				t.Errorf("%+v, want end %v, %v m, %v", u, c.end, c.dist, c.cause)
			}
			if s := u.String(); !strings.Contains(s, c.cause.String()) || !strings.Contains(s, "tile 0") {
				t.Errorf("reads %q", s)
			}
			if len(m.linksOf(3)) != 0 || len(m.linksOf(0)) != 0 || m.Storey(3) != NoStorey {
				t.Error("half a connection is linked")
			}
			if m.CanReach(0, 3) || m.CanReach(3, 0) || !m.CanReach(3, 3) {
				t.Error("reach of an unattached connection")
			}
		})
	}
	// No ground at all.
	var tile Tile
	addOffMesh(&tile, OffMesh{From: v(1, 0, 0), To: v(2, 0, 0)})
	_, a := mustNew(t, plainParams(), tile)
	if len(a.Unattached) != 2 || a.Unattached[1].Cause != CauseNoGround || !math.IsInf(a.Unattached[1].Distance, 1) {
		t.Errorf("no ground: %+v", a.Unattached)
	}
}

// TestLift has one column with five storeys, each joined to the others, and
// eight connections from the ground floor.
func TestLift(t *testing.T) {
	west, east := sheetTile(), sheetTile()
	east.X = 1
	for y := range 5 {
		// The upper storeys belong to another tile than the shaft's foot.
		tile := &west
		if y > 0 {
			tile = &east
		}
		s := sheetTile(sheet{0, 0, 6, 6, float32(3 * y)})
		for k := range s.Polys[0].Verts {
			s.Polys[0].Verts[k] += uint16(len(tile.Verts))
		}
		tile.Verts = append(tile.Verts, s.Verts...)
		tile.Polys = append(tile.Polys, s.Polys...)
	}
	for y := range 4 {
		addOffMesh(&west, OffMesh{
			From: geom.Vec3f{X: 3, Y: 0, Z: 3}, To: geom.Vec3f{X: 3, Y: float32(3*y + 3), Z: 3},
			Radius: 0.5, BothWays: true,
		})
		// One way down to the ground floor, stated in the other tile.
		addOffMesh(&east, OffMesh{
			From: geom.Vec3f{X: 5, Y: float32(3*y + 3), Z: 5}, To: geom.Vec3f{X: 5, Z: 5}, Radius: 0.5,
		})
	}
	m, a := mustNew(t, plainParams(), west, east)
	if a.OffMesh != 8 || len(a.Unattached) != 0 || m.StoreyCount() != 5 || m.IslandCount() != 1 {
		t.Fatalf("%+v, %d storeys, %d islands", a, m.StoreyCount(), m.IslandCount())
	}
	if n := len(m.linksOf(0)); n != 4 {
		t.Errorf("%d ways lead from the ground floor, want 4", n)
	}
	for p := range PolyID(m.Len()) {
		for r := range PolyID(m.Len()) {
			if !m.CanReach(p, r) {
				t.Errorf("%d does not reach %d", p, r)
			}
		}
	}
}
