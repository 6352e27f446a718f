package spanroute

import (
	"math"

	"wend/spangrid"
	"wend/spanpath"
)

// reached is how near to the goal searches came that found no way: what is left to
// answer with once the budget is used up.
type reached struct {
	path spanpath.Path
	at   anchor
	on   uint16
	ok   bool
}

// keepNearest keeps the way to the place nearest to the goal that the search which
// just ended had come to, where such a way may be the answer.
func (s *search) keepNearest() {
	l := s.leg
	if !l.partial || l.maxExpanded == 0 {
		return
	}
	e, h := &l.to, l.to.height
	if e.deck.ok {
		h = e.deck.v
	}
	cell := spanpath.Cell{X: int32(spangrid.CellOf(e.at.U)), Y: int32(spangrid.CellOf(e.at.V))}
	var path spanpath.Path
	at, d2, ok := s.p.ground.NearestSeen(cell, h, &path)
	if !ok || s.came.ok && s.came.at.d2 <= d2 {
		return
	}
	p := s.p.ground.Place(at)
	s.came = reached{path, anchor{cell: spanpath.Cell{X: p.GX, Y: p.GY}, d2: d2, far: true}, s.on, true}
}

// outOfBudget makes a route of the way to the place nearest to the goal that any
// search came to. It returns errBudget where none came anywhere.
func (s *search) outOfBudget(out *legResult) error {
	if !s.came.ok {
		return errBudget
	}
	g := s.p.ground
	s.topology, s.on, s.goal = s.came.path, s.came.on, s.came.at
	s.cells, s.hasChain, s.fail, s.short = nil, false, nil, true
	s.geometry.Spans, s.geometry.Chain = s.geometry.Spans[:0], s.geometry.Chain[:0]
	s.p.cells = s.p.cells[:0]
	for _, v := range s.topology.Spans {
		at := g.Place(v)
		s.p.cells = append(s.p.cells, spanpath.Cell{X: at.GX, Y: at.GY})
	}
	g.SetCorridor(s.p.cells, s.on == spanpath.MarkOnCore)
	s.lim = limits{math.Inf(1), math.Inf(1)}
	s.record(out)
	out.budget = true
	return s.finish(out)
}
