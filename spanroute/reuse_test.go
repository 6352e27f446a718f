package spanroute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"wend/route"
	"wend/spanpath"
)

// eager returns a planner that looks around the goal, and doubts that there is a
// way, after few spans already, so that small levels do for all it can do.
func (w *propertyWorld) eager() *Planner {
	p := w.engine.NewPlanner()
	p.rounds, p.patience = nil, 700
	for n := 100; n <= 100_000; n *= 2 {
		p.rounds = append(p.rounds, spanpath.Round{After: n, Spans: n})
	}
	return p
}

// anyRequest is a random request with all there is to ask for besides.
func (w *propertyWorld) anyRequest(rnd *rand.Rand) *Request {
	r := w.randomRequest(rnd)
	one := func(of int) bool { return rnd.IntN(of) == 0 }
	r.Windows = Windows(rnd.IntN(3))
	r.Partial, r.Gap, r.Debug, r.Shortest, r.Reference = one(3), one(2), one(2), one(6), one(10)
	if one(6) {
		r.Body.Height = 1.5 + rnd.Float64()
	}
	if one(3) {
		r.MaxExpanded = 1 << rnd.IntN(18)
	}
	return r
}

// TestPlannersCarryNothingOver has one planner go through requests of all kinds, of
// which many are ended somewhere on the way: each answer is the one of a planner
// that has done nothing before, down to what was looked at.
func TestPlannersCarryNothingOver(t *testing.T) {
	w := generated(t, 1, 10)
	n, seed := light(72), uint64(1)
	if long() {
		n = 3000
	}
	rnd := rand.New(rand.NewPCG(seed, 21))
	p := w.eager()
	var dst route.Route // its memory is used again too
	ended, budgets := 0, 0
	for k := range n {
		r := w.anyRequest(rnd)
		fresh := w.eager()
		free := &impatient{Context: t.Context(), most: math.MaxInt64}
		want := new(route.Route)
		if err := fresh.Plan(free, r, want); err != nil {
			t.Fatalf("request %d, %+v: %v", k, *r, err)
		}
		if most := r.MaxExpanded; most > 0 && want.Stats.Expanded > most {
			t.Errorf("request %d, %+v: %d of %d nodes", k, *r, want.Stats.Expanded, most)
		}
		if want.Status == route.Budget {
			budgets++
		}
		if asked := free.asked.Load(); rnd.IntN(2) == 0 && asked > 1 {
			some := &impatient{Context: t.Context(), most: rnd.Int64N(asked - 1)}
			switch err := p.Plan(some, r, &dst); {
			case err == nil: // ground that has been decoded by now takes no looks
				if d := differsInAll(want, &dst); d != "" {
					t.Errorf("request %d, %+v: %s", k, *r, d)
				}
			case !errors.Is(err, context.Canceled) || dst.Status != route.Cancelled || len(dst.Points) != 0:
				t.Errorf("request %d, %+v: %v, %v after %d of %d looks", k, *r, err, dst.Status, some.most, asked)
			default:
				ended++
			}
			if rnd.IntN(2) == 0 {
				continue
			}
		}
		if err := p.Plan(t.Context(), r, &dst); err != nil {
			t.Fatalf("request %d, %+v: %v", k, *r, err)
		}
		if d := differsInAll(want, &dst); d != "" {
			t.Errorf("request %d, %+v: %s", k, *r, d)
		}
	}
	if ended < n/5 || budgets < n/30 {
		t.Errorf("of %d requests %d were ended, %d ran out of budget: no fair trial", n, ended, budgets)
	}
}

// differsInAll is differs that looks at what explains the answer too.
func differsInAll(a, b *route.Route) string {
	if d := differs(a, b); d != "" {
		return d
	}
	explain := func(r *route.Route) string {
		f := route.Failure{}
		if r.Failure != nil {
			f = *r.Failure
		}
		gap := route.Gap{}
		if f.Gap != nil {
			gap = *f.Gap
		}
		return fmt.Sprintf("%q, gap %+v (%v)", f.Message, gap, f.Gap != nil)
	}
	switch x, y := explain(a), explain(b); {
	case x != y:
		return x + " and " + y
	case !slices.Equal(a.Warnings, b.Warnings):
		return fmt.Sprintf("warnings %q and %q", a.Warnings, b.Warnings)
	case a.Stats.Expanded != b.Stats.Expanded || a.Stats.Pushed != b.Stats.Pushed:
		return fmt.Sprintf("%d and %d spans looked at, %d and %d pushed", a.Stats.Expanded, b.Stats.Expanded, a.Stats.Pushed, b.Stats.Pushed)
	case a.Stats.Window != b.Stats.Window || a.Stats.Tier != b.Stats.Tier || a.Stats.Proved != b.Stats.Proved || a.Stats.Pages != b.Stats.Pages:
		return fmt.Sprintf("%+v and %+v", a.Stats, b.Stats)
	case (a.Debug == nil) != (b.Debug == nil):
		return "one has stages"
	case a.Debug == nil:
		return ""
	}
	if !slices.Equal(a.Debug.Notes, b.Debug.Notes) || a.Debug.Window != b.Debug.Window || len(a.Debug.Stages) != len(b.Debug.Stages) {
		return fmt.Sprintf("notes %q and %q, windows %v and %v, %d and %d stages", a.Debug.Notes, b.Debug.Notes, a.Debug.Window, b.Debug.Window,
			len(a.Debug.Stages), len(b.Debug.Stages))
	}
	for i := range a.Debug.Stages {
		if s, u := &a.Debug.Stages[i], &b.Debug.Stages[i]; s.Name != u.Name || !slices.Equal(s.Points, u.Points) {
			return fmt.Sprintf("stage %d: %s and %s", i, s.Name, u.Name)
		}
	}
	return ""
}
