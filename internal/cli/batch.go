package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"wend"
)

func loadQueries(file string) ([]query, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, badInputf("%s: %w", file, withoutPath(err))
	}
	queries, err := readQueries(file, data)
	return queries, badInput(err)
}

// runMeshQueries answers a file of queries, in the order of the file.
func (c *routeCmd) runMeshQueries(e *env, o *opened, agent wend.Agent, queries []query) error {
	var docs [][]byte
	clearance := 0.0
	if c.JSON {
		docs = make([][]byte, len(queries))
		clearance = shownClearance
	}
	answers := make([]answer, len(queries))
	opt := c.planOptions(clearance)
	err := c.eachQuery(e, len(queries), func(ctx context.Context) func(int) error {
		q := o.world.NewQuery()
		var r wend.Route
		return func(i int) error {
			if err := q.PlanInto(ctx, &r, queries[i].from, queries[i].to, agent, opt); err != nil {
				return err
			}
			answers[i] = answer{
				status: r.Status, length: r.Length, points: len(r.Points),
				snapStart: r.SnapStart, snapEnd: r.SnapEnd,
				micros: float64(r.Stats.Total) / float64(time.Microsecond),
			}
			if docs == nil {
				return nil
			}
			var err error
			docs[i], err = json.Marshal(&r)
			return err
		}
	})
	if err != nil {
		return err
	}
	return c.writeResults(e, answers, docs)
}

// writeResults writes the answers to queries as a table or, where there are any,
// as documents.
func (c *routeCmd) writeResults(e *env, answers []answer, docs [][]byte) error {
	switch {
	case c.Out != "":
		return writeFile(c.Out, func(w io.Writer) error { return writeAnswers(w, answers) })
	case docs == nil:
		return writeAnswers(e.stdout, answers)
	}
	for _, d := range docs {
		if _, err := e.stdout.Write(append(d, '\n')); err != nil {
			return err
		}
	}
	return nil
}

// eachQuery runs work 0 to n-1 on several goroutines, each with a worker of
// its own, and shows how far it is. The first error ends it.
func (c *routeCmd) eachQuery(e *env, n int, worker func(context.Context) func(int) error) error {
	ctx, cancel := context.WithCancelCause(e.ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var wg sync.WaitGroup
	jobs := c.Jobs
	if jobs == 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	for range min(jobs, n) {
		wg.Go(func() {
			work := worker(ctx)
			for {
				i := int(next.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				if err := work(i); err != nil {
					cancel(err) // the first cause stays
					return
				}
				done.Add(1)
			}
		})
	}
	finished := make(chan struct{})
	go func() {
		wg.Wait()
		close(finished)
	}()
	p := e.progress()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		p.step("queries", min(int(done.Load()), n-1), n)
		select {
		case <-tick.C:
			continue
		case <-finished:
		}
		break
	}
	if ctx.Err() == nil {
		p.step("queries", n, n)
	}
	p.finish()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}
