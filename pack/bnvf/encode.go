package bnvf

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"wend/pack"
	"wend/pack/bnav"
)

// NewTile is a tile's columns, encoded by [ColumnEncoder.Encode].
type NewTile struct {
	Records uint32
	Payload []byte
}

// NewZone is a zone to be written.
type NewZone struct {
	Name          string
	GlobalRegions uint32
	Tiles         []NewTile     // as many as the grid of the main pack has, in its order
	Graphs        []RegionGraph // written in order of their regions
	Walls         []Wall        // written in order of their keys
}

// Content is what is to be written into a sidecar.
type Content struct {
	Zones    []NewZone
	Landings []Landing // nil = section absent; written by zone, then by off-mesh link
	Openings []NewOpening
	Extra    []pack.Extra // sections beyond the format, written sorted by tag behind the others
}

// NewOpening is an opening with the id of its zone.
type NewOpening struct {
	ZoneID uint16
	Opening
}

// EncodeOptions of [Encode]. The zero value is ready.
type EncodeOptions struct {
	Level   bnav.Level // of the zlib streams
	Workers int        // 0 = one per processor; never more than four
}

// Encode writes a sidecar for a main pack, which must be loaded from the very
// bytes it will be shipped with, since their fingerprint goes in. The result is
// not gzipped (see pack.WriteFile). It is read back and checked against main
// before it is returned, so what a reader would refuse is an error here. Same
// content and options, same bytes, for any number of workers.
func Encode(ctx context.Context, c *Content, main *bnav.Pack, opts *EncodeOptions) ([]byte, error) {
	var o EncodeOptions
	if opts != nil {
		o = *opts
	}
	graphs, walls := make([][]byte, len(c.Zones)), make([][]byte, len(c.Zones))
	deflaters := make([]*pack.Deflater, pack.Workers(o.Workers, len(c.Zones)))
	for i := range deflaters {
		d, err := pack.NewDeflater(o.Level.Int())
		if err != nil {
			return nil, fmt.Errorf("bnvf: encode: %w", err)
		}
		deflaters[i] = d
	}
	err := pack.Parallel(ctx, o.Workers, len(c.Zones), func(w, i int) error {
		graphs[i] = encodeGraphs(deflaters[w], c.Zones[i].Graphs)
		walls[i] = encodeWalls(deflaters[w], c.Zones[i].Walls)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("bnvf: encode: %w", err)
	}
	le := binary.LittleEndian
	fzon := le.AppendUint32(nil, uint32(len(c.Zones)))
	var fspn, fscc, fwal [][]byte
	var spanOff, graphOff, wallOff uint64
	for i := range c.Zones {
		z := &c.Zones[i]
		if len(z.Name) == 0 || len(z.Name) > pack.MaxName {
			return nil, fmt.Errorf("bnvf: encode: zone %d: %w: name of %d bytes", i, pack.ErrLimit, len(z.Name))
		}
		table := make([]byte, 0, tileEntryLen*len(z.Tiles))
		off := uint64(tileEntryLen * len(z.Tiles))
		fspn = append(fspn, nil)
		at := len(fspn) - 1
		for k, t := range z.Tiles {
			if uint64(len(t.Payload)) > math.MaxUint32 {
				return nil, fmt.Errorf("bnvf: encode: zone %q, tile %d: %w: %d bytes", z.Name, k, pack.ErrRange, len(t.Payload))
			}
			table = le.AppendUint32(table, t.Records)
			table = le.AppendUint64(table, off)
			table = le.AppendUint32(table, uint32(len(t.Payload)))
			off += uint64(len(t.Payload))
			fspn = append(fspn, t.Payload)
		}
		fspn[at] = table
		fscc, fwal = append(fscc, graphs[i]), append(fwal, walls[i])
		start := len(fzon)
		fzon = le.AppendUint32(fzon, uint32(len(z.Name)))
		fzon = pack.AppendPad(append(fzon, z.Name...), start, 4)
		fzon = le.AppendUint32(fzon, z.GlobalRegions)
		fzon = le.AppendUint32(fzon, uint32(len(z.Tiles)))
		for _, s := range []struct {
			off  *uint64
			size uint64
		}{{&spanOff, off}, {&graphOff, uint64(len(graphs[i]))}, {&wallOff, uint64(len(walls[i]))}} {
			fzon = le.AppendUint64(fzon, *s.off)
			fzon = le.AppendUint64(fzon, s.size)
			*s.off += s.size
		}
	}
	sections := []pack.SectionData{
		{Tag: "FCON", Pieces: [][]byte{pack.AppendProfile(nil, main.Rules())}},
		{Tag: "FZON", Pieces: [][]byte{fzon}},
		{Tag: "FSPN", Pieces: fspn},
		{Tag: "FSCC", Pieces: fscc},
		{Tag: "FWAL", Pieces: fwal},
	}
	if c.Landings != nil {
		sections = append(sections, pack.SectionData{Tag: "FLNK", Pieces: [][]byte{encodeLandings(c.Landings)}})
	}
	if c.Openings != nil {
		b, err := encodeOpenings(c.Openings)
		if err != nil {
			return nil, err
		}
		sections = append(sections, pack.SectionData{Tag: "FOPN", Pieces: [][]byte{b}})
	}
	extra, err := pack.ExtraSections(c.Extra, knownTags...)
	if err != nil {
		return nil, fmt.Errorf("bnvf: encode: %w", err)
	}
	sections = append(sections, extra...)
	h := append([]byte("BNVF"), version, 0, 0, 0)
	h = le.AppendUint64(h, main.BuildHash)
	h = le.AppendUint64(h, main.Fingerprint)
	h = le.AppendUint32(h, uint32(main.Rules().RulesVersion))
	h = le.AppendUint32(h, uint32(len(sections)))
	h = le.AppendUint64(h, headerLen)
	h = le.AppendUint64(h, 0)
	data := pack.AppendSections(h, sections)
	if _, err := Load(ctx, data, main, &Options{Workers: o.Workers, MaxBytes: math.MaxInt64}); err != nil {
		return nil, fmt.Errorf("bnvf: encode: what was written cannot be read: %w", err)
	}
	return data, nil
}

func encodeGraphs(d *pack.Deflater, graphs []RegionGraph) []byte {
	graphs = slices.SortedFunc(slices.Values(graphs), func(a, b RegionGraph) int { return cmp.Compare(a.Region, b.Region) })
	out := pack.AppendUvarint(nil, uint64(len(graphs)))
	var raw []byte
	for _, g := range graphs {
		out = pack.AppendUvarint(out, uint64(g.Region))
		out = pack.AppendUvarint(out, uint64(g.Components))
		out = pack.AppendUvarint(out, uint64(len(g.Edges)))
		raw = raw[:0]
		last := uint32(0)
		for _, e := range g.Edges {
			raw = pack.AppendUvarint(raw, uint64(e.From-last)) // a step back wraps and is refused on reading
			raw = pack.AppendUvarint(raw, uint64(e.To))
			last = e.From
		}
		out = d.AppendStream(out, raw)
	}
	return out
}

func encodeWalls(d *pack.Deflater, walls []Wall) []byte {
	walls = slices.SortedFunc(slices.Values(walls), func(a, b Wall) int { return cmp.Compare(a.Key, b.Key) })
	var keys, lists []byte
	last := uint32(0)
	for _, w := range walls {
		keys = pack.AppendUvarint(keys, uint64(w.Key-last))
		last = w.Key
		lists = pack.AppendUvarint(lists, uint64(len(w.Regions)))
		id := uint32(0)
		for _, r := range w.Regions {
			lists = pack.AppendUvarint(lists, uint64(r-id))
			id = r
		}
	}
	out := pack.AppendUvarint(nil, uint64(len(walls)))
	return d.AppendStream(d.AppendStream(out, keys), lists)
}

// appendIndex appends the header of FLNK or FOPN and the ranges of zones, whose
// ids come sorted.
func appendIndex(dst []byte, ids []uint16) []byte {
	le := binary.LittleEndian
	var ranges []ZoneRange
	for i, id := range ids {
		if n := len(ranges); n == 0 || ranges[n-1].ZoneID != id {
			ranges = append(ranges, ZoneRange{ZoneID: id, First: uint32(i)})
		}
		ranges[len(ranges)-1].Len++
	}
	dst = le.AppendUint32(dst, uint32(len(ids)))
	dst = le.AppendUint16(dst, 1)
	dst = le.AppendUint16(dst, 0)
	dst = le.AppendUint32(dst, uint32(len(ranges)))
	dst = le.AppendUint32(dst, 0)
	for _, r := range ranges {
		dst = le.AppendUint16(dst, r.ZoneID)
		dst = le.AppendUint16(dst, 0)
		dst = le.AppendUint32(dst, r.First)
		dst = le.AppendUint32(dst, r.Len)
	}
	return dst
}

func encodeLandings(list []Landing) []byte {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b Landing) int {
		return cmp.Or(cmp.Compare(a.ZoneID, b.ZoneID), cmp.Compare(a.OffMesh, b.OffMesh))
	})
	ids := make([]uint16, len(list))
	for i := range list {
		ids[i] = list[i].ZoneID
	}
	b := appendIndex(nil, ids)
	le := binary.LittleEndian
	for i := range list {
		l := &list[i]
		b = le.AppendUint32(b, l.OffMesh)
		b = le.AppendUint16(b, l.ZoneID)
		b = append(b, l.Kind, l.Valid)
		for _, v := range []int32{l.IsExt, l.Bidirectional, l.Area} {
			b = le.AppendUint32(b, uint32(v))
		}
		b = le.AppendUint16(b, l.LinkType)
		b = append(b, l.Direction, 0)
		b = pack.AppendF32(pack.AppendF32(b, l.Radius), l.CostModifier)
		for _, s := range []*Side{&l.Lo, &l.Hi} {
			b = le.AppendUint32(le.AppendUint32(b, uint32(s.GX)), uint32(s.GY))
			b = pack.AppendF32(pack.AppendF32(b, s.H), s.Declared)
			b = le.AppendUint32(b, s.Region)
			b = le.AppendUint16(b, s.Clr)
			b = append(b, s.Flags, s.Why)
		}
	}
	return b
}

func encodeOpenings(list []NewOpening) ([]byte, error) {
	list = slices.SortedStableFunc(slices.Values(list), func(a, b NewOpening) int {
		return cmp.Or(cmp.Compare(a.ZoneID, b.ZoneID), CompareOpenings(a.Opening, b.Opening))
	})
	ids := make([]uint16, len(list))
	for i := range list {
		if ids[i] = list[i].ZoneID; i > 0 && ids[i] == ids[i-1] && CompareOpenings(list[i].Opening, list[i-1].Opening) == 0 {
			return nil, fmt.Errorf("bnvf: encode: %w: two openings of cell (%d, %d) at %v", pack.ErrDuplicate, list[i].GX, list[i].GY, list[i].H)
		}
	}
	b := appendIndex(nil, ids)
	le := binary.LittleEndian
	for i := range list {
		o := &list[i]
		b = le.AppendUint32(le.AppendUint32(b, uint32(o.GX)), uint32(o.GY))
		b = pack.AppendF32(b, o.H)
		b = le.AppendUint16(b, o.Clr)
		b = append(b, o.Flags, o.Src)
	}
	return b, nil
}
