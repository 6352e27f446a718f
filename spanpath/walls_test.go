package spanpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestSightOverKerbCorner looks along a diagonal through the place where four
// floors' edges meet, each with its other half: steps pass there one by one, so a
// chord of them does.
func TestSightOverKerbCorner(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 20, 20, 0)
	wall := func(au, av, bu, bv float64) Segment { return Segment{AU: au, AV: av, BU: bu, BV: bv} }
	w.walls = []Segment{wall(2, 2, 1, 2), wall(2, 1, 2, 2), wall(2, 3, 2, 2), wall(2, 2, 3, 2)}
	g := w.ground(t, spangrid.Window{NX: 21, NY: 21})
	kept := View{Kept: true}
	for k := 4; k < 12; k++ {
		if !g.Sees(kept, middle(k, k), middle(k+1, k+1), 0, 0) {
			t.Fatalf("the step from cell %d is not free", k)
		}
		for far := k + 1; far <= 12; far++ {
			if !g.Sees(kept, middle(k, k), middle(far, far), 0, 0) || !g.Sees(kept, middle(far, far), middle(k, k), 0, 0) {
				t.Errorf("the chord between cells %d and %d meets a wall, its steps do not", k, far)
			}
		}
	}
	w.pages, w.walls = map[Cell]*Page{}, w.walls[:3] // one has lost its other half
	if g = w.ground(t, g.Clip); g.Sees(kept, middle(4, 4), middle(12, 12), 0, 0) {
		t.Error("a chord passes a wall")
	}
}

// TestSightCutsNoCorner looks across the tips of corners of all angles, turned all
// ways, so near to the tip that both walls of it are crossed at once: no corner is
// a kerb, which has the other floor's edge along it.
func TestSightCutsNoCorner(t *testing.T) {
	at := func(tip Point, angle, r float64) (u, v float64) {
		return tip.U + r*math.Cos(angle), tip.V + r*math.Sin(angle)
	}
	n := 0
	for turn := 0.05; turn < 2*math.Pi; turn += 0.21 {
		for _, degrees := range []float64{30, 45, 60, 80, 90, 90 + 1e-9, 100, 135} {
			half := degrees * math.Pi / 360
			tip := Point{2.5, 2.5}
			var in, out Segment
			in.AU, in.AV = at(tip, turn-half, 2)
			in.BU, in.BV = tip.U, tip.V
			out.AU, out.AV = tip.U, tip.V
			out.BU, out.BV = at(tip, turn+half, 2)
			w := newWorld()
			w.floor(0, 0, 20, 20, 0)
			w.walls = []Segment{in, out}
			g := w.ground(t, spangrid.Window{NX: 21, NY: 21})
			for _, deep := range []float64{1e-3, 4e-3, 8e-3} { // behind the tip, px
				var p, q Point
				m := Point{}
				m.U, m.V = at(tip, turn, deep)
				p.U, p.V = at(m, turn+math.Pi/2, 1.3)
				q.U, q.V = at(m, turn-math.Pi/2, 1.3)
				n++
				if g.Sees(View{Kept: true}, p, q, 0, 0) || g.Sees(View{Kept: true}, q, p, 0, 0) {
					t.Errorf("a corner of %v degrees, turned by %v: a chord cuts %v px off it", degrees, turn, deep)
				}
			}
		}
	}
	if n < 500 {
		t.Errorf("%d corners", n)
	}
}

// beside reports whether the ends of b are no farther from a than 0.04 px, those that
// lie beside it.
func beside(a, b *Segment) bool {
	for _, e := range [2]Point{{b.AU, b.AV}, {b.BU, b.BV}} {
		length := math.Hypot(a.BU-a.AU, a.BV-a.AV)
		u, v := (a.BU-a.AU)/length, (a.BV-a.AV)/length
		along := (e.U-a.AU)*u + (e.V-a.AV)*v
		if along > 0 && along < length && math.Abs((e.V-a.AV)*u-(e.U-a.AU)*v) > 0.04 {
			return false
		}
	}
	return true
}

// TestSightPassesNoSlit looks across the end of a slit, which a thin wall leaves in
// the mesh of a bake without a radius: its sides meet in a tip.
func TestSightPassesNoSlit(t *testing.T) {
	const tip, width = 8.0, 0.25 // px
	for _, long := range []float64{0.5, 2, 7} {
		w := newWorld()
		w.floor(0, 0, 40, 20, 0)
		w.walls = []Segment{{AU: 0.5, AV: 2.5, BU: tip, BV: 2.5}, {AU: tip, AV: 2.5, BU: tip - long, BV: 2.5 + width}}
		g := w.ground(t, spangrid.Window{NX: 41, NY: 21})
		for back := 0.01; back < long; back += 0.03 {
			p, q := Point{tip - back, 1.8}, Point{tip - back, 3.4}
			if g.Sees(View{Kept: true}, p, q, 0, 0) || g.Sees(View{Kept: true}, q, p, 0, 0) {
				t.Errorf("a slit that narrows for %v px: a chord crosses it %v px before its end", long, back)
			}
		}
		if p, q := (Point{tip + 0.05, 1.8}), (Point{tip + 0.05, 3.4}); !g.Sees(View{Kept: true}, p, q, 0, 0) {
			t.Errorf("a slit that narrows for %v px: no way past its end", long)
		}
	}
}

// barred is a twin of the walls' part of sight: it looks at all walls at once.
func barred(walls []Segment, p, q Point, hp, hq, step float64) bool {
	cross := func(s *Segment) (t, h float64, ok bool) {
		rx, ry, sx, sy := q.U-p.U, q.V-p.V, s.BU-s.AU, s.BV-s.AV
		d := rx*sy - ry*sx
		if math.Abs(d) < 1e-12 {
			return 0, 0, false
		}
		t = ((s.AU-p.U)*sy - (s.AV-p.V)*sx) / d
		u := ((s.AU-p.U)*ry - (s.AV-p.V)*rx) / d
		return t, s.HA + (s.HB-s.HA)*u, t > 1e-7 && t < 1-1e-7 && u > -1e-7 && u < 1+1e-7
	}
	for i := range walls {
		t, h, ok := cross(&walls[i])
		if !ok || math.Abs(hp+(hq-hp)*t-h) > wallBand {
			continue
		}
		kerb := false
		for j := range walls {
			a, b := &walls[i], &walls[j]
			t2, h2, ok := cross(b)
			dot := (a.BU-a.AU)*(b.BU-b.AU) + (a.BV-a.AV)*(b.BV-b.AV)
			kerb = kerb || ok && dot <= -0.9*math.Hypot(a.BU-a.AU, a.BV-a.AV)*math.Hypot(b.BU-b.AU, b.BV-b.AV) && dot < 0 &&
				math.Abs(t2-t)*distance(p, q) <= kerbGap && math.Abs(h2-h) <= step && beside(a, b) && beside(b, a)
		}
		if !kerb {
			return true
		}
	}
	return false
}

// TestSightAgainstAllWalls holds sight against a twin that knows no cells, among
// walls that meet at points of a lattice, about half of them kerbs.
func TestSightAgainstAllWalls(t *testing.T) {
	free := [2]int{}
	for n := range 60 {
		rnd := rand.New(rand.NewPCG(uint64(n), 7))
		w := newWorld()
		w.floor(100, 0, 160, 40, 0) // pages meet in it
		at := func() (u, v float64) { return 25 + 1.5*float64(rnd.IntN(11)), 1.5 * float64(rnd.IntN(8)) }
		for range 14 {
			s := Segment{HA: float64(rnd.IntN(3)), HB: float64(rnd.IntN(3))}
			s.AU, s.AV = at()
			s.BU, s.BV = at()
			w.walls = append(w.walls, s)
			if up := float64(rnd.IntN(2)); rnd.IntN(3) > 0 { // in two pieces, on the other side
				m := Segment{AU: s.BU, AV: s.BV, BU: (s.AU + s.BU) / 2, BV: (s.AV + s.BV) / 2, HA: s.HB + up, HB: (s.HA+s.HB)/2 + up}
				o := Segment{AU: m.BU, AV: m.BV, BU: s.AU, BV: s.AV, HA: m.HB, HB: s.HA + up}
				w.walls = append(w.walls, m, o)
			}
		}
		g := w.ground(t, spangrid.Window{GX: 100, NX: 61, NY: 41})
		for k := range 300 {
			p := middle(100+rnd.IntN(61), rnd.IntN(41))
			q := middle(100+rnd.IntN(61), rnd.IntN(41))
			if k%3 == 0 {
				p.U, q.V = p.U+rnd.Float64()/9, q.V-rnd.Float64()/9
			}
			hp, hq := rnd.Float64()*3, rnd.Float64()*3
			want := !barred(w.walls, p, q, float64(float32(hp)), float64(float32(hq)), w.rules.StepUp)
			if got := g.Sees(View{Kept: true}, p, q, float32(hp), float32(hq)); got != want {
				t.Fatalf("world %d: from %v at %v to %v at %v: %v, the twin says %v", n, p, hp, q, hq, got, want)
			}
			if want {
				free[1]++
			} else {
				free[0]++
			}
		}
	}
	if min(free[0], free[1]) < 1000 {
		t.Errorf("%v chords barred and free", free)
	}
}
