package spanroute

import (
	"math"

	"wend/spangrid"
	"wend/spanpath"
)

// How the ends of a search, and those of the links it takes, are joined to open
// ground: what is in between becomes part of the channel.

// attach opens ways from both ends, and from the ends of links that the
// baseline took, to open ground.
func (s *search) attach() (bool, error) {
	g := s.p.ground
	limit := int32(0)
	if s.kind == Small {
		limit = int32(math.Ceil(s.lim.ends * accessPerOne))
	}
	for i, a := range []anchor{s.start, s.goal} {
		acc := &s.access[i]
		ok, err := g.Access(a.cell, s.on, spanpath.MarkOpen, limit, acc)
		if err != nil {
			return false, err
		}
		switch {
		case s.kind != Small:
		case !ok:
			return s.escalate("an end cannot be joined to open ground"), nil
		case float64(acc.Cost)/accessPerOne >= s.lim.ends:
			return s.escalate("way from an end to open ground too long"), nil
		}
		if ok {
			s.open(acc.Cells)
		}
	}
	for _, i := range s.baseline.Links {
		if err := s.chain(&g.Links[i], spanpath.MarkChannel); err != nil {
			return false, err
		}
	}
	// An end without open ground in reach is joined to what the channel has
	// become: the way of the other end, and chains.
	for i, a := range []anchor{s.start, s.goal} {
		if len(s.access[i].Cells) > 0 || g.Marks(int(a.cell.X), int(a.cell.Y))&spanpath.MarkChannel != 0 {
			continue
		}
		ok, err := g.Access(a.cell, s.on, spanpath.MarkChannel, 0, &s.access[i])
		if err != nil {
			return false, err
		}
		if ok {
			s.open(s.access[i].Cells)
		}
	}
	s.openNear(s.access[0].Near)
	s.openNear(s.access[1].Near)
	return true, g.Err()
}

// openNear makes the ground around an end part of the channel that is no farther
// from it than its open ground: to a place beside the same wall nobody goes out into
// the open and back. Ways are attached before, and do not depend on it.
func (s *search) openNear(cells []spanpath.Cell) {
	if s.leg.reference {
		return
	}
	for _, c := range cells {
		s.p.ground.Mark(int(c.X), int(c.Y), spanpath.MarkExtra|spanpath.MarkChannel)
	}
}

// open makes a way over cells part of the channel, with the cells beside its
// diagonal steps: without those a search could not take them.
func (s *search) open(cells []spanpath.Cell) {
	const mark = spanpath.MarkExtra | spanpath.MarkChannel
	g := s.p.ground
	for i, c := range cells {
		g.Mark(int(c.X), int(c.Y), mark)
		if i > 0 && !s.leg.reference && cells[i-1].X != c.X && cells[i-1].Y != c.Y {
			g.Mark(int(cells[i-1].X), int(c.Y), mark)
			g.Mark(int(c.X), int(cells[i-1].Y), mark)
		}
	}
}

// chain joins the ends of a link whose cells do not have a mark to open ground, where
// that is near.
func (s *search) chain(l *spanpath.Link, done uint16) error {
	g := s.p.ground
	for _, e := range []spangrid.Place{l.From, l.To} {
		if g.Marks(int(e.GX), int(e.GY))&done != 0 {
			continue
		}
		ok, err := g.Access(spanpath.Cell{X: e.GX, Y: e.GY}, s.on, spanpath.MarkOpen, chainLimit, &s.p.chain)
		if err != nil {
			return err
		}
		if ok {
			s.open(s.p.chain.Cells)
		}
	}
	return nil
}
