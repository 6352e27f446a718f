package spanbake

import (
	"context"
	"sync"
)

// each calls do(worker, i) for i in 0..n-1 on the given number of goroutines
// and waits for them. It returns the error of the smallest i that failed: an
// item is only left out when an earlier one, or the context, has ended the
// work.
func each(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	workers = max(min(workers, n), 1)
	var (
		mu    sync.Mutex
		next  int
		first error
		at    = n
		wg    sync.WaitGroup
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if next >= at || ctx.Err() != nil {
			return -1
		}
		next++
		return next - 1
	}
	fail := func(i int, err error) {
		mu.Lock()
		defer mu.Unlock()
		if i < at {
			at, first = i, err
		}
	}
	work := func(worker int) {
		for i := take(); i >= 0; i = take() {
			if err := do(worker, i); err != nil {
				fail(i, err)
				return
			}
		}
	}
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	return first
}
