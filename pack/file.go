package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// DefaultMaxBytes is the most decoded bytes of one load.
const DefaultMaxBytes = 2 << 30

// ReadFile reads a pack file of fsys. A name that ends in .gz is gunzipped.
// maxBytes limits the result ([DefaultMaxBytes] where it is 0 or less). Errors
// are ErrOpen, ErrRead, ErrGzip, ErrLimit, with the name as their file.
func ReadFile(fsys fs.FS, name string, maxBytes int64) ([]byte, error) {
	where := Where{File: name}
	if maxBytes <= 0 {
		maxBytes = DefaultMaxBytes
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, where.Wrap(0, fmt.Errorf("%w: %w", ErrOpen, err))
	}
	defer f.Close()
	size := int64(0)
	if info, err := f.Stat(); err != nil {
		return nil, where.Wrap(0, fmt.Errorf("%w: %w", ErrOpen, err))
	} else if size = info.Size(); size > maxBytes {
		return nil, where.At(0, ErrLimit, "file of %d bytes, at most %d are read", size, maxBytes)
	}
	var buf bytes.Buffer
	buf.Grow(int(max(size, 0)) + bytes.MinRead)
	n, err := buf.ReadFrom(io.LimitReader(f, maxBytes+1)) // the file may have grown
	if err != nil {
		return nil, where.Wrap(n, fmt.Errorf("%w: %w", ErrRead, err))
	}
	if n > maxBytes {
		return nil, where.At(0, ErrLimit, "file of more than %d bytes", maxBytes)
	}
	if !strings.HasSuffix(name, ".gz") {
		return buf.Bytes(), nil
	}
	return Gunzip(where, buf.Bytes(), maxBytes)
}

// piece is how much is gunzipped at a time.
const piece = 4 << 20

// Gunzip decompresses one or more gzip members. The length stored in the last
// four bytes is a hint that is not trusted: at most 1032 times the packed bytes
// are reserved for it, and reading stops with ErrLimit beyond maxBytes
// ([DefaultMaxBytes] where it is 0 or less). The result takes at most twice its
// length.
func Gunzip(where Where, data []byte, maxBytes int64) ([]byte, error) {
	where.Section = "gzip"
	if maxBytes <= 0 {
		maxBytes = DefaultMaxBytes
	}
	src := bytes.NewReader(data)
	z, err := gzip.NewReader(src)
	if err != nil {
		return nil, where.Wrap(0, gzipError(err))
	}
	hint := int64(0)
	if n := len(data); n >= 4 {
		hint = int64(binary.LittleEndian.Uint32(data[n-4:]))
	}
	hint = min(hint, int64(min(Expansion(uint64(len(data))), 1<<40)), maxBytes)
	out := make([]byte, 0, hint+1) // one more, so that the end shows without growing
	for {
		if len(out) == cap(out) {
			grown := make([]byte, len(out), min(max(2*int64(cap(out)), 512), maxBytes+1))
			copy(grown, out)
			out = grown
		}
		n, err := z.Read(out[len(out):min(cap(out), len(out)+piece)])
		out = out[:len(out)+n]
		if int64(len(out)) > maxBytes {
			return nil, where.At(0, ErrLimit, "more than %d bytes from %d packed ones", maxBytes, len(data))
		}
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, where.Wrap(int64(len(out)), gzipError(err))
		}
	}
}

func gzipError(err error) error {
	switch {
	case errors.Is(err, gzip.ErrChecksum):
		return fmt.Errorf("%w: %w (CRC-32 or length)", ErrGzip, ErrChecksum)
	case errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%w: header", ErrGzip)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the data end early", ErrGzip)
	}
	return fmt.Errorf("%w: %v", ErrGzip, err)
}

// Gzip compresses data as one gzip member without name and time.
func Gzip(data []byte, level int) ([]byte, error) {
	var buf bytes.Buffer
	z, err := gzip.NewWriterLevel(&buf, level)
	if err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	z.Write(data) // a bytes.Buffer takes everything
	z.Close()
	return buf.Bytes(), nil
}

// WriteFile writes a pack file, gzipped where the name ends in .gz: to a
// temporary file beside it, then renamed, so that the old file stays until the
// new one is complete, and two writers do not mix.
func WriteFile(path string, data []byte) (err error) {
	if strings.HasSuffix(path, ".gz") {
		if data, err = Gzip(data, DefaultLevel); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return fmt.Errorf("pack: write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			f.Close() // a second Close does no harm
			os.Remove(f.Name())
			err = fmt.Errorf("pack: write %s: %w", path, err)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// SideNames returns the names of the fields sidecar and the occluder pack that
// belong to a main pack: town.nav.gz has town.fields.nav.gz and
// town.occluder.gz beside it. Only the last element of the path is looked at.
func SideNames(main string) (fields, occluder string) {
	for _, ext := range []string{".nav.gz", ".nav"} {
		if base, ok := strings.CutSuffix(main, ext); ok {
			return base + ".fields" + ext, base + ".occluder.gz"
		}
	}
	return main + ".fields", main + ".occluder.gz"
}
