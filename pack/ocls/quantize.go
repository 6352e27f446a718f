package ocls

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"wend/geom"
	"wend/pack"
)

// A World is a collision world in metres, before it is put on the lattices of
// the format.
type World struct {
	Meshes     []Mesh
	Placements []Placement
	Terrain    Terrain
}

// A Mesh is a list of triangles, counter-clockwise seen from outside.
type Mesh struct {
	Verts []geom.Vec3
	Tris  [][3]uint32
}

// A Placement puts a mesh into the world.
type Placement struct {
	Mesh int // index of World.Meshes
	Affine
}

// A Terrain is a number of square blocks of the same size.
type Terrain struct {
	Samples int     // a side, at least 2 where there are blocks
	Cell    float64 // metres between samples
	Blocks  []TerrainBlock
}

// A TerrainBlock has its sample (u, v) at (X + u*Cell, Z + v*Cell).
type TerrainBlock struct {
	X, Z    float64
	Heights []float64 // metres; row by row, v*Samples+u
	Holes   []bool    // of (Samples-1)² cells, row by row; nil = none
}

// Options of [Quantize]. The zero value of a field means its default.
type Options struct {
	Step       float64 // metres; positions are multiples of it. Default 1/256
	VertexStep float64 // template units, a power of two from 2^-60 to 2^60. Default 1/256
	HeightStep float64 // metres; terrain heights are multiples of it. Default 1/64
	RotUnits   uint32  // steps of a quaternion component. Default 32767
	ScaleBits  uint32  // fixed-point bits of a scale, at most 52. Default 12

	// Tolerance is how far rotation and scale may move a point of a mesh from
	// its exact place, in metres; a placement that cannot be stored so well is
	// stored as a matrix of float32. Default: Step.
	Tolerance float64
}

func (o *Options) resolve() (Options, int, error) {
	var r Options
	if o != nil {
		r = *o
	}
	def := func(v *float64, d float64) {
		if *v == 0 {
			*v = d
		}
	}
	def(&r.Step, 1./256)
	def(&r.VertexStep, 1./256)
	def(&r.HeightStep, 1./64)
	def(&r.Tolerance, r.Step)
	r.RotUnits = cmp.Or(r.RotUnits, 32767)
	r.ScaleBits = cmp.Or(r.ScaleBits, 12)
	for _, f := range []struct {
		name string
		v    float64
	}{{"Step", r.Step}, {"VertexStep", r.VertexStep}, {"HeightStep", r.HeightStep}, {"Tolerance", r.Tolerance}} {
		if !(f.v > 0) || !finite(f.v) {
			return r, 0, invalid(pack.ErrRange, "option %s %v, want a finite number above 0", f.name, f.v)
		}
	}
	b := math.Float64bits(r.VertexStep)
	exp := int(b>>52) - 1023
	if b<<12 != 0 || exp < -maxExp || exp > maxExp {
		return r, 0, invalid(pack.ErrRange, "option VertexStep %v, want a power of two from 2^-%d to 2^%d", r.VertexStep, maxExp, maxExp)
	}
	if r.ScaleBits > maxBits {
		return r, 0, invalid(pack.ErrRange, "option ScaleBits %d, want at most %d", r.ScaleBits, maxBits)
	}
	return r, exp, nil
}

// A Report says what [Quantize] did.
type Report struct {
	Order    []int // Order[i] is the placement that instance i came from
	Matrices int   // placements stored as a matrix
	Dropped  int   // triangles that shrank to an edge or a point on the lattice

	VertexError   float64 // largest move of a vertex, in template units, on one axis
	PlaceError    float64 // largest move of a mesh point by rotation and scale, metres, on one axis
	PositionError float64 // largest move of a placement or terrain block, metres, on one axis
	HeightError   float64 // largest move of a terrain sample, metres
}

// Quantize puts a world on the lattices of the format. Vertices that meet
// there become one, meshes that are alike one template; a mesh without a
// placement is left out. Instances are sorted by template and place, so that
// the order of placements does not show in the scene. o may be nil.
//
// Errors wrap pack.ErrNonFinite and pack.ErrRange.
func Quantize(w *World, o *Options) (*Scene, *Report, error) {
	opt, exp, err := o.resolve()
	if err != nil {
		return nil, nil, err
	}
	q := quantizer{
		in: w, opt: opt, exp: exp, rep: &Report{},
		s: &Scene{Step: opt.Step, RotUnits: opt.RotUnits, ScaleBits: opt.ScaleBits, Rise: opt.HeightStep},
	}
	for _, step := range []func() error{q.meshes, q.places, q.terrain} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	q.setOrigin()
	if err := q.s.Validate(); err != nil {
		return nil, nil, err
	}
	return q.s, q.rep, nil
}

type quantizer struct {
	in  *World
	opt Options
	exp int
	rep *Report
	s   *Scene

	template []uint32   // of each mesh that is placed
	boxes    []geom.Box // of the templates
}

// onLattice rounds v to steps and reports whether that many are legal.
func onLattice(v, step float64) (int64, bool) {
	k := math.RoundToEven(v / step)
	if !(math.Abs(k) <= maxSteps) {
		return 0, false
	}
	return int64(k), true
}

func (q *quantizer) meshes() error {
	placed := make([]bool, len(q.in.Meshes))
	for i, p := range q.in.Placements {
		if p.Mesh < 0 || p.Mesh >= len(placed) {
			return invalid(pack.ErrRange, "placement %d: mesh %d of %d", i, p.Mesh, len(placed))
		}
		placed[p.Mesh] = true
	}
	q.template = make([]uint32, len(placed))
	same := map[string]uint32{}
	for i := range placed {
		if !placed[i] {
			continue
		}
		t, err := q.mesh(i)
		if err != nil {
			return err
		}
		one := Scene{Templates: []Template{t}}
		key := string(one.appendCorners(one.appendVertices(one.appendTemplates(nil))))
		id, seen := same[key]
		if !seen {
			id = uint32(len(q.s.Templates))
			same[key] = id
			q.s.Templates = append(q.s.Templates, t)
			q.boxes = append(q.boxes, t.Box())
		}
		q.template[i] = id
	}
	return nil
}

func (q *quantizer) mesh(i int) (Template, error) {
	m := &q.in.Meshes[i]
	t := Template{Exp: int8(q.exp)}
	index := make(map[[3]int64]uint32, len(m.Verts))
	for k, tri := range m.Tris {
		var at [3][3]int64
		for c, v := range [3]uint32{tri[0], tri[2], tri[1]} { // clockwise in the file
			if uint64(v) >= uint64(len(m.Verts)) {
				return t, invalid(pack.ErrRange, "mesh %d: triangle %d has vertex %d of %d", i, k, v, len(m.Verts))
			}
			p := m.Verts[v]
			for axis, x := range [3]float64{p.X, p.Y, p.Z} {
				if !finite(x) {
					return t, invalid(pack.ErrNonFinite, "mesh %d: vertex %d at %v", i, v, p)
				}
				s, ok := onLattice(x, q.opt.VertexStep)
				if !ok {
					return t, invalid(pack.ErrRange, "mesh %d: vertex %d at %v is more than 2^53 steps of %v away", i, v, p, q.opt.VertexStep)
				}
				at[c][axis] = s
				q.rep.VertexError = max(q.rep.VertexError, math.Abs(float64(float64(s)*q.opt.VertexStep)-x))
			}
		}
		if at[0] == at[1] || at[1] == at[2] || at[2] == at[0] {
			q.rep.Dropped++
			continue
		}
		var out [3]uint32
		for c, p := range at {
			id, seen := index[p]
			if !seen {
				id = uint32(len(t.Verts))
				index[p] = id
				t.Verts = append(t.Verts, p)
			}
			out[c] = id
		}
		t.Tris = append(t.Tris, out)
	}
	t.coarsen()
	return t, nil
}

// coarsen takes the largest step that holds all vertices exactly.
func (t *Template) coarsen() {
	var all uint64
	for _, v := range t.Verts {
		all |= uint64(v[0]) | uint64(v[1]) | uint64(v[2])
	}
	if all == 0 {
		return
	}
	shift := min(bits.TrailingZeros64(all), maxExp-int(t.Exp))
	t.Exp += int8(shift)
	for i := range t.Verts {
		for k := range 3 {
			t.Verts[i][k] >>= shift
		}
	}
}

// placedMesh is an instance on the way to its place in the order.
type placedMesh struct {
	Instance
	scale  Scale
	matrix [9]float32
	from   int
}

func comparePlaced(a, b placedMesh) int {
	return cmp.Or(
		cmp.Compare(a.Template, b.Template),
		cmp.Compare(a.Pos[0], b.Pos[0]), cmp.Compare(a.Pos[2], b.Pos[2]), cmp.Compare(a.Pos[1], b.Pos[1]),
		cmp.Compare(a.Code, b.Code),
		slices.Compare(a.Rot[:], b.Rot[:]), slices.Compare(a.scale[:], b.scale[:]), slices.Compare(a.matrix[:], b.matrix[:]),
		cmp.Compare(a.from, b.from),
	)
}

func (q *quantizer) places() error {
	list := make([]placedMesh, len(q.in.Placements))
	for i := range list {
		p := &q.in.Placements[i]
		list[i] = placedMesh{from: i}
		in := &list[i]
		in.Template = q.template[p.Mesh]
		for axis, x := range [3]float64{p.T.X, p.T.Y, p.T.Z} {
			if !finite(x) {
				return invalid(pack.ErrNonFinite, "placement %d at %v", i, p.T)
			}
			s, ok := onLattice(x, q.opt.Step)
			if !ok {
				return invalid(pack.ErrRange, "placement %d at %v is more than 2^53 steps of %v away", i, p.T, q.opt.Step)
			}
			in.Pos[axis] = s
			q.rep.PositionError = max(q.rep.PositionError, math.Abs(float64(float64(s)*q.opt.Step)-x))
		}
		if err := q.turn(in, &p.Affine); err != nil {
			return err
		}
	}
	slices.SortFunc(list, comparePlaced)
	q.palette(list)
	for _, in := range list {
		if in.Code == CodeMatrix {
			in.Use = uint32(len(q.s.Matrices))
			q.s.Matrices = append(q.s.Matrices, in.matrix)
		}
		q.s.Instances = append(q.s.Instances, in.Instance)
		q.rep.Order = append(q.rep.Order, in.from)
	}
	q.rep.Matrices = len(q.s.Matrices)
	return nil
}

// turn stores the matrix of a placement as rotation and scale where that is
// near enough, and as it is otherwise.
func (q *quantizer) turn(in *placedMesh, want *Affine) error {
	for k := range in.matrix {
		v := want.A[k/3][k%3]
		if !finite(v) {
			return invalid(pack.ErrNonFinite, "placement %d: matrix %v", in.from, want.A)
		}
		in.matrix[k] = float32(v)
		if !finite(float64(in.matrix[k])) {
			return invalid(pack.ErrRange, "placement %d: matrix entry %v, want a float32", in.from, v)
		}
	}
	box := q.boxes[in.Template]
	turned := placedMesh{Instance: in.Instance, from: in.from}
	if decompose(want, &turned, q.opt.RotUnits, q.opt.ScaleBits) {
		one := Scene{
			Step: 1, RotUnits: q.opt.RotUnits, ScaleBits: q.opt.ScaleBits,
			Palette: []Scale{turned.scale}, Instances: []Instance{turned.Instance},
		}
		got := one.Place(0)
		if d := displacement(&got, want, box); d <= q.opt.Tolerance {
			q.rep.PlaceError = max(q.rep.PlaceError, d)
			*in = turned
			return nil
		}
	}
	in.Code = CodeMatrix
	var got Affine
	for k, v := range in.matrix {
		got.A[k/3][k%3] = float64(v)
	}
	q.rep.PlaceError = max(q.rep.PlaceError, displacement(&got, want, box))
	return nil
}

// displacement bounds how far, on one axis, two matrices take a point of a box
// apart.
func displacement(a, b *Affine, box geom.Box) float64 {
	if box.IsEmpty() {
		return 0
	}
	reach := [3]float64{
		max(math.Abs(box.Min.X), math.Abs(box.Max.X)),
		max(math.Abs(box.Min.Y), math.Abs(box.Max.Y)),
		max(math.Abs(box.Min.Z), math.Abs(box.Max.Z)),
	}
	most := 0.0
	for i := range 3 {
		d := 0.0
		for j := range 3 {
			d += float64(math.Abs(a.A[i][j]-b.A[i][j]) * reach[j])
		}
		most = max(most, d)
	}
	return most
}

// decompose splits a matrix into a rotation and a scale of each axis; a mirror
// is a negative scale in x. It reports false where a column is too short. A
// matrix that shears gives a wrong result, which the caller notices.
func decompose(m *Affine, in *placedMesh, units, scaleBits uint32) bool {
	unit := pow2(int(scaleBits))
	var r [3][3]float64
	mirrored := m.Det() < 0
	for j := range 3 {
		x, y, z := m.A[0][j], m.A[1][j], m.A[2][j]
		s := math.Sqrt(float64(x*x) + float64(y*y) + float64(z*z))
		if j == 0 && mirrored {
			s = -s
		}
		k, ok := onLattice(s, 1/unit)
		if !ok || k == 0 {
			return false
		}
		in.scale[j] = k
		r[0][j], r[1][j], r[2][j] = x/s, y/s, z/s
	}
	// Four times the square of each component (S. Shepperd, "Quaternion from
	// rotation matrix", 1978); the largest is at least 1.
	sq := [4]float64{
		1 + r[0][0] - r[1][1] - r[2][2],
		1 - r[0][0] + r[1][1] - r[2][2],
		1 - r[0][0] - r[1][1] + r[2][2],
		1 + r[0][0] + r[1][1] + r[2][2],
	}
	k := 0
	for i, v := range sq {
		if v > sq[k] {
			k = i
		}
	}
	if !(sq[k] > 0) {
		return false
	}
	four := 2 * math.Sqrt(sq[k]) // four times the component
	xy, xz, yz := r[0][1]+r[1][0], r[0][2]+r[2][0], r[1][2]+r[2][1]
	xw, yw, zw := r[2][1]-r[1][2], r[0][2]-r[2][0], r[1][0]-r[0][1]
	var c [3]float64
	switch k {
	case 0:
		c = [3]float64{xy, xz, xw}
	case 1:
		c = [3]float64{xy, yz, yw}
	case 2:
		c = [3]float64{xz, yz, zw}
	default:
		c = [3]float64{xw, yw, zw}
	}
	in.Code = uint8(k)
	most := float64(units)
	for i, v := range c {
		in.Rot[i] = int64(min(max(math.RoundToEven(float64(v/four/sqrtHalf)*most), -most), most))
	}
	return true
}

// palette collects the scales, the most used first: their numbers are short.
func (q *quantizer) palette(list []placedMesh) {
	uses := map[Scale]int{}
	for i := range list {
		if list[i].Code != CodeMatrix {
			uses[list[i].scale]++
		}
	}
	for s := range uses {
		q.s.Palette = append(q.s.Palette, s)
	}
	slices.SortFunc(q.s.Palette, func(a, b Scale) int {
		return cmp.Or(cmp.Compare(uses[b], uses[a]), slices.Compare(a[:], b[:]))
	})
	index := make(map[Scale]uint32, len(uses))
	for i, s := range q.s.Palette {
		index[s] = uint32(i)
	}
	for i := range list {
		if list[i].Code != CodeMatrix {
			list[i].Use = index[list[i].scale]
		}
	}
}

func (q *quantizer) terrain() error {
	t := &q.in.Terrain
	if len(t.Blocks) == 0 {
		return nil
	}
	n := t.Samples
	if n < 2 || n > maxSamples {
		return invalid(pack.ErrRange, "terrain of %d samples a side, want 2 to %d", n, maxSamples)
	}
	q.s.Samples, q.s.Cell = uint32(n), t.Cell
	for i := range t.Blocks {
		src := &t.Blocks[i]
		if len(src.Heights) != n*n || src.Holes != nil && len(src.Holes) != (n-1)*(n-1) {
			return invalid(pack.ErrCount, "terrain block %d: %d heights and %d cells, want %d and %d (or none)",
				i, len(src.Heights), len(src.Holes), n*n, (n-1)*(n-1))
		}
		var b Block
		for axis, x := range [2]float64{src.X, src.Z} {
			if !finite(x) {
				return invalid(pack.ErrNonFinite, "terrain block %d at %v, %v", i, src.X, src.Z)
			}
			s, ok := onLattice(x, q.opt.Step)
			if !ok {
				return invalid(pack.ErrRange, "terrain block %d at %v, %v is more than 2^53 steps of %v away", i, src.X, src.Z, q.opt.Step)
			}
			if axis == 0 {
				b.X = s
			} else {
				b.Z = s
			}
			q.rep.PositionError = max(q.rep.PositionError, math.Abs(float64(float64(s)*q.opt.Step)-x))
		}
		b.Heights = make([]int32, n*n)
		for k, h := range src.Heights {
			if !finite(h) {
				return invalid(pack.ErrNonFinite, "terrain block %d: sample %d is %v", i, k, h)
			}
			s, ok := onLattice(h, q.opt.HeightStep)
			if !ok || s != int64(int32(s)) {
				return invalid(pack.ErrRange, "terrain block %d: sample %d is %v, want an int32 of steps of %v", i, k, h, q.opt.HeightStep)
			}
			b.Heights[k] = int32(s)
			q.rep.HeightError = max(q.rep.HeightError, math.Abs(q.s.Height(int32(s))-h))
		}
		if slices.Contains(src.Holes, true) {
			b.Holes = make([]byte, holeBytes(n))
			for c, hole := range src.Holes {
				if hole {
					b.Holes[c>>3] |= 1 << (c & 7)
				}
			}
		}
		q.s.Blocks = append(q.s.Blocks, b)
	}
	slices.SortStableFunc(q.s.Blocks, func(a, b Block) int {
		return cmp.Or(cmp.Compare(a.Z, b.Z), cmp.Compare(a.X, b.X))
	})
	return nil
}

// setOrigin moves the origin to the least corner of all positions.
func (q *quantizer) setOrigin() {
	x, z := int64(math.MaxInt64), int64(math.MaxInt64)
	for i := range q.s.Instances {
		p := &q.s.Instances[i].Pos
		x, z = min(x, p[0]), min(z, p[2])
	}
	for i := range q.s.Blocks {
		x, z = min(x, q.s.Blocks[i].X), min(z, q.s.Blocks[i].Z)
	}
	if x == math.MaxInt64 {
		return
	}
	q.s.OriginX, q.s.OriginZ = x, z
	for i := range q.s.Instances {
		p := &q.s.Instances[i].Pos
		p[0], p[2] = p[0]-x, p[2]-z
	}
	for i := range q.s.Blocks {
		q.s.Blocks[i].X -= x
		q.s.Blocks[i].Z -= z
	}
}
