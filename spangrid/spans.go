package spangrid

import "math"

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

// Steps is the lattice of heights: they are multiples of 1/Steps metres.
const Steps = 64

// Quantize returns the multiple of 1/64 m nearest to h, of two the even one.
// All heights within 2^17 m are exact, and so are their differences.
func Quantize(h float32) float32 {
	return float32(math.RoundToEven(float64(h)*Steps) / Steps)
}

// A SpanBuilder makes spans of samples and keeps its scratch. It is for one
// goroutine.
type SpanBuilder struct {
	start []int32   // first sample of each cell
	at    []int32   // samples by cell and height
	means []float32 // column before bridging
	first []int32   // first of means of each cell
}

// Build appends what is missing between pieces of floor to the samples (see
// bridge) and merges all samples into dst: sorted by height, a sample more than
// MergeH above the first one of a group opens the next, and a group becomes a
// span at its mean, rounded by [Quantize]. Groups that are rounded to one height
// become one span.
//
// A cell at the rim of the window has too few neighbours to be bridged, so
// callers give a window one cell larger than what they keep. Time is linear
// in cells and samples, but for columns of very many samples.
func (b *SpanBuilder) Build(dst *Spans, w Window, s *Samples, r *Rules) {
	b.sort(w, s)
	b.mean(w, s, r)
	n := s.Len()
	b.bridge(w, s, r)
	if s.Len() > n {
		b.sort(w, s)
	}
	dst.Reset()
	for c := range w.Cells() {
		b.merge(dst, int32(c), b.at[b.start[c]:b.start[c+1]], s, r)
	}
}

// sort orders the samples by cell, then height. Samples of equal height are
// interchangeable but for their inside flag, which is only asked for as a
// whole.
func (b *SpanBuilder) sort(w Window, s *Samples) {
	cells := w.Cells()
	b.start = zeroed(b.start, cells+1)
	for _, c := range s.Cell {
		b.start[c+1]++
	}
	for c := range cells {
		b.start[c+1] += b.start[c]
	}
	b.at = zeroed(b.at, s.Len())
	for i, c := range s.Cell { // start[c] moves to the end of c's samples
		b.at[b.start[c]] = int32(i)
		b.start[c]++
	}
	copy(b.start[1:], b.start[:cells])
	b.start[0] = 0
	for c := range cells {
		sortByHeight(b.at[b.start[c]:b.start[c+1]], s.H)
	}
}

// sortByHeight is an insertion sort, and a heap sort where a cell has very many
// samples.
func sortByHeight(at []int32, h []float32) {
	if len(at) > 64 {
		heapSort(at, h)
		return
	}
	for i := 1; i < len(at); i++ {
		v := at[i]
		j := i
		for ; j > 0 && h[at[j-1]] > h[v]; j-- {
			at[j] = at[j-1]
		}
		at[j] = v
	}
}

func heapSort(at []int32, h []float32) {
	sift := func(i, n int) {
		for {
			c := 2*i + 1
			if c >= n {
				return
			}
			if c+1 < n && h[at[c+1]] > h[at[c]] {
				c++
			}
			if h[at[c]] <= h[at[i]] {
				return
			}
			at[i], at[c] = at[c], at[i]
			i = c
		}
	}
	for i := len(at)/2 - 1; i >= 0; i-- {
		sift(i, len(at))
	}
	for n := len(at) - 1; n > 0; n-- {
		at[0], at[n] = at[n], at[0]
		sift(0, n)
	}
}

// groupEnd returns the end of the group that begins at i: the samples up to
// MergeH above the first.
func groupEnd(at []int32, i int, s *Samples, r *Rules) (end int, mean float32) {
	base := float64(s.H[at[i]])
	sum := 0.0
	end = i
	for end < len(at) && float64(s.H[at[end]])-base <= r.MergeH {
		sum += float64(s.H[at[end]])
		end++
	}
	return end, float32(sum / float64(end-i))
}

// mean makes the columns that bridging looks at, not rounded.
func (b *SpanBuilder) mean(w Window, s *Samples, r *Rules) {
	b.means = b.means[:0]
	b.first = zeroed(b.first, w.Cells()+1)
	for c := range w.Cells() {
		at := b.at[b.start[c]:b.start[c+1]]
		for i := 0; i < len(at); {
			end, mean := groupEnd(at, i, s, r)
			b.means = append(b.means, mean)
			i = end
		}
		b.first[c+1] = int32(len(b.means))
	}
}

// merge makes the spans of a cell.
func (b *SpanBuilder) merge(dst *Spans, cell int32, at []int32, s *Samples, r *Rules) {
	from := dst.Len()
	for i := 0; i < len(at); {
		end, mean := groupEnd(at, i, s, r)
		bits := uint8(0)
		for _, k := range at { // of any group: what is near counts
			if s.In[k] {
				if d := s.H[k] - mean; d >= -CoreTolerance && d <= CoreTolerance {
					bits |= Inside
					break
				}
			}
		}
		h := Quantize(mean)
		if n := dst.Len(); n > from && dst.H[n-1] == h {
			dst.Bits[n-1] |= bits
		} else {
			dst.Cell = append(dst.Cell, cell)
			dst.H = append(dst.H, h)
			dst.Bits = append(dst.Bits, bits)
		}
		i = end
	}
}

// bridge closes gaps of one cell between pieces of floor that should meet: an
// empty cell between two occupied ones, in x or in y, gets the mean of the two
// spans nearest in height, where they are within the climb. What is bridged
// bridges nothing further.
func (b *SpanBuilder) bridge(w Window, s *Samples, r *Rules) {
	for _, d := range [2]int{1, w.NX} {
		for y := range w.NY {
			for x := range w.NX {
				if d == 1 && (x == 0 || x == w.NX-1) || d != 1 && (y == 0 || y == w.NY-1) {
					continue
				}
				c := y*w.NX + x
				if b.first[c] == b.first[c+1] {
					b.between(c, d, s, r)
				}
			}
		}
	}
}

// between bridges cell c, which is empty, from its neighbours c-d and c+d.
func (b *SpanBuilder) between(c, d int, s *Samples, r *Rules) {
	high := b.means[b.first[c+d]:b.first[c+d+1]]
	low := b.means[b.first[c-d]:b.first[c-d+1]]
	if len(high) == 0 || len(low) == 0 {
		return
	}
	best := float32(math.Inf(1))
	var h float32
	for _, p := range high {
		for _, q := range low {
			diff := p - q
			if diff < 0 {
				diff = -diff
			}
			if diff < best {
				best, h = diff, (p+q)*0.5
			}
		}
	}
	if float64(best) <= r.Climb {
		s.add(c, h, false)
	}
}
