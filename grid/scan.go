package grid

import (
	"encoding/binary"
	"math/bits"
)

// The walk along a row or, on the transposed surface, a column, 56 cells at a
// time (after Harabor and Grastien 2014, "Improving jump point search"). It ends
// at the first cell that is blocked, or where a turn is worth making that was
// not before: where the row beside opens, if corners may not be cut; one cell
// earlier, if they may.

// scanned is the outcome of a walk: how many cells away it ended, and whether at
// a place to turn instead of a blocked cell.
type scanned struct {
	cells int32
	turn  bool
}

// goodBits is how many bits of a surface's word can be trusted.
const goodBits = 57

// le reads eight bytes.
func le(b []byte, at uint) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// The walks below read three rows at once. Rows are whole bytes apart, so that
// all three are shifted alike.

// scanForward walks from id towards higher ids, for the rule Never and for four
// neighbours.
func scanForward(s *surface, id int32) scanned {
	b, row := s.bits, uint(s.stride)/8
	p := uint(uint32(id)) + guardBits
	for far := int32(0); ; far += goodBits - 1 {
		at, k := p>>3, p&7
		up, mid, down := le(b, at-row)>>k, le(b, at)>>k, le(b, at+row)>>k
		stop := (up&^(up<<1) | down&^(down<<1) | ^mid) &^ 1
		if j := int32(bits.TrailingZeros64(stop)); j < goodBits {
			return scanned{far + j, mid>>(j&63)&1 == 1}
		}
		p += goodBits - 1
	}
}

// scanBackward walks from id towards lower ids.
func scanBackward(s *surface, id int32) scanned {
	b, row := s.bits, uint(s.stride)/8
	p := uint(uint32(id)) + guardBits
	for far := int32(0); ; far += goodBits - 1 {
		at, k := p>>3-7, 7-p&7
		up, mid, down := le(b, at-row)<<k, le(b, at)<<k, le(b, at+row)<<k
		stop := (up&^(up>>1) | down&^(down>>1) | ^mid) &^ (1 << 63)
		if j := int32(bits.LeadingZeros64(stop)); j < goodBits {
			return scanned{far + j, mid<<(j&63)>>63 == 1}
		}
		p -= goodBits - 1
	}
}

// scanForwardCut is scanForward for the rules that let corners be cut. open is
// all ones if the cell ahead may be blocked when a step turns past a corner
// (Always), 0 if not (OneFree).
func scanForwardCut(s *surface, id int32, open uint64) scanned {
	b, row := s.bits, uint(s.stride)/8
	p := uint(uint32(id)) + guardBits
	for far := int32(0); ; far += goodBits - 2 {
		at, k := p>>3, p&7
		up, mid, down := le(b, at-row)>>k, le(b, at)>>k, le(b, at+row)>>k
		turn := (up>>1&^up | down>>1&^down) & (mid>>1 | open)
		stop := (turn | ^mid) &^ 1
		if j := int32(bits.TrailingZeros64(stop)); j < goodBits-1 {
			return scanned{far + j, mid>>(j&63)&1 == 1}
		}
		p += goodBits - 2
	}
}

// scanBackwardCut is scanBackward for the rules that let corners be cut.
func scanBackwardCut(s *surface, id int32, open uint64) scanned {
	b, row := s.bits, uint(s.stride)/8
	p := uint(uint32(id)) + guardBits
	for far := int32(0); ; far += goodBits - 2 {
		at, k := p>>3-7, 7-p&7
		up, mid, down := le(b, at-row)<<k, le(b, at)<<k, le(b, at+row)<<k
		turn := (up<<1&^up | down<<1&^down) & (mid<<1 | open)
		stop := (turn | ^mid) &^ (1 << 63)
		if j := int32(bits.LeadingZeros64(stop)); j < goodBits-1 {
			return scanned{far + j, mid<<(j&63)>>63 == 1}
		}
		p -= goodBits - 2
	}
}
