package spanroute

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"wend/geom"
	"wend/route"
)

// requests draws some legs.
func (w *propertyWorld) requests(n int, seed uint64) []*Request {
	rnd := rand.New(rand.NewPCG(seed, 5))
	var list []*Request
	for range n {
		list = append(list, w.randomRequest(rnd))
	}
	return list
}

// answered draws legs with their answers: by default those that take few steps to
// search, which look at no less of an engine.
func (w *propertyWorld) answered(t testing.TB, n int, seed uint64) (list []*Request, want []*route.Route) {
	t.Helper()
	const few = 25_000
	p := w.engine.NewPlanner()
	for _, r := range w.requests(4*n, seed) {
		if len(list) == n {
			break
		}
		if !long() {
			r.MaxExpanded = few
		}
		got := w.plan(t, p, r)
		if r.MaxExpanded = 0; got.Status != route.Budget {
			list, want = append(list, r), append(want, got)
		}
	}
	if len(list) < n {
		t.Fatalf("%d of %d legs take few steps", len(list), n)
	}
	return list, want
}

// TestSameOnEveryEngine: workers, caches, their size, the order of queries and
// other queries at the same time change nothing in an answer.
func TestSameOnEveryEngine(t *testing.T) {
	w := generated(t, 1, 10)
	n, engines := 3, []Options{{Workers: 1}, {Workers: 4, CacheBytes: 3 << 20}}
	if long() {
		n, engines = 150, append(engines, Options{Workers: 2}, Options{Workers: 4}, Options{Workers: 1, CacheBytes: 1})
	}
	list, want := w.answered(t, n, 1)
	same := func(name string, i int, got *route.Route) {
		t.Helper()
		if d := differs(want[i], got); d != "" {
			t.Errorf("%s: %+v: %s", name, *list[i], d)
		}
	}
	for _, o := range engines {
		name := fmt.Sprintf("%+v", o)
		q := openPacks(t, w.files, &o).NewPlanner()
		for k := range list { // the other way round, with scratch of other legs
			i := len(list) - 1 - k
			same(name, i, w.plan(t, q, list[i]))
		}
		same(name+" again", 0, w.plan(t, q, list[0]))
	}
	{
		e := openPacks(t, w.files, &Options{CacheBytes: 2 << 20})
		var wait sync.WaitGroup
		for k := range 3 {
			wait.Go(func() {
				q := e.NewPlanner()
				for j := range list {
					i := (j + k*len(list)/3) % len(list)
					var dst route.Route
					if err := q.Plan(context.Background(), list[i], &dst); err != nil {
						t.Error(err)
					}
					same("side by side", i, &dst)
				}
			})
		}
		wait.Wait()
	}
}

// TestNoGoTables: a table that is not there, an empty one, and polygons that no
// surface is in change nothing; a broken one opens no engine.
func TestNoGoTables(t *testing.T) {
	w := generated(t, 1, 10)
	list, want := w.answered(t, light(4), 2)
	for _, c := range []Options{
		{NoGo: "not-there.json"},
		{NoGoTable: []byte(`{"version": 1, "zones": {}}`)},
		{NoGoTable: []byte(`{"version": 1, "zones": {"level": []}}`)},
		{NoGoTable: []byte(`{"version": 1, "zones": {"level": [{"poly": [[9000, 9000], [9001, 9000], [9001, 9001]]}, {"poly": [[-0.001, 0], [0, 0], [0, 0.001]]}]}}`)},
	} {
		q := openPacks(t, w.files, &c).NewPlanner()
		for i, r := range list {
			if d := differs(want[i], w.plan(t, q, r)); d != "" {
				t.Errorf("table %q: %+v: %s", c.NoGoTable, *r, d)
			}
		}
	}
	for range 2 {
		_, err := Open(t.Context(), w.files, "level.nav", &Options{NoGoTable: []byte(`{"version": 1, "zones": {"level": [{"poly": [[0, 0], [1, 0]]}]}}`)})
		var bad *NoGoError
		var data *DataError
		if !errors.As(err, &bad) || !errors.As(err, &data) || data.Code != EngineUnusable {
			t.Errorf("a broken table: %v", err)
		}
	}
}

// TestDiscsBesideTheWay: a disc that has no middle of a cell, and discs far from
// everything, change nothing.
func TestDiscsBesideTheWay(t *testing.T) {
	w := generated(t, 1, 10)
	z := openZone(t, w.engine)
	p := w.engine.NewPlanner()
	for _, r := range w.requests(8, 3) {
		r.Discs = nil
		want := w.plan(t, p, r)
		more := *r
		for _, q := range want.Points {
			at := z.plane(q.Pos)
			// The corner of the cell is 0.18 px from its middle.
			at.U, at.V = 0.25*float64(int(at.U/0.25)), 0.25*float64(int(at.V/0.25))
			more.Discs = append(more.Discs, Disc{At: z.worldAt(at, 0), Radius: 0.17 / z.scale()})
		}
		more.Discs = append(more.Discs, Disc{At: geom.V3(5000, 0, 5000), Radius: 100})
		if d := differs(want, w.plan(t, p, &more)); d != "" {
			t.Errorf("%+v: %s", *r, d)
		}
	}
}

// TestCancelledAnywhere ends queries at random moments: they say so, and the
// planner and the engine go on as if nothing had been.
func TestCancelledAnywhere(t *testing.T) {
	w := generated(t, 1, 10)
	n := 8
	if long() {
		n = 1000
	}
	list, want := w.answered(t, 3, 4)
	rnd := rand.New(rand.NewPCG(8, 8))
	e := openPacks(t, w.files, &Options{CacheBytes: 1 << 20})
	q := e.NewPlanner()
	over := errors.New("enough")
	cancelled := 0
	for range n {
		i := rnd.IntN(len(list))
		ctx, cancel := context.WithCancelCause(t.Context())
		timer := time.AfterFunc(time.Microsecond<<rnd.IntN(18), func() { cancel(over) })
		var dst route.Route
		switch err := q.Plan(ctx, list[i], &dst); {
		case err == nil:
			if d := differs(want[i], &dst); d != "" {
				t.Errorf("%+v: %s", *list[i], d)
			}
		case !errors.Is(err, over):
			t.Errorf("%v, want the cause", err)
		default:
			cancelled++
			if dst.Status != route.Cancelled || len(dst.Points) != 0 || dst.Failure == nil || dst.Failure.Code != route.CodeCancelled {
				t.Errorf("cancelled: %+v", dst)
			}
		}
		timer.Stop()
		cancel(nil)
	}
	t.Logf("%d of %d ended early", cancelled, n)
	for i, r := range list {
		if d := differs(want[i], w.plan(t, q, r)); d != "" {
			t.Errorf("afterwards: %+v: %s", *r, d)
		}
	}
}
