package spanroute

import (
	"math"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
	"wend/scene"
)

// TestRoomNoWayOut has a room of 8 by 8 m in a large field that a ring of no-go
// zones, of which the components of the ground know nothing, cuts off.
func TestRoomNoWayOut(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 100, 100, 0)
	for _, r := range [][4]float64{{70, 70, 82, 72}, {70, 80, 82, 82}, {70, 70, 72, 82}, {80, 70, 82, 82}} {
		b.Scene.NoGo = append(b.Scene.NoGo, scene.NoGo{
			Name: "hedge", MinY: -1, MaxY: 2,
			Ring: []geom.Vec2{{X: r[0], Y: r[1]}, {X: r[2], Y: r[1]}, {X: r[2], Y: r[3]}, {X: r[0], Y: r[3]}},
		})
	}
	s := build(t, b, nil)
	room, field := geom.V3(76, 0, 76), geom.V3(5, 0, 95)
	inRoom := s.complete(ends(End{At: room}, on(79, 0, 73))).Stats.Expanded
	s.complete(ends(End{At: field}, on(95, 0, 95)))
	for _, c := range []struct {
		from, to End
		code     string
	}{
		{End{At: room}, End{At: field}, CodeGoalDeckUnreachable},
		{End{At: field}, End{At: room}, CodeGoalDeckUnreachable},
		{column(76, 76), column(5, 95), CodeDisconnected},
		{column(5, 95), column(76, 76), CodeDisconnected},
	} {
		if underRace && !long() && c.from.Storey != OnSurface {
			continue // likewise
		}
		for _, w := range some([]Windows{Ladder, WholeRegion, Exact}, 1) {
			r := ends(c.from, c.to)
			r.Windows = w
			out := s.want(r, route.Unreachable, c.code)
			if out.Failure == nil || out.Failure.Gap == nil {
				t.Errorf("%v, windows %d: no gap", c, w)
				continue
			}
			if n := out.Stats.Expanded; n > 2*patience {
				t.Errorf("%v, windows %d: looked at %d spans", c, w, n)
			}
			// From the room straight across the hedge.
			g := out.Failure.Gap
			in, far := g.From, g.To
			if c.to.At.X == room.X {
				in, far = far, in
			}
			if max(math.Abs(in.X-76), math.Abs(in.Z-76)) > 4 || max(math.Abs(far.X-76), math.Abs(far.Z-76)) < 6 ||
				g.Width < 2 || g.Width > 2.7 || math.Abs(g.Width-flat(in, far)) > 0.01 {
				t.Errorf("%v, windows %d: gap %+v", c, w, g)
			}
			if c.from.At.X == room.X {
				r.MaxExpanded = 2*out.Stats.Expanded - 1
				s.want(r, route.Unreachable, c.code)
			}
			r.MaxExpanded = out.Stats.Expanded - 1
			s.want(r, route.Budget, route.CodeBudget)
		}
	}
	if inRoom > 1000 {
		t.Errorf("%d spans in the room", inRoom)
	}
}

// TestLongLegsAreFoundAfterTheFlood has legs that look at more than patience.
func TestLongLegsAreFoundAfterTheFlood(t *testing.T) {
	b := wendtest.NewBuilder().Floor(0, 0, 50, 40, 0)
	b.Scene.NoGo = []scene.NoGo{{ // a sack with its mouth in the west
		Name: "sack", MinY: -1, MaxY: 2,
		Ring: []geom.Vec2{
			{X: 5, Y: 5}, {X: 45, Y: 5}, {X: 45, Y: 35}, {X: 5, Y: 35},
			{X: 5, Y: 33}, {X: 43, Y: 33}, {X: 43, Y: 7}, {X: 5, Y: 7},
		},
	}}
	s := build(t, b, nil)
	for _, w := range some([]Windows{Ladder, WholeRegion, Exact}, 1) {
		r := ends(on(40, 0, 20), on(48, 0, 20))
		r.Windows = w
		s.p.patience = patience / 4
		out := s.complete(r)
		if out.Stats.Expanded < 2*s.p.patience || out.Length < 90 || out.Length > 105 {
			t.Errorf("windows %d: %d spans, %v m", w, out.Stats.Expanded, out.Length)
		}
	}
}
