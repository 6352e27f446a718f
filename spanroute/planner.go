package spanroute

import (
	"context"
	"errors"
	"time"

	"wend/geom"
	"wend/route"
	"wend/spangrid"
	"wend/spanpath"
)

// A Planner plans on an engine. It keeps its scratch from one request to the
// next and is for one goroutine; any number of planners work on one engine at
// once.
type Planner struct {
	engine *Engine
	ground *spanpath.Ground

	expanded, pushed int
	warnings         []string
	notes            []string

	// Scratch.
	spans    []spanpath.Span
	cells    []spanpath.Cell
	ring     []anchor
	walked   []float32
	column   []spanpath.Surface
	chain    spanpath.Access
	cellPath spanpath.CellPath
	gap      spanpath.Gap
	search   search
	post     post

	shape    func(*tiers)     // changes windows, in tests
	rounds   []spanpath.Round // see rounds
	patience int
}

// NewPlanner returns a planner on the engine.
func (e *Engine) NewPlanner() *Planner {
	return &Planner{engine: e, ground: new(spanpath.Ground), rounds: rounds(), patience: patience}
}

// errBudget says that Request.MaxExpanded is used up.
var errBudget = errors.New("spanroute: search budget used up")

// optional is a height that may be absent, m.
type optional struct {
	v  float64
	ok bool
}

// end is an end of a leg in the plane of its zone.
type end struct {
	at          spanpath.Point // as asked, px
	deck, floor optional
	snapped     spanpath.Point // nearest place of the mesh, px
	height      float64        // mean height of the triangle there, m
	offMesh     bool           // there is none in reach
	stand       bool           // where one stands on the surface at the place, in a leg to or from a passage
}

// leg is one plan: a request in the plane of a zone.
type leg struct {
	z         *zoneEntry
	from, to  end
	region    uint32
	component uint32  // of the surface that the leg starts on
	h0        float64 // height of the start's triangle, m
	// goalRegion is where the goal stands, 0 where it is not known: in the
	// region itself, or in one that a fall may lead to.
	goalRegion    uint32
	goalComponent uint32
	goalApart     bool // the goal stands on the middle of another region's ground
	goalOff       bool // nobody gets to the goal itself, the way to the nearest place is wanted
	hopped        bool // falls into other regions were tried
	goalSure      bool // the goal stands on that component of the region, in the middle of it

	maxSnap     float64 // how far ends may be beside the ground, px
	room        float64 // how far a body that touches a wall is, m
	radius      float64 // of the body as asked, m
	body        spanpath.Body
	rules       spangrid.Rules
	discs       []spanpath.Disc
	wide, tight *spanpath.Prices
	windows     Windows
	maxExpanded int
	reference   bool
	shortest    bool
	partial     bool
	debug       bool
	depth       int // how many falls into other regions lie behind
	fell        takeOff
	hops        *hopState // nil before the first
	gate        spangrid.DropGate
}

// failure is why a leg has no route.
type failure struct {
	code, message string
	gap           *gap
}

// gap is where a way breaks off.
type gap struct{ from, to spangrid.Place }

// statusOf returns the kind of answer that a code is.
func statusOf(code string) route.Status {
	switch code {
	case route.CodeStartOffMesh, route.CodeGoalOffMesh, CodeCoreTooFar, CodeNoStartSpan, CodeNoGoalDeck, CodeNothingToSnap:
		return route.OffMesh
	case route.CodeStartNoGo, route.CodeGoalNoGo:
		return route.NoGo
	case route.CodeBudget, CodeRegionTooBig:
		return route.Budget
	case route.CodeCancelled:
		return route.Cancelled
	case route.CodeBadInput:
		return route.BadInput
	}
	return route.Unreachable
}

// legResult is the route of a leg, in the plane.
type legResult struct {
	points    []spanpath.Point // px; first and last as asked
	clearance []float32        // px
	heights   []float32        // m; of every point
	kinds     []route.Kind
	waypoints []int
	storeys   []uint32 // region of each
	drops     []spanpath.Drop
	length    float64 // px, in the plane

	snapStart, snapGoal float64 // px
	atGround            [2]bool // it begins, and ends, on the ground, the end as asked being beside it
	partial             bool
	budget              bool // and the budget is used up
	stats               route.Stats
	window              spangrid.Window
	stages              []stage
}

// stage is what a step of the planner made of the way.
type stage struct {
	name    string
	points  []spanpath.Point
	heights []float32 // may be nil
}

// Plan finds a route and puts it into dst, whose memory is used again. Every
// outcome is a status of dst. An error goes with the statuses BadInput
// (*RequestError) and Cancelled (the cause of the context's end); any other
// error, a *DataError, says that the pack cannot be read: then nothing was
// learnt about the route. A nil context is one that never ends; a request that is
// nil is BadInput.
func (p *Planner) Plan(ctx context.Context, r *Request, dst *route.Route) error {
	begin := time.Now()
	ctx = alive(ctx)
	*dst = route.Route{
		World: p.engine.Fingerprint(), Points: dst.Points[:0], Waypoints: dst.Waypoints[:0], Drops: dst.Drops[:0],
		Stats: route.Stats{Planner: "span"},
	}
	p.expanded, p.pushed, p.warnings, p.notes = 0, 0, nil, nil
	err := p.plan(ctx, r, dst)
	p.ground.Release()
	dst.Warnings = p.warnings
	dst.Stats.Expanded, dst.Stats.Pushed = p.expanded, p.pushed
	dst.Stats.Total = time.Since(begin)
	var bad *RequestError
	switch cause := context.Cause(ctx); {
	case err == nil:
		return nil
	case errors.Is(err, errBudget):
		p.answer(dst, &failure{code: route.CodeBudget, message: "the search used up its budget"}, nil)
		return nil
	case cause != nil && errors.Is(err, cause):
		p.answer(dst, &failure{code: route.CodeCancelled, message: "the search was cancelled"}, nil)
	case errors.As(err, &bad):
		p.answer(dst, &failure{code: route.CodeBadInput, message: bad.Error()}, nil)
	default:
		p.answer(dst, &failure{code: CodeRouteFailed, message: err.Error()}, nil)
	}
	return err
}

// answer fills in a route that is none.
func (p *Planner) answer(dst *route.Route, f *failure, z *zoneEntry) {
	dst.Status = statusOf(f.code)
	dst.Points, dst.Waypoints, dst.Drops, dst.Length = dst.Points[:0], dst.Waypoints[:0], dst.Drops[:0], 0
	dst.Failure = &route.Failure{Code: f.code, Message: f.message}
	if f.gap != nil && z != nil {
		from, to := z.world(f.gap.from), z.world(f.gap.to)
		dst.Failure.Gap = &route.Gap{From: from, To: to, Width: geom.Dist(from, to)}
	}
}

// alive returns the context of a call, of which nil stands for Background.
func alive(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

func (p *Planner) warn(text string) {
	for _, w := range p.warnings {
		if w == text {
			return
		}
	}
	p.warnings = append(p.warnings, text)
}

// warnOfNoUse warns of what a body asks for that makes no difference.
func (p *Planner) warnOfNoUse(l *leg, b *Body) {
	if l.shortest && b.Preferred > 0 {
		p.warn("the shortest way keeps no clearance of its own: the one of " + metres(b.Preferred) + " is not used")
	}
	if most := l.z.e.rulesFor(l.reference).StepUp; b.MaxStep > most+1e-9 {
		p.warn("the ground has steps of up to " + metres(most) + ": higher ones, of up to " + metres(b.MaxStep) + ", take another bake")
	}
}

// plan is Plan without the book-keeping.
func (p *Planner) plan(ctx context.Context, r *Request, dst *route.Route) error {
	if r == nil {
		return &RequestError{"request", nil, "there is none"}
	}
	if err := r.check(); err != nil {
		return err
	}
	name, err := p.engine.zoneName(r.Zone)
	if err != nil {
		return err
	}
	z, err := p.engine.acquire(ctx, name)
	var unknown *DataError
	if errors.As(err, &unknown) && unknown.Code == UnknownZone {
		return &RequestError{"zone", r.Zone, unknown.Err.Error()}
	}
	if err != nil {
		return err
	}
	defer z.release()
	l, err := z.leg(r)
	if err != nil {
		return err
	}
	p.warnOfNoUse(l, &r.Body)
	var res legResult
	f, err := p.planLeg(ctx, l, &res)
	if err != nil {
		return err
	}
	if f != nil && r.Gap {
		if err := p.whereCutOff(ctx, r, l, f); err != nil {
			return err
		}
	}
	dst.Stats = res.stats
	dst.Stats.Planner = "span"
	if r.Debug {
		dst.Debug = z.debug(&res, p.notes)
	}
	if f != nil {
		p.answer(dst, f, z)
		return nil
	}
	p.fill(dst, z, r, &res)
	if len(dst.Drops) > 0 {
		p.warnOfFalls(ctx, z)
	}
	return nil
}

// fill turns a leg's route into one of the world.
func (p *Planner) fill(dst *route.Route, z *zoneEntry, r *Request, res *legResult) {
	px := z.scale()
	dst.Status = route.Complete
	switch {
	case res.budget:
		dst.Status = route.Budget
	case res.partial:
		dst.Status = route.Partial
	}
	for i, at := range res.points {
		q := route.Point{
			Pos:       z.worldAt(at, float64(res.heights[i])),
			Clearance: float64(res.clearance[i]) / px, Storey: res.storeys[i], Kind: res.kinds[i],
		}
		// The ends are those asked for: the way into the plane and back may have
		// cost them a bit.
		switch {
		case i == 0 && !res.atGround[0]:
			q.Pos.X, q.Pos.Z = r.From.At.X, r.From.At.Z
		case i == len(res.points)-1 && !res.partial && !res.atGround[1]:
			q.Pos.X, q.Pos.Z = r.To.At.X, r.To.At.Z
		}
		if i > 0 {
			dst.Length += q.Pos.Sub(dst.Points[i-1].Pos).Len()
		}
		dst.Points = append(dst.Points, q)
	}
	dst.Waypoints = append(dst.Waypoints, res.waypoints...)
	for _, d := range res.drops {
		dst.Drops = append(dst.Drops, route.Landing{Index: d.Index, Y: float64(d.Height)})
	}
	dst.Cost = dst.Length
	dst.SnapStart, dst.SnapEnd = res.snapStart/px, res.snapGoal/px
	room := z.room(&r.Body)
	if dst.SnapStart > room || res.atGround[0] {
		p.warn(besideGround(0, dst.SnapStart, res.atGround[0]))
	}
	if (dst.SnapEnd > room || res.atGround[1]) && !res.partial {
		p.warn(besideGround(1, dst.SnapEnd, res.atGround[1]))
	}
	if res.partial {
		last, goal := dst.Points[len(dst.Points)-1].Pos, r.To.At
		if r.To.Storey == AnyHeight {
			goal.Y = last.Y
		}
		dst.Failure = &route.Failure{
			Code: CodeGoalUnreachable, Message: "the goal cannot be reached; this is the way to the nearest place",
			Gap: &route.Gap{From: last, To: goal, Width: goal.Sub(last).Len()},
		}
		if res.budget {
			dst.Failure.Code = route.CodeBudget
			dst.Failure.Message = "the search used up its budget; this is the way to the nearest place that it came to"
		}
	}
}

// bodyRadius returns the radius of the body asked for, or of the one that the
// ground was made for, m.
func (z *zoneEntry) bodyRadius(b *Body) float64 {
	switch {
	case b.Radius > 0:
		return b.Radius
	case z.hasBody:
		return z.body.Radius
	}
	return 0
}

// debug turns the stages of a leg into the world's.
func (z *zoneEntry) debug(res *legResult, notes []string) *route.Debug {
	d := &route.Debug{Notes: notes}
	w := res.window
	for i, c := range [2][2]int{{w.GX, w.GY}, {w.GX + w.NX, w.GY + w.NY}} {
		at := z.worldAt(spanpath.Point{U: float64(c[0]) * spangrid.Side, V: float64(c[1]) * spangrid.Side}, 0)
		d.Window[i] = geom.Vec2{X: at.X, Y: at.Z}
	}
	for _, s := range res.stages {
		st := route.Stage{Name: s.name}
		for i, at := range s.points {
			h := 0.0
			if s.heights != nil {
				h = float64(s.heights[i])
			}
			st.Points = append(st.Points, z.worldAt(at, h))
		}
		d.Stages = append(d.Stages, st)
	}
	return d
}

// zoneName returns the name of the zone that a request means.
func (e *Engine) zoneName(name string) (string, error) {
	if name != "" {
		return name, nil
	}
	for _, z := range e.Zones() {
		switch {
		case !z.Planned:
		case name != "":
			return "", &RequestError{"zone", "", "the pack has several, say which"}
		default:
			name = z.Zone.Name
		}
	}
	if name == "" {
		return "", &DataError{ZoneNoGrid, "", errors.New("the pack has no zone that routes can be planned in")}
	}
	return name, nil
}
