package grid_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"wend/grid"
	"wend/grid/sample"
)

// rubble is open ground with loose stones, on which jump point search needs
// many nodes, but for a free place around a cell, and a wall across.
func rubble(t *testing.T, free grid.Cell) *grid.Map {
	m := openMap(t, 300, 300)
	rnd := rand.New(rand.NewPCG(4, 4))
	for range 9000 {
		must(m.SetPassable(grid.Cell{X: int32(rnd.IntN(300)), Y: int32(rnd.IntN(300))}, false))
	}
	must(m.Fill(grid.Cell{X: free.X - 35, Y: free.Y - 35}, grid.Cell{X: free.X + 35, Y: free.Y + 35}, true))
	must(m.Fill(grid.Cell{X: 150, Y: 20}, grid.Cell{X: 150, Y: 280}, false))
	return m
}

// stairs is a corridor one cell wide that goes down by two steps east and one
// south.
func stairs(t *testing.T) *grid.Map {
	m, err := grid.New(300, 160)
	must(err)
	for x := range int32(299) {
		must(m.Fill(grid.Cell{X: x, Y: x / 2}, grid.Cell{X: x + 1, Y: x / 2}, true))
	}
	return m
}

func TestSelectorDecisions(t *testing.T) {
	at, beyond := grid.Cell{X: 90, Y: 150}, grid.Cell{X: 290, Y: 150}
	stones, corridor := rubble(t, at), stairs(t)
	must(stones.SetPassable(beyond, true))
	weighted := corridor.Clone()
	must(weighted.SetCost(grid.Cell{X: 60, Y: 30}, 3))
	for _, c := range []struct {
		name     string
		m        *grid.Map
		from, to grid.Cell
		shortest bool
		want     grid.Decision
		reason   string
	}{
		{"few nodes", stones, at, grid.Cell{X: 110, Y: 120}, false, grid.Trial,
			"nodes were enough, of 100 tried first; searched by jps"},
		{"near, behind a wall", stones, grid.Cell{X: 135, Y: 150}, grid.Cell{X: 151, Y: 150}, false, grid.NearBy,
			"100 nodes were not enough; the goal is 16.0 cells away, at most 32; searched by jps"},
		{"far, on open ground", stones, at, beyond, false, grid.Open,
			"100 nodes were not enough; the goal is 200.0 cells away, more than 32; 100 % of what lies around the start is free, at least 50 %; searched by jps"},
		{"along a corridor", corridor, grid.Cell{}, grid.Cell{X: 280, Y: 140}, false, grid.Traced,
			"100 nodes were not enough; the goal is 313.0 cells away, more than 32; 1 % of what lies around the start is free, less than 50 %; traced along the walls"},
		{"along a corridor with costs", weighted, grid.Cell{}, grid.Cell{X: 280, Y: 140}, false, grid.Traced, "traced along the walls"},
		{"along a corridor, shortest", corridor, grid.Cell{}, grid.Cell{X: 280, Y: 140}, true, grid.Open,
			"is free, less than 50 %; only the shortest way will do; searched by jps"},
		{"no way", stones, at, grid.Cell{X: 150, Y: 150}, false, grid.Trial, "no search was needed"},
		{"from among stones", stones, grid.Cell{X: 20, Y: 20}, beyond, false, grid.TracedInVain, "did not arrive; searched by jps"},
	} {
		must(c.m.SetPassable(c.from, true))
		s, err := grid.NewSelector(&grid.SelectorOptions{Shortest: c.shortest, Frame: 1 << 30})
		must(err)
		r, err := s.Find(t.Context(), c.m, c.from, c.to)
		must(err)
		want, err := grid.NewQuery().Find(t.Context(), c.m, c.from, c.to, nil)
		must(err)
		if r.Decision != c.want || r.Status != want.Status || r.Status == grid.Complete && r.Cost < want.Cost {
			t.Errorf("%s: %v %v cost %v; want %v %v %v", c.name, r.Decision, r.Status, r.Cost, c.want, want.Status, want.Cost)
		}
		if !strings.Contains(r.Reason(), c.reason) {
			t.Errorf("%s: %s", c.name, r.Reason())
		}
		if c.want != grid.Traced && r.Cost != want.Cost {
			t.Errorf("%s: searched, cost %v, the least is %v", c.name, r.Cost, want.Cost)
		}
		if n := grid.Walkable(c.m, r.Path, grid.Moves{}); n != len(r.Path) || len(r.Path) != len(want.Path) && c.want != grid.Traced {
			t.Errorf("%s: path breaks at %d of %d", c.name, n, len(r.Path))
		}
	}
}

// TestSelectorTable: with a table the search is over it while it is up to date,
// and without it after an edit.
func TestSelectorTable(t *testing.T) {
	t.Parallel()
	at, beyond := grid.Cell{X: 90, Y: 150}, grid.Cell{X: 290, Y: 150}
	m := rubble(t, at)
	must(m.SetPassable(beyond, true))
	table := newTable(t, m, grid.Moves{})
	s, err := grid.NewSelector(&grid.SelectorOptions{Jumps: table, Frame: 1 << 30})
	must(err)
	find := func(want grid.Algorithm) {
		t.Helper()
		r, err := s.Find(t.Context(), m, at, beyond)
		must(err)
		least, err := grid.NewQuery().Find(t.Context(), m, at, beyond, nil)
		must(err)
		if r.Algorithm != want || r.Cost != least.Cost || r.Decision != grid.Open {
			t.Errorf("%v cost %v, least %v: %s", r.Algorithm, r.Cost, least.Cost, r.Reason())
		}
	}
	find(grid.JPSPlus)
	must(m.SetPassable(grid.Cell{X: 150, Y: 100}, true))
	find(grid.JPS)
	must(table.Update(t.Context()))
	must(m.SetPassable(grid.Cell{X: 150, Y: 100}, false))
	must(table.Update(t.Context()))
	find(grid.JPSPlus)
}

// TestSelectorFrames puts queries until each is answered, a frame a round; the
// budget is kept, and the shortest ways come out, or where it may trace, ways.
func TestSelectorFrames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 3))
	waited := 0
	traced := 0
	for round := range 80 {
		m := randomMap(rnd, 60, round%2 == 0)
		shortest := round%4 < 2
		s, err := grid.NewSelector(&grid.SelectorOptions{Trial: 10, Frame: 60, Near: 5, Shortest: shortest})
		must(err)
		type job struct{ from, to grid.Cell }
		var jobs []job
		for range 6 {
			jobs = append(jobs, job{randomCell(rnd, m), randomCell(rnd, m)})
		}
		now := time.Duration(0)
		for frames := 0; len(jobs) > 0; frames++ {
			if frames > 2000 {
				t.Fatalf("%d queries are never answered", len(jobs))
			}
			now += 16 * time.Millisecond
			s.Frame(now)
			used := 0
			var rest []job
			for _, j := range jobs {
				r, err := s.Find(t.Context(), m, j.from, j.to)
				must(err)
				used += r.Nodes
				if r.Status == grid.Unfinished {
					waited++
					rest = append(rest, j)
					continue
				}
				want, err := grid.NewQuery().Find(t.Context(), m, j.from, j.to, nil)
				must(err)
				if r.Decision == grid.Traced {
					traced++
					if n := grid.Walkable(m, r.Path, grid.Moves{}); shortest || r.Status != want.Status || r.Cost < want.Cost-1e-9 || n != len(r.Path) || r.Path[0] != j.from || r.Path[n-1] != j.to {
						t.Fatalf("%v to %v: traced to %d of %d, %v %v; want %v %v", j.from, j.to, n, len(r.Path), r.Status, r.Cost, want.Status, want.Cost)
					}
					continue
				}
				if r.Status != want.Status || r.Cost != want.Cost {
					t.Fatalf("%v to %v: %v %v, want %v %v", j.from, j.to, r.Status, r.Cost, want.Status, want.Cost)
				}
			}
			if used > 60 || s.Left() != 60-used {
				t.Fatalf("%d nodes in a frame of 60, %d left", used, s.Left())
			}
			jobs = rest
		}
	}
	if waited < 50 || traced < 5 {
		t.Errorf("only %d answers were put off, %d traced", waited, traced)
	}
}

// TestSelectorAllocatesNothing: in steady state, into a result of the caller's.
func TestSelectorAllocatesNothing(t *testing.T) {
	m, err := sample.Mixed(100, 100, 1)
	must(err)
	pairs := sample.Pairs(m, 20, 1)
	s, err := grid.NewSelector(&grid.SelectorOptions{Frame: 1 << 30, Remember: 10})
	must(err)
	var r grid.SelectorResult
	now := time.Duration(0)
	pass := func() {
		for _, p := range pairs {
			now += 2 * time.Second
			s.Frame(now)
			must(s.FindInto(t.Context(), &r, m, p.From, p.To))
		}
	}
	for range 60 {
		pass() // each place of the memory meets the longest way
	}
	if n := testing.AllocsPerRun(5, pass); n > 0 {
		t.Errorf("%v allocations in 20 queries", n)
	}
}

func TestSelectorMemory(t *testing.T) {
	m := openMap(t, 50, 50)
	s, err := grid.NewSelector(nil)
	must(err)
	a, b := grid.Cell{X: 1, Y: 1}, grid.Cell{X: 20, Y: 9}
	ask := func(want grid.Decision) {
		t.Helper()
		r, err := s.Find(t.Context(), m, a, b)
		must(err)
		if r.Decision != want || r.Status != grid.Complete {
			t.Errorf("%v %v, want %v", r.Decision, r.Status, want)
		}
	}
	ask(grid.Trial)
	s.Frame(time.Second)
	ask(grid.Remembered)
	s.Frame(time.Second + 1)
	ask(grid.Trial)
	must(m.SetPassable(grid.Cell{X: 40, Y: 40}, false))
	ask(grid.Trial)
	for _, o := range []grid.SelectorOptions{{Trial: -1}, {Near: -1}, {Near: math.NaN()}, {Openness: 2}, {Detour: 0.5}, {Detour: math.NaN()}, {Life: -1}, {Frame: -1}, {Moves: grid.Moves{Corners: 7}}} {
		if _, err := grid.NewSelector(&o); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
