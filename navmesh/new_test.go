package navmesh

import (
	"math"
	"slices"
	"testing"

	"wend/geom"
)

func TestTurnsClockwisePolygons(t *testing.T) {
	want := fullTile()
	given := cloneTile(want)
	// The first polygon backwards, starting at another corner.
	p := &given.Polys[0]
	p.Verts = [6]uint16{2, 1, 0, 3}
	p.Neis = [6]uint16{0, 0, 0, 2} // edge 3 -> 2 lies at x = 4
	corner := []uint8{2, 1, 0, 3, 4}
	for i := range 4 {
		v := want.DetailTris[i].V
		// Flags mark the edge from V[0] to V[1]; backwards it is the last.
		given.DetailTris[i] = DetailTri{V: [3]uint8{corner[v[0]], corner[v[2]], corner[v[1]]}, Flags: 1 << 4}
	}
	before := cloneTile(given)
	m, a := mustNew(t, plainParams(), given)
	if !slices.Equal(a.Turned, []PolyID{0}) {
		t.Errorf("turned %v, want polygon 0", a.Turned)
	}
	if !slices.Equal(given.Polys, before.Polys) || !slices.Equal(given.DetailTris, before.DetailTris) {
		t.Error("the tile that was given has changed")
	}
	ref, _ := mustNew(t, plainParams(), want)
	for x := 0.25; x < 4; x += 0.5 {
		for z := 0.25; z < 4; z += 0.5 {
			got, ok := m.Height(0, x, z)
			if w, _ := ref.Height(0, x, z); !ok || math.Abs(got-w) > 1e-12 {
				t.Errorf("height at %v, %v: %v, want %v", x, z, got, w)
			}
		}
	}
	// The edge of the only way out, and the detail's outline.
	for n := range m.Poly(0).Neighbours() {
		if n.Edge < 0 {
			continue
		}
		if n.Poly != 1 || n.Right != geom.V3(4, 0, 4) || n.Left != geom.V3(4, 0, 0) {
			t.Errorf("way out %+v", n)
		}
	}
	if at, over, _ := m.ClosestPoint(0, geom.V3(-3, 0, 1)); over || at != geom.V3(0, 0, 1) {
		t.Errorf("closest point %v", at)
	}
	if err := m.Tiles()[0].Validate(); err != nil {
		t.Error(err)
	}
	if again, _ := mustNew(t, plainParams(), m.Tiles()...); again.Fingerprint() != m.Fingerprint() {
		t.Error("a turned mesh taken apart and assembled again is another one")
	}
}

func TestOneSided(t *testing.T) {
	tile := sheetTile(sheet{0, 0, 4, 4, 0}, sheet{4, 0, 8, 4, 0})
	tile.Polys[0].Neis[2] = 2
	m, a := mustNew(t, plainParams(), tile)
	if a.OneSided != 1 || a.Inner != 1 {
		t.Errorf("%d one-sided of %d links, want 1 of 1", a.OneSided, a.Inner)
	}
	if !m.CanReach(0, 1) || m.CanReach(1, 0) || m.IslandCount() != 2 {
		t.Errorf("reach %v and %v, %d islands", m.CanReach(0, 1), m.CanReach(1, 0), m.IslandCount())
	}
}

func TestPolyView(t *testing.T) {
	tile := fullTile()
	tile.Polys[1].Area, tile.Polys[1].Flags = 9, 0x8003
	m, a := mustNew(t, plainParams(), tile)
	if m.Len() != 3 || a.Ground != 2 || a.Inner != 2 || a.OffMesh != 1 {
		t.Fatalf("%d polygons, %+v", m.Len(), a)
	}
	p := m.Poly(1)
	if ti, pi := p.Tile(); ti != 0 || pi != 1 || p.ID() != 1 {
		t.Errorf("polygon 1 is %d of tile %d", pi, ti)
	}
	if p.Area() != 9 || p.Flags() != 0x8003 || p.Kind() != KindGround || p.Len() != 4 || p.PlanArea() != 16 {
		t.Errorf("area %d, flags %x, kind %d, %d corners, %v square metres", p.Area(), p.Flags(), p.Kind(), p.Len(), p.PlanArea())
	}
	if p.Center() != geom.V3(6, 0, 2) || p.Corner(2) != geom.V3(8, 0, 4) {
		t.Errorf("centre %v, corner %v", p.Center(), p.Corner(2))
	}
	got := slices.Collect(p.Neighbours())
	want := []Neighbour{
		// West through the edge from (4, 0) to (4, 4): right is north.
		{Poly: 0, Edge: 0, Right: geom.V3(4, 0, 0), Left: geom.V3(4, 0, 4)},
		{Poly: 2, Edge: -1, Right: geom.V3(7, 0, 3), Left: geom.V3(7, 0, 3)},
	}
	if !slices.Equal(got, want) {
		t.Errorf("neighbours\n%+v, want\n%+v", got, want)
	}
	if _, _, _, _, ok := p.OffMeshEnds(); ok {
		t.Error("ground has off-mesh ends")
	}
	// The start lies on the raised middle of polygon 0: halfway up the pyramid.
	con, from, to, cost, ok := m.Poly(2).OffMeshEnds()
	if !ok || con.Poly != 2 || from != 0 || to != 1 || cost != geom.Dist(geom.V3(1, 0, 1), geom.V3(7, 0, 3)) {
		t.Errorf("%+v from %d to %d, cost %v", con, from, to, cost)
	}
	if m.Poly(2).Corner(0) != geom.V3(1, 0.125, 1) {
		t.Errorf("the connection starts at %v, want it on the surface", m.Poly(2).Corner(0))
	}
	b := m.Bounds()
	if b.Min != geom.V3(0, 0, 0) || b.Max != geom.V3(8, 0.25, 4) {
		t.Errorf("bounds %v", b)
	}
	defer func() {
		if recover() == nil {
			t.Error("a polygon that is not there has a view")
		}
	}()
	m.Poly(3)
}

func TestFingerprint(t *testing.T) {
	a, b := fullTile(), sheetTile(sheet{10, 10, 20, 20, 1})
	b.X = 1
	base, _ := mustNew(t, plainParams(), a, b)
	if len(base.Fingerprint()) != 32 {
		t.Errorf("%q, want 32 digits", base.Fingerprint())
	}
	same := func(m *Mesh, _ *Assembly) bool { return m.Fingerprint() == base.Fingerprint() }
	if !same(mustNew(t, plainParams(), b, a)) {
		t.Error("the order of the tiles shows")
	}
	c := cloneTile(a)
	c.BV = nil
	if !same(mustNew(t, plainParams(), c, b)) {
		t.Error("the stored tree shows")
	}
	for i, change := range []func(*Tile){
		func(t *Tile) { t.Verts[0].Y = 0.125 },
		func(t *Tile) { t.Polys[0].Flags = 3 },
		func(t *Tile) { t.Polys[0].Area = 1 },
		func(t *Tile) { t.Polys[0].Neis[0] = 2 },
		func(t *Tile) { t.DetailVerts[0].Y = 0.5 },
		func(t *Tile) { t.OffMesh[0].Cost = 1 },
		func(t *Tile) { t.OffMesh[0].BothWays = false },
		func(t *Tile) { t.AgentClimb = 0.5 },
	} {
		c := cloneTile(a)
		change(&c)
		if same(mustNew(t, plainParams(), c, b)) {
			t.Errorf("change %d does not show", i)
		}
	}
}
