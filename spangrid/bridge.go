package spangrid

import "math"

// bridge adds the spans of an empty cell in a gap one cell wide between pieces of
// floor that should meet. The gap is looked at along x and along y, and each gives
// a sample, which are merged as others are. Neighbours are looked at as they
// are before any bridging, so where two gaps cross, the crossing stays open.
func (b *SpanBuilder) bridge(dst *Spans, w Window, x, y int, r *Rules) {
	c := y*w.NX + x
	var hx, hy float32
	var alongX, alongY bool
	if x > 0 && x < w.NX-1 {
		hx, alongX = b.between(c-1, c+1, r.Climb)
	}
	if y > 0 && y < w.NY-1 {
		hy, alongY = b.between(c-w.NX, c+w.NX, r.Climb)
	}
	if alongX && alongY {
		lo, hi := float64(min(hx, hy)), float64(max(hx, hy))
		if hi-lo <= r.MergeH {
			dst.add(int32(c), Quantize(float32((lo+hi)/2)), 0)
			return
		}
		hx, hy = float32(lo), float32(hi)
	}
	if alongX {
		dst.add(int32(c), Quantize(hx), 0)
	}
	if alongY {
		dst.add(int32(c), Quantize(hy), 0)
	}
}

// between returns the mean of the two surfaces nearest in height, one of each of
// two cells, and whether they are within the climb. Of equally near pairs it takes
// the first, by the height in the cell behind the gap, then in the one before it.
func (b *SpanBuilder) between(before, behind int, climb float64) (h float32, ok bool) {
	low := b.mean[b.first[before]:b.first[before+1]]
	high := b.mean[b.first[behind]:b.first[behind+1]]
	if len(low) == 0 || len(high) == 0 {
		return 0, false
	}
	best := float32(math.Inf(1))
	k := 0
	for _, p := range high {
		// Along low, the distance to p falls and then rises, with level
		// stretches where it is rounded: on to the end of the least ones, and
		// back to the first of them.
		for k+1 < len(low) && distance(p, low[k+1]) <= distance(p, low[k]) {
			k++
		}
		for k > 0 && distance(p, low[k-1]) <= distance(p, low[k]) {
			k--
		}
		if d := distance(p, low[k]); d < best {
			best, h = d, (p+low[k])*0.5
		}
	}
	return h, float64(best) <= climb
}

func distance(a, b float32) float32 {
	if a < b {
		return b - a
	}
	return a - b
}
