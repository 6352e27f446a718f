package spanroute

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"wend/pack"
	"wend/pack/bnav"
	"wend/spangrid"
)

// regionBox is where a region has records in a tile: cells of the zone, the last
// column and row included.
type regionBox struct {
	region         uint32
	x0, y0, x1, y1 int32
}

// bounds returns the cells from the first to the last column and row in which
// a region has records. Only tiles with the region are decoded, each of them
// once for all regions.
func (z *zoneEntry) bounds(ctx context.Context, region uint32) (spangrid.Window, error) {
	var list []*tileRect
	for i := range z.rects {
		has, err := z.hasRegion(&z.rects[i], region)
		if err != nil {
			return spangrid.Window{}, dataError(ctx, GridDecode, z.name, err)
		}
		if has {
			list = append(list, &z.rects[i])
		}
	}
	boxes := make([]*regionBox, len(list))
	decoders := make([]bnav.TileDecoder, pack.Workers(z.e.workers, len(list)))
	err := pack.Parallel(ctx, z.e.workers, len(list), func(worker, i int) error {
		all, err := z.tileExtents(&decoders[worker], list[i])
		if err != nil {
			return err
		}
		if at, ok := slices.BinarySearchFunc(all, region, func(b regionBox, r uint32) int { return cmp.Compare(b.region, r) }); ok {
			boxes[i] = &all[at]
		}
		return nil
	})
	if err != nil {
		return spangrid.Window{}, dataError(ctx, GridDecode, z.name, err)
	}
	var sum *regionBox
	for _, b := range boxes {
		switch {
		case b == nil:
		case sum == nil:
			c := *b
			sum = &c
		default:
			sum.add(b.x0, b.y0)
			sum.add(b.x1, b.y1)
		}
	}
	if sum == nil {
		return spangrid.Window{}, &DataError{RegionEmpty, z.name, fmt.Errorf("region %d has no record", region)}
	}
	return spangrid.Window{
		GX: int(sum.x0), GY: int(sum.y0), NX: int(sum.x1) - int(sum.x0) + 1, NY: int(sum.y1) - int(sum.y0) + 1,
	}, nil
}

func (b *regionBox) add(x, y int32) {
	b.x0, b.y0, b.x1, b.y1 = min(b.x0, x), min(b.y0, y), max(b.x1, x), max(b.y1, y)
}

// tileExtents returns the boxes of all regions in a tile, by region.
func (z *zoneEntry) tileExtents(d *bnav.TileDecoder, r *tileRect) ([]regionBox, error) {
	slot := &z.extents[r.tile]
	if list := slot.Load(); list != nil {
		return *list, nil
	}
	var b boxer
	if t, ok := z.e.tiles.peek(tileKey{int32(z.grid), r.tile}); ok {
		for y := range t.win.NY {
			for i := t.rows[y]; i < t.rows[y+1]; i++ {
				b.add(t.region.at(int(i)), r.x0+int32(t.x[i]), r.y0+int32(y))
			}
		}
	} else {
		var c bnav.TileColumns
		if err := d.Columns(z.e.main.Grid, z.grid, int(r.tile), &c); err != nil {
			return nil, err
		}
		b.owned(&c, &z.e.main.Grid.Zones[z.grid].Tiles[r.tile])
	}
	list := b.boxes()
	slot.Store(&list)
	return list, nil
}

// A boxer collects the boxes of regions. The zero value is empty.
type boxer struct {
	list []regionBox
	at   map[uint32]int // place of each region in list
	last int            // place of the region before
}

// owned adds the records that a tile owns.
func (b *boxer) owned(c *bnav.TileColumns, t *bnav.Tile) {
	for i, cell := range c.Cell {
		if !t.Owns(cell) {
			continue
		}
		for k := c.First[i]; k < c.First[i+1]; k++ {
			b.add(c.RegionOf(int(k)), t.GX0+cell%t.NX, t.GY0+cell/t.NX)
		}
	}
}

// add adds a cell of a region.
func (b *boxer) add(region uint32, x, y int32) {
	if len(b.list) == 0 || b.list[b.last].region != region {
		i, ok := b.at[region]
		if !ok {
			if b.at == nil {
				b.at = map[uint32]int{}
			}
			i = len(b.list)
			b.at[region] = i
			b.list = append(b.list, regionBox{region, x, y, x, y})
		}
		b.last = i
	}
	b.list[b.last].add(x, y)
}

// boxes returns the boxes by region.
func (b *boxer) boxes() []regionBox {
	slices.SortFunc(b.list, func(a, b regionBox) int { return cmp.Compare(a.region, b.region) })
	return b.list
}
