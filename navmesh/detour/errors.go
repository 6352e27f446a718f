package detour

import (
	"errors"
	"fmt"
	"strings"
)

// What can be wrong with a file. Every error of Read wraps one of them.
var (
	ErrTruncated = errors.New("file ends too early")
	ErrMagic     = errors.New("not a navmesh set")
	ErrVersion   = errors.New("unsupported version")
	ErrByteOrder = errors.New("big-endian file")
	ErrCorrupt   = errors.New("contents contradict each other")
)

// ErrLimit is wrapped by the error of Write for a mesh that the format's 32-bit
// references cannot number.
var ErrLimit = errors.New("too large for the format")

// FormatError says where in a file the fault is.
type FormatError struct {
	File    string // the name given to Read
	Section string // for example "tile 3: polygons"
	Offset  int64  // bytes from the start of the file to the section
	Err     error
}

func (e *FormatError) Error() string {
	var b strings.Builder
	b.WriteString("detour: ")
	if e.File != "" {
		b.WriteString(e.File + ": ")
	}
	fmt.Fprintf(&b, "%s at byte %d: %v", e.Section, e.Offset, e.Err)
	return b.String()
}

// Unwrap returns Err.
func (e *FormatError) Unwrap() error { return e.Err }
