package spanroute

import (
	"context"
	"slices"

	"wend/pack/bnvf"
)

// nextRegion returns into which region one falls, or takes an off-mesh link,
// next on the way from one region to another with the fewest such passages, of
// several the one with the lowest number, and false where none leads there.
// direct allows only one; nothing leads into the regions of closed after all. A
// pack without a table of falls says that one may lead there.
func (z *zoneEntry) nextRegion(from, to uint32, direct bool, closed []uint32) (uint32, bool) {
	if z.e.drops == nil {
		return to, len(closed) == 0
	}
	// From the goal backwards, so that the first step is known at the end.
	back := map[uint32][]uint32{}
	for _, d := range z.e.drops.All(z.grid, nil) {
		back[d.To] = append(back[d.To], d.From)
	}
	z.betweenRegions(func(_ *bnvf.Landing, _ bool, from, to uint32) {
		back[to] = append(back[to], from)
	})
	seen := map[uint32]bool{to: true}
	for layer := []uint32{to}; len(layer) > 0; {
		var next []uint32
		best, found := uint32(0), false
		for _, r := range layer {
			for _, f := range back[r] {
				if f == from {
					if !slices.Contains(closed, r) && (!found || r < best) {
						best, found = r, true
					}
					continue // no way leads over the start's region again
				}
				if !seen[f] {
					seen[f] = true
					next = append(next, f)
				}
			}
		}
		if found || direct {
			return best, found
		}
		layer = next
	}
	return 0, false
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
