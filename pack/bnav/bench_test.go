package bnav

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

	"wend/pack"
)

// terrain is a made-up world of three layers: hills with walls on them, floors
// of houses on a third of it, bridges on a tenth.
type terrain struct{ seed uint32 }

func (w terrain) hash(x, y int32) uint32 {
	h := uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77 ^ w.seed*0xC2B2AE3D
	h ^= h >> 15
	h *= 0x2C1B3C6D
	h ^= h >> 12
	h *= 0x297A2D39
	return h ^ h>>15
}

// noise is smooth between lattice points that are step cells apart, 0 to 1.
func (w terrain) noise(x, y, step int32) float64 {
	fx, fy := float64(x)/float64(step), float64(y)/float64(step)
	x0, y0 := math.Floor(fx), math.Floor(fy)
	at := func(i, j int32) float64 { return float64(w.hash(int32(x0)+i, int32(y0)+j)&0xffff) / 65535 }
	tx, ty := fx-x0, fy-y0
	a := at(0, 0) + float64(tx*(at(1, 0)-at(0, 0)))
	b := at(0, 1) + float64(tx*(at(1, 1)-at(0, 1)))
	return a + float64(ty*(b-a))
}

// lattice rounds a height to 1/64 m.
func lattice(h float64) float32 { return float32(math.RoundToEven(h*64) / 64) }

// house tells whether a cell lies in a house, which stand in blocks of 160
// cells, and how far it is from its walls, in cells.
func (w terrain) house(x, y int32) (inside bool, dist int32) {
	bx, by := floorDiv(x, 160), floorDiv(y, 160)
	if w.hash(bx, by)%3 != 0 {
		return false, 160
	}
	lx, ly := x-160*bx, y-160*by
	d := min(lx-20, 139-lx, ly-20, 139-ly)
	return d >= 0, max(d, -d-1)
}

func floorDiv(a, b int32) int32 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// records makes the records of a tile's window.
func (w terrain) records(t *Tile) []Record {
	var recs []Record
	for y := range t.NY {
		for x := range t.NX {
			gx, gy := t.GX0+x, t.GY0+y
			cell := y*t.NX + x
			ground := lattice(float64(40*w.noise(gx, gy, 700)) + float64(3*w.noise(gx, gy, 60)) + float64(0.2*w.noise(gx, gy, 9)) + float64(0.06*w.noise(gx, gy, 2)))
			inside, d := w.house(gx, gy)
			clr := uint16(min(2304, d*d))
			flags := uint8(Walk | Core)
			steps := uint8(0)
			if d == 0 {
				flags = Dead | Walk
			} else if d < 3 && w.hash(gx/4, gy/4)%5 == 0 {
				steps = uint8(w.hash(gx/8, gy/8)) & 0x55
			}
			if w.noise(gx, gy, 40) > 0.12 {
				recs = append(recs, Record{cell, 1 + uint32(floorDiv(gx, 2000)&3), ground, clr, flags, steps})
			}
			if inside {
				base := lattice(45 + float64(w.hash(floorDiv(gx, 160), floorDiv(gy, 160))%800)/64)
				recs = append(recs, Record{cell, 10 + uint32(floorDiv(gx, 160)&15)*16 + uint32(floorDiv(gy, 160)&15), base, clr, flags, 0})
			}
			if w.noise(gx, gy, 300) > 0.8 {
				recs = append(recs, Record{cell, 9, lattice(60 + float64(2*w.noise(gx, gy, 200))), 400, Walk | Core, 0})
			}
		}
	}
	return recs
}

const benchSide = 641

// benchWorld is side x side tiles of 641 cells with aprons of 64.
func benchTiles(side int32) []Tile {
	var tiles []Tile
	for ty := range side {
		for tx := range side {
			tiles = append(tiles, Tile{GX0: 512*tx - 64, GY0: 512*ty - 64, NX: benchSide, NY: benchSide, PX0: 64, PX1: 575, PY0: 64, PY1: 575})
		}
	}
	return tiles
}

// benchRecords and benchGrid are made once: 16 tiles, more than 8 million
// records.
var benchRecords = sync.OnceValue(func() [][]Record {
	tiles := benchTiles(4)
	out := make([][]Record, len(tiles))
	for i := range tiles {
		out[i] = terrain{7}.records(&tiles[i])
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
	z := NewZone{Name: "terrain", GlobalRegions: 300}
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

// benchMesh is a sheet of triangles with links both ways.
var benchMesh = sync.OnceValue(func() []byte {
	const side = 700
	c := &Content{Zones: []Zone{{ID: 1, Name: "sheet", TriCount: 2 * side * side, Width: side, Height: side, SX: 1, SY: 1, FloorY: NoFloor}}}
	w := terrain{3}
	for y := range int32(side + 1) {
		for x := range int32(side + 1) {
			c.Vertices = append(c.Vertices, Vertex{float32(x), float32(y), lattice(30 * w.noise(x, y, 90))})
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
