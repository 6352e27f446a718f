package spangrid

import "math/bits"

// Columns is a table of spans: for each cell of a window its heights,
// ascending. Empty cells cost a bit, and a lookup is a bit test and a
// population count.
//
// A Columns is for reading by any number of goroutines once it is built. It is
// reused by [Columns.Reset].
type Columns struct {
	Window
	H    []float32 // heights by cell, ascending inside a cell
	Cell []int32   // cell of each span, ascending

	bits  []uint64 // which cells have spans
	rank  []int32  // cells with spans before each word
	start []int32  // first span of each cell with spans, and the total
	dense []int32  // instead of these: first span of each cell, and the total
	climb float64  // see Face
}

// DenseColumns returns a table for lookups alone, of [Columns.Range],
// [Columns.Heights] and [Columns.Face] that is, with the first span of each cell
// of the window, and the total. Heights ascend inside a cell. It has no Cell, and
// costs 4 bytes a cell, empty or not; lookups take half the time.
func DenseColumns(w Window, first []int32, h []float32, climb float64) Columns {
	return Columns{Window: w, H: h, dense: first, climb: climb}
}

// Reset empties the table for a window. Spans follow by [Columns.Append], in
// order, and [Columns.Finish] ends them.
func (t *Columns) Reset(w Window) {
	t.Window = w
	t.H, t.Cell = t.H[:0], t.Cell[:0]
	words := (w.Cells() + 63) / 64
	t.bits = zeroed(t.bits, words)
	t.rank = zeroed(t.rank, words)
	t.start = t.start[:0]
	t.dense = nil
}

// Append adds a span. Cells must not descend, nor heights inside a cell.
func (t *Columns) Append(cell int32, h float32) {
	t.Cell = append(t.Cell, cell)
	t.H = append(t.H, h)
}

// Finish indexes what was appended. climb is [Rules.Climb].
func (t *Columns) Finish(climb float64) {
	last := int32(-1)
	for i, c := range t.Cell {
		if c == last {
			continue
		}
		t.bits[c>>6] |= 1 << (c & 63)
		t.start = append(t.start, int32(i))
		last = c
	}
	t.start = append(t.start, int32(len(t.H)))
	n := int32(0)
	for w, b := range t.bits {
		t.rank[w] = n
		n += int32(bits.OnesCount64(b))
	}
	t.climb = climb
}

// index returns the place of a cell among those with spans, or -1.
func (t *Columns) index(cell int) int {
	w := t.bits[uint(cell)>>6]
	b := uint64(1) << (uint(cell) & 63)
	if w&b == 0 {
		return -1
	}
	return int(t.rank[uint(cell)>>6]) + bits.OnesCount64(w&(b-1))
}

// Range returns the spans of a cell, from first to before end: none where
// they are equal. The cell must be in the window.
func (t *Columns) Range(cell int) (first, end int) {
	if t.dense != nil {
		return int(t.dense[cell]), int(t.dense[cell+1])
	}
	j := t.index(cell)
	if j < 0 {
		return 0, 0
	}
	return int(t.start[j]), int(t.start[j+1])
}

// Heights returns the heights of a cell of the window.
func (t *Columns) Heights(cell int) []float32 {
	if t.dense != nil {
		return t.H[t.dense[cell]:t.dense[cell+1]]
	}
	j := t.index(cell)
	if j < 0 {
		return nil
	}
	return t.H[t.start[j]:t.start[j+1]]
}

// Face reports whether a cell of the window is a face: three or more spans that
// reach over more than the climb. It is what a rasterised wall leaves.
func (t *Columns) Face(cell int) bool {
	h := t.Heights(cell)
	return len(h) > 2 && float64(h[len(h)-1])-float64(h[0]) > t.climb
}

// zeroed returns s with length n and all values zero.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
