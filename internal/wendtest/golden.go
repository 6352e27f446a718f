package wendtest

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// updateEnv names the variable that makes Golden write instead of compare.
const updateEnv = "WEND_UPDATE"

// Golden compares got with a file under the test's testdata folder. Set
// WEND_UPDATE=1 to write the file instead, and read the difference before you
// commit it.
func Golden(tb testing.TB, name string, got []byte) {
	tb.Helper()
	path := filepath.Join("testdata", filepath.FromSlash(name))
	if os.Getenv(updateEnv) != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			tb.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		tb.Fatalf("no golden %s; run the test with %s=1 to write it", path, updateEnv)
	}
	if err != nil {
		tb.Fatal(err)
	}
	if bytes.Equal(want, got) {
		return
	}
	line, at := firstDifference(want, got)
	tb.Errorf("%s differs from byte %d (line %d) on:\nwant %q\ngot  %q\n(%s=1 writes it anew)", path, at, line, around(want, at), around(got, at), updateEnv)
}

// firstDifference returns the first byte that differs and its line, from 1.
func firstDifference(a, b []byte) (line, at int) {
	n := min(len(a), len(b))
	for at < n && a[at] == b[at] {
		at++
	}
	return 1 + bytes.Count(a[:at], []byte("\n")), at
}

func around(b []byte, at int) []byte { return b[max(0, at-20):min(len(b), at+60)] }
