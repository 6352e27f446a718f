package spanpath

import (
	"cmp"
	"math"
	"math/rand/v2"
	"testing"

	"wend/pack/annex"
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
			for limit := 1; limit < 4*len(all); limit = limit*2 + 1 {
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
