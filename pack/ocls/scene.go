package ocls

import (
	"math"

	"wend/geom"
)

// A Scene is the collision world of one zone, as stored. Scenes that were read
// are immutable by convention and may be shared; [Scene.Validate] tells what
// holds for them.
type Scene struct {
	Step             float64 // metres a position step, > 0
	OriginX, OriginZ int64   // added to every position, in steps; heights have no origin

	RotUnits  uint32 // a stored quaternion component r means r/RotUnits*√½; not 0
	ScaleBits uint32 // a stored scale s means s/2^ScaleBits; at most 52

	Samples uint32  // samples a side of a terrain block, at least 2 where there are blocks
	Cell    float64 // metres between samples, > 0 where there are blocks
	Base    float64 // sample k stands at height Base + Rise*k metres
	Rise    float64

	Templates []Template
	Palette   []Scale    // scales that instances share
	Instances []Instance // ordered by template
	Matrices  [][9]float32
	Blocks    []Block
}

// A Template is a mesh that instances place into the world. A template without
// triangles is legal.
type Template struct {
	Exp   int8        // vertices are in steps of 2^Exp units, -60 to 60
	Verts [][3]int64  // within ±2^53, in order of first use by Tris
	Tris  [][3]uint32 // indices of Verts, clockwise seen from outside
}

// Scale is a scale along the axes of a template, in units of 2^-ScaleBits. A
// negative entry mirrors.
type Scale [3]int64

// Codes of an instance: below CodeMatrix it is the component of the quaternion
// (x, y, z, w) that is not stored, because it is the largest.
const CodeMatrix = 4

// An Instance is a template in the world.
type Instance struct {
	Pos      [3]int64 // steps, x and z relative to the origin; within ±2^53
	Rot      [3]int64 // the three stored quaternion components, in their order; within ±RotUnits
	Template uint32
	Use      uint32 // entry of Palette; for CodeMatrix the entry of Matrices
	Code     uint8
}

// A Block is a square of terrain. Sample (u, v) is Heights[v*Samples+u] and
// stands Cell*u metres in x and Cell*v metres in z from the corner.
type Block struct {
	X, Z    int64 // corner in steps, relative to the origin; within ±2^53
	Heights []int32
	Holes   []byte // one bit a cell, least significant first, row by row; nil = no hole list
}

// Limits of the format.
const (
	maxExp     = 60
	maxBits    = 52      // of ScaleBits
	maxSteps   = 1 << 53 // largest sum of position steps and vertex steps
	sqrtHalf   = math.Sqrt2 / 2
	maxSamples = 1 << 16 // a block of more samples has more than 2^32 bytes
)

// pow2 returns 2^e, exactly, for e in the range of normal numbers.
func pow2(e int) float64 { return math.Float64frombits(uint64(e+1023) << 52) }

// Step returns the lattice step of the template's vertices, in its own units.
func (t *Template) Step() float64 { return pow2(int(t.Exp)) }

// Vertex returns vertex i in the template's units, exactly.
func (t *Template) Vertex(i uint32) geom.Vec3 {
	v, s := t.Verts[i], t.Step()
	return geom.V3(float64(v[0])*s, float64(v[1])*s, float64(v[2])*s)
}

// Box returns the bounds of the vertices, in the template's units.
func (t *Template) Box() geom.Box {
	b := geom.EmptyBox()
	for i := range t.Verts {
		b = b.Extend(t.Vertex(uint32(i)))
	}
	return b
}

// Place returns where instance i stands: the map from template units to
// metres. The order of operations is part of the format, so the bits are the
// same for every reader.
func (s *Scene) Place(i int) Affine {
	in := &s.Instances[i]
	m := Affine{T: geom.V3(
		float64(in.Pos[0]+s.OriginX)*s.Step,
		float64(in.Pos[1])*s.Step,
		float64(in.Pos[2]+s.OriginZ)*s.Step,
	)}
	if in.Code == CodeMatrix {
		for k, v := range s.Matrices[in.Use] {
			m.A[k/3][k%3] = float64(v)
		}
		return m
	}
	m.A = rotation(in.quaternion(s.RotUnits))
	unit := pow2(int(s.ScaleBits))
	for j, v := range s.Palette[in.Use] {
		f := float64(v) / unit
		for i := range m.A {
			m.A[i][j] = float64(m.A[i][j] * f)
		}
	}
	return m
}

// quaternion restores x, y, z, w from the three stored components.
func (in *Instance) quaternion(units uint32) (q [4]float64) {
	var c [3]float64
	for k, r := range in.Rot {
		c[k] = float64(float64(r) / float64(units) * sqrtHalf)
	}
	rest := 1 - (float64(c[0]*c[0]) + float64(c[1]*c[1]) + float64(c[2]*c[2]))
	k := 0
	for i := range q {
		if i == int(in.Code) {
			q[i] = math.Sqrt(max(rest, 0))
			continue
		}
		q[i] = c[k]
		k++
	}
	return q
}

// rotation returns the matrix of a unit quaternion.
func rotation(q [4]float64) [3][3]float64 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	xx, yy, zz := float64(x*x), float64(y*y), float64(z*z)
	xy, xz, yz := float64(x*y), float64(x*z), float64(y*z)
	xw, yw, zw := float64(x*w), float64(y*w), float64(z*w)
	// Doubling is exact, so these sums cannot be fused to another result.
	return [3][3]float64{
		{1 - 2*(yy+zz), 2 * (xy - zw), 2 * (xz + yw)},
		{2 * (xy + zw), 1 - 2*(xx+zz), 2 * (yz - xw)},
		{2 * (xz - yw), 2 * (yz + xw), 1 - 2*(xx+yy)},
	}
}

// BlockPoint returns sample (u, v) of block i in the world.
func (s *Scene) BlockPoint(i, u, v int) geom.Vec3 {
	b := &s.Blocks[i]
	return geom.V3(
		float64(float64(b.X+s.OriginX)*s.Step)+float64(float64(u)*s.Cell),
		s.Height(b.Heights[v*int(s.Samples)+u]),
		float64(float64(b.Z+s.OriginZ)*s.Step)+float64(float64(v)*s.Cell),
	)
}

// Height returns the height of a terrain sample in metres.
func (s *Scene) Height(k int32) float64 { return s.Base + float64(s.Rise*float64(k)) }

// Hole reports whether cell (u, v) of a block of n samples a side is a hole;
// u and v are below n-1.
func (b *Block) Hole(n, u, v int) bool {
	if b.Holes == nil {
		return false
	}
	c := v*(n-1) + u
	return b.Holes[c>>3]>>(c&7)&1 != 0
}

// holeBytes returns the bytes of a hole list.
func holeBytes(n int) int { return ((n-1)*(n-1) + 7) / 8 }

// An Affine maps p to A*p + T.
type Affine struct {
	A [3][3]float64 // rows
	T geom.Vec3
}

// Apply maps a point. Each coordinate is the sum of its rounded products from
// left to right; since rounding is monotone, the image of a box's corners
// bounds the image of every point in it without any margin.
func (m *Affine) Apply(p geom.Vec3) geom.Vec3 {
	return geom.V3(
		float64(m.A[0][0]*p.X)+float64(m.A[0][1]*p.Y)+float64(m.A[0][2]*p.Z)+m.T.X,
		float64(m.A[1][0]*p.X)+float64(m.A[1][1]*p.Y)+float64(m.A[1][2]*p.Z)+m.T.Y,
		float64(m.A[2][0]*p.X)+float64(m.A[2][1]*p.Y)+float64(m.A[2][2]*p.Z)+m.T.Z,
	)
}

// Box returns the bounds of the eight images of b's corners. A box with a
// corner that is not a number has the bounds of everything.
func (m *Affine) Box(b geom.Box) geom.Box {
	if b.IsEmpty() {
		return b
	}
	lo := [3]float64{b.Min.X, b.Min.Y, b.Min.Z}
	hi := [3]float64{b.Max.X, b.Max.Y, b.Max.Z}
	t := [3]float64{m.T.X, m.T.Y, m.T.Z}
	var from, to [3]float64
	for i, row := range m.A {
		var l, h [3]float64
		for j, a := range row {
			p, q := float64(a*lo[j]), float64(a*hi[j])
			l[j], h[j] = min(p, q), max(p, q)
		}
		from[i] = l[0] + l[1] + l[2] + t[i]
		to[i] = h[0] + h[1] + h[2] + t[i]
		if from[i] != from[i] || to[i] != to[i] {
			from[i], to[i] = math.Inf(-1), math.Inf(1)
		}
	}
	return geom.Box{Min: geom.V3(from[0], from[1], from[2]), Max: geom.V3(to[0], to[1], to[2])}
}

// cofactors returns the cofactors of A, row by row.
func (m *Affine) cofactors() (c [3][3]float64) {
	a := &m.A
	for i := range 3 {
		i1, i2 := (i+1)%3, (i+2)%3
		for j := range 3 {
			j1, j2 := (j+1)%3, (j+2)%3
			c[i][j] = float64(a[i1][j1]*a[i2][j2]) - float64(a[i1][j2]*a[i2][j1])
		}
	}
	return c
}

// Det returns the determinant of A.
func (m *Affine) Det() float64 {
	c := m.cofactors()
	return float64(m.A[0][0]*c[0][0]) + float64(m.A[0][1]*c[0][1]) + float64(m.A[0][2]*c[0][2])
}

// Inverse returns the inverse of A, the adjugate divided by the determinant.
// It reports false where the determinant is 0 or not finite.
func (m *Affine) Inverse() (inv [3][3]float64, ok bool) {
	det := m.Det()
	if det == 0 || det-det != 0 {
		return inv, false
	}
	c := m.cofactors()
	for i := range 3 {
		for j := range 3 {
			inv[i][j] = c[j][i] / det
		}
	}
	return inv, true
}
