package polygonize

import "math/bits"

// weldHeight is how far apart, in voxels, corners of two outlines at the same
// place may be and still be one vertex. An outline takes the highest floor
// around a corner, and two regions need not see the same floors there. It is
// less where bodies are so low that the next storey may begin there.
const weldHeight = 2

// welder gives corners that meet one index. It is a hash table over the place
// seen from above, with chains in an array.
type welder struct {
	height int32 // see weldHeight
	verts  []Vert
	first  []int32 // by hash; 1 + index of the vertex added last, 0 for none
	before []int32 // by vertex: the next in its chain, likewise
	shift  uint
}

// newWelder makes room for n vertices. Storeys are more than headroom voxels
// apart; 0 stands for unknown.
func newWelder(n, headroom int) *welder {
	b := max(bits.Len(uint(n)), 4)
	height := int32(weldHeight)
	if headroom > 0 {
		height = int32(min(weldHeight, headroom))
	}
	return &welder{
		height: height,
		verts:  make([]Vert, 0, n),
		first:  make([]int32, 1<<b),
		before: make([]int32, 0, n),
		shift:  uint(64 - b),
	}
}

// add returns the index of v, an old one when a vertex is near enough. Of
// several the one added last counts.
func (w *welder) add(v Vert) uint32 {
	key := uint64(uint32(v.X))<<32 | uint64(uint32(v.Z))
	h := key * 0x9e3779b97f4a7c15 >> w.shift
	for i := w.first[h]; i != 0; i = w.before[i-1] {
		u := w.verts[i-1]
		if u.X == v.X && u.Z == v.Z && max(u.Y, v.Y)-min(u.Y, v.Y) <= w.height {
			return uint32(i - 1)
		}
	}
	w.verts = append(w.verts, v)
	w.before = append(w.before, w.first[h])
	w.first[h] = int32(len(w.verts))
	return uint32(len(w.verts) - 1)
}
