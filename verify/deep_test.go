package verify_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"wend/geom"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/scene"
	"wend/spanbake"
	"wend/verify"
)

// yard is a floor of 24 x 8 m with a ledge of 2 m at its east end, a roof over a
// part of it, and a link from the floor to the roof.
func yard() *scene.Scene {
	sc := &scene.Scene{Parts: []scene.Part{{Name: "yard"}}}
	for _, q := range [][5]float64{{0, 18, 0, 8, 0}, {18, 24, 0, 8, 2}, {4, 9, 2, 7, 6}} {
		n := uint32(len(sc.Verts))
		sc.Verts = append(sc.Verts, geom.V3(q[0], q[4], q[2]), geom.V3(q[0], q[4], q[3]), geom.V3(q[1], q[4], q[3]), geom.V3(q[1], q[4], q[2]))
		sc.Tris = append(sc.Tris, scene.Tri{V: [3]uint32{n, n + 1, n + 2}}, scene.Tri{V: [3]uint32{n, n + 2, n + 3}})
	}
	sc.Links = []scene.Link{{From: geom.V3(2.1, 0, 4.1), To: geom.V3(6.1, 6, 4.1), Radius: 0.5, Cost: 3}}
	return sc
}

// bakedYard returns the bytes of the packs of the yard.
func bakedYard(t *testing.T) *spanbake.Result {
	t.Helper()
	return bakedLevel(t, yard())
}

func bakedLevel(t *testing.T, sc *scene.Scene) *spanbake.Result {
	t.Helper()
	in, _, err := spanbake.FromTriangles(t.Context(), sc, &spanbake.Level{Zone: "yard", Cell: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	res, err := spanbake.Run(t.Context(), in, &spanbake.Options{Tile: 64, Workers: 1, Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// A loaded set of packs of one zone, as values that a test may change.
type deepSet struct {
	content bnav.Content
	tiles   []bnav.Tile
	recs    [][]bnav.Record // by tile
	cols    []bnvf.Columns
	graphs  []bnvf.RegionGraph
	walls   []bnvf.Wall
	regions uint32 // the grid has
	fields  bnvf.Content
	links   []bnvf.Landing
	opens   []bnvf.NewOpening
}

func unpack(t *testing.T, res *spanbake.Result) *deepSet {
	t.Helper()
	p, err := bnav.Load(t.Context(), res.Main, &bnav.Options{Components: true})
	if err != nil {
		t.Fatal(err)
	}
	f, err := bnvf.Load(t.Context(), res.Fields, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &deepSet{content: p.Content, tiles: slices.Clone(p.Grid.Zones[0].Tiles), regions: p.Grid.Zones[0].GlobalRegions}
	s.content.Extra = nil
	var td bnav.TileDecoder
	var cd bnvf.ColumnDecoder
	for i := range s.tiles {
		recs, err := td.Decode(p.Grid, 0, i, nil)
		if err != nil {
			t.Fatal(err)
		}
		var cols bnvf.Columns
		if err := cd.Decode(f, 0, i, &cols); err != nil {
			t.Fatal(err)
		}
		s.recs, s.cols = append(s.recs, recs), append(s.cols, cols)
	}
	g, err := f.Graphs(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range g.Regions() {
		graph, _ := g.Region(r)
		s.graphs = append(s.graphs, graph)
	}
	w, err := f.Walls(0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range w.Len() {
		s.walls = append(s.walls, w.At(i))
	}
	s.links = slices.Clone(f.Landings)
	for _, o := range f.Openings {
		s.opens = append(s.opens, bnvf.NewOpening{ZoneID: f.OpeningZones[0].ZoneID, Opening: o})
	}
	return s
}

// pack writes the set, without a sidecar where fields is false.
func (s *deepSet) pack(t *testing.T, fields bool) fstest.MapFS {
	t.Helper()
	te, err := bnav.NewTileEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	ce, err := bnvf.NewColumnEncoder(1)
	if err != nil {
		t.Fatal(err)
	}
	zone := bnav.NewZone{Name: s.content.Grid.Zones[0].Name, X0: s.content.Grid.Zones[0].X0, Y0: s.content.Grid.Zones[0].Y0, GlobalRegions: s.regions}
	side := bnvf.NewZone{Name: zone.Name, GlobalRegions: s.regions, Graphs: s.graphs, Walls: s.walls}
	for i := range s.tiles {
		b, err := te.Encode(s.recs[i], s.tiles[i].NX, s.tiles[i].NY)
		if err != nil {
			t.Fatal(err)
		}
		tile := s.tiles[i]
		tile.Records = uint32(len(s.recs[i]))
		zone.Tiles = append(zone.Tiles, bnav.NewTile{Tile: tile, Payload: b})
		if b, err = ce.Encode(&s.cols[i]); err != nil {
			t.Fatal(err)
		}
		side.Tiles = append(side.Tiles, bnvf.NewTile{Records: tile.Records, Payload: b})
	}
	content := s.content
	if content.Grid, err = bnav.NewGrid(s.content.Grid.Tile, s.content.Grid.Apron, []bnav.NewZone{zone}); err != nil {
		t.Fatal(err)
	}
	data, _, err := bnav.Encode(t.Context(), &content, &bnav.EncodeOptions{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	out := fstest.MapFS{"yard.nav": &fstest.MapFile{Data: data}}
	if fields {
		p, err := bnav.Load(t.Context(), data, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := bnvf.Encode(t.Context(), &bnvf.Content{Zones: []bnvf.NewZone{side}, Landings: s.links, Openings: s.opens, Extra: s.fields.Extra}, p, &bnvf.EncodeOptions{Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		out["yard.fields.nav"] = &fstest.MapFile{Data: data}
	}
	return out
}

// find returns the tile and number of the first record that a test wants.
func (s *deepSet) find(t *testing.T, want func(r *bnav.Record, c *bnvf.Columns, k int) bool) (tile, k int) {
	t.Helper()
	for i := range s.recs {
		for k := range s.recs[i] {
			if want(&s.recs[i][k], &s.cols[i], k) {
				return i, k
			}
		}
	}
	t.Fatal("the yard has no such record")
	return 0, 0
}

func deepFaults(t *testing.T, fsys fstest.MapFS, own bool) []verify.Fault {
	t.Helper()
	faults, err := verify.Pack(t.Context(), fsys, "yard.nav", &verify.Options{Deep: true, Own: own, Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !own {
		return faults
	}
	again, err := verify.Pack(context.Background(), fsys, "yard.nav", &verify.Options{Deep: true, Own: own, Workers: 4})
	if err != nil || !slices.Equal(faults, again) {
		t.Errorf("with four workers: %v, %v", again, err)
	}
	return faults
}

// core finds core records well away from everything.
func core(r *bnav.Record, _ *bnvf.Columns, _ int) bool {
	return r.Flags&bnav.Core != 0 && r.Flags&(bnav.Ghost|bnav.Dead) == 0 && r.Clr > 9
}

// A set from our bake has no fault, nor has it when it is taken apart and put
// together again.
func TestDeepGood(t *testing.T) {
	res := bakedYard(t)
	set := fstest.MapFS{"yard.nav": &fstest.MapFile{Data: res.Main}, "yard.fields.nav": &fstest.MapFile{Data: res.Fields}}
	if f := deepFaults(t, set, true); len(f) > 0 {
		t.Errorf("as baked: %v", f)
	}
	s := unpack(t, res)
	if len(s.tiles) < 2 || s.regions < 2 || len(s.links) == 0 || len(s.graphs) < 2 {
		t.Fatalf("%d tiles, %d regions, %d landings, %d graphs: too little to be a test", len(s.tiles), s.regions, len(s.links), len(s.graphs))
	}
	if f := deepFaults(t, s.pack(t, true), true); len(f) > 0 {
		t.Errorf("put together again: %v", f)
	}
}

// Each change breaks one rule, and that one is named.
func TestDeepFaults(t *testing.T) {
	res := bakedYard(t)
	const onlyGrid = true
	for _, c := range []struct {
		name     string
		onlyGrid bool // a sidecar would not fit any more
		change   func(t *testing.T, s *deepSet)
		want     string // kind, section and a part of the message
		own      bool   // only our bake promises it
	}{
		{"records out of order", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, k int) bool { return r.Region == 2 && k > 0 })
			if s.recs[i][k-1].Cell != s.recs[i][k].Cell {
				t.Fatal("region 2 does not lie over region 1")
			}
			swapRecords(&s.recs[i], &s.cols[i], k-1, k)
		}, "ErrOrder BGRD region 1 at", true},
		{"two surfaces at one height", onlyGrid, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, k int) bool { return r.Region == 2 })
			s.recs[i][k].H = s.recs[i][k-1].H
		}, "ErrDuplicate BGRD two surfaces at 0", true},
		{"a dead ghost", onlyGrid, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].Flags |= bnav.Ghost | bnav.Dead
		}, "ErrRange BGRD a ghost, a fill and a dead surface", false},
		{"a ghost that is a fill", onlyGrid, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].Flags |= bnav.Ghost | bnav.Fill
		}, "ErrRange BGRD a ghost, a fill and a dead surface", false},
		{"walk without core", onlyGrid, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].Flags &^= bnav.Core
		}, "ErrRange BGRD walk, core and a clearance go together", false},
		{"core without clearance", onlyGrid, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Clr == 1 })
			s.recs[i][k].Clr = 0
		}, "ErrRange BGRD walk, core and a clearance go together", false},
		{"a step of clearance", onlyGrid, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].Clr += 300
		}, "ErrRange BGRD distances differ by more than a cell", false},
		{"a step of clearance between tiles", onlyGrid, func(t *testing.T, s *deepSet) {
			for k := range s.recs[1] { // all of the tile: only its border shows
				if r := &s.recs[1][k]; r.Region == 1 && r.Flags&bnav.Core != 0 {
					r.Clr = 2304
				}
			}
		}, "ErrRange BGRD a neighbour in another tile", false},
		{"both ways forbidden", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.recs[i][k].Steps = 0x03
			s.cols[i].StepsXor[k] = 0x03
		}, "ErrRange BGRD there and back", false},
		{"a region too many", false, func(t *testing.T, s *deepSet) {
			s.regions++
			s.graphs = append(s.graphs, bnvf.RegionGraph{Region: s.regions, Components: 1})
		}, "ErrMissing BGRD has no record", false},
		{"tiles that overlap", onlyGrid, func(t *testing.T, s *deepSet) {
			s.tiles[1].GX0--
		}, "ErrRange BGRD tiles 0 and 1 own a cell both", false},
		{"tiles with a gap", onlyGrid, func(t *testing.T, s *deepSet) {
			s.tiles[1].GX0++
		}, "ErrMissing BGRD tiles own", true},

		{"re-judged steps without a gate", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool { return core(r, c, k) && r.Steps == 0 })
			s.cols[i].StepsXor[k] = 0x40
		}, "ErrRange FSPN forbid more than the main pack", false},
		{"a facade without a gate", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, c *bnvf.Columns, k int) bool { return core(r, c, k) && r.Steps == 0 })
			s.cols[i].Seg[k] = 2
		}, "ErrRange FSPN facade in direction 1", false},
		{"a medial cell without clearance", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Clr > 0 })
			s.cols[i].ClrDrop[k], s.cols[i].Medial[k] = s.recs[i][k].Clr, 1
		}, "ErrRange FSPN clearance 0 on the medial axis", false},
		{"a component too high", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.cols[i].Component[k] = 9
		}, "ErrRange FSPN component 9 in region 1", false},
		{"no component", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.cols[i].Component[k] = 0
		}, "ErrRange FSPN component 0 in region 1", false},
		{"a component that nobody has", false, func(t *testing.T, s *deepSet) {
			s.graphs[0].Components++
		}, "ErrMissing FSCC of region 1 has no record", false},
		{"a region without a graph", false, func(t *testing.T, s *deepSet) {
			s.graphs = s.graphs[1:]
		}, "ErrMissing FSPN region 1 has no component graph", false},
		{"a graph with a cycle", false, func(t *testing.T, s *deepSet) {
			g := &s.graphs[0]
			g.Components += 3
			n := g.Components
			g.Edges = append(slices.Clone(g.Edges), bnvf.Edge{From: n - 2, To: n - 1}, bnvf.Edge{From: n - 1, To: n}, bnvf.Edge{From: n, To: n - 2})
		}, "ErrOrder FSCC and back", false},

		{"an opening of nothing", false, func(t *testing.T, s *deepSet) {
			s.opens = append(s.opens, bnvf.NewOpening{ZoneID: s.content.Zones[0].ID, Opening: bnvf.Opening{GX: 8, GY: 8, H: 77, Clr: 1, Src: 1}})
		}, "ErrMissing FOPN no such record", false},
		{"an opening of an open cell", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, core)
			s.opens = append(s.opens, s.opening(i, k, 1))
		}, "ErrRange FOPN core already", false},
		{"an opening without clearance", false, func(t *testing.T, s *deepSet) {
			i, k := s.find(t, func(r *bnav.Record, _ *bnvf.Columns, _ int) bool { return r.Flags&bnav.Core == 0 })
			s.opens = append(s.opens, s.opening(i, k, 0))
		}, "ErrRange FOPN no clearance", false},

		{"a landing with another cost", false, func(t *testing.T, s *deepSet) {
			s.links[0].CostModifier++
		}, "ErrPairing FLNK cost is not that of off-mesh link 0", false},
		{"a landing at another height", false, func(t *testing.T, s *deepSet) {
			s.links[0].Lo.H += 0.25
		}, "ErrRange FLNK low end in cell", true},
		{"a landing with another reason", false, func(t *testing.T, s *deepSet) {
			s.links[0].Hi.Why, s.links[0].Valid = bnvf.WhyNotCore, bnvf.LoUsable
		}, "ErrRange FLNK has reason 4, the grid says 0", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := unpack(t, res)
			c.change(t, s)
			set := s.pack(t, !c.onlyGrid)
			want := strings.SplitN(c.want, " ", 3)
			matches := func(f verify.Fault) bool {
				return f.Kind == want[0] && f.Section == want[1] && strings.Contains(f.Message, want[2])
			}
			faults := deepFaults(t, set, true)
			if !slices.ContainsFunc(faults, matches) {
				t.Errorf("got %v, want %s", faults, c.want)
			}
			if found := slices.ContainsFunc(deepFaults(t, set, false), matches); found == c.own {
				t.Errorf("for packs of others: found %v", found)
			}
			plain, err := verify.Pack(t.Context(), set, "yard.nav", nil)
			if err != nil || len(plain) > 0 {
				t.Errorf("a plain check: %v, %v", plain, err)
			}
		})
	}
}

func swapRecords(recs *[]bnav.Record, c *bnvf.Columns, i, j int) {
	r := *recs
	r[i], r[j] = r[j], r[i]
	c.Component[i], c.Component[j] = c.Component[j], c.Component[i]
	c.StepsXor[i], c.StepsXor[j] = c.StepsXor[j], c.StepsXor[i]
	c.Seg[i], c.Seg[j] = c.Seg[j], c.Seg[i]
	c.Tax[i], c.Tax[j] = c.Tax[j], c.Tax[i]
	c.ClrDrop[i], c.ClrDrop[j] = c.ClrDrop[j], c.ClrDrop[i]
	c.Medial[i], c.Medial[j] = c.Medial[j], c.Medial[i]
}

// opening opens a record.
func (s *deepSet) opening(tile, k int, clr uint16) bnvf.NewOpening {
	t, r := &s.tiles[tile], &s.recs[tile][k]
	return bnvf.NewOpening{ZoneID: s.content.Zones[0].ID, Opening: bnvf.Opening{
		GX: t.GX0 + r.Cell%t.NX, GY: t.GY0 + r.Cell/t.NX, H: r.H, Clr: clr, Flags: bnav.Walk | bnav.Core, Src: 1,
	}}
}
