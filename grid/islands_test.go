package grid_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"testing"

	"wend/grid"
)

// TestIslandsAgainstDijkstra compares labels with what can be reached.
func TestIslandsAgainstDijkstra(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 4))
	var s grid.Islands
	for round := range 200 {
		m := randomMap(rnd, 16, false)
		mv := everyMove()[round%len(everyMove())]
		var g grid.Ground = m
		if round%2 == 0 {
			o := grid.NewOverlay(m)
			for range 10 {
				must(o.Set(randomCell(rnd, m), rnd.IntN(2) == 0))
			}
			g = o
		}
		must(s.Label(g, mv))
		w, h := m.Size()
		seen, blocked := 0, 0
		for i := range w * h {
			c := grid.Cell{X: int32(i % w), Y: int32(i / w)}
			if !g.Passable(c) {
				blocked++
				if s.Of(c) != 0 {
					t.Fatalf("blocked %v has label %d", c, s.Of(c))
				}
				continue
			}
			if s.Of(c) > seen+1 || s.Of(c) < 1 {
				t.Fatalf("%v has label %d after %d", c, s.Of(c), seen)
			}
			if s.Of(c) == seen+1 {
				seen++
				dist := oracle(g, c, mv)
				if s.Size(seen) != len(dist) {
					t.Fatalf("round %d %v: island %d has %d cells, %d are reached from %v", round, mv, seen, s.Size(seen), len(dist), c)
				}
				for n := range dist {
					if s.Of(n) != seen || !s.Connected(c, n) {
						t.Fatalf("round %d %v: %v has label %d, %v has %d", round, mv, c, seen, n, s.Of(n))
					}
				}
			}
		}
		if s.Count() != seen || s.Size(0) != blocked || s.Size(seen+1) != 0 || s.Of(grid.Cell{X: -1}) != 0 {
			t.Fatalf("count %d, want %d; blocked %d, want %d", s.Count(), seen, s.Size(0), blocked)
		}
		if !s.Current(g, mv) {
			t.Fatal("labels are not current")
		}
		must(m.SetPassable(grid.Cell{}, !m.Passable(grid.Cell{})))
		if s.Current(g, mv) {
			t.Fatal("an edit went unnoticed")
		}
	}
	if err := s.Label(nil, grid.Moves{}); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("no ground: %v", err)
	}
}

func BenchmarkIslands(b *testing.B) {
	m := benchFlowMap(b, "blocks")
	var s grid.Islands
	for b.Loop() {
		must(s.Label(m, grid.Moves{}))
	}
}

func TestBatchSameForAnyWorkers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(8, 8))
	m := randomMap(rnd, 60, true)
	requests := make([]grid.Request, 150)
	for i := range requests {
		requests[i] = grid.Request{From: randomCell(rnd, m), To: randomCell(rnd, m)}
	}
	ctx := context.Background()
	var b grid.Batch
	want := make([]grid.Result, len(requests))
	for i, r := range requests {
		res, err := grid.NewQuery().Find(ctx, m, r.From, r.To, &grid.Options{Partial: true})
		must(err)
		want[i] = *res
	}
	var got []grid.Result
	for _, workers := range []int{1, 2, 7, 0} {
		var err error
		got, err = b.Find(ctx, m, requests, &grid.Options{Partial: true}, workers, got)
		must(err)
		for i := range got {
			if !reflect.DeepEqual(append([]grid.Cell{}, got[i].Path...), append([]grid.Cell{}, want[i].Path...)) ||
				got[i].Cost != want[i].Cost || got[i].Status != want[i].Status || got[i].Expanded != want[i].Expanded {
				t.Fatalf("%d workers, request %d: %+v, want %+v", workers, i, got[i], want[i])
			}
		}
	}
	if _, err := b.Find(ctx, m, requests, &grid.Options{MaxNodes: -1}, 3, nil); !errors.Is(err, grid.ErrOptions) {
		t.Errorf("bad options: %v", err)
	}
	if out, err := b.Find(ctx, m, nil, nil, 3, nil); err != nil || len(out) != 0 {
		t.Errorf("no requests: %v, %v", out, err)
	}
}
