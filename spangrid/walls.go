package spangrid

import (
	"fmt"
	"math"
)

// A Wall is a boundary edge of walkable ground, seen from above in px, and the
// mean of its two heights.
type Wall struct {
	AX, AY, BX, BY float64
	H              float64
}

// maxWallSamples is the most samples of one edge: 400 km at the finest step.
const maxWallSamples = 1 << 24

// samples returns into how many stretches of at most step px a wall is cut:
// its samples are one more.
func (e *Wall) samples(step float64) (int, error) {
	dx, dy := e.BX-e.AX, e.BY-e.AY
	n := math.Ceil(math.Sqrt(float64(dx*dx)+float64(dy*dy)) / step)
	if !(n < maxWallSamples) {
		return 0, fmt.Errorf("spangrid: boundary edge from %v,%v to %v,%v takes more than %d samples", e.AX, e.AY, e.BX, e.BY, maxWallSamples)
	}
	return max(int(n), 1), nil
}

// walk calls do with the cell of each sample of a wall that lies in the
// window; a cell may come several times, mostly in a row.
func (e *Wall) walk(w Window, step float64, do func(cell int)) error {
	n, err := e.samples(step)
	if err != nil {
		return err
	}
	dx, dy := e.BX-e.AX, e.BY-e.AY
	first, last := e.clip(w, n)
	before := -1
	for i := first; i <= last; i++ {
		t := float64(i) / float64(n)
		gx, gy := CellOf(e.AX+float64(dx*t)), CellOf(e.AY+float64(dy*t))
		if !w.Has(gx, gy) {
			continue
		}
		if c := w.Cell(gx, gy); c != before {
			do(c)
			before = c
		}
	}
	return nil
}

// clip returns which samples, of 0 to n, can lie in a window, with some to
// spare: a long wall passes many tiles.
func (e *Wall) clip(w Window, n int) (first, last int) {
	lo, hi := 0.0, 1.0
	cut := func(a, b, min, max float64) {
		d := b - a
		if d == 0 {
			if a < min || a > max {
				lo, hi = 1, 0
			}
			return
		}
		t0, t1 := (min-a)/d, (max-a)/d
		if t0 > t1 {
			t0, t1 = t1, t0
		}
		lo, hi = math.Max(lo, t0), math.Min(hi, t1)
	}
	cut(e.AX, e.BX, float64(w.GX-1)*Side, float64(w.GX+w.NX+1)*Side)
	cut(e.AY, e.BY, float64(w.GY-1)*Side, float64(w.GY+w.NY+1)*Side)
	if lo > hi {
		return 0, -1
	}
	return max(int(lo*float64(n))-1, 0), min(int(hi*float64(n))+2, n)
}

// inBand reports whether a surface is within the band of a wall.
func (r *Rules) inBand(h float32, wall float64) bool {
	return math.Abs(float64(h)-wall) <= r.Band
}

// StampDead marks the spans of a window that walls pass: those of each cell a
// sample of a wall lies in that are within the band of the wall's mean height. It
// is linear in the samples inside the window, times layers.
func StampDead(s *Spans, w Window, walls []Wall, r *Rules) error {
	start := make([]int32, w.Cells()+1)
	for _, c := range s.Cell {
		start[c+1]++
	}
	for c := range w.Cells() {
		start[c+1] += start[c]
	}
	for i := range walls {
		e := &walls[i]
		err := e.walk(w, r.WallStep, func(c int) {
			for k := start[c]; k < start[c+1]; k++ {
				if r.inBand(s.H[k], e.H) {
					s.Bits[k] |= Dead
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// A Tops tells the highest span of each region in each cell of a window.
type Tops struct {
	Window
	start  []int32
	region []uint32
	h      []float32
}

// Reset takes the spans of a window by cell, then height, with their regions.
func (t *Tops) Reset(w Window, cell []int32, h []float32, region []uint32) {
	t.Window = w
	t.start = zeroed(t.start, w.Cells()+1)
	t.region, t.h = t.region[:0], t.h[:0]
	for i := 0; i < len(cell); {
		c, from := cell[i], len(t.region)
	spans:
		for ; i < len(cell) && cell[i] == c; i++ {
			for k := from; k < len(t.region); k++ {
				if t.region[k] == region[i] {
					t.h[k] = h[i]
					continue spans
				}
			}
			t.region, t.h = append(t.region, region[i]), append(t.h, h[i])
		}
		t.start[c+1] = int32(len(t.region) - from)
	}
	for c := range w.Cells() {
		t.start[c+1] += t.start[c]
	}
}

// AppendKeepers appends the regions that keep a wall, as far as this window
// tells: those whose highest span in the cell of some sample is within the band
// of the wall's height. A region may come several times. What keeps a wall in
// the zone is the union over windows that cover it.
func (t *Tops) AppendKeepers(dst []uint32, e *Wall, r *Rules) ([]uint32, error) {
	from := len(dst)
	err := e.walk(t.Window, r.WallStep, func(c int) {
	regions:
		for k := t.start[c]; k < t.start[c+1]; k++ {
			if !r.inBand(t.h[k], e.H) {
				continue
			}
			for _, have := range dst[from:] {
				if have == t.region[k] {
					continue regions
				}
			}
			dst = append(dst, t.region[k])
		}
	})
	return dst, err
}

// WallHits sets the cells of a window that walls run through.
func WallHits(hit Mask, w Window, walls []Wall, r *Rules) error {
	for i := range walls {
		if err := walls[i].walk(w, r.HitStep, func(c int) { hit[c] = true }); err != nil {
			return err
		}
	}
	return nil
}
