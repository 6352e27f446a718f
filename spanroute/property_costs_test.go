package spanroute

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/pack/bnav"
	"wend/route"
	"wend/spanpath"
)

// TestCostsAreLeast compares the costs of baseline and topology with those of the
// twin: equal where there is a way, and none where there is none. Where there is
// a baseline, there is a route.
func TestCostsAreLeast(t *testing.T) {
	n := 6
	list := []*propertyWorld{generated(t, 1, 6)}
	if long() {
		n = 200
		list = append(list, generated(t, 1, 10), generated(t, 2, 10), generated(t, 3, 12), baked(t, "town"), baked(t, "nav_test.obj"), baked(t, "dungeon.obj"))
	}
	for i, w := range list {
		t.Run(w.name, func(t *testing.T) { compareCosts(t, w, n, uint64(i)) })
	}
}

// tightCost returns what the cells of a way cost at the prices of geometry.
func (w *twin) tightCost(cells []spanpath.Cell) (sum float64) {
	price := func(c spanpath.Cell) float64 {
		hi := w.leg.body.Preferred
		room := float64(bnav.Clearance(w.cells[w.number(int(c.X), int(c.Y))].clr)) - w.leg.body.MinClr
		return hi / min(max(room, min(leastClearance, hi)), hi)
	}
	for i := 1; i < len(cells); i++ {
		a, b := cells[i-1], cells[i]
		sum += math.Hypot(float64(a.X-b.X), float64(a.Y-b.Y)) * (price(a) + price(b)) / 2
	}
	return sum
}

// openNear opens all ground that can be reached from the first cell of a way over
// cells by ways that are no longer, a diagonal step being 1.41, and than 16 cells.
func (w *twin) openNear(way []spanpath.Cell) {
	number := func(c spanpath.Cell) int { return w.number(int(c.X), int(c.Y)) }
	limit := 0
	for i := 1; i < len(way); i++ {
		limit += 100
		if way[i].X != way[i-1].X && way[i].Y != way[i-1].Y {
			limit += 41
		}
	}
	limit = min(limit, 1600)
	far := map[int]int{number(way[0]): 0}
	for todo := []int{number(way[0])}; len(todo) > 0; todo = todo[1:] {
		c := todo[0]
		w.cells[c].extra = true
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				n, to := c+dy*w.nx+dx, far[c]+100+41*dx*dx*dy*dy
				if old, ok := far[n]; w.in(n, false) && to <= limit && (!ok || to < old) {
					far[n] = to
					todo = append(todo, n)
				}
			}
		}
	}
}

func compareCosts(t *testing.T, w *propertyWorld, n int, seed uint64) {
	z := openZone(t, w.engine)
	all := decodeAll(t, z).padded(8)
	rnd := rand.New(rand.NewPCG(17, seed))
	p := w.engine.NewPlanner()
	baselines, topologies, none, worst := 0, 0, 0, 0.0
	for range n {
		r := w.randomRequest(rnd)
		r.Body.Radius, r.Windows = 0, WholeRegion
		p.search.leg = nil
		got := w.plan(t, p, r)
		s := &p.search
		if s.leg == nil || got.Stats.Window != "full" || s.leg.depth != 0 || slices.Contains(got.Warnings, "walkable ground is broken, took to all core ground") {
			continue // no search, or one whose rules were loosened
		}
		tw := newTwin(t, z, all, s.leg, w)
		start, goals := tw.ends(s)
		if len(start) == 0 || len(goals) == 0 {
			if got.Status == route.Complete {
				t.Errorf("%+v: a route without a start or a goal", *r)
			}
			continue
		}
		least := tw.least(start[0], goals, false, false)
		switch code := code(got); {
		case code == CodeDisconnected || code == CodeGoalDeckUnreachable:
			none++
			if !math.IsInf(least, 1) {
				t.Errorf("%+v: %s, but there is a way of %v", *r, code, least)
			}
			continue
		case got.Status != route.Complete:
			continue
		case math.IsInf(least, 1):
			t.Errorf("%+v: a route where there is no way", *r)
			continue
		}
		if s.baselineRan {
			baselines++
			worst = max(worst, math.Abs(s.baseline.Cost-least))
			if math.Abs(s.baseline.Cost-least) > 1e-6*least {
				t.Errorf("%+v: baseline %v, the least is %v", *r, s.baseline.Cost, least)
			}
		}
		if len(s.baseline.Links) > 0 || s.wholeTopology {
			continue // ways from links to open ground are not the twin's
		}
		for i := range s.access {
			list := s.access[i].Cells
			for k, c := range list {
				tw.cells[tw.number(int(c.X), int(c.Y))].extra = true
				if k > 0 { // and what is beside a diagonal step
					tw.cells[tw.number(int(list[k-1].X), int(c.Y))].extra = true
					tw.cells[tw.number(int(c.X), int(list[k-1].Y))].extra = true
				}
			}
			if len(list) > 0 {
				tw.openNear(list)
			}
		}
		least = tw.least(start[0], goals, true, true)
		if math.IsInf(least, 1) && len(tw.links) > 0 {
			continue // only links joined the channel
		}
		topologies++
		worst = max(worst, math.Abs(s.topology.Cost-least))
		if !(math.Abs(s.topology.Cost-least) <= 1e-6*least) || math.IsInf(least, 1) {
			t.Errorf("%+v: topology %v, the least is %v", *r, s.topology.Cost, least)
		}
		// Chords may be a little longer than the steps of topology, at geometry's
		// prices, never much.
		if steps := tw.tightCost(p.cells); s.geometry.Cost > 1.2*steps+4 {
			t.Errorf("%+v: geometry %v, the steps of topology %v", *r, s.geometry.Cost, steps)
		}
	}
	t.Logf("%d baselines, %d topologies, %d without a way; worst difference %g cells", baselines, topologies, none, worst)
}

func code(r *route.Route) string {
	if r.Failure == nil {
		return ""
	}
	return r.Failure.Code
}
