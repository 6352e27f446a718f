package bnvf

import (
	"math"

	"wend/pack"
	"wend/pack/bnav"
)

const (
	indexHeaderLen = 16
	indexEntryLen  = 12
	landingLen     = 80
	openingLen     = 16
)

// index reads header and zone index that FLNK and FOPN share. After it the
// reader stands at the first of count records.
func (f *Fields) index(r *pack.Reader, recordLen uint64) (count uint32, ranges []ZoneRange) {
	count = r.U32()
	if v := r.U16(); r.Err() == nil && v != 1 {
		r.FailAt(4, pack.ErrVersion, "record version %d, want 1", v)
	}
	r.U16()
	zones := r.U32()
	r.U32()
	if r.Err() != nil {
		return 0, nil
	}
	need := indexEntryLen*uint64(zones) + recordLen*uint64(count)
	if have := uint64(r.Len()); need > have {
		r.FailAt(0, pack.ErrTruncated, "%d zones and %d records need %d bytes, %d are left", zones, count, need, have)
		return 0, nil
	} else if need < have {
		r.FailAt(indexHeaderLen+int(need), pack.ErrTrailing, "%d bytes after %d zones and %d records", have-need, zones, count)
		return 0, nil
	}
	known := map[uint16]bool{}
	for i := range f.main.Table {
		known[f.main.Table[i].ID] = true
	}
	ranges = make([]ZoneRange, 0, zones)
	seen := map[uint16]bool{}
	section := r.Where()
	covered := uint64(0)
	owner := make([]bool, count) // which records belong to a zone
	for i := range int(zones) {
		r.SetWhere(section.In("index entry", i))
		pos := r.Pos()
		z := ZoneRange{ZoneID: r.U16()}
		r.U16()
		z.First, z.Len = r.U32(), r.U32()
		switch {
		case !known[z.ZoneID]:
			r.FailAt(pos, pack.ErrRange, "zone id %d is not in the main pack", z.ZoneID)
		case seen[z.ZoneID]:
			r.FailAt(pos, pack.ErrDuplicate, "zone id %d for the second time", z.ZoneID)
		case z.First > count || z.Len > count-z.First:
			r.FailAt(pos+4, pack.ErrBounds, "records %d+%d of %d", z.First, z.Len, count)
		}
		if r.Err() != nil {
			return 0, nil
		}
		seen[z.ZoneID] = true
		for k := range owner[z.First:][:z.Len] {
			i := int(z.First) + k
			if owner[i] {
				r.FailAt(pos+4, pack.ErrRange, "record %d belongs to another zone already", i)
				return 0, nil
			}
			owner[i] = true
		}
		covered += uint64(z.Len)
		ranges = append(ranges, z)
	}
	r.SetWhere(section)
	if covered != uint64(count) {
		r.FailAt(0, pack.ErrCount, "%d records belong to zones, %d are there", covered, count)
	}
	return count, ranges
}

// regionsOf returns the highest region id of the grid of each zone id.
func (f *Fields) regionsOf() map[uint16]uint32 {
	byName := map[string]uint32{}
	for i := range f.main.Grid.Zones {
		byName[f.main.Grid.Zones[i].Name] = f.main.Grid.Zones[i].GlobalRegions
	}
	out := map[uint16]uint32{}
	for i := range f.main.Table {
		out[f.main.Table[i].ID] = byName[f.main.Table[i].Name]
	}
	return out
}

// landings reads FLNK, if there is one.
func (f *Fields) landings(r *pack.Reader) error {
	if r == nil {
		return nil
	}
	count, ranges := f.index(r, landingLen)
	if r.Err() != nil {
		return r.Err()
	}
	section, first := r.Where(), r.Pos()
	f.HasLandings, f.LandingZones = true, ranges
	f.Landings = make([]Landing, count)
	regions := f.regionsOf()
	for _, z := range ranges {
		for i := int(z.First); i < int(z.First+z.Len); i++ {
			// Ranges need not come in file order.
			rec := r.Sub(section.In("record", i), uint64(first+i*landingLen), landingLen, "record")
			l := &f.Landings[i]
			readLanding(rec, l)
			if rec.Err() == nil {
				if l.ZoneID != z.ZoneID {
					rec.FailAt(4, pack.ErrRange, "zone id %d in the range of zone id %d", l.ZoneID, z.ZoneID)
				} else if l.OffMesh >= f.main.OffMeshTotal {
					rec.FailAt(0, pack.ErrRange, "off-mesh link %d, the main pack has %d", l.OffMesh, f.main.OffMeshTotal)
				} else if i > int(z.First) && l.OffMesh <= f.Landings[i-1].OffMesh {
					rec.FailAt(0, pack.ErrOrder, "off-mesh link %d after %d", l.OffMesh, f.Landings[i-1].OffMesh)
				}
				checkLanding(rec, l, regions[z.ZoneID])
			}
			if rec.Err() != nil {
				return rec.Err()
			}
		}
	}
	return nil
}

func readLanding(r *pack.Reader, l *Landing) {
	*l = Landing{
		OffMesh: r.U32(), ZoneID: r.U16(), Kind: r.U8(), Valid: r.U8(), IsExt: r.I32(), Bidirectional: r.I32(), Area: r.I32(),
		LinkType: r.U16(), Direction: r.U8(),
	}
	r.U8()
	l.Radius, l.CostModifier = r.F32(), r.F32()
	for _, s := range []*Side{&l.Lo, &l.Hi} {
		*s = Side{GX: r.I32(), GY: r.I32(), H: r.F32(), Declared: r.F32(), Region: r.U32(), Clr: r.U16(), Flags: r.U8(), Why: r.U8()}
	}
}

// checkLanding checks values; positions are those of the record's fields.
func checkLanding(r *pack.Reader, l *Landing, regions uint32) {
	if l.Kind > 1 {
		r.FailAt(6, pack.ErrRange, "kind %d, want 0 or 1", l.Kind)
	}
	if l.Valid > LoUsable|HiUsable {
		r.FailAt(7, pack.ErrRange, "usable ends %#02x, want two bits", l.Valid)
	}
	for i, s := range []*Side{&l.Lo, &l.Hi} {
		at := 32 + 24*i
		if s.Region > regions {
			r.FailAt(at+16, pack.ErrRange, "region %d, the zone has %d", s.Region, regions)
		}
		if s.Flags&^bnav.AllFlags != 0 {
			r.FailAt(at+22, pack.ErrRange, "flags %#02x, known are %#02x", s.Flags, bnav.AllFlags)
		}
		if s.Why >= whyEnd {
			r.FailAt(at+23, pack.ErrRange, "reason %d, want 0 to %d", s.Why, whyEnd-1)
		}
		if (s.Why == WhyUsable) != (l.Valid>>i&1 != 0) {
			r.FailAt(7, pack.ErrRange, "usable ends %#02x, but the reason of end %d is %d", l.Valid, i, s.Why)
		}
	}
}

// openings reads FOPN, if there is one.
func (f *Fields) openings(r *pack.Reader) error {
	if r == nil {
		return nil
	}
	count, ranges := f.index(r, openingLen)
	if r.Err() != nil {
		return r.Err()
	}
	section, first := r.Where(), r.Pos()
	f.HasOpenings, f.OpeningZones = true, ranges
	f.Openings = make([]Opening, count)
	for _, z := range ranges {
		for i := int(z.First); i < int(z.First+z.Len); i++ {
			rec := r.Sub(section.In("record", i), uint64(first+i*openingLen), openingLen, "record")
			o := &f.Openings[i]
			*o = Opening{GX: rec.I32(), GY: rec.I32(), H: rec.F32(), Clr: rec.U16(), Flags: rec.U8(), Src: rec.U8()}
			if o.Flags&^bnav.AllFlags != 0 {
				rec.FailAt(14, pack.ErrRange, "flags %#02x, known are %#02x", o.Flags, bnav.AllFlags)
			}
			if o.Src > 3 {
				rec.FailAt(15, pack.ErrRange, "source %#02x, want two bits", o.Src)
			}
			if i > int(z.First) && CompareOpenings(*o, f.Openings[i-1]) < 0 {
				rec.FailAt(0, pack.ErrOrder, "cell (%d, %d) at %v after cell (%d, %d) at %v", o.GX, o.GY, o.H,
					f.Openings[i-1].GX, f.Openings[i-1].GY, f.Openings[i-1].H)
			}
			if rec.Err() != nil {
				return rec.Err()
			}
		}
	}
	return nil
}

// CompareOpenings orders openings by row, column and the bits of the height.
func CompareOpenings(a, b Opening) int {
	return compareKeys(a.GY, b.GY, a.GX, b.GX, math.Float32bits(a.H), math.Float32bits(b.H))
}

func compareKeys(ay, by, ax, bx int32, ah, bh uint32) int {
	switch {
	case ay != by:
		return sign(ay < by)
	case ax != bx:
		return sign(ax < bx)
	case ah != bh:
		return sign(ah < bh)
	}
	return 0
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}
