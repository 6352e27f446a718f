package grid

// surface is the flat form in which the searches read a ground: one bit a
// cell, set where it is passable, rows of a multiple of 64 bits of which at
// least the last is never set, and a row that is never set above and below.
// The cell left of the first column is the unused end of the row before. Thus
// nothing that looks at the cells around a cell, or walks along a row until
// it meets a blocked cell, has to ask where the map ends.
//
// A cell's id is (row+1)*stride + column. Its bit lies guardBits further on,
// so that eight bytes that end in any row can be read.
type surface struct {
	w, h   int32
	stride int32
	bits   []byte
}

const (
	guardBits  = 64
	guardBytes = guardBits / 8
)

func newSurface(w, h int32) surface {
	s := surface{w: w, h: h, stride: (w/64 + 1) * 64}
	s.bits = make([]byte, s.ids()/8+2*guardBytes)
	return s
}

// ids returns the number of ids: every id of a cell and of its neighbours is
// below it.
func (s *surface) ids() int { return (int(s.h) + 2) * int(s.stride) }

func (s *surface) id(x, y int32) int32 { return (y+1)*s.stride + x }

func (s *surface) get(id int32) bool {
	p := uint32(id) + guardBits
	return s.bits[p>>3]>>(p&7)&1 == 1
}

func (s *surface) set(id int32, free bool) {
	p := uint32(id) + guardBits
	if free {
		s.bits[p>>3] |= 1 << (p & 7)
	} else {
		s.bits[p>>3] &^= 1 << (p & 7)
	}
}

// around returns the byte of free cells around a cell, in the order of the
// directions.
func (s *surface) around(id int32) uint8 {
	p := uint(uint32(id)) + guardBits - 1
	row := uint(s.stride) / 8
	at, k := p>>3, p&7
	up, mid, down := le(s.bits, at-row)>>k, le(s.bits, at)>>k, le(s.bits, at+row)>>k
	return uint8(up&7 | mid&1<<3 | mid&4<<2 | down&7<<5)
}
