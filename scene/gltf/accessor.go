package gltf

import (
	"encoding/binary"
	"fmt"
	"math"
	"sort"

	"wend/geom"
)

// Component types of accessors.
const (
	i8  = 5120
	u8  = 5121
	i16 = 5122
	u16 = 5123
	u32 = 5125
	f32 = 5126
)

// componentSize returns the bytes of a component type, 0 for one that does
// not exist.
func componentSize(t int) int {
	switch t {
	case i8, u8:
		return 1
	case i16, u16:
		return 2
	case u32, f32:
		return 4
	}
	return 0
}

// array is an accessor ready to read. Elements are decoded when asked for, so
// that the numbers a file claims cost nothing.
type array struct {
	view       // data starts at the first element; empty without a bufferView
	path       string
	count      int
	components int
	kind       int // component type
	normalized bool
	stride     int

	// Sparse elements, in ascending order of their index; nil without any.
	changed []uint32
	values  view // packed
}

// maxBlank bounds accessors that have no bytes behind most elements.
const maxBlank = 1 << 20

// array opens accessor i as one of the given type. from is the member that
// names it.
func (b *buffers) array(i int, typ, from string) (*array, error) {
	if i < 0 || i >= len(b.doc.Accessors) {
		return nil, b.invalid(from, "accessor %d, but there are %d", i, len(b.doc.Accessors))
	}
	a := &b.doc.Accessors[i]
	p := fmt.Sprintf("accessors[%d]", i)
	size := componentSize(a.ComponentType)
	switch {
	case a.Type != typ:
		return nil, b.invalid(p+".type", "type is %s, want %s for %s", clip(a.Type), typ, from)
	case size == 0:
		return nil, b.invalid(p+".componentType", "componentType is %d, want 5120 to 5123, 5125 or 5126", a.ComponentType)
	case a.Normalized && size == 4:
		return nil, b.invalid(p+".normalized", "32-bit components cannot be normalized")
	case a.Count < 1:
		return nil, b.invalid(p+".count", "count is %d, want at least 1", a.Count)
	}
	arr := &array{
		path: p, count: a.Count, kind: a.ComponentType, normalized: a.Normalized,
		components: map[string]int{"SCALAR": 1, "VEC3": 3, "VEC4": 4}[typ],
	}
	elem := size * arr.components
	switch {
	case a.BufferView != nil:
		v, err := b.elements(*a.BufferView, a.ByteOffset, a.Count, elem, p)
		if err != nil {
			return nil, err
		}
		arr.view = *v
		arr.stride = v.stride
	case a.Sparse == nil:
		return nil, b.unsupported(p, "the accessor has no bufferView, so all its elements are 0")
	case a.Count > maxBlank:
		return nil, b.unsupported(p+".count", "%d elements without a bufferView, want at most %d", a.Count, maxBlank)
	}
	if a.Sparse != nil {
		if err := b.sparse(arr, a.Sparse, elem); err != nil {
			return nil, err
		}
	}
	return arr, nil
}

// elements returns the part of a bufferView that holds count elements of elem
// bytes, with the stride set. p is the path of the object that asks.
func (b *buffers) elements(i, offset, count, elem int, p string) (*view, error) {
	v, err := b.view(i, p+".bufferView")
	if err != nil {
		return nil, err
	}
	stride := v.stride
	if stride == 0 {
		stride = elem
	}
	if stride < elem {
		return nil, b.invalid(fmt.Sprintf("bufferViews[%d].byteStride", i),
			"byteStride is %d, but the elements of %s have %d bytes", stride, p, elem)
	}
	have := len(v.data)
	if offset < 0 || offset > have {
		return nil, b.invalid(p+".byteOffset", "byteOffset is %d, but the bufferView has %d bytes", offset, have)
	}
	// Compared by division: the product could overflow.
	if fits := (have - offset - elem) / stride; have-offset < elem || count-1 > fits {
		return nil, b.invalid(p+".count", "%d elements of %d bytes, %d apart, do not fit the %d bytes of bufferViews[%d] from byte %d on",
			count, elem, stride, have, i, offset)
	}
	s := source{v.data[offset:], v.file, v.offset(offset)}
	return &view{s, stride}, nil
}

// sparse adds the elements that an accessor changes.
func (b *buffers) sparse(arr *array, s *sparse, elem int) error {
	p := arr.path + ".sparse"
	if s.Count < 1 || s.Count > arr.count {
		return b.invalid(p+".count", "count is %d, want 1 to %d", s.Count, arr.count)
	}
	size := componentSize(s.Indices.ComponentType)
	if size == 0 || s.Indices.ComponentType == i8 || s.Indices.ComponentType == i16 || s.Indices.ComponentType == f32 {
		return b.invalid(p+".indices.componentType", "componentType is %d, want 5121, 5123 or 5125", s.Indices.ComponentType)
	}
	iv, err := b.elements(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, size, p+".indices")
	if err != nil {
		return err
	}
	vv, err := b.elements(s.Values.BufferView, s.Values.ByteOffset, s.Count, elem, p+".values")
	if err != nil {
		return err
	}
	indices := &array{view: *iv, stride: iv.stride, count: s.Count, components: 1, kind: s.Indices.ComponentType}
	arr.changed = make([]uint32, s.Count)
	for k := range arr.changed {
		n := indices.index(k)
		if int64(n) >= int64(arr.count) || (k > 0 && n <= arr.changed[k-1]) {
			return &Error{
				File: iv.file, JSONPath: p + ".indices", Offset: iv.offset(k * iv.stride), Err: ErrInvalid,
				Msg: fmt.Sprintf("index %d is %d, want ascending numbers below %d", k, n, arr.count),
			}
		}
		arr.changed[k] = n
	}
	arr.values = *vv
	return nil
}

// find returns the view that holds element i, and at which byte.
func (a *array) find(i int) (*view, int) {
	if a.changed != nil {
		k := sort.Search(len(a.changed), func(k int) bool { return int(a.changed[k]) >= i })
		if k < len(a.changed) && int(a.changed[k]) == i {
			return &a.values, k * a.values.stride
		}
	}
	return &a.view, i * a.stride
}

// at returns the bytes of element i and whether there are any; without, the
// element is 0.
func (a *array) at(i int) ([]byte, bool) {
	v, k := a.find(i)
	if v.data == nil {
		return nil, false
	}
	return v.data[k:], true
}

// place returns the file and the offset of element i.
func (a *array) place(i int) (file string, offset int64) {
	v, k := a.find(i)
	return v.file, v.offset(k)
}

// index returns element i of an array of unsigned scalars.
func (a *array) index(i int) uint32 {
	d, ok := a.at(i)
	if !ok {
		return 0
	}
	switch a.kind {
	case u8:
		return uint32(d[0])
	case u16:
		return uint32(binary.LittleEndian.Uint16(d))
	}
	return binary.LittleEndian.Uint32(d)
}

// vec3 returns the first three components of element i.
func (a *array) vec3(i int) geom.Vec3 {
	d, ok := a.at(i)
	if !ok {
		return geom.Vec3{}
	}
	size := componentSize(a.kind)
	return geom.Vec3{X: a.component(d), Y: a.component(d[size:]), Z: a.component(d[2*size:])}
}

// vec4 returns the four components of element i.
func (a *array) vec4(i int) [4]float64 {
	d, ok := a.at(i)
	if !ok {
		return [4]float64{}
	}
	size := componentSize(a.kind)
	return [4]float64{a.component(d), a.component(d[size:]), a.component(d[2*size:]), a.component(d[3*size:])}
}

// component reads one number at the start of d. Normalized integers stand for
// 0 to 1, signed ones for -1 to 1.
func (a *array) component(d []byte) float64 {
	var v, one float64
	switch a.kind {
	case f32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(d)))
	case u32:
		return float64(binary.LittleEndian.Uint32(d))
	case u16:
		v, one = float64(binary.LittleEndian.Uint16(d)), math.MaxUint16
	case i16:
		v, one = float64(int16(binary.LittleEndian.Uint16(d))), math.MaxInt16
	case u8:
		v, one = float64(d[0]), math.MaxUint8
	case i8:
		v, one = float64(int8(d[0])), math.MaxInt8
	}
	if a.normalized {
		return max(v/one, -1)
	}
	return v
}
