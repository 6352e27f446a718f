package spanroute

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// TestCacheAgainstList compares what is kept with a list in order of use.
func TestCacheAgainstList(t *testing.T) {
	const limit = 50
	c := newCache[int, int](limit)
	type item struct{ key, size int }
	var list []item // newest last
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 5000 {
		k := rnd.IntN(30)
		at := -1
		for i := range list {
			if list[i].key == k {
				at = i
			}
		}
		built := false
		v, err := c.get(t.Context(), k, func() (int, int64, error) {
			built = true
			return k * k, int64(1 + k%13*6), nil
		})
		if v != k*k || err != nil || built != (at < 0) {
			t.Fatalf("key %d: %d %v, built %v, kept %v", k, v, err, built, list)
		}
		it := item{k, 1 + k%13*6}
		if at >= 0 {
			list = append(list[:at], list[at+1:]...)
		}
		list = append(list, it)
		for sum := 0; ; sum = 0 {
			for _, i := range list {
				sum += i.size
			}
			if sum <= limit {
				if s := c.stats(); s.Bytes != int64(sum) || s.Entries != len(list) {
					t.Fatalf("%+v, want %d bytes in %v", s, sum, list)
				}
				break
			}
			list = list[1:]
		}
	}
}

// TestCacheBuildsOnce lets many ask for a value while it is made.
func TestCacheBuildsOnce(t *testing.T) {
	c := newCache[string, int](100)
	var builds atomic.Int32
	start := make(chan struct{})
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			v, err := c.get(context.Background(), "k", func() (int, int64, error) {
				builds.Add(1)
				<-start
				return 7, 1, nil
			})
			if v != 7 || err != nil {
				t.Errorf("%d, %v", v, err)
			}
		})
	}
	for c.stats().Misses == 0 {
		runtime.Gosched()
	}
	close(start)
	wg.Wait()
	if n := builds.Load(); n != 1 {
		t.Errorf("built %d times", n)
	}
}

// TestCacheFailures: a failure goes to those who wait, and is forgotten; one
// that is the end of the builder's context is nobody else's.
func TestCacheFailures(t *testing.T) {
	c := newCache[string, int](100)
	broken := errors.New("broken")
	if _, err := c.get(t.Context(), "k", func() (int, int64, error) { return 0, 0, broken }); err != broken {
		t.Fatal(err)
	}
	if v, err := c.get(t.Context(), "k", func() (int, int64, error) { return 3, 1, nil }); v != 3 || err != nil {
		t.Fatalf("after a failure: %d, %v", v, err)
	}

	mine, cancel := context.WithCancelCause(t.Context())
	building, waiting := make(chan struct{}), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		_, err := c.get(mine, "slow", func() (int, int64, error) {
			close(building)
			<-waiting
			cancel(broken)
			return 0, 0, context.Cause(mine)
		})
		if err != broken {
			t.Errorf("the builder gets %v", err)
		}
	})
	<-building
	wg.Go(func() {
		v, err := c.get(t.Context(), "slow", func() (int, int64, error) { return 5, 1, nil })
		if v != 5 || err != nil {
			t.Errorf("who waited gets %d, %v", v, err)
		}
	})
	gone, end := context.WithCancelCause(t.Context())
	wg.Go(func() {
		end(broken)
		if _, err := c.get(gone, "slow", func() (int, int64, error) { return 6, 1, nil }); err != broken {
			t.Errorf("who gave up gets %v", err)
		}
		close(waiting)
	})
	wg.Wait()

	func() { // a panic leaves nothing behind
		defer func() { _ = recover() }()
		c.get(t.Context(), "panics", func() (int, int64, error) { panic("no") })
	}()
	if v, err := c.get(t.Context(), "panics", func() (int, int64, error) { return 8, 1, nil }); v != 8 || err != nil {
		t.Errorf("after a panic: %d, %v", v, err)
	}
}
