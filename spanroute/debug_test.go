package spanroute

import (
	"math/rand/v2"
	"testing"

	"wend/route"
)

// TestDebugChangesNothing plans legs with and without their stages.
func TestDebugChangesNothing(t *testing.T) {
	w := generated(t, 1, 6)
	rnd := rand.New(rand.NewPCG(4, 4))
	p := w.engine.NewPlanner()
	found, stages := 0, 0
	n := light(40)
	for range n {
		r := w.randomRequest(rnd)
		r.Debug = false
		plain := w.plan(t, p, r)
		r.Debug = true
		shown := w.plan(t, p, r)
		if d := differs(plain, shown); d != "" {
			t.Errorf("%+v: %s", *r, d)
		}
		if plain.Debug != nil {
			t.Errorf("%+v: stages that nobody asked for", *r)
		}
		if shown.Status == route.Complete {
			found++
			stages += len(shown.Debug.Stages)
		}
	}
	if found < n/4 || stages < 3*found {
		t.Errorf("%d found with %d stages: no fair trial", found, stages)
	}
}
