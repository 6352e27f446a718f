package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// tempFile is the part of *os.File that a half-finished output needs.
type tempFile interface {
	io.Writer
	Name() string
	Sync() error
	Close() error
}

// createTemp makes the file that becomes the output; tests put a full disk
// in its place.
var createTemp = func(dir, pattern string) (tempFile, error) { return os.CreateTemp(dir, pattern) }

// writeFile makes an output file appear whole or not at all: it is written
// under a temporary name in the same folder, which is made if it is not there,
// brought to the disk and renamed.
// When anything fails, an older file stays as it was and the temporary one is
// removed. A target that is no regular file (a pipe, /dev/stdout) is written
// directly.
func writeFile(path string, write func(io.Writer) error) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("cannot write %s: %w", path, withoutPath(err))
		}
	}()
	mode := fs.FileMode(0o644)
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return errors.New("it is a folder")
		case !info.Mode().IsRegular():
			return writeStream(path, write)
		}
		mode = info.Mode().Perm()
		if target, err := filepath.EvalSymlinks(path); err == nil {
			path = target // replace the file, not the link to it
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := createTemp(filepath.Dir(path), ".wend-*.tmp")
	if err != nil {
		return err
	}
	closed := false
	defer func() {
		if err != nil {
			if !closed {
				_ = f.Close() // the first error counts
			}
			os.Remove(f.Name())
		}
	}()
	b := bufio.NewWriterSize(f, 1<<16)
	if err := write(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	closed = true
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), mode); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func writeStream(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	if err := write(b); err != nil {
		_ = f.Close() // the first error counts
		return err
	}
	return errors.Join(b.Flush(), f.Close())
}

// withoutPath drops the operation and the temporary name from a file error:
// the caller names the file that the user asked for.
func withoutPath(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

// checkOutput finds out before the work whether a file can be put there: its
// folder has to exist or be such that writeFile can make it, and the file must not
// be one of the inputs.
func checkOutput(path string, inputs ...string) error {
	if err := checkFolder(path); err != nil {
		return err
	}
	out, statErr := os.Stat(path)
	switch {
	case statErr != nil:
		return nil //nolint:nilerr // nothing is in the way: the file is not there yet
	case out.IsDir():
		return badInputf("cannot write %s: it is a folder", path)
	}
	for _, in := range inputs {
		if info, err := os.Stat(in); err == nil && os.SameFile(out, info) {
			return badInputf("%s is input and output at once", in)
		}
	}
	return nil
}

// checkFolder refuses a file whose folder is not there and cannot be made, as what
// it would be in is none.
func checkFolder(path string) error {
	for dir := filepath.Dir(path); ; {
		info, err := os.Stat(dir)
		switch up := filepath.Dir(dir); {
		case err == nil && info.IsDir():
			return nil
		case err == nil:
			return badInputf("cannot write %s: %s is not a folder", path, dir)
		case up == dir:
			return badInputf("cannot write %s: folder %s: %w", path, dir, withoutPath(err))
		default:
			dir = up
		}
	}
}

// checkDistinct refuses two outputs in one place: the second would replace the
// first. Empty names are outputs that are not wanted.
func checkDistinct(files ...string) error {
	for i, a := range files {
		for _, b := range files[:i] {
			if a != "" && b != "" && samePlace(a, b) {
				return badInputf("%s is two outputs at once", a)
			}
		}
	}
	return nil
}

// samePlace reports whether two names are one file, there already or not yet.
// A device is no place: both outputs arrive.
func samePlace(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	switch {
	case errA == nil && errB == nil:
		return infoA.Mode().IsRegular() && os.SameFile(infoA, infoB)
	case errA == nil || errB == nil:
		return false
	}
	if absA, err := filepath.Abs(a); err == nil {
		if absB, err := filepath.Abs(b); err == nil && absA == absB {
			return true // its folder may not be there either
		}
	}
	dirA, errA := os.Stat(filepath.Dir(a))
	dirB, errB := os.Stat(filepath.Dir(b))
	return errA == nil && errB == nil && os.SameFile(dirA, dirB) && filepath.Base(a) == filepath.Base(b)
}
