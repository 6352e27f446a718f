package pack

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// MaxWorkers is the most goroutines that decode or encode at once: the loops
// are bound by memory.
const MaxWorkers = 4

// Workers returns how many goroutines n items are worth: want, or the number
// of processors where want is 0 or less, but at most [MaxWorkers] and n, and
// at least 1.
func Workers(want, n int) int {
	if want <= 0 {
		want = runtime.GOMAXPROCS(0)
	}
	return max(1, min(want, MaxWorkers, n))
}

// Parallel calls do(worker, i) for every i in 0..n-1, with worker in
// 0..workers-1 telling which scratch to use; workers is taken as by
// [Workers]. It returns the error of the smallest i that failed, whatever the
// number of workers; items after it may be left out. It waits for all
// goroutines. When the context ends, its cause is returned.
func Parallel(ctx context.Context, workers, n int, do func(worker, i int) error) error {
	workers = Workers(workers, n)
	if workers == 1 {
		for i := range n {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := do(0, i); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		next   atomic.Int64
		failed atomic.Int64 // smallest index that failed
		errs   = make([]struct {
			i   int64
			err error
		}, workers)
		wg sync.WaitGroup
	)
	failed.Store(int64(n))
	run := func(w int) {
		for ctx.Err() == nil {
			i := next.Add(1) - 1
			if i >= failed.Load() {
				return
			}
			if err := do(w, int(i)); err != nil {
				// Indices are handed out in ascending order: whatever is
				// smaller is already being worked on and will finish.
				errs[w].i, errs[w].err = i, err
				for old := failed.Load(); i < old && !failed.CompareAndSwap(old, i); old = failed.Load() {
				}
				return
			}
		}
	}
	for w := 1; w < workers; w++ {
		wg.Go(func() { run(w) })
	}
	run(0)
	wg.Wait()
	var first error
	at := int64(n)
	for _, e := range errs {
		if e.err != nil && e.i < at {
			first, at = e.err, e.i
		}
	}
	if first == nil && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return first
}
