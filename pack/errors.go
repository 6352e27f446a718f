package pack

import (
	"errors"
	"fmt"
	"strings"
)

// kind is a sentinel with a name that reports can show.
type kind struct {
	name, text string
	parent     error // a wider sentinel, or nil
}

func (k *kind) Error() string { return k.text }
func (k *kind) Unwrap() error { return k.parent }

// Sentinels to branch on with errors.Is. Every error of a reader wraps exactly
// one of them; ErrHash wraps ErrChecksum, and so do an ErrGzip or ErrZlib whose
// cause is a wrong checksum.
var (
	// ErrChecksum: bytes do not match a stored checksum or hash.
	ErrChecksum error = &kind{"ErrChecksum", "checksum mismatch", nil}
	// ErrOpen and ErrRead: the file system refused.
	ErrOpen error = &kind{"ErrOpen", "cannot open", nil}
	ErrRead error = &kind{"ErrRead", "cannot read", nil}
	// ErrGzip: the outer container is not valid gzip.
	ErrGzip error = &kind{"ErrGzip", "bad gzip container", nil}
	// ErrMagic: four magic bytes are not those of the format.
	ErrMagic error = &kind{"ErrMagic", "wrong magic", nil}
	// ErrVersion: a version or record length this reader does not know.
	ErrVersion error = &kind{"ErrVersion", "unsupported version", nil}
	// ErrTruncated: a structure needs more bytes than its container has.
	ErrTruncated error = &kind{"ErrTruncated", "truncated", nil}
	// ErrBounds: an offset and size outside their container.
	ErrBounds error = &kind{"ErrBounds", "outside its container", nil}
	// ErrVarint: a number of more than 64 bits.
	ErrVarint error = &kind{"ErrVarint", "varint overflow", nil}
	// ErrZlib: a stream is not valid zlib.
	ErrZlib error = &kind{"ErrZlib", "bad zlib stream", nil}
	// ErrTrailing: bytes are left over where a container must be used up.
	ErrTrailing error = &kind{"ErrTrailing", "bytes left over", nil}
	// ErrCount: two counts that must agree do not.
	ErrCount error = &kind{"ErrCount", "counts disagree", nil}
	// ErrRange: a value outside its range.
	ErrRange error = &kind{"ErrRange", "value out of range", nil}
	// ErrOrder: a table that must be sorted is not.
	ErrOrder error = &kind{"ErrOrder", "not sorted", nil}
	// ErrDuplicate: an id or tag that must be unique repeats.
	ErrDuplicate error = &kind{"ErrDuplicate", "duplicate", nil}
	// ErrNonFinite: NaN or an infinity.
	ErrNonFinite error = &kind{"ErrNonFinite", "not a finite number", nil}
	// ErrLimit: a declared count cannot be real, or a memory limit is reached.
	ErrLimit error = &kind{"ErrLimit", "over the limit", nil}
	// ErrHash: the stored build hash is not that of the content.
	ErrHash error = &kind{"ErrHash", "build hash mismatch", ErrChecksum}
	// ErrMissing: a required section or a wanted zone is absent.
	ErrMissing error = &kind{"ErrMissing", "missing", nil}
	// ErrPairing: a side pack does not belong to this main pack.
	ErrPairing error = &kind{"ErrPairing", "packs do not belong together", nil}
	// ErrRules: a pack was made with other constants than those in force.
	ErrRules error = &kind{"ErrRules", "other rules", nil}
	// ErrRecompute: a value is not the one that the pack's own geometry gives.
	ErrRecompute error = &kind{"ErrRecompute", "not what the geometry gives", nil}
)

// Kind returns the name of the sentinel that err wraps, such as "ErrRange", or
// "" where it wraps none.
func Kind(err error) string {
	var k *kind
	if errors.As(err, &k) {
		return k.name
	}
	return ""
}

// A FormatError says what is wrong with a pack and where.
type FormatError struct {
	File    string // file name, or the format ("BNAV") where bytes have no name
	Section string // tag of the section; the format's own tag for its header and directory
	Zone    string // zone name, or ""
	Item    string // such as "tile 3, stream 5", or ""
	Offset  int64  // byte offset in the decompressed file
	Raw     int64  // byte offset inside the inflated stream that starts at Offset, or -1
	Err     error  // wraps a sentinel; its text has the value and what would be right
}

// Error gives all parts in one line.
func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("pack: ")
	b.WriteString(e.File)
	if e.Section != "" && e.Section != e.File {
		b.WriteString(": section ")
		b.WriteString(e.Section)
	}
	if e.Zone != "" {
		fmt.Fprintf(&b, ", zone %q", e.Zone)
	}
	if e.Item != "" {
		b.WriteString(", ")
		b.WriteString(e.Item)
	}
	fmt.Fprintf(&b, ", byte %d", e.Offset)
	if e.Raw >= 0 {
		fmt.Fprintf(&b, " (inflated byte %d)", e.Raw)
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns Err.
func (e *FormatError) Unwrap() error { return e.Err }

// Where names a place for errors. The zero value names nothing.
type Where struct {
	File, Section, Zone string

	parts [3]part
	n     int
}

type part struct {
	name string
	i    int
}

// In returns w with a numbered part added, as in w.In("tile", 3). At most
// three parts are kept.
func (w Where) In(name string, i int) Where {
	if w.n < len(w.parts) {
		w.parts[w.n] = part{name, i}
		w.n++
	}
	return w
}

// At returns an error at a byte offset of the decompressed file. sentinel is
// one of this package's; format and args tell the value and the limit.
func (w Where) At(offset int64, sentinel error, format string, args ...any) *FormatError {
	return w.make(offset, -1, fmt.Errorf("%w: "+format, append([]any{sentinel}, args...)...))
}

// Wrap returns an error at a byte offset with a cause that wraps a sentinel
// already.
func (w Where) Wrap(offset int64, cause error) *FormatError { return w.make(offset, -1, cause) }

func (w Where) make(offset, raw int64, err error) *FormatError {
	var items []string
	for _, p := range w.parts[:w.n] {
		items = append(items, fmt.Sprintf("%s %d", p.name, p.i))
	}
	return &FormatError{w.File, w.Section, w.Zone, strings.Join(items, ", "), offset, raw, err}
}
