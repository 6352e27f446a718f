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
	var list []regionBox
	if t, ok := z.e.tiles.peek(tileKey{int32(z.grid), r.tile}); ok {
		list = extents(t.f.Records, r.x0, r.y0, int32(t.win.NX), r)
	} else {
		recs, err := d.Decode(z.e.main.Grid, z.grid, int(r.tile), nil)
		if err != nil {
			return nil, err
		}
		info := &z.e.main.Grid.Zones[z.grid].Tiles[r.tile]
		list = extents(recs, info.GX0, info.GY0, info.NX, r)
	}
	slot.Store(&list)
	return list, nil
}

// extents returns the boxes of records whose cells are numbered from a corner
// in rows of nx, as far as the tile owns them.
func extents(recs []bnav.Record, gx0, gy0, nx int32, r *tileRect) []regionBox {
	var list []regionBox
	at := map[uint32]int{}
	last := -1
	for i := range recs {
		k := &recs[i]
		if k.Cell < 0 {
			continue
		}
		x, y := gx0+k.Cell%nx, gy0+k.Cell/nx
		if x < r.x0 || x > r.x1 || y < r.y0 || y > r.y1 {
			continue
		}
		if last < 0 || list[last].region != k.Region {
			j, ok := at[k.Region]
			if !ok {
				j = len(list)
				at[k.Region] = j
				list = append(list, regionBox{k.Region, x, y, x, y})
			}
			last = j
		}
		list[last].add(x, y)
	}
	slices.SortFunc(list, func(a, b regionBox) int { return cmp.Compare(a.region, b.region) })
	return list
}
