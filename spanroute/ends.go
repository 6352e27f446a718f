package spanroute

import (
	"context"
	"fmt"
	"math"

	"wend/route"
	"wend/spangrid"
)

// DefaultMaxSnap is how far an end may be beside the ground by default, m: as far
// as the mesh planner puts ends on its mesh, see [navmesh.DefaultHalfExtents].
const DefaultMaxSnap = 2.0

// maxSnap returns how far the ends of a leg may be beside the ground that the body
// walks on, px. A body that stands at a wall is always near enough. The original
// rules have a limit of their own.
func (z *zoneEntry) maxSnap(r *Request) float64 {
	if r.Reference {
		return snapRadius
	}
	m := r.MaxSnap
	if m == 0 {
		m = math.Max(DefaultMaxSnap, z.room(&r.Body))
	}
	return math.Min(m*z.scale(), snapRadius)
}

// room returns how far from the ground the middle of a body that touches a wall may
// be, m: its radius, and a cell because ground is known by cells.
func (z *zoneEntry) room(b *Body) float64 {
	return z.bodyRadius(b) + spangrid.Side/z.scale() + 1e-6 // distances are whole cells, but for rounding
}

// limit returns how far a route may begin or end from where it was asked to, px: what
// the leg allows, or where the body touches a wall if that is farther. Whatever
// closes the ground nearer by, mesh, no-go zones, discs or the body, a place beyond it
// is not the one that was asked for.
func (l *leg) limit() float64 {
	return math.Max(l.maxSnap, math.Min(l.room*l.z.scale(), snapRadius))
}

// reach returns how far from an end cells are looked at, from the middle of one to
// that of another, cells. Which of them are within the limit, [search.within] tells.
func (l *leg) reach() int {
	if l.reference {
		return snapCells
	}
	return min(int(l.limit()/spangrid.Side)+2, snapCells)
}

// within reports whether a cell is near enough to stand for an end: where the body
// touches a wall, or where it stands in the cell no farther away than the limit. A
// passage leads to where it leads to.
func (s *search) within(e *end, a anchor) bool {
	l := s.leg
	if l.reference || a.distance() <= l.room*l.z.scale() {
		return true
	}
	if e.stand {
		return false
	}
	s.p.spans = s.p.ground.Standing(s.p.spans[:0], int(a.cell.X), int(a.cell.Y), s.on)
	for _, v := range s.p.spans {
		if p := s.p.ground.Point(v); distance(p.U-e.at.U, p.V-e.at.V) > l.limit() {
			return false
		}
	}
	return true
}

// beyond reports whether a surface is farther from an end than the limit.
func (l *leg) beyond(e *end, f *found) bool {
	if l.reference {
		return f.distance > snapCells*snapCells
	}
	at := middleOf(int(f.GX), int(f.GY))
	return distance(at.U-e.at.U, at.V-e.at.V) > l.limit()
}

// underDisc reports whether a disc of the request lies over an end.
func (l *leg) underDisc(e *end) bool {
	for _, d := range l.discs {
		if distance(d.U-e.at.U, d.V-e.at.V) <= d.Radius {
			return true
		}
	}
	return false
}

// declared returns the height that an end was given, of its surface or its floor.
func (e *end) declared() optional {
	if e.deck.ok {
		return e.deck
	}
	return e.floor
}

// beside returns how far an end is beside the mesh, px.
func (e *end) beside() float64 {
	if e.offMesh {
		return math.Inf(1)
	}
	return distance(e.at.U-e.snapped.U, e.at.V-e.snapped.V)
}

// tooFar says that the mesh is farther from an end than the leg allows, nil where
// it is not.
func (l *leg) tooFar(i int, e *end) *failure {
	if l.reference || e.beside() <= l.maxSnap {
		return nil
	}
	px := l.z.scale()
	return &failure{code: offMeshCodes[i], message: fmt.Sprintf("the %s is %s beside the nearest floor, at most %s will do",
		endNames[i], metres(e.beside()/px), metres(l.maxSnap/px))}
}

// atGround reports whether a route begins, or ends, at the cell that stands for an
// end, and not where it was asked to: no way leads on to a place in a wall or in
// the air. A body that touches a wall is where it should be, and so is one under a
// disc.
func (s *search) atGround(e *end, a anchor) bool {
	l := s.leg
	switch {
	case e.stand:
		return true
	case l.reference:
		return false
	}
	room := l.room * l.z.scale()
	return a.distance() > room && (e.beside() > room || !l.underDisc(e))
}

// endHeights gives the ends of a route that are where they were asked for the height
// of the surface there, which was found for them: that of the cell that stands for
// one is that of another place. Beside all surfaces it is as good as any.
func (s *search) endHeights(out *legResult) error {
	l, last := s.leg, len(out.heights)-1
	if l.reference {
		return nil
	}
	for i, e := range []struct {
		end  *end
		cell anchor
		at   int
		as   bool // its height is that of a walk
	}{
		{&l.from, s.start, 0, last == 0 || out.kinds[0] == route.Corner},
		{&l.to, s.goal, last, last == 0 || out.kinds[last-1] == route.Corner},
	} {
		if out.atGround[i] || i == 1 && out.partial || e.cell.d2 == 0 || !e.as {
			continue
		}
		f, ok, err := l.surfaceFor(s.p.ground.Context(), e.end)
		if err != nil {
			return err
		}
		if ok && f.distance == 0 {
			out.heights[e.at] = f.H
		}
	}
	return nil
}

// offHeight warns of ends on surfaces that are farther above or below the declared
// height than a step: near the edge of a floor another one may be nearer in the plane.
func (s *search) offHeight(out *legResult) {
	l := s.leg
	if l.reference {
		return
	}
	for i, e := range [2]*end{&l.from, &l.to} {
		if !e.deck.ok || e.stand || i == 1 && (l.depth > 0 || out.partial) {
			continue
		}
		h := float64(out.heights[[2]int{0, len(out.heights) - 1}[i]])
		d, where := h-e.deck.v, "above"
		if d > 0 {
			where = "below"
		}
		if math.Abs(d) > l.rules.StepUp {
			s.p.warn(fmt.Sprintf("the %s is %s %s the surface that the route %s on", endNames[i], metres(math.Abs(d)), where, [2]string{"begins", "ends"}[i]))
		}
	}
}

// surfaceFor returns the surface that an end is on, and how far beside it.
func (l *leg) surfaceFor(ctx context.Context, e *end) (found, bool, error) {
	gx, gy := spangrid.CellOf(e.at.U), spangrid.CellOf(e.at.V)
	if e.deck.ok {
		return l.z.pickDeck(ctx, gx, gy, e.deck.v)
	}
	return l.z.pickStart(ctx, gx, gy, e.height)
}

// besideGround warns of an end that is beside the ground by more than a body that
// touches a wall with its rim.
func besideGround(i int, m float64, atGround bool) string {
	then := "the stretch between them is drawn straight"
	if atGround {
		then = [2]string{"the route begins there", "the route ends there"}[i]
	}
	return fmt.Sprintf("the %s is %s beside ground that can be walked on, %s", endNames[i], metres(m), then)
}
