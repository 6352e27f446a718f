package bnav

import (
	"context"
	"io/fs"

	"wend/pack"
)

// Versions in which fields came in. Each is compared on its own, so that a
// version 6 would not lose what version 5 has.
const (
	sinceFloor     = 3 // floor_y in the zone table
	sinceDirectory = 4 // section directory, header of 80 bytes
	sinceBGEO      = 5 // geometry as a section; void table offsets in the header
	newestVersion  = 5
)

const (
	headerLen    = 80
	oldHeaderLen = 64
)

// knownTags are the sections this reader understands.
var knownTags = [...]string{"BGEO", "BOML", "BSRF", "BGRD", "WPRF"}

// Options of a load. The zero value is ready.
type Options struct {
	Name       string // file name for errors; "BNAV" where empty
	Workers    int    // 0 = one per processor; never more than four
	MaxBytes   int64  // most decoded bytes; 0 = pack.DefaultMaxBytes
	Components bool   // keep the component ids of triangles
	Strict     bool   // a link to a triangle that does not exist is ErrRange instead of dropped
	Cache      *Cache // shares grid bytes between loads of the same file; may be nil
}

// withDefaults returns a copy with all fields set.
func (o *Options) withDefaults() Options {
	var opts Options
	if o != nil {
		opts = *o
	}
	if opts.Name == "" {
		opts.Name = "BNAV"
	}
	if opts.MaxBytes <= 0 {
		opts.MaxBytes = pack.DefaultMaxBytes
	}
	return opts
}

// Open reads a main pack of fsys, gunzipping names that end in .gz, and loads
// it whole. Options.Name is set to the name.
func Open(ctx context.Context, fsys fs.FS, name string, opts *Options) (*Pack, error) {
	o := opts.withDefaults()
	o.Name = name
	data, err := pack.ReadFile(fsys, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	return Load(ctx, data, &o)
}

// OpenZone is [Open] for one geometry zone, as [LoadZone] takes it.
func OpenZone(ctx context.Context, fsys fs.FS, name, zone string, opts *Options) (*Pack, error) {
	o := opts.withDefaults()
	o.Name = name
	data, err := pack.ReadFile(fsys, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	return LoadZone(ctx, data, zone, &o)
}

// Load reads the decompressed bytes of a main pack and checks them, the build
// hash included. The result does not refer to data. Errors are
// *pack.FormatError, or the context's cause.
func Load(ctx context.Context, data []byte, opts *Options) (*Pack, error) {
	l, err := begin(data, opts, nil)
	if err != nil {
		return nil, err
	}
	if l.pack.Version < sinceBGEO {
		err = l.oldTables(ctx)
	} else {
		err = l.wholeGeometry(ctx)
	}
	if err != nil {
		return nil, err
	}
	if err := l.attributes(); err != nil {
		return nil, err
	}
	return l.pack, nil
}

// LoadZone reads one geometry zone: its triangles, the vertices they use, the
// links inside it, the tiers that belong to it, and the whole grid. Only the
// chunks that hold them are decoded. The build hash is not checked, the
// fingerprint is taken all the same. A zone that does not exist or is a tier is
// ErrMissing. Packs before version 5 are ErrVersion here.
func LoadZone(ctx context.Context, data []byte, zone string, opts *Options) (*Pack, error) {
	l, err := begin(data, opts, nil)
	if err != nil {
		return nil, err
	}
	if l.pack.Version < sinceBGEO {
		return nil, l.where("BNAV").At(4, pack.ErrVersion, "version %d has no chunks to load a zone from, want %d", l.pack.Version, sinceBGEO)
	}
	if err := l.zoneGeometry(ctx, zone); err != nil {
		return nil, err
	}
	if err := l.attributes(); err != nil {
		return nil, err
	}
	return l.pack, nil
}

// loader is the state of one load.
type loader struct {
	opts   Options
	pack   *Pack
	file   *pack.Reader
	budget int64 // decoded bytes that may still be taken
	tables oldOffsets

	work      []scratch
	zoneCount uint32
	zoneIDs   map[uint16]bool
	check     *checkup // nil: the first fault ends the load
}

// oldOffsets are the table offsets of packs before version 5.
type oldOffsets struct{ zones, vertices, triangles, links uint64 }

func (l *loader) where(section string) pack.Where {
	return pack.Where{File: l.opts.Name, Section: section}
}

// begin reads header and directory and takes the fingerprint.
func begin(data []byte, opts *Options, check *checkup) (*loader, error) {
	l := &loader{opts: opts.withDefaults(), pack: &Pack{}, check: check}
	l.budget = l.opts.MaxBytes
	p := l.pack
	r := pack.NewReader(l.where("BNAV"), data, 0)
	l.file = r
	p.Name, p.Size = l.opts.Name, int64(len(data))

	r.Magic("BNAV")
	p.Version = r.U16()
	if r.Err() == nil && (p.Version == 0 || p.Version > newestVersion) {
		r.FailAt(4, pack.ErrVersion, "version %d, want 1 to %d", p.Version, newestVersion)
	}
	want := headerLen
	if p.Version < sinceDirectory {
		want = oldHeaderLen
	}
	if r.Err() == nil && len(data) < want {
		r.FailAt(len(data), pack.ErrTruncated, "header of %d bytes in a file of %d", want, len(data))
	}
	r.U16() // flags
	zones := r.U32()
	p.VertexTotal, p.TriangleTotal, p.LinkTotal = r.U32(), r.U32(), r.U32()
	l.tables = oldOffsets{r.U64(), r.U64(), r.U64(), r.U64()}
	p.BuildHash = r.U64()
	var dirOff uint64
	var dirCount uint32
	if p.Version >= sinceDirectory {
		dirOff, dirCount = r.U64(), r.U32()
		r.U32() // reserved
	}
	if r.Err() == nil {
		switch {
		case zones == 0:
			r.FailAt(8, pack.ErrCount, "no zone, want at least 1")
		case p.TriangleTotal > 1<<31-1:
			r.FailAt(16, pack.ErrRange, "%d triangles, want at most %d", p.TriangleTotal, 1<<31-1)
		case p.LinkTotal == 0:
			if err := r.Where().At(20, pack.ErrCount, "no link, want at least 1"); !l.check.note(err) {
				r.FailWith(err)
			}
		}
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	p.Table = make([]Zone, 0, min(zones, uint32(len(data)/oldZonePrefix)))
	p.Fingerprint = pack.Fingerprint(data)
	if check != nil {
		p.Sections = check.sections(r, dirOff, dirCount)
	} else {
		p.Sections = r.Sections(dirOff, dirCount, knownTags[:]...)
	}
	if r.Err() != nil {
		return nil, r.Err()
	}
	l.zoneCount = zones
	return l, nil
}

// take counts n records of size decoded bytes against the budget.
func (l *loader) take(r *pack.Reader, n, size uint64, what string) bool {
	bytes := n * size // n is at most 2^32, size small
	if r.Err() == nil && bytes > uint64(max(l.budget, 0)) {
		r.Fail(pack.ErrLimit, "%d %s of %d bytes: more than the %d bytes that a load may still take (of %d)",
			n, what, size, l.budget, l.opts.MaxBytes)
	}
	if r.Err() != nil {
		return false
	}
	l.budget -= int64(bytes)
	return true
}
