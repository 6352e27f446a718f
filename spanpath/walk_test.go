package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

// columns makes a strip of cells from (10, 10) on, each with some heights.
func columns(list ...[]float32) *testWorld {
	w := newWorld()
	for i, h := range list {
		for _, v := range h {
			w.put(10+i, 10, cellSpan{h: v})
		}
	}
	return w
}

func stripGround(t testing.TB, w *testWorld) *Ground {
	return w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 60, NY: 30})
}

func TestWalk(t *testing.T) {
	one := func(h ...float32) (list [][]float32) {
		for _, v := range h {
			if v == v {
				list = append(list, []float32{v})
			} else {
				list = append(list, nil)
			}
		}
		return list
	}
	nan := unknown
	for _, c := range []struct {
		name  string
		world [][]float32
		from  float32
		want  []float32 // nil = fails
	}{
		{"passing below", [][]float32{{10}, {10.1}, {10.1}, {6, 10.2}, {10.3}, nil, {10.5}, {10.6}}, 10, []float32{10.6}},
		{"over two empty columns", one(0, nan, nan, 1.7), 0, []float32{1.7}},
		{"at their limit", one(0, nan, nan, 1.75), 0, []float32{1.75}},
		{"over their limit", one(0, nan, nan, 1.8), 0, nil},
		{"two at once", [][]float32{{5}, {2, 4.5}, {1.9}}, 5, []float32{1.9}},
		{"both kept", [][]float32{{5}, {2, 4.5}}, 5, []float32{2, 4.5}},
		{"too far down", one(5, 2, -1.1), 5, nil},
		{"down by the climb", one(5, 2, -1), 5, []float32{-1}},
		{"up by a step and a metre", one(0, 1.5), 0, []float32{1.5}},
		{"higher", one(0, 1.51), 0, nil},
		{"the first cell is not looked at", one(80, 0), 0, []float32{0}},
	} {
		g := stripGround(t, columns(c.world...))
		got, ok := g.Walk(nil, []Point{middle(10, 10), middle(9+len(c.world), 10)}, []float32{c.from})
		if ok != (c.want != nil) || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, ok, c.want)
		}
	}
	// A knight's move: sqrt(5) cells in one step of a line with a hole.
	for _, h := range []float32{1.559, 1.56} {
		w := newWorld()
		w.put(10, 10, cellSpan{h: 0})
		w.put(12, 11, cellSpan{h: h})
		_, ok := stripGround(t, w).Walk(nil, []Point{middle(10, 10), middle(12, 11)}, []float32{0})
		if want := h < 1.559017; ok != want {
			t.Errorf("a knight's move up by %v: %v", h, ok)
		}
	}
	// Points that cannot be worked with.
	g := stripGround(t, columns([]float32{0}))
	for _, p := range []Point{{math.NaN(), 0}, {0, math.Inf(1)}, {1e300, 0}} {
		if _, ok := g.Walk(nil, []Point{{3, 3}, p}, []float32{0}); ok || g.Sees(View{}, p, Point{3, 3}, 0, 0) {
			t.Errorf("a walk to %v", p)
		}
	}
}

func TestWalkFall(t *testing.T) {
	for _, c := range []struct {
		name  string
		world [][]float32
		from  []float32
		want  []float32
	}{
		{"off a ledge", [][]float32{{5}, {5}, {0}, {0}, {0}, {0}, {0}}, []float32{5}, []float32{0}},
		{"a seam of one cell", [][]float32{{5}, {5}, {0}, {5}}, []float32{5}, []float32{5}},
		{"a seam that ends four cells ahead", [][]float32{{5}, {0}, {0}, {0}, {5}}, []float32{5}, []float32{5}},
		{"one cell too long", [][]float32{{5}, {0}, {0}, {0}, {0}, {5}}, []float32{5}, []float32{0, 5}},
		{"on the seam the lower layer is not taken", [][]float32{{5}, {0, 4}, {0, 4.5}, {0, 5}}, []float32{5}, []float32{5}},
		{"the surface left lies over the lower one", [][]float32{{5}, {0, 4}}, []float32{5}, []float32{4}},
		{"nothing goes on", [][]float32{{0}, {7, 9}}, []float32{0}, []float32{0, 7, 9}},
		{"all again", [][]float32{{0}, {7}, {7.5}}, []float32{0}, []float32{7.5}},
	} {
		g := stripGround(t, columns(c.world...))
		got, ok := g.WalkFall(nil, []Point{middle(10, 10), middle(9+len(c.world), 10)}, c.from)
		if !ok || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.name, got, ok, c.want)
		}
	}
}

// TestFallRule compares fall mode with its rule, cell by cell, and checks that a
// walk that needs no fall is the same in both modes as far as it goes.
func TestFallRule(t *testing.T) {
	falls := 0
	n := worlds(120)
	for n := range n {
		rnd := rand.New(rand.NewPCG(uint64(n), 5))
		var list [][]float32
		for range 12 {
			var h []float32
			for range rnd.IntN(4) {
				h = append(h, float32(rnd.IntN(80))/8)
			}
			slices.Sort(h)
			list = append(list, slices.Compact(h))
		}
		w := columns(list...)
		g := stripGround(t, w)
		from := []float32{float32(rnd.IntN(80)) / 8}
		got, _ := g.WalkFall(nil, []Point{middle(10, 10), middle(21, 10)}, from)
		cur, pc := from, 0
		for i := 1; i < len(list); i++ {
			if len(list[i]) == 0 {
				continue
			}
			cur = fallTwin(list, cur, pc, i)
			pc = i
		}
		if !slices.Equal(got, cur) {
			t.Fatalf("%v from %v: %v, want %v", list, from, got, cur)
		}
		if _, ok := g.Walk(nil, []Point{middle(10, 10), middle(21, 10)}, from); !ok {
			falls++
		}
	}
	if falls < n/4 || falls == n {
		t.Errorf("%d of %d walks fail", falls, n)
	}
}

func fallTwin(list [][]float32, cur []float32, pc, i int) []float32 {
	up := math.Max(0.5, 0.25*float64(i-pc)) + 1
	var same, below, both []float32
	for _, t := range list[i] {
		level, under := false, false
		for _, c := range cur {
			level = level || float64(t-c) <= up && float64(t-c) >= -3
			under = under || float64(t-c) <= up
		}
		if level {
			same = append(same, t)
		} else if under {
			below = append(below, t)
		}
		if level || under {
			both = append(both, t)
		}
	}
	seam := false
	for _, t := range below {
		for _, c := range cur {
			for s := 1; s <= 4 && pc+s < len(list); s++ {
				for _, h := range list[pc+s] {
					seam = seam || t < c-3 && math.Abs(float64(h-c)) <= 3
				}
			}
		}
	}
	switch {
	case seam && len(same) > 0:
		return same
	case seam:
		return cur
	case len(both) > 0:
		return both
	}
	all := append(slices.Clone(cur), list[i]...)
	slices.Sort(all)
	return slices.Compact(all)
}

// TestShutSurfaces looks under a bridge whose foot is a no-go zone: the way over
// it is free, and the one below is not.
func TestShutSurfaces(t *testing.T) {
	w := newWorld()
	w.floor(10, 10, 40, 20, 0)
	w.floor(10, 10, 40, 20, 6)
	w.rings = append(w.rings, NewRing("", [][2]float64{{5, 2}, {6, 2}, {6, 6}, {5, 6}}, -1, 1))
	g := stripGround(t, w)
	v := View{Need: MarkOn, Walls: true, Bans: true, Heights: true}
	p, q := middle(12, 15), middle(38, 15)
	if g.Sees(v, p, q, 0, 0) {
		t.Error("one sees through the zone")
	}
	if !g.Sees(v, p, q, 6, 6) {
		t.Error("one does not see over the zone")
	}
	if !g.Sees(View{NoGo: true}, p, q, 0, 0) {
		t.Error("a cell that is open above the zone is closed")
	}
}
