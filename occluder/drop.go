package occluder

import "wend/geom"

// What the drop test of the reference rules takes for a body, metres.
const (
	DropClimb  = 0.39 // a surface this near to a point is the floor there
	DropHeight = 2.1  // room that is needed above the edge
)

// columnMargin widens the columns of the drop test, so that a floor exactly
// climb away is strictly inside.
const columnMargin = 1e-6

// DropBlocked reports whether colliders keep a body from stepping off at take
// and landing at land. Where no collider floor is near either point the data
// say nothing about this place and the drop is not blocked. Otherwise it is
// blocked by an underside above the landing and below the take-off, and by any
// face that crosses the curtain above the line between them, from climb to
// height over the edge: a lip lower than climb is stepped over.
func (s *Scene) DropBlocked(take, land geom.Vec3, climb, height float64) bool {
	below := column{
		x: land.X, z: land.Z,
		lo: land.Y - climb - columnMargin, hi: max(take.Y, land.Y+climb+columnMargin),
		near: land.Y, within: climb,
		ceilingFrom: land.Y + climb, ceilingTo: take.Y,
	}
	below.run(s)
	if !below.hasFloor {
		return false
	}
	if below.hasCeiling {
		return true
	}
	above := column{
		x: take.X, z: take.Z,
		lo: take.Y - climb - columnMargin, hi: take.Y + climb + columnMargin,
		near: take.Y, within: climb,
	}
	above.run(s)
	if !above.hasFloor {
		return false
	}
	base := max(above.floor, take.Y)
	return s.Curtain(take, land, base+climb, base+height)
}
