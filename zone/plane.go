package zone

import "wend/pack/bnav"

// area2 is twice the area of a triangle in the plane, positive where it is
// counter-clockwise.
func area2(p, q, r bnav.Vertex) float64 {
	return side(p, q, float64(r.U), float64(r.V))
}

// side is twice the area of the triangle of an edge and a point, positive to the
// left of the edge.
func side(p, q bnav.Vertex, u, v float64) float64 {
	pu, pv := float64(p.U), float64(p.V)
	return float64((float64(q.U)-pu)*(v-pv)) - float64((float64(q.V)-pv)*(u-pu))
}

// nearestOn returns the point of a segment nearest to (u, v).
func nearestOn(u, v float64, p, q bnav.Vertex) (x, y float64) {
	px, py := float64(p.U), float64(p.V)
	dx, dy := float64(q.U)-px, float64(q.V)-py
	d := float64(dx*dx) + float64(dy*dy)
	if d == 0 {
		return px, py
	}
	t := (float64((u-px)*dx) + float64((v-py)*dy)) / d
	t = min(max(t, 0), 1)
	return px + float64(t*dx), py + float64(t*dy)
}

// nearest returns the point of a triangle nearest to (u, v): itself where it
// lies on the triangle, else on the first edge that is nearest. A triangle that
// is a line from above has no inside.
func (z *Zone) nearest(t int32, u, v float64) (x, y float64) {
	tri := &z.Tris[t]
	p, q, r := z.Verts[tri[0]], z.Verts[tri[1]], z.Verts[tri[2]]
	if side(p, q, u, v) >= -onTriangle && side(q, r, u, v) >= -onTriangle &&
		side(r, p, u, v) >= -onTriangle && area2(p, q, r) != 0 {
		return u, v
	}
	x, y = nearestOn(u, v, p, q)
	best := square(u-x, v-y)
	for _, e := range [2][2]bnav.Vertex{{q, r}, {r, p}} {
		nu, nv := nearestOn(u, v, e[0], e[1])
		if d := square(u-nu, v-nv); d < best {
			best, x, y = d, nu, nv
		}
	}
	return x, y
}

// square is the squared length of a vector.
func square(u, v float64) float64 { return float64(u*u) + float64(v*v) }
