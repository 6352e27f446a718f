package grid

import (
	"context"
	"fmt"
)

// JumpTable holds for every cell and direction how far a jump goes, for JPSPlus
// (Harabor and Grastien 2014; Rabin 2015): 16 bytes a cell. It belongs to one
// ground and one kind of moves, and to the version at which it was made or
// last updated; searches refuse it when the ground has been edited since, until
// Update is called.
//
// Searches in any number of goroutines may share a table while nobody updates
// it.
type JumpTable struct {
	moves   Moves
	of      Ground
	version uint64 // of the ground, in all
	base    uint64 // of the map alone
	edits   uint64 // and of the overlay
	flat    flat   // an overlay, laid flat
	rows    *surface
	halfway bool // an update was broken off: the jumps are those of no version
	// jump[id*8+direction] is, if positive, the distance to the next place
	// where the search turns; otherwise minus the number of free cells ahead.
	jump []int16

	turns [256]uint8 // straight directions in which a cell is a place to turn
	prune *pruneTable
	step  *stepTable
}

// NewJumpTable computes the table of a ground: O(cells), some 30 ns each.
func NewJumpTable(ctx context.Context, g Ground, m Moves) (*JumpTable, error) {
	switch {
	case absent(g):
		return nil, fmt.Errorf("%w: no ground", ErrOptions)
	case !m.valid():
		return nil, fmt.Errorf("%w: %v", ErrOptions, m)
	}
	base, _ := g.ground()
	if !JPSPlus.Serves(m, base.Weighted()) {
		return nil, &UnsupportedError{Algorithm: JPSPlus, Moves: m, Weighted: base.Weighted()}
	}
	ctx = alive(ctx)
	tables := &squareTables[tableIndex(m)]
	t := &JumpTable{moves: m, of: g, prune: &tables.prune, step: &tables.step}
	for free := range 256 {
		for _, d := range [4]uint8{dirN, dirW, dirE, dirS} {
			if t.prune[d][free]&^(1<<d) != 0 {
				t.turns[free] |= 1 << d
			}
		}
	}
	t.follow()
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("grid: jump table not begun: %w", err)
	}
	t.jump = make([]int16, 8*t.rows.ids())
	if err := t.all(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// Version returns the version of the ground the table is for.
func (t *JumpTable) Version() uint64 { return t.version }

// Bytes returns the memory of the table.
func (t *JumpTable) Bytes() int { return 2 * len(t.jump) }

// Update brings the table up to the ground's present version: locally where
// the ground remembers its edits (the last thousand at least), from scratch
// where not, or where the update before was broken off. An edit costs three
// rows and three columns, and of the diagonals through these as much as changes.
// A table whose update failed is refused by searches until one succeeds.
func (t *JumpTable) Update(ctx context.Context) error {
	if t == nil || t.of == nil {
		return fmt.Errorf("%w: it was not made by NewJumpTable", ErrTable)
	}
	ctx = alive(ctx)
	if t.version == t.of.Version() {
		return nil
	}
	base, over := t.of.ground()
	if base.Weighted() {
		return &UnsupportedError{Algorithm: JPSPlus, Moves: t.moves, Weighted: true}
	}
	edited, ok := base.log.since(t.base)
	if over != nil {
		more, okOver := over.log.since(t.edits)
		edited, ok = append(edited[:len(edited):len(edited)], more...), ok && okOver
	}
	t.version = 0 // fits nothing if it fails half way
	if w, h := t.of.Size(); t.halfway || !ok || len(edited) > (w+h)/4 {
		if err := t.all(ctx); err != nil {
			return err
		}
	} else if err := t.some(ctx, edited); err != nil {
		return err
	}
	return nil
}

// follow makes the surface show the ground as it is.
func (t *JumpTable) follow() {
	m, over := t.of.ground()
	t.rows = &m.rows
	if over != nil {
		t.flat.follow(over)
		t.rows = &t.flat.rows
	}
}

// done notes that the table is that of the present ground.
func (t *JumpTable) done() {
	m, over := t.of.ground()
	t.version, t.base, t.halfway = t.of.Version(), m.version, false
	if over != nil {
		t.edits = over.edits
	}
}

// fits reports why a table cannot be used for a search.
func (t *JumpTable) fits(g Ground, m Moves) error {
	switch {
	case t == nil:
		return fmt.Errorf("%w: none was given", ErrTable)
	case t.of != g:
		return fmt.Errorf("%w: made for another ground", ErrTable)
	case t.moves != m:
		return fmt.Errorf("%w: made for %v, not %v", ErrTable, t.moves, m)
	case t.version != g.Version():
		return fmt.Errorf("%w: of version %d, the ground has %d", ErrTable, t.version, g.Version())
	}
	return nil
}

// all computes everything.
func (t *JumpTable) all(ctx context.Context) error {
	t.follow()
	t.halfway = true // until it is done
	s := t.rows
	clear(t.jump)
	for y := range s.h {
		if y&63 == 0 && ctx.Err() != nil {
			return fmt.Errorf("grid: jump table stopped at row %d: %w", y, ctx.Err())
		}
		t.line(s.id(0, y), 1, s.w, dirE)
	}
	four := t.moves.Neighbours == Four
	for x := range s.w {
		if x&63 == 0 && ctx.Err() != nil {
			return fmt.Errorf("grid: jump table stopped at column %d: %w", x, ctx.Err())
		}
		if four {
			t.column(x)
		} else {
			t.line(s.id(x, 0), s.stride, s.h, dirS)
		}
	}
	if four {
		t.done()
		return nil
	}
	for y := s.h - 1; y >= 0; y-- {
		if y&63 == 0 && ctx.Err() != nil {
			return fmt.Errorf("grid: jump table stopped at row %d: %w", y, ctx.Err())
		}
		for id := s.id(0, y); id < s.id(s.w, y); id++ {
			t.oblique(id, dirSE)
			t.oblique(id, dirSW)
		}
	}
	for y := range s.h {
		if y&63 == 0 && ctx.Err() != nil {
			return fmt.Errorf("grid: jump table stopped at row %d: %w", y, ctx.Err())
		}
		for id := s.id(0, y); id < s.id(s.w, y); id++ {
			t.oblique(id, dirNE)
			t.oblique(id, dirNW)
		}
	}
	t.done()
	return nil
}

// line computes the straight jumps, both ways, of the n cells from id on; d is
// the direction in which ids grow.
func (t *JumpTable) line(id, shift, n int32, d uint8) {
	s := t.rows
	for _, d := range [2]uint8{d, 7 - d} {
		next := int16(0)
		at := id + (n-1)*shift // from the far end, as the jumps look
		back := -shift
		if d < 4 { // north or west
			at, back = id, shift
		}
		for range n {
			if !s.get(at) {
				t.jump[at*8+int32(d)] = 0
				next = 0
			} else {
				t.jump[at*8+int32(d)] = next
				switch {
				case t.turns[s.around(at)]>>d&1 == 1:
					next = 1
				case next > 0:
					next++
				default:
					next--
				}
			}
			at += back
		}
	}
}

// column computes, with four neighbours, the jumps up and down a column: to
// rows from which a jump to the side turns.
func (t *JumpTable) column(x int32) {
	s := t.rows
	for _, d := range [2]uint8{dirN, dirS} {
		next := int16(0)
		at, back := s.id(x, s.h-1), -s.stride
		if d == dirN {
			at, back = s.id(x, 0), s.stride
		}
		for range s.h {
			if !s.get(at) {
				t.jump[at*8+int32(d)] = 0
				next = 0
			} else {
				t.jump[at*8+int32(d)] = next
				switch {
				case t.jump[at*8+dirE] > 0 || t.jump[at*8+dirW] > 0:
					next = 1
				case next > 0:
					next++
				default:
					next--
				}
			}
			at += back
		}
	}
}

// oblique computes a diagonal jump from that of the next cell.
func (t *JumpTable) oblique(id int32, d uint8) {
	s := t.rows
	out := &t.jump[id*8+int32(d)]
	*out = 0
	if !s.get(id) || t.step[s.around(id)]>>d&1 == 0 {
		return
	}
	next := id + dirY[d]*s.stride + dirX[d]
	h, v := beside[d][1], beside[d][0]
	jumps := t.jump[next*8 : next*8+8]
	onward := uint8(1)<<d | 1<<h | 1<<v
	switch j := jumps[d]; {
	case jumps[h] > 0 || jumps[v] > 0 || t.prune[d][s.around(next)]&^onward != 0:
		*out = 1
	case j > 0:
		*out = j + 1
	default:
		*out = j - 1
	}
}
