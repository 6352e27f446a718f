package spanbake

import (
	"context"
	"fmt"
	"sort"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// fieldWorker computes the fields of tiles. It keeps its scratch and is for one
// goroutine.
type fieldWorker struct {
	rules *spangrid.Rules
	win   window
	reg   regionFields
	recs  []record
	plain []bnav.Record
	walls []keptWall
	enc   *bnav.TileEncoder
	head  *annex.HeadroomEncoder
	room  []uint8

	split spangrid.Splitter
	open  spangrid.Opener
	stiff []int32 // walls of a region that are no seams
	hard  spangrid.Mask
}

// keptWall is a wall of the window that a region keeps.
type keptWall struct {
	region uint32
	wall   int32 // index in the walls of the window
}

func newFieldWorker(rules *spangrid.Rules, level bnav.Level) (*fieldWorker, error) {
	enc, err := bnav.NewTileEncoder(level)
	if err != nil {
		return nil, err
	}
	head, err := annex.NewHeadroomEncoder(level)
	if err != nil {
		return nil, err
	}
	return &fieldWorker{rules: rules, enc: enc, head: head}, nil
}

// tile computes the fields of tile k. load gives the spans of a tile, walls are
// the walls that pass the window of the tile, and keeps tells by which regions
// each is kept; hard are those that are no seams. over may be nil.
func (f *fieldWorker) tile(ctx context.Context, over *Overhead, t *tiling, k int, load func(k int) (*spanTile, error), walls []spangrid.Wall, hard []bool, keeps func(i int) []uint32) (*fieldTile, error) {
	owned := t.owned(k)
	if err := f.win.gather(owned.Grow(halo), t, load); err != nil {
		return nil, err
	}
	f.walls = f.walls[:0]
	for i := range walls {
		for _, region := range keeps(i) {
			f.walls = append(f.walls, keptWall{region, int32(i)})
		}
	}
	sort.Slice(f.walls, func(a, b int) bool {
		x, y := f.walls[a], f.walls[b]
		return x.region < y.region || x.region == y.region && x.wall < y.wall
	})
	out := &fieldTile{}
	f.recs = f.recs[:0]
	base := uint32(0)
	next := 0
	for _, rs := range f.win.regions {
		for next < len(f.walls) && f.walls[next].region < rs.id {
			next++
		}
		end := next
		for end < len(f.walls) && f.walls[end].region == rs.id {
			end++
		}
		kept := f.walls[next:end]
		next = end
		// A filled hole lies inside the box of its region.
		mine := rs.box.Intersect(owned)
		if mine.Empty() || !f.reg.compute(f.rules, &f.win, rs, owned, walls, kept) {
			continue
		}
		part, comp, err := f.split.Split(f.rules, &f.reg.own, &f.reg.all, mine)
		if err != nil {
			return nil, fmt.Errorf("region %d: %w", rs.id, err)
		}
		if len(part.First) > 0 {
			out.parts = append(out.parts, regionPart{rs.id, base, partGraph{part}})
		}
		f.reg.records(&f.recs, owned, t.window(k), comp, base)
		base += uint32(len(part.First))
		f.openings(out, mine, walls, hard, kept)
		out.drops = f.rules.AppendDrops(out.drops, rs.id, &f.reg.own, &f.reg.all, &f.reg.bare, f.reg.of, mine)
	}
	return out, f.finish(ctx, over, out, t, k)
}

// finish encodes the records of a tile.
func (f *fieldWorker) finish(ctx context.Context, over *Overhead, out *fieldTile, t *tiling, k int) error {
	win := t.window(k)
	sortRecords(f.recs)
	n := len(f.recs)
	f.plain = resize(f.plain, n)
	c := &out.columns
	*c = bnvf.Columns{
		Component: make([]uint32, n), StepsXor: make([]uint8, n), Seg: make([]uint8, n),
		Tax: make([]uint8, n), ClrDrop: make([]uint16, n), Medial: make([]uint8, n),
	}
	for i := range f.recs {
		r := &f.recs[i]
		f.plain[i] = r.Record
		c.Component[i] = r.part
		c.StepsXor[i] = r.Steps ^ r.steps2
		c.Seg[i], c.Tax[i], c.Medial[i] = r.seg, r.tax, r.medial
		c.ClrDrop[i] = r.Clr - r.clr2
	}
	entry := t.entry(k)
	out.bounds = annex.TileBounds(&entry, f.plain)
	var err error
	if over != nil {
		if f.room, err = over.headroom(ctx, f.room[:0], f.recs, t.owned(k), win); err != nil {
			return err
		}
		if out.head, err = f.head.Encode(f.room); err != nil {
			return err
		}
	}
	out.payload, err = f.enc.Encode(f.plain, int32(win.NX), int32(win.NY))
	return err
}

// openings finds the dead cells of a region that only seams close.
func (f *fieldWorker) openings(out *fieldTile, mine spangrid.Window, walls []spangrid.Wall, hard []bool, kept []keptWall) {
	f.stiff = f.stiff[:0]
	for _, k := range kept {
		if hard[k.wall] {
			f.stiff = append(f.stiff, k.wall)
		}
	}
	if len(f.stiff) == len(kept) {
		return
	}
	g := &f.reg
	f.hard = resize(f.hard, g.box.Cells())
	clear(f.hard)
	spangrid.WallHits(f.hard, g.box, walls, f.stiff, f.rules)
	in := &spangrid.OpenInput{
		Window: g.box, Layer: g.layer, Core: g.core, Protect: g.protect, Hit: g.hit, Hard: f.hard, Steps: g.steps2,
	}
	f.open.Open(in)
	out.opened = f.open.Append(out.opened, in, &g.own, g.flags, mine)
}
