package spanpath

import (
	"math"
	"testing"

	"wend/spangrid"
)

// TestPointsOutOfThisWorld gives lines with points that cannot be worked with:
// everything says no or leaves them, at once.
func TestPointsOutOfThisWorld(t *testing.T) {
	w, good, _ := ledgeWorld()
	g := w.ground(t, spangrid.Window{GX: 0, GY: 0, NX: 70, NY: 30})
	z := meshOf(t, quad(0, 0, 20, 6, 0))
	for _, bad := range []Point{{math.NaN(), 1}, {1, math.Inf(-1)}, {1e300, 2}, {-1e19, 2}} {
		for at := range good {
			pts := append([]Point(nil), good...)
			pts[at] = bad
			heights := []float32{5, 0, 0}
			v := View{Need: MarkWalk, Walls: true, NoGo: true, Bans: true, Heights: true}
			if got := g.Pull(nil, pts, heights, v); got[len(got)-1] != 2 {
				t.Errorf("%v: pulled to %v", bad, got)
			}
			Splice(nil, pts[0], pts[1:2], pts[2], true)
			if moves := g.Lift(nil, pts, 5, v); moves != nil {
				t.Errorf("%v: lifted %v", bad, moves)
			}
			if _, ok := g.WalkedHeights(nil, pts, 5, true); ok {
				t.Errorf("%v: walked", bad)
			}
			g.Resettle(heights, pts, []Move{{Index: at}})
			clr := g.Clearances(nil, pts)
			if drops := g.LandingMargin(nil, pts, heights, clr, nil, bodyRadius); drops != nil {
				t.Errorf("%v: landings %v", bad, drops)
			}
			if way := g.Waypoints(nil, pts, &Drive{Zone: z, Clearance: clr, Heights: heights}); len(way) != 1 {
				t.Errorf("%v: waypoints %v", bad, way)
			}
			g.Crossings(pts, heights)
		}
	}
}
