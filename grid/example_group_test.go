package grid_test

import (
	"context"
	"fmt"
	"time"

	"wend/grid"
)

func show(m *grid.Map, mark func(grid.Cell) byte) {
	w, h := m.Size()
	for y := range int32(h) {
		row := make([]byte, w)
		for x := range int32(w) {
			row[x] = '@'
			if c := (grid.Cell{X: x, Y: y}); m.Passable(c) {
				row[x] = mark(c)
			}
		}
		fmt.Println(string(row))
	}
}

// One field leads any number of units to the nearest of two goals.
func ExampleFlow() {
	m, _ := grid.Parse(
		".........",
		"..@@@@@..",
		".........",
	)
	var f grid.Flow
	if err := f.Begin(m, []grid.Cell{{X: 0, Y: 1}, {X: 8, Y: 1}}, grid.Moves{}); err != nil {
		fmt.Println(err)
		return
	}
	if err := f.Fill(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	show(m, func(c grid.Cell) byte {
		next, _ := f.Next(c)
		return "\\^/<*>/v\\"[(next.Y-c.Y+1)*3+next.X-c.X+1]
	})
	units := []grid.Point{{X: 3.5, Y: 0.5}, {X: 6.5, Y: 2.5}}
	n, _ := f.Walk(units, 2.5)
	fmt.Printf("%+v %.2f\n", n, units)
	// Output:
	// v/<<<>>\v
	// *<@@@@@>*
	// ^\<<<>>/^
	// {Moving:1 Arrived:1 Lost:0} [{1.15 0.85} {8.50 1.50}]
}

// A hundred requests on all cores; the results do not depend on how many.
func ExampleBatch() {
	m, _ := grid.Parse(
		"..........",
		".@@@@@@@@.",
		"..........",
	)
	var requests []grid.Request
	for i := range int32(100) {
		requests = append(requests, grid.Request{From: grid.Cell{X: i % 10}, To: grid.Cell{X: 9, Y: 2}})
	}
	var b grid.Batch
	results, err := b.Find(context.Background(), m, requests, &grid.Options{Algorithm: grid.JPS}, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(results), results[0].Cost, results[99].Cost)
	// Output: 100 11 2
}

// Units that stand together and go to one place share a route; what lies on
// another island is answered without a search.
func ExampleRouteCache() {
	m, _ := grid.New(200, 30)
	m.Fill(grid.Cell{}, grid.Cell{X: 199, Y: 29}, true)
	m.Fill(grid.Cell{X: 150}, grid.Cell{X: 150, Y: 29}, false)
	cache, err := grid.NewRouteCache(m, &grid.CacheOptions{Life: 60}) // ticks
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	for i := range int32(20) {
		from, to := grid.Cell{X: 5 + i%5, Y: 10 + i/5}, grid.Cell{X: 120 + i%5, Y: 18 + i/5}
		if r, err := cache.Find(ctx, from, to, 7); err != nil || r.Status != grid.Complete {
			fmt.Println(r, err)
		}
	}
	r, _ := cache.Find(ctx, grid.Cell{X: 5, Y: 10}, grid.Cell{X: 180, Y: 10}, 7)
	s := cache.Stats()
	fmt.Println("searches", s.Searches, "shared", s.Hits, "behind the wall:", r.Status, s.Negatives)
	// Output: searches 1 shared 19 behind the wall: unreachable 1
}

// A group of six keeps its shape where there is room, and closes up where a
// wall is in the way.
func ExampleFormation() {
	m, _ := grid.Parse(
		"............",
		"........@...",
		"........@...",
		"............",
	)
	group := []grid.Cell{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 2, Y: 0}, {X: 0, Y: 1}, {X: 1, Y: 1}, {X: 2, Y: 1}}
	places, err := grid.Formation(m, grid.Cell{X: 7, Y: 1}, group, grid.Moves{})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(m, func(c grid.Cell) byte {
		for i, p := range places {
			if p == c {
				return "abcdef"[i]
			}
		}
		return '.'
	})
	// Output:
	// ........c...
	// ......ab@...
	// ......de@f..
	// ............
}

// A unit on its way is pushed aside, and then a building stands in its way.
func ExampleTrail() {
	m, _ := grid.Parse("..........", "..........", "..........")
	r, _ := grid.NewQuery().Find(context.Background(), m, grid.Cell{Y: 1}, grid.Cell{X: 9, Y: 1}, nil)
	trail := grid.Trail{Path: r.Path, Version: r.Version}
	d := trail.Update(m, grid.Point{X: 3.5, Y: 2.25})
	fmt.Printf("off %.2f, passed cell %d, %d left, changed %v\n", d.Off, d.At, d.Left, d.Changed)

	m.SetPassable(grid.Cell{X: 6, Y: 1}, false)
	d = trail.Update(m, grid.Point{X: 4.5, Y: 1.5})
	fmt.Println("changed", d.Changed, "blocked at", trail.Path[d.Blocked])
	// Output:
	// off 0.75, passed cell 3, 6 left, changed false
	// changed true blocked at (6,1)
}

// A disc two cells across finds its way on the cells where it has room, and the
// way is pulled to a few straight lines.
func ExampleBody() {
	m, _ := grid.Parse(
		"..........",
		"..........",
		"..........",
		".....@@@@@",
		"..........",
		"..........",
		"..........",
	)
	body, err := grid.NewBody(m, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := body.Find(context.Background(), grid.NewQuery(), grid.Cell{X: 8, Y: 1}, grid.Cell{X: 8, Y: 5}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	points, _ := body.Pull(r.Path, 0)
	fmt.Println(r.Status, len(r.Path), "cells")
	fmt.Println(points)
	// Output:
	// complete 15 cells
	// [{8.5 1.5} {3.5 1.5} {3.5 5.5} {8.5 5.5}]
}

// A square unit of two cells a side takes the wider gap; where there is none it
// is told what is too narrow.
func ExampleNewSquare() {
	m, _ := grid.Parse(
		"..........",
		"....@.....",
		"....@.....",
		"..........",
		"..........",
		"....@.....",
	)
	square, err := grid.NewSquare(m, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	q := grid.NewQuery()
	from, to := grid.Cell{X: 1, Y: 0}, grid.Cell{X: 8, Y: 0}
	r, _ := square.Find(context.Background(), q, from, to, nil)
	fmt.Printf("%v, cost %.2f\n", r.Status, r.Cost)

	m.Fill(grid.Cell{X: 4, Y: 3}, grid.Cell{X: 4, Y: 4}, false)
	square, _ = grid.NewSquare(m, 2)
	r, _ = square.Squeeze(context.Background(), q, from, to, nil)
	for _, n := range r.Narrow {
		fmt.Println(r.Status, "but too narrow at", r.Path[n[0]:n[1]])
	}
	// Output:
	// complete, cost 10.66
	// complete but too narrow at [(3,0) (4,0)]
}

// Along the walls, without memory of the map.
func ExampleTrace() {
	m, _ := grid.Parse(
		".........",
		"..@@@@@..",
		"......@..",
		"..@@@@@..",
		".........",
	)
	from, to := grid.Cell{X: 3, Y: 2}, grid.Cell{X: 8, Y: 2}
	r, err := grid.Trace(context.Background(), grid.NewQuery(), m, from, to, &grid.TraceOptions{
		MaxSteps: 200,
		Fallback: &grid.Options{Algorithm: grid.JPS},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%v by the %v hand, cost %.2f, searched %v\n", r.Status, r.Hand, r.Cost, r.Fallback)
	// Output:
	// complete by the left hand, cost 16.41, searched false
}

// The selector chooses a search for each order, within a budget of nodes for a
// frame, and gives an answer again while it is fresh.
func ExampleSelector() {
	m, _ := grid.New(300, 300)
	m.Fill(grid.Cell{}, grid.Cell{X: 299, Y: 299}, true)
	s, err := grid.NewSelector(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	from, to := grid.Cell{X: 10, Y: 50}, grid.Cell{X: 20, Y: 60}
	for _, now := range []time.Duration{0, 300 * time.Millisecond, 2 * time.Second} {
		s.Frame(now)
		r, err := s.Find(context.Background(), m, from, to)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%v: %v, %v, cost %.2f\n", now, r.Decision, r.Status, r.Cost)
	}
	// Output:
	// 0s: trial, complete, cost 14.14
	// 300ms: remembered, complete, cost 14.14
	// 2s: trial, complete, cost 14.14
}

// Islands tell in advance where no search can lead, also after an edit.
func ExampleIslands() {
	m, _ := grid.Parse(
		"...@...",
		"...@...",
		"...@.@@",
		"...@.@.",
	)
	var s grid.Islands
	if err := s.Label(m, grid.Moves{}); err != nil {
		fmt.Println(err)
		return
	}
	show(m, func(c grid.Cell) byte { return '0' + byte(s.Of(c)) })
	a, b := grid.Cell{}, grid.Cell{X: 6}
	fmt.Println(s.Count(), "islands, connected:", s.Connected(a, b))

	m.SetPassable(grid.Cell{X: 3, Y: 1}, true)
	s.Update(m, grid.Moves{})
	fmt.Println(s.Count(), "islands, connected:", s.Connected(a, b))
	// Output:
	// 111@222
	// 111@222
	// 111@2@@
	// 111@2@3
	// 3 islands, connected: false
	// 2 islands, connected: true
}

// A jump table is brought up to date after an edit, which is far quicker than
// making it.
func ExampleJumpTable_Update() {
	m, _ := grid.Parse(
		".......",
		"...@...",
		"...@...",
	)
	ctx := context.Background()
	table, err := grid.NewJumpTable(ctx, m, grid.Moves{})
	if err != nil {
		fmt.Println(err)
		return
	}
	q := grid.NewQuery()
	opts := &grid.Options{Algorithm: grid.JPSPlus, Jumps: table}
	from, to := grid.Cell{Y: 2}, grid.Cell{X: 6, Y: 2}
	r, _ := q.Find(ctx, m, from, to, opts)
	fmt.Println(r.Status, r.Path)

	m.SetPassable(grid.Cell{X: 3, Y: 0}, false) // the way is shut
	_, err = q.Find(ctx, m, from, to, opts)
	fmt.Println(err)
	if err := table.Update(ctx); err != nil {
		fmt.Println(err)
		return
	}
	r, _ = q.Find(ctx, m, from, to, opts)
	fmt.Println(r.Status)
	// Output:
	// complete [(0,2) (1,1) (2,0) (3,0) (4,0) (5,1) (6,2)]
	// grid: jump table does not fit: of version 1, the ground has 2
	// unreachable
}

// In which order a search expands cells.
func ExampleQuery_Record() {
	m, _ := grid.Parse(
		"......",
		"..@@..",
		"......",
	)
	order := map[grid.Cell]int{}
	q := grid.NewQuery()
	q.Record(func(e grid.Expansion) { order[e.Cell] = len(order) + 1 })
	q.Find(context.Background(), m, grid.Cell{Y: 1}, grid.Cell{X: 5, Y: 1}, nil)
	show(m, func(c grid.Cell) byte {
		if n := order[c]; n > 0 {
			return 'a' + byte(n-1)
		}
		return '.'
	})
	// Output:
	// ......
	// ab@@..
	// .cdef.
}
