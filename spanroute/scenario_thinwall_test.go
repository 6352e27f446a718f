package spanroute

import (
	"math"
	"testing"

	"wend/internal/wendtest"
	"wend/route"
)

// TestEndsBesideAThinWall puts ends into the strip that a thin wall and the body's
// inset leave between two rooms that nothing joins: they are in the room whose floor
// is nearer, whatever lies nearer among cells.
func TestEndsBesideAThinWall(t *testing.T) {
	apart, joined := 0, 0
	for shift := 0.0; shift < 0.3; shift += 0.05 {
		left, right := 9.3+shift, 10.8+shift
		b := wendtest.NewBuilder()
		b.Floor(0, 0, 20, left, 0).Floor(0, right, 20, 20, 0)
		s := build(t, b, nil)
		for z := left + 0.1; z < right; z += 0.1 {
			toLeft, toRight := z-left, right-z
			if math.Abs(toLeft-toRight) < 0.05 {
				continue // either will do
			}
			for _, r := range []*Request{ends(on(10, 0, z), on(5, 0, 4)), ends(on(5, 0, 4), on(10, 0, z))} {
				got := s.plan(r)
				if want := toLeft < toRight; (got.Status == route.Complete) != want {
					t.Errorf("rooms end at %.2f and %.2f, an end at %.2f: %v, complete would be %v", left, right, z, got.Status, want)
				} else if want {
					joined++
				} else {
					apart++
				}
			}
		}
	}
	if apart < 20 || joined < 20 {
		t.Errorf("%d apart, %d joined", apart, joined)
	}
}
