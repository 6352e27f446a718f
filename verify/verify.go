package verify

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/pack/ocls"
)

// Options of a check. The zero value, or nil, is ready.
type Options struct {
	Workers  int   // 0 = one per processor; never more than four
	MaxBytes int64 // most decoded bytes of a file; 0 = pack.DefaultMaxBytes
	Deep     bool  // also check what holds for any bake of the formats; a grid needs its fields
	Complete bool  // a missing side pack is a fault

	// Own makes a deep check include what only our bake promises. Packs with a
	// section of package annex are taken for ours without it.
	Own bool

	// Counts, where it is not nil, is set to what was found.
	Counts *Counts
}

// Counts says how much was checked. What a fault hides is not counted.
type Counts struct {
	Zones, Tiers               int
	Vertices, Triangles, Links int
	LinksDropped               int // links to triangles that do not exist; readers leave them out
	OffMesh                    int
	GridZones, Tiles           int
	Records                    uint64 // of the tiles that could be decoded, aprons included
	Regions, Components        uint64 // of the sidecar's graphs
	Landings, Openings         int
	Fields, Occluder           bool // the side pack is there
	Scenes                     int
	Instances, Blocks          int // of all scenes
}

// A Fault is one thing that is wrong with a pack.
type Fault struct {
	File    string
	Kind    string // name of a sentinel of package pack, such as "ErrRange"
	Section string // tag; the format's own tag for header and directory, "gzip" for the container
	Zone    string // name, or ""
	Item    string // such as "tile 3, stream 5", or ""
	Offset  int64  // byte in the decompressed file
	Raw     int64  // byte in the inflated stream that starts at Offset, or -1
	Message string // the value, and what would be right
}

// String returns the fault in one line.
func (f Fault) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", f.File, f.Kind)
	if f.Section != "" {
		fmt.Fprintf(&b, ": %s", f.Section)
	}
	if f.Zone != "" {
		fmt.Fprintf(&b, ", zone %q", f.Zone)
	}
	if f.Item != "" {
		fmt.Fprintf(&b, ", %s", f.Item)
	}
	fmt.Fprintf(&b, ", byte %d", f.Offset)
	if f.Raw >= 0 {
		fmt.Fprintf(&b, " (inflated byte %d)", f.Raw)
	}
	fmt.Fprintf(&b, ": %s", f.Message)
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return '?'
		}
		return r
	}, b.String())
}

// newFault takes an error of a pack reader apart.
func newFault(file string, err error) Fault {
	var fe *pack.FormatError
	if !errors.As(err, &fe) {
		return Fault{File: file, Kind: pack.Kind(err), Raw: -1, Message: err.Error()}
	}
	return Fault{fe.File, pack.Kind(fe), fe.Section, fe.Zone, fe.Item, fe.Offset, fe.Raw, fe.Err.Error()}
}

// ErrSidecar says that a fields sidecar was named where its main pack is
// wanted, without which it cannot be checked.
var ErrSidecar = errors.New("verify: a fields sidecar is checked with its main pack")

// Pack checks the main pack name of fsys and the side packs beside it, whose
// names are those of pack.SideNames. An occluder pack may also be named alone.
// A good pack has no fault; at most pack.MaxFaults are returned, in the order
// main pack, sidecar, occluder pack, and in each in the order in which its
// reader goes. The list does not depend on the number of workers.
//
// The error tells that there was no check: the file cannot be opened or read,
// is a sidecar (ErrSidecar), or the context's cause. A side pack that exists
// and cannot be read is a fault.
func Pack(ctx context.Context, fsys fs.FS, name string, opts *Options) ([]Fault, error) {
	c := &checker{ctx: ctx, fsys: fsys}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.MaxBytes <= 0 {
		c.opts.MaxBytes = pack.DefaultMaxBytes
	}
	if c.opts.Counts == nil {
		c.opts.Counts = new(Counts)
	}
	*c.opts.Counts = Counts{}
	data, err := pack.ReadFile(fsys, name, c.opts.MaxBytes)
	switch {
	case errors.Is(err, pack.ErrOpen), errors.Is(err, pack.ErrRead):
		return nil, err
	case err != nil:
		c.add(ofMain, name, err)
		err = c.sides(name, nil, false) // they can still be read
	case hasMagic(data, "OCLS"):
		c.occluder(name, data)
	case hasMagic(data, "BNVF"):
		return nil, fmt.Errorf("%w: %s", ErrSidecar, name)
	default:
		err = c.main(name, data)
	}
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	all := slices.Concat(c.faults[:]...)
	return all[:min(len(all), pack.MaxFaults)], nil
}

func hasMagic(data []byte, magic string) bool { return len(data) >= 4 && string(data[:4]) == magic }

// The packs of a set, in the order of their faults.
const (
	ofMain = iota
	ofFields
	ofOccluder
	packCount
)

// checker is the state of one check.
type checker struct {
	ctx    context.Context
	fsys   fs.FS
	opts   Options
	faults [packCount][]Fault
	bounds *annex.Bounds // of the main pack; nil where it says nothing of them
}

// add notes faults of a pack that are errors of a reader.
func (c *checker) add(of int, file string, faults ...error) {
	for _, err := range faults {
		c.addFault(of, newFault(file, err))
	}
}

func (c *checker) addFault(of int, f Fault) {
	if len(c.faults[of]) < pack.MaxFaults {
		c.faults[of] = append(c.faults[of], f)
	}
}

// main checks a main pack, then what belongs to it.
func (c *checker) main(name string, data []byte) error {
	p, faults, err := bnav.Check(c.ctx, data, &bnav.Options{Name: name, Workers: c.opts.Workers, MaxBytes: c.opts.MaxBytes})
	if err != nil {
		return err
	}
	c.add(ofMain, name, faults...)
	if p == nil {
		return c.sides(name, nil, false)
	}
	n := c.opts.Counts
	n.Vertices, n.Triangles, n.Links, n.LinksDropped = len(p.Vertices), len(p.Triangles), len(p.Links), p.LinksDropped
	n.OffMesh = len(p.OffMesh)
	for i := range p.Table {
		if p.Table[i].IsTier() {
			n.Tiers++
		} else {
			n.Zones++
		}
	}
	// A sidecar is compared with the zone table, off-mesh links, grid and
	// profile; a fault in one of them would show again as faults of the pair.
	comparable := p.Table != nil
	for _, f := range c.faults[ofMain] {
		switch f.Section {
		case "BOML", "BGRD", "WPRF":
			comparable = false
		case "BNAV": // the directory may have lost one of them
			comparable = comparable && f.Kind == pack.Kind(pack.ErrHash)
		}
	}
	if comparable {
		c.ownSections(p)
	}
	return c.sides(name, p, comparable)
}

// sides checks the side packs of a main pack and the tiles of both. p is nil
// where the main pack has no readable header.
func (c *checker) sides(name string, p *bnav.Pack, comparable bool) error {
	fields, occluder := pack.SideNames(name)
	// No route is planned over a grid without its fields.
	data, err := c.side(ofFields, fields, c.opts.Complete || c.opts.Deep && p != nil && p.Grid != nil)
	if err != nil {
		return err
	}
	var f *bnvf.Fields
	opts := &bnvf.Options{Name: fields, Workers: c.opts.Workers, MaxBytes: c.opts.MaxBytes}
	c.opts.Counts.Fields = data != nil
	switch {
	case data == nil || p == nil:
	case !comparable:
		c.add(ofFields, fields, bnvf.CheckHeader(data, p, opts)...)
	default:
		var faults []error
		if f, faults, err = bnvf.Check(c.ctx, data, p, opts); err != nil {
			return err
		}
		c.add(ofFields, fields, faults...)
		if f != nil {
			if err := c.ownFields(f); err != nil {
				return err
			}
		}
	}
	if p != nil && p.Grid != nil {
		if err := c.grid(p, f); err != nil {
			return err
		}
	}
	if data, err = c.side(ofOccluder, occluder, c.opts.Complete); err != nil {
		return err
	}
	if c.opts.Counts.Occluder = data != nil; data != nil {
		c.occluder(occluder, data)
	}
	return nil
}

// side reads a side pack: nil where it is missing, which is a fault if it is
// needed, or cannot be read.
func (c *checker) side(of int, name string, needed bool) ([]byte, error) {
	data, err := pack.ReadFile(c.fsys, name, c.opts.MaxBytes)
	switch {
	case c.ctx.Err() != nil:
		return nil, context.Cause(c.ctx)
	case err == nil:
		return data, nil
	case !errors.Is(err, fs.ErrNotExist):
		c.add(of, name, err)
	case needed:
		c.addFault(of, Fault{File: name, Kind: pack.Kind(pack.ErrMissing), Raw: -1, Message: pack.ErrMissing.Error() + ": the side pack does not exist"})
	}
	return nil, nil
}

// occluder checks an occluder pack.
func (c *checker) occluder(name string, data []byte) {
	records, err := ocls.Scan(name, data)
	if err != nil {
		c.add(ofOccluder, name, err)
		return
	}
	faults := make([]error, len(records))
	counts := make([][2]int, len(records))
	_ = pack.Parallel(c.ctx, c.opts.Workers, len(records), func(_, i int) error { // the caller looks at the context
		s, err := records[i].Decode()
		if faults[i] = err; err == nil {
			counts[i] = [2]int{len(s.Instances), len(s.Blocks)}
		}
		return nil
	})
	n := c.opts.Counts
	for i, err := range faults {
		if err != nil {
			c.add(ofOccluder, name, err)
			continue
		}
		n.Scenes++
		n.Instances += counts[i][0]
		n.Blocks += counts[i][1]
	}
}
