package bnvf

import (
	"fmt"
	"math"
	"slices"

	"wend/pack"
	"wend/pack/bnav"
)

// columnNames in stored order.
const (
	colComponent = iota
	colSteps
	colSeg
	colTax
	colClr
	colMedial
	columns
)

// ColumnDecoder decodes the columns of tiles and keeps its scratch. The zero
// value is ready. It is for one goroutine.
type ColumnDecoder struct {
	inf  pack.Inflater
	bufs [columns][]byte
}

// Decode decodes a tile's columns into c, whose slices are overwritten and
// grown.
func (d *ColumnDecoder) Decode(f *Fields, zone, tile int, c *Columns) error {
	c.resize(int(f.Zones[zone].tile(tile).records))
	b, err := d.read(f, zone, tile, c.Component, c.ClrDrop)
	if err != nil {
		return err
	}
	copy(c.StepsXor, b.steps)
	copy(c.Seg, b.seg)
	copy(c.Tax, b.tax)
	copy(c.Medial, b.medial)
	return nil
}

// byteColumns are the columns that are stored as they are, in the decoder's
// memory until its next call; nil where a tile has no records.
type byteColumns struct{ steps, seg, tax, medial []uint8 }

// read decodes a tile's columns; component and drop have a place for each
// record.
func (d *ColumnDecoder) read(f *Fields, zone, tile int, component []uint32, drop []uint16) (b byteColumns, err error) {
	z := &f.Zones[zone]
	t := z.tile(tile)
	n := int(t.records)
	if n == 0 {
		return b, nil
	}
	where := f.where("FSPN", zone).In("tile", tile)
	r := pack.NewReader(where, z.spans.b[t.off:][:t.size:t.size], z.spans.offset+int64(t.off))
	if got := r.Uvarint(); r.Err() == nil && got != uint64(n) {
		r.FailAt(0, pack.ErrCount, "%d records, the tile table says %d", got, n)
	}
	var num [columns]pack.Numbers
	for k := range num {
		most := uint64(n)
		if k == colComponent || k == colClr {
			most *= pack.MaxVarintLen
		}
		if num[k], d.bufs[k] = r.Numbers(&d.inf, d.bufs[k], k, uint64(n), most); r.Err() != nil {
			return b, r.Err()
		}
	}
	if r.Done() != nil {
		return b, r.Err()
	}
	if err := decodeComponents(&num[colComponent], component); err != nil {
		return b, err
	}
	for _, c := range []struct {
		col  int
		mask uint8
	}{{colSeg, 3}, {colMedial, 1}} {
		used := uint8(0)
		for _, v := range num[c.col].Raw() {
			used |= v
		}
		if used&^c.mask != 0 {
			raw := num[c.col].Raw()
			i := slices.IndexFunc(raw, func(v uint8) bool { return v&^c.mask != 0 })
			num[c.col].Seek(i)
			num[c.col].Fail(pack.ErrRange, "%#02x of record %d, known bits are %#02x", raw[i], i, c.mask)
			return b, num[c.col].Err()
		}
	}
	return byteColumns{num[colSteps].Raw(), num[colSeg].Raw(), num[colTax].Raw(), num[colMedial].Raw()}, decodeDrops(&num[colClr], drop)
}

// decodeComponents sums the differences of column 0.
func decodeComponents(num *pack.Numbers, out []uint32) error {
	raw, p := num.Raw(), num.Pos()
	v := int64(0)
	for i := range out {
		if p < len(raw) && raw[p] == 0 { // most records are of the component before
			p++
			out[i] = uint32(v)
			continue
		}
		u, next, err := pack.Uvarint(raw, p)
		if err != nil {
			num.FailWith(p, err)
			return num.Err()
		}
		// A wrapped sum is negative: v is at most 2^32.
		if v += pack.Unzigzag(u); v < 0 || v > math.MaxUint32 {
			num.Seek(p)
			num.Fail(pack.ErrRange, "component %d of record %d, want 0 to %d", v, i, uint32(math.MaxUint32))
			return num.Err()
		}
		p = next
		out[i] = uint32(v)
	}
	num.Seek(p)
	return num.Done()
}

// decodeDrops reads column 4.
func decodeDrops(num *pack.Numbers, out []uint16) error {
	raw, p := num.Raw(), num.Pos()
	for i := range out {
		if p < len(raw) && raw[p] < 0x80 {
			out[i] = uint16(raw[p])
			p++
			continue
		}
		u, next, err := pack.Uvarint(raw, p)
		if err != nil {
			num.FailWith(p, err)
			return num.Err()
		}
		if u > math.MaxUint16 {
			num.Seek(p)
			num.Fail(pack.ErrRange, "clearance %d of record %d, want at most %d", u, i, math.MaxUint16)
			return num.Err()
		}
		p = next
		out[i] = uint16(u)
	}
	num.Seek(p)
	return num.Done()
}

// resize makes all columns n long, with values left over.
func (c *Columns) resize(n int) {
	c.Component = resize(c.Component, n)
	c.StepsXor, c.Seg, c.Tax, c.Medial = resize(c.StepsXor, n), resize(c.Seg, n), resize(c.Tax, n), resize(c.Medial, n)
	c.ClrDrop = resize(c.ClrDrop, n)
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// ColumnEncoder encodes the columns of tiles and keeps its scratch. It is for
// one goroutine.
type ColumnEncoder struct {
	d   *pack.Deflater
	buf []byte
}

// NewColumnEncoder returns an encoder for a compression level.
func NewColumnEncoder(level bnav.Level) (*ColumnEncoder, error) {
	d, err := pack.NewDeflater(level.Int())
	if err != nil {
		return nil, err
	}
	return &ColumnEncoder{d: d}, nil
}

// Encode returns the payload of a tile, nil where it has no records. All
// columns must have the same length.
func (e *ColumnEncoder) Encode(c *Columns) ([]byte, error) {
	n := c.Len()
	if len(c.StepsXor) != n || len(c.Seg) != n || len(c.Tax) != n || len(c.ClrDrop) != n || len(c.Medial) != n {
		return nil, fmt.Errorf("bnvf: %w: columns of %d, %d, %d, %d, %d, %d records", pack.ErrCount,
			len(c.Component), len(c.StepsXor), len(c.Seg), len(c.Tax), len(c.ClrDrop), len(c.Medial))
	}
	if n == 0 {
		return nil, nil
	}
	for i := range n {
		if c.Seg[i] > 3 || c.Medial[i] > 1 {
			return nil, fmt.Errorf("bnvf: record %d: %w: facade %#02x, medial %#02x", i, pack.ErrRange, c.Seg[i], c.Medial[i])
		}
	}
	out := pack.AppendUvarint(nil, uint64(n))
	raw := e.buf[:0]
	last := int64(0)
	for _, v := range c.Component {
		raw = pack.AppendVarint(raw, int64(v)-last)
		last = int64(v)
	}
	out = e.d.AppendStream(out, raw)
	for _, col := range [][]uint8{c.StepsXor, c.Seg, c.Tax} {
		out = e.d.AppendStream(out, col)
	}
	raw = raw[:0]
	for _, v := range c.ClrDrop {
		raw = pack.AppendUvarint(raw, uint64(v))
	}
	e.buf = raw
	return e.d.AppendStream(e.d.AppendStream(out, raw), c.Medial), nil
}
