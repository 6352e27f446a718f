package spanroute

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"wend/internal/wendtest"
	"wend/pack"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spanbake"
)

// threeZones are packs with zones "a", "b" and "c" of the same ground.
var threeZones = sync.OnceValues(func() (*spanbake.Result, error) {
	var list []*spanbake.Input
	for _, name := range []string{"a", "b", "c"} {
		b := wendtest.NewBuilder().Floor(0, 0, 12, 9, 0).Floor(12, 0, 20, 9, 0.25)
		in, _, err := spanbake.FromTriangles(context.Background(), b.Scene, &spanbake.Level{Zone: name})
		if err != nil {
			return nil, err
		}
		list = append(list, in)
	}
	in, err := spanbake.Merge(list...)
	if err != nil {
		return nil, err
	}
	return spanbake.Run(context.Background(), in, &spanbake.Options{Tile: 64, Level: 2})
})

func openThree(t testing.TB, o *Options) *Engine {
	t.Helper()
	res, err := threeZones()
	if err != nil {
		t.Fatal(err)
	}
	e, err := Open(context.Background(), files(t, res), "level.nav", o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestOpenFaults(t *testing.T) {
	good := terraceFiles(t)
	res, err := threeZones()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(fstest.MapFS)
		want   error
	}{
		{"no main pack", func(s fstest.MapFS) { delete(s, "level.nav") }, pack.ErrOpen},
		{"no fields", func(s fstest.MapFS) { delete(s, "level.fields.nav") }, pack.ErrOpen},
		{"fields of another pack", func(s fstest.MapFS) { s["level.fields.nav"] = &fstest.MapFile{Data: res.Fields} }, pack.ErrPairing},
		{"cut off", func(s fstest.MapFS) { s["level.nav"] = &fstest.MapFile{Data: good["level.nav"].Data[:1000]} }, nil},
	} {
		set := fstest.MapFS{}
		for k, v := range good {
			set[k] = v
		}
		c.change(set)
		_, err := Open(t.Context(), set, "level.nav", nil)
		var d *DataError
		if !errors.As(err, &d) || d.Code != EngineUnusable || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		if err != nil && strings.Count(err.Error(), "spanroute:") != 1 {
			t.Errorf("%s: %v has the prefix more than once", c.name, err)
		}
	}
	for _, o := range []*Options{{CacheBytes: -1}, {Workers: -1}, {Zones: -1}, {NoGo: "x", NoGoTable: []byte("{}")}} {
		if _, err := Open(t.Context(), good, "level.nav", o); err == nil {
			t.Errorf("options %+v are taken", o)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := Open(ctx, good, "level.nav", nil); err != why {
		t.Errorf("a context that has ended: %v", err)
	}
}

// TestNewWantsAPair gives fields that were loaded for other packs, and no grid.
func TestNewWantsAPair(t *testing.T) {
	res, err := threeZones()
	if err != nil {
		t.Fatal(err)
	}
	p, err := bnav.Load(t.Context(), res.Main, nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := bnvf.Load(t.Context(), res.Fields, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := New(p, f, nil, nil); err != nil || e.Warm(t.Context(), "b") != nil {
		t.Fatal(err)
	}
	other := *p
	bare := *p
	bare.Grid = nil
	for name, e := range map[string]func() (*Engine, error){
		"another pack": func() (*Engine, error) { return New(&other, f, nil, nil) },
		"no fields":    func() (*Engine, error) { return New(p, nil, nil, nil) },
		"no grid":      func() (*Engine, error) { return New(&bare, f, nil, nil) },
	} {
		_, err := e()
		var d *DataError
		if !errors.As(err, &d) || d.Code != EngineUnusable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestZones(t *testing.T) {
	e := openThree(t, nil)
	list := e.Zones()
	if len(list) != 3 {
		t.Fatalf("%+v", list)
	}
	for i, z := range list {
		if z.Zone.Name != string(rune('a'+i)) || !z.Planned || z.Records == 0 || z.NoGo != 0 || z.Parent != "" {
			t.Errorf("%+v", z)
		}
	}
	for name, code := range map[string]DataCode{"": UnknownZone, "d": UnknownZone} {
		_, err := e.zone(t.Context(), name)
		var d *DataError
		if !errors.As(err, &d) || d.Code != code {
			t.Errorf("zone %q: %v", name, err)
		}
	}
	if n := e.Stats().Zones; n != 0 {
		t.Errorf("%d zones are ready, none was used", n)
	}
}

// TestZonesAreKept looks at which zones are kept, and that one in use stays.
func TestZonesAreKept(t *testing.T) {
	e := openThree(t, &Options{Zones: 1})
	get := func(name string) *zoneEntry {
		t.Helper()
		z, err := e.zone(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	a := get("a")
	b := get("b")
	if n := e.Stats().Zones; n != 2 {
		t.Errorf("%d zones while two are in use", n)
	}
	if again := get("a"); again != a {
		t.Error("a zone in use was made again")
	}
	a.release()
	if n := e.Stats().Zones; n != 2 {
		t.Errorf("%d zones while two are in use", n)
	}
	b.release()
	if n := e.Stats().Zones; n != 1 {
		t.Errorf("%d zones are kept, want 1", n)
	}
	a.release()
	if n := e.Stats().Zones; n != 1 {
		t.Errorf("%d zones are kept, want 1", n)
	}
	if again := get("a"); again != a {
		t.Error("the zone that was kept was made again")
	}
	if err := e.Warm(t.Context(), ""); err == nil {
		t.Error("one of several zones is warm without a name")
	}
	if err := e.Warm(t.Context(), "none"); err == nil {
		t.Error("a zone that is none is warm")
	}
	if n := e.Stats().Zones; n != 1 {
		t.Errorf("%d zones after a name that is none", n)
	}
	// Pages work on a zone that was dropped meanwhile.
	a.release()
	if err := e.Warm(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	r := a.rects[0]
	if p, err := a.source(1, false).Page(t.Context(), int(r.x0)/128, int(r.y0)/128); p == nil || err != nil {
		t.Errorf("page of a dropped zone: %v, %v", p, err)
	}
}

// TestZonesInTurnFromManyGoroutines drops zones all the time while others use
// them.
func TestZonesInTurnFromManyGoroutines(t *testing.T) {
	e := openThree(t, &Options{Zones: 1, CacheBytes: 1 << 16})
	var wg sync.WaitGroup
	for n := range 6 {
		wg.Go(func() {
			for i := range 20 {
				ctx, cancel := context.WithCancel(context.Background())
				if (n+i)%5 == 0 {
					go cancel()
				}
				name := string(rune('a' + (n+i)%3))
				z, err := e.zone(ctx, name)
				if err == nil {
					if z.name != name {
						t.Errorf("zone %s is %s", name, z.name)
					}
					r := z.rects[0]
					p, err := z.source(1, false).Page(ctx, int(r.x0)/128, int(r.y0)/128)
					if p == nil && err == nil || err != nil && ctx.Err() == nil {
						t.Errorf("page: %v, %v", p, err)
					}
					z.release()
				} else if ctx.Err() == nil {
					t.Error(err)
				}
				cancel()
			}
		})
	}
	wg.Wait()
	if n := e.Stats().Zones; n > 1 {
		t.Errorf("%d zones are kept, want 1", n)
	}
}

// TestCancelledContexts: nothing of what was begun under a context that ended
// stays.
func TestCancelledContexts(t *testing.T) {
	e := openTerraces(t, nil)
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if err := e.Warm(ctx, "terraces"); err != why {
		t.Errorf("warm: %v", err)
	}
	z := openZone(t, e)
	if _, err := z.source(1, false).Page(ctx, 0, 0); err != why {
		t.Errorf("page: %v", err)
	}
	r := z.rects[0]
	if _, err := z.coreDistance(ctx, middleOf(int(r.x0), int(r.y0))); err != why {
		t.Errorf("open ground: %v", err)
	}
	if _, err := z.bounds(ctx, 1); err != why {
		t.Errorf("bounds: %v", err)
	}
	if _, err := z.reach(ctx, 1, 1); err != why {
		t.Errorf("reach: %v", err)
	}
	if _, err := z.colliders(ctx); err != why {
		t.Errorf("colliders: %v", err)
	}
	if _, err := z.bounds(t.Context(), 1); err != nil {
		t.Errorf("bounds afterwards: %v", err)
	}
	if _, err := z.source(1, false).Page(t.Context(), 0, 0); err != nil {
		t.Errorf("page afterwards: %v", err)
	}
	if _, err := z.reach(t.Context(), 1, 1); err != nil {
		t.Errorf("reach afterwards: %v", err)
	}
}

// TestColliders reads colliders where there are some, and says where the file
// is broken.
func TestColliders(t *testing.T) {
	set := terraceFiles(t)
	z := openZone(t, openTerraces(t, nil))
	if s, err := z.colliders(t.Context()); s == nil || err != nil {
		t.Errorf("%v, %v", s, err)
	}
	set["level.occluder.gz"] = &fstest.MapFile{Data: []byte("not gzip")}
	e, err := Open(t.Context(), set, "level.nav", nil)
	if err != nil {
		t.Fatal(err)
	}
	var d *DataError
	if _, err := openZone(t, e).colliders(t.Context()); !errors.As(err, &d) || d.Code != EngineUnusable {
		t.Errorf("%v", err)
	}
	delete(set, "level.occluder.gz")
	if e, err = Open(t.Context(), set, "level.nav", nil); err != nil {
		t.Fatal(err)
	}
	if s, err := openZone(t, e).colliders(t.Context()); s != nil || err != nil {
		t.Errorf("no file: %v, %v", s, err)
	}
}

// TestForeignPacks makes all pages of packs from an independent writer, whose
// numbers mean nothing but which use every freedom of the formats.
func TestForeignPacks(t *testing.T) {
	dir := wendtest.Data(t, "packs")
	for _, name := range []string{"court/court.nav.gz", "tower/tower.nav.gz", "columns/columns.nav.gz", "harbour/harbour.nav.gz", "guest/guest.nav.gz", "plain/plain.nav"} {
		e, err := Open(t.Context(), os.DirFS(filepath.Join(dir, filepath.Dir(name))), filepath.Base(name), nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, info := range e.Zones() {
			if !info.Planned {
				if err := e.Warm(t.Context(), info.Zone.Name); err == nil {
					t.Errorf("%s: zone %q is warm and no route can be planned there", name, info.Zone.Name)
				}
				continue
			}
			z, err := e.zone(t.Context(), info.Zone.Name)
			if err != nil {
				t.Errorf("%s, zone %q: %v", name, info.Zone.Name, err)
				continue
			}
			if len(z.rects) > 0 {
				comparePack(t, z)
			}
			z.release()
		}
	}
}

func comparePack(t *testing.T, z *zoneEntry) {
	a := decodeAll(t, z)
	px0, py0, px1, py1 := pageRange(z, a)
	px1, py1 = min(px1, px0+4), min(py1, py0+4)
	for region := uint32(1); region <= min(z.e.main.Grid.Zones[z.grid].GlobalRegions, 2); region++ {
		for py := py0; py <= py1; py++ {
			for px := px0; px <= px1; px++ {
				got, err := z.source(region, false).Page(t.Context(), px, py)
				if err != nil {
					t.Fatalf("%s, zone %q: %v", z.e.main.Name, z.name, err)
				}
				if want := naivePage(t, z, region, px, py, false); !samePage(got, want) {
					t.Fatalf("%s, zone %q, region %d: page (%d, %d) is another one", z.e.main.Name, z.name, region, px, py)
				}
			}
		}
	}
}

// TestWarmOnlyZone: a pack with one zone needs no name for it.
func TestWarmOnlyZone(t *testing.T) {
	e, err := Open(t.Context(), terraceFiles(t), "level.nav", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Warm(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if n := e.Stats().Zones; n != 1 {
		t.Errorf("%d zones are ready, want 1", n)
	}
}
