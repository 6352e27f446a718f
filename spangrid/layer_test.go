package spangrid

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// drawing shows a mask as [maskOf] reads it.
func drawing(w Window, m Mask) []string {
	var rows []string
	for y := range w.NY {
		var row strings.Builder
		for _, b := range m[y*w.NX : (y+1)*w.NX] {
			row.WriteByte("#."[map[bool]int{true: 1}[b]])
		}
		rows = append(rows, row.String())
	}
	return rows
}

// plainFill fills holes by looking at each cell's whole hole.
func plainFill(m Mask, w Window, protect Mask) Mask {
	out := slices.Clone(m)
	for start := range m {
		if m[start] {
			continue
		}
		seen, stack, good := map[int]bool{start: true}, []int{start}, true
		for len(stack) > 0 {
			c := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := c%w.NX, c/w.NX
			good = good && x > 0 && y > 0 && x < w.NX-1 && y < w.NY-1 && !protect[c]
			for _, n := range [][2]int{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}} {
				k := n[1]*w.NX + n[0]
				if n[0] >= 0 && n[1] >= 0 && n[0] < w.NX && n[1] < w.NY && !m[k] && !seen[k] {
					seen[k], stack = true, append(stack, k)
				}
			}
		}
		out[start] = good && len(seen) <= 32
	}
	return out
}

func TestFillHolesExample(t *testing.T) {
	w, m := maskOf(
		"....#.",
		".#....",
		"..#...",
		"....#.",
		"......",
	)
	FillHoles(m, w, make(Mask, len(m)), &LayerScratch{})
	want := []string{"....#.", "......", "......", "......", "......"}
	if diff := cmp.Diff(want, drawing(w, m)); diff != "" {
		t.Error(diff)
	}
}

// floorWithHole returns a mask with a hole of n cells, eight a row.
func floorWithHole(n int) (Window, Mask) {
	w := Window{NX: 12, NY: 12}
	m := make(Mask, w.Cells())
	for c := range m {
		x, y := c%w.NX-2, c/w.NX-2
		m[c] = !(x >= 0 && y >= 0 && x < 8 && y*8+x < n)
	}
	return w, m
}

func TestFillHolesBySize(t *testing.T) {
	for _, test := range []struct {
		cells  int
		filled bool
	}{{1, true}, {12, true}, {31, true}, {32, true}, {33, false}, {36, false}} {
		w, m := floorWithHole(test.cells)
		FillHoles(m, w, make(Mask, len(m)), &LayerScratch{})
		want := len(m)
		if !test.filled {
			want -= test.cells
		}
		if m.Count() != want {
			t.Errorf("hole of %d cells: %d cells in the mask, want %d", test.cells, m.Count(), want)
		}
	}
	w, m := floorWithHole(31)
	protect := make(Mask, len(m))
	protect[4*w.NX+5] = true
	FillHoles(m, w, protect, &LayerScratch{})
	if m.Count() != len(m)-31 {
		t.Errorf("a hole with a protected cell is filled")
	}
}

func drawHoles(rng *rand.Rand, w Window) (m, protect Mask) {
	m, protect = make(Mask, w.Cells()), make(Mask, w.Cells())
	density := []float64{.3, .5, .7, .95}[rng.IntN(4)]
	for c := range m {
		m[c] = rng.Float64() < density
		protect[c] = rng.IntN(40) == 0
	}
	for range rng.IntN(3) { // holes around the largest size
		x, y := rng.IntN(w.NX), rng.IntN(w.NY)
		for k := range 30 + rng.IntN(6) {
			if c := (y+k/7)*w.NX + x + k%7; x+k%7 < w.NX && c < len(m) {
				m[c] = false
			}
		}
	}
	return m, protect
}

func TestFillHolesAgainstDefinition(t *testing.T) {
	var s LayerScratch
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "holes")))
		w := Window{NX: 1 + rng.IntN(24), NY: 1 + rng.IntN(24)}
		m, protect := drawHoles(rng, w)
		want := plainFill(m, w, protect)
		FillHoles(m, w, protect, &s)
		if diff := cmp.Diff(drawing(w, want), drawing(w, m)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// The box of a mask and a ring of cells gives the same as the window, also where
// the window's rim leaves no room for the ring.
func TestFillHolesInABox(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "holes")))
		w := Window{-5, 7, 20, 20}
		in := Window{rng.IntN(12) - 5, rng.IntN(12) + 7, 1 + rng.IntN(12), 1 + rng.IntN(12)}.Intersect(w)
		part, _ := drawHoles(rng, in)
		m, protect := make(Mask, w.Cells()), make(Mask, w.Cells())
		for c := range part {
			m[w.Cell(in.At(c))] = part[c]
			protect[w.Cell(in.At(c))] = rng.IntN(20) == 0
		}
		var s LayerScratch
		box := in.Grow(1).Intersect(w)
		boxed, boxProtect := make(Mask, box.Cells()), make(Mask, box.Cells())
		for c := range boxed {
			boxed[c], boxProtect[c] = m[w.Cell(box.At(c))], protect[w.Cell(box.At(c))]
		}
		FillHoles(m, w, protect, &s)
		FillHoles(boxed, box, boxProtect, &s)
		for c := range m {
			gx, gy := w.At(c)
			want := box.Has(gx, gy) && boxed[box.Cell(gx, gy)]
			if m[c] != want {
				t.Fatalf("cell %d, %d: in the window %v, in the box %v", gx, gy, m[c], want)
			}
		}
	})
}

func TestCloseCracks(t *testing.T) {
	for _, test := range []struct{ core, want string }{
		{"..#..", "....."},
		{"..##..", "......"},
		{"..###..", "......."},
		{"..####..", "..####.."},
		{".#", ".#"},
		{"#..", "#.."},
		{".##.", "...."},
		{"..###", "..###"},
	} {
		for _, upright := range []bool{false, true} {
			w, core := maskOf(test.core)
			if upright {
				w.NX, w.NY = w.NY, w.NX
			}
			lay, protect := make(Mask, len(core)), make(Mask, len(core))
			for i := range lay {
				lay[i] = true
			}
			CloseCracks(core, w, lay, protect, &LayerScratch{})
			got := strings.Join(drawing(w, core), "")
			if got != test.want {
				t.Errorf("%s, upright %v: %s, want %s", test.core, upright, got, test.want)
			}
		}
	}
}

func TestCloseCracksAcross(t *testing.T) {
	// A slanting gap one cell wide closes, since it is narrow along x.
	w, core := maskOf("#....", ".#...", "..#..", "...#.", "....#")
	lay := make(Mask, len(core))
	for i := range lay {
		lay[i] = true
	}
	CloseCracks(core, w, lay, make(Mask, len(core)), &LayerScratch{})
	want := []string{"#....", ".....", ".....", ".....", "....#"}
	if diff := cmp.Diff(want, drawing(w, core)); diff != "" {
		t.Error(diff)
	}
}

func TestCloseCracksLeavesAlone(t *testing.T) {
	w, core := maskOf("..#..", "..#..", "..#..")
	lay, protect := make(Mask, len(core)), make(Mask, len(core))
	for i := range lay {
		lay[i] = i != 2 // not in the layer
	}
	protect[7] = true
	CloseCracks(core, w, lay, protect, &LayerScratch{})
	if diff := cmp.Diff([]string{"..#..", "..#..", "....."}, drawing(w, core)); diff != "" {
		t.Error(diff)
	}
}

// plainCracks closes cracks by sweeps over all cells.
func plainCracks(core Mask, w Window, lay, protect Mask) Mask {
	core = slices.Clone(core)
	for range 4 {
		next := slices.Clone(core)
		for c := range core {
			x, y := c%w.NX, c/w.NX
			side := func(dx, dy int) bool {
				for k := 1; k <= 2; k++ {
					nx, ny := x+k*dx, y+k*dy
					if nx >= 0 && ny >= 0 && nx < w.NX && ny < w.NY && core[ny*w.NX+nx] {
						return true
					}
				}
				return false
			}
			if lay[c] && !protect[c] && (side(1, 0) && side(-1, 0) || side(0, 1) && side(0, -1)) {
				next[c] = true
			}
		}
		core = next
	}
	return core
}

func TestCloseCracksAgainstDefinition(t *testing.T) {
	var s LayerScratch
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "cracks")))
		w := Window{NX: 1 + rng.IntN(24), NY: 1 + rng.IntN(24)}
		core, protect := drawHoles(rng, w)
		lay := make(Mask, len(core))
		for c := range lay {
			lay[c] = core[c] || rng.IntN(8) != 0
		}
		want := plainCracks(core, w, lay, protect)
		CloseCracks(core, w, lay, protect, &s)
		if diff := cmp.Diff(drawing(w, want), drawing(w, core)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// What is derived of a layer stays inside of it.
func TestCoreStaysInLayer(t *testing.T) {
	var s LayerScratch
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "layer")))
		w := Window{NX: 1 + rng.IntN(24), NY: 1 + rng.IntN(24)}
		lay, protect := drawHoles(rng, w)
		core := slices.Clone(lay)
		for c := range core {
			core[c] = core[c] && rng.IntN(5) != 0
		}
		FillHoles(lay, w, protect, &s)
		FillHoles(core, w, protect, &s)
		CloseCracks(core, w, lay, protect, &s)
		for c := range core {
			if core[c] && !lay[c] {
				t.Fatalf("cell %d is in the core and not in the layer", c)
			}
		}
	})
}

func TestGhosts(t *testing.T) {
	// A hole of three cells in a floor that is lower on one side, and two spans in
	// one of the cells around it.
	w := Window{NX: 5, NY: 3}
	cols := columnsOf(w, [][]float32{
		{1}, {1}, {1}, {2}, {2},
		{1, 5}, {}, {}, {}, {.5, 3},
		{4}, {4}, {4}, {4}, {4},
	})
	lay := make(Mask, w.Cells())
	for c := range lay {
		lay[c] = true
	}
	var g Ghosts
	FindGhosts(&g, lay, cols, &LayerScratch{})
	want := Ghosts{Cell: []int32{6, 7, 8}, H: []float32{.5, .5, .5}}
	if diff := cmp.Diff(want, g); diff != "" {
		t.Error(diff)
	}
}

// Heights spread seven cells and no further.
func TestGhostsReach(t *testing.T) {
	cells := make([][]float32, 10)
	cells[0] = []float32{2}
	w := Window{NX: 10, NY: 1}
	lay := make(Mask, 10)
	for c := range lay {
		lay[c] = true
	}
	var g Ghosts
	FindGhosts(&g, lay, columnsOf(w, cells), &LayerScratch{})
	for i := range g.Cell {
		if fill := i >= 7; g.Fill(i) != fill || !fill && g.H[i] != 2 {
			t.Errorf("%d cells away: %v", i+1, g.H[i])
		}
	}
}

func TestGhostsAgainstDefinition(t *testing.T) {
	var s LayerScratch
	var got Ghosts
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, 18, 18, 1)
		cols, _ := w.tables()
		rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "layer")))
		lay := make(Mask, w.Cells())
		sparse := rng.IntN(3) == 0
		for c := range lay {
			if sparse && c > 60 {
				w.own[c] = nil
			}
			lay[c] = len(w.own[c]) > 0 || rng.IntN(4) != 0
		}
		cols, _ = w.tables()
		low := make([]float32, len(lay))
		for c := range low {
			low[c] = float32(math.Inf(1))
			if h := cols.Heights(c); len(h) > 0 {
				low[c] = slices.Min(h)
			}
		}
		for range 7 {
			next := slices.Clone(low)
			for c := range low {
				if !lay[c] || len(cols.Heights(c)) > 0 {
					continue
				}
				x, y := c%w.NX, c/w.NX
				for _, n := range [][2]int{{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}} {
					if n[0] >= 0 && n[1] >= 0 && n[0] < w.NX && n[1] < w.NY {
						next[c] = min(next[c], low[n[1]*w.NX+n[0]])
					}
				}
			}
			low = next
		}
		FindGhosts(&got, lay, cols, &s)
		i := 0
		for c := range lay {
			if !lay[c] || len(cols.Heights(c)) > 0 {
				continue
			}
			if i >= len(got.Cell) || int(got.Cell[i]) != c || got.H[i] != low[c] {
				t.Fatalf("ghost %d of cell %d: %+v, want height %v", i, c, got, low[c])
			}
			i++
		}
		if i != len(got.Cell) {
			t.Fatalf("%d ghosts, want %d", len(got.Cell), i)
		}
	})
}

func BenchmarkLayer(b *testing.B) {
	w := Window{NX: 704, NY: 704}
	rng := rand.New(rand.NewPCG(1, 2))
	floor, protect := make(Mask, w.Cells()), make(Mask, w.Cells())
	for c := range floor {
		floor[c] = true
	}
	for range 2000 {
		x, y := rng.IntN(w.NX-8), rng.IntN(w.NY-8)
		for k := range 36 {
			floor[(y+k/6)*w.NX+x+k%6] = k%7 == 0
		}
	}
	var s LayerScratch
	m := slices.Clone(floor)
	b.Run("holes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			copy(m, floor)
			FillHoles(m, w, protect, &s)
		}
	})
	lay := slices.Clone(floor)
	FillHoles(lay, w, protect, &s)
	b.Run("cracks", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			copy(m, floor)
			CloseCracks(m, w, lay, protect, &s)
		}
	})
	var cols Columns
	cols.Reset(w)
	for c, in := range floor {
		if in {
			cols.Append(int32(c), 1)
		}
	}
	cols.Finish(3)
	var g Ghosts
	b.Run("ghosts", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			FindGhosts(&g, lay, &cols, &s)
		}
	})
}
