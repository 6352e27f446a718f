package spanroute

import (
	"context"
	"fmt"
	"math"

	"wend/pack/bnvf"
	"wend/route"
	"wend/spangrid"
	"wend/spanpath"
)

const (
	// hopTries is how many passages into another region are tried first, each onto
	// ground of its own.
	hopTries = 3
	// hopDepth is how many passages into other regions a route has at most.
	hopDepth = 8
	// hopSearches is how many passages of a request may be tried that take searches:
	// what tables tell to lead nowhere does not count.
	hopSearches = 32
)

// hopTo is a passage into another region that may be part of a way: a fall, or
// an off-mesh link.
type hopTo struct {
	from, to  spangrid.Place
	component uint32  // of the landing, inside its region
	key       float64 // distance from start to goal over the passage, cells
	link      bool
}

// takeOff is where the fall begins that a leg's start is the landing of.
type takeOff struct {
	at spanpath.Point
	h  float32
	ok bool
}

// hopState is what the legs of a request know of passages that were tried.
type hopState struct {
	dead  map[hopGroup]bool // they lead nowhere
	cut   map[hopCut]bool   // no way leads to them
	legs  []hopFrom         // those that the passage at hand follows
	tries int               // how many took more than tables
	looks int               // what was learnt by more than tables, or known so
	left  bool              // some were not tried that may lead to the goal

	closed *failure // the ground at an end of the request is closed, whichever passage leads there
	beside *leg     // of a closed goal, the part that led to it
}

// hopCut are passages of legs that start in a place.
type hopCut struct{ from, to hopGroup }

// hopFrom is where a leg begins, and all that it reaches without a passage.
type hopFrom struct {
	region uint32
	reach  bnvf.Set
}

// knows reports whether a passage is known to lead nowhere, or back to where one
// came from, and whether that is so by tables alone.
func (s *hopState) knows(l *leg, onto uint32, h *hopTo) (known, surely bool) {
	for i := range s.legs {
		if f := &s.legs[i]; f.region == onto && f.reach.Has(h.component) {
			return true, true
		}
	}
	if s.dead[h.whole(onto)] {
		return true, true
	}
	return s.dead[h.group(onto)] || s.cut[hopCut{l.startGroup(), h.group(onto)}], false
}

// failed notes that a passage was tried in vain.
func (s *hopState) failed(l *leg, onto uint32, h *hopTo, beyond, searched bool) {
	switch {
	case !beyond:
		s.cut[hopCut{l.startGroup(), h.group(onto)}] = true
	case searched || s.left:
		s.dead[h.group(onto)] = true
	default:
		s.dead[h.whole(onto)] = true
	}
}

// hop looks for a way that falls from a ledge into the region of the goal, or
// takes an off-mesh link there. why is what stands if there is none.
//
// It goes from region to region, to those first from where the table of falls has
// the shortest chain to the goal's. Passages onto the same component serve the same
// as far as tables tell, so one of each is tried, the best few first. What tables do
// not know may close the way of one and not that of another: no-go zones, discs,
// kept walls, wide bodies. So where a search found no way, others are tried that
// land elsewhere.
func (p *Planner) hop(ctx context.Context, l *leg, out *legResult, why *failure) (*failure, error) {
	target := l.goalRegion
	if target == 0 || target == l.region {
		return l.unreachable(why), nil
	}
	limit := hopDepth
	if l.reference {
		limit = 1
	}
	if l.hops == nil {
		l.hops = &hopState{dead: map[hopGroup]bool{}, cut: map[hopCut]bool{}}
	}
	st := l.hops
	next, more := l.z.nextRegions(l.region, target, limit-l.depth)
	if len(next) == 0 && !more && l.depth == 0 {
		return &failure{code: CodeGoalUnreachable, message: "the goal is in a region that nothing leads to from the start's"}, nil
	}
	st.left = st.left || more && !l.reference
	if len(next) > 0 {
		reach, err := l.z.reach(ctx, l.region, l.component)
		if err != nil {
			return nil, err
		}
		st.legs = append(st.legs, hopFrom{l.region, reach})
		defer func() { st.legs = st.legs[:len(st.legs)-1] }()
	}
	for _, onto := range next {
		done, err := p.hopInto(ctx, l, onto, out)
		if done || err != nil {
			return nil, err
		}
	}
	if st.closed != nil {
		return st.closed, nil
	}
	if l.depth == 0 && st.left {
		return &failure{code: route.CodeBudget, message: fmt.Sprintf(
			"the goal is in another region: none of the falls and links that were tried leads there, and others were left untried (%d took searches, a route has %d at most)",
			st.tries, hopDepth)}, nil
	}
	return l.unreachable(why), nil
}

// unreachable returns a failure that a caller understands.
func (l *leg) unreachable(f *failure) *failure {
	if f.code == codeOtherRegion {
		text := "the goal is in another region and no fall leads there"
		if most := l.body.MaxDrop; !math.IsInf(most, 1) {
			text += " that is no deeper than " + metres(most)
		}
		return &failure{code: CodeGoalUnreachable, message: text}
	}
	return f
}

// hopInto tries passages into a region: the best ones, and then all others where
// that does not tell.
func (p *Planner) hopInto(ctx context.Context, l *leg, onto uint32, out *legResult) (done bool, err error) {
	list, err := p.hops(ctx, l, onto, false)
	if err != nil {
		return false, err
	}
	done, searched, err := p.tryHops(ctx, l, onto, list, out)
	if done || err != nil || l.reference || !searched && len(list) < hopTries {
		return done, err
	}
	if list, err = p.hops(ctx, l, onto, true); err != nil {
		return false, err
	}
	done, _, err = p.tryHops(ctx, l, onto, list, out)
	return done, err
}

// tryHops tries passages into a region, one after the other. It reports whether one
// led to the goal, and whether others took searches.
func (p *Planner) tryHops(ctx context.Context, l *leg, onto uint32, list []hopTo, out *legResult) (done, searched bool, err error) {
	st := l.hops
	for i := range list {
		h := &list[i]
		if err := context.Cause(ctx); err != nil {
			return false, false, err
		}
		if known, surely := st.knows(l, onto, h); known {
			if !surely {
				st.looks++
			}
			continue
		}
		if st.tries == hopSearches && !l.reference {
			st.left = true
			return false, true, nil
		}
		looks, tries, left := st.looks, st.tries, st.left
		st.left = false
		done, beyond, err := p.tryHop(ctx, l, h, out)
		if err != nil {
			return false, false, err
		}
		if done {
			if !h.link {
				p.warn("the route falls into another region")
			}
			return true, true, nil
		}
		took := st.looks != looks
		if took && st.tries == tries {
			st.tries++
		}
		st.failed(l, onto, h, beyond, took)
		searched, st.left = searched || took, st.left || left
	}
	return false, searched, nil
}

// tryHop plans from a landing and to its take-off, and joins both. Where there is
// no way it tells whether that is so beyond the passage: most that lead nowhere do so
// there, by what tables tell.
func (p *Planner) tryHop(ctx context.Context, l *leg, h *hopTo, out *legResult) (done, beyond bool, err error) {
	first, second := *l, *l
	first.depth, second.depth = hopDepth, l.depth+1 // the first part falls nowhere else
	first.gate, second.gate = nil, nil
	take := spanpath.Point{U: spangrid.Center(int(h.from.GX)), V: spangrid.Center(int(h.from.GY))}
	land := spanpath.Point{U: spangrid.Center(int(h.to.GX)), V: spangrid.Center(int(h.to.GY))}
	first.to = end{at: take, deck: optional{float64(h.from.H), true}, stand: true}
	first.partial, second.partial = false, false
	first.hopped, second.hopped = false, false
	first.goalApart, second.goalApart = false, false
	first.goalRegion, second.goalRegion = 0, 0 // to be found anew
	second.from = end{at: land, deck: optional{float64(h.to.H), true}, stand: true}
	second.fell = takeOff{take, h.from.H, !h.link && !l.reference}
	first.hops = nil

	var a, b legResult
	for i, part := range []struct {
		l   *leg
		out *legResult
	}{{&second, &b}, {&first, &a}} {
		f, err := p.planLeg(ctx, part.l, part.out)
		if part.out.stats.Window != "" {
			l.hops.looks++
		}
		if f != nil && l.hops.closed == nil {
			switch {
			case i == 0 && f.code == CodeGoalDeckBlocked:
				l.hops.closed, l.hops.beside = f, &second
			case i == 1 && f.code == CodeStartDeckBlocked && !l.from.stand:
				l.hops.closed = f
			}
		}
		if f != nil || err != nil {
			return false, i == 0, err
		}
	}
	join(out, &a, &b, h)
	return true, false, nil
}

// join makes one route of a part up to a passage and one from where it ends.
func join(out, a, b *legResult, h *hopTo) {
	snap := out.stats.Snap
	n := len(a.points)
	a.points = append(a.points, b.points...)
	a.clearance = append(a.clearance, b.clearance...)
	a.heights = append(a.heights, b.heights...)
	a.storeys = append(a.storeys, b.storeys...)
	a.kinds[n-1] = route.Drop
	if h.link {
		a.kinds[n-1] = route.Link
	}
	a.kinds = append(a.kinds, b.kinds...)
	a.waypoints = append(a.waypoints, n)
	for _, w := range b.waypoints {
		a.waypoints = append(a.waypoints, n+w)
	}
	if !h.link {
		a.drops = append(a.drops, spanpath.Drop{Index: n, Height: b.heights[0]})
	}
	for _, d := range b.drops {
		a.drops = append(a.drops, spanpath.Drop{Index: n + d.Index, Height: d.Height})
	}
	gap := distance(b.points[0].U-a.points[n-1].U, b.points[0].V-a.points[n-1].V)
	a.length += gap + b.length
	a.snapGoal, a.partial, a.atGround[1] = b.snapGoal, b.partial, b.atGround[1]
	for _, s := range b.stages {
		a.stages = append(a.stages, stage{s.name + " beyond", s.points, s.heights})
	}
	a.stats.Proved = a.stats.Proved && b.stats.Proved
	a.stats.WallCrossings += b.stats.WallCrossings
	a.stats.WallSteps += b.stats.WallSteps
	for i, n := range b.stats.Lifted {
		a.stats.Lifted[i] += n
	}
	a.stats.Prepare += b.stats.Prepare
	a.stats.Search += b.stats.Search
	a.stats.Geometry += b.stats.Geometry
	a.stats.Pull += b.stats.Pull
	a.stats.Assemble += b.stats.Assemble
	a.stats.Lift += b.stats.Lift
	a.stats.Pages += b.stats.Pages
	a.stats.Snap += snap + b.stats.Snap
	*out = *a
}
