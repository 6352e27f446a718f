package bnav

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"wend/pack"
)

// The fields of a record that are stored as residuals, in stored order.
const (
	fieldHeight = iota
	fieldRegion
	fieldClr
	fieldFlags
	fieldSteps
	fields
)

// Predictors of a residual: from the nearest earlier cell of the same column,
// or from the layer below in the same cell.
const (
	up   = 0
	down = 1
)

// TileDecoder decodes tiles and keeps its scratch from one to the next: the
// inflated streams of the largest tile, commonly 5 bytes a record, and 18 bytes
// a cell; 12 bytes a record more for [TileDecoder.Decode]. The zero value is
// ready. It is for one goroutine.
type TileDecoder struct {
	inf  pack.Inflater
	bufs [8][]byte
	cols TileColumns // for the methods that return something else

	sorted []uint32
	column []uint16 // column of each cell
	layer  layer
	last   *[1 << 16]int32 // value of each column's latest cell
}

// A layer has the cells with so many records that they reach up to it.
type layer struct {
	at     []uint32 // record of each cell
	end    []uint32 // and one past the cell's last record
	column []uint16 // column of each cell
}

// TileHead is what stands in front of a tile's records.
type TileHead struct {
	Records  uint32
	HMin     float32
	Regions  []uint32 // region ids in the tile, in stored order
	Cells    uint32   // cells that have records
	MaxDepth uint32   // most records in a cell
	Select   []uint8  // predictor of field*MaxDepth+layer: 0 up, 1 down; nil in version 2
}

// head is a TileHead while its counts are being checked.
type head struct {
	n, regions, cells, depth uint64
	hmin                     float32
	sel                      []byte
}

// Head reads the head of a tile and its region ids without decoding records.
// The result does not refer to the decoder. A tile of version 2 is decoded for
// it.
func (d *TileDecoder) Head(g *Grid, zone, tile int) (TileHead, error) {
	t := &g.Zones[zone].Tiles[tile]
	if t.Records == 0 {
		return TileHead{}, nil
	}
	if g.Version == GridColumns {
		return d.columnsHead(g, zone, tile)
	}
	r := g.payload(zone, tile)
	h := readHead(r, t)
	r.Packed()
	r.Packed()
	d.readRegions(r, h, g.Zones[zone].GlobalRegions, &d.cols)
	if r.Err() != nil {
		return TileHead{}, r.Err()
	}
	return TileHead{
		Records: uint32(h.n), HMin: h.hmin, Regions: slices.Clone(d.cols.Regions), Cells: uint32(h.cells),
		MaxDepth: uint32(h.depth), Select: slices.Clone(h.sel),
	}, nil
}

// Decode appends the records of a tile to dst: cells ascending, and within a
// cell in stored order. Time and memory are linear in the records.
func (d *TileDecoder) Decode(g *Grid, zone, tile int, dst []Record) ([]Record, error) {
	if err := d.Columns(g, zone, tile, &d.cols); err != nil {
		return dst, err
	}
	return d.cols.appendRecords(dst), nil
}

// Columns decodes a tile into c, whose slices are overwritten and grown. Time
// and memory are linear in the records.
func (d *TileDecoder) Columns(g *Grid, zone, tile int, c *TileColumns) error {
	t := &g.Zones[zone].Tiles[tile]
	c.clear()
	if t.Records == 0 {
		return nil
	}
	r := g.payload(zone, tile)
	if g.Version == GridColumns {
		return d.decodeColumns(r, t, g.Zones[zone].GlobalRegions, c)
	}
	h := readHead(r, t)
	cells, depths := d.readCells(r, h)
	d.readRegions(r, h, g.Zones[zone].GlobalRegions, c)
	var num [fields]pack.Numbers
	for f := range num {
		if num[f], d.bufs[3+f] = r.Numbers(&d.inf, d.bufs[3+f], 3+f, h.n, 10*h.n); r.Err() != nil {
			return r.Err()
		}
	}
	if r.Done() != nil {
		return r.Err()
	}
	if err := d.layout(&cells, &depths, h, t, c); err != nil {
		return err
	}
	c.HMin = h.hmin
	c.resize(int(h.n))
	// Commonly a tile has one region, and nothing but zeros says so.
	one := h.regions == 1 && allZero(num[fieldRegion].Raw()) && uint64(num[fieldRegion].Len()) == h.n
	if one {
		num[fieldRegion].Seek(int(h.n))
	} else {
		c.Region = resize(c.Region, int(h.n))
	}
	for l := range uint32(h.depth) {
		d.climb(l, c)
		down := func(f int) bool { return h.sel[uint64(f)*h.depth+uint64(l)] == down }
		decodeLayer(d, &num[fieldHeight], c.H, l, math.MaxInt32, int(t.NX), down(fieldHeight), c)
		if !one {
			decodeLayer(d, &num[fieldRegion], c.Region, l, int64(h.regions)-1, int(t.NX), down(fieldRegion), c)
		}
		decodeLayer(d, &num[fieldClr], c.Clr, l, math.MaxUint16, int(t.NX), down(fieldClr), c)
		decodeLayer(d, &num[fieldFlags], c.Flags, l, math.MaxUint8, int(t.NX), down(fieldFlags), c)
		decodeLayer(d, &num[fieldSteps], c.Steps, l, math.MaxUint8, int(t.NX), down(fieldSteps), c)
	}
	for f := range num {
		if err := num[f].Done(); err != nil {
			return err
		}
	}
	return c.check(&num[fieldFlags], r)
}

func allZero(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if binary.LittleEndian.Uint64(b) != 0 {
			return false
		}
	}
	for _, v := range b {
		if v != 0 {
			return false
		}
	}
	return true
}

// Cells appends the cell of each of a tile's records to dst, in the order of
// [TileDecoder.Decode]. In version 3 only two of the eight streams are inflated
// for it.
func (d *TileDecoder) Cells(g *Grid, zone, tile int, dst []int32) ([]int32, error) {
	t := &g.Zones[zone].Tiles[tile]
	if t.Records == 0 {
		return dst, nil
	}
	if g.Version == GridColumns {
		recs, err := d.Decode(g, zone, tile, nil)
		for i := range recs {
			dst = append(dst, recs[i].Cell)
		}
		return dst, err
	}
	r := g.payload(zone, tile)
	h := readHead(r, t)
	cells, depths := d.readCells(r, h)
	if r.Err() != nil {
		return dst, r.Err()
	}
	c := &d.cols
	if err := d.layout(&cells, &depths, h, t, c); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, int(h.n))
	for i, cell := range c.Cell {
		for range c.First[i+1] - c.First[i] {
			dst = append(dst, cell)
		}
	}
	return dst, nil
}

// readHead reads the numbers in front of the streams and the predictors.
func readHead(r *pack.Reader, t *Tile) head {
	var h head
	start := r.Pos()
	h.n = r.Uvarint()
	if r.Err() == nil && h.n != uint64(t.Records) {
		r.FailAt(start, pack.ErrCount, "%d records, the directory says %d", h.n, t.Records)
	}
	h.hmin = r.F32()
	for _, c := range []struct {
		what string
		v    *uint64
	}{{"regions", &h.regions}, {"cells", &h.cells}, {"layers", &h.depth}} {
		pos := r.Pos()
		if *c.v = r.Uvarint(); r.Err() == nil && (*c.v == 0 || *c.v > h.n) {
			r.FailAt(pos, pack.ErrRange, "%d %s in %d records, want at least 1 and no more than records", *c.v, c.what, h.n)
		}
	}
	pos := r.Pos()
	h.sel = r.Bytes(fields * h.depth)
	for i, s := range h.sel {
		if s > down {
			r.FailAt(pos+i, pack.ErrRange, "predictor %d, want 0 (up) or 1 (down)", s)
		} else if s == down && uint64(i)%h.depth == 0 {
			r.FailAt(pos+i, pack.ErrRange, "predictor down at layer 0, which has no layer below")
		}
	}
	return h
}

// readCells reads the streams of cell ids and depths.
func (d *TileDecoder) readCells(r *pack.Reader, h head) (cells, depths pack.Numbers) {
	cells, d.bufs[0] = r.Numbers(&d.inf, d.bufs[0], 0, h.cells, 10*h.cells)
	depths, d.bufs[1] = r.Numbers(&d.inf, d.bufs[1], 1, h.cells, 10*h.cells)
	return cells, depths
}

// readRegions reads the dictionary of region ids.
func (d *TileDecoder) readRegions(r *pack.Reader, h head, global uint32, c *TileColumns) {
	num, buf := r.Numbers(&d.inf, d.bufs[2], 2, h.regions, 10*h.regions)
	d.bufs[2] = buf
	if r.Err() != nil {
		return
	}
	c.Regions = resize(c.Regions, int(h.regions))
	sorted := true
	for i := range c.Regions {
		id := num.Next()
		if id > uint64(global) {
			num.Fail(pack.ErrRange, "region %d, the zone has %d", id, global)
			break
		}
		c.Regions[i] = uint32(id)
		sorted = sorted && (i == 0 || c.Regions[i-1] < uint32(id))
	}
	if num.Done() == nil && !sorted {
		d.sorted = append(d.sorted[:0], c.Regions...)
		slices.Sort(d.sorted)
		for i := 1; i < len(d.sorted); i++ {
			if d.sorted[i] == d.sorted[i-1] {
				num.Fail(pack.ErrDuplicate, "region %d twice in the dictionary", d.sorted[i])
				break
			}
		}
	}
	r.FailWith(num.Err())
}

// layout turns cell ids and depths into the cells, their columns and the place
// of their records.
func (d *TileDecoder) layout(cells, depths *pack.Numbers, h head, t *Tile, c *TileColumns) error {
	n := int(h.cells)
	c.Cell, c.First, d.column = resize(c.Cell, n), resize(c.First, n+1), resize(d.column, n)
	area := int64(t.NX) * int64(t.NY)
	id, deepest, sum := int64(-1), uint64(0), uint64(0)
	rowStart, rowEnd := int64(0), int64(t.NX)
	for i := range n {
		step := cells.Next()
		if i == 0 {
			id = 0
		} else if step == 0 && cells.Err() == nil {
			cells.Fail(pack.ErrOrder, "cell %d does not come after cell %d", id, id)
		}
		if step >= uint64(area-id) { // id < area
			cells.Fail(pack.ErrRange, "cell %d+%d in a tile of %d cells", id, step, area)
		}
		if err := cells.Err(); err != nil {
			return err
		}
		id += int64(step)
		if id >= rowEnd {
			rowStart = id - id%int64(t.NX)
			rowEnd = rowStart + int64(t.NX)
		}
		c.Cell[i], d.column[i] = int32(id), uint16(id-rowStart)
	}
	if err := cells.Done(); err != nil {
		return err
	}
	for i := range n {
		depth := depths.Next()
		if depths.Err() == nil && (depth == 0 || depth > h.depth) {
			depths.Fail(pack.ErrRange, "%d records in cell %d, want 1 to %d", depth, c.Cell[i], h.depth)
		}
		c.First[i] = uint32(sum)
		if sum += depth; sum > h.n && depths.Err() == nil {
			depths.Fail(pack.ErrCount, "more records in cells than the %d of the tile", h.n)
		}
		if err := depths.Err(); err != nil {
			return err
		}
		deepest = max(deepest, depth)
	}
	c.First[n] = uint32(sum)
	if depths.Done() == nil && (sum != h.n || deepest != h.depth) {
		depths.Fail(pack.ErrCount, "%d records in cells, at most %d in one; the head says %d and %d", sum, deepest, h.n, h.depth)
	}
	return depths.Err()
}

// climb goes on to a layer, the first one or that above the current one.
func (d *TileDecoder) climb(number uint32, c *TileColumns) {
	l := &d.layer
	if n := len(c.Cell); number == 0 {
		l.at, l.end = append(l.at[:0], c.First[:n]...), append(l.end[:0], c.First[1:n+1]...)
		l.column = append(l.column[:0], d.column...)
		return
	}
	kept := 0
	ends, columns := l.end[:len(l.at)], l.column[:len(l.at)]
	for k, at := range l.at {
		if at+1 < ends[k] {
			l.at[kept], ends[kept], columns[kept] = at+1, ends[k], columns[k]
			kept++
		}
	}
	l.at, l.end, l.column = l.at[:kept], ends[:kept], columns[:kept]
}

// decodeLayer decodes the current layer of a field.
func decodeLayer[T uint8 | uint16 | uint32 | int32](d *TileDecoder, num *pack.Numbers, values []T, number uint32, limit int64, width int, down bool, c *TileColumns) {
	if down {
		d.fail(num, decodeDown(num, values, &d.layer, limit), number, limit, c)
		return
	}
	if d.last == nil {
		d.last = new([1 << 16]int32)
	}
	// The first cell of a column is predicted as 0.
	if len(d.layer.at) > width/4 {
		clear(d.last[:width])
	} else {
		for _, x := range d.layer.column {
			d.last[x] = 0
		}
	}
	d.fail(num, decodeUp(num, values, &d.layer, d.last, limit), number, limit, c)
}

// A misfit is a value that is out of range.
type misfit struct {
	is    bool
	pos   int // behind the number
	at    uint32
	value int64
}

// decodeUp decodes a layer of a field that is predicted from the row before.
func decodeUp[T uint8 | uint16 | uint32 | int32](num *pack.Numbers, values []T, l *layer, last *[1 << 16]int32, limit int64) misfit {
	raw, p := num.Raw(), num.Pos()
	column := l.column[:len(l.at)]
	for k, at := range l.at {
		var u uint64
		if p < len(raw) && raw[p] < 0x80 {
			u = uint64(raw[p])
			p++
		} else {
			next, q, err := pack.Uvarint(raw, p)
			if err != nil {
				num.FailWith(p, err)
				return misfit{}
			}
			u, p = next, q
		}
		x := column[k]
		// No wrap leads into the range: the sum of an int64 and a number of
		// 0 to 2^31-1 wraps to a negative one.
		v := pack.Unzigzag(u) + int64(last[x])
		if uint64(v) > uint64(limit) {
			return misfit{true, p, at, v}
		}
		last[x] = int32(v)
		values[at] = T(v)
	}
	num.Seek(p)
	return misfit{}
}

// decodeDown decodes a layer of a field that is predicted from the layer below.
func decodeDown[T uint8 | uint16 | uint32 | int32](num *pack.Numbers, values []T, l *layer, limit int64) misfit {
	raw, p := num.Raw(), num.Pos()
	for _, at := range l.at {
		var u uint64
		if p < len(raw) && raw[p] < 0x80 {
			u = uint64(raw[p])
			p++
		} else {
			next, q, err := pack.Uvarint(raw, p)
			if err != nil {
				num.FailWith(p, err)
				return misfit{}
			}
			u, p = next, q
		}
		v := pack.Unzigzag(u) + int64(values[at-1])
		if uint64(v) > uint64(limit) {
			return misfit{true, p, at, v}
		}
		values[at] = T(v)
	}
	num.Seek(p)
	return misfit{}
}

// fail keeps what decoding a layer came to.
func (d *TileDecoder) fail(num *pack.Numbers, m misfit, number uint32, limit int64, c *TileColumns) {
	if m.is {
		i, _ := slices.BinarySearch(c.First, m.at-number)
		num.FailWith(m.pos, fmt.Errorf("%w: %d in cell %d, layer %d, want 0 to %d", pack.ErrRange, m.value, c.Cell[i], number, limit))
	}
}

// check looks for unknown flags, and heights that are not finite.
func (c *TileColumns) check(flags *pack.Numbers, r *pack.Reader) error {
	h := c.H[:len(c.Flags)]
	top, used := int32(0), uint8(0)
	for k, f := range c.Flags {
		used |= f
		if f&Fill == 0 {
			top = max(top, h[k])
		}
	}
	if used&^AllFlags != 0 {
		bad := slices.IndexFunc(c.Flags, func(f uint8) bool { return f&^AllFlags != 0 })
		flags.Fail(pack.ErrRange, "flags %#02x of record %d, known are %#02x", c.Flags[bad], bad, AllFlags)
		return flags.Err()
	}
	if !finite(HeightAbove(c.HMin, top)) {
		r.FailAt(0, pack.ErrNonFinite, "height %v + %d/64", c.HMin, top)
		return r.Err()
	}
	return nil
}

// resize returns a slice of n elements, the old one where it is long enough.
// Their values are left over.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
