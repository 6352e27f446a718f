package annex

import (
	"context"
	"encoding/binary"
	"math"

	"wend/pack"
	"wend/pack/bnav"
)

// Bounds says where the records of a pack's grid lie, so that a query can tell
// without decoding a tile that there is nothing for it.
type Bounds struct {
	Zones []ZoneBounds // those of the grid, in its order
}

// Heights is a range of heights in metres, both ends included. A void one has
// Min > Max.
type Heights struct{ Min, Max float32 }

var noHeights = Heights{math.MaxFloat32, -math.MaxFloat32}

// NoHeights returns the void range that is stored where no record has a height.
func NoHeights() Heights { return noHeights }

// Void reports whether the range has no height.
func (h Heights) Void() bool { return h.Min > h.Max }

// Add returns the range that reaches to a height as well.
func (h Heights) Add(v float32) Heights { return Heights{min(h.Min, v), max(h.Max, v)} }

// Union returns the range that covers both.
func (h Heights) Union(o Heights) Heights { return Heights{min(h.Min, o.Min), max(h.Max, o.Max)} }

// ZoneBounds is about the records that the zone's tiles own; repetitions in the
// margins of tiles do not count.
type ZoneBounds struct {
	// The global cells that have records: columns GX0 to GX1, rows GY0 to GY1.
	// All are 0 where Records is 0.
	GX0, GY0, GX1, GY1 int32
	Heights            Heights // of all tiles
	Records            uint64
	Regions            uint32    // region ids go up to this
	Tiles              []Heights // of each tile of the grid; Fill records have no height
}

// ComputeBounds decodes all tiles of a grid, with at most four workers (0 = one
// per processor).
func ComputeBounds(ctx context.Context, g *bnav.Grid, workers int) (*Bounds, error) {
	b := &Bounds{Zones: make([]ZoneBounds, len(g.Zones))}
	type scratch struct {
		dec  bnav.TileDecoder
		recs []bnav.Record
	}
	for zi := range g.Zones {
		gz := &g.Zones[zi]
		parts := make([]ZoneBounds, len(gz.Tiles))
		work := make([]scratch, pack.Workers(workers, len(gz.Tiles)))
		err := pack.Parallel(ctx, workers, len(gz.Tiles), func(w, i int) (err error) {
			s := &work[w]
			if s.recs, err = s.dec.Decode(g, zi, i, s.recs[:0]); err == nil {
				parts[i] = TileBounds(&gz.Tiles[i], s.recs)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		b.Zones[zi] = JoinBounds(gz.GlobalRegions, parts)
	}
	return b, nil
}

// TileBounds returns the bounds of one tile with the given records, as a part
// for [JoinBounds]. Regions is left out.
func TileBounds(t *bnav.Tile, recs []bnav.Record) ZoneBounds {
	z := ZoneBounds{Heights: noHeights}
	x0, y0, x1, y1 := t.PX1, t.PY1, t.PX0, t.PY0
	for i := range recs {
		x, y := recs[i].Cell%t.NX, recs[i].Cell/t.NX
		if x < t.PX0 || x > t.PX1 || y < t.PY0 || y > t.PY1 {
			continue
		}
		x0, x1, y0, y1 = min(x0, x), max(x1, x), min(y0, y), max(y1, y)
		z.Records++
		if recs[i].Flags&bnav.Fill == 0 {
			z.Heights = z.Heights.Add(recs[i].H)
		}
	}
	if z.Records > 0 {
		z.GX0, z.GX1, z.GY0, z.GY1 = t.GX0+x0, t.GX0+x1, t.GY0+y0, t.GY0+y1
	}
	return z
}

// JoinBounds puts the parts of a zone's tiles together, in the order of the
// grid.
func JoinBounds(regions uint32, tiles []ZoneBounds) ZoneBounds {
	z := ZoneBounds{Heights: noHeights, Regions: regions, Tiles: make([]Heights, len(tiles))}
	for i := range tiles {
		t := &tiles[i]
		z.Tiles[i] = t.Heights
		if t.Records == 0 {
			continue
		}
		if z.Records == 0 {
			z.GX0, z.GY0, z.GX1, z.GY1 = t.GX0, t.GY0, t.GX1, t.GY1
		}
		z.GX0, z.GY0, z.GX1, z.GY1 = min(z.GX0, t.GX0), min(z.GY0, t.GY0), max(z.GX1, t.GX1), max(z.GY1, t.GY1)
		z.Heights = z.Heights.Union(t.Heights)
		z.Records += t.Records
	}
	return z
}

const (
	boundsZoneLen = 40
	heightsLen    = 8
)

// EncodeBounds returns the section WBND.
func EncodeBounds(b *Bounds) (pack.Extra, error) {
	le := binary.LittleEndian
	out := appendHeader(nil, TagBounds)
	out = le.AppendUint32(out, uint32(len(b.Zones)))
	out = le.AppendUint32(out, 0)
	for i := range b.Zones {
		z := &b.Zones[i]
		if what := z.fault(); what != "" {
			return pack.Extra{}, fault(TagBounds, pack.ErrRange, "zone %d: %s", i, what)
		}
		for _, v := range []int32{z.GX0, z.GY0, z.GX1, z.GY1} {
			out = le.AppendUint32(out, uint32(v))
		}
		out = appendHeights(out, z.Heights)
		out = le.AppendUint64(out, z.Records)
		out = le.AppendUint32(out, z.Regions)
		out = le.AppendUint32(out, uint32(len(z.Tiles)))
		for _, h := range z.Tiles {
			out = appendHeights(out, h)
		}
	}
	return pack.Extra{Tag: TagBounds, Data: out}, nil
}

func appendHeights(dst []byte, h Heights) []byte {
	return pack.AppendF32(pack.AppendF32(dst, h.Min), h.Max)
}

// fault says what contradicts itself in z, "" where nothing does.
func (z *ZoneBounds) fault() string {
	all := noHeights
	for _, h := range z.Tiles {
		if h.Void() && h != noHeights || h.Min != h.Min || h.Max != h.Max ||
			max(h.Max, -h.Min) > math.MaxFloat32 {
			return "a tile's heights are not a range"
		}
		all = all.Union(h)
	}
	switch {
	case z.Heights != all:
		return "its heights are not those of its tiles"
	case z.Records == 0 && (z.GX0 != 0 || z.GY0 != 0 || z.GX1 != 0 || z.GY1 != 0):
		return "cells without records"
	case z.Records == 0 && !all.Void():
		return "heights without records"
	case z.GX0 > z.GX1 || z.GY0 > z.GY1:
		return "its last cell is before its first"
	}
	return ""
}

// ReadBounds returns the bounds of a main pack, nil where it has none. The
// number of zones, tiles and regions must be that of the grid, and records no
// more than it has (pack.ErrPairing); cells and heights are not compared.
func ReadBounds(p *bnav.Pack) (*Bounds, error) {
	r := open(p.Name, TagBounds, p.Extra, p.Sections)
	if r == nil {
		return nil, nil
	}
	b := parseBounds(r)
	if err := pairZones(r, len(b.Zones), p.Grid); err != nil {
		return nil, err
	}
	start := r.Offset() - int64(r.Pos())
	for i := range b.Zones {
		z, g := &b.Zones[i], &p.Grid.Zones[i]
		switch {
		case len(z.Tiles) != len(g.Tiles):
			return nil, at(r, p.Grid, i, -1).At(start, pack.ErrPairing, "%d tiles, the grid has %d", len(z.Tiles), len(g.Tiles))
		case z.Regions != g.GlobalRegions:
			return nil, at(r, p.Grid, i, -1).At(start, pack.ErrPairing, "%d regions, the grid has %d", z.Regions, g.GlobalRegions)
		case z.Records > g.Records():
			return nil, at(r, p.Grid, i, -1).At(start, pack.ErrPairing, "%d records, the grid has %d", z.Records, g.Records())
		}
	}
	return b, nil
}

func parseBounds(r *pack.Reader) *Bounds {
	b := &Bounds{}
	readHeader(r, TagBounds)
	count := r.U32()
	readReserved(r)
	if !r.Items(uint64(count), boundsZoneLen, "zones") {
		return b
	}
	b.Zones = make([]ZoneBounds, count)
	section := r.Where()
	for i := range b.Zones {
		r.SetWhere(section.In("zone", i))
		z := &b.Zones[i]
		start := r.Pos()
		z.GX0, z.GY0, z.GX1, z.GY1 = r.I32(), r.I32(), r.I32(), r.I32()
		z.Heights = Heights{r.F32(), r.F32()}
		z.Records, z.Regions = r.U64(), r.U32()
		tiles := r.U32()
		if !r.Items(uint64(tiles), heightsLen, "tiles") {
			return b
		}
		z.Tiles = make([]Heights, tiles)
		for k := range z.Tiles {
			z.Tiles[k] = Heights{r.F32(), r.F32()}
		}
		if what := z.fault(); what != "" {
			r.FailAt(start, pack.ErrRange, "%s", what)
		}
	}
	r.SetWhere(section)
	r.Done()
	return b
}
