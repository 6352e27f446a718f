package bnav

import (
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

// TileDecoder decodes tiles and keeps its scratch from one to the next: up to
// 40 bytes a record of the largest tile and the inflated streams. The zero
// value is ready. It is for one goroutine.
type TileDecoder struct {
	inf  pack.Inflater
	bufs [8][]byte

	regions []uint32
	sorted  []uint32
	cells   []int32  // cell ids
	column  []int32  // column of each cell
	base    []uint32 // first record of each cell, and the end
	live    []uint32 // cells that have the current layer
	last    []int32  // value of each column's latest cell
	values  [fields][]int32
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
	d.readRegions(r, h, g.Zones[zone].GlobalRegions)
	if r.Err() != nil {
		return TileHead{}, r.Err()
	}
	return TileHead{
		Records: uint32(h.n), HMin: h.hmin, Regions: slices.Clone(d.regions), Cells: uint32(h.cells),
		MaxDepth: uint32(h.depth), Select: slices.Clone(h.sel),
	}, nil
}

// Decode appends the records of a tile to dst: cells ascending, and within a
// cell in stored order. Time and memory are linear in the records.
func (d *TileDecoder) Decode(g *Grid, zone, tile int, dst []Record) ([]Record, error) {
	t := &g.Zones[zone].Tiles[tile]
	if t.Records == 0 {
		return dst, nil
	}
	r := g.payload(zone, tile)
	if g.Version == GridColumns {
		return d.decodeColumns(r, t, g.Zones[zone].GlobalRegions, dst)
	}
	h := readHead(r, t)
	cells, depths := d.readCells(r, h)
	d.readRegions(r, h, g.Zones[zone].GlobalRegions)
	var num [fields]pack.Numbers
	for f := range num {
		if num[f], d.bufs[3+f] = r.Numbers(&d.inf, d.bufs[3+f], 3+f, h.n, 10*h.n); r.Err() != nil {
			return dst, r.Err()
		}
	}
	if r.Done() != nil {
		return dst, r.Err()
	}
	if err := d.layout(&cells, &depths, h, t); err != nil {
		return dst, err
	}
	limits := [fields]int64{math.MaxInt32, int64(h.regions) - 1, math.MaxUint16, math.MaxUint8, math.MaxUint8}
	for f := range num {
		d.values[f] = resize(d.values[f], int(h.n))
	}
	d.live = resize(d.live, int(h.cells))
	for i := range d.live {
		d.live[i] = uint32(i)
	}
	for layer := range uint32(h.depth) {
		d.dropShallow(layer)
		for f := range num {
			if h.sel[uint64(f)*h.depth+uint64(layer)] == down {
				d.decodeDown(&num[f], d.values[f], layer, limits[f])
			} else {
				d.decodeUp(&num[f], d.values[f], layer, limits[f], int(t.NX))
			}
		}
	}
	for f := range num {
		if err := num[f].Done(); err != nil {
			return dst, err
		}
	}
	return d.assemble(&num[fieldFlags], r, h.hmin, dst)
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
	if err := d.layout(&cells, &depths, h, t); err != nil {
		return dst, err
	}
	dst = slices.Grow(dst, int(h.n))
	for i, cell := range d.cells {
		for range d.base[i+1] - d.base[i] {
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
func (d *TileDecoder) readRegions(r *pack.Reader, h head, global uint32) {
	num, buf := r.Numbers(&d.inf, d.bufs[2], 2, h.regions, 10*h.regions)
	d.bufs[2] = buf
	if r.Err() != nil {
		return
	}
	d.regions = resize(d.regions, int(h.regions))
	sorted := true
	for i := range d.regions {
		id := num.Next()
		if id > uint64(global) {
			num.Fail(pack.ErrRange, "region %d, the zone has %d", id, global)
			break
		}
		d.regions[i] = uint32(id)
		sorted = sorted && (i == 0 || d.regions[i-1] < uint32(id))
	}
	if num.Done() == nil && !sorted {
		d.sorted = append(d.sorted[:0], d.regions...)
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

// layout turns cell ids and depths into the cells' columns and the place of
// their records.
func (d *TileDecoder) layout(cells, depths *pack.Numbers, h head, t *Tile) error {
	n := int(h.cells)
	d.cells, d.column, d.base = resize(d.cells, n), resize(d.column, n), resize(d.base, n+1)
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
		d.cells[i], d.column[i] = int32(id), int32(id-rowStart)
	}
	if err := cells.Done(); err != nil {
		return err
	}
	for i := range n {
		depth := depths.Next()
		if depths.Err() == nil && (depth == 0 || depth > h.depth) {
			depths.Fail(pack.ErrRange, "%d records in cell %d, want 1 to %d", depth, d.cells[i], h.depth)
		}
		d.base[i] = uint32(sum)
		if sum += depth; sum > h.n && depths.Err() == nil {
			depths.Fail(pack.ErrCount, "more records in cells than the %d of the tile", h.n)
		}
		if err := depths.Err(); err != nil {
			return err
		}
		deepest = max(deepest, depth)
	}
	d.base[n] = uint32(sum)
	if depths.Done() == nil && (sum != h.n || deepest != h.depth) {
		depths.Fail(pack.ErrCount, "%d records in cells, at most %d in one; the head says %d and %d", sum, deepest, h.n, h.depth)
	}
	return depths.Err()
}

// dropShallow removes the cells from live that have no record in the layer.
func (d *TileDecoder) dropShallow(layer uint32) {
	if layer == 0 {
		return
	}
	kept := d.live[:0]
	for _, i := range d.live {
		if d.base[i+1]-d.base[i] > layer {
			kept = append(kept, i)
		}
	}
	d.live = kept
}

// decodeUp decodes a layer of a field that is predicted from the row before.
func (d *TileDecoder) decodeUp(num *pack.Numbers, values []int32, layer uint32, limit int64, width int) {
	d.last = resize(d.last, width)
	last, column, base := d.last, d.column, d.base
	// The first cell of a column is predicted as 0.
	if len(d.live) > width/4 {
		clear(last)
	} else {
		for _, i := range d.live {
			last[column[i]] = 0
		}
	}
	raw, p := num.Raw(), num.Pos()
	for _, i := range d.live {
		var u uint64
		if p < len(raw) && raw[p] < 0x80 {
			u = uint64(raw[p])
			p++
		} else {
			next, q, err := pack.Uvarint(raw, p)
			if err != nil {
				num.FailWith(p, err)
				return
			}
			u, p = next, q
		}
		x := column[i]
		// No wrap leads into the range: the sum of an int64 and a number of
		// 0 to 2^31-1 wraps to a negative one.
		v := pack.Unzigzag(u) + int64(last[x])
		if uint64(v) > uint64(limit) {
			d.outOfRange(num, p, i, layer, v, limit)
			return
		}
		last[x] = int32(v)
		values[base[i]+layer] = int32(v)
	}
	num.Seek(p)
}

// decodeDown decodes a layer of a field that is predicted from the layer below.
func (d *TileDecoder) decodeDown(num *pack.Numbers, values []int32, layer uint32, limit int64) {
	base := d.base
	raw, p := num.Raw(), num.Pos()
	for _, i := range d.live {
		u, next, err := pack.Uvarint(raw, p)
		if err != nil {
			num.FailWith(p, err)
			return
		}
		p = next
		at := base[i] + layer
		v := pack.Unzigzag(u) + int64(values[at-1])
		if uint64(v) > uint64(limit) {
			d.outOfRange(num, p, i, layer, v, limit)
			return
		}
		values[at] = int32(v)
	}
	num.Seek(p)
}

func (d *TileDecoder) outOfRange(num *pack.Numbers, pos int, i, layer uint32, v, limit int64) {
	num.FailWith(pos, fmt.Errorf("%w: %d in cell %d, layer %d, want 0 to %d", pack.ErrRange, v, d.cells[i], layer, limit))
}

// assemble makes records of the decoded values.
func (d *TileDecoder) assemble(flags *pack.Numbers, r *pack.Reader, hmin float32, dst []Record) ([]Record, error) {
	n := len(d.values[0])
	out := slices.Grow(dst, n)[:len(dst)+n]
	recs := out[len(dst):]
	h, reg, clr, fl, steps := d.values[0][:n], d.values[1][:n], d.values[2][:n], d.values[3][:n], d.values[4][:n]
	bottom, top, used := float64(hmin), int32(0), int32(0)
	k := uint32(0)
	for i, cell := range d.cells {
		for end := d.base[i+1]; k < end; k++ {
			rec := Record{Cell: cell, Region: d.regions[reg[k]], Clr: uint16(clr[k]), Flags: uint8(fl[k]), Steps: uint8(steps[k])}
			if fl[k]&Fill == 0 {
				rec.H = float32(bottom + float64(h[k])/64)
				top = max(top, h[k])
			}
			used |= fl[k]
			recs[k] = rec
		}
	}
	if used&^AllFlags != 0 {
		bad := slices.IndexFunc(fl, func(f int32) bool { return f&^AllFlags != 0 })
		flags.Fail(pack.ErrRange, "flags %#02x of record %d, known are %#02x", fl[bad], bad, AllFlags)
		return dst, flags.Err()
	}
	if !finite(float32(bottom + float64(top)/64)) {
		r.FailAt(0, pack.ErrNonFinite, "height %v + %d/64", hmin, top)
		return dst, r.Err()
	}
	return out, nil
}

// resize returns a slice of n elements, the old one where it is long enough.
// Their values are left over.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
