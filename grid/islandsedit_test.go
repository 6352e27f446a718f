package grid_test

import (
	"math/rand/v2"
	"testing"

	"wend/grid"
)

// sameLabels compares the labels of two.
func sameLabels(t *testing.T, g grid.Ground, got, want *grid.Islands) {
	t.Helper()
	if got.Count() != want.Count() {
		t.Fatalf("%d islands, want %d", got.Count(), want.Count())
	}
	w, h := g.Size()
	for y := range int32(h) {
		for x := range int32(w) {
			if c := (grid.Cell{X: x, Y: y}); got.Of(c) != want.Of(c) {
				t.Fatalf("%v has label %d, want %d", c, got.Of(c), want.Of(c))
			}
		}
	}
	for l := range want.Count() + 1 {
		if got.Size(l) != want.Size(l) {
			t.Fatalf("island %d has %d cells, want %d", l, got.Size(l), want.Size(l))
		}
	}
}

// TestIslandsUpdate: after edits of a map, an overlay on it or both, updated
// labels are those made anew, for every kind of move, whether the edits join
// islands, part them, or only nibble at them.
func TestIslandsUpdate(t *testing.T) {
	rnd := rand.New(rand.NewPCG(14, 15))
	for round := range 15 * len(everyMove()) {
		mv := everyMove()[round%len(everyMove())]
		m := openMap(t, 2+rnd.IntN(14), 2+rnd.IntN(14))
		w, h := m.Size()
		for range rnd.IntN(w * h) {
			must(m.SetPassable(randomCell(rnd, m), false))
		}
		over := grid.NewOverlay(m)
		grounds := []grid.Ground{m, over}
		kept := []*grid.Islands{{}, {}}
		for step := range 40 {
			for range 1 + rnd.IntN(3) {
				c := randomCell(rnd, m)
				switch k := rnd.IntN(8); {
				case k < 5:
					must(m.SetPassable(c, k%2 == 0))
				case k < 7:
					must(over.Set(c, k == 5))
				default:
					must(over.Clear(c))
				}
			}
			if step == 30 {
				over.Reset()
			}
			for i, g := range grounds {
				var fresh grid.Islands
				must(fresh.Label(g, mv))
				must(kept[i].Update(g, mv))
				if !kept[i].Current(g, mv) {
					t.Fatal("not current after Update")
				}
				sameLabels(t, g, kept[i], &fresh)
			}
		}
	}
}

// TestIslandsUpdateAnew: labels of another ground or other moves, or of longer
// ago than is remembered, are made anew.
func TestIslandsUpdateAnew(t *testing.T) {
	rnd := rand.New(rand.NewPCG(16, 17))
	a, b := randomMap(rnd, 40, false), randomMap(rnd, 40, false)
	var s, fresh grid.Islands
	for _, c := range []struct {
		g  *grid.Map
		mv grid.Moves
	}{{a, grid.Moves{}}, {b, grid.Moves{}}, {b, grid.Moves{Corners: grid.Always}}, {a, grid.Moves{Neighbours: grid.Six}}} {
		must(s.Update(c.g, c.mv))
		must(fresh.Label(c.g, c.mv))
		sameLabels(t, c.g, &s, &fresh)
	}
	for range 5000 {
		must(a.SetPassable(randomCell(rnd, a), rnd.IntN(2) == 0))
	}
	must(s.Update(a, grid.Moves{Neighbours: grid.Six}))
	must(fresh.Label(a, grid.Moves{Neighbours: grid.Six}))
	sameLabels(t, a, &s, &fresh)
	if err := s.Update(nil, grid.Moves{}); err == nil {
		t.Error("no ground, no error")
	}
}

// A building of 3 x 3 cells that comes and goes on open ground.
func BenchmarkIslandsUpdate(b *testing.B) {
	m := openMap(b, 1024, 1024)
	var s grid.Islands
	must(s.Label(m, grid.Moves{}))
	built := false
	for b.Loop() {
		must(m.Fill(grid.Cell{X: 500, Y: 500}, grid.Cell{X: 502, Y: 502}, built))
		built = !built
		must(s.Update(m, grid.Moves{}))
	}
}
