package spangrid

import (
	"math"

	"wend/geom"
	"wend/pack/bnav"
	"wend/zone"
)

// What the gate of drops takes for a body and for its floor, metres. They are
// fixed by the rules version.
const (
	FallClimb  = 0.39 // what a body steps over at an edge
	FallHeight = 2.1  // room it needs above the edge
	FloorBand  = 2.0  // how far a span may be from the triangle it came from
)

// Colliders say what stands in the way of a drop; *occluder.Scene does. Points
// are in the world.
type Colliders interface {
	DropBlocked(take, land geom.Vec3, climb, height float64) bool
}

// A Gate is the [DropGate] of a zone with colliders. A span stands for the point
// of the floor it came from: the nearest one of a triangle within a cell's side
// of the middle of the cell, and within [FloorBand] of its height. Answers are
// remembered, by cell and height, so all windows of a plan should share a gate. It
// is for one goroutine.
type Gate struct {
	zone      *zone.Zone
	place     *bnav.Zone
	colliders Colliders
	answers   map[dropKey]bool
	points    map[pointKey]geom.Vec3
	near      []int32
}

type pointKey struct {
	gx, gy int32
	h      float32 // 0 and -0 are the same key, as they are the same height
}

type dropKey struct{ from, to pointKey }

// NewGate returns the gate of a zone, or nil where nothing can be said: it has no
// colliders, or its entry in the zone table gives it no place in the world.
func NewGate(z *zone.Zone, place *bnav.Zone, colliders Colliders) DropGate {
	if colliders == nil || !place.HasWorld() {
		return nil
	}
	return &Gate{
		zone: z, place: place, colliders: colliders,
		answers: map[dropKey]bool{}, points: map[pointKey]geom.Vec3{},
	}
}

// Allow implements [DropGate].
func (g *Gate) Allow(fromX, fromY, toX, toY int, from, to float32) bool {
	k := dropKey{
		pointKey{int32(fromX), int32(fromY), from},
		pointKey{int32(toX), int32(toY), to},
	}
	if ok, known := g.answers[k]; known {
		return ok
	}
	ok := !g.colliders.DropBlocked(g.at(k.from), g.at(k.to), FallClimb, FallHeight)
	g.answers[k] = ok
	return ok
}

// at returns the point in the world that a span stands for.
func (g *Gate) at(k pointKey) geom.Vec3 {
	if p, known := g.points[k]; known {
		return p
	}
	u, v, y := g.project(Center(int(k.gx)), Center(int(k.gy)), float64(k.h))
	p := geom.V3((u-float64(g.place.TX))/float64(g.place.SX), y, (float64(g.place.TY)-v)/float64(g.place.SY))
	g.points[k] = p
	return p
}

// project returns the point of the floor nearest to (u, v), of equally near
// ones the nearest to height h; the point itself where there is no floor.
func (g *Gate) project(u, v, h float64) (qu, qv, y float64) {
	const slack = 1e-6
	qu, qv, y = u, v, h
	p := geom.V3(u, 0, v)
	away, off := math.Inf(1), 0.0
	g.near = g.zone.Near(g.near[:0], zone.Box{U0: u - Side, V0: v - Side, U1: u + Side, V1: v + Side})
	for _, k := range g.near {
		if !g.zone.Walkable[k] {
			continue
		}
		t := cornersOf(g.zone, k)
		if min(t[0].Y, t[1].Y, t[2].Y) > h+FloorBand+slack || max(t[0].Y, t[1].Y, t[2].Y) < h-FloorBand-slack {
			continue
		}
		q := closestOnPlan(p, &t)
		d := math.Sqrt(geom.DistXZSq(p, q))
		e := math.Abs(q.Y - h)
		if d > Side || e > FloorBand {
			continue
		}
		if d < away || d == away && e < off {
			away, off = d, e
			qu, qv, y = q.X, q.Z, q.Y
		}
	}
	return qu, qv, y
}

// cornersOf returns the corners of a triangle: x = u, y = height, z = v.
func cornersOf(z *zone.Zone, k int32) (t [3]geom.Vec3) {
	for i, v := range z.Tris[k] {
		p := z.Verts[v]
		t[i] = geom.V3(float64(p.U), float64(p.H), float64(p.V))
	}
	return t
}

// closestOnPlan returns the point of a triangle nearest to p, heights not
// counting, with the triangle's height there: the mean of its corners where it
// stands upright.
func closestOnPlan(p geom.Vec3, t *[3]geom.Vec3) geom.Vec3 {
	const slack = 1e-5 // of a cross product: a point so near to an edge is inside
	a, b, c := t[0], t[1], t[2]
	d0, d1, d2 := cross(a, b, p), cross(b, c, p), cross(c, a, p)
	q := p
	if !(min(d0, d1, d2) >= -slack || max(d0, d1, d2) <= slack) {
		best := math.Inf(1)
		for k := range 3 {
			from, to := t[k], t[(k+1)%3]
			s, d := geom.ClosestOnSegXZ(p, from, to)
			if d < best {
				best = d
				q = geom.Lerp(from, to, s)
			}
		}
	}
	det := cross(a, b, c)
	if det == 0 {
		q.Y = (a.Y + b.Y + c.Y) / 3
		return q
	}
	wb, wc := cross(a, q, c)/det, cross(a, b, q)/det
	q.Y = a.Y + float64(wb*(b.Y-a.Y)) + float64(wc*(c.Y-a.Y))
	return q
}

// cross is the plan cross product of b-a and c-a.
func cross(a, b, c geom.Vec3) float64 {
	return float64((b.X-a.X)*(c.Z-a.Z)) - float64((b.Z-a.Z)*(c.X-a.X))
}
