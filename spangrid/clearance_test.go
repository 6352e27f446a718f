package spangrid

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"wend/pack/bnav"
)

// bruteClearance is the definition: the least squared distance to an obstacle.
func bruteClearance(w Window, mask Mask, border Border) []uint16 {
	var obstacles [][2]int
	for v := -1; v <= w.NY; v++ {
		for u := -1; u <= w.NX; u++ {
			outside := u < 0 || v < 0 || u == w.NX || v == w.NY
			if outside && border == SolidBorder || !outside && !mask[v*w.NX+u] {
				obstacles = append(obstacles, [2]int{u, v})
			}
		}
	}
	out := make([]uint16, w.Cells())
	for c := range out {
		best := CapSquared
		for _, o := range obstacles {
			dx, dy := c%w.NX-o[0], c/w.NX-o[1]
			best = min(best, dx*dx+dy*dy)
		}
		out[c] = uint16(best)
	}
	return out
}

func TestClearanceIsExact(t *testing.T) {
	var d Distances
	var got []uint16
	rapid.Check(t, func(t *rapid.T) {
		w := Window{0, 0, rapid.IntRange(1, 130).Draw(t, "nx"), rapid.IntRange(1, 60).Draw(t, "ny")}
		if rapid.Bool().Draw(t, "tall") {
			w.NX, w.NY = w.NY, w.NX
		}
		mask := drawMask(t, w)
		for _, border := range []Border{OpenBorder, SolidBorder} {
			got = d.Clearance(got, w, mask, border)
			if i, bad := firstOther(got, bruteClearance(w, mask, border)); bad {
				t.Fatalf("border %d: cell (%d, %d) of %d x %d differs", border, i%w.NX, i/w.NX, w.NX, w.NY)
			}
		}
	})
}

// TestClearanceOfAllSmallMasks tries all masks of up to 12 cells, where every
// run is short, and all rows of 14.
func TestClearanceOfAllSmallMasks(t *testing.T) {
	var d Distances
	var got []uint16
	for _, w := range []Window{{NX: 4, NY: 3}, {NX: 3, NY: 4}, {NX: 14, NY: 1}, {NX: 1, NY: 12}} {
		mask := make(Mask, w.Cells())
		for set := range 1 << w.Cells() {
			for c := range mask {
				mask[c] = set>>c&1 != 0
			}
			for _, border := range []Border{OpenBorder, SolidBorder} {
				got = d.Clearance(got, w, mask, border)
				if _, bad := firstOther(got, bruteClearance(w, mask, border)); bad {
					t.Fatalf("%d x %d, mask %b, border %d: %v", w.NX, w.NY, set, border, got)
				}
			}
		}
	}
}

// drawMask draws a mask of any density, from one with hardly a gap to noise.
func drawMask(t *rapid.T, w Window) Mask {
	m := make(Mask, w.Cells())
	for i := range m {
		m[i] = true
	}
	holes := rapid.IntRange(0, 12).Draw(t, "holes")
	if rapid.IntRange(0, 3).Draw(t, "noise") == 0 {
		holes = w.Cells() / 3
	}
	rng := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
	for range holes {
		m[rng.IntN(len(m))] = false
	}
	return m
}

func firstOther[T comparable](a, b []T) (int, bool) {
	if len(a) != len(b) {
		return min(len(a), len(b)), true
	}
	for i := range a {
		if a[i] != b[i] {
			return i, true
		}
	}
	return 0, false
}

// maskOf reads rows of '#' for obstacles and '.' for cells of the mask.
func maskOf(rows ...string) (Window, Mask) {
	w := Window{NX: len(rows[0]), NY: len(rows)}
	var m Mask
	for _, row := range rows {
		for _, c := range row {
			m = append(m, c == '.')
		}
	}
	return w, m
}

func TestClearanceAroundOneObstacle(t *testing.T) {
	w, m := maskOf(
		".......",
		".......",
		"...#...",
		".......",
		".......",
	)
	want := []uint16{
		13, 8, 5, 4, 5, 8, 13,
		10, 5, 2, 1, 2, 5, 10,
		9, 4, 1, 0, 1, 4, 9,
		10, 5, 2, 1, 2, 5, 10,
		13, 8, 5, 4, 5, 8, 13,
	}
	var d Distances
	if diff := cmp.Diff(want, d.Clearance(nil, w, m, OpenBorder)); diff != "" {
		t.Error(diff)
	}
}

func TestClearanceWithoutObstacles(t *testing.T) {
	var d Distances
	w := Window{NX: 120, NY: 110}
	m := slices.Repeat(Mask{true}, w.Cells())
	for c, v := range d.Clearance(nil, w, m, OpenBorder) {
		if v != CapSquared {
			t.Fatalf("cell %d: %d", c, v)
		}
	}
	clr := d.Clearance(nil, w, m, SolidBorder)
	for c, want := range map[int]uint16{0: 1, 50*120 + 2: 9, 55*120 + 60: CapSquared, 46*120 + 60: 47 * 47} {
		if clr[c] != want {
			t.Errorf("solid border, cell %d: %d, want %d", c, clr[c], want)
		}
	}
	if got := d.Clearance(clr, Window{}, nil, OpenBorder); len(got) != 0 {
		t.Errorf("empty window: %v", got)
	}
}

// TestClearanceReachesTheCap has one obstacle in a wide field: the last ring of
// cells below the cap, and the first at it.
func TestClearanceReachesTheCap(t *testing.T) {
	w := Window{NX: 201, NY: 3}
	m := slices.Repeat(Mask{true}, w.Cells())
	m[201+100] = false
	var d Distances
	clr := d.Clearance(nil, w, m, OpenBorder)
	for x, want := range map[int]uint16{53: 47*47 + 1, 52: CapSquared, 51: CapSquared, 147: 47*47 + 1, 148: CapSquared, 0: CapSquared} {
		if clr[x] != want {
			t.Errorf("column %d: %d, want %d", x, clr[x], want)
		}
	}
}

// TestClearanceRestored follows stored clearances to px.
func TestClearanceRestored(t *testing.T) {
	for q, want := range map[uint16]float32{
		0: 0, 1: 0.25, 2: 0.35355338, 5: 0.559017, 49: 1.75, 50: 1.767767, 2303: 11.9973955, 2304: 12, 38416: 12,
	} {
		if got := bnav.Clearance(q); got != want {
			t.Errorf("%d: %v px, want %v", q, got, want)
		}
	}
}

// TestClearanceChangesSlowly: a step to a neighbour changes the distance by no
// more than its length.
func TestClearanceChangesSlowly(t *testing.T) {
	var d Distances
	rapid.Check(t, func(t *rapid.T) {
		w := Window{0, 0, rapid.IntRange(2, 90).Draw(t, "nx"), rapid.IntRange(2, 40).Draw(t, "ny")}
		clr := d.Clearance(nil, w, drawMask(t, w), OpenBorder)
		for c := range clr {
			x, y := c%w.NX, c/w.NX
			for i, s := range neighbours8 {
				u, v := x+s[0], y+s[1]
				if u < 0 || v < 0 || u >= w.NX || v >= w.NY {
					continue
				}
				far, near := int(clr[c]), int(clr[v*w.NX+u])
				length := 1 // squared
				if i >= 4 {
					length = 2
				}
				// sqrt(far) <= sqrt(near) + sqrt(length)
				if k := far - near - length; k > 0 && k*k > 4*near*length {
					t.Fatalf("from %d to %d", far, near)
				}
			}
		}
	})
}

// TestClearanceNearAHoleAtTheRim: a hole of 31 cells begins 40 cells off. Filled
// it is no obstacle; a window that cuts it sees it.
func TestClearanceNearAHoleAtTheRim(t *testing.T) {
	clearance := func(halo int) uint16 {
		w := Window{NX: 2*halo + 1, NY: 2*halo + 1}
		m := slices.Repeat(Mask{true}, w.Cells())
		for x := halo + 40; x < min(halo+71, w.NX); x++ {
			m[halo*w.NX+x] = false
		}
		var s LayerScratch
		FillHoles(m, w, make(Mask, len(m)), &s)
		var d Distances
		return d.Clearance(nil, w, m, OpenBorder)[halo*w.NX+halo]
	}
	if got := clearance(96); got != CapSquared {
		t.Errorf("halo of 96 cells: %d, want %d", got, CapSquared)
	}
	if got := clearance(64); got != 1600 {
		t.Errorf("halo of 64 cells: %d, want 1600", got)
	}
}

// bruteBoundary is the definition of the clearance that minds walls.
func bruteBoundary(w Window, clr []uint16, mask, hit Mask, steps []uint8) []uint16 {
	banned := func(ax, ay, bx, by int) bool {
		bit, owner := StepBit(bx-ax, by-ay)
		if owner {
			ax, ay = bx, by
		}
		return steps[ay*w.NX+ax]&bit != 0
	}
	free := slices.Clone(hit)
	for c := range free {
		x, y := c%w.NX, c/w.NX
		free[c] = !hit[c]
		if free[c] || !mask[c] || x == 0 || y == 0 || x == w.NX-1 || y == w.NY-1 {
			continue
		}
		free[c] = true
		for _, d := range neighbours8[:4] {
			u, v := x+d[0], y+d[1]
			if !mask[v*w.NX+u] || banned(x, y, u, v) || banned(u, v, x, y) {
				free[c] = false
			}
		}
	}
	out := bruteClearance(w, free, OpenBorder)
	for c := range out {
		out[c] = min(out[c], clr[c])
	}
	return out
}

func TestBoundaryIsExact(t *testing.T) {
	var d Distances
	var got []uint16
	rapid.Check(t, func(t *rapid.T) {
		w := Window{0, 0, rapid.IntRange(1, 60).Draw(t, "nx"), rapid.IntRange(1, 40).Draw(t, "ny")}
		mask := drawMask(t, w)
		rng := rand.New(rand.NewPCG(2, rapid.Uint64().Draw(t, "walls")))
		hit, steps := make(Mask, w.Cells()), make([]uint8, w.Cells())
		for range rapid.IntRange(0, 8).Draw(t, "hits") {
			hit[rng.IntN(len(hit))] = true
		}
		for range rapid.IntRange(0, w.Cells()/2).Draw(t, "steps") {
			steps[rng.IntN(len(steps))] = 1 << rng.IntN(8)
		}
		clr := d.Clearance(nil, w, mask, OpenBorder)
		got = d.Boundary(got, clr, w, mask, hit, steps)
		if i, bad := firstOther(got, bruteBoundary(w, clr, mask, hit, steps)); bad {
			t.Fatalf("cell (%d, %d) of %d x %d differs", i%w.NX, i/w.NX, w.NX, w.NY)
		}
	})
}

// TestBoundaryForgetsSeams: two patches overlap in the middle of a floor, and the
// edges of both run through it. Only where a side has no floor do they count.
func TestBoundaryForgetsSeams(t *testing.T) {
	w := Window{NX: 41, NY: 41}
	mask, hit := make(Mask, w.Cells()), make(Mask, w.Cells())
	for y := 5; y < 36; y++ {
		for x := 5; x < 36; x++ {
			c := y*w.NX + x
			mask[c] = true
			hit[c] = x == 5 || x == 35 || y == 5 || y == 35 || x == 19 || x == 21
		}
	}
	var d Distances
	clr := d.Clearance(nil, w, mask, OpenBorder)
	steps := make([]uint8, w.Cells())
	got := d.Boundary(nil, clr, w, mask, hit, steps)
	for y := range w.NY {
		for x := range w.NX {
			want := uint16(0)
			if k := min(x-5, 35-x, y-5, 35-y); k > 0 {
				want = uint16(k * k)
			}
			if c := y*w.NX + x; got[c] != want {
				t.Fatalf("(%d, %d): %d, want %d", x, y, got[c], want)
			}
		}
	}
	// A step that is forbidden across the seam makes it a wall again.
	c := 20*w.NX + 19
	steps[c] = 1
	if got = d.Boundary(got, clr, w, mask, hit, steps); got[c] != 0 || got[c+2] != 4 {
		t.Errorf("wall: %d, two cells on %d", got[c], got[c+2])
	}
}

func BenchmarkClearance(b *testing.B) {
	w := Window{NX: 704, NY: 704}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, k := range []struct {
		name      string
		obstacles int
	}{{"open", 0}, {"few", 40}, {"streets", -1}, {"noise", 704 * 704 / 5}} {
		m := slices.Repeat(Mask{true}, w.Cells())
		for range max(k.obstacles, 0) {
			m[rng.IntN(len(m))] = false
		}
		if k.obstacles < 0 { // houses of 48 cells, streets of 32 between them
			for c := range m {
				m[c] = c%w.NX%80 < 32 || c/w.NX%80 < 32
			}
		}
		b.Run(k.name, func(b *testing.B) {
			var d Distances
			var dst []uint16
			b.ReportAllocs()
			for b.Loop() {
				dst = d.Clearance(dst, w, m, OpenBorder)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(w.Cells()), "ns/cell")
		})
	}
}

func ExampleDistances_Clearance() {
	// A room of 5 x 3 cells with a pillar.
	w := Window{NX: 5, NY: 3}
	room := Mask{
		true, true, true, true, true,
		true, true, false, true, true,
		true, true, true, true, true,
	}
	var d Distances
	clr := d.Clearance(nil, w, room, OpenBorder)
	for y := range w.NY {
		fmt.Println(clr[y*w.NX : (y+1)*w.NX])
	}
	fmt.Println(bnav.Clearance(clr[0]), "px")
	// Output:
	// [5 2 1 2 5]
	// [4 1 0 1 4]
	// [5 2 1 2 5]
	// 0.559017 px
}
