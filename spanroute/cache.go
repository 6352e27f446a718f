package spanroute

import (
	"context"
	"sync"
)

// A cache keeps values up to a sum of sizes and forgets those that were not
// asked for the longest. A value that several goroutines want at once is made
// by one of them. Values are shared, so they must be immutable: one that is
// forgotten lives on as long as somebody uses it.
type cache[K comparable, V any] struct {
	mu     sync.Mutex
	limit  int64
	size   int64
	slots  map[K]*slot[K, V]
	newest *slot[K, V] // of the finished ones
	oldest *slot[K, V]

	hits, misses uint64
}

type slot[K comparable, V any] struct {
	key          K
	value        V
	size         int64
	newer, older *slot[K, V]
	done         chan struct{} // closed when building ends; nil once the value is there
	err          error
	retry        bool // the builder gave up: nothing is known of the value
}

func newCache[K comparable, V any](limit int64) *cache[K, V] {
	c := &cache[K, V]{}
	c.init(limit)
	return c
}

func (c *cache[K, V]) init(limit int64) { c.limit, c.slots = limit, map[K]*slot[K, V]{} }

// peek returns a value that is there.
func (c *cache[K, V]) peek(k K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slots[k]
	if s == nil || s.done != nil {
		var none V
		return none, false
	}
	c.hits++
	c.unlink(s)
	c.link(s)
	return s.value, true
}

// get returns a value, and makes it where it is not there: build returns it and
// about how many bytes it takes. A failure is told to all who wait and then
// forgotten; who waited for one whose context ended tries himself.
func (c *cache[K, V]) get(ctx context.Context, k K, build func() (V, int64, error)) (V, error) {
	var none V
	for {
		if v, ok := c.peek(k); ok {
			return v, nil
		}
		if ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
		c.mu.Lock()
		s := c.slots[k]
		if s == nil {
			s = &slot[K, V]{key: k, done: make(chan struct{})}
			c.slots[k] = s
			c.misses++
			c.mu.Unlock()
			return c.fill(ctx, s, build)
		}
		done := s.done
		c.mu.Unlock()
		if done == nil {
			continue // finished meanwhile
		}
		select {
		case <-done:
		case <-ctx.Done():
			return none, context.Cause(ctx)
		}
		switch {
		case s.retry:
		case s.err != nil:
			return none, s.err
		default:
			c.mu.Lock()
			c.hits++
			c.mu.Unlock()
			return s.value, nil
		}
	}
}

func (c *cache[K, V]) fill(ctx context.Context, s *slot[K, V], build func() (V, int64, error)) (V, error) {
	finished := false
	done := s.done
	defer func() { // a panic must not leave others waiting
		if !finished {
			s.retry = true
			c.mu.Lock()
			delete(c.slots, s.key)
			c.mu.Unlock()
			close(done)
		}
	}()
	v, size, err := build()
	finished = true
	c.mu.Lock()
	defer c.mu.Unlock()
	defer close(done)
	if err != nil {
		s.err, s.retry = err, ctx.Err() != nil
		delete(c.slots, s.key)
		return v, err
	}
	s.value, s.size, s.done = v, size, nil
	c.size += size
	c.link(s)
	for c.size > c.limit && c.oldest != nil {
		c.drop(c.oldest)
	}
	return v, nil
}

func (c *cache[K, V]) drop(s *slot[K, V]) {
	c.unlink(s)
	c.size -= s.size
	delete(c.slots, s.key)
}

func (c *cache[K, V]) link(s *slot[K, V]) {
	s.older, s.newer = c.newest, nil
	if c.newest != nil {
		c.newest.newer = s
	} else {
		c.oldest = s
	}
	c.newest = s
}

func (c *cache[K, V]) unlink(s *slot[K, V]) {
	if s.newer != nil {
		s.newer.older = s.older
	} else {
		c.newest = s.older
	}
	if s.older != nil {
		s.older.newer = s.newer
	} else {
		c.oldest = s.newer
	}
	s.newer, s.older = nil, nil
}

// CacheStats says how a cache did so far.
type CacheStats struct {
	Hits, Misses uint64
	Entries      int
	Bytes        int64
}

func (c *cache[K, V]) stats() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	return CacheStats{Hits: c.hits, Misses: c.misses, Entries: len(c.slots), Bytes: c.size}
}
