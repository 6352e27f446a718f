package spanroute

import (
	"testing"

	"wend/internal/wendtest"
	"wend/route"
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
