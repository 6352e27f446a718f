package wendtest

import (
	"fmt"
	"math"
	"slices"

	"wend/geom"
	"wend/internal/detmath"
	"wend/scene"
)

// Walker judges routes on the source triangles alone, by plain geometry: it
// knows nothing of voxels, polygons or searches. It walks a route in small
// steps, keeps the set of floors the body can be on, and at each step asks
// whether a floor is in reach and whether the body has room.
//
// Tolerance: Cell is how far floors and walls may be from where the route says
// in plan, CellHeight the same for heights. A body is thus checked with its
// radius less one cell, and with its height less one voxel.
type Walker struct {
	Radius, Height, Climb, SlopeDeg float64
	Cell, CellHeight                float64

	sc     *scene.Scene
	minCos float64
	box    geom.Box
	side   float64
	w, d   int
	bins   [][]int32
	seen   []uint32
	epoch  uint32
	near   []int32
}

// NewWalker indexes a scene. Change the exported fields before the first
// Check.
func NewWalker(sc *scene.Scene) *Walker {
	w := &Walker{
		Radius: 0.6, Height: 2, Climb: 0.9, SlopeDeg: 45, Cell: 0.3, CellHeight: 0.2,
		sc: sc, box: sc.Bounds(), side: 1, seen: make([]uint32, len(sc.Tris)),
	}
	size := w.box.Size()
	w.w, w.d = int(size.X/w.side)+1, int(size.Z/w.side)+1
	w.bins = make([][]int32, w.w*w.d)
	for i := range sc.Tris {
		a, b, c := w.corners(int32(i))
		t := geom.EmptyBox().Extend(a).Extend(b).Extend(c)
		w.eachBin(t, func(k int) { w.bins[k] = append(w.bins[k], int32(i)) })
	}
	return w
}

func (w *Walker) corners(i int32) (a, b, c geom.Vec3) {
	t := &w.sc.Tris[i]
	return w.sc.Verts[t.V[0]], w.sc.Verts[t.V[1]], w.sc.Verts[t.V[2]]
}

func (w *Walker) eachBin(b geom.Box, visit func(int)) {
	clamp := func(v float64, n int) int { return min(max(int(math.Floor(v/w.side)), 0), n-1) }
	for z := clamp(b.Min.Z-w.box.Min.Z, w.d); z <= clamp(b.Max.Z-w.box.Min.Z, w.d); z++ {
		for x := clamp(b.Min.X-w.box.Min.X, w.w); x <= clamp(b.Max.X-w.box.Min.X, w.w); x++ {
			visit(z*w.w + x)
		}
	}
}

// around collects the triangles whose bins lie within r of p in plan.
func (w *Walker) around(p geom.Vec3, r float64) []int32 {
	w.epoch++
	w.near = w.near[:0]
	w.eachBin(geom.Box{Min: p.Sub(geom.V3(r, 0, r)), Max: p.Add(geom.V3(r, 0, r))}, func(k int) {
		for _, i := range w.bins[k] {
			if w.seen[i] != w.epoch {
				w.seen[i] = w.epoch
				w.near = append(w.near, i)
			}
		}
	})
	return w.near
}

// floor is a height a body may stand at.
type floor struct {
	y    float64
	kerb bool // not walkable by itself, but low enough to step on
}

// floors appends the heights one could stand at within a cell of p. Triangles
// steeper than the slope limit count as kerbs.
func (w *Walker) floors(dst []floor, p geom.Vec3, near []int32) []floor {
	for _, i := range near {
		a, b, c := w.corners(i)
		n := b.Sub(a).Cross(c.Sub(a))
		if !(n.Y > 0) || n.Y < 1e-3*n.Len() {
			continue
		}
		q, dist := closestInPlan(p, a, b, c)
		if dist > w.Cell*math.Sqrt2 {
			continue
		}
		y := a.Y - (n.X*(q.X-a.X)+n.Z*(q.Z-a.Z))/n.Y
		if q != p && n.Y >= w.minCos*n.Len() {
			// A voxel's floor is the highest point of the triangle in it.
			reach := w.Cell * math.Sqrt(n.X*n.X+n.Z*n.Z) / n.Y
			dst = append(dst, floor{y: y + reach}, floor{y: y - reach})
		}
		dst = append(dst, floor{y: y, kerb: n.Y < w.minCos*n.Len()})
	}
	return dst
}

// closestInPlan returns the point of triangle abc (seen from above) closest to
// p, p itself when it lies inside, and the distance. Heights are ignored.
func closestInPlan(p, a, b, c geom.Vec3) (geom.Vec3, float64) {
	if geom.Area2(a, b, p) >= 0 && geom.Area2(b, c, p) >= 0 && geom.Area2(c, a, p) >= 0 {
		return p, 0
	}
	best, bestD := p, math.Inf(1)
	for _, e := range [3][2]geom.Vec3{{a, b}, {b, c}, {c, a}} {
		if t, d := geom.ClosestOnSegXZ(p, e[0], e[1]); d < bestD {
			best, bestD = geom.Lerp(e[0], e[1], t), d
		}
	}
	return best, math.Sqrt(bestD)
}

// blocked reports whether solid matter reaches into the body standing at
// height y at p.
func (w *Walker) blocked(p geom.Vec3, y float64, near []int32) bool {
	lo, hi := y+w.Climb+w.CellHeight, y+w.Height-w.CellHeight
	r := w.Radius - w.Cell
	var buf [8]geom.Vec3
	for _, i := range near {
		a, b, c := w.corners(i)
		if max(a.Y, b.Y, c.Y) <= lo || min(a.Y, b.Y, c.Y) >= hi {
			continue
		}
		poly := append(buf[:0], a, b, c)
		poly = clipY(clipY(poly, lo, 1), hi, -1)
		if len(poly) > 0 && planDistance(p, poly) < r {
			return true
		}
	}
	return false
}

// clipY keeps the part of a polygon with sign*y >= sign*at.
func clipY(in []geom.Vec3, at, sign float64) []geom.Vec3 {
	out := make([]geom.Vec3, 0, len(in)+1)
	for i, p := range in {
		q := in[(i+1)%len(in)]
		dp, dq := sign*(p.Y-at), sign*(q.Y-at)
		if dp >= 0 {
			out = append(out, p)
		}
		if (dp < 0) != (dq < 0) {
			out = append(out, geom.Lerp(p, q, dp/(dp-dq)))
		}
	}
	return out
}

func planDistance(p geom.Vec3, poly []geom.Vec3) float64 {
	best := math.Inf(1)
	pos, neg := false, false
	for i, a := range poly {
		b := poly[(i+1)%len(poly)]
		_, d := geom.ClosestOnSegXZ(p, a, b)
		best = min(best, d)
		s := geom.Area2(a, b, p)
		pos, neg = pos || s > 0, neg || s < 0
	}
	if pos != neg {
		return 0
	}
	return math.Sqrt(best)
}

// Check walks the points of a route and returns an error naming the first
// place where the body cannot go on. Off-mesh pieces are not its business:
// cut the route there.
func (w *Walker) Check(points []geom.Vec3) error {
	if len(points) == 0 {
		return nil
	}
	w.minCos = detmath.CosDeg(w.SlopeDeg) - 1e-3
	const step = 0.1
	// The first floor: whatever is near the height the route starts at.
	stand := []float64{points[0].Y}
	slack := w.Climb + 2*w.CellHeight
	for i := 0; i+1 < len(points) || i == 0; i++ {
		a := points[i]
		b := points[min(i+1, len(points)-1)]
		n := max(1, int(math.Ceil(geom.DistXZ(a, b)/step)))
		for k := 0; k <= n; k++ {
			p := geom.Lerp(a, b, float64(k)/float64(n))
			near := w.around(p, w.Radius+w.Cell)
			found := w.floors(nil, p, near)
			slices.SortFunc(found, func(f, g floor) int {
				if f.y < g.y {
					return -1
				}
				return 1
			})
			var next []float64
			why := "no floor in reach"
			for _, f := range found {
				if !reaches(stand, f.y, slack) || f.kerb && !kerbOn(found, f.y, slack) {
					continue
				}
				if w.blocked(p, f.y, near) {
					why = "no room for the body"
					continue
				}
				if len(next) == 0 || f.y-next[len(next)-1] > 0.01 {
					next = append(next, f.y)
				}
			}
			if len(next) == 0 {
				return fmt.Errorf("at (%.2f, %.2f, %.2f), segment %d of %d: %s (standing at %.2f, floors %v)",
					p.X, p.Y, p.Z, i+1, len(points)-1, why, stand, found)
			}
			stand = next
		}
		if !reaches(stand, b.Y, slack) {
			return fmt.Errorf("point %d is at height %.2f, the floors there are %.2f", i+1, b.Y, stand)
		}
		// The route names its floor at each point: go on from there.
		stand = slices.DeleteFunc(stand, func(y float64) bool { return math.Abs(y-b.Y) > slack })
	}
	return nil
}

func reaches(stand []float64, y, slack float64) bool {
	for _, s := range stand {
		if math.Abs(s-y) <= slack {
			return true
		}
	}
	return false
}

// kerbOn reports whether a walkable floor lies below y within slack.
func kerbOn(found []floor, y, slack float64) bool {
	for _, f := range found {
		if !f.kerb && f.y <= y && y-f.y <= slack {
			return true
		}
	}
	return false
}
