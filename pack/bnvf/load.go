package bnvf

import (
	"bytes"
	"context"
	"encoding/binary"
	"io/fs"
	"slices"

	"wend/pack"
	"wend/pack/bnav"
)

const (
	headerLen    = 48
	version      = 2
	flagExtra    = 1 // graph records carry four more numbers
	tileEntryLen = 16
	zoneMinLen   = 60
)

// required are the sections every sidecar has, optional those it may have.
var (
	required = []string{"FCON", "FZON", "FSPN", "FSCC", "FWAL"}
	optional = []string{"FLNK", "FOPN"}

	knownTags = append(slices.Clone(required), optional...)
)

// Options of a load. The zero value is ready.
type Options struct {
	Name     string // file name for errors; "BNVF" where empty
	Workers  int    // 0 = one per processor; never more than four
	MaxBytes int64  // most decoded bytes; 0 = pack.DefaultMaxBytes
	Cache    *Cache // shares tables between calls of Open for the same file; may be nil
}

// Open reads a sidecar of fsys, gunzipping names that end in .gz, and checks
// it against its main pack. See pack.SideNames for the name.
func Open(ctx context.Context, fsys fs.FS, name string, main *bnav.Pack, opts *Options) (*Fields, error) {
	var o Options
	if opts != nil {
		o = *opts
	}
	o.Name = name
	return o.Cache.open(ctx, fsys, name, main, &o)
}

// Load reads the decompressed bytes of a sidecar and checks it, alone and
// against its main pack, which may have been loaded whole or by zone. The six
// checks are made in this order: format and version, hashes, rules version,
// sections, constants, zone and tile tables; then graphs and walls of every
// zone are decoded once. The result keeps copies of the compressed tables and
// refers to main, not to data. Errors are *pack.FormatError or the context's
// cause; after any of them the pair must not be used for planning.
func Load(ctx context.Context, data []byte, main *bnav.Pack, opts *Options) (*Fields, error) {
	f, o := newFields(data, main, opts)
	where := pack.Where{File: o.Name, Section: "BNVF"}
	r := pack.NewReader(where, data, 0)
	off, count := f.header(r)
	f.Sections = r.Sections(off, count, knownTags...)
	checkEnd(r, off, f.Sections)
	if r.Err() != nil {
		return nil, r.Err()
	}
	sections := map[string]*pack.Reader{}
	for _, tag := range knownTags {
		if s, ok := pack.FindSection(f.Sections, tag); ok {
			sections[tag] = r.Section(s)
		} else if slices.Contains(required, tag) {
			where.Section = tag
			return nil, where.At(28, pack.ErrMissing, "section %s", tag)
		}
	}
	if main.Grid == nil {
		return nil, where.At(0, pack.ErrMissing, "section BGRD of the main pack %s: a sidecar has the fields of its records", main.Name)
	}
	if err := f.landings(sections["FLNK"]); err != nil {
		return nil, err
	}
	if err := f.openings(sections["FOPN"]); err != nil {
		return nil, err
	}
	if err := f.constants(sections["FCON"]); err != nil {
		return nil, err
	}
	if err := f.zones(sections); err != nil {
		return nil, err
	}
	if err := f.pair(sections["FZON"], func(fault error) error { return fault }); err != nil {
		return nil, err
	}
	f.Extra = r.Extras(f.Sections, knownTags...)
	err := pack.Parallel(ctx, o.Workers, len(f.Zones), func(_, i int) error {
		if _, err := f.Graphs(i); err != nil {
			return err
		}
		_, err := f.Walls(i)
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// newFields returns a sidecar that is yet to be read, and the options with
// defaults set.
func newFields(data []byte, main *bnav.Pack, opts *Options) (*Fields, Options) {
	var o Options
	if opts != nil {
		o = *opts
	}
	if o.Name == "" {
		o.Name = "BNVF"
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = pack.DefaultMaxBytes
	}
	return &Fields{Name: o.Name, Size: int64(len(data)), main: main, maxBytes: o.MaxBytes}, o
}

// A Header is the start of a sidecar: what it says of itself, unchecked.
type Header struct {
	Flags        uint16
	BuildHash    uint64 // of the main pack it belongs to
	Fingerprint  uint64 // of that pack's decompressed bytes
	RulesVersion uint32

	sections uint32
	offset   uint64
}

// ReadHeader reads the header of a sidecar without its main pack, and its
// directory. name stands for the file in errors; "" is "BNVF".
func ReadHeader(name string, data []byte) (Header, []pack.Section, error) {
	f, _ := newFields(data, nil, &Options{Name: name})
	r := pack.NewReader(pack.Where{File: f.Name, Section: "BNVF"}, data, 0)
	h := readHeader(r)
	list := r.Sections(h.offset, h.sections, knownTags...)
	return h, list, r.Err()
}

func readHeader(r *pack.Reader) Header {
	r.Magic("BNVF")
	if v := r.U16(); r.Err() == nil && v != version {
		r.FailAt(4, pack.ErrVersion, "version %d, want %d", v, version)
	}
	h := Header{Flags: r.U16(), BuildHash: r.U64(), Fingerprint: r.U64(), RulesVersion: r.U32(), sections: r.U32(), offset: r.U64()}
	r.U64() // reserved
	return h
}

// header reads the header, checks one to three, and returns where the
// directory is.
func (f *Fields) header(r *pack.Reader) (off uint64, count uint32) {
	h := readHeader(r)
	f.Flags = h.Flags
	rules := f.main.Rules().RulesVersion
	switch {
	case r.Err() != nil:
	case h.BuildHash != f.main.BuildHash:
		r.FailAt(8, pack.ErrPairing, "build hash %016x, that of %s is %016x", h.BuildHash, f.main.Name, f.main.BuildHash)
	case h.Fingerprint != f.main.Fingerprint:
		r.FailAt(16, pack.ErrPairing, "fingerprint %016x, that of %s is %016x", h.Fingerprint, f.main.Name, f.main.Fingerprint)
	case h.RulesVersion != uint32(rules):
		r.FailAt(24, pack.ErrRules, "rules version %d, want %d", h.RulesVersion, rules)
	case h.Flags&^flagExtra != 0:
		r.FailAt(6, pack.ErrRange, "header flags %#04x, known are %#04x", h.Flags, flagExtra)
	}
	return h.offset, h.sections
}

// checkEnd checks that nothing follows the directory and the sections: where a file
// was written to twice, or another one put behind it, bytes are left over.
func checkEnd(r *pack.Reader, directory uint64, list []pack.Section) {
	end := uint64(headerLen)
	if len(list) > 0 {
		end = max(end, directory+uint64(len(list))*pack.SectionEntryLen)
	}
	for _, s := range list {
		end = max(end, s.Offset+s.Size)
	}
	if size := uint64(r.Size()); r.Err() == nil && size > end {
		r.FailAt(int(end), pack.ErrTrailing, "%d bytes after the last section, which ends at %d", size-end, end)
	}
}

// constants compares FCON with the profile in force, byte for byte.
func (f *Fields) constants(r *pack.Reader) error {
	f.Profile = f.main.Rules()
	want := pack.AppendProfile(nil, f.Profile)
	got := r.Bytes(uint64(len(want)))
	if r.Done() != nil {
		return r.Err()
	}
	if !bytes.Equal(got, want) {
		at := pack.ProfileDiff(got, want)
		r.FailAt(at.Offset, pack.ErrRules, "%s is %s, the main pack's rules have %s", at.Name, at.Got, at.Want)
	}
	return r.Err()
}

// zones reads FZON and the tile tables.
func (f *Fields) zones(sections map[string]*pack.Reader) error {
	r := sections["FZON"]
	section := r.Where()
	count := r.U32()
	if !r.Items(uint64(count), zoneMinLen, "zones") {
		return r.Err()
	}
	triangles := make(map[string]uint64, len(f.main.Table))
	for i := range f.main.Table {
		triangles[f.main.Table[i].Name] = uint64(f.main.Table[i].TriCount)
	}
	tables := [3]struct {
		tag string
		b   []byte // a copy, so that the file itself can go
		sum uint64
	}{{tag: "FSPN"}, {tag: "FSCC"}, {tag: "FWAL"}}
	for k := range tables {
		tables[k].b = bytes.Clone(sections[tables[k].tag].Peek())
	}
	names := make(map[string]bool, count)
	f.Zones = make([]Zone, count)
	for i := range f.Zones {
		z := &f.Zones[i]
		r.SetWhere(section.In("zone", i))
		start := r.Pos()
		z.Name = r.Name(r.U32())
		r.Pad(start, 4)
		if r.Err() == nil && names[z.Name] {
			r.FailAt(start, pack.ErrDuplicate, "zone %q for the second time", z.Name)
		}
		names[z.Name] = true
		z.GlobalRegions = r.U32()
		tiles := uint64(r.U32())
		n, known := triangles[z.Name]
		if r.Err() == nil && !known {
			r.FailAt(start, pack.ErrPairing, "zone %q is not one of %s", z.Name, f.main.Name)
		}
		z.triangles = n
		for k, dst := range []*slice{&z.spans, &z.graphs, &z.walls} {
			t := &tables[k]
			pos := r.Pos()
			off, size := r.U64(), r.U64()
			total := uint64(len(t.b))
			if r.Err() == nil && (off > total || size > total-off) {
				r.FailAt(pos, pack.ErrBounds, "part of %s: offset %d and size %d, %d bytes are there", t.tag, off, size, total)
			}
			if r.Err() != nil {
				return r.Err()
			}
			// Parts that share bytes would make a small file dear to check.
			if t.sum += size; t.sum > total {
				r.FailAt(pos, pack.ErrLimit, "parts of %s have %d bytes in all, the section %d", t.tag, t.sum, total)
				return r.Err()
			}
			*dst = slice{t.b[off:][:size:size], sections[t.tag].Offset() + int64(off)}
		}
		if tiles*tileEntryLen > uint64(len(z.spans.b)) {
			r.FailAt(start, pack.ErrTruncated, "%d tiles of %d bytes in a part of %d", tiles, tileEntryLen, len(z.spans.b))
			return r.Err()
		}
		z.tiles = int(tiles)
		if err := f.checkTiles(i); err != nil {
			return err
		}
	}
	r.SetWhere(section)
	return r.Done()
}

// tile is an entry of a tile table.
type tile struct {
	records uint32
	off     uint64
	size    uint32
}

func (z *Zone) tile(i int) tile {
	b := z.spans.b[i*tileEntryLen:][:tileEntryLen]
	return tile{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint64(b[4:]), binary.LittleEndian.Uint32(b[12:])}
}

func (f *Fields) where(section string, zone int) pack.Where {
	return pack.Where{File: f.Name, Section: section, Zone: f.Zones[zone].Name}
}

// checkTiles checks the tile table of a zone.
func (f *Fields) checkTiles(zone int) error {
	z := &f.Zones[zone]
	total, table := uint64(len(z.spans.b)), uint64(z.tiles)*tileEntryLen
	for i := range z.tiles {
		t := z.tile(i)
		at := z.spans.offset + int64(i*tileEntryLen)
		where := func() pack.Where { return f.where("FSPN", zone).In("tile", i) }
		switch {
		case t.off > total || uint64(t.size) > total-t.off:
			return where().At(at+4, pack.ErrBounds, "payload of %d bytes at %d in a part of %d", t.size, t.off, total)
		case t.size > 0 && t.off < table:
			return where().At(at+4, pack.ErrBounds, "payload at %d, inside the tile table of %d bytes", t.off, table)
		case uint64(t.records)*6 > pack.Expansion(uint64(t.size)):
			return where().At(at, pack.ErrLimit, "%d records cannot be in %d bytes", t.records, t.size)
		}
		z.records += uint64(t.records)
	}
	return nil
}

// pair compares zones and tiles with the main pack's grid: check six. It hands
// the fault of each zone to note and stops where that returns an error.
func (f *Fields) pair(fzon *pack.Reader, note func(fault error) error) error {
	g := f.main.Grid
	index := make(map[string]int, len(f.Zones))
	for i := range f.Zones {
		index[f.Zones[i].Name] = i
	}
	ids := make(map[string]uint16, len(f.main.Table))
	for i := range f.main.Table {
		ids[f.main.Table[i].Name] = f.main.Table[i].ID
	}
	f.byGrid = make([]int, len(g.Zones))
	f.openingByGrid = make([][]Opening, len(g.Zones))
	for gi := range g.Zones {
		f.byGrid[gi] = -1
		i, ok := index[g.Zones[gi].Name]
		if !ok {
			i = -1
		}
		if err := f.pairZone(fzon, gi, i); err != nil {
			if err := note(err); err != nil {
				return err
			}
			continue
		}
		f.byGrid[gi] = i
		if id, ok := ids[g.Zones[gi].Name]; ok {
			f.openingByGrid[gi] = f.ZoneOpenings(id)
		}
	}
	return nil
}

// pairZone compares zone i, -1 for none, with zone gi of the main pack's grid.
func (f *Fields) pairZone(fzon *pack.Reader, gi, i int) error {
	gz := &f.main.Grid.Zones[gi]
	where := fzon.Where()
	where.Zone = gz.Name
	at := fzon.Offset() - int64(fzon.Pos())
	if i < 0 {
		return where.At(at, pack.ErrPairing, "zone %q of the main pack has no fields", gz.Name)
	}
	z := &f.Zones[i]
	if z.GlobalRegions != gz.GlobalRegions {
		return where.At(at, pack.ErrPairing, "%d regions, the main pack has %d", z.GlobalRegions, gz.GlobalRegions)
	}
	if z.tiles != len(gz.Tiles) {
		return where.At(at, pack.ErrPairing, "%d tiles, the main pack has %d", z.tiles, len(gz.Tiles))
	}
	for k := range gz.Tiles {
		if n := z.tile(k).records; n != gz.Tiles[k].Records {
			return f.where("FSPN", i).In("tile", k).At(z.spans.offset+int64(k*tileEntryLen), pack.ErrPairing,
				"%d records, the main pack has %d", n, gz.Tiles[k].Records)
		}
	}
	return nil
}
