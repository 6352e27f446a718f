package spanroute

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"sort"
	"sync"
	"testing"
	"testing/fstest"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/scene"
	"wend/spanbake"
)

// terraces are packs of square floors of many heights, side by side and one over
// the other, with links between some of them and a no-go zone: many regions, and
// regions of many components.
var terraces = sync.OnceValues(func() (*spanbake.Result, error) {
	const side = 6.0
	rnd := rand.New(rand.NewPCG(4, 2))
	b := wendtest.NewBuilder()
	b.Scene.Parts[0].Collider = true
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

// files puts packs into a file system as level.nav and its sidecars.
func files(t testing.TB, res *spanbake.Result) fstest.MapFS {
	t.Helper()
	side, occ := pack.SideNames("level.nav")
	set := fstest.MapFS{"level.nav": {Data: res.Main}, side: {Data: res.Fields}}
	if res.Occluder != nil {
		data, err := pack.Gzip(res.Occluder, 1)
		if err != nil {
			t.Fatal(err)
		}
		set[occ] = &fstest.MapFile{Data: data}
	}
	return set
}

// terraceFiles are the packs of the terraces.
func terraceFiles(t testing.TB) fstest.MapFS {
	t.Helper()
	res, err := terraces()
	if err != nil {
		t.Fatal(err)
	}
	return files(t, res)
}

// openTerraces opens an engine on the terraces.
func openTerraces(t testing.TB, o *Options) *Engine {
	t.Helper()
	e, err := Open(context.Background(), terraceFiles(t), "level.nav", o)
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
	order    []int // of the records, row by row, those of a cell as in the grid
	rows     []int // first of each row in order, and one past the last
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
	a.order = make([]int, len(a.f.Records))
	for i := range a.order {
		a.order[i] = i
	}
	slices.SortStableFunc(a.order, func(i, j int) int { return cmp.Compare(a.f.Records[i].Cell, a.f.Records[j].Cell) })
	for y := range int(a.win.NY) + 1 {
		a.rows = append(a.rows, sort.Search(len(a.order), func(k int) bool { return int(a.f.Records[a.order[k]].Cell) >= y*int(a.win.NX) }))
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
