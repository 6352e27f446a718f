package cli

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// The first bytes of pack files.
const (
	magicMain     = "BNAV"
	magicFields   = "BNVF"
	magicOccluder = "OCLS"
)

// packKind tells a pack by its first bytes, of .gz files the decompressed
// ones: one of the magics, or "" for another file. A file that cannot be
// decompressed and has the name of a pack is taken for a damaged one.
func packKind(file string) (string, error) {
	if err := checkFile(file, "a level, navmesh or pack file", "level, navmesh or pack"); err != nil {
		return "", err
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, withoutPath(err))
	}
	defer f.Close()
	var src io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return kindByName(file), nil //nolint:nilerr // whoever reads the file says what is wrong
		}
		src = z
	}
	var head [4]byte
	n, err := io.ReadFull(src, head[:])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !strings.HasSuffix(file, ".gz") {
		return "", fmt.Errorf("%s: %w", file, withoutPath(err))
	}
	switch magic := string(head[:n]); magic {
	case magicMain, magicFields, magicOccluder:
		return magic, nil
	}
	return kindByName(file), nil
}

func kindByName(file string) string {
	switch {
	case strings.HasSuffix(file, ".occluder.gz"):
		return magicOccluder
	case strings.HasSuffix(file, ".fields.nav.gz"), strings.HasSuffix(file, ".fields.nav"):
		return magicFields
	case strings.HasSuffix(file, ".nav.gz"), strings.HasSuffix(file, ".nav"):
		return magicMain
	}
	return ""
}
