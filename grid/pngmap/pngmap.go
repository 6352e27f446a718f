// Package pngmap reads grid maps from PNG pictures: a pixel is a cell, light
// ones are passable.
package pngmap

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"

	"wend/grid"
)

// Kinds of faults, for errors.Is.
var (
	ErrFormat = errors.New("pngmap: not a readable PNG")
	ErrSize   = errors.New("pngmap: picture too large")
	ErrColour = errors.New("pngmap: no cost for this colour")
)

// Options say what a pixel means. The zero value takes every pixel that is at
// least half as light as white, and not more than half transparent, for
// passable.
type Options struct {
	// Threshold is the least lightness, 1 to 255, of a passable pixel; 0 means
	// 128.
	Threshold uint8
	// Invert makes dark pixels the passable ones.
	Invert bool
	// Costs, if not nil, gives the cost of a passable pixel by its lightness; a
	// value that a map cannot hold is an error with the pixel's place.
	Costs func(lightness uint8) float64
	// MaxBytes bounds how much of the input is read; 0 means 64 MiB.
	MaxBytes int64
}

// Read reads a picture. opts may be nil. The size is checked before any pixel is
// decoded.
func Read(r io.Reader, opts *Options) (*grid.Map, error) {
	if opts == nil {
		opts = &Options{}
	}
	limit := opts.MaxBytes
	if limit <= 0 {
		limit = 64 << 20
	}
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("pngmap: %w", err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrSize, limit)
	}
	head, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	m, err := grid.New(head.Width, head.Height)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSize, err)
	}
	if !plausible(data, head) {
		return nil, fmt.Errorf("%w: %d bytes cannot hold %d x %d pixels", ErrFormat, len(data), head.Width, head.Height)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if err := paint(m, img, opts); err != nil {
		return nil, err
	}
	return m, nil
}

// plausible reports whether a file can hold the pixels its header promises:
// deflate never packs more than 1032 bytes into one. data starts with a header
// that was decoded.
func plausible(data []byte, head image.Config) bool {
	const depthAt, kindAt = 24, 25
	samples := map[byte]int64{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[data[kindAt]]
	pixels := int64(head.Width) * int64(head.Height)
	return pixels*samples*int64(data[depthAt])/8 <= 1032*int64(len(data))
}

// paint sets the cells of m from a picture of its size.
func paint(m *grid.Map, img image.Image, opts *Options) error {
	threshold := opts.Threshold
	if threshold == 0 {
		threshold = 128
	}
	b := img.Bounds()
	at := pixels(img)
	for y := range b.Dy() {
		for x := range b.Dx() {
			light, solid := at(b.Min.X+x, b.Min.Y+y)
			c := grid.Cell{X: int32(x), Y: int32(y)}
			if !solid || (light >= threshold) == opts.Invert {
				continue
			}
			if err := m.SetPassable(c, true); err != nil {
				return err
			}
			if opts.Costs == nil {
				continue
			}
			if err := m.SetCost(c, opts.Costs(light)); err != nil {
				return fmt.Errorf("%w: lightness %d at %v: %w", ErrColour, light, c, err)
			}
		}
	}
	return nil
}

// pixels returns what reads a pixel of a picture: how light it is, without its
// transparency, and whether it is less than half transparent. No kind of picture
// that a PNG decodes to makes it allocate.
func pixels(img image.Image) func(x, y int) (light uint8, solid bool) {
	switch img := img.(type) {
	case *image.Gray:
		return func(x, y int) (uint8, bool) { return img.Pix[img.PixOffset(x, y)], true }
	case *image.Paletted:
		var light [256]uint8
		var solid [256]bool
		for i, c := range img.Palette {
			light[i], solid[i] = lightness(c)
		}
		return func(x, y int) (uint8, bool) {
			i := img.Pix[img.PixOffset(x, y)]
			return light[i], solid[i]
		}
	case *image.NRGBA:
		return func(x, y int) (uint8, bool) { return straight(widen(img.NRGBAAt(x, y))) }
	case *image.NRGBA64:
		return func(x, y int) (uint8, bool) { return straight(img.NRGBA64At(x, y)) }
	case image.RGBA64Image:
		return func(x, y int) (uint8, bool) {
			c := img.RGBA64At(x, y)
			if c.A != 0 && c.A != 0xffff {
				return lightness(c)
			}
			return straight(color.NRGBA64(c))
		}
	}
	return func(x, y int) (uint8, bool) { return lightness(img.At(x, y)) }
}

// lightness is what a colour of any kind counts as.
func lightness(c color.Color) (uint8, bool) {
	if n, ok := c.(color.NRGBA); ok {
		return straight(widen(n))
	}
	return straight(color.NRGBA64Model.Convert(c).(color.NRGBA64))
}

func widen(c color.NRGBA) color.NRGBA64 {
	return color.NRGBA64{R: uint16(c.R) * 0x101, G: uint16(c.G) * 0x101, B: uint16(c.B) * 0x101, A: uint16(c.A) * 0x101}
}

// straight is what a colour counts as whose parts are not dimmed by its
// transparency.
func straight(c color.NRGBA64) (uint8, bool) {
	y := (19595*uint32(c.R) + 38470*uint32(c.G) + 7471*uint32(c.B) + 1<<15) >> 16
	return uint8(min(y, 0xffff) >> 8), c.A >= 0x8000
}
