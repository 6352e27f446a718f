package verify

import (
	"context"
	"errors"
	"fmt"
	"math"

	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spanbake"
	"wend/spangrid"
)

// recompute bakes the geometry of a pack again and compares what comes out with
// what is stored. A pack of ours without other faults is expected to agree in
// every value; colliders, headroom and the sections of package annex, which the
// pack's geometry does not determine, are left out.
func (d *deepPack) recompute() error {
	c := d.c
	if !d.own || len(c.faults[ofMain]) > 0 || !d.rebakable() {
		return nil
	}
	in := &spanbake.Input{Content: d.p.Content}
	in.Content.Grid, in.Content.Extra = nil, nil
	res, err := spanbake.Run(c.ctx, in, &spanbake.Options{
		Tile:    d.tileSide(),
		Level:   bnav.Level(2), // what is packed here is unpacked at once
		Workers: pack.Workers(c.opts.Workers, math.MaxInt),
	})
	if err != nil {
		if c.ctx.Err() != nil {
			return context.Cause(c.ctx)
		}
		d.recomputeFault(ofMain, "BGRD", "", "the geometry cannot be baked: %v", err)
		return nil
	}
	b := &rebake{d: d}
	// What Run makes is as large as it has to be.
	if b.p, err = bnav.Load(c.ctx, res.Main, &bnav.Options{MaxBytes: math.MaxInt64}); err == nil {
		b.f, err = bnvf.Load(c.ctx, res.Fields, b.p, &bnvf.Options{MaxBytes: math.MaxInt64})
	}
	if err != nil {
		return err
	}
	return b.compare()
}

// tileSide is the side of the grid's tiles in cells, 0 where it is none that our
// bake makes.
func (d *deepPack) tileSide() int {
	side := d.p.Grid.Tile / spangrid.Side
	if !(side >= 64 && side <= 1024) || side != math.Floor(side) || int(side)%64 != 0 {
		return 0
	}
	return int(side)
}

// maxLayers is how many triangles may lie over a cell for each record there
// before a pack is taken for one that asks for more work than it is worth.
const maxLayers = 64

// rebakable reports whether the geometry can be baked with work in proportion to
// what the pack holds, and says why not.
func (d *deepPack) rebakable() bool {
	side := d.tileSide()
	if side == 0 {
		d.recomputeFault(ofMain, "BGRD", "", "tiles of %v px, our bake makes multiples of 16 px up to 256", d.p.Grid.Tile)
		return false
	}
	good := true
	for i := range d.p.Zones {
		z := &d.p.Zones[i]
		if z.IsTier() {
			continue
		}
		gz := -1
		for k := range d.p.Grid.Zones {
			if d.p.Grid.Zones[k].Name == z.Name {
				gz = k
			}
		}
		if gz < 0 {
			d.recomputeFault(ofMain, "BGRD", z.Name, "the zone has no grid")
			good = false
			continue
		}
		g := &d.p.Grid.Zones[gz]
		tiles, cells := d.spread(z, float64(side)*spangrid.Side)
		if n := len(g.Tiles); tiles != float64(n) {
			d.recomputeFault(ofMain, "BGRD", z.Name, "%d tiles, the triangles reach over %.0f", n, tiles)
			good = false
		} else if cells > maxLayers*(float64(g.Records())+float64(z.TriCount)+1) {
			d.recomputeFault(ofMain, "BGRD", z.Name, "%d records, the triangles cover about %.0f cells", g.Records(), cells)
			good = false
		}
	}
	return good
}

// spread returns how many tiles the walkable triangles of a zone reach over, and
// about how many cells all of its triangles cover, each for itself.
func (d *deepPack) spread(z *bnav.Zone, tile float64) (tiles, cells float64) {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for t := int(z.FirstTri); t < int(z.FirstTri)+int(z.TriCount); t++ {
		var u, v [3]float64
		for k, i := range d.p.Triangles[t].V {
			u[k], v[k] = float64(d.p.Vertices[i].U), float64(d.p.Vertices[i].V)
		}
		area := math.Abs((u[1]-u[0])*(v[2]-v[0])-(u[2]-u[0])*(v[1]-v[0])) / 2
		round := 0.0
		for k := range 3 {
			round += math.Abs(u[k]-u[(k+1)%3]) + math.Abs(v[k]-v[(k+1)%3])
		}
		if !d.p.Walkable(t) {
			cells += round/spangrid.Side + area/(24*24) // only its edges and its buckets matter
			continue
		}
		cells += round/spangrid.Side + area/(spangrid.Side*spangrid.Side)
		for k := range 3 {
			x0, x1, y0, y1 = min(x0, u[k]), max(x1, u[k]), min(y0, v[k]), max(y1, v[k])
		}
	}
	nx := math.Floor(x1/tile) - math.Floor(x0/tile) + 1
	ny := math.Floor(y1/tile) - math.Floor(y0/tile) + 1
	return nx * ny, cells
}

// recomputeFault adds a fault of a zone as a whole, or of the pack.
func (d *deepPack) recomputeFault(of int, section, zone, format string, args ...any) {
	name, sections := d.p.Name, d.p.Sections
	if of == ofFields {
		name, sections = d.f.Name, d.f.Sections
	}
	where := pack.Where{File: name, Section: section, Zone: zone}
	d.c.addFault(of, newFault(name, where.At(sectionOffset(sections, section), pack.ErrRecompute, format, args...)))
}

// rebake is a pack of which the geometry was baked again, as p and f.
type rebake struct {
	d *deepPack
	p *bnav.Pack
	f *bnvf.Fields
}

// mostPerTile is how many differences of a tile, or of a table, are named.
const mostPerTile = 3

// differences collects what differs in a tile or a table.
type differences struct {
	list []string
	item []int // record, or entry of the table, of each
	n    int
}

func (s *differences) add(item int, format string, args ...any) {
	if s.n++; len(s.list) < mostPerTile {
		s.list = append(s.list, fmt.Sprintf(format, args...))
		s.item = append(s.item, item)
	}
}

// text returns difference i; the last one tells how many are not named.
func (s *differences) text(i int) string {
	if i == len(s.list)-1 && s.n > len(s.list) {
		return fmt.Sprintf("%s (and %d more differences)", s.list[i], s.n-len(s.list))
	}
	return s.list[i]
}

// errStop ends a comparison whose list of faults is full.
var errStop = errors.New("verify: enough faults")

func (b *rebake) compare() error {
	d := b.d
	side := d.f
	if len(d.c.faults[ofFields]) > 0 {
		side = nil // what is wrong was said, and columns and tables hang together
	}
	for zi := range d.p.Grid.Zones {
		err := b.tiles(zi, side)
		if errors.Is(err, errStop) {
			break
		}
		if err != nil {
			return err
		}
	}
	if side == nil {
		return nil
	}
	return b.tables()
}

// tiles compares the tiles of a zone of the grid.
func (b *rebake) tiles(zi int, side *bnvf.Fields) error {
	d, c := b.d, b.d.c
	got := &d.p.Grid.Zones[zi]
	again := -1
	for i := range b.p.Grid.Zones {
		if b.p.Grid.Zones[i].Name == got.Name {
			again = i
		}
	}
	if again < 0 {
		d.recomputeFault(ofMain, "BGRD", got.Name, "the pack has no such zone with triangles")
		return nil
	}
	want := &b.p.Grid.Zones[again]
	if len(got.Tiles) != len(want.Tiles) { // seen before, or the bake is not ours
		d.recomputeFault(ofMain, "BGRD", got.Name, "%d tiles, want %d", len(got.Tiles), len(want.Tiles))
		return nil
	}
	if got.GlobalRegions != want.GlobalRegions {
		d.recomputeFault(ofMain, "BGRD", got.Name, "%d regions, want %d", got.GlobalRegions, want.GlobalRegions)
	}
	if got.X0 != want.X0 || got.Y0 != want.Y0 {
		d.recomputeFault(ofMain, "BGRD", got.Name, "origin (%v, %v), want (%v, %v)", got.X0, got.Y0, want.X0, want.Y0)
	}
	sides := [2]int{-1, -1}
	if side != nil {
		sides = [2]int{side.ForGrid(zi), b.f.ForGrid(again)}
	}
	n := len(got.Tiles)
	found := make([]tileDifference, n)
	work := make([]tileComparer, pack.Workers(c.opts.Workers, n))
	err := pack.Parallel(c.ctx, len(work), n, func(w, i int) error {
		return work[w].compare(b, &found[i], [2]int{zi, again}, sides, i)
	})
	if err != nil {
		return err
	}
	for i := range found {
		for of, s := range [2]*differences{&found[i].grid, &found[i].fields} {
			for k := range s.list {
				where := pack.Where{File: d.p.Name, Section: "BGRD", Zone: got.Name}
				offset := d.p.Grid.TileOffset(zi, i)
				if of == ofFields {
					where.File, where.Section = d.f.Name, "FSPN"
					offset = d.f.Zones[sides[0]].TileOffset(i)
				}
				where = where.In("tile", i)
				if s.item[k] >= 0 {
					where = where.In("record", s.item[k])
				}
				c.addFault(of, newFault(where.File, where.At(offset, pack.ErrRecompute, "%s", s.text(k))))
			}
		}
	}
	if len(c.faults[ofMain]) >= pack.MaxFaults {
		return errStop
	}
	return nil
}
