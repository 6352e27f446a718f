package bnav

import (
	"context"
	"encoding/binary"
	"math"

	"wend/pack"
)

// oldTables reads the plain tables of versions 1 to 4: records as they are
// hashed, at the offsets of the header. Component ids and centroids are stored
// there and only hashed.
func (l *loader) oldTables(ctx context.Context) error {
	p := l.pack
	r := l.file
	size, header := uint64(r.Size()), uint64(oldHeaderLen)
	if p.Version >= sinceDirectory {
		header = headerLen
	}
	o := l.tables
	if !(header <= o.zones && o.zones <= o.vertices && o.vertices <= o.triangles && o.triangles <= o.links) {
		r.FailAt(24, pack.ErrBounds, "tables at %d, %d, %d, %d: want them ascending behind the header of %d bytes",
			o.zones, o.vertices, o.triangles, o.links, header)
	}
	for _, t := range []struct {
		name     string
		off      uint64
		count    uint32
		size, at uint64
	}{{"vertex", o.vertices, p.VertexTotal, 12, 32}, {"triangle", o.triangles, p.TriangleTotal, 36, 40}, {"link", o.links, p.LinkTotal, 8, 48}} {
		if r.Err() == nil && (t.off > size || uint64(t.count)*t.size > size-t.off) {
			r.FailAt(int(t.at), pack.ErrBounds, "%s table of %d records at %d in a file of %d bytes", t.name, t.count, t.off, size)
		}
	}
	zones := r.Sub(l.where("BNAV"), o.zones, o.vertices-o.zones, "zone table")
	l.readZones(zones)
	if zones.Err() != nil {
		return zones.Err()
	}
	if !l.take(r, uint64(p.VertexTotal), 12, "vertices") || !l.take(r, uint64(p.TriangleTotal), 28, "triangles") ||
		!l.take(r, uint64(p.LinkTotal), 8, "links") {
		return r.Err()
	}
	hash := appendHashZones(pack.FNVStart, p.Table, p.Version)
	tables := []struct {
		section string
		off     uint64
		count   uint32
		size    uint64
		read    func(r *pack.Reader)
	}{
		{"vertex", o.vertices, p.VertexTotal, 12, l.oldVertices},
		{"triangle", o.triangles, p.TriangleTotal, 36, l.oldTriangles},
		{"link", o.links, p.LinkTotal, 8, l.oldLinks},
	}
	for _, t := range tables {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		tr := r.Sub(l.where("BNAV"), t.off, uint64(t.count)*t.size, t.section+" table")
		hash = pack.FNV(hash, tr.Peek())
		if t.read(tr); tr.Err() != nil {
			return tr.Err()
		}
	}
	if hash != p.BuildHash {
		return l.where("BNAV").At(56, pack.ErrHash, "build hash %016x stored, %016x computed", p.BuildHash, hash)
	}
	p.Zones = p.Table
	return l.dropLinks(r)
}

func (l *loader) oldVertices(r *pack.Reader) {
	out := make([]Vertex, l.pack.VertexTotal)
	for i := range out {
		if out[i] = (Vertex{r.F32(), r.F32(), r.F32()}); r.Err() != nil {
			return
		}
	}
	l.pack.Vertices = out
}

// oldTriangles accepts triangles with equal corners, which version 5 does not.
func (l *loader) oldTriangles(r *pack.Reader) {
	p := l.pack
	out := make([]Triangle, p.TriangleTotal)
	if l.opts.Components {
		p.Components = make([]uint32, len(out))
	}
	for i := range out {
		pos := r.Pos()
		b := r.Bytes(36)
		for k := range 3 {
			v := binary.LittleEndian.Uint32(b[4*k:])
			n := int32(binary.LittleEndian.Uint32(b[12+4*k:]))
			if v >= p.VertexTotal {
				r.FailAt(pos+4*k, pack.ErrRange, "vertex %d of triangle %d, there are %d", v, i, p.VertexTotal)
			} else if n < -1 || n >= 0 && uint32(n) >= p.TriangleTotal || int(n) == i {
				r.FailAt(pos+12+4*k, pack.ErrRange, "neighbour %d of triangle %d, there are %d", n, i, p.TriangleTotal)
			}
			out[i].V[k], out[i].N[k] = v, n
		}
		for k := 28; k < 36; k += 4 {
			if c := math.Float32frombits(binary.LittleEndian.Uint32(b[k:])); !finite(c) {
				r.FailAt(pos+k, pack.ErrNonFinite, "centroid %v of triangle %d", c, i)
			}
		}
		if r.Err() != nil {
			return
		}
		if l.opts.Components {
			p.Components[i] = binary.LittleEndian.Uint32(b[24:])
		}
	}
	p.Triangles = out
}

func (l *loader) oldLinks(r *pack.Reader) {
	out := make([]Link, l.pack.LinkTotal)
	for i := range out {
		pos := r.Pos()
		out[i] = Link{r.U32(), r.U32()}
		if i > 0 && out[i].Source < out[i-1].Source {
			r.FailAt(pos, pack.ErrOrder, "link %d has source %d after %d", i, out[i].Source, out[i-1].Source)
			return
		}
	}
	l.pack.Links = out
}
