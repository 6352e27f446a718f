package grid_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"wend/grid"
)

func TestSelectorDecisions(t *testing.T) {
	open := openMap(t, 300, 300)
	must(open.Fill(grid.Cell{X: 150, Y: 20}, grid.Cell{X: 150, Y: 280}, false))
	corridor := openMap(t, 300, 5)
	must(corridor.Fill(grid.Cell{}, grid.Cell{X: 299, Y: 4}, false))
	must(corridor.Fill(grid.Cell{X: 0, Y: 2}, grid.Cell{X: 299, Y: 2}, true))
	for _, c := range []struct {
		name     string
		m        *grid.Map
		from, to grid.Cell
		shortest bool
		want     grid.Decision
	}{
		{"few steps", open, grid.Cell{X: 10, Y: 10}, grid.Cell{X: 30, Y: 20}, false, grid.Trial},
		{"near, behind a wall", open, grid.Cell{X: 140, Y: 150}, grid.Cell{X: 160, Y: 150}, false, grid.NearBy},
		{"far, on open ground", open, grid.Cell{X: 90, Y: 150}, grid.Cell{X: 290, Y: 150}, false, grid.Open},
		{"along a corridor", corridor, grid.Cell{X: 0, Y: 2}, grid.Cell{X: 250, Y: 2}, false, grid.Traced},
		{"along a corridor, shortest", corridor, grid.Cell{X: 0, Y: 2}, grid.Cell{X: 250, Y: 2}, true, grid.Open},
		{"no way", open, grid.Cell{X: 90, Y: 150}, grid.Cell{X: 150, Y: 150}, false, grid.Trial},
	} {
		s, err := grid.NewSelector(&grid.SelectorOptions{Shortest: c.shortest, Frame: 1 << 30})
		must(err)
		r, err := s.Find(t.Context(), c.m, c.from, c.to)
		must(err)
		want, err := grid.NewQuery().Find(t.Context(), c.m, c.from, c.to, nil)
		must(err)
		if r.Decision != c.want || r.Status != want.Status || r.Status == grid.Complete && r.Cost < want.Cost {
			t.Errorf("%s: %v %v cost %v (distance %v, openness %v); want %v %v %v", c.name, r.Decision, r.Status, r.Cost, r.Distance, r.Openness, c.want, want.Status, want.Cost)
		}
	}
}

// TestSelectorFrames puts queries until each is answered, a frame a round; the
// budget is kept, and the shortest ways come out.
func TestSelectorFrames(t *testing.T) {
	rnd := rand.New(rand.NewPCG(12, 3))
	waited := 0
	for range 40 {
		m := randomMap(rnd, 60, true)
		s, err := grid.NewSelector(&grid.SelectorOptions{Trial: 10, Frame: 60, Near: 5, Shortest: true})
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
	if waited < 50 {
		t.Errorf("only %d answers were put off", waited)
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
	for _, o := range []grid.SelectorOptions{{Trial: -1}, {Near: -1}, {Near: math.NaN()}, {Openness: 2}, {Life: -1}, {Frame: -1}, {Moves: grid.Moves{Corners: 7}}} {
		if _, err := grid.NewSelector(&o); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
