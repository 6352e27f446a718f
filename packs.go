package wend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"wend/bake"
	"wend/geom"
	"wend/occluder"
	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/pack/ocls"
	"wend/scene"
	"wend/spanbake"
	"wend/spanroute"
)

// What a span route may be asked, see package spanroute.
type (
	// PackOptions say how packs are opened: the author's table of no-go zones,
	// and how much memory is kept.
	PackOptions = spanroute.Options
	// Disc is a round obstacle of one request; its radius includes the body's, as
	// the line of a route keeps outside of it and the body is not added.
	Disc = spanroute.Disc
	// Storey says what the height of an end stands for.
	Storey = spanroute.Storey
	// Windows says how much of a world a search may leave out.
	Windows = spanroute.Windows
	// Probe is what packs say of a place seen from above.
	Probe = spanroute.Probe
)

// What the height of an end stands for, and the windows of a search.
const (
	OnSurface = spanroute.OnSurface
	NearFloor = spanroute.NearFloor
	AnyHeight = spanroute.AnyHeight

	Ladder      = spanroute.Ladder
	Exact       = spanroute.Exact
	WholeRegion = spanroute.WholeRegion
)

// Packs is a level baked into a span grid: every place one can stand on, cell by
// cell, with its clearance. It is immutable and safe for concurrent use.
type Packs struct{ engine *spanroute.Engine }

// A PackError says that a file is a pack, which Open does not open.
type PackError struct{ Name string }

func (e *PackError) Error() string {
	return fmt.Sprintf("wend: %s is a pack, which holds a span grid and no navmesh: open it with OpenPacks", e.Name)
}

// isPackName tells the name of a main pack.
func isPackName(name string) bool {
	return strings.HasSuffix(name, ".nav") || strings.HasSuffix(name, ".nav.gz")
}

// OpenPacks opens a main pack (X.nav.gz or X.nav) and the packs beside it,
// whose names follow from its own: the fields it must have, and the colliders
// it may have. o may be nil. Errors are those of spanroute.Open; unlike there, a
// table of no-go zones that o names must exist, since ways would lead through all
// of its zones otherwise.
func OpenPacks(fsys fs.FS, name string, o *PackOptions) (*Packs, error) {
	return OpenPacksContext(context.Background(), fsys, name, o)
}

// OpenPacksContext is OpenPacks under a context.
func OpenPacksContext(ctx context.Context, fsys fs.FS, name string, o *PackOptions) (*Packs, error) {
	if o != nil && o.NoGo != "" {
		if _, err := fs.Stat(fsys, o.NoGo); errors.Is(err, fs.ErrNotExist) {
			return nil, &spanroute.DataError{Code: spanroute.EngineUnusable, Err: fmt.Errorf("no-go table: %w", err)}
		}
	}
	e, err := spanroute.Open(ctx, fsys, name, o)
	if err != nil {
		return nil, err
	}
	return &Packs{e}, nil
}

// NewPacks makes Packs of an engine that the caller has made.
func NewPacks(e *spanroute.Engine) *Packs { return &Packs{e} }

// BakePacks bakes a scene into packs in memory, for the profile's smallest body:
// its navmesh first, and the span grid over that. zone names the zone, "" means
// "level". The packs are the same as those that "wend bake -o" saves.
//
// Errors are those of bake.Run and spanbake.Run, *spanbake.InputError for a
// profile that the fields cannot have, and those of spanroute.New.
func BakePacks(ctx context.Context, in *scene.Scene, zone string, p bake.Profile, bo *bake.Options, po *PackOptions) (*Packs, *spanbake.Report, error) {
	for _, b := range p.Bodies {
		if b.Radius < p.Agent.Radius {
			p.Agent = b
		}
	}
	p.Bodies = nil
	rules, err := spanbake.RulesFor(&p)
	if err != nil {
		return nil, nil, err
	}
	res, err := bake.Run(ctx, in, p, bo)
	if err != nil {
		return nil, nil, err
	}
	l := &spanbake.Level{
		Zone: zone, Cell: p.Navmesh.Cell, Rules: rules, Body: p.Agent,
		// At the borders of tiles the two sides have floors of their own voxels.
		WeldHeight: max(p.Agent.MaxClimb, p.Navmesh.CellHeight),
	}
	l.Frame.Up, l.Frame.Unit, l.Frame.Scale = "y", "m", 1
	content, _, err := spanbake.FromNavmesh(ctx, res.Meshes[0].Mesh, in, l)
	if err != nil {
		return nil, nil, err
	}
	so := &spanbake.Options{}
	if bo != nil {
		so.Workers = bo.Workers
		if bo.Progress != nil {
			so.Progress = func(s spanbake.Progress) {
				bo.Progress(bake.Progress{Body: p.Agent.Name, Stage: s.Stage, Done: s.Done, Total: s.Total})
			}
		}
	}
	baked, err := spanbake.Run(ctx, content, so)
	if err != nil {
		return nil, nil, err
	}
	packs, err := loadPacks(ctx, baked, po)
	return packs, baked.Report, err
}

// loadPacks reads packs that were just written.
func loadPacks(ctx context.Context, b *spanbake.Result, o *PackOptions) (*Packs, error) {
	main, err := bnav.Load(ctx, b.Main, nil)
	if err != nil {
		return nil, err
	}
	fields, err := bnvf.Load(ctx, b.Fields, main, nil)
	if err != nil {
		return nil, err
	}
	colliders := map[string]*occluder.Scene{}
	if b.Occluder != nil {
		named, err := ocls.Read("colliders", b.Occluder)
		if err != nil {
			return nil, err
		}
		for i := range named {
			if colliders[named[i].Name], err = occluder.New(named[i].Scene); err != nil {
				return nil, err
			}
		}
	}
	e, err := spanroute.New(main, fields, colliders, o)
	if err != nil {
		return nil, err
	}
	return &Packs{e}, nil
}

// Engine returns what plans: for questions that this package does not pass on.
func (p *Packs) Engine() *spanroute.Engine { return p.engine }

// Fingerprint identifies the content of the packs. Every route names the world
// it was planned on by it.
func (p *Packs) Fingerprint() string { return p.engine.Fingerprint() }

// Zones returns the names of the zones that routes can be planned in.
func (p *Packs) Zones() []string {
	var names []string
	for _, z := range p.engine.Zones() {
		if z.Planned {
			names = append(names, z.Zone.Name)
		}
	}
	return names
}

// Probe returns what the packs say of a place: its surfaces from the highest
// down, with clearance and headroom, how far the next walkable surface and open
// ground are, and what no-go zones lie there. The height of at does not count.
// zone may be "" where the packs have one.
func (p *Packs) Probe(ctx context.Context, zone string, at geom.Vec3) (*Probe, error) {
	return p.engine.Probe(ctx, zone, at)
}

// NewQuery returns a query on p.
func (p *Packs) NewQuery() *SpanQuery { return &SpanQuery{p.engine.NewPlanner()} }

// SpanQuery plans on Packs. It owns scratch memory: use one per goroutine and
// keep it. All queries of the same Packs share the ground that is decoded.
type SpanQuery struct{ planner *spanroute.Planner }

// SpanOptions say what else a span route has to be. nil and the zero value ask
// for the way from the surface at the start's height to that at the goal's.
type SpanOptions struct {
	Zone string // of the packs; "" where they have one

	// From and To say what the heights of start and goal stand for.
	From, To Storey

	Discs []Disc // round obstacles of this request

	Windows     Windows
	MaxExpanded int // search nodes; 0: no limit. Partial asks for points where it is reached
	// MaxSnap is how far ends may be beside the ground, m; 0: 2 m, or where the body
	// touches a wall if that is farther. See spanroute.Request.
	MaxSnap   float64
	Shortest  bool // the shortest way that the body fits, whatever its clearance
	Partial   bool // where the goal is out of reach, the way to the reachable place nearest to it
	Gap       bool // where the way breaks off, even if that takes longer; see spanroute.Request
	Debug     bool // fills Route.Debug
	Reference bool // see spanroute.Request
}

// Plan finds a way for an agent. See spanroute.Planner.Plan for the statuses
// and errors.
func (q *SpanQuery) Plan(ctx context.Context, from, to geom.Vec3, a Agent, o *SpanOptions) (*Route, error) {
	r := new(Route)
	err := q.PlanInto(ctx, r, from, to, a, o)
	return r, err
}

// PlanInto is Plan into a Route whose memory is used again.
func (q *SpanQuery) PlanInto(ctx context.Context, dst *Route, from, to geom.Vec3, a Agent, o *SpanOptions) error {
	r := spanroute.Request{
		From: spanroute.End{At: from}, To: spanroute.End{At: to},
		Body: spanroute.Body{Radius: a.Radius, Height: a.Height, MaxStep: a.MaxStep, MaxDrop: a.MaxDrop, Preferred: a.Clearance},
	}
	if o != nil {
		r.Zone, r.From.Storey, r.To.Storey, r.Discs = o.Zone, o.From, o.To, o.Discs
		r.Shortest, r.Gap = o.Shortest, o.Gap
		r.MaxSnap = o.MaxSnap
		r.Windows, r.MaxExpanded, r.Partial, r.Debug, r.Reference = o.Windows, o.MaxExpanded, o.Partial, o.Debug, o.Reference
	}
	return q.planner.Plan(ctx, &r, dst)
}
