package route

import (
	"wend/navmesh"
)

// clearances fills in how far walls are from each point. The mesh keeps the
// body's radius from walls by itself, so that comes on top of the distance to
// its edge.
func (p *MeshPlanner) clearances(dst *Route, most float64, filter *navmesh.Filter) {
	for i := range p.path.Points {
		pt := &p.path.Points[i]
		d, err := p.query.DistanceToWall(navmesh.Location{Poly: pt.Poly, Pos: pt.Pos}, max(most-p.radius, 0), filter)
		if err != nil {
			continue // the path's own points are in range
		}
		dst.Points[i].Clearance = min(d+p.radius, most)
	}
}
