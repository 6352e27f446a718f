package annex

import (
	"encoding/binary"

	"wend/pack"
	"wend/pack/bnav"
)

// MaxReport is the most bytes of a report, before it is compressed.
const MaxReport = 16 << 20

// EncodeReport returns the section WRPT: a document, commonly JSON, that is not
// looked into. It must not hold what differs from bake to bake, such as times,
// or packs of the same input differ.
func EncodeReport(doc []byte) (pack.Extra, error) {
	if len(doc) > MaxReport {
		return pack.Extra{}, fault(TagReport, pack.ErrLimit, "report of %d bytes, want at most %d", len(doc), MaxReport)
	}
	d, err := pack.NewDeflater(pack.DefaultLevel)
	if err != nil {
		return pack.Extra{}, err
	}
	out := binary.LittleEndian.AppendUint32(appendHeader(nil, TagReport), uint32(len(doc)))
	return pack.Extra{Tag: TagReport, Data: d.AppendStream(out, doc)}, nil
}

// ReadReport returns the report of a main pack, nil where it has none, and
// empty but not nil where it is empty.
func ReadReport(p *bnav.Pack) ([]byte, error) {
	r := open(p.Name, TagReport, p.Extra, p.Sections)
	if r == nil {
		return nil, nil
	}
	doc := parseReport(r)
	return doc, r.Err()
}

func parseReport(r *pack.Reader) []byte {
	readHeader(r, TagReport)
	n := r.U32()
	if r.Err() == nil && n > MaxReport {
		r.FailAt(8, pack.ErrLimit, "report of %d bytes, want at most %d", n, MaxReport)
	}
	var inf pack.Inflater
	doc := r.Stream(&inf, []byte{}, uint64(n))
	if r.Err() == nil && len(doc) != int(n) {
		r.FailAt(8, pack.ErrCount, "report of %d bytes, the header says %d", len(doc), n)
	}
	if r.Done() != nil {
		return nil
	}
	return doc
}
