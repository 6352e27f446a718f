package spangrid

import (
	"math"
	"slices"
)

// Bits of [Spans.Bits].
const (
	Dead   uint8 = 1 << iota // a wall passes near, within the wall band
	Inside                   // a sample within CoreTolerance lies inside its triangle
)

// Spans are the surfaces of a window, by cell and height. Heights of a cell
// differ.
type Spans struct {
	Cell []int32
	H    []float32
	Bits []uint8
}

// Reset empties the list.
func (s *Spans) Reset() { s.Cell, s.H, s.Bits = s.Cell[:0], s.H[:0], s.Bits[:0] }

// Len returns the number of spans.
func (s *Spans) Len() int { return len(s.Cell) }

// add appends a span, or adds the bits to the last one where cell and height are
// the same.
func (s *Spans) add(cell int32, h float32, bits uint8) {
	if n := len(s.Cell) - 1; n >= 0 && s.Cell[n] == cell && s.H[n] == h {
		s.Bits[n] |= bits
		return
	}
	s.Cell = append(s.Cell, cell)
	s.H = append(s.H, h)
	s.Bits = append(s.Bits, bits)
}

// Steps is the lattice of heights: they are multiples of 1/Steps metres.
const Steps = 64

// Quantize returns the multiple of 1/64 m nearest to h, of two the even one,
// and never a negative zero. Within 2^17 m it is exact, and differences of such
// heights are exact too.
func Quantize(h float32) float32 {
	q := math.RoundToEven(float64(h)*Steps) / Steps
	if q == 0 {
		return 0
	}
	return float32(q)
}

// A SpanBuilder makes spans of samples and keeps its scratch, which is 8 bytes
// a sample and cell, and 5 a span. The zero value is ready. It is for one
// goroutine.
type SpanBuilder struct {
	start  []int32  // first sample of each cell, and the total
	key    []uint64 // samples by cell and height, see sampleKey
	first  []int32  // first surface of each cell, and the total
	mean   []float32
	inside []uint8 // Inside or 0
}

// Build merges samples into dst. In a cell, sorted by height, a sample more than
// MergeH above the first one of a group opens the next group, and a group becomes
// a span at its mean height: comparing with the first, not with the one before,
// keeps slopes from running together. Then gaps between pieces of floor are
// bridged (see between), and heights rounded by [Quantize]; spans of a cell that
// are rounded to one height become one.
//
// A cell at the rim of the window has too few neighbours to be bridged, so
// callers give a window one cell larger than what they keep. The order of the
// samples has no influence. Time is linear in cells and samples, and a logarithm
// more in columns of very many samples.
func (b *SpanBuilder) Build(dst *Spans, w Window, s *Samples, r *Rules) {
	b.sort(w, s)
	b.merge(w, r)
	dst.Reset()
	for y := range w.NY {
		for x := range w.NX {
			c := y*w.NX + x
			i, end := b.first[c], b.first[c+1]
			if i == end {
				b.bridge(dst, w, x, y, r)
			}
			for ; i < end; i++ {
				dst.add(int32(c), Quantize(b.mean[i]), b.inside[i])
			}
		}
	}
}

// sampleKey returns a number that sorts samples by height. Those of equal height
// are interchangeable: whether one is inside is asked of the height as a whole.
func sampleKey(h float32, in bool) uint64 {
	v := math.Float32bits(h)
	if v>>31 != 0 {
		v = ^v
	} else {
		v |= 1 << 31
	}
	k := uint64(v) << 1
	if in {
		k |= 1
	}
	return k
}

// keyHeight returns the height of a key; the lowest bit says whether it is
// inside.
func keyHeight(k uint64) float32 {
	v := uint32(k >> 1)
	if v>>31 != 0 {
		v &^= 1 << 31
	} else {
		v = ^v
	}
	return math.Float32frombits(v)
}

// sort orders the samples by cell, then height: it counts the cells, and sorts
// inside each.
func (b *SpanBuilder) sort(w Window, s *Samples) {
	cells := w.Cells()
	b.start = zeroed(b.start, cells+1)
	start := b.start
	for _, c := range s.Cell {
		start[c]++
	}
	n := int32(0)
	for c, k := range start {
		n += k
		start[c] = n // end of the cell; goes down to its start
	}
	b.key = sized(b.key, len(s.Cell))
	for i, c := range s.Cell {
		start[c]--
		b.key[start[c]] = sampleKey(s.H[i], s.In[i])
	}
	for c := range cells {
		if i, end := start[c], start[c+1]; end-i > 1 {
			sortKeys(b.key[i:end])
		}
	}
}

// sortKeys sorts few keys by insertion.
func sortKeys(key []uint64) {
	if len(key) > 32 {
		slices.Sort(key)
		return
	}
	for i := 1; i < len(key); i++ {
		v, j := key[i], i
		for ; j > 0 && key[j-1] > v; j-- {
			key[j] = key[j-1]
		}
		key[j] = v
	}
}

// merge makes the groups of all cells.
func (b *SpanBuilder) merge(w Window, r *Rules) {
	b.mean, b.inside = b.mean[:0], b.inside[:0]
	b.first = sized(b.first, w.Cells()+1)
	b.first[0] = 0
	for c := range w.Cells() {
		if key := b.key[b.start[c]:b.start[c+1]]; len(key) > 0 {
			b.column(key, r.MergeH)
		}
		b.first[c+1] = int32(len(b.mean))
	}
}

// column makes the groups of a cell.
func (b *SpanBuilder) column(key []uint64, mergeH float64) {
	near := 0 // first sample that is not too far below the group for CoreTolerance
	for i := 0; i < len(key); {
		lowest := float64(keyHeight(key[i]))
		sum := lowest
		end := i + 1
		for ; end < len(key); end++ {
			h := float64(keyHeight(key[end]))
			if h-lowest > mergeH {
				break
			}
			sum += h
		}
		mean := float32(sum / float64(end-i))
		// Any sample of the cell counts, of whatever group.
		for near < len(key) && keyHeight(key[near])-mean < -CoreTolerance {
			near++
		}
		in := uint8(0)
		for k := near; k < len(key) && keyHeight(key[k])-mean <= CoreTolerance; k++ {
			if key[k]&1 != 0 {
				in = Inside
				break
			}
		}
		b.mean = append(b.mean, mean)
		b.inside = append(b.inside, in)
		i = end
	}
}
