package spanroute

import (
	"math"

	"wend/spangrid"
	"wend/spanpath"
)

// nearestPlace has the way end at the place nearest to the goal of all that a way
// leads to, after a search found none to the goal. It returns false where there is
// none either.
func (s *search) nearestPlace() (bool, error) {
	g, e := s.p.ground, &s.leg.to
	limit, err := s.budget()
	if err != nil {
		return false, err
	}
	h := e.height
	if e.deck.ok {
		h = e.deck.v
	}
	cell := spanpath.Cell{X: int32(spangrid.CellOf(e.at.U)), Y: int32(spangrid.CellOf(e.at.V))}
	at, d2, all, ok, err := g.NearestReached(s.startSpan, cell, h, s.on, limit)
	s.p.expanded += all.Expanded
	switch {
	case err != nil:
		return false, err
	case all.OverBudget:
		return false, errBudget
	case !ok:
		return false, nil
	}
	p := g.Place(at)
	s.goal = anchor{cell: spanpath.Cell{X: p.GX, Y: p.GY}, d2: d2, far: true}
	s.goals = append(s.goals[:0], at)
	s.fail, s.kind, s.sure, s.baselineRan = nil, Full, true, false
	s.lim = limits{math.Inf(1), math.Inf(1)}
	ok, err = s.between()
	if err == errApart {
		err = nil
	}
	return ok, err
}
