package spanroute

import (
	"context"
	"fmt"
	"time"

	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
)

// planLeg looks for the way of a leg: it makes the checks, then tries one window
// after the other.
func (p *Planner) planLeg(ctx context.Context, l *leg, out *legResult) (*failure, error) {
	begin := time.Now()
	f, err := p.locate(ctx, l)
	out.stats.Snap = time.Since(begin)
	if err != nil {
		return nil, err
	}
	if f != nil {
		if f.code != codeOtherRegion {
			return f, nil
		}
		l.hopped = true
		if f, err = p.hop(ctx, l, out, f); f == nil || err != nil || !l.partial {
			return f, err
		}
	}
	bounds, err := l.z.extent(ctx, l.region, l.reference)
	if err != nil {
		return nil, err
	}
	t := newTiers(l.from.at, l.from.snapped, l.to.at, bounds)
	if p.shape != nil {
		p.shape(t)
	}
	return p.ladder(ctx, l, t, out)
}

// ladder tries windows until one has the answer.
func (p *Planner) ladder(ctx context.Context, l *leg, t *tiers, out *legResult) (*failure, error) {
	reach, err := l.z.reach(ctx, l.region, l.component)
	if err != nil {
		return nil, err
	}
	if l.goalSure && !l.partial && !l.reference && !reach.Has(l.goalComponent) {
		return &failure{code: CodeGoalUnreachable, message: "the goal stands on ground that cannot be reached from the start"}, nil
	}
	source := l.z.source(l.region, l.reference)
	setup, err := p.setup(ctx, l, source, reach)
	if err != nil {
		return nil, err
	}
	level, forceFull := 0, l.windows == WholeRegion
	sure := l.reference // the original rules have a last resort
	doubt := false      // a window has no way, for what is in it
	var prev spangrid.Window
	for tier := 0; ; tier++ {
		w, kind := t.full, Full
		if !forceFull {
			w, kind = t.choose(level)
			for kind == Small && tier > 0 && w == prev { // short legs do not grow
				if level++; level > maxLevel {
					w, kind, forceFull = t.full, Full, true
					break
				}
				w, kind = t.choose(level)
			}
			if kind == Capped && l.windows == Exact {
				w, kind, forceFull = t.full, Full, true
			}
		}
		prev = w
		if kind == Full && t.full.Cells() > l.z.e.regionMax {
			return &failure{code: CodeRegionTooBig, message: fmt.Sprintf("the region's window has %d cells, more than %d", t.full.Cells(), l.z.e.regionMax)}, nil
		}
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if !sure && (kind == Capped || kind == Small && doubt) && t.full.Cells() <= l.z.e.regionMax {
			s, err := p.apart(ctx, l, t, &setup)
			if err != nil {
				return nil, err
			}
			if s != nil {
				out.stats.Tier, out.stats.Window, out.stats.WindowCells, out.stats.Proved = tier, Full.String(), t.full.Cells(), true
				out.stats.Pages, out.window = p.ground.Pages(), t.full
				return p.lastWord(ctx, l, s, out)
			}
			sure = true
		}
		s := p.begin(l, w, kind, t)
		s.sure = sure
		out.stats.Tier, out.stats.Window, out.stats.WindowCells = tier, kind.String(), w.Cells()
		out.stats.Proved = kind != Capped
		out.window = w
		begin := time.Now()
		setup.Clip = w
		if err := p.ground.Reset(ctx, &setup); err != nil {
			return nil, err
		}
		if err := source.prefetch(ctx, l.from.at, l.to.at); err != nil {
			return nil, err
		}
		out.stats.Prepare = time.Since(begin)
		ok, err := s.run()
		out.stats.Pages = p.ground.Pages()
		sure, doubt = sure || s.sure, !s.gaveUp
		switch {
		case err == errBudget && l.partial:
			return nil, s.outOfBudget(out)
		case err != nil:
			return nil, err
		case kind == Small && !ok && s.reason != "":
			p.notes = append(p.notes, s.reason)
			level++
			continue
		case kind != Full && !ok && s.fail != nil && s.fail.searched() && t.full.Cells() <= l.z.e.regionMax:
			// The way may leave the window.
			p.notes = append(p.notes, s.fail.message+"; on to the whole region")
			forceFull = true
			continue
		}
		s.record(out)
		if !ok {
			return p.lastWord(ctx, l, s, out)
		}
		cut := s.cutOff()
		s.short = cut || s.goal.far
		if s.short && !l.hopped && !l.reference && !l.to.deck.ok {
			// A fall may lead to the goal.
			l.hopped = true
			f, err := p.hop(ctx, l, out, &failure{code: CodeGoalUnreachable, message: cutOffText})
			if f == nil || err != nil || !l.partial {
				return f, err
			}
			return p.ladder(ctx, l, t, out)
		}
		if cut && (!l.partial || l.reference) {
			return &failure{code: CodeGoalUnreachable, message: cutOffText}, nil
		}
		if err := s.finish(out); err != nil {
			return nil, err
		}
		return nil, nil
	}
}

// setup returns what the ground of a leg is made of, but for its window.
func (p *Planner) setup(ctx context.Context, l *leg, source *source, reach bnvf.Set) (spanpath.Setup, error) {
	links, err := l.z.linksOf(ctx, source.region)
	if err != nil {
		return spanpath.Setup{}, err
	}
	if err := p.openGate(ctx, l); err != nil {
		return spanpath.Setup{}, err
	}
	return spanpath.Setup{
		Rules: l.rules, Source: source, Gate: l.gate, Reach: reach,
		Body: l.body, Discs: l.discs, Links: links, PassWalls: l.reference,
	}, nil
}

const cutOffText = "the goal stands on ground that cannot be reached from the start"

// searched reports whether a failure is that of a search, which a larger window
// may not have.
func (f *failure) searched() bool {
	return f.code == CodeDisconnected || f.code == CodeGoalDeckUnreachable
}

// lastWord is what is left to try when the last window has no way: a fall into
// the region that the goal stands on.
func (p *Planner) lastWord(ctx context.Context, l *leg, s *search, out *legResult) (*failure, error) {
	f := s.fail
	if f == nil {
		f = &failure{code: CodeRouteFailed, message: "no way was found"}
	}
	if l.partial && f.searched() {
		if ok, err := s.nearestPlace(); err == errBudget {
			return nil, s.outOfBudget(out)
		} else if !ok || err != nil {
			return f, err
		}
		s.record(out)
		s.short = true
		return nil, s.finish(out)
	}
	if f.code != CodeGoalUnreachable || l.to.deck.ok || l.hopped {
		return f, nil
	}
	return p.hop(ctx, l, out, f)
}

// begin readies the planner's search for a window.
func (p *Planner) begin(l *leg, w spangrid.Window, kind Kind, t *tiers) *search {
	s := &p.search
	*s = search{
		p: p, leg: l, window: w, kind: kind, lim: t.limitsOf(w),
		goals: s.goals[:0], baseline: s.baseline, topology: s.topology, geometry: s.geometry, access: s.access,
	}
	s.baseline.Spans, s.baseline.Links = s.baseline.Spans[:0], s.baseline.Links[:0]
	s.topology.Spans, s.topology.Links = s.topology.Spans[:0], s.topology.Links[:0]
	s.geometry.Spans, s.geometry.Chain, s.geometry.Links = s.geometry.Spans[:0], s.geometry.Chain[:0], s.geometry.Links[:0]
	for i := range s.access {
		s.access[i].Cells = s.access[i].Cells[:0]
	}
	return s
}

// extent returns a window that holds all cells of a region. The original rules
// want the bounding box of its records; where the tiles that have it lie is as
// good, and known without decoding them: only how large a whole region's window
// is depends on it.
func (z *zoneEntry) extent(ctx context.Context, region uint32, exact bool) (spangrid.Window, error) {
	if exact {
		w, err := z.bounds(ctx, region)
		if err == nil && w.Empty() {
			err = &DataError{RegionEmpty, z.name, fmt.Errorf("region %d has no record", region)}
		}
		return w, err
	}
	var all *tileRect
	for i := range z.rects {
		r := &z.rects[i]
		has, err := z.hasRegion(r, region)
		if err != nil {
			return spangrid.Window{}, dataError(ctx, GridDecode, z.name, err)
		}
		switch {
		case !has:
		case all == nil:
			c := *r
			all = &c
		default:
			all.x0, all.y0, all.x1, all.y1 = min(all.x0, r.x0), min(all.y0, r.y0), max(all.x1, r.x1), max(all.y1, r.y1)
		}
	}
	if all == nil {
		return spangrid.Window{}, &DataError{RegionEmpty, z.name, fmt.Errorf("region %d has no record", region)}
	}
	return all.window(), nil
}

// linksOf returns the links of a region.
func (z *zoneEntry) linksOf(ctx context.Context, region uint32) ([]spanpath.Link, error) {
	list, err := z.regionLinks(ctx, region)
	if err != nil {
		return nil, err
	}
	out := make([]spanpath.Link, len(list))
	for i := range list {
		out[i] = list[i].Link
	}
	return out, nil
}

// openGate gives a leg the gate of its drops, which remembers what it was asked.
// Colliders that cannot be read are no colliders.
func (p *Planner) openGate(ctx context.Context, l *leg) error {
	if l.gate != nil {
		return nil
	}
	scene, err := l.z.colliders(ctx)
	switch cause := context.Cause(ctx); {
	case cause != nil:
		return cause
	case err != nil:
		p.warn(fmt.Sprintf("falls are not checked against colliders: %v", err))
	case scene != nil:
		l.gate = spangrid.NewGate(l.z.mesh, l.z.place, scene)
	}
	return nil
}

// warnOfFalls says of a route with falls that nothing but floors and headroom
// bounds them, where the zone has no colliders.
func (p *Planner) warnOfFalls(ctx context.Context, z *zoneEntry) {
	if scene, err := z.colliders(ctx); scene == nil && err == nil {
		p.warn("falls are not checked against walls and railings, the pack has no colliders")
	}
}
