package spangrid

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// TestFieldPictures draws what the operators compute into the folder that
// WEND_PICTURES names, for somebody to look at.
func TestFieldPictures(t *testing.T) {
	dir := os.Getenv("WEND_PICTURES")
	if dir == "" {
		t.Skip("WEND_PICTURES names no folder for pictures")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	own, s := town(Window{-4, -4, 248, 216})
	w := own.Window
	floor := make(Mask, w.Cells())
	for _, c := range own.Cell {
		floor[c] = true
	}
	r := reference()
	var d Distances
	var n Nearest
	steps := r.Steps(nil, own, nil)
	steps2 := r.Rejudge(nil, steps, own, s)
	seg := r.Facades(nil, steps, steps2, own)
	tax := r.Tax(nil, steps, own, s)

	// Whoever walks is stopped by steps: as a mask for clearance take the cells
	// without forbidden steps.
	walk := make(Mask, w.Cells())
	for c := range walk {
		walk[c] = floor[c] && steps2[c] == 0
	}
	clr := d.Clearance(nil, w, walk, OpenBorder)
	medial := n.Medial(nil, w, clr, r.Lambda2)

	const scale = 4
	paint := func(name string, at func(c int) color.RGBA, over func(img *image.RGBA)) {
		img := image.NewRGBA(image.Rect(0, 0, w.NX*scale, w.NY*scale))
		for y := range w.NY * scale {
			for x := range w.NX * scale {
				img.SetRGBA(x, w.NY*scale-1-y, at(y/scale*w.NX+x/scale))
			}
		}
		if over != nil {
			over(img)
		}
		f, err := os.Create(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, img); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	grey := func(v float64) color.RGBA {
		k := uint8(255 * min(max(v, 0), 1))
		return color.RGBA{k, k, k, 255}
	}
	paint("heights", func(c int) color.RGBA {
		if h := own.Heights(c); len(h) > 0 {
			return grey(float64(h[0]+6) / 24)
		}
		return color.RGBA{90, 0, 0, 255}
	}, nil)
	paint("clearance", func(c int) color.RGBA {
		if clr[c] == 0 {
			return color.RGBA{0, 0, 0, 255}
		}
		v := math.Sqrt(float64(clr[c])) / CapCells
		return color.RGBA{uint8(255 * v), uint8(255 * (1 - math.Abs(2*v-1))), uint8(255 * (1 - v)), 255}
	}, nil)
	paint("medial", func(c int) color.RGBA {
		switch {
		case medial[c]:
			return color.RGBA{255, 60, 0, 255}
		case clr[c] == 0:
			return color.RGBA{0, 0, 0, 255}
		}
		return grey(.5 + math.Sqrt(float64(clr[c]))/CapCells/2)
	}, nil)
	paint("steps", func(c int) color.RGBA {
		switch {
		case !floor[c]:
			return color.RGBA{0, 0, 0, 255}
		case seg[c] != 0:
			return color.RGBA{255, 0, 0, 255}
		case steps2[c] != 0:
			return color.RGBA{255, 160, 0, 255}
		case steps[c] != 0:
			return color.RGBA{0, 160, 255, 255}
		case tax[c] != 0:
			return color.RGBA{120, 220, 120, 255}
		}
		return color.RGBA{220, 220, 220, 255}
	}, nil)

	var p Splitter
	owned := w.Grow(-r.StepMargin())
	part, of, err := p.Split(r, own, s, owned)
	if err != nil {
		t.Fatal(err)
	}
	comp := make([]uint32, w.Cells())
	for i, k := 0, 0; i < len(own.H); i++ {
		if gx, gy := w.At(int(own.Cell[i])); owned.Has(gx, gy) {
			comp[own.Cell[i]] = of[k]
			k++
		}
	}
	rng := rand.New(rand.NewPCG(20, 21))
	colours := []color.RGBA{{0, 0, 0, 255}}
	for range part.First {
		colours = append(colours, color.RGBA{uint8(80 + rng.IntN(176)), uint8(80 + rng.IntN(176)), uint8(80 + rng.IntN(176)), 255})
	}
	paint("components", func(c int) color.RGBA { return colours[comp[c]] }, func(img *image.RGBA) {
		// Where one component steps to another, a dot on the side it leaves.
		rise := r.Rise(s, true, nil)
		for i, h := range own.H {
			c := int(own.Cell[i])
			x, y := c%w.NX, c/w.NX
			for _, d := range neighbours8[:4] {
				u, v := x+d[0], y+d[1]
				if u < 0 || v < 0 || u >= w.NX || v >= w.NY {
					continue
				}
				b := v*w.NX + u
				for _, to := range own.Heights(b) {
					if comp[c] != 0 && comp[b] != 0 && comp[c] != comp[b] && rise.OK(c, d[0], d[1], h, to) {
						for k := range 2 {
							px, py := x*scale+1+k+d[0], y*scale+1+k+d[1]
							img.SetRGBA(px, w.NY*scale-1-py, color.RGBA{255, 0, 0, 255})
							img.SetRGBA(px+1-k, w.NY*scale-1-py, color.RGBA{255, 0, 0, 255})
						}
					}
				}
			}
		}
	})
	t.Logf("%d components, %d edges", len(part.First), len(part.Edges))
}
