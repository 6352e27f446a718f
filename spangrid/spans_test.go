package spangrid

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// build returns the spans of samples.
func build(w Window, s *Samples) *Spans {
	var b SpanBuilder
	var out Spans
	b.Build(&out, w, s, reference())
	return &out
}

// column is a cell with samples for neighbours that cannot be bridged to.
func column(heights ...float32) (Window, *Samples) {
	var s Samples
	for _, h := range heights {
		s.add(0, h, false)
	}
	return Window{NX: 1, NY: 1}, &s
}

func TestMergeAgainstTheFirst(t *testing.T) {
	for _, test := range []struct{ heights, want []float32 }{
		{[]float32{0, .1, .2, .3, .45, .5, 3, 3.1}, []float32{.1, .41666666, 3.05}},
		{[]float32{0, .25, .26}, []float32{.125, .26}},
		{[]float32{3.1, .5, .1, .45, .2, 0, 3, .3}, []float32{.1, .41666666, 3.05}},
		{[]float32{-.25, 0, .25}, []float32{-.125, .25}},
	} {
		w, s := column(test.heights...)
		var b SpanBuilder
		b.sort(w, s)
		b.merge(w, reference())
		if diff := cmp.Diff(test.want, b.mean); diff != "" {
			t.Errorf("%v: %s", test.heights, diff)
		}
		got := build(w, s).H
		for i, h := range test.want {
			test.want[i] = Quantize(h)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%v, rounded: %s", test.heights, diff)
		}
	}
}

func TestQuantize(t *testing.T) {
	for _, test := range [][2]float32{
		{0, 0}, {1. / 64, 1. / 64}, {1. / 128, 0}, {3. / 128, 2. / 64}, {-3. / 128, -2. / 64},
		{.1, 6. / 64}, {131071.99, 131072}, {-131071.99, -131072},
	} {
		if got := Quantize(test[0]); got != test[1] {
			t.Errorf("%v became %v, want %v", test[0], got, test[1])
		}
	}
	if h := Quantize(-1e-6); math.Signbit(float64(h)) {
		t.Error("a negative zero")
	}
}

// Spans may be as close as rounding: those that meet become one, with what either
// was.
func TestSpansThatRoundToOneHeight(t *testing.T) {
	w := Window{NX: 1, NY: 1}
	r := reference()
	r.MergeH = .001
	var s Samples
	s.add(0, 0, false)
	s.add(0, .003, true)
	var b SpanBuilder
	var got Spans
	b.Build(&got, w, &s, r)
	want := Spans{Cell: []int32{0}, H: []float32{0}, Bits: []uint8{Inside}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestInsideBit(t *testing.T) {
	for _, test := range []struct {
		name   string
		at, in float32
		want   uint8
	}{
		{"own sample", 0, 0, Inside},
		{"of another group", 0, .5, Inside},
		{"at the tolerance", 0, 1, Inside},
		{"at the tolerance, below", 0, -1, Inside},
		{"beyond", 0, 1.001, 0},
		{"beyond, below", 0, -1.001, 0},
	} {
		w, s := column(test.at)
		s.add(0, test.in, true)
		got := build(w, s)
		i := slices.Index(got.H, 0)
		if i < 0 || got.Bits[i] != test.want {
			t.Errorf("%s: %+v, want bits %d at height 0", test.name, got, test.want)
		}
	}
	// The mean counts before it is rounded: it is .006, and rounded it would be
	// too far from the sample.
	w, s := column(.006)
	s.add(0, 1.0055, true)
	if got := build(w, s); got.H[0] != 0 || got.Bits[0] != Inside {
		t.Errorf("measured from the rounded height: %+v", got)
	}
}

// samplesOf makes samples of the heights of each cell.
func samplesOf(heights [][]float32) *Samples {
	var s Samples
	for c, list := range heights {
		for _, h := range list {
			s.add(c, h, true)
		}
	}
	return &s
}

func spansAt(s *Spans, cell int) (h []float32) {
	for i, c := range s.Cell {
		if int(c) == cell {
			h = append(h, s.H[i])
		}
	}
	return h
}

func TestBridge(t *testing.T) {
	for _, test := range []struct {
		name, row string
		want      []float32
	}{
		{"nearest pair", "{0, 4}, , 3.6", []float32{Quantize(3.8)}},
		{"too far apart", "0, , 3.5", nil},
		{"at the climb", "0, , 3", []float32{1.5}},
		{"first of equal pairs", "{0, 2}, , 1", []float32{.5}},
		{"first of equal pairs, by the side behind first", "{1, 4}, , {0, 5}", []float32{.5}},
		{"nothing on one side", "0, , ", nil},
	} {
		cols := parseStrip(t, test.row)
		if len(cols) < 3 {
			cols = append(cols, nil)
		}
		for _, upright := range []bool{false, true} {
			w := Window{NX: 3, NY: 1}
			if upright {
				w = Window{NX: 1, NY: 3}
			}
			if diff := cmp.Diff(test.want, spansAt(build(w, samplesOf(cols)), 1)); diff != "" {
				t.Errorf("%s, upright %v: %s", test.name, upright, diff)
			}
		}
	}
}

func TestBridgedCellsAreNotInside(t *testing.T) {
	s := build(Window{NX: 3, NY: 1}, samplesOf([][]float32{{0}, nil, {0}}))
	if want := []uint8{Inside, 0, Inside}; !slices.Equal(s.Bits, want) {
		t.Errorf("bits %v, want %v", s.Bits, want)
	}
}

// Arms of a cross are bridged and the crossing is not; neither are gaps of two.
func TestBridgeAtACross(t *testing.T) {
	w := Window{NX: 7, NY: 7}
	cells := make([][]float32, w.Cells())
	for c := range cells {
		if x, y := w.At(c); x != 3 && y != 3 {
			cells[c] = []float32{1}
		}
	}
	got := build(w, samplesOf(cells))
	for c := range cells {
		x, y := w.At(c)
		if want := !(x == 3 && y == 3); (len(spansAt(got, c)) == 1) != want {
			t.Errorf("cell %d, %d: %v, want a span: %v", x, y, spansAt(got, c), want)
		}
	}
	two := samplesOf([][]float32{{0}, nil, nil, {0}})
	if s := build(Window{NX: 4, NY: 1}, two); s.Len() != 2 {
		t.Errorf("a gap of two cells is bridged: %+v", s)
	}
}

// A hole of one cell is bridged along x and along y; what comes of it are two
// spans where they are too far apart to merge.
func TestBridgeOverAHole(t *testing.T) {
	w := Window{NX: 3, NY: 3}
	hole := func(left, right, near, far float32) []float32 {
		cells := make([][]float32, 9)
		cells[3], cells[5], cells[1], cells[7] = []float32{left}, []float32{right}, []float32{near}, []float32{far}
		return spansAt(build(w, samplesOf(cells)), 4)
	}
	if diff := cmp.Diff([]float32{1, Quantize(1.4)}, hole(1.3, 1.5, 1, 1)); diff != "" {
		t.Errorf("apart: %s", diff)
	}
	if diff := cmp.Diff([]float32{1.125}, hole(1.25, 1.25, 1, 1)); diff != "" {
		t.Errorf("near: %s", diff)
	}
}

// plainSpans makes spans by the definition, with lists of samples and a bridge
// that adds to them.
func plainSpans(w Window, s *Samples, r *Rules) *Spans {
	type sample struct {
		h  float32
		in bool
	}
	cells := make([][]sample, w.Cells())
	for i, c := range s.Cell {
		cells[c] = append(cells[c], sample{s.H[i], s.In[i]})
	}
	means := func(list []sample) (out []float32) {
		slices.SortFunc(list, func(a, b sample) int {
			if a.h < b.h {
				return -1
			}
			if a.h > b.h {
				return 1
			}
			return 0
		})
		for len(list) > 0 {
			n := 1
			for n < len(list) && float64(list[n].h)-float64(list[0].h) <= r.MergeH {
				n++
			}
			sum := 0.0
			for _, v := range list[:n] {
				sum += float64(v.h)
			}
			out = append(out, float32(sum/float64(n)))
			list = list[n:]
		}
		return out
	}
	frozen := make([][]float32, len(cells))
	for c := range cells {
		frozen[c] = means(cells[c])
	}
	for _, d := range [][2]int{{1, 0}, {0, 1}} {
		for c := range cells {
			x, y := c%w.NX, c/w.NX
			if len(frozen[c]) > 0 || x < d[0] || y < d[1] || x+d[0] >= w.NX || y+d[1] >= w.NY {
				continue
			}
			step := d[1]*w.NX + d[0]
			best, height := float32(math.Inf(1)), float32(0)
			for _, p := range frozen[c+step] {
				for _, q := range frozen[c-step] {
					if diff := float32(math.Abs(float64(p - q))); diff < best {
						best, height = diff, (p+q)*.5
					}
				}
			}
			if best <= float32(r.Climb) {
				cells[c] = append(cells[c], sample{height, false})
			}
		}
	}
	var out Spans
	for c, list := range cells {
		for _, m := range means(list) {
			bits := uint8(0)
			for _, v := range list {
				if v.in && math.Abs(float64(v.h-m)) <= 1 {
					bits = Inside
				}
			}
			q := float32(math.RoundToEven(float64(m)*64) / 64)
			if n := out.Len(); n > 0 && int(out.Cell[n-1]) == c && out.H[n-1] == q {
				out.Bits[n-1] |= bits
				continue
			}
			out.Cell, out.H, out.Bits = append(out.Cell, int32(c)), append(out.H, q), append(out.Bits, bits)
		}
	}
	return &out
}

func TestSpansAgainstDefinition(t *testing.T) {
	var b SpanBuilder // used again and again
	var got Spans
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "samples")))
		w := Window{NX: 1 + rng.IntN(9), NY: 1 + rng.IntN(9)}
		r := reference()
		if rng.IntN(8) == 0 {
			r.MergeH = .01 // so that spans meet when they are rounded
		}
		base := float32(0)
		if rng.IntN(4) == 0 {
			base = 100000 // where float32 heights are 1/128 apart
		}
		var s Samples
		dense := rng.IntN(10) == 0
		for c := range w.Cells() {
			n := rng.IntN(4)
			if dense {
				n = rng.IntN(90)
			}
			for range n {
				h := base + float32(rng.IntN(64)-20)/8
				if rng.IntN(2) == 0 {
					h = base + rng.Float32()*8 - 4
				}
				s.add(c, h, rng.IntN(3) == 0)
			}
		}
		rng.Shuffle(s.Len(), func(i, j int) {
			s.Cell[i], s.Cell[j] = s.Cell[j], s.Cell[i]
			s.H[i], s.H[j] = s.H[j], s.H[i]
			s.In[i], s.In[j] = s.In[j], s.In[i]
		})
		b.Build(&got, w, &s, r)
		if diff := cmp.Diff(plainSpans(w, &s, r), &got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

// A window one cell larger than what is kept gives what the whole gives.
func TestSpansOfAWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "triangles")))
		verts, tris, list := drawTriangles(rng, 10)
		spans := func(w, keep Window) map[[2]int][]float32 {
			var s Samples
			if err := Rasterize(&s, w, verts, tris, list); err != nil {
				t.Fatal(err)
			}
			out := map[[2]int][]float32{}
			got := build(w, &s)
			for i, c := range got.Cell {
				if gx, gy := w.At(int(c)); keep.Has(gx, gy) {
					out[[2]int{gx, gy}] = append(out[[2]int{gx, gy}], got.H[i])
				}
			}
			return out
		}
		keep := Window{rng.IntN(20) - 20, rng.IntN(20) - 20, 1 + rng.IntN(20), 1 + rng.IntN(20)}
		if diff := cmp.Diff(spans(Window{-30, -30, 60, 60}, keep), spans(keep.Grow(1), keep)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Columns of a great many samples, as a wall of small triangles leaves them, take
// no longer than others.
func TestTallColumns(t *testing.T) {
	var s Samples
	const n = 1 << 16
	for i := range n {
		h := float32((i * 40503) % n) // a permutation
		s.add(0, h, true)
		s.add(2, h+1, true)
	}
	got := build(Window{NX: 3, NY: 1}, &s)
	if len(got.Cell) != 2*n+1 {
		t.Fatalf("%d spans, want %d and a bridge", got.Len(), 2*n)
	}
	if h := spansAt(got, 1); len(h) != 1 || h[0] != 1 {
		t.Errorf("bridged at %v, want 1", h)
	}
}

func BenchmarkSpans(b *testing.B) {
	w := Window{-100, -100, 514, 514}
	verts, tris, list := mesh(w, 1)
	var s Samples
	if err := Rasterize(&s, w, verts, tris, list); err != nil {
		b.Fatal(err)
	}
	r := reference()
	var build SpanBuilder
	var out Spans
	build.Build(&out, w, &s, r)
	b.ReportAllocs()
	for b.Loop() {
		build.Build(&out, w, &s, r)
	}
	b.ReportMetric(float64(s.Len())*float64(b.N)/b.Elapsed().Seconds()/1e6, "Msamples/s")
}
