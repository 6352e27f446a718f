package spangrid

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// stepsOf computes all four bytes of a world.
func stepsOf(t, s *Columns) (steps, steps2, seg, tax []uint8) {
	r := reference()
	steps = r.Steps(nil, t, nil)
	steps2 = r.Rejudge(nil, steps, t, s)
	return steps, steps2, r.Facades(nil, steps, steps2, t), r.Tax(nil, steps, t, s)
}

func TestStepsOnStrips(t *testing.T) {
	const there, back = 1, 2
	for _, k := range []struct {
		name, strip              string
		steps, steps2, seg, taxd []uint8
	}{
		{"ground that rises, then a ghost", "0,.3,.9,.9",
			[]uint8{there, there, 0, 0}, []uint8{0, there, 0, 0}, []uint8{0, 0, 0, 0}, []uint8{there, 0, 0, 0}},
		{"wall of 1.3 m", "0,0,1.3,1.3",
			[]uint8{0, there, 0, 0}, []uint8{0, there, 0, 0}, []uint8{0, 1, 0, 0}, []uint8{0, 0, 0, 0}},
		{"ramp of 0.24 m a cell", "0,.24,.48,.72",
			[]uint8{0, 0, 0, 0}, []uint8{0, 0, 0, 0}, []uint8{0, 0, 0, 0}, []uint8{0, 0, 0, 0}},
		{"ramp of 0.3 m a cell", "0,.3,.6,.9",
			[]uint8{there, there, there, 0}, []uint8{0, 0, 0, 0}, []uint8{0, 0, 0, 0}, []uint8{there, there, there, 0}},
		{"ramp of 0.6 m a cell, downhill", "1.8,1.2,.6,0",
			[]uint8{back, back, back, 0}, []uint8{back, back, back, 0}, []uint8{0, 0, 0, 0}, []uint8{0, 0, 0, 0}},
		{"stairs with risers of half a metre", "0,0,.5,.5,1,1",
			[]uint8{0, there, 0, there, 0, 0}, []uint8{0, 0, 0, 0, 0, 0}, []uint8{0, 0, 0, 0, 0, 0}, []uint8{0, there, 0, there, 0, 0}},
		{"stairs with risers of a metre", "0,0,1,1,2,2",
			[]uint8{0, there, 0, there, 0, 0}, []uint8{0, there, 0, there, 0, 0}, []uint8{0, 0, 0, 0, 0, 0}, []uint8{0, 0, 0, 0, 0, 0}},
		{"kerb of 0.8 m, two cells wide", "0,0,0,.8,.8,0,0,0",
			[]uint8{0, 0, there, 0, back, 0, 0, 0}, make([]uint8, 8), make([]uint8, 8), []uint8{0, 0, there, 0, 0, back, 0, 0}},
		{"face beside a floor", "0,0,{.5,1,2,3.6},0",
			[]uint8{0, there, back, 0}, []uint8{0, there, back, 0}, []uint8{0, 1, 1, 0}, []uint8{0, 0, 0, 0}},
	} {
		s := strip(t, k.strip)
		steps, steps2, seg, tax := stepsOf(s, s)
		for _, f := range []struct {
			name      string
			got, want []uint8
		}{{"steps", steps, k.steps}, {"judged twice", steps2, k.steps2}, {"facades", seg, k.seg}, {"tax", tax, k.taxd}} {
			if !slices.Equal(f.got, f.want) {
				t.Errorf("%s: %s: %v, want %v", k.name, f.name, f.got, f.want)
			}
		}
	}
}

// TestStepsMindTheLayer: cells outside of it have no bits of their own.
func TestStepsMindTheLayer(t *testing.T) {
	s := strip(t, "0,.6,1.2,1.8")
	r := reference()
	if got := r.Steps(nil, s, Mask{true, false, true, true}); !slices.Equal(got, []uint8{1, 0, 1, 0}) {
		t.Errorf("steps %v", got)
	}
}

// TestFacadeWithoutNeighbour: steps that come from elsewhere may lead to cells
// without heights, and out of the window.
func TestFacadeWithoutNeighbour(t *testing.T) {
	s := strip(t, "0,,0")
	r := reference()
	for _, k := range []struct{ steps2, want uint8 }{{0, 0}, {1, 1}, {4, 2}, {5, 3}} {
		got := r.Facades(nil, []uint8{5, 0, 5}, []uint8{k.steps2, 0, k.steps2}, s)
		if want := []uint8{k.want, 0, k.want}; !slices.Equal(got, want) {
			t.Errorf("steps %d: %v, want %v", k.steps2, got, want)
		}
	}
	if got := r.Rejudge(nil, []uint8{3, 0, 12}, s, s); !slices.Equal(got, []uint8{3, 0, 12}) {
		t.Errorf("released without neighbours: %v", got)
	}
}

// TestDropsReleaseNoStep: an upper layer that ends above the step could be
// dropped from; the step below stays forbidden for all that.
func TestDropsReleaseNoStep(t *testing.T) {
	s := strip(t, "{0,9},{.6,.7},{.6,.7},{.6,.7},{.6,.7},{.6,.7}")
	steps, steps2, _, _ := stepsOf(s, s)
	if steps[0] != 1 || steps2[0] != 1 {
		t.Errorf("steps %d, judged twice %d", steps[0], steps2[0])
	}
}

// plainSteps computes the four bytes of a cell by their definitions, on a
// lattice of 1/64 m.
func plainSteps(t, s *Columns, c int) (steps, steps2, seg, tax uint8) {
	x, y := c%t.NX, c/t.NX
	q := func(h float32) int { return int(math.Round(float64(h) * 64)) }
	column := func(u, v int) []float32 {
		if u < 0 || v < 0 || u >= t.NX || v >= t.NY {
			return nil
		}
		return t.Heights(v*t.NX + u)
	}
	a := column(x, y)
	if len(a) == 0 {
		return
	}
	reach := func(h []float32) int {
		if len(h) == 0 {
			return 0
		}
		return q(h[len(h)-1]) - q(h[0])
	}
	leads := func(fx, fy, dx, dy int, from, to []float32) bool {
		for _, h0 := range from {
			for _, h1 := range to {
				if plainRise(s, fx, fy, dx, dy, h0, h1, false) {
					return true
				}
			}
		}
		return false
	}
	taxed := func(dx, dy, limit int) bool {
		pass, easy := false, false
		for _, h0 := range a {
			for _, h1 := range column(x+dx, y+dy) {
				if plainRise(s, x, y, dx, dy, h0, h1, false) {
					pass = true
					easy = easy || q(h1)-q(h0) <= limit
				}
			}
		}
		return pass && !easy
	}
	for i, d := range directions {
		limit := 16
		if i >= 2 {
			limit = 22
		}
		if taxed(d[0], d[1], limit) {
			tax |= 1 << (2 * i)
		}
		if taxed(-d[0], -d[1], limit) {
			tax |= 2 << (2 * i)
		}
		b := column(x+d[0], y+d[1])
		if len(b) == 0 {
			continue
		}
		gap, up := math.MaxInt, false
		for _, h0 := range a {
			for _, h1 := range b {
				if g := max(q(h1)-q(h0), q(h0)-q(h1)); g < gap {
					gap, up = g, h1 > h0
				}
			}
		}
		if gap <= limit {
			continue
		}
		bit := uint8(2) << (2 * i)
		if up {
			bit = 1 << (2 * i)
		}
		steps |= bit
		free := up && leads(x, y, d[0], d[1], a, b) || !up && leads(x+d[0], y+d[1], -d[0], -d[1], b, a)
		if !free {
			steps2 |= bit
		}
		if i < 2 && (reach(a) > 192 || reach(b) > 192 || !free && gap >= 80) {
			seg |= 1 << i
		}
	}
	return
}

func TestStepsAreWhatTheySay(t *testing.T) {
	var seen [4]int
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, rapid.IntRange(1, 8).Draw(t, "nx"), rapid.IntRange(1, 6).Draw(t, "ny"), 0)
		own, s := w.tables()
		steps, steps2, seg, tax := stepsOf(own, s)
		for c := range steps {
			a, b, g, x := plainSteps(own, s, c)
			if steps[c] != a || steps2[c] != b || seg[c] != g || tax[c] != x {
				t.Fatalf("cell (%d, %d): %08b %08b %02b %08b, want %08b %08b %02b %08b", c%w.NX, c/w.NX,
					steps[c], steps2[c], seg[c], tax[c], a, b, g, x)
			}
			if steps2[c]&^steps[c] != 0 || steps[c]&(steps[c]>>1)&0x55 != 0 {
				t.Fatalf("cell %d: %08b judged twice %08b", c, steps[c], steps2[c])
			}
			for i, v := range []uint8{a, a &^ b, g, x} {
				if v != 0 {
					seen[i]++
				}
			}
		}
	})
	if slices.Min(seen[:]) < 20 {
		t.Errorf("hardly anything was tried: %v", seen)
	}
}

func BenchmarkSteps(b *testing.B) {
	own, s := town(Window{NX: 704, NY: 704})
	r := reference()
	var steps, steps2, seg, tax []uint8
	b.ReportAllocs()
	for b.Loop() {
		steps = r.Steps(steps, own, nil)
		steps2 = r.Rejudge(steps2, steps, own, s)
		seg = r.Facades(seg, steps, steps2, own)
		tax = r.Tax(tax, steps, own, s)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(own.H)), "ns/span")
}
