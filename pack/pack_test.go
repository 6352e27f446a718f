package pack

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestUvarint(t *testing.T) {
	for _, tc := range []struct {
		v    uint64
		want string
	}{
		{0, "00"},
		{127, "7f"},
		{128, "80 01"},
		{300, "ac 02"},
		{16383, "ff 7f"},
		{16384, "80 80 01"},
		{1<<32 - 1, "ff ff ff ff 0f"},
		{1 << 63, "80 80 80 80 80 80 80 80 80 01"},
		{1<<64 - 1, "ff ff ff ff ff ff ff ff ff 01"},
	} {
		b := AppendUvarint(nil, tc.v)
		if want := unhex(t, tc.want); !bytes.Equal(b, want) || UvarintLen(tc.v) != len(want) {
			t.Errorf("AppendUvarint(%d) = % x, UvarintLen %d; want %s", tc.v, b, UvarintLen(tc.v), tc.want)
		}
		if v, n, err := Uvarint(append([]byte{9}, b...), 1); v != tc.v || n != 1+len(b) || err != nil {
			t.Errorf("Uvarint(% x) = %d, %d, %v; want %d", b, v, n, err, tc.v)
		}
	}
}

func TestSignedVarint(t *testing.T) {
	for _, tc := range []struct {
		v    int64
		zig  uint64
		want string
	}{
		{0, 0, "00"},
		{-1, 1, "01"},
		{1, 2, "02"},
		{-2, 3, "03"},
		{2, 4, "04"},
		{-13, 25, "19"},
		{63, 126, "7e"},
		{64, 128, "80 01"},
		{-64, 127, "7f"},
		{1<<31 - 1, 1<<32 - 2, "fe ff ff ff 0f"},
		{math.MinInt64, 1<<64 - 1, "ff ff ff ff ff ff ff ff ff 01"},
	} {
		if z := Zigzag(tc.v); z != tc.zig || Unzigzag(z) != tc.v {
			t.Errorf("Zigzag(%d) = %d and back %d; want %d", tc.v, z, Unzigzag(z), tc.zig)
		}
		b := AppendVarint(nil, tc.v)
		if !bytes.Equal(b, unhex(t, tc.want)) {
			t.Errorf("AppendVarint(%d) = % x; want %s", tc.v, b, tc.want)
		}
		if v := NewReader(Where{}, b, 0).Varint(); v != tc.v {
			t.Errorf("Varint(% x) = %d; want %d", b, v, tc.v)
		}
	}
}

func TestBadVarint(t *testing.T) {
	for _, tc := range []struct {
		in   string
		want error
		v    uint64
	}{
		{"", ErrTruncated, 0},
		{"80", ErrTruncated, 0},
		{"ff ff ff ff ff ff ff ff ff 02", ErrVarint, 0},
		{"ff ff ff ff ff ff ff ff ff 81 00", ErrVarint, 0},
		{"ff ff ff ff ff ff ff ff ff 82", ErrVarint, 0},
		{"80 80 80 80 80 80 80 80 80 80 00", ErrVarint, 0},
		{"80 00", nil, 0},
		{"81 80 80 80 80 80 80 80 80 00", nil, 1},
	} {
		b := unhex(t, tc.in)
		v, next, err := Uvarint(b, 0)
		if !errors.Is(err, tc.want) || v != tc.v {
			t.Errorf("Uvarint(%s) = %d, %v; want %d, %v", tc.in, v, err, tc.v, tc.want)
		}
		if want := map[bool]int{true: len(b)}[err == nil]; next != want {
			t.Errorf("Uvarint(%s) ends at %d; want %d", tc.in, next, want)
		}
	}
	r := NewReader(Where{File: "f", Section: "S"}, unhex(t, "80 80 80 80 10"), 7)
	if r.Uvarint32(); !errors.Is(r.Err(), ErrRange) {
		t.Errorf("2^32 as a 32-bit varint: %v", r.Err())
	}
}

func TestFNV(t *testing.T) {
	for in, want := range map[string]string{
		"": "cbf29ce484222325", "a": "af63dc4c8601ec8c", "\x00": "af63bd4c8601b7df",
		"BNAV": "e940c2a72e5d0272", strings.Repeat("\x00", 8): "a8c7f832281a39c5",
	} {
		if got := fmt.Sprintf("%016x", Fingerprint([]byte(in))); got != want {
			t.Errorf("Fingerprint(%q) = %s; want %s", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		cut := rapid.IntRange(0, len(b)).Draw(t, "cut")
		if FNV(Fingerprint(b[:cut]), b[cut:]) != Fingerprint(b) {
			t.Fatal("pieces do not give the hash of the whole")
		}
	})
}

func TestReferenceProfile(t *testing.T) {
	b := AppendProfile(nil, ReferenceProfile())
	if len(b) != ProfileLen || Fingerprint(b) != 0x79f158a494ba477c {
		t.Errorf("%d bytes, fingerprint %016x", len(b), Fingerprint(b))
	}
	r := NewReader(Where{}, b, 0)
	if p := ReadProfile(r); r.Done() != nil || p != ReferenceProfile() {
		t.Errorf("read back: %+v, %v", p, r.Err())
	}
}

func TestReaderIsSticky(t *testing.T) {
	w := Where{File: "x.nav", Section: "BGRD", Zone: "town"}.In("tile", 3).In("stream", 5)
	r := NewReader(w, []byte{1, 2, 3}, 100)
	if got := r.U16(); got != 0x201 {
		t.Errorf("U16 = %#x", got)
	}
	if r.U32() != 0 || r.U8() != 0 || r.Uvarint() != 0 || r.Bytes(1) != nil {
		t.Error("a read after an error is not zero")
	}
	var fe *FormatError
	if !errors.As(r.Err(), &fe) || !errors.Is(fe, ErrTruncated) {
		t.Fatalf("error %v", r.Err())
	}
	want := `pack: x.nav: section BGRD, zone "town", tile 3, stream 5, byte 102: truncated: need 4 bytes, 1 are left`
	if diff := cmp.Diff(want, fe.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if Kind(fe) != "ErrTruncated" || Kind(errors.New("x")) != "" {
		t.Errorf("Kind = %q", Kind(fe))
	}
}

func TestStreams(t *testing.T) {
	for level := range 10 {
		d, err := NewDeflater(level)
		if err != nil {
			t.Fatal(err)
		}
		var f Inflater
		rapid.Check(t, func(t *rapid.T) {
			raw := rapid.SliceOf(rapid.Byte()).Draw(t, "raw")
			if rapid.Bool().Draw(t, "long") {
				raw = bytes.Repeat(append(raw, 1), 70000/(len(raw)+1)+1)
			}
			b := append(d.AppendStream([]byte("x"), raw), "tail"...)
			r := NewReader(Where{}, b[1:], 0)
			got := r.Stream(&f, []byte("pre"), uint64(len(raw)))
			if r.Err() != nil || string(got) != "pre"+string(raw) || r.Len() != 4 {
				t.Fatalf("%d bytes of %d, error %v, left %d", len(got), len(raw), r.Err(), r.Len())
			}
			if len(raw) > 0 {
				r = NewReader(Where{}, b[1:], 0)
				if r.Stream(&f, nil, uint64(len(raw)-1)); !errors.Is(r.Err(), ErrLimit) {
					t.Fatalf("limit one below: %v", r.Err())
				}
			}
		})
	}
}

// A stream with one thing wrong.
func TestBadStreams(t *testing.T) {
	d, _ := NewDeflater(9)
	z := d.AppendZlib(nil, []byte("hello hello hello"))
	mut := func(i int, x byte) []byte {
		b := bytes.Clone(z)
		b[(i+len(b))%len(b)] ^= x
		return b
	}
	var f Inflater
	for name, tc := range map[string]struct {
		z    []byte
		want error
	}{
		"good":          {z, nil},
		"empty":         {nil, ErrZlib},
		"header":        {mut(0, 1), ErrZlib},
		"dictionary":    {append([]byte{0x78, 0xbb, 0, 0, 0, 1}, z[2:]...), ErrZlib},
		"adler":         {mut(-1, 1), ErrChecksum},
		"no adler":      {z[:len(z)-4], ErrZlib},
		"cut":           {z[:len(z)/2], ErrZlib},
		"trailing byte": {append(bytes.Clone(z), 0), ErrTrailing},
	} {
		out, err := f.Inflate(nil, tc.z, 100)
		if !errors.Is(err, tc.want) || (err == nil) != (tc.want == nil) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
		if err == nil && string(out) != "hello hello hello" {
			t.Errorf("%s: %q", name, out)
		}
	}
	r := NewReader(Where{}, []byte{200, 1, 0x78}, 0)
	if r.Stream(&f, nil, 10); !errors.Is(r.Err(), ErrTruncated) {
		t.Errorf("a length beyond the container: %v", r.Err())
	}
}

func TestStoredBytes(t *testing.T) {
	d, _ := NewDeflater(0)
	for raw, want := range map[string]string{
		"\x01\x04": "0d 78 01 01 02 00 fd ff 01 04 00 08 00 06",
		"\x02":     "0c 78 01 01 01 00 fe ff 02 00 03 00 03",
	} {
		if got := d.AppendStream(nil, []byte(raw)); !bytes.Equal(got, unhex(t, want)) {
			t.Errorf("% x, want %s", got, want)
		}
	}
}

func TestGzipBomb(t *testing.T) {
	z, err := Gzip(make([]byte, 16<<20), 9)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Gunzip(Where{}, z, 1<<20); !errors.Is(err, ErrLimit) {
		t.Errorf("16 MiB with a limit of 1 MiB: %v", err)
	}
	out, err := Gunzip(Where{}, append(bytes.Clone(z), z...), 32<<20)
	if err != nil || len(out) != 32<<20 {
		t.Errorf("two members: %d bytes, %v", len(out), err)
	}
	for name, bad := range map[string][]byte{
		"trailing zeros": append(bytes.Clone(z), 0, 0), "cut": z[:len(z)-1], "empty": {}, "text": []byte("BNAV, plain"),
	} {
		if _, err := Gunzip(Where{}, bad, 32<<20); !errors.Is(err, ErrGzip) {
			t.Errorf("%s: %v", name, err)
		}
	}
	z[len(z)-6] ^= 1
	if _, err := Gunzip(Where{}, z, 32<<20); !errors.Is(err, ErrGzip) || !errors.Is(err, ErrChecksum) {
		t.Errorf("wrong checksum: %v", err)
	}
}

func TestParallelReportsTheFirstError(t *testing.T) {
	for _, workers := range []int{1, 2, 4, 9} {
		for range 200 {
			done := make([]int, 100)
			err := Parallel(t.Context(), workers, len(done), func(w, i int) error {
				done[i]++
				if i == 61 || i == 37 || i == 90 {
					return fmt.Errorf("item %d", i)
				}
				return nil
			})
			if err == nil || err.Error() != "item 37" {
				t.Fatalf("%d workers: %v", workers, err)
			}
			for i, n := range done {
				if n > 1 || i <= 37 && n != 1 {
					t.Fatalf("%d workers: item %d ran %d times", workers, i, n)
				}
			}
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if err := Parallel(ctx, 2, 5, func(_, _ int) error { return nil }); err != why {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSideNames(t *testing.T) {
	for main, want := range map[string][2]string{
		"a/town.nav.gz": {"a/town.fields.nav.gz", "a/town.occluder.gz"},
		"town.nav":      {"town.fields.nav", "town.occluder.gz"},
		"town.bin":      {"town.bin.fields", "town.bin.occluder.gz"},
	} {
		if f, o := SideNames(main); f != want[0] || o != want[1] {
			t.Errorf("SideNames(%q) = %q, %q; want %q", main, f, o, want)
		}
	}
}

// FuzzReader walks over bytes with every kind of read.
func FuzzReader(f *testing.F) {
	d, _ := NewDeflater(9)
	f.Add(d.AppendStream([]byte{1, 5, 0x80, 1}, []byte("abc")), uint8(10))
	f.Add(AppendSections([]byte("head"), []SectionData{{"BGEO", [][]byte{{1}, {2}}}, {"WHAT", nil}}), uint8(4))
	f.Fuzz(func(t *testing.T, data []byte, limit uint8) {
		check := func(r *Reader) {
			var fe *FormatError
			if err := r.Err(); err != nil && (!errors.As(err, &fe) || Kind(err) == "" || fe.Offset > int64(len(data)) || fe.Offset < 0) {
				t.Fatalf("not a proper error: %#v", err)
			}
		}
		var inf Inflater
		w := Where{File: "fuzz", Section: "S"}
		r := NewReader(w, data, 0)
		for r.Err() == nil && r.Len() > 0 {
			at := r.Pos()
			if b := r.Stream(&inf, nil, uint64(limit)); len(b) > int(limit) {
				t.Fatalf("%d bytes from a stream limited to %d", len(b), limit)
			}
			if r.Err() == nil && r.Pos() <= at {
				t.Fatal("no progress")
			}
		}
		check(r)
		r = NewReader(w, data, 0)
		for r.Err() == nil && r.Len() > 0 {
			v := r.Uvarint()
			if r.Err() == nil && Unzigzag(Zigzag(int64(v))) != int64(v) {
				t.Fatal("zigzag")
			}
		}
		check(r)
		r = NewReader(w, data, 0)
		for _, s := range r.Sections(r.U64()&15, uint32(limit), "BGEO", "BGRD") {
			sub := r.Section(s)
			sub.Name(sub.U32())
			check(sub)
		}
		check(r)
		r = NewReader(w, data, 0)
		if p := ReadProfile(r); r.Err() == nil && (p.Fault() != "" || !bytes.Equal(AppendProfile(nil, p), data[:ProfileLen])) {
			t.Fatalf("profile %+v", p)
		}
		check(r)
		if out, err := Gunzip(w, data, 1<<16); err == nil && len(out) > 1<<16 {
			t.Fatal("too much gunzipped")
		}
	})
}

func TestWriteFileAndReadFile(t *testing.T) {
	dir := t.TempDir()
	data := bytes.Repeat([]byte("wend "), 1000)
	for _, name := range []string{"a.nav", "a.nav.gz"} {
		for range 2 { // the second time over the first
			if err := WriteFile(filepath.Join(dir, name), data); err != nil {
				t.Fatal(err)
			}
		}
		got, err := ReadFile(os.DirFS(dir), name, 0)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
		if _, err := ReadFile(os.DirFS(dir), name, 100); !errors.Is(err, ErrLimit) {
			t.Errorf("%s with a limit of 100 bytes: %v", name, err)
		}
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 2 {
		t.Errorf("%d files, %v: temporary ones are left", len(list), err)
	}
	if _, err := ReadFile(os.DirFS(dir), "none.nav", 0); !errors.Is(err, ErrOpen) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := ReadFile(os.DirFS(filepath.Dir(dir)), filepath.Base(dir), 0); !errors.Is(err, ErrRead) {
		t.Errorf("a folder: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "no", "a.nav"), data); err == nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("into a folder that is not there: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "a.nav"), data); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "d"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "d"), data); err == nil {
		t.Error("over a folder: no error")
	}
	if list, _ := os.ReadDir(dir); len(list) != 3 {
		t.Errorf("%d entries: a failed write leaves its temporary file", len(list))
	}
}
