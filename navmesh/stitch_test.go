package navmesh

import (
	"errors"
	"slices"
	"testing"

	"wend/geom"
)

// borderTile is a tile at (x, z) of a grid of 10 m with the given sheets, whose
// edges on the tile's border are marked.
func borderTile(x, z int32, sheets ...sheet) Tile {
	t := sheetTile(sheets...)
	t.X, t.Z = x, z
	x0, z0 := float32(x)*10, float32(z)*10
	t.Bounds = [2]geom.Vec3f{{X: x0, Y: -10, Z: z0}, {X: x0 + 10, Y: 10, Z: z0 + 10}}
	for i := range t.Polys {
		p := &t.Polys[i]
		for e := range int(p.Count) {
			a, b := t.Verts[p.Verts[e]], t.Verts[p.Verts[(e+1)%int(p.Count)]]
			switch {
			case a.X == x0+10 && b.X == x0+10:
				p.Neis[e] = External
			case a.Z == z0+10 && b.Z == z0+10:
				p.Neis[e] = External | 2
			case a.X == x0 && b.X == x0:
				p.Neis[e] = External | 4
			case a.Z == z0 && b.Z == z0:
				p.Neis[e] = External | 6
			}
		}
	}
	return t
}

func gridParams() Params { return Params{TileWidth: 10, TileDepth: 10} }

// ways collects all links of a mesh.
func ways(m *Mesh) map[[2]PolyID]Neighbour {
	out := map[[2]PolyID]Neighbour{}
	for p := range PolyID(m.Len()) {
		for n := range m.Poly(p).Neighbours() {
			out[[2]PolyID{p, n.Poly}] = n
		}
	}
	return out
}

// TestStitchClips joins one long border edge to two short ones across, on
// each of the four sides.
func TestStitchClips(t *testing.T) {
	for _, c := range []struct {
		name       string
		x, z       int32
		near, far  sheet // across, with 0.5 m covered by nothing between them
		rNear      geom.Vec3
		lNear      geom.Vec3
		rFar, lFar geom.Vec3
	}{
		{
			"towards +x", 1, 0,
			sheet{10, 0, 20, 4, 0},
			sheet{10, 4.5, 20, 8, 0},
			geom.V3(10, 0, 4), geom.V3(10, 0, 0), geom.V3(10, 0, 8), geom.V3(10, 0, 4.5),
		},
		{
			"towards +z", 0, 1,
			sheet{0, 10, 4, 20, 0},
			sheet{4.5, 10, 8, 20, 0},
			geom.V3(0, 0, 10), geom.V3(4, 0, 10), geom.V3(4.5, 0, 10), geom.V3(8, 0, 10),
		},
		{
			"towards -x", -1, 0,
			sheet{-10, 0, 0, 4, 0},
			sheet{-10, 4.5, 0, 8, 0},
			geom.V3(0, 0, 0), geom.V3(0, 0, 4), geom.V3(0, 0, 4.5), geom.V3(0, 0, 8),
		},
		{
			"towards -z", 0, -1,
			sheet{0, -10, 4, 0, 0},
			sheet{4.5, -10, 8, 0, 0},
			geom.V3(4, 0, 0), geom.V3(0, 0, 0), geom.V3(8, 0, 0), geom.V3(4.5, 0, 0),
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, a := mustNew(t, gridParams(), borderTile(0, 0, sheet{0, 0, 10, 10, 0}), borderTile(c.x, c.z, c.near, c.far))
			if a.Portals != 4 {
				t.Fatalf("%d portals, want 4", a.Portals)
			}
			big, near, far := PolyID(0), PolyID(1), PolyID(2)
			if c.x < 0 || c.z < 0 { // the other tile comes first
				near, far, big = 0, 1, 2
			}
			got := ways(m)
			for _, w := range []struct {
				from, to    PolyID
				right, left geom.Vec3
			}{
				{big, near, c.rNear, c.lNear},
				{big, far, c.rFar, c.lFar},
				// The other way right is left.
				{near, big, c.lNear, c.rNear},
				{far, big, c.lFar, c.rFar},
			} {
				n, ok := got[[2]PolyID{w.from, w.to}]
				if !ok || geom.Dist(n.Right, w.right) > 1e-6 || geom.Dist(n.Left, w.left) > 1e-6 {
					t.Errorf("from %d to %d: %v, %+v; want right %v, left %v", w.from, w.to, ok, n, w.right, w.left)
				}
			}
			// Along an edge from right to left.
			var order []PolyID
			for n := range m.Poly(big).Neighbours() {
				order = append(order, n.Poly)
			}
			first := near
			if c.rNear.X > c.lNear.X || c.rNear.Z > c.lNear.Z {
				first = far
			}
			if order[0] != first {
				t.Errorf("links of the long edge lead to %v, want %d first", order, first)
			}
		})
	}
}

func TestStitchHeights(t *testing.T) {
	across := func(y float32) bool {
		m, a := mustNew(t, gridParams(), borderTile(0, 0, sheet{0, 0, 10, 10, 0}), borderTile(1, 0, sheet{10, 0, 20, 10, y}))
		if linked := m.CanReach(0, 1); linked != (a.Portals == 2) || linked != m.CanReach(1, 0) || linked != (a.OpenEdges < 8) {
			t.Errorf("step of %v: %+v", y, a)
		}
		return m.CanReach(0, 1)
	}
	// Two climbs of 0.9, as Detour allows: corners lie up to a climb off the
	// real floor on both sides.
	for _, c := range []struct {
		y    float32
		want bool
	}{{0, true}, {0.9, true}, {-1.79, true}, {1.81, false}, {-1.81, false}} {
		if got := across(c.y); got != c.want {
			t.Errorf("step of %v m: linked %v", c.y, got)
		}
	}
	// Edges that cross each other meet whatever their ends.
	tilt := borderTile(1, 0, sheet{10, 0, 20, 10, -5})
	for i, v := range tilt.Verts {
		if v.Z == 10 {
			tilt.Verts[i].Y = 5
		}
	}
	if _, a := mustNew(t, gridParams(), borderTile(0, 0, sheet{0, 0, 10, 10, 0}), tilt); a.Portals != 2 {
		t.Errorf("crossing edges: %d portals, want 2", a.Portals)
	}
}

func TestStitchNarrow(t *testing.T) {
	for _, c := range []struct {
		z    float32
		want int
	}{{9.97, 2}, {9.99, 0}, {10, 0}} {
		right := sheetTile(sheet{10, c.z, 20, 15, 0})
		right.X = 1
		right.Polys[0].Neis[0] = External | 4
		if _, a := mustNew(t, gridParams(), borderTile(0, 0, sheet{0, 0, 10, 10, 0}), right); a.Portals != c.want {
			t.Errorf("overlap of %v m: %d portals, want %d", 10-c.z, a.Portals, c.want)
		}
	}
}

// TestStitchLayers has two floors over one another on both sides of a border,
// in layers of their own on one side.
func TestStitchLayers(t *testing.T) {
	lower, upper := borderTile(1, 0, sheet{10, 0, 20, 10, 0}), borderTile(1, 0, sheet{10, 0, 20, 10, 3})
	upper.Layer = 1
	m, a := mustNew(t, gridParams(), upper, borderTile(0, 0, sheet{0, 0, 10, 10, 0}, sheet{0, 0, 10, 10, 3}), lower)
	if a.Portals != 4 {
		t.Fatalf("%d portals, want 4", a.Portals)
	}
	// Tiles by place: the west tile with polygons 0 and 1, then layer 0, layer 1.
	if !m.CanReach(0, 2) || !m.CanReach(1, 3) || m.CanReach(0, 1) || m.CanReach(2, 3) {
		t.Errorf("links %v", ways(m))
	}
	if m.Tiles()[1].Layer != 0 || m.Tiles()[2].Layer != 1 {
		t.Error("tiles are not sorted by layer")
	}
	// Two layers of one tile that meet at an edge inside it.
	west, east := sheetTile(sheet{0, 0, 5, 10, 0}), sheetTile(sheet{5, 0, 10, 10, 0.5})
	west.Polys[0].Neis[2] = External
	east.Polys[0].Neis[0] = External | 4
	east.Layer = 1
	if m, a := mustNew(t, gridParams(), west, east); a.Portals != 2 || !m.CanReach(1, 0) {
		t.Errorf("layers of one tile: %+v", a)
	}
}

// TestStitchBounded piles edges over one another until assembly refuses.
func TestStitchBounded(t *testing.T) {
	pile := func(x int32, n int) Tile {
		s := sheet{float32(x) * 10, 0, float32(x)*10 + 10, 10, 0}
		tile := borderTile(x, 0, s)
		tile.Polys = slices.Repeat(tile.Polys, n)
		return tile
	}
	if _, a := mustNew(t, gridParams(), pile(0, 12), pile(1, 12)); a.Portals != 2*12*12 {
		t.Errorf("%d portals", a.Portals)
	}
	_, _, err := New(gridParams(), []Tile{pile(0, 100), pile(1, 100)})
	var te *TileError
	if !errors.As(err, &te) || te.Field != "Polys.Neis" {
		t.Errorf("got %v", err)
	}
}

// TestStitchTower links 300 storeys across a border, each to its like.
func TestStitchTower(t *testing.T) {
	var west, east []sheet
	for y := range 300 {
		west = append(west, sheet{0, 0, 10, 10, float32(3 * y)})
		east = append(east, sheet{10, 0, 20, 10, float32(3 * y)})
	}
	m, a := mustNew(t, gridParams(), borderTile(0, 0, west...), borderTile(1, 0, east...))
	if a.Portals != 600 || m.IslandCount() != 300 || m.StoreyCount() != 300 {
		t.Errorf("%d portals, %d islands, %d storeys", a.Portals, m.IslandCount(), m.StoreyCount())
	}
}
