package grid

import (
	"context"
	"fmt"
)

// turned is a cell at which some diagonal jumps stop that did not, or the other
// way round.
type turned struct {
	id    int32
	obliq uint8 // the directions of these jumps
}

// some computes what depends on the given cells: the straight jumps of three
// rows and three columns around each, whole, and the diagonal ones from where
// something changed back to where nothing does.
func (t *JumpTable) some(ctx context.Context, edited []Cell) error {
	t.follow()
	t.halfway = true // until it is done: what is relaid here is not found changed again
	s := t.rows
	four := t.moves.Neighbours == Four
	rows, cols := make([]bool, s.h+2), make([]bool, s.w+2) // one more at both ends
	var stops []turned
	for _, c := range edited {
		for i := range int32(3) {
			rows[c.Y+i], cols[c.X+i] = true, true
		}
	}
	for y := range s.h {
		if !rows[y+1] {
			continue
		}
		id := s.id(0, y)
		t.relay(id, 1, s.w, dirE, func(i int32, obliq uint8) {
			stops = append(stops, turned{id + i, obliq})
			cols[i+1] = cols[i+1] || four
		})
	}
	for x := range s.w {
		if !cols[x+1] {
			continue
		}
		if four {
			t.column(x)
			continue
		}
		id := s.id(x, 0)
		t.relay(id, s.stride, s.h, dirS, func(i int32, obliq uint8) {
			stops = append(stops, turned{id + i*s.stride, obliq})
		})
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("grid: jump table stopped at column %d: %w", x, err)
		}
	}
	if !four {
		for _, c := range edited {
			for y := max(c.Y-1, 0); y < min(c.Y+2, s.h); y++ {
				for x := max(c.X-1, 0); x < min(c.X+2, s.w); x++ {
					id := s.id(x, y)
					stops = append(stops, turned{id, maskDiagonal})
					for _, d := range [4]uint8{dirNW, dirNE, dirSW, dirSE} {
						t.relayOblique(id, d)
					}
				}
			}
		}
		for _, stop := range stops {
			for _, d := range [4]uint8{dirNW, dirNE, dirSW, dirSE} {
				if stop.obliq>>d&1 == 1 {
					t.relayOblique(stop.id-dirY[d]*s.stride-dirX[d], d)
				}
			}
		}
	}
	t.done()
	return nil
}

// relayOblique computes the diagonal jump of a cell anew and, as long as the
// outcome is another one, those that come to it. When this has been done for
// every cell of which something a jump looks at has changed, in any order, all
// jumps are right.
func (t *JumpTable) relayOblique(id int32, d uint8) {
	back := dirY[d]*t.rows.stride + dirX[d]
	for t.rows.get(id) {
		old := t.jump[id*8+int32(d)]
		if t.oblique(id, d); t.jump[id*8+int32(d)] == old {
			return
		}
		id -= back
	}
	if id >= t.rows.stride && id < int32(t.rows.ids())-t.rows.stride {
		t.jump[id*8+int32(d)] = 0 // blocked, perhaps since a moment ago
	}
}

// relay computes a line anew and calls changed for the cells that are, or no
// longer are, followed by a place to turn, with the diagonal directions in
// which that makes a difference.
func (t *JumpTable) relay(id, shift, n int32, d uint8, changed func(i int32, obliq uint8)) {
	ahead, behind := uint8(1<<dirNE|1<<dirSE), uint8(1<<dirNW|1<<dirSW)
	if d == dirS {
		ahead, behind = 1<<dirSW|1<<dirSE, 1<<dirNW|1<<dirNE
	}
	kind := func(i int32) (k uint8) {
		j := (id + i*shift) * 8
		if t.jump[j+int32(d)] > 0 {
			k |= ahead
		}
		if t.jump[j+int32(7-d)] > 0 {
			k |= behind
		}
		return k
	}
	old := make([]uint8, n)
	for i := range n {
		old[i] = kind(i)
	}
	t.line(id, shift, n, d)
	for i := range n {
		if k := kind(i) ^ old[i]; k != 0 {
			changed(i, k)
		}
	}
}
