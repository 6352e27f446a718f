package navmesh

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"wend/geom"
)

var nan32 = float32(math.NaN())

// fullTile has one of everything a tile can hold.
func fullTile() Tile {
	t := sheetTile(sheet{0, 0, 4, 4, 0}, sheet{4, 0, 8, 4, 0})
	t.Polys[0].Neis[2] = 2 // the edge at x = 4
	t.Polys[1].Neis[0] = 1
	t.DetailVerts = []geom.Vec3f{{X: 2, Y: 0.25, Z: 2}}
	t.DetailTris = []DetailTri{
		{V: [3]uint8{0, 1, 4}, Flags: 1},
		{V: [3]uint8{1, 2, 4}, Flags: 1},
		{V: [3]uint8{2, 3, 4}, Flags: 1},
		{V: [3]uint8{3, 0, 4}, Flags: 1},
		{V: [3]uint8{0, 1, 2}, Flags: 0b000101},
		{V: [3]uint8{0, 2, 3}, Flags: 0b010100},
	}
	t.DetailSubs = []DetailSub{{VertCount: 1, TriCount: 4}, {VertBase: 1, TriBase: 4, TriCount: 2}}
	n := uint16(len(t.Verts))
	t.Verts = append(t.Verts, geom.Vec3f{X: 1, Z: 1}, geom.Vec3f{X: 7, Z: 3})
	t.Polys = append(t.Polys, TilePoly{Verts: [6]uint16{n, n + 1}, Count: 2, Flags: FlagWalk, Kind: KindOffMesh})
	t.OffMesh = []OffMesh{{From: t.Verts[n], To: t.Verts[n+1], Radius: 0.5, Poly: 2, BothWays: true, Side: InsideTile}}
	BuildBV(&t)
	return t
}

func cloneTile(t Tile) Tile {
	t.Verts = slices.Clone(t.Verts)
	t.Polys = slices.Clone(t.Polys)
	t.DetailSubs = slices.Clone(t.DetailSubs)
	t.DetailVerts = slices.Clone(t.DetailVerts)
	t.DetailTris = slices.Clone(t.DetailTris)
	t.BV = slices.Clone(t.BV)
	t.OffMesh = slices.Clone(t.OffMesh)
	return t
}

func TestNewRefuses(t *testing.T) {
	if _, _, err := New(plainParams(), []Tile{fullTile()}); err != nil {
		t.Fatalf("the good tile: %v", err)
	}
	for _, c := range []struct {
		name  string
		spoil func(*Tile)
		field string
		index int
	}{
		{"height", func(t *Tile) { t.AgentHeight = nan32 }, "AgentHeight", -1},
		{"radius", func(t *Tile) { t.AgentRadius = -1 }, "AgentRadius", -1},
		{"climb", func(t *Tile) { t.AgentClimb = float32(math.Inf(1)) }, "AgentClimb", -1},
		{"quantum", func(t *Tile) { t.BVQuant = nan32 }, "BVQuant", -1},
		{"bounds", func(t *Tile) { t.Bounds[1].Y = nan32 }, "Bounds", 1},
		{"bounds inside out", func(t *Tile) { t.Bounds[0].Z = 200 }, "Bounds", -1},
		{"vertex", func(t *Tile) { t.Verts[3].X = nan32 }, "Verts", 3},
		{"far vertex", func(t *Tile) { t.Verts[3].X = 1e30 }, "Verts", 3},
		{"too many vertices", func(t *Tile) { t.Verts = make([]geom.Vec3f, 1<<16+1) }, "Verts", -1},
		{"too many polygons", func(t *Tile) { t.Polys = make([]TilePoly, 1<<16+1) }, "Polys", -1},
		{"too many ground polygons", func(t *Tile) {
			t.Polys = slices.Repeat(t.Polys[:1], 0x8000)
		}, "Polys", -1},
		{"kind", func(t *Tile) { t.Polys[2].Kind = 3 }, "Polys.Kind", 2},
		{"ground behind off-mesh", func(t *Tile) { t.Polys[1].Kind, t.Polys[1].Count = KindOffMesh, 2 }, "", -1},
		{"two corners", func(t *Tile) { t.Polys[0].Count = 2 }, "Polys.Count", 0},
		{"seven corners", func(t *Tile) { t.Polys[0].Count = 7 }, "Polys.Count", 0},
		{"off-mesh with three ends", func(t *Tile) { t.Polys[2].Count = 3 }, "Polys.Count", 2},
		{"area", func(t *Tile) { t.Polys[1].Area = 64 }, "Polys.Area", 1},
		{"corner index", func(t *Tile) { t.Polys[1].Verts[3] = 99 }, "Polys.Verts", 1},
		{"neighbour index", func(t *Tile) { t.Polys[1].Neis[1] = 3 }, "Polys.Neis", 1},
		{"own neighbour", func(t *Tile) { t.Polys[1].Neis[1] = 2 }, "Polys.Neis", 1},
		{"side", func(t *Tile) { t.Polys[1].Neis[1] = External | 8 }, "Polys.Neis", 1},
		{"dent", func(t *Tile) { t.Verts[2] = geom.Vec3f{X: 1, Z: 1} }, "Polys.Verts", 0},
		{"folded outline", func(t *Tile) { v := &t.Polys[0].Verts; v[1], v[2] = v[2], v[1] }, "Polys.Verts", 0},
		{"detail for one polygon", func(t *Tile) { t.DetailSubs = t.DetailSubs[:1] }, "DetailSubs", -1},
		{"detail vertices", func(t *Tile) { t.DetailSubs[1].VertCount = 1 }, "DetailSubs", 1},
		{"detail vertex base", func(t *Tile) { t.DetailSubs[1].VertBase = math.MaxUint32 }, "DetailSubs", 1},
		{"detail triangles", func(t *Tile) { t.DetailSubs[1].TriBase = 5 }, "DetailSubs", 1},
		{"detail triangle base", func(t *Tile) { t.DetailSubs[1].TriBase = math.MaxUint32 }, "DetailSubs", 1},
		{"detail corner", func(t *Tile) { t.DetailTris[2].V[1] = 5 }, "DetailTris", 2},
		{"detail coordinate", func(t *Tile) { t.DetailVerts[0].Y = float32(math.Inf(-1)) }, "DetailVerts", 0},
		{"tree leaf", func(t *Tile) { t.BV[1].Index = 2 }, "BV", 1},
		{"tree escape", func(t *Tile) { t.BV[0].Index = -4 }, "BV", 0},
		{"least tree escape", func(t *Tile) { t.BV[0].Index = math.MinInt32 }, "BV", 0},
		{"tree box", func(t *Tile) { t.BV[2].Min[1] = t.BV[2].Max[1] + 1 }, "BV", 2},
		{"connections missing", func(t *Tile) { t.OffMesh = nil }, "OffMesh", -1},
		{"connection's polygon", func(t *Tile) { t.OffMesh[0].Poly = 1 }, "OffMesh.Poly", 0},
		{"connection's end", func(t *Tile) { t.OffMesh[0].To.X = nan32 }, "OffMesh", 0},
		{"connection's radius", func(t *Tile) { t.OffMesh[0].Radius = -0.5 }, "OffMesh.Radius", 0},
		{"connection's cost", func(t *Tile) { t.OffMesh[0].Cost = nan32 }, "OffMesh.Cost", 0},
		{"two connections on one polygon", func(t *Tile) {
			t.Polys = append(t.Polys, t.Polys[2])
			t.OffMesh = append(t.OffMesh, t.OffMesh[0])
		}, "OffMesh.Poly", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := cloneTile(fullTile())
			c.spoil(&bad)
			good := fullTile()
			good.X = -1 // comes first in the mesh, second in the list
			m, a, err := New(plainParams(), []Tile{bad, good})
			var te *TileError
			if !errors.As(err, &te) || m != nil || a != nil {
				t.Fatalf("got %v, want a *TileError", err)
			}
			if te.Tile != 0 || te.Msg == "" || c.field != "" && (te.Field != c.field || te.Index != c.index) {
				t.Errorf("got %v, want tile 0, %s[%d]", err, c.field, c.index)
			}
			if err := bad.Validate(); err == nil {
				t.Error("Validate lets it pass")
			}
		})
	}
}

func TestNewRefusesParams(t *testing.T) {
	for _, c := range []struct {
		field string
		spoil func(*Params)
	}{
		{"Origin", func(p *Params) { p.Origin.Z = nan32 }},
		{"TileWidth", func(p *Params) { p.TileWidth = 0 }},
		{"TileWidth", func(p *Params) { p.TileWidth = float32(math.Inf(1)) }},
		{"TileDepth", func(p *Params) { p.TileDepth = nan32 }},
		{"MaxTiles", func(p *Params) { p.MaxTiles = -1 }},
	} {
		p := plainParams()
		c.spoil(&p)
		_, _, err := New(p, nil)
		if err == nil || !strings.Contains(err.Error(), "navmesh: params: "+c.field) {
			t.Errorf("%s: got %v", c.field, err)
		}
	}
	a, b, c := fullTile(), fullTile(), fullTile()
	b.X, c.Layer = 1, 1
	if _, _, err := New(plainParams(), []Tile{a, b, c}); err != nil {
		t.Errorf("different slots: %v", err)
	}
	_, _, err := New(plainParams(), []Tile{a, b, a})
	if err == nil || !strings.Contains(err.Error(), "tile 2: X, Z, Layer: tile 0 lies at (0, 0) layer 0 too") {
		t.Errorf("one slot twice: got %v", err)
	}
}

func TestNewOfNothing(t *testing.T) {
	for _, tiles := range [][]Tile{nil, {{}}, {sheetTile()}} {
		m, a, err := New(plainParams(), tiles)
		if err != nil {
			t.Fatal(err)
		}
		if m.Len() != 0 || a.Ground != 0 || m.IslandCount() != 0 || m.StoreyCount() != 0 || !m.Bounds().IsEmpty() {
			t.Errorf("%d tiles: %d polygons, %d islands, bounds %v", len(tiles), m.Len(), m.IslandCount(), m.Bounds())
		}
		q := m.NewQuery()
		r, err := q.Nearest(geom.Vec3{}, nil)
		if err != nil || r.Found || r.Poly != NoPoly || !math.IsInf(r.MissDistance, 1) {
			t.Errorf("%+v, %v", r, err)
		}
		if ls, err := q.AppendSurfaces(nil, 0, 0, 1, nil); err != nil || len(ls) != 0 {
			t.Errorf("%v, %v", ls, err)
		}
		if m.CanReach(0, 0) || m.Storey(0) != NoStorey {
			t.Error("a polygon that is not there reaches itself or has a storey")
		}
	}
}
