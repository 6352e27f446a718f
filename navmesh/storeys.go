package navmesh

import (
	"cmp"
	"math"
	"slices"

	"wend/geom"
)

// NoStorey is the storey of an off-mesh polygon that is not attached.
const NoStorey = ^uint32(0)

// overlapDepth is how far, in metres, polygons of one storey may reach over
// one another: simplified outlines on two sides of a tile border, rounded
// corners.
const overlapDepth = 0.02

// storeyWork bounds the boxes looked at for each link while storeys are
// labelled, so that a mesh of thousands of surfaces over one another costs
// seconds and not hours. When it is used up the remaining polygons join their
// neighbour's storey untested.
const storeyWork = 256

// StoreyCount returns the number of storeys; see Storey.
func (m *Mesh) StoreyCount() int { return m.storeys }

// Storey returns the storey of p: a connected piece of an island no two
// polygons of which lie over one another. Storeys are numbered from below by
// mean height, ties by their lowest polygon. They are found by spreading from the
// lowest polygon of an island over neighbouring ground: a polygon that would lie
// over or under one of the storey stays out and another storey begins there. An
// off-mesh polygon belongs to the storey it starts at. NoStorey when p is not
// Valid.
func (m *Mesh) Storey(p PolyID) uint32 {
	if !m.Valid(p) {
		return NoStorey
	}
	return m.polys[p].storey
}

// labelStoreys fills in the storey of every polygon.
func (m *Mesh) labelStoreys() {
	n := m.Len()
	for p := range n {
		m.polys[p].storey = NoStorey
	}
	budget := storeyWork * (int64(len(m.links)) + 1024)
	count := uint32(0)
	var queue []PolyID
	for seed := range PolyID(n) {
		if q := &m.polys[seed]; q.kind != KindGround || q.storey != NoStorey {
			continue
		}
		m.polys[seed].storey = count
		queue = append(queue[:0], seed)
		for head := 0; head < len(queue); head++ {
			p := queue[head]
			for _, l := range m.linksOf(p) {
				if q := &m.polys[l.to]; q.kind == KindGround && q.storey == NoStorey &&
					q.island == m.polys[p].island && !m.stacked(l.to, count, &budget) {
					q.storey = count
					queue = append(queue, l.to)
				}
			}
		}
		count++
	}
	m.orderStoreys(count)
	for i := range m.offs {
		if o := &m.offs[i]; o.from != NoPoly {
			m.polys[o.poly].storey = m.polys[o.from].storey
		}
	}
}

// orderStoreys renumbers the storeys from below.
func (m *Mesh) orderStoreys(count uint32) {
	type storey struct {
		id           uint32 // in the order of the lowest polygons
		sum, weight  float64
		plain, polys float64
		mean         float64
	}
	all := make([]storey, count)
	for p := range m.Len() {
		q := &m.polys[p]
		if q.kind != KindGround {
			continue
		}
		s := &all[q.storey]
		y, area := Poly{m, PolyID(p)}.Center().Y, m.planArea(PolyID(p))
		s.id = q.storey
		s.sum += float64(y * area)
		s.weight += area
		s.plain += y
		s.polys++
	}
	for i := range all {
		s := &all[i]
		s.mean = s.sum / s.weight
		if s.weight == 0 {
			s.mean = s.plain / s.polys
		}
	}
	slices.SortFunc(all, func(a, b storey) int {
		return cmp.Or(cmp.Compare(a.mean, b.mean), cmp.Compare(a.id, b.id))
	})
	number := make([]uint32, count)
	for i := range all {
		number[all[i].id] = uint32(i)
	}
	for p := range m.Len() {
		if q := &m.polys[p]; q.storey != NoStorey {
			q.storey = number[q.storey]
		}
	}
	m.storeys = int(count)
}

// stacked reports whether p lies over or under a polygon of a storey.
func (m *Mesh) stacked(p PolyID, storey uint32, budget *int64) bool {
	lo := [3]float32{0, -math.MaxFloat32, 0}
	hi := [3]float32{0, math.MaxFloat32, 0}
	vs := m.cornersOf(p)
	lo[0], lo[2], hi[0], hi[2] = vs[0].X, vs[0].Z, vs[0].X, vs[0].Z
	for _, v := range vs[1:] {
		lo[0], hi[0] = min(lo[0], v.X), max(hi[0], v.X)
		lo[2], hi[2] = min(lo[2], v.Z), max(hi[2], v.Z)
	}
	w := m.index.walk(lo, hi)
	for ; *budget > 0 && w.next(); *budget-- {
		if m.polys[w.poly].storey == storey && planDepth(vs, m.cornersOf(w.poly)) > overlapDepth {
			return true
		}
	}
	return false
}

// planDepth returns how far, in metres, two convex counter-clockwise polygons
// reach over one another seen from above: the least distance one has to move
// along an edge normal to part them, 0 or less when they are apart. Two convex
// polygons are apart exactly when an edge of one parts them (the separating axis
// theorem).
func planDepth(a, b []geom.Vec3f) float64 {
	return min(depthInto(a, b), depthInto(b, a))
}

// depthInto returns the least depth to which b reaches over an edge of a.
func depthInto(a, b []geom.Vec3f) float64 {
	least := math.Inf(1)
	p := a[len(a)-1].Wide()
	for i := range a {
		q := a[i].Wide()
		if long := geom.DistXZ(p, q); long > 0 {
			deepest := math.Inf(-1)
			for _, v := range b {
				deepest = max(deepest, geom.Area2(p, q, v.Wide()))
			}
			least = min(least, deepest/long)
		}
		p = q
	}
	return least
}
