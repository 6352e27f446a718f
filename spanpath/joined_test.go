package spanpath

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestJoinedAgainstSolve compares floods with searches, and pockets with what a
// twin can reach.
func TestJoinedAgainstSolve(t *testing.T) {
	joined, starts, ends, links := 0, 0, 0, 0
	for n := range worlds(40) {
		rnd := rand.New(rand.NewPCG(uint64(n), 43))
		w, change, clip := randomSearchWorld(rnd)
		if n%2 == 0 {
			for c := range w.cells { // a ditch
				if c.X == 124 {
					delete(w.cells, c)
				}
			}
		}
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOnCore)
		if len(all) == 0 {
			continue
		}
		tw := newSearchTwin(w, g, MarkOnCore, nil)
		for range 6 {
			start := all[rnd.IntN(len(all))]
			goal := g.Place(all[rnd.IntN(len(all))])
			goals := g.Standing(nil, int(goal.GX), int(goal.GY), MarkOnCore)
			var p Path
			want, err := g.Solve(&Problem{Need: MarkOnCore, Start: start, Goals: goals, GiveUp: math.Inf(1)}, &p)
			if err != nil {
				t.Fatal(err)
			}
			ok, pocket, err := g.Joined(start, goals, MarkOnCore, 0)
			if err != nil || ok != want || pocket.OverBudget {
				t.Fatalf("world %d: %v %v %+v, a search finds %v", n, ok, err, pocket, want)
			}
			if ok {
				joined++
				links += len(p.Links)
				continue
			}
			from := []twinSpan{tw.of(g, start)}
			if pocket.Goal {
				from = from[:0]
				for _, s := range goals {
					from = append(from, tw.of(g, s))
				}
				ends++
			} else {
				starts++
			}
			seen := tw.reach(from, pocket.Goal)
			if len(seen) != pocket.Spans || pocket.Expanded > 2*pocket.Spans+floodTurn {
				t.Fatalf("world %d: %+v, the twin knows %d spans", n, pocket, len(seen))
			}
		}
	}
	if joined < 80 || starts < 4 || ends < 10 || links < 2 {
		t.Errorf("%d joined over %d links, %d pockets of starts, %d of goals: no fair trial", joined, links, starts, ends)
	}
}

// rooms is a square field with a closed room of 9 by 9 cells on one of its
// terraces.
func rooms(side int) *drawnWorld {
	return newDrawn(side, func(solid []bool) {
		for y := 300; y <= 310; y++ {
			for x := 303; x <= 313; x++ {
				solid[y*side+x] = y == 300 || y == 310 || x == 303 || x == 313
			}
		}
	})
}

// TestJoinedRoom has one end in a room that cannot be left, of which a search
// with component ids alone knows nothing.
func TestJoinedRoom(t *testing.T) {
	w := rooms(400)
	g := w.ground(t)
	in, out := spanAt(t, g, 305, 305, 0), spanAt(t, g, 5, 5, 0)
	for _, c := range []struct{ start, goal Span }{{in, out}, {out, in}} {
		ok, p, err := g.Joined(c.start, []Span{c.goal}, MarkOnCore, 0)
		if ok || err != nil || p.Goal != (c.goal == in) || p.Spans != 81 || p.Expanded > 2*81+floodTurn {
			t.Errorf("%v %v %+v", ok, err, p)
		}
		ok, p, err = g.Joined(c.start, []Span{c.goal}, MarkOnCore, 80)
		if ok || err != nil || !p.OverBudget || p.Expanded != 80 {
			t.Errorf("a limit of 80: %v %v %+v", ok, err, p)
		}
	}
	// Open ground between both ends: the floods go straight to each other.
	ok, p, err := g.Joined(out, []Span{spanAt(t, g, 390, 200, 0)}, MarkOnCore, 0)
	if !ok || err != nil || p.Expanded > 2000 {
		t.Errorf("%v %v %+v", ok, err, p)
	}
	if ok, p, err := g.Joined(out, nil, MarkOnCore, 0); ok || err != nil || !p.Goal || p.Spans != 0 {
		t.Errorf("no goals: %v %v %+v", ok, err, p)
	}
}

// TestJoinedOneWay has a ledge and a pit: falls lead one way.
func TestJoinedOneWay(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 9, 9, 6) // the ledge
	w.floor(10, 0, 59, 59, 0)
	w.floor(60, 0, 64, 9, -6) // the pit
	g := w.ground(t, spangrid.Window{NX: 70, NY: 60})
	ledge, field, pit := spanAt(t, g, 3, 3, 0), spanAt(t, g, 30, 30, 0), spanAt(t, g, 62, 3, 0)
	for _, c := range []struct {
		from, to Span
		ok, goal bool
		spans    int
	}{
		{ledge, field, true, false, 0}, {field, pit, true, false, 0}, {ledge, pit, true, false, 0},
		{field, ledge, false, true, 100}, {pit, field, false, false, 50}, {pit, ledge, false, false, 50},
	} {
		ok, p, err := g.Joined(c.from, []Span{c.to}, MarkOnCore, 0)
		if ok != c.ok || err != nil || !ok && (p.Goal != c.goal || p.Spans != c.spans) {
			t.Errorf("%v to %v: %v %v %+v", g.Place(c.from), g.Place(c.to), ok, err, p)
		}
	}
}

func TestJoinedCancelled(t *testing.T) {
	w := newDrawn(400, func(solid []bool) {
		for y := range 400 {
			solid[y*400+200] = true
		}
	})
	g := w.ground(t)
	start, goals := spanAt(t, g, 5, 5, 0), []Span{spanAt(t, g, 390, 5, 0)}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	g.ctx = ctx
	if ok, p, err := g.Joined(start, goals, MarkOnCore, 0); ok || !errors.Is(err, why) || p.Expanded > 2*checkEvery {
		t.Errorf("%v %v %+v", ok, err, p)
	}
}

func TestJoinedAllocatesNothing(t *testing.T) {
	g := rooms(400).ground(t)
	in, out := spanAt(t, g, 305, 305, 0), spanAt(t, g, 5, 5, 0)
	goals := []Span{out}
	run := func() { g.Joined(in, goals, MarkOnCore, 0) }
	run()
	if n := testing.AllocsPerRun(10, run); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkJoined(b *testing.B) {
	town := newDrawn(1000, streets(1000)).ground(b)
	halves := newDrawn(1000, func(solid []bool) {
		for y := range 1000 {
			solid[y*1000+500] = true
		}
	}).ground(b)
	for _, c := range []struct {
		name string
		g    *Ground
		ok   bool
	}{{"town", town, true}, {"halves", halves, false}} {
		b.Run(c.name, func(b *testing.B) {
			start, goals := spanAt(b, c.g, 1, 1, 0), []Span{spanAt(b, c.g, 998, 998, 0)}
			c.g.Joined(start, goals, MarkOnCore, 0)
			n := 0
			for b.Loop() {
				ok, p, err := c.g.Joined(start, goals, MarkOnCore, 0)
				if ok != c.ok || err != nil {
					b.Fatal(ok, err)
				}
				n += p.Expanded
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/expanded")
			b.ReportMetric(float64(n)/float64(b.N), "expanded")
		})
	}
}
