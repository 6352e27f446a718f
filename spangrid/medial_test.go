package spangrid

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/pack/bnav"
)

// plainNearest passes sources on as the rule says it, cell by cell.
func plainNearest(w Window, sources Mask) []Source {
	at := make([]Source, w.Cells())
	for c := range at {
		at[c] = Source{-1, -1}
		if sources[c] {
			at[c] = Source{int32(c % w.NX), int32(c / w.NX)}
		}
	}
	take := func(x, y, u, v int) {
		if u < 0 || v < 0 || u >= w.NX || v >= w.NY || at[v*w.NX+u].X < 0 {
			return
		}
		s, mine := at[v*w.NX+u], at[y*w.NX+x]
		d2 := func(s Source) int { return (int(s.X)-x)*(int(s.X)-x) + (int(s.Y)-y)*(int(s.Y)-y) }
		if mine.X < 0 || d2(s) < d2(mine) {
			at[y*w.NX+x] = s
		}
	}
	for y := range w.NY {
		for x := range w.NX {
			take(x, y, x, y-1)
			take(x, y, x-1, y-1)
			take(x, y, x+1, y-1)
			take(x, y, x-1, y)
		}
		for x := w.NX - 2; x >= 0; x-- {
			take(x, y, x+1, y)
		}
	}
	for y := w.NY - 1; y >= 0; y-- {
		for x := w.NX - 1; x >= 0; x-- {
			take(x, y, x, y+1)
			take(x, y, x-1, y+1)
			take(x, y, x+1, y+1)
			take(x, y, x+1, y)
		}
		for x := 1; x < w.NX; x++ {
			take(x, y, x-1, y)
		}
	}
	return at
}

func TestNearestKeepsTheOrder(t *testing.T) {
	var n Nearest
	rapid.Check(t, func(t *rapid.T) {
		w := Window{0, 0, rapid.IntRange(1, 60).Draw(t, "nx"), rapid.IntRange(1, 60).Draw(t, "ny")}
		sources := drawMask(t, w)
		for c := range sources {
			sources[c] = !sources[c]
		}
		if i, bad := firstOther(n.From(w, sources), plainNearest(w, sources)); bad {
			t.Fatalf("cell (%d, %d) differs", i%w.NX, i/w.NX)
		}
	})
}

// TestNearestIsNearlyExact: what two sweeps find is rarely, and then hardly,
// farther than the nearest source.
func TestNearestIsNearlyExact(t *testing.T) {
	w := Window{NX: 150, NY: 150}
	rng := rand.New(rand.NewPCG(5, 6))
	var n Nearest
	var d Distances
	cells, off := 0, 0
	for range 20 {
		free := slices.Repeat(Mask{true}, w.Cells())
		for range 60 {
			free[rng.IntN(len(free))] = false
		}
		sources := make(Mask, len(free))
		for c, f := range free {
			sources[c] = !f
		}
		clr := d.Clearance(nil, w, free, OpenBorder)
		for c, s := range n.From(w, sources) {
			got := away(s, int32(c%w.NX), int32(c/w.NX))
			if clr[c] == CapSquared {
				continue
			}
			cells++
			switch want := int64(clr[c]); {
			case got < want:
				t.Fatalf("cell %d: a source at %d, the nearest at %d", c, got, want)
			case got > want:
				off++
			}
		}
	}
	if off*1000 > cells {
		t.Errorf("%d of %d cells have not the nearest source", off, cells)
	}
	t.Logf("%d of %d cells have not the nearest source", off, cells)
}

func TestMedialIsWhatItSays(t *testing.T) {
	var n Nearest
	var d Distances
	rapid.Check(t, func(t *rapid.T) {
		w := Window{0, 0, rapid.IntRange(1, 120).Draw(t, "nx"), rapid.IntRange(1, 60).Draw(t, "ny")}
		clr := d.Clearance(nil, w, drawMask(t, w), OpenBorder)
		lambda2 := rapid.IntRange(1, 12).Draw(t, "lambda2")
		sources := make(Mask, len(clr))
		for c, v := range clr {
			sources[c] = v == 0
		}
		at := plainNearest(w, sources)
		got := n.Medial(nil, w, clr, lambda2)
		for c := range got {
			x, y := c%w.NX, c/w.NX
			want := false
			for v := max(y-1, 0); v <= min(y+1, w.NY-1); v++ {
				for u := max(x-1, 0); u <= min(x+1, w.NX-1); u++ {
					s, o := at[c], at[v*w.NX+u]
					if s.X >= 0 && o.X >= 0 && int(s.X-o.X)*int(s.X-o.X)+int(s.Y-o.Y)*int(s.Y-o.Y) >= lambda2 {
						want = true
					}
				}
			}
			want = want && clr[c] > 0 && clr[c] < CapSquared
			if got[c] != want {
				t.Fatalf("cell (%d, %d): %v", x, y, got[c])
			}
		}
	})
}

// axis draws the medial axis of a mask as 'o'.
func axis(rows ...string) string {
	w, m := maskOf(rows...)
	var d Distances
	var n Nearest
	return drawAxis(w, m, n.Medial(nil, w, d.Clearance(nil, w, m, OpenBorder), 4))
}

func drawAxis(w Window, free, medial Mask) string {
	var b strings.Builder
	for c, m := range medial {
		switch {
		case m:
			b.WriteByte('o')
		case free[c]:
			b.WriteByte('.')
		default:
			b.WriteByte('#')
		}
		if c%w.NX == w.NX-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func TestMedialOfBands(t *testing.T) {
	const solid, free, mid = "#########", ".........", "ooooooooo"
	for _, k := range []struct {
		height int
		rows   []int
	}{{1, []int{1}}, {2, []int{1, 2}}, {7, []int{4, 5}}, {8, []int{4, 5}}} {
		in, want := []string{solid}, []string{solid}
		for y := 1; y <= k.height; y++ {
			in = append(in, free)
			if slices.Contains(k.rows, y) {
				want = append(want, mid)
			} else {
				want = append(want, free)
			}
		}
		in, want = append(in, solid), append(want, solid, "")
		if diff := cmp.Diff(strings.Join(want, "\n"), axis(in...)); diff != "" {
			t.Errorf("band of %d:\n%s", k.height, diff)
		}
	}
}

// TestMedialAtAStep: a wall that steps back by a single cell already has a
// branch: beside the corner the nearest obstacles are two cells apart.
func TestMedialAtAStep(t *testing.T) {
	got := axis(
		"############",
		"......######",
		"............",
		"............",
		"............",
		"............",
		"............",
	)
	rows := strings.Split(got, "\n")
	for _, k := range []struct{ y, first, last int }{{1, 4, 4}, {2, 3, 5}, {3, 3, 5}, {4, 3, 4}} {
		for x := range 12 {
			if want := x >= k.first && x <= k.last; (rows[k.y][x] == 'o') != want {
				t.Errorf("(%d, %d) on the axis: %v, want %v\n%s", x, k.y, !want, want, got)
			}
		}
	}
}

func TestMedialIsStraightAlongAStaircase(t *testing.T) {
	// A wall at 45 degrees has no branches.
	w := Window{NX: 40, NY: 40}
	m := make(Mask, w.Cells())
	for c := range m {
		m[c] = c%w.NX > c/w.NX
	}
	var d Distances
	var n Nearest
	if got := n.Medial(nil, w, d.Clearance(nil, w, m, OpenBorder), 4); got.Count() != 0 {
		t.Errorf("branches:\n%s", drawAxis(w, m, got))
	}
}

func TestMedialStopsAtTheCap(t *testing.T) {
	// Two walls 101 cells apart: in the middle no wall is near enough to count.
	w := Window{NX: 3, NY: 103}
	m := slices.Repeat(Mask{true}, w.Cells())
	for x := range 3 {
		m[x], m[102*3+x] = false, false
	}
	var d Distances
	var n Nearest
	if got := n.Medial(nil, w, d.Clearance(nil, w, m, OpenBorder), 4); got.Count() != 0 {
		t.Errorf("%d cells", got.Count())
	}
}

// TestMedialDoesNotMindTheWindow cuts windows out of a larger one: a cell that
// is 90 cells away from the rim has what the whole field gives it.
func TestMedialDoesNotMindTheWindow(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var d Distances
	var n Nearest
	for round := range 12 {
		w := Window{NX: 330, NY: 300}
		m := slices.Repeat(Mask{true}, w.Cells())
		for range 20 << (round % 5) {
			x, y := rng.IntN(w.NX), rng.IntN(w.NY)
			for v := y; v < min(y+rng.IntN(20)+1, w.NY); v++ {
				for u := x; u < min(x+rng.IntN(20)+1, w.NX); u++ {
					m[v*w.NX+u] = false
				}
			}
		}
		whole := n.Medial(nil, w, d.Clearance(nil, w, m, OpenBorder), 4)
		cut := Window{rng.IntN(80), rng.IntN(60), 240, 230}
		part := make(Mask, cut.Cells())
		for c := range part {
			gx, gy := cut.At(c)
			part[c] = m[w.Cell(gx, gy)]
		}
		got := n.Medial(nil, cut, d.Clearance(nil, cut, part, OpenBorder), 4)
		for c := range got {
			gx, gy := cut.At(c)
			if x, y := c%cut.NX, c/cut.NX; min(x, y, cut.NX-1-x, cut.NY-1-y) >= 90 && got[c] != whole[w.Cell(gx, gy)] {
				t.Fatalf("round %d: (%d, %d) is %v in the window", round, gx, gy, got[c])
			}
		}
	}
}

func TestCorridor(t *testing.T) {
	// A street 9 cells wide that opens to a square.
	w := Window{NX: 60, NY: 41}
	m := make(Mask, w.Cells())
	for c := range m {
		x, y := c%w.NX, c/w.NX
		m[c] = x > 0 && x < 59 && y > 0 && y < 40 && (x >= 30 || y >= 16 && y <= 24)
	}
	path := make(Mask, w.Cells())
	for x := 5; x < 45; x++ {
		path[20*w.NX+x] = true
	}
	var d Distances
	var n Nearest
	var got Corridor
	clr := d.Clearance(nil, w, m, OpenBorder)
	n.Corridor(&got, w, path, clr, 1.75, 0.8)
	for c := range m {
		x, y := c%w.NX, c/w.NX
		// The nearest cell of the path: its row is 20.
		sx := min(max(x, 5), 44)
		width := bnav.Clearance(clr[20*w.NX+sx])
		if got.Width[c] != width {
			t.Fatalf("(%d, %d): width %v, want %v", x, y, got.Width[c], width)
		}
		dx, dy := float64(x-sx)/4, float64(y-20)/4
		if want := path[c] || dx*dx+dy*dy <= float64(width)*float64(width); got.Band[c] != want {
			t.Fatalf("(%d, %d): band %v", x, y, got.Band[c])
		}
		limit := 1.75 // widths of 4 and 12 px ask for 3.2 and 9.6
		if v := 0.8 * float64(width); v > limit {
			limit = v
		}
		if want := float64(bnav.Clearance(clr[c])) >= limit; got.Solid[c] != want {
			t.Fatalf("(%d, %d): solid %v", x, y, got.Solid[c])
		}
	}
	n.Corridor(&got, w, make(Mask, w.Cells()), clr, 1.75, 0.8)
	if got.Band.Count() != 0 || got.Width[20*w.NX+40] != 0 || !got.Solid[20*w.NX+44] {
		t.Errorf("no path: band of %d cells", got.Band.Count())
	}
}

func BenchmarkMedial(b *testing.B) {
	w := Window{NX: 704, NY: 704}
	m := make(Mask, w.Cells())
	for c := range m {
		m[c] = c%w.NX%80 < 32 || c/w.NX%80 < 32
	}
	var d Distances
	var n Nearest
	clr := d.Clearance(nil, w, m, OpenBorder)
	var dst Mask
	b.ReportAllocs()
	for b.Loop() {
		dst = n.Medial(dst, w, clr, 4)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.Cells()), "ns/cell")
}
