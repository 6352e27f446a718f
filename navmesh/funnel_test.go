package navmesh

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"wend/geom"
)

// plane turns a plane with y up into the ground seen from above, so that left
// stays left.
func plane(x, y float64) geom.Vec3 { return geom.Vec3{X: x, Z: -y} }

func stepThrough(start, goal geom.Vec3, portals []Portal) []Turn {
	var f Funnel
	f.Reset(start, goal, portals)
	for f.Step() {
	}
	return f.Turns()
}

func TestFunnelTwoPortals(t *testing.T) {
	// The slopes seen through the first portal are -1 to 1.
	first := Portal{Right: plane(1, -1), Left: plane(1, 1)}
	for _, c := range []struct {
		name    string
		second  Portal
		goal    geom.Vec3
		corners []Turn
	}{
		{"slopes 1 to 1.5 leave slope 1", Portal{Right: plane(2, 2), Left: plane(2, 3)}, plane(3, 3), nil},
		{"goal above slope 1", Portal{Right: plane(2, 2), Left: plane(2, 3)}, plane(3, 4), []Turn{{plane(1, 1), 0}}},
		{"slopes 1.5 to 2 leave none", Portal{Right: plane(2, 3), Left: plane(2, 4)}, plane(3, 4), []Turn{{plane(1, 1), 0}, {plane(2, 3), 1}}},
		{"slopes 1.5 to 2, goal straight on", Portal{Right: plane(2, 3), Left: plane(2, 4)}, plane(3, 5), []Turn{{plane(1, 1), 0}}},
		{"mirrored", Portal{Right: plane(2, -4), Left: plane(2, -3)}, plane(3, -5), []Turn{{plane(1, -1), 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			portals := []Portal{first, c.second}
			want := append(append([]Turn{{plane(0, 0), -1}}, c.corners...), Turn{c.goal, 2})
			for name, got := range map[string][]Turn{
				"steps":   stepThrough(plane(0, 0), c.goal, portals),
				"at once": AppendTaut(nil, plane(0, 0), c.goal, portals),
			} {
				if fmt.Sprint(got) != fmt.Sprint(want) {
					t.Errorf("%s: %v, want %v", name, got, want)
				}
			}
		})
	}
}

func TestFunnelState(t *testing.T) {
	var f Funnel
	f.Reset(plane(0, 0), plane(3, 4), []Portal{{plane(1, -1), plane(1, 1)}, {plane(2, 3), plane(2, 4)}})
	if !f.Step() || f.Left() != (Turn{plane(1, 1), 0}) || f.Right() != (Turn{plane(1, -1), 0}) || f.Next() != 1 {
		t.Fatalf("after the first portal: left %v, right %v, next %d", f.Left(), f.Right(), f.Next())
	}
	// The second portal lies above the left side: the way turns there.
	if !f.Step() || f.Apex() != (Turn{plane(1, 1), 0}) || f.Next() != 1 {
		t.Fatalf("after the second portal: apex %v, next %d", f.Apex(), f.Next())
	}
	for f.Step() {
	}
	if f.Step() {
		t.Error("there is more to do after the end")
	}
}

func TestTautEnds(t *testing.T) {
	p := []Portal{{plane(1, -1), plane(1, 1)}}
	for _, c := range []struct {
		name        string
		start, goal geom.Vec3
		portals     []Portal
		want        int
	}{
		{"one place", plane(0, 0), plane(0, 0), nil, 1},
		{"one place on a portal", plane(1, 0), plane(1, 0), p, 1},
		{"near each other", plane(0, 0), plane(1e-9, 0), nil, 2},
		{"goal on a corner", plane(0, 0), plane(1, 1), p, 2},
		{"start on a corner", plane(1, 1), plane(2, 5), p, 2},
		{"both on one corner", plane(1, 1), plane(1, 1), p, 1},
		{"straight over a corner", plane(0, 0), plane(2, 2), p, 2},
	} {
		for name, got := range map[string][]Turn{
			"steps": stepThrough(c.start, c.goal, c.portals), "at once": AppendTaut(nil, c.start, c.goal, c.portals),
		} {
			if len(got) != c.want || got[len(got)-1] != (Turn{c.goal, len(c.portals)}) {
				t.Errorf("%s, %s: %v, want %d points", c.name, name, got, c.want)
			}
		}
	}
}

// windingCorridor draws a row of portals that bound triangles: each moves one
// end of the one before. Ends lie on a lattice of 1/8, so predicates are exact.
func windingCorridor(t *rapid.T) (start, goal geom.Vec3, portals []Portal) {
	at := func(x, y float64) geom.Vec3 { return plane(math.Round(8*x)/8, math.Round(8*y)/8) }
	n := rapid.IntRange(1, 40).Draw(t, "portals")
	heading, x, y := 0.0, 0.0, 0.0
	width := rapid.Float64Range(0.5, 3).Draw(t, "width")
	start = at(-1, 0)
	end := func(sign float64) geom.Vec3 {
		sin, cos := math.Sincos(heading)
		w := sign * width * rapid.Float64Range(0.3, 1).Draw(t, "w")
		return at(x-sin*w, y+cos*w)
	}
	p := Portal{end(-1), end(1)}
	for range n {
		portals = append(portals, p)
		heading += rapid.Float64Range(-0.5, 0.5).Draw(t, "bend")
		step := rapid.Float64Range(0.3, 2).Draw(t, "step")
		sin, cos := math.Sincos(heading)
		x, y = x+cos*step, y+sin*step
		next := p
		if rapid.Bool().Draw(t, "left") {
			next.Left = end(1)
		} else {
			next.Right = end(-1)
		}
		// The new end lies beyond the old portal, and the new portal does not
		// turn its back on what it leaves.
		beyondOld := geom.Area2(p.Right, p.Left, next.Left) < 0 || geom.Area2(p.Right, p.Left, next.Right) < 0
		if beyondOld {
			p = next
		}
	}
	sin, cos := math.Sincos(heading)
	goal = at(x+cos*4, y+sin*4)
	if last := portals[n-1]; geom.Area2(last.Right, last.Left, goal) >= 0 {
		goal = geom.Lerp(last.Right, last.Left, 0.5)
	}
	return start, goal, portals
}

func TestTautAgreesWithSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start, goal, portals := windingCorridor(t)
		want := stepThrough(start, goal, portals)
		got := AppendTaut(nil, start, goal, portals)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("start %v goal %v\nportals %v\n at once %v\n steps   %v", start, goal, portals, got, want)
		}
		if err := checkTaut(got, portals, 1e-9); err != nil {
			t.Fatalf("%v: %v through %v", err, got, portals)
		}
		for i := 1; i < len(got); i++ {
			if got[i].Pos == got[i-1].Pos {
				t.Fatalf("a point twice in %v", got)
			}
		}
		if d := relaxed(start, goal, portals) - turnsLength(got); d < -1e-6 {
			t.Fatalf("%g longer than a path found by relaxation", -d)
		}
	})
}

func turnsLength(turns []Turn) float64 {
	sum := 0.0
	for i := 1; i < len(turns); i++ {
		sum += geom.DistXZ(turns[i-1].Pos, turns[i].Pos)
	}
	return sum
}

// relaxed returns the length of a way that crosses every portal, shortened by
// moving one crossing at a time: never less than the shortest.
func relaxed(start, goal geom.Vec3, portals []Portal) float64 {
	n := len(portals)
	at := make([]geom.Vec3, n+2)
	at[0], at[n+1] = start, goal
	for i, p := range portals {
		at[i+1] = geom.Lerp(p.Right, p.Left, 0.5)
	}
	for range 50 {
		for i, p := range portals {
			t, ok := crossing(p.Right, p.Left, at[i], beyond(p.Left, p.Right, at[i+2]))
			if !ok {
				continue
			}
			if x := geom.Lerp(p.Right, p.Left, min(max(t, 0), 1)); geom.DistXZ(at[i], x)+geom.DistXZ(x, at[i+2]) <
				geom.DistXZ(at[i], at[i+1])+geom.DistXZ(at[i+1], at[i+2]) {
				at[i+1] = x
			}
		}
	}
	sum := 0.0
	for i := 1; i < len(at); i++ {
		sum += geom.DistXZ(at[i-1], at[i])
	}
	return sum
}

// Rows of portals that are hard on a funnel.
var hardRows = []struct {
	name string
	make func(n int) []Portal
}{
	{"straight", func(n int) []Portal {
		var out []Portal
		for i := range n {
			out = append(out, Portal{plane(float64(i+1), -1), plane(float64(i+1), 1)})
		}
		return out
	}},
	{"zigzag", func(n int) []Portal {
		var out []Portal
		for i := range n {
			x := float64(i + 1)
			if i%2 == 0 {
				out = append(out, Portal{plane(x, 0.5), plane(x, 1)})
			} else {
				out = append(out, Portal{plane(x, -1), plane(x, -0.5)})
			}
		}
		return out
	}},
	// The way follows the inside of a bow while the outside stays in view.
	{"bow", func(n int) []Portal {
		var out []Portal
		for i := range n {
			sin, cos := math.Sincos(float64(i+1) / float64(n) * 3)
			out = append(out, Portal{plane(100*sin, -100*cos), plane(sin, -cos)})
		}
		return out
	}},
	// All portals share one corner.
	{"fan", func(n int) []Portal {
		var out []Portal
		for i := range n {
			sin, cos := math.Sincos(float64(i+1) / float64(n) * 3)
			out = append(out, Portal{plane(10*sin, -10*cos), plane(0, 0)})
		}
		return out
	}},
	// The left ends bulge towards the way until the last portal cuts them all off.
	{"late turn", func(n int) []Portal {
		var out []Portal
		for i := range n {
			x := float64(i+1) / float64(n)
			out = append(out, Portal{plane(x, -50-float64(i)), plane(x, 1+x*x)})
		}
		return out
	}},
}

func TestTautOnHardRows(t *testing.T) {
	for _, row := range hardRows {
		portals := row.make(400)
		start, last := plane(-0.5, -2), portals[len(portals)-1]
		goal := geom.Lerp(last.Right, last.Left, 0.25)
		got, want := AppendTaut(nil, start, goal, portals), stepThrough(start, goal, portals)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: at once %v, by steps %v", row.name, got, want)
		}
		if err := checkTaut(got, portals, 1e-9); err != nil {
			t.Errorf("%s: %v", row.name, err)
		}
	}
}

func BenchmarkFunnel(b *testing.B) {
	for _, row := range hardRows {
		for _, n := range []int{10, 100, 1000, 10000} {
			portals := row.make(n)
			last := portals[n-1]
			start, goal := plane(-0.5, -2), geom.Lerp(last.Right, last.Left, 0.25)
			b.Run(fmt.Sprintf("%s/%d/steps", row.name, n), func(b *testing.B) {
				var f Funnel
				for b.Loop() {
					f.Reset(start, goal, portals)
					for f.Step() {
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/portal")
			})
			b.Run(fmt.Sprintf("%s/%d/chains", row.name, n), func(b *testing.B) {
				var c chains
				var turns []Turn
				for b.Loop() {
					turns = c.appendTaut(turns[:0], start, goal, portals)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/portal")
			})
		}
	}
}

// checkTaut returns an error unless each leg between turns passes the portals
// between them in order.
func checkTaut(turns []Turn, portals []Portal, slack float64) error {
	if j := missedPortal(turns, portals, slack); j >= 0 {
		return fmt.Errorf("a leg misses portal %d", j)
	}
	return nil
}

// The check must be able to say no.
func TestMissedPortal(t *testing.T) {
	portals := []Portal{
		{plane(1, -1), plane(1, 1)}, {plane(2, 2), plane(2, 3)}, {plane(3, -1), plane(3, 1)},
	}
	turns := AppendTaut(nil, plane(0, 0), plane(4, 0), portals)
	if j := missedPortal(turns, portals, 1e-9); j >= 0 {
		t.Errorf("the taut line misses portal %d", j)
	}
	straight := []Turn{turns[0], turns[len(turns)-1]}
	if j := missedPortal(straight, portals, 1e-9); j != 1 {
		t.Errorf("the straight line misses portal %d, want 1", j)
	}
	var c corridor
	c.portals, c.turns = portals, straight
	c.throughMiddles(turns[0].Pos, turns[len(turns)-1].Pos)
	if j := missedPortal(c.turns, portals, 1e-9); j >= 0 || len(c.turns) != 5 {
		t.Errorf("the line through the middles has %d turns and misses portal %d", len(c.turns), j)
	}
}

func BenchmarkCheckTaut(b *testing.B) {
	portals := hardRows[0].make(1000)
	turns := AppendTaut(nil, plane(-0.5, 0), plane(1001, 0), portals)
	for b.Loop() {
		if err := checkTaut(turns, portals, 1e-9); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/portal")
}
