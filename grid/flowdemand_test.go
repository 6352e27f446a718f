package grid_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// TestFlowOnDemand: a field computed in parts, in whatever order they are asked
// for, holds what the whole field holds, and nothing beyond what was needed.
func TestFlowOnDemand(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rnd := rand.New(rand.NewPCG(7, 8))
	var whole, parts grid.Flow
	compared, spared := 0, 0
	for round := range many(24, 60) {
		m := randomMap(rnd, 100, round%2 == 1)
		mv := everyMove()[round%len(everyMove())]
		goals := []grid.Cell{randomCell(rnd, m), randomCell(rnd, m)}
		must(whole.Begin(m, goals, mv))
		must(whole.Fill(ctx))
		must(parts.Begin(m, goals, mv)) // on the memory of the field before
		if parts.Known() != 0 {
			t.Fatalf("round %d: %d cells known at once", round, parts.Known())
		}
		for range 4 {
			c := randomCell(rnd, m)
			if _, ok := whole.Cost(c); !ok {
				continue // would run to the end
			}
			must(parts.Reach(ctx, c))
			if _, ok := parts.Cost(c); !ok {
				t.Fatalf("round %d: %v is not known after Reach", round, c)
			}
			known := 0
			for c := range m.Cells() {
				got, ok := parts.Cost(c)
				if !ok {
					continue
				}
				known++
				want, _ := whole.Cost(c)
				a, _ := parts.Next(c)
				b, _ := whole.Next(c)
				if got != want || a != b {
					t.Fatalf("round %d %v: %v costs %v to %v, in the whole field %v to %v", round, mv, c, got, a, want, b)
				}
			}
			if known != parts.Known() {
				t.Fatalf("round %d: %d cells known, %d counted", round, known, parts.Known())
			}
			compared += known
			spared += whole.Known() - known
		}
	}
	if compared < 10000 || spared < 2000 {
		t.Errorf("%d cells compared, %d not computed", compared, spared)
	}
}
