package pack

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestExtraSections(t *testing.T) {
	list, err := ExtraSections([]Extra{{"WZZZ", []byte("z")}, {"A~ 1", nil}, {"WAAA", []byte("a")}}, "BGEO")
	if err != nil {
		t.Fatal(err)
	}
	file := AppendSections([]byte("head"), append([]SectionData{{"BGEO", [][]byte{{1, 2}}}}, list...))
	r := NewReader(Where{File: "f"}, file, 0)
	dir := r.Sections(4, 4, "BGEO")
	got := r.Extras(dir, "BGEO")
	want := []Extra{{"A~ 1", []byte{}}, {"WAAA", []byte("a")}, {"WZZZ", []byte("z")}}
	if diff := cmp.Diff(want, got); diff != "" || r.Err() != nil {
		t.Errorf("%v (-want +got):\n%s", r.Err(), diff)
	}
	if data, ok := FindExtra(got, "WZZZ"); !ok || string(data) != "z" {
		t.Errorf("WZZZ: %q, %v", data, ok)
	}
	if _, ok := FindExtra(got, "BGEO"); ok {
		t.Error("a section of the format is among the extra ones")
	}
	for _, tc := range []struct {
		list []Extra
		want error
	}{
		{[]Extra{{"BGEO", nil}}, ErrRange},
		{[]Extra{{"W\x7fAA", nil}}, ErrRange},
		{[]Extra{{"WAA", nil}}, ErrRange},
		{[]Extra{{"WAAAA", nil}}, ErrRange},
		{[]Extra{{"", nil}}, ErrRange},
		{[]Extra{{"WAAA", nil}, {"WBBB", nil}, {"WAAA", []byte{1}}}, ErrDuplicate},
	} {
		if _, err := ExtraSections(tc.list, "BGEO"); !errors.Is(err, tc.want) {
			t.Errorf("%q: %v, want %v", tc.list, err, tc.want)
		}
	}
}

// Sections may share bytes, repeat tags and have tags that are no text. What
// is kept is never longer than the file.
func TestExtrasOfOddDirectories(t *testing.T) {
	file := []byte("0123456789")
	dir := []Section{
		{Tag: "late", Offset: 6, Size: 4}, {Tag: "most", Offset: 1, Size: 7}, {Tag: "none", Offset: 10},
		{Tag: "part", Offset: 2, Size: 2}, {Tag: "part", Offset: 0, Size: 10}, {Tag: "\x00ab\xff", Offset: 0, Size: 10},
		{Tag: "BGEO", Offset: 0, Size: 10},
	}
	r := NewReader(Where{}, file, 0)
	got := r.Extras(dir, "BGEO")
	want := []Extra{{"late", []byte("6789")}, {"most", []byte("1234567")}, {"none", []byte{}}, {"part", []byte("23")}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	file[3] = 'X'
	if string(got[3].Data) != "23" || &got[1].Data[1] != &got[3].Data[0] {
		t.Error("not a copy, or shared bytes were copied twice")
	}
}
