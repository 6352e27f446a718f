package grid

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// Request is one of many searches.
type Request struct{ From, To Cell }

// Batch runs many searches at a time. It keeps one Query for each worker, and
// their memory, from one call to the next. The zero value is ready to use; a
// Batch belongs to one goroutine.
type Batch struct{ queries []*Query }

// Find answers all requests on one ground with the same options, on as many
// goroutines as workers says; 0 or less means one for each processor. results
// is used again where it is long enough. What comes out is the same for any
// number of workers, since no search depends on another. Nobody may edit the
// ground meanwhile. The error is that of the first request that has one; with
// an ended context the results are worthless.
func (b *Batch) Find(ctx context.Context, g Ground, requests []Request, opts *Options, workers int, results []Result) ([]Result, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(min(workers, len(requests)), 1)
	for len(b.queries) < workers {
		b.queries = append(b.queries, NewQuery())
	}
	if cap(results) < len(requests) {
		results = append(results[:cap(results)], make([]Result, len(requests)-cap(results))...)
	}
	results = results[:len(requests)]
	errs := make([]error, workers)
	failed := make([]int, workers)
	var next atomic.Int64
	var group sync.WaitGroup
	for k := range workers {
		group.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(requests) {
					return
				}
				r := requests[i]
				if err := b.queries[k].FindInto(ctx, &results[i], g, r.From, r.To, opts); err != nil {
					// Requests are taken in order, so every earlier one is
					// carried out as well, and the first error is found.
					errs[k], failed[k] = err, i
					return
				}
			}
		})
	}
	group.Wait()
	first := -1
	for k, err := range errs {
		if err != nil && (first < 0 || failed[k] < failed[first]) {
			first = k
		}
	}
	if first >= 0 {
		return results, fmt.Errorf("%w (request %d)", errs[first], failed[first])
	}
	return results, nil
}
