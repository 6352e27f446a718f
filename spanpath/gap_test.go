package spanpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestGapWorked has the start's part at (0..2, 0) and (2, 3), joined by a link,
// and the goal's at (6, 1) and (7, 3).
func TestGapWorked(t *testing.T) {
	w := newWorld()
	w.row(0, 0, 0, 0, 0)
	w.put(2, 3, cellSpan{})
	w.put(6, 1, cellSpan{})
	w.put(7, 3, cellSpan{})
	links := []Link{
		{From: spangrid.Place{GX: 2, GY: 0}, To: spangrid.Place{GX: 2, GY: 3}, Cost: 3},
		{From: spangrid.Place{GX: 7, GY: 3}, To: spangrid.Place{GX: 6, GY: 1}, Cost: 3},
	}
	g := w.ground(t, spangrid.Window{NX: 8, NY: 4}, func(s *Setup) { s.Links = links })
	var gap Gap
	ok, err := g.FindGap(spanAt(t, g, 0, 0, 0), []Span{spanAt(t, g, 6, 1, 0)}, MarkOnCore, &gap)
	if !ok || err != nil || gap.From != (Cell{2, 0}) || gap.To != (Cell{6, 1}) || gap.Weight != 441 ||
		math.Abs(gap.Distance-1.0307764) > 1e-7 {
		t.Errorf("%v %v: %+v", ok, err, gap)
	}
	if ok, _ := g.FindGap(spanAt(t, g, 0, 0, 0), nil, MarkOnCore, &gap); ok {
		t.Error("a gap to nothing")
	}
}

// TestGapStoreys has both parts above each other.
func TestGapStoreys(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 9, 9, 0)
	w.floor(5, 5, 14, 14, 8)
	g := w.ground(t, spangrid.Window{NX: 20, NY: 20})
	var gap Gap
	ok, err := g.FindGap(spanAt(t, g, 0, 0, 0), []Span{spanAt(t, g, 14, 14, 0)}, MarkOnCore, &gap)
	if !ok || err != nil || gap != (Gap{From: Cell{5, 5}, To: Cell{5, 5}}) {
		t.Errorf("%v %v: %+v", ok, err, gap)
	}
}

// reach returns what can be reached from spans, or from where they can be.
func (t *searchTwin) reach(from []twinSpan, backward bool) map[twinSpan]bool {
	seen := map[twinSpan]bool{}
	for _, s := range from {
		seen[s] = true
	}
	for changed := true; changed; {
		changed = false
		for c := range t.cols {
			for n := range t.cols[c] {
				u := twinSpan{c, n}
				if !t.usable(t.cols[c][n]) || !t.in(c) {
					continue
				}
				for _, e := range t.next(u) {
					a, b := u, e.to
					if backward {
						a, b = b, a
					}
					if seen[a] && !seen[b] {
						seen[b], changed = true, true
					}
				}
			}
		}
	}
	return seen
}

// TestGapAgainstBruteForce compares gaps with the nearest of all pairs.
func TestGapAgainstBruteForce(t *testing.T) {
	gaps, wide := 0, 0
	for n := range worlds(25) {
		rnd := rand.New(rand.NewPCG(uint64(n), 41))
		w, change, clip := randomSearchWorld(rnd)
		for c := range w.cells { // a ditch
			if c.X == 124 {
				delete(w.cells, c)
			}
		}
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOnCore)
		if len(all) == 0 {
			continue
		}
		start := all[rnd.IntN(len(all))]
		goal := g.Place(all[rnd.IntN(len(all))])
		goals := g.Standing(nil, int(goal.GX), int(goal.GY), MarkOnCore)
		tw := newSearchTwin(w, g, MarkOnCore, nil)
		var ends []twinSpan
		for _, s := range goals {
			ends = append(ends, tw.of(g, s))
		}
		a, b := tw.reach([]twinSpan{tw.of(g, start)}, false), tw.reach(ends, true)
		var want Gap
		want.Weight = math.MaxInt32
		before := func(c, d Cell) bool { return c.Y < d.Y || c.Y == d.Y && c.X < d.X }
		for u := range a {
			for v := range b {
				dx, dy := abs(int(u.c.X-v.c.X)), abs(int(u.c.Y-v.c.Y))
				weight := int32(100*max(dx, dy) + 41*min(dx, dy))
				if weight < want.Weight || weight == want.Weight &&
					(before(u.c, want.From) || u.c == want.From && before(v.c, want.To)) {
					want = Gap{From: u.c, To: v.c, Weight: weight, Distance: spangrid.Side * math.Sqrt(float64(dx*dx+dy*dy))}
				}
			}
		}
		var got Gap
		ok, err := g.FindGap(start, goals, MarkOnCore, &got)
		if !ok || err != nil || got != want {
			t.Fatalf("world %d: %v %v %+v, want %+v", n, ok, err, got, want)
		}
		var p Path
		found, _ := g.Solve(&Problem{Need: MarkOnCore, Start: start, Goals: goals, GiveUp: math.Inf(1)}, &p)
		if found && got.Weight != 0 {
			t.Fatalf("world %d: a way and a gap %+v", n, got)
		}
		if !found {
			gaps++
		}
		if got.Weight > 100 {
			wide++
		}
	}
	if gaps < 8 || wide < 5 {
		t.Errorf("%d gaps, %d of them wide: no fair trial", gaps, wide)
	}
}
