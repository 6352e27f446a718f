package polygonize

import "wend/internal/region"

// eraser takes vertices out of the mesh. It owns its scratch memory and can be
// used again.
type eraser struct {
	clip   clipper
	merge  merger
	hole   polys
	fans   []fan
	ring   []uint32
	regs   []region.ID // parallel to ring
	points []point
	tris   [][3]int32
}

// fan is the outline of one polygon without the vertex that goes: the corners
// after it, up to the one before it.
type fan struct {
	poly       int32
	start, end uint32
}

// erase takes v out of the polygons that have it and fills the hole with new
// ones. It does so only when v is an end of at most two open edges, the hole
// is one ring of one area code and can be filled exactly; otherwise it leaves
// everything as it is and reports false.
func (e *eraser) erase(ps *polys, verts []Vert, v uint32) bool {
	if !e.collect(ps, v) {
		return false
	}
	e.points = e.points[:0]
	for _, u := range e.ring {
		e.points = append(e.points, flatten(verts[u]))
	}
	var whole bool
	e.tris, whole = e.clip.triangulate(e.tris[:0], e.points)
	if !whole || ringArea2(e.points) != e.oldArea2(ps, verts) {
		return false
	}

	e.hole.slots = ps.slots
	e.hole.reset()
	area := ps.area[e.fans[0].poly]
	for _, t := range e.tris {
		reg := e.regs[t[0]]
		if e.regs[t[1]] != reg || e.regs[t[2]] != reg {
			reg = Mixed
		}
		e.hole.add(reg, area, e.ring[t[0]], e.ring[t[1]], e.ring[t[2]])
	}
	e.merge.merge(&e.hole, verts)

	for p := 0; p < ps.len(); {
		if cornerOf(ps.poly(p), v) >= 0 {
			ps.remove(p)
		} else {
			p++
		}
	}
	ps.addAll(&e.hole)
	return true
}

// collect finds the ring around v, and reports whether there is a single one
// that can do without it.
func (e *eraser) collect(ps *polys, v uint32) bool {
	e.fans = e.fans[:0]
	outer := 0 // edges of the hole that are there already
	for p := range ps.len() {
		poly := ps.poly(p)
		i := cornerOf(poly, v)
		if i < 0 {
			continue
		}
		if len(e.fans) > 0 && ps.area[p] != ps.area[e.fans[0].poly] {
			return false
		}
		e.fans = append(e.fans, fan{int32(p), at(poly, i+1), at(poly, i-1)})
		outer += len(poly) - 2
	}
	if outer <= 2 {
		return false
	}
	// Begin where no other fan ends, which is at the wall; in the middle of
	// the mesh there is no such place and any fan will do.
	begin := 0
	for i := range e.fans {
		preceded := false
		for j := range e.fans {
			preceded = preceded || e.fans[j].end == e.fans[i].start
		}
		if !preceded {
			begin = i
		}
	}
	e.ring, e.regs = e.ring[:0], e.regs[:0]
	f := e.fans[begin]
	e.ring, e.regs = append(e.ring, f.start), append(e.regs, ps.region[f.poly])
	for range e.fans {
		poly := ps.poly(int(f.poly))
		i := cornerOf(poly, v)
		for k := 2; k < len(poly); k++ {
			e.ring = append(e.ring, at(poly, i+k))
			e.regs = append(e.regs, ps.region[f.poly])
		}
		following := -1
		for j := range e.fans {
			if e.fans[j].start == f.end {
				if following >= 0 {
					return false
				}
				following = j
			}
		}
		if following < 0 || following == begin {
			break
		}
		f = e.fans[following]
	}
	if n := len(e.ring) - 1; n > 0 && e.ring[0] == e.ring[n] {
		e.ring, e.regs = e.ring[:n], e.regs[:n]
		outer--
	}
	// Fans that the walk did not meet would be lost.
	return len(e.ring) == outer+1
}

func (e *eraser) oldArea2(ps *polys, verts []Vert) int64 {
	var sum int64
	for _, f := range e.fans {
		sum += polyArea2(ps.poly(int(f.poly)), verts)
	}
	return sum
}

// polyArea2 is twice the signed area of a polygon.
func polyArea2(poly []uint32, verts []Vert) int64 {
	var sum int64
	for i := 2; i < len(poly); i++ {
		sum += area2(flatten(verts[poly[0]]), flatten(verts[poly[i-1]]), flatten(verts[poly[i]]))
	}
	return sum
}

func cornerOf(poly []uint32, v uint32) int {
	for i, u := range poly {
		if u == v {
			return i
		}
	}
	return -1
}

func flatten(v Vert) point { return point{v.X, v.Z} }
