package navmesh

import "wend/geom"

// AppendTaut appends the shortest path from start to goal through a row of
// portals, seen from above: start, turns, goal. It turns at ends of portals only,
// at strictly less than a straight line, never passes a point twice, and its last
// point is exactly goal; a goal at the start gives one point. Coordinates must
// be finite. It gives the turns that stepping a Funnel gives, in time linear in
// the number of portals (Lee and Preparata 1984), and allocates scratch of 64
// bytes a portal.
func AppendTaut(dst []Turn, start, goal geom.Vec3, portals []Portal) []Turn {
	var c chains
	return c.appendTaut(dst, start, goal, portals)
}

// chains is the funnel with all it remembers: from the apex a chain of portal
// ends to the left and one to the right, each the shortest path to its end. A
// new end cuts its chain back to the tangent point; if that lies on the other
// chain, everything before it is settled. Each end enters once and leaves once,
// which makes the time linear.
//
// Both chains lie in one array with the apex between them: the left one from
// apex down to lo, the right one from apex up to hi.
type chains struct {
	at           []Turn
	lo, apex, hi int
	slack        float64
	portals      []Portal
}

func (c *chains) appendTaut(dst []Turn, start, goal geom.Vec3, portals []Portal) []Turn {
	n := len(portals)
	if len(c.at) < 2*n+5 {
		c.at = make([]Turn, 2*n+5+n/2)
	}
	c.slack, c.portals = pointSlack(start, goal, portals), portals
	c.apex = n + 2
	c.lo, c.hi = c.apex, c.apex
	c.at[c.apex] = Turn{start, -1}
	base := len(dst)
	dst = append(dst, c.at[c.apex])
	for i := range portals {
		dst = c.addRight(dst, Turn{portals[i].Right, i})
		dst = c.addLeft(dst, Turn{portals[i].Left, i})
	}
	// The goal ends the left chain; what is left of that chain are turns.
	dst = c.addRight(dst, Turn{goal, n})
	dst = c.addLeft(dst, Turn{goal, n})
	for i := c.apex - 1; i > c.lo; i-- {
		dst = append(dst, c.at[i])
	}
	return finish(dst, base, goal, n, c.slack)
}

// addRight adds the right end of the next portal.
func (c *chains) addRight(dst []Turn, p Turn) []Turn {
	for c.hi > c.apex && !bends(c.at[c.hi-1].Pos, c.at[c.hi], p.Pos, -1, c.portals) {
		c.hi--
	}
	if c.hi == c.apex {
		if coincide(c.at[c.apex].Pos, p.Pos, c.slack) {
			return dst
		}
		for c.apex > c.lo && bends(c.at[c.apex].Pos, c.at[c.apex-1], p.Pos, 1, c.portals) {
			c.apex--
			dst = append(dst, c.at[c.apex])
		}
		c.hi = c.apex
		if coincide(c.at[c.apex].Pos, p.Pos, c.slack) {
			return dst
		}
	}
	c.hi++
	c.at[c.hi] = p
	return dst
}

// addLeft adds the left end of the next portal.
func (c *chains) addLeft(dst []Turn, p Turn) []Turn {
	for c.lo < c.apex && !bends(c.at[c.lo+1].Pos, c.at[c.lo], p.Pos, 1, c.portals) {
		c.lo++
	}
	if c.lo == c.apex {
		if coincide(c.at[c.apex].Pos, p.Pos, c.slack) {
			return dst
		}
		for c.apex < c.hi && bends(c.at[c.apex].Pos, c.at[c.apex+1], p.Pos, -1, c.portals) {
			c.apex++
			dst = append(dst, c.at[c.apex])
		}
		c.lo = c.apex
		if coincide(c.at[c.apex].Pos, p.Pos, c.slack) {
			return dst
		}
	}
	c.lo--
	c.at[c.lo] = p
	return dst
}

// missedPortal returns the first portal that the legs between turns do not pass
// in its turn, or -1. An end of a portal may be touched from outside within slack
// metres.
func missedPortal(turns []Turn, portals []Portal, slack float64) int {
	for i := 1; i < len(turns); i++ {
		a, b := turns[i-1], turns[i]
		d := geom.DistXZ(a.Pos, b.Pos)
		for j := a.Portal + 1; j < b.Portal; j++ {
			p := &portals[j]
			if geom.Area2(a.Pos, b.Pos, p.Right) <= slack*d && geom.Area2(a.Pos, b.Pos, p.Left) >= -slack*d {
				continue
			}
			_, r := geom.ClosestOnSegXZ(p.Right, a.Pos, b.Pos)
			_, l := geom.ClosestOnSegXZ(p.Left, a.Pos, b.Pos)
			if min(r, l) > slack*slack {
				return j
			}
		}
	}
	return -1
}
