package bnav

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"wend/pack"
)

// drawContent draws a small pack, every optional section of which may be
// present, empty or absent.
func drawContent(t *rapid.T) *Content {
	c := &Content{}
	u32 := rapid.Uint32()
	coord := func(what string) float32 {
		return rapid.OneOf(rapid.Float32Range(-100, 100), rapid.Just(float32(0)), rapid.Float32()).Filter(finite).Draw(t, what)
	}
	vertices := rapid.IntRange(0, 12).Draw(t, "vertices")
	for range vertices {
		c.Vertices = append(c.Vertices, Vertex{coord("u"), coord("v"), coord("h")})
	}
	triangles := 0
	if vertices >= 3 {
		triangles = rapid.IntRange(0, 20).Draw(t, "triangles")
	}
	for i := range triangles {
		perm := rapid.Permutation(seq(vertices)).Draw(t, "corners")
		tri := Triangle{V: [3]uint32{uint32(perm[0]), uint32(perm[1]), uint32(perm[2])}, N: [3]int32{-1, -1, -1}}
		for k := range 3 {
			if n := rapid.IntRange(-1, triangles-1).Draw(t, "neighbour"); n != i {
				tri.N[k] = int32(n)
			}
		}
		c.Triangles = append(c.Triangles, tri)
	}
	if rapid.Bool().Draw(t, "own components") {
		c.Components = rapid.SliceOfN(rapid.OneOf(rapid.Uint32Range(0, 2), u32), triangles, triangles).Draw(t, "components")
	}
	source := uint32(0)
	for range rapid.IntRange(1, 20).Draw(t, "links") {
		source += rapid.OneOf(rapid.Just[uint32](0), rapid.Uint32Range(0, 3)).Draw(t, "step")
		if triangles > 0 {
			c.Links = append(c.Links, Link{min(source, uint32(triangles-1)), rapid.Uint32Range(0, uint32(triangles-1)).Draw(t, "target")})
		}
	}
	if len(c.Links) == 0 {
		c.Links = append(c.Links, Link{7, 9}) // dropped by a load
	}
	drawZones(t, c)
	if rapid.Bool().Draw(t, "surfaces") {
		c.Surfaces = make([]Surface, triangles)
		for i := range c.Surfaces {
			c.Surfaces[i] = Surface{rapid.Byte().Draw(t, "area"), rapid.Byte().Draw(t, "type"), u32.Draw(t, "flags")}
		}
	}
	drawOffMesh(t, c)
	if rapid.Bool().Draw(t, "profile") {
		p := &Profile{Profile: (&Content{}).Rules(), Name: rapid.SampledFrom([]string{"", "human", "größer"}).Draw(t, "profile name")}
		p.Climb = rapid.Float64Range(1.25, 9).Draw(t, "climb")
		p.Slope = rapid.Float64Range(0.1, 4).Draw(t, "slope")
		p.MergeHeight = p.Slope * p.CellSize
		p.WalkMask = max(1, u32.Draw(t, "mask"))
		c.Profile = p
	}
	if rapid.Bool().Draw(t, "grid") {
		c.Grid = drawGrid(t, c.Zones)
	}
	for _, tag := range []string{"WAAA", "w zz"} {
		if rapid.Bool().Draw(t, tag) {
			c.Extra = append(c.Extra, pack.Extra{Tag: tag, Data: rapid.SliceOf(rapid.Byte()).Draw(t, "extra bytes")})
		}
	}
	return c
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func drawZones(t *rapid.T, c *Content) {
	n := rapid.IntRange(1, 4).Draw(t, "zones")
	left := uint32(len(c.Triangles))
	first := uint32(0)
	for i := range n {
		z := Zone{
			ID: uint16(10 + i), Name: fmt.Sprint(rapid.SampledFrom([]string{"z", "zone", "区", "a zone with a longer name"}).Draw(t, "name"), i),
			Width: 64, Height: 32, SX: rapid.Float32Range(-2, 2).Draw(t, "sx"), SY: 1, FloorY: NoFloor,
		}
		if i > 0 && rapid.Bool().Draw(t, "tier") {
			z.Flags, z.Components, z.FloorY = TierFlag, 10, rapid.Float32Range(-5, 5).Draw(t, "floor")
		} else {
			z.FirstTri, z.TriCount, z.Components = first, rapid.Uint32Range(0, left).Draw(t, "owned"), 3
			first, left = first+z.TriCount, left-z.TriCount
		}
		c.Zones = append(c.Zones, z)
	}
}

func drawOffMesh(t *rapid.T, c *Content) {
	c.OffMeshVersion = rapid.IntRange(0, 2).Draw(t, "off-mesh version")
	if c.OffMeshVersion == 0 {
		return
	}
	c.OffMesh = []OffMeshLink{}
	for i := range rapid.IntRange(0, 4).Draw(t, "off-mesh links") {
		k := OffMeshLink{
			Index: uint32(i), ZoneID: rapid.SampledFrom(c.Zones).Draw(t, "zone").ID, Kind: rapid.Uint8Range(0, 1).Draw(t, "kind"),
			IsExt: rapid.Int32().Draw(t, "ext"), Bidirectional: rapid.Int32().Draw(t, "both ways"), Area: rapid.Int32().Draw(t, "area"),
			LinkType: rapid.Uint16().Draw(t, "type"), Direction: rapid.Byte().Draw(t, "direction"), Radius: rapid.Float32Range(0, 9).Draw(t, "radius"),
			CostModifier: rapid.Float32Range(-9, 9).Draw(t, "cost"), StartTri: NoTriangle, EndTri: NoTriangle,
		}
		for p := range k.Points {
			k.Points[p] = Vertex{float32(p), float32(i), rapid.Float32Range(-9, 9).Draw(t, "h")}
		}
		if c.OffMeshVersion == 2 {
			k.DirOK = rapid.Uint8Range(0, 3).Draw(t, "directions")
			if n := uint32(len(c.Triangles)); n > 0 && rapid.Bool().Draw(t, "anchored") {
				k.StartTri, k.EndTri = rapid.Uint32Range(0, n-1).Draw(t, "start"), rapid.Uint32Range(0, n-1).Draw(t, "end")
			}
		}
		c.OffMesh = append(c.OffMesh, k)
	}
}

// drawGrid draws a grid of small tiles.
func drawGrid(t *rapid.T, zones []Zone) *Grid {
	enc, err := NewTileEncoder(Level(rapid.IntRange(0, 10).Draw(t, "level")))
	if err != nil {
		t.Fatal(err)
	}
	var list []NewZone
	for i := range zones {
		if zones[i].IsTier() {
			continue
		}
		z := NewZone{Name: zones[i].Name, X0: -3, Y0: 4.5}
		total := uint32(0)
		for k := range rapid.IntRange(0, 3).Draw(t, "tiles") {
			nx, ny := rapid.Int32Range(1, 9).Draw(t, "nx"), rapid.Int32Range(1, 9).Draw(t, "ny")
			recs := drawRecords(t, nx, ny)
			payload, err := enc.Encode(recs, nx, ny)
			if err != nil {
				t.Fatal(err)
			}
			tile := Tile{GX0: int32(9 * k), GY0: -7, NX: nx, NY: ny, PX0: rapid.Int32Range(0, nx-1).Draw(t, "px0"), PX1: nx - 1, PY1: ny - 1, Records: uint32(len(recs))}
			z.Tiles = append(z.Tiles, NewTile{tile, payload})
			total += uint32(len(recs))
		}
		if z.GlobalRegions = min(5, total); total > 0 && total < 5 {
			z.Tiles = nil // too few records for the regions they may have
			z.GlobalRegions = 0
		}
		list = append(list, z)
	}
	g, err := NewGrid(2, 0.25, list)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// drawRecords draws records of a tile, of regions 1 to 5.
func drawRecords(t *rapid.T, nx, ny int32) []Record {
	var recs []Record
	for cell := range nx * ny {
		for range rapid.SampledFrom([]int{0, 0, 1, 1, 1, 2, 5}).Draw(t, "depth") {
			r := Record{
				Cell: cell, Region: rapid.Uint32Range(1, 5).Draw(t, "region"),
				H:   float32(rapid.Int32Range(-5000, 5000).Draw(t, "height")) / 64,
				Clr: rapid.Uint16().Draw(t, "clearance"), Flags: rapid.Uint8Range(0, AllFlags).Draw(t, "flags"), Steps: rapid.Byte().Draw(t, "steps"),
			}
			if r.Flags&Fill != 0 {
				r.H = 0
			}
			recs = append(recs, r)
		}
	}
	SortRecords(recs)
	return recs
}

// tinyContent is a pack with all sections, a tier, two zones with triangles
// and two tiles.
func tinyContent(t testing.TB, level Level) *Content {
	t.Helper()
	c := &Content{
		Vertices: []Vertex{{0, 0, 1}, {8, 0, 1}, {0, 8, 1.25}, {8, 8, 1.5}, {20, 0, 3}, {28, 0, 3}, {20, 8, 3}},
		Triangles: []Triangle{
			{V: [3]uint32{0, 1, 2}, N: [3]int32{-1, 1, -1}},
			{V: [3]uint32{1, 3, 2}, N: [3]int32{-1, -1, 0}},
			{V: [3]uint32{4, 5, 6}, N: [3]int32{-1, -1, -1}},
		},
		Links: []Link{{0, 1}, {1, 0}, {2, 2}},
		Zones: []Zone{
			{ID: 1, Name: "yard", TriCount: 2, Components: 1, Width: 8, Height: 8, SX: 1, SY: 1, FloorY: NoFloor},
			{ID: 2, Name: "roof", FirstTri: 2, TriCount: 1, Components: 1, Width: 8, Height: 8, SX: 1, TX: -20, SY: 1, FloorY: NoFloor},
			{ID: 3, Flags: TierFlag, Name: "yard 2F", Components: 1, Width: 16, Height: 16, SX: 0.5, SY: -0.5, TY: 8, FloorY: 4},
		},
		Surfaces: []Surface{{1, 2, 1}, {1, 2, 0x20000}, {3, 4, 2}},
		OffMesh: []OffMeshLink{
			{ZoneID: 1, Kind: 1, Bidirectional: 1, Area: 5, Radius: 0.5, CostModifier: 2, DirOK: 3, StartTri: 0, EndTri: 1},
			{Index: 1, ZoneID: 2, DirOK: 1, StartTri: 2, EndTri: NoTriangle},
		},
		OffMeshVersion: 2,
	}
	p := &Profile{Profile: c.Rules(), Name: "tall"}
	p.Climb = 4
	c.Profile = p
	enc, err := NewTileEncoder(level)
	if err != nil {
		t.Fatal(err)
	}
	var zones []NewZone
	for zi, name := range []string{"yard", "roof"} {
		var recs []Record
		for cell := int32(0); cell < 30; cell++ {
			if cell%7 != 3 {
				recs = append(recs, Record{cell, uint32(1 + cell/20), 1 + float32(cell%6)/64, uint16(cell), Walk | Core, uint8(cell & 5)})
			}
			if cell%4 == 0 {
				recs = append(recs, Record{cell, 2, 4.5 + float32(cell)/32, 300, Dead | Walk, 0})
			}
			if cell%9 == 5 {
				recs = append(recs, Record{cell, 3, 0, 0, Fill, 0})
			}
		}
		SortRecords(recs)
		payload, err := enc.Encode(recs, 6, 5)
		if err != nil {
			t.Fatal(err)
		}
		zones = append(zones, NewZone{name, float64(zi), 0, 3, []NewTile{
			{Tile{GX0: int32(80 * zi), NX: 6, NY: 5, PX0: 1, PX1: 4, PY1: 3, Records: uint32(len(recs))}, payload},
			{Tile{GX0: int32(80*zi + 6), NX: 6, NY: 5, PX1: 5, PY1: 4}, nil},
		}})
	}
	if c.Grid, err = NewGrid(1, 0.25, zones); err != nil {
		t.Fatal(err)
	}
	return c
}

func tinyPack(t testing.TB, level Level) []byte {
	t.Helper()
	data, _, err := Encode(t.Context(), tinyContent(t, level), &EncodeOptions{ChunkLen: ChunkLen{3, 2, 2}, Level: level})
	if err != nil {
		t.Fatal(err)
	}
	return data
}
