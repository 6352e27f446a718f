package bnvf_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"wend/internal/wendtest/layered"
	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// benchTile is a tile of the world of the benchmarks below: its records, their
// columns and headroom.
type benchTile struct {
	tile     bnav.Tile
	recs     []bnav.Record
	cols     bnvf.Columns
	headroom []uint8
}

// benchWorld is made once: 16 tiles, more than 5 million records.
var benchWorld = sync.OnceValue(func() []benchTile {
	w := layered.Terrain{Seed: 7}
	list := make([]benchTile, 16)
	_ = pack.Parallel(context.Background(), 0, len(list), func(_, i int) error {
		b := &list[i]
		t := bnav.Tile{GX0: 512 * int32(i%4), GY0: 512 * int32(i/4), NX: 512, NY: 512, PX1: 511, PY1: 511}
		c := &b.cols
		var cell []layered.Sample
		for y := range t.NY {
			for x := range t.NX {
				cell = w.Cell(t.GX0+x, t.GY0+y, cell[:0])
				for _, s := range cell {
					b.recs = append(b.recs, bnav.Record{Cell: y*t.NX + x, Region: s.Region, H: s.H, Clr: s.Clr, Flags: s.Flags, Steps: s.Steps})
					c.Component, c.StepsXor, c.Seg = append(c.Component, s.Component), append(c.StepsXor, s.StepsXor), append(c.Seg, s.Seg)
					c.Tax, c.ClrDrop, c.Medial = append(c.Tax, 0), append(c.ClrDrop, s.ClrDrop), append(c.Medial, s.Medial)
					b.headroom = append(b.headroom, annex.HeadroomStep(s.Headroom))
				}
			}
		}
		t.Records = uint32(len(b.recs))
		b.tile = t
		return nil
	})
	return list
})

// encodeWorld makes the grid and the columns; headroom is counted apart.
func encodeWorld(ctx context.Context, workers int) (grid []bnav.NewTile, fields []bnvf.NewTile, headroom []annex.HeadroomTile, err error) {
	world := benchWorld()
	grid, fields, headroom = make([]bnav.NewTile, len(world)), make([]bnvf.NewTile, len(world)), make([]annex.HeadroomTile, len(world))
	tiles, cols, heads := make([]*bnav.TileEncoder, workers), make([]*bnvf.ColumnEncoder, workers), make([]*annex.HeadroomEncoder, workers)
	for i := range workers {
		tiles[i], _ = bnav.NewTileEncoder(0)
		cols[i], _ = bnvf.NewColumnEncoder(0)
		heads[i], _ = annex.NewHeadroomEncoder(0)
	}
	err = pack.Parallel(ctx, workers, len(world), func(k, i int) (err error) {
		b := &world[i]
		grid[i].Tile = b.tile
		if grid[i].Payload, err = tiles[k].Encode(b.recs, b.tile.NX, b.tile.NY); err != nil {
			return err
		}
		fields[i].Records = b.tile.Records
		if fields[i].Payload, err = cols[k].Encode(&b.cols); err != nil {
			return err
		}
		headroom[i], err = heads[k].Encode(b.headroom)
		return err
	})
	return grid, fields, headroom, err
}

// benchPair is both packs, without triangles.
var benchPair = sync.OnceValue(func() (pair struct {
	main, fields []byte
	records      int
}) {
	ctx := context.Background()
	grid, fields, headroom, err := encodeWorld(ctx, 2)
	if err != nil {
		panic(err)
	}
	for i := range grid {
		pair.records += int(grid[i].Records)
	}
	g, err := bnav.NewGrid(128, 16, []bnav.NewZone{{Name: "terrain", GlobalRegions: layered.Regions, Tiles: grid}})
	if err != nil {
		panic(err)
	}
	pair.main, _, err = bnav.Encode(ctx, &bnav.Content{
		Zones: []bnav.Zone{{ID: 1, Name: "terrain", FloorY: bnav.NoFloor}}, Links: []bnav.Link{{}}, Grid: g,
	}, nil)
	if err != nil {
		panic(err)
	}
	p, err := bnav.Load(ctx, pair.main, nil)
	if err != nil {
		panic(err)
	}
	h, err := annex.EncodeHeadroom([][]annex.HeadroomTile{headroom})
	if err != nil {
		panic(err)
	}
	c := &bnvf.Content{Zones: []bnvf.NewZone{{Name: "terrain", GlobalRegions: layered.Regions, Tiles: fields}}, Extra: []pack.Extra{h}}
	if pair.fields, err = bnvf.Encode(ctx, c, p, nil); err != nil {
		panic(err)
	}
	return pair
})

// BenchmarkPairEncode encodes all records with their columns and headroom.
// Bytes a record are those of both files; of them the grid takes grid-B, the
// columns columns-B, headroom headroom-B.
func BenchmarkPairEncode(b *testing.B) {
	pair := benchPair()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			var sizes [3]int
			for b.Loop() {
				grid, fields, headroom, err := encodeWorld(b.Context(), workers)
				if err != nil {
					b.Fatal(err)
				}
				sizes = [3]int{}
				for i := range grid {
					sizes[0] += len(grid[i].Payload)
					sizes[1] += len(fields[i].Payload)
					sizes[2] += len(headroom[i].Payload)
				}
			}
			n := float64(pair.records)
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric(float64(len(pair.main)+len(pair.fields))/n, "bytes/record")
			b.ReportMetric(float64(sizes[0])/n, "grid-B")
			b.ReportMetric(float64(sizes[1])/n, "columns-B")
			b.ReportMetric(float64(sizes[2])/n, "headroom-B")
			b.ReportMetric(n, "records")
		})
	}
}

// load opens both packs from their decompressed bytes, by zone.
func load(b *testing.B) (*bnav.Pack, *bnvf.Fields) {
	pair := benchPair()
	p, err := bnav.LoadZone(b.Context(), pair.main, "terrain", nil)
	if err != nil {
		b.Fatal(err)
	}
	f, err := bnvf.Load(b.Context(), pair.fields, p, nil)
	if err != nil {
		b.Fatal(err)
	}
	return p, f
}

// BenchmarkPairDecode decodes all records with their columns.
func BenchmarkPairDecode(b *testing.B) {
	p, f := load(b)
	z := &p.Grid.Zones[0]
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			tiles, cols := make([]bnav.TileDecoder, workers), make([]bnvf.ColumnDecoder, workers)
			recs, out := make([][]bnav.Record, workers), make([]bnvf.Columns, workers)
			for b.Loop() {
				err := pack.Parallel(b.Context(), workers, len(z.Tiles), func(k, i int) (err error) {
					if recs[k], err = tiles[k].Decode(p.Grid, 0, i, recs[k][:0]); err != nil {
						return err
					}
					return cols[k].Decode(f, f.ForGrid(0), i, &out[k])
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(z.Records())*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

// BenchmarkPairOpen opens both packs. resident/packed is what stays in memory
// against the bytes of the two files.
func BenchmarkPairOpen(b *testing.B) {
	pair := benchPair()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	p, f := load(b)
	runtime.GC()
	runtime.ReadMemStats(&after)
	resident := float64(after.HeapAlloc) - float64(before.HeapAlloc)
	b.SetBytes(int64(len(pair.main) + len(pair.fields)))
	for b.Loop() {
		p, f = load(b)
	}
	runtime.KeepAlive(p)
	runtime.KeepAlive(f)
	b.ReportMetric(resident/float64(len(pair.main)+len(pair.fields)), "resident/packed")
}

// BenchmarkPairColdWindow opens both packs and decodes one window with all
// fields; BenchmarkPairOpen is the part of it that any window needs.
func BenchmarkPairColdWindow(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("1000x1000/workers=%d", workers), func(b *testing.B) {
			n := 0
			for b.Loop() {
				_, f := load(b)
				w, err := f.Window(b.Context(), 0, bnav.Window{GX0: 300, GY0: 300, NX: 1000, NY: 1000}, workers)
				if err != nil {
					b.Fatal(err)
				}
				n = w.Len()
			}
			b.ReportMetric(float64(n), "records")
		})
	}
}

// BenchmarkHeadroomWindow decodes the headroom of the same window.
func BenchmarkHeadroomWindow(b *testing.B) {
	_, f := load(b)
	h, err := annex.ReadHeadroom(f)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := h.Window(b.Context(), 0, bnav.Window{GX0: 300, GY0: 300, NX: 1000, NY: 1000}, 1); err != nil {
			b.Fatal(err)
		}
	}
}
