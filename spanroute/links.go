package spanroute

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"wend/pack/bnav"
	"wend/pack/bnvf"
	"wend/spangrid"
	"wend/spanpath"
)

const (
	keptLinks = 4 << 20 // bytes of links that a zone keeps
	keptReach = 4 << 20 // and of sets of components
)

const bothUsable = bnvf.LoUsable | bnvf.HiUsable

// spanLink is a link and the components of the spans it starts and ends on.
type spanLink struct {
	spanpath.Link
	from, to uint32
}

// regionLinks returns the links between surfaces of one region, sorted as
// [spanpath.Setup] wants them, those usable both ways twice. An end stands on
// the very record that the bake tied it to, so links of other regions whose ends
// merely lie over or under this one are not among them.
func (z *zoneEntry) regionLinks(ctx context.Context, region uint32) ([]spanLink, error) {
	if list, ok := z.links.peek(region); ok {
		return list, nil
	}
	return z.links.get(ctx, region, func() ([]spanLink, int64, error) {
		list, err := z.findLinks(ctx, region)
		return list, 100 + 48*int64(cap(list)), err
	})
}

func (z *zoneEntry) findLinks(ctx context.Context, region uint32) ([]spanLink, error) {
	var list []spanLink
	landings := z.e.fields.ZoneLandings(z.place.ID)
	for i := range landings {
		l := &landings[i]
		if l.Valid&bothUsable != bothUsable || l.Lo.Region != region || l.Hi.Region != region {
			continue
		}
		lo, okLo, err := z.landing(ctx, &l.Lo)
		if err != nil {
			return nil, err
		}
		hi, okHi, err := z.landing(ctx, &l.Hi)
		if err != nil {
			return nil, err
		}
		if !okLo || !okHi {
			continue
		}
		link := spanLink{from: lo, to: hi}
		link.From, link.To = placeOf(&l.Lo), placeOf(&l.Hi)
		link.Cost, link.ID = linkCost(l), l.OffMesh
		list = append(list, link)
		if l.Bidirectional != 0 {
			link.From, link.To, link.from, link.to = link.To, link.From, link.to, link.from
			list = append(list, link)
		}
	}
	slices.SortStableFunc(list, func(a, b spanLink) int {
		return cmp.Or(a.From.Compare(b.From), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

func cellWindow(s *bnvf.Side) spangrid.Window {
	return spangrid.Window{GX: int(s.GX), GY: int(s.GY), NX: 1, NY: 1}
}

func placeOf(s *bnvf.Side) spangrid.Place { return spangrid.Place{GX: s.GX, GY: s.GY, H: s.H} }

// linkCost returns what a link costs, cells.
func linkCost(l *bnvf.Landing) float32 {
	dx, dy := float64(l.Hi.GX)-float64(l.Lo.GX), float64(l.Hi.GY)-float64(l.Lo.GY)
	return max(l.CostModifier, 1) * float32(math.Sqrt(float64(dx*dx)+float64(dy*dy)))
}

// landing returns the component of the span that an end of a link stands on:
// of the end's region and cell the one nearest to its height, the lower of two.
func (z *zoneEntry) landing(ctx context.Context, s *bnvf.Side) (component uint32, ok bool, err error) {
	best := math.Inf(1)
	err = z.records(ctx, cellWindow(s), func(t *tile, gy, i int) {
		r := t.record(gy, i)
		if r.Region != s.Region || r.Flags&bnav.Fill != 0 {
			return
		}
		if d := math.Abs(float64(r.H) - float64(s.H)); d < best {
			best, component, ok = d, t.component.at(i), true
		}
	})
	return component, ok && best <= linkReach, dataError(ctx, WindowDecode, z.name, err)
}

// linkReach is how far a link's end may be above or below the surface it stands
// on, m.
const linkReach = 8

// records calls do with each record of a window of cells, tile by tile, and its
// row.
func (z *zoneEntry) records(ctx context.Context, w spangrid.Window, do func(t *tile, gy, i int)) error {
	var buf [9]*tileRect
	for _, r := range z.tilesIn(buf[:0], w) {
		t, err := z.tile(ctx, r)
		if err != nil {
			return err
		}
		part := t.win.Intersect(w)
		for gy := part.GY; gy < part.GY+part.NY; gy++ {
			first, end := t.span(gy, part.GX, part.GX+part.NX)
			for i := first; i < end; i++ {
				do(t, gy, i)
			}
		}
	}
	return nil
}

// startKey is where a search starts.
type startKey struct{ region, component uint32 }

// reach returns the components of a region that can be reached from one of
// them, over steps and over all links of the region. So it depends on no window.
// The set is shared and must not be changed.
func (z *zoneEntry) reach(ctx context.Context, region, component uint32) (bnvf.Set, error) {
	key := startKey{region, component}
	if s, ok := z.reached.peek(key); ok {
		return s, nil
	}
	return z.reached.get(ctx, key, func() (bnvf.Set, int64, error) {
		s, err := z.closure(ctx, region, component)
		return s, 100 + 8*int64(len(s)), err
	})
}

func (z *zoneEntry) closure(ctx context.Context, region, component uint32) (bnvf.Set, error) {
	n, ok := z.graphs.Components(region)
	if !ok {
		return nil, &DataError{ComponentMissing, z.name, fmt.Errorf("region %d has no graph of components", region)}
	}
	within := func(c uint32) error {
		if c == 0 || c > n {
			return &DataError{ComponentRange, z.name, fmt.Errorf("region %d has %d components, a record says %d", region, n, c)}
		}
		return nil
	}
	if err := within(component); err != nil {
		return nil, err
	}
	links, err := z.regionLinks(ctx, region)
	if err != nil {
		return nil, err
	}
	set, err := z.graphs.Reach(region, component)
	if err != nil {
		return nil, &DataError{ComponentRange, z.name, err}
	}
	// Which links are still to be crossed only shrinks, and each crossing adds
	// a component.
	waiting := make([]*spanLink, 0, len(links))
	for i := range links {
		l := &links[i]
		for _, c := range [2]uint32{l.from, l.to} {
			if err := within(c); err != nil {
				return nil, err
			}
		}
		waiting = append(waiting, l)
	}
	stack := make([]uint32, 0, 16)
	for again := true; again; {
		again = false
		left := waiting[:0]
		for _, l := range waiting {
			switch {
			case set.Has(l.to):
			case !set.Has(l.from):
				left = append(left, l)
			default:
				stack = z.flood(set, region, append(stack[:0], l.to))
				again = true
			}
		}
		waiting = left
	}
	return set, nil
}

// flood adds what can be reached over steps from the components on a stack. What
// is in the set already was flooded before.
func (z *zoneEntry) flood(set bnvf.Set, region uint32, stack []uint32) []uint32 {
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if set.Has(c) {
			continue
		}
		set[c/64] |= 1 << (c % 64)
		for _, next := range z.graphs.Next(region, c) {
			if !set.Has(next) {
				stack = append(stack, next)
			}
		}
	}
	return stack
}
