package bnav

import (
	"encoding/binary"
	"math"

	"wend/pack"
)

// The build hash covers canonical bytes: the zone table as stored, vertices,
// triangles with component and centroid, links. The functions below extend a
// hash by one table and are called in this order.

func appendHashZones(h uint64, zones []Zone, version uint16) uint64 {
	var buf []byte
	for i := range zones {
		buf = appendZone(buf[:0], &zones[i], version)
		h = pack.FNV(h, buf)
	}
	return h
}

// hashBlock is how many canonical bytes are made before they are hashed.
const hashBlock = 36 * 128

func hashVertices(h uint64, vs []Vertex) uint64 {
	var buf [hashBlock]byte
	n := 0
	for _, v := range vs {
		putVertex(buf[n:], v)
		if n += 12; n == len(buf) {
			h, n = pack.FNV(h, buf[:]), 0
		}
	}
	return pack.FNV(h, buf[:n])
}

func putVertex(b []byte, v Vertex) {
	_ = b[11]
	binary.LittleEndian.PutUint32(b, math.Float32bits(v.U))
	binary.LittleEndian.PutUint32(b[4:], math.Float32bits(v.V))
	binary.LittleEndian.PutUint32(b[8:], math.Float32bits(v.H))
}

// centroid is the mean of three coordinates with every step rounded to
// float32; a division, since a multiplication by a third gives other bits.
func centroid(a, b, c float32) float32 {
	return float32(float32(float32(a+b)+c) / 3)
}

func hashTriangles(h uint64, vs []Vertex, tris []Triangle, comps []uint32) uint64 {
	var buf [hashBlock]byte
	n := 0
	for i := range tris {
		putTriangle(buf[n:], vs, &tris[i], comps[i])
		if n += 36; n == len(buf) {
			h, n = pack.FNV(h, buf[:]), 0
		}
	}
	return pack.FNV(h, buf[:n])
}

// putTriangle writes the 36 canonical bytes of a triangle.
func putTriangle(b []byte, vs []Vertex, t *Triangle, comp uint32) {
	_ = b[35]
	le := binary.LittleEndian
	for k := range 3 {
		le.PutUint32(b[4*k:], t.V[k])
		le.PutUint32(b[12+4*k:], uint32(t.N[k]))
	}
	p, q, r := vs[t.V[0]], vs[t.V[1]], vs[t.V[2]]
	le.PutUint32(b[24:], comp)
	le.PutUint32(b[28:], math.Float32bits(centroid(p.U, q.U, r.U)))
	le.PutUint32(b[32:], math.Float32bits(centroid(p.V, q.V, r.V)))
}

func hashLinks(h uint64, links []Link) uint64 {
	var buf [hashBlock]byte
	n := 0
	for _, l := range links {
		binary.LittleEndian.PutUint32(buf[n:], l.Source)
		binary.LittleEndian.PutUint32(buf[n+4:], l.Target)
		if n += 8; n == len(buf) {
			h, n = pack.FNV(h, buf[:]), 0
		}
	}
	return pack.FNV(h, buf[:n])
}
