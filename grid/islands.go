package grid

import (
	"fmt"
	"slices"
)

// Islands names the parts of a ground between which there is no way: cells of
// one label can reach each other, cells of two cannot. Asking it before a search
// saves the searches that have to flood a whole part to find nothing.
//
// It shows the ground as it was at the last Label or Update; Current tells
// whether that is still so. Any number of goroutines may ask while none labels.
// The zero value is ready for both.
type Islands struct {
	ground  Ground
	version uint64
	edits   [2]uint64 // versions of the map and of the overlay on it
	moves   Moves
	w, h    int32
	labels  []int32
	sizes   []int   // by label; sizes[0] counts the blocked cells
	first   []int32 // by label, the place of its first cell

	flat flat
	runs []cellRun
	root []int32
}

// cellRun is a stretch of free cells of a row, [from, to).
type cellRun struct{ y, from, to int32 }

// Label computes the islands under a kind of move, in one pass over the rows:
// stretches of free cells are united with those they touch in the row above.
// An eight-neighbour grid falls apart like one with four, except with Always,
// since the other rules leave a way by straight steps beside every diagonal one.
// Labels count from 1, in the order of the islands' first cells by row and
// column. It takes 4 bytes a cell, kept for the next call.
func (s *Islands) Label(g Ground, moves Moves) error {
	s.ground = nil
	if absent(g) || !moves.valid() {
		return fmt.Errorf("%w: labels for %v", ErrOptions, moves)
	}
	m, over := g.ground()
	rows := &m.rows
	if over != nil {
		s.flat.follow(over)
		rows = &s.flat.rows
	}
	s.w, s.h, s.moves = rows.w, rows.h, moves
	s.unite(rows)

	n := int(s.w) * int(s.h)
	s.labels = slices.Grow(s.labels[:0], n)[:n]
	clear(s.labels)
	s.sizes, s.first = append(s.sizes[:0], n), append(s.first[:0], 0)
	// Unions keep the earlier run as the root, so a root comes before all that
	// belong to it, and its first cell has the island's label from then on.
	for i, r := range s.runs {
		top := s.find(int32(i))
		if top == int32(i) {
			s.sizes = append(s.sizes, 0)
			s.first = append(s.first, r.y*s.w+r.from)
			s.labels[r.y*s.w+r.from] = int32(len(s.sizes) - 1)
		}
		first := s.runs[top]
		label := s.labels[first.y*s.w+first.from]
		line := s.labels[r.y*s.w:]
		for x := r.from; x < r.to; x++ {
			line[x] = label
		}
		s.sizes[label] += int(r.to - r.from)
		s.sizes[0] -= int(r.to - r.from)
	}
	s.ground, s.version, s.edits = g, g.Version(), editsOf(g)
	return nil
}

// editsOf returns the versions that the logs of a ground count by.
func editsOf(g Ground) [2]uint64 {
	m, over := g.ground()
	if over == nil {
		return [2]uint64{m.version}
	}
	return [2]uint64{m.version, over.edits}
}

// unite collects the runs of all rows and unites those that touch.
func (s *Islands) unite(rows *surface) {
	s.runs, s.root = s.runs[:0], s.root[:0]
	above := 0 // first run of the row above that may touch the next run
	for y := range s.h {
		begin := len(s.runs)
		end := begin // of the row above
		lo, hi := int32(0), int32(0)
		switch {
		case s.moves.Neighbours == Six && y&1 == 0:
			lo = -1
		case s.moves.Neighbours == Six:
			hi = 1
		case s.moves.Neighbours == Eight && s.moves.Corners == Always:
			lo, hi = -1, 1
		}
		id := rows.id(0, y)
		for x := int32(0); x < s.w; x++ {
			if !rows.get(id + x) {
				continue
			}
			from := x
			for x < s.w && rows.get(id+x) {
				x++
			}
			at := int32(len(s.runs))
			s.runs = append(s.runs, cellRun{y, from, x})
			s.root = append(s.root, at)
			for above < end && s.runs[above].to <= from+lo {
				above++
			}
			for k := above; k < end && s.runs[k].from < x+hi; k++ {
				a, b := s.find(int32(k)), s.find(at)
				s.root[max(a, b)] = min(a, b)
			}
		}
		above = begin
	}
}

func (s *Islands) find(i int32) int32 {
	for s.root[i] != i {
		s.root[i] = s.root[s.root[i]]
		i = s.root[i]
	}
	return i
}

// Current reports whether the labels are those of this ground as it is now,
// under these moves.
func (s *Islands) Current(g Ground, moves Moves) bool {
	return s.ground != nil && s.ground == g && s.version == g.Version() && s.moves == moves
}

// Count returns how many islands there are.
func (s *Islands) Count() int { return max(len(s.sizes)-1, 0) }

// Of returns the label of a cell, 0 for blocked ones and those outside.
func (s *Islands) Of(c Cell) int {
	if s.ground == nil || c.X < 0 || c.Y < 0 || c.X >= s.w || c.Y >= s.h {
		return 0
	}
	return int(s.labels[c.Y*s.w+c.X])
}

// Size returns how many cells carry a label, 0 for labels there are not;
// Size(0) is the number of blocked cells.
func (s *Islands) Size(label int) int {
	if label < 0 || label >= len(s.sizes) {
		return 0
	}
	return s.sizes[label]
}

// Connected reports whether there is a way between two cells.
func (s *Islands) Connected(a, b Cell) bool {
	l := s.Of(a)
	return l != 0 && l == s.Of(b)
}
