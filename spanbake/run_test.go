package spanbake

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"testing"

	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// loaded is a result as a reader sees it.
type loaded struct {
	main   *bnav.Pack
	fields *bnvf.Fields
}

func load(t testing.TB, res *Result) loaded {
	t.Helper()
	main, err := bnav.Load(context.Background(), res.Main, nil)
	if err != nil {
		t.Fatal(err)
	}
	fields, err := bnvf.Load(context.Background(), res.Fields, main, nil)
	if err != nil {
		t.Fatal(err)
	}
	return loaded{main, fields}
}

func bakeInput(t testing.TB, in *Input, o Options) *Result {
	t.Helper()
	res, err := Run(context.Background(), in, &o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestFlatSquare(t *testing.T) {
	m := newMesh()
	m.sheet(0, 0, 4, 1, 1, flat(1), nil)
	m.zone(1, "square")
	res := bakeInput(t, m.input(), Options{})
	z := res.Report.Zones[0]
	if z.Regions != 1 || z.Components != 1 || z.Walls != 4 || z.Drops != 0 {
		t.Fatalf("report %+v", z)
	}
	l := load(t, res)
	win, err := l.fields.Window(context.Background(), 0, bnav.Window{GX0: -2, GY0: -2, NX: 22, NY: 22}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := win.Len(); uint64(n) != z.Records || n < 16*16 {
		t.Fatalf("%d records, report says %d", n, z.Records)
	}
}

func TestWorkersAndTilesDoNotShow(t *testing.T) {
	for seed := range worlds(1, 30) {
		in := randomWorld(seed)
		one := bakeInput(t, in, Options{Tile: 64, Workers: 1, Level: 1})
		for _, workers := range []int{2, 7, 64} {
			res := bakeInput(t, in, Options{Tile: 64, Workers: workers, Level: 1})
			if !bytes.Equal(res.Main, one.Main) || !bytes.Equal(res.Fields, one.Fields) {
				t.Fatalf("world %d: %d workers give other bytes", seed, workers)
			}
		}
		want := describe(t, load(t, one))
		for _, tile := range []int{128, 512, 1024} {
			if got := describe(t, load(t, bakeInput(t, in, Options{Tile: tile, Level: 1}))); got != want {
				t.Fatalf("world %d: tiles of %d cells give other records", seed, tile)
			}
		}
	}
}

// describe writes out everything a pack says of its zone.
func describe(t testing.TB, l loaded) string {
	t.Helper()
	var b bytes.Buffer
	win, err := l.fields.Window(context.Background(), 0, bnav.Window{GX0: -300, GY0: -300, NX: 800, NY: 800}, 2)
	if err != nil {
		t.Fatal(err)
	}
	order := make([]int, win.Len()) // windows come tile by tile
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return int(win.Records[i].Cell - win.Records[j].Cell) })
	for _, i := range order {
		fmt.Fprintln(&b, win.Records[i], win.Component[i], win.Steps2[i], win.Seg[i], win.Tax[i])
	}
	g, err := l.fields.Graphs(0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range g.Regions() {
		graph, _ := g.Region(r)
		fmt.Fprintf(&b, "%+v\n", graph)
	}
	walls, err := l.fields.Walls(0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range walls.Len() {
		fmt.Fprintln(&b, walls.At(i))
	}
	fmt.Fprintf(&b, "%+v\n%+v\n", l.fields.Landings, l.fields.Openings)
	return b.String()
}
