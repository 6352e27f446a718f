package bnav

import (
	"slices"

	"wend/pack"
)

// columns of a tile of version 2.
const columns = 6

// decodeColumns decodes a tile of grid version 2: one zlib blob of columns.
func (d *TileDecoder) decodeColumns(r *pack.Reader, t *Tile, global uint32, c *TileColumns) error {
	h, raw := d.openColumns(r, t)
	var col [columns]pack.Numbers
	var off [columns]int
	for i := range col {
		length := raw.Uvarint()
		off[i] = raw.Pos()
		b := raw.Bytes(length)
		col[i] = pack.NewNumbers(raw.Where().In("column", i), b, raw.Offset())
		least := h.n
		if i == 0 {
			least = 2 * h.cells
		}
		if raw.Err() == nil {
			if col[i].AtLeast(least); col[i].Err() != nil {
				return col[i].Err()
			}
		}
	}
	if raw.Done() != nil {
		return raw.Err()
	}
	if err := columnCells(&col[0], h, t, c); err != nil {
		return err
	}
	n := int(h.n)
	c.HMin = h.hmin
	c.resize(n)
	c.Region = resize(c.Region, n)
	flags, steps := col[3].Raw(), col[4].Raw()
	for i, b := range [][]byte{flags, steps} {
		if len(b) != n {
			col[3+i].Fail(pack.ErrCount, "%d bytes for %d records", len(b), n)
			return col[3+i].Err()
		}
		col[3+i].Seek(n)
	}
	c.Regions = c.Regions[:0]
	for k := range n {
		hq, region, clr := col[1].Next(), col[2].Next(), col[5].Next()
		switch {
		case hq > 1<<31-1:
			col[1].Fail(pack.ErrRange, "height %d of record %d, want at most %d", hq, k, 1<<31-1)
		case region > uint64(global):
			col[2].Fail(pack.ErrRange, "region %d of record %d, the zone has %d", region, k, global)
		case clr > 1<<16-1:
			col[5].Fail(pack.ErrRange, "clearance %d of record %d, want at most %d", clr, k, 1<<16-1)
		}
		if err := firstError(col[:]); err != nil {
			return err
		}
		// Regions are stored as ids; runs of one share an entry here.
		if len(c.Regions) == 0 || c.Regions[len(c.Regions)-1] != uint32(region) {
			c.Regions = append(c.Regions, uint32(region))
		}
		c.H[k], c.Region[k], c.Clr[k] = int32(hq), uint32(len(c.Regions)-1), uint16(clr)
	}
	copy(c.Flags, flags)
	copy(c.Steps, steps)
	for i := range col {
		if err := col[i].Done(); err != nil {
			return err
		}
	}
	if distinct := d.distinctRegions(c); uint64(len(distinct)) != h.regions {
		return raw.Where().At(raw.Offset(), pack.ErrCount, "%d different regions, the head says %d", len(distinct), h.regions)
	}
	return c.check(&col[3], r)
}

// openColumns inflates the blob and reads its head.
func (d *TileDecoder) openColumns(r *pack.Reader, t *Tile) (head, *pack.Reader) {
	offset := r.Offset()
	packed := r.Bytes(uint64(r.Len()))
	var err error
	d.bufs[0], err = d.inf.Inflate(d.bufs[0][:0], packed, 128+52*int64(t.Records))
	raw := pack.NewRawReader(r.Where(), d.bufs[0], offset)
	if err != nil {
		raw.FailWith(r.Where().Wrap(offset, err))
	}
	var h head
	if h.n = raw.Uvarint(); raw.Err() == nil && h.n != uint64(t.Records) {
		raw.FailAt(0, pack.ErrCount, "%d records, the directory says %d", h.n, t.Records)
	}
	h.hmin = raw.F32()
	pos := raw.Pos()
	h.regions, h.cells = raw.Uvarint(), raw.Uvarint()
	if raw.Err() == nil && (h.regions == 0 || h.regions > h.n || h.cells == 0 || h.cells > h.n) {
		raw.FailAt(pos, pack.ErrRange, "%d regions and %d cells in %d records", h.regions, h.cells, h.n)
	}
	return h, raw
}

// columnCells reads column 0.
func columnCells(num *pack.Numbers, h head, t *Tile, c *TileColumns) error {
	n := int(h.cells)
	c.Cell, c.First = resize(c.Cell, n), resize(c.First, n+1)
	area := int64(t.NX) * int64(t.NY)
	id, sum := int64(0), uint64(0)
	for i := range n {
		step, depth := num.Next(), num.Next()
		switch {
		case num.Err() != nil:
		case i > 0 && step == 0:
			num.Fail(pack.ErrOrder, "cell %d does not come after cell %d", id, id)
		case step >= uint64(area-id):
			num.Fail(pack.ErrRange, "cell %d+%d in a tile of %d cells", id, step, area)
		case depth == 0 || depth > h.n-sum:
			num.Fail(pack.ErrCount, "%d records in cell %d, %d of the tile are left", depth, id+int64(step), h.n-sum)
		}
		if err := num.Err(); err != nil {
			return err
		}
		id += int64(step)
		c.Cell[i], c.First[i] = int32(id), uint32(sum)
		sum += depth
	}
	c.First[n] = uint32(sum)
	if sum != h.n {
		num.Fail(pack.ErrCount, "%d records in cells, the head says %d", sum, h.n)
	}
	return num.Done()
}

// distinctRegions returns the region ids in use, ascending.
func (d *TileDecoder) distinctRegions(c *TileColumns) []uint32 {
	d.sorted = append(d.sorted[:0], c.Regions...)
	slices.Sort(d.sorted)
	d.sorted = slices.Compact(d.sorted)
	return d.sorted
}

// columnsHead makes a head of a tile of version 2, which has no dictionary of
// its own: region ids come ascending.
func (d *TileDecoder) columnsHead(g *Grid, zone, tile int) (TileHead, error) {
	c := &d.cols
	if err := d.Columns(g, zone, tile, c); err != nil {
		return TileHead{}, err
	}
	t := &g.Zones[zone].Tiles[tile]
	h, _ := d.openColumns(g.payload(zone, tile), t)
	out := TileHead{Records: t.Records, HMin: h.hmin, Cells: uint32(h.cells), Regions: slices.Clone(d.distinctRegions(c))}
	for i := range c.Cell {
		out.MaxDepth = max(out.MaxDepth, c.First[i+1]-c.First[i])
	}
	return out, nil
}
