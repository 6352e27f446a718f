package jsonscan

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestSkipAgreesWithEncodingJSON(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `[1,2,3]`, `{"a":[{"b":null},true,false,"x\"y\\"]}`, ` 1 `, `-0.5e-7`, `0`, `01`, `1.`, `.5`, `-`, `1e`, `+1`,
		`[1,]`, `{"a":1,}`, `{"a"}`, `{a:1}`, `{"a":}`, `[1 2]`, `tru`, `nul`, `truex`, `"abc`, "\"a\nb\"", `[`, `{`, `]`, ``, ` `, `[[[[]]]]`,
		`"\u12"`, `[1],2`, `{"a":1}}`, "[1]\x00", `nan`, `Infinity`, `'a'`, `{"a":1 "b":2}`, `[,1]`, `{,}`,
	} {
		s := New([]byte(text))
		err := s.Skip()
		if err == nil {
			err = s.End()
		}
		// Escapes inside a value that is stepped over are not looked at.
		if want := json.Valid([]byte(text)); (err == nil) != want && text != `"\u12"` {
			t.Errorf("%q: error %v, encoding/json says valid = %v", text, err, want)
		}
	}
}

func TestDepthIsBounded(t *testing.T) {
	s := New([]byte(strings.Repeat("[", 1_000_000)))
	if err := s.Skip(); err == nil || !strings.Contains(err.Error(), "nested deeper") {
		t.Errorf("got %v, want an error about nesting", err)
	}
}

func TestByteOrderMark(t *testing.T) {
	s := New([]byte("\xef\xbb\xbf[7]"))
	if got := s.Offset(); got != 3 {
		t.Errorf("first value at %d, want 3", got)
	}
}

func TestUint(t *testing.T) {
	for text, want := range map[string]uint32{"0": 0, "7": 7, "3.0": 3, "1e2": 100, "255": 255} {
		if got, err := New([]byte(text)).Uint(255); err != nil || got != want {
			t.Errorf("Uint(%s) = %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"-1", "256", "1.5", "1e400", "\"1\"", "null", "4294967296"} {
		if got, err := New([]byte(text)).Uint(255); err == nil {
			t.Errorf("Uint(%s) = %d, want an error", text, got)
		}
	}
}

const doc = `{"a": [10, {"b": "x"}, [1, 2]], "c": {"d": {"e": true}}}`

func TestFind(t *testing.T) {
	for path, want := range map[string]string{
		"":        `{"a"`,
		"a":       `[10,`,
		"a[0]":    `10,`,
		"a[1].b":  `"x"`,
		"a[2][1]": `2]]`,
		"c.d.e":   `true`,
		"c.d.x":   `{"e"`, // not there: the object it would be in
		"a[9]":    `[10,`,
		"a[1]b[":  `"x"`,
	} {
		if got := doc[Find([]byte(doc), path):]; !strings.HasPrefix(got, want) {
			t.Errorf("Find(%q) is at %.10q, want at %q", path, got, want)
		}
	}
}

func TestPathAt(t *testing.T) {
	for mark, want := range map[string]string{
		`10,`:     "a[0]",
		`"x"`:     "a[1].b",
		`2]]`:     "a[2][1]",
		`true`:    "c.d.e",
		`{"a": [`: "", // no member's value has begun
	} {
		if got := PathAt([]byte(doc), strings.Index(doc, mark)+1); got != want {
			t.Errorf("PathAt(%q) = %q, want %q", mark, got, want)
		}
	}
	if got := PathAt([]byte(`{"a":[1,}`), 8); got != "a" {
		t.Errorf("PathAt in broken text = %q, want a", got)
	}
}

func FuzzSkip(f *testing.F) {
	f.Add([]byte(doc), "a[1].b", 12)
	f.Add([]byte(`[1,2`), "[0]", 3)
	f.Fuzz(func(t *testing.T, data []byte, path string, offset int) {
		s := New(data)
		err := s.Skip()
		if err == nil {
			err = s.End()
		}
		if err != nil && json.Valid(data) && !strings.Contains(err.Error(), "nested deeper") {
			t.Errorf("%q is refused: %v", data, err)
		}
		if at := Find(data, path); at < 0 || at > len(data) {
			t.Errorf("Find gives %d in %d bytes", at, len(data))
		}
		PathAt(data, offset)
	})
}
