package grid

import (
	"context"
	"fmt"
	"math"
	"time"
)

// SelectorOptions are the thresholds of a Selector. A field that is zero stands
// for its default.
type SelectorOptions struct {
	Moves    Moves         // no hexagons
	Trial    int           // nodes of the first attempt with A*; default 100
	Near     float64       // distance in cells up to which A* goes on; default 32
	Ray      int           // cells looked at in each of eight directions; default 30
	Openness float64       // share of the rays' cells that are free on open ground, 0 to 1; default 0.5
	Steps    int           // of wall tracing, each hand; default 1,000
	Frame    int           // nodes all searches of a frame may expand; default 5,000
	Life     time.Duration // how long an answer is given again; default 1 s
	Remember int           // answers kept; default 4,096
	Shortest bool          // no wall tracing: every way is a shortest one
}

// Decision says which search a Selector chose.
type Decision uint8

const (
	// Remembered: the answer was given before, within Life, on this version.
	Remembered Decision = iota + 1
	// Trial: A* arrived within the trial's nodes.
	Trial
	// NearBy: the goal is near, A* was given what the frame has left.
	NearBy
	// Open: much is free around the start; JPS, or A* on ground with costs.
	Open
	// Traced: little is free around the start; along the walls.
	Traced
	// TracedInVain: tracing did not arrive; JPS, or A* on ground with costs.
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
}

// Selector chooses a search for each query: a short trial with A*, which is
// enough for most orders; then A* for near goals, JPS where the start is on open
// ground, wall tracing where it is not. All nodes of a frame come from one
// budget; a search that uses it up ends the frame as Unfinished and goes on
// when the same query is put in a later one.
//
// A Selector belongs to one goroutine.
type Selector struct {
	opts   SelectorOptions
	trial  *Query
	query  *Query
	left   int
	now    time.Duration
	asked  map[selectorKey]int // places in the ring
	ring   []selectorAnswer
	next   int
	active *selectorKey // the search in query that has not ended
	worked int          // frame in which it was stepped last
	frame  int
	as     SelectorResult
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
	s := &Selector{trial: NewQuery(), query: NewQuery(), asked: map[selectorKey]int{}}
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
	if o.Life == 0 {
		o.Life = time.Second
	}
	switch {
	case !(o.Near > 0) || !(o.Openness > 0 && o.Openness <= 1) || o.Life < 0:
		return nil, fmt.Errorf("%w: near %v, openness %v, life %v", ErrOptions, o.Near, o.Openness, o.Life)
	case !o.Moves.valid():
		return nil, fmt.Errorf("%w: %v", ErrOptions, o.Moves)
	case o.Moves.Neighbours == Six:
		return nil, &UnsupportedError{Moves: o.Moves}
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
// or after a search that used up the budget means: ask again next frame. The
// slices of the result are shared with later answers; they must not be written.
func (s *Selector) Find(ctx context.Context, g Ground, from, to Cell) (*SelectorResult, error) {
	if g == nil {
		return nil, fmt.Errorf("%w: no ground", ErrOptions)
	}
	key := selectorKey{g, from, to}
	if i, ok := s.asked[key]; ok {
		a := &s.ring[i]
		if age := s.now - a.at; age >= 0 && age <= s.opts.Life && a.result.Version == g.Version() {
			r := a.result
			r.Decision, r.Nodes = Remembered, 0
			return &r, nil
		}
	}
	r := SelectorResult{Decision: Waiting, Distance: math.NaN(), Openness: math.NaN()}
	r.Gap, r.Version = math.NaN(), g.Version()
	if s.active != nil && *s.active == key {
		r = s.as
		r.Decision, r.Nodes = Continued, 0
		return s.advance(ctx, key, r)
	}
	if s.left == 0 {
		return &r, nil
	}
	trial := min(s.opts.Trial, s.left)
	if err := s.trial.FindInto(ctx, &r.Result, g, from, to, &Options{Moves: s.opts.Moves, MaxNodes: trial}); err != nil {
		return nil, err
	}
	s.left -= r.Expanded
	r.Nodes = r.Expanded
	if r.Status != Budget {
		r.Decision = Trial
		return s.answer(key, r), nil
	}
	r.Distance = math.Sqrt(float64(squared(Eight, from, to)))
	algorithm := AStar
	switch m, _ := g.ground(); {
	case r.Distance <= s.opts.Near:
		r.Decision = NearBy
	default:
		r.Openness = s.openness(g, from)
		if JPS.Serves(s.opts.Moves, m.Weighted()) {
			algorithm = JPS
		}
		if r.Openness >= s.opts.Openness || s.opts.Shortest {
			r.Decision = Open
			break
		}
		t, err := Trace(ctx, nil, g, from, to, &TraceOptions{Moves: s.opts.Moves, MaxSteps: s.opts.Steps})
		if err != nil {
			return nil, err
		}
		if t.Status == Complete {
			r.Result, r.Decision = t.Result, Traced
			return s.answer(key, r), nil
		}
		r.Decision = TracedInVain
	}
	if s.active != nil && s.frame-s.worked <= 1 && s.active.ground.Version() == s.query.run.version {
		// One search at a time goes on over frames; this one comes after it, or
		// in its place if nobody has asked for it since the frame before.
		r.Decision, r.Result = Waiting, Result{Gap: math.NaN(), Version: g.Version()}
		return &r, nil
	}
	s.active = nil
	if err := s.query.Begin(g, from, to, &Options{Algorithm: algorithm, Moves: s.opts.Moves}); err != nil {
		return nil, err
	}
	return s.advance(ctx, key, r)
}

// advance steps the search in s.query as far as the frame allows.
func (s *Selector) advance(ctx context.Context, key selectorKey, r SelectorResult) (*SelectorResult, error) {
	before := s.query.run.expanded
	done := false
	if s.left > 0 {
		var err error
		if done, err = s.query.Step(ctx, s.left); err != nil {
			return nil, err
		}
	}
	nodes := s.query.run.expanded - before
	s.left = max(s.left-nodes, 0)
	r.Nodes += nodes
	r.Result = Result{}
	if err := s.query.Result(&r.Result); err != nil {
		return nil, err
	}
	if !done {
		s.active, s.as, s.worked = &key, r, s.frame
		return &r, nil
	}
	s.active = nil
	if r.Status == Stale {
		return s.Find(ctx, key.ground, key.from, key.to) // once: a new search is on the new version
	}
	return s.answer(key, r), nil
}

// answer remembers a result.
func (s *Selector) answer(key selectorKey, r SelectorResult) *SelectorResult {
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
	s.ring[i] = selectorAnswer{key, s.now, r}
	s.asked[key] = i
	return &r
}

// openness is the share of free cells on eight rays from a cell; a ray ends
// at the first blocked one.
func (s *Selector) openness(g Ground, from Cell) float64 {
	free := 0
	for _, d := range compass {
		for k := int32(1); k <= int32(min(s.opts.Ray, MaxSide)); k++ {
			if !g.Passable(Cell{from.X + k*dirX[d], from.Y + k*dirY[d]}) {
				break
			}
			free++
		}
	}
	return float64(free) / float64(8*min(s.opts.Ray, MaxSide))
}
