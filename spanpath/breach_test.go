package spanpath

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/spangrid"
)

// could reports whether a step of the twin's world would be allowed if the query
// brought nothing: components, the window's mask and the body aside.
func (t *searchTwin) could(a, b twinSpan) bool {
	from, to := t.cols[a.c][a.n], t.cols[b.c][b.n]
	if max(from.region, 1) != 1 || max(to.region, 1) != 1 || !t.s.Clip.Has(int(a.c.X), int(a.c.Y)) || !t.s.Clip.Has(int(b.c.X), int(b.c.Y)) {
		return false
	}
	dx, dy := int(b.c.X-a.c.X), int(b.c.Y-a.c.Y)
	rise := t.w.rules.Rise(&t.table, true, nil)
	if !rise.OK((int(a.c.Y)-t.table.GY)*t.table.NX+int(a.c.X)-t.table.GX, dx, dy, from.h, to.h) {
		return false
	}
	if drop := float64(from.h) - float64(to.h); drop > t.w.rules.Climb {
		return to.room == 0 || annex.HeadroomMetres(to.room) >= drop-0.25 || t.openFurtherOut(b, dx, dy, from.h)
	}
	p := [2]float64{spangrid.Center(int(a.c.X)), spangrid.Center(int(a.c.Y))}
	q := [2]float64{spangrid.Center(int(b.c.X)), spangrid.Center(int(b.c.Y))}
	for _, s := range t.w.walls {
		if s.meets(p, q, float64(from.h), float64(to.h), wallBand) {
			return false
		}
	}
	return !t.banned(a.c, b.c)
}

// crossings returns the lengths of the shortest crossings from a span of one part
// to all that are not of it, against the direction of steps if back is set.
func (t *searchTwin) crossings(from twinSpan, part map[twinSpan]bool, back bool, cell float64) map[twinSpan]int {
	length := map[twinSpan]int{}
	at := map[twinSpan]int{from: 0}
	todo := []twinSpan{from}
	for len(todo) > 0 {
		u := todo[0]
		todo = todo[1:]
		offer := func(v twinSpan, weight int, height float64) {
			if part[v] {
				return
			}
			to := at[u] + weight + int(100*height/cell)
			if old, ok := length[v]; !ok || to < old {
				length[v], at[v] = to, to
				todo = append(todo, v)
			}
		}
		for dy := int32(-1); dy <= 1; dy++ {
			for dx := int32(-1); dx <= 1; dx++ {
				c := Cell{u.c.X + dx, u.c.Y + dy}
				for n := range t.cols[c] {
					v := twinSpan{c, n}
					a, b := u, v
					if back {
						a, b = v, u
					}
					if c == u.c || !t.could(a, b) {
						continue
					}
					weight, height := 100, 0.0
					if dx != 0 && dy != 0 {
						weight = 141
					}
					if drop := float64(t.cols[a.c][a.n].h) - float64(t.cols[b.c][b.n].h); drop > t.w.rules.Climb {
						height = drop
					}
					offer(v, weight, height)
				}
			}
		}
		for k := range t.s.Links {
			near, far := t.s.Links[k].From, t.s.Links[k].To
			if back {
				near, far = far, near
			}
			if v, ok := t.landing(near); !ok || v != u {
				continue
			}
			if v, ok := t.landing(far); ok {
				dx, dy := abs(int(v.c.X-u.c.X)), abs(int(v.c.Y-u.c.Y))
				offer(v, max(100*max(dx, dy)+41*min(dx, dy), 100), math.Abs(float64(t.cols[u.c][u.n].h)-float64(t.cols[v.c][v.n].h)))
			}
		}
	}
	return length
}

// TestBreachAgainstBruteForce compares breaches with the first of all pairs: over
// ground that is closed, or through the air.
func TestBreachAgainstBruteForce(t *testing.T) {
	var crossed, inSpace, pockets [2]int
	for n := range worlds(36) {
		rnd := rand.New(rand.NewPCG(uint64(n), 47))
		w, change, clip := randomSearchWorld(rnd)
		for c, list := range w.cells {
			switch {
			case c.X != 124 && c.X != 126:
			case n%2 == 0: // a ditch
				delete(w.cells, c)
			default: // ground that cannot be reached
				for i := range list {
					list[i].component = 2
				}
			}
		}
		g := w.ground(t, clip, change, func(s *Setup) { s.PassWalls = false })
		all := usableSpans(g, MarkOnCore)
		if len(all) == 0 {
			continue
		}
		tw := newSearchTwin(w, g, MarkOnCore, nil)
		height := func(u twinSpan) spangrid.Place { return spangrid.Place{GX: u.c.X, GY: u.c.Y, H: tw.cols[u.c][u.n].h} }
		for range 4 {
			start := all[rnd.IntN(len(all))]
			goal := g.Place(all[rnd.IntN(len(all))])
			goals := g.Standing(nil, int(goal.GX), int(goal.GY), MarkOnCore)
			ok, pocket, err := g.Joined(start, goals, MarkOnCore, 0)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				continue
			}
			var ends []twinSpan
			for _, s := range goals {
				ends = append(ends, tw.of(g, s))
			}
			const cell = 0.3
			parts := [2]map[twinSpan]bool{tw.reach([]twinSpan{tw.of(g, start)}, false), tw.reach(ends, true)}
			side := 0
			if pocket.Goal {
				side = 1
			}
			pockets[side]++
			type pair struct {
				from, to spangrid.Place
				length   int
				d2       float64
			}
			var want, nearest pair
			found, some := false, false
			startAt := g.Place(start)
			compare := func(a, b pair) int {
				return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(off(a.from, startAt), off(b.from, startAt)),
					cmp.Compare(off(a.to, goal), off(b.to, goal)), a.from.Compare(b.from), a.to.Compare(b.to))
			}
			for u := range parts[side] {
				lengths := tw.crossings(u, parts[side], side == 1, cell)
				for x := range parts[1-side] {
					p := pair{from: height(u), to: height(x)}
					if side == 1 {
						p.from, p.to = p.to, p.from
					}
					p.d2 = pairDistance(&p.from, &p.to, cell)
					if c := cmp.Or(cmp.Compare(p.d2, nearest.d2), compare(p, nearest)); !some || c < 0 {
						nearest, some = p, true
					}
					if p.length, ok = lengths[x]; ok && (!found || compare(p, want) < 0) {
						want, found = p, true
					}
				}
			}
			if !found {
				want = nearest
				inSpace[side]++
			} else {
				crossed[side]++
			}
			var got Breach
			ok, err = g.FindBreach(&pocket, cell, math.MaxInt32, &got)
			if !ok || err != nil || got.Crossing != found || g.Place(got.From) != want.from || g.Place(got.To) != want.to {
				t.Fatalf("world %d, side %d: %v %v, %+v from %v to %v; want %v %+v", n, side, ok, err, got, g.Place(got.From), g.Place(got.To), found, want)
			}
			// With a limit it finds the same or says that it did not.
			for limit := 1; limit < 4*len(all); limit = limit*4 + 1 {
				ok, pocket, _ = g.Joined(start, goals, MarkOnCore, 0)
				var less Breach
				switch ok, err := g.FindBreach(&pocket, cell, limit, &less); {
				case err != nil || ok == less.OverLimit:
					t.Fatalf("world %d, limit %d: %v %v %+v", n, limit, ok, err, less)
				case ok && (less.From != got.From || less.To != got.To || less.Crossing != got.Crossing):
					t.Fatalf("world %d, limit %d: %+v, without a limit %+v", n, limit, less, got)
				}
			}
		}
	}
	if min(crossed[0], crossed[1], inSpace[0], inSpace[1]) < 4 {
		t.Errorf("crossings %v, in space %v, pockets %v: no fair trial", crossed, inSpace, pockets)
	}
}

// TestEnclosed has a goal where nobody can stand: under a disc, with and without a
// pit around it that nothing leads into.
func TestEnclosed(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 99, 39, 0)
	disc := []Disc{{spangrid.Center(60), spangrid.Center(20), 10 * spangrid.Side}}
	g := w.ground(t, spangrid.Window{NX: 100, NY: 40}, func(s *Setup) { s.Discs = disc })
	start := spanAt(t, g, 5, 20, 0)
	goal, ok := g.SpanAt(spangrid.Place{GX: 62, GY: 20, H: 0.5})
	if !ok || g.Place(goal) != (spangrid.Place{GX: 62, GY: 20}) {
		t.Fatal(g.Place(goal), ok)
	}
	if _, ok := g.SpanAt(spangrid.Place{GX: 62, GY: 20, H: 9}); ok {
		t.Error("a span 9 m lower")
	}
	p := g.Enclose(start, goal, MarkOnCore)
	var b Breach
	// From 62 the disc ends 9 cells to the east, and 8 one row beside.
	found, err := g.FindBreach(&p, 0.3, 10_000, &b)
	if !found || err != nil || !b.Crossing || g.Place(b.From) != (spangrid.Place{GX: 70, GY: 19}) || b.To != goal {
		t.Errorf("%v %v %+v from %v", found, err, b, g.Place(b.From))
	}
	p = g.Enclose(start, goal, MarkOnCore)
	if found, err := g.FindBreach(&p, 0.3, 50, &b); found || err != nil || !b.OverLimit {
		t.Errorf("a limit of 50: %v %v %+v", found, err, b)
	}
	p = g.Enclose(goal, goal, MarkOnCore) // a start that is none
	if found, err := g.FindBreach(&p, 0.3, 10_000, &b); found || err != nil || b.OverLimit {
		t.Errorf("no start: %v %v %+v", found, err, b)
	}

	w = newWorld()
	w.floor(0, 0, 49, 39, 0)
	w.floor(52, 10, 70, 30, -30)
	disc[0].Radius = 2 * spangrid.Side
	g = w.ground(t, spangrid.Window{NX: 100, NY: 40}, func(s *Setup) { s.Discs = disc })
	start, goal = spanAt(t, g, 5, 21, 0), spanAt(t, g, 60, 20, 0)
	p = g.Enclose(start, goal, MarkOnCore)
	found, err = g.FindBreach(&p, 0.3, 10_000, &b)
	if !found || err != nil || b.Crossing || g.Place(b.From) != (spangrid.Place{GX: 49, GY: 20}) || b.To != goal {
		t.Errorf("in a pit: %v %v %+v from %v", found, err, b, g.Place(b.From))
	}
}

// TestBreachEdges has a wall whose foot is a cell without a middle on either side,
// and a door that a disc closes: the way through the door is longer, and the one
// that counts, unless it is ten times as long.
func TestBreachEdges(t *testing.T) {
	for _, radius := range []float64{4, 18} {
		w := newWorld()
		w.floor(0, 0, 29, 99, 0)
		w.floor(32, 0, 60, 99, 0)
		for y := range 100 {
			for x := 30; x <= 31; x++ {
				s := cellSpan{flags: bnav.Walk}
				if y >= 48 && y <= 52 {
					s.flags |= bnav.Core
				}
				w.put(x, y, s)
			}
		}
		g := w.ground(t, spangrid.Window{NX: 61, NY: 100}, func(s *Setup) {
			s.Discs = []Disc{{30.5 * spangrid.Side, spangrid.Center(50), radius * spangrid.Side}}
		})
		_, p, err := g.Joined(spanAt(t, g, 3, 10, 0), []Span{spanAt(t, g, 50, 10, 0)}, MarkOnCore, 0)
		if err != nil {
			t.Fatal(err)
		}
		var b Breach
		found, err := g.FindBreach(&p, 0.3, 100_000, &b)
		from, to := g.Place(b.From), g.Place(b.To)
		if door := from.GY > 40 && from.GY < 60; !found || err != nil || !b.Crossing || from.GX > 29 || to.GX < 32 || door != (radius < 10) {
			t.Errorf("a disc of %v: %v %v, %v to %v", radius, found, err, from, to)
		}
	}
}

func TestBreachCancelled(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 99, 39, 0)
	w.floor(110, 0, 199, 39, 0)
	g := w.ground(t, spangrid.Window{NX: 200, NY: 40})
	_, p, err := g.Joined(spanAt(t, g, 3, 10, 0), []Span{spanAt(t, g, 150, 10, 0)}, MarkOnCore, 0)
	if err != nil {
		t.Fatal(err)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(why)
	g.ctx = ctx
	if found, err := g.FindBreach(&p, 0.3, 100_000, new(Breach)); found || !errors.Is(err, why) {
		t.Errorf("%v %v", found, err)
	}
}

// BenchmarkBreach cuts a field of 1000 by 1000 cells into halves, which is the most
// work: half a million surfaces on either side.
func BenchmarkBreach(b *testing.B) {
	halves := newDrawn(1000, func(solid []bool) {
		for y := range 1000 {
			solid[y*1000+500], solid[y*1000+501] = true, true
		}
	}).ground(b)
	start, goals := spanAt(b, halves, 1, 1, 0), []Span{spanAt(b, halves, 998, 998, 0)}
	for b.Loop() {
		b.StopTimer()
		_, p, err := halves.Joined(start, goals, MarkOnCore, 0)
		b.StartTimer()
		var dst Breach
		if found, ferr := halves.FindBreach(&p, 0.3, 4_000_000, &dst); !found || ferr != nil || err != nil {
			b.Fatal(found, err, ferr)
		}
		b.ReportMetric(float64(dst.Looked), "looked")
	}
}
