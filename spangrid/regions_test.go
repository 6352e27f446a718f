package spangrid

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// cut cuts a window into tiles of a side, counted from cell 0 of the zone.
func cut(w Window, side int) (tiles []Window) {
	floor := func(v int) int { return (v - ((v%side)+side)%side) }
	for y := floor(w.GY); y < w.GY+w.NY; y += side {
		for x := floor(w.GX); x < w.GX+w.NX; x += side {
			tiles = append(tiles, Window{x, y, side, side})
		}
	}
	return tiles
}

// labels returns the region in the zone of each span of a table, which is cut
// into tiles, and the number of regions.
func labels(t interface{ Fatal(...any) }, cols *Columns, tiles []Window) ([]uint32, int) {
	parts := make([]*TileRegions, len(tiles))
	spans := make([][]int, len(tiles))
	for k, w := range tiles {
		var cell []int32
		var h []float32
		for i, c := range cols.Cell {
			if gx, gy := cols.At(int(c)); w.Has(gx, gy) {
				cell, h = append(cell, int32(w.Cell(gx, gy))), append(h, cols.H[i])
				spans[k] = append(spans[k], i)
			}
		}
		parts[k] = &TileRegions{}
		LabelTile(parts[k], w, cell, h, reference().Climb)
	}
	ids, n, err := JoinRegions(parts, reference().Climb)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]uint32, len(cols.H))
	for k := range parts {
		for j, i := range spans[k] {
			out[i] = ids[k][parts[k].Region[j]]
		}
	}
	return out, n
}

func TestRegionsOfARow(t *testing.T) {
	for _, test := range []struct {
		row  string
		want []uint32
	}{
		{"0, 2.9, 5.8, 9", []uint32{1, 1, 1, 2}},
		{"0, 3, 6", []uint32{1, 1, 1}},
		{"0, , 0", []uint32{1, 2}},
		{"{0, 4}, {0, 4}, 2", []uint32{1, 1, 1, 1, 1}},
		{"{0, 4}, {0, 4}, 0", []uint32{1, 2, 1, 2, 1}},
		{"{0, 1}, 9", []uint32{1, 2, 3}},
	} {
		cols := strip(t, test.row)
		for side := 1; side < 6; side++ {
			if got, _ := labels(t, cols, cut(cols.Window, side)); !slices.Equal(got, test.want) {
				t.Errorf("%s, tiles of %d: %v, want %v", test.row, side, got, test.want)
			}
		}
	}
}

// A ramp that winds over itself is one region, in the order of its lowest row.
func TestRegionsOfAWindingRamp(t *testing.T) {
	// 3 x 3 cells around a pillar, twice around, 1 m a cell; under it a floor that
	// nothing leads to, 4 m below, and it comes first.
	ring := []int{0, 1, 2, 5, 8, 7, 6, 3}
	cells := make([][]float32, 9)
	for i := range 16 {
		cells[ring[i%8]] = append(cells[ring[i%8]], float32(i))
	}
	cells[4] = []float32{-4}
	cells[0] = append(cells[0], -4)
	cols := columnsOf(Window{-1, -1, 3, 3}, cells)
	for side := 1; side < 4; side++ {
		got, n := labels(t, cols, cut(cols.Window, side))
		if n != 3 {
			t.Fatalf("tiles of %d: %d regions, want 3", side, n)
		}
		for i, h := range cols.H {
			want := uint32(2)
			if h == -4 {
				want = 1
				if cols.Cell[i] == 4 {
					want = 3
				}
			}
			if got[i] != want {
				t.Errorf("tiles of %d: cell %d at %v is in region %d, want %d", side, cols.Cell[i], h, got[i], want)
			}
		}
	}
}

func TestRegionsAgainstFlood(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 14, 11, 0)
		_, cols := w.tables()
		// Numbered by the first span, which is the least.
		want := make([]uint32, len(cols.H))
		n := 0
		var flood []int32
		for i := range want {
			if want[i] != 0 {
				continue
			}
			n++
			flood = Flood(flood, cols, i, reference().Climb)
			for _, k := range flood {
				want[k] = uint32(n)
			}
		}
		side := rapid.IntRange(1, 20).Draw(t, "side")
		tiles := cut(cols.Window, side)
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "order")))
		rng.Shuffle(len(tiles), func(i, j int) { tiles[i], tiles[j] = tiles[j], tiles[i] })
		got, count := labels(t, cols, tiles)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || count != n {
			t.Fatalf("tiles of %d: %d regions, want %d: %s", side, count, n, diff)
		}
	})
}

func TestFloodAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 6, 6, 0)
		cols, _ := w.tables()
		if len(cols.H) == 0 {
			return
		}
		seed := rapid.IntRange(0, len(cols.H)-1).Draw(t, "seed")
		in := make([]bool, len(cols.H))
		in[seed] = true
		for grown := true; grown; { // all pairs, until nothing changes
			grown = false
			for i := range in {
				for k := range in {
					xi, yi := cols.At(int(cols.Cell[i]))
					xk, yk := cols.At(int(cols.Cell[k]))
					d := cols.H[i] - cols.H[k]
					if in[i] && !in[k] && (xi-xk)*(xi-xk)+(yi-yk)*(yi-yk) == 1 && d <= 3 && d >= -3 {
						in[k], grown = true, true
					}
				}
			}
		}
		var want []int32
		for i := range in {
			if in[i] {
				want = append(want, int32(i))
			}
		}
		got := Flood(nil, cols, seed, 3)
		if got[0] != int32(seed) {
			t.Fatalf("begins with %d, not with %d", got[0], seed)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestTooManyRegions(t *testing.T) {
	a, b := &TileRegions{}, &TileRegions{}
	LabelTile(a, Window{NX: 2, NY: 1}, []int32{0, 1}, []float32{0, 9}, 3)
	LabelTile(b, Window{GX: 2, NX: 2, NY: 1}, []int32{0}, []float32{0}, 3)
	if _, n, err := joinRegions([]*TileRegions{a, b}, 3, 3); n != 3 || err != nil {
		t.Errorf("%d regions, %v", n, err)
	}
	var e *TooManyRegionsError
	if _, _, err := joinRegions([]*TileRegions{a, b}, 3, 2); !errors.As(err, &e) || e.Regions != 3 {
		t.Errorf("%v", err)
	}
}

func BenchmarkLabelTile(b *testing.B) {
	w := Window{NX: 512, NY: 512}
	_, cols := town(w)
	var t TileRegions
	b.ReportAllocs()
	for b.Loop() {
		LabelTile(&t, w, cols.Cell, cols.H, 3)
	}
	b.ReportMetric(float64(len(cols.H))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mspans/s")
}

func BenchmarkJoinRegions(b *testing.B) {
	var tiles []*TileRegions
	for _, w := range cut(Window{NX: 1024, NY: 1024}, 128) {
		_, cols := town(w)
		t := &TileRegions{}
		LabelTile(t, w, cols.Cell, cols.H, 3)
		tiles = append(tiles, t)
	}
	for b.Loop() {
		if _, _, err := JoinRegions(tiles, 3); err != nil {
			b.Fatal(err)
		}
	}
}
