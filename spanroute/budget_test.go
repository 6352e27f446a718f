package spanroute

import (
	"math"
	"slices"
	"testing"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/route"
)

// TestBudgetOfPartialRoutes gives legs less and less to look at: who asked for a
// partial route gets one that ends on the way, at the place nearest to the goal so
// far, and who did not gets none.
func TestBudgetOfPartialRoutes(t *testing.T) {
	// Corridors to and fro, and an island that no way leads to.
	b := wendtest.NewBuilder()
	const end = 70.0
	for i := range 8 {
		z := float64(i) * 8
		b.Floor(0, z, end, z+6, 0)
		if x := float64(i%2) * (end - 4); i > 0 {
			b.Floor(end-4-x, z-2, end-x, z, 0)
		}
	}
	b.Floor(end+20, 0, end+30, 10, 0)
	s := build(t, b, nil)
	s.p.patience = 2_000
	for _, to := range []End{on(5, 0, 58), on(end+25, 0, 5)} {
		r := ends(on(5, 0, 1), to)
		r.Partial = true
		all := s.plan(r)
		need := all.Stats.Expanded
		if need < 2*s.p.patience {
			t.Fatalf("%d nodes, %v: no fair trial: %+v", need, all.Status, all.Stats)
		}
		last, budgets, ended := math.Inf(1), 0, 0
		limits := []int{need / 2, need - 1, need, 400, need / 8, need / 4, need * 3 / 4, 30, 1, 2, 2 * need}[:max(light(11), 6)]
		slices.Sort(limits)
		for _, n := range limits {
			for _, partial := range []bool{false, true} {
				r.MaxExpanded, r.Partial = n, partial
				got := s.budgeted(r)
				if got.Stats.Expanded > n {
					t.Errorf("%d nodes: %d looked at", n, got.Stats.Expanded)
				}
				if got.Status != route.Budget {
					ended++
					if !partial {
						continue
					}
					if got.Status != all.Status || n >= need && (got.Length != all.Length || len(got.Points) != len(all.Points)) {
						t.Errorf("%d of %d nodes: %v of %v m, %d points, want %v, %v m", n, need, got.Status, got.Length, len(got.Points), all.Status, all.Length)
					}
					continue
				}
				budgets++
				if !partial {
					if len(got.Points) != 0 || got.Failure.Gap != nil {
						t.Errorf("%d nodes: %v", n, got.Points)
					}
					continue
				}
				g := got.Failure.Gap
				if len(got.Points) == 0 || g == nil || got.Failure.Code != route.CodeBudget {
					t.Fatalf("%d nodes: %+v", n, got)
				}
				end := got.Points[len(got.Points)-1].Pos
				if g.From != end || flat(g.To, to.At) > 1e-9 || math.Abs(g.Width-geom.Dist(end, g.To)) > 1e-9 || g.Width > last+1e-9 {
					t.Errorf("%d nodes: ends at %v, %+v, before %v m", n, end, g, last)
				}
				last = g.Width
				if k := got.Points[len(got.Points)-1].Kind; k != route.Corner {
					t.Errorf("%d nodes: the last point is a %v", n, k)
				}
				s.stays(got, 0)
				if underRace {
					continue
				}
				again := s.budgeted(r)
				if again.Length != got.Length || len(again.Points) != len(got.Points) {
					t.Errorf("%d nodes: %v m, then %v", n, got.Length, again.Length)
				}
			}
		}
		if budgets < len(limits)/2 || ended < 2 {
			t.Errorf("to %v: %d answers ran out of budget, %d did not", to, budgets, ended)
		}
	}
}

// budgeted is plan for a request with a limit, which may be reached.
func (s *scenario) budgeted(r *Request) *route.Route {
	s.Helper()
	var out route.Route
	if err := s.p.Plan(s.Context(), r, &out); err != nil {
		s.Fatal(err)
	}
	return &out
}
