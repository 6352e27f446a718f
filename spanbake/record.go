package spanbake

import (
	"cmp"
	"math"
	"slices"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// Bits of bnav.Record.Flags.
const (
	flagDead  = 0x01
	flagWalk  = 0x02
	flagCore  = 0x04
	flagGhost = 0x08
)

// record is a record of the grid with what the sidecar says of it.
type record struct {
	bnav.Record
	steps2, seg, tax uint8
	medial           uint8
	clr2             uint16
	part             uint32 // component inside the tile, counted over its regions, from 1
}

// sortRecords brings the records of a tile into the order of the grid: by
// cell, region and height.
func sortRecords(list []record) {
	slices.SortFunc(list, func(a, b record) int {
		if c := cmp.Compare(a.Cell, b.Cell); c != 0 {
			return c
		}
		if c := cmp.Compare(a.Region, b.Region); c != 0 {
			return c
		}
		return cmp.Compare(a.H, b.H)
	})
}

// fieldTile is what the fields stage makes of a tile.
type fieldTile struct {
	payload []byte // of the grid
	columns bnvf.Columns
	parts   []regionPart
	drops   []spangrid.RegionDrop
	opened  []bnvf.Opening
	head    annex.HeadroomTile // payload only where the level's geometry is known
	bounds  annex.ZoneBounds
}

// regionPart is the step graph of a region inside a tile.
type regionPart struct {
	region uint32
	base   uint32 // component i of the part is base+i of the tile's records
	graph  partGraph
}

func (t *fieldTile) encode() []byte {
	var w blobWriter
	c := &t.columns
	w.bytes(t.payload)
	w.uint(uint64(c.Len()))
	w.runs(c.Len(), func(i int) uint64 { return uint64(c.Component[i]) })
	w.runs(c.Len(), func(i int) uint64 { return uint64(c.StepsXor[i]) })
	w.runs(c.Len(), func(i int) uint64 { return uint64(c.Seg[i]) })
	w.runs(c.Len(), func(i int) uint64 { return uint64(c.Tax[i]) })
	w.runs(c.Len(), func(i int) uint64 { return uint64(c.ClrDrop[i]) })
	w.runs(c.Len(), func(i int) uint64 { return uint64(c.Medial[i]) })
	w.uint(uint64(len(t.parts)))
	for i := range t.parts {
		p := &t.parts[i]
		w.uint(uint64(p.region))
		w.uint(uint64(p.base))
		p.graph.encode(&w)
	}
	w.uint(uint64(len(t.drops)))
	for _, d := range t.drops {
		w.uint(uint64(d.From))
		w.uint(uint64(d.To))
	}
	w.uint(uint64(len(t.opened)))
	for _, o := range t.opened {
		w.int(int64(o.GX))
		w.int(int64(o.GY))
		w.uint(uint64(math.Float32bits(o.H)))
		w.uint(uint64(o.Clr))
		w.uint(uint64(o.Flags))
		w.uint(uint64(o.Src))
	}
	w.bytes(t.head.Payload)
	b := &t.bounds
	for _, v := range [4]int32{b.GX0, b.GY0, b.GX1, b.GY1} {
		w.int(int64(v))
	}
	w.uint(uint64(math.Float32bits(b.Heights.Min)))
	w.uint(uint64(math.Float32bits(b.Heights.Max)))
	return w.b
}

func decodeFieldTile(data []byte, k blobKey) (*fieldTile, error) {
	r := blobReader{b: data}
	t := &fieldTile{payload: r.bytes()}
	n := int(min(r.uint(), math.MaxInt32))
	// Runs make records cheaper than a byte; the grid's payload bounds them.
	if n > 0 && len(t.payload) == 0 {
		r.bad = true
		n = 0
	}
	c := &t.columns
	c.Component, c.StepsXor, c.Seg, c.Tax = make([]uint32, n), make([]uint8, n), make([]uint8, n), make([]uint8, n)
	c.ClrDrop, c.Medial = make([]uint16, n), make([]uint8, n)
	r.runs(n, func(i int, v uint64) { c.Component[i] = uint32(v) })
	r.runs(n, func(i int, v uint64) { c.StepsXor[i] = uint8(v) })
	r.runs(n, func(i int, v uint64) { c.Seg[i] = uint8(v) })
	r.runs(n, func(i int, v uint64) { c.Tax[i] = uint8(v) })
	r.runs(n, func(i int, v uint64) { c.ClrDrop[i] = uint16(v) })
	r.runs(n, func(i int, v uint64) { c.Medial[i] = uint8(v) })
	for range r.count() {
		p := regionPart{region: uint32(r.uint()), base: uint32(r.uint())}
		p.graph.decode(&r)
		t.parts = append(t.parts, p)
	}
	for range r.count() {
		t.drops = append(t.drops, spangrid.RegionDrop{From: uint32(r.uint()), To: uint32(r.uint())})
	}
	for range r.count() {
		t.opened = append(t.opened, bnvf.Opening{
			GX: int32(r.int()), GY: int32(r.int()), H: math.Float32frombits(uint32(r.uint())),
			Clr: uint16(r.uint()), Flags: uint8(r.uint()), Src: uint8(r.uint()),
		})
	}
	t.head = annex.HeadroomTile{Records: uint32(n), Payload: r.bytes()}
	b := &t.bounds
	for _, v := range [4]*int32{&b.GX0, &b.GY0, &b.GX1, &b.GY1} {
		*v = int32(r.int())
	}
	b.Heights.Min, b.Heights.Max = math.Float32frombits(uint32(r.uint())), math.Float32frombits(uint32(r.uint()))
	b.Records, b.Tiles = uint64(n), []annex.Heights{b.Heights}
	if err := r.done(k); err != nil {
		return nil, err
	}
	return t, nil
}
