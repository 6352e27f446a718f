package grid

import (
	"fmt"
	"slices"
)

// Overlay is one side's view of a map that several sides share: cells it knows
// or believes to be blocked or open, whatever the map says (fog, buildings
// under construction, units that stand). It keeps the differences only, about
// 24 bytes for each 64 cells of a row in which there is one; a Query lays them
// over a copy of the map's bits when it first meets the overlay, and after
// that follows the edits of both.
//
// The rules for goroutines are those of Map, where an edit of the map counts as
// an edit of every overlay on it.
type Overlay struct {
	base  *Map
	diffs map[int32]overWord // by id/64
	edits uint64
	log   editLog
}

// overWord says which of 64 cells are overridden, and by what.
type overWord struct{ known, free uint64 }

// NewOverlay returns an overlay that shows the map as it is. An overlay over no
// map, also the zero Overlay, is a ground of no cells; searches refuse it
// (ErrOptions).
func NewOverlay(base *Map) *Overlay { return &Overlay{base: base, diffs: map[int32]overWord{}} }

// Base returns the map below.
func (o *Overlay) Base() *Map { return o.base }

// Size returns the number of columns and rows.
func (o *Overlay) Size() (w, h int) {
	if o.base == nil {
		return 0, 0
	}
	return o.base.Size()
}

// Passable reports whether c can be entered as this side sees it; outside the
// map it is false.
func (o *Overlay) Passable(c Cell) bool {
	if o.base == nil || !o.base.Contains(c) {
		return false
	}
	id := o.base.rows.id(c.X, c.Y)
	if d := o.diffs[id>>6]; d.known>>(id&63)&1 == 1 {
		return d.free>>(id&63)&1 == 1
	}
	return o.base.rows.get(id)
}

// Cost returns the map's cost of c.
func (o *Overlay) Cost(c Cell) float64 {
	if o.base == nil {
		return 0
	}
	return o.base.Cost(c)
}

// Version grows with every edit of the overlay or of the map below.
func (o *Overlay) Version() uint64 {
	if o.base == nil {
		return o.edits
	}
	return o.base.version + o.edits
}

// Set makes a cell passable or blocked for this side, whatever the map says
// now or later. Outside the map it fails with ErrOutside.
func (o *Overlay) Set(c Cell, passable bool) error {
	if err := o.contains(c); err != nil {
		return err
	}
	id := o.base.rows.id(c.X, c.Y)
	bit := uint64(1) << (id & 63)
	d := o.diffs[id>>6]
	if d.known&bit != 0 && (d.free&bit != 0) == passable {
		return nil
	}
	d.known |= bit
	if passable {
		d.free |= bit
	} else {
		d.free &^= bit
	}
	o.diffs[id>>6] = d
	o.edited(c)
	return nil
}

// Clear makes a cell again what it is on the map.
func (o *Overlay) Clear(c Cell) error {
	if err := o.contains(c); err != nil {
		return err
	}
	id := o.base.rows.id(c.X, c.Y)
	bit := uint64(1) << (id & 63)
	d := o.diffs[id>>6]
	if d.known&bit == 0 {
		return nil
	}
	d.known &^= bit
	d.free &^= bit
	if d.known == 0 {
		delete(o.diffs, id>>6)
	} else {
		o.diffs[id>>6] = d
	}
	o.edited(c)
	return nil
}

// Reset makes every cell again what it is on the map.
func (o *Overlay) Reset() {
	if len(o.diffs) == 0 {
		return
	}
	clear(o.diffs)
	o.edits++
	o.log = editLog{from: o.edits}
}

// Bytes returns about how much memory the differences take.
func (o *Overlay) Bytes() int { return 24*len(o.diffs) + 8*cap(o.log.cells) }

func (o *Overlay) ground() (*Map, *Overlay) {
	if o == nil {
		return nil, nil
	}
	return o.base, o
}

// contains says why a cell cannot be edited.
func (o *Overlay) contains(c Cell) error {
	switch {
	case o == nil || o.base == nil:
		return fmt.Errorf("%w: overlay over no map", ErrOptions)
	case !o.base.Contains(c):
		return o.base.outside(c)
	}
	return nil
}

func (o *Overlay) edited(c Cell) {
	o.edits++
	o.log.add(c)
}

// flat is a query's copy of an overlaid map.
type flat struct {
	rows, cols surface
	of         *Overlay
	base       uint64 // version of the map it was made from
	edits      uint64 // and of the overlay
}

// shows reports whether the copy is one of o as it is now.
func (f *flat) shows(o *Overlay) bool {
	return f.of == o && f.base == o.base.version && f.edits == o.edits
}

// follow brings the copy up to date with o, by the logs of both where they
// reach back far enough.
func (f *flat) follow(o *Overlay) {
	if f.shows(o) {
		return
	}
	a, okA := o.base.log.since(f.base)
	b, okB := o.log.since(f.edits)
	if f.of == o && okA && okB {
		for _, list := range [2][]Cell{a, b} {
			for _, c := range list {
				f.put(c, o.Passable(c))
			}
		}
	} else {
		f.copy(o)
	}
	f.of, f.base, f.edits = o, o.base.version, o.edits
}

func (f *flat) copy(o *Overlay) {
	m := o.base
	bits, cols := f.rows.bits, f.cols.bits
	f.rows, f.cols = m.rows, m.cols
	f.rows.bits = append(slices.Grow(bits[:0], len(m.rows.bits)), m.rows.bits...)
	f.cols.bits = append(slices.Grow(cols[:0], len(m.cols.bits)), m.cols.bits...)
	for word, d := range o.diffs { // each bit is set on its own, so the order does not matter
		for i := range int32(64) {
			if d.known>>i&1 == 1 {
				id := word<<6 | i
				f.put(Cell{id % m.rows.stride, id/m.rows.stride - 1}, d.free>>i&1 == 1)
			}
		}
	}
}

func (f *flat) put(c Cell, passable bool) {
	f.rows.set(f.rows.id(c.X, c.Y), passable)
	f.cols.set(f.cols.id(c.Y, c.X), passable)
}
