package bnav

import "slices"

// TileColumns are the records of a tile, field by field: the form that a tile
// is decoded to with the least memory, 12 bytes a record and 8 a cell. Fields
// are aligned with one another; cells ascend, and the records of a cell are in
// stored order.
type TileColumns struct {
	Cell  []int32  // of each cell with records
	First []uint32 // first record of each of them, and the total

	HMin    float32
	H       []int32  // height above HMin in steps of 1/64 m, see Height
	Regions []uint32 // region ids, in stored order
	Region  []uint32 // place of the record's region in Regions; empty where there is one
	Clr     []uint16
	Flags   []uint8
	Steps   []uint8
}

// Len returns the number of records.
func (c *TileColumns) Len() int { return len(c.H) }

// RegionOf returns the region of a record.
func (c *TileColumns) RegionOf(k int) uint32 {
	if len(c.Region) == 0 {
		return c.Regions[0]
	}
	return c.Regions[c.Region[k]]
}

// Height returns the height of a record that is not [Fill], of which height is
// not known.
func (c *TileColumns) Height(k int) float32 { return HeightAbove(c.HMin, c.H[k]) }

// HeightAbove returns the height that is steps/64 m above hmin.
func HeightAbove(hmin float32, steps int32) float32 {
	return float32(float64(hmin) + float64(steps)/64)
}

// resize makes room for so many records, with values left over.
func (c *TileColumns) resize(records int) {
	c.H, c.Clr = resize(c.H, records), resize(c.Clr, records)
	c.Flags, c.Steps = resize(c.Flags, records), resize(c.Steps, records)
}

// clear makes c the columns of a tile without records.
func (c *TileColumns) clear() {
	c.resize(0)
	c.Cell, c.Regions, c.Region, c.HMin = c.Cell[:0], c.Regions[:0], c.Region[:0], 0
	c.First = append(c.First[:0], 0)
}

// appendRecords appends the records of all cells to dst.
func (c *TileColumns) appendRecords(dst []Record) []Record {
	n := c.Len()
	out := slices.Grow(dst, n)[:len(dst)+n]
	recs := out[len(dst):]
	h, clr, fl, steps := c.H[:n], c.Clr[:n], c.Flags[:n], c.Steps[:n]
	k := uint32(0)
	for i, cell := range c.Cell {
		for end := c.First[i+1]; k < end; k++ {
			rec := Record{Cell: cell, Region: c.RegionOf(int(k)), Clr: clr[k], Flags: fl[k], Steps: steps[k]}
			if fl[k]&Fill == 0 {
				rec.H = HeightAbove(c.HMin, h[k])
			}
			recs[k] = rec
		}
	}
	return out
}
