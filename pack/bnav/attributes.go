package bnav

import (
	"encoding/binary"
	"fmt"
	"slices"

	"wend/pack"
)

const (
	surfaceLen    = 8
	offMeshV1Len  = 80
	offMeshV2Len  = 88
	attrHeaderLen = 16
)

// attributes reads the sections besides the geometry.
func (l *loader) attributes() error {
	for _, step := range []func() error{l.offMesh, l.surfaces, l.profile, l.grid, l.extras} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// extras keeps the sections this package does not know.
func (l *loader) extras() error {
	size := uint64(0)
	for _, s := range l.pack.Sections {
		if !slices.Contains(knownTags[:], s.Tag) {
			size += min(s.Size, uint64(l.pack.Size)) // at most 2^32 of them, each at most 2^40: no wrap
		}
	}
	if !l.take(l.file, min(size, uint64(l.pack.Size)), 1, "bytes of extra sections") {
		return l.file.Err()
	}
	l.pack.Extra = l.file.Extras(l.pack.Sections, knownTags[:]...)
	return l.file.Err()
}

// attrHeader reads the header that BSRF and BOML share and checks that exactly
// count records follow. lens gives the record length of each version.
func attrHeader(r *pack.Reader, tag string, lens map[uint16]uint16) (version uint16, count uint32) {
	r.Magic(tag)
	version = r.U16()
	recordLen := r.U16()
	if want, ok := lens[version]; r.Err() == nil && (!ok || recordLen != want) {
		r.FailAt(4, pack.ErrVersion, "version %d with records of %d bytes", version, recordLen)
	}
	count = r.U32()
	r.U32() // reserved
	if r.Items(uint64(count), uint64(recordLen), "records") {
		if extra := uint64(r.Len()) - uint64(count)*uint64(recordLen); extra > 0 {
			r.FailAt(r.Size()-int(extra), pack.ErrTrailing, "%d bytes after %d records", extra, count)
		}
	}
	return version, count
}

// surfaces reads BSRF, of which a load by zone keeps its range.
func (l *loader) surfaces() error {
	p := l.pack
	s, ok := pack.FindSection(p.Sections, "BSRF")
	if !ok {
		return nil
	}
	r := l.file.Section(s)
	_, count := attrHeader(r, "BSRF", map[uint16]uint16{1: surfaceLen})
	if r.Err() == nil && count != p.TriangleTotal {
		r.FailAt(8, pack.ErrCount, "%d surfaces for %d triangles", count, p.TriangleTotal)
	}
	n := uint64(count)
	if p.ZoneName != "" && r.Err() == nil {
		n = uint64(len(p.Triangles))
		r.Bytes(uint64(p.FirstTri) * surfaceLen)
	}
	if !l.take(r, n, surfaceLen, "surfaces") {
		return r.Err()
	}
	p.Surfaces = make([]Surface, n)
	for i, b := 0, r.Peek(); i < len(p.Surfaces); i, b = i+1, b[surfaceLen:] {
		p.Surfaces[i] = Surface{Area: b[0], PolyType: b[1], Flags: binary.LittleEndian.Uint32(b[4:])}
	}
	return nil
}

// offMesh reads BOML, of which a load by zone keeps its zone's records.
func (l *loader) offMesh() error {
	p := l.pack
	s, ok := pack.FindSection(p.Sections, "BOML")
	if !ok {
		return nil
	}
	r := l.file.Section(s)
	version, count := attrHeader(r, "BOML", map[uint16]uint16{1: offMeshV1Len, 2: offMeshV2Len})
	if !l.take(r, uint64(count), offMeshV2Len, "off-mesh links") {
		return r.Err()
	}
	p.OffMeshVersion, p.OffMeshTotal = int(version), count
	section := r.Where()
	l.zoneIDs = zoneIDs(p.Table)
	own := uint16(0)
	if i := p.ZoneIndex(p.ZoneName); i >= 0 {
		own = p.Zones[i].ID
	}
	list := make([]OffMeshLink, 0, count)
	for i := range count {
		r.SetWhere(section.In("record", int(i)))
		k := l.offMeshLink(r, version)
		k.Index = i
		if r.Err() != nil {
			return r.Err()
		}
		if p.ZoneName != "" {
			if k.ZoneID != own {
				continue
			}
			for _, t := range []*uint32{&k.StartTri, &k.EndTri} {
				if d := *t - p.FirstTri; *t >= p.FirstTri && uint64(d) < uint64(len(p.Triangles)) {
					*t = d
				} else {
					*t = NoTriangle
				}
			}
		}
		list = append(list, k)
	}
	p.OffMesh = slices.Clip(list)
	return nil
}

// offMeshLink reads one record.
func (l *loader) offMeshLink(r *pack.Reader, version uint16) OffMeshLink {
	start := r.Pos()
	k := OffMeshLink{ZoneID: r.U16(), Kind: r.U8()}
	r.U8()
	k.IsExt, k.Bidirectional, k.Area = r.I32(), r.I32(), r.I32()
	k.LinkType, k.Direction = r.U16(), r.U8()
	r.U8()
	k.Radius, k.CostModifier = r.F32(), r.F32()
	for i := range k.Points {
		k.Points[i] = Vertex{r.F32(), r.F32(), r.F32()}
	}
	k.StartTri, k.EndTri = NoTriangle, NoTriangle
	if version == 1 {
		r.U32()
	} else {
		k.DirOK = r.U8()
		r.Bytes(3)
		k.StartTri, k.EndTri = r.U32(), r.U32()
	}
	if r.Err() != nil {
		return k
	}
	if at, err := checkOffMesh(&k, l.zoneIDs, l.pack.TriangleTotal); err != nil {
		r.FailWithAt(start+at, err)
	}
	return k
}

// zoneIDs returns the ids of a zone table.
func zoneIDs(zones []Zone) map[uint16]bool {
	ids := make(map[uint16]bool, len(zones))
	for i := range zones {
		ids[zones[i].ID] = true
	}
	return ids
}

// checkOffMesh checks the values of a record whose numbers are finite. at is
// where the value at fault stands in a record of version 2.
func checkOffMesh(k *OffMeshLink, zones map[uint16]bool, triangles uint32) (at int, err error) {
	switch {
	case !zones[k.ZoneID]:
		return 0, fmt.Errorf("%w: zone id %d is not in the zone table", pack.ErrRange, k.ZoneID)
	case k.Kind > 1:
		return 2, fmt.Errorf("%w: kind %d, want 0 or 1", pack.ErrRange, k.Kind)
	case !(k.Radius >= 0):
		return 20, fmt.Errorf("%w: radius %v", pack.ErrRange, k.Radius)
	case k.DirOK > 3:
		return 76, fmt.Errorf("%w: directions %#02x, want two bits", pack.ErrRange, k.DirOK)
	case k.StartTri >= triangles && k.StartTri != NoTriangle:
		return 80, fmt.Errorf("%w: start triangle %d of %d", pack.ErrRange, k.StartTri, triangles)
	case k.EndTri >= triangles && k.EndTri != NoTriangle:
		return 84, fmt.Errorf("%w: end triangle %d of %d", pack.ErrRange, k.EndTri, triangles)
	}
	return 0, nil
}

// profile reads WPRF.
func (l *loader) profile() error {
	s, ok := pack.FindSection(l.pack.Sections, "WPRF")
	if !ok {
		return nil
	}
	r := l.file.Section(s)
	p := &Profile{Profile: pack.ReadProfile(r)}
	if n := r.U32(); r.Err() == nil && n > pack.MaxProfileName {
		r.FailAt(r.Pos()-4, pack.ErrLimit, "profile name of %d bytes, want at most %d", n, pack.MaxProfileName)
	} else if n > 0 {
		p.Name = r.Name(n)
	}
	if r.Done() != nil {
		return r.Err()
	}
	l.pack.Profile = p
	return nil
}
