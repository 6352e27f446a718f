package spanroute

import (
	"context"

	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// snap returns where a point comes to stand on the mesh: within a radius, px, else
// within [zone.SnapFallback]. The height is that of a deck it is on, of a floor
// it is near, or neither; accept may be nil.
func (z *zoneEntry) snap(at spanpath.Point, radius float64, deck, floor optional, accept func(t int32) bool) (zone.Spot, bool) {
	aim := zone.Aim{U: at.U, V: at.V, Radius: radius, Accept: accept}
	switch {
	case deck.ok:
		aim.Order, aim.Height = zone.OnDeck, deck.v
	case floor.ok:
		aim.Order, aim.Height = zone.OnFloor, floor.v
	}
	s := z.snappers.Get().(*zone.Snapper)
	defer z.snappers.Put(s)
	return s.Snap(&aim)
}

// snapOnto snaps a start, by its floor, to the mesh where the surface it would
// start from shares its cell with the goal's region: of several storeys that one
// is meant from which the goal can be walked to. It returns false where there is
// no such place.
func (z *zoneEntry) snapOnto(ctx context.Context, at spanpath.Point, radius float64, floor optional, region uint32) (spot zone.Spot, ok bool, err error) {
	spot, ok = z.snap(at, radius, optional{}, floor, func(t int32) bool {
		if err != nil {
			return false
		}
		u, v := z.mesh.Nearest(t, at.U, at.V)
		var seed found
		var has bool
		if seed, has, err = z.startSurface(ctx, at, spanpath.Point{U: u, V: v}, z.mesh.MeanHeight(t)); !has || err != nil {
			return false
		}
		_, has, err = z.surface(ctx, int(seed.GX), int(seed.GY), region, 0)
		return has && err == nil
	})
	return spot, ok && err == nil, err
}

// startSurface returns the surface that a start is on: picked around its cell,
// and where there is none around the place of the mesh that it was snapped to.
func (z *zoneEntry) startSurface(ctx context.Context, at, snapped spanpath.Point, h float64) (found, bool, error) {
	f, ok, err := z.pickStart(ctx, spangrid.CellOf(at.U), spangrid.CellOf(at.V), h)
	if ok || err != nil {
		return f, ok, err
	}
	return z.pickStart(ctx, spangrid.CellOf(snapped.U), spangrid.CellOf(snapped.V), h)
}

// closedAt returns the author's polygon that a point at a height lies in, the
// first of several, or nil.
func (z *zoneEntry) closedAt(at spanpath.Point, h float64) *spanpath.Ring {
	for i := range z.noGo {
		r := &z.noGo[i]
		if h >= r.Min && h <= r.Max && r.Has(at.U, at.V) {
			return r
		}
	}
	return nil
}
