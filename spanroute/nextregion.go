package spanroute

import (
	"context"
	"slices"

	"wend/pack/bnvf"
)

// nextRegions returns into which regions one may fall, or take an off-mesh link,
// next on a way from one region to another of at most so many such passages, none
// over the first region again: those with the fewest passages first, then by number.
// more says that longer ways were left out. A pack without a table of falls says that
// one may lead there.
func (z *zoneEntry) nextRegions(from, to uint32, most int) (list []uint32, more bool) {
	if z.e.drops == nil {
		return []uint32{to}[:min(max(most, 0), 1)], most < 1
	}
	// From the goal backwards, so that the first step is known at the end.
	back, next := map[uint32][]uint32{}, map[uint32]bool{}
	for _, d := range z.e.drops.All(z.grid, nil) {
		back[d.To] = append(back[d.To], d.From)
	}
	z.betweenRegions(func(_ *bnvf.Landing, _ bool, from, to uint32) {
		back[to] = append(back[to], from)
	})
	seen := map[uint32]bool{to: true, from: true}
	for layer := []uint32{to}; len(layer) > 0; most-- {
		clear(next)
		first := len(list)
		var before []uint32
		for _, r := range layer {
			for _, f := range back[r] {
				if f == from && !next[r] {
					next[r] = true
					list = append(list, r)
				}
				if !seen[f] {
					seen[f] = true
					before = append(before, f)
				}
			}
		}
		slices.Sort(list[first:])
		if most < 1 && len(list) > first {
			return list[:first], true
		}
		layer = before
	}
	return list, false
}

// betweenRegions calls do for each way that an off-mesh link can be taken from
// one region to another; back is that from its upper end to its lower one.
func (z *zoneEntry) betweenRegions(do func(l *bnvf.Landing, back bool, from, to uint32)) {
	landings := z.e.fields.ZoneLandings(z.place.ID)
	for i := range landings {
		l := &landings[i]
		if l.Valid&bothUsable != bothUsable || l.Lo.Region == l.Hi.Region {
			continue
		}
		do(l, false, l.Lo.Region, l.Hi.Region)
		if l.Bidirectional != 0 {
			do(l, true, l.Hi.Region, l.Lo.Region)
		}
	}
}

// linksInto returns the off-mesh links from one region into another.
func (z *zoneEntry) linksInto(ctx context.Context, from, to uint32) (list []spanLink, err error) {
	z.betweenRegions(func(l *bnvf.Landing, back bool, f, t uint32) {
		if err != nil || f != from || t != to {
			return
		}
		a, b := &l.Lo, &l.Hi
		if back {
			a, b = b, a
		}
		var k spanLink
		var okA, okB bool
		if k.from, okA, err = z.landing(ctx, a); err != nil {
			return
		}
		if k.to, okB, err = z.landing(ctx, b); err != nil || !okA || !okB {
			return
		}
		k.From, k.To, k.Cost, k.ID = placeOf(a), placeOf(b), linkCost(l), l.OffMesh
		list = append(list, k)
	})
	return list, err
}
