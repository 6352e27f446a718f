package grid_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"wend/grid"
)

// slowFormation is Formation by its words.
func slowFormation(g grid.Ground, goal grid.Cell, group []grid.Cell, mv grid.Moves) []grid.Cell {
	var sx, sy int
	for _, c := range group {
		sx, sy = sx+int(c.X), sy+int(c.Y)
	}
	mid := grid.Cell{X: int32(sx / len(group)), Y: int32(sy / len(group))}
	spread := int32(math.Sqrt(float64(len(group)))) + 1
	for _, c := range group {
		spread = max(spread, c.X-mid.X, mid.X-c.X, c.Y-mid.Y, mid.Y-c.Y)
	}
	free := map[grid.Cell]bool{goal: true}
	layer := []grid.Cell{goal}
	for n := int32(0); len(layer) > 0 && (n < 3*spread || len(free) < len(group)); n++ {
		var next []grid.Cell
		for _, c := range layer {
			for _, to := range oracleSteps(g, c, mv) {
				if !free[to] {
					free[to] = true
					next = append(next, to)
				}
			}
		}
		layer = next
	}
	if len(free) < len(group) {
		return nil
	}
	places := make([]grid.Cell, len(group))
	taken := map[grid.Cell]bool{}
	var lacking []int
	for i, c := range group {
		places[i] = grid.Cell{X: goal.X + c.X - mid.X, Y: goal.Y + c.Y - mid.Y}
		if !free[places[i]] || taken[places[i]] {
			lacking = append(lacking, i)
			continue
		}
		taken[places[i]] = true
	}
	apart := func(a, b grid.Cell) float64 {
		dx, dy := float64(a.X-b.X), float64(a.Y-b.Y)
		if mv.Neighbours == grid.Six {
			return math.Pow(dx+float64(a.Y&1-b.Y&1)/2, 2) + 0.75*dy*dy
		}
		return dx*dx + dy*dy
	}
	for _, i := range lacking {
		best, at := math.Inf(1), grid.Cell{}
		for c := range free {
			d := apart(c, places[i])
			if !taken[c] && (d < best || d == best && (c.Y < at.Y || c.Y == at.Y && c.X < at.X)) {
				best, at = d, c
			}
		}
		taken[at] = true
		places[i] = at
	}
	return places
}

func TestFormationLikeSlow(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(31, 2))
	for round := range many(300, 5000) {
		m := randomMap(rnd, 40, false)
		mv := everyMove()[round%len(everyMove())]
		goal := randomCell(rnd, m)
		group := make([]grid.Cell, 1+rnd.IntN(40))
		far := 1 + rnd.IntN(60)
		for i := range group {
			group[i] = grid.Cell{X: int32(rnd.IntN(far) - far/4), Y: int32(rnd.IntN(far) - far/4)}
		}
		ground := grid.Ground(m)
		if round%2 == 0 {
			over := grid.NewOverlay(m)
			for range 20 {
				if c := randomCell(rnd, m); c != goal {
					must(over.Set(c, rnd.IntN(2) == 0))
				}
			}
			ground = over
		}
		got, err := grid.Formation(ground, goal, group, mv)
		want := slowFormation(ground, goal, group, mv)
		if (err != nil) != (want == nil) || !slices.Equal(got, want) {
			t.Fatalf("%v, to %v: %v, %v\nwant %v\n%s", mv, goal, got, err, want, draw(m))
		}
	}
}

// TestFormationFarApart: units at the two ends of a map take no longer than
// looking at the map does.
func TestFormationFarApart(t *testing.T) {
	m := openMap(t, 1500, 1500)
	begin := time.Now()
	group := []grid.Cell{{X: 100, Y: 700}, {X: 1290, Y: 700}}
	got, err := grid.Formation(m, grid.Cell{X: 750, Y: 700}, group, grid.Moves{})
	must(err)
	if want := []grid.Cell{{X: 155, Y: 700}, {X: 1345, Y: 700}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if took := time.Since(begin); took > 8*time.Second {
		t.Errorf("took %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := grid.FormationContext(ctx, m, grid.Cell{X: 750, Y: 700}, group, grid.Moves{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func BenchmarkFormation(b *testing.B) {
	m := openMap(b, 1500, 1500)
	crowd := make([]grid.Cell, 1000)
	for name, group := range map[string][]grid.Cell{"far apart": {{X: 100, Y: 700}, {X: 1290, Y: 700}}, "crowd": crowd} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := grid.Formation(m, grid.Cell{X: 750, Y: 700}, group, grid.Moves{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
