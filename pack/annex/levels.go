package annex

import (
	"fmt"
	"math"
	"unicode/utf8"

	"wend/pack"
	"wend/pack/bnav"
)

// MaxLevels is the most bytes that the names of a pack may have, before they
// are compressed.
const MaxLevels = 16 << 20

// Levels says what the zones of a pack were made of.
type Levels struct {
	Frame Frame
	Zones []ZoneLevels // ascending by id
}

// Frame is the world frame of the level files as they were read. Packs
// themselves are in metres with Y up.
type Frame struct {
	Up    string  // axis that points up, such as "y"
	Unit  string  // name of the unit of length, such as "cm"
	Scale float64 // metres a unit; > 0
}

// ZoneLevels names the sources of a zone. A name has 1 to pack.MaxName bytes
// of UTF-8 without NUL; order and repetitions are kept.
type ZoneLevels struct {
	ID    uint16   // of the zone in the pack's table
	Files []string // level files, without folders
	Parts []string // names of the storeys or parts of them that matter
}

func badName(s string, least int) string {
	if len(s) < least || len(s) > pack.MaxName {
		return fmt.Sprintf("name of %d bytes, want %d to %d", len(s), least, pack.MaxName)
	}
	for i := range len(s) {
		if s[i] == 0 {
			return fmt.Sprintf("name %q contains NUL", s)
		}
	}
	if !utf8.ValidString(s) {
		return fmt.Sprintf("name %q is not UTF-8", s)
	}
	return ""
}

// EncodeLevels returns the section WLVL.
func EncodeLevels(l *Levels) (pack.Extra, error) {
	f := l.Frame
	if !(f.Scale > 0 && f.Scale <= math.MaxFloat64) {
		return pack.Extra{}, fault(TagLevels, pack.ErrRange, "scale %v, want more than 0", f.Scale)
	}
	var raw []byte
	for _, s := range []string{f.Up, f.Unit} {
		if what := badName(s, 0); what != "" {
			return pack.Extra{}, fault(TagLevels, pack.ErrRange, "frame: %s", what)
		}
		raw = append(pack.AppendUvarint(raw, uint64(len(s))), s...)
	}
	raw = pack.AppendF64(raw, f.Scale)
	raw = pack.AppendUvarint(raw, uint64(len(l.Zones)))
	for i := range l.Zones {
		z := &l.Zones[i]
		if i > 0 && z.ID <= l.Zones[i-1].ID {
			return pack.Extra{}, fault(TagLevels, pack.ErrOrder, "zone id %d after %d", z.ID, l.Zones[i-1].ID)
		}
		raw = pack.AppendUvarint(raw, uint64(z.ID))
		for _, list := range [][]string{z.Files, z.Parts} {
			raw = pack.AppendUvarint(raw, uint64(len(list)))
			for _, s := range list {
				if what := badName(s, 1); what != "" {
					return pack.Extra{}, fault(TagLevels, pack.ErrRange, "zone id %d: %s", z.ID, what)
				}
				raw = append(pack.AppendUvarint(raw, uint64(len(s))), s...)
			}
		}
	}
	if len(raw) > MaxLevels {
		return pack.Extra{}, fault(TagLevels, pack.ErrLimit, "%d bytes of names, want at most %d", len(raw), MaxLevels)
	}
	d, err := pack.NewDeflater(pack.DefaultLevel)
	if err != nil {
		return pack.Extra{}, err
	}
	return pack.Extra{Tag: TagLevels, Data: d.AppendStream(appendHeader(nil, TagLevels), raw)}, nil
}

// ReadLevels returns the levels of a main pack, nil where it has none. Zones
// that are not in the pack's table are pack.ErrPairing.
func ReadLevels(p *bnav.Pack) (*Levels, error) {
	r := open(p.Name, TagLevels, p.Extra, p.Sections)
	if r == nil {
		return nil, nil
	}
	l := parseLevels(r)
	if r.Err() != nil {
		return nil, r.Err()
	}
	for i := range l.Zones {
		if err := pairZone(r, p, l.Zones[i].ID); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// pairZone returns an error unless a zone of a section is one of the pack.
func pairZone(r *pack.Reader, p *bnav.Pack, id uint16) error {
	for i := range p.Table {
		if p.Table[i].ID == id {
			return nil
		}
	}
	return r.Where().At(r.Offset()-int64(r.Pos()), pack.ErrPairing, "zone id %d is not one of the pack", id)
}

func parseLevels(r *pack.Reader) *Levels {
	l := &Levels{}
	readHeader(r, TagLevels)
	offset := r.Offset()
	var inf pack.Inflater
	raw := r.Stream(&inf, nil, MaxLevels)
	r.Done()
	if r.Err() != nil {
		return l
	}
	s := pack.NewRawReader(r.Where(), raw, offset)
	l.Frame = Frame{Up: readName(s, 0), Unit: readName(s, 0), Scale: s.F64()}
	if s.Err() == nil && !(l.Frame.Scale > 0) {
		s.FailAt(s.Pos()-8, pack.ErrRange, "scale %v, want more than 0", l.Frame.Scale)
	}
	count := s.Uvarint()
	if s.Items(count, 3, "zones") && count > 0 {
		l.Zones = make([]ZoneLevels, 0, count)
	}
	for i := 0; uint64(i) < count && s.Err() == nil; i++ {
		pos := s.Pos()
		id := s.Uvarint()
		if id > math.MaxUint16 {
			s.FailAt(pos, pack.ErrRange, "zone id %d, want at most %d", id, math.MaxUint16)
		} else if s.Err() == nil && i > 0 && uint16(id) <= l.Zones[i-1].ID {
			s.FailAt(pos, pack.ErrOrder, "zone id %d after %d", id, l.Zones[i-1].ID)
		}
		l.Zones = append(l.Zones, ZoneLevels{uint16(id), readNames(s), readNames(s)})
	}
	s.Done()
	r.FailWith(s.Err())
	return l
}

func readNames(s *pack.Reader) []string {
	count := s.Uvarint()
	if !s.Items(count, 2, "names") || count == 0 {
		return nil
	}
	list := make([]string, count)
	for i := range list {
		if list[i] = readName(s, 1); s.Err() != nil {
			return nil
		}
	}
	return list
}

// readName reads a name of at least least bytes.
func readName(s *pack.Reader, least uint64) string {
	pos := s.Pos()
	n := s.Uvarint()
	if n == 0 && least == 0 {
		return ""
	}
	if n > pack.MaxName {
		s.FailAt(pos, pack.ErrLimit, "name of %d bytes, want at most %d", n, pack.MaxName)
		return ""
	}
	return s.Name(uint32(n))
}
