package spanroute

import (
	"fmt"
	"math"
	"slices"

	"wend/geom"
	"wend/route"
	"wend/spangrid"
)

// checkedEnd is an end of a route that is held against what was asked for.
type checkedEnd struct {
	name, then  string // and what a warning says of a route that is not as asked
	index, next int    // its point, and the one beside it
	at          *route.Point
	end         End
	snap        float64 // by the route's own word, m
}

func endsOf(r *Request, got *route.Route) [2]checkedEnd {
	n := len(got.Points)
	return [2]checkedEnd{
		{"start", "the route begins there", 0, min(1, n-1), &got.Points[0], r.From, got.SnapStart},
		{"goal", "the route ends there", n - 1, max(n-2, 0), &got.Points[n-1], r.To, got.SnapEnd},
	}
}

// asAsked reports whether the route begins, or ends, exactly where it was asked to.
func (e *checkedEnd) asAsked() bool {
	return e.at.Pos.X == e.end.At.X && e.at.Pos.Z == e.end.At.Z
}

// ends: a route begins and ends where it was asked to, on the declared storey. One
// that is beside the ground by more than the body at a wall is put on the ground, and
// the answer warns; under a disc it stays where it was asked for, with a warning too.
// In no case is the ground farther away than the request allows.
func (j *judge) ends(r *Request, got *route.Route) error {
	const tiny = 1e-6
	cell := spangrid.Side / j.z.scale()
	room := math.Max(j.radius, r.Body.Radius) + cell + tiny
	limit := r.MaxSnap
	if limit == 0 {
		limit = 2
	}
	limit = math.Min(math.Max(limit, room), 8/j.z.scale()) + tiny
	for _, e := range endsOf(r, got) {
		if e.end.Storey == OnSurface && math.Abs(e.at.Pos.Y-e.end.At.Y) > deckBand+0.01 {
			return fmt.Errorf("%s at height %v, declared %v", e.name, e.at.Pos.Y, e.end.At.Y)
		}
		disc := slices.ContainsFunc(r.Discs, func(d Disc) bool { return geom.DistXZ(d.At, e.end.At) <= d.Radius+tiny })
		drawn := slices.Contains(got.Warnings, fmt.Sprintf("the %s is %.2f m beside ground that can be walked on, the stretch between them is drawn straight", e.name, e.snap))
		put := slices.Contains(got.Warnings, fmt.Sprintf("the %s is %.2f m beside ground that can be walked on, %s", e.name, e.snap, e.then))
		from, to := j.cellOf(e.end.At), j.cellOf(e.at.Pos)
		apart, snap := math.Hypot(float64(from[0]-to[0]), float64(from[1]-to[1]))*cell, geom.DistXZ(e.at.Pos, e.end.At)
		switch {
		case e.asAsked() && e.snap > room && (!disc || !drawn || e.snap > limit+cell):
			return fmt.Errorf("%s as asked, %v m beside the ground, under a disc: %v, warnings %q", e.name, e.snap, disc, got.Warnings)
		case e.asAsked() && e.snap <= room && (drawn || put):
			return fmt.Errorf("%s as asked, %v m beside the ground, warnings %q", e.name, e.snap, got.Warnings)
		case e.asAsked():
		case math.Abs(snap-e.snap) > tiny:
			return fmt.Errorf("%s at %v, asked for %v: %v m, by its own word %v", e.name, e.at.Pos, e.end.At, snap, e.snap)
		case apart <= room || snap > limit:
			return fmt.Errorf("%s at %v, asked for %v: %v m, %v from cell to cell, not more than %v and up to %v", e.name, e.at.Pos, e.end.At, snap, apart, room, limit)
		case disc && j.onMesh(geom.V3(e.end.At.X, e.at.Pos.Y, e.end.At.Z)):
			return fmt.Errorf("%s at %v, asked for %v on the floor under a disc", e.name, e.at.Pos, e.end.At)
		case !put:
			return fmt.Errorf("%s at %v, asked for %v, warnings %q", e.name, e.at.Pos, e.end.At, got.Warnings)
		case inDisc(j.z, r, int(to[0]), int(to[1])) || !j.hasSurface(e.at):
			return fmt.Errorf("%s at %v, asked for %v: no ground", e.name, e.at.Pos, e.end.At)
		}
	}
	return nil
}

// cellOf returns the cell of a place.
func (j *judge) cellOf(p geom.Vec3) [2]int32 {
	at := j.z.plane(p)
	return [2]int32{int32(spangrid.CellOf(at.U)), int32(spangrid.CellOf(at.V))}
}

// hasSurface reports whether a point of a route is on a surface of its region.
func (j *judge) hasSurface(p *route.Point) bool {
	return slices.ContainsFunc(j.byCell[j.cellOf(p.Pos)], func(k int) bool {
		rec := &j.all.f.Records[k]
		return rec.Region == p.Storey && math.Abs(float64(rec.H)-p.Pos.Y) < 1e-4
	})
}

// onMesh reports whether a place lies on the mesh of the zone, at about its height.
func (j *judge) onMesh(p geom.Vec3) bool {
	at := j.z.plane(p)
	for i := range j.z.mesh.Tris {
		if !j.z.mesh.Walkable[i] {
			continue
		}
		u, v := j.z.mesh.Nearest(int32(i), at.U, at.V)
		if h, ok := j.z.mesh.HeightAt(int32(i), u, v); ok && math.Abs(h-p.Y) <= 1 && distance(u-at.U, v-at.V) <= spangrid.Side {
			return true
		}
	}
	return false
}
