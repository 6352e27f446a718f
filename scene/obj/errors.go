package obj

import "fmt"

// SyntaxError says at which place of a file something is wrong.
type SyntaxError struct {
	File   string
	Line   int // from 1
	Column int // from 1, in bytes; 0 when the whole line is meant
	Msg    string
}

func (e *SyntaxError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("obj: %s:%d: %s", e.File, e.Line, e.Msg)
	}
	return fmt.Sprintf("obj: %s:%d:%d: %s", e.File, e.Line, e.Column, e.Msg)
}
