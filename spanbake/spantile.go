package spanbake

import (
	"math"

	"wend/spangrid"
)

// spanTile is what the first stage makes of a tile: the spans of the cells it
// owns, and for each a region. Cells are counted in the owned rectangle.
type spanTile struct {
	cell   []int32
	h      []float32
	bits   []uint8
	region []uint32 // local, from 0; after numbering the region of the zone, from 1
	row    []int32  // first span of each row, and the total
}

// lattice returns a height as a multiple of 1/64 m, which all heights of
// spans are.
func lattice(h float32) int64 { return int64(h * spangrid.Steps) }

// fromLattice is the way back.
func fromLattice(v int64) float32 { return float32(v) / spangrid.Steps }

func (t *spanTile) encode() []byte {
	var w blobWriter
	w.uint(uint64(len(t.cell)))
	cell, h := int32(0), int64(0)
	for i, c := range t.cell {
		w.uint(uint64(c - cell))
		cell = c
		v := lattice(t.h[i])
		w.int(v - h)
		h = v
	}
	w.runs(len(t.bits), func(i int) uint64 { return uint64(t.bits[i]) })
	w.runs(len(t.region), func(i int) uint64 { return uint64(t.region[i]) })
	return w.b
}

// decodeSpanTile reads a tile of the given side. regions maps local regions to
// those of the zone; nil leaves them local.
func decodeSpanTile(data []byte, k blobKey, side int, regions []uint32) (*spanTile, error) {
	r := blobReader{b: data}
	n := r.count()
	t := &spanTile{cell: make([]int32, n), h: make([]float32, n), bits: make([]uint8, n), region: make([]uint32, n)}
	cell, h := int64(0), int64(0)
	for i := range n {
		cell += int64(min(r.uint(), math.MaxInt32))
		h += r.int()
		if cell >= int64(side*side) {
			r.bad = true
			break
		}
		t.cell[i], t.h[i] = int32(cell), fromLattice(h)
	}
	r.runs(n, func(i int, v uint64) { t.bits[i] = uint8(v) })
	r.runs(n, func(i int, v uint64) {
		switch {
		case regions == nil:
			t.region[i] = uint32(v)
		case v < uint64(len(regions)):
			t.region[i] = regions[v]
		default:
			r.bad = true
		}
	})
	if err := r.done(k); err != nil {
		return nil, err
	}
	t.row = make([]int32, side+1)
	i := 0
	for y := range side {
		t.row[y] = int32(i)
		for i < n && int(t.cell[i]) < (y+1)*side {
			i++
		}
	}
	t.row[side] = int32(n)
	return t, nil
}

// size is what a tile takes in memory, bytes.
func (t *spanTile) size() int { return 13*len(t.cell) + 4*len(t.row) }
