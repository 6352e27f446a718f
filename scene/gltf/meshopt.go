package gltf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Decoder of EXT_meshopt_compression, after appendix A (bitstream) and B
// (filters) of its specification.

var (
	errShort    = errors.New("the compressed bytes end too early")
	errExcess   = errors.New("compressed bytes are left over")
	errHeader   = errors.New("the compressed bytes have a header of another kind or version")
	errTooDense = errors.New("more elements than the compressed bytes can hold")
)

// compressed decodes the bufferView at path p.
func (b *buffers) compressed(bv *bufferView, p string) (*view, error) {
	m := bv.Extensions.Meshopt
	p += ".extensions.EXT_meshopt_compression"
	src, err := b.slice(m.Buffer, m.ByteOffset, m.ByteLength, p)
	if err != nil {
		return nil, err
	}
	if m.Count < 1 || m.ByteStride < 1 || m.ByteStride > 256 {
		return nil, b.invalid(p, "count %d and byteStride %d, want at least 1 and 1 to 256", m.Count, m.ByteStride)
	}
	var out []byte
	switch m.Mode {
	case "ATTRIBUTES":
		if m.ByteStride%4 != 0 {
			return nil, b.invalid(p+".byteStride", "byteStride is %d, want a multiple of 4", m.ByteStride)
		}
		out, err = decodeAttributes(src.data, m.Count, m.ByteStride)
	case "TRIANGLES", "INDICES":
		if m.ByteStride != 2 && m.ByteStride != 4 {
			return nil, b.invalid(p+".byteStride", "byteStride is %d, want 2 or 4", m.ByteStride)
		}
		if m.Mode == "INDICES" {
			out, err = decodeIndices(src.data, m.Count, m.ByteStride)
		} else if m.Count%3 != 0 {
			return nil, b.invalid(p+".count", "count is %d, want a multiple of 3", m.Count)
		} else {
			out, err = decodeTriangles(src.data, m.Count, m.ByteStride)
		}
	default:
		return nil, b.invalid(p+".mode", "mode is %s, want ATTRIBUTES, TRIANGLES or INDICES", clip(m.Mode))
	}
	if err != nil {
		return nil, &Error{File: src.file, JSONPath: p, Offset: src.offset(0), Msg: err.Error(), Err: ErrInvalid}
	}
	if m.Mode == "ATTRIBUTES" {
		if err := applyFilter(out, m.Filter, m.ByteStride); err != nil {
			return nil, b.unsupported(p+".filter", "%s", err.Error())
		}
	}
	// Decoded bytes have no place in any file.
	return &view{source{out, src.file, -1}, m.ByteStride}, nil
}

// applyFilter undoes the filter in place.
func applyFilter(data []byte, filter string, stride int) error {
	switch filter {
	case "", "NONE":
		return nil
	case "EXPONENTIAL":
		for i := 0; i+4 <= len(data); i += 4 {
			v := int32(binary.LittleEndian.Uint32(data[i:]))
			// 8 bits of exponent above 24 bits of mantissa, both signed.
			power := math.Float64frombits(uint64(v>>24+1023) << 52)
			f := float32(float64(v<<8>>8) * power)
			binary.LittleEndian.PutUint32(data[i:], math.Float32bits(f))
		}
		return nil
	case "QUATERNION":
		if stride != 8 {
			return fmt.Errorf("filter QUATERNION with byteStride %d, want 8", stride)
		}
		for i := 0; i+8 <= len(data); i += 8 {
			quaternion(data[i : i+8])
		}
		return nil
	}
	return fmt.Errorf("filter %s on positions or transforms", clip(filter))
}

// quaternion restores a unit quaternion from its three smaller components.
func quaternion(d []byte) {
	get := func(k int) int { return int(int16(binary.LittleEndian.Uint16(d[2*k:]))) }
	top := get(3)
	// The upper bits of the last number are the scale, the lower two tell
	// which component was left out.
	scale := math.Sqrt(0.5) / float64(top|3)
	var c [3]float64
	rest := 1.0
	for k := range c {
		c[k] = float64(float64(get(k)) * scale)
		rest -= float64(c[k] * c[k])
	}
	omitted := top & 3
	put := func(k int, v float64) {
		v = float64(max(-1, min(v, 1)) * math.MaxInt16)
		v = math.Trunc(v + math.Copysign(0.5, v))
		binary.LittleEndian.PutUint16(d[2*(k&3):], uint16(int16(v)))
	}
	for k := range c {
		put(omitted+1+k, c[k])
	}
	put(omitted, math.Sqrt(max(0, rest)))
}

const (
	attributeHeader = 0xa0
	triangleHeader  = 0xe1
	indexHeader     = 0xd1
)

// decodeAttributes decodes count elements of stride bytes. They come in
// blocks; a block holds, byte position by byte position, the differences to
// the element before in groups of 16.
func decodeAttributes(src []byte, count, stride int) ([]byte, error) {
	const minTail, maxBlock, blockBytes, group = 32, 256, 8192, 16
	tail := max(minTail, stride)
	if len(src) < 1+tail {
		return nil, errShort
	}
	if src[0] != attributeHeader {
		return nil, errHeader
	}
	// 4 groups of 16 elements take at least a byte for each byte position.
	data, last := src[1:len(src)-tail], src[len(src)-stride:]
	if (count-1)/(4*group) >= len(data)/stride+1 {
		return nil, errTooDense
	}
	out := make([]byte, count*stride)
	prev := make([]byte, stride)
	copy(prev, last)
	block := min(blockBytes/stride&^(group-1), maxBlock)
	var deltas [maxBlock]byte
	for from := 0; from < count; from += block {
		n := min(block, count-from)
		for k := range stride {
			groups := (n + group - 1) / group
			headers := (groups + 3) / 4
			if len(data) < headers {
				return nil, errShort
			}
			modes := data[:headers]
			data = data[headers:]
			for g := range groups {
				var ok bool
				if data, ok = unpackGroup((*[group]byte)(deltas[g*group:]), data, modes[g/4]>>(g%4*2)&3); !ok {
					return nil, errShort
				}
			}
			p := prev[k]
			for i, d := range deltas[:n] {
				p += d>>1 ^ -(d & 1)
				out[(from+i)*stride+k] = p
			}
			prev[k] = p
		}
	}
	if len(data) != 0 {
		return nil, errExcess
	}
	return out, nil
}

// unpackGroup reads 16 numbers of 0, 2, 4 or 8 bits; of the short ones the
// largest stands for a whole byte behind the group.
func unpackGroup(dst *[16]byte, data []byte, mode byte) (rest []byte, ok bool) {
	switch mode {
	case 0:
		*dst = [16]byte{}
		return data, true
	case 3:
		if len(data) < len(dst) {
			return nil, false
		}
		copy(dst[:], data)
		return data[len(dst):], true
	}
	bits := 2 * int(mode) // 2 or 4
	escape := byte(1)<<bits - 1
	packed := len(dst) * bits / 8
	if len(data) < packed {
		return nil, false
	}
	next := packed
	for i := range dst {
		at := i * bits
		v := data[at/8] >> (8 - bits - at%8) & escape
		if v == escape {
			if next == len(data) {
				return nil, false
			}
			v = data[next]
			next++
		}
		dst[i] = v
	}
	return data[next:], true
}

// decodeTriangles decodes count indices of triangles. A code byte a triangle
// refers to edges and vertices seen lately, kept in two rings of 16.
func decodeTriangles(src []byte, count, stride int) ([]byte, error) {
	const tail = 16
	tris := count / 3
	if len(src) < 1+tail || len(src)-1-tail < tris {
		return nil, errShort
	}
	if src[0] != triangleHeader && src[0] != triangleHeader-1 {
		return nil, errHeader
	}
	// Version 1 spends two of the vertex codes on indices beside the last.
	vertexCodes := 13
	if src[0] == triangleHeader-1 {
		vertexCodes = 15
	}
	codes, table := src[1:1+tris], src[len(src)-tail:]
	d := indexReader{data: src[1+tris : len(src)-tail]}
	out := make([]byte, count*stride)

	var edges [16][2]uint32
	var verts [16]uint32
	var edgeAt, vertAt int
	var next uint32
	pushEdge := func(a, b uint32) { edges[edgeAt&15] = [2]uint32{a, b}; edgeAt++ }
	pushVertex := func(v uint32) { verts[vertAt&15] = v; vertAt++ }
	// vertex resolves a code for a vertex: 0 is a new one, 15 (where allowed) a
	// number in the data, anything else one of the ring.
	fresh := func() uint32 { next++; return next - 1 }

	for t, code := range codes {
		var a, b, c uint32
		if code < 0xf0 {
			e := edges[(edgeAt-1-int(code>>4))&15]
			a, b = e[0], e[1]
			switch fec := int(code & 15); {
			case fec == 0:
				c = fresh()
				pushVertex(c)
			case fec < vertexCodes:
				c = verts[(vertAt-1-fec)&15]
			case fec == 15:
				c = d.next()
				pushVertex(c)
			default: // 13 and 14: just below and just above the last
				c = d.last + uint32(2*fec-27)
				d.last = c
				pushVertex(c)
			}
			pushEdge(c, b)
			pushEdge(a, c)
		} else {
			var fea, feb, fec int
			if code < 0xfe {
				aux := table[code&15]
				feb, fec = int(aux>>4), int(aux&15)
			} else {
				aux := d.byte()
				feb, fec = int(aux>>4), int(aux&15)
				if code == 0xff {
					fea = 15
				}
				if aux == 0 {
					next = 0
				}
			}
			inData := code >= 0xfe
			resolve := func(fe int) (v uint32, push bool) {
				switch {
				case fe == 0:
					return fresh(), true
				case fe == 15 && inData:
					return 0, true // read below, after all new ones are numbered
				}
				return verts[(vertAt-fe)&15], false
			}
			var pa, pb, pc bool
			a, pa = resolve(fea)
			b, pb = resolve(feb)
			c, pc = resolve(fec)
			if inData {
				if fea == 15 {
					a = d.next()
				}
				if feb == 15 {
					b = d.next()
				}
				if fec == 15 {
					c = d.next()
				}
			}
			if pa {
				pushVertex(a)
			}
			if pb {
				pushVertex(b)
			}
			if pc {
				pushVertex(c)
			}
			pushEdge(b, a)
			pushEdge(c, b)
			pushEdge(a, c)
		}
		putIndex(out, 3*t, stride, a)
		putIndex(out, 3*t+1, stride, b)
		putIndex(out, 3*t+2, stride, c)
	}
	return out, d.end()
}

// decodeIndices decodes a sequence of count indices: differences to one of two
// earlier ones.
func decodeIndices(src []byte, count, stride int) ([]byte, error) {
	const tail = 4
	if len(src) < 1+tail || len(src)-1-tail < count {
		return nil, errShort
	}
	if src[0] != indexHeader && src[0] != indexHeader-1 {
		return nil, errHeader
	}
	d := indexReader{data: src[1 : len(src)-tail]}
	out := make([]byte, count*stride)
	var last [2]uint32
	for i := range count {
		v := d.varint()
		which := v & 1
		v >>= 1
		last[which] += v>>1 ^ -(v & 1)
		putIndex(out, i, stride, last[which])
	}
	return out, d.end()
}

func putIndex(out []byte, i, stride int, v uint32) {
	if stride == 2 {
		binary.LittleEndian.PutUint16(out[2*i:], uint16(v))
		return
	}
	binary.LittleEndian.PutUint32(out[4*i:], v)
}

// indexReader reads the data behind the codes. Reading past the end gives 0
// and shows in end.
type indexReader struct {
	data  []byte
	last  uint32
	short bool
}

func (d *indexReader) byte() byte {
	if len(d.data) == 0 {
		d.short = true
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return b
}

// varint reads 7 bits a byte, the lowest first, from at most 5 bytes.
func (d *indexReader) varint() uint32 {
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		b := d.byte()
		v |= uint32(b&127) << shift
		if b < 128 {
			break
		}
	}
	return v
}

// next reads an index as a signed difference to the last one read.
func (d *indexReader) next() uint32 {
	v := d.varint()
	d.last += v>>1 ^ -(v & 1)
	return d.last
}

func (d *indexReader) end() error {
	switch {
	case d.short:
		return errShort
	case len(d.data) > 0:
		return errExcess
	}
	return nil
}
