package grid

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"time"
)

// SelectorOptions are the thresholds of a Selector. A field that is zero stands
// for its default.
type SelectorOptions struct {
	Moves    Moves         // no hexagons
	Trial    int           // nodes of the first attempt; default 100
	Near     float64       // distance in cells up to which the surroundings are not looked at; default 32
	Ray      int           // cells looked at in each of eight directions; default 30
	Openness float64       // share of the rays' cells that are free on open ground, 0 to 1; default 0.5
	Steps    int           // of wall tracing, each hand; default 1,000
	Detour   float64       // how many times as many steps as over open ground tracing may make, at least 1; default 2
	Frame    int           // nodes all searches of a frame may expand; default 5,000
	Life     time.Duration // how long an answer is given again; default 1 s
	Remember int           // answers kept; default 4,096
	Shortest bool          // no wall tracing: every way is a shortest one
	// Jumps is a table of the ground, if there is one. Where it is up to date
	// JPSPlus runs in place of JPS.
	Jumps *JumpTable
}

// Decision says how a Selector came to its answer. Searches are by the fastest
// algorithm that serves: JPSPlus with a table, else JPS, on ground with costs
// AStar.
type Decision uint8

const (
	// Remembered: the answer was given before, within Life, on this version.
	Remembered Decision = iota + 1
	// Trial: the search ended within the trial's nodes.
	Trial
	// NearBy: the goal is near; the search went on.
	NearBy
	// Open: much is free around the start, or only the shortest way will do; the
	// search went on.
	Open
	// Traced: little is free around the start; along the walls.
	Traced
	// TracedInVain: tracing did not arrive; the search went on.
	TracedInVain
	// Continued: a search that had used up an earlier frame went on.
	Continued
	// Waiting: nothing is left of this frame, or another search goes on.
	Waiting
)

// String returns the decision in a word.
func (d Decision) String() string {
	return nameOf("Decision", uint8(d), "none", "remembered", "trial", "near", "open", "traced", "traced-in-vain", "continued", "waiting")
}

// SelectorResult is an answer of a Selector and how it came about.
type SelectorResult struct {
	Result
	Decision Decision
	// Distance to the goal in a straight line, cells, and Openness around the
	// start, 0 to 1; NaN where they were not looked at.
	Distance, Openness float64
	// Nodes were expanded by this call, the trial included.
	Nodes int

	limits selectorLimits
}

// selectorLimits are the thresholds a result's Reason tells of.
type selectorLimits struct {
	trial, steps   int
	near, openness float64
	shortest       bool
}

// Reason tells in words how the decision was made.
func (r *SelectorResult) Reason() string {
	l := &r.limits
	var b strings.Builder
	say := func(format string, args ...any) {
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, format, args...)
	}
	switch {
	case r.Decision == Waiting:
		return "nothing is left of this frame, or another search goes on"
	case r.Decision == Remembered:
		return "answered before, on this version of the ground"
	case r.Decision == Trial && r.Expanded == 0:
		return "no search was needed"
	case r.Decision == Trial:
		return fmt.Sprintf("%d nodes were enough, of %d tried first; searched by %v", r.Expanded, l.trial, r.Algorithm)
	}
	say("%d nodes were not enough", l.trial)
	if !math.IsNaN(r.Distance) {
		if r.Distance <= l.near {
			say("the goal is %.1f cells away, at most %g", r.Distance, l.near)
		} else {
			say("the goal is %.1f cells away, more than %g", r.Distance, l.near)
		}
	}
	if !math.IsNaN(r.Openness) {
		if r.Openness >= l.openness {
			say("%.0f %% of what lies around the start is free, at least %g %%", 100*r.Openness, 100*l.openness)
		} else {
			say("%.0f %% of what lies around the start is free, less than %g %%", 100*r.Openness, 100*l.openness)
		}
	}
	switch {
	case r.Decision == Traced:
		say("traced along the walls")
		return b.String()
	case r.Decision == TracedInVain:
		say("tracing with %d steps a hand did not arrive", l.steps)
	case r.Decision == Continued:
		say("went on from an earlier frame")
	case r.Decision == Open && l.shortest && r.Openness < l.openness:
		say("only the shortest way will do")
	}
	say("searched by %v", r.Algorithm)
	return b.String()
}

// Selector chooses how to answer each query: a short trial, which is enough for
// most orders; then the search goes on, if the goal is near or the start on
// open ground, and where it is not, there is wall tracing first. All nodes of a
// frame come from one budget; a search that uses it up ends the frame as
// Unfinished and goes on when the same query is put in a later one. One search
// at a time does so. Until it is asked for in a frame, half of the frame's nodes
// are kept for it, in whatever order the queries come, and a trial that was in
// vain is not made again on the same version while it lasts: so a search that is
// asked for in every frame ends, and then it is another one's turn.
//
// Choosing costs little beside the searches: the trial is the beginning of the
// search and not lost, the rays are read from the map's bits, tracing takes some
// 15 ns a step.
//
// A Selector belongs to one goroutine.
type Selector struct {
	opts      SelectorOptions
	trial     *Query
	query     *Query
	left      int
	now       time.Duration
	asked     map[selectorKey]int // places in the ring
	ring      []selectorAnswer
	next      int
	hard      map[selectorKey]uint64 // versions on which a trial was in vain
	searching bool                   // the search in query has not ended
	active    selectorKey            // and is for this
	as        SelectorResult
	worked    int // frame in which it was stepped last
	frame     int
	traced    TraceResult
}

type selectorKey struct {
	ground   Ground
	from, to Cell
}

type selectorAnswer struct {
	key    selectorKey
	at     time.Duration
	result SelectorResult
}

// NewSelector returns a selector in its first frame, at time 0. opts may be nil.
func NewSelector(opts *SelectorOptions) (*Selector, error) {
	s := &Selector{trial: NewQuery(), query: NewQuery(), asked: map[selectorKey]int{}, hard: map[selectorKey]uint64{}}
	if opts != nil {
		s.opts = *opts
	}
	o := &s.opts
	for _, v := range []struct {
		name   string
		at     *int
		preset int
	}{{"Trial", &o.Trial, 100}, {"Ray", &o.Ray, 30}, {"Steps", &o.Steps, 1000}, {"Frame", &o.Frame, 5000}, {"Remember", &o.Remember, 4096}} {
		if *v.at == 0 {
			*v.at = v.preset
		}
		if *v.at < 0 {
			return nil, fmt.Errorf("%w: %s %d is negative", ErrOptions, v.name, *v.at)
		}
	}
	if o.Near == 0 {
		o.Near = 32
	}
	if o.Openness == 0 {
		o.Openness = 0.5
	}
	if o.Detour == 0 {
		o.Detour = 2
	}
	if o.Life == 0 {
		o.Life = time.Second
	}
	switch {
	case !(o.Near > 0) || !(o.Openness > 0 && o.Openness <= 1) || !(o.Detour >= 1) || o.Life < 0:
		return nil, fmt.Errorf("%w: near %v, openness %v, detour %v, life %v", ErrOptions, o.Near, o.Openness, o.Detour, o.Life)
	case !o.Moves.valid():
		return nil, fmt.Errorf("%w: %v", ErrOptions, o.Moves)
	case o.Moves.Neighbours == Six:
		return nil, &UnsupportedError{Moves: o.Moves, By: "selector"}
	}
	s.left = o.Frame
	return s, nil
}

// Frame begins a frame at a time of the caller's clock: the budget is full
// again.
func (s *Selector) Frame(now time.Duration) {
	s.now, s.left = now, s.opts.Frame
	s.frame++
}

// Left returns how many nodes the frame has left.
func (s *Selector) Left() int { return s.left }

// Find answers a query within what the frame has left. Unfinished with Waiting
// or after a search that used up the budget means: ask again next frame.
func (s *Selector) Find(ctx context.Context, g Ground, from, to Cell) (*SelectorResult, error) {
	r := new(SelectorResult)
	if err := s.FindInto(ctx, r, g, from, to); err != nil {
		return nil, err
	}
	return r, nil
}

// FindInto is Find into a result of the caller's, whose slices are used again.
func (s *Selector) FindInto(ctx context.Context, r *SelectorResult, g Ground, from, to Cell) error {
	switch {
	case s == nil || s.query == nil:
		return fmt.Errorf("%w: selector was not made by NewSelector", ErrOptions)
	case absent(g) || r == nil:
		return fmt.Errorf("%w: no ground or no result", ErrOptions)
	}
	ctx = alive(ctx)
	key := selectorKey{g, from, to}
	if i, ok := s.asked[key]; ok {
		a := &s.ring[i]
		if age := s.now - a.at; age >= 0 && age <= s.opts.Life && a.result.Version == g.Version() {
			r.set(&a.result)
			r.Decision, r.Nodes = Remembered, 0
			return nil
		}
	}
	if s.searching && s.active == key {
		r.set(&s.as)
		r.Decision, r.Nodes = Continued, 0
		return s.advance(ctx, key, r)
	}
	s.wait(r, g)
	if s.left == 0 {
		return nil
	}
	// One search at a time goes on over frames; others come after it, or in its
	// place if nobody has asked for it since the frame before.
	busy := s.searching && s.frame-s.worked <= 1 && s.active.ground.Version() == s.query.run.version
	q, nodes := s.query, min(s.opts.Trial, s.left)
	if busy {
		q = s.trial
		if s.worked < s.frame {
			nodes = min(nodes, s.left-(s.opts.Frame+1)/2)
		}
		if version, ok := s.hard[key]; nodes <= 0 || ok && version == g.Version() {
			return nil
		}
	} else {
		s.searching = false
	}
	done, err := s.try(ctx, q, r, g, from, to, nodes)
	switch {
	case err != nil:
		return err
	case done:
		s.answer(key, r)
		return nil
	case busy:
		if nodes == s.opts.Trial {
			if len(s.hard) >= s.opts.Remember {
				clear(s.hard)
			}
			s.hard[key] = g.Version()
		}
		spent := r.Nodes
		s.wait(r, g)
		r.Nodes = spent
		return nil
	}
	return s.advance(ctx, key, r)
}

// wait makes r the answer to a query that nothing was done for.
func (s *Selector) wait(r *SelectorResult, g Ground) {
	*r = SelectorResult{
		Result:   Result{Path: r.Path[:0], Points: r.Points[:0], Gap: math.NaN(), Version: g.Version()},
		Decision: Waiting, Distance: math.NaN(), Openness: math.NaN(),
		limits: selectorLimits{s.opts.Trial, s.opts.Steps, s.opts.Near, s.opts.Openness, s.opts.Shortest},
	}
}

// try begins the search on q, with so many nodes, and makes the decision. It
// reports whether the answer is there already, from the trial or along the walls.
func (s *Selector) try(ctx context.Context, q *Query, r *SelectorResult, g Ground, from, to Cell, nodes int) (done bool, err error) {
	m, over := g.ground()
	o := Options{Moves: s.opts.Moves}
	switch {
	case !JPS.Serves(o.Moves, m.Weighted()):
	case s.opts.Jumps != nil && s.opts.Jumps.fits(g, o.Moves) == nil:
		o.Algorithm, o.Jumps = JPSPlus, s.opts.Jumps
	default:
		o.Algorithm = JPS
	}
	if err := q.Begin(g, from, to, &o); err != nil {
		return false, err
	}
	if done, err = q.Step(ctx, nodes); err != nil {
		return false, err
	}
	r.Nodes = q.run.expanded
	s.left -= r.Nodes
	if done {
		r.Decision = Trial
		return true, q.Result(&r.Result)
	}
	r.Distance = math.Sqrt(float64(squared(Eight, from, to)))
	if r.Distance <= s.opts.Near {
		r.Decision = NearBy
		return false, nil
	}
	rows, cols := &m.rows, &m.cols
	if over != nil { // Begin has laid it over the map
		rows, cols = &q.flat.rows, &q.flat.cols
	}
	r.Openness = openness(rows, cols, from, min(int32(s.opts.Ray), MaxSide))
	if r.Openness >= s.opts.Openness || s.opts.Shortest {
		r.Decision = Open
		return false, nil
	}
	t := &s.traced
	r.limits.steps = int(min(float64(s.opts.Steps), s.opts.Detour*float64(fewestSteps(from, to, o.Moves))))
	if err := q.traceWalls(ctx, t, g, from, to, &TraceOptions{Moves: o.Moves}, r.limits.steps); err != nil {
		return false, err
	}
	if t.Status != Complete {
		r.Decision = TracedInVain
		return false, nil
	}
	r.Decision, r.Status, r.Cost, r.Gap = Traced, Complete, t.Cost, 0
	t.Path, r.Path = r.Path, t.Path
	return true, nil
}

// fewestSteps is how many steps there are between two cells at least.
func fewestSteps(a, b Cell, mv Moves) int64 {
	dx, dy := abs64(int64(a.X-b.X)), abs64(int64(a.Y-b.Y))
	if mv.Neighbours == Four {
		return dx + dy
	}
	return max(dx, dy)
}

// advance steps the search in s.query as far as the frame allows.
func (s *Selector) advance(ctx context.Context, key selectorKey, r *SelectorResult) error {
	before := s.query.run.expanded
	done := false
	if s.left > 0 {
		var err error
		if done, err = s.query.Step(ctx, s.left); err != nil {
			return err
		}
	}
	nodes := s.query.run.expanded - before
	s.left = max(s.left-nodes, 0)
	r.Nodes += nodes
	if err := s.query.Result(&r.Result); err != nil {
		return err
	}
	if !done {
		s.searching, s.active, s.worked = true, key, s.frame
		s.as.set(r)
		return nil
	}
	s.searching = false
	if r.Status == Stale {
		return s.FindInto(ctx, r, key.ground, key.from, key.to) // once: a new search is on the new version
	}
	s.answer(key, r)
	return nil
}

// answer remembers a result.
func (s *Selector) answer(key selectorKey, r *SelectorResult) {
	i, known := s.asked[key]
	switch {
	case known:
	case len(s.ring) < s.opts.Remember:
		i = len(s.ring)
		s.ring = append(s.ring, selectorAnswer{})
	default:
		i = s.next
		s.next = (s.next + 1) % len(s.ring)
		delete(s.asked, s.ring[i].key)
	}
	a := &s.ring[i]
	a.key, a.at = key, s.now
	a.result.set(r)
	s.asked[key] = i
}

// set copies another result into the memory of this one.
func (r *SelectorResult) set(from *SelectorResult) {
	path, points := append(r.Path[:0], from.Path...), append(r.Points[:0], from.Points...)
	*r = *from
	r.Path, r.Points = path, points
}

// openness is the share of free cells on eight rays from a cell; a ray ends
// at the first blocked one.
func openness(rows, cols *surface, from Cell, ray int32) float64 {
	id, tid := rows.id(from.X, from.Y), cols.id(from.Y, from.X)
	free := freeAhead(rows, id, ray) + freeBehind(rows, id, ray) + freeAhead(cols, tid, ray) + freeBehind(cols, tid, ray)
	for _, step := range [4]int32{rows.stride + 1, rows.stride - 1, 1 - rows.stride, -1 - rows.stride} {
		for k, at := int32(0), id+step; k < ray && rows.get(at); k, at = k+1, at+step {
			free++
		}
	}
	return float64(free) / float64(8*int64(ray))
}

// freeAhead counts the free cells after id in its row, up to a limit.
func freeAhead(s *surface, id, limit int32) int32 {
	p := uint(uint32(id)) + guardBits + 1
	for n := int32(0); n < limit; n, p = n+goodBits, p+goodBits {
		if k := int32(bits.TrailingZeros64(^(le(s.bits, p>>3) >> (p & 7)))); k < goodBits {
			return min(n+k, limit)
		}
	}
	return limit
}

// freeBehind counts the free cells before id in its row, up to a limit.
func freeBehind(s *surface, id, limit int32) int32 {
	p := uint(uint32(id)) + guardBits - 1
	for n := int32(0); n < limit; n, p = n+goodBits, p-goodBits {
		if k := int32(bits.LeadingZeros64(^(le(s.bits, p>>3-7) << (7 - p&7)))); k < goodBits {
			return min(n+k, limit)
		}
	}
	return limit
}
