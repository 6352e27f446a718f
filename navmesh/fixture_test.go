package navmesh

import (
	"testing"

	"wend/geom"
)

// sheet is a horizontal rectangle for a test mesh.
type sheet struct{ x0, z0, x1, z1, y float32 }

// sheetTile makes a tile of unconnected rectangles, one polygon each, the body
// as RecastDemo's.
func sheetTile(sheets ...sheet) Tile {
	t := Tile{AgentHeight: 2, AgentRadius: 0.6, AgentClimb: 0.9, BVQuant: 1 / float32(0.3)}
	t.Bounds = [2]geom.Vec3f{{X: -100, Y: -100, Z: -100}, {X: 100, Y: 100, Z: 100}}
	for _, s := range sheets {
		n := uint16(len(t.Verts))
		// Counter-clockwise from above: north is -z, so x0z0 -> x0z1 -> x1z1.
		t.Verts = append(t.Verts,
			geom.Vec3f{X: s.x0, Y: s.y, Z: s.z0}, geom.Vec3f{X: s.x0, Y: s.y, Z: s.z1},
			geom.Vec3f{X: s.x1, Y: s.y, Z: s.z1}, geom.Vec3f{X: s.x1, Y: s.y, Z: s.z0})
		t.Polys = append(t.Polys, TilePoly{Verts: [6]uint16{n, n + 1, n + 2, n + 3}, Count: 4, Flags: FlagWalk})
	}
	return t
}

func plainParams() Params {
	return Params{Origin: geom.Vec3f{X: -100, Y: -100, Z: -100}, TileWidth: 200, TileDepth: 200, MaxTiles: 1, MaxPolys: 1 << 16}
}

// mustNew assembles tiles or fails the test.
func mustNew(tb testing.TB, p Params, tiles ...Tile) (*Mesh, *Assembly) {
	tb.Helper()
	m, a, err := New(p, tiles)
	if err != nil {
		tb.Fatal(err)
	}
	return m, a
}
