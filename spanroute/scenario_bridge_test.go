package spanroute

import (
	"testing"

	"wend/internal/wendtest"
	"wend/route"
)

// TestWideBodyUnderBridge walks on a road under a bridge of the same region, the
// only way there is: the bridge's edges and clearances are not the road's. Where
// the road is narrow under the bridge, wide bodies do not pass.
func TestWideBodyUnderBridge(t *testing.T) {
	for _, gap := range []float64{16, 2} { // width of the road under the bridge, m
		b := wendtest.NewBuilder().Floor(10, -3, 30, 3, 4.5)
		b.Floor(12, -30, 28, -1, 0).Floor(20-gap/2, -1, 20+gap/2, 1, 0).Floor(12, 1, 28, 30, 0)
		b.Ramp(-20, -3, 10, 3, 0, 4.5).Floor(-30, -30, -20, 30, 0).Floor(-20, -30, 12, -20, 0) // up to the bridge
		s := build(t, b, nil)
		for _, radius := range []float64{0, 0.3, 0.6, 0.9, 1.5} {
			r := ends(on(20, 0, -15), on(20, 0, 15))
			r.Body.Radius = radius
			want := radius < gap/2
			if got := s.plan(r); (got.Status == route.Complete) != want {
				t.Errorf("a body of %v m under a bridge, %v m of road: %v, want a way %v", radius, gap, got.Status, want)
			} else if want && got.Length > 36 {
				t.Errorf("a body of %v m under a bridge, %v m of road: %v m", radius, gap, got.Length)
			}
		}
	}
}
