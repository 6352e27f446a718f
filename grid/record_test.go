package grid_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/grid"
)

// TestRecord: what is recorded is what the search expanded, in its order: as
// many as the result counts, the same when the search is made one node at a
// time, each when it is stepped to, and never below its distance. The outcome
// is that of a search that nobody watches.
func TestRecord(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 8))
	q, plain := grid.NewQuery(), grid.NewQuery()
	var seen, stepped []grid.Expansion
	for range 40 {
		m := randomMap(rnd, 24, rnd.IntN(4) == 0)
		from, to := randomCell(rnd, m), randomCell(rnd, m)
		for a := grid.AStar; a <= grid.Anya; a++ {
			o := &grid.Options{Algorithm: a, Partial: rnd.IntN(3) == 0}
			if a == grid.Anya {
				o.Moves.Corners = grid.OneFree
			}
			if !a.Serves(o.Moves, m.Weighted()) {
				continue
			}
			if a == grid.JPSPlus {
				o.Jumps = newTable(t, m, o.Moves)
			}
			dist := oracle(m, from, o.Moves)

			seen = seen[:0]
			q.Record(func(e grid.Expansion) { seen = append(seen, e) })
			r, err := q.Find(t.Context(), m, from, to, o)
			must(err)
			if len(seen) != r.Expanded {
				t.Fatalf("%v: %d recorded, %d expanded", a, len(seen), r.Expanded)
			}
			want, err := plain.Find(t.Context(), m, from, to, o)
			must(err)
			if r.Status != want.Status || r.Cost != want.Cost || !slices.Equal(r.Path, want.Path) || !slices.Equal(r.Points, want.Points) || r.Expanded != want.Expanded {
				t.Fatalf("%v: recorded %v, plain %v", a, r, want)
			}
			for i, e := range seen {
				for x := range e.Width {
					if c := (grid.Cell{X: e.Cell.X + x, Y: e.Cell.Y}); !m.Passable(c) {
						t.Fatalf("%v: blocked cell %v in expansion %d: %+v\n%s", a, c, i, e, draw(m))
					}
				}
				if d, ok := dist[e.Cell]; a <= grid.JPSPlus && (!ok || e.Cost < d.value()-1e-9) || e.Width < 1 {
					t.Fatalf("%v: %+v, but the cell is at %v", a, e, d.value())
				}
			}
			if len(seen) > 0 && seen[0].Cost != 0 {
				t.Fatalf("%v begins with %+v", a, seen[0])
			}

			stepped = stepped[:0]
			q.Record(func(e grid.Expansion) { stepped = append(stepped, e) })
			must(q.Begin(m, from, to, o))
			for done := false; !done; {
				before := len(stepped)
				done, err = q.Step(t.Context(), 1)
				must(err)
				if len(stepped) > before+1 {
					t.Fatalf("%v: one step expanded %d nodes", a, len(stepped)-before)
				}
			}
			if !slices.Equal(seen, stepped) {
				t.Fatalf("%v: stepped, the order is another", a)
			}
			q.Record(nil)
			must(q.FindInto(t.Context(), r, m, from, to, o))
			if len(stepped) != len(seen) {
				t.Fatal("recorded after Record(nil)")
			}
		}
	}
}

// TestRecordOrder: on ground with costs A* expands in the order of the estimate
// of the whole way.
func TestRecordOrder(t *testing.T) {
	m := openMap(t, 40, 40)
	must(m.SetCost(grid.Cell{X: 3, Y: 3}, 2))
	must(m.Fill(grid.Cell{X: 20, Y: 5}, grid.Cell{X: 20, Y: 36}, false))
	to := grid.Cell{X: 35, Y: 20}
	last, n := 0.0, 0
	q := grid.NewQuery()
	q.Record(func(e grid.Expansion) {
		dx, dy := math.Abs(float64(e.Cell.X-to.X)), math.Abs(float64(e.Cell.Y-to.Y))
		f := e.Cost + max(dx, dy) + (math.Sqrt2-1)*min(dx, dy)
		if f < last-1e-6 {
			t.Errorf("expansion %d, %+v: estimate %v after %v", n, e, f, last)
		}
		last = max(last, f)
		n++
	})
	_, err := q.Find(t.Context(), m, grid.Cell{X: 5, Y: 20}, to, nil)
	must(err)
	if n < 100 {
		t.Errorf("only %d expansions", n)
	}
}

// TestRecordTrace: the steps of a hand are recorded one after another, and a
// selector passes on what its searches do.
func TestRecordTrace(t *testing.T) {
	m := openMap(t, 30, 20)
	must(m.Fill(grid.Cell{X: 15, Y: 2}, grid.Cell{X: 15, Y: 19}, false))
	from, to := grid.Cell{X: 5, Y: 10}, grid.Cell{X: 25, Y: 10}
	var seen []grid.Expansion
	note := func(e grid.Expansion) { seen = append(seen, e) }
	q := grid.NewQuery()
	q.Record(note)
	r, err := grid.Trace(t.Context(), q, m, from, to, &grid.TraceOptions{Hand: grid.LeftHand})
	must(err)
	if len(seen) != len(r.Path) || r.Status != grid.Complete {
		t.Fatalf("%v: %d recorded for a path of %d cells", r.Status, len(seen), len(r.Path))
	}
	for i, e := range seen {
		if e.Cell != r.Path[i] {
			t.Fatalf("step %d is %v, recorded %v", i, r.Path[i], e.Cell)
		}
	}
	if last := seen[len(seen)-1].Cost; math.Abs(last-r.Cost) > 1e-9 {
		t.Errorf("recorded cost %v, traced %v", last, r.Cost)
	}

	seen = seen[:0]
	s, err := grid.NewSelector(nil)
	must(err)
	s.Record(note)
	sr, err := s.Find(t.Context(), m, from, to)
	must(err)
	if len(seen) != sr.Nodes || sr.Nodes == 0 {
		t.Errorf("%v: %d recorded, %d nodes", sr.Decision, len(seen), sr.Nodes)
	}
}
