package navmesh

import (
	"math"

	"wend/geom"
)

// Portal is a gate on the way, as seen by one who walks through.
type Portal struct{ Right, Left geom.Vec3 }

// Turn is a point of a taut path.
type Turn struct {
	Pos geom.Vec3
	// Portal is the index of the last portal that has its end at Pos: -1 for
	// the start, the number of portals for the goal.
	Portal int
}

// Directions that differ by less than lineSlack, as a fraction of the lengths
// involved, count as one: a hundred times the rounding error of the area that
// tells them apart. Points closer than lineSlack times the extent of the portals
// count as one.
const lineSlack = 1e-12

// side tells on which side of the line from a to b the point c is seen from
// above: positive left, negative right, 0 on it within lineSlack.
func side(a, b, c geom.Vec3) float64 {
	ux, uz := b.X-a.X, b.Z-a.Z
	vx, vz := c.X-a.X, c.Z-a.Z
	s := float64(uz*vx) - float64(ux*vz)
	slack := (math.Abs(ux) + math.Abs(uz)) * (math.Abs(vx) + math.Abs(vz)) * lineSlack
	if s <= slack && s >= -slack {
		return 0
	}
	return s
}

// ahead returns how far p lies from a in the direction of b, times the
// distance between a and b.
func ahead(a, b, p geom.Vec3) float64 {
	return float64((b.X-a.X)*(p.X-a.X)) + float64((b.Z-a.Z)*(p.Z-a.Z))
}

// coincide reports whether a and b are one point seen from above.
func coincide(a, b geom.Vec3, slack float64) bool {
	return math.Abs(a.X-b.X) <= slack && math.Abs(a.Z-b.Z) <= slack
}

// pointSlack returns the distance under which points of this way are one.
func pointSlack(start, goal geom.Vec3, portals []Portal) float64 {
	e := max(math.Abs(goal.X-start.X), math.Abs(goal.Z-start.Z))
	for i := range portals {
		p := &portals[i]
		e = max(e, math.Abs(p.Right.X-start.X), math.Abs(p.Right.Z-start.Z),
			math.Abs(p.Left.X-start.X), math.Abs(p.Left.Z-start.Z))
	}
	return e * lineSlack
}

// Funnel finds the shortest path through a row of portals step by step, for
// those who want to look on; AppendTaut does the same at once. From the apex,
// the last known turn, two sides enclose all that is seen through the portals
// so far. Each portal narrows them. When one side would cross the other, the
// path turns at the end of the portal that other side rests on; it becomes the
// apex, and the portals after it are taken up again, as some of those that did
// not matter to the old apex may matter to the new one.
//
// A point straight behind a side keeps the side's direction and becomes its
// new end. The method is the simple stupid funnel algorithm (Mononen 2010), in
// the worst case quadratic in the number of portals.
type Funnel struct {
	portals           []Portal
	goal              geom.Vec3
	apex, right, left Turn
	next              int
	slack             float64
	turns             []Turn
	done              bool
}

// Reset starts at the beginning of a way. The portals are kept, not copied,
// and must not change meanwhile; their coordinates must be finite.
func (f *Funnel) Reset(start, goal geom.Vec3, portals []Portal) {
	f.portals, f.goal = portals, goal
	f.slack = pointSlack(start, goal, portals)
	f.turns = append(f.turns[:0], Turn{start, -1})
	f.restart(f.turns[0])
	f.done = false
}

func (f *Funnel) restart(apex Turn) {
	f.apex, f.right, f.left = apex, apex, apex
	f.next = apex.Portal + 1
}

// Step takes up the next portal, or the goal behind the last, and reports
// whether there is more to do.
func (f *Funnel) Step() bool {
	if f.done {
		return false
	}
	p := Portal{f.goal, f.goal}
	if f.next < len(f.portals) {
		p = f.portals[f.next]
	}
	if f.narrows(f.right, p.Right, -1) {
		if f.crosses(f.left, p.Right, -1) {
			f.turns = append(f.turns, f.left)
			f.restart(f.left)
			return true
		}
		f.right = Turn{p.Right, f.next}
	}
	if f.narrows(f.left, p.Left, 1) {
		if f.crosses(f.right, p.Left, 1) {
			f.turns = append(f.turns, f.right)
			f.restart(f.right)
			return true
		}
		f.left = Turn{p.Left, f.next}
	}
	if f.next++; f.next <= len(f.portals) {
		return true
	}
	f.turns = finish(f.turns, 0, f.goal, len(f.portals), f.slack)
	f.done = true
	return false
}

// narrows reports whether the end p lies on the inner side of the side of
// which it is the new end; sign is 1 for the left side and -1 for the right.
func (f *Funnel) narrows(own Turn, p geom.Vec3, sign float64) bool {
	return coincide(own.Pos, f.apex.Pos, f.slack) || !bends(f.apex.Pos, own, p, sign, f.portals)
}

// crosses reports whether the end p lies beyond the other side; sign is that
// side's.
func (f *Funnel) crosses(other Turn, p geom.Vec3, sign float64) bool {
	if coincide(other.Pos, f.apex.Pos, f.slack) || coincide(p, f.apex.Pos, f.slack) {
		return false
	}
	return bends(f.apex.Pos, other, p, -sign, f.portals)
}

// bends reports whether the way from a over the portal end b to p turns at b:
// to the left for sign 1, to the right for -1, or straight back.
//
// When the portal of b itself lies on the line, the way may go through it
// anywhere, and so has to come to its nearer end only.
func bends(a geom.Vec3, b Turn, p geom.Vec3, sign float64, portals []Portal) bool {
	if s := float64(sign * side(a, b.Pos, p)); s != 0 {
		return s > 0
	}
	reach := ahead(a, b.Pos, b.Pos)
	if ahead(a, b.Pos, p) >= reach {
		return false
	}
	if b.Portal < len(portals) {
		q := &portals[b.Portal]
		if side(a, q.Right, q.Left) == 0 {
			reach = max(0, min(ahead(a, b.Pos, q.Right), ahead(a, b.Pos, q.Left)))
		}
	}
	return reach > 0 && ahead(a, b.Pos, p) < reach
}

// finish appends the goal, in place of a last turn at the same point. Start is
// the index of the start in turns.
func finish(turns []Turn, start int, goal geom.Vec3, portals int, slack float64) []Turn {
	if last := len(turns) - 1; last >= start && coincide(turns[last].Pos, goal, slack) {
		turns = turns[:last]
	}
	return append(turns, Turn{goal, portals})
}

// Apex returns the last turn so far, at first the start.
func (f *Funnel) Apex() Turn { return f.apex }

// Right returns the end of the right side, the apex when there is none yet.
func (f *Funnel) Right() Turn { return f.right }

// Left returns the end of the left side, the apex when there is none yet.
func (f *Funnel) Left() Turn { return f.left }

// Next returns the index of the portal the next Step takes up.
func (f *Funnel) Next() int { return f.next }

// Turns returns the start and the turns found so far, and at the end the goal.
// They are valid until the next call of Reset.
func (f *Funnel) Turns() []Turn { return f.turns }
