package spanroute

import (
	"fmt"
	"math"
	"slices"
	"time"

	"wend/spangrid"
	"wend/spanpath"
)

// Prices of ground by its clearance, as shares of the clearance that is
// preferred: 1 and 4 px where that is 1.75.
const (
	narrowShare = 4.0 / 7
	wideShare   = 16.0 / 7
	// leastClearance is below what no cell costs more, px.
	leastClearance = spangrid.Side
)

const (
	snapRadius   = 8.0                                 // px: an end may be so far from what can be reached
	snapCells    = int(snapRadius / spangrid.Side)     // the same in cells
	deckBand     = 2.0                                 // m: a surface may be so far from its declared height
	chainLimit   = 64 * 100                            // length of the ways that join links to open ground, 1/100 cell
	unlimited    = math.MaxInt32                       // a way of any length
	halfCell     = spangrid.Side / 2                   // px
	wholeWindow  = int(1) << 30                        // a radius that covers every window, cells
	_            = uint(snapRadius/spangrid.Side) - 32 // the radius is a whole number of cells
	accessPerOne = 100                                 // units of access costs in a cell
)

// search is one attempt to find a way, in one window.
type search struct {
	p      *Planner
	leg    *leg
	window spangrid.Window
	kind   Kind
	lim    limits

	start, goal         anchor
	startSpan           spanpath.Span
	goals               []spanpath.Span
	on                  uint16 // mark of cells that can be reached
	reason              string // why a small window was given up
	fail                *failure
	baselineRan         bool
	baseline            spanpath.Path
	topology            spanpath.Path
	geometry            spanpath.Path
	cells               []spanpath.Cell // the way over cells, where floors were ignored
	wholeTopology       bool
	hasChain            bool
	short               bool // the way ends at the place nearest to the goal
	sure                bool // a way is known to be there, in this window or a larger one
	gaveUp              bool // a search ended where its costs proved nothing any more
	access              [2]spanpath.Access
	came                reached       // nearest to the goal
	found, straightened time.Duration // by topology and all before it, and by geometry
}

// anchor is the cell that stands for an end of the leg.
type anchor struct {
	cell spanpath.Cell
	d2   int      // squared distance from the end's cell
	deck optional // height of the surface that is meant
	far  bool     // it is not that of the goal, but the nearest one to that
}

// distance returns how far the anchor is from the end's cell, px.
func (a anchor) distance() float64 { return math.Sqrt(float64(a.d2)) * spangrid.Side }

// give up a small window for a reason.
func (s *search) escalate(reason string) bool {
	if s.kind == Small && s.reason == "" {
		s.reason = reason
	}
	return false
}

func (s *search) failed(code, format string, args ...any) bool {
	if s.fail == nil {
		s.fail = &failure{code: code, message: fmt.Sprintf(format, args...)}
	}
	return false
}

// run looks for a way. It returns false where there is none or the window was
// given up: then reason or fail is set. Errors are those of the ground.
func (s *search) run() (bool, error) {
	ok, err := s.find()
	if err == errApart {
		err = nil
	}
	return ok, err
}

func (s *search) find() (bool, error) {
	s.on = spanpath.MarkOn
	if ok, err := s.anchors(); !ok || err != nil {
		return false, err
	}
	if float64(s.start.d2) >= s.lim.ends*s.lim.ends || float64(s.goal.d2) >= s.lim.ends*s.lim.ends {
		if s.kind == Small {
			return s.escalate("snap too far"), nil
		}
	}
	return s.between()
}

// between looks for a way from one anchor to the other.
func (s *search) between() (bool, error) {
	g := s.p.ground
	withLinks := len(g.Links) > 0
	begin := time.Now()
	if withLinks || s.leg.reference {
		if ok, err := s.solveBaseline(); !ok || err != nil {
			return false, err
		}
	}
	if s.cells == nil {
		if ok, err := s.attach(); !ok || err != nil {
			return false, err
		}
		if ok, err := s.solveTopology(); !ok || err != nil {
			return false, err
		}
		s.found = time.Since(begin)
		begin = time.Now()
		if ok, err := s.solveGeometry(); !ok || err != nil {
			return false, err
		}
		s.straightened = time.Since(begin)
	}
	return true, g.Err()
}

// anchors finds the cells where the search starts and ends, and the surfaces
// there.
func (s *search) anchors() (bool, error) {
	g, l := s.p.ground, s.leg
	for i, e := range []*end{&l.from, &l.to} {
		var a anchor
		ok, far := false, i == 1 && l.goalOff
		if !far {
			a, ok = s.anchor(e)
			far = !ok && i == 1 && l.partial
		}
		if far && g.Err() == nil {
			a, ok = s.farAnchor(e)
		}
		if err := g.Err(); err != nil {
			return false, err
		}
		if !ok {
			return false, s.noAnchor(i, e)
		}
		if i == 0 {
			s.start = a
		} else {
			s.goal = a
		}
	}
	spans := g.Standing(s.p.spans[:0], int(s.start.cell.X), int(s.start.cell.Y), s.on)
	s.p.spans = spans
	at := l.h0
	if l.from.deck.ok {
		at = l.from.deck.v
	}
	start, dh, ok := s.nearest(spans, at)
	if !ok || l.from.deck.ok && dh > deckBand {
		return s.failed(CodeStartDeckBlocked, "no surface at the start's height can be walked on"), nil
	}
	s.startSpan = start
	s.goals = g.Standing(s.goals[:0], int(s.goal.cell.X), int(s.goal.cell.Y), s.on)
	if l.to.deck.ok && !l.partial {
		goal, dh, ok := s.nearest(s.goals, l.to.deck.v)
		if !ok || dh > deckBand {
			return s.failed(CodeGoalDeckBlocked, "no surface at the goal's height can be walked on"), nil
		}
		s.goals = append(s.goals[:0], goal)
	} else if h := l.to.declared(); s.goal.far && h.ok {
		if goal, _, ok := s.nearest(s.goals, h.v); ok {
			s.goals = append(s.goals[:0], goal)
		}
	} else if deck := s.goal.deck; deck.ok {
		s.goals = slices.DeleteFunc(s.goals, func(v spanpath.Span) bool {
			return math.Abs(float64(g.Place(v).H)-deck.v) > deckBand
		})
	}
	return true, g.Err()
}

// nearest returns the span nearest to a height, the lower one of two.
func (s *search) nearest(spans []spanpath.Span, h float64) (best spanpath.Span, dh float64, ok bool) {
	for _, v := range spans {
		d := math.Abs(float64(s.p.ground.Place(v).H) - h)
		if !ok || d < dh {
			best, dh, ok = v, d, true
		}
	}
	return best, dh, ok
}

// solveBaseline looks for any way at all, over all ground that can be reached
// and at the same price everywhere. It has the last word on whether there is
// one.
func (s *search) solveBaseline() (bool, error) {
	if s.baselineRan {
		return true, nil
	}
	s.baselineRan = true
	q := spanpath.Problem{Need: s.on, Start: s.startSpan, Goals: s.goals}
	found, err := s.solve(&q, &s.baseline)
	if found || err != nil {
		return found && s.costHolds(&s.baseline), err
	}
	if s.kind == Small {
		return s.escalate("no way on walkable ground"), nil
	}
	q.Need = spanpath.MarkOnCore
	if found, err = s.solve(&q, &s.baseline); err != nil {
		return false, err
	} else if found {
		s.on = spanpath.MarkOnCore
		s.p.warn("walkable ground is broken, took to all core ground")
		return true, nil
	}
	if s.leg.reference && !s.leg.from.deck.ok && !s.leg.to.deck.ok {
		if ok, err := s.overCells(); ok || err != nil {
			return ok, err
		}
	}
	return false, s.disconnected(nil)
}

// solve runs a search with what is common to all of a window.
func (s *search) solve(q *spanpath.Problem, dst *spanpath.Path) (bool, error) {
	q.GiveUp = math.Inf(1)
	if s.kind == Small && !q.Sight {
		q.GiveUp = s.lim.cost - s.snapCost() + 1
	}
	q.Euclid = s.leg.reference
	q.Around = nil
	if !q.Sight && !q.Euclid && len(s.p.ground.Links) == 0 {
		q.Around = s.p.rounds
	}
	doubt := s.kind == Full && !s.sure && !q.Sight
	q.Pause = 0
	if doubt {
		q.Pause = s.p.patience
	}
	left, err := s.budget()
	if err != nil {
		return false, err
	}
	q.MaxExpanded = left
	found, err := s.p.ground.Solve(q, dst)
	s.count(dst)
	if !found && err == nil && !q.Sight && dst.Expanded > 0 {
		s.keepNearest()
	}
	if doubt && !found && err == nil && !dst.OverBudget {
		if s.sure, err = s.joined(); err != nil {
			return false, err
		} else if !s.sure {
			return false, errApart
		}
	}
	if dst.Paused && err == nil {
		if left, err = s.budget(); err != nil {
			return false, err
		}
		if left > 0 {
			left += dst.Expanded
		}
		s.p.expanded -= dst.Expanded
		s.p.pushed -= dst.Pushed
		q.Pause, q.MaxExpanded = 0, left
		found, err = s.p.ground.Resume(q, dst)
		s.count(dst)
		if !found && err == nil {
			s.keepNearest()
		}
	}
	s.sure = s.sure || found
	switch {
	case err != nil:
		return false, err
	case dst.OverBudget:
		return false, errBudget
	case s.kind == Small && dst.MaxX >= dst.MinX && !s.trusts(dst):
		return s.escalate("the search from the goal reached the trusted border"), nil
	}
	return found, nil
}

// count notes what a search looked at.
func (s *search) count(p *spanpath.Path) {
	s.p.expanded += p.Expanded
	s.p.pushed += p.Pushed
	s.gaveUp = s.gaveUp || p.GaveUp
}

// rounds returns when a search looks around the goal, and at how many spans: about
// as many as it looked at itself.
func rounds() []spanpath.Round {
	var list []spanpath.Round
	for n := leastRound; n <= mostRound; n *= 2 {
		list = append(list, spanpath.Round{After: n, Spans: n})
	}
	return list
}

const (
	leastRound = 2_500
	mostRound  = 640_000
)

// trusts reports whether what a search looked at from the goal lies where a larger
// window has the same ground.
func (s *search) trusts(p *spanpath.Path) bool {
	w := s.window.Grow(-trustMargin)
	return w.Has(p.MinX, p.MinY) && w.Has(p.MaxX, p.MaxY)
}

// snapCost returns the distances of both anchors from their ends, cells.
func (s *search) snapCost() float64 {
	return math.Sqrt(float64(s.start.d2)) + math.Sqrt(float64(s.goal.d2))
}

// costHolds reports whether a way is so cheap that a larger window has the same
// one.
func (s *search) costHolds(p *spanpath.Path) bool {
	if s.kind == Small && p.Cost+s.snapCost() >= s.lim.cost {
		return s.escalate("search cost reached the trusted border")
	}
	return true
}

// solveTopology decides which way to go: wide ground is worth a detour.
func (s *search) solveTopology() (bool, error) {
	g := s.p.ground
	q := spanpath.Problem{
		Need: s.on | spanpath.MarkChannel, Prices: s.leg.wide, Start: s.startSpan, Goals: s.goals,
	}
	found, err := s.solve(&q, &s.topology)
	if found || err != nil {
		return found && s.costHolds(&s.topology), err
	}
	if s.kind == Small {
		if s.topology.GaveUp {
			return s.escalate("search cost reached the trusted border"), nil
		}
		return s.escalate("no way in the channel"), nil
	}
	if len(g.Links) > 0 {
		linked, err := g.Linked(s.start.cell, s.goal.cell, s.on|spanpath.MarkChannel)
		if err != nil {
			return false, err
		}
		if !linked {
			done := spanpath.MarkOpen // a wall may part a link in the channel near an end from it
			if s.leg.reference {
				done = spanpath.MarkChannel
			}
			for i := range g.Links {
				if err := s.chain(&g.Links[i], done); err != nil {
					return false, err
				}
			}
			if found, err := s.solve(&q, &s.topology); found || err != nil {
				return found, err
			}
		}
	}
	if ok, err := s.solveBaseline(); !ok || err != nil {
		return false, err
	}
	s.p.warn("the channel is not connected, priced on the whole window")
	s.wholeTopology = true
	q.Need = s.on
	if found, err = s.solve(&q, &s.topology); err != nil {
		return false, err
	}
	if !found {
		s.topology.Spans = s.topology.Spans[:0]
	}
	return true, g.Err()
}

// solveGeometry straightens the way inside its corridor.
func (s *search) solveGeometry() (bool, error) {
	g := s.p.ground
	path := s.way()
	s.p.cells = s.p.cells[:0]
	for _, v := range path.Spans {
		at := g.Place(v)
		s.p.cells = append(s.p.cells, spanpath.Cell{X: at.GX, Y: at.GY})
	}
	g.SetCorridor(s.p.cells, s.on == spanpath.MarkOnCore)
	if s.kind == Small && g.NearRing(trustMargin) {
		return s.escalate("the corridor reaches the outer ring"), nil
	}
	if len(s.topology.Spans) == 0 {
		return true, nil // the baseline is all there is
	}
	q := spanpath.Problem{
		Need: s.on | spanpath.MarkChannel | spanpath.MarkBand, Prices: s.leg.tight, Sight: true,
		Start: s.startSpan, Goals: s.goals,
	}
	if s.wholeTopology {
		q.Need &^= spanpath.MarkChannel
	}
	found, err := s.solve(&q, &s.geometry)
	if err == errBudget && s.leg.partial {
		// What there is leads to the goal.
		s.geometry.Spans, s.geometry.Chain = s.geometry.Spans[:0], s.geometry.Chain[:0]
		s.p.warn("the search used up its budget before the way was straightened")
		return true, nil
	}
	if err != nil {
		return false, err
	}
	if !found && s.kind == Small {
		return s.escalate("no way in the corridor"), nil
	}
	if !found {
		q.Need &^= spanpath.MarkBand
		if found, err = s.solve(&q, &s.geometry); err != nil {
			return false, err
		}
	}
	if found && !s.costHolds(&s.geometry) {
		return false, nil
	}
	s.hasChain = found && len(s.geometry.Chain) >= 2
	return true, nil
}

// way returns the way that topology found, or else the baseline.
func (s *search) way() *spanpath.Path {
	if len(s.topology.Spans) > 0 {
		return &s.topology
	}
	return &s.baseline
}
