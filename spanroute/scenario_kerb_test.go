package spanroute

import (
	"testing"

	"wend/internal/wendtest"
	"wend/route"
	"wend/spanbake"
)

// TestKerb steps from one floor onto another that begins at the same line and was
// never joined to it.
func TestKerb(t *testing.T) {
	for _, c := range []struct {
		height float64
		up     bool
	}{{0.25, true}, {0.8, true}, {1.2, false}} {
		s := build(t, wendtest.NewBuilder().Floor(0, 0, 12, 9, 0).Floor(12, 0, 20, 9, c.height), nil)
		r := s.plan(ends(on(3, 0, 4), on(17, c.height, 4)))
		if up := r.Status == route.Complete; up != c.up {
			t.Errorf("up a kerb of %v m: %v, want %v", c.height, r.Status, c.up)
		}
		if r.Stats.WallCrossings != 0 {
			t.Errorf("a kerb of %v m counts as a wall", c.height)
		}
	}
}

// TestStepDownPastWall goes down a high step, as the reference rules allow, onto a
// floor whose edge counts as a wall, between two turns: what leads over the edge
// well above it stays when the line is made straight.
func TestStepDownPastWall(t *testing.T) {
	for _, side := range []float64{1, 2, 3, 5, 8} {
		b := wendtest.NewBuilder()
		b.Floor(0, 0, 3, 12, 2.6).Floor(3, 0, 12, 2.4, 2.6) // along a gallery, down, on and away
		b.Floor(12, 0, 12+side, 2.4, 0).Floor(12+side, -12, 15+side, 2.4, 0)
		in, _, err := spanbake.FromTriangles(t.Context(), b.Scene, &spanbake.Level{Zone: "level"})
		if err != nil {
			t.Fatal(err)
		}
		res, err := spanbake.Run(t.Context(), in, &spanbake.Options{Tile: 64, Level: 1})
		if err != nil {
			t.Fatal(err)
		}
		r := openScenario(t, res, nil).plan(ends(on(1.5, 2.6, 11), on(13.5+side, 0, -11)))
		if r.Status != route.Complete || len(r.Drops) != 0 || len(r.Points) < 4 {
			t.Errorf("%v m: %v with %d falls, %d points", side, r.Status, len(r.Drops), len(r.Points))
		}
	}
}
