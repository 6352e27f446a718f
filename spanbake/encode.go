package spanbake

import (
	"context"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/pack/ocls"
	"wend/spangrid"
)

// encode puts the packs together.
func (r *run) encode(ctx context.Context) (*Result, error) {
	content := r.in.Content
	grid, err := r.grid()
	if err != nil {
		return nil, err
	}
	content.Grid = grid

	var side bnvf.Content
	for i, b := range r.zones {
		landings, err := b.landings(grid, i, content.OffMesh)
		if err != nil {
			return nil, err
		}
		side.Landings = append(side.Landings, landings...)
		for _, o := range b.opened {
			side.Openings = append(side.Openings, bnvf.NewOpening{ZoneID: b.meta.ID, Opening: o})
		}
		r.report.Zones = append(r.report.Zones, b.zoneReport(len(landings)))
	}

	if err := r.annexes(&content, &side); err != nil {
		return nil, err
	}
	res := &Result{Report: r.report}
	if res.Main, _, err = bnav.Encode(ctx, &content, &bnav.EncodeOptions{Level: r.level, Workers: r.workers}); err != nil {
		return nil, err
	}
	main, err := bnav.Load(ctx, res.Main, &bnav.Options{MaxBytes: int64(len(res.Main)) + 1<<40})
	if err != nil {
		return nil, err
	}
	for _, b := range r.zones {
		z, err := b.sidecarZone(ctx)
		if err != nil {
			return nil, err
		}
		side.Zones = append(side.Zones, z)
	}
	if res.Fields, err = bnvf.Encode(ctx, &side, main, &bnvf.EncodeOptions{Level: r.level, Workers: r.workers}); err != nil {
		return nil, err
	}
	if len(r.in.Colliders) > 0 {
		if res.Occluder, err = ocls.Append(nil, r.in.Colliders); err != nil {
			return nil, err
		}
	}
	r.report.Bytes = Sizes{len(res.Main), len(res.Fields), len(res.Occluder), grid.PackedLen()}
	return res, nil
}

// grid makes the grid section of the tiles' payloads.
func (r *run) grid() (*bnav.Grid, error) {
	zones := make([]bnav.NewZone, len(r.zones))
	for i, b := range r.zones {
		first := b.tiles.owned(0)
		z := bnav.NewZone{
			Name: b.meta.Name,
			X0:   float64(first.GX) * spangrid.Side, Y0: float64(first.GY) * spangrid.Side,
			GlobalRegions: uint32(b.count),
			Tiles:         make([]bnav.NewTile, b.tiles.len()),
		}
		for k := range z.Tiles {
			t := &z.Tiles[k]
			t.Tile = b.tiles.entry(k)
			t.Records = b.records[k]
			t.Payload = b.payload[k]
		}
		b.payload = nil
		zones[i] = z
	}
	return bnav.NewGrid(float64(r.tile)*spangrid.Side, apron*spangrid.Side, zones)
}

// sidecarZone encodes the columns and tables of a zone.
func (b *zoneBake) sidecarZone(ctx context.Context) (bnvf.NewZone, error) {
	r := b.run
	n := b.tiles.len()
	z := bnvf.NewZone{
		Name: b.meta.Name, GlobalRegions: uint32(b.count),
		Tiles: make([]bnvf.NewTile, n), Graphs: b.joined, Walls: make([]bnvf.Wall, len(b.edges)),
	}
	encoders := make([]*bnvf.ColumnEncoder, r.workers)
	err := r.stage(ctx, b, "encode", n, func(w, k int) error {
		var err error
		if encoders[w] == nil {
			if encoders[w], err = bnvf.NewColumnEncoder(r.level); err != nil {
				return err
			}
		}
		z.Tiles[k], err = b.sidecarTile(encoders[w], k)
		return err
	})
	for i := range b.edges {
		z.Walls[i] = bnvf.Wall{Key: b.edges[i].Key, Regions: b.keeps[i]}
	}
	return z, err
}

// zoneReport counts what was made of a zone.
func (b *zoneBake) zoneReport(landings int) ZoneReport {
	z := ZoneReport{
		Zone: b.meta.Name, Triangles: len(b.mesh.Tris), Walls: len(b.edges),
		Tiles: [2]int{b.tiles.ni, b.tiles.nj}, Regions: b.count, Drops: len(b.drops),
		Openings: len(b.opened), Landings: landings,
	}
	w := extent(b.mesh)
	z.Cells = [2]int{w.NX, w.NY}
	islands := map[int32]bool{}
	for t, walkable := range b.mesh.Walkable {
		if walkable {
			z.Walkable++
			islands[b.mesh.Component[t]] = true
		}
	}
	z.Islands = len(islands)
	all := annex.JoinBounds(uint32(b.count), b.bounds)
	z.Records = all.Records
	if !all.Heights.Void() {
		z.Heights = [2]float64{float64(all.Heights.Min), float64(all.Heights.Max)}
	}
	for _, g := range b.joined {
		z.Components += uint64(g.Components)
	}
	return z
}
