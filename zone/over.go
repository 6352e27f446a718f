package zone

// Over calls do with each triangle whose plan covers a point, its height there,
// and whether it is walkable, in order of their numbers. Triangles without area
// in the plane cover nothing. The near slice is scratch, returned for the next
// call.
func (z *Zone) Over(near []int32, u, v float64, do func(t int32, h float64, walkable bool)) []int32 {
	near = z.Near(near[:0], Box{u, v, u, v})
	for _, t := range near {
		if h, ok := z.HeightAt(t, u, v); ok {
			do(t, h, z.Walkable[t])
		}
	}
	return near
}

// HeightAt returns the height of a triangle at a point of the plane, and false
// where the triangle does not cover it; its edges belong to it.
func (z *Zone) HeightAt(t int32, u, v float64) (float64, bool) {
	a, b, c := z.Verts[z.Tris[t][0]], z.Verts[z.Tris[t][1]], z.Verts[z.Tris[t][2]]
	area := area2(a, b, c)
	if area == 0 {
		return 0, false
	}
	ax, ay := float64(b.U)-float64(a.U), float64(b.V)-float64(a.V)
	bx, by := float64(c.U)-float64(a.U), float64(c.V)-float64(a.V)
	px, py := u-float64(a.U), v-float64(a.V)
	s := (float64(px*by) - float64(py*bx)) / area
	r := (float64(ax*py) - float64(ay*px)) / area
	const slack = 1e-9
	if !(s >= -slack && r >= -slack && s+r <= 1+slack) {
		return 0, false // or not a number
	}
	ha, hb, hc := float64(a.H), float64(b.H), float64(c.H)
	return ha + float64(s*(hb-ha)) + float64(r*(hc-ha)), true
}
