package annex

import (
	"encoding/binary"
	"math"

	"wend/pack"
	"wend/pack/bnav"
)

// Body is what the triangles of a zone were made for: they leave out what this
// body cannot reach. A body that is wider or taller must ask for clearance and
// headroom, a smaller one finds fewer places than there are.
type Body struct {
	ID          uint16  // of the zone in the pack's table
	Radius      float64 // m the triangles stay away from walls
	Headroom    float64 // m that are free above them
	MaxClimb    float64 // m a step may be high
	MaxSlopeDeg float64 // degrees, 0 to 90
}

const bodyLen = 40

func (b *Body) fault() string {
	for _, v := range []float64{b.Radius, b.Headroom, b.MaxClimb, b.MaxSlopeDeg} {
		if !(v >= 0 && v <= math.MaxFloat64) {
			return "a length or angle is negative or not a number"
		}
	}
	if b.MaxSlopeDeg > 90 {
		return "a slope of more than 90 degrees"
	}
	return ""
}

// EncodeBodies returns the section WBDY. Bodies ascend by zone id; zones may be
// left out.
func EncodeBodies(list []Body) (pack.Extra, error) {
	le := binary.LittleEndian
	out := appendHeader(nil, TagBodies)
	out = le.AppendUint32(out, uint32(len(list)))
	out = le.AppendUint32(out, 0)
	for i := range list {
		b := &list[i]
		if what := b.fault(); what != "" {
			return pack.Extra{}, fault(TagBodies, pack.ErrRange, "zone id %d: %s", b.ID, what)
		}
		if i > 0 && b.ID <= list[i-1].ID {
			return pack.Extra{}, fault(TagBodies, pack.ErrOrder, "zone id %d after %d", b.ID, list[i-1].ID)
		}
		out = append(le.AppendUint16(out, b.ID), 0, 0, 0, 0, 0, 0)
		for _, v := range []float64{b.Radius, b.Headroom, b.MaxClimb, b.MaxSlopeDeg} {
			out = pack.AppendF64(out, v)
		}
	}
	return pack.Extra{Tag: TagBodies, Data: out}, nil
}

// ReadBodies returns the bodies of a main pack, nil where it has no such
// section. Zones that are not in the pack's table are pack.ErrPairing.
func ReadBodies(p *bnav.Pack) ([]Body, error) {
	r := open(p.Name, TagBodies, p.Extra, p.Sections)
	if r == nil {
		return nil, nil
	}
	list := parseBodies(r)
	if r.Err() != nil {
		return nil, r.Err()
	}
	for i := range list {
		if err := pairZone(r, p, list[i].ID); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func parseBodies(r *pack.Reader) []Body {
	readHeader(r, TagBodies)
	count := r.U32()
	readReserved(r)
	if !r.Items(uint64(count), bodyLen, "bodies") {
		return nil
	}
	list := make([]Body, count)
	for i := range list {
		start := r.Pos()
		b := &list[i]
		b.ID = r.U16()
		if v := r.U16(); r.Err() == nil && v != 0 {
			r.FailAt(start+2, pack.ErrRange, "reserved field %#04x, want 0", v)
		}
		readReserved(r)
		b.Radius, b.Headroom, b.MaxClimb, b.MaxSlopeDeg = r.F64(), r.F64(), r.F64(), r.F64()
		if what := b.fault(); what != "" {
			r.FailAt(start, pack.ErrRange, "zone id %d: %s", b.ID, what)
		}
		if i > 0 && b.ID <= list[i-1].ID {
			r.FailAt(start, pack.ErrOrder, "zone id %d after %d", b.ID, list[i-1].ID)
		}
	}
	r.Done()
	return list
}
