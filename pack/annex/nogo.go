package annex

import (
	"encoding/binary"
	"math"

	"wend/geom"
	"wend/pack"
	"wend/pack/bnav"
)

// NoGo is an author's no-go polygon: a prism of the world that routes in a zone
// never enter. The grid knows nothing of it, so that one can be lifted without a
// new bake.
type NoGo struct {
	ID         uint16 // of the zone in the pack's table
	Name       string // may be empty
	Ring       []geom.Vec2
	MinY, MaxY float64 // m, may be infinite
}

// MaxRing is the most points of a ring.
const MaxRing = 1 << 16

func (n *NoGo) fault() string {
	if len(n.Ring) < 3 || len(n.Ring) > MaxRing {
		return "a ring of fewer than 3 or more than 65536 points"
	}
	for _, p := range n.Ring {
		if !(math.Abs(p.X) <= math.MaxFloat64 && math.Abs(p.Y) <= math.MaxFloat64) {
			return "a point that is not finite"
		}
	}
	if !(n.MinY <= n.MaxY) {
		return "a floor above its ceiling, or not a number"
	}
	return ""
}

// EncodeNoGo returns the section WNGO. Polygons are in order of their zones.
func EncodeNoGo(list []NoGo) (pack.Extra, error) {
	le := binary.LittleEndian
	out := appendHeader(nil, TagNoGo)
	out = le.AppendUint32(out, uint32(len(list)))
	out = le.AppendUint32(out, 0)
	for i := range list {
		n := &list[i]
		what := n.fault()
		if what == "" {
			what = badName(n.Name, 0)
		}
		if what != "" {
			return pack.Extra{}, fault(TagNoGo, pack.ErrRange, "polygon %d: %s", i, what)
		}
		if i > 0 && n.ID < list[i-1].ID {
			return pack.Extra{}, fault(TagNoGo, pack.ErrOrder, "zone id %d after %d", n.ID, list[i-1].ID)
		}
		out = le.AppendUint16(out, n.ID)
		out = append(pack.AppendUvarint(out, uint64(len(n.Name))), n.Name...)
		out = pack.AppendUvarint(out, uint64(len(n.Ring)))
		for _, p := range n.Ring {
			out = pack.AppendF64(pack.AppendF64(out, p.X), p.Y)
		}
		out = pack.AppendF64(pack.AppendF64(out, n.MinY), n.MaxY)
	}
	return pack.Extra{Tag: TagNoGo, Data: out}, nil
}

// ReadNoGo returns the no-go polygons of a main pack, nil where it has no such
// section. Zones that are not in the pack's table are pack.ErrPairing.
func ReadNoGo(p *bnav.Pack) ([]NoGo, error) {
	r := open(p.Name, TagNoGo, p.Extra, p.Sections)
	if r == nil {
		return nil, nil
	}
	list := parseNoGo(r)
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

// leastNoGo is the length of the smallest polygon.
const leastNoGo = 2 + 1 + 1 + 3*16 + 16

func parseNoGo(r *pack.Reader) []NoGo {
	readHeader(r, TagNoGo)
	count := r.U32()
	readReserved(r)
	if !r.Items(uint64(count), leastNoGo, "polygons") {
		return nil
	}
	list := make([]NoGo, count)
	for i := range list {
		start := r.Pos()
		n := &list[i]
		n.ID = r.U16()
		n.Name = readName(r, 0)
		points := r.Uvarint()
		if points > MaxRing {
			r.FailAt(start, pack.ErrLimit, "ring of %d points, want at most %d", points, MaxRing)
		}
		if !r.Items(points, 16, "points") {
			return nil
		}
		n.Ring = make([]geom.Vec2, points)
		for k := range n.Ring {
			n.Ring[k] = geom.Vec2{X: r.F64(), Y: r.F64()}
		}
		n.MinY, n.MaxY = math.Float64frombits(r.U64()), math.Float64frombits(r.U64()) // may be infinite
		if r.Err() != nil {
			return nil
		}
		if what := n.fault(); what != "" {
			r.FailAt(start, pack.ErrRange, "polygon %d: %s", i, what)
		}
		if i > 0 && n.ID < list[i-1].ID {
			r.FailAt(start, pack.ErrOrder, "zone id %d after %d", n.ID, list[i-1].ID)
		}
	}
	r.Done()
	return list
}
