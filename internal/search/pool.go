package search

// Pool holds the node records of a search over things with known ids. Records
// lie side by side in the order in which the search met them, so a search
// that sees little of a large world touches little memory; the ids cost eight
// bytes each. Starting a search bumps an epoch instead of clearing anything.
type Pool[N any] struct {
	nodes []N
	marks []mark // by id
	epoch uint32
}

// mark says which record an id has, if its epoch is the pool's.
type mark struct{ epoch, slot uint32 }

// Reset forgets all records and makes ids below n valid. O(1) unless n grew
// or the epoch ran through all its values.
func (p *Pool[N]) Reset(n int) {
	p.nodes = p.nodes[:0]
	if n > len(p.marks) {
		p.marks = make([]mark, n)
		p.epoch = 0
	}
	if p.epoch++; p.epoch == 0 {
		clear(p.marks)
		p.epoch = 1
	}
}

// Len returns the number of records.
func (p *Pool[N]) Len() int { return len(p.nodes) }

// Find returns the slot of the record of id, if it has one.
func (p *Pool[N]) Find(id uint32) (slot uint32, ok bool) {
	m := p.marks[id]
	return m.slot, m.epoch == p.epoch
}

// Add makes a record for id, which must not have one, and returns its slot.
// Slots count up from 0. The record holds whatever an earlier search left in
// it: set it as a whole.
func (p *Pool[N]) Add(id uint32) (slot uint32) {
	slot = uint32(len(p.nodes))
	p.marks[id] = mark{p.epoch, slot}
	if len(p.nodes) < cap(p.nodes) {
		p.nodes = p.nodes[:slot+1]
	} else {
		var zero N
		p.nodes = append(p.nodes, zero)
	}
	return slot
}

// At returns the record in a slot. The pointer is valid until the next Add.
func (p *Pool[N]) At(slot uint32) *N { return &p.nodes[slot] }
