package pack

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
)

// filled is a pack's worth of one byte: a mix of two of them shows.
func filled(b byte, n int) []byte { return bytes.Repeat([]byte{b}, n) }

// whole reports whether data are the bytes of one write.
func whole(data []byte) bool {
	return len(data) > 0 && len(data) == 1000*int(data[0]) && !slices.ContainsFunc(data, func(b byte) bool { return b != data[0] })
}

// A file that is replaced while others read it is the old one or the new one
// to each of them, and never a mix.
func TestReplacedWhileRead(t *testing.T) {
	for _, name := range []string{"a.nav", "a.nav.gz"} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		if err := WriteFile(path, filled(1, 1000)); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		done := make(chan struct{})
		for range 2 {
			wg.Go(func() {
				for {
					data, err := ReadFile(os.DirFS(dir), name, 0)
					if err != nil || !whole(data) {
						t.Errorf("%s: %d bytes, %v", name, len(data), err)
						return
					}
					select {
					case <-done:
						return
					default:
					}
				}
			})
		}
		for i := range 15 {
			b := byte(1 + i%200)
			if err := WriteFile(path, filled(b, 1000*int(b))); err != nil {
				t.Error(err)
			}
		}
		close(done)
		wg.Wait()
	}
}

// oldFS lets a file be replaced after it was opened and before it is read.
type oldFS struct {
	fs.FS
	opened func()
}

func (o oldFS) Open(name string) (fs.File, error) {
	f, err := o.FS.Open(name)
	o.opened()
	return f, err
}

func TestReplacedAfterOpen(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced on this system")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a.nav")
	if err := WriteFile(path, filled(7, 7000)); err != nil {
		t.Fatal(err)
	}
	fsys := oldFS{os.DirFS(dir), func() {
		if err := WriteFile(path, filled(9, 9000)); err != nil {
			t.Error(err)
		}
	}}
	if data, err := ReadFile(fsys, "a.nav", 0); err != nil || !bytes.Equal(data, filled(7, 7000)) {
		t.Errorf("the file that was opened: %d bytes, %v", len(data), err)
	}
	// A file that shrinks or grows in place is read as it is then; its format
	// tells. It takes neither more memory than allowed nor does it hang.
	fsys.opened = func() {
		if err := os.WriteFile(path, filled(3, 30000), 0o644); err != nil {
			t.Error(err)
		}
	}
	if _, err := ReadFile(fsys, "a.nav", 10000); !errors.Is(err, ErrLimit) {
		t.Errorf("a file that grew beyond the limit: %v", err)
	}
	fsys.opened = func() {
		if err := os.Truncate(path, 10); err != nil {
			t.Error(err)
		}
	}
	if data, err := ReadFile(fsys, "a.nav", 40000); err != nil || len(data) != 10 {
		t.Errorf("a file that shrank: %d bytes, %v", len(data), err)
	}
}

// Of writers to one target the last one wins, whole, and no temporary file
// stays.
func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.nav.gz")
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				b := byte(1 + 50*w + i)
				if err := WriteFile(path, filled(b, 1000*int(b))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if data, err := ReadFile(os.DirFS(dir), "a.nav.gz", 0); err != nil || !whole(data) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
		t.Errorf("%d files are left, %v", len(list), err)
	}
}

func TestReadOnlyTarget(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.nav")
	if err := WriteFile(path, filled(1, 1000)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	if probe, err := os.Create(filepath.Join(dir, "probe")); err == nil {
		probe.Close()
		t.Skip("this user may write anywhere")
	}
	if err := WriteFile(path, filled(2, 2000)); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("into a read-only folder: %v", err)
	}
	if data, err := ReadFile(os.DirFS(dir), "a.nav", 0); err != nil || !bytes.Equal(data, filled(1, 1000)) {
		t.Errorf("the old file: %d bytes, %v", len(data), err)
	}
}
