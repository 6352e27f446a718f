package spanroute

import (
	"cmp"
	"math"
	"slices"

	"wend/spangrid"
	"wend/spanpath"
)

// anchor finds the cell that stands for an end: the nearest one that can be
// reached and, where the end's surface is declared, has it. An end on a floor
// that cannot be reached right there keeps to the storey of that floor. Cells
// that a wall parts from the end are passed over: the stretch between the two is
// drawn straight. With the original rules neither matters.
func (s *search) anchor(e *end) (anchor, bool) {
	g := s.p.ground
	gx, gy, reach := spangrid.CellOf(e.at.U), spangrid.CellOf(e.at.V), s.leg.reach()
	var a anchor
	var ok bool
	if e.deck.ok {
		a, ok = s.onDeck(gx, gy, reach, e.deck.v)
	} else {
		a.cell, a.d2, ok = g.NearestOn(gx, gy, reach, s.on)
		if ok && a.d2 > 0 && !s.leg.reference && e.onFloor() {
			// The end stands on a floor, and what can be reached lies beside it: that
			// must be the same storey.
			a, ok = s.onDeck(gx, gy, reach, e.height)
			a.deck = optional{e.height, true}
		}
	}
	if !ok || s.leg.reference || s.within(e, a) && !s.parted(e, a.cell) {
		return a, ok
	}
	return s.otherAnchor(e, gx, gy, reach, a)
}

// onDeck finds the nearest cell with a surface at a height.
func (s *search) onDeck(gx, gy, reach int, deck float64) (anchor, bool) {
	span, d2, ok := s.p.ground.NearestDeck(gx, gy, reach, s.on, float32(deck), deckBand)
	if !ok {
		return anchor{}, false
	}
	at := s.p.ground.Place(span)
	return anchor{cell: spanpath.Cell{X: at.GX, Y: at.GY}, d2: d2, deck: optional{deck, true}}, true
}

// onFloor reports whether an end stands on the mesh, as near as makes no
// difference.
func (e *end) onFloor() bool {
	return e.beside() <= spangrid.Side
}

// parted reports whether a wall that was kept lies between an end, or the
// nearest place of the floor where it stands off it, and a cell; and of an end
// on a floor, whether that floor does not go on to the cell.
func (s *search) parted(e *end, c spanpath.Cell) bool {
	g := s.p.ground
	h := float32(e.height)
	if e.deck.ok {
		h = float32(e.deck.v)
	}
	at, to := h, middleOf(int(c.X), int(c.Y))
	s.p.spans = g.Standing(s.p.spans[:0], int(c.X), int(c.Y), s.on)
	if v, _, ok := s.nearest(s.p.spans, float64(h)); ok {
		at, to = g.Place(v).H, g.Point(v)
	}
	line, heights := [2]spanpath.Point{e.snapped, to}, [2]float32{h, at}
	if g.Crossings(line[:], heights[:]) > 0 {
		return true
	}
	if !e.onFloor() || spangrid.CellOf(e.at.U) == int(c.X) && spangrid.CellOf(e.at.V) == int(c.Y) {
		return false
	}
	if e == &s.leg.to && s.hasOpenSurface(e, h) {
		line[0], line[1] = line[1], line[0]
		heights[0], heights[1] = heights[1], heights[0]
	}
	var ok bool
	s.p.walked, ok = g.Walk(s.p.walked[:0], line[:], heights[:1])
	for _, w := range s.p.walked {
		if math.Abs(float64(w)-float64(heights[1])) <= sameFloor {
			return false
		}
	}
	return !ok || len(s.p.walked) > 0
}

// hasOpenSurface reports whether the cell of an end has the surface it stands on,
// and that is not shut: on the edge of a floor over another one pages leave it out.
func (s *search) hasOpenSurface(e *end, h float32) bool {
	has, shut := s.surfaceOf(e, h)
	return has && !shut
}

// surfaceOf says whether the cell of an end has the surface it stands on, and
// whether that is shut. A cell is shut as a whole, so of an end beside open ground
// that says nothing: its own cell is not asked, at either end of a leg.
func (s *search) surfaceOf(e *end, h float32) (has, shut bool) {
	gx, gy := spangrid.CellOf(e.snapped.U), spangrid.CellOf(e.snapped.V)
	s.p.column = s.p.ground.Surfaces(s.p.column[:0], gx, gy)
	for _, v := range s.p.column {
		if math.Abs(float64(v.H)-float64(h)) <= sameFloor {
			has, shut = true, shut || v.Shut
		}
	}
	return has, shut
}

// sameFloor is how far from a height a walk to it may end, m: that of an end is
// of the mesh, not of a cell.
const sameFloor = 1.0

// otherAnchor looks for the nearest cell within the limit that nothing parts from the
// end. Where there is none, an end on a floor cannot be reached; one beside the floor
// has the nearest cell of all within the limit.
func (s *search) otherAnchor(e *end, gx, gy, reach int, first anchor) (anchor, bool) {
	g := s.p.ground
	list := s.p.ring[:0]
	for dy := -reach; dy <= reach; dy++ {
		for dx := -reach; dx <= reach; dx++ {
			d := dx*dx + dy*dy
			if d < first.d2 || d > reach*reach || g.Marks(gx+dx, gy+dy)&s.on == 0 {
				continue
			}
			list = append(list, anchor{cell: spanpath.Cell{X: int32(gx + dx), Y: int32(gy + dy)}, d2: d, deck: first.deck})
		}
	}
	s.p.ring = list
	slices.SortFunc(list, func(a, b anchor) int {
		return cmp.Or(cmp.Compare(a.d2, b.d2), cmp.Compare(a.cell.Y, b.cell.Y), cmp.Compare(a.cell.X, b.cell.X))
	})
	near := s.within(e, first)
	for _, a := range list {
		if a.cell == first.cell || a.deck.ok && !s.hasDeck(a.cell, a.deck.v) || !s.within(e, a) {
			continue
		}
		if !s.parted(e, a.cell) {
			return a, true
		}
		if !near {
			first, near = a, true
		}
	}
	return first, near && !e.onFloor()
}

// hasDeck reports whether a surface of a cell can be stood on at a declared
// height.
func (s *search) hasDeck(c spanpath.Cell, deck float64) bool {
	s.p.spans = s.p.ground.Standing(s.p.spans[:0], int(c.X), int(c.Y), s.on)
	_, dh, ok := s.nearest(s.p.spans, deck)
	return ok && dh <= deckBand
}

// farAnchor finds the nearest cell that can be reached, however far away.
func (s *search) farAnchor(e *end) (anchor, bool) {
	gx, gy := spangrid.CellOf(e.at.U), spangrid.CellOf(e.at.V)
	c, d2, ok := s.p.ground.NearestOn(gx, gy, wholeWindow, s.on)
	return anchor{cell: c, d2: d2, far: true}, ok
}

// noAnchor says why an end has no cell.
func (s *search) noAnchor(i int, e *end) error {
	g, l := s.p.ground, s.leg
	gx, gy := spangrid.CellOf(e.at.U), spangrid.CellOf(e.at.V)
	s.goal.d2 = -1
	ctx, within := g.Context(), metres(l.limit()/l.z.scale())
	why, err := l.whyClosed(ctx, e)
	if err != nil {
		return err
	}
	closed := false
	if e.deck.ok {
		f, ok, err := l.z.pickDeck(ctx, gx, gy, e.deck.v)
		if err != nil {
			return err
		}
		if ok && l.beyond(e, &f) {
			at := middleOf(int(f.GX), int(f.GY))
			s.failed([2]string{CodeNoStartSpan, CodeNoGoalDeck}[i], "the nearest surface at %.2f m is %s from the %s, at most %s will do",
				e.deck.v, metres(distance(at.U-e.at.U, at.V-e.at.V)/l.z.scale()), endNames[i], within)
			return nil
		}
		if !ok {
			there, err := l.z.heightsNear(ctx, e.at)
			s.failed([2]string{CodeNoStartSpan, CodeNoGoalDeck}[i], "no surface at %.2f m within %s of the %s%s", e.deck.v, within, endNames[i], there)
			return err
		}
		_, _, closed = g.NearestDeck(gx, gy, l.reach(), 0, float32(e.deck.v), deckBand)
		closed = closed || why != "" || i == 0
	}
	switch {
	case i == 0 && closed:
		s.failed(CodeStartDeckBlocked, "the surface at the start is closed to this body%s", why)
	case i == 0:
		s.failed(CodeNothingToSnap, "nothing within %s of the start can be walked on%s", within, why)
	case closed:
		s.failed(CodeGoalDeckBlocked, "the surface at the goal is closed to this body%s", why)
	default:
		s.failed(CodeGoalUnreachable, "nothing within %s of the goal can be reached from the start%s", within, why)
	}
	return nil
}

// cutOff reports whether the goal stands on ground that can be walked on but
// not reached: the last stretch would lead there through a wall.
func (s *search) cutOff() bool {
	g, e := s.p.ground, &s.leg.to
	gx, gy := spangrid.CellOf(e.at.U), spangrid.CellOf(e.at.V)
	m := g.Marks(gx, gy)
	if _, shut := s.surfaceOf(e, float32(e.height)); shut && !s.leg.reference && !s.goal.far {
		return false // it has a cell, with nothing between
	}
	if s.leg.goalApart && !s.leg.reference && (int(s.goal.cell.X) != gx || int(s.goal.cell.Y) != gy) {
		return true
	}
	if m&spanpath.MarkWalk == 0 {
		return false
	}
	if m&s.on == 0 {
		return true
	}
	if s.leg.reference || !e.deck.ok || int(s.goal.cell.X) == gx && int(s.goal.cell.Y) == gy {
		return false
	}
	// Another surface of the goal's cell can be reached; is it the right one?
	s.p.column = g.Surfaces(s.p.column[:0], gx, gy)
	best, usable := math.Inf(1), true
	for _, v := range s.p.column {
		if d := math.Abs(float64(v.H) - e.deck.v); d < best && v.Bits&spanpath.SpanOwn != 0 {
			best, usable = d, v.Usable
		}
	}
	return best <= deckBand && !usable
}
