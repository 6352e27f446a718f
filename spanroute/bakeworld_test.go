package spanroute

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/fstest"

	"wend/bake"
	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/scene"
	"wend/scene/sample"
	"wend/spanbake"
)

// bakeScene bakes packs of a level as the command line does, cut into tiles of
// a given side so that there are many.
func bakeScene(sc *scene.Scene, name string, tile int, change func(*spanbake.Input)) (*spanbake.Result, error) {
	ctx := context.Background()
	p := bake.Human()
	res, err := bake.Run(ctx, sc, p, nil)
	if err != nil {
		return nil, err
	}
	rules, err := spanbake.RulesFor(&p)
	if err != nil {
		return nil, err
	}
	in, _, err := spanbake.FromNavmesh(ctx, res.Meshes[0].Mesh, sc, &spanbake.Level{
		Zone: name, Cell: p.Navmesh.Cell, Rules: rules, WeldHeight: p.Agent.MaxClimb, Body: p.Agent,
	})
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(in)
	}
	return spanbake.Run(ctx, in, &spanbake.Options{Tile: tile, Level: 2})
}

// town are the packs of the sample town, baked once.
var town = sync.OnceValues(func() (*spanbake.Result, error) {
	return bakeScene(sample.Town(), "town", 64, nil)
})

// terraces are packs of square floors of many heights, side by side and one over
// the other, with links between some of them and a no-go zone: many regions, and
// regions of many components.
var terraces = sync.OnceValues(func() (*spanbake.Result, error) {
	const side = 6.0
	rnd := rand.New(rand.NewPCG(4, 2))
	b := wendtest.NewBuilder()
	var middles []geom.Vec3
	floor := func(x, z int, y float64) {
		x0, z0 := float64(x)*side, float64(z)*side
		b.Floor(x0, z0, x0+side, z0+side, y)
		middles = append(middles, geom.V3(x0+side/2, y, z0+side/2))
	}
	heights := []float64{0, 0, 0.25, 0.5, 1, 1.5, 2, 2.75, 4, 6}
	for x := range 10 {
		for z := range 8 {
			if rnd.IntN(12) != 0 {
				floor(x, z, heights[rnd.IntN(len(heights))])
			}
			if rnd.IntN(3) == 0 {
				floor(x, z, 9+heights[rnd.IntN(len(heights))])
			}
		}
	}
	for i := range 40 {
		from, to := middles[rnd.IntN(len(middles))], middles[rnd.IntN(len(middles))]
		if from == to {
			continue
		}
		b.Scene.Links = append(b.Scene.Links, scene.Link{From: from, To: to, Radius: 1, OneWay: i%2 == 0, UserID: uint32(i)})
	}
	b.Scene.NoGo = []scene.NoGo{{
		Name: "pit", Ring: []geom.Vec2{{X: 3, Y: 3}, {X: 15, Y: 4}, {X: 14, Y: 16}, {X: 4, Y: 13}}, MinY: -1, MaxY: 3,
	}}
	ctx := context.Background()
	in, _, err := spanbake.FromTriangles(ctx, b.Scene, &spanbake.Level{Zone: "terraces"})
	if err != nil {
		return nil, err
	}
	return spanbake.Run(ctx, in, &spanbake.Options{Tile: 64, Level: 2})
})

// openTerraces opens an engine on the terraces.
func openTerraces(t testing.TB, o *Options) *Engine {
	t.Helper()
	res, err := terraces()
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(context.Background(), files(t, res), "town.nav", o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// files puts packs into a file system as town.nav and its sidecars.
func files(t testing.TB, res *spanbake.Result) fstest.MapFS {
	t.Helper()
	side, occ := pack.SideNames("town.nav")
	set := fstest.MapFS{"town.nav": {Data: res.Main}, side: {Data: res.Fields}}
	if res.Occluder != nil {
		data, err := pack.Gzip(res.Occluder, 1)
		if err != nil {
			t.Fatal(err)
		}
		set[occ] = &fstest.MapFile{Data: data}
	}
	return set
}

// townFiles are the town's packs.
func townFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	res, err := town()
	if err != nil {
		t.Fatal(err)
	}
	return files(t, res)
}

// openTown opens an engine on the town.
func openTown(t testing.TB, o *Options) *Engine {
	t.Helper()
	e, err := Open(context.Background(), townFiles(t), "town.nav", o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// openZone returns the only zone of an engine for the length of a test.
func openZone(t testing.TB, e *Engine) *zoneEntry {
	t.Helper()
	z, err := e.zone(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(z.release)
	return z
}

// everything are all records of a zone, decoded in one go.
type everything struct {
	win      bnav.Window
	f        *bnvf.Window
	headroom []uint8
}

// decodeAll decodes a zone without any cache.
func decodeAll(t testing.TB, z *zoneEntry) *everything {
	t.Helper()
	g := &z.e.main.Grid.Zones[z.grid]
	box := z.rects[0]
	for _, r := range tileRects(g) {
		box.x0, box.y0, box.x1, box.y1 = min(box.x0, r.x0), min(box.y0, r.y0), max(box.x1, r.x1), max(box.y1, r.y1)
	}
	a := &everything{win: bnav.Window{GX0: box.x0, GY0: box.y0, NX: box.x1 - box.x0 + 1, NY: box.y1 - box.y0 + 1}}
	var err error
	if a.f, err = z.e.fields.Window(context.Background(), z.grid, a.win, 1); err != nil {
		t.Fatal(err)
	}
	h, err := annex.ReadHeadroom(z.e.fields)
	if err != nil {
		t.Fatal(err)
	}
	if h != nil {
		if a.headroom, err = h.Window(context.Background(), z.grid, a.win, 1); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// at returns column and row of a record.
func (a *everything) at(i int) (gx, gy int) {
	c := a.f.Records[i].Cell
	return int(a.win.GX0 + c%a.win.NX), int(a.win.GY0 + c/a.win.NX)
}
