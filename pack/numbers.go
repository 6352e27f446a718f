package pack

// Numbers is a cursor over the varints of an inflated stream, made for loops
// over millions of them. It keeps its first error; a number read after an
// error is 0.
type Numbers struct {
	b      []byte
	p      int
	all    []byte // the whole stream, for errors
	where  Where
	offset int64
	err    *FormatError
}

// NewNumbers returns a cursor over raw, the inflated bytes of the stream at
// offset of the file.
func NewNumbers(where Where, raw []byte, offset int64) Numbers {
	return Numbers{b: raw, all: raw, where: where, offset: offset}
}

// Next reads a varint.
func (n *Numbers) Next() uint64 {
	if p := n.p; p < len(n.b) && n.b[p] < 0x80 {
		n.p = p + 1
		return uint64(n.b[p])
	}
	return n.slow()
}

// slow reads long forms and finds the errors.
func (n *Numbers) slow() uint64 {
	if n.err != nil {
		return 0
	}
	v, next, err := Uvarint(n.b, n.p)
	if err != nil {
		n.set(n.p, n.where.Wrap(n.offset, err))
		return 0
	}
	n.p = next
	return v
}

// set keeps an error at raw position pos and takes the bytes away.
func (n *Numbers) set(pos int, err *FormatError) {
	err.Raw = int64(pos)
	n.err, n.b, n.p = err, nil, pos
}

// Signed reads a zigzag varint.
func (n *Numbers) Signed() int64 { return Unzigzag(n.Next()) }

// Pos returns the position in the inflated bytes, and Seek moves there. With
// [Numbers.Raw] and [Uvarint] they let the hottest loops keep the position in
// a register.
func (n *Numbers) Pos() int { return n.p }

// Seek moves the cursor, unless there is an error.
func (n *Numbers) Seek(pos int) {
	if n.err == nil {
		n.p = pos
	}
}

// FailWith sets an error made elsewhere, such as by [Uvarint], at raw position
// pos, unless there is one.
func (n *Numbers) FailWith(pos int, err error) {
	if n.err == nil && err != nil {
		n.set(pos, n.where.Wrap(n.offset, err))
	}
}

// Raw returns all bytes of the stream.
func (n *Numbers) Raw() []byte { return n.all }

// Len returns how many bytes are left, 0 after an error.
func (n *Numbers) Len() int { return max(0, len(n.b)-n.p) }

// Fail sets an error at the cursor, unless there is one.
func (n *Numbers) Fail(sentinel error, format string, args ...any) {
	if n.err == nil {
		n.set(n.p, n.where.At(n.offset, sentinel, format, args...))
	}
}

// Err returns the first error, or nil.
func (n *Numbers) Err() error {
	if n.err == nil {
		return nil
	}
	return n.err
}

// Done fails with ErrTrailing where bytes are left, and returns the error.
func (n *Numbers) Done() error {
	if left := n.Len(); left > 0 {
		n.Fail(ErrTrailing, "%d inflated bytes are not used", left)
	}
	return n.Err()
}

// AtLeast fails with ErrCount where the stream has less than min bytes, so
// that it cannot hold that many numbers.
func (n *Numbers) AtLeast(min uint64) {
	if uint64(len(n.all)) < min {
		n.Fail(ErrCount, "%d inflated bytes for %d numbers", len(n.all), min)
	}
}

// Numbers reads a stream of at least least and at most limit inflated bytes and
// returns a cursor over it. buf is scratch: its bytes are overwritten, and the
// grown buffer comes back for the next call. An error of the stream is also
// the reader's.
func (r *Reader) Numbers(f *Inflater, buf []byte, stream int, least, limit uint64) (Numbers, []byte) {
	outer := r.where
	r.where = outer.In("stream", stream)
	packed, offset := r.Packed()
	// What is not refused has so many bytes; no more are taken than the packed
	// ones may hold.
	if room := int64(min(least+least/16, limit, Expansion(uint64(len(packed))))); int64(cap(buf)) < room {
		buf = make([]byte, 0, room)
	}
	if r.err == nil {
		var err error
		if buf, err = f.Inflate(buf[:0], packed, int64(min(limit, 1<<62))); err != nil {
			r.err = r.where.Wrap(offset, err)
		}
	}
	n := NewNumbers(r.where, buf, offset)
	r.where = outer
	if r.err != nil {
		n.err, n.b = r.err, nil
		return n, buf
	}
	n.AtLeast(least)
	r.FailWith(n.Err())
	return n, buf
}
