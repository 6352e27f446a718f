package spanroute

import (
	"fmt"
	"math"

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

// reach returns how far from an end its cell may be, cells: what the leg allows,
// from the middle of one cell to that of another. A disc over an end is no reason to
// refuse it: those are things that move.
func (l *leg) reach(e *end) int {
	if l.reference || l.underDisc(e) {
		return snapCells
	}
	return min(int(l.maxSnap/spangrid.Side)+2, snapCells)
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

// beside returns how far an end is beside the mesh, px.
func (e *end) beside() float64 { return distance(e.at.U-e.snapped.U, e.at.V-e.snapped.V) }

// tooFar says that the mesh is farther from an end than the leg allows, nil where
// it is not. The way to the nearest place needs no goal on the mesh.
func (l *leg) tooFar(i int, e *end) *failure {
	if l.reference || e.beside() <= l.maxSnap || i == 1 && l.partial {
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

// besideGround warns of an end that is beside the ground by more than a body that
// touches a wall with its rim.
func besideGround(i int, m float64, atGround bool) string {
	then := "the stretch between them is drawn straight"
	if atGround {
		then = [2]string{"the route begins there", "the route ends there"}[i]
	}
	return fmt.Sprintf("the %s is %s beside ground that can be walked on, %s", endNames[i], metres(m), then)
}
