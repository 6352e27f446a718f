package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
)

// MaxRatio is the most deflate can expand: 258 bytes from two bits.
const MaxRatio = 1032

// Expansion is the most bytes that packed bytes of zlib or gzip can inflate
// to.
func Expansion(packed uint64) uint64 {
	if packed > (1<<63)/MaxRatio {
		return 1 << 63
	}
	return packed*MaxRatio + 64
}

// An Inflater decompresses zlib data and reuses its state from call to call.
// The zero value is ready. It is for one goroutine.
type Inflater struct {
	src bytes.Reader
	z   io.ReadCloser
}

// growth is the room given to an output at first, as a multiple of the input.
// The output grows by doubling from there, so a stream that claims nothing
// costs nothing.
const growth = 4

// Inflate decompresses src, which must be exactly one zlib stream, to the end
// of dst. More than limit bytes are ErrLimit, found while inflating; other
// errors are ErrZlib and, for bytes behind the end, ErrTrailing. The memory
// used is at most twice what comes out.
func (f *Inflater) Inflate(dst, src []byte, limit int64) ([]byte, error) {
	if limit < 0 {
		limit = 0
	}
	if len(src) >= 2 && src[1]&0x20 != 0 {
		return dst, fmt.Errorf("%w: it wants a preset dictionary", ErrZlib)
	}
	f.src.Reset(src)
	defer f.src.Reset(nil) // do not keep the file alive
	var err error
	if f.z == nil {
		f.z, err = zlib.NewReader(&f.src)
	} else {
		err = f.z.(zlib.Resetter).Reset(&f.src, nil)
	}
	if err != nil {
		return dst, zlibError(err)
	}
	start := len(dst)
	room := min(limit, growth*int64(len(src))+64)
	if int64(cap(dst)-start) < room {
		dst = append(make([]byte, 0, start+int(room)), dst...)
	}
	for {
		have := int64(len(dst) - start)
		if have == limit {
			var one [1]byte // the end marker, or a byte too many
			n, err := readOne(f.z, one[:])
			if n > 0 {
				return dst, fmt.Errorf("%w: stream of %d bytes inflates to more than %d", ErrLimit, len(src), limit)
			}
			if err != io.EOF {
				return dst, zlibError(err)
			}
			break
		}
		if len(dst) == cap(dst) {
			grown := make([]byte, len(dst), start+int(min(limit, 2*have)))
			copy(grown, dst)
			dst = grown
		}
		end := min(int64(cap(dst)), int64(start)+limit)
		n, err := f.z.Read(dst[len(dst):end])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return dst, zlibError(err)
		}
	}
	if n := f.src.Len(); n > 0 {
		return dst, fmt.Errorf("%w: %d bytes after the end of the zlib data", ErrTrailing, n)
	}
	return dst, nil
}

// readOne reads until a byte or an error comes.
func readOne(r io.Reader, b []byte) (int, error) {
	for {
		if n, err := r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
}

func zlibError(err error) error {
	switch {
	case errors.Is(err, zlib.ErrChecksum):
		return fmt.Errorf("%w: %w (Adler-32)", ErrZlib, ErrChecksum)
	case errors.Is(err, zlib.ErrHeader), errors.Is(err, zlib.ErrDictionary):
		return fmt.Errorf("%w: header", ErrZlib)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: the data end early", ErrZlib)
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return fmt.Errorf("%w: damaged at packed byte %d", ErrZlib, int64(corrupt))
	}
	return fmt.Errorf("%w: %v", ErrZlib, err)
}

// Packed reads the length of a stream and returns its zlib bytes, to be
// inflated or skipped, and the offset of the stream in the file.
func (r *Reader) Packed() (packed []byte, offset int64) {
	offset = r.Offset()
	pos := r.pos
	n := r.Uvarint()
	if r.err != nil {
		return nil, offset
	}
	if n > uint64(r.Len()) {
		r.FailAt(pos, ErrTruncated, "stream of %d bytes, %d are left", n, r.Len())
		return nil, offset
	}
	return r.Bytes(n), offset
}

// Stream reads a stream (length, zlib data) and appends its inflated bytes to
// dst, at most limit of them.
func (r *Reader) Stream(f *Inflater, dst []byte, limit uint64) []byte {
	packed, offset := r.Packed()
	if r.err != nil {
		return dst
	}
	dst, err := f.Inflate(dst, packed, int64(min(limit, 1<<62)))
	if err != nil {
		r.err = r.where.Wrap(offset, err)
	}
	return dst
}

// DefaultLevel is the compression level of writers.
const DefaultLevel = 9

// A Deflater compresses. It reuses its state and is for one goroutine.
type Deflater struct {
	level int
	buf   bytes.Buffer
	w     *zlib.Writer
}

// NewDeflater returns a Deflater for levels 0 (stored) to 9; others are an
// error.
func NewDeflater(level int) (*Deflater, error) {
	if level < 0 || level > 9 {
		return nil, fmt.Errorf("pack: compression level %d, want 0 to 9", level)
	}
	return &Deflater{level: level}, nil
}

// AppendZlib appends raw as zlib data. The bytes depend on raw and the level
// only.
func (d *Deflater) AppendZlib(dst, raw []byte) []byte {
	if d.level == 0 {
		return appendStored(dst, raw)
	}
	return append(dst, d.pack(raw)...)
}

// AppendStream appends raw as a stream: the packed length, then zlib data.
func (d *Deflater) AppendStream(dst, raw []byte) []byte {
	if d.level == 0 {
		blocks := max(1, (len(raw)+maxStored-1)/maxStored)
		return appendStored(AppendUvarint(dst, uint64(2+5*blocks+len(raw)+4)), raw)
	}
	packed := d.pack(raw)
	return append(AppendUvarint(dst, uint64(len(packed))), packed...)
}

// pack returns the compressed bytes, valid until the next call.
func (d *Deflater) pack(raw []byte) []byte {
	d.buf.Reset()
	if d.w == nil {
		d.w, _ = zlib.NewWriterLevel(&d.buf, d.level) // the level was checked
	} else {
		d.w.Reset(&d.buf)
	}
	d.w.Write(raw) // a bytes.Buffer takes everything
	d.w.Close()
	return d.buf.Bytes()
}

// maxStored is the most a stored deflate block holds.
const maxStored = 65535

// appendStored appends zlib data without compression: as few stored blocks as
// possible, the last one marked.
func appendStored(dst, raw []byte) []byte {
	sum := adler32.Checksum(raw)
	dst = append(dst, 0x78, 0x01)
	for {
		n := min(len(raw), maxStored)
		final := byte(0)
		if n == len(raw) {
			final = 1
		}
		dst = append(dst, final, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		dst = append(dst, raw[:n]...)
		if raw = raw[n:]; final == 1 {
			return binary.BigEndian.AppendUint32(dst, sum)
		}
	}
}
