package annex

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"wend/pack"
	"wend/pack/bnvf"
)

// Drop says that some cell of a region has a one-way drop into another region
// of the same zone.
type Drop struct{ From, To uint32 }

func compareDrops(a, b Drop) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) }

// EncodeDrops returns the section WDRP: for each zone of the main pack's grid
// its drops, in any order; one that comes twice is stored once.
func EncodeDrops(zones [][]Drop) (pack.Extra, error) {
	d, err := pack.NewDeflater(pack.DefaultLevel)
	if err != nil {
		return pack.Extra{}, err
	}
	le := binary.LittleEndian
	out := appendHeader(nil, TagDrops)
	out = le.AppendUint32(out, uint32(len(zones)))
	out = le.AppendUint32(out, 0)
	var raw []byte
	for zi, list := range zones {
		list = slices.Compact(slices.SortedFunc(slices.Values(list), compareDrops))
		raw = raw[:0]
		last := Drop{}
		for _, e := range list {
			if e.From == 0 || e.To == 0 || e.From == e.To {
				return pack.Extra{}, fault(TagDrops, pack.ErrRange, "zone %d: from region %d to %d, want two different ones from 1", zi, e.From, e.To)
			}
			raw = pack.AppendUvarint(raw, uint64(e.From-last.From))
			if e.From == last.From {
				raw = pack.AppendUvarint(raw, uint64(e.To-last.To-1))
			} else {
				raw = pack.AppendUvarint(raw, uint64(e.To-1))
			}
			last = e
		}
		out = pack.AppendUvarint(out, uint64(len(list)))
		out = d.AppendStream(out, raw)
	}
	return pack.Extra{Tag: TagDrops, Data: out}, nil
}

// Drops is the graph of drops between the regions of each zone. It is safe for
// concurrent use.
type Drops struct {
	zones   []dropZone
	scratch sync.Pool // of *reach
}

// dropZone is a zone's graph. Nodes are the regions that a drop leaves or
// enters.
type dropZone struct {
	region []uint32 // of each node, ascending
	first  []uint32 // first drop of each node, and the end
	to     []uint32 // node each drop leads to
}

// reach is the scratch of a search.
type reach struct {
	seen  []bool
	queue []uint32
}

// ReadDrops returns the drops of a fields pack, nil where it has none. Zones
// must be those of the main pack's grid, and regions no more than they have
// (pack.ErrPairing). Memory is at most 20 bytes a drop.
func ReadDrops(f *bnvf.Fields) (*Drops, error) {
	r := open(f.Name, TagDrops, f.Extra, f.Sections)
	if r == nil {
		return nil, nil
	}
	d := parseDrops(r)
	g := f.Main().Grid
	if err := pairZones(r, len(d.zones), g); err != nil {
		return nil, err
	}
	for i := range d.zones {
		ids, most := d.zones[i].region, g.Zones[i].GlobalRegions
		if n := len(ids); n > 0 && ids[n-1] > most {
			return nil, at(r, g, i, -1).At(r.Offset()-int64(r.Pos()), pack.ErrPairing, "region %d, the grid has %d", ids[n-1], most)
		}
	}
	return d, nil
}

func parseDrops(r *pack.Reader) *Drops {
	d := &Drops{}
	readHeader(r, TagDrops)
	count := r.U32()
	readReserved(r)
	if !r.Items(uint64(count), 2, "zones") {
		return d
	}
	d.zones = make([]dropZone, count)
	section := r.Where()
	var inf pack.Inflater
	var raw []byte
	for i := range d.zones {
		r.SetWhere(section.In("zone", i))
		pos := r.Pos()
		n := r.Uvarint()
		if r.Err() == nil && n > pack.Expansion(uint64(r.Len()))/2 {
			r.FailAt(pos, pack.ErrLimit, "%d drops cannot be in %d bytes", n, r.Len())
		}
		if r.Err() != nil {
			return d
		}
		var num pack.Numbers
		num, raw = r.Numbers(&inf, raw, i, 2*n, 10*n)
		var list []Drop
		if r.Err() == nil {
			list = readDropList(&num, n)
			r.FailWith(num.Done())
		}
		if r.Err() != nil {
			return d
		}
		d.zones[i] = newDropZone(list)
	}
	r.SetWhere(section)
	r.Done()
	return d
}

// readDropList reads n drops; the stream has at least a byte for each number.
func readDropList(num *pack.Numbers, n uint64) []Drop {
	list := make([]Drop, 0, n)
	last := Drop{}
	for range n {
		step, rest := num.Next(), num.Next()
		if step > math.MaxUint32 || rest > math.MaxUint32 {
			num.Fail(pack.ErrRange, "drop %d: numbers %d and %d", len(list), step, rest)
		}
		from, to := uint64(last.From)+step, rest+1
		if step == 0 {
			to += uint64(last.To)
		}
		if num.Err() == nil && (from == 0 || from > math.MaxUint32 || to > math.MaxUint32 || from == to) {
			num.Fail(pack.ErrRange, "drop %d from region %d to %d, want two different ones from 1", len(list), from, to)
		}
		if num.Err() != nil {
			return nil
		}
		last = Drop{uint32(from), uint32(to)}
		list = append(list, last)
	}
	return list
}

// newDropZone makes the graph of sorted drops.
func newDropZone(list []Drop) dropZone {
	z := dropZone{region: make([]uint32, 0, 2*len(list)), to: make([]uint32, len(list))}
	for _, e := range list {
		z.region = append(z.region, e.From, e.To)
	}
	slices.Sort(z.region)
	z.region = slices.Clip(slices.Compact(z.region))
	z.first = make([]uint32, len(z.region)+1)
	k := 0
	for node, id := range z.region {
		z.first[node] = uint32(k)
		for ; k < len(list) && list[k].From == id; k++ {
			to, _ := slices.BinarySearch(z.region, list[k].To)
			z.to[k] = uint32(to)
		}
	}
	z.first[len(z.region)] = uint32(k)
	return z
}

// Len returns the number of drops of a zone of the grid.
func (d *Drops) Len(zone int) int { return len(d.zones[zone].to) }

// All appends the drops of a zone to dst, ascending by From, then To.
func (d *Drops) All(zone int, dst []Drop) []Drop {
	z := &d.zones[zone]
	for node, id := range z.region {
		for _, to := range z.to[z.first[node]:z.first[node+1]] {
			dst = append(dst, Drop{id, z.region[to]})
		}
	}
	return dst
}

// Reach appends to dst the regions of a zone that can be got to from a region
// by drops alone, however many, itself included, ascending. Time is linear in
// the drops of the zone; in steady state nothing but dst is allocated.
func (d *Drops) Reach(zone int, from uint32, dst []uint32) []uint32 {
	z := &d.zones[zone]
	start, ok := slices.BinarySearch(z.region, from)
	if !ok {
		return append(dst, from)
	}
	s, _ := d.scratch.Get().(*reach)
	if s == nil {
		s = &reach{}
	}
	dst = s.search(z, uint32(start), dst)
	d.scratch.Put(s)
	return dst
}

// search is Reach from a node.
func (s *reach) search(z *dropZone, start uint32, dst []uint32) []uint32 {
	if cap(s.seen) < len(z.region) {
		s.seen = make([]bool, len(z.region))
	}
	seen := s.seen[:len(z.region)]
	seen[start] = true
	queue := append(s.queue[:0], start)
	for i := 0; i < len(queue); i++ {
		for _, to := range z.to[z.first[queue[i]]:z.first[queue[i]+1]] {
			if !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	slices.Sort(queue)
	for _, node := range queue {
		seen[node] = false
		dst = append(dst, z.region[node])
	}
	s.queue = queue
	return dst
}
