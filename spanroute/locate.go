package spanroute

import (
	"context"
	"fmt"

	"wend/pack/bnav"
	"wend/route"
	"wend/spangrid"
	"wend/spanpath"
	"wend/zone"
)

// codeOtherRegion is the code of a leg whose goal stands in another region, for
// which a fall may be found. It does not leave the package.
const codeOtherRegion = "other_region"

// locate finds where a leg starts and ends: on the mesh, off no-go zones, near
// open ground, and in which region. It returns why it cannot.
func (p *Planner) locate(ctx context.Context, l *leg) (*failure, error) {
	z := l.z
	var goal found
	var ok bool
	var err error
	if l.to.deck.ok {
		if goal, ok, err = l.deckOf(ctx, &l.to); err != nil {
			return nil, err
		}
		if ok {
			l.goalRegion = goal.region
		}
	}
	if f, err := l.snapStart(ctx); f != nil || err != nil {
		return f, err
	}
	if f := l.snapGoal(); f != nil && !l.nearestWillDo() {
		return f, nil
	}
	for i, e := range []*end{&l.from, &l.to} {
		if r := z.closedAt(e.at, e.height); r != nil && (i == 0 || !l.nearestWillDo()) {
			return &failure{
				code:    [2]string{route.CodeStartNoGo, route.CodeGoalNoGo}[i],
				message: fmt.Sprintf("the %s lies in the no-go zone %q", endNames[i], r.ID),
			}, nil
		}
	}
	if f, err := l.nearCore(ctx); f != nil || err != nil {
		return f, err
	}
	return l.selectRegion(ctx, goal)
}

// nearestWillDo notes that the goal is no place to get to, and reports whether the way
// to the nearest one is wanted.
func (l *leg) nearestWillDo() bool {
	l.goalOff = l.partial && !l.reference
	l.hopped = l.hopped || l.goalOff // no fall leads to such a goal
	return l.goalOff
}

var (
	endNames     = [2]string{"start", "goal"}
	offMeshCodes = [2]string{route.CodeStartOffMesh, route.CodeGoalOffMesh}
)

// snapStart puts the start on the mesh.
func (l *leg) snapStart(ctx context.Context) (*failure, error) {
	z, e := l.z, &l.from
	if !e.deck.ok && l.goalRegion != 0 {
		spot, ok, err := z.snapOnto(ctx, e.at, l.maxSnap, e.floor, l.goalRegion)
		if err != nil {
			return nil, err
		}
		if ok && !l.reference {
			// Of the storeys right there, not of those beside the only one.
			plain, on := z.snap(e.at, l.maxSnap, e.deck, e.floor, nil)
			ok = spot.Distance <= l.maxSnap && (!on || !e.near(&plain) || e.near(&spot))
		}
		if ok {
			l.onMesh(e, spot.Triangle, spot.U, spot.V, spot.Height)
			l.h0 = e.height
			return nil, nil
		}
	}
	spot, ok := z.snap(e.at, l.maxSnap, e.deck, e.floor, nil)
	if !ok {
		return l.noFloor(0, e), nil
	}
	l.onMesh(e, spot.Triangle, spot.U, spot.V, spot.Height)
	l.h0 = e.height
	return l.tooFar(0, e), nil
}

// near reports whether a place of the mesh is where the end is, as near as makes
// no difference.
func (e *end) near(s *zone.Spot) bool {
	return distance(e.at.U-s.U, e.at.V-s.V) <= spangrid.Side
}

// snapGoal puts the goal on the mesh.
func (l *leg) snapGoal() *failure {
	e := &l.to
	deck := e.deck
	if l.reference {
		deck = optional{}
	}
	spot, ok := l.z.snap(e.at, l.maxSnap, deck, e.floor, nil)
	if !ok {
		// Of a leg to the nearest place this is where it stands.
		e.snapped, e.height, e.offMesh = e.at, l.h0, true
		if h := e.declared(); h.ok {
			e.height = h.v
		}
		return l.noFloor(1, e)
	}
	l.onMesh(e, spot.Triangle, spot.U, spot.V, spot.Height)
	return l.tooFar(1, e)
}

// onMesh notes where an end stands. The original rules take the mean height of
// the triangle; that of a large one says little, so its height at the place, or
// the one declared, is taken here.
func (l *leg) onMesh(e *end, t int32, u, v, mean float64) {
	e.snapped, e.height = spanpath.Point{U: u, V: v}, mean
	if l.reference {
		return
	}
	if h, ok := l.z.mesh.HeightAt(t, u, v); ok {
		e.height = h
	}
	if e.deck.ok {
		e.height = e.deck.v
	}
}

// nearCore checks that there is open ground near both ends.
func (l *leg) nearCore(ctx context.Context) (*failure, error) {
	var d [2]float64
	var err error
	for i, e := range []*end{&l.from, &l.to} {
		if d[i], err = l.z.coreDistance(ctx, e.at); err != nil {
			return nil, err
		}
	}
	if d[0] <= snapRadius && (d[1] <= snapRadius || l.nearestWillDo()) {
		return nil, nil
	}
	px := l.z.scale()
	return &failure{code: CodeCoreTooFar, message: fmt.Sprintf(
		"open ground is %s from the start and %s from the goal, at most %s will do",
		metres(d[0]/px), metres(d[1]/px), metres(snapRadius/px))}, nil
}

// selectRegion finds the surface that the leg starts on, and with it the region
// that is searched.
func (l *leg) selectRegion(ctx context.Context, goal found) (*failure, error) {
	z := l.z
	seed, ok, err := l.seed(ctx)
	if err != nil {
		return nil, err
	}
	if !ok {
		there, err := z.heightsNear(ctx, l.from.at)
		return &failure{code: CodeNoStartSpan, message: fmt.Sprintf("no surface at %.2f m near the start can be walked on%s", l.h0, there)}, err
	}
	l.region, l.component = seed.region, seed.component
	if !l.to.deck.ok {
		if l.goalRegion == 0 {
			g, ok, err := z.pickStart(ctx, spangrid.CellOf(l.to.at.U), spangrid.CellOf(l.to.at.V), l.to.height)
			if err != nil {
				return nil, err
			}
			if ok {
				l.goalRegion = g.region
				l.goalApart = g.region != l.region && g.distance == 0 && g.flags&bnav.Core != 0
			}
		}
		return nil, nil
	}
	if l.goalRegion == 0 {
		if l.nearestWillDo() {
			return nil, nil
		}
		there, err := z.heightsNear(ctx, l.to.at)
		return &failure{code: CodeNoGoalDeck, message: fmt.Sprintf("no surface at %.2f m near the goal%s", l.to.deck.v, there)}, err
	}
	if goal.region == seed.region {
		l.goalComponent = goal.component
		l.goalSure = goal.distance == 0 && goal.flags&(bnav.Core|bnav.Walk) == bnav.Core|bnav.Walk
		return nil, nil
	}
	// The start may mean another surface of its column.
	if !l.from.deck.ok || l.reference {
		other, ok, err := z.surface(ctx, int(seed.GX), int(seed.GY), goal.region, float64(seed.H))
		if err != nil {
			return nil, err
		}
		if ok {
			l.region, l.component = other.region, other.component
			return nil, nil
		}
	}
	if l.reference {
		return &failure{code: CodeSeedRegion, message: "the start's column has no surface of the goal's region"}, nil
	}
	if l.goalOff {
		return nil, nil
	}
	return &failure{code: codeOtherRegion}, nil
}

// seed returns the surface that the leg starts on.
func (l *leg) seed(ctx context.Context) (found, bool, error) {
	e := &l.from
	if !e.deck.ok || l.reference {
		return l.z.startSurface(ctx, e.at, e.snapped, l.h0)
	}
	// The surface is declared: no other one will do.
	f, ok, err := l.deckOf(ctx, e)
	if ok || err != nil {
		return f, ok, err
	}
	return l.z.pickDeck(ctx, spangrid.CellOf(e.snapped.U), spangrid.CellOf(e.snapped.V), e.deck.v)
}

// deckOf returns the declared surface of an end: the nearest one to it, or, where it
// is beside the mesh, to the place that it is put on. Beside a thin wall the floor on
// the other side may be as near.
func (l *leg) deckOf(ctx context.Context, e *end) (found, bool, error) {
	at := e.at
	if !l.reference {
		if spot, ok := l.z.snap(at, l.maxSnap, e.deck, e.floor, nil); ok && !e.near(&spot) {
			f, ok, err := l.z.pickDeck(ctx, spangrid.CellOf(spot.U), spangrid.CellOf(spot.V), e.deck.v)
			if ok || err != nil {
				return f, ok, err
			}
		}
	}
	return l.z.pickDeck(ctx, spangrid.CellOf(at.U), spangrid.CellOf(at.V), e.deck.v)
}
