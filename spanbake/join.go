package spanbake

import (
	"cmp"
	"context"
	"slices"

	"wend/pack/annex"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// components joins the step graphs of all tiles, region by region, and collects
// what else the tiles found.
func (b *zoneBake) components(ctx context.Context) error {
	r := b.run
	n := b.tiles.len()
	b.records, b.bounds, b.heads = make([]uint32, n), make([]annex.ZoneBounds, n), make([]annex.HeadroomTile, n)
	b.graphs = make([][]regionNumber, n)
	b.payload = make([][]byte, n)

	// Where the parts of each region are.
	type partAt struct {
		tile int
		base uint32
		part *spangrid.Part
	}
	parts := make([][]partAt, b.count+1)
	tiles := make([]*fieldTile, n)
	err := r.stage(ctx, b, "components", n, func(_, k int) error {
		t, err := b.fieldTile(k)
		if err != nil {
			return err
		}
		b.records[k], b.bounds[k], b.heads[k], b.payload[k] = uint32(t.columns.Len()), t.bounds, t.head, t.payload
		t.columns, t.payload = bnvf.Columns{}, nil
		tiles[k] = t
		return nil
	})
	if err != nil {
		return err
	}
	for k, t := range tiles {
		for i := range t.parts {
			p := &t.parts[i]
			parts[p.region] = append(parts[p.region], partAt{k, p.base, p.graph.Part})
		}
		b.drops = append(b.drops, t.drops...)
		b.opened = append(b.opened, t.opened...)
	}
	b.drops = spangrid.MergeDrops(b.drops)

	joined := make([]*spangrid.Joined, b.count+1)
	err = each(ctx, r.workers, b.count, func(_, i int) error {
		list := make([]*spangrid.Part, len(parts[i+1]))
		for j := range list {
			list[j] = parts[i+1][j].part
		}
		var err error
		joined[i+1], err = spangrid.JoinComponents(ctx, list)
		return err
	})
	if err != nil {
		return err
	}
	b.joined = make([]bnvf.RegionGraph, b.count)
	for region := 1; region <= b.count; region++ {
		j := joined[region]
		b.joined[region-1] = bnvf.RegionGraph{Region: uint32(region), Components: j.Components, Edges: j.Edges}
		for i, p := range parts[region] {
			b.graphs[p.tile] = append(b.graphs[p.tile], regionNumber{p.base, j.Number[i]})
		}
	}
	for _, list := range b.graphs {
		slices.SortFunc(list, func(a, b regionNumber) int { return cmp.Compare(a.base, b.base) })
	}
	return nil
}

// sidecarTile encodes the columns of a tile, with the components of the zone.
func (b *zoneBake) sidecarTile(enc *bnvf.ColumnEncoder, k int) (bnvf.NewTile, error) {
	t, err := b.fieldTile(k)
	if err != nil {
		return bnvf.NewTile{}, err
	}
	var number []uint32 // of each component of the tile, less one
	for _, g := range b.graphs[k] {
		number = append(number, g.number...)
	}
	for i, c := range t.columns.Component {
		t.columns.Component[i] = number[c-1]
	}
	payload, err := enc.Encode(&t.columns)
	return bnvf.NewTile{Records: uint32(t.columns.Len()), Payload: payload}, err
}
