package spanroute

import (
	"fmt"
	"math"
	"slices"

	"wend/spangrid"
	"wend/spanpath"
)

// gapSpans is how many spans are looked at to find where a way breaks off, besides
// those of the search that found none.
const gapSpans = 400_000

// disconnected says that a search over the whole window found no way, and where
// it breaks off: around the pocket, if there is one.
func (s *search) disconnected(pocket *spanpath.Pocket) error {
	g := s.p.ground
	if s.leg.to.deck.ok {
		s.failed(CodeGoalDeckUnreachable, "%s", s.goalText())
	} else {
		s.failed(CodeDisconnected, "start and goal are not connected")
	}
	if s.kind == Capped {
		return nil // the whole region follows
	}
	if pocket == nil {
		found, err := g.FindGap(s.startSpan, s.goals, spanpath.MarkOnCore, &s.p.gap)
		if found && err == nil {
			s.fail.gap = new(gap)
			s.fail.gap.from, s.fail.gap.to = s.gapEnds(s.p.gap.From, s.p.gap.To)
		}
		return err
	}
	var err error
	s.fail.gap, err = s.breach(pocket)
	if g := s.fail.gap; g != nil {
		s.fail.message += s.leg.tooDeep(g)
	}
	return err
}

// tooDeep says that a gap is a fall which is too deep for the body, "" where it is
// not.
func (l *leg) tooDeep(g *gap) string {
	depth := float64(g.from.H) - float64(g.to.H)
	dx, dy := g.from.GX-g.to.GX, g.from.GY-g.to.GY
	if depth <= l.body.MaxDrop || max(dx, -dx, dy, -dy) > 1 {
		return ""
	}
	return "; a fall of " + metres(depth) + " would lead on, and the body falls " + metres(l.body.MaxDrop) + " at most"
}

// breach finds what parts the start from the goal, around a pocket. It returns nil
// where that takes too long, and warns.
func (s *search) breach(pocket *spanpath.Pocket) (*gap, error) {
	limit := gapSpans
	if most := s.leg.maxExpanded; most > 0 {
		limit = min(limit, most)
	}
	g := s.p.ground
	var b spanpath.Breach
	found, err := g.FindBreach(pocket, spangrid.Side/s.leg.z.scale(), limit, &b)
	if !found || err != nil {
		if b.OverLimit {
			s.p.warn(fmt.Sprintf("where the way breaks off was not found within %d surfaces", limit))
		}
		return nil, err
	}
	return &gap{g.Place(b.From), g.Place(b.To)}, nil
}

// gapEnds returns the surfaces of two cells that are nearest to each other in
// height, the lower ones of several. In one cell, where storeys overlap, that
// nearest to the goal's height is what cannot be reached, and another one nearest
// to it the other end.
func (s *search) gapEnds(a, b spanpath.Cell) (from, to spangrid.Place) {
	g := s.p.ground
	best := [2]float64{math.Inf(1), math.Inf(1)}
	for _, v := range g.Standing(nil, int(a.X), int(a.Y), spanpath.MarkOnCore) {
		for _, w := range g.Standing(nil, int(b.X), int(b.Y), spanpath.MarkOnCore) {
			p, q := g.Place(v), g.Place(w)
			d := [2]float64{0, math.Abs(float64(p.H) - float64(q.H))}
			switch {
			case v == w:
				d[0] = math.MaxFloat64 // unless there is no other
			case a == b:
				d[0] = math.Abs(float64(q.H) - s.leg.to.height)
			}
			if slices.Compare(d[:], best[:]) < 0 {
				best, from, to = d, p, q
			}
		}
	}
	return from, to
}

// goalText says which surface of the goal cannot be reached, and what other
// storeys are there that may have been meant.
func (s *search) goalText() string {
	g, deck := s.p.ground, s.leg.to.deck.v
	h, off := deck, math.Inf(1)
	var others []float64
	for _, v := range g.Standing(nil, int(s.goal.cell.X), int(s.goal.cell.Y), s.on) {
		at := float64(g.Place(v).H)
		if d := math.Abs(at - deck); d > deckBand {
			others = append(others, at)
		} else if d < off {
			h, off = at, d
		}
	}
	text := fmt.Sprintf("the goal's surface at %s cannot be reached from the start", metres(h))
	if len(others) > 0 {
		text += "; others there are at " + heightsText(others, deckBand)
	}
	return text
}

// overCells looks for a way from cell to cell without regard to floors. The
// original rules take it where there is no way over surfaces.
func (s *search) overCells() (bool, error) {
	g := s.p.ground
	for _, need := range []uint16{spanpath.MarkWalk, spanpath.MarkCore} {
		from, d0, ok0 := g.NearestOn(int(s.start.cell.X), int(s.start.cell.Y), snapCells, need)
		to, d1, ok1 := g.NearestOn(int(s.goal.cell.X), int(s.goal.cell.Y), snapCells, need)
		if !ok0 || !ok1 {
			continue
		}
		found, err := g.SolveCells(from, to, need, nil, &s.p.cellPath)
		if err != nil {
			return false, err
		}
		if found {
			s.start, s.goal = anchor{cell: from, d2: max(d0, s.start.d2)}, anchor{cell: to, d2: max(d1, s.goal.d2)}
			s.cells = s.p.cellPath.Cells
			s.p.warn("layers are not connected, took to cells")
			return true, nil
		}
	}
	return false, nil
}
