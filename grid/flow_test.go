package grid_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// TestFlowAgainstDijkstra compares every cell of small maps, filled at once and
// on demand, with a search of its own from that cell.
func TestFlowAgainstDijkstra(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rnd := rand.New(rand.NewPCG(7, 7))
	var whole, parts grid.Flow
	for round := range many(48, 240) {
		m := randomMap(rnd, 14, round%2 == 1)
		mv := everyMove()[round%len(everyMove())]
		var g grid.Ground = m
		if round%3 == 0 {
			o := grid.NewOverlay(m)
			for range 8 {
				must(o.Set(randomCell(rnd, m), rnd.IntN(2) == 0))
			}
			g = o
		}
		goals := []grid.Cell{randomCell(rnd, m), randomCell(rnd, m), randomCell(rnd, m)}
		must(whole.Begin(g, goals, mv))
		must(whole.Fill(ctx))
		must(parts.Begin(g, goals, mv))
		w, h := m.Size()
		for i := range w * h {
			c := grid.Cell{X: int32(i % w), Y: int32(i / w)}
			dist := oracle(g, c, mv)
			want := math.Inf(1)
			for _, goal := range goals {
				if d, ok := dist[goal]; ok {
					want = min(want, d.value())
				}
			}
			must(parts.Reach(ctx, c))
			got, ok := whole.Cost(c)
			if ok != !math.IsInf(want, 1) || ok && math.Abs(got-want) > 1e-9*max(1, want) {
				t.Fatalf("round %d %v: cost of %v is %v, %v; want %v", round, mv, c, got, ok, want)
			}
			if p, pok := parts.Cost(c); p != got || pok != ok {
				t.Fatalf("round %d %v: on demand %v costs %v, %v; filled %v, %v", round, mv, c, p, pok, got, ok)
			}
			na, _ := whole.Next(c)
			if nb, _ := parts.Next(c); na != nb {
				t.Fatalf("round %d: next of %v on demand %v, filled %v", round, c, nb, na)
			}
			if ok {
				checkFlowPath(t, g, mv, whole.Path(nil, c), want)
			}
		}
	}
}

// checkFlowPath adds up a path's steps by the oracle's rules.
func checkFlowPath(t *testing.T, g grid.Ground, mv grid.Moves, path []grid.Cell, want float64) {
	t.Helper()
	sum := oracleCost{}
	for i := 1; i < len(path); i++ {
		a, b := path[i-1], path[i]
		legal := false
		for _, n := range oracleSteps(g, a, mv) {
			legal = legal || n == b
		}
		if !legal {
			t.Fatalf("%v: step %v to %v", mv, a, b)
		}
		w := int64(g.Cost(b) * 256)
		if a.X != b.X && a.Y != b.Y && mv.Neighbours == grid.Eight && mv.Diagonal == grid.Octile {
			sum.diagonal += w
		} else {
			sum.straight += w
		}
	}
	if got := sum.value(); math.Abs(got-want) > 1e-9*max(1, want) {
		t.Fatalf("%v: path %v costs %v, want %v", mv, path, got, want)
	}
}

func TestFlowReachStopsEarly(t *testing.T) {
	m := openMap(t, 512, 512)
	var f grid.Flow
	must(f.Begin(m, []grid.Cell{{X: 10, Y: 10}}, grid.Moves{}))
	must(f.Reach(context.Background(), grid.Cell{X: 50, Y: 10}))
	if c, ok := f.Cost(grid.Cell{X: 50, Y: 10}); !ok || c != 40 {
		t.Errorf("cost %v, %v, want 40", c, ok)
	}
	if _, ok := f.Cost(grid.Cell{X: 70, Y: 10}); !ok {
		t.Error("the margin is not known")
	}
	if _, ok := f.Cost(grid.Cell{X: 200, Y: 10}); ok {
		t.Error("the wave ran much further than asked")
	}
}

func TestFlowBadInput(t *testing.T) {
	m := openMap(t, 8, 8)
	must(m.SetPassable(grid.Cell{X: 3, Y: 3}, false))
	var f grid.Flow
	if _, ok := f.Cost(grid.Cell{}); ok || !f.Stale() {
		t.Error("a field that was not begun knows something")
	}
	if err := f.Fill(context.Background()); !errors.Is(err, grid.ErrNotBegun) {
		t.Errorf("Fill before Begin: %v", err)
	}
	for _, c := range []struct {
		goals []grid.Cell
		moves grid.Moves
		want  error
	}{
		{nil, grid.Moves{}, grid.ErrOptions},
		{[]grid.Cell{{}}, grid.Moves{Corners: 9}, grid.ErrOptions},
		{[]grid.Cell{{X: 8}}, grid.Moves{}, grid.ErrOutside},
		{[]grid.Cell{{X: -1}}, grid.Moves{}, grid.ErrOutside},
	} {
		if err := f.Begin(m, c.goals, c.moves); !errors.Is(err, c.want) {
			t.Errorf("Begin(%v, %v): %v, want %v", c.goals, c.moves, err, c.want)
		}
	}
	must(f.Begin(m, []grid.Cell{{X: 3, Y: 3}}, grid.Moves{}))
	must(f.Fill(context.Background()))
	if _, ok := f.Next(grid.Cell{}); ok || f.Goals() != 0 {
		t.Error("a blocked goal is walked to")
	}
	must(m.SetPassable(grid.Cell{X: 3, Y: 3}, true))
	if !f.Stale() {
		t.Error("an edit went unnoticed")
	}
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	must(f.Begin(m, []grid.Cell{{}}, grid.Moves{}))
	if err := f.Fill(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("Fill with an ended context: %v", err)
	}
	for _, d := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := f.Walk(nil, d); !errors.Is(err, grid.ErrOptions) {
			t.Errorf("Walk by %v: %v", d, err)
		}
	}
}

// TestFlowWalk walks units over random maps and looks at every place on the
// way: none is in a blocked cell, and all arrive that can.
func TestFlowWalk(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 1))
	for range 30 {
		m := randomMap(rnd, 40, false)
		var f grid.Flow
		must(f.Begin(m, []grid.Cell{randomCell(rnd, m)}, grid.Moves{}))
		must(f.Fill(context.Background()))
		w, h := m.Size()
		units := make([]grid.Point, 60)
		canArrive := 0
		for i := range units {
			units[i] = grid.Point{X: rnd.Float64() * float64(w), Y: rnd.Float64() * float64(h)}
			if _, ok := f.Cost(cellAt(units[i])); ok {
				canArrive++
			}
		}
		before := append([]grid.Point(nil), units...)
		var n grid.Walked
		for range 4000 {
			n, _ = f.Walk(units, 0.37)
			for i, p := range units {
				if c := cellAt(p); !m.Passable(c) && p != before[i] {
					t.Fatalf("unit %d stands in the blocked cell %v", i, c)
				}
			}
			if n.Moving == 0 {
				break
			}
		}
		if n.Arrived != canArrive || n.Arrived+n.Lost != len(units) {
			t.Fatalf("%+v, want %d arrived", n, canArrive)
		}
	}
}

func cellAt(p grid.Point) grid.Cell { return grid.Cell{X: int32(p.X), Y: int32(p.Y)} }

func openMap(tb testing.TB, w, h int) *grid.Map {
	tb.Helper()
	m, err := grid.New(w, h)
	if err != nil {
		tb.Fatal(err)
	}
	must(m.Fill(grid.Cell{}, grid.Cell{X: int32(w - 1), Y: int32(h - 1)}, true))
	return m
}

func benchFlowMap(b *testing.B, kind string) *grid.Map {
	m := openMap(b, 1024, 1024)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		if kind == "open" {
			break
		}
		x, y := int32(rnd.IntN(1010)), int32(rnd.IntN(1010))
		must(m.Fill(grid.Cell{X: x, Y: y}, grid.Cell{X: x + int32(rnd.IntN(14)), Y: y + int32(rnd.IntN(14))}, false))
	}
	must(m.SetPassable(grid.Cell{X: 512, Y: 512}, true))
	if kind == "weighted" {
		for range 100000 {
			must(m.SetCost(grid.Cell{X: int32(rnd.IntN(1024)), Y: int32(rnd.IntN(1024))}, 1+3*rnd.Float64()))
		}
	}
	return m
}

func BenchmarkFlow(b *testing.B) {
	for _, kind := range []string{"open", "blocks", "weighted"} {
		b.Run(kind, func(b *testing.B) {
			m := benchFlowMap(b, kind)
			var f grid.Flow
			b.ReportAllocs()
			for b.Loop() {
				must(f.Begin(m, []grid.Cell{{X: 512, Y: 512}}, grid.Moves{}))
				must(f.Fill(context.Background()))
			}
		})
	}
}

// BenchmarkFlowTick moves 10,000 units by a third of a cell.
func BenchmarkFlowTick(b *testing.B) {
	m := benchFlowMap(b, "blocks")
	var f grid.Flow
	must(f.Begin(m, []grid.Cell{{X: 512, Y: 512}}, grid.Moves{}))
	must(f.Fill(context.Background()))
	rnd := rand.New(rand.NewPCG(5, 5))
	units := make([]grid.Point, 10000)
	for i := range units {
		units[i] = grid.Point{X: rnd.Float64() * 1024, Y: rnd.Float64() * 1024}
	}
	start := append([]grid.Point(nil), units...)
	ticks := 0
	for b.Loop() {
		if ticks++; ticks%1000 == 0 {
			copy(units, start) // or all would have arrived
		}
		if _, err := f.Walk(units, 0.33); err != nil {
			b.Fatal(err)
		}
	}
}

// TestFlowOrderOfSteps: over open ground a unit walks straight first.
func TestFlowOrderOfSteps(t *testing.T) {
	var f grid.Flow
	must(f.Begin(openMap(t, 10, 5), []grid.Cell{{X: 9, Y: 3}}, grid.Moves{}))
	must(f.Fill(t.Context()))
	path := f.Path(nil, grid.Cell{})
	for i, c := range path {
		want := grid.Cell{X: int32(i), Y: max(int32(i)-6, 0)}
		if len(path) != 10 || c != want {
			t.Fatalf("path %v, want %v at %d", path, want, i)
		}
	}
}
