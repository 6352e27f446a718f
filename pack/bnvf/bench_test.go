package bnvf

import (
	"fmt"
	"testing"

	"wend/pack"
	"wend/pack/bnav"
)

// benchColumns are columns as a bake gives them: long runs of one component,
// few steps that change, clearances that walls shrink here and there.
func benchColumns(n int, seed uint32) *Columns {
	c := &Columns{}
	c.resize(n)
	for i := range n {
		h := uint32(i)*0x9E3779B1 ^ seed
		h ^= h >> 15
		h *= 0x2C1B3C6D
		h ^= h >> 13
		x, y := i%641, i/641
		c.Component[i] = 1 + uint32(x/200)%3
		c.StepsXor[i], c.Seg[i], c.Tax[i], c.Medial[i], c.ClrDrop[i] = 0, 0, 0, 0, 0
		if h%97 == 0 {
			c.StepsXor[i], c.Seg[i] = uint8(h>>8)&0x55, uint8(h>>16)&3
		}
		if (x+y)%61 == 0 {
			c.Medial[i] = 1
		}
		if x%90 < 12 {
			c.ClrDrop[i] = uint16((12 - x%90) * (12 - x%90))
		}
	}
	return c
}

func BenchmarkColumns(b *testing.B) {
	const tiles, n = 16, 400000
	cols := make([]*Columns, tiles)
	for i := range cols {
		cols[i] = benchColumns(n, uint32(i))
	}
	payloads := make([][]byte, tiles)
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("encode/workers=", workers), func(b *testing.B) {
			for b.Loop() {
				enc := make([]*ColumnEncoder, workers)
				for i := range enc {
					enc[i], _ = NewColumnEncoder(0)
				}
				err := pack.Parallel(b.Context(), workers, tiles, func(w, i int) (err error) {
					payloads[i], err = enc[w].Encode(cols[i])
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			size := 0
			for _, p := range payloads {
				size += len(p)
			}
			b.ReportMetric(tiles*n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
			b.ReportMetric(float64(size)/(tiles*n), "bytes/record")
		})
	}
	spans := make([]byte, 0, tiles*tileEntryLen)
	off := uint64(tiles * tileEntryLen)
	for _, p := range payloads {
		spans = append(spans, byte(n&0xff), byte(n>>8&0xff), byte(n>>16), 0)
		for k := range 8 {
			spans = append(spans, byte(off>>(8*k)))
		}
		spans = append(spans, byte(len(p)), byte(len(p)>>8), byte(len(p)>>16), 0)
		off += uint64(len(p))
	}
	for _, p := range payloads {
		spans = append(spans, p...)
	}
	f := &Fields{Name: "bench", main: &bnav.Pack{}, Zones: []Zone{{Name: "z", tiles: tiles, spans: slice{b: spans}}}}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint("decode/workers=", workers), func(b *testing.B) {
			dec, out := make([]ColumnDecoder, workers), make([]Columns, workers)
			for b.Loop() {
				err := pack.Parallel(b.Context(), workers, tiles, func(w, i int) error { return dec[w].Decode(f, 0, i, &out[w]) })
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(tiles*n*float64(b.N)/b.Elapsed().Seconds(), "records/s")
		})
	}
}
