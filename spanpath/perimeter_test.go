package spanpath

import (
	"math"
	"math/rand/v2"
	"testing"

	"wend/spangrid"
)

// TestSurroundChangesNoCost compares searches that look around the goal with those
// that do not: at first or at any time after, once or again and again, at none, some
// and all of the ground; and such as were paused in between, for floods.
func TestSurroundChangesNoCost(t *testing.T) {
	found, lost := 0, 0
	for n := range 36 {
		rnd := rand.New(rand.NewPCG(uint64(n), 61))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 || len(g.Links) > 0 {
			continue
		}
		q := Problem{Need: MarkOn, GiveUp: math.Inf(1)}
		if n%2 == 0 {
			q.Prices = NewPrices(0.25, 1.75)
		}
		for range 6 {
			q.Start, q.Goals = all[rnd.IntN(len(all))], []Span{all[rnd.IntN(len(all))]}
			q.Around = nil
			var plain Path
			ok, err := g.Solve(&q, &plain)
			if err != nil {
				t.Fatal(err)
			}
			grows := []Round{{rnd.IntN(4), 1 + rnd.IntN(9)}}
			for k := range 1 + rnd.IntN(6) {
				last := grows[k]
				grows = append(grows, Round{last.After + rnd.IntN(30), last.Spans + rnd.IntN(40)})
			}
			for _, around := range [][]Round{{{0, 1}}, {{0, 60}}, {{5, 1 << 20}}, grows} {
				q.Around, q.Pause, q.MaxExpanded = around, rnd.IntN(40), 0
				var p Path
				got, err := g.Solve(&q, &p)
				if err == nil && p.Paused {
					met := p.Met
					joined, _, err2 := g.Joined(q.Start, q.Goals, q.Need, 0)
					if err2 != nil || joined != ok || met && !joined {
						t.Fatalf("world %d, %v around: joined %v, met %v, found %v, %v", n, around, joined, met, ok, err2)
					}
					q.Pause = 0
					got, err = g.Resume(&q, &p)
				}
				q.Pause = 0
				if err != nil || got != ok || got && p.Cost != plain.Cost || p.Met && !ok {
					t.Fatalf("world %d, %v around: found %v at %v, without %v at %v, %v", n, around, got, p.Cost, ok, plain.Cost, err)
				}
				// With one less than that the budget is used up, and no more than it.
				if all := p.Expanded; all > 1 {
					q.MaxExpanded = 1 + rnd.IntN(all-1)
					got, err = g.Solve(&q, &p)
					if got || err != nil || !p.OverBudget || p.Expanded > q.MaxExpanded {
						t.Fatalf("world %d, %v around: found %v with %d of %d, %d taken up, %v", n, around, got, q.MaxExpanded, all, p.Expanded, err)
					}
					q.MaxExpanded = 0
				}
				if ok {
					found++
				} else {
					lost++
				}
			}
		}
	}
	if found < 100 || lost < 20 {
		t.Errorf("%d found, %d lost: no fair trial", found, lost)
	}
}

// TestPerimeterIsALowerBound holds the estimate against the cost from every span,
// and between neighbours.
func TestPerimeterIsALowerBound(t *testing.T) {
	checked := 0
	for n := range 40 {
		rnd := rand.New(rand.NewPCG(uint64(n), 62))
		w, change, clip := randomSearchWorld(rnd)
		g := w.ground(t, clip, change)
		all := usableSpans(g, MarkOn)
		if len(all) == 0 || len(g.Links) > 0 {
			continue
		}
		q := Problem{Need: MarkOn, GiveUp: math.Inf(1), Prices: NewPrices(0.25, 1.75), Goals: []Span{all[rnd.IntN(len(all))]}}
		around := 1 + rnd.IntN(len(all))
		type estimated struct {
			span Span
			h    float64
		}
		var list []estimated
		q.Start, q.Around = all[0], []Round{{0, around}}
		g.solver.begin(g, &q, new(Path))
		g.solver.lookAround(new(Path))
		for _, v := range all {
			p, i := g.of(uint32(v))
			gx, gy := p.Table.At(int(p.cellOf[i]))
			list = append(list, estimated{v, g.solver.estimate(p, i, gx, gy)})
		}
		q.Around = nil
		for range min(len(list), 60) {
			e := list[rnd.IntN(len(list))]
			q.Start = e.span
			var p Path
			if ok, _ := g.Solve(&q, &p); ok && e.h > p.Cost+1e-9 {
				t.Fatalf("world %d, %d around: the estimate is %v, the way costs %v", n, around, e.h, p.Cost)
			} else if ok {
				checked++
			}
		}
	}
	if checked < 200 {
		t.Errorf("%d checked: no fair trial", checked)
	}
}

// TestSurroundPaysUpstairs has a goal at the end of a long serpentine: the search
// over open ground beside it looks at a part of the spans only.
func TestSurroundPaysUpstairs(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 199, 99, 0) // open ground
	for k := range 20 {       // lanes of two cells, joined at their ends in turn
		y := 102 + 3*k
		w.floor(0, y, 59, y+1, 0)
		if x := 58 * (k % 2); k > 0 {
			w.floor(x, y-1, x+1, y-1, 0)
		}
	}
	w.floor(58, 100, 59, 101, 0)
	g := w.ground(t, spangrid.Window{GX: -20, GY: -20, NX: 260, NY: 220})
	q := Problem{Need: MarkOn, GiveUp: math.Inf(1), Start: g.Standing(nil, 190, 10, MarkOn)[0], Goals: g.Standing(nil, 30, 159, MarkOn)}
	var plain, around Path
	ok, _ := g.Solve(&q, &plain)
	q.Around = []Round{{0, 2500}}
	ok2, _ := g.Solve(&q, &around)
	if !ok || !ok2 || plain.Cost != around.Cost {
		t.Fatalf("found %v at %v and %v at %v", ok, plain.Cost, ok2, around.Cost)
	}
	if around.Expanded > plain.Expanded/2 {
		t.Errorf("%d spans looked at, without %d", around.Expanded, plain.Expanded)
	}
	if around.MinY >= 100 || around.MaxY < 160 || around.MaxY > 161 {
		t.Errorf("looked at rows %d to %d", around.MinY, around.MaxY)
	}
}
