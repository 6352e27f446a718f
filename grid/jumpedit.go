package grid

import (
	"context"
	"fmt"
)

// some computes what depends on the given cells.
func (t *JumpTable) some(ctx context.Context, edited []Cell) error {
	t.follow()
	s := t.rows
	rows, cols := make([]bool, s.h+2), make([]bool, s.w+2) // one more at both ends
	dirty := newObliques(s)
	for _, c := range edited {
		for i := range int32(3) {
			rows[c.Y+i], cols[c.X+i] = true, true
			for k := range int32(3) {
				dirty.add(c.X+k-1, c.Y+i-1)
			}
		}
	}
	for y := range s.h {
		if rows[y+1] {
			t.relay(s.id(0, y), 1, s.w, dirE, func(i int32) {
				dirty.add(i, y)
				if t.moves.Neighbours == Four {
					cols[i+1] = true
				}
			})
		}
	}
	for x := range s.w {
		switch {
		case !cols[x+1]:
		case t.moves.Neighbours == Four:
			t.column(x)
		default:
			t.relay(s.id(x, 0), s.stride, s.h, dirS, func(i int32) { dirty.add(x, i) })
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("grid: jump table stopped at column %d: %w", x, err)
		}
	}
	if t.moves.Neighbours != Four {
		dirty.each(s, func(id int32, falling, end bool) {
			switch { // both ways along a diagonal, each from the end it looks at
			case falling && end:
				t.oblique(id, dirSE)
			case falling:
				t.oblique(id, dirNW)
			case end:
				t.oblique(id, dirSW)
			default:
				t.oblique(id, dirNE)
			}
		})
	}
	t.done()
	return nil
}

// relay computes a line anew and calls changed for the cells that are, or no
// longer are, followed by a place to turn.
func (t *JumpTable) relay(id, shift, n int32, d uint8, changed func(i int32)) {
	kind := func(i int32) (k uint8) {
		j := (id + i*shift) * 8
		if t.jump[j+int32(d)] > 0 {
			k |= 1
		}
		if t.jump[j+int32(7-d)] > 0 {
			k |= 2
		}
		return k
	}
	old := make([]uint8, n)
	for i := range n {
		old[i] = kind(i)
	}
	t.line(id, shift, n, d)
	for i := range n {
		if kind(i) != old[i] {
			changed(i)
		}
	}
}

// obliques is a set of diagonals: the falling ones by x-y, the rising by x+y.
type obliques struct {
	h               int32
	falling, rising []bool
}

func newObliques(s *surface) obliques {
	n := s.w + s.h + 4
	return obliques{s.h, make([]bool, n), make([]bool, n)}
}

func (o obliques) add(x, y int32) {
	o.falling[x-y+o.h+1] = true
	o.rising[x+y+2] = true
}

// each visits the cells of every diagonal in the set twice: from the lower end
// (end) and from the upper one.
func (o obliques) each(s *surface, visit func(id int32, falling, end bool)) {
	walk := func(x, y, dx int32, falling bool) {
		// From the top cell (x, y) down and back up.
		n := s.h - y
		if dx > 0 {
			n = min(n, s.w-x)
		} else {
			n = min(n, x+1)
		}
		for i := n - 1; i >= 0; i-- {
			visit(s.id(x+i*dx, y+i), falling, true)
		}
		for i := range n {
			visit(s.id(x+i*dx, y+i), falling, false)
		}
	}
	for k, is := range o.falling {
		if is {
			diff := int32(k) - o.h - 1
			if x, y := max(diff, 0), max(-diff, 0); x < s.w && y < s.h {
				walk(x, y, 1, true)
			}
		}
	}
	for k, is := range o.rising {
		if is {
			sum := int32(k) - 2
			if sum < 0 {
				continue
			}
			x := min(sum, s.w-1)
			if y := sum - x; y < s.h {
				walk(x, y, -1, false)
			}
		}
	}
}
