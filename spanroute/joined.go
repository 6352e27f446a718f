package spanroute

import (
	"context"
	"errors"

	"wend/spanpath"
)

// patience is how many spans a search over a whole region looks at before it is
// asked whether there is a way at all. Of what keeps ground apart, components
// know only what is built: no-go zones, discs, kept walls, falls that a collider
// bars and bodies too wide may cut off a room of a city, and each search for a way
// out of it would look at all the city.
const patience = 20_000

// errApart ends the searches of a leg whose ends nothing joins. The search has
// the failure.
var errApart = errors.New("spanroute: nothing joins start and goal")

// joined reports whether a way leads from the start to a goal over any core
// ground of the window, which is the last that searches fall back on. Where none
// does it notes the failure.
func (s *search) joined() (bool, error) {
	limit, err := s.budget()
	if err != nil {
		return false, err
	}
	ok, pocket, err := s.p.ground.Joined(s.startSpan, s.goals, spanpath.MarkOnCore, limit)
	s.p.expanded += pocket.Expanded
	switch {
	case err != nil:
		return false, err
	case pocket.OverBudget:
		return false, errBudget
	case ok:
		return true, nil
	}
	return false, s.disconnected(&pocket)
}

// budget returns how many spans may still be looked at, 0 for any number.
func (s *search) budget() (int, error) {
	if s.leg.maxExpanded == 0 {
		return 0, nil
	}
	left := s.leg.maxExpanded - s.p.expanded
	if left <= 0 {
		return 0, errBudget
	}
	return left, nil
}

// apart asks whether the whole region has a way, and returns the search that
// found that it has none, or nil.
func (p *Planner) apart(ctx context.Context, l *leg, t *tiers, setup *spanpath.Setup) (*search, error) {
	s := p.begin(l, t.full, Full, t)
	setup.Clip = t.full
	if err := p.ground.Reset(ctx, setup); err != nil {
		return nil, err
	}
	s.on = spanpath.MarkOn
	if ok, err := s.anchors(); !ok || err != nil {
		return nil, err // the ladder will come to it
	}
	if ok, err := s.joined(); ok || err != nil {
		return nil, err
	}
	return s, nil
}
