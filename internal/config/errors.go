package config

import (
	"fmt"
	"slices"
	"strings"
)

// A Fault is one mistake in a file.
type Fault struct {
	File      string
	Line, Col int // counted from 1; 0: the file as a whole
	Msg       string
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return f.File + ": " + f.Msg
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Col, f.Msg)
}

// Faults are all the mistakes found in one file, in the order of the file.
type Faults []*Fault

func (fs Faults) Error() string {
	const most = 10
	var b strings.Builder
	for i, f := range fs {
		if i == most {
			fmt.Fprintf(&b, "\n%s: and %d more", f.File, len(fs)-most)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(f.Error())
	}
	return b.String()
}

// Unwrap gives errors.As and errors.Is each fault.
func (fs Faults) Unwrap() []error {
	errs := make([]error, len(fs))
	for i, f := range fs {
		errs[i] = f
	}
	return errs
}

func (fs Faults) sorted() Faults {
	slices.SortStableFunc(fs, func(a, b *Fault) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Col - b.Col
	})
	return fs
}
