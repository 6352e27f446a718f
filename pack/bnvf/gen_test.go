package bnvf

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"wend/pack"
	"wend/pack/bnav"
)

// tb is what *testing.T and *rapid.T have in common here.
type tb interface {
	Helper()
	Fatal(args ...any)
}

// makeMain writes and loads a main pack with two zones. sizes gives the tiles
// of each zone as numbers of records.
func makeMain(t tb, sizes [2][]int) *bnav.Pack {
	t.Helper()
	c := &bnav.Content{
		Vertices: []bnav.Vertex{{U: 0}, {U: 8}, {V: 8}, {U: 8, V: 8}, {U: 20}, {U: 28}, {U: 20, V: 8}},
		Triangles: []bnav.Triangle{
			{V: [3]uint32{0, 1, 2}, N: [3]int32{-1, 1, -1}}, {V: [3]uint32{1, 3, 2}, N: [3]int32{-1, -1, 0}}, {V: [3]uint32{4, 5, 6}, N: [3]int32{-1, -1, -1}},
		},
		Links: []bnav.Link{{Source: 0, Target: 1}, {Source: 1, Target: 0}},
		Zones: []bnav.Zone{
			{ID: 4, Name: "yard", TriCount: 2, SX: 1, SY: 1, FloorY: bnav.NoFloor},
			{ID: 2, Name: "roof", FirstTri: 2, TriCount: 1, SX: 1, SY: 1, FloorY: bnav.NoFloor},
		},
		OffMesh: []bnav.OffMeshLink{{ZoneID: 4, StartTri: 0, EndTri: 1}, {ZoneID: 2, StartTri: 2, EndTri: bnav.NoTriangle}, {ZoneID: 4, StartTri: 1, EndTri: 0}},
	}
	enc, err := bnav.NewTileEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	var zones []bnav.NewZone
	for zi, tiles := range sizes {
		z := bnav.NewZone{Name: c.Zones[zi].Name}
		for k, n := range tiles {
			var recs []bnav.Record
			for i := range n {
				r := bnav.Record{Cell: int32(i * 2 / 3), Region: uint32(1 + i%2), H: float32(i) / 8, Clr: uint16(3 * i), Flags: bnav.Walk | bnav.Core, Steps: uint8(37 * i)}
				if i%5 == 4 {
					r.Flags = bnav.Dead | bnav.Walk
				}
				recs = append(recs, r)
			}
			bnav.SortRecords(recs)
			payload, err := enc.Encode(recs, 6, 5)
			if err != nil {
				t.Fatal(err)
			}
			z.Tiles = append(z.Tiles, bnav.NewTile{Tile: bnav.Tile{GX0: int32(6 * k), NX: 6, NY: 5, PX1: 5, PY1: 4, Records: uint32(n)}, Payload: payload})
			z.GlobalRegions = max(z.GlobalRegions, min(uint32(n), 2))
		}
		zones = append(zones, z)
	}
	if c.Grid, err = bnav.NewGrid(2, 0, zones); err != nil {
		t.Fatal(err)
	}
	data, _, err := bnav.Encode(tContext(t), c, nil)
	if err != nil {
		t.Fatal(err)
	}
	main, err := bnav.Load(tContext(t), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return main
}

// records decodes a tile of the main pack.
func records(t tb, main *bnav.Pack, zone, tile int) []bnav.Record {
	t.Helper()
	var dec bnav.TileDecoder
	recs, err := dec.Decode(main.Grid, zone, tile, nil)
	if err != nil {
		t.Fatal(err)
	}
	return recs
}

// drawContent draws a sidecar for a main pack of [makeMain].
func drawContent(t *rapid.T, main *bnav.Pack, level bnav.Level) (*Content, [][]Columns) {
	enc, err := NewColumnEncoder(level)
	if err != nil {
		t.Fatal(err)
	}
	c := &Content{}
	for _, tag := range []string{"WAAA", "w zz"} {
		if rapid.Bool().Draw(t, tag) {
			c.Extra = append(c.Extra, pack.Extra{Tag: tag, Data: rapid.SliceOf(rapid.Byte()).Draw(t, "extra bytes")})
		}
	}
	var all [][]Columns
	for zi := range main.Grid.Zones {
		gz := &main.Grid.Zones[zi]
		z := NewZone{Name: gz.Name, GlobalRegions: gz.GlobalRegions}
		var cols []Columns
		for k := range gz.Tiles {
			var col Columns
			for _, r := range records(t, main, zi, k) {
				col.Component = append(col.Component, rapid.Uint32Range(0, 3).Draw(t, "component"))
				col.StepsXor = append(col.StepsXor, rapid.Byte().Draw(t, "steps"))
				col.Seg = append(col.Seg, rapid.Uint8Range(0, 3).Draw(t, "seg"))
				col.Tax = append(col.Tax, rapid.Byte().Draw(t, "tax"))
				col.ClrDrop = append(col.ClrDrop, rapid.Uint16Range(0, r.Clr).Draw(t, "drop"))
				col.Medial = append(col.Medial, rapid.Uint8Range(0, 1).Draw(t, "medial"))
			}
			payload, err := enc.Encode(&col)
			if err != nil {
				t.Fatal(err)
			}
			z.Tiles = append(z.Tiles, NewTile{uint32(col.Len()), payload})
			cols = append(cols, col)
		}
		all = append(all, cols)
		records := uint32(gz.Records())
		for id := uint32(1); id <= gz.GlobalRegions; id++ {
			g := RegionGraph{Region: id, Components: rapid.Uint32Range(1, max(1, records/2)).Draw(t, "components")}
			for from := uint32(1); from <= g.Components; from++ {
				for to := from + 1; to <= g.Components; to++ {
					if rapid.IntRange(0, 3).Draw(t, "edge") == 0 {
						g.Edges = append(g.Edges, Edge{from, to})
					}
				}
			}
			z.Graphs = append(z.Graphs, g)
		}
		for key := range uint32(3 * main.Table[zi].TriCount) {
			w := Wall{Key: key}
			for id := range gz.GlobalRegions + 1 {
				if rapid.Bool().Draw(t, "wall") {
					w.Regions = append(w.Regions, id)
				}
			}
			if rapid.Bool().Draw(t, "boundary") {
				z.Walls = append(z.Walls, w)
			}
		}
		c.Zones = append(c.Zones, z)
	}
	drawOptional(t, main, c)
	return c, all
}

func drawOptional(t *rapid.T, main *bnav.Pack, c *Content) {
	if rapid.Bool().Draw(t, "landings") {
		c.Landings = []Landing{}
		for i, k := range main.OffMesh {
			if !rapid.Bool().Draw(t, "landing") {
				continue
			}
			l := Landing{
				OffMesh: uint32(i), ZoneID: k.ZoneID, Kind: rapid.Uint8Range(0, 1).Draw(t, "kind"), Bidirectional: rapid.Int32().Draw(t, "both ways"),
				Area: rapid.Int32().Draw(t, "area"), Radius: rapid.Float32Range(-1, 1).Draw(t, "radius"),
			}
			for end, s := range []*Side{&l.Lo, &l.Hi} {
				*s = Side{
					GX: rapid.Int32().Draw(t, "gx"), GY: rapid.Int32().Draw(t, "gy"), H: rapid.Float32Range(-9, 9).Draw(t, "h"),
					Clr: rapid.Uint16().Draw(t, "clr"), Flags: rapid.Uint8Range(0, bnav.AllFlags).Draw(t, "flags"), Why: rapid.Uint8Range(0, 4).Draw(t, "why"),
				}
				if s.Why == WhyUsable {
					l.Valid |= 1 << end
				}
			}
			c.Landings = append(c.Landings, l)
		}
		slices.SortFunc(c.Landings, func(a, b Landing) int {
			return cmp.Or(cmp.Compare(a.ZoneID, b.ZoneID), cmp.Compare(a.OffMesh, b.OffMesh))
		})
	}
	if rapid.Bool().Draw(t, "openings") {
		c.Openings = []NewOpening{}
		for zi := range main.Grid.Zones {
			for k := range main.Grid.Zones[zi].Tiles {
				tile := &main.Grid.Zones[zi].Tiles[k]
				seen := map[Opening]bool{}
				for _, r := range records(t, main, zi, k) {
					o := Opening{GX: tile.GX0 + r.Cell%6, GY: r.Cell / 6, H: r.H}
					if rapid.IntRange(0, 2).Draw(t, "open") != 0 || seen[o] {
						continue
					}
					seen[o] = true
					o.Clr, o.Flags, o.Src = rapid.Uint16Range(0, 200).Draw(t, "clr"), bnav.Core, 1
					c.Openings = append(c.Openings, NewOpening{main.Table[zi].ID, o})
				}
			}
		}
		slices.SortFunc(c.Openings, func(a, b NewOpening) int {
			return cmp.Or(cmp.Compare(a.ZoneID, b.ZoneID), CompareOpenings(a.Opening, b.Opening))
		})
	}
}

// tiny is a fixed pair with all sections.
func tiny(t testing.TB, level bnav.Level) (*bnav.Pack, []byte) {
	t.Helper()
	main := makeMain(t, [2][]int{{9, 14}, {5}})
	enc, err := NewColumnEncoder(level)
	if err != nil {
		t.Fatal(err)
	}
	c := &Content{
		Landings: []Landing{
			{OffMesh: 1, ZoneID: 2, Valid: HiUsable, Radius: 1, Lo: Side{Why: WhyOutside, Declared: 2}, Hi: Side{GX: 1, GY: 2, H: 0.5, Region: 1, Clr: 9, Flags: 6}},
			{OffMesh: 0, ZoneID: 4, Kind: 1, Valid: LoUsable | HiUsable, CostModifier: 3, Lo: Side{Region: 1}, Hi: Side{GX: 1, Region: 2}},
		},
		Openings: []NewOpening{{4, Opening{GX: 2, GY: 0, H: 0.5, Clr: 40, Flags: bnav.Core, Src: 1}}, {4, Opening{GX: 3, GY: 1, H: 1.25, Clr: 2, Src: 2}}, {2, Opening{GX: 2, H: 0.5, Clr: 5}}},
	}
	for zi := range main.Grid.Zones {
		gz := &main.Grid.Zones[zi]
		z := NewZone{
			Name: gz.Name, GlobalRegions: gz.GlobalRegions,
			Graphs: []RegionGraph{{1, 3, []Edge{{1, 2}, {1, 3}, {2, 3}}}, {2, 1, nil}},
			Walls:  []Wall{{1, []uint32{1}}, {2, []uint32{1, 2}}},
		}
		for k := range gz.Tiles {
			var col Columns
			for i, r := range records(t, main, zi, k) {
				col.Component = append(col.Component, uint32(i%3+1))
				col.StepsXor = append(col.StepsXor, uint8(i/4))
				col.Seg, col.Tax = append(col.Seg, uint8(i%3)), append(col.Tax, uint8(i))
				col.ClrDrop, col.Medial = append(col.ClrDrop, r.Clr/2), append(col.Medial, uint8(i%2))
			}
			payload, err := enc.Encode(&col)
			if err != nil {
				t.Fatal(err)
			}
			z.Tiles = append(z.Tiles, NewTile{uint32(col.Len()), payload})
		}
		c.Zones = append(c.Zones, z)
	}
	data, err := Encode(t.Context(), c, main, &EncodeOptions{Level: level})
	if err != nil {
		t.Fatal(err)
	}
	return main, data
}
