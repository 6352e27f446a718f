package obj

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sort"

	"wend/scene/internal/jsonscan"
)

// statement is one logical line: a line with the continuation lines that
// follow it, joined by blanks.
type statement struct {
	text []byte
	// Where each joined line starts in text; the first starts at 0.
	starts []int
	line   int // number of the first line
}

// reader yields statements.
type reader struct {
	file   string
	lines  *lines
	joined []byte // backing of statements that were joined
	st     statement
}

func newReader(r io.Reader, file string) *reader {
	return &reader{file: file, lines: newLines(r)}
}

// next reads the next statement into r.st. The error after the last is
// io.EOF.
func (r *reader) next() error {
	line, err := r.physical()
	if err != nil {
		return err
	}
	r.st.line = r.lines.num
	r.st.starts = append(r.st.starts[:0], 0)
	r.st.text = line
	if !continues(line) {
		return nil
	}
	r.joined = r.joined[:0]
	for continues(line) {
		line = bytes.TrimRight(line, " \t")
		r.joined = append(r.joined, line...)
		r.joined[len(r.joined)-1] = ' ' // in place of the backslash
		if len(r.joined) > maxLine {
			return r.failLine("statement longer than %d bytes", maxLine)
		}
		line, err = r.physical()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		r.st.starts = append(r.st.starts, len(r.joined))
	}
	r.joined = append(r.joined, line...)
	r.st.text = r.joined
	return nil
}

// physical reads one line, without the byte order mark of the first.
func (r *reader) physical() ([]byte, error) {
	line, err := r.lines.next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, err
	case errors.Is(err, errLongLine):
		return nil, r.failLine("line longer than %d bytes", maxLine)
	case err != nil:
		return nil, fmt.Errorf("obj: %s: reading line %d: %w", r.file, r.lines.num, err)
	}
	if r.lines.num == 1 {
		line = bytes.TrimPrefix(line, jsonscan.BOM)
	}
	return line, nil
}

// continues reports whether the statement goes on in the next line: the last
// thing but blanks is a backslash, and not in a comment line.
func continues(line []byte) bool {
	if len(line) == 0 || line[0] == '#' {
		return false
	}
	last := len(line) - 1
	if line[last] != '\\' {
		if line[last] != ' ' && line[last] != '\t' {
			return false
		}
		line = bytes.TrimRight(line, " \t")
		last = len(line) - 1
	}
	return last >= 0 && line[last] == '\\'
}

// fail makes the error for a place in the text of the current statement.
func (r *reader) fail(at int, format string, args ...any) error {
	line, column := r.place(at)
	return &SyntaxError{File: r.file, Line: line, Column: column, Msg: fmt.Sprintf(format, args...)}
}

// failLine makes the error for the line that was read last, as a whole.
func (r *reader) failLine(format string, args ...any) error {
	return &SyntaxError{File: r.file, Line: r.lines.num, Msg: fmt.Sprintf(format, args...)}
}

// place returns the line and column of an offset in the current statement.
func (r *reader) place(at int) (line, column int) {
	k := sort.SearchInts(r.st.starts, at+1) - 1 // the last start <= at
	return r.st.line + k, at - r.st.starts[k] + 1
}

// token returns the bounds of the next word of text at or after i; start ==
// end means there is none. A '#' at the start of a word begins a comment.
func token(text []byte, i int) (start, end int) {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i == len(text) || text[i] == '#' {
		return i, i
	}
	start = i
	for i < len(text) && text[i] != ' ' && text[i] != '\t' {
		i++
	}
	return start, i
}

// rest returns what follows i as one name: without blanks around it and
// without a comment that a blank sets off.
func rest(text []byte, i int) string {
	from, _ := token(text, i)
	end := from
	for at := from; ; {
		start, stop := token(text, at)
		if start == stop {
			return string(text[from:end])
		}
		at, end = stop, stop
	}
}
