package spanbake

import (
	"cmp"
	"slices"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// landings ties the off-mesh links of a zone to the grid, and opens the cells
// where only that keeps one from landing.
func (b *zoneBake) landings(grid *bnav.Grid, gridZone int, links []bnav.OffMeshLink) ([]bnvf.Landing, error) {
	type end struct {
		tile     int
		link     int
		side     int // 0 start, 1 end
		gx, gy   int32
		declared float32
	}
	var ends []end
	sides := make([][2]bnvf.Side, len(links))
	for i := range links {
		l := &links[i]
		if l.ZoneID != b.meta.ID {
			continue
		}
		from, to := spangrid.LandingEnds(l)
		for s, v := range [2]bnav.Vertex{from, to} {
			gx, gy := spangrid.CellOf(float64(v.U)), spangrid.CellOf(float64(v.V))
			ends = append(ends, end{b.tiles.at(gx, gy), i, s, int32(gx), int32(gy), v.H})
		}
	}
	// Tile by tile, so that each is decoded once.
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Compare(a.tile, b.tile) })
	var (
		dec  bnav.TileDecoder
		recs []bnav.Record
		at   = -1
		err  error
	)
	rules := &b.run.rules
	for _, e := range ends {
		var cell []bnav.Record
		if e.tile >= 0 {
			if e.tile != at {
				if recs, err = dec.Decode(grid, gridZone, e.tile, recs[:0]); err != nil {
					return nil, err
				}
				// A landing stores what a query will see: clearances that
				// mind the walls.
				fields, err := b.fieldTile(e.tile)
				if err != nil {
					return nil, err
				}
				for k, drop := range fields.columns.ClrDrop {
					recs[k].Clr -= drop
				}
				at = e.tile
			}
			number := int32(b.tiles.window(e.tile).Cell(int(e.gx), int(e.gy)))
			find := func(r bnav.Record, c int32) int { return cmp.Compare(r.Cell, c) }
			i, _ := slices.BinarySearchFunc(recs, number, find)
			j, _ := slices.BinarySearchFunc(recs, number+1, find)
			cell = b.opening(recs[i:j], e.gx, e.gy)
		}
		side, _ := rules.LandSide(e.gx, e.gy, e.declared, e.tile >= 0, cell)
		if o, open := spangrid.OpenLanding(&side); open {
			b.opened = append(b.opened, o)
			side.Why, side.Flags, side.Clr = bnvf.WhyUsable, side.Flags|o.Flags, o.Clr
		}
		sides[e.link][e.side] = side
	}
	var out []bnvf.Landing
	for i := range links {
		l := &links[i]
		if l.ZoneID != b.meta.ID {
			continue
		}
		landing, ok := spangrid.NewLanding(l, sides[i][0], sides[i][1])
		if !ok || landing.Valid != bnvf.LoUsable|bnvf.HiUsable {
			b.run.report.unused(b.meta, l, sides[i], ok)
		}
		if ok {
			out = append(out, landing)
		}
	}
	b.opened = spangrid.MergeOpenings(b.opened)
	return out, nil
}

// opening returns the records of a cell as they are once it is opened.
func (b *zoneBake) opening(cell []bnav.Record, gx, gy int32) []bnav.Record {
	out := slices.Clone(cell)
	for i := range out {
		for _, o := range b.opened {
			if o.GX == gx && o.GY == gy && o.H == out[i].H && out[i].Flags&flagCore == 0 {
				out[i].Flags |= o.Flags
				out[i].Clr = max(out[i].Clr, o.Clr)
			}
		}
	}
	return out
}
