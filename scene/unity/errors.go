package unity

import (
	"fmt"
	"strings"
)

// Error says what is wrong in a file and where.
type Error struct {
	File     string
	JSONPath string // for example "vertices[12].y"; "" for the document
	Offset   int64  // byte in File
	Msg      string
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("unity: " + e.File + ": ")
	if e.JSONPath != "" {
		b.WriteString(e.JSONPath + ": ")
	}
	fmt.Fprintf(&b, "%s (byte %d)", e.Msg, e.Offset)
	return b.String()
}
