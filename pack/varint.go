package pack

import "fmt"

// MaxVarintLen is the longest varint a reader takes.
const MaxVarintLen = 10

// AppendUvarint appends v in unsigned LEB128, the shortest form.
func AppendUvarint(dst []byte, v uint64) []byte {
	for v >= 0x80 {
		dst = append(dst, byte(v)|0x80)
		v >>= 7
	}
	return append(dst, byte(v))
}

// AppendVarint appends a signed number: zigzag, then LEB128.
func AppendVarint(dst []byte, v int64) []byte { return AppendUvarint(dst, Zigzag(v)) }

// UvarintLen returns how many bytes [AppendUvarint] writes for v.
func UvarintLen(v uint64) int {
	n := 1
	for v >= 0x80 {
		v >>= 7
		n++
	}
	return n
}

// Zigzag maps 0, -1, 1, -2, 2 to 0, 1, 2, 3, 4, over the whole int64 range.
func Zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

// Unzigzag is the inverse of [Zigzag].
func Unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

// Uvarint reads a number at src[pos:] and returns it with the position behind
// it. Forms longer than needed are accepted up to ten bytes. Errors are
// ErrTruncated and ErrVarint (a tenth byte above 1, or an eleventh byte);
// then the position is where the number starts.
func Uvarint(src []byte, pos int) (v uint64, next int, err error) {
	if pos < len(src) && src[pos] < 0x80 { // most numbers are small
		return uint64(src[pos]), pos + 1, nil
	}
	return uvarint(src, pos)
}

func uvarint(src []byte, pos int) (v uint64, next int, err error) {
	for i, shift := pos, uint(0); shift <= 63; i, shift = i+1, shift+7 {
		if i >= len(src) {
			return 0, pos, fmt.Errorf("%w: varint of %d bytes without an end", ErrTruncated, len(src)-pos)
		}
		b := src[i]
		if shift == 63 && b&0x7f > 1 {
			return 0, pos, fmt.Errorf("%w: tenth byte %#02x, want at most 1 in its low bits", ErrVarint, b)
		}
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v, i + 1, nil
		}
	}
	return 0, pos, fmt.Errorf("%w: more than %d bytes", ErrVarint, MaxVarintLen)
}
