package spanbake

import (
	"slices"
	"testing"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// fixture is a small level that went through the whole bake.
type fixture struct {
	t       *testing.T
	res     *Result
	l       loaded
	records []twinRecord
	graphs  []twinGraph
	walls   []string
}

func bakeFixture(t *testing.T, build func(m *mesh)) *fixture {
	t.Helper()
	m := newMesh()
	build(m)
	m.zone(1, "fixture")
	return bakedFixture(t, m.input())
}

func bakedFixture(t *testing.T, in *Input) *fixture {
	t.Helper()
	f := &fixture{t: t, res: bakeInput(t, in, Options{Tile: 64, Workers: 2, Level: 1})}
	f.l = load(t, f.res)
	f.records, f.graphs, f.walls = readBack(t, f.res)
	return f
}

// at returns the records of the cell of a point.
func (f *fixture) at(u, v float64) []twinRecord {
	c := cellAt(u, v)
	var list []twinRecord
	for _, r := range f.records {
		if r.x == c.x && r.y == c.y {
			list = append(list, r)
		}
	}
	return list
}

// one returns the record of a cell that has a single one.
func (f *fixture) one(u, v float64) twinRecord {
	f.t.Helper()
	list := f.at(u, v)
	if len(list) != 1 {
		f.t.Fatalf("%d records at (%v, %v): %+v", len(list), u, v, list)
	}
	return list[0]
}

// want checks the number of regions, and components and ways of the first.
func (f *fixture) want(regions, components int, edges ...[2]int) {
	f.t.Helper()
	if len(f.graphs) != regions || f.graphs[0].components != components || !slices.Equal(f.graphs[0].edges, edges) {
		f.t.Errorf("graphs %+v, want %d regions, the first with %d components and ways %v", f.graphs, regions, components, edges)
	}
}

func slope(rise float32) func(i, j int) float32 {
	return func(i, _ int) float32 { return rise * float32(i) }
}

func TestFixtureSquare(t *testing.T) {
	f := bakeFixture(t, func(m *mesh) { m.sheet(0, 0, 4, 1, 1, flat(1), nil) })
	f.want(1, 1)
	for _, r := range f.records {
		// The floor ends on cell lines: the walls lie in the cells beyond its
		// high sides, and in the first cells of its low ones.
		rim := r.x == 0 || r.y == 0 || r.x == 16 || r.y == 16
		if (r.flags&1 != 0) != rim || r.h != 64 {
			t.Errorf("%+v: dead on the rim, and nowhere else", r)
		}
	}
}

func TestFixtureRamps(t *testing.T) {
	for _, c := range []struct {
		rise        float32 // metres a cell
		gate, stays bool
	}{{0.24, false, false}, {0.30, true, false}, {0.60, true, true}} {
		f := bakeFixture(t, func(m *mesh) { m.sheet(0, 0, 6, 1, 1, slope(4*6*c.rise), nil) })
		r := f.one(4.1, 1.6)
		if r.steps&1 != 0 != c.gate || r.steps2&1 != 0 != c.stays || r.steps&2 != 0 {
			t.Errorf("rise of %v: steps %#x, re-judged %#x", c.rise, r.steps, r.steps2)
		}
	}
}

// stairs are three treads of 3 m with two risers.
func stairs(rise float32) func(m *mesh) {
	return func(m *mesh) {
		for k := range 3 {
			m.sheet(3*float32(k)+0.1, 0, 3, 1, 1, flat(float32(k)*rise), nil)
		}
	}
}

func TestFixtureStairs(t *testing.T) {
	bakeFixture(t, stairs(0.5)).want(1, 1)
	f := bakeFixture(t, stairs(1))
	f.want(1, 3, [2]int{2, 1}, [2]int{3, 2})
	for _, r := range f.records {
		if r.seg != 0 {
			t.Errorf("%+v: a riser of 1 m stops no sight", r)
		}
	}
}

// A narrow kerb is stepped over, both ways; a wide one is not.
func TestFixtureKerb(t *testing.T) {
	kerb := func(width float32) func(m *mesh) {
		return func(m *mesh) {
			m.sheet(0, 0, 4, 1, 1, flat(0), nil)
			m.tri(bnav.Vertex{U: 4.3, H: 0.8}, bnav.Vertex{U: 4.3 + width, H: 0.8}, bnav.Vertex{U: 4.3 + width, V: 4, H: 0.8}, 0, 1)
			m.tri(bnav.Vertex{U: 4.3, H: 0.8}, bnav.Vertex{U: 4.3 + width, V: 4, H: 0.8}, bnav.Vertex{U: 4.3, V: 4, H: 0.8}, 0, 1)
			m.sheet(4.55+width, 0, 4, 1, 1, flat(0), nil)
		}
	}
	bakeFixture(t, kerb(0.4)).want(1, 1) // columns 17 and 18
	f := bakeFixture(t, kerb(2))
	if f.graphs[0].components != 3 {
		t.Errorf("a kerb of 2 m: %+v", f.graphs)
	}
}

// A bridge is a region of its own until a ramp leads to it; the road below keeps
// its core.
func TestFixtureBridge(t *testing.T) {
	road := func(m *mesh) { m.sheet(0, 0, 4, 6, 6, flat(0), nil) }
	deck := func(m *mesh) { m.sheet(0, 8.1, 4, 3, 1, flat(5), nil) }
	ramp := func(m *mesh) { m.sheet(12, 8.1, 1, 8, 4, func(i, _ int) float32 { return 5 - float32(i)*0.625 }, nil) }
	apart := bakeFixture(t, func(m *mesh) { road(m); deck(m) })
	if len(apart.graphs) != 2 {
		t.Errorf("a bridge without a ramp: %d regions", len(apart.graphs))
	}
	joined := bakeFixture(t, func(m *mesh) { road(m); deck(m); ramp(m) })
	joined.want(1, 1)
	for _, f := range []*fixture{apart, joined} {
		list := f.at(6.1, 10.1)
		if len(list) != 2 || list[0].h != 0 || list[0].flags&4 == 0 || list[1].h != 5*64 {
			t.Errorf("under the deck: %+v", list)
		}
	}
}

func TestFixtureLedges(t *testing.T) {
	f := bakeFixture(t, func(m *mesh) {
		m.sheet(0, 0, 6, 1, 1, flat(2), nil)
		m.sheet(6.1, 0, 6, 1, 1, flat(0), nil)
	})
	f.want(1, 2, [2]int{1, 2}) // the ledge begins in the lower column
	// From the top one may fall all the way, past the link limit.
	f = bakeFixture(t, func(m *mesh) {
		m.sheet(0, 0, 6, 1, 1, flat(5), nil)
		m.sheet(0, 6.1, 6, 1, 1, flat(2.5), nil)
		m.sheet(6.1, 6.1, 6, 1, 1, flat(0), nil)
		m.sheet(6.1, 0, 6, 1, 1, flat(0), nil)
	})
	f.want(1, 3, [2]int{1, 2}, [2]int{1, 3}, [2]int{3, 2}) // top, ground, middle: in the order of their first cells
}

// Through a hole that one would step over no drop leads, and through a wide one
// it does.
func TestFixtureHoleInDeck(t *testing.T) {
	for _, c := range []struct {
		hole  float32
		drops int
	}{
		{0.4, 0}, {0.65, 0},
		{1.4, 0},  // 25 cells: filled
		{1.65, 1}, // 36 cells
		{3, 1},
	} {
		f := bakeFixture(t, func(m *mesh) {
			m.sheet(8, 8, 4, 2, 2, flat(0), nil)
			low, high := float32(11.1), 11.1+c.hole
			// The deck reaches beyond the floor on all sides.
			for _, q := range [][4]float32{{4, 4, 20, low}, {4, high, 20, 20}, {4, low, low, high}, {high, low, 20, high}} {
				a, b := bnav.Vertex{U: q[0], V: q[1], H: 5}, bnav.Vertex{U: q[2], V: q[1], H: 5}
				c, d := bnav.Vertex{U: q[2], V: q[3], H: 5}, bnav.Vertex{U: q[0], V: q[3], H: 5}
				m.tri(a, b, c, 0, 1)
				m.tri(a, c, d, 0, 1)
			}
		})
		if n := f.res.Report.Zones[0].Drops; n != c.drops || len(f.graphs) != 2 {
			t.Errorf("a hole of %v px: %d drops in %d regions, want %d in 2", c.hole, n, len(f.graphs), c.drops)
		}
	}
}

// Two floors that overlap at one height: the borders inside are no walls.
func TestFixtureOverlappingPatches(t *testing.T) {
	// All cells of the outline have their middle inside.
	const side = 0.50625
	single := bakeFixture(t, func(m *mesh) { m.sheet(0.1, 0.1, side, 20, 16, flat(0), nil) })
	double := bakeFixture(t, func(m *mesh) {
		m.sheet(0.1, 0.1, side, 16, 16, flat(0), nil)
		m.index = map[bnav.Vertex]uint32{} // corners of its own
		m.sheet(0.1+8*side, 0.1, side, 12, 16, flat(0), nil)
	})
	if len(double.walls) <= len(single.walls) {
		t.Fatalf("%d walls, %d of the single floor", len(double.walls), len(single.walls))
	}
	if len(single.records) != len(double.records) {
		t.Fatalf("%d records, want %d", len(double.records), len(single.records))
	}
	for i, a := range single.records {
		b := double.records[i]
		if a.clr != b.clr || a.clr2 != b.clr2 || a.medial != b.medial {
			t.Errorf("%+v, as one floor %+v", b, a)
		}
	}
}

// Four floors with gaps of one cell between them: the arms of the cross are
// bridged, its middle is filled as a hole.
func TestFixtureCross(t *testing.T) {
	f := bakeFixture(t, func(m *mesh) {
		for k := range 4 {
			m.sheet(float32(k%2)*4.5, float32(k/2)*4.5, 4, 1, 1, flat(0), nil)
		}
	})
	f.want(1, 1)
	for k := range 34 {
		for _, r := range [2]twinRecord{f.one(4.25+0.1, float64(k)/4+0.1), f.one(float64(k)/4+0.1, 4.25+0.1)} {
			if ghost := k == 17; r.flags&8 != 0 != ghost {
				t.Errorf("%+v: the middle of the gap is no floor, its arms are", r)
			}
		}
	}
	if r := f.one(4.35, 4.35); r.h != 0 || r.flags&1 != 0 || r.flags&4 == 0 {
		t.Errorf("the middle: %+v", r)
	}
}

// Water has no floor, and its shore is a wall.
func TestFixtureWater(t *testing.T) {
	m := newMesh()
	m.sheet(0.1, 0.1, 2, 6, 3, flat(0), nil)
	m.zone(1, "shore")
	for i := range m.c.Triangles {
		if m.c.Vertices[m.c.Triangles[i].V[0]].U > 7 {
			m.c.Surfaces[i] = bnav.Surface{Area: 1, Flags: 2}
		}
	}
	f := bakedFixture(t, m.input())
	for _, r := range f.records {
		if r.x > 32 {
			t.Errorf("floor in the water: %+v", r)
		}
		if shore := r.x == 32; shore && r.flags&1 == 0 {
			t.Errorf("no wall at the shore: %+v", r)
		}
	}
	if n := 4 + 4 + 3 + 3; len(f.walls) != n {
		t.Errorf("%d walls, want %d", len(f.walls), n)
	}
}

// Landings, and why there are none.
func TestFixtureLandings(t *testing.T) {
	m := newMesh()
	m.sheet(0, 0, 4, 3, 3, flat(0), func(i, j int) bool { return i == 1 && j == 1 })
	m.zone(1, "landings")
	in := m.input()
	good := bnav.Vertex{U: 2.1, V: 2.1}
	ends := []bnav.Vertex{
		{U: 10.1, V: 10.1, H: 0.5}, {U: 900, V: 2, H: 0}, {U: 6.1, V: 6.1}, {U: 2.1, V: 10.1, H: 30}, {U: 0.05, V: 6},
	}
	reasons := []uint8{bnvf.WhyUsable, bnvf.WhyOutside, bnvf.WhyNoSurface, bnvf.WhyNoBand, bnvf.WhyUsable}
	for i, e := range ends {
		in.Content.OffMesh = append(in.Content.OffMesh, bnav.OffMeshLink{
			Index: uint32(i), ZoneID: 1, DirOK: 3, Points: [4]bnav.Vertex{good, good, e, e}, StartTri: bnav.NoTriangle, EndTri: bnav.NoTriangle,
		})
	}
	in.Content.OffMeshVersion = 2
	f := bakedFixture(t, in)
	for i, l := range f.l.fields.Landings {
		if l.Lo.Why != bnvf.WhyUsable || l.Hi.Why != reasons[i] || (l.Valid == bnvf.LoUsable|bnvf.HiUsable) != (reasons[i] == bnvf.WhyUsable) {
			t.Errorf("landing %d: %+v, want reason %d", i, l, reasons[i])
		}
	}
	if len(f.l.fields.Landings) != len(ends) {
		t.Errorf("%d landings", len(f.l.fields.Landings))
	}
}

// Two floors far apart: the tiles between them have nothing.
func TestFixtureEmptyMiddle(t *testing.T) {
	f := bakeFixture(t, func(m *mesh) {
		m.sheet(-50, 3, 4, 2, 2, flat(0), nil)
		m.sheet(60, 40, 4, 2, 2, flat(9), nil)
	})
	empty := 0
	tiles := f.l.main.Grid.Zones[0].Tiles
	for i := range tiles {
		if tiles[i].Records == 0 {
			empty++
		}
	}
	if len(tiles) < 24 || empty < len(tiles)-8 || len(f.graphs) != 2 {
		t.Errorf("%d tiles, %d of them empty, %d regions", len(tiles), empty, len(f.graphs))
	}
}

// Upright triangles make columns of many heights: nothing steps into them, and
// each gate beside them stops sight.
func TestFixtureUprightWall(t *testing.T) {
	f := bakeFixture(t, func(m *mesh) {
		m.sheet(0, 0, 2.975, 2, 2, flat(0), nil)
		for k := range 5 {
			low, high := 0.5+float32(k), 1.5+float32(k)
			a, b := bnav.Vertex{U: 6.1, H: low}, bnav.Vertex{U: 6.1, V: 5.95, H: low}
			c, d := bnav.Vertex{U: 6.1, V: 5.95, H: high}, bnav.Vertex{U: 6.1, H: high}
			m.tri(a, b, c, 0, 1)
			m.tri(a, c, d, 0, 1)
		}
	})
	gates := 0
	for y := 0.1; y < 5.9; y += 0.25 {
		r, wall := f.one(5.8, y), f.at(6.1, y)
		if len(wall) < 3 || wall[len(wall)-1].h-wall[0].h <= 192 {
			t.Fatalf("column of the wall: %+v", wall)
		}
		if r.steps&1 == 0 {
			continue
		}
		gates++
		if r.steps2&1 == 0 || r.seg&1 == 0 {
			t.Errorf("%+v: a step into the wall", r)
		}
	}
	if gates < 20 {
		t.Errorf("%d gates before the wall", gates)
	}
}
