package verify

import (
	"reflect"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
)

// ownSections checks the sections of ours in a main pack, each alone and
// against the pack.
func (c *checker) ownSections(p *bnav.Pack) {
	bounds, err := annex.ReadBounds(p)
	if c.bounds = bounds; err != nil {
		c.add(ofMain, p.Name, err)
	}
	_, levels := annex.ReadLevels(p)
	_, bodies := annex.ReadBodies(p)
	_, report := annex.ReadReport(p)
	for _, err := range []error{levels, bodies, report} {
		if err != nil {
			c.add(ofMain, p.Name, err)
		}
	}
}

// ownFields checks the sections of ours in a sidecar. Every headroom tile is
// decoded.
func (c *checker) ownFields(f *bnvf.Fields) error {
	if _, err := annex.ReadDrops(f); err != nil {
		c.add(ofFields, f.Name, err)
	}
	h, err := annex.ReadHeadroom(f)
	if err != nil {
		c.add(ofFields, f.Name, err)
	}
	if h == nil || err != nil {
		return nil
	}
	grid := f.Main().Grid
	for zi := range grid.Zones {
		tiles := len(grid.Zones[zi].Tiles)
		faults := make([]error, tiles)
		work := make([]struct {
			dec annex.HeadroomDecoder
			buf []uint8
		}, pack.Workers(c.opts.Workers, tiles))
		err := pack.Parallel(c.ctx, len(work), tiles, func(w, i int) error {
			work[w].buf, faults[i] = work[w].dec.Decode(h, zi, i, work[w].buf[:0])
			return nil
		})
		if err != nil {
			return err
		}
		for _, err := range faults {
			if err != nil {
				c.add(ofFields, f.Name, err)
			}
		}
	}
	return nil
}

// compareBounds compares what the pack says of a zone's records with what is
// there: a query that trusts wrong bounds finds nothing.
func (c *checker) compareBounds(p *bnav.Pack, zone int, found []tileResult) {
	if c.bounds == nil {
		return
	}
	parts := make([]annex.ZoneBounds, len(found))
	for i := range found {
		if found[i].tile != nil {
			return
		}
		parts[i] = found[i].bounds
	}
	z := &p.Grid.Zones[zone]
	stored, real := c.bounds.Zones[zone], annex.JoinBounds(z.GlobalRegions, parts)
	if reflect.DeepEqual(stored, real) {
		return
	}
	where := pack.Where{File: p.Name, Section: annex.TagBounds, Zone: z.Name}
	tile := -1
	for i := range real.Tiles {
		if stored.Tiles[i] != real.Tiles[i] {
			tile = i
			break
		}
	}
	at := sectionOffset(p.Sections, annex.TagBounds)
	if tile >= 0 {
		c.add(ofMain, p.Name, where.In("tile", tile).At(at, pack.ErrPairing, "heights %v to %v, the grid has %v to %v",
			stored.Tiles[tile].Min, stored.Tiles[tile].Max, real.Tiles[tile].Min, real.Tiles[tile].Max))
		return
	}
	c.add(ofMain, p.Name, where.At(at, pack.ErrPairing, "%d records in cells (%d, %d) to (%d, %d), the grid has %d in (%d, %d) to (%d, %d)",
		stored.Records, stored.GX0, stored.GY0, stored.GX1, stored.GY1, real.Records, real.GX0, real.GY0, real.GX1, real.GY1))
}
