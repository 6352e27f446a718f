package bnvf

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"wend/pack"
	"wend/pack/bnav"
)

// shares reports whether two fields have their tables in the same memory.
func shares(a, b *Fields) bool {
	return &a.Zones[0] == &b.Zones[0] && &a.Zones[0].spans.b[0] == &b.Zones[0].spans.b[0]
}

func TestCacheSharesTables(t *testing.T) {
	main, data := tiny(t, 1)
	dir := t.TempDir()
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.nav", data)
	var cache Cache
	open := func(name string, main *bnav.Pack, o Options) *Fields {
		t.Helper()
		o.Cache = &cache
		f, err := Open(t.Context(), os.DirFS(dir), name, main, &o)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	a, b := open("a.nav", main, Options{}), open("a.nav", main, Options{})
	if !shares(a, b) {
		t.Error("two loads of one file have two tables")
	}
	again := *main
	if c := open("a.nav", &again, Options{}); !shares(a, c) || c.Main() != &again || a.Main() != main {
		t.Error("the same pack, loaded twice: tables not shared, or with the wrong main pack")
	}
	if shares(a, open("a.nav", main, Options{MaxBytes: 1 << 20})) {
		t.Error("a load under another limit shares tables")
	}
	win := bnav.Window{NX: 6, NY: 5}
	w1, err1 := a.Window(t.Context(), 0, win, 1)
	w2, err2 := b.Window(t.Context(), 0, win, 1)
	if err1 != nil || err2 != nil || w1.Len() == 0 || w1.Len() != w2.Len() {
		t.Errorf("windows of %d and %d records, %v, %v", w1.Len(), w2.Len(), err1, err2)
	}

	write("b.nav", data)
	if shares(a, open("b.nav", main, Options{})) {
		t.Error("files with other names share tables")
	}
	if err := os.Chtimes(filepath.Join(dir, "a.nav"), time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	changed := open("a.nav", main, Options{})
	if shares(a, changed) {
		t.Error("a file that was replaced shares tables")
	}
	// A pack with the same hashes but other tiles must not meet these tables.
	forged := makeMain(t, [2][]int{{7, 14}, {5}})
	forged.BuildHash, forged.Fingerprint = main.BuildHash, main.Fingerprint
	if _, err := Open(t.Context(), os.DirFS(dir), "a.nav", forged, &Options{Cache: &cache}); !errors.Is(err, pack.ErrPairing) {
		t.Errorf("a forged main pack: %v", err)
	}
	runtime.KeepAlive(changed)
}

func TestCacheWithoutSharing(t *testing.T) {
	main, data := tiny(t, 1)
	for name, fsys := range map[string]fs.FS{
		"not comparable": fstest.MapFS{"a.nav": {Data: data, ModTime: time.Unix(1e9, 0)}},
		"no times":       &struct{ fs.FS }{fstest.MapFS{"a.nav": {Data: data}}},
	} {
		var cache Cache
		a, err1 := Open(t.Context(), fsys, "a.nav", main, &Options{Cache: &cache})
		b, err2 := Open(t.Context(), fsys, "a.nav", main, &Options{Cache: &cache})
		if err1 != nil || err2 != nil || shares(a, b) || len(cache.held) != 0 {
			t.Errorf("%s: %v, %v, %d entries", name, err1, err2, len(cache.held))
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.nav"), data[:len(data)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	var cache Cache
	for _, name := range []string{"a.nav", "missing.nav"} {
		if _, err := Open(t.Context(), os.DirFS(dir), name, main, &Options{Cache: &cache}); err == nil || len(cache.held) != 0 {
			t.Errorf("%s: %v, %d entries", name, err, len(cache.held))
		}
	}
}

// Tables that nothing uses are collected.
func TestCacheForgets(t *testing.T) {
	main, data := tiny(t, 1)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.nav"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	var cache Cache
	var wg sync.WaitGroup
	list := make([]*Fields, 8)
	for i := range list {
		wg.Go(func() { list[i], _ = Open(t.Context(), os.DirFS(dir), "a.nav", main, &Options{Cache: &cache}) })
	}
	wg.Wait()
	for i, f := range list {
		if f == nil || !shares(f, list[0]) {
			t.Errorf("load %d at the same time as others shares nothing", i)
		}
	}
	runtime.GC()
	key, _ := (&cache).key(os.DirFS(dir), "a.nav", main, 0)
	if cache.get(key, main) == nil {
		t.Error("tables in use were forgotten")
	}
	runtime.KeepAlive(list)
	list = nil
	for range 3 {
		runtime.GC()
	}
	if cache.get(key, main) != nil {
		t.Error("tables that nothing uses are kept")
	}
	if len(cache.held) != 0 {
		t.Errorf("%d entries of tables that are gone", len(cache.held))
	}
}
