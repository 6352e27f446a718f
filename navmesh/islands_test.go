package navmesh

import (
	"testing"

	"wend/geom"
)

// TestOneWay has three floors from each of which one drops to the next.
func TestOneWay(t *testing.T) {
	tile := sheetTile(sheet{0, 0, 5, 5, 0}, sheet{10, 0, 15, 5, 3}, sheet{20, 0, 25, 5, 6}, sheet{30, 0, 35, 5, 0})
	drop := func(x, y float32) {
		addOffMesh(&tile, OffMesh{From: geom.Vec3f{X: x, Y: y, Z: 2}, To: geom.Vec3f{X: x - 10, Y: y - 3, Z: 2}, Radius: 0.5})
	}
	drop(22, 6) // polygon 4
	drop(12, 3) // polygon 5
	m, _ := mustNew(t, plainParams(), tile)
	if m.IslandCount() != 4 || m.IslandArea(2) != 25 || m.IslandArea(9) != 0 {
		t.Fatalf("%d islands, areas %v", m.IslandCount(), m.islands.area)
	}
	reach := [6][6]bool{
		0: {0: true},
		1: {0: true, 1: true, 5: true},
		2: {0: true, 1: true, 2: true, 4: true, 5: true},
		3: {3: true},
		4: {0: true, 1: true, 4: true, 5: true},
		5: {0: true, 5: true},
	}
	for a := range reach {
		for b := range reach[a] {
			if got := m.CanReach(PolyID(a), PolyID(b)); got != reach[a][b] {
				t.Errorf("CanReach(%d, %d) = %v", a, b, got)
			}
		}
	}
	if m.CanReach(0, 6) || m.CanReach(NoPoly, 0) {
		t.Error("a polygon that is not there is reached or reaches")
	}
}

// TestManyJoints has more islands with one-way connections than the closure
// takes: a chain of drops.
func TestManyJoints(t *testing.T) {
	const n = maxJoints + 500
	var sheets []sheet
	for i := range n {
		x, z := float32(i%100), float32(i/100)
		sheets = append(sheets, sheet{2 * x, 2 * z, 2*x + 1, 2*z + 1, 0})
	}
	tile := sheetTile(sheets...)
	mid := func(i int) geom.Vec3f { return geom.Vec3f{X: sheets[i].x0 + 0.5, Z: sheets[i].z0 + 0.5} }
	for i := range n - 1 {
		addOffMesh(&tile, OffMesh{From: mid(i), To: mid(i + 1), Radius: 0.1})
	}
	m, a := mustNew(t, plainParams(), tile)
	if a.OffMesh != n-1 || m.islands.closure != nil {
		t.Fatalf("%d connections, closure %v", a.OffMesh, m.islands.closure != nil)
	}
	for _, c := range [][2]PolyID{{0, n - 1}, {0, 1}, {17, 4000}} {
		if !m.CanReach(c[0], c[1]) || m.CanReach(c[1], c[0]) {
			t.Errorf("reach between %d and %d: %v, %v", c[0], c[1], m.CanReach(c[0], c[1]), m.CanReach(c[1], c[0]))
		}
	}
}
