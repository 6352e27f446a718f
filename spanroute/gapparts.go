package spanroute

import (
	"context"
	"fmt"
	"slices"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
)

// gapRecords is how many surfaces are looked at to find where parts of the ground
// come nearest to each other that their numbers keep apart.
const gapRecords = 1_500_000

// Sides of a gap.
const (
	startSide = iota
	goalSide
)

// parts are the surfaces of both sides of a leg that numbers keep apart: what can
// be reached from the start, and from where the goal can be. Of the regions that
// the ends stand on some components count, all others as a whole: the table of
// falls knows no more.
type parts struct {
	l    *leg
	goal found
	side map[uint32]*[2]partOf // by region

	// exact are the surfaces of a side in the region of its end, once numbers have
	// proved to say too much of them: then its part of side is none.
	exact [2][]spangrid.Place
	left  int // spans that may still be looked at to find out
}

// partOf is which part of a region belongs to a side.
type partOf struct {
	all bool
	not map[uint32]bool // components that are no part of it after all
	set bnvf.Set        // components; of none if nil
}

func (p *partOf) none() bool { return !p.all && p.set == nil }

func (p *partOf) has(component uint32) bool {
	return p.all && !p.not[component] || p.set.Has(component)
}

// newParts finds both sides of a leg. ok is false where numbers do not keep them
// apart.
func newParts(ctx context.Context, l *leg) (p *parts, ok bool, err error) {
	z := l.z
	p = &parts{l: l, left: 2 * gapSpans}
	if p.goal, ok, err = l.goalSurface(ctx); !ok || err != nil {
		return nil, false, err
	}
	reach, err := z.reach(ctx, l.region, l.component)
	if err != nil {
		return nil, false, err
	}
	leads, err := z.leading(ctx, p.goal.region, p.goal.component)
	if err != nil {
		return nil, false, err
	}
	for _, far := range []bool{true, false} {
		p.side = map[uint32]*[2]partOf{}
		if far {
			for side, from := range [2]uint32{l.region, p.goal.region} {
				for _, r := range l.regionsBeyond(from, side == goalSide) {
					p.of(r)[side].all = true
				}
			}
		}
		p.of(l.region)[startSide] = partOf{set: reach}
		p.of(p.goal.region)[goalSide] = partOf{set: leads}
		if !p.overlap() {
			return p, true, nil
		}
		// Falls that the table knows of are closed, which ones it does not say.
	}
	return nil, false, nil
}

// own returns the region of a side's end.
func (p *parts) own(side int) uint32 {
	if side == startSide {
		return p.l.region
	}
	return p.goal.region
}

func (p *parts) of(region uint32) *[2]partOf {
	s := p.side[region]
	if s == nil {
		s = new([2]partOf)
		p.side[region] = s
	}
	return s
}

// overlap reports whether some ground may belong to both sides.
func (p *parts) overlap() bool {
	for _, s := range p.side {
		a, b := &s[startSide], &s[goalSide]
		switch {
		case a.none() || b.none():
		case a.all || b.all:
			return true
		default:
			for i := range min(len(a.set), len(b.set)) {
				if a.set[i]&b.set[i] != 0 {
					return true
				}
			}
		}
	}
	return false
}

// goalSurface returns the surface that the goal stands on.
func (l *leg) goalSurface(ctx context.Context) (found, bool, error) {
	return l.surfaceFor(ctx, &l.to)
}

// leading returns the components of a region from which one of them can be
// reached, over steps and over links.
func (z *zoneEntry) leading(ctx context.Context, region, component uint32) (bnvf.Set, error) {
	n, ok := z.graphs.Components(region)
	if !ok || component == 0 || component > n {
		return nil, &DataError{ComponentRange, z.name, fmt.Errorf("region %d has %d components, a record says %d", region, n, component)}
	}
	links, err := z.regionLinks(ctx, region)
	if err != nil {
		return nil, err
	}
	back := make([][]uint32, n+1)
	for c := uint32(1); c <= n; c++ {
		for _, next := range z.graphs.Next(region, c) {
			if next <= n {
				back[next] = append(back[next], c)
			}
		}
	}
	for i := range links {
		if k := &links[i]; k.from <= n && k.to <= n {
			back[k.to] = append(back[k.to], k.from)
		}
	}
	set := make(bnvf.Set, n/64+1)
	for stack := []uint32{component}; len(stack) > 0; {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !set.Has(c) {
			set[c/64] |= 1 << (c % 64)
			stack = append(stack, back[c]...)
		}
	}
	return set, nil
}

// regionsBeyond returns the other regions that falls and links lead to from a
// region, one after the other, or back from it, ascending.
func (l *leg) regionsBeyond(region uint32, back bool) []uint32 {
	z := l.z
	next := map[uint32][]uint32{}
	add := func(from, to uint32) {
		if back {
			from, to = to, from
		}
		next[from] = append(next[from], to)
	}
	if z.e.drops != nil && l.body.MaxDrop > l.rules.Climb {
		for _, d := range z.e.drops.All(z.grid, nil) {
			add(d.From, d.To)
		}
	}
	z.betweenRegions(func(_ *bnvf.Landing, _ bool, from, to uint32) { add(from, to) })
	seen := map[uint32]bool{region: true}
	var list []uint32
	for stack := []uint32{region}; len(stack) > 0; {
		r := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, to := range next[r] {
			if !seen[to] {
				seen[to] = true
				list = append(list, to)
				stack = append(stack, to)
			}
		}
	}
	slices.Sort(list)
	return list
}

// stands reports whether a surface may be an end of a gap: the body fits there, and
// it is in no disc and no no-go zone.
func (l *leg) stands(t *tile, gx, gy, i int) bool {
	if t.flags[i]&(bnav.Core|bnav.Walk|bnav.Ghost|bnav.Fill) != bnav.Core|bnav.Walk {
		return false
	}
	if l.body.MinClr > 0 && float64(bnav.Clearance(t.clr[i])) < l.body.MinClr {
		return false
	}
	if n := l.body.Headroom; n > 0 && t.headroom != nil && t.headroom[i] > 0 && t.headroom[i] < n {
		return false
	}
	if len(l.discs) == 0 && len(l.z.noGo) == 0 {
		return true
	}
	at := middleOf(gx, gy)
	for _, d := range l.discs {
		if distance(d.U-at.U, d.V-at.V) <= d.Radius {
			return false
		}
	}
	return l.z.closedAt(at, float64(t.h[i])) == nil
}
