package pngmap_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"testing"

	"wend/grid"
	"wend/grid/pngmap"
)

func encode(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func sample() *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 4, 2))
	for i, c := range []color.NRGBA{
		{255, 255, 255, 255}, {0, 0, 0, 255}, {255, 255, 255, 0}, {128, 128, 128, 255},
		{127, 127, 127, 255}, {0, 255, 0, 255}, {255, 0, 0, 255}, {0, 0, 255, 255},
	} {
		img.SetNRGBA(i%4, i/4, c)
	}
	return img
}

// TestPixels: white, grey and green are light; black, red, blue and what is not
// there are not.
func TestPixels(t *testing.T) {
	data := encode(t, sample())
	for _, c := range []struct {
		opts *pngmap.Options
		want string
	}{
		{nil, "1001" + "0100"},
		{&pngmap.Options{Invert: true}, "0100" + "1011"},
		{&pngmap.Options{Threshold: 200}, "1000" + "0000"},
		{&pngmap.Options{Threshold: 1}, "1001" + "1111"},
	} {
		m, err := pngmap.Read(bytes.NewReader(data), c.opts)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for y := range int32(2) {
			for x := range int32(4) {
				if m.Passable(grid.Cell{X: x, Y: y}) {
					got += "1"
				} else {
					got += "0"
				}
			}
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.opts, got, c.want)
		}
	}
}

// TestCosts: lightness becomes a cost, and a cost that is none is refused with
// its place.
func TestCosts(t *testing.T) {
	data := encode(t, sample())
	m, err := pngmap.Read(bytes.NewReader(data), &pngmap.Options{Costs: func(l uint8) float64 { return float64(256-int(l)) / 2 }})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := m.Cost(grid.Cell{}), m.Cost(grid.Cell{X: 3}); a != 0.5 || b != 64 {
		t.Errorf("costs %v, %v", a, b)
	}
	_, err = pngmap.Read(bytes.NewReader(data), &pngmap.Options{Costs: func(l uint8) float64 { return float64(255 - int(l)) }})
	if !errors.Is(err, pngmap.ErrColour) || !errors.Is(err, grid.ErrCost) {
		t.Errorf("cost 0: %v", err)
	}
}

// TestBadPictures: what is no picture, or too large a one, is refused before its
// pixels are.
func TestBadPictures(t *testing.T) {
	good := encode(t, sample())
	huge := bytes.Clone(good)
	binary.BigEndian.PutUint32(huge[16:], 1<<20) // the width in the header
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	empty := bytes.Clone(good)
	binary.BigEndian.PutUint32(empty[16:], 8000)
	binary.BigEndian.PutUint32(empty[20:], 8000)
	binary.BigEndian.PutUint32(empty[29:], crc32.ChecksumIEEE(empty[12:29]))
	for name, c := range map[string]struct {
		data []byte
		opts *pngmap.Options
		want error
	}{
		"empty":    {nil, nil, pngmap.ErrFormat},
		"text":     {[]byte("type octile"), nil, pngmap.ErrFormat},
		"cut":      {good[:len(good)-20], nil, pngmap.ErrFormat},
		"promises": {empty, nil, pngmap.ErrFormat},
		"too wide": {huge, nil, pngmap.ErrSize},
		"too long": {good, &pngmap.Options{MaxBytes: 10}, pngmap.ErrSize},
	} {
		if _, err := pngmap.Read(bytes.NewReader(c.data), c.opts); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}

// FuzzRead: any bytes give a map of the size in their header, or a typed error.
func FuzzRead(f *testing.F) {
	f.Add(encode(f, sample()))
	f.Add(encode(f, image.NewGray16(image.Rect(0, 0, 3, 70))))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		if head, err := png.DecodeConfig(bytes.NewReader(data)); err == nil && head.Width*head.Height > 1<<22 {
			t.Skip("large pictures are tried elsewhere")
		}
		m, err := pngmap.Read(bytes.NewReader(data), nil)
		if err != nil {
			if !errors.Is(err, pngmap.ErrFormat) && !errors.Is(err, pngmap.ErrSize) {
				t.Fatalf("untyped: %v", err)
			}
			return
		}
		head, err := png.DecodeConfig(bytes.NewReader(data))
		if w, h := m.Size(); err != nil || w != head.Width || h != head.Height {
			t.Fatalf("%d x %d of %v, %v", w, h, head, err)
		}
	})
}

// TestKindsOfPictures: the same picture means the same however its pixels are
// kept, and no kind takes an allocation a pixel.
func TestKindsOfPictures(t *testing.T) {
	const w, h = 128, 64
	shade := func(x, y int) uint8 { return uint8(x*4 + y) }
	bounds := image.Rect(0, 0, w, h)
	type settable interface {
		image.Image
		Set(x, y int, c color.Color)
	}
	var greys color.Palette
	for v := range 256 {
		greys = append(greys, color.Gray{Y: uint8(v)})
	}
	kinds := map[string]settable{
		"gray": image.NewGray(bounds), "gray16": image.NewGray16(bounds), "paletted": image.NewPaletted(bounds, greys),
		"rgba": image.NewRGBA(bounds), "rgba64": image.NewRGBA64(bounds), "nrgba": image.NewNRGBA(bounds), "nrgba64": image.NewNRGBA64(bounds),
	}
	for name, img := range kinds {
		for y := range h {
			for x := range w {
				img.Set(x, y, color.Gray{Y: shade(x, y)})
			}
		}
		clear := name == "nrgba" || name == "nrgba64"
		if clear { // else they are kept without transparency
			img.Set(0, 0, color.NRGBA{255, 255, 255, 127})
			img.Set(1, 0, color.NRGBA{200, 200, 200, 128})
		}
		data := encode(t, img)
		var m *grid.Map
		took := testing.AllocsPerRun(1, func() {
			var err error
			if m, err = pngmap.Read(bytes.NewReader(data), nil); err != nil {
				t.Fatal(err)
			}
		})
		if took > w*h/4 {
			t.Errorf("%s: %v allocations for %d pixels", name, took, w*h)
		}
		for y := range h {
			for x := range w {
				want := shade(x, y) >= 128
				if clear && y == 0 && x < 2 {
					want = x == 1
				}
				if m.Passable(grid.Cell{X: int32(x), Y: int32(y)}) != want {
					t.Fatalf("%s: (%d,%d) of lightness %d is passable: %v", name, x, y, shade(x, y), !want)
				}
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	img := image.NewNRGBA(image.Rect(0, 0, 1024, 1024))
	for i := range img.Pix {
		img.Pix[i] = uint8(i * 7 >> 3)
	}
	data := encode(b, img)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pngmap.Read(bytes.NewReader(data), nil); err != nil {
			b.Fatal(err)
		}
	}
}
