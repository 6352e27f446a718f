package spanpath

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/spangrid"
)

// TestAccessWorked finds a way of two diagonal and sixteen straight steps, and
// of two such ways the wider one.
func TestAccessWorked(t *testing.T) {
	w := newWorld()
	w.floor(0, 0, 18, 4, 0)
	for y := range 5 {
		for x := range 19 {
			clr := uint16(1)
			if y >= 2 {
				clr = 4
			}
			w.cells[Cell{int32(x), int32(y)}][0].clr = clr
		}
	}
	// Only the second row up and the second row down lead on.
	for x := 1; x < 18; x++ {
		delete(w.cells, Cell{int32(x), 2})
	}
	w.cells[Cell{18, 2}][0].clr = 100
	g := w.ground(t, field)
	var a Access
	ok, err := g.Access(Cell{0, 2}, MarkOn, MarkOpen, 0, &a)
	if !ok || err != nil || a.Cost != 1882 || a.Narrow != 4 || len(a.Cells) != 19 || a.Cells[9] != (Cell{9, 3}) {
		t.Errorf("%v %v: %+v", ok, err, a)
	}
	if ok, _ := g.Access(Cell{0, 2}, MarkOn, MarkOpen, 1882, &a); !ok {
		t.Error("target at the limit not taken")
	}
	if ok, _ := g.Access(Cell{0, 2}, MarkOn, MarkOpen, 1700, &a); ok {
		t.Error("target beyond the limit taken")
	}
	if ok, _ := g.Access(Cell{18, 2}, MarkOn, MarkOpen, 0, &a); !ok || a.Cost != 0 || len(a.Cells) != 0 || a.Narrow != 100 {
		t.Errorf("from open ground: %+v", a)
	}
	if ok, _ := g.Access(Cell{30, 30}, MarkOn, MarkOpen, 0, &a); ok {
		t.Error("from nowhere")
	}
}

// randomCells makes a world without heights, over the corner of four pages.
func randomCells(rnd *rand.Rand) (*testWorld, spangrid.Window) {
	w := newWorld()
	x0, y0, n := 120, -6, 14
	for y := range n {
		for x := range n {
			if rnd.IntN(5) != 0 {
				w.put(x0+x, y0+y, cellSpan{clr: uint16(1 + rnd.IntN(3)*rnd.IntN(20)), steps: 255, steps2: uint8(rnd.IntN(256) & rnd.IntN(256) & rnd.IntN(256))})
			}
		}
	}
	return w, spangrid.Window{GX: x0, GY: y0, NX: n, NY: n}
}

// TestAccessAgainstBruteForce compares cost and least clearance with those of
// relaxing until nothing changes.
func TestAccessAgainstBruteForce(t *testing.T) {
	found := 0
	for n := range worlds(20) {
		rnd := rand.New(rand.NewPCG(uint64(n), 31))
		w, clip := randomCells(rnd)
		g := w.ground(t, clip)
		g.Mark(clip.GX+rnd.IntN(clip.NX), clip.GY+rnd.IntN(clip.NY), MarkExtra)
		g.Mark(clip.GX+rnd.IntN(clip.NX), clip.GY+rnd.IntN(clip.NY), MarkExtra)
		from := Cell{int32(clip.GX + rnd.IntN(clip.NX)), int32(clip.GY + rnd.IntN(clip.NY))}
		at := func(c Cell) uint16 { return g.Marks(int(c.X), int(c.Y)) }
		type state struct {
			cost   int32
			narrow uint16
		}
		clr := func(c Cell) uint16 { return w.cells[c][0].clr }
		best := map[Cell]state{}
		if at(from)&MarkOn != 0 {
			best[from] = state{0, clr(from)}
		}
		for changed := true; changed; {
			changed = false
			for c, s := range best {
				for d := range 8 {
					v := Cell{c.X + int32(stepX[d]), c.Y + int32(stepY[d])}
					if at(v)&MarkOn == 0 {
						continue
					}
					e := state{s.cost + planeCost[d], min(s.narrow, clr(v))}
					if old, ok := best[v]; !ok || e.cost < old.cost || e.cost == old.cost && e.narrow > old.narrow {
						best[v] = e
						changed = true
					}
				}
			}
		}
		want, any := state{math.MaxInt32, 0}, false
		for c, s := range best {
			if at(c)&MarkExtra != 0 && (s.cost < want.cost || s.cost == want.cost && s.narrow > want.narrow) {
				want, any = s, true
			}
		}
		if at(from)&MarkExtra != 0 {
			continue
		}
		var a Access
		ok, err := g.Access(from, MarkOn, MarkExtra, 0, &a)
		near := map[Cell]bool{}
		for _, c := range a.Near {
			near[c] = true
		}
		if len(near) != len(a.Near) || !any && len(near) > 0 {
			t.Fatalf("world %d: near the start are %v", n, a.Near)
		}
		for c, s := range best {
			if any && near[c] != (s.cost <= min(want.cost, NearLimit)) {
				t.Fatalf("world %d: %v is near the start: %v, its cost is %d of %d", n, c, near[c], s.cost, want.cost)
			}
			delete(near, c)
		}
		if len(near) > 0 {
			t.Fatalf("world %d: near the start are %v, which cannot be reached", n, near)
		}
		if err != nil || ok != any || ok && (a.Cost != want.cost || a.Narrow != want.narrow) {
			t.Fatalf("world %d: %v %+v, want %v %v", n, ok, a, any, want)
		}
		if !ok {
			continue
		}
		found++
		sum, narrow := int32(0), clr(from)
		for i := 1; i < len(a.Cells); i++ {
			dx, dy := abs(int(a.Cells[i].X-a.Cells[i-1].X)), abs(int(a.Cells[i].Y-a.Cells[i-1].Y))
			if max(dx, dy) != 1 {
				t.Fatalf("world %d: from %v to %v", n, a.Cells[i-1], a.Cells[i])
			}
			sum += 100 + 41*int32(min(dx, dy))
			narrow = min(narrow, clr(a.Cells[i]))
		}
		if a.Cells[0] != from || sum != a.Cost || narrow != a.Narrow || at(a.Cells[len(a.Cells)-1])&MarkExtra == 0 {
			t.Fatalf("world %d: %+v", n, a)
		}
		if a.Cost > 1 {
			if ok, _ := g.Access(from, MarkOn, MarkExtra, 1, &a); ok {
				t.Fatalf("world %d: beyond the limit", n)
			}
		}
	}
	if found < 8 {
		t.Errorf("%d found: no fair trial", found)
	}
}

// TestSolveCellsAgainstBruteForce does so with the search over cells, which
// obeys bans and corners, and takes links.
func TestSolveCellsAgainstBruteForce(t *testing.T) {
	found, linked := 0, 0
	for n := range worlds(60) {
		rnd := rand.New(rand.NewPCG(uint64(n), 32))
		w, clip := randomCells(rnd)
		cell := func() Cell {
			return Cell{int32(clip.GX + rnd.IntN(clip.NX)), int32(clip.GY + rnd.IntN(clip.NY))}
		}
		var links []Link
		if rnd.IntN(4) != 0 {
			a, b := cell(), cell()
			dx, dy := float64(a.X-b.X), float64(a.Y-b.Y)
			links = []Link{{
				From: spangrid.Place{GX: a.X, GY: a.Y}, To: spangrid.Place{GX: b.X, GY: b.Y},
				Cost: float32(math.Ceil(math.Sqrt(float64(dx*dx) + float64(dy*dy)))),
			}}
		}
		g := w.ground(t, clip, func(s *Setup) { s.Links = links })
		prices := NewPrices(0.25, 1.75)
		from, to := cell(), cell()
		on := func(c Cell) bool { return len(w.cells[c]) > 0 && clip.Has(int(c.X), int(c.Y)) }
		price := func(c Cell) float32 { return prices.Of(w.cells[c][0].clr) }
		edge := func(a, b Cell) float64 {
			dx, dy := b.X-a.X, b.Y-a.Y
			bit, enter := spangrid.StepBit(int(dx), int(dy))
			owner := a
			if enter {
				owner = b
			}
			if !on(b) || !on(Cell{a.X, b.Y}) || !on(Cell{b.X, a.Y}) || w.cells[owner][0].steps2&bit != 0 {
				return math.Inf(1)
			}
			half := float32(0.5)
			if dx != 0 && dy != 0 {
				half = float32(math.Sqrt2) / 2
			}
			return float64(half * (price(a) + price(b)))
		}
		best := map[Cell]float64{}
		if on(from) {
			best[from] = 0
		}
		for changed := true; changed; {
			changed = false
			offer := func(c Cell, cost float64) {
				if old, ok := best[c]; !math.IsInf(cost, 1) && (!ok || cost < old) {
					best[c], changed = cost, true
				}
			}
			for c, s := range best {
				for d := range 8 {
					v := Cell{c.X + int32(stepX[d]), c.Y + int32(stepY[d])}
					offer(v, s+edge(c, v))
				}
				for _, l := range links {
					if v := (Cell{l.To.GX, l.To.GY}); c == (Cell{l.From.GX, l.From.GY}) && on(v) {
						offer(v, s+float64(l.Cost))
					}
				}
			}
		}
		want, any := best[to]
		var p CellPath
		ok, err := g.SolveCells(from, to, MarkOn, prices, &p)
		if err != nil || ok != any || ok && p.Cost != want {
			t.Fatalf("world %d: %v %v %v, want %v %v", n, err, ok, p.Cost, any, want)
		}
		if l, _ := g.Linked(from, to, MarkOn); ok && !l {
			t.Fatalf("world %d: a way but not linked", n)
		}
		if !ok {
			continue
		}
		found++
		linked += len(p.Links)
		sum, used := 0.0, 0
		for i := 1; i < len(p.Cells); i++ {
			a, b := p.Cells[i-1], p.Cells[i]
			c := math.Inf(1)
			if max(abs(int(a.X-b.X)), abs(int(a.Y-b.Y))) == 1 {
				c = edge(a, b)
			}
			if used < len(p.Links) && len(links) > 0 && a == (Cell{links[0].From.GX, links[0].From.GY}) && b == (Cell{links[0].To.GX, links[0].To.GY}) && c > float64(links[0].Cost) {
				c = float64(links[0].Cost)
				used++
			}
			sum += c
		}
		if sum != p.Cost || used != len(p.Links) || p.Cells[0] != from || p.Cells[len(p.Cells)-1] != to {
			t.Fatalf("world %d: %+v, steps cost %v", n, p, sum)
		}
	}
	if found < 15 || linked == 0 {
		t.Errorf("%d found, %d links: no fair trial", found, linked)
	}
}

// TestLinkedAgainstBruteForce compares floods of words with floods of cells.
func TestLinkedAgainstBruteForce(t *testing.T) {
	yes, no := 0, 0
	for n := range worlds(10) {
		rnd := rand.New(rand.NewPCG(uint64(n), 33))
		w := newWorld()
		clip := spangrid.Window{GX: 40 - rnd.IntN(60), GY: 90, NX: 170 + rnd.IntN(20), NY: 70}
		for y := range clip.NY + 4 {
			for x := range clip.NX + 4 {
				if rnd.IntN(100) < 43 {
					w.put(clip.GX+x-2, clip.GY+y-2, cellSpan{})
				}
			}
		}
		cell := func() Cell {
			return Cell{int32(clip.GX + rnd.IntN(clip.NX)), int32(clip.GY + rnd.IntN(clip.NY))}
		}
		var links []Link
		for range rnd.IntN(3) {
			a, b := cell(), cell()
			links = append(links, Link{From: spangrid.Place{GX: a.X, GY: a.Y}, To: spangrid.Place{GX: b.X, GY: b.Y}})
		}
		slices.SortFunc(links, func(a, b Link) int { return a.From.Compare(b.From) })
		g := w.ground(t, clip, func(s *Setup) { s.Links = links })
		on := func(c Cell) bool { return len(w.cells[c]) > 0 && clip.Has(int(c.X), int(c.Y)) }
		for range 12 {
			from := cell()
			seen := map[Cell]bool{}
			todo := []Cell{from}
			for len(todo) > 0 {
				c := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				if seen[c] || !on(c) {
					continue
				}
				seen[c] = true
				for d := range 8 {
					todo = append(todo, Cell{c.X + int32(stepX[d]), c.Y + int32(stepY[d])})
				}
				for _, l := range links {
					if c == (Cell{l.From.GX, l.From.GY}) {
						todo = append(todo, Cell{l.To.GX, l.To.GY})
					}
				}
			}
			for range 12 {
				to := cell()
				ok, err := g.Linked(from, to, MarkOn)
				if err != nil || ok != seen[to] {
					t.Fatalf("world %d: from %v to %v: %v %v", n, from, to, ok, err)
				}
				if ok {
					yes++
				} else if on(from) && on(to) {
					no++
				}
			}
		}
	}
	if yes < 20 || no < 20 {
		t.Errorf("%d linked, %d not: no fair trial", yes, no)
	}
}
