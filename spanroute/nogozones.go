package spanroute

import (
	"wend/geom"
	"wend/spanpath"
)

// NoGoZone is an author's no-go polygon, those of the pack and those of the
// table alike.
type NoGoZone struct {
	ID       string
	Ring     []geom.Vec2 // world, m: X, and Z as Y
	Min, Max float64     // m, closed; infinite where there is no band
}

// NoGo returns the no-go polygons of a zone, the pack's first, nil for a name
// that no zone has.
func (e *Engine) NoGo(zone string) []NoGoZone {
	at := tableIndex(e.main, zone)
	if at < 0 {
		return nil
	}
	z := zoneEntry{place: &e.main.Table[at]}
	var out []NoGoZone
	for _, r := range e.noGo[zone] {
		n := NoGoZone{ID: r.ID, Min: r.Min, Max: r.Max}
		for _, p := range r.Points {
			q := z.worldAt(spanpath.Point{U: p[0], V: p[1]}, 0)
			n.Ring = append(n.Ring, geom.Vec2{X: q.X, Y: q.Z})
		}
		out = append(out, n)
	}
	return out
}
