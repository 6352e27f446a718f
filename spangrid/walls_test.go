package spangrid

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"wend/pack/bnav"
)

// plainWallCells returns the cells of all samples of a wall, as columns and rows
// of the zone, in order.
func plainWallCells(e *Wall, step float64) (cells [][2]int, samples int) {
	dx, dy := e.X1-e.X0, e.Y1-e.Y0
	n := math.Max(math.Ceil(math.Sqrt(float64(dx*dx)+float64(dy*dy))/step), 1)
	for i := 0.0; i <= n; i++ {
		x, y := e.X0+float64(dx*(i/n)), e.Y0+float64(dy*(i/n))
		cells = append(cells, [2]int{int(math.Floor(x / .25)), int(math.Floor(y / .25))})
	}
	return cells, int(n) + 1
}

func TestSamplesAlongWalls(t *testing.T) {
	for _, test := range []struct {
		e       Wall
		step    float64
		samples int
	}{
		{Wall{X1: 1}, .1, 11},
		{Wall{X1: 1}, .05, 21},
		{Wall{X1: .6, Y1: .8}, .1, 11},
		{Wall{X1: .99}, .1, 11},
		{Wall{X1: 1.01}, .1, 12},
		{Wall{X0: 3, X1: 3}, .1, 2},
		{Wall{X1: .01}, .1, 2},
	} {
		if _, n := plainWallCells(&test.e, test.step); n != test.samples {
			t.Errorf("%+v every %v: the twin takes %d samples, want %d", test.e, test.step, n, test.samples)
		}
		var s wallCells
		s.start(&test.e, Window{-100, -100, 200, 200}, test.step)
		if s.end-s.i != test.samples {
			t.Errorf("%+v every %v: %d samples, want %d", test.e, test.step, s.end-s.i, test.samples)
		}
	}
}

func TestWallOf(t *testing.T) {
	got := WallOf(bnav.Vertex{U: 1, V: 2, H: 3}, bnav.Vertex{U: 4, V: 5, H: 4})
	if want := (Wall{1, 2, 4, 5, 3.5}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestWallCells(t *testing.T) {
	w := Window{NX: 5, NY: 3}
	for _, test := range []struct {
		name string
		e    Wall
		want []int32
	}{
		{"along a row", Wall{X0: .1, Y0: .3, X1: 1.1, Y1: .3}, []int32{5, 6, 7, 8, 9}},
		{"back", Wall{X0: 1.1, Y0: .3, X1: .1, Y1: .3}, []int32{9, 8, 7, 6, 5}},
		{"no length", Wall{X0: .3, Y0: .3, X1: .3, Y1: .3}, []int32{6}},
		{"on a cell line", Wall{X0: .25, Y0: .25, X1: .25, Y1: .6}, []int32{6, 11}},
		{"through", Wall{X0: .1, Y0: -50, X1: .1, Y1: 50}, []int32{0, 5, 10}},
		{"past", Wall{X0: -1, Y0: -50, X1: -1, Y1: 50}, nil},
		{"above", Wall{X0: -50, Y0: .75, X1: 50, Y1: .75}, nil},
	} {
		if diff := cmp.Diff(test.want, test.e.Cells(nil, w, .1)); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// drawWall draws a wall that begins or ends near the origin, or passes it.
func drawWall(rng *rand.Rand) Wall {
	reach := []float64{1, 4, 40, 400}[rng.IntN(4)]
	at := func() float64 {
		if rng.IntN(3) == 0 {
			return float64(rng.IntN(80)-40) * .125
		}
		return float64(float32((rng.Float64()*2 - 1) * reach)) // twice something is exact
	}
	e := Wall{at(), at(), at(), at(), float64(rng.IntN(40) - 20)}
	switch rng.IntN(6) {
	case 0:
		e.X1 = e.X0
	case 1:
		e.Y1 = e.Y0
	case 2:
		e.X1, e.Y1 = e.X0, e.Y0
	}
	return e
}

func TestWallCellsAgainstDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "wall")))
		e := drawWall(rng)
		w := Window{rng.IntN(40) - 30, rng.IntN(40) - 30, 1 + rng.IntN(30), 1 + rng.IntN(30)}
		step := []float64{.1, .05}[rng.IntN(2)]
		all, _ := plainWallCells(&e, step)
		var want []int32
		before := [2]int{math.MaxInt, 0}
		for _, c := range all {
			if w.Has(c[0], c[1]) && c != before {
				want = append(want, int32(w.Cell(c[0], c[1])))
			}
			before = c
		}
		if diff := cmp.Diff(want, e.Cells(nil, w, step)); diff != "" {
			t.Fatalf("%+v: %s", e, diff)
		}
	})
}

func TestWallCheck(t *testing.T) {
	r := reference()
	for _, test := range []struct {
		e  Wall
		ok bool
	}{
		{Wall{X0: -1 << 18, Y0: -1 << 18, X1: 1 << 18, Y1: 1 << 18}, true},
		{Wall{X0: -1 << 20, X1: 1 << 20}, false},
		{Wall{X1: math.Inf(1)}, false},
		{Wall{X1: math.NaN()}, false},
		{Wall{}, true},
	} {
		err := test.e.Check(r)
		var long *LongWallError
		if test.ok != (err == nil) || err != nil && !errors.As(err, &long) {
			t.Errorf("%+v: %v", test.e, err)
		}
		test.e.Cells(nil, Window{NX: 4, NY: 4}, r.HitStep) // ends, whatever it is
	}
}

func TestStampDead(t *testing.T) {
	w := Window{NX: 3, NY: 1}
	cols := columnsOf(w, [][]float32{{-8, 0, 8}, {-8.015625, 3, 8.015625}, {0}})
	walls := []Wall{{X0: .1, Y0: .1, X1: .3, Y1: .1}, {X0: .6, Y0: .1, X1: .6, Y1: .1}}
	bits := make([]uint8, len(cols.H))
	bits[1] = Inside
	StampDead(bits, cols, walls, []int32{0}, reference())
	if want := []uint8{Dead, Dead | Inside, Dead, 0, Dead, 0, 0}; !slices.Equal(bits, want) {
		t.Errorf("bits %v, want %v", bits, want)
	}
}

// drawColumns draws spans on a window with regions, up to four of them, that
// change from cell to cell.
func drawColumns(rng *rand.Rand, w Window) (*Columns, []uint32) {
	heights := make([][]float32, w.Cells())
	var region []uint32
	for c := range heights {
		n := rng.IntN(4)
		if rng.IntN(30) == 0 {
			n = 40
		}
		for range n {
			if h := float32(rng.IntN(160)-80) / 4; !slices.Contains(heights[c], h) {
				heights[c] = append(heights[c], h)
				region = append(region, uint32(1+rng.IntN(4)))
			}
		}
	}
	return columnsOf(w, heights), region
}

func TestWallsAgainstDefinition(t *testing.T) {
	var keeper Keeper
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "world")))
		w := Window{rng.IntN(20) - 20, rng.IntN(20) - 20, 1 + rng.IntN(20), 1 + rng.IntN(20)}
		cols, region := drawColumns(rng, w)
		var walls []Wall
		var list []int32
		for i := range 3 {
			walls = append(walls, drawWall(rng))
			if rng.IntN(5) != 0 {
				list = append(list, int32(i))
			}
		}
		wantDead, wantHit := make([]uint8, len(cols.H)), make(Mask, w.Cells())
		keeper.Reset(cols, region)
		for _, k := range list {
			e := &walls[k]
			kept := map[uint32]bool{}
			samples, _ := plainWallCells(e, .1)
			for _, c := range samples {
				if !w.Has(c[0], c[1]) {
					continue
				}
				top := map[uint32]float64{}
				for i, cell := range cols.Cell {
					if int(cell) != w.Cell(c[0], c[1]) {
						continue
					}
					if math.Abs(float64(cols.H[i])-e.H) <= 8 {
						wantDead[i] = Dead
					}
					top[region[i]] = float64(cols.H[i]) // ascending
				}
				for id, h := range top {
					if math.Abs(h-e.H) <= 8 {
						kept[id] = true
					}
				}
			}
			samples, _ = plainWallCells(e, .05)
			for _, c := range samples {
				if w.Has(c[0], c[1]) {
					wantHit[w.Cell(c[0], c[1])] = true
				}
			}
			var want []uint32
			for id := range kept {
				want = append(want, id)
			}
			slices.Sort(want)
			got := keeper.KeptBy([]uint32{99}, e, reference())
			if diff := cmp.Diff(append([]uint32{99}, want...), got); diff != "" {
				t.Fatalf("kept by: %s", diff)
			}
		}
		dead, hit := make([]uint8, len(cols.H)), make(Mask, w.Cells())
		StampDead(dead, cols, walls, list, reference())
		if diff := cmp.Diff(wantDead, dead, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("dead: %s", diff)
		}
		WallHits(hit, w, walls, list, reference())
		if i, bad := firstOther(wantHit, hit); bad {
			t.Fatalf("hit cell %d: %v", i, hit[i])
		}
	})
}

// A wall asked about tile by tile is kept by the same regions as on the whole.
func TestKeptByTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "world")))
		w := Window{-20, -20, 40, 40}
		cols, region := drawColumns(rng, w)
		e := drawWall(rng)
		var keeper Keeper
		keeper.Reset(cols, region)
		want := keeper.KeptBy(nil, &e, reference())
		var got []uint32
		for _, tile := range cut(w, 13) {
			part, ids := &Columns{}, []uint32(nil)
			part.Reset(tile)
			for i, c := range cols.Cell {
				if gx, gy := w.At(int(c)); tile.Has(gx, gy) {
					part.Append(int32(tile.Cell(gx, gy)), cols.H[i])
					ids = append(ids, region[i])
				}
			}
			part.Finish(3)
			keeper.Reset(part, ids)
			got = keeper.KeptBy(got, &e, reference())
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, slices.Compact(got)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A wall through very many regions takes no longer for each.
func TestKeptByVeryMany(t *testing.T) {
	const n = 20000
	cols := &Columns{}
	cols.Reset(Window{NX: n, NY: 1})
	var region, want []uint32
	for c := range n {
		cols.Append(int32(c), 0)
		region = append(region, uint32(1+(c*7919)%(n/2)))
	}
	cols.Finish(3)
	for id := range uint32(n / 2) {
		want = append(want, id+1)
	}
	var keeper Keeper
	keeper.Reset(cols, region)
	got := keeper.KeptBy(nil, &Wall{X0: 0, Y0: .1, X1: n * Side, Y1: .1}, reference())
	if !slices.Equal(got, want) {
		t.Errorf("%d regions, want %d", len(got), len(want))
	}
}

func BenchmarkWalls(b *testing.B) {
	w := Window{-100, -100, 512, 512}
	cols := &Columns{}
	cols.Reset(w)
	region := make([]uint32, 0, 2*w.Cells())
	for c := range w.Cells() {
		cols.Append(int32(c), float32(c%7)/8)
		cols.Append(int32(c), 6)
		region = append(region, 1, 2)
	}
	cols.Finish(3)
	rng := rand.New(rand.NewPCG(1, 2))
	var walls []Wall
	var list []int32
	for i := range 2000 {
		x, y := rng.Float64()*150-30, rng.Float64()*150-30
		walls = append(walls, Wall{x, y, x + rng.Float64()*4 - 2, y + rng.Float64()*4 - 2, 3})
		list = append(list, int32(i))
	}
	r := reference()
	b.Run("dead", func(b *testing.B) {
		bits := make([]uint8, len(cols.H))
		for b.Loop() {
			StampDead(bits, cols, walls, list, r)
		}
	})
	b.Run("kept", func(b *testing.B) {
		var k Keeper
		k.Reset(cols, region)
		var kept []uint32
		for b.Loop() {
			for i := range walls {
				kept = k.KeptBy(kept[:0], &walls[i], r)
			}
		}
	})
	b.Run("tops", func(b *testing.B) {
		var k Keeper
		for b.Loop() {
			k.Reset(cols, region)
		}
	})
	b.Run("hits", func(b *testing.B) {
		hit := make(Mask, w.Cells())
		for b.Loop() {
			WallHits(hit, w, walls, list, r)
		}
	})
}
