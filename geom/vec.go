package geom

import "math"

// Vec2 is a point or direction in a plane. For world points it is the ground
// plane: X is world X and Y is world Z.
type Vec2 struct{ X, Y float64 }

// Vec3 is a point or direction in the world, in metres, Y up. In JSON it is an
// object with x, y and z.
type Vec3 struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

// Vec3f is the storage form of a Vec3: what mesh files and flat arrays hold.
// Widening to Vec3 is exact.
type Vec3f struct{ X, Y, Z float32 }

// V3 is shorthand for Vec3{x, y, z}.
func V3(x, y, z float64) Vec3 { return Vec3{x, y, z} }

// Wide returns the exact float64 form.
func (v Vec3f) Wide() Vec3 { return Vec3{float64(v.X), float64(v.Y), float64(v.Z)} }

// Narrow rounds each coordinate to float32.
func (v Vec3) Narrow() Vec3f { return Vec3f{float32(v.X), float32(v.Y), float32(v.Z)} }

// XZ projects to the ground plane.
func (v Vec3) XZ() Vec2 { return Vec2{v.X, v.Z} }

// Add returns v + w.
func (v Vec3) Add(w Vec3) Vec3 { return Vec3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v Vec3) Sub(w Vec3) Vec3 { return Vec3{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Scale returns v times s, each product rounded even where the call is inlined
// into a sum.
func (v Vec3) Scale(s float64) Vec3 {
	return Vec3{float64(v.X * s), float64(v.Y * s), float64(v.Z * s)}
}

// Dot returns the scalar product, each term rounded.
func (v Vec3) Dot(w Vec3) float64 {
	return float64(v.X*w.X) + float64(v.Y*w.Y) + float64(v.Z*w.Z)
}

// Cross returns the vector product by the right-hand rule, each term rounded.
func (v Vec3) Cross(w Vec3) Vec3 {
	return Vec3{
		float64(v.Y*w.Z) - float64(v.Z*w.Y),
		float64(v.Z*w.X) - float64(v.X*w.Z),
		float64(v.X*w.Y) - float64(v.Y*w.X),
	}
}

// Len returns the length of v.
func (v Vec3) Len() float64 { return math.Sqrt(v.Dot(v)) }

// Lerp returns the point at parameter t on the segment a-b; exactly a for
// t = 0 and exactly b for t = 1.
func Lerp(a, b Vec3, t float64) Vec3 {
	if t == 1 {
		return b
	}
	return Vec3{
		a.X + float64((b.X-a.X)*t),
		a.Y + float64((b.Y-a.Y)*t),
		a.Z + float64((b.Z-a.Z)*t),
	}
}

// Dist returns the distance between a and b in three dimensions.
func Dist(a, b Vec3) float64 { return math.Sqrt(DistSq(a, b)) }

// DistSq returns the squared distance between a and b in three dimensions.
func DistSq(a, b Vec3) float64 {
	d := b.Sub(a)
	return d.Dot(d)
}

// DistXZ returns the distance between a and b seen from above.
func DistXZ(a, b Vec3) float64 { return math.Sqrt(DistXZSq(a, b)) }

// DistXZSq returns the squared distance between a and b seen from above.
func DistXZSq(a, b Vec3) float64 {
	dx, dz := b.X-a.X, b.Z-a.Z
	return float64(dx*dx) + float64(dz*dz)
}

// IsFinite reports whether no coordinate is NaN or infinite.
func (v Vec3) IsFinite() bool {
	// x-x is 0 for finite x and NaN otherwise.
	return v.X-v.X == 0 && v.Y-v.Y == 0 && v.Z-v.Z == 0
}

// IsFinite reports whether no coordinate is NaN or infinite.
func (v Vec2) IsFinite() bool { return v.X-v.X == 0 && v.Y-v.Y == 0 }

// Area2 returns twice the signed area of the triangle a, b, c seen from
// above: positive when c lies left of the line from a to b (the triangle is
// counter-clockwise seen from above), negative when right, 0 when collinear.
func Area2(a, b, c Vec3) float64 {
	return float64((b.Z-a.Z)*(c.X-a.X)) - float64((b.X-a.X)*(c.Z-a.Z))
}

// ClosestOnSegXZ returns the parameter t in [0, 1] of the point of segment
// a-b that is closest to p seen from above, and the squared distance there.
// A segment without extent gives t = 0.
func ClosestOnSegXZ(p, a, b Vec3) (t, distSq float64) {
	dx, dz := b.X-a.X, b.Z-a.Z
	den := float64(dx*dx) + float64(dz*dz)
	if den > 0 {
		t = (float64(dx*(p.X-a.X)) + float64(dz*(p.Z-a.Z))) / den
		t = min(max(t, 0), 1)
	}
	ex := a.X + float64(t*dx) - p.X
	ez := a.Z + float64(t*dz) - p.Z
	return t, float64(ex*ex) + float64(ez*ez)
}
