package bnav

import (
	"bytes"
	"sync"
	"weak"
)

// A Cache lets loads of the same file share the compressed grid, which is most
// of what a pack keeps in memory. It holds weak references: bytes that no pack
// uses any more are collected. The zero value is ready; it is safe for
// concurrent use.
type Cache struct {
	mu    sync.Mutex
	grids map[uint64][]weak.Pointer[gridBytes] // by file fingerprint
}

// gridBytes is the compressed section, shared between packs.
type gridBytes struct{ b []byte }

// share returns a copy of data, or the bytes an earlier load of the same file
// has kept. Equal fingerprints are not trusted: the bytes are compared.
func (c *Cache) share(fingerprint uint64, data []byte) *gridBytes {
	if c == nil {
		return &gridBytes{bytes.Clone(data)}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for key, list := range c.grids { // forget what is gone; there are as many entries as open files
		kept := list[:0]
		for _, w := range list {
			if w.Value() != nil {
				kept = append(kept, w)
			}
		}
		if len(kept) == 0 {
			delete(c.grids, key)
		} else {
			c.grids[key] = kept
		}
	}
	for _, w := range c.grids[fingerprint] {
		if g := w.Value(); g != nil && bytes.Equal(g.b, data) {
			return g
		}
	}
	g := &gridBytes{bytes.Clone(data)}
	if c.grids == nil {
		c.grids = map[uint64][]weak.Pointer[gridBytes]{}
	}
	c.grids[fingerprint] = append(c.grids[fingerprint], weak.Make(g))
	return g
}
