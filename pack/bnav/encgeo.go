package bnav

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"wend/pack"
)

// encodeGeometry returns the pieces of BGEO: header, chunk directories and
// zone table, then the chunks of vertices, triangles and links.
func encodeGeometry(ctx context.Context, c *Content, comps []uint32, o *EncodeOptions) ([][]byte, error) {
	type job struct {
		kind      int
		from, to  int
		aux       uint32
		directory int // offset of the entry in the first piece
	}
	var zones []byte
	for i := range c.Zones {
		zones = appendZone(zones, &c.Zones[i], newestVersion)
	}
	if uint64(len(zones)) > math.MaxUint32 {
		return nil, fmt.Errorf("%w: zone table of %d bytes", pack.ErrRange, len(zones))
	}
	var jobs []job
	dirs := [3]int{}
	off := geoHeaderLen
	for kind, t := range []struct {
		n    int
		size uint32
	}{{len(c.Vertices), o.ChunkLen.Vertices}, {len(c.Triangles), o.ChunkLen.Triangles}, {len(c.Links), o.ChunkLen.Links}} {
		dirs[kind] = off
		for from := 0; from < t.n; from += int(t.size) {
			j := job{kind: kind, from: from, to: min(from+int(t.size), t.n), directory: off}
			if kind == 2 {
				j.aux = c.Links[from].Source
			}
			jobs = append(jobs, j)
			off += chunkEntryLen
		}
	}
	zoneOff := off
	off += len(zones)

	pieces := make([][]byte, 1+len(jobs))
	work := make([]chunkEncoder, pack.Workers(o.Workers, len(jobs)))
	for i := range work {
		d, err := pack.NewDeflater(o.Level.Int())
		if err != nil {
			return nil, err
		}
		work[i].d = d
	}
	err := pack.Parallel(ctx, len(work), len(jobs), func(w, i int) error {
		j := &jobs[i]
		switch j.kind {
		case 0:
			pieces[1+i] = work[w].vertices(c.Vertices[j.from:j.to])
		case 1:
			pieces[1+i] = work[w].triangles(c.Triangles[j.from:j.to], comps[j.from:j.to], j.from)
		default:
			pieces[1+i] = work[w].links(c.Links[j.from:j.to])
		}
		if uint64(len(pieces[1+i])) > math.MaxUint32 {
			return fmt.Errorf("%w: chunk of %d bytes", pack.ErrRange, len(pieces[1+i]))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	le := binary.LittleEndian
	b := make([]byte, 0, off)
	b = append(b, "BGEO"...)
	for _, v := range []uint32{
		1, uint32(len(c.Vertices)), uint32(len(c.Triangles)), uint32(len(c.Links)),
		o.ChunkLen.Vertices, o.ChunkLen.Triangles, o.ChunkLen.Links, uint32(len(zones)), 0,
	} {
		b = le.AppendUint32(b, v)
	}
	for _, v := range []int{dirs[0], dirs[1], dirs[2], zoneOff} {
		b = le.AppendUint64(b, uint64(v))
	}
	at := uint64(off)
	for i, j := range jobs {
		b = le.AppendUint64(b, at)
		b = le.AppendUint32(b, uint32(len(pieces[1+i])))
		b = le.AppendUint32(b, j.aux)
		at += uint64(len(pieces[1+i]))
	}
	pieces[0] = append(b, zones...)
	return pieces, nil
}

// chunkEncoder is the scratch of one worker.
type chunkEncoder struct {
	d    *pack.Deflater
	bufs [7][]byte
}

// vertices transposes a chunk's bytes, so that like stands beside like.
func (e *chunkEncoder) vertices(vs []Vertex) []byte {
	n := len(vs)
	raw := resize(e.bufs[0], 12*n)
	e.bufs[0] = raw
	for i, v := range vs {
		var rec [12]byte
		putVertex(rec[:], v)
		for j, b := range rec {
			raw[j*n+i] = b
		}
	}
	return e.d.AppendStream(nil, raw)
}

func (e *chunkEncoder) triangles(tris []Triangle, comps []uint32, first int) []byte {
	for i := range e.bufs {
		e.bufs[i] = e.bufs[i][:0]
	}
	s := &e.bufs
	s[3] = append(s[3], make([]byte, (3*len(tris)+7)/8)...)
	last := int64(0)
	for i := range tris {
		t := &tris[i]
		v0 := int64(t.V[0])
		s[0] = pack.AppendVarint(s[0], v0-last)
		s[1] = pack.AppendVarint(s[1], int64(t.V[1])-v0)
		s[2] = pack.AppendVarint(s[2], int64(t.V[2])-v0)
		last = v0
		for k, n := range t.N {
			if n >= 0 {
				bit := 3*i + k
				s[3][bit>>3] |= 0x80 >> (bit & 7)
				s[4] = pack.AppendVarint(s[4], int64(n)-int64(first+i))
			}
		}
	}
	id := int64(0)
	for from := 0; from < len(comps); {
		to := from + 1
		for to < len(comps) && comps[to] == comps[from] {
			to++
		}
		s[5] = pack.AppendVarint(s[5], int64(comps[from])-id)
		s[6] = pack.AppendUvarint(s[6], uint64(to-from))
		id, from = int64(comps[from]), to
	}
	var out []byte
	for _, raw := range s {
		out = e.d.AppendStream(out, raw)
	}
	return out
}

func (e *chunkEncoder) links(links []Link) []byte {
	s0, s1 := e.bufs[0][:0], e.bufs[1][:0]
	last := uint32(0)
	for _, l := range links {
		s0 = pack.AppendUvarint(s0, uint64(l.Source-last))
		s1 = pack.AppendVarint(s1, int64(l.Target)-int64(l.Source))
		last = l.Source
	}
	e.bufs[0], e.bufs[1] = s0, s1
	return e.d.AppendStream(e.d.AppendStream(nil, s0), s1)
}
