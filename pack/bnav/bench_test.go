package bnav

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"wend/internal/wendtest/layered"
	"wend/pack"
)

// layeredTile makes the records of a tile of a world of stacked surfaces.
func layeredTile(w layered.Terrain, t *Tile) []Record {
	var recs []Record
	var cell []layered.Sample
	for y := range t.NY {
		for x := range t.NX {
			cell = w.Cell(t.GX0+x, t.GY0+y, cell[:0])
			for _, s := range cell {
				recs = append(recs, Record{y*t.NX + x, s.Region, s.H, s.Clr, s.Flags, s.Steps})
			}
		}
	}
	return recs
}

// benchTiles is side x side tiles of 512 cells, as our bakes cut them.
func benchTiles(side int32) []Tile {
	var tiles []Tile
	for ty := range side {
		for tx := range side {
			tiles = append(tiles, Tile{GX0: 512 * tx, GY0: 512 * ty, NX: 512, NY: 512, PX1: 511, PY1: 511})
		}
	}
	return tiles
}

// benchRecords and benchGrid are made once: 16 tiles, more than 5 million
// records.
var benchRecords = sync.OnceValue(func() [][]Record {
	tiles := benchTiles(4)
	out := make([][]Record, len(tiles))
	for i := range tiles {
		out[i] = layeredTile(layered.Terrain{Seed: 7}, &tiles[i])
	}
	return out
})

var benchGrid = sync.OnceValue(func() *Grid {
	g, err := encodeBench(benchRecords())
	if err != nil {
		panic(err)
	}
	return g
})

func encodeBench(recs [][]Record) (*Grid, error) {
	enc, err := NewTileEncoder(0)
	if err != nil {
		return nil, err
	}
	z := NewZone{Name: "terrain", GlobalRegions: layered.Regions}
	for i, t := range benchTiles(4) {
		payload, err := enc.Encode(recs[i], t.NX, t.NY)
		if err != nil {
			return nil, err
		}
		t.Records = uint32(len(recs[i]))
		z.Tiles = append(z.Tiles, NewTile{t, payload})
	}
	return NewGrid(128, 16, []NewZone{z})
}

func totalRecords(recs [][]Record) (n int) {
	for _, r := range recs {
		n += len(r)
	}
	return n
}

func BenchmarkEncodeTiles(b *testing.B) {
	recs := benchRecords()
	tiles := benchTiles(4)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			var packed int
			for b.Loop() {
				enc := make([]*TileEncoder, workers)
				for i := range enc {
					enc[i], _ = NewTileEncoder(0)
				}
				sizes := make([]int, len(recs))
				err := pack.Parallel(b.Context(), workers, len(recs), func(w, i int) error {
					p, err := enc[w].Encode(recs[i], tiles[i].NX, tiles[i].NY)
					sizes[i] = len(p)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
				packed = 0
				for _, n := range sizes {
					packed += n
				}
			}
			n := totalRecords(recs)
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric(float64(packed)/float64(n), "bytes/record")
			b.ReportMetric(float64(n), "records")
		})
	}
}

func BenchmarkDecodeTiles(b *testing.B) {
	g := benchGrid()
	n := int(g.Zones[0].Records())
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			dec := make([]TileDecoder, workers)
			buf := make([][]Record, workers)
			b.ReportAllocs()
			for b.Loop() {
				err := pack.Parallel(b.Context(), workers, len(g.Zones[0].Tiles), func(w, i int) (err error) {
					buf[w], err = dec[w].Decode(g, 0, i, buf[w][:0])
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}

func BenchmarkWindow(b *testing.B) {
	g := benchGrid()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("1000x1000/workers=%d", workers), func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				recs, err := g.Window(b.Context(), 0, Window{300, 300, 1000, 1000}, workers)
				if err != nil {
					b.Fatal(err)
				}
				n = len(recs)
			}
			b.ReportMetric(float64(n), "records")
		})
	}
}

// benchMesh is a sheet of 980,000 triangles in ten zones, with links both ways.
var benchMesh = sync.OnceValue(func() []byte {
	const side = 700
	c := &Content{}
	const strips = 10
	for i := range uint32(strips) {
		c.Zones = append(c.Zones, Zone{ID: uint16(1 + i), Name: fmt.Sprint("strip ", i), FirstTri: i * (2 * side * side / strips), TriCount: 2 * side * side / strips, Width: side, Height: side, SX: 1, SY: 1, FloorY: NoFloor})
	}
	w := layered.Terrain{Seed: 3}
	for y := range int32(side + 1) {
		for x := range int32(side + 1) {
			c.Vertices = append(c.Vertices, Vertex{float32(x), float32(y), layered.Lattice(30 * w.Noise(x, y, 90))})
		}
	}
	for y := range int32(side) {
		for x := range int32(side) {
			a := uint32(y*(side+1) + x)
			t := 2 * (y*side + x)
			up := Triangle{V: [3]uint32{a, a + 1, a + side + 1}, N: [3]int32{t - 2*side + 1, t + 1, t - 1}}
			lo := Triangle{V: [3]uint32{a + 1, a + side + 2, a + side + 1}, N: [3]int32{t + 2, t + 2*side, t}}
			if y == 0 {
				up.N[0] = -1
			}
			if x == 0 {
				up.N[2] = -1
			}
			if x == side-1 {
				lo.N[0] = -1
			}
			if y == side-1 {
				lo.N[1] = -1
			}
			c.Triangles = append(c.Triangles, up, lo)
		}
	}
	for i := range c.Triangles {
		n := c.Triangles[i].N
		slices.Sort(n[:])
		for _, to := range n {
			if to >= 0 {
				c.Links = append(c.Links, Link{uint32(i), uint32(to)})
			}
		}
	}
	c.Grid = benchGrid()
	data, _, err := Encode(context.Background(), c, nil)
	if err != nil {
		panic(err)
	}
	return data
})

func BenchmarkLoad(b *testing.B) {
	data := benchMesh()
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("workers=", workers), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := Load(b.Context(), data, &Options{Workers: workers}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(980000*float64(b.N)/b.Elapsed().Seconds(), "triangles/s")
		})
	}
}

// BenchmarkLoadZone opens one of ten zones. chunks is how many of the pack's
// chunks are decoded for it; the pass over all bytes for the fingerprint, which
// is part of it, is [BenchmarkFingerprint].
func BenchmarkLoadZone(b *testing.B) {
	data := benchMesh()
	p, err := Load(b.Context(), data, nil)
	if err != nil {
		b.Fatal(err)
	}
	of := p.Decoded
	for b.Loop() {
		if p, err = LoadZone(b.Context(), data, "strip 4", &Options{Workers: 1}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(p.Decoded.Vertices+p.Decoded.Triangles+p.Decoded.Links), "chunks")
	b.ReportMetric(float64(of.Vertices+of.Triangles+of.Links), "chunks-of")
}

func BenchmarkFingerprint(b *testing.B) {
	data := benchMesh()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		pack.Fingerprint(data)
	}
}

// BenchmarkColdWindow opens a pack from its bytes and decodes one window.
// resident/packed is what stays in memory after opening a zone without
// triangles, against the grid's packed bytes.
func BenchmarkColdWindow(b *testing.B) {
	c := &Content{Zones: []Zone{{ID: 1, Name: "terrain", FloorY: NoFloor}}, Links: []Link{{0, 0}}, Grid: benchGrid()}
	data, _, err := Encode(b.Context(), c, nil)
	if err != nil {
		b.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	p, err := LoadZone(b.Context(), data, "terrain", nil)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		if p, err = LoadZone(b.Context(), data, "terrain", nil); err != nil {
			b.Fatal(err)
		}
		if _, err := p.Grid.Window(b.Context(), 0, Window{300, 300, 1000, 1000}, 2); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(p.Grid.PackedLen()), "resident/packed")
}
