package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// fullDisk is a temporary file on a disk with room for a few bytes more.
type fullDisk struct {
	file              *os.File
	room              int
	failSync, noClose bool
}

func (f *fullDisk) Write(p []byte) (int, error) {
	n := min(f.room, len(p))
	f.room -= n
	if n, err := f.file.Write(p[:n]); err != nil {
		return n, err
	}
	if n < len(p) {
		return n, &fs.PathError{Op: "write", Path: f.Name(), Err: syscall.ENOSPC}
	}
	return n, nil
}

func (f *fullDisk) Name() string { return f.file.Name() }

func (f *fullDisk) Sync() error {
	if f.failSync {
		return &fs.PathError{Op: "sync", Path: f.Name(), Err: syscall.EIO}
	}
	return f.file.Sync()
}

func (f *fullDisk) Close() error {
	err := f.file.Close()
	if f.noClose {
		return &fs.PathError{Op: "close", Path: f.Name(), Err: syscall.EDQUOT}
	}
	return err
}

// onDisk makes writeFile work on a bad disk for the length of a test.
func onDisk(t *testing.T, bad fullDisk) {
	t.Helper()
	old := createTemp
	t.Cleanup(func() { createTemp = old })
	createTemp = func(dir, pattern string) (tempFile, error) {
		f, err := os.CreateTemp(dir, pattern)
		if err != nil {
			return nil, err
		}
		b := bad
		b.file = f
		return &b, nil
	}
}

func TestFailedWriteLeavesTheOldFile(t *testing.T) {
	big := strings.Repeat("new", 100_000)
	for name, c := range map[string]struct {
		disk fullDisk
		want error
	}{
		"full at once":       {fullDisk{room: 0}, syscall.ENOSPC},
		"full in the middle": {fullDisk{room: 70_000}, syscall.ENOSPC},
		"full at the end":    {fullDisk{room: len(big) - 1}, syscall.ENOSPC},
		"sync fails":         {fullDisk{room: 1 << 30, failSync: true}, syscall.EIO},
		"close fails":        {fullDisk{room: 1 << 30, noClose: true}, syscall.EDQUOT},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "out.bin")
			if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			onDisk(t, c.disk)
			err := writeFile(file, func(w io.Writer) error {
				_, err := io.WriteString(w, big)
				return err
			})
			if !errors.Is(err, c.want) {
				t.Fatalf("got %v, want %v", err, c.want)
			}
			if want := "cannot write " + file + ": "; !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), ".tmp") {
				t.Errorf("error %q does not speak of %s alone", err, file)
			}
			if got, err := os.ReadFile(file); err != nil || string(got) != "old" {
				t.Errorf("the old file is now %q, %v", got, err)
			}
			if left := entries(t, dir); len(left) != 1 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestWriterErrorLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	broken := errors.New("broken")
	err := writeFile(filepath.Join(dir, "x"), func(w io.Writer) error {
		_, err := io.WriteString(w, "half")
		return errors.Join(err, broken)
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if left := entries(t, dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteFileKeepsModeAndLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	if err := writeFile(link, text("new")); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != "new" {
		t.Errorf("the file behind the link holds %q, %v", got, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode is now %v, %v", info.Mode(), err)
	}
}

func TestWriteFileToADevice(t *testing.T) {
	if err := writeFile(os.DevNull, text("gone")); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is now %v, %v", os.DevNull, info, err)
	}
}

func TestCheckOutput(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "q.csv")
	if err := os.WriteFile(in, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for out, want := range map[string]string{
		in:                               "is input and output at once",
		filepath.Join(dir, ".", "q.csv"): "is input and output at once",
		dir + "/../" + filepath.Base(dir) + "/q.csv": "is input and output at once",
		dir:                               "it is a folder",
		filepath.Join(dir, "no", "r.csv"): "", // the folder is made
		filepath.Join(in, "r.csv"):        "is not a folder",
		filepath.Join(in, "no", "r.csv"):  "is not a folder",
		filepath.Join(dir, "r.csv"):       "",
	} {
		err := checkOutput(out, in)
		if want == "" {
			if err != nil {
				t.Errorf("%s: %v", out, err)
			}
			continue
		}
		var input *inputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q as bad input", out, err, want)
		}
	}
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range list {
		names = append(names, d.Name())
	}
	return names
}
