// Package jsonscan walks a JSON text value by value and knows at every moment
// at which byte it is. Readers of level files use it where encoding/json
// would lose the offset or allocate for each number.
//
// It accepts exactly the grammar of RFC 8259, after an optional byte order
// mark.
package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"

	"wend/scene/internal/numtext"
)

// maxDepth bounds the nesting that Skip follows.
const maxDepth = 1000

// SyntaxError says what is wrong with the text and at which byte.
type SyntaxError struct {
	Offset int
	Msg    string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// Kind is the kind of a JSON value.
type Kind uint8

const (
	None Kind = iota // end of the text, or a byte that starts no value
	Object
	Array
	String
	Number
	Bool
	Null
)

var kindNames = [...]string{"nothing", "an object", "an array", "a string", "a number", "true or false", "null"}

// String returns the kind with its article.
func (k Kind) String() string { return kindNames[k] }

// BOM is the UTF-8 byte order mark.
var BOM = []byte("\xef\xbb\xbf")

// Scanner reads values in the order of the text.
type Scanner struct {
	data []byte
	pos  int
}

// New returns a scanner at the first value of data.
func New(data []byte) *Scanner {
	s := &Scanner{data: data}
	if bytes.HasPrefix(data, BOM) {
		s.pos = len(BOM)
	}
	return s
}

func (s *Scanner) fail(format string, args ...any) error {
	return &SyntaxError{Offset: s.pos, Msg: fmt.Sprintf(format, args...)}
}

func (s *Scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// Offset moves to the next value, comma or bracket and returns its offset.
func (s *Scanner) Offset() int {
	s.space()
	return s.pos
}

// Kind returns what the next value is by its first byte.
func (s *Scanner) Kind() Kind {
	s.space()
	if s.pos == len(s.data) {
		return None
	}
	switch c := s.data[s.pos]; {
	case c == '{':
		return Object
	case c == '[':
		return Array
	case c == '"':
		return String
	case c == '-' || c-'0' <= 9:
		return Number
	case c == 't' || c == 'f':
		return Bool
	case c == 'n':
		return Null
	}
	return None
}

// Found describes what stands at the scanner, for messages.
func (s *Scanner) Found() string {
	if k := s.Kind(); k != None {
		return k.String()
	}
	if s.pos == len(s.data) {
		return "the end of the file"
	}
	return fmt.Sprintf("%q", rune(s.data[s.pos]))
}

// Open enters an object ('{') or an array ('[').
func (s *Scanner) Open(bracket byte) error {
	s.space()
	if s.pos < len(s.data) && s.data[s.pos] == bracket {
		s.pos++
		return nil
	}
	want := Array
	if bracket == '{' {
		want = Object
	}
	return s.fail("found %s, want %s", s.Found(), want)
}

// More reports whether another member or element follows, and steps over the
// comma before it or the closing bracket. first says that none has been read.
func (s *Scanner) More(bracket byte, first bool) (bool, error) {
	s.space()
	if s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == bracket:
			s.pos++
			return false, nil
		case first:
			return true, nil
		case c == ',':
			s.pos++
			return true, nil
		}
	}
	if first {
		return true, nil // whatever reads the value will complain
	}
	return false, s.fail("found %s, want %q or %q", s.Found(), ',', rune(bracket))
}

// Key reads a member's name and the colon behind it.
func (s *Scanner) Key() (string, error) {
	k, err := s.Text()
	if err != nil {
		return "", err
	}
	s.space()
	if s.pos == len(s.data) || s.data[s.pos] != ':' {
		return "", s.fail("found %s, want ':' after %q", s.Found(), k)
	}
	s.pos++
	return k, nil
}

// Text reads a string.
func (s *Scanner) Text() (string, error) {
	start := s.Offset()
	escaped, err := s.skipString()
	if err != nil {
		return "", err
	}
	raw := s.data[start:s.pos]
	if !escaped {
		return string(raw[1 : len(raw)-1]), nil
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		s.pos = start
		return "", s.fail("bad escape in a string")
	}
	return text, nil
}

// skipString steps over a string and reports whether it has escapes.
func (s *Scanner) skipString() (escaped bool, err error) {
	if s.Kind() != String {
		return false, s.fail("found %s, want a string", s.Found())
	}
	for i := s.pos + 1; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			return escaped, nil
		case c == '\\':
			escaped = true
			i++
		case c < 0x20:
			s.pos = i
			return false, s.fail("control character 0x%02x in a string", c)
		}
	}
	return false, s.fail("string without an end")
}

// number returns the bytes of the next number.
func (s *Scanner) number() ([]byte, error) {
	s.space()
	d, i := s.data, s.pos
	digits := func() bool {
		from := i
		for i < len(d) && d[i]-'0' <= 9 {
			i++
		}
		return i > from
	}
	if i < len(d) && d[i] == '-' {
		i++
	}
	if i < len(d) && d[i] == '0' {
		i++
	} else if !digits() {
		return nil, s.fail("found %s, want a number", s.foundUnlessNumber())
	}
	if i < len(d) && d[i] == '.' {
		i++
		if !digits() {
			return nil, s.fail("number without digits behind the point")
		}
	}
	if i < len(d) && (d[i] == 'e' || d[i] == 'E') {
		i++
		if i < len(d) && (d[i] == '+' || d[i] == '-') {
			i++
		}
		if !digits() {
			return nil, s.fail("number without digits in the exponent")
		}
	}
	b := d[s.pos:i]
	s.pos = i
	return b, nil
}

func (s *Scanner) foundUnlessNumber() string {
	if s.Kind() == Number {
		return "a lone minus sign"
	}
	return s.Found()
}

// Float reads a number. One that a float64 cannot hold is an error.
func (s *Scanner) Float() (float64, error) {
	start := s.Offset()
	b, err := s.number()
	if err != nil {
		return 0, err
	}
	f, st := numtext.Float(b)
	if st != numtext.OK {
		s.pos = start
		return 0, s.fail("number %s is out of range", clip(b))
	}
	return f, nil
}

// Uint reads an integer of at most limit. Forms such as 3.0 and 1e2 count as
// integers.
func (s *Scanner) Uint(limit uint32) (uint32, error) {
	start := s.Offset()
	b, err := s.number()
	if err != nil {
		return 0, err
	}
	f, st := numtext.Float(b)
	if st == numtext.OK && f >= 0 && f <= float64(limit) {
		if n := uint32(f); float64(n) == f {
			return n, nil
		}
	}
	s.pos = start
	return 0, s.fail("%s is not an integer from 0 to %d", clip(b), limit)
}

// clip shortens what an error message repeats.
func clip(b []byte) string {
	const most = 40
	if len(b) > most {
		return string(b[:most]) + "..."
	}
	return string(b)
}

// Skip steps over the next value.
func (s *Scanner) Skip() error { return s.skip(0) }

func (s *Scanner) skip(depth int) error {
	if depth > maxDepth {
		return s.fail("nested deeper than %d", maxDepth)
	}
	switch s.Kind() {
	case Object, Array:
		open := s.data[s.pos]
		bracket := open + 2 // '{' and '}', '[' and ']' are two apart
		s.pos++
		for first := true; ; first = false {
			more, err := s.More(bracket, first)
			if err != nil || !more {
				return err
			}
			if open == '{' {
				if _, err := s.Key(); err != nil {
					return err
				}
			}
			if err := s.skip(depth + 1); err != nil {
				return err
			}
		}
	case String:
		_, err := s.skipString()
		return err
	case Number:
		_, err := s.number()
		return err
	case Bool, Null:
		for _, word := range []string{"true", "false", "null"} {
			if bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
				s.pos += len(word)
				return nil
			}
		}
		return s.fail("found %q, want a value", clip(s.data[s.pos:min(len(s.data), s.pos+8)]))
	}
	return s.fail("found %s, want a value", s.Found())
}

// End checks that nothing but white space is left.
func (s *Scanner) End() error {
	s.space()
	if s.pos < len(s.data) {
		return s.fail("found %s after the end of the value", s.Found())
	}
	return nil
}
