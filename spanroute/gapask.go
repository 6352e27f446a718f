package spanroute

import (
	"context"
	"errors"

	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
)

// gapTries is how many pairs of surfaces are held against the ground.
const gapTries = 24

// whereCutOff finds where the way to a goal breaks off that was found out of reach
// without a search: between the parts that numbers keep apart, or else around the
// goal. It warns where that takes too long.
func (p *Planner) whereCutOff(ctx context.Context, r *Request, l *leg, f *failure) error {
	if f.gap != nil || l.reference || f.code != CodeGoalUnreachable && f.code != CodeGoalDeckBlocked {
		return nil
	}
	// What is done for the gap is no part of what the answer took.
	expanded, pushed, warnings, notes := p.expanded, p.pushed, p.warnings, p.notes
	err := p.beyondDrop(ctx, r, l, f)
	if f.gap != nil || err != nil {
		p.expanded, p.pushed, p.warnings, p.notes = expanded, pushed, warnings, notes
		return err
	}
	var sides *parts
	var goal found
	ok, found, last := false, false, l
	if l.hops != nil && l.hops.beside != nil {
		last = l.hops.beside // a way over passages comes that near
	} else {
		sides, ok, err = newParts(ctx, l)
	}
	if ok && err == nil {
		f.gap, found, err = p.nearestParts(ctx, r, sides)
	} else if err == nil {
		if goal, ok, err = l.goalSurface(ctx); ok && err == nil && goal.region == last.region {
			f.gap, found, err = p.aroundGoal(ctx, last, goal.Place)
		} else {
			found = true
		}
	}
	p.expanded, p.pushed, p.warnings, p.notes = expanded, pushed, warnings, notes
	if err == nil && !found {
		p.warn("where the way breaks off was not found, that takes too long")
	}
	return err
}

// nearestParts returns where both sides come nearest to each other, nil where one of
// them has nothing that the body can stand on, and false where that was not found
// out. Numbers may say too much: components know nothing of discs and of what the
// body cannot do, and the table of falls nothing of components. So each pair that
// they lead to is held against the ground, and what it is not part of is left out
// from then on.
func (p *Planner) nearestParts(ctx context.Context, r *Request, s *parts) (*gap, bool, error) {
	left := gapRecords
	for range gapTries {
		f := partFinder{p: s, z: s.l.z, state: make([]tileParts, len(s.l.z.rects)), left: left}
		g, err := f.find(ctx)
		left = f.left
		if g == nil || err != nil {
			return nil, err == nil && left > 0, err
		}
		all := true
		for side, at := range [2]spangrid.Place{g.from, g.to} {
			ok, err := p.confirm(ctx, r, s, side, at)
			if errors.Is(err, errBudget) {
				return nil, false, nil
			}
			if err != nil {
				return nil, false, err
			}
			all = all && ok
		}
		if all {
			return g, true, nil
		}
	}
	return nil, false, nil
}

// confirm reports whether a surface belongs to a side, and leaves out what does not
// where it does not. Where that takes too long the error is errBudget.
func (p *Planner) confirm(ctx context.Context, r *Request, s *parts, side int, at spangrid.Place) (bool, error) {
	z := s.l.z
	var region, component uint32
	known := false
	err := z.records(ctx, spangrid.Window{GX: int(at.GX), GY: int(at.GY), NX: 1, NY: 1}, func(t *tile, _, i int) {
		c := t.component.at(i)
		if part := s.side[t.region.at(i)]; t.h[i] == at.H && part != nil && part[side].has(c) && s.l.stands(t, int(at.GX), int(at.GY), i) {
			region, component, known = t.region.at(i), c, true
		}
	})
	switch {
	case err != nil:
		return false, dataError(ctx, WindowDecode, z.name, err)
	case !known:
		return true, nil // one of those that are known exactly
	case region == s.own(side):
		return p.confirmOwn(ctx, s, side, at)
	}
	// A way over falls and links: nothing less than a plan will do.
	q := *r
	q.Windows, q.MaxExpanded, q.Partial, q.Debug = WholeRegion, s.left, false, false
	if to := (End{At: z.world(at)}); side == startSide {
		q.To = to
	} else {
		q.From = to
	}
	l, err := z.leg(&q)
	if err != nil {
		return false, err
	}
	p.expanded = 0
	var out legResult
	why, err := p.planLeg(ctx, l, &out)
	if s.left -= p.expanded; s.left <= 0 && err == nil {
		err = errBudget
	}
	if why == nil || err != nil {
		return err == nil, err
	}
	part := &s.side[region][side]
	if part.not == nil {
		part.not = map[uint32]bool{}
	}
	part.not[component] = true
	return false, nil
}

// confirmOwn is confirm for a surface of the region of a side's end. Where it does
// not belong to the side, all that does is looked up.
func (p *Planner) confirmOwn(ctx context.Context, s *parts, side int, at spangrid.Place) (bool, error) {
	own := &s.side[s.own(side)][side]
	end, ok, err := p.stand(ctx, s.l, s.own(side), own.set, side)
	if err != nil {
		return false, err
	}
	const need = spanpath.MarkOnCore
	if there, known := p.ground.SpanAt(at); ok && known {
		from, to := end, there
		if side == goalSide {
			from, to = there, end
		}
		joined, pocket, err := p.ground.Joined(from, []spanpath.Span{to}, need, s.left)
		s.left -= pocket.Expanded
		switch {
		case err != nil:
			return false, err
		case pocket.OverBudget || s.left <= 0:
			return false, errBudget
		case joined:
			return true, nil
		}
	}
	if ok {
		s.exact[side], ok, err = p.ground.AppendReached(nil, end, side == goalSide, need, spanpath.MarkOn, s.left)
		if err != nil {
			return false, err
		}
		if s.left -= len(s.exact[side]); !ok || s.left <= 0 {
			return false, errBudget
		}
	}
	*own = partOf{}
	return false, nil
}

// stand makes the ground of a region ready and returns the span that an end of the
// leg stands on.
func (p *Planner) stand(ctx context.Context, l *leg, region uint32, reach bnvf.Set, side int) (spanpath.Span, bool, error) {
	bounds, err := l.z.extent(ctx, region, false)
	if err != nil {
		return 0, false, err
	}
	t := newTiers(l.from.at, l.from.snapped, l.to.at, bounds)
	if t.full.Cells() > l.z.e.regionMax {
		return 0, false, errBudget
	}
	setup, err := p.setup(ctx, l, l.z.source(region, false), reach)
	if err != nil {
		return 0, false, err
	}
	setup.Clip = t.full
	if err := p.ground.Reset(ctx, &setup); err != nil {
		return 0, false, err
	}
	s := p.begin(l, t.full, Full, t)
	s.on = spanpath.MarkOn
	e, h := &l.from, l.h0
	if side == goalSide {
		e, h = &l.to, l.to.height
	}
	if e.deck.ok {
		h = e.deck.v
	}
	a, ok := s.anchor(e)
	if !ok {
		return 0, false, p.ground.Err()
	}
	p.spans = p.ground.Standing(p.spans[:0], int(a.cell.X), int(a.cell.Y), s.on)
	at, _, ok := s.nearest(p.spans, h)
	return at, ok, p.ground.Err()
}

// aroundGoal finds where what can be reached from the start comes nearest to the
// goal's surface, over ground that is closed if some leads there.
func (p *Planner) aroundGoal(ctx context.Context, l *leg, goal spangrid.Place) (*gap, bool, error) {
	reach, err := l.z.reach(ctx, l.region, l.component)
	if err != nil {
		return nil, false, err
	}
	start, ok, err := p.stand(ctx, l, l.region, reach, startSide)
	if errors.Is(err, errBudget) {
		return nil, false, nil
	}
	if !ok || err != nil {
		return nil, true, err
	}
	to, ok := p.ground.SpanAt(goal)
	if !ok {
		return nil, true, p.ground.Err()
	}
	pocket := p.ground.Enclose(start, to, spanpath.MarkOnCore)
	g, err := p.search.breach(&pocket)
	return g, g != nil, err
}
