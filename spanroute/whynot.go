package spanroute

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"wend/pack/annex"
	"wend/pack/bnav"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// What a failure says besides its code: what there is instead of what was asked.

func metres(m float64) string { return fmt.Sprintf("%.2f m", m) }

// farFloor is how far around an end that is off the mesh a floor is looked for, to
// say how far it is, px.
const farFloor = 256.0

// noFloor says that an end has no floor in reach, and how far the nearest is.
func (l *leg) noFloor(i int, e *end) *failure {
	z, px, within := l.z, l.z.scale(), l.maxSnap
	if l.reference {
		within = zone.SnapFallback
	}
	text := fmt.Sprintf("no floor within %s of the %s", metres(within/px), endNames[i])
	s := z.snappers.Get().(*zone.Snapper)
	defer z.snappers.Put(s)
	if spot, ok := s.Snap(&zone.Aim{U: e.at.U, V: e.at.V, Radius: farFloor}); ok {
		text += fmt.Sprintf("; the nearest is %s away", metres(spot.Distance/px))
	}
	return &failure{code: offMeshCodes[i], message: text}
}

// heightsNear says at which heights one can stand near a point: on the nearest
// column with a walkable surface. It is "" where there is none within reach of an
// end.
func (z *zoneEntry) heightsNear(ctx context.Context, at spanpath.Point) (string, error) {
	gx, gy := spangrid.CellOf(at.U), spangrid.CellOf(at.V)
	const walkable, all = bnav.Walk, bnav.Walk | bnav.Ghost | bnav.Fill
	f, ok, err := z.nearest(ctx, gx, gy, pickReach, func(r *bnav.Record) float64 {
		if r.Flags&all != walkable {
			return -1
		}
		return 0
	})
	if !ok || err != nil {
		return "", err
	}
	var list []float64
	err = z.records(ctx, spangrid.Window{GX: int(f.GX), GY: int(f.GY), NX: 1, NY: 1}, func(t *tile, _, i int) {
		if t.flags[i]&all == walkable {
			list = append(list, float64(t.h[i]))
		}
	})
	return "; there are surfaces at " + heightsText(list, 0), dataError(ctx, GridDecode, z.name, err)
}

// whyClosed says why the surface that an end stands on does not serve the body,
// as far as that shows from the surface itself: "" where it does not.
func (l *leg) whyClosed(ctx context.Context, e *end) (string, error) {
	z, why := l.z, ""
	if l.underDisc(e) {
		return "; a disc lies over the place", nil
	}
	at, ok, err := z.pickDeck(ctx, spangrid.CellOf(e.at.U), spangrid.CellOf(e.at.V), e.height)
	if !ok || err != nil || l.beyond(e, &at) {
		return "", err
	}
	x, y, px := int(at.GX), int(at.GY), z.scale()
	err = z.records(ctx, spangrid.Window{GX: x, GY: y, NX: 1, NY: 1}, func(t *tile, row, i int) {
		if why != "" || t.h[i] != at.H || t.region.at(i) != at.region {
			return
		}
		s := z.probeSurface(t, row, i, x, y)
		switch {
		case l.body.Headroom > 0 && t.headroom != nil && t.headroom[i] > 0 && t.headroom[i] < l.body.Headroom:
			why = fmt.Sprintf("; %s are free above the ground there, the body needs %s", metres(s.Headroom), metres(annex.HeadroomMetres(l.body.Headroom)))
		case s.Clearance*px < l.body.MinClr:
			why = fmt.Sprintf("; the ground there has a clearance of %s, a radius of %s needs %s", metres(s.Clearance), metres(l.radius), metres(l.body.MinClr/px))
		}
	})
	return why, dataError(ctx, GridDecode, z.name, err)
}

// heightsText lists heights from the lowest up, those that print alike or lie
// within a band of the last one listed as one.
func heightsText(list []float64, band float64) string {
	slices.Sort(list)
	var words []string
	last := 0.0
	for _, h := range list {
		if len(words) > 0 && (h-last <= band || words[len(words)-1] == metres(h)) {
			continue
		}
		words, last = append(words, metres(h)), h
	}
	return strings.Join(words, ", ")
}
