package spanroute

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"wend/spangrid"
	"wend/spanpath"
)

func point(x, y float64) spanpath.Point {
	return spanpath.Point{U: x * spangrid.Side, V: y * spangrid.Side}
}

// huge are the bounds of a region that no window comes near.
var huge = spangrid.Window{GX: -20000, GY: -20000, NX: 40000, NY: 40000}

func TestWindowNumbers(t *testing.T) {
	// A leg of 400 cells allows 1000; its ellipse is 0.917 as high as it is long.
	l := newTiers(point(0.5, 0.5), point(0.5, 0.5), point(400.5, 0.5), huge)
	if c := l.cost(0); c != 1000 {
		t.Errorf("cost %v, want 1000", c)
	}
	r := l.rect(1000)
	b := math.Sqrt(1000*1000-400*400) / 2
	if want := 2*(500+72) + 1; math.Abs(float64(r.NX-want)) > 2 {
		t.Errorf("%d columns, want about %d", r.NX, want)
	}
	if want := 2*(int(b)+72) + 1; math.Abs(float64(r.NY-want)) > 2 || math.Abs(b/500-0.917) > 0.001 {
		t.Errorf("%d rows, want about %d; ratio %v", r.NY, want, b/500)
	}
	// The limit of cells is reached at about 740 cells.
	for _, c := range []struct {
		length float64
		want   Kind
	}{{720, Small}, {760, Capped}} {
		l := newTiers(point(0, 0), point(0, 0), point(c.length, 0), huge)
		if _, k := l.choose(0); k != c.want {
			t.Errorf("a leg of %v cells: %v, want %v", c.length, k, c.want)
		}
	}
	// 409.5 cells: cost 1019, and ways of up to about 1033 stay inside.
	l = newTiers(point(0, 0), point(0, 0), point(409.5, 0), huge)
	w, _ := l.choose(0)
	if lim := l.limitsOf(w); l.cost(0) != 1019 || math.Abs(lim.cost-1033) > 4 {
		t.Errorf("cost %v, limit %v; want 1019 and about 1033", l.cost(0), lim.cost)
	}
}

// TestWindowsGrow checks windows of random legs: each level allows more than
// the one before it, limits of small windows lie above the cost they are made
// for, and a capped window is as large as it may be.
func TestWindowsGrow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Float64Range(-3000, 3000)
		s := point(at.Draw(t, "x"), at.Draw(t, "y"))
		far := rapid.Float64Range(-12, 12)
		snapped := spanpath.Point{U: s.U + far.Draw(t, "du")/math.Sqrt2, V: s.V + far.Draw(t, "dv")/math.Sqrt2}
		g := point(at.Draw(t, "gx"), at.Draw(t, "gy"))
		l := newTiers(s, snapped, g, huge)
		area := 0
		for level := range 8 {
			w, kind := l.choose(level)
			if w.Cells() < area {
				t.Fatalf("level %d has %d cells, the one before it %d", level, w.Cells(), area)
			}
			area = w.Cells()
			lim := l.limitsOf(w)
			if kind == Full {
				continue
			}
			if lim.ends < 8 {
				t.Fatalf("%v window %+v: an end is %v cells inside", kind, w, lim.ends)
			}
			switch bare := l.rect(l.length); {
			case kind == Small && lim.cost <= l.cost(level):
				t.Fatalf("window %+v for %v cells proves only %v", w, l.cost(level), lim.cost)
			case kind == Capped && bare.Cells() <= localMax && w.Cells() > localMax:
				t.Fatalf("capped at %d cells", w.Cells())
			case kind == Capped && bare.Cells() > localMax && w != bare:
				t.Fatalf("window %+v, want the bare %+v", w, bare)
			}
		}
	})
}

// TestLimitIsTheLeast compares the limit with all cells around the trusted part.
func TestLimitIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.IntRange(-60, 60)
		s := point(float64(at.Draw(t, "x")), float64(at.Draw(t, "y")))
		g := point(float64(at.Draw(t, "gx")), float64(at.Draw(t, "gy")))
		l := newTiers(s, s, g, huge)
		w := l.rect(l.cost(0))
		lim := l.limitsOf(w)
		best := math.Inf(1)
		in := spangrid.Window{GX: w.GX + trustMargin, GY: w.GY + trustMargin, NX: w.NX - 2*trustMargin, NY: w.NY - 2*trustMargin}
		for y := range w.NY {
			for x := range w.NX {
				gx, gy := w.GX+x, w.GY+y
				if in.Has(gx, gy) {
					continue
				}
				d := distance(float64(gx)-l.start.U, float64(gy)-l.start.V) + distance(float64(gx)-l.goal.U, float64(gy)-l.goal.V)
				best = math.Min(best, d)
			}
		}
		if lim.cost > best-1+1e-9 || lim.cost < best-3 {
			t.Fatalf("limit %v, the nearest cell beyond has %v", lim.cost, best)
		}
	})
}
