package spanroute

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"wend/occluder"
	"wend/pack"
	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/pack/ocls"
	"wend/spangrid"
	"wend/spanpath"
)

const (
	defaultCacheBytes = 512 << 20
	defaultZones      = 2
	maxWorkers        = pack.MaxWorkers
)

// Options of an engine. The zero value is ready.
type Options struct {
	// NoGo is the name of the author's table of no-go zones in the file system
	// of [Open]; where the file does not exist there are none. NoGoTable is
	// the table itself. Only one of both may be set.
	NoGo      string
	NoGoTable []byte

	// CacheBytes is about how much ground is kept in memory, bytes; 0 means
	// 512 MiB. Decoded tiles, of which the ground is made, take a quarter of it
	// besides. It never shows in a result.
	CacheBytes int64

	// Workers is how many goroutines decode tiles for one query: 1 to 4, 0
	// means one per processor. It never shows in a result.
	Workers int

	// Zones is how many zones are kept ready; 0 means 2.
	Zones int

	// MaxBytes is the most decoded bytes of a file that [Open] reads; 0 means
	// [pack.DefaultMaxBytes].
	MaxBytes int64
}

// An Engine plans routes over the packs of a level. It keeps zones and ground
// that queries had to look at, so later queries nearby are faster, but it never
// answers differently for that. It is safe for concurrent use.
type Engine struct {
	main      *bnav.Pack
	fields    *bnvf.Fields
	headroom  *annex.Headroom
	drops     *annex.Drops
	bodies    []annex.Body
	noGo      map[string][]spanpath.Ring
	rules     spangrid.Rules
	original  spangrid.Rules // of legs by the original rules, see rulesOf
	workers   int
	regionMax int // cells that the window of a whole region may have
	colliders func(zone string) (*occluder.Scene, error)

	zones zoneCache
	tiles *cache[tileKey, *tile]
	cuts  *cache[cutKey, struct{}] // keeps nothing: it has tiles cut once at a time
	pages *cache[pageKey, *spanpath.Page]
	works pagePool
}

// Open reads a main pack of fsys and the sidecars beside it, whose names
// [pack.SideNames] tells. The occluder pack may be missing; it is read when a
// zone is first planned in.
//
// What cannot be used is a *DataError with code EngineUnusable; it wraps what
// the readers say, or a *NoGoError.
func Open(ctx context.Context, fsys fs.FS, name string, o *Options) (*Engine, error) {
	ctx = alive(ctx)
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	unusable := func(err error) (*Engine, error) { return nil, dataError(ctx, EngineUnusable, "", err) }
	main, err := bnav.Open(ctx, fsys, name, &bnav.Options{Workers: opt.Workers, MaxBytes: opt.MaxBytes})
	if err != nil {
		return unusable(err)
	}
	side, occ := pack.SideNames(name)
	fields, err := bnvf.Open(ctx, fsys, side, main, &bnvf.Options{Workers: opt.Workers, MaxBytes: opt.MaxBytes})
	if err != nil {
		return unusable(err)
	}
	if opt.NoGo != "" {
		table, err := fs.ReadFile(fsys, opt.NoGo)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unusable(err)
		}
		opt.NoGo, opt.NoGoTable = "", table
	}
	e, err := New(main, fields, nil, &opt)
	if err != nil {
		return unusable(err)
	}
	e.colliders = func(zone string) (*occluder.Scene, error) {
		return readColliders(fsys, occ, zone, opt.MaxBytes)
	}
	return e, nil
}

// New makes an engine of packs in memory. colliders are those of each zone by
// its name; a zone without any has no data on what bars a drop. Errors are
// those of [Open].
func New(main *bnav.Pack, fields *bnvf.Fields, colliders map[string]*occluder.Scene, o *Options) (*Engine, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	rules, original := rulesOf(main.Rules())
	e := &Engine{main: main, fields: fields, rules: rules, original: original, workers: opt.Workers, regionMax: regionMax}
	if err := e.readTables(&opt); err != nil {
		return nil, &DataError{Code: EngineUnusable, Err: err}
	}
	e.colliders = func(zone string) (*occluder.Scene, error) { return colliders[zone], nil }
	e.zones.init(opt.Zones)
	e.pages = newCache[pageKey, *spanpath.Page](opt.CacheBytes)
	e.tiles = newCache[tileKey, *tile](opt.CacheBytes / 4)
	e.cuts = newCache[cutKey, struct{}](0)
	return e, nil
}

// rulesOf returns the rules that routes keep to and the original ones. By these
// a step is a fall from the profile's climb on, and kept walls bar no step; since
// they do, one would not get down a ledge that is lower but too high to get up
// again: it is a fall.
func rulesOf(p pack.Profile) (ours, original spangrid.Rules) {
	original = spangrid.RulesOf(p)
	ours = original
	ours.Climb = math.Min(ours.Climb, math.Max(ours.BumpUp, ours.SlopeDiag))
	return ours, original
}

// rulesFor returns the rules of a leg.
func (e *Engine) rulesFor(reference bool) *spangrid.Rules {
	if reference {
		return &e.original
	}
	return &e.rules
}

func (o *Options) withDefaults() (Options, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	switch {
	case opt.CacheBytes < 0:
		return opt, fmt.Errorf("spanroute: option CacheBytes is %d", opt.CacheBytes)
	case opt.Workers < 0:
		return opt, fmt.Errorf("spanroute: option Workers is %d", opt.Workers)
	case opt.Zones < 0:
		return opt, fmt.Errorf("spanroute: option Zones is %d", opt.Zones)
	case opt.NoGo != "" && opt.NoGoTable != nil:
		return opt, errors.New("spanroute: options NoGo and NoGoTable are both set")
	}
	if opt.CacheBytes == 0 {
		opt.CacheBytes = defaultCacheBytes
	}
	if opt.Zones == 0 {
		opt.Zones = defaultZones
	}
	opt.Workers = pack.Workers(opt.Workers, math.MaxInt)
	return opt, nil
}

// readTables reads what the packs have beside grid and fields.
func (e *Engine) readTables(o *Options) (err error) {
	switch {
	case e.main.Grid == nil:
		return fmt.Errorf("%s has no grid", e.main.Name)
	case e.fields == nil || e.fields.Main() != e.main:
		return fmt.Errorf("the fields are not those of %s", e.main.Name)
	}
	if e.headroom, err = annex.ReadHeadroom(e.fields); err != nil {
		return err
	}
	if e.drops, err = annex.ReadDrops(e.fields); err != nil {
		return err
	}
	if e.bodies, err = annex.ReadBodies(e.main); err != nil {
		return err
	}
	e.noGo, err = readNoGo(e.main, o.NoGoTable)
	return err
}

// readColliders reads the colliders of one zone, nil where the file does not
// exist or does not have the zone.
func readColliders(fsys fs.FS, name, zone string, maxBytes int64) (*occluder.Scene, error) {
	data, err := pack.ReadFile(fsys, name, maxBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s, found, err := ocls.ReadZone(name, data, zone)
	if err != nil || !found {
		return nil, err
	}
	return occluder.New(s)
}

// Fingerprint returns the fingerprint of the main pack, 16 hex digits.
func (e *Engine) Fingerprint() string { return fmt.Sprintf("%016x", e.main.Fingerprint) }

// Pack returns the main pack.
func (e *Engine) Pack() *bnav.Pack { return e.main }

// Stats says how the caches of an engine did so far.
type Stats struct {
	Zones int // that are ready
	Pages CacheStats
	Tiles CacheStats
}

// Stats returns how the caches did so far.
func (e *Engine) Stats() Stats {
	return Stats{Zones: e.zones.count(), Pages: e.pages.stats(), Tiles: e.tiles.stats()}
}

// ZoneInfo is what an engine knows of a zone without making it ready.
type ZoneInfo struct {
	Zone    bnav.Zone // its entry in the pack's table
	Parent  string    // of a tier, the zone it is a drawing of
	Planned bool      // routes can be planned here: it has grid and fields
	Records uint64    // surfaces in its grid, those in margins of tiles counted again
	NoGo    int       // no-go polygons
}

// Zones returns the zones of the pack in the order of its table.
func (e *Engine) Zones() []ZoneInfo {
	list := make([]ZoneInfo, 0, len(e.main.Table))
	for _, z := range e.main.Table {
		info := ZoneInfo{Zone: z, NoGo: len(e.noGo[z.Name])}
		if z.IsTier() {
			info.Parent = parentOf(e.main, &z)
		} else if g := e.main.Grid.ZoneIndex(z.Name); g >= 0 {
			info.Planned = e.fields.ForGrid(g) >= 0 && e.main.ZoneIndex(z.Name) >= 0
			info.Records = e.main.Grid.Zones[g].Records()
		}
		list = append(list, info)
	}
	return list
}

// parentOf returns the name of the zone that a tier is a drawing of.
func parentOf(p *bnav.Pack, tier *bnav.Zone) string {
	for i := range p.Table {
		if z := &p.Table[i]; !z.IsTier() && uint32(z.ID) == tier.Components {
			return z.Name
		}
	}
	return ""
}
