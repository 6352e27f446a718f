package grid_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"wend/grid"
)

var sameResult = cmp.Options{cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(grid.Result{}, "Version")}

// stepAlgorithms are the ones that find the least cost by steps.
var stepAlgorithms = []grid.Algorithm{grid.AStar, grid.JPS, grid.JPSPlus}

// everyAlgorithm lists all there are.
var everyAlgorithm = []grid.Algorithm{grid.AStar, grid.JPS, grid.JPSPlus, grid.Theta, grid.LazyTheta, grid.Anya}

// rebuilt returns a map with the cells that g shows.
func rebuilt(g grid.Ground) *grid.Map {
	w, h := g.Size()
	m, err := grid.New(w, h)
	must(err)
	for y := range int32(h) {
		for x := range int32(w) {
			c := grid.Cell{X: x, Y: y}
			must(m.SetPassable(c, g.Passable(c)))
			must(m.SetCost(c, g.Cost(c)))
		}
	}
	return m
}

// TestEditsLikeFresh: after any edits of a map, of an overlay or of both, a
// query that has searched before, with a table that was updated, gives the very
// result of fresh objects.
func TestEditsLikeFresh(t *testing.T) {
	t.Parallel()
	for _, mv := range everyMove() {
		t.Run(mv.String(), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(2, 3))
			for range many(2, 6) {
				m := randomMap(rnd, 40, false)
				over := grid.NewOverlay(m)
				q := grid.NewQuery()
				tables := map[grid.Ground]*grid.JumpTable{}
				for _, g := range []grid.Ground{m, over} {
					if grid.JPSPlus.Serves(mv, false) {
						tables[g] = newTable(t, g, mv)
					}
				}
				for round := range 8 {
					for range rnd.IntN(6) {
						c := randomCell(rnd, m)
						switch rnd.IntN(5) {
						case 0, 1:
							must(m.SetPassable(c, rnd.IntN(2) == 0))
						case 2, 3:
							must(over.Set(c, rnd.IntN(2) == 0))
						case 4:
							must(over.Clear(c))
						}
					}
					if round == 6 {
						over.Reset()
					}
					from, to := randomCell(rnd, m), randomCell(rnd, m)
					for _, g := range []grid.Ground{m, over} {
						fresh := rebuilt(g)
						for _, a := range stepAlgorithms {
							if !a.Serves(mv, false) {
								continue
							}
							o := &grid.Options{Algorithm: a, Moves: mv, Partial: round%2 == 0}
							f := *o
							if a == grid.JPSPlus {
								must(tables[g].Update(context.Background()))
								o.Jumps, f.Jumps = tables[g], newTable(t, fresh, mv)
							}
							var got, want grid.Result
							find(t, q, &got, g, from, to, o)
							find(t, grid.NewQuery(), &want, fresh, from, to, &f)
							if d := cmp.Diff(want, got, sameResult); d != "" {
								t.Fatalf("round %d %v %v-%v on %T (-fresh +edited):\n%s", round, a, from, to, g, d)
							}
						}
					}
				}
			}
		})
	}
}

// TestTableFollowsLongHistory: a table is right too when more was edited than
// the ground remembers, and when there were too many edits for local work.
func TestTableFollowsLongHistory(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 5))
	for _, edits := range []int{1, 30, 1000, 5000} {
		m := randomMap(rnd, 64, false)
		table := newTable(t, m, grid.Moves{})
		for range edits {
			must(m.SetPassable(randomCell(rnd, m), rnd.IntN(2) == 0))
		}
		must(table.Update(context.Background()))
		fresh := newTable(t, m, grid.Moves{})
		q := grid.NewQuery()
		var got, want grid.Result
		for range 50 {
			from, to := randomCell(rnd, m), randomCell(rnd, m)
			find(t, q, &got, m, from, to, &grid.Options{Algorithm: grid.JPSPlus, Jumps: table})
			find(t, q, &want, m, from, to, &grid.Options{Algorithm: grid.JPSPlus, Jumps: fresh})
			if d := cmp.Diff(want, got, sameResult); d != "" {
				t.Fatalf("%d edits:\n%s", edits, d)
			}
		}
	}
}

// TestTableRefused: a table of another version, ground or kind of moves is
// refused by type.
func TestTableRefused(t *testing.T) {
	m, err := grid.Parse("....", "....")
	must(err)
	table := newTable(t, m, grid.Moves{})
	corner := grid.Cell{X: 3, Y: 1}
	try := func(g grid.Ground, mv grid.Moves, table *grid.JumpTable) error {
		_, err := grid.NewQuery().Find(context.Background(), g, grid.Cell{}, corner,
			&grid.Options{Algorithm: grid.JPSPlus, Moves: mv, Jumps: table})
		return err
	}
	if err := try(m, grid.Moves{}, table); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"none":   try(m, grid.Moves{}, nil),
		"moves":  try(m, grid.Moves{Corners: grid.Always}, table),
		"ground": try(m.Clone(), grid.Moves{}, table),
	} {
		if !errors.Is(err, grid.ErrTable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(m.SetPassable(corner, false))
	if err := try(m, grid.Moves{}, table); !errors.Is(err, grid.ErrTable) {
		t.Errorf("stale: %v", err)
	}
}

// TestSliced: a search in slices of any size gives the result of one in one
// go, its safe prefix only ever grows, and the path in the end begins with it.
func TestSliced(t *testing.T) {
	t.Parallel()
	for _, mv := range everyMove() {
		t.Run(mv.String(), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(6, 7))
			for i := range many(24, 40) {
				m := randomMap(rnd, 48, i%4 == 3)
				from, to := randomCell(rnd, m), randomCell(rnd, m)
				for _, a := range everyAlgorithm {
					if !a.Serves(mv, m.Weighted()) {
						continue
					}
					o := &grid.Options{Algorithm: a, Moves: mv, Partial: i%2 == 0}
					if i%3 == 0 {
						o.MaxNodes = 1 + rnd.IntN(200)
					}
					if a == grid.JPSPlus {
						o.Jumps = newTable(t, m, mv)
					}
					var whole, sliced grid.Result
					find(t, grid.NewQuery(), &whole, m, from, to, o)
					q := grid.NewQuery()
					must(q.Begin(m, from, to, o))
					var safe, next []grid.Cell
					lost := false
					for done := false; !done; {
						var err error
						done, err = q.Step(context.Background(), 1+rnd.IntN(30))
						must(err)
						next, err = q.SafePrefix(next[:0])
						must(err)
						if len(next) == 0 {
							safe = nil // there will be no path, as is seen below
							lost = true
							continue
						}
						if lost || len(next) < len(safe) || !slices.Equal(next[:len(safe)], safe) {
							t.Fatalf("%v: safe prefix %v became %v", a, safe, next)
						}
						safe = append(safe[:0], next...)
					}
					must(q.Result(&sliced))
					if d := cmp.Diff(whole, sliced, sameResult); d != "" {
						t.Fatalf("map %d %v %v-%v (-whole +sliced):\n%s", i, a, from, to, d)
					}
					if lost && len(sliced.Path)+len(sliced.Points) > 0 {
						t.Fatalf("%v: the safe prefix was taken back", a)
					}
					if len(sliced.Path) > 0 && (len(sliced.Path) < len(safe) || !slices.Equal(sliced.Path[:len(safe)], safe)) {
						t.Fatalf("%v: path %v does not begin with the safe prefix %v", a, sliced.Path, safe)
					}
				}
			}
		})
	}
}

// TestSafePrefixGrows: in a corridor the safe prefix is worth something long
// before the end.
func TestSafePrefixGrows(t *testing.T) {
	m, err := grid.New(200, 1)
	must(err)
	must(m.Fill(grid.Cell{}, grid.Cell{X: 199}, true))
	q := grid.NewQuery()
	must(q.Begin(m, grid.Cell{}, grid.Cell{X: 199}, nil))
	if _, err := q.Step(context.Background(), 100); err != nil {
		t.Fatal(err)
	}
	safe, err := q.SafePrefix(nil)
	if err != nil || len(safe) < 90 {
		t.Errorf("%d cells are safe after 100 of 200 nodes, %v", len(safe), err)
	}
}

// TestSliceErrors: slices of nothing, steps without a search, an edit between
// two slices, a context that ended.
func TestSliceErrors(t *testing.T) {
	ctx := context.Background()
	m, err := grid.New(50, 50)
	must(err)
	must(m.Fill(grid.Cell{}, grid.Cell{X: 49, Y: 49}, true))
	q := grid.NewQuery()
	if _, err := q.Step(ctx, 1); !errors.Is(err, grid.ErrNotBegun) {
		t.Errorf("step before begin: %v", err)
	}
	if _, err := q.SafePrefix(nil); !errors.Is(err, grid.ErrNotBegun) {
		t.Errorf("prefix before begin: %v", err)
	}
	must(q.Begin(m, grid.Cell{}, grid.Cell{X: 49, Y: 20}, nil))
	for _, n := range []int{0, -1} {
		if _, err := q.Step(ctx, n); !errors.Is(err, grid.ErrSlice) {
			t.Errorf("slice of %d: %v", n, err)
		}
	}
	if done, err := q.Step(ctx, 3); done || err != nil {
		t.Fatalf("%v, %v", done, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := q.Step(ended, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	must(m.SetPassable(grid.Cell{X: 40, Y: 40}, false))
	done, err := q.Step(ctx, 3)
	must(err)
	var r grid.Result
	must(q.Result(&r))
	if !done || r.Status != grid.Stale || len(r.Path) > 0 {
		t.Errorf("after an edit: done %v, %v, path %v", done, r.Status, r.Path)
	}
}

// TestShared: many goroutines on one map, one overlay and one table find what
// one alone finds; the same query a thousand times too.
func TestShared(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(8, 9))
	m := randomMap(rnd, 64, false)
	over := grid.NewOverlay(m)
	for range 50 {
		must(over.Set(randomCell(rnd, m), false))
	}
	type job struct {
		g        grid.Ground
		from, to grid.Cell
		o        *grid.Options
		want     *grid.Result
	}
	var jobs []job
	table := newTable(t, m, grid.Moves{})
	for i := range 60 {
		j := job{g: m, from: randomCell(rnd, m), to: randomCell(rnd, m), o: &grid.Options{Algorithm: everyAlgorithm[i%len(everyAlgorithm)]}}
		if !j.o.Algorithm.Serves(j.o.Moves, false) {
			j.o.Moves.Corners = grid.OneFree
		}
		if j.o.Algorithm == grid.JPSPlus {
			j.o.Jumps = table
		} else if i%2 == 0 {
			j.g = over
		}
		r, err := grid.NewQuery().Find(context.Background(), j.g, j.from, j.to, j.o)
		must(err)
		j.want = r
		jobs = append(jobs, j)
	}
	var wg sync.WaitGroup
	faults := make([]error, 8)
	for worker := range faults {
		wg.Add(1)
		go func() {
			defer wg.Done()
			rnd := rand.New(rand.NewPCG(uint64(worker), 1))
			q := grid.NewQuery()
			var r grid.Result
			for range 300 {
				j := jobs[rnd.IntN(len(jobs))]
				if err := q.FindInto(context.Background(), &r, j.g, j.from, j.to, j.o); err != nil {
					faults[worker] = err
				}
				if d := cmp.Diff(*j.want, r, sameResult); d != "" {
					faults[worker] = fmt.Errorf("%v:\n%s", j.o.Algorithm, d)
				}
			}
		}()
	}
	wg.Wait()
	for _, err := range faults {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestNothingAllocated: a query that has its memory takes no more.
func TestNothingAllocated(t *testing.T) {
	rnd := rand.New(rand.NewPCG(10, 11))
	m := randomMap(rnd, 64, false)
	for _, a := range everyAlgorithm {
		mv := grid.Moves{Corners: grid.OneFree}
		o := &grid.Options{Algorithm: a, Moves: mv, Partial: true, Jumps: newTable(t, m, mv)}
		q := grid.NewQuery()
		var r grid.Result
		var ends [40]grid.Cell
		for i := range ends {
			ends[i] = randomCell(rnd, m)
		}
		run := func() {
			for i := 1; i < len(ends); i++ {
				find(t, q, &r, m, ends[i-1], ends[i], o)
			}
		}
		run()
		if n := testing.AllocsPerRun(3, run); n != 0 {
			t.Errorf("%v: %v allocations", a, n)
		}
	}
}
