package spangrid

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"wend/pack"
)

// reference returns the rules of packs that declare no profile.
func reference() *Rules {
	r := RulesOf(pack.ReferenceProfile())
	return &r
}

// columnsOf makes a table of the heights of each cell, sorting them.
func columnsOf(w Window, heights [][]float32) *Columns {
	t := &Columns{}
	t.Reset(w)
	for c, list := range heights {
		list = slices.Clone(list)
		slices.Sort(list)
		for _, h := range list {
			t.Append(int32(c), h)
		}
	}
	t.Finish(reference().Climb)
	return t
}

// parseStrip reads the columns of a row: heights between commas, several in
// braces, none where there is nothing.
func parseStrip(t testing.TB, s string) [][]float32 {
	t.Helper()
	var out [][]float32
	number := func(s string) float32 {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 32)
		if err != nil {
			t.Fatal(err)
		}
		return float32(v)
	}
	for s = strings.TrimSpace(s); ; {
		var column []float32
		rest := ""
		if strings.HasPrefix(s, "{") {
			in, after, _ := strings.Cut(s[1:], "}")
			for h := range strings.SplitSeq(in, ",") {
				column = append(column, number(h))
			}
			_, rest, _ = strings.Cut(after, ",")
			s = after
		} else {
			in, after, _ := strings.Cut(s, ",")
			if in = strings.TrimSpace(in); in != "" {
				column = append(column, number(in))
			}
			rest = after
		}
		out = append(out, column)
		if !strings.Contains(s, ",") {
			return out
		}
		s = strings.TrimSpace(rest)
	}
}

// strip makes a table of one row.
func strip(t testing.TB, s string) *Columns {
	t.Helper()
	cols := parseStrip(t, s)
	return columnsOf(Window{NX: len(cols), NY: 1}, cols)
}

// A world is a window with the heights of a region of interest, and all others.
type world struct {
	Window
	own, other [][]float32
}

// tables returns the columns of the region, and those of everything.
func (w *world) tables() (t, s *Columns) {
	all := make([][]float32, len(w.own))
	for c := range all {
		all[c] = slices.Concat(w.own[c], w.other[c])
	}
	return columnsOf(w.Window, w.own), columnsOf(w.Window, all)
}

// telling are differences of heights at and around every limit of the rules.
var telling = []float32{
	0, 0, 0, 1. / 64, 15. / 64, .25, 17. / 64, 22. / 64, 23. / 64, .5, 33. / 64, 38. / 64, 1, 1.25, 81. / 64, 2, 3, 193. / 64, 5, 9,
}

// drawWorld draws a world of a size: terraces with steps of telling heights,
// holes, and one or more levels of other regions. margin cells on every side stay
// empty.
func drawWorld(t *rapid.T, nx, ny, margin int) *world {
	rng := rand.New(rand.NewPCG(9, rapid.Uint64().Draw(t, "world")))
	w := &world{Window: Window{rng.IntN(40) - 20, rng.IntN(40) - 20, nx + 2*margin, ny + 2*margin}}
	w.own, w.other = make([][]float32, w.Cells()), make([][]float32, w.Cells())
	pick := func() float32 { return telling[rng.IntN(len(telling))] }
	base, wild, second := pick(), rng.IntN(4) == 0, rng.IntN(3)
	for y := margin; y < margin+ny; y++ {
		row := base
		if rng.IntN(3) == 0 {
			row += pick()
		}
		for x := margin; x < margin+nx; x++ {
			c := y*w.NX + x
			switch k := rng.IntN(10); {
			case k == 0 || wild && k < 5:
				row = base + pick() - pick()
			case k == 1:
				continue
			}
			w.own[c] = append(w.own[c], row)
			for range rng.IntN(second + 1) {
				if h := row + pick() + 1; !slices.Contains(w.own[c], h) {
					w.own[c] = append(w.own[c], h)
				}
			}
			if rng.IntN(6) == 0 {
				if h := base + pick() - pick(); !slices.Contains(w.own[c], h) {
					w.other[c] = append(w.other[c], h)
				}
			}
		}
	}
	return w
}

func TestStripReader(t *testing.T) {
	got := parseStrip(t, "0, .5,{1,2},,{3}, 4")
	want := [][]float32{{0}, {.5}, {1, 2}, nil, {3}, {4}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if !slices.Equal(got[i], want[i]) {
			t.Errorf("column %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// town makes a window of hilly ground with terraces, kerbs, stairs and pits, and
// roofs of another region over some of it.
func town(w Window) (t, s *Columns) {
	t, s = &Columns{}, &Columns{}
	t.Reset(w)
	s.Reset(w)
	for c := range w.Cells() {
		x, y := w.At(c)
		h := Quantize(float32(x%300)*.03 + float32(y%200)*.02)
		bx, by := (x%96+96)%96, (y%96+96)%96
		switch {
		case bx < 40 && by < 40: // a terrace with stairs up to it
			h += 4
			if bx < 8 && by >= 16 && by < 24 {
				h += float32(bx)/2 - 4
			}
		case bx >= 60 && bx < 70 && by >= 60 && by < 70:
			continue
		case bx >= 70 && bx < 90 && by < 30: // a pit
			h -= 6
		case by == 50: // a kerb
			h += .75
		}
		t.Append(int32(c), h)
		s.Append(int32(c), h)
		if bx < 30 && by >= 70 {
			s.Append(int32(c), h+5)
		}
	}
	climb := reference().Climb
	t.Finish(climb)
	s.Finish(climb)
	return t, s
}

// TestDenseColumns compares a table for lookups with one that was built span by
// span.
func TestDenseColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := Window{GX: -3, GY: 5, NX: rapid.IntRange(1, 9).Draw(t, "nx"), NY: rapid.IntRange(1, 9).Draw(t, "ny")}
		heights := make([][]float32, w.Cells())
		first, all := []int32{0}, []float32(nil)
		for c := range heights {
			h := float32(0)
			for range rapid.IntRange(0, 4).Draw(t, "spans") {
				h += float32(rapid.IntRange(1, 80).Draw(t, "rise")) / 64
				heights[c] = append(heights[c], h)
			}
			all = append(all, heights[c]...)
			first = append(first, int32(len(all)))
		}
		want, climb := columnsOf(w, heights), reference().Climb
		got := DenseColumns(w, first, all, climb)
		for c := range heights {
			a, b := got.Range(c)
			face := len(heights[c]) > 2 && float64(heights[c][len(heights[c])-1]-heights[c][0]) > climb
			if !slices.Equal(got.Heights(c), heights[c]) || !slices.Equal(want.Heights(c), heights[c]) || !slices.Equal(all[a:b], heights[c]) ||
				got.Face(c) != face || want.Face(c) != face {
				t.Fatalf("cell %d: %v and %v, faces %v and %v; want %v, %v", c, got.Heights(c), want.Heights(c), got.Face(c), want.Face(c), heights[c], face)
			}
		}
	})
}
