package bnvf

import (
	"context"
	"io/fs"
	"reflect"
	"sync"
	"time"
	"weak"

	"wend/pack"
	"wend/pack/bnav"
)

// A Cache lets loads of the same sidecar share its tables: the second one
// neither reads the file nor checks it again. A file is the same where file
// system, name, size and time of change are, and where its main pack has the
// same build hash and fingerprint; a file system that is not comparable or
// tells no times shares nothing. The cache holds weak references: tables that
// no Fields uses any more are collected. A failed load leaves nothing in it. The
// zero value is ready; it is safe for concurrent use.
type Cache struct {
	mu   sync.Mutex
	held map[cacheKey]weak.Pointer[Fields]
}

type cacheKey struct {
	fsys                   fs.FS
	name                   string
	size                   int64
	changed                time.Time
	buildHash, fingerprint uint64 // of the main pack
	maxBytes               int64  // the limit the tables were loaded under
}

// key returns what a file is known by, and false where it cannot be shared.
func (c *Cache) key(fsys fs.FS, name string, main *bnav.Pack, maxBytes int64) (cacheKey, bool) {
	if c == nil || !reflect.ValueOf(fsys).Comparable() {
		return cacheKey{}, false
	}
	info, err := fs.Stat(fsys, name)
	if err != nil || info.ModTime().IsZero() {
		return cacheKey{}, false // the load will tell
	}
	return cacheKey{fsys, name, info.Size(), info.ModTime().Round(0).UTC(), main.BuildHash, main.Fingerprint, maxBytes}, true
}

// get returns fields for main that share what an earlier load has kept, nil
// where there is nothing.
func (c *Cache) get(key cacheKey, main *bnav.Pack) *Fields {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, w := range c.held { // forget what is gone; there are as many entries as open files
		if w.Value() == nil {
			delete(c.held, k)
		}
	}
	return c.held[key].Value().pairedWith(main)
}

// put keeps the tables of fresh fields, or finds that another load was faster,
// and returns what is shared from now on.
func (c *Cache) put(key cacheKey, f *Fields) *Fields {
	c.mu.Lock()
	defer c.mu.Unlock()
	if other := c.held[key].Value().pairedWith(f.main); other != nil {
		return other
	}
	tables := *f
	tables.main = nil // or the cache's users would keep the first one's main pack
	if c.held == nil {
		c.held = map[cacheKey]weak.Pointer[Fields]{}
	}
	c.held[key] = weak.Make(&tables)
	return tables.pairedWith(f.main)
}

// pairedWith returns fields that use the tables with a main pack, nil where
// there are no tables or they do not fit. The pack has the hashes of the one
// they were checked against, but hashes can be forged.
func (f *Fields) pairedWith(main *bnav.Pack) *Fields {
	if f == nil || main.Grid == nil || f.Profile != main.Rules() || len(f.byGrid) != len(main.Grid.Zones) {
		return nil
	}
	for gi, i := range f.byGrid {
		g, z := &main.Grid.Zones[gi], &f.Zones[i]
		if z.Name != g.Name || z.GlobalRegions != g.GlobalRegions || z.tiles != len(g.Tiles) {
			return nil
		}
		for k := range g.Tiles {
			if z.tile(k).records != g.Tiles[k].Records {
				return nil
			}
		}
	}
	shared := *f
	shared.main, shared.tables = main, f
	return &shared
}

// open is [Open] with a cache.
func (c *Cache) open(ctx context.Context, fsys fs.FS, name string, main *bnav.Pack, o *Options) (*Fields, error) {
	key, ok := c.key(fsys, name, main, o.MaxBytes)
	if ok {
		if f := c.get(key, main); f != nil {
			return f, nil
		}
	}
	data, err := pack.ReadFile(fsys, name, o.MaxBytes)
	if err != nil {
		return nil, err
	}
	f, err := Load(ctx, data, main, o)
	if err != nil || !ok {
		return f, err
	}
	if now, ok := c.key(fsys, name, main, o.MaxBytes); !ok || now != key { // replaced while it was read
		return f, nil
	}
	return c.put(key, f), nil
}
