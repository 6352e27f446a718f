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

// ColumnDecoder decodes the columns of tiles and keeps its scratch, an inflated
// column. The zero value is ready. It is for one goroutine.
type ColumnDecoder struct {
	inf pack.Inflater
	buf []byte
}

// Decode decodes a tile's columns into c, whose slices are overwritten and
// grown.
func (d *ColumnDecoder) Decode(f *Fields, zone, tile int, c *Columns) error {
	n := int(f.Zones[zone].tile(tile).records)
	c.resize(n)
	return d.each(f, zone, tile, func(k int, num *pack.Numbers) error {
		switch k {
		case colComponent:
			return decodeComponents(num, c.Component)
		case colSteps:
			copy(c.StepsXor, num.Raw())
		case colSeg:
			copy(c.Seg, num.Raw())
		case colTax:
			copy(c.Tax, num.Raw())
		case colClr:
			return decodeDrops(num, c.ClrDrop)
		case colMedial:
			copy(c.Medial, num.Raw())
		}
		return nil
	})
}

// each hands out the columns of a tile one by one, in stored order. Those of
// bytes have one for each record, without unknown bits.
func (d *ColumnDecoder) each(f *Fields, zone, tile int, take func(k int, num *pack.Numbers) error) error {
	z := &f.Zones[zone]
	t := z.tile(tile)
	n := uint64(t.records)
	if n == 0 {
		return nil
	}
	where := f.where("FSPN", zone).In("tile", tile)
	r := pack.NewReader(where, z.spans.b[t.off:][:t.size:t.size], z.spans.offset+int64(t.off))
	if got := r.Uvarint(); r.Err() == nil && got != n {
		r.FailAt(0, pack.ErrCount, "%d records, the tile table says %d", got, n)
	}
	for k := range columns {
		most := n
		if k == colComponent || k == colClr {
			most *= pack.MaxVarintLen
		}
		var num pack.Numbers
		if num, d.buf = r.Numbers(&d.inf, d.buf, k, n, most); r.Err() != nil {
			return r.Err()
		}
		if mask := columnBits[k]; mask != 0 {
			checkBits(&num, mask)
		}
		if num.Err() != nil {
			return num.Err()
		}
		if err := take(k, &num); err != nil {
			return err
		}
	}
	r.Done()
	return r.Err()
}

// columnBits are the bits that may be set in a column; 0 where all of them are
// known.
var columnBits = [columns]uint8{colSeg: 3, colMedial: 1}

func checkBits(num *pack.Numbers, mask uint8) {
	used, raw := uint8(0), num.Raw()
	for _, v := range raw {
		used |= v
	}
	if used&^mask != 0 {
		i := slices.IndexFunc(raw, func(v uint8) bool { return v&^mask != 0 })
		num.Seek(i)
		num.Fail(pack.ErrRange, "%#02x of record %d, known bits are %#02x", raw[i], i, mask)
	}
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
