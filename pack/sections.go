package pack

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
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

// An Extra is a section that its format does not know: readers skip it. Our
// own stand in package annex.
type Extra struct {
	Tag  string // four printable ASCII bytes
	Data []byte
}

// validTag reports whether a tag is four printable ASCII bytes.
func validTag(tag string) bool {
	for i := range len(tag) {
		if tag[i] < ' ' || tag[i] > '~' {
			return false
		}
	}
	return len(tag) == 4
}

// ExtraSections returns extra sections for [AppendSections], sorted by tag.
// Tags that are not four printable bytes or one of known are ErrRange, a tag
// that occurs twice is ErrDuplicate.
func ExtraSections(list []Extra, known ...string) ([]SectionData, error) {
	out := make([]SectionData, 0, len(list))
	for _, e := range list {
		if !validTag(e.Tag) {
			return nil, fmt.Errorf("%w: tag %q of an extra section, want four printable bytes", ErrRange, e.Tag)
		}
		if slices.Contains(known, e.Tag) {
			return nil, fmt.Errorf("%w: tag %q of an extra section is one of the format", ErrRange, e.Tag)
		}
		out = append(out, SectionData{e.Tag, [][]byte{e.Data}})
	}
	slices.SortStableFunc(out, func(a, b SectionData) int { return strings.Compare(a.Tag, b.Tag) })
	for i := 1; i < len(out); i++ {
		if out[i].Tag == out[i-1].Tag {
			return nil, fmt.Errorf("%w: tag %q of an extra section", ErrDuplicate, out[i].Tag)
		}
	}
	return out, nil
}

// Extras returns copies of the sections of a directory that are not known,
// sorted by tag: of those with one tag the first, and none whose tag is not
// four printable bytes. The reader is over the whole file. Sections that share
// bytes share them in the copy too, so that it is never larger than the file.
// nil where there are none.
func (r *Reader) Extras(list []Section, known ...string) []Extra {
	var own []Section
	for _, s := range list {
		if _, twice := FindSection(own, s.Tag); validTag(s.Tag) && !slices.Contains(known, s.Tag) && !twice {
			own = append(own, s)
		}
	}
	if r.err != nil || len(own) == 0 {
		return nil
	}
	slices.SortFunc(own, func(a, b Section) int { return cmp.Or(cmp.Compare(a.Offset, b.Offset), strings.Compare(a.Tag, b.Tag)) })
	out := make([]Extra, 0, len(own))
	for i := 0; i < len(own); {
		// A run of sections each of which begins before the end of one ahead.
		end, n := own[i].Offset+own[i].Size, i+1
		for n < len(own) && own[n].Offset < end {
			end = max(end, own[n].Offset+own[n].Size)
			n++
		}
		first := own[i].Offset
		block := bytes.Clone(r.data[first:end])
		for ; i < n; i++ {
			at := own[i].Offset - first
			out = append(out, Extra{own[i].Tag, block[at : at+own[i].Size : at+own[i].Size]})
		}
	}
	slices.SortFunc(out, func(a, b Extra) int { return strings.Compare(a.Tag, b.Tag) })
	return out
}

// FindExtra returns the bytes of the extra section with the tag, not copied.
func FindExtra(list []Extra, tag string) ([]byte, bool) {
	for i := range list {
		if list[i].Tag == tag {
			return list[i].Data, true
		}
	}
	return nil, false
}
