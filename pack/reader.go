package pack

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// MaxName is the longest name a reader takes, in bytes.
const MaxName = 4096

// A Reader reads little-endian fields from bytes. After the first error it
// stands still and every read returns zero. It is not safe for concurrent use;
// several readers may share the bytes.
type Reader struct {
	where Where
	data  []byte
	pos   int
	base  int64 // offset of data[0] in the decompressed file, or of the stream
	raw   bool  // data were inflated from a stream
	err   *FormatError
}

// NewReader returns a reader over data, whose first byte has offset base in
// the decompressed file.
func NewReader(where Where, data []byte, base int64) *Reader {
	return &Reader{where: where, data: data, base: base}
}

// NewRawReader returns a reader over the inflated bytes of the stream at
// offset base.
func NewRawReader(where Where, data []byte, base int64) *Reader {
	return &Reader{where: where, data: data, base: base, raw: true}
}

// Where returns the place the reader names in errors.
func (r *Reader) Where() Where { return r.where }

// SetWhere changes the place the reader names in errors from now on.
func (r *Reader) SetWhere(w Where) { r.where = w }

// Err returns the first error, or nil.
func (r *Reader) Err() error {
	if r.err == nil { // a nil *FormatError in an error would not be nil
		return nil
	}
	return r.err
}

// Pos returns the position from the reader's first byte.
func (r *Reader) Pos() int { return r.pos }

// Len returns the number of bytes left.
func (r *Reader) Len() int { return len(r.data) - r.pos }

// Peek returns the bytes left, not copied, without moving.
func (r *Reader) Peek() []byte { return r.data[r.pos:] }

// Size returns the number of bytes in all.
func (r *Reader) Size() int { return len(r.data) }

// Offset returns the offset of the position in the decompressed file; inside
// an inflated stream that of the stream.
func (r *Reader) Offset() int64 {
	if r.raw {
		return r.base
	}
	return r.base + int64(r.pos)
}

// Fail sets the reader's error at the current position, unless it has one.
func (r *Reader) Fail(sentinel error, format string, args ...any) {
	r.FailAt(r.pos, sentinel, format, args...)
}

// FailAt is [Reader.Fail] for the field that starts at position pos.
func (r *Reader) FailAt(pos int, sentinel error, format string, args ...any) {
	if r.err != nil {
		return
	}
	if r.raw {
		r.err = r.where.At(r.base, sentinel, format, args...)
		r.err.Raw = int64(pos)
		return
	}
	r.err = r.where.At(r.base+int64(pos), sentinel, format, args...)
}

// FailWith sets an error made elsewhere, unless the reader has one. A plain
// error gets the reader's place.
func (r *Reader) FailWith(err error) {
	if r.err != nil || err == nil {
		return
	}
	if fe, ok := err.(*FormatError); ok {
		r.err = fe
		return
	}
	r.err = r.where.Wrap(r.Offset(), err)
	if r.raw {
		r.err.Raw = int64(r.pos)
	}
}

// FailWithAt is [Reader.FailWith] for the field that starts at position pos.
func (r *Reader) FailWithAt(pos int, err error) {
	if r.err == nil && err != nil {
		here := r.pos
		r.pos = pos
		r.FailWith(err)
		r.pos = here
	}
}

// Bytes returns the next n bytes, not copied, and nil after an error.
func (r *Reader) Bytes(n uint64) []byte {
	if r.err != nil {
		return nil
	}
	if n > uint64(r.Len()) {
		r.Fail(ErrTruncated, "need %d bytes, %d are left", n, r.Len())
		return nil
	}
	b := r.data[r.pos : r.pos+int(n) : r.pos+int(n)]
	r.pos += int(n)
	return b
}

// U8 reads a byte.
func (r *Reader) U8() uint8 {
	if b := r.Bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads a uint16.
func (r *Reader) U16() uint16 {
	if b := r.Bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads a uint32.
func (r *Reader) U32() uint32 {
	if b := r.Bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads a uint64.
func (r *Reader) U64() uint64 {
	if b := r.Bytes(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// I32 reads an int32.
func (r *Reader) I32() int32 { return int32(r.U32()) }

// I64 reads an int64.
func (r *Reader) I64() int64 { return int64(r.U64()) }

// F32 reads a float32 that must be finite (ErrNonFinite).
func (r *Reader) F32() float32 {
	v := math.Float32frombits(r.U32())
	if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
		r.FailAt(r.pos-4, ErrNonFinite, "%v", v)
		return 0
	}
	return v
}

// F64 reads a float64 that must be finite (ErrNonFinite).
func (r *Reader) F64() float64 {
	v := math.Float64frombits(r.U64())
	if math.IsNaN(v) || math.IsInf(v, 0) {
		r.FailAt(r.pos-8, ErrNonFinite, "%v", v)
		return 0
	}
	return v
}

// Uvarint reads a varint.
func (r *Reader) Uvarint() uint64 {
	if r.err != nil {
		return 0
	}
	v, next, err := Uvarint(r.data, r.pos)
	if err != nil {
		r.FailWith(err)
		return 0
	}
	r.pos = next
	return v
}

// Uvarint32 reads a varint that must fit 32 bits (ErrRange).
func (r *Reader) Uvarint32() uint32 {
	pos := r.pos
	v := r.Uvarint()
	if v > math.MaxUint32 {
		r.FailAt(pos, ErrRange, "%d, want at most %d", v, uint32(math.MaxUint32))
		return 0
	}
	return uint32(v)
}

// Varint reads a zigzag varint.
func (r *Reader) Varint() int64 { return Unzigzag(r.Uvarint()) }

// Magic reads four bytes that must be want (ErrMagic).
func (r *Reader) Magic(want string) {
	pos := r.pos
	if b := r.Bytes(uint64(len(want))); b != nil && string(b) != want {
		r.FailAt(pos, ErrMagic, "%q, want %q", b, want)
	}
}

// Name reads n bytes of UTF-8 without NUL; n must be 1 to [MaxName].
func (r *Reader) Name(n uint32) string {
	if r.err == nil && (n == 0 || n > MaxName) {
		r.Fail(ErrLimit, "name of %d bytes, want 1 to %d", n, MaxName)
	}
	pos := r.pos
	b := r.Bytes(uint64(n))
	if !utf8.Valid(b) {
		r.FailAt(pos, ErrRange, "name %q is not UTF-8", b)
		return ""
	}
	for _, c := range b {
		if c == 0 {
			r.FailAt(pos, ErrRange, "name %q contains NUL", b)
			return ""
		}
	}
	return string(b)
}

// Pad skips zero padding up to a multiple of n of what was read since
// position start. The bytes are not looked at.
func (r *Reader) Pad(start, n int) { r.Bytes(uint64((n - (r.pos-start)%n) % n)) }

// Sub returns a reader over size bytes at offset off of this reader's bytes,
// without moving. Outside of them it is ErrBounds. what names the pair.
func (r *Reader) Sub(where Where, off, size uint64, what string) *Reader {
	total := uint64(len(r.data))
	if r.err == nil && (off > total || size > total-off) {
		r.Fail(ErrBounds, "%s: offset %d and size %d, %d bytes are there", what, off, size, total)
	}
	if r.err != nil {
		return &Reader{where: where, base: r.base, err: r.err}
	}
	return NewReader(where, r.data[off:off+size:off+size], r.base+int64(off))
}

// Items reports whether count records of size bytes can follow, and fails
// with ErrTruncated otherwise.
func (r *Reader) Items(count, size uint64, what string) bool {
	if r.err == nil && size > 0 && count > uint64(r.Len())/size {
		r.Fail(ErrTruncated, "%d %s of %d bytes, %d bytes are left", count, what, size, r.Len())
	}
	return r.err == nil
}

// Done fails with ErrTrailing where bytes are left, and returns the error.
func (r *Reader) Done() error {
	if n := r.Len(); n > 0 {
		r.Fail(ErrTrailing, "%d bytes after the end", n)
	}
	return r.Err()
}

// AppendF32 appends a float32.
func AppendF32(dst []byte, v float32) []byte {
	return binary.LittleEndian.AppendUint32(dst, math.Float32bits(v))
}

// AppendF64 appends a float64.
func AppendF64(dst []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v))
}

// AppendPad appends zeros up to a multiple of n of what stands in dst behind
// position start.
func AppendPad(dst []byte, start, n int) []byte {
	for (len(dst)-start)%n != 0 {
		dst = append(dst, 0)
	}
	return dst
}
