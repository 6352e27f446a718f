package gltf

import (
	"errors"
	"fmt"
	"strings"
)

// What an Error wraps, besides errors of the file system.
var (
	// ErrInvalid: the file breaks the rules of glTF.
	ErrInvalid = errors.New("invalid glTF")
	// ErrUnsupported: the file may be right but uses what this reader lacks.
	ErrUnsupported = errors.New("unsupported glTF")
)

// Error says what is wrong in a file and where.
type Error struct {
	File     string // the level, or the buffer file that Offset counts in
	JSONPath string // for example "meshes[2].primitives[0].indices"; "" for the container
	Offset   int64  // byte in File; -1 where there is none (inside a data URI)
	Msg      string
	Err      error // ErrInvalid, ErrUnsupported, an *ExtensionError, or of the file system
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("gltf: " + e.File + ": ")
	if e.JSONPath != "" {
		b.WriteString(e.JSONPath + ": ")
	}
	b.WriteString(e.Msg)
	if e.Offset >= 0 {
		fmt.Fprintf(&b, " (byte %d)", e.Offset)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// ExtensionError names an extension that the file cannot be read without. It
// wraps ErrUnsupported.
type ExtensionError struct {
	Name string
	Cure string // what to do about it
}

func (e *ExtensionError) Error() string {
	return fmt.Sprintf("extension %s is not supported; %s", e.Name, e.Cure)
}

func (e *ExtensionError) Unwrap() error { return ErrUnsupported }
