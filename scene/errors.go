package scene

import (
	"errors"
	"fmt"
)

// ErrNoTriangles is what an EmptyError wraps.
var ErrNoTriangles = errors.New("no triangles")

// EmptyError says that a file holds nothing a body could stand on. It wraps
// ErrNoTriangles.
type EmptyError struct {
	File          string
	Points, Lines int // primitives that were there instead
	Degenerate    int // triangles that had no area
}

func (e *EmptyError) Error() string {
	const want = "a level needs triangles"
	switch {
	case e.Degenerate > 0:
		return fmt.Sprintf("scene: %s: none of the %d triangles has an area; %s", e.File, e.Degenerate, want)
	case e.Points > 0 && e.Lines > 0:
		return fmt.Sprintf("scene: %s: holds only points (%d) and lines (%d); %s", e.File, e.Points, e.Lines, want)
	case e.Points > 0:
		return fmt.Sprintf("scene: %s: holds only points (%d); %s", e.File, e.Points, want)
	case e.Lines > 0:
		return fmt.Sprintf("scene: %s: holds only lines (%d); %s", e.File, e.Lines, want)
	}
	return fmt.Sprintf("scene: %s: holds no faces; %s", e.File, want)
}

func (e *EmptyError) Unwrap() error { return ErrNoTriangles }

// RangeError says that a coordinate is too large for the float32 storage of
// navmeshes.
type RangeError struct {
	File  string
	Where string  // a triangle that uses it, in the reader's words
	Axis  string  // "x", "y" or "z" of the world
	Value float64 // metres; the largest coordinate of the file
}

func (e *RangeError) Error() string {
	return fmt.Sprintf("scene: %s: %s: coordinate %s is %.9g m, more than %d m from the origin; "+
		"choose the unit or a scale (--unit cm, --scale 0.01), or move the level to the origin",
		e.File, e.Where, e.Axis, e.Value, MaxCoordinate)
}

// LimitError says that a file describes more triangles than
// Options.MaxTriangles allows.
type LimitError struct {
	File      string
	Triangles int // found when reading stopped
	Limit     int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("scene: %s: at least %d triangles, more than the limit of %d", e.File, e.Triangles, e.Limit)
}

// OptionError names an option that makes no sense.
type OptionError struct{ Field, Value, Want string }

func (e *OptionError) Error() string {
	return fmt.Sprintf("scene: option %s is %s, want %s", e.Field, e.Value, e.Want)
}

// ValueError names a field of a Scene that makes no sense.
type ValueError struct {
	Field string // for example "Links[2].Radius"
	Msg   string
}

func (e *ValueError) Error() string { return "scene: " + e.Field + " " + e.Msg }
