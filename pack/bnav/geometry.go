package bnav

import (
	"encoding/binary"
	"math"
	"math/bits"

	"wend/pack"
)

const (
	geoHeaderLen  = 72
	chunkEntryLen = 16
	zonePrefix    = 48
	oldZonePrefix = 44 // before sinceFloor
)

// table is one of the three chunked tables of the geometry section.
type table struct {
	name  string // "vertex", "triangle", "link"
	total uint32
	size  uint32 // records per chunk
	dir   *pack.Reader
	geo   *pack.Reader
}

// chunk is an entry of a chunk directory with the records it covers.
type chunk struct {
	off   uint64
	bytes uint32
	aux   uint32 // links: source of the first link
	first uint32
	n     uint32
}

// chunks is the number of chunks, ceil(total/size), at most 2^32-1.
func (t *table) chunks() int { return int((uint64(t.total) + uint64(t.size) - 1) / uint64(t.size)) }

// chunk reads directory entry i, which was checked by checkDir.
func (t *table) chunk(i int) chunk {
	b := t.dir.Peek()[i*chunkEntryLen:][:chunkEntryLen]
	c := chunk{
		off:   binary.LittleEndian.Uint64(b),
		bytes: binary.LittleEndian.Uint32(b[8:]),
		aux:   binary.LittleEndian.Uint32(b[12:]),
		first: uint32(uint64(i) * uint64(t.size)),
	}
	c.n = min(t.size, t.total-c.first)
	return c
}

// reader returns a reader over the payload of a chunk.
func (t *table) reader(i int, c chunk) *pack.Reader {
	return t.geo.Sub(t.geo.Where().In(t.name+" chunk", i), c.off, uint64(c.bytes), "payload")
}

// minRaw is the least inflated bytes a record of each table takes.
const (
	minRawVertex   = 12
	minRawTriangle = 3
	minRawLink     = 2
)

// checkDir checks that every chunk lies in the section and can hold its
// records, before anything is allocated for them. Chunks may share bytes,
// but all together hold no more than the section's size could.
func (t *table) checkDir(minRaw uint64) {
	size := uint64(t.geo.Size())
	n := t.chunks()
	for i := range n {
		c := t.chunk(i)
		if c.off > size || uint64(c.bytes) > size-c.off {
			t.dir.SetWhere(t.geo.Where().In(t.name+" chunk", i))
			t.dir.FailAt(i*chunkEntryLen, pack.ErrBounds, "offset %d and size %d in a section of %d bytes", c.off, c.bytes, size)
			return
		}
		if uint64(c.n)*minRaw > pack.Expansion(uint64(c.bytes)) {
			t.dir.SetWhere(t.geo.Where().In(t.name+" chunk", i))
			t.dir.FailAt(i*chunkEntryLen+8, pack.ErrLimit, "%d records cannot be in %d bytes", c.n, c.bytes)
			return
		}
	}
	if uint64(t.total)*minRaw > pack.Expansion(size) {
		t.dir.Fail(pack.ErrLimit, "%d records cannot be in a section of %d bytes", t.total, size)
	}
}

// geometry is the parsed head of the geometry section.
type geometry struct {
	vertices, triangles, links table
}

// openGeometry parses header, chunk directories and zone table of BGEO.
func (l *loader) openGeometry() (*geometry, error) {
	p := l.pack
	s, ok := pack.FindSection(p.Sections, "BGEO")
	if !ok {
		return nil, l.where("BGEO").At(0, pack.ErrMissing, "section BGEO, required since version %d", sinceBGEO)
	}
	r := l.file.Section(s)
	r.Magic("BGEO")
	if v := r.U32(); r.Err() == nil && v != 1 {
		r.FailAt(4, pack.ErrVersion, "geometry version %d, want 1", v)
	}
	for i, t := range []struct {
		name string
		want uint32
	}{{"vertices", p.VertexTotal}, {"triangles", p.TriangleTotal}, {"links", p.LinkTotal}} {
		if n := r.U32(); r.Err() == nil && n != t.want {
			r.FailAt(8+4*i, pack.ErrCount, "%d %s, the file header says %d", n, t.name, t.want)
		}
	}
	lens := [3]*uint32{&p.ChunkLen.Vertices, &p.ChunkLen.Triangles, &p.ChunkLen.Links}
	for i, n := range lens {
		if *n = r.U32(); r.Err() == nil && *n == 0 {
			r.FailAt(20+4*i, pack.ErrRange, "chunk length 0, want at least 1")
		}
	}
	zoneBytes := r.U32()
	r.U32() // reserved
	var dirs [3]uint64
	for i := range dirs {
		dirs[i] = r.U64()
	}
	zoneOff := r.U64()
	if r.Err() != nil {
		return nil, r.Err()
	}
	g := &geometry{
		vertices:  table{name: "vertex", total: p.VertexTotal, size: p.ChunkLen.Vertices},
		triangles: table{name: "triangle", total: p.TriangleTotal, size: p.ChunkLen.Triangles},
		links:     table{name: "link", total: p.LinkTotal, size: p.ChunkLen.Links},
	}
	mins := [3]uint64{minRawVertex, minRawTriangle, minRawLink}
	for i, t := range []*table{&g.vertices, &g.triangles, &g.links} {
		t.geo = r
		t.dir = r.Sub(r.Where(), dirs[i], uint64(t.chunks())*chunkEntryLen, t.name+" chunk directory")
		if t.dir.Err() == nil {
			t.checkDir(mins[i])
		}
		if err := t.dir.Err(); l.check.note(err) {
			t.total = 0 // nothing of it can be decoded
		} else if err != nil {
			return nil, err
		}
	}
	zones := r.Sub(r.Where(), zoneOff, uint64(zoneBytes), "zone table")
	l.readZones(zones)
	return g, zones.Err()
}

// readZones parses the zone table, which the reader covers exactly, into
// pack.Table.
func (l *loader) readZones(r *pack.Reader) {
	p := l.pack
	prefix := uint64(zonePrefix)
	if p.Version < sinceFloor {
		prefix = oldZonePrefix
	}
	section := r.Where()
	if !r.Items(uint64(l.zoneCount), prefix, "zones") {
		return
	}
	for i := range int(l.zoneCount) {
		r.SetWhere(section.In("zone", i))
		z := Zone{ID: r.U16(), Flags: r.U16()}
		nameLen := r.U32()
		z.FirstTri, z.TriCount, z.Components = r.U32(), r.U32(), r.U32()
		z.Width, z.Height = r.F32(), r.F32()
		z.SX, z.TX, z.SY, z.TY = r.F32(), r.F32(), r.F32(), r.F32()
		z.FloorY = NoFloor
		if p.Version >= sinceFloor {
			z.FloorY = r.F32()
		}
		z.Name = r.Name(nameLen)
		if r.Err() != nil {
			return
		}
		p.Table = append(p.Table, z)
	}
	r.SetWhere(section)
	if r.Done() != nil {
		return
	}
	if i, err := checkZones(p.Table, p.TriangleTotal); err != nil {
		r.SetWhere(section.In("zone", i))
		r.FailWith(err)
	}
}

// scratch is what one worker keeps from chunk to chunk.
type scratch struct {
	inf  pack.Inflater
	bufs [7][]byte
}

// scratch returns the scratch of the workers for a number of items. Tables are
// decoded one after the other and share it.
func (l *loader) scratch(items int) []scratch {
	for len(l.work) < pack.Workers(l.opts.Workers, items) {
		l.work = append(l.work, scratch{})
	}
	return l.work
}

// decodeVertices decodes chunk i into out, which has the chunk's length.
func (t *table) decodeVertices(s *scratch, i int, out []Vertex) error {
	c := t.chunk(i)
	r := t.reader(i, c)
	n := len(out)
	num, buf := r.Numbers(&s.inf, s.bufs[0], 0, 12*uint64(n), 12*uint64(n))
	s.bufs[0] = buf
	if r.Done() != nil {
		return r.Err()
	}
	var col [12][]byte
	for j := range col {
		col[j] = buf[j*n:][:n]
	}
	at := func(j, i int) float32 {
		return math.Float32frombits(uint32(col[j][i]) | uint32(col[j+1][i])<<8 | uint32(col[j+2][i])<<16 | uint32(col[j+3][i])<<24)
	}
	for k := range out {
		v := Vertex{at(0, k), at(4, k), at(8, k)}
		if !finite(v.U) || !finite(v.V) || !finite(v.H) {
			num.Seek(k)
			num.Fail(pack.ErrNonFinite, "vertex %d of the chunk is (%v, %v, %v)", k, v.U, v.V, v.H)
			return num.Err()
		}
		out[k] = v
	}
	return nil
}

func finite(f float32) bool { return math.Float32bits(f)&0x7f800000 != 0x7f800000 }

// decodeTriangles decodes chunk i into out and comp, which have the chunk's
// length. Indices count in the whole pack.
func (t *table) decodeTriangles(s *scratch, i int, vertexTotal uint32, out []Triangle, comp []uint32) error {
	c := t.chunk(i)
	r := t.reader(i, c)
	n := uint64(len(out))
	bitmapLen := (3*n + 7) / 8
	var num [7]pack.Numbers
	for k := range num {
		least, most := n, 10*n
		switch k {
		case 3:
			least, most = bitmapLen, bitmapLen
		case 4:
			b := num[3].Raw()
			if used := 3 * n % 8; used != 0 && b[len(b)-1]&(0xff>>used) != 0 {
				num[3].Seek(len(b) - 1)
				num[3].Fail(pack.ErrRange, "unused bits of the last byte %#02x are not 0", b[len(b)-1])
				return num[3].Err()
			}
			set := popcount(b)
			least, most = set, 10*set
		case 5, 6:
			least = 1
		}
		if num[k], s.bufs[k] = r.Numbers(&s.inf, s.bufs[k], k, least, most); r.Err() != nil {
			return r.Err()
		}
	}
	if r.Done() != nil {
		return r.Err()
	}
	bitmap := num[3].Raw()
	num[3].Seek(len(bitmap))
	limit, triTotal := int64(vertexTotal), int64(t.total)
	var v0 int64
	for k := range out {
		v0 += num[0].Signed()
		v1, v2 := v0+num[1].Signed(), v0+num[2].Signed()
		for j, v := range [3]int64{v0, v1, v2} {
			if v < 0 || v >= limit {
				num[j].Fail(pack.ErrRange, "vertex %d of triangle %d, want 0 to %d", v, int(c.first)+k, limit-1)
				return firstError(num[:3])
			}
		}
		if v0 == v1 || v1 == v2 || v0 == v2 {
			num[0].Fail(pack.ErrRange, "triangle %d has corners %d, %d, %d; want three different ones", int(c.first)+k, v0, v1, v2)
			return firstError(num[:3])
		}
		tri := Triangle{V: [3]uint32{uint32(v0), uint32(v1), uint32(v2)}, N: [3]int32{-1, -1, -1}}
		self := int64(c.first) + int64(k)
		for j := range 3 {
			if bit := 3*k + j; bitmap[bit>>3]&(0x80>>(bit&7)) != 0 {
				nb := self + num[4].Signed()
				if nb < 0 || nb >= triTotal || nb == self {
					num[4].Fail(pack.ErrRange, "neighbour %d of triangle %d, want another one of 0 to %d", nb, self, triTotal-1)
					return num[4].Err()
				}
				tri.N[j] = int32(nb)
			}
		}
		out[k] = tri
	}
	var id int64
	for filled := uint64(0); filled < n; {
		id += num[5].Signed()
		if id < 0 || id > math.MaxUint32 {
			num[5].Fail(pack.ErrRange, "component id %d, want 0 to %d", id, uint32(math.MaxUint32))
			return num[5].Err()
		}
		length := num[6].Next()
		if num[6].Err() == nil && (length == 0 || length > n-filled) {
			num[6].Fail(pack.ErrRange, "run of %d triangles, want 1 to %d", length, n-filled)
		}
		if err := firstError(num[5:]); err != nil {
			return err
		}
		for _, end := filled, filled+length; filled < end; filled++ {
			comp[filled] = uint32(id)
		}
	}
	for k := range num {
		if err := num[k].Done(); err != nil {
			return err
		}
	}
	return nil
}

func popcount(b []byte) uint64 {
	n := 0
	for _, x := range b {
		n += bits.OnesCount8(x)
	}
	return uint64(n)
}

// firstError returns the error of the first stream that has one.
func firstError(nums []pack.Numbers) error {
	for i := range nums {
		if err := nums[i].Err(); err != nil {
			return err
		}
	}
	return nil
}

// decodeLinks decodes chunk i into out, which has the chunk's length.
func (t *table) decodeLinks(s *scratch, i int, out []Link) error {
	c := t.chunk(i)
	r := t.reader(i, c)
	n := uint64(len(out))
	var num [2]pack.Numbers
	for k := range num {
		if num[k], s.bufs[k] = r.Numbers(&s.inf, s.bufs[k], k, n, 10*n); r.Err() != nil {
			return r.Err()
		}
	}
	if r.Done() != nil {
		return r.Err()
	}
	var source uint64
	for k := range out {
		step := num[0].Next()
		if step > math.MaxUint32 || source+step > math.MaxUint32 {
			num[0].Fail(pack.ErrRange, "source of link %d grows by %d from %d, beyond 32 bits", int(c.first)+k, step, source)
			return firstError(num[:])
		}
		source += step
		if k == 0 && source != uint64(c.aux) && num[0].Err() == nil {
			num[0].Fail(pack.ErrCount, "first source %d, the chunk directory says %d", source, c.aux)
			return firstError(num[:])
		}
		d := num[1].Signed()
		target := int64(source) + d
		if d < -math.MaxUint32 || d > math.MaxUint32 || target < 0 || target > math.MaxUint32 {
			num[1].Fail(pack.ErrRange, "target of link %d is %d+(%d), want 0 to %d", int(c.first)+k, source, d, uint32(math.MaxUint32))
			return firstError(num[:])
		}
		out[k] = Link{uint32(source), uint32(target)}
	}
	for k := range num {
		if err := num[k].Done(); err != nil {
			return err
		}
	}
	return nil
}

// checkSources checks that the first sources of link chunks do not decrease.
func (t *table) checkSources() error {
	last := uint32(0)
	for i := range t.chunks() {
		c := t.chunk(i)
		if c.aux < last {
			t.dir.SetWhere(t.geo.Where().In(t.name+" chunk", i))
			t.dir.FailAt(i*chunkEntryLen+12, pack.ErrOrder, "first source %d after %d", c.aux, last)
			return t.dir.Err()
		}
		last = c.aux
	}
	return nil
}

// checkBorders checks that sources do not decrease from chunk to chunk.
func checkBorders(where pack.Where, offset int64, links []Link, first int) error {
	for i := 1; i < len(links); i++ {
		if links[i].Source < links[i-1].Source {
			return where.At(offset, pack.ErrOrder, "link %d has source %d after %d", first+i, links[i].Source, links[i-1].Source)
		}
	}
	return nil
}
