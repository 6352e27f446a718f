package bnvf

import (
	"context"
	"slices"

	"wend/pack"
	"wend/pack/bnav"
)

// Check reads the decompressed bytes of a sidecar like [Load], but does not
// stop at the first fault. It returns all that do not follow from one another,
// at most pack.MaxFaults, each a *pack.FormatError: of header, directory and
// each table the first, of pairing one a zone. A sidecar whose header names
// another main pack or other rules is not looked into further, since all else
// would be compared with the wrong pack. Columns are not decoded.
//
// The fields hold what could be read, nil where that was the header at most;
// ForGrid is -1 for zones that do not fit the main pack. Where there are
// faults they are for reports only. main must have a zone table, and the
// sections BOML, BGRD and WPRF that it has must be good; where it is otherwise
// use [CheckHeader]. err is the context's cause.
func Check(ctx context.Context, data []byte, main *bnav.Pack, opts *Options) (f *Fields, faults []error, err error) {
	c := checkup{}
	f, o := newFields(data, main, opts)
	r, ok := c.header(f, data)
	if !ok {
		return nil, c.faults, nil
	}
	sections := map[string]*pack.Reader{}
	complete := true
	for _, tag := range knownTags {
		if s, ok := pack.FindSection(f.Sections, tag); ok {
			sections[tag] = r.Section(s)
			continue
		}
		if slices.Contains(required, tag) {
			complete = false
			if !c.lost[tag] && !c.lost[""] {
				where := r.Where()
				where.Section = tag
				c.note(where.At(28, pack.ErrMissing, "section %s", tag))
			}
		}
	}
	if main.Grid == nil {
		c.note(r.Where().At(0, pack.ErrMissing, "section BGRD of the main pack %s: a sidecar has the fields of its records", main.Name))
		return nil, c.faults, nil
	}
	if c.note(f.landings(sections["FLNK"])) {
		f.Landings, f.LandingZones = nil, nil
	}
	if c.note(f.openings(sections["FOPN"])) {
		f.Openings, f.OpeningZones = nil, nil
	}
	if fcon := sections["FCON"]; fcon != nil {
		c.note(f.constants(fcon))
	}
	if !complete || c.note(f.zones(sections)) {
		return nil, c.faults, nil
	}
	_ = f.pair(sections["FZON"], func(fault error) error { // nil: none of the faults ends it
		c.note(fault)
		return nil
	})
	f.Extra = r.Extras(f.Sections, knownTags...)
	found := make([][2]error, len(f.Zones))
	err = pack.Parallel(ctx, o.Workers, len(f.Zones), func(_, i int) error {
		_, found[i][0] = f.Graphs(i)
		_, found[i][1] = f.Walls(i)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, z := range found {
		c.note(z[0])
		c.note(z[1])
	}
	return f, c.faults, nil
}

// CheckHeader is the part of [Check] that needs nothing of the main pack but
// its build hash and fingerprint: header, pairing and directory.
func CheckHeader(data []byte, main *bnav.Pack, opts *Options) (faults []error) {
	c := checkup{}
	f, _ := newFields(data, main, opts)
	c.header(f, data)
	return c.faults
}

// A checkup collects faults.
type checkup struct {
	faults []error
	lost   map[string]bool // tags of directory entries that cannot be used; "" for all
}

// note takes a fault and reports whether it was one.
func (c *checkup) note(fault error) bool {
	if fault != nil && len(c.faults) < pack.MaxFaults {
		c.faults = append(c.faults, fault)
	}
	return fault != nil
}

// header reads header and directory and reports whether the rest can be looked
// at.
func (c *checkup) header(f *Fields, data []byte) (*pack.Reader, bool) {
	r := pack.NewReader(pack.Where{File: f.Name, Section: "BNVF"}, data, 0)
	off, count := f.header(r)
	if c.note(r.Err()) {
		return nil, false
	}
	list, faults := r.CheckSections(off, count, knownTags...)
	f.Sections = list
	c.lost = map[string]bool{}
	for _, fault := range faults {
		c.note(fault.Err)
		c.lost[fault.Tag] = true
	}
	if len(faults) == 0 {
		end := *r
		checkEnd(&end, off, list)
		c.note(end.Err())
	}
	return r, true
}
