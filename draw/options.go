package draw

import (
	"errors"
	"fmt"

	"wend/geom"
)

// ErrEmpty says that there is nothing to draw.
var ErrEmpty = errors.New("draw: nothing to draw")

// OptionError names an option that makes no sense.
type OptionError struct {
	Field string
	Value any
	Want  string
}

func (e *OptionError) Error() string {
	return fmt.Sprintf("draw: option %s is %v, want %s", e.Field, e.Value, e.Want)
}

// Format is the kind of picture file.
type Format uint8

const (
	SVG Format = iota
	PNG
)

// Limits of a picture.
const (
	MinSide   = 64
	MaxSide   = 16384
	MaxPixels = 50_000_000
)

// Options say how a canvas is drawn. Nil and the zero value mean the defaults.
type Options struct {
	Format Format // used by Render
	Width  int    // pixels, MinSide to MaxSide; 0: 1600
	Height int    // likewise; 0: what the content needs, a third to one and a half of Width
	View   View
	Title  string    // "": the canvas' own
	Focus  *geom.Box // show only the surroundings of this box; nil: everything
	Plain  bool      // no title, legend, scale bar or axes
}

// defaultWidth is the width of a picture unless asked otherwise. Widths and
// font sizes are meant for it.
const defaultWidth = 1600

// complete returns o with defaults filled in, or an *OptionError.
func (o *Options) complete() (Options, error) {
	var full Options
	if o != nil {
		full = *o
	}
	if full.Width == 0 {
		full.Width = defaultWidth
	}
	side := fmt.Sprintf("%d to %d pixels", MinSide, MaxSide)
	switch {
	case full.Width < MinSide || full.Width > MaxSide:
		return full, &OptionError{"Width", full.Width, side}
	case full.Height != 0 && full.Height < MinSide || full.Height > MaxSide:
		return full, &OptionError{"Height", full.Height, side}
	case full.Width*full.Height > MaxPixels:
		return full, &OptionError{"Width x Height", fmt.Sprintf("%d x %d", full.Width, full.Height), fmt.Sprintf("at most %d pixels", MaxPixels)}
	case full.Format > PNG:
		return full, &OptionError{"Format", full.Format, "SVG or PNG"}
	case full.Focus != nil && (full.Focus.IsEmpty() || !full.Focus.Min.IsFinite() || !full.Focus.Max.IsFinite()):
		return full, &OptionError{"Focus", *full.Focus, "a finite box that is not empty"}
	}
	return full, full.View.validate()
}
