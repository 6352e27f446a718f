package obj

import (
	"bytes"
	"errors"
	"io"
)

const (
	// maxLine bounds a statement with its continuation lines, in bytes.
	maxLine   = 1 << 20
	firstRead = 64 << 10
)

var errLongLine = errors.New("line too long")

// lines cuts a stream into lines. A line ends at LF, CR LF or CR; the last
// one may end with the stream.
type lines struct {
	r   io.Reader
	buf []byte
	pos int // start of the next line
	end int // end of what is buffered
	lf  int // first LF at or after pos, end when there is none
	cr  int // first CR likewise
	num int // number of the line that next returned last
	eof bool
	// afterCR says that the last line ended in CR, so that an LF coming next
	// still belongs to it.
	afterCR bool
}

func newLines(r io.Reader) *lines { return &lines{r: r, buf: make([]byte, firstRead)} }

// next returns the next line without its end; it is valid until the next
// call. The error after the last line is io.EOF.
func (l *lines) next() ([]byte, error) {
	for {
		if l.afterCR && l.pos < l.end {
			l.afterCR = false
			if l.buf[l.pos] == '\n' {
				l.pos++
				l.find(l.pos)
			}
		}
		if stop := min(l.lf, l.cr); stop < l.end {
			line := l.buf[l.pos:stop]
			l.afterCR = l.buf[stop] == '\r'
			l.pos = stop + 1
			l.find(l.pos)
			return l.give(line)
		}
		if l.eof {
			if l.pos == l.end {
				return nil, io.EOF
			}
			line := l.buf[l.pos:l.end]
			l.pos = l.end
			l.find(l.end)
			return l.give(line)
		}
		if err := l.fill(); err != nil {
			l.num++
			return nil, err
		}
	}
}

// give counts a line and refuses it when it is too long.
func (l *lines) give(line []byte) ([]byte, error) {
	l.num++
	if len(line) > maxLine {
		return nil, errLongLine
	}
	return line, nil
}

// find brings lf and cr up to date for a line that starts at from.
func (l *lines) find(from int) {
	if l.lf < from {
		l.lf = l.indexByte(from, '\n')
	}
	if l.cr < from {
		l.cr = l.indexByte(from, '\r')
	}
}

func (l *lines) indexByte(from int, c byte) int {
	if i := bytes.IndexByte(l.buf[from:l.end], c); i >= 0 {
		return from + i
	}
	return l.end
}

// fill reads more behind what is buffered, moving it to the front first.
func (l *lines) fill() error {
	if l.pos > 0 {
		copy(l.buf, l.buf[l.pos:l.end])
		l.end -= l.pos
		l.lf -= l.pos
		l.cr -= l.pos
		l.pos = 0
	}
	if l.end == len(l.buf) {
		if l.end > maxLine {
			return errLongLine
		}
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	const patience = 100 // reads without data or error before giving up
	for range patience {
		n, err := l.r.Read(l.buf[l.end:])
		if n < 0 || n > len(l.buf)-l.end {
			return errors.New("reader returned an impossible count")
		}
		old := l.end
		l.end += n
		if l.lf == old {
			l.lf = l.indexByte(old, '\n')
		}
		if l.cr == old {
			l.cr = l.indexByte(old, '\r')
		}
		if err == io.EOF {
			l.eof = true
			return nil
		}
		if err != nil {
			return err
		}
		if n > 0 {
			return nil
		}
	}
	return io.ErrNoProgress
}
