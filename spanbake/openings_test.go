package spanbake

import "testing"

// TestSeamsOpen lays two floors side by side with a slit between them that is
// narrower than a cell and a half: the cells in the slit are dead, have no middle
// inside a triangle, and only seams close them.
func TestSeamsOpen(t *testing.T) {
	m := newMesh()
	m.sheet(0, 0, 4, 3, 6, flat(0), nil)
	m.sheet(12.3125, 0, 4, 3, 6, flat(0.125), nil)
	m.zone(1, "seams")
	for _, tile := range []int{64, 512} {
		l := load(t, bakeInput(t, m.input(), Options{Tile: tile}))
		if len(l.fields.Openings) == 0 {
			t.Fatalf("tiles of %d: no cell can be opened", tile)
		}
		for _, o := range l.fields.Openings {
			if o.GX < 48 || o.GX > 49 || o.Clr == 0 {
				t.Errorf("tiles of %d: %+v is opened, and the slit is in columns 48 and 49", tile, o)
			}
		}
	}
	// Beyond the edge of a floor alone is nothing.
	lone := newMesh()
	lone.sheet(0, 0, 4, 6, 6, flat(0), nil)
	lone.zone(1, "lone")
	if l := load(t, bakeInput(t, lone.input(), Options{})); len(l.fields.Openings) != 0 {
		t.Fatalf("%d cells of a lone floor are opened", len(l.fields.Openings))
	}
}
