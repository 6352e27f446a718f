package spangrid

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

func TestRiseOnStrips(t *testing.T) {
	for _, k := range []struct {
		strip    string
		from     int
		h0, h1   float32
		want     bool
		whatsoIs string
	}{
		{"0,.25", 0, 0, .25, true, "slope"},
		{"0,.5,.5,.5", 0, 0, .5, true, "step"},
		{"0,0,0,.6,.6,.6,.6", 2, 0, .6, false, "kerb that stays"},
		{"0,0,0,1.2,1.2,0,0", 2, 0, 1.2, true, "bump, back at the third"},
		{"0,0,0,1.2,0,0", 2, 0, 1.2, true, "bump, back at the second"},
		{"0,0,0,1.3,0,0", 2, 0, 1.3, false, "bump too high"},
		{"1,1,0,1,1,1", 2, 0, 1, true, "dip"},
		{"0,1,2,3,4,5", 2, 2, 3, false, "steps of a metre"},
		{"0,.5,1,1.5", 1, .5, 1, true, "stairs"},
		{"0,0,0,1,{0,1},{0,1},{0,1}", 2, 0, 1, false, "both levels ahead"},
		{"0,0,{.3,2,4},0", 1, 0, .3, false, "face"},
		{"0,0,{.2,2,4},0", 1, 0, .2, true, "slope at a face"},
		{"0,0,{.3,6},0", 1, 0, .3, true, "roofed, no face"},
		{"5,2.1,2.1,2.1,2.1,2.1", 0, 5, 2.1, true, "down 2.9"},
		{"5,0,0,0,0,0,0", 0, 5, 0, true, "ledge"},
		{"5,{0,5},{0,5},0,0,0", 0, 5, 0, false, "floor goes on"},
		{"5,0,0,0,5,0", 0, 5, 0, false, "gap of three"},
		{"5,0,0,0,0,5", 0, 5, 0, true, "gap of four"},
		{"5,0,0,2.1,0,0", 0, 5, 0, false, "another floor within the climb"},
		{"5,0", 0, 5, 0, true, "rim of the window"},
		{"3,0,3,3", 0, 3, 0, true, "down 3 is no drop"},
		{"0,5", 0, 0, 5, false, "wall"},
	} {
		s := strip(t, k.strip)
		rise := reference().Rise(s, true, nil)
		if got := rise.OK(k.from, 1, 0, k.h0, k.h1); got != k.want {
			t.Errorf("%s: %s from %d, %v to %v: %v", k.whatsoIs, k.strip, k.from, k.h0, k.h1, got)
		}
		rise.Drops = false
		if got, want := rise.OK(k.from, 1, 0, k.h0, k.h1), k.want && k.h1-k.h0 >= -3; got != want {
			t.Errorf("%s, without drops: %v", k.whatsoIs, got)
		}
	}
}

func TestRiseOnDiagonals(t *testing.T) {
	for _, k := range []struct {
		face bool
		dh   float32
		want bool
	}{{false, .35, true}, {false, .36, true}, {true, .35, true}, {true, 22. / 64, true}, {true, 23. / 64, false}, {true, .36, false}} {
		cols := [][]float32{{0}, {0}, {0}, {k.dh}}
		if k.face {
			cols[3] = []float32{k.dh, 3, 6}
		}
		s := columnsOf(Window{NX: 2, NY: 2}, cols)
		rise := reference().Rise(s, true, nil)
		if got := rise.OK(0, 1, 1, 0, k.dh); got != k.want {
			t.Errorf("face %v, %v up: %v", k.face, k.dh, got)
		}
	}
}

// plainRise is the rule on a lattice of 1/64 m, row by row.
func plainRise(s *Columns, x, y, dx, dy int, h0, h1 float32, drop bool) bool {
	q := func(h float32) int { return int(math.Round(float64(h) * 64)) }
	column := func(k int) []int {
		u, v := x+k*dx, y+k*dy
		var out []int
		for i, c := range s.Cell {
			if int(c)%s.NX == u && int(c)/s.NX == v {
				out = append(out, q(s.H[i]))
			}
		}
		return out
	}
	level := func(k int, h float32, tol int) bool {
		for _, v := range column(k) {
			if max(v-q(h), q(h)-v) <= tol {
				return true
			}
		}
		return false
	}
	face := func(k int) bool {
		c := column(k)
		return len(c) != 2 && len(c) > 0 && c[len(c)-1]-c[0] > 192
	}
	dh := q(h1) - q(h0)
	if dh < -192 && !drop {
		return false
	}
	if dh < -192 {
		for k := 1; k <= 4; k++ {
			if level(k, h0, 192) {
				return false
			}
		}
	}
	if dh <= 16 {
		return true
	}
	if dx != 0 && dy != 0 && dh <= 22 {
		return true
	}
	if face(0) || face(1) {
		return false
	}
	if dh <= 32 {
		return true
	}
	if dh > 80 {
		return false
	}
	for k := 2; k <= 3; k++ {
		if level(k, h0, 32) && !level(k, h1, 32) {
			return true
		}
	}
	for k := 1; k <= 2; k++ {
		if level(-k, h1, 32) && !level(-k, h0, 32) {
			return true
		}
	}
	return false
}

func TestRiseIsTheRule(t *testing.T) {
	seen := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t, rapid.IntRange(1, 9).Draw(t, "nx"), rapid.IntRange(1, 7).Draw(t, "ny"), 0)
		own, s := w.tables()
		with, without := reference().Rise(s, true, nil), reference().Rise(s, false, nil)
		for i, c := range own.Cell {
			x, y := int(c)%w.NX, int(c)/w.NX
			for _, d := range neighbours8 {
				u, v := x+d[0], y+d[1]
				if u < 0 || v < 0 || u >= w.NX || v >= w.NY {
					continue
				}
				for _, h := range own.Heights(v*w.NX + u) {
					for _, drop := range []bool{true, false} {
						rise := &with
						if !drop {
							rise = &without
						}
						got := rise.OK(int(c), d[0], d[1], own.H[i], h)
						if got != plainRise(s, x, y, d[0], d[1], own.H[i], h, drop) {
							t.Fatalf("from (%d, %d) by %v, %v to %v, drops %v: %v", x, y, d, own.H[i], h, drop, got)
						}
						seen[got]++
					}
				}
			}
		}
	})
	if min(seen[true], seen[false]) < 1000 {
		t.Errorf("answers: %v", seen)
	}
}

// gateFunc is a DropGate.
type gateFunc func(fromX, fromY, toX, toY int, from, to float32) bool

func (f gateFunc) Allow(fromX, fromY, toX, toY int, from, to float32) bool {
	return f(fromX, fromY, toX, toY, from, to)
}

func TestRiseAsksTheGateOnlyAboutDrops(t *testing.T) {
	s := strip(t, "5,0,0,0,0,0,0")
	s.GX, s.GY = -3, 7
	asked := 0
	answer := false
	rise := reference().Rise(s, true, gateFunc(func(fx, fy, tx, ty int, from, to float32) bool {
		asked++
		if fx != -3 || fy != 7 || tx != -2 || ty != 7 || from != 5 || to != 0 {
			t.Errorf("asked about (%d, %d) at %v to (%d, %d) at %v", fx, fy, from, tx, ty, to)
		}
		return answer
	}))
	if rise.OK(0, 1, 0, 5, 0) {
		t.Error("the gate said no")
	}
	answer = true
	if !rise.OK(0, 1, 0, 5, 0) {
		t.Error("the gate said yes")
	}
	if !rise.OK(1, 1, 0, 0, 0) || rise.OK(1, -1, 0, 0, 5) || asked != 2 {
		t.Errorf("asked %d times", asked)
	}
}

func BenchmarkRise(b *testing.B) {
	w := Window{NX: 256, NY: 256}
	rng := rand.New(rand.NewPCG(10, 11))
	cols := make([][]float32, w.Cells())
	for c := range cols {
		cols[c] = []float32{Quantize(float32(c%w.NX)*.1 + rng.Float32()*.1)}
		if c/w.NX%16 == 0 {
			cols[c][0] += 4
		}
	}
	s := columnsOf(w, cols)
	rise := reference().Rise(s, true, nil)
	for _, k := range []struct {
		name   string
		dx, dy int
	}{{"slope", 1, 0}, {"ledges", 0, 1}} {
		b.Run(k.name, func(b *testing.B) {
			n, yes := 0, 0
			for b.Loop() {
				for y := 1; y < 255; y++ {
					for x := 1; x < 255; x++ {
						c := y*w.NX + x
						if rise.OK(c, k.dx, k.dy, s.H[c], s.H[c+k.dy*w.NX+k.dx]) {
							yes++
						}
						n++
					}
				}
			}
			if yes == 0 {
				b.Fatal("no step leads on")
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/step")
		})
	}
}
