package navmesh

import (
	"testing"

	"wend/geom"
)

// TestStoreysOfSpiral winds a ramp twice around a pillar: each turn lies over
// the one before, so it is a storey of its own.
func TestStoreysOfSpiral(t *testing.T) {
	tile := sheetTile()
	ring := []geom.Vec3f{{X: 0, Z: 0}, {X: 0, Z: 9}, {X: 9, Z: 9}, {X: 9, Z: 0}}
	inner := []geom.Vec3f{{X: 3, Z: 3}, {X: 3, Z: 6}, {X: 6, Z: 6}, {X: 6, Z: 3}}
	const quads = 10
	for i := range quads + 1 {
		a, b := ring[i%4], inner[i%4]
		a.Y, b.Y = float32(i), float32(i)
		tile.Verts = append(tile.Verts, a, b)
	}
	for i := range uint16(quads) {
		p := TilePoly{Verts: [6]uint16{2 * i, 2*i + 2, 2*i + 3, 2*i + 1}, Count: 4, Flags: FlagWalk}
		if i+1 < quads {
			p.Neis[1] = i + 2
		}
		p.Neis[3] = i // 0 for the first: a wall
		tile.Polys = append(tile.Polys, p)
	}
	m, a := mustNew(t, plainParams(), tile)
	if len(a.Turned) != 0 || m.IslandCount() != 1 {
		t.Fatalf("%+v, %d islands", a, m.IslandCount())
	}
	if m.StoreyCount() != 3 {
		t.Errorf("%d storeys, want 3", m.StoreyCount())
	}
	for p := range PolyID(quads) {
		if m.Storey(p) != uint32(p)/4 {
			t.Errorf("quad %d is on storey %d, want %d", p, m.Storey(p), p/4)
		}
	}
	q := m.NewQuery()
	ls, err := q.AppendSurfaces(nil, 1, 4, 0, nil)
	if err != nil || len(ls) != 3 || ls[0].Poly != 0 || ls[1].Poly != 4 || ls[2].Poly != 8 {
		t.Errorf("surfaces %v, %v", ls, err)
	}
}

func TestPlanDepth(t *testing.T) {
	square := func(x, z, side float32) []geom.Vec3f {
		return []geom.Vec3f{{X: x, Z: z}, {X: x, Z: z + side}, {X: x + side, Z: z + side}, {X: x + side, Z: z}}
	}
	diamond := []geom.Vec3f{{X: 0, Z: 2}, {X: 2, Z: 4}, {X: 4, Z: 2}, {X: 2, Z: 0}}
	for _, c := range []struct {
		name string
		a, b []geom.Vec3f
		want float64
	}{
		{"same", square(0, 0, 2), square(0, 0, 2), 2},
		{"edge to edge", square(0, 0, 2), square(2, 0, 2), 0},
		{"half over", square(0, 0, 2), square(1.5, 0, 2), 0.5},
		{"apart", square(0, 0, 2), square(5, 0, 2), -3},
		{"boxes overlap, shapes do not", diamond, square(3.25, 3.25, 1), -0.35355339059327373},
	} {
		if got := planDepth(c.a, c.b); got < c.want-1e-12 || got > c.want+1e-12 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		if got, back := planDepth(c.a, c.b), planDepth(c.b, c.a); got != back {
			t.Errorf("%s: %v one way, %v the other", c.name, got, back)
		}
	}
}

// TestStoreysBounded labels a mesh that is nothing but surfaces over one
// another, all neighbours of one: it has to end soon and give some answer.
func TestStoreysBounded(t *testing.T) {
	const n = 20000
	tile := sheetTile(sheet{0, 0, 10, 10, 0})
	for range n - 1 {
		p := tile.Polys[0]
		p.Neis[0] = uint16(len(tile.Polys)) // the one before
		tile.Polys = append(tile.Polys, p)
	}
	for i := range n - 1 {
		tile.Polys[i].Neis[2] = uint16(i + 2)
	}
	m, _ := mustNew(t, plainParams(), tile)
	if m.IslandCount() != 1 || m.StoreyCount() < 2 || m.StoreyCount() > n {
		t.Errorf("%d islands, %d storeys", m.IslandCount(), m.StoreyCount())
	}
}
