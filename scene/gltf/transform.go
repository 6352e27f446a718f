package gltf

import (
	"fmt"
	"math"

	"wend/geom"
)

// affine moves points: x, y and z are the images of the axes, t that of the
// origin.
type affine struct{ x, y, z, t geom.Vec3 }

var identity = affine{x: geom.Vec3{X: 1}, y: geom.Vec3{Y: 1}, z: geom.Vec3{Z: 1}}

// point returns the image of a point.
func (m *affine) point(p geom.Vec3) geom.Vec3 { return m.direction(p).Add(m.t) }

// direction returns the image of a difference of points.
func (m *affine) direction(p geom.Vec3) geom.Vec3 {
	return geom.Vec3{
		X: float64(m.x.X*p.X) + float64(m.y.X*p.Y) + float64(m.z.X*p.Z),
		Y: float64(m.x.Y*p.X) + float64(m.y.Y*p.Y) + float64(m.z.Y*p.Z),
		Z: float64(m.x.Z*p.X) + float64(m.y.Z*p.Y) + float64(m.z.Z*p.Z),
	}
}

// after returns the transform that does n first and then m.
func (m *affine) after(n *affine) affine {
	return affine{m.direction(n.x), m.direction(n.y), m.direction(n.z), m.point(n.t)}
}

// mirrors reports whether m turns left hands into right hands.
func (m *affine) mirrors() bool { return m.x.Cross(m.y).Dot(m.z) < 0 }

// compose returns the transform that scales, then turns by a quaternion
// (x, y, z, w) of any length but 0, then moves. ok is false for one without
// length.
func compose(t geom.Vec3, q [4]float64, s geom.Vec3) (m affine, ok bool) {
	n := math.Sqrt(float64(q[0]*q[0]) + float64(q[1]*q[1]) + float64(q[2]*q[2]) + float64(q[3]*q[3]))
	if !(n > 0) || n-n != 0 {
		return affine{}, false
	}
	x, y, z, w := q[0]/n, q[1]/n, q[2]/n, q[3]/n
	xx, yy, zz := float64(x*x), float64(y*y), float64(z*z)
	xy, xz, yz := float64(x*y), float64(x*z), float64(y*z)
	wx, wy, wz := float64(w*x), float64(w*y), float64(w*z)
	return affine{
		x: geom.Vec3{X: 1 - 2*(yy+zz), Y: 2 * (xy + wz), Z: 2 * (xz - wy)}.Scale(s.X),
		y: geom.Vec3{X: 2 * (xy - wz), Y: 1 - 2*(xx+zz), Z: 2 * (yz + wx)}.Scale(s.Y),
		z: geom.Vec3{X: 2 * (xz + wy), Y: 2 * (yz - wx), Z: 1 - 2*(xx+yy)}.Scale(s.Z),
		t: t,
	}, true
}

// local returns the transform of node i.
func (f *file) local(i int) (affine, error) {
	n := &f.doc.Nodes[i]
	p := fmt.Sprintf("nodes[%d]", i)
	if n.Matrix != nil {
		if n.Translation != nil || n.Rotation != nil || n.Scale != nil {
			return affine{}, f.invalid(p+".matrix", "the node has both a matrix and a translation, rotation or scale")
		}
		return f.matrix(n.Matrix, p+".matrix")
	}
	t, q, s := geom.Vec3{}, [4]float64{3: 1}, geom.Vec3{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		name   string
		values []float64
		want   int
	}{{".translation", n.Translation, 3}, {".rotation", n.Rotation, 4}, {".scale", n.Scale, 3}} {
		if c.values != nil && len(c.values) != c.want {
			return affine{}, f.invalid(p+c.name, "%d numbers, want %d", len(c.values), c.want)
		}
	}
	if v := n.Translation; v != nil {
		t = geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
	}
	if n.Rotation != nil {
		q = [4]float64(n.Rotation)
	}
	if v := n.Scale; v != nil {
		s = geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
	}
	m, ok := compose(t, q, s)
	if !ok {
		return affine{}, f.invalid(p+".rotation", "the quaternion has no length")
	}
	return m, nil
}

// matrix turns the 16 numbers of a matrix, column after column, into a
// transform.
func (f *file) matrix(v []float64, p string) (affine, error) {
	if len(v) != 16 {
		return affine{}, f.invalid(p, "%d numbers, want 16", len(v))
	}
	const slack = 1e-6
	if math.Abs(v[3]) > slack || math.Abs(v[7]) > slack || math.Abs(v[11]) > slack || math.Abs(v[15]-1) > slack {
		return affine{}, f.invalid(p, "the last row is %g %g %g %g, want 0 0 0 1", v[3], v[7], v[11], v[15])
	}
	return affine{
		x: geom.Vec3{X: v[0], Y: v[1], Z: v[2]},
		y: geom.Vec3{X: v[4], Y: v[5], Z: v[6]},
		z: geom.Vec3{X: v[8], Y: v[9], Z: v[10]},
		t: geom.Vec3{X: v[12], Y: v[13], Z: v[14]},
	}, nil
}
