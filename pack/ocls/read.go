package ocls

import (
	"math"

	"wend/pack"
)

const (
	magicFile  = "OCLS"
	magicScene = "OCLZ"
	version    = 1

	headerBytes = 80 // of a scene
	streamCount = 12
	leastScene  = headerBytes + 4*streamCount
)

// The streams of a scene, in file order.
const (
	streamTemplate = iota
	streamVertex
	streamIndex
	streamInstances
	streamPosition
	streamCode
	streamRotation
	streamScale
	streamMatrix
	streamBlock
	streamHeight
	streamHole
)

// A Record is a scene in a file that has not been decoded.
type Record struct {
	Name   string // of the zone
	Body   []byte // the encoded scene, a part of the file's bytes
	Offset int64  // of Body in the file
	Wins   bool   // no later record has the same name: this is the scene of the zone

	file string
}

// A Named is a scene with the name of its zone.
type Named struct {
	Name  string
	Scene *Scene
}

// Scan lists the scenes of a file without decoding them. data are the
// decompressed bytes; file names them in errors ("" = the format's name).
// Errors are *[pack.FormatError].
func Scan(file string, data []byte) ([]Record, error) {
	if file == "" {
		file = magicFile
	}
	r := pack.NewReader(pack.Where{File: file, Section: magicFile}, data, 0)
	r.Magic(magicFile)
	pos := r.Pos()
	if v := r.U32(); r.Err() == nil && v != version {
		r.FailAt(pos, pack.ErrVersion, "%d, want %d", v, version)
	}
	count := r.U32()
	var list []Record
	where := r.Where()
	for i := uint32(0); i < count && r.Err() == nil; i++ {
		r.SetWhere(where.In("scene", int(i)))
		name := r.Name(uint32(r.U16()))
		size := r.U32()
		at := r.Offset()
		if size < leastScene { // also bounds the list by the file's size
			r.FailAt(r.Pos()-4, pack.ErrTruncated, "scene of %d bytes, want at least %d", size, leastScene)
		}
		body := r.Bytes(uint64(size))
		list = append(list, Record{Name: name, Body: body, Offset: at, file: file})
	}
	r.SetWhere(where)
	if err := r.Done(); err != nil {
		return nil, err
	}
	later := make(map[string]bool, len(list))
	for i := len(list) - 1; i >= 0; i-- {
		list[i].Wins = !later[list[i].Name]
		later[list[i].Name] = true
	}
	return list, nil
}

// Read decodes all scenes of a file, in file order; of scenes with the same
// name the last one counts.
func Read(file string, data []byte) ([]Named, error) {
	records, err := Scan(file, data)
	if err != nil {
		return nil, err
	}
	list := make([]Named, len(records))
	for i := range records {
		s, err := records[i].Decode()
		if err != nil {
			return nil, err
		}
		list[i] = Named{records[i].Name, s}
	}
	return list, nil
}

// ReadZone decodes the scene of one zone and skips the others. It reports false
// where the file has none: then there are no collision data for the zone.
func ReadZone(file string, data []byte, zone string) (s *Scene, found bool, err error) {
	records, err := Scan(file, data)
	if err != nil {
		return nil, false, err
	}
	for i := range records {
		if records[i].Wins && records[i].Name == zone {
			s, err := records[i].Decode()
			return s, err == nil, err
		}
	}
	return nil, false, nil
}

// Decode decodes the scene.
func (rec *Record) Decode() (*Scene, error) {
	where := pack.Where{File: rec.file, Section: magicScene, Zone: rec.Name}
	d := decoder{head: pack.NewReader(where, rec.Body, rec.Offset), s: &Scene{}}
	for _, step := range []func(){
		d.header, d.split, d.counts, d.templates, d.instanceCounts, d.positions, d.codes,
		d.rotations, d.scales, d.matrices, d.blocks,
	} {
		if step(); d.err != nil {
			return nil, d.err
		}
	}
	return d.s, nil
}

// decoder decodes one scene. The first error stops it.
type decoder struct {
	head                         *pack.Reader
	stream                       [streamCount]*pack.Reader
	nTemplate, nInstance, nBlock uint32
	turned, placed               int // instances with a rotation, with a matrix
	s                            *Scene
	err                          error
}

// check takes over the error of a reader and reports whether there is none.
func (d *decoder) check(r *pack.Reader) bool {
	if d.err == nil {
		d.err = r.Err()
	}
	return d.err == nil
}

func (d *decoder) header() {
	r, s := d.head, d.s
	r.Items(1, headerBytes, "header")
	r.Magic(magicScene)
	if v := r.U32(); r.Err() == nil && v != version {
		r.FailAt(4, pack.ErrVersion, "%d, want %d", v, version)
	}
	d.nTemplate, d.nInstance, d.nBlock, s.Samples = r.U32(), r.U32(), r.U32(), r.U32()
	if d.nBlock > 0 && s.Samples < 2 {
		r.FailAt(20, pack.ErrRange, "blocks of %d samples a side, want at least 2", s.Samples)
	}
	s.Step = math.Float64frombits(r.U64())
	if !(s.Step > 0) || !finite(s.Step) {
		r.FailAt(24, pack.ErrRange, "position step %v, want a finite number above 0", s.Step)
	}
	s.Cell = math.Float64frombits(r.U64())
	if !finite(s.Cell) || d.nBlock > 0 && !(s.Cell > 0) {
		r.FailAt(32, pack.ErrRange, "terrain cell %v, want a finite number above 0", s.Cell)
	}
	s.Base, s.Rise = r.F64(), r.F64()
	if s.RotUnits = r.U32(); s.RotUnits == 0 {
		r.FailAt(56, pack.ErrRange, "rotation units 0")
	}
	if s.ScaleBits = r.U32(); s.ScaleBits > maxBits {
		r.FailAt(60, pack.ErrRange, "scale of %d bits, want at most %d", s.ScaleBits, maxBits)
	}
	s.OriginX, s.OriginZ = r.I64(), r.I64()
	d.check(r)
}

func (d *decoder) split() {
	r := d.head
	where := r.Where()
	for i := range d.stream {
		w := where.In("stream", i)
		r.SetWhere(w)
		n := r.U32()
		at := r.Offset()
		d.stream[i] = pack.NewReader(w, r.Bytes(uint64(n)), at)
	}
	r.SetWhere(where)
	r.Done()
	d.check(r)
}

// counts compares the header with the streams, before anything is allocated.
func (d *decoder) counts() {
	r := d.head
	if n := d.stream[streamTemplate].Len(); uint64(d.nTemplate)*3 > uint64(n) {
		r.FailAt(8, pack.ErrCount, "%d templates in %d bytes, want at least 3 bytes each", d.nTemplate, n)
	}
	if n := d.stream[streamCode].Len(); uint64(d.nInstance) != uint64(n) {
		r.FailAt(12, pack.ErrCount, "%d instances, %d rotation codes", d.nInstance, n)
	}
	if n := d.stream[streamBlock].Len(); uint64(d.nBlock)*3 > uint64(n) {
		r.FailAt(16, pack.ErrCount, "%d terrain blocks in %d bytes, want at least 3 bytes each", d.nBlock, n)
	}
	if n, side := d.stream[streamHeight].Len(), uint64(d.s.Samples); d.nBlock > 0 &&
		(side > maxSamples || side*side > uint64(n)/uint64(d.nBlock)) {
		r.FailAt(20, pack.ErrCount, "%d blocks of %d by %d samples in %d bytes", d.nBlock, side, side, n)
	}
	d.check(r)
}

// sum adds a delta to a running sum of steps.
func sum(r *pack.Reader, run *int64, what string) int64 {
	pos := r.Pos()
	v, ok := addSteps(*run, clampDelta(r.Varint()))
	if !ok {
		r.FailAt(pos, pack.ErrRange, "%s beyond 2^53 steps", what)
		return 0
	}
	*run = v
	return v
}

// clampDelta keeps hopeless deltas from overflowing; they stay hopeless.
func clampDelta(v int64) int64 { return min(max(v, -3*maxSteps), 3*maxSteps) }

func (d *decoder) templates() {
	t, vs, is := d.stream[streamTemplate], d.stream[streamVertex], d.stream[streamIndex]
	if d.nTemplate > 0 {
		d.s.Templates = make([]Template, d.nTemplate)
	}
	where := [3]pack.Where{t.Where(), vs.Where(), is.Where()}
	for i := range d.s.Templates {
		for k, r := range []*pack.Reader{t, vs, is} {
			r.SetWhere(where[k].In("template", i))
		}
		pos := t.Pos()
		nv, nt := t.Uvarint(), t.Uvarint()
		posExp := t.Pos()
		e := t.Varint()
		if !d.check(t) {
			return
		}
		if e < -maxExp || e > maxExp {
			t.FailAt(posExp, pack.ErrRange, "exponent %d, want -%d to %d", e, maxExp, maxExp)
		} else if nv > uint64(vs.Len())/3 {
			t.FailAt(pos, pack.ErrCount, "%d vertices, %d bytes of coordinates are left", nv, vs.Len())
		} else if nt > uint64(is.Len())/3 {
			t.FailAt(pos, pack.ErrCount, "%d triangles, %d bytes of corners are left", nt, is.Len())
		}
		if !d.check(t) {
			return
		}
		d.s.Templates[i].Exp = int8(e)
		d.vertices(&d.s.Templates[i], vs, int(nv))
		d.corners(&d.s.Templates[i], is, int(nt))
		if d.err != nil {
			return
		}
	}
	for k, r := range []*pack.Reader{t, vs, is} {
		r.SetWhere(where[k])
		r.Done()
		d.check(r)
	}
}

func (d *decoder) vertices(t *Template, r *pack.Reader, n int) {
	if n == 0 {
		return
	}
	t.Verts = make([][3]int64, n)
	for axis := range 3 {
		run := int64(0)
		for k := range t.Verts {
			t.Verts[k][axis] = sum(r, &run, "vertex")
			if r.Err() != nil {
				break
			}
		}
	}
	d.check(r)
}

// corners restores indices from back distances: 0 is a vertex not used before,
// the next in order.
func (d *decoder) corners(t *Template, r *pack.Reader, n int) {
	if n == 0 && len(t.Verts) == 0 {
		return
	}
	if n > 0 {
		t.Tris = make([][3]uint32, n)
	}
	next := uint64(0)
	for k := range t.Tris {
		for c := range 3 {
			pos := r.Pos()
			back := r.Uvarint()
			switch {
			case back > next:
				r.FailAt(pos, pack.ErrRange, "back distance %d, want at most %d", back, next)
			case back == 0 && next >= uint64(len(t.Verts)):
				r.FailAt(pos, pack.ErrCount, "triangles use more than %d vertices", len(t.Verts))
			case back == 0:
				t.Tris[k][c] = uint32(next)
				next++
			default:
				t.Tris[k][c] = uint32(next - back)
			}
		}
		if !d.check(r) {
			return
		}
	}
	if next != uint64(len(t.Verts)) {
		r.Fail(pack.ErrCount, "triangles use %d of %d vertices", next, len(t.Verts))
		d.check(r)
	}
}

// instanceCounts makes the instances and gives them their templates. Their
// number is that of the rotation codes.
func (d *decoder) instanceCounts() {
	if p := d.stream[streamPosition]; uint64(p.Len()) < 3*uint64(d.nInstance) {
		p.Fail(pack.ErrTruncated, "%d bytes for %d positions", p.Len(), d.nInstance)
		d.check(p)
		return
	}
	r := d.stream[streamInstances]
	if d.nInstance > 0 {
		d.s.Instances = make([]Instance, d.nInstance)
	}
	at := uint64(0)
	for i := range d.s.Templates {
		pos := r.Pos()
		n := r.Uvarint()
		if n > uint64(d.nInstance)-at {
			r.FailAt(pos, pack.ErrCount, "template %d has %d instances, %d of %d are left", i, n, uint64(d.nInstance)-at, d.nInstance)
		}
		if !d.check(r) {
			return
		}
		for ; n > 0; n-- {
			d.s.Instances[at].Template = uint32(i)
			at++
		}
	}
	if at != uint64(d.nInstance) {
		r.Fail(pack.ErrCount, "templates have %d instances, want %d", at, d.nInstance)
	}
	r.Done()
	d.check(r)
}

func (d *decoder) positions() {
	r := d.stream[streamPosition]
	origin := [3]int64{d.s.OriginX, 0, d.s.OriginZ}
	for axis := range 3 {
		run := int64(0)
		for i := range d.s.Instances {
			pos := r.Pos()
			v := sum(r, &run, "position")
			if _, ok := addSteps(v, origin[axis]); !ok {
				r.FailAt(pos, pack.ErrRange, "position %d from origin %d beyond 2^53 steps", v, origin[axis])
			}
			if !d.check(r) {
				return
			}
			d.s.Instances[i].Pos[axis] = v
		}
	}
	r.Done()
	d.check(r)
}

func (d *decoder) codes() {
	r := d.stream[streamCode]
	for i := range d.s.Instances {
		c := r.U8()
		switch {
		case c < CodeMatrix:
			d.turned++
		case c == CodeMatrix:
			d.s.Instances[i].Use = uint32(d.placed)
			d.placed++
		default:
			r.FailAt(i, pack.ErrRange, "rotation code %d of instance %d, want 0 to %d", c, i, CodeMatrix)
			d.check(r)
			return
		}
		d.s.Instances[i].Code = c
	}
	r.Done()
	d.check(r)
}

func (d *decoder) rotations() {
	r := d.stream[streamRotation]
	most := int64(d.s.RotUnits)
	for k := range 3 {
		for i := range d.s.Instances {
			in := &d.s.Instances[i]
			if in.Code == CodeMatrix {
				continue
			}
			pos := r.Pos()
			v := r.Varint()
			if v < -most || v > most {
				r.FailAt(pos, pack.ErrRange, "rotation %d of instance %d, want within %d", v, i, most)
			}
			if !d.check(r) {
				return
			}
			in.Rot[k] = v
		}
	}
	r.Done()
	d.check(r)
}

func (d *decoder) scales() {
	r := d.stream[streamScale]
	n := r.Uvarint()
	if n > uint64(r.Len())/3 {
		r.FailAt(0, pack.ErrCount, "%d scales in %d bytes, want at least 3 bytes each", n, r.Len())
	}
	if !d.check(r) {
		return
	}
	if n > 0 {
		d.s.Palette = make([]Scale, n)
	}
	for i := range d.s.Palette {
		for k := range 3 {
			d.s.Palette[i][k] = r.Varint()
		}
	}
	for i := range d.s.Instances {
		in := &d.s.Instances[i]
		if in.Code == CodeMatrix {
			continue
		}
		pos := r.Pos()
		v := r.Uvarint()
		if r.Err() == nil && v >= n {
			r.FailAt(pos, pack.ErrRange, "scale %d of instance %d, there are %d", v, i, n)
		}
		if !d.check(r) {
			return
		}
		in.Use = uint32(v)
	}
	r.Done()
	d.check(r)
}

func (d *decoder) matrices() {
	r := d.stream[streamMatrix]
	if !r.Items(uint64(d.placed), 36, "matrices") {
		d.check(r)
		return
	}
	if d.placed > 0 {
		d.s.Matrices = make([][9]float32, d.placed)
	}
	for i := range d.s.Matrices {
		for k := range 9 {
			d.s.Matrices[i][k] = r.F32()
		}
	}
	r.Done()
	d.check(r)
}

func (d *decoder) blocks() {
	where, hs, holes := d.stream[streamBlock], d.stream[streamHeight], d.stream[streamHole]
	n := int(d.s.Samples)
	if d.nBlock > 0 {
		d.s.Blocks = make([]Block, d.nBlock)
	}
	var x, z int64
	first := int32(0)
	for i := range d.s.Blocks {
		b := &d.s.Blocks[i]
		pos := where.Pos()
		b.X = sum(where, &x, "block")
		b.Z = sum(where, &z, "block")
		_, okX := addSteps(b.X, d.s.OriginX)
		_, okZ := addSteps(b.Z, d.s.OriginZ)
		if !okX || !okZ {
			where.FailAt(pos, pack.ErrRange, "block %d beyond 2^53 steps from the origin", i)
		}
		flag := where.U8()
		if flag > 1 {
			where.FailAt(where.Pos()-1, pack.ErrRange, "hole flag %d of block %d, want 0 or 1", flag, i)
		}
		if !d.check(where) {
			return
		}
		b.Heights = make([]int32, n*n)
		if d.heights(b.Heights, n, first, hs); d.err != nil {
			return
		}
		first = b.Heights[0]
		if flag == 0 {
			continue
		}
		bits := holes.Bytes(uint64(holeBytes(n)))
		if !d.check(holes) {
			return
		}
		if rest := spareBits(bits, n); rest != 0 {
			holes.FailAt(holes.Pos()-1, pack.ErrRange, "bits %#02x after the last cell of block %d", rest, i)
			d.check(holes)
			return
		}
		b.Holes = append([]byte(nil), bits...)
	}
	for _, r := range []*pack.Reader{where, hs, holes} {
		r.Done()
		d.check(r)
	}
}

// heights restores n by n samples from their differences to the plane through
// three neighbours.
func (d *decoder) heights(k []int32, n int, first int32, r *pack.Reader) {
	for i := range k {
		pos := r.Pos()
		v := predict(k, i, n, first)
		// The prediction takes at most 34 bits, so a clamped residual that is out
		// of range stays so.
		v += clampDelta(r.Varint())
		if v < math.MinInt32 || v > math.MaxInt32 {
			r.FailAt(pos, pack.ErrRange, "sample %d of a block is %d, want an int32", i, v)
		}
		if !d.check(r) {
			return
		}
		k[i] = int32(v)
	}
}

// predict returns what sample i of a block is expected to be from those
// before it.
func predict(k []int32, i, n int, first int32) int64 {
	u, v := i%n, i/n
	switch {
	case u > 0 && v > 0:
		return int64(k[i-1]) + int64(k[i-n]) - int64(k[i-n-1])
	case u > 0:
		return int64(k[i-1])
	case v > 0:
		return int64(k[i-n])
	default:
		return int64(first)
	}
}
