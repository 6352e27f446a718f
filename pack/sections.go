package pack

import (
	"encoding/binary"
	"math"
	"slices"
)

// SectionEntryLen is the length of an entry of a section directory.
const SectionEntryLen = 24

// A Section is an entry of a section directory: tag, then flags without a
// known meaning, then the place in the decompressed file.
type Section struct {
	Tag          string // four bytes, ASCII in all known sections
	Flags        uint32
	Offset, Size uint64
}

// Sections reads the directory of count entries at offset off of the reader's
// bytes, without moving. Each section lies inside these bytes (ErrBounds). A
// tag of known that occurs twice is ErrDuplicate; others are kept as they are.
// A directory without entries is not looked for.
func (r *Reader) Sections(off uint64, count uint32, known ...string) []Section {
	list, faults := r.sections(off, count, 1, known)
	if len(faults) > 0 {
		r.FailWith(faults[0].Err)
		return nil
	}
	return list
}

// A SectionFault is an entry of a section directory that cannot be used.
type SectionFault struct {
	Tag string // "" where the directory as a whole is at fault
	Err error  // a *FormatError
}

// MaxFaults is the most faults that one step of a check reports.
const MaxFaults = 1000

// CheckSections is [Reader.Sections] for somebody who wants to know all
// faults: it returns the entries that are right, and those that are not, at
// most [MaxFaults] of them. It neither looks at the reader's error nor sets it.
func (r *Reader) CheckSections(off uint64, count uint32, known ...string) ([]Section, []SectionFault) {
	fresh := *r
	fresh.err = nil
	return fresh.sections(off, count, MaxFaults, known)
}

// sections reads a directory until it has found most faults.
func (r *Reader) sections(off uint64, count uint32, most int, known []string) (list []Section, faults []SectionFault) {
	if count == 0 || r.err != nil {
		return nil, nil
	}
	dir := r.Sub(r.where, off, uint64(count)*SectionEntryLen, "section directory")
	if dir.err != nil {
		return nil, []SectionFault{{"", dir.err}}
	}
	total := uint64(len(r.data))
	list = make([]Section, 0, count)
	for i := range int(count) {
		pos := dir.pos
		s := Section{Tag: string(dir.Bytes(4)), Flags: dir.U32(), Offset: dir.U64(), Size: dir.U64()}
		if s.Offset > total || s.Size > total-s.Offset {
			dir.FailAt(pos+8, ErrBounds, "entry %d (%q): offset %d and size %d in a file of %d bytes", i, s.Tag, s.Offset, s.Size, total)
		} else if slices.Contains(known, s.Tag) {
			if _, twice := FindSection(list, s.Tag); twice {
				dir.FailAt(pos, ErrDuplicate, "entry %d: tag %q for the second time", i, s.Tag)
			}
		}
		if dir.err == nil {
			list = append(list, s)
			continue
		}
		faults = append(faults, SectionFault{s.Tag, dir.err})
		if len(faults) >= most {
			break
		}
		dir.err = nil
	}
	return list, faults
}

// FindSection returns the first entry with the tag.
func FindSection(list []Section, tag string) (Section, bool) {
	for _, s := range list {
		if s.Tag == tag {
			return s, true
		}
	}
	return Section{}, false
}

// Section returns a reader over one section of the file the reader is over.
func (r *Reader) Section(s Section) *Reader {
	w := r.where
	w.Section = s.Tag
	return r.Sub(w, s.Offset, s.Size, "section "+s.Tag)
}

// SectionData is a section to write. Its data are the concatenation of the
// pieces.
type SectionData struct {
	Tag    string // four bytes
	Pieces [][]byte
}

// AppendSections appends a directory and the sections behind it, without
// gaps. dst holds the file so far: offsets count from its first byte.
func AppendSections(dst []byte, list []SectionData) []byte {
	off := uint64(len(dst)) + SectionEntryLen*uint64(len(list))
	for _, s := range list {
		size := uint64(0)
		for _, p := range s.Pieces {
			size += uint64(len(p))
		}
		dst = append(dst, s.Tag[:4]...)
		dst = binary.LittleEndian.AppendUint32(dst, 0)
		dst = binary.LittleEndian.AppendUint64(dst, off)
		dst = binary.LittleEndian.AppendUint64(dst, size)
		off += size
	}
	if off < math.MaxInt {
		dst = slices.Grow(dst, int(off)-len(dst))
	}
	for _, s := range list {
		for _, p := range s.Pieces {
			dst = append(dst, p...)
		}
	}
	return dst
}
