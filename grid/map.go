package grid

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
)

// Limits of a map. A search needs up to 16 bytes a cell, jump tables 16 more.
const (
	MaxSide  = 1<<15 - 1 // cells along one side
	MaxCells = 1 << 26   // cells in all
)

// Limits of a cell's cost.
const (
	MinCost = 1.0 / costScale // the smallest cost, and the grain
	MaxCost = 255.0
)

// costScale is how finely costs are kept: in 256ths.
const costScale = 256

// Errors of maps and edits, for errors.Is.
var (
	ErrSize    = errors.New("grid: size out of range")
	ErrOutside = errors.New("grid: cell outside the map")
	ErrCost    = errors.New("grid: cost out of range")
)

// Ground is what is searched: a *Map, or an *Overlay over one. All methods may
// be called from several goroutines while nobody edits.
type Ground interface {
	// Size returns the number of columns and rows.
	Size() (w, h int)
	// Passable reports whether a cell can be entered; outside it is false.
	Passable(c Cell) bool
	// Cost returns the cost of a cell, 1 where nothing was set; outside it
	// is 0.
	Cost(c Cell) float64
	// Version grows with every edit that changes something, and for an
	// overlay with every such edit of the map below too.
	Version() uint64

	ground() (*Map, *Overlay)
}

// absent reports whether there is no ground: a nil one, a nil *Map or *Overlay, or
// an Overlay over none.
func absent(g Ground) bool {
	if g == nil {
		return true
	}
	m, _ := g.ground()
	return m == nil
}

// alive is the context of a call, of which nil stands for Background.
func alive(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// Map is a grid of cells that are passable or not, one bit each, and if needed
// a cost of entering each, two bytes. A new map is blocked everywhere.
//
// A Map may be searched and read from any number of goroutines, as long as
// none edits it meanwhile. An edit is seen by every search that begins after
// it. Edits cost O(1), but where the last cell of the least or the largest cost
// gets another one, O(different costs).
type Map struct {
	rows, cols surface // the same cells, row by row and column by column
	costs      []uint16
	counts     map[uint16]int // cells by cost, to know the least and the largest one
	least      uint16
	most       uint16
	version    uint64
	log        editLog
}

// New returns a map of w columns and h rows, all blocked.
func New(w, h int) (*Map, error) {
	if w < 1 || h < 1 || w > MaxSide || h > MaxSide || w*h > MaxCells {
		return nil, fmt.Errorf("%w: %d x %d (1 to %d a side, at most %d cells)", ErrSize, w, h, MaxSide, MaxCells)
	}
	return &Map{
		rows: newSurface(int32(w), int32(h)), cols: newSurface(int32(h), int32(w)),
		least: costScale, most: costScale, version: 1, log: editLog{from: 1},
	}, nil
}

// Parse returns the map drawn by rows of text: '.' is passable, every other
// byte is blocked. All rows must have one length. It is meant for tests and
// examples; package movingai reads files.
func Parse(rows ...string) (*Map, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("%w: no rows", ErrSize)
	}
	m, err := New(len(rows[0]), len(rows))
	if err != nil {
		return nil, err
	}
	for y, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("%w: row %d has %d cells, row 0 has %d", ErrSize, y, len(row), len(rows[0]))
		}
		for x := range len(row) {
			if row[x] == '.' {
				m.put(Cell{int32(x), int32(y)}, true)
			}
		}
	}
	return m, nil
}

// Size returns the number of columns and rows.
func (m *Map) Size() (w, h int) { return int(m.rows.w), int(m.rows.h) }

// Contains reports whether c lies on the map.
func (m *Map) Contains(c Cell) bool {
	return c.X >= 0 && c.Y >= 0 && c.X < m.rows.w && c.Y < m.rows.h
}

// Passable reports whether c can be entered; outside the map it is false.
func (m *Map) Passable(c Cell) bool { return m.Contains(c) && m.rows.get(m.rows.id(c.X, c.Y)) }

// Cost returns the cost of c: 1 where none was set, 0 outside the map.
func (m *Map) Cost(c Cell) float64 {
	switch {
	case !m.Contains(c):
		return 0
	case m.costs == nil:
		return 1
	}
	return float64(m.costs[m.rows.id(c.X, c.Y)]) / costScale
}

// Weighted reports whether some cell has a cost other than 1.
func (m *Map) Weighted() bool {
	return m.costs != nil && m.counts[costScale] < int(m.rows.w)*int(m.rows.h)
}

// Version returns a number that every edit makes larger.
func (m *Map) Version() uint64 { return m.version }

// SetPassable opens or blocks a cell. Outside the map it fails with ErrOutside.
// An edit that changes nothing leaves the version alone.
func (m *Map) SetPassable(c Cell, passable bool) error {
	if !m.Contains(c) {
		return m.outside(c)
	}
	if m.Passable(c) != passable {
		m.put(c, passable)
		m.version++
		m.log.add(c)
	}
	return nil
}

// Fill opens or blocks the cells of the rectangle that has lo as its first and
// hi as its last cell, both inclusive. The whole rectangle must lie on the map,
// else nothing is changed; a last cell left of or above the first is ErrOptions.
func (m *Map) Fill(lo, hi Cell, passable bool) error {
	for _, c := range []Cell{lo, hi} {
		if !m.Contains(c) {
			return m.outside(c)
		}
	}
	if lo.X > hi.X || lo.Y > hi.Y {
		return fmt.Errorf("%w: rectangle from %v to %v", ErrOptions, lo, hi)
	}
	for y := lo.Y; y <= hi.Y; y++ {
		for x := lo.X; x <= hi.X; x++ {
			if err := m.SetPassable(Cell{x, y}, passable); err != nil {
				return err
			}
		}
	}
	return nil
}

// SetCost sets the cost of a cell: what a step of length 1 into it costs, from
// MinCost to MaxCost, kept in 256ths. NaN, zero, negative and larger values
// fail with ErrCost. The cost of a blocked cell counts once it is opened.
func (m *Map) SetCost(c Cell, cost float64) error {
	if !m.Contains(c) {
		return m.outside(c)
	}
	if !(cost >= MinCost && cost <= MaxCost) {
		return fmt.Errorf("%w: %v at %v (%v to %v)", ErrCost, cost, c, MinCost, MaxCost)
	}
	v := uint16(math.RoundToEven(cost * costScale))
	if m.costs == nil {
		if v == costScale {
			return nil
		}
		m.costs = slices.Repeat([]uint16{costScale}, m.rows.ids())
		m.counts = map[uint16]int{costScale: int(m.rows.w) * int(m.rows.h)}
	}
	id := m.rows.id(c.X, c.Y)
	old := m.costs[id]
	if old == v {
		return nil
	}
	m.costs[id] = v
	m.counts[v]++
	m.counts[old]--
	m.least, m.most = min(m.least, v), max(m.most, v)
	if m.counts[old] == 0 {
		delete(m.counts, old)
		if old == m.least || old == m.most {
			m.least, m.most = v, v
			for cost := range m.counts {
				m.least, m.most = min(m.least, cost), max(m.most, cost)
			}
		}
	}
	m.version++
	m.log.add(c)
	return nil
}

// Cells ranges over the passable cells, row by row.
func (m *Map) Cells() iter.Seq[Cell] {
	return func(yield func(Cell) bool) {
		for y := range m.rows.h {
			for x := range m.rows.w {
				if m.rows.get(m.rows.id(x, y)) && !yield(Cell{x, y}) {
					return
				}
			}
		}
	}
}

// Clone returns a map of its own with the same cells, costs and version.
func (m *Map) Clone() *Map {
	c := *m
	c.rows.bits = slices.Clone(m.rows.bits)
	c.cols.bits = slices.Clone(m.cols.bits)
	c.costs = slices.Clone(m.costs)
	if m.counts != nil {
		c.counts = make(map[uint16]int, len(m.counts))
		for k, v := range m.counts {
			c.counts[k] = v
		}
	}
	c.log.cells = slices.Clone(m.log.cells)
	return &c
}

// Bytes returns the memory the cells take.
func (m *Map) Bytes() int { return len(m.rows.bits) + len(m.cols.bits) + 2*len(m.costs) }

func (m *Map) ground() (*Map, *Overlay) { return m, nil }

func (m *Map) put(c Cell, passable bool) {
	m.rows.set(m.rows.id(c.X, c.Y), passable)
	m.cols.set(m.cols.id(c.Y, c.X), passable)
}

func (m *Map) outside(c Cell) error {
	return fmt.Errorf("%w: %v on %d x %d", ErrOutside, c, m.rows.w, m.rows.h)
}

// editLog remembers which cells the last edits touched, so that what was
// computed from an earlier version can be brought up to date in place.
type editLog struct {
	from  uint64 // the version before the edit of cells[0]
	cells []Cell
}

// logLength is how many edits are remembered, at least; the half of it that
// is older goes when twice as many have come together.
const logLength = 1024

func (l *editLog) add(c Cell) {
	if len(l.cells) == 2*logLength {
		n := copy(l.cells, l.cells[logLength:])
		l.cells = l.cells[:n]
		l.from += logLength
	}
	l.cells = append(l.cells, c)
}

// since returns the cells edited after the given version; ok is false when
// that is longer ago than the log remembers.
func (l *editLog) since(version uint64) (cells []Cell, ok bool) {
	if version < l.from || version-l.from > uint64(len(l.cells)) {
		return nil, false
	}
	return l.cells[version-l.from:], true
}
