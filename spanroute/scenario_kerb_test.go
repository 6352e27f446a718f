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

// TestLowLedges goes off ledges lower than the climb of the reference rules, which
// bar nobody there, and never up them.
func TestLowLedges(t *testing.T) {
	for _, h := range []float64{1.4, 2, 2.9, 3.5} {
		for _, under := range []float64{0, 6} { // the lower floor begins below the upper one or beside it
			b := wendtest.NewBuilder()
			b.Floor(0, 0, 6, 6, h).Floor(under, 0, 14, 6, 0)
			r := reference(t, b).plan(ends(on(2, h, 3), on(12, 0, 3)))
			if r.Status != route.Complete || len(r.Drops) != 1 || r.Stats.WallCrossings != 0 {
				t.Errorf("down %v m: %v with %d falls, %d walls crossed", h, r.Status, len(r.Drops), r.Stats.WallCrossings)
			}
			if r = reference(t, b).plan(ends(on(12, 0, 3), on(2, h, 3))); r.Status == route.Complete {
				t.Errorf("up %v m: %v", h, r.Status)
			}
		}
	}
}

// reference opens a level that was baked with the rules of a pack that declares
// none.
func reference(t *testing.T, b *wendtest.Builder) *scenario {
	in, _, err := spanbake.FromTriangles(t.Context(), b.Scene, &spanbake.Level{Zone: "level"})
	if err != nil {
		t.Fatal(err)
	}
	res, err := spanbake.Run(t.Context(), in, &spanbake.Options{Tile: 64, Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	return openScenario(t, res, nil)
}

// TestStepDownPastWall falls from a gallery onto a floor whose edge lies below
// it, between two turns: the landing stays when the line is made straight.
func TestStepDownPastWall(t *testing.T) {
	for _, side := range []float64{1, 2, 3, 5, 8} {
		b := wendtest.NewBuilder()
		b.Floor(0, 0, 3, 12, 2.6).Floor(3, 0, 12, 2.4, 2.6) // along a gallery, down, on and away
		b.Floor(12, 0, 12+side, 2.4, 0).Floor(12+side, -12, 15+side, 2.4, 0)
		r := reference(t, b).plan(ends(on(1.5, 2.6, 11), on(13.5+side, 0, -11)))
		if r.Status != route.Complete || len(r.Drops) != 1 || len(r.Points) < 4 {
			t.Errorf("%v m: %v with %d falls, %d points", side, r.Status, len(r.Drops), len(r.Points))
		}
	}
}
