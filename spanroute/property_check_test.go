package spanroute

import (
	"fmt"
	"math"
	"slices"

	"wend/geom"
	"wend/internal/wendtest"
	"wend/pack/bnav"
	"wend/route"
	"wend/scene"
	"wend/spangrid"
	"wend/spanpath"
)

// A judge holds routes against what the planner does not look at: the triangles
// and no-go polygons of the scene, and the records of the zone decoded in one
// go.
type judge struct {
	z      *zoneEntry
	scene  *scene.Scene
	walker *wendtest.Walker
	rails  []geom.Box // colliders that are no floor
	all    *everything
	byCell map[[2]int32][]int // records
	inset  bool               // the floor was made for a body, so walls are checked too
	radius float64            // of the baked body, m

	tight int // routes that come nearer to a wall than the radius less half a cell
}

func newJudge(w *propertyWorld, z *zoneEntry, all *everything, inset bool) *judge {
	j := &judge{z: z, scene: w.scene, all: all, byCell: map[[2]int32][]int{}, inset: inset}
	for i := range all.f.Records {
		gx, gy := all.at(i)
		k := [2]int32{int32(gx), int32(gy)}
		j.byCell[k] = append(j.byCell[k], i)
	}
	if inset {
		j.radius = 0.6
	}
	floor := *w.scene
	floor.Tris = nil
	boxes := map[uint32]int{}
	for _, t := range w.scene.Tris {
		if !w.scene.Parts[t.Part].NoSurface {
			floor.Tris = append(floor.Tris, t)
			continue
		}
		n := boxes[t.Part] // boxes have 12 triangles
		if n%12 == 0 {
			j.rails = append(j.rails, geom.EmptyBox())
		}
		boxes[t.Part]++
		for _, v := range t.V {
			b := &j.rails[len(j.rails)-1]
			*b = b.Extend(w.scene.Verts[v])
		}
	}
	j.walker = wendtest.NewWalker(&floor)
	if !inset {
		j.walker.Radius, j.walker.Climb = 0, z.e.rules.Climb
	}
	return j
}

// check returns what is wrong with a route for a request.
func (j *judge) check(r *Request, got *route.Route) error {
	if got.Status != route.Complete {
		if len(got.Points) > 0 || got.Failure == nil {
			return fmt.Errorf("status %v with %d points", got.Status, len(got.Points))
		}
		return nil
	}
	for _, f := range []func(*Request, *route.Route) error{j.ends, j.shape, j.waypoints, j.clearance, j.noGo, j.walls, j.falls, j.hooks, j.walk} {
		if err := f(r, got); err != nil {
			return err
		}
	}
	return nil
}

// shape: numbers are numbers, points differ, kinds and falls agree, the length is
// the sum of the stretches.
func (j *judge) shape(r *Request, got *route.Route) error {
	sum := 0.0
	var falls []int
	for i := range got.Points {
		p := &got.Points[i]
		if !finite(p.Pos.X) || !finite(p.Pos.Y) || !finite(p.Pos.Z) || !finite(p.Clearance) {
			return fmt.Errorf("point %d is %+v", i, *p)
		}
		if want := i == len(got.Points)-1; (p.Kind == route.Goal) != want {
			return fmt.Errorf("point %d of %d is a %v", i, len(got.Points), p.Kind)
		}
		if i == 0 {
			continue
		}
		q := &got.Points[i-1]
		sum += p.Pos.Sub(q.Pos).Len()
		if geom.DistXZ(p.Pos, q.Pos)*j.z.scale() < 1e-9 && (i > 1 || len(got.Points) > 2) {
			return fmt.Errorf("points %d and %d are both at %v", i-1, i, p.Pos)
		}
		if q.Kind == route.Drop {
			falls = append(falls, i)
		}
	}
	if math.Abs(sum-got.Length) > 1e-6 {
		return fmt.Errorf("length %v, the stretches sum up to %v", got.Length, sum)
	}
	var recorded []int
	for _, d := range got.Drops {
		recorded = append(recorded, d.Index)
	}
	if !slices.Equal(falls, recorded) {
		return fmt.Errorf("falls land at %v, recorded are %v", falls, recorded)
	}
	return nil
}

func (j *judge) waypoints(r *Request, got *route.Route) error {
	w, prev := got.Waypoints, 0
	for i, k := range w {
		if i > 0 && k <= prev || k < 0 || k >= len(got.Points) || k-prev > 64 {
			return fmt.Errorf("waypoints %v of %d points", w, len(got.Points))
		}
		prev = k
	}
	if len(w) == 0 || w[len(w)-1] != len(got.Points)-1 {
		return fmt.Errorf("waypoints %v of %d points", w, len(got.Points))
	}
	for _, d := range got.Drops {
		if _, ok := slices.BinarySearch(w, d.Index); !ok {
			return fmt.Errorf("waypoints %v without the landing %d", w, d.Index)
		}
	}
	return nil
}

// clearance: what is stored of the cell, 0 inside discs.
func (j *judge) clearance(r *Request, got *route.Route) error {
	for i := range got.Points {
		p := &got.Points[i]
		at := j.z.plane(p.Pos)
		gx, gy := spangrid.CellOf(at.U), spangrid.CellOf(at.V)
		want, best := float32(0), math.Inf(-1)
		for _, k := range j.byCell[[2]int32{int32(gx), int32(gy)}] {
			rec := &j.all.f.Records[k]
			if rec.Region == p.Storey && float64(rec.H) > best {
				best, want = float64(rec.H), bnav.Clearance(rec.Clr)
			}
		}
		zero := p.Clearance == 0 && (inDisc(j.z, r, gx, gy) || j.closed(gx, gy))
		if d := math.Abs(p.Clearance*j.z.scale() - float64(want)); d > 1e-9 && !zero {
			return fmt.Errorf("clearance of point %d is %v px, stored is %v", i, p.Clearance*j.z.scale(), want)
		}
		if p.Clearance != 0 && inDisc(j.z, r, gx, gy) {
			return fmt.Errorf("point %d has clearance %v inside a disc", i, p.Clearance)
		}
	}
	return nil
}

func inDisc(z *zoneEntry, r *Request, gx, gy int) bool {
	m := z.worldAt(middleOf(gx, gy), 0)
	for _, d := range r.Discs {
		if math.Hypot(m.X-d.At.X, m.Z-d.At.Z) <= d.Radius-1e-9 {
			return true
		}
	}
	return false
}

// closed reports whether the middle of a cell is in a no-go polygon seen from
// above.
func (j *judge) closed(gx, gy int) bool {
	m := j.z.worldAt(middleOf(gx, gy), 0)
	for i := range j.scene.NoGo {
		if insideRing(j.scene.NoGo[i].Ring, m) {
			return true
		}
	}
	return false
}

// insideRing follows the ray along +x and counts edges.
func insideRing(ring []geom.Vec2, p geom.Vec3) bool {
	in := false
	for i, a := range ring {
		b := ring[(i+1)%len(ring)]
		if a.Y > b.Y {
			a, b = b, a
		}
		if a.Y <= p.Z && p.Z < b.Y && (b.X-a.X)*(p.Z-a.Y)-(b.Y-a.Y)*(p.X-a.X) > 0 {
			in = !in
		}
	}
	return in
}

// noGo: between the first and the last inner point no place lies well inside a
// cell whose middle is in a no-go polygon, at its height, or in a disc.
func (j *judge) noGo(r *Request, got *route.Route) error {
	for i := 1; i+2 < len(got.Points); i++ {
		if got.Points[i].Kind != route.Corner {
			continue
		}
		a, b := got.Points[i].Pos, got.Points[i+1].Pos
		n := int(geom.DistXZ(a, b)/0.05) + 1
		for k := 0; k <= n; k++ {
			p := geom.Lerp(a, b, float64(k)/float64(n))
			at := j.z.plane(p)
			gx, gy := spangrid.CellOf(at.U), spangrid.CellOf(at.V)
			if math.Max(math.Abs(at.U-spangrid.Center(gx)), math.Abs(at.V-spangrid.Center(gy))) > halfCell-0.01 {
				continue
			}
			if inDisc(j.z, r, gx, gy) {
				return fmt.Errorf("stretch %d runs through a disc at %v", i, p)
			}
			m := j.z.worldAt(middleOf(gx, gy), 0)
			for q := range j.scene.NoGo {
				no := &j.scene.NoGo[q]
				if insideRing(no.Ring, m) && p.Y > no.MinY+0.3 && p.Y < no.MaxY-0.3 {
					return fmt.Errorf("stretch %d runs through no-go zone %d at %v", i, q, p)
				}
			}
		}
	}
	return nil
}

// walls: no walk between inner points crosses a wall of its region at its
// height.
func (j *judge) walls(r *Request, got *route.Route) error {
	if got.Stats.WallCrossings != 0 {
		return fmt.Errorf("%d walls crossed by its own count", got.Stats.WallCrossings)
	}
	for i := 1; i+2 < len(got.Points); i++ {
		p, q := &got.Points[i], &got.Points[i+1]
		if p.Kind != route.Corner || p.Storey != q.Storey {
			continue
		}
		a, b := j.z.plane(p.Pos), j.z.plane(q.Pos)
		var list []spanpath.Segment
		for _, e := range j.z.mesh.AllEdges() {
			if math.Max(e.AU, e.BU) < math.Min(a.U, b.U) || math.Min(e.AU, e.BU) > math.Max(a.U, b.U) ||
				math.Max(e.AV, e.BV) < math.Min(a.V, b.V) || math.Min(e.AV, e.BV) > math.Max(a.V, b.V) {
				continue
			}
			keep, err := j.z.walls.IsWall(e.Key/3, int(e.Key%3), p.Storey)
			if err != nil {
				return err
			}
			if keep {
				list = append(list, spanpath.Segment{AU: e.AU, AV: e.AV, BU: e.BU, BV: e.BV, HA: e.HA, HB: e.HB})
			}
		}
		// Places have been rounded: a kerb may be as high as a step.
		if wallInTheWay(list, a, b, p.Pos.Y, q.Pos.Y, 1, j.z.e.rules.StepUp+1e-6, -1e-3) {
			return fmt.Errorf("stretch %d from %v to %v crosses a wall", i, p.Pos, q.Pos)
		}
	}
	return nil
}

// falls: they go down by more than the climb and no more than the body may, onto
// a surface of the landing's region, a step far, and through no rail.
func (j *judge) falls(r *Request, got *route.Route) error {
	for _, d := range got.Drops {
		a, b := got.Points[d.Index-1].Pos, got.Points[d.Index].Pos
		down := a.Y - d.Y
		if !(down > j.z.e.rules.Climb-1e-4) || math.Abs(b.Y-d.Y) > 1e-6 {
			return fmt.Errorf("a fall from %v to %v, recorded at height %v", a, b, d.Y)
		}
		if m := r.Body.MaxDrop; m > 0 && down > m+1e-4+geom.DistXZ(a, b) { // the ledge may lie lower than the corner before it
			return fmt.Errorf("a fall of %v m, at most %v asked for", down, m)
		}
		at := j.z.plane(b)
		on := j.byCell[[2]int32{int32(spangrid.CellOf(at.U)), int32(spangrid.CellOf(at.V))}]
		if !slices.ContainsFunc(on, func(k int) bool {
			rec := &j.all.f.Records[k]
			return rec.Region == got.Points[d.Index].Storey && math.Abs(float64(rec.H)-d.Y) < 1e-4
		}) {
			return fmt.Errorf("a fall lands at %v, where region %d has no surface", b, got.Points[d.Index].Storey)
		}
		for _, box := range j.rails {
			if geom.DistXZ(a, b) > 3 {
				break // the way to the ledge passes rails on foot
			}
			// A rail is thin in x.
			x := (box.Min.X + box.Max.X) / 2
			if (a.X < x-0.1) == (b.X < x-0.1) || (a.X > x+0.1) == (b.X > x+0.1) {
				continue
			}
			if z := a.Z + (b.Z-a.Z)*(x-a.X)/(b.X-a.X); z > box.Min.Z+0.2 && z < box.Max.Z-0.2 {
				return fmt.Errorf("a fall from %v to %v through the collider %v", a, b, box)
			}
		}
	}
	return nil
}

// hooks: after a landing nobody goes to a corner and back past the landing, unless
// the way straight on is narrower or barred.
func (j *judge) hooks(r *Request, got *route.Route) error {
	for _, d := range got.Drops {
		if d.Index+3 >= len(got.Points) {
			continue
		}
		p := got.Points[d.Index : d.Index+3]
		a, b, c := p[0].Pos, p[1].Pos, p[2].Pos
		long := math.Pow(geom.DistXZ(b, c), 2)
		back := ((a.X-b.X)*(c.X-b.X) + (a.Z-b.Z)*(c.Z-b.Z)) / math.Max(long, 1e-9)
		if p[0].Kind != route.Corner || p[1].Kind != route.Corner || back <= 0 || back >= 1 || geom.DistXZ(geom.Lerp(b, c, back), a) > 0.7 {
			continue
		}
		w := *j.walker
		w.Radius = math.Min(p[0].Clearance, math.Min(p[1].Clearance, p[2].Clearance)) + 0.3
		straight := &route.Route{Points: []route.Point{p[0], p[0], p[2], p[2]}}
		if w.Check([]geom.Vec3{a, c}) == nil && j.noGo(r, straight) == nil && j.walls(r, straight) == nil {
			return fmt.Errorf("a hook after the landing %d: %v, %v, %v", d.Index, a, b, c)
		}
	}
	return nil
}

// walk: the stretches between falls and links are walked on the triangles. An end
// as asked that the body cannot stand at is beside them by what the route says and
// no more; one on the floor is joined over it all the same.
func (j *judge) walk(r *Request, got *route.Route) error {
	w := j.walker
	var walk []geom.Vec3
	points := slices.Clone(got.Points)
	for _, e := range endsOf(r, got) {
		if e.snap == 0 {
			continue
		}
		at, next := &points[e.index], points[e.next]
		in := at.Pos
		if e.asAsked() {
			// Distances are between middles of cells.
			in = geom.Lerp(at.Pos, next.Pos, math.Min(1, (e.snap+w.Cell*math.Sqrt2/2)/math.Max(geom.DistXZ(at.Pos, next.Pos), 1e-9)))
		}
		asked := geom.V3(e.end.At.X, at.Pos.Y, e.end.At.Z)
		if j.onMesh(asked) {
			if j.inset {
				w.Radius = w.Cell + 0.01
			}
			if err := w.Check([]geom.Vec3{in, asked}); err != nil {
				return fmt.Errorf("from the %s to the ground: %w", e.name, err)
			}
		}
		at.Pos = in
	}
	if j.inset { // bodies wider than the floor was made for fit in give or take half a cell
		w.Radius = math.Max(j.radius, r.Body.Radius-w.Cell/2)
	}
	tight := false
	for i := range points {
		walk = append(walk, points[i].Pos)
		if points[i].Kind == route.Corner {
			continue
		}
		if err := w.Check(walk); err != nil {
			return fmt.Errorf("points up to %d: %w", i, err)
		}
		if j.inset && !tight {
			// The stretches to the ends as asked are drawn straight.
			if i == len(points)-1 {
				walk = walk[:len(walk)-1]
			}
			w.Radius += w.Cell / 2
			tight = len(walk) > 1 && w.Check(walk[1:]) != nil
			w.Radius -= w.Cell / 2
		}
		walk = walk[:0]
	}
	if tight {
		j.tight++
	}
	return nil
}
