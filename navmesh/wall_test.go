package navmesh_test

import (
	"errors"
	"math"
	"testing"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/navmesh"
)

// A room of 10 x 10 m with a body of radius 0.5 in tiles of 8 cells: the
// distance to the walls is that to the edge of the mesh, seams do not count.
func TestDistanceToWall(t *testing.T) {
	b := wendtest.NewBuilder().Floor(-2, -2, 14, 14, 0).Walls(0, 0, 12, 12, 0, 1, 3)
	p := bake.Human()
	p.Agent.Radius = 0.5
	p.Navmesh.Cell = 0.25
	p.Navmesh.Tiling, p.Navmesh.TileSize = bake.TilingOn, 16
	res, err := bake.Run(t.Context(), b.Scene, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	q := res.Meshes[0].Mesh.NewQuery()
	at := func(x, z float64) navmesh.Location {
		near, err := q.Nearest(geom.V3(x, 0, z), nil)
		if err != nil || !near.Found {
			t.Fatalf("nothing at %v, %v: %v", x, z, err)
		}
		return near.Location
	}
	for _, tt := range []struct{ x, z, limit, want float64 }{
		{6, 6, 10, 4.5},
		{6, 6, 3, 3},
		{6, 6, 0, 0},
		{2.5, 6, 10, 1},
		{9.5, 2.25, 10, 0.75},
		{6, 10.5, 10, 0},
	} {
		got, err := q.DistanceToWall(at(tt.x, tt.z), tt.limit, nil)
		if err != nil || math.Abs(got-tt.want) > 1e-4 {
			t.Errorf("from (%v, %v) within %v: %v, %v; want %v", tt.x, tt.z, tt.limit, got, err, tt.want)
		}
	}
	place := at(6, 6)
	q.DistanceToWall(place, 10, nil)
	if n := testing.AllocsPerRun(10, func() { q.DistanceToWall(place, 10, nil) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	for _, bad := range []struct {
		at    navmesh.Location
		limit float64
	}{
		{navmesh.Location{Poly: navmesh.NoPoly}, 1},
		{navmesh.Location{Pos: geom.V3(math.NaN(), 0, 0)}, 1},
		{place, math.NaN()},
		{place, -1},
		{place, math.Inf(1)},
	} {
		if _, err := q.DistanceToWall(bad.at, bad.limit, nil); !errors.Is(err, navmesh.ErrBadInput) {
			t.Errorf("%+v: got %v", bad, err)
		}
	}
}
